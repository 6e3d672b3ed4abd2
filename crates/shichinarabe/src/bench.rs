//! The fixed workloads. Every one asserts its own answers and folds them into a signature.

use crate::analysis::{analyse_deck, analyse_graph, analyse_suits};
use crate::contract::random_deck;
use crate::position::{Colour, Graph, GraphSetup, Player, Suits};
use crate::theory::suits::{ShortSuit, analyse_short};
use kachi_core::random::Dealer;
use kachi_core::surface::{Bench, Clock, fold};
use kachi_core::{Budget, Limits};
use std::hint::black_box;

/// Times in the unit of the figure, sorted, told as a distribution.
struct Distribution(Vec<f64>);

impl Distribution {
    fn new(mut times: Vec<f64>) -> Distribution {
        times.sort_by(f64::total_cmp);
        Distribution(times)
    }

    fn at(&self, part: f64) -> f64 {
        let last = self.0.len().saturating_sub(1);
        self.0.get((last as f64 * part).round() as usize).copied().unwrap_or(0.0)
    }

    fn words(&self, unit: &str) -> String {
        format!(
            "median {:.3} {unit}, 90 % {:.3}, 99 % {:.3}, max {:.3} ({} cases)",
            self.at(0.5),
            self.at(0.9),
            self.at(0.99),
            self.at(1.0),
            self.0.len()
        )
    }
}

/// Workloads of `shichinarabe`: suits and the real deck.
pub fn suits(clock: &dyn Clock) -> Bench {
    let mut bench = Bench::default();
    random_positions(clock, &mut bench);
    large_suit(clock, &mut bench);
    plain_deals(clock, &mut bench);
    special_deals(clock, &mut bench);
    bench
}

fn random_positions(clock: &dyn Clock, bench: &mut Bench) {
    const COUNT: usize = 1 << 18;
    const ROUNDS: u32 = 8;
    let mut dealer = Dealer::new(48);
    let deals: Vec<u64> = (0..COUNT).map(|_| dealer.word()).collect();
    let decide = |deal: u64| {
        let suits: [ShortSuit; 8] = std::array::from_fn(|i| ShortSuit::from_bits((deal >> (6 * i)) as u8, 6));
        analyse_short(&suits, Player::BOTH[(deal >> 63) as usize])
    };
    let mut sums = (0u64, 0u64);
    let time = clock.time(&mut || {
        for _ in 0..ROUNDS {
            for &deal in &deals {
                let (winner, winning) = decide(black_box(deal));
                sums.0 += winner as u64;
                sums.1 += u64::from(winning);
            }
        }
    });
    // The general rule must agree on a part of them.
    let mut general = Vec::new();
    for &deal in &deals[..4096] {
        let owner = |i: usize| Player::BOTH[(deal >> i & 1) as usize];
        let suits = (0..8).map(|suit| (0..6).map(|card| owner(6 * suit + card)).collect()).collect();
        general.extend(Suits::new(suits, Player::BOTH[(deal >> 63) as usize]).ok());
    }
    let mut masks = Vec::new();
    let general_time = clock.time(&mut || {
        masks =
            general.iter().map(|p| analyse_suits(p).winning.iter().fold(0, |m, i| m | (1 << i))).collect();
    });
    for (&deal, &mask) in deals.iter().zip(&masks) {
        assert_eq!(decide(deal).1, mask, "two ways to the winning moves");
    }
    bench.signature = fold(fold(bench.signature, sums.0), sums.1);
    let per_s = f64::from(ROUNDS) * COUNT as f64 / time.max(1e-9);
    let words = format!(
        "random positions of 48 cards in eight suits, winner and all winning moves, one core; suits of any length as lists: {:.2} M/s",
        general.len() as f64 / general_time.max(1e-9) / 1e6
    );
    bench.figure("suits_moves_per_s", per_s, words);
}

fn large_suit(clock: &dyn Clock, bench: &mut Bench) {
    const CARDS: usize = 100_000_000;
    const ROUNDS: usize = 3;
    let words: Vec<u64> = (0..CARDS as u64 / 8).collect();
    let read = || {
        // Sixteen sums, so that addition is never what is waited for.
        let mut sums = [0u64; 16];
        for chunk in words.chunks_exact(16) {
            for (sum, word) in sums.iter_mut().zip(chunk) {
                *sum = sum.wrapping_add(*word);
            }
        }
        sums.iter().fold(0u64, |sum, part| sum.wrapping_add(*part))
    };
    let best = |work: &mut dyn FnMut()| (0..ROUNDS).map(|_| clock.time(work)).fold(f64::INFINITY, f64::min);
    let plain = best(&mut || {
        black_box(read());
    });
    let mut fractions = Vec::new();
    for alternating in [false, true] {
        // A random block repeated is as good as random cards here: all of it must be read and counted.
        let mut dealer = Dealer::new(100);
        let coins: Vec<u64> = (0..1001).map(|_| dealer.word()).collect();
        let owner = |i: usize| {
            let bit = if alternating { i } else { (coins[i / 64 % coins.len()] >> (i % 64)) as usize };
            Player::BOTH[bit & 1]
        };
        let suit: Vec<Player> = (0..CARDS).map(owner).collect();
        let Ok(position) = Suits::new(vec![suit], Player::First) else { continue };
        let mut value = 0;
        let time = best(&mut || value = analyse_suits(black_box(&position)).totals.value);
        bench.signature = fold(bench.signature, value as u64);
        fractions.push(plain / time.max(1e-9));
    }
    let words = format!(
        "one suit of 10^8 random cards (a byte each) decided with its moves, against reading as many bytes in the same run ({:.1} GB/s); an alternating suit: {:.2}",
        CARDS as f64 / plain.max(1e-9) / 1e9,
        fractions[1]
    );
    bench.figure("suits_large_fraction_of_bandwidth", fractions[0], words);
}

fn plain_deals(clock: &dyn Clock, bench: &mut Bench) {
    let decks: Vec<_> = (0..2000).map(|seed| random_deck(seed, [0; 2], [0; 2], false)).collect();
    let mut wins = 0u64;
    let time = clock.time(&mut || {
        for deck in &decks {
            let answer = analyse_deck(black_box(deck), &mut Budget::default());
            wins += u64::from(answer.is_ok_and(|answer| answer.winner == Player::First));
        }
    });
    bench.signature = fold(bench.signature, wins);
    let words = format!(
        "nanoseconds per 52-card deal with winner, winning cards and ground; the mover wins {:.1} % of 2000 deals",
        wins as f64 / 20.0
    );
    bench.figure("deck_ns", time * 1e9 / 2000.0, words);
}

fn special_deals(clock: &dyn Clock, bench: &mut Bench) {
    for (key, rights, tunnel, what) in [
        ("deck_joker_ms_max", [1, 1], false, "deals with a joker each"),
        ("deck_tunnel_ms_max", [0, 0], true, "tunnel deals"),
    ] {
        let mut times = Vec::new();
        let mut nodes = 0;
        for seed in 0..200 {
            let deck = random_deck(seed, rights, [0; 2], tunnel);
            let mut told = (0, 0, 0);
            times.push(
                1e3 * clock.time(&mut || {
                    if let Ok(answer) = analyse_deck(&deck, &mut Budget::default()) {
                        told =
                            (answer.winner as u64, answer.winning.len() as u64, answer.by.nodes.unwrap_or(0));
                    }
                }),
            );
            nodes = nodes.max(told.2);
            bench.signature = fold(fold(bench.signature, told.0), told.1);
        }
        let times = Distribution::new(times);
        let words = format!(
            "random 52-card {what} with all winning turns: {}; at most {nodes} nodes",
            times.words("ms")
        );
        bench.figure(key, times.at(1.0), words);
    }
}

/// A random tree of which `whites` vertices are white; every vertex hangs from an earlier one.
fn random_tree(dealer: &mut Dealer, vertices: u64, whites: u64) -> Graph {
    let mut colours: Vec<Colour> =
        (0..vertices).map(|_| Colour::Held(Player::BOTH[dealer.below(2) as usize])).collect();
    colours[0] = Colour::White;
    for _ in 1..whites {
        let v = dealer.below(vertices) as usize;
        colours[v] = Colour::White;
    }
    let edges = (1..vertices).map(|v| (dealer.below(v) as u32, v as u32)).collect();
    let mover = Player::BOTH[dealer.below(2) as usize];
    Graph::new(GraphSetup::plain(colours, edges, mover)).expect("a tree is a legal graph")
}

fn random_grid(dealer: &mut Dealer, side: u32) -> Graph {
    let n = side * side;
    let mut colours: Vec<Colour> =
        (0..n).map(|_| Colour::Held(Player::BOTH[dealer.below(2) as usize])).collect();
    colours[dealer.below(u64::from(n)) as usize] = Colour::White;
    let mut edges = Vec::new();
    for v in 0..n {
        if (v + 1) % side != 0 {
            edges.push((v, v + 1));
        }
        if v + side < n {
            edges.push((v, v + side));
        }
    }
    let mover = Player::BOTH[dealer.below(2) as usize];
    Graph::new(GraphSetup::plain(colours, edges, mover)).expect("a grid is a legal graph")
}

/// Decides graphs one by one; `None` where the budget ended.
fn decide_all(
    clock: &dyn Clock,
    bench: &mut Bench,
    graphs: &[Graph],
    limits: Limits,
) -> (Distribution, usize, u64) {
    let (mut times, mut unsolved, mut nodes) = (Vec::new(), 0, 0);
    for graph in graphs {
        let mut answer = None;
        let time = clock.time(&mut || answer = analyse_graph(graph, &mut Budget::new(limits)).ok());
        times.push(1e3 * time);
        match answer {
            Some(answer) if answer.unfinished.is_none() => {
                nodes = nodes.max(answer.by.nodes.unwrap_or(0));
                bench.signature = fold(bench.signature, answer.winner as u64);
                bench.signature = fold(bench.signature, answer.winning.len() as u64);
            }
            _ => unsolved += 1,
        }
    }
    (Distribution::new(times), unsolved, nodes)
}

/// Workloads of `graph-shichinarabe`.
pub fn graph(clock: &dyn Clock) -> Bench {
    let mut bench = Bench::default();
    let mut dealer = Dealer::new(64);

    let tree = random_tree(&mut dealer, 1_000_000, 1);
    let (times, unsolved, _) = decide_all(clock, &mut bench, std::slice::from_ref(&tree), Limits::default());
    assert_eq!(unsolved, 0, "the forest rule needs no search");
    bench.figure(
        "tree_million_ms",
        times.at(1.0),
        "a random tree of 10^6 vertices with one white, winner and all winning moves",
    );

    let trees: Vec<Graph> = (0..400)
        .map(|_| {
            let whites = dealer.between(2, 9);
            random_tree(&mut dealer, 64, whites)
        })
        .collect();
    let (times, unsolved, nodes) = decide_all(clock, &mut bench, &trees, Limits::default());
    assert_eq!(unsolved, 0, "trees of 64 vertices are within every budget");
    let words = format!(
        "random trees of 64 vertices with 2 to 9 whites: {}; at most {nodes} nodes",
        times.words("ms")
    );
    bench.figure("multi_white_64_ms_max", times.at(1.0), words);

    let groves: Vec<Graph> = (0..300)
        .map(|_| {
            let mut setup = random_tree(&mut dealer, 60, 1).into_setup();
            setup.rights[setup.mover.index()] = 1;
            Graph::new(setup).expect("rights do not change legality")
        })
        .collect();
    let (times, unsolved, nodes) = decide_all(clock, &mut bench, &groves, Limits::default());
    let words = format!(
        "random trees of 60 vertices, the mover with one joker, all winning turns: {}; {unsolved} unfinished, at most {nodes} nodes",
        times.words("ms")
    );
    bench.figure("tree_joker_60_ms_max", times.at(1.0), words);

    let grids: Vec<Graph> = (0..10).map(|_| random_grid(&mut dealer, 8)).collect();
    let limits = Limits { nodes: 5_000_000, ..Limits::default() };
    let (times, unsolved, nodes) = decide_all(clock, &mut bench, &grids, limits);
    let words = format!(
        "of 10 random 8x8 grids decided with all winning moves within 5 M units of work: {}; at most {nodes} nodes",
        times.words("ms")
    );
    bench.figure("grid_8x8_decided", (grids.len() - unsolved) as f64, words);
    bench
}

//! The fixed workloads. Every way to decide runs over the same positions in one run and must give the same answers, so a figure is never
//! about wrong answers and ratios do not depend on how busy the machine is.

use crate::entry::deal;
use crate::position::{Face, Position};
use crate::rules::{Stage, Tanhinmin};
use crate::theory::block::{self, Block, LANES};
use crate::theory::packed::{self, Hand};
use crate::theory::{large, mover_wins, winning_moves};
use kachi_core::random::Dealer;
use kachi_core::solve::{Outcome, Wins, by_attractor};
use kachi_core::surface::{Bench, Clock, fold};
use kachi_core::{Budget, Seat};
use petgraph::graph::UnGraph;

/// Positions decided by the fast forms.
const POSITIONS: usize = 1 << 16;
/// Positions decided by the general matching algorithms.
const MATCHED: usize = 1 << 10;
/// Positions decided by the slow solver, and their hand size.
const SEARCHED: usize = 24;
const SEARCHED_HAND: usize = 5;
/// Cards of the two large hands together.
const LARGE: usize = 100_000_000;

/// The same positions in every form.
struct Sample {
    hands: Vec<[Vec<Face>; 2]>,
    tables: Vec<u32>,
    packed: Vec<[Hand; 2]>,
    blocks: Vec<Block>,
}

impl Sample {
    /// Deals of 1 to 26 cards a side from a 13 x 4 deck, any table.
    fn new() -> Sample {
        let mut dealer = Dealer::new(1);
        let mut sample =
            Sample { hands: Vec::new(), tables: Vec::new(), packed: Vec::new(), blocks: Vec::new() };
        sample.blocks.resize(POSITIONS / LANES, Block::default());
        for i in 0..POSITIONS {
            let size = dealer.between(1, 26) as usize;
            let [mover, other] = deal(&mut dealer, size).sides.map(|side| side.ordinary);
            let table = dealer.below(14) as u32;
            let pack = |hand: &[Face]| Hand::pack(hand).unwrap_or_default();
            let hands = [pack(&mover), pack(&other)];
            sample.blocks[i / LANES].set(i % LANES, hands[0], hands[1], table);
            sample.packed.push(hands);
            sample.tables.push(table);
            sample.hands.push([mover, other]);
        }
        sample
    }

    fn table(&self, i: usize) -> Face {
        Face::raw(self.tables[i])
    }
}

/// Seconds per run of `work`, the best of several, each long enough to measure.
fn best_of(clock: &dyn Clock, runs: usize, work: &mut dyn FnMut()) -> f64 {
    (0..runs).map(|_| clock.time(work)).fold(f64::INFINITY, f64::min).max(1e-9)
}

/// Runs all workloads.
pub fn run(clock: &dyn Clock) -> Bench {
    let sample = Sample::new();
    let mut bench = Bench::default();
    let answers = fast_forms(clock, &sample, &mut bench);
    general_matchings(clock, &sample, &answers, &mut bench);
    slow_solver(clock, &mut bench);
    all_moves(clock, &sample, &mut bench);
    large_hands(clock, &mut bench);
    bench
}

/// Two-pointer, packed and block form over all positions; returns the answers, one bit a position.
fn fast_forms(clock: &dyn Clock, sample: &Sample, bench: &mut Bench) -> Vec<u64> {
    let mut by_block = vec![0_u64; sample.blocks.len()];
    let rounds = 20;
    let block = best_of(clock, 5, &mut || {
        for _ in 0..rounds {
            block::decide_all(std::hint::black_box(&sample.blocks), &mut by_block);
        }
    }) / f64::from(rounds);

    let mut by_packed = vec![0_u64; sample.blocks.len()];
    let packed = best_of(clock, 5, &mut || {
        for (word, lanes) in by_packed.iter_mut().enumerate() {
            *lanes = (0..LANES).fold(0, |bits, lane| {
                let i = word * LANES + lane;
                let [x, z] = sample.packed[i];
                bits | u64::from(packed::mover_wins(x, z, sample.tables[i], [0, 0])) << lane
            });
        }
    });

    let mut by_pointers = vec![0_u64; sample.blocks.len()];
    let pointers = best_of(clock, 5, &mut || {
        for (word, lanes) in by_pointers.iter_mut().enumerate() {
            *lanes = (0..LANES).fold(0, |bits, lane| {
                let i = word * LANES + lane;
                let [x, z] = &sample.hands[i];
                bits | u64::from(mover_wins(x, z, sample.table(i), [0, 0])) << lane
            });
        }
    });
    assert_eq!(by_block, by_packed, "the block form and the packed form agree");
    assert_eq!(by_block, by_pointers, "the block form and the two pointers agree");
    bench.signature = by_block.iter().fold(bench.signature, |hash, &word| fold(hash, word));

    let per_second = |seconds: f64| POSITIONS as f64 / seconds;
    bench.figure("block_per_s", per_second(block), "positions a second, 64 at once on byte lanes");
    bench.figure("packed_per_s", per_second(packed), "positions a second, hands packed into words");
    bench.figure("two_pointer_per_s", per_second(pointers), "positions a second, sorted hands");
    bench.figure("block_over_two_pointer", pointers / block, "how many times faster the block form is");
    by_block
}

/// Hopcroft-Karp and petgraph over the same positions.
fn general_matchings(clock: &dyn Clock, sample: &Sample, answers: &[u64], bench: &mut Bench) {
    let expected = |i: usize| answers[i / LANES] >> (i % LANES) & 1 == 1;
    let decide_with = |mu: &dyn Fn(&[Face], &[Face]) -> usize| {
        best_of(clock, 2, &mut || {
            for (i, [x, z]) in sample.hands[..MATCHED].iter().enumerate() {
                let mut targets = z[1..].to_vec();
                targets.push(sample.table(i));
                let wins = mu(x, &targets) > mu(z, &x[1..]);
                assert_eq!(wins, expected(i), "a general matching algorithm gives the same winner");
            }
        }) / MATCHED as f64
    };
    let hopcroft_karp = decide_with(&hopcroft_karp);
    let by_petgraph = decide_with(&by_petgraph);
    let block =
        bench.figures.iter().find(|figure| figure.key == "block_per_s").map_or(1.0, |figure| figure.value);
    bench.figure(
        "hopcroft_karp_per_s",
        1.0 / hopcroft_karp,
        "positions a second, matchings by Hopcroft-Karp",
    );
    bench.figure("hopcroft_karp_over_block", hopcroft_karp * block, "how many times slower Hopcroft-Karp is");
    bench.figure("petgraph_per_s", 1.0 / by_petgraph, "positions a second, petgraph's maximum_matching");
}

/// The largest matching by Hopcroft and Karp's algorithm, which uses no order of the cards.
fn hopcroft_karp(a: &[Face], b: &[Face]) -> usize {
    let beats: Vec<Vec<usize>> =
        a.iter().map(|&beater| (0..b.len()).filter(|&target| beater > b[target]).collect()).collect();
    let mut of_a: Vec<Option<usize>> = vec![None; a.len()];
    let mut of_b: Vec<Option<usize>> = vec![None; b.len()];
    let mut size = 0;
    loop {
        // Distances of shortest alternating paths from the free vertices of A.
        let mut depth: Vec<Option<u32>> = of_a.iter().map(|pair| pair.is_none().then_some(0)).collect();
        let mut queue: std::collections::VecDeque<usize> =
            (0..a.len()).filter(|&i| of_a[i].is_none()).collect();
        let mut reaches_free = false;
        while let Some(i) = queue.pop_front() {
            for &target in &beats[i] {
                match of_b[target] {
                    None => reaches_free = true,
                    Some(next) if depth[next].is_none() => {
                        depth[next] = depth[i].map(|d| d + 1);
                        queue.push_back(next);
                    }
                    Some(_) => {}
                }
            }
        }
        if !reaches_free {
            return size;
        }
        for i in 0..a.len() {
            if of_a[i].is_none() && extend(i, &beats, &mut depth, &mut of_a, &mut of_b) {
                size += 1;
            }
        }
    }
}

/// Follows a shortest alternating path and flips it.
fn extend(
    i: usize,
    beats: &[Vec<usize>],
    depth: &mut [Option<u32>],
    of_a: &mut [Option<usize>],
    of_b: &mut [Option<usize>],
) -> bool {
    for &target in &beats[i] {
        let open = match of_b[target] {
            None => true,
            Some(next) => depth[next] == depth[i].map(|d| d + 1) && extend(next, beats, depth, of_a, of_b),
        };
        if open {
            of_a[i] = Some(target);
            of_b[target] = Some(i);
            return true;
        }
    }
    depth[i] = None;
    false
}

fn by_petgraph(a: &[Face], b: &[Face]) -> usize {
    let mut graph: UnGraph<(), ()> = UnGraph::with_capacity(a.len() + b.len(), a.len() * b.len());
    let beaters: Vec<_> = a.iter().map(|_| graph.add_node(())).collect();
    let targets: Vec<_> = b.iter().map(|_| graph.add_node(())).collect();
    for (i, beater) in a.iter().enumerate() {
        for (j, target) in b.iter().enumerate() {
            if beater > target {
                graph.add_edge(beaters[i], targets[j], ());
            }
        }
    }
    petgraph::algo::maximum_matching(&graph).len()
}

/// The attractor of `kachi-core`, which knows only the rules.
fn slow_solver(clock: &dyn Clock, bench: &mut Bench) {
    let mut dealer = Dealer::new(2);
    let positions: Vec<Position> = (0..SEARCHED).map(|_| deal(&mut dealer, SEARCHED_HAND)).collect();
    let mut wins = Vec::new();
    let seconds = clock.time(&mut || {
        for position in &positions {
            let root = Stage::Turn(Seat::FIRST, position.clone());
            let roots = std::slice::from_ref(&root);
            let solved = by_attractor(&Tanhinmin, &Wins(Seat::FIRST), roots, &mut Budget::default());
            wins.push(solved.is_ok_and(|solved| solved.outcome(&root) == Some(Outcome::Forced)));
        }
    });
    for (position, wins) in positions.iter().zip(wins) {
        let [mover, other] = &position.sides;
        let says = mover_wins(&mover.ordinary, &other.ordinary, Face::GROUND, [0, 0]);
        assert_eq!(says, wins, "the slow solver agrees on {position}");
    }
    bench.figure(
        "slow_solver_per_s",
        SEARCHED as f64 / seconds.max(1e-9),
        "positions a second, 5 against 5 cards, by search",
    );
}

/// All winning moves of every position.
fn all_moves(clock: &dyn Clock, sample: &Sample, bench: &mut Bench) {
    use crate::position::{Side, Table};
    let position = |i: usize| {
        let side = |hand: &Vec<Face>| Side { ordinary: hand.clone(), ..Side::default() };
        let table = if sample.tables[i] == 0 { Table::Empty } else { Table::Shows(sample.table(i)) };
        Position { table, sides: [side(&sample.hands[i][0]), side(&sample.hands[i][1])] }
    };
    let positions: Vec<Position> = (0..POSITIONS / 4).map(position).collect();
    let mut signature = bench.signature;
    let seconds = clock.time(&mut || {
        for position in &positions {
            let moves = winning_moves(position, &mut Budget::default()).unwrap_or_default();
            signature = fold(signature, moves.len() as u64);
        }
    });
    bench.signature = signature;
    bench.figure(
        "all_moves_per_s",
        positions.len() as f64 / seconds.max(1e-9),
        "positions a second, all winning moves",
    );
}

/// Two sorted hands of fifty million cards each, beside plain reading of the same memory.
fn large_hands(clock: &dyn Clock, bench: &mut Bench) {
    let mut dealer = Dealer::new(3);
    let hand = |dealer: &mut Dealer| {
        let mut face = 1;
        let mut hand = Vec::with_capacity(LARGE / 2);
        while hand.len() < LARGE / 2 {
            // One random word gives sixteen gaps of 0 to 15.
            let mut word = dealer.word();
            for _ in 0..16.min(LARGE / 2 - hand.len()) {
                face += (word & 15) as u32;
                hand.push(Face::raw(face));
                word >>= 4;
            }
        }
        hand
    };
    let (x, z) = (hand(&mut dealer), hand(&mut dealer));
    let sum = |hand: &[Face]| hand.iter().fold(0_u32, |sum, face| sum.wrapping_add(face.get()));
    let mut checksum = 0;
    let read = best_of(clock, 3, &mut || {
        checksum = sum(std::hint::black_box(&x)).wrapping_add(sum(std::hint::black_box(&z)));
    });
    let mut mu = [0, 0];
    let decided = best_of(clock, 3, &mut || {
        mu =
            large::matching_numbers(std::hint::black_box(&x), std::hint::black_box(&z), Face::GROUND, [0, 0]);
    });
    let mut plain = [0, 0];
    let by_pointers = clock.time(&mut || {
        plain = crate::theory::decide::matching_numbers(&x, &z, Face::GROUND, [0, 0]);
    });
    assert_eq!(mu, plain, "strides and two pointers find the same matchings");
    bench.signature = fold(fold(fold(bench.signature, mu[0] as u64), mu[1] as u64), u64::from(checksum));
    let gigabytes = (LARGE * size_of::<Face>()) as f64 / 1e9;
    bench.figure("large_gb_per_s", gigabytes / decided, "10^8 cards decided, gigabytes a second");
    bench.figure("read_gb_per_s", gigabytes / read, "the same memory only read and summed");
    bench.figure("large_fraction_of_bandwidth", read / decided, "share of the reading speed");
    bench.figure("large_over_two_pointer", by_pointers / decided, "how many times faster than two pointers");
}

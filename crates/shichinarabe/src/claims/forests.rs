//! Graphs without jokers: the main theorem, rooted forests, open paths, and tempting rules that fail.

use super::domains::{Trees, paths, suit_lists};
use super::truth::{PlainValues, Truth};
use super::{Check, OURS, THESIS, record_graph, record_winner, refuted};
use crate::position::{Colour, Graph, GraphSetup, Label, Player};
use crate::search::arena::{Arena, Set};
use crate::search::integers::Integers;
use crate::search::pieces::Pieces;
use crate::theory::paths::Ends;
use crate::theory::race::{NO_LOCK, Race};
use crate::theory::rooted::{self, Forest, NONE, Weights};
use crate::theory::shape::Skeleton;
use kachi_core::Budget;
use kachi_core::Statement;
use kachi_core::claim::Findings;
use kachi_core::random::Dealer;

const FORESTS: &str =
    "vertices; every two-coloured rooted forest below one white vertex, either player to move";
const PATHS_DOMAIN: &str = "cards; every list of paths open at one end or both, either player to move";

/// Every forest of a size, with either mover.
pub(super) fn forests(size: u32, shard: u32, shards: u32, visit: &mut dyn FnMut(&Graph)) {
    let trees = Trees::new(size);
    trees.forest_shard(size, shard, shards, &mut |forest| {
        for mover in Player::BOTH {
            visit(&trees.graph(forest, mover));
        }
    });
}

/// The winner by plain search.
pub(super) fn truth(graph: &Graph) -> Player {
    let mut truth = Truth::new(graph);
    let start = truth.start(graph.setup().mover);
    truth.winner(start)
}

fn open_paths(size: u32, shard: u32, shards: u32, visit: &mut dyn FnMut(&Graph)) {
    suit_lists(size, shard, shards, &mut |codes| {
        for both in 0..1u32 << codes.len() {
            let ends = |i: usize, code: u32| {
                let two = both >> i & 1 == 1;
                (two, if two && code >= 4 { Ends::Both } else { Ends::Left })
            };
            // A single card has one way to be open.
            if codes.iter().enumerate().any(|(i, &code)| code < 4 && ends(i, code).0) {
                continue;
            }
            let list: Vec<(u32, Ends)> =
                codes.iter().enumerate().map(|(i, &code)| (code, ends(i, code).1)).collect();
            for mover in Player::BOTH {
                visit(&paths(&list, mover));
            }
        }
    });
}

fn both_hold(graph: &Graph) -> bool {
    !graph.hands().contains(&0)
}

/// A random graph with several white vertices, cycles, sometimes directed, sometimes with additions.
fn random_graph(dealer: &mut Dealer, size: u32) -> Graph {
    let n = u64::from(size) + 1 + dealer.below(2);
    let mut colours: Vec<Colour> =
        (0..n).map(|_| Colour::Held(Player::BOTH[dealer.below(2) as usize])).collect();
    colours[0] = Colour::White;
    let directed = dealer.below(3) == 0;
    let mut edges: Vec<(u32, u32)> = (1..n).map(|v| (dealer.below(v) as u32, v as u32)).collect();
    for v in 1..n as usize {
        if n as usize - colours.iter().filter(|&&c| c == Colour::White).count() > size as usize {
            colours[v] = Colour::White;
        }
    }
    for _ in 0..dealer.below(4) {
        let (u, v) = (dealer.below(n) as u32, dealer.below(n) as u32);
        if u < v && !edges.contains(&(u, v)) {
            edges.push((u, v));
        }
    }
    let mut setup = GraphSetup::plain(colours, edges, Player::BOTH[dealer.below(2) as usize]);
    setup.directed = directed;
    for _ in 0..dealer.below(3) {
        let (u, v) = (dealer.below(n) as u32, dealer.below(n) as u32);
        if u != v {
            setup.add.push(Label { when: dealer.below(n) as u32, edge: (u, v) });
        }
    }
    Graph::new(setup).expect("a random graph is legal")
}

pub(super) static MAIN_THEOREM: Check = Check {
    statement: Statement::holds(
        "main-theorem",
        OURS,
        "on any graph, directed or not, with additions and without deletions and jokers: race, integer value and price decide the game",
        Some("shichinarabe/Graph.graph_decide_correct"),
        "cards; 400 random graphs of each size by ChaCha8 (seed = size times 8 plus shard): several white vertices, cycles, arcs, additions",
        12,
    )
    .sampled(),
    shards: 8,
    check: |size, shard, _, findings| {
        let mut dealer = Dealer::new(u64::from(size) * 8 + u64::from(shard));
        for _ in 0..50 {
            let graph = random_graph(&mut dealer, size);
            let Some(arena) = Arena::<u64>::new(&graph) else { continue };
            let decided =
                Integers::new(&arena).decide(arena.all(), graph.setup().mover, &mut Budget::default());
            if let Ok(verdict) = decided {
                record_winner(findings, &graph, verdict.winner, truth(&graph));
            }
        }
    },
};

pub(super) static ROOTED_RULE: Check = Check {
    statement: Statement::holds(
        "rooted-forest-rule",
        OURS,
        "the price of a rooted forest is that of the one-machine schedule: the cheapest exposed lock, or what is left of the hidden ones when the race winner opens them by earliest due date",
        None,
        FORESTS,
        10,
    ),
    shards: 16,
    check: |size, shard, shards, findings| {
        forests(size, shard, shards, &mut |graph| {
            if let Some(forest) = Skeleton::new(graph).forest() {
                let said = rooted::decide(&forest, graph.setup().mover).schedule.winner;
                record_winner(findings, graph, said, truth(graph));
            }
        });
    },
};

pub(super) static SAFE_PLAY: Check = Check {
    statement: Statement::holds(
        "safe-play-costs-one",
        OURS,
        "without additions a play that opens no new vertex of the opponent costs exactly 1",
        Some("shichinarabe/Graph.safe_A_own"),
        "vertices; every position inside every two-coloured rooted forest",
        7,
    ),
    shards: 4,
    check: |size, shard, shards, findings| {
        forests(size, shard, shards, &mut |graph| {
            let mut values = PlainValues::new(graph);
            let all = values.arena.all();
            for unplayed in 1..=all {
                let open = values.arena.open(unplayed, all);
                for v in open.members() {
                    let owner = values.arena.owner(v);
                    let after = unplayed.without(v);
                    let fresh = values.arena.open(after, values.arena.own[owner.other().index()]) & !open;
                    if fresh.is_empty() {
                        let cost = owner.sign() * (values.value(unplayed) - values.value(after));
                        record_graph(findings, cost == 1, graph, || format!("a safe play costs {cost}"));
                    }
                }
            }
        });
    },
};

pub(super) static LEAST_PRICE: Check = Check {
    statement: Statement::holds(
        "price-at-most-least-part",
        OURS,
        "the price of a sum of components is at least 0 and at most the least price of a component in which the race winner is locked in",
        None,
        "vertices; every two-coloured rooted forest, either keeper",
        8,
    ),
    shards: 8,
    check: |size, shard, shards, findings| {
        forests(size, shard, shards, &mut |graph| {
            // The mover does not matter here; his letter names the keeper.
            let keeper = graph.setup().mover;
            let mut values = PlainValues::new(graph);
            let all = values.arena.all();
            let Some(whole) = values.locked(all, keeper) else { return };
            let price = keeper.sign() * values.value(all) - whole;
            let mut least = i64::MAX;
            for part in parts(&values.arena) {
                // A part alone is the graph with everything else played.
                if let Some(locked) = values.locked(part, keeper) {
                    least = least.min(keeper.sign() * values.value(part) - locked);
                }
            }
            let words = || format!("price {price}, least of a part {least}");
            record_graph(findings, (0..=least).contains(&price), graph, words);
        });
    },
};

fn parts(arena: &Arena<u64>) -> Vec<u64> {
    let mut rest = arena.all();
    let mut parts = Vec::new();
    while rest != 0 {
        let mut part = 1u64 << rest.least();
        loop {
            let grown = part.members().fold(part, |grown, v| grown | (arena.near[v] & rest));
            if grown == part {
                break;
            }
            part = grown;
        }
        rest &= !part;
        parts.push(part);
    }
    parts
}

/// Decides a list of paths by the interval tables.
pub(super) fn by_pieces(graph: &Graph) -> Option<Player> {
    let setup = graph.setup();
    let owner = |v: &u32| match setup.colours[*v as usize] {
        Colour::Held(player) => player,
        Colour::White => Player::First,
    };
    let budget = &mut Budget::default();
    let legs = Skeleton::new(graph).paths()?;
    let legs = legs.into_iter().map(|(ids, ends)| {
        let owners = ids.iter().map(owner).collect();
        (ids, owners, ends)
    });
    Pieces::new(legs.collect(), setup.rights != [0; 2], budget)
        .ok()?
        .decide(setup.mover, setup.rights, budget)
        .ok()
}

pub(super) static PATHS: Check = Check {
    statement: Statement::holds(
        "paths-minimum-rule",
        OURS,
        "for paths open at one end or both values add, every price is 0 or 1, and the price of a list is the minimum",
        None,
        PATHS_DOMAIN,
        10,
    ),
    shards: 8,
    check: |size, shard, shards, findings| {
        open_paths(size, shard, shards, &mut |graph| {
            if let Some(said) = by_pieces(graph) {
                record_winner(findings, graph, said, truth(graph));
            }
        });
    },
};

/// The second player is free and the first is not.
fn only_first_locked(graph: &Graph) -> bool {
    Arena::<u64>::new(graph).is_some_and(|arena| {
        arena.is_free(Player::Second, arena.all()) && !arena.is_free(Player::First, arena.all())
    })
}

pub(super) static UNBLOCKED_FORESTS: Check = Check {
    statement: refuted(
        "erratum-unblocked-player-wins-forests",
        THESIS,
        "on rooted forests too: if no blue vertex lies below a red one and some red vertex lies below a blue one, blue wins",
        Some("rooted-forest-rule"),
        FORESTS,
        5,
    ),
    shards: 1,
    check: |size, shard, shards, findings| {
        forests(size, shard, shards, &mut |graph| {
            if both_hold(graph) && only_first_locked(graph) {
                record_winner(findings, graph, Player::Second, truth(graph));
            }
        });
    },
};

pub(super) static UNBLOCKED_PATHS: Check = Check {
    statement: refuted(
        "erratum-unblocked-player-wins-paths",
        THESIS,
        "on paths open at both ends too: if blue is free and red is not, blue wins",
        Some("paths-minimum-rule"),
        PATHS_DOMAIN,
        5,
    ),
    shards: 1,
    check: |size, shard, shards, findings| {
        open_paths(size, shard, shards, &mut |graph| {
            if both_hold(graph) && only_first_locked(graph) {
                record_winner(findings, graph, Player::Second, truth(graph));
            }
        });
    },
};

pub(super) static NAIVE_FOREST_VALUE: Check = Check {
    statement: refuted(
        "erratum-forest-all-opened",
        OURS,
        "the locked value of a rooted forest is the smaller of the value, and the value with everything above hidden locks opened less the cheapest lock left then",
        Some("rooted-forest-rule"),
        FORESTS,
        8,
    ),
    shards: 16,
    check: |size, shard, shards, findings| {
        forests(size, shard, shards, &mut |graph| {
            let Some(forest) = Skeleton::new(graph).forest() else { return };
            if !both_hold(graph) {
                return;
            }
            let race = Race::new(graph.hands(), graph.setup().mover);
            let (total, price) = all_opened(&forest, race.keeper);
            let said = race.decide(race.keeper.sign() * total, price);
            record_winner(findings, graph, said, truth(graph));
        });
    },
};

/// Value and tempting price, in the keeper's sign: everything above hidden locks is opened, and the cheapest of the locks that
/// are left then is paid.
fn all_opened(forest: &Forest, keeper: Player) -> (i64, i64) {
    let n = forest.len();
    let weights = Weights::new(forest, keeper);
    let own = |v: usize| forest.owner[v] == keeper;
    let hides = |v: usize| !own(v) && weights.lock[v];
    let mut reached = vec![false; n];
    for v in 0..n {
        let up = forest.parent[v] as usize;
        let handed = |up: usize| hides(up) || (own(up) && weights.prisoner[up] && weights.a[up] > 0);
        reached[v] = forest.parent[v] == NONE || (reached[up] && handed(up));
    }
    let mut hidden_below = vec![false; n];
    for v in (0..n).rev() {
        if forest.parent[v] != NONE && (hidden_below[v] || (hides(v) && reached[v])) {
            hidden_below[forest.parent[v] as usize] = true;
        }
    }
    let (mut total, mut opening, mut cheapest) = (0, 0, None);
    for v in 0..n {
        let (value, cost) = (i64::from(weights.a[v]), i64::from((weights.s[v] - 1).max(0)));
        if forest.parent[v] == NONE {
            total += value;
        }
        if reached[v] && hides(v) {
            opening += cost;
        }
        if reached[v] && own(v) && weights.prisoner[v] && !hidden_below[v] {
            cheapest = Some(cheapest.map_or(value, |least: i64| least.min(value)));
        }
    }
    (total, cheapest.map_or(NO_LOCK, |cheapest| (cheapest - opening).max(0)))
}

pub(super) static LITERAL_ADDITION: Check = Check {
    statement: refuted(
        "erratum-edge-addition-definition",
        THESIS,
        "an added edge may be read as printed: it belongs to the graph from the start and its label deletes it",
        Some("main-theorem"),
        "vertices; every two-coloured rooted forest with one added edge, either player to move",
        4,
    ),
    shards: 1,
    check: |size, shard, shards, findings| {
        forests(size, shard, shards, &mut |graph| one_addition(graph, findings));
    },
};

fn one_addition(graph: &Graph, findings: &mut Findings) {
    let n = graph.setup().colours.len() as u32;
    for when in 1..n {
        for u in 0..n {
            for v in (u + 1)..n {
                if graph.setup().edges.contains(&(u, v)) {
                    continue;
                }
                let label = Label { when, edge: (u, v) };
                let mut added = graph.clone().into_setup();
                added.add.push(label);
                let mut printed = graph.clone().into_setup();
                printed.edges.push((u, v));
                printed.delete.push(label);
                if let (Ok(added), Ok(printed)) = (Graph::new(added), Graph::new(printed)) {
                    record_winner(findings, &added, truth(&printed), truth(&added));
                }
            }
        }
    }
}

//! Passes: equal limits cancel, unequal ones do not.

use super::domains::{spider, suit_lists};
use super::forests::{forests, truth};
use super::truth::Truth;
use super::{Check, OURS, THESIS, record_graph, record_winner, refuted};
use crate::position::{Graph, Player};
use crate::search::turns::State;
use crate::theory::race::{NO_LOCK, Race};
use crate::theory::rooted;
use crate::theory::shape::Skeleton;
use kachi_core::Statement;
use kachi_core::claim::Findings;

const TREES: &str =
    "vertices; every two-coloured rooted forest with rights 0-0, 1-0 and 1-1, either player to move";

fn with(graph: &Graph, rights: [u32; 2], passes: [u32; 2]) -> Graph {
    let mut setup = graph.clone().into_setup();
    setup.rights = rights;
    setup.passes = passes;
    Graph::new(setup).expect("counts do not change legality")
}

/// Compares the winners of a graph with two settings of passes, both within `most`.
fn same(graph: &Graph, most: [u32; 2], left: [u32; 2], right: [u32; 2], findings: &mut Findings) {
    for rights in [[0, 0], [1, 0], [1, 1]] {
        let graph = with(graph, rights, most);
        let mut truth = Truth::new(&graph);
        let start = truth.start(graph.setup().mover);
        let (a, b) =
            (truth.winner(State { passes: left, ..start }), truth.winner(State { passes: right, ..start }));
        record_graph(findings, a == b, &graph, || {
            format!("passes {left:?}: {} wins; passes {right:?}: {} wins", a.colour(), b.colour())
        });
    }
}

pub(super) static EQUAL_PASSES: Check = Check {
    statement: Statement::holds(
        "theorem-6-1",
        THESIS,
        "with equal pass limits the winner does not depend on the limit, with rights too",
        None,
        TREES,
        7,
    ),
    shards: 4,
    check: |size, shard, shards, findings| {
        forests(size, shard, shards, &mut |graph| same(graph, [1, 1], [0, 0], [1, 1], findings));
    },
};

pub(super) static DIFFERENCE: Check = Check {
    statement: Statement::holds(
        "passes-only-difference",
        OURS,
        "only the difference of the pass limits matters: 2-1 is 1-0",
        None,
        TREES,
        6,
    ),
    shards: 4,
    check: |size, shard, shards, findings| {
        forests(size, shard, shards, &mut |graph| same(graph, [2, 1], [1, 0], [2, 1], findings));
    },
};

pub(super) static EQUAL_PASSES_ONE_PER_TURN: Check = Check {
    statement: refuted(
        "erratum-theorem-6-1-one-per-turn",
        THESIS,
        "theorem 6.1 holds also when at most one right may be used in a turn",
        Some("theorem-6-1"),
        "cards; every list of nonempty suits up to order with two rights of one player, either player to move",
        6,
    ),
    shards: 4,
    check: |size, shard, shards, findings| {
        suit_lists(size, shard, shards, &mut |codes| {
            for mover in Player::BOTH {
                let mut setup = with(&spider(codes, mover), [2, 0], [0, 0]).into_setup();
                setup.variant.one_right_per_turn = true;
                let Ok(plain) = Graph::new(setup) else { continue };
                let passing = with(&plain, [2, 0], [1, 1]);
                record_winner(findings, &passing, truth(&plain), truth(&passing));
            }
        });
    },
};

pub(super) static UNEQUAL_PASSES: Check = Check {
    statement: refuted(
        "erratum-theorem-6-1-unequal",
        THESIS,
        "the winner does not depend on the pass limits even if they differ",
        Some("passes-only-difference"),
        "cards; every list of nonempty suits up to order, limits 1-0, either player to move",
        4,
    ),
    shards: 1,
    check: |size, shard, shards, findings| {
        suit_lists(size, shard, shards, &mut |codes| {
            for mover in Player::BOTH {
                let plain = spider(codes, mover);
                let passing = with(&plain, [0, 0], [1, 0]);
                record_winner(findings, &passing, truth(&plain), truth(&passing));
            }
        });
    },
};

pub(super) static SHIFT: Check = Check {
    statement: refuted(
        "pass-is-a-shift",
        OURS,
        "one pass more is worth exactly one: the winner is that of value plus 1 with the same price",
        Some("passes-only-difference"),
        "cards; every list of nonempty suits up to order, limits 1-0, either player to move",
        6,
    ),
    shards: 1,
    check: |size, shard, shards, findings| {
        suit_lists(size, shard, shards, &mut |codes| {
            for mover in Player::BOTH {
                let plain = spider(codes, mover);
                let Some(forest) = Skeleton::new(&plain).forest() else { continue };
                let schedule = rooted::decide(&forest, mover).schedule;
                let race = Race::new(plain.hands(), mover);
                if race.over().is_some() || schedule.price == NO_LOCK {
                    continue;
                }
                let said = race.decide(race.keeper.sign() * schedule.total + 1, schedule.price);
                let passing = with(&plain, [0, 0], [1, 0]);
                record_winner(findings, &passing, said, truth(&passing));
            }
        });
    },
};

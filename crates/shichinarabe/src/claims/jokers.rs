//! Jokers: now or never, and where it fails. The holder is the first player throughout; names can be swapped.

use super::domains::{spider, suit_lists};
use super::forests::{by_pieces, forests, truth};
use super::truth::Truth;
use super::{Check, OURS, THESIS, record_graph, record_winner, refuted};
use crate::notation::read_graph;
use crate::position::{Graph, Player};
use crate::search::arena::Set;
use crate::search::grove::Grove;
use crate::search::turns::State;
use crate::theory::shape::Skeleton;
use kachi_core::Budget;
use kachi_core::Statement;
use kachi_core::claim::Findings;

const SPIDERS: &str = "cards; every list of nonempty suits up to order, either player to move";
const TREES: &str = "vertices; every two-coloured rooted forest below one white vertex, the holder to move";

fn with_rights(graph: &Graph, rights: [u32; 2]) -> Graph {
    let mut setup = graph.clone().into_setup();
    setup.rights = rights;
    Graph::new(setup).expect("rights do not change legality")
}

fn spiders(size: u32, shard: u32, shards: u32, rights: [u32; 2], visit: &mut dyn FnMut(&Graph)) {
    suit_lists(size, shard, shards, &mut |codes| {
        for mover in Player::BOTH {
            visit(&with_rights(&spider(codes, mover), rights));
        }
    });
}

fn both_hold(graph: &Graph) -> bool {
    !graph.hands().contains(&0)
}

pub(super) static SPIDERS_ONE: Check = Check {
    statement: Statement::holds(
        "now-or-never-spiders",
        OURS,
        "one holder of one right on suits: he uses it on his next turn or never needs it",
        None,
        SPIDERS,
        11,
    ),
    shards: 8,
    check: |size, shard, shards, findings| {
        spiders(size, shard, shards, [1, 0], &mut |graph| {
            if let (true, Some(said)) = (both_hold(graph), by_pieces(graph)) {
                record_winner(findings, graph, said, truth(graph));
            }
        });
    },
};

pub(super) static SPIDERS_TWO: Check = Check {
    statement: Statement::holds(
        "theorem-6-6-spiders",
        THESIS,
        "one holder of k rights on suits decides by trying all sets of at most k targets at once: O(n^k) sets (checked for k = 2)",
        None,
        SPIDERS,
        10,
    ),
    shards: 8,
    check: |size, shard, shards, findings| {
        spiders(size, shard, shards, [2, 0], &mut |graph| {
            if let (true, Some(said)) = (both_hold(graph), by_pieces(graph)) {
                record_winner(findings, graph, said, truth(graph));
            }
        });
    },
};

pub(super) static GROVE: Check = Check {
    statement: Statement::holds(
        "grove-one-right",
        OURS,
        "one right of one player on a rooted forest: the now test with interval tables and the pruned waiting search give the winner",
        None,
        "vertices; every two-coloured rooted forest below one white vertex, either player to move",
        9,
    ),
    shards: 16,
    check: |size, shard, shards, findings| {
        forests(size, shard, shards, &mut |graph| {
            let graph = with_rights(graph, [1, 0]);
            if let (true, Some(said)) = (both_hold(&graph), by_grove(&graph)) {
                record_winner(findings, &graph, said, truth(&graph));
            }
        });
    },
};

fn by_grove(graph: &Graph) -> Option<Player> {
    let budget = &mut Budget::default();
    let forest = Skeleton::new(graph).forest()?;
    let mut grove = Grove::new(&forest, Player::First, budget).ok()?;
    let start = grove.start();
    let wins = if graph.setup().mover == Player::First {
        grove.holder_to_move(&start, budget).ok()?
    } else {
        grove.other_to_move(&start, budget).ok()?
    };
    Some(if wins { Player::First } else { Player::Second })
}

/// Does the first player, to move, win by using some of his rights now, or none ever?
fn wins_now(truth: &mut Truth, state: State<u64>) -> bool {
    let mut never = state;
    never.rights[0] = 0;
    if truth.winner(never) == Player::First {
        return true;
    }
    let theirs = state.unplayed & truth.arena.own[1];
    if state.rights[0] == 0 || theirs.len() == 1 {
        return false;
    }
    theirs.members().any(|v| {
        let mut turned = state;
        turned.unplayed = state.unplayed.without(v);
        turned.rights[0] -= 1;
        wins_now(truth, turned)
    })
}

fn now_or_never(graph: &Graph, findings: &mut Findings) {
    if graph.setup().mover != Player::First || !both_hold(graph) {
        return;
    }
    let mut truth = Truth::new(graph);
    let state = truth.start(Player::First);
    let said = if wins_now(&mut truth, state) { Player::First } else { Player::Second };
    record_winner(findings, graph, said, truth.winner(state));
}

pub(super) static TREES_NOW_OR_NEVER: Check = Check {
    statement: refuted(
        "theorem-6-5-naive",
        THESIS,
        "one right on a tree with one white vertex is decided by trying it now on every target, or never (the obvious reading of the O(n) bound)",
        Some("grove-one-right"),
        TREES,
        7,
    ),
    shards: 8,
    check: |size, shard, shards, findings| {
        forests(size, shard, shards, &mut |graph| now_or_never(&with_rights(graph, [1, 0]), findings));
    },
};

/// Positions of one size from a list.
fn on_record(list: &[&str], size: u32, visit: &mut dyn FnMut(&Graph)) {
    for graph in list.iter().filter_map(|text| read_graph(text).ok()) {
        if graph.hands().iter().sum::<u64>() == u64::from(size) {
            visit(&graph);
        }
    }
}

pub(super) static TREES_LEVEL_ON_RECORD: Check = Check {
    statement: refuted(
        "now-or-never-trees-level",
        OURS,
        "one right on a rooted forest, equal hands at the holder's turn: now or never (true up to 11 cards)",
        Some("grove-one-right"),
        "cards; positions on record (exhaustive search finds none below 12 cards)",
        12,
    ),
    shards: 1,
    check: |size, _, _, findings| {
        let list = ["BBBBBRR......R.RB..R,R:R:j1-0", "BBBB.BRR.....RR,RB,R:R:j1-0"];
        on_record(&list, size, &mut |graph| now_or_never(graph, findings));
    },
};

pub(super) static TREES_BEHIND_ON_RECORD: Check = Check {
    statement: refuted(
        "now-or-never-trees-behind",
        OURS,
        "one right on a rooted forest, the holder with more cards: now or never (true up to 10 cards)",
        Some("grove-one-right"),
        "cards; positions on record (the smallest known has 15 cards)",
        15,
    ),
    shards: 1,
    check: |size, _, _, findings| {
        let list = ["BR.BBBR.R..BRB.R.....R,B,R,R:R:j1-0"];
        on_record(&list, size, &mut |graph| now_or_never(graph, findings));
    },
};

pub(super) static TREES_TWO_RIGHTS: Check = Check {
    statement: refuted(
        "theorem-6-6-naive",
        THESIS,
        "two rights of one player on a tree with one white vertex are all used now or never (the obvious reading of the O(n^k) bound)",
        Some("theorem-6-6-spiders"),
        TREES,
        7,
    ),
    shards: 8,
    check: |size, shard, shards, findings| {
        forests(size, shard, shards, &mut |graph| now_or_never(&with_rights(graph, [2, 0]), findings));
    },
};

pub(super) static TWO_HOLDERS_NOW: Check = Check {
    statement: refuted(
        "theorem-6-7-naive",
        THESIS,
        "with one right each the mover uses his now or never, even on suits (the obvious reading of the O(n^4) bound)",
        Some("now-or-never-spiders"),
        "cards; every list of nonempty suits up to order, the first player to move",
        6,
    ),
    shards: 1,
    check: |size, shard, shards, findings| {
        spiders(size, shard, shards, [1, 1], &mut |graph| now_or_never(graph, findings));
    },
};

pub(super) static NEVER_HURTS: Check = Check {
    statement: Statement::holds(
        "right-never-hurts",
        OURS,
        "one more right never turns its holder's win into a loss",
        None,
        "vertices; every two-coloured rooted forest, the other player with 0 or 1 rights, either player to move",
        7,
    ),
    shards: 4,
    check: |size, shard, shards, findings| {
        forests(size, shard, shards, &mut |graph| {
            let graph = with_rights(graph, [1, 1]);
            let mut truth = Truth::new(&graph);
            let start = truth.start(graph.setup().mover);
            for theirs in 0..2 {
                let with = truth.winner(State { rights: [1, theirs], ..start });
                let without = truth.winner(State { rights: [0, theirs], ..start });
                let fine = with == Player::First || without == Player::Second;
                record_graph(findings, fine, &graph, || "the right hurts".into());
            }
        });
    },
};

/// Compares a graph with the same graph under a variant.
fn compare(graph: &Graph, change: fn(&mut crate::position::Variant), findings: &mut Findings) {
    if !both_hold(graph) {
        return;
    }
    let mut setup = graph.clone().into_setup();
    change(&mut setup.variant);
    if let Ok(variant) = Graph::new(setup) {
        record_winner(findings, &variant, truth(graph), truth(&variant));
    }
}

pub(super) static ONE_PER_TURN: Check = Check {
    statement: refuted(
        "erratum-one-right-per-turn",
        THESIS,
        "whether several rights or at most one may be used in a turn makes no difference",
        None,
        "vertices; every two-coloured rooted forest with two rights of one player, either player to move",
        6,
    ),
    shards: 4,
    check: |size, shard, shards, findings| {
        forests(size, shard, shards, &mut |graph| {
            compare(&with_rights(graph, [2, 0]), |variant| variant.one_right_per_turn = true, findings);
        });
    },
};

pub(super) static EMPTYING: Check = Check {
    statement: refuted(
        "erratum-emptying-undefined",
        THESIS,
        "whether removing the opponent's last vertex with a right wins or loses makes no difference (the definition of winning leaves it open)",
        None,
        "vertices; every two-coloured rooted forest with one right each, either player to move",
        4,
    ),
    shards: 1,
    check: |size, shard, shards, findings| {
        forests(size, shard, shards, &mut |graph| {
            compare(&with_rights(graph, [1, 1]), |variant| variant.emptying_wins = true, findings);
        });
    },
};

//! Four and five seats: who can force what, and the rule that finishes. Checked on tables, not proved.

use super::{KACHI, Law, counterexample, holds, over, solved, truth};
use crate::Mode;
use crate::search::Guarantees;
use crate::shape::{Fate, Shape, Step, all_shapes};
use kachi_core::{Findings, Statement};
use rustc_hash::FxHashMap;

const FOUR: &str = "labels; every position of four seats";
const FIVE: &str = "labels; every position of five seats";

/// At most one seat can force leaving first.
pub(super) fn one_first(seats: u8, size: u32, findings: &mut Findings) {
    let Some(table) = solved(seats, size, findings) else { return };
    for shape in all_shapes(seats, size, Mode::Pairs) {
        let first = truth(&table, &shape).iter().filter(|g| g.strict == 1).count();
        findings.record(first <= 1, || counterexample(&shape, format!("{first} seats can force first")));
    }
}

/// At least one seat can be made last by the others.
pub(super) fn someone_last(seats: u8, size: u32, findings: &mut Findings) {
    let Some(table) = solved(seats, size, findings) else { return };
    for shape in all_shapes(seats, size, Mode::Pairs) {
        let exposed = truth(&table, &shape).iter().any(|g| g.lenient == seats);
        findings.record(exposed, || counterexample(&shape, "every seat can avoid being last".to_owned()));
    }
}

/// How a seat with a guarantee draws.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// Any draw that keeps the guaranteed rank.
    AnyKeeping,
    /// Such a draw, and a pairing one if there is one.
    PairFirst,
}

/// The draws of a shape with the strict rank that seat `q` has after each.
fn ranked(table: &Guarantees, shape: &Shape, q: u8) -> Vec<(Step, u8)> {
    let rank = |step: &Step| match (step.follow(shape.seats, q), &step.after) {
        (Fate::Left(rank), _) => rank,
        (Fate::Stays(_), None) => shape.seats,
        (Fate::Stays(r), Some(after)) => {
            truth(table, after).get(r as usize).map_or(shape.seats, |g| g.strict + step.leavers())
        }
    };
    let steps = shape.kinds(Mode::Pairs).into_iter().map(|kind| shape.draw(kind, Mode::Pairs));
    steps.map(|step| (rank(&step), step)).map(|(rank, step)| (step, rank)).collect()
}

/// For every rank `k` that a seat `q` can force: no play inside the layer in which `q` follows the rule for `k` (keep
/// being able to force `k`) and the others draw as they like comes back to where it was.
pub(super) fn no_loop(seats: u8, size: u32, rule: Rule, findings: &mut Findings) {
    let Some(table) = solved(seats, size, findings) else { return };
    let shapes = all_shapes(seats, size, Mode::Pairs);
    let place: FxHashMap<&Shape, usize> = shapes.iter().zip(0..).collect();
    let m = seats as usize;
    for k in 1..seats {
        let mut ways: Vec<Vec<usize>> = vec![Vec::new(); shapes.len() * m];
        let mut sure = vec![false; shapes.len() * m];
        for (i, shape) in shapes.iter().enumerate() {
            let now = truth(&table, shape);
            for q in (0..seats).filter(|&q| now[q as usize].strict <= k) {
                sure[i * m + q as usize] = true;
                let draws = ranked(&table, shape, q);
                let keeping = draws.iter().filter(|(_, rank)| *rank <= k);
                let pairs = q == 0 && rule == Rule::PairFirst && keeping.clone().any(|(step, _)| step.paired);
                for (step, _) in keeping.filter(|(step, _)| step.paired || !pairs) {
                    if let (Fate::Stays(r), Some(after)) = (step.follow(seats, q), &step.after) {
                        ways[i * m + q as usize].extend(place.get(after).map(|&j| j * m + r as usize));
                    }
                }
            }
        }
        let stuck = on_loops(&ways);
        for node in (0..ways.len()).filter(|&node| sure[node]) {
            findings.record(!stuck[node], || {
                let words = format!(
                    "seat {} can keep being able to force rank {k} for ever, without leaving",
                    node % m
                );
                counterexample(&shapes[node / m], words)
            });
        }
    }
}

/// Nodes from which a loop can be reached: those that are never struck out by "all ways lead to struck ones".
fn on_loops(ways: &[Vec<usize>]) -> Vec<bool> {
    let mut open: Vec<usize> = ways.iter().map(Vec::len).collect();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); ways.len()];
    ways.iter().enumerate().for_each(|(node, to)| to.iter().for_each(|&to| before[to].push(node)));
    let mut done: Vec<usize> = (0..ways.len()).filter(|&node| open[node] == 0).collect();
    let mut loops = vec![true; ways.len()];
    while let Some(node) = done.pop() {
        loops[node] = false;
        for &previous in &before[node] {
            open[previous] -= 1;
            if open[previous] == 0 {
                done.push(previous);
            }
        }
    }
    loops
}

/// A mover who can force first has a pairing draw that keeps it.
fn first_by_pairs(seats: u8, size: u32, findings: &mut Findings) {
    let Some(table) = solved(seats, size, findings) else { return };
    for shape in all_shapes(seats, size, Mode::Pairs) {
        if truth(&table, &shape).first().is_some_and(|g| g.strict == 1) {
            let pairing = ranked(&table, &shape, 0).iter().any(|(step, rank)| step.paired && *rank == 1);
            findings
                .record(pairing, || counterexample(&shape, "no pairing draw keeps first place".to_owned()));
        }
    }
}

const ONE: Statement =
    over(holds("one-first-4", KACHI, "With four seats at most one can force leaving first."), FOUR, 14);

pub(super) static ONE_FIRST_FOUR: Law =
    Law { statement: ONE, check: |size, findings| one_first(4, size, findings) };

pub(super) static ONE_FIRST_FIVE: Law = Law {
    statement: Statement {
        id: "one-first-5",
        words: "With five seats at most one can force leaving first.",
        domain: FIVE,
        size: 8,
        ..ONE
    },
    check: |size, findings| one_first(5, size, findings),
};

pub(super) static SOMEONE_LAST_FOUR: Law = Law {
    statement: Statement {
        id: "someone-last-4",
        words: "With four seats there is always one that the others together can make last.",
        ..ONE
    },
    check: |size, findings| someone_last(4, size, findings),
};

pub(super) static SOMEONE_LAST_FIVE: Law = Law {
    statement: Statement {
        id: "someone-last-5",
        words: "With five seats there is always one that the others together can make last.",
        domain: FIVE,
        size: 8,
        ..ONE
    },
    check: |size, findings| someone_last(5, size, findings),
};

pub(super) static RULE_FINISHES_FOUR: Law = Law {
    statement: Statement {
        id: "rule-finishes-4",
        words: "With four seats the rule \"keep your guarantee, pair if possible\" reaches the guaranteed rank; no loop exists.",
        domain: "labels; every position of four seats and every seat with a guarantee",
        size: 12,
        ..ONE
    },
    check: |size, findings| no_loop(4, size, Rule::PairFirst, findings),
};

pub(super) static RULE_FINISHES_FIVE: Law = Law {
    statement: Statement {
        id: "rule-finishes-5",
        words: "With five seats the rule \"keep your guarantee, pair if possible\" reaches the guaranteed rank; no loop exists.",
        domain: "labels; every position of five seats and every seat with a guarantee",
        size: 7,
        ..ONE
    },
    check: |size, findings| no_loop(5, size, Rule::PairFirst, findings),
};

pub(super) static FIRST_BY_PAIRS_FOUR: Law = Law {
    statement: Statement {
        id: "first-by-pairs-4",
        words: "With four seats a mover who can force leaving first always has a pairing draw that keeps it.",
        size: 8,
        ..ONE
    },
    check: |size, findings| first_by_pairs(4, size, findings),
};

pub(super) static FIRST_BY_PAIRS_FIVE: Law = Law {
    statement: Statement {
        id: "first-by-pairs-5",
        words: "With five seats a mover who can force leaving first always has a pairing draw that keeps it.",
        domain: FIVE,
        size: 7,
        ..ONE
    },
    check: |size, findings| first_by_pairs(5, size, findings),
};

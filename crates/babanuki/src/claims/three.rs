//! Two and three seats: Theorems 5.1 and 5.2, the closed forms A, B and C, and what follows from them.

use super::many::{Rule, no_loop};
use super::{KACHI, Law, THESIS, UpTo, counterexample, holds, over, proved, solved, truth, wrong};
use crate::Mode;
use crate::search::{Guarantee, chance};
use crate::shape::{Kind, Shape, all_shapes};
use crate::theory::{Draw, Three};
use kachi_core::{Findings, Statement};

const TWO_DOMAIN: &str = "labels; both positions of two seats (joker with the mover or not)";
const THREE_DOMAIN: &str = "labels; every position of three seats";

/// Visits all shapes of a size with their guarantees.
fn each(seats: u8, size: u32, findings: &mut Findings, visit: impl Fn(&Shape, &[Guarantee], &mut Findings)) {
    let Some(table) = solved(seats, size, findings) else { return };
    for shape in all_shapes(seats, size, Mode::Pairs) {
        visit(&shape, &truth(&table, &shape), findings);
    }
}

pub(super) static TWO_SEATS: Law = Law {
    statement: over(
        proved(
            holds(
                "theorem-5.1",
                THESIS,
                "Theorem 5.1: with two players the one without the joker can force winning.",
            ),
            "babanuki/Three.two_seats",
        ),
        TWO_DOMAIN,
        100,
    ),
    check: |size, findings| {
        each(2, size, findings, |shape, found, findings| {
            let right = (0..2).all(|q| {
                let rank = if shape.joker == q { 2 } else { 1 };
                (found[q as usize].strict, found[q as usize].lenient) == (rank, rank)
            });
            findings.record(right, || counterexample(shape, format!("the table says {found:?}")));
        });
    },
};

pub(super) static NEVER_THE_JOKER: Law = Law {
    statement: over(
        proved(
            holds(
                "theorem-5.2",
                THESIS,
                "Theorem 5.2: the winner wins by never taking the joker; taking it gives the win away.",
            ),
            "babanuki/Three.two_seats_no_joker",
        ),
        TWO_DOMAIN,
        100,
    ),
    check: |size, findings| {
        let Some(table) = solved(2, size, findings) else { return };
        for shape in all_shapes(2, size, Mode::Pairs).into_iter().filter(|shape| shape.joker == 1) {
            let keeps = |kind: Kind| {
                let step = shape.draw(kind, Mode::Pairs);
                step.mover_left || step.after.is_some_and(|after| truth(&table, &after)[1].strict == 1)
            };
            let right = shape.kinds(Mode::Pairs).into_iter().all(|kind| keeps(kind) == (kind != Kind::Joker));
            findings.record(right, || counterexample(&shape, "the draws do not behave so".to_owned()));
        }
    },
};

/// Compares a closed form with the table, seat by seat.
fn compare(
    size: u32,
    findings: &mut Findings,
    says: fn(&Three, u8) -> bool,
    is: fn(crate::search::Guarantee) -> bool,
) {
    each(3, size, findings, |shape, found, findings| {
        let Some(three) = Three::of(shape) else { return };
        for q in 0..3 {
            let (says, is) = (says(&three, q), is(found[q as usize]));
            findings.record(says == is, || {
                counterexample(shape, format!("seat {q}: the closed form says {says}, the table says {is}"))
            });
        }
    });
}

const A: Statement = over(
    proved(
        holds(
            "theorem-a",
            KACHI,
            "Theorem A: the closed form in e, a, b decides who of three can force leaving first.",
        ),
        "babanuki/Three.theorem_A",
    ),
    THREE_DOMAIN,
    50,
);

pub(super) static THEOREM_A: Law = Law {
    statement: A,
    check: |size, findings| compare(size, findings, |t, q| t.around(q).first().is_some(), |g| g.strict == 1),
};

pub(super) static THEOREM_B: Law = Law {
    statement: Statement {
        id: "theorem-b",
        words: "Theorem B: the closed form decides who of three can force not being last; a holder of the joker only if he can force first.",
        proved: Some("babanuki/Three.theorem_B"),
        ..A
    },
    check: |size, findings| compare(size, findings, |t, q| t.rank(q) < 3, |g| g.strict < 3),
};

pub(super) static THEOREM_C: Law = Law {
    statement: Statement {
        id: "theorem-c",
        words: "Theorem C: with three seats nobody ever needs, or is saved by, endless play.",
        proved: Some("babanuki/Three.theorem_C"),
        ..A
    },
    check: |size, findings| {
        each(3, size, findings, |shape, found, findings| {
            let right = found.iter().all(|g| g.strict == g.lenient);
            findings.record(right, || counterexample(shape, format!("the table says {found:?}")));
        });
    },
};

pub(super) static ONE_FIRST: Law = Law {
    statement: Statement {
        id: "one-first-3",
        words: "With three seats at most one can force leaving first.",
        proved: Some("babanuki/Ranks.one_first"),
        ..A
    },
    check: |size, findings| super::many::one_first(3, size, findings),
};

pub(super) static SOMEONE_LAST: Law = Law {
    statement: Statement {
        id: "someone-last-3",
        words: "With three seats there is always one that the two others can make last.",
        proved: Some("babanuki/Ranks.someone_can_be_last"),
        ..A
    },
    check: |size, findings| super::many::someone_last(3, size, findings),
};

pub(super) static JOKER_NOT_NEEDED: Law = Law {
    statement: Statement {
        id: "joker-not-needed",
        words: "With three seats a mover with a guarantee keeps it by a draw other than the joker.",
        proved: Some("babanuki/Ranks.joker_not_needed"),
        ..A
    },
    check: |size, findings| {
        each(3, size, findings, |shape, found, findings| {
            let Some(three) = Three::of(shape) else { return };
            let now = found[0].strict;
            let without = [Draw::Pair, Draw::Shift].into_iter().filter_map(|draw| three.after(draw)).min();
            findings.record(now == 3 || without == Some(now), || {
                counterexample(shape, format!("the mover has rank {now}, without the joker {without:?}"))
            });
        });
    },
};

pub(super) static ANY_KEEPING_DRAW: Law = Law {
    statement: Statement {
        id: "any-keeping-draw-finishes",
        source: KACHI,
        ..over(
            wrong(
                "",
                "rule-finishes-3",
                "Any draws that keep a guaranteed rank reach it in the end (with three seats).",
            ),
            "labels; every position of three seats and every seat with a guarantee",
            30,
        )
    },
    check: |size, findings| no_loop(3, size, Rule::AnyKeeping, findings),
};

pub(super) static RULE_FINISHES: Law = Law {
    statement: Statement {
        id: "rule-finishes-3",
        words: "With three seats the rule \"keep your guarantee, pair if possible\" reaches the guaranteed rank; no loop exists.",
        proved: Some("babanuki/Three.rule_finishes"),
        domain: "labels; every position of three seats and every seat with a guarantee",
        size: 30,
        ..A
    },
    check: |size, findings| no_loop(3, size, Rule::PairFirst, findings),
};

pub(super) static TWO_SEATS_CHANCE: UpTo = UpTo {
    largest: chance::MOST_LABELS,
    law: Law {
        statement: over(
            holds(
                "two-seats-chance",
                KACHI,
                "Blind draws, two seats, n labels: the holder of the joker ends last with chance a(n) if the other moves and b(n) if the holder moves, where a(0)=b(0)=1, b(n)=a(n-1), a(n)=(n b(n-1)+1)/(n+2).",
            ),
            TWO_DOMAIN,
            chance::MOST_LABELS,
        ),
        check: |size, findings| {
            let (mut a, mut b) = (1.0, 1.0);
            for n in 1..=size {
                (a, b) = ((f64::from(n) * b + 1.0) / (f64::from(n) + 2.0), a);
            }
            for shape in all_shapes(2, size, Mode::Pairs) {
                let expected = if shape.joker == 0 { b } else { a };
                let found = chance::last(&shape, Mode::Pairs).map(|chances| chances[shape.joker as usize]);
                let right = found.is_some_and(|found| (found - expected).abs() < 1e-12);
                findings.record(right, || counterexample(&shape, format!("{expected} against {found:?}")));
            }
        },
    },
};

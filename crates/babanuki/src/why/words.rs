//! Reasons in words: who can force what, and the clause of the closed form behind it.

use super::Clause;
use crate::position::seat_name;
use crate::strategy::{Judged, Rank, Sure};
use crate::theory::{Around, First, Safe, Three};
use schemars::JsonSchema;
use serde::Serialize;

/// What one seat is sure of, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SeatReason {
    /// The seat.
    pub seat: usize,
    /// The clause of the closed form that decides (two and three seats), such as `A:before-free`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<&'static str>,
    /// In words.
    pub words: String,
}

/// "1st", "2nd", "3rd", "4th", ...
pub fn ordinal(rank: Rank) -> String {
    let ending = match (rank % 100, rank % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{rank}{ending}")
}

/// "first", "2nd place or better", "not being last".
fn aim(rank: Rank, best: Rank, last: Rank) -> String {
    if rank == best {
        "leaving first".to_owned()
    } else if rank + 1 == last {
        "not being last".to_owned()
    } else {
        format!("{} place or better", ordinal(rank))
    }
}

/// What a guarantee means, as the end of a sentence about a seat.
pub fn guarantee(sure: Sure, best: Rank, last: Rank) -> String {
    if sure.strict == sure.lenient && sure.strict < last {
        format!("can force {}", aim(sure.strict, best, last))
    } else if sure.strict < last {
        let lenient = aim(sure.lenient, best, last);
        let strict = aim(sure.strict, best, last);
        format!(
            "can force {strict}, and by threatening endless play can insist on {lenient} or a game that never ends"
        )
    } else if sure.lenient < last {
        let lenient = aim(sure.lenient, best, last);
        format!(
            "is safe only by endless play: can insist on {lenient} or a game that never ends, but can force nothing"
        )
    } else {
        "can be made last by the others together".to_owned()
    }
}

/// One reason for every seat that is in, in seat order.
pub fn reasons(judged: &Judged) -> Vec<SeatReason> {
    let three = Three::of(&judged.shape);
    let seats = (0..judged.sure.len()).filter_map(|seat| judged.sure[seat].map(|sure| (seat, sure)));
    let reason = |(seat, sure): (usize, Sure)| {
        let lost = judged.order.len() == 2 && sure.lenient == judged.last;
        let can = if lost { "will be last".to_owned() } else { guarantee(sure, judged.best, judged.last) };
        let what = format!("{} {can}", seat_name(seat));
        let q = judged.order.iter().position(|&other| other == seat).unwrap_or(0);
        match (&three, judged.order.len()) {
            (Some(three), _) => {
                let clause = Clause::of(three, q as u8);
                let around = three.around(q as u8);
                let name = |step: usize| seat_name(judged.order[(q + step) % 3]);
                let because = because(clause, &around, [name(0), name(2), name(1)]);
                SeatReason { seat, clause: Some(clause.name()), words: format!("{what}: {because}.") }
            }
            (None, 2) => {
                let holds = judged.shape.joker as usize == q;
                let (clause, because) = if holds {
                    ("two:holder", "of two seats the one with the joker loses; all its draws only pair")
                } else {
                    ("two:free", "of two seats the one without the joker wins by never taking it")
                };
                SeatReason { seat, clause: Some(clause), words: format!("{what}: {because}.") }
            }
            _ => SeatReason { seat, clause: None, words: format!("{what}.") },
        }
    };
    seats.map(reason).collect()
}

fn labels(count: i64) -> String {
    match count {
        0 => "no label".to_owned(),
        1 => "one label".to_owned(),
        _ => format!("{count} labels"),
    }
}

fn parity(count: i64) -> &'static str {
    if count & 1 == 1 { "odd" } else { "even" }
}

/// The clause in words; the names are those of the seat `q`, of `s` whom it draws from, of `t` who draws from it.
pub fn because(clause: Clause, around: &Around, [q, s, t]: [String; 3]) -> String {
    let Around { e, f, g, .. } = *around;
    let turn = match around.q {
        0 => format!("{q} moves now"),
        1 => format!("{q} moves next"),
        _ => format!("{q} is drawn from now"),
    };
    let free =
        format!("{t}, who draws from {q}, shares no label with {q} and so can never pair up at {q}'s cost");
    let once = format!("{t}, who draws from {q}, can pair up at {q}'s cost only once");
    let own = format!("{q} shares {} with {s}", labels(f));
    let even = format!("an {} number, the right one when {turn}", parity(f));
    match clause {
        Clause::First(First::Holder) => format!(
            "{q} holds the joker, but {free}; {own}, {even}, and {s} and {t} share {} to be busy with",
            labels(g)
        ),
        Clause::First(First::BeforeFree) => {
            format!("the joker is with {s}; {free}, and {s} and {t} share {}", labels(g))
        }
        Clause::First(First::BeforeOne) => format!("the joker is with {s}; {once}, and {own}, {even}"),
        Clause::First(First::BeforeParity) => format!(
            "parity: the joker is with {s}, {q} shares {f} with {s} and {e} with {t}, {s} and {t} share {g}, and {turn}: \
             the first two numbers pair off, the third does not, and {q} is not slower than the others"
        ),
        Clause::First(First::AfterFree) => {
            format!("the joker is with {t}; {free}; {own}, and {s} and {t} share {}", labels(g))
        }
        Clause::First(First::AfterOne) => {
            format!("the joker is with {t}; {once}; {own}, {even}, and {s} and {t} share {}", labels(g))
        }
        Clause::First(First::AfterLast) => {
            format!(
                "only two labels are left, one with each neighbour: on the last draw both empty, and {q}, drawn from, is ahead"
            )
        }
        Clause::Safe(Safe::Free) => free,
        Clause::Safe(Safe::One) => format!("{once}, and {own}, {even}"),
        Clause::Safe(Safe::Parity) => format!(
            "parity: {own}, {s} and {t} share {g}, and {turn}; with the joker at {} this pairs off in {q}'s favour",
            match around.joker {
                crate::theory::Joker::Before => &s,
                _ => &t,
            }
        ),
        Clause::Safe(Safe::Finish) => {
            format!(
                "{q} moves and only one label does not belong to {q} and {t} alone: {q} takes it and cannot be last"
            )
        }
        Clause::Exposed => {
            let holder = if around.joker == crate::theory::Joker::Own { "holds the joker, " } else { "" };
            format!(
                "{q} {holder}shares {} with {t} and {} with {s}, {s} and {t} share {}, and no clause of the closed form saves it",
                labels(e),
                labels(f),
                labels(g)
            )
        }
    }
}

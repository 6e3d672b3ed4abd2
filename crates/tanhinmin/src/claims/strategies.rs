//! The strategies S2 to S7 and SK, and Corollary 5: when the mover is winning, each of their moves wins.

use super::domain::{Case, GOALS, PositionClaim, Verdict, expect, list};
use crate::rules::Move;
use crate::strategy::{Strategy, weakest_legal};
use crate::theory::decide::matching_numbers;
use kachi_core::Statement;

const SIZE: u32 = 7;

const fn statement(
    id: &'static str,
    source: &'static str,
    words: &'static str,
    proved: Option<&'static str>,
) -> Statement {
    Statement::holds(id, source, words, proved, GOALS.words(), SIZE)
}

/// Every choice of the free number gives a winning move.
fn always_wins(case: &Case<'_>, choices: impl IntoIterator<Item = Strategy>) -> Verdict {
    if !case.mover_wins() {
        return Ok(());
    }
    let winning = case.winning();
    for strategy in choices {
        let mv = strategy.choose(case.x(), case.z(), case.table(), case.goals);
        expect(winning.contains(&mv), || format!("{strategy:?} plays {mv}; only {} wins", list(&winning)))?;
    }
    Ok(())
}

pub(crate) static S2: PositionClaim = PositionClaim {
    statement: statement(
        "s2",
        "goal paper, Algorithm 2 and Theorem 5",
        "S2 wins: the weakest legal card from x_{c0+1} on if that is the last card needed or the other's matching does not need x_{c0+2}, \
         else from x_{c0+2} on.",
        None,
    ),
    domain: GOALS,
    holds: |case| always_wins(case, [Strategy::S2]),
};

pub(crate) static S3: PositionClaim = PositionClaim {
    statement: statement(
        "s3",
        "goal paper, Algorithm 3 and Theorem 5",
        "S3 wins for every c from 0 to c0: the weakest legal card from x_{c0+2} on if the own matching survives without x_{c0+2}, else from \
         x_{c+1} on.",
        None,
    ),
    domain: GOALS,
    holds: |case| always_wins(case, (0..=case.goals[0]).map(|c| Strategy::S3 { c })),
};

pub(crate) static S4: PositionClaim = PositionClaim {
    statement: statement(
        "s4",
        "goal paper, Algorithm 4 and Theorem 5",
        "S4 wins for every c from 0 to c0: the weakest legal card from x_{c0+1} on if mu0 taken with c is at least |X| - c0, else from \
         x_{c0+2} on.",
        None,
    ),
    domain: GOALS,
    holds: |case| always_wins(case, (0..=case.goals[0]).map(|c| Strategy::S4 { c })),
};

pub(crate) static S5: PositionClaim = PositionClaim {
    statement: statement(
        "s5",
        "goal paper, Algorithm 5 and Theorem 5",
        "S5 wins for every c from 0 to c1: the weakest legal card from x_{c0+1} on if mu1 taken with c equals |X| - c0 - 1, else from \
         x_{c0+2} on.",
        None,
    ),
    domain: GOALS,
    holds: |case| always_wins(case, (0..=case.goals[1]).map(|c| Strategy::S5 { c })),
};

pub(crate) static S6: PositionClaim = PositionClaim {
    statement: statement(
        "s6",
        "goal paper, Algorithm 6 and Theorem 5",
        "S6 wins for every c from 0 to c0: the weakest legal card among the mu0 strongest, mu0 taken with c (for c = c0 \
         this is SK, which is proved).",
        None,
    ),
    domain: GOALS,
    holds: |case| always_wins(case, (0..=case.goals[0]).map(|c| Strategy::S6 { c })),
};

pub(crate) static S7: PositionClaim = PositionClaim {
    statement: statement(
        "s7",
        "goal paper, Algorithm 7 and Theorem 5",
        "S7 wins for every c from 0 to c1: the weakest legal card among the mu1 + 1 strongest, mu1 taken with c (for \
         c = c1 this is SK, which is proved).",
        None,
    ),
    domain: GOALS,
    holds: |case| always_wins(case, (0..=case.goals[1]).map(|c| Strategy::S7 { c })),
};

pub(crate) static SK: PositionClaim = PositionClaim {
    statement: statement(
        "sk",
        "kachi (common form of S6 and S7)",
        "SK wins for every k with mu1 < k <= mu0: the weakest legal card among the k strongest.",
        Some("tanhinmin/Moves.sk_wins"),
    ),
    domain: GOALS,
    holds: |case| {
        let [mu0, mu1] = matching_numbers(case.x(), case.z(), case.table(), case.goals);
        always_wins(case, (mu1 + 1..=mu0).map(|k| Strategy::Sk { k }))
    },
};

pub(crate) static COROLLARY_5: PositionClaim = PositionClaim {
    statement: statement(
        "corollary-5",
        "goal paper, Corollary 5",
        "If the mover wins and has a legal card, then his weakest legal card wins, or his weakest legal card apart from the c0 + 1 weakest of \
         the hand does.",
        Some("tanhinmin/Consequences.two_candidates"),
    ),
    domain: GOALS,
    holds: |case| {
        let weakest = weakest_legal(case.x(), 0, case.table());
        if !case.mover_wins() || weakest == Move::Pass {
            return Ok(());
        }
        let second = weakest_legal(case.x(), case.goals[0] + 1, case.table());
        let winning = case.winning();
        let one_wins = winning.contains(&weakest) || (second != Move::Pass && winning.contains(&second));
        expect(one_wins, || format!("neither {weakest} nor {second} wins, but {}", list(&winning)))
    },
};

//! The published statements about babanuki, and those first stated here, as claims that can be checked.
//!
//! The source is the PhD thesis on card-discarding games, chapter 5, where its numbers are used; what its lists miss
//! or add is an erratum with its smallest counterexample, beside the corrected list.

mod endless;
mod lists;
mod many;
mod open;
mod three;

use crate::notation;
use crate::position::Mode;
use crate::search::{Guarantee, Guarantees, table};
use crate::shape::Shape;
use kachi_core::{Budget, Claim, Counterexample, Error, Expected, Findings, Limits, Question, Statement};
use std::sync::Arc;

/// A claim made of a statement and a function that checks all positions of one size.
struct Law {
    statement: Statement,
    check: fn(u32, &mut Findings),
}

impl Claim for Law {
    fn statement(&self) -> &Statement {
        &self.statement
    }

    /// Tables of twice the usual size still fit the memory that claims may take.
    fn largest(&self) -> u32 {
        2 * self.statement.size
    }

    fn shards(&self, _: u32) -> u32 {
        1
    }

    fn check(&self, size: u32, _: u32, findings: &mut Findings) {
        (self.check)(size, findings);
    }
}

/// A law that cannot be checked beyond a size, whatever the memory: it speaks of fewer positions, or its slow definition ends there.
struct UpTo {
    largest: u32,
    law: Law,
}

impl Claim for UpTo {
    fn statement(&self) -> &Statement {
        &self.law.statement
    }

    fn largest(&self) -> u32 {
        self.largest
    }

    fn shards(&self, size: u32) -> u32 {
        self.law.shards(size)
    }

    fn check(&self, size: u32, shard: u32, findings: &mut Findings) {
        self.law.check(size, shard, findings);
    }
}

/// Where a statement stands.
const THESIS: &str = "PhD thesis on card-discarding games, chapter 5";
const KACHI: &str = "kachi";

/// A statement that is expected to hold.
const fn holds(id: &'static str, source: &'static str, words: &'static str) -> Statement {
    Statement::holds(id, source, words, None, "", 0)
}

/// A statement that is expected to be refuted.
const fn wrong(id: &'static str, corrected_by: &'static str, words: &'static str) -> Statement {
    Statement { expected: Expected::Refuted, corrected_by: Some(corrected_by), ..holds(id, THESIS, words) }
}

/// The domain of a statement.
const fn over(statement: Statement, domain: &'static str, size: u32) -> Statement {
    Statement { domain, size, ..statement }
}

/// The machine-checked theorem behind a statement.
const fn proved(statement: Statement, theorem: &'static str) -> Statement {
    Statement { proved: Some(theorem), ..statement }
}

/// The tables that the claims are checked against; without one the claim counts as failed, since "checked nothing" must not read as "holds".
fn solved(seats: u8, labels: u32, findings: &mut Findings) -> Option<Arc<Guarantees>> {
    let limits = Limits { nodes: u64::MAX, ..Limits::default() };
    let table = table(seats as usize, labels, Mode::Pairs, &mut Budget::new(limits));
    known(table, || format!("{seats} seats, {labels} labels"), findings)
}

/// What the slow definition says, or a failure in its place.
fn known<T>(
    solved: Result<T, Error>,
    positions: impl FnOnce() -> String,
    findings: &mut Findings,
) -> Option<T> {
    let unsolved = |error: Error| {
        let words = format!("not solved, so nothing is shown: {error}");
        findings.record(false, || Counterexample { position: positions(), words });
    };
    solved.map_err(unsolved).ok()
}

/// The guarantees of a shape by the table.
fn truth(table: &Guarantees, shape: &Shape) -> Vec<Guarantee> {
    table.of(shape).unwrap_or_default()
}

fn counterexample(shape: &Shape, words: String) -> Counterexample {
    let position = notation::write(&notation::example_position(shape, Mode::Pairs));
    Counterexample { position, words }
}

/// What is open.
pub static OPEN: &[Question] = open::ALL;

/// All claims, in the order of the theory.
pub static CLAIMS: &[&dyn Claim] = &[
    &three::TWO_SEATS,
    &three::NEVER_THE_JOKER,
    &lists::EXACT_JOKER_NEXT,
    &lists::JOKER_NEXT_VICTIM,
    &lists::JOKER_NEXT_VICTIM_CORRECTED,
    &lists::EXACT_JOKER_MOVER,
    &lists::JOKER_MOVER_NEXT_SOUND,
    &lists::JOKER_MOVER_NEXT_COMPLETE,
    &lists::JOKER_MOVER_NEXT_CORRECTED,
    &lists::EXACT_JOKER_VICTIM,
    &lists::JOKER_VICTIM_MOVER,
    &lists::JOKER_VICTIM_MOVER_CORRECTED,
    &lists::JOKER_VICTIM_NEXT,
    &lists::JOKER_VICTIM_NEXT_CORRECTED,
    &three::THEOREM_A,
    &three::THEOREM_B,
    &three::THEOREM_C,
    &three::ONE_FIRST,
    &three::SOMEONE_LAST,
    &three::JOKER_NOT_NEEDED,
    &three::ANY_KEEPING_DRAW,
    &three::RULE_FINISHES,
    &many::ONE_FIRST_FOUR,
    &many::ONE_FIRST_FIVE,
    &many::SOMEONE_LAST_FOUR,
    &many::SOMEONE_LAST_FIVE,
    &many::RULE_FINISHES_FOUR,
    &many::RULE_FINISHES_FIVE,
    &many::FIRST_BY_PAIRS_FOUR,
    &many::FIRST_BY_PAIRS_FIVE,
    &endless::LEMMA,
    &endless::LEMMA_ANY_SEAT,
    &endless::LEMMA_FAMILY,
    &endless::LEMMA_ALONE,
    &endless::FIVE_NOT_LOCKED,
    &endless::MORE_PLAYERS,
    &endless::EQUILIBRIUM_EXISTS,
    &endless::RESPECTS_GUARANTEES,
    &three::TWO_SEATS_CHANCE,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_solved_does_not_hold() {
        let mut findings = Findings::default();
        let solved: Result<(), Error> = Err(Error::too_large("seats", 9, 8));
        assert_eq!(known(solved, || "9 seats".to_owned(), &mut findings), None);
        assert_eq!((findings.checked, findings.failed), (1, 1));
        assert!(findings.counterexample.is_some_and(|shown| shown.words.contains("not solved")));
    }

    /// The last size that may be asked for is within reach.
    #[test]
    fn bounded_claims_hold_up_to_their_bound() {
        for id in ["lemma-5.7", "endless-for-k-players", "two-seats-chance"] {
            let claim = CLAIMS.iter().find(|claim| claim.statement().id == id).expect("a claim");
            let mut findings = Findings::default();
            claim.check(claim.largest(), 0, &mut findings);
            assert!(findings.checked > 0 && findings.failed == 0, "{id}: {findings:?}");
        }
    }
}

//! What is open about tanhinmin.

use kachi_core::Question;

/// All open questions.
pub(super) static ALL: &[Question] = &[Question {
    id: "rule-4-in-linear-time",
    source: "kachi",
    words: "A position with cut cards and goals can be decided in linear time.",
    known: "Rule 4 decides it by trying all ways to set cards aside, for both players; the fewest and the most cut cards alone are not enough (`rule-4-extremes`), but with one more than the fewest no counterexample has been met (`rule-4-three`), and that would be linear",
    domain: "cards; every position with cut cards and goals",
    settled_by: "a proof of `rule-4-three`; a counterexample to it would close this way: `kachi verify tanhinmin --claim rule-4-three --size 8`",
}];

//! The published statements about tanhinmin as claims, as printed and as corrected.
//!
//! Two sources: the *thesis*, a PhD thesis on card-discarding games (chapters 2 to 4), and the *goal paper*, a Game Programming
//! Workshop 2020 paper on two-player tanhinmin with extended winning conditions. Errata are numbered as in
//! `docs/theory/tanhinmin.md`; errata 4 and 5 are about missing proofs of statements that hold, so there is nothing to refute.
//!
//! | room | statements |
//! |---|---|
//! | `matchings` | the matching number and its thresholds |
//! | `plain` | Theorems 1 and 2, goals, Algorithm 1 |
//! | `strategies` | S2 to S7, SK, the corollaries |
//! | `cuts` | Theorem 3, its clauses, Rule 4 |
//! | `oracles` | hidden hands: Theorems 4.2 to 4.6 |
//! | `domain` | what they range over |
//! | `open` | what nobody knows |

mod cuts;
mod domain;
mod matchings;
mod open;
mod oracles;
mod plain;
mod strategies;

use kachi_core::{Claim, Question};

/// What is open.
pub static OPEN: &[Question] = open::ALL;

/// All claims, in the order of the theory.
pub static ALL: &[&dyn Claim] = &[
    &matchings::FORMULA,
    &matchings::THRESHOLDS,
    &plain::THEOREM_1,
    &plain::ERRATUM_1,
    &plain::NO_DRAWS,
    &plain::THEOREM_1_GOALS,
    &plain::SET_ASIDE,
    &plain::THEOREM_2,
    &plain::THRESHOLD,
    &plain::MARGIN_TWO,
    &plain::PASS_NOT_NEEDED,
    &plain::GOALS_MONOTONE,
    &plain::COROLLARY_7,
    &plain::ALGORITHM_1,
    &plain::ERRATUM_8_STRICT,
    &plain::ERRATUM_8_LIMIT,
    &plain::ERRATUM_9,
    &strategies::S2,
    &strategies::S3,
    &strategies::S4,
    &strategies::S5,
    &strategies::S6,
    &strategies::S7,
    &strategies::SK,
    &strategies::COROLLARY_5,
    &cuts::THEOREM_3,
    &cuts::CUT_NO_DRAWS,
    &cuts::CUT_GOALS_NO_DRAWS,
    &cuts::ERRATUM_2,
    &cuts::ERRATUM_3_ORDER,
    &cuts::ERRATUM_3_LEGAL,
    &cuts::ERRATUM_3_ONE_OF_Z,
    &cuts::ERRATUM_3_ONE_OF_X,
    &cuts::ERRATUM_3_NO_SURPLUS,
    &cuts::THREE_CANDIDATES,
    &cuts::ORDINARY_PREFIX,
    &cuts::CUT_PREFIX,
    &cuts::STRONGEST_CUT,
    &cuts::MARGIN_TWO_WITH_CUTS,
    &cuts::RULE_4,
    &cuts::RULE_4_MINMAX,
    &cuts::RULE_4_MOVES,
    &cuts::RULE_4_EXTREMES,
    &cuts::RULE_4_THREE,
    &oracles::THEOREM_4_2,
    &oracles::THEOREM_4_3,
    &oracles::ERRATUM_7,
    &oracles::DISTINCT_DILEMMA,
    &oracles::COUNTER_STRATEGY,
    &oracles::THEOREM_4_5,
    &oracles::ERRATUM_6,
    &oracles::COROLLARY_4_6,
    &oracles::EXTENSION_A,
    &oracles::EXTENSION_B,
];

//! The published statements about the stack game as claims that can be checked: how many states there are, what the starts are worth, and
//! the formula for the value of a plan. What is misprinted is an erratum beside its corrected form.

mod forms;
mod formula;
mod open;
mod rows;

use kachi_core::{Claim, Question};

/// The source of most statements.
const TANAKA: &str = "T. Tanaka, A calculation player program without using heuristic rules";
const KACHI: &str = "kachi";

/// What is open.
pub static OPEN: &[Question] = open::ALL;

/// All claims, in the order of the theory.
pub static CLAIMS: &[&dyn Claim] = &[
    &rows::ONE_CHAIN_ON_THREE,
    &rows::TWO_CHAINS_ON_THREE,
    &rows::THREE_CHAINS_ON_THREE,
    &rows::FOUR_CHAINS_ON_THREE,
    &rows::ONE_CHAIN_ON_FOUR,
    &rows::TWO_CHAINS_ON_FOUR,
    &rows::TWO_CHAINS_ON_FOUR_CORRECTED,
    &rows::THREE_CHAINS_ON_FOUR,
    &rows::FOUR_CHAINS_ON_FOUR,
    &forms::SAME_FORMS_ON_THREE,
    &forms::SAME_FORMS_ON_FOUR,
    &forms::FOUNDATIONS_APART,
    &rows::STARTS_ON_THREE,
    &rows::STARTS_ON_FOUR,
    &formula::PAIR_FACTOR,
    &formula::PAIR_FACTOR_CORRECTED,
];

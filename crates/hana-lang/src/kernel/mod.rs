//! The proof kernel: theorems built only by the rules, the axioms in one file, and derived rules that anyone may write.
//!
//! | file | holds |
//! |---|---|
//! | [`formula`] | formulas; what Scott induction allows |
//! | [`rules`] | the theorem type and all rules: the only trusted code, with the checker and the interpreter of the core |
//! | [`axioms`] | the axioms and their test on random instances |
//! | [`derived`] | derived rules: rewriting, laws of statements, what programs preserve, termination |

pub mod axioms;
pub mod derived;
pub mod formula;
pub mod rules;

pub use formula::Formula;
pub use rules::{Proof, Refusal, Theorem, Theory, Uses};

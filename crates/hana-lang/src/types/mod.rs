//! Types: what a name may stand for, and the checker that turns a syntax tree into a typed program with every name resolved.

pub mod builtins;
pub mod check;
pub mod ty;
pub mod typed;
mod walk;

pub use check::{check, check_expression, check_source};
pub use ty::Ty;

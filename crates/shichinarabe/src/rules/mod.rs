//! The rules and nothing else: [`SuitRules`] and [`GraphRules`] implement [`kachi_core::Game`] and define the truth
//! that every faster method is tested against.
//!
//! Order of checks (section 1 of the theory page): a player without cards has won; then a mover who can neither play
//! nor pass has lost; there are no draws.

mod graph;
mod suits;

pub use graph::{Action, GraphRules, Turn};
pub use suits::{SuitRules, SuitState};

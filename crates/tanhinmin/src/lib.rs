//! Two-player tanhinmin (単貧民, one-card Daihinmin), solved: who wins, all winning moves, and a reason that can be checked.
#![allow(missing_docs)]
pub mod bench;
pub mod claims;
pub mod contract;
pub mod entry;
pub mod notation;
pub mod picture;
pub mod position;
pub mod rules;
pub mod search;
pub mod strategy;
pub mod theory;
pub mod why;
pub use entry::ENTRY;
pub use position::{Face, Position, Side, Table, faces};
pub use rules::{Move, Outcome, Tanhinmin};

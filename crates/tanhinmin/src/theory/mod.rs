//! Closed forms in linear time. Everything rests on one number, the size of a largest *matching*: how many
//! cards of one hand can be beaten by distinct stronger cards of another.
//!
//! | room | holds |
//! |---|---|
//! | [`matching`] | the matching number, its pairs and the bound that proves it maximal |
//! | [`decide`](mod@decide) | who wins: Theorem 1 (goals), Theorem 3 (cut cards), Rule 4 (both) |
//! | [`moves`] | all winning moves: Theorem 2, and the structure of winning moves with cut cards |
//! | [`frontier`](mod@frontier) | the handicap frontier |
//! | [`packed`] | a 13 x 4 deck in two machine words |
//! | [`block`] | 64 positions at once on byte lanes |
//! | [`large`] | hands of a hundred million cards at memory speed |

pub mod block;
pub mod decide;
pub mod frontier;
pub mod large;
pub mod matching;
pub mod moves;
pub mod packed;

pub use decide::{Decision, Player, Rule, decide, mover_wins};
pub use frontier::frontier;
pub use moves::{MoveMargins, winning_moves};

//! Calculation, the solitaire of Tanaka's paper, and the stack game behind it.
//!
//! | room | holds |
//! |---|---|
//! | [`position`] | foundations, stacks, what is unseen |
//! | [`notation`] | one line of text per position |
//! | [`rules`] | draws, placements, free moves, the end; reduced games |
//! | [`turn`] | all ways to finish a turn |
//! | [`deal`] | seeded deals |
//! | [`theory`] | the stack game: labelled posets, the two-chain form, exact chances |
//! | [`table`] | all two-chain states: the build, the play file |
//! | [`memo`] | states outside the table, on demand |
//! | [`dead`] | positions that cannot be won any more |
//! | [`plan`] | assignment plans and their value |
//! | [`players`] | who plays, and how well |
//! | [`net`] | the value net |
//! | [`clairvoyant`] | the deck known |
//! | [`search`] | the reduced game and endgames, exactly |
//! | [`strategy`] | which move to play |
//! | [`mod@why`] | the factors of a chance, and their checker |
//! | [`picture`] | boards as text and SVG |
//! | [`claims`] | the paper's tables, checked |
//! | [`contract`] | requests and replies |
//! | [`entry`] | the game as surfaces see it |
//! | [`mod@bench`] | the fixed workloads |

pub mod bench;
pub mod claims;
pub mod clairvoyant;
pub mod contract;
pub mod dead;
pub mod deal;
pub mod entry;
pub mod memo;
pub mod net;
pub mod notation;
pub mod picture;
pub mod plan;
pub mod players;
pub mod position;
pub mod rules;
pub mod search;
pub mod strategy;
pub mod table;
pub mod theory;
pub mod turn;
pub mod why;

pub use entry::ENTRY;

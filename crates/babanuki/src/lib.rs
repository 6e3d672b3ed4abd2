//! Open-hand babanuki (ババ抜き, Old Maid with all cards face up): who can force leaving first, who can force not
//! being last, who is safe only because the joker may go round for ever.
//!
//! Two and three players are decided in closed form at any size; four and more by tables solved backwards.
//!
//! ```
//! use babanuki::{notation, strategy::judge};
//! use kachi_core::Budget;
//!
//! // Three hands: A = {1, 2}, B = {1}, C = {2, J}; A moves and draws from C.
//! let position = notation::read("1,2/1/2,J@0")?;
//! let judged = judge(&position, &mut Budget::default())?;
//! assert_eq!(judged.seats(|sure| sure.strict == 1), [0], "A can force leaving first");
//! assert_eq!(position.names(&judged.recommended()), ["2"]);
//! # Ok::<(), kachi_core::Error>(())
//! ```
//!
//! | room | holds |
//! |---|---|
//! | [`position`] | hands, labels, the joker; a raw setup becomes a legal position or a fault |
//! | [`notation`] | one line of text per position; named deals |
//! | [`rules`] | draws, pairs, leaving, the setup of a deal |
//! | [`shape`] | positions up to names: how many labels each class of holders shares |
//! | [`theory`] | two and three seats in closed form |
//! | [`search`] | tables for more seats, rational outcomes, chances of blind play |
//! | [`strategy`] | guarantees of all seats, the value of every draw, the rule that finishes |
//! | [`mod@line`] | a main line to the end |
//! | [`why`] | the reason, its checker, its words |
//! | [`report`], [`picture`] | the analysis for people |
//! | [`claims`] | the published statements, as printed and corrected |
//! | [`contract`] | requests and replies |
//! | [`entry`] | the game as surfaces see it |
//! | [`mod@bench`] | the fixed workloads |

pub mod bench;
pub mod claims;
pub mod contract;
pub mod entry;
pub mod line;
pub mod notation;
pub mod picture;
pub mod position;
pub mod report;
pub mod rules;
pub mod search;
pub mod shape;
pub mod strategy;
pub mod theory;
pub mod why;

pub use entry::{Babanuki, ENTRY};
pub use position::{Card, Mode, Position, Setup, Table, View};

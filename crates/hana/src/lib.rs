//! Hana 花, the three-player hanafuda game of Igarashi's paper: a game a family can play and an analyst can trust.
//!
//! Forty-eight flower cards, twelve months of four. Three players throw and draw, take cards of the same month, and share 264 = 3 x 88
//! points. One month is a machine that asks for decisions; deck, order and decisions determine it. With open cards the engine solves whole
//! deals exactly, as guarantees of one seat against both others.
//!
//! ```
//! use hana::search::{open::Open, points, sets};
//!
//! // Two rounds left, all cards open; the first hand is to move.
//! let open: Open = "4a,10b/5c,9b/6d,7b@3d,4b,5a,6b,9d,11a:3b,11d,4d,7d,4c,10d".parse()?;
//! let mut budget = kachi_core::Budget::default();
//! assert_eq!(points::guaranteed(&open, 0, &mut budget)?, 21);
//! assert_eq!(points::guaranteed(&open, 1, &mut budget)?, 40);
//! let safe = sets::maximal(&open, 2, &mut budget)?;
//! assert_eq!(safe[0].to_string(), "6d,7b", "biki can make sure of both his cards");
//! # Ok::<(), kachi_core::Error>(())
//! ```
//!
//! | room | holds |
//! |---|---|
//! | [`card`] | the cards and sets of them |
//! | [`yaku`] | teyaku and dekiyaku as data |
//! | [`house`] | presets, options, house rules in TOML |
//! | [`field`] | the multiplier, what is carried, redeals |
//! | [`settle`] | the settlement in both forms |
//! | [`month`] | one month as a machine that asks |
//! | [`season`] | twelve months, purses, the score sheet; its notation |
//! | [`replay`] | months on file, stepped forward and back |
//! | [`theory`] | the month view; which cards are certain |
//! | [`search`] | exact solvers for open positions |
//! | [`mod@why`] | refuting lines and their checker |
//! | [`players`] | random, greedy, hold, and the good one |
//! | [`picture`] | the forty-eight cards, boards |
//! | [`claims`] | the paper's statements, checked or refuted |
//! | [`contract`] | requests and replies |
//! | [`entry`] | the game as surfaces see it |
//! | [`mod@bench`] | the fixed workloads |
//!
//! Rules, theorems, errata: `docs/theory/hana.md`.

pub mod bench;
pub mod card;
pub mod claims;
pub mod contract;
pub mod entry;
pub mod field;
pub mod house;
pub mod month;
pub mod picture;
pub mod players;
pub mod replay;
pub mod search;
pub mod season;
pub mod settle;
pub mod theory;
pub mod why;
pub mod yaku;

pub use card::{Card, Cards};
pub use entry::{ENTRY, Hana};
pub use house::{House, Preset};

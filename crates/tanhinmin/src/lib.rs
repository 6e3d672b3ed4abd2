//! Two-player tanhinmin (単貧民, "one-card Daihinmin"), solved: who wins, all winning moves, and a reason that can be checked.
//!
//! Both hands are open. In his turn a player discards one card stronger than the card on the table, or passes, which empties the
//! table. Who first gets rid of his cards (or comes down to his goal) wins. A *cut card* beats the table like any card, but nothing beats it.
//!
//! ```
//! use tanhinmin::{Position, theory::{Player, decide, winning_moves}, why};
//!
//! // The mover holds 2 6 7, the other player 3 4 5 8, and a 1 lies on the table.
//! let position: Position = "2,6,7/3,4,5,8@1".parse()?;
//! let mut budget = kachi_core::Budget::default();
//!
//! let decision = decide(&position, &mut budget)?;
//! assert_eq!(decision.winner, Player::Mover);
//! assert_eq!(decision.mu, [3, 1], "the mover can beat 3 cards, the other player 1");
//! assert_eq!(winning_moves(&position, &mut budget)?.len(), 4, "2, 6, 7 and pass");
//!
//! // The reason is data, and a checker that knows no theory accepts it.
//! let reason = why::why(&position, &mut budget)?;
//! assert_eq!(why::check(&position, &reason), Ok(Player::Mover));
//! # Ok::<(), kachi_core::Error>(())
//! ```
//!
//! | room | holds |
//! |---|---|
//! | [`position`] | faces, sides, tables; a raw setup becomes a position or an error |
//! | [`notation`] | one line of text per position |
//! | [`rules`] | legal moves, play, ending |
//! | [`theory`] | closed forms in linear time, and the forms that decide a billion positions a second |
//! | [`search`] | exact search that knows no theory |
//! | [`strategy`] | which move to play, also with a hidden opponent |
//! | [`mod@why`] | the reason, its checker, its words |
//! | [`picture`] | text and SVG |
//! | [`claims`] | the papers' statements, checked or refuted |
//! | [`contract`] | requests and replies |
//! | [`entry`] | the game as surfaces see it |
//! | `bench` | the fixed workloads (feature `bench`) |
//!
//! The theory, its proofs and errata: `docs/theory/tanhinmin.md`.

#[cfg(feature = "bench")]
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

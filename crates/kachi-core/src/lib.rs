//! The vocabulary of kachi (勝ち, "the win"): what a game is, what it means to win it, how a
//! position is analysed, why the answer is right, and which published statements it rests on.
//!
//! ```text
//! notation -> position -> analysis -> surface
//! ```
//!
//! Nothing flows back: games know no surface, surfaces know no particular game. Both meet here.
//!
//! | module | holds |
//! |---|---|
//! | [`game`] | [`Game`]: the rules of a game and nothing else |
//! | [`solve`] | the slow, obviously right solvers that need only a [`Game`] |
//! | [`analysis`] | [`Analysis`]: the value, every move with its value, the best move, the reason |
//! | [`why`] | [`Why`]: a reason that is checked without the solver |
//! | [`claim`] | [`Claim`]: a published statement, its domain, and how to refute it |
//! | [`question`] | [`Question`]: what is open, and what would settle it |
//! | [`notation`] | reading one-line positions with errors that point at the place |
//! | [`request`] | reading JSON requests with errors that name the field |
//! | [`budget`] | limits on size, work, memory and time |
//! | [`surface`] | [`Entry`](surface::Entry) and [`Board`](surface::Board): a game as a surface sees it |
//! | [`scene`] | [`Scene`](scene::Scene): the table as it lies before a viewer |
//! | [`random`] | deals by a named generator and seed |
//! | [`svg`] | pictures |
//! | [`error`] | [`Error`]: a code, a message, a place, a right example |
//!
//! The crate does no I/O, starts no threads and reads no clock, so it compiles for `wasm32`.

pub mod analysis;
pub mod budget;
pub mod claim;
pub mod error;
pub mod game;
pub mod notation;
pub mod question;
pub mod random;
pub mod request;
pub mod scene;
pub mod solve;
pub mod surface;
pub mod svg;
pub mod why;

pub use analysis::{Analysis, Judged};
pub use budget::{Budget, Limits};
pub use claim::{Claim, Counterexample, Expected, Findings, Statement};
pub use error::{Error, Place};
pub use game::{Game, Seat};
pub use question::Question;
pub use why::{Flaw, Why};

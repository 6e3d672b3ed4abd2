//! Boards as text and as SVG. The cards are the project's own: suits do not matter in this game, so a card shows its rank, its pips in the usual
//! places, and a crown, a tiara or a cap for the court.
//!
//! | module | holds |
//! |---|---|
//! | [`text`] | the table as text |
//! | [`card`] | one playing card |
//! | [`board`] | the whole table as SVG, with the chances of the placements |
//! | [`scene`] | the table for surfaces that draw and let people click |

pub mod board;
pub mod card;
pub mod scene;
pub mod text;

pub use board::{Remarks, svg};
pub use text::drawing;

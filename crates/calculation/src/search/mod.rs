//! Exact search: [`reduced`] solves small games completely, the yardstick of every player; [`endgame`] plays the last draws of the full game.

pub mod endgame;
pub mod reduced;

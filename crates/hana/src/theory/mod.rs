//! What is true without search. Whether and what a card takes depends only on the cards of its own month, so a statement about one month that
//! holds for every way in which its four cards can appear holds for the whole deck.
//!
//! | room | holds |
//! |---|---|
//! | [`projection`] | one month alone: schedules, places, Windows |
//! | [`sure`] | which cards of a hand are certain, and by which theorem |

pub mod projection;
pub mod sure;

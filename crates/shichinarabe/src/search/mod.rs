//! Exact search where theory ends, always under a budget.
//!
//! | room | decides |
//! |---|---|
//! | [`arena`] | the graph as sets of bits |
//! | [`integers`] | any graph without jokers and deletions, by integer values |
//! | [`components`] | the same for graphs of many cards, component by component |
//! | [`turns`] | everything else: rights, passes, deletions, variants |
//! | [`pieces`] | jokers on suits and paths |
//! | [`grove`] | one joker on rooted forests |
//! | [`tunnel`] | the real deck with the tunnel rule |

pub mod arena;
pub mod components;
pub mod grove;
pub mod integers;
pub mod pieces;
pub mod tunnel;
pub mod turns;

//! Exact search on open positions, always one seat against both others together: the only sound reading of "exact" for three
//! players. The guarantees of the three seats add up to less than there is to take.
//!
//! | room | answers |
//! |---|---|
//! | [`open`] | the position: three hands, the table, the YAMA in order |
//! | [`points`] | the card points that a seat can guarantee |
//! | [`sets`] | which of its cards a seat can guarantee together |
//! | [`expected`] | the guaranteed expectation when nobody knows the order of the YAMA |
//! | [`money`] | the money that a seat can guarantee, with dekiyaku, stops and void rounds |

pub mod expected;
pub mod money;
pub mod open;
pub mod points;
pub mod sets;

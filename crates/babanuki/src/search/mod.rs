//! Four and more seats: exact tables by retrograde analysis, rational outcomes, and chances when all draws are blind.
//!
//! | room | holds |
//! |---|---|
//! | [`ranking`] | numbers for count vectors, without gaps |
//! | [`layer`] | the fixpoint of one layer |
//! | [`mod@table`] | all layers of a size; tables kept in memory |
//! | [`store`] | tables as bytes and files |
//! | [`graph`] | the shapes below some roots, for questions about plays |
//! | [`rational`] | outcomes when everybody minds only the own rank |
//! | [`chance`] | chances of ending last when all draws are blind |

pub mod chance;
pub mod graph;
pub mod layer;
pub mod ranking;
pub mod rational;
pub mod store;
pub mod table;

pub use table::{Guarantee, Guarantees, bytes_needed, table};

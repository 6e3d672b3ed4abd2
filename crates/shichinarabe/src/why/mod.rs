//! Reasons as data, with checkers that never call the solver.
//!
//! | reason | says | its checker |
//! |---|---|---|
//! | [`SuitsReason`] | race, keeper, a row of the paper's table per suit, sum, price, margin | matches every row letter by letter, adds up, decides by the six cases |
//! | [`GraphReason`] | race and values per part; the schedule of a forest; a free order; or a whole strategy | recomputes local equations, walks the order or the strategy by the rules alone |

mod graph;
mod graph_check;
mod graph_words;
mod suits;

pub use graph::{ForestReason, GraphReason, Kind, Names, PartReason, Situation, Strategy, reason_of};
pub(crate) use graph_words::turn_words;
pub use suits::{SuitLine, SuitsReason};

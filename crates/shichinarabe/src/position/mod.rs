//! What a position is: [`Suits`] (strings of owners), [`Graph`] (vertices, edges, rights, passes, labels) and
//! [`Deck`] (the real 52 cards). Anything can be written into a setup; only legal positions can be built.

mod deck;
mod graph;
mod player;
mod suits;

pub use deck::{Card, Deck, DeckSuit, Rank};
pub(crate) use graph::named;
pub use graph::{Colour, Edge, Graph, GraphSetup, Label, Variant};
pub use player::Player;
pub use suits::Suits;

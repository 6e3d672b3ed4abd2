//! Pictures as text and as SVG: the seven-layout of the real deck, suits as rows, graphs drawn as trees or grids; and the
//! Graphviz form of any graph.

mod deck;
mod graph;
mod suits;

pub use deck::{deck_svg, deck_text};
pub use graph::{graph_dot, graph_svg, graph_text};
pub use suits::{suits_svg, suits_text};

//! Pictures as text and as SVG: the seven-layout of the real deck, suits as rows, graphs drawn as trees or grids; and the
//! Graphviz form of any graph. Scenes are the same tables for surfaces that draw and let people click.

mod deck;
mod graph;
mod scene;
mod suits;

pub use deck::{deck_svg, deck_text};
pub use graph::{graph_dot, graph_svg, graph_text};
pub use scene::{deck_scene, graph_scene, suits_scene};
pub use suits::{suits_svg, suits_text};

//! Shichinarabe (七並べ, "sevens"), two players, perfect information: who wins, which moves win, and why.
//!
//! In the card game the sevens lie on the table and every suit grows outwards from its seven; a turn plays one own card next
//! to the table. Whoever holds no card has won, whoever cannot play has lost. Seen from the table a position is a list of
//! *suits*, strings of owners. The *graph game* generalises it: play an own vertex next to a white one. Options are
//! all-mighty rights (jokers), passes, labels that add or delete edges, and the tunnel of the real deck.
//!
//! ```
//! use kachi_core::Budget;
//! use shichinarabe::analysis::{analyse_graph, analyse_suits};
//! use shichinarabe::notation::{read_graph, read_suits};
//!
//! // Two suits L R L R: equal hands, L to move wins the race, and keeping L locked in costs R one move too many.
//! let answer = analyse_suits(&read_suits("LRLR,LRLR:L").unwrap());
//! assert_eq!(answer.winner.letter(), 'L');
//!
//! // A tree with one joker for red: no immediate use wins, playing vertex 1 first does.
//! let graph = read_graph("R,BR.BBBR:R:j1-0").unwrap();
//! let answer = analyse_graph(&graph, &mut Budget::default()).unwrap();
//! assert_eq!((answer.winner.colour(), answer.winning.len()), ('R', 1));
//! ```
//!
//! | room | holds |
//! |---|---|
//! | [`position`] | players, suits, graphs, the real deck; setups become positions or errors |
//! | [`notation`] | one line of text per position |
//! | [`rules`] | the rules, for the slow solver that defines the truth |
//! | [`theory`] | race, values and prices: suits, the paper's table, rooted forests, open paths |
//! | [`search`] | integer values, turns, jokers, tunnel: exact, under a budget |
//! | [`analysis`] | the dispatcher: strongest method first, and what the answer rests on |
//! | [`strategy`] | which move to play |
//! | [`why`] | reasons as data, their checkers, their words |
//! | [`picture`] | the seven-layout, suits, graphs as text, SVG and Graphviz |
//! | [`claims`] | published statements with their domains; errata with their counterexamples |
//! | [`contract`] | requests and replies |
//! | [`entry`] | the two games as surfaces see them |
//! | [`mod@bench`] | fixed workloads |
//!
//! The theory is told in `docs/theory/shichinarabe.md`; the machine-checked part is in `proofs/shichinarabe`.

pub mod analysis;
pub mod bench;
pub mod claims;
pub mod contract;
pub mod entry;
pub mod notation;
pub mod picture;
pub mod position;
pub mod rules;
pub mod search;
pub mod strategy;
pub mod theory;
pub mod why;

pub use entry::{ENTRY, GRAPH_ENTRY, GraphShichinarabe, Shichinarabe};

//! kachi (勝ち, "the win") answers one question about a card-game position, exactly where theory allows it: who wins,
//! which moves win, and why. This crate is the library to link: the games, the one list of them, and what every
//! surface (terminal, page, HTTP, Python) has in common.
//!
//! ```
//! let reply = kachi::contract::answer(r#"{"id": 7, "game": "nosuchgame"}"#);
//! assert!(reply.starts_with(r#"{"id":7,"error":{"code":"unknown_game""#));
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`core`] | the vocabulary: games, analyses, reasons, claims, errors, budgets |
//! | [`registry`] | the list of games, the only place that names them |
//! | [`contract`] | one request in, one reply out |
//! | [`batch`] | a stream of requests, answered in parallel and in order |
//! | [`verify`] | the published statements, checked over all small positions |
//! | [`schema`] | the JSON Schema of every request and reply |
//! | [`mod@bench`] | the fixed workloads and their signature |
//! | [`data`] | where solved tables are kept between runs |
//!
//! Every function takes a [`Registry`](registry::Registry), so that a program can bring games of its own.

pub mod batch;
pub mod bench;
pub mod contract;
pub mod data;
pub mod registry;
pub mod schema;
pub mod verify;

pub use babanuki;
pub use calculation;
pub use hana;
pub use hana_lang;
pub use kachi_core as core;
pub use shichinarabe;
pub use tanhinmin;

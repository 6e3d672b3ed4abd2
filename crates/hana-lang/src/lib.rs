//! HL: the rule of hana as a program of a typed calculus. Written in a readable Algol-like language, elaborated to a small core with
//! fixed points, executed two ways, checked exhaustively on reduced decks, and reasoned about in a small proof kernel.
//!
//! | room | holds |
//! |---|---|
//! | [`syntax`] | lexer, parser with recovery, syntax tree, formatter |
//! | [`types`] | the type checker; the typed, resolved program |
//! | [`elaborate`] | from the typed program to a core term |
//! | [`core`] | types and terms of the calculus, its own checker, the reference interpreter |
//! | [`compiled`] | the fast evaluator |
//! | [`host`] | oracles answered by the players of crate `hana` |
//! | [`reach`] | all oracle answers on reduced decks |
//! | [`differential`] | the program against the native engine |
//! | [`kernel`] | theorems, built only by the rules |
//! | [`proof_file`] | proofs on file |
//! | [`programs`] | the programs shipped |
//! | [`claims`] | what is proved, computed, tested |
//! | [`diagnose`] | errors as a person reads them |
//! | [`mod@bench`] | the fixed workloads |

pub mod bench;
pub mod claims;
pub mod compiled;
pub mod core;
pub mod diagnose;
pub mod differential;
pub mod elaborate;
pub mod host;
pub mod kernel;
pub mod programs;
pub mod proof_file;
pub mod reach;
pub mod syntax;
pub mod types;

//! One file a command.

pub(crate) mod batch;
pub(crate) mod bench;
pub(crate) mod completions;
pub(crate) mod explain;
pub(crate) mod games;
pub(crate) mod hana;
pub(crate) mod lab;
pub(crate) mod moves;
pub(crate) mod play;
pub(crate) mod query;
pub(crate) mod schema;
pub(crate) mod serve;
pub(crate) mod solve;
pub(crate) mod table;
pub(crate) mod verify;

use crate::cli::Command;
use crate::failure::{Exit, Failure};
use crate::scene::Scene;
use crate::text::thousands;
use std::num::NonZeroUsize;

/// A number of threads that a machine can start: many more would leave it no memory for anything else.
pub(crate) fn threads(word: &str) -> Result<NonZeroUsize, String> {
    const MOST: usize = 1024;
    let refused = || format!("a number of threads is from 1 to {}", thousands(MOST as u64));
    word.parse().ok().filter(|threads: &NonZeroUsize| threads.get() <= MOST).ok_or_else(refused)
}

/// Does what the command line asks for.
pub(crate) fn run(command: Command, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    match command {
        Command::Games(args) => games::run(&args, scene),
        Command::Solve(args) => solve::run(&args, scene),
        Command::Moves(args) => moves::run(&args, scene),
        Command::Explain(args) => explain::run(&args, scene),
        Command::Play(args) => play::run(&args, scene),
        Command::Verify(args) => verify::run(&args, scene),
        Command::Table(args) => table::run(&args, scene),
        Command::Lab(args) => lab::run(&args, scene),
        Command::Hana(args) => hana::run(&args, scene),
        Command::Batch(args) => batch::run(&args, scene),
        Command::Query(args) => query::run(&args, scene),
        Command::Bench(args) => bench::run(&args, scene),
        Command::Schema(args) => schema::run(&args, scene),
        Command::Serve(args) => serve::run(&args, scene),
        Command::Completions(args) => completions::run(&args, scene),
    }
}

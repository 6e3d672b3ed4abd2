//! `kachi batch`: JSON lines in, JSON lines out.

use crate::draft::Draft;
use crate::failure::{Exit, Failure};
use crate::positions::CostArgs;
use crate::scene::Scene;
use crate::text::{count, measured, thousands};
use clap::Args;
use kachi::batch::{Batch, Tally};
use kachi::contract::Contract;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  echo '{\"id\":1,\"game\":\"tanhinmin\",\"hands\":[[1,3],[2]],\"table\":0}' | kachi batch
  kachi batch --in requests.jsonl --out replies.jsonl
  my-program | kachi batch --flush | my-program

One reply a line, in the order of the requests. A bad line gets an error reply \
and the stream goes on; an empty line is skipped. `kachi schema` describes requests and replies.";

/// Answer JSON requests, one a line, in parallel and in order
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BatchArgs {
    /// Read requests from this file instead of standard input
    #[arg(long = "in", value_name = "FILE")]
    from: Option<PathBuf>,

    /// Write replies to this file instead of standard output; it appears when it is complete
    #[arg(long = "out", value_name = "FILE")]
    to: Option<PathBuf>,

    /// Answer each line before the next one is read; the default when requests are typed
    #[arg(long)]
    flush: bool,

    /// Threads; the machine's cores by default
    #[arg(long, value_name = "N", value_parser = crate::commands::threads)]
    threads: Option<NonZeroUsize>,

    #[command(flatten)]
    cost: CostArgs,
}

pub(crate) fn run(args: &BatchArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let contract = Contract::new(scene.registry, args.cost.allowance());
    let typed = args.from.is_none() && scene.stage.typed;
    let usual = Batch::default();
    let batch = Batch { threads: args.threads.unwrap_or(usual.threads), flush: args.flush || typed };
    let mut file;
    let input: &mut (dyn Read + Send) = match &args.from {
        Some(path) => {
            file = File::open(path).map_err(|error| Failure::file("cannot_read", path, &error))?;
            &mut file
        }
        None => &mut scene.stage.input,
    };
    let began = Instant::now();
    let tally = match &args.to {
        Some(path) => {
            let mut draft = Draft::create(path)?;
            let tally = batch.run(&contract, input, draft.file())?;
            draft.finish_quickly()?;
            tally
        }
        None => batch.run(&contract, input, &mut *scene.stage.output)?,
    };
    // Said only to a person, and only when the replies went elsewhere.
    if args.to.is_some() && io::stderr().is_terminal() && !scene.json {
        summary(tally, began.elapsed().as_secs_f64(), scene)?;
    }
    Ok(Exit::Answered)
}

fn summary(tally: Tally, seconds: f64, scene: &mut Scene<'_>) -> Result<(), Failure> {
    let Tally { replies, errors } = tally;
    let rate = measured(replies as f64 / seconds.max(1e-9));
    let errors = if errors > 0 { format!(", {} of them errors", thousands(errors)) } else { String::new() };
    let replies = if replies == 1 { "1 reply".to_owned() } else { count(replies, "replie") };
    writeln!(scene.stage.errors, "{replies}{errors} in {seconds:.2} s ({rate} a second)")?;
    Ok(())
}

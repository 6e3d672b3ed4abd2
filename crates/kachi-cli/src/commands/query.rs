//! `kachi query`: one request of the contract.

use crate::failure::{Exit, Failure};
use crate::positions::CostArgs;
use crate::pretty::pretty;
use crate::scene::Scene;
use clap::Args;
use kachi::contract::Contract;
use std::io::Read;

const EXAMPLES: &str = "\
Examples:
  kachi query '{\"game\":\"tanhinmin\",\"hands\":[[1,3],[2]],\"table\":0}'
  kachi query '{\"game\":\"tanhinmin\",\"query\":\"frontier\",\"position\":\"2,6,7/3,4,5,8\"}'
  kachi query - < request.json

The reply is laid out for reading on a terminal, and is one line otherwise or with --json.";

/// Answer one JSON request
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct QueryArgs {
    /// The request; `-` reads it from standard input
    #[arg(value_name = "JSON")]
    request: String,

    #[command(flatten)]
    cost: CostArgs,
}

pub(crate) fn run(args: &QueryArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let contract = Contract::new(scene.registry, args.cost.allowance());
    let mut request = Vec::new();
    if args.request == "-" {
        // One byte more than allowed is enough for the contract to refuse it.
        let most = contract.allowance().line as u64 + 1;
        (&mut *scene.stage.input).take(most).read_to_end(&mut request)?;
    } else {
        request.extend_from_slice(args.request.as_bytes());
    }
    let mut reply = Vec::new();
    let answered = contract.answer(request.trim_ascii(), &mut reply);
    if scene.stage.read && !scene.json {
        let text = pretty(&String::from_utf8_lossy(&reply));
        scene.stage.output.write_all(text.as_bytes())?;
    } else {
        reply.push(b'\n');
        scene.stage.output.write_all(&reply)?;
    }
    Ok(if answered { Exit::Answered } else { Exit::Wrong })
}

//! `kachi hana`: the rule of hana as a program of the language HL: checked, elaborated, run, explored, compared and proved about.

mod check;
mod diff;
mod elaborate;
mod eval;
mod fmt;
mod programs;
mod prove;
mod reach;
mod run;
mod source;

use crate::failure::{Exit, Failure};
use crate::scene::Scene;
use clap::{Args, Subcommand};

const EXAMPLES: &str = "\
Examples:
  kachi hana programs               the programs that come with kachi
  kachi hana check paper            the types of the paper's program
  kachi hana run paper --seed 7     twelve months of it, everybody playing by chance
  kachi hana eval \"sum a in {a : Flower | true} of Point(a)\"

PROGRAM is a file, the name of a program that comes with kachi, or - for standard input.
The language: docs/hl.md.";

/// The rule of hana as a program: check it, run it, explore it, prove things about it
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, subcommand_value_name = "COMMAND")]
pub(crate) struct HanaArgs {
    #[command(subcommand)]
    command: HanaCommand,
}

/// What to do with a program.
#[derive(Debug, Subcommand)]
enum HanaCommand {
    /// List the programs that come with kachi, or print one
    Programs(programs::ProgramsArgs),
    /// Check the types of a program; errors show the line, both types and a hint
    Check(check::CheckArgs),
    /// Print the core term that a program abbreviates, checked again by the core's own rules
    Elaborate(elaborate::ElaborateArgs),
    /// Run a program; its oracles are answered by players
    Run(run::RunArgs),
    /// The value of an expression
    Eval(eval::EvalArgs),
    /// Run a program on every deal and every decision of a reduced deck
    Reach(reach::ReachArgs),
    /// Compare the programs with the native engine, question by question
    Diff(diff::DiffArgs),
    /// Check a proof on file
    Prove(prove::ProveArgs),
    /// Lay a program out
    Fmt(fmt::FmtArgs),
}

pub(crate) fn run(args: &HanaArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    match &args.command {
        HanaCommand::Programs(args) => programs::run(args, scene),
        HanaCommand::Check(args) => check::run(args, scene),
        HanaCommand::Elaborate(args) => elaborate::run(args, scene),
        HanaCommand::Run(args) => run::run(args, scene),
        HanaCommand::Eval(args) => eval::run(args, scene),
        HanaCommand::Reach(args) => reach::run(args, scene),
        HanaCommand::Diff(args) => diff::run(args, scene),
        HanaCommand::Prove(args) => prove::run(args, scene),
        HanaCommand::Fmt(args) => fmt::run(args, scene),
    }
}

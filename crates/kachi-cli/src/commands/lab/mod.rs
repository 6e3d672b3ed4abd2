//! `kachi lab`: campaigns. Long work as data, run, resumed, shown, compared, drawn, exported and recorded.

mod bar;
mod calculation;
mod cluster;
mod compare;
mod export;
mod games;
mod plan;
mod record;
mod run;
mod runs;

pub(crate) use bar::Bar;
pub(crate) use record::{Further, Recorded, Sampled, recorded_verdicts};
pub(crate) use run::start;

use crate::failure::{Exit, Failure};
use crate::scene::Scene;
use clap::{Args, Subcommand};

const EXAMPLES: &str = "\
Examples:
  kachi lab run campaigns/hana-ladder.toml         do what the file says, or go on with it
  kachi lab list                                   all runs: how far, how fast
  kachi lab show hana-ladder                       what a run shows, and the hash to cite it by
  kachi lab calculation --stacks 3 --player plans --games 10000

Runs live in the folder `lab` of the data folder (KACHI_DATA, otherwise ~/.local/share/kachi). A run that was \
interrupted or killed goes on with `kachi lab resume`; the results are the same bytes for any number of threads.";

/// Campaigns: claims, games and tables that take long; resumed, compared and cited
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LabArgs {
    #[command(subcommand)]
    command: LabCommand,
}

#[derive(Debug, Subcommand)]
enum LabCommand {
    /// Run a campaign, or go on with it
    Run(run::RunArgs),
    /// Predict the time, memory, disk and network of a campaign on a cluster
    Plan(plan::PlanArgs),
    /// Go on with a run that was interrupted, from what its folder says
    Resume(run::ResumeArgs),
    /// List the runs: how far they are
    List(runs::ListArgs),
    /// What a run shows, and the hash to cite it by
    Show(runs::ShowArgs),
    /// Compare the players of two runs on the deals that both have played
    Compare(compare::CompareArgs),
    /// Draw the players of one or more runs into one picture
    Plot(export::PlotArgs),
    /// Write the results of a run as CSV or JSON lines, with its pictures
    Export(export::ExportArgs),
    /// Keep what finished runs show: numbers, intervals, seeds, hashes and pictures, for documentation
    Record(record::RecordArgs),
    /// Take over a run of the earlier layout
    Import(runs::ImportArgs),
    /// Remove runs, or the shards of finished ones
    Clean(runs::CleanArgs),
    /// Play many games of calculation: a campaign from the command line
    Calculation(calculation::CalculationArgs),
}

pub(crate) fn run(args: &LabArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    match &args.command {
        LabCommand::Run(args) => run::run(args, scene),
        LabCommand::Plan(args) => plan::run(args, scene),
        LabCommand::Resume(args) => run::resume(args, scene),
        LabCommand::List(args) => runs::list(args, scene),
        LabCommand::Show(args) => runs::show(args, scene),
        LabCommand::Compare(args) => compare::run(args, scene),
        LabCommand::Plot(args) => export::plot(args, scene),
        LabCommand::Export(args) => export::export(args, scene),
        LabCommand::Record(args) => record::record(args, scene),
        LabCommand::Import(args) => runs::import(args, scene),
        LabCommand::Clean(args) => runs::clean(args, scene),
        LabCommand::Calculation(args) => calculation::run(args, scene),
    }
}

//! `kachi lab plan`: what a campaign would take on a cluster that need not exist.

use super::run::read;
use crate::failure::{Exit, Failure};
use crate::scene::Scene;
use crate::text::{Cell, Table, count, thousands};
use clap::Args;
use kachi_lab::campaign::{Ground, What};
use kachi_lab::cluster::plan::{Imagined, Prediction, of_shards, of_states};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Predict the time, memory, disk and network of a campaign on a cluster
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  kachi lab plan campaigns/table-3.toml --hosts 4 --workers 16
  kachi lab plan three-chains.toml --hosts 100 --json

with three-chains.toml:

  [counts]
  game = \"calculation\"
  stacks = 3
  chains = 3
  ranks = 7

A prediction, not a promise: it rests on constants measured on one machine (docs/sizing.md), and where counts of states are not \
known, on their growth. Games are sampled here for a few seconds, some of every player.")]
pub(super) struct PlanArgs {
    /// The campaign, in TOML
    #[arg(value_name = "C.toml")]
    file: PathBuf,

    /// Hosts, each with one process
    #[arg(long, value_name = "N", default_value = "1")]
    hosts: NonZeroUsize,

    /// Workers of each process: its cores
    #[arg(long, value_name = "W", default_value = "1")]
    workers: NonZeroUsize,

    /// Seconds for which games are played to see how long they take; longer if no game is finished by then
    #[arg(long, value_name = "S", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    sample: u64,
}

pub(super) fn run(args: &PlanArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let (campaign, text) = read(&args.file)?;
    let cluster = Imagined { hosts: args.hosts.get(), workers: args.workers.get() };
    let predicted = match &campaign.what {
        What::Table(part) => of_states((part.stacks as usize, 2, part.ranks as usize), true, cluster)?,
        What::Counts(part) => {
            let chains = part.chains.unwrap_or(2) as usize;
            of_states((part.stacks as usize, chains, part.ranks as usize), false, cluster)?
        }
        _ => {
            let tables = kachi_lab::table::Folder::usual();
            let ground = Ground { games: scene.registry, tables: tables.as_ref(), threads: None };
            let study = campaign.open(ground).map_err(|error| campaign.locate(&text, error))?;
            of_shards(&campaign.name(), &*study, Duration::from_secs(args.sample), cluster)?
        }
    };
    show(&predicted, scene)?;
    Ok(Exit::Answered)
}

fn show(predicted: &Prediction, scene: &mut Scene<'_>) -> Result<(), Failure> {
    if scene.json {
        return scene.json_line(predicted);
    }
    let strong = scene.paint.strong;
    let Prediction { work, hosts, workers, units, unit, seconds, memory, disk, network, assumptions, .. } =
        predicted;
    writeln!(scene.stage.output, "{strong}Prediction{strong:#}, nothing was run: {work}")?;
    let mut table = Table::new(2, scene.width);
    let mut row = |name: &str, value: String| table.row(vec![Cell::new(name), Cell::new(value)]);
    row("cluster", format!("{} of {}", count(*hosts as u64, "host"), count(*workers as u64, "worker")));
    // What is counted is a whole number; what is guessed is none.
    let known = units.fract() == 0.0 && *units < 1e15;
    row(
        "work",
        if known {
            format!("{} {unit}", thousands(*units as u64))
        } else {
            format!("about {units:.2e} {unit}")
        },
    );
    row("time", spoken(*seconds));
    if *memory > 0.0 {
        row("memory", format!("{} a host", bytes(*memory)));
    }
    row("disk", format!("{} a host", bytes(*disk)));
    row(
        "network",
        format!("{} sent by each host, {} a second", bytes(*network), bytes(*network / seconds.max(1.0))),
    );
    for assumption in assumptions {
        row("assumed", assumption.clone());
    }
    table.write(scene.stage.output)?;
    Ok(())
}

/// A time, from seconds to years.
fn spoken(seconds: f64) -> String {
    let units = [(31_557_600.0, "years"), (86_400.0, "days"), (3600.0, "hours"), (60.0, "minutes")];
    let found = units.into_iter().find(|(length, _)| seconds >= 2.0 * length);
    found.map_or_else(
        || format!("{seconds:.1} seconds"),
        |(length, name)| format!("about {:.1} {name}", seconds / length),
    )
}

/// A number of bytes, in powers of a thousand.
fn bytes(count: f64) -> String {
    let units = [(1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    let found = units.into_iter().find(|(length, _)| count >= *length);
    found
        .map_or_else(|| format!("{count:.0} bytes"), |(length, name)| format!("{:.1} {name}", count / length))
}

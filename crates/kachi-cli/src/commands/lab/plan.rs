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
    #[arg(long, value_name = "N", default_value = "1", value_parser = machines)]
    hosts: NonZeroUsize,

    /// Workers of each process: its cores
    #[arg(long, value_name = "W", default_value = "1", value_parser = machines)]
    workers: NonZeroUsize,

    /// Seconds for which games are played to see how long they take; longer if no game is finished by then
    #[arg(long, value_name = "S", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    sample: u64,
}

/// A number of hosts, or of workers on one of them, that somebody might have.
fn machines(word: &str) -> Result<NonZeroUsize, String> {
    const MOST: usize = 1_000_000;
    let number = word.parse().ok().filter(|number: &NonZeroUsize| number.get() <= MOST);
    number.ok_or_else(|| format!("a number from 1 to {}", thousands(MOST as u64)))
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
        // What games take is not known, which is not nothing: JSON has null for it.
        let memory = if predicted.memory > 0.0 { predicted.memory } else { f64::NAN };
        return scene.json_line(&Prediction { memory, ..predicted.clone() });
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
        row("assumed", grouped(assumption));
    }
    table.write(scene.stage.output)?;
    Ok(())
}

/// A time, from seconds to years; beyond a thousand of them a number says no more.
fn spoken(seconds: f64) -> String {
    const YEAR: f64 = 31_557_600.0;
    if seconds >= 1000.0 * YEAR {
        return "more than 1,000 years".to_owned();
    }
    let units = [(YEAR, "years"), (86_400.0, "days"), (3600.0, "hours"), (60.0, "minutes")];
    let found = units.into_iter().find(|(length, _)| seconds >= 2.0 * length);
    found.map_or_else(
        || format!("{seconds:.1} seconds"),
        |(length, name)| format!("about {:.1} {name}", seconds / length),
    )
}

/// A number of bytes, in powers of a thousand; beyond a thousand of the largest a number says no more.
fn bytes(count: f64) -> String {
    let units = [(1e18, "EB"), (1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    if count >= 1000.0 * units[0].0 {
        return format!("more than 1,000 {}", units[0].1);
    }
    let found = units.into_iter().find(|(length, _)| count >= *length);
    found
        .map_or_else(|| format!("{count:.0} bytes"), |(length, name)| format!("{:.1} {name}", count / length))
}

/// A sentence with the thousands of its whole numbers apart.
fn grouped(sentence: &str) -> String {
    let mut shown = String::with_capacity(sentence.len() + 8);
    let mut rest = sentence;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c: char| !c.is_ascii_digit()).unwrap_or(from.len());
        let (digits, after) = from.split_at(end);
        shown.push_str(before);
        // What stands after a point is a fraction; a zero in front is part of a name.
        let whole = !shown.ends_with('.') && !digits.starts_with('0');
        match digits.parse() {
            Ok(number) if whole => shown.push_str(&thousands(number)),
            _ => shown.push_str(digits),
        }
        rest = after;
    }
    shown + rest
}

#[cfg(test)]
mod tests {
    use super::{bytes, grouped, spoken};

    #[test]
    fn numbers_that_nobody_can_imagine_are_not_told() {
        let shown = [0.25, 90.0, 7200.0, 4e7, 3e10, 3.2e10, f64::INFINITY].map(spoken);
        let years = "more than 1,000 years";
        assert_eq!(
            shown,
            [
                "0.2 seconds",
                "90.0 seconds",
                "about 2.0 hours",
                "about 463.0 days",
                "about 950.6 years",
                years,
                years
            ]
        );
        let shown = [0.0, 1.5e3, 4e15, 9.99e20, 1e21, f64::INFINITY].map(bytes);
        let most = "more than 1,000 EB";
        assert_eq!(shown, ["0 bytes", "1.5 kB", "4.0 PB", "999.0 EB", most, most]);
    }

    #[test]
    fn thousands_stand_apart_in_sentences() {
        assert_eq!(grouped("finds 1400000 states, 1665 of 24"), "finds 1,400,000 states, 1,665 of 24");
        assert_eq!(
            grouped("0.00012 games a second for 12345.67890 s"),
            "0.00012 games a second for 12,345.67890 s"
        );
        assert_eq!(grouped("99999999999999999999999 単"), "99999999999999999999999 単");
    }
}

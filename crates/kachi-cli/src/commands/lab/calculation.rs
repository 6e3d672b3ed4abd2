//! `kachi lab calculation`: a campaign of calculation from the command line.

use super::games;
use super::run::{start, warn_of_tables};
use super::runs::data_folder;
use crate::failure::{Exit, Failure};
use crate::scene::Scene;
use crate::text::{short, thousands};
use clap::Args;
use kachi_lab::campaign::file::{Comparison, Simulation};
use kachi_lab::campaign::{Campaign, Ground, Outcome, What};
use kachi_lab::simulate::{self, Shown, Summary, Timing};
use kachi_lab::work::Threads;
use serde::Serialize;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  kachi lab calculation --stacks 3 --player plans --games 10000 --seed 1
  kachi lab calculation --stacks 4 --player paper --games 500 --out paper4
  kachi lab calculation --player plans --against paper --games 1000

The same as a campaign with a section [simulation], or [comparison] with --against. The same command goes on \
with a run that was interrupted, and one with more games goes on from the fewer.";

/// Play many games of calculation
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct CalculationArgs {
    /// Waste stacks
    #[arg(long, value_name = "S", default_value_t = 3)]
    stacks: usize,

    /// Who plays
    #[arg(long, value_name = "PLAYER", default_value = "plans")]
    player: String,

    /// Another player on the same deals, compared deal by deal
    #[arg(long, value_name = "PLAYER")]
    against: Option<String>,

    /// How many games
    #[arg(long, value_name = "N", default_value = "1000")]
    games: Count,

    /// The seed of the first deal; the others follow it
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Where to keep the games; left out: a folder of its own in the data folder (KACHI_DATA)
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Threads; the machine's cores by default
    #[arg(long, value_name = "N", value_parser = crate::commands::threads)]
    threads: Option<NonZeroUsize>,
}

/// A number of games that can be counted.
#[derive(Debug, Clone, Copy)]
struct Count(u64);

impl std::str::FromStr for Count {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        const MOST: u64 = 100_000_000;
        match word.replace([',', '_'], "").parse() {
            Ok(games @ 1..=MOST) => Ok(Count(games)),
            _ => Err(format!("a number from 1 to {}", thousands(MOST))),
        }
    }
}

#[derive(Serialize)]
struct Told<'t> {
    folder: &'t Path,
    complete: bool,
    hash: &'t str,
    summary: &'t Summary,
    timing: Option<&'t Timing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<Against<'t>>,
}

#[derive(Serialize)]
struct Against<'t> {
    summary: &'t Summary,
    timing: Option<&'t Timing>,
    comparison: &'t simulate::Comparison,
}

impl CalculationArgs {
    fn campaign(&self) -> Campaign {
        let (stacks, games, first_seed) = (Some(self.stacks), self.games.0, self.seed);
        let game = "calculation".to_owned();
        let (others, house) = (None, None);
        let what = match &self.against {
            None => What::Simulation(Simulation {
                game,
                player: self.player.clone(),
                games,
                first_seed,
                stacks,
                others,
                house,
            }),
            Some(against) => What::Comparison(Comparison {
                game,
                players: vec![self.player.clone(), against.clone()],
                games,
                first_seed,
                stacks,
                others,
                house,
            }),
        };
        Campaign { title: String::new(), what }
    }
}

pub(super) fn run(args: &CalculationArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let campaign = args.campaign();
    let study = campaign.open(Ground { games: scene.registry, tables: None, threads: args.threads })?;
    warn_of_tables(&campaign, scene)?;
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => {
            let seed = if args.seed == 1 { String::new() } else { format!("-from-{}", args.seed) };
            data_folder()?.join("lab").join(format!("{}{seed}", campaign.name()))
        }
    };
    let ran = start(&campaign, study.as_ref(), &folder, &Threads::or_all(args.threads), scene)?;
    let Some((run, Outcome::Complete { summary, timing, hash, .. })) = ran else {
        return Ok(Exit::Interrupted);
    };
    if !scene.json {
        games::tell(&summary, timing.as_ref(), scene)?;
        let faint = scene.paint.faint;
        let (folder, short) = (run.path().display(), short(&hash));
        writeln!(
            scene.stage.output,
            "\n{faint}Results, summary and pictures: {folder}  hash {short}{faint:#}"
        )?;
        return Ok(Exit::Answered);
    }
    let shown: Shown = serde_json::from_value(summary).map_err(std::io::Error::from)?;
    let timings: Vec<Timing> =
        timing.and_then(|timing| serde_json::from_value(timing).ok()).unwrap_or_default();
    let against = shown.comparisons.first().zip(shown.players.get(1));
    scene.json_line(&Told {
        folder: run.path(),
        complete: true,
        hash: &hash,
        summary: &shown.players[0],
        timing: timings.first(),
        against: against.map(|(comparison, summary)| Against { summary, timing: timings.get(1), comparison }),
    })?;
    Ok(Exit::Answered)
}

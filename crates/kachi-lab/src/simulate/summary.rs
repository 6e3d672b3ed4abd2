//! What a run shows. [`Summary`] is made from the results alone and is the same bytes for every run of a simulation; [`Timing`] is what this run cost;
//! [`Comparison`] sets two runs against each other, deal by deal.

use crate::simulate::experiment::Played;
use crate::simulate::folder::{Cost, Folder};
use crate::simulate::plot;
use crate::simulate::statistics::{Interval, Paired, wilson};
use kachi_core::Error;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io;

/// What the games show.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// What was played.
    pub settings: Value,
    /// The seed of the first game.
    pub first_seed: u64,
    /// Games played.
    pub games: u64,
    /// Games won.
    pub won: u64,
    /// Their share.
    pub rate: f64,
    /// Wilson's 95 % interval of the share.
    pub interval: Interval,
    /// Where the others were lost.
    pub lost: Lost,
}

/// Where games were lost.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Lost {
    /// Losses by the turn in which they were certain.
    pub by_turn: BTreeMap<u32, u64>,
    /// Losses by what turned up in that turn.
    pub on: BTreeMap<String, u64>,
    /// The mean score of a lost game.
    pub mean_score: f64,
}

/// What a run cost. Not the same twice, so it is no part of the results.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Timing {
    /// Games whose cost is known.
    pub games: u64,
    /// Is it the processor's time? Otherwise it is the time that passed.
    pub cpu: bool,
    /// Seconds a game.
    pub mean: f64,
    /// Half of the games took less.
    pub median: f64,
    /// 95 of 100 games took less.
    pub most: f64,
    /// The longest game.
    pub longest: f64,
    /// For growing budgets of seconds a game: the share of all games won within it.
    pub curve: Vec<Within>,
}

/// A point of the curve of success against time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Within {
    /// The budget for a game.
    pub seconds: f64,
    /// The share of all games that were won in no more than that.
    pub won: f64,
}

/// Two runs on the same deals.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The settings of the two.
    pub settings: [Value; 2],
    /// Deals that both played.
    pub games: u64,
    /// Their rates on these deals.
    pub rates: [f64; 2],
    /// Deals by who won them.
    pub deals: Paired,
    /// By how much the first is better.
    pub difference: f64,
    /// The 95 % interval of that.
    pub interval: Interval,
    /// McNemar's exact test: how likely so lopsided a split is between equal players.
    pub chance_if_equal: f64,
}

impl Summary {
    /// Sums up games in the order of their seeds.
    pub fn of(folder: &Folder, games: impl Iterator<Item = Played>) -> Summary {
        let (mut count, mut won, mut score) = (0_u64, 0_u64, 0_u64);
        let mut lost = Lost::default();
        for game in games {
            count += 1;
            if game.won {
                won += 1;
                continue;
            }
            score += u64::from(game.score);
            *lost.by_turn.entry(game.turn).or_default() += 1;
            if let Some(on) = game.on {
                *lost.on.entry(on).or_default() += 1;
            }
        }
        lost.mean_score = score as f64 / ((count - won) as f64).max(1.0);
        let simulation = folder.simulation();
        Summary {
            settings: simulation.settings.clone(),
            first_seed: simulation.first_seed,
            games: count,
            won,
            rate: won as f64 / (count as f64).max(1.0),
            interval: wilson(won, count),
            lost,
        }
    }
}

/// Points of the curve of success against time.
const POINTS: usize = 48;

impl Timing {
    /// Sums up costs; `games` tells for each seed whether it was won.
    #[must_use]
    pub fn of(costs: &[(Cost, bool)], all: u64) -> Timing {
        let cpu = !costs.is_empty() && costs.iter().all(|(cost, _)| cost.cpu.is_some());
        let time = |cost: &Cost| if cpu { cost.seconds() } else { cost.seconds };
        let mut sorted: Vec<(f64, bool)> = costs.iter().map(|(cost, won)| (time(cost), *won)).collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
        let at = |share: f64| {
            let last = sorted.len().saturating_sub(1);
            sorted.get((share * last as f64).round() as usize).map_or(0.0, |&(seconds, _)| seconds)
        };
        let total: f64 = sorted.iter().map(|&(seconds, _)| seconds).sum();
        Timing {
            games: sorted.len() as u64,
            cpu,
            mean: total / (sorted.len() as f64).max(1.0),
            median: at(0.5),
            most: at(0.95),
            longest: at(1.0),
            curve: curve(&sorted, all),
        }
    }
}

/// The share of all games that were won within a time, at times a constant factor apart.
fn curve(sorted: &[(f64, bool)], all: u64) -> Vec<Within> {
    const SHORTEST: f64 = 1e-6;
    let (Some(first), Some(last)) = (sorted.first(), sorted.last()) else { return Vec::new() };
    let (low, high) = (first.0.max(SHORTEST), last.0.max(SHORTEST));
    let (mut seen, mut won) = (0, 0_u64);
    let mut points = Vec::with_capacity(POINTS + 1);
    for step in 0..=POINTS {
        let mut seconds = low * (high / low).powf(step as f64 / POINTS as f64);
        if step == POINTS {
            seconds = high;
        }
        while let Some(&(_, is_won)) = sorted.get(seen).filter(|&&(time, _)| time <= seconds) {
            won += u64::from(is_won);
            seen += 1;
        }
        points.push(Within { seconds, won: won as f64 / (all as f64).max(1.0) });
    }
    points
}

impl Comparison {
    /// Compares two folders on the deals that both have played.
    #[must_use]
    pub fn of(first: &Folder, second: &Folder) -> Comparison {
        let mut deals = Paired::default();
        let mut others = second.games().peekable();
        for game in first.games() {
            while others.next_if(|other| other.seed < game.seed).is_some() {}
            if let Some(other) = others.next_if(|other| other.seed == game.seed) {
                deals.record(game.won, other.won);
            }
        }
        Comparison {
            settings: [first, second].map(|folder| folder.simulation().settings.clone()),
            games: deals.games(),
            rates: deals.rates(),
            deals,
            difference: deals.difference(),
            interval: deals.interval(),
            chance_if_equal: deals.chance_if_equal(),
        }
    }
}

/// The timing of what a folder holds.
#[must_use]
pub fn timing(folder: &Folder) -> Timing {
    let shards = 0..folder.simulation().shards();
    let mut costs = Vec::new();
    let mut all = 0;
    for shard in shards {
        let games = folder.shard(shard);
        all += games.len() as u64;
        let times: BTreeMap<u64, Cost> =
            folder.costs(shard).into_iter().map(|cost| (cost.seed, cost)).collect();
        costs.extend(games.iter().filter_map(|game| Some((*times.get(&game.seed)?, game.won))));
    }
    Timing::of(&costs, all)
}

/// Writes `results.jsonl`, `times.jsonl`, `summary.json`, `timing.json` and the pictures of a run.
///
/// # Errors
/// `cannot_write`.
pub fn write(folder: &Folder) -> Result<(Summary, Timing), Error> {
    let summary = Summary::of(folder, folder.games());
    let timing = timing(folder);
    folder.write_with("results.jsonl", |out| folder.games().try_for_each(|game| line(out, &game)))?;
    let shards = 0..folder.simulation().shards();
    let costs = shards.flat_map(|shard| folder.costs(shard));
    folder.write_with("times.jsonl", |out| { costs }.try_for_each(|cost| line(out, &cost)))?;
    let pretty = |value: Result<String, serde_json::Error>| value.unwrap_or_default() + "\n";
    folder.write("summary.json", pretty(serde_json::to_string_pretty(&summary)).as_bytes())?;
    folder.write("timing.json", pretty(serde_json::to_string_pretty(&timing)).as_bytes())?;
    folder.write("lost.svg", plot::where_games_are_lost(&summary).as_bytes())?;
    let name = plot::name(&summary.settings);
    folder.write("time.svg", plot::success_against_time(&[(name, &summary, &timing)]).as_bytes())?;
    Ok((summary, timing))
}

/// One line of JSON.
fn line(out: &mut dyn io::Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

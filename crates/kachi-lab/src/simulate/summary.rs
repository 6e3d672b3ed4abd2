//! What a run shows. [`Summary`] is made from the results alone and is the same bytes for every run of a simulation; [`Timing`] is what this run cost;
//! [`Comparison`] sets two players against each other, deal by deal.

use crate::simulate::experiment::{Measure, Played};
use crate::simulate::games::Cost;
use crate::simulate::statistics::{Interval, Mean, Paired, wilson};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// What the games show.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// The mean score of a game, where games are played for points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Points>,
    /// Where the others were lost.
    pub lost: Lost,
}

/// A mean score and what it counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Points {
    /// What is counted: "mon a month".
    pub unit: String,
    /// The mean and its 95 % interval, if there is one.
    #[serde(flatten)]
    pub mean: Mean,
}

/// Where games were lost.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Lost {
    /// Losses by the turn in which they were certain.
    pub by_turn: BTreeMap<u32, u64>,
    /// Losses by what turned up in that turn.
    pub on: BTreeMap<String, u64>,
    /// The mean score of a lost game.
    pub mean_score: f64,
}

impl Lost {
    /// Why a search did not win the rest, the most frequent reason first. Nothing for players: their losses have turns.
    #[must_use]
    pub fn reasons(&self) -> Vec<(&str, u64)> {
        let mut reasons: Vec<(&str, u64)> = match self.by_turn.is_empty() {
            true => self.on.iter().map(|(reason, &games)| (reason.as_str(), games)).collect(),
            false => Vec::new(),
        };
        reasons.sort_by_key(|&(_, games)| std::cmp::Reverse(games));
        reasons
    }
}

/// What a run cost. Not the same twice, so it is no part of the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Within {
    /// The budget for a game.
    pub seconds: f64,
    /// The share of all games that were won in no more than that.
    pub won: f64,
}

/// Two runs on the same deals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// By how much the first scores more, where games are played for points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Points>,
}

impl Summary {
    /// Sums up the games of a player in the order of their seeds.
    pub fn of(settings: Value, measure: Measure, games: impl Iterator<Item = Played>) -> Summary {
        let (mut count, mut won, mut score, mut first_seed) = (0_u64, 0_u64, 0_i64, None);
        let mut lost = Lost::default();
        let mut scores = Vec::new();
        for game in games {
            count += 1;
            first_seed = first_seed.or(Some(game.seed));
            if measure != Measure::Wins {
                scores.push(worth(&game, measure));
            }
            if game.won {
                won += 1;
                continue;
            }
            score += game.score;
            if game.turn > 0 {
                *lost.by_turn.entry(game.turn).or_default() += 1;
            }
            if let Some(on) = game.on {
                *lost.on.entry(on).or_default() += 1;
            }
        }
        lost.mean_score = score as f64 / ((count - won) as f64).max(1.0);
        Summary {
            settings,
            first_seed: first_seed.unwrap_or_default(),
            games: count,
            won,
            rate: won as f64 / (count as f64).max(1.0),
            interval: wilson(won, count),
            points: points(measure, &scores),
            lost,
        }
    }
}

fn worth(game: &Played, measure: Measure) -> f64 {
    match measure {
        Measure::Wins => f64::from(u8::from(game.won)),
        Measure::Points { each, .. } => game.score as f64 / f64::from(each.max(1)),
    }
}

fn points(measure: Measure, values: &[f64]) -> Option<Points> {
    match measure {
        Measure::Wins => None,
        Measure::Points { unit, .. } => Some(Points { unit: unit.to_owned(), mean: Mean::of(values) }),
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
    /// The same with the better player first, as one would say it.
    #[must_use]
    pub fn better_first(&self) -> Comparison {
        let leads = self.points.as_ref().map_or(self.difference, |points| points.mean.mean) >= 0.0;
        if leads {
            return self.clone();
        }
        let Paired { both, only_first, only_second, neither } = self.deals;
        let negated = |points: &Points| {
            let mean = &points.mean;
            let mean = Mean { mean: -mean.mean, interval: mean.interval.map(Interval::negated), ..*mean };
            Points { unit: points.unit.clone(), mean }
        };
        let [first, second] = &self.settings;
        Comparison {
            settings: [second.clone(), first.clone()],
            rates: [self.rates[1], self.rates[0]],
            deals: Paired { both, only_first: only_second, only_second: only_first, neither },
            difference: -self.difference,
            interval: self.interval.negated(),
            points: self.points.as_ref().map(negated),
            ..*self
        }
    }

    /// Compares two players on the deals that both have played; the games come in the order of their seeds.
    #[must_use]
    pub fn of(
        settings: [Value; 2],
        measure: Measure,
        first: impl Iterator<Item = Played>,
        second: impl Iterator<Item = Played>,
    ) -> Comparison {
        let mut deals = Paired::default();
        let mut differences = Vec::new();
        let mut others = second.peekable();
        for game in first {
            while others.next_if(|other| other.seed < game.seed).is_some() {}
            if let Some(other) = others.next_if(|other| other.seed == game.seed) {
                deals.record(game.won, other.won);
                if measure != Measure::Wins {
                    differences.push(worth(&game, measure) - worth(&other, measure));
                }
            }
        }
        Comparison {
            settings,
            games: deals.games(),
            rates: deals.rates(),
            deals,
            difference: deals.difference(),
            interval: deals.interval(),
            chance_if_equal: deals.chance_if_equal(),
            points: points(measure, &differences),
        }
    }
}

//! What a simulation plays: something that makes contestants, each of which plays the game of a seed.

use kachi_core::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A game that was played, as one line of the results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Played {
    /// The seed of the deal.
    pub seed: u64,
    /// Was it won?
    pub won: bool,
    /// The turn in which it ended, or in which it was lost beyond repair; counted from 1. 0 where turns say nothing.
    pub turn: u32,
    /// How far it came, in the game's own points; money in games for money.
    pub score: i64,
    /// What turned up in that turn, in a word: the card drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<String>,
}

/// What the games of an experiment are judged by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measure {
    /// How many are won.
    Wins,
    /// The mean score.
    Points {
        /// What is counted: "mon a month".
        unit: &'static str,
        /// Games of one seed: a score is their sum, and the mean is that of one game.
        each: u32,
    },
}

/// A way to play games from seeds.
pub trait Experiment: Sync {
    /// Everything the results depend on, apart from the seeds: game, player, its options, the tables it reads. Equal settings mean equal results.
    fn settings(&self) -> Value;

    /// What its games are judged by.
    fn measure(&self) -> Measure {
        Measure::Wins
    }

    /// Someone who plays game after game; every thread asks for one.
    ///
    /// # Errors
    /// Whatever keeps it from playing: a table that cannot be opened.
    fn contestant(&self) -> Result<Box<dyn Contestant + '_>, Error>;
}

/// Plays the games of one thread.
pub trait Contestant {
    /// Plays the game of this seed. The outcome depends on the settings and the seed only, never on what was played before. Nothing when `stopped` said yes
    /// before the end: long games ask now and then.
    ///
    /// # Errors
    /// What went wrong; the run ends with it.
    fn play(&mut self, seed: u64, stopped: &(dyn Fn() -> bool + Sync)) -> Result<Option<Played>, Error>;
}

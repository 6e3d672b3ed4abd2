//! The one job runner. Long work of every kind, claims, games and tables, is cut into *shards*, each a pure function to bytes; an engine makes
//! the shards that are missing, a store keeps each of them once and whole. Everything final is made from the shards in their order, so results are the
//! same bytes for any number of threads or processes and for any history of interruptions.
//!
//! A [`Work`] has *lines* that know nothing of each other (the claims of a campaign, the players of a comparison), a line has *stages* that follow
//! each other (the sizes of a claim, the levels of a table), and a stage has shards that can be made anywhere in any order.
//!
//! | module | holds |
//! |---|---|
//! | [`store`] | [`Store`]: where shards are kept; [`OnDisk`] with checksums, [`InMemory`] |
//! | [`schedule`] | [`Schedule`]: which shard is next |
//! | [`threads`] | [`Threads`]: the engine of one machine |

pub mod schedule;
pub mod store;
pub mod threads;

pub use schedule::{Next, Schedule};
pub use store::{InMemory, OnDisk, Store};
pub use threads::Threads;

use kachi_core::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::sync::atomic::AtomicBool;

/// The name of a shard: line, stage, place in the stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Shard {
    /// The line.
    pub line: u32,
    /// The stage of the line.
    pub stage: u32,
    /// The place in the stage.
    pub index: u64,
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:03}-{:03}-{:06}", self.line, self.stage, self.index)
    }
}

/// A finished shard.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Made {
    /// What it shows: lines of JSON. The same bytes whoever made it.
    pub result: Vec<u8>,
    /// What it cost: lines of JSON; not the same twice, and kept apart. Often empty.
    pub cost: Vec<u8>,
}

/// How much a shard, or a run, has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Units done: games, cases, states.
    pub units: u64,
    /// Those among them that went well: games won, cases without an exception. Whether their share says something, [`Work::success`] knows.
    pub good: u64,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, more: Tally) {
        self.units += more.units;
        self.good += more.good;
    }
}

/// Long work that falls into shards.
pub trait Work: Sync {
    /// Everything the bytes of the shards depend on. Equal settings mean equal bytes. How *much* is to be done need not be among it: work that is
    /// made longer keeps its shards.
    fn settings(&self) -> Value;

    /// How many lines there are; they are independent of each other.
    fn lines(&self) -> u32 {
        1
    }

    /// How many stages a line has. A stage begins when the one before it is complete.
    fn stages(&self, _line: u32) -> u32 {
        1
    }

    /// How many shards a stage has. Asked when the stage begins; at most `2^32`.
    fn shards(&self, line: u32, stage: u32) -> u64;

    /// Does this result make the later stages of its line needless? (A claim that is refuted is not checked any further.)
    fn ends(&self, _shard: Shard, _result: &[u8]) -> bool {
        false
    }

    /// Is a kept result of use? What is not is made again. For results that refer to something beside them, and for those of a shorter run.
    fn accepts(&self, _shard: Shard, _result: &[u8]) -> bool {
        true
    }

    /// What a finished shard amounts to.
    fn tally(&self, shard: Shard, result: &[u8]) -> Tally;

    /// All units of the work, where that is known before; otherwise progress is told by stages.
    fn units(&self) -> Option<u64> {
        None
    }

    /// What is counted: `games`, `cases`, `states`.
    fn unit(&self) -> &'static str;

    /// What is said of units that went well, where their share says something: `won`.
    fn success(&self) -> Option<&'static str> {
        None
    }

    /// How many workers may be at it at once, when so many are offered. Work whose shards use all threads themselves wants one.
    fn workers(&self, offered: usize) -> usize {
        offered
    }

    /// The levels it consists of, for an engine that can exchange states by key.
    fn levels(&self) -> Option<crate::cluster::Job> {
        None
    }

    /// Someone who makes shards; every thread asks for one.
    ///
    /// # Errors
    /// Whatever keeps it from working: a table that cannot be opened.
    fn worker(&self) -> Result<Box<dyn Worker + '_>, Error>;
}

/// Makes shards, one after the other.
pub trait Worker {
    /// Makes a shard. What it shows depends on the settings and the shard only, never on what was made before. `None` when it was asked to stop.
    ///
    /// # Errors
    /// What went wrong; the run ends with it.
    fn shard(&mut self, shard: Shard, desk: &mut dyn Desk) -> Result<Option<Made>, Error>;
}

/// What a worker may use while it makes a shard; the threads of one shard may share it.
pub trait Desk: Send + Sync {
    /// Should it stop?
    fn stopped(&self) -> bool;

    /// A part of this shard that was put aside by an earlier run.
    fn put_aside(&self) -> Option<Made> {
        None
    }

    /// Puts the first part of the shard aside, so that less is lost when the power goes. An engine may do nothing about it.
    ///
    /// # Errors
    /// `cannot_write`.
    fn put(&mut self, _part: &Made) -> Result<(), Error> {
        Ok(())
    }

    /// Tells what was done since it was last told. `words` say what it is about, for people.
    fn tell(&mut self, more: Tally, words: Option<&str>);
}

/// How far a run has come.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Progress {
    /// Units done, those of earlier runs among them.
    pub tally: Tally,
    /// What of it was found when the run began.
    pub found: Tally,
    /// Stages complete, over all lines.
    pub stages: u64,
    /// All stages that are still wanted or complete.
    pub all_stages: u64,
    /// Shards complete.
    pub shards: u64,
    /// What a worker is doing, in words.
    pub words: String,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Every shard is kept.
    Complete,
    /// It was asked to stop; running it again goes on.
    Stopped,
}

/// What an engine is told from outside and tells.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Set from outside to end early.
    pub stop: &'a AtomicBool,
    /// Told what is going on, from any thread.
    pub hear: &'a (dyn Fn(&Progress) + Sync),
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl Default for Watch<'_> {
    fn default() -> Self {
        Watch { stop: &NEVER, hear: &|_| {} }
    }
}

/// Makes the shards that are missing: with the threads of this machine, or with many machines.
pub trait Engine {
    /// Makes all missing shards and keeps them.
    ///
    /// # Errors
    /// What a worker or the store report; what was kept until then stays.
    fn run(&self, work: &dyn Work, store: &dyn Store, watch: Watch<'_>) -> Result<Ended, Error>;

    /// The hosts it works on, for the manifest.
    fn hosts(&self) -> Vec<String>;
}

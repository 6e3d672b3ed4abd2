//! The build as work for the runner, one line whose stages are the levels: forward from the start to the last card to find all states, then backward to find what they are
//! worth, then the play file. A level is one shard, which uses all threads itself (`steps`); its layer goes to the journal, and what the runner keeps is a receipt
//! with the counts.

mod steps;

use super::build::Build;
use super::journal::Journal;
use crate::work::{Desk, Made, Shard, Tally, Work, Worker};
use calculation::table::Layer;
use calculation::table::backward::{Worth, WorthShard};
use kachi_core::Error;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fs::File;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// What is known of a finished level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case", tag = "level")]
pub enum Receipt {
    /// The states with so many cards left.
    Found {
        /// Cards left.
        cards: u64,
        /// States.
        states: u64,
        /// Placements that led to them.
        placements: u64,
    },
    /// What they are worth.
    Valued {
        /// Cards left.
        cards: u64,
        /// States.
        states: u64,
        /// States without a chance.
        lost: u64,
        /// Bytes of their part of the table.
        bytes: u64,
    },
    /// The table is written.
    Written {
        /// The name of its file.
        file: String,
        /// Its length.
        bytes: u64,
        /// All states.
        states: u64,
        /// The chance at the start.
        start: f64,
    },
}

impl Receipt {
    pub(super) fn read(bytes: &[u8]) -> Option<Receipt> {
        serde_json::from_slice(bytes.trim_ascii_end()).ok()
    }

    fn made(&self) -> Made {
        let mut result = serde_json::to_vec(self).unwrap_or_default();
        result.push(b'\n');
        Made { result, cost: Vec::new() }
    }
}

/// A stage of the build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Find(usize),
    Value(usize),
    Write,
}

/// What the forward pass has counted.
#[derive(Debug, Clone, Copy)]
struct Counts {
    states: u64,
    placements: u64,
    /// States that the journal knew.
    resumed: u64,
}

/// The levels of a table as work: all of it, or only the counts of states.
pub struct Levels<'a> {
    build: Build<'a>,
    journal: Journal,
    counts_only: bool,
    /// Receipts of the forward pass, by cards left.
    found: Mutex<Vec<Option<(u64, u64)>>>,
    /// The last level whose exact chances are kept, with all sections up to it.
    valued: OnceLock<usize>,
    /// States of levels that were found by earlier runs.
    resumed: AtomicU64,
    /// The table is written, and every checksum of it is right.
    is_whole: AtomicBool,
}

impl<'a> Levels<'a> {
    /// The levels of a table.
    #[must_use]
    pub fn of_table(build: Build<'a>) -> Levels<'a> {
        let journal = Journal::new(build.folder.journal(build.size), build.size);
        Levels::open(build, journal, false)
    }

    /// The counts of states by level, without what they are worth.
    #[must_use]
    pub fn of_counts(build: Build<'a>) -> Levels<'a> {
        let journal = Journal::new(build.folder.counting(build.size), build.size);
        Levels::open(build, journal, true)
    }

    fn open(build: Build<'a>, journal: Journal, counts_only: bool) -> Levels<'a> {
        let found = Mutex::new(vec![None; build.size.cards() + 1]);
        let (valued, resumed, is_whole) = (OnceLock::new(), AtomicU64::new(0), AtomicBool::new(false));
        Levels { build, journal, counts_only, found, valued, resumed, is_whole }
    }

    /// Removes what is needed no more once everything is written.
    ///
    /// # Errors
    /// `cannot_write`.
    pub fn close(&self) -> Result<(), Error> {
        if !self.counts_only {
            return self.journal.clone().remove();
        }
        // The last layer, which is small, stays as the sign that the others are counted.
        (1..=self.build.size.cards()).for_each(|cards| self.journal.forget_keys(cards));
        Ok(())
    }

    /// Is the table written, and the journal that led to it gone?
    fn is_closed(&self) -> bool {
        !self.counts_only && !self.journal.has_file_of_keys(self.build.size.cards()) && self.is_whole()
    }

    /// Is the table written, and undamaged? Looked at until it is.
    fn is_whole(&self) -> bool {
        let look = || {
            let table = self.build.folder.open(self.build.size).ok()?;
            (1..=table.size().cards()).into_par_iter().try_for_each(|cards| table.check(cards)).ok()
        };
        if !self.is_whole.load(Ordering::Relaxed) && look().is_some() {
            self.is_whole.store(true, Ordering::Relaxed);
        }
        self.is_whole.load(Ordering::Relaxed)
    }

    fn step(&self, stage: u32) -> Step {
        let (cards, stage) = (self.build.size.cards(), stage as usize);
        match stage {
            stage if stage <= cards => Step::Find(cards - stage),
            stage if stage <= 2 * cards => Step::Value(stage - cards),
            _ => Step::Write,
        }
    }

    fn found(&self) -> MutexGuard<'_, Vec<Option<(u64, u64)>>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// States, placements and resumed states of the levels with more cards than `cards`.
    fn counts(&self, cards: usize) -> Counts {
        let found = self.found();
        let above = found.iter().enumerate().skip(cards.max(1)).filter_map(|(_, level)| *level);
        let zero = found[0].filter(|_| cards == 0);
        let resumed = self.resumed.load(Ordering::Relaxed);
        let placements = zero.map_or(0, |(_, placements)| placements);
        let mut counts = Counts { states: 0, placements, resumed };
        for (states, placements) in above {
            counts.states += states;
            counts.placements += placements;
        }
        counts
    }

    /// The last level whose exact chances are kept, with all sections up to it.
    fn valued(&self) -> usize {
        *self.valued.get_or_init(|| {
            let all = 1..=self.build.size.cards();
            let sections = all.take_while(|&cards| self.journal.section(cards).is_some()).count();
            (1..=sections).rev().find(|&cards| self.worth_kept(cards).is_some()).unwrap_or(0)
        })
    }

    fn worth_kept(&self, cards: usize) -> Option<Worth> {
        let layer = self.journal.keys(cards)?.0;
        let kept = self.journal.worth(&layer)?;
        let shards = kept.iter().enumerate().map(|(i, chances)| WorthShard::new(&layer, i, chances));
        Some(Worth::new(&layer, shards.collect()))
    }
}

impl Work for Levels<'_> {
    fn settings(&self) -> Value {
        let size = self.build.size;
        let what = if self.counts_only { "counts" } else { "table" };
        json!({"game": "calculation", "levels": what, "stacks": size.stacks(), "ranks": size.ranks()})
    }

    fn stages(&self, _: u32) -> u32 {
        let cards = self.build.size.cards() as u32;
        if self.counts_only { cards + 1 } else { 2 * cards + 2 }
    }

    fn shards(&self, _: u32, _: u32) -> u64 {
        1
    }

    /// A receipt counts only while the layer it speaks of is there.
    fn accepts(&self, shard: Shard, result: &[u8]) -> bool {
        let Some(receipt) = Receipt::read(result) else { return false };
        let there = self.is_closed();
        match (self.step(shard.stage), receipt) {
            (Step::Find(cards), Receipt::Found { states, placements, .. }) => {
                // Counts need no layer but the last one, and a finished table none at all.
                let passed = self.counts_only && self.journal.has_keys_below(cards);
                let fits = there
                    || passed
                    || self.journal.keys(cards).is_some_and(|(layer, _)| layer.count() == states);
                if fits {
                    self.resumed.fetch_add(states, Ordering::Relaxed);
                    self.found()[cards] = Some((states, placements));
                }
                fits
            }
            (Step::Value(cards), Receipt::Valued { .. }) => there || cards <= self.valued(),
            (Step::Write, Receipt::Written { bytes, .. }) => {
                let length = || self.build.folder.open(self.build.size).map(|table| table.length());
                self.is_whole() && length().is_ok_and(|length| length == bytes)
            }
            _ => false,
        }
    }

    fn tally(&self, _: Shard, result: &[u8]) -> Tally {
        match Receipt::read(result) {
            Some(Receipt::Found { states, .. }) => Tally { units: states, good: 0 },
            _ => Tally::default(),
        }
    }

    fn unit(&self) -> &'static str {
        "states"
    }

    fn workers(&self, _: usize) -> usize {
        1
    }

    fn levels(&self) -> Option<crate::cluster::Job> {
        let Build { size, memory, folder, .. } = &self.build;
        Some(if self.counts_only {
            let game = (size.stacks(), 2, size.ranks());
            crate::cluster::Job::Counts { game, folder: folder.counting_parts(*size), memory: *memory }
        } else {
            crate::cluster::Job::Table { size: *size, folder: folder.clone(), memory: *memory }
        })
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>, Error> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.build.threads.unwrap_or(0)).build();
        let pool = pool.map_err(|error| Error::new("no_threads", error.to_string()))?;
        let held = self.journal.hold()?;
        self.build.folder.sweep(self.build.size);
        Ok(Box::new(Builder { levels: self, pool, above: None, below: None, _held: held }))
    }
}

/// Builds level after level, with the last one in memory.
struct Builder<'b> {
    levels: &'b Levels<'b>,
    pool: rayon::ThreadPool,
    above: Option<Layer>,
    below: Option<(usize, Worth)>,
    /// Nobody else works in the journal meanwhile.
    _held: Option<File>,
}

impl Worker for Builder<'_> {
    fn shard(&mut self, shard: Shard, desk: &mut dyn Desk) -> Result<Option<Made>, Error> {
        let levels = self.levels;
        let step = levels.step(shard.stage);
        let words = match step {
            Step::Find(cards) => format!("finding states, {cards} cards left"),
            Step::Value(cards) => format!("chances of states, {cards} cards left"),
            Step::Write => "writing the table".to_owned(),
        };
        desk.tell(Tally::default(), Some(&words));
        let (above, below) = (&mut self.above, &mut self.below);
        let shared: &dyn Desk = desk;
        let made = self.pool.install(|| match step {
            Step::Find(cards) => levels.find(cards, above, shared),
            Step::Value(cards) => levels.value(cards, below, shared),
            Step::Write => levels.write(below),
        });
        match made {
            Ok(receipt) => {
                if let Receipt::Found { states, .. } = receipt {
                    desk.tell(Tally { units: states, good: 0 }, None);
                }
                Ok(Some(receipt.made()))
            }
            Err(error) if error.code == "interrupted" => Ok(None),
            Err(error) => Err(error),
        }
    }
}

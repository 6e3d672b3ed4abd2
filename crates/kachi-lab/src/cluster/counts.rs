//! The counts of stack games of any number of chains as work of the runner: one shard that uses all threads itself, or all processes of a cluster.

use super::job::{Job, made, receipts};
use super::session::Session;
use super::table::{Counted, Watch, count};
use crate::campaign::study::{Cell, Column, Picture, Study};
use crate::simulate::plot;
use crate::table::{Folder, Receipt};
use crate::work::{Desk, Made, Shard, Store, Tally, Work, Worker};
use calculation::theory::poset::Poset;
use kachi_core::Error;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::ThreadId;

/// The numbers of states of a stack game, level by level.
#[derive(Debug)]
pub struct Counts {
    game: (usize, usize, usize),
    folder: PathBuf,
    memory: u64,
    threads: usize,
}

impl Counts {
    /// For stacks, chains and cards of a chain; parts of levels are kept beside the tables.
    ///
    /// # Errors
    /// `bad_stacks`; `too_large` for more than 24 cards.
    pub fn new(
        game: (usize, usize, usize),
        tables: &Folder,
        memory: u64,
        threads: Option<usize>,
    ) -> Result<Counts, Error> {
        let (stacks, chains, length) = game;
        if chains == 0 || length == 0 {
            return Err(Error::new("bad_value", "there is at least one chain, of at least one card")
                .at_field("chains"));
        }
        Poset::start(stacks, chains, length)?;
        let folder = tables.path().join(format!("counting-{stacks}-{chains}-{length}.parts"));
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Counts { game, folder, memory, threads: threads.unwrap_or_else(cores) })
    }

    fn job(&self) -> Job {
        Job::Counts { game: self.game, folder: self.folder.clone(), memory: self.memory }
    }

    /// Cards left and states, the start first.
    fn counts(&self, store: &dyn Store) -> Vec<(u64, u64)> {
        let result = store.result(Shard { line: 0, stage: 0, index: 0 }).unwrap_or_default();
        let lines = result.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        lines
            .filter_map(|line| match serde_json::from_slice(line).ok()? {
                // The state without cards is the end, not a state to play.
                Receipt::Found { cards, states, .. } if cards > 0 => Some((cards, states)),
                _ => None,
            })
            .collect()
    }
}

impl Work for Counts {
    fn settings(&self) -> Value {
        let (stacks, chains, length) = self.game;
        json!({"game": "calculation", "levels": "counts", "stacks": stacks, "chains": chains, "ranks": length})
    }

    fn shards(&self, _: u32, _: u32) -> u64 {
        1
    }

    fn tally(&self, _: Shard, result: &[u8]) -> Tally {
        let lines = result.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let states = lines.filter_map(|line| match serde_json::from_slice(line).ok()? {
            Receipt::Found { cards, states, .. } if cards > 0 => Some(states),
            _ => None,
        });
        Tally { units: states.sum(), good: 0 }
    }

    fn unit(&self) -> &'static str {
        "states"
    }

    fn workers(&self, _: usize) -> usize {
        1
    }

    fn levels(&self) -> Option<Job> {
        Some(self.job())
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>, Error> {
        Ok(Box::new(Counter(self)))
    }
}

struct Counter<'c>(&'c Counts);

impl Worker for Counter<'_> {
    fn shard(&mut self, _: Shard, desk: &mut dyn Desk) -> Result<Option<Made>, Error> {
        let Counts { game, folder, memory, threads } = self.0;
        // Everything was counted, and the process ended before it was kept.
        if let Some(counted) = desk.put_aside() {
            return Ok(Some(counted));
        }
        let stop = AtomicBool::new(false);
        let told = Mutex::new(Told { desk, known: HashMap::new(), states: 0 });
        let hear = |what: &str, cards: usize, states: u64| {
            let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
            // Every thread speaks of its own states.
            told.known.insert(std::thread::current().id(), states);
            let all = told.known.values().sum();
            told.tell(all, Some(&format!("{what}, {cards} cards left")));
            if told.desk.stopped() {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let keep = |counted: &Counted| {
            let all = made(&receipts(&self.0.job(), counted)?);
            told.lock().unwrap_or_else(PoisonError::into_inner).desk.put(&all)
        };
        let watch = Watch { stop: &stop, hear: &hear, memory: *memory, is_over: false, keep: &keep };
        let counted = match count(Session::alone(*threads), *game, folder, watch) {
            Ok(counted) => counted,
            Err(error) if error.code == "interrupted" => return Ok(None),
            Err(error) => return Err(error),
        };
        told.into_inner().unwrap_or_else(PoisonError::into_inner).tell(counted.states.iter().sum(), None);
        Ok(Some(made(&receipts(&self.0.job(), &counted)?)))
    }
}

/// How many states the desk has heard of.
struct Told<'d> {
    desk: &'d mut dyn Desk,
    known: HashMap<ThreadId, u64>,
    states: u64,
}

impl Told<'_> {
    fn tell(&mut self, states: u64, words: Option<&str>) {
        let more = states.saturating_sub(self.states);
        self.states += more;
        self.desk.tell(Tally { units: more, good: 0 }, words);
    }
}

impl Study for Counts {
    fn columns(&self) -> Vec<Column> {
        vec![Column::whole("cards"), Column::whole("states")]
    }

    fn rows<'s>(&'s self, store: &'s dyn Store) -> Box<dyn Iterator<Item = Vec<Cell>> + 's> {
        let rows = self.counts(store).into_iter();
        Box::new(rows.map(|(cards, states)| vec![Cell::Whole(cards as i64), Cell::Whole(states as i64)]))
    }

    fn summary(&self, store: &dyn Store) -> Value {
        let mut summary = self.settings();
        summary["states"] = json!(self.counts(store).iter().map(|&(_, states)| states).sum::<u64>());
        summary
    }

    fn pictures(&self, store: &dyn Store) -> Vec<Picture> {
        let (stacks, chains, length) = self.game;
        let title = format!("States of the stack game, {stacks} stacks, {chains} chains of {length} cards");
        let counts: Vec<(String, u64)> =
            self.counts(store).into_iter().rev().map(|(cards, states)| (cards.to_string(), states)).collect();
        vec![Picture::new("levels.svg", plot::counts(&title, "cards left", &counts))]
    }
}

//! The build as work for the runner, one line whose stages are the levels: forward from the start to the last card to find all states, keeping two
//! layers in memory, then backward to find what they are worth, keeping the chances of two layers, then the play file. A level is one shard, which
//! uses all threads itself; its layer goes to the journal, and what the runner keeps is a receipt with the counts.

use super::folder::Folder;
use super::journal::Journal;
use crate::work::store::write_whole;
use crate::work::{Desk, Ended, Engine, InMemory, Made, Shard, Store, Tally, Threads, Watch, Work, Worker};
use calculation::table::backward::{Worth, WorthShard, chances};
use calculation::table::build::section;
use calculation::table::file::{LayerMeta, Totals, header, offsets};
use calculation::table::forward::{Buckets, KeySet, Origin};
use calculation::table::layer::Cutting;
use calculation::table::{Layer, Size, Table};
use calculation::theory::TwoChains;
use calculation::theory::rank::Ranking;
use kachi_core::Error;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// What a build is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Finding the states.
    Forward,
    /// Finding their chances.
    Backward,
    /// Writing the play file.
    Writing,
}

/// How far a build has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// What it is doing.
    pub phase: Phase,
    /// Cards left in the layer it works on.
    pub cards: usize,
    /// States known so far; all of them once the phase is backward.
    pub states: u64,
    /// Work done, as a part of the whole: exact backward, estimated forward.
    pub fraction: f64,
    /// Work that a journal had done already, in the same measure.
    pub resumed: f64,
}

/// A build that can be run.
#[derive(Clone)]
pub struct Build<'a> {
    /// Which table.
    pub size: Size,
    /// Where it goes.
    pub folder: Folder,
    /// Threads; all cores if none are named.
    pub threads: Option<usize>,
    /// Bytes of memory that the build may take.
    pub memory: u64,
    /// Asked now and then whether to stop.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Told now and then how far the build has come.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

/// States expanded between two looks at the stop question, at least.
const BLOCK_STATES: u64 = 1 << 19;

/// A pass backward costs about as much as one forward.
const HALF: f64 = 0.5;

impl Build<'_> {
    /// Builds the table, or goes on with an interrupted build, and opens it. A table that is there already is opened and left alone.
    ///
    /// # Errors
    /// `interrupted` if it was asked to stop; `too_large` if the memory does not suffice; `cannot_write`, `cannot_read`.
    pub fn run(&self) -> Result<Table, Error> {
        self.run_in(&InMemory::default(), Watch::default())
    }

    /// The same, with receipts in a store and news told.
    ///
    /// # Errors
    /// Those of [`Build::run`].
    pub fn run_in(&self, store: &dyn Store, watch: Watch<'_>) -> Result<Table, Error> {
        if let Ok(table) = self.folder.open(self.size) {
            return Ok(table);
        }
        let work = Levels::of_table(self.clone())?;
        match Threads(NonZeroUsize::MIN).run(&work, store, watch)? {
            Ended::Complete => work.close()?,
            Ended::Stopped => return Err(interrupted()),
        }
        self.folder.open(self.size)
    }
}

fn interrupted() -> Error {
    let message = "the build was interrupted; what is finished is kept";
    Error::new("interrupted", message).hint("the same command goes on where it was")
}

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
}

impl<'a> Levels<'a> {
    /// The levels of a table.
    ///
    /// # Errors
    /// `cannot_write`.
    pub fn of_table(build: Build<'a>) -> Result<Levels<'a>, Error> {
        let journal = Journal::open(build.folder.journal(build.size), build.size)?;
        Ok(Levels::open(build, journal, false))
    }

    /// The counts of states by level, without what they are worth.
    ///
    /// # Errors
    /// `cannot_write`.
    pub fn of_counts(build: Build<'a>) -> Result<Levels<'a>, Error> {
        let journal = Journal::open(build.folder.counting(build.size), build.size)?;
        Ok(Levels::open(build, journal, true))
    }

    fn open(build: Build<'a>, journal: Journal, counts_only: bool) -> Levels<'a> {
        let found = Mutex::new(vec![None; build.size.cards() + 1]);
        Levels { build, journal, counts_only, found, valued: OnceLock::new(), resumed: AtomicU64::new(0) }
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
        !self.counts_only
            && !self.journal.has_file_of_keys(self.build.size.cards())
            && self.build.folder.open(self.build.size).is_ok()
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
                self.build.folder.open(self.build.size).is_ok_and(|table| table.length() == bytes)
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
            crate::cluster::Job::Counts {
                game,
                folder: folder.counting(*size).with_extension("parts"),
                memory: *memory,
            }
        } else {
            crate::cluster::Job::Table { size: *size, folder: folder.clone(), memory: *memory }
        })
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>, Error> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.build.threads.unwrap_or(0)).build();
        let pool = pool.map_err(|error| Error::new("no_threads", error.to_string()))?;
        Ok(Box::new(Builder { levels: self, pool, above: None, below: None }))
    }
}

/// Builds level after level, with the last one in memory.
struct Builder<'b> {
    levels: &'b Levels<'b>,
    pool: rayon::ThreadPool,
    above: Option<Layer>,
    below: Option<(usize, Worth)>,
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

impl Levels<'_> {
    fn check_stop(&self, desk: &dyn Desk) -> Result<(), Error> {
        if (self.build.stop)() || desk.stopped() { Err(interrupted()) } else { Ok(()) }
    }

    fn find(&self, cards: usize, above: &mut Option<Layer>, desk: &dyn Desk) -> Result<Receipt, Error> {
        self.check_stop(desk)?;
        let size = self.build.size;
        let kept = self.journal.keys(cards);
        let is_kept = kept.is_some();
        let (layer, placements) = match kept {
            Some(kept) => kept,
            None if cards == size.cards() => {
                (Layer::of_state(&TwoChains::start(size.stacks(), size.ranks(), size.ranks())), 0)
            }
            None => {
                let above = match above.take().filter(|above| above.cards() == cards + 1) {
                    Some(above) => above,
                    None => self.journal.keys(cards + 1).ok_or_else(gone)?.0,
                };
                self.next_layer(&above, self.counts(cards + 1), desk)?
            }
        };
        if is_kept {
            self.resumed.fetch_add(layer.count(), Ordering::Relaxed);
        } else {
            self.journal.keep_keys(&layer, placements)?;
        }
        if self.counts_only {
            self.journal.forget_keys(cards + 2);
        }
        let states = layer.count();
        self.found()[cards] = Some((states, placements));
        *above = Some(layer);
        Ok(Receipt::Found { cards: cards as u64, states, placements })
    }

    fn value(
        &self,
        cards: usize,
        kept: &mut Option<(usize, Worth)>,
        desk: &dyn Desk,
    ) -> Result<Receipt, Error> {
        if cards <= self.valued() {
            // An earlier run came further than its receipts say.
            let (meta, bytes) = self.journal.section(cards).ok_or_else(gone)?;
            let (states, lost, bytes) = (meta.shape.count, meta.lost, bytes.len() as u64);
            return Ok(Receipt::Valued { cards: cards as u64, states, lost, bytes });
        }
        let below = match kept.take() {
            Some((level, worth)) if level + 1 == cards => worth,
            _ if cards == 1 => Worth::of_the_end(self.build.size.stacks()),
            _ => self.worth_kept(cards - 1).ok_or_else(gone)?,
        };
        let layer = self.journal.keys(cards).ok_or_else(gone)?.0;
        let all = self.counts(0);
        let before = (1..cards).filter_map(|cards| self.found()[cards]).map(|(states, _)| states).sum();
        let worth = self.worth(&layer, &below, Passed { before, resumed: self.valued(), all: &all }, desk)?;
        let (meta, bytes) = section(&layer, &worth)?;
        self.journal.keep_section(cards, &meta, &bytes)?;
        let bytes = bytes.len() as u64;
        let chances: Vec<&[(u64, f64)]> = worth.shards().iter().map(WorthShard::entries).collect();
        self.journal.keep_worth(cards, &chances)?;
        *kept = Some((cards, worth));
        Ok(Receipt::Valued { cards: cards as u64, states: layer.count(), lost: meta.lost, bytes })
    }

    fn write(&self, kept: &mut Option<(usize, Worth)>) -> Result<Receipt, Error> {
        let cards = self.build.size.cards();
        let worth = match kept.take() {
            Some((level, worth)) if level == cards => worth,
            _ => self.worth_kept(cards).ok_or_else(gone)?,
        };
        let start = worth.shards().iter().flat_map(WorthShard::entries).map(|&(_, chance)| chance).next();
        let counts = self.counts(0);
        let totals = Totals { start: start.unwrap_or(0.0), placements: counts.placements };
        self.assemble(totals, counts.states)?;
        let table = self.build.folder.open(self.build.size)?;
        let file = self.build.folder.file(self.build.size);
        let file = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Receipt::Written {
            file,
            bytes: table.length(),
            states: table.states(),
            start: table.totals().start,
        })
    }

    /// The layer below, and how many placements led to it.
    fn next_layer(&self, above: &Layer, so_far: Counts, desk: &dyn Desk) -> Result<(Layer, u64), Error> {
        let cards = above.cards() - 1;
        let target = Cutting::of(Ranking::of(above.stacks()), cards);
        let mut sets: Vec<KeySet> = (0..target.shards()).map(|_| KeySet::new(target.inner_bits())).collect();
        let threads = rayon::current_num_threads();
        let empty = || Buckets::of(above.stacks(), cards).from_origin(Origin::FreeStacks);
        let mut buckets: Vec<Buckets> = (0..threads).map(|_| empty()).collect();
        let (mut from, mut expanded) = (0, 0);
        while from < above.shards().len() {
            self.check_stop(desk)?;
            let (mut to, mut states) = (from, 0);
            while to < above.shards().len() && (states < BLOCK_STATES || to - from < 8 * threads) {
                states += above.shards()[to].count();
                to += 1;
            }
            let next = AtomicUsize::new(from);
            buckets.par_iter_mut().for_each(|buckets| {
                buckets.clear();
                loop {
                    let shard = next.fetch_add(1, Ordering::Relaxed);
                    if shard >= to {
                        break;
                    }
                    buckets.fill(above, shard);
                }
            });
            sets.par_iter_mut().enumerate().for_each(|(shard, set)| {
                buckets.iter().for_each(|buckets| set.extend(buckets.bucket(shard)));
            });
            from = to;
            expanded += states;
            let waiting = buckets.iter().map(|buckets| buckets.waiting() as u64 * 8).sum::<u64>();
            let held = sets.iter().map(KeySet::bytes).sum::<u64>() + waiting + above.bytes();
            if held > self.build.memory {
                return Err(Error::too_large("bytes of memory for the build", held, self.build.memory));
            }
            let done = so_far.states - above.count() + expanded;
            (self.build.progress)(Progress {
                phase: Phase::Forward,
                cards,
                states: so_far.states + sets.iter().map(|set| set.len() as u64).sum::<u64>(),
                fraction: HALF * (done as f64 / self.build.size.estimate() as f64).min(1.0),
                resumed: HALF * (so_far.resumed as f64 / self.build.size.estimate() as f64).min(1.0),
            });
        }
        let placements = buckets.iter().map(Buckets::placements).sum();
        drop(buckets);
        let shards = sets.into_par_iter().map(KeySet::into_shard).collect();
        Ok((Layer::of_shards(above.stacks(), cards, shards)?, placements))
    }

    fn worth(
        &self,
        layer: &Layer,
        below: &Worth,
        passed: Passed<'_>,
        desk: &dyn Desk,
    ) -> Result<Worth, Error> {
        let count = layer.count();
        // Sixteen bytes a state and the beginnings of drawers, for this layer and the one below.
        let held = below.bytes() + layer.bytes() + count * 24;
        if held > self.build.memory {
            return Err(Error::too_large("bytes of memory for the build", held, self.build.memory));
        }
        let done = AtomicU64::new(0);
        let shards: Result<Vec<WorthShard>, Error> = (0..layer.shards().len())
            .into_par_iter()
            .map(|shard| {
                self.check_stop(desk)?;
                let made = WorthShard::new(layer, shard, &chances(layer, shard, below)?);
                let states = layer.shards()[shard].count();
                let done = passed.before + done.fetch_add(states, Ordering::Relaxed) + states;
                let part = |states: u64| HALF * states as f64 / passed.all.states.max(1) as f64;
                (self.build.progress)(Progress {
                    phase: Phase::Backward,
                    cards: layer.cards(),
                    states: passed.all.states,
                    fraction: HALF + part(done),
                    resumed: if passed.resumed > 0 || passed.all.resumed >= passed.all.states {
                        HALF
                    } else {
                        part(passed.all.resumed)
                    },
                });
                Ok(made)
            })
            .collect();
        Ok(Worth::new(layer, shards?))
    }

    fn assemble(&self, totals: Totals, states: u64) -> Result<(), Error> {
        let mut metas: Vec<LayerMeta> = Vec::new();
        for cards in 1..=self.build.size.cards() {
            metas.push(self.journal.section(cards).ok_or_else(gone)?.0);
        }
        let (offsets, length) = offsets(&metas);
        let path = self.build.folder.file(self.build.size);
        let mut lost = false;
        let written = write_whole(&path, |out| {
            let head = header(self.build.size, totals, &metas);
            out.write_all(&head)?;
            let mut at = head.len() as u64;
            for (i, &offset) in offsets.iter().enumerate() {
                let Some((_, bytes)) = self.journal.section(i + 1) else {
                    lost = true;
                    return Err(std::io::ErrorKind::NotFound.into());
                };
                out.write_all(&vec![0; (offset - at) as usize])?;
                out.write_all(&bytes)?;
                at = offset + bytes.len() as u64;
                (self.build.progress)(Progress {
                    phase: Phase::Writing,
                    cards: i + 1,
                    states,
                    fraction: at as f64 / length as f64,
                    resumed: 0.0,
                });
            }
            Ok(())
        });
        if lost { Err(gone()) } else { written }
    }
}

fn gone() -> Error {
    Error::new("damaged_table", "a finished level of the build has gone").hint("build again")
}

/// What the forward pass has counted.
#[derive(Debug, Clone, Copy)]
struct Counts {
    states: u64,
    placements: u64,
    /// States that the journal knew.
    resumed: u64,
}

/// Where a layer stands in the backward pass.
#[derive(Clone, Copy)]
struct Passed<'c> {
    before: u64,
    resumed: usize,
    all: &'c Counts,
}

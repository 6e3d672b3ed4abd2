//! The build: forward from the start to the last card to find all states, keeping two layers in memory, then backward to find
//! what they are worth, keeping the chances of two layers. Every finished layer goes to the journal, so an interrupted build goes on
//! there.

use super::folder::Folder;
use super::journal::{Journal, write_whole};
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
use std::io::{BufWriter, Write};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

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
        if let Ok(table) = self.folder.open(self.size) {
            return Ok(table);
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads.unwrap_or(0)).build();
        let pool = pool.map_err(|error| Error::new("no_threads", error.to_string()))?;
        pool.install(|| {
            let journal = Journal::open(self.folder.journal(self.size), self.size)?;
            let counts = self.forward(&journal)?;
            let totals = self.backward(&journal, &counts)?;
            self.assemble(&journal, totals, counts.states)?;
            journal.remove()
        })?;
        self.folder.open(self.size)
    }

    fn check_stop(&self) -> Result<(), Error> {
        if (self.stop)() {
            let message = "the build was interrupted; what is finished is kept";
            return Err(Error::new("interrupted", message).hint("the same command goes on where it was"));
        }
        Ok(())
    }

    fn forward(&self, journal: &Journal) -> Result<Counts, Error> {
        let start = TwoChains::start(self.size.stacks(), self.size.ranks(), self.size.ranks());
        let mut counts = Counts { states: 0, placements: 0, resumed: 0 };
        let mut above: Option<Layer> = None;
        for cards in (0..=self.size.cards()).rev() {
            let (layer, placements) = match (journal.keys(cards), &above) {
                (Some(kept), _) => {
                    counts.resumed += kept.0.count();
                    kept
                }
                (None, Some(above)) => {
                    let made = self.next_layer(above, counts)?;
                    journal.keep_keys(&made.0, made.1)?;
                    made
                }
                (None, None) => {
                    let layer = Layer::of_state(&start);
                    journal.keep_keys(&layer, 0)?;
                    (layer, 0)
                }
            };
            counts.placements += placements;
            counts.states += if cards > 0 { layer.count() } else { 0 };
            above = Some(layer);
        }
        Ok(counts)
    }

    /// The layer below, and how many placements led to it.
    fn next_layer(&self, above: &Layer, so_far: Counts) -> Result<(Layer, u64), Error> {
        let cards = above.cards() - 1;
        let target = Cutting::of(Ranking::of(above.stacks()), cards);
        let mut sets: Vec<KeySet> = (0..target.shards()).map(|_| KeySet::new(target.inner_bits())).collect();
        let threads = rayon::current_num_threads();
        let empty = || Buckets::of(above.stacks(), cards).from_origin(Origin::FreeStacks);
        let mut buckets: Vec<Buckets> = (0..threads).map(|_| empty()).collect();
        let (mut from, mut expanded) = (0, 0);
        while from < above.shards().len() {
            self.check_stop()?;
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
            if held > self.memory {
                return Err(Error::too_large("bytes of memory for the build", held, self.memory));
            }
            let done = so_far.states - above.count() + expanded;
            (self.progress)(Progress {
                phase: Phase::Forward,
                cards,
                states: so_far.states + sets.iter().map(|set| set.len() as u64).sum::<u64>(),
                fraction: HALF * (done as f64 / self.size.estimate() as f64).min(1.0),
                resumed: HALF * (so_far.resumed as f64 / self.size.estimate() as f64).min(1.0),
            });
        }
        let placements = buckets.iter().map(Buckets::placements).sum();
        drop(buckets);
        let shards = sets.into_par_iter().map(KeySet::into_shard).collect();
        Ok((Layer::of_shards(above.stacks(), cards, shards)?, placements))
    }

    fn backward(&self, journal: &Journal, counts: &Counts) -> Result<Totals, Error> {
        let missing =
            || Error::new("damaged_table", "a finished layer of the build has gone").hint("build again");
        let sections = (1..=self.size.cards()).take_while(|&cards| journal.section(cards).is_some()).count();
        // The last layer whose exact chances are kept, with all sections up to it.
        let mut done = 0;
        let mut below = Worth::of_the_end(self.size.stacks());
        for cards in (1..=sections).rev() {
            let layer = journal.keys(cards).ok_or_else(missing)?.0;
            if let Some(kept) = journal.worth(&layer) {
                let shards = kept.iter().enumerate().map(|(i, chances)| WorthShard::new(&layer, i, chances));
                below = Worth::new(&layer, shards.collect());
                done = cards;
                break;
            }
        }
        let mut finished = 0;
        for cards in 1..=self.size.cards() {
            let layer = journal.keys(cards).ok_or_else(missing)?.0;
            if cards > done {
                below =
                    self.worth(&layer, &below, Passed { before: finished, resumed: done, all: counts })?;
                let (meta, bytes) = section(&layer, &below)?;
                journal.keep_section(cards, &meta, &bytes)?;
                drop(bytes);
                let chances: Vec<&[(u64, f64)]> = below.shards().iter().map(WorthShard::entries).collect();
                journal.keep_worth(cards, &chances)?;
            }
            finished += layer.count();
        }
        let start = below.shards().iter().flat_map(WorthShard::entries).map(|&(_, chance)| chance).next();
        Ok(Totals { start: start.unwrap_or(0.0), placements: counts.placements })
    }

    fn worth(&self, layer: &Layer, below: &Worth, passed: Passed<'_>) -> Result<Worth, Error> {
        let count = layer.count();
        // Sixteen bytes a state and the beginnings of drawers, for this layer and the one below.
        let held = below.bytes() + layer.bytes() + count * 24;
        if held > self.memory {
            return Err(Error::too_large("bytes of memory for the build", held, self.memory));
        }
        let done = AtomicU64::new(0);
        let shards: Result<Vec<WorthShard>, Error> = (0..layer.shards().len())
            .into_par_iter()
            .map(|shard| {
                self.check_stop()?;
                let made = WorthShard::new(layer, shard, &chances(layer, shard, below)?);
                let states = layer.shards()[shard].count();
                let done = passed.before + done.fetch_add(states, Ordering::Relaxed) + states;
                let part = |states: u64| HALF * states as f64 / passed.all.states.max(1) as f64;
                (self.progress)(Progress {
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

    fn assemble(&self, journal: &Journal, totals: Totals, states: u64) -> Result<(), Error> {
        let gone =
            || Error::new("damaged_table", "a finished part of the build has gone").hint("build again");
        let mut metas: Vec<LayerMeta> = Vec::new();
        for cards in 1..=self.size.cards() {
            metas.push(journal.section(cards).ok_or_else(gone)?.0);
        }
        let (offsets, length) = offsets(&metas);
        let path = self.folder.file(self.size);
        let mut lost = false;
        let written = write_whole(&path, |file| {
            let mut out = BufWriter::with_capacity(1 << 20, file);
            let head = header(self.size, totals, &metas);
            out.write_all(&head)?;
            let mut at = head.len() as u64;
            for (i, &offset) in offsets.iter().enumerate() {
                let Some((_, bytes)) = journal.section(i + 1) else {
                    lost = true;
                    return Err(std::io::ErrorKind::NotFound.into());
                };
                out.write_all(&vec![0; (offset - at) as usize])?;
                out.write_all(&bytes)?;
                at = offset + bytes.len() as u64;
                (self.progress)(Progress {
                    phase: Phase::Writing,
                    cards: i + 1,
                    states,
                    fraction: at as f64 / length as f64,
                    resumed: 0.0,
                });
            }
            out.into_inner().map_err(std::io::IntoInnerError::into_error)
        });
        if lost { Err(gone()) } else { written }
    }
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

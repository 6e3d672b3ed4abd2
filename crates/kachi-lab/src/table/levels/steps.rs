//! What is done at each level: forward two layers are kept in memory, backward the chances of two layers.

use super::{Counts, Levels, Receipt};
use crate::table::build::{Phase, Progress, interrupted};
use crate::work::Desk;
use crate::work::store::write_whole;
use calculation::table::Layer;
use calculation::table::backward::{Worth, WorthShard, chances};
use calculation::table::build::section;
use calculation::table::file::{LayerMeta, Totals, header, offsets};
use calculation::table::forward::{Buckets, KeySet, Origin};
use calculation::table::layer::Cutting;
use calculation::theory::TwoChains;
use calculation::theory::rank::Ranking;
use kachi_core::Error;
use rayon::prelude::*;
use std::io::Write;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// States expanded between two looks at the stop question, at least.
const BLOCK_STATES: u64 = 1 << 19;

/// A pass backward costs about as much as one forward.
const HALF: f64 = 0.5;

impl Levels<'_> {
    fn check_stop(&self, desk: &dyn Desk) -> Result<(), Error> {
        if (self.build.stop)() || desk.stopped() { Err(interrupted()) } else { Ok(()) }
    }

    pub(super) fn find(
        &self,
        cards: usize,
        above: &mut Option<Layer>,
        desk: &dyn Desk,
    ) -> Result<Receipt, Error> {
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

    pub(super) fn value(
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

    pub(super) fn write(&self, kept: &mut Option<(usize, Worth)>) -> Result<Receipt, Error> {
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

/// Where a layer stands in the backward pass.
#[derive(Clone, Copy)]
struct Passed<'c> {
    before: u64,
    resumed: usize,
    all: &'c Counts,
}

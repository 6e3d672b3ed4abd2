//! From the next layer to this one: what each state is worth. The chance of a state is the mean over its unseen cards of the best chance
//! after putting the card on a stack. All placements of a state are looked up together, so that the waits for memory overlap.

pub mod asking;

use super::layer::{Cutting, Layer};
use crate::theory::chains::{AllPlacements, USEFUL, for_stacks};
use crate::theory::rank::Ranking;
use crate::theory::{MOST_CARDS, MOST_STACKS, TwoChains};
use kachi_core::Error;
use multiversion::multiversion;

/// The chances of a whole layer, ready to be looked up.
#[derive(Debug, Clone)]
pub struct Worth {
    stacks: usize,
    cutting: Cutting,
    shards: Vec<WorthShard>,
}

/// The chances of one shard.
#[derive(Debug, Clone)]
pub struct WorthShard {
    /// Where the numbers with each value of the upper bits begin.
    first: Vec<u32>,
    shift: u32,
    entries: Vec<(u64, f64)>,
}

impl WorthShard {
    /// From a shard of a layer and its chances in the same order.
    ///
    /// # Panics
    /// If there are more numbers than chances.
    #[must_use]
    pub fn new(layer: &Layer, shard: usize, chances: &[f64]) -> WorthShard {
        let bits = layer.cutting().inner_bits();
        let count = layer.shards()[shard].count();
        // About two states to a value of the upper bits.
        let upper = (count / 2).max(1).ilog2().min(bits);
        let shift = bits - upper;
        let mut first = Vec::with_capacity((1 << upper) + 1);
        let mut entries = Vec::with_capacity(count as usize);
        for (i, number) in layer.shards()[shard].numbers().enumerate() {
            while first.len() as u64 <= number >> shift {
                first.push(i as u32);
            }
            entries.push((number, chances[i]));
        }
        first.resize((1 << upper) + 1, entries.len() as u32);
        WorthShard { first, shift, entries }
    }

    /// Bytes of memory.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (self.first.capacity() * size_of::<u32>() + self.entries.capacity() * size_of::<(u64, f64)>()) as u64
    }

    /// The numbers with their chances, in order.
    #[must_use]
    pub fn entries(&self) -> &[(u64, f64)] {
        &self.entries
    }
}

impl Worth {
    /// From the shards of a layer, in order.
    #[must_use]
    pub fn new(layer: &Layer, shards: Vec<WorthShard>) -> Worth {
        Worth { stacks: layer.stacks(), cutting: layer.cutting(), shards }
    }

    /// The layer without cards: there is one state, and it is won.
    #[must_use]
    pub fn of_the_end(stacks: usize) -> Worth {
        let layer = Layer::of_state(&TwoChains::start(stacks, 0, 0));
        let shards = (0..layer.shards().len()).map(|shard| WorthShard::new(&layer, shard, &[1.0])).collect();
        Worth::new(&layer, shards)
    }

    /// The shards in order.
    #[must_use]
    pub fn shards(&self) -> &[WorthShard] {
        &self.shards
    }

    /// Bytes of memory.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.shards.iter().map(WorthShard::bytes).sum()
    }

    /// The chance of a state of the layer.
    #[must_use]
    pub fn of(&self, state: &TwoChains) -> Option<f64> {
        let scattered = self.cutting.scatter.there(Ranking::of(self.stacks).rank(&state.canonical()));
        self.chance(scattered, self.first(scattered))
    }

    #[inline(always)]
    fn first(&self, scattered: u64) -> u32 {
        let shard = &self.shards[self.cutting.shard(scattered)];
        shard.first[(self.cutting.inner(scattered) >> shard.shift) as usize]
    }

    /// The chance of a number, searched from where its upper bits begin.
    #[inline(always)]
    fn chance(&self, scattered: u64, first: u32) -> Option<f64> {
        let inner = self.cutting.inner(scattered);
        let entries = &self.shards[self.cutting.shard(scattered)].entries;
        for &(number, chance) in entries.get(first as usize..)? {
            if number >= inner {
                return (number == inner).then_some(chance);
            }
        }
        None
    }
}

/// The chances of the states of one shard, in order, from those of the layer below.
///
/// # Errors
/// `damaged_table` if a state below is missing: the layers do not belong together.
///
/// # Panics
/// If there is no such shard.
pub fn chances(layer: &Layer, shard: usize, below: &Worth) -> Result<Vec<f64>, Error> {
    chances_of(layer, shard, below)
}

/// Compiled also for processors that count bits in one instruction: the words are all bit counts.
#[multiversion(targets("x86_64+popcnt+bmi1+bmi2+lzcnt+avx2"))]
fn chances_of(layer: &Layer, shard: usize, below: &Worth) -> Result<Vec<f64>, Error> {
    for_stacks!(below.stacks, S, chances_on::<S>(layer, shard, below))
}

#[inline(always)]
fn chances_on<const S: usize>(layer: &Layer, shard: usize, below: &Worth) -> Result<Vec<f64>, Error> {
    const MOST: usize = MOST_CARDS * MOST_STACKS;
    let ranking = Ranking::of(S);
    let scatter = below.cutting.scatter;
    let mut all = Vec::with_capacity(layer.shards()[shard].count() as usize);
    let mut missing = false;
    let mut placed = AllPlacements::new();
    let mut keys = [0u64; MOST];
    let mut first = [0u32; MOST];
    for state in layer.states(shard) {
        state.place_all_on::<S, USEFUL>(&mut placed);
        let count = placed.states().len();
        for (key, after) in keys.iter_mut().zip(placed.states()) {
            *key = scatter.there(ranking.rank_on::<S>(&after.canonical_on::<S>()));
        }
        for (first, &key) in first.iter_mut().zip(&keys[..count]) {
            *first = below.first(key);
        }
        let (mut sum, mut start) = (0.0, 0);
        for &end in placed.ends() {
            let mut best = 0.0;
            for i in start..usize::from(end) {
                match below.chance(keys[i], first[i]) {
                    Some(chance) => best = f64::max(best, chance),
                    None => missing = true,
                }
            }
            sum += best;
            start = usize::from(end);
        }
        all.push(sum / state.cards() as f64);
    }
    if missing || all.len() as u64 != layer.shards()[shard].count() {
        return Err(Error::new("damaged_table", "two layers of the table do not belong together"));
    }
    Ok(all)
}

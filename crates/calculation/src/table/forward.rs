//! From one layer to the next: which states can be reached. Keys of placements are sorted into buckets, one for every shard of
//! the next layer, and every shard's bucket is then put into that shard's set, which is small enough for a cache. Buckets are
//! filled from independent parts of the layer and shards are filled independently of each other.

use super::layer::{Cutting, Layer, Shard};
use super::parallel::{each, each_mut, each_owned};
use crate::theory::chains::{AllPlacements, EVERY, LOWEST, for_stacks};
use crate::theory::rank::Ranking;
use multiversion::multiversion;

/// What all layers came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// States in which every stack was free: then a part of the placements leads to everything, since cards on different stacks may
    /// be put down in any order.
    FreeStacks,
    /// Any states.
    Any,
}

/// Scattered inner numbers of placements, by the shard of the next layer.
#[derive(Debug, Clone)]
pub struct Buckets {
    buckets: Vec<Vec<u64>>,
    placements: u64,
    origin: Origin,
}

impl Buckets {
    /// Empty buckets for the layer with so many cards.
    #[must_use]
    pub fn of(stacks: usize, cards: usize) -> Buckets {
        let shards = Cutting::of(Ranking::of(stacks), cards).shards();
        Buckets { buckets: vec![Vec::new(); shards], placements: 0, origin: Origin::Any }
    }

    /// The same buckets for layers that came from this.
    #[must_use]
    pub fn from_origin(self, origin: Origin) -> Buckets {
        Buckets { origin, ..self }
    }

    /// Adds what comes of the states of one shard of the layer above.
    ///
    /// # Panics
    /// If there is no such shard, or the buckets are for another layer.
    pub fn fill(&mut self, above: &Layer, shard: usize) {
        fill(self, above, shard);
    }

    /// What lies in one bucket.
    ///
    /// # Panics
    /// If there is no such shard.
    #[must_use]
    pub fn bucket(&self, shard: usize) -> &[u64] {
        &self.buckets[shard]
    }

    /// How many buckets there are: as many as the layer has shards.
    #[must_use]
    pub fn shards(&self) -> usize {
        self.buckets.len()
    }

    /// How many placements the states have that were expanded since the buckets were made, also those that were not needed.
    #[must_use]
    pub fn placements(&self) -> u64 {
        self.placements
    }

    /// How many wait in the buckets.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.buckets.iter().map(Vec::len).sum()
    }

    /// Empties the buckets, keeping their memory.
    pub fn clear(&mut self) {
        self.buckets.iter_mut().for_each(Vec::clear);
    }
}

/// Compiled also for processors that count bits in one instruction: the words are all bit counts.
#[multiversion(targets("x86_64+popcnt+bmi1+bmi2+lzcnt+avx2"))]
fn fill(buckets: &mut Buckets, above: &Layer, shard: usize) {
    match buckets.origin {
        Origin::FreeStacks => {
            for_stacks!(above.stacks(), S, fill_on::<S, LOWEST>(buckets, above, shard));
        }
        Origin::Any => for_stacks!(above.stacks(), S, fill_on::<S, EVERY>(buckets, above, shard)),
    }
}

#[inline(always)]
fn fill_on<const S: usize, const WHICH: u8>(into: &mut Buckets, above: &Layer, shard: usize) {
    let ranking = Ranking::of(S);
    let cutting = Cutting::of(ranking, above.cards() - 1);
    let mut all = AllPlacements::new();
    for state in above.states(shard) {
        state.place_all_on::<S, WHICH>(&mut all);
        for after in all.states() {
            let scattered = cutting.scatter.there(ranking.rank_on::<S>(&after.canonical_on::<S>()));
            into.buckets[cutting.shard(scattered)].push(cutting.inner(scattered));
        }
        into.placements += all.live() as u64;
    }
}

/// The set of a shard's inner numbers while it is being filled: open addressing in the order of the numbers, which scattering makes
/// even.
#[derive(Debug, Clone)]
pub struct KeySet {
    slots: Vec<u64>,
    count: usize,
    bits: u32,
}

const EMPTY: u64 = u64::MAX;
const SMALLEST: usize = 16;

impl KeySet {
    /// An empty set of numbers below 2^`bits`.
    #[must_use]
    pub fn new(bits: u32) -> KeySet {
        KeySet { slots: Vec::new(), count: 0, bits }
    }

    /// Puts numbers in.
    pub fn extend(&mut self, numbers: &[u64]) {
        for &number in numbers {
            // Full to four fifths at most.
            if (self.count + 1) * 5 > self.slots.len() * 4 {
                self.grow();
            }
            self.insert(number);
        }
    }

    /// How many numbers there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Bytes of memory.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (self.slots.capacity() * size_of::<u64>()) as u64
    }

    /// The set as a shard.
    #[must_use]
    pub fn into_shard(self) -> Shard {
        let mut numbers = self.slots;
        numbers.retain(|&number| number != EMPTY);
        numbers.sort_unstable();
        Shard::of_sorted(&numbers)
    }

    #[inline(always)]
    fn insert(&mut self, number: u64) {
        let slots = self.slots.len();
        let mut slot = ((u128::from(number) * slots as u128) >> self.bits) as usize;
        loop {
            let there = self.slots[slot];
            if there == number {
                return;
            }
            if there == EMPTY {
                self.slots[slot] = number;
                self.count += 1;
                return;
            }
            slot += 1;
            if slot == slots {
                slot = 0;
            }
        }
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 3 / 2).max(SMALLEST);
        let old = std::mem::replace(&mut self.slots, vec![EMPTY; size]);
        self.count = 0;
        for number in old {
            if number != EMPTY {
                self.insert(number);
            }
        }
    }
}

/// The next layer, and how many placements its states above have: `spend` is told every now and then how many states were expanded and how many bytes are in use, and may stop the work.
///
/// # Errors
/// Whatever `spend` answers.
pub fn next_layer<E>(
    above: &Layer,
    origin: Origin,
    mut spend: impl FnMut(u64, u64) -> Result<(), E>,
) -> Result<(Layer, u64), E> {
    /// States that are expanded before their placements are put into the sets.
    const BATCH: u64 = 1 << 17;
    let cards = above.cards() - 1;
    let cutting = Cutting::of(Ranking::of(above.stacks()), cards);
    let mut sets: Vec<KeySet> = (0..cutting.shards()).map(|_| KeySet::new(cutting.inner_bits())).collect();
    let (mut shard, mut placements) = (0, 0);
    while shard < above.shards().len() {
        let begin = shard;
        let mut expanded = 0;
        while shard < above.shards().len() && expanded < BATCH {
            expanded += above.shards()[shard].count();
            shard += 1;
        }
        // A few parts, so that every core has one to fill; which shard is in which part changes nothing.
        let parts = (shard - begin).min(PARTS);
        let filled = each(parts, |part| {
            let mut buckets = Buckets::of(above.stacks(), cards).from_origin(origin);
            (begin + part..shard).step_by(parts).for_each(|shard| buckets.fill(above, shard));
            buckets
        });
        each_mut(&mut sets, |shard, set| filled.iter().for_each(|buckets| set.extend(buckets.bucket(shard))));
        placements += filled.iter().map(Buckets::placements).sum::<u64>();
        let waiting = filled.iter().flat_map(|buckets| &buckets.buckets).map(|bucket| bucket.capacity() * 8);
        let waiting = waiting.sum::<usize>() as u64;
        let in_sets: u64 = sets.iter().map(KeySet::bytes).sum();
        spend(expanded, in_sets + waiting)?;
    }
    let shards = each_owned(sets, KeySet::into_shard);
    let layer = Layer::of_shards(above.stacks(), cards, shards);
    Ok((layer.unwrap_or_else(|_| unreachable!("as many shards as sets")), placements))
}

/// Parts of a batch that are filled independently.
const PARTS: usize = 8;

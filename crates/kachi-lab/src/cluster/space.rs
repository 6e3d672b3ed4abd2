//! States by level, as the forward pass sees them: what the shards of a level hold, and what comes of a shard on the next level.

use super::mail::Body;
use super::parts::Kept;
use calculation::table::Layer;
use calculation::table::Size;
use calculation::table::forward::{Buckets, KeySet, Origin};
use calculation::table::layer::{Cutting, Shard};
use calculation::theory::TwoChains;
use calculation::theory::poset::Poset;
use calculation::theory::rank::Ranking;
use kachi_core::Error;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use xxhash_rust::xxh3::xxh3_64;

/// All states that can come of a start, level by level. Level 0 is the start alone.
pub(super) trait Space: Sync {
    /// A shard while it is being filled.
    type Set;
    /// Finished shards of a level.
    type Level;
    /// States of the next level on their way, by shard.
    type Outbox;

    /// A number that changes with everything that the levels depend on.
    fn fingerprint(&self) -> u64;
    /// How many levels there are.
    fn levels(&self) -> usize;
    /// Into how many shards a level is cut.
    fn shards(&self, level: usize) -> usize;
    /// The shard of the start, and its number.
    fn start(&self) -> (usize, Kept);
    /// An empty shard.
    fn set(&self, level: usize) -> Self::Set;
    /// Puts states into a shard; those it has already are kept once.
    fn put(&self, level: usize, set: &mut Self::Set, body: &Body) -> Result<(), Error>;
    /// Bytes of memory of a shard that is being filled.
    fn held(&self, set: &Self::Set) -> u64;
    /// The shard, finished: the same bytes in whatever order the states came.
    fn finish(&self, level: usize, set: Self::Set) -> Kept;
    /// Finished shards of a level, ready to be expanded.
    fn level(&self, level: usize, shards: BTreeMap<usize, Kept>) -> Result<Self::Level, Error>;
    /// An empty outbox for a level.
    fn outbox(&self, level: usize) -> Self::Outbox;
    /// Adds what comes of a shard of the level above.
    fn expand(&self, above: &Self::Level, shard: usize, outbox: &mut Self::Outbox);
    /// How many placements were found since the outbox was made.
    fn placements(&self, outbox: &Self::Outbox) -> u64;
    /// Empties the outbox, shard by shard; `remote` tells where bytes are better than numbers.
    fn ship(
        &self,
        outbox: &mut Self::Outbox,
        remote: &dyn Fn(usize) -> bool,
        each: &mut dyn FnMut(usize, Body),
    );
}

/// The two-chain game of a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chains(pub(super) Size);

impl Chains {
    /// Cards left in the states of a level.
    pub(super) fn cards(&self, level: usize) -> usize {
        self.0.cards() - level
    }

    pub(super) fn cutting(&self, level: usize) -> Cutting {
        Cutting::of(Ranking::of(self.0.stacks()), self.cards(level))
    }
}

/// The gaps of a shard with their number before them.
pub(super) fn packed(shard: &Shard) -> Vec<u8> {
    let mut bytes = shard.count().to_le_bytes().to_vec();
    bytes.extend(shard.bytes());
    bytes
}

/// A shard from what [`packed`] gave.
pub(super) fn unpacked(bytes: &[u8], bits: u32) -> Result<Shard, Error> {
    let (count, gaps) = bytes.split_at_checked(8).ok_or_else(garbled)?;
    let count = u64::from_le_bytes(count.try_into().map_err(|_| garbled())?);
    Shard::from_bytes(count, gaps.to_vec(), bits)
}

pub(super) fn garbled() -> Error {
    Error::new("bad_letter", "a letter from another worker cannot be read")
}

impl Space for Chains {
    type Set = KeySet;
    type Level = Layer;
    type Outbox = Buckets;

    fn fingerprint(&self) -> u64 {
        let name = calculation::table::file::name(self.0);
        xxh3_64(format!("two chains, {name}").as_bytes())
    }

    fn levels(&self) -> usize {
        self.0.cards()
    }

    fn shards(&self, level: usize) -> usize {
        self.cutting(level).shards()
    }

    fn start(&self) -> (usize, Kept) {
        let layer = Layer::of_state(&TwoChains::start(self.0.stacks(), self.0.ranks(), self.0.ranks()));
        let at = layer.shards().iter().position(|shard| shard.count() > 0).unwrap_or(0);
        let shard = &layer.shards()[at];
        (at, Kept { count: shard.count(), bytes: shard.bytes().to_vec() })
    }

    fn set(&self, level: usize) -> KeySet {
        KeySet::new(self.cutting(level).inner_bits())
    }

    fn put(&self, level: usize, set: &mut KeySet, body: &Body) -> Result<(), Error> {
        match body {
            Body::Numbers(numbers) => set.extend(numbers),
            Body::Bytes(bytes) => {
                let shard = unpacked(bytes, self.cutting(level).inner_bits())?;
                set.extend(&shard.numbers().collect::<Vec<u64>>());
            }
        }
        Ok(())
    }

    fn held(&self, set: &KeySet) -> u64 {
        set.bytes()
    }

    fn finish(&self, _: usize, set: KeySet) -> Kept {
        let shard = set.into_shard();
        Kept { count: shard.count(), bytes: shard.bytes().to_vec() }
    }

    fn level(&self, level: usize, mut shards: BTreeMap<usize, Kept>) -> Result<Layer, Error> {
        let bits = self.cutting(level).inner_bits();
        let all: Result<Vec<Shard>, Error> = (0..self.shards(level))
            .map(|i| match shards.remove(&i) {
                Some(kept) => Shard::from_bytes(kept.count, kept.bytes, bits),
                None => Ok(Shard::default()),
            })
            .collect();
        Layer::of_shards(self.0.stacks(), self.cards(level), all?)
    }

    fn outbox(&self, level: usize) -> Buckets {
        Buckets::of(self.0.stacks(), self.cards(level)).from_origin(Origin::FreeStacks)
    }

    fn expand(&self, above: &Layer, shard: usize, outbox: &mut Buckets) {
        outbox.fill(above, shard);
    }

    fn placements(&self, outbox: &Buckets) -> u64 {
        outbox.placements()
    }

    fn ship(&self, outbox: &mut Buckets, remote: &dyn Fn(usize) -> bool, each: &mut dyn FnMut(usize, Body)) {
        let mut sorted = Vec::new();
        for shard in 0..outbox.shards() {
            let numbers = outbox.bucket(shard);
            if numbers.is_empty() {
                continue;
            }
            if remote(shard) {
                sorted.clear();
                sorted.extend_from_slice(numbers);
                sorted.sort_unstable();
                sorted.dedup();
                each(shard, Body::Bytes(packed(&Shard::of_sorted(&sorted))));
            } else {
                each(shard, Body::Numbers(numbers.to_vec()));
            }
        }
        outbox.clear();
    }
}

/// The stack game of any number of chains, as it is defined: each state is its canonical poset.
#[derive(Debug, Clone, Copy)]
pub(super) struct Posets {
    pub(super) stacks: usize,
    pub(super) chains: usize,
    pub(super) start: Poset,
}

/// Shards of a level of posets.
const SHARDS: usize = 512;

impl Posets {
    pub(super) fn new(stacks: usize, chains: usize, length: usize) -> Result<Posets, Error> {
        Ok(Posets { stacks, chains, start: Poset::start(stacks, chains, length)?.canonical() })
    }

    fn width(&self, level: usize) -> usize {
        Poset::width(self.start.cards() - level)
    }
}

/// Finished shards of posets, one after the other as bytes.
pub(super) struct Written {
    shards: BTreeMap<usize, Kept>,
    cards: usize,
}

impl Space for Posets {
    type Set = FxHashSet<Box<[u8]>>;
    type Level = Written;
    type Outbox = Vec<Vec<u8>>;

    fn fingerprint(&self) -> u64 {
        let Posets { stacks, chains, start } = self;
        xxh3_64(format!("posets, {stacks} stacks, {chains} chains, {} cards", start.cards()).as_bytes())
    }

    fn levels(&self) -> usize {
        self.start.cards()
    }

    fn shards(&self, _: usize) -> usize {
        SHARDS
    }

    fn start(&self) -> (usize, Kept) {
        let bytes = self.start.to_bytes();
        (shard_of(&bytes), Kept { count: 1, bytes })
    }

    fn set(&self, _: usize) -> Self::Set {
        FxHashSet::default()
    }

    fn put(&self, level: usize, set: &mut Self::Set, body: &Body) -> Result<(), Error> {
        let Body::Bytes(bytes) = body else { return Err(garbled()) };
        let states = bytes.chunks_exact(self.width(level).max(1));
        if !states.remainder().is_empty() {
            return Err(garbled());
        }
        for state in states {
            if !set.contains(state) {
                set.insert(state.into());
            }
        }
        Ok(())
    }

    fn held(&self, set: &Self::Set) -> u64 {
        // A pointer, a length, a byte of the table, and the state with what its allocation costs.
        set.iter().next().map_or(0, |state| (set.capacity() * 17 + set.len() * (state.len() + 16)) as u64)
    }

    fn finish(&self, _: usize, set: Self::Set) -> Kept {
        let mut states: Vec<Box<[u8]>> = set.into_iter().collect();
        states.sort_unstable();
        Kept { count: states.len() as u64, bytes: states.concat() }
    }

    fn level(&self, level: usize, shards: BTreeMap<usize, Kept>) -> Result<Written, Error> {
        let width = self.width(level) as u64;
        if shards.values().any(|kept| kept.bytes.len() as u64 != kept.count * width) {
            return Err(Error::new("damaged_table", "a part of a level does not hold what it says"));
        }
        Ok(Written { shards, cards: self.start.cards() - level })
    }

    fn outbox(&self, _: usize) -> Self::Outbox {
        vec![Vec::new(); SHARDS]
    }

    fn expand(&self, above: &Written, shard: usize, outbox: &mut Self::Outbox) {
        let Some(kept) = above.shards.get(&shard) else { return };
        for bytes in kept.bytes.chunks_exact(Poset::width(above.cards).max(1)) {
            Poset::from_bytes(self.stacks, bytes).for_each_next(|next| {
                let bytes = next.to_bytes();
                outbox[shard_of(&bytes)].extend(bytes);
            });
        }
    }

    /// Only tables need to know.
    fn placements(&self, _: &Self::Outbox) -> u64 {
        0
    }

    fn ship(&self, outbox: &mut Self::Outbox, _: &dyn Fn(usize) -> bool, each: &mut dyn FnMut(usize, Body)) {
        for (shard, bytes) in outbox.iter_mut().enumerate().filter(|(_, bytes)| !bytes.is_empty()) {
            each(shard, Body::Bytes(std::mem::take(bytes)));
        }
    }
}

fn shard_of(state: &[u8]) -> usize {
    (xxh3_64(state) >> 55) as usize
}

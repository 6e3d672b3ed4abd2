//! All states with the same number of cards left: their scattered numbers in order, cut into shards by their upper bits, each shard kept
//! as the gaps between neighbours in a variable-length code (about two bytes a state).

use super::scatter::Scatter;
use crate::theory::TwoChains;
use crate::theory::rank::Ranking;
use kachi_core::Error;

/// Shards of a layer, as a power of two: small enough that the set of a shard fits a processor's cache.
const SHARD_BITS: u32 = 9;

/// How the numbers of a layer are cut into shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cutting {
    /// The scattering of the layer's numbers.
    pub scatter: Scatter,
    shard_bits: u32,
}

impl Cutting {
    /// For the states with so many cards.
    #[must_use]
    pub fn of(ranking: &Ranking, cards: usize) -> Cutting {
        let scatter = Scatter::of(ranking, cards);
        Cutting { scatter, shard_bits: SHARD_BITS.min(scatter.bits().saturating_sub(1)) }
    }

    /// How many shards there are.
    #[must_use]
    pub fn shards(&self) -> usize {
        1 << self.shard_bits
    }

    /// Bits of a number within its shard.
    #[inline(always)]
    #[must_use]
    pub fn inner_bits(&self) -> u32 {
        self.scatter.bits() - self.shard_bits
    }

    /// The shard of a scattered number.
    #[inline(always)]
    #[must_use]
    pub fn shard(&self, scattered: u64) -> usize {
        (scattered >> self.inner_bits()) as usize
    }

    /// The number within its shard.
    #[inline(always)]
    #[must_use]
    pub fn inner(&self, scattered: u64) -> u64 {
        scattered & ((1 << self.inner_bits()) - 1)
    }

    /// The scattered number from its shard and the number within.
    #[inline(always)]
    #[must_use]
    pub fn whole(&self, shard: usize, inner: u64) -> u64 {
        (shard as u64) << self.inner_bits() | inner
    }
}

/// One shard of a layer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shard {
    count: u64,
    gaps: Vec<u8>,
}

impl Shard {
    /// From the inner numbers in increasing order.
    #[must_use]
    pub fn of_sorted(inner: &[u64]) -> Shard {
        let mut gaps = Vec::with_capacity(inner.len() * 2 + 8);
        let mut expected = 0;
        for &number in inner {
            let mut gap = number - expected;
            while gap >= 0x80 {
                gaps.push(gap as u8 | 0x80);
                gap >>= 7;
            }
            gaps.push(gap as u8);
            expected = number + 1;
        }
        gaps.shrink_to_fit();
        Shard { count: inner.len() as u64, gaps }
    }

    /// From what [`Shard::bytes`] gave.
    ///
    /// # Errors
    /// `damaged_table` if the bytes are not the gaps of so many numbers below 2^`bits`.
    pub fn from_bytes(count: u64, gaps: Vec<u8>, bits: u32) -> Result<Shard, Error> {
        let shard = Shard { count, gaps };
        let mut seen = 0;
        let mut top = 0;
        for number in shard.numbers() {
            seen += 1;
            top = number;
        }
        let ends = shard.gaps.iter().filter(|&&byte| byte < 0x80).count() as u64;
        if seen != count || ends != count || (count > 0 && top >> bits != 0) {
            return Err(Error::new("damaged_table", "a part of a layer does not hold what it says"));
        }
        Ok(shard)
    }

    /// The gaps as bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.gaps
    }

    /// How many states there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The inner numbers in increasing order.
    pub fn numbers(&self) -> impl Iterator<Item = u64> + '_ {
        let mut expected = 0u64;
        let mut at = 0;
        std::iter::from_fn(move || {
            let (mut gap, mut shift) = (0u64, 0);
            loop {
                let byte = *self.gaps.get(at)?;
                at += 1;
                gap |= u64::from(byte & 0x7f) << (shift & 63);
                if byte < 0x80 {
                    break;
                }
                shift += 7;
            }
            let number = expected.wrapping_add(gap);
            expected = number.wrapping_add(1);
            Some(number)
        })
    }
}

/// All states of a table with the same number of cards left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    stacks: usize,
    cards: usize,
    shards: Vec<Shard>,
}

impl Layer {
    /// The layer of one live state alone: the start of a game, or the empty state.
    #[must_use]
    pub fn of_state(state: &TwoChains) -> Layer {
        let (stacks, cards) = (state.stacks(), state.cards());
        let ranking = Ranking::of(stacks);
        let cutting = Cutting::of(ranking, cards);
        let scattered = cutting.scatter.there(ranking.rank(&state.canonical()));
        let mut shards = vec![Shard::default(); cutting.shards()];
        shards[cutting.shard(scattered)] = Shard::of_sorted(&[cutting.inner(scattered)]);
        Layer { stacks, cards, shards }
    }

    /// The same layer with more live states of as many cards; those it has already are kept once.
    #[must_use]
    pub fn joined_by<'s>(mut self, states: impl IntoIterator<Item = &'s TwoChains>) -> Layer {
        let ranking = Ranking::of(self.stacks);
        let cutting = self.cutting();
        for state in states {
            let scattered = cutting.scatter.there(ranking.rank(&state.canonical()));
            let shard = &mut self.shards[cutting.shard(scattered)];
            let mut numbers: Vec<u64> = shard.numbers().collect();
            if let Err(place) = numbers.binary_search(&cutting.inner(scattered)) {
                numbers.insert(place, cutting.inner(scattered));
                *shard = Shard::of_sorted(&numbers);
            }
        }
        self
    }

    /// From its shards.
    ///
    /// # Errors
    /// `damaged_table` if there are not as many shards as the layer has.
    pub fn of_shards(stacks: usize, cards: usize, shards: Vec<Shard>) -> Result<Layer, Error> {
        if shards.len() != Cutting::of(Ranking::of(stacks), cards).shards() {
            return Err(Error::new("damaged_table", "a layer has the wrong number of parts"));
        }
        Ok(Layer { stacks, cards, shards })
    }

    /// Stacks of the game.
    #[must_use]
    pub fn stacks(&self) -> usize {
        self.stacks
    }

    /// Cards left.
    #[must_use]
    pub fn cards(&self) -> usize {
        self.cards
    }

    /// The shards in order.
    #[must_use]
    pub fn shards(&self) -> &[Shard] {
        &self.shards
    }

    /// How the numbers are cut.
    #[must_use]
    pub fn cutting(&self) -> Cutting {
        Cutting::of(Ranking::of(self.stacks), self.cards)
    }

    /// How many states there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.shards.iter().map(Shard::count).sum()
    }

    /// Bytes of memory.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.shards.iter().map(|shard| (shard.gaps.len() + size_of::<Shard>()) as u64).sum()
    }

    /// The states of one shard, in order.
    ///
    /// # Panics
    /// If there is no such shard.
    #[inline(always)]
    pub fn states(&self, shard: usize) -> impl Iterator<Item = TwoChains> + '_ {
        let ranking = Ranking::of(self.stacks);
        let cutting = self.cutting();
        self.shards[shard].numbers().filter_map(move |inner| {
            ranking.unrank(self.cards, cutting.scatter.back(cutting.whole(shard, inner)))
        })
    }
}

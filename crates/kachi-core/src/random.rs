//! Named randomness: ChaCha8 seeded with one number. The same seed gives the same deal on every machine and
//! in every version, so the way from random words to deals is written out here and not left to a library.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The name of the generator, for manifests and replies.
pub const GENERATOR: &str = "ChaCha8";

/// Deals, shuffles and picks.
///
/// ```
/// use kachi_core::random::Dealer;
/// let mut cards: Vec<u32> = (1..=6).collect();
/// Dealer::new(7).shuffle(&mut cards);
/// let mut again: Vec<u32> = (1..=6).collect();
/// Dealer::new(7).shuffle(&mut again);
/// assert_eq!(cards, again);
/// ```
#[derive(Debug, Clone)]
pub struct Dealer(ChaCha8Rng);

impl Dealer {
    /// The dealer with this seed.
    pub fn new(seed: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        Dealer(ChaCha8Rng::from_seed(bytes))
    }

    /// Sixty-four random bits.
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`, all equally likely. A bound of 0 gives 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 {
            return 0;
        }
        // Words in the last, incomplete round of `bound` are drawn again.
        let rounds = u64::MAX / bound * bound;
        loop {
            let word = self.word();
            if word < rounds {
                return word % bound;
            }
        }
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// Puts the items into a random order (Fisher-Yates from the back).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

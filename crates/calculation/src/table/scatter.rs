//! Numbers of states spread evenly over a power of two, and back. The numbers of a layer's states come in clumps; scattered they can
//! be cut into shards of equal size, looked up where they ought to be, and stored as short gaps. The map is a bijection, so
//! nothing is ever confused with anything else.

use crate::theory::rank::Ranking;

const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND: u64 = 0xd6e8_feb8_6659_fd93;

/// A bijection of the numbers of one width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scatter {
    bits: u32,
    mask: u64,
    fold: u32,
    first_back: u64,
    second_back: u64,
}

impl Scatter {
    /// For the states with so many cards.
    #[must_use]
    pub fn of(ranking: &Ranking, cards: usize) -> Scatter {
        Scatter::of_width(64 - (ranking.universe(cards) - 1).leading_zeros())
    }

    /// For numbers of so many bits, 1 to 64.
    #[must_use]
    pub fn of_width(bits: u32) -> Scatter {
        let bits = bits.clamp(1, 64);
        Scatter {
            bits,
            mask: u64::MAX >> (64 - bits),
            fold: bits.div_ceil(2),
            first_back: inverse(FIRST),
            second_back: inverse(SECOND),
        }
    }

    /// Width of the numbers.
    #[inline(always)]
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Where a number goes.
    #[inline(always)]
    #[must_use]
    pub fn there(&self, number: u64) -> u64 {
        let mut x = number & self.mask;
        x ^= x >> self.fold;
        x = x.wrapping_mul(FIRST) & self.mask;
        x ^= x >> self.fold;
        x = x.wrapping_mul(SECOND) & self.mask;
        x ^ x >> self.fold
    }

    /// Where it came from.
    #[inline(always)]
    #[must_use]
    pub fn back(&self, scattered: u64) -> u64 {
        // Folding the upper half onto the lower one undoes itself.
        let mut x = scattered & self.mask;
        x ^= x >> self.fold;
        x = x.wrapping_mul(self.second_back) & self.mask;
        x ^= x >> self.fold;
        x = x.wrapping_mul(self.first_back) & self.mask;
        x ^ x >> self.fold
    }
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration: every round doubles the right bits.
const fn inverse(odd: u64) -> u64 {
    let mut x = odd;
    let mut round = 0;
    while round < 5 {
        x = x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)));
        round += 1;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scattering_is_undone_for_every_width() {
        for bits in 1..=64 {
            let scatter = Scatter::of_width(bits);
            for i in 0..2000u64 {
                let number = i.wrapping_mul(0x2545_f491_4f6c_dd1d) & scatter.mask;
                assert_eq!(scatter.back(scatter.there(number)), number);
            }
        }
    }

    #[test]
    fn small_widths_are_permuted() {
        let scatter = Scatter::of_width(10);
        let mut seen: Vec<u64> = (0..1024).map(|number| scatter.there(number)).collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..1024).collect::<Vec<u64>>());
    }
}

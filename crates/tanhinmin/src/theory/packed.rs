//! Theorem 1 for hands from one 13 x 4 deck, each packed into a machine word: nibble k (1 to 13) holds the suits of rank k as
//! four bits. The weakest card of a hand is its lowest bit, so "without the weakest" is `h & (h - 1)`, and the matching
//! number is fourteen branch-free steps over nibble counts.

use crate::position::Face;

/// A hand of at most one card per rank (1..=13) and suit (0..=3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hand(u64);

/// Ranks of the deck.
pub const RANKS: u32 = 13;
/// Copies of each rank.
pub const SUITS: u32 = 4;

impl Hand {
    /// Packs faces; `None` if one is above 13 or occurs more than four times.
    pub fn pack(faces: &[Face]) -> Option<Hand> {
        let mut counts = [0_u32; RANKS as usize + 1];
        let mut bits = 0_u64;
        for face in faces {
            let count = counts.get_mut(face.get() as usize)?;
            if face.get() == 0 || *count == SUITS {
                return None;
            }
            bits |= 1 << (4 * face.get() + *count);
            *count += 1;
        }
        Some(Hand(bits))
    }

    /// A hand from its bits; bits below nibble 1 and above nibble 13 are dropped.
    pub fn from_bits(bits: u64) -> Hand {
        Hand(bits & 0x00ff_ffff_ffff_fff0)
    }

    /// The bits.
    pub fn bits(self) -> u64 {
        self.0
    }

    /// How many cards.
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// No card?
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The faces, weakest first.
    pub fn faces(self) -> impl Iterator<Item = Face> {
        (0..64).filter(move |bit| self.0 >> bit & 1 == 1).map(|bit| Face::raw(bit / 4))
    }

    fn without_weakest(self, count: usize) -> u64 {
        (0..count).fold(self.0, |hand, _| hand & hand.wrapping_sub(1))
    }
}

/// The number of set bits of every nibble.
fn nibble_counts(hand: u64) -> u64 {
    let pairs = hand - (hand >> 1 & 0x5555_5555_5555_5555);
    (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333)
}

/// max over t of #{b >= t} - #{a > t}, at least 0: how many cards of B stay unbeaten. At most five cards share a nibble of B.
fn unbeaten(beaters: u64, targets: u64) -> i32 {
    let (mut excess, mut most) = (0_i32, 0_i32);
    for rank in (0..=RANKS).rev() {
        excess += (targets >> (4 * rank) & 15) as i32;
        most = most.max(excess);
        excess -= (beaters >> (4 * rank) & 15) as i32;
    }
    most
}

/// Theorem 1: does the mover win? `table` is 0 (empty) to 13; each goal is below its hand's size.
///
/// ```
/// use tanhinmin::{faces, theory::packed};
/// let x = packed::Hand::pack(&faces(&[2, 6, 7]).unwrap()).unwrap();
/// let z = packed::Hand::pack(&faces(&[3, 4, 5, 8]).unwrap()).unwrap();
/// assert!(packed::mover_wins(x, z, 1, [0, 0]));
/// ```
#[inline]
pub fn mover_wins(x: Hand, z: Hand, table: u32, [c0, c1]: [usize; 2]) -> bool {
    let (own, other) = (x.without_weakest(c0), z.without_weakest(c1));
    let spare = |hand: u64| hand & hand.wrapping_sub(1);
    let targets0 = nibble_counts(spare(other)) + (1 << (4 * table.min(RANKS)));
    let targets1 = nibble_counts(spare(own));
    let size0 = spare(other).count_ones() as i32 + 1;
    let size1 = spare(own).count_ones() as i32;
    let mu0 = size0 - unbeaten(nibble_counts(own), targets0);
    let mu1 = size1 - unbeaten(nibble_counts(other), targets1);
    mu0 > mu1
}

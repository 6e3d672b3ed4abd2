//! Theorem 1 for 64 positions at once. A [`Block`] holds one row per rank; a byte of a row holds the counts of one position (other's count
//! in the high half, mover's in the low half), so the steps of the scan run on byte lanes and the compiler turns
//! each into a few vector instructions.
//!
//! A hand without its weakest card is not stored: in the descending scan, the weakest card lies in the row in which the
//! hand's remaining cards are exactly the cards of that row.

use super::packed::{Hand, RANKS, SUITS};
use multiversion::multiversion;

/// Positions in a block.
pub const LANES: usize = 64;

/// 64 positions from 13 x 4 decks, goals 0.
#[derive(Debug, Clone, PartialEq, Eq)]
#[repr(align(64))]
pub struct Block {
    rows: [[u8; LANES]; RANKS as usize],
    table: [u8; LANES],
}

impl Default for Block {
    fn default() -> Self {
        Block { rows: [[0; LANES]; RANKS as usize], table: [0; LANES] }
    }
}

impl Block {
    /// Puts a position into a lane: two hands without a common card is not required, only four of a rank a hand.
    pub fn set(&mut self, lane: usize, x: Hand, z: Hand, table: u32) {
        for (rank, row) in self.rows.iter_mut().enumerate() {
            let nibble = |hand: Hand| (hand.bits() >> (4 * (rank + 1)) & 15).count_ones() as u8;
            debug_assert!(u32::from(nibble(x)) <= SUITS);
            row[lane] = nibble(z) << 4 | nibble(x);
        }
        self.table[lane] = table.min(RANKS) as u8;
    }
}

/// Bit i of the answer: does the mover of position i win? Lanes whose hands are not both nonempty give a meaningless bit.
pub fn movers_win(block: &Block) -> u64 {
    let mut answer = [0; 1];
    decide_all(std::slice::from_ref(block), &mut answer);
    answer[0]
}

/// Decides many blocks: one word of answers for each.
///
/// # Panics
/// If the slices differ in length.
pub fn decide_all(blocks: &[Block], answers: &mut [u64]) {
    assert_eq!(blocks.len(), answers.len(), "one word of answers for each block");
    decide_lanes(blocks, answers);
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512dq",
    "x86_64+avx2+bmi1+bmi2",
    "aarch64+neon"
))]
fn decide_lanes(blocks: &[Block], answers: &mut [u64]) {
    for (block, answer) in blocks.iter().zip(answers) {
        // What is left of each hand, in the packed form of a row: other << 4 | own does not fit 52, so two arrays.
        let (mut own_left, mut other_left) = ([0_i8; LANES], [0_i8; LANES]);
        for row in &block.rows {
            for lane in 0..LANES {
                own_left[lane] += (row[lane] & 15) as i8;
                other_left[lane] += (row[lane] >> 4) as i8;
            }
        }
        // What each side needs: mu0 > mu1 iff |Z| - most0 > |X| - 1 - most1.
        let mut handicap = [0_i8; LANES];
        for lane in 0..LANES {
            handicap[lane] = other_left[lane] - own_left[lane] + 1;
        }
        let (mut excess0, mut most0) = ([0_i8; LANES], [0_i8; LANES]);
        let (mut excess1, mut most1) = ([0_i8; LANES], [0_i8; LANES]);
        for (rank, row) in block.rows.iter().enumerate().rev() {
            for lane in 0..LANES {
                let own = (row[lane] & 15) as i8;
                let other = (row[lane] >> 4) as i8;
                let own_weakest = i8::from(own == own_left[lane]) & i8::from(own != 0);
                let other_weakest = i8::from(other == other_left[lane]) & i8::from(other != 0);
                own_left[lane] -= own;
                other_left[lane] -= other;
                let on_table = i8::from(block.table[lane] == rank as u8 + 1);
                excess0[lane] += other - other_weakest + on_table;
                excess1[lane] += own - own_weakest;
                most0[lane] = most0[lane].max(excess0[lane]);
                most1[lane] = most1[lane].max(excess1[lane]);
                excess0[lane] -= own;
                excess1[lane] -= other;
            }
        }
        let mut wins = [0_u8; LANES];
        for lane in 0..LANES {
            // The empty table is a target that every card beats: it counts last, at level 0.
            let unbeaten0 = most0[lane].max(excess0[lane] + i8::from(block.table[lane] == 0));
            wins[lane] = u8::from(handicap[lane] > unbeaten0 - most1[lane]);
        }
        *answer = wins.iter().enumerate().fold(0, |word, (lane, &win)| word | u64::from(win) << lane);
    }
}

//! What must leave before what, under one plan: for every slot how long a prefix of each foundation precedes it.
//!
//! `before[f][g][i]` is the length of the prefix of foundation g that must be played before slot i of foundation f, slot i
//! itself counted (so `before[f][f][i] = i + 1`). The order is the transitive closure of "same foundation and smaller
//! slot" and "above in one stack", so a new card on a stack changes all rows by one maximum. The rows are arrays of bytes: the
//! compiler turns each loop below into a few vector instructions.

use crate::position::MOST_FOUNDATIONS;

/// Slots of one row, rounded up; the slots beyond the last rank behave like the last one.
pub const ROW: usize = 16;

/// One place on a foundation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(u8);

impl Slot {
    /// Slot `index` of foundation `f`.
    #[inline]
    pub const fn new(f: usize, index: usize) -> Slot {
        Slot((f * ROW + index % ROW) as u8)
    }

    /// Its foundation.
    #[inline]
    pub const fn foundation(self) -> usize {
        (self.0 as usize / ROW) % MOST_FOUNDATIONS
    }

    /// Its number on the foundation, from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize % ROW
    }

    /// A number below 64, different for every slot.
    #[inline]
    pub const fn number(self) -> usize {
        self.0 as usize % (MOST_FOUNDATIONS * ROW)
    }
}

/// The order of all slots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    before: [[[u8; ROW]; MOST_FOUNDATIONS]; MOST_FOUNDATIONS],
}

impl Default for Order {
    fn default() -> Self {
        Order::new()
    }
}

impl Order {
    /// Only the foundations order their own slots.
    pub const fn new() -> Order {
        let mut before = [[[0; ROW]; MOST_FOUNDATIONS]; MOST_FOUNDATIONS];
        let mut f = 0;
        while f < MOST_FOUNDATIONS {
            let mut i = 0;
            while i < ROW {
                before[f][f][i] = i as u8 + 1;
                i += 1;
            }
            f += 1;
        }
        Order { before }
    }

    /// Must `x` leave before `y`? A slot also counts as before itself.
    #[inline]
    pub fn precedes(&self, x: Slot, y: Slot) -> bool {
        usize::from(self.before[y.foundation()][x.foundation()][y.index()]) > x.index()
    }

    /// The prefixes of foundation `g` that precede the slots of foundation `f`.
    #[inline]
    pub fn row(&self, f: usize, g: usize) -> &[u8; ROW] {
        &self.before[f][g]
    }

    /// Puts `x` on top of `y`. False, and nothing changes, when `y` must leave before `x`: the plan is impossible.
    #[inline]
    pub fn put(&mut self, x: Slot, y: Slot) -> bool {
        if self.precedes(y, x) {
            return false;
        }
        let below = y.index() as u8;
        let own = x.foundation();
        let prefix: [u8; MOST_FOUNDATIONS] = std::array::from_fn(|g| self.before[own][g][x.index()]);
        for rows in &mut self.before {
            let mut after = [0_u8; ROW];
            for (mask, &length) in after.iter_mut().zip(&rows[y.foundation()]) {
                *mask = if length > below { u8::MAX } else { 0 };
            }
            for (row, &length) in rows.iter_mut().zip(&prefix) {
                for (entry, &mask) in row.iter_mut().zip(&after) {
                    *entry = (*entry).max(length & mask);
                }
            }
        }
        true
    }

    /// How many slots of foundation `f` may still be put on a stack with this top: the first one that may not.
    #[inline]
    pub fn free_below(&self, f: usize, top: Slot) -> usize {
        let limit = top.index() as u8;
        let row = &self.before[f][top.foundation()];
        row.iter().map(|&length| usize::from(length <= limit)).sum()
    }
}

//! Putting a card on a stack: what becomes of words and cuts (docs/theory/calculation.md, "Two chains as words"), and which of the
//! placements are needed for what.

use super::{MOST_CARDS, MOST_STACKS, TwoChains, for_stacks, low};
use multiversion::multiversion;

/// What comes of one unseen card when it is drawn: the distinct states after putting it on a stack, dead ones left out.
#[derive(Debug, Clone, Copy)]
pub struct Placements<'a> {
    states: &'a [TwoChains],
}

impl<'a> Placements<'a> {
    /// The states, not yet in canonical form.
    #[inline(always)]
    #[must_use]
    pub fn states(&self) -> &'a [TwoChains] {
        self.states
    }
}

/// All placements are asked for.
pub(crate) const EVERY: u8 = 0;

/// Only placements after which no other stack has its cut below that of the stack just used; a cut's height is the number of cards below it.
///
/// They suffice to reach all that can be reached from free stacks: what cards on different stacks do to each other does not depend on the
/// order in which they were put down, so of any table the card on the stack with the lowest cut may be taken for the last one. A stack without
/// cards has the highest cut there is.
pub(crate) const LOWEST: u8 = 1;

/// Only placements that are not plainly worse than another one of the same card.
///
/// Where a card makes no new order on either of two stacks, both get the same cut by it, and it is the other one that stays as it is. So
/// if one cut is nowhere above the other, that stack is the one to use.
pub(crate) const USEFUL: u8 = 2;

/// The placements of all cards of a state, one card after the other.
#[derive(Debug, Clone)]
pub(crate) struct AllPlacements {
    states: [TwoChains; MOST_CARDS * MOST_STACKS],
    ends: [u8; MOST_CARDS],
    count: usize,
    cards: usize,
    live: usize,
}

impl AllPlacements {
    pub(crate) fn new() -> AllPlacements {
        let empty = TwoChains::start(1, 0, 0);
        AllPlacements {
            states: [empty; MOST_CARDS * MOST_STACKS],
            ends: [0; MOST_CARDS],
            count: 0,
            cards: 0,
            live: 0,
        }
    }

    /// How many live placements there are, also those of [`EVERY`] that [`LOWEST`] leaves out.
    #[inline(always)]
    pub(crate) fn live(&self) -> usize {
        self.live
    }

    /// All states, of the first card first.
    #[inline(always)]
    pub(crate) fn states(&self) -> &[TwoChains] {
        &self.states[..self.count]
    }

    /// For every card, how many states belong to it and the cards before.
    #[inline(always)]
    pub(crate) fn ends(&self) -> &[u8] {
        &self.ends[..self.cards]
    }
}

impl TwoChains {
    /// Calls `each` once for every unseen card, with the distinct live states after putting it on a stack.
    pub fn for_each_card(&self, mut each: impl FnMut(&Placements<'_>)) {
        let mut all = AllPlacements::new();
        self.place_all(&mut all);
        let mut start = 0;
        for &end in all.ends() {
            each(&Placements { states: &all.states()[start..usize::from(end)] });
            start = usize::from(end);
        }
    }

    /// The placements of all cards.
    #[inline]
    pub(crate) fn place_all(&self, all: &mut AllPlacements) {
        place_all(self, all);
    }

    /// Those placements of all cards that are asked for, for a number of stacks that is known when the program is compiled.
    #[inline(always)]
    pub(crate) fn place_all_on<const S: usize, const WHICH: u8>(&self, all: &mut AllPlacements) {
        (all.count, all.cards, all.live) = (0, 0, 0);
        self.place_a_on::<S, WHICH>(all);
        self.swapped().place_a_on::<S, WHICH>(all);
    }

    /// The placements of the cards of chain A.
    ///
    /// Let x = A_i be put on stack s, and let j0 be the number of cards of B that may leave before it. The cards of B that must now
    /// leave after x's predecessors are those after x (from j0 on) and those forbidden on s (from its cut on).
    #[inline(always)]
    fn place_a_on<const S: usize, const WHICH: u8>(&self, all: &mut AllPlacements) {
        let (a, b) = (self.a(), self.b());
        let mut ones_of_b = [0u8; MOST_CARDS + 8];
        let (mut rest, mut j) = (self.early_b, 0);
        while rest != 0 && j < MOST_CARDS {
            ones_of_b[j] = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            j += 1;
        }
        let mut in_a = self.early_a;
        let mut not_b = !self.early_b & low(u32::from(self.cards));
        for i in 0..a {
            let p = in_a.trailing_zeros();
            in_a &= in_a.wrapping_sub(1);
            let q = not_b.trailing_zeros();
            not_b &= not_b.wrapping_sub(1);
            let j0 = q as usize - i;
            let early_a = without(self.early_a, p);
            let above_q = (self.early_b >> q >> 1) << q;
            let below_q = self.early_b & low(q);
            'stack: for s in 0..S {
                if usize::from(self.cut_a[s]) <= i {
                    continue;
                }
                for t in 0..s {
                    if self.cut_a[t] == self.cut_a[s] && self.cut_b[t] == self.cut_b[s] {
                        continue 'stack;
                    }
                }
                if WHICH == USEFUL && usize::from(self.cut_b[s]) >= j0 {
                    for t in 0..S {
                        let (a, b) = (self.cut_a[t], self.cut_b[t]);
                        if usize::from(a) > i
                            && usize::from(b) >= j0
                            && a <= self.cut_a[s]
                            && b <= self.cut_b[s]
                            && (a, b) != self.cut(s)
                        {
                            continue 'stack;
                        }
                    }
                }
                let jw = usize::from(self.cut_b[s]).min(j0);
                let early_b = if jw < j0 {
                    let moved = (j0 - jw) as u32;
                    let kept = below_q & low(u32::from(ones_of_b[jw]));
                    above_q | kept | (low(q) & !low(q - moved))
                } else {
                    above_q | below_q
                };
                let mut cut_a = self.cut_a;
                let mut cut_b = self.cut_b;
                let (mut most_a, mut most_b) = (i, jw);
                let mut lowest = i + jw;
                for t in 0..S {
                    if t == s {
                        (cut_a[t], cut_b[t]) = (i as u8, jw as u8);
                    } else if usize::from(cut_a[t]) <= i {
                        cut_b[t] = cut_b[t].min(jw as u8);
                    } else {
                        cut_a[t] -= 1;
                    }
                    most_a = most_a.max(usize::from(cut_a[t]));
                    most_b = most_b.max(usize::from(cut_b[t]));
                    lowest = lowest.min(usize::from(cut_a[t]) + usize::from(cut_b[t]));
                }
                if most_a + 1 < a || most_b < b {
                    continue;
                }
                all.live += 1;
                if WHICH == LOWEST && lowest < i + jw {
                    continue;
                }
                all.states[all.count] =
                    TwoChains { early_a, early_b, cut_a, cut_b, cards: self.cards - 1, stacks: self.stacks };
                all.count += 1;
            }
            all.ends[all.cards] = all.count as u8;
            all.cards += 1;
        }
    }
}

/// Compiled also for processors that count bits in one instruction: the words are all bit counts.
#[multiversion(targets("x86_64+popcnt+bmi1+bmi2+lzcnt+avx2"))]
fn place_all(state: &TwoChains, all: &mut AllPlacements) {
    for_stacks!(state.stacks(), S, state.place_all_on::<S, EVERY>(all));
}

/// The word with one bit taken out and the bits above it moved down.
#[inline(always)]
fn without(word: u32, position: u32) -> u32 {
    (word & low(position)) | (word >> position >> 1) << position
}

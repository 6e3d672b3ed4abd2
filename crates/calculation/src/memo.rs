//! States outside the table, on demand. A plan's pairs of foundations are not always reachable from two full chains (other foundations
//! forbid stacks), so no table is closed for the player. What it lacks is worked out by the recursion, on top of the table, and remembered.
//!
//! The chance of a state does not depend on what is remembered, so forgetting costs time and nothing else: a memo that has reached its
//! limit starts afresh.

use crate::table::file::Sought;
use crate::table::{Table, offered};
use crate::theory::chains::{AllPlacements, for_stacks};
use crate::theory::rank::Ranking;
use crate::theory::{Chances, MOST_CARDS, MOST_STACKS, TwoChains};
use multiversion::multiversion;
use std::hint::black_box;
use std::sync::Arc;

/// The table where it has a state, the recursion where it has not.
///
/// ```
/// use calculation::{memo::Memo, theory::{Chances, TwoChains}};
/// let mut memo = Memo::without_table(4);
/// assert!((memo.chance(&TwoChains::start(4, 5, 5)) - 0.9834028).abs() < 1e-7);
/// ```
#[derive(Debug, Clone)]
pub struct Memo {
    table: Option<Arc<Table>>,
    ranking: &'static Ranking,
    slots: Vec<(u64, f64)>,
    count: usize,
    limit: usize,
}

/// States remembered unless the caller says otherwise: half a gigabyte.
pub const USUAL_LIMIT: usize = 24 << 20;

const EMPTY: u64 = u64::MAX;
const SMALLEST: usize = 1 << 12;
/// States whose lookups overlap.
pub(crate) const BATCH: usize = 64;

/// A batch of states that are looked up together.
pub(crate) struct LookedUp {
    /// Their canonical forms; dead states are left out.
    pub(crate) canonical: [TwoChains; BATCH],
    /// Their chances, where known: that of dead states is 0.
    pub(crate) chance: [Option<f64>; BATCH],
}

impl LookedUp {
    /// Looks at most [`BATCH`] states up in the table, if there is one.
    #[inline]
    pub(crate) fn new(table: Option<&Table>, stacks: usize, states: &[TwoChains]) -> LookedUp {
        let mut batch = LookedUp { canonical: [TwoChains::start(1, 0, 0); BATCH], chance: [None; BATCH] };
        look_up(table, stacks, states, &mut batch);
        batch
    }
}

/// Compiled also for processors that count bits in one instruction: the words are all bit counts.
#[multiversion(targets("x86_64+popcnt+bmi1+bmi2+lzcnt+avx2"))]
fn look_up(table: Option<&Table>, stacks: usize, states: &[TwoChains], batch: &mut LookedUp) {
    for_stacks!(stacks, S, look_up_on::<S>(table, states, batch));
}

#[inline(always)]
fn look_up_on<const S: usize>(table: Option<&Table>, states: &[TwoChains], batch: &mut LookedUp) {
    let ranking = Ranking::of(S);
    let reader = table.map(Table::reader);
    let mut sought = [Sought::default(); BATCH];
    for (i, state) in states.iter().enumerate().take(BATCH) {
        if state.is_dead() {
            batch.chance[i] = Some(0.0);
            continue;
        }
        let canonical = state.canonical_on::<S>();
        batch.canonical[i] = canonical;
        if let Some(reader) = reader {
            let cards = canonical.cards();
            sought[i] = reader.seek(cards, if cards == 0 { 0 } else { ranking.rank_on::<S>(&canonical) });
        }
    }
    let Some(reader) = reader else { return };
    let sought = &mut sought[..states.len().min(BATCH)];
    sought.iter_mut().for_each(|one| reader.open_drawer(one));
    black_box(sought.iter().fold(0, |all, one| all ^ reader.touch(one)));
    for (chance, &one) in batch.chance.iter_mut().zip(&*sought) {
        if chance.is_none() {
            *chance = reader.chance(one);
        }
    }
}

impl Memo {
    /// On top of the table that the program has for so many stacks, if it has one.
    ///
    /// # Panics
    /// If there are not 1 to 4 stacks.
    #[must_use]
    pub fn new(stacks: usize) -> Memo {
        Memo { table: offered(stacks), ..Memo::without_table(stacks) }
    }

    /// On top of a table.
    #[must_use]
    pub fn on(table: Arc<Table>) -> Memo {
        let stacks = table.size().stacks();
        Memo { table: Some(table), ..Memo::without_table(stacks) }
    }

    /// Without a table: everything is worked out. Two chains of up to nine cards take seconds.
    ///
    /// # Panics
    /// If there are not 1 to 4 stacks.
    #[must_use]
    pub fn without_table(stacks: usize) -> Memo {
        Memo { table: None, ranking: Ranking::of(stacks), slots: Vec::new(), count: 0, limit: USUAL_LIMIT }
    }

    /// With another limit on the states remembered.
    #[must_use]
    pub fn remembering(mut self, states: usize) -> Memo {
        self.limit = states.max(SMALLEST);
        self
    }

    /// The table below, if there is one.
    #[must_use]
    pub fn table(&self) -> Option<&Arc<Table>> {
        self.table.as_ref()
    }

    /// Whether every state of two chains of up to so many cards is in the table below.
    #[must_use]
    pub fn covers(&self, ranks: usize) -> bool {
        self.table.as_ref().is_some_and(|table| table.size().ranks() >= ranks)
    }

    /// Stacks of the game.
    #[must_use]
    pub fn stacks(&self) -> usize {
        self.ranking.stacks()
    }

    /// States remembered.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether nothing is remembered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline(always)]
    fn slot(&self, key: u64) -> usize {
        // The upper bits of the product depend on all bits of the key.
        let mixed = (key ^ key >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((u128::from(mixed) * self.slots.len() as u128) >> 64) as usize
    }

    #[inline(always)]
    fn remembered(&self, key: u64) -> Option<f64> {
        if self.slots.is_empty() {
            return None;
        }
        let mut slot = self.slot(key);
        loop {
            let (there, chance) = self.slots[slot];
            if there == key {
                return Some(chance);
            }
            if there == EMPTY {
                return None;
            }
            slot = if slot + 1 == self.slots.len() { 0 } else { slot + 1 };
        }
    }

    fn remember(&mut self, key: u64, chance: f64) {
        if self.count >= self.limit {
            self.slots.fill((EMPTY, 0.0));
            self.count = 0;
        }
        if (self.count + 1) * 4 > self.slots.len() * 3 {
            let most = (self.limit + 1) * 4 / 3 + 2;
            let size = (self.slots.len() * 2).clamp(SMALLEST, most.max(SMALLEST));
            let old = std::mem::replace(&mut self.slots, vec![(EMPTY, 0.0); size]);
            for (key, chance) in old {
                if key != EMPTY {
                    self.put(key, chance);
                }
            }
        }
        self.put(key, chance);
        self.count += 1;
    }

    fn put(&mut self, key: u64, chance: f64) {
        let mut slot = self.slot(key);
        while self.slots[slot].0 != EMPTY {
            slot = if slot + 1 == self.slots.len() { 0 } else { slot + 1 };
        }
        self.slots[slot] = (key, chance);
    }

    /// The chance of a live canonical state that the table does not have.
    fn outside(&mut self, state: &TwoChains) -> f64 {
        if state.cards() == 0 {
            return 1.0;
        }
        let key = self.ranking.key(state);
        if let Some(chance) = self.remembered(key) {
            return chance;
        }
        let mut all = AllPlacements::new();
        state.place_all(&mut all);
        let mut chances = [0.0; MOST_CARDS * MOST_STACKS];
        self.chances(all.states(), &mut chances);
        let (mut sum, mut start) = (0.0, 0);
        for &end in all.ends() {
            sum += chances[start..usize::from(end)].iter().copied().fold(0.0, f64::max);
            start = usize::from(end);
        }
        let chance = sum / state.cards() as f64;
        self.remember(key, chance);
        chance
    }
}

impl Chances for Memo {
    fn chance(&mut self, state: &TwoChains) -> f64 {
        if state.is_dead() {
            return 0.0;
        }
        let state = state.canonical();
        let stored = self.table.as_ref().and_then(|table| table.chance(&state));
        stored.unwrap_or_else(|| self.outside(&state))
    }

    fn chances(&mut self, states: &[TwoChains], out: &mut [f64]) {
        for (states, out) in states.chunks(BATCH).zip(out[..states.len()].chunks_mut(BATCH)) {
            let batch = LookedUp::new(self.table.as_deref(), self.stacks(), states);
            for (i, out) in out.iter_mut().enumerate() {
                *out = batch.chance[i].unwrap_or_else(|| self.outside(&batch.canonical[i]));
            }
        }
    }
}

//! Where players get the chances of pairs: the table that the program has, with a memo beside it.
//!
//! A table is not closed for players: other foundations forbid stacks in ways that two chains alone cannot. Small states that it lacks are
//! worked out and remembered. Large ones would take seconds each, and they come early in a game, when plan values are rough anyway;
//! they are estimated from a state of the table with a few of the first cards left out (docs/theory/calculation-play.md, "States outside
//! the table"). What is answered depends on the state alone, never on what was asked before.

use crate::memo::{BATCH, LookedUp, Memo};
use crate::theory::{Chances, TwoChains};
use rustc_hash::FxHashMap;

/// States with at most this many cards are worked out when the table lacks them.
pub const WORKED_OUT: usize = 14;

/// The same where there is no table at all to build on.
pub const WORKED_OUT_ALONE: usize = 9;

/// Cards that may be left out for an estimate.
const MOST_LEFT_OUT: usize = 14;

/// Chances for players: NaN where neither the table nor a short calculation nor an estimate knows them.
#[derive(Debug, Clone)]
pub struct PairSource {
    memo: Memo,
    worked_out: usize,
    /// Chances of one chain, by its states.
    single: FxHashMap<TwoChains, f64>,
}

impl PairSource {
    /// On top of this memo and its table.
    #[must_use]
    pub fn new(memo: Memo) -> PairSource {
        let worked_out = if memo.table().is_some() { WORKED_OUT } else { WORKED_OUT_ALONE };
        PairSource { memo, worked_out, single: FxHashMap::default() }
    }

    /// On top of the table that the program has for so many stacks, if it has one.
    #[must_use]
    pub fn for_stacks(stacks: usize) -> PairSource {
        PairSource::new(Memo::new(stacks))
    }

    /// Works out all states with at most so many cards, however long it takes; 24 for no estimates at all.
    #[must_use]
    pub fn working_out(mut self, cards: usize) -> PairSource {
        self.worked_out = cards;
        self
    }

    /// The memo and its table.
    #[must_use]
    pub fn memo(&self) -> &Memo {
        &self.memo
    }

    /// The chance of a state that the table lacks.
    fn outside(&mut self, state: &TwoChains) -> f64 {
        if state.cards() <= self.worked_out { self.memo.chance(state) } else { self.estimate(state) }
    }

    /// The chance of the nearest state of the table with some first cards left out, corrected by what they mean for each chain alone.
    pub fn estimate(&mut self, state: &TwoChains) -> f64 {
        if self.memo.table().is_none() {
            return f64::NAN;
        }
        for rest in smaller(*state) {
            let stored = self.memo.table().and_then(|table| table.chance(&rest.canonical()));
            if let Some(chance) = stored {
                return self.corrected(chance, state, &rest);
            }
        }
        f64::NAN
    }

    /// The same for many states side by side, so that the waits for memory overlap.
    fn estimates(&mut self, states: &[TwoChains], out: &mut [f64]) {
        out.fill(f64::NAN);
        let mut open: Vec<(usize, _)> = states.iter().map(|state| smaller(*state)).enumerate().collect();
        let mut rests = Vec::with_capacity(open.len());
        while !open.is_empty() {
            rests.clear();
            open.retain_mut(|(_, smaller)| smaller.next().map(|rest| rests.push(rest)).is_some());
            let batch = LookedUp::new(self.memo.table().map(|table| &**table), self.memo.stacks(), &rests);
            let mut looked_up = rests.iter().zip(&batch.chance);
            open.retain(|&(place, _)| match looked_up.next() {
                Some((rest, &Some(chance))) => {
                    out[place] = self.corrected(chance, &states[place], rest);
                    false
                }
                _ => true,
            });
        }
    }

    /// The chance of a smaller state times what the missing cards mean for each chain alone; never more than either chain allows.
    fn corrected(&mut self, chance: f64, state: &TwoChains, rest: &TwoChains) -> f64 {
        let (a, b) = (self.alone(state), self.alone(&state.swapped()));
        let without = self.alone(rest) * self.alone(&rest.swapped());
        if without > 0.0 { (chance * a * b / without).min(a).min(b) } else { 0.0 }
    }

    /// The chance of chain A alone.
    fn alone(&mut self, state: &TwoChains) -> f64 {
        let a = state.a();
        let cuts = std::array::from_fn(|stack| if stack < state.stacks() { state.cut(stack).0 } else { 0 });
        let single = TwoChains::from_words(state.stacks(), a, (1 << a) - 1, 0, cuts, [0; 4]).canonical();
        if let Some(&known) = self.single.get(&single) {
            return known;
        }
        let chance = self.memo.chance(&single);
        self.single.insert(single, chance);
        chance
    }
}

/// A live state with some of its first cards left out, the fewest and most evenly shared ones first.
fn smaller(state: TwoChains) -> impl Iterator<Item = TwoChains> {
    (1..=MOST_LEFT_OUT).flat_map(|left_out| (0..=left_out).map(move |step| (left_out, step))).filter_map(
        move |(left_out, step)| {
            let middle = left_out / 2;
            let from_a = if step % 2 == 0 { middle - step / 2 } else { middle + step.div_ceil(2) };
            let from_b = left_out - from_a;
            if from_a > state.a() || from_b > state.b() {
                return None;
            }
            let less_a = (0..from_a).fold(state, |rest, _| without_first_a(&rest));
            Some((0..from_b).fold(less_a.swapped(), |rest, _| without_first_a(&rest)).swapped())
        },
    )
}

/// The state without the first card of chain A.
fn without_first_a(state: &TwoChains) -> TwoChains {
    let (early_a, early_b) = state.words();
    let without = |word: u32, position: u32| {
        let low = (1_u32 << position) - 1;
        (word & low) | (word >> position >> 1) << position
    };
    let (p, q) = (early_a.trailing_zeros() & 31, (!early_b).trailing_zeros() & 31);
    let cut = |stack: usize| if stack < state.stacks() { state.cut(stack) } else { (0, 0) };
    let cut_a = std::array::from_fn(|stack| cut(stack).0.saturating_sub(1));
    let cut_b = std::array::from_fn(|stack| cut(stack).1);
    TwoChains::from_words(
        state.stacks(),
        state.cards() - 1,
        without(early_a, p),
        without(early_b, q),
        cut_a,
        cut_b,
    )
}

impl Chances for PairSource {
    fn chance(&mut self, state: &TwoChains) -> f64 {
        if state.is_dead() {
            return 0.0;
        }
        let state = state.canonical();
        let stored = self.memo.table().and_then(|table| table.chance(&state));
        stored.unwrap_or_else(|| self.outside(&state))
    }

    fn chances(&mut self, states: &[TwoChains], out: &mut [f64]) {
        for (states, out) in states.chunks(BATCH).zip(out[..states.len()].chunks_mut(BATCH)) {
            let batch = LookedUp::new(self.memo.table().map(|table| &**table), self.memo.stacks(), states);
            let (mut places, mut large) = (Vec::new(), Vec::new());
            for (i, out) in out.iter_mut().enumerate() {
                *out = match batch.chance[i] {
                    Some(chance) => chance,
                    None if batch.canonical[i].cards() <= self.worked_out => {
                        self.memo.chance(&batch.canonical[i])
                    }
                    None => {
                        places.push(i);
                        large.push(batch.canonical[i]);
                        f64::NAN
                    }
                };
            }
            if !large.is_empty() && self.memo.table().is_some() {
                let mut found = [0.0; BATCH];
                self.estimates(&large, &mut found[..large.len()]);
                places.iter().zip(found).for_each(|(&place, chance)| out[place] = chance);
            }
        }
    }
}

//! Exact chances of two-chain states: the definition by recursion with a memo, and the trait of everything that knows chances.

use super::chains::TwoChains;
use super::rank::Ranking;
use rustc_hash::FxHashMap;

/// Something that knows the chance of every two-chain state: the recursion with a memo, or a table with a memo behind it.
pub trait Chances {
    /// The chance that the state is won under best play; the state need not be canonical.
    fn chance(&mut self, state: &TwoChains) -> f64;

    /// The chances of many states at once, so that their lookups overlap.
    ///
    /// # Panics
    /// If `out` is shorter than `states`.
    fn chances(&mut self, states: &[TwoChains], out: &mut [f64]) {
        for (state, chance) in states.iter().zip(&mut out[..states.len()]) {
            *chance = self.chance(state);
        }
    }
}

/// Chances by recursion: every state is worked out when it is first asked for and remembered.
///
/// ```
/// use calculation::theory::{Chances, TwoChains, chance::Recursion};
/// let chance = Recursion::new(3).chance(&TwoChains::start(3, 4, 4));
/// assert!((chance - 0.9184028).abs() < 1e-7);
/// ```
#[derive(Debug, Clone)]
pub struct Recursion {
    ranking: &'static Ranking,
    known: FxHashMap<u64, f64>,
}

impl Recursion {
    /// Nothing is known yet about games with so many stacks.
    ///
    /// # Panics
    /// If there are not 1 to 4 stacks.
    #[must_use]
    pub fn new(stacks: usize) -> Recursion {
        Recursion { ranking: Ranking::of(stacks), known: FxHashMap::default() }
    }

    /// States remembered.
    #[must_use]
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether nothing is remembered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The chance of a state, unless more than `most` states would have to be remembered.
    pub fn within(&mut self, state: &TwoChains, most: usize) -> Option<f64> {
        if state.is_dead() { Some(0.0) } else { self.of_canonical(&state.canonical(), most) }
    }

    fn of_canonical(&mut self, state: &TwoChains, most: usize) -> Option<f64> {
        if state.cards() == 0 {
            return Some(1.0);
        }
        let key = self.ranking.key(state);
        if let Some(&chance) = self.known.get(&key) {
            return Some(chance);
        }
        let mut sum = Some(0.0);
        state.for_each_card(|placements| {
            let mut best = Some(0.0);
            for after in placements.states() {
                best = match (sum, best) {
                    (Some(_), Some(best)) => {
                        self.of_canonical(&after.canonical(), most).map(|chance| f64::max(best, chance))
                    }
                    _ => None,
                };
            }
            sum = sum.zip(best).map(|(sum, best)| sum + best);
        });
        let chance = sum? / state.cards() as f64;
        if self.known.len() >= most {
            return None;
        }
        self.known.insert(key, chance);
        Some(chance)
    }
}

impl Chances for Recursion {
    fn chance(&mut self, state: &TwoChains) -> f64 {
        // No state has so many others below it that the limit could be met.
        self.within(state, usize::MAX).unwrap_or(0.0)
    }
}

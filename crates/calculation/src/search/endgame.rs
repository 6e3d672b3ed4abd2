//! The last draws of a game, exactly: over all next cards the best way to finish the turn. Of a turn with more ways to finish than
//! [`MOST_CANDIDATES`](crate::turn::MOST_CANDIDATES) only so many are tried, which near the end happens now and then; the chance is then at least what is said.

use crate::dead::{self, Verdict};
use crate::position::{Key, Position, Rank};
use crate::rules::{Move, Rules};
use crate::turn::{Turn, unload};
use rustc_hash::FxHashMap;

/// Steps that may be spent on finding out that a table is dead.
const STEPS: u32 = 4000;

/// What is known about a table.
#[derive(Debug, Clone, Copy)]
enum Known {
    /// Its chance.
    Chance(f64),
    /// Its chance is at most this.
    AtMost(f64),
}

/// A way to finish a turn is given up when it falls behind by more than what rounding may do.
const ROUNDING: f64 = 1e-12;

/// How long a search may go on.
struct Patience<'g> {
    searched: u64,
    go_on: &'g mut dyn FnMut(u64) -> bool,
    over: bool,
}

/// Between two questions whether to go on so many tables are searched.
const BETWEEN: u64 = 64;

impl<'g> Patience<'g> {
    fn new(go_on: &'g mut dyn FnMut(u64) -> bool) -> Patience<'g> {
        Patience { searched: 0, go_on, over: false }
    }

    fn search_one(&mut self) {
        if self.searched.is_multiple_of(BETWEEN) && !self.over {
            self.over = !(self.go_on)(self.searched);
        }
        self.searched += 1;
    }
}

/// Chances of tables near the end, with what was worked out before.
#[derive(Debug, Clone)]
pub struct Endgame {
    rules: Rules,
    known: FxHashMap<Key, Known>,
    /// Memory for turns, one for each draw ahead.
    spare: Vec<Turn>,
}

impl Endgame {
    /// Nothing is known yet.
    pub fn new(rules: &Rules) -> Endgame {
        Endgame { rules: rules.clone(), known: FxHashMap::default(), spare: Vec::new() }
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.known.clear();
    }

    /// The best chance of winning from a table without a drawn card. The work grows with the factorial of the unseen cards.
    ///
    /// ```
    /// use calculation::{notation, search::endgame::Endgame};
    /// // A queen and a king are unseen: whichever comes first, everything can be played.
    /// let (rules, position) = notation::read("QK--/K").unwrap();
    /// assert_eq!(Endgame::new(&rules).chance(&position), 1.0);
    /// ```
    pub fn chance(&mut self, position: &Position) -> f64 {
        // No chance lies below this, so nothing is given up.
        self.value(position, -1.0, &mut Patience::new(&mut |_| true))
    }

    /// The chance if it is larger than `floor`, otherwise something that is not: a rival that has `floor` already need not know more. `go_on` is told from time to
    /// time how many tables were searched; once it says no, nothing is found. What was worked out until then is kept for the next call.
    ///
    /// ```
    /// use calculation::{notation, search::endgame::Endgame};
    /// let (rules, position) = notation::read("2468/3").unwrap();
    /// let mut endgame = Endgame::new(&rules);
    /// assert_eq!(endgame.chance_above(&position, 0.0, &mut |_| false), None);
    /// ```
    pub fn chance_above(
        &mut self,
        position: &Position,
        floor: f64,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Option<f64> {
        let mut patience = Patience::new(go_on);
        let found = self.value(position, floor, &mut patience);
        (!patience.over).then_some(found)
    }

    /// The chance above `floor`; meaningless once patience is over.
    fn value(&mut self, position: &Position, floor: f64, patience: &mut Patience<'_>) -> f64 {
        if position.left() == 0 {
            return f64::from(is_won_by_unloading(&self.rules, position));
        }
        let key = position.key(&self.rules);
        let known = self.known.get(&key).copied();
        match known {
            Some(Known::Chance(chance)) => return chance,
            Some(Known::AtMost(most)) if most <= floor => return most,
            _ => {}
        }
        // In the order of the key, so that the outcome does not depend on which of several equal tables came first.
        let table = position.canonical(&self.rules);
        if known.is_none() && dead::judge_thoroughly(&self.rules, &table, STEPS) == Verdict::Dead {
            self.known.insert(key, Known::Chance(0.0));
            return 0.0;
        }
        let found = self.search(&table, floor, patience);
        if patience.over {
            return 0.0;
        }
        self.known.insert(key, found);
        match found {
            Known::Chance(chance) => chance,
            Known::AtMost(most) => most,
        }
    }

    /// Over all next cards the best way to finish the turn, until even a win after all that are left could not lift the chance above `floor`.
    fn search(&mut self, position: &Position, floor: f64, patience: &mut Patience<'_>) -> Known {
        patience.search_one();
        let mut turn = self.spare.pop().unwrap_or_default();
        let (mut sum, mut rest) = (0.0, position.left() as f64);
        let enough = floor * rest - ROUNDING;
        let mut known = None;
        for rank in (0..self.rules.ranks() as u8).filter_map(Rank::new) {
            let copies = f64::from(position.unseen()[rank.index()]);
            if copies == 0.0 {
                continue;
            }
            rest -= copies;
            // With less than this after this card the table is given up.
            let least = (enough - sum - rest) / copies;
            let drawn = self.rules.play_unchecked(position, Move::Draw(rank));
            turn.refill(&self.rules, &drawn);
            let mut best = 0.0_f64;
            // Longer unloadings come later and are usually better.
            for i in (0..turn.len()).rev() {
                let after = turn.position(&self.rules, &drawn, i);
                best = best.max(self.value(&after, best.max(least), patience));
                if best >= 1.0 || patience.over {
                    break;
                }
            }
            sum += copies * best;
            // What is not above this may be a bound only.
            if best <= least || patience.over {
                known = Some(Known::AtMost((sum + rest) / position.left() as f64));
                break;
            }
        }
        self.spare.push(turn);
        known.unwrap_or(Known::Chance(sum / position.left() as f64))
    }
}

/// Can everything be unloaded, with nothing left to draw? The dead-state test is exact there, and nearly always short enough.
fn is_won_by_unloading(rules: &Rules, position: &Position) -> bool {
    match dead::judge_thoroughly(rules, position, STEPS) {
        Verdict::Alive => true,
        Verdict::Dead => false,
        Verdict::Unknown => unload(rules, position).is_some(),
    }
}

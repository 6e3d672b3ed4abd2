//! The last draws of a game, exactly: over all next cards the best way to finish the turn. Of a turn with more ways to finish than
//! [`MOST_CANDIDATES`](crate::turn::MOST_CANDIDATES) only so many are tried, which near the end happens now and then; the chance is then at least what is said.

use crate::dead::{self, Verdict};
use crate::position::{Position, Rank};
use crate::rules::{Move, Rules};
use crate::turn::{Turn, unload};
use rustc_hash::FxHashMap;

/// Steps that may be spent on finding out that a table is dead.
const STEPS: u32 = 4000;

/// Chances of tables near the end, with what was worked out before.
#[derive(Debug, Clone)]
pub struct Endgame {
    rules: Rules,
    known: FxHashMap<Position, f64>,
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
        if position.left() == 0 {
            return f64::from(is_won_by_unloading(&self.rules, position));
        }
        let key = position.canonical(&self.rules);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let chance = if dead::judge_thoroughly(&self.rules, &key, STEPS) == Verdict::Dead {
            0.0
        } else {
            self.search(&key)
        };
        self.known.insert(key, chance);
        chance
    }

    /// Over all next cards the best way to finish the turn.
    fn search(&mut self, position: &Position) -> f64 {
        let mut turn = self.spare.pop().unwrap_or_default();
        let mut sum = 0.0;
        for rank in (0..self.rules.ranks() as u8).filter_map(Rank::new) {
            let copies = position.unseen()[rank.index()];
            if copies == 0 {
                continue;
            }
            let drawn = self.rules.play_unchecked(position, Move::Draw(rank));
            turn.refill(&self.rules, &drawn);
            let mut best = 0.0_f64;
            for i in 0..turn.len() {
                best = best.max(self.chance(&turn.position(&self.rules, &drawn, i)));
                if best >= 1.0 {
                    break;
                }
            }
            sum += f64::from(copies) * best;
        }
        self.spare.push(turn);
        sum / position.left() as f64
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

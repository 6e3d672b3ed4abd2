//! The last draws of a game, exactly: over all next cards the best way to finish the turn.

use crate::dead;
use crate::position::Position;
use crate::rules::{Move, Rules};
use crate::turn::{Turn, unload};
use rustc_hash::FxHashMap;

/// Chances of tables near the end, with what was worked out before.
#[derive(Debug, Clone)]
pub struct Endgame {
    rules: Rules,
    known: FxHashMap<Position, f64>,
}

impl Endgame {
    /// Nothing is known yet.
    pub fn new(rules: &Rules) -> Endgame {
        Endgame { rules: rules.clone(), known: FxHashMap::default() }
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
            return f64::from(unload(&self.rules, position).is_some());
        }
        if dead::is_dead(&self.rules, position) {
            return 0.0;
        }
        let key = position.canonical(&self.rules);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let mut sum = 0.0;
        for mv in self.rules.moves(position) {
            let Move::Draw(rank) = mv else { continue };
            let drawn = self.rules.play_unchecked(position, mv);
            let turn = Turn::new(&self.rules, &drawn);
            let mut best = 0.0_f64;
            for i in 0..turn.len() {
                best = best.max(self.chance(&turn.position(&self.rules, &drawn, i)));
                if best >= 1.0 {
                    break;
                }
            }
            sum += f64::from(position.unseen()[rank.index()]) * best;
        }
        let chance = sum / position.left() as f64;
        self.known.insert(key, chance);
        chance
    }
}

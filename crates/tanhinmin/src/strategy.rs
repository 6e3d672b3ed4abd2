//! Which move to play: the named strategies of the theory, one good move for any position, and the counter strategy for hidden hands.
//!
//! The strategies are for positions without cut cards. When the mover is winning, each of their moves wins. [`Strategy::Sk`] is the
//! one the engine uses; S6 and S7 are its two ends.

use crate::position::{Face, Position};
use crate::rules::Move;
use crate::theory::decide::{Decision, Player, decide, matching_numbers};
use crate::theory::matching::{merged, size, without_weakest};
use crate::theory::moves::{MoveValue, move_values};
use kachi_core::{Budget, Error};

/// A rule that names one move. `c` stands in for a goal where the theory allows any number in a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// Spare the second of the weak cards if the opponent's matching does not need it.
    S2,
    /// Give up x_{c0+2} if the own matching survives; `c` from 0 to c0 says where the weak cards begin otherwise.
    S3 {
        /// From 0 to c0.
        c: usize,
    },
    /// Weakest legal card above the goal if the own matching covers it; `c` from 0 to c0.
    S4 {
        /// From 0 to c0.
        c: usize,
    },
    /// The same by the opponent's matching; `c` from 0 to c1.
    S5 {
        /// From 0 to c1.
        c: usize,
    },
    /// Keep to the mu0 strongest cards; `c` from 0 to c0.
    S6 {
        /// From 0 to c0.
        c: usize,
    },
    /// Keep to the mu1 + 1 strongest cards; `c` from 0 to c1.
    S7 {
        /// From 0 to c1.
        c: usize,
    },
    /// Keep to the k strongest cards, mu1 < k <= mu0.
    Sk {
        /// More than mu1, at most mu0.
        k: usize,
    },
}

/// The weakest legal card among all but the `skip` weakest of the hand; pass if there is none.
pub fn weakest_legal(hand: &[Face], skip: usize, level: Face) -> Move {
    let from = hand.partition_point(|&card| card <= level).max(skip);
    hand.get(from).map_or(Move::Pass, |&face| Move::Discard(face))
}

/// The weakest legal card among the `k` strongest of the hand; pass if there is none.
pub fn among_strongest(hand: &[Face], k: usize, level: Face) -> Move {
    weakest_legal(hand, hand.len().saturating_sub(k), level)
}

impl Strategy {
    /// The move of the strategy for the mover's hand `x` against `z` on `level`; meaningful for a won position without cut cards.
    pub fn choose(self, x: &[Face], z: &[Face], level: Face, goals: [usize; 2]) -> Move {
        let [c0, c1] = goals;
        let lo = |skip| weakest_legal(x, skip, level);
        let [mu0, mu1] = matching_numbers(x, z, level, goals);
        let with_own = |c| matching_numbers(x, z, level, [c, c1])[0];
        let with_other = |c| size(cards(without_weakest(z, c)), cards(without_weakest(x, c0 + 1)));
        // X[c0..] without x_{c0+2}.
        let gap = merged(x.get(c0..=c0).unwrap_or(&[]), without_weakest(x, c0 + 2));
        match self {
            Strategy::S2 => {
                let spared = size(cards(without_weakest(z, c1)), gap) == mu1;
                if x.len() == c0 + 1 || spared { lo(c0) } else { lo(c0 + 1) }
            }
            Strategy::S3 { c } => {
                let targets = merged(without_weakest(z, c1 + 1), &[]);
                let survives = x.len() >= c0 + 2 && size(gap, targets) + 1 >= mu0;
                if survives { lo(c0 + 1) } else { lo(c) }
            }
            Strategy::S4 { c } => {
                if with_own(c) >= x.len() - c0 {
                    lo(c0)
                } else {
                    lo(c0 + 1)
                }
            }
            Strategy::S5 { c } => {
                if with_other(c) == x.len() - c0 - 1 {
                    lo(c0)
                } else {
                    lo(c0 + 1)
                }
            }
            Strategy::S6 { c } => among_strongest(x, with_own(c).min(x.len()), level),
            Strategy::S7 { c } => among_strongest(x, (with_other(c) + 1).min(x.len()), level),
            Strategy::Sk { k } => among_strongest(x, k, level),
        }
    }
}

fn cards(hand: &[Face]) -> impl Iterator<Item = Face> {
    hand.iter().copied()
}

/// A move for any position, from the decision and the values of all moves: for the winner a winning discard, for the loser the most stubborn move.
///
/// Without cut cards the winner plays SK with k = mu0. With cut cards he takes the first winning discard, which is one of the
/// three candidates of the theory. The loser takes the move after which his margin is largest (ties: the weakest card);
/// every move of his loses, so this only makes the winner work.
pub fn best_move(position: &Position, decision: &Decision, values: &[MoveValue]) -> Option<Move> {
    if decision.winner == Player::Mover {
        if let (Some(level), false) = (position.table().level(), position.has_cuts()) {
            return Some(among_strongest(&position.mover().ordinary, decision.mu[0], level));
        }
        return values.iter().find(|value| value.wins).map(|value| value.mv);
    }
    // `max_by_key` prefers the last of equals, so look from the back to get the weakest card.
    values.iter().rev().max_by_key(|value| value.margin.unwrap_or(i64::MIN)).map(|value| value.mv)
}

/// The best move of a position on its own.
///
/// ```
/// use tanhinmin::{Position, strategy::suggest};
/// let position: Position = "2,6,7/3,4,5,8@1".parse()?;
/// assert_eq!(suggest(&position, &mut Default::default())?.unwrap().to_string(), "2");
/// # Ok::<(), kachi_core::Error>(())
/// ```
///
/// # Errors
/// `out_of_budget`.
pub fn suggest(position: &Position, budget: &mut Budget<'_>) -> Result<Option<Move>, Error> {
    let decision = decide(position, budget)?;
    Ok(best_move(position, &decision, &move_values(position, budget)?))
}

/// What the oracle told, once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// The player's own matching number.
    OwnMu(usize),
    /// The opponent's matching number.
    OtherMu(usize),
}

/// The counter strategy: win without seeing the opponent's hand, from one number told once.
///
/// It remembers one number k: *my turn*, discard the weakest legal card among my k strongest and lower k by one, or pass if none is legal;
/// *opponent discards*, nothing changes; *opponent passes*, raise k by one, up to cards minus goal. If the player was winning
/// when the oracle was asked, this wins against every play (proved: `tanhinmin/Play.counter_strategy_mover`, `..._other`).
///
/// ```
/// use tanhinmin::{Face, Move, faces, strategy::{Counter, Told}};
/// // Mover with 2 6 7 on a 1, told that her own matching number is 3.
/// let mut her = Counter::new(faces(&[2, 6, 7]).unwrap(), 0, true, Told::OwnMu(3));
/// assert_eq!(her.my_turn(Face::new(1)), Move::Discard(Face::new(2).unwrap()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Counter {
    hand: Vec<Face>,
    goal: usize,
    k: usize,
}

impl Counter {
    /// A player who asks now. `hand` is sorted, `to_move` says whether it is her turn.
    pub fn new(hand: Vec<Face>, goal: usize, to_move: bool, told: Told) -> Self {
        let k = match told {
            Told::OwnMu(mu) => mu,
            Told::OtherMu(mu) => mu + usize::from(to_move),
        };
        Counter { hand, goal, k }
    }

    /// The number she remembers.
    pub fn k(&self) -> usize {
        self.k
    }

    /// Her hand now.
    pub fn hand(&self) -> &[Face] {
        &self.hand
    }

    /// Has she reached her goal?
    pub fn has_won(&self) -> bool {
        self.hand.len() <= self.goal
    }

    /// Her move on a table showing this face (`None`: empty); it is carried out.
    pub fn my_turn(&mut self, table: Option<Face>) -> Move {
        let mv = self.intends(table);
        self.carry_out(mv);
        mv
    }

    /// Her move on this table, not carried out.
    pub fn intends(&self, table: Option<Face>) -> Move {
        among_strongest(&self.hand, self.k, table.unwrap_or(Face::GROUND))
    }

    /// Carries out a move of hers, whether it follows the strategy or not.
    pub fn carry_out(&mut self, mv: Move) {
        if let Move::Discard(face) = mv {
            crate::rules::remove(&mut self.hand, face);
            self.k = self.k.saturating_sub(1);
        }
    }

    /// The opponent has passed.
    pub fn opponent_passes(&mut self) {
        self.k = (self.k + 1).min(self.hand.len().saturating_sub(self.goal));
    }
}

//! The race, the keeper, and the decision from a value and a price (the main theorem; `Graph.graph_decide_correct`).

use crate::position::Player;

/// A number so large that no lock can be worth it: there is no lock.
pub const NO_LOCK: i64 = i64::MAX;

/// Who would empty his hand first if nobody were ever stuck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Race {
    /// Cards of the first and the second player.
    pub hands: [u64; 2],
    /// Whose turn it is.
    pub mover: Player,
    /// The player with fewer cards; with equal counts the player to move.
    pub winner: Player,
    /// The other one: he wins only if the race winner gets stuck.
    pub keeper: Player,
}

impl Race {
    /// The race between hands of these sizes.
    #[must_use]
    #[inline]
    pub fn new(hands: [u64; 2], mover: Player) -> Race {
        let winner = match hands[0].cmp(&hands[1]) {
            std::cmp::Ordering::Less => Player::First,
            std::cmp::Ordering::Greater => Player::Second,
            std::cmp::Ordering::Equal => mover,
        };
        Race { hands, mover, winner, keeper: winner.other() }
    }

    /// The player whose hand is empty, who has won.
    #[must_use]
    #[inline]
    pub fn over(&self) -> Option<Player> {
        Player::BOTH.into_iter().find(|p| self.hands[p.index()] == 0)
    }

    /// The winner, given the value (good for the first player when positive) and the keeper's price;
    /// [`NO_LOCK`] says that the race winner is free.
    #[must_use]
    #[inline]
    pub fn decide(&self, value: i64, price: i64) -> Player {
        if price == NO_LOCK {
            return self.winner;
        }
        let margin = self.keeper.sign() * value - price;
        if margin > 0 || (margin == 0 && self.mover == self.winner) { self.keeper } else { self.winner }
    }
}

/// The integer nearest 0 strictly between the best value the first player can move to (`low`) and the best the second
/// can move to (`high`); `None` is a side without a move.
///
/// ```
/// use shichinarabe::theory::race::simplest;
/// assert_eq!(simplest(None, None), 0);
/// assert_eq!(simplest(Some(2), None), 3);
/// assert_eq!(simplest(Some(-5), Some(-1)), -2);
/// ```
#[must_use]
#[inline]
pub fn simplest(low: Option<i64>, high: Option<i64>) -> i64 {
    match (low, high) {
        (Some(low), _) if low >= 0 => low + 1,
        (_, Some(high)) if high <= 0 => high - 1,
        _ => 0,
    }
}

//! Pieces of paths open at one end, both or none (section 6 of the theory page): what a joker leaves of a suit. Values and
//! prices of all intervals of a leg by dynamic programming; over a list of pieces values add and the price is the minimum.

use crate::position::Player;
use crate::theory::race::simplest;
use crate::theory::suits::{Suffix, Worth};
use kachi_core::{Budget, Error};

/// Which ends of a piece touch the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Ends {
    /// Nobody can play here.
    Neither = 0,
    /// The first card.
    Left = 1,
    /// The last card.
    Right = 2,
    /// Both.
    Both = 3,
}

impl Ends {
    /// From the two sides.
    #[must_use]
    pub fn new(left: bool, right: bool) -> Ends {
        match (left, right) {
            (false, false) => Ends::Neither,
            (true, false) => Ends::Left,
            (false, true) => Ends::Right,
            (true, true) => Ends::Both,
        }
    }

    /// Is the first card playable?
    #[must_use]
    pub fn left(self) -> bool {
        self as u8 & 1 != 0
    }

    /// Is the last card playable?
    #[must_use]
    pub fn right(self) -> bool {
        self as u8 & 2 != 0
    }
}

/// The worths of all intervals of one leg.
#[derive(Debug, Clone)]
pub struct Leg {
    owners: Vec<Player>,
    /// Worth of `owners[i..j]` at `i * (n + 1) + j`, for `Left`, `Right`, `Both` in turn.
    worths: [Vec<Worth>; 3],
    /// Worth of `owners[i..]` open at its first card, for legs that are never cut; then there are no tables.
    suffixes: Vec<Worth>,
    /// Cards of the second player before each place.
    second: Vec<u32>,
}

impl Leg {
    /// Fills the tables; work and memory grow with the square of the length.
    ///
    /// # Errors
    /// `out_of_budget`.
    pub fn new(owners: Vec<Player>, budget: &mut Budget<'_>) -> Result<Leg, Error> {
        let n = owners.len();
        let entries = (n as u64 + 1).saturating_mul(n as u64 + 1).saturating_mul(3);
        if Leg::bytes(n) > budget.limits().bytes {
            return Err(Error::new(
                "out_of_budget",
                format!("a path of {n} cards needs {entries} table entries"),
            ));
        }
        budget.spend(entries / 64 + 1)?;
        let second = counts(&owners);
        let blank = vec![Worth::EMPTY; ((n + 1) * (n + 1)).max(1)];
        let mut leg =
            Leg { owners, worths: [blank.clone(), blank.clone(), blank], suffixes: Vec::new(), second };
        for length in 1..=n {
            for start in 0..=n - length {
                for ends in [Ends::Left, Ends::Right, Ends::Both] {
                    let worth = leg.worth_of(start, start + length, ends);
                    leg.worths[ends as usize - 1][start * (n + 1) + start + length] = worth;
                }
            }
        }
        Ok(leg)
    }

    /// A leg that is open at its first card and is only ever played from there: linear instead of quadratic.
    #[must_use]
    pub fn suit(owners: Vec<Player>) -> Leg {
        let mut suffix = Suffix::EMPTY;
        let mut suffixes = vec![Worth::EMPTY; owners.len() + 1];
        for (i, &owner) in owners.iter().enumerate().rev() {
            suffix = suffix.behind(owner);
            suffixes[i] = suffix.worth;
        }
        Leg { second: counts(&owners), owners, worths: Default::default(), suffixes }
    }

    /// The bytes that the tables of a leg of this length take.
    #[must_use]
    pub fn bytes(length: usize) -> u64 {
        let side = length as u64 + 1;
        side.saturating_mul(side).saturating_mul(3 * size_of::<Worth>() as u64)
    }

    /// The owners, in order.
    #[must_use]
    pub fn owners(&self) -> &[Player] {
        &self.owners
    }

    /// Cards of each player in an interval.
    #[must_use]
    pub fn hands(&self, start: usize, end: usize) -> [u64; 2] {
        let second = u64::from(self.second[end] - self.second[start]);
        [(end - start) as u64 - second, second]
    }

    /// The worth of an interval `start..end` with these ends open.
    #[must_use]
    #[inline]
    pub fn worth(&self, start: usize, end: usize, ends: Ends) -> Worth {
        if start >= end {
            return Worth::EMPTY;
        }
        if ends == Ends::Neither {
            // Unreachable: worth nothing, and whoever has a card there is locked in for nothing.
            let hands = self.hands(start, end);
            let price = |keeper: usize| if hands[1 - keeper] > 0 { 0 } else { Worth::FREE };
            return Worth { value: 0, prices: [price(0), price(1)] };
        }
        if self.suffixes.is_empty() {
            self.worths[ends as usize - 1][start * (self.owners.len() + 1) + end]
        } else {
            self.suffixes[start]
        }
    }

    fn worth_of(&self, start: usize, end: usize, ends: Ends) -> Worth {
        let options = [(ends.left(), start, (start + 1, end)), (ends.right(), end - 1, (start, end - 1))];
        let open = || options.into_iter().filter(|option| option.0);
        let plays = |player: Player| {
            open().filter(move |o| self.owners[o.1] == player).map(|o| self.worth(o.2.0, o.2.1, ends))
        };
        let low = plays(Player::First).map(|w| w.value).max();
        let high = plays(Player::Second).map(|w| w.value).min();
        let value = simplest(low, high);
        let prices = Player::BOTH.map(|keeper| {
            let prisoner = keeper.other();
            if self.is_free(prisoner, start, end, ends) {
                return Worth::FREE;
            }
            // The keeper's view; his plays that would set the prisoner free are forbidden.
            let locked = |w: Worth| {
                let price = w.prices[keeper.index()];
                (price != Worth::FREE).then(|| keeper.sign() * w.value - i64::from(price))
            };
            let low = plays(keeper).filter_map(locked).max();
            let high = plays(prisoner).filter_map(locked).min();
            (keeper.sign() * value - simplest(low, high)).clamp(0, i64::from(Worth::FREE) - 1) as u8
        });
        Worth { value, prices }
    }

    /// Could the player play all his cards of the interval alone?
    fn is_free(&self, player: Player, start: usize, end: usize, ends: Ends) -> bool {
        let (mut start, mut end) = (start, end);
        while ends.left() && start < end && self.owners[start] == player {
            start += 1;
        }
        while ends.right() && start < end && self.owners[end - 1] == player {
            end -= 1;
        }
        self.hands(start, end)[player.index()] == 0
    }
}

/// How many cards of the second player come before each place.
fn counts(owners: &[Player]) -> Vec<u32> {
    let mut second = vec![0; owners.len() + 1];
    for (i, &owner) in owners.iter().enumerate() {
        second[i + 1] = second[i] + u32::from(owner == Player::Second);
    }
    second
}

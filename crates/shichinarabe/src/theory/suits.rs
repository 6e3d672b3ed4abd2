//! The suit game by a recursion over suffixes, right to left (`Decide.scan_correct`, `Decide.decide_tot_correct`,
//! `Decide.winning_moves_correct`): every suit has a value and a price for each keeper; the value of a list is the sum, its
//! price the minimum.

use crate::position::Player;
use crate::theory::race::{NO_LOCK, Race};

/// What one suit is worth: its value and what it costs either player to keep the other locked in with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Worth {
    /// The value, positive for the first player.
    pub value: i64,
    /// The price when the first or the second player is keeper: 0, 1 or [`Worth::FREE`].
    pub prices: [u8; 2],
}

impl Worth {
    /// The price of a suit that locks nobody in.
    pub const FREE: u8 = u8::MAX;

    /// The worth of the empty suit.
    pub const EMPTY: Worth = Worth { value: 0, prices: [Worth::FREE; 2] };
}

/// A suffix of a suit with its worth; the recursion adds cards in front of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Suffix {
    /// The worth of the suffix.
    pub worth: Worth,
    /// Which players own cards in it.
    pub holds: [bool; 2],
}

impl Suffix {
    /// No card.
    pub const EMPTY: Suffix = Suffix { worth: Worth::EMPTY, holds: [false; 2] };

    /// The suffix with one more card in front.
    #[must_use]
    #[inline]
    pub const fn behind(self, owner: Player) -> Suffix {
        // Everything is written from the new owner's side; `near` is his price, `far` the other's.
        let (me, you) = match owner {
            Player::First => (0, 1),
            Player::Second => (1, 0),
        };
        let sign = if me == 0 { 1 } else { -1 };
        let before = sign * self.worth.value;
        let value = if before + 1 > 0 { before + 1 } else { 0 };
        let (near, far) = (self.worth.prices[me], self.worth.prices[you]);
        let new_near = if !self.holds[you] {
            Worth::FREE
        } else if value > 0 {
            if (near as i64) < value { near } else { value as u8 }
        } else {
            0
        };
        let spared = if -before - 1 > 0 { -before - 1 } else { 0 };
        let new_far = if far == Worth::FREE {
            Worth::FREE
        } else if far as i64 > spared {
            (far as i64 - spared) as u8
        } else {
            0
        };
        let mut prices = [0; 2];
        prices[me] = new_near;
        prices[you] = new_far;
        let mut holds = self.holds;
        holds[me] = true;
        Suffix { worth: Worth { value: sign * value, prices }, holds }
    }

    /// The whole suit, read from its end.
    #[must_use]
    pub fn of(suit: &[Player]) -> Suffix {
        suit.iter().rev().fold(Suffix::EMPTY, |suffix, &owner| suffix.behind(owner))
    }
}

/// The sums over all suits that decide the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Totals {
    /// Cards held.
    pub hands: [u64; 2],
    /// The sum of the values.
    pub value: i64,
    /// How many suits have price 0 and price 1, by keeper.
    locks: [[u32; 2]; 2],
}

impl Totals {
    /// No suit.
    pub const NONE: Totals = Totals { hands: [0; 2], value: 0, locks: [[0; 2]; 2] };

    /// Adds a suit.
    #[inline]
    pub fn add(&mut self, worth: Worth) {
        self.value += worth.value;
        for keeper in 0..2 {
            if worth.prices[keeper] != Worth::FREE {
                self.locks[keeper][usize::from(worth.prices[keeper] & 1)] += 1;
            }
        }
    }

    /// Takes a suit away again.
    #[inline]
    pub fn remove(&mut self, worth: Worth) {
        self.value -= worth.value;
        for keeper in 0..2 {
            if worth.prices[keeper] != Worth::FREE {
                self.locks[keeper][usize::from(worth.prices[keeper] & 1)] -= 1;
            }
        }
    }

    /// The least price of the suits for a keeper, or [`NO_LOCK`].
    #[must_use]
    #[inline]
    pub fn price(&self, keeper: Player) -> i64 {
        match self.locks[keeper.index()] {
            [0, 0] => NO_LOCK,
            [0, _] => 1,
            _ => 0,
        }
    }

    /// Who wins with this player to move.
    #[must_use]
    #[inline]
    pub fn winner(&self, mover: Player) -> Player {
        let race = Race::new(self.hands, mover);
        race.over().unwrap_or_else(|| race.decide(self.value, self.price(race.keeper)))
    }
}

/// A suit as the decision needs it: its first card, its worth, and its worth without the first card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Front {
    /// The owner of the first card; `None` for an empty suit.
    pub owner: Option<Player>,
    /// The worth of the suit.
    pub worth: Worth,
    /// The worth after its first card has been played.
    pub next: Worth,
}

impl Front {
    /// The front of an empty suit.
    pub const EMPTY: Front = Front { owner: None, worth: Worth::EMPTY, next: Worth::EMPTY };

    /// The front of a suit.
    #[must_use]
    pub fn of(suit: &[Player]) -> Front {
        let Some((&owner, rest)) = suit.split_first() else {
            return Front::EMPTY;
        };
        let next = Suffix::of(rest);
        Front { owner: Some(owner), worth: next.behind(owner).worth, next: next.worth }
    }
}

/// The suits that win when played now: `wins(i)` is called for each, in order. Returns the winner.
#[inline]
pub fn winning_suits(
    mut totals: Totals,
    mover: Player,
    fronts: impl IntoIterator<Item = Front>,
    mut wins: impl FnMut(usize),
) -> Player {
    let winner = totals.winner(mover);
    // A lost position has no winning move, and a finished one has no move.
    if winner != mover || totals.hands[mover.index()] == 0 {
        return winner;
    }
    totals.hands[mover.index()] -= 1;
    for (i, front) in fronts.into_iter().enumerate() {
        if front.owner != Some(mover) {
            continue;
        }
        let mut after = totals;
        after.remove(front.worth);
        after.add(front.next);
        if after.winner(mover.other()) == mover {
            wins(i);
        }
    }
    winner
}

/// The longest suit whose worth is looked up instead of computed.
const SHORT: usize = 8;

/// Everything that a short suit adds to the totals, in one word, so that a position is a sum of words and a move is one
/// subtraction and one addition: value in the top 16 bits (its overflow is lost, as it should be), then cards of the two
/// players, then suits of price 0 and 1 by keeper, a byte each.
const fn packed(suffix: Suffix, hands: [u64; 2]) -> u64 {
    let mut word = (suffix.worth.value as u64) << 48;
    word |= hands[0] | (hands[1] << 8);
    let mut keeper = 0;
    while keeper < 2 {
        let price = suffix.worth.prices[keeper];
        if price != Worth::FREE {
            word |= 1 << (16 + 16 * keeper as u64 + 8 * price as u64);
        }
        keeper += 1;
    }
    word
}

/// The words of all suits of at most [`SHORT`] cards. A suit is numbered by its owners: bit i is set when the card at depth i
/// is the second player's, and one more bit above the last card marks the length.
const fn short_words() -> [u64; 1 << (SHORT + 1)] {
    let mut suffixes = [Suffix::EMPTY; 1 << (SHORT + 1)];
    let mut hands = [[0u64; 2]; 1 << (SHORT + 1)];
    let mut words = [0; 1 << (SHORT + 1)];
    let mut code = 2;
    while code < words.len() {
        let owner = if code & 1 == 0 { Player::First } else { Player::Second };
        suffixes[code] = suffixes[code >> 1].behind(owner);
        hands[code] = hands[code >> 1];
        hands[code][code & 1] += 1;
        words[code] = packed(suffixes[code], hands[code]);
        code += 1;
    }
    words
}

static SHORT_WORDS: [u64; 1 << (SHORT + 1)] = short_words();

/// The winner from a sum of words.
#[inline]
fn winner_of(word: u64, mover: Player) -> Player {
    let hands = [word & 0xff, word >> 8 & 0xff];
    let race = Race::new(hands, mover);
    if hands[0] == 0 || hands[1] == 0 {
        return if hands[0] == 0 { Player::First } else { Player::Second };
    }
    let locks = word >> (16 + 16 * race.keeper.index()) & 0xffff;
    let price = if locks & 0xff != 0 { 0 } else { 1 };
    if locks == 0 { race.winner } else { race.decide((word as i64) >> 48, price) }
}

/// A suit of at most eight cards packed into bits; the real deck has eight of six.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ShortSuit(u16);

impl ShortSuit {
    /// Packs a suit, if it is short enough.
    #[must_use]
    #[inline]
    pub fn new(suit: &[Player]) -> Option<ShortSuit> {
        if suit.len() > SHORT {
            return None;
        }
        let code = suit.iter().rev().fold(1u16, |code, &owner| (code << 1) | owner as u16);
        Some(ShortSuit(code))
    }

    /// A suit of `length` cards (at most eight) whose owners are the low bits: bit i is the card at depth i.
    #[must_use]
    #[inline]
    pub fn from_bits(bits: u8, length: usize) -> ShortSuit {
        let length = length.min(SHORT);
        ShortSuit((1 << length) | (u16::from(bits) & ((1 << length) - 1)))
    }

    #[inline]
    fn word(self) -> u64 {
        SHORT_WORDS[usize::from(self.0) & (SHORT_WORDS.len() - 1)]
    }
}

/// Decides a position of short suits: the winner and a bit for every winning suit.
#[must_use]
#[inline]
pub fn analyse_short<const N: usize>(suits: &[ShortSuit; N], mover: Player) -> (Player, u32) {
    const { assert!(N <= 31, "more suits than a byte of cards can count") };
    let total = suits.iter().fold(0u64, |sum, suit| sum.wrapping_add(suit.word()));
    let winner = winner_of(total, mover);
    let mut winning = 0;
    if winner == mover {
        for (i, suit) in suits.iter().enumerate() {
            let mine = suit.0 > 1 && usize::from(suit.0 & 1) == mover.index();
            let after = total.wrapping_sub(suit.word()).wrapping_add(ShortSuit(suit.0 >> 1).word());
            let wins = mine && winner_of(after, mover.other()) == mover;
            winning |= u32::from(wins) << i;
        }
    }
    // A player without cards has won already and plays nothing.
    (winner, if total & 0xff == 0 || total >> 8 & 0xff == 0 { 0 } else { winning })
}

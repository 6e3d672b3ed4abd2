//! The two players. In the suit game they are called L and R; in the graph game the same two are called R (red)
//! and B (blue). The first name of each pair is the same player.

use kachi_core::Seat;

/// One of the two players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Player {
    /// `L` of the suit game, `R` (red) of the graph game. Positive values are good for this player.
    First = 0,
    /// `R` of the suit game, `B` (blue) of the graph game.
    Second = 1,
}

impl Player {
    /// Both, in order.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// The opponent.
    #[must_use]
    pub fn other(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }

    /// 0 or 1.
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }

    /// The seat at the table.
    #[must_use]
    pub fn seat(self) -> Seat {
        Seat(self.index())
    }

    /// The player in a seat.
    #[must_use]
    pub fn at(seat: Seat) -> Player {
        if seat == Seat::FIRST { Player::First } else { Player::Second }
    }

    /// +1 for the first player, -1 for the second: turns a value into this player's view of it.
    #[must_use]
    pub fn sign(self) -> i64 {
        match self {
            Player::First => 1,
            Player::Second => -1,
        }
    }

    /// The letter in the suit game.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Player::First => 'L',
            Player::Second => 'R',
        }
    }

    /// The letter in the graph game.
    #[must_use]
    pub fn colour(self) -> char {
        match self {
            Player::First => 'R',
            Player::Second => 'B',
        }
    }

    /// The player with this letter of the suit game.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Player> {
        match letter {
            'L' => Some(Player::First),
            'R' => Some(Player::Second),
            _ => None,
        }
    }

    /// The player with this letter of the graph game.
    #[must_use]
    pub fn from_colour(colour: char) -> Option<Player> {
        match colour {
            'R' => Some(Player::First),
            'B' => Some(Player::Second),
            _ => None,
        }
    }
}

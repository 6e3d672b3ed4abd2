//! The rules of a game, and nothing else. Everything clever is tested against solvers that need only this.

use std::fmt::Debug;
use std::hash::Hash;

/// A player's place at the table, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seat(pub usize);

impl Seat {
    /// The first seat.
    pub const FIRST: Seat = Seat(0);
    /// The second seat.
    pub const SECOND: Seat = Seat(1);

    /// The other seat of a two-player game.
    #[must_use]
    pub fn other(self) -> Seat {
        Seat(1 - self.0)
    }
}

/// The rules of a game of perfect information without chance: positions, moves, play, ending.
///
/// The trait is deliberately poor. A type that implements it should read like the rules on the back of
/// a box, with no shortcut that theory knows about, because [`solve`](crate::solve) defines the truth with it.
pub trait Game {
    /// A position, including whose turn it is. Equal positions must have equal futures.
    type Position: Clone + Eq + Hash + Debug;
    /// A move.
    type Move: Clone + Eq + Debug;
    /// How a finished play ended: the winner, or everybody's rank.
    type Ending: Clone + Eq + Debug;

    /// The seat whose turn it is. Only asked while [`ending`](Game::ending) is `None`.
    fn mover(&self, position: &Self::Position) -> Seat;

    /// How the play ended, if it has.
    fn ending(&self, position: &Self::Position) -> Option<Self::Ending>;

    /// All legal moves. Not empty while the play has not ended.
    fn moves(&self, position: &Self::Position) -> Vec<Self::Move>;

    /// The position after a legal move.
    fn play(&self, position: &Self::Position, mv: &Self::Move) -> Self::Position;
}

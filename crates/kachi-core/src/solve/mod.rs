//! The slow, obviously right solvers. They need a [`Game`] and an [`Aim`], nothing else.
//!
//! # What "wins" means
//!
//! A *team* of seats has an aim: to bring the play to an ending that it likes. All other seats play
//! against it together. There are three answers for a position ([`Outcome`]):
//!
//! * **Forced**: the team can bring about its aim in finitely many moves, whatever the others do;
//! * **Denied**: the others can bring about an ending outside the aim in finitely many moves;
//! * **Endless**: neither; both sides can keep the other from its ending by playing for ever.
//!
//! "In finitely many moves" is a *least fixpoint*: the set of forced positions is the smallest set that
//! contains the endings in the aim, every position of the team with a move into the set, and every
//! position of the others all of whose moves lead into the set. Going round in circles (passes,
//! circulating jokers) therefore proves nothing for anybody, unless a game's rules say otherwise.
//!
//! [`by_memo`] evaluates games whose plays cannot repeat a position, by plain recursion with a memory;
//! [`by_attractor`] lists the reachable positions and grows both fixpoints backwards, so it is right for cycles
//! too. On games without cycles the two agree and neither answers `Endless`; that is tested.

mod attractor;
mod memo;

pub use attractor::{Solution, by_attractor};
pub use memo::by_memo;

use crate::game::{Game, Seat};

/// What a team of seats tries to reach.
pub trait Aim<G: Game> {
    /// Is this seat one of the team?
    fn in_team(&self, seat: Seat) -> bool;
    /// Does this ending fulfil the aim?
    fn fulfilled(&self, ending: &G::Ending) -> bool;
}

/// The usual aim of a game whose ending is its winner: this seat wins.
#[derive(Debug, Clone, Copy)]
pub struct Wins(pub Seat);

impl<G: Game<Ending = Seat>> Aim<G> for Wins {
    fn in_team(&self, seat: Seat) -> bool {
        seat == self.0
    }

    fn fulfilled(&self, ending: &Seat) -> bool {
        *ending == self.0
    }
}

/// What best play leads to; see the [module](self) for the exact meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The team reaches its aim in finitely many moves.
    Forced,
    /// The others reach an ending outside the aim in finitely many moves.
    Denied,
    /// Neither side can force an ending it likes.
    Endless,
}

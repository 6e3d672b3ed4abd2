//! The rules: which moves are legal, what a move does, when the play is over. [`Tanhinmin`] states them for the slow solvers.

use crate::position::{Face, Position, Side, Table};
use kachi_core::{Error, Game, Seat};

/// What a player may do in his turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Move {
    /// Discard an ordinary card; it replaces the table card.
    Discard(Face),
    /// Discard a cut card: nothing beats it, so the opponent must pass.
    Cut(Face),
    /// Empty the table.
    Pass,
}

/// What a move leads to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The play goes on with the other player to move.
    Goes(Position),
    /// The one who moved has reached his goal.
    Won,
}

impl Position {
    /// All legal moves: ordinary cards ascending, cut cards ascending, pass; each face once.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        if let Some(level) = self.table.level() {
            let legal = |cards: &[Face]| {
                let mut faces = cards[cards.partition_point(|&card| card <= level)..].to_vec();
                faces.dedup();
                faces
            };
            moves.extend(legal(&self.sides[0].ordinary).into_iter().map(Move::Discard));
            moves.extend(legal(&self.sides[0].cuts).into_iter().map(Move::Cut));
        }
        moves.push(Move::Pass);
        moves
    }

    /// Plays a move if it is legal.
    ///
    /// # Errors
    /// `illegal_move`, with the reason.
    pub fn play(&self, mv: Move) -> Result<Outcome, Error> {
        let (cards, face) = match mv {
            Move::Pass => return Ok(Outcome::Goes(self.after_pass())),
            Move::Discard(face) => (&self.sides[0].ordinary, face),
            Move::Cut(face) => (&self.sides[0].cuts, face),
        };
        let illegal = |why: String| Err(Error::new("illegal_move", why));
        if cards.binary_search(&face).is_err() {
            return illegal(format!("the mover does not hold {mv}"));
        }
        match self.table.level() {
            None => illegal("a cut card lies on the table: only pass is legal".into()),
            Some(level) if face <= level => illegal(format!("{mv} does not beat the {level} on the table")),
            Some(_) => Ok(self.play_unchecked(mv)),
        }
    }

    /// Plays a move that is known to be legal.
    pub(crate) fn play_unchecked(&self, mv: Move) -> Outcome {
        let [mut mover, other] = self.sides.clone();
        let table = match mv {
            Move::Pass => Table::Empty,
            Move::Discard(face) => {
                remove(&mut mover.ordinary, face);
                Table::Shows(face)
            }
            Move::Cut(face) => {
                remove(&mut mover.cuts, face);
                Table::Cut
            }
        };
        if mv != Move::Pass && reached_goal(&mover) {
            return Outcome::Won;
        }
        Outcome::Goes(Position { table, sides: [other, mover] })
    }
}

fn reached_goal(side: &Side) -> bool {
    side.len() <= side.goal
}

/// Takes one copy of a face out of sorted cards.
pub(crate) fn remove(cards: &mut Vec<Face>, face: Face) {
    if let Ok(at) = cards.binary_search(&face) {
        cards.remove(at);
    }
}

/// The game for the slow solvers of `kachi-core`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tanhinmin;

/// A position with its seats, or the end.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Stage {
    /// This seat is to move.
    Turn(Seat, Position),
    /// This seat has won.
    Over(Seat),
}

impl Game for Tanhinmin {
    type Position = Stage;
    type Move = Move;
    type Ending = Seat;

    fn mover(&self, stage: &Stage) -> Seat {
        match stage {
            Stage::Turn(seat, _) | Stage::Over(seat) => *seat,
        }
    }

    fn ending(&self, stage: &Stage) -> Option<Seat> {
        match stage {
            Stage::Over(winner) => Some(*winner),
            Stage::Turn(..) => None,
        }
    }

    fn moves(&self, stage: &Stage) -> Vec<Move> {
        match stage {
            Stage::Turn(_, position) => position.legal_moves(),
            Stage::Over(_) => Vec::new(),
        }
    }

    fn play(&self, stage: &Stage, mv: &Move) -> Stage {
        match stage {
            Stage::Over(winner) => Stage::Over(*winner),
            Stage::Turn(seat, position) => match position.play_unchecked(*mv) {
                Outcome::Won => Stage::Over(*seat),
                Outcome::Goes(next) => Stage::Turn(seat.other(), next),
            },
        }
    }
}

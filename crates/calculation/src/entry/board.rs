//! A table in play. With a known deal the next card is drawn as soon as nothing else can be done; without one, chance comes next, and whoever has the
//! real cards tells what it is.

use crate::contract::board_answer;
use crate::entry::engine::{self, Judged};
use crate::entry::report;
use crate::entry::stock::{self, Written};
use crate::picture;
use crate::position::{Position, Rank};
use crate::rules::{Move, Rules};
use kachi_core::scene::Scene;
use kachi_core::surface::{Board, Chance, Ended, Report};
use kachi_core::{Budget, Error, Seat};

/// A table in play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Play(Written);

/// What has to happen next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The drawn card is to be placed.
    Place(Rank),
    /// Free moves may be made; then the next card is due.
    Free,
    /// The next card is due, and chance decides which.
    Due,
    /// Nothing any more.
    Over,
}

impl Play {
    /// A board as written, moved on to where somebody has to decide something.
    #[must_use]
    pub fn new(written: Written) -> Play {
        let mut play = Play(written);
        play.go_on();
        play
    }

    /// The game.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.0.rules
    }

    /// The table.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.0.position
    }

    fn is_free(&self) -> bool {
        self.0.rules.unloadings(&self.0.position).next().is_some()
    }

    /// Draws what is due when it is known. Free moves that do not exist are done.
    fn go_on(&mut self) {
        let Written { rules, position, stock, due } = &mut self.0;
        if position.drawn().is_some() || position.left() == 0 {
            *due = false;
            return;
        }
        let free = rules.unloadings(position).next().is_some();
        if free && !*due {
            return;
        }
        // Without free moves the next card is due anyway, so it need not be said.
        *due = free;
        if let Some(rank) = stock.next(rules, position) {
            rules.apply(position, Move::Draw(rank));
            *due = false;
        }
    }

    pub(crate) fn stage(&self) -> Stage {
        let Written { rules, position, due, .. } = &self.0;
        match position.drawn() {
            Some(rank) => Stage::Place(rank),
            None if rules.is_over(position) => Stage::Over,
            None if *due || !self.is_free() => Stage::Due,
            None => Stage::Free,
        }
    }

    /// All ways to go on, judged.
    pub(crate) fn judge(&self, budget: &mut Budget<'_>) -> Result<Judged, Error> {
        let position = self.position();
        engine::ask(self.rules(), |judge| match self.stage() {
            Stage::Place(_) => judge.turn(position, budget),
            Stage::Free => judge.free(position, budget),
            Stage::Due | Stage::Over => judge.wait(position, budget),
        })
    }

    /// The moves that may be made now, as they are written.
    pub(crate) fn moves(&self) -> Vec<String> {
        let Written { rules, position, .. } = &self.0;
        match self.stage() {
            Stage::Place(_) => rules.moves(position).iter().map(ToString::to_string).collect(),
            Stage::Free => {
                let draw = (position.left() > 0).then(|| DRAW.to_owned());
                rules.unloadings(position).map(|mv| mv.to_string()).chain(draw).collect()
            }
            Stage::Due | Stage::Over => Vec::new(),
        }
    }

    /// Reads a move: as the rules write it, a bare rank for a draw, or `draw` for the next card.
    fn read(&self, text: &str) -> Result<Wanted, Error> {
        let text = text.trim();
        let mut letters = text.chars();
        if let (Some(rank), None) = (letters.next().and_then(Rank::from_char), letters.next()) {
            return Ok(Wanted::Move(Move::Draw(rank)));
        }
        if text.eq_ignore_ascii_case("10") {
            return Ok(Rank::from_char('T').map_or(Wanted::Draw, |ten| Wanted::Move(Move::Draw(ten))));
        }
        if text.eq_ignore_ascii_case(DRAW) {
            return Ok(Wanted::Draw);
        }
        text.parse().map(Wanted::Move).map_err(|error: Error| error.hint(self.hint()))
    }

    /// What is legal.
    fn hint(&self) -> String {
        match self.stage() {
            Stage::Place(_) | Stage::Free => format!("legal: {}", self.moves().join(", ")),
            Stage::Due => {
                let unseen: Vec<String> = self.chances().iter().map(|chance| chance.mv.clone()).collect();
                format!("name the card that turned up: {}", unseen.join(", "))
            }
            Stage::Over => "the game is over".to_owned(),
        }
    }

    fn illegal(&self, what: impl Into<String>) -> Error {
        Error::new("illegal_move", what).hint(self.hint())
    }
}

const DRAW: &str = "draw";

enum Wanted {
    Move(Move),
    Draw,
}

impl Board for Play {
    fn notation(&self) -> String {
        stock::write(&self.0)
    }

    fn seats(&self) -> Vec<String> {
        vec!["player".to_owned()]
    }

    fn mover(&self) -> Option<Seat> {
        matches!(self.stage(), Stage::Place(_) | Stage::Free).then_some(Seat::FIRST)
    }

    fn chances(&self) -> Vec<Chance> {
        if self.stage() != Stage::Due {
            return Vec::new();
        }
        let unseen = self.0.position.unseen();
        let ranks = (0..self.0.rules.ranks() as u8).filter_map(Rank::new);
        ranks
            .filter(|rank| unseen[rank.index()] > 0)
            .map(|rank| Chance {
                mv: rank.to_string(),
                words: format!("draws {rank}"),
                weight: u64::from(unseen[rank.index()]),
            })
            .collect()
    }

    fn ended(&self) -> Option<Ended> {
        (self.stage() == Stage::Over).then(|| report::ended(self.rules(), self.position()))
    }

    fn drawing(&self, _: Seat) -> String {
        picture::drawing(self.rules(), self.position())
    }

    fn scene(&self, _: Seat) -> Scene {
        picture::scene::scene(self.rules(), self.position(), &self.moves())
    }

    fn report(&self, budget: &mut Budget<'_>) -> Result<Report, Error> {
        report::report(self, budget)
    }

    fn svg(&self, budget: &mut Budget<'_>) -> Result<String, Error> {
        let remarks = report::remarks(self, budget)?;
        Ok(picture::svg(self.rules(), self.position(), &remarks))
    }

    fn answer(&self, budget: &mut Budget<'_>) -> Result<String, Error> {
        board_answer(self, budget)
    }

    fn play(&self, mv: &str) -> Result<Box<dyn Board>, Error> {
        let wanted = self.read(mv)?;
        let mut next = self.0.clone();
        match (wanted, self.stage()) {
            (_, Stage::Over) => return Err(self.illegal("the game is over")),
            (Wanted::Draw | Wanted::Move(Move::Draw(_)), Stage::Place(rank)) => {
                return Err(self.illegal(format!("the {rank} is drawn and must be placed first")));
            }
            (Wanted::Draw, Stage::Free) if next.position.left() > 0 => next.due = true,
            (Wanted::Draw, Stage::Free) => return Err(self.illegal("nothing is left to draw")),
            (Wanted::Draw, Stage::Due) => return Err(self.illegal("say which card turned up")),
            (Wanted::Move(Move::Draw(rank)), _) => {
                let due = next.stock.next(&next.rules, &next.position);
                if due.is_some_and(|due| due != rank) {
                    return Err(self.illegal("the deal decides which card comes next: type draw"));
                }
                next.position = next
                    .rules
                    .play(&next.position, Move::Draw(rank))
                    .map_err(|error| error.hint(self.hint()))?;
            }
            (Wanted::Move(_), Stage::Due) => {
                return Err(self.illegal("the next card is due; free moves come before it"));
            }
            (Wanted::Move(mv), _) => {
                next.position =
                    next.rules.play(&next.position, mv).map_err(|error| error.hint(self.hint()))?;
            }
        }
        Ok(Box::new(Play::new(next)))
    }
}

//! The course of a play: every board so far and the moves between them, so that moves can be taken back.

use kachi::core::Seat;
use kachi::core::surface::Board;
use serde::Serialize;

/// A move that was made.
#[derive(Debug, Clone)]
pub(super) struct Played {
    /// Who made it; `None` for chance.
    pub(super) seat: Option<Seat>,
    pub(super) mv: String,
    pub(super) words: String,
}

/// A move of the record, as JSON.
#[derive(Serialize)]
pub(super) struct Recorded<'r> {
    pub(super) seat: &'r str,
    pub(super) r#move: &'r str,
}

/// The boards from the start to now; one more than moves.
pub(super) struct Course {
    start: Box<dyn Board>,
    later: Vec<(Played, Box<dyn Board>)>,
}

impl Course {
    pub(super) fn new(start: Box<dyn Board>) -> Self {
        Course { start, later: Vec::new() }
    }

    pub(super) fn start(&self) -> &dyn Board {
        self.start.as_ref()
    }

    pub(super) fn now(&self) -> &dyn Board {
        self.later.last().map_or(self.start.as_ref(), |(_, board)| board.as_ref())
    }

    pub(super) fn moves(&self) -> impl Iterator<Item = &Played> {
        self.later.iter().map(|(played, _)| played)
    }

    pub(super) fn play(&mut self, board: Box<dyn Board>, played: Played) {
        self.later.push((played, board));
    }

    pub(super) fn restart(&mut self) {
        self.later.clear();
    }

    /// Takes back the last move of `seat` and everything after it; returns how many moves that were.
    pub(super) fn undo_to(&mut self, seat: Seat) -> usize {
        self.undo_from(|played| played.seat == Some(seat))
    }

    /// Takes back the last move, whoever made it.
    pub(super) fn undo_last(&mut self) -> usize {
        self.undo_from(|_| true)
    }

    fn undo_from(&mut self, wanted: impl Fn(&Played) -> bool) -> usize {
        let Some(last) = self.later.iter().rposition(|(played, _)| wanted(played)) else { return 0 };
        let undone = self.later.len() - last;
        self.later.truncate(last);
        undone
    }
}

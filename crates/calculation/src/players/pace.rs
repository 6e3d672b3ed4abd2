//! Budgets: how much a player may spend on a move and on a game before it has to stop looking ahead. Counted work gives the same game on every
//! machine, as recorded runs need it; seconds are read from a clock that the caller brings, since games read none of their own.

use kachi_core::surface::Clock;
use std::sync::Arc;

/// A table given to the net takes about as long as so many plans.
pub const TABLE_WORK: u64 = 30;

/// A table from which everything is searched to the end takes about as long as so many plans, those below it not counted.
pub const SEARCH_WORK: u64 = 15;

/// A game's budget is shared out over the draws that are left; one move may take this many shares, since most decisions are easy.
const SHARES: f64 = 4.0;

/// What is counted.
#[derive(Clone)]
pub enum Meter {
    /// Plans evaluated, tables counted as [`TABLE_WORK`] and [`SEARCH_WORK`].
    Work,
    /// Seconds of a clock.
    Seconds(Arc<dyn Clock + Send + Sync>),
}

impl std::fmt::Debug for Meter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Meter::Work => "Work",
            Meter::Seconds(_) => "Seconds",
        })
    }
}

/// A budget and what is left of it. A player asks before every further step of a look whether it may go on; what it has to do for any answer at
/// all is never refused.
///
/// ```
/// use calculation::players::pace::{Meter, Pace};
/// let mut pace = Pace::new(Meter::Work, Some(100.0), None);
/// pace.begin_game(0);
/// pace.begin_move(0, 50);
/// assert!(pace.allows(99) && !pace.allows(100));
/// ```
#[derive(Debug, Clone)]
pub struct Pace {
    meter: Meter,
    per_move: Option<f64>,
    per_game: Option<f64>,
    game_from: f64,
    move_until: f64,
}

impl Pace {
    /// A budget for each move, for each game, or both.
    #[must_use]
    pub fn new(meter: Meter, per_move: Option<f64>, per_game: Option<f64>) -> Pace {
        Pace { meter, per_move, per_game, game_from: 0.0, move_until: f64::INFINITY }
    }

    /// No limit.
    #[must_use]
    pub fn endless() -> Pace {
        Pace::new(Meter::Work, None, None)
    }

    fn now(&self, work: u64) -> f64 {
        match &self.meter {
            Meter::Work => work as f64,
            Meter::Seconds(clock) => clock.seconds(),
        }
    }

    /// A game begins, with this much work done before it.
    pub fn begin_game(&mut self, work: u64) {
        self.game_from = self.now(work);
    }

    /// A move begins, with `left` cards unseen.
    pub fn begin_move(&mut self, work: u64, left: usize) {
        let now = self.now(work);
        let of_move = self.per_move.unwrap_or(f64::INFINITY);
        let of_game = self.per_game.map_or(f64::INFINITY, |game| {
            let rest = (game - (now - self.game_from)).max(0.0);
            rest * (SHARES / (left + 1) as f64).min(1.0)
        });
        self.move_until = now + of_move.min(of_game);
    }

    /// May the player go on with this move?
    #[must_use]
    pub fn allows(&self, work: u64) -> bool {
        self.now(work) < self.move_until
    }
}

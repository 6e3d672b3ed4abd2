//! The judge of the boards: the chance of every way to finish a turn, as the strongest player that is at hand sees it one draw ahead, and exactly
//! where few cards are left. The judgement depends on the table alone, never on what was asked before, so that a link to a board shows everybody the same.

use crate::dead;
use crate::memo::Memo;
use crate::players::roster::{Kit, by_name_with, has_full_table};
use crate::players::source::PairSource;
use crate::players::{Decision, Judgement, Player, strongest};
use crate::position::{Position, Rank};
use crate::rules::{Move, Rules};
use crate::search::endgame::Endgame;
use crate::turn::{MOST_CANDIDATES, Turn, unload};
use crate::why::{self, PlanReason};
use kachi_core::{Budget, Error};
use std::sync::{Mutex, PoisonError};

/// A way to go on from a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Way {
    /// What is done until the next card is due.
    pub moves: Vec<Move>,
    /// The table then.
    pub after: Position,
    /// How likely the game is won then.
    pub chance: f64,
}

/// A card that may come next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Draw {
    /// Its rank.
    pub rank: Rank,
    /// How many copies of it are unseen.
    pub copies: u8,
    /// How likely the game is won after it.
    pub chance: f64,
}

/// What chances rest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// Every continuation was searched.
    Exact,
    /// The strongest player, this many draws ahead.
    Player {
        /// Draws looked ahead.
        draws: u8,
        /// Were the chances of all pairs of foundations at hand?
        full_table: bool,
    },
}

/// All ways to go on, and what their chances rest on.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The ways, in the order of the rules.
    pub ways: Vec<Way>,
    /// The best one; the first of equals.
    pub best: usize,
    /// What the chances rest on.
    pub ground: Ground,
}

impl Judged {
    /// The chance of the best way.
    #[must_use]
    pub fn chance(&self) -> f64 {
        self.ways.get(self.best).map_or(0.0, |way| way.chance)
    }

    fn of(ways: Vec<Way>, ground: Ground) -> Judged {
        let mut best = 0;
        for (i, way) in ways.iter().enumerate() {
            // Equal but for rounding: the earlier one, which is simpler.
            if way.chance > ways[best].chance * (1.0 + 1e-9) {
                best = i;
            }
        }
        Judged { ways, best, ground }
    }
}

/// With at most this many cards unseen everything is searched.
pub const EXACT: usize = 4;

/// Units of work below which nobody looks ahead.
const LOOK_AHEAD_FROM: u64 = 1_000_000;

/// The player that is asked about every next card, of the strongest one's kind; the judge itself looks one draw ahead.
fn greedy(rules: &Rules) -> &'static str {
    let strongest = strongest(rules, has_full_table(rules)).name;
    match strongest.split('-').next() {
        Some("net") => "net-look0",
        Some("plans") => "plans-look0",
        _ => "union-look0",
    }
}

/// States that a judge remembers: a tenth of a gigabyte.
const REMEMBERED: usize = 4 << 20;

/// The chances of pairs for so many stacks, from the table that is on the shelf.
#[must_use]
pub fn source(stacks: usize) -> PairSource {
    PairSource::new(Memo::new(stacks).remembering(REMEMBERED))
}

/// A player with what it has learnt, for one game.
pub struct Judge {
    rules: Rules,
    /// Judges without lookahead; this judge looks ahead itself.
    player: Box<dyn Player + Send>,
    endgame: Endgame,
    /// For reasons; the player keeps its own.
    source: PairSource,
    full: bool,
}

impl std::fmt::Debug for Judge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Judge").field("player", &self.player.name()).finish_non_exhaustive()
    }
}

/// Judges that wait for their next question. Making one takes longer than most questions.
static WAITING: Mutex<Vec<Judge>> = Mutex::new(Vec::new());
/// More than this many are not kept.
const MOST_WAITING: usize = 8;

/// Asks a judge of this game.
///
/// # Errors
/// What the question reports: `out_of_budget`.
pub fn ask<T>(rules: &Rules, question: impl FnOnce(&mut Judge) -> Result<T, Error>) -> Result<T, Error> {
    let waiting = || WAITING.lock().unwrap_or_else(PoisonError::into_inner);
    let found = {
        let mut waiting = waiting();
        let place = waiting.iter().position(|judge| judge.rules == *rules);
        place.map(|place| waiting.swap_remove(place))
    };
    let table = has_full_table(rules);
    // A table may have been built since the judge was made.
    let mut judge = match found.filter(|judge| judge.full == table) {
        Some(judge) => judge,
        None => Judge::new(rules)?,
    };
    judge.endgame.forget();
    let answer = question(&mut judge);
    let mut waiting = waiting();
    if waiting.len() < MOST_WAITING {
        waiting.push(judge);
    }
    answer
}

impl Judge {
    /// A judge of this game, with the table that is on the shelf.
    ///
    /// # Errors
    /// None that a game of these rules can meet: the player falls back on what it has.
    pub fn new(rules: &Rules) -> Result<Judge, Error> {
        let kit = Kit { remembered: REMEMBERED, clock: None };
        let player = by_name_with(rules, greedy(rules), &kit)?;
        let (full, source) = (has_full_table(rules), source(rules.stacks()));
        Ok(Judge { rules: rules.clone(), player, endgame: Endgame::new(rules), source, full })
    }

    fn ground(&self, position: &Position, draws: u8) -> Ground {
        if position.left() <= EXACT { Ground::Exact } else { Ground::Player { draws, full_table: self.full } }
    }

    /// The best plan of a table without a drawn card, with the factors of its value.
    pub fn reason(&mut self, position: &Position) -> Option<PlanReason> {
        why::reason(&self.rules, position, &mut self.source)
    }

    /// All ways to place the drawn card.
    ///
    /// # Errors
    /// `out_of_budget`.
    pub fn turn(&mut self, position: &Position, budget: &mut Budget<'_>) -> Result<Judged, Error> {
        let draws = draws_ahead(budget);
        let ground = self.ground(position, draws);
        if ground != Ground::Exact && draws == 0 {
            let decision = self.decide(position, budget)?;
            let way = |option: Judgement| {
                let mut after = *position;
                option.moves.iter().for_each(|&mv| self.rules.apply(&mut after, mv));
                Way { moves: option.moves, after, chance: option.chance }
            };
            return Ok(Judged::of(decision.options.into_iter().map(way).collect(), ground));
        }
        let turn = Turn::new(&self.rules, position);
        let mut ways = Vec::with_capacity(turn.len());
        for i in 0..turn.len() {
            let after = turn.position(&self.rules, position, i);
            ways.push(Way { moves: turn.route(i), after, chance: self.table(&after, budget)? });
        }
        Ok(Judged::of(ways, ground))
    }

    /// All ways to make free moves, none among them, from a table without a drawn card.
    ///
    /// # Errors
    /// `out_of_budget`.
    pub fn free(&mut self, position: &Position, budget: &mut Budget<'_>) -> Result<Judged, Error> {
        let mut found = vec![(Vec::new(), *position)];
        let mut next = 0;
        while next < found.len() {
            let (moves, from) = found[next].clone();
            let free: Vec<Move> = self.rules.unloadings(&from).collect();
            for mv in free {
                let after = self.rules.play_unchecked(&from, mv);
                if found.len() < MOST_CANDIDATES && found.iter().all(|(_, known)| *known != after) {
                    found.push((moves.iter().copied().chain([mv]).collect(), after));
                }
            }
            next += 1;
        }
        let ground = self.ground(position, 1);
        let mut ways = Vec::with_capacity(found.len());
        for (moves, after) in found {
            ways.push(Way { chance: self.table(&after, budget)?, moves, after });
        }
        Ok(Judged::of(ways, ground))
    }

    /// The one way to go on when the next card is due: to wait for it.
    ///
    /// # Errors
    /// `out_of_budget`.
    pub fn wait(&mut self, position: &Position, budget: &mut Budget<'_>) -> Result<Judged, Error> {
        let chance = self.table(position, budget)?;
        let way = Way { moves: Vec::new(), after: *position, chance };
        Ok(Judged::of(vec![way], self.ground(position, 1)))
    }

    /// The chances of a table after each card that may come next, with the copies of it that are unseen.
    ///
    /// # Errors
    /// `out_of_budget`.
    pub fn draws(&mut self, position: &Position, budget: &mut Budget<'_>) -> Result<Vec<Draw>, Error> {
        let mut draws = Vec::new();
        for rank in (0..self.rules.ranks() as u8).filter_map(Rank::new) {
            let copies = position.unseen()[rank.index()];
            if copies > 0 {
                // The last cards are judged exactly, like everything else by then.
                let chance = if position.left() <= EXACT {
                    let drawn = self.rules.play_unchecked(position, Move::Draw(rank));
                    self.turn(&drawn, budget)?.chance()
                } else {
                    self.drawn(position, rank, budget)?
                };
                draws.push(Draw { rank, copies, chance });
            }
        }
        Ok(draws)
    }

    /// The chance of a table on which the next card is due.
    ///
    /// # Errors
    /// `out_of_budget`.
    pub fn table(&mut self, position: &Position, budget: &mut Budget<'_>) -> Result<f64, Error> {
        budget.spend(1)?;
        let left = position.left();
        if left == 0 {
            return Ok(f64::from(unload(&self.rules, position).is_some()));
        }
        if left <= EXACT {
            return Ok(self.endgame.chance(position));
        }
        if dead::is_dead(&self.rules, position) {
            return Ok(0.0);
        }
        let mut sum = 0.0;
        for rank in (0..self.rules.ranks() as u8).filter_map(Rank::new) {
            let copies = position.unseen()[rank.index()];
            if copies > 0 {
                sum += f64::from(copies) * self.drawn(position, rank, budget)?;
            }
        }
        Ok(sum / left as f64)
    }

    /// The chance after a certain card, without a further look.
    fn drawn(&mut self, position: &Position, rank: Rank, budget: &mut Budget<'_>) -> Result<f64, Error> {
        let drawn = self.rules.play_unchecked(position, Move::Draw(rank));
        let decision = self.decide(&drawn, budget)?;
        Ok(decision.options.get(decision.best).map_or(0.0, |option| option.chance))
    }

    fn decide(&mut self, position: &Position, budget: &mut Budget<'_>) -> Result<Decision, Error> {
        self.player.begin();
        let before = self.player.work();
        let decision = self.player.decide(position);
        budget.spend(1 + self.player.work() - before)?;
        Ok(decision)
    }
}

/// One draw ahead, unless the budget is small.
fn draws_ahead(budget: &Budget<'_>) -> u8 {
    u8::from(budget.limits().nodes >= LOOK_AHEAD_FROM)
}

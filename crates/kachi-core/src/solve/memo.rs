//! Memoised search for games without cycles.

use super::{Aim, Outcome};
use crate::budget::Budget;
use crate::error::Error;
use crate::game::Game;
use rustc_hash::FxHashMap;

/// The outcome of `root` by depth-first search with a memory of all positions met.
///
/// Correct for games in which no play repeats a position; a repetition is noticed and reported as the error
/// `cyclic_game`, never searched for ever. The stack is explicit, so deep games cannot overflow it.
///
/// # Errors
/// `out_of_budget` when the budget ends first, `cyclic_game` when a play can repeat a position.
pub fn by_memo<G: Game, A: Aim<G>>(
    game: &G,
    aim: &A,
    root: &G::Position,
    budget: &mut Budget<'_>,
) -> Result<Outcome, Error> {
    // `None` marks a position on the current path.
    let mut known: FxHashMap<G::Position, Option<Outcome>> = FxHashMap::default();
    let mut path: Vec<Visit<G>> = Vec::new();
    let mut answer = enter(game, aim, root.clone(), &mut known, &mut path, budget)?;
    while let Some(visit) = path.last_mut() {
        if let Some(outcome) = answer {
            visit.hear(outcome);
        }
        answer = match visit.next() {
            Some(mv) => {
                let child = game.play(&visit.position, &mv);
                enter(game, aim, child, &mut known, &mut path, budget)?
            }
            None => {
                let outcome = visit.best;
                if let Some(done) = path.pop() {
                    known.insert(done.position, Some(outcome));
                }
                Some(outcome)
            }
        };
    }
    answer.ok_or_else(|| Error::new("no_answer", "the search ended without an answer"))
}

/// A position whose moves are being tried.
struct Visit<G: Game> {
    position: G::Position,
    untried: Vec<G::Move>,
    /// What the side to move hopes for.
    hope: Outcome,
    best: Outcome,
}

impl<G: Game> Visit<G> {
    fn hear(&mut self, outcome: Outcome) {
        if self.best != self.hope && (outcome == self.hope || outcome == Outcome::Endless) {
            self.best = outcome;
        }
    }

    fn next(&mut self) -> Option<G::Move> {
        if self.best == self.hope { None } else { self.untried.pop() }
    }
}

/// The outcome of a position that needs no search, or `None` after putting it on the path.
fn enter<G: Game, A: Aim<G>>(
    game: &G,
    aim: &A,
    position: G::Position,
    known: &mut FxHashMap<G::Position, Option<Outcome>>,
    path: &mut Vec<Visit<G>>,
    budget: &mut Budget<'_>,
) -> Result<Option<Outcome>, Error> {
    if let Some(ending) = game.ending(&position) {
        let fulfilled = aim.fulfilled(&ending);
        return Ok(Some(if fulfilled { Outcome::Forced } else { Outcome::Denied }));
    }
    match known.get(&position) {
        Some(Some(outcome)) => return Ok(Some(*outcome)),
        Some(None) => {
            let message = format!("a play can return to {position:?}; search by attractor instead");
            return Err(Error::new("cyclic_game", message));
        }
        None => {}
    }
    budget.spend(1)?;
    let (hope, fear) = if aim.in_team(game.mover(&position)) {
        (Outcome::Forced, Outcome::Denied)
    } else {
        (Outcome::Denied, Outcome::Forced)
    };
    let untried = game.moves(&position);
    // Without a move nobody reaches anything: rules that mean otherwise say so in `ending`.
    let best = if untried.is_empty() { Outcome::Endless } else { fear };
    known.insert(position.clone(), None);
    path.push(Visit { position, untried, hope, best });
    Ok(None)
}

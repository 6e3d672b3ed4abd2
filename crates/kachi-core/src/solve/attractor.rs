//! Retrograde analysis: the two attractors of a game that may have cycles.

use super::{Aim, Outcome};
use crate::budget::Budget;
use crate::error::Error;
use crate::game::Game;
use rustc_hash::FxHashMap;

/// The outcome of every position reachable from the roots.
#[derive(Debug, Clone)]
pub struct Solution<G: Game> {
    index: FxHashMap<G::Position, u32>,
    outcomes: Vec<Outcome>,
}

impl<G: Game> Solution<G> {
    /// The outcome of a position, or `None` if it was not reachable from the roots.
    pub fn outcome(&self, position: &G::Position) -> Option<Outcome> {
        self.index.get(position).map(|&i| self.outcomes[i as usize])
    }

    /// How many positions were solved.
    pub fn len(&self) -> usize {
        self.outcomes.len()
    }

    /// Were there no roots?
    pub fn is_empty(&self) -> bool {
        self.outcomes.is_empty()
    }

    /// All positions with their outcomes, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (&G::Position, Outcome)> {
        self.index.iter().map(|(position, &i)| (position, self.outcomes[i as usize]))
    }
}

/// One reachable position while the attractors grow.
struct Node {
    /// Positions with a move to this one, once for each such move.
    before: Vec<u32>,
    /// Moves that have not yet been shown to lead to what the mover fears.
    open_moves: u32,
    team_moves: bool,
}

/// Solves every position reachable from `roots`: see the [module](super) for what the outcomes mean.
///
/// # Errors
/// `out_of_budget` when there are more reachable positions than the budget allows.
pub fn by_attractor<G: Game, A: Aim<G>>(
    game: &G,
    aim: &A,
    roots: &[G::Position],
    budget: &mut Budget<'_>,
) -> Result<Solution<G>, Error> {
    let mut index: FxHashMap<G::Position, u32> = FxHashMap::default();
    let mut nodes: Vec<Node> = Vec::new();
    let mut outcomes: Vec<Outcome> = Vec::new();
    let mut settled: Vec<u32> = Vec::new();
    let mut unexplored: Vec<(u32, G::Position)> = Vec::new();

    let mut number = |position: G::Position, nodes: &mut Vec<Node>, todo: &mut Vec<(u32, G::Position)>| {
        let next = nodes.len() as u32;
        *index.entry(position).or_insert_with_key(|position| {
            nodes.push(Node { before: Vec::new(), open_moves: 0, team_moves: false });
            todo.push((next, position.clone()));
            next
        })
    };
    for root in roots {
        number(root.clone(), &mut nodes, &mut unexplored);
    }
    while let Some((i, position)) = unexplored.pop() {
        budget.spend(1)?;
        outcomes.resize(outcomes.len().max(i as usize + 1), Outcome::Endless);
        if let Some(ending) = game.ending(&position) {
            outcomes[i as usize] = if aim.fulfilled(&ending) { Outcome::Forced } else { Outcome::Denied };
            settled.push(i);
            continue;
        }
        let moves = game.moves(&position);
        nodes[i as usize].open_moves = moves.len() as u32;
        nodes[i as usize].team_moves = aim.in_team(game.mover(&position));
        for mv in &moves {
            let child = number(game.play(&position, mv), &mut nodes, &mut unexplored);
            nodes[child as usize].before.push(i);
        }
    }
    while let Some(i) = settled.pop() {
        let outcome = outcomes[i as usize];
        for before in std::mem::take(&mut nodes[i as usize].before) {
            if outcomes[before as usize] != Outcome::Endless {
                continue;
            }
            let node = &mut nodes[before as usize];
            node.open_moves -= 1;
            let welcome = (outcome == Outcome::Forced) == node.team_moves;
            if welcome || node.open_moves == 0 {
                outcomes[before as usize] = outcome;
                settled.push(before);
            }
        }
    }
    Ok(Solution { index, outcomes })
}

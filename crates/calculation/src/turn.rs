//! All ways to finish a turn: the drawn card is placed, then any free moves follow. What the turn leads to is told
//! by the heads, the heights of the stacks and whether the drawn card still lies on its stack, so the ways are found
//! on small keys and each is kept once, with the moves that lead to it.

use crate::position::{Foundation, MOST_STACKS, Position, Rank};
use crate::rules::{Move, Rules};
use rustc_hash::FxHashSet;

/// Most afterstates kept of one turn. Ordinary turns have about five; the cap bounds the others.
pub const MOST_CANDIDATES: usize = 64;

/// Tables remembered while unloading at the end; real tables need a few dozen.
const MOST_UNLOADINGS: usize = 1 << 20;

/// The drawn card lies on no stack.
const GONE: u8 = 7;

/// One afterstate of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Reached {
    heads: [u8; 4],
    lengths: [u8; MOST_STACKS],
    /// The stack on which the drawn card lies, or [`GONE`].
    resting: u8,
}

/// How an afterstate was reached first.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// The afterstate before the last move; itself for the placement.
    parent: u8,
    mv: Move,
}

/// The afterstates of one turn, in the order in which they are found: plays before stacks, lower index first,
/// fewer free moves before more.
///
/// ```
/// use calculation::{notation, turn::Turn};
/// let (rules, position) = notation::read("A234/-/-/2@A").unwrap();
/// let turn = Turn::new(&rules, &position);
/// // Played, and the 2 stays or follows to either foundation; on an empty stack, and the 2 stays or goes; on the 2.
/// assert_eq!(turn.len(), 3 + 2 + 1);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Turn {
    reached: Vec<Reached>,
    steps: Vec<Step>,
    cut: bool,
}

impl Turn {
    /// All afterstates of placing the drawn card of `position`; none when no card is drawn.
    pub fn new(rules: &Rules, position: &Position) -> Turn {
        let mut turn = Turn {
            reached: Vec::with_capacity(MOST_CANDIDATES),
            steps: Vec::with_capacity(MOST_CANDIDATES),
            cut: false,
        };
        turn.refill(rules, position);
        turn
    }

    /// The same for another position, in the same memory.
    pub fn refill(&mut self, rules: &Rules, position: &Position) {
        self.reached.clear();
        self.steps.clear();
        self.cut = false;
        let Some(drawn) = position.drawn() else { return };
        let before = Reached { heads: *position.heads(), lengths: *position.lengths(), resting: GONE };
        for foundation in rules.all_foundations() {
            if rules.takes(position, foundation, drawn) {
                let mut after = before;
                after.heads[foundation.index()] += 1;
                self.close(rules, position, drawn, after, Move::Play(foundation));
            }
        }
        let mut empty_seen = false;
        for stack in rules.all_stacks() {
            let height = position.lengths()[stack.index()];
            // Empty stacks are alike.
            if height == 0 && std::mem::replace(&mut empty_seen, true) {
                continue;
            }
            let mut after = before;
            after.lengths[stack.index()] += 1;
            after.resting = stack.0;
            self.close(rules, position, drawn, after, Move::Put(stack));
        }
    }

    /// Adds an afterstate of a placement and all that free moves lead to.
    fn close(&mut self, rules: &Rules, position: &Position, drawn: Rank, first: Reached, mv: Move) {
        let start = self.reached.len();
        self.add(first, start, mv);
        let mut next = start;
        while next < self.reached.len() {
            let from = self.reached[next];
            for stack in rules.all_stacks() {
                let s = stack.index();
                if from.lengths[s] == 0 {
                    continue;
                }
                let rests = from.resting == stack.0 && from.lengths[s] > position.lengths()[s];
                let top = if rests { drawn } else { position.stack(stack)[usize::from(from.lengths[s]) - 1] };
                for foundation in rules.all_foundations() {
                    let f = foundation.index();
                    if rules.next(f, usize::from(from.heads[f])) == Some(top) {
                        let mut after = from;
                        after.heads[f] += 1;
                        after.lengths[s] -= 1;
                        if rests {
                            after.resting = GONE;
                        }
                        self.add(after, next, Move::Unload { stack, foundation });
                    }
                }
            }
            next += 1;
        }
    }

    fn add(&mut self, after: Reached, parent: usize, mv: Move) {
        if self.reached.contains(&after) {
            return;
        }
        if self.reached.len() == MOST_CANDIDATES {
            self.cut = true;
            return;
        }
        self.reached.push(after);
        self.steps.push(Step { parent: parent as u8, mv });
    }

    /// Were there more afterstates than are kept?
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// How many afterstates there are.
    pub fn len(&self) -> usize {
        self.reached.len()
    }

    /// Is no card drawn?
    pub fn is_empty(&self) -> bool {
        self.reached.is_empty()
    }

    /// The last move that leads to afterstate `i`, and the afterstate before it (`None` for the placement itself).
    pub fn step(&self, i: usize) -> (Option<usize>, Move) {
        let Step { parent, mv } = self.steps[i];
        (matches!(mv, Move::Unload { .. }).then_some(usize::from(parent)), mv)
    }

    /// The moves that lead to afterstate `i`: the placement, then free moves.
    pub fn route(&self, i: usize) -> Vec<Move> {
        let mut route = Vec::new();
        let mut at = Some(i);
        while let Some(i) = at {
            let (parent, mv) = self.step(i);
            route.push(mv);
            at = parent;
        }
        route.reverse();
        route
    }

    /// The position of afterstate `i`, given the position in which the card was drawn.
    pub fn position(&self, rules: &Rules, position: &Position, i: usize) -> Position {
        let mut moves = [Move::Play(Foundation(0)); MOST_CANDIDATES + 1];
        let mut count = 0;
        let mut at = Some(i);
        while let Some(i) = at {
            let (parent, mv) = self.step(i);
            moves[count] = mv;
            count += 1;
            at = parent;
        }
        let mut after = *position;
        moves[..count].iter().rev().for_each(|&mv| rules.apply(&mut after, mv));
        after
    }
}

/// For a table with nothing left to draw: the free moves that win, if there are any.
///
/// ```
/// use calculation::{notation, turn::unload};
/// let (rules, position) = notation::read("K---/-/K/-").unwrap();
/// assert_eq!(unload(&rules, &position).unwrap().len(), 1);
/// ```
pub fn unload(rules: &Rules, position: &Position) -> Option<Vec<Move>> {
    let mut route = Vec::new();
    let mut failed = FxHashSet::default();
    (position.left() == 0 && position.drawn().is_none() && finish(rules, position, &mut failed, &mut route))
        .then_some(route)
}

/// Depth first; at most 52 moves deep. Orders of the same moves meet in `failed`.
fn finish(
    rules: &Rules,
    position: &Position,
    failed: &mut FxHashSet<Reached>,
    route: &mut Vec<Move>,
) -> bool {
    if rules.is_won(position) {
        return true;
    }
    let here = Reached { heads: *position.heads(), lengths: *position.lengths(), resting: GONE };
    if failed.len() >= MOST_UNLOADINGS || failed.contains(&here) {
        return false;
    }
    for mv in rules.unloadings(position) {
        route.push(mv);
        if finish(rules, &rules.play_unchecked(position, mv), failed, route) {
            return true;
        }
        route.pop();
    }
    failed.insert(here);
    false
}

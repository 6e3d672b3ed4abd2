//! All ways to finish a turn: the drawn card is placed, then any free moves follow. What the turn leads to is told
//! by the heads, the heights of the stacks and whether the drawn card still lies on its stack, so the ways are found
//! on small keys and each is kept once, with the moves that lead to it.

use crate::position::{Foundation, MOST_CARDS, MOST_STACKS, Position, Rank};
use crate::rules::{Move, Rules};
use rustc_hash::FxHashSet;

/// Most afterstates kept of one turn. Ordinary turns have about five; near the end, with much to unload, there may be hundreds.
pub const MOST_CANDIDATES: usize = 255;

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
/// When there are more than [`MOST_CANDIDATES`], every placement gets its share of them, and from each the newest afterstate is followed first, so that long unloadings are among them: a player that cannot
/// unload its stacks in one turn loses games that are won.
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
    /// Unexpanded afterstates of the placement at hand, when the newest are followed first.
    open: Vec<u8>,
}

/// In which order free moves are followed, and how many afterstates there may be.
#[derive(Debug, Clone, Copy)]
enum Order {
    /// Fewer before more, while there is room for all.
    Shortest,
    /// The newest afterstate first, up to so many afterstates in all.
    Newest(usize),
}

impl Turn {
    /// All afterstates of placing the drawn card of `position`; none when no card is drawn.
    pub fn new(rules: &Rules, position: &Position) -> Turn {
        let mut turn = Turn {
            reached: Vec::with_capacity(MOST_CANDIDATES),
            steps: Vec::with_capacity(MOST_CANDIDATES),
            cut: false,
            open: Vec::new(),
        };
        turn.refill(rules, position);
        turn
    }

    /// The same for another position, in the same memory.
    pub fn refill(&mut self, rules: &Rules, position: &Position) {
        self.fill(rules, position, false);
        if self.cut {
            self.fill(rules, position, true);
        }
    }

    fn fill(&mut self, rules: &Rules, position: &Position, shared: bool) {
        self.reached.clear();
        self.steps.clear();
        self.cut = false;
        let Some(drawn) = position.drawn() else { return };
        let before = Reached { heads: *position.heads(), lengths: *position.lengths(), resting: GONE };
        let mut to_come = placements(rules, position, drawn).count();
        for (mv, after) in placements(rules, position, drawn).map(|mv| (mv, placed(before, mv))) {
            let room = MOST_CANDIDATES - self.reached.len();
            let order = match shared {
                true => Order::Newest(self.reached.len() + room / to_come),
                false => Order::Shortest,
            };
            self.close(rules, position, drawn, after, mv, order);
            to_come -= 1;
        }
    }

    /// Adds an afterstate of a placement and all that free moves lead to.
    fn close(
        &mut self,
        rules: &Rules,
        position: &Position,
        drawn: Rank,
        first: Reached,
        mv: Move,
        order: Order,
    ) {
        let (newest_first, most) = match order {
            Order::Shortest => (false, MOST_CANDIDATES),
            Order::Newest(most) => (true, most),
        };
        let mut next = self.reached.len();
        self.open.clear();
        self.add(first, next, mv, most);
        while next < self.reached.len() {
            let from = self.reached[next];
            let known = self.reached.len();
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
                        self.add(after, next, Move::Unload { stack, foundation }, most);
                    }
                }
            }
            next = if newest_first {
                self.open.extend((known..self.reached.len()).map(|new| new as u8));
                match self.open.pop() {
                    Some(newest) => usize::from(newest),
                    None => return,
                }
            } else {
                next + 1
            };
        }
    }

    fn add(&mut self, after: Reached, parent: usize, mv: Move, most: usize) {
        if self.reached.contains(&after) {
            return;
        }
        if self.reached.len() >= most {
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
        let mut moves = [Move::Play(Foundation(0)); MOST_CARDS + 1];
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

/// Where the drawn card may go: the foundations that take it, then the stacks, of which empty ones are alike.
fn placements(rules: &Rules, position: &Position, drawn: Rank) -> impl Iterator<Item = Move> {
    let plays = rules.all_foundations().filter(move |&f| rules.takes(position, f, drawn)).map(Move::Play);
    let mut empty_seen = false;
    let puts = rules
        .all_stacks()
        .filter(move |stack| {
            position.lengths()[stack.index()] > 0 || !std::mem::replace(&mut empty_seen, true)
        })
        .map(Move::Put);
    plays.chain(puts)
}

/// What a placement leads to at first.
fn placed(before: Reached, mv: Move) -> Reached {
    let mut after = before;
    match mv {
        Move::Play(foundation) => after.heads[foundation.index()] += 1,
        Move::Put(stack) => {
            after.lengths[stack.index()] += 1;
            after.resting = stack.0;
        }
        Move::Draw(_) | Move::Unload { .. } => {}
    }
    after
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

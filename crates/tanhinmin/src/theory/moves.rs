//! All winning moves.
//!
//! * **Theorem 2** (no cut cards; proved). Whether a discard wins does not depend on the table, only its legality does. Five matching
//!   numbers give the margin of *every* move in constant time each.
//! * **With cut cards** (goals 0; the prefix structure is proved): decide the successor, but only at the ends that a
//!   bisection needs. A winning cut card makes every weaker legal one winning; among the ordinary cards other than
//!   the hand's weakest, the winning ones form a prefix of the legal ones.
//! * **With cut cards and goals**: decide every successor.

use super::decide::decide;
use super::matching::{size, tension, without_weakest};
use crate::position::{Face, Position};
use crate::rules::{Move, Outcome};
use kachi_core::{Budget, Error};

/// The margins of all moves of a position without cut cards.
///
/// The margin of a move is (pairs the mover keeps) - (pairs the opponent then has, being to move). A move wins iff its
/// margin is at least 0, because the opponent needs strictly more pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveMargins {
    goal: usize,
    cards: usize,
    /// For cards above the weakest c0 + 1: L - mu1, one less for faces above gamma.
    upper: i64,
    gamma: Option<Face>,
    /// For the weakest c0 + 1 cards: O - base, one less for faces below theta.
    lower: i64,
    theta: Face,
    /// L - E.
    pass: i64,
}

impl MoveMargins {
    /// From sorted hands, in linear time, without allocation.
    pub fn new(x: &[Face], z: &[Face], goals: [usize; 2]) -> Self {
        let [c0, c1] = goals;
        let mu1 = size(without_weakest(z, c1).iter().copied(), without_weakest(x, c0 + 1).iter().copied());
        MoveMargins::knowing(mu1, x, z, goals)
    }

    /// The same when mu1 is known already.
    pub fn knowing(mu1: usize, x: &[Face], z: &[Face], [c0, c1]: [usize; 2]) -> Self {
        let own = without_weakest(x, c0);
        let targets = without_weakest(z, c1 + 1);
        let beaters = || without_weakest(z, c1).iter().copied();
        let keep = tension(own.iter().copied(), targets.iter().copied());
        let spare = size(without_weakest(x, c0 + 1).iter().copied(), targets.iter().copied());
        let base = tension(beaters(), without_weakest(x, c0 + 2).iter().copied());
        // E: the empty table is one more target that any card beats, as long as a card is left for it.
        let lead = (mu1 + 1).min(z.len().saturating_sub(c1));
        MoveMargins {
            goal: c0,
            cards: x.len(),
            upper: keep.size as i64 - mu1 as i64,
            gamma: keep.gamma,
            lower: spare as i64 - base.size as i64,
            theta: base.theta,
            pass: keep.size as i64 - lead as i64,
        }
    }

    /// The margin after discarding card number `k` of the hand (0 = weakest) with this face; `None` if that wins at once.
    pub fn discard(&self, k: usize, face: Face) -> Option<i64> {
        if self.cards == self.goal + 1 {
            return None;
        }
        Some(if k > self.goal {
            self.upper - i64::from(self.gamma.is_some_and(|gamma| face > gamma))
        } else {
            self.lower - i64::from(face < self.theta)
        })
    }

    /// The margin after passing.
    pub fn pass(&self) -> i64 {
        self.pass
    }
}

/// A legal move with what is known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveValue {
    /// The move.
    pub mv: Move,
    /// Does it win?
    pub wins: bool,
    /// The mover's margin after it, where a rule gives one; `None` if it ends the play.
    pub margin: Option<i64>,
}

/// Calls `each` for every distinct face above `level`, with the index of its first copy.
fn each_face(cards: &[Face], level: Face, mut each: impl FnMut(usize, Face)) {
    let mut last = level;
    for (k, &face) in cards.iter().enumerate() {
        if face > last {
            each(k, face);
            last = face;
        }
    }
}

/// Every legal move and whether it wins: ordinary cards ascending, cut cards ascending, pass.
///
/// # Errors
/// `out_of_budget`, when cut cards make re-deciding too long.
pub fn move_values(position: &Position, budget: &mut Budget<'_>) -> Result<Vec<MoveValue>, Error> {
    let mut values = Vec::new();
    let Some(level) = position.table.level() else {
        judge(position, Move::Pass, budget, &mut values)?;
        return Ok(values);
    };
    if position.has_cuts() {
        move_values_with_cuts(position, level, budget, &mut values)?;
        return Ok(values);
    }
    let [mover, other] = &position.sides;
    let goals = [mover.goal, other.goal];
    Ok(plain_move_values(position, level, &MoveMargins::new(&mover.ordinary, &other.ordinary, goals)))
}

/// The moves of a position without cut cards, from their margins.
pub(crate) fn plain_move_values(position: &Position, level: Face, margins: &MoveMargins) -> Vec<MoveValue> {
    let mut values = Vec::with_capacity(position.mover().ordinary.len() + 1);
    each_face(&position.mover().ordinary, level, |k, face| {
        let margin = margins.discard(k, face);
        values.push(MoveValue { mv: Move::Discard(face), wins: margin.is_none_or(|m| m >= 0), margin });
    });
    let margin = margins.pass();
    values.push(MoveValue { mv: Move::Pass, wins: margin >= 0, margin: Some(margin) });
    values
}

fn move_values_with_cuts(
    position: &Position,
    level: Face,
    budget: &mut Budget<'_>,
    values: &mut Vec<MoveValue>,
) -> Result<(), Error> {
    let mover = position.mover();
    if position.has_goals() {
        for mv in position.legal_moves() {
            judge(position, mv, budget, values)?;
        }
        return Ok(());
    }
    // A hand of a single weakest face still has only one weakest *card*: a second copy belongs to the rest.
    let ordinary = &mover.ordinary;
    let mut faces = Vec::new();
    each_face(ordinary, level, |_, face| faces.push(face));
    let lone_weakest = faces.first() == ordinary.first() && ordinary.get(1) != ordinary.first();
    let (alone, rest) = faces.split_at(usize::from(lone_weakest && !faces.is_empty()));
    for &face in alone {
        judge(position, Move::Discard(face), budget, values)?;
    }
    judge_prefix(position, rest, Move::Discard, budget, values)?;
    let mut cuts = Vec::new();
    each_face(&mover.cuts, level, |_, face| cuts.push(face));
    judge_prefix(position, &cuts, Move::Cut, budget, values)?;
    judge(position, Move::Pass, budget, values)
}

/// Decides the successor of one move.
fn judge(
    position: &Position,
    mv: Move,
    budget: &mut Budget<'_>,
    values: &mut Vec<MoveValue>,
) -> Result<(), Error> {
    budget.spend(position.cards() as u64)?;
    let (wins, margin) = match position.play_unchecked(mv) {
        Outcome::Won => (true, None),
        // A cut card is followed by a forced pass, so the mover moves again on the empty table.
        Outcome::Goes(next) => {
            let decision = decide(&next, budget)?;
            (!decision.mover_wins(), Some(-decision.margin()))
        }
    };
    values.push(MoveValue { mv, wins, margin });
    Ok(())
}

/// Values of ascending faces of which the winning ones are a prefix: bisects for its end.
fn judge_prefix(
    position: &Position,
    faces: &[Face],
    kind: fn(Face) -> Move,
    budget: &mut Budget<'_>,
    values: &mut Vec<MoveValue>,
) -> Result<(), Error> {
    // Small hands: deciding every face gives margins too, and costs next to nothing.
    if faces.len() <= 16 {
        return faces.iter().try_for_each(|&face| judge(position, kind(face), budget, values));
    }
    let (mut won, mut lost) = (0, faces.len());
    let mut probe = Vec::new();
    while won < lost {
        let middle = usize::midpoint(won, lost);
        probe.clear();
        judge(position, kind(faces[middle]), budget, &mut probe)?;
        if probe.iter().all(|value| value.wins) {
            won = middle + 1;
        } else {
            lost = middle;
        }
    }
    let value = |(i, &face): (usize, &Face)| MoveValue { mv: kind(face), wins: i < won, margin: None };
    values.extend(faces.iter().enumerate().map(value));
    Ok(())
}

/// The winning moves: ordinary cards ascending, then cut cards ascending, then pass; empty iff the mover loses.
///
/// ```
/// use tanhinmin::{Position, theory::winning_moves};
/// let position: Position = "3,4,c1,c6/2,5".parse()?;
/// let moves = winning_moves(&position, &mut Default::default())?;
/// let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
/// assert_eq!(moves, ["3", "4", "c1"], "the weak cut card wins, the strong one loses");
/// # Ok::<(), kachi_core::Error>(())
/// ```
///
/// # Errors
/// As [`move_values`].
pub fn winning_moves(position: &Position, budget: &mut Budget<'_>) -> Result<Vec<Move>, Error> {
    let values = move_values(position, budget)?;
    Ok(values.into_iter().filter(|value| value.wins).map(|value| value.mv).collect())
}

/// The threshold form of Theorem 2: which tables the mover wins on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WonTables {
    /// All of them: passing wins.
    All,
    /// Those weaker than this face, his strongest winning card.
    Below(Face),
    /// None.
    None,
}

/// On which tables the mover of a position without cut cards wins. The table of the position itself is not looked at.
pub fn won_tables(x: &[Face], z: &[Face], goals: [usize; 2]) -> WonTables {
    let margins = MoveMargins::new(x, z, goals);
    if margins.pass() >= 0 {
        return WonTables::All;
    }
    let winning = |&(k, &face): &(usize, &Face)| margins.discard(k, face).is_none_or(|margin| margin >= 0);
    match x.iter().enumerate().rev().find(winning) {
        Some((_, &face)) => WonTables::Below(face),
        None => WonTables::None,
    }
}

//! Who wins.
//!
//! * **Theorem 1** (no cut cards, any goals; proved): the mover wins iff mu0 > mu1, where mu0 = mu(X[c0..], Z[c1+1..] + r)
//!   and mu1 = mu(Z[c1..], X[c0+1..]).
//! * **Theorem 3** (cut cards, goals 0; proved): two *surplus* cases are looked at first, in this order, then the matchings.
//! * **Rule 4** (cut cards and goals; checked, not proved): each side sets aside as many cards as its goal allows, the mover
//!   choosing first how many of them are cut cards, and Theorem 3 decides what remains.

use super::matching::{merged, size, without_weakest};
use crate::position::{Face, Position, Side};
use kachi_core::{Budget, Error};

/// One of the two players, named from the turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Player {
    /// The player to move.
    Mover,
    /// His opponent.
    Other,
}

impl Player {
    /// The opponent.
    #[must_use]
    pub fn opponent(self) -> Player {
        match self {
            Player::Mover => Player::Other,
            Player::Other => Player::Mover,
        }
    }

    /// 0 for the mover, 1 for the other.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// Which rule settled the winner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rule {
    /// The two matching numbers.
    Matching,
    /// The mover is stuck with cut cards (case 1 of Theorem 3): the other player wins.
    SurplusMover,
    /// The other player is stuck with cut cards (case 2): the mover wins.
    SurplusOther,
    /// Rule 4.
    SetAside,
    /// A cut card lies on the table: pass, and look again.
    CutOnTable,
}

impl Rule {
    /// A stable name for programs.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Matching => "matching",
            Rule::SurplusMover => "surplus-mover",
            Rule::SurplusOther => "surplus-other",
            Rule::SetAside => "set-aside",
            Rule::CutOnTable => "cut-on-table",
        }
    }
}

/// Who wins and by which rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// The winner under best play.
    pub winner: Player,
    /// The rule that settled it.
    pub rule: Rule,
    /// The matching numbers of mover and other, after setting cards aside as the goals allow (without cut cards or
    /// with goals 0). With cut cards *and* goals, and on a cut table, those of the decisive choice.
    pub mu: [usize; 2],
}

impl Decision {
    /// mu0 - mu1. It decides under [`Rule::Matching`]; under the surplus rules it is only shown.
    pub fn margin(&self) -> i64 {
        self.mu[0] as i64 - self.mu[1] as i64
    }

    pub(crate) fn mover_wins(&self) -> bool {
        self.winner == Player::Mover
    }
}

/// Theorem 1 for sorted hands, without allocation: does the mover win?
///
/// `x` and `z` are the hands of mover and other, `level` the table ([`Face::GROUND`] when empty), `goals` the two goals.
///
/// ```
/// use tanhinmin::{Face, faces, theory::mover_wins};
/// let (x, z) = (faces(&[2, 6, 7]).unwrap(), faces(&[3, 4, 5, 8]).unwrap());
/// assert!(mover_wins(&x, &z, Face::new(1).unwrap(), [0, 0]));
/// ```
pub fn mover_wins(x: &[Face], z: &[Face], level: Face, goals: [usize; 2]) -> bool {
    let [mu0, mu1] = matching_numbers(x, z, level, goals);
    mu0 > mu1
}

/// mu0 and mu1 of Theorem 1.
pub fn matching_numbers(x: &[Face], z: &[Face], level: Face, [c0, c1]: [usize; 2]) -> [usize; 2] {
    let targets = merged(without_weakest(z, c1 + 1), std::slice::from_ref(&level));
    let mu0 = size(without_weakest(x, c0).iter().copied(), targets);
    let mu1 = size(without_weakest(z, c1).iter().copied(), without_weakest(x, c0 + 1).iter().copied());
    [mu0, mu1]
}

/// The cards that Theorem 3 looks at: a position with goals 0 and no cut card on the table.
#[derive(Debug, Clone, Copy)]
pub struct Cards<'a> {
    /// The mover's ordinary cards, X.
    pub x: &'a [Face],
    /// The mover's cut cards, U.
    pub u: &'a [Face],
    /// The other's ordinary cards, Z.
    pub z: &'a [Face],
    /// The other's cut cards, V.
    pub v: &'a [Face],
    /// The table, r.
    pub level: Face,
}

impl<'a> Cards<'a> {
    /// What remains of two sides when each has set cards aside.
    pub(crate) fn after(mover: Rest<'a>, other: Rest<'a>, level: Face) -> Self {
        Cards { x: mover.ordinary, u: mover.cuts, z: other.ordinary, v: other.cuts, level }
    }

    /// mu(A0, Z + r) = |Z| + 1: the mover can beat all ordinary cards and the table.
    fn mover_covers(&self) -> bool {
        size(merged(self.x, self.u), merged(self.z, std::slice::from_ref(&self.level))) == self.z.len() + 1
    }

    /// mu(A1, X) = |X|: the other can beat all ordinary cards of the mover.
    fn other_covers(&self) -> bool {
        size(merged(self.z, self.v), self.x.iter().copied()) == self.x.len()
    }
}

/// At most one card of the sorted hand is weaker than `face`.
fn at_most_one_below(hand: &[Face], face: Face) -> bool {
    hand.get(1).is_none_or(|&second| second >= face)
}

/// Theorem 3.
pub fn theorem_3(cards: &Cards<'_>) -> Decision {
    let Cards { x, u, z, v, level } = *cards;
    let targets = merged(without_weakest(z, 1), std::slice::from_ref(&level));
    let mu0 = size(merged(x, u), targets);
    let mu1 = size(merged(z, v), without_weakest(x, 1).iter().copied());
    let mu = [mu0, mu1];
    let stuck = u.last().is_some_and(|&top| top <= level && at_most_one_below(z, top));
    if stuck && cards.other_covers() {
        return Decision { winner: Player::Other, rule: Rule::SurplusMover, mu };
    }
    let burdened = v.last().is_some_and(|&top| at_most_one_below(x, top));
    if burdened && cards.mover_covers() {
        return Decision { winner: Player::Mover, rule: Rule::SurplusOther, mu };
    }
    let winner = if mu0 > mu1 { Player::Mover } else { Player::Other };
    Decision { winner, rule: Rule::Matching, mu }
}

/// What a side has left after setting cards aside.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rest<'a> {
    pub(crate) ordinary: &'a [Face],
    pub(crate) cuts: &'a [Face],
}

/// Every way of a side to set aside exactly its goal's number of cards: for each number of (weakest) cut cards that fits.
pub(crate) fn ways_to_set_aside(side: &Side) -> impl Iterator<Item = (usize, Rest<'_>)> {
    let fewest = side.goal.saturating_sub(side.ordinary.len());
    let most = side.goal.min(side.cuts.len());
    (fewest..=most).map(move |cuts| {
        let ordinary = without_weakest(&side.ordinary, side.goal - cuts);
        (cuts, Rest { ordinary, cuts: without_weakest(&side.cuts, cuts) })
    })
}

/// Rule 4: the mover wins iff he has a way to set aside that wins against every way of the other.
fn rule_4(position: &Position, level: Face, budget: &mut Budget<'_>) -> Result<Decision, Error> {
    let cost = position.cards() as u64;
    let mut decisive = None;
    for (_, mover) in ways_to_set_aside(position.mover()) {
        let mut refutation = None;
        for (_, other) in ways_to_set_aside(position.other()) {
            budget.spend(cost)?;
            let decision = theorem_3(&Cards::after(mover, other, level));
            decisive = Some(decision);
            if !decision.mover_wins() {
                refutation = Some(decision);
                break;
            }
        }
        if refutation.is_none() {
            break;
        }
    }
    // A side always has a way: its goal is below its number of cards.
    let Some(last) = decisive else {
        return Err(Error::new("internal_error", "a side had no way to set its cards aside"));
    };
    Ok(Decision { rule: Rule::SetAside, ..last })
}

/// Decides any position by the strongest rule that applies.
///
/// # Errors
/// `out_of_budget`: only Rule 4 costs more than linear time.
pub fn decide(position: &Position, budget: &mut Budget<'_>) -> Result<Decision, Error> {
    let Some(level) = position.table.level() else {
        let next = decide_open(&position.after_pass(), Face::GROUND, budget)?;
        let mu = [next.mu[1], next.mu[0]];
        return Ok(Decision { winner: next.winner.opponent(), rule: Rule::CutOnTable, mu });
    };
    decide_open(position, level, budget)
}

fn decide_open(position: &Position, level: Face, budget: &mut Budget<'_>) -> Result<Decision, Error> {
    let [mover, other] = &position.sides;
    if !position.has_cuts() {
        let mu = matching_numbers(&mover.ordinary, &other.ordinary, level, [mover.goal, other.goal]);
        let winner = if mu[0] > mu[1] { Player::Mover } else { Player::Other };
        return Ok(Decision { winner, rule: Rule::Matching, mu });
    }
    if position.has_goals() {
        return rule_4(position, level, budget);
    }
    let (x, u, z, v) = (&mover.ordinary, &mover.cuts, &other.ordinary, &other.cuts);
    Ok(theorem_3(&Cards { x, u, z, v, level }))
}

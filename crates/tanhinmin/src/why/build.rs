//! Builds reasons from the theory. Nothing here is trusted: the checker next door looks at every part.

use super::{Excuse, Line, Matching, MoveWhy, Why};
use crate::position::{Face, Position};
use crate::rules::Outcome;
use crate::strategy::suggest;
use crate::theory::decide::{Cards, Rest, theorem_3, ways_to_set_aside};
use crate::theory::matching::{Merged, merged, pairs, proved_pairs, tension, without_weakest};
use crate::theory::moves::MoveValue;
use crate::theory::{Player, Rule};
use kachi_core::{Budget, Error};

/// The reason for the winner of a position.
///
/// # Errors
/// `out_of_budget`, when cut cards meet goals.
pub fn why(position: &Position, budget: &mut Budget<'_>) -> Result<Why, Error> {
    let Some(level) = position.table().level() else {
        let then = Box::new(why(&position.after_pass(), budget)?);
        return Ok(Why::CutOnTable { then });
    };
    let [mover, other] = [position.mover(), position.other()];
    if !position.has_cuts() {
        let (x, z) =
            (without_weakest(&mover.ordinary, mover.goal), without_weakest(&other.ordinary, other.goal));
        return Ok(by_matching(&Cards { x, u: &[], z, v: &[], level }, None));
    }
    if position.has_goals() {
        return Ok(Why::SetAside { lines: lines(position, level, budget)? });
    }
    let (x, u, z, v) = (&mover.ordinary, &mover.cuts, &other.ordinary, &other.cuts);
    Ok(by_theorem_3(&Cards { x, u, z, v, level }))
}

/// The reason of every legal move, from its value.
///
/// # Errors
/// `out_of_budget`.
pub fn why_moves(
    position: &Position,
    values: &[MoveValue],
    budget: &mut Budget<'_>,
) -> Result<Vec<MoveWhy>, Error> {
    let explain = |value: &MoveValue| {
        let Outcome::Goes(next) = position.play_unchecked(value.mv) else {
            return Ok(MoveWhy { mv: value.mv, wins: true, reply: None, why: None });
        };
        budget.spend(next.cards() as u64)?;
        let reply = if value.wins { None } else { suggest(&next, budget)? };
        Ok(MoveWhy { mv: value.mv, wins: value.wins, reply, why: Some(why(&next, budget)?) })
    };
    values.iter().map(explain).collect()
}

/// Theorem 3 with its reason.
fn by_theorem_3(cards: &Cards<'_>) -> Why {
    let Cards { x, u, z, v, level } = *cards;
    let with_table = merged(z, std::slice::from_ref(&level));
    match theorem_3(cards).rule {
        Rule::SurplusMover => Why::SurplusMover { cover: pairs(merged(z, v), x.iter().copied()) },
        Rule::SurplusOther => {
            let cover = pairs(merged(x, u), with_table);
            Why::SurplusOther { cover, no_surplus: mover_excuse(cards) }
        }
        _ => {
            let covered = || tension(merged(x, u), with_table).theta;
            let other = excuse(v, None, x, covered);
            by_matching(cards, Some([mover_excuse(cards), other]))
        }
    }
}

fn mover_excuse(cards: &Cards<'_>) -> Excuse {
    let Cards { x, u, z, v, level } = *cards;
    excuse(u, Some(level), z, || tension(merged(z, v), x.iter().copied()).theta)
}

/// The first clause of a surplus case that fails; `level` is given when legality is one of them.
fn excuse(cuts: &[Face], level: Option<Face>, opponent: &[Face], bound: impl FnOnce() -> Face) -> Excuse {
    match cuts.last() {
        None => Excuse::NoCutCard,
        Some(&top) if level.is_some_and(|level| top > level) => Excuse::CutCardLegal,
        Some(&top) if opponent.get(1).is_some_and(|&second| second < top) => Excuse::TwoWeaker,
        Some(_) => Excuse::NotCovered(bound()),
    }
}

/// The two matchings of what remains after setting aside.
fn by_matching(cards: &Cards<'_>, no_surplus: Option<[Excuse; 2]>) -> Why {
    let Cards { x, u, z, v, level } = *cards;
    let targets = merged(without_weakest(z, 1), std::slice::from_ref(&level));
    let mover = matching(merged(x, u), targets);
    let other = matching(merged(z, v), merged(without_weakest(x, 1), &[]));
    Why::Matching { mover, other, no_surplus }
}

fn matching(a: Merged<'_>, b: Merged<'_>) -> Matching {
    let (pairs, bound) = proved_pairs(a, b);
    Matching { pairs, bound }
}

/// The lines of Rule 4.
fn lines(position: &Position, level: Face, budget: &mut Budget<'_>) -> Result<Vec<Line>, Error> {
    let cost = position.cards() as u64;
    let others: Vec<(usize, Rest<'_>)> = ways_to_set_aside(position.other()).collect();
    let mut refutations = Vec::new();
    for (mover_cuts, mover) in ways_to_set_aside(position.mover()) {
        let mut refutation = None;
        for &(other_cuts, other) in &others {
            budget.spend(cost)?;
            if theorem_3(&Cards::after(mover, other, level)).winner == Player::Other {
                refutation = Some((other_cuts, other));
                break;
            }
        }
        let line = |(other_cuts, other): (usize, Rest<'_>)| {
            let why = by_theorem_3(&Cards::after(mover, other, level));
            Line { mover_cuts, other_cuts, why }
        };
        match refutation {
            None => return Ok(others.into_iter().map(line).collect()),
            Some(answer) => refutations.push(line(answer)),
        }
    }
    Ok(refutations)
}

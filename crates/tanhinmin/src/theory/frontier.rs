//! The handicap frontier: how large a goal may the mover grant his opponent and still win?

use super::decide::decide;
use crate::position::Position;
use kachi_core::{Budget, Error};

/// f(c0) for c0 = 0, 1, ...: the largest goal c1 of the other player with which the mover, having goal c0, still wins; `None` if
/// he does not even win with c1 = 0. The goals of the position itself are not looked at.
///
/// f never decreases, because a larger own goal and a smaller goal of the opponent never hurt; so one sweep
/// with two pointers lists it, deciding at most |X| + |Z| positions.
///
/// ```
/// use tanhinmin::{Position, theory::frontier};
/// let position: Position = "2,6,7/3,4,5,8@1".parse()?;
/// assert_eq!(frontier(&position, &mut Default::default())?, [Some(1), Some(1), Some(3)]);
/// # Ok::<(), kachi_core::Error>(())
/// ```
///
/// # Errors
/// `out_of_budget`.
pub fn frontier(position: &Position, budget: &mut Budget<'_>) -> Result<Vec<Option<usize>>, Error> {
    let mut trial = position.clone();
    let mut best: Option<usize> = None;
    let mut frontier = Vec::with_capacity(position.mover().len());
    for c0 in 0..position.mover().len() {
        trial.sides[0].goal = c0;
        loop {
            let next = best.map_or(0, |c1| c1 + 1);
            if next >= position.other().len() {
                break;
            }
            trial.sides[1].goal = next;
            budget.spend(position.cards() as u64)?;
            if !decide(&trial, budget)?.mover_wins() {
                break;
            }
            best = Some(next);
        }
        frontier.push(best);
    }
    Ok(frontier)
}

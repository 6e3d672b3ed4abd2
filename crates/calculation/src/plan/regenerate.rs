//! Plans of a position from scratch: a beam over the stacked cards, lowest first; cards not labelled yet count as unseen. Lists that
//! are carried from draw to draw lose good labels, so players do this now and then.

use super::Plan;
use super::extend::Extender;
use super::value::Evaluator;
use crate::position::{Position, Stack};
use crate::theory::Chances;

/// The best plans that a beam of `most` plans finds for the stacks of a position, best first; empty when it finds none that can win.
///
/// ```
/// use calculation::{notation, plan};
/// use calculation::theory::chance::Recursion;
/// let (rules, position) = notation::read("5:1,2:A2/5/4").unwrap();
/// let mut evaluator = plan::value::Evaluator::new(&rules);
/// let mut chances = Recursion::new(rules.stacks());
/// let plans = plan::regenerate::regenerate(&position, 10, &mut Default::default(), &mut evaluator, &mut chances);
/// assert!(plans.iter().all(|plan| plan.fits(&rules, &position) && plan.value() > 0.0));
/// ```
pub fn regenerate(
    position: &Position,
    most: usize,
    extender: &mut Extender,
    evaluator: &mut Evaluator,
    chances: &mut dyn Chances,
) -> Vec<Plan> {
    let mut bare = Plan::bare(position);
    evaluator.evaluate(&mut bare, chances);
    let mut plans = vec![bare];
    let stacks = evaluator.rules().stacks();
    let height = position.lengths().iter().copied().max().unwrap_or(0);
    for level in 0..usize::from(height) {
        for stack in 0..stacks {
            if let Some(&rank) = position.stack(Stack(stack as u8)).get(level) {
                plans = extender.label_all(&plans, stack, rank, most, evaluator, chances);
                if plans.is_empty() {
                    return plans;
                }
            }
        }
    }
    plans
}

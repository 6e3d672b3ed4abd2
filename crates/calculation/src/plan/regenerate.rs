//! Plans of a position from scratch: a beam over the stacked cards, lowest first; cards not labelled yet count as unseen. Lists that
//! are carried from draw to draw lose good labels, so players do this now and then.
//!
//! The lists on the way depend on the heads and on the cards that were labelled so far. Between two draws mostly one card is added to one stack, so they are
//! kept: the beam goes on where the table differs from the last one.

use super::Plan;
use super::extend::Extender;
use super::value::Evaluator;
use crate::position::{MOST_FOUNDATIONS, Position, Rank, Stack};
use crate::theory::Chances;

/// The lists of a beam, one for every card that was labelled.
#[derive(Debug, Clone)]
pub(super) struct Beam {
    heads: [u8; MOST_FOUNDATIONS],
    most: usize,
    steps: Vec<Step>,
    /// How many of them are those of the last table; the others only lend their memory.
    valid: usize,
}

/// One card of a stack, and the best plans for it and all cards before.
#[derive(Debug, Clone)]
struct Step {
    stack: usize,
    rank: Rank,
    plans: Vec<Plan>,
}

impl Beam {
    /// A beam of so many plans that knows nothing yet.
    pub(super) fn of(most: usize) -> Beam {
        Beam { heads: [0; MOST_FOUNDATIONS], most, steps: Vec::new(), valid: 0 }
    }

    /// How many plans it keeps.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// Forgets what does not belong to a table with these heads.
    fn prepare(&mut self, position: &Position) {
        if self.heads != *position.heads() {
            (self.heads, self.valid) = (*position.heads(), 0);
        }
    }

    /// Whether the list after the next card is known already.
    fn knows(&self, at: usize, stack: usize, rank: Rank) -> bool {
        at < self.valid && (self.steps[at].stack, self.steps[at].rank) == (stack, rank)
    }
}

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
    let mut beam = evaluator.take_beam(most);
    beam.prepare(position);
    let stacks = evaluator.rules().stacks();
    let height = position.lengths().iter().copied().max().unwrap_or(0);
    let first = [bare];
    let mut at = 0;
    'cards: for level in 0..usize::from(height) {
        for stack in 0..stacks {
            let Some(&rank) = position.stack(Stack(stack as u8)).get(level) else { continue };
            if !beam.knows(at, stack, rank) {
                if at == beam.steps.len() {
                    beam.steps.push(Step { stack, rank, plans: Vec::new() });
                }
                let (before, rest) = beam.steps.split_at_mut(at);
                let plans = before.last().map_or(&first[..], |step| &step.plans);
                (rest[0].stack, rest[0].rank) = (stack, rank);
                extender.label_all(plans, (stack, rank), most, &mut rest[0].plans, evaluator, chances);
                beam.valid = at + 1;
            }
            at += 1;
            if beam.steps[at - 1].plans.is_empty() {
                break 'cards;
            }
        }
    }
    let plans = at.checked_sub(1).map_or(&first[..], |last| &beam.steps[last].plans).to_vec();
    evaluator.keep_beam(beam);
    plans
}

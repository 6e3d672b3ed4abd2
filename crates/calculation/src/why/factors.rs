//! The reason as data: which stacked card is to go where, and the factors of the product formula.

use crate::plan::extend::Extender;
use crate::plan::regenerate::regenerate;
use crate::plan::value::{Evaluator, PAIRS};
use crate::position::Position;
use crate::rules::Rules;
use crate::theory::Chances;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A plan and the factors of its value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanReason {
    /// The stacks, bottom first, each card with its foundation: `Q-2` is a queen for foundation 2.
    pub plan: Vec<Vec<String>>,
    /// The chance of each foundation's unseen cards alone.
    pub single: Vec<f64>,
    /// The chance of each pair of foundations, in the order 01 02 03 12 13 23; nothing where it is not known and the two count as independent.
    pub pair: Vec<Option<f64>>,
    /// The product of the pairs over the product of the singles to the power of the foundations less two.
    pub value: f64,
}

/// Plans that are kept while the best one is looked for.
const BEAM: usize = 200;

/// The best plan of a table without a drawn card, with its factors; `None` when no plan has a chance.
pub fn reason(rules: &Rules, position: &Position, chances: &mut dyn Chances) -> Option<PlanReason> {
    let mut evaluator = Evaluator::new(rules);
    let plans = regenerate(position, BEAM, &mut Extender::default(), &mut evaluator, chances);
    let plan = plans.into_iter().find(|plan| plan.value() > 0.0)?;
    let factors = evaluator.factors(&plan, chances);
    let label = |stack: crate::position::Stack, height: usize| {
        let slot = plan.label(stack, height);
        format!("{}-{}", rules.rank_at(slot.foundation(), slot.index()), slot.foundation())
    };
    let labels = |stack| (0..position.stack(stack).len()).map(|height| label(stack, height)).collect();
    let foundations = rules.foundations();
    let pairs = PAIRS.iter().zip(factors.pair).filter(|((_, g), _)| *g < foundations);
    let single = factors.single[..foundations].to_vec();
    let pair: Vec<Option<f64>> = pairs.map(|(_, chance)| (!chance.is_nan()).then_some(chance)).collect();
    let value = product(&single, &pair);
    Some(PlanReason { plan: rules.all_stacks().map(labels).collect(), single, pair, value })
}

/// The pairs `(f, g)` of so many foundations, in order.
pub(super) fn pairs(foundations: usize) -> impl Iterator<Item = (usize, usize)> {
    PAIRS.into_iter().filter(move |&(_, g)| g < foundations)
}

/// The product formula: any factor of 0 makes it 0, and a pair that is not known counts as independent.
pub(super) fn product(single: &[f64], pair: &[Option<f64>]) -> f64 {
    let foundations = single.len();
    if single.contains(&0.0) || pair.contains(&Some(0.0)) {
        return 0.0;
    }
    let above: f64 = pairs(foundations)
        .zip(pair)
        .map(|((f, g), chance)| chance.unwrap_or_else(|| single[f] * single[g]))
        .product();
    let power = foundations as i32 - 2;
    let below: f64 = single.iter().map(|chance| chance.powi(power)).product();
    above / below
}

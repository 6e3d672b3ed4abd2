//! Two opinions about a table, one chance.
//!
//! With three stacks and more each opinion is about the chance of winning when the game goes on that judge's way, so a table is worth the larger one. With
//! two stacks hardly any plan comes true and the larger opinion is the mistaken one: there the log-odds are blended as games of tuning deals have come out, and
//! while many cards are unseen plans say nothing that the net does not know.

use crate::plan::logit::sigmoid;

/// How two opinions become one chance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Opinion {
    /// The larger one.
    Larger,
    /// A weighted sum of both log-odds, by these weights; plans count from the last knot's number of unseen cards on.
    Blend(&'static [Knot]),
}

/// The weights with so many cards unseen; between knots lines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Knot {
    /// Cards unseen.
    pub left: usize,
    /// Of a table with a plan: a constant, the weight of the judge, the weight of the plans.
    pub both: [f64; 3],
    /// Of a table without a plan: a constant, the weight of the judge.
    pub alone: [f64; 2],
}

impl Opinion {
    /// The one for so many stacks.
    pub fn for_stacks(stacks: usize) -> Opinion {
        if stacks == 2 { Opinion::Blend(&TWO_STACKS) } else { Opinion::Larger }
    }

    /// Whether plans are asked at all with so many cards unseen.
    #[inline]
    pub fn asks_plans(&self, left: usize) -> bool {
        match self {
            Opinion::Larger => true,
            Opinion::Blend(knots) => knots.last().is_some_and(|last| left <= last.left),
        }
    }

    /// The chance of a table by both; `by_plans` is 0 where there is no plan.
    ///
    /// ```
    /// use calculation::players::union::Opinion;
    /// assert_eq!(Opinion::for_stacks(3).of(20, 0.4, 0.3), 0.4);
    /// let both = Opinion::for_stacks(2).of(20, 0.4, 0.3);
    /// assert!(both > Opinion::for_stacks(2).of(20, 0.4, 0.2));
    /// assert!(both > Opinion::for_stacks(2).of(20, 0.3, 0.3));
    /// ```
    #[inline]
    pub fn of(&self, left: usize, by_plans: f64, by_judge: f64) -> f64 {
        match self {
            Opinion::Larger => by_plans.max(by_judge),
            // The judge was not asked, or sees no chance at all.
            Opinion::Blend(_) if by_judge <= 0.0 => by_plans,
            Opinion::Blend(knots) if self.asks_plans(left) => blended(knots, left, by_plans, by_judge),
            Opinion::Blend(_) => by_judge,
        }
    }
}

fn blended(knots: &[Knot], left: usize, by_plans: f64, by_judge: f64) -> f64 {
    let high = knots.iter().position(|knot| knot.left >= left).unwrap_or(knots.len() - 1);
    let low = high.saturating_sub(1);
    let (below, above) = (&knots[low], &knots[high]);
    let share = match above.left - below.left {
        0 => 0.0,
        span => left.saturating_sub(below.left) as f64 / span as f64,
    };
    let between = |low: f64, high: f64| low + share * (high - low);
    let judge = log_odds(by_judge);
    sigmoid(if by_plans > 0.0 {
        let [a, b, c] = std::array::from_fn(|i| between(below.both[i], above.both[i]));
        a + b * judge + c * log_odds(by_plans)
    } else {
        let [a, b] = std::array::from_fn(|i| between(below.alone[i], above.alone[i]));
        a + b * judge
    })
}

/// Chances closer to 0 or 1 say no more.
const LEAST: f64 = 1e-13;

fn log_odds(chance: f64) -> f64 {
    let chance = chance.clamp(LEAST, 1.0 - LEAST);
    (chance / (1.0 - chance)).ln()
}

/// Fitted on 2500 games of `union-look1` that took the larger opinion, seeds 310001 to 312500. With more cards unseen plans added nothing to the prediction.
/// Tables without a plan are hardly ever won, so their weights are rough: fitted over ranges of unseen cards and rounded, set by hand at 18 and 24.
const TWO_STACKS: [Knot; 6] = [
    Knot { left: 5, both: [-1.17, 0.22, 0.80], alone: [-3.0, 0.35] },
    Knot { left: 8, both: [-0.64, 0.40, 0.57], alone: [-3.0, 0.35] },
    Knot { left: 11, both: [-0.27, 0.45, 0.56], alone: [-3.0, 0.35] },
    Knot { left: 14, both: [0.28, 0.61, 0.45], alone: [-3.0, 0.35] },
    Knot { left: 18, both: [0.90, 0.63, 0.46], alone: [-1.5, 0.6] },
    Knot { left: 24, both: [0.49, 0.83, 0.16], alone: [-0.2, 0.9] },
];

//! The named options of the union player.

use super::Opinion;
use crate::plan::extend::Keeping;
use crate::players::net::Width;
use crate::players::options::{ENOUGH_OF_FOUR, Look, PlanOptions};
use crate::players::rollout::Rollouts;
use std::fmt;

/// Two draws of lookahead where candidates are still close after one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Deep {
    /// With more cards unseen one draw has to do: everything is close then, and a look gains little.
    pub left: usize,
    /// Which candidates.
    pub root: Width,
    /// Which ways to finish the turn after the first draw.
    pub inner: Width,
    /// Plans that are carried through the first draw.
    pub plans: usize,
    /// Plans that are extended at the leaves.
    pub leaf_plans: usize,
}

/// A chance that is good enough.
const SURE: f64 = 0.98;

/// All that distinguishes one union player from another.
#[derive(Clone, PartialEq)]
pub struct UnionOptions {
    /// How plans are kept, rebuilt and turned into chances. Its own lookahead is not used.
    pub plans: PlanOptions,
    /// One draw of lookahead: which candidates, and how many plans at the leaves.
    pub first: Option<Look>,
    /// Two draws.
    pub second: Option<Deep>,
    /// The judge is not asked about draws after which the plans alone have this chance.
    pub sure: f64,
    /// How the opinions of both become one.
    pub opinion: Opinion,
    /// A table whose best candidate has less than this chance is not worth a second draw of lookahead, nor a search of more than the last four cards.
    pub faint: f64,
    /// Plays on from candidates that are still close.
    pub rollouts: Option<Rollouts>,
}

/// Runs are told apart by what this writes, so an option that came later is written only where it is used.
impl fmt::Debug for UnionOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut written = f.debug_struct("UnionOptions");
        written
            .field("plans", &self.plans)
            .field("first", &self.first)
            .field("second", &self.second)
            .field("sure", &self.sure);
        if self.opinion != Opinion::Larger {
            written.field("opinion", &self.opinion);
        }
        if self.faint > 0.0 {
            written.field("faint", &self.faint);
        }
        if let Some(rollouts) = &self.rollouts {
            written.field("rollouts", rollouts);
        }
        written.finish()
    }
}

impl UnionOptions {
    /// No lookahead.
    pub fn greedy() -> UnionOptions {
        let plans = PlanOptions {
            look: None,
            regenerate_every: 2,
            keeping: Keeping { plans: 100, reassign: true },
            ..PlanOptions::greedy()
        };
        UnionOptions {
            plans,
            first: None,
            second: None,
            sure: SURE,
            opinion: Opinion::Larger,
            faint: 0.0,
            rollouts: None,
        }
    }

    /// One draw of lookahead for close candidates.
    pub fn look() -> UnionOptions {
        let first = Look::new(3, 0.12, 30);
        UnionOptions { first: Some(first), ..UnionOptions::greedy() }
    }

    /// Two draws of lookahead for the closest ones.
    pub fn deep() -> UnionOptions {
        let second = Deep {
            left: 44,
            root: Width { candidates: 3, within: 0.01 },
            inner: Width { candidates: 2, within: 0.05 },
            plans: 50,
            leaf_plans: 20,
        };
        UnionOptions { second: Some(second), ..UnionOptions::look() }
    }

    /// One draw of lookahead, then the closest ones are played on.
    pub fn rollout() -> UnionOptions {
        UnionOptions { rollouts: Some(Rollouts::OF_UNION), ..UnionOptions::look() }
    }

    /// The same options for a game with this many stacks. Where nearly all games are won, chances close to 1 are told apart, and tables with such a chance are not
    /// looked into; where hardly any is, plans are never sure, the opinions are blended, and nearly all lookahead goes to the few games that still have a chance.
    #[must_use]
    pub fn for_stacks(mut self, stacks: usize) -> UnionOptions {
        if stacks != 3 {
            self.sure = 1.0;
        }
        self.opinion = Opinion::for_stacks(stacks);
        if stacks >= 4 {
            self.first = self.first.map(|look| Look { enough: ENOUGH_OF_FOUR, ..look });
            self.second = self.second.map(|deep| Deep { left: 24, plans: 20, leaf_plans: 10, ..deep });
        }
        if stacks == 2 {
            let (root, inner) = (Width { candidates: 4, within: 1.0 }, Width { candidates: 3, within: 1.0 });
            self.second = self.second.map(|deep| Deep { left: 24, root, inner, ..deep });
            if self.second.is_some() || self.rollouts.is_some() {
                (self.faint, self.plans.exact_below) = (0.005, 9);
            }
        }
        self
    }

    /// The settings with this name.
    ///
    /// ```
    /// use calculation::players::union::UnionOptions;
    /// assert_eq!(UnionOptions::named("union-look1"), Some(UnionOptions::look()));
    /// assert_eq!(UnionOptions::named("perfect"), None);
    /// ```
    pub fn named(name: &str) -> Option<UnionOptions> {
        match name {
            "union-look0" => Some(UnionOptions::greedy()),
            "union" | "union-look1" => Some(UnionOptions::look()),
            "union-look2" => Some(UnionOptions::deep()),
            "union-rollout" => Some(UnionOptions::rollout()),
            _ => None,
        }
    }

    /// The names that [`named`](UnionOptions::named) knows, strongest first.
    pub const NAMES: [&'static str; 4] = ["union-rollout", "union-look2", "union-look1", "union-look0"];
}

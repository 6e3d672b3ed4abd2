//! The named options of the plan player, and the settings that have a name.

use crate::plan::extend::Keeping;
use crate::plan::logit::Rule;
use std::fmt;

/// What may follow the placement of the drawn card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FreeMoves {
    /// One way: again and again the free move whose value is best, while it is not below the value before it.
    Greedy,
    /// Every afterstate that free moves lead to is a candidate.
    All,
}

/// One draw of lookahead.
#[derive(Clone, Copy, PartialEq)]
pub struct Look {
    /// Only so many of the best candidates are looked into.
    pub candidates: usize,
    /// Only candidates whose chance is within this of the best.
    pub within: f64,
    /// Only so many of the best plans are extended at the leaves.
    pub plans: usize,
    /// At the leaves, too, give other slots to stacked cards whose own are filled.
    pub reassign: bool,
    /// A table whose best candidate has at least this chance is not looked into.
    pub enough: f64,
}

/// Runs are told apart by what this writes, so an option that came later is written only where it is used.
impl fmt::Debug for Look {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut written = f.debug_struct("Look");
        written
            .field("candidates", &self.candidates)
            .field("within", &self.within)
            .field("plans", &self.plans)
            .field("reassign", &self.reassign);
        if self.enough <= 1.0 {
            written.field("enough", &self.enough);
        }
        written.finish()
    }
}

impl Look {
    /// So many of the best candidates, within this chance of the best, extending so many plans at the leaves.
    pub const fn new(candidates: usize, within: f64, plans: usize) -> Look {
        Look { candidates, within, plans, reassign: true, enough: f64::INFINITY }
    }
}

/// With four stacks a chance of this says that one plan alone succeeds seven times in eight or more: its line ends at 0.9933 for a plan that cannot fail.
pub(super) const ENOUGH_OF_FOUR: f64 = 0.9925;

/// All that distinguishes one plan player from another.
#[derive(Clone, PartialEq)]
pub struct PlanOptions {
    /// Lists of plans.
    pub keeping: Keeping,
    /// From a list to a number.
    pub rule: Rule,
    /// Give a value to plans in which some unseen cards may go on no stack any more but may still be drawn in time.
    pub tails: bool,
    /// Correct the product formula by the exact game of the last so many cards of every foundation together; 0 for not at all.
    pub joint: usize,
    /// After the placement.
    pub free_moves: FreeMoves,
    /// Rebuild the list from scratch before every so many draws; 0 for never.
    pub regenerate_every: usize,
    /// When the list is empty, rebuild it with a beam of this many plans; 0 for not at all.
    pub rescue: usize,
    /// A position without a plan is lost, whatever the dead-state test says.
    pub no_plan_is_lost: bool,
    /// Turn plan values into win chances by the fitted line; otherwise they are taken as they are.
    pub calibrated: bool,
    /// With at most this many cards unseen, search exactly.
    pub exact_below: usize,
    /// Lookahead by one draw.
    pub look: Option<Look>,
}

/// Runs are told apart by what this writes, so an option that came later is written only where it is used.
impl fmt::Debug for PlanOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut written = f.debug_struct("PlanOptions");
        written.field("keeping", &self.keeping).field("rule", &self.rule).field("tails", &self.tails);
        if self.joint > 0 {
            written.field("joint", &self.joint);
        }
        written
            .field("free_moves", &self.free_moves)
            .field("regenerate_every", &self.regenerate_every)
            .field("rescue", &self.rescue)
            .field("no_plan_is_lost", &self.no_plan_is_lost)
            .field("calibrated", &self.calibrated)
            .field("exact_below", &self.exact_below)
            .field("look", &self.look)
            .finish()
    }
}

impl PlanOptions {
    /// The method as written: 50 plans, the largest value, greedy free moves, no remedy.
    pub fn paper() -> PlanOptions {
        PlanOptions {
            keeping: Keeping { plans: 50, reassign: true },
            rule: Rule::Max,
            tails: false,
            joint: 0,
            free_moves: FreeMoves::Greedy,
            regenerate_every: 0,
            rescue: 0,
            no_plan_is_lost: true,
            calibrated: false,
            exact_below: 0,
            look: None,
        }
    }

    /// The method as written with lookahead 1.
    pub fn paper_look() -> PlanOptions {
        let look = Look::new(usize::MAX, f64::INFINITY, 50);
        PlanOptions { look: Some(look), ..PlanOptions::paper() }
    }

    /// The strongest settings without lookahead.
    pub fn greedy() -> PlanOptions {
        PlanOptions {
            keeping: Keeping { plans: 200, reassign: true },
            rule: Rule::SumAbove(28),
            tails: true,
            joint: 0,
            free_moves: FreeMoves::All,
            regenerate_every: 1,
            rescue: 1000,
            no_plan_is_lost: false,
            calibrated: true,
            exact_below: 4,
            look: None,
        }
    }

    /// The strongest settings: lookahead 1.
    pub fn strong() -> PlanOptions {
        let look = Look::new(4, 0.2, 50);
        PlanOptions { look: Some(look), ..PlanOptions::greedy() }
    }

    /// The same options for a game with this many stacks. With four, foundations rarely get in each other's way by twos; what is left are conflicts of three or
    /// four, which a sum over plans hides and the last cards together show. And soon one plan is as good as certain, so that there is nothing to look for.
    #[must_use]
    pub fn for_stacks(mut self, stacks: usize) -> PlanOptions {
        if stacks >= 4 && self.calibrated {
            (self.rule, self.joint) = (Rule::Max, 1);
            self.look = self.look.map(|_| Look { enough: ENOUGH_OF_FOUR, ..Look::new(3, 0.05, 30) });
        }
        self
    }

    /// The settings with this name.
    ///
    /// ```
    /// use calculation::players::options::PlanOptions;
    /// assert_eq!(PlanOptions::named("paper"), Some(PlanOptions::paper()));
    /// assert_eq!(PlanOptions::named("perfect"), None);
    /// ```
    pub fn named(name: &str) -> Option<PlanOptions> {
        match name {
            "paper" => Some(PlanOptions::paper()),
            "paper-look1" => Some(PlanOptions::paper_look()),
            "plans" | "plans-look0" => Some(PlanOptions::greedy()),
            "plans-look1" => Some(PlanOptions::strong()),
            _ => None,
        }
    }

    /// The names that [`named`](PlanOptions::named) knows.
    pub const NAMES: [&'static str; 4] = ["plans-look1", "plans-look0", "paper", "paper-look1"];
}

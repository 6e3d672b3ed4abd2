//! One draw of lookahead: for every next rank the best placement, judged by the plans that survive it. No list is kept at the leaves, only sum
//! and largest value; each plan makes at once all free moves that its labels allow.

use super::leaves::{ByRank, average};
use super::options::{Look, PlanOptions};
use crate::dead;
use crate::plan::Plan;
use crate::plan::logit::{Logit, Rule, Strength};
use crate::plan::order::Slot;
use crate::plan::value::Evaluator;
use crate::position::{Foundation, MOST_RANKS, Position, Rank, Stack};
use crate::rules::{Move, Rules};
use crate::theory::Chances;

/// Looks one draw ahead; owns the memory for it.
#[derive(Debug, Default)]
pub struct Looker {
    scratch: Option<Plan>,
    /// Which leaf every plan of the batch belongs to.
    owners: Vec<u16>,
    leaves: Vec<Strength>,
}

impl Looker {
    /// For every next rank the number of the best placement's plans (see [`Strength::number`]), 0 without a plan. `all` is the sum of
    /// the values of the whole list, of which `plans` are the best.
    #[allow(clippy::too_many_arguments)]
    pub fn numbers(
        &mut self,
        rules: &Rules,
        position: &Position,
        plans: &[Plan],
        look: &Look,
        rule: Rule,
        evaluator: &mut Evaluator,
        chances: &mut dyn Chances,
    ) -> ByRank {
        let left = position.left();
        // Plans that are not extended are taken to fare like the others.
        let all: f64 = plans.iter().map(Plan::value).sum();
        let plans = &plans[..plans.len().min(look.plans)];
        let extended: f64 = plans.iter().map(Plan::value).sum();
        let scale = if extended > 0.0 { all / extended } else { 1.0 };
        let mut numbers = [0.0; MOST_RANKS];
        for rank in (0..rules.ranks() as u8).filter_map(Rank::new) {
            if plans.is_empty() || position.unseen()[rank.index()] == 0 {
                continue;
            }
            let drawn = rules.play_unchecked(position, Move::Draw(rank));
            self.open(rules, &drawn, plans, rank, look.reassign, evaluator);
            evaluator.finish(chances);
            for (job, &owner) in self.owners.iter().enumerate() {
                let value = evaluator.value(job);
                if value > 0.0 {
                    let strength = &mut self.leaves[usize::from(owner)];
                    strength.sum += value * scale;
                    strength.max = strength.max.max(value);
                }
            }
            let number = |leaf: &Strength| leaf.number(rule, left - 1);
            numbers[rank.index()] = self.leaves.iter().map(number).fold(0.0, f64::max);
        }
        numbers
    }

    /// The chance of an afterstate: over all next ranks the best leaf, weighted with the cards that are left.
    #[allow(clippy::too_many_arguments)]
    pub fn chance(
        &mut self,
        rules: &Rules,
        position: &Position,
        plans: &[Plan],
        look: &Look,
        options: &PlanOptions,
        logit: &Logit,
        evaluator: &mut Evaluator,
        chances: &mut dyn Chances,
    ) -> f64 {
        let left = position.left();
        let mut by_rank = self.numbers(rules, position, plans, look, options.rule, evaluator, chances);
        for rank in (0..rules.ranks() as u8).filter_map(Rank::new) {
            let chance = &mut by_rank[rank.index()];
            if position.unseen()[rank.index()] == 0 {
                continue;
            }
            *chance = if *chance > 0.0 {
                if options.calibrated { logit.chance(*chance, left - 1) } else { chance.min(1.0) }
            } else if options.no_plan_is_lost {
                0.0
            } else {
                without_plan(rules, position, rank, logit)
            };
        }
        average(position, &by_rank)
    }

    /// Submits the children of all plans for all placements of the drawn card.
    fn open(
        &mut self,
        rules: &Rules,
        drawn: &Position,
        plans: &[Plan],
        rank: Rank,
        reassign: bool,
        evaluator: &mut Evaluator,
    ) {
        self.leaves.clear();
        self.owners.clear();
        evaluator.begin();
        for f in rules.all_foundations().filter(|&f| rules.takes(drawn, f, rank)) {
            self.leaves.push(Strength::default());
            plans.iter().for_each(|plan| self.play(rules, plan, f, rank, reassign, evaluator));
        }
        let mut empty_seen = false;
        for stack in rules.all_stacks() {
            if drawn.lengths()[stack.index()] == 0 && std::mem::replace(&mut empty_seen, true) {
                continue;
            }
            self.leaves.push(Strength::default());
            plans.iter().for_each(|plan| self.put(rules, plan, stack, rank, evaluator));
        }
    }

    fn put(&mut self, rules: &Rules, plan: &Plan, stack: Stack, rank: Rank, evaluator: &mut Evaluator) {
        for f in 0..rules.foundations() {
            let index = rules.slot_of(f, rank);
            let slot = Slot::new(f, index);
            if index > usize::from(plan.heads[f]) && plan.accepts(stack.index(), slot) {
                self.child(rules, plan, evaluator, |child| child.push(stack.index(), slot).is_ok());
            }
        }
    }

    fn play(
        &mut self,
        rules: &Rules,
        plan: &Plan,
        foundation: Foundation,
        rank: Rank,
        reassign: bool,
        evaluator: &mut Evaluator,
    ) {
        let f = foundation.index();
        let slot = Slot::new(f, usize::from(plan.heads[f]));
        if plan.is_free(slot) {
            self.child(rules, plan, evaluator, |child| {
                child.advance(f);
                true
            });
        } else if reassign && let Some(holder) = plan.holder(slot) {
            for g in (0..rules.foundations()).filter(|&g| g != f) {
                let other = Slot::new(g, rules.slot_of(g, rank));
                if plan.is_free(other) {
                    self.child(rules, plan, evaluator, |child| {
                        let possible = child.relabel(holder, other);
                        child.advance(f);
                        possible
                    });
                }
            }
        }
    }

    /// Submits a changed copy of a plan for the newest leaf.
    #[inline]
    fn child(
        &mut self,
        rules: &Rules,
        plan: &Plan,
        evaluator: &mut Evaluator,
        change: impl FnOnce(&mut Plan) -> bool,
    ) {
        let child = match &mut self.scratch {
            Some(child) => {
                child.clone_from(plan);
                child
            }
            none => none.insert(plan.clone()),
        };
        if change(child) {
            child.settle(rules.stacks());
            evaluator.submit(child, Some(&plan.worth));
            self.owners.push((self.leaves.len() - 1) as u16);
        }
    }
}

/// The chance when no leaf of a draw has a plan: that of "no plan" unless all leaves are dead.
fn without_plan(rules: &Rules, position: &Position, rank: Rank, logit: &Logit) -> f64 {
    let drawn = rules.play_unchecked(position, Move::Draw(rank));
    let alive = |mv: Move| !dead::is_dead(rules, &rules.play_unchecked(&drawn, mv));
    if rules.moves(&drawn).into_iter().any(alive) { logit.chance(0.0, drawn.left()) } else { 0.0 }
}

//! What a move does to a list of plans: a stacked card gets every slot that it may have, a played card takes its slot away from the
//! plans that had promised it, an unloaded card may go elsewhere than was planned. The best plans are kept.

use super::Plan;
use super::order::Slot;
use super::value::Evaluator;
use crate::position::{Position, Rank};
use crate::rules::Move;
use crate::theory::Chances;
use rustc_hash::FxHashSet;

/// How lists of plans are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keeping {
    /// Most plans of a list.
    pub plans: usize,
    /// Give another slot to a stacked card whose own is filled by another copy; otherwise such plans are dropped.
    pub reassign: bool,
}

/// Works on lists of plans; owns the memory for it.
#[derive(Debug, Default)]
pub struct Extender {
    pool: Vec<Plan>,
    /// The bits of values, turned round, with their places in the pool.
    order: Vec<(u64, u32)>,
    hashes: FxHashSet<u64>,
}

impl Extender {
    /// The plans after a move, best first. `before` is the position in which the move is made.
    pub fn follow(
        &mut self,
        plans: &[Plan],
        before: &Position,
        mv: Move,
        keeping: Keeping,
        evaluator: &mut Evaluator,
        chances: &mut dyn Chances,
    ) -> Vec<Plan> {
        self.pool.clear();
        evaluator.begin();
        for plan in plans {
            self.children(plan, before, mv, keeping.reassign, evaluator);
        }
        evaluator.finish(chances);
        let mut kept = Vec::new();
        self.best(keeping.plans, &mut kept, evaluator);
        kept
    }

    /// Extends every plan by a stacked card in all ways, the head of a foundation included, and writes down the best.
    pub(super) fn label_all(
        &mut self,
        plans: &[Plan],
        (stack, rank): (usize, Rank),
        most: usize,
        kept: &mut Vec<Plan>,
        evaluator: &mut Evaluator,
        chances: &mut dyn Chances,
    ) {
        self.pool.clear();
        evaluator.begin();
        for plan in plans {
            self.labelled(plan, stack, rank, 0, evaluator);
        }
        evaluator.finish(chances);
        self.best(most, kept, evaluator);
    }

    /// Adds a changed copy of a plan to the pool, unless the change turns out to be impossible.
    #[inline]
    fn add(&mut self, parent: &Plan, evaluator: &mut Evaluator, change: impl FnOnce(&mut Plan) -> bool) {
        // Plans are large: the copy is made where it will stay.
        self.pool.push(parent.clone());
        let possible = self.pool.last_mut().is_some_and(|child| {
            let possible = change(child);
            if possible {
                evaluator.submit(child, Some(&parent.worth));
            }
            possible
        });
        if !possible {
            self.pool.pop();
        }
    }

    fn labelled(&mut self, plan: &Plan, stack: usize, rank: Rank, beyond: usize, evaluator: &mut Evaluator) {
        for f in 0..evaluator.rules().foundations() {
            let index = evaluator.rules().slot_of(f, rank);
            if index < usize::from(plan.heads[f]) + beyond {
                continue;
            }
            let slot = Slot::new(f, index);
            if plan.accepts(stack, slot) {
                self.add(plan, evaluator, |child| child.push(stack, slot).is_ok());
            }
        }
    }

    fn children(
        &mut self,
        plan: &Plan,
        before: &Position,
        mv: Move,
        reassign: bool,
        evaluator: &mut Evaluator,
    ) {
        match mv {
            Move::Draw(_) => {}
            Move::Put(stack) => {
                if let Some(rank) = before.drawn() {
                    // The head of a foundation means "play": a label beyond it.
                    self.labelled(plan, stack.index(), rank, 1, evaluator);
                }
            }
            Move::Play(foundation) => {
                let f = foundation.index();
                let slot = Slot::new(f, usize::from(plan.heads[f]));
                match plan.holder(slot) {
                    None => {
                        self.add(plan, evaluator, |child| {
                            child.advance(f);
                            true
                        });
                    }
                    Some(holder) if reassign => {
                        let rank = evaluator.rules().rank_at(f, slot.index());
                        for g in 0..evaluator.rules().foundations() {
                            let other = Slot::new(g, evaluator.rules().slot_of(g, rank));
                            if g == f || !plan.is_free(other) {
                                continue;
                            }
                            self.add(plan, evaluator, |child| {
                                child.advance(f);
                                child.relabel(holder, other)
                            });
                        }
                    }
                    Some(_) => {}
                }
            }
            Move::Unload { stack, foundation } => {
                let (s, f) = (stack.index(), foundation.index());
                let slot = Slot::new(f, usize::from(plan.heads[f]));
                let Some(label) = plan.top(s) else { return };
                if label == slot {
                    self.add(plan, evaluator, |child| {
                        child.pop(s, slot);
                        true
                    });
                } else if reassign {
                    self.add(plan, evaluator, |child| {
                        let possible = child.exchange(s, label, slot);
                        if possible {
                            child.pop(s, slot);
                        }
                        possible
                    });
                }
            }
        }
    }

    /// The best plans of the pool, no label vector twice; ties keep the order of the pool.
    fn best(&mut self, most: usize, kept: &mut Vec<Plan>, evaluator: &Evaluator) {
        kept.clear();
        self.order.clear();
        // Positive numbers are ordered as their bits are, and the best come first.
        let values = (0..self.pool.len() as u32).map(|i| (evaluator.value(i as usize), i));
        self.order.extend(values.filter(|&(value, _)| value > 0.0).map(|(value, i)| (!value.to_bits(), i)));
        self.order.sort_unstable();
        self.hashes.clear();
        kept.reserve(most.min(self.order.len()));
        for &(_, i) in &self.order {
            if kept.len() == most {
                break;
            }
            let plan = &self.pool[i as usize];
            if self.hashes.insert(plan.hash) {
                kept.push(plan.clone());
                if let Some(plan) = kept.last_mut() {
                    plan.worth = evaluator.worth(i as usize);
                }
            }
        }
    }
}

/// Two lists for the same table as one: best first, no label vector twice.
pub fn merge(mut plans: Vec<Plan>, more: Vec<Plan>, most: usize) -> Vec<Plan> {
    plans.extend(more);
    plans.sort_by(|a, b| b.worth.value.total_cmp(&a.worth.value).then(a.hash.cmp(&b.hash)));
    plans.dedup_by(|a, b| a.hash == b.hash);
    plans.truncate(most);
    plans
}

impl Plan {
    /// Gives the top of stack `s` (now labelled `label`) the slot `slot`: a stacked copy that holds it takes the old label, otherwise
    /// the old label becomes free. False when that closes a cycle.
    fn exchange(&mut self, s: usize, label: Slot, slot: Slot) -> bool {
        let top = (s, usize::from(self.lengths[s]) - 1);
        let holder = self.holder(slot);
        self.set_label(top, slot);
        if let Some(place) = holder {
            self.set_label(place, label);
        }
        self.stacked[slot.foundation()] |= 1 << slot.index();
        self.rebuild()
    }
}

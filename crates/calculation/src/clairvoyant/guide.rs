//! Which tables a search with the deck face up keeps: those that a guide judges highest.
//!
//! Guides see no deck. The chance of winning without seeing it says little about a deal whose every card is known, but it orders tables well.

use crate::net::{Evaluator as NetEvaluator, Net};
use crate::plan::Plan;
use crate::plan::extend::{Extender, Keeping};
use crate::plan::regenerate::regenerate;
use crate::plan::value::Evaluator;
use crate::position::Position;
use crate::rules::{Move, Rules};
use crate::theory::Chances;

/// Says which tables look promising. A guide may carry something from table to table.
pub trait Guide {
    /// What it carries.
    type Memory: Clone;

    /// What it carries at the beginning.
    fn begin(&mut self, start: &Position) -> Self::Memory;

    /// What it carries after a move made in `before`.
    fn follow(&mut self, before: &Position, memory: &Self::Memory, mv: Move) -> Self::Memory;

    /// A number for every table without a drawn card; larger ones are kept first.
    fn judge(&mut self, tables: &[Position], memories: &[Self::Memory], out: &mut [f32]);
}

/// Any function that judges tables, for example a value net.
#[derive(Debug)]
pub struct ByFunction<F>(pub F);

impl<F: FnMut(&[Position], &mut [f32])> Guide for ByFunction<F> {
    type Memory = ();

    fn begin(&mut self, _: &Position) {}

    fn follow(&mut self, _: &Position, (): &(), _: Move) {}

    fn judge(&mut self, tables: &[Position], _: &[()], out: &mut [f32]) {
        (self.0)(tables, out);
    }
}

/// Judges a table by the cards that have been played: enough where all lines are searched.
#[derive(Debug, Clone, Copy)]
pub struct ByPlayed;

impl Guide for ByPlayed {
    type Memory = ();

    fn begin(&mut self, _: &Position) {}

    fn follow(&mut self, _: &Position, (): &(), _: Move) {}

    fn judge(&mut self, tables: &[Position], _: &[()], out: &mut [f32]) {
        tables.iter().zip(out).for_each(|(table, judged)| *judged = table.played() as f32);
    }
}

/// Judges a table by the value net; it carries nothing, so that beams may be wide.
#[derive(Debug)]
pub struct ByNet<'n>(NetEvaluator<'n>);

impl<'n> ByNet<'n> {
    /// A guide with this net, for the game it was taught.
    pub fn new(net: &'n Net) -> ByNet<'n> {
        ByNet(NetEvaluator::new(net))
    }
}

impl Guide for ByNet<'_> {
    type Memory = ();

    fn begin(&mut self, _: &Position) {}

    fn follow(&mut self, _: &Position, (): &(), _: Move) {}

    fn judge(&mut self, tables: &[Position], _: &[()], out: &mut [f32]) {
        self.0.logits(tables, out);
    }
}

/// Judges a table by the plans that it leaves open.
#[derive(Debug)]
pub struct ByPlans<C> {
    keeping: Keeping,
    evaluator: Evaluator,
    extender: Extender,
    chances: C,
}

impl<C: Chances> ByPlans<C> {
    /// A guide that carries up to `plans` plans for every table.
    pub fn new(rules: &Rules, plans: usize, chances: C) -> ByPlans<C> {
        ByPlans {
            keeping: Keeping { plans, reassign: true },
            evaluator: Evaluator::new(rules).with_tails(true),
            extender: Extender::default(),
            chances,
        }
    }
}

impl<C: Chances> Guide for ByPlans<C> {
    type Memory = Vec<Plan>;

    fn begin(&mut self, start: &Position) -> Vec<Plan> {
        regenerate(start, self.keeping.plans, &mut self.extender, &mut self.evaluator, &mut self.chances)
    }

    fn follow(&mut self, before: &Position, plans: &Vec<Plan>, mv: Move) -> Vec<Plan> {
        self.extender.follow(plans, before, mv, self.keeping, &mut self.evaluator, &mut self.chances)
    }

    fn judge(&mut self, tables: &[Position], memories: &[Vec<Plan>], out: &mut [f32]) {
        for ((table, plans), judged) in tables.iter().zip(memories).zip(out) {
            let sum: f64 = plans.iter().map(Plan::value).sum();
            *judged = if sum > 0.0 { sum.ln() as f32 } else { NO_PLAN + table.played() as f32 };
        }
    }
}

/// Below every logarithm of a plan value.
const NO_PLAN: f32 = -1e6;

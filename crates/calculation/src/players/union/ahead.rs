//! Looking one and two draws ahead with both judges. For every next rank the best leaf counts. The best leaf by plans and the best leaf by the net are found
//! apart and their chances become one: where a leaf is worth the larger of two opinions that is exact, and where it is worth a blend it is right if both have
//! the same best leaf.

use super::{Deep, UnionPlayer, average, settle};
use crate::plan::Plan;
use crate::plan::extend::Keeping;
use crate::players::Player;
use crate::players::leaves::{ByRank, Judge, pick};
use crate::players::options::Look;
use crate::players::pace::TABLE_WORK;
use crate::players::plans::Candidate;
use crate::position::{Position, Rank};
use crate::rules::Move;
use crate::theory::Chances;
use std::ops::Range;

/// A table after the first draw, with its plans.
struct Inner {
    position: Position,
    plans: Vec<Plan>,
}

/// What a draw leads to: the ways to finish the turn that are looked into, or a chance that needs no look.
struct Branch {
    candidate: usize,
    copies: u8,
    inner: Range<usize>,
}

impl<C: Chances, J: Judge> UnionPlayer<C, J> {
    /// Replaces the chances of those in the race by those one draw ahead, unless the budget ends before.
    pub(super) fn look_once(&mut self, candidates: &mut [Candidate], race: &[u32], look: &Look) {
        let tables: Vec<Position> = race.iter().map(|&i| candidates[i as usize].position).collect();
        let lists = race.iter().map(|&i| candidates[i as usize].plans.as_slice());
        if let Some(found) = self.ahead(&tables, lists, look) {
            settle(candidates, race, found.into_iter());
        }
    }

    /// The chances of tables one draw ahead, by their plans and by the judge; nothing when the budget ended before. The judge is spared draws after
    /// which the plans are sure to win anyway.
    fn ahead<'p>(
        &mut self,
        tables: &[Position],
        lists: impl Iterator<Item = &'p [Plan]>,
        look: &Look,
    ) -> Option<Vec<f64>> {
        let mut by_plans = std::mem::take(&mut self.by_plans);
        by_plans.clear();
        for (table, plans) in tables.iter().zip(lists) {
            if !self.pace.allows(self.work()) {
                break;
            }
            by_plans.push(self.plans.by_rank(table, plans, look));
        }
        let whole = by_plans.len() == tables.len() && self.judge_ahead(tables, &by_plans);
        let opinion = &self.options.opinion;
        let both = |(table, (plans, judged)): (&Position, (&ByRank, &ByRank))| {
            let left = table.left().saturating_sub(1);
            average(table, &std::array::from_fn(|rank| opinion.of(left, plans[rank], judged[rank])))
        };
        let found = whole.then(|| tables.iter().zip(by_plans.iter().zip(&self.judged)).map(both).collect());
        self.by_plans = by_plans;
        found
    }

    /// The judge's best chances by rank, one draw ahead of these tables, where plans are not sure; false when the budget ended before.
    fn judge_ahead(&mut self, tables: &[Position], by_plans: &[ByRank]) -> bool {
        let mut leaves = std::mem::take(&mut self.leaves);
        let sure = self.options.sure;
        leaves.grow_where(&self.rules, tables, |t, rank| by_plans[t][rank.index()] < sure);
        let plans = self.plans.counts().0;
        let whole = leaves
            .judge_parts(&mut self.judge, |judge| self.pace.allows(plans + judge.judged() * TABLE_WORK));
        if whole {
            leaves.best(tables.len(), &mut self.judged);
        }
        self.leaves = leaves;
        whole
    }

    /// Replaces the chances of those in the race by those two draws ahead, unless the budget ends before.
    pub(super) fn look_twice(&mut self, candidates: &mut [Candidate], race: &[u32], deep: &Deep) {
        let Some((inner, branches)) = self.branches(candidates, race, deep) else { return };
        let tables: Vec<Position> = inner.iter().map(|inner| inner.position).collect();
        let look = Look::new(0, 0.0, deep.leaf_plans);
        let lists = inner.iter().map(|inner| inner.plans.as_slice());
        let Some(deeper) = self.ahead(&tables, lists, &look) else { return };
        let mut sums = vec![0.0; race.len()];
        for branch in branches {
            let best = deeper[branch.inner].iter().copied().fold(0.0, f64::max);
            sums[branch.candidate] += f64::from(branch.copies) * best;
        }
        let left = candidates[race[0] as usize].position.left().max(1) as f64;
        settle(candidates, race, sums.into_iter().map(|sum| sum / left));
    }

    /// All first draws, and the best ways to finish those turns by both judges; nothing when the budget ended before.
    fn branches(
        &mut self,
        candidates: &[Candidate],
        race: &[u32],
        deep: &Deep,
    ) -> Option<(Vec<Inner>, Vec<Branch>)> {
        let keeping = Keeping { plans: deep.plans, ..self.options.plans.keeping };
        let (mut ways, mut draws) = (Vec::new(), Vec::new());
        for (c, &i) in race.iter().enumerate() {
            let Candidate { position, plans, .. } = &candidates[i as usize];
            let plans = &plans[..plans.len().min(deep.plans)];
            for rank in (0..self.rules.ranks() as u8).filter_map(Rank::new) {
                let copies = position.unseen()[rank.index()];
                if copies == 0 {
                    continue;
                }
                if !self.pace.allows(self.work()) {
                    return None;
                }
                let drawn = self.rules.play_unchecked(position, Move::Draw(rank));
                let from = ways.len();
                ways.extend(
                    (self.plans.candidates_of(&drawn, plans, keeping).into_iter())
                        .filter(|way| way.chance > 0.0),
                );
                draws.push((c, copies, from..ways.len()));
            }
        }
        self.tables.clear();
        self.tables.extend(ways.iter().map(|way| way.position));
        self.chances.clear();
        self.chances.resize(ways.len(), 0.0);
        self.judge.judge(&self.tables, &mut self.chances);
        for (i, way) in ways.iter().enumerate() {
            self.chances[i] = self.united(way, self.chances[i]);
        }
        let (mut inner, mut branches) = (Vec::new(), Vec::new());
        let mut picked = Vec::new();
        for (candidate, copies, range) in draws {
            picked.clear();
            let places: Vec<u32> = range.map(|way| way as u32).collect();
            pick(&places, &self.chances, deep.inner, &mut picked);
            let from = inner.len();
            inner.extend(picked.iter().map(|&way| {
                let way = &mut ways[way as usize];
                Inner { position: way.position, plans: std::mem::take(&mut way.plans) }
            }));
            branches.push(Branch { candidate, copies, inner: from..inner.len() });
        }
        Some((inner, branches))
    }
}

//! Looking one and two draws ahead with both judges. For every next rank the best leaf counts, and the value of a leaf is the larger of two opinions, so
//! the best leaf by plans and the best leaf by the net are found apart and the larger one is taken.

use super::{Deep, UnionPlayer, average, settle, united};
use crate::plan::Plan;
use crate::plan::extend::Keeping;
use crate::players::Player;
use crate::players::leaves::{ByRank, Judge, Leaves, pick};
use crate::players::options::Look;
use crate::players::plans::Candidate;
use crate::position::{Position, Rank};
use crate::rules::Move;
use crate::theory::Chances;
use std::ops::Range;

/// Tables judged between two looks at the budget.
const PART: usize = 192;

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
        if !self.judge_ahead(&tables) {
            return;
        }
        let mut found = Vec::with_capacity(race.len());
        for (t, &i) in race.iter().enumerate() {
            if !self.pace.allows(self.work()) {
                return;
            }
            found.push(self.ahead(t, &tables[t], &candidates[i as usize].plans, look));
        }
        settle(candidates, race, found.into_iter());
    }

    /// The chance of table number `t` of the last [`judge_ahead`](Self::judge_ahead), one draw ahead.
    fn ahead(&mut self, t: usize, table: &Position, plans: &[Plan], look: &Look) -> f64 {
        let by_plans = self.plans.by_rank(table, plans, look);
        let both: ByRank = std::array::from_fn(|rank| by_plans[rank].max(self.judged[t][rank]));
        average(table, &both)
    }

    /// The judge's best chances by rank, one draw ahead of these tables; false when the budget ended before.
    fn judge_ahead(&mut self, tables: &[Position]) -> bool {
        let mut leaves = std::mem::take(&mut self.leaves);
        leaves.grow(&self.rules, tables);
        let whole = self.judge_parts(&mut leaves);
        if whole {
            leaves.best(tables.len(), &mut self.judged);
        }
        self.leaves = leaves;
        whole
    }

    fn judge_parts(&mut self, leaves: &mut Leaves) -> bool {
        let count = leaves.tables().len();
        for from in (0..count).step_by(PART) {
            if from > 0 && !self.pace.allows(self.work()) {
                return false;
            }
            leaves.judge(from..(from + PART).min(count), &mut self.judge);
        }
        true
    }

    /// Replaces the chances of those in the race by those two draws ahead, unless the budget ends before.
    pub(super) fn look_twice(&mut self, candidates: &mut [Candidate], race: &[u32], deep: &Deep) {
        let Some((inner, branches)) = self.branches(candidates, race, deep) else { return };
        let tables: Vec<Position> = inner.iter().map(|inner| inner.position).collect();
        if !self.judge_ahead(&tables) {
            return;
        }
        let look = Look { candidates: 0, within: 0.0, plans: deep.leaf_plans, reassign: true };
        let mut deeper = Vec::with_capacity(inner.len());
        for (t, Inner { position, plans }) in inner.iter().enumerate() {
            if !self.pace.allows(self.work()) {
                return;
            }
            deeper.push(self.ahead(t, position, plans, &look));
        }
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
        for (way, chance) in ways.iter().zip(&mut self.chances) {
            *chance = united(&way.plans, way.chance, *chance);
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

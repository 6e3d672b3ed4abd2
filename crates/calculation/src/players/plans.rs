//! The plan player: every candidate carries the list of plans that survive its moves; the list says how good the candidate is
//! (docs/theory/calculation-play.md, "The plan player").

use super::leaves::ByRank;
use super::look::Looker;
use super::options::{FreeMoves, Look, PlanOptions};
use super::{Decision, Judgement, Player};
use crate::dead;
use crate::plan::Plan;
use crate::plan::extend::{Extender, Keeping, merge};
use crate::plan::logit::{Logit, Strength};
use crate::plan::regenerate::regenerate;
use crate::plan::value::Evaluator;
use crate::position::{Position, Stack};
use crate::rules::{Move, Rules};
use crate::search::endgame::Endgame;
use crate::theory::Chances;
use crate::turn::{self, Turn};

/// One way to finish a turn, with the plans that survive it.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The placement, then free moves.
    pub moves: Vec<Move>,
    /// The table after them.
    pub position: Position,
    /// Its plans, best first.
    pub plans: Vec<Plan>,
    /// Sum and largest of their values.
    pub strength: Strength,
    /// The estimated chance of winning.
    pub chance: f64,
}

/// Plays by assignment plans.
pub struct PlanPlayer<C> {
    rules: Rules,
    options: PlanOptions,
    logit: Logit,
    chances: C,
    evaluator: Evaluator,
    extender: Extender,
    looker: Looker,
    endgame: Endgame,
    /// The plans of the table before the draw, with that table.
    carried: Option<(Position, Vec<Plan>)>,
    /// Draws since the list was last rebuilt.
    since: usize,
    name: String,
}

impl<C> std::fmt::Debug for PlanPlayer<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PlanPlayer")
            .field("rules", &self.rules)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl<C: Chances> PlanPlayer<C> {
    /// A player of this game with these options, asking `chances` for the chances of pairs.
    pub fn new(rules: &Rules, options: PlanOptions, chances: C) -> PlanPlayer<C> {
        PlanPlayer {
            rules: rules.clone(),
            logit: Logit::of(rules.stacks()),
            evaluator: Evaluator::new(rules).with_tails(options.tails).with_joint(options.joint),
            options,
            chances,
            extender: Extender::default(),
            looker: Looker::default(),
            endgame: Endgame::new(rules),
            carried: None,
            since: 0,
            name: "plans".to_owned(),
        }
    }

    /// The same player under another name.
    #[must_use]
    pub fn called(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    /// The same player with another line from plan values to chances.
    #[must_use]
    pub fn with_logit(mut self, logit: Logit) -> Self {
        self.logit = logit;
        self
    }

    /// Its options.
    pub fn options(&self) -> &PlanOptions {
        &self.options
    }

    /// Where it asks for the chances of pairs.
    pub fn chances(&self) -> &C {
        &self.chances
    }

    /// Plans evaluated so far, and pair chances asked for.
    pub fn counts(&self) -> (u64, u64) {
        self.evaluator.counts()
    }

    /// The table after the last decision, with its plans.
    pub fn carried(&self) -> Option<(&Position, &[Plan])> {
        self.carried.as_ref().map(|(table, plans)| (table, plans.as_slice()))
    }

    /// The plans of a table without a drawn card, best first: those carried from the last turn, rebuilt as the options say.
    pub fn plans_of(&mut self, table: &Position) -> Vec<Plan> {
        let most = self.options.keeping.plans;
        let carried = self.carried.take().filter(|(known, _)| known == table).map(|(_, plans)| plans);
        let every = self.options.regenerate_every;
        self.since += 1;
        let mut plans = match carried {
            Some(plans) if every == 0 || self.since < every => plans,
            carried => {
                self.since = 0;
                merge(carried.unwrap_or_default(), self.rebuilt(table, most), most)
            }
        };
        if plans.is_empty() && self.options.rescue > 0 {
            plans = self.rebuilt(table, self.options.rescue);
            plans.truncate(most);
        }
        plans
    }

    fn rebuilt(&mut self, table: &Position, most: usize) -> Vec<Plan> {
        regenerate(table, most, &mut self.extender, &mut self.evaluator, &mut self.chances)
    }

    /// All candidates of a drawn card with their plans, judged without lookahead. A dead candidate has chance 0.
    pub fn candidates(&mut self, position: &Position) -> Vec<Candidate> {
        if position.drawn().is_none() {
            return Vec::new();
        }
        let plans = self.plans_of(&position.undrawn());
        self.candidates_of(position, &plans, self.options.keeping)
    }

    /// The same with the plans of the table before the draw.
    pub fn candidates_of(&mut self, position: &Position, plans: &[Plan], keeping: Keeping) -> Vec<Candidate> {
        let turn = Turn::new(&self.rules, position);
        let mut found: Vec<Candidate> = Vec::with_capacity(turn.len());
        for i in 0..turn.len() {
            let (parent, mv) = turn.step(i);
            let candidate = match (self.options.free_moves, parent) {
                (FreeMoves::Greedy, Some(_)) => continue,
                (FreeMoves::Greedy, None) => {
                    let placed = self.candidate(position, plans, mv, turn.route(i), keeping);
                    self.unloaded_greedily(placed, keeping)
                }
                (FreeMoves::All, None) => self.candidate(position, plans, mv, turn.route(i), keeping),
                (FreeMoves::All, Some(parent)) => {
                    let (before, from) = (found[parent].position, std::mem::take(&mut found[parent].plans));
                    let candidate = self.candidate(&before, &from, mv, turn.route(i), keeping);
                    found[parent].plans = from;
                    candidate
                }
            };
            found.push(candidate);
        }
        found
    }

    fn candidate(
        &mut self,
        before: &Position,
        from: &[Plan],
        mv: Move,
        moves: Vec<Move>,
        keeping: Keeping,
    ) -> Candidate {
        let position = self.rules.play_unchecked(before, mv);
        let plans = self.extender.follow(from, before, mv, keeping, &mut self.evaluator, &mut self.chances);
        let mut strength = Strength::default();
        plans.iter().for_each(|plan| strength.add(plan.value()));
        let chance = self.judge(&position, &strength);
        Candidate { moves, position, plans, strength, chance }
    }

    /// Again and again the best free move that does not lower the value. The card just stacked stays.
    fn unloaded_greedily(&mut self, placed: Candidate, keeping: Keeping) -> Candidate {
        let mut best = placed;
        let resting = match best.moves[..] {
            [Move::Put(stack)] => Some((stack, best.position.lengths()[stack.index()])),
            _ => None,
        };
        loop {
            let number = best.strength.number(self.options.rule, best.position.left());
            let free: Vec<Move> = self.rules.unloadings(&best.position).collect();
            let mut next: Option<Candidate> = None;
            for mv in free {
                let stays = |(stack, height): (Stack, u8)| {
                    matches!(mv, Move::Unload { stack: from, .. } if from == stack)
                        && best.position.lengths()[stack.index()] == height
                };
                if resting.is_some_and(stays) {
                    continue;
                }
                let moves = best.moves.iter().copied().chain([mv]).collect();
                let after = self.candidate(&best.position, &best.plans, mv, moves, keeping);
                let value = |candidate: &Candidate| {
                    candidate.strength.number(self.options.rule, candidate.position.left())
                };
                if value(&after) > 0.0
                    && value(&after) >= number
                    && next.as_ref().is_none_or(|next| value(&after) > value(next))
                {
                    next = Some(after);
                }
            }
            match next {
                Some(after) => best = after,
                None => return best,
            }
        }
    }

    /// The chance that a list's strength stands for; 0 when the table is dead.
    fn judge(&self, position: &Position, strength: &Strength) -> f64 {
        let left = position.left();
        let number = strength.number(self.options.rule, left);
        if number <= 0.0 && (self.options.no_plan_is_lost || dead::is_dead(&self.rules, position)) {
            return 0.0;
        }
        if self.options.calibrated { self.logit.chance(number, left) } else { number.min(1.0) }
    }

    /// The chance that the plans of a table give it one draw ahead, rank by rank; 0 where no plan survives the draw.
    pub fn by_rank(&mut self, position: &Position, plans: &[Plan], look: &Look) -> ByRank {
        let (evaluator, chances) = (&mut self.evaluator, &mut self.chances);
        let rule = self.options.rule;
        let mut by_rank = self.looker.numbers(&self.rules, position, plans, look, rule, evaluator, chances);
        let left = position.left().saturating_sub(1);
        for chance in by_rank.iter_mut().filter(|number| **number > 0.0) {
            *chance = self.logit.chance(*chance, left);
        }
        by_rank
    }

    /// Goes on with this table and its plans: the next draw is asked about from here.
    pub fn carry(&mut self, table: Position, plans: Vec<Plan>) {
        self.carried = Some((table, plans));
    }

    /// Judges the candidates as deeply as the options say.
    fn look_into(&mut self, candidates: &mut [Candidate]) {
        let Some(left) = candidates.first().map(|candidate| candidate.position.left()) else { return };
        if left == 0 {
            for candidate in candidates {
                candidate.chance = f64::from(turn::unload(&self.rules, &candidate.position).is_some());
            }
        } else if left <= self.options.exact_below {
            for candidate in candidates {
                candidate.chance = self.endgame.chance(&candidate.position);
            }
        } else if let Some(look) = self.options.look {
            let mut order: Vec<usize> =
                (0..candidates.len()).filter(|&i| candidates[i].chance > 0.0).collect();
            order.sort_by(|&a, &b| candidates[b].chance.total_cmp(&candidates[a].chance).then(a.cmp(&b)));
            let Some(&first) = order.first() else { return };
            if candidates[first].chance >= look.enough {
                return;
            }
            let least = candidates[first].chance - look.within;
            order.retain(|&i| candidates[i].chance >= least);
            order.truncate(look.candidates);
            if order.len() < 2 {
                return;
            }
            let mut best = 0.0_f64;
            for &i in &order {
                let candidate = &mut candidates[i];
                candidate.chance = self.looker.chance(
                    &self.rules,
                    &candidate.position,
                    &candidate.plans,
                    &look,
                    &self.options,
                    &self.logit,
                    &mut self.evaluator,
                    &mut self.chances,
                );
                best = best.max(candidate.chance);
            }
            // The others keep what they are worth without lookahead, but behind the best of those that were looked into.
            for (i, candidate) in candidates.iter_mut().enumerate() {
                if !order.contains(&i) {
                    candidate.chance = candidate.chance.min(best * BEHIND);
                }
            }
        }
    }
}

/// Candidates that were not looked into rank behind the best one that was.
const BEHIND: f64 = 0.999;

/// Values closer than this, relatively, count as equal; the earlier candidate is then chosen.
const SAME: f64 = 1e-6;

impl<C: Chances> Player for PlanPlayer<C> {
    fn name(&self) -> &str {
        &self.name
    }

    fn settings(&self) -> String {
        format!("{:?}", self.options)
    }

    fn work(&self) -> u64 {
        self.counts().0
    }

    fn begin(&mut self) {
        self.carried = None;
        self.since = 0;
        self.endgame.forget();
    }

    fn decide(&mut self, position: &Position) -> Decision {
        let mut candidates = self.candidates(position);
        self.look_into(&mut candidates);
        let mut best = 0;
        for i in 1..candidates.len() {
            if candidates[i].chance > candidates[best].chance * (1.0 + SAME) {
                best = i;
            }
        }
        self.carried =
            candidates.get_mut(best).map(|chosen| (chosen.position, std::mem::take(&mut chosen.plans)));
        let options = candidates
            .into_iter()
            .map(|Candidate { moves, chance, .. }| Judgement { moves, chance })
            .collect();
        Decision { options, best }
    }
}

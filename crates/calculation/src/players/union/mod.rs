//! The union player: two judges that know different things. The net knows tables on which cards are played early, as in its own games; a
//! plan knows one way to finish and what it is worth, and is blind to lines that rely on cards played at once. How the two become one is said in
//! [`opinion`] (docs/calculation-strength.md).

mod ahead;
pub mod opinion;
pub mod options;

pub use opinion::Opinion;
pub use options::{Deep, UnionOptions};

use super::leaves::{BEHIND, ByRank, Judge, Leaves, average, pick};
use super::net::Width;
use super::options::Look;
use super::pace::{Pace, SEARCH_WORK, TABLE_WORK};
use super::plans::{Candidate, PlanPlayer};
use super::rollout::{Roller, Rollouts};
use super::{Decision, Judgement, Player};
use crate::position::Position;
use crate::rules::Rules;
use crate::search::endgame::Endgame;
use crate::theory::Chances;
use crate::turn;

/// Plays by plans and by a judge of tables, the net in the full game.
pub struct UnionPlayer<C, J> {
    rules: Rules,
    options: UnionOptions,
    plans: PlanPlayer<C>,
    judge: J,
    endgame: Endgame,
    roller: Roller,
    pace: Pace,
    leaves: Leaves,
    /// Best chances by rank, of the judge and of the plans.
    judged: Vec<ByRank>,
    by_plans: Vec<ByRank>,
    tables: Vec<Position>,
    chances: Vec<f64>,
    /// Tables searched to the end where that was a choice.
    searched: u64,
    name: String,
}

impl<C, J> std::fmt::Debug for UnionPlayer<C, J> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UnionPlayer")
            .field("rules", &self.rules)
            .field("options", &self.options)
            .field("pace", &self.pace)
            .finish_non_exhaustive()
    }
}

impl<C: Chances, J: Judge> UnionPlayer<C, J> {
    /// A player of this game with these options: `chances` knows the chances of pairs, `judge` those of tables.
    pub fn new(rules: &Rules, options: UnionOptions, chances: C, judge: J) -> UnionPlayer<C, J> {
        UnionPlayer {
            rules: rules.clone(),
            plans: PlanPlayer::new(rules, options.plans.clone(), chances),
            options,
            judge,
            endgame: Endgame::new(rules),
            roller: Roller::new(rules),
            pace: Pace::endless(),
            leaves: Leaves::default(),
            judged: Vec::new(),
            by_plans: Vec::new(),
            tables: Vec::new(),
            chances: Vec::new(),
            searched: 0,
            name: "union".to_owned(),
        }
    }

    /// The same player under another name.
    #[must_use]
    pub fn called(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    /// The same player with a budget.
    #[must_use]
    pub fn at_pace(mut self, pace: Pace) -> Self {
        self.pace = pace;
        self
    }

    /// Its options.
    pub fn options(&self) -> &UnionOptions {
        &self.options
    }

    /// Its half that plays by plans, with the plans of the table after the last decision.
    pub fn plans(&self) -> &PlanPlayer<C> {
        &self.plans
    }

    /// Plans evaluated, pair chances asked for, and tables judged so far.
    pub fn counts(&self) -> (u64, u64, u64) {
        let (plans, pairs) = self.plans.counts();
        (plans, pairs, self.judge.judged())
    }

    /// All candidates of a drawn card, judged by plans alone where plans count.
    fn candidates(&mut self, position: &Position) -> Vec<Candidate> {
        if position.drawn().is_some() && !self.options.opinion.asks_plans(position.left()) {
            return self.plans.candidates_of(position, &[], self.options.plans.keeping);
        }
        self.plans.candidates(position)
    }

    /// Gives live candidates the chance that the judge and the plans together see.
    fn judge_candidates(&mut self, candidates: &mut [Candidate]) {
        self.tables.clear();
        self.tables.extend(candidates.iter().filter(|one| one.chance > 0.0).map(|one| one.position));
        self.chances.clear();
        self.chances.resize(self.tables.len(), 0.0);
        self.judge.judge(&self.tables, &mut self.chances);
        let alive = candidates.iter_mut().filter(|one| one.chance > 0.0);
        for (candidate, &chance) in alive.zip(&self.chances) {
            candidate.chance = self.united(candidate, chance);
        }
    }

    /// The chance of a way to finish the turn with both opinions. Without a plan only the judge has one.
    fn united(&self, way: &Candidate, by_judge: f64) -> f64 {
        let by_plans = if way.plans.is_empty() { 0.0 } else { way.chance };
        self.options.opinion.of(way.position.left(), by_plans, by_judge)
    }

    /// Judges the candidates as deeply as options and budget allow.
    fn look_into(&mut self, candidates: &mut [Candidate]) {
        let Some(left) = candidates.first().map(|candidate| candidate.position.left()) else { return };
        if left == 0 {
            for candidate in candidates {
                candidate.chance = f64::from(turn::unload(&self.rules, &candidate.position).is_some());
            }
            return;
        }
        if left <= self.options.plans.exact_below.min(ALWAYS_EXACT) {
            for candidate in candidates {
                candidate.chance = self.endgame.chance(&candidate.position);
            }
            return;
        }
        self.judge_candidates(candidates);
        if left <= self.options.plans.exact_below
            && self.is_worth(candidates)
            && self.look_to_the_end(candidates)
        {
            return;
        }
        let mut race: Vec<u32> =
            (0..candidates.len() as u32).filter(|&i| candidates[i as usize].chance > 0.0).collect();
        if let Some(look) = self.options.first {
            if is_enough(candidates, &look) {
                return;
            }
            let width = Width { candidates: look.candidates, within: look.within };
            if self.narrowed(candidates, &mut race, width) {
                self.look_once(candidates, &race, &look);
            }
        }
        if let Some(deep) = self.options.second
            && left <= deep.left
            && self.is_worth(candidates)
            && !self.options.first.is_some_and(|look| is_enough(candidates, &look))
            && self.narrowed(candidates, &mut race, deep.root)
        {
            self.look_twice(candidates, &race, &deep);
        }
        if let Some(rollouts) = self.options.rollouts {
            self.play_on(candidates, &race, &rollouts);
        }
    }

    /// Replaces the chances of those in the race by what becomes of games from there, unless the budget ends before.
    fn play_on(&mut self, candidates: &mut [Candidate], race: &[u32], rollouts: &Rollouts) {
        let left = candidates.first().map_or(0, |candidate| candidate.position.left());
        self.chances.clear();
        self.chances.extend(candidates.iter().map(|candidate| candidate.chance));
        let race = rollouts.close(left, race, &self.chances);
        if race.len() < 2 || !self.pace.allows(self.work()) {
            return;
        }
        let tables: Vec<Position> = race.iter().map(|&i| candidates[i as usize].position).collect();
        let looked: Vec<f64> = race.iter().map(|&i| candidates[i as usize].chance).collect();
        let (before, pace) = (self.work() - self.judge.judged() * TABLE_WORK, &self.pace);
        let may = |judge: &J| pace.allows(before + judge.judged() * TABLE_WORK);
        if let Some(found) = self.roller.chances(rollouts, &tables, &looked, &mut self.judge, may) {
            settle(candidates, &race, found.into_iter());
        }
    }

    /// Is there a candidate with a chance that is worth much work?
    fn is_worth(&self, candidates: &[Candidate]) -> bool {
        candidates.iter().any(|candidate| candidate.chance >= self.options.faint)
    }

    /// Searches everything to the end, the most promising candidates first: of the others it is enough to know that they are not better. False, and nothing
    /// changed, when that would take too long.
    fn look_to_the_end(&mut self, candidates: &mut [Candidate]) -> bool {
        let mut order: Vec<usize> = (0..candidates.len()).filter(|&i| candidates[i].chance > 0.0).collect();
        order.sort_by(|&a, &b| candidates[b].chance.total_cmp(&candidates[a].chance));
        let (work, pace, mut searched, mut best) = (self.work(), &self.pace, 0, -1.0_f64);
        let mut found = Vec::with_capacity(order.len());
        for &i in &order {
            let mut now = searched;
            let mut go_on = |tables: u64| {
                now = searched + tables;
                now < MOST_SEARCHED && pace.allows(work + now * SEARCH_WORK)
            };
            let chance = self.endgame.chance_above(&candidates[i].position, best, &mut go_on);
            searched = now;
            let Some(chance) = chance else { break };
            found.push(if chance > best { chance } else { chance.min(best * BEHIND) });
            best = best.max(chance);
        }
        self.searched += searched;
        let whole = found.len() == order.len();
        if whole {
            for (i, chance) in order.into_iter().zip(found) {
                candidates[i].chance = chance;
            }
        }
        whole
    }

    /// Leaves the closest candidates in the race. Is there a choice, and time for it?
    fn narrowed(&mut self, candidates: &[Candidate], race: &mut Vec<u32>, width: Width) -> bool {
        self.chances.clear();
        self.chances.extend(candidates.iter().map(|candidate| candidate.chance));
        let mut close = Vec::with_capacity(race.len());
        pick(race, &self.chances, width, &mut close);
        *race = close;
        race.len() > 1 && self.pace.allows(self.work())
    }
}

/// With so few cards unseen everything is searched, promising or not: it costs less than a look.
const ALWAYS_EXACT: usize = 4;

/// Tables that may be searched for one decision beyond that, some seconds.
const MOST_SEARCHED: u64 = 200_000;

/// Has the best candidate a chance that needs no further look?
fn is_enough(candidates: &[Candidate], look: &Look) -> bool {
    candidates.iter().any(|candidate| candidate.chance >= look.enough)
}

/// Gives those in the race what a look found, and puts the others behind the best of them.
fn settle(candidates: &mut [Candidate], race: &[u32], found: impl Iterator<Item = f64>) {
    let mut best = 0.0_f64;
    for (&i, chance) in race.iter().zip(found) {
        candidates[i as usize].chance = chance;
        best = best.max(chance);
    }
    for (i, candidate) in candidates.iter_mut().enumerate() {
        if !race.contains(&(i as u32)) {
            candidate.chance = candidate.chance.min(best * BEHIND);
        }
    }
}

/// Values closer than this, relatively, count as equal; the earlier candidate is then chosen.
const SAME: f64 = 1e-6;

impl<C: Chances, J: Judge> Player for UnionPlayer<C, J> {
    fn name(&self) -> &str {
        &self.name
    }

    fn settings(&self) -> String {
        format!("{:?}, {:?}, {}", self.options, self.pace, self.judge.name())
    }

    fn work(&self) -> u64 {
        let (plans, _, tables) = self.counts();
        plans + tables * TABLE_WORK + self.searched * SEARCH_WORK
    }

    fn begin(&mut self) {
        self.plans.begin();
        self.endgame.forget();
        self.roller.forget();
        self.pace.begin_game(self.work());
    }

    fn decide(&mut self, position: &Position) -> Decision {
        self.pace.begin_move(self.work(), position.left());
        let mut candidates = self.candidates(position);
        self.look_into(&mut candidates);
        let mut best = 0;
        for i in 1..candidates.len() {
            if candidates[i].chance > candidates[best].chance * (1.0 + SAME) {
                best = i;
            }
        }
        // Where plans have not been asked for, the first list is made from scratch.
        if let Some(chosen) = candidates.get_mut(best)
            && self.options.opinion.asks_plans(chosen.position.left())
        {
            self.plans.carry(chosen.position, std::mem::take(&mut chosen.plans));
        }
        let options = candidates
            .into_iter()
            .map(|Candidate { moves, chance, .. }| Judgement { moves, chance })
            .collect();
        Decision { options, best }
    }
}

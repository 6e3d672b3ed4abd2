//! Playing on: from each of a few candidates some hundred games are begun with the unseen cards in random order, the judge alone decides every turn, and after some
//! draws says how good the table is that was reached. A look of one draw averages over what the judge is wrong about; this shows what becomes of it.
//!
//! Games are dealt in *rounds*: a round has as many games as there are unseen cards, and each of them begins with another one, so that the next draw is no matter of luck.
//! All candidates get the same deals. One that has clearly fallen behind gets no more of them, and a game that has become hopeless is not played on.

use super::leaves::{BEHIND, Judge, judge_parts};
use crate::dead;
use crate::position::{Key, Position, Rank};
use crate::rules::{Move, Rules};
use crate::search::endgame::Endgame;
use crate::turn::Turn;
use kachi_core::random::Dealer;
use rustc_hash::FxHashMap;
use std::fmt;

/// Which decisions are played on, and how far.
#[derive(Clone, Copy, PartialEq)]
pub struct Rollouts {
    /// Only with at most this many cards unseen.
    pub left: usize,
    /// Only where the best candidate has at least this chance.
    pub least: f64,
    /// Only so many of the best candidates.
    pub candidates: usize,
    /// Only candidates with at least this share of the chance of the best.
    pub near: f64,
    /// Games begun from each, rounded up to whole rounds.
    pub games: usize,
    /// Draws after which the judge speaks.
    pub draws: usize,
    /// What the games count against what was known before, from 0 to 1.
    pub weight: f64,
    /// A decision with a candidate of this chance is not played on, and a game that has come to it ends there.
    pub sure: f64,
}

/// Runs are told apart by what this writes, so an option that came later is written only where it is used.
impl fmt::Debug for Rollouts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut written = f.debug_struct("Rollouts");
        written
            .field("left", &self.left)
            .field("least", &self.least)
            .field("candidates", &self.candidates)
            .field("near", &self.near)
            .field("games", &self.games)
            .field("draws", &self.draws)
            .field("weight", &self.weight);
        if self.sure <= 1.0 {
            written.field("sure", &self.sure);
        }
        written.finish()
    }
}

impl Rollouts {
    /// Of the union, with two stacks: hardly anything is sure there, and most games are hopeless soon.
    pub const OF_UNION: Rollouts = Rollouts {
        left: 32,
        least: 0.01,
        candidates: 3,
        near: 0.6,
        games: 256,
        draws: 14,
        weight: 0.7,
        sure: f64::INFINITY,
    };

    /// Of the net alone, with two stacks: shorter games tell it as much.
    pub const OF_NET: Rollouts = Rollouts { draws: 8, ..Rollouts::OF_UNION };

    /// The same for a game with this many stacks. With three hardly a game is given up early, so fewer are begun, and later.
    #[must_use]
    pub fn for_stacks(self, stacks: usize) -> Rollouts {
        if stacks == 2 { self } else { Rollouts { left: 24, games: 32, sure: 0.98, ..self } }
    }

    /// Those of the race that are played on, best first, given their chances; nobody where it is not worth it.
    pub(super) fn close(&self, left: usize, race: &[u32], chances: &[f64]) -> Vec<u32> {
        let chance = |&i: &u32| chances[i as usize];
        let mut close = race.to_vec();
        close.sort_by(|a, b| chance(b).total_cmp(&chance(a)));
        close.truncate(self.candidates);
        let best = close.first().map_or(0.0, chance);
        let is_worth = left <= self.left && left > EXACT && best >= self.least && best < self.sure;
        close.retain(|i| is_worth && chance(i) >= best * self.near);
        close
    }
}

/// Games that fall below this share of the best candidate's chance end there, with the chance they have.
const HOPELESS: f64 = 0.15;

/// Steps spent on finding out that a table is dead, fewer than usual: nearly all that are found at all are found by then.
const STEPS: u32 = 100;

/// Tables with so few unseen cards are searched to the end.
const EXACT: usize = 2;

/// A candidate leaves the race when it is behind by so many standard errors...
const CLEARLY: f64 = 2.0;

/// ...after at least so many rounds.
const LEAST_ROUNDS: usize = 4;

/// Games of one candidate that go on side by side, so that the judge is given many tables at once.
const SIDE_BY_SIDE: usize = 64;

/// Plays on; keeps the memory for it.
#[derive(Debug)]
pub struct Roller {
    rules: Rules,
    endgame: Endgame,
    turn: Option<Turn>,
    /// The drawn cards of every game, one game after another.
    orders: Vec<Rank>,
    games: Vec<Game>,
    /// The tables at which games stand.
    tables: Vec<Position>,
    /// Those one draw further, and their chances.
    next: Vec<Position>,
    chances: Vec<f64>,
    known: FxHashMap<Key, u32>,
    /// By table and drawn rank the turn that begins so.
    turns: FxHashMap<(u32, Rank), u32>,
    /// The ways to finish each turn, one turn after another, and where each ends.
    ways: Vec<u32>,
    ends: Vec<usize>,
    /// The best way to finish each turn: the table and its chance.
    best: Vec<(u32, f64)>,
}

/// A game that goes on.
#[derive(Debug, Clone, Copy)]
struct Game {
    candidate: usize,
    order: usize,
    table: u32,
}

/// How a candidate fares.
#[derive(Debug)]
struct Standing {
    looked: f64,
    /// The mean chance of every round's games.
    rounds: Vec<f64>,
    racing: bool,
}

impl Standing {
    fn value(&self, weight: f64) -> f64 {
        let mean = self.rounds.iter().sum::<f64>() / self.rounds.len().max(1) as f64;
        (1.0 - weight) * self.looked + weight * mean
    }
}

impl Roller {
    /// Plays on in this game.
    pub fn new(rules: &Rules) -> Roller {
        Roller {
            rules: rules.clone(),
            endgame: Endgame::new(rules),
            turn: None,
            orders: Vec::new(),
            games: Vec::new(),
            tables: Vec::new(),
            next: Vec::new(),
            chances: Vec::new(),
            known: FxHashMap::default(),
            turns: FxHashMap::default(),
            ways: Vec::new(),
            ends: Vec::new(),
            best: Vec::new(),
        }
    }

    /// Forgets the last game.
    pub fn forget(&mut self) {
        self.endgame.forget();
    }

    /// The chances of tables that differ in how one turn was finished; `looked` is what is known about them. The cards are shuffled by a generator that begins
    /// with the first table, so the same question has the same answer. Nothing when no card is unseen, or when the judge `may` not go on before the first rounds have ended.
    pub fn chances<J: Judge>(
        &mut self,
        options: &Rollouts,
        tables: &[Position],
        looked: &[f64],
        judge: &mut J,
        may: impl Fn(&J) -> bool,
    ) -> Option<Vec<f64>> {
        let first = tables.first().filter(|table| table.left() > 0)?;
        let left = first.left();
        let mut dealer = Dealer::new(first.key(&self.rules).digest());
        let mut standings: Vec<Standing> =
            looked.iter().map(|&looked| Standing { looked, rounds: Vec::new(), racing: true }).collect();
        let hopeless = HOPELESS * looked.iter().copied().fold(0.0, f64::max);
        let side_by_side = SIDE_BY_SIDE.div_ceil(left);
        let mut to_play = options.games.div_ceil(left);
        while to_play > 0 && standings.iter().filter(|standing| standing.racing).count() > 1 {
            let rounds = side_by_side.min(to_play);
            self.deal(first, rounds, options.draws.min(left), &mut dealer);
            if !self.play(tables, &mut standings, rounds, (hopeless, options.sure), judge, &may) {
                break;
            }
            to_play -= rounds;
            drop_out(&mut standings, options.weight);
        }
        let begun = standings.iter().any(|standing| !standing.rounds.is_empty());
        begun.then(|| final_values(&standings, options.weight))
    }

    /// The first cards of every game of so many rounds.
    fn deal(&mut self, table: &Position, rounds: usize, draws: usize, dealer: &mut Dealer) {
        let ranks = (0..self.rules.ranks() as u8).filter_map(Rank::new);
        let unseen: Vec<Rank> = ranks
            .flat_map(|rank| std::iter::repeat_n(rank, usize::from(table.unseen()[rank.index()])))
            .collect();
        self.orders.clear();
        for _ in 0..rounds {
            for first in 0..unseen.len() {
                let mut cards = unseen.clone();
                cards.swap(0, first);
                for place in 1..draws {
                    let from = place + dealer.below((cards.len() - place) as u64) as usize;
                    cards.swap(place, from);
                }
                self.orders.extend_from_slice(&cards[..draws]);
            }
        }
    }

    /// Plays the games that were dealt, from every candidate in the race, until they are outside of the `doubtful` chances, and adds the means of the rounds to the
    /// standings; false, and nothing added, when it had to stop.
    fn play<J: Judge>(
        &mut self,
        tables: &[Position],
        standings: &mut [Standing],
        rounds: usize,
        doubtful: (f64, f64),
        judge: &mut J,
        may: &impl Fn(&J) -> bool,
    ) -> bool {
        let left = tables.first().map_or(1, Position::left);
        let draws = self.orders.len() / (rounds * left);
        let mut sums = vec![0.0; standings.len() * rounds];
        self.tables.clear();
        self.tables.extend_from_slice(tables);
        self.games.clear();
        for candidate in (0..standings.len()).filter(|&candidate| standings[candidate].racing) {
            let game = |order| Game { candidate, order, table: candidate as u32 };
            self.games.extend((0..rounds * left).map(game));
        }
        for draw in 0..draws {
            if self.games.is_empty() {
                break;
            }
            let exact = left - draw - 1 <= EXACT;
            self.grow(draw, draws);
            if exact {
                let judged = self.next.iter().map(|table| self.endgame.chance(table));
                self.chances.clear();
                self.chances.extend(judged);
            } else if !self.judge(judge, may) {
                return false;
            }
            self.choose();
            let over = exact || draw + 1 == draws;
            let (best, orders, turns) = (&self.best, &self.orders, &self.turns);
            self.games.retain_mut(|game| {
                let (table, chance) = best[turns[&(game.table, orders[game.order * draws + draw])] as usize];
                game.table = table;
                let ends = over || chance <= doubtful.0 || chance >= doubtful.1;
                if ends {
                    sums[game.candidate * rounds + game.order / left] += chance;
                }
                !ends
            });
            std::mem::swap(&mut self.tables, &mut self.next);
        }
        for (standing, sums) in standings.iter_mut().zip(sums.chunks(rounds)) {
            if standing.racing {
                standing.rounds.extend(sums.iter().map(|sum| sum / left as f64));
            }
        }
        true
    }

    /// All turns that games are about to begin, each once, and all ways to finish them that are not dead.
    fn grow(&mut self, draw: usize, draws: usize) {
        let rules = &self.rules;
        self.turns.clear();
        self.ways.clear();
        self.ends.clear();
        self.next.clear();
        self.known.clear();
        for game in &self.games {
            let rank = self.orders[game.order * draws + draw];
            let number = self.turns.len() as u32;
            if *self.turns.entry((game.table, rank)).or_insert(number) != number {
                continue;
            }
            let drawn = rules.play_unchecked(&self.tables[game.table as usize], Move::Draw(rank));
            let turn = self.turn.get_or_insert_with(|| Turn::new(rules, &drawn));
            turn.refill(rules, &drawn);
            for i in 0..turn.len() {
                let table = turn.position(rules, &drawn, i);
                let place = *self.known.entry(table.key(rules)).or_insert_with(|| {
                    if dead::judge(rules, &table, STEPS) == dead::Verdict::Dead {
                        return DEAD;
                    }
                    self.next.push(table);
                    (self.next.len() - 1) as u32
                });
                if place != DEAD {
                    self.ways.push(place);
                }
            }
            self.ends.push(self.ways.len());
        }
    }

    /// Lets the judge say the chances of the tables one draw further.
    fn judge<J: Judge>(&mut self, judge: &mut J, may: &impl Fn(&J) -> bool) -> bool {
        self.chances.clear();
        self.chances.resize(self.next.len(), 0.0);
        judge_parts(&self.next, &mut self.chances, judge, may)
    }

    /// The best way to finish every turn; the first of equals, and no chance where all are dead.
    fn choose(&mut self) {
        self.best.clear();
        let mut from = 0;
        for &end in &self.ends {
            let mut best = (0, 0.0);
            for &way in &self.ways[from..end] {
                let chance = self.chances[way as usize];
                if chance > best.1 {
                    best = (way, chance);
                }
            }
            self.best.push(best);
            from = end;
        }
    }
}

/// In place of a table's number.
const DEAD: u32 = u32::MAX;

/// Candidates that are clearly behind leave the race.
fn drop_out(standings: &mut [Standing], weight: f64) {
    let racing = |standing: &&Standing| standing.racing;
    let value = |standing: &&Standing| standing.value(weight);
    let Some(leader) = standings.iter().filter(racing).max_by(|a, b| value(a).total_cmp(&value(b))) else {
        return;
    };
    let (best, rounds) = (leader.value(weight), leader.rounds.clone());
    if rounds.len() < LEAST_ROUNDS {
        return;
    }
    for standing in standings.iter_mut().filter(|standing| standing.racing) {
        let behind = best - standing.value(weight);
        standing.racing = behind <= CLEARLY * weight * error_of_difference(&rounds, &standing.rounds);
    }
}

/// What every candidate is worth; one that has left the race is behind those that have not, whatever their later games were like.
fn final_values(standings: &[Standing], weight: f64) -> Vec<f64> {
    let racing = standings.iter().filter(|standing| standing.racing);
    let best = racing.map(|standing| standing.value(weight)).fold(0.0, f64::max);
    let value = |standing: &Standing| match standing.value(weight) {
        value if standing.racing => value,
        value => value.min(best * BEHIND),
    };
    standings.iter().map(value).collect()
}

/// The standard error of the mean difference of two candidates, from their rounds on common deals.
fn error_of_difference(one: &[f64], other: &[f64]) -> f64 {
    let count = one.len().min(other.len()) as f64;
    let differences = || one.iter().zip(other).map(|(a, b)| a - b);
    let mean = differences().sum::<f64>() / count;
    let squares: f64 = differences().map(|difference| (difference - mean).powi(2)).sum();
    (squares / (count - 1.0).max(1.0) / count).sqrt()
}

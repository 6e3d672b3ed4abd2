//! One draw ahead of many tables at once: all next ranks, all ways to finish those turns, every table that is reached kept once and judged in one
//! batch. The memory is kept from call to call.

use super::net::Width;
use crate::dead;
use crate::position::{Key, MOST_RANKS, Position, Rank};
use crate::rules::{Move, Rules};
use crate::turn::Turn;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Says how likely tables without a drawn card are won.
pub trait Judge {
    /// Chances of tables that all have as many unseen cards; as many are judged as both slices hold. Dead tables need not be recognised.
    fn judge(&mut self, tables: &[Position], chances: &mut [f64]);

    /// What it is called in records.
    fn name(&self) -> String;

    /// Tables judged so far.
    fn judged(&self) -> u64;
}

/// For every rank that may come next, the best chance after it; 0 for ranks that are not left.
pub type ByRank = [f64; MOST_RANKS];

/// The chance of a table from its chances by rank.
pub fn average(table: &Position, by_rank: &ByRank) -> f64 {
    let sum: f64 =
        table.unseen().iter().zip(by_rank).map(|(&copies, chance)| f64::from(copies) * chance).sum();
    sum / table.left().max(1) as f64
}

/// The tables one draw ahead.
#[derive(Debug, Default)]
pub struct Leaves {
    nodes: Vec<Node>,
    /// The leaves of every node, one node after another.
    places: Vec<u32>,
    tables: Vec<Position>,
    chances: Vec<f64>,
    known: FxHashMap<Key, u32>,
    turn: Option<Turn>,
}

/// Tables judged between two looks at the budget.
const PART: usize = 192;

/// Candidates that were not looked into rank behind the best one that was.
pub(super) const BEHIND: f64 = 0.999;

/// In place of a table's number.
const DEAD: u32 = u32::MAX;

/// A draw that may come.
#[derive(Debug)]
struct Node {
    table: usize,
    rank: Rank,
    places: Range<usize>,
}

impl Leaves {
    /// All next draws of the tables and all ways to finish those turns that are not dead.
    pub fn grow(&mut self, rules: &Rules, tables: &[Position]) {
        self.grow_where(rules, tables, |_, _| true);
    }

    /// The same for those draws only that are `wanted`, by the number of the table and the rank.
    pub fn grow_where(&mut self, rules: &Rules, tables: &[Position], wanted: impl Fn(usize, Rank) -> bool) {
        self.nodes.clear();
        self.places.clear();
        self.tables.clear();
        self.known.clear();
        for (t, table) in tables.iter().enumerate() {
            for rank in (0..rules.ranks() as u8).filter_map(Rank::new) {
                if table.unseen()[rank.index()] == 0 || !wanted(t, rank) {
                    continue;
                }
                let drawn = rules.play_unchecked(table, Move::Draw(rank));
                let turn = self.turn.get_or_insert_with(|| Turn::new(rules, &drawn));
                turn.refill(rules, &drawn);
                let from = self.places.len();
                for i in 0..turn.len() {
                    let leaf = turn.position(rules, &drawn, i);
                    let place = *self.known.entry(leaf.key(rules)).or_insert_with(|| {
                        let leaf = leaf.canonical(rules);
                        // The test takes a small part of the time of any judge.
                        if dead::is_dead(rules, &leaf) {
                            return DEAD;
                        }
                        self.tables.push(leaf);
                        (self.tables.len() - 1) as u32
                    });
                    if place != DEAD {
                        self.places.push(place);
                    }
                }
                self.nodes.push(Node { table: t, rank, places: from..self.places.len() });
            }
        }
        self.chances.clear();
        self.chances.resize(self.tables.len(), 0.0);
    }

    /// The live tables that were reached, each once.
    pub fn tables(&self) -> &[Position] {
        &self.tables
    }

    /// Lets the judge say every table's chance, part by part, as long as it `may` go on; false when it had to stop before the end.
    pub fn judge_parts<J: Judge>(&mut self, judge: &mut J, may: impl Fn(&J) -> bool) -> bool {
        judge_parts(&self.tables, &mut self.chances, judge, &may)
    }

    /// Gives every table a chance.
    pub fn judge_by(&mut self, mut chance: impl FnMut(&Position) -> f64) {
        self.tables.iter().zip(&mut self.chances).for_each(|(table, known)| *known = chance(table));
    }

    /// For each of `count` tables and each next rank the best chance of a leaf; 0 where all are dead.
    pub fn best(&self, count: usize, best: &mut Vec<ByRank>) {
        best.clear();
        best.resize(count, [0.0; MOST_RANKS]);
        for node in &self.nodes {
            let chances = self.places[node.places.clone()].iter().map(|&leaf| self.chances[leaf as usize]);
            best[node.table][node.rank.index()] = chances.fold(0.0, f64::max);
        }
    }

    /// The leaves that are close to the best of their draw, each once, in growing order.
    pub fn close(&self, width: Width) -> Vec<u32> {
        let mut picked = Vec::new();
        for node in &self.nodes {
            pick(&self.places[node.places.clone()], &self.chances, width, &mut picked);
        }
        picked.sort_unstable();
        picked.dedup();
        picked
    }

    /// Replaces the chances: `better` for the leaves `chosen`, nothing for all others.
    pub fn replace(&mut self, chosen: &[u32], better: &[f64]) {
        self.chances.fill(0.0);
        chosen.iter().zip(better).for_each(|(&leaf, &chance)| self.chances[leaf as usize] = chance);
    }
}

/// Lets the judge say the tables' chances, part by part, as long as it `may` go on; false when it had to stop before the end.
pub(super) fn judge_parts<J: Judge>(
    tables: &[Position],
    chances: &mut [f64],
    judge: &mut J,
    may: &impl Fn(&J) -> bool,
) -> bool {
    for (tables, chances) in tables.chunks(PART).zip(chances.chunks_mut(PART)) {
        if !may(judge) {
            return false;
        }
        judge.judge(tables, chances);
    }
    true
}

/// Adds the best of `places` to `picked`, best first: at most as many as the width allows, and none that is too far from the best.
pub(super) fn pick(places: &[u32], chances: &[f64], width: Width, picked: &mut Vec<u32>) {
    let from = picked.len();
    let mut limit = 0.0;
    while picked.len() - from < width.candidates {
        let mut best = None;
        for &place in places {
            let chance = chances[place as usize];
            let ahead = best.is_none_or(|(_, other)| chance > other);
            if chance >= limit && ahead && !picked[from..].contains(&place) {
                best = Some((place, chance));
            }
        }
        let Some((place, chance)) = best else { return };
        if picked.len() == from {
            limit = (chance - width.within).max(0.0);
        }
        picked.push(place);
    }
}

//! One right of one player on a rooted forest (the section on jokers and trees of the theory page; claim `grove-one-right`). H holds the right, O none; values are in H's
//! sign unless the keeper's sign is named.
//!
//! A joker below a root leaves a piece open at two places: the *interval* from the root down to the vertex above the
//! joker, with all side trees. Values of intervals come from a table over (ancestor, vertex); what the keeper can hold
//! in them from a second table, which may be too small when locks are hidden both inside and outside the interval; then
//! the one position is searched. Around this *now* test runs a search for waiting, with two proved cuts (P1, P2) and four checked
//! ones (W1 to W4).

mod tables;

use super::arena::Arena;
use super::integers::Integers;
use crate::position::{Colour, Graph, GraphSetup, Player};
use crate::theory::race::{NO_LOCK, Race, simplest};
use crate::theory::rooted::{Forest, NONE, Weights};
use kachi_core::{Budget, Error};
use rustc_hash::FxHashMap;

/// Less than any value.
const LOW: i32 = i32::MIN / 4;
/// More than any price.
const FAR: i32 = i32::MAX / 4;
/// The longest plays are as many calls deep.
const MOST_VERTICES: usize = 1000;

/// A rooted forest with everything that does not change during play.
#[derive(Debug)]
pub struct Grove {
    holder: Player,
    parent: Vec<u32>,
    owner: Vec<Player>,
    size: Vec<u32>,
    depth: Vec<u32>,
    /// Weights for the holder and for the opponent as keeper; `weights[0]` also gives the values in H's sign.
    weights: [Weights; 2],
    /// Cards of H and O in the tree of each vertex.
    cards: [Vec<u32>; 2],
    /// Locks in the tree of each vertex, by keeper.
    locks: [Vec<u32>; 2],
    /// Is a lock hidden in the tree of each vertex, by keeper?
    hidden: [Vec<bool>; 2],
    /// Where the table entries of a vertex begin; entry i belongs to its i-th ancestor.
    entry: Vec<u32>,
    values: Vec<i32>,
    holds: [Vec<i32>; 2],
    /// Price of the siblings of each vertex, by keeper.
    beside: [Vec<i32>; 2],
    gain: Vec<i32>,
    best_gain: Vec<i32>,
    class: Vec<u32>,
    known: FxHashMap<Vec<u32>, bool>,
    scratch: Scratch,
    /// Positions with the holder to move.
    pub nodes: u64,
    /// Positions in which the tables were not enough.
    pub fallbacks: u64,
}

#[derive(Debug, Default)]
struct Scratch {
    handed: Vec<u32>,
    lock: Vec<i32>,
    cost: Vec<i32>,
    above: Vec<u32>,
    due: Vec<i32>,
    order: Vec<u32>,
}

/// The simplest integer between the options of the two sides; `true` marks the side that likes large values.
fn between(options: [(bool, Option<i32>); 2]) -> i32 {
    let of = |side: bool| options.into_iter().filter(move |o| o.0 == side).filter_map(|o| o.1.map(i64::from));
    simplest(of(true).max(), of(false).min()) as i32
}

/// The holder's and the opponent's place in arrays by keeper.
const HOLDER: usize = 0;
const OTHER: usize = 1;

impl Grove {
    /// Fills the tables for a forest in preorder.
    ///
    /// # Errors
    /// `out_of_budget` when the forest is too large or too deep for the tables.
    pub fn new(forest: &Forest, holder: Player, budget: &mut Budget<'_>) -> Result<Grove, Error> {
        let n = forest.len();
        let mut depth = vec![0u32; n];
        let mut entry = vec![0u32; n + 1];
        let mut entries = 0u64;
        for v in 0..n {
            let parent = forest.parent[v];
            depth[v] = if parent == NONE { 0 } else { depth[parent as usize] + 1 };
            entries += u64::from(depth[v]) + 1;
            entry[v + 1] = entries.min(u64::from(u32::MAX)) as u32;
        }
        if n > MOST_VERTICES || entries * 12 > budget.limits().bytes {
            let message = format!("{n} vertices are too many for the tables of the joker rule on trees");
            return Err(Error::new("out_of_budget", message));
        }
        budget.spend(entries / 16 + 1)?;
        let mut size = vec![1u32; n];
        for v in (0..n).rev() {
            if forest.parent[v] != NONE {
                size[forest.parent[v] as usize] += size[v];
            }
        }
        let mut grove = Grove {
            holder,
            parent: forest.parent.clone(),
            owner: forest.owner.clone(),
            size,
            depth,
            weights: [Weights::new(forest, holder), Weights::new(forest, holder.other())],
            cards: [vec![0; n], vec![0; n]],
            locks: [vec![0; n], vec![0; n]],
            hidden: [vec![false; n], vec![false; n]],
            values: vec![0; entries as usize],
            holds: [vec![LOW; entries as usize], vec![LOW; entries as usize]],
            entry,
            beside: [vec![FAR; n], vec![FAR; n]],
            gain: vec![LOW; n],
            best_gain: vec![LOW; n],
            class: vec![0; n],
            known: FxHashMap::default(),
            scratch: Scratch::default(),
            nodes: 0,
            fallbacks: 0,
        };
        grove.count();
        grove.classify();
        grove.fill_values();
        for keeper in [HOLDER, OTHER] {
            for v in 0..n as u32 {
                let siblings: Vec<u32> = grove.siblings(v).collect();
                grove.beside[keeper][v as usize] = grove.price(keeper, &siblings);
            }
            grove.fill_holds(keeper);
        }
        Ok(grove)
    }

    fn is_holders(&self, v: u32) -> bool {
        self.owner[v as usize] == self.holder
    }

    fn a(&self, v: u32) -> i32 {
        self.weights[HOLDER].a[v as usize]
    }

    fn s(&self, v: u32) -> i32 {
        self.weights[HOLDER].s[v as usize]
    }

    fn children(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        let end = v + self.size[v as usize];
        let mut next = v + 1;
        std::iter::from_fn(move || {
            let child = next;
            (child < end).then(|| {
                next += self.size[child as usize];
                child
            })
        })
    }

    fn tree(&self, v: u32) -> std::ops::Range<u32> {
        v..v + self.size[v as usize]
    }

    /// The other children of the parent; a root has none.
    fn siblings(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        let parent = self.parent[v as usize];
        let all = (parent != NONE).then(|| self.children(parent));
        all.into_iter().flatten().filter(move |&child| child != v)
    }

    fn at(&self, ancestor_depth: u32, v: u32) -> usize {
        (self.entry[v as usize] + ancestor_depth) as usize
    }

    /// Value of the siblings of a vertex.
    fn b(&self, v: u32) -> i32 {
        self.s(self.parent[v as usize]) - self.a(v)
    }

    /// The ancestors of a vertex from its root down to its parent.
    fn ancestors(&self, v: u32) -> Vec<u32> {
        let mut line = Vec::with_capacity(self.depth[v as usize] as usize);
        let mut up = self.parent[v as usize];
        while up != NONE {
            line.push(up);
            up = self.parent[up as usize];
        }
        line.reverse();
        line
    }

    /// The price of keeping the other locked in by these trees alone; [`FAR`] if he is free there.
    fn price(&mut self, keeper: usize, roots: &[u32]) -> i32 {
        let mut work = std::mem::take(&mut self.scratch);
        work.handed.resize(self.parent.len(), NONE);
        for list in [&mut work.lock, &mut work.cost, &mut work.due] {
            list.clear();
        }
        work.above.clear();
        const EXPOSED: u32 = NONE - 1;
        let weights = &self.weights[keeper];
        let mut exposed = FAR;
        for &root in roots {
            for v in self.tree(root) {
                let at = v as usize;
                let place = if v == root { EXPOSED } else { work.handed[self.parent[at] as usize] };
                work.handed[at] = NONE;
                if place == NONE {
                    continue;
                }
                let own = self.is_holders(v) == (keeper == HOLDER);
                if own && weights.prisoner[at] {
                    let lock = weights.a[at];
                    if place == EXPOSED {
                        exposed = exposed.min(lock);
                    } else {
                        work.lock[place as usize] = work.lock[place as usize].min(lock);
                    }
                    if lock > 0 {
                        work.handed[at] = place;
                    }
                } else if !own && weights.lock[at] {
                    work.handed[at] = work.lock.len() as u32;
                    work.lock.push(FAR);
                    work.cost.push((weights.s[at] - 1).max(0));
                    work.above.push(if place == EXPOSED { NONE } else { place });
                }
            }
        }
        work.due.extend_from_slice(&work.lock);
        for job in (0..work.lock.len()).rev() {
            let above = work.above[job];
            if above != NONE {
                work.due[above as usize] = work.due[above as usize].min(work.due[job] - work.cost[job]);
            }
        }
        work.order.clear();
        work.order.extend(0..work.lock.len() as u32);
        work.order.sort_by_key(|&job| work.due[job as usize]);
        let (mut time, mut slack) = (0, FAR);
        for &job in &work.order {
            time += work.cost[job as usize];
            slack = slack.min(work.lock[job as usize] - time);
        }
        let hidden = if work.lock.is_empty() { FAR } else { slack.max(0) };
        self.scratch = work;
        exposed.min(hidden)
    }

    /// The starting roots as a state: the sorted representatives of all trees on the table.
    #[must_use]
    pub fn start(&self) -> Vec<u32> {
        let roots = (0..self.parent.len()).filter(|&v| self.parent[v] == NONE);
        let mut state: Vec<u32> = roots.map(|v| self.class[v]).collect();
        state.sort_unstable();
        state
    }

    /// The state after a tree's root has been played.
    fn played(&self, state: &[u32], index: usize) -> Vec<u32> {
        let mut next = state.to_vec();
        let root = next.remove(index);
        next.extend(self.children(root).map(|child| self.class[child as usize]));
        next.sort_unstable();
        next
    }

    fn cards_in(&self, state: &[u32], side: usize) -> i64 {
        state.iter().map(|&root| i64::from(self.cards[side][root as usize])).sum()
    }

    fn value(&self, state: &[u32]) -> i32 {
        state.iter().map(|&root| self.a(root)).sum()
    }

    /// The distinct trees of a state, as indices.
    fn distinct(state: &[u32]) -> impl Iterator<Item = usize> + '_ {
        (0..state.len()).filter(|&i| i == 0 || state[i] != state[i - 1])
    }

    /// Does the holder win with no right, to move?
    fn wins_without(&mut self, state: &[u32], h: i64, o: i64) -> bool {
        let race = Race::new([h as u64, o as u64], Player::First);
        let keeper = if race.keeper == Player::First { HOLDER } else { OTHER };
        let price = self.price(keeper, state);
        let price = if price >= FAR { NO_LOCK } else { i64::from(price) };
        race.decide(i64::from(self.value(state)), price) == Player::First
    }

    /// Does the holder win by using the right now, or without it?
    fn wins_now(&mut self, state: &[u32], h: i64, o: i64, budget: &mut Budget<'_>) -> Result<bool, Error> {
        if self.wins_without(state, h, o) {
            return Ok(true);
        }
        if o == 1 {
            return Ok(false);
        }
        let keeper = if o - h >= 1 { OTHER } else { HOLDER };
        for index in Grove::distinct(state) {
            for v in self.tree(state[index]) {
                if !self.is_holders(v) && self.target_wins(state, index, v, keeper, budget)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Does turning `v` white in tree `index` win at once?
    fn target_wins(
        &mut self,
        state: &[u32],
        index: usize,
        v: u32,
        keeper: usize,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Error> {
        // A target may need the price of the whole forest.
        budget.spend(1 + self.parent.len() as u64 / 8)?;
        let root = state[index];
        let sign = if keeper == HOLDER { 1 } else { -1 };
        let at = self.at(self.depth[root as usize], v);
        let inside = if v == root { 0 } else { self.values[at] };
        let after = sign * (self.value(state) - self.a(root) + inside + self.s(v));
        // The keeper holds the lock if what he can hold is at least this (the holder is to move).
        let needed = i32::from(keeper == HOLDER);
        let verdict = |kept: bool| Ok(kept == (keeper == HOLDER));
        if after < needed {
            return verdict(false);
        }
        let held = if v == root { LOW } else { self.holds[keeper][at] };
        if held > LOW && after - sign * inside + held >= needed {
            return verdict(true);
        }
        let mut pool = state.to_vec();
        pool.remove(index);
        pool.extend(self.children(v));
        let price = self.price(keeper, &pool);
        if price < FAR && after - price >= needed {
            return verdict(true);
        }
        let free = price >= FAR && held == LOW;
        if free || !self.may_be_too_low(root, v, keeper, &pool) {
            return verdict(false);
        }
        self.fallbacks += 1;
        let mover_wins = self.search_after(state, index, v, budget)?;
        Ok(mover_wins)
    }

    /// Locks hidden both in the pool and beside the interval may make the table's bound too low.
    fn may_be_too_low(&self, root: u32, v: u32, keeper: usize, pool: &[u32]) -> bool {
        let mut below = v;
        let mut beside = false;
        while below != root {
            beside |= self.siblings(below).any(|y| self.hidden[keeper][y as usize]);
            let above = self.parent[below as usize];
            // A lock below a path vertex of the other player counts as hidden beside the interval too.
            let other = self.is_holders(above) != (keeper == HOLDER);
            beside |= other && self.siblings(below).any(|y| self.locks[keeper][y as usize] > 0);
            below = above;
        }
        beside && pool.iter().any(|&y| self.hidden[keeper][y as usize])
    }

    /// Searches the position after one joker by integer values.
    fn search_after(
        &self,
        state: &[u32],
        index: usize,
        v: u32,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Error> {
        let mut colours = vec![Colour::White];
        let mut edges = Vec::new();
        for (tree, &root) in state.iter().enumerate() {
            let offset = colours.len() as u32;
            for u in self.tree(root) {
                let white = tree == index && u == v;
                let held = Colour::Held(self.owner[u as usize]);
                colours.push(if white { Colour::White } else { held });
                let above = if u == root { 0 } else { self.parent[u as usize] - root + offset };
                edges.push((above, u - root + offset));
            }
        }
        let graph = Graph::new(GraphSetup::plain(colours, edges, self.holder))?;
        let arena = Arena::<u128>::new(&graph)
            .ok_or_else(|| Error::new("out_of_budget", "more than 128 cards are left to search"))?;
        let verdict = Integers::new(&arena).decide(arena.all(), self.holder, budget)?;
        Ok(verdict.winner == self.holder)
    }

    /// Does the holder win, to move with his right unused?
    ///
    /// # Errors
    /// `out_of_budget`.
    pub fn holder_to_move(&mut self, state: &[u32], budget: &mut Budget<'_>) -> Result<bool, Error> {
        let (h, o) = (self.cards_in(state, HOLDER), self.cards_in(state, OTHER));
        if h == 0 || o == 0 {
            return Ok(h == 0);
        }
        if let Some(&wins) = self.known.get(state) {
            return Ok(wins);
        }
        budget.spend(1)?;
        self.nodes += 1;
        let wins = self.wins_now(state, h, o, budget)? || self.wins_waiting(state, o - h, budget)?;
        self.known.insert(state.to_vec(), wins);
        Ok(wins)
    }

    fn wins_waiting(&mut self, state: &[u32], lead: i64, budget: &mut Budget<'_>) -> Result<bool, Error> {
        let best = state.iter().map(|&root| self.best_gain[root as usize]).max().unwrap_or(LOW);
        if lead <= -1 && self.value(state) + best.max(1) <= 0 {
            return Ok(false); // P1
        }
        if lead >= 0 && self.has_reserve(state) {
            return Ok(false); // P2
        }
        let mut own: Vec<usize> = Grove::distinct(state).filter(|&i| self.is_holders(state[i])).collect();
        if lead >= 1 {
            if let Some(&i) = own.iter().find(|&&i| self.a(state[i]) > 0) {
                return self.other_to_move(&self.played(state, i), budget); // W1
            }
            own.retain(|&i| self.weights[OTHER].lock[state[i] as usize] || self.is_exact(state[i])); // W2
        }
        let safe = |root: u32| self.children(root).all(|child| self.is_holders(child));
        own.sort_by_key(|&i| (!safe(state[i]), !self.is_exact(state[i])));
        for i in own {
            if self.other_to_move(&self.played(state, i), budget)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Does playing this root change the value by exactly 1?
    fn is_exact(&self, root: u32) -> bool {
        (self.a(root) - self.s(root)).abs() == 1
    }

    /// P2: the opponent can keep two locks in reserve, and one joker cannot open both.
    fn has_reserve(&self, state: &[u32]) -> bool {
        let value = self.value(state);
        let roots: Vec<u32> = state
            .iter()
            .copied()
            .filter(|&root| !self.is_holders(root) && self.cards[HOLDER][root as usize] > 0)
            .collect();
        let mut gains: Vec<(i32, u32)> =
            state.iter().map(|&root| (self.best_gain[root as usize], root)).collect();
        gains.sort_unstable_by(|a, b| b.cmp(a));
        let others = |x: u32, y: u32| {
            let (mut x_left, mut y_left) = (true, true);
            for &(gain, root) in &gains {
                if x_left && root == x {
                    x_left = false;
                } else if y_left && root == y {
                    y_left = false;
                } else {
                    return gain;
                }
            }
            LOW
        };
        for (i, &x) in roots.iter().enumerate() {
            for &y in &roots[i + 1..] {
                let (ex, ey) = (-self.a(x), -self.a(y));
                let spare = -value - ex - ey;
                if spare >= 0
                    && spare + ex >= self.gain[x as usize]
                    && spare + ey >= self.gain[y as usize]
                    && spare + ex.max(ey) >= others(x, y)
                {
                    return true;
                }
            }
        }
        false
    }

    /// Does the holder win with the opponent to move?
    ///
    /// # Errors
    /// `out_of_budget`.
    pub fn other_to_move(&mut self, state: &[u32], budget: &mut Budget<'_>) -> Result<bool, Error> {
        let (h, o) = (self.cards_in(state, HOLDER), self.cards_in(state, OTHER));
        if h == 0 {
            return Ok(true);
        }
        let own: Vec<usize> = Grove::distinct(state).filter(|&i| !self.is_holders(state[i])).collect();
        if own.is_empty() {
            return Ok(o > 0);
        }
        if o == 1 {
            return Ok(false);
        }
        let safe = |root: u32| self.children(root).all(|child| !self.is_holders(child));
        if let Some(&i) = own.iter().find(|&&i| safe(state[i])) {
            return self.holder_to_move(&self.played(state, i), budget); // W3
        }
        let mut plays: Vec<usize> = own.iter().copied().filter(|&i| self.is_exact(state[i])).collect(); // W4
        if plays.is_empty() {
            if o - 1 - h >= 1 {
                return Ok(true);
            }
            plays = own;
        }
        plays.sort_by_key(|&i| self.a(state[i]));
        for i in plays {
            if !self.holder_to_move(&self.played(state, i), budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Who wins after the mover plays the root with this number (in the forest), the right unused.
    ///
    /// # Errors
    /// `out_of_budget`.
    pub fn winner_after(&mut self, root: u32, budget: &mut Budget<'_>) -> Result<Player, Error> {
        let state = self.start();
        let class = self.class[root as usize];
        let Some(index) = state.iter().position(|&r| r == class) else {
            return Err(Error::new("illegal_move", format!("{root} is not a root")));
        };
        let next = self.played(&state, index);
        let wins = if self.is_holders(root) {
            self.other_to_move(&next, budget)?
        } else {
            let emptied = self.cards_in(&next, OTHER) == 0;
            !emptied && self.holder_to_move(&next, budget)?
        };
        Ok(if wins { self.holder } else { self.holder.other() })
    }
}

//! What is known about a forest before play: counts, classes of isomorphic trees, and the two tables over (ancestor, vertex)
//! for the intervals that a joker leaves.

use super::{FAR, Grove, HOLDER, LOW, OTHER, between};
use crate::theory::rooted::NONE;
use rustc_hash::FxHashMap;

impl Grove {
    pub(super) fn count(&mut self) {
        for v in (0..self.parent.len()).rev() {
            let holders = self.owner[v] == self.holder;
            self.cards[usize::from(!holders)][v] += 1;
            for keeper in [HOLDER, OTHER] {
                let own = holders == (keeper == HOLDER);
                let lock = own && self.weights[keeper].prisoner[v];
                self.locks[keeper][v] += u32::from(lock);
                self.hidden[keeper][v] |= !own && self.weights[keeper].lock[v];
            }
            let parent = self.parent[v];
            if parent != NONE {
                for side in [HOLDER, OTHER] {
                    self.cards[side][parent as usize] += self.cards[side][v];
                    self.locks[side][parent as usize] += self.locks[side][v];
                    self.hidden[side][parent as usize] |= self.hidden[side][v];
                }
            }
        }
    }

    /// Gives isomorphic trees the same representative.
    pub(super) fn classify(&mut self) {
        let mut seen: FxHashMap<(bool, Vec<u32>), u32> = FxHashMap::default();
        for v in (0..self.parent.len() as u32).rev() {
            let mut below: Vec<u32> = self.children(v).map(|child| self.class[child as usize]).collect();
            below.sort_unstable();
            let key = (self.is_holders(v), below);
            self.class[v as usize] = *seen.entry(key).or_insert(v);
        }
    }

    /// The table of interval values, and the greatest gain of a joker in every tree.
    pub(super) fn fill_values(&mut self) {
        for c in 0..self.parent.len() as u32 {
            let line = self.ancestors(c);
            let m = line.len();
            for i in (0..m).rev() {
                let below = line.get(i + 1).copied().unwrap_or(c);
                let top = self.values[self.at(i as u32 + 1, c)] + self.b(below);
                let parent = line[m - 1];
                let bottom = (i + 1 < m).then(|| self.values[self.at(i as u32, parent)] + self.b(c));
                let owners = (self.is_holders(line[i]), self.is_holders(parent));
                let at = self.at(i as u32, c);
                self.values[at] = between([(owners.0, Some(top)), (owners.1, bottom)]);
            }
            if !self.is_holders(c) {
                let itself = self.s(c) - self.a(c);
                self.gain[c as usize] = self.gain[c as usize].max(itself);
                for (i, &u) in line.iter().enumerate() {
                    let gain = self.values[self.at(i as u32, c)] + self.s(c) - self.a(u);
                    self.gain[u as usize] = self.gain[u as usize].max(gain);
                }
            }
        }
        for v in (0..self.parent.len()).rev() {
            self.best_gain[v] = self.best_gain[v].max(self.gain[v]);
            if self.parent[v] != NONE {
                let parent = self.parent[v] as usize;
                self.best_gain[parent] = self.best_gain[parent].max(self.best_gain[v]);
            }
        }
    }

    /// What a keeper can hold in every interval, in his sign; [`LOW`] where the other is free.
    pub(super) fn fill_holds(&mut self, keeper: usize) {
        let sign = if keeper == HOLDER { 1 } else { -1 };
        let prisoner = 1 - keeper;
        for c in 0..self.parent.len() as u32 {
            let line = self.ancestors(c);
            let m = line.len();
            let keeps: Vec<bool> = line.iter().map(|&u| self.is_holders(u) == (keeper == HOLDER)).collect();
            let lowest = keeps.iter().rposition(|&keeps| keeps);
            let (mut side_locks, mut shut_in, mut prisoners) = (0, 0, 0);
            for i in (0..m).rev() {
                let below = line.get(i + 1).copied().unwrap_or(c);
                side_locks += self.siblings(below).map(|y| self.locks[keeper][y as usize]).sum::<u32>();
                if lowest.is_some_and(|lowest| i <= lowest) {
                    let beside = self.siblings(below).map(|y| self.cards[prisoner][y as usize]).sum::<u32>();
                    prisoners += beside + u32::from(!keeps[i]);
                    if keeps[i] {
                        shut_in = prisoners;
                    }
                }
                if side_locks == 0 && shut_in == 0 {
                    continue;
                }
                let parent = line[m - 1];
                let held = |at: usize, price: i32, b: i32| {
                    let value = if price >= FAR { LOW } else { sign * self.values[at] - price };
                    let best = value.max(self.holds[keeper][at]);
                    (best > LOW).then_some(best + sign * b)
                };
                let top = held(self.at(i as u32 + 1, c), self.beside[keeper][below as usize], self.b(below));
                let bottom = (i + 1 < m)
                    .then(|| held(self.at(i as u32, parent), self.beside[keeper][c as usize], self.b(c)))
                    .flatten();
                let at = self.at(i as u32, c);
                self.holds[keeper][at] = between([(keeps[i], top), (keeps[m - 1], bottom)]);
            }
        }
    }
}

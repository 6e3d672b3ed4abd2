//! From the next layer to this one when the next layer lies in several places: every place has the chances of some shards, looks up
//! what it has, and asks for the rest. What comes out is the same to the last bit as from one place: the best of a card does not depend
//! on the order in which its placements are heard of, and the cards are summed in their own order.

use super::Worth;
use crate::table::layer::{Cutting, Layer};
use crate::theory::chains::{AllPlacements, USEFUL, for_stacks};
use crate::theory::rank::Ranking;
use crate::theory::{MOST_CARDS, MOST_STACKS};
use kachi_core::Error;
use multiversion::multiversion;

/// The states of one shard on the way to their chances.
#[derive(Debug, Clone)]
pub struct Asking {
    cards: usize,
    /// For every state and card: the best chance heard of so far.
    best: Vec<f64>,
    /// Numbers of the layer below that are somebody else's, in order, each with the place in `best` that waits for it.
    open: Vec<(u64, u32)>,
    missing: bool,
}

impl Asking {
    /// Looks up what is ours: `ours` says which shards of the layer below are in `below`.
    ///
    /// # Panics
    /// If there is no such shard, or the layers do not follow each other.
    #[must_use]
    pub fn of(layer: &Layer, shard: usize, below: &Worth, ours: &dyn Fn(usize) -> bool) -> Asking {
        let ours: Vec<bool> = (0..below.shards().len()).map(ours).collect();
        let mut asking = Asking {
            cards: layer.cards(),
            best: Vec::with_capacity(layer.shards()[shard].count() as usize * layer.cards()),
            open: Vec::new(),
            missing: false,
        };
        look_up(&mut asking, layer, shard, below, &ours);
        asking.open.sort_unstable();
        asking
    }

    /// The numbers to ask for, in increasing order, each once.
    pub fn questions(&self) -> impl Iterator<Item = u64> + '_ {
        let mut last = None;
        self.open
            .iter()
            .filter_map(move |&(number, _)| (last.replace(number) != Some(number)).then_some(number))
    }

    /// Hears the chances of some questions: `numbers` in increasing order and their chances. Questions stay open until [`Asking::chances`].
    pub fn hear(&mut self, numbers: &[u64], chances: &[f64]) {
        let Some(&first) = numbers.first() else { return };
        let mut at = self.open.partition_point(|&(number, _)| number < first);
        for (&number, &chance) in numbers.iter().zip(chances) {
            while let Some(&(open, place)) = self.open.get(at).filter(|&&(open, _)| open <= number) {
                if open == number {
                    let best = &mut self.best[place as usize];
                    *best = best.max(chance);
                }
                at += 1;
            }
        }
    }

    /// The chances of the states, in order, once every question is answered.
    ///
    /// # Errors
    /// `damaged_table` if a state below was missing: the layers do not belong together.
    pub fn chances(&self) -> Result<Vec<f64>, Error> {
        if self.missing {
            return Err(Error::new("damaged_table", "two layers of the table do not belong together"));
        }
        let all = self.best.chunks_exact(self.cards.max(1));
        Ok(all.map(|state| state.iter().fold(0.0, |sum, best| sum + best) / self.cards as f64).collect())
    }
}

/// Compiled also for processors that count bits in one instruction.
#[multiversion(targets("x86_64+popcnt+bmi1+bmi2+lzcnt+avx2"))]
fn look_up(asking: &mut Asking, layer: &Layer, shard: usize, below: &Worth, ours: &[bool]) {
    for_stacks!(below.stacks, S, look_up_on::<S>(asking, layer, shard, below, ours));
}

#[inline(always)]
fn look_up_on<const S: usize>(
    asking: &mut Asking,
    layer: &Layer,
    shard: usize,
    below: &Worth,
    ours: &[bool],
) {
    const MOST: usize = MOST_CARDS * MOST_STACKS;
    const FOREIGN: u32 = u32::MAX;
    let ranking = Ranking::of(S);
    let cutting: Cutting = below.cutting;
    let mut placed = AllPlacements::new();
    let mut keys = [0u64; MOST];
    let mut first = [0u32; MOST];
    for state in layer.states(shard) {
        state.place_all_on::<S, USEFUL>(&mut placed);
        let count = placed.states().len();
        for (key, after) in keys.iter_mut().zip(placed.states()) {
            *key = cutting.scatter.there(ranking.rank_on::<S>(&after.canonical_on::<S>()));
        }
        for (first, &key) in first.iter_mut().zip(&keys[..count]) {
            *first = if ours[cutting.shard(key)] { below.first(key) } else { FOREIGN };
        }
        let mut start = 0;
        for &end in placed.ends() {
            let mut best = 0.0;
            for i in start..usize::from(end) {
                if first[i] == FOREIGN {
                    asking.open.push((keys[i], asking.best.len() as u32));
                } else if let Some(chance) = below.chance(keys[i], first[i]) {
                    best = f64::max(best, chance);
                } else {
                    asking.missing = true;
                }
            }
            asking.best.push(best);
            start = usize::from(end);
        }
    }
}

/// The chances of numbers of a layer that lie here.
///
/// # Errors
/// `damaged_table` if one of them does not.
pub fn answers(worth: &Worth, numbers: &[u64]) -> Result<Vec<f64>, Error> {
    let known = |&number: &u64| {
        let shard = worth.shards.get(worth.cutting.shard(number))?;
        let first = *shard.first.get((worth.cutting.inner(number) >> shard.shift) as usize)?;
        worth.chance(number, first)
    };
    let all: Option<Vec<f64>> = numbers.iter().map(known).collect();
    all.ok_or_else(|| Error::new("damaged_table", "a state that was asked for is not in the table"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::backward::{WorthShard, chances};
    use crate::table::build::{reach, worth};
    use crate::theory::TwoChains;
    use kachi_core::Budget;

    /// The part of a layer's chances that a place has.
    fn part(whole: &Worth, layer: &Layer, ours: &dyn Fn(usize) -> bool) -> Worth {
        let own: Vec<_> = layer
            .shards()
            .iter()
            .enumerate()
            .map(|(i, shard)| if ours(i) { shard.clone() } else { Default::default() })
            .collect();
        let own = Layer::of_shards(layer.stacks(), layer.cards(), own).unwrap();
        let chances =
            |i: usize| whole.shards()[i].entries().iter().map(|&(_, chance)| chance).collect::<Vec<_>>();
        let shards = (0..own.shards().len())
            .map(|i| WorthShard::new(&own, i, &if ours(i) { chances(i) } else { Vec::new() }))
            .collect();
        Worth::new(&own, shards)
    }

    #[test]
    fn asking_gives_the_same_bits_as_having_everything() {
        let budget = &mut Budget::default();
        for (stacks, ranks) in [(3, 4), (2, 5), (4, 3)] {
            let layers = reach(&TwoChains::start(stacks, ranks, ranks), budget).unwrap().layers;
            let mut below = Worth::of_the_end(stacks);
            let mut asked = 0;
            for pair in layers.windows(2).rev() {
                let (layer, next) = (&pair[0], &pair[1]);
                below = worth(next, &below, budget).unwrap();
                for places in [1, 2, 5] {
                    let owner = |shard: usize| shard % places;
                    let parts: Vec<Worth> =
                        (0..places).map(|place| part(&below, next, &|shard| owner(shard) == place)).collect();
                    for shard in 0..layer.shards().len() {
                        let mine = |below: usize| owner(below) == owner(shard);
                        let mut asking = Asking::of(layer, shard, &parts[owner(shard)], &mine);
                        let questions: Vec<u64> = asking.questions().collect();
                        assert!(questions.is_sorted_by(|a, b| a < b));
                        asked += questions.len();
                        for other in (0..places).filter(|&other| other != owner(shard)) {
                            let theirs = |below: usize| owner(below) == other;
                            let numbers: Vec<u64> = questions
                                .iter()
                                .copied()
                                .filter(|&number| theirs(next.cutting().shard(number)))
                                .collect();
                            let said = answers(&parts[other], &numbers).unwrap();
                            asking.hear(&numbers, &said);
                        }
                        assert_eq!(asking.chances().unwrap(), chances(layer, shard, &below).unwrap());
                    }
                }
            }
            assert!(asked > 100, "{asked}");
        }
    }

    #[test]
    fn what_is_not_there_is_said() {
        let layers = reach(&TwoChains::start(3, 3, 3), &mut Budget::default()).unwrap().layers;
        let below = Worth::of_the_end(3);
        let last = worth(&layers[5], &below, &mut Budget::default()).unwrap();
        let empty = part(&last, &layers[5], &|_| false);
        let shard = layers[4].shards().iter().position(|shard| shard.count() > 0).unwrap();
        // It believes to have what it does not have.
        assert_eq!(
            Asking::of(&layers[4], shard, &empty, &|_| true).chances().unwrap_err().code,
            "damaged_table"
        );
        assert_eq!(answers(&last, &[0, 1, 2, 3, u64::MAX]).unwrap_err().code, "damaged_table");
    }
}

//! Rational outcomes: everybody minds only the own rank, and endless play ranks just above last. All pure
//! subgame-perfect outcomes, with strategies that may depend on the history.
//!
//! Per layer, `bound` is the worst result that the mover of a shape may be held to; it starts at "last". A play is
//! *respectful* if no mover on its way ends worse than the bound there. The others can *hold* a seat to `x` if there
//! is a respectful play that costs the seat at least `x`, all of whose deviations by the seat lead to shapes where
//! it is held to `x` again. A seat may also deviate for ever; that is stopped (least fixpoint) exactly when endless play
//! would cost it less than `x`. The bound becomes the largest `x` that the mover can be held to, and so on until it
//! stands; the outcomes are those of the plays that respect it.

use super::graph::{Edge, Graph};
use crate::position::Mode;
use crate::shape::{Fate, Shape, all_shapes};
use kachi_core::{Budget, Error};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// An outcome: who leaves in which order, seats counted from the mover. All seats: the last one is last. Fewer: the
/// others play on for ever.
pub type Leaving = Vec<u8>;

/// Everything that can happen with a number of seats, numbered; number 0 is endless play by all.
struct Outcomes {
    list: Vec<Leaving>,
    number: FxHashMap<Leaving, usize>,
    /// `cost[o][q]`: the rank, endless play as `seats`, last as `seats + 1`.
    cost: Vec<Vec<u8>>,
    words: usize,
    /// `at_most[x]`: the outcomes that cost the mover at most `x`.
    at_most: Vec<Vec<u64>>,
    /// `at_least[q][x]`: the outcomes that cost seat `q` at least `x`.
    at_least: Vec<Vec<Vec<u64>>>,
}

impl Outcomes {
    fn of(seats: u8) -> Outcomes {
        let mut list = vec![vec![]];
        let mut next = 0;
        while next < list.len() {
            let so_far: Leaving = list[next].clone();
            for seat in (0..seats).filter(|seat| !so_far.contains(seat)) {
                let mut longer = so_far.clone();
                longer.push(seat);
                // When all but one have left, the last one is last.
                if longer.len() + 1 == seats as usize {
                    longer.extend((0..seats).find(|seat| !longer.contains(seat)));
                }
                list.push(longer);
            }
            next += 1;
        }
        if seats == 1 {
            list = vec![vec![0]];
        }
        let number = list.iter().cloned().zip(0..).collect();
        let cost = |leaving: &Leaving, q: u8| match leaving.iter().position(|&seat| seat == q) {
            Some(place) if place + 1 == seats as usize => seats + 1,
            Some(place) => place as u8 + 1,
            None => seats,
        };
        let cost = list.iter().map(|leaving| (0..seats).map(|q| cost(leaving, q)).collect()).collect();
        let words = list.len().div_ceil(64);
        let mut outcomes = Outcomes { list, number, cost, words, at_most: vec![], at_least: vec![] };
        outcomes.at_most = (0..=seats + 1).map(|x| outcomes.costing(0, 0, x)).collect();
        let from = |q: u8| (0..=seats + 1).map(|x| outcomes.costing(q, x, seats + 1)).collect();
        outcomes.at_least = (0..seats).map(from).collect();
        outcomes
    }

    /// The outcomes that cost seat `q` at least `low` and at most `high`.
    fn costing(&self, q: u8, low: u8, high: u8) -> Vec<u64> {
        let mut set = vec![0; self.words];
        for (o, cost) in self.cost.iter().enumerate() {
            if cost.get(q as usize).is_some_and(|cost| (low..=high).contains(cost)) {
                set[o / 64] |= 1 << (o % 64);
            }
        }
        set
    }
}

/// How the outcomes after a draw read before it: by leavers (victim, mover).
struct Reading {
    /// Four for each number of seats; see [`Reading::place`].
    maps: Vec<Vec<usize>>,
}

impl Reading {
    fn new(outcomes: &[Outcomes]) -> Reading {
        let mut maps = vec![Vec::new(); 4 * outcomes.len()];
        for seats in 2..outcomes.len() as u8 {
            for (victim, mover) in [(false, false), (true, false), (false, true), (true, true)] {
                let left = seats - u8::from(victim) - u8::from(mover);
                if left >= 1 {
                    maps[Reading::place(seats, victim, mover)] =
                        Reading::map(outcomes, seats, left, victim, mover);
                }
            }
        }
        Reading { maps }
    }

    fn place(seats: u8, victim_left: bool, mover_left: bool) -> usize {
        4 * seats as usize + 2 * usize::from(victim_left) + usize::from(mover_left)
    }

    fn map(outcomes: &[Outcomes], seats: u8, left: u8, victim: bool, mover: bool) -> Vec<usize> {
        let back = |seat: u8| if seat + 1 == left && !mover { 0 } else { seat + 1 };
        let read = |after: &Leaving| {
            let mut before: Leaving = Vec::new();
            before.extend(victim.then_some(seats - 1));
            before.extend(mover.then_some(0));
            before.extend(after.iter().map(|&seat| back(seat)));
            outcomes[seats as usize].number.get(&before).copied().unwrap_or(0)
        };
        outcomes[left as usize].list.iter().map(read).collect()
    }

    /// Adds the outcomes `after` an edge to the set `before` it.
    fn add(&self, seats: u8, edge: &Edge, after: &[u64], before: &mut [u64]) {
        let map = &self.maps[Reading::place(seats, edge.victim_left, edge.mover_left)];
        for (word, &bits) in after.iter().enumerate() {
            let mut rest = bits;
            while rest != 0 {
                let o = map[word * 64 + rest.trailing_zeros() as usize];
                before[o / 64] |= 1 << (o % 64);
                rest &= rest - 1;
            }
        }
    }
}

/// The rational outcomes of every shape of a graph.
pub struct Rational {
    graph: Graph,
    outcomes: Vec<Outcomes>,
    /// Sets of outcomes by shape.
    sets: Vec<Vec<u64>>,
}

impl Rational {
    /// Solves all shapes below the roots.
    ///
    /// # Errors
    /// `too_large` beyond `most` shapes or [`MOST_SEATS_SOLVED`], `out_of_budget`.
    pub fn solve(
        roots: &[Shape],
        mode: Mode,
        most: usize,
        budget: &mut Budget<'_>,
    ) -> Result<Rational, Error> {
        let seats = roots.iter().map(|root| root.seats).max().unwrap_or(2);
        if seats > MOST_SEATS_SOLVED {
            return Err(Error::too_large("seats for rational outcomes", seats, MOST_SEATS_SOLVED));
        }
        let graph = Graph::below(roots, mode, most, budget)?;
        let outcomes: Vec<Outcomes> = (0..=seats).map(Outcomes::of).collect();
        let reading = Reading::new(&outcomes);
        let mut held = vec![Vec::new(); graph.len()];
        let mut sets = vec![Vec::new(); graph.len()];
        for layer in &graph.layers {
            let work = Work::new(&graph, layer, &outcomes, &reading, &held, &sets);
            let (layer_sets, layer_held) = work.run(budget)?;
            for ((&shape, set), held_to) in layer.iter().zip(layer_sets).zip(layer_held) {
                sets[shape as usize] = set;
                held[shape as usize] = held_to;
            }
        }
        Ok(Rational { graph, outcomes, sets })
    }

    /// The rational outcomes of a shape.
    pub fn of(&self, shape: &Shape) -> Option<Vec<&Leaving>> {
        let set = &self.sets[self.graph.find(shape)? as usize];
        let list = &self.outcomes[shape.seats as usize].list;
        Some((0..list.len()).filter(|o| set[o / 64] >> (o % 64) & 1 == 1).map(|o| &list[o]).collect())
    }
}

/// The most seats for which rational outcomes are found at all: with nine there would be a million outcomes to keep for every shape.
pub const MOST_SEATS_SOLVED: u8 = 8;
/// The most seats for which all rational outcomes are kept.
pub const MOST_SEATS: u8 = 4;
/// The most labels for which all rational outcomes are kept, in mode `pairs`.
pub const MOST_LABELS: u32 = 6;
/// The same in mode `ranks`, which has more shapes.
pub const MOST_LABELS_RANKS: u32 = 4;

/// One table per number of seats (2, 3, 4) and labels.
type Tables = [[OnceLock<Option<Rational>>; MOST_LABELS as usize + 1]; 3];
static PAIRS: Tables = [const { [const { OnceLock::new() }; MOST_LABELS as usize + 1] }; 3];
static RANKS: Tables = [const { [const { OnceLock::new() }; MOST_LABELS as usize + 1] }; 3];

/// The rational outcomes of a small shape, by order of leaving. `None` beyond [`MOST_SEATS`] or [`MOST_LABELS`].
pub fn outcomes(shape: &Shape, mode: Mode) -> Option<Vec<Leaving>> {
    let (tables, most) = match mode {
        Mode::Pairs => (&PAIRS, MOST_LABELS),
        Mode::Ranks => (&RANKS, MOST_LABELS_RANKS),
    };
    let labels = shape.labels();
    if !(2..=MOST_SEATS).contains(&shape.seats) || labels > most {
        return None;
    }
    let solve = || {
        let roots = all_shapes(shape.seats, labels, mode);
        Rational::solve(&roots, mode, usize::MAX, &mut Budget::default()).ok()
    };
    let table = tables[shape.seats as usize - 2][labels as usize].get_or_init(solve).as_ref()?;
    Some(table.of(shape)?.into_iter().cloned().collect())
}

/// One layer while its bounds sink. Shapes are counted within the layer.
struct Work<'a> {
    seats: u8,
    layer: &'a [u32],
    graph: &'a Graph,
    outcomes: &'a Outcomes,
    reading: &'a Reading,
    held: &'a [Vec<u8>],
    /// The place of a shape in this layer.
    place: FxHashMap<u32, usize>,
    /// Outcomes of the draws that leave the layer, by shape.
    exits: Vec<Vec<u64>>,
    /// The draws that stay inside, by shape.
    inside: Vec<Vec<(&'a Edge, usize)>>,
}

type Sets = Vec<Vec<u64>>;

impl<'a> Work<'a> {
    fn new(
        graph: &'a Graph,
        layer: &'a [u32],
        outcomes: &'a [Outcomes],
        reading: &'a Reading,
        held: &'a [Vec<u8>],
        sets: &'a [Vec<u64>],
    ) -> Work<'a> {
        let seats = graph.shapes[layer[0] as usize].seats;
        let own = &outcomes[seats as usize];
        let place: FxHashMap<u32, usize> = layer.iter().copied().zip(0..).collect();
        let exits = layer.iter().map(|&shape| {
            let mut set = vec![0; own.words];
            for edge in &graph.draws[shape as usize] {
                match edge.to {
                    None => reading.add(seats, edge, &[1], &mut set),
                    Some(to) if !place.contains_key(&to) => {
                        reading.add(seats, edge, &sets[to as usize], &mut set);
                    }
                    Some(_) => {}
                }
            }
            set
        });
        let exits = exits.collect();
        let inside = layer.iter().map(|&shape| {
            let stays = |edge: &'a Edge| edge.to.and_then(|to| place.get(&to)).map(|&child| (edge, child));
            graph.draws[shape as usize].iter().filter_map(stays).collect()
        });
        let inside = inside.collect();
        Work { seats, layer, graph, outcomes: own, reading, held, place, exits, inside }
    }

    fn run(&self, budget: &mut Budget<'_>) -> Result<(Sets, Vec<Vec<u8>>), Error> {
        let mut bound = vec![self.seats + 1; self.layer.len()];
        loop {
            let mut held = vec![vec![0; self.seats as usize]; self.layer.len()];
            for x in 1..=self.seats + 1 {
                budget.spend(self.layer.len() as u64)?;
                let holds = self.holds(x, &bound);
                for (i, held) in held.iter_mut().enumerate() {
                    for q in 0..self.seats {
                        if holds[self.node(i, q)] {
                            held[q as usize] = x;
                        }
                    }
                }
            }
            let next: Vec<u8> = held.iter().map(|held| held[0]).collect();
            if next == bound {
                return Ok((self.plays(1, &bound, 0, |_, _| true), held));
            }
            bound = next;
        }
    }

    fn node(&self, i: usize, q: u8) -> usize {
        i * self.seats as usize + q as usize
    }

    /// Where seat `q` can be held to `x`, for every shape and seat.
    fn holds(&self, x: u8, bound: &[u8]) -> Vec<bool> {
        let endless_is_enough = self.seats >= x;
        let mut holds = vec![endless_is_enough; self.layer.len() * self.seats as usize];
        loop {
            let open = |i: usize, q: u8| q != 0 || self.all_draws_hold(i, x, &holds);
            let plays = self.plays(self.seats, bound, x, open);
            let next: Vec<bool> = plays.iter().map(|set| set.iter().any(|&word| word != 0)).collect();
            if next == holds {
                return holds;
            }
            holds = next;
        }
    }

    /// Is the mover held to `x` after each of his draws?
    fn all_draws_hold(&self, i: usize, x: u8, holds: &[bool]) -> bool {
        self.graph.draws[self.layer[i] as usize].iter().all(|edge| match edge.follow(self.seats, 0) {
            Fate::Left(rank) => rank >= x,
            Fate::Stays(r) => match edge.to {
                None => true,
                Some(to) => match self.place.get(&to) {
                    Some(&child) => holds[self.node(child, r)],
                    None => self.held[to as usize][r as usize] + edge.leavers() >= x,
                },
            },
        })
    }

    /// The outcomes of plays that respect the bounds, cost the watched seat at least `x` and go only through open
    /// shapes. With `watched` seats the sets are kept per shape and seat (the seat is followed along the play), with
    /// one only per shape.
    fn plays(&self, watched: u8, bound: &[u8], x: u8, open: impl Fn(usize, u8) -> bool) -> Sets {
        let at = |i: usize, q: u8| i * watched as usize + q as usize;
        let places = || (0..self.layer.len()).flat_map(|i| (0..watched).map(move |q| (i, q)));
        let open: Vec<bool> = places().map(|(i, q)| open(i, q)).collect();
        let allowed = |i: usize, q: u8, word: usize| {
            self.outcomes.at_most[bound[i] as usize][word]
                & self.outcomes.at_least[q as usize][x as usize][word]
        };
        let seat_after = |edge: &Edge, q: u8| match edge.follow(self.seats, q) {
            Fate::Stays(r) if watched > 1 => r,
            _ => 0,
        };
        // Endless play (outcome 0): whoever has no way to go on is struck out.
        let mut endless: Vec<bool> =
            places().map(|(i, q)| open[at(i, q)] && allowed(i, q, 0) & 1 == 1).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (i, q) in places() {
                let goes_on =
                    || self.inside[i].iter().any(|(edge, child)| endless[at(*child, seat_after(edge, q))]);
                if endless[at(i, q)] && !goes_on() {
                    endless[at(i, q)] = false;
                    changed = true;
                }
            }
        }
        let mut sets: Sets = vec![vec![0; self.outcomes.words]; self.layer.len() * watched as usize];
        let mut set = vec![0; self.outcomes.words];
        changed = true;
        while changed {
            changed = false;
            for (i, q) in places().filter(|&(i, q)| open[at(i, q)]) {
                set.copy_from_slice(&self.exits[i]);
                for (edge, child) in &self.inside[i] {
                    self.reading.add(self.seats, edge, &sets[at(*child, seat_after(edge, q))], &mut set);
                }
                set.iter_mut().enumerate().for_each(|(word, bits)| *bits &= allowed(i, q, word));
                set[0] |= u64::from(endless[at(i, q)]);
                if set != sets[at(i, q)] {
                    sets[at(i, q)].copy_from_slice(&set);
                    changed = true;
                }
            }
        }
        sets
    }
}

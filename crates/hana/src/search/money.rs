//! Money that a seat can guarantee from an open position: the whole Baskets belong to the state, because made dekiyaku, the count of
//! cards and the void test depend on them. Battari and sage/shobu/cancel are played as the house plays them.

use super::open::Open;
use super::points::results;
use crate::card::Cards;
use crate::house::{House, Stop};
use crate::settle::{End, settle};
use kachi_core::{Budget, Error};
use rustc_hash::FxHashMap;

/// An open position with what has been taken and the field.
#[derive(Debug, Clone)]
pub struct Purse {
    /// The cards.
    pub open: Open,
    /// What the players have taken so far.
    pub baskets: [Cards; 3],
    /// The field multiplies by 2^index.
    pub index: u32,
    /// The rules.
    pub house: House,
    /// Who is in sage, and who said it first.
    pub said: ([bool; 3], Option<usize>),
}

/// A cautious bound for the memory of one remembered state.
const ENTRY_BYTES: u64 = 128;
/// More money than any month can move.
const MUCH: i64 = 1 << 40;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    hidden: u64,
    table: u64,
    baskets: [u64; 2],
    /// Who is in sage and who said it first; with Battari nobody ever.
    said: u8,
}

struct Search<'a, 'b> {
    purse: &'a Purse,
    seat: usize,
    undrawn: Vec<u64>,
    known: FxHashMap<State, (i64, i64)>,
    room: usize,
    budget: &'a mut Budget<'b>,
}

#[derive(Clone, Copy)]
struct At {
    t: usize,
    hands: [u64; 3],
    table: u64,
    baskets: [u64; 3],
    sage: [bool; 3],
    first: Option<usize>,
}

/// The net that `seat` (0 to 2) can guarantee in the settlement.
///
/// # Errors
/// `out_of_budget`.
pub fn guaranteed(purse: &Purse, seat: usize, budget: &mut Budget<'_>) -> Result<i64, Error> {
    let undrawn = (0..=purse.open.yama.len()).map(|t| purse.open.undrawn(t)).collect();
    let room = (budget.limits().bytes / ENTRY_BYTES) as usize;
    let mut search = Search { purse, seat, undrawn, known: FxHashMap::default(), room, budget };
    let hands = purse.open.hands.map(|hand| hand.0);
    let baskets = purse.baskets.map(|basket| basket.0);
    let start =
        At { t: 0, hands, table: purse.open.table.0, baskets, sage: purse.said.0, first: purse.said.1 };
    search.turn(start, -MUCH, MUCH)
}

impl Search<'_, '_> {
    fn settled(&self, at: &At, end: End) -> i64 {
        settle(&self.purse.house, &at.baskets.map(Cards), self.purse.index, end).net[self.seat]
    }

    fn made(&self, basket: u64) -> i64 {
        self.purse.house.dekiyaku_mon(Cards(basket))
    }

    /// The value at the beginning of a turn.
    fn turn(&mut self, at: At, mut alpha: i64, mut beta: i64) -> Result<i64, Error> {
        let Some(drawn) = self.purse.open.yama.get(at.t).copied() else {
            return Ok(self.settled(&at, End::RanOut { first_sage: at.first }));
        };
        let hidden = at.hands[0] | at.hands[1] | at.hands[2] | self.undrawn[at.t];
        let said = at
            .sage
            .iter()
            .fold(at.first.map_or(3, |first| first as u8), |code, &sage| code << 1 | u8::from(sage));
        let state = State { hidden, table: at.table, baskets: [at.baskets[0], at.baskets[1]], said };
        let (mut low, mut high) = self.known.get(&state).copied().unwrap_or((-MUCH, MUCH));
        if low >= beta || low == high {
            return Ok(low);
        }
        if high <= alpha {
            return Ok(high);
        }
        (alpha, beta) = (alpha.max(low), beta.min(high));
        self.budget.spend(1)?;
        let mover = at.t % 3;
        let mine = mover == self.seat;
        let (mut a, mut b) = (alpha, beta);
        let mut best = if mine { -MUCH } else { MUCH };
        let fold = |value: i64, best: &mut i64, a: &mut i64, b: &mut i64| {
            if mine {
                *best = (*best).max(value);
                *a = (*a).max(*best);
            } else {
                *best = (*best).min(value);
                *b = (*b).min(*best);
            }
            *a >= *b
        };
        let mut cut = false;
        if self.purse.house.stop == Stop::Sage && at.sage[mover] {
            let value = self.settled(&at, End::Cancelled { by: mover });
            cut = fold(value, &mut best, &mut a, &mut b);
        }
        if !cut {
            let mut all = Vec::new();
            results(at.hands[mover], at.table, drawn.bit(), self.purse.open.sweep, &mut all);
            all.sort_unstable_by_key(|result| -result.worth);
            for result in &all {
                let mut next = at;
                next.t += 1;
                next.hands[mover] = result.hand;
                next.table = result.table;
                next.baskets[mover] |= result.gained;
                let value = self.after(at, next, mover, a, b)?;
                if fold(value, &mut best, &mut a, &mut b) {
                    break;
                }
            }
        }
        if best > alpha {
            low = best;
        }
        if best < beta {
            high = best;
        }
        if self.known.len() < self.room || self.known.contains_key(&state) {
            self.known.insert(state, (low, high));
        }
        Ok(best)
    }

    /// After the takes of a turn: stop, ask, or go on.
    fn after(&mut self, before: At, next: At, mover: usize, alpha: i64, beta: i64) -> Result<i64, Error> {
        let grown = self.made(next.baskets[mover]) > self.made(before.baskets[mover]);
        match self.purse.house.stop {
            Stop::Battari if self.made(next.baskets[mover]) > 0 => {
                Ok(self.settled(&next, End::Stopped { by: mover, sage: [false; 3] }))
            }
            Stop::Sage if grown => {
                let stopped = self.settled(&next, End::Stopped { by: mover, sage: next.sage });
                let mut on = next;
                on.sage[mover] = true;
                on.first = on.first.or(Some(mover));
                let mine = mover == self.seat;
                if (mine && stopped >= beta) || (!mine && stopped <= alpha) {
                    return Ok(stopped);
                }
                let value = if mine {
                    self.turn(on, alpha.max(stopped), beta)?
                } else {
                    self.turn(on, alpha, beta.min(stopped))?
                };
                Ok(if mine { value.max(stopped) } else { value.min(stopped) })
            }
            _ => self.turn(next, alpha, beta),
        }
    }
}

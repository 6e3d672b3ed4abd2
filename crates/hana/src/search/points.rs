//! Card points that a seat can guarantee against both others, by alpha-beta over the points still to be taken.
//!
//! Every state lies between two turns. What is still hidden (hands and YAMA) and the table determine it, so the Baskets are no part
//! of it. Cards of one month with one value are not told apart. Bounds are kept in a table of fixed size, two words an
//! entry, so memory does not grow with the search.

use super::open::{Laid, Open, lay, same_points};
use crate::card::points;
use kachi_core::{Budget, Error};

/// Entries of the bound table, a power of two: 2^20 entries of 16 bytes are 16 MiB.
const ENTRIES: usize = 1 << 20;
/// What a whole turn leads to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome {
    pub(crate) hand: u64,
    pub(crate) table: u64,
    pub(crate) gained: u64,
    pub(crate) worth: i32,
}

/// Two words an entry: 48 bits of key and 16 bits of bound each.
type Slot = [u64; 2];
const KEY: u64 = (1 << 48) - 1;

struct Search<'a, 'b> {
    open: &'a Open,
    seat: usize,
    /// Bits of the YAMA from each turn on.
    undrawn: Vec<u64>,
    slots: Vec<Slot>,
    /// The results of the turns on the current path, one after another.
    turns: Vec<Outcome>,
    budget: &'a mut Budget<'b>,
}

/// The points that `seat` (0 to 2) can guarantee from here on.
///
/// # Errors
/// `out_of_budget`.
pub fn guaranteed(open: &Open, seat: usize, budget: &mut Budget<'_>) -> Result<i64, Error> {
    let mut search = Search::new(open, seat, budget);
    let hands = open.hands.map(|hand| hand.0);
    let total = points(open.cards().0);
    search.value(0, hands, open.table.0, total, (-1, total + 1)).map(i64::from)
}

/// The points that every turn of the first player guarantees to `seat`, with the turn's results.
///
/// # Errors
/// `out_of_budget`.
pub(crate) fn judged(
    open: &Open,
    seat: usize,
    budget: &mut Budget<'_>,
) -> Result<Vec<(u64, u64, i64)>, Error> {
    let mut search = Search::new(open, seat, budget);
    let hands = open.hands.map(|hand| hand.0);
    let Some(drawn) = open.yama.first() else { return Ok(Vec::new()) };
    let total = points(open.cards().0);
    let mut all = Vec::new();
    results(hands[0], open.table.0, drawn.bit(), open.sweep, &mut all);
    let mut values = Vec::new();
    for result in all {
        let mut next = hands;
        next[0] = result.hand;
        let worth = if seat == 0 { result.worth } else { 0 };
        let left = total - result.worth;
        let value = worth + search.value(1, next, result.table, left, (-1, left + 1))?;
        values.push((hands[0] & !result.hand, result.gained, i64::from(value)));
    }
    Ok(values)
}

impl<'a, 'b> Search<'a, 'b> {
    fn new(open: &'a Open, seat: usize, budget: &'a mut Budget<'b>) -> Self {
        let undrawn = (0..=open.yama.len()).map(|t| open.undrawn(t)).collect();
        // Short plays need no large table.
        let wanted = match open.yama.len() {
            0..=6 => 1 << 8,
            7..=12 => 1 << 14,
            _ => ENTRIES,
        };
        // The largest power of two that the budget has room for.
        let room = (budget.limits().bytes / size_of::<Slot>() as u64).clamp(1, ENTRIES as u64);
        let entries = wanted.min(1 << room.ilog2());
        Search { open, seat, undrawn, slots: vec![[u64::MAX; 2]; entries], turns: Vec::new(), budget }
    }

    fn slot(&self, hidden: u64, table: u64) -> usize {
        let mixed = (hidden ^ table.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ table.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        (mixed >> 32) as usize & (self.slots.len() - 1)
    }

    /// Value to go inside the window (alpha, beta): exact inside, a bound outside. `total` points are still to be taken.
    fn value(
        &mut self,
        t: usize,
        hands: [u64; 3],
        table: u64,
        total: i32,
        window: (i32, i32),
    ) -> Result<i32, Error> {
        let (mut alpha, mut beta) = window;
        let Some(drawn) = self.open.yama.get(t) else { return Ok(0) };
        if total <= alpha {
            return Ok(total);
        }
        if beta <= 0 {
            return Ok(0);
        }
        let hidden = hands[0] | hands[1] | hands[2] | self.undrawn[t];
        let deep = t + 1 < self.open.yama.len();
        let slot = self.slot(hidden, table);
        let (mut low, mut high) = (0, total);
        if deep {
            let [a, b] = self.slots[slot];
            if a & KEY == hidden && b & KEY == table {
                (low, high) = ((a >> 48) as i32, (b >> 48) as i32);
                if low >= beta || low == high {
                    return Ok(low);
                }
                if high <= alpha {
                    return Ok(high);
                }
                alpha = alpha.max(low - 1);
                beta = beta.min(high + 1);
            }
        }
        self.budget.spend(1)?;
        let mover = t % 3;
        let mine = mover == self.seat;
        let first = self.turns.len();
        results(hands[mover], table, drawn.bit(), self.open.sweep, &mut self.turns);
        // What is taken now comes first; of the rest, what offers least.
        self.turns[first..].sort_unstable_by_key(|turn| points(turn.table & !table) - 2 * turn.worth);
        let mut best = if mine { -1 } else { i32::MAX };
        let (mut a, mut b) = (alpha, beta);
        for i in first..self.turns.len() {
            let turn = self.turns[i];
            let mut next = hands;
            next[mover] = turn.hand;
            let (left, worth) = (total - turn.worth, if mine { turn.worth } else { 0 });
            let mut value = 0;
            // Scout with an empty window first; the first turn is nearly always the best one.
            let mut settled = false;
            if i > first && b - a > 1 {
                let (low, high) = if mine { (a, a + 1) } else { (b - 1, b) };
                value = worth + self.value(t + 1, next, turn.table, left, (low - worth, high - worth))?;
                settled = if mine { value <= a } else { value >= b };
            }
            if !settled {
                value = worth + self.value(t + 1, next, turn.table, left, (a - worth, b - worth))?;
            }
            if mine {
                best = best.max(value);
                a = a.max(best);
            } else {
                best = best.min(value);
                b = b.min(best);
            }
            if a >= b {
                break;
            }
        }
        self.turns.truncate(first);
        if deep {
            if best > alpha {
                low = best;
            }
            if best < beta {
                high = best;
            }
            self.slots[slot] = [hidden | (low as u64) << 48, table | (high as u64) << 48];
        }
        Ok(best)
    }
}

/// Adds all results of a turn that differ for somebody who counts points.
pub(crate) fn results(hand: u64, table: u64, drawn: u64, sweep: bool, all: &mut Vec<Outcome>) {
    let mut add = |hand: u64, laid: Laid| {
        for after in lay(laid.table, drawn, sweep, same_points).as_slice() {
            let (gained, worth) = (laid.gained | after.gained, laid.worth + after.worth);
            all.push(Outcome { hand, table: after.table, gained, worth });
        }
    };
    if hand == 0 {
        add(0, Laid { table, gained: 0, worth: 0 });
        return;
    }
    let mut rest = hand;
    while rest != 0 {
        let card = rest & rest.wrapping_neg();
        rest ^= card;
        if !has_twin_below(hand, card) {
            for &laid in lay(table, card, sweep, same_points).as_slice() {
                add(hand & !card, laid);
            }
        }
    }
}

/// Is a lower card of the same month and value in the hand? Then this one need not be tried.
pub(crate) fn has_twin_below(hand: u64, card: u64) -> bool {
    let month = crate::card::Cards::mates(crate::card::Card::lowest(card)).0;
    let mut below = hand & month & (card - 1);
    while below != 0 {
        let other = below & below.wrapping_neg();
        below ^= other;
        if same_points(other, card) {
            return true;
        }
    }
    false
}

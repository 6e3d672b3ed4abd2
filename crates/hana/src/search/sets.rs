//! Which of its hand cards a seat can guarantee together: and/or search, one seat against both others.
//!
//! Whether and what a card takes depends only on its own month. So only the months of the wanted cards are looked at; all other cards of a
//! hand are *fillers* that do nothing but pass the time. That makes the search small, and complete for the full deck.

use super::open::{Open, lay, turns_of};
use crate::card::{Card, Cards};
use kachi_core::{Budget, Error};
use rustc_hash::FxHashMap;

/// An open position seen through the months of some cards: their places, and how many cards each hand has in all.
#[derive(Debug, Clone)]
pub(crate) struct View {
    pub(crate) hands: [u64; 3],
    pub(crate) counts: [usize; 3],
    pub(crate) table: u64,
    /// Per turn the drawn card, or 0 if it is of no interest.
    pub(crate) yama: Vec<u64>,
    pub(crate) sweep: bool,
}

impl View {
    pub(crate) fn new(open: &Open, wanted: Cards) -> View {
        let months = wanted.iter().fold(0, |bits, card| bits | Cards::mates(card).0);
        View {
            hands: open.hands.map(|hand| hand.0 & months),
            counts: open.hands.map(|hand| hand.count() as usize),
            table: open.table.0 & months,
            yama: open.yama.iter().map(|card| card.bit() & months).collect(),
            sweep: open.sweep,
        }
    }
}

/// Can `seat` take all of `wanted`, whatever the others do?
///
/// # Errors
/// `out_of_budget`.
pub fn guarantees(open: &Open, seat: usize, wanted: Cards, budget: &mut Budget<'_>) -> Result<bool, Error> {
    secures(&View::new(open, wanted), seat, wanted, budget)
}

/// The same on a view.
pub(crate) fn secures(
    view: &View,
    seat: usize,
    wanted: Cards,
    budget: &mut Budget<'_>,
) -> Result<bool, Error> {
    let undrawn =
        (0..=view.yama.len()).map(|t| view.yama[t..].iter().fold(0, |bits, card| bits | card)).collect();
    let room = (budget.limits().bytes / ENTRY_BYTES) as usize;
    let mut search =
        Search { view, seat, wanted: wanted.0, undrawn, known: FxHashMap::default(), room, budget };
    search.holds(0, view.hands, view.table)
}

/// A cautious bound for the memory of one remembered state.
const ENTRY_BYTES: u64 = 64;

struct Search<'a, 'b> {
    view: &'a View,
    seat: usize,
    wanted: u64,
    undrawn: Vec<u64>,
    known: FxHashMap<(u64, u64), bool>,
    room: usize,
    budget: &'a mut Budget<'b>,
}

impl Search<'_, '_> {
    /// Cards of a hand at turn `t`: everybody throws one a turn while he has any.
    fn held(&self, player: usize, t: usize) -> usize {
        self.view.counts[player].saturating_sub(turns_of(t, player))
    }

    fn holds(&mut self, t: usize, hands: [u64; 3], table: u64) -> Result<bool, Error> {
        let out = hands[0] | hands[1] | hands[2] | self.undrawn[t.min(self.undrawn.len() - 1)];
        if (out | table) & self.wanted == 0 {
            return Ok(true);
        }
        let Some(&drawn) = self.view.yama.get(t) else { return Ok(false) };
        // The turn is told by the top bits; 48 bits are cards.
        let key = (out | (t as u64) << 48, table);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        self.budget.spend(1)?;
        let mover = t % 3;
        let mine = mover == self.seat;
        let hand = hands[mover];
        let mut answer = !mine;
        let filler = self.held(mover, t) > hand.count_ones() as usize || self.held(mover, t) == 0;
        let mut throws = if filler { Some(0) } else { None };
        let mut rest = hand;
        'turn: loop {
            let throw = match throws.take() {
                Some(throw) => throw,
                None if rest == 0 => break,
                None => {
                    let card = rest & rest.wrapping_neg();
                    rest ^= card;
                    if self.has_twin_below(hand, card) {
                        continue;
                    }
                    card
                }
            };
            if self.after_throw(t, hands, table, throw, drawn, mine)? == mine {
                answer = mine;
                break 'turn;
            }
        }
        if self.known.len() < self.room {
            self.known.insert(key, answer);
        }
        Ok(answer)
    }

    /// The best for the mover after throwing a card (or a filler, 0).
    fn after_throw(
        &mut self,
        t: usize,
        hands: [u64; 3],
        table: u64,
        throw: u64,
        drawn: u64,
        mine: bool,
    ) -> Result<bool, Error> {
        let mut next = hands;
        next[t % 3] &= !throw;
        let wanted = self.wanted;
        let same = |a: u64, b: u64| (a & wanted == 0) == (b & wanted == 0) && (a | b) & wanted == 0;
        for laid in moves(table, throw, self.view.sweep, same) {
            for after in moves(laid.0, drawn, self.view.sweep, same) {
                let lost = !mine && (laid.1 | after.1) & wanted != 0;
                if (!lost && self.holds(t + 1, next, after.0)?) == mine {
                    return Ok(mine);
                }
            }
        }
        Ok(!mine)
    }

    /// Cards of one month that are not wanted are not told apart.
    fn has_twin_below(&self, hand: u64, card: u64) -> bool {
        let month = Cards::mates(Card::lowest(card)).0;
        card & self.wanted == 0 && hand & month & (card - 1) & !self.wanted != 0
    }
}

/// The tables and gains that laying a card (or nothing) leads to.
fn moves(
    table: u64,
    card: u64,
    sweep: bool,
    same: impl Fn(u64, u64) -> bool,
) -> impl Iterator<Item = (u64, u64)> {
    let laid = if card == 0 { None } else { Some(lay(table, card, sweep, same)) };
    let none = laid.is_none().then_some((table, 0));
    let list: Vec<(u64, u64)> = laid
        .map(|few| few.as_slice().iter().map(|laid| (laid.table, laid.gained)).collect())
        .unwrap_or_default();
    none.into_iter().chain(list)
}

/// All maximal sets of hand cards that `seat` can guarantee, smaller ones first, then in order of the cards.
///
/// # Errors
/// `out_of_budget`.
pub fn maximal(open: &Open, seat: usize, budget: &mut Budget<'_>) -> Result<Vec<Cards>, Error> {
    let hand: Vec<Card> = open.hands[seat].iter().collect();
    let subsets = 1_usize << hand.len().min(16);
    let pick = |mask: usize| -> Cards {
        hand.iter().enumerate().filter(|&(i, _)| mask >> i & 1 == 1).map(|(_, &card)| card).collect()
    };
    let mut safe = vec![false; subsets];
    let mut order: Vec<usize> = (0..subsets).collect();
    order.sort_by_key(|&mask| (mask.count_ones(), mask));
    for &mask in &order {
        let parts_safe = (0..hand.len()).filter(|i| mask >> i & 1 == 1).all(|i| safe[mask & !(1 << i)]);
        safe[mask] = mask == 0 || (parts_safe && guarantees(open, seat, pick(mask), budget)?);
    }
    let is_maximal =
        |mask: usize| safe[mask] && (0..hand.len()).all(|i| mask >> i & 1 == 1 || !safe[mask | 1 << i]);
    Ok(order.into_iter().filter(|&mask| mask != 0 && is_maximal(mask)).map(pick).collect())
}

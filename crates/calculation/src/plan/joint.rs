//! What pairs cannot see: foundations that are in each other's way only three or four at a time. The last unseen cards of every foundation, at first the kings,
//! make a small stack game of their own. Solved exactly and set against what the product formula says about it, it corrects the formula. A part of the cards of a
//! game that can be won can be won, so a plan whose last cards cannot all be stacked is worth nothing.

use super::order::{Order, Slot};
use super::shape::Shape;
use crate::position::MOST_FOUNDATIONS;
use crate::theory::poset::{Games, Poset};
use rustc_hash::FxHashMap;

/// Most last cards of each foundation that are looked at together with those of the others.
pub const MOST_LAST: usize = 2;

const MOST_CARDS: usize = MOST_LAST * MOST_FOUNDATIONS;

/// The game of the last cards, in bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Last {
    cards: u8,
    /// The foundation of each card, two bits each.
    foundations: u16,
    /// The cards that leave before each card.
    before: [u8; MOST_CARDS],
    /// The stacks on which each card may not be put.
    forbidden: [u8; MOST_CARDS],
}

/// Corrections, with those that were worked out before.
#[derive(Debug, Default)]
pub(super) struct Joint {
    known: FxHashMap<Last, f32>,
    games: Games,
}

impl Joint {
    /// By what the value of the product formula is to be multiplied, looking at the last so many cards of every foundation.
    #[inline]
    pub(super) fn correction(&mut self, shape: &Shape, order: &Order, last: usize) -> f64 {
        let last = Last::of(shape, order, last);
        // Two cards are seen by the pairs.
        if last.cards < 3 {
            return 1.0;
        }
        let games = &mut self.games;
        f64::from(*self.known.entry(last).or_insert_with(|| last.correction(shape.stacks, games) as f32))
    }
}

impl Last {
    #[inline]
    fn of(shape: &Shape, order: &Order, most: usize) -> Last {
        let mut last = Last::default();
        let mut slots = [Slot::new(0, 0); MOST_CARDS];
        for f in 0..shape.foundations {
            let mut waiting = shape.waiting[f];
            let count = shape.count[f];
            for place in (0..count).rev().take(most.min(MOST_LAST)) {
                let slot = 15 - waiting.leading_zeros() as usize;
                waiting &= !(1 << slot);
                let card = usize::from(last.cards);
                slots[card] = Slot::new(f, slot);
                let cuts = shape.cuts[f][..shape.stacks].iter().enumerate();
                last.forbidden[card] = cuts.fold(0, |set, (s, &cut)| set | u8::from(cut <= place) << s);
                last.foundations |= (f as u16) << (2 * card);
                last.cards += 1;
            }
        }
        let cards = usize::from(last.cards);
        for y in 0..cards {
            for x in (0..cards).filter(|&x| x != y) {
                last.before[y] |= u8::from(order.precedes(slots[x], slots[y])) << x;
            }
        }
        last
    }

    fn foundation(&self, card: usize) -> usize {
        usize::from(self.foundations >> (2 * card) & 3)
    }

    /// The exact chance of the game over what the product formula says about it.
    #[cold]
    fn correction(&self, stacks: usize, games: &mut Games) -> f64 {
        let exact = self.chance(stacks, games, |_| true);
        if exact == 0.0 {
            return 0.0;
        }
        let waits = |&f: &usize| (0..usize::from(self.cards)).any(|card| self.foundation(card) == f);
        let all: Vec<usize> = (0..MOST_FOUNDATIONS).filter(waits).collect();
        let mut formula = 1.0;
        for (i, &f) in all.iter().enumerate() {
            formula /= self.chance(stacks, games, |of| of == f).powi(all.len() as i32 - 2);
            for &g in &all[..i] {
                formula *= self.chance(stacks, games, |of| of == f || of == g);
            }
        }
        exact / formula
    }

    /// The exact chance of the cards of some foundations alone.
    fn chance(&self, stacks: usize, games: &mut Games, of: impl Fn(usize) -> bool) -> f64 {
        let cards: Vec<usize> =
            (0..usize::from(self.cards)).filter(|&card| of(self.foundation(card))).collect();
        let before = |y: usize| (0..cards.len()).filter(|&x| self.before[y] >> cards[x] & 1 == 1).collect();
        let forbidden = |card: usize| (0..stacks).filter(|&s| self.forbidden[card] >> s & 1 == 1).collect();
        let down: Vec<Vec<usize>> = cards.iter().map(|&card| before(card)).collect();
        let forbidden: Vec<Vec<usize>> = cards.iter().map(|&card| forbidden(card)).collect();
        // The order of a plan has no cycle, so this never fails.
        Poset::new(stacks, &down, &forbidden).map_or(0.0, |game| games.chance(&game))
    }
}

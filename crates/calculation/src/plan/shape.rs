//! The stack game of a plan: which unseen cards must be stacked, on which stacks they may not go, and the words of every two
//! foundations. All loops run over the sixteen slots of a row, without branches, for the sake of wide registers.

use super::Plan;
use super::order::{Order, ROW, Slot};
use crate::position::{MOST_FOUNDATIONS, MOST_RANKS, MOST_STACKS};
use crate::rules::Rules;
use crate::theory::TwoChains;
use crate::theory::chains::sort;

/// Finds the shapes of plans of one game.
pub(super) struct Shapes {
    rules: Rules,
    /// For every set of slots, how many lie below each slot.
    below: Vec<[u8; ROW]>,
}

/// The unseen cards of a plan that must be stacked, and where they may not go.
pub(super) struct Shape {
    pub(super) stacks: usize,
    pub(super) foundations: usize,
    /// Slots by foundation, as bits.
    pub(super) waiting: [u16; MOST_FOUNDATIONS],
    /// How many of them lie below each slot.
    below: [[u8; ROW]; MOST_FOUNDATIONS],
    /// How many there are.
    pub(super) count: [u8; MOST_FOUNDATIONS],
    /// The first forbidden card, by foundation and stack.
    pub(super) cuts: [[u8; MOST_STACKS]; MOST_FOUNDATIONS],
    /// The chance that the cards which no stack takes come in time: 1 without such cards, 0 when they count as lost.
    pub(super) in_time: f64,
}

impl Shapes {
    /// For plans of this game.
    pub(super) fn new(rules: &Rules) -> Shapes {
        let below = (0..1_u32 << MOST_RANKS)
            .map(|set| std::array::from_fn(|slot| (set & ((1 << slot) - 1)).count_ones() as u8))
            .collect();
        Shapes { rules: rules.clone(), below }
    }

    /// The unseen cards and their cuts. With `tails`, cards that may go on no stack are left out and must come in time.
    #[inline(always)]
    pub(super) fn of(&self, plan: &Plan, tails: bool) -> Shape {
        let all = (1_u32 << self.rules.ranks()) - 1;
        let stacks = self.rules.stacks();
        let mut shape = Shape {
            stacks,
            foundations: self.rules.foundations(),
            waiting: [0; MOST_FOUNDATIONS],
            below: [[0; ROW]; MOST_FOUNDATIONS],
            count: [0; MOST_FOUNDATIONS],
            cuts: [[0; MOST_STACKS]; MOST_FOUNDATIONS],
            in_time: 1.0,
        };
        let tops: [Option<Slot>; MOST_STACKS] =
            std::array::from_fn(|s| if s < stacks { plan.top(s) } else { None });
        for f in 0..shape.foundations {
            let head = plan.heads[f];
            // The head itself is not part of the game: stacked it is no longer unseen, unseen it arrives last of all.
            let waiting = (all & !((2_u32 << head) - 1)) as u16 & !plan.stacked[f];
            let below = &self.below[usize::from(waiting)];
            let count = below[ROW - 1];
            shape.waiting[f] = waiting;
            shape.below[f] = *below;
            shape.count[f] = count;
            let mut most = 0;
            for (cut, top) in shape.cuts[f].iter_mut().zip(&tops).take(stacks) {
                *cut = match *top {
                    None => count,
                    Some(top) => below[plan.order.free_below(f, top).min(ROW - 1)],
                };
                most = most.max(*cut);
            }
            if most < count {
                if !tails {
                    shape.in_time = 0.0;
                    continue;
                }
                // The tail is left out of the stack game; nothing that stays is after it.
                let tail = below.iter().rposition(|&lower| lower == most).unwrap_or(0);
                shape.in_time *= self.tail_in_time(plan, f, waiting >> tail << tail);
                shape.waiting[f] = waiting & ((1 << tail) - 1);
                shape.below[f] = self.below[usize::from(shape.waiting[f])];
                shape.count[f] = most;
            }
        }
        shape
    }

    /// The chance that every card of a tail is drawn after all unseen cards that must leave before it. Along one
    /// foundation these sets grow, so the chances multiply; between foundations that is an estimate.
    #[cold]
    fn tail_in_time(&self, plan: &Plan, f: usize, tail: u16) -> f64 {
        let all = (1_u32 << self.rules.ranks()) - 1;
        let mut chance = 1.0;
        let mut rest = tail;
        while rest != 0 {
            let slot = rest.trailing_zeros() as usize % ROW;
            rest &= rest - 1;
            let mut before = 0;
            for g in 0..self.rules.foundations() {
                let unseen = (all & !((1_u32 << plan.heads[g]) - 1)) as u16 & !plan.stacked[g];
                before += self.below[usize::from(unseen)][usize::from(plan.order.row(f, g)[slot]) % ROW];
            }
            chance /= f64::from(before.max(1));
        }
        chance
    }
}

impl Shape {
    /// For every two foundations f and g the word of f: bit `i + v` stands for the i-th card of f when v cards of g must leave before it.
    #[inline(always)]
    pub(super) fn words(&self, order: &Order) -> [[u32; MOST_FOUNDATIONS]; MOST_FOUNDATIONS] {
        let mut words = [[0; MOST_FOUNDATIONS]; MOST_FOUNDATIONS];
        for (g, &waiting) in self.waiting.iter().enumerate().take(self.foundations) {
            let mut places = self.below;
            let mut rest = waiting;
            while rest != 0 {
                let card = rest.trailing_zeros() as i8;
                rest &= rest - 1;
                for (f, places) in places.iter_mut().enumerate() {
                    for (place, &length) in places.iter_mut().zip(order.row(f, g)) {
                        *place += u8::from(length as i8 > card);
                    }
                }
            }
            for f in 0..self.foundations {
                words[f][g] = word(self.waiting[f], &places[f]);
            }
        }
        words
    }

    /// The cuts of two foundations, stack by stack in one byte, sorted.
    #[inline(always)]
    pub(super) fn cuts_of_pair(&self, f: usize, g: usize) -> [u8; MOST_STACKS] {
        let mut cuts = [0; MOST_STACKS];
        let both = self.cuts[f].iter().zip(&self.cuts[g]);
        for (cut, (&a, &b)) in cuts.iter_mut().zip(both).take(self.stacks) {
            *cut = a << 4 | b;
        }
        sort(&mut cuts, self.stacks);
        cuts
    }

    /// One foundation's cards as a state of theory.
    pub(super) fn alone(&self, f: usize) -> TwoChains {
        let count = usize::from(self.count[f]);
        TwoChains::from_words(self.stacks, count, (1 << count) - 1, 0, self.cuts[f], [0; MOST_STACKS])
    }
}

/// The word whose bits are the places of the waiting slots.
#[inline(always)]
fn word(waiting: u16, places: &[u8; ROW]) -> u32 {
    let mut bits = [0; ROW];
    for (slot, (bit, &place)) in bits.iter_mut().zip(places).enumerate() {
        *bit = (u32::from(waiting) >> slot & 1) << (u32::from(place) & 31);
    }
    bits.iter().fold(0, |word, bit| word | bit)
}

//! Assignment plans: every stacked card gets a slot of its rank, every unseen card a slot that is left over. Under a plan
//! the rest of the game is a stack game on four chains; its chance is estimated by the chances of all pairs of chains
//! (Tanaka, "A calculation player program without using heuristic rules"; docs/theory/calculation-play.md, "Plans").
//!
//! | room | holds |
//! |---|---|
//! | [`order`] | which slots must leave before which |
//! | `shape` | the stack game of a plan as words and cuts |
//! | [`joint`] | what the product formula does not see: the last cards of all foundations together |
//! | [`value`] | the product formula: singles, pairs, and their source of chances |
//! | [`extend`] | what a move does to a list of plans |
//! | [`regenerate`] | plans of a position from scratch |
//! | [`logit`] | from plan values to win chances |

pub mod extend;
pub mod joint;
pub mod logit;
pub mod order;
pub mod regenerate;
mod shape;
pub mod value;

use crate::position::{Foundation, MOST_CARDS, MOST_FOUNDATIONS, MOST_STACKS, Position, Stack};
use crate::rules::{Move, Rules};
use order::{Order, Slot};

/// Where every stacked card will go, for one table.
#[derive(Debug, Clone)]
pub struct Plan {
    pub(crate) heads: [u8; MOST_FOUNDATIONS],
    pub(crate) lengths: [u8; MOST_STACKS],
    /// Slots of stacked cards, as bits by foundation.
    pub(crate) stacked: [u16; MOST_FOUNDATIONS],
    pub(crate) labels: [[Slot; MOST_CARDS]; MOST_STACKS],
    pub(crate) order: Order,
    /// Tells label vectors apart.
    pub(crate) hash: u64,
    /// What the product formula says, and from which factors.
    pub(crate) worth: value::Worth,
}

impl Plan {
    /// The plan of a table without stacked cards.
    pub fn bare(position: &Position) -> Plan {
        Plan {
            heads: *position.heads(),
            lengths: [0; MOST_STACKS],
            stacked: [0; MOST_FOUNDATIONS],
            labels: [[Slot::new(0, 0); MOST_CARDS]; MOST_STACKS],
            order: Order::new(),
            hash: 0,
            worth: value::Worth::default(),
        }
    }

    /// The plan that gives every card of the stacks the slot named for it, bottom first.
    ///
    /// # Errors
    /// The place (stack, height) of the first label that is played, taken, or closes a cycle.
    pub fn from_labels(position: &Position, labels: &[Vec<Slot>]) -> Result<Plan, (usize, usize, Refusal)> {
        let mut plan = Plan::bare(position);
        for (s, pile) in labels.iter().enumerate().take(MOST_STACKS) {
            for (height, &slot) in pile.iter().enumerate() {
                plan.push(s, slot).map_err(|refusal| (s, height, refusal))?;
            }
        }
        Ok(plan)
    }

    /// The slot of a stacked card.
    pub fn label(&self, stack: Stack, height: usize) -> Slot {
        self.labels[stack.index()][height]
    }

    /// What the product formula says: the value of the plan as last evaluated.
    pub fn value(&self) -> f64 {
        self.worth.value
    }

    /// The order of the slots under this plan.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// The slot of the top card of a stack.
    #[inline]
    pub(crate) fn top(&self, stack: usize) -> Option<Slot> {
        let length = usize::from(self.lengths[stack]);
        (length > 0).then(|| self.labels[stack][(length - 1) % MOST_CARDS])
    }

    /// Is the slot neither played nor promised to a stacked card?
    #[inline]
    pub(crate) fn is_free(&self, slot: Slot) -> bool {
        let f = slot.foundation();
        slot.index() >= usize::from(self.heads[f]) && self.stacked[f] >> slot.index() & 1 == 0
    }

    /// Puts a card with this slot on a stack.
    #[inline]
    pub(crate) fn push(&mut self, stack: usize, slot: Slot) -> Result<(), Refusal> {
        if !self.is_free(slot) {
            let f = slot.foundation();
            return Err(if slot.index() < usize::from(self.heads[f]) {
                Refusal::Played
            } else {
                Refusal::Taken
            });
        }
        if let Some(top) = self.top(stack)
            && !self.order.put(slot, top)
        {
            return Err(Refusal::Cycle);
        }
        self.note(stack, slot);
        Ok(())
    }

    /// May a card with this slot be put on the stack: is the slot free, and does nothing below it leave earlier?
    #[inline]
    pub(crate) fn accepts(&self, stack: usize, slot: Slot) -> bool {
        self.is_free(slot) && self.top(stack).is_none_or(|top| !self.order.precedes(top, slot))
    }

    /// Writes down a label on top of a stack; the order is the caller's business.
    #[inline]
    fn note(&mut self, stack: usize, slot: Slot) {
        let height = usize::from(self.lengths[stack]) % MOST_CARDS;
        self.labels[stack][height] = slot;
        self.lengths[stack] += 1;
        self.stacked[slot.foundation()] |= 1 << slot.index();
        self.hash = self.hash.wrapping_add(mark(stack, height, slot));
    }

    /// Takes the top card of a stack to its slot, which must be the head of its foundation.
    #[inline]
    pub(crate) fn pop(&mut self, stack: usize, slot: Slot) {
        let f = slot.foundation();
        self.lengths[stack] -= 1;
        let height = usize::from(self.lengths[stack]);
        self.heads[f] += 1;
        self.stacked[f] &= !(1 << slot.index());
        self.hash = self.hash.wrapping_sub(mark(stack, height, slot));
    }

    /// Plays an unseen card on foundation `f`; its slot must be free.
    #[inline]
    pub(crate) fn advance(&mut self, f: usize) {
        self.heads[f] += 1;
    }

    /// Makes all free moves that the labels allow; for a fixed plan such a move never lowers the chance.
    pub(crate) fn settle(&mut self, stacks: usize) -> bool {
        let mut moved = false;
        let mut s = 0;
        while s < stacks {
            match self.top(s) {
                Some(slot) if slot.index() == usize::from(self.heads[slot.foundation()]) => {
                    self.pop(s, slot);
                    moved = true;
                    s = 0;
                }
                _ => s += 1,
            }
        }
        moved
    }

    /// The place of the stacked card that holds this slot.
    pub(crate) fn holder(&self, slot: Slot) -> Option<(usize, usize)> {
        if self.stacked[slot.foundation()] >> slot.index() & 1 == 0 {
            return None;
        }
        (0..MOST_STACKS).find_map(|s| {
            let pile = &self.labels[s][..usize::from(self.lengths[s])];
            pile.iter().position(|&label| label == slot).map(|height| (s, height))
        })
    }

    /// Gives one stacked card another free slot and works the order out again; false when that closes a cycle.
    pub(crate) fn relabel(&mut self, (stack, height): (usize, usize), slot: Slot) -> bool {
        self.set_label((stack, height), slot);
        self.rebuild()
    }

    /// Changes one label; the order is the caller's business.
    fn set_label(&mut self, (stack, height): (usize, usize), slot: Slot) {
        let old = self.labels[stack][height];
        self.stacked[old.foundation()] &= !(1 << old.index());
        self.stacked[slot.foundation()] |= 1 << slot.index();
        self.hash = self.hash.wrapping_sub(mark(stack, height, old)).wrapping_add(mark(stack, height, slot));
        self.labels[stack][height] = slot;
    }

    /// Works the order out from the labels alone; false when it has a cycle.
    pub(crate) fn rebuild(&mut self) -> bool {
        self.order = Order::new();
        for s in 0..MOST_STACKS {
            let pile = &self.labels[s][..usize::from(self.lengths[s])];
            for pair in pile.windows(2) {
                if !self.order.put(pair[1], pair[0]) {
                    return false;
                }
            }
        }
        true
    }

    /// Does the plan speak about this table?
    pub fn fits(&self, rules: &Rules, position: &Position) -> bool {
        self.heads == *position.heads()
            && self.lengths == *position.lengths()
            && rules.all_stacks().all(|stack| {
                position.stack(stack).iter().enumerate().all(|(height, &rank)| {
                    let slot = self.label(stack, height);
                    rules.rank_at(slot.foundation(), slot.index()) == rank
                })
            })
    }

    /// The free move that takes the top of a stack to its slot, if it can be made now.
    pub fn ready(&self, stack: Stack) -> Option<Move> {
        let slot = self.top(stack.index())?;
        let f = slot.foundation();
        let ready = slot.index() == usize::from(self.heads[f]);
        ready.then_some(Move::Unload { stack, foundation: Foundation(f as u8) })
    }
}

/// Why a label was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The slot is already played.
    Played,
    /// Another card has the slot.
    Taken,
    /// A card below must leave before this one.
    Cycle,
}

/// A number for one label at one place; sums of them tell label vectors apart.
#[inline]
fn mark(stack: usize, height: usize, slot: Slot) -> u64 {
    let cell = ((stack * 64 + height) * 64 + slot.number()) as u64 + 1;
    let x = cell.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ (x >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x ^ (x >> 32)
}

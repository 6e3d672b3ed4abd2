//! Which inputs of the net a table sets. A stack says where its cards lie, which lie on which, and how far its upper
//! cards are from their turn; the table says how far the foundations are and what is unseen.

use crate::position::{MOST_FOUNDATIONS, MOST_RANKS, Position, Rank};
use crate::rules::Rules;

/// Cards seen one by one, from the top and from the bottom.
const DEPTHS: usize = 20;
/// Upper cards whose distances to their turns are seen.
const HEADS: usize = 8;
/// Distances 0 to 12, and "never": the slot is filled already.
const DISTANCES: usize = MOST_RANKS + 1;
const PAIRS: usize = MOST_RANKS * MOST_RANKS;

const HEIGHT_AT: usize = DEPTHS * MOST_RANKS;
const NEXT_AT: usize = 2 * DEPTHS * MOST_RANKS;
const ABOVE_AT: usize = NEXT_AT + PAIRS;
const AWAY_AT: usize = ABOVE_AT + PAIRS;
/// Where a stack's own inputs end and the table's begin.
pub(super) const TABLE_AT: usize = AWAY_AT + HEADS * MOST_FOUNDATIONS * DISTANCES;

const UNSEEN_AT: usize = MOST_FOUNDATIONS * (MOST_RANKS + 1);
const COUNTS: usize = MOST_FOUNDATIONS + 1;
const WANTED_AT: usize = UNSEEN_AT + MOST_RANKS * COUNTS;

/// Inputs of the whole table.
pub const TABLE_INPUTS: usize = WANTED_AT + MOST_RANKS;
/// Inputs of one stack: its own, and those of the table again.
pub const STACK_INPUTS: usize = TABLE_AT + TABLE_INPUTS;

/// Marks the inputs that a stack sets by itself: all below the table's.
pub fn mark_stack(
    rules: &Rules,
    heads: &[u8; MOST_FOUNDATIONS],
    stack: &[Rank],
    mut mark: impl FnMut(usize),
) {
    let height = stack.len();
    let (mut next, mut above, mut below) = ([0u16; MOST_RANKS], [0u16; MOST_RANKS], 0u16);
    for (place, &card) in stack.iter().enumerate() {
        let top = stack[height - 1 - place];
        if place < DEPTHS {
            mark(place * MOST_RANKS + top.index());
            mark(HEIGHT_AT + place * MOST_RANKS + card.index());
        }
        if place < HEADS {
            for (f, &head) in heads.iter().enumerate() {
                let away = rules.slot_of(f, top).checked_sub(usize::from(head)).unwrap_or(DISTANCES - 1);
                mark(AWAY_AT + (place * MOST_FOUNDATIONS + f) * DISTANCES + away);
            }
        }
        if let Some(under) = place.checked_sub(1) {
            next[card.index()] |= 1 << stack[under].index();
        }
        above[card.index()] |= below;
        below |= 1 << card.index();
    }
    for (upper, (&next, &above)) in next.iter().zip(&above).enumerate() {
        bits(next).for_each(|lower| mark(NEXT_AT + upper * MOST_RANKS + lower));
        bits(above).for_each(|lower| mark(ABOVE_AT + upper * MOST_RANKS + lower));
    }
}

/// Marks the inputs of the whole table.
pub fn mark_table(rules: &Rules, position: &Position, mut mark: impl FnMut(usize)) {
    let mut wanted = 0u16;
    for (f, &head) in position.heads().iter().enumerate() {
        mark(f * (MOST_RANKS + 1) + usize::from(head));
        if let Some(rank) = rules.next(f, usize::from(head)) {
            wanted |= 1 << rank.index();
        }
    }
    for (rank, &count) in position.unseen().iter().enumerate() {
        mark(UNSEEN_AT + rank * COUNTS + usize::from(count));
        if count > 0 && wanted >> rank & 1 == 1 {
            mark(WANTED_AT + rank);
        }
    }
}

fn bits(mut word: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        word &= word.wrapping_sub(1);
        (bit < 16).then_some(bit)
    })
}

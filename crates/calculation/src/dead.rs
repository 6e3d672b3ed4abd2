//! Positions that cannot be won any more, whatever order the unseen cards come in.
//!
//! A position is *dead* when its stacks cannot be unloaded even if every unseen card may be played at any moment.
//! That relaxation is exact: from an unloading one reads off an order of the deck in which every drawn card is
//! played at once. Two exchange arguments keep the search short (docs/theory/calculation-play.md, "Dead positions"):
//!
//! * a stack top serves as well as an unseen card of its rank, since the unseen card can fill the other place later;
//! * a card may be played at once when all other copies that are still needed are unseen.

use crate::position::{MOST_FOUNDATIONS, MOST_RANKS, MOST_STACKS, Position, Stack};
use crate::rules::Rules;

/// Steps that players spend on one position; a position that needs more counts as alive.
pub const STEPS: u32 = 400;

/// What is known about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// No order of the deck wins.
    Dead,
    /// Some order of the deck wins.
    Alive,
    /// The steps did not suffice.
    Unknown,
}

/// Alternatives kept for later; more are forgotten, and the verdict then cannot be `Dead`.
const MOST_OPEN: usize = 40;

/// A table during unloading, packed for cheap copies.
#[derive(Clone, Copy)]
struct Table {
    heads: [u8; MOST_FOUNDATIONS],
    lengths: [u8; MOST_STACKS],
    cards: [Copies; MOST_RANKS + 3],
}

/// How many cards of a rank are unseen and how many lie on stacks, in four bits each: all that are not played.
#[derive(Clone, Copy, Default)]
struct Copies(u8);

impl Copies {
    const UNSEEN: u8 = 1;
    const STACKED: u8 = 16;

    #[inline]
    fn unseen(self) -> u8 {
        self.0 % Copies::STACKED
    }

    #[inline]
    fn stacked(self) -> u8 {
        self.0 / Copies::STACKED
    }
}

/// One way to serve a foundation: from the top of a stack, or from the deck.
#[derive(Clone, Copy)]
struct Serve {
    foundation: u8,
    stack: Option<u8>,
}

/// Is the position proved dead within the usual number of steps?
pub fn is_dead(rules: &Rules, position: &Position) -> bool {
    judge(rules, position, STEPS) == Verdict::Dead
}

/// Searches for an unloading for at most `steps` steps. A drawn card that waits to be placed counts as unseen.
///
/// ```
/// use calculation::dead::{Verdict, judge};
/// use calculation::notation;
/// let (rules, position) = notation::read("A234/KA").unwrap();
/// assert_eq!(judge(&rules, &position, 400), Verdict::Alive);
/// // No ace can be reached before a king has left, and no king leaves before its foundation has an ace.
/// let (rules, position) = notation::read("A234/AAAAKKKK").unwrap();
/// assert_eq!(judge(&rules, &position, 400), Verdict::Dead);
/// ```
pub fn judge(rules: &Rules, position: &Position, steps: u32) -> Verdict {
    search::<false>(rules, position, steps)
}

/// As [`judge`], for searches that need the truth rather than a quick opinion: tables that were met before are not searched again, which takes longer for
/// each of them but ends much sooner where many orders of the same moves lead nowhere.
pub fn judge_thoroughly(rules: &Rules, position: &Position, steps: u32) -> Verdict {
    search::<true>(rules, position, steps)
}

/// Places for tables that were met; a newer one takes the place of an older one.
const MOST_MET: usize = 256;

fn search<const REMEMBER: bool>(rules: &Rules, position: &Position, steps: u32) -> Verdict {
    // A table is told by heads and lengths, at least one of which is not 0.
    let mut met = [0_u64; MOST_MET];
    let mut table =
        Table { heads: *position.heads(), lengths: *position.lengths(), cards: Default::default() };
    for (copies, unseen) in table.cards.iter_mut().zip(position.unseen()) {
        copies.0 = unseen * Copies::UNSEEN;
    }
    if let Some(drawn) = position.drawn() {
        table.cards[drawn.index()].0 += Copies::UNSEEN;
    }
    for stack in rules.all_stacks() {
        position.stack(stack).iter().for_each(|card| table.cards[card.index()].0 += Copies::STACKED);
    }
    let mut open = [table; MOST_OPEN];
    let mut waiting = 0;
    let mut forgotten = false;
    for _ in 0..steps {
        let mut tops = [None; MOST_STACKS];
        let mut height = 0;
        for (s, top) in tops.iter_mut().enumerate().take(rules.stacks()) {
            let length = usize::from(table.lengths[s]);
            height += length;
            if length > 0 {
                *top = Some(position.stack(Stack(s as u8))[length - 1]);
            }
        }
        if height == 0 {
            return Verdict::Alive;
        }
        let mut choices = [Serve { foundation: 0, stack: None }; MOST_FOUNDATIONS * MOST_STACKS];
        let mut count = 0;
        let mut at_once = None;
        'foundations: for f in 0..rules.foundations() {
            let Some(rank) = rules.next(f, usize::from(table.heads[f])) else { continue };
            let copies = table.cards[rank.index()];
            let mut on_top = false;
            for (s, &top) in tops.iter().enumerate() {
                if top == Some(rank) {
                    on_top = true;
                    let serve = Serve { foundation: f as u8, stack: Some(s as u8) };
                    if copies.stacked() == 1 {
                        at_once = Some(serve);
                        break 'foundations;
                    }
                    choices[count] = serve;
                    count += 1;
                }
            }
            if !on_top && copies.unseen() > 0 {
                let serve = Serve { foundation: f as u8, stack: None };
                if copies.stacked() == 0 {
                    at_once = Some(serve);
                    break;
                }
                choices[count] = serve;
                count += 1;
            }
        }
        if let Some(serve) = at_once {
            table.serve(rules, serve);
            continue;
        }
        // All ways from a table that was met have been tried, or wait.
        if REMEMBER && count > 1 {
            let place = &mut met[table.place()];
            if *place == table.key() {
                count = 0;
            }
            *place = table.key();
        }
        if count == 0 {
            if waiting == 0 {
                return if forgotten { Verdict::Unknown } else { Verdict::Dead };
            }
            waiting -= 1;
            table = open[waiting];
            continue;
        }
        // Unloading is tried before the deck, and the alternatives wait in the opposite order.
        let pick = choices[..count].iter().position(|serve| serve.stack.is_some()).unwrap_or(0);
        for from_stack in [false, true] {
            for (i, &serve) in choices[..count].iter().enumerate().rev() {
                if i == pick || serve.stack.is_some() != from_stack {
                    continue;
                }
                if waiting == MOST_OPEN {
                    forgotten = true;
                    continue;
                }
                open[waiting] = table;
                open[waiting].serve(rules, serve);
                waiting += 1;
            }
        }
        table.serve(rules, choices[pick]);
    }
    Verdict::Unknown
}

impl Table {
    /// What tells it from the other tables of a search.
    #[inline]
    fn key(&self) -> u64 {
        let half = |bytes: [u8; 4]| u64::from(u32::from_le_bytes(bytes));
        half(self.heads) << 32 | half(self.lengths)
    }

    #[inline]
    fn place(&self) -> usize {
        (self.key().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize % MOST_MET
    }

    #[inline]
    fn serve(&mut self, rules: &Rules, serve: Serve) {
        let f = usize::from(serve.foundation);
        let copies = &mut self.cards[rules.rank_at(f, usize::from(self.heads[f])).index()];
        match serve.stack {
            Some(stack) => {
                self.lengths[usize::from(stack)] -= 1;
                copies.0 -= Copies::STACKED;
            }
            None => copies.0 -= Copies::UNSEEN,
        }
        self.heads[f] += 1;
    }
}

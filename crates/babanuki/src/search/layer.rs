//! One layer of the retrograde fixpoint: all shapes with the same number of seats and labels.
//!
//! Draws that discard the last copies of a label or send a seat out lead to finished layers; the others stay inside,
//! and there cycles occur. Strict guarantees start at the worst rank and only fall (what can be forced in finite time);
//! lenient ones start at the best and only rise (what can be ensured when endless play is allowed). Both fixpoints
//! are unique, so shapes may be swept in any order, by several threads at once.
//!
//! While a layer is worked on, a guarantee is a row of bits, "worse than rank k?" for every `k`; then the mover's choice
//! of the best draw is AND, the others' choice of the worst is OR, all seats and ranks at once. `LANES` words hold a
//! shape when one is too short.

use super::ranking::{Ranking, vectors};
use crate::position::Mode;
use crate::shape::{Classes, MOST_SEATS};
use std::sync::atomic::{AtomicU64, Ordering};

/// The guarantees of all shapes of a layer: one byte per shape and seat, strict in the low half, lenient in the high.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// Seats still in.
    pub seats: u8,
    /// Labels in play.
    pub labels: u32,
    /// By number of the count vector, then by joker seat, then by seat. Zero where a hand would be empty.
    pub values: Vec<u8>,
}

/// Finished layers, as a layer under work needs them.
pub(super) trait Below: Sync {
    fn layer(&self, seats: usize, labels: u32) -> Option<&Layer>;
}

/// How the work on one layer is spread.
const VECTORS_PER_TASK: usize = 4096;

/// The most classes of any layer that is ever solved: pairs of [`MOST_SEATS`] seats, or even sets of eight.
const MOST_CLASSES: usize = 128;

/// Words needed per shape while a layer is solved.
pub(super) fn lanes(seats: usize) -> usize {
    (2 * (seats - 1)).div_ceil(field(seats))
}

/// Bits per seat in one word.
fn field(seats: usize) -> usize {
    (64 / seats).min(2 * (seats - 1))
}

/// Can this many seats be solved at all?
pub(super) fn is_possible(seats: usize, mode: Mode) -> bool {
    (2..=MOST_SEATS).contains(&seats) && Classes::of(seats, mode).len() <= MOST_CLASSES
}

/// Solves a layer. `spend` is told how many shapes each sweep looks at, and may stop the work with an error.
pub(super) fn solve<E>(
    seats: usize,
    labels: u32,
    mode: Mode,
    below: &dyn Below,
    spend: &mut dyn FnMut(u64) -> Result<(), E>,
) -> Result<Layer, E> {
    match lanes(seats) {
        1 => Work::<1>::new(seats, labels, mode, below).run(spend),
        2 => Work::<2>::new(seats, labels, mode, below).run(spend),
        3 => Work::<3>::new(seats, labels, mode, below).run(spend),
        _ => Work::<4>::new(seats, labels, mode, below).run(spend),
    }
}

/// A draw of a label, in the numbering of the next mover.
struct LabelDraw {
    /// The class before the turn passes (index into the counts as they are).
    class: usize,
    /// Where the label's class is after the turn.
    from: usize,
    /// Its class after the draw and the turn; `None` if its last copies are discarded.
    to: Option<usize>,
    /// The class after the draw, before the turn.
    becomes: Option<usize>,
    pairs: bool,
}

/// Who leaves on a draw.
#[derive(Clone, Copy)]
struct Exit {
    victim: bool,
    mover: bool,
}

struct Work<'a, const LANES: usize> {
    seats: usize,
    labels: u32,
    mode: Mode,
    below: &'a dyn Below,
    classes: &'static Classes,
    ranking: Ranking,
    /// The class of a class after the turn.
    turn: Vec<usize>,
    draws: Vec<LabelDraw>,
    /// The bits of a guarantee byte that loses 0, 1 or 2 ranks to leavers.
    code: [Vec<u32>; 3],
    vectors: usize,
}

type Word<const LANES: usize> = [u64; LANES];

/// The counts of one vector and all that the sweeps need to know about it.
struct Here {
    counts: [u32; MOST_CLASSES],
    turned: [u32; MOST_CLASSES],
    down: [u64; MOST_CLASSES],
    up: [u64; MOST_CLASSES],
    /// The number of the turned vector.
    number: u64,
    /// Labels in each hand.
    hands: [u32; MOST_SEATS],
}

impl<'a, const LANES: usize> Work<'a, LANES> {
    fn new(seats: usize, labels: u32, mode: Mode, below: &'a dyn Below) -> Self {
        let classes = Classes::of(seats, mode);
        let turned = |mask: u16| (mask >> 1) | ((mask & 1) << (seats - 1));
        let turn: Vec<usize> =
            classes.masks.iter().map(|&mask| classes.class(turned(mask)).unwrap_or_default()).collect();
        let victim = 1_u16 << (seats - 1);
        let drawn = (0..classes.len()).filter(|&class| classes.masks[class] & victim != 0);
        let draws = drawn.map(|class: usize| {
            let mask = classes.masks[class];
            let becomes = classes.class((mask ^ 1) & !victim);
            let to = becomes.map(|class| turn[class]);
            LabelDraw { class, from: turn[class], to, becomes, pairs: mask & 1 == 1 }
        });
        let draws = draws.collect();
        let code = |leavers: u32| {
            let bits = |rank: u32| (1_u32 << (rank.max(1) - 1).min(seats as u32 - 1)) - 1;
            let both = |byte: u32| {
                let (strict, lenient) = (byte & 15, byte >> 4);
                bits(strict + leavers) | bits(lenient + leavers) << (seats - 1)
            };
            (0..256).map(both).collect()
        };
        Work {
            seats,
            labels,
            mode,
            below,
            classes,
            ranking: Ranking::new(classes.len(), labels),
            turn,
            draws,
            code: [code(0), code(1), code(2)],
            vectors: vectors(classes.len(), labels) as usize,
        }
    }

    fn run<E>(&self, spend: &mut dyn FnMut(u64) -> Result<(), E>) -> Result<Layer, E> {
        let shapes = self.vectors * self.seats;
        spend(shapes as u64)?;
        let mut exits = vec![0_u64; shapes * LANES];
        let block = VECTORS_PER_TASK * self.seats * LANES;
        tasks::over_chunks(&mut exits, block, |task, chunk| self.look_out(task, chunk));
        let worst = self.spread(self.code[0][self.seats | 1 << 4]);
        let values: Vec<AtomicU64> = (0..shapes * LANES).map(|i| AtomicU64::new(worst[i % LANES])).collect();
        let count = self.vectors.div_ceil(VECTORS_PER_TASK);
        // After the first sweep only vectors with a child that changed in the sweep before are looked at.
        let mut before: Option<Changes> = None;
        loop {
            spend(shapes as u64)?;
            let now = Changes::none(self.vectors);
            if !tasks::any(count, |task| self.sweep(task, &exits, &values, before.as_ref(), &now)) {
                break;
            }
            before = Some(now);
        }
        drop(exits);
        let mut bytes = vec![0_u8; shapes * self.seats];
        let block = VECTORS_PER_TASK * self.seats * self.seats;
        tasks::over_chunks(&mut bytes, block, |task, chunk| self.write_bytes(task, &values, chunk));
        Ok(Layer { seats: self.seats as u8, labels: self.labels, values: bytes })
    }

    /// The bits of one guarantee for all seats.
    fn spread(&self, code: u32) -> Word<LANES> {
        let mut word = [0; LANES];
        (0..self.seats).for_each(|seat| self.put(&mut word, seat, code));
        word
    }

    fn put(&self, word: &mut Word<LANES>, seat: usize, code: u32) {
        let field = field(self.seats);
        let mask = (1_u64 << field) - 1;
        for (lane, bits) in word.iter_mut().enumerate() {
            *bits |= ((u64::from(code) >> (lane * field)) & mask) << (seat * field);
        }
    }

    /// Visits the vectors of a task with their sizes worked out.
    fn visit(&self, task: usize, mut at: impl FnMut(usize, &mut Here)) {
        let start = task * VECTORS_PER_TASK;
        let end = (start + VECTORS_PER_TASK).min(self.vectors);
        let n = self.classes.len();
        let mut here = Here {
            counts: [0; MOST_CLASSES],
            turned: [0; MOST_CLASSES],
            down: [0; MOST_CLASSES],
            up: [0; MOST_CLASSES],
            number: 0,
            hands: [0; MOST_SEATS],
        };
        self.ranking.vector(start as u64, &mut here.counts[..n]);
        for vector in start..end {
            if vector > start {
                self.ranking.advance(&mut here.counts[..n]);
            }
            here.hands = [0; MOST_SEATS];
            for ((&mask, &count), &turn) in self.classes.masks.iter().zip(&here.counts).zip(&self.turn) {
                here.turned[turn] = count;
                if count > 0 {
                    let mut rest = mask;
                    while rest != 0 {
                        here.hands[rest.trailing_zeros() as usize] += count;
                        rest &= rest - 1;
                    }
                }
            }
            if here.hands[..self.seats].iter().filter(|&&hand| hand == 0).count() > 1 {
                continue;
            }
            here.number = self.ranking.slopes(&here.turned[..n], &mut here.down, &mut here.up);
            at(vector, &mut here);
        }
    }

    /// The joker seats with which every hand holds a card.
    fn jokers(&self, here: &Here) -> std::ops::Range<usize> {
        match here.hands[..self.seats].iter().position(|&hand| hand == 0) {
            Some(empty) => empty..empty + 1,
            None => 0..self.seats,
        }
    }

    /// Draws that leave the layer: their guarantees are known and do not change any more.
    fn look_out(&self, task: usize, chunk: &mut [u64]) {
        let first = task * VECTORS_PER_TASK;
        let choice = self.choice();
        self.visit(task, |vector, here| {
            for joker in self.jokers(here) {
                let (mut worst, mut best) = ([0; LANES], [u64::MAX; LANES]);
                let mut hear = |word: Word<LANES>| {
                    for lane in 0..LANES {
                        worst[lane] |= word[lane];
                        best[lane] &= word[lane];
                    }
                };
                let cards = |seat: usize| here.hands[seat] + u32::from(joker == seat);
                let (mover_cards, victim_cards) = (cards(0), cards(self.seats - 1));
                for draw in self.draws.iter().filter(|draw| here.counts[draw.class] > 0) {
                    let exit = Exit { victim: victim_cards == 1, mover: draw.pairs && mover_cards == 1 };
                    if exit.victim || exit.mover {
                        hear(self.leave(here, Some(draw), joker, exit));
                    } else if draw.to.is_none() {
                        let last = self.classes.len() - 1;
                        let number = here.number - (here.down[last] - here.down[draw.from]);
                        hear(self.lower_word(number, self.pass(joker)));
                    }
                }
                if joker == self.seats - 1 && victim_cards == 1 {
                    hear(self.leave(here, None, 0, Exit { victim: true, mover: false }));
                }
                let at = ((vector - first) * self.seats + joker) * LANES;
                for lane in 0..LANES {
                    chunk[at + lane] = (worst[lane] & !choice) | (best[lane] & choice);
                }
            }
        });
    }

    /// The mover's bits.
    fn choice(&self) -> u64 {
        (1 << field(self.seats)) - 1
    }

    /// A seat's number after the turn.
    fn pass(&self, seat: usize) -> usize {
        if seat == 0 { self.seats - 1 } else { seat - 1 }
    }

    /// The guarantees of a shape with one label less, for the seats as they are numbered now.
    fn lower_word(&self, number: u64, joker: usize) -> Word<LANES> {
        let mut word = [0; LANES];
        let Some(layer) = self.labels.checked_sub(1).and_then(|n| self.below.layer(self.seats, n)) else {
            return word;
        };
        let at = (number as usize * self.seats + joker) * self.seats;
        for seat in 0..self.seats {
            self.put(&mut word, seat, self.code[0][layer.values[at + self.pass(seat)] as usize]);
        }
        word
    }

    /// The guarantees after a draw on which somebody leaves.
    fn leave(&self, here: &Here, draw: Option<&LabelDraw>, joker: usize, exit: Exit) -> Word<LANES> {
        let mut counts = here.counts;
        let mut labels = self.labels;
        if let Some(draw) = draw {
            counts[draw.class] -= 1;
            match draw.becomes {
                Some(class) => counts[class] += 1,
                None => labels -= 1,
            }
        }
        let leavers = usize::from(exit.victim) + usize::from(exit.mover);
        let left = self.seats - leavers;
        let mut word = [0; LANES];
        if exit.victim {
            self.put(&mut word, self.seats - 1, self.code[0][0x11]);
        }
        if exit.mover {
            let rank = 1 + usize::from(exit.victim);
            self.put(&mut word, 0, self.code[0][rank << 4 | rank]);
        }
        // Where the seats that stay are after the turn: the next one first, the mover last.
        let place = |seat: usize| if seat == 0 { left - 1 } else { seat - 1 };
        let stays = |seat: usize| !(seat == 0 && exit.mover || seat == self.seats - 1 && exit.victim);
        let row = if left < 2 { None } else { self.row(&counts, labels, left, place(joker)) };
        for seat in (0..self.seats).filter(|&seat| stays(seat)) {
            let byte = row.map_or(0x11, |row| row[place(seat)]);
            self.put(&mut word, seat, self.code[leavers][byte as usize]);
        }
        word
    }

    /// The bytes of a shape with fewer seats; `counts` are still in the order of this layer's classes.
    fn row(&self, counts: &[u32; MOST_CLASSES], labels: u32, left: usize, joker: usize) -> Option<&'a [u8]> {
        let layer = self.below.layer(left, labels)?;
        let next = Classes::of(left, self.mode);
        let mut after = [0; MOST_CLASSES];
        for (&mask, &count) in self.classes.masks.iter().zip(counts).filter(|(_, count)| **count > 0) {
            let turned = (mask >> 1) | ((mask & 1) << (left - 1));
            after[next.class(turned)?] += count;
        }
        let mut sum = 0;
        let number = (0..next.len() - 1).fold(0, |number, k| {
            sum += after[k];
            // The share of a prefix sum does not depend on the number of labels or classes.
            number + self.ranking.share(k, sum)
        });
        let at = (number as usize * left + joker) * left;
        layer.values.get(at..at + left)
    }

    /// One pass over the vectors of a task; did anything change?
    fn sweep(
        &self,
        task: usize,
        exits: &[u64],
        values: &[AtomicU64],
        before: Option<&Changes>,
        now: &Changes,
    ) -> bool {
        let (field, choice) = (field(self.seats), self.choice());
        let (top, all) = (field * (self.seats - 1), low_bits(field * self.seats));
        let victim = self.seats - 1;
        let mut any = false;
        let mut inside: [(u64, bool); MOST_CLASSES] = [(0, false); MOST_CLASSES];
        self.visit(task, |vector, here| {
            let mut ways = 0;
            for draw in self.draws.iter().filter(|draw| here.counts[draw.class] > 0) {
                let Some(to) = draw.to else { continue };
                let number = if draw.from < to {
                    here.number - (here.down[to] - here.down[draw.from])
                } else {
                    here.number + (here.up[draw.from] - here.up[to])
                };
                inside[ways] = (number, draw.pairs);
                ways += 1;
            }
            let stale = |before: &Changes| {
                before.has(here.number) || inside[..ways].iter().any(|&(number, _)| before.has(number))
            };
            if !before.is_none_or(stale) {
                return;
            }
            let mut changed = false;
            for joker in self.jokers(here) {
                let at = (vector * self.seats + joker) * LANES;
                let (mut worst, mut best) = ([0; LANES], [0; LANES]);
                worst.copy_from_slice(&exits[at..at + LANES]);
                best.copy_from_slice(&exits[at..at + LANES]);
                let victim_stays = here.hands[victim] + u32::from(joker == victim) > 1;
                let mover_stays = here.hands[0] + u32::from(joker == 0) > 1;
                let mut hear = |number: u64, joker: usize| {
                    let child = (number as usize * self.seats + joker) * LANES;
                    for lane in 0..LANES {
                        let word = values[child + lane].load(Ordering::Relaxed);
                        let turned = ((word << field) | (word >> top)) & all;
                        worst[lane] |= turned;
                        best[lane] &= turned;
                    }
                };
                if victim_stays {
                    let next = self.pass(joker);
                    for &(number, pairs) in &inside[..ways] {
                        if !pairs || mover_stays {
                            hear(number, next);
                        }
                    }
                    if joker == victim {
                        hear(here.number, self.seats - 1);
                    }
                }
                for lane in 0..LANES {
                    let word = (worst[lane] & !choice) | (best[lane] & choice);
                    if values[at + lane].load(Ordering::Relaxed) != word {
                        values[at + lane].store(word, Ordering::Relaxed);
                        changed = true;
                    }
                }
            }
            if changed {
                now.note(vector);
                any = true;
            }
        });
        any
    }

    fn write_bytes(&self, task: usize, values: &[AtomicU64], chunk: &mut [u8]) {
        let first = task * VECTORS_PER_TASK;
        let field = field(self.seats);
        let strict_bits = low_bits(self.seats - 1) as u32;
        self.visit(task, |vector, here| {
            for joker in self.jokers(here) {
                let at = (vector * self.seats + joker) * LANES;
                let out = ((vector - first) * self.seats + joker) * self.seats;
                for seat in 0..self.seats {
                    let mut code = 0_u32;
                    for lane in 0..LANES {
                        let word = values[at + lane].load(Ordering::Relaxed);
                        let bits = (word >> (seat * field)) & low_bits(field);
                        code |= (bits as u32) << (lane * field);
                    }
                    let strict = 1 + (code & strict_bits).count_ones();
                    let lenient = 1 + (code & !strict_bits).count_ones();
                    chunk[out + seat] = (lenient << 4 | strict) as u8;
                }
            }
        });
    }
}

/// The vectors that changed in one sweep, one bit each.
struct Changes(Vec<AtomicU64>);

impl Changes {
    fn none(vectors: usize) -> Changes {
        Changes((0..vectors.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    fn note(&self, vector: usize) {
        self.0[vector / 64].fetch_or(1 << (vector % 64), Ordering::Relaxed);
    }

    fn has(&self, number: u64) -> bool {
        self.0[(number / 64) as usize].load(Ordering::Relaxed) >> (number % 64) & 1 == 1
    }
}

fn low_bits(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// Independent pieces of work, on all cores or one after the other.
mod tasks {
    #[cfg(feature = "parallel")]
    use rayon::prelude::*;

    /// Hands every chunk of `data` with its number to `work`.
    pub(super) fn over_chunks<T: Send>(data: &mut [T], size: usize, work: impl Fn(usize, &mut [T]) + Sync) {
        #[cfg(feature = "parallel")]
        data.par_chunks_mut(size).enumerate().for_each(|(task, chunk)| work(task, chunk));
        #[cfg(not(feature = "parallel"))]
        data.chunks_mut(size).enumerate().for_each(|(task, chunk)| work(task, chunk));
    }

    /// Runs all tasks; did one of them answer yes?
    pub(super) fn any(count: usize, work: impl Fn(usize) -> bool + Sync + Send) -> bool {
        #[cfg(feature = "parallel")]
        return (0..count).into_par_iter().map(work).reduce(|| false, |a, b| a | b);
        #[cfg(not(feature = "parallel"))]
        return (0..count).fold(false, |any, task| work(task) | any);
    }
}

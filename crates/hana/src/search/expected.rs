//! Guaranteed expectation when the hands are open but nobody knows the order of the YAMA: a chance node before each draw, uniform over what
//! is left. Values are exact: with k cards left the numerator over k! is a whole number, so nothing is ever divided.

use super::open::{Open, lay, same_points};
use super::points::has_twin_below;
use kachi_core::{Budget, Error};
use rustc_hash::FxHashMap;
use std::fmt;

/// A fraction of whole numbers, in lowest terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ratio {
    /// Above the line.
    pub numerator: u128,
    /// Below the line.
    pub denominator: u128,
}

impl Ratio {
    fn new(numerator: u128, denominator: u128) -> Ratio {
        let (mut a, mut b) = (numerator, denominator);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let divisor = a.max(1);
        Ratio { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    /// With nine decimals, rounded half up.
    #[must_use]
    pub fn rounded(self) -> f64 {
        const PLACES: u128 = 1_000_000_000;
        let scaled = (self.numerator * 2 * PLACES + self.denominator) / (2 * self.denominator);
        scaled as f64 / PLACES as f64
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            _ => write!(f, "{}/{}", self.numerator, self.denominator),
        }
    }
}

/// The longest YAMA for which 128 bits hold every numerator with room for rounding.
const MOST_TURNS: usize = 24;
/// A cautious bound for the memory of one remembered state.
const ENTRY_BYTES: u64 = 96;

struct Search<'a, 'b> {
    seat: usize,
    sweep: bool,
    factorial: Vec<u128>,
    turns: usize,
    known: FxHashMap<[u64; 3], u128>,
    room: usize,
    budget: &'a mut Budget<'b>,
}

/// The expected points that `seat` can guarantee from here on.
///
/// # Errors
/// `out_of_budget`; `too_large` for more than 24 cards in the YAMA.
pub fn expected(open: &Open, seat: usize, budget: &mut Budget<'_>) -> Result<Ratio, Error> {
    let turns = open.yama.len();
    if turns > MOST_TURNS {
        return Err(Error::too_large("cards of the YAMA", turns, MOST_TURNS).at_field("yama"));
    }
    let mut factorial: Vec<u128> = vec![1];
    for k in 1..=turns {
        factorial.push(factorial[k - 1] * k as u128);
    }
    let denominator = factorial[turns];
    let room = (budget.limits().bytes / ENTRY_BYTES) as usize;
    let sweep = open.sweep;
    let mut search = Search { seat, sweep, factorial, turns, known: FxHashMap::default(), room, budget };
    let numerator = search.value(open.hands.map(|hand| hand.0), open.table.0, open.undrawn(0))?;
    Ok(Ratio::new(numerator, denominator))
}

impl Search<'_, '_> {
    /// The value times k!, with k cards in the YAMA.
    fn value(&mut self, hands: [u64; 3], table: u64, yama: u64) -> Result<u128, Error> {
        let left = yama.count_ones() as usize;
        if left == 0 {
            return Ok(0);
        }
        let key = [hands[0] | hands[1] | hands[2], table, yama];
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        self.budget.spend(1)?;
        let mover = (self.turns - left) % 3;
        let mine = mover == self.seat;
        let hand = hands[mover];
        let mut best = None;
        let mut rest = hand;
        loop {
            let card = rest & rest.wrapping_neg();
            rest ^= card;
            if card == 0 || !has_twin_below(hand, card) {
                let mut next = hands;
                next[mover] = hand & !card;
                if card == 0 {
                    let value = self.drawn(next, table, yama, mover)?;
                    best = Some(better(best, value, mine));
                } else {
                    for laid in lay(table, card, self.sweep, same_points).as_slice() {
                        let gain = if mine { laid.worth as u128 * self.factorial[left] } else { 0 };
                        let value = gain + self.drawn(next, laid.table, yama, mover)?;
                        best = Some(better(best, value, mine));
                    }
                }
            }
            if rest == 0 {
                break;
            }
        }
        let best = best.unwrap_or(0);
        if self.known.len() < self.room {
            self.known.insert(key, best);
        }
        Ok(best)
    }

    /// The sum over all cards that may be drawn.
    fn drawn(&mut self, hands: [u64; 3], table: u64, yama: u64, mover: usize) -> Result<u128, Error> {
        let mine = mover == self.seat;
        let left = yama.count_ones() as usize;
        let mut sum = 0;
        let mut rest = yama;
        while rest != 0 {
            let card = rest & rest.wrapping_neg();
            rest ^= card;
            if has_twin_below(yama, card) {
                continue;
            }
            let twins = twins(yama, card);
            let mut best = None;
            for laid in lay(table, card, self.sweep, same_points).as_slice() {
                let gain = if mine { laid.worth as u128 * self.factorial[left - 1] } else { 0 };
                let value = gain + self.value(hands, laid.table, yama & !card)?;
                best = Some(better(best, value, mine));
            }
            sum += best.unwrap_or(0) * u128::from(twins);
        }
        Ok(sum)
    }
}

fn better(best: Option<u128>, value: u128, mine: bool) -> u128 {
    match best {
        None => value,
        Some(best) if mine => best.max(value),
        Some(best) => best.min(value),
    }
}

/// How many cards of a set have the month and value of `card`.
fn twins(set: u64, card: u64) -> u32 {
    let month = crate::card::Cards::mates(crate::card::Card::lowest(card)).0;
    crate::card::Cards(set & month).iter().filter(|other| same_points(other.bit(), card)).count() as u32
}

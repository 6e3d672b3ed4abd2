//! Three simple players: `random` (all answers equally likely), `greedy` (most points at once, then cards that dekiyaku want), and `hold`
//! (greedy, but as biki never throws the card it holds while another is left, so by the BIKI theorem it takes that card).

use super::Player;
use crate::card::{Card, Cards};
use crate::house::{House, Three};
use crate::month::{Ask, Decision, Month};
use crate::yaku;
use kachi_core::random::Dealer;

/// All answers equally likely.
#[derive(Debug, Clone)]
pub struct Random {
    dealer: Dealer,
    bits: u64,
}

impl Random {
    /// With a seed.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random { dealer: Dealer::new(seed), bits: 1 }
    }

    /// A number below `bound` (at most 48), from 16 bits of a random word.
    fn below(&mut self, bound: u32) -> u32 {
        if self.bits >> 16 == 0 {
            self.bits = self.dealer.word() | 1 << 63;
        }
        let share = (self.bits & 0xffff) as u32;
        self.bits >>= 16;
        (share * bound) >> 16
    }

    /// The answer; it looks at nothing but the question.
    pub fn answer(&mut self, ask: Ask) -> Decision {
        match ask {
            Ask::Throw { from, .. } | Ask::Take { from, .. } => {
                let mut bits = from.0;
                for _ in 0..self.below(from.count()) {
                    bits &= bits - 1;
                }
                Decision::Card(Card::lowest(bits))
            }
            _ => Decision::Say(self.below(2) == 1),
        }
    }
}

impl Player for Random {
    fn decide(&mut self, _: &Month, ask: Ask) -> Decision {
        self.answer(ask)
    }
}

/// Most points at once, then what dekiyaku want.
#[derive(Debug, Clone, Copy, Default)]
pub struct Greedy;

/// Points of a hand with which a greedy player plays when he may drop.
const WORTH_PLAYING: i64 = 20;

impl Greedy {
    /// The answer.
    #[must_use]
    pub fn answer(seen: &Month, ask: Ask) -> Decision {
        let house = seen.house();
        match ask {
            Ask::Active { seat } => {
                let hand = seen.dealt(seat);
                Decision::Say(hand.points() >= WORTH_PLAYING || house.teyaku_of(hand).kan > 0)
            }
            Ask::Cancel { .. } => Decision::Say(false),
            Ask::Shobu { .. } => Decision::Say(true),
            Ask::Throw { from, .. } => Decision::Card(best(from, |card| throw_score(seen, house, card))),
            Ask::Take { from, .. } => Decision::Card(best(from, |card| gain(house, card.alone()))),
        }
    }
}

impl Player for Greedy {
    fn settings(&self) -> String {
        format!("plays with {WORTH_PLAYING} points")
    }

    fn decide(&mut self, seen: &Month, ask: Ask) -> Decision {
        Greedy::answer(seen, ask)
    }
}

/// The card with the largest score, the lowest of equals.
fn best(from: Cards, score: impl Fn(Card) -> i64) -> Card {
    let mut cards = from.iter();
    let first = cards.next().unwrap_or_else(|| Card::lowest(1));
    cards
        .fold((first, score(first)), |best, card| {
            let score = score(card);
            if score > best.1 { (card, score) } else { best }
        })
        .0
}

/// Points count eightfold, a card that dekiyaku want once more.
fn gain(house: &House, cards: Cards) -> i64 {
    let wanted = cards.iter().filter(|&card| yaku::wanted(house.dekiyaku, card)).count();
    8 * cards.points() + 2 * wanted as i64
}

fn throw_score(seen: &Month, house: &House, card: Card) -> i64 {
    let mates = seen.table() & Cards::mates(card);
    match mates.count() {
        0 => -card.value(),
        3 if house.three == Three::Sweep => gain(house, mates.with(card)),
        _ => {
            gain(house, card.alone()) + mates.iter().map(|mate| gain(house, mate.alone())).max().unwrap_or(0)
        }
    }
}

/// Greedy, except that as biki he holds one card to the end.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hold {
    card: Option<Card>,
}

impl Hold {
    /// Holds the most valuable card of the hand dealt to him.
    #[must_use]
    pub fn new() -> Hold {
        Hold::default()
    }

    /// Holds this card.
    #[must_use]
    pub fn card(card: Card) -> Hold {
        Hold { card: Some(card) }
    }
}

impl Player for Hold {
    fn settings(&self) -> String {
        format!("holds one card, otherwise {}", Greedy.settings())
    }

    fn decide(&mut self, seen: &Month, ask: Ask) -> Decision {
        if let Ask::Throw { player: 2, from } = ask {
            let held = self.card.filter(|&card| from.has(card)).unwrap_or_else(|| best(from, Card::value));
            self.card = Some(held);
            let others = from.without(held);
            if !others.is_empty() {
                return Greedy::answer(seen, Ask::Throw { player: 2, from: others });
            }
        }
        Greedy::answer(seen, ask)
    }
}

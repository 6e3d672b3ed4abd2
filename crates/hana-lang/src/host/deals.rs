//! What is dealt in a month: hands in order from the oya, the table, the YAMA, and the order in which the YAMA is drawn.

use hana::card::{Card, Cards, DECK};
use hana::field::redeal;
use hana::month::deal;
use hana::season::shuffled;

/// Most seats.
pub const SEATS: usize = hana::month::SEATS;

/// Cards as bits, card id by card id.
#[must_use]
pub fn bits(cards: Cards) -> u64 {
    cards.iter().fold(0, |bits, card| bits | 1 << card.id())
}

/// Bits as cards; bits beyond the deck are ignored.
#[must_use]
pub fn cards(bits: u64) -> Cards {
    let mut rest = bits;
    std::iter::from_fn(move || {
        (rest != 0).then(|| {
            let id = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            id
        })
    })
    .filter_map(Card::from_id)
    .collect()
}

/// A deal, as bits. The deck may be a reduced one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deal {
    /// The hands, from the oya on.
    pub hands: [u64; SEATS],
    /// The face-up cards in the middle.
    pub table: u64,
    /// The stock.
    pub yama: u64,
    /// The order in which cards are drawn from whatever the YAMA will be: ids, each at most once.
    pub order: Vec<u8>,
}

impl Deal {
    /// The deal of a full deck; the YAMA will be put in the second order.
    #[must_use]
    pub fn of(deck: &[Card; DECK], order: &[Card; DECK], seats: usize) -> Deal {
        let seats = seats.clamp(3, SEATS);
        let (hands, table) = deal(deck, seats);
        let hands = hands.map(bits);
        let table = bits(table);
        let dealt = hands.iter().fold(table, |all, hand| all | hand);
        let whole = (1 << DECK) - 1;
        Deal { hands, table, yama: whole & !dealt, order: order.iter().map(|card| card.id()).collect() }
    }

    /// The deal of a month by seed, the same as in a native game with this seed.
    #[must_use]
    pub fn seeded(seed: u64, month: usize, seats: usize) -> Deal {
        let (deck, order) = shuffled(seed, month, seats);
        Deal::of(&deck, &order, seats)
    }

    /// All cards dealt.
    #[must_use]
    pub fn deck(&self) -> u64 {
        self.hands.iter().fold(self.table | self.yama, |all, hand| all | hand)
    }

    /// Is it a partition of its deck, with a playable table, for so many seats?
    ///
    /// # Errors
    /// In words, what is wrong.
    pub fn check(&self, seats: usize) -> Result<(), String> {
        let mut seen = 0;
        let parts = self.hands.iter().chain([&self.table, &self.yama]);
        for part in parts {
            if seen & part != 0 {
                return Err(format!("the card {} is dealt twice", cards(seen & part)));
            }
            seen |= part;
        }
        if seen >> DECK != 0 || self.hands.iter().skip(seats).any(|&hand| hand != 0) {
            return Err("the deal gives cards that are none, or to nobody".into());
        }
        if redeal(cards(self.table)) {
            return Err(format!("the table {} shows all four cards of a month", cards(self.table)));
        }
        Ok(())
    }
}

//! Decks, and the named generator of seeded deals: the same seed gives the same deal in every program that
//! quotes a success rate, so rates compare deal by deal.

use crate::position::{MOST_RANKS, Rank};
use crate::rules::Rules;
use kachi_core::Error;
use kachi_core::random::Dealer;

/// The name of the generator, for manifests and replies.
pub const GENERATOR: &str = "splitmix64/fisher-yates-52";

/// A whole deck in drawing order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Deck(Vec<Rank>);

impl Deck {
    /// Checks that the cards are exactly the deck of the game.
    ///
    /// # Errors
    /// `bad_deck` (not as many cards as the game has), `bad_rank`, `too_many_copies`.
    pub fn new(rules: &Rules, cards: &[Rank]) -> Result<Deck, Error> {
        if cards.len() != rules.cards() {
            let message = format!("{} cards: the deck has {}", cards.len(), rules.cards());
            return Err(Error::new("bad_deck", message)
                .at_field("deck")
                .hint("write every card, first drawn first"));
        }
        let mut copies = [0; MOST_RANKS];
        for (place, rank) in cards.iter().enumerate() {
            if rank.index() >= rules.ranks() {
                let message = format!("there is no {rank} in a deck of {} ranks", rules.ranks());
                return Err(Error::new("bad_rank", message).at_field(format!("deck[{place}]")));
            }
            copies[rank.index()] += 1;
            if copies[rank.index()] > rules.foundations() {
                let message = format!("more than {} copies of {rank}", rules.foundations());
                let hint = "every rank occurs once for each foundation";
                return Err(Error::new("too_many_copies", message)
                    .at_field(format!("deck[{place}]"))
                    .hint(hint));
            }
        }
        Ok(Deck(cards.to_vec()))
    }

    /// Reads a deck of rank characters, first drawn first; blanks are passed over.
    ///
    /// # Errors
    /// As [`new`](Deck::new), and `bad_rank` for an unknown character.
    pub fn read(rules: &Rules, text: &str) -> Result<Deck, Error> {
        let mut cards = Vec::with_capacity(rules.cards());
        for (place, c) in text.chars().enumerate() {
            if c.is_whitespace() {
                continue;
            }
            // A text far too long is refused before it is kept.
            if cards.len() > rules.cards() {
                break;
            }
            let rank = Rank::from_char(c).ok_or_else(|| {
                let message = format!("{c:?} is no rank");
                Error::new("bad_rank", message)
                    .at_field(format!("deck[{place}]"))
                    .hint("ranks are A23456789TJQK")
            })?;
            cards.push(rank);
        }
        Deck::new(rules, &cards)
    }

    /// The deal with this seed by the [named generator](GENERATOR).
    ///
    /// ```
    /// use calculation::{deal::Deck, rules::Rules};
    /// let rules = Rules::calculation(3).unwrap();
    /// assert_eq!(Deck::seeded(&rules, 1).to_string().len(), 52);
    /// ```
    pub fn seeded(rules: &Rules, seed: u64) -> Deck {
        let mut state = seed.wrapping_mul(GOLDEN) ^ 0x1234_5678_8765_4321;
        split_mix(&mut state);
        split_mix(&mut state);
        let mut cards = sorted(rules);
        for last in (1..cards.len()).rev() {
            let high = split_mix(&mut state) >> 32;
            cards.swap(last, ((high * (last as u64 + 1)) >> 32) as usize);
        }
        Deck(cards)
    }

    /// The deal with this seed by the dealer of the house (ChaCha8), as every other game of the project deals.
    pub fn dealt(rules: &Rules, seed: u64) -> Deck {
        let mut cards = sorted(rules);
        Dealer::new(seed).shuffle(&mut cards);
        Deck(cards)
    }

    /// The cards, first drawn first.
    pub fn cards(&self) -> &[Rank] {
        &self.0
    }
}

impl std::fmt::Display for Deck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|rank| write!(f, "{rank}"))
    }
}

fn sorted(rules: &Rules) -> Vec<Rank> {
    let rank = |card: usize| Rank::new((card % rules.ranks()) as u8).unwrap_or_default();
    (0..rules.cards()).map(rank).collect()
}

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Steele, Lea and Flood's generator.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(GOLDEN);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

//! The suit game: a list of suits, each the owners of its unplayed cards from the centre outwards.

use super::Player;
use kachi_core::Error;

/// A position of the suit game with at least one card.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Suits {
    suits: Vec<Vec<Player>>,
    mover: Player,
}

impl Suits {
    /// A position with these suits. Empty suits keep their place.
    ///
    /// # Errors
    /// `no_cards` when both hands are empty.
    pub fn new(suits: Vec<Vec<Player>>, mover: Player) -> Result<Suits, Error> {
        if suits.iter().all(Vec::is_empty) {
            return Err(Error::new("no_cards", "both hands are empty: somebody must hold a card")
                .at_field("suits")
                .hint("for example [\"LRL\",\"RRL\"]"));
        }
        Ok(Suits { suits, mover })
    }

    /// The suits in order.
    #[must_use]
    pub fn suits(&self) -> &[Vec<Player>] {
        &self.suits
    }

    /// Whose turn it is.
    #[must_use]
    pub fn mover(&self) -> Player {
        self.mover
    }

    /// How many cards each player holds.
    #[must_use]
    pub fn hands(&self) -> [u64; 2] {
        let mut hands = [0; 2];
        for owner in self.suits.iter().flatten() {
            hands[owner.index()] += 1;
        }
        hands
    }

    /// The position after the mover has played the first card of a suit, if that is legal and leaves a card.
    #[must_use]
    pub fn after(&self, suit: usize) -> Option<Suits> {
        if self.suits.get(suit)?.first() != Some(&self.mover) {
            return None;
        }
        let mut next = self.clone();
        next.suits[suit].remove(0);
        next.mover = self.mover.other();
        (!next.suits.iter().all(Vec::is_empty)).then_some(next)
    }
}

//! Rules of the suit game: the mover plays the first card of a suit whose first card is his.

use crate::position::{Player, Suits};
use kachi_core::{Game, Seat};

/// The suit game.
#[derive(Debug, Clone, Copy, Default)]
pub struct SuitRules;

/// Suits and whose turn it is, also after the last card.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SuitState {
    /// The unplayed cards of every suit, from the centre outwards.
    pub suits: Vec<Vec<Player>>,
    /// Whose turn it is.
    pub mover: Player,
}

impl From<&Suits> for SuitState {
    fn from(position: &Suits) -> SuitState {
        SuitState { suits: position.suits().to_vec(), mover: position.mover() }
    }
}

impl SuitState {
    fn holds_cards(&self, player: Player) -> bool {
        self.suits.iter().flatten().any(|&owner| owner == player)
    }
}

impl Game for SuitRules {
    type Position = SuitState;
    /// The number of a suit.
    type Move = usize;
    type Ending = Seat;

    fn mover(&self, position: &SuitState) -> Seat {
        position.mover.seat()
    }

    fn ending(&self, position: &SuitState) -> Option<Seat> {
        let winner = Player::BOTH.into_iter().find(|&player| !position.holds_cards(player));
        let stuck = || self.moves(position).is_empty().then(|| position.mover.other());
        winner.or_else(stuck).map(Player::seat)
    }

    fn moves(&self, position: &SuitState) -> Vec<usize> {
        let first_is_mine = |&i: &usize| position.suits[i].first() == Some(&position.mover);
        (0..position.suits.len()).filter(first_is_mine).collect()
    }

    fn play(&self, position: &SuitState, &suit: &usize) -> SuitState {
        let mut next = position.clone();
        next.suits[suit].remove(0);
        next.mover = position.mover.other();
        next
    }
}

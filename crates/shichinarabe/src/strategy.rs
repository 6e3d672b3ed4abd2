//! Which move to play. A winner plays a winning turn, without jokers and passes if he can; a loser plays the move that
//! leaves the opponent the fewest winning replies, and so the most ways to go wrong.

use crate::analysis::{SuitsAnswer, analyse_suits};
use crate::position::Suits;
use crate::rules::{Action, Turn};

/// The suit to play, if any can be played.
#[must_use]
pub fn best_suit(position: &Suits, answer: &SuitsAnswer) -> Option<usize> {
    if let Some(&suit) = answer.winning.first() {
        return Some(suit);
    }
    let own = answer.fronts.iter().enumerate().filter(|(_, front)| front.owner == Some(position.mover()));
    own.map(|(i, _)| i)
        .min_by_key(|&i| position.after(i).map_or(0, |after| analyse_suits(&after).winning.len()))
}

/// The turn to play: the first winning one in the order of answers, else a plain play, else anything. `legal` must be in
/// the order of answers.
#[must_use]
pub fn best_turn(legal: &[Turn], winning: &[Turn]) -> Option<Turn> {
    let cheap = |turn: &&Turn| turn.joker.is_empty() && turn.action != Action::Pass;
    let pick = |turns: &[Turn]| turns.iter().find(cheap).or_else(|| turns.first()).cloned();
    pick(winning).or_else(|| pick(legal))
}

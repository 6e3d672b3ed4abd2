//! The decks of games small enough to play them all.
#![allow(clippy::unwrap_used, reason = "an unwrap here is an assertion")]

use calculation::deal::Deck;
use calculation::position::Rank;
use calculation::rules::Rules;

/// All decks of a small game, each once.
pub(crate) fn all(rules: &Rules) -> Vec<Deck> {
    fn deal(rules: &Rules, left: &mut Vec<usize>, cards: &mut Vec<Rank>, decks: &mut Vec<Deck>) {
        if cards.len() == rules.cards() {
            decks.push(Deck::new(rules, cards).unwrap());
        }
        for rank in 0..rules.ranks() {
            if left[rank] > 0 {
                left[rank] -= 1;
                cards.push(Rank::new(rank as u8).unwrap());
                deal(rules, left, cards, decks);
                cards.pop();
                left[rank] += 1;
            }
        }
    }
    let mut decks = Vec::new();
    deal(rules, &mut vec![rules.foundations(); rules.ranks()], &mut Vec::new(), &mut decks);
    decks
}

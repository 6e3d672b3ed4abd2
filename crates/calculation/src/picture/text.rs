//! The table as text: foundations with what they take next, stacks from the bottom up, the drawn card, what is unseen.

use crate::position::{Position, Rank};
use crate::rules::Rules;
use std::fmt::Write;

/// The table as text.
///
/// ```
/// use calculation::{notation, picture::drawing};
/// let (rules, position) = notation::read("4234/58Q/-/J@7").unwrap();
/// let text = drawing(&rules, &position);
/// assert!(text.contains("f0  by 1  takes 4   A 2 3"));
/// assert!(text.contains("s0  5 8 Q") && text.contains("drawn: 7"));
/// ```
#[must_use]
pub fn drawing(rules: &Rules, position: &Position) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    for foundation in rules.all_foundations() {
        let f = foundation.index();
        let head = position.head(foundation);
        let next = rules.next(f, head).map_or_else(|| "complete".to_owned(), |rank| format!("takes {rank} "));
        let cards: Vec<String> = (0..head).map(|slot| rules.rank_at(f, slot).to_string()).collect();
        let line = format!("f{f}  by {}  {next}  {}", rules.steps()[f], cards.join(" "));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let _ = writeln!(text);
    for stack in rules.all_stacks() {
        let cards: Vec<String> = position.stack(stack).iter().map(Rank::to_string).collect();
        let cards = if cards.is_empty() { "-".to_owned() } else { cards.join(" ") };
        let _ = writeln!(text, "s{}  {cards}", stack.0);
    }
    let _ = writeln!(text);
    if let Some(rank) = position.drawn() {
        let _ = writeln!(text, "drawn: {rank}");
    }
    let _ = writeln!(text, "{}", unseen(rules, position));
    text
}

/// What nobody has seen yet, as "47 unseen: A4 23 ..." with the number of copies behind each rank.
#[must_use]
pub fn unseen(rules: &Rules, position: &Position) -> String {
    let counts: Vec<String> = ranks(rules)
        .filter_map(|rank| match position.unseen()[rank.index()] {
            0 => None,
            count => Some(format!("{rank}×{count}")),
        })
        .collect();
    match position.left() {
        0 => "nothing unseen".to_owned(),
        left => format!("{left} unseen: {}", counts.join(" ")),
    }
}

/// The ranks of the deck, ace first.
pub(super) fn ranks(rules: &Rules) -> impl Iterator<Item = Rank> + use<> {
    (0..rules.ranks() as u8).filter_map(Rank::new)
}

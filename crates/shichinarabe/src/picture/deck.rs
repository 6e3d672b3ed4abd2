//! The seven-layout of the real deck: four rows from ace to king, owners of the cards still held, winning cards marked.

use crate::position::{Card, Deck, DeckSuit, Player, Rank};
use kachi_core::svg::{Anchor, Drawing, Ink};

/// The table as text. A number is a card on the table, a letter the owner of a card in hand; `>` marks cards that can be
/// played, `*` those that win.
#[must_use]
pub fn deck_text(deck: &Deck, playable: &[Card], winning: &[Card], viewer: Option<Player>) -> String {
    let mut text = String::from("    ");
    for rank in Rank::all() {
        text.push_str(&format!("{:>3} ", rank.name()));
    }
    text.push('\n');
    for suit in DeckSuit::ALL {
        text.push_str(&format!("  {} ", suit.sign()));
        for rank in Rank::all() {
            let card = Card { suit, rank };
            let cell = match deck.owner(card) {
                None if rank == Rank::SEVEN => "[7]".to_owned(),
                None => format!("[{}]", rank.name()),
                Some(owner) if winning.contains(&card) => format!("*{} ", owner.letter()),
                Some(owner) if playable.contains(&card) => format!(">{} ", owner.letter()),
                Some(owner) => format!("{} ", owner.letter()),
            };
            text.push_str(&format!("{cell:>4}"));
        }
        text.push('\n');
    }
    for player in Player::BOTH {
        let (rights, passes) = (deck.rights()[player.index()], deck.passes()[player.index()]);
        let you = if viewer == Some(player) { " (you)" } else { "" };
        let mut line = format!("  {}{you}: {} cards", player.letter(), deck.hand(player).len());
        for (count, one) in [(rights, "joker"), (passes, "pass")] {
            if count > 0 {
                let plural = match (count, one) {
                    (1, _) => "",
                    (_, "pass") => "es",
                    _ => "s",
                };
                line.push_str(&format!(", {count} {one}{plural}"));
            }
        }
        text.push_str(&line);
        text.push('\n');
    }
    let rule = if deck.tunnel() { "; tunnel: a finished side opens the far end of the other" } else { "" };
    text.push_str(&format!("  {} to move{rule}", deck.mover().letter()));
    text
}

/// The table as a picture.
#[must_use]
pub fn deck_svg(deck: &Deck, winner: Player, winning: &[Card]) -> String {
    let (left, top, column, row) = (44.0, 62.0, 46.0, 66.0);
    let (width, height) = (left + 13.0 * column + 16.0, top + 4.0 * row + 44.0);
    let title = format!("{} wins with {} to move", winner.letter(), deck.mover().letter());
    let mut drawing = Drawing::new(width, height, &title, &deck_text(deck, &[], winning, None));
    drawing.text(16.0, 28.0, 16.0, Anchor::Start, Ink::Plain, &title);
    for suit in DeckSuit::ALL {
        let y = top + suit.index() as f64 * row;
        drawing.text(22.0, y + 36.0, 24.0, Anchor::Middle, Ink::Plain, &suit.sign().to_string());
        for rank in Rank::all() {
            let card = Card { suit, rank };
            let x = left + rank.index() as f64 * column;
            let ink = match deck.owner(card) {
                None if rank == Rank::SEVEN => Ink::Mark,
                None => Ink::Faint,
                Some(Player::First) => Ink::Mover,
                Some(Player::Second) => Ink::Other,
            };
            drawing.card(x, y, 38.0, 52.0, ink, rank.name());
            if let Some(owner) = deck.owner(card) {
                let letter = owner.letter().to_string();
                drawing.text(x + 5.0, y + 12.0, 10.0, Anchor::Start, ink, &letter);
            }
            if winning.contains(&card) {
                drawing.line((x + 3.0, y + 56.0), (x + 35.0, y + 56.0), 4.0, Ink::Win, false);
            }
        }
    }
    let hands = Player::BOTH.map(|player| deck.hand(player).len());
    let words = format!(
        "L (blue) holds {}, R (red) holds {}; cards without a letter lie on the table",
        hands[0], hands[1]
    );
    drawing.text(16.0, height - 14.0, 13.0, Anchor::Start, Ink::Faint, &words);
    drawing.finish()
}

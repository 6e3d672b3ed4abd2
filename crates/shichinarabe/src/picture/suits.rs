//! Suits as rows of cards from the centre outwards.

use crate::position::{Player, Suits};
use crate::theory::table::Row;
use kachi_core::svg::{Anchor, Drawing, Ink};

/// Cards of one suit that are drawn; the rest is counted.
const SHOWN: usize = 40;
/// Suits that are drawn.
const ROWS: usize = 60;

/// The suits as text; suits in `winning` are starred.
#[must_use]
pub fn suits_text(position: &Suits, winning: &[usize]) -> String {
    let mut text = String::new();
    for (i, suit) in position.suits().iter().enumerate().take(ROWS) {
        let star = if winning.contains(&i) { '*' } else { ' ' };
        let playable = if suit.first() == Some(&position.mover()) { '>' } else { ' ' };
        let cards: String = suit.iter().take(SHOWN).map(|owner| owner.letter()).collect();
        let row = Row::of(suit);
        let more = if suit.len() > SHOWN { format!("… ({} cards)", suit.len()) } else { String::new() };
        text.push_str(&format!(
            "{star}{playable}{i:>3} | {cards:<12}{more}  value {:+}, class {}\n",
            row.value(),
            row.class().name()
        ));
    }
    if position.suits().len() > ROWS {
        text.push_str(&format!("  ... and {} more suits\n", position.suits().len() - ROWS));
    }
    let [l, r] = position.hands();
    text.push_str(&format!("L holds {l}, R holds {r}, {} to move", position.mover().letter()));
    text
}

/// The suits as a picture: owners coloured, winning suits marked, value and class beside each row.
#[must_use]
pub fn suits_svg(position: &Suits, winner: Player, winning: &[usize]) -> String {
    let rows = position.suits().len().min(ROWS);
    let longest = position.suits().iter().map(|suit| suit.len().min(SHOWN)).max().unwrap_or(0);
    let (left, step, line) = (70.0, 26.0, 40.0);
    let width = left + longest as f64 * step + 190.0;
    let height = rows as f64 * line + 80.0;
    let title = format!("{} wins with {} to move", winner.letter(), position.mover().letter());
    let description = suits_text(position, winning);
    let mut drawing = Drawing::new(width.max(360.0), height, &title, &description);
    drawing.text(16.0, 28.0, 16.0, Anchor::Start, Ink::Plain, &title);
    for (i, suit) in position.suits().iter().enumerate().take(rows) {
        let y = 48.0 + i as f64 * line;
        let wins = winning.contains(&i);
        drawing.text(
            20.0,
            y + 21.0,
            14.0,
            Anchor::Start,
            if wins { Ink::Win } else { Ink::Faint },
            &i.to_string(),
        );
        drawing.dot((left - 18.0, y + 16.0), 6.0, Ink::Mark);
        for (j, owner) in suit.iter().enumerate().take(SHOWN) {
            let x = left + j as f64 * step;
            let ink = if *owner == Player::First { Ink::Mover } else { Ink::Other };
            drawing.card(x, y, 22.0, 32.0, ink, &owner.letter().to_string());
            if wins && j == 0 {
                drawing.line((x + 2.0, y + 35.0), (x + 20.0, y + 35.0), 3.0, Ink::Win, false);
            }
        }
        let row = Row::of(suit);
        let words = format!("value {:+}, class {}", row.value(), row.class().name());
        let end = left + suit.len().min(SHOWN) as f64 * step + 10.0;
        drawing.text(end, y + 21.0, 12.0, Anchor::Start, Ink::Faint, &words);
    }
    let [l, r] = position.hands();
    let sum: i64 = position.suits().iter().map(|suit| Row::of(suit).value()).sum();
    let words = format!("L holds {l}, R holds {r}; sum of values {sum:+}");
    drawing.text(16.0, height - 12.0, 13.0, Anchor::Start, Ink::Plain, &words);
    drawing.finish()
}

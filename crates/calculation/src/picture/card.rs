//! One playing card. Numbers carry their pips where every deck has them; the court wears a cap (J), a tiara (Q) and a crown (K).

use crate::position::Rank;
use kachi_core::svg::{Anchor, Drawing, Ink};

/// Width of a card.
pub const WIDTH: f64 = 62.0;
/// Height of a card.
pub const HEIGHT: f64 = 88.0;

/// Where the pips of a number card lie, as shares of the field of pips: column and row.
fn pips(rank: usize) -> &'static [(f64, f64)] {
    const LEFT: f64 = 0.0;
    const MIDDLE: f64 = 0.5;
    const RIGHT: f64 = 1.0;
    const THIRD: f64 = 1.0 / 3.0;
    match rank {
        0 => &[(MIDDLE, 0.5)],
        1 => &[(MIDDLE, 0.0), (MIDDLE, 1.0)],
        2 => &[(MIDDLE, 0.0), (MIDDLE, 0.5), (MIDDLE, 1.0)],
        3 => &[(LEFT, 0.0), (RIGHT, 0.0), (LEFT, 1.0), (RIGHT, 1.0)],
        4 => &[(LEFT, 0.0), (RIGHT, 0.0), (MIDDLE, 0.5), (LEFT, 1.0), (RIGHT, 1.0)],
        5 => &[(LEFT, 0.0), (RIGHT, 0.0), (LEFT, 0.5), (RIGHT, 0.5), (LEFT, 1.0), (RIGHT, 1.0)],
        6 => {
            &[(LEFT, 0.0), (RIGHT, 0.0), (MIDDLE, 0.25), (LEFT, 0.5), (RIGHT, 0.5), (LEFT, 1.0), (RIGHT, 1.0)]
        }
        7 => &[
            (LEFT, 0.0),
            (RIGHT, 0.0),
            (MIDDLE, 0.25),
            (LEFT, 0.5),
            (RIGHT, 0.5),
            (MIDDLE, 0.75),
            (LEFT, 1.0),
            (RIGHT, 1.0),
        ],
        8 => &[
            (LEFT, 0.0),
            (RIGHT, 0.0),
            (LEFT, THIRD),
            (RIGHT, THIRD),
            (MIDDLE, 0.5),
            (LEFT, 2.0 * THIRD),
            (RIGHT, 2.0 * THIRD),
            (LEFT, 1.0),
            (RIGHT, 1.0),
        ],
        9 => &[
            (LEFT, 0.0),
            (RIGHT, 0.0),
            (MIDDLE, 1.0 / 6.0),
            (LEFT, THIRD),
            (RIGHT, THIRD),
            (LEFT, 2.0 * THIRD),
            (RIGHT, 2.0 * THIRD),
            (MIDDLE, 5.0 / 6.0),
            (LEFT, 1.0),
            (RIGHT, 1.0),
        ],
        _ => &[],
    }
}

/// What is written in the corner: a ten has two digits.
#[must_use]
pub fn face(rank: Rank) -> String {
    if rank.to_char() == 'T' { "10".to_owned() } else { rank.to_string() }
}

/// Draws the card with its upper left corner here.
pub fn draw(drawing: &mut Drawing, x: f64, y: f64, rank: Rank, edge: Ink) {
    drawing.card(x, y, WIDTH, HEIGHT, edge, "");
    drawing.text(x + 10.0, y + 18.0, 15.0, Anchor::Middle, Ink::Plain, &face(rank));
    drawing.text(x + WIDTH - 10.0, y + HEIGHT - 7.0, 15.0, Anchor::Middle, Ink::Plain, &face(rank));
    let field = (x + 23.0, y + 16.0, WIDTH - 46.0, HEIGHT - 32.0);
    for &(column, row) in pips(rank.index()) {
        let centre = (field.0 + column * field.2, field.1 + row * field.3);
        let radius = if rank.index() == 0 { 7.0 } else { 3.6 };
        drawing.dot(centre, radius, Ink::Other);
    }
    let (middle, low) = (x + WIDTH / 2.0, y + HEIGHT * 0.62);
    match rank.to_char() {
        'J' => cap(drawing, middle, low),
        'Q' => tiara(drawing, middle, low),
        'K' => crown(drawing, middle, low),
        _ => {}
    }
}

/// The strip of a card that shows above the card lying on it.
pub fn draw_covered(drawing: &mut Drawing, x: f64, y: f64, rank: Rank) {
    drawing.card(x, y, WIDTH, HEIGHT, Ink::Plain, "");
    drawing.text(x + 10.0, y + 15.0, 14.0, Anchor::Middle, Ink::Plain, &face(rank));
}

/// A card face down, with the pattern of its back.
pub fn draw_back(drawing: &mut Drawing, x: f64, y: f64) {
    drawing.card(x, y, WIDTH, HEIGHT, Ink::Mover, "");
    let mut waves = String::new();
    for row in 0..6 {
        let top = y + 12.0 + 13.0 * f64::from(row);
        waves += &format!("M{:.1} {top:.1}", x + 7.0);
        for _ in 0..4 {
            waves += "q6 -9 12 0";
        }
    }
    drawing.path(&waves, 1.2, Ink::Mover);
}

/// An empty place.
pub fn draw_place(drawing: &mut Drawing, x: f64, y: f64) {
    let (right, bottom) = (x + WIDTH, y + HEIGHT);
    for (from, to) in [
        ((x, y), (right, y)),
        ((right, y), (right, bottom)),
        ((right, bottom), (x, bottom)),
        ((x, bottom), (x, y)),
    ] {
        drawing.line(from, to, 1.0, Ink::Faint, true);
    }
}

fn crown(drawing: &mut Drawing, x: f64, y: f64) {
    let path = format!(
        "M{:.1} {y:.1}h28l4 -24l-10 11l-8 -16l-8 16l-10 -11zM{:.1} {:.1}h28",
        x - 14.0,
        x - 14.0,
        y + 4.5
    );
    drawing.path(&path, 1.8, Ink::Mark);
    for (dx, dy) in [(-18.0, -26.0), (0.0, -31.0), (18.0, -26.0)] {
        drawing.dot((x + dx, y + dy), 2.6, Ink::Mark);
    }
}

fn tiara(drawing: &mut Drawing, x: f64, y: f64) {
    let path = format!(
        "M{:.1} {y:.1}q16 7 32 0M{:.1} {y:.1}q2 -16 10 -14q4 -12 6 -12q2 0 6 12q8 -2 10 14",
        x - 16.0,
        x - 16.0
    );
    drawing.path(&path, 1.8, Ink::Mark);
    for (dx, dy) in [(0.0, -13.0), (-9.0, -6.0), (9.0, -6.0)] {
        drawing.dot((x + dx, y + dy), 2.4, Ink::Mark);
    }
}

fn cap(drawing: &mut Drawing, x: f64, y: f64) {
    let path = format!(
        "M{:.1} {y:.1}h32v-6h-32zM{:.1} {:.1}q0 -16 16 -16q12 0 12 16M{:.1} {:.1}q10 -18 -2 -20",
        x - 16.0,
        x - 14.0,
        y - 6.0,
        x + 12.0,
        y - 8.0
    );
    drawing.path(&path, 1.8, Ink::Mark);
}

#[cfg(test)]
mod tests {
    use super::pips;

    #[test]
    fn a_number_card_has_as_many_pips_as_its_rank_says() {
        for rank in 0..10 {
            assert_eq!(pips(rank).len(), rank + 1);
            let mirrored = |&&(column, row): &&(f64, f64)| {
                let opposite = |other: &(f64, f64)| {
                    (other.0 - (1.0 - column)).abs() < 1e-9 && (other.1 - (1.0 - row)).abs() < 1e-9
                };
                pips(rank).iter().any(opposite)
            };
            // Every deck prints the seven with one pip off the balance.
            let balanced = pips(rank).iter().filter(mirrored).count();
            assert_eq!(balanced, if rank == 6 { 6 } else { rank + 1 });
        }
    }
}

//! Whole cards, and the contact sheet of all forty-eight.

use super::brush::{Brush, ink};
use super::{figures, flowers};
use crate::card::{ALL, Card, Kind};
use kachi_core::svg::escape;
use std::fmt::Write;

/// Width of a card in its own units.
pub const WIDTH: f64 = 100.0;
/// Height of a card in its own units.
pub const HEIGHT: f64 = 160.0;

/// The face of a card as an SVG group, to be scaled and placed by whoever shows it. `name`: write the short name in the corner.
#[must_use]
pub fn face(card: Card, name: bool) -> String {
    let mut brush = Brush::default();
    let id = card.id();
    let sky = match id {
        28 => ink::RED,
        29..=31 => "#f3dfb8",
        _ => ink::PAPER,
    };
    let _ = write!(
        brush.0,
        "<svg x=\"0\" y=\"0\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\">\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"7\" fill=\"{sky}\"/>"
    );
    let busy = card.kind() != Kind::Kasu;
    let second = if card.month() == 12 { card.letter() == 2 } else { card.letter() == 3 };
    match id {
        // The moon stands behind its hill; the storm leaves no room for branches.
        28 => {
            figures::figure(&mut brush, id);
            flowers::flower(&mut brush, 8, true, false);
        }
        43 => figures::figure(&mut brush, id),
        _ => {
            flowers::flower(&mut brush, card.month(), busy, second);
            figures::figure(&mut brush, id);
        }
    }
    if id == 45 {
        // The first of three alike wears the yellow of the maker's kasu.
        brush.fill("M2 132L98 132L98 158L2 158Z", ink::YELLOW);
    }
    let _ = write!(
        brush.0,
        "<rect x=\"1.5\" y=\"1.5\" width=\"97\" height=\"157\" rx=\"6\" fill=\"none\" stroke=\"{}\" stroke-width=\"3\"/>",
        ink::BLACK
    );
    if name {
        let wide = if card.month() > 9 { 27.0 } else { 21.0 };
        let _ = write!(
            brush.0,
            "<rect x=\"3\" y=\"3\" width=\"{wide}\" height=\"16\" rx=\"4\" fill=\"{}\" opacity=\"0.92\"/>\
             <text x=\"{:.1}\" y=\"15\" font-size=\"12\" text-anchor=\"middle\" font-family=\"system-ui,sans-serif\" \
             style=\"fill:{}\">{card}</text>",
            ink::PAPER,
            3.0 + wide / 2.0,
            ink::BLACK
        );
    }
    brush.0.push_str("</svg>");
    brush.0
}

/// A card as a complete document.
///
/// ```
/// let crane: hana::Card = "1a".parse()?;
/// let svg = hana::picture::cards::document(crane);
/// assert!(svg.starts_with("<svg ") && svg.contains("crane"));
/// # Ok::<(), kachi_core::Error>(())
/// ```
#[must_use]
pub fn document(card: Card) -> String {
    let title = escape(&format!("{card}: {}", card.words()));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         role=\"img\"><title>{title}</title>{}</svg>\n",
        face(card, false)
    )
}

/// A placed and scaled face.
#[must_use]
pub fn placed(card: Card, x: f64, y: f64, width: f64) -> String {
    let scale = width / WIDTH;
    let title = escape(&format!("{card}: {}", card.words()));
    format!(
        "<g transform=\"translate({x:.1} {y:.1}) scale({scale:.3})\"><title>{title}</title>{}</g>\n",
        face(card, true)
    )
}

/// The back of a card, placed and scaled.
#[must_use]
pub fn back(x: f64, y: f64, width: f64) -> String {
    let scale = width / WIDTH;
    format!(
        "<g transform=\"translate({x:.1} {y:.1}) scale({scale:.3})\"><rect x=\"1.5\" y=\"1.5\" width=\"97\" height=\"157\" rx=\"7\" \
         fill=\"{}\" stroke=\"{}\" stroke-width=\"3\"/></g>\n",
        ink::DARK_RED,
        ink::BLACK
    )
}

/// All forty-eight cards, a month a column.
#[must_use]
pub fn contact_sheet() -> String {
    const CARD: f64 = 80.0;
    const GAP: f64 = 12.0;
    let tall = CARD * HEIGHT / WIDTH;
    let (width, height) = (GAP + 12.0 * (CARD + GAP), 78.0 + 4.0 * (tall + GAP));
    let mut sheet = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-labelledby=\"title desc\">\n<title id=\"title\">The forty-eight cards of hanafuda</title>\n\
         <desc id=\"desc\">Twelve months from pine to paulownia, four cards each, the most valuable on top.</desc>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"10\" fill=\"#4c5a4e\"/>\n"
    );
    for card in ALL.iter() {
        let x = GAP + f64::from(card.month() - 1) * (CARD + GAP);
        let y = 62.0 + f64::from(card.letter()) * (tall + GAP);
        if card.letter() == 0 {
            let (english, japanese) = card.flower();
            let middle = x + CARD / 2.0;
            let _ = writeln!(
                sheet,
                "<text x=\"{middle:.1}\" y=\"26\" font-size=\"17\" text-anchor=\"middle\" fill=\"#fffdf7\" \
                 font-family=\"'Noto Serif CJK JP','Hiragino Mincho ProN',serif\">{} {japanese}</text>\
                 <text x=\"{middle:.1}\" y=\"46\" font-size=\"11\" text-anchor=\"middle\" fill=\"#dcd8c8\" \
                 font-family=\"system-ui,sans-serif\">{english}</text>",
                card.month()
            );
        }
        sheet.push_str(&placed(card, x, y, CARD));
    }
    sheet.push_str("</svg>\n");
    sheet
}

//! The whole table as SVG: four foundations with what they take next, the deck, the drawn card, the stacks, what is unseen, and beside every place
//! the chance of putting the drawn card there.

use crate::picture::card::{self, HEIGHT, WIDTH};
use crate::picture::text::ranks;
use crate::position::{MOST_FOUNDATIONS, MOST_STACKS, Position};
use crate::rules::Rules;
use kachi_core::svg::{Anchor, Drawing, Ink};

/// What is said about the places of a table.
#[derive(Debug, Clone, Default)]
pub struct Remarks {
    /// One sentence below the table.
    pub words: String,
    /// What the drawn card is worth on each foundation, and whether that is best.
    pub on_foundation: [Option<(String, bool)>; MOST_FOUNDATIONS],
    /// What it is worth on each stack.
    pub on_stack: [Option<(String, bool)>; MOST_STACKS],
}

const GAP: f64 = 18.0;
const MARGIN: f64 = 20.0;
const PITCH: f64 = WIDTH + GAP;
const FOUNDATIONS_Y: f64 = 46.0;
const STACKS_Y: f64 = FOUNDATIONS_Y + HEIGHT + 84.0;
/// How much of a covered card shows.
const STRIP: f64 = 21.0;
/// The tallest fan; longer stacks are drawn closer.
const TALLEST: f64 = 15.0 * STRIP;
/// Where the column of unseen cards begins.
const COUNTS_X: f64 = MARGIN + 4.0 * PITCH + 124.0;

/// The picture of a table.
#[must_use]
pub fn svg(rules: &Rules, position: &Position, remarks: &Remarks) -> String {
    let strip = strip(rules, position);
    let deepest = rules.all_stacks().map(|stack| position.stack(stack).len()).max().unwrap_or(0);
    let fan = HEIGHT + strip * deepest.saturating_sub(1) as f64;
    let words = crate::picture::text::unseen(rules, position);
    let height = (STACKS_Y + fan + 62.0).max(STACKS_Y + 300.0 - 80.0);
    let width = COUNTS_X + 120.0;
    let title = "Calculation";
    let describe = format!("{} {words}", remarks.words);
    let mut drawing = Drawing::new(width, height, title, &describe);
    foundations(&mut drawing, rules, position, remarks);
    deck(&mut drawing, position);
    stacks(&mut drawing, rules, position, remarks, strip);
    counts(&mut drawing, rules, position);
    drawing.text(MARGIN, height - 16.0, 14.0, Anchor::Start, Ink::Plain, &remarks.words);
    drawing.finish()
}

fn strip(rules: &Rules, position: &Position) -> f64 {
    let deepest = rules.all_stacks().map(|stack| position.stack(stack).len()).max().unwrap_or(0);
    STRIP.min(TALLEST / deepest.saturating_sub(1).max(1) as f64)
}

fn remark(drawing: &mut Drawing, x: f64, y: f64, remark: Option<&(String, bool)>) {
    if let Some((words, best)) = remark {
        let ink = if *best { Ink::Win } else { Ink::Mark };
        drawing.text(x + WIDTH / 2.0, y, 14.0, Anchor::Middle, ink, words);
    }
}

fn foundations(drawing: &mut Drawing, rules: &Rules, position: &Position, remarks: &Remarks) {
    for foundation in rules.all_foundations() {
        let f = foundation.index();
        let x = MARGIN + PITCH * f as f64;
        let head = position.head(foundation);
        let caption = format!("f{f}: by {}", rules.steps()[f]);
        drawing.text(x + WIDTH / 2.0, FOUNDATIONS_Y - 10.0, 12.0, Anchor::Middle, Ink::Faint, &caption);
        if head == 0 {
            card::draw_place(drawing, x, FOUNDATIONS_Y);
        } else {
            let edge = if head == rules.ranks() { Ink::Win } else { Ink::Plain };
            card::draw(drawing, x, FOUNDATIONS_Y, rules.rank_at(f, head - 1), edge);
        }
        let next = rules
            .next(f, head)
            .map_or_else(|| "complete".to_owned(), |rank| format!("next {}", card::face(rank)));
        let y = FOUNDATIONS_Y + HEIGHT + 18.0;
        drawing.text(x + WIDTH / 2.0, y, 13.0, Anchor::Middle, Ink::Plain, &next);
        remark(drawing, x, y + 20.0, remarks.on_foundation[f].as_ref());
    }
}

fn deck(drawing: &mut Drawing, position: &Position) {
    let x = MARGIN + 4.0 * PITCH + 26.0;
    let left = position.left();
    let caption = |drawing: &mut Drawing, y: f64, words: &str| {
        drawing.text(x + WIDTH / 2.0, y, 12.0, Anchor::Middle, Ink::Faint, words);
    };
    caption(drawing, FOUNDATIONS_Y - 10.0, "deck");
    if left == 0 {
        card::draw_place(drawing, x, FOUNDATIONS_Y);
    } else {
        // A thick deck shows its edge.
        for layer in (0..left.div_ceil(18)).rev() {
            let shift = 2.0 * layer as f64;
            card::draw_back(drawing, x + shift, FOUNDATIONS_Y - shift);
        }
    }
    drawing.text(
        x + WIDTH / 2.0,
        FOUNDATIONS_Y + HEIGHT + 18.0,
        13.0,
        Anchor::Middle,
        Ink::Plain,
        &format!("{left} unseen"),
    );
    caption(drawing, STACKS_Y - 10.0, "drawn");
    match position.drawn() {
        Some(rank) => card::draw(drawing, x, STACKS_Y, rank, Ink::Mark),
        None => card::draw_place(drawing, x, STACKS_Y),
    }
}

fn stacks(drawing: &mut Drawing, rules: &Rules, position: &Position, remarks: &Remarks, strip: f64) {
    for stack in rules.all_stacks() {
        let x = MARGIN + PITCH * f64::from(stack.0);
        let caption = format!("s{}", stack.0);
        drawing.text(x + WIDTH / 2.0, STACKS_Y - 10.0, 12.0, Anchor::Middle, Ink::Faint, &caption);
        let cards = position.stack(stack);
        let mut y = STACKS_Y;
        if cards.is_empty() {
            card::draw_place(drawing, x, y);
        }
        for (i, &rank) in cards.iter().enumerate() {
            if i + 1 == cards.len() {
                card::draw(drawing, x, y, rank, Ink::Plain);
            } else {
                card::draw_covered(drawing, x, y, rank);
                y += strip;
            }
        }
        remark(drawing, x, y + HEIGHT + 20.0, remarks.on_stack[stack.index()].as_ref());
    }
}

/// How many copies of each rank are unseen, as rows of dots.
fn counts(drawing: &mut Drawing, rules: &Rules, position: &Position) {
    drawing.text(COUNTS_X, FOUNDATIONS_Y - 10.0, 12.0, Anchor::Start, Ink::Faint, "unseen");
    for (row, rank) in ranks(rules).enumerate() {
        let y = FOUNDATIONS_Y + 12.0 + 21.0 * row as f64;
        drawing.text(COUNTS_X + 10.0, y, 13.0, Anchor::Middle, Ink::Plain, &card::face(rank));
        for copy in 0..rules.foundations() {
            let there = copy < usize::from(position.unseen()[rank.index()]);
            let centre = (COUNTS_X + 34.0 + 15.0 * copy as f64, y - 4.5);
            drawing.dot(centre, if there { 4.5 } else { 1.5 }, if there { Ink::Other } else { Ink::Faint });
        }
    }
}

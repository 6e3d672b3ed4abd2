//! Pictures: the table of players as text and as SVG, shared labels as links, draws coloured by what they keep.

use crate::position::{Card, Position, Standing, View, seat_name};
use crate::strategy::Judged;
use crate::why::words::ordinal;
use kachi_core::Seat;
use kachi_core::scene::{Face, Placed, Scene, Shape, Zone};
use kachi_core::svg::{Anchor, Drawing, Ink};
use std::f64::consts::TAU;
use std::fmt::Write;

/// Links are drawn between so many seats at most; a wheel of more cannot be read.
const MOST_SPOKES: usize = 12;
/// Cards of one hand that are written out.
const MOST_NAMES: usize = 60;

/// The hands as text, as `viewer` sees them: all face up in open play, only the own hand in closed play.
pub fn table(position: &Position, viewer: Seat) -> String {
    let table = position.table();
    let over = table.is_over();
    let mut lines = String::new();
    for (seat, hand) in table.hands().iter().enumerate() {
        let role = if over {
            ""
        } else if seat == table.mover().0 {
            "draws"
        } else if table.victim() == Some(Seat(seat)) {
            "is drawn from"
        } else {
            ""
        };
        let cards = match table.standing()[seat] {
            Standing::Left(rank) => format!("out, {}", ordinal(rank)),
            Standing::Before => "out".to_owned(),
            Standing::In if position.view() == View::Open || seat == viewer.0 || over => {
                names(position, hand)
            }
            Standing::In => format!("{} ({} face down)", vec!["#"; hand.len().min(40)].join(" "), hand.len()),
        };
        let you = if seat == viewer.0 && position.view() == View::Closed { "*" } else { " " };
        let _ = writeln!(lines, "{you}{:>3}  {role:<13}  {cards}", seat_name(seat));
    }
    lines
}

/// Cards of one hand that are laid out.
const LAID_OUT: usize = 120;

/// The hands around the table, the viewer's last; the cards of the seat that is drawn from are the moves.
pub fn scene(position: &Position, viewer: Seat) -> Scene {
    let table = position.table();
    let over = table.is_over();
    let victim = table.victim().filter(|_| !over);
    let p = table.players();
    let zone = |seat: usize| {
        let hand = &table.hands()[seat];
        let seen = position.view() == View::Open || seat == viewer.0 || over;
        let drawn_from = victim == Some(Seat(seat));
        let cards = hand.iter().take(LAID_OUT).enumerate().map(|(i, &card)| {
            let (name, back) = (position.name(card), i + 1);
            let placed = match (seen, card.is_joker()) {
                (false, _) => Placed::new(Face::Back, format!("card {back} of {}, face down", hand.len())),
                (true, true) => Placed::new(Face::Joker, "the joker"),
                (true, false) => Placed::label(name, format!("card {name}")),
            };
            match (drawn_from, position.view()) {
                (true, View::Open) => placed.playing(name),
                (true, View::Closed) => placed.playing(format!("c{back}")),
                (false, _) => placed,
            }
        });
        let note = match table.standing()[seat] {
            Standing::Left(rank) => format!("out, {}", ordinal(rank)),
            Standing::Before => "out".to_owned(),
            Standing::In if drawn_from => "is drawn from".to_owned(),
            Standing::In if !over && table.mover().0 == seat => "draws".to_owned(),
            Standing::In => String::new(),
        };
        Zone::new(seat_name(seat), Some(Seat(seat)), Shape::Hand, cards.collect()).note(note)
    };
    // The viewer sits nearest; the seat that he draws from comes just before him.
    let order = (1..=p).map(|step| (viewer.0 + step) % p);
    Scene { zones: order.map(zone).collect(), ..Scene::default() }
}

/// The labels that each two seats share, as text, and the joker.
pub fn links(position: &Position) -> String {
    let table = position.table();
    let order: Vec<usize> = table.seats_in().take(MOST_SPOKES).collect();
    let mut lines = String::new();
    for (i, &a) in order.iter().enumerate() {
        for &b in &order[i + 1..] {
            let shared = shared(position, a, b);
            if !shared.is_empty() {
                let bar = "=".repeat(shared.len().min(30));
                let names = names(position, &shared);
                let _ = writeln!(lines, "{:>3} {bar} {}   {names}", seat_name(a), seat_name(b));
            }
        }
    }
    let _ = writeln!(lines, "joker: {}", seat_name(table.joker_seat().0));
    lines
}

/// The names of cards in one line; of a large hand only the beginning.
fn names(position: &Position, cards: &[Card]) -> String {
    let mut line = position.names(&cards[..cards.len().min(MOST_NAMES)]).join(" ");
    if cards.len() > MOST_NAMES {
        let _ = write!(line, " ... ({} cards)", cards.len());
    }
    line
}

fn shared(position: &Position, a: usize, b: usize) -> Vec<Card> {
    let hands = position.table().hands();
    let other = &hands[b];
    hands[a].iter().copied().filter(|card| !card.is_joker() && other.binary_search(card).is_ok()).collect()
}

const WIDTH: f64 = 680.0;
const WHEEL: f64 = 400.0;
const RADIUS: f64 = 150.0;
const CARD: (f64, f64) = (26.0, 34.0);
const MOST_CARDS: usize = 20;
/// Letters of a verdict in one line.
const MOST_LETTERS: usize = 95;

/// The players around the table, with links for shared labels; below, the victim's cards coloured by what they keep
/// for the mover. `judged` is missing when the play is over or the hands are closed.
pub fn svg(position: &Position, judged: Option<&Judged>, verdict: &str) -> String {
    let table = position.table();
    let seats: Vec<usize> = (0..table.players()).take(MOST_SPOKES).collect();
    let height = WHEEL + 114.0;
    let mut drawing = Drawing::new(WIDTH, height, "Babanuki: who shares pairs with whom", verdict);
    let centre = (WIDTH / 2.0, WHEEL / 2.0);
    let spot = |seat: usize| {
        let angle = TAU * seat as f64 / seats.len() as f64 - TAU / 4.0;
        (centre.0 + 1.5 * RADIUS * angle.cos(), centre.1 + RADIUS * angle.sin())
    };
    let hidden = position.view() == View::Closed && !table.is_over();
    if !hidden {
        for &a in &seats {
            for &b in seats.iter().filter(|&&b| b > a) {
                let count = shared(position, a, b).len();
                if count > 0 {
                    let (from, to) = (spot(a), spot(b));
                    drawing.line(from, to, (count as f64).min(8.0), Ink::Faint, false);
                    // Not in the middle, where links cross.
                    let along = |from: f64, to: f64| from + 0.36 * (to - from);
                    let (x, y) = (along(from.0, to.0), along(from.1, to.1) - 4.0);
                    drawing.text(x, y, 13.0, Anchor::Middle, Ink::Plain, &count.to_string());
                }
            }
        }
    }
    let victim = table.victim().filter(|_| !table.is_over());
    for &seat in &seats {
        let (x, y) = spot(seat);
        let ink = if Some(Seat(seat)) == victim {
            Ink::Other
        } else if seat == table.mover().0 {
            Ink::Mover
        } else {
            Ink::Plain
        };
        drawing.card(x - 60.0, y - 22.0, 120.0, 44.0, ink, "");
        let hand = table.hands()[seat].len();
        let name = match table.standing()[seat] {
            Standing::In => format!("{}: {hand} card{}", seat_name(seat), if hand == 1 { "" } else { "s" }),
            Standing::Left(rank) => format!("{}: out, {}", seat_name(seat), ordinal(rank)),
            Standing::Before => format!("{}: out", seat_name(seat)),
        };
        drawing.text(x, y - 3.0, 14.0, Anchor::Middle, ink, &name);
        let joker = table.joker_seat().0 == seat && !hidden;
        let sure = judged.and_then(|judged| judged.sure[seat].map(|sure| (sure, judged.last)));
        let below = match (sure, joker) {
            (Some((sure, last)), _) if sure.strict < last => format!("sure of {}", ordinal(sure.strict)),
            (Some((sure, last)), _) if sure.lenient < last => "safe by endless play".to_owned(),
            (Some(_), _) => "can be made last".to_owned(),
            (None, true) => "has the joker".to_owned(),
            (None, false) => String::new(),
        };
        drawing.text(x, y + 14.0, 11.0, Anchor::Middle, Ink::Faint, &below);
        if joker {
            drawing.card(x + 46.0, y - 34.0, 20.0, 24.0, Ink::Mark, "J");
        }
    }
    if let (Some(judged), Some(victim)) = (judged, victim) {
        victims_cards(&mut drawing, position, judged, victim);
    }
    let lines = two_lines(verdict);
    for (i, line) in lines.iter().enumerate() {
        let y = height - 10.0 - 16.0 * (lines.len() - 1 - i) as f64;
        drawing.text(WIDTH / 2.0, y, 12.5, Anchor::Middle, Ink::Plain, line);
    }
    drawing.finish()
}

/// A long verdict is broken at the clause nearest to its middle.
fn two_lines(verdict: &str) -> Vec<&str> {
    if verdict.len() <= MOST_LETTERS {
        return vec![verdict];
    }
    let breaks = verdict.match_indices("; ").map(|(at, _)| at + 2);
    match breaks.min_by_key(|at| at.abs_diff(verdict.len() / 2)) {
        Some(at) => vec![&verdict[..at], &verdict[at..]],
        None => vec![verdict],
    }
}

fn victims_cards(drawing: &mut Drawing, position: &Position, judged: &Judged, victim: Seat) {
    let hand = &position.table().hands()[victim.0];
    let shown = hand.len().min(MOST_CARDS);
    let left = (WIDTH - shown as f64 * (CARD.0 + 4.0)) / 2.0;
    let words = format!(
        "{} draws from {}: green keeps the guarantee, red gives it away",
        seat_name(judged.order[0]),
        seat_name(victim.0)
    );
    drawing.text(WIDTH / 2.0, WHEEL + 18.0, 12.0, Anchor::Middle, Ink::Faint, &words);
    for (i, &card) in hand.iter().take(shown).enumerate() {
        let draw = judged.draws.iter().find(|draw| draw.cards.contains(&card));
        let ink = match draw {
            Some(draw) if judged.keeps(draw) => Ink::Win,
            Some(draw) if draw.mover.lenient < judged.last => Ink::Mark,
            Some(_) if judged.mover().lenient < judged.last => Ink::Lose,
            _ => Ink::Plain,
        };
        drawing.card(
            left + i as f64 * (CARD.0 + 4.0),
            WHEEL + 28.0,
            CARD.0,
            CARD.1,
            ink,
            position.name(card),
        );
    }
    if hand.len() > shown {
        let more = format!("and {} more", hand.len() - shown);
        drawing.text(WIDTH - 10.0, WHEEL + 50.0, 11.0, Anchor::End, Ink::Faint, &more);
    }
}

//! Boards: a month as one seat sees it, and an open position; as text and as SVG.

use super::cards::{HEIGHT, WIDTH, back, placed};
use crate::card::{Card, Cards};
use crate::house::House;
use crate::month::Month;
use crate::search::open::Open;
use crate::season::Season;
use kachi_core::svg::escape;
use std::fmt::Write;

/// The names of the seats.
pub const NAMES: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];
/// The names of the players of a month.
pub const PLAYERS: [&str; 3] = ["oya 親", "naka 中", "biki ビキ"];

/// `3a cherry with curtain 桜に幔幕 20`, a card a line.
fn listing(out: &mut String, cards: Cards) {
    for card in cards.iter() {
        let _ = writeln!(out, "    {:<4} {:>2}  {}", card.to_string(), card.value(), card.words());
    }
}

/// Short names, by month.
fn short(cards: Cards) -> String {
    if cards.is_empty() { "-".into() } else { cards.join(" ") }
}

/// The dekiyaku of a Basket, made ones and those that lack one card.
pub(super) fn progress(house: &House, basket: Cards) -> String {
    let made: Vec<&str> = house.dekiyaku.made(basket).map(|row| row.name).collect();
    let near: Vec<String> = house
        .dekiyaku
        .rows()
        .iter()
        .filter(|row| (basket & row.cards).count() + 1 == row.needed && row.needed >= 3)
        .map(|row| format!("{} lacks 1", row.name))
        .collect();
    [made.join(" "), near.join(", ")]
        .into_iter()
        .filter(|text| !text.is_empty())
        .collect::<Vec<_>>()
        .join("; ")
}

/// A season as `viewer` (a seat) sees it.
#[must_use]
pub fn season(season: &Season, viewer: usize) -> String {
    let month = season.month();
    let mut out = String::new();
    let _ = writeln!(
        out,
        "month {} of {}   field x{}   pot {}   turn {} of 21",
        season.number(),
        season.house().months,
        1 << month.index(),
        month.pot(),
        (month.turn() + 1).min(21)
    );
    let _ = writeln!(out, "table 場  {}", short(month.table()));
    if let Some(card) = month.laid() {
        let how = if month.has_drawn() { "drawn" } else { "thrown" };
        let _ = writeln!(out, "{how}     {card}  {}", card.words());
    }
    if let Some(players) = month.players() {
        for (player, &i) in players.iter().enumerate() {
            let seat = season.seat(i);
            let you = if seat == viewer { " (you)" } else { "" };
            let sage = if month.sage()[player] { "  sage" } else { "" };
            let basket = month.basket(player);
            let _ = writeln!(
                out,
                "{:<7} {}{you}: {} in hand, {} points{sage}",
                NAMES[seat],
                PLAYERS[player],
                month.holds(player).count(),
                basket.points(),
            );
            if !month.window(player).is_empty() {
                let _ = writeln!(out, "    window 窓 {}", short(month.window(player)));
            }
            let hints = progress(season.house(), basket);
            let hints = if hints.is_empty() { hints } else { format!("   [{hints}]") };
            let _ = writeln!(out, "    basket 籠 {}{hints}", short(basket));
        }
    }
    let mine = (0..season.seats()).find(|&i| season.seat(i) == viewer);
    let hand = mine.map_or(Cards::NONE, |i| match month.players() {
        None => month.dealt(i),
        Some(players) => {
            players.iter().position(|&seat| seat == i).map_or(Cards::NONE, |player| month.holds(player))
        }
    });
    let _ = writeln!(out, "your hand 手札");
    listing(&mut out, hand);
    out.push_str(&sheet(season));
    out
}

/// The score sheet of all finished months.
#[must_use]
pub fn sheet(season: &Season) -> String {
    let mut out = String::new();
    if season.sheet().is_empty() {
        return out;
    }
    let _ = write!(out, "month");
    for name in NAMES.iter().take(season.seats()) {
        let _ = write!(out, "{name:>9}");
    }
    let _ = writeln!(out, "   winner");
    for (i, line) in season.sheet().iter().enumerate() {
        let _ = write!(out, "{:>5}", i + 1);
        for net in &line.net {
            let _ = write!(out, "{net:>+9}");
        }
        let _ = writeln!(out, "   {}", line.winner.map_or("void 流れ", |seat| NAMES[seat]));
    }
    let _ = write!(out, "  sum");
    for purse in season.purses() {
        let _ = write!(out, "{purse:>+9}");
    }
    out.push('\n');
    out
}

/// An open position; the mover is player `mover` of oya, naka, biki.
#[must_use]
pub fn open(open: &Open, mover: usize, baskets: &[Cards; 3]) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "table 場  {}", short(open.table()));
    let yama: Vec<String> = open.yama().iter().map(Card::to_string).collect();
    let _ = writeln!(out, "yama 山   {}", yama.join(" "));
    for player in 0..3 {
        let hand = open.hands()[(player + 3 - mover) % 3];
        let mark = if player == mover { ">" } else { " " };
        let _ = writeln!(
            out,
            "{mark} {:<10} {:<30} basket {} ({})",
            PLAYERS[player],
            short(hand),
            short(baskets[player]),
            baskets[player].points()
        );
    }
    out
}

/// A row of cards with a caption; returns the height it takes.
fn row(out: &mut String, y: f64, caption: &str, cards: &[Card], hidden: usize) -> f64 {
    const CARD: f64 = 46.0;
    let tall = CARD * HEIGHT / WIDTH;
    let _ = write!(
        out,
        "<text x=\"16\" y=\"{:.1}\" font-size=\"13\" fill=\"#fffdf7\" font-family=\"system-ui,'Noto Sans CJK JP',sans-serif\">{}</text>",
        y + 14.0,
        escape(caption)
    );
    let total = cards.len() + hidden;
    let step = if total > 13 { 13.0 * (CARD + 6.0) / total as f64 } else { CARD + 6.0 };
    for (i, &card) in cards.iter().enumerate() {
        out.push_str(&placed(card, 16.0 + step * i as f64, y + 22.0, CARD));
    }
    for i in cards.len()..total {
        out.push_str(&back(16.0 + step * i as f64, y + 22.0, CARD));
    }
    tall + 36.0
}

/// Rows of cards as a document.
fn document(title: &str, rows: &[(String, Vec<Card>, usize)]) -> String {
    const WIDE: f64 = 720.0;
    let mut body = String::new();
    let mut y = 44.0;
    for (caption, cards, hidden) in rows {
        y += row(&mut body, y, caption, cards, *hidden);
    }
    let title = escape(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDE}\" height=\"{y:.0}\" viewBox=\"0 0 {WIDE} {y:.0}\" role=\"img\" \
         aria-labelledby=\"title desc\">\n<title id=\"title\">Hana</title>\n<desc id=\"desc\">{title}</desc>\n\
         <rect width=\"{WIDE}\" height=\"{y:.0}\" rx=\"10\" fill=\"#4c5a4e\"/>\n\
         <text x=\"16\" y=\"30\" font-size=\"16\" fill=\"#fffdf7\" font-family=\"system-ui,'Noto Sans CJK JP',sans-serif\">{title}</text>\n\
         {body}</svg>\n"
    )
}

/// The picture of an open position.
#[must_use]
pub fn open_svg(open: &Open, mover: usize, title: &str) -> String {
    let list = |cards: Cards| cards.iter().collect::<Vec<Card>>();
    let mut rows = vec![("table 場".to_owned(), list(open.table()), 0)];
    for (player, name) in PLAYERS.iter().enumerate() {
        let hand = open.hands()[(player + 3 - mover) % 3];
        let turn = if player == mover { ", to move" } else { "" };
        rows.push((format!("{name}{turn}"), list(hand), 0));
    }
    rows.push(("yama 山, from the top".into(), open.yama().to_vec(), 0));
    document(title, &rows)
}

/// The picture of a month as the player sees it who is to decide.
#[must_use]
pub fn month_svg(month: &Month, player: Option<usize>, dealt: Cards, title: &str) -> String {
    let list = |cards: Cards| cards.iter().collect::<Vec<Card>>();
    let mut rows = vec![("table 場".to_owned(), list(month.table()), 0)];
    if let Some(card) = month.laid() {
        rows.push((if month.has_drawn() { "drawn" } else { "thrown" }.into(), vec![card], 0));
    }
    if month.players().is_none() {
        rows.push(("your hand 手札".into(), list(dealt), 0));
        return document(title, &rows);
    }
    for (other, name) in PLAYERS.iter().enumerate() {
        if Some(other) == player {
            rows.push((format!("{name}, your hand 手札"), list(month.holds(other)), 0));
        } else {
            rows.push((
                format!("{name}, hand"),
                list(month.window(other)),
                month.hand(other).count() as usize,
            ));
        }
        if !month.basket(other).is_empty() {
            let basket = month.basket(other);
            rows.push((format!("{name}, basket 籠, {} points", basket.points()), list(basket), 0));
        }
    }
    document(title, &rows)
}

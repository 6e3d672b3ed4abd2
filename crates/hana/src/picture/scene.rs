//! The two kinds of table as scenes: a month as one seat sees it, with the score sheet of the season; and an open position.

use super::board::{NAMES, PLAYERS, progress};
use crate::card::{Card, Cards};
use crate::month::{Ask, Decision};
use crate::search::open::{Open, Turn};
use crate::season::{Season, decision_word};
use kachi_core::Seat;
use kachi_core::scene::{Action, Face, Placed, Scene, Shape, Sheet, Zone};

fn placed(card: Card) -> Placed {
    Placed::new(Face::Painted(card.to_string()), format!("{card}, {}", card.words()))
}

fn cards(cards: Cards) -> Vec<Placed> {
    cards.iter().map(placed).collect()
}

fn backs(count: u32) -> impl Iterator<Item = Placed> {
    (0..count).map(|_| Placed::new(Face::Back, "face down"))
}

/// How an answer without a card is said.
type Say<'a> = &'a dyn Fn(Ask, Decision) -> String;

/// A season before a viewer: the others' windows, backs and baskets, the table, the own hand; `say` words the answers
/// that are no cards.
#[must_use]
pub fn season_scene(season: &Season, viewer: usize, say: Say<'_>) -> Scene {
    let month = season.month();
    let seat_of = |i: usize| season.seat(i);
    let ask = season.ask();
    let asked = season.mover() == Some(viewer);
    // What the asked player can answer with a card; nobody else needs to know.
    let (throws, takes) = match ask {
        Some(Ask::Throw { from, .. }) if asked => (from, Cards::NONE),
        Some(Ask::Take { from, .. }) if asked => (Cards::NONE, from),
        _ => (Cards::NONE, Cards::NONE),
    };
    let offer = |card: Card, among: Cards| {
        let placed = placed(card);
        if among.has(card) { placed.playing(card.to_string()) } else { placed }
    };
    let basket = |player: usize, seat: usize| {
        let basket = month.basket(player);
        let hints = progress(season.house(), basket);
        let points = format!("{} points", basket.points());
        let note = if hints.is_empty() { points } else { format!("{points}; {hints}") };
        let title = format!("{}: basket 籠", NAMES[seat]);
        Zone::new(title, Some(Seat(seat)), Shape::Pile, cards(basket)).note(note)
    };
    let mut zones = Vec::new();
    let mut mine = Vec::new();
    for (player, i) in month.players().into_iter().flatten().enumerate() {
        let seat = seat_of(i);
        let sage = if month.sage()[player] { "sage 下げ" } else { "" };
        let title = format!("{} {}", NAMES[seat], PLAYERS[player]);
        if seat == viewer {
            let hand = month.holds(player).iter().map(|card| offer(card, throws)).collect();
            let hand =
                Zone::new(format!("{title}: hand 手札"), Some(Seat(seat)), Shape::Hand, hand).note(sage);
            mine = vec![hand, basket(player, seat)];
        } else {
            let window = cards(month.window(player)).into_iter();
            let hand = window.chain(backs(month.hand(player).count())).collect();
            zones.push(Zone::new(title, Some(Seat(seat)), Shape::Hand, hand).note(sage));
            zones.push(basket(player, seat));
        }
    }
    if month.players().is_none() {
        for i in 0..season.seats() {
            let seat = seat_of(i);
            if seat == viewer {
                let title = format!("{}: hand 手札", NAMES[seat]);
                mine = vec![Zone::new(title, Some(Seat(seat)), Shape::Hand, cards(month.dealt(i)))];
            } else {
                let hand = backs(month.dealt(i).count()).collect();
                zones.push(Zone::new(NAMES[seat], Some(Seat(seat)), Shape::Hand, hand));
            }
        }
    }
    let table = month.table().iter().map(|card| offer(card, takes)).collect();
    let yama = month.yama().len();
    let note = if yama > 0 { format!("yama 山: {yama}") } else { String::new() };
    zones.push(Zone::new("table 場", None, Shape::Table, table).note(note));
    if let Some(card) = month.laid() {
        let title = if month.has_drawn() { "drawn" } else { "thrown" };
        zones.push(Zone::new(title, None, Shape::Table, vec![placed(card)]).note("takes one of its month"));
    }
    zones.extend(mine);
    let caption = format!(
        "month {} of {}; field x{}; pot {}; turn {} of 21",
        season.number(),
        season.house().months,
        1 << month.index(),
        month.pot(),
        (month.turn() + 1).min(21)
    );
    let words = |ask: Ask| {
        [true, false].map(|yes| {
            let decision = Decision::Say(yes);
            Action { mv: decision_word(ask, decision), words: say(ask, decision) }
        })
    };
    let actions = match ask {
        Some(ask @ (Ask::Active { .. } | Ask::Cancel { .. } | Ask::Shobu { .. })) if asked => {
            words(ask).to_vec()
        }
        _ => Vec::new(),
    };
    Scene { zones, actions, sheet: sheet(season), caption, ..Scene::default() }
}

fn sheet(season: &Season) -> Option<Sheet> {
    if season.sheet().is_empty() {
        return None;
    }
    let names = NAMES.iter().take(season.seats()).map(|&name| name.to_owned());
    let row = |(i, line): (usize, &crate::season::Line)| {
        let mut row = vec![(i + 1).to_string()];
        row.extend(line.net.iter().map(|net| format!("{net:+}")));
        row.push(line.winner.map_or("void 流れ", |seat| NAMES[seat]).to_owned());
        row
    };
    Some(Sheet {
        head: std::iter::once("month".to_owned()).chain(names).chain(["winner".to_owned()]).collect(),
        rows: season.sheet().iter().enumerate().map(row).collect(),
        foot: std::iter::once("sum".to_owned())
            .chain(season.purses().iter().map(|purse| format!("{purse:+}")))
            .chain([String::new()])
            .collect(),
    })
}

/// An open position: all hands face up, the YAMA from its top; `turns` are the legal ones.
#[must_use]
pub fn open_scene(open: &Open, mover: usize, baskets: &[Cards; 3], turns: &[Turn]) -> Scene {
    let hand = |player: usize| {
        let held = open.hands()[(player + 3 - mover) % 3].iter().map(|card| {
            let mut placed = placed(card);
            if player == mover {
                let with = turns.iter().filter(|turn| turn.throw == Some(card));
                placed.moves = with.map(ToString::to_string).collect();
            }
            placed
        });
        let held = held.collect();
        let points = baskets[player].points();
        let note = if points > 0 { format!("basket 籠: {points} points") } else { String::new() };
        Zone::new(PLAYERS[player], Some(Seat(player)), Shape::Hand, held).note(note)
    };
    let yama = open.yama().iter().map(|&card| placed(card)).collect();
    let mut zones = vec![Zone::new("yama 山, from the top", None, Shape::Pile, yama)];
    zones.push(Zone::new("table 場", None, Shape::Table, cards(open.table())));
    zones.extend((0..3).map(hand));
    let without = turns.iter().filter(|turn| turn.throw.is_none());
    let actions = without.map(|turn| Action { mv: turn.to_string(), words: format!("draw: {turn}") });
    Scene { zones, actions: actions.collect(), ..Scene::default() }
}

//! The table: zones of cards from the far side to the viewer, and the moves that no card stands for.

use super::cards::{face, suits};
use super::graph::net;
use super::{Sight, Way, spoken};
use crate::lang::Lang;
use kachi::core::Seat;
use kachi::core::scene::{Face, Placed, Scene, Shape, Sheet, Zone};
use maud::{Markup, html};

/// Actions that are shown at once; turns with jokers can be hundreds.
const SHOWN_ACTIONS: usize = 8;

/// The whole table.
pub(crate) fn table(
    scene: &Scene,
    seats: &[String],
    mover: Option<Seat>,
    drawing: &str,
    sight: &Sight<'_>,
) -> Markup {
    let lang = sight.lang;
    // Alone at the table, it is always one's own turn.
    let mover = mover.filter(|_| seats.len() > 1);
    html! {
        (suits())
        @if !scene.caption.is_empty() { p.caption { (spoken(lang, &scene.caption)) } }
        @if scene.is_empty() {
            pre.drawing { (drawing) }
        }
        @if let Some(graph) = &scene.graph {
            div.net-frame tabindex="0" role="region" aria-label=(lang.t("the graph", "グラフ")) {
                (net(graph, seats, sight))
            }
        }
        @for rows in grouped(&scene.zones) {
            @if rows[0].shape == Shape::Row {
                div.rows tabindex="0" role="group" aria-label=(lang.t("rows on the table", "場の列")) {
                    @for zone in rows { (row(zone, sight)) }
                }
            } @else {
                @for one in rows.iter().filter(|zone| zone.shape != Shape::Pile || !zone.cards.is_empty()) {
                    (zone(one, mover, sight))
                }
            }
        }
        (actions(scene, sight))
        @if let Some(rows) = &scene.sheet { (sheet(rows, lang)) }
    }
}

/// Rows that follow each other lie in one grid.
fn grouped(zones: &[Zone]) -> Vec<&[Zone]> {
    let same = |a: &Zone, b: &Zone| (a.shape == Shape::Row) == (b.shape == Shape::Row);
    zones.chunk_by(same).collect()
}

fn zone(zone: &Zone, mover: Option<Seat>, sight: &Sight<'_>) -> Markup {
    let lang = sight.lang;
    let shape = match zone.shape {
        Shape::Hand => "hand",
        Shape::Table => "open",
        Shape::Pile => "pile",
        Shape::Row => "row",
    };
    let turn = zone.seat.is_some() && zone.seat == mover && zone.shape == Shape::Hand;
    let seat = zone.seat.map_or(String::new(), |seat| format!(" seat-{}", seat.0));
    let count = zone.cards.iter().filter(|card| card.face != Face::Gap).count();
    let many = match zone.cards.len() {
        0..=7 if zone.shape != Shape::Pile => " few",
        14.. => " many",
        _ => "",
    };
    html! {
        section class={ "zone " (shape) (seat) (many) @if turn { " turn" } } {
            h2 {
                @if zone.seat.is_some() { span.dot aria-hidden="true" {} }
                (title(&zone.title, lang))
                @if turn { span.to-move { (lang.t("to move", "手番")) } }
                @if zone.shape != Shape::Table { span.count { (count) } }
                @if !zone.note.is_empty() { span.note { (spoken(lang, &zone.note)) } }
            }
            ul.cards {
                @for card in &zone.cards { li { (placed(card, sight)) } }
                @if zone.cards.is_empty() { li.none { (lang.t("none", "なし")) } }
            }
        }
    }
}

fn title(title: &str, lang: Lang) -> Markup {
    match (lang, title) {
        (Lang::Ja, "table") => html! { "場" },
        (Lang::Ja, "first" | "second") => html! { (lang.seat(title)) },
        (Lang::Ja, _) if title.is_ascii() && title.len() > 2 => html! { span lang="en" { (title) } },
        _ => html! { (title) },
    }
}

fn row(zone: &Zone, sight: &Sight<'_>) -> Markup {
    html! {
        section.zone.row aria-label=(zone.title) {
            h2 {
                (title(&zone.title, sight.lang))
                @if !zone.note.is_empty() { span.note { (spoken(sight.lang, &zone.note)) } }
            }
            ul.cards { @for card in &zone.cards { li { (placed(card, sight)) } } }
        }
    }
}

/// One card: to look at, to play, or to choose what to do with.
fn placed(card: &Placed, sight: &Sight<'_>) -> Markup {
    let owner = card.owner.map_or(String::new(), |seat| format!(" of-{}", seat.0));
    let faint = if card.faint { " faint" } else { "" };
    let picture = face(&card.face, sight.game);
    let can_move = !matches!(sight.way, Way::Watch);
    match &card.moves[..] {
        [mv] if can_move => sight.control(mv, &card.words, &format!("spot{owner}{faint}"), &picture),
        [_, _, ..] if can_move => {
            let label = format!("{}: {}", card.words, sight.lang.t("choose", "選ぶ"));
            html! {
                details.choice {
                    summary class={ "spot several" (owner) } aria-label=(label) {
                        (picture)
                        span.sign aria-hidden="true" { "…" }
                    }
                    ul { @for mv in &card.moves { li { (sight.control(mv, mv, "wordy", &html! { (mv) })) } } }
                }
            }
        }
        _ => html! {
            span class={ "spot" (owner) (faint) } role="img" aria-label=(card.words) title=(card.words) { (picture) }
        },
    }
}

fn actions(scene: &Scene, sight: &Sight<'_>) -> Markup {
    if scene.actions.is_empty() || matches!(sight.way, Way::Watch) {
        return html! {};
    }
    let shown = scene.actions.len().min(SHOWN_ACTIONS);
    let one = |action: &kachi::core::scene::Action| {
        let words = sight.lang.action(&action.words);
        sight.control(&action.mv, words, "wordy", &html! { (words) })
    };
    html! {
        div.actions role="group" aria-label=(sight.lang.t("other moves", "その他の手")) {
            @for action in &scene.actions[..shown] { (one(action)) }
            @if scene.actions.len() > shown {
                details {
                    summary {
                        (scene.actions.len() - shown) " " (sight.lang.t("more", "手ほかに"))
                    }
                    @for action in &scene.actions[shown..] { (one(action)) }
                }
            }
        }
    }
}

fn sheet(sheet: &Sheet, lang: Lang) -> Markup {
    html! {
        div.sheet tabindex="0" role="region" aria-label=(lang.t("score sheet", "得点表")) {
            table {
                caption { (lang.t("Score sheet", "得点表")) }
                thead { tr { @for cell in &sheet.head { th scope="col" { (cell) } } } }
                tbody {
                    @for row in &sheet.rows {
                        tr {
                            @for (i, cell) in row.iter().enumerate() {
                                @if i == 0 { th scope="row" { (cell) } } @else { td { (cell) } }
                            }
                        }
                    }
                }
                @if !sheet.foot.is_empty() {
                    tfoot { tr { @for (i, cell) in sheet.foot.iter().enumerate() {
                        @if i == 0 { th scope="row" { (cell) } } @else { td { (cell) } }
                    } } }
                }
            }
        }
    }
}

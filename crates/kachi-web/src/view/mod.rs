//! The parts of a page: cards, the table, the verdict, the panels beside it.

pub(crate) mod cards;
pub(crate) mod graph;
pub(crate) mod panels;
pub(crate) mod table;
pub(crate) mod tools;
pub(crate) mod verdict;

use crate::address::Address;
use crate::lang::Lang;
use kachi::core::Seat;
use kachi::core::surface::{MoveLine, Report, Tone};
use maud::{Markup, html};

/// How a move is made from a page.
#[derive(Clone, Copy)]
pub(crate) enum Way<'a> {
    /// By a link: the play is in the address.
    Link(&'a Address),
    /// By a button of the form around it: the play is on the server.
    Form,
    /// Not at all: it is not the viewer's turn.
    Watch,
}

/// What is known about the moves while a table is drawn.
#[derive(Clone, Copy)]
pub(crate) struct Sight<'a> {
    pub(crate) lang: Lang,
    pub(crate) game: &'a str,
    pub(crate) way: Way<'a>,
    /// The analysis, if its values may be shown.
    pub(crate) values: Option<&'a Report>,
    /// The move to point at.
    pub(crate) hint: Option<&'a str>,
}

impl Sight<'_> {
    fn line(&self, mv: &str) -> Option<&MoveLine> {
        self.values?.moves.iter().find(|line| line.mv == mv)
    }

    /// The control that makes a move, with its value beside and behind it.
    pub(crate) fn control(&self, mv: &str, words: &str, class: &str, inside: &Markup) -> Markup {
        let line = self.line(mv);
        let tone = line.map(|line| line.tone);
        let best = self.hint == Some(mv);
        let class = format!("{class} move {}{}", tone_class(tone), if best { " hinted" } else { "" });
        let value = tone.map(|tone| tone_words(tone, self.lang));
        let note =
            line.map(|line| if line.note.is_empty() { line.words.as_str() } else { line.note.as_str() });
        let mut label = words.to_owned();
        for more in [value, note].into_iter().flatten() {
            label.push_str(", ");
            label.push_str(more);
        }
        if best {
            label.push_str(self.lang.t(", the hint", "、ヒント"));
        }
        let inside = html! {
            (inside)
            @if let Some(tone) = tone { span.sign aria-hidden="true" { (sign(tone)) } }
            @if best { span.star aria-hidden="true" { "★" } }
            span.tip aria-hidden="true" {
                @if let Some(value) = value { b { (value) } " " }
                (note.unwrap_or(words))
            }
        };
        match self.way {
            Way::Link(address) => html! {
                a class=(class) href=(address.after(mv).href()) aria-label=(label) data-mv=(mv) { (inside) }
            },
            Way::Form => html! {
                button class=(class) type="submit" name="mv" value=(mv) aria-label=(label) { (inside) }
            },
            Way::Watch => html! { span class="still" { (inside) } },
        }
    }
}

/// The class of a tone.
pub(crate) fn tone_class(tone: Option<Tone>) -> &'static str {
    match tone {
        Some(Tone::Winning) => "wins",
        Some(Tone::Losing) => "loses",
        Some(Tone::Middling) => "between",
        None => "unknown",
    }
}

/// A sign beside the colour.
pub(crate) fn sign(tone: Tone) -> &'static str {
    match tone {
        Tone::Winning => "✓",
        Tone::Losing => "✗",
        Tone::Middling => "~",
    }
}

/// A tone in a word or two.
pub(crate) fn tone_words(tone: Tone, lang: Lang) -> &'static str {
    match tone {
        Tone::Winning => lang.t("good", "良い手"),
        Tone::Losing => lang.t("loses", "負ける手"),
        Tone::Middling => lang.t("in between", "中くらい"),
    }
}

/// The ink of a seat: its number, unless its name says a colour.
pub(crate) fn ink(seats: &[String], seat: Seat) -> usize {
    match seats.get(seat.0).map(String::as_str) {
        Some(name) if name.contains("(blue)") => 0,
        Some(name) if name.contains("(red)") => 1,
        _ => seat.0,
    }
}

/// A seat by name, in its ink.
pub(crate) fn seat_name(seats: &[String], seat: Seat, lang: Lang) -> Markup {
    let name = seats.get(seat.0).map_or("?", |name| lang.seat(name));
    html! { span class={ "seat-text-" (ink(seats, seat)) } { (name) } }
}

/// What a game says, in its own language.
pub(crate) fn spoken(lang: Lang, words: &str) -> Markup {
    html! { @if lang == Lang::Ja { span lang="en" { (words) } } @else { (words) } }
}

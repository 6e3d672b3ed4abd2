//! Cards as pictures, drawn here: playing cards with a large index, label cards, jokers, backs; painted cards come from their game.
//! Colours are classes of the stylesheet, so that the same card is right by day and by night.

use kachi::core::scene::Face;
use maud::{Markup, html};

/// The suits, once for every page; cards refer to them.
pub(crate) fn suits() -> Markup {
    html! {
        svg.defs width="0" height="0" aria-hidden="true" focusable="false" {
            defs {
                symbol id="suit-S" viewBox="0 0 32 32" {
                    path d="M16 2C12 9 3 13 3 20a6.4 6.4 0 0 0 11 4.4C14 27 12.6 29 11 30h10c-1.600-1-3-3-3-5.600A6.400 6.400 0 0 0 29 20C29 13 20 9 16 2Z" {}
                }
                symbol id="suit-H" viewBox="0 0 32 32" {
                    path d="M16 29C12 23 3 18 3 10.500A6.800 6.800 0 0 1 16 7.600 6.800 6.800 0 0 1 29 10.500C29 18 20 23 16 29Z" {}
                }
                symbol id="suit-D" viewBox="0 0 32 32" {
                    path d="M16 2C19 8 23 12.500 27 16 23 19.500 19 24 16 30 13 24 9 19.500 5 16 9 12.500 13 8 16 2Z" {}
                }
                symbol id="suit-C" viewBox="0 0 32 32" {
                    path d="M16 2a6.200 6.200 0 0 1 5 9.900A6.400 6.400 0 1 1 18 22.500C18 26 19.400 29 21 30H11c1.600-1 3-4 3-7.500A6.400 6.400 0 1 1 11 11.900 6.200 6.200 0 0 1 16 2Z" {}
                }
            }
        }
    }
}

/// A face; `game` paints what is painted. It is decoration: whoever places it says what it is.
pub(crate) fn face(face: &Face, game: &str) -> Markup {
    match face {
        Face::Label { text, marked } => label(text, *marked),
        Face::Playing { rank, suit } => playing(rank, *suit),
        Face::Joker => joker(),
        Face::Painted(name) => html! {
            img.card.painted src=(format!("/cards/{game}/{name}.svg")) alt="" width="100" height="160" decoding="async";
        },
        Face::Back => back(),
        Face::Gap => html! { span.card.gap {} },
    }
}

fn sheet(class: &str, inside: &Markup) -> Markup {
    html! {
        svg class={ "card " (class) } viewBox="0 0 60 84" aria-hidden="true" focusable="false" {
            rect.paper x="1" y="1" width="58" height="82" rx="6" {}
            (inside)
        }
    }
}

fn playing(rank: &str, suit: char) -> Markup {
    let red = matches!(suit, 'H' | 'D');
    let suit = format!("#suit-{suit}");
    sheet(
        if red { "playing red" } else { "playing black" },
        &html! {
            text.index x="30" y="36" text-anchor="middle" font-size="34" { (rank) }
            use href=(suit) x="17" y="50" width="26" height="26" {}
        },
    )
}

/// Numbers as they are written in Japanese, for a corner.
const NUMERALS: [&str; 14] =
    ["", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二", "十三"];

fn label(text: &str, marked: bool) -> Markup {
    let letters = text.chars().count();
    let size = match letters {
        0..=1 => 44.0,
        2 => 36.0,
        3 => 25.0,
        n => 78.0 / n as f64,
    };
    let numeral = text.parse::<usize>().ok().and_then(|number| NUMERALS.get(number)).copied().unwrap_or("");
    sheet(
        if marked { "label marked" } else { "label" },
        &html! {
            @if marked { path.slash d="M1 56L59 20V34L1 70Z" {} }
            text.index x="30" y="50" text-anchor="middle" font-size=(format!("{size:.0}")) { (text) }
            @if !numeral.is_empty() && !marked {
                text.numeral x="30" y="76" text-anchor="middle" font-size="11" { (numeral) }
            }
            @if marked { text.numeral x="30" y="77" text-anchor="middle" font-size="13" { "切" } }
        },
    )
}

fn joker() -> Markup {
    sheet(
        "joker",
        &html! {
            path.cap d="M12 46C10 30 16 22 22 30 24 18 36 18 38 30 44 22 50 30 48 46Z" {}
            circle.bell cx="14" cy="27" r="3.500" {}
            circle.bell cx="30" cy="18" r="3.500" {}
            circle.bell cx="46" cy="27" r="3.500" {}
            rect.band x="11" y="45" width="38" height="7" rx="2" {}
            text.index x="30" y="70" text-anchor="middle" font-size="13" { "JOKER" }
        },
    )
}

/// A back with a pattern of waves (青海波).
fn back() -> Markup {
    sheet(
        "back",
        &html! {
            rect.inner x="5" y="5" width="50" height="74" rx="4" {}
            g.waves {
                @for row in 0..6 {
                    @for column in 0..4 {
                        @let x = 5.0 + 12.5 * f64::from(column) + if row % 2 == 0 { 0.0 } else { 6.25 };
                        @if x < 43.0 {
                            @let y = 17.0 + 12.0 * f64::from(row);
                            path d=(format!("M{x} {y}a6.250 6.250 0 0 1 12.500 0M{} {y}a3.250 3.250 0 0 1 6.500 0", x + 3.0)) {}
                        }
                    }
                }
            }
        },
    )
}

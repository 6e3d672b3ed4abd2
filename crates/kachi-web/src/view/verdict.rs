//! The verdict bar: who wins, or how the chances are divided, in words and as a bar.

use super::{ink, spoken};
use crate::lang::Lang;
use kachi::core::Seat;
use kachi::core::surface::{By, Ended, Report, Status};
use maud::{Markup, html};

/// What is known about the board.
pub(crate) enum Known<'a> {
    /// The play is over.
    Over(&'a Ended),
    /// An analysis.
    Report(&'a Report),
    /// Nothing within the limits; the words say why.
    Nothing(&'a str),
}

/// The bar with its sentence. `you` is the person's seat.
pub(crate) fn verdict(
    known: &Known<'_>,
    seats: &[String],
    mover: Option<Seat>,
    you: Option<Seat>,
    lang: Lang,
) -> Markup {
    let name = |seat: usize| {
        let name = seats.get(seat).map_or("?", |name| lang.seat(name));
        match you {
            Some(Seat(you)) if you == seat => html! { (name) " " span.you { (lang.t("(you)", "(あなた)")) } },
            _ => html! { (name) },
        }
    };
    let standing: Vec<f64> = match known {
        Known::Report(report) => report.standing.clone(),
        Known::Over(ended) => {
            (0..seats.len()).map(|seat| f64::from(u8::from(ended.winners.contains(&Seat(seat))))).collect()
        }
        Known::Nothing(_) => Vec::new(),
    };
    html! {
        section #verdict.verdict aria-label=(lang.t("verdict", "判定")) {
            @match known {
                Known::Over(ended) => {
                    p.sentence #say {
                        @if let Some(you) = you {
                            @if ended.winners.contains(&you) { strong { (lang.t("You have won! ", "あなたの勝ち! ")) } }
                            @else if !ended.winners.is_empty() { strong { (lang.t("You have lost. ", "あなたの負け。")) } }
                        }
                        (spoken(lang, &ended.words))
                    }
                }
                Known::Report(report) => {
                    p.sentence #say {
                        @if lang == Lang::Ja {
                            @if let Some(words) = decided(report, seats) { strong { (words) } " " }
                        }
                        (spoken(lang, &report.verdict))
                    }
                }
                Known::Nothing(why) => {
                    p.sentence #say { (lang.t("No verdict within the limits: ", "制限内では判定できません: ")) (spoken(lang, why)) }
                }
            }
            @match standing.as_slice() {
                [first, second] => (duel(*first, *second, &name, &|seat| ink(seats, Seat(seat)))),
                [] => {}
                many => (field(many, &name)),
            }
            @if let Some(Seat(mover)) = mover {
                p.turn-line { (lang.t("To move: ", "手番: ")) strong class={ "seat-text-" (ink(seats, Seat(mover))) } { (name(mover)) } }
            }
            @if let Known::Report(report) = known { (ground(&report.by, lang)) }
        }
    }
}

/// A decided game in Japanese.
fn decided(report: &Report, seats: &[String]) -> Option<String> {
    let winner = report.standing.iter().position(|&share| share >= 1.0)?;
    (report.standing.len() == 2).then(|| format!("{}の勝ち。", Lang::Ja.seat(&seats[winner])))
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// One bar between two.
fn duel(first: f64, second: f64, name: &dyn Fn(usize) -> Markup, ink: &dyn Fn(usize) -> usize) -> Markup {
    let total = first + second;
    let share = if total > 0.0 { (first / total).clamp(0.0, 1.0) } else { 0.5 };
    let side = |seat: usize, share: f64| {
        html! {
            span class={ "bar-name seat-text-" (ink(seat)) } {
                span aria-hidden="true" { @if share >= 1.0 { "● " } @else if share <= 0.0 { "○ " } @else { "◐ " } }
                (name(seat)) " " span.share { (percent(share)) }
            }
        }
    };
    html! {
        div.duel {
            (side(0, share))
            svg.bar viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false" {
                rect class={ "fill-" (ink(1)) } width="100" height="8" {}
                rect class={ "fill-" (ink(0)) } width=(format!("{:.1}", share * 100.0)) height="8" {}
                line.middle x1="50" x2="50" y1="0" y2="8" {}
            }
            (side(1, 1.0 - share))
        }
    }
}

/// A bar for each of several.
fn field(standing: &[f64], name: &dyn Fn(usize) -> Markup) -> Markup {
    html! {
        ul.field {
            @for (seat, &share) in standing.iter().enumerate() {
                li {
                    span class={ "bar-name seat-text-" (seat) } { (name(seat)) }
                    svg.bar viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false" {
                        rect.ground width="100" height="8" {}
                        rect class={ "fill-" (seat) } width=(format!("{:.1}", share.clamp(0.0, 1.0) * 100.0)) height="8" {}
                    }
                    span.share { (percent(share)) }
                }
            }
        }
    }
}

/// What the answer rests on.
fn ground(by: &By, lang: Lang) -> Markup {
    let (class, sure) = match by.status {
        Status::Proved => ("proved", lang.t("machine-checked proof", "機械検証済みの証明")),
        Status::Checked => ("checked", lang.t("checked exhaustively, not proved", "網羅的に確認(証明なし)")),
        Status::Searched => ("searched", lang.t("every continuation searched", "全ての変化を探索")),
        Status::Estimated => ("estimated", lang.t("a judgement, not a proof", "推定(証明なし)")),
    };
    html! {
        p.ground {
            span class={ "badge " (class) } { (sure) }
            " " (spoken(lang, &by.rule))
            @if let Some(reference) = &by.reference { " · " code { (reference) } }
            @if let Some(nodes) = by.nodes { " · " (nodes) " " (lang.t("positions", "局面")) }
        }
    }
}

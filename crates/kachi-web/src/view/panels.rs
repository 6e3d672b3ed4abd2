//! The panels beside the table: moves with their values, the reason, the history, the line of best play.

use super::{Sight, seat_name, sign, spoken, tone_class};
use crate::address::Address;
use crate::engine::{Best, salt};
use crate::lang::Lang;
use kachi::core::Seat;
use kachi::core::random::Dealer;
use kachi::core::surface::{Chance, MoveLine, Report, Tone};
use maud::{Markup, html};

/// Moves that are listed at once.
const LISTED: usize = 40;

/// Every legal move with its value and what there is to say about it; good ones first.
pub(crate) fn moves(report: &Report, sight: &Sight<'_>) -> Markup {
    let lang = sight.lang;
    if report.moves.is_empty() {
        return html! {};
    }
    let mut order: Vec<usize> = (0..report.moves.len()).collect();
    let rank = |line: &MoveLine| match line.tone {
        Tone::Winning => 0,
        Tone::Middling => 1,
        Tone::Losing => 2,
    };
    order.sort_by_key(|&i| (report.best != Some(i), rank(&report.moves[i])));
    let entry = |&i: &usize| {
        let line = &report.moves[i];
        let words = if line.note.is_empty() { &line.words } else { &line.note };
        html! {
            li class=(tone_class(Some(line.tone))) {
                span.sign aria-hidden="true" { (sign(line.tone)) }
                (sight.control(&line.mv, &line.words, "name", &html! { (line.mv) }))
                span.remark { @if report.best == Some(i) { b.best { (lang.t("best", "最善")) } " " } (spoken(lang, words)) }
            }
        }
    };
    let count = |tone: Tone| report.moves.iter().filter(|line| line.tone == tone).count();
    html! {
        section #moves.panel aria-labelledby="moves-head" {
            h2 #moves-head { (lang.t("Moves", "指し手")) }
            p.tally {
                span.wins { span aria-hidden="true" { (sign(Tone::Winning)) } " " (count(Tone::Winning)) " " (lang.t("good", "良い手")) }
                @if count(Tone::Middling) > 0 {
                    " " span.between { span aria-hidden="true" { (sign(Tone::Middling)) } " " (count(Tone::Middling)) " " (lang.t("in between", "中くらい")) }
                }
                " " span.loses { span aria-hidden="true" { (sign(Tone::Losing)) } " " (count(Tone::Losing)) " " (lang.t("losing", "負ける手")) }
            }
            ul.moves { @for i in order.iter().take(LISTED) { (entry(i)) } }
            @if order.len() > LISTED {
                details {
                    summary { (order.len() - LISTED) " " (lang.t("more moves", "手ほかに")) }
                    ul.moves { @for i in order.iter().skip(LISTED) { (entry(i)) } }
                }
            }
        }
    }
}

/// The reason: one thought a line, and its picture.
pub(crate) fn why(report: &Report, picture: Option<&str>, lang: Lang) -> Markup {
    html! {
        section #why.panel aria-labelledby="why-head" {
            h2 #why-head { (lang.t("Why", "理由")) }
            ul.thoughts {
                @for thought in &report.reason {
                    li class=(if thought.starts_with(' ') { "inner" } else { "outer" }) { (spoken(lang, thought.trim())) }
                }
            }
            @if let Some(picture) = picture {
                details.picture open {
                    summary { (lang.t("The reason as a picture", "理由の図")) }
                    a href=(picture) target="_blank" hx-boost="false" {
                        img src=(picture) loading="lazy" decoding="async"
                            alt={ (lang.t("picture of the reason: ", "理由の図: ")) (report.verdict) };
                    }
                }
            }
            @if !report.drawing.trim().is_empty() {
                details.textual {
                    summary { (lang.t("The reason as text", "理由の文字図")) }
                    pre tabindex="0" { (report.drawing) }
                }
            }
        }
    }
}

/// A move of the history.
pub(crate) struct Past {
    pub(crate) seat: Option<Seat>,
    pub(crate) mv: String,
}

/// The moves so far as steps; those that were taken back stay in the list until another move is made.
pub(crate) fn history(address: &Address, past: &[Past], seats: &[String], lang: Lang) -> Markup {
    let at = address.at;
    let step = |to: usize, rel: &str, key: &str, words: &str, possible: bool| {
        html! {
            @if possible { a.step rel=(rel) data-key=(key) href=(address.at(to).href()) { (words) } }
            @else { span.step.off { (words) } }
        }
    };
    html! {
        section #history.panel aria-labelledby="history-head" {
            h2 #history-head { (lang.t("History", "棋譜")) }
            nav.steps aria-label=(lang.t("step through the moves", "手順をたどる")) {
                (step(0, "first", "first", lang.t("⏮ start", "⏮ 最初"), at > 0))
                (step(at.saturating_sub(1), "prev", "back", lang.t("◀ back", "◀ 戻る"), at > 0))
                (step(at + 1, "next", "forward", lang.t("forward ▶", "進む ▶"), at < address.moves.len()))
            }
            @if past.is_empty() { p.faint { (lang.t("No moves yet.", "まだ手がありません。")) } }
            @else {
                ol.history {
                    @for (i, past) in past.iter().enumerate() {
                        li class=(if i < at { "made" } else { "ahead" }) {
                            a href=(address.at(i + 1).href()) aria-current=[(i + 1 == at).then_some("step")] {
                                @if let Some(seat) = past.seat { (seat_name(seats, seat, lang)) " " }
                                (past.mv)
                            }
                        }
                    }
                }
            }
        }
    }
}

/// What chance may do next, for a table beside the screen; or the page draws by itself, the same card at every look.
pub(crate) fn chances(address: &Address, chances: &[Chance], lang: Lang) -> Markup {
    let total: u64 = chances.iter().map(|chance| chance.weight).sum();
    if total == 0 {
        return html! {};
    }
    let mut drawn = Dealer::new(salt(&address.href())).below(total);
    let found = chances.iter().find(|chance| {
        let here = drawn < chance.weight;
        drawn = drawn.saturating_sub(chance.weight);
        here
    });
    html! {
        div.actions.chances role="group" aria-label=(lang.t("what turned up", "出た札")) {
            p { (lang.t("What turned up on your table?", "手元では何が出ましたか。")) }
            @for chance in chances {
                a.wordy.move.unknown href=(address.after(&chance.mv).href()) title=(chance.words)
                    aria-label=(format!("{} ({}/{total})", chance.words, chance.weight)) { (chance.mv) " " small { "×" (chance.weight) } }
            }
            @if let Some(chance) = found {
                a.wordy.move.unknown data-key="draw" data-auto-step href=(address.after(&chance.mv).href()) { (lang.t("draw for me", "代わりに引く")) }
            }
        }
    }
}

/// Best play from here, each move a link to the board after it.
pub(crate) fn line(
    address: &Address,
    best: &[Best],
    ended: Option<&str>,
    seats: &[String],
    lang: Lang,
) -> Markup {
    let mut after = address.analysed();
    let steps: Vec<(String, &Best)> = best
        .iter()
        .map(|step| {
            after = after.after(&step.mv);
            (after.href(), step)
        })
        .collect();
    html! {
        section #line.panel aria-labelledby="line-head" {
            h2 #line-head { (lang.t("The line of best play", "最善の手順")) }
            ol.history {
                @for (href, step) in &steps {
                    li {
                        a href=(href) title=(step.words) {
                            @if let Some(seat) = step.seat { (seat_name(seats, seat, lang)) " " }
                            (step.mv)
                        }
                    }
                }
            }
            @match ended {
                Some(words) => p { (spoken(lang, words)) },
                None => p.faint { (lang.t("... and so on.", "…以下省略。")) },
            }
        }
    }
}

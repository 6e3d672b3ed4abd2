//! What one can do besides moving: hint, undo, the line, a new deal, another position, a game against the engine, a link to share.

use crate::address::{Address, Level, Show};
use crate::lang::Lang;
use kachi::core::surface::{Deal, Entry};
use kachi::core::{Error, Place, Seat};
use maud::{Markup, html};

/// The bar of buttons under the table. `undo` is where taking back leads.
pub(crate) fn buttons(
    address: &Address,
    undo: Option<usize>,
    best: Option<&str>,
    over: bool,
    lang: Lang,
) -> Markup {
    let playing = address.you.is_some();
    let toggle = |show: Show, key: &str, on: &str, off: &str| {
        let active = address.show == show;
        let link = address.showing(if active { Show::Board } else { show }).href();
        html! { a.button data-key=(key) href=(link) aria-pressed=[active.then_some("true")] role="button" { @if active { (off) } @else { (on) } } }
    };
    html! {
        div.buttons role="group" aria-label=(lang.t("tools", "道具")) {
            @if !over { (toggle(Show::Hint, "hint", lang.t("Hint", "ヒント"), lang.t("Hide the hint", "ヒントを隠す"))) }
            @if playing && !over {
                (toggle(Show::Values, "values", lang.t("Show values", "評価を表示"), lang.t("Hide values", "評価を隠す")))
            }
            @if let Some(to) = undo {
                a.button data-key="undo" href=(address.at(to).href()) { (lang.t("Undo", "待った")) }
            }
            @if !playing && !over {
                (toggle(Show::Line, "line", lang.t("Show the line", "手順を表示"), lang.t("Hide the line", "手順を隠す")))
                @if let Some(best) = best {
                    a.button data-key="best" data-auto-step href=(address.after(best).href()) { (lang.t("Play the best move", "最善手を指す")) }
                }
            }
            @if playing {
                a.button href=(address.analysed().href()) { (lang.t("Analyse", "検討する")) }
            }
            // Shown by the script, which alone can do these two.
            button.button type="button" data-auto hidden data-play=(lang.t("Auto-play", "自動再生")) data-stop=(lang.t("Pause", "一時停止")) { (lang.t("Auto-play", "自動再生")) }
            button.button type="button" data-copy hidden data-done=(lang.t("Copied", "コピーしました")) { (lang.t("Copy the link", "リンクをコピー")) }
        }
    }
}

/// The options of a level.
fn levels(chosen: Level, lang: Lang) -> Markup {
    let words = |level: Level| match level.number() {
        5 => lang.t("5, perfect", "5 (完璧)"),
        4 => lang.t("4, slips now and then", "4 (まれに間違える)"),
        3 => lang.t("3, slips often", "3 (よく間違える)"),
        2 => lang.t("2, mostly guesses", "2 (ほぼ当てずっぽう)"),
        _ => lang.t("1, any legal move", "1 (でたらめ)"),
    };
    html! {
        @for level in Level::ALL {
            option value=(level.number()) selected[level == chosen] { (words(level)) }
        }
    }
}

/// Play from this board against the engine, which sits on all other seats.
pub(crate) fn play_me(address: &Address, seats: &[String], mover: Option<Seat>, lang: Lang) -> Markup {
    let chosen = address.you.or(mover).unwrap_or(Seat(0));
    html! {
        form.tool #play-me action=(format!("/{}/play", address.game)) method="get" {
            h2 { (lang.t("Play me", "対局する")) }
            input type="hidden" name="p" value=(address.start);
            @if !address.made().is_empty() {
                input type="hidden" name="m" value=(address.made().iter().map(|mv| mv.replace(' ', "_")).collect::<Vec<_>>().join("~"));
            }
            label { span { (lang.t("Your seat", "あなたの席")) }
                select name="you" {
                    @for (i, name) in seats.iter().enumerate() {
                        option value=(i) selected[Seat(i) == chosen] { (lang.seat(name)) }
                    }
                }
            }
            label { span { (lang.t("The engine's level", "エンジンの強さ")) } select name="level" { (levels(address.level, lang)) } }
            button type="submit" { (lang.t("Play from here", "ここから対局")) }
        }
    }
}

/// A game with hidden cards, kept by the server.
pub(crate) fn sit_down(game: &dyn Entry, lang: Lang) -> Markup {
    let hidden: Vec<(usize, &Deal)> =
        game.deals().iter().enumerate().filter(|(_, deal)| deal.hidden).collect();
    if hidden.is_empty() {
        return html! {};
    }
    html! {
        form.tool #sit-down action="/tables" method="post" {
            h2 { (lang.t("Play with hidden cards", "手札を伏せて対局")) }
            input type="hidden" name="game" value=(game.about().name);
            label { span { (lang.t("Game", "種類")) }
                select name="kind" { @for (i, deal) in hidden { option value=(i) { (lang.t(deal.words, deal.japanese)) } } }
            }
            label { span { (lang.t("The others' level", "相手の強さ")) } select name="level" { (levels(Level::default(), lang)) } }
            button type="submit" { (lang.t("Sit down", "席につく")) }
        }
    }
}

/// A fresh deal by seed.
pub(crate) fn new_deal(game: &dyn Entry, lang: Lang) -> Markup {
    let name = game.about().name;
    html! {
        form.tool #new-deal action=(format!("/{name}/deal")) method="get" {
            h2 { (lang.t("New deal", "新しく配る")) }
            @if !game.deals().is_empty() {
                label { span { (lang.t("Kind", "種類")) }
                    select name="kind" {
                        @for (i, deal) in game.deals().iter().enumerate() { option value=(i) { (lang.t(deal.words, deal.japanese)) } }
                    }
                }
            }
            label { span { (lang.t("Seed (empty: a new one)", "シード(空なら新規)")) }
                input type="text" name="seed" inputmode="numeric" pattern="[0-9]{0,18}" autocomplete="off";
            }
            button type="submit" data-key="deal" { (lang.t("Deal", "配る")) }
        }
    }
}

/// The editor of a position, with the place of an error marked.
pub(crate) fn editor(game: &dyn Entry, text: &str, error: Option<&Error>, lang: Lang) -> Markup {
    let about = game.about();
    html! {
        form.tool #editor action=(format!("/{}", about.name)) method="get" {
            h2 { (lang.t("Edit the position", "局面を編集")) }
            @if let Some(error) = error { (marked(text, error, lang)) }
            label { span { (lang.t("Position", "局面")) }
                textarea name="p" rows="3" spellcheck="false" autocapitalize="off" autocomplete="off"
                    aria-invalid=[error.map(|_| "true")] aria-describedby=[error.map(|_| "wrong")] { (text) }
            }
            button type="submit" { (lang.t("Show", "表示")) }
            details {
                summary { (lang.t("How positions are written", "局面の書き方")) }
                pre lang="en" tabindex="0" { (about.notation) }
            }
        }
    }
}

/// The text with the wrong place marked, and what would be right.
pub(crate) fn marked(text: &str, error: &Error, lang: Lang) -> Markup {
    let (before, wrong, after) = match &error.at {
        Some(Place::Text(range)) => cut(text, range.start, range.end),
        _ => (text, "", ""),
    };
    html! {
        div.wrong #wrong role="alert" {
            p { strong { (lang.t("This is not a position: ", "局面として読めません: ")) } span lang="en" { (error.message) } }
            @if matches!(error.at, Some(Place::Text(_))) {
                pre.place {
                    (before)
                    mark { @if wrong.is_empty() { "▲" } @else { (wrong) } }
                    (after)
                }
            }
            @if let Some(hint) = &error.hint { p lang="en" { (hint) } }
            p.code { (lang.t("Code", "コード")) ": " code { (error.code) } }
        }
    }
}

/// Cuts a text at two places, wherever they are.
fn cut(text: &str, start: usize, end: usize) -> (&str, &str, &str) {
    let fit = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = fit(start);
    let end = fit(end.max(start)).max(start);
    (&text[..start], &text[start..end], &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_outside_the_text_or_inside_a_letter_is_harmless() {
        assert_eq!(cut("1,x/2", 2, 3), ("1,", "x", "/2"));
        assert_eq!(cut("単貧", 1, 2), ("", "", "単貧"));
        assert_eq!(cut("ab", 5, 9), ("ab", "", ""));
        assert_eq!(cut("ab", 2, 1), ("ab", "", ""));
    }
}

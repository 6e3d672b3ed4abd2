//! The claims: every published statement with its source, what is known about it, and counterexamples as boards to open; and the questions that are open.

use super::Visit;
use super::frame::page;
use crate::address::Address;
use crate::app::App;
use crate::lang::Lang;
use crate::ledger::{LEDGER, Row};
use crate::view::spoken;
use axum::extract::State;
use axum::response::Response;
use kachi::core::surface::Entry;
use kachi::core::{Expected, Question, Statement};
use kachi::verify::{Asked, questions_of};
use maud::{Markup, html};
use std::sync::Arc;

/// What is known, in a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Proved,
    Holds,
    Sampled,
    Refuted,
    Open,
}

impl Standing {
    const ALL: [Standing; 5] =
        [Standing::Proved, Standing::Holds, Standing::Sampled, Standing::Refuted, Standing::Open];

    fn of(statement: &Statement) -> Standing {
        match (statement.expected, statement.proved) {
            (Expected::Refuted, _) => Standing::Refuted,
            (Expected::Holds, Some(_)) => Standing::Proved,
            (Expected::Holds, None) if statement.sampled => Standing::Sampled,
            (Expected::Holds, None) => Standing::Holds,
        }
    }

    fn key(self) -> &'static str {
        match self {
            Standing::Proved => "proved",
            Standing::Holds => "holds",
            Standing::Sampled => "sampled",
            Standing::Refuted => "refuted",
            Standing::Open => "open",
        }
    }

    fn words(self, lang: Lang) -> &'static str {
        match self {
            Standing::Proved => lang.t("✓ proved", "✓ 証明済み"),
            Standing::Holds => lang.t("○ holds as far as checked", "○ 確認した範囲で成立"),
            Standing::Sampled => lang.t("◌ holds on random cases", "◌ 無作為の例で成立"),
            Standing::Refuted => lang.t("✗ refuted", "✗ 誤り(反例あり)"),
            Standing::Open => lang.t("? open", "? 未解決"),
        }
    }
}

pub(crate) async fn claims(State(app): State<Arc<App>>, visit: Visit) -> Response {
    let lang = visit.lang;
    let wanted = form_urlencoded::parse(visit.query.as_bytes())
        .find(|(key, _)| key == "status")
        .and_then(|(_, word)| Standing::ALL.into_iter().find(|standing| standing.key() == word));
    let all: Vec<(&'static dyn Entry, &Statement)> = app
        .registry
        .games()
        .iter()
        .flat_map(|&game| {
            kachi::registry::claims(game).into_iter().map(move |claim| (game, claim.statement()))
        })
        .collect();
    let questions: Vec<Asked> = app.registry.games().iter().flat_map(|&game| questions_of(game)).collect();
    let count = |standing: Standing| match standing {
        Standing::Open => questions.len(),
        _ => all.iter().filter(|(_, s)| Standing::of(s) == standing).count(),
    };
    let chip = |key: Option<Standing>, words: &str, count: usize| {
        let href = key.map_or("/claims".to_owned(), |key| format!("/claims?status={}", key.key()));
        html! { a.chip href=(href) aria-current=[(key == wanted).then_some("true")] { (words) " " b { (count) } } }
    };
    let body = html! {
        div.heading { h1 { (lang.t("The claims", "定理と主張")) } }
        p.lead {
            (lang.t(
                "Every statement that kachi relies on or corrects, with its source and what is known about it. Wrong statements are listed too, with the smallest counterexample, and so are the questions that nobody has answered.",
                "kachi が拠りどころとする、または訂正する主張のすべて。出典と現在わかっていることを添えます。誤った主張も最小の反例とともに、まだ解かれていない問いも載せます。"
            ))
        }
        nav.chips aria-label=(lang.t("filter", "絞り込み")) {
            (chip(None, lang.t("all", "すべて"), all.len() + questions.len()))
            @for standing in Standing::ALL { (chip(Some(standing), standing.words(lang), count(standing))) }
        }
        @for &game in app.registry.games() {
            @let about = game.about();
            @let mine: Vec<&Statement> = all.iter()
                .filter(|(other, s)| other.about().name == about.name && wanted.is_none_or(|wanted| Standing::of(s) == wanted))
                .map(|&(_, s)| s).collect();
            @let open: Vec<&Question> = questions.iter()
                .filter(|asked| asked.game == about.name && wanted.is_none_or(|wanted| wanted == Standing::Open))
                .map(|asked| asked.question).collect();
            @if !(mine.is_empty() && open.is_empty()) {
                section.claims aria-labelledby=(format!("claims-{}", about.name)) {
                    h2 id=(format!("claims-{}", about.name)) {
                        (lang.t(about.name, about.japanese)) " " span.japanese { (lang.t(about.japanese, about.name)) }
                    }
                    @for statement in mine { (claim(about.name, statement, lang)) }
                    @for question in open { (ask(about.name, question, lang)) }
                }
            }
        }
    };
    page(&app, &visit, lang.t("The claims", "定理と主張"), "claims", &body)
}

/// Where a claim or an open question stands on the page.
pub(super) fn anchor(game: &str, id: &str) -> String {
    format!("{game}-{id}")
}

fn claim(game: &str, statement: &Statement, lang: Lang) -> Markup {
    let standing = Standing::of(statement);
    let row = LEDGER.get(&(game.to_owned(), statement.id.to_owned()));
    let anchor = |id: &str| anchor(game, id);
    html! {
        article class={ "claim " (standing.key()) } id=(anchor(statement.id)) {
            h3 { a href={ "#" (anchor(statement.id)) } hx-boost="false" { code { (statement.id) } } " " span.standing { (standing.words(lang)) } }
            p.words { (spoken(lang, statement.words)) }
            dl {
                dt { (lang.t("Source", "出典")) } dd { (spoken(lang, statement.source)) }
                dt { (lang.t("Found", "結果")) } dd { (found(game, row, lang)) }
                dt { (lang.t("Domain", "範囲")) } dd { (spoken(lang, statement.domain)) }
                @if let Some(theorem) = statement.proved {
                    dt { (lang.t("Proof", "証明")) } dd { code { (theorem) } }
                }
                @if let Some(right) = statement.corrected_by {
                    dt { (lang.t("Corrected by", "訂正")) } dd { a href={ "#" (anchor(right)) } hx-boost="false" { code { (right) } } }
                }
                @if let Some(row) = row {
                    dt { (lang.t("Check again", "再確認")) } dd { code { (row.command) } }
                }
            }
        }
    }
}

/// An open question.
fn ask(game: &str, question: &Question, lang: Lang) -> Markup {
    let anchor = anchor(game, question.id);
    html! {
        article class={ "claim " (Standing::Open.key()) } id=(anchor) {
            h3 { a href={ "#" (anchor) } hx-boost="false" { code { (question.id) } } " " span.standing { (Standing::Open.words(lang)) } }
            p.words { (spoken(lang, question.words)) }
            dl {
                dt { (lang.t("Source", "出典")) } dd { (spoken(lang, question.source)) }
                dt { (lang.t("Known", "わかっていること")) } dd { span lang="en" { (markdown(question.known)) } }
                dt { (lang.t("Domain", "範囲")) } dd { (spoken(lang, question.domain)) }
                dt { (lang.t("To settle it", "決着の方法")) } dd { span lang="en" { (markdown(question.settled_by)) } }
            }
        }
    }
}

fn found(game: &str, row: Option<&Row>, lang: Lang) -> Markup {
    let Some(row) = row else {
        return html! { (lang.t("not in the ledger of this version yet; run kachi verify", "この版の台帳にはまだありません。kachi verify で確認できます")) };
    };
    html! {
        span lang="en" { (markdown(&row.status)) }
        // Some counterexamples are numbers or examples of a paper, not positions.
        @if let Some(position) = row.counterexample.as_deref().filter(|position| opens(game, position)) {
            " " a.button.small href=(Address::new(game, position).href()) { (lang.t("Open the counterexample", "反例を開く")) }
        }
    }
}

fn opens(game: &str, position: &str) -> bool {
    kachi::registry::find(game).and_then(|entry| entry.board(position)).is_ok()
}

/// Bold and code, which is all that the ledger uses.
fn markdown(text: &str) -> Markup {
    html! {
        @for (i, part) in text.split('`').enumerate() {
            @if i % 2 == 1 { code { (part) } }
            @else {
                @for (j, piece) in part.split("**").enumerate() {
                    @if j % 2 == 1 { b { (piece) } } @else { (piece) }
                }
            }
        }
    }
}

//! The first page: every game one click away.

use super::Visit;
use super::frame::page;
use crate::app::App;
use crate::lang::Lang;
use crate::view::cards::{face, suits};
use crate::view::graph::net;
use crate::view::{Sight, Way};
use axum::extract::State;
use axum::response::Response;
use kachi::core::Seat;
use kachi::core::scene::{Face, Scene, Shape};
use kachi::core::surface::Entry;
use maud::{Markup, html};
use std::sync::Arc;

/// Cards in a game's picture.
const SHOWN: usize = 5;

pub(crate) async fn home(State(app): State<Arc<App>>, visit: Visit) -> Response {
    let lang = visit.lang;
    let body = html! {
        (suits())
        div.hero {
            h1 { (lang.t("Who wins, which moves win, and why", "誰が勝つか、どの手が勝つか、なぜか")) }
            p {
                (lang.t(
                    "Exact play and analysis of Japanese card games. Every answer comes with a reason that you can check by hand.",
                    "日本のカードゲームを厳密に解析し、対局できます。どの答えにも、手で確かめられる理由がつきます。"
                ))
            }
        }
        ul.games {
            @for &game in app.registry.games() { li { (tile(game, lang)) } }
        }
        div.doors {
            a.door href="/claims" {
                strong { (lang.t("The claims", "定理と主張")) }
                span { (lang.t(
                    "Every published statement: proved, checked, or refuted with a counterexample to open.",
                    "発表された主張のすべて。証明済み、確認済み、または反例つきの誤り。"
                )) }
            }
            a.door href="/lab" {
                strong { (lang.t("The laboratory", "実験室")) }
                span { (lang.t("Long runs with live progress and plots.", "長い実験の進み具合と図。")) }
            }
            a.door href="/api" {
                strong { "API" }
                span { (lang.t("The same answers for programs: JSON over HTTP.", "同じ答えをプログラムから。HTTP で JSON。")) }
            }
        }
    };
    page(&app, &visit, lang.t("Card games, solved", "カードゲームを解く"), "home", &body)
}

fn tile(game: &'static dyn Entry, lang: Lang) -> Markup {
    let about = game.about();
    let summary = match (lang, game.in_japanese()) {
        (Lang::Ja, Some(japanese)) => japanese.summary,
        _ => about.summary,
    };
    html! {
        a.tile href=(format!("/{}", about.name)) {
            div.fan aria-hidden="true" { (sample(game, lang)) }
            h2 {
                @match lang {
                    Lang::En => { (about.name) " " span.japanese lang="ja" { (about.japanese) } },
                    Lang::Ja => { (about.japanese) " " span.japanese { (about.name) } },
                }
            }
            p { (summary) }
        }
    }
}

/// A few faces of the game's most telling example: pictures before playing cards before labels; or its graph.
fn sample(game: &'static dyn Entry, lang: Lang) -> Markup {
    let about = game.about();
    let scenes = about.examples.iter().filter_map(|example| {
        let board = game.board(example.position).ok()?;
        Some((board.scene(board.mover().unwrap_or(Seat(0))), board.seats()))
    });
    let scenes: Vec<(Scene, Vec<String>)> = scenes.collect();
    if let Some((Some(graph), seats)) =
        scenes.get(1).or(scenes.first()).map(|(scene, seats)| (&scene.graph, seats))
    {
        let sight = Sight { lang, game: about.name, way: Way::Watch, values: None, hint: None };
        return net(graph, seats, &sight);
    }
    let worth = |faces: &Vec<Face>| {
        let each = |face: &Face| match face {
            Face::Painted(_) => 3,
            Face::Playing { .. } | Face::Joker => 2,
            Face::Label { .. } => 1,
            Face::Back | Face::Gap => 0,
        };
        faces.iter().map(each).sum::<u32>()
    };
    let best = scenes.iter().map(|(scene, _)| faces(scene)).rev().max_by_key(worth).unwrap_or_default();
    html! { @for card in &best { (face(card, about.name)) } }
}

fn faces(scene: &Scene) -> Vec<Face> {
    let shown = |face: &Face| !matches!(face, Face::Gap | Face::Back);
    let hands = scene.zones.iter().filter(|zone| zone.shape != Shape::Pile).rev();
    let faces = hands.flat_map(|zone| zone.cards.iter().map(|card| card.face.clone()));
    faces.filter(shown).take(SHOWN).collect()
}

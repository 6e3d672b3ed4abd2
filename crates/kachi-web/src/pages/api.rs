//! The API in words, with a form to try it.

use super::Visit;
use super::frame::page;
use crate::api::{Reply, answer_one};
use crate::app::App;
use crate::openapi;
use axum::extract::{Form, State};
use axum::response::Response;
use kachi::core::Budget;
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

/// The form to try a request.
#[derive(Debug, Deserialize)]
pub(crate) struct Try {
    request: String,
}

pub(crate) async fn api(State(app): State<Arc<App>>, visit: Visit) -> Response {
    let example = app.registry.games().first().map(|game| {
        let about = game.about();
        let position = about.examples.first().map_or("", |example| example.position);
        serde_json::json!({ "game": about.name, "position": position }).to_string()
    });
    show(&app, &visit, &example.unwrap_or_default(), None)
}

pub(crate) async fn attempt(State(app): State<Arc<App>>, visit: Visit, Form(form): Form<Try>) -> Response {
    let (shared, request) = (Arc::clone(&app), form.request.clone());
    let work = move |budget: &mut Budget<'_>| answer_one(&shared, request.as_bytes(), budget);
    let reply = match app.lanes.think(visit.client, false, work, |reply: &Reply| reply.unfinished).await {
        Ok(reply) => String::from_utf8_lossy(&reply.bytes).into_owned(),
        Err(refusal) => serde_json::json!({ "error": app.refused(refusal) }).to_string(),
    };
    show(&app, &visit, &form.request, Some(&reply))
}

fn show(app: &App, visit: &Visit, request: &str, reply: Option<&str>) -> Response {
    let lang = visit.lang;
    let rules = app.lanes.rules();
    let limits: [(&str, String, &str, u16); 7] = [
        ("body", format!("{} bytes", rules.body), lang.t("one request", "一つの要求"), 413),
        ("cards", rules.limits.cards.to_string(), lang.t("cards of one position", "一つの局面の札数"), 413),
        ("nodes", rules.limits.nodes.to_string(), lang.t("work for one answer", "一つの答えの探索量"), 422),
        (
            "seconds",
            rules.time.as_secs_f64().to_string(),
            lang.t("time for one answer", "一つの答えの時間"),
            422,
        ),
        (
            "per_client",
            rules.per_client.to_string(),
            lang.t("searches of one address", "同じアドレスの探索数"),
            429,
        ),
        ("queue", rules.queue.to_string(), lang.t("searches that may wait", "待てる探索数"), 503),
        (
            "searches",
            rules.searches.to_string(),
            lang.t("searches at a time (more wait)", "同時に走る探索数(残りは待つ)"),
            200,
        ),
    ];
    let body = html! {
        div.heading { h1 { "API" } }
        p.lead {
            (lang.t(
                "The same answers for programs: one JSON object in, one JSON object out, or an array of them.",
                "同じ答えをプログラムから。JSON オブジェクトを一つ送ると一つ返ります。配列も送れます。"
            ))
            " " a href="/api/v1/openapi.json" hx-boost="false" { "OpenAPI" }
        }
        section.tool aria-labelledby="try-head" {
            h2 #try-head { (lang.t("Try it", "試す")) }
            form method="post" action="/api" {
                label { span { "POST /api/v1/query" }
                    textarea name="request" rows="4" spellcheck="false" autocapitalize="off" { (request) }
                }
                button type="submit" { (lang.t("Ask", "問い合わせる")) }
            }
            @if let Some(reply) = reply {
                h3 { (lang.t("Reply", "返答")) }
                pre #reply tabindex="0" { (pretty(reply)) }
            }
        }
        section {
            h2 #limits-head { (lang.t("Limits", "制限")) }
            div.sheet tabindex="0" role="region" aria-labelledby="limits-head" {
                table {
                    thead { tr { th scope="col" { (lang.t("limit", "名前")) } th scope="col" { (lang.t("value", "値")) } th scope="col" { (lang.t("of", "対象")) } th scope="col" { (lang.t("status", "状態コード")) } } }
                    tbody { @for (name, value, words, status) in limits { tr { th scope="row" { code { (name) } } td { (value) } td { (words) } td { (status) } } } }
                }
            }
        }
        section aria-labelledby="queries-head" {
            h2 #queries-head { (lang.t("Questions", "質問の種類")) }
            @for (game, queries) in openapi::queries(app) {
                h3 { code { (game) } }
                @for query in queries {
                    details.query {
                        summary {
                            code { (query.name) }
                            @if openapi::is_default(query.name) { " " span.badge { (lang.t("default", "既定")) } }
                            " " span lang="en" { (query.words) }
                        }
                        h4 { (lang.t("Request", "要求")) }
                        (schema(&query.request.to_value()))
                        h4 { (lang.t("Reply", "返答")) }
                        (schema(&query.reply.to_value()))
                    }
                }
            }
        }
    };
    page(app, visit, "API", "api", &body)
}

fn schema(schema: &Value) -> Markup {
    html! { pre tabindex="0" { (format!("{schema:#}")) } }
}

fn pretty(reply: &str) -> String {
    serde_json::from_str::<Value>(reply).map_or_else(|_| reply.to_owned(), |value| format!("{value:#}"))
}

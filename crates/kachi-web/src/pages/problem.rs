//! Pages for what went wrong.

use super::Visit;
use super::frame::page_with;
use crate::app::App;
use axum::extract::State;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use kachi::core::Error;
use maud::html;
use std::sync::Arc;

/// The status that stands for an error code.
pub(crate) fn status_of(code: &str) -> StatusCode {
    match code {
        "too_large" => StatusCode::PAYLOAD_TOO_LARGE,
        "out_of_budget" => StatusCode::UNPROCESSABLE_ENTITY,
        "too_many_searches" => StatusCode::TOO_MANY_REQUESTS,
        "queue_full" => StatusCode::SERVICE_UNAVAILABLE,
        "internal_error" => StatusCode::INTERNAL_SERVER_ERROR,
        "unknown_game" | "unknown_page" | "unknown_table" => StatusCode::NOT_FOUND,
        _ => StatusCode::BAD_REQUEST,
    }
}

/// Says when to come back, if that helps.
pub(crate) fn with_retry(mut answer: Response) -> Response {
    if matches!(answer.status(), StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
        answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    answer
}

/// A page about an error.
pub(crate) fn problem(app: &App, visit: &Visit, error: &Error) -> Response {
    let lang = visit.lang;
    let body = html! {
        div.problem {
            h1 { (lang.t("That did not work", "うまくいきませんでした")) }
            p.message lang="en" { (error.message) }
            @if let Some(hint) = &error.hint { p lang="en" { (hint) } }
            p.code { (lang.t("Code", "コード")) ": " code { (error.code) } }
            p { a.button href="/" { (lang.t("To all games", "ゲーム一覧へ")) } }
        }
    };
    let title = lang.t("A problem", "エラー");
    with_retry(page_with(app, visit, status_of(error.code), title, "", &body))
}

/// There is no such page.
pub(crate) async fn nowhere(State(app): State<Arc<App>>, visit: Visit) -> Response {
    problem(&app, &visit, &Error::new("unknown_page", "There is no such page."))
}

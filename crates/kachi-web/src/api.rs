//! The contract over HTTP: `POST /api/v1/query` takes one request or an array of them.
//!
//! One request: the status says what happened (200; 400 wrong input; 413 too large; 422 out of nodes or seconds; 429 too many searches of
//! one client; 503 the queue is full). An array: 200 and an array of replies in the same order, each with its own error if it has one.

use crate::app::App;
use crate::lanes::is_limit;
use crate::pages::Visit;
use crate::pages::problem::{status_of, with_retry};
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use kachi::core::{Budget, Error};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Requests of one array.
pub(crate) const MOST_REQUESTS: usize = 10_000;

/// Longer requests are not tried in the quick lane: reading them takes longer than a moment.
const LIGHT: usize = 16 << 10;

/// `POST /api/v1/query`.
pub(crate) async fn query(State(app): State<Arc<App>>, visit: Visit, request: Request) -> Response {
    let limit = app.lanes.rules().body;
    let body = match to_bytes(request.into_body(), limit).await {
        Ok(body) => body,
        Err(_) => {
            let message = format!("a request may have {limit} bytes: limit \"body\"");
            return refuse(&Error::new("too_large", message).hint("ask about smaller positions"));
        }
    };
    let heavy = body.len() > LIGHT;
    let is_array = body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[');
    let shared = Arc::clone(&app);
    let work = move |budget: &mut Budget<'_>| {
        if is_array { answer_all(&shared, &body, budget) } else { answer_one(&shared, &body, budget) }
    };
    match app.lanes.think(visit.client, heavy, work, |reply: &Reply| reply.unfinished).await {
        Ok(reply) => {
            let status = reply.code.map_or(StatusCode::OK, status_of);
            with_retry(json_of(status, reply.bytes))
        }
        Err(refusal) => refuse(&app.refused(refusal)),
    }
}

/// What goes back, the code of its error, and whether more time might have helped.
pub(crate) struct Reply {
    pub(crate) bytes: Vec<u8>,
    pub(crate) code: Option<&'static str>,
    pub(crate) unfinished: bool,
}

pub(crate) fn answer_one(app: &App, body: &[u8], budget: &mut Budget<'_>) -> Reply {
    let mut bytes = Vec::new();
    let code = app.contract.answer_within(body, budget, &mut bytes).err();
    Reply { bytes, code, unfinished: code.is_some_and(is_limit) }
}

/// All replies in order; the limits hold for all of them together.
fn answer_all(app: &App, body: &Bytes, budget: &mut Budget<'_>) -> Reply {
    let requests: Vec<&RawValue> = match serde_json::from_slice(body) {
        Ok(requests) => requests,
        Err(error) => {
            let error = Error::new("not_json", format!("the array of requests cannot be read: {error}"));
            return Reply { bytes: error_body(&error), code: Some("not_json"), unfinished: false };
        }
    };
    if requests.len() > MOST_REQUESTS {
        let error = Error::too_large("requests in one array", requests.len(), MOST_REQUESTS);
        return Reply { bytes: error_body(&error), code: Some("too_large"), unfinished: false };
    }
    let mut bytes = vec![b'['];
    let mut unfinished = false;
    for (i, request) in requests.iter().enumerate() {
        if i > 0 {
            bytes.push(b',');
        }
        let answered = app.contract.answer_within(request.get().as_bytes(), budget, &mut bytes);
        unfinished |= answered.is_err_and(is_limit);
    }
    bytes.push(b']');
    Reply { bytes, code: None, unfinished }
}

fn error_body(error: &Error) -> Vec<u8> {
    json!({ "error": error }).to_string().into_bytes()
}

fn refuse(error: &Error) -> Response {
    with_retry(json_of(status_of(error.code), error_body(error)))
}

fn json_of(status: StatusCode, bytes: Vec<u8>) -> Response {
    (status, [(CONTENT_TYPE, "application/json")], Body::from(bytes)).into_response()
}

/// `GET /api/v1/openapi.json`.
pub(crate) async fn openapi(State(app): State<Arc<App>>) -> Response {
    json_of(StatusCode::OK, crate::openapi::document(&app).to_string().into_bytes())
}

/// `GET /health`: the server lives, and what it is doing.
pub(crate) async fn health(State(app): State<Arc<App>>) -> Response {
    let counts = &app.lanes.counts;
    let number = |count: &std::sync::atomic::AtomicU64| count.load(Ordering::Relaxed);
    let health: Value = json!({
        "status": "ok",
        "version": env!("CARGO_PKG_VERSION"),
        "searching": app.lanes.searching(),
        "waiting": app.lanes.waiting(),
        "quick": number(&counts.quick),
        "slow": number(&counts.slow),
        "refused": number(&counts.refused),
        "left": number(&counts.left),
    });
    json_of(StatusCode::OK, health.to_string().into_bytes())
}

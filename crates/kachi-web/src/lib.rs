//! The page of kachi: play and analyse every game in the browser, and ask the same questions over HTTP.
//!
//! Pages are made on the server and work without scripts; with them, only the changed part is loaded. A board is its link, so nothing
//! is lost on reload; only games with hidden cards are kept on the server.
//!
//! | module | holds |
//! |---|---|
//! | [`address`] | a board as a link |
//! | [`lanes`] | who may think, and for how long |
//! | [`vault`] | games with hidden cards, on the disk |
//! | [`lab`] | the runs of the laboratory |
//! | [`app`] | what all requests share |
//! | [`server`] | listening, and ending gracefully |
//! | [`lang`] | English and Japanese |
//! | `pages`, `view` | the pages and their parts |
//! | `api`, `openapi` | the contract over HTTP |
//! | `headers` | what every answer says to the browser |
//!
//! Games appear through [`kachi::core::surface`] alone; no page knows a particular one.

pub mod address;
mod api;
pub mod app;
mod assets;
mod engine;
mod headers;
pub mod lab;
pub mod lanes;
pub mod lang;
mod ledger;
mod openapi;
mod pages;
pub mod server;
pub mod vault;
mod view;

use app::App;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use pages::{board, claims, home, problem, tables};
use std::sync::Arc;

/// All pages and the API.
pub fn router(app: Arc<App>) -> Router {
    const FORM: usize = 64 << 10;
    Router::new()
        .route("/", get(home::home))
        .route("/claims", get(claims::claims))
        .route("/lab", get(pages::lab::lab))
        .route("/lab/events", get(pages::lab::events))
        .route("/lab/run/{run}", get(pages::lab::run))
        .route("/lab/run/{run}/{plot}", get(pages::lab::plot))
        .route("/api", get(pages::api::api).post(pages::api::attempt))
        .route("/api/v1/query", post(api::query))
        .route("/api/v1/openapi.json", get(api::openapi))
        .route("/health", get(api::health))
        .route("/assets/{version}/{name}", get(assets::asset))
        .route("/favicon.ico", get(assets::favicon))
        .route("/cards/{game}/{name}", get(board::card))
        .route("/picture/{game}", get(board::picture_of_query))
        .route("/picture/{game}/{*start}", get(board::picture))
        .route("/tables", post(tables::begin))
        .route("/table/{id}", get(tables::show))
        .route("/table/{id}/move", post(tables::make_move))
        .route("/{game}", get(board::game))
        .route("/{game}/deal", get(board::deal))
        .route("/{game}/play", get(board::play))
        .route("/{game}/{*start}", get(board::position))
        .fallback(problem::nowhere)
        .layer(DefaultBodyLimit::max(FORM))
        .layer(from_fn_with_state(Arc::clone(&app), headers::guard))
        .with_state(app)
}

//! The frame around every page: head, navigation, language switch, and the place where news is read aloud.

use super::Visit;
use crate::app::App;
use crate::assets;
use crate::lang::{COOKIE_NAME, Lang};
use axum::http::header::{CONTENT_LANGUAGE, SET_COOKIE, VARY};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};

/// How htmx behaves: no inline styles, no eval, no copies of pages in the browser, errors are shown like any page.
const HTMX: &str = r#"{"includeIndicatorStyles":false,"allowEval":false,"historyCacheSize":0,"refreshOnHistoryMiss":true,"scrollIntoViewOnBoost":false,"responseHandling":[{"code":"204","swap":false},{"code":"...","swap":true}]}"#;

/// A complete page.
pub(crate) fn page(app: &App, visit: &Visit, title: &str, here: &str, body: &Markup) -> Response {
    page_with(app, visit, StatusCode::OK, title, here, body)
}

/// A complete page with a status.
pub(crate) fn page_with(
    app: &App,
    visit: &Visit,
    status: StatusCode,
    title: &str,
    here: &str,
    body: &Markup,
) -> Response {
    let lang = visit.lang;
    let html = html! {
        (DOCTYPE)
        html lang=(lang.code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="description" content=(lang.t(
                    "Exact analysis of Japanese card games: who wins, which moves win, and why",
                    "日本のカードゲームの厳密な解析。誰が勝つか、どの手が勝つか、そしてなぜか"
                ));
                meta name="htmx-config" content=(HTMX);
                title { (title) " · kachi" }
                link rel="icon" href=(assets::href("icon.svg")) type="image/svg+xml";
                link rel="stylesheet" href=(assets::href("kachi.css"));
                script src=(assets::href("htmx.js")) defer {}
                script src=(assets::href("kachi.js")) defer {}
            }
            body {
                a.skip href="#page" { (lang.t("Skip to the content", "本文へ")) }
                (header(app, visit, here))
                main #page tabindex="-1" hx-boost="true" hx-target="#page" hx-select="#page" hx-swap="outerHTML"
                    hx-sync="#page:replace" { (body) }
                footer {
                    p {
                        (lang.t(
                            "kachi (勝ち, “the win”) runs on your own machine: no account, no cloud.",
                            "kachi(勝ち)はあなたの手元で動きます。アカウントもクラウドも要りません。"
                        ))
                    }
                }
                div #news.unseen role="status" aria-live="polite" {}
            }
        }
    };
    let mut answer = (status, Html(html.into_string())).into_response();
    let headers = answer.headers_mut();
    headers.insert(CONTENT_LANGUAGE, HeaderValue::from_static(lang.code()));
    headers.insert(VARY, HeaderValue::from_static("accept-language, cookie"));
    if visit.chosen {
        let cookie =
            format!("{COOKIE_NAME}={}; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly", lang.code());
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            headers.insert(SET_COOKIE, cookie);
        }
    }
    answer
}

fn header(app: &App, visit: &Visit, here: &str) -> Markup {
    let lang = visit.lang;
    let link = |href: &str, words: &str, name: &str| {
        html! { a href=(href) aria-current=[(name == here).then_some("page")] { (words) } }
    };
    html! {
        header.top {
            a.brand href="/" { span.seal aria-hidden="true" { "勝" } span { "kachi" } }
            nav aria-label=(lang.t("games", "ゲーム")) {
                @for game in app.registry.games() {
                    @let about = game.about();
                    (link(&format!("/{}", about.name), lang.t(about.name, about.japanese), about.name))
                }
            }
            nav.more aria-label=(lang.t("more", "その他")) {
                (link("/claims", lang.t("Claims", "定理"), "claims"))
                (link("/lab", lang.t("Lab", "実験室"), "lab"))
                (link("/api", "API", "api"))
                @let other = if lang == Lang::En { Lang::Ja } else { Lang::En };
                a.lang href=(visit.in_lang(other)) hreflang=(other.code()) lang=(other.code()) {
                    (other.t("English", "日本語"))
                }
            }
        }
    }
}

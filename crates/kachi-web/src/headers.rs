//! What every answer says to the browser, and which requests are not for us.
//!
//! A page loads nothing from elsewhere and runs no inline script; nobody may frame it. A server on the loopback address answers only
//! to loopback names, so that no foreign page can reach it by a name of its own (DNS rebinding), and forms of other sites are refused.

use crate::app::App;
use axum::extract::{Request, State};
use axum::http::header::{
    CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Pictures carry their own style, and nothing else.
pub(crate) const PICTURE_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/// Looks at requests and dresses answers.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut answer = match refused(&app, request.method(), request.headers()) {
        Some(words) => (StatusCode::FORBIDDEN, words).into_response(),
        None => next.run(request).await,
    };
    let headers = answer.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    set(CONTENT_SECURITY_POLICY, POLICY);
    set(X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(X_FRAME_OPTIONS, "DENY");
    set(REFERRER_POLICY, "same-origin");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    set(HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()");
    set(axum::http::header::CACHE_CONTROL, "no-store");
    answer
}

fn refused(app: &App, method: &Method, headers: &HeaderMap) -> Option<&'static str> {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let host = text(HOST).unwrap_or("");
    if app.local_only && !is_local(host) {
        return Some("This server answers on its own machine only; see kachi serve --help for --host.\n");
    }
    if *method == Method::POST {
        let site = text(HeaderName::from_static("sec-fetch-site"));
        if site.is_some_and(|site| !matches!(site, "same-origin" | "none")) {
            return Some("This form belongs to another site.\n");
        }
        let origin = text(ORIGIN).map(|origin| origin.split_once("://").map_or(origin, |(_, rest)| rest));
        if origin.is_some_and(|origin| origin != host) {
            return Some("This form belongs to another site.\n");
        }
    }
    None
}

/// Is it a name of this machine itself?
fn is_local(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(""),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_local() {
        for host in
            ["localhost", "localhost:7373", "LOCALHOST", "127.0.0.1:80", "127.3.2.1", "[::1]:7373", "[::1]"]
        {
            assert!(is_local(host), "{host}");
        }
        for host in [
            "",
            "example.org",
            "localhost.example.org:80",
            "10.0.0.1",
            "[2001:db8::1]:80",
            "127.0.0.1.nip.io",
        ] {
            assert!(!is_local(host), "{host}");
        }
    }
}

//! Files that are part of the program: stylesheet, scripts, icon. Nothing is read from the disk.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use std::sync::LazyLock;

struct Asset {
    name: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

static ASSETS: &[Asset] = &[
    Asset {
        name: "kachi.css",
        kind: "text/css; charset=utf-8",
        bytes: include_bytes!("../assets/kachi.css"),
    },
    Asset {
        name: "kachi.js",
        kind: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../assets/kachi.js"),
    },
    Asset {
        name: "htmx.js",
        kind: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../assets/htmx.min.js"),
    },
    Asset { name: "icon.svg", kind: "image/svg+xml", bytes: include_bytes!("../assets/icon.svg") },
];

/// A word that changes with the files, so that browsers may keep them for ever.
pub(crate) static VERSION: LazyLock<String> = LazyLock::new(|| {
    let bytes = ASSETS.iter().flat_map(|asset| asset.bytes);
    let hash = bytes.fold(0_u64, |hash, &byte| hash.wrapping_mul(0x0100_0000_01b3) ^ u64::from(byte));
    format!("{hash:016x}")
});

/// The link to a file.
pub(crate) fn href(name: &str) -> String {
    format!("/assets/{}/{name}", *VERSION)
}

/// Serves a file.
pub(crate) async fn asset(Path((_, name)): Path<(String, String)>) -> Response {
    match ASSETS.iter().find(|asset| asset.name == name) {
        Some(asset) => (
            [(CONTENT_TYPE, asset.kind), (CACHE_CONTROL, "public, max-age=31536000, immutable")],
            asset.bytes,
        )
            .into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Browsers ask for this one by themselves.
pub(crate) async fn favicon() -> Response {
    asset(Path((String::new(), "icon.svg".to_owned()))).await
}

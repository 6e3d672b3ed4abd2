//! The pages, one file each.

pub(crate) mod api;
pub(crate) mod board;
pub(crate) mod claims;
pub(crate) mod frame;
pub(crate) mod home;
pub(crate) mod lab;
pub(crate) mod problem;
pub(crate) mod tables;

use crate::lang::Lang;
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Who asks, in which language, for what.
#[derive(Debug, Clone)]
pub(crate) struct Visit {
    pub(crate) lang: Lang,
    /// The link itself names the language, so it is remembered.
    pub(crate) chosen: bool,
    pub(crate) client: IpAddr,
    pub(crate) path: String,
    pub(crate) query: String,
}

impl<S: Sync> FromRequestParts<S> for Visit {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let query = parts.uri.query().unwrap_or("").to_owned();
        let asked = form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == "lang");
        let asked = asked.map(|(_, value)| value.into_owned());
        let client = parts
            .extensions
            .get::<ConnectInfo<SocketAddr>>()
            .map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |info| info.0.ip());
        Ok(Visit {
            lang: Lang::wanted(asked.as_deref(), &parts.headers),
            chosen: asked.as_deref().and_then(Lang::of).is_some(),
            client,
            path: parts.uri.path().to_owned(),
            query,
        })
    }
}

impl Visit {
    /// The same page in another language.
    pub(crate) fn in_lang(&self, lang: Lang) -> String {
        let rest = self.query.split('&').filter(|pair| !pair.is_empty() && !pair.starts_with("lang="));
        let mut pairs: Vec<&str> = rest.collect();
        let lang = format!("lang={}", lang.code());
        pairs.push(&lang);
        format!("{}?{}", self.path, pairs.join("&"))
    }
}

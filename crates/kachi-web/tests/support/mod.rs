//! A house to visit without a socket: the router, its state and a folder of its own.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]
#![allow(dead_code, reason = "each test file uses its own part")]

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use kachi::registry::Registry;
use kachi_web::app::App;
use kachi_web::lab::Lab;
use kachi_web::lanes::Rules;
use kachi_web::router;
use kachi_web::vault::{Kept, Vault};
use serde_json::Value;
use std::sync::Arc;
use tempfile::TempDir;
use tower::ServiceExt;

pub(crate) struct House {
    pub(crate) router: Router,
    pub(crate) app: Arc<App>,
    pub(crate) folder: TempDir,
}

pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

pub(crate) fn house_with(rules: Rules) -> House {
    let folder = tempfile::tempdir().unwrap();
    let vault = Vault::open(folder.path()).unwrap();
    let app = Arc::new(App::new(Registry::default(), rules, Some(vault), Lab::of(Some(folder.path())), true));
    House { router: router(Arc::clone(&app)), app, folder }
}

pub(crate) fn house() -> House {
    house_with(Rules::default())
}

impl House {
    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let answer = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = answer.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        Answer {
            status: parts.status,
            headers: parts.headers,
            body: String::from_utf8(bytes.to_vec()).unwrap(),
        }
    }

    pub(crate) async fn get(&self, link: &str) -> Answer {
        self.send(Request::get(link).header("host", "localhost").body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn get_in(&self, link: &str, name: &str, value: &str) -> Answer {
        let request = Request::get(link).header("host", "localhost").header(name, value);
        self.send(request.body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn ask(&self, body: impl Into<Body>) -> Answer {
        let request = Request::post("/api/v1/query").header("host", "localhost").body(body.into());
        self.send(request.unwrap()).await
    }

    pub(crate) async fn submit(&self, link: &str, form: &str) -> Answer {
        let request = Request::post(link)
            .header("host", "localhost")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(Body::from(form.to_owned()))
            .unwrap();
        self.send(request).await
    }
}

/// The values of all attributes of this name, with entities resolved as far as links have them.
pub(crate) fn attributes(page: &str, name: &str) -> Vec<String> {
    let opening = format!(" {name}=\"");
    let values = page.split(&opening).skip(1).filter_map(|rest| rest.split('"').next());
    values.map(|value| value.replace("&amp;", "&")).collect()
}

/// Begins a game with hidden cards and gives its link.
pub(crate) async fn sit_down(house: &House, game: &str, kind: usize, level: u8) -> String {
    let begun = house.submit("/tables", &format!("game={game}&kind={kind}&level={level}")).await;
    assert_eq!(begun.status, 303, "{}", begun.body);
    begun.header("location").to_owned()
}

impl House {
    /// A hidden game as the server keeps it.
    pub(crate) fn kept(&self, table: &str) -> Kept {
        let id = table.rsplit('/').next().unwrap();
        self.app.vault.as_ref().unwrap().get(id).unwrap()
    }
}

/// The moves that the page of a hidden game offers.
pub(crate) fn buttons(page: &str) -> Vec<String> {
    let values = page.split("name=\"mv\" value=\"").skip(1);
    values.filter_map(|rest| Some(rest.split('"').next()?.to_owned())).collect()
}

//! The page of the laboratory: runs from their first shard to their pictures, and news as it happens.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod support;

use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt;
use kachi_lab::simulate::{Folder, Simulation};
use serde_json::json;
use support::{House, house};
use tower::ServiceExt;

fn begin(house: &House, name: &str, games: u64) -> Folder {
    let settings = json!({"game": "calculation", "name": format!("plans of {name}"), "stacks": 3});
    let simulation = Simulation { settings, first_seed: 1, games, shard: 50 };
    Folder::open(&house.folder.path().join("lab").join(name), &simulation).unwrap()
}

fn finish(folder: &Folder) {
    folder.keep(0, &[], &[]).unwrap();
    let games = folder.simulation().games;
    let summary = json!({"games": games, "rate": 0.5, "interval": {"low": 0.4, "high": 0.6}});
    folder.write("summary.json", summary.to_string().as_bytes()).unwrap();
    folder.write("lost.svg", b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>").unwrap();
}

#[tokio::test]
async fn an_empty_laboratory_says_how_to_begin() {
    let page = house().get("/lab").await;
    assert_eq!(page.status, 200);
    assert!(page.body.contains("kachi lab "), "{}", page.body);
}

#[tokio::test]
async fn running_and_finished_runs_are_told_apart_and_have_pictures() {
    let house = house();
    begin(&house, "long", 10_000).keep(0, &[], &[]).unwrap();
    finish(&begin(&house, "short", 50));
    let page = house.get("/lab").await.body;
    let (running, finished) = page.split_once("id=\"lab-finished\"").unwrap();
    assert!(running.contains("plans of long") && running.contains("50 / 10,000"), "{running}");
    assert!(finished.contains("plans of short") && finished.contains("50.0 % (40.0 to 60.0)"), "{finished}");
    let run = house.get("/lab/run/short").await;
    assert!(run.body.contains("src=\"/lab/run/short/lost.svg\""), "{}", run.body);
    let picture = house.get("/lab/run/short/lost.svg").await;
    assert_eq!(
        (picture.status.as_u16(), picture.header("content-type")),
        (200, "image/svg+xml; charset=utf-8")
    );
    for nowhere in [
        "/lab/run/other",
        "/lab/run/short/manifest.json",
        "/lab/run/short/..%2Flong%2Flost.svg",
        "/lab/run/..%2F",
    ] {
        assert_eq!(house.get(nowhere).await.status, 404, "{nowhere}");
    }
}

#[tokio::test]
async fn news_comes_as_it_happens_and_ends_with_the_server() {
    let house = house();
    let folder = begin(&house, "live", 50);
    let request = Request::get("/lab/events").header("host", "localhost").body(Body::empty()).unwrap();
    let answer = house.router.clone().oneshot(request).await.unwrap();
    assert_eq!(answer.headers()["content-type"], "text/event-stream");
    let mut body = answer.into_body();
    let mut next = async || {
        body.frame()
            .await
            .map(|frame| String::from_utf8(frame.unwrap().into_data().unwrap().to_vec()).unwrap())
    };
    let first = next().await.unwrap();
    assert!(first.starts_with("event: runs\ndata: [") && first.contains("\"done\":0"), "{first}");
    finish(&folder);
    let second = next().await.unwrap();
    assert!(second.contains("\"state\":\"finished\"") && second.contains("\"done\":50"), "{second}");
    house.app.closing.send_replace(true);
    assert_eq!(next().await, None, "the stream ends");
}

//! The page of the laboratory: campaigns from their beginning to their pictures, and news as it happens.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod support;

use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt;
use kachi::registry::Registry;
use kachi_lab::campaign::{Campaign, Ground, Run, Study};
use kachi_lab::work::{Threads, Watch};
use std::num::NonZeroUsize;
use support::{House, house};
use tower::ServiceExt;

/// Begins the check of a claim, and of an erratum, up to a size.
fn begin(house: &House, name: &str, size: u32) -> (Run, Box<dyn Study>) {
    let text = format!(
        "title = \"theorem 1 of {name}\"\n[claims]\ngame = \"tanhinmin\"\nclaims = [\"theorem-1\", \"erratum-1\", \"strongest-cut\"]\nsize = {size}\n"
    );
    begin_campaign(house, name, &text)
}

fn begin_campaign(house: &House, name: &str, text: &str) -> (Run, Box<dyn Study>) {
    let campaign = Campaign::read(text).unwrap();
    let study = campaign.open(Ground { games: Registry::default(), tables: None, threads: None }).unwrap();
    let path = house.folder.path().join("lab").join(name);
    (Run::begin(&path, &campaign, &*study).unwrap(), study)
}

fn finish((mut run, study): (Run, Box<dyn Study>)) {
    run.run(&*study, &Threads(NonZeroUsize::MIN), Watch::default()).unwrap();
}

#[tokio::test]
async fn an_empty_laboratory_says_how_to_begin() {
    let page = house().get("/lab").await;
    assert_eq!(page.status, 200);
    assert!(page.body.contains("kachi lab "), "{}", page.body);
}

#[tokio::test]
async fn unfinished_and_finished_runs_are_told_apart_and_have_pictures() {
    let house = house();
    begin(&house, "long", 9);
    finish(begin(&house, "short", 4));
    let page = house.get("/lab").await.body;
    let (stopped, finished) = page.split_once("id=\"lab-finished\"").unwrap();
    assert!(stopped.contains("id=\"lab-stopped\"") && stopped.contains("theorem 1 of long"), "{stopped}");
    assert!(finished.contains("theorem 1 of short"), "{finished}");
    let run = house.get("/lab/run/short").await.body;
    assert!(run.contains("<dt>hash</dt>"), "a finished run can be cited: {run}");
    let picture = run.split("<img src=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a picture");
    let picture = house.get(picture).await;
    assert_eq!(
        (picture.status.as_u16(), picture.header("content-type")),
        (200, "image/svg+xml; charset=utf-8")
    );
    for nowhere in [
        "/lab/run/other",
        "/lab/run/short/manifest.json",
        "/lab/run/short/..%2Flong%2Fcases.svg",
        "/lab/run/..%2F..%2F",
    ] {
        assert_eq!(house.get(nowhere).await.status, 404, "{nowhere}");
    }
}

#[tokio::test]
async fn a_finished_run_shows_what_was_found_and_an_unfinished_one_how_to_go_on() {
    let house = house();
    begin(&house, "long", 9);
    finish(begin(&house, "short", 4));
    let run = house.get("/lab/run/short").await.body;
    for told in
        ["<code>theorem-1</code>", "✓ holds", "✗ refuted", "<code lang=\"en\">1/1@1</code>", "as expected"]
    {
        assert!(run.contains(told), "{told}: {run}");
    }
    let row = run.split("<tr>").find(|row| row.contains("strongest-cut")).unwrap();
    assert!(row.contains("no counterexample") && !row.contains("holds"), "{row}");
    assert!(row.contains("href=\"/claims#tanhinmin-strongest-cut\""), "{row}");
    assert!(house.get("/claims").await.body.contains("id=\"tanhinmin-strongest-cut\""));
    assert!(run.contains("kachi lab show") && !run.contains("kachi lab resume"), "{run}");
    let run = house.get("/lab/run/long").await.body;
    assert!(run.contains("kachi lab resume") && !run.contains("What it shows"), "{run}");
    // The same run made longer has nothing to show until it is finished again.
    let (mut longer, study) = begin(&house, "short", 5);
    let stop = std::sync::atomic::AtomicBool::new(true);
    longer.run(&*study, &Threads(NonZeroUsize::MIN), Watch { stop: &stop, ..Watch::default() }).unwrap();
    let run = house.get("/lab/run/short").await.body;
    assert!(run.contains("kachi lab resume") && !run.contains("What it shows"), "{run}");
}

#[tokio::test]
async fn players_are_shown_with_intervals_options_and_comparisons() {
    let house = house();
    let text = "[comparison]\ngame = \"hana\"\nplayers = [\"greedy\", \"random\"]\ngames = 20\n";
    finish(begin_campaign(&house, "mon", text));
    let run = house.get("/lab/run/mon").await.body;
    for told in [
        "random against greedy",
        "mon a month (",
        "deals 1 to 20",
        "On the same deals greedy against greedy makes ",
        "plays with 20 points",
        "<dt>kachi</dt>",
        "<dt>house</dt><dd><code>modern</code></dd>",
        "<dt>deals</dt><dd><code>chacha8</code></dd>",
    ] {
        assert!(run.contains(told), "{told}: {run}");
    }
    assert!(house.get("/lab/run/mon?lang=ja").await.body.contains("成績"));
}

#[tokio::test]
async fn news_comes_as_it_happens_and_ends_with_the_server() {
    let house = house();
    let begun = begin(&house, "live", 4);
    let request = Request::get("/lab/events").header("host", "localhost").body(Body::empty()).unwrap();
    let answer = house.router.clone().oneshot(request).await.unwrap();
    assert_eq!(answer.headers()["content-type"], "text/event-stream");
    let mut body = answer.into_body();
    let mut next = async || {
        let frame = body.frame().await?.unwrap();
        Some(String::from_utf8(frame.into_data().unwrap().to_vec()).unwrap())
    };
    let first = next().await.unwrap();
    assert!(first.starts_with("event: runs\ndata: [") && first.contains("\"stage\":\"stopped\""), "{first}");
    finish(begun);
    let second = next().await.unwrap();
    assert!(second.contains("\"stage\":\"finished\""), "{second}");
    house.app.closing.send_replace(true);
    assert_eq!(next().await, None, "the stream ends");
}

//! A person's whole path through every game in a real browser: open, deal, play by mouse and by keyboard, see the verdict change, step back,
//! share the link, phone width, both languages; no console errors; an accessibility check by axe-core.
//!
//! `scripts/browser` brings chromium and chromedriver and runs this.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::key::Key;
use fantoccini::wd::{TimeoutConfiguration, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder, Locator};
use kachi::registry::{Registry, games};
use kachi_web::lanes::Rules;
use kachi_web::server::{Server, Settings};
use serde_json::{Map, Value, json};
use std::future::Future;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

const AXE: &str = include_str!("tools/axe.min.js");

struct Visitor {
    client: Client,
    url: String,
    _driver: Child,
    folder: TempDir,
}

/// Starts a server, a driver and a browser; whatever happens, the browser is closed at the end.
async fn visit<F: Future<Output = ()> + Send + 'static>(walk: impl FnOnce(Arc<Visitor>) -> F) {
    let folder = tempfile::tempdir().unwrap();
    let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let data = Some(folder.path().to_owned());
    let server =
        Server::new(Registry::default(), &Settings { listen, rules: Rules::default(), data }).await.unwrap();
    let url = format!("http://{}", server.address().unwrap());
    tokio::spawn(server.run(std::future::pending()));
    let mut driver = Command::new("chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("chromedriver; scripts/browser installs it");
    let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
    let port = loop {
        let line = lines.next_line().await.unwrap().expect("chromedriver says where it listens");
        if let Some(rest) = line.split("successfully on port ").nth(1) {
            break rest.trim_end_matches('.').to_owned();
        }
    };
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    let mut wishes = Map::new();
    let options = json!({ "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--lang=en"] });
    wishes.insert("goog:chromeOptions".into(), options);
    wishes.insert("goog:loggingPrefs".into(), json!({ "browser": "ALL" }));
    let client = ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new())
        .capabilities(wishes)
        .connect(&format!("http://127.0.0.1:{port}"))
        .await
        .unwrap();
    let patient =
        TimeoutConfiguration::new(Some(Duration::from_secs(60)), Some(Duration::from_secs(60)), None);
    client.update_timeouts(patient).await.unwrap();
    client.set_window_size(1280, 1000).await.unwrap();
    let visitor = Arc::new(Visitor { client: client.clone(), url, _driver: driver, folder });
    // A task of its own, so that a failed walk is heard of here, after the browser is closed.
    let ended = tokio::spawn(walk(visitor)).await;
    client.close().await.unwrap();
    if let Err(failed) = ended {
        std::panic::resume_unwind(failed.into_panic());
    }
}

/// The browser's console, which chromedriver keeps.
#[derive(Debug)]
struct Console;

impl WebDriverCompatibleCommand for Console {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(json!({ "type": "browser" }).to_string()))
    }
}

/// A command of the browser's own protocol, which chromedriver passes on.
#[derive(Debug)]
struct Devtools(&'static str, Value);

impl WebDriverCompatibleCommand for Devtools {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(json!({ "cmd": self.0, "params": self.1 }).to_string()))
    }
}

impl Visitor {
    /// Light or dark.
    async fn prefer(&self, scheme: &str) {
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.client.issue_cmd(Devtools("Emulation.setEmulatedMedia", features)).await.unwrap();
    }

    async fn scripts(&self, on: bool) {
        let off = json!({ "value": !on });
        self.client.issue_cmd(Devtools("Emulation.setScriptExecutionDisabled", off)).await.unwrap();
    }

    async fn open(&self, path: &str) {
        self.client.goto(&format!("{}{path}", self.url)).await.unwrap();
    }

    async fn address(&self) -> String {
        let url = self.client.current_url().await.unwrap().to_string();
        url.strip_prefix(&self.url).unwrap_or(&url).to_owned()
    }

    async fn run(&self, script: &str) -> Value {
        self.client.execute(script, Vec::new()).await.unwrap()
    }

    async fn text(&self, css: &str) -> String {
        self.client
            .find(Locator::Css(css))
            .await
            .unwrap_or_else(|e| panic!("{css}: {e}"))
            .text()
            .await
            .unwrap()
    }

    async fn count(&self, css: &str) -> usize {
        self.client.find_all(Locator::Css(css)).await.unwrap().len()
    }

    /// Clicks with the mouse; scrolls there first, as a person would.
    async fn click(&self, css: &str) {
        let element = self.client.find(Locator::Css(css)).await.unwrap_or_else(|e| panic!("{css}: {e}"));
        let centre = "arguments[0].scrollIntoView({block: 'center'})";
        let argument = serde_json::to_value(&element).unwrap();
        self.client.execute(centre, vec![argument]).await.unwrap();
        element.click().await.unwrap();
    }

    async fn press(&self, key: char) {
        let keys = KeyActions::new("keyboard".to_owned())
            .then(KeyAction::Down { value: key })
            .then(KeyAction::Up { value: key });
        self.client.perform_actions(keys).await.unwrap();
    }

    /// Waits until the address is another one, and the page has settled.
    async fn until_moved(&self, before: &str) -> String {
        for _ in 0..600 {
            let now = self.address().await;
            let settled = self
                .run("return !document.querySelector('.htmx-request, .htmx-swapping, .htmx-settling')")
                .await;
            if now != before && settled == json!(true) {
                return now;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("nothing happened after {before}");
    }

    /// What the console has complained about since the last look.
    async fn complaints(&self) -> Vec<String> {
        let log = self.client.issue_cmd(Console).await.unwrap();
        let entries = log.as_array().cloned().unwrap_or_default();
        let bad = entries.iter().filter(|entry| entry["level"] != "INFO" && entry["level"] != "DEBUG");
        bad.map(|entry| entry["message"].as_str().unwrap_or_default().to_owned()).collect()
    }

    async fn nothing_to_complain(&self, where_: &str) {
        assert_eq!(self.complaints().await, Vec::<String>::new(), "{where_}");
    }

    /// axe-core finds no violation.
    async fn accessible(&self, where_: &str) {
        self.run(AXE).await;
        let script = "const done = arguments[arguments.length - 1]; \
            axe.run(document, {resultTypes: ['violations']}).then(r => done(r.violations.map(v => \
                v.id + ': ' + v.help + ' @ ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(' || '))))";
        let violations = self.client.execute_async(script, Vec::new()).await.unwrap();
        assert_eq!(violations, json!([]), "{where_}");
    }

    /// Nothing sticks out to the side.
    async fn fits(&self, where_: &str) {
        let over = self
            .run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
            .await;
        assert!(over.as_i64().unwrap() <= 0, "{where_} is {over} pixels too wide");
    }

    /// What a finger must hit is large enough.
    async fn can_be_tapped(&self, where_: &str) {
        let script = "return [...document.querySelectorAll('#table .move, .button, button, select, .steps a, header.top a')] \
            .filter(e => e.checkVisibility() && !e.matches('.small')) \
            .map(e => [e.getBoundingClientRect(), e]) \
            .filter(([r]) => r.height < 39.5 || r.width < 24) \
            .slice(0, 5).map(([r, e]) => Math.round(r.width) + 'x' + Math.round(r.height) + ' ' + e.outerHTML.slice(0, 120))";
        assert_eq!(self.run(script).await, json!([]), "{where_}");
    }

    /// Waits until a script says true.
    async fn until(&self, script: &str) {
        for _ in 0..600 {
            if self.run(script).await == json!(true) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("never: {script}");
    }

    async fn on_a_phone(&self, where_: &str) {
        self.client.set_window_size(390, 844).await.unwrap();
        self.fits(where_).await;
        self.can_be_tapped(where_).await;
    }

    async fn at_a_desk(&self) {
        self.client.set_window_size(1280, 1000).await.unwrap();
    }
}

const MOVE: &str = "#table a.move";

/// One game from the first page to a shared link.
async fn walk(visitor: &Visitor, name: &str) {
    visitor.open("/").await;
    visitor.click(&format!("a.tile[href='/{name}']")).await;
    let here = visitor.until_moved("/").await;
    assert_eq!(here, format!("/{name}"));
    // A deal by seed.
    let seed = visitor.client.find(Locator::Css("#new-deal input[name=seed]")).await.unwrap();
    seed.send_keys("7").await.unwrap();
    visitor.click("#new-deal button[type=submit]").await;
    let dealt = visitor.until_moved(&here).await;
    assert!(dealt.starts_with(&format!("/{name}/")), "{dealt}");
    let verdict = visitor.text("#verdict").await;
    assert!(!verdict.is_empty());
    // By mouse; a card with several moves opens its list first.
    if visitor.count(MOVE).await == 0 {
        visitor.click("#table details.choice > summary").await;
    }
    visitor.click(MOVE).await;
    let moved = visitor.until_moved(&dealt).await;
    assert!(moved.contains("m="), "{moved}");
    assert_ne!(visitor.text("#verdict").await, verdict, "the verdict follows the move");
    assert_eq!(visitor.count("#history .made").await, 1);
    // By keyboard: tab to the table, walk, press.
    visitor.run("document.querySelector('#table .move').focus()").await;
    visitor.press(Key::Right.into()).await;
    let focused = visitor.run("return document.activeElement.matches('#table .move')").await;
    assert_eq!(focused, json!(true), "arrows walk over the moves");
    visitor.press(Key::Enter.into()).await;
    let twice = visitor.until_moved(&moved).await;
    assert_eq!(visitor.count("#history .made").await, 2);
    let kept = visitor.run("return document.activeElement !== document.body").await;
    assert_eq!(kept, json!(true), "the focus is not lost");
    // Step back by the history, forward by the browser.
    visitor.click("#history a[rel=prev]").await;
    visitor.until_moved(&twice).await;
    assert_eq!(visitor.count("#history .ahead").await, 1);
    visitor.client.back().await.unwrap();
    visitor.client.wait().for_element(Locator::Css("#history .made ~ .made")).await.unwrap();
    assert_eq!(visitor.address().await, twice);
    // The shared link opens the same board.
    let notation = visitor.text("#verdict").await;
    visitor.open(&twice).await;
    assert_eq!(visitor.text("#verdict").await, notation);
    visitor.accessible(name).await;
    // Phone width.
    visitor.on_a_phone(name).await;
    visitor.accessible(&format!("{name} on a phone")).await;
    visitor.at_a_desk().await;
    visitor.nothing_to_complain(name).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_s_path_through_every_game() {
    visit(|visitor| async move {
        for game in games() {
            walk(&visitor, game.about().name).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_against_the_engine_to_its_end() {
    visit(|visitor| async move {
        visitor.open("/tanhinmin/1,3,4/2,6").await;
        visitor.click("#play-me button[type=submit]").await;
        let mut here = visitor.until_moved("/tanhinmin/1,3,4/2,6").await;
        assert!(here.contains("you="), "{here}");
        assert_eq!(visitor.count("#table .sign").await, 0, "values are hidden");
        visitor.click("[data-key=hint]").await;
        here = visitor.until_moved(&here).await;
        assert_eq!(visitor.count("#table .hinted").await, 1);
        for _ in 0..30 {
            if visitor.count(MOVE).await == 0 {
                break;
            }
            visitor.click(MOVE).await;
            here = visitor.until_moved(&here).await;
        }
        let verdict = visitor.text("#verdict").await;
        assert!(verdict.contains("You have"), "{verdict}");
        visitor.nothing_to_complain("engine").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hidden_games_are_played_by_buttons() {
    visit(|visitor| async move {
        for name in ["babanuki", "hana"] {
            visitor.open(&format!("/{name}")).await;
            visitor.click("#sit-down button[type=submit]").await;
            let table = visitor.until_moved(&format!("/{name}")).await;
            assert!(table.starts_with("/table/"), "{table}");
            visitor.accessible(name).await;
            for _ in 0..2 {
                let before = visitor.run("return document.querySelector('[name=ply]').value").await;
                if visitor.count("#table button.move").await == 0 {
                    break;
                }
                visitor.click("#table button.move").await;
                visitor
                    .until(&format!("return document.querySelector('[name=ply]').value !== {before}"))
                    .await;
                assert_eq!(visitor.address().await, table);
            }
            // The same by keyboard alone.
            if visitor.count("#table button.move").await > 0 {
                let before = visitor.run("return document.querySelector('[name=ply]').value").await;
                visitor.run("document.querySelector('#table .move').focus()").await;
                visitor.press(Key::Right.into()).await;
                visitor.press(Key::Enter.into()).await;
                visitor
                    .until(&format!("return document.querySelector('[name=ply]').value !== {before}"))
                    .await;
            }
            // A reloaded page shows the same table.
            let shown = "return document.querySelector('[name=ply]').value + ' ' + document.querySelectorAll('#table .card').length";
            let before = visitor.run(shown).await;
            visitor.open(&table).await;
            assert_eq!(visitor.run(shown).await, before);
            visitor.on_a_phone(name).await;
            visitor.at_a_desk().await;
            visitor.nothing_to_complain(name).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_other_pages_are_accessible_in_both_languages_and_schemes() {
    visit(|visitor| async move {
        for page in [
            "/",
            "/claims?status=refuted",
            "/lab",
            "/api",
            "/tanhinmin",
            "/hana/4c/12b/3c@2c,4b,10b,12c:10a,2d,3b",
        ] {
            let join = if page.contains('?') { '&' } else { '?' };
            for (lang, scheme) in [("en", "dark"), ("ja", "light")] {
                visitor.prefer(scheme).await;
                visitor.open(&format!("{page}{join}lang={lang}")).await;
                visitor.accessible(&format!("{page} {lang} {scheme}")).await;
                visitor.fits(page).await;
            }
        }
        visitor.nothing_to_complain("pages").await;
        // A wrong position answers 400, which the console mentions; the page itself must be in order.
        visitor.open("/tanhinmin/1,x/2?lang=en").await;
        assert_eq!(visitor.text("mark").await, "x");
        visitor.accessible("a wrong position").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn auto_play_can_be_paused_and_stepped() {
    visit(|visitor| async move {
        visitor.open("/calculation/deal?seed=7").await;
        let here = visitor.address().await;
        visitor.click("[data-auto]").await;
        visitor.until("return document.querySelectorAll('#history .made').length >= 3").await;
        visitor.click("[data-auto]").await;
        assert_eq!(visitor.text("[data-auto]").await, "Auto-play", "it says what pressing it would do now");
        visitor
            .until("return !document.querySelector('.htmx-request, .htmx-swapping, .htmx-settling')")
            .await;
        let paused = visitor.address().await;
        assert_ne!(paused, here);
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert_eq!(visitor.address().await, paused, "paused is paused");
        visitor.click("[data-auto-step]").await;
        visitor.until_moved(&paused).await;
        visitor.click("[data-key=back]").await;
        visitor.until_moved(&paused).await;
        visitor.nothing_to_complain("auto-play").await;
    })
    .await;
}

/// Checks a claim in the laboratory of a data folder, at the pace of whoever lets it go on.
fn check_a_claim(data: &std::path::Path, go_on: std::sync::mpsc::Receiver<()>) {
    use kachi_lab::campaign::{Campaign, Ground, Run};
    use kachi_lab::work::{Threads, Watch};
    let text = "title = \"Theorem 1, a little further\"\n[claims]\ngame = \"tanhinmin\"\nclaims = [\"theorem-1\"]\nsize = 6\n";
    let campaign = Campaign::read(text).unwrap();
    let study = campaign.open(Ground { games: Registry::default(), tables: None, threads: None }).unwrap();
    let mut run = Run::begin(&data.join("lab/live"), &campaign, &*study).unwrap();
    let go_on = std::sync::Mutex::new(go_on);
    // Whoever hung up wants no more waiting.
    let hear = |_: &kachi_lab::work::Progress| {
        let _ = go_on.lock().unwrap().recv();
    };
    let never = std::sync::atomic::AtomicBool::new(false);
    run.run(&*study, &Threads(std::num::NonZeroUsize::MIN), Watch { stop: &never, hear: &hear }).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_of_the_laboratory_moves_on_the_page_by_itself() {
    visit(|visitor| async move {
        visitor.open("/lab").await;
        assert_eq!(visitor.count("[data-run]").await, 0);
        let (go, go_on) = std::sync::mpsc::channel();
        let data = visitor.folder.path().to_owned();
        let work = std::thread::spawn(move || check_a_claim(&data, go_on));
        visitor.until("return !!document.querySelector('#lab-running')").await;
        let shown = "return document.querySelector('[data-count]')?.textContent ?? ''";
        let before = visitor.run(shown).await;
        for _ in 0..3 {
            // It may have ended already.
            let _ = go.send(());
        }
        visitor.until(&format!("{shown} !== {before}").replace("return document", "return (document").replace("?? ''", "?? '')")).await;
        drop(go);
        visitor.until("return !!document.querySelector('#lab-finished')").await;
        work.join().unwrap();
        visitor.click("#lab-finished ~ .runs a").await;
        visitor.client.wait().for_element(Locator::Css(".plots img")).await.unwrap();
        visitor.until("return [...document.querySelectorAll('.plots img')].every(i => i.complete && i.naturalWidth > 0)").await;
        visitor.accessible("a run").await;
        visitor.nothing_to_complain("lab").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn analysis_needs_no_script() {
    visit(|visitor| async move {
        visitor.scripts(false).await;
        visitor.open("/").await;
        visitor.click("a.tile[href='/tanhinmin']").await;
        let here = visitor.until_moved("/").await;
        let verdict = visitor.text("#verdict").await;
        visitor.click(MOVE).await;
        let moved = visitor.until_moved(&here).await;
        assert_ne!(visitor.text("#verdict").await, verdict);
        visitor.click("#history a[rel=prev]").await;
        visitor.until_moved(&moved).await;
        assert_eq!(visitor.text("#verdict").await, verdict);
        let seed = visitor.client.find(Locator::Css("#new-deal input[name=seed]")).await.unwrap();
        seed.send_keys("9").await.unwrap();
        visitor.click("#new-deal button[type=submit]").await;
        visitor.client.wait().for_element(Locator::Css("#verdict")).await.unwrap();
        visitor.nothing_to_complain("without scripts").await;
    })
    .await;
}

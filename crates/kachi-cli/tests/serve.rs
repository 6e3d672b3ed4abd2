//! `kachi serve` as people run it: the real program on a real socket, ended politely, killed in the middle of a month, and left alone by impatient clients.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod support;

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use support::kachi;

/// A search that takes much longer than anybody waits.
const HARD: &str =
    r#"{"game":"graph-shichinarabe","position":"@WRBRBRBR,RBRBRBRB,BRBRBRBR,RBRBRBRB,BRBRBRBR:R:j2-2"}"#;

/// Longer than anything here should take, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

struct Server {
    child: Child,
    host: String,
}

struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    fn location(&self) -> String {
        let line = self.head.lines().find(|line| line.to_ascii_lowercase().starts_with("location:"));
        line.and_then(|line| line.split_once(": ")).map(|(_, link)| link.to_owned()).unwrap_or_default()
    }
}

fn request(host: &str, method: &str, path: &str, kind: &str, body: &str) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

fn read(mut stream: TcpStream) -> Answer {
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text:?}"));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, head: head.to_owned(), body: body.to_owned() }
}

impl Server {
    fn start(data: &Path, more: &[&str]) -> Server {
        let mut command = kachi();
        command.args(["serve", "--port", "0", "--json", "--data"]).arg(data).args(more);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap();
        let host =
            told["url"].as_str().unwrap().trim_start_matches("http://").trim_end_matches('/').to_owned();
        Server { child, host }
    }

    fn send(&self, method: &str, path: &str, kind: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.write_all(request(&self.host, method, path, kind, body).as_bytes()).unwrap();
        stream
    }

    fn get(&self, path: &str) -> Answer {
        read(self.send("GET", path, "text/plain", ""))
    }

    fn submit(&self, path: &str, form: &str) -> Answer {
        read(self.send("POST", path, "application/x-www-form-urlencoded", form))
    }

    /// Sends a request of the contract and does not wait for the answer.
    fn begin(&self, body: &str) -> TcpStream {
        self.send("POST", "/api/v1/query", "application/json", body)
    }

    fn health(&self) -> Value {
        self.get("/health").json()
    }

    /// Waits until the health page says so.
    fn until(&self, words: &str, so: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let health = self.health();
            if so(&health) {
                return health;
            }
            assert!(began.elapsed() < PATIENCE, "{words}: {health}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// As Ctrl-C or the system would ask; gives the exit status and how long it took.
    #[cfg(unix)]
    fn ask_to_end(mut self, signal: &str) -> (ExitStatus, Duration) {
        let began = Instant::now();
        assert!(
            Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap().success()
        );
        (self.child.wait().unwrap(), began.elapsed())
    }

    /// kill -9.
    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn scratch(name: &str) -> PathBuf {
    let folder =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("serve-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[cfg(unix)]
#[test]
fn the_program_says_where_it_is_and_ends_politely() {
    for signal in ["-TERM", "-INT"] {
        let folder = scratch("polite");
        let server = Server::start(&folder, &[]);
        assert!(server.host.starts_with("127.0.0.1:"), "loopback unless asked otherwise: {}", server.host);
        assert_eq!(server.get("/").status, 200);
        // Somebody watches the laboratory, which has no end of its own.
        let watcher = server.send("GET", "/lab/events", "text/plain", "");
        std::thread::sleep(Duration::from_millis(200));
        let (status, took) = server.ask_to_end(signal);
        assert!(status.success(), "{status}");
        assert!(took < Duration::from_secs(8), "{took:?}");
        assert!(read(watcher).body.contains("event: runs"));
        std::fs::remove_dir_all(folder).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn what_was_begun_is_answered_before_the_end() {
    let folder = scratch("begun");
    let server = Server::start(&folder, &["--seconds", "2", "--nodes", "100000000000"]);
    let search = server.begin(HARD);
    server.until("the search runs", |health| health["searching"] == 1);
    let (status, _) = server.ask_to_end("-TERM");
    assert!(status.success(), "{status}");
    let answer = read(search);
    assert_eq!((answer.status, answer.json()["error"]["code"].clone()), (422, json!("out_of_budget")));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn searches_end_when_their_clients_leave() {
    let folder = scratch("leave");
    let server = Server::start(&folder, &["--seconds", "600", "--nodes", "100000000000", "--searches", "1"]);
    let running = server.begin(HARD);
    server.until("one search runs", |health| health["searching"] == 1);
    let waiting = server.begin(HARD);
    server.until("another waits", |health| health["waiting"] == 2);
    drop(waiting);
    server.until("who waits can leave", |health| health["waiting"] == 1);
    drop(running);
    let health =
        server.until("the search has ended", |health| health["searching"] == 0 && health["waiting"] == 0);
    assert!(health["left"].as_u64().unwrap() >= 1, "{health}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn full_queues_are_told_and_quick_answers_go_on() {
    let folder = scratch("full");
    let limits = ["--seconds", "600", "--nodes", "100000000000", "--searches", "1"];
    let quick = r#"{"id":1,"game":"tanhinmin","position":"1,3,4,5,8/2,6,7"}"#;
    for (more, status, code) in [
        (["--queue", "1", "--per-client", "9"], 503, "queue_full"),
        (["--queue", "9", "--per-client", "2"], 429, "too_many_searches"),
    ] {
        let server = Server::start(&folder, &[limits.as_slice(), &more].concat());
        let busy = [server.begin(HARD), server.begin(HARD)];
        server.until("both are under way", |health| health["waiting"] == 2);
        let refused = read(server.begin(HARD));
        assert_eq!((refused.status, refused.json()["error"]["code"].clone()), (status, json!(code)));
        assert!(refused.head.to_ascii_lowercase().contains("retry-after: 1"), "{}", refused.head);
        let limit = more[if status == 503 { 0 } else { 2 }].trim_start_matches("--").replace('-', "_");
        assert!(refused.body.contains(&limit), "the body names the limit {limit}: {}", refused.body);
        for _ in 0..50 {
            let answer = read(server.begin(quick));
            assert_eq!((answer.status, answer.json()["id"].clone()), (200, json!(1)));
        }
        drop(busy);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// The buttons of the table, and how many moves the page has seen.
fn offered(page: &str) -> (Vec<String>, usize) {
    let values = |opening: &str| -> Vec<String> {
        page.split(opening).skip(1).filter_map(|rest| Some(rest.split('"').next()?.to_owned())).collect()
    };
    let ply = values("name=\"ply\" value=\"");
    (values("name=\"mv\" value=\""), ply.first().and_then(|ply| ply.parse().ok()).unwrap_or_default())
}

#[test]
fn kill_nine_in_the_middle_of_a_month_loses_nothing_that_was_answered() {
    let folder = scratch("kill");
    let mut server = Server::start(&folder, &[]);
    let begun = server.submit("/tables", "game=hana&kind=0&level=1");
    assert_eq!(begun.status, 303, "{}", begun.body);
    let table = begun.location();
    for round in 0..4 {
        for _ in 0..=round % 2 {
            let (moves, ply) = offered(&server.get(&table).body);
            let mv = moves.first().expect("there is something to do");
            let moved = server.submit(&format!("{table}/move"), &format!("mv={mv}&ply={ply}"));
            assert_eq!(moved.status, 303, "{}", moved.body);
        }
        // The answer to the last move is here; what the page shows now must survive.
        let before = server.get(&table).body;
        server.kill();
        server = Server::start(&folder, &[]);
        let after = server.get(&table);
        assert_eq!(after.status, 200);
        assert_eq!(after.body, before, "round {round}");
        assert!(offered(&after.body).1 > 0);
    }
    // A move that was killed on its way is made whole or not at all.
    let (moves, ply) = offered(&server.get(&table).body);
    let form = format!("mv={}&ply={ply}", moves[0]);
    let unanswered =
        server.send("POST", &format!("{table}/move"), "application/x-www-form-urlencoded", &form);
    server.kill();
    drop(unanswered);
    server = Server::start(&folder, &[]);
    let (moves, now) = offered(&server.get(&table).body);
    assert!(now == ply || now > ply && !moves.is_empty(), "{ply} {now}");
    drop(server);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_taken_port_and_a_taken_folder_are_explained() {
    let folder = scratch("taken");
    let server = Server::start(&folder, &[]);
    let port = server.host.rsplit(':').next().unwrap();
    let other = folder.join("other");
    let taken = kachi().args(["serve", "--port", port, "--data"]).arg(&other).output().unwrap();
    assert!(!taken.status.success());
    assert!(String::from_utf8_lossy(&taken.stderr).contains("--port 0"), "{taken:?}");
    let shared = kachi().args(["serve", "--port", "0", "--data"]).arg(&folder).output().unwrap();
    assert!(!shared.status.success());
    assert!(String::from_utf8_lossy(&shared.stderr).contains("--data DIR"), "{shared:?}");
    drop(server);
    std::fs::remove_dir_all(folder).unwrap();
}

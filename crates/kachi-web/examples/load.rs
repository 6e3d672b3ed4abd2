//! A load test for a running `kachi serve`: quick analyses as fast as they come, while searches fill the queue and clients leave.
//!
//! ```text
//! cargo run --release -p kachi-web --example load -- 127.0.0.1:7373 10 [quick clients, 16] [searching clients, 8] [browsing clients, 2] [server's pid]
//! ```
//!
//! Prints analyses per second, the latency of the slowest hundredth, what was lost, and how the server's memory grew.

use kachi::registry::{find, games};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// A search that takes much longer than anybody waits.
const HARD: &str =
    r#"{"game":"graph-shichinarabe","position":"@WRBRBRBR,RBRBRBRB,BRBRBRBR,RBRBRBRB,BRBRBRBR:R:j2-2"}"#;

type Failure = Box<dyn std::error::Error + Send + Sync>;

struct Connection(BufReader<TcpStream>);

impl Connection {
    async fn open(host: &str) -> Result<Self, Failure> {
        let stream = TcpStream::connect(host).await?;
        stream.set_nodelay(true)?;
        Ok(Connection(BufReader::new(stream)))
    }

    async fn ask(&mut self, request: &str) -> Result<(u16, Vec<u8>), Failure> {
        self.0.get_mut().write_all(request.as_bytes()).await?;
        let mut line = String::new();
        self.0.read_line(&mut line).await?;
        let status = line.split(' ').nth(1).ok_or("no status")?.parse()?;
        let mut length = 0;
        loop {
            line.clear();
            self.0.read_line(&mut line).await?;
            let lower = line.trim().to_ascii_lowercase();
            if lower.is_empty() {
                break;
            }
            if let Some(value) = lower.strip_prefix("content-length:") {
                length = value.trim().parse()?;
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).await?;
        Ok((status, body))
    }
}

fn post(host: &str, body: &str) -> String {
    format!("POST /api/v1/query HTTP/1.1\r\nhost: {host}\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

fn get(host: &str, path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: {host}\r\n\r\n")
}

#[derive(Default)]
struct Tally {
    lost: AtomicU64,
    searches: AtomicU64,
    refused: AtomicU64,
    left: AtomicU64,
    pages: AtomicU64,
}

fn resident(pid: Option<&str>) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", pid?)).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().split(' ').next()?.parse().ok())
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let host: Arc<str> = args.first().map_or("127.0.0.1:7373", String::as_str).into();
    let number = |i: usize, usual: u64| args.get(i).and_then(|word| word.parse().ok()).unwrap_or(usual);
    let (seconds, quick, searching, browsing) = (number(1, 10), number(2, 16), number(3, 8), number(4, 2));
    let pid = args.get(5).map(String::as_str);
    let (stop, tally) = (Arc::new(AtomicBool::new(false)), Arc::new(Tally::default()));
    let mut quick_clients = Vec::new();
    let tanhinmin = find("tanhinmin").map_err(|error| error.message)?;
    for client in 0..quick {
        let (host, stop, tally) = (Arc::clone(&host), Arc::clone(&stop), Arc::clone(&tally));
        quick_clients.push(tokio::spawn(async move {
            let mut taken = Vec::new();
            let mut connection = Connection::open(&host).await?;
            let mut i = client * 1_000_000;
            while !stop.load(Ordering::Relaxed) {
                let request = post(&host, &tanhinmin.typical_request(i));
                let began = Instant::now();
                match connection.ask(&request).await {
                    Ok((200, body)) if body.starts_with(format!("{{\"id\":{i},").as_bytes()) => {
                        taken.push(began.elapsed());
                    }
                    _ => {
                        tally.lost.fetch_add(1, Ordering::Relaxed);
                        connection = Connection::open(&host).await?;
                    }
                }
                i += 1;
            }
            Ok::<_, Failure>(taken)
        }));
    }
    for client in 0..searching {
        let (host, stop, tally) = (Arc::clone(&host), Arc::clone(&stop), Arc::clone(&tally));
        tokio::spawn(async move {
            while !stop.load(Ordering::Relaxed) {
                let Ok(mut connection) = Connection::open(&host).await else { continue };
                let patience = Duration::from_millis(if client % 2 == 0 { 300 } else { 30_000 });
                match tokio::time::timeout(patience, connection.ask(&post(&host, HARD))).await {
                    Ok(Ok((422, _))) => tally.searches.fetch_add(1, Ordering::Relaxed),
                    Ok(Ok((429 | 503, _))) => {
                        // The answer says when to come again (Retry-After: 1).
                        tokio::time::sleep(Duration::from_secs(1)).await;
                        tally.refused.fetch_add(1, Ordering::Relaxed)
                    }
                    Err(_) => tally.left.fetch_add(1, Ordering::Relaxed),
                    Ok(_) => tally.lost.fetch_add(1, Ordering::Relaxed),
                };
            }
        });
    }
    for client in 0..browsing {
        let (host, stop, tally) = (Arc::clone(&host), Arc::clone(&stop), Arc::clone(&tally));
        tokio::spawn(async move {
            let mut seed = client * 1000;
            let mut connection = None;
            while !stop.load(Ordering::Relaxed) {
                let game = games()[seed as usize % games().len()].about().name;
                if connection.is_none() {
                    connection = Connection::open(&host).await.ok();
                }
                let Some(open) = connection.as_mut() else { continue };
                let mut paths = vec!["/".to_owned(), "/claims".to_owned(), format!("/{game}")];
                paths.extend((0..3).map(|i| format!("/{game}/{}", example(game, seed + i))));
                for path in paths {
                    match open.ask(&get(&host, &path)).await {
                        Ok((200 | 429 | 503, _)) => tally.pages.fetch_add(1, Ordering::Relaxed),
                        _ => tally.lost.fetch_add(1, Ordering::Relaxed),
                    };
                }
                seed += 1;
            }
        });
    }
    let mut memory = BTreeMap::new();
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(seconds) {
        tokio::time::sleep(Duration::from_secs(seconds.div_ceil(10).max(1))).await;
        memory.extend(resident(pid).map(|kib| (began.elapsed().as_secs(), kib)));
    }
    stop.store(true, Ordering::Relaxed);
    let mut taken = Vec::new();
    for client in quick_clients {
        taken.extend(client.await??);
    }
    let elapsed = began.elapsed().as_secs_f64();
    taken.sort_unstable();
    let at = |share: f64| {
        let i = ((taken.len() as f64 * share) as usize).min(taken.len().saturating_sub(1));
        taken.get(i).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
    };
    println!("analyses   {} in {elapsed:.1} s: {:.0} a second", taken.len(), taken.len() as f64 / elapsed);
    println!("latency    median {:.2} ms, p99 {:.2} ms, longest {:.2} ms", at(0.5), at(0.99), at(1.0));
    let count = |count: &AtomicU64| count.load(Ordering::Relaxed);
    let [ended, refused, left] = [&tally.searches, &tally.refused, &tally.left].map(count);
    println!("searches   {ended} ended at a limit, {refused} found the queue full, {left} left early");
    println!("pages      {}", count(&tally.pages));
    println!("lost       {}", count(&tally.lost));
    println!("memory     {memory:?} KiB by second");
    Ok(())
}

fn example(game: &str, i: u64) -> &'static str {
    let examples = find(game).map_or(&[][..], |entry| entry.about().examples);
    examples.get(i as usize % examples.len().max(1)).map_or("", |example| example.position)
}

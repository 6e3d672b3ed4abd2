//! Several processes on this machine: the first one starts the others from its own program, each of which listens on a free port, tells it on its standard
//! output, and hears on its standard input who the others are and what the secret is.

use super::connect::Config;
use super::handshake::Identity;
use super::hosts::Hosts;
use super::secret::Secret;
use kachi_core::Error;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long processes of one machine wait for each other.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a process tells the one that started it.
#[derive(Serialize, Deserialize)]
struct Ready {
    port: u16,
}

/// What it hears.
#[derive(Serialize, Deserialize)]
struct Orders {
    ports: Vec<u16>,
    secret: String,
}

fn cannot_start(error: impl std::fmt::Display) -> Error {
    Error::new("cannot_start", format!("cannot start a process of the cluster: {error}"))
}

fn listen() -> Result<(TcpListener, u16), Error> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(cannot_start)?;
    let port = listener.local_addr().map_err(cannot_start)?.port();
    Ok((listener, port))
}

fn config(
    process: usize,
    workers: usize,
    listener: TcpListener,
    orders: &Orders,
    gone: Arc<AtomicBool>,
) -> Result<Config, Error> {
    Ok(Config {
        hosts: Hosts::local(&orders.ports),
        process,
        workers,
        secret: Secret::new(&orders.secret)?,
        version: Identity::version(),
        patience: PATIENCE,
        listener: Some(listener),
        gone,
        leave: None,
    })
}

/// The processes that were started. When this is dropped they have a moment to end by themselves.
#[derive(Debug, Default)]
pub struct Children(Vec<(Child, Option<ChildStdin>)>);

/// Sets the sign when a stream ends: whoever was at its other end is gone.
fn watch(stream: impl Read + Send + 'static, gone: &Arc<AtomicBool>) -> Result<(), Error> {
    let gone = gone.clone();
    let wait = move || {
        let mut stream = stream;
        // Whatever is still said is not for us; an error is an end too.
        let _ = std::io::copy(&mut stream, &mut std::io::sink());
        gone.store(true, Ordering::Relaxed);
    };
    std::thread::Builder::new().name("watch".to_owned()).spawn(wait).map_err(cannot_start)?;
    Ok(())
}

impl Children {
    /// Starts the other processes of a cluster of so many: `arguments` gives the words after the program's name for each of them. Gives the place of this
    /// process, which is the first one.
    ///
    /// # Errors
    /// `cannot_start`.
    pub fn start(
        program: &Path,
        processes: usize,
        workers: usize,
        arguments: &dyn Fn(usize) -> Vec<OsString>,
    ) -> Result<(Config, Children), Error> {
        let (listener, port) = listen()?;
        let mut orders = Orders { ports: vec![port], secret: Secret::random()?.text() };
        let mut children = Children::default();
        for process in 1..processes {
            let mut child = Command::new(program)
                .args(arguments(process))
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .map_err(cannot_start)?;
            let input = child.stdin.take();
            children.0.push((child, input));
        }
        let gone = Arc::new(AtomicBool::new(false));
        for (child, _) in &mut children.0 {
            let mut said =
                BufReader::new(child.stdout.take().ok_or_else(|| cannot_start("it does not speak"))?);
            // Whatever else stands before it is not for us.
            let ready = said.by_ref().lines().find_map(|line| serde_json::from_str(&line.ok()?).ok());
            let Ready { port } = ready.ok_or_else(|| cannot_start("it does not say where it listens"))?;
            orders.ports.push(port);
            watch(said, &gone)?;
        }
        let line = serde_json::to_string(&orders).map_err(cannot_start)? + "\n";
        for (_, input) in &mut children.0 {
            // It stays open as a sign that this process is there.
            let input = input.as_mut().ok_or_else(|| cannot_start("it does not listen"))?;
            input.write_all(line.as_bytes()).and_then(|()| input.flush()).map_err(cannot_start)?;
        }
        Ok((config(0, workers, listener, &orders, gone)?, children))
    }

    /// The numbers by which the system knows them.
    #[must_use]
    pub fn ids(&self) -> Vec<u32> {
        self.0.iter().map(|(child, _)| child.id()).collect()
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        let until = Instant::now() + Duration::from_secs(5);
        for (child, input) in &mut self.0 {
            drop(input.take());
            while matches!(child.try_wait(), Ok(None)) && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(5));
            }
            if matches!(child.try_wait(), Ok(None)) {
                // It has ended meanwhile, or it ends now.
                let _ = child.kill();
                let _ = child.wait();
            }
        }
    }
}

/// The place of a process that was started by [`Children::start`].
///
/// # Errors
/// `cannot_start` if nobody says who the others are.
pub fn started(process: usize, workers: usize) -> Result<Config, Error> {
    let (listener, port) = listen()?;
    let ready = serde_json::to_string(&Ready { port }).map_err(cannot_start)?;
    let mut output = std::io::stdout();
    writeln!(output, "{ready}").and_then(|()| output.flush()).map_err(cannot_start)?;
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).map_err(cannot_start)?;
    let orders: Orders =
        serde_json::from_str(&line).map_err(|_| cannot_start("it was not told who the others are"))?;
    let gone = Arc::new(AtomicBool::new(false));
    watch(std::io::stdin(), &gone)?;
    config(process, workers, listener, &orders, gone)
}

//! The fixed workloads of a game, measured with a real clock, and the speed of a whole stream from file to file.
//!
//! Figures are rates of this machine at this moment. The *signature* is not: it is a number made from answers alone and
//! changes only when behaviour changes.

use crate::batch::Batch;
use crate::contract::{Allowance, Contract};
use crate::registry::{self, Registry};
use kachi_core::surface::{Clock, Entry, Figure, fold};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The clock of this machine.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Instant);

impl Default for Stopwatch {
    fn default() -> Self {
        Stopwatch(Instant::now())
    }
}

impl Clock for Stopwatch {
    fn seconds(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}

/// The measured figures of one game. As JSON: one object with `game`, `signature` and a field for each figure.
#[derive(Debug, Clone)]
pub struct Measured {
    /// The game.
    pub game: &'static str,
    /// Changes only when behaviour changes; below 2^53, so that every JSON reader keeps it exactly.
    pub signature: u64,
    /// The figures, in the order of measuring.
    pub figures: Vec<Figure>,
}

impl Serialize for Measured {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2 + self.figures.len()))?;
        map.serialize_entry("game", self.game)?;
        map.serialize_entry("signature", &self.signature)?;
        for figure in &self.figures {
            map.serialize_entry(figure.key, &figure.value)?;
        }
        map.end()
    }
}

/// Runs the workloads of a game, then a stream of its typical requests.
///
/// # Errors
/// What writing or reading the temporary files reports.
pub fn measure(game: &dyn Entry) -> io::Result<Measured> {
    let mut bench = game.bench(&Stopwatch::default());
    for annex in registry::annexes(game.about().name) {
        let more = (annex.bench)(&Stopwatch::default());
        bench.signature = fold(bench.signature, more.signature);
        bench.figures.extend(more.figures);
    }
    let (rate, lines) = batch_rate(game)?;
    let words = format!(
        "lines of a stream answered per second, file to file, {STREAM_THREADS} threads ({lines} lines)"
    );
    bench.figure("batch_lines_per_s", rate, words);
    let signature = bench.signature & ((1 << 53) - 1);
    Ok(Measured { game: game.about().name, signature, figures: bench.figures })
}

/// Workers of the measured stream: a laptop's worth, so that figures of different machines can be compared.
const STREAM_THREADS: usize = 2;
/// Different requests in the stream; a longer stream repeats them.
const DIFFERENT: u64 = 1 << 15;
const FIRST_TRY: u64 = 1 << 10;
const MOST_LINES: u64 = 1 << 20;
const LONG_ENOUGH: Duration = Duration::from_millis(800);

/// Lines per second, and the number of lines of the last, longest run.
fn batch_rate(game: &dyn Entry) -> io::Result<(f64, u64)> {
    let games = [game];
    let contract = Contract::new(Registry::new(&games), Allowance::default());
    let folder = Folder::new(game.about().name)?;
    let mut lines = FIRST_TRY;
    loop {
        let took = stream(game, &contract, &folder.0, lines)?;
        if took >= LONG_ENOUGH || lines == MOST_LINES {
            return Ok((lines as f64 / took.as_secs_f64(), lines));
        }
        // Aim a little past the mark from what this run took, in steps of at most 64.
        let wanted = lines as f64 * 1.3 * LONG_ENOUGH.as_secs_f64() / took.as_secs_f64().max(1e-6);
        lines = (wanted as u64).clamp(lines * 2, lines * 64).min(MOST_LINES);
    }
}

fn stream(game: &dyn Entry, contract: &Contract<'_>, folder: &Path, lines: u64) -> io::Result<Duration> {
    let (requests, replies) = (folder.join("requests.jsonl"), folder.join("replies.jsonl"));
    let mut writer = BufWriter::new(File::create(&requests)?);
    let different: Vec<String> = (0..DIFFERENT.min(lines)).map(|i| game.typical_request(i)).collect();
    for request in different.iter().cycle().zip(0..lines).map(|(request, _)| request) {
        writeln!(writer, "{request}")?;
    }
    writer.into_inner().map_err(io::IntoInnerError::into_error)?;
    let batch =
        Batch { threads: NonZeroUsize::new(STREAM_THREADS).unwrap_or(NonZeroUsize::MIN), flush: false };
    let began = Instant::now();
    let tally = batch.run(contract, File::open(&requests)?, File::create(&replies)?)?;
    let took = began.elapsed();
    if (tally.replies, tally.errors) == (lines, 0) {
        return Ok(took);
    }
    let message = format!("{} of {lines} typical requests were answered with an error", tally.errors);
    Err(io::Error::other(message))
}

/// A folder of temporary files that goes away with its value.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let (process, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(format!("kachi-bench-{name}-{process}-{count}"));
        fs::create_dir_all(&path)?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing more can be done about a temporary folder that cannot be removed.
        let _ = fs::remove_dir_all(&self.0);
    }
}

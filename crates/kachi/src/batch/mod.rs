//! A stream of requests, one a line, answered in parallel and in order: reply number `i` belongs to request number `i`.
//!
//! * A completely empty line is skipped, so files may be grouped by eye; every other line gets exactly one reply, and
//!   a bad one (not JSON, unknown game, unknown field, too long) gets an error reply while the stream goes on.
//! * Memory is bounded: lines longer than the contract allows are passed over, never kept, and a worker that is ahead
//!   of the others by more than a few pieces waits.
//! * The bytes of the output do not depend on the number of threads.
//!
//! Each worker takes a piece of the input from the source, answers its lines, and hands the replies to the sink, which
//! writes pieces in the order of the input. Pieces grow while lines are answered quickly and shrink to
//! single lines while they are slow, so that cheap lines cost no locking and dear ones use all cores.

mod sink;
mod source;

use crate::contract::Contract;
use sink::Sink;
use source::{Piece, Source};
use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How a stream is worked on.
#[derive(Debug, Clone, Copy)]
pub struct Batch {
    /// Workers; the machine's cores by default.
    pub threads: NonZeroUsize,
    /// Write and flush every reply before the next request is read, for a person or a program that waits for it.
    pub flush: bool,
}

impl Default for Batch {
    fn default() -> Self {
        let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Batch { threads, flush: false }
    }
}

/// What went through.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Replies written.
    pub replies: u64,
    /// Those of them that are errors.
    pub errors: u64,
}

/// Work on one piece that is neither too short to pay for its locks nor too long to share.
const QUICK: Duration = Duration::from_millis(1);
const SLOW: Duration = Duration::from_millis(4);

impl Batch {
    /// Answers every request of `input` into `output`.
    ///
    /// ```
    /// use kachi::{batch::Batch, contract::{Allowance, Contract}, registry::Registry};
    /// let contract = Contract::new(Registry::default(), Allowance::default());
    /// let mut replies = Vec::new();
    /// let tally = Batch::default().run(&contract, &b"{}\n\n[]\n"[..], &mut replies).unwrap();
    /// assert_eq!((tally.replies, tally.errors), (2, 2));
    /// assert_eq!(replies.iter().filter(|&&byte| byte == b'\n').count(), 2);
    /// ```
    ///
    /// # Errors
    /// What reading or writing reports; a broken pipe is reported like any other failure.
    pub fn run<R, W>(&self, contract: &Contract<'_>, input: R, output: W) -> io::Result<Tally>
    where
        R: Read + Send,
        W: Write + Send,
    {
        if self.flush {
            return one_by_one(contract, input, output);
        }
        let source = Mutex::new(Source::new(input, contract.allowance().line));
        let sink = Sink::new(output, self.threads);
        let worker = || {
            let result = work(contract, &source, &sink);
            if result.is_err() {
                sink.give_up();
            }
            result
        };
        let results: Vec<io::Result<Tally>> = thread::scope(|scope| {
            let workers: Vec<_> = (1..self.threads.get()).map(|_| scope.spawn(worker)).collect();
            let own = worker();
            // A worker has nothing left to panic in: the contract catches the faults of games.
            let others = workers
                .into_iter()
                .map(|w| w.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            std::iter::once(own).chain(others.collect::<Vec<_>>()).collect()
        });
        let mut tally = Tally::default();
        for result in results {
            let part = result?;
            tally.replies += part.replies;
            tally.errors += part.errors;
        }
        sink.finish()?;
        Ok(tally)
    }
}

fn work<R: Read, W: Write>(
    contract: &Contract<'_>,
    source: &Mutex<Source<R>>,
    sink: &Sink<W>,
) -> io::Result<Tally> {
    let mut tally = Tally::default();
    let (mut lines, mut replies) = (Vec::new(), Vec::new());
    loop {
        let piece = source.lock().unwrap_or_else(PoisonError::into_inner).next(&mut lines)?;
        let Some(piece) = piece else { return Ok(tally) };
        let began = Instant::now();
        reply(contract, &piece, &lines, &mut replies, &mut tally);
        let took = began.elapsed();
        if !sink.put(piece.ticket, &mut replies)? {
            return Ok(tally);
        }
        if took < QUICK || took > SLOW {
            let mut source = source.lock().unwrap_or_else(PoisonError::into_inner);
            source.resize(lines.len(), took < QUICK);
        }
    }
}

/// Appends the replies to all lines of a piece.
fn reply(contract: &Contract<'_>, piece: &Piece, lines: &[u8], replies: &mut Vec<u8>, tally: &mut Tally) {
    let mut start = 0;
    let ends = memchr::memchr_iter(b'\n', lines).chain(std::iter::once(lines.len()));
    for end in ends {
        let line = &lines[start..end];
        start = (end + 1).min(lines.len());
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            continue;
        }
        tally.replies += 1;
        tally.errors += u64::from(!contract.answer(line, replies));
        replies.push(b'\n');
    }
    if let Some(bytes) = piece.overlong {
        tally.replies += 1;
        tally.errors += 1;
        contract.refuse_overlong(bytes, replies);
        replies.push(b'\n');
    }
}

fn one_by_one<R: Read, W: Write>(contract: &Contract<'_>, input: R, mut output: W) -> io::Result<Tally> {
    let mut source = Source::new(input, contract.allowance().line);
    let mut tally = Tally::default();
    let (mut lines, mut replies) = (Vec::new(), Vec::new());
    while let Some(piece) = source.next(&mut lines)? {
        reply(contract, &piece, &lines, &mut replies, &mut tally);
        output.write_all(&replies)?;
        output.flush()?;
        replies.clear();
    }
    Ok(tally)
}

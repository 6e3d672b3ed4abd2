//! The stream: order, bad lines, long lines, threads, failures of reading and writing.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod toy;

use kachi::batch::{Batch, Tally};
use kachi::contract::{Allowance, Contract};
use kachi::core::surface::Entry;
use kachi::registry::Registry;
use serde_json::Value;
use std::io::{self, Read, Write};
use std::num::NonZeroUsize;

static GAMES: [&dyn Entry; 2] = [&toy::TAKE, &toy::FAULTY];

fn contract() -> Contract<'static> {
    Contract::new(Registry::new(&GAMES), Allowance { line: 200, ..Allowance::default() })
}

fn threads(n: usize) -> Batch {
    Batch { threads: NonZeroUsize::new(n).unwrap(), flush: false }
}

fn run(batch: Batch, input: &[u8]) -> (String, Tally) {
    let mut out = Vec::new();
    let tally = batch.run(&contract(), input, &mut out).unwrap();
    (String::from_utf8(out).unwrap(), tally)
}

/// Requests with something wrong now and then, and a few slow ones in between.
fn mixed(lines: u64) -> (String, u64) {
    let (mut text, mut expected) = (String::new(), 0);
    for i in 0..lines {
        let line = match i % 11 {
            3 => String::new(),
            4 => "{bad".to_owned(),
            5 => "x".repeat(500),
            6 => format!(r#"{{"id":{i},"game":"faulty","heap":13}}"#),
            7 if i % 5 == 0 => format!(r#"{{"id":{i},"game":"take","query":"table","heap":20000}}"#),
            _ => toy::TAKE.typical_request(i),
        };
        expected += u64::from(!line.is_empty());
        text += &line;
        text += if i % 2 == 0 { "\n" } else { "\r\n" };
    }
    (text, expected)
}

#[test]
fn replies_come_in_the_order_of_the_requests_for_any_number_of_threads() {
    let (text, expected) = mixed(3000);
    let (one, tally) = run(threads(1), text.as_bytes());
    assert_eq!(tally.replies, expected);
    assert_eq!(one.lines().count() as u64, expected);
    let ids = one.lines().filter_map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].as_u64());
    assert!(ids.is_sorted());
    assert_eq!(one.lines().filter(|line| line.contains("\"error\"")).count() as u64, tally.errors);
    for n in [2, 3, 8] {
        assert_eq!(run(threads(n), text.as_bytes()), (one.clone(), tally), "{n} threads");
    }
    assert_eq!(run(Batch { flush: true, ..threads(4) }, text.as_bytes()), (one, tally));
}

#[test]
fn empty_lines_are_skipped_and_blank_ones_are_not() {
    let (out, tally) = run(threads(2), b"\n\n \n\r\n{}\n\n");
    assert_eq!((tally.replies, tally.errors), (2, 2));
    let codes: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["error"]["code"].clone())
        .collect();
    assert_eq!(codes, ["not_json", "missing_field"]);
}

#[test]
fn nothing_in_gives_nothing_out() {
    assert_eq!(run(threads(2), b""), (String::new(), Tally::default()));
}

#[test]
fn the_last_line_needs_no_end() {
    let (out, tally) = run(threads(2), br#"{"game":"take","heap":4}"#);
    assert_eq!(tally.replies, 1);
    assert!(out.ends_with("}\n"));
}

#[test]
fn overlong_lines_are_refused_in_their_place() {
    let long = "y".repeat(10_000_000);
    let text = format!("{}\n{long}\n{}", toy::TAKE.typical_request(1), toy::TAKE.typical_request(2));
    let (out, tally) = run(threads(2), text.as_bytes());
    assert_eq!((tally.replies, tally.errors), (3, 1));
    let second: Value = serde_json::from_str(out.lines().nth(1).unwrap()).unwrap();
    assert_eq!(second["error"]["code"], "too_large");
    assert!(second["error"]["message"].as_str().unwrap().contains("10000000"));
}

/// Accepts a number of writes, then the reader at the other end has gone.
struct Leaving(usize);

impl Write for Leaving {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_that_leaves_ends_the_stream_with_its_error() {
    let (text, _) = mixed(5000);
    for n in [1, 4] {
        let error = threads(n).run(&contract(), text.as_bytes(), Leaving(3)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}

/// Gives some lines, then fails.
struct Failing(bool);

impl Read for Failing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if std::mem::replace(&mut self.0, true) {
            return Err(io::Error::other("the disk is gone"));
        }
        let line = b"{}\n";
        buffer[..line.len()].copy_from_slice(line);
        Ok(line.len())
    }
}

#[test]
fn a_failure_of_reading_is_reported() {
    let mut out = Vec::new();
    let error = threads(2).run(&contract(), Failing(false), &mut out).unwrap_err();
    assert_eq!(error.to_string(), "the disk is gone");
}

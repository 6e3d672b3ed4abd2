//! The vectors of this game, through the entry like every request. Those that take minutes are asked by the example `long_vectors`.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod compare;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn every_vector_is_answered_as_expected() {
    let lines: Vec<&str> = include_str!("vectors/calculation.jsonl").lines().collect();
    assert_eq!(lines.len(), 203);
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    let work = || {
        while let Some(line) = lines.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Some(fault) = compare::fault(line) {
                wrong.lock().unwrap().push(fault);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut wrong = wrong.into_inner().unwrap();
    wrong.sort();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), lines.len(), wrong.join("\n"));
}

//! Checking claims: counts, order, surprises, interruption; the same for any number of threads.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

#[path = "../../kachi/tests/toy/mod.rs"]
mod toy;

use kachi::core::surface::Entry;
use kachi::verify::{Status, Verdict, claims_of};
use kachi_lab::claims::Claims;
use kachi_lab::work::{Progress, Threads, Watch};
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

fn threads(count: usize) -> Threads {
    Threads(NonZeroUsize::new(count).unwrap())
}

fn check(game: &dyn Entry, size: Option<u32>, count: usize) -> Vec<Verdict> {
    Claims::new(&claims_of(game), |_| size).check(&threads(count), Watch::default()).unwrap()
}

#[test]
fn a_true_claim_holds_over_all_its_cases() {
    let verdicts = check(&toy::TAKE, None, 2);
    let fours = &verdicts[0];
    assert_eq!((fours.claim, fours.status, fours.surprise), ("fours", Status::Holds, false));
    // Sizes 2 to 6 have ten heaps each; size 1 is empty.
    assert_eq!((fours.checked, fours.failed, fours.size), (50, 0, 6));
    assert_eq!(fours.proved, Some("toy/Take.fours"));
}

#[test]
fn a_wrong_claim_is_refuted_by_its_first_counterexample_at_the_first_size_that_has_one() {
    let verdicts = check(&toy::TAKE, None, 2);
    let threes = &verdicts[1];
    assert_eq!((threes.status, threes.surprise), (Status::Refuted, false));
    // Size 2 holds the heaps 11 to 20: 12 is a multiple of both, 15 of 3 only, then 16, 18, 20.
    assert_eq!(threes.counterexample.as_ref().unwrap().position, "15");
    assert_eq!((threes.checked, threes.failed, threes.size), (10, 4, 2));
}

#[test]
fn surprises_are_failures_of_what_should_hold_and_survival_of_what_should_fail() {
    let surprises: Vec<_> = check(&toy::LIAR, None, 2).iter().map(|v| (v.claim, v.surprise)).collect();
    assert_eq!(surprises, [("fours", false), ("false-fours", true), ("false-threes", true)]);
}

#[test]
fn below_its_own_size_an_erratum_may_survive() {
    let verdicts = check(&toy::LIAR, Some(3), 2);
    assert!(!verdicts[1].surprise);
    assert!(verdicts[2].surprise);
    let verdicts = check(&toy::TAKE, Some(1), 2);
    assert!(verdicts.iter().all(|v| v.status == Status::Unchecked && v.checked == 0 && !v.surprise));
}

#[test]
fn verdicts_do_not_depend_on_the_number_of_threads() {
    let one = check(&toy::LIAR, None, 1);
    for count in [2, 7] {
        assert_eq!(check(&toy::LIAR, None, count), one);
    }
}

#[test]
fn a_size_that_was_interrupted_does_not_count() {
    let stop = AtomicBool::new(false);
    let hear = |news: &Progress| {
        if news.words == "fours size 4" {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let claims = Claims::new(&claims_of(&toy::TAKE)[..1], |_| None);
    let verdicts = claims.check(&threads(1), Watch { stop: &stop, hear: &hear }).unwrap();
    let fours = &verdicts[0];
    assert_eq!((fours.status, fours.surprise), (Status::Unfinished, false));
    assert_eq!((fours.checked, fours.size), (20, 3));
}

#[test]
fn progress_tells_every_case_and_every_size() {
    let told = Mutex::new(Progress::default());
    let hear = |news: &Progress| *told.lock().unwrap() = news.clone();
    let claims = Claims::new(&claims_of(&toy::TAKE), |_| None);
    let verdicts = claims.check(&threads(2), Watch { hear: &hear, ..Watch::default() }).unwrap();
    let last = told.into_inner().unwrap();
    assert_eq!(last.tally.units, verdicts.iter().map(|v| v.checked).sum::<u64>());
    assert_eq!(last.tally.good, verdicts.iter().map(|v| v.checked - v.failed).sum::<u64>());
    // Six sizes of one claim; the other is refuted at its second, and the later ones are not wanted any more.
    assert_eq!((last.stages, last.all_stages), (8, 8));
}

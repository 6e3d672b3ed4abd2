//! Checking claims: counts, order, surprises, interruption; the same for any number of threads.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod toy;

use kachi::core::surface::Entry;
use kachi::registry::Registry;
use kachi::verify::{Progress, Status, Verdict, Verify, claims_of, select};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

fn check(game: &dyn Entry, verify: Verify<'_>) -> Vec<Verdict> {
    verify.run(&claims_of(game)).unwrap()
}

#[test]
fn a_true_claim_holds_over_all_its_cases() {
    let verdicts = check(&toy::TAKE, Verify::default());
    let fours = &verdicts[0];
    assert_eq!((fours.claim, fours.status, fours.surprise), ("fours", Status::Holds, false));
    // Sizes 2 to 6 have ten heaps each; size 1 is empty.
    assert_eq!((fours.checked, fours.failed, fours.size), (50, 0, 6));
    assert_eq!(fours.proved, Some("toy/Take.fours"));
}

#[test]
fn a_wrong_claim_is_refuted_by_its_first_counterexample_at_the_first_size_that_has_one() {
    let verdicts = check(&toy::TAKE, Verify::default());
    let threes = &verdicts[1];
    assert_eq!((threes.status, threes.surprise), (Status::Refuted, false));
    // Size 2 holds the heaps 11 to 20: 12 is a multiple of both, 15 of 3 only, then 16, 18, 20.
    assert_eq!(threes.counterexample.as_ref().unwrap().position, "15");
    assert_eq!((threes.checked, threes.failed, threes.size), (10, 4, 2));
}

#[test]
fn surprises_are_failures_of_what_should_hold_and_survival_of_what_should_fail() {
    let surprises: Vec<_> =
        check(&toy::LIAR, Verify::default()).iter().map(|v| (v.claim, v.surprise)).collect();
    assert_eq!(surprises, [("fours", false), ("false-fours", true), ("false-threes", true)]);
}

#[test]
fn below_its_own_size_an_erratum_may_survive() {
    let verdicts = check(&toy::LIAR, Verify { size: Some(3), ..Verify::default() });
    assert!(!verdicts[1].surprise);
    assert!(verdicts[2].surprise);
    let verdicts = check(&toy::TAKE, Verify { size: Some(1), ..Verify::default() });
    assert!(verdicts.iter().all(|v| v.status == Status::Holds && v.checked == 0 && !v.surprise));
}

#[test]
fn verdicts_do_not_depend_on_the_number_of_threads() {
    let one = check(&toy::LIAR, Verify { threads: Some(1), ..Verify::default() });
    for threads in [2, 7] {
        assert_eq!(check(&toy::LIAR, Verify { threads: Some(threads), ..Verify::default() }), one);
    }
}

#[test]
fn a_size_that_was_interrupted_does_not_count() {
    let stop = AtomicBool::new(false);
    let progress = |news: Progress<'_>| {
        if let Progress::Shard { size: 4, .. } = news {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let verify = Verify { threads: Some(1), stop: &stop, progress: &progress, ..Verify::default() };
    let verdicts = verify.run(&claims_of(&toy::TAKE)[..1]).unwrap();
    let fours = &verdicts[0];
    assert_eq!((fours.status, fours.surprise), (Status::Unfinished, false));
    assert_eq!((fours.checked, fours.size), (20, 3));
}

#[test]
fn progress_tells_every_case_and_every_claim() {
    let told = Mutex::new((0, Vec::new()));
    let progress = |news: Progress<'_>| match news {
        Progress::Shard { checked, .. } => told.lock().unwrap().0 += checked,
        Progress::Done(verdict) => told.lock().unwrap().1.push(verdict.claim),
    };
    let verdicts = check(&toy::TAKE, Verify { progress: &progress, ..Verify::default() });
    let (cases, mut claims) = told.into_inner().unwrap();
    assert_eq!(cases, verdicts.iter().map(|v| v.checked).sum::<u64>());
    claims.sort_unstable();
    assert_eq!(claims, ["fours", "threes"]);
}

#[test]
fn claims_are_selected_by_game_and_name() {
    let games: [&dyn Entry; 2] = [&toy::TAKE, &toy::LIAR];
    let registry = Registry::new(&games);
    let count = |game, ids: &[&str]| {
        let ids: Vec<String> = ids.iter().map(|&id| id.to_owned()).collect();
        select(registry, game, &ids).map(|claims| claims.len()).map_err(|error| (error.code, error.hint))
    };
    assert_eq!(count(None, &[]), Ok(5));
    assert_eq!(count(Some("take"), &[]), Ok(2));
    assert_eq!(count(None, &["fours"]), Ok(2));
    assert_eq!(count(Some("liar"), &["fours", "false-fours"]), Ok(2));
    let (code, hint) = count(Some("take"), &["fuors"]).unwrap_err();
    assert_eq!(code, "unknown_claim");
    assert!(hint.unwrap().starts_with("did you mean fours?"));
    assert_eq!(count(Some("tale"), &[]).unwrap_err().0, "unknown_game");
}

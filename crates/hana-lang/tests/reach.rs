//! Every run of the programs on reduced decks, with the numbers of classes and runs that are known; and the view of one month beside the
//! programs on full decks.

#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

use hana::Preset;
use hana_lang::compiled::{Compiled, Kind};
use hana_lang::host::house_of;
use hana_lang::reach::{Exploration, Reach, Reached, Reduced, explore, projection};
use hana_lang::types::check_source;
use kachi_core::{Budget, Limits};

const PAPER: &str = hana_lang::programs::PAPER.source;
const MODERN: &str = hana_lang::programs::MODERN.source;

/// The text without comments and with single blanks, so that edits do not depend on its layout.
fn flat(source: &str) -> String {
    let lines = source.lines().map(|line| line.split("--").next().unwrap());
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// A program changed in one place.
fn changed(source: &str, from: &str, to: &str) -> String {
    let text = flat(source);
    assert!(text.contains(from), "{from:?} is not in the program");
    text.replace(from, to)
}

const SWEEP: &str = "if Number(T) = 3 then Move-All(T join {a}, Basket(P)) else if";

fn all_runs(source: &str, months: usize, hand: usize, held: bool) -> Reach {
    let exploration = Exploration { deck: Reduced::of(months, hand).unwrap(), held };
    explore(&check_source(source).unwrap(), &exploration, &mut Budget::default(), &mut |_| ()).unwrap()
}

fn holds(source: &str, months: usize, hand: usize, held: bool) -> Reached {
    match all_runs(source, months, hand, held) {
        Reach::Holds(reached) => reached,
        Reach::Fails(failure, _) => panic!("{failure}"),
    }
}

#[test]
fn two_months_with_hands_of_one() {
    assert_eq!(holds(PAPER, 2, 1, true), Reached { classes: 50, runs: 160, held: 80 });
}

#[test]
fn three_months_with_hands_of_one() {
    assert_eq!(holds(PAPER, 3, 1, true), Reached { classes: 540, runs: 3_060, held: 1_530 });
}

#[test]
fn three_months_with_hands_of_two() {
    let reached = holds(PAPER, 3, 2, true);
    assert_eq!(reached, Reached { classes: 9_000, runs: 144_000, held: 72_000 });
    let words = "9000 classes, 144000 runs (72000 of any play, 72000 in which biki holds a card to the end)";
    assert_eq!(reached.to_string(), words);
}

#[test]
fn the_program_of_today_reaches_the_same() {
    assert_eq!(holds(MODERN, 2, 1, false), Reached { classes: 50, runs: 80, held: 0 });
    assert_eq!(holds(MODERN, 3, 1, true), Reached { classes: 540, runs: 3_060, held: 1_530 });
}

#[test]
fn a_wrong_rule_is_found_with_the_choices_that_show_it() {
    // As printed: one card is taken where three lie on the table, and two are stranded.
    let wrong = changed(PAPER, SWEEP, "if");
    let Reach::Fails(failure, reached) = all_runs(&wrong, 3, 1, false) else { panic!("not found") };
    assert_eq!(failure.fault.as_ref().unwrap().kind, Kind::Assert, "{failure}");
    assert!(reached.runs < 1_530);
    let text = failure.fault.unwrap().span.text(&wrong).to_owned();
    assert!(text.contains("stopped or bouquet(table) = {}"), "the Lemma fails: {text}");
}

#[test]
fn another_seat_has_no_such_guarantee() {
    // The seats move on by one: the person called biki plays second, and his last throw is not the last of all.
    let wrong = changed(PAPER, "P := player(Next(t, 0));", "P := player(Next(t, 1));");
    let Reach::Fails(failure, _) = all_runs(&wrong, 3, 2, true) else { panic!("not found") };
    assert!(failure.held.is_some() && failure.fault.is_none(), "{failure}");
    assert!(failure.to_string().contains("is not in his Basket"), "{failure}");
}

#[test]
fn a_budget_ends_the_exploration_with_what_is_known() {
    let exploration = Exploration { deck: Reduced::of(4, 2).unwrap(), held: false };
    let mut budget = Budget::new(Limits { nodes: 1_000, ..Limits::default() });
    let error = explore(&check_source(PAPER).unwrap(), &exploration, &mut budget, &mut |_| ()).unwrap_err();
    assert_eq!(error.code, "out_of_budget");
    assert_eq!(error.known.unwrap()["runs"], 1_000);
}

#[test]
fn the_view_of_a_month_commutes_with_every_turn() {
    for (preset, source) in [(Preset::Paper, PAPER), (Preset::Modern, MODERN)] {
        for seats in 3..=6 {
            let program = Compiled::new(&check_source(source).unwrap(), house_of(preset, seats)).unwrap();
            let complete = projection::complete(&program, 0..25).unwrap();
            assert_eq!(complete.biki, 11_522);
            assert!(complete.states > 4_000, "{complete}");
        }
    }
}

#[test]
fn a_program_without_sweep_has_another_projection() {
    let wrong = changed(PAPER, SWEEP, "if");
    // Without the Lemma's assert, so that the view itself must notice.
    let wrong = wrong.replace("assert stopped or bouquet(table) = {};", "");
    let program = Compiled::new(&check_source(&wrong).unwrap(), house_of(Preset::Paper, 3)).unwrap();
    assert_eq!(projection::simulate(&program, 0..50).unwrap_err().code, "no_projection");
}

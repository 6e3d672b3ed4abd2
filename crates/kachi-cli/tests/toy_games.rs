//! The surface with games that it has never heard of: nothing in it names a real one.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

#[path = "../../kachi/tests/toy/mod.rs"]
mod toy;

use kachi::core::surface::Entry;
use kachi::registry::Registry;
use kachi_cli::{Stage, run};
use serde_json::Value;

struct Ran {
    code: u8,
    out: String,
    err: String,
}

fn toys(args: &[&str], input: &str) -> Ran {
    let games: [&dyn Entry; 2] = [&toy::TAKE, &toy::LIAR];
    with(&games, args, input)
}

fn with(games: &[&dyn Entry], args: &[&str], input: &str) -> Ran {
    let (mut input, mut out, mut err) = (input.as_bytes(), Vec::new(), Vec::new());
    let args = std::iter::once("kachi").chain(args.iter().copied()).map(Into::into).collect();
    let code = run(Registry::new(games), args, Stage::scripted(&mut input, &mut out, &mut err));
    Ran { code, out: String::from_utf8(out).unwrap(), err: String::from_utf8(err).unwrap() }
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap()
}

#[test]
fn a_surprising_claim_gives_exit_code_one() {
    let ran = toys(&["verify"], "");
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.contains("!  false-threes"));
    assert!(ran.out.contains("UNEXPECTED: refuted by 15: lost: claimed true, true false"), "{}", ran.out);
    assert!(ran.out.contains("UNEXPECTED: no counterexample found"));
    assert!(ran.out.contains("! 2 claims not as expected."));
    let ran = toys(&["verify", "--json"], "");
    assert_eq!((ran.code, &json(&ran)["surprises"]), (1, &Value::from(2)));
    assert_eq!(toys(&["verify", "--markdown"], "").out.matches("**not as expected:**").count(), 2);
}

#[test]
fn expected_refutations_are_no_surprise() {
    let ran = toys(&["verify", "take"], "");
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("✓  fours") && ran.out.contains("✗  threes"), "{}", ran.out);
    assert!(ran.out.contains("refuted by 15: "));
    assert!(ran.out.contains("2 claims checked over 60 cases: ✓ 1 holds, ✗ 1 refuted.\nAll as expected.\n"));
}

#[test]
fn the_threads_do_not_show() {
    let [one, many] = ["1", "5"].map(|threads| toys(&["verify", "--threads", threads], "").out);
    assert_eq!(one, many);
}

#[test]
fn several_games_are_listed_and_found() {
    let ran = toys(&["games"], "");
    assert!(ran.out.starts_with("take  取り石  Take one to three counters"));
    assert_eq!(toys(&["solve", "tkae", "21"], "").code, 2);
    assert!(toys(&["solve", "take", "21"], "").out.contains("The first player wins."));
    assert_eq!(toys(&["bench", "--json"], "").out.lines().count(), 2);
}

#[test]
fn a_whole_play_is_won_and_told() {
    let ran = toys(&["play", "take", "5"], "1\n3\nrecord\nquit\n");
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("you win with best play"));
    assert!(ran.out.contains("The first player took the last counter. You have won!"), "{}", ran.out);
    assert!(ran.out.contains("Record from 5: first 1, second 1, first 3"));
    assert!(ran.out.ends_with("Thank you for the game.\n"));
}

#[test]
fn a_gift_is_told_and_can_be_taken_back() {
    let ran = toys(&["play", "take", "6"], "1\nundo\n2\n");
    assert!(ran.out.contains("That gives the win away: leaves 5\n"), "{}", ran.out);
    assert!(ran.out.contains("Took back 2 moves."));
    assert!(ran.out.contains("To go on later: kachi play take 3\n"), "{}", ran.out);
}

#[test]
fn a_seat_beyond_the_table_is_refused() {
    let ran = toys(&["play", "take", "5", "--seat", "3"], "");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("the seats are: first, second"));
}

#[test]
fn a_budget_that_is_too_small_is_told() {
    let ran = toys(&["solve", "take", "21", "--nodes", "0"], "");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("raise the node limit"), "{}", ran.err);
}

#[test]
fn a_bug_in_a_game_spares_the_stream() {
    let games: [&dyn Entry; 1] = [&toy::FAULTY];
    let input: String = (0..100).map(|i| toy::FAULTY.typical_request(i) + "\n").collect();
    let ran = with(&games, &["batch"], &input);
    assert_eq!((ran.code, ran.out.lines().count()), (0, 100));
    assert_eq!(ran.out.matches("internal_error").count(), 2);
}

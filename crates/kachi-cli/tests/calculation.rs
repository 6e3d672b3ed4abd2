//! A solitaire on the terminal: played alone, watched, coached at one's own table; and many games in the laboratory. Which player judges, and what it
//! says about the chances, is tested elsewhere: here it only has to say something.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod support;

use serde_json::Value;
use support::{answered, run, temporary};

/// Little work for every judgement, so that whole games are quick.
const QUICK: [&str; 2] = ["--nodes", "900000"];

fn play(args: &[&str], script: &str) -> String {
    let args: Vec<&str> = ["play", "calculation"].iter().chain(args).chain(&QUICK).copied().collect();
    answered(&args, script).out
}

/// The parts stand in the text, one after the other.
fn in_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let at = rest.find(part).unwrap_or_else(|| panic!("{part:?} is missing here:\n{rest}"));
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn the_coach_follows_a_table_beside_the_screen() {
    let out = play(&["--coach"], "k\ns0\n2\nf1\n10\nx\ns9\ns1\nquit\n");
    in_order(
        &out,
        &[
            "Your coach:",
            "52 unseen",
            "what turned up> k",
            "drawn: K",
            "The chance of winning is about",
            "your move> s0",
            "s0  K",
            "what turned up> 2",
            "2 to foundation f1",
            "your move> f1",
            "takes 4   2",
            "what turned up> 10",
            "drawn: T",
            "\"x\" is no move",
            "legal: s0, s1, s2",
            "there is no such stack",
            "your move> s1",
            "s1  T",
            "49 unseen",
        ],
    );
}

#[test]
fn a_slip_of_the_coached_is_taken_back_card_by_card() {
    let out = play(&["--coach", "A234/-/-/-/-"], "k\nundo\nq\ns3\nsave\nquit\n");
    in_order(&out, &["Took back 1 move.", "kachi play calculation A234/-/-/-/Q --coach"]);
}

#[test]
fn a_deal_is_played_alone_with_hints() {
    let out = play(&["--seed", "7"], "hint\nmoves\ns0\nundo\nquit\n");
    in_order(&out, &["You play alone", " on stack s0", "Took back 1 move."]);
}

#[test]
fn the_engine_is_watched_to_the_end_of_the_deal() {
    let out = play(&["deal:4@3", "--watch"], "");
    assert!(out.contains("The game is won.") || out.contains("The game is lost."), "{out}");
    assert_eq!(out, play(&["deal:4@3", "--watch"], ""), "the same deal, the same game");
}

#[test]
fn programs_can_deal_too() {
    let args = ["play", "calculation", "--coach", "--json", QUICK[0], QUICK[1]];
    let events = answered(&args, "k\ns0\nquit\n").json_lines();
    let kinds: Vec<&str> = events.iter().filter_map(|event| event["event"].as_str()).collect();
    assert_eq!(kinds, ["begin", "chance", "move", "turn", "move", "chance", "bye"]);
    assert_eq!(events[1]["chances"].as_array().unwrap().len(), 13);
    assert_eq!((&events[2]["by"], &events[2]["move"]), (&Value::from("chance"), &Value::from("K")));
}

#[test]
fn other_games_cannot_be_coached() {
    let ran = run(&["play", "tanhinmin", "--coach"], "");
    assert!(ran.code == 2 && ran.err.contains("nothing to coach"), "{ran:?}");
}

#[test]
fn the_laboratory_keeps_sums_up_goes_on_and_compares() {
    let folder = temporary("lab");
    let lab = |out: &str, games: &str, threads: &str, more: &[&str]| {
        let out = folder.join(out);
        let out = out.to_str().unwrap();
        let args =
            ["lab", "calculation", "--stacks", "4", "--player", "paper", "--games", games, "--out", out];
        let args: Vec<&str> =
            args.iter().chain(&["--threads", threads, "--json"]).chain(more).copied().collect();
        run(&args, "")
    };
    let few = lab("run", "2", "1", &[]).json();
    let more = lab("run", "4", "2", &[]).json();
    assert_eq!((&few["summary"]["games"], &more["summary"]["games"]), (&Value::from(2), &Value::from(4)));
    assert!(more["summary"]["interval"]["low"].as_f64() < more["summary"]["interval"]["high"].as_f64());
    // Gone on with, or played at once: the same run.
    assert_eq!(more["hash"], lab("again", "4", "1", &[]).json()["hash"]);
    let compared = lab("both", "4", "2", &["--against", "paper"]).json();
    assert_eq!(compared["against"]["comparison"]["difference"], Value::from(0.0));
    assert_eq!(compared["against"]["comparison"]["games"], Value::from(4));
    // Another player does not go into the same folder.
    let other = lab("both", "4", "2", &["--against", "paper-look1"]);
    assert!(other.code == 2 && other.out.contains("other_run"), "{other:?}");
    let wrong = run(&["lab", "calculation", "--player", "nobody"], "");
    assert!(wrong.code == 2 && wrong.err.contains("plans-look1"), "{wrong:?}");
}

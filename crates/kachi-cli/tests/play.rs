//! A play through a pipe: the golden transcript, undo, the record, the end of the input.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod support;

use serde_json::Value;
use support::{answered, golden};

#[test]
fn the_golden_transcript() {
    let script = "help\nmoves\nhint\n9\nblah\n6\nwhy\nundo\nundo\n2\nsave\nrecord\nrestart\n7\n2\n6\nnext\nundo\nquit\n";
    golden("play", &answered(&["play", "tanhinmin", "2,6,7/3,4,5,8@1"], script).out);
}

#[test]
fn giving_the_win_away_is_told() {
    golden("play-given-away", &answered(&["play", "tanhinmin", "1,3/2"], "1\n").out);
}

#[test]
fn the_person_may_sit_second_and_the_engine_may_play_at_random() {
    let args = ["play", "tanhinmin", "--seed", "7", "--seat", "second", "--engine", "random"];
    let transcript = answered(&args, "pass\npass\n").out;
    assert!(transcript.contains("You are the second player, against random moves."));
    assert!(transcript.contains("The first player: "));
    assert_eq!(transcript, answered(&args, "pass\npass\n").out, "the same seed, the same play");
}

#[test]
fn perfect_play_wins_a_won_position_whatever_the_person_does() {
    // The position is lost for the mover, so the engine wins against any of these.
    for script in [
        "1\n3\n4\n5\n8\npass\npass\npass\n",
        "8\n5\n4\n3\n1\npass\npass\npass\n",
        "pass\npass\npass\npass\npass\n",
    ] {
        let out = answered(&["play", "tanhinmin", "1,3,4,5,8/2,6,7"], &format!("{script}{script}quit\n")).out;
        assert!(!out.contains("You have won"), "{out}");
    }
}

#[test]
fn the_engine_beats_every_way_of_playing() {
    // Forty ways to play a lost position: the bits of a number choose among the legal moves.
    for choice in 0..40_usize {
        let mut script = String::new();
        let mut lost = false;
        for step in 0..12 {
            let told = answered(&["play", "tanhinmin", "1,2,4/2,5", "--json"], &script).json_lines();
            if let Some(end) = told.iter().find(|event| event["event"] == "end") {
                assert_eq!(end["you_won"], false);
                lost = true;
                break;
            }
            let turn = told.iter().rev().find(|event| event["event"] == "turn").unwrap();
            let moves = turn["moves"].as_array().unwrap();
            let pick = (choice >> step) % moves.len();
            script += moves[pick]["move"].as_str().unwrap();
            script.push('\n');
        }
        assert!(lost || script.lines().filter(|mv| *mv == "pass").count() > 3, "{script}");
    }
}

#[test]
fn without_a_seed_the_deal_is_told_and_can_be_played_again() {
    let begin = answered(&["play", "tanhinmin", "--json"], "").json_lines().remove(0);
    let seed = begin["seed"].as_u64().unwrap().to_string();
    let again = answered(&["play", "tanhinmin", "--seed", &seed, "--json"], "").json_lines().remove(0);
    assert_eq!(again["position"], begin["position"]);
}

#[test]
fn a_saved_position_goes_on_where_it_was() {
    let first = answered(&["play", "tanhinmin", "2,6,7/3,4,5,8@1", "--json"], "2\nsave\n").json_lines();
    let saved = first.iter().find(|event| event["event"] == "saved").unwrap()["position"]
        .as_str()
        .unwrap()
        .to_owned();
    let last_turn = first.iter().rev().find(|event| event["event"] == "turn").unwrap();
    let resumed = answered(&["play", "tanhinmin", &saved, "--json"], "").json_lines();
    assert_eq!(resumed[1]["moves"], last_turn["moves"]);
}

#[test]
fn the_command_to_go_on_later_keeps_the_seat() {
    let list = answered(&["games", "--json"], "").json();
    for game in list.as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        let one = answered(&["play", name, "--seed", "3", "--json"], "").json_lines();
        if one[0]["seats"].as_array().is_some_and(|seats| seats.len() < 2) {
            continue;
        }
        // The engine moves first, so the person is to move in the middle of a play.
        let first = answered(&["play", name, "--seed", "3", "--seat", "2", "--json"], "save\n").json_lines();
        let Some(saved) = first.iter().find(|event| event["event"] == "saved") else { continue };
        let turn = first.iter().find(|event| event["event"] == "turn").unwrap();
        let resume = saved["resume"].as_str().unwrap().strip_prefix("kachi ").unwrap();
        let mut args: Vec<&str> = resume.split(' ').map(|word| word.trim_matches('"')).collect();
        args.push("--json");
        let again = answered(&args, "").json_lines();
        assert_eq!(again[1]["event"], "turn", "{name}: it must be the person's turn");
        assert_eq!(again[1]["moves"], turn["moves"], "{name}");
    }
}

#[test]
fn with_json_every_event_is_one_object() {
    let script = "moves\nhint\nwhy\nzzz\n7\nundo\nrecord\nsave\nhelp\nrestart\n7\n2\n6\n";
    let events = answered(&["play", "tanhinmin", "2,6,7/3,4,5,8@1", "--json"], script).json_lines();
    let kinds: Vec<&str> = events.iter().filter_map(|event| event["event"].as_str()).collect();
    for kind in [
        "begin",
        "turn",
        "moves",
        "hint",
        "why",
        "refused",
        "move",
        "undone",
        "record",
        "saved",
        "help",
        "restarted",
        "bye",
    ] {
        assert!(kinds.contains(&kind), "{kind}: {kinds:?}");
    }
    let refused = events.iter().find(|event| event["event"] == "refused").unwrap();
    assert!(refused["error"]["code"].is_string());
    if let Some(end) = events.iter().find(|event| event["event"] == "end") {
        assert!(
            end["record"].as_array().is_some_and(|record| !record.is_empty())
                && end["you_won"] != Value::Null
        );
    }
}

#[test]
fn house_rules_come_from_a_file_and_their_mistakes_are_told_with_the_line() {
    let folder = std::env::temp_dir().join(format!("kachi-house-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let good = file("good.toml", "preset = \"modern\"\nmonths = 1\n");
    let out = answered(&["play", "hana", "--rules", &good, "--seed", "3"], "save\nquit\n").out;
    assert!(out.contains("house:3@3"), "{out}");
    assert!(out.contains("good players"), "{out}");
    let bad = file("bad.toml", "preset = \"modern\"\nmonths = \"many\"\n");
    let told = support::run(&["play", "hana", "--rules", &bad], "");
    assert_eq!(told.code, 2);
    assert!(told.err.contains("line 2"), "{}", told.err);
    let none = support::run(&["play", "tanhinmin", "--rules", &good], "");
    assert!(none.code == 2 && none.err.contains("no house rules"), "{}", none.err);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_real_deck_is_dealt_by_name_with_its_options() {
    let out = answered(&["play", "shichinarabe", "deal@7:j1-1"], "moves\nquit\n").out;
    assert!(out.contains("joker"), "{out}");
}

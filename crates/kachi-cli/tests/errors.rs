//! Wrong input teaches: a message, the place, a right example; and exit code 2.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod support;

use support::{Ran, golden, run, temporary};

fn wrong(args: &[&str], input: &str) -> Ran {
    let ran = run(args, input);
    assert_eq!(ran.code, 2, "{args:?}: {ran:?}");
    ran
}

#[test]
fn a_wrong_position_is_shown_with_carets_a_hint_and_a_right_example() {
    let ran = wrong(&["solve", "tanhinmin", "1 3 x / 2"], "");
    assert_eq!(ran.out, "");
    golden("wrong-position", &ran.err);
    let lines: Vec<&str> = ran.err.lines().collect();
    assert_eq!(lines[1].find('x'), lines[2].find('^'));
    for command in ["moves", "explain", "play"] {
        assert!(wrong(&[command, "tanhinmin", "1,3,x/2"], "").err.contains("    ^"), "{command}");
    }
}

#[test]
fn the_example_shown_is_right() {
    let err = wrong(&["solve", "tanhinmin", "nonsense"], "").err;
    let example = err.lines().find_map(|line| line.strip_prefix("try:  kachi ")).unwrap();
    let args: Vec<&str> = example.split(' ').map(|word| word.trim_matches('"')).collect();
    assert_eq!(run(&args, "").code, 0);
}

#[test]
fn with_json_errors_are_json_on_standard_output() {
    let ran = wrong(&["solve", "tanhinmin", "1,3,x/2", "--json"], "");
    assert_eq!(ran.err, "");
    let error = &ran.json()["error"];
    assert_eq!(error["at"], "position[4..5]");
    assert!(error["code"].is_string() && error["hint"].is_string());
    for args in [
        &["solve", "nosuch", "--json"][..],
        &["solve", "--json"],
        &["nosuch", "--json"],
        &["verify", "--claim", "nosuch", "--json"],
        &["verify", "--size", "many", "--json"],
        &["bench", "nosuch", "--json"],
        &["schema", "nosuch", "--json"],
        &["games", "nosuch", "--json"],
        &["completions", "nosuch", "--json"],
        &["batch", "--in", "/nonexistent/file", "--json"],
        &["play", "tanhinmin", "--seat", "9", "--json"],
    ] {
        let ran = wrong(args, "");
        assert!(ran.json()["error"]["code"].is_string(), "{args:?}: {ran:?}");
        assert!(ran.json()["error"]["message"].as_str().is_some_and(|message| message.len() > 10), "{ran:?}");
    }
}

#[test]
fn one_wrong_position_among_several_does_not_stop_the_others() {
    let ran = wrong(&["solve", "tanhinmin", "-", "--json"], "1,3/2\nx\n1/2\n");
    let codes: Vec<bool> = ran.json_lines().iter().map(|line| line["error"].is_object()).collect();
    assert_eq!(codes, [false, true, false]);
    let ran = wrong(&["solve", "tanhinmin", "-"], "# first\n1,3/2\nx\n1/2\n");
    assert_eq!(ran.out.matches("\nWhy\n").count(), 2);
    assert!(ran.err.contains("standard input:3: "), "{}", ran.err);
}

#[test]
fn unknown_names_get_the_nearest_one() {
    assert!(wrong(&["solve", "tanhimin", "1/2"], "").err.contains("did you mean tanhinmin?"));
    assert!(wrong(&["sovle", "tanhinmin"], "").err.contains("'solve'"));
    assert!(wrong(&["verify", "--claim", "teorem-1"], "").err.contains("did you mean theorem-1?"));
    assert!(wrong(&["tanhinmin", "1,3/2"], "").err.contains("kachi solve tanhinmin"));
    assert!(wrong(&["solve", "1,3/2"], "").err.contains("the game comes first: tanhinmin 1,3/2"));
}

#[test]
fn wrong_usage_shows_a_right_use() {
    assert!(wrong(&["solve"], "").err.contains("try:  kachi solve tanhinmin"));
    assert!(wrong(&["completions", "tcsh"], "").err.contains("possible values: bash"));
    assert!(wrong(&["solve", "tanhinmin", "1/2", "--seconds", "-1"], "").err.contains("--seconds"));
    assert!(wrong(&["play", "tanhinmin", "--seat", "third"], "").err.contains("first, second, or a number"));
}

#[test]
fn files_that_cannot_be_used_are_named() {
    assert!(
        wrong(&["solve", "tanhinmin", "--file", "/nonexistent/file"], "").err.contains("/nonexistent/file")
    );
    assert!(wrong(&["batch", "--out", "/nonexistent/out"], "").err.contains("/nonexistent/out"));
    assert!(wrong(&["explain", "tanhinmin", "1/2", "--svg", "/nonexistent/x.svg"], "").err.contains("x.svg"));
    let folder = temporary("one-picture");
    let path = folder.join("why.svg");
    let ran = wrong(&["explain", "tanhinmin", "-", "--svg", path.to_str().unwrap()], "1/2\n3/2\n");
    assert!(ran.err.contains("one picture holds one position"));
}

#[test]
fn hostile_positions_are_refused_politely() {
    let long = "1,".repeat(3_000_000) + "1/2";
    for text in
        ["", "\u{0}", "単貧民", "1/2@9999999999999999999999", "////", ":::", "1/2@@", &"(".repeat(10_000)]
    {
        let ran = wrong(&["solve", "tanhinmin", "-"], &format!("{text}x\n"));
        assert!(ran.err.starts_with("error: "), "{text:?}: {ran:?}");
        assert!(ran.err.lines().all(|line| line.chars().count() <= 160), "{}", ran.err);
    }
    let endless = "1".repeat(70 << 20);
    assert!(wrong(&["solve", "tanhinmin", "-"], &endless).err.contains("too many bytes"));
    let ran = wrong(&["solve", "tanhinmin", "-", "--json"], &format!("{long}\n"));
    assert_eq!(ran.json()["error"]["code"], "too_large");
}

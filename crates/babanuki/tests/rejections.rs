//! Every rejection, in its order: each request below also breaks all rules that come after the one that is reported.

use babanuki::ENTRY;
use kachi_core::surface::Entry;
use kachi_core::{Budget, Error, Limits};

fn refuse(query: &str, request: &str) -> Error {
    refuse_within(query, request, Limits::default())
}

fn refuse_within(query: &str, request: &str, limits: Limits) -> Error {
    ENTRY.answer(query, request, &mut Budget::new(limits), &mut Vec::new()).expect_err(request)
}

fn analyze(mode: &str, hands: &str, to_move: i64) -> Error {
    refuse("analyze", &format!(r#"{{"mode":"{mode}","hands":{hands},"to_move":{to_move}}}"#))
}

#[test]
fn the_first_broken_rule_is_reported() {
    let cases = [
        ("pairs", r#"[[1,"",null]]"#, 9, "too_few_players", "hands"),
        ("pairs", r#"[["1","1"],["2",""],["3"]]"#, 9, "bad_card", "hands[1][1]"),
        ("pairs", r#"[["1","1"],["2",7],["3"]]"#, 9, "bad_card", "hands[1][1]"),
        ("pairs", r#"[["1","1"],[{"a":[1]}],["3"]]"#, 9, "bad_card", "hands[1][0]"),
        ("pairs", r#"[["1","1"],["2"],["3"]]"#, 9, "no_joker", "hands"),
        ("pairs", r#"[["1","1","J"],["2","J"],["3"]]"#, 9, "many_jokers", "hands[1][1]"),
        ("pairs", r#"[["1","1","J"],["2"],["3"]]"#, 9, "pair_in_hand", "hands[0][1]"),
        ("pairs", r#"[["1","J"],["1","2"],["1"]]"#, 9, "unmatched_card", "hands[1][1]"),
        ("pairs", r#"[["1","J"],["1"],["1"]]"#, 9, "too_many_copies", "hands[0][0]"),
        ("ranks", r#"[["1","J"],["1"],["1"]]"#, 9, "odd_copies", "hands[0][0]"),
        ("pairs", r#"[["J"],[],[]]"#, 9, "game_over", "hands"),
        ("pairs", r#"[["1","J"],["1"],[]]"#, 9, "bad_mover", "to_move"),
        ("pairs", r#"[["1","J"],["1"],[]]"#, -1, "bad_mover", "to_move"),
        ("pairs", r#"[["1","J"],["1"],[]]"#, 2, "bad_mover", "to_move"),
    ];
    for (mode, hands, to_move, code, place) in cases {
        let error = analyze(mode, hands, to_move);
        assert_eq!(
            (error.code, error.at.map(|at| at.to_string()).as_deref()),
            (code, Some(place)),
            "{hands}"
        );
        assert!(error.hint.is_some(), "{code} has no hint");
    }
}

#[test]
fn what_needs_a_larger_table_than_allowed_is_too_large_and_says_how_large() {
    let hands = |players: usize, labels: usize| {
        let mut hands = vec![Vec::new(); players];
        for label in 0..labels {
            hands[label % players].push(label.to_string());
            hands[(label + 1) % players].push(label.to_string());
        }
        hands[0].push("J".to_owned());
        format!(r#"{{"hands":{hands:?},"to_move":0}}"#)
    };
    let error = refuse("analyze", &hands(5, 26));
    assert_eq!(error.code, "too_large");
    assert!(error.message.contains("bytes"), "{error}");
    let error = refuse("analyze", &hands(30, 30));
    assert_eq!(error.code, "too_large");
    let small = Limits { bytes: 1000, ..Limits::default() };
    let error = refuse_within("analyze", &hands(4, 8), small);
    assert!(error.code == "too_large" && error.message.contains("1000 bytes"), "{error}");
    let lazy = || true;
    let mut budget = Budget::stopping(Limits::default(), &lazy);
    let error = ENTRY.answer("analyze", &hands(6, 7), &mut budget, &mut Vec::new()).unwrap_err();
    assert_eq!(error.code, "out_of_budget");
    assert!(error.known.is_some(), "what was solved before the time was over");
    let small = Limits { cards: 10, ..Limits::default() };
    assert_eq!(refuse_within("analyze", &hands(3, 9), small).code, "too_large");
    // Three seats need no table: any size is answered.
    ENTRY.answer("analyze", &hands(3, 20_000), &mut Budget::default(), &mut Vec::new()).unwrap();
}

#[test]
fn play_and_deal_refuse_what_they_must() {
    let play = |hands: &str, draw: &str| {
        refuse("play", &format!(r#"{{"hands":{hands},"to_move":0,"draw":{draw}}}"#))
    };
    assert_eq!(play(r#"[["1","J"],["1"]]"#, r#""J""#).code, "illegal_draw");
    assert_eq!(play(r#"[["1","J"],["1"]]"#, r#""9""#).code, "illegal_draw");
    assert_eq!(play(r#"[["1","J"],["1"]]"#, "1").code, "bad_card");
    assert_eq!(play(r#"[["1","J"],["2"]]"#, r#""9""#).code, "unmatched_card");
    assert_eq!(play(r#"[["J"],[]]"#, r#""J""#).code, "game_over");
    let deal = |hands: &str, start: i64| refuse("deal", &format!(r#"{{"deal":{hands},"start":{start}}}"#));
    assert_eq!(deal(r#"[["1","J"],["1"]]"#, 2).code, "bad_mover");
    assert_eq!(deal(r#"[["1","1"],["2","2"]]"#, 0).code, "no_joker");
    assert_eq!(deal(r#"[["1","1","1","J"],[]]"#, 0).code, "too_many_copies");
    assert_eq!(deal(r#"[["1","1","1","J"],[]]"#, 0).at.unwrap().to_string(), "deal[0][0]");
}

#[test]
fn wrong_fields_are_named() {
    assert_eq!(refuse("analyze", r#"{"hands":[["1"],["1","J"]]}"#).code, "missing_field");
    assert_eq!(refuse("analyze", r#"{"to_move":0}"#).code, "missing_field");
    assert_eq!(refuse("analyze", r#"{"hands":[["1"],["1","J"]],"to_move":0,"x":1}"#).code, "unknown_field");
    assert_eq!(refuse("analyze", r#"{"hands":[["1"],["1","J"]],"to_move":"0"}"#).code, "wrong_type");
    assert_eq!(
        refuse("analyze", r#"{"mode":"trios","hands":[["1"],["1","J"]],"to_move":0}"#).code,
        "bad_value"
    );
    assert_eq!(refuse("analyze", r#"{"position":"1/1,J@0","hands":[]}"#).code, "bad_value");
    assert_eq!(refuse("analyze", "[").code, "not_json");
    assert_eq!(refuse("solve", "{}").code, "unknown_query");
}

#[test]
fn a_deal_that_is_over_at_once_is_answered() {
    let mut out = Vec::new();
    let request = r#"{"deal":[["J","1","1"],[]],"start":1}"#;
    ENTRY.answer("deal", request, &mut Budget::default(), &mut out).unwrap();
    let reply: serde_json::Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(reply["left"], serde_json::json!([1]));
    assert_eq!(
        (&reply["over"], &reply["last"], &reply["to_move"]),
        (&true.into(), &0.into(), &serde_json::Value::Null)
    );
}

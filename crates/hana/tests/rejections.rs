//! Bad requests are answered with a code and the place of the mistake.

#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

use kachi_core::Budget;
use kachi_core::surface::Entry;

fn code_and_place(query: &str, request: &str) -> (&'static str, String) {
    let mut out = Vec::new();
    let error = hana::ENTRY.answer(query, request, &mut Budget::default(), &mut out).unwrap_err();
    (error.code, error.at.map(|place| place.to_string()).unwrap_or_default())
}

#[test]
fn bad_requests_are_refused_with_a_code_and_a_place() {
    for (query, request, code, place) in [
        ("teyaku", r#"{"hand":["1a"]}"#, "wrong_count", "hand"),
        ("teyaku", r#"{"hand":["1a","1a","2a","3a","4a","5a","6a"]}"#, "duplicate_card", "hand[1]"),
        ("teyaku", r#"{"hand":["1a","1e","2a","3a","4a","5a","6a"]}"#, "bad_card", "hand[1]"),
        ("teyaku", r#"{"hands":[]}"#, "unknown_field", "hands"),
        ("dekiyaku", r#"{"basket":["1a"],"table":"99"}"#, "bad_value", "table"),
        ("field", r#"{"table":["1a"],"carry":[3],"mode":"queue"}"#, "bad_carry", "carry"),
        ("settle", r#"{"preset":"modern","baskets":[[],[]]}"#, "wrong_count", "baskets"),
        ("settle", r#"{"preset":"modern","baskets":[["1a"],["1a"],[]]}"#, "duplicate_card", "baskets[1]"),
        (
            "settle",
            r#"{"preset":"modern","baskets":[[],[],[]],"mode":"exhausted"}"#,
            "cards_missing",
            "baskets",
        ),
        (
            "settle",
            r#"{"preset":"modern","baskets":[[],[],[]],"mode":"shobu"}"#,
            "missing_field",
            "stopped_by",
        ),
        ("settle", r#"{"preset":"paper","baskets":[[],[],[]],"index":3}"#, "bad_index", "index"),
        ("settle", r#"{"preset":"paper","baskets":[[],[],[]],"stopped_by":4}"#, "bad_player", "stopped_by"),
        (
            "month",
            r#"{"preset":"paper","seats":3,"deck":["1a"],"order":[],"choices":[]}"#,
            "wrong_count",
            "deck",
        ),
        (
            "endgame",
            r#"{"hands":[["1a"],["2a"],["3a"]],"table":[],"yama":["4a","5a"]}"#,
            "wrong_count",
            "hands[2]",
        ),
        (
            "endgame",
            r#"{"hands":[["1a"],["1a"],["3a"]],"table":[],"yama":["4a","5a","6a"]}"#,
            "duplicate_card",
            "hands[1][0]",
        ),
        (
            "endgame-money",
            r#"{"preset":"modern","hands":[[],[],[]],"table":[],"yama":[],"baskets":[[],[],[]]}"#,
            "cards_missing",
            "baskets",
        ),
        ("nothing", "{}", "unknown_query", "query"),
    ] {
        assert_eq!(code_and_place(query, request), (code, place.to_owned()), "{query} {request}");
    }
}

#[test]
fn scripts_of_months_must_fit_the_questions() {
    let line = include_str!("vectors/hana.jsonl").lines().find(|line| line.contains("month-003")).unwrap();
    let vector: serde_json::Value = serde_json::from_str(line).unwrap();
    let with = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut request = vector["request"].clone();
        change(&mut request);
        code_and_place("month", &request.to_string())
    };
    let choices = |request: &mut serde_json::Value, change: &dyn Fn(&mut Vec<serde_json::Value>)| {
        change(request["choices"].as_array_mut().unwrap());
    };
    assert_eq!(with(&|r| choices(r, &|c| drop(c.pop()))).0, "missing_choice");
    assert_eq!(with(&|r| choices(r, &|c| c.push("1a".into()))), ("already_over", "choices[45]".into()));
    assert_eq!(with(&|r| choices(r, &|c| c[0] = true.into())), ("bad_decision", "choices[0]".into()));
    assert_eq!(with(&|r| choices(r, &|c| c[0] = "12d".into())), ("illegal_decision", "choices[0]".into()));
    assert_eq!(with(&|r| r["seats"] = 7.into()), ("bad_seats", "seats".into()));
    assert_eq!(with(&|r| r["deck"][0] = r["deck"][1].clone()).0, "duplicate_card");
}

#[test]
fn bad_positions_are_refused_with_a_place_in_the_text() {
    for text in [
        "",
        "modern",
        "modern:2@7",
        "modern:3@x",
        "modern:3@7/9:0,0,0",
        "modern:3@7/1:5,5,5",
        "1a/2a",
        "1a/2a/3a@4x:5a,6a,7a",
        "1a/1a/3a@:5a,6a,7a",
        "modern:3@7/1a,1a,1a",
    ] {
        let error = hana::ENTRY.board(text).err().unwrap_or_else(|| panic!("{text} was accepted"));
        assert!(error.at.is_some(), "{text}: {error:?}");
    }
}

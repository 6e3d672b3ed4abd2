//! What is refused, with its code and its place: as a request, and as notation.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use kachi_core::surface::Entry;
use kachi_core::{Budget, Error, Limits};
use tanhinmin::Position;

fn ask(query: &str, request: &str) -> Result<String, Error> {
    let mut out = Vec::new();
    tanhinmin::ENTRY.answer(query, request, &mut Budget::default(), &mut out)?;
    Ok(String::from_utf8(out).unwrap())
}

#[test]
fn requests_are_refused_with_code_and_place() {
    let refused = [
        (r#"{"hands":[[1]],"table":0}"#, "wrong_player_count", "hands"),
        (r#"{"hands":[[1],[2],[3]],"table":0}"#, "wrong_player_count", "hands"),
        (r#"{"hands":[[1],[2]],"cuts":[[1]],"table":0}"#, "wrong_player_count", "cuts"),
        (r#"{"hands":[[1],[2]],"goal":[0],"table":0}"#, "wrong_player_count", "goal"),
        (r#"{"hands":[[0,2],[3]],"table":0}"#, "bad_face", "hands[0][0]"),
        (r#"{"hands":[[1],[3,-4]],"table":0}"#, "bad_face", "hands[1][1]"),
        (r#"{"hands":[[1],[1000000001]],"table":0}"#, "bad_face", "hands[1][0]"),
        (r#"{"hands":[[1],[3]],"cuts":[[],[5,0]],"table":0}"#, "bad_face", "cuts[1][1]"),
        (r#"{"hands":[[1,"2"],[3]],"table":0}"#, "wrong_type", "hands[0][1]"),
        (r#"{"hands":[[1,2.5],[3]],"table":0}"#, "wrong_type", "hands[0][1]"),
        (r#"{"hands":[[1,null],[3]],"table":0}"#, "wrong_type", "hands[0][1]"),
        (r#"{"hands":[[1],[3]],"table":-1}"#, "bad_table", "table"),
        (r#"{"hands":[[1],[3]],"table":1.5}"#, "wrong_type", "table"),
        (r#"{"hands":[[1],[3]],"table":"cats"}"#, "bad_value", "table"),
        (r#"{"hands":[[1],[3]],"table":18446744073709551615}"#, "bad_table", "table"),
        (r#"{"hands":[[1],[3]],"table":"cut","cut_rule":false}"#, "cut_rule_off", "table"),
        (r#"{"hands":[[1],[3]],"cuts":[[2],[]],"cut_rule":false}"#, "cut_rule_off", "cuts"),
        (r#"{"hands":[[1,2],[3,4]],"goal":[0,-1]}"#, "bad_goal", "goal[1]"),
        (r#"{"hands":[[1,2],[3,4]],"goal":[2,0]}"#, "already_over", "hands[0]"),
        (r#"{"hands":[[1,2],[3,4]],"goal":[0,99]}"#, "already_over", "hands[1]"),
        (r#"{"hands":[[],[1]],"table":0}"#, "already_over", "hands[0]"),
        (r#"{"hands":[[1],[]],"table":0}"#, "already_over", "hands[1]"),
        (r#"{"hands":[[4,4,4],[4,4]],"strict_deck":true}"#, "too_many_copies", "hands[0][0]"),
        (r#"{"hands":[[1],[2]],"tabel":0}"#, "unknown_field", "tabel"),
        (r#"{"hands":[[1],[2]],"position":"1/2"}"#, "two_positions", "position"),
        (r#"{"position":"1/x"}"#, "bad_notation", "position[2..3]"),
    ];
    for (request, code, place) in refused {
        let error = ask("analyze", request).expect_err(request);
        assert_eq!(
            (error.code, error.at.map(|at| at.to_string()).as_deref()),
            (code, Some(place)),
            "{request}"
        );
    }
    assert_eq!(ask("analyze", r#"{"table":0}"#).unwrap_err().code, "missing_field");
    assert_eq!(ask("analyze", r#"{"hands":[[1],[2]]"#).unwrap_err().code, "not_json");
    assert_eq!(ask("divine", r#"{"hands":[[1],[2]]}"#).unwrap_err().code, "unknown_query");
}

#[test]
fn what_is_nearly_usual_is_refused_like_everything_else() {
    // Each differs by one character from what the quick way reads.
    for (request, code) in [
        (r#"{"hands":[[1],[2]],"table":01}"#, "not_json"),
        (r#"{"hands":[[1],[2]],"table":1e1}"#, "wrong_type"),
        (r#"{"hands":[[1],[2]],"table":1.0}"#, "wrong_type"),
        (r#"{"hands":[[1],[2]],"table":0}}"#, "not_json"),
        (r#"{"hands":[[1],[2]],"table":0,}"#, "not_json"),
        (r#"{"hands":[[1],[2]],"hands":[[1],[2]]}"#, "duplicate_field"),
        (r#"{"hands":[[1],[2]],"table":0,"table":0}"#, "duplicate_field"),
        (r#"{"id":1,"hands":[[1],[2]],"id":1}"#, "duplicate_field"),
        (r#"{"hands":[[1,],[2]]}"#, "not_json"),
        (r#"{"hands":[[1 2],[2]]}"#, "not_json"),
        (r#"{"hands":[[1],[4294967297]]}"#, "bad_face"),
        (r#"{"hands":[[1],[99999999999999999999]]}"#, "wrong_type"),
        (r#"{"hands":[[1],[2]],"id":01}"#, "not_json"),
    ] {
        assert_eq!(ask("analyze", request).expect_err(request).code, code, "{request}");
    }
}

#[test]
fn what_is_unusual_but_legal_is_answered() {
    for request in [
        r#"{"hands":[[3,1,2],[2,2,2,2,2]],"table":2}"#,
        r#"{"hands":[[5],[6]],"table":"cut"}"#,
        r#"{"hands":[[],[]],"cuts":[[3],[4]]}"#,
        r#"{"hands":[[1],[2]],"strict_deck":true,"cut_rule":false}"#,
        r#"{"id":{"any":["thing"]},"game":"tanhinmin","query":"analyze","hands":[[1],[2]]}"#,
    ] {
        assert!(ask("analyze", request).is_ok(), "{request}");
    }
}

#[test]
fn too_many_cards_are_refused_with_both_numbers() {
    let mut budget = Budget::new(Limits { cards: 3, ..Limits::default() });
    let request = r#"{"hands":[[1,2],[3,4]]}"#;
    let error = tanhinmin::ENTRY.answer("analyze", request, &mut budget, &mut Vec::new()).unwrap_err();
    assert_eq!(error.code, "too_large");
    assert!(error.message.contains('4') && error.message.contains('3'), "{error}");
}

#[test]
fn a_rule_that_is_not_linear_stops_at_the_budget_and_says_what_is_known() {
    let cards = |from: usize| (from..from + 400).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    let request = format!(
        r#"{{"hands":[[{}],[{}]],"cuts":[[{}],[{}]],"goal":[300,300]}}"#,
        cards(1),
        cards(200),
        cards(300),
        cards(100)
    );
    let answer = |nodes: u64| {
        let mut budget = Budget::new(Limits { nodes, ..Limits::default() });
        tanhinmin::ENTRY.answer("analyze", &request, &mut budget, &mut Vec::new())
    };
    let early = answer(1000).unwrap_err();
    assert_eq!((early.code, early.known), ("out_of_budget", None));
    let late = answer(20_000_000).unwrap_err();
    assert_eq!(late.code, "out_of_budget");
    assert!(late.known.is_some_and(|known| known["winner"].is_u64()));
}

#[test]
fn notation_is_refused_at_its_place() {
    let refused = [
        ("", "bad_notation", 0..0),
        ("1,2", "bad_notation", 3..3),
        ("1,2/3/4", "bad_notation", 5..6),
        ("1,x/3", "bad_notation", 2..3),
        ("1,0/3", "bad_face", 2..3),
        ("1,-5/3", "bad_face", 2..4),
        ("1,2z/3", "bad_number", 2..4),
        ("1,c/3", "bad_number", 2..3),
        ("1,c0/3", "bad_face", 2..4),
        ("1/2@x", "bad_number", 4..5),
        ("1/2@-3", "bad_table", 4..6),
        ("1/2@3 4", "bad_notation", 6..7),
        ("1:1/2", "already_over", 0..1),
        ("1:-1/2", "bad_goal", 2..4),
        ("1/", "already_over", 2..2),
        ("99999999999999999999/1", "bad_number", 0..20),
        ("一/2", "bad_notation", 0..3),
    ];
    for (text, code, place) in refused {
        let error = text.parse::<Position>().expect_err(text);
        assert_eq!((error.code, error.at), (code, Some(kachi_core::Place::Text(place))), "{text:?}");
    }
}

#[test]
fn oracle_requests_are_refused_or_answered() {
    let refused = [
        (r#"{"hand":[2,6,7],"table":1}"#, "one_oracle"),
        (r#"{"hand":[2,6,7],"own_mu":1,"other_mu":1}"#, "one_oracle"),
        (r#"{"hand":[0],"own_mu":1}"#, "bad_face"),
        (r#"{"hand":[],"own_mu":1}"#, "already_over"),
        (r#"{"hand":[1],"own_mu":1,"goal":-1}"#, "bad_goal"),
        (r#"{"hand":[1],"own_mu":1,"table":-1}"#, "bad_table"),
        (r#"{"hand":[1,5],"own_mu":1,"history":[4]}"#, "illegal_move"),
        (r#"{"hand":[1,5],"own_mu":1,"table":6,"history":[5]}"#, "illegal_move"),
        (r#"{"hand":[1,5],"own_mu":1,"history":["skip"]}"#, "bad_value"),
        (r#"{"hand":[5],"own_mu":1,"history":[5,"pass"]}"#, "already_over"),
    ];
    for (request, code) in refused {
        assert_eq!(ask("oracle", request).expect_err(request).code, code, "{request}");
    }
    let reply: serde_json::Value = serde_json::from_str(
        &ask("oracle", r#"{"hand":[2,6,7],"table":1,"own_mu":3,"history":[2,3]}"#).unwrap(),
    )
    .unwrap();
    assert_eq!(reply["move"], 6);
    assert_eq!(reply["k"], 2);
    assert_eq!(reply["followed"], true);
}

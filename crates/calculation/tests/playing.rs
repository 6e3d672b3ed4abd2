//! The queries about plans, players and deals: answers, and every rejection with its code and place.

#![allow(clippy::unwrap_used)]

use calculation::contract::playing::{answer, queries};
use kachi_core::{Budget, Limits};
use serde_json::{Value, json};

fn ask(query: &str, request: &Value) -> Result<Value, kachi_core::Error> {
    let mut out = Vec::new();
    answer(query, &request.to_string(), &mut Budget::default(), &mut out)?;
    Ok(serde_json::from_slice(&out).unwrap())
}

const SORTED: &str = "AAAA22223333444455556666777788889999TTTTJJJJQQQQKKKK";

#[test]
fn every_wrong_request_is_refused_with_its_place() {
    let heads = json!(["A", "2", "3", "4"]);
    let cases = [
        ("play", json!({"stacks": 3, "deck": &SORTED[1..]}), "bad_deck", "deck"),
        ("play", json!({"stacks": 3, "deck": format!("{}A", &SORTED[..51])}), "too_many_copies", "deck[51]"),
        ("play", json!({"stacks": 3, "deck": format!("{}X", &SORTED[..51])}), "bad_rank", "deck[51]"),
        ("play", json!({"stacks": 0, "deck": SORTED}), "bad_stacks", "stacks"),
        ("play", json!({"stacks": 5, "deck": SORTED}), "bad_stacks", "stacks"),
        ("play", json!({"stacks": -3, "deck": SORTED}), "bad_stacks", "stacks"),
        ("play", json!({"stacks": 3, "deck": SORTED, "engine": "oracle"}), "unknown_engine", "engine"),
        ("play", json!({"stacks": 3, "deck": SORTED, "plans": 0}), "bad_plans", "plans"),
        ("play", json!({"stacks": 3, "deck": SORTED, "K": 0}), "bad_plans", "plans"),
        ("clairvoyant", json!({"stacks": 3, "deck": &SORTED[2..]}), "bad_deck", "deck"),
        ("clairvoyant", json!({"stacks": 9, "deck": SORTED}), "bad_stacks", "stacks"),
        (
            "plan_eval",
            json!({"stacks": 3, "heads": heads, "piles": [["5-0", "6-0"]]}),
            "cyclic_order",
            "piles[0][1]",
        ),
        (
            "plan_eval",
            json!({"stacks": 3, "heads": heads, "piles": [["5-0"], ["5-0"]]}),
            "slot_taken",
            "piles[1][0]",
        ),
        (
            "plan_eval",
            json!({"stacks": 3, "heads": ["7", "2", "3", "4"], "piles": [["5-0"]]}),
            "slot_played",
            "piles[0][0]",
        ),
        (
            "plan_eval",
            json!({"stacks": 3, "heads": heads, "piles": [["5-4"]]}),
            "no_foundation",
            "piles[0][0]",
        ),
        ("plan_eval", json!({"stacks": 3, "heads": heads, "piles": [["5"]]}), "bad_label", "piles[0][0]"),
        ("plan_eval", json!({"stacks": 3, "heads": heads, "piles": [["Z-1"]]}), "bad_rank", "piles[0][0]"),
        (
            "plan_eval",
            json!({"stacks": 3, "heads": heads, "piles": [[], [], [], []]}),
            "too_many_piles",
            "piles",
        ),
        ("plan_eval", json!({"stacks": 3, "heads": ["A", "2", "3"], "piles": []}), "bad_heads", "heads"),
        (
            "plan_eval",
            json!({"stacks": 3, "heads": ["A", "2", "3", "X"], "piles": []}),
            "bad_rank",
            "heads[3]",
        ),
        (
            "advise",
            json!({"stacks": 3, "heads": heads, "piles": ["AAAA"], "drawn": "A"}),
            "too_many_copies",
            "drawn",
        ),
        (
            "advise",
            json!({"stacks": 3, "heads": heads, "piles": [["5", "5", "5", "5", "5"]], "drawn": "A"}),
            "too_many_copies",
            "piles[0][4]",
        ),
        (
            "advise",
            json!({"stacks": 3, "heads": heads, "piles": ["5?"], "drawn": "A"}),
            "bad_rank",
            "piles[0][1]",
        ),
        ("advise", json!({"stacks": 3, "heads": heads, "piles": [], "drawn": "10"}), "bad_rank", "drawn"),
        (
            "advise",
            json!({"stacks": 2, "heads": heads, "piles": ["5", "6", "7"], "drawn": "A"}),
            "too_many_piles",
            "piles",
        ),
        (
            "advise",
            json!({"stacks": 3, "heads": heads, "piles": [], "drawn": "A", "plans": -1}),
            "bad_plans",
            "plans",
        ),
        ("reduced", json!({"ranks": 6, "steps": [1, 2], "stacks": 2}), "bad_steps", "steps[1]"),
        ("reduced", json!({"ranks": 5, "steps": [0], "stacks": 2}), "bad_steps", "steps[0]"),
        ("reduced", json!({"ranks": 5, "steps": [], "stacks": 2}), "bad_steps", "steps"),
        ("reduced", json!({"ranks": 1, "steps": [1], "stacks": 2}), "bad_ranks", "ranks"),
        ("reduced", json!({"ranks": 5, "steps": [1, 2], "stacks": 0}), "bad_stacks", "stacks"),
        ("reduced", json!({"ranks": 13, "steps": [1, 2, 3, 4], "stacks": 3}), "too_large", "ranks"),
        (
            "reduced",
            json!({"ranks": 5, "steps": [1, 2], "stacks": 2, "colour": 1}),
            "unknown_field",
            "colour",
        ),
    ];
    for (query, request, code, place) in cases {
        let error = ask(query, &request).expect_err(&request.to_string());
        assert_eq!(error.code, code, "{request}");
        assert_eq!(error.at.map(|place| place.to_string()).as_deref(), Some(place), "{request}");
    }
}

#[test]
fn a_dead_plan_is_no_error() {
    // The kings of three foundations lie under cards that need them out of the way: no stack takes the last one.
    let request = json!({"stacks": 1, "heads": ["A", "2", "3", "4"], "piles": [["A-1", "2-0"]]});
    assert_eq!(ask("plan_eval", &request).unwrap()["value"], 0.0);
}

#[test]
fn a_complete_game_has_the_value_one() {
    let request = json!({"stacks": 3, "heads": [null, null, null, "K"], "piles": [["K-3"]]});
    let reply = ask("plan_eval", &request).unwrap();
    assert_eq!(reply["value"], 1.0);
    assert_eq!(reply["single"], json!([1.0, 1.0, 1.0, 1.0]));
}

#[test]
fn advice_names_every_way_and_the_best_one() {
    let request = json!({"stacks": 3, "heads": ["Q", "K", "K", "K"], "piles": ["KKK", ["K"]], "drawn": "Q", "engine": "plans-look0"});
    let reply = ask("advise", &request).unwrap();
    let best = reply["best"].as_u64().unwrap() as usize;
    assert_eq!(reply["options"][best]["chance"], 1.0);
    assert_eq!(reply["options"][best]["moves"][0], "f0");
}

#[test]
fn a_game_is_played_and_told() {
    let request = json!({"stacks": 4, "deck": SORTED, "engine": "plans-look0", "plans": 3});
    let reply = ask("play", &request).unwrap();
    assert_eq!(reply["transcript"].as_array().unwrap().len(), 52);
    assert_eq!(reply["transcript"][0]["drawn"], "A");
    assert!(reply["won"].is_boolean());
}

#[test]
fn a_spent_budget_is_reported() {
    let request = json!({"stacks": 3, "deck": SORTED, "plans": 2}).to_string();
    let mut budget = Budget::new(Limits { nodes: 100, ..Limits::default() });
    assert_eq!(answer("play", &request, &mut budget, &mut Vec::new()).unwrap_err().code, "out_of_budget");
    let asked = json!({"stacks": 3, "deck": SORTED, "plans": 2, "budget": {"nodes": 100}}).to_string();
    assert_eq!(
        answer("play", &asked, &mut Budget::default(), &mut Vec::new()).unwrap_err().code,
        "out_of_budget"
    );
    let asked = json!({"stacks": 3, "heads": ["A", "2", "3", "4"], "piles": ["77"], "drawn": "9", "budget": {"nodes": 1}});
    assert_eq!(ask("advise", &asked).unwrap_err().code, "out_of_budget");
}

#[test]
fn an_easy_deal_is_won_with_the_deck_known() {
    let reply =
        ask("clairvoyant", &json!({"stacks": 4, "deck": "A234567".repeat(4) + "89TJQK89TJQK89TJQK89TJQK"}))
            .unwrap();
    assert_eq!(reply["winnable"], "yes");
    assert!(reply["line"].as_array().unwrap().len() >= 104);
}

#[test]
fn one_stack_is_proved_not_to_be_enough() {
    let reply =
        ask("clairvoyant", &json!({"stacks": 1, "deck": SORTED.chars().rev().collect::<String>()})).unwrap();
    assert_eq!(reply["winnable"], "no");
    assert_eq!(reply["line"], Value::Null);
}

#[test]
fn all_queries_are_described() {
    let names: Vec<&str> = queries().iter().map(|query| query.name).collect();
    assert_eq!(names, ["plan_eval", "reduced", "advise", "play", "clairvoyant"]);
}

//! The contract: every line gets exactly one JSON reply, whatever it says.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod toy;

use kachi::contract::{Allowance, Contract};
use kachi::core::Limits;
use kachi::core::surface::Entry;
use kachi::registry::{Registry, nearest};
use serde_json::{Value, json};
use std::time::Duration;

static GAMES: [&dyn Entry; 2] = [&toy::TAKE, &toy::FAULTY];

fn contract() -> Contract<'static> {
    Contract::new(Registry::new(&GAMES), Allowance::default())
}

fn raw(line: &[u8]) -> String {
    let mut out = b"before".to_vec();
    let answered = contract().answer(line, &mut out);
    let reply = String::from_utf8(out).unwrap();
    let reply = reply.strip_prefix("before").unwrap().to_owned();
    assert_eq!(answered, !reply.contains("\"error\""));
    assert!(!reply.contains('\n'));
    reply
}

fn ask(line: &str) -> Value {
    serde_json::from_str(&raw(line.as_bytes())).unwrap()
}

fn code(line: &str) -> String {
    ask(line)["error"]["code"].as_str().unwrap_or("none").to_owned()
}

#[test]
fn a_request_is_answered_and_its_id_copied_as_written() {
    assert_eq!(raw(br#"{"game":"take","heap":7}"#), r#"{"winner":0,"winning_moves":[3],"why":{"rest":3}}"#);
    for id in ["1", "-0.50e3", "\"x\\u0041\"", "null", "[1, {\"a\":2}]", "123456789012345678901234567890"] {
        let reply = raw(format!(r#"{{"game":"take", "heap":8, "id":{id}}}"#).as_bytes());
        assert_eq!(reply, format!(r#"{{"id":{id},"winner":1,"winning_moves":[],"why":{{"rest":0}}}}"#));
    }
}

#[test]
fn the_query_defaults_to_analyze_and_others_are_routed() {
    assert_eq!(ask(r#"{"game":"take","query":"analyze","heap":5}"#)["winner"], 0);
    assert_eq!(ask(r#"{"game":"take","query":"table","heap":9}"#), json!({"lost": [4, 8]}));
}

#[test]
fn each_mistake_has_its_code() {
    let cases = [
        ("", "not_json"),
        ("   ", "not_json"),
        ("{", "not_json"),
        ("{\"game\":\"take\",}", "not_json"),
        ("{\"game\":\"take\",\"heap\":3} x", "not_json"),
        ("nonsense", "not_json"),
        ("[]", "not_an_object"),
        ("[1,\"take\"]", "not_an_object"),
        ("3", "not_an_object"),
        ("null", "not_an_object"),
        ("{}", "missing_field"),
        (r#"{"heap":3}"#, "missing_field"),
        (r#"{"game":null,"heap":3}"#, "wrong_type"),
        (r#"{"game":["take"],"heap":3}"#, "wrong_type"),
        (r#"{"game":"take","query":7,"heap":3}"#, "wrong_type"),
        (r#"{"game":"tako","heap":3}"#, "unknown_game"),
        (r#"{"game":"take","query":"solve","heap":3}"#, "unknown_query"),
        (r#"{"game":"take","game":"take","heap":3}"#, "duplicate_field"),
        (r#"{"game":"take","heap":3,"heaps":3}"#, "unknown_field"),
        (r#"{"game":"take"}"#, "missing_field"),
        (r#"{"game":"take","heap":-3}"#, "bad_value"),
        (r#"{"game":"take","heap":0}"#, "bad_heap"),
        (r#"{"game":"take","heap":3}"#, "none"),
    ];
    for (line, expected) in cases {
        assert_eq!(code(line), expected, "{line}");
    }
}

#[test]
fn errors_teach() {
    let reply = ask(r#"{"id":"q","game":"tkae","heap":3}"#);
    assert_eq!(reply["id"], "q");
    assert_eq!(reply["error"]["hint"], "did you mean take?");
    assert_eq!(reply["error"]["at"], "game");
    assert!(reply["error"]["message"].as_str().unwrap().contains("take, faulty"));
    let reply = ask(r#"{"game":"take","query":"tables","heap":3}"#);
    assert!(reply["error"]["message"].as_str().unwrap().contains(r#""analyze", "table""#));
    assert_eq!(reply["error"]["hint"], r#"did you mean "table"?"#);
    assert_eq!(ask(r#"{"heap":3}"#)["error"]["hint"], r#"add "game": one of "take", "faulty""#);
    assert_eq!(nearest("", &["take"]), None);
    assert_eq!(nearest(&"x".repeat(1000), &["take"]), None);
}

#[test]
fn a_panic_in_a_game_becomes_an_error_of_that_request() {
    let reply = ask(r#"{"id":1,"game":"faulty","heap":13}"#);
    assert_eq!(reply["id"], 1);
    assert_eq!(reply["error"]["code"], "internal_error");
    assert!(reply["error"]["message"].as_str().unwrap().contains("the heap of the bug"));
    assert_eq!(ask(r#"{"id":2,"game":"faulty","heap":14}"#)["winner"], 0);
}

#[test]
fn half_an_answer_before_an_error_is_not_sent() {
    let reply = raw(br#"{"id":5,"game":"take","heap":0}"#);
    assert!(reply.starts_with(r#"{"id":5,"error":{"code":"bad_heap""#), "{reply}");
}

#[test]
fn bytes_that_are_not_text_are_not_json() {
    let reply: Value = serde_json::from_str(&raw(b"{\"game\":\"\xff\"}")).unwrap();
    assert_eq!(reply["error"]["code"], "not_json");
}

#[test]
fn deep_nesting_overflows_no_stack() {
    let depth = 1_000_000;
    let deep = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(code(&deep), "not_an_object");
    assert_eq!(code(&"[".repeat(depth)), "not_json");
    assert_eq!(code(&format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth))), "missing_field");
    let line = format!(r#"{{"id":{deep},"game":"take","heap":3}}"#);
    // The toy reads the id into a tree, which has a depth limit; the contract itself has none.
    assert!(raw(line.as_bytes()).contains("\"error\":{\"code\":\"not_json\""));
}

#[test]
fn a_long_line_is_refused_by_its_length() {
    let allowance = Allowance { line: 100, ..Allowance::default() };
    let contract = Contract::new(Registry::new(&GAMES), allowance);
    let mut out = Vec::new();
    let line = format!(r#"{{"game":"take","heap":3{}}}"#, " ".repeat(100));
    assert!(!contract.answer(line.as_bytes(), &mut out));
    let reply: Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(reply["error"]["code"], "too_large");
    assert!(contract.answer(br#"{"game":"take","heap":3}"#, &mut out));
}

#[test]
fn work_and_time_have_limits() {
    let line = br#"{"game":"take","query":"table","heap":1000000}"#;
    let limits = Limits { nodes: 1000, ..Limits::default() };
    let few_nodes = Allowance { limits, ..Allowance::default() };
    let no_time = Allowance { time: Some(Duration::ZERO), ..Allowance::default() };
    for allowance in [few_nodes, no_time] {
        let mut out = Vec::new();
        Contract::new(Registry::new(&GAMES), allowance).answer(line, &mut out);
        let reply: Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(reply["error"]["code"], "out_of_budget");
    }
}

//! The test vectors, through the contract: a reply must contain every field of the expected answer.
#![allow(clippy::unwrap_used)] // Helpers of tests, too, fail by panicking.

use kachi_core::Budget;
use kachi_core::surface::Entry;
use serde_json::Value;
use shichinarabe::{ENTRY, GRAPH_ENTRY};

fn entry_of(request: &Value) -> &'static dyn Entry {
    if request["game"] == "shichinarabe" { &ENTRY } else { &GRAPH_ENTRY }
}

fn ask(request: &Value) -> Result<Value, String> {
    let query = request.get("query").and_then(Value::as_str).unwrap_or("analyze");
    let mut out = Vec::new();
    entry_of(request)
        .answer(query, &request.to_string(), &mut Budget::default(), &mut out)
        .map_err(|error| error.code.to_owned())?;
    Ok(serde_json::from_slice(&out).unwrap())
}

fn run(lines: &str) -> usize {
    let mut count = 0;
    for line in lines.lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        let reply = ask(&vector["request"]);
        if let Some(code) = vector.get("error") {
            let got = reply.expect_err("an error is expected");
            assert!(code == "any" || *code == got.as_str(), "{}: {got}", vector["id"]);
        } else {
            let reply = reply.unwrap_or_else(|code| panic!("{}: {code}", vector["id"]));
            for (field, expected) in vector["answer"].as_object().unwrap() {
                assert_eq!(&reply[field], expected, "{} {field}", vector["id"]);
            }
        }
        count += 1;
    }
    count
}

#[test]
fn vectors_of_suits_and_graphs() {
    assert_eq!(run(include_str!("vectors/shichinarabe.jsonl")), 412);
}

#[test]
fn vectors_with_jokers() {
    assert_eq!(run(include_str!("vectors/shichinarabe-jokers.jsonl")), 100);
}

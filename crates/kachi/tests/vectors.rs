//! The games' test vectors through the whole contract: a reply must hold every field of the expected answer.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod vector_files;

use kachi::batch::Batch;
use kachi::contract::{Allowance, Contract};
use kachi::registry::Registry;
use serde_json::{Value, json};
use vector_files::vectors;

/// How far a number with a decimal point may be off.
#[derive(Clone, Copy)]
struct Tolerance {
    absolute: f64,
    relative: f64,
}

impl Tolerance {
    fn of(vector: &Value) -> Tolerance {
        let relative = vector["rel_tol"].as_f64();
        let usual = if relative.is_some() { 0.0 } else { 1e-9 };
        Tolerance { absolute: vector["tol"].as_f64().unwrap_or(usual), relative: relative.unwrap_or(0.0) }
    }

    fn allows(self, expected: f64, found: f64) -> bool {
        (expected - found).abs() <= self.absolute.max(self.relative * expected.abs())
    }
}

/// Equal, or a number with a decimal point within the tolerance; objects may hold more than expected.
fn fits(expected: &Value, found: &Value, tolerance: Tolerance) -> bool {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            expected.iter().all(|(name, value)| found.get(name).is_some_and(|f| fits(value, f, tolerance)))
        }
        (Value::Array(expected), Value::Array(found)) => {
            expected.len() == found.len() && expected.iter().zip(found).all(|(e, f)| fits(e, f, tolerance))
        }
        (Value::Number(expected), Value::Number(found)) if expected.is_f64() => {
            tolerance.allows(expected.as_f64().unwrap(), found.as_f64().unwrap())
        }
        (expected, found) => expected == found,
    }
}

#[test]
fn every_vector_is_answered_as_expected() {
    let vectors = vectors();
    let with_id = |vector: &Value| {
        let mut request = vector["request"].clone();
        request["id"] = vector["id"].clone();
        format!("{request}\n")
    };
    let requests: String = vectors.iter().map(with_id).collect();
    let contract = Contract::new(Registry::default(), Allowance::default());
    let mut replies = Vec::new();
    Batch::default().run(&contract, requests.as_bytes(), &mut replies).unwrap();
    let replies = String::from_utf8(replies).unwrap();
    assert_eq!(replies.lines().count(), vectors.len());
    for (vector, reply) in vectors.iter().zip(replies.lines()) {
        let reply: Value = serde_json::from_str(reply).unwrap();
        assert_eq!(reply["id"], vector["id"]);
        match vector.get("error").and_then(Value::as_str) {
            Some("any") => assert!(reply["error"]["code"].is_string(), "{vector}: {reply}"),
            Some(code) => assert_eq!(reply["error"]["code"], json!(code), "{vector}"),
            None => {
                assert!(fits(&vector["answer"], &reply, Tolerance::of(vector)), "{vector}\n{reply}");
            }
        }
    }
}

//! The test vectors, through the contract as any surface asks it.

#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

use kachi_core::Budget;
use serde_json::Value;

fn close(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Number(a), Value::Number(b)) if a.is_f64() || b.is_f64() => {
            (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() <= 1e-9
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| close(a, b)),
        _ => expected == found,
    }
}

#[test]
fn every_vector_is_answered_as_expected() {
    let mut count = 0;
    let mut wrong = Vec::new();
    for line in include_str!("vectors/hana.jsonl").lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        let request = vector["request"].to_string();
        let query = vector["request"]["query"].as_str().unwrap();
        let mut out = Vec::new();
        let result = hana::contract::answer(query, &request, &mut Budget::default(), &mut out);
        match (vector.get("answer"), result) {
            (Some(expected), Ok(())) => {
                let reply: Value = serde_json::from_slice(&out).unwrap();
                for (field, value) in expected.as_object().unwrap() {
                    if !reply.as_object().unwrap().contains_key(field) || !close(value, &reply[field]) {
                        wrong.push(format!("{} {field}: {} is not {value}", vector["id"], reply[field]));
                    }
                }
            }
            (None, Err(error)) => {
                let code = vector["error"].as_str().unwrap();
                assert!(code == "any" || code == error.code, "{line}: {error:?}");
            }
            (_, result) => wrong.push(format!("{}: {result:?}", vector["id"])),
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(count, 153);
}

//! Every shared vector, through the same door that the surfaces use.

use babanuki::ENTRY;
use kachi_core::Budget;
use kachi_core::surface::Entry;
use serde_json::Value;

/// Does `found` contain everything that is expected? Numbers with a decimal point may differ by 1e-9.
fn agrees(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Number(a), Value::Number(b)) if a.is_f64() => {
            a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| (a - b).abs() <= 1e-9)
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agrees(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.iter().all(|(key, value)| b.get(key).is_some_and(|found| agrees(value, found)))
        }
        _ => expected == found,
    }
}

#[test]
fn every_vector_is_answered_as_expected() {
    let mut checked = 0;
    for line in include_str!("vectors/babanuki.jsonl").lines().filter(|line| !line.trim().is_empty()) {
        let vector: Value = serde_json::from_str(line).unwrap();
        let (id, request) = (&vector["id"], &vector["request"]);
        let query = request["query"].as_str().unwrap_or("analyze");
        let mut out = Vec::new();
        let answered = ENTRY.answer(query, &request.to_string(), &mut Budget::default(), &mut out);
        match vector.get("error").and_then(Value::as_str) {
            Some(code) => {
                let error = answered.expect_err("an error is expected");
                assert!(code == "any" || error.code == code, "{id}: {error:?}");
                assert!(
                    error.at.is_some() && error.hint.is_some(),
                    "{id}: {error:?} has no place or no hint"
                );
            }
            None => {
                answered.unwrap_or_else(|error| panic!("{id}: {error:?}"));
                let found: Value = serde_json::from_slice(&out).unwrap();
                for (key, value) in vector["answer"].as_object().unwrap() {
                    let same = found.get(key).is_some_and(|found| agrees(value, found));
                    assert!(same, "{id} {key}: expected {value}, found {:?}", found.get(key));
                }
            }
        }
        checked += 1;
    }
    assert_eq!(checked, 332);
}

#[test]
fn a_position_in_notation_is_answered_like_hands() {
    let ask = |request: &str| {
        let mut out = Vec::new();
        ENTRY.answer("analyze", request, &mut Budget::default(), &mut out).unwrap();
        serde_json::from_slice::<Value>(&out).unwrap()
    };
    let hands = ask(r#"{"id": 7, "game": "babanuki", "hands": [["1","2"],["1"],["2","J"]], "to_move": 0}"#);
    let line = ask(r#"{"position": "1,2 / 1 / 2,J @ 0"}"#);
    assert_eq!(hands, line);
    assert_eq!(hands["position"], "1,2/1/2,J@0");
}

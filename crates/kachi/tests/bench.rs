//! Benches: figures for every key, and a signature that only answers can change.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod toy;

use kachi::bench::measure;

#[test]
fn the_same_signature_twice_and_below_two_to_the_53() {
    let [first, second] = [measure(&toy::TAKE).unwrap(), measure(&toy::TAKE).unwrap()];
    assert_eq!(first.signature, second.signature);
    assert!(first.signature < 1 << 53);
}

#[test]
fn figures_become_fields_of_one_object() {
    let measured = measure(&toy::TAKE).unwrap();
    let value = serde_json::to_value(&measured).unwrap();
    assert_eq!(value["game"], "take");
    assert_eq!(value["signature"], measured.signature);
    assert!(value["heaps_per_s"].as_f64().unwrap() > 0.0);
    assert!(value["batch_lines_per_s"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_game_that_cannot_answer_its_own_typical_requests_is_reported() {
    // One of every fifty typical requests hits the toy's bug.
    let error = measure(&toy::FAULTY).unwrap_err();
    assert!(error.to_string().contains("typical requests"), "{error}");
}

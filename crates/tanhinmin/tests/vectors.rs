//! The test vectors, through the contract as any surface asks it.

use kachi_core::Budget;
use kachi_core::surface::Entry;
use serde_json::Value;

#[test]
fn every_vector_is_answered_as_expected() {
    let mut count = 0;
    for line in include_str!("vectors/tanhinmin.jsonl").lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        let request = vector["request"].to_string();
        let query = vector["request"]["query"].as_str().unwrap_or("analyze");
        let mut out = Vec::new();
        let result = tanhinmin::ENTRY.answer(query, &request, &mut Budget::default(), &mut out);
        match (vector.get("answer"), result) {
            (Some(expected), Ok(())) => {
                let reply: Value = serde_json::from_slice(&out).unwrap();
                for (field, value) in expected.as_object().unwrap() {
                    assert_eq!(&reply[field], value, "{field} of {line}");
                }
            }
            (None, Err(error)) => {
                let code = vector["error"].as_str().unwrap();
                assert!(code == "any" || code == error.code, "{line}: {error:?}");
                assert!(error.at.is_some(), "{line}: the error should say where: {error:?}");
            }
            (_, result) => panic!("{line}: {result:?}"),
        }
        count += 1;
    }
    assert_eq!(count, 439);
}

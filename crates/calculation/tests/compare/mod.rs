//! Asks a vector and compares the answer.

use calculation::ENTRY;
use kachi_core::Budget;
use kachi_core::surface::Entry;
use serde_json::Value;

const USUAL_TOLERANCE: f64 = 1e-9;

/// Does the reply hold every field of the expected answer? Numbers with a decimal point may differ a little.
fn contains(reply: &Value, expected: &Value, close: &dyn Fn(f64, f64) -> bool) -> bool {
    match (reply, expected) {
        (Value::Object(reply), Value::Object(expected)) => expected
            .iter()
            .all(|(key, value)| reply.get(key).is_some_and(|found| contains(found, value, close))),
        (Value::Array(reply), Value::Array(expected)) => {
            reply.len() == expected.len()
                && reply.iter().zip(expected).all(|(found, value)| contains(found, value, close))
        }
        (Value::Number(found), Value::Number(value)) if value.is_f64() => {
            found.as_f64().zip(value.as_f64()).is_some_and(|(found, value)| close(found, value))
        }
        (found, value) => found == value,
    }
}

fn answer(request: &Value) -> Result<Value, String> {
    let query = request["query"].as_str().unwrap_or("analyze");
    let mut out = Vec::new();
    ENTRY
        .answer(query, &request.to_string(), &mut Budget::default(), &mut out)
        .map_err(|error| error.code.to_owned())?;
    Ok(serde_json::from_slice(&out).unwrap())
}

/// What is wrong with the answer to a vector, if anything is.
pub(crate) fn fault(line: &str) -> Option<String> {
    let vector: Value = serde_json::from_str(line).unwrap();
    let (absolute, relative) = (vector["tol"].as_f64(), vector["rel_tol"].as_f64());
    let close = |found: f64, value: f64| {
        let allowed = match (absolute, relative) {
            (None, None) => USUAL_TOLERANCE,
            (absolute, relative) => absolute.unwrap_or(0.0).max(relative.unwrap_or(0.0) * value.abs()),
        };
        (found - value).abs() <= allowed
    };
    let answered = answer(&vector["request"]);
    let good = match (&answered, &vector["error"]) {
        (Ok(reply), Value::Null) => contains(reply, &vector["answer"], &close),
        (Err(code), Value::String(expected)) => expected == "any" || expected == code,
        _ => false,
    };
    (!good).then(|| format!("{}: {answered:?}", vector["id"]))
}

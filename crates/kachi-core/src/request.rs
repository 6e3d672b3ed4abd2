//! Reading a typed request from JSON. The fast path is a plain typed parse; only when that fails is the text read
//! again to find the path of the field and a code for the mistake.

use crate::error::Error;
use serde::de::DeserializeOwned;

/// Parses a request; unknown fields, missing fields and wrong types become errors with a code and a path.
///
/// ```
/// #[derive(serde::Deserialize, Debug)]
/// #[serde(deny_unknown_fields)]
/// struct Ask { hands: Vec<Vec<u32>> }
/// let error = kachi_core::request::parse::<Ask>(r#"{"hands": [[1], [2, "3"]]}"#).unwrap_err();
/// assert_eq!(error.code, "wrong_type");
/// assert_eq!(error.at.unwrap().to_string(), "hands[1][1]");
/// ```
///
/// # Errors
/// `not_json`, `unknown_field`, `missing_field`, `duplicate_field`, `wrong_type` or `bad_value`.
pub fn parse<T: DeserializeOwned>(json: &str) -> Result<T, Error> {
    serde_json::from_str(json).map_err(|_| diagnose::<T>(json))
}

fn diagnose<T: DeserializeOwned>(json: &str) -> Error {
    let mut reader = serde_json::Deserializer::from_str(json);
    match serde_path_to_error::deserialize::<_, T>(&mut reader) {
        Err(error) => {
            let path = error.path().to_string();
            from_serde(error.inner(), if path == "." { None } else { Some(path) })
        }
        Ok(_) => Error::new("not_json", "there is more text after the JSON object"),
    }
}

/// Turns a serde error into ours; the code follows from serde's wording, which its own tests fix.
pub fn from_serde(error: &serde_json::Error, path: Option<String>) -> Error {
    // serde_json adds " at line 1 column 9"; a request is one line, so only the column could help.
    let text = error.to_string();
    let message = text.split(" at line ").next().unwrap_or(&text).to_owned();
    let code = if error.is_syntax() || error.is_eof() {
        return Error::new("not_json", format!("not a JSON object: {text}"));
    } else if message.starts_with("unknown field") {
        "unknown_field"
    } else if message.starts_with("missing field") {
        "missing_field"
    } else if message.starts_with("duplicate field") {
        "duplicate_field"
    } else if message.starts_with("invalid type") {
        "wrong_type"
    } else {
        "bad_value"
    };
    let error = Error::new(code, message);
    match path {
        Some(path) => error.at_field(path),
        None => error,
    }
}

//! The one error of the project: a stable code for programs, a message for people, the place in the
//! input, and where possible a right example. No panic is reachable from input; this is returned instead.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use std::fmt;
use std::ops::Range;

/// Where in the input an error lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A field of a JSON request, written like `hands[1][3]`.
    Field(String),
    /// Bytes of a position written in notation.
    Text(Range<usize>),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Field(path) => f.write_str(path),
            Place::Text(range) => write!(f, "position[{}..{}]", range.start, range.end),
        }
    }
}

/// What went wrong, where, and what would be right.
///
/// ```
/// use kachi_core::{Error, Place};
/// let error = Error::new("bad_face", "a face must be at least 1, not 0")
///     .at(Place::Field("hands[0][2]".into()))
///     .hint("0 stands for the empty table");
/// assert_eq!(error.code, "bad_face");
/// assert_eq!(
///     serde_json::to_string(&error).unwrap(),
///     r#"{"code":"bad_face","message":"a face must be at least 1, not 0","at":"hands[0][2]","hint":"0 stands for the empty table"}"#
/// );
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// A stable name for programs, in snake case: `unmatched_card`, `too_large`, `out_of_budget` ...
    pub code: &'static str,
    /// One sentence for a person.
    pub message: String,
    /// The place in the input, when there is one.
    pub at: Option<Place>,
    /// What would be right: an example or the next step.
    pub hint: Option<String>,
    /// What was established before a limit was reached (for `out_of_budget`).
    pub known: Option<Box<serde_json::Value>>,
}

impl Error {
    /// An error without a place or a hint.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Error { code, message: message.into(), at: None, hint: None, known: None }
    }

    /// The same error at a place of the input.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.at = Some(place);
        self
    }

    /// The same error at a field of a request.
    #[must_use]
    pub fn at_field(self, path: impl Into<String>) -> Self {
        self.at(Place::Field(path.into()))
    }

    /// The same error at a range of bytes of a notation string.
    #[must_use]
    pub fn at_text(self, range: Range<usize>) -> Self {
        self.at(Place::Text(range))
    }

    /// The same error with advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same error with what is known so far.
    #[must_use]
    pub fn known(mut self, known: serde_json::Value) -> Self {
        self.known = Some(Box::new(known));
        self
    }

    /// The input is larger than a limit allows; `needed` and `limit` are said in the message.
    pub fn too_large(what: &str, needed: impl fmt::Display, limit: impl fmt::Display) -> Self {
        Error::new("too_large", format!("{what}: {needed}, and the limit is {limit}"))
    }
}

impl Serialize for Error {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", self.code)?;
        map.serialize_entry("message", &self.message)?;
        if let Some(place) = &self.at {
            map.serialize_entry("at", &place.to_string())?;
        }
        if let Some(hint) = &self.hint {
            map.serialize_entry("hint", hint)?;
        }
        if let Some(known) = &self.known {
            map.serialize_entry("known", known)?;
        }
        map.end()
    }
}

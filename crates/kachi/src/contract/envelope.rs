//! The envelope: the fields of a request that are the same for all games, found without reading the rest.
//!
//! There are two ways to find them. [`Envelope::read`] reads the whole text as JSON and says what is wrong with it.
//! [`Envelope::glance`] only looks for the ends of values; it is several times faster, gives up on anything unusual, and may
//! take a text for JSON that is none. That is harmless, because the game reads the same text properly before it answers.
//! Neither recurses, so that deep nesting costs no stack.

use kachi_core::{Error, request};
use memchr::{memchr, memchr2, memchr3};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// The fields as written, in JSON.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Envelope<'a> {
    pub(super) id: Option<&'a str>,
    pub(super) game: Option<&'a str>,
    pub(super) query: Option<&'a str>,
}

#[derive(Deserialize)]
struct Fields<'a> {
    #[serde(borrow, default)]
    id: Present<'a>,
    #[serde(borrow, default)]
    game: Present<'a>,
    #[serde(borrow, default)]
    query: Present<'a>,
}

/// A field as written; unlike an `Option` it tells `null` from nothing.
#[derive(Default)]
struct Present<'a>(Option<&'a str>);

impl<'de: 'a, 'a> Deserialize<'de> for Present<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&RawValue>::deserialize(deserializer).map(|raw| Present(Some(raw.get())))
    }
}

impl<'a> Envelope<'a> {
    /// Reads the whole text.
    ///
    /// # Errors
    /// `not_json`, `not_an_object` or `duplicate_field`.
    pub(super) fn read(text: &'a str) -> Result<Self, Error> {
        // serde reads a structure from an array too; the contract does not.
        if text.trim_start().starts_with('{') {
            let read: Result<Fields<'a>, _> = serde_json::from_str(text);
            let fields = read.map_err(|error| request::from_serde(&error, None))?;
            return Ok(Envelope { id: fields.id.0, game: fields.game.0, query: fields.query.0 });
        }
        match serde_json::from_str::<&RawValue>(text) {
            Ok(_) => Err(Error::new("not_an_object", "a request is a JSON object")
                .hint("{\"game\": \"...\", \"query\": \"analyze\", ...}")),
            Err(error) => Err(request::from_serde(&error, None)),
        }
    }

    /// Looks for the fields only. `None` when the text is unusual or wrong: then it must be read.
    pub(super) fn glance(text: &'a str) -> Option<Self> {
        let bytes = text.as_bytes();
        let mut envelope = Envelope::default();
        let mut at = after_blanks(bytes, 0);
        if *bytes.get(at)? != b'{' {
            return None;
        }
        loop {
            at = after_blanks(bytes, at + 1);
            let key_end = end_of_string(bytes, at)?;
            let key = &bytes[at + 1..key_end - 1];
            at = after_blanks(bytes, key_end);
            if *bytes.get(at)? != b':' {
                return None;
            }
            let start = after_blanks(bytes, at + 1);
            let end = end_of_value(bytes, start)?;
            let field = match key {
                b"id" => Some(&mut envelope.id),
                b"game" => Some(&mut envelope.game),
                b"query" => Some(&mut envelope.query),
                // An escaped key may spell one of the three.
                _ if memchr(b'\\', key).is_some() => return None,
                _ => None,
            };
            if let Some(field) = field {
                let before = field.replace(text.get(start..end)?.trim_ascii_end());
                if before.is_some() {
                    return None;
                }
            }
            at = after_blanks(bytes, end);
            match bytes.get(at)? {
                b',' => {}
                b'}' if after_blanks(bytes, at + 1) == bytes.len() => return Some(envelope),
                _ => return None,
            }
        }
    }
}

fn after_blanks(bytes: &[u8], from: usize) -> usize {
    let blanks = bytes.get(from..).unwrap_or_default().iter();
    from + blanks.take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')).count()
}

/// The place behind the string that begins at `from`.
fn end_of_string(bytes: &[u8], from: usize) -> Option<usize> {
    if *bytes.get(from)? != b'"' {
        return None;
    }
    let mut at = from + 1;
    loop {
        at += memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// The place behind the value that begins at `from`, if it is a value.
fn end_of_value(bytes: &[u8], from: usize) -> Option<usize> {
    match bytes.get(from)? {
        b'"' => end_of_string(bytes, from),
        b'[' => end_of_brackets(bytes, from, b'[', b']'),
        b'{' => end_of_brackets(bytes, from, b'{', b'}'),
        _ => Some(from + memchr2(b',', b'}', &bytes[from..])?),
    }
}

/// Brackets of one kind balance on their own wherever all of them do.
fn end_of_brackets(bytes: &[u8], from: usize, open: u8, close: u8) -> Option<usize> {
    let (mut at, mut depth) = (from, 0_usize);
    loop {
        at += memchr3(open, close, b'"', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            at = end_of_string(bytes, at)?;
            continue;
        }
        depth = if bytes[at] == open { depth + 1 } else { depth - 1 };
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kachi_core::random::Dealer;

    #[test]
    fn a_glance_finds_the_fields_wherever_they_stand() {
        let text = r#" { "hands" : [[1,2],["]\"",{}]] , "id":[1, {"id":2}] ,"x":{"game":"[no"},"game": "g" , "t":-1.5e3 } "#;
        let seen = Envelope::glance(text).unwrap();
        assert_eq!(seen, Envelope { id: Some(r#"[1, {"id":2}]"#), game: Some("\"g\""), query: None });
        assert_eq!(Some(seen), Envelope::read(text).ok());
    }

    #[test]
    fn a_glance_gives_up_on_what_is_unusual() {
        for text in [
            "",
            "{",
            "{}",
            "[]",
            "{\"game\"",
            "{\"game\":",
            "{\"game\":\"g\"",
            "{\"game\":\"g\"} x",
            "{\"game\":\"g\",}",
            "{\"game\":\"g\",\"game\":\"h\"}",
            "{\"g\\u0061me\":\"g\"}",
            "{\"a\":[[1]",
            "{\"a\":\"\\",
        ] {
            assert_eq!(Envelope::glance(text), None, "{text}");
        }
    }

    /// A random JSON value with brackets inside strings, blanks and escapes.
    fn value(dealer: &mut Dealer, depth: u32) -> String {
        let inner = |dealer: &mut Dealer| value(dealer, depth + 1);
        let blank = |dealer: &mut Dealer| [" ", "", "\t", ""][dealer.below(4) as usize];
        match dealer.below(if depth > 3 { 4 } else { 6 }) {
            0 => dealer.below(1000).to_string(),
            1 => ["true", "null", "-1.5e3", "0"][dealer.below(4) as usize].to_owned(),
            2 | 3 => ["\"a\"", "\"]\"", "\"{\\\"\"", "\"\\\\\"", "\"\\u0041 単\""][dealer.below(5) as usize]
                .to_owned(),
            4 => {
                let items: Vec<String> = (0..dealer.below(4)).map(|_| inner(dealer)).collect();
                format!("[{}{}]", blank(dealer), items.join(","))
            }
            _ => {
                let names = ["id", "game", "query", "hands", "x\\\"y", ""];
                let field = |dealer: &mut Dealer| {
                    let name = names[dealer.below(6) as usize];
                    format!("{}\"{name}\"{}:{}", blank(dealer), blank(dealer), inner(dealer))
                };
                let fields: Vec<String> = (0..dealer.below(5)).map(|_| field(dealer)).collect();
                format!("{{{}{}}}", fields.join(","), blank(dealer))
            }
        }
    }

    #[test]
    fn where_both_find_an_envelope_it_is_the_same() {
        let mut dealer = Dealer::new(1);
        let mut both = 0;
        for _ in 0..200_000 {
            let mut text = value(&mut dealer, 0).into_bytes();
            if dealer.below(3) == 0 && !text.is_empty() {
                // Damage: neither may panic, and agreement must survive.
                let at = dealer.below(text.len() as u64) as usize;
                text[at] = b"{}[]\",:\\ 1"[dealer.below(10) as usize];
            }
            let Ok(text) = String::from_utf8(text) else { continue };
            if let (Some(seen), Ok(read)) = (Envelope::glance(&text), Envelope::read(&text)) {
                assert_eq!(seen, read, "{text}");
                both += 1;
            }
        }
        assert!(both > 10_000, "{both}");
    }
}

//! Words of a proof file.

use super::ProofError;
use std::ops::Range;

/// A word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Word {
    Name(String),
    Number(i64),
    /// `<MATSU, TSURU>`, blanks removed.
    Flower(String),
    Sign(&'static str),
    End,
}

const SIGNS: [&str; 31] = [
    "==", "=>", "<<", "<=", ">=", "<>", "->", "..", "+w", "-w", "=", "<", ">", "+", "-", "*", "&", "(", ")",
    "{", "}", "[", "]", ",", ";", ":", ".", "|", "#", "/", "@",
];

/// The words of a text with their places.
pub(super) fn words(text: &str) -> Result<Vec<(Word, Range<usize>)>, ProofError> {
    let bytes = text.as_bytes();
    let mut words = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let byte = bytes[at];
        if byte.is_ascii_whitespace() {
            at += 1;
        } else if rest.starts_with("--") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if byte.is_ascii_digit() {
            let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let number = rest[..length]
                .parse()
                .map_err(|_| ProofError::new(at..at + length, "the number does not fit 64 bits"))?;
            words.push((Word::Number(number), at..at + length));
            at += length;
        } else if byte.is_ascii_alphabetic() || byte == b'_' {
            let length = name_length(rest.as_bytes());
            words.push((Word::Name(rest[..length].to_owned()), at..at + length));
            at += length;
        } else if let Some(length) = flower_length(rest) {
            let flower = rest[..length].chars().filter(|c| !c.is_whitespace()).collect();
            words.push((Word::Flower(flower), at..at + length));
            at += length;
        } else if let Some(sign) = SIGNS.iter().find(|sign| sign_fits(rest, sign)) {
            words.push((Word::Sign(sign), at..at + sign.len()));
            at += sign.len();
        } else {
            let length = rest.chars().next().map_or(1, char::len_utf8);
            let message = format!("{:?} has no meaning here", &rest[..length]);
            return Err(ProofError::new(at..at + length, message));
        }
    }
    words.push((Word::End, text.len()..text.len()));
    Ok(words)
}

/// Letters and digits, hyphens before a letter, primes.
fn name_length(bytes: &[u8]) -> usize {
    let mut length = 0;
    while let Some(byte) = bytes.get(length) {
        let inner = *byte == b'-' && bytes.get(length + 1).is_some_and(u8::is_ascii_alphabetic);
        if !(byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'\'' || inner) {
            break;
        }
        length += 1;
    }
    length
}

fn flower_length(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('<')?;
    let end = inner.find('>')?;
    let (flower, picture) = inner[..end].split_once(',')?;
    let upper = |name: &str| {
        let name = name.trim();
        !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '\'')
    };
    (upper(flower) && upper(picture)).then_some(end + 2)
}

/// `+w` and `-w` are signs unless a longer word begins with that letter.
fn sign_fits(rest: &str, sign: &str) -> bool {
    let Some(after) = rest.strip_prefix(sign) else { return false };
    !sign.ends_with('w') || !after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '\'')
}

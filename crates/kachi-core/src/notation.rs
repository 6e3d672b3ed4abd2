//! Reading one-line positions. A [`Reader`] walks over the text and remembers where it is, so that every
//! error can point at its place. Notations use only characters that need no escaping in a URL
//! (letters, digits and `,` `/` `@` `:` `-` `.`), and accept blanks where a person would type them.

use crate::error::Error;
use std::ops::Range;

/// A cursor over a position string.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// Starts at the beginning of the text.
    pub fn new(text: &'a str) -> Self {
        Reader { text, at: 0 }
    }

    /// The byte offset of the cursor.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// What has not been read yet.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Is everything read?
    pub fn is_done(&self) -> bool {
        self.rest().is_empty()
    }

    /// Passes over characters for which `skip` holds; returns how many bytes.
    pub fn skip(&mut self, skip: impl Fn(char) -> bool) -> usize {
        let rest = self.rest();
        let len = rest.find(|c| !skip(c)).unwrap_or(rest.len());
        self.at += len;
        len
    }

    /// Passes over blanks.
    pub fn skip_blanks(&mut self) {
        self.skip(char::is_whitespace);
    }

    /// The next character, not consumed.
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Consumes `c` if it comes next.
    pub fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    /// Consumes the longest run of characters for which `keep` holds, with its place.
    pub fn word(&mut self, keep: impl Fn(char) -> bool) -> (&'a str, Range<usize>) {
        let start = self.at;
        self.skip(keep);
        (&self.text[start..self.at], start..self.at)
    }

    /// The place of the next character (or of the end), for an error.
    pub fn here(&self) -> Range<usize> {
        let len = self.peek().map_or(0, char::len_utf8);
        self.at..self.at + len
    }

    /// What comes next, in words: `'x'` or `the end`.
    pub fn next_in_words(&self) -> String {
        self.peek().map_or_else(|| "the end".to_owned(), |c| format!("{c:?}"))
    }
}

/// Reads a whole number at a place; the error says what is wrong with it.
///
/// # Errors
/// `bad_number` if `word` is not a whole number that fits.
pub fn number(word: &str, place: Range<usize>, what: &str) -> Result<i64, Error> {
    word.parse::<i64>().map_err(|_| {
        let shown = if word.is_empty() { "nothing" } else { word };
        Error::new("bad_number", format!("{what} must be a whole number, found {shown}")).at_text(place)
    })
}

/// Two lines that show a place in a one-line text: the text and a row of carets.
///
/// ```
/// assert_eq!(kachi_core::notation::underline("1,x/2", 2..3), "1,x/2\n  ^");
/// ```
pub fn underline(text: &str, place: Range<usize>) -> String {
    let start = text.get(..place.start).map_or(0, |before| before.chars().count());
    let width = text.get(place).map_or(1, |inside| inside.chars().count()).max(1);
    format!("{text}\n{}{}", " ".repeat(start), "^".repeat(width))
}

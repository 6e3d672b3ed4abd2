//! Errors as a person reads them: the rule that was broken, the line of the source with the place marked, both types, and a hint that
//! teaches. The same shape serves errors of syntax, errors of type and faults while running; programs read it as JSON.
//!
//! ```
//! use hana_lang::{diagnose, types};
//! let source = "program P; var n : Int; n := true.";
//! let errors = types::check_source(source).unwrap_err();
//! let text = diagnose::render("p.hl", source, &errors, false);
//! assert!(text.starts_with("error[assignment]: n holds an Int and cannot be given a Bool\n --> p.hl:1:30\n"), "{text}");
//! ```

use crate::syntax::Span;
use crate::types::ty::Ty;
use serde::Serialize;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// Errors shown at once; the rest is only counted.
pub const SHOWN: usize = 20;

/// One error and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule that was broken, a stable name: `assignment`, `application`, `syntax` ...
    pub rule: &'static str,
    /// One sentence.
    pub message: String,
    /// The place.
    pub span: Span,
    /// What stands there, in a word or two; may be empty.
    pub label: String,
    /// Other places that matter.
    pub notes: Vec<(Span, String)>,
    /// The type that the place asks for and the type that stands there.
    pub types: Option<(String, String)>,
    /// What would be right.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn new(rule: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            rule,
            message: message.into(),
            span,
            label: String::new(),
            notes: Vec::new(),
            types: None,
            hint: None,
        }
    }

    /// The same with words at the mark.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// The same with another place.
    #[must_use]
    pub fn note(mut self, span: Span, words: impl Into<String>) -> Diagnostic {
        self.notes.push((span, words.into()));
        self
    }

    /// The same with the type asked for and the type found.
    #[must_use]
    pub fn types(mut self, expected: impl Into<Shown>, found: impl Into<Shown>) -> Diagnostic {
        self.types = Some((expected.into().0, found.into().0));
        self
    }

    /// The same with advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }
}

/// A type, or words for one, as an error shows it.
#[derive(Debug)]
pub struct Shown(String);

impl From<&Ty> for Shown {
    fn from(ty: &Ty) -> Shown {
        Shown(ty.to_string())
    }
}

impl From<&str> for Shown {
    fn from(words: &str) -> Shown {
        Shown(words.to_owned())
    }
}

impl From<String> for Shown {
    fn from(words: String) -> Shown {
        Shown(words)
    }
}

/// An error as a program reads it.
#[derive(Debug, Serialize)]
pub struct Plain {
    rule: &'static str,
    message: String,
    line: usize,
    column: usize,
    start: u32,
    end: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

/// The error for programs: rule, message, line and column (from 1, in characters), bytes, both types, hint.
#[must_use]
pub fn plain(source: &str, error: &Diagnostic) -> Plain {
    let (line, column) = place(source, error.span.start as usize);
    let (expected, found) = error.types.clone().unzip();
    Plain {
        rule: error.rule,
        message: error.message.clone(),
        line,
        column,
        start: error.span.start,
        end: error.span.end,
        expected,
        found,
        hint: error.hint.clone(),
    }
}

/// Line and column of a byte, both from 1; the column counts characters.
#[must_use]
pub fn place(source: &str, byte: usize) -> (usize, usize) {
    let at = floor(source, byte);
    let before = &source[..at];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

/// The last boundary of a character at or before a byte.
fn floor(source: &str, byte: usize) -> usize {
    let mut at = byte.min(source.len());
    while !source.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The line that holds a byte: its bounds without the newline.
fn line_at(source: &str, byte: usize) -> (usize, usize) {
    let start = source[..byte].rfind('\n').map_or(0, |newline| newline + 1);
    let end = source[byte..].find('\n').map_or(source.len(), |newline| byte + newline);
    (start, end)
}

struct Colours {
    error: &'static str,
    faint: &'static str,
    strong: &'static str,
    note: &'static str,
    off: &'static str,
}

const PLAIN: Colours = Colours { error: "", faint: "", strong: "", note: "", off: "" };
const COLOURED: Colours =
    Colours { error: "\x1b[1;31m", faint: "\x1b[34m", strong: "\x1b[1m", note: "\x1b[36m", off: "\x1b[0m" };

/// The errors as text, in the order of the source, the first [`SHOWN`] in full.
#[must_use]
pub fn render(file: &str, source: &str, errors: &[Diagnostic], colour: bool) -> String {
    let colours = if colour { &COLOURED } else { &PLAIN };
    let mut sorted: Vec<&Diagnostic> = errors.iter().collect();
    sorted.sort_by_key(|error| (error.span, error.rule));
    let mut text = String::new();
    for (i, error) in sorted.iter().take(SHOWN).enumerate() {
        if i > 0 {
            text.push('\n');
        }
        one(&mut text, file, source, error, colours);
    }
    if errors.len() > SHOWN {
        let _ = writeln!(text, "\n{} more errors are not shown", errors.len() - SHOWN);
    }
    text
}

/// A mark under a line.
struct Mark<'a> {
    at: usize,
    end: usize,
    words: &'a str,
    main: bool,
}

fn one(text: &mut String, file: &str, source: &str, error: &Diagnostic, c: &Colours) {
    let Colours { error: red, faint, strong, note, off } = *c;
    let (line, column) = place(source, error.span.start as usize);
    let mut marks = vec![Mark {
        at: error.span.start as usize,
        end: error.span.end as usize,
        words: &error.label,
        main: true,
    }];
    marks.extend(error.notes.iter().map(|(span, words)| Mark {
        at: span.start as usize,
        end: span.end as usize,
        words,
        main: false,
    }));
    for mark in &mut marks {
        (mark.at, mark.end) = (floor(source, mark.at), floor(source, mark.end));
    }
    marks.sort_by_key(|mark| (line_at(source, mark.at).0, !mark.main, mark.at));
    let last = marks.iter().map(|mark| place(source, mark.at).0).max().unwrap_or(line);
    let width = last.to_string().len();
    // Writing into a String cannot fail.
    let _ = writeln!(text, "{red}error[{}]{off}{strong}: {}{off}", error.rule, error.message);
    let _ = writeln!(text, "{:width$}{faint}-->{off} {file}:{line}:{column}", "");
    let _ = writeln!(text, "{:width$} {faint}|{off}", "");
    let mut shown = None;
    for mark in &marks {
        let (start, end) = line_at(source, mark.at);
        if shown != Some(start) {
            if shown.is_some_and(|before| place(source, before).0 + 1 < place(source, start).0) {
                let _ = writeln!(text, "{faint}{:.>width$}{off}", "");
            }
            let number = place(source, start).0;
            let shown_line = visible(&source[start..end]);
            let _ = writeln!(text, "{faint}{number:>width$} |{off} {}", shown_line.trim_end());
            shown = Some(start);
        }
        let before = visible(&source[start..mark.at]).width();
        let stop = mark.end.min(end).max(mark.at);
        let length = visible(&source[mark.at..stop]).width().max(1);
        let (sign, paint) = if mark.main { ("^", red) } else { ("-", note) };
        let more = if mark.end > end { "..." } else { "" };
        let signs = sign.repeat(length);
        let words = if mark.words.is_empty() { String::new() } else { format!(" {}", mark.words) };
        let _ = writeln!(text, "{:width$} {faint}|{off} {:before$}{paint}{signs}{more}{words}{off}", "", "");
    }
    let _ = writeln!(text, "{:width$} {faint}|{off}", "");
    if let Some((expected, found)) = &error.types {
        let _ = writeln!(text, "{:width$} {faint}={off} expected: {expected}", "");
        let _ = writeln!(text, "{:width$} {faint}={off}    found: {found}", "");
    }
    if let Some(hint) = &error.hint {
        let _ = writeln!(text, "{:width$} {faint}={off} {note}hint{off}: {hint}", "");
    }
}

/// A line with tabs and control characters as blanks, so that marks stand where they should.
fn visible(line: &str) -> String {
    line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The nearest of the known names, if one is near enough to be meant.
#[must_use]
pub fn nearest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = match wanted.chars().count() {
        0..=1 => return None,
        2..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    let same = |a: &str, b: &str| a.to_lowercase() == b.to_lowercase();
    let mut best = None;
    for name in known {
        let far = if same(wanted, name) { 0 } else { distance(wanted, name, allowed) };
        // Of two equally near names the one of the same length is more likely.
        let rank = (far, wanted.len().abs_diff(name.len()));
        if far <= allowed && best.is_none_or(|(least, _)| rank < least) {
            best = Some((rank, name));
        }
    }
    best.map(|(_, name)| name)
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other; anything above `limit` counts as more.
fn distance(a: &str, b: &str, limit: usize) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    if a.len().abs_diff(b.len()) > limit {
        return limit + 1;
    }
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut least = (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = least;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_under_wide_characters_and_tabs() {
        let source = "\t松 x";
        let at = source.find('x').unwrap_or(0);
        let error = Diagnostic::new("name", Span::new(at, at + 1), "x is not known");
        let text = render("a.hl", source, &[error], false);
        assert_eq!(text, "error[name]: x is not known\n --> a.hl:1:4\n  |\n1 |  松 x\n  |     ^\n  |\n");
    }

    #[test]
    fn a_place_outside_the_source_or_inside_a_character_is_no_panic() {
        for (start, end) in [(0, 0), (1, 2), (5, 99), (99, 100), (3, 1)] {
            let error = Diagnostic::new("x", Span::new(start, end), "m").note(Span::new(end, start), "n");
            assert!(render("a", "松\n梅", &[error], true).contains("error[x]"));
        }
    }

    #[test]
    fn the_nearest_name_is_near() {
        let known = ["Number", "Point", "Points", "bouquet"];
        assert_eq!(nearest("Nubmer", known), Some("Number"));
        assert_eq!(nearest("point", known), Some("Point"));
        assert_eq!(nearest("x", known), None);
        assert_eq!(nearest("window", known), None);
    }
}

//! What went wrong, told so that it teaches: the message, the place under carets, the hint, and a right example.

use crate::paint::Paint;
use crate::text::{printable, wrap, wrap_lines};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use kachi::core::{Error, Place};
use kachi::registry::{Registry, nearest};
use serde::Serialize;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;
use std::ops::Range;
use unicode_width::UnicodeWidthChar;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Answered,
    Surprised,
    Wrong,
    Interrupted,
}

impl Exit {
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Answered => 0,
            Exit::Surprised => 1,
            Exit::Wrong => 2,
            Exit::Interrupted => 130,
        }
    }
}

/// Why a command could not do what was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input is wrong; boxed because it is large and rare.
    Input(Box<Wrong>),
    /// The command line is wrong: the usage text, then advice.
    Usage { error: Error, shown: String },
    /// A stream failed.
    Stream(io::Error),
}

/// Wrong input, with what is needed to point at it.
#[derive(Debug)]
pub(crate) struct Wrong {
    pub(crate) error: Error,
    /// The text that the error's place refers to.
    pub(crate) text: Option<String>,
    /// Where that text came from: `positions.txt:3`.
    pub(crate) origin: Option<String>,
    /// Command lines that would be right.
    pub(crate) examples: Vec<String>,
}

/// A failure as JSON, like the contract's.
#[derive(Serialize)]
pub(crate) struct Refusal<'f> {
    /// The file and the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<&'f str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<&'f str>,
    error: Cow<'f, Error>,
}

impl<'f> Refusal<'f> {
    fn of(error: Cow<'f, Error>) -> Self {
        Refusal { origin: None, position: None, error }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Input(Box::new(Wrong { error, text: None, origin: None, examples: Vec::new() }))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Stream(error)
    }
}

impl Failure {
    /// A file that cannot be read or written.
    pub(crate) fn file(code: &'static str, path: &std::path::Path, error: &io::Error) -> Failure {
        let doing = if code == "cannot_write" { "write" } else { "read" };
        Error::new(code, format!("cannot {doing} {}: {error}", path.display())).into()
    }

    /// A command line that clap does not understand.
    pub(crate) fn usage(error: &clap::Error, example: Option<&str>, registry: Registry<'_>) -> Failure {
        let text = error.render().to_string();
        // The first paragraph says what is wrong; the rest repeats the usage.
        let words: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
        let message = words.join(" ").trim_start_matches("error: ").to_owned();
        let mut shown = text.trim_end().to_owned();
        let mut wrong = Error::new("wrong_usage", message);
        if let Some(advice) = a_game_is_no_command(error, registry) {
            let _ = write!(shown, "\n\n{advice}");
            wrong = wrong.hint(advice);
        } else if let Some(example) = example {
            let _ = write!(shown, "\n\ntry:  {example}");
            wrong = wrong.hint(format!("for example: {example}"));
        }
        Failure::Usage { error: wrong, shown: shown + "\n" }
    }

    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Failure::Stream(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// For programs.
    pub(crate) fn json(&self) -> Refusal<'_> {
        match self {
            Failure::Usage { error, .. } => Refusal::of(Cow::Borrowed(error)),
            Failure::Stream(error) => Refusal::of(Cow::Owned(Error::new("stream_failed", error.to_string()))),
            Failure::Input(wrong) => Refusal {
                origin: wrong.origin.as_deref(),
                position: wrong.text.as_deref(),
                ..Refusal::of(Cow::Borrowed(&wrong.error))
            },
        }
    }

    /// For people.
    pub(crate) fn text(&self, paint: Paint, width: usize) -> String {
        let Paint { bad, faint, .. } = paint;
        match self {
            Failure::Usage { shown, .. } => shown.clone(),
            Failure::Stream(error) => format!("{bad}error:{bad:#} {error}\n"),
            Failure::Input(wrong) => {
                let origin = wrong.origin.as_ref().map(|origin| format!("{origin}: ")).unwrap_or_default();
                let message = printable(&format!("{origin}{}", wrong.error.message));
                let message = wrap(&message, width.saturating_sub(7)).join("\n       ");
                let mut told = format!("{bad}error:{bad:#} {message}\n");
                if let Some(text) = &wrong.text {
                    let place = match &wrong.error.at {
                        Some(Place::Text(range)) => Some(range.clone()),
                        _ => None,
                    };
                    told += &pointed(text, place, paint, width);
                }
                if let Some(hint) = &wrong.error.hint {
                    let hint = wrap_lines(&printable(hint), width.saturating_sub(6)).join("\n      ");
                    let _ = writeln!(told, "{faint}hint:{faint:#} {hint}");
                }
                for (i, example) in wrong.examples.iter().enumerate() {
                    let _ = writeln!(
                        told,
                        "{faint}{}{faint:#} {example}",
                        if i == 0 { "try: " } else { "     " }
                    );
                }
                told
            }
        }
    }
}

/// The text and a row of carets under the place; a long text is cut to what stands around the place.
fn pointed(text: &str, place: Option<Range<usize>>, paint: Paint, width: usize) -> String {
    const INDENT: usize = 2;
    let pointing = place.is_some();
    let place = place.unwrap_or(0..0);
    let room = width.saturating_sub(INDENT + 8).max(20);
    let letters: Vec<(usize, char)> =
        text.char_indices().map(|(at, c)| (at, if c.is_control() { ' ' } else { c })).collect();
    let before = letters.iter().filter(|(at, _)| *at < place.start).count();
    let from =
        if letters.len() <= room { 0 } else { before.saturating_sub(room / 2).min(letters.len() - room) };
    let shown = &letters[from..letters.len().min(from + room)];
    let columns = |within: &dyn Fn(usize) -> bool| -> usize {
        shown.iter().filter(|(at, _)| within(*at)).map(|(_, c)| c.width().unwrap_or(0)).sum()
    };
    let (left, right) =
        (if from > 0 { "..." } else { "" }, if from + shown.len() < letters.len() { "..." } else { "" });
    let line: String = shown.iter().map(|(_, c)| *c).collect();
    let mut told = format!("{:INDENT$}{left}{line}{right}\n", "");
    if pointing {
        let lead = INDENT + left.len() + columns(&|at| at < place.start);
        let carets = columns(&|at| place.contains(&at)).max(1);
        let mark = paint.bad;
        let _ = writeln!(told, "{:lead$}{mark}{}{mark:#}", "", "^".repeat(carets));
    }
    told
}

/// `kachi tanhinmin ...` is a natural thing to type; say what was meant.
fn a_game_is_no_command(error: &clap::Error, registry: Registry<'_>) -> Option<String> {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let game = nearest(word, &registry.names())?;
    Some(format!("{game} is a game; a command comes before it: kachi solve {game}, kachi play {game}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn carets(text: &str, place: Range<usize>) -> String {
        pointed(text, Some(place), Paint::new(false), 60)
    }

    #[test]
    fn carets_stand_under_the_place() {
        assert_eq!(carets("1,x/2", 2..3), "  1,x/2\n    ^\n");
        assert_eq!(carets("1,abc/2", 2..5), "  1,abc/2\n    ^^^\n");
        assert_eq!(carets("1/", 2..2), "  1/\n    ^\n");
    }

    #[test]
    fn wide_letters_take_two_columns() {
        assert_eq!(carets("単,x", 4..5), "  単,x\n     ^\n");
        assert_eq!(carets("単,x", 0..3), "  単,x\n  ^^\n");
    }

    #[test]
    fn a_long_text_is_cut_around_the_place() {
        let text = "1,".repeat(500) + "x" + &",1".repeat(500);
        let told = carets(&text, 1000..1001);
        let (line, marks) = told.split_once('\n').unwrap();
        assert!(line.len() < 60 && line.starts_with("  ...") && line.ends_with("..."));
        assert_eq!(line.find('x'), marks.find('^'));
    }

    #[test]
    fn places_outside_the_text_do_no_harm() {
        for place in [7..9, 100..3000, 3..3] {
            assert!(carets("1,x", place).contains('^'));
        }
    }
}

//! Where a command speaks: the streams, how wide and how colourful they are, and the games it may speak about.

use crate::cli::Colour;
use crate::failure::{Exit, Failure};
use crate::paint::Paint;
use anstream::AutoStream;
use kachi::registry::Registry;
use serde::Serialize;
use std::io::{self, BufRead, IsTerminal, Stderr, Stdout, Write};

/// The three streams of a program.
pub struct Stage<'a> {
    /// Standard input.
    pub input: &'a mut (dyn BufRead + Send),
    /// Standard output.
    pub output: &'a mut (dyn Write + Send),
    /// Standard error.
    pub errors: &'a mut (dyn Write + Send),
    /// Does a person type the input?
    pub typed: bool,
    /// Does a person read the output?
    pub read: bool,
    /// May colour be used on output and errors, if nothing else is said?
    pub colour: bool,
}

impl<'a> Stage<'a> {
    /// The real streams of this process.
    pub fn terminal(
        input: &'a mut (dyn BufRead + Send),
        output: &'a mut Stdout,
        errors: &'a mut Stderr,
    ) -> Self {
        let choice = AutoStream::choice(&*output);
        let read = output.is_terminal();
        let colour = choice != anstream::ColorChoice::Never;
        Stage { input, output, errors, typed: io::stdin().is_terminal(), read, colour }
    }

    /// Streams without a person at either end.
    pub fn scripted(
        input: &'a mut (dyn BufRead + Send),
        output: &'a mut (dyn Write + Send),
        errors: &'a mut (dyn Write + Send),
    ) -> Self {
        Stage { input, output, errors, typed: false, read: false, colour: false }
    }
}

/// Columns used when nobody says how many there are.
const USUAL_WIDTH: usize = 100;
const WIDEST: usize = 110;
const NARROWEST: usize = 40;

/// A stage, set for one command.
pub(crate) struct Scene<'a> {
    pub(crate) registry: Registry<'a>,
    pub(crate) stage: Stage<'a>,
    pub(crate) json: bool,
    pub(crate) colourful: bool,
    pub(crate) paint: Paint,
    pub(crate) width: usize,
}

impl<'a> Scene<'a> {
    pub(crate) fn new(registry: Registry<'a>, stage: Stage<'a>, json: bool, colour: Colour) -> Self {
        let colourful = match colour {
            Colour::Auto => stage.colour,
            Colour::Always => true,
            Colour::Never => false,
        };
        let asked = if stage.read { terminal_size::terminal_size() } else { None };
        let width = asked.map_or(USUAL_WIDTH, |(width, _)| usize::from(width.0).clamp(NARROWEST, WIDEST));
        Scene { registry, stage, json, colourful, paint: Paint::new(colourful), width }
    }

    /// Text of clap's, with or without its styles.
    pub(crate) fn write_styled(&mut self, text: &clap::builder::StyledStr) -> Result<(), Failure> {
        if self.colourful {
            write!(self.stage.output, "{}", text.ansi())?;
        } else {
            write!(self.stage.output, "{text}")?;
        }
        Ok(())
    }

    /// One line of JSON.
    pub(crate) fn json_line(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        serde_json::to_writer(&mut *self.stage.output, value).map_err(io::Error::from)?;
        writeln!(self.stage.output)?;
        Ok(())
    }

    /// Tells a failure where it is expected: people on standard error, programs as JSON on standard output.
    pub(crate) fn tell(&mut self, failure: &Failure) -> Result<Exit, Failure> {
        if failure.is_broken_pipe() {
            // Whoever read us has seen enough.
            return Ok(Exit::Answered);
        }
        let writable = self.stage.output.flush().is_ok();
        if !(self.json && writable && self.tell_programs(failure).is_ok()) {
            // Where nothing can be written any more, programs are told on the other stream too.
            let text = failure.text(self.paint, self.width);
            self.stage.errors.write_all(text.as_bytes())?;
        }
        Ok(Exit::Wrong)
    }

    fn tell_programs(&mut self, failure: &Failure) -> Result<(), Failure> {
        self.json_line(&failure.json())?;
        self.stage.output.flush()?;
        Ok(())
    }
}

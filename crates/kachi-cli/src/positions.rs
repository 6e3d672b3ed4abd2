//! Positions from the command line, a file or standard input, each read into a board or refused with its place.

use crate::failure::{Exit, Failure, Wrong};
use crate::scene::Scene;
use clap::Args;
use kachi::contract::Allowance;
use kachi::core::surface::{Board, Entry};
use kachi::core::{Budget, Error};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Which positions of which game.
#[derive(Debug, Args)]
pub(crate) struct PositionArgs {
    /// The game; `kachi games` lists them
    pub(crate) game: String,

    /// The position in the game's notation, with or without quotes; `-` reads one a line from standard input
    /// (blank lines and lines starting with # are skipped). Left out: the game's first example
    #[arg(value_name = "POSITION")]
    pub(crate) position: Vec<String>,

    /// Read positions from a file, one a line
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub(crate) file: Option<PathBuf>,

    /// A fresh deal; the same seed gives the same deal everywhere
    #[arg(long, value_name = "SEED", conflicts_with_all = ["position", "file"])]
    pub(crate) deal: Option<u64>,

    #[command(flatten)]
    pub(crate) cost: CostArgs,
}

/// What an answer may cost.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct CostArgs {
    /// Give up on an answer that needs more than this many nodes of search
    #[arg(long, value_name = "N", display_order = 800)]
    pub(crate) nodes: Option<u64>,

    /// Give up on an answer that needs more time than this
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true, display_order = 801)]
    pub(crate) seconds: Option<Duration>,
}

fn seconds(word: &str) -> Result<Duration, String> {
    let number: f64 = word.parse().map_err(|_| "a number of seconds such as 2 or 0.5".to_owned())?;
    Duration::try_from_secs_f64(number).map_err(|error| error.to_string())
}

impl CostArgs {
    /// The contract's usual allowance, changed as asked.
    pub(crate) fn allowance(self) -> Allowance {
        let mut allowance = Allowance::default();
        allowance.limits.nodes = self.nodes.unwrap_or(allowance.limits.nodes);
        allowance.time = self.seconds.or(allowance.time);
        allowance
    }

    /// Does the work under a fresh budget.
    pub(crate) fn within<T>(self, work: impl FnOnce(&mut Budget<'_>) -> T) -> T {
        let Allowance { limits, time, .. } = self.allowance();
        let began = Instant::now();
        let late = || time.is_some_and(|time| began.elapsed() >= time);
        work(&mut Budget::stopping(limits, &late))
    }
}

/// A position that could be read.
pub(crate) struct Asked<'a> {
    pub(crate) game: &'a dyn Entry,
    pub(crate) board: Box<dyn Board>,
    pub(crate) cost: CostArgs,
    /// How many came before it, good or bad.
    pub(crate) number: usize,
    /// Nobody gave it: it is the game's first example.
    pub(crate) example: bool,
}

impl PositionArgs {
    /// Shows each position; a wrong one is told and the next one follows.
    pub(crate) fn each(
        &self,
        scene: &mut Scene<'_>,
        mut show: impl FnMut(&mut Scene<'_>, &Asked<'_>) -> Result<(), Failure>,
    ) -> Result<Exit, Failure> {
        let game = self.find_game(scene)?;
        let mut exit = Exit::Answered;
        let mut number = 0;
        let example = self.position.is_empty() && self.file.is_none() && self.deal.is_none();
        let mut one = |scene: &mut Scene<'_>, board: Result<Box<dyn Board>, Failure>| {
            let shown =
                board.and_then(|board| show(scene, &Asked { game, board, cost: self.cost, number, example }));
            number += 1;
            match shown {
                Err(failure @ Failure::Input(_)) => {
                    scene.tell(&failure)?;
                    exit = Exit::Wrong;
                    Ok(())
                }
                other => other,
            }
        };
        if let Some(seed) = self.deal {
            one(scene, Ok(game.deal(seed)))?;
        } else if let Some(path) = &self.file {
            let file = File::open(path).map_err(|error| Failure::file("cannot_read", path, &error))?;
            let (mut reader, mut lines) = (BufReader::new(file), Lines::of(path.display().to_string()));
            while let Some((origin, text)) = lines.next(&mut reader)? {
                one(scene, read(game, &text, Some(origin)))?;
            }
        } else if self.position == ["-"] {
            let mut lines = Lines::of("standard input");
            while let Some((origin, text)) = lines.next(&mut *scene.stage.input)? {
                one(scene, read(game, &text, Some(origin)))?;
            }
        } else {
            let text = self.text(game);
            one(scene, read(game, &text, None))?;
        }
        Ok(exit)
    }

    /// The one position given as an argument, or the game's first example.
    pub(crate) fn text(&self, game: &dyn Entry) -> String {
        if self.position.is_empty() {
            return game.about().examples.first().map_or("", |example| example.position).to_owned();
        }
        self.position.join(" ")
    }

    pub(crate) fn find_game<'a>(&self, scene: &Scene<'a>) -> Result<&'a dyn Entry, Failure> {
        find_game(scene, &self.game)
    }
}

/// The game of this name; for something that looks like a position, advice to put the game first.
pub(crate) fn find_game<'a>(scene: &Scene<'a>, name: &str) -> Result<&'a dyn Entry, Failure> {
    scene.registry.find(name).map_err(|error| {
        let reads =
            |game: &&&dyn Entry| name.contains(|c: char| c.is_ascii_digit()) && game.board(name).is_ok();
        match scene.registry.games().iter().find(reads) {
            Some(game) => {
                let (position, game) = (quoted(name), game.about().name);
                let error = error
                    .hint(format!("that is a position of {game}; the game comes first: {game} {position}"));
                Failure::from(error)
            }
            None => Failure::from(error),
        }
    })
}

/// Reads a position; the failure points at the place and shows a right one.
pub(crate) fn read(game: &dyn Entry, text: &str, origin: Option<String>) -> Result<Box<dyn Board>, Failure> {
    game.board(text).map_err(|error| {
        let about = game.about();
        let mut examples = Vec::new();
        if let Some(example) = about.examples.first() {
            examples.push(format!("kachi solve {} {}", about.name, quoted(example.position)));
        }
        examples.push(format!("kachi games {}   (how positions are written)", about.name));
        Failure::Input(Box::new(Wrong { error, text: Some(text.to_owned()), origin, examples }))
    })
}

/// Bytes of one line; more than any position that a game accepts.
const LONGEST_LINE: u64 = 64 << 20;

/// A place in a file of positions.
struct Lines {
    name: String,
    read: usize,
}

impl Lines {
    fn of(name: impl Into<String>) -> Self {
        Lines { name: name.into(), read: 0 }
    }

    /// The next line that holds a position, and where it stands: `positions.txt:3`.
    fn next(&mut self, reader: &mut (impl BufRead + ?Sized)) -> Result<Option<(String, String)>, Failure> {
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            if (&mut *reader).take(LONGEST_LINE).read_until(b'\n', &mut bytes)? == 0 {
                return Ok(None);
            }
            self.read += 1;
            if bytes.len() as u64 == LONGEST_LINE && !bytes.ends_with(b"\n") {
                let message = format!("{}:{} has no end", self.name, self.read);
                return Err(Error::too_large(&message, "too many bytes", LONGEST_LINE).into());
            }
            // What is not UTF-8 becomes a letter that no notation has, so the game points at it.
            let line = String::from_utf8_lossy(&bytes);
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                return Ok(Some((format!("{}:{}", self.name, self.read), line.to_owned())));
            }
        }
    }
}

/// A position as it can be pasted into a shell.
pub(crate) fn quoted(position: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || ",/@:-.".contains(c);
    if !position.is_empty() && position.chars().all(plain) {
        position.to_owned()
    } else {
        format!("\"{position}\"")
    }
}

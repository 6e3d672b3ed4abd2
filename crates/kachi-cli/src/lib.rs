//! The terminal surface of kachi. [`run`] is the whole program except for its process: it takes the games, the
//! arguments and a [`Stage`] to speak on, so that tests can bring toy games and scripted input.
//!
//! Each command is a file of `commands/`; it reads its arguments, asks the library, and writes what people or (with
//! `--json`) programs want to read. Exit codes: 0 answered, 1 a claim surprised, 2 wrong input, 130 interrupted.

mod cli;
mod commands;
mod draft;
mod failure;
mod interrupt;
mod paint;
mod positions;
mod pretty;
mod scene;
mod text;

pub use scene::Stage;

use clap::{CommandFactory, FromArgMatches};
use cli::Cli;
use failure::{Exit, Failure};
use kachi::registry::Registry;
use scene::Scene;
use std::ffi::OsString;

/// Runs one command line; returns the exit code.
pub fn run<'a>(registry: Registry<'a>, args: Vec<OsString>, stage: Stage<'a>) -> u8 {
    let early = cli::Early::glimpse(&args);
    let mut scene = Scene::new(registry, stage, early.json, early.colour);
    let outcome = parse(args, &mut scene).and_then(|cli| match cli {
        Some(cli) => commands::run(cli.command, &mut scene),
        None => Ok(Exit::Answered),
    });
    let flushed = outcome.and_then(|exit| match scene.stage.output.flush() {
        Ok(()) => Ok(exit),
        Err(error) => Err(error.into()),
    });
    let exit = flushed.or_else(|failure| scene.tell(&failure)).unwrap_or(Exit::Wrong);
    // Nothing sensible is left to do when even that cannot be told.
    let _ = scene.stage.output.flush();
    exit.code()
}

/// The parsed command line; `None` when it only asked for help or the version.
fn parse(args: Vec<OsString>, scene: &mut Scene<'_>) -> Result<Option<Cli>, Failure> {
    let choice = if scene.colourful { clap::ColorChoice::Always } else { clap::ColorChoice::Never };
    let command = Cli::command().color(choice).term_width(scene.width);
    let bare = args.len() <= 1;
    if bare {
        let mut command = command;
        scene.write_styled(&command.render_help())?;
        return Ok(None);
    }
    let example = first_example(&command, &args);
    let parsed = command.try_get_matches_from(args).and_then(|matches| Cli::from_arg_matches(&matches));
    match parsed {
        Ok(cli) => Ok(Some(cli)),
        Err(error) if !error.use_stderr() => {
            scene.write_styled(&error.render())?;
            Ok(None)
        }
        Err(error) => Err(Failure::usage(&error, example.as_deref(), scene.registry)),
    }
}

/// The first example in the help of the command that was meant: of the innermost one that has examples.
fn first_example(command: &clap::Command, args: &[OsString]) -> Option<String> {
    let (mut meant, mut example) = (command, None);
    for arg in args.iter().skip(1) {
        let Some(inner) = meant.find_subcommand(arg) else { continue };
        meant = inner;
        let help = meant.get_after_help().map(ToString::to_string).unwrap_or_default();
        if let Some(line) = help.lines().map(str::trim).find(|line| line.contains("kachi ")) {
            // What stands behind a wide gap is a comment.
            example = Some(line.split("   ").next().unwrap_or(line).to_owned());
        }
    }
    example
}

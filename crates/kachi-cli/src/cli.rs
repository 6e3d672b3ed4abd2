//! The command line: what can be typed, and the help that teaches it.

use crate::commands::{
    batch::BatchArgs, bench::BenchArgs, completions::CompletionsArgs, explain::ExplainArgs, games::GamesArgs,
    hana::HanaArgs, lab::LabArgs, moves::MovesArgs, play::PlayArgs, query::QueryArgs, schema::SchemaArgs,
    serve::ServeArgs, solve::SolveArgs, table::TableArgs, verify::VerifyArgs,
};
use clap::{Parser, Subcommand, ValueEnum};
use std::ffi::OsString;

const WELCOME: &str = "\
kachi (勝ち, \"the win\") answers one question about a card-game position: who wins, which moves win, and why. \
The answer comes with a reason that you can check by hand.";

const FIRST_STEPS: &str = "\
First steps:
  kachi serve                                 play and analyse in the browser
  kachi games                                 the games, and how to write positions
  kachi solve tanhinmin \"1 3 4 5 8 / 2 6 7\"   who wins, every move, and why
  kachi explain tanhinmin 2,6,7/3,4,5,8@1     the reason, drawn
  kachi play tanhinmin                        play against perfect play
  kachi verify                                re-check every published statement

For programs: --json everywhere, `kachi batch` for JSON lines, `kachi schema`.
Exit codes: 0 answered, 1 a claim surprised, 2 wrong input, 130 interrupted.";

/// The whole command line.
#[derive(Debug, Parser)]
#[command(name = "kachi", version, about = WELCOME, after_help = FIRST_STEPS, max_term_width = 100)]
#[command(subcommand_value_name = "COMMAND", propagate_version = true)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,

    /// JSON for programs instead of text for people; errors too, on standard output
    #[arg(long, global = true, display_order = 900)]
    json: bool,

    /// Colour; auto means on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", display_order = 901)]
    color: Colour,
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    Auto,
    Always,
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the games, or explain one: its rules, its notation, positions worth looking at
    Games(GamesArgs),
    /// Who wins a position, every legal move marked winning or losing, and why
    Solve(SolveArgs),
    /// Just the moves, one a line
    Moves(MovesArgs),
    /// The reason in words and as a drawing, or as an SVG picture
    Explain(ExplainArgs),
    /// Play against perfect play, with hints, undo and the win shown as it changes
    Play(PlayArgs),
    /// Check the published statements over all small positions
    Verify(VerifyArgs),
    /// Build, list and check the tables that strong play needs
    Table(TableArgs),
    /// Campaigns: claims, games and tables that take long; resumed, compared and cited
    Lab(LabArgs),
    /// The rule of hana as a program: check it, run it, explore it, prove things about it
    Hana(HanaArgs),
    /// Answer JSON requests, one a line, in parallel and in order
    Batch(BatchArgs),
    /// Answer one JSON request
    Query(QueryArgs),
    /// Measure the fixed workloads
    Bench(BenchArgs),
    /// Print the JSON Schema of all requests and replies
    Schema(SchemaArgs),
    /// Play and analyse in the browser, and answer programs over HTTP
    Serve(ServeArgs),
    /// Print a completion script for your shell
    Completions(CompletionsArgs),
}

/// What must be known before the command line is understood, to say so in the right form if it is not.
pub(crate) struct Early {
    pub(crate) json: bool,
    pub(crate) colour: Colour,
}

impl Early {
    /// Looks for the two global options only.
    pub(crate) fn glimpse(args: &[OsString]) -> Early {
        let words: Vec<&str> =
            args.iter().skip(1).map_while(|arg| arg.to_str()).take_while(|&w| w != "--").collect();
        let after = |i: usize| words.get(i + 1).copied();
        let colour = words.iter().enumerate().find_map(|(i, word)| match word.strip_prefix("--color") {
            Some("") => after(i),
            Some(rest) => rest.strip_prefix('='),
            None => None,
        });
        let colour = colour.and_then(|word| Colour::from_str(word, false).ok()).unwrap_or(Colour::Auto);
        Early { json: words.contains(&"--json"), colour }
    }
}

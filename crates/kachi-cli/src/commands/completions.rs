//! `kachi completions`: scripts that complete commands, options and the names of games.

use crate::cli::Cli;
use crate::failure::{Exit, Failure};
use crate::scene::Scene;
use clap::builder::PossibleValuesParser;
use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;
use serde::Serialize;

const EXAMPLES: &str = "\
Examples:
  kachi completions bash > ~/.local/share/bash-completion/completions/kachi
  kachi completions zsh > ~/.zfunc/_kachi
  kachi completions fish > ~/.config/fish/completions/kachi.fish";

/// Print a completion script for your shell
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

#[derive(Serialize)]
struct Script {
    shell: String,
    script: String,
}

pub(crate) fn run(args: &CompletionsArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut with_games(&scene.registry.names()), "kachi", &mut script);
    if scene.json {
        let script = String::from_utf8_lossy(&script).into_owned();
        scene.json_line(&Script { shell: args.shell.to_string(), script })?;
    } else {
        scene.stage.output.write_all(&script)?;
    }
    Ok(Exit::Answered)
}

/// The command line with the games as possible values. Only the scripts need them: elsewhere an unknown name gets the
/// registry's own answer, which knows more than a list.
fn with_games(names: &[&'static str]) -> Command {
    let values = PossibleValuesParser::new(names.to_vec());
    Cli::command().mut_subcommands(|command| {
        command.mut_args(|arg| if arg.get_id() == "game" { arg.value_parser(values.clone()) } else { arg })
    })
}

//! `kachi schema`: the types of the contract.

use crate::failure::{Exit, Failure};
use crate::positions::find_game;
use crate::scene::Scene;
use clap::Args;
use kachi::registry::Registry;
use kachi::schema::document;

const EXAMPLES: &str = "\
Examples:
  kachi schema > kachi.schema.json      requests and replies of all games
  kachi schema tanhinmin                of one game only
  kachi schema --json                   on one line

Definitions are named game.query.request and game.query.reply; `error` is the reply to a bad request.";

/// Print the JSON Schema of all requests and replies
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SchemaArgs {
    /// Only this game
    game: Option<String>,
}

pub(crate) fn run(args: &SchemaArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let document = match &args.game {
        Some(name) => document(Registry::new(&[find_game(scene, name)?])),
        None => document(scene.registry),
    };
    if scene.json {
        scene.json_line(&document)?;
    } else {
        writeln!(scene.stage.output, "{document:#}")?;
    }
    Ok(Exit::Answered)
}

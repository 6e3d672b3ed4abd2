//! `kachi bench`: the fixed workloads.

use crate::failure::{Exit, Failure};
use crate::positions::find_game;
use crate::scene::Scene;
use crate::text::{Cell, Table, measured};
use clap::Args;
use kachi::bench::{Measured, measure};
use kachi::core::surface::Entry;

const EXAMPLES: &str = "\
Examples:
  kachi bench                     every game, in under 20 seconds each
  kachi bench tanhinmin --json    one JSON object: game, signature, the figures

The signature is made from answers only: it is the same on every machine and changes only when behaviour does.";

/// Measure the fixed workloads
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BenchArgs {
    /// Only this game
    game: Option<String>,
}

pub(crate) fn run(args: &BenchArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let games: Vec<&dyn Entry> = match &args.game {
        Some(name) => vec![find_game(scene, name)?],
        None => scene.registry.games().to_vec(),
    };
    for (i, game) in games.into_iter().enumerate() {
        let result = measure(game)?;
        if scene.json {
            scene.json_line(&result)?;
        } else {
            if i > 0 {
                writeln!(scene.stage.output)?;
            }
            table(&result, scene)?;
        }
        scene.stage.output.flush()?;
    }
    Ok(Exit::Answered)
}

fn table(result: &Measured, scene: &mut Scene<'_>) -> Result<(), Failure> {
    let strong = scene.paint.strong;
    writeln!(scene.stage.output, "{strong}{}{strong:#}  signature {}", result.game, result.signature)?;
    let values: Vec<String> = result.figures.iter().map(|figure| measured(figure.value)).collect();
    let widest = values.iter().map(String::len).max().unwrap_or(0);
    let mut table = Table::new(2, scene.width);
    for (figure, value) in result.figures.iter().zip(&values) {
        let value = Cell::styled(format!("{value:>widest$}"), scene.paint.mark);
        table.row(vec![Cell::new(figure.key), value, Cell::new(&figure.words)]);
    }
    table.write(scene.stage.output)?;
    Ok(())
}

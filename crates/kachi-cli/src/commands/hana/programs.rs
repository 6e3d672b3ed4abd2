//! `kachi hana programs`: the programs that come with kachi.

use crate::failure::{Exit, Failure};
use crate::scene::Scene;
use crate::text::{Cell, Table};
use clap::Args;
use hana_lang::programs::{ALL, find};
use kachi::core::Error;
use serde_json::json;

const EXAMPLES: &str = "\
Examples:
  kachi hana programs
  kachi hana programs paper
  kachi hana programs three-cards > mine.hl";

/// List the programs that come with kachi, or print one
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ProgramsArgs {
    /// The program to print
    name: Option<String>,
}

pub(super) fn run(args: &ProgramsArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    if let Some(name) = &args.name {
        let Some(program) = find(name) else {
            let names: Vec<&str> = ALL.iter().map(|program| program.name).collect();
            let error = Error::new("unknown_program", format!("no program {name} comes with kachi"));
            return Err(error.hint(format!("there are {}", names.join(", "))).into());
        };
        if scene.json {
            scene.json_line(
                &json!({ "name": program.name, "about": program.about, "source": program.source }),
            )?;
        } else {
            scene.stage.output.write_all(program.source.as_bytes())?;
        }
        return Ok(Exit::Answered);
    }
    if scene.json {
        let list: Vec<_> =
            ALL.iter().map(|program| json!({ "name": program.name, "about": program.about })).collect();
        scene.json_line(&list)?;
        return Ok(Exit::Answered);
    }
    let mut table = Table::new(0, scene.width);
    for program in ALL {
        table.row(vec![Cell::styled(program.name, scene.paint.strong), Cell::new(program.about)]);
    }
    table.write(scene.stage.output)?;
    Ok(Exit::Answered)
}

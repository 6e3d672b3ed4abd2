//! `kachi hana elaborate`: the core term that a program abbreviates.

use super::source::Source;
use crate::failure::{Exit, Failure};
use crate::scene::Scene;
use clap::Args;
use hana_lang::core::print::{pretty, pretty_module};
use hana_lang::{core, elaborate};
use kachi::core::Error;
use serde_json::json;

const EXAMPLES: &str = "\
Examples:
  kachi hana elaborate counting
  kachi hana elaborate paper --only Pay
  kachi hana elaborate paper --json";

/// Print the core term that a program abbreviates, checked again by the core's own rules
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ElaborateArgs {
    /// A file, a program that comes with kachi, or - for standard input
    program: String,

    /// Print this definition only, or `main`
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
}

pub(super) fn run(args: &ElaborateArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let source = Source::read(&args.program, scene)?;
    let Some(program) = source.check(scene)? else { return Ok(Exit::Wrong) };
    let module = match elaborate::elaborate(&program) {
        Ok(module) => module,
        Err(errors) => return source.tell(&errors, scene),
    };
    let ty = core::check_module(&module).map_err(|error| Error::new("core_disagrees", error.to_string()))?;
    let text = match args.only.as_deref() {
        None => pretty_module(&module),
        Some("main") => pretty(&module.main),
        Some(name) => {
            let Some(definition) = module.get(name) else {
                let names: Vec<&str> =
                    module.definitions().iter().map(|definition| &*definition.name).collect();
                let error = Error::new("unknown_definition", format!("{} defines no {name}", program.name));
                return Err(error.hint(format!("it defines {}, and main", names.join(", "))).into());
            };
            let text = pretty(&definition.body);
            // The two record types are long, and the module prints them.
            text.replace(&module.oracle.to_string(), "Oracle").replace(&module.state.to_string(), "State")
        }
    };
    if scene.json {
        scene.json_line(&json!({ "program": program.name, "type": ty.to_string(), "core": text }))?;
    } else {
        writeln!(scene.stage.output, "{}", text.trim_end())?;
    }
    Ok(Exit::Answered)
}

//! `kachi hana reach`: every deal and every decision of a reduced deck.

use super::source::{Source, preset_of};
use crate::failure::{Exit, Failure};
use crate::positions::CostArgs;
use crate::scene::Scene;
use crate::text::{count, thousands, wrap};
use clap::Args;
use hana_lang::compiled::Compiled;
use hana_lang::diagnose::{Diagnostic, render};
use hana_lang::host::house_of;
use hana_lang::reach::{Exploration, Reach, Reduced, explore, projection};
use hana_lang::types::typed::Program;
use serde_json::json;

const EXAMPLES: &str = "\
Examples:
  kachi hana reach paper --months 2 --hand 1
  kachi hana reach paper --months 3 --hand 2 --held
  kachi hana reach paper --of 4,5,9 --hand 1
  kachi hana reach paper --full";

/// Run a program on every deal and every decision of a reduced deck
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ReachArgs {
    /// A file, a program that comes with kachi, or - for standard input
    #[arg(default_value = "paper")]
    program: String,

    /// So many months, from the fourth on
    #[arg(long, value_name = "N", default_value_t = 3)]
    months: usize,

    /// These months instead
    #[arg(long, value_name = "MONTHS", value_delimiter = ',', conflicts_with = "months")]
    of: Option<Vec<u8>>,

    /// Cards of a hand
    #[arg(long, value_name = "N", default_value_t = 1)]
    hand: usize,

    /// Once more with each card of biki held to his last throw: it must end in his basket
    #[arg(long)]
    held: bool,

    /// The full deck, through the view of one month: every schedule of a month, the view compared with the program on random games
    #[arg(long, conflicts_with_all = ["months", "of", "hand", "held"])]
    full: bool,

    #[command(flatten)]
    cost: CostArgs,
}

/// Random games on which the view of one month is compared with the program.
const COMPARED: u64 = 50;

pub(super) fn run(args: &ReachArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let source = Source::read(&args.program, scene)?;
    let Some(program) = source.check(scene)? else { return Ok(Exit::Wrong) };
    if args.full {
        return full(&program, scene);
    }
    let deck = match &args.of {
        Some(months) => Reduced::new(months.clone(), args.hand)?,
        None => Reduced::of(args.months, args.hand)?,
    };
    let months: Vec<String> = deck.months().iter().map(ToString::to_string).collect();
    let exploration = Exploration { deck, held: args.held };
    let reach = args.cost.within(|budget| explore(&program, &exploration, budget, &mut |_| {}))?;
    match reach {
        Reach::Holds(reached) => {
            if scene.json {
                scene.json_line(&json!({
                    "program": program.name, "months": exploration.deck.months(), "hand": args.hand,
                    "classes": reached.classes, "runs": reached.runs, "held": reached.held, "holds": true,
                }))?;
                return Ok(Exit::Answered);
            }
            let words = format!(
                "{}, months {}, hands of {}: {} of deals, {}. Every assertion holds in every run; no card is lost, and all baskets are even.",
                program.name,
                months.join(" "),
                args.hand,
                classes(reached.classes),
                count(reached.runs, "run"),
            );
            say(scene, &words)?;
            if reached.held > 0 {
                let held = thousands(reached.held);
                say(
                    scene,
                    &format!(
                        "In {held} of the runs biki holds a card to his last throw; it always ends in his basket."
                    ),
                )?;
            }
            Ok(Exit::Answered)
        }
        Reach::Fails(failure, reached) => {
            if scene.json {
                scene.json_line(&json!({
                    "program": program.name, "months": exploration.deck.months(), "hand": args.hand,
                    "classes": reached.classes, "runs": reached.runs, "held": reached.held, "holds": false,
                    "failure": failure.to_string(),
                }))?;
                return Ok(Exit::Surprised);
            }
            say(scene, &format!("Run {} does not hold: {failure}", thousands(reached.runs)))?;
            if let Some(fault) = &failure.fault {
                let error = Diagnostic::new("fault", fault.span, fault.to_string());
                let text = render(&source.file, &source.text, &[error], scene.colourful);
                scene.stage.errors.write_all(text.as_bytes())?;
            }
            Ok(Exit::Surprised)
        }
    }
}

fn classes(number: u64) -> String {
    let word = if number == 1 { "class" } else { "classes" };
    format!("{} {word}", thousands(number))
}

fn say(scene: &mut Scene<'_>, words: &str) -> Result<(), Failure> {
    for line in wrap(words, scene.width) {
        writeln!(scene.stage.output, "{line}")?;
    }
    Ok(())
}

fn full(program: &Program, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let compiled = Compiled::new(program, house_of(preset_of(program), 3))?;
    let complete = projection::complete(&compiled, 1..1 + COMPARED)?;
    if scene.json {
        scene.json_line(&json!({
            "program": program.name, "lemma": complete.lemma, "biki": complete.biki, "windows": complete.places,
            "states": complete.states, "holds": true,
        }))?;
    } else {
        say(scene, &format!("{}: {complete}.", program.name))?;
    }
    Ok(Exit::Answered)
}

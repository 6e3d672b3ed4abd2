//! `kachi hana eval`: the value of an expression.

use super::source::{HouseArgs, Source, preset_of};
use crate::failure::{Exit, Failure, Wrong};
use crate::scene::Scene;
use clap::Args;
use hana_lang::compiled::{Limits, evaluate, exchange};
use hana_lang::types::check_expression;
use kachi::hana::Preset;
use serde_json::json;

const EXAMPLES: &str = "\
Examples:
  kachi hana eval \"sum a in {a : Flower | true} of Point(a)\"
  kachi hana eval --in paper \"Points(FOUR)\"
  kachi hana eval --seats 5 \"Number({p : Place | true})\" --json
  kachi hana eval \"(fix g : (Int -> Int) . lambda (n : Int) . if n = 0 then 1 else n * g(n - 1))(5)\"";

/// The value of an expression
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct EvalArgs {
    /// The expression
    expression: String,

    /// A program whose constants, functions and (initial) variables it may use
    #[arg(long = "in", value_name = "PROGRAM")]
    within: Option<String>,

    #[command(flatten)]
    house: HouseArgs,

    /// Steps after which the evaluation is given up
    #[arg(long, value_name = "N", default_value_t = Limits::default().fuel)]
    fuel: u64,
}

pub(super) fn run(args: &EvalArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let within = match &args.within {
        None => None,
        Some(name) => {
            let source = Source::read(name, scene)?;
            let Some(program) = source.check(scene)? else { return Ok(Exit::Wrong) };
            Some(program)
        }
    };
    let text = &args.expression;
    let source = Source { file: "expression".to_owned(), text: text.clone() };
    let it = match check_expression(text, within.as_ref()) {
        Ok(it) => it,
        Err(errors) => return source.tell(&errors, scene),
    };
    let house = args.house.house(within.as_ref().map_or(Preset::Paper, preset_of));
    let limits = Limits { fuel: args.fuel, ..Limits::default() };
    let value = evaluate(&it, within.as_ref(), house, limits).map_err(|error| {
        let (text, origin) = (Some(text.clone()), None);
        Failure::Input(Box::new(Wrong { error, text, origin, examples: Vec::new() }))
    })?;
    let shown = exchange::show(&value, &it.body.ty, &house);
    if scene.json {
        scene.json_line(&json!({ "value": shown, "type": it.body.ty.to_string() }))?;
    } else {
        writeln!(scene.stage.output, "{shown}")?;
    }
    Ok(Exit::Answered)
}

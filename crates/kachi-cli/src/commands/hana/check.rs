//! `kachi hana check`: the types of a program.

use super::source::Source;
use crate::failure::{Exit, Failure};
use crate::scene::Scene;
use crate::text::{count, wrap};
use clap::Args;
use hana_lang::types::Ty;
use hana_lang::types::typed::{Param, Program};
use hana_lang::{core, elaborate};
use kachi::core::Error;
use serde_json::json;

const EXAMPLES: &str = "\
Examples:
  kachi hana check paper
  kachi hana check mine.hl
  kachi hana check broken --json
  kachi hana programs modern | kachi hana check -";

/// Check the types of a program; errors show the line, both types and a hint
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct CheckArgs {
    /// A file, a program that comes with kachi, or - for standard input
    program: String,
}

pub(super) fn run(args: &CheckArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let source = Source::read(&args.program, scene)?;
    let Some(program) = source.check(scene)? else { return Ok(Exit::Wrong) };
    let module = match elaborate::elaborate(&program) {
        Ok(module) => module,
        Err(errors) => return source.tell(&errors, scene),
    };
    // What the surface has passed, the core must pass too; if it did not, that would be our fault, not the program's.
    core::check_module(&module).map_err(|error| Error::new("core_disagrees", error.to_string()))?;
    if scene.json {
        return json(&program, scene);
    }
    let strong = scene.paint.strong;
    writeln!(scene.stage.output, "{strong}{}{strong:#} : Oracle -> State -> State\n", program.name)?;
    let state = fields(&program);
    part(scene, "State", &state)?;
    let oracles: Vec<String> = program
        .oracles
        .iter()
        .map(|oracle| head(&oracle.name, &oracle.params, Some(&oracle.result)))
        .collect();
    part(scene, "Oracle", &oracles)?;
    let kinds = [
        (program.consts.len(), "constant"),
        (program.functions.len(), "function"),
        (program.procedures.len(), "procedure"),
    ];
    let kinds: Vec<String> = kinds.iter().map(|&(number, what)| count(number as u64, what)).collect();
    writeln!(scene.stage.output, "\n{}; the core agrees", kinds.join(", "))?;
    Ok(Exit::Answered)
}

/// Variables of one type together, in the order of the source.
fn fields(program: &Program) -> Vec<String> {
    let mut groups: Vec<(Vec<&str>, &Ty)> = Vec::new();
    for var in &program.vars {
        match groups.last_mut() {
            Some((names, ty)) if **ty == var.ty => names.push(&var.name),
            _ => groups.push((vec![&var.name], &var.ty)),
        }
    }
    groups.iter().map(|(names, ty)| format!("{} : {ty}", names.join(", "))).collect()
}

fn head(name: &str, params: &[Param], result: Option<&Ty>) -> String {
    let params: Vec<String> = params.iter().map(|param| format!("{} : {}", param.name, param.ty)).collect();
    let result = result.map(|ty| format!(" : {ty}")).unwrap_or_default();
    format!("{name}({}){result}", params.join("; "))
}

fn part(scene: &mut Scene<'_>, name: &str, lines: &[String]) -> Result<(), Failure> {
    const INDENT: usize = 9;
    let faint = scene.paint.faint;
    for (i, line) in lines.iter().enumerate() {
        let name = if i == 0 { name } else { "" };
        for (k, piece) in wrap(line, scene.width.saturating_sub(INDENT)).iter().enumerate() {
            let name = if k == 0 { name } else { "" };
            writeln!(scene.stage.output, "{faint}{name:<INDENT$}{faint:#}{piece}")?;
        }
    }
    Ok(())
}

fn json(program: &Program, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let vars: Vec<_> =
        program.vars.iter().map(|var| json!({ "name": var.name, "type": var.ty.to_string() })).collect();
    let oracles: Vec<String> = program
        .oracles
        .iter()
        .map(|oracle| head(&oracle.name, &oracle.params, Some(&oracle.result)))
        .collect();
    let functions: Vec<String> = program
        .functions
        .iter()
        .map(|function| head(&function.name, &function.params, Some(&function.body.ty)))
        .collect();
    let procedures: Vec<String> =
        program.procedures.iter().map(|procedure| head(&procedure.name, &procedure.params, None)).collect();
    scene.json_line(&json!({
        "program": program.name, "type": "Oracle -> State -> State", "state": vars, "oracles": oracles,
        "functions": functions, "procedures": procedures,
    }))?;
    Ok(Exit::Answered)
}

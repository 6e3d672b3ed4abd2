//! `kachi hana prove`: proofs on file, checked by the kernel.

use super::source::Source;
use crate::failure::{Exit, Failure};
use crate::scene::Scene;
use crate::text::wrap;
use clap::Args;
use hana_lang::core::Module;
use hana_lang::diagnose::{Diagnostic, plain, render};
use hana_lang::proof_file::{Checked, SHIPPED, check, shipped_module};
use hana_lang::syntax::Span;
use hana_lang::{elaborate, types};
use serde_json::json;
use std::path::Path;

const EXAMPLES: &str = "\
Examples:
  kachi hana prove                  every proof that comes with kachi
  kachi hana prove paper-cash       the program conserves the cash, whatever the players do
  kachi hana prove mine.prf --json";

/// Check a proof on file
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ProveArgs {
    /// A proof file, a proof that comes with kachi, or - for standard input. Left out: all that come with kachi
    file: Option<String>,
}

pub(super) fn run(args: &ProveArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let names: Vec<&str> = match &args.file {
        Some(file) => vec![file],
        None => SHIPPED.iter().map(|proof| proof.name).collect(),
    };
    let mut exit = Exit::Answered;
    for (i, name) in names.iter().enumerate() {
        if i > 0 && !scene.json {
            writeln!(scene.stage.output)?;
        }
        let shipped = SHIPPED.iter().find(|proof| proof.name == *name);
        let source = match shipped {
            Some(proof) => Source { file: format!("{name}.prf"), text: proof.text.to_owned() },
            None => Source::read(name, scene)?,
        };
        match check(&source.text, &|program| beside(name, program)) {
            Ok(checked) => show(&checked, scene)?,
            Err(error) => {
                let span = Span::from(error.place.clone());
                refused(&source, &Diagnostic::new("proof", span, error.to_string()), scene)?;
                exit = Exit::Surprised;
            }
        }
    }
    Ok(exit)
}

/// The program that a proof is about: one that comes with kachi, or the file of that name beside the proof.
fn beside(proof: &str, program: &str) -> Option<Module> {
    shipped_module(program).or_else(|| {
        // Only a file of the same folder is meant, whatever the name says.
        let plain = program.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_');
        let path = plain.then(|| Path::new(proof).with_file_name(format!("{program}.hl")))?;
        let text = std::fs::read_to_string(path).ok()?;
        elaborate::elaborate(&types::check_source(&text).ok()?).ok()
    })
}

fn show(checked: &Checked, scene: &mut Scene<'_>) -> Result<(), Failure> {
    if scene.json {
        let theorems: Vec<_> = checked
            .theorems
            .iter()
            .map(|proved| {
                json!({
                    "name": proved.name, "statement": proved.stated,
                    "rests_on": proved.theorem.uses().to_string(),
                })
            })
            .collect();
        return scene.json_line(&json!({
            "proof": checked.name, "program": checked.program, "proved": true, "steps": checked.steps,
            "theorems": theorems,
        }));
    }
    let (strong, good, faint) = (scene.paint.strong, scene.paint.good, scene.paint.faint);
    writeln!(scene.stage.output, "{strong}{}{strong:#}, about {}", checked.name, checked.program)?;
    for proved in &checked.theorems {
        writeln!(scene.stage.output, "  {good}✓{good:#} {}", proved.name)?;
        let stated = proved.stated.split_whitespace().collect::<Vec<_>>().join(" ");
        for line in wrap(&stated, scene.width.saturating_sub(6)) {
            writeln!(scene.stage.output, "      {line}")?;
        }
        let rests = format!("rests on {}", proved.theorem.uses());
        for line in wrap(&rests, scene.width.saturating_sub(6)) {
            writeln!(scene.stage.output, "      {faint}{line}{faint:#}")?;
        }
    }
    Ok(())
}

fn refused(source: &Source, error: &Diagnostic, scene: &mut Scene<'_>) -> Result<(), Failure> {
    if scene.json {
        return scene.json_line(
            &json!({ "file": source.file, "proved": false, "error": plain(&source.text, error) }),
        );
    }
    scene.stage.output.flush()?;
    let text = render(&source.file, &source.text, std::slice::from_ref(error), scene.colourful);
    scene.stage.errors.write_all(text.as_bytes())?;
    Ok(())
}

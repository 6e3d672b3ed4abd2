//! `kachi hana diff`: the programs against the native engine.

use super::source::Source;
use crate::failure::{Exit, Failure};
use crate::scene::Scene;
use crate::text::{count, wrap};
use clap::Args;
use hana_lang::compiled::Compiled;
use hana_lang::diagnose::{Diagnostic, render};
use hana_lang::differential::{Deciders, Tally, games};
use hana_lang::host::house_of;
use hana_lang::types::typed::Program;
use kachi::hana::Preset;
use serde_json::json;

const EXAMPLES: &str = "\
Examples:
  kachi hana diff --games 100
  kachi hana diff --rules paper --seats 5 --games 50 --seed 7
  kachi hana diff --rules modern --program mine.hl
  kachi hana diff --games 10000 --json";

/// Compare the programs with the native engine, question by question
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct DiffArgs {
    /// Games to compare, shared out among the rules and numbers of seats
    #[arg(long, value_name = "N", default_value_t = 80)]
    games: u64,

    /// The first seed
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// These rules only
    #[arg(long, value_name = "RULES", value_parser = ["paper", "modern"])]
    rules: Option<String>,

    /// So many persons only
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=6))]
    seats: Option<u8>,

    /// A program of your own in place of the one that comes with kachi
    #[arg(long, value_name = "PROGRAM", requires = "rules")]
    program: Option<String>,
}

pub(super) fn run(args: &DiffArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let presets: Vec<Preset> = [Preset::Paper, Preset::Modern]
        .into_iter()
        .filter(|preset| args.rules.as_deref().is_none_or(|rules| rules == preset.name()))
        .collect();
    let seats: Vec<u8> = args.seats.map_or_else(|| (3..=6).collect(), |seats| vec![seats]);
    let parts = (presets.len() * seats.len()) as u64;
    let (mut tally, mut part) = (Tally::default(), 0);
    for &preset in &presets {
        let source = Source::read(args.program.as_deref().unwrap_or(preset.name()), scene)?;
        let Some(program) = source.check(scene)? else { return Ok(Exit::Wrong) };
        for &seats in &seats {
            let share = args.games / parts + u64::from(part < args.games % parts);
            part += 1;
            if let Some(exit) =
                compare(&program, &source, preset, seats, args.seed, share, &mut tally, scene)?
            {
                return Ok(exit);
            }
        }
    }
    if scene.json {
        scene.json_line(&json!({
            "games": tally.games, "months": tally.months, "decisions": tally.decisions, "reasons": tally.reasons,
            "identical": true,
        }))?;
        return Ok(Exit::Answered);
    }
    let words = format!(
        "{}, {}, {}: the same questions, decisions, purses and pots in program and engine.",
        count(tally.games, "game"),
        count(tally.months, "month"),
        count(tally.decisions, "decision"),
    );
    for line in wrap(&words, scene.width) {
        writeln!(scene.stage.output, "{line}")?;
    }
    let reasons: Vec<String> =
        tally.reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    for line in wrap(&format!("Months settled by: {}.", reasons.join(", ")), scene.width) {
        writeln!(scene.stage.output, "{line}")?;
    }
    Ok(Exit::Answered)
}

/// One part of the games: half by chance, half by players of several kinds. An exit if program and engine part.
#[allow(clippy::too_many_arguments, reason = "one part is all of these")]
fn compare(
    program: &Program,
    source: &Source,
    preset: Preset,
    seats: u8,
    seed: u64,
    share: u64,
    tally: &mut Tally,
    scene: &mut Scene<'_>,
) -> Result<Option<Exit>, Failure> {
    let compiled = Compiled::new(program, house_of(preset, seats))?;
    let middle = seed.saturating_add(share / 2);
    let end = seed.saturating_add(share);
    for (seeds, deciders) in [(seed..middle, Deciders::Chance), (middle..end, Deciders::Mixed)] {
        match games(&compiled, preset, seeds, deciders, &mut |_| {}) {
            Ok(found) => tally.add(&found),
            Err(difference) => {
                if scene.json {
                    scene.json_line(&json!({
                        "games": tally.games, "identical": false, "rules": preset.name(), "seats": seats,
                        "month": difference.month, "game": difference.game, "difference": difference.words,
                    }))?;
                    return Ok(Some(Exit::Surprised));
                }
                writeln!(scene.stage.output, "{} with {seats} persons differ: {difference}", preset.name())?;
                if let Some(fault) = &difference.fault {
                    let error = Diagnostic::new("fault", fault.span, fault.to_string());
                    let text = render(&source.file, &source.text, &[error], scene.colourful);
                    scene.stage.errors.write_all(text.as_bytes())?;
                }
                return Ok(Some(Exit::Surprised));
            }
        }
    }
    Ok(None)
}

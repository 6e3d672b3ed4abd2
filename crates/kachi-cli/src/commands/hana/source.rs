//! Where a program comes from, and how its errors are told.

use crate::failure::{Exit, Failure};
use crate::scene::Scene;
use clap::Args;
use hana_lang::core::House;
use hana_lang::diagnose::{Diagnostic, plain, render};
use hana_lang::types::typed::Program;
use hana_lang::{host, programs, types};
use kachi::core::Error;
use kachi::hana::Preset;
use std::io::Read;
use std::path::Path;

/// The largest input that is taken in, a little more than the language allows.
const LIMIT: u64 = 1 << 20;

/// A text and what it is called in messages.
pub(super) struct Source {
    pub(super) file: String,
    pub(super) text: String,
}

impl Source {
    /// A file, a shipped program, or standard input.
    pub(super) fn read(name: &str, scene: &mut Scene<'_>) -> Result<Source, Failure> {
        if name == "-" {
            let mut text = String::new();
            let read = scene.stage.input.take(LIMIT).read_to_string(&mut text);
            read.map_err(|error| Error::new("cannot_read", format!("cannot read standard input: {error}")))?;
            return Ok(Source { file: "standard input".to_owned(), text });
        }
        if let Some(shipped) = programs::find(name) {
            return Ok(Source { file: format!("{name}.hl"), text: shipped.source.to_owned() });
        }
        let path = Path::new(name);
        let failed = |error: &std::io::Error| {
            let names: Vec<&str> = programs::ALL.iter().map(|program| program.name).collect();
            let message = format!("cannot read {name}: {error}");
            Error::new("cannot_read", message).hint(format!("a file, or one of {}", names.join(", ")))
        };
        let mut text = String::new();
        let file = std::fs::File::open(path).map_err(|error| failed(&error))?;
        file.take(LIMIT).read_to_string(&mut text).map_err(|error| failed(&error))?;
        Ok(Source { file: name.to_owned(), text })
    }

    /// The typed program; its errors are told.
    pub(super) fn check(&self, scene: &mut Scene<'_>) -> Result<Option<Program>, Failure> {
        match types::check_source(&self.text) {
            Ok(program) => Ok(Some(program)),
            Err(errors) => {
                self.tell(&errors, scene)?;
                Ok(None)
            }
        }
    }

    /// Tells errors: people on standard error, programs as JSON on standard output.
    pub(super) fn tell(&self, errors: &[Diagnostic], scene: &mut Scene<'_>) -> Result<Exit, Failure> {
        if scene.json {
            let errors: Vec<_> = errors.iter().map(|error| plain(&self.text, error)).collect();
            scene.json_line(&serde_json::json!({ "file": self.file, "errors": errors }))?;
        } else {
            scene.stage.output.flush()?;
            let text = render(&self.file, &self.text, errors, scene.colourful);
            scene.stage.errors.write_all(text.as_bytes())?;
        }
        Ok(Exit::Wrong)
    }
}

/// The rules that a program is meant to follow: its own name tells, unless something else is asked for.
pub(super) fn preset_of(program: &Program) -> Preset {
    if program.name == "HACHI-HACHI" { Preset::Modern } else { Preset::Paper }
}

/// The constants that the host supplies.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct HouseArgs {
    /// SEATS: persons at the table
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(3..=6))]
    pub(super) seats: u8,

    /// MONTHS of a game [default: as in the rules, 12]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(0..=1000))]
    months: Option<i64>,

    /// KAN: mon to the kan [default: as in the rules]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(0..=1_000_000))]
    kan: Option<i64>,
}

impl HouseArgs {
    pub(super) fn house(self, preset: Preset) -> House {
        let usual = host::house_of(preset, self.seats);
        House {
            seats: self.seats,
            kan: self.kan.unwrap_or(usual.kan),
            months: self.months.unwrap_or(usual.months),
        }
    }
}

//! `kachi hana fmt`: programs laid out.

use super::source::Source;
use crate::failure::{Exit, Failure};
use crate::scene::Scene;
use clap::Args;
use hana_lang::{programs, syntax};
use serde_json::json;
use std::path::Path;

const EXAMPLES: &str = "\
Examples:
  kachi hana fmt mine.hl              writes the file anew
  kachi hana fmt --check *.hl         says which files would change, and exits with 1 if any would
  kachi hana fmt - < mine.hl          to standard output";

/// Lay a program out
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct FmtArgs {
    /// Files, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,

    /// Change nothing; only say what would change
    #[arg(long)]
    check: bool,
}

pub(super) fn run(args: &FmtArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let mut exit = Exit::Answered;
    for name in &args.files {
        let source = Source::read(name, scene)?;
        let text = match syntax::format(&source.text) {
            Ok(text) => text,
            Err(errors) => {
                exit = source.tell(&errors, scene)?;
                continue;
            }
        };
        let changed = text != source.text;
        if args.check {
            if scene.json {
                scene.json_line(&json!({ "file": source.file, "changed": changed }))?;
            } else if changed {
                writeln!(scene.stage.output, "{} would change", source.file)?;
            }
            if changed && exit == Exit::Answered {
                exit = Exit::Surprised;
            }
            continue;
        }
        if name == "-" || programs::find(name).is_some() {
            scene.stage.output.write_all(text.as_bytes())?;
            continue;
        }
        if changed {
            let path = Path::new(name);
            std::fs::write(path, &text).map_err(|error| Failure::file("cannot_write", path, &error))?;
        }
        if scene.json {
            scene.json_line(&json!({ "file": source.file, "changed": changed }))?;
        }
    }
    Ok(exit)
}

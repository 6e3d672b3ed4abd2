//! `kachi lab export` and `plot`: results as CSV or JSON lines, and pictures.

use super::runs::find;
use crate::draft::Draft;
use crate::failure::{Exit, Failure};
use crate::scene::Scene;
use clap::{Args, ValueEnum};
use kachi::core::Error;
use kachi_lab::campaign::{Run, rows};
use kachi_lab::simulate::plot::{ladder, name, success_against_time};
use kachi_lab::simulate::{Shown, Summary, Timing};
use serde_json::json;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// A form of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    Csv,
    Jsonl,
}

impl Form {
    /// How the names of its files end.
    fn ending(self) -> &'static str {
        match self {
            Form::Csv => "csv",
            Form::Jsonl => "jsonl",
        }
    }

    /// Writes results as they are read: there may be more of them than memory.
    fn write(self, results: &rows::Results, out: &mut dyn Write) -> Result<(), Failure> {
        let mut out = BufWriter::new(out);
        let mut unreadable = None;
        let mut cells = results.rows()?.map_while(|row| row.map_err(|error| unreadable = Some(error)).ok());
        match self {
            Form::Csv => rows::csv(&mut out, results.names(), &mut cells)?,
            Form::Jsonl => rows::json_lines(&mut out, results.names(), &mut cells)?,
        }
        drop(cells);
        out.flush()?;
        unreadable.map_or(Ok(()), |error| Err(error.into()))
    }
}

/// Write the results of a run as CSV or JSON lines, with its pictures
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  kachi lab export hana-ladder                     CSV on standard output
  kachi lab export hana-ladder --as jsonl
  kachi lab export hana-ladder --out paper/        results.csv and every picture of the run

results.parquet in the folder of the run is the same table for programs that read Parquet.")]
pub(super) struct ExportArgs {
    /// A finished run
    #[arg(value_name = "RUN")]
    run: String,

    /// CSV, or one JSON object a line
    #[arg(long = "as", value_name = "FORM", default_value = "csv")]
    form: Form,

    /// A folder for the results and the pictures
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Draw the players of one or more runs into one picture
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  kachi lab plot hana-ladder --out ladder.svg
  kachi lab plot calculation-3-plans calculation-3-paper --against time --out time.svg")]
pub(super) struct PlotArgs {
    /// Finished runs of games
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<String>,

    /// Success against time, instead of the players in a row
    #[arg(long, value_name = "WHAT")]
    against: Option<Against>,

    /// The file; standard output if left out
    #[arg(long, value_name = "FILE.svg")]
    out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Against {
    Time,
}

pub(super) fn export(args: &ExportArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let run = find(&args.run)?;
    run.check_hash()?;
    let results = rows::Results::open(&run.path().join("results.parquet"))?;
    let Some(folder) = &args.out else {
        args.form.write(&results, &mut *scene.stage.output)?;
        return Ok(Exit::Answered);
    };
    std::fs::create_dir_all(folder)
        .map_err(|error| Error::new("cannot_write", format!("cannot write {}: {error}", folder.display())))?;
    let path = folder.join(format!("results.{}", args.form.ending()));
    let mut draft = Draft::create(&path)?;
    args.form.write(&results, draft.file()).map_err(|failure| match failure {
        Failure::Stream(error) => Failure::file("cannot_write", &path, &error),
        other => other,
    })?;
    draft.finish_quickly()?;
    let mut files = vec![path.display().to_string()];
    for picture in run.files().into_iter().filter(|file| file.ends_with(".svg")) {
        let svg = run.read(&picture)?;
        let path = folder.join(picture);
        write(&path, &svg)?;
        files.push(path.display().to_string());
    }
    if scene.json {
        scene.json_line(&json!({ "files": files }))?;
    } else {
        for file in files {
            writeln!(scene.stage.output, "{file}")?;
        }
    }
    Ok(Exit::Answered)
}

pub(super) fn plot(args: &PlotArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let (mut players, mut timings): (Vec<Summary>, Vec<Timing>) = (Vec::new(), Vec::new());
    for word in &args.runs {
        let run = find(word)?;
        run.check_hash()?;
        let (shown, times) = shown(&run)?;
        players.extend(shown.players);
        timings.extend(times);
    }
    let svg = match args.against {
        Some(Against::Time) => {
            let drawn: Vec<(String, &Summary, &Timing)> = players
                .iter()
                .zip(&timings)
                .map(|(player, timing)| (name(&player.settings), player, timing))
                .collect();
            success_against_time(&drawn)
        }
        None => ladder("Players on the same deals", &players),
    };
    match &args.out {
        Some(path) => {
            write(path, svg.as_bytes())?;
            if scene.json {
                scene.json_line(&json!({ "file": path }))?;
            }
        }
        None => scene.stage.output.write_all(svg.as_bytes())?,
    }
    Ok(Exit::Answered)
}

/// Writes a file, whole or not at all.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut draft = Draft::create(path)?;
    draft.file().write_all(bytes).map_err(|error| Failure::file("cannot_write", path, &error))?;
    draft.finish_quickly()
}

fn shown(run: &Run) -> Result<(Shown, Vec<Timing>), Error> {
    let no_games = || {
        Error::new("no_games", format!("{} has no players to draw", run.name()))
            .hint("kachi lab export --out FOLDER writes the pictures that it has")
    };
    let shown = run.json("summary.json").and_then(|value| serde_json::from_value(value).ok());
    let times = run.json("timing.json").and_then(|value| serde_json::from_value(value).ok());
    Ok((shown.ok_or_else(no_games)?, times.unwrap_or_default()))
}

//! `kachi lab export` and `plot`: results as CSV or JSON lines, and pictures.

use super::compare::same_game;
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

With --json the results are JSON lines, or with --out the names of the files. results.parquet in the folder of the \
run is the same table for programs that read Parquet.")]
pub(super) struct ExportArgs {
    /// A finished run
    #[arg(value_name = "RUN")]
    run: String,

    /// CSV, or one JSON object a line [default: csv; with --json and without --out: jsonl]
    #[arg(long = "as", value_name = "FORM")]
    form: Option<Form>,

    /// A folder for the results and the pictures
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Draw the players of one or more runs into one picture
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  kachi lab plot hana-ladder --out ladder.svg
  kachi lab plot calculation-3-plans calculation-3-paper --against time --out time.svg

All players must have played the same game. With --json the picture is the field \"svg\" of an object, or with --out \
the name of the file is the field \"file\".")]
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

impl ExportArgs {
    /// The form that was asked for. Programs that want JSON on standard output are not given CSV.
    fn form(&self, json: bool) -> Result<Form, Error> {
        match (self.form, json && self.out.is_none()) {
            (Some(Form::Csv), true) => {
                Err(Error::new("wrong_usage", "CSV on standard output is not JSON, which --json asks for")
                    .hint("leave out --json, or name a folder with --out"))
            }
            (Some(form), _) => Ok(form),
            (None, true) => Ok(Form::Jsonl),
            (None, false) => Ok(Form::Csv),
        }
    }
}

pub(super) fn export(args: &ExportArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let form = args.form(scene.json)?;
    let run = find(&args.run)?;
    run.check_hash()?;
    let results = rows::Results::open(&run.path().join("results.parquet"))?;
    let Some(folder) = &args.out else {
        form.write(&results, &mut *scene.stage.output)?;
        return Ok(Exit::Answered);
    };
    std::fs::create_dir_all(folder)
        .map_err(|error| Error::new("cannot_write", format!("cannot write {}: {error}", folder.display())))?;
    let path = folder.join(format!("results.{}", form.ending()));
    let mut draft = Draft::create(&path)?;
    form.write(&results, draft.file()).map_err(|failure| match failure {
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
    let mut drawn: Vec<(Summary, Option<Timing>)> = Vec::new();
    for word in &args.runs {
        let run = find(word)?;
        run.check_hash()?;
        let players = players(&run)?;
        if args.against.is_some() {
            against_time(&run, &players)?;
        }
        drawn.extend(players);
    }
    if let Some((first, others)) = drawn.split_first() {
        for other in others {
            same_game([&first.0.settings, &other.0.settings])?;
        }
    }
    let svg = match args.against {
        Some(Against::Time) => {
            let timed = drawn
                .iter()
                .filter_map(|(player, timing)| Some((name(&player.settings), player, timing.as_ref()?)));
            success_against_time(&timed.collect::<Vec<_>>())
        }
        None => {
            let players: Vec<Summary> = drawn.into_iter().map(|(player, _)| player).collect();
            let deals = |player: &Summary| (player.first_seed, player.games);
            let same = players.windows(2).all(|pair| deals(&pair[0]) == deals(&pair[1]));
            ladder(if same { "Players on the same deals" } else { "Players on different deals" }, &players)
        }
    };
    match &args.out {
        Some(path) => {
            write(path, svg.as_bytes())?;
            if scene.json {
                scene.json_line(&json!({ "file": path }))?;
            }
        }
        None if scene.json => scene.json_line(&json!({ "svg": svg }))?,
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

/// The players of a run, each with what its games cost, where that is known.
fn players(run: &Run) -> Result<Vec<(Summary, Option<Timing>)>, Error> {
    let shown: Option<Shown> = run.json("summary.json").and_then(|value| serde_json::from_value(value).ok());
    let shown = shown.filter(|shown| !shown.players.is_empty()).ok_or_else(|| {
        Error::new("no_games", format!("{} has no players to draw", run.name()))
            .hint("kachi lab export --out FOLDER writes the pictures that it has")
    })?;
    let times = run.json("timing.json").and_then(|value| serde_json::from_value(value).ok());
    let times: Vec<Timing> = times.unwrap_or_default();
    let mut times = times.into_iter();
    Ok(shown.players.into_iter().map(|player| (player, times.next())).collect())
}

/// Can these players be drawn against time? They must play to win, and every one must have its times.
fn against_time(run: &Run, players: &[(Summary, Option<Timing>)]) -> Result<(), Error> {
    if let Some((player, _)) = players.iter().find(|(player, _)| player.points.is_some()) {
        let message = format!("{} does not play to win, but for points", name(&player.settings));
        return Err(Error::new("not_comparable", message).hint("leave out --against time"));
    }
    let timed = |timing: &Option<Timing>| timing.as_ref().is_some_and(|timing| !timing.curve.is_empty());
    if players.iter().all(|(_, timing)| timed(timing)) {
        return Ok(());
    }
    let message =
        format!("what the games of {} took is not known: timing.json is missing or damaged", run.name());
    Err(Error::new("no_times", message)
        .hint(format!("{} makes it again from the shards", run.resume_command())))
}

//! `kachi table`: the tables of games that have them: built, listed, checked.

use crate::failure::{Exit, Failure};
use crate::interrupt;
use crate::scene::Scene;
use crate::text::{Cell, Table as Rows, thousands};
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use kachi::core::Error;
use kachi_lab::campaign::file::Levels;
use kachi_lab::campaign::{Campaign, Outcome, Run, What};
use kachi_lab::table::check::{Checked, check};
use kachi_lab::table::folder::Found;
use kachi_lab::table::{Build, Folder, Phase, Progress, Size, Table};
use kachi_lab::work::{Threads, Watch};
use serde::Serialize;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Examples:
  kachi table build calculation               three stacks, all twelve ranks
  kachi table build calculation --stacks 4    half an hour, 1.7 GB
  kachi table list                            the tables there are
  kachi table check                           read them all and check them

Tables live in the folder that KACHI_DATA names, otherwise in the user's data folder \
(~/.local/share/kachi). A build that was interrupted goes on when the same command is given again.";

/// Build, list and check the tables that strong play needs
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TableArgs {
    #[command(subcommand)]
    command: TableCommand,
}

#[derive(Debug, Subcommand)]
enum TableCommand {
    /// Build a table, or go on with an interrupted build
    Build(BuildArgs),
    /// List the tables there are
    List(WhereArgs),
    /// Read whole tables and compare them with their checksums and with the rules
    Check(CheckArgs),
}

#[derive(Debug, Args)]
struct BuildArgs {
    /// The game
    game: String,

    /// Waste stacks
    #[arg(long, value_name = "S", default_value_t = 3)]
    stacks: u64,

    /// Cards of each of the two chains
    #[arg(long, value_name = "N", default_value_t = 12)]
    ranks: u64,

    /// Threads; the machine's cores by default
    #[arg(long, value_name = "N", value_parser = crate::commands::threads)]
    threads: Option<NonZeroUsize>,

    /// The most memory to take, in gigabytes
    #[arg(long, value_name = "GB", default_value_t = 8)]
    memory: u64,

    #[command(flatten)]
    place: WhereArgs,
}

#[derive(Debug, Args)]
struct WhereArgs {
    /// The folder of data, instead of the usual one
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct CheckArgs {
    /// Waste stacks; all tables if left out
    #[arg(long, value_name = "S", requires = "ranks")]
    stacks: Option<u64>,

    /// Cards of each of the two chains
    #[arg(long, value_name = "N", requires = "stacks")]
    ranks: Option<u64>,

    #[command(flatten)]
    place: WhereArgs,
}

/// A table, for programs.
#[derive(Debug, Serialize)]
struct Described {
    file: String,
    stacks: usize,
    ranks: usize,
    states: u64,
    bytes: u64,
    start: f64,
    error_bound: f64,
    placements: u64,
    layers: Vec<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recomputed: Option<u64>,
}

#[derive(Debug, Serialize)]
struct Refused {
    file: String,
    error: Error,
}

pub(crate) fn run(args: &TableArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    match &args.command {
        TableCommand::Build(args) => build(args, scene),
        TableCommand::List(args) => list(args, scene),
        TableCommand::Check(args) => checked(args, scene),
    }
}

impl WhereArgs {
    fn folder(&self) -> Result<Folder, Error> {
        let folder = self.data.as_deref().map(Folder::of).or_else(Folder::usual);
        folder.ok_or_else(|| {
            Error::new("no_data_folder", "there is no folder to keep tables in")
                .hint("name one with --data or in KACHI_DATA")
        })
    }
}

fn build(args: &BuildArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    if args.game != "calculation" {
        let message = format!("{:?} has no tables to build", args.game);
        return Err(Error::new("no_table", message).hint("calculation has").into());
    }
    let size = Size::new(args.stacks, args.ranks)?;
    let folder = args.place.folder()?;
    interrupt::stop_gently();
    let began = Instant::now();
    let built = match folder.open(size) {
        // A journal beside the table means that the last steps of the build are still to be done.
        Ok(table) if !folder.journal(size).exists() => Ok(table),
        _ => through_the_runner(args, size, &folder, scene),
    };
    let table = match built {
        Ok(table) => table,
        Err(error) if error.code == "interrupted" => {
            scene.tell(&error.into())?;
            return Ok(Exit::Interrupted);
        }
        Err(error) => return Err(error.into()),
    };
    let seconds = began.elapsed().as_secs_f64();
    let file = folder.file(size).display().to_string();
    if scene.json {
        scene.json_line(&described(file, &table, Some(seconds), None))?;
    } else {
        describe(&file, &table, scene)?;
        writeln!(scene.stage.output, "ready after {seconds:.1} s")?;
    }
    Ok(Exit::Answered)
}

/// A campaign of one table: its run stands beside those of `kachi lab`.
fn through_the_runner(
    args: &BuildArgs,
    size: Size,
    folder: &Folder,
    scene: &Scene<'_>,
) -> Result<Table, Error> {
    let part = Levels {
        game: args.game.clone(),
        stacks: args.stacks,
        ranks: args.ranks,
        chains: None,
        memory: args.memory,
    };
    let campaign = Campaign { title: String::new(), what: What::Table(part) };
    let bar = Bar::new(scene.colourful);
    let stop = || interrupt::STOP.load(Ordering::Relaxed);
    let hear = |progress| bar.hear(progress);
    let work = kachi_lab::table::Levels::of_table(Build {
        size,
        folder: folder.clone(),
        threads: args.threads.map(NonZeroUsize::get),
        memory: args.memory.saturating_mul(1_000_000_000),
        stop: &stop,
        progress: &hear,
    });
    let runs = folder.path().parent().unwrap_or(folder.path()).join("lab");
    let mut run = Run::begin(&runs.join(campaign.name()), &campaign, &work)?;
    let watch = Watch { stop: &interrupt::STOP, ..Watch::default() };
    let outcome = run.run(&work, &Threads(NonZeroUsize::MIN), watch);
    bar.bar.finish_and_clear();
    match outcome? {
        Outcome::Complete { .. } => folder.open(size),
        Outcome::Stopped(_) => {
            let message = "the build was interrupted; what is finished is kept";
            Err(Error::new("interrupted", message).hint("the same command goes on where it was"))
        }
    }
}

fn list(args: &WhereArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let folder = args.folder()?;
    let found = folder.list()?;
    if found.is_empty() && !scene.json {
        let path = folder.path().display();
        writeln!(scene.stage.output, "no tables in {path}; build one with: kachi table build calculation")?;
    }
    for Found { path, table } in found {
        let file = path.display().to_string();
        match table {
            Ok(table) if scene.json => scene.json_line(&described(file, &table, None, None))?,
            Ok(table) => describe(&file, &table, scene)?,
            Err(error) => refuse(file, error, scene)?,
        }
    }
    Ok(Exit::Answered)
}

fn checked(args: &CheckArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let folder = args.place.folder()?;
    let found = match (args.stacks, args.ranks) {
        (Some(stacks), Some(ranks)) => {
            let size = Size::new(stacks, ranks)?;
            vec![Found { path: folder.file(size), table: folder.open(size) }]
        }
        _ => folder.list()?,
    };
    if found.is_empty() {
        let message = format!("there are no tables in {}", folder.path().display());
        return Err(Error::new("no_table", message).hint("kachi table build calculation").into());
    }
    interrupt::stop_gently();
    let mut exit = Exit::Answered;
    for Found { path, table } in found {
        let file = path.display().to_string();
        let stop = || interrupt::STOP.load(Ordering::Relaxed);
        match table.and_then(|table| Ok((check(&table, &stop)?, table))) {
            Ok((Checked { recomputed, .. }, table)) if scene.json => {
                scene.json_line(&described(file, &table, None, Some(recomputed)))?;
            }
            Ok((Checked { recomputed, worst }, table)) => {
                describe(&file, &table, scene)?;
                writeln!(
                    scene.stage.output,
                    "  all checksums fit; {} chances recomputed, largest error {worst:.2e}",
                    thousands(recomputed)
                )?;
            }
            Err(error) if error.code == "interrupted" => {
                scene.tell(&error.into())?;
                return Ok(Exit::Interrupted);
            }
            Err(error) => {
                refuse(file, error, scene)?;
                exit = Exit::Surprised;
            }
        }
    }
    Ok(exit)
}

fn described(file: String, table: &Table, seconds: Option<f64>, recomputed: Option<u64>) -> Described {
    let size = table.size();
    let totals = table.totals();
    Described {
        file,
        stacks: size.stacks(),
        ranks: size.ranks(),
        states: table.states(),
        bytes: table.length(),
        start: totals.start,
        error_bound: table.bound(),
        placements: totals.placements,
        layers: table.layers().map(|layer| layer.shape.count).collect(),
        seconds,
        recomputed,
    }
}

fn describe(file: &str, table: &Table, scene: &mut Scene<'_>) -> Result<(), Failure> {
    let strong = scene.paint.strong;
    let totals = table.totals();
    writeln!(scene.stage.output, "{strong}calculation, {}{strong:#}", table.size())?;
    let mut rows = Rows::new(2, scene.width);
    let mut row = |name: &str, value: String| rows.row(vec![Cell::new(name), Cell::new(value)]);
    row("file", file.to_owned());
    row("states", thousands(table.states()));
    row("bytes", thousands(table.length()));
    row("chance at the start", format!("{:.10}", totals.start));
    row("stored chances", format!("within {:.1e} of the exact ones, relatively; 0 is exact", table.bound()));
    rows.write(scene.stage.output)?;
    Ok(())
}

fn refuse(file: String, error: Error, scene: &mut Scene<'_>) -> Result<(), Failure> {
    if scene.json {
        return scene.json_line(&Refused { file, error });
    }
    let bad = scene.paint.bad;
    writeln!(scene.stage.output, "{bad}refused:{bad:#} {}", error.message)?;
    Ok(())
}

/// The progress of a build on the terminal.
struct Bar {
    bar: ProgressBar,
    began: Instant,
}

/// Parts of the bar.
const PARTS: u64 = 10_000;

impl Bar {
    fn new(colourful: bool) -> Bar {
        let bar = ProgressBar::with_draw_target(Some(PARTS), ProgressDrawTarget::stderr());
        let template = if colourful {
            "{bar:30.cyan/dim} {percent:>3}%  {msg}"
        } else {
            "{bar:30} {percent:>3}%  {msg}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(250));
        Bar { bar, began: Instant::now() }
    }

    fn hear(&self, progress: Progress) {
        self.bar.set_position((progress.fraction * PARTS as f64) as u64);
        let states = thousands(progress.states);
        let doing = match progress.phase {
            Phase::Forward => format!("finding states, {} cards left: {states}", progress.cards),
            Phase::Backward => format!("chances of {states} states, {} cards left", progress.cards),
            Phase::Writing => "writing the file".to_owned(),
        };
        let here = progress.fraction - progress.resumed;
        let rest = match progress.phase {
            Phase::Writing => String::new(),
            _ if here < 0.002 => String::new(),
            _ => {
                let left = self.began.elapsed().as_secs_f64() * (1.0 - progress.fraction) / here;
                format!(", about {} left", spoken(left))
            }
        };
        self.bar.set_message(format!("{doing}{rest}"));
    }
}

/// A time to come, roughly.
fn spoken(seconds: f64) -> String {
    if seconds < 90.0 { format!("{seconds:.0} s") } else { format!("{:.0} min", seconds / 60.0) }
}

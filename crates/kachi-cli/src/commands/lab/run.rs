//! `kachi lab run` and `resume`: from a file or a folder to the runner.

use super::bar::Bar;
use super::cluster::ClusterArgs;
use super::runs::{data_folder, find, show_run};
use crate::failure::{Exit, Failure, Wrong};
use crate::interrupt;
use crate::scene::Scene;
use crate::text::{count, thousands};
use clap::Args;
use kachi::core::{Error, Place};
use kachi_lab::campaign::command::shell_word;
use kachi_lab::campaign::{Campaign, Ground, Outcome, Run, Study, What};
use kachi_lab::simulate::calculation::Calculation;
use kachi_lab::work::{Engine, Progress, Threads, Watch};
use std::fs::File;
use std::io::Read as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  kachi lab run campaigns/calculation-3-net.toml
  kachi lab run C.toml --out here --threads 1
  kachi lab run C.toml --json                      one line with everything at the end
  kachi lab run C.toml --processes 4               four processes on this machine
  kachi lab run C.toml --hosts hosts.txt --process 0     on every host, each with its own number

A campaign is a file with a title and one section, for example:

  title = \"The plan player with three stacks\"
  [simulation]            # or [comparison], [claims], [table], [counts]
  game = \"calculation\"
  player = \"plans-look0\"
  stacks = 3
  games = 10000

A campaign that was made longer (more games, larger sizes) goes on from what is there.";

/// Run a campaign, or go on with it
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct RunArgs {
    /// The campaign, in TOML
    #[arg(value_name = "C.toml")]
    file: PathBuf,

    /// The folder of the run; left out: one named after the file, in the data folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    #[command(flatten)]
    with: EngineArgs,
}

/// Who does the work.
#[derive(Debug, Args)]
pub(super) struct EngineArgs {
    /// Threads; the machine's cores by default
    #[arg(long, value_name = "N", value_parser = crate::commands::threads)]
    threads: Option<NonZeroUsize>,

    #[command(flatten)]
    cluster: ClusterArgs,
}

impl EngineArgs {
    /// Runs a campaign in its folder: with threads, or with many processes.
    fn go(
        &self,
        campaign: &Campaign,
        study: &dyn Study,
        folder: &Path,
        scene: &mut Scene<'_>,
    ) -> Result<Exit, Failure> {
        if self.cluster.is_asked() {
            return self.cluster.go(campaign, study, folder, scene);
        }
        go(campaign, study, folder, &Threads::or_all(self.threads), scene)
    }
}

/// Go on with a run that was interrupted
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  kachi lab resume hana-ladder
  kachi lab resume ./here --threads 1

A finished run is checked and its results are made again from the shards; damaged shards are made anew.")]
pub(super) struct ResumeArgs {
    /// The run: its name, its folder, or the beginning of its hash
    #[arg(value_name = "RUN")]
    run: String,

    #[command(flatten)]
    with: EngineArgs,
}

/// A campaign from its file, with the text.
pub(super) fn read(file: &Path) -> Result<(Campaign, String), Failure> {
    let text = read_text(file).map_err(|why| {
        Error::new("cannot_read", format!("cannot read {}: {why}", file.display()))
            .hint("kachi lab run --help shows what a campaign looks like")
    })?;
    let campaign = Campaign::read(&text).map_err(|error| pointed(file, &text, error))?;
    Ok((campaign, text))
}

/// The text of a file that a person has written. A device or a pipe that never ends is not read to its end.
fn read_text(file: &Path) -> Result<String, String> {
    const MOST: u64 = 1 << 20;
    let opened = File::open(file).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    opened.take(MOST + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MOST {
        return Err("it is longer than 1 MiB, which no campaign is".to_owned());
    }
    String::from_utf8(bytes).map_err(|_| "it is no text in UTF-8".to_owned())
}

pub(super) fn run(args: &RunArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let (campaign, text) = read(&args.file)?;
    let tables = kachi_lab::table::Folder::usual();
    let ground = Ground { games: scene.registry, tables: tables.as_ref(), threads: args.with.threads };
    let study =
        campaign.open(ground).map_err(|error| pointed(&args.file, &text, campaign.locate(&text, error)))?;
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => {
            let stem = args.file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
            data_folder()?.join("lab").join(stem.unwrap_or_else(|| campaign.name()))
        }
    };
    args.with.go(&campaign, study.as_ref(), &folder, scene)
}

pub(super) fn resume(args: &ResumeArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    refuse_campaign(&args.run)?;
    let run = find(&args.run)?;
    let campaign = run.manifest.campaign.clone();
    let tables = kachi_lab::table::Folder::usual();
    let ground = Ground { games: scene.registry, tables: tables.as_ref(), threads: args.with.threads };
    run.check_version()?;
    let study = campaign.open(ground)?;
    args.with.go(&campaign, study.as_ref(), run.path(), scene)
}

/// A campaign's file is a natural thing to name where a run is wanted.
pub(super) fn refuse_campaign(word: &str) -> Result<(), Error> {
    let path = Path::new(word);
    if !path.is_file() {
        return Ok(());
    }
    let error = Error::new("no_run", format!("{word} is a file; a run is a folder"));
    let is_campaign = path.extension().is_some_and(|ending| ending == "toml");
    Err(if is_campaign {
        error.hint(format!("kachi lab run {} runs the campaign, or goes on with it", shell_word(word)))
    } else {
        error.hint("kachi lab list shows the runs there are")
    })
}

/// An error of a campaign's file, with the line it stands in.
fn pointed(file: &Path, text: &str, mut error: Error) -> Failure {
    let mut origin = file.display().to_string();
    let mut shown = None;
    if let Some(Place::Text(range)) = error.at.clone() {
        let start = range.start.min(text.len());
        let line_start = text[..start].rfind('\n').map_or(0, |end| end + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |end| start + end);
        let line = text[..line_start].matches('\n').count() + 1;
        origin = format!("{origin}:{line}");
        shown = Some(text[line_start..line_end].to_owned());
        error = error.at_text(start - line_start..range.end.clamp(start, line_end) - line_start);
    }
    Failure::Input(Box::new(Wrong { error, text: shown, origin: Some(origin), examples: Vec::new() }))
}

/// Runs a campaign in its folder, with a bar; tells the outcome.
pub(super) fn go(
    campaign: &Campaign,
    study: &dyn Study,
    folder: &Path,
    engine: &dyn Engine,
    scene: &mut Scene<'_>,
) -> Result<Exit, Failure> {
    warn_of_tables(campaign, scene)?;
    match start(campaign, study, folder, engine, scene)? {
        None => Ok(Exit::Interrupted),
        Some((run, Outcome::Complete { mended, .. })) => {
            if !mended.is_empty() && !scene.json {
                let (shards, names) = (count(mended.len() as u64, "damaged file"), mended.join(", "));
                writeln!(scene.stage.errors, "note: {shards} found and made again: {names}")?;
            }
            show_run(&run, scene)
        }
        Some((_, Outcome::Stopped(_))) => Ok(Exit::Interrupted),
    }
}

/// Runs a campaign in its folder, with a bar. Nothing when it was interrupted, which is told.
pub(crate) fn start(
    campaign: &Campaign,
    study: &dyn Study,
    folder: &Path,
    engine: &dyn Engine,
    scene: &mut Scene<'_>,
) -> Result<Option<(Run, Outcome)>, Failure> {
    interrupt::stop_gently();
    let mut run = Run::begin(folder, campaign, study)?;
    let bar = Bar::new(study, &run.name(), scene.colourful);
    let hear = |progress: &Progress| bar.hear(progress);
    let outcome = run.run(study, engine, Watch { stop: &interrupt::STOP, hear: &hear });
    bar.finish();
    match outcome? {
        Outcome::Stopped(progress) => {
            tell_stopped(&run, study, &progress, scene)?;
            Ok(None)
        }
        complete @ Outcome::Complete { .. } => Ok(Some((run, complete))),
    }
}

fn tell_stopped(
    run: &Run,
    study: &dyn Study,
    progress: &Progress,
    scene: &mut Scene<'_>,
) -> Result<(), Failure> {
    let (tally, unit) = (progress.tally, study.unit());
    if scene.json {
        let told = serde_json::json!({
            "folder": run.path(), "complete": false, unit: tally.units, "good": tally.good,
            "stages": progress.stages, "of": progress.all_stages,
        });
        return scene.json_line(&told);
    }
    writeln!(
        scene.stage.output,
        "Stopped after {} {unit}; everything finished is kept.",
        thousands(tally.units)
    )?;
    writeln!(scene.stage.output, "Go on with: {}", run.resume_command())?;
    Ok(())
}

/// Some players of calculation are much weaker without the table of all pairs.
pub(super) fn warn_of_tables(campaign: &Campaign, scene: &mut Scene<'_>) -> Result<(), Failure> {
    let (game, stacks, players) = match &campaign.what {
        What::Simulation(part) => (&part.game, part.stacks, vec![&part.player]),
        What::Comparison(part) => (&part.game, part.stacks, part.players.iter().collect()),
        _ => return Ok(()),
    };
    let stacks = stacks.unwrap_or(3);
    if game == "calculation"
        && !scene.json
        && players.iter().any(|player| Calculation::misses_table(stacks, player))
    {
        let words = "without the table of all pairs players are much weaker";
        writeln!(scene.stage.errors, "note: {words}: kachi table build calculation --stacks {stacks}")?;
    }
    Ok(())
}

//! `kachi lab list`, `show`, `import` and `clean`: the runs there are.

use super::games;
use super::run::refuse_campaign;
use crate::failure::{Exit, Failure};
use crate::scene::Scene;
use crate::text::{Cell, Table, count, measured, printable, short, thousands};
use clap::Args;
use kachi::core::Error;
use kachi_lab::campaign::{Run, State, Status, import::import as take_over, list as list_of, status};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// List the runs
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  kachi lab list\n  kachi lab list --in ./runs\n  kachi lab list --json")]
pub(super) struct ListArgs {
    /// The folder that holds the folders of runs; left out: `lab` in the data folder
    #[arg(long = "in", value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// What a run shows
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  kachi lab show hana-ladder
  kachi lab show 3f2a91c0                          by the beginning of its hash
  kachi lab show ./here --json")]
pub(super) struct ShowArgs {
    /// The run: its name, its folder, or the beginning of its hash
    #[arg(value_name = "RUN")]
    run: String,
}

/// Take over a run of the earlier layout
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  kachi lab import old/s3-look0\n  kachi lab import old/s3-look0 --out here"
)]
pub(super) struct ImportArgs {
    /// The folder of the earlier run, which is left as it is
    #[arg(value_name = "FOLDER")]
    from: PathBuf,

    /// The new folder; left out: one of the same name in the data folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Remove runs, or the shards of finished ones
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  kachi lab clean hana-ladder                      the shards of a finished run; results stay
  kachi lab clean hana-ladder --all                the whole run")]
pub(super) struct CleanArgs {
    /// The runs: names, folders, or beginnings of hashes
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<String>,

    /// Remove the whole run, finished or not, and its folder unless something else is in it
    #[arg(long)]
    all: bool,
}

/// The user's folder of data.
pub(super) fn data_folder() -> Result<PathBuf, Error> {
    let tables = kachi_lab::table::Folder::usual();
    let data = tables.and_then(|tables| tables.path().parent().map(Path::to_owned));
    data.ok_or_else(|| {
        Error::new("no_data_folder", "there is no folder to keep runs in").hint("name one in KACHI_DATA")
    })
}

/// A run by its folder, its name in the data folder, or the beginning of its hash.
pub(super) fn find(word: &str) -> Result<Run, Error> {
    const SHORTEST_HASH: usize = 6;
    if let Some(run) = Run::find(Path::new(word))? {
        return Ok(run);
    }
    let data = data_folder()?;
    if !word.contains(['/', '\\'])
        && let Some(run) = Run::find(&data.join("lab").join(word))?
    {
        return Ok(run);
    }
    let runs = list_of(&data)?;
    if word.len() >= SHORTEST_HASH {
        let is_cited = |status: &&Status| status.hash.as_ref().is_some_and(|hash| hash.starts_with(word));
        let cited: Vec<&Status> = runs.iter().filter(is_cited).collect();
        match cited[..] {
            [] => {}
            [status] => return Run::at(&status.path),
            _ => return Err(ambiguous(word, &cited)),
        }
    }
    let names: Vec<&str> = runs.iter().map(|status| status.name.as_str()).collect();
    let error = Error::new("no_run", format!("there is no run called {word:?}"));
    Err(match kachi::registry::nearest(word, &names) {
        Some(near) => error.hint(format!("did you mean {near}? kachi lab list shows all of them")),
        None => error.hint("kachi lab list shows the runs there are"),
    })
}

fn ambiguous(word: &str, cited: &[&Status]) -> Error {
    let named = |status: &&Status| {
        format!("{} ({})", status.name, status.hash.as_deref().map(short).unwrap_or_default())
    };
    let names: Vec<String> = cited.iter().map(named).collect();
    let message = format!(
        "{} have a hash that begins with {word}: {}",
        count(names.len() as u64, "run"),
        names.join(", ")
    );
    Error::new("ambiguous_hash", message).hint("name one of them, or its folder")
}

pub(super) fn list(args: &ListArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let runs = match &args.folder {
        Some(folder) if !folder.exists() => {
            let message = format!("there is no folder {}", folder.display());
            return Err(Error::new("no_folder", message)
                .hint("leave out --in to list the data folder")
                .into());
        }
        Some(folder) => status::list_in(folder)?,
        None => list_of(&data_folder()?)?,
    };
    if scene.json {
        scene.json_line(&runs)?;
        return Ok(Exit::Answered);
    }
    if runs.is_empty() {
        let none = match &args.folder {
            Some(folder) => printable(&format!("no runs in {}", folder.display())),
            None => "no runs yet".to_owned(),
        };
        writeln!(scene.stage.output, "{none}; begin one with: kachi lab run campaigns/hana-ladder.toml")?;
        return Ok(Exit::Answered);
    }
    let mut table = Table::new(0, scene.width);
    for status in &runs {
        table.row(row(status, scene));
    }
    table.write(scene.stage.output)?;
    Ok(Exit::Answered)
}

fn row(status: &Status, scene: &Scene<'_>) -> Vec<Cell> {
    let paint = scene.paint;
    let (state, style) = match status.state {
        State::Running => ("running", paint.mark),
        State::Complete => ("complete", paint.good),
        State::Stopped => ("stopped", paint.faint),
        State::Failed => ("failed", paint.bad),
        State::Earlier => ("earlier layout", paint.faint),
        State::Unreadable => ("unreadable", paint.bad),
    };
    let mut far = match (status.total, status.unit.as_str()) {
        (0, _) => String::new(),
        (total, unit) => format!("{} of {} {unit}", thousands(status.done), thousands(total)),
    };
    if status.state == State::Running && status.rate > 0.0 {
        let what = if status.unit == "games" { "games" } else { "units" };
        far = format!("{far}, {} {what}/s", measured(status.rate));
    }
    let last = match (&status.hash, status.state) {
        (Some(hash), _) => short(hash).to_owned(),
        (None, State::Running | State::Unreadable) => status.words.clone(),
        (None, _) => String::new(),
    };
    vec![Cell::new(&status.name), Cell::styled(state, style), Cell::new(far), Cell::new(last)]
}

pub(super) fn show(args: &ShowArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    refuse_campaign(&args.run)?;
    show_run(&find(&args.run)?, scene)
}

/// What a run shows, and whether it is what it was. Claims that are not as expected and results that were altered are told by the exit code too.
pub(super) fn show_run(run: &Run, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let status = Status::of(run.path());
    let summary = run.json("summary.json").filter(|_| run.manifest.hash.is_some());
    let timing = run.json("timing.json").filter(|_| run.manifest.hash.is_some());
    let checked = run.check_hash();
    let altered = run.manifest.hash.is_some() && checked.is_err();
    let surprised = summary.as_ref().is_some_and(|summary| number(summary, "surprises") > 0);
    let exit = if altered || surprised { Exit::Surprised } else { Exit::Answered };
    if scene.json {
        scene.json_line(&json!({
            "folder": run.path(),
            "complete": run.manifest.hash.is_some(),
            "intact": checked.is_ok(),
            "hash": run.manifest.hash,
            "manifest": run.manifest,
            "status": status,
            "summary": summary,
            "timing": timing,
        }))?;
        return Ok(exit);
    }
    let strong = scene.paint.strong;
    let title = status.as_ref().map_or_else(|| run.name(), |status| status.title.clone());
    writeln!(scene.stage.output, "{strong}{}{strong:#}", printable(&title))?;
    if let (Some(summary), kind) = (&summary, run.manifest.campaign.what.kind()) {
        match kind {
            "simulation" | "comparison" => games::tell(summary, timing.as_ref(), scene)?,
            "claims" => tell_claims(summary, scene)?,
            _ => tell_levels(summary, scene)?,
        }
    }
    let mut table = Table::new(2, scene.width);
    let mut row = |name: &str, value: String| table.row(vec![Cell::new(name), Cell::new(value)]);
    row("folder", run.path().display().to_string());
    let manifest = &run.manifest;
    let ended = manifest.ended.as_ref().map(|ended| format!(" to {ended}")).unwrap_or_default();
    // Of games that were taken over nobody knows where they were played.
    let hosts = match &manifest.hosts[..] {
        [] => String::new(),
        hosts => format!(" on {}", hosts.join(", ")),
    };
    row("made", format!("{}{ended} by kachi {}{hosts}", manifest.started, manifest.kachi));
    match (checked, &status) {
        (Ok(hash), _) => row("hash", format!("{hash} (the results are intact)")),
        (Err(error), _) if manifest.hash.is_some() => {
            row("hash", error.message);
            row("hint", error.hint.unwrap_or_default());
        }
        (Err(_), Some(status)) => {
            let far = match status.total {
                // A run of an earlier layout was not counted yet.
                0 => String::new(),
                total => format!("{} of {} {}; ", thousands(status.done), thousands(total), status.unit),
            };
            match status.state {
                State::Running => row("running", format!("{far}a process is at it")),
                _ => row("not finished", format!("{far}{}", run.resume_command())),
            }
        }
        (Err(_), None) => {}
    }
    row("files", run.files().join(", "));
    table.write(scene.stage.output)?;
    Ok(exit)
}

fn number(value: &Value, key: &str) -> u64 {
    value.get(key).and_then(Value::as_u64).unwrap_or(0)
}

fn tell_claims(summary: &Value, scene: &mut Scene<'_>) -> Result<(), Failure> {
    let (claims, cases) = (number(summary, "claims"), number(summary, "cases"));
    let (mut hold, refuted) = (number(summary, "hold"), number(summary, "refuted"));
    let mut unchecked = 0;
    let mut table = Table::new(2, scene.width);
    for verdict in summary.get("verdicts").and_then(Value::as_array).into_iter().flatten() {
        let word = |key: &str| verdict.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (mut status, checked) = (word("status"), number(verdict, "checked"));
        // Runs that were finished earlier took a claim without cases for one that holds.
        if checked == 0 && (status == "holds" || status == "unchecked") {
            hold -= u64::from(status == "holds").min(hold);
            unchecked += 1;
            status = "nothing checked".to_owned();
        } else if status == "holds" && word("expected") == "refuted" {
            // An erratum that needs larger positions; above its own size this is a surprise.
            status = "no counterexample".to_owned();
        }
        table.row(vec![
            Cell::new(format!("{} {}", word("game"), word("claim"))),
            Cell::new(status),
            Cell::new(format!("size {}", number(verdict, "size"))),
            Cell::new(count(checked, "case")),
        ]);
    }
    table.write(scene.stage.output)?;
    let out = &mut *scene.stage.output;
    writeln!(
        out,
        "{} over {}: {hold} {}, {refuted} refuted{}",
        count(claims, "claim"),
        count(cases, "case"),
        if hold == 1 { "holds" } else { "hold" },
        if unchecked > 0 { format!(", {unchecked} not checked") } else { String::new() },
    )?;
    match number(summary, "surprises") {
        0 if claims > 0 && unchecked == claims => {
            writeln!(out, "Nothing was checked: there is no case up to the size.")?;
        }
        0 if unchecked > 0 => writeln!(out, "Those that were checked are as expected.")?,
        0 => writeln!(out, "All as expected.")?,
        surprises => writeln!(out, "{} not as expected.", count(surprises, "claim"))?,
    }
    Ok(())
}

fn tell_levels(summary: &Value, scene: &mut Scene<'_>) -> Result<(), Failure> {
    let mut table = Table::new(2, scene.width);
    let mut row = |name: &str, value: String| table.row(vec![Cell::new(name), Cell::new(value)]);
    let chains = summary.get("chains").and_then(Value::as_u64).unwrap_or(2);
    let (stacks, ranks) = (number(summary, "stacks"), number(summary, "ranks"));
    let (stacks, chains, cards) = (count(stacks, "stack"), count(chains, "chain"), count(ranks, "card"));
    row("game", format!("{stacks}, {chains} of {cards}"));
    row("states", thousands(number(summary, "states")));
    // Only words of two chains count them.
    if summary.get("placements").is_some() {
        row("placements", thousands(number(summary, "placements")));
    }
    if let Some(written) = summary.get("table") {
        let start = written.get("start").and_then(Value::as_f64).unwrap_or(0.0);
        row("chance at the start", format!("{start:.10}"));
        row("bytes", thousands(number(written, "bytes")));
    }
    table.write(scene.stage.output)?;
    Ok(())
}

pub(super) fn import(args: &ImportArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let name = args.from.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let into = match &args.out {
        Some(folder) => folder.clone(),
        None => data_folder()?.join("lab").join(name),
    };
    let mut imported = take_over(&args.from, &into)?;
    let all = imported.games.games;
    if imported.taken < all {
        if scene.json {
            scene
                .json_line(&json!({"folder": into, "complete": false, "games": imported.taken, "of": all}))?;
        } else {
            let (taken, all) = (thousands(imported.taken), thousands(all));
            let folder = into.display();
            writeln!(scene.stage.output, "{taken} of {all} games taken over into {folder}.")?;
            writeln!(
                scene.stage.output,
                "The rest cannot be played by the player of then; begin anew with: kachi lab run"
            )?;
        }
        return Ok(Exit::Answered);
    }
    imported.run.sum_up(&imported.games)?;
    show_run(&imported.run, scene)
}

pub(super) fn clean(args: &CleanArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    // All of them are found, and kept from others, before anything is removed.
    let mut runs: Vec<Run> = args.runs.iter().map(|word| find(word)).collect::<Result<_, Error>>()?;
    let mut seen = HashSet::new();
    runs.retain(|run| {
        seen.insert(std::fs::canonicalize(run.path()).unwrap_or_else(|_| run.path().to_owned()))
    });
    let mut cleaners = Vec::new();
    for run in &runs {
        if !args.all {
            run.check_hash()?;
        }
        cleaners.push(run.cleaner()?);
    }
    for (run, cleaner) in runs.iter().zip(cleaners) {
        let left = if args.all {
            cleaner.remove_all()?
        } else {
            cleaner.remove_shards()?;
            Vec::new()
        };
        let folder = run.path();
        if scene.json {
            let removed = if args.all { "all" } else { "shards" };
            scene.json_line(&json!({"folder": folder, "removed": removed, "left": left}))?;
        } else {
            let what = match (args.all, &left[..]) {
                (false, _) => "shards removed, results kept".to_owned(),
                (true, []) => "removed".to_owned(),
                (true, left) => format!("removed, but for what is not the run's: {}", left.join(", ")),
            };
            writeln!(scene.stage.output, "{}: {what}", folder.display())?;
        }
    }
    Ok(Exit::Answered)
}

//! The laboratory as the page sees it: the runs in folder `lab` of the data folder, running and finished.
//!
//! This file alone knows how runs are kept; pages see [`Run`]. A look at the disk holds for a second, however many people watch.

use kachi_lab::simulate::{Folder, plot};
use serde::Serialize;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum State {
    /// Somebody works on it.
    Running,
    /// Nobody works on it, and something is left to do.
    Stopped,
    /// All is done and summed up.
    Finished,
}

/// A run of the laboratory.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Run {
    /// The name of its folder, which is its name in links.
    pub(crate) name: String,
    /// What it is, in a few words.
    pub(crate) title: String,
    pub(crate) state: State,
    /// Of `total` games or cases, how many are done.
    pub(crate) done: u64,
    pub(crate) total: u64,
    /// What it has found so far, in words; may be empty.
    pub(crate) found: String,
    /// Settings by name.
    #[serde(skip)]
    pub(crate) settings: Vec<(String, String)>,
    /// The files of its pictures.
    #[serde(skip)]
    pub(crate) plots: Vec<String>,
}

/// The runs of a data folder.
#[derive(Debug, Default)]
pub struct Lab {
    folder: Option<PathBuf>,
    seen: Mutex<Option<(Instant, Arc<Vec<Run>>)>>,
}

/// For how long a look at the disk holds.
const FRESH: Duration = Duration::from_secs(1);
/// A run that has written nothing for this long is not being worked on: it keeps its games every ten seconds.
const SILENT: Duration = Duration::from_secs(60);
/// Runs that are listed, the newest first.
const LISTED: usize = 200;
/// A picture of a run is smaller than this.
const LARGEST_PLOT: u64 = 4 << 20;

impl Lab {
    /// The laboratory of a data folder.
    pub fn of(data: Option<&Path>) -> Lab {
        Lab { folder: data.map(|data| data.join("lab")), seen: Mutex::default() }
    }

    /// All runs, the newest first. Reads the disk unless somebody has just done so.
    pub(crate) fn runs(&self) -> Arc<Vec<Run>> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((when, runs)) = &*seen
            && when.elapsed() < FRESH
        {
            return Arc::clone(runs);
        }
        let runs = Arc::new(self.folder.as_deref().map(look).unwrap_or_default());
        *seen = Some((Instant::now(), Arc::clone(&runs)));
        runs
    }

    /// A picture of a run. Only what the list names can be had, so no other path of the disk can be asked for.
    pub(crate) fn plot(&self, run: &str, name: &str) -> Option<String> {
        let runs = self.runs();
        let run = runs.iter().find(|known| known.name == run)?;
        let name = run.plots.iter().find(|known| *known == name)?;
        let path = self.folder.as_deref()?.join(&run.name).join(name);
        (fs::metadata(&path).ok()?.len() <= LARGEST_PLOT).then(|| fs::read_to_string(path).ok())?
    }
}

fn look(folder: &Path) -> Vec<Run> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut runs: Vec<(Option<SystemTime>, Run)> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let path = entry.path();
            let begun = fs::metadata(path.join("manifest.json")).and_then(|data| data.modified()).ok();
            Some((begun, run(name, &path)?))
        })
        .collect();
    runs.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.name.cmp(&b.1.name)));
    runs.into_iter().map(|(_, run)| run).take(LISTED).collect()
}

fn run(name: String, path: &Path) -> Option<Run> {
    let folder = Folder::find(path).ok()??;
    let simulation = folder.simulation();
    let summary = json(&path.join("summary.json"));
    let summed = summary.as_ref().and_then(|summary| summary["games"].as_u64());
    let finished = summed.is_some_and(|games| games >= simulation.games);
    let (shards, last) = shards(&path.join("shards"));
    let done = if finished { simulation.games } else { shards.saturating_mul(u64::from(simulation.shard)) };
    let silent = last.and_then(|last| last.elapsed().ok()).is_none_or(|silence| silence > SILENT);
    Some(Run {
        title: plot::name(&simulation.settings),
        state: match (finished, silent) {
            (true, _) => State::Finished,
            (false, true) => State::Stopped,
            (false, false) => State::Running,
        },
        done: done.min(simulation.games),
        total: simulation.games,
        found: summary.as_ref().filter(|_| finished).and_then(found).unwrap_or_default(),
        settings: settings(&simulation.settings, simulation.first_seed),
        plots: plots(path),
        name,
    })
}

fn json(path: &Path) -> Option<Value> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// How many shards there are, and when the last one was written.
fn shards(path: &Path) -> (u64, Option<SystemTime>) {
    let Ok(entries) = fs::read_dir(path) else { return (0, None) };
    let files = entries.flatten().filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'));
    let times = files.map(|entry| entry.metadata().and_then(|data| data.modified()).ok());
    times.fold((0, None), |(count, last), time| (count + 1, last.max(time)))
}

/// The rate with its interval.
fn found(summary: &Value) -> Option<String> {
    let share = |value: &Value| Some(100.0 * value.as_f64()?);
    let (low, high) = (share(&summary["interval"]["low"])?, share(&summary["interval"]["high"])?);
    Some(format!("{:.1} % ({low:.1} to {high:.1})", share(&summary["rate"])?))
}

fn settings(settings: &Value, seed: u64) -> Vec<(String, String)> {
    let plain = |(name, value): (&String, &Value)| match value {
        Value::String(text) => Some((name.clone(), text.clone())),
        Value::Number(number) => Some((name.clone(), number.to_string())),
        Value::Bool(flag) => Some((name.clone(), flag.to_string())),
        _ => None,
    };
    let given = settings.as_object().into_iter().flatten().filter_map(plain);
    given.chain([("first seed".to_owned(), seed.to_string())]).collect()
}

fn plots(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let is_plot = |name: &String| name.ends_with(".svg") && !name.starts_with('.');
    let mut plots: Vec<String> = names.filter(is_plot).collect();
    plots.sort();
    plots
}

#[cfg(test)]
mod tests {
    use super::*;
    use kachi_lab::simulate::Simulation;
    use serde_json::json;

    #[test]
    fn a_run_is_listed_from_its_first_shard_to_its_pictures() {
        let data = tempfile::tempdir().unwrap();
        let path = data.path().join("lab/plans");
        let simulation = Simulation {
            settings: json!({"game": "calculation", "player": "plans", "stacks": 3, "table": {"size": 1}}),
            first_seed: 1,
            games: 100,
            shard: 50,
        };
        let folder = Folder::open(&path, &simulation).unwrap();
        let now = || Lab::of(Some(data.path())).runs()[0].clone();
        assert_eq!((now().state, now().done, now().total), (State::Stopped, 0, 100));
        folder.keep(0, &[], &[]).unwrap();
        assert_eq!((now().state, now().done), (State::Running, 50));
        folder.keep(1, &[], &[]).unwrap();
        let summary = json!({"games": 100, "rate": 0.675, "interval": {"low": 0.6, "high": 0.75}});
        folder.write("summary.json", summary.to_string().as_bytes()).unwrap();
        folder.write("lost.svg", b"<svg/>").unwrap();
        let run = now();
        assert_eq!((run.state, run.found.as_str()), (State::Finished, "67.5 % (60.0 to 75.0)"));
        assert_eq!(run.plots, ["lost.svg"]);
        assert!(run.settings.contains(&("player".to_owned(), "plans".to_owned())));
    }

    #[test]
    fn only_what_is_listed_can_be_had() {
        let data = tempfile::tempdir().unwrap();
        let path = data.path().join("lab/run");
        let simulation = Simulation { settings: json!({}), first_seed: 1, games: 1, shard: 1 };
        Folder::open(&path, &simulation).unwrap().write("time.svg", b"<svg/>").unwrap();
        fs::write(data.path().join("secret.svg"), "secret").unwrap();
        let lab = Lab::of(Some(data.path()));
        assert_eq!(lab.plot("run", "time.svg").as_deref(), Some("<svg/>"));
        for (run, name) in
            [("run", "../../secret.svg"), ("..", "secret.svg"), ("run", "manifest.json"), ("", "")]
        {
            assert_eq!(lab.plot(run, name), None, "{run} {name}");
        }
        assert_eq!(*Lab::of(None).runs(), []);
    }
}

//! The laboratory as the page sees it: the runs in folder `lab` of the data folder, running and finished.
//!
//! This file alone knows how runs are kept; pages see `Run`. A look at the disk holds for a second, however many people watch.

use kachi_lab::campaign::{self, State, Status};
use kachi_lab::simulate::plot::grouped;
use kachi_lab::simulate::statistics::wilson;
use serde::Serialize;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Stage {
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
    /// Of which kind.
    pub(crate) kind: String,
    pub(crate) stage: Stage,
    /// Of `total` units (0: nobody knows), how many are done.
    pub(crate) done: u64,
    pub(crate) total: u64,
    pub(crate) unit: String,
    /// What it has found so far and what it is doing, in words; may be empty.
    pub(crate) found: String,
    pub(crate) words: String,
    /// When it began and ended, the hash by which it is cited, what the results depend on.
    #[serde(skip)]
    pub(crate) facts: Vec<(String, String)>,
    /// The files of its pictures.
    #[serde(skip)]
    pub(crate) plots: Vec<String>,
}

/// The runs of a data folder.
#[derive(Debug, Default)]
pub struct Lab {
    data: Option<PathBuf>,
    seen: Mutex<Option<(Instant, Arc<Vec<Run>>)>>,
}

/// For how long a look at the disk holds.
const FRESH: Duration = Duration::from_secs(1);
/// Runs that are listed, the newest first.
const LISTED: usize = 200;
/// A picture of a run is smaller than this.
const LARGEST_PLOT: u64 = 4 << 20;

impl Lab {
    /// The laboratory of a data folder.
    pub fn of(data: Option<&Path>) -> Lab {
        Lab { data: data.map(Path::to_owned), seen: Mutex::default() }
    }

    /// All runs, the newest first. Reads the disk unless somebody has just done so.
    pub(crate) fn runs(&self) -> Arc<Vec<Run>> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((when, runs)) = &*seen
            && when.elapsed() < FRESH
        {
            return Arc::clone(runs);
        }
        let runs = Arc::new(self.data.as_deref().map(look).unwrap_or_default());
        *seen = Some((Instant::now(), Arc::clone(&runs)));
        runs
    }

    /// A picture of a run. Only what the list names can be had, so no other path of the disk can be asked for.
    pub(crate) fn plot(&self, run: &str, name: &str) -> Option<String> {
        let runs = self.runs();
        let run = runs.iter().find(|known| known.name == run)?;
        let name = run.plots.iter().find(|known| *known == name)?;
        let path = self.data.as_deref()?.join("lab").join(&run.name).join(name);
        (fs::metadata(&path).ok()?.len() <= LARGEST_PLOT).then(|| fs::read_to_string(path).ok())?
    }
}

fn look(data: &Path) -> Vec<Run> {
    // A folder that cannot be read has no runs to show.
    let mut all = campaign::list(data).unwrap_or_default();
    all.sort_by(|a, b| b.started.cmp(&a.started).then_with(|| a.name.cmp(&b.name)));
    all.into_iter().take(LISTED).map(seen).collect()
}

fn seen(status: Status) -> Run {
    let facts = facts(&status);
    let finished = status.state == State::Earlier && status.done >= status.total;
    let stage = match status.state {
        State::Running => Stage::Running,
        State::Complete => Stage::Finished,
        State::Earlier if finished => Stage::Finished,
        State::Stopped | State::Failed | State::Earlier | State::Unreadable => Stage::Stopped,
    };
    let speed = match stage {
        Stage::Running if status.rate >= 99.5 => format!("{} / s", grouped(status.rate.round() as u64)),
        Stage::Running if status.rate >= 0.05 => format!("{:.1} / s", status.rate),
        _ => String::new(),
    };
    let words = [speed, status.words.clone()].into_iter().filter(|words| !words.is_empty());
    Run {
        stage,
        found: found(&status),
        words: words.collect::<Vec<_>>().join(" · "),
        plots: status.files.iter().filter(|name| name.ends_with(".svg")).cloned().collect(),
        facts,
        name: status.name,
        title: status.title,
        kind: status.kind,
        done: status.done,
        total: status.total,
        unit: status.unit,
    }
}

/// The share of won games with its interval, where games are won.
fn found(status: &Status) -> String {
    if status.kind != "simulation" || status.units == 0 || status.good == 0 {
        return String::new();
    }
    let interval = wilson(status.good, status.units);
    let rate = status.good as f64 / status.units as f64;
    format!("{:.1} % ({:.1} to {:.1})", 100.0 * rate, 100.0 * interval.low, 100.0 * interval.high)
}

fn facts(status: &Status) -> Vec<(String, String)> {
    let manifest = campaign::Run::find(&status.path).ok().flatten().map(|run| run.manifest);
    let plain = |(name, value): (&String, &Value)| match value {
        Value::String(text) => Some((name.clone(), text.clone())),
        Value::Number(number) => Some((name.clone(), number.to_string())),
        Value::Bool(flag) => Some((name.clone(), flag.to_string())),
        _ => None,
    };
    let times = [
        ("began", Some(status.started.clone())),
        ("ended", status.ended.clone()),
        ("hash", status.hash.clone()),
    ];
    let mut facts: Vec<(String, String)> = times
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value.filter(|value| !value.is_empty())?)))
        .collect();
    if let Some(manifest) = &manifest {
        facts.extend(manifest.settings.as_object().into_iter().flatten().filter_map(plain));
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status() -> Status {
        Status {
            name: "plans".to_owned(),
            path: PathBuf::from("nowhere"),
            kind: "simulation".to_owned(),
            title: "plans".to_owned(),
            state: State::Running,
            done: 40,
            total: 100,
            unit: "games".to_owned(),
            units: 40,
            good: 27,
            rate: 2.0,
            words: String::new(),
            started: "2026".to_owned(),
            ended: None,
            hash: None,
            files: ["lost.svg", "summary.json", "time.svg"].map(str::to_owned).to_vec(),
        }
    }

    #[test]
    fn a_run_tells_its_rate_with_the_interval_and_its_speed() {
        let run = seen(status());
        assert_eq!(run.found, "67.5 % (52.0 to 79.9)");
        assert_eq!((run.stage, run.words.as_str()), (Stage::Running, "2.0 / s"));
        assert_eq!(seen(Status { rate: 3_845_187.8, ..status() }).words, "3,845,188 / s");
        assert_eq!(run.plots, ["lost.svg", "time.svg"]);
        let claims = seen(Status { kind: "claims".to_owned(), ..status() });
        assert_eq!(claims.found, "", "cases are not won");
    }

    #[test]
    fn stages_follow_from_states() {
        let stage = |state, done| seen(Status { state, done, ..status() }).stage;
        assert_eq!(stage(State::Complete, 100), Stage::Finished);
        assert_eq!(stage(State::Failed, 40), Stage::Stopped);
        assert_eq!(stage(State::Earlier, 40), Stage::Stopped);
        assert_eq!(stage(State::Earlier, 100), Stage::Finished);
    }

    #[test]
    fn only_what_is_listed_can_be_had() {
        let data = tempfile::tempdir().unwrap();
        fs::write(data.path().join("secret.svg"), "secret").unwrap();
        let lab = Lab::of(Some(data.path()));
        *lab.seen.lock().unwrap() = Some((Instant::now(), Arc::new(vec![seen(status())])));
        fs::create_dir_all(data.path().join("lab/plans")).unwrap();
        fs::write(data.path().join("lab/plans/time.svg"), "<svg/>").unwrap();
        assert_eq!(lab.plot("plans", "time.svg").as_deref(), Some("<svg/>"));
        for (run, name) in
            [("plans", "../../secret.svg"), ("..", "secret.svg"), ("plans", "summary.json"), ("", "")]
        {
            assert_eq!(lab.plot(run, name), None, "{run} {name}");
        }
        assert_eq!(*Lab::of(None).runs(), []);
    }
}

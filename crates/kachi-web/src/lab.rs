//! The laboratory as the page sees it: the runs in folder `lab` of the data folder, running and finished.
//!
//! This file alone knows how runs are kept; pages see `Run`. A look at the disk holds for a second, however many people watch.

use kachi_lab::campaign::{self, Manifest, State, Status};
use kachi_lab::simulate::plot::{grouped, name, seconds};
use kachi_lab::simulate::words::{TableOf, deals, found as found_by, on_the_same_deals, rate_of, table_of};
use kachi_lab::simulate::{Shown, Timing};
use serde::{Deserialize, Serialize};
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
    /// The files of its pictures.
    #[serde(skip)]
    pub(crate) plots: Vec<String>,
}

/// What one run has to say beyond the list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Details {
    /// When it began and ended, the hash by which it is cited, what the results depend on.
    pub(crate) facts: Vec<(String, String)>,
    /// What it shows, once it is finished.
    pub(crate) results: Option<Results>,
    /// The command that goes on with it, or checks what it shows.
    pub(crate) command: String,
}

/// What a finished run shows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Results {
    /// Players: name, what was found, deals, time a game; and how they compare.
    Games { rows: Vec<[String; 4]>, comparisons: Vec<String> },
    /// Claims, and what they amount to.
    Claims { rows: Vec<Verdict>, cases: u64 },
    /// Levels of a table or of counts: what is known of all of them together.
    Levels(Vec<(&'static str, String)>),
}

/// What became of a claim.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Verdict {
    pub(crate) game: String,
    pub(crate) claim: String,
    /// `holds`, `refuted`, or that nothing was checked.
    pub(crate) status: String,
    /// `holds` or `refuted`.
    pub(crate) expected: String,
    pub(crate) size: u64,
    pub(crate) checked: u64,
    /// Is it not as expected?
    #[serde(default)]
    pub(crate) surprise: bool,
    #[serde(default)]
    pub(crate) counterexample: Option<Counterexample>,
}

/// The position that refuted a claim.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Counterexample {
    pub(crate) position: String,
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
/// A file of a run that is shown is smaller than this.
const LARGEST: u64 = 4 << 20;

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
        text(&self.folder(run)?.join(name))
    }

    /// What a run of the list has to say. Reads the disk.
    pub(crate) fn details(&self, run: &Run) -> Option<Details> {
        let run = campaign::Run::find(&self.folder(run)?).ok().flatten()?;
        let command = if run.manifest.hash.is_some() { run.show_command() } else { run.resume_command() };
        Some(Details { facts: facts(&run.manifest), results: results(&run), command })
    }

    fn folder(&self, run: &Run) -> Option<PathBuf> {
        Some(self.data.as_deref()?.join("lab").join(&run.name))
    }
}

/// The text of a file, unless it is too long to be shown.
fn text(path: &Path) -> Option<String> {
    (fs::metadata(path).ok()?.len() <= LARGEST).then(|| fs::read_to_string(path).ok())?
}

fn look(data: &Path) -> Vec<Run> {
    // A folder that cannot be read has no runs to show.
    let mut all = campaign::list(data).unwrap_or_default();
    all.sort_by(|a, b| b.started.cmp(&a.started).then_with(|| a.name.cmp(&b.name)));
    all.into_iter().take(LISTED).map(seen).collect()
}

fn seen(status: Status) -> Run {
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
    // What a process that is done did last says nothing any more.
    let doing = if status.state == State::Complete { String::new() } else { status.words.clone() };
    let words = [speed, doing].into_iter().filter(|words| !words.is_empty());
    Run {
        stage,
        found: found(&status),
        words: words.collect::<Vec<_>>().join(" · "),
        // Those of a run that was made longer since show what it was.
        plots: match stage {
            Stage::Finished => status.files.iter().filter(|name| name.ends_with(".svg")).cloned().collect(),
            Stage::Running | Stage::Stopped => Vec::new(),
        },
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
    rate_of(status.good, status.units)
}

fn facts(manifest: &Manifest) -> Vec<(String, String)> {
    let Manifest { started, ended, hash, kachi, hosts, settings, .. } = manifest;
    let plain = |(name, value): (&String, &Value)| match value {
        Value::String(text) => Some((name.clone(), text.clone())),
        Value::Number(number) => Some((name.clone(), number.to_string())),
        Value::Bool(flag) => Some((name.clone(), flag.to_string())),
        _ => None,
    };
    let told = [
        ("began", Some(started.clone())),
        ("ended", ended.clone()),
        ("hash", hash.clone()),
        ("kachi", Some(kachi.clone())),
        ("hosts", Some(hosts.join(", "))),
    ];
    let told = told
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value.filter(|value| !value.is_empty())?)));
    let settings_told = settings.as_object().into_iter().flatten().filter_map(plain);
    let players = settings.get("players").and_then(Value::as_array).map_or(&[][..], |players| &players[..]);
    // What the players of a run share, ...
    let shared = players.first().into_iter().flat_map(|player| {
        let told = ["game", "stacks", "deals", "house", "others", "others_options"];
        let plain = told.into_iter().filter_map(move |key| plain((&key.to_owned(), player.get(key)?)));
        let table = table_of(player).map(|table| match table {
            TableOf::Needed { words, build } => format!("{words}: {build}"),
            TableOf::Missing => "none".to_owned(),
        });
        plain.chain(table.map(|table| ("table".to_owned(), table)))
    });
    // ... and what tells them apart.
    let options = players.iter().filter_map(|player| {
        let options = player.get("options").and_then(Value::as_str)?;
        Some((name(player), options.to_owned()))
    });
    told.chain(settings_told).chain(shared).chain(options).collect()
}

/// What a finished run shows. A run that was made longer since has nothing to show until it is finished again.
fn results(run: &campaign::Run) -> Option<Results> {
    let manifest = &run.manifest;
    manifest.hash.as_ref()?;
    let json = |file: &str| serde_json::from_str::<Value>(&text(&run.path().join(file))?).ok();
    let summary = json("summary.json")?;
    match manifest.campaign.what.kind() {
        "simulation" | "comparison" => {
            let Shown { players, comparisons } = serde_json::from_value(summary).ok()?;
            let times: Vec<Timing> =
                json("timing.json").and_then(|times| serde_json::from_value(times).ok()).unwrap_or_default();
            let row = |(place, player): (usize, &kachi_lab::simulate::Summary)| {
                let time = times.get(place).map(|timing| seconds(timing.mean)).unwrap_or_default();
                [name(&player.settings), found_by(player), deals(player), time]
            };
            let rows = players.iter().enumerate().map(row).collect();
            Some(Results::Games { rows, comparisons: comparisons.iter().map(on_the_same_deals).collect() })
        }
        "claims" => {
            let cases = summary.get("cases").and_then(Value::as_u64)?;
            let rows = serde_json::from_value(summary.get("verdicts")?.clone()).ok()?;
            Some(Results::Claims { rows, cases })
        }
        _ => {
            let number = |key: &str| summary.get(key).and_then(Value::as_u64).map(grouped);
            let start = summary.pointer("/table/start").and_then(Value::as_f64);
            let bytes = summary.pointer("/table/bytes").and_then(Value::as_u64);
            let told = [
                ("stacks", number("stacks")),
                ("chains", number("chains")),
                ("ranks", number("ranks")),
                ("states", number("states")),
                ("placements", number("placements")),
                ("chance at the start", start.map(|start| format!("{start:.12}"))),
                ("bytes", bytes.map(grouped)),
            ];
            Some(Results::Levels(told.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()))
        }
    }
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
        assert!(run.plots.is_empty(), "what it had shown before it was made longer");
        assert_eq!(seen(Status { state: State::Complete, ..status() }).plots, ["lost.svg", "time.svg"]);
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
        let finished = seen(Status { state: State::Complete, ..status() });
        *lab.seen.lock().unwrap() = Some((Instant::now(), Arc::new(vec![finished])));
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

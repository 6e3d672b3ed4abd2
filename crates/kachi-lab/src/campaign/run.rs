//! The folder of a run.
//!
//! ```text
//! manifest.json     what, by which version, from when to when, on which hosts; the hash when it is finished
//! lock              held by the process that is at it; empty
//! shards/, times/   finished shards with their seals; what they cost
//! parts/            what was put aside of shards that were interrupted
//! status.json       how far it is, renewed every second
//! results.parquet   all results in their order (at the end)
//! summary.json      what they show; timing.json: what they cost; *.svg: the pictures
//! ```
//!
//! The same bytes for every run of the campaign: `shards/`, `results.parquet`, `summary.json`, the pictures but `time.svg`, and the manifest but its hosts
//! and times. `status.json`, `times/`, `parts/`, `timing.json` and `time.svg` differ from run to run.

use super::clean::check_free;
use super::command::shell_word;
use super::file::Campaign;
use super::moment;
use super::rows;
use super::status::{Live, State};
use super::study::Study;
use crate::work::store::{cannot_read, cannot_write, checksum, is_file_of_a_run, write_whole};
use crate::work::{Ended, Engine, Made, OnDisk, Progress, Schedule, Shard, Store, Watch, Work};
use kachi_core::Error;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The layout of the files; another number means another layout.
pub const FORMAT: u32 = 2;

/// The version that made the shards.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What a folder holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The layout.
    pub format: u32,
    /// The version of kachi that made the shards.
    pub kachi: String,
    /// What is to be done.
    pub campaign: Campaign,
    /// Everything the results depend on, as the work tells it: players with their options, generators, seeds, tables.
    pub settings: Value,
    /// The hosts that worked on it.
    pub hosts: Vec<String>,
    /// When it began.
    pub started: String,
    /// When it was finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    /// By which it is cited, once it is finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
}

/// A run in its folder.
#[derive(Debug, Clone)]
pub struct Run {
    path: PathBuf,
    /// What the folder holds.
    pub manifest: Manifest,
}

/// What became of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Everything is done and written.
    Complete {
        /// What it shows.
        summary: Value,
        /// What it cost.
        timing: Option<Value>,
        /// By which it is cited.
        hash: String,
        /// Shards that were damaged and made again.
        mended: Vec<String>,
    },
    /// It was asked to stop; `resume` goes on.
    Stopped(Progress),
}

/// The code of the error for a run that is to be imported first.
pub(super) const EARLIER: &str = "earlier_layout";

impl Run {
    /// Begins a run in a folder, or opens the one of the same campaign that is there. A campaign that only goes further (more games, larger sizes)
    /// is the same one.
    ///
    /// # Errors
    /// `other_run` if the folder holds something else, `shorter_run` if what it holds is finished and goes further, `other_version` if another version began
    /// it, `foreign_folder` if it is no run's, `cannot_write`, `disk_full`.
    pub fn begin(path: &Path, campaign: &Campaign, study: &dyn Study) -> Result<Run, Error> {
        let settings = study.settings();
        match Run::find(path)? {
            Some(mut run) => {
                run.check_version()?;
                if run.manifest.settings != settings
                    || run.manifest.campaign.what.kind() != campaign.what.kind()
                {
                    return Err(other_run(path, &run.manifest.settings, &settings));
                }
                // Written when it is run: another process may be at it, and then its manifest is not ours to change.
                if run.manifest.campaign != *campaign {
                    run.check_reached_by(study)?;
                    run.manifest.campaign = campaign.clone();
                    (run.manifest.ended, run.manifest.hash) = (None, None);
                }
                Ok(run)
            }
            None => {
                check_free(path)?;
                fs::create_dir_all(path).map_err(|error| cannot_write(path, &error))?;
                let manifest = Manifest {
                    format: FORMAT,
                    kachi: VERSION.to_owned(),
                    campaign: campaign.clone(),
                    settings,
                    hosts: Vec::new(),
                    started: moment::now(),
                    ended: None,
                    hash: None,
                };
                let run = Run { path: path.to_owned(), manifest };
                run.write_manifest()?;
                Ok(run)
            }
        }
    }

    /// Results that somebody may have cited are not replaced by fewer.
    fn check_reached_by(&self, study: &dyn Study) -> Result<(), Error> {
        let summary = self.manifest.hash.as_ref().and_then(|_| self.json("summary.json"));
        if summary.is_none_or(|summary| study.reaches(&summary)) {
            return Ok(());
        }
        let message = format!(
            "{} is finished and goes further: its results, and the hash they are cited by, would be replaced",
            self.path.display()
        );
        Err(Error::new("shorter_run", message)
            .hint(format!("{} tells what it holds; --out begins in another folder", self.show_command())))
    }

    /// The run that a folder holds, if it holds one.
    ///
    /// # Errors
    /// `earlier_layout`; `foreign_folder` if there is a manifest that is not ours, or of a layout that is not known.
    pub fn find(path: &Path) -> Result<Option<Run>, Error> {
        let file = path.join("manifest.json");
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(cannot_read(&file, &error)),
        };
        let foreign = |why: String| {
            Error::new("foreign_folder", format!("{} is no manifest of a run: {why}", file.display()))
        };
        let value: Value = serde_json::from_str(&text)
            .map_err(|error| foreign(error.to_string()).hint("name another folder"))?;
        match value.get("format").and_then(Value::as_u64) {
            Some(2) => {}
            Some(1) => {
                let message = format!("{} holds a run of the earlier layout", path.display());
                let word = shell_word(&path.display().to_string());
                return Err(Error::new(EARLIER, message).hint(format!("kachi lab import {word}")));
            }
            Some(other) => {
                return Err(foreign(format!("its layout is {other}, this program knows {FORMAT}"))
                    .hint("use the version of kachi that made it"));
            }
            None => return Err(foreign("it names no layout".to_owned()).hint("name another folder")),
        }
        let manifest = serde_json::from_value(value)
            .map_err(|error| foreign(error.to_string()).hint("name another folder"))?;
        Ok(Some(Run { path: path.to_owned(), manifest }))
    }

    /// As [`Run::find`], for a folder that must hold a run.
    ///
    /// # Errors
    /// `no_run`, and those of [`Run::find`].
    pub fn at(path: &Path) -> Result<Run, Error> {
        Run::find(path)?.ok_or_else(|| {
            Error::new("no_run", format!("{} holds no run", path.display()))
                .hint("kachi lab list shows the runs there are")
        })
    }

    /// Another version may play other moves or count other cases: its shards are not mixed with ours.
    ///
    /// # Errors
    /// `other_version`.
    pub fn check_version(&self) -> Result<(), Error> {
        if self.manifest.kachi == VERSION {
            return Ok(());
        }
        let message = format!(
            "{} was begun by kachi {}, and this is {VERSION}: their results must not be mixed",
            self.path.display(),
            self.manifest.kachi
        );
        Err(Error::new("other_version", message)
            .hint("go on with the version that began it, or begin anew in another folder with --out"))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The last part of its path.
    #[must_use]
    pub fn name(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// What its shards are sealed with: a number that changes with everything that they depend on.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let Manifest { format, kachi, settings, .. } = &self.manifest;
        checksum(json!([format, kachi, settings]).to_string().as_bytes())
    }

    /// Its shards.
    ///
    /// # Errors
    /// `cannot_write`.
    pub fn store(&self) -> Result<OnDisk, Error> {
        OnDisk::open(&self.path, &self.fingerprint())
    }

    fn write_manifest(&self) -> Result<(), Error> {
        self.write("manifest.json", pretty(&self.manifest).as_bytes())
    }

    /// Writes a file of the run, whole or not at all.
    ///
    /// # Errors
    /// `cannot_write`, `disk_full`.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        write_whole(&self.path.join(name), |out| out.write_all(bytes))
    }

    /// Makes what is missing, sums up, and gives the run its hash.
    ///
    /// # Errors
    /// `already_running`, and what the work, the engine and the disk report; what was kept until then stays.
    pub fn run(
        &mut self,
        study: &dyn Study,
        engine: &dyn Engine,
        watch: Watch<'_>,
    ) -> Result<Outcome, Error> {
        self.check_version()?;
        self.make(study, engine, watch)
    }

    /// Sums up a run whose shards are all there, whatever version made them: nothing is made, so nothing is mixed.
    ///
    /// # Errors
    /// `already_running`, `unfinished`, and what the disk reports.
    pub fn sum_up(&mut self, study: &dyn Study) -> Result<Outcome, Error> {
        match self.make(study, &Nobody, Watch::default())? {
            Outcome::Stopped(_) => Err(unfinished(self)),
            complete @ Outcome::Complete { .. } => Ok(complete),
        }
    }

    fn make(&mut self, study: &dyn Study, engine: &dyn Engine, watch: Watch<'_>) -> Result<Outcome, Error> {
        let store = self.store()?;
        let live = Live::begin(&self.path, study)?;
        store.sweep();
        for host in engine.hosts() {
            if !self.manifest.hosts.contains(&host) {
                self.manifest.hosts.push(host);
            }
        }
        self.write_manifest()?;
        let last = Mutex::new(Progress::default());
        let hear = |progress: &Progress| {
            progress.clone_into(&mut last.lock().unwrap_or_else(PoisonError::into_inner));
            (watch.hear)(progress);
        };
        let ended = live.during(&last, || engine.run(study, &store, Watch { stop: watch.stop, hear: &hear }));
        let progress = last.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match ended {
            Ok(Ended::Complete) => {
                let made = self.finish(study, &store);
                live.end(&progress, if made.is_ok() { State::Complete } else { State::Failed });
                made
            }
            Ok(Ended::Stopped) => {
                live.end(&progress, State::Stopped);
                Ok(Outcome::Stopped(progress))
            }
            Err(error) => {
                live.end(&progress, State::Failed);
                Err(error)
            }
        }
    }

    /// Writes results, summary and pictures from the shards.
    fn finish(&mut self, study: &dyn Study, store: &OnDisk) -> Result<Outcome, Error> {
        // What could not be read while the work was done has been made again since.
        let _ = store.take_unreadable();
        let whole = Whole { store, lacking: Mutex::default() };
        let columns = study.columns();
        let mut count = 0;
        let mut lacking = None;
        let written = write_whole(&self.path.join("results.parquet"), |out| {
            let mut rows = study.rows(&whole).inspect(|_| count += 1);
            rows::parquet(out, &columns, &mut rows)?;
            drop(rows);
            // Rows that are not all there must not take the place of those that are.
            lacking = whole.check().and_then(|()| check_length(study.length(), count)).err();
            if lacking.is_some() { Err(io::Error::other("rows are lacking")) } else { Ok(()) }
        });
        if let Some(lacking) = lacking {
            return Err(lacking);
        }
        written?;
        let (summary, timing) = (study.summary(&whole), study.timing(&whole));
        let pictures = study.pictures(&whole);
        whole.check()?;
        self.write("summary.json", pretty(&summary).as_bytes())?;
        if let Some(timing) = &timing {
            self.write("timing.json", pretty(timing).as_bytes())?;
        }
        for picture in pictures {
            debug_assert!(is_file_of_a_run(picture.name), "{} would never be cleaned", picture.name);
            self.write(picture.name, picture.svg.as_bytes())?;
        }
        let hash = self.hash()?;
        if self.manifest.hash.as_ref() != Some(&hash) {
            self.manifest.hash = Some(hash.clone());
            self.manifest.ended = Some(moment::now());
        }
        self.write_manifest()?;
        study.close()?;
        Ok(Outcome::Complete { summary, timing, hash, mended: store.damaged() })
    }

    /// SHA-256 of the manifest without times and hosts, of the results and of the summary, as they are in the folder.
    ///
    /// # Errors
    /// `cannot_read`.
    pub fn hash(&self) -> Result<String, Error> {
        let Manifest { format, kachi, campaign, settings, .. } = &self.manifest;
        let mut sum = Sha256::new();
        // Titles are for people and may be improved.
        let what = Campaign { title: String::new(), ..campaign.clone() };
        let asked = json!([format, kachi, what, settings]).to_string().into_bytes();
        sum.update((asked.len() as u64).to_le_bytes());
        sum.update(&asked);
        for name in ["results.parquet", "summary.json"] {
            let path = self.path.join(name);
            add_file(&mut sum, &path).map_err(|error| cannot_read(&path, &error))?;
        }
        Ok(sum.finalize().iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        }))
    }

    /// A file of the run.
    ///
    /// # Errors
    /// `cannot_read`.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, Error> {
        let path = self.path.join(name);
        fs::read(&path).map_err(|error| cannot_read(&path, &error))
    }

    /// A JSON file of the run, if it is there and whole.
    #[must_use]
    pub fn json(&self, name: &str) -> Option<Value> {
        serde_json::from_slice(&self.read(name).ok()?).ok()
    }

    /// Is the finished run what it was when it got its hash?
    ///
    /// # Errors
    /// `unfinished`, `damaged_run`.
    pub fn check_hash(&self) -> Result<&str, Error> {
        let Some(known) = &self.manifest.hash else { return Err(unfinished(self)) };
        match self.hash() {
            Ok(now) if now == *known => Ok(known),
            _ => Err(Error::new(
                "damaged_run",
                format!("the results of {} are not those that got the hash {known}", self.path.display()),
            )
            .hint(format!("{} makes them again from the shards", self.resume_command()))),
        }
    }

    /// All files of the run that are worth looking at, in the order of their names.
    #[must_use]
    pub fn files(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(&self.path) else { return Vec::new() };
        let mut names: Vec<String> = entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| !name.starts_with('.') && name.contains('.'))
            .collect();
        names.sort();
        names
    }
}

/// Length and bytes of a file that may be longer than memory.
fn add_file(sum: &mut Sha256, path: &Path) -> io::Result<()> {
    let mut file = File::open(path)?;
    sum.update(file.metadata()?.len().to_le_bytes());
    let mut part = vec![0; 1 << 16];
    loop {
        match file.read(&mut part) {
            Ok(0) => return Ok(()),
            Ok(read) => sum.update(&part[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The store of a run whose shards are all there. One that is not there after all was lost in between, and what is made without it does not count.
struct Whole<'s> {
    store: &'s OnDisk,
    lacking: Mutex<Option<Shard>>,
}

impl Whole<'_> {
    fn check(&self) -> Result<(), Error> {
        if let Some(error) = self.store.take_unreadable() {
            return Err(error.hint("the results are as they were; kachi lab resume tries again"));
        }
        match *self.lacking.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(shard) => Err(lost(format!("the shard {shard} was there and is lost"))),
            None => Ok(()),
        }
    }
}

fn check_length(known: Option<u64>, count: u64) -> Result<(), Error> {
    match known {
        Some(known) if known != count => {
            Err(lost(format!("{count} results were found where {known} were made")))
        }
        _ => Ok(()),
    }
}

fn lost(message: String) -> Error {
    Error::new("lost_shard", message).hint("kachi lab resume makes it again")
}

impl Store for Whole<'_> {
    fn result(&self, shard: Shard) -> Option<Vec<u8>> {
        let result = self.store.result(shard);
        if result.is_none() {
            self.lacking.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(shard);
        }
        result
    }

    fn cost(&self, shard: Shard) -> Option<Vec<u8>> {
        self.store.cost(shard)
    }

    fn keep(&self, shard: Shard, made: &Made) -> Result<(), Error> {
        self.store.keep(shard, made)
    }

    fn part(&self, shard: Shard) -> Option<Made> {
        self.store.part(shard)
    }

    fn put(&self, shard: Shard, part: &Made) -> Result<(), Error> {
        self.store.put(shard, part)
    }
}

/// An engine that makes nothing: it only looks whether everything is there.
struct Nobody;

impl Engine for Nobody {
    fn run(&self, work: &dyn Work, store: &dyn Store, watch: Watch<'_>) -> Result<Ended, Error> {
        let mut schedule = Schedule::new(work, store);
        let is_over = schedule.look_over();
        (watch.hear)(schedule.progress());
        Ok(if is_over { Ended::Complete } else { Ended::Stopped })
    }

    fn hosts(&self) -> Vec<String> {
        Vec::new()
    }
}

fn unfinished(run: &Run) -> Error {
    Error::new("unfinished", format!("{} is not finished", run.path.display())).hint(run.resume_command())
}

pub(crate) fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

fn other_run(path: &Path, known: &Value, wanted: &Value) -> Error {
    Error::new("other_run", format!("{} holds another run: {}", path.display(), difference(known, wanted)))
        .hint("name another folder with --out, or remove this one")
}

/// The first place in which two settings differ.
fn difference(known: &Value, wanted: &Value) -> String {
    let player = known.get("player").filter(|player| wanted.get("player") == Some(player));
    let options = [known, wanted].map(|settings| settings.get("options").and_then(Value::as_str));
    if let (Some(player), [Some(known), Some(wanted)]) = (player.and_then(Value::as_str), options)
        && known != wanted
    {
        // A player is known by its name; its options are long, and most of them the same.
        let [known, wanted] = differing(known, wanted);
        return format!("its player {player} has {known}, not {wanted}");
    }
    match (known, wanted) {
        (Value::Object(a), Value::Object(b)) => {
            let keys = a.keys().chain(b.keys());
            let differing = keys.into_iter().find(|key| a.get(*key) != b.get(*key));
            differing.map_or_else(String::new, |key| {
                let of = |map: &serde_json::Map<String, Value>| map.get(key).cloned().unwrap_or_default();
                let inner = difference(&of(a), &of(b));
                if inner.starts_with("it has") { format!("{key}: {inner}") } else { inner }
            })
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let pair = a.iter().zip(b).find(|(a, b)| a != b);
            pair.map_or_else(String::new, |(a, b)| difference(a, b))
        }
        _ => format!("it has {known}, not {wanted}"),
    }
}

/// The parts in which two texts differ, from the beginning of a setting to the end of another.
fn differing<'t>(known: &'t str, wanted: &'t str) -> [&'t str; 2] {
    const ENDS: [char; 7] = [',', ';', '{', '}', '(', ')', ' '];
    let pairs = || known.char_indices().zip(wanted.chars());
    let same = pairs().find(|((_, a), b)| a != b).map_or(known.len().min(wanted.len()), |((at, _), _)| at);
    // A setting that ends in both texts is the same one. Otherwise its name belongs to its value: "look: 0", not "0".
    let over =
        [known, wanted].map(|text| text[same..].chars().next().is_none_or(|next| ENDS.contains(&next)));
    let before = match over {
        [true, true] => same,
        _ => known[..same].trim_end_matches(|c: char| !",;{}()".contains(c)).len(),
    };
    let [known, wanted] =
        [&known[before..], &wanted[before..]].map(|text| text.trim_start_matches([',', ';', ' ']));
    let tail: usize = (known.chars().rev().zip(wanted.chars().rev()))
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum();
    let ended = |text: &'t str| {
        let end = text.len() - tail.min(text.len());
        let rest = text[end..].find(ENDS).map_or(text.len(), |more| end + more);
        text[..rest].trim_end_matches([',', ';', ' '])
    };
    let parts = [ended(known), ended(wanted)];
    parts.map(|part| if part.is_empty() { "nothing" } else { part })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_difference_in_the_options_of_a_player_is_told_by_the_setting_alone() {
        for (known, wanted, parts) in [
            ("Plans { look: 0, net: None }", "Plans { look: 1, net: None }", ["look: 0", "look: 1"]),
            ("Plans { look: 10, net: 1 }", "Plans { look: 100, net: 1 }", ["look: 10", "look: 100"]),
            ("Plans { look: 1 }", "Plans { look: 1, deep: true }", ["nothing", "deep: true"]),
            ("P { a: Q { b: 1, c: 2 } }", "P { a: Q { b: 1, c: 3 } }", ["c: 2", "c: 3"]),
            ("a", "b", ["a", "b"]),
            ("", "b", ["nothing", "b"]),
            ("単 { x: é }", "単 { x: è }", ["x: é", "x: è"]),
        ] {
            assert_eq!(differing(known, wanted), parts, "{known} and {wanted}");
            assert_eq!(differing(wanted, known), [parts[1], parts[0]], "{wanted} and {known}");
            let settings =
                |options| json!({"players": [{"player": "plans", "options": options, "stacks": 3}]});
            let told = difference(&settings(known), &settings(wanted));
            assert_eq!(told, format!("its player plans has {}, not {}", parts[0], parts[1]));
        }
        let told = difference(&json!({"players": [{"player": "a"}]}), &json!({"players": [{"player": "b"}]}));
        assert_eq!(told, "player: it has \"a\", not \"b\"");
    }

    proptest! {
        // A run is told apart by its settings, and the chance of a table at its start is one of them: what is read back must be what was written.
        #[test]
        fn settings_survive_the_manifest(start in any::<f64>().prop_filter("JSON has no such number", |x| x.is_finite()), small in 0.0..1e-6_f64) {
            let settings = json!({ "start": start, "small": small, "known": 5.585665663893765e-8 });
            let read: Value = serde_json::from_str(&pretty(&settings)).unwrap();
            prop_assert_eq!(&read, &settings, "{}", difference(&read, &settings));
        }
    }
}

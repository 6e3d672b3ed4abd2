//! Who is at a run, and how far it is. A lock that the system gives back when a process ends, however it ends, keeps others out; a small file
//! renewed every second tells people in front of a list, and other processes.

use super::moment;
use super::run::{EARLIER, Run};
use super::study::Study;
use crate::simulate;
use crate::work::store::{cannot_write, temporary};
use crate::work::threads::host;
use crate::work::{Progress, Work};
use kachi_core::Error;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What a run is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// A process is at it.
    Running,
    /// It was interrupted; `resume` goes on.
    Stopped,
    /// Something went wrong; `resume` tries again.
    Failed,
    /// Everything is done.
    Complete,
    /// A run of the earlier layout, to be imported.
    Earlier,
    /// There is a manifest, but it cannot be read.
    Unreadable,
}

/// One run of a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Status {
    /// The name of its folder.
    pub name: String,
    /// The folder.
    pub path: PathBuf,
    /// `simulation`, `comparison`, `claims`, `table`, `counts`.
    pub kind: String,
    /// A line for people.
    pub title: String,
    /// What it is doing.
    pub state: State,
    /// How much is done.
    pub done: u64,
    /// Of how much; 0 if nobody knows yet.
    pub total: u64,
    /// What is counted: `games`, `sizes`, `levels`.
    pub unit: String,
    /// Units of the work done: games, cases, states.
    pub units: u64,
    /// Games won among them, where their share says something.
    pub good: u64,
    /// Units a second in the last process.
    pub rate: f64,
    /// What a worker is doing, in words.
    pub words: String,
    /// When it began.
    pub started: String,
    /// When it was finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    /// By which it is cited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// The files to look at.
    pub files: Vec<String>,
}

/// The contents of `status.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Written {
    state: State,
    process: u32,
    host: String,
    /// Seconds since 1970.
    renewed: u64,
    done: u64,
    total: u64,
    unit: String,
    units: u64,
    good: u64,
    rate: f64,
    words: String,
}

const FILE: &str = "status.json";
const EVERY: Duration = Duration::from_secs(1);
/// A process that has not written for so long is gone, or so busy that it makes no difference.
const SILENT: u64 = 10;

impl Written {
    fn read(path: &Path) -> Option<Written> {
        serde_json::from_slice(&fs::read(path.join(FILE)).ok()?).ok()
    }

    /// Is the process that wrote it still at it, as far as can be told?
    fn is_alive(&self) -> bool {
        if self.state != State::Running || moment::seconds().saturating_sub(self.renewed) > SILENT {
            return false;
        }
        let here = Path::new("/proc/self").exists() && self.host == host();
        !here || Path::new(&format!("/proc/{}", self.process)).exists()
    }
}

/// The file that whoever works on a run has locked; nothing is in it.
pub(super) const LOCK: &str = "lock";

/// Locks a run, if its file system knows locks.
///
/// # Errors
/// `already_running` if another process has it, `cannot_write`.
fn lock(path: &Path) -> Result<Option<File>, Error> {
    let file = path.join(LOCK);
    let opened = File::options().create(true).append(true).open(&file);
    let opened = opened.map_err(|error| cannot_write(&file, &error))?;
    match opened.try_lock() {
        Ok(()) => Ok(Some(opened)),
        Err(TryLockError::WouldBlock) => Err(already_running(path, Written::read(path).as_ref())),
        // The status has to do then.
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

fn already_running(path: &Path, other: Option<&Written>) -> Error {
    let who = other.map_or_else(
        || "another process".to_owned(),
        |other| format!("process {} on {}", other.process, other.host),
    );
    Error::new("already_running", format!("{who} is at {} already", path.display()))
        .hint("wait for it, or stop it with Ctrl-C or kill")
}

/// A run that no other process is at, for as long as this is kept.
#[derive(Debug)]
pub(super) struct Hold(#[allow(dead_code, reason = "it is unlocked when it is dropped")] Option<File>);

impl Hold {
    /// Keeps other processes from a run.
    ///
    /// # Errors
    /// `already_running` if another process is at it, `cannot_write`.
    pub(super) fn of(path: &Path) -> Result<Hold, Error> {
        let lock = lock(path)?;
        // A lock may be known to one machine only: who is at it elsewhere is known from what he writes.
        let other = Written::read(path).filter(|other| {
            let here = other.host == host();
            let unlocked = lock.is_none() && other.process != std::process::id();
            other.is_alive() && (!here || unlocked)
        });
        match other {
            Some(other) => Err(already_running(path, Some(&other))),
            None => Ok(Hold(lock)),
        }
    }
}

/// The status of a run while a process is at it.
pub(super) struct Live {
    path: PathBuf,
    _hold: Hold,
    began: Instant,
    total: Option<u64>,
    unit: &'static str,
    /// Does the share of units that went well say something?
    has_rate: bool,
    stage: &'static str,
}

impl Live {
    /// Takes the run over.
    ///
    /// # Errors
    /// `already_running` if another process is at it, `cannot_write`.
    pub(super) fn begin(path: &Path, study: &dyn Study) -> Result<Live, Error> {
        let hold = Hold::of(path)?;
        let stage = match study.unit() {
            "cases" => "sizes",
            "states" => "levels",
            _ => "stages",
        };
        let live = Live {
            path: path.to_owned(),
            _hold: hold,
            began: Instant::now(),
            total: Work::units(study),
            unit: study.unit(),
            has_rate: study.success().is_some(),
            stage,
        };
        live.write(&Progress::default(), State::Running);
        Ok(live)
    }

    /// Renews the file every second while something is done.
    pub(super) fn during<T>(&self, progress: &Mutex<Progress>, work: impl FnOnce() -> T) -> T {
        let over = (Mutex::new(false), Condvar::new());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut is_over = over.0.lock().unwrap_or_else(PoisonError::into_inner);
                while !*is_over {
                    let now = progress.lock().unwrap_or_else(PoisonError::into_inner).clone();
                    self.write(&now, State::Running);
                    is_over = over.1.wait_timeout(is_over, EVERY).unwrap_or_else(PoisonError::into_inner).0;
                }
            });
            // Whatever becomes of the work, the thread must end.
            struct Ring<'o>(&'o (Mutex<bool>, Condvar));
            impl Drop for Ring<'_> {
                fn drop(&mut self) {
                    *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
                    self.0.1.notify_all();
                }
            }
            let _ring = Ring(&over);
            work()
        })
    }

    pub(super) fn end(&self, progress: &Progress, state: State) {
        self.write(progress, state);
    }

    fn write(&self, progress: &Progress, state: State) {
        let Progress { tally, found, stages, all_stages, words, .. } = progress;
        let (done, total, unit) = match self.total {
            Some(total) => (tally.units, total, self.unit),
            None => (*stages, *all_stages, self.stage),
        };
        let fresh = tally.units.saturating_sub(found.units) as f64;
        let written = Written {
            state,
            process: std::process::id(),
            host: host(),
            renewed: moment::seconds(),
            done,
            total,
            unit: unit.to_owned(),
            units: tally.units,
            good: if self.has_rate { tally.good } else { 0 },
            rate: fresh / self.began.elapsed().as_secs_f64().max(1e-3),
            words: words.clone(),
        };
        // The status is for looking at; a disk that does not take it stops nothing.
        let target = self.path.join(FILE);
        let temporary = temporary(&target);
        let bytes = serde_json::to_vec(&written).unwrap_or_default();
        if fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, &target)).is_err() {
            let _ = fs::remove_file(&temporary);
        }
    }
}

impl Status {
    /// The status of the run in a folder; nothing if it holds none.
    #[must_use]
    pub fn of(path: &Path) -> Option<Status> {
        match Run::find(path) {
            Ok(Some(run)) => Some(Status::of_run(&run)),
            Ok(None) => None,
            // A file among the folders is no run.
            Err(_) if !path.is_dir() => None,
            Err(error) if error.code == EARLIER => match simulate::Folder::find(path) {
                Ok(folder) => Some(Status::of_earlier(&folder?)),
                Err(error) => Some(Status::unreadable(path, error)),
            },
            Err(error) => Some(Status::unreadable(path, error)),
        }
    }

    /// A folder whose manifest says nothing: it is told, because somebody's work is in it.
    fn unreadable(path: &Path, error: Error) -> Status {
        let name = last_part(path);
        Status {
            title: name.clone(),
            name,
            path: path.to_owned(),
            kind: "unknown".to_owned(),
            state: State::Unreadable,
            done: 0,
            total: 0,
            unit: String::new(),
            units: 0,
            good: 0,
            rate: 0.0,
            words: error.message,
            started: String::new(),
            ended: None,
            hash: None,
            files: Vec::new(),
        }
    }

    fn of_run(run: &Run) -> Status {
        let manifest = &run.manifest;
        let written = Written::read(run.path());
        let alive = written.as_ref().is_some_and(Written::is_alive);
        let state = match (&manifest.hash, &written) {
            (_, Some(_)) if alive => State::Running,
            (Some(_), _) => State::Complete,
            (None, Some(Written { state: State::Failed, .. })) => State::Failed,
            (None, _) => State::Stopped,
        };
        let zero = Written {
            state,
            process: 0,
            host: String::new(),
            renewed: 0,
            done: 0,
            total: 0,
            unit: String::new(),
            units: 0,
            good: 0,
            rate: 0.0,
            words: String::new(),
        };
        let Written { done, total, unit, units, good, rate, words, .. } = written.unwrap_or(zero);
        let title = &manifest.campaign.title;
        Status {
            name: run.name(),
            path: run.path().to_owned(),
            kind: manifest.campaign.what.kind().to_owned(),
            title: if title.is_empty() { manifest.campaign.name() } else { title.clone() },
            state,
            done,
            total,
            unit,
            units,
            good,
            rate,
            words,
            started: manifest.started.clone(),
            ended: manifest.ended.clone(),
            hash: manifest.hash.clone(),
            files: run.files(),
        }
    }

    fn of_earlier(folder: &simulate::Folder) -> Status {
        let path = folder.path();
        let (mut units, mut good) = (0, 0);
        for game in folder.games() {
            units += 1;
            good += u64::from(game.won);
        }
        let simulation = folder.simulation();
        Status {
            name: last_part(path),
            path: path.to_owned(),
            kind: "simulation".to_owned(),
            title: simulate::plot::name(&simulation.settings),
            state: State::Earlier,
            done: units,
            total: simulation.games,
            unit: "games".to_owned(),
            units,
            good,
            rate: 0.0,
            words: "of the earlier layout; kachi lab import".to_owned(),
            started: String::new(),
            ended: None,
            hash: None,
            files: Vec::new(),
        }
    }
}

fn last_part(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The runs in the folder `lab` of a folder of data, in the order of their names.
///
/// # Errors
/// `cannot_read` if there is a folder that cannot be listed.
pub fn list(data: &Path) -> Result<Vec<Status>, Error> {
    list_in(&data.join("lab"))
}

/// The runs in a folder.
///
/// # Errors
/// `cannot_read` if there is a folder that cannot be listed.
pub fn list_in(folder: &Path) -> Result<Vec<Status>, Error> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(crate::work::store::cannot_read(folder, &error)),
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    Ok(paths.iter().filter_map(|path| Status::of(path)).collect())
}

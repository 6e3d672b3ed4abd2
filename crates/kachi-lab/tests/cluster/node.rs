//! A process of a cluster under test, and how the tests start one.

use calculation::table::Size;
use kachi_core::Error;
use kachi_core::random::Dealer;
use kachi_lab::cluster::handshake::Identity;
use kachi_lab::cluster::local::{Children, started};
use kachi_lab::cluster::table::{Counted, Watch, build, count};
use kachi_lab::cluster::{Config, Hosts, Secret, Session, shards};
use kachi_lab::table::Folder;
use kachi_lab::work::{self, Desk, Made, OnDisk, Shard, Tally, Work, Worker};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const VARIABLE: &str = "KACHI_CLUSTER_NODE";

/// What a process is to do.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Orders {
    pub(crate) job: Job,
    pub(crate) folder: PathBuf,
    pub(crate) process: usize,
    pub(crate) processes: usize,
    pub(crate) workers: usize,
    /// The hosts, if they are not all started by the first process.
    pub(crate) hosts: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) enum Job {
    /// Stacks and ranks.
    Table(u64, u64),
    /// Stacks, chains, cards of a chain.
    Count(usize, usize, usize),
    /// Shards of coins; microseconds for each.
    Coins(u64),
}

/// The first process writes here how many levels of a table were there already.
pub(crate) const RESUMED: &str = "pid-resumed";

pub(crate) const SECRET: &str = "a secret of the tests";

/// A new folder.
pub(crate) fn fresh(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("kachi-cluster-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

impl Orders {
    pub(crate) fn new(job: Job, folder: &Path, processes: usize, workers: usize) -> Orders {
        Orders { job, folder: folder.to_owned(), process: 0, processes, workers, hosts: None }
    }

    /// The command that starts a process with these orders.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["node::node", "--exact", "--nocapture", "--quiet"]);
        command.env(VARIABLE, serde_json::to_string(self).unwrap()).env("KACHI_SECRET", SECRET);
        command
    }

    /// Starts it.
    pub(crate) fn start(&self) -> Child {
        self.command().stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Runs it to its end; it must be a good one.
    pub(crate) fn complete(&self) {
        let done = self.start().wait_with_output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
}

/// What a finished job leaves behind.
pub(crate) fn results(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in std::fs::read_dir(&inner).unwrap().map(|entry| entry.unwrap().path()) {
            let name = entry.strip_prefix(folder).unwrap().display().to_string();
            if entry.is_dir() {
                folders.push(entry);
            } else if !name.starts_with("pid") && !name.starts_with('.') && !name.contains("/.") {
                files.push((name, std::fs::read(&entry).unwrap()));
            }
        }
    }
    files.sort();
    files
}

/// Not a test by itself: a process of a cluster, when it is started as one.
#[test]
fn node() {
    take_part(None);
}

/// Not a test by itself: the same for a process that another one has started. It finds its orders in the environment that both share, and its number among its
/// arguments, in a word that means nothing to the test program.
#[test]
fn child() {
    take_part(std::env::args().find_map(|word| word.strip_prefix("--skip=process-")?.parse().ok()));
}

fn take_part(number: Option<usize>) {
    let Ok(orders) = std::env::var(VARIABLE) else { return };
    let mut orders: Orders = serde_json::from_str(&orders).unwrap();
    orders.process = number.unwrap_or(orders.process);
    std::fs::write(orders.folder.join(format!("pid-{}", orders.process)), std::process::id().to_string())
        .unwrap();
    if let Err(error) = work_on(&orders) {
        eprintln!("error[{}]: {}", error.code, error.message);
        std::process::exit(3);
    }
}

fn work_on(orders: &Orders) -> Result<(), Error> {
    let children;
    let config = match &orders.hosts {
        Some(hosts) => Config {
            hosts: Hosts::parse(hosts)?,
            process: orders.process,
            workers: orders.workers,
            secret: Secret::find(None)?,
            version: Identity::version(),
            patience: Duration::from_secs(20),
            listener: None,
            gone: Default::default(),
            leave: None,
        },
        None if orders.process > 0 => started(orders.process, orders.workers)?,
        None => {
            let program = std::env::current_exe().unwrap();
            let place = |process: usize| {
                vec![
                    "node::child".into(),
                    "--exact".into(),
                    "--nocapture".into(),
                    "--quiet".into(),
                    format!("--skip=process-{process}").into(),
                ]
            };
            let (config, started) = Children::start(&program, orders.processes, orders.workers, &place)?;
            children = started;
            assert_eq!(children.ids().len() + 1, orders.processes);
            config
        }
    };
    let never = AtomicBool::new(false);
    let keep = &|_: &Counted| Ok(());
    let watch = Watch { stop: &never, hear: &|_, _, _| (), memory: 1 << 30, is_over: false, keep };
    let session = Session::join(config, "test", &never, &|note| eprintln!("note: {note}"))?;
    let is_first = session.process() == 0;
    match orders.job {
        Job::Table(stacks, ranks) => {
            let counted = build(session, Size::new(stacks, ranks)?, &Folder::of(&orders.folder), watch)?;
            if is_first {
                std::fs::write(orders.folder.join(RESUMED), counted.resumed.to_string()).unwrap();
            }
        }
        Job::Count(stacks, chains, length) => {
            let counts = count(session, (stacks, chains, length), &orders.folder.join("parts"), watch)?;
            if is_first {
                std::fs::write(orders.folder.join("counts"), format!("{:?}", counts.states)).unwrap();
            }
        }
        Job::Coins(slow) => {
            let watch = work::Watch { stop: &never, hear: &|_| () };
            let store = OnDisk::open(&orders.folder, "coins")?;
            let in_memory = work::InMemory::default();
            let store: &dyn work::Store = if is_first { &store } else { &in_memory };
            shards::make(session, &Coins { slow }, store, watch)?;
        }
    }
    Ok(())
}

/// Two lines of work of three stages; a shard is a few tosses of its own coin.
pub(crate) struct Coins {
    pub(crate) slow: u64,
}

impl Work for Coins {
    fn settings(&self) -> Value {
        json!({"work": "coins"})
    }

    fn lines(&self) -> u32 {
        2
    }

    fn stages(&self, line: u32) -> u32 {
        2 + line
    }

    fn shards(&self, line: u32, stage: u32) -> u64 {
        u64::from(7 * line + 5 * stage + 4)
    }

    fn tally(&self, _: Shard, result: &[u8]) -> Tally {
        Tally { units: result.len() as u64, good: 0 }
    }

    fn unit(&self) -> &'static str {
        "tosses"
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>, Error> {
        Ok(Box::new(Tosser { slow: self.slow }))
    }
}

struct Tosser {
    slow: u64,
}

impl Worker for Tosser {
    fn shard(&mut self, shard: Shard, desk: &mut dyn Desk) -> Result<Option<Made>, Error> {
        let mut dealer =
            Dealer::new(shard.index + 100 * u64::from(shard.stage) + 1000 * u64::from(shard.line));
        let mut result = Vec::new();
        for _ in 0..5 {
            if desk.stopped() {
                return Ok(None);
            }
            std::thread::sleep(Duration::from_micros(self.slow));
            result.push(b'0' + dealer.below(2) as u8);
            desk.tell(Tally { units: 1, good: 0 }, None);
        }
        result.push(b'\n');
        Ok(Some(Made { result, cost: Vec::new() }))
    }
}

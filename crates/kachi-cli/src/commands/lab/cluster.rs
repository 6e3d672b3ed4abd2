//! `kachi lab run --hosts` and `--processes`: this process in its place among many.

use super::run::go;
use crate::failure::{Exit, Failure};
use crate::interrupt;
use crate::scene::Scene;
use clap::Args;
use kachi::core::Error;
use kachi_lab::campaign::{Campaign, Study};
use kachi_lab::cluster::handshake::Identity;
use kachi_lab::cluster::local::{Children, started};
use kachi_lab::cluster::{Cluster, Config, Hosts, Secret};
use kachi_lab::work::{Ended, Engine, InMemory, Watch};
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// More processes than this on one machine are taken for a mistake.
const MOST_HERE: usize = 64;

/// Many processes.
#[derive(Debug, Args)]
pub(super) struct ClusterArgs {
    /// Processes on this machine that share the work
    #[arg(long, value_name = "N", conflicts_with = "hosts", help_heading = "Many processes")]
    processes: Option<NonZeroUsize>,

    /// A file with a line host:port for each process; start the same command on every host
    #[arg(long, value_name = "FILE", requires = "process", help_heading = "Many processes")]
    hosts: Option<PathBuf>,

    /// Which of the hosts this is, from 0; number 0 has the run's folder
    #[arg(long, value_name = "I", help_heading = "Many processes")]
    process: Option<usize>,

    /// Workers of each process; the same everywhere [default: 1]
    #[arg(long, value_name = "W", help_heading = "Many processes")]
    workers: Option<NonZeroUsize>,

    /// A file with the secret that all hosts share; left out: the variable KACHI_SECRET
    #[arg(long, value_name = "FILE", help_heading = "Many processes")]
    secret_file: Option<PathBuf>,

    /// How long to wait for the other hosts, in seconds
    #[arg(long, value_name = "S", default_value_t = 60, help_heading = "Many processes")]
    patience: u64,

    /// This process was started by another one
    #[arg(long, hide = true, requires = "process")]
    started: bool,
}

impl ClusterArgs {
    /// Are there many processes at all?
    pub(super) fn is_asked(&self) -> bool {
        self.processes.is_some() || self.hosts.is_some() || self.process.is_some() || self.started
    }

    fn workers(&self) -> usize {
        self.workers.map_or(1, NonZeroUsize::get)
    }

    /// The place of this process, and those that it has started.
    fn place(&self) -> Result<(Config, Children), Error> {
        let process = self.process.unwrap_or(0);
        if self.started {
            return Ok((started(process, self.workers())?, Children::default()));
        }
        if let Some(processes) = self.processes {
            if processes.get() > MOST_HERE {
                return Err(Error::too_large("processes on one machine", processes.get(), MOST_HERE)
                    .at_field("processes")
                    .hint("one for every core is enough; more machines with --hosts"));
            }
            let program = std::env::current_exe().map_err(|error| {
                Error::new("cannot_start", format!("this program cannot be found: {error}"))
            })?;
            let words: Vec<OsString> = std::env::args_os().skip(1).collect();
            let place = |process: usize| {
                let more = ["--started".into(), "--process".into(), process.to_string().into()];
                words.iter().cloned().chain(more).collect()
            };
            return Children::start(&program, processes.get(), self.workers(), &place);
        }
        let Some(file) = &self.hosts else {
            return Err(Error::new("bad_value", "--process is a place among hosts, and there are none")
                .at_field("process")
                .hint("kachi lab run C.toml --hosts hosts.txt --process 0"));
        };
        let text = std::fs::read_to_string(file)
            .map_err(|error| Error::new("cannot_read", format!("cannot read {}: {error}", file.display())))?;
        let config = Config {
            hosts: Hosts::parse(&text)?,
            process,
            workers: self.workers(),
            secret: Secret::find(self.secret_file.as_deref())?,
            version: Identity::version(),
            patience: Duration::from_secs(self.patience),
            listener: None,
            gone: std::sync::Arc::default(),
            leave: None,
        };
        Ok((config, Children::default()))
    }

    /// Runs a campaign together with the other processes. The first one has the folder and tells the outcome.
    pub(super) fn go(
        &self,
        campaign: &Campaign,
        study: &dyn Study,
        folder: &Path,
        scene: &mut Scene<'_>,
    ) -> Result<Exit, Failure> {
        interrupt::stop_gently();
        let (mut config, children) = self.place()?;
        config.leave = Some(leave);
        let is_first = config.process == 0;
        let note = |note: &str| eprintln!("note: {note}");
        let engine = Cluster::new(config, &note);
        let outcome = if is_first {
            go(campaign, study, folder, &engine, scene)
        } else {
            match assist(study, &engine) {
                // The process that started this one tells the same.
                Err(error) if self.started && error.code == "lost_process" => Ok(Exit::Wrong),
                ended => ended.map_err(Failure::from),
            }
        };
        drop(children);
        outcome
    }
}

/// Works for the first process, which has the store. What it shares with us it also cleans up.
fn assist(study: &dyn Study, engine: &Cluster<'_>) -> Result<Exit, Error> {
    let watch = Watch { stop: &interrupt::STOP, hear: &|_| {} };
    let ended = engine.run(study, &InMemory::default(), watch)?;
    Ok(match ended {
        Ended::Complete => Exit::Answered,
        Ended::Stopped => Exit::Interrupted,
    })
}

/// Ends this process when the run has failed and a thread is in the middle of something that nothing can stop. What is finished is on the disk.
fn leave(error: &Error) {
    let stopped = error.code == "interrupted";
    if std::env::args_os().any(|word| word == "--json") {
        println!("{}", serde_json::json!({ "error": error }));
    } else if stopped {
        eprintln!("Stopped; everything finished is kept, and the same command goes on.");
    } else {
        eprintln!("error: {}", error.message);
    }
    std::process::exit(i32::from(if stopped { Exit::Interrupted } else { Exit::Wrong }.code()));
}

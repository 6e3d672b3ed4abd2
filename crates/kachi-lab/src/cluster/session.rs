//! One run of a cluster in this process: connections, timely's workers on threads of ours, and an orderly end.

use super::connect::{Config, connect};
use super::halt::Halt;
use super::mail::{Mail, interrupted};
use super::pulse::Pulse;
use super::wire::{Traffic, Wire};
use kachi_core::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use timely::WorkerConfig;
use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{Allocator, ProcessBuilder};
use timely::worker::Worker;

/// A process in its cluster, ready to work.
pub struct Session {
    processes: usize,
    process: usize,
    workers: usize,
    names: Vec<String>,
    data: Vec<Option<Wire>>,
    pulses: Vec<Pulse>,
    halt: Arc<Halt>,
    traffic: Arc<Traffic>,
    leave: Option<Leave>,
}

/// What a process does that cannot end in order: the program's own way to say why and to exit.
pub type Leave = fn(&Error);

/// Threads that are in the middle of something long have so much time to notice that the run has failed.
const TIDY: Duration = Duration::from_secs(4);

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("process", &self.process)
            .field("hosts", &self.names)
            .finish_non_exhaustive()
    }
}

impl Session {
    /// Joins the cluster: waits until all processes are connected, or `stop` is set. `note` hears of those who were refused.
    ///
    /// # Errors
    /// `interrupted`. Whoever does not come or does not fit: see [`handshake`](super::handshake).
    pub fn join(
        mut config: Config,
        campaign: &str,
        stop: &AtomicBool,
        note: &(dyn Fn(&str) + Sync),
    ) -> Result<Session, Error> {
        if config.workers == 0 {
            return Err(Error::new("bad_value", "a process has at least one worker").at_field("workers"));
        }
        let lines = connect(&mut config, campaign, stop, note)?;
        let (halt, traffic) = (Arc::new(Halt::default()), Arc::new(Traffic::default()));
        let (mut data, mut pulses) = (Vec::new(), Vec::new());
        for (other, line) in lines.into_iter().enumerate() {
            data.push(match line {
                Some((stream, pulse)) => {
                    let name = format!("process {other} ({})", config.hosts.names()[other]);
                    pulses.push(Pulse::begin(pulse, other, &name, &halt)?);
                    Some(Wire::new(stream, &name, &traffic, &halt))
                }
                None => None,
            });
        }
        Ok(Session {
            processes: config.hosts.processes(),
            process: config.process,
            workers: config.workers,
            names: config.hosts.names().to_vec(),
            data,
            pulses,
            halt,
            traffic,
            leave: config.leave,
        })
    }

    /// A cluster of this process alone.
    #[must_use]
    pub fn alone(workers: usize) -> Session {
        Session {
            processes: 1,
            process: 0,
            workers: workers.max(1),
            names: vec![crate::work::threads::host()],
            data: vec![None],
            pulses: Vec::new(),
            halt: Arc::default(),
            traffic: Arc::default(),
            leave: None,
        }
    }

    /// Which process this is.
    #[must_use]
    pub fn process(&self) -> usize {
        self.process
    }

    /// How many processes there are.
    #[must_use]
    pub fn processes(&self) -> usize {
        self.processes
    }

    /// What each worker may take of the memory of a machine, which the processes on it share.
    #[must_use]
    pub fn share(&self, memory: u64) -> u64 {
        let host = |name: &str| name.rsplit_once(':').map_or(name, |(host, _)| host).to_owned();
        let own = host(&self.names[self.process]);
        let together = self.names.iter().filter(|name| host(name) == own).count();
        memory / (self.workers * together.max(1)) as u64
    }

    /// Workers of each process.
    #[must_use]
    pub fn workers(&self) -> usize {
        self.workers
    }

    /// The hosts, for the manifest.
    #[must_use]
    pub fn hosts(&self) -> &[String] {
        &self.names
    }

    /// Bytes on the network so far.
    #[must_use]
    pub fn traffic(&self) -> Arc<Traffic> {
        self.traffic.clone()
    }

    /// Runs the workers of this process to the end of the work; gives what each of them found, in their order.
    ///
    /// # Errors
    /// What a worker reports, here or in another process; `lost_process` when one of them is gone.
    pub(super) fn run<T: Send>(
        self,
        stop: &AtomicBool,
        work: impl Fn(&mut Mail<'_>) -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error> {
        let hooks = Hooks::default();
        let inner = ProcessBuilder::new_typed_vector(self.workers, hooks.refill.clone(), None);
        let halt = &*self.halt;
        let guard;
        let builders: Vec<Box<dyn FnOnce() -> Allocator + Send>> = if self.processes == 1 {
            guard = None;
            inner.into_iter().map(|one| Box::new(move || Allocator::Process(one.build())) as _).collect()
        } else {
            let made =
                initialize_networking_from_sockets(inner, self.data, self.process, self.workers, hooks);
            let (tcp, threads) = made.map_err(|error| Error::new("no_threads", error.to_string()))?;
            guard = Some(threads);
            tcp.into_iter().map(|one| Box::new(move || Allocator::Tcp(one.build())) as _).collect()
        };
        let hand = |build: Box<dyn FnOnce() -> Allocator + Send>| {
            let worker = Worker::new(WorkerConfig::default(), build(), Some(Instant::now()));
            let mut mail = Mail::new(worker, self.workers, halt, stop);
            let found = work(&mut mail)?;
            mail.end()?;
            Ok(found)
        };
        let hand = |build| {
            let broke = || Err(Error::new("worker_panicked", "a worker broke down"));
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| hand(build)));
            let done = done.unwrap_or_else(|_| broke());
            if let Err(error) = &done {
                halt.fail(error.clone());
            }
            done
        };
        let ended = AtomicBool::new(false);
        let found: Vec<Result<T, Error>> = std::thread::scope(|scope| {
            if let Some(leave) = self.leave {
                let ended = &ended;
                std::thread::Builder::new()
                    .name("watch:end".to_owned())
                    .spawn_scoped(scope, move || leave_if_stuck(halt, stop, ended, leave))
                    .map_err(|error| Error::new("no_threads", error.to_string()))?;
            }
            let threads: Vec<_> = builders.into_iter().map(|build| scope.spawn(|| hand(build))).collect();
            let broke = || Err(Error::new("worker_panicked", "a worker broke down"));
            let found = threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| broke())).collect();
            ended.store(true, Ordering::Relaxed);
            halt.finish();
            Ok(found)
        })?;
        for pulse in self.pulses {
            pulse.end(halt);
        }
        // Its threads wait for connections that have done their duty, some of them for ever; the end of the process takes them along.
        std::mem::forget(guard);
        if !halt.is_done() && stop.load(Ordering::Relaxed) {
            return Err(interrupted());
        }
        halt.check()?;
        found.into_iter().collect()
    }
}

/// A search in the middle of a case asks nobody whether to go on. When the run has failed it may not keep its process, and what it found would be lost anyway.
fn leave_if_stuck(halt: &Halt, stop: &AtomicBool, ended: &AtomicBool, leave: Leave) {
    while halt.wait(TIDY) {}
    let failed = Instant::now();
    while !ended.load(Ordering::Relaxed) {
        if failed.elapsed() >= TIDY {
            // Where a stop was asked for, the others were stopped too, and what they say of it is no failure.
            let why = halt.reason().filter(|_| !stop.load(Ordering::Relaxed));
            leave(&why.unwrap_or_else(interrupted));
            return;
        }
        std::thread::sleep(TIDY / 40);
    }
}

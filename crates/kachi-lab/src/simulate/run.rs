//! The threads of a run. Each takes the next shard that is not complete, goes on where it ends, and keeps it when it is full, now and then before
//! that, and when the run is asked to stop. So Ctrl-C loses nothing, and `kill -9` no more than the last few seconds.

use crate::simulate::experiment::{Experiment, Played, Worker};
use crate::simulate::folder::{Cost, Folder, Simulation};
use crate::simulate::summary::{self, Summary, Timing};
use kachi_core::Error;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    /// All games are played and summed up.
    Complete(Box<(Summary, Timing)>),
    /// It was asked to stop; running it again goes on.
    Stopped {
        /// Games kept so far.
        games: u64,
        /// How many of these were won.
        won: u64,
    },
}

/// News from a run: games played so far, those of earlier runs among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Games played.
    pub games: u64,
    /// Won among them.
    pub won: u64,
    /// Games found in the folder when the run began.
    pub found: u64,
}

/// How to run a simulation.
pub struct Run<'a> {
    /// Where its files are.
    pub folder: &'a Path,
    /// Threads.
    pub threads: NonZeroUsize,
    /// Set from outside to end early.
    pub stop: &'a AtomicBool,
    /// Told after every game, from any thread.
    pub progress: &'a (dyn Fn(Progress) + Sync),
    /// How long a thread plays before it keeps an unfinished shard.
    pub keep_every: Duration,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl<'a> Run<'a> {
    /// A run in this folder, with one thread, told to nobody.
    #[must_use]
    pub fn new(folder: &'a Path) -> Self {
        let keep_every = Duration::from_secs(10);
        Run { folder, threads: NonZeroUsize::MIN, stop: &NEVER, progress: &|_| {}, keep_every }
    }

    /// Plays what is not yet played, then sums up.
    ///
    /// # Errors
    /// What the folder, a worker or the disk report; what was kept until then stays.
    pub fn play(&self, simulation: &Simulation, experiment: &dyn Experiment) -> Result<Ended, Error> {
        let folder = Folder::open(self.folder, simulation)?;
        let tally = Tally::default();
        let mut open = Vec::new();
        for shard in 0..simulation.shards() {
            let games = folder.shard(shard);
            tally.found(&games);
            let seeds = simulation.seeds(shard);
            if (games.len() as u64) < seeds.end - seeds.start {
                open.push(shard);
            }
        }
        (self.progress)(tally.now());
        self.play_shards(&folder, &open, experiment, &tally)?;
        let Progress { games, won, .. } = tally.now();
        if games < simulation.games {
            return Ok(Ended::Stopped { games, won });
        }
        Ok(Ended::Complete(Box::new(summary::write(&folder)?)))
    }

    fn play_shards(
        &self,
        folder: &Folder,
        open: &[u64],
        experiment: &dyn Experiment,
        tally: &Tally,
    ) -> Result<(), Error> {
        let next = AtomicU64::new(0);
        let failed: Mutex<Option<Error>> = Mutex::new(None);
        let has_failed = AtomicBool::new(false);
        let stopped = || self.stop.load(Ordering::Relaxed) || has_failed.load(Ordering::Relaxed);
        let work = || {
            let mut worker = experiment.worker()?;
            while !stopped() {
                let Some(&shard) = open.get(next.fetch_add(1, Ordering::Relaxed) as usize) else { break };
                self.play_shard(folder, shard, worker.as_mut(), tally, &stopped)?;
            }
            Ok(())
        };
        let guarded = || {
            if let Err(error) = work() {
                has_failed.store(true, Ordering::Relaxed);
                failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        };
        let threads = self.threads.get().min(open.len());
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(guarded);
            }
            if threads > 0 {
                guarded();
            }
        });
        failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    fn play_shard(
        &self,
        folder: &Folder,
        shard: u64,
        worker: &mut dyn Worker,
        tally: &Tally,
        stopped: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        let seeds = folder.simulation().seeds(shard);
        let mut games = folder.shard(shard);
        let known = games.len();
        // Costs of games that were lost with a torn shard would be of no game.
        let mut costs = folder.costs(shard);
        costs.retain(|cost| games.iter().any(|game| game.seed == cost.seed));
        let mut kept = Instant::now();
        for seed in seeds.start + known as u64..seeds.end {
            if stopped() {
                break;
            }
            let (began, cpu) = (Instant::now(), cpu_seconds());
            let game = worker.play(seed)?;
            let seconds = began.elapsed().as_secs_f64();
            let cpu = cpu.and_then(|before| Some((cpu_seconds()? - before).max(0.0)));
            costs.push(Cost { seed, seconds, cpu });
            (self.progress)(tally.played(&game));
            games.push(game);
            if kept.elapsed() >= self.keep_every {
                folder.keep(shard, &games, &costs)?;
                kept = Instant::now();
            }
        }
        if games.len() > known { folder.keep(shard, &games, &costs) } else { Ok(()) }
    }
}

#[derive(Default)]
struct Tally {
    games: AtomicU64,
    won: AtomicU64,
    found: AtomicU64,
}

impl Tally {
    fn found(&self, games: &[Played]) {
        self.games.fetch_add(games.len() as u64, Ordering::Relaxed);
        self.found.fetch_add(games.len() as u64, Ordering::Relaxed);
        let won = games.iter().filter(|game| game.won).count();
        self.won.fetch_add(won as u64, Ordering::Relaxed);
    }

    fn played(&self, game: &Played) -> Progress {
        self.won.fetch_add(u64::from(game.won), Ordering::Relaxed);
        self.games.fetch_add(1, Ordering::Relaxed);
        self.now()
    }

    fn now(&self) -> Progress {
        Progress {
            games: self.games.load(Ordering::Relaxed),
            won: self.won.load(Ordering::Relaxed),
            found: self.found.load(Ordering::Relaxed),
        }
    }
}

/// Processor time of this thread so far, where the system tells (Linux does, in nanoseconds). On a busy machine it says what a game costs, while the
/// time that passed says how busy the machine was.
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds * 1e-9)
}

//! The engine of one machine: each thread takes the next shard, makes it, and keeps it.

use super::schedule::begun;
use super::{Desk, Ended, Engine, Made, Next, Schedule, Shard, Store, Tally, Watch, Work, Worker};
use kachi_core::Error;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Threads of this machine.
#[derive(Debug, Clone, Copy)]
pub struct Threads(pub NonZeroUsize);

/// Searches of claims go deep.
const STACK: usize = 8 << 20;

impl Threads {
    /// One for every core.
    #[must_use]
    pub fn all() -> Threads {
        Threads(std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }

    /// So many, or one for every core.
    #[must_use]
    pub fn or_all(threads: Option<NonZeroUsize>) -> Threads {
        threads.map_or_else(Threads::all, Threads)
    }
}

impl Engine for Threads {
    fn run(&self, work: &dyn Work, store: &dyn Store, watch: Watch<'_>) -> Result<Ended, Error> {
        let shop = Shop {
            schedule: Mutex::new(Schedule::new(work, store)),
            news: Condvar::new(),
            store,
            watch,
            over: AtomicBool::new(false),
        };
        let threads = work.workers(self.0.get()).max(1);
        let outcomes: Vec<Result<(), Error>> = std::thread::scope(|scope| {
            let mut hands = Vec::new();
            for number in 0..threads {
                let thread = std::thread::Builder::new().name(format!("worker-{number}")).stack_size(STACK);
                match thread.spawn_scoped(scope, || shop.hand(work)) {
                    Ok(hand) => hands.push(hand),
                    // Fewer hands do the same work.
                    Err(_) if number > 0 => break,
                    Err(error) => return vec![Err(Error::new("no_threads", error.to_string()))],
                }
            }
            hands.into_iter().map(join).collect()
        });
        outcomes.into_iter().collect::<Result<(), Error>>()?;
        let mut schedule = shop.schedule();
        if schedule.look_over() {
            return Ok(Ended::Complete);
        }
        (watch.hear)(schedule.progress());
        Ok(Ended::Stopped)
    }

    fn hosts(&self) -> Vec<String> {
        vec![host()]
    }
}

fn join(hand: std::thread::ScopedJoinHandle<'_, Result<(), Error>>) -> Result<(), Error> {
    hand.join().unwrap_or_else(|_| Err(Error::new("worker_panicked", "a worker broke down")))
}

/// The name of this machine, where the system tells.
#[must_use]
pub fn host() -> String {
    let told = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let told = told.or_else(|| std::env::var("HOSTNAME").ok()).or_else(|| std::env::var("COMPUTERNAME").ok());
    told.map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| "localhost".to_owned())
}

/// What the threads share.
struct Shop<'a> {
    schedule: Mutex<Schedule<'a>>,
    news: Condvar,
    store: &'a dyn Store,
    watch: Watch<'a>,
    /// Somebody failed or gave up: everybody stops.
    over: AtomicBool,
}

impl<'a> Shop<'a> {
    fn schedule(&self) -> MutexGuard<'_, Schedule<'a>> {
        self.schedule.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stopped(&self) -> bool {
        self.watch.stop.load(Ordering::Relaxed) || self.over.load(Ordering::Relaxed)
    }

    /// The work of one thread; a failure ends that of all of them.
    fn hand(&self, work: &dyn Work) -> Result<(), Error> {
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.make_all(work)));
        let done = done.unwrap_or_else(|_| Err(Error::new("worker_panicked", "a worker broke down")));
        if done.is_err() {
            self.over.store(true, Ordering::Relaxed);
        }
        self.news.notify_all();
        done
    }

    fn make_all(&self, work: &dyn Work) -> Result<(), Error> {
        let mut worker: Option<Box<dyn Worker + '_>> = None;
        while let Some(shard) = self.next() {
            // Nobody is hired for work that is done already.
            let worker = match &mut worker {
                Some(worker) => worker,
                none => none.insert(work.worker()?),
            };
            let mut desk = Bench { shop: self, work, shard };
            let Some(made) = worker.shard(shard, &mut desk)? else {
                self.over.store(true, Ordering::Relaxed);
                break;
            };
            self.store.keep(shard, &made)?;
            let mut schedule = self.schedule();
            schedule.done(shard, &made.result);
            (self.watch.hear)(schedule.progress());
            drop(schedule);
            self.news.notify_all();
        }
        Ok(())
    }

    /// Waits for the next shard; nothing when all is done, or when it is time to stop.
    fn next(&self) -> Option<Shard> {
        const LOOK_UP: std::time::Duration = std::time::Duration::from_millis(50);
        let mut schedule = self.schedule();
        loop {
            if self.stopped() {
                return None;
            }
            match schedule.next() {
                Next::Make(shard) => return Some(shard),
                Next::Done => {
                    (self.watch.hear)(schedule.progress());
                    return None;
                }
                // Now and then it looks up by itself, because nobody calls when the stop is set from outside.
                Next::Wait => {
                    let woken = self.news.wait_timeout(schedule, LOOK_UP);
                    schedule = woken.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }
}

/// The desk of one worker for one shard.
struct Bench<'b, 'a> {
    shop: &'b Shop<'a>,
    work: &'b dyn Work,
    shard: Shard,
}

impl Desk for Bench<'_, '_> {
    fn stopped(&self) -> bool {
        self.shop.stopped()
    }

    fn put_aside(&self) -> Option<Made> {
        let part = begun(self.shop.store, self.shard)?;
        let tally = self.work.tally(self.shard, &part.result);
        let mut schedule = self.shop.schedule();
        schedule.found(tally);
        (self.shop.watch.hear)(schedule.progress());
        Some(part)
    }

    fn put(&mut self, part: &Made) -> Result<(), Error> {
        self.shop.store.put(self.shard, part)
    }

    fn tell(&mut self, more: Tally, words: Option<&str>) {
        let mut schedule = self.shop.schedule();
        (self.shop.watch.hear)(schedule.told(more, words));
    }
}

//! Simulations and claims by many processes: the first worker of the first process keeps the schedule and the store, hands out shards to whoever has nothing
//! to do, and keeps what comes back. Shards are made on threads of their own beside the workers of the dataflow, so that letters never wait for a shard.

use super::connect::Config;
use super::job;
use super::mail::{Body, Letter, Mail};
use super::session::Session;
use super::space::garbled;
use crate::work::{Desk, Ended, Engine, Made, Next, Progress, Schedule, Shard, Store, Tally, Watch, Work};
use kachi_core::Error;
use serde_json::json;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::xxh3_64;

/// The engine of many processes. It joins its cluster when it is run, once.
pub struct Cluster<'n> {
    config: Mutex<Option<Config>>,
    hosts: Vec<String>,
    note: &'n (dyn Fn(&str) + Sync),
}

impl<'n> Cluster<'n> {
    /// A process of a cluster; `note` hears of connections that were refused.
    pub fn new(config: Config, note: &'n (dyn Fn(&str) + Sync)) -> Cluster<'n> {
        Cluster { hosts: config.hosts.for_people(), config: Mutex::new(Some(config)), note }
    }
}

impl Engine for Cluster<'_> {
    /// In the first process the store gets all shards; in the others it is not used.
    fn run(&self, work: &dyn Work, store: &dyn Store, watch: Watch<'_>) -> Result<Ended, Error> {
        let config = self.config.lock().unwrap_or_else(PoisonError::into_inner).take();
        let config =
            config.ok_or_else(|| Error::new("cluster_used", "a cluster is joined for one campaign"))?;
        let session = match Session::join(config, &campaign(work), watch.stop, self.note) {
            Ok(session) => session,
            Err(error) if error.code == "interrupted" => return Ok(Ended::Stopped),
            Err(error) => return Err(error),
        };
        match work.levels() {
            Some(job) => job::run(session, &job, work, store, watch),
            None => make(session, work, store, watch),
        }
    }

    fn hosts(&self) -> Vec<String> {
        self.hosts.clone()
    }
}

/// What all processes must agree on: what is to be done, and how much of it, since a shard at the end of a shorter run is shorter.
fn campaign(work: &dyn Work) -> String {
    let stages: Vec<u32> = (0..work.lines()).map(|line| work.stages(line)).collect();
    let all = json!([work.settings(), stages, work.units()]).to_string();
    format!("{:016x}", xxh3_64(all.as_bytes()))
}

/// Makes all shards that the first process's store does not have; every process of the cluster calls this.
///
/// # Errors
/// What a worker or the store report, here or in another process; `lost_process`.
pub fn make(session: Session, work: &dyn Work, store: &dyn Store, watch: Watch<'_>) -> Result<Ended, Error> {
    let made = session.run(watch.stop, |mail| {
        let over = AtomicBool::new(false);
        let makes_shards = mail.index() < work.workers(mail.peers()).max(1);
        std::thread::scope(|scope| {
            let (orders, to_do) = channel();
            let (tell, told) = channel();
            if makes_shards {
                let (over, stop) = (&over, watch.stop);
                let thread =
                    std::thread::Builder::new().name(format!("shards-{}", mail.index())).stack_size(STACK);
                let hand = move || hand(work, &to_do, &tell, over, stop);
                thread
                    .spawn_scoped(scope, hand)
                    .map_err(|error| Error::new("no_threads", error.to_string()))?;
                mail.post(0, WANT, 0, 0, Body::Numbers(Vec::new()));
            }
            mail.turn();
            let mut office = (mail.index() == 0).then(|| Office::new(work, store, watch));
            let ended = serve(mail, &mut office, &orders, &told);
            over.store(true, Ordering::Relaxed);
            if let Err(error) = &ended {
                // The shard in hand may take long.
                mail.fail(error);
                if let Some(office) = &mut office {
                    office.close();
                }
            }
            drop(orders);
            ended
        })
    });
    match made {
        Ok(_) => Ok(Ended::Complete),
        Err(error) if error.code == "interrupted" => Ok(Ended::Stopped),
        Err(error) => Err(error),
    }
}

/// Kinds of letters.
const WANT: u8 = 21;
const MAKE: u8 = 22;
const MADE: u8 = 23;
const TOLD: u8 = 24;
const END: u8 = 25;

/// Searches of claims go deep.
const STACK: usize = 8 << 20;

/// Progress is told to the first process no more often than this.
const TELL_EVERY: Duration = Duration::from_millis(200);

/// What a thread that makes shards says to its worker.
enum Said {
    Told(Tally, Option<String>),
    Made(Shard, Made),
    Failed(Error),
}

/// The thread that makes shards.
fn hand(work: &dyn Work, to_do: &Receiver<Shard>, tell: &Sender<Said>, over: &AtomicBool, stop: &AtomicBool) {
    let make = || {
        let mut worker = None;
        for shard in to_do {
            let worker = match &mut worker {
                Some(worker) => worker,
                none => none.insert(work.worker()?),
            };
            let mut desk = Place { tell, over, stop };
            let Some(made) = worker.shard(shard, &mut desk)? else { break };
            if tell.send(Said::Made(shard, made)).is_err() {
                break;
            }
        }
        Ok(())
    };
    let made = std::panic::catch_unwind(std::panic::AssertUnwindSafe(make));
    let made = made.unwrap_or_else(|_| Err(Error::new("worker_panicked", "a worker broke down")));
    if let Err(error) = made {
        // Nobody listens any more when the run has ended already.
        let _ = tell.send(Said::Failed(error));
    }
}

struct Place<'a> {
    tell: &'a Sender<Said>,
    over: &'a AtomicBool,
    stop: &'a AtomicBool,
}

impl Desk for Place<'_> {
    fn stopped(&self) -> bool {
        self.over.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed)
    }

    fn tell(&mut self, more: Tally, words: Option<&str>) {
        let _ = self.tell.send(Said::Told(more, words.map(str::to_owned)));
    }
}

/// What only the first worker has.
struct Office<'a> {
    work: &'a dyn Work,
    schedule: Schedule<'a>,
    store: &'a dyn Store,
    watch: Watch<'a>,
    hungry: VecDeque<usize>,
    is_over: bool,
}

impl<'a> Office<'a> {
    fn new(work: &'a dyn Work, store: &'a dyn Store, watch: Watch<'a>) -> Office<'a> {
        let schedule = Schedule::new(work, store);
        Office { work, schedule, store, watch, hungry: VecDeque::new(), is_over: false }
    }

    /// Gives shards to those who wait for one.
    fn hand_out(&mut self, mail: &mut Mail<'_>) {
        while let (false, Some(&worker)) = (self.is_over, self.hungry.front()) {
            match self.schedule.next() {
                Next::Make(shard) => {
                    self.hungry.pop_front();
                    let tag = u64::from(shard.line) << 32 | u64::from(shard.stage);
                    mail.post(worker, MAKE, shard.index, tag, Body::Numbers(Vec::new()));
                }
                Next::Wait => break,
                Next::Done => {
                    self.is_over = true;
                    for worker in 0..mail.peers() {
                        mail.post(worker, END, 0, 0, Body::Numbers(Vec::new()));
                    }
                }
            }
            (self.watch.hear)(self.schedule.progress());
        }
        mail.turn();
    }

    /// Tells what is kept when the work ends early: shards in hand are lost, whatever was told of them.
    fn close(&mut self) {
        self.schedule.look_over();
        let found = self.schedule.progress().found;
        let mut kept = Schedule::new(self.work, self.store);
        kept.look_over();
        (self.watch.hear)(&Progress { found, ..kept.progress().clone() });
    }

    fn read(&mut self, letter: Letter) -> Result<(), Error> {
        match letter.kind {
            WANT => self.hungry.push_back(letter.from as usize),
            MADE => {
                let Body::Bytes(bytes) = letter.body else { return Err(garbled()) };
                let (length, parts) = bytes.split_first_chunk().ok_or_else(garbled)?;
                let length = u64::from_le_bytes(*length) as usize;
                let (result, cost) = parts.split_at_checked(length).ok_or_else(garbled)?;
                let made = Made { result: result.to_vec(), cost: cost.to_vec() };
                let shard = shard_of(letter.about, letter.tag);
                if !self.work.accepts(shard, &made.result) {
                    let message =
                        format!("worker {} has made another shard {shard} than was asked for", letter.from);
                    return Err(Error::new("bad_shard", message).hint("run the same program on every host"));
                }
                self.store.keep(shard, &made)?;
                self.schedule.done(shard, &made.result);
                self.hungry.push_back(letter.from as usize);
                (self.watch.hear)(self.schedule.progress());
            }
            TOLD => {
                let Body::Bytes(words) = &letter.body else { return Err(garbled()) };
                let words = String::from_utf8_lossy(words);
                let words = (!words.is_empty()).then_some(&*words);
                let more = Tally { units: letter.about, good: letter.tag };
                (self.watch.hear)(self.schedule.told(more, words));
            }
            _ => return Err(garbled()),
        }
        Ok(())
    }
}

fn shard_of(about: u64, tag: u64) -> Shard {
    Shard { line: (tag >> 32) as u32, stage: tag as u32, index: about }
}

/// The worker of the dataflow: letters in and out until the end is announced.
fn serve(
    mail: &mut Mail<'_>,
    office: &mut Option<Office<'_>>,
    orders: &Sender<Shard>,
    told: &Receiver<Said>,
) -> Result<(), Error> {
    let mut news = News { tally: Tally::default(), words: None, since: Instant::now() };
    loop {
        mail.wait()?;
        let mut asked = false;
        for letter in mail.take_all() {
            match (letter.kind, office.as_mut()) {
                (END, _) => return Ok(()),
                (MAKE, _) => {
                    // The thread is there as long as the run goes on, or has said why not.
                    let _ = orders.send(shard_of(letter.about, letter.tag));
                }
                (_, Some(office)) => {
                    office.read(letter)?;
                    asked = true;
                }
                _ => return Err(garbled()),
            }
        }
        if let (true, Some(office)) = (asked, office.as_mut()) {
            office.hand_out(mail);
        }
        for said in told.try_iter() {
            match said {
                Said::Told(more, words) => {
                    news.tally += more;
                    news.words = words.or(news.words);
                }
                Said::Made(shard, made) => {
                    news.post(mail);
                    let mut bytes = (made.result.len() as u64).to_le_bytes().to_vec();
                    bytes.extend(&made.result);
                    bytes.extend(&made.cost);
                    let tag = u64::from(shard.line) << 32 | u64::from(shard.stage);
                    mail.post(0, MADE, shard.index, tag, Body::Bytes(bytes));
                    mail.turn();
                }
                Said::Failed(error) => return Err(error),
            }
        }
        if news.since.elapsed() >= TELL_EVERY {
            news.post(mail);
        }
    }
}

/// What was done since it was last told.
struct News {
    tally: Tally,
    words: Option<String>,
    since: Instant,
}

impl News {
    fn post(&mut self, mail: &mut Mail<'_>) {
        self.since = Instant::now();
        let Tally { units, good } = std::mem::take(&mut self.tally);
        if units + good > 0 || self.words.is_some() {
            let words = self.words.take().unwrap_or_default();
            mail.post(0, TOLD, units, good, Body::Bytes(words.into_bytes()));
            mail.turn();
        }
    }
}

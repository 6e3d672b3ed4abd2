//! Who may think, and for how long.
//!
//! Work is tried in the *quick lane* first: many at a time, but each only for a moment. What needs longer goes on in the *slow lane*:
//! few at a time, so that a core is left for everybody else, with a queue of limited length. When a client leaves, its
//! request is dropped, and the work sees that within a few thousand nodes.

use kachi::core::{Budget, Error, Limits};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// What one request, and all of them together, may cost.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// Bytes of one request.
    pub body: usize,
    /// Cards, nodes and memory of one answer.
    pub limits: Limits,
    /// Time of one answer.
    pub time: Duration,
    /// Searches at a time.
    pub searches: usize,
    /// Searches that may wait.
    pub queue: usize,
    /// Searches, running or waiting, of one address.
    pub per_client: usize,
}

impl Default for Rules {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        Rules {
            body: 1 << 20,
            limits: Limits { cards: 200_000, nodes: 50_000_000, bytes: 512 << 20 },
            time: Duration::from_secs(10),
            searches: cores.saturating_sub(1).max(1),
            queue: 64,
            per_client: 32,
        }
    }
}

/// Why nothing was even tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Too many wait already.
    QueueFull,
    /// This client has too many searches under way.
    TooManySearches,
    /// A fault inside.
    Broken,
}

impl Refusal {
    /// The same as an error of the contract.
    pub fn error(self, rules: &Rules) -> Error {
        match self {
            Refusal::QueueFull => {
                let message = format!("{} searches are waiting already: limit \"queue\"", rules.queue);
                Error::new("queue_full", message).hint("ask again in a second")
            }
            Refusal::TooManySearches => {
                let message = format!(
                    "{} searches of your address are under way: limit \"per_client\"",
                    rules.per_client
                );
                Error::new("too_many_searches", message).hint("wait for their answers")
            }
            Refusal::Broken => Error::new("internal_error", "a fault inside kachi")
                .hint("this is a bug; please report it together with the link"),
        }
    }
}

/// Numbers for the health page.
#[derive(Debug, Default)]
pub struct Counts {
    /// Questions answered in the quick lane.
    pub quick: AtomicU64,
    /// Questions that went on to the slow lane.
    pub slow: AtomicU64,
    /// Questions refused.
    pub refused: AtomicU64,
    /// Searches whose client left.
    pub left: AtomicU64,
}

/// The two lanes.
#[derive(Debug)]
pub struct Lanes {
    rules: Rules,
    quick: Arc<Semaphore>,
    slow: Arc<Semaphore>,
    waiting: AtomicUsize,
    clients: Mutex<HashMap<IpAddr, usize>>,
    /// What happened so far.
    pub counts: Counts,
}

/// Would more nodes or time have helped? Some games see in advance that they need more, and call that too large.
pub(crate) fn is_limit(code: &str) -> bool {
    matches!(code, "out_of_budget" | "too_large")
}

/// A moment: what the quick lane grants.
const QUICK_NODES: u64 = 100_000;
const QUICK_TIME: Duration = Duration::from_millis(20);
/// Requests in the quick lane at a time; they are short, and waiting for one is shorter than a round trip.
const QUICK_AT_ONCE: usize = 4;

impl Lanes {
    /// Lanes under these rules.
    pub fn new(rules: Rules) -> Self {
        Lanes {
            rules,
            quick: Arc::new(Semaphore::new(QUICK_AT_ONCE)),
            slow: Arc::new(Semaphore::new(rules.searches.max(1))),
            waiting: AtomicUsize::new(0),
            clients: Mutex::default(),
            counts: Counts::default(),
        }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Searches that wait for their turn.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Searches under way.
    pub fn searching(&self) -> usize {
        self.rules.searches.max(1) - self.slow.available_permits().min(self.rules.searches.max(1))
    }

    /// Does the work in the quick lane, and if that leaves it `unfinished`, again in the slow one. `heavy` work is not even
    /// tried in the quick lane.
    ///
    /// # Errors
    /// Why it was refused.
    pub async fn think<T: Send + 'static>(
        &self,
        client: IpAddr,
        heavy: bool,
        work: impl Fn(&mut Budget<'_>) -> T + Send + Sync + 'static,
        unfinished: impl Fn(&T) -> bool,
    ) -> Result<T, Refusal> {
        let work = Arc::new(work);
        if !heavy {
            let limits = Limits { nodes: QUICK_NODES.min(self.rules.limits.nodes), ..self.rules.limits };
            let answer = self.work(&self.quick, limits, QUICK_TIME, Arc::clone(&work)).await?;
            if !unfinished(&answer) || self.rules.limits.nodes <= QUICK_NODES {
                self.counts.quick.fetch_add(1, Ordering::Relaxed);
                return Ok(answer);
            }
        }
        let _number = self.take_a_number(client).inspect_err(|_| {
            self.counts.refused.fetch_add(1, Ordering::Relaxed);
        })?;
        self.counts.slow.fetch_add(1, Ordering::Relaxed);
        self.work(&self.slow, self.rules.limits, self.rules.time, work).await
    }

    async fn work<T: Send + 'static>(
        &self,
        lane: &Arc<Semaphore>,
        limits: Limits,
        time: Duration,
        work: Arc<impl Fn(&mut Budget<'_>) -> T + Send + Sync + 'static>,
    ) -> Result<T, Refusal> {
        let permit = Arc::clone(lane).acquire_owned().await.map_err(|_| Refusal::Broken)?;
        let left = Arc::new(AtomicBool::new(false));
        let mut watch = Watch { left: Arc::clone(&left), counts: &self.counts, armed: true };
        let done = tokio::task::spawn_blocking(move || {
            // The permit lives as long as the work, which may outlive the request for a moment.
            let _permit = permit;
            let began = Instant::now();
            let stop = || left.load(Ordering::Relaxed) || began.elapsed() >= time;
            work(&mut Budget::stopping(limits, &stop))
        });
        let answer = done.await.map_err(|_| Refusal::Broken);
        watch.armed = false;
        answer
    }

    /// A place in the queue, given back when dropped.
    fn take_a_number(&self, client: IpAddr) -> Result<Number<'_>, Refusal> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let mine = clients.get(&client).copied().unwrap_or(0);
        if self.waiting.load(Ordering::Relaxed) >= self.rules.queue + self.rules.searches.max(1) {
            return Err(Refusal::QueueFull);
        }
        if mine >= self.rules.per_client {
            return Err(Refusal::TooManySearches);
        }
        clients.insert(client, mine + 1);
        self.waiting.fetch_add(1, Ordering::Relaxed);
        Ok(Number { lanes: self, client })
    }
}

struct Number<'a> {
    lanes: &'a Lanes,
    client: IpAddr,
}

impl Drop for Number<'_> {
    fn drop(&mut self) {
        let mut clients = self.lanes.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mine) = clients.get_mut(&self.client) {
            *mine -= 1;
            if *mine == 0 {
                clients.remove(&self.client);
            }
        }
        self.lanes.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Tells the work when its request is dropped.
struct Watch<'a> {
    left: Arc<AtomicBool>,
    counts: &'a Counts,
    armed: bool,
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if self.armed {
            self.left.store(true, Ordering::Relaxed);
            self.counts.left.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    const ONE: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1));
    const TWO: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 2));

    fn rules() -> Rules {
        let limits = Limits { nodes: u64::MAX, ..Limits::default() };
        let time = Duration::from_secs(600);
        Rules { searches: 1, queue: 1, per_client: 1, limits, time, ..Rules::default() }
    }

    /// Work that only ends when it is stopped.
    fn endless(budget: &mut Budget<'_>) -> Result<(), Error> {
        loop {
            budget.spend(1)?;
        }
    }

    fn is_unfinished<T>(answer: &Result<T, Error>) -> bool {
        matches!(answer, Err(error) if error.code == "out_of_budget")
    }

    #[tokio::test]
    async fn quick_work_never_meets_the_queue() {
        let lanes = Lanes::new(Rules { queue: 0, per_client: 0, ..rules() });
        let answer = lanes.think(ONE, false, |budget| budget.spend(10).map(|()| 7), is_unfinished).await;
        assert_eq!(answer, Ok(Ok(7)));
        let needs_more = |budget: &mut Budget<'_>| budget.spend(QUICK_NODES + 1);
        let answer = lanes.think(ONE, false, needs_more, is_unfinished).await;
        assert_eq!(answer, Err(Refusal::TooManySearches));
    }

    #[tokio::test]
    async fn the_slow_lane_is_bounded_and_frees_itself_when_clients_leave() {
        let lanes = Arc::new(Lanes::new(rules()));
        let start = |client| {
            let lanes = Arc::clone(&lanes);
            tokio::spawn(async move { lanes.think(client, true, endless, is_unfinished).await })
        };
        let first = start(ONE);
        while lanes.searching() == 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(lanes.think(ONE, true, endless, is_unfinished).await, Err(Refusal::TooManySearches));
        let second = start(TWO);
        while lanes.waiting() < 2 {
            tokio::task::yield_now().await;
        }
        let third = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 3));
        assert_eq!(lanes.think(third, true, endless, is_unfinished).await, Err(Refusal::QueueFull));
        // While both places are taken the quick lane is open.
        assert_eq!(lanes.think(ONE, false, |_| Ok(1), is_unfinished).await, Ok(Ok(1)));
        first.abort();
        second.abort();
        let _ = (first.await, second.await);
        while lanes.searching() > 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(lanes.waiting(), 0);
        assert_eq!(lanes.think(ONE, true, |_| Ok(2), is_unfinished).await, Ok(Ok(2)));
    }

    #[tokio::test]
    async fn a_fault_in_the_work_is_an_answer_too() {
        let lanes = Lanes::new(rules());
        let fault = |_: &mut Budget<'_>| -> Result<(), Error> { panic!("on purpose") };
        assert_eq!(lanes.think(ONE, true, fault, is_unfinished).await, Err(Refusal::Broken));
        assert_eq!(lanes.think(ONE, true, |_| Ok(2), is_unfinished).await, Ok(Ok(2)));
    }
}

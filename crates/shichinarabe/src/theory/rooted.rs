//! Rooted forests in linear time (section 5 of the theory page; claim `rooted-forest-rule`).
//!
//! A *lock* is a card of the keeper with a card of the race winner below it. Locks that the keeper can reach by plays that
//! cost exactly 1 are *exposed*; the others are *hidden* below cards of the race winner, who must pay to dig each of them
//! out before the cheapest exposed lock is used up. The price of keeping the lock is a one-machine scheduling problem,
//! solved by earliest due date first.

use crate::position::Player;
use crate::theory::race::{NO_LOCK, Race};

/// No vertex.
pub const NONE: u32 = u32::MAX;

/// Larger than any price; sums with it stay larger.
const FAR: i64 = 1 << 40;

/// Trees hanging from the table, parents before children (the joker solver also needs preorder, which
/// [`Skeleton::forest`](crate::theory::shape::Skeleton::forest) gives).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forest {
    /// The vertex above, or [`NONE`] for a root.
    pub parent: Vec<u32>,
    /// Who holds each vertex.
    pub owner: Vec<Player>,
    /// The vertex's number in the graph.
    pub ids: Vec<u32>,
    /// Cards that nobody can reach, by player.
    pub unreachable: [u64; 2],
}

impl Forest {
    /// How many vertices can be reached.
    #[must_use]
    pub fn len(&self) -> usize {
        self.parent.len()
    }

    /// Is there no vertex to reach?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parent.is_empty()
    }

    /// Cards of each player.
    #[must_use]
    pub fn hands(&self) -> [u64; 2] {
        let second = self.owner.iter().filter(|&&owner| owner == Player::Second).count() as u64;
        [self.len() as u64 - second + self.unreachable[0], second + self.unreachable[1]]
    }
}

/// What every vertex is worth, in the keeper's sign.
#[derive(Debug, Clone)]
pub struct Weights {
    /// Value of the tree below and with the vertex.
    pub a: Vec<i32>,
    /// Sum of the values of its children.
    pub s: Vec<i32>,
    /// Is a card of the race winner strictly below?
    pub prisoner: Vec<bool>,
    /// Is a lock strictly below?
    pub lock: Vec<bool>,
}

impl Weights {
    /// Weighs all vertices for a keeper.
    #[must_use]
    pub fn new(forest: &Forest, keeper: Player) -> Weights {
        let n = forest.len();
        let mut w = Weights { a: vec![0; n], s: vec![0; n], prisoner: vec![false; n], lock: vec![false; n] };
        for v in (0..n).rev() {
            let own = forest.owner[v] == keeper;
            w.a[v] = if own { (w.s[v] + 1).max(0) } else { (w.s[v] - 1).min(0) };
            let parent = forest.parent[v] as usize;
            if parent < n {
                w.s[parent] += w.a[v];
                w.prisoner[parent] |= w.prisoner[v] || !own;
                w.lock[parent] |= w.lock[v] || (own && w.prisoner[v]);
            }
        }
        w
    }
}

/// A place where locks are hidden: the race winner's vertex above them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hidden {
    /// The vertex of the race winner that opens the place (number in the forest).
    pub vertex: u32,
    /// What opening it costs the race winner beyond his move.
    pub cost: i64,
    /// The cheapest lock that it exposes.
    pub lock: i64,
    /// When it is due: the earliest of its own lock and those hidden below it, less what they cost.
    pub due: i64,
}

/// The schedule that gives the price, as an explanation shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// The race.
    pub race: Race,
    /// The value of the position in the keeper's sign.
    pub total: i64,
    /// The cheapest exposed lock, if any.
    pub exposed: Option<i64>,
    /// The hidden places in the order in which the race winner should open them.
    pub hidden: Vec<Hidden>,
    /// The price, or [`NO_LOCK`].
    pub price: i64,
    /// The winner.
    pub winner: Player,
}

/// Exposed locks: the two cheapest, so that one can be taken away.
#[derive(Debug, Clone, Copy)]
struct Exposed([i64; 2]);

impl Exposed {
    fn add(&mut self, value: i64) {
        if value < self.0[0] {
            self.0 = [value, self.0[0]];
        } else if value < self.0[1] {
            self.0[1] = value;
        }
    }

    fn without(self, value: i64) -> i64 {
        if value == self.0[0] { self.0[1] } else { self.0[0] }
    }
}

/// Hidden places as jobs, in one array with the *zones*: zone 0 is what the keeper reaches by exact plays; a root lock of
/// value 0 is the door to a zone of its own, which opens only when that root is played.
struct Jobs {
    /// Cheapest lock exposed in the place.
    lock: Vec<i64>,
    cost: Vec<i64>,
    /// The job above, or [`NONE`].
    above: Vec<u32>,
    /// The zone that the place belongs to.
    zone: Vec<u32>,
    vertex: Vec<u32>,
    due: Vec<i64>,
}

struct Survey {
    exposed: Exposed,
    jobs: Jobs,
    /// For a root: its job (race winner's root over locks) or its zone (keeper's root lock of value 0).
    of_root: Vec<(u32, u32)>,
    zone_lock: Vec<i64>,
    locks: u64,
}

fn survey(forest: &Forest, weights: &Weights, keeper: Player) -> Survey {
    const ZONE: u32 = 1 << 31;
    let n = forest.len();
    let mut exposed = Exposed([FAR; 2]);
    if forest.unreachable[keeper.other().index()] > 0 {
        // A card that nobody can reach is locked in for nothing and for ever; two entries so that one play removes none.
        exposed = Exposed([0; 2]);
    }
    let mut jobs = Jobs {
        lock: Vec::new(),
        cost: Vec::new(),
        above: Vec::new(),
        zone: Vec::new(),
        vertex: Vec::new(),
        due: Vec::new(),
    };
    let mut zone_lock = vec![FAR];
    let mut of_root = Vec::new();
    let mut locks = forest.unreachable[keeper.other().index()];
    // What a vertex hands down to its children: a job, a zone (marked by the top bit), or nothing.
    let mut handed = vec![NONE; n];
    for v in 0..n {
        let root = forest.parent[v] == NONE;
        let place = if root { ZONE } else { handed[forest.parent[v] as usize] };
        let own = forest.owner[v] == keeper;
        let is_lock = own && weights.prisoner[v];
        locks += u64::from(is_lock);
        if place == NONE {
            continue;
        }
        if is_lock {
            let value = i64::from(weights.a[v]);
            if place == ZONE {
                exposed.add(value);
            } else if place & ZONE != 0 {
                let zone = (place & !ZONE) as usize;
                zone_lock[zone] = zone_lock[zone].min(value);
            } else {
                let job = place as usize;
                jobs.lock[job] = jobs.lock[job].min(value);
            }
            if value > 0 {
                handed[v] = place;
            } else if root {
                let zone = zone_lock.len() as u32;
                zone_lock.push(FAR);
                handed[v] = zone | ZONE;
                of_root.push((v as u32, zone));
            }
        } else if !own && weights.lock[v] {
            let job = jobs.lock.len() as u32;
            let (above, zone) =
                if place & ZONE != 0 { (NONE, place & !ZONE) } else { (place, jobs.zone[place as usize]) };
            jobs.lock.push(FAR);
            jobs.cost.push(i64::from((weights.s[v] - 1).max(0)));
            jobs.above.push(above);
            jobs.zone.push(zone);
            jobs.vertex.push(v as u32);
            handed[v] = job;
            if root {
                of_root.push((v as u32, job));
            }
        }
    }
    jobs.due = jobs.lock.clone();
    for job in (0..jobs.lock.len()).rev() {
        let above = jobs.above[job];
        if above != NONE {
            jobs.due[above as usize] = jobs.due[above as usize].min(jobs.due[job] - jobs.cost[job]);
        }
    }
    Survey { exposed, jobs, of_root, zone_lock, locks }
}

/// Sums and least slack of the jobs in order of due dates, with jobs switched on and off.
struct Slack {
    width: usize,
    /// Sum of costs and least (lock minus completion time), per node.
    nodes: Vec<(i64, i64)>,
    active: usize,
}

impl Slack {
    fn new(jobs: usize) -> Slack {
        let width = jobs.next_power_of_two().max(1);
        Slack { width, nodes: vec![(0, FAR); 2 * width], active: 0 }
    }

    fn join(left: (i64, i64), right: (i64, i64)) -> (i64, i64) {
        (left.0 + right.0, left.1.min(right.1 - left.0))
    }

    fn build(&mut self) {
        for node in (1..self.width).rev() {
            self.nodes[node] = Slack::join(self.nodes[2 * node], self.nodes[2 * node + 1]);
        }
    }

    fn set(&mut self, place: usize, job: Option<(i64, i64)>) {
        let mut node = self.width + place;
        self.nodes[node] = job.map_or((0, FAR), |(cost, lock)| (cost, lock - cost));
        match job {
            Some(_) => self.active += 1,
            None => self.active -= 1,
        }
        while node > 1 {
            node /= 2;
            self.nodes[node] = Slack::join(self.nodes[2 * node], self.nodes[2 * node + 1]);
        }
    }

    fn price(&self, exposed: i64) -> i64 {
        let hidden = if self.active > 0 { self.nodes[1].1.max(0) } else { FAR };
        let price = exposed.min(hidden);
        if price > FAR / 2 { NO_LOCK } else { price }
    }
}

/// The jobs in order of due dates (ties by number), by counting when the dates are dense.
fn by_due_date(jobs: &Jobs) -> Vec<u32> {
    let mut order: Vec<u32> = (0..jobs.due.len() as u32).collect();
    order.sort_by_key(|&job| jobs.due[job as usize]);
    order
}

/// Value (positive for the first player) and price of a rooted forest for a given keeper; [`NO_LOCK`] if the other is free.
#[must_use]
pub fn worth(forest: &Forest, keeper: Player) -> (i64, i64) {
    let weights = Weights::new(forest, keeper);
    let survey = survey(forest, &weights, keeper);
    let jobs = &survey.jobs;
    let mut slack = Slack::new(jobs.due.len());
    for (i, &job) in by_due_date(jobs).iter().enumerate() {
        if jobs.zone[job as usize] == 0 {
            slack.set(i, Some((jobs.cost[job as usize], jobs.lock[job as usize])));
        }
    }
    let roots = (0..forest.len()).filter(|&v| forest.parent[v] == NONE);
    let total: i64 = roots.map(|v| i64::from(weights.a[v])).sum();
    let price = if survey.locks == 0 { NO_LOCK } else { slack.price(survey.exposed.0[0]) };
    (keeper.sign() * total, price)
}

/// A decided rooted forest: the schedule and the roots that win when played now.
#[derive(Debug, Clone)]
pub struct Decided {
    /// Why.
    pub schedule: Schedule,
    /// The winning roots, as numbers of the graph, increasing.
    pub winning: Vec<u32>,
}

/// Decides a rooted forest and finds all winning moves in O(n log n).
#[must_use]
pub fn decide(forest: &Forest, mover: Player) -> Decided {
    let race = Race::new(forest.hands(), mover);
    let keeper = race.keeper;
    let weights = Weights::new(forest, keeper);
    let survey = survey(forest, &weights, keeper);
    let jobs = &survey.jobs;
    let order = by_due_date(jobs);
    let mut place = vec![0u32; order.len()];
    let mut slack = Slack::new(order.len());
    for (i, &job) in order.iter().enumerate() {
        place[job as usize] = i as u32;
        if jobs.zone[job as usize] == 0 {
            let (cost, lock) = (jobs.cost[job as usize], jobs.lock[job as usize]);
            slack.nodes[slack.width + i] = (cost, lock - cost);
            slack.active += 1;
        }
    }
    slack.build();
    let roots = || (0..forest.len()).filter(|&v| forest.parent[v] == NONE);
    let total: i64 = roots().map(|v| i64::from(weights.a[v])).sum();
    let price = if survey.locks == 0 { NO_LOCK } else { slack.price(survey.exposed.0[0]) };
    let winner = race.over().unwrap_or_else(|| race.decide(keeper.sign() * total, price));
    let hidden = order.iter().filter(|&&job| jobs.zone[job as usize] == 0).map(|&job| job as usize);
    let hidden = hidden
        .map(|j| Hidden { vertex: jobs.vertex[j], cost: jobs.cost[j], lock: jobs.lock[j], due: jobs.due[j] })
        .collect();
    let exposed = Some(survey.exposed.0[0]).filter(|&lock| lock < FAR / 2);
    let schedule = Schedule { race, total, exposed, hidden, price, winner };
    let mut winning = Vec::new();
    if winner == mover && race.hands[mover.index()] > 0 {
        let of_root: rustc_hash::FxHashMap<u32, u32> = survey.of_root.iter().copied().collect();
        let zones = zone_members(jobs, survey.zone_lock.len());
        for r in roots().filter(|&v| forest.owner[v] == mover) {
            let mut hands = race.hands;
            hands[mover.index()] -= 1;
            let after = Race::new(hands, mover.other());
            let total = total - i64::from(weights.a[r]) + i64::from(weights.s[r]);
            let special = of_root.get(&(r as u32)).copied();
            let is_lock = mover == keeper && weights.prisoner[r];
            let price = if survey.locks == u64::from(is_lock) {
                NO_LOCK
            } else if is_lock {
                let exposed = survey.exposed.without(i64::from(weights.a[r]));
                match special {
                    None => slack.price(exposed),
                    Some(zone) => {
                        let members = &zones[zone as usize];
                        for &job in members {
                            let (cost, lock) = (jobs.cost[job as usize], jobs.lock[job as usize]);
                            slack.set(place[job as usize] as usize, Some((cost, lock)));
                        }
                        let price = slack.price(exposed.min(survey.zone_lock[zone as usize]));
                        for &job in members {
                            slack.set(place[job as usize] as usize, None);
                        }
                        price
                    }
                }
            } else {
                match special {
                    None => slack.price(survey.exposed.0[0]),
                    Some(job) => {
                        let (at, job) = (place[job as usize] as usize, job as usize);
                        slack.set(at, None);
                        let price = slack.price(survey.exposed.0[0].min(jobs.lock[job]));
                        slack.set(at, Some((jobs.cost[job], jobs.lock[job])));
                        price
                    }
                }
            };
            if after.over().unwrap_or_else(|| after.decide(keeper.sign() * total, price)) == mover {
                winning.push(forest.ids[r]);
            }
        }
        winning.sort_unstable();
    }
    Decided { schedule, winning }
}

fn zone_members(jobs: &Jobs, zones: usize) -> Vec<Vec<u32>> {
    let mut members = vec![Vec::new(); zones];
    for (job, &zone) in jobs.zone.iter().enumerate() {
        if zone != 0 {
            members[zone as usize].push(job as u32);
        }
    }
    members
}

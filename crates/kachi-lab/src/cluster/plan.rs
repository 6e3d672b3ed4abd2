//! Predictions: how long work would take on a cluster, and how much memory, disk and network. They rest on constants that were measured (docs/sizing.md) and on
//! counts that are known; where a count is not known it is continued from smaller ones, and that is said. A prediction is no promise.

use crate::work::{Desk, Made, Shard, Tally, Work, Worker};
use calculation::theory::poset::MOST;
use kachi_core::Error;
use serde::Serialize;
use serde_json::Value;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What one worker was measured to do; docs/sizing.md has the machine and the commands.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Measured {
    /// States that one worker finds in a second.
    pub found_per_second: f64,
    /// States whose chances one worker works out in a second.
    pub valued_per_second: f64,
    /// How many times longer it takes when everything goes to other processes.
    pub exchange_slowdown: f64,
    /// Bytes sent for a state while states are found, if all of them went to other processes.
    pub found_network: f64,
    /// Bytes sent for a state while chances are worked out, if all questions went to other processes.
    pub valued_network: f64,
    /// Bytes of memory for a state of the largest level.
    pub memory: f64,
    /// Bytes on disk for a state.
    pub disk: f64,
}

/// Two chains, as words of bits: measured on the table of 3 stacks and 12 ranks.
pub const WORDS: Measured = Measured {
    found_per_second: 1_400_000.0,
    valued_per_second: 490_000.0,
    exchange_slowdown: 1.6,
    found_network: 4.1,
    valued_network: 98.0,
    memory: 90.0,
    disk: 11.0,
};

/// Any number of chains, as posets: measured on three chains of six and seven cards, the network on four.
pub const POSETS: Measured = Measured {
    found_per_second: 80_000.0,
    valued_per_second: 80_000.0,
    exchange_slowdown: 1.3,
    found_network: 220.0,
    valued_network: 220.0,
    memory: 200.0,
    disk: 60.0,
};

/// States of the stack game that are known exactly, by stacks and chains, for chains of 1, 2, ... cards (docs/theory/calculation.md; three chains of six and seven: docs/sizing.md).
const KNOWN: [(usize, usize, &[u64]); 6] = [
    (3, 2, &[2, 12, 65, 339, 1665, 7757, 34_996, 155_155, 681_545, 2_977_599, 12_964_435, 56_313_735]),
    (3, 3, &[3, 38, 622, 11_664, 214_034, 3_869_498, 69_949_697]),
    (3, 4, &[4, 114, 6730, 543_588]),
    (4, 2, &[2, 12, 71, 459, 2937, 17_851, 102_750, 566_037, 3_016_568, 15_680_903, 79_991_496, 402_134_982]),
    (4, 3, &[3, 39, 807, 22_628, 636_368]),
    (4, 4, &[4, 125, 11_146, 1_637_973]),
];

/// The part of all states that the largest level has, about: 0.24 and 0.26 in the two largest tables, more with fewer levels.
const LARGEST: f64 = 0.3;

/// Cards of a chain. The numbers of states of longer ones would be of no use to anybody.
const LONGEST: usize = 100;

/// How large a space of states is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Extent {
    /// States in all.
    pub states: f64,
    /// Where the number comes from.
    pub source: String,
}

/// The extent of a stack game: known, or continued from smaller ones.
///
/// ```
/// use kachi_lab::cluster::plan::extent;
/// assert_eq!(extent(3, 3, 4).unwrap().states, 11_664.0);
/// assert!(extent(3, 3, 8).unwrap().source.contains("continued"));
/// ```
///
/// # Errors
/// `no_counts` where nothing is known to start from; `too_large` for chains that nobody will ever count.
pub fn extent(stacks: usize, chains: usize, length: usize) -> Result<Extent, Error> {
    let known = KNOWN.iter().find(|&&(s, c, _)| (s, c) == (stacks, chains)).map(|&(.., counts)| counts);
    let Some(counts) = known.filter(|_| length > 0) else {
        let message = format!("no counts are known for {chains} chains and {stacks} stacks");
        return Err(Error::new("no_counts", message).hint("2 to 4 chains with 3 or 4 stacks can be planned"));
    };
    if length > LONGEST {
        return Err(Error::too_large("ranks", length, LONGEST).at_field("ranks"));
    }
    if let Some(&states) = counts.get(length - 1) {
        return Ok(Extent { states: states as f64, source: "counted exactly".to_owned() });
    }
    let most = counts.len();
    let growth = counts[most - 1] as f64 / counts[most - 2] as f64;
    let states = counts[most - 1] as f64 * growth.powi((length - most) as i32);
    let source = format!(
        "continued from the exact counts for chains of {} and {most} cards by their factor {growth:.1}: a guess that grows worse with every card",
        most - 1
    );
    Ok(Extent { states, source })
}

/// A cluster that does not exist yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Imagined {
    /// Hosts, each with one process.
    pub hosts: usize,
    /// Workers of each: its cores.
    pub workers: usize,
}

/// What work would take.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Prediction {
    /// Always true: nothing of this was run.
    pub prediction: bool,
    /// What it is about.
    pub work: String,
    /// Hosts, each with one process.
    pub hosts: usize,
    /// Workers of each process.
    pub workers: usize,
    /// States, games or cases.
    pub units: f64,
    /// Which of them.
    pub unit: String,
    /// Seconds from beginning to end.
    pub seconds: f64,
    /// Bytes of memory of each host.
    pub memory: f64,
    /// Bytes on the disk of each host while it works.
    pub disk: f64,
    /// Bytes that each host sends.
    pub network: f64,
    /// What the prediction rests on.
    pub assumptions: Vec<String>,
}

/// What finding the states of a stack game would take, and their chances too for a table.
///
/// # Errors
/// As [`extent`]; `bad_value` for a cluster without hosts or workers.
pub fn of_states(
    (stacks, chains, length): (usize, usize, usize),
    with_chances: bool,
    cluster: Imagined,
) -> Result<Prediction, Error> {
    let Imagined { hosts, workers } = cluster.checked()?;
    let Extent { states, source } = extent(stacks, chains, length)?;
    let measured = if chains == 2 { WORDS } else { POSETS };
    let abroad = 1.0 - 1.0 / hosts as f64;
    let slower = 1.0 + (measured.exchange_slowdown - 1.0) * abroad;
    let value = if with_chances { 1.0 } else { 0.0 };
    let each = (1.0 / measured.found_per_second + value / measured.valued_per_second) * slower;
    let share = states / hosts as f64;
    let mut assumptions = vec![
        format!("the number of states is {source}"),
        format!("one worker finds {:.0} states a second", measured.found_per_second),
        format!("the largest level has {:.0} % of all states", 100.0 * LARGEST),
        format!("hosts like the one measured, equally fast; exchange costs a factor {slower:.2}"),
        "a network that carries what is sent, and is trusted: after the handshake it is plain TCP".to_owned(),
    ];
    if with_chances {
        assumptions.push(format!("one worker works out {:.0} chances a second", measured.valued_per_second));
    }
    if chains != 2 {
        assumptions.push(
            "states as posets; words of bits, as for two chains, would be a hundred times faster".to_owned(),
        );
        if with_chances {
            assumptions.push(
                "tables of more than two chains cannot be built by this version, only counted".to_owned(),
            );
        }
    }
    if chains * length > MOST {
        assumptions.push(format!(
            "this version counts at most {MOST} cards; {} would need wider words",
            chains * length
        ));
    }
    Ok(Prediction {
        prediction: true,
        work: format!(
            "{} of {chains} chains of {length} cards, {stacks} stacks",
            if with_chances { "table" } else { "counts" }
        ),
        hosts,
        workers,
        units: states,
        unit: "states".to_owned(),
        seconds: share / workers as f64 * each,
        memory: share * LARGEST * measured.memory,
        disk: share * measured.disk,
        network: share * abroad * (measured.found_network + value * measured.valued_network),
        assumptions,
    })
}

impl Imagined {
    fn checked(self) -> Result<Imagined, Error> {
        if self.hosts == 0 || self.workers == 0 {
            return Err(
                Error::new("bad_value", "a cluster has at least one host with one worker").at_field("hosts")
            );
        }
        Ok(self)
    }
}

/// What some work would take from its beginning, from a sample on one thread here and now. The lines (the players of a comparison) are as long as
/// each other but not as fast, so each of them is sampled for its share of the time, and at least until something of it is finished.
///
/// # Errors
/// What a worker reports; `no_units` if the work does not say how much of it there is, before anything is sampled; `short_sample` if nothing is finished
/// in ten times the time.
pub fn of_shards(
    name: &str,
    work: &dyn Work,
    sample: Duration,
    cluster: Imagined,
) -> Result<Prediction, Error> {
    let Imagined { hosts, workers } = cluster.checked()?;
    let units = work.units().ok_or_else(|| {
        Error::new("no_units", "how much work this is turns out only as it is done")
            .hint("plan a simulation, a comparison, a table or counts")
    })?;
    let lines = work.lines().max(1);
    let each = units as f64 / f64::from(lines);
    let (unit, settings) = (work.unit(), work.settings());
    let mut worker = work.worker()?;
    let (mut seconds, mut bytes) = (0.0, 0.0);
    let mut assumptions = Vec::new();
    for line in 0..lines {
        let player = (lines > 1).then(|| name_of(&settings, line));
        let sampled = Sampled::of(work, worker.as_mut(), line, sample / lines);
        let Sampled { units: done, bytes: written, rate, ready, took } =
            sampled.map_err(|error| match (&player, error.code) {
                (Some(player), "short_sample") => {
                    Error { message: format!("{player}: {}", error.message), ..error }
                }
                _ => error,
            })?;
        // Every worker has to get ready for every player.
        seconds += ready + each / rate / (hosts * workers) as f64;
        bytes += each * written as f64 / done as f64;
        let of = player.map(|player| format!("{player}: ")).unwrap_or_default();
        let first = match ready {
            0.1.. => format!(", of which {ready:.1} to get ready"),
            _ => String::new(),
        };
        assumptions.push(format!(
            "{of}{rate:.3} {unit} a second on one worker, measured here for {took:.1} seconds{first}"
        ));
    }
    assumptions.extend([
        "hosts like this one, as busy as this one is now; all workers busy to the end".to_owned(),
        "memory: what one thread of this program takes, times the workers of a host".to_owned(),
    ]);
    Ok(Prediction {
        prediction: true,
        work: name.to_owned(),
        hosts,
        workers,
        units: units as f64,
        unit: unit.to_owned(),
        seconds,
        memory: 0.0,
        disk: bytes,
        // What a host alone makes it keeps.
        network: if hosts > 1 { bytes / hosts as f64 } else { 0.0 },
        assumptions,
    })
}

/// What the settings call the player of a line.
fn name_of(settings: &Value, line: u32) -> String {
    let players = settings.get("players").and_then(|players| players.get(line as usize));
    let name = players.and_then(|player| player.get("player")).and_then(Value::as_str);
    name.map_or_else(|| format!("line {}", line + 1), str::to_owned)
}

/// What one worker did of a line.
struct Sampled {
    units: u64,
    bytes: usize,
    /// Units a second, once it was ready.
    rate: f64,
    /// Seconds that went into getting ready: tables are opened, memories filled.
    ready: f64,
    /// Seconds in all.
    took: f64,
}

impl Sampled {
    /// Works on a line from its beginning for so long, and on until the first unit is finished.
    fn of(work: &dyn Work, worker: &mut dyn Worker, line: u32, time: Duration) -> Result<Sampled, Error> {
        const PATIENCE: u32 = 10;
        /// Nobody waits longer for a prediction.
        const LONGEST: Duration = Duration::from_secs(86_400);
        let time = time.min(LONGEST);
        let began = Instant::now();
        let watch = Stopwatch {
            half: began + time / 2,
            until: began + time,
            last: began + PATIENCE * time,
            sampled: Mutex::default(),
        };
        let mut whole = 0;
        for index in 0..work.shards(line, 0) {
            let mut desk = &watch;
            let Some(made) = worker.shard(Shard { line, stage: 0, index }, &mut desk)? else { break };
            whole += size(&made);
            // The part of a whole shard is in it.
            watch.sampled().part = 0;
            if desk.stopped() {
                break;
            }
        }
        let Heard { units, part, half, end } = *watch.sampled();
        if units == 0 {
            let patience = (PATIENCE * time).as_secs_f64();
            let message =
                format!("nothing was finished within {patience:.1} seconds, so nothing can be said");
            return Err(Error::new("short_sample", message).hint("let it try longer: --sample SECONDS"));
        }
        let took = began.elapsed().as_secs_f64().max(1e-9);
        let overall = units as f64 / took;
        // The second half of the time tells how it goes on, if enough was finished in it.
        const ENOUGH: u64 = 3;
        let rate = match (half, end) {
            (Some((half, before)), Some(end)) if units - before >= ENOUGH => {
                (units - before) as f64 / end.duration_since(half).as_secs_f64().max(1e-9)
            }
            _ => overall,
        };
        let ready = (took - units as f64 / rate).max(0.0);
        Ok(Sampled { units, bytes: whole + part, rate, ready, took })
    }
}

fn size(made: &Made) -> usize {
    made.result.len() + made.cost.len()
}

/// A desk that ends the sample: when its time is over and something is finished, and otherwise when patience is.
struct Stopwatch {
    half: Instant,
    until: Instant,
    last: Instant,
    sampled: Mutex<Heard>,
}

/// What was heard of a sample.
#[derive(Debug, Clone, Copy, Default)]
struct Heard {
    units: u64,
    /// Bytes of the part that was put aside.
    part: usize,
    /// When the first unit was finished in the second half of the time, and how many were by then.
    half: Option<(Instant, u64)>,
    /// When the last one was.
    end: Option<Instant>,
}

impl Stopwatch {
    fn sampled(&self) -> MutexGuard<'_, Heard> {
        self.sampled.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Desk for &Stopwatch {
    fn stopped(&self) -> bool {
        let now = Instant::now();
        now >= self.last || now >= self.until && self.sampled().units > 0
    }

    fn put(&mut self, part: &Made) -> Result<(), Error> {
        self.sampled().part = size(part);
        Ok(())
    }

    fn tell(&mut self, more: Tally, _: Option<&str>) {
        let now = Instant::now();
        let mut heard = self.sampled();
        heard.units += more.units;
        heard.end = Some(now);
        if heard.half.is_none() && now >= self.half {
            heard.half = Some((now, heard.units));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_hosts_take_less_time_and_memory_each() {
        let plan = |hosts| of_states((4, 3, 8), false, Imagined { hosts, workers: 8 }).unwrap();
        let (two, ten) = (plan(2), plan(10));
        assert!(
            two.prediction && two.seconds > ten.seconds && two.memory > ten.memory && two.disk > ten.disk
        );
        assert!(two.assumptions.iter().any(|line| line.contains("continued")));
        assert_eq!(plan(1).network, 0.0);
        assert_eq!(
            of_states((4, 3, 8), false, Imagined { hosts: 0, workers: 1 }).unwrap_err().code,
            "bad_value"
        );
        assert_eq!(extent(3, 7, 2).unwrap_err().code, "no_counts");
    }

    /// Shards of ten units each; a unit of a line takes as many milliseconds as its line says, and ten bytes. A worker takes so many milliseconds more
    /// before its first unit.
    struct Slow(Vec<u64>, u64);

    impl Work for Slow {
        fn settings(&self) -> Value {
            serde_json::json!({"players": self.0.iter().map(|slow| serde_json::json!({"player": format!("slow-{slow}")})).collect::<Vec<_>>()})
        }

        fn lines(&self) -> u32 {
            self.0.len() as u32
        }

        fn shards(&self, _: u32, _: u32) -> u64 {
            10_000
        }

        fn tally(&self, _: Shard, _: &[u8]) -> Tally {
            Tally::default()
        }

        fn units(&self) -> Option<u64> {
            Some(100_000 * self.0.len() as u64)
        }

        fn unit(&self) -> &'static str {
            "games"
        }

        fn worker(&self) -> Result<Box<dyn Worker + '_>, Error> {
            Ok(Box::new(Player(self, self.1)))
        }
    }

    struct Player<'p>(&'p Slow, u64);

    impl Worker for Player<'_> {
        fn shard(&mut self, shard: Shard, desk: &mut dyn Desk) -> Result<Option<Made>, Error> {
            let made = |units: usize| Made { result: vec![b' '; 10 * units], cost: Vec::new() };
            for units in 0..10 {
                let takes = self.0.0[shard.line as usize] + std::mem::take(&mut self.1);
                let end = Instant::now() + Duration::from_millis(takes);
                while Instant::now() < end {
                    if desk.stopped() {
                        desk.put(&made(units))?;
                        return Ok(None);
                    }
                    std::thread::sleep(Duration::from_millis(1));
                }
                desk.tell(Tally { units: 1, good: 0 }, None);
            }
            Ok(Some(made(10)))
        }
    }

    fn planned(slow: &[u64], sample: u64, hosts: usize) -> Result<Prediction, Error> {
        let sample = Duration::from_millis(sample);
        of_shards("slow", &Slow(slow.to_vec(), 0), sample, Imagined { hosts, workers: 1 })
    }

    #[test]
    fn getting_ready_is_paid_once_and_not_for_every_game() {
        let (sample, one) = (Duration::from_millis(1200), Imagined { hosts: 1, workers: 1 });
        let plan = |ready| of_shards("slow", &Slow(vec![5], ready), sample, one).unwrap();
        // Three quarters of the sample go into it: taken for games it would make them four times as slow.
        let (at_once, later) = (plan(0), plan(900));
        assert!(later.seconds < 2.0 * at_once.seconds, "{at_once:?} {later:?}");
        assert!(later.assumptions[0].contains("to get ready"), "{later:?}");
    }

    #[test]
    fn every_player_is_sampled_and_slow_ones_need_disk_too() {
        // The second player takes forty times as long as the first; his shards are never whole within the sample.
        let plan = planned(&[2, 80], 400, 1).unwrap();
        // A busy machine sleeps longer, never shorter.
        assert!(plan.seconds > 100_000.0 * 0.080, "{plan:?}");
        assert!((1.9e6..2.1e6).contains(&plan.disk), "{plan:?}");
        assert!(plan.assumptions[1].starts_with("slow-80: "), "{plan:?}");
        assert_eq!((plan.units, plan.network), (200_000.0, 0.0));
        let two = planned(&[2], 50, 2).unwrap();
        assert!(two.network > 0.0 && two.network < two.disk);
    }

    #[test]
    fn what_finished_nothing_is_not_predicted() {
        // The sample is extended until the first game is finished ...
        let plan = planned(&[60], 20, 1).unwrap();
        assert!(plan.seconds > 100_000.0 * 0.060, "{plan:?}");
        // ... but not without end.
        let refused = planned(&[1, 100_000], 10, 1).unwrap_err();
        assert_eq!(refused.code, "short_sample");
        assert!(refused.message.starts_with("slow-100000: ") && refused.hint.is_some());
    }

    #[test]
    fn chains_beyond_all_bounds_are_refused() {
        for length in [101, 1 << 31, 1 << 32, usize::MAX] {
            assert_eq!(extent(3, 3, length).unwrap_err().code, "too_large", "{length}");
        }
        assert!(of_states((4, 4, 100), true, Imagined { hosts: 1, workers: 1 }).unwrap().units.is_finite());
    }

    #[test]
    fn the_large_table_is_predicted_about_as_it_was_measured() {
        let one = of_states((4, 2, 12), true, Imagined { hosts: 1, workers: 1 }).unwrap();
        assert_eq!(one.units, 402_134_982.0);
        assert!((600.0..12_000.0).contains(&one.seconds), "{}", one.seconds);
    }
}

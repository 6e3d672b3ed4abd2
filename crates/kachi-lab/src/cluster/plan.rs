//! Predictions: how long work would take on a cluster, and how much memory, disk and network. They rest on constants that were measured (docs/sizing.md) and on
//! counts that are known; where a count is not known it is continued from smaller ones, and that is said. A prediction is no promise.

use crate::work::{Desk, Next, Schedule, Store, Tally, Work};
use calculation::theory::poset::MOST;
use kachi_core::Error;
use serde::Serialize;
use std::sync::Mutex;
use std::sync::PoisonError;
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
/// `no_counts` where nothing is known to start from.
pub fn extent(stacks: usize, chains: usize, length: usize) -> Result<Extent, Error> {
    let known = KNOWN.iter().find(|&&(s, c, _)| (s, c) == (stacks, chains)).map(|&(.., counts)| counts);
    let Some(counts) = known.filter(|_| length > 0) else {
        let message = format!("no counts are known for {chains} chains and {stacks} stacks");
        return Err(Error::new("no_counts", message).hint("2 to 4 chains with 3 or 4 stacks can be planned"));
    };
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

/// What the missing shards of some work would take, from a sample of a few seconds on one thread here and now. `None` if nothing is missing.
///
/// # Errors
/// What a worker reports; `no_units` if the work does not say how much of it there is.
pub fn of_shards(
    name: &str,
    work: &dyn Work,
    store: &dyn Store,
    sample: Duration,
    cluster: Imagined,
) -> Result<Option<Prediction>, Error> {
    let Imagined { hosts, workers } = cluster.checked()?;
    let mut schedule = Schedule::new(work, store);
    let desk = Stopwatch { until: Instant::now() + sample, done: Mutex::default() };
    let began = Instant::now();
    let mut worker = work.worker()?;
    let mut shards = 0u64;
    let mut bytes = 0;
    while Instant::now() < desk.until {
        let Next::Make(shard) = schedule.next() else { break };
        let mut desk = &desk;
        if let Some(made) = worker.shard(shard, &mut desk)? {
            bytes += made.result.len() + made.cost.len();
        }
        shards += 1;
    }
    if shards == 0 {
        return Ok(None);
    }
    let seconds = began.elapsed().as_secs_f64().max(1e-9);
    let done = desk.done.lock().unwrap_or_else(PoisonError::into_inner).units.max(1);
    let rate = done as f64 / seconds;
    let found = schedule.progress().found.units;
    let units = work.units().ok_or_else(|| {
        Error::new("no_units", "how much work this is turns out only as it is done")
            .hint("plan a simulation, a comparison, a table or counts")
    })?;
    let left = units.saturating_sub(found) as f64;
    let unit = work.unit();
    Ok(Some(Prediction {
        prediction: true,
        work: name.to_owned(),
        hosts,
        workers,
        units: left,
        unit: unit.to_owned(),
        seconds: left / rate / (hosts * workers) as f64,
        memory: 0.0,
        disk: left * bytes as f64 / done as f64,
        network: left * bytes as f64 / done as f64 / hosts as f64,
        assumptions: vec![
            format!("{rate:.3} {unit} a second on one worker, measured here for {seconds:.1} seconds"),
            "hosts like this one, as busy as this one is now; all workers busy to the end".to_owned(),
            "memory: what one thread of this program takes, times the workers of a host".to_owned(),
        ],
    }))
}

/// A desk that ends the sample.
struct Stopwatch {
    until: Instant,
    done: Mutex<Tally>,
}

impl Desk for &Stopwatch {
    fn stopped(&self) -> bool {
        Instant::now() >= self.until
    }

    fn tell(&mut self, more: Tally, _: Option<&str>) {
        *self.done.lock().unwrap_or_else(PoisonError::into_inner) += more;
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

    #[test]
    fn the_large_table_is_predicted_about_as_it_was_measured() {
        let one = of_states((4, 2, 12), true, Imagined { hosts: 1, workers: 1 }).unwrap();
        assert_eq!(one.units, 402_134_982.0);
        assert!((600.0..12_000.0).contains(&one.seconds), "{}", one.seconds);
    }
}

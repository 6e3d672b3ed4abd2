//! Games as work for the runner: one line a player, all players on the same seeds, a run of consecutive seeds a shard. A run that is made longer
//! goes on where its last shard ends.

use crate::simulate::experiment::{Contestant, Experiment, Measure, Played};
use crate::work::{Desk, Made, Shard, Store, Tally, Work, Worker};
use kachi_core::Error;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::ops::Range;
use std::time::{Duration, Instant};

/// What a game cost.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// The seed of the deal.
    pub seed: u64,
    /// Time passed.
    pub seconds: f64,
    /// Time for which a processor worked on it, where the system tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<f64>,
}

impl Cost {
    /// The time to be compared: the processor's where it is known.
    #[must_use]
    pub fn seconds(self) -> f64 {
        self.cpu.unwrap_or(self.seconds)
    }
}

/// Players and the seeds they all play.
pub struct Games {
    /// The players, one a line.
    pub players: Vec<Box<dyn Experiment>>,
    /// The seed of the first game; the others follow it.
    pub first_seed: u64,
    /// How many games each of them plays.
    pub games: u64,
    /// How many of them form a shard.
    pub shard: u32,
    /// How long a worker plays before it puts an unfinished shard aside.
    pub put_every: Duration,
}

/// Games in a shard, when nothing else is said.
pub const SHARD: u32 = 50;

/// More games would be years of work for any player.
const MOST_GAMES: u64 = 100_000_000_000;

impl Games {
    /// These players on so many games from this seed on.
    ///
    /// # Errors
    /// `bad_value` without players or games, or with seeds beyond 2^63; `too_large` for more games than anybody will play.
    pub fn new(players: Vec<Box<dyn Experiment>>, first_seed: u64, games: u64) -> Result<Games, Error> {
        if players.is_empty() || games == 0 {
            return Err(Error::new("bad_value", "a simulation has at least one player and one game")
                .at_field("games")
                .hint("games = 1000"));
        }
        if games > MOST_GAMES {
            return Err(Error::too_large("games", games, MOST_GAMES).at_field("games"));
        }
        // Results are kept as signed numbers.
        if first_seed.saturating_add(games) > i64::MAX as u64 {
            return Err(Error::new("bad_value", format!("the last seed would be beyond {}", i64::MAX))
                .at_field("first_seed")
                .hint("first_seed = 1"));
        }
        Ok(Games { players, first_seed, games, shard: SHARD, put_every: Duration::from_secs(10) })
    }

    /// The seeds of a shard.
    #[must_use]
    pub fn seeds(&self, index: u64) -> Range<u64> {
        let size = u64::from(self.shard.max(1));
        let start = index.saturating_mul(size).min(self.games);
        let end = start.saturating_add(size).min(self.games);
        self.first_seed + start..self.first_seed + end
    }

    fn in_shard(&self) -> u64 {
        self.games.div_ceil(u64::from(self.shard.max(1)))
    }

    /// The games of a result that are wanted: those of its seeds from the first on. What is not in order counts as not played.
    fn wanted(&self, shard: Shard, result: &[u8]) -> Vec<Played> {
        let seeds = self.seeds(shard.index);
        let mut games: Vec<Played> = lines(result).unwrap_or_default();
        if games.iter().zip(seeds.start..).any(|(game, seed)| game.seed != seed) {
            return Vec::new();
        }
        games.truncate((seeds.end - seeds.start) as usize);
        games
    }

    /// The games of a player in the order of the seeds.
    pub fn played<'s>(&'s self, line: u32, store: &'s dyn Store) -> impl Iterator<Item = Played> + 's {
        (0..self.in_shard()).flat_map(move |index| {
            let shard = Shard { line, stage: 0, index };
            store.result(shard).map(|result| self.wanted(shard, &result)).unwrap_or_default()
        })
    }

    /// What the games of a player cost, with whether they were won; games without a known cost are missing.
    #[must_use]
    pub fn costs(&self, line: u32, store: &dyn Store) -> Vec<(Cost, bool)> {
        let mut all = Vec::new();
        for index in 0..self.in_shard() {
            let shard = Shard { line, stage: 0, index };
            let games = store.result(shard).map(|result| self.wanted(shard, &result)).unwrap_or_default();
            let costs: Vec<Cost> = store.cost(shard).and_then(|cost| lines(&cost)).unwrap_or_default();
            let of = |game: &Played| {
                costs.iter().find(|cost| cost.seed == game.seed).map(|&cost| (cost, game.won))
            };
            all.extend(games.iter().filter_map(of));
        }
        all
    }
}

impl Work for Games {
    fn settings(&self) -> Value {
        let players: Vec<Value> = self.players.iter().map(|player| player.settings()).collect();
        json!({"players": players, "first_seed": self.first_seed, "shard": self.shard})
    }

    fn lines(&self) -> u32 {
        self.players.len() as u32
    }

    fn shards(&self, _: u32, _: u32) -> u64 {
        self.in_shard()
    }

    fn accepts(&self, shard: Shard, result: &[u8]) -> bool {
        let seeds = self.seeds(shard.index);
        self.wanted(shard, result).len() as u64 == seeds.end - seeds.start
    }

    fn tally(&self, shard: Shard, result: &[u8]) -> Tally {
        let games = self.wanted(shard, result);
        Tally { units: games.len() as u64, good: games.iter().filter(|game| game.won).count() as u64 }
    }

    fn units(&self) -> Option<u64> {
        Some(self.games * self.players.len() as u64)
    }

    fn unit(&self) -> &'static str {
        "games"
    }

    /// The share of all players together says nothing about any of them, and who plays for points may win often and little.
    fn success(&self) -> Option<&'static str> {
        match &self.players[..] {
            [player] if player.measure() == Measure::Wins => Some("won"),
            _ => None,
        }
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>, Error> {
        Ok(Box::new(Table { games: self, seated: (0..self.players.len()).map(|_| None).collect() }))
    }
}

/// A worker: whoever was asked to play sits down and stays.
struct Table<'g> {
    games: &'g Games,
    seated: Vec<Option<Box<dyn Contestant + 'g>>>,
}

impl Worker for Table<'_> {
    fn shard(&mut self, shard: Shard, desk: &mut dyn Desk) -> Result<Option<Made>, Error> {
        let player = &self.games.players[shard.line as usize];
        let contestant = match &mut self.seated[shard.line as usize] {
            Some(seated) => seated,
            empty => empty.insert(player.contestant()?),
        };
        let part = desk.put_aside().unwrap_or_default();
        let mut games = self.games.wanted(shard, &part.result);
        // Costs of games that were lost with a torn shard would be of no game.
        let mut costs: Vec<Cost> = lines(&part.cost).unwrap_or_default();
        costs.retain(|cost| games.iter().any(|game| game.seed == cost.seed));
        let seeds = self.games.seeds(shard.index);
        let mut put = Instant::now();
        for seed in seeds.start + games.len() as u64..seeds.end {
            let (began, cpu) = (Instant::now(), cpu_seconds());
            let played = if desk.stopped() { None } else { contestant.play(seed, &|| desk.stopped())? };
            let Some(game) = played else {
                desk.put(&made(&games, &costs))?;
                return Ok(None);
            };
            let seconds = began.elapsed().as_secs_f64();
            let cpu = cpu.and_then(|before| Some((cpu_seconds()? - before).max(0.0)));
            costs.push(Cost { seed, seconds, cpu });
            desk.tell(Tally { units: 1, good: u64::from(game.won) }, None);
            games.push(game);
            if put.elapsed() >= self.games.put_every {
                desk.put(&made(&games, &costs))?;
                put = Instant::now();
            }
        }
        Ok(Some(made(&games, &costs)))
    }
}

fn made(games: &[Played], costs: &[Cost]) -> Made {
    Made { result: written(games), cost: written(costs) }
}

/// One line of JSON each.
pub(crate) fn written<T: Serialize>(values: &[T]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for value in values {
        // Writing to memory cannot fail, and no type here has a map with keys that are no text.
        let _ = serde_json::to_writer(&mut bytes, value);
        bytes.push(b'\n');
    }
    bytes
}

/// What one line of JSON each says; nothing if any of them says something else.
pub(crate) fn lines<T: DeserializeOwned>(bytes: &[u8]) -> Option<Vec<T>> {
    let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).ok()).collect()
}

/// Processor time of this thread so far, to the nanosecond, where the system tells. On a busy machine it says what a game costs, while the time that passed
/// says how busy the machine was.
#[cfg(unix)]
fn cpu_seconds() -> Option<f64> {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Some(time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9)
}

#[cfg(not(unix))]
fn cpu_seconds() -> Option<f64> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_thread_is_that_for_which_it_worked() {
        let cpu = || cpu_seconds().unwrap();
        let before = cpu();
        std::thread::sleep(Duration::from_millis(50));
        assert!(cpu() - before < 0.04, "sleep is no work");
        // Far below the ticks in which systems divide up their processors.
        let (before, began) = (cpu(), Instant::now());
        while began.elapsed() < Duration::from_micros(200) {
            std::hint::spin_loop();
        }
        let worked = cpu() - before;
        assert!(worked > 0.0 && worked < 0.04, "{worked}");
    }
}

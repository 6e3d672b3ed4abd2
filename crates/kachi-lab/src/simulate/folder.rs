//! The earlier layout of a run, read-only: `manifest.json` with format 1 and shards of games in `shards/000017.jsonl`, sealed with FNV-1a. `kachi lab
//! import` turns such a folder into one of today.

use crate::simulate::experiment::Played;
use crate::simulate::games::Cost;
use kachi_core::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The layout of the files; another number means another layout.
pub const FORMAT: u32 = 1;

/// A simulation as data. Equal simulations have equal results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Simulation {
    /// What is played and by whom, as [`Experiment::settings`](crate::simulate::Experiment::settings) tells it.
    pub settings: Value,
    /// The seed of the first game; the others follow it.
    pub first_seed: u64,
    /// How many games.
    pub games: u64,
    /// How many of them form a shard.
    pub shard: u32,
}

impl Simulation {
    /// How many shards there are.
    #[must_use]
    pub fn shards(&self) -> u64 {
        self.games.div_ceil(u64::from(self.shard.max(1)))
    }

    /// The seeds of a shard.
    #[must_use]
    pub fn seeds(&self, shard: u64) -> Range<u64> {
        let size = u64::from(self.shard.max(1));
        let start = shard.saturating_mul(size).min(self.games);
        let end = start.saturating_add(size).min(self.games);
        self.first_seed.saturating_add(start)..self.first_seed.saturating_add(end)
    }

    /// A number that changes with everything that the results of a shard depend on. The number of games is not among it: a run may be made longer.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let identity = (FORMAT, &self.settings, self.first_seed, self.shard);
        // Values of serde_json always have a text, and a manifest that is read back has its fields in the order of the text.
        checksum(serde_json::to_string(&identity).unwrap_or_default().as_bytes())
    }
}

/// FNV-1a of 64 bits: finds torn writes and flipped bits, and needs no table.
#[must_use]
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The last line of a shard.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Seal {
    games: u64,
    run: String,
    checksum: String,
}

fn hexadecimal(number: u64) -> String {
    format!("{number:016x}")
}

/// The folder of a run.
#[derive(Debug, Clone)]
pub struct Folder {
    path: PathBuf,
    simulation: Simulation,
    version: Option<String>,
    run: String,
}

impl Folder {
    /// The run that a folder holds, if it holds one.
    ///
    /// # Errors
    /// `foreign_folder` if there is a manifest that is not ours.
    pub fn find(path: &Path) -> Result<Option<Folder>, Error> {
        let manifest = path.join("manifest.json");
        let text = match fs::read_to_string(&manifest) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(cannot_read(&manifest, &error)),
        };
        let foreign = |why: String| {
            Error::new(
                "foreign_folder",
                format!("{} is no manifest of a simulation: {why}", manifest.display()),
            )
            .hint("name another folder, or remove this one")
        };
        let read: Manifest = serde_json::from_str(&text).map_err(|error| foreign(error.to_string()))?;
        if read.format != FORMAT {
            return Err(foreign(format!("its layout is {}, not {FORMAT}", read.format)));
        }
        let simulation = read.simulation;
        if simulation.shard == 0 || simulation.games == 0 {
            return Err(foreign("it has no games".to_owned()));
        }
        if simulation.first_seed.checked_add(simulation.games).is_none() {
            return Err(foreign("its seeds are out of range".to_owned()));
        }
        let run = hexadecimal(simulation.fingerprint());
        Ok(Some(Folder { path: path.to_owned(), simulation, version: read.kachi, run }))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it holds.
    #[must_use]
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// The version that played the games, if somebody has written it down.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// The shards that have a file, in their order. How many games there are to be is only a number in the manifest; what is there is on the disk.
    #[must_use]
    pub fn present(&self) -> Vec<u64> {
        let entries = fs::read_dir(self.path.join("shards")).into_iter().flatten().flatten();
        let number = |name: &str| name.strip_suffix(".jsonl")?.parse::<u64>().ok();
        let mut present: Vec<u64> = entries
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                number(&name).filter(|&shard| Self::shard_name(shard) == name)
            })
            .filter(|&shard| shard < self.simulation.shards())
            .collect();
        present.sort_unstable();
        present
    }

    fn shard_name(shard: u64) -> String {
        format!("{shard:06}.jsonl")
    }

    /// The games of a shard that are played already: all of them, the first few, or none. What cannot be trusted counts as not played.
    #[must_use]
    pub fn shard(&self, shard: u64) -> Vec<Played> {
        let path = self.path.join("shards").join(Self::shard_name(shard));
        let seeds = self.simulation.seeds(shard);
        let mut games =
            fs::read(path).ok().and_then(|bytes| unseal::<Played>(&bytes, &self.run)).unwrap_or_default();
        if games.iter().zip(seeds.start..).any(|(game, seed)| game.seed != seed) {
            return Vec::new();
        }
        games.truncate((seeds.end - seeds.start) as usize);
        games
    }

    /// What the games of a shard cost; games without a known cost are missing.
    #[must_use]
    pub fn costs(&self, shard: u64) -> Vec<Cost> {
        let path = self.path.join("times").join(Self::shard_name(shard));
        fs::read(path).ok().and_then(|bytes| unseal::<Cost>(&bytes, &self.run)).unwrap_or_default()
    }

    /// All games that are played, in the order of the seeds, shard by shard.
    pub fn games(&self) -> impl Iterator<Item = Played> + '_ {
        self.present().into_iter().flat_map(|shard| self.shard(shard))
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    format: u32,
    /// The layout had no place for it; who knew it may have added it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kachi: Option<String>,
    simulation: Simulation,
}

/// The lines, if the seal is unbroken and of this run.
fn unseal<T: serde::de::DeserializeOwned>(bytes: &[u8], run: &str) -> Option<Vec<T>> {
    let whole = bytes.strip_suffix(b"\n")?;
    let start = whole.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let (lines, last) = (&bytes[..start], &whole[start..]);
    let seal: Seal = serde_json::from_slice(last).ok()?;
    if seal.run != run || seal.checksum != hexadecimal(checksum(lines)) {
        return None;
    }
    let read: Vec<T> = lines
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(serde_json::from_slice)
        .collect::<Result<_, _>>()
        .ok()?;
    (read.len() as u64 == seal.games).then_some(read)
}

fn cannot_read(path: &Path, error: &io::Error) -> Error {
    Error::new("cannot_read", format!("cannot read {}: {error}", path.display()))
}

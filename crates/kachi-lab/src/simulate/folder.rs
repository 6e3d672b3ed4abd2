//! The files of a run. Every file is either whole or not there: written under a temporary name, brought to the disk, renamed.
//!
//! ```text
//! manifest.json        what is played: settings, first seed, games in a shard
//! shards/000017.jsonl  the games of a shard, one a line, and a last line with their number and a checksum
//! times/000017.jsonl   what each game cost; differs from run to run, so it is kept apart
//! results.jsonl        all games in the order of the seeds (at the end)
//! times.jsonl          what each of them cost (at the end)
//! summary.json         what the results show; timing.json: what they cost
//! *.svg                the pictures
//! ```
//!
//! A shard may be shorter than planned: a run that was stopped or is made longer goes on where the shard ends. A shard that is damaged, or that
//! belongs to other settings, is played again.

use crate::simulate::experiment::Played;
use kachi_core::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
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
    run: String,
}

impl Folder {
    /// Opens the folder of a simulation, or begins it.
    ///
    /// # Errors
    /// `other_run` if it holds a run of something else, `foreign_folder` if its manifest cannot be read, `cannot_write`.
    pub fn open(path: &Path, simulation: &Simulation) -> Result<Folder, Error> {
        if simulation.shard == 0 || simulation.games == 0 {
            return Err(Error::new("bad_value", "a simulation has at least one game, and so has a shard"));
        }
        let folder = Folder {
            path: path.to_owned(),
            simulation: simulation.clone(),
            run: hexadecimal(simulation.fingerprint()),
        };
        match Folder::find(path)? {
            Some(known) if known.simulation.fingerprint() == simulation.fingerprint() => {
                if known.simulation.games < simulation.games {
                    folder.write_manifest()?;
                }
            }
            Some(known) => return Err(other_run(path, &known.simulation, simulation)),
            None => {
                for part in ["shards", "times"] {
                    let inner = path.join(part);
                    fs::create_dir_all(&inner).map_err(|error| cannot_write(&inner, &error))?;
                }
                folder.write_manifest()?;
            }
        }
        Ok(folder)
    }

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
        let run = hexadecimal(simulation.fingerprint());
        Ok(Some(Folder { path: path.to_owned(), simulation, run }))
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

    fn write_manifest(&self) -> Result<(), Error> {
        let manifest = Manifest { format: FORMAT, simulation: self.simulation.clone() };
        let text = serde_json::to_string_pretty(&manifest).unwrap_or_default() + "\n";
        self.write("manifest.json", text.as_bytes())
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

    /// Keeps the games of a shard and what they cost; the costs first, so that games that are kept have their costs beside them.
    ///
    /// # Errors
    /// `cannot_write`.
    pub fn keep(&self, shard: u64, games: &[Played], costs: &[Cost]) -> Result<(), Error> {
        let name = Self::shard_name(shard);
        self.write(&format!("times/{name}"), &seal(costs, &self.run))?;
        self.write(&format!("shards/{name}"), &seal(games, &self.run))
    }

    /// Writes a file of the run: whole or not at all, and safe from a loss of power.
    ///
    /// # Errors
    /// `cannot_write`.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.write_with(name, |file| file.write_all(bytes))
    }

    /// As [`Folder::write`], for what is too long to be held in memory.
    ///
    /// # Errors
    /// `cannot_write`.
    pub fn write_with(
        &self,
        name: &str,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Error> {
        let target = self.path.join(name);
        let last = target.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let temporary = target.with_file_name(format!(".{last}.{}.tmp", std::process::id()));
        let written = File::create(&temporary).and_then(|file| {
            let mut writer = BufWriter::new(file);
            fill(&mut writer)?;
            let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.sync_all()?;
            fs::rename(&temporary, &target)
        });
        written.map_err(|error| {
            // The write has failed already; a temporary file that stays is the lesser evil.
            let _ = fs::remove_file(&temporary);
            cannot_write(&target, &error)
        })
    }

    /// All games that are played, in the order of the seeds, shard by shard.
    pub fn games(&self) -> impl Iterator<Item = Played> + '_ {
        (0..self.simulation.shards()).flat_map(|shard| self.shard(shard))
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    format: u32,
    simulation: Simulation,
}

/// Lines and their seal.
fn seal<T: Serialize>(lines: &[T], run: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in lines {
        // Writing to memory cannot fail, and neither type has a map with keys that are no text.
        let _ = serde_json::to_writer(&mut bytes, line);
        bytes.push(b'\n');
    }
    let seal =
        Seal { games: lines.len() as u64, run: run.to_owned(), checksum: hexadecimal(checksum(&bytes)) };
    let _ = serde_json::to_writer(&mut bytes, &seal);
    bytes.push(b'\n');
    bytes
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

fn other_run(path: &Path, known: &Simulation, wanted: &Simulation) -> Error {
    let differs = if known.settings != wanted.settings {
        format!("it was played with {}, not {}", known.settings, wanted.settings)
    } else if known.first_seed != wanted.first_seed {
        format!("its first seed is {}, not {}", known.first_seed, wanted.first_seed)
    } else {
        format!("its shards have {} games, not {}", known.shard, wanted.shard)
    };
    Error::new("other_run", format!("{} holds another simulation: {differs}", path.display()))
        .hint("name another folder with --out, or remove this one")
}

pub(crate) fn cannot_write(path: &Path, error: &io::Error) -> Error {
    Error::new("cannot_write", format!("cannot write {}: {error}", path.display()))
}

fn cannot_read(path: &Path, error: &io::Error) -> Error {
    Error::new("cannot_read", format!("cannot read {}: {error}", path.display()))
}

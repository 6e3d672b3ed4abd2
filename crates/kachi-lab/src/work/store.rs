//! Where shards are kept. On disk a shard is a file that is written under a temporary name, brought to the disk and renamed; its last line is a
//! seal with the run it belongs to and a checksum. A shard that is torn, damaged or of another run does not count and is made again.

use super::{Made, Shard};
use kachi_core::Error;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use xxhash_rust::xxh3::xxh3_64;

/// Keeps shards.
pub trait Store: Sync {
    /// The result of a shard, if it is complete.
    fn result(&self, shard: Shard) -> Option<Vec<u8>>;

    /// What a complete shard cost, if that is known.
    fn cost(&self, shard: Shard) -> Option<Vec<u8>>;

    /// Keeps a complete shard.
    ///
    /// # Errors
    /// `cannot_write`, `disk_full`.
    fn keep(&self, shard: Shard, made: &Made) -> Result<(), Error>;

    /// The part of a shard that was put aside.
    fn part(&self, shard: Shard) -> Option<Made>;

    /// Puts a part of a shard aside, in the place of the part before it.
    ///
    /// # Errors
    /// `cannot_write`, `disk_full`.
    fn put(&self, shard: Shard, part: &Made) -> Result<(), Error>;
}

/// Shards of a run that nobody will ask for again.
#[derive(Debug, Default)]
pub struct InMemory(Mutex<HashMap<Shard, Made>>);

impl InMemory {
    fn shards(&self) -> MutexGuard<'_, HashMap<Shard, Made>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for InMemory {
    fn result(&self, shard: Shard) -> Option<Vec<u8>> {
        self.shards().get(&shard).map(|made| made.result.clone())
    }

    fn cost(&self, shard: Shard) -> Option<Vec<u8>> {
        self.shards().get(&shard).map(|made| made.cost.clone())
    }

    fn keep(&self, shard: Shard, made: &Made) -> Result<(), Error> {
        self.shards().insert(shard, made.clone());
        Ok(())
    }

    fn part(&self, _: Shard) -> Option<Made> {
        None
    }

    fn put(&self, _: Shard, _: &Made) -> Result<(), Error> {
        Ok(())
    }
}

/// Shards in the folders `shards` (results), `times` (costs) and `parts` (what was put aside) of a run.
#[derive(Debug)]
pub struct OnDisk {
    folder: PathBuf,
    run: String,
    damaged: Mutex<Vec<String>>,
}

/// The last line of a file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Seal {
    run: String,
    bytes: u64,
    checksum: String,
}

const RESULTS: &str = "shards";
const COSTS: &str = "times";
const PARTS: &str = "parts";

impl OnDisk {
    /// The shards of the run with this fingerprint, in this folder.
    ///
    /// # Errors
    /// `cannot_write`, `disk_full`.
    pub fn open(folder: &Path, run: &str) -> Result<OnDisk, Error> {
        for part in [RESULTS, COSTS, PARTS] {
            let inner = folder.join(part);
            fs::create_dir_all(&inner).map_err(|error| cannot_write(&inner, &error))?;
        }
        Ok(OnDisk { folder: folder.to_owned(), run: run.to_owned(), damaged: Mutex::default() })
    }

    /// The folder of the run.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The files that were there but could not be trusted, in the order they were met.
    #[must_use]
    pub fn damaged(&self) -> Vec<String> {
        self.damaged.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Removes what processes that were killed had begun to write. Only for whoever alone works on the run.
    pub fn sweep(&self) {
        for part in ["", RESULTS, COSTS, PARTS] {
            let entries = fs::read_dir(self.folder.join(part)).into_iter().flatten().flatten();
            for entry in entries {
                let name = entry.file_name().to_string_lossy().into_owned();
                if name.starts_with('.') && entry.path().is_file() {
                    // One that cannot be removed only takes room.
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }

    fn read(&self, name: &str) -> Option<Vec<u8>> {
        let bytes = fs::read(self.folder.join(name)).ok()?;
        let body = unseal(bytes, &self.run);
        if body.is_none() {
            let mut damaged = self.damaged.lock().unwrap_or_else(PoisonError::into_inner);
            if !damaged.iter().any(|known| known == name) {
                damaged.push(name.to_owned());
            }
        }
        body
    }

    fn write(&self, name: &str, body: &[u8]) -> Result<(), Error> {
        write_whole(&self.folder.join(name), |out| {
            out.write_all(body)?;
            out.write_all(&seal(body, &self.run))
        })
    }
}

impl Store for OnDisk {
    fn result(&self, shard: Shard) -> Option<Vec<u8>> {
        self.read(&format!("{RESULTS}/{shard}.jsonl"))
    }

    fn cost(&self, shard: Shard) -> Option<Vec<u8>> {
        self.read(&format!("{COSTS}/{shard}.jsonl"))
    }

    fn keep(&self, shard: Shard, made: &Made) -> Result<(), Error> {
        // The cost first, so that a result that is kept has it beside it.
        if !made.cost.is_empty() {
            self.write(&format!("{COSTS}/{shard}.jsonl"), &made.cost)?;
        }
        self.write(&format!("{RESULTS}/{shard}.jsonl"), &made.result)?;
        // A part that stays is never looked at again.
        let _ = fs::remove_file(self.folder.join(format!("{PARTS}/{shard}.json")));
        Ok(())
    }

    fn part(&self, shard: Shard) -> Option<Made> {
        serde_json::from_slice(&self.read(&format!("{PARTS}/{shard}.json"))?).ok()
    }

    fn put(&self, shard: Shard, part: &Made) -> Result<(), Error> {
        let body = serde_json::to_vec(part).unwrap_or_default();
        self.write(&format!("{PARTS}/{shard}.json"), &[body, b"\n".to_vec()].concat())
    }
}

fn seal(body: &[u8], run: &str) -> Vec<u8> {
    let seal = Seal { run: run.to_owned(), bytes: body.len() as u64, checksum: checksum(body) };
    let mut line = serde_json::to_vec(&seal).unwrap_or_default();
    line.push(b'\n');
    line
}

/// What stands before the seal, if that is unbroken and of this run.
fn unseal(mut bytes: Vec<u8>, run: &str) -> Option<Vec<u8>> {
    let whole = bytes.strip_suffix(b"\n")?;
    let start = whole.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let seal: Seal = serde_json::from_slice(&whole[start..]).ok()?;
    let body = &bytes[..start];
    if seal.run != run || seal.bytes != start as u64 || seal.checksum != checksum(body) {
        return None;
    }
    bytes.truncate(start);
    Some(bytes)
}

/// XXH3 of 64 bits, in hexadecimal: finds torn writes and flipped bits.
#[must_use]
pub fn checksum(bytes: &[u8]) -> String {
    format!("{:016x}", xxh3_64(bytes))
}

/// Writes a file whole or not at all, safe from a loss of power.
///
/// # Errors
/// `cannot_write`, `disk_full`.
pub fn write_whole(
    target: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), Error> {
    let last = target.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let temporary = target.with_file_name(format!(".{last}.{}.tmp", std::process::id()));
    let written = File::create(&temporary).and_then(|file| {
        let mut writer = BufWriter::with_capacity(1 << 16, file);
        fill(&mut writer)?;
        let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        fs::rename(&temporary, target)
    });
    if let (Ok(()), Some(Ok(folder))) = (&written, target.parent().map(File::open)) {
        // The name is on the disk when the folder is; systems that cannot do that for folders do it by themselves.
        let _ = folder.sync_all();
    }
    written.map_err(|error| {
        // The write has failed already; a temporary file that stays is the lesser evil.
        let _ = fs::remove_file(&temporary);
        cannot_write(target, &error)
    })
}

/// A file that cannot be written; a full disk is named as what it is.
pub(crate) fn cannot_write(path: &Path, error: &io::Error) -> Error {
    let full = matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
    );
    if full {
        let message = format!("the disk is full: cannot write {} ({error})", path.display());
        return Error::new("disk_full", message)
            .hint("nothing that was finished is lost; make room, then kachi lab resume goes on");
    }
    Error::new("cannot_write", format!("cannot write {}: {error}", path.display()))
}

pub(crate) fn cannot_read(path: &Path, error: &io::Error) -> Error {
    Error::new("cannot_read", format!("cannot read {}: {error}", path.display()))
}

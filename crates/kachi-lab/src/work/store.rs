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
    unreadable: Mutex<Option<Error>>,
}

/// The last line of a file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Seal {
    run: String,
    /// The file: the shards of two players have the same seeds and would fit in each other's places.
    file: String,
    bytes: u64,
    checksum: String,
}

const RESULTS: &str = "shards";
const COSTS: &str = "times";
const PARTS: &str = "parts";

/// The folders of a run.
pub(crate) const FOLDERS: [&str; 3] = [RESULTS, COSTS, PARTS];

/// The files of a run beside its shards. Whoever adds a file or a picture to a run names it here: what is not here is not ours to remove.
pub(crate) const FILES: [&str; 11] = [
    "manifest.json",
    "lock",
    "status.json",
    "results.parquet",
    "summary.json",
    "timing.json",
    "time.svg",
    "lost.svg",
    "ladder.svg",
    "cases.svg",
    "levels.svg",
];

/// Is it the name of a file that a run keeps beside its shards?
pub(crate) fn is_file_of_a_run(name: &str) -> bool {
    FILES.contains(&name)
}

/// Is it the name of a file that a run keeps in one of its folders: `000-000-000017.jsonl`?
pub(crate) fn is_shard(name: &str) -> bool {
    let Some((numbers, "json" | "jsonl")) = name.split_once('.') else { return false };
    numbers.split('-').count() == 3 && numbers.split('-').all(is_number)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Where the bytes of a file go until they are whole.
pub(crate) fn temporary(target: &Path) -> PathBuf {
    let last = target.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    target.with_file_name(format!(".{last}.{}.tmp", std::process::id()))
}

/// The name of the file that a temporary one was to become; nothing if the name is not one of [`temporary`]'s.
pub(crate) fn meant(name: &str) -> Option<&str> {
    // The status was once written without the ending.
    let name = name.strip_prefix('.')?;
    let (name, process) = name.strip_suffix(".tmp").unwrap_or(name).rsplit_once('.')?;
    (is_number(process) && !name.is_empty()).then_some(name)
}

impl OnDisk {
    /// The shards of the run with this fingerprint, in this folder.
    ///
    /// # Errors
    /// `cannot_write`, `disk_full`.
    pub fn open(folder: &Path, run: &str) -> Result<OnDisk, Error> {
        for part in FOLDERS {
            let inner = folder.join(part);
            fs::create_dir_all(&inner).map_err(|error| cannot_write(&inner, &error))?;
        }
        let (folder, run) = (folder.to_owned(), run.to_owned());
        Ok(OnDisk { folder, run, damaged: Mutex::default(), unreadable: Mutex::default() })
    }

    /// The folder of the run.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The shards that were there but could not be trusted, in the order they were met. Costs and parts that cannot be trusted are not made again, so
    /// they are not among them.
    #[must_use]
    pub fn damaged(&self) -> Vec<String> {
        self.damaged.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The first file since this was last asked that is there and that the system did not let us read. While work is done such a file counts as missing
    /// and is made again; what is summed up without it would be wrong.
    pub fn take_unreadable(&self) -> Option<Error> {
        self.unreadable.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Removes what processes that were killed had begun to write, and nothing else. Only for whoever alone works on the run.
    pub fn sweep(&self) {
        for part in ["", RESULTS, COSTS, PARTS] {
            let entries = fs::read_dir(self.folder.join(part)).into_iter().flatten().flatten();
            for entry in entries {
                let name = entry.file_name();
                let begun = name.to_str().and_then(meant);
                let ours = begun.is_some_and(|meant| {
                    if part.is_empty() { is_file_of_a_run(meant) } else { is_shard(meant) }
                });
                // A link is not followed: nobody writes temporary ones.
                if ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
                    // One that cannot be removed only takes room.
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }

    fn read(&self, name: &str) -> Option<Vec<u8>> {
        let path = self.folder.join(name);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                if error.kind() != io::ErrorKind::NotFound {
                    let mut first = self.unreadable.lock().unwrap_or_else(PoisonError::into_inner);
                    first.get_or_insert_with(|| cannot_read(&path, &error));
                }
                return None;
            }
        };
        let body = unseal(bytes, &self.run, name);
        if body.is_none() && name.starts_with(RESULTS) {
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
            out.write_all(&seal(body, &self.run, name))
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

fn seal(body: &[u8], run: &str, file: &str) -> Vec<u8> {
    let (run, file) = (run.to_owned(), file.to_owned());
    let seal = Seal { run, file, bytes: body.len() as u64, checksum: checksum(body) };
    let mut line = serde_json::to_vec(&seal).unwrap_or_default();
    line.push(b'\n');
    line
}

/// What stands before the seal, if that is unbroken, of this run and in its place.
fn unseal(mut bytes: Vec<u8>, run: &str, file: &str) -> Option<Vec<u8>> {
    let whole = bytes.strip_suffix(b"\n")?;
    let start = whole.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let seal: Seal = serde_json::from_slice(&whole[start..]).ok()?;
    let body = &bytes[..start];
    if seal.run != run || seal.file != file || seal.bytes != start as u64 || seal.checksum != checksum(body) {
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
    let temporary = temporary(target);
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

#[cfg(test)]
mod tests {
    use super::*;

    const SHARD: Shard = Shard { line: 0, stage: 0, index: 17 };

    fn fresh(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("kachi-store-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn made() -> Made {
        Made { result: b"{}\n".to_vec(), cost: b"{}\n".to_vec() }
    }

    #[test]
    fn only_what_a_killed_process_had_begun_is_swept() {
        let folder = fresh("swept");
        let store = OnDisk::open(&folder, "run").unwrap();
        let begun = [".manifest.json.17.tmp", ".status.json.4", "shards/.000-000-000003.jsonl.9.tmp"];
        let kept = [
            ".bashrc",
            ".17.tmp",
            ".notes.txt.17.tmp",
            ".manifest.json.tmp",
            ".manifest.json.x.tmp",
            "shards/.profile",
            "parts/.manifest.json.17.tmp",
        ];
        for name in begun.iter().chain(&kept) {
            fs::write(folder.join(name), "").unwrap();
        }
        store.sweep();
        assert!(begun.iter().all(|name| !folder.join(name).exists()));
        for name in kept {
            assert!(folder.join(name).exists(), "{name}");
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn temporary_names_are_known_again() {
        for name in FILES.iter().map(|name| (*name).to_owned()).chain([format!("{SHARD}.jsonl")]) {
            let path = temporary(&Path::new("run").join(&name));
            assert_eq!(path.file_name().and_then(|last| meant(last.to_str().unwrap())), Some(&*name));
        }
        assert!(is_shard(&format!("{SHARD}.json")) && !is_shard("000-000.jsonl") && !is_shard("0-0-x.json"));
    }

    #[test]
    fn a_shard_in_the_place_of_another_is_damaged() {
        let folder = fresh("swapped");
        let store = OnDisk::open(&folder, "run").unwrap();
        let other = Shard { line: 1, ..SHARD };
        store.keep(SHARD, &made()).unwrap();
        fs::rename(
            folder.join(format!("shards/{SHARD}.jsonl")),
            folder.join(format!("shards/{other}.jsonl")),
        )
        .unwrap();
        assert_eq!(store.result(other), None);
        assert_eq!(store.damaged(), [format!("shards/{other}.jsonl")]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn only_damaged_shards_are_told_as_such() {
        let folder = fresh("damaged");
        let store = OnDisk::open(&folder, "run").unwrap();
        store.keep(SHARD, &made()).unwrap();
        store.put(SHARD, &made()).unwrap();
        for file in [format!("times/{SHARD}.jsonl"), format!("parts/{SHARD}.json")] {
            fs::write(folder.join(file), "torn").unwrap();
        }
        assert_eq!((store.cost(SHARD), store.part(SHARD)), (None, None));
        assert!(store.damaged().is_empty());
        let shard = format!("shards/{SHARD}.jsonl");
        fs::write(folder.join(&shard), "torn").unwrap();
        assert_eq!((store.result(SHARD), store.damaged()), (None, vec![shard]));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_is_missing_is_not_what_cannot_be_read() {
        let folder = fresh("unreadable");
        let store = OnDisk::open(&folder, "run").unwrap();
        assert_eq!((store.result(SHARD), store.take_unreadable()), (None, None));
        // Nobody can read a folder as a file, whatever his rights.
        fs::create_dir(folder.join(format!("shards/{SHARD}.jsonl"))).unwrap();
        assert_eq!(store.result(SHARD), None);
        assert_eq!(store.take_unreadable().unwrap().code, "cannot_read");
        assert_eq!(store.take_unreadable(), None);
        fs::remove_dir_all(folder).unwrap();
    }
}

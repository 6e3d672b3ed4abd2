//! Parts of finished levels on disk. A part holds some shards of a level; a level is complete when its parts, wherever they are, hold all of its shards. Every
//! part is written under a temporary name, brought to the disk and renamed, and ends with a checksum; what is torn, damaged or of other work does not count.
//!
//! A file: magic, version, kind, fingerprint of the work, level, first shard, number of shards, then for each shard its count and its length (8 bytes each,
//! little-endian), then the bytes of the shards, then the XXH3 checksum of all that.

use crate::table::folder::hold;
use crate::work::store::{cannot_write, write_whole};
use kachi_core::Error;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

const MAGIC: u64 = u64::from_le_bytes(*b"kachiprt");
const VERSION: u64 = 1;
const HEAD: usize = 7;

/// What a part holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// States.
    Keys,
    /// How many placements the states have.
    Placements,
    /// Exact chances of states.
    Worth,
    /// A level's section of the table; one shard, whatever the level is cut into.
    Section,
}

impl Kind {
    pub(super) const ALL: [Kind; 4] = [Kind::Keys, Kind::Placements, Kind::Worth, Kind::Section];

    fn name(self) -> &'static str {
        match self {
            Kind::Keys => "keys",
            Kind::Placements => "placements",
            Kind::Worth => "worth",
            Kind::Section => "section",
        }
    }
}

/// A finished shard of a level.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Kept {
    /// How many states it has.
    pub(super) count: u64,
    /// Their bytes.
    pub(super) bytes: Vec<u8>,
}

/// The parts that a process has.
#[derive(Debug)]
pub(super) struct Parts {
    folder: PathBuf,
    fingerprint: u64,
}

/// Which shards of a level there are, with their counts.
pub(super) type Held = BTreeMap<(Kind, usize), BTreeMap<usize, u64>>;

/// A file with what its name says.
struct Named {
    kind: Kind,
    level: usize,
    shards: Range<usize>,
    path: PathBuf,
}

impl Parts {
    /// The parts in a folder, which is made if it is not there.
    ///
    /// # Errors
    /// `cannot_write`.
    pub(super) fn open(folder: &Path, fingerprint: u64) -> Result<Parts, Error> {
        std::fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
        Ok(Parts { folder: folder.to_owned(), fingerprint })
    }

    /// Keeps the processes of other runs out of it while this one goes on. Processes of the same run share it; one of them holds it.
    ///
    /// # Errors
    /// `already_running`, `cannot_write`.
    pub(super) fn hold(&self) -> Result<Option<File>, Error> {
        hold(&self.folder)
    }

    fn path(&self, kind: Kind, level: usize, first: usize, shards: usize) -> PathBuf {
        self.folder.join(format!("{}-{level:02}-{first:04}-{shards:04}", kind.name()))
    }

    /// Keeps shards that follow each other.
    ///
    /// # Errors
    /// `cannot_write`, `disk_full`.
    pub(super) fn keep(&self, kind: Kind, level: usize, first: usize, shards: &[Kept]) -> Result<(), Error> {
        if shards.is_empty() {
            return Ok(());
        }
        write_whole(&self.path(kind, level, first, shards.len()), |out| {
            let mut sum = Xxh3::new();
            let mut put = |bytes: &[u8]| {
                sum.update(bytes);
                out.write_all(bytes)
            };
            let head = [
                MAGIC,
                VERSION,
                kind as u64,
                self.fingerprint,
                level as u64,
                first as u64,
                shards.len() as u64,
            ];
            let sizes = shards.iter().flat_map(|shard| [shard.count, shard.bytes.len() as u64]);
            head.into_iter().chain(sizes).try_for_each(|number| put(&number.to_le_bytes()))?;
            shards.iter().try_for_each(|shard| put(&shard.bytes))?;
            out.write_all(&sum.digest().to_le_bytes())
        })
    }

    /// All parts that can be trusted: every file is read and checked.
    pub(super) fn held(&self) -> Held {
        let mut held = Held::new();
        for file in self.files() {
            let Some((first, shards)) = self.read(&file) else { continue };
            let there = held.entry((file.kind, file.level)).or_default();
            there.extend(shards.iter().enumerate().map(|(i, shard)| (first + i, shard.count)));
        }
        held
    }

    /// The shards of a level that are here, of those that are wanted.
    pub(super) fn load(
        &self,
        kind: Kind,
        level: usize,
        wanted: &dyn Fn(usize) -> bool,
    ) -> BTreeMap<usize, Kept> {
        let mut found = BTreeMap::new();
        let of_level = self.files().into_iter().filter(|file| (file.kind, file.level) == (kind, level));
        for file in of_level.filter(|file| file.shards.clone().any(wanted)) {
            let Some((first, shards)) = self.read(&file) else { continue };
            found.extend(
                shards.into_iter().enumerate().map(|(i, kept)| (first + i, kept)).filter(|&(i, _)| wanted(i)),
            );
        }
        found
    }

    /// Forgets the parts of a level.
    pub(super) fn forget(&self, kind: Kind, level: usize) {
        for file in self.files().into_iter().filter(|file| (file.kind, file.level) == (kind, level)) {
            // Another process may have been faster, and one that stays only takes room.
            let _ = std::fs::remove_file(file.path);
        }
    }

    /// Forgets everything: the work is done.
    pub(super) fn remove(&self) {
        // Processes that share the folder do it at the same time; what stays only takes room.
        let _ = std::fs::remove_dir_all(&self.folder);
    }

    /// Bytes on disk.
    pub(super) fn bytes(&self) -> u64 {
        self.files().iter().filter_map(|file| Some(file.path.metadata().ok()?.len())).sum()
    }

    fn files(&self) -> Vec<Named> {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return Vec::new() };
        let mut files: Vec<Named> = entries
            .filter_map(|entry| {
                let path = entry.ok()?.path();
                let mut words = path.file_name()?.to_str()?.split('-');
                let kind = words.next()?;
                let kind = Kind::ALL.into_iter().find(|known| known.name() == kind)?;
                let mut number = || words.next()?.parse::<usize>().ok();
                let (level, first, count) = (number()?, number()?, number()?);
                Some(Named { kind, level, shards: first..first.checked_add(count)?, path })
            })
            .collect();
        files.sort_by(|one, other| one.path.cmp(&other.path));
        files
    }

    /// The first shard and all shards of a part; anything wrong with it means that it does not count.
    fn read(&self, file: &Named) -> Option<(usize, Vec<Kept>)> {
        let all = std::fs::read(&file.path).ok()?;
        let (body, sum) = all.split_at_checked(all.len().checked_sub(8)?)?;
        if u64::from_le_bytes(sum.try_into().ok()?) != xxh3_64(body) {
            return None;
        }
        let number = |i: usize| Some(u64::from_le_bytes(body.get(8 * i..8 * i + 8)?.try_into().ok()?));
        let head = [MAGIC, VERSION, file.kind as u64, self.fingerprint, file.level as u64];
        if (0..head.len()).any(|i| number(i) != Some(head[i])) {
            return None;
        }
        let (first, count) = (number(5)? as usize, number(6)? as usize);
        let mut at = HEAD.checked_add(count.checked_mul(2)?)?.checked_mul(8)?;
        let mut shards = Vec::new();
        for i in 0..count {
            let (states, length) = (number(HEAD + 2 * i)?, number(HEAD + 2 * i + 1)? as usize);
            let end = at.checked_add(length)?;
            shards.push(Kept { count: states, bytes: body.get(at..end)?.to_vec() });
            at = end;
        }
        (at == body.len() && (first, count) == (file.shards.start, file.shards.len()))
            .then_some((first, shards))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back_and_damaged_ones_do_not_count() {
        let folder = std::env::temp_dir().join(format!("kachi-parts-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let parts = Parts::open(&folder, 7).unwrap();
        let shards = [3u64, 0, 5].map(|count| Kept { count, bytes: vec![count as u8; 2 * count as usize] });
        parts.keep(Kind::Keys, 4, 10, &shards).unwrap();
        parts.keep(Kind::Keys, 4, 12, &shards[2..]).unwrap();
        parts.keep(Kind::Worth, 4, 0, &shards[..1]).unwrap();
        let held = parts.held();
        assert_eq!(held[&(Kind::Keys, 4)], BTreeMap::from([(10, 3), (11, 0), (12, 5)]));
        assert_eq!(held[&(Kind::Worth, 4)], BTreeMap::from([(0, 3)]));
        assert_eq!(parts.load(Kind::Keys, 4, &|shard| shard != 11)[&12], shards[2]);
        assert!(Parts::open(&folder, 8).unwrap().held().is_empty(), "of other work");
        let path = folder.join("keys-04-0010-0003");
        let whole = std::fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            std::fs::write(&path, damaged).unwrap();
            assert_eq!(parts.held()[&(Kind::Keys, 4)].len(), 1, "byte {at}");
        }
        std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        assert_eq!(parts.held()[&(Kind::Keys, 4)].len(), 1);
        std::fs::rename(folder.join("worth-04-0000-0001"), folder.join("worth-05-0000-0001")).unwrap();
        assert!(!parts.held().contains_key(&(Kind::Worth, 5)), "under the name of another level");
        parts.remove();
        assert!(!folder.exists());
    }
}

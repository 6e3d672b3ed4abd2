//! Tables as bytes, and a place to keep them. A stored table names its format, mode and size and ends with a
//! checksum; what is damaged, from another version or about another game is refused and solved again.

use super::layer::Layer;
use super::ranking::vectors;
use super::table::{Guarantees, bytes_needed, put_on_shelf, solve_and_keep};
use crate::position::Mode;
use crate::shape::{Classes, MOST_SEATS};
use kachi_core::{Budget, Error};
use std::sync::{Arc, OnceLock};

const MAGIC: [u8; 8] = *b"kachibbn";
const VERSION: u32 = 1;
const HEADER: usize = 8 + 4 + 4 + 4 + 4;
const CHECKSUM: usize = 8;

/// Which table is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    /// Copies of a label.
    pub mode: Mode,
    /// The most seats.
    pub seats: usize,
    /// The most labels.
    pub labels: u32,
}

impl Key {
    /// A name for a file: `babanuki-pairs-4-26.v1.table`.
    pub fn name(&self) -> String {
        let mode = match self.mode {
            Mode::Pairs => "pairs",
            Mode::Ranks => "ranks",
        };
        format!("babanuki-{mode}-{}-{}.v{VERSION}.table", self.seats, self.labels)
    }
}

/// A place where tables are kept between runs. Losing one costs time, never an answer.
pub trait Storage {
    /// The bytes kept for a key, if any.
    fn load(&self, key: &Key) -> Option<Vec<u8>>;

    /// Keeps bytes for a key; failing is allowed.
    fn save(&self, key: &Key, bytes: &[u8]);
}

/// A table as bytes.
pub fn to_bytes(table: &Guarantees) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + table.bytes() + CHECKSUM);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(mode_number(table.mode()).to_le_bytes());
    bytes.extend((table.seats() as u32).to_le_bytes());
    bytes.extend(table.labels().to_le_bytes());
    table.layers().for_each(|layer| bytes.extend(&layer.values));
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// A table from its bytes.
///
/// # Errors
/// `foreign_table` if the bytes are something else, another version or another size; `damaged_table` if they were changed.
pub fn from_bytes(bytes: &[u8], key: &Key) -> Result<Guarantees, Error> {
    let foreign = |what: &str| Err(Error::new("foreign_table", format!("the stored table {what}")));
    let damaged = |what: &str| Err(Error::new("damaged_table", format!("the stored table {what}")));
    if bytes.len() < HEADER + CHECKSUM || bytes[..8] != MAGIC {
        return foreign("is no table of babanuki");
    }
    let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    if number(8) != VERSION {
        return foreign("has another version");
    }
    if (number(12), number(16), number(20)) != (mode_number(key.mode), key.seats as u32, key.labels) {
        return foreign("is about other seats, labels or mode");
    }
    let (body, sum) = bytes.split_at(bytes.len() - CHECKSUM);
    if sum != checksum(body).to_le_bytes() {
        return damaged("does not fit its checksum");
    }
    if !(2..=MOST_SEATS).contains(&key.seats) {
        return foreign("has too many seats");
    }
    let mut rest = &body[HEADER..];
    let mut layers = Vec::new();
    for seats in 2..=key.seats {
        for labels in 0..=key.labels {
            let size = Guarantees::layer_bytes(seats, labels, key.mode);
            let Some((values, after)) =
                usize::try_from(size).ok().and_then(|size| rest.split_at_checked(size))
            else {
                return damaged("is too short");
            };
            layers.push(Layer { seats: seats as u8, labels, values: values.to_vec() });
            rest = after;
        }
    }
    if !rest.is_empty() {
        return damaged("is too long");
    }
    Ok(Guarantees::from_layers(key.seats, key.labels, key.mode, layers))
}

fn mode_number(mode: Mode) -> u32 {
    match mode {
        Mode::Pairs => 0,
        Mode::Ranks => 1,
    }
}

/// FNV-1a over words of eight bytes, the last one filled up with zeros, and the length.
fn checksum(bytes: &[u8]) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(PRIME).rotate_left(23);
    let word = |chunk: &[u8]| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    };
    let hash = bytes.chunks(8).fold(0xcbf2_9ce4_8422_2325, |hash, chunk| mix(hash, word(chunk)));
    mix(hash, bytes.len() as u64)
}

/// Where tables are kept between runs, once a surface has said so.
static STORAGE: OnceLock<Box<dyn Storage + Send + Sync>> = OnceLock::new();

/// From now on large tables are looked for in this storage before they are solved, and stored afterwards. The first
/// storage stays; gives false if there was one already.
pub fn keep_tables_in(storage: Box<dyn Storage + Send + Sync>) -> bool {
    STORAGE.set(storage).is_ok()
}

pub(super) fn storage() -> Option<&'static (dyn Storage + Send + Sync)> {
    STORAGE.get().map(|storage| &**storage)
}

/// The table for a key: from storage, or solved now and stored.
///
/// # Errors
/// As [`Guarantees::solve`].
pub fn stored_table(
    key: &Key,
    storage: &(impl Storage + ?Sized),
    budget: &mut Budget<'_>,
) -> Result<Arc<Guarantees>, Error> {
    let fits = bytes_needed(key.seats, key.labels, key.mode) <= budget.limits().bytes;
    let kept = if fits { storage.load(key).and_then(|bytes| from_bytes(&bytes, key).ok()) } else { None };
    if let Some(kept) = kept.map(Arc::new) {
        put_on_shelf(&kept);
        return Ok(kept);
    }
    let solved = solve_and_keep(key, budget)?;
    storage.save(key, &to_bytes(&solved));
    Ok(solved)
}

impl Guarantees {
    /// Bytes of a layer; none when there are more hands than cards.
    pub(super) fn layer_bytes(seats: usize, labels: u32, mode: Mode) -> u64 {
        if super::table::cards(seats, labels, mode) < seats as u64 {
            return 0;
        }
        vectors(Classes::of(seats, mode).len(), labels).saturating_mul((seats * seats) as u64)
    }
}

/// Tables as files of one folder: written under a temporary name, brought to the disk, then renamed.
#[cfg(feature = "store")]
#[derive(Debug, Clone)]
pub struct Folder(pub std::path::PathBuf);

#[cfg(feature = "store")]
impl Folder {
    fn write(&self, key: &Key, bytes: &[u8]) -> std::io::Result<()> {
        use std::io::Write;
        std::fs::create_dir_all(&self.0)?;
        let name = key.name();
        let temporary = self.0.join(format!(".{name}.{}", std::process::id()));
        let mut file = std::fs::File::create(&temporary)?;
        let written = file.write_all(bytes).and_then(|()| file.sync_all());
        let renamed = written.and_then(|()| std::fs::rename(&temporary, self.0.join(name)));
        if renamed.is_err() {
            // The write has failed already; a file that cannot be removed either changes nothing.
            let _ = std::fs::remove_file(&temporary);
        }
        renamed
    }
}

#[cfg(feature = "store")]
impl Storage for Folder {
    fn load(&self, key: &Key) -> Option<Vec<u8>> {
        let path = self.0.join(key.name());
        // Never more than the table can have.
        let most = bytes_needed(key.seats, key.labels, key.mode).saturating_add((HEADER + CHECKSUM) as u64);
        let size = std::fs::metadata(&path).ok()?.len();
        if size > most { None } else { std::fs::read(path).ok() }
    }

    fn save(&self, key: &Key, bytes: &[u8]) {
        // Storage is a convenience: the table is in memory in any case.
        let _ = self.write(key, bytes);
    }
}

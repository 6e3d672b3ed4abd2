//! A file as memory. The only `unsafe` block of the laboratory.

use kachi_core::Error;
use std::fs::File;
use std::path::Path;

/// A file mapped into memory, read-only.
#[derive(Debug)]
pub struct Map(memmap2::Mmap);

impl AsRef<[u8]> for Map {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Maps a file; nothing is read until it is looked at.
///
/// # Errors
/// `cannot_read`.
#[allow(unsafe_code)]
pub fn map(path: &Path) -> Result<Map, Error> {
    let failed = |error| crate::work::store::cannot_read(path, &error);
    let file = File::open(path).map_err(failed)?;
    // SAFETY: the map is only sound while nobody shortens or changes the file. This program never does: tables are written under another name
    // and moved into place whole, so an open map keeps the old file. Another program that writes into a table's file breaks
    // this, as for every program that maps files.
    let map = unsafe { memmap2::Mmap::map(&file) }.map_err(failed)?;
    Ok(Map(map))
}

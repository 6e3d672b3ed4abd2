//! Runs that are removed. Only what a run leaves is touched: whatever else somebody has put into its folder stays, and is named.

use super::run::Run;
use super::status::{Hold, LOCK};
use crate::work::store::{FOLDERS, cannot_write, is_file_of_a_run, is_shard, meant};
use kachi_core::Error;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A run that nobody else is at, so that parts of it may be removed.
#[derive(Debug)]
pub struct Cleaner {
    path: PathBuf,
    hold: Hold,
}

impl Run {
    /// Keeps other processes from the run, so that it can be cleaned.
    ///
    /// # Errors
    /// `already_running` if another process is at it, `cannot_write`.
    pub fn cleaner(&self) -> Result<Cleaner, Error> {
        Ok(Cleaner { path: self.path().to_owned(), hold: Hold::of(self.path())? })
    }
}

impl Cleaner {
    /// Removes the shards, their costs and parts.
    ///
    /// # Errors
    /// `cannot_write`.
    pub fn remove_shards(&self) -> Result<(), Error> {
        for part in FOLDERS {
            let folder = self.path.join(part);
            for name in names(&folder)? {
                if is_ours(&name, is_shard) {
                    remove(&folder.join(name))?;
                }
            }
            remove_empty(&folder)?;
        }
        Ok(())
    }

    /// Removes everything that a run leaves, and its folder if nothing else is in it. What is left, by name.
    ///
    /// # Errors
    /// `cannot_write`.
    pub fn remove_all(self) -> Result<Vec<String>, Error> {
        self.remove_shards()?;
        for name in names(&self.path)? {
            if is_ours(&name, is_file_of_a_run) && !LAST.iter().any(|last| name == *last) {
                remove(&self.path.join(name))?;
            }
        }
        for name in LAST {
            remove(&self.path.join(name))?;
        }
        drop(self.hold);
        remove_empty(&self.path)?;
        let mut left: Vec<String> =
            names(&self.path)?.iter().map(|name| name.to_string_lossy().into_owned()).collect();
        left.sort();
        Ok(left)
    }
}

/// As long as something else is left, the folder is a run, and as long as that is so it is locked.
const LAST: [&str; 2] = ["manifest.json", LOCK];

/// Is a folder free for a new run: not there, empty, or with nothing in it but what a run leaves that was killed before it had a manifest?
///
/// # Errors
/// `foreign_folder` if something else is in it, `cannot_read`.
pub(super) fn check_free(path: &Path) -> Result<(), Error> {
    let names = match fs::read_dir(path) {
        Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.file_name())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(crate::work::store::cannot_read(path, &error)),
    };
    let begun = |name: &OsString| {
        name == LOCK || !is_file_of_a_run(&name.to_string_lossy()) && is_ours(name, is_file_of_a_run)
    };
    let mut foreign: Vec<OsString> = names.filter(|name| !begun(name)).collect();
    foreign.sort();
    let Some(first) = foreign.first() else { return Ok(()) };
    let message = format!(
        "{} is no folder of a run: it holds {} and no manifest",
        path.display(),
        Path::new(first).display()
    );
    Err(Error::new("foreign_folder", message).hint("name a new folder, or an empty one"))
}

/// Is it a file that a run keeps, or one that was to become it?
fn is_ours(name: &OsString, kept: impl Fn(&str) -> bool) -> bool {
    name.to_str().is_some_and(|name| kept(name) || meant(name).is_some_and(&kept))
}

fn names(folder: &Path) -> Result<Vec<OsString>, Error> {
    match fs::read_dir(folder) {
        Ok(entries) => Ok(entries.filter_map(|entry| Some(entry.ok()?.file_name())).collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(crate::work::store::cannot_read(folder, &error)),
    }
}

fn remove(file: &Path) -> Result<(), Error> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(cannot_write(file, &error)),
        _ => Ok(()),
    }
}

/// Removes a folder unless something is in it.
fn remove_empty(folder: &Path) -> Result<(), Error> {
    match fs::remove_dir(folder) {
        Err(error)
            if ![io::ErrorKind::NotFound, io::ErrorKind::DirectoryNotEmpty].contains(&error.kind()) =>
        {
            Err(cannot_write(folder, &error))
        }
        _ => Ok(()),
    }
}

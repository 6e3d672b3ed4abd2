//! Where tables are kept: the folder that `KACHI_DATA` names, otherwise the user's data folder (`$XDG_DATA_HOME/kachi`, `~/.local/share/kachi`,
//! or `%LOCALAPPDATA%\kachi`), in both cases in its subfolder `calculation`.

use super::map::map;
use crate::work::store::{cannot_read, cannot_write};
use calculation::table::file::name;
use calculation::table::shelf::find_by;
use calculation::table::{Size, Table};
use kachi_core::Error;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A folder of tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder(PathBuf);

/// Holds a folder of unfinished work, which is made if it is not there: while this lives, no other process on this machine holds it. Where folders cannot be
/// locked, nothing is held.
///
/// # Errors
/// `already_running` if another process holds it, `cannot_write`.
pub(crate) fn hold(folder: &Path) -> Result<Option<File>, Error> {
    std::fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
    // The folder itself, so that the lock goes with it when the work is done.
    let Ok(held) = File::open(folder) else { return Ok(None) };
    match held.try_lock() {
        Ok(()) => Ok(Some(held)),
        Err(TryLockError::WouldBlock) => {
            let message = format!("another process works in {} already", folder.display());
            Err(Error::new("already_running", message).hint("wait for it, or stop it with Ctrl-C or kill"))
        }
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

/// A file that looks like a table.
#[derive(Debug)]
pub struct Found {
    /// Where it is.
    pub path: PathBuf,
    /// The table, or why it is refused.
    pub table: Result<Table, Error>,
}

impl Folder {
    /// The tables below a folder of data.
    #[must_use]
    pub fn of(data: &Path) -> Folder {
        Folder(data.join("calculation"))
    }

    /// The folder that environment and user have; `None` if neither says where.
    #[must_use]
    pub fn usual() -> Option<Folder> {
        usual_data(|name| std::env::var_os(name)).map(|data| Folder::of(&data))
    }

    /// The folder itself.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Where a table's file is, or would be.
    #[must_use]
    pub fn file(&self, size: Size) -> PathBuf {
        self.0.join(name(size))
    }

    /// Where an unfinished build keeps its layers.
    #[must_use]
    pub fn journal(&self, size: Size) -> PathBuf {
        self.0.join(format!("{}.building", name(size)))
    }

    /// Where a count of states keeps its last layers.
    #[must_use]
    pub fn counting(&self, size: Size) -> PathBuf {
        self.0.join(format!("{}.counting", name(size)))
    }

    /// Where many processes keep their parts of an unfinished build.
    #[must_use]
    pub fn building_parts(&self, size: Size) -> PathBuf {
        self.0.join(format!("{}.building.parts", name(size)))
    }

    /// Where many processes keep their parts of an unfinished count.
    #[must_use]
    pub fn counting_parts(&self, size: Size) -> PathBuf {
        self.0.join(format!("{}.counting.parts", name(size)))
    }

    /// Removes what builds of this table that were killed had begun to write.
    pub(crate) fn sweep(&self, size: Size) {
        let begun = format!(".{}.", name(size));
        let entries = std::fs::read_dir(&self.0).into_iter().flatten().flatten();
        for entry in entries {
            let file = entry.file_name().to_string_lossy().into_owned();
            let process = file.strip_prefix(&begun).and_then(|rest| rest.strip_suffix(".tmp"));
            let Some(process) = process.and_then(|number| number.parse::<u32>().ok()) else { continue };
            // Where processes cannot be looked up, none is taken for dead.
            if Path::new("/proc/self").exists() && !Path::new(&format!("/proc/{process}")).exists() {
                // One that cannot be removed only takes room.
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }

    /// Opens a table: its header is checked, its sections are not read.
    ///
    /// # Errors
    /// `cannot_read`, `foreign_table`, `damaged_table`.
    pub fn open(&self, size: Size) -> Result<Table, Error> {
        let path = self.file(size);
        open(&path).and_then(|table| {
            if table.size() == size {
                return Ok(table);
            }
            let message = format!("{}: the table is for {}, not for {size}", path.display(), table.size());
            Err(Error::new("foreign_table", message))
        })
    }

    /// All files of the folder that are named like tables, in the order of their names.
    ///
    /// # Errors
    /// `cannot_read` if there is a folder that cannot be listed.
    pub fn list(&self) -> Result<Vec<Found>, Error> {
        let entries = match std::fs::read_dir(&self.0) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(cannot_read(&self.0, &error)),
        };
        let mut paths: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "table"))
            .collect();
        paths.sort();
        Ok(paths.into_iter().map(|path| Found { table: open(&path), path }).collect())
    }

    /// The largest table for so many stacks that can be opened.
    #[must_use]
    pub fn largest(&self, stacks: usize) -> Option<Table> {
        (1..=12)
            .rev()
            .filter_map(|ranks| Size::new(stacks as u64, ranks).ok())
            .filter(|&size| self.file(size).exists())
            .find_map(|size| self.open(size).ok())
    }
}

/// Opens the table in a file.
///
/// # Errors
/// `cannot_read`, `foreign_table`, `damaged_table`, with the name of the file.
pub fn open(path: &Path) -> Result<Table, Error> {
    let table = Table::open(Arc::new(map(path)?));
    table.map_err(|mut error| {
        error.message = format!("{}: {}", path.display(), error.message);
        error
    })
}

/// From now on the program finds its tables in this folder. The first folder stays; gives false if there was one already.
pub fn find_tables(folder: Folder) -> bool {
    find_by(Box::new(move |stacks| folder.largest(stacks)))
}

/// The user's folder of data, by the variables of the environment.
fn usual_data(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> Option<PathBuf> {
    let folder = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    folder(kachi::data::VARIABLE)
        .or_else(|| folder("XDG_DATA_HOME").map(|data| data.join("kachi")))
        .or_else(|| folder("HOME").map(|home| home.join(".local/share/kachi")))
        .or_else(|| folder("LOCALAPPDATA").map(|data| data.join("kachi")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn among(variables: &[(&str, &str)]) -> Option<PathBuf> {
        usual_data(|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into()))
    }

    #[test]
    fn the_environment_goes_before_the_user() {
        let all = [("KACHI_DATA", "/d"), ("XDG_DATA_HOME", "/x"), ("HOME", "/h")];
        assert_eq!(among(&all), Some("/d".into()));
        assert_eq!(among(&all[1..]), Some("/x/kachi".into()));
        assert_eq!(among(&all[2..]), Some("/h/.local/share/kachi".into()));
        assert_eq!(among(&[("KACHI_DATA", ""), ("HOME", "/h")]), Some("/h/.local/share/kachi".into()));
        assert_eq!(among(&[]), None);
    }
}

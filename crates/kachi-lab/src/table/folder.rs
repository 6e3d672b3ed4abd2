//! Where tables are kept: the folder that `KACHI_DATA` names, otherwise the user's data folder (`$XDG_DATA_HOME/kachi`, `~/.local/share/kachi`,
//! or `%LOCALAPPDATA%\kachi`), in both cases in its subfolder `calculation`.

use super::map::map;
use crate::work::store::cannot_read;
use calculation::table::file::name;
use calculation::table::shelf::find_by;
use calculation::table::{Size, Table};
use kachi_core::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A folder of tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder(PathBuf);

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

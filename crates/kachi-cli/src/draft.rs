//! Files that are either whole or not there: written under a temporary name in the same folder, then renamed.

use crate::failure::Failure;
use crate::interrupt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file being written. Dropped unfinished, it leaves nothing behind.
pub(crate) struct Draft {
    file: File,
    target: PathBuf,
    /// Where the bytes go first; `None` for targets that cannot be renamed over, such as devices and pipes.
    temporary: Option<PathBuf>,
}

impl Draft {
    /// Opens a draft of the file at `path`.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        Draft::open(path).map_err(|error| Failure::file("cannot_write", path, &error))
    }

    fn open(path: &Path) -> io::Result<Self> {
        // A link stays a link: its target is replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let special = fs::metadata(&target).is_ok_and(|known| !known.is_file() && !known.is_dir());
        if special {
            let file = File::options().write(true).open(&target)?;
            return Ok(Draft { file, target, temporary: None });
        }
        let name = target.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let hidden = format!(".{}.{}.tmp", name.to_string_lossy(), std::process::id());
        let temporary = target.with_file_name(hidden);
        let file = File::create(&temporary)?;
        interrupt::unfinished(Some(&temporary));
        Ok(Draft { file, target, temporary: Some(temporary) })
    }

    /// The file to write to.
    pub(crate) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Makes the file appear under its name, complete, and safe from a loss of power.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        let synced = if self.temporary.is_some() { self.file.sync_all() } else { Ok(()) };
        synced
            .and_then(|()| self.publish())
            .map_err(|error| Failure::file("cannot_write", &self.target, &error))
    }

    /// Makes the file appear under its name, complete, without waiting for the disk: for what can be made again.
    pub(crate) fn finish_quickly(mut self) -> Result<(), Failure> {
        self.publish().map_err(|error| Failure::file("cannot_write", &self.target, &error))
    }

    fn publish(&mut self) -> io::Result<()> {
        self.file.flush()?;
        if let Some(temporary) = &self.temporary {
            fs::rename(temporary, &self.target)?;
            self.temporary = None;
            interrupt::unfinished(None);
        }
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(temporary) = self.temporary.take() {
            // The reason for giving up is already on its way to the user.
            let _ = fs::remove_file(temporary);
            interrupt::unfinished(None);
        }
    }
}

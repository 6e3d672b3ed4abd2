//! A build with threads that can be run, and how far it has come. The work itself is that of the [levels](super::levels).

use super::folder::Folder;
use super::levels::Levels;
use crate::work::{Ended, Engine, InMemory, Store, Threads, Watch};
use calculation::table::{Size, Table};
use kachi_core::Error;
use std::num::NonZeroUsize;

/// What a build is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Finding the states.
    Forward,
    /// Finding their chances.
    Backward,
    /// Writing the play file.
    Writing,
}

/// How far a build has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// What it is doing.
    pub phase: Phase,
    /// Cards left in the layer it works on.
    pub cards: usize,
    /// States known so far; all of them once the phase is backward.
    pub states: u64,
    /// Work done, as a part of the whole: exact backward, estimated forward.
    pub fraction: f64,
    /// Work that a journal had done already, in the same measure.
    pub resumed: f64,
}

/// A build that can be run.
#[derive(Clone)]
pub struct Build<'a> {
    /// Which table.
    pub size: Size,
    /// Where it goes.
    pub folder: Folder,
    /// Threads; all cores if none are named.
    pub threads: Option<usize>,
    /// Bytes of memory that the build may take.
    pub memory: u64,
    /// Asked now and then whether to stop.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Told now and then how far the build has come.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

impl Build<'_> {
    /// Builds the table, or goes on with an interrupted build, and opens it. A table that is there already is opened and left alone.
    ///
    /// # Errors
    /// `interrupted` if it was asked to stop; `too_large` if the memory does not suffice; `cannot_write`, `cannot_read`.
    pub fn run(&self) -> Result<Table, Error> {
        self.run_in(&InMemory::default(), Watch::default())
    }

    /// The same, with receipts in a store and news told.
    ///
    /// # Errors
    /// Those of [`Build::run`].
    pub fn run_in(&self, store: &dyn Store, watch: Watch<'_>) -> Result<Table, Error> {
        if let Ok(table) = self.folder.open(self.size) {
            return Ok(table);
        }
        let work = Levels::of_table(self.clone());
        match Threads(NonZeroUsize::MIN).run(&work, store, watch)? {
            Ended::Complete => work.close()?,
            Ended::Stopped => return Err(interrupted()),
        }
        self.folder.open(self.size)
    }
}

pub(super) fn interrupted() -> Error {
    let message = "the build was interrupted; what is finished is kept";
    Error::new("interrupted", message).hint("the same command goes on where it was")
}

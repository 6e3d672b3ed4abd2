//! Tables of calculation on disk: built with threads in bounded memory, layer by layer, so that a build that was interrupted goes
//! on where it was; opened by memory map.
//!
//! | part | holds |
//! |---|---|
//! | [`folder`] | where tables are kept, and which ones there are |
//! | [`build`](mod@build) | a build that can be run |
//! | [`levels`] | its levels as work, and what is done at each |
//! | [`check`](mod@check) | the whole check of a table |
//! | [`journal`] | finished layers of a build on disk |
//! | [`study`] | levels as the results of a campaign |
//! | [`map`] | a file as memory |
//!
//! The bytes of a table are the same for any number of threads, whether or not the build was interrupted, and the same as
//! those of [`calculation::table::in_memory`].

pub mod build;
pub mod check;
pub mod folder;
pub mod journal;
pub mod levels;
pub mod map;
pub mod study;

pub use build::{Build, Phase, Progress};
pub use calculation::table::{Size, Table};
pub use folder::{Folder, find_tables};
pub use levels::{Levels, Receipt};

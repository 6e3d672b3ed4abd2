//! Campaigns: long work as data, in a folder that can be resumed, shown, compared, exported and cited.
//!
//! | module | holds |
//! |---|---|
//! | [`mod@file`] | [`Campaign`]: what is to be done, in TOML |
//! | `form` | what a file may hold, and what is told of mistakes |
//! | [`open`] | from the data to the work |
//! | [`study`] | [`Study`]: what a kind adds to its work: results, summary, pictures |
//! | [`run`] | [`Run`]: the folder, its manifest and its hash |
//! | [`clean`] | runs that are removed |
//! | [`rows`] | results as Parquet, JSON lines and CSV |
//! | [`status`] | [`Status`] and [`list`]: how far runs are |
//! | [`import`] | runs of the earlier layout |
//! | [`command`] | commands to be pasted into a shell |
//! | [`moment`] | moments of time as text |

pub mod clean;
pub mod command;
pub mod file;
mod form;
pub mod import;
pub mod moment;
pub mod open;
pub mod rows;
pub mod run;
pub mod status;
pub mod study;

pub use file::{Campaign, What};
pub use open::Ground;
pub use run::{Manifest, Outcome, Run};
pub use status::{State, Status, list};
pub use study::Study;

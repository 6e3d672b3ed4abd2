//! Simulations: many games, each dealt from its own seed, played by threads, kept in a folder, summed up and drawn.
//!
//! A [`Simulation`] is data: what is played, from which seed on, how many games. It falls into *shards* of consecutive seeds, and what a shard holds
//! depends on the simulation alone. So the results are the same bytes for any number of threads, for runs that were interrupted or killed and went
//! on, and for runs that were made longer later. What is *not* the same twice, the time that a game took, is kept in files of its own.
//!
//! | module | holds |
//! |---|---|
//! | [`experiment`] | [`Experiment`]: who can play the game of a seed |
//! | [`folder`] | the files of a run: manifest, shards with their checksums, results, times |
//! | [`run`] | [`Run`]: the threads, progress, stop and resume |
//! | [`statistics`] | intervals for a rate, and for the difference of two players on the same deals |
//! | [`summary`] | [`Summary`], [`Timing`] and [`Comparison`]: what a run shows |
//! | [`plot`] | the pictures: success against time, where games are lost |
//! | [`calculation`] | the players of Calculation on seeded deals |

pub mod calculation;
pub mod experiment;
pub mod folder;
pub mod plot;
pub mod run;
pub mod statistics;
pub mod summary;

pub use experiment::{Experiment, Played, Worker};
pub use folder::{Folder, Simulation};
pub use run::{Ended, Progress, Run};
pub use statistics::{Interval, Paired};
pub use summary::{Comparison, Summary, Timing};

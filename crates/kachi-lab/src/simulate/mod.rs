//! Simulations: many games, each dealt from its own seed, by one player or by several on the same deals.
//!
//! | module | holds |
//! |---|---|
//! | [`experiment`] | [`Experiment`]: who can play the game of a seed |
//! | [`games`] | [`Games`]: players and seeds as work for the runner |
//! | [`statistics`] | intervals for a rate, a mean, and the difference of two players on the same deals |
//! | [`summary`] | [`Summary`], [`Timing`] and [`Comparison`]: what a run shows |
//! | [`words`] | the same in words: rates, means, and by how much a player is better |
//! | [`study`] | [`Shown`]: the results of a campaign of games |
//! | [`plot`] | the pictures: success against time, where games are lost, players in a row |
//! | [`frontier`] | the picture of many players: what each wins, against what it costs |
//! | `names` | where its names stand |
//! | [`calculation`], [`hana`] | the players of the two games on seeded deals |
//! | [`face_up`] | calculation with the deck face up: the ceiling above its players |
//! | [`recorded`] | games that were played, read back from a run |
//! | [`folder`] | the earlier layout of a run, to be read and imported |

pub mod calculation;
pub mod experiment;
pub mod face_up;
pub mod folder;
pub mod frontier;
pub mod games;
pub mod hana;
mod names;
pub mod plot;
pub mod recorded;
pub mod statistics;
pub mod study;
pub mod summary;
pub mod words;

pub use experiment::{Contestant, Experiment, Measure, Played};
pub use folder::{Folder, Simulation};
pub use games::{Cost, Games};
pub use recorded::Recorded;
pub use statistics::{Interval, Mean, Paired};
pub use study::Shown;
pub use summary::{Comparison, Summary, Timing};

//! Every two-chain state that can come of two chains of n cards, with its exact chance: the build, layer by layer, and the
//! play file that answers from a few bytes a state.
//!
//! | part | holds |
//! |---|---|
//! | [`scatter`] | numbers of states spread evenly over a power of two, and back |
//! | [`layer`] | all states with the same number of cards left, as sorted gaps |
//! | [`forward`] | from one layer to the next: which states can be reached |
//! | [`backward`] | from the next layer to this one: what each state is worth |
//! | [`quantise`] | chances in sixteen bits, with a bound on the error |
//! | [`section`] | one layer of the play file |
//! | [`file`](mod@file) | the play file: header, sections, checksums |
//! | [`build`] | the whole build in memory, on one thread |
//! | [`shelf`] | the table that the rest of the program uses |
//!
//! Nothing here reads a file or starts a thread: layers fall into independent shards, and whoever has threads works on them
//! at once. The bytes do not depend on how the work was shared out.

pub mod backward;
pub mod build;
pub mod file;
pub mod forward;
pub mod layer;
mod parallel;
pub mod quantise;
pub mod scatter;
pub mod section;
pub mod shelf;

pub use build::{Built, in_memory};
pub use file::Table;
pub use layer::Layer;
pub use shelf::{offer, offered};

use crate::theory::{MOST_CARDS, MOST_STACKS};
use kachi_core::Error;

/// Which table is meant: two chains of `ranks` cards, `stacks` stacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Size {
    stacks: u8,
    ranks: u8,
}

impl Size {
    /// A table that can be built.
    ///
    /// # Errors
    /// `bad_stacks` unless there are 1 to 4 stacks, `bad_ranks` unless a chain has 1 to 12 cards.
    pub fn new(stacks: u64, ranks: u64) -> Result<Size, Error> {
        if !(1..=MOST_STACKS as u64).contains(&stacks) {
            let message = format!("there are 1 to {MOST_STACKS} stacks, not {stacks}");
            return Err(Error::new("bad_stacks", message).at_field("stacks"));
        }
        let most = (MOST_CARDS / 2) as u64;
        if !(1..=most).contains(&ranks) {
            let message = format!("a chain has 1 to {most} cards, not {ranks}");
            return Err(Error::new("bad_ranks", message).at_field("ranks"));
        }
        Ok(Size { stacks: stacks as u8, ranks: ranks as u8 })
    }

    /// Stacks of the game.
    #[must_use]
    pub fn stacks(self) -> usize {
        usize::from(self.stacks)
    }

    /// Cards of each of the two chains at the start.
    #[must_use]
    pub fn ranks(self) -> usize {
        usize::from(self.ranks)
    }

    /// Cards at the start.
    #[must_use]
    pub fn cards(self) -> usize {
        2 * self.ranks()
    }

    /// About how many states there are, read off the growth of the counted tables: within a factor of two, for estimates of
    /// time and memory only.
    #[must_use]
    pub fn estimate(self) -> u64 {
        let (at_12, growth) = match self.stacks {
            1 => (1.0e4, 1.8),
            2 => (2.0e6, 3.2),
            3 => (56.3e6, 4.35),
            _ => (402.1e6, 5.03),
        };
        (at_12 * f64::powi(growth, self.ranks() as i32 - 12)) as u64 + 1
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} stacks, {} ranks", self.stacks, self.ranks)
    }
}

//! The stack game behind Calculation: which unseen cards must leave before which others, and on which stacks they
//! may still be put. The definition lives in [`poset`] (any labelled poset, slow and clear); two chains have a
//! form on bit words in [`chains`], a dense number for every state in [`rank`], and exact chances in [`chance`].

pub mod chains;
pub mod chance;
pub mod poset;
pub mod rank;

pub use chains::{MOST_CARDS, MOST_STACKS, TwoChains};
pub use chance::Chances;

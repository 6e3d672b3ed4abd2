//! Reasons. A reason is data, not prose: the pairs of a matching and the bound that proves it maximal,
//! the price of a lock, the clause that fired. It stands beside a *checker* that accepts or rejects it from
//! the position alone, without calling any solver, so that nobody has to trust the fast code.

use std::fmt;

/// A reason for the value of a position.
pub trait Why {
    /// What the reason speaks about.
    type Position;
    /// The value it establishes.
    type Value;

    /// Checks every part of the reason against the position and returns the value that it proves.
    ///
    /// # Errors
    /// The first flaw found.
    fn check(&self, position: &Self::Position) -> Result<Self::Value, Flaw>;
}

/// Why a reason was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw(pub String);

impl Flaw {
    /// A flaw in words.
    pub fn new(words: impl Into<String>) -> Self {
        Flaw(words.into())
    }

    /// `Ok` if the condition holds, otherwise a flaw with these words.
    ///
    /// # Errors
    /// The flaw, when `condition` is false.
    pub fn unless(condition: bool, words: impl FnOnce() -> String) -> Result<(), Flaw> {
        if condition { Ok(()) } else { Err(Flaw(words())) }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Flaw {}

//! What a kind of campaign adds to its work: a table of results, a summary, pictures. All of them are made from the shards in their order.

use crate::work::{Store, Work};
use kachi_core::Error;
use serde_json::Value;

/// A value of the table of results.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// No value.
    Nothing,
    /// Words.
    Text(String),
    /// A whole number.
    Whole(i64),
    /// A number.
    Real(f64),
    /// Yes or no.
    Truth(bool),
}

/// What a column of the table holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Words.
    Text,
    /// Whole numbers.
    Whole,
    /// Numbers.
    Real,
    /// Yes or no.
    Truth,
}

/// A column of the table of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub holds: Holds,
    /// May a value be missing?
    pub optional: bool,
}

impl Column {
    /// A column of words.
    #[must_use]
    pub const fn text(name: &'static str) -> Column {
        Column { name, holds: Holds::Text, optional: false }
    }

    /// A column of whole numbers.
    #[must_use]
    pub const fn whole(name: &'static str) -> Column {
        Column { name, holds: Holds::Whole, optional: false }
    }

    /// A column of numbers.
    #[must_use]
    pub const fn real(name: &'static str) -> Column {
        Column { name, holds: Holds::Real, optional: false }
    }

    /// A column of yes and no.
    #[must_use]
    pub const fn truth(name: &'static str) -> Column {
        Column { name, holds: Holds::Truth, optional: false }
    }

    /// The same column with values that may be missing.
    #[must_use]
    pub const fn optional(mut self) -> Column {
        self.optional = true;
        self
    }
}

/// A picture and the name of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The file.
    pub name: &'static str,
    /// The SVG document.
    pub svg: String,
}

impl Picture {
    /// A picture for this file.
    #[must_use]
    pub fn new(name: &'static str, svg: String) -> Picture {
        Picture { name, svg }
    }
}

/// Work whose shards can be summed up.
pub trait Study: Work {
    /// The columns of the results.
    fn columns(&self) -> Vec<Column>;

    /// The rows of the results, in their order.
    fn rows<'s>(&'s self, store: &'s dyn Store) -> Box<dyn Iterator<Item = Vec<Cell>> + 's>;

    /// How many rows the results have, where that is known before.
    fn length(&self) -> Option<u64> {
        None
    }

    /// What the results show; the same bytes for every run.
    fn summary(&self, store: &dyn Store) -> Value;

    /// Does this work go as far as the finished one that has this summary?
    fn reaches(&self, _summary: &Value) -> bool {
        true
    }

    /// What the run cost; not the same twice.
    fn timing(&self, _: &dyn Store) -> Option<Value> {
        None
    }

    /// The pictures.
    fn pictures(&self, store: &dyn Store) -> Vec<Picture>;

    /// Removes what is needed no more once everything is written.
    ///
    /// # Errors
    /// `cannot_write`.
    fn close(&self) -> Result<(), Error> {
        Ok(())
    }
}

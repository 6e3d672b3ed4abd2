//! Limits on size, work, memory and time. Input is hostile: nothing it says may hang or exhaust memory.
//!
//! Games count work and read no clock; a surface that wants a time limit gives the budget a question to
//! ask now and then ("is it time to stop?").

use crate::error::Error;
use serde::{Deserialize, Serialize};

/// How large an input may be and how much may be spent on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Cards (or vertices) of one position.
    pub cards: u64,
    /// Units of work: positions searched, or elementary steps of a rule that is not linear.
    pub nodes: u64,
    /// Bytes of memory that search tables may take.
    pub bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { cards: 2_000_000, nodes: 200_000_000, bytes: 1 << 30 }
    }
}

/// What is left of the [`Limits`] while one question is being answered.
///
/// ```
/// use kachi_core::{Budget, Limits};
/// let mut budget = Budget::new(Limits { nodes: 10, ..Limits::default() });
/// assert!(budget.spend(10).is_ok());
/// assert_eq!(budget.spend(1).unwrap_err().code, "out_of_budget");
/// ```
pub struct Budget<'a> {
    limits: Limits,
    spent: u64,
    next_look: u64,
    stop: Option<&'a (dyn Fn() -> bool + Sync)>,
}

/// Work between two looks at the `stop` question.
const LOOK_EVERY: u64 = 4096;

impl<'a> Budget<'a> {
    /// A fresh budget without a time limit.
    pub fn new(limits: Limits) -> Self {
        Budget { limits, spent: 0, next_look: LOOK_EVERY, stop: None }
    }

    /// A budget that also ends when `stop` answers yes: a deadline, or a client that has left.
    pub fn stopping(limits: Limits, stop: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Budget { limits, spent: 0, next_look: LOOK_EVERY, stop: Some(stop) }
    }

    /// The limits this budget began with.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Work done so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Takes `nodes` units of work from the budget.
    ///
    /// # Errors
    /// `out_of_budget` when the work limit is passed or the time is over.
    pub fn spend(&mut self, nodes: u64) -> Result<(), Error> {
        self.spent = self.spent.saturating_add(nodes);
        if self.spent > self.limits.nodes {
            let message = format!("the answer needs more than the limit of {} nodes", self.limits.nodes);
            return Err(Error::new("out_of_budget", message).hint("raise the node limit, or ask about less"));
        }
        if self.spent >= self.next_look {
            self.next_look = self.spent + LOOK_EVERY;
            if self.stop.is_some_and(|stop| stop()) {
                let message = format!("the time limit was reached after {} nodes", self.spent);
                return Err(
                    Error::new("out_of_budget", message).hint("raise the time limit, or ask about less")
                );
            }
        }
        Ok(())
    }
}

impl Default for Budget<'_> {
    fn default() -> Self {
        Budget::new(Limits::default())
    }
}

impl std::fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Budget")
            .field("limits", &self.limits)
            .field("spent", &self.spent)
            .finish_non_exhaustive()
    }
}

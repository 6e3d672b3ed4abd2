//! Published statements as things that can be checked, and refuted.
//!
//! A claim has a source, a domain (all positions of a size, cut into independent shards) and a predicate on
//! one position. Wrong statements are claims too, *expected* to be refuted and paired with their corrected
//! form. Checking sizes 1, 2, 3, ... in order and shards in order makes the first counterexample the smallest.

use serde::Serialize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// What checking a claim is expected to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Expected {
    /// No counterexample exists in the domain.
    Holds,
    /// A counterexample exists: the statement is an erratum.
    Refuted,
}

/// What a claim says and where it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Statement {
    /// A stable name, unique within its game: `theorem-1`, `erratum-3-no-surplus`.
    pub id: &'static str,
    /// Author, title and number; or `kachi` for results first stated here.
    pub source: &'static str,
    /// The statement itself, complete and in plain words.
    pub words: &'static str,
    /// What checking is expected to show.
    pub expected: Expected,
    /// For an erratum: the id of the corrected claim. For a corrected claim: nothing.
    pub corrected_by: Option<&'static str>,
    /// The machine-checked theorem that covers the statement for all sizes, as `folder/File.theorem`.
    pub proved: Option<&'static str>,
    /// What `size` counts, and the exact domain: "cards; every position up to order of faces".
    pub domain: &'static str,
    /// The cases of a size are random ones, not all there are: what holds over them may fail elsewhere.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sampled: bool,
    /// The largest size checked by default.
    pub size: u32,
}

impl Statement {
    /// A statement that is expected to hold.
    pub const fn holds(
        id: &'static str,
        source: &'static str,
        words: &'static str,
        proved: Option<&'static str>,
        domain: &'static str,
        size: u32,
    ) -> Statement {
        let expected = Expected::Holds;
        Statement { id, source, words, expected, corrected_by: None, proved, domain, sampled: false, size }
    }

    /// A statement that is expected to be refuted, with the id of what is right.
    pub const fn refuted(
        id: &'static str,
        source: &'static str,
        words: &'static str,
        corrected_by: &'static str,
        domain: &'static str,
        size: u32,
    ) -> Statement {
        let corrected_by = Some(corrected_by);
        let expected = Expected::Refuted;
        Statement { id, source, words, expected, corrected_by, proved: None, domain, sampled: false, size }
    }

    /// The same statement, checked over random cases only.
    #[must_use]
    pub const fn sampled(self) -> Statement {
        Statement { sampled: true, ..self }
    }
}

/// A statement with the means to check it.
pub trait Claim: Sync {
    /// What is claimed.
    fn statement(&self) -> &Statement;

    /// The largest size that can be checked at all, for lack of memory or bits beyond it.
    fn largest(&self) -> u32 {
        u32::MAX
    }

    /// Into how many independent parts the positions of exactly this size fall.
    fn shards(&self, size: u32) -> u32;

    /// Checks one part. Must not depend on any other part, so parts can run anywhere in any order.
    fn check(&self, size: u32, shard: u32, findings: &mut Findings);
}

/// A position that refutes a statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Counterexample {
    /// The position, in the notation that `kachi solve` accepts.
    pub position: String,
    /// What the statement says about it and what is true.
    pub words: String,
}

/// What was found in one shard, or in many.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Findings<'s> {
    /// Cases checked.
    pub checked: u64,
    /// Cases in which the statement failed.
    pub failed: u64,
    /// The first failure in the order of the domain.
    pub counterexample: Option<Counterexample>,
    #[serde(skip)]
    stop: Stop<'s>,
}

/// Asked between cases whether to stop.
#[derive(Clone, Copy, Default)]
struct Stop<'s>(Option<&'s (dyn Fn() -> bool + 's)>);

impl std::fmt::Debug for Stop<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Stop").field(&self.0.is_some()).finish()
    }
}

/// What was found does not depend on who might have stopped it.
impl PartialEq for Stop<'_> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Stop<'_> {}

/// What a check unwinds with when it was asked to stop; no statement has to know of it.
struct Stopped;

/// Cases between two questions whether to stop, less one.
const BETWEEN: u64 = 0xff;

/// Checks one part of a claim, but asks now and then whether to stop; nothing if it was. A check that is in the middle of one long case goes on to its end.
///
/// ```
/// use kachi_core::claim::{Claim, Findings, Statement, check_until};
/// struct Every(Statement);
/// impl Claim for Every {
///     fn statement(&self) -> &Statement { &self.0 }
///     fn shards(&self, _: u32) -> u32 { 1 }
///     fn check(&self, size: u32, _: u32, findings: &mut Findings) {
///         (0..size).for_each(|_| findings.record(true, || unreachable!()));
///     }
/// }
/// let every = Every(Statement::holds("every", "kachi", "Every case holds.", None, "cases", 1000));
/// assert_eq!(check_until(&every, 1000, 0, &|| false).unwrap().checked, 1000);
/// assert!(check_until(&every, 1000, 0, &|| true).is_none());
/// ```
pub fn check_until(
    claim: &dyn Claim,
    size: u32,
    shard: u32,
    stop: &dyn Fn() -> bool,
) -> Option<Findings<'static>> {
    let mut findings = Findings { stop: Stop(Some(stop)), ..Findings::default() };
    // What is thrown away with the findings is never looked at again.
    let checked = catch_unwind(AssertUnwindSafe(|| claim.check(size, shard, &mut findings)));
    match checked {
        Ok(()) => {
            let Findings { checked, failed, counterexample, .. } = findings;
            Some(Findings { checked, failed, counterexample, stop: Stop(None) })
        }
        Err(cause) if cause.is::<Stopped>() => None,
        Err(cause) => resume_unwind(cause),
    }
}

impl Findings<'_> {
    /// What is known of cases that were checked before.
    #[must_use]
    pub fn of(checked: u64, failed: u64, counterexample: Option<Counterexample>) -> Self {
        Findings { checked, failed, counterexample, stop: Stop(None) }
    }

    /// Records one case; the counterexample is only built when it is the first.
    pub fn record(&mut self, holds: bool, counterexample: impl FnOnce() -> Counterexample) {
        if self.checked & BETWEEN == 0 && self.stop.0.is_some_and(|stop| stop()) {
            // Past all that is on the stack, without a word: it is no panic.
            resume_unwind(Box::new(Stopped));
        }
        self.checked += 1;
        if !holds {
            self.failed += 1;
            if self.counterexample.is_none() {
                self.counterexample = Some(counterexample());
            }
        }
    }

    /// Adds the findings of the next shard.
    pub fn append(&mut self, next: Findings<'_>) {
        self.checked += next.checked;
        self.failed += next.failed;
        if self.counterexample.is_none() {
            self.counterexample = next.counterexample;
        }
    }
}

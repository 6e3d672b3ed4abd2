//! Checking the published statements: for sizes 1, 2, 3, ... in order, all shards of a size in parallel.
//!
//! A size is always checked to its end, and the first counterexample in the order of (size, shard) is kept; checking
//! stops after the first size that has one. So the counterexample is a smallest one, and neither it nor the
//! counts depend on the number of threads.

use crate::registry::{self, Registry};
use kachi_core::surface::Entry;
use kachi_core::{Claim, Counterexample, Error, Expected, Findings, Statement};
use rayon::prelude::*;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};

/// What checking a claim showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// No case failed.
    Holds,
    /// Some case failed.
    Refuted,
    /// The check was interrupted before it could tell.
    Unfinished,
}

/// The result for one claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// The game.
    pub game: &'static str,
    /// The claim's name within its game.
    pub claim: &'static str,
    /// Where the statement comes from.
    pub source: &'static str,
    /// The statement.
    pub words: &'static str,
    /// What was found.
    pub status: Status,
    /// What was expected.
    pub expected: Expected,
    /// The two differ, or there was nothing to check.
    pub surprise: bool,
    /// Cases checked.
    pub checked: u64,
    /// Cases that failed.
    pub failed: u64,
    /// The largest size checked completely.
    pub size: u32,
    /// What a size counts, and which cases it has.
    pub domain: &'static str,
    /// The first case that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<Counterexample>,
    /// The machine-checked theorem that covers the statement for all sizes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proved: Option<&'static str>,
    /// For an erratum: the claim that states it correctly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected_by: Option<&'static str>,
}

/// News from a running check.
#[derive(Debug, Clone, Copy)]
pub enum Progress<'p> {
    /// A part of a size has been checked.
    Shard {
        /// The claim.
        claim: &'p Statement,
        /// The size it belongs to.
        size: u32,
        /// Its cases.
        checked: u64,
    },
    /// A claim is done.
    Done(&'p Verdict),
}

/// How to check.
#[derive(Clone, Copy)]
pub struct Verify<'a> {
    /// The largest size, instead of each claim's own.
    pub size: Option<u32>,
    /// Threads; the machine's cores when absent.
    pub threads: Option<usize>,
    /// Set from outside to end early.
    pub stop: &'a AtomicBool,
    /// Told what is going on, from any thread.
    pub progress: &'a (dyn Fn(Progress<'_>) + Sync),
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl Default for Verify<'_> {
    fn default() -> Self {
        Verify { size: None, threads: None, stop: &NEVER, progress: &|_| {} }
    }
}

/// A claim together with the game it speaks about.
#[derive(Clone, Copy)]
pub struct Stated {
    /// The game's name.
    pub game: &'static str,
    /// The claim.
    pub claim: &'static dyn Claim,
}

/// The claims of a game.
pub fn claims_of(game: &dyn Entry) -> Vec<Stated> {
    let name = game.about().name;
    registry::claims(game).into_iter().map(|claim| Stated { game: name, claim }).collect()
}

/// The claims of one game or of all, in order; of these only the ones with the given names, if any are given.
///
/// # Errors
/// `unknown_game`, or `unknown_claim` with the nearest name.
pub fn select(games: Registry<'_>, game: Option<&str>, ids: &[String]) -> Result<Vec<Stated>, Error> {
    let all: Vec<Stated> = match game {
        Some(name) => claims_of(games.find(name)?),
        None => games.games().iter().flat_map(|&game| claims_of(game)).collect(),
    };
    let names: Vec<&str> = all.iter().map(|stated| stated.claim.statement().id).collect();
    for id in ids {
        if !names.contains(&id.as_str()) {
            let message = format!("there is no claim called {id:?}");
            let error = Error::new("unknown_claim", message).at_field("claim");
            let list = "kachi verify --list shows all of them";
            return Err(match registry::nearest(id, &names) {
                Some(near) => error.hint(format!("did you mean {near}? {list}")),
                None => error.hint(list),
            });
        }
    }
    let wanted = |stated: &Stated| ids.is_empty() || ids.iter().any(|id| id == stated.claim.statement().id);
    Ok(all.into_iter().filter(wanted).collect())
}

impl Verify<'_> {
    /// Checks the claims; the verdicts are in the order of the claims.
    ///
    /// # Errors
    /// `no_threads` when the system refuses to start them.
    pub fn run(&self, claims: &[Stated]) -> Result<Vec<Verdict>, Error> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.unwrap_or(0))
            .stack_size(8 << 20)
            .build()
            .map_err(|error| Error::new("no_threads", format!("cannot start the threads: {error}")))?;
        Ok(pool.install(|| claims.par_iter().map(|&stated| self.check(stated)).collect()))
    }

    fn check(&self, Stated { game, claim }: Stated) -> Verdict {
        let statement = claim.statement();
        let largest = self.size.unwrap_or(statement.size).min(claim.largest());
        let mut found = Findings::default();
        let mut size = 0;
        let mut finished = true;
        while size < largest && found.counterexample.is_none() {
            // A size that was interrupted does not count at all: its counts would depend on the moment.
            let Some(part) = self.check_size(claim, size + 1) else {
                finished = false;
                break;
            };
            found.append(part);
            size += 1;
        }
        let status = match (&found.counterexample, finished) {
            (Some(_), _) => Status::Refuted,
            (None, true) => Status::Holds,
            (None, false) => Status::Unfinished,
        };
        let verdict = Verdict {
            game,
            claim: statement.id,
            source: statement.source,
            words: statement.words,
            status,
            expected: statement.expected,
            surprise: is_surprise(statement, status, size, found.checked),
            checked: found.checked,
            failed: found.failed,
            size,
            domain: statement.domain,
            counterexample: found.counterexample,
            proved: statement.proved,
            corrected_by: statement.corrected_by,
        };
        (self.progress)(Progress::Done(&verdict));
        verdict
    }

    /// All shards of a size; `None` when interrupted.
    fn check_size(&self, claim: &dyn Claim, size: u32) -> Option<Findings> {
        let shard = |shard: u32| {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let mut found = Findings::default();
            claim.check(size, shard, &mut found);
            (self.progress)(Progress::Shard { claim: claim.statement(), size, checked: found.checked });
            Some(found)
        };
        let shards = (0..claim.shards(size)).into_par_iter();
        // The reduction keeps the order of the shards, so the first counterexample stays the first.
        shards.map(shard).try_reduce(Findings::default, |mut found, next| {
            found.append(next);
            Some(found)
        })
    }
}

/// Below its own size a claim may hold although it is refuted later, or have nothing to check yet.
fn is_surprise(statement: &Statement, status: Status, size: u32, checked: u64) -> bool {
    match (status, statement.expected) {
        (Status::Refuted, expected) => expected == Expected::Holds,
        (Status::Holds, expected) => {
            size >= statement.size && (expected == Expected::Refuted || checked == 0)
        }
        (Status::Unfinished, _) => false,
    }
}

//! A table built by many processes, and the counts of levels. The forward pass (`levels`) finds the states, the backward pass (`backward`) their chances; in the end the
//! first process writes the table from its sections (`sections`), and its bytes are those of a build with threads.

use super::backward::Backward;
use super::levels::{Atlas, Setting, forward};
use super::mail::Mail;
use super::parts::{Kind, Parts};
use super::sections::assemble;
use super::session::Session;
use super::space::{Chains, Posets, Space};
use crate::table::Folder;
use calculation::table::Size;
use kachi_core::Error;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What is told while the states of a table are found.
pub(super) const FINDING: &str = "finding states";
/// What is told while states are only counted.
pub(super) const COUNTING: &str = "counting states";

/// What a run of the cluster is told from outside and tells.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Set from outside to end early.
    pub stop: &'a AtomicBool,
    /// Told now and then: what is being done, the level, and the states that the worker who tells it knows.
    pub hear: &'a (dyn Fn(&str, usize, u64) + Sync),
    /// Bytes of memory that this process may take.
    pub memory: u64,
    /// Everything has been found before. What the first process says counts: then all of them end at once, and nothing is counted.
    pub is_over: bool,
    /// Keeps what was found, in the first process, before anything that led to it is forgotten.
    pub keep: &'a (dyn Fn(&Counted) -> Result<(), Error> + Sync),
}

/// What a run has cost this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cost {
    /// Bytes sent to other processes.
    pub sent: u64,
    /// Bytes that the parts of this process took on disk in the end.
    pub disk: u64,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counted {
    /// States of every level, the start first.
    pub states: Vec<u64>,
    /// Placements of the states of every level; for two chains only, otherwise 0.
    pub placements: Vec<u64>,
    /// What it cost.
    pub cost: Cost,
    /// Levels that earlier runs had finished, forward and backward.
    pub resumed: usize,
}

impl Counted {
    fn of(atlas: &Atlas, levels: usize, resumed: usize) -> Counted {
        let all = |kind: Kind| (0..levels).map(|level| atlas.count(kind, level)).collect();
        Counted { states: all(Kind::Keys), placements: all(Kind::Placements), cost: Cost::default(), resumed }
    }
}

/// Builds a table, or goes on with a build that was stopped; every process of the cluster calls this. The first one has the table in the end.
///
/// # Errors
/// `interrupted`, `lost_process`, `too_large`, `cannot_write`, and whatever another process reports.
pub fn build(session: Session, size: Size, folder: &Folder, watch: Watch<'_>) -> Result<Counted, Error> {
    let space = Chains(size);
    let value = |mail: &mut Mail<'_>, parts: &Parts, atlas: &mut Atlas, memory: u64| {
        Backward::new(mail, space, parts, atlas, memory, watch).run()
    };
    let write = |parts: &Parts, found: &Counted| assemble(parts, size, folder, found.placements.iter().sum());
    let then = Then { value: &value, write: &write };
    all_levels(session, &space, &folder.building_parts(size), FINDING, watch, Some(then))
}

/// Counts the states of the stack game by level, the start first: `chains` chains of `length` cards with `stacks` stacks. Every process of the cluster calls
/// this, and all of them get the counts. Two chains are counted as words, any other number as posets.
///
/// # Errors
/// As [`build`]; `too_large` for more than 24 cards.
pub fn count(
    session: Session,
    (stacks, chains, length): (usize, usize, usize),
    folder: &Path,
    watch: Watch<'_>,
) -> Result<Counted, Error> {
    match Size::new(stacks as u64, length as u64) {
        Ok(size) if chains == 2 => all_levels(session, &Chains(size), folder, COUNTING, watch, None),
        _ => all_levels(session, &Posets::new(stacks, chains, length)?, folder, COUNTING, watch, None),
    }
}

/// Values the states that a worker owns, within its memory; gives how many levels earlier runs had valued.
type Value<'a> = dyn Fn(&mut Mail<'_>, &Parts, &mut Atlas, u64) -> Result<usize, Error> + Sync + 'a;

/// What is done for a table once all states are found.
#[derive(Clone, Copy)]
struct Then<'a> {
    /// Done by every worker.
    value: &'a Value<'a>,
    /// The first worker writes the table.
    write: &'a (dyn Fn(&Parts, &Counted) -> Result<(), Error> + Sync),
}

/// Finds all states of a space, keeps what was found in the first process, and forgets what led to it.
fn all_levels<S: Space>(
    session: Session,
    space: &S,
    folder: &Path,
    what: &str,
    watch: Watch<'_>,
    then: Option<Then<'_>>,
) -> Result<Counted, Error> {
    let parts = Parts::open(folder, space.fingerprint())?;
    let _held = if session.process() == 0 { parts.hold()? } else { None };
    let (traffic, disk) = (session.traffic(), AtomicU64::new(0));
    let memory = session.share(watch.memory);
    let found = session.run(watch.stop, |mail| {
        let hear = |level: usize, states: u64| (watch.hear)(what, space.levels() - level, states);
        let mut atlas = Atlas::draw(mail, &parts, watch.is_over)?;
        if atlas.is_over {
            return Ok(Counted::default());
        }
        let mut resumed = forward(mail, space, &parts, &mut atlas, &Setting { memory, hear: &hear })?;
        if let Some(then) = then {
            resumed += (then.value)(mail, &parts, &mut atlas, memory)?;
        }
        if mail.is_first() {
            disk.store(parts.bytes(), Ordering::Relaxed);
        }
        let counted = Counted::of(&atlas, space.levels(), resumed);
        if mail.index() == 0 {
            if let Some(then) = then {
                (then.write)(&parts, &counted)?;
            }
            (watch.keep)(&counted)?;
        }
        // Nobody forgets its parts before everything about them is written and kept, and everybody knows the counts.
        mail.close_level()?;
        if mail.is_first() {
            parts.remove();
        }
        Ok(counted)
    })?;
    let cost = Cost { sent: traffic.sent(), disk: disk.into_inner() };
    Ok(Counted { cost, ..found.into_iter().next().unwrap_or_default() })
}

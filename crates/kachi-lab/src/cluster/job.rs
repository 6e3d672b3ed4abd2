//! Work that consists of levels, for an engine that can exchange states by key: a table, or the counts of a stack game. The first process writes the same
//! receipts into the store as the engine of one machine, so that everything made from them is the same.

use super::session::Session;
use super::table::{COUNTING, Counted, FINDING, Watch as TableWatch, build, count};
use crate::table::levels::Receipt;
use crate::table::{Folder, Size};
use crate::work::{Ended, Made, Progress, Shard, Store, Tally, Watch, Work};
use kachi_core::Error;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::PoisonError;

/// What is to be found.
#[derive(Debug, Clone)]
pub enum Job {
    /// A table.
    Table {
        /// Which one.
        size: Size,
        /// Where it goes.
        folder: Folder,
        /// Bytes of memory that a process may take.
        memory: u64,
    },
    /// The counts of states, level by level.
    Counts {
        /// Stacks, chains, cards of a chain.
        game: (usize, usize, usize),
        /// Where parts of levels are kept meanwhile.
        folder: PathBuf,
        /// Bytes of memory that a process may take.
        memory: u64,
    },
}

/// Does the job with all processes, and keeps the receipts in the first one. A first process that has all receipts says so, and nobody does anything.
///
/// # Errors
/// Those of [`build`] and [`count`].
pub(super) fn run(
    session: Session,
    job: &Job,
    work: &dyn Work,
    store: &dyn Store,
    watch: Watch<'_>,
) -> Result<Ended, Error> {
    let is_first = session.process() == 0;
    let processes = session.processes() as u64;
    let told = Mutex::new((Progress::default(), HashMap::new()));
    let all_stages = work.stages(0);
    let hear = |what: &str, cards: usize, states: u64| {
        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
        let (progress, by_worker) = &mut *told;
        // Every worker speaks of its own states, and those of the other processes have about as many.
        by_worker.insert(std::thread::current().id(), states);
        let states = processes * by_worker.values().sum::<u64>();
        progress.tally = Tally { units: progress.tally.units.max(states), good: 0 };
        if all_stages > 1 {
            progress.stages = progress.stages.max(job.stage(what, cards));
            progress.all_stages = u64::from(all_stages);
        }
        progress.words = format!("{what}, {cards} cards left");
        (watch.hear)(progress);
    };
    let memory = match job {
        Job::Table { memory, .. } | Job::Counts { memory, .. } => *memory,
    };
    let is_over = is_first && is_complete(work, store);
    let keep = |counted: &Counted| {
        let receipts = receipts(job, counted)?;
        // One receipt a stage, or all of them in the only one.
        let each = receipts.len().div_ceil(all_stages.max(1) as usize).max(1);
        for (stage, receipts) in receipts.chunks(each).enumerate() {
            let shard = Shard { line: 0, stage: stage as u32, index: 0 };
            store.keep(shard, &made(receipts))?;
        }
        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
        let (progress, _) = &mut *told;
        progress.tally = Tally { units: counted.states.iter().sum(), good: 0 };
        (progress.stages, progress.all_stages) = (u64::from(all_stages), u64::from(all_stages));
        (watch.hear)(progress);
        Ok(())
    };
    let table_watch = TableWatch { stop: watch.stop, hear: &hear, memory, is_over, keep: &keep };
    let found = match job {
        Job::Table { size, folder, .. } => build(session, *size, folder, table_watch),
        Job::Counts { game, folder, .. } => count(session, *game, folder, table_watch),
    };
    match found {
        Ok(_) => Ok(Ended::Complete),
        Err(error) if error.code == "interrupted" => Ok(Ended::Stopped),
        Err(error) => Err(error),
    }
}

impl Job {
    /// The stage of the work that is done while so many cards are left: states are found with fewer and fewer cards, then valued with more and more.
    fn stage(&self, what: &str, cards: usize) -> u64 {
        let all = match self {
            Job::Table { size, .. } => size.cards(),
            Job::Counts { game: (_, chains, length), .. } => chains * length,
        };
        let stage = if what == FINDING || what == COUNTING { all - cards.min(all) } else { all + cards };
        stage as u64
    }
}

/// Receipts as a result, one a line.
pub(super) fn made(receipts: &[Receipt]) -> Made {
    let mut result = Vec::new();
    for receipt in receipts {
        result.extend(serde_json::to_vec(receipt).unwrap_or_default());
        result.push(b'\n');
    }
    Made { result, cost: Vec::new() }
}

/// The receipts of all levels, in their order.
pub(super) fn receipts(job: &Job, counted: &Counted) -> Result<Vec<Receipt>, Error> {
    let levels = counted.states.len();
    let placements = |level: usize| level.checked_sub(1).map_or(0, |above| counted.placements[above]);
    let states =
        |level: usize| counted.states.get(level).copied().unwrap_or_else(|| u64::from(placements(level) > 0));
    let found = |level: usize| Receipt::Found {
        cards: (levels - level) as u64,
        states: states(level),
        placements: placements(level),
    };
    let mut all: Vec<Receipt> = (0..=levels).map(found).collect();
    if let Job::Table { size, folder, .. } = job {
        let table = folder.open(*size)?;
        all.extend(table.layers().enumerate().map(|(i, layer)| Receipt::Valued {
            cards: i as u64 + 1,
            states: layer.shape.count,
            lost: layer.lost,
            bytes: layer.shape.bytes(),
        }));
        all.push(Receipt::Written {
            file: calculation::table::file::name(*size),
            bytes: table.length(),
            states: table.states(),
            start: table.totals().start,
        });
    }
    Ok(all)
}

/// Whether the store has every receipt of some work, so that nothing is left to do.
fn is_complete(work: &dyn Work, store: &dyn Store) -> bool {
    (0..work.stages(0)).all(|stage| {
        let shard = Shard { line: 0, stage, index: 0 };
        store.result(shard).is_some_and(|result| work.accepts(shard, &result))
    })
}

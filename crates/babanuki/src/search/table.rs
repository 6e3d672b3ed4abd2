//! Tables of guarantees: all layers up to a number of seats and labels, solved from below, and a bounded
//! memory of the tables used last.

use super::layer::{self, Below, Layer};
use super::ranking::{Ranking, vectors};
use super::store::{self, Key};
use crate::position::Mode;
use crate::shape::{Classes, Shape};
use kachi_core::{Budget, Error};
use serde_json::json;
use std::sync::{Arc, Mutex, PoisonError};

/// What a seat can be sure of, as ranks among the seats still in (1 = next to leave).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Guarantee {
    /// The least rank it can force in finitely many draws.
    pub strict: u8,
    /// The least rank it can ensure if a play that never ends counts as good.
    pub lenient: u8,
}

/// The guarantees of every shape with at most these seats and labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guarantees {
    mode: Mode,
    seats: usize,
    labels: u32,
    /// By seats from 2 on, then by labels from 0 on.
    layers: Vec<Arc<Layer>>,
    ranking: Ranking,
}

impl Below for Guarantees {
    fn layer(&self, seats: usize, labels: u32) -> Option<&Layer> {
        self.find(seats, labels).map(|layer| &**layer)
    }
}

/// Shapes in a layer; those with an empty hand have a number too.
fn shapes(seats: usize, labels: u32, mode: Mode) -> u64 {
    vectors(Classes::of(seats, mode).len(), labels).saturating_mul(seats as u64)
}

/// The most cards that so many labels can put into so many hands, with the joker.
pub(super) fn cards(seats: usize, labels: u32, mode: Mode) -> u64 {
    let copies = match mode {
        Mode::Pairs => 2,
        Mode::Ranks => seats as u64 / 2 * 2,
    };
    u64::from(labels) * copies + 1
}

/// Bytes of the finished table, and the most that is needed while it is solved.
pub fn bytes_needed(seats: usize, labels: u32, mode: Mode) -> u64 {
    let layers = (2..=seats).flat_map(|m| (0..=labels).map(move |n| (m, n)));
    let (mut kept, mut work) = (0_u64, 0_u64);
    for (m, n) in layers {
        let shapes = shapes(m, n, mode);
        kept = kept.saturating_add(shapes.saturating_mul(m as u64));
        // Two words per shape and lane: the draws that leave the layer, and the guarantees.
        work = work.max(shapes.saturating_mul(16 * layer::lanes(m) as u64));
        if kept == u64::MAX {
            break;
        }
    }
    kept.saturating_add(work)
}

/// Shapes of all layers of a table.
pub fn shapes_needed(seats: usize, labels: u32, mode: Mode) -> u64 {
    let top = (0..=labels).map(|n| shapes(seats, n, mode));
    top.fold(0, u64::saturating_add)
}

impl Guarantees {
    /// Solves all layers, taking over those that `known` has already.
    ///
    /// # Errors
    /// `too_large` if it would not fit into the limits, `out_of_budget` if the work or the time runs out.
    pub fn solve(
        seats: usize,
        labels: u32,
        mode: Mode,
        known: &[Arc<Guarantees>],
        budget: &mut Budget<'_>,
    ) -> Result<Guarantees, Error> {
        check_size(seats, labels, mode, budget)?;
        let mut table = Guarantees::from_layers(seats, labels, mode, Vec::new());
        // Seat by seat count: a layer needs the same seats with fewer labels, and fewer seats.
        for m in 2..=seats {
            for n in 0..=labels {
                let found =
                    known.iter().filter(|other| other.mode == mode).find_map(|other| other.find(m, n));
                let layer = match found {
                    Some(layer) => Arc::clone(layer),
                    None if cards(m, n, mode) < m as u64 => {
                        Arc::new(Layer { seats: m as u8, labels: n, values: Vec::new() })
                    }
                    None => {
                        let solved = layer::solve(m, n, mode, &table, &mut |shapes| budget.spend(shapes / 2));
                        // What is finished when the work or the time runs out.
                        let known = json!({"solved": {"seats": m, "labels_below": n}});
                        Arc::new(solved.map_err(|error: Error| error.known(known))?)
                    }
                };
                table.layers.push(layer);
            }
        }
        Ok(table)
    }

    /// A table from its layers, as they come out of storage.
    pub(super) fn from_layers(seats: usize, labels: u32, mode: Mode, layers: Vec<Layer>) -> Guarantees {
        let ranking = Ranking::new(Classes::of(seats, mode).len(), labels);
        Guarantees { mode, seats, labels, layers: layers.into_iter().map(Arc::new).collect(), ranking }
    }

    fn find(&self, seats: usize, labels: u32) -> Option<&Arc<Layer>> {
        if seats < 2 || labels > self.labels {
            return None;
        }
        // While the table is being solved, later layers are missing.
        self.layers.get((seats - 2) * (self.labels as usize + 1) + labels as usize)
    }

    /// Copies of a label.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The most seats.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// The most labels.
    pub fn labels(&self) -> u32 {
        self.labels
    }

    /// All layers, by seats from 2 on, then by labels from 0 on.
    pub fn layers(&self) -> impl Iterator<Item = &Layer> {
        self.layers.iter().map(|layer| &**layer)
    }

    /// Bytes that the table takes.
    pub fn bytes(&self) -> usize {
        self.layers.iter().map(|layer| layer.values.len()).sum()
    }

    /// The guarantees of all seats of a shape, from the mover on; `None` if the table does not reach that far.
    pub fn of(&self, shape: &Shape) -> Option<Vec<Guarantee>> {
        let seats = shape.seats as usize;
        if seats > self.seats {
            return None;
        }
        let layer = self.find(seats, shape.labels())?;
        let at = (self.ranking.number(&shape.counts) as usize * seats + shape.joker as usize) * seats;
        let bytes = layer.values.get(at..at + seats)?;
        let both = |&byte: &u8| Guarantee { strict: byte & 15, lenient: byte >> 4 };
        Some(bytes.iter().map(both).collect())
    }
}

/// A layer settles after about so many sweeps; a shape swept costs half a node.
const USUAL_SWEEPS: u64 = 12;

fn check_size(seats: usize, labels: u32, mode: Mode, budget: &Budget<'_>) -> Result<(), Error> {
    let what = format!("{seats} seats and {labels} labels need a table");
    let hint = "two and three seats are answered at any size; or raise the limits on memory and nodes";
    if !layer::is_possible(seats, mode) {
        let message = format!("{what} of more shapes than can be numbered, with every limit");
        return Err(Error::new("too_large", message).hint(hint));
    }
    let (bytes, limits) = (bytes_needed(seats, labels, mode), budget.limits());
    if bytes > limits.bytes {
        let (needed, limit) = (format!("{bytes} bytes"), format!("{} bytes", limits.bytes));
        return Err(Error::too_large(&what, needed, limit).hint(hint));
    }
    let nodes = shapes_needed(seats, labels, mode).saturating_mul(USUAL_SWEEPS / 2);
    if nodes > limits.nodes {
        let (needed, limit) = (format!("{nodes} nodes"), format!("{} nodes", limits.nodes));
        return Err(Error::too_large(&what, needed, limit).hint(hint));
    }
    Ok(())
}

/// Tables kept in memory, the last used first.
static SHELF: Mutex<Vec<Arc<Guarantees>>> = Mutex::new(Vec::new());

/// How much the shelf may hold besides the table used last.
const SHELF_BYTES: usize = 384 << 20;
/// See [`SHELF_BYTES`].
const SHELF_TABLES: usize = 32;

/// The table for this many seats and labels: from memory, from [storage](store::keep_tables_in) if there is one, or
/// solved now and kept.
///
/// # Errors
/// As [`Guarantees::solve`].
pub fn table(
    seats: usize,
    labels: u32,
    mode: Mode,
    budget: &mut Budget<'_>,
) -> Result<Arc<Guarantees>, Error> {
    let fits = |table: &Arc<Guarantees>| table.mode == mode && table.seats >= seats && table.labels >= labels;
    {
        let mut shelf = SHELF.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = shelf.iter().position(fits) {
            let table = shelf.remove(found);
            shelf.insert(0, Arc::clone(&table));
            return Ok(table);
        }
    }
    let key = Key { mode, seats, labels };
    match store::storage().filter(|_| bytes_needed(seats, labels, mode) >= WORTH_STORING) {
        Some(storage) => store::stored_table(&key, storage, budget),
        None => solve_and_keep(&key, budget),
    }
}

/// Tables that need less are solved faster than a file is read.
const WORTH_STORING: u64 = 1 << 20;

/// Solves a table with the help of those on the shelf, and puts it there.
pub(super) fn solve_and_keep(key: &Key, budget: &mut Budget<'_>) -> Result<Arc<Guarantees>, Error> {
    let known = SHELF.lock().unwrap_or_else(PoisonError::into_inner).clone();
    // The lock is not held while solving: other questions go on.
    let solved = Arc::new(Guarantees::solve(key.seats, key.labels, key.mode, &known, budget)?);
    put_on_shelf(&solved);
    Ok(solved)
}

/// Keeps a table in memory, for example one that was read from a file; the oldest ones make room.
pub fn put_on_shelf(table: &Arc<Guarantees>) {
    let mut shelf = SHELF.lock().unwrap_or_else(PoisonError::into_inner);
    // A table that another one contains is not worth its place.
    shelf.retain(|old| old.mode != table.mode || old.seats > table.seats || old.labels > table.labels);
    shelf.insert(0, Arc::clone(table));
    let mut bytes = 0;
    let keep = |table: &Arc<Guarantees>| {
        bytes += table.bytes();
        bytes
    };
    let sizes: Vec<usize> = shelf.iter().map(keep).collect();
    let room = sizes.iter().take(SHELF_TABLES).skip(1).take_while(|&&bytes| bytes <= SHELF_BYTES).count();
    shelf.truncate(1 + room);
}

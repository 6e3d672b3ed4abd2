//! The whole check of a table: every checksum, the order of every section, and for a sample of every layer the chance worked out anew
//! from the layer below.

use calculation::table::Table;
use kachi_core::Error;
use rayon::prelude::*;

/// What a check found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Checked {
    /// Chances worked out anew.
    pub recomputed: u64,
    /// The largest relative difference from the stored ones.
    pub worst: f64,
}

/// States of a layer that are worked out anew, about.
const SAMPLE: u64 = 4000;

/// Checks a table.
///
/// # Errors
/// `damaged_table`, with what is wrong; `interrupted` when `stop` said so.
pub fn check(table: &Table, stop: &(dyn Fn() -> bool + Sync)) -> Result<Checked, Error> {
    let layers: Result<Vec<Checked>, Error> = (1..=table.size().cards())
        .into_par_iter()
        .map(|cards| {
            if stop() {
                return Err(Error::new("interrupted", "the check was interrupted"));
            }
            table.check(cards)?;
            recompute(table, cards)
        })
        .collect();
    let none = Checked { recomputed: 0, worst: 0.0 };
    Ok(layers?.into_iter().fold(none, |all, layer| Checked {
        recomputed: all.recomputed + layer.recomputed,
        worst: all.worst.max(layer.worst),
    }))
}

fn recompute(table: &Table, cards: usize) -> Result<Checked, Error> {
    let damaged = |what: &str| {
        let message = format!("the table {what} with {cards} cards left");
        Error::new("damaged_table", message).hint("build it again")
    };
    let bounds: Vec<f64> = table.layers().map(|layer| layer.scale.bound()).collect();
    let count = table.layers().nth(cards - 1).map_or(0, |layer| layer.shape.count);
    // What is stored may be off by its own bound, what is worked out by that of the layer below.
    let allowed = 1.001 * (bounds[cards - 1] + if cards > 1 { bounds[cards - 2] } else { 0.0 });
    let mut checked = Checked { recomputed: 0, worst: 0.0 };
    for (state, stored) in table.states_with(cards, count.div_ceil(SAMPLE) as usize) {
        let state = state.ok_or_else(|| damaged("has a number that is no state"))?;
        let (mut sum, mut missing) = (0.0, false);
        state.for_each_card(|placements| {
            let chances = placements.states().iter().map(|after| table.chance(&after.canonical()));
            sum += chances.fold(0.0, |best: f64, chance| {
                missing |= chance.is_none();
                best.max(chance.unwrap_or(0.0))
            });
        });
        if missing {
            return Err(damaged("lacks what comes of a state"));
        }
        let chance = sum / cards as f64;
        let error = if chance == stored { 0.0 } else { (stored - chance).abs() / stored.max(chance) };
        if error > allowed {
            return Err(damaged("has a wrong chance of a state"));
        }
        checked.recomputed += 1;
        checked.worst = checked.worst.max(error);
    }
    Ok(checked)
}

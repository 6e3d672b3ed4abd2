//! The whole build in memory: for tests, for benches, and for questions about small tables. The laboratory builds the large
//! ones with threads and disk out of the same parts, and its bytes are the same.

use super::backward::{self, Worth, WorthShard};
use super::file::{LayerMeta, Totals, checksum, header, offsets};
use super::forward::{Origin, next_layer};
use super::layer::Layer;
use super::parallel::each;
use super::quantise::Scale;
use super::section::write;
use super::{Size, Table};
use crate::theory::TwoChains;
use kachi_core::{Budget, Error};
use std::sync::Arc;

/// All states reachable from a start, by cards left.
#[derive(Debug, Clone)]
pub struct Reached {
    /// The layer of the start first.
    pub layers: Vec<Layer>,
    /// Placements that all these states have.
    pub placements: u64,
}

impl Reached {
    /// States in all; the empty one is not counted.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.layers.iter().map(Layer::count).sum()
    }
}

/// All live states reachable from a live one, itself included.
///
/// # Errors
/// `too_large` if the memory limit does not allow it, `out_of_budget`.
pub fn reach(start: &TwoChains, budget: &mut Budget<'_>) -> Result<Reached, Error> {
    let mut layers = vec![Layer::of_state(start)];
    let mut all = 0;
    for _ in 0..start.cards() {
        let above = &layers[layers.len() - 1];
        let kept = layers[..layers.len() - 1].iter().map(Layer::bytes).sum();
        let (next, placements) = next(above, origin(std::slice::from_ref(start)), kept, budget)?;
        layers.push(next);
        all += placements;
    }
    layers.retain(|layer| layer.count() > 0 && layer.cards() > 0);
    Ok(Reached { layers, placements: all })
}

/// How many live states with cards can be reached from a live one, itself included; only two layers are kept in memory.
///
/// # Errors
/// As [`reach`].
pub fn count(start: &TwoChains, budget: &mut Budget<'_>) -> Result<u64, Error> {
    let mut layer = Layer::of_state(start);
    let mut states = 0;
    for left in (0..start.cards()).rev() {
        states += layer.count();
        if left > 0 {
            layer = next(&layer, origin(std::slice::from_ref(start)), 0, budget)?.0;
        }
    }
    Ok(states)
}

/// What can come of these states.
fn origin(starts: &[TwoChains]) -> Origin {
    if starts.iter().all(TwoChains::is_free) { Origin::FreeStacks } else { Origin::Any }
}

/// The next layer and the placements of this one, within the budget, while `kept` bytes are in use elsewhere.
fn next(above: &Layer, origin: Origin, kept: u64, budget: &mut Budget<'_>) -> Result<(Layer, u64), Error> {
    next_layer(above, origin, |expanded, bytes| {
        budget.spend(expanded)?;
        let (needed, limit) = (kept + above.bytes() + bytes, budget.limits().bytes);
        if needed > limit { Err(Error::too_large("bytes for the states", needed, limit)) } else { Ok(()) }
    })
}

/// The chances of all states of a layer, from the layer below.
///
/// # Errors
/// `damaged_table` if the layers do not belong together, `out_of_budget`.
pub fn worth(layer: &Layer, below: &Worth, budget: &mut Budget<'_>) -> Result<Worth, Error> {
    // Sixteen bytes a state, and the beginnings of drawers.
    let (needed, limit) = (below.bytes() + layer.bytes() + layer.count() * 20, budget.limits().bytes);
    if needed > limit {
        return Err(Error::too_large("bytes for the chances", needed, limit));
    }
    budget.spend(layer.count())?;
    let shards = each(layer.shards().len(), |shard| {
        Ok(WorthShard::new(layer, shard, &backward::chances(layer, shard, below)?))
    });
    let shards = shards.into_iter().collect::<Result<Vec<_>, Error>>()?;
    Ok(Worth::new(layer, shards))
}

/// The exact chance of a live state, by building everything that can come of it.
///
/// # Errors
/// As [`reach`].
pub fn chance(start: &TwoChains, budget: &mut Budget<'_>) -> Result<f64, Error> {
    Ok(chances(std::slice::from_ref(start), budget)?[0])
}

/// The exact chances of several live states for the same number of stacks: what can come of more than one of them is built once.
///
/// # Errors
/// As [`reach`].
pub fn chances(starts: &[TwoChains], budget: &mut Budget<'_>) -> Result<Vec<f64>, Error> {
    let Some(largest) = starts.iter().max_by_key(|start| start.cards()) else { return Ok(Vec::new()) };
    let with = |cards: usize| starts.iter().filter(move |start| start.cards() == cards);
    let mut layers: Vec<Layer> = Vec::new();
    for cards in (1..=largest.cards()).rev() {
        let layer = match layers.last() {
            None => Layer::of_state(largest),
            Some(above) => {
                let kept = layers[..layers.len() - 1].iter().map(Layer::bytes).sum();
                next(above, origin(starts), kept, budget)?.0
            }
        };
        layers.push(layer.joined_by(with(cards)));
    }
    let mut found = vec![1.0; starts.len()];
    let mut below = Worth::of_the_end(largest.stacks());
    while let Some(layer) = layers.pop() {
        below = worth(&layer, &below, budget)?;
        for (start, chance) in starts.iter().zip(&mut found) {
            if start.cards() == layer.cards() {
                *chance = below.of(start).unwrap_or(0.0);
            }
        }
    }
    Ok(found)
}

/// The chance of a layer's only state.
fn only(worth: &Worth) -> f64 {
    worth.shards().iter().flat_map(WorthShard::entries).map(|&(_, chance)| chance).next().unwrap_or(0.0)
}

/// The section of the play file for a layer.
///
/// # Errors
/// As [`write()`].
pub fn section(layer: &Layer, worth: &Worth) -> Result<(LayerMeta, Vec<u8>), Error> {
    let all = || worth.shards().iter().flat_map(WorthShard::entries).map(|&(_, chance)| chance);
    let smallest = all().filter(|&chance| chance > 0.0).fold(1.0, f64::min);
    let lost = all().filter(|&chance| chance == 0.0).count() as u64;
    let scale = Scale::down_to(smallest);
    let cutting = layer.cutting();
    let (shape, bytes) = write(cutting.scatter.bits(), layer.count(), || {
        worth.shards().iter().enumerate().flat_map(|(shard, part)| {
            let scale = &scale;
            part.entries()
                .iter()
                .map(move |&(inner, chance)| (cutting.whole(shard, inner), scale.code(chance)))
        })
    })?;
    Ok((LayerMeta { shape, scale, sum: checksum(&bytes), lost }, bytes))
}

/// A table built in memory.
#[derive(Debug, Clone)]
pub struct Built {
    /// The table.
    pub table: Table,
    /// The bytes of its file.
    pub bytes: Arc<Vec<u8>>,
}

/// Builds a table in memory.
///
/// ```
/// use calculation::table::{Size, in_memory};
/// let built = in_memory(Size::new(3, 4).unwrap(), &mut kachi_core::Budget::default()).unwrap();
/// assert_eq!(built.table.states(), 339);
/// ```
///
/// # Errors
/// As [`reach`].
pub fn in_memory(size: Size, budget: &mut Budget<'_>) -> Result<Built, Error> {
    let start = TwoChains::start(size.stacks(), size.ranks(), size.ranks());
    let reached = reach(&start, budget)?;
    let mut below = Worth::of_the_end(size.stacks());
    let mut sections = Vec::new();
    for layer in reached.layers.iter().rev() {
        below = worth(layer, &below, budget)?;
        sections.push(section(layer, &below)?);
    }
    let totals = Totals { start: only(&below), placements: reached.placements };
    let (metas, parts): (Vec<LayerMeta>, Vec<Vec<u8>>) = sections.into_iter().unzip();
    let (offsets, length) = offsets(&metas);
    let mut bytes = header(size, totals, &metas);
    bytes.reserve(length as usize - bytes.len());
    for (part, offset) in parts.iter().zip(offsets) {
        bytes.resize(offset as usize, 0);
        bytes.extend(part);
    }
    let bytes = Arc::new(bytes);
    Ok(Built { table: Table::open(bytes.clone())?, bytes })
}

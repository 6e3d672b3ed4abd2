//! The play file: a header with a checksum, then one section for every number of cards left.
//!
//! All numbers are little-endian. Header: magic (8 bytes), version, stacks, ranks, layers (4 each), states, length of the
//! file, chance of the start (a float), placements (8 each); then for 1, 2, ... cards left: states (8), bits of a
//! number, bits kept in a record (4 each), step of the scale (a float), offset, length, checksum of the section, states with
//! chance 0 (8 each); then the checksum of all that (8). Checksums are XXH3, 64 bits. Sections begin at multiples of 64 bytes.
//!
//! Opening checks the header, its checksum and the length of the file; it does not read the sections, so that it takes no
//! time. [`Table::check`] reads everything. A damaged section gives wrong chances, but never a panic.

use super::Size;
use super::quantise::Scale;
use super::scatter::Scatter;
use super::section::{Drawer, Section, Shape};
use crate::theory::TwoChains;
use crate::theory::rank::Ranking;
use kachi_core::Error;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: [u8; 8] = *b"kachical";
/// The version of the format.
pub const VERSION: u32 = 1;
const FIXED: usize = 8 + 4 * 4 + 4 * 8;
const PER_LAYER: usize = 8 + 2 * 4 + 5 * 8;
const ALIGN: u64 = 64;

/// What the header says about a layer.
#[derive(Debug, Clone)]
pub struct LayerMeta {
    /// The measures of the section.
    pub shape: Shape,
    /// The codes of its chances.
    pub scale: Scale,
    /// The checksum of the section.
    pub sum: u64,
    /// Live states that cannot be won.
    pub lost: u64,
}

/// What the header says about the whole table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Totals {
    /// The chance of two full chains.
    pub start: f64,
    /// Placements that the build generated from live states, one for every set of equal stacks.
    pub placements: u64,
}

/// The name of a table's file: `calculation-3-12.v1.table`.
#[must_use]
pub fn name(size: Size) -> String {
    format!("calculation-{}-{}.v{VERSION}.table", size.stacks(), size.ranks())
}

/// The checksum of a section.
#[must_use]
pub fn checksum(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}

/// Where the sections begin, and how long the file is.
#[must_use]
pub fn offsets(layers: &[LayerMeta]) -> (Vec<u64>, u64) {
    let mut at = (FIXED + layers.len() * PER_LAYER + 8) as u64;
    let begin = |layer: &LayerMeta| {
        let offset = at.next_multiple_of(ALIGN);
        at = offset + layer.shape.bytes();
        offset
    };
    let offsets = layers.iter().map(begin).collect();
    (offsets, at)
}

/// The header of a file with these sections, for 1, 2, ... cards left.
#[must_use]
pub fn header(size: Size, totals: Totals, layers: &[LayerMeta]) -> Vec<u8> {
    let (offsets, length) = offsets(layers);
    let mut bytes = Vec::with_capacity(FIXED + layers.len() * PER_LAYER + 8);
    bytes.extend(MAGIC);
    for number in [VERSION, size.stacks() as u32, size.ranks() as u32, layers.len() as u32] {
        bytes.extend(number.to_le_bytes());
    }
    let states: u64 = layers.iter().map(|layer| layer.shape.count).sum();
    for number in [states, length, totals.start.to_bits(), totals.placements] {
        bytes.extend(number.to_le_bytes());
    }
    for (layer, offset) in layers.iter().zip(offsets) {
        let shape = layer.shape;
        bytes.extend(shape.count.to_le_bytes());
        bytes.extend(shape.key_bits.to_le_bytes());
        bytes.extend(shape.rest_bits.to_le_bytes());
        for number in [layer.scale.step().to_bits(), offset, shape.bytes(), layer.sum, layer.lost] {
            bytes.extend(number.to_le_bytes());
        }
    }
    bytes.extend(xxh3_64(&bytes).to_le_bytes());
    bytes
}

/// The bytes of a table: memory of the process, or a file mapped into it.
pub type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// An opened table.
#[derive(Clone)]
pub struct Table {
    size: Size,
    totals: Totals,
    layers: Vec<Opened>,
    ranking: &'static Ranking,
    bytes: Bytes,
}

#[derive(Clone)]
struct Opened {
    meta: LayerMeta,
    scatter: Scatter,
    at: usize,
    end: usize,
}

/// How far a lookup has come: the table's own number of the state and, once it is open, its drawer.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sought {
    number: u64,
    drawer: Drawer,
    cards: u8,
}

/// Lookups step by step. A lookup waits for memory twice; whoever has many takes each step for all of them before the next one, and since the
/// steps that wait do hardly anything else, the processor waits for a dozen lookups at once.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'t> {
    layers: &'t [Opened],
    bytes: &'t [u8],
}

impl<'t> Reader<'t> {
    /// The lookup of a live canonical state with so many cards and this rank: reads nothing yet.
    #[inline(always)]
    pub(crate) fn seek(&self, cards: usize, rank: u64) -> Sought {
        let layer = cards.checked_sub(1).and_then(|i| self.layers.get(i));
        let number = layer.map_or(0, |layer| layer.scatter.there(rank));
        Sought { number, drawer: Drawer::default(), cards: cards as u8 }
    }

    /// Finds the drawer: the first wait.
    #[inline(always)]
    pub(crate) fn open_drawer(&self, sought: &mut Sought) {
        if let Some((_, section)) = self.section(sought) {
            sought.drawer = section.drawer(sought.number);
        }
    }

    /// Brings the records of the drawer near: the second wait. The byte that it gives says nothing.
    #[inline(always)]
    pub(crate) fn touch(&self, sought: &Sought) -> u8 {
        self.section(sought).map_or(0, |(_, section)| section.touch(sought.drawer))
    }

    /// The chance, if the table has the state.
    #[inline(always)]
    pub(crate) fn chance(&self, sought: Sought) -> Option<f64> {
        if sought.cards == 0 {
            return Some(1.0);
        }
        let (layer, section) = self.section(&sought)?;
        let code = section.code(sought.number, sought.drawer)?;
        Some(layer.meta.scale.chance(code))
    }

    #[inline(always)]
    fn section(&self, sought: &Sought) -> Option<(&'t Opened, Section<'t>)> {
        let layer = self.layers.get(usize::from(sought.cards).checked_sub(1)?)?;
        Some((layer, Section::new(layer.meta.shape, self.bytes.get(layer.at..layer.end)?)?))
    }
}

impl Table {
    /// Opens a table: header, its checksum and the length of the file are checked, the sections are not read.
    ///
    /// # Errors
    /// `foreign_table` if the bytes are something else or of another version; `damaged_table` if they were cut or changed.
    pub fn open(bytes: Bytes) -> Result<Table, Error> {
        let all = bytes.as_ref().as_ref();
        let (size, totals, layers) = read_header(all)?;
        let ranking = Ranking::of(size.stacks());
        let (offsets, length) = offsets(&layers);
        if all.len() as u64 != length {
            let message = format!("the table should have {length} bytes and has {}", all.len());
            return Err(Error::new("damaged_table", message).hint("build it again"));
        }
        let mut opened = Vec::with_capacity(layers.len());
        for (i, (meta, offset)) in layers.into_iter().zip(offsets).enumerate() {
            let scatter = Scatter::of(ranking, i + 1);
            if scatter.bits() != meta.shape.key_bits {
                return Err(damaged("numbers its states in another way"));
            }
            let (at, end) = (offset as usize, (offset + meta.shape.bytes()) as usize);
            opened.push(Opened { meta, scatter, at, end });
        }
        Ok(Table { size, totals, layers: opened, ranking, bytes })
    }

    /// As [`Table::open`], for a table of a certain size.
    ///
    /// # Errors
    /// Also `foreign_table` if it is of another size.
    pub fn open_as(bytes: Bytes, size: Size) -> Result<Table, Error> {
        let table = Table::open(bytes)?;
        if table.size != size {
            let message = format!("the table is for {}, not for {size}", table.size);
            return Err(Error::new("foreign_table", message));
        }
        Ok(table)
    }

    /// Which table this is.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// The chance of the start, exactly, and what the build counted.
    #[must_use]
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// States in all.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.layers.iter().map(|layer| layer.meta.shape.count).sum()
    }

    /// What the header says about the states with 1, 2, ... cards left.
    pub fn layers(&self) -> impl ExactSizeIterator<Item = &LayerMeta> {
        self.layers.iter().map(|layer| &layer.meta)
    }

    /// Bytes of the file.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.bytes.as_ref().as_ref().len() as u64
    }

    /// Every stored chance s of a true chance t satisfies |s - t| <= bound * t; in particular a chance of 0 is exact.
    #[must_use]
    pub fn bound(&self) -> f64 {
        self.layers.iter().map(|layer| layer.meta.scale.bound()).fold(0.0, f64::max)
    }

    /// The chance of a live canonical state, if the table has it.
    #[inline]
    #[must_use]
    pub fn chance(&self, state: &TwoChains) -> Option<f64> {
        let reader = self.reader();
        let mut sought =
            reader.seek(state.cards(), if state.cards() == 0 { 0 } else { self.ranking.rank(state) });
        reader.open_drawer(&mut sought);
        reader.chance(sought)
    }

    /// The table with its bytes at hand, for many lookups.
    #[inline]
    pub(crate) fn reader(&self) -> Reader<'_> {
        Reader { layers: &self.layers, bytes: self.bytes.as_ref().as_ref() }
    }

    #[inline(always)]
    fn section(&self, layer: &Opened) -> Option<Section<'_>> {
        let bytes: &[u8] = self.bytes.as_ref().as_ref();
        Section::new(layer.meta.shape, bytes.get(layer.at..layer.end)?)
    }

    /// Reads the section for so many cards left and compares it with its checksum and its order.
    ///
    /// # Errors
    /// `damaged_table`.
    pub fn check(&self, cards: usize) -> Result<(), Error> {
        let layer = cards.checked_sub(1).and_then(|i| self.layers.get(i));
        let layer = layer.ok_or_else(|| damaged("has no such layer"))?;
        let bytes: &[u8] = self.bytes.as_ref().as_ref();
        if bytes.get(layer.at..layer.end).map(xxh3_64) != Some(layer.meta.sum) {
            return Err(damaged(&format!("does not fit the checksum of its part for {cards} cards")));
        }
        let section = self.section(layer).ok_or_else(|| damaged("is too short"))?;
        let (mut count, mut lost, mut last) = (0, 0, None);
        for (number, code) in section.records() {
            if last.is_some_and(|last| number <= last) {
                return Err(damaged(&format!("is out of order in its part for {cards} cards")));
            }
            last = Some(number);
            count += 1;
            lost += u64::from(code == 0);
        }
        if (count, lost) != (layer.meta.shape.count, layer.meta.lost) {
            return Err(damaged(&format!("miscounts its part for {cards} cards")));
        }
        Ok(())
    }

    /// The states with so many cards left and their stored chances, every `stride`-th one.
    pub fn states_with(
        &self,
        cards: usize,
        stride: usize,
    ) -> impl Iterator<Item = (Option<TwoChains>, f64)> + '_ {
        let layer = cards.checked_sub(1).and_then(|i| self.layers.get(i));
        let parts = layer.and_then(|layer| Some((layer, self.section(layer)?)));
        parts.into_iter().flat_map(move |(layer, section)| {
            section.records().step_by(stride.max(1)).map(move |(number, code)| {
                (self.ranking.state(cards, layer.scatter.back(number)), layer.meta.scale.chance(code))
            })
        })
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table")
            .field("size", &self.size)
            .field("states", &self.states())
            .finish_non_exhaustive()
    }
}

fn damaged(what: &str) -> Error {
    Error::new("damaged_table", format!("the table {what}")).hint("build it again")
}

fn foreign(what: &str) -> Error {
    Error::new("foreign_table", format!("the file {what}")).hint("build a table with `kachi table build`")
}

/// Size, totals and layers, as far as the header can be trusted.
fn read_header(bytes: &[u8]) -> Result<(Size, Totals, Vec<LayerMeta>), Error> {
    let word =
        |at: usize| bytes.get(at..at + 4).and_then(|part| Some(u32::from_le_bytes(part.try_into().ok()?)));
    let long =
        |at: usize| bytes.get(at..at + 8).and_then(|part| Some(u64::from_le_bytes(part.try_into().ok()?)));
    if bytes.get(..8) != Some(&MAGIC) {
        return Err(foreign("is no table of calculation"));
    }
    let short = || damaged("ends within its header");
    let version = word(8).ok_or_else(short)?;
    if version != VERSION {
        return Err(foreign(&format!(
            "has version {version} of the format, and this program reads {VERSION}"
        )));
    }
    let number = |at: usize| word(at).ok_or_else(short);
    let (stacks, ranks, layers) = (number(12)?, number(16)?, number(20)?);
    let size = Size::new(u64::from(stacks), u64::from(ranks))
        .map_err(|_| damaged("has an impossible number of stacks or ranks"))?;
    if layers as usize != size.cards() {
        return Err(damaged("has the wrong number of layers"));
    }
    let end = FIXED + layers as usize * PER_LAYER;
    let sum = long(end).ok_or_else(short)?;
    if bytes.get(..end).map(xxh3_64) != Some(sum) {
        return Err(damaged("does not fit the checksum of its header"));
    }
    let wide = |at: usize| long(at).ok_or_else(short);
    let totals = Totals { start: f64::from_bits(wide(40)?), placements: wide(48)? };
    let mut metas = Vec::with_capacity(layers as usize);
    for i in 0..layers as usize {
        let at = FIXED + i * PER_LAYER;
        let shape = Shape { count: wide(at)?, key_bits: number(at + 8)?, rest_bits: number(at + 12)? };
        if !shape.is_sound() {
            return Err(damaged("has a layer of impossible measures"));
        }
        let scale = Scale::of_step(f64::from_bits(wide(at + 16)?));
        metas.push(LayerMeta { shape, scale, sum: wide(at + 40)?, lost: wide(at + 48)? });
    }
    Ok((size, totals, metas))
}

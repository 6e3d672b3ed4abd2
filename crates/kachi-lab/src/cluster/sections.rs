//! The sections of a table as the first process keeps them, one for each level, and the table made of them.

use super::parts::{Kept, Kind, Parts};
use super::space::{garbled, unpacked};
use crate::table::Folder;
use crate::work::store::write_whole;
use calculation::table::Size;
use calculation::table::file::{LayerMeta, Totals, checksum, header, offsets};
use calculation::table::layer::Cutting;
use calculation::table::quantise::Scale;
use calculation::table::section::{Shape, write};
use kachi_core::Error;
use std::collections::BTreeMap;
use std::io::Write;

/// What a worker says about its part of a level.
#[derive(Debug, Clone, Copy)]
pub(super) struct Statistics {
    pub(super) count: u64,
    pub(super) lost: u64,
    pub(super) smallest: f64,
}

impl Statistics {
    pub(super) fn numbers(&self) -> Vec<u8> {
        [self.count, self.lost, self.smallest.to_bits()].iter().flat_map(|n| n.to_le_bytes()).collect()
    }

    pub(super) fn read(bytes: &[u8]) -> Option<Statistics> {
        let number = |i: usize| Some(u64::from_le_bytes(bytes.get(8 * i..8 * i + 8)?.try_into().ok()?));
        Some(Statistics { count: number(0)?, lost: number(1)?, smallest: f64::from_bits(number(2)?) })
    }

    pub(super) fn with(self, more: &Statistics) -> Statistics {
        Statistics {
            count: self.count + more.count,
            lost: self.lost + more.lost,
            smallest: self.smallest.min(more.smallest),
        }
    }
}

/// The section of a level from the states and codes of all workers.
pub(super) fn section(
    cutting: &Cutting,
    scale: &Scale,
    whole: &Statistics,
    codes: BTreeMap<usize, Vec<u8>>,
) -> Result<Kept, Error> {
    let mut shards = Vec::with_capacity(codes.len());
    for (shard, bytes) in codes {
        let count = bytes.get(..8).and_then(|count| Some(u64::from_le_bytes(count.try_into().ok()?)));
        let states = bytes.len().checked_sub(count.ok_or_else(garbled)? as usize * 2).ok_or_else(garbled)?;
        let keys = unpacked(&bytes[..states], cutting.inner_bits())?;
        shards.push((shard, keys, bytes[states..].to_vec()));
    }
    let (shape, bytes) = write(cutting.scatter.bits(), whole.count, || {
        shards.iter().flat_map(|(shard, keys, codes)| {
            let codes = codes.chunks_exact(2).map(|code| u16::from_le_bytes([code[0], code[1]]));
            keys.numbers().map(|inner| cutting.whole(*shard, inner)).zip(codes)
        })
    })?;
    let start = if whole.lost == whole.count { 0.0 } else { whole.smallest };
    let numbers = [
        shape.count,
        u64::from(shape.key_bits),
        u64::from(shape.rest_bits),
        scale.step().to_bits(),
        checksum(&bytes),
        whole.lost,
        start.to_bits(),
    ];
    let mut kept: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    kept.extend(bytes);
    Ok(Kept { count: shape.count, bytes: kept })
}

/// What stands before a section.
const BEFORE: usize = 7 * 8;

/// Writes the table from its sections.
pub(super) fn assemble(parts: &Parts, size: Size, folder: &Folder, placements: u64) -> Result<(), Error> {
    let gone = || Error::new("damaged_table", "a finished part of the build has gone").hint("build again");
    let section = |cards: usize| parts.load(Kind::Section, cards, &|_| true).remove(&0).ok_or_else(gone);
    let mut metas: Vec<LayerMeta> = Vec::new();
    let mut totals = Totals { start: 0.0, placements };
    for cards in 1..=size.cards() {
        let kept = section(cards)?;
        let number = |i: usize| Some(u64::from_le_bytes(kept.bytes.get(8 * i..8 * i + 8)?.try_into().ok()?));
        let read = || {
            let shape =
                Shape { count: number(0)?, key_bits: number(1)? as u32, rest_bits: number(2)? as u32 };
            let scale = Scale::of_step(f64::from_bits(number(3)?));
            Some((LayerMeta { shape, scale, sum: number(4)?, lost: number(5)? }, f64::from_bits(number(6)?)))
        };
        let (meta, start) = read().ok_or_else(gone)?;
        metas.push(meta);
        // The last one is that of the start.
        totals.start = start;
    }
    let (offsets, _) = offsets(&metas);
    let mut failed = None;
    let written = write_whole(&folder.file(size), |out| {
        let head = header(size, totals, &metas);
        out.write_all(&head)?;
        let mut at = head.len() as u64;
        for (i, &offset) in offsets.iter().enumerate() {
            let kept = section(i + 1).map_err(|error| {
                failed = Some(error);
                std::io::ErrorKind::NotFound
            })?;
            out.write_all(&vec![0; (offset - at) as usize])?;
            out.write_all(&kept.bytes[BEFORE..])?;
            at = offset + (kept.bytes.len() - BEFORE) as u64;
        }
        Ok(())
    });
    failed.map_or(written, Err)
}

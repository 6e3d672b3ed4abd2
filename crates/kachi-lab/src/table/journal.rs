//! Finished layers of a build on disk. Every file is written under a temporary name, brought to the disk and renamed, and ends with a
//! checksum; what is missing, damaged or of another table does not count as finished and is made again.
//!
//! Files: `keys-NN` the states with NN cards left, `worth-NN` their exact chances (only the last finished one is kept), `section-NN` their part
//! of the play file. Each begins with eight bytes of magic and the numbers version, kind, stacks, ranks, cards, extra (8 bytes each).

use super::folder::hold;
use crate::work::store::{cannot_write, write_whole};
use calculation::table::file::{LayerMeta, VERSION};
use calculation::table::layer::{Cutting, Shard};
use calculation::table::quantise::Scale;
use calculation::table::section::Shape;
use calculation::table::{Layer, Size};
use calculation::theory::rank::Ranking;
use kachi_core::Error;
use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

const MAGIC: u64 = u64::from_le_bytes(*b"kachijrn");

/// The name of a journal's folder while it is removed.
fn leaving(folder: &Path) -> PathBuf {
    folder.with_extension("removing")
}

/// What a file of the journal holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Keys,
    Worth,
    Section,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Keys => "keys",
            Kind::Worth => "worth",
            Kind::Section => "section",
        }
    }
}

/// The finished layers of one table's build.
#[derive(Debug, Clone)]
pub struct Journal {
    folder: PathBuf,
    size: Size,
}

impl Journal {
    /// The journal in a folder, which is made when something is kept in it.
    #[must_use]
    pub fn new(folder: PathBuf, size: Size) -> Journal {
        Journal { folder, size }
    }

    /// Keeps other processes out of it while the work goes on.
    ///
    /// # Errors
    /// `already_running`, `cannot_write`.
    pub fn hold(&self) -> Result<Option<File>, Error> {
        // What a process that was killed had begun to remove; if it stays, it only takes room.
        let _ = std::fs::remove_dir_all(leaving(&self.folder));
        hold(&self.folder)
    }

    /// Forgets everything: the build is finished.
    ///
    /// # Errors
    /// `cannot_write`.
    pub fn remove(self) -> Result<(), Error> {
        let failed = |error| cannot_write(&self.folder, &error);
        // Gone all at once: a folder that is removed half must not look like a build.
        let leaving = leaving(&self.folder);
        match std::fs::rename(&self.folder, &leaving) {
            // It was finished before, perhaps by others.
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            renamed => renamed.map_err(failed)?,
        }
        std::fs::remove_dir_all(&leaving).map_err(failed)
    }

    fn path(&self, kind: Kind, cards: usize) -> PathBuf {
        self.folder.join(format!("{}-{cards:02}", kind.name()))
    }

    fn head(&self, kind: Kind, cards: usize, extra: u64) -> [u64; 7] {
        let (stacks, ranks) = (self.size.stacks() as u64, self.size.ranks() as u64);
        [MAGIC, u64::from(VERSION), kind as u64, stacks, ranks, cards as u64, extra]
    }

    /// Keeps the states of a layer, and how many placements led to them.
    ///
    /// # Errors
    /// `cannot_write`.
    pub fn keep_keys(&self, layer: &Layer, placements: u64) -> Result<(), Error> {
        self.write(Kind::Keys, layer.cards(), placements, |out| {
            out.number(layer.shards().len() as u64)?;
            for shard in layer.shards() {
                out.number(shard.count())?;
                out.number(shard.bytes().len() as u64)?;
                out.bytes(shard.bytes())?;
            }
            Ok(())
        })
    }

    /// The states of a layer and the placements that led to them, if they are kept.
    #[must_use]
    pub fn keys(&self, cards: usize) -> Option<(Layer, u64)> {
        let bits = Cutting::of(Ranking::of(self.size.stacks()), cards).inner_bits();
        self.read(Kind::Keys, cards, |placements, input| {
            let count = input.next()?;
            let mut shards = Vec::new();
            for _ in 0..count {
                let (states, length) = (input.next()?, input.next()?);
                shards.push(Shard::from_bytes(states, input.take(length)?, bits).ok()?);
            }
            Some((Layer::of_shards(self.size.stacks(), cards, shards).ok()?, placements))
        })
    }

    /// Are the states of some later layer kept, so that those of this one are needed no more to go on?
    #[must_use]
    pub fn has_keys_below(&self, cards: usize) -> bool {
        (0..cards).rev().any(|cards| self.path(Kind::Keys, cards).exists() && self.keys(cards).is_some())
    }

    /// Is there a file of states for this layer, whatever is in it?
    #[must_use]
    pub fn has_file_of_keys(&self, cards: usize) -> bool {
        self.path(Kind::Keys, cards).exists()
    }

    /// Forgets the states of a layer, if there are any.
    pub fn forget_keys(&self, cards: usize) {
        // One that cannot be removed only takes room.
        let _ = std::fs::remove_file(self.path(Kind::Keys, cards));
    }

    /// Keeps the exact chances of a layer, shard by shard in order, and forgets those of the layer below.
    ///
    /// # Errors
    /// `cannot_write`.
    pub fn keep_worth(&self, cards: usize, chances: &[&[(u64, f64)]]) -> Result<(), Error> {
        self.write(Kind::Worth, cards, 0, |out| {
            for shard in chances {
                out.number(shard.len() as u64)?;
                for &(_, chance) in *shard {
                    out.number(chance.to_bits())?;
                }
            }
            Ok(())
        })?;
        // One that cannot be removed only takes room.
        let _ = std::fs::remove_file(self.path(Kind::Worth, cards - 1));
        Ok(())
    }

    /// The exact chances of a layer, if they are kept.
    #[must_use]
    pub fn worth(&self, layer: &Layer) -> Option<Vec<Vec<f64>>> {
        self.read(Kind::Worth, layer.cards(), |_, input| {
            let mut all = Vec::with_capacity(layer.shards().len());
            for shard in layer.shards() {
                if input.next()? != shard.count() {
                    return None;
                }
                let chances = (0..shard.count()).map(|_| input.next().map(f64::from_bits));
                all.push(chances.collect::<Option<Vec<f64>>>()?);
            }
            Some(all)
        })
    }

    /// Keeps a layer's part of the play file.
    ///
    /// # Errors
    /// `cannot_write`.
    pub fn keep_section(&self, cards: usize, meta: &LayerMeta, bytes: &[u8]) -> Result<(), Error> {
        self.write(Kind::Section, cards, 0, |out| {
            let shape = meta.shape;
            for number in [
                shape.count,
                u64::from(shape.key_bits),
                u64::from(shape.rest_bits),
                meta.scale.step().to_bits(),
                meta.sum,
                meta.lost,
                bytes.len() as u64,
            ] {
                out.number(number)?;
            }
            out.bytes(bytes)
        })
    }

    /// A layer's part of the play file, if it is kept.
    #[must_use]
    pub fn section(&self, cards: usize) -> Option<(LayerMeta, Vec<u8>)> {
        self.read(Kind::Section, cards, |_, input| {
            let count = input.next()?;
            let (key_bits, rest_bits) = (input.next()? as u32, input.next()? as u32);
            let shape = Shape { count, key_bits, rest_bits };
            let scale = Scale::of_step(f64::from_bits(input.next()?));
            let (sum, lost, length) = (input.next()?, input.next()?, input.next()?);
            let bytes = input.take(length)?;
            let sound = shape.is_sound() && shape.bytes() == length;
            sound.then_some((LayerMeta { shape, scale, sum, lost }, bytes))
        })
    }

    fn write(
        &self,
        kind: Kind,
        cards: usize,
        extra: u64,
        body: impl FnOnce(&mut Summed<&mut BufWriter<File>>) -> std::io::Result<()>,
    ) -> Result<(), Error> {
        std::fs::create_dir_all(&self.folder).map_err(|error| cannot_write(&self.folder, &error))?;
        let path = self.path(kind, cards);
        write_whole(&path, |file| {
            let mut out = Summed { stream: file, sum: Xxh3::new() };
            self.head(kind, cards, extra).iter().try_for_each(|&number| out.number(number))?;
            body(&mut out)?;
            let sum = out.sum.digest();
            out.number(sum)
        })
    }

    /// Reads a file of the journal; anything wrong with it means that it does not count.
    fn read<T>(
        &self,
        kind: Kind,
        cards: usize,
        body: impl FnOnce(u64, &mut Summed<BufReader<File>>) -> Option<T>,
    ) -> Option<T> {
        let file = File::open(self.path(kind, cards)).ok()?;
        let length = file.metadata().ok()?.len();
        let stream = BufReader::with_capacity(1 << 20, file);
        let mut input = Summed { stream, sum: Xxh3::new() };
        let mut head = [0; 7];
        for number in &mut head {
            *number = input.next()?;
        }
        if head != self.head(kind, cards, head[6]) || length < 64 {
            return None;
        }
        let read = body(head[6], &mut input)?;
        let sum = input.sum.digest();
        let end = input.next()? == sum && input.stream.read(&mut [0]).ok()? == 0;
        end.then_some(read)
    }
}

/// A stream with the checksum of what has gone through it.
struct Summed<S> {
    stream: S,
    sum: Xxh3,
}

impl<S: Write> Summed<S> {
    fn number(&mut self, number: u64) -> std::io::Result<()> {
        self.bytes(&number.to_le_bytes())
    }

    fn bytes(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.sum.update(bytes);
        self.stream.write_all(bytes)
    }
}

impl<S: Read> Summed<S> {
    fn next(&mut self) -> Option<u64> {
        let mut bytes = [0; 8];
        self.stream.read_exact(&mut bytes).ok()?;
        self.sum.update(&bytes);
        Some(u64::from_le_bytes(bytes))
    }

    /// So many bytes; a length that the file does not have takes no more memory than the file.
    fn take(&mut self, length: u64) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        self.stream.by_ref().take(length).read_to_end(&mut bytes).ok()?;
        self.sum.update(&bytes);
        (bytes.len() as u64 == length).then_some(bytes)
    }
}

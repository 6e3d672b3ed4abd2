//! A table built by many processes, and the counts of levels. The forward pass finds the states; the backward pass finds their chances: every worker works
//! on its own shards and asks the owners of the states below for the chances it does not have. Questions about a level that is not finished yet wait until
//! it is. The first process gets the codes of all states of a level and writes its section; in the end it writes the table, and its bytes are those of a
//! build with threads.

use super::levels::{Atlas, Setting, bring_home, forward, own, owner};
use super::mail::{Body, Letter, Mail};
use super::parts::{Kept, Kind, Parts};
use super::session::Session;
use super::space::{Chains, Posets, Space, garbled, packed, unpacked};
use crate::table::Folder;
use crate::work::store::write_whole;
use calculation::table::backward::asking::{Asking, answers};
use calculation::table::backward::{Worth, WorthShard};
use calculation::table::file::{LayerMeta, Totals, checksum, header, offsets};
use calculation::table::layer::Shard;
use calculation::table::quantise::Scale;
use calculation::table::section::{Shape, write};
use calculation::table::{Layer, Size};
use kachi_core::Error;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What a run of the cluster is told from outside and tells.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Set from outside to end early.
    pub stop: &'a AtomicBool,
    /// Told now and then: what is being done, the level, and the states that this process knows.
    pub hear: &'a (dyn Fn(&str, usize, u64) + Sync),
    /// Bytes of memory that this process may take.
    pub memory: u64,
    /// Everything has been found before. What the first process says counts: then all of them end at once, and nothing is counted.
    pub is_over: bool,
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
}

impl Counted {
    fn of(atlas: &Atlas, levels: usize) -> Counted {
        let all = |kind: Kind| (0..levels).map(|level| atlas.count(kind, level)).collect();
        Counted { states: all(Kind::Keys), placements: all(Kind::Placements), cost: Cost::default() }
    }
}

/// Builds a table, or goes on with a build that was stopped; every process of the cluster calls this. The first one has the table in the end.
///
/// # Errors
/// `interrupted`, `lost_process`, `too_large`, `cannot_write`, and whatever another process reports.
pub fn build(session: Session, size: Size, folder: &Folder, watch: Watch<'_>) -> Result<Counted, Error> {
    let space = Chains(size);
    let parts = Parts::open(&folder.journal(size).with_extension("parts"), space.fingerprint())?;
    let (traffic, disk) = (session.traffic(), AtomicU64::new(0));
    let share = watch.memory / session.workers() as u64;
    let found = session.run(watch.stop, |mail| {
        let hear = |level: usize, states: u64| (watch.hear)("finding states", space.cards(level), states);
        let mut atlas = Atlas::draw(mail, &parts, watch.is_over)?;
        if atlas.is_over {
            return Ok(Counted::default());
        }
        forward(mail, &space, &parts, &mut atlas, &Setting { memory: share, hear: &hear })?;
        Backward::new(mail, space, &parts, &mut atlas, share, watch).run()?;
        if mail.is_first() {
            disk.store(parts.bytes(), Ordering::Relaxed);
        }
        let counted = Counted::of(&atlas, space.levels());
        if mail.index() == 0 {
            assemble(&parts, size, folder, counted.placements.iter().sum())?;
        }
        // Nobody forgets its parts before the table is written.
        mail.close_level()?;
        if mail.is_first() {
            parts.remove();
        }
        Ok(counted)
    })?;
    let cost = Cost { sent: traffic.sent(), disk: disk.into_inner() };
    Ok(Counted { cost, ..found.into_iter().next().unwrap_or_default() })
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
        Ok(size) if chains == 2 => count_space(session, &Chains(size), folder, watch),
        _ => count_space(session, &Posets::new(stacks, chains, length)?, folder, watch),
    }
}

fn count_space<S: Space>(
    session: Session,
    space: &S,
    folder: &Path,
    watch: Watch<'_>,
) -> Result<Counted, Error> {
    let parts = Parts::open(folder, space.fingerprint())?;
    let (traffic, disk) = (session.traffic(), AtomicU64::new(0));
    let share = watch.memory / session.workers() as u64;
    let found = session.run(watch.stop, |mail| {
        let hear =
            |level: usize, states: u64| (watch.hear)("counting states", space.levels() - level, states);
        let mut atlas = Atlas::draw(mail, &parts, watch.is_over)?;
        if atlas.is_over {
            return Ok(Counted::default());
        }
        forward(mail, space, &parts, &mut atlas, &Setting { memory: share, hear: &hear })?;
        if mail.is_first() {
            disk.store(parts.bytes(), Ordering::Relaxed);
        }
        // Nobody forgets its parts before everybody knows the counts.
        mail.close_level()?;
        if mail.is_first() {
            parts.remove();
        }
        Ok(Counted::of(&atlas, space.levels()))
    })?;
    let cost = Cost { sent: traffic.sent(), disk: disk.into_inner() };
    Ok(Counted { cost, ..found.into_iter().next().unwrap_or_default() })
}

/// Kinds of letters.
const ASK: u8 = 11;
const TELL: u8 = 12;
const STATISTICS: u8 = 13;
const SCALE: u8 = 14;
const CODES: u8 = 15;

/// Shards whose questions may be on their way at once.
const OPEN: usize = 3;

/// The backward pass of one worker. Levels are named by the cards left.
struct Backward<'a, 'm, 'h> {
    mail: &'m mut Mail<'h>,
    space: Chains,
    parts: &'a Parts,
    atlas: &'m mut Atlas,
    memory: u64,
    watch: Watch<'a>,
    /// Chances of own shards that others may ask for, by cards left.
    worth: BTreeMap<usize, Worth>,
    /// Questions about levels that are not finished here.
    asked: BTreeMap<usize, Vec<Letter>>,
    /// Shards that wait for answers.
    open: BTreeMap<usize, Waiting>,
    /// At the first worker: what was said about a level.
    statistics: BTreeMap<usize, Vec<Statistics>>,
    /// At the first worker: states and codes of a level by shard.
    codes: BTreeMap<usize, BTreeMap<usize, Vec<u8>>>,
    /// The smallest chance of a level.
    smallest: BTreeMap<usize, f64>,
}

struct Waiting {
    asking: Asking,
    answers: usize,
    /// The questions to each worker.
    questions: BTreeMap<usize, Vec<u64>>,
}

/// What a worker says about its part of a level.
#[derive(Debug, Clone, Copy)]
struct Statistics {
    count: u64,
    lost: u64,
    smallest: f64,
}

impl Statistics {
    fn numbers(&self) -> Vec<u8> {
        [self.count, self.lost, self.smallest.to_bits()].iter().flat_map(|n| n.to_le_bytes()).collect()
    }

    fn read(bytes: &[u8]) -> Option<Statistics> {
        let number = |i: usize| Some(u64::from_le_bytes(bytes.get(8 * i..8 * i + 8)?.try_into().ok()?));
        Some(Statistics { count: number(0)?, lost: number(1)?, smallest: f64::from_bits(number(2)?) })
    }

    fn with(self, more: &Statistics) -> Statistics {
        Statistics {
            count: self.count + more.count,
            lost: self.lost + more.lost,
            smallest: self.smallest.min(more.smallest),
        }
    }
}

impl<'a, 'm, 'h> Backward<'a, 'm, 'h> {
    fn new(
        mail: &'m mut Mail<'h>,
        space: Chains,
        parts: &'a Parts,
        atlas: &'m mut Atlas,
        memory: u64,
        watch: Watch<'a>,
    ) -> Self {
        Backward {
            mail,
            space,
            parts,
            atlas,
            memory,
            watch,
            worth: BTreeMap::new(),
            asked: BTreeMap::new(),
            open: BTreeMap::new(),
            statistics: BTreeMap::new(),
            codes: BTreeMap::new(),
            smallest: BTreeMap::new(),
        }
    }

    fn level(&self, cards: usize) -> usize {
        self.space.0.cards() - cards
    }

    fn shards(&self, cards: usize) -> usize {
        if cards == 0 { 1 } else { self.space.shards(self.level(cards)) }
    }

    fn run(&mut self) -> Result<(), Error> {
        let all = self.space.0.cards();
        let sections = (1..=all).take_while(|&cards| self.atlas.first_has(Kind::Section, cards)).count();
        // The last level whose exact chances are all kept, with all sections up to it.
        let done = (1..=sections)
            .rev()
            .find(|&cards| self.atlas.is_complete(Kind::Worth, self.level(cards), self.shards(cards)))
            .unwrap_or(0);
        let chances = (done > 0).then(|| (Kind::Worth, self.level(done), self.shards(done)));
        let states = (done.max(1)..=all).map(|cards| (Kind::Keys, self.level(cards), self.shards(cards)));
        let levels: Vec<(Kind, usize, usize)> = chances.into_iter().chain(states).collect();
        bring_home(self.mail, self.parts, self.atlas, levels.into_iter())?;
        if done == 0 {
            self.worth.insert(0, Worth::of_the_end(self.space.0.stacks()));
        } else if done < all {
            self.load_worth(done)?;
        }
        let begin = self.mail.level();
        for cards in done + 1..=all {
            self.one_level(cards)?;
            self.mail.next_level();
            // The chances of a level are of use until everybody has finished the level above it.
            let finished = |cards: usize| self.mail.is_closed(begin + (cards - done - 1) as u64);
            let old: Vec<usize> = self
                .worth
                .keys()
                .copied()
                .filter(|&below| below < cards && below >= done && finished(below + 1))
                .collect();
            for below in old {
                self.worth.remove(&below);
                self.parts.forget(Kind::Worth, self.level(below));
            }
        }
        // Others may still be asking.
        let last = self.mail.level();
        self.mail.next_level();
        while !self.mail.is_closed(last) {
            self.mail.wait()?;
            self.read()?;
        }
        Ok(())
    }

    fn layer(&self, cards: usize) -> Result<Layer, Error> {
        let level = self.level(cards);
        let shards = self.at_home(Kind::Keys, cards)?;
        self.space.level(level, shards)
    }

    /// Own shards of a level, from the disk.
    fn at_home(&self, kind: Kind, cards: usize) -> Result<BTreeMap<usize, Kept>, Error> {
        let mine = own(self.mail.index(), self.shards(cards), self.mail.peers());
        let found = self.parts.load(kind, self.level(cards), &|shard| mine.contains(&shard));
        if found.len() != mine.len() {
            return Err(
                Error::new("damaged_table", "a finished part of the build has gone").hint("build again")
            );
        }
        Ok(found)
    }

    fn load_worth(&mut self, cards: usize) -> Result<(), Error> {
        let layer = self.layer(cards)?;
        let kept = self.at_home(Kind::Worth, cards)?;
        let chances = |shard: usize| -> Vec<f64> {
            let numbers = kept.get(&shard).map_or(&[][..], |kept| &kept.bytes[..]).chunks_exact(8);
            numbers.map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap_or_default())).collect()
        };
        let all: Option<Vec<WorthShard>> = (0..layer.shards().len())
            .map(|shard| {
                let chances = chances(shard);
                (chances.len() as u64 == layer.shards()[shard].count())
                    .then(|| WorthShard::new(&layer, shard, &chances))
            })
            .collect();
        let all =
            all.ok_or_else(|| Error::new("damaged_table", "states and chances do not belong together"))?;
        self.worth.insert(cards, Worth::new(&layer, all));
        Ok(())
    }

    fn one_level(&mut self, cards: usize) -> Result<(), Error> {
        let layer = self.layer(cards)?;
        let (me, peers) = (self.mail.index(), self.mail.peers());
        let mine = own(me, self.shards(cards), peers);
        let below = cards - 1;
        let held = layer.bytes() + layer.count() * 24 + self.worth.values().map(Worth::bytes).sum::<u64>();
        if held > self.memory {
            return Err(Error::too_large("bytes of memory for a worker", held, self.memory));
        }
        let mut chances: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        let statistics = Statistics { count: 0, lost: 0, smallest: 1.0 };
        for shard in mine.clone() {
            let shards_below = self.shards(below);
            let ours = |shard: usize| below == 0 || owner(shard, shards_below, peers) == me;
            let Some(worth) = self.worth.get(&below) else { return Err(garbled()) };
            let asking = Asking::of(&layer, shard, worth, &ours);
            self.ask(cards, shard, asking);
            self.mail.glance()?;
            self.read()?;
            while self.open.len() >= OPEN && !self.open.values().any(|waiting| waiting.answers == 0) {
                self.mail.wait()?;
                self.read()?;
            }
            self.collect(&mut chances)?;
            (self.watch.hear)("chances of states", cards, layer.count());
        }
        while !self.open.is_empty() {
            self.collect(&mut chances)?;
            if !self.open.is_empty() {
                self.mail.wait()?;
                self.read()?;
            }
        }
        self.finish(cards, &layer, &chances, statistics)
    }

    /// Sends the questions of a shard to those who know.
    fn ask(&mut self, cards: usize, shard: usize, asking: Asking) {
        let (peers, below) = (self.mail.peers(), self.shards(cards - 1));
        let mut questions: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
        if cards > 1 {
            let cutting = self.space.cutting(self.level(cards - 1));
            for number in asking.questions() {
                questions.entry(owner(cutting.shard(number), below, peers)).or_default().push(number);
            }
        }
        for (&worker, numbers) in &questions {
            let body = if self.mail.is_remote(worker) {
                Body::Bytes(packed(&Shard::of_sorted(numbers)))
            } else {
                Body::Numbers(numbers.clone())
            };
            self.mail.post(worker, ASK, cards as u64, shard as u64, body);
        }
        if !questions.is_empty() {
            self.mail.turn();
        }
        self.open.insert(shard, Waiting { asking, answers: questions.len(), questions });
    }

    /// Takes the chances of shards that have heard everything.
    fn collect(&mut self, chances: &mut BTreeMap<usize, Vec<f64>>) -> Result<(), Error> {
        let heard: Vec<usize> =
            self.open.iter().filter(|(_, waiting)| waiting.answers == 0).map(|(&shard, _)| shard).collect();
        for shard in heard {
            if let Some(waiting) = self.open.remove(&shard) {
                chances.insert(shard, waiting.asking.chances()?);
            }
        }
        Ok(())
    }

    /// Reads all letters that have come.
    fn read(&mut self) -> Result<(), Error> {
        let mut told = false;
        for letter in self.mail.take_all() {
            let about = letter.about as usize;
            match letter.kind {
                ASK => {
                    if self.worth.contains_key(&(about.wrapping_sub(1))) {
                        self.tell(&letter)?;
                        told = true;
                    } else {
                        self.asked.entry(about).or_default().push(letter);
                    }
                }
                TELL => self.hear(letter)?,
                STATISTICS => {
                    let Body::Bytes(bytes) = &letter.body else { return Err(garbled()) };
                    let said = Statistics::read(bytes).ok_or_else(garbled)?;
                    self.statistics.entry(about).or_default().push(said);
                }
                SCALE => {
                    self.smallest.insert(about, f64::from_bits(letter.tag));
                }
                CODES => {
                    let Body::Bytes(bytes) = letter.body else { return Err(garbled()) };
                    self.codes.entry(about).or_default().insert(letter.tag as usize, bytes);
                }
                _ => return Err(garbled()),
            }
        }
        if told {
            self.mail.turn();
        }
        Ok(())
    }

    /// Answers a question.
    fn tell(&mut self, letter: &Letter) -> Result<(), Error> {
        let cards = letter.about as usize;
        let Some(worth) = self.worth.get(&(cards - 1)) else { return Err(garbled()) };
        let numbers = match &letter.body {
            Body::Numbers(numbers) => numbers.clone(),
            Body::Bytes(bytes) => unpacked(bytes, 63)?.numbers().collect(),
        };
        let chances = answers(worth, &numbers)?;
        let to = letter.from as usize;
        let body = if self.mail.is_remote(to) {
            Body::Bytes(chances.iter().flat_map(|chance| chance.to_le_bytes()).collect())
        } else {
            Body::Numbers(chances.iter().map(|chance| chance.to_bits()).collect())
        };
        self.mail.post(to, TELL, letter.about, letter.tag, body);
        Ok(())
    }

    /// Hears an answer.
    fn hear(&mut self, letter: Letter) -> Result<(), Error> {
        let chances: Vec<f64> = match letter.body {
            Body::Numbers(numbers) => numbers.into_iter().map(f64::from_bits).collect(),
            Body::Bytes(bytes) => bytes
                .chunks_exact(8)
                .map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap_or_default()))
                .collect(),
        };
        let waiting = self.open.get_mut(&(letter.tag as usize)).ok_or_else(garbled)?;
        let numbers = waiting.questions.remove(&(letter.from as usize)).ok_or_else(garbled)?;
        if numbers.len() != chances.len() {
            return Err(garbled());
        }
        waiting.asking.hear(&numbers, &chances);
        waiting.answers -= 1;
        Ok(())
    }

    /// Keeps the chances of a level, answers those who waited for them, and has the section written.
    fn finish(
        &mut self,
        cards: usize,
        layer: &Layer,
        chances: &BTreeMap<usize, Vec<f64>>,
        mut statistics: Statistics,
    ) -> Result<(), Error> {
        let (peers, level) = (self.mail.peers(), self.level(cards));
        let mine = own(self.mail.index(), self.shards(cards), peers);
        let mut kept = Vec::with_capacity(chances.len());
        for all in chances.values() {
            statistics.count += all.len() as u64;
            statistics.lost += all.iter().filter(|&&chance| chance == 0.0).count() as u64;
            statistics.smallest =
                all.iter().copied().filter(|&chance| chance > 0.0).fold(statistics.smallest, f64::min);
            let bytes = all.iter().flat_map(|chance| chance.to_le_bytes()).collect();
            kept.push(Kept { count: all.len() as u64, bytes });
        }
        self.parts.keep(Kind::Worth, level, mine.start, &kept)?;
        drop(kept);
        let none: Vec<f64> = Vec::new();
        let shards = (0..layer.shards().len())
            .map(|shard| WorthShard::new(layer, shard, chances.get(&shard).unwrap_or(&none)))
            .collect();
        self.worth.insert(cards, Worth::new(layer, shards));
        for letter in self.asked.remove(&(cards + 1)).unwrap_or_default() {
            self.tell(&letter)?;
        }
        self.mail.post(0, STATISTICS, cards as u64, 0, Body::Bytes(statistics.numbers()));
        self.mail.turn();
        let mut whole = None;
        while !self.smallest.contains_key(&cards) {
            self.mail.wait()?;
            self.read()?;
            if self.statistics.get(&cards).is_some_and(|said| said.len() == peers) {
                let said = self.statistics.remove(&cards).unwrap_or_default();
                let all = said.iter().skip(1).fold(said[0], Statistics::with);
                for worker in 0..peers {
                    self.mail.post(
                        worker,
                        SCALE,
                        cards as u64,
                        all.smallest.to_bits(),
                        Body::Numbers(Vec::new()),
                    );
                }
                self.mail.turn();
                whole = Some(all);
            }
        }
        let scale = Scale::down_to(self.smallest.remove(&cards).unwrap_or(1.0));
        for (&shard, all) in chances {
            let mut bytes = packed(&layer.shards()[shard]);
            bytes.extend(all.iter().flat_map(|&chance| scale.code(chance).to_le_bytes()));
            self.mail.post(0, CODES, cards as u64, shard as u64, Body::Bytes(bytes));
        }
        self.mail.turn();
        if let Some(whole) = whole {
            while self.codes.get(&cards).is_none_or(|shards| shards.len() < self.shards(cards)) {
                self.mail.wait()?;
                self.read()?;
            }
            let codes = self.codes.remove(&cards).unwrap_or_default();
            let section = self.section(cards, &scale, &whole, codes)?;
            self.parts.keep(Kind::Section, cards, 0, &[section])?;
        }
        Ok(())
    }

    /// The section of a level from the states and codes of all workers.
    fn section(
        &self,
        cards: usize,
        scale: &Scale,
        whole: &Statistics,
        codes: BTreeMap<usize, Vec<u8>>,
    ) -> Result<Kept, Error> {
        let cutting = self.space.cutting(self.level(cards));
        let mut shards = Vec::with_capacity(codes.len());
        for (shard, bytes) in codes {
            let count = bytes.get(..8).and_then(|count| Some(u64::from_le_bytes(count.try_into().ok()?)));
            let states =
                bytes.len().checked_sub(count.ok_or_else(garbled)? as usize * 2).ok_or_else(garbled)?;
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
}

/// What stands before a section.
const BEFORE: usize = 7 * 8;

/// Writes the table from its sections.
fn assemble(parts: &Parts, size: Size, folder: &Folder, placements: u64) -> Result<(), Error> {
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

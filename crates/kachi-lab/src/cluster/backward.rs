//! The backward pass of a table built by many processes: every worker works on its own shards and asks the owners of the states below for the chances it does not
//! have. Questions about a level that is not finished yet wait until it is. The first process gets the codes of all states of a level and writes its section.

use super::levels::{Atlas, bring_home, own, owner};
use super::mail::{Body, Letter, Mail};
use super::parts::{Kept, Kind, Parts};
use super::sections::{Statistics, section};
use super::space::{Chains, Space, garbled, packed, unpacked};
use super::table::Watch;
use calculation::table::Layer;
use calculation::table::backward::asking::{Asking, answers};
use calculation::table::backward::{Worth, WorthShard};
use calculation::table::layer::Shard;
use calculation::table::quantise::Scale;
use kachi_core::Error;
use std::collections::BTreeMap;

/// Kinds of letters.
const ASK: u8 = 11;
const TELL: u8 = 12;
const STATISTICS: u8 = 13;
const SCALE: u8 = 14;
const CODES: u8 = 15;

/// Shards whose questions may be on their way at once.
const OPEN: usize = 3;

/// The backward pass of one worker. Levels are named by the cards left.
pub(super) struct Backward<'a, 'm, 'h> {
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

impl<'a, 'm, 'h> Backward<'a, 'm, 'h> {
    pub(super) fn new(
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

    /// Values all levels; gives how many of them earlier runs had valued.
    pub(super) fn run(&mut self) -> Result<usize, Error> {
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
        Ok(done)
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
            let section = section(&self.space.cutting(self.level(cards)), &scale, &whole, codes)?;
            self.parts.keep(Kind::Section, cards, 0, &[section])?;
        }
        Ok(())
    }
}

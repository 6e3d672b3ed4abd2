//! The forward pass: all states of a space, level by level. Every worker owns the shards of a level that fall to it, expands its own shards of the
//! level above, and sends what comes of them to its owner, who keeps each state once. When all letters of a level have arrived, every worker writes
//! its part; then it goes on. A run that was stopped goes on from the last level whose parts are complete, whoever has them.

use super::mail::{Body, Letter, Mail};
use super::parts::{Held, Kept, Kind, Parts};
use super::space::{Space, garbled};
use kachi_core::Error;
use std::collections::BTreeMap;
use std::ops::Range;

/// Kinds of letters.
const HELD: u8 = 1;
const SHARD: u8 = 2;
const STATES: u8 = 3;
const COUNTS: u8 = 4;

/// States that are expanded before their successors leave.
const BLOCK: u64 = 1 << 16;

/// Sheets that a worker may be ahead of the slowest one.
const AHEAD: u64 = 4;

/// The worker that owns a shard: neighbours fall to the same one.
pub(super) fn owner(shard: usize, shards: usize, peers: usize) -> usize {
    shard * peers / shards.max(1)
}

/// The shards that a worker owns.
pub(super) fn own(worker: usize, shards: usize, peers: usize) -> Range<usize> {
    let first = |worker: usize| (worker * shards).div_ceil(peers.max(1));
    first(worker)..first(worker + 1)
}

/// What the forward pass is told from outside, and tells.
pub(super) struct Setting<'a> {
    /// Bytes of memory that this worker may take.
    pub(super) memory: u64,
    /// Hears how many states this worker knows, and of how many cards or levels left.
    pub(super) hear: &'a (dyn Fn(usize, u64) + Sync),
}

/// Who has what: the parts of every process.
pub(super) struct Atlas {
    by_process: Vec<Held>,
    /// The first process says that nothing is left to do.
    pub(super) is_over: bool,
}

/// Kind, level, and the shards with their counts.
type Listed = (u8, usize, Vec<(usize, u64)>);

impl Atlas {
    /// Asks every process for its parts; `is_over` is what this one believes.
    pub(super) fn draw(mail: &mut Mail<'_>, parts: &Parts, is_over: bool) -> Result<Atlas, Error> {
        if mail.is_first() {
            let held = parts.held();
            let list: Vec<Listed> = held
                .into_iter()
                .map(|((kind, level), shards)| (kind as u8, level, shards.into_iter().collect()))
                .collect();
            let bytes = serde_json::to_vec(&list).map_err(|_| garbled())?;
            for worker in 0..mail.peers() {
                mail.post(worker, HELD, 0, u64::from(is_over), Body::Bytes(bytes.clone()));
            }
        }
        let mut by_process = vec![Held::new(); mail.processes()];
        let mut is_over = false;
        for letter in mail.close_level()? {
            let Body::Bytes(bytes) = &letter.body else { return Err(garbled()) };
            let list: Vec<Listed> = serde_json::from_slice(bytes).map_err(|_| garbled())?;
            let process = mail.process(letter.from as usize);
            is_over |= letter.from == 0 && letter.tag == 1;
            for (kind, level, shards) in list {
                let kind = Kind::ALL.into_iter().find(|&known| known as u8 == kind);
                by_process[process].insert((kind.ok_or_else(garbled)?, level), shards.into_iter().collect());
            }
        }
        Ok(Atlas { by_process, is_over })
    }

    fn has(&self, process: usize, kind: Kind, level: usize, shard: usize) -> bool {
        self.by_process[process].get(&(kind, level)).is_some_and(|shards| shards.contains_key(&shard))
    }

    /// Whether all shards of a level are somewhere.
    pub(super) fn is_complete(&self, kind: Kind, level: usize, shards: usize) -> bool {
        (0..shards)
            .all(|shard| (0..self.by_process.len()).any(|process| self.has(process, kind, level, shard)))
    }

    /// Whether the first process has the only shard of a level.
    pub(super) fn first_has(&self, kind: Kind, level: usize) -> bool {
        self.has(0, kind, level, 0)
    }

    /// States or placements of a level.
    pub(super) fn count(&self, kind: Kind, level: usize) -> u64 {
        let mut all: BTreeMap<usize, u64> = BTreeMap::new();
        for (&shard, &count) in self.by_process.iter().filter_map(|held| held.get(&(kind, level))).flatten() {
            let known = all.entry(shard).or_default();
            *known = count.max(*known);
        }
        all.values().sum()
    }

    /// The process that reads a shard: the owner's own if it has it, otherwise the first one that does.
    fn reader(&self, kind: Kind, level: usize, shard: usize, home: usize) -> Option<usize> {
        if self.has(home, kind, level, shard) {
            return Some(home);
        }
        (0..self.by_process.len()).find(|&process| self.has(process, kind, level, shard))
    }

    fn add(&mut self, process: usize, kind: Kind, level: usize, first: usize, counts: &[u64]) {
        let there = self.by_process[process].entry((kind, level)).or_default();
        there.extend(counts.iter().enumerate().map(|(i, &count)| (first + i, count)));
    }
}

/// The shards of a complete level that this worker owns, from its own disk or from whoever has them.
pub(super) fn load(
    mail: &mut Mail<'_>,
    parts: &Parts,
    atlas: &Atlas,
    kind: Kind,
    level: usize,
    shards: usize,
) -> Result<BTreeMap<usize, Kept>, Error> {
    let (me, peers) = (mail.index(), mail.peers());
    let home = mail.process(me);
    let reader = |shard: usize| atlas.reader(kind, level, shard, mail.process(owner(shard, shards, peers)));
    let abroad: Vec<usize> = (0..shards)
        .filter(|&shard| {
            reader(shard).is_some_and(|reader| reader != mail.process(owner(shard, shards, peers)))
        })
        .collect();
    let mine = own(me, shards, peers);
    let to_send: Vec<usize> =
        abroad.iter().copied().filter(|&shard| mail.is_first() && reader(shard) == Some(home)).collect();
    let mut found = parts.load(kind, level, &|shard| mine.contains(&shard) && !abroad.contains(&shard));
    if !abroad.is_empty() {
        for (shard, kept) in parts.load(kind, level, &|shard| to_send.contains(&shard)) {
            mail.post(owner(shard, shards, peers), SHARD, shard as u64, kept.count, Body::Bytes(kept.bytes));
        }
        for letter in mail.close_level()? {
            let Letter { kind: SHARD, about, tag, body: Body::Bytes(bytes), .. } = letter else {
                return Err(garbled());
            };
            found.insert(about as usize, Kept { count: tag, bytes });
        }
    }
    if found.len() != mine.len() {
        return Err(Error::new("damaged_table", "a finished part of the work has gone").hint("run it again"));
    }
    Ok(found)
}

/// Makes sure that every worker finds its shards of these levels on its own disk; afterwards nothing more of them is exchanged.
pub(super) fn bring_home(
    mail: &mut Mail<'_>,
    parts: &Parts,
    atlas: &mut Atlas,
    levels: impl Iterator<Item = (Kind, usize, usize)>,
) -> Result<(), Error> {
    let peers = mail.peers();
    for (kind, level, shards) in levels {
        let home = |shard: usize| mail.process(owner(shard, shards, peers));
        if (0..shards).all(|shard| atlas.has(home(shard), kind, level, shard)) {
            continue;
        }
        let found = load(mail, parts, atlas, kind, level, shards)?;
        let mine = own(mail.index(), shards, peers);
        parts.keep(kind, level, mine.start, &found.into_values().collect::<Vec<_>>())?;
        for shard in 0..shards {
            let process = mail.process(owner(shard, shards, peers));
            atlas.by_process[process].entry((kind, level)).or_default().entry(shard).or_insert(0);
        }
    }
    // What a worker of this process has written, another one may read.
    mail.close_level()?;
    Ok(())
}

/// Finds all states; afterwards the atlas knows all levels. Gives how many of them earlier runs had found.
pub(super) fn forward<S: Space>(
    mail: &mut Mail<'_>,
    space: &S,
    parts: &Parts,
    atlas: &mut Atlas,
    setting: &Setting<'_>,
) -> Result<usize, Error> {
    let (me, peers) = (mail.index(), mail.peers());
    let (first, last) = (0, space.levels());
    let complete = |kind: Kind, level: usize| atlas.is_complete(kind, level, space.shards(level));
    // The level after the last one has no states any more; only the placements that lead there are counted.
    let is_done = |level: usize| {
        (level == first || complete(Kind::Placements, level - 1))
            && (level == last || complete(Kind::Keys, level))
    };
    let done = (first..=last).take_while(|&level| is_done(level)).count();
    let mut known: u64 = 0;
    let mut fresh: Vec<(u8, usize, Vec<u64>)> = Vec::new();
    let mut above: BTreeMap<usize, Kept> = BTreeMap::new();
    if done > first && done <= last {
        above = load(mail, parts, atlas, Kind::Keys, done - 1, space.shards(done - 1))?;
    }
    for level in done..=last {
        let mut keep = |kind: Kind, level: usize, shards: &[Kept]| {
            parts.keep(kind, level, own(me, space.shards(level), peers).start, shards)?;
            fresh.push((kind as u8, level, shards.iter().map(|kept| kept.count).collect()));
            Ok::<(), Error>(())
        };
        let made = if level == first {
            let (shard, start) = space.start();
            let shards = own(me, space.shards(level), peers);
            shards.map(|i| (i, if i == shard { start.clone() } else { Kept::default() })).collect()
        } else {
            let (made, placements) =
                next_level(mail, space, level, std::mem::take(&mut above), setting, known)?;
            let placements = placements.into_iter().map(|count| Kept { count, bytes: Vec::new() });
            keep(Kind::Placements, level - 1, &placements.collect::<Vec<_>>())?;
            made
        };
        if level < last {
            let (numbers, shards): (Vec<usize>, Vec<Kept>) = made.into_iter().unzip();
            keep(Kind::Keys, level, &shards)?;
            known += shards.iter().map(|kept| kept.count).sum::<u64>();
            above = numbers.into_iter().zip(shards).collect();
        }
    }
    // Everybody hears who has made what.
    let bytes = serde_json::to_vec(&fresh).map_err(|_| garbled())?;
    for worker in 0..peers {
        mail.post(worker, COUNTS, 0, 0, Body::Bytes(bytes.clone()));
    }
    for letter in mail.close_level()? {
        let Letter { kind: COUNTS, from, body: Body::Bytes(bytes), .. } = letter else {
            return Err(garbled());
        };
        let fresh: Vec<(u8, usize, Vec<u64>)> = serde_json::from_slice(&bytes).map_err(|_| garbled())?;
        for (kind, level, counts) in fresh {
            let kind = Kind::ALL.into_iter().find(|&known| known as u8 == kind).ok_or_else(garbled)?;
            let first = own(from as usize, space.shards(level), peers).start;
            atlas.add(mail.process(from as usize), kind, level, first, &counts);
        }
    }
    Ok(done)
}

/// This worker's shards of a level, from those of the level above, and the placements of each of those.
fn next_level<S: Space>(
    mail: &mut Mail<'_>,
    space: &S,
    level: usize,
    above: BTreeMap<usize, Kept>,
    setting: &Setting<'_>,
    known: u64,
) -> Result<(BTreeMap<usize, Kept>, Vec<u64>), Error> {
    // States without cards are one and the same; they are not kept.
    let shards = if level < space.levels() { space.shards(level) } else { 0 };
    let (me, peers) = (mail.index(), mail.peers());
    let mine = own(me, shards, peers);
    let mut sets: Vec<S::Set> = mine.clone().map(|_| space.set(level)).collect();
    let counts: Vec<(usize, u64)> = above.iter().map(|(&shard, kept)| (shard, kept.count)).collect();
    let bytes: u64 = above.values().map(|kept| kept.bytes.len() as u64).sum();
    let above = space.level(level - 1, above)?;
    let now = mail.level();
    let mut outbox = space.outbox(level);
    let mut put = |letters: Vec<Letter>| {
        for letter in letters {
            let set = (letter.about as usize).checked_sub(mine.start).and_then(|i| sets.get_mut(i));
            match set {
                Some(set) if letter.kind == STATES => space.put(level, set, &letter.body)?,
                _ => return Err(garbled()),
            }
        }
        let held = bytes + sets.iter().map(|set| space.held(set)).sum::<u64>();
        if held > setting.memory {
            return Err(Error::too_large("bytes of memory for a worker", held, setting.memory));
        }
        Ok(())
    };
    let (mut waiting, mut before) = (0, 0);
    let mut placements = Vec::with_capacity(counts.len());
    for (i, &(shard, count)) in counts.iter().enumerate() {
        space.expand(&above, shard, &mut outbox);
        let all = space.placements(&outbox);
        placements.push(all - std::mem::replace(&mut before, all));
        waiting += count;
        if waiting < BLOCK && i + 1 < counts.len() {
            continue;
        }
        waiting = 0;
        let remote = |shard: usize| mail.is_remote(owner(shard, shards, peers));
        let mut letters = Vec::new();
        space.ship(&mut outbox, &remote, &mut |shard, body| letters.push((shard, body)));
        for (shard, body) in letters.into_iter().filter(|&(shard, _)| shard < shards) {
            mail.post(owner(shard, shards, peers), STATES, shard as u64, 0, body);
        }
        mail.turn();
        mail.glance()?;
        put(mail.take(now))?;
        while mail.is_ahead(AHEAD) {
            mail.wait()?;
            put(mail.take(now))?;
        }
        (setting.hear)(level, known);
    }
    drop(above);
    mail.next_level();
    while !mail.is_closed(now) {
        mail.wait()?;
        put(mail.take(now))?;
    }
    put(mail.take(now))?;
    let made = mine.clone().zip(sets).map(|(shard, set)| (shard, space.finish(level, set)));
    Ok((made.collect(), placements))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shard_has_one_owner_and_neighbours_share_it() {
        for shards in [1, 2, 7, 512] {
            for peers in [1, 2, 3, 5, 700] {
                let mut all = Vec::new();
                for worker in 0..peers {
                    let mine = own(worker, shards, peers);
                    assert!(mine.clone().all(|shard| owner(shard, shards, peers) == worker));
                    all.extend(mine);
                }
                assert_eq!(all, (0..shards).collect::<Vec<_>>());
            }
        }
    }
}

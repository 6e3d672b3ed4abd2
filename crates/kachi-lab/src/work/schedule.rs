//! Which shard is next. One schedule a run, kept by whoever hands out the work: it knows which shards the store has, which are being made, and when a
//! stage is complete so that the next one of its line begins.

use super::{Made, Progress, Shard, Store, Tally, Work};

/// The answer to "what shall I do?".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Make this shard.
    Make(Shard),
    /// Everything that could be made is being made; ask again when a shard is done.
    Wait,
    /// Nothing is left to do.
    Done,
}

/// The shards of a work that are complete, being made and missing.
pub struct Schedule<'w> {
    work: &'w dyn Work,
    store: &'w dyn Store,
    lines: Vec<Line>,
    progress: Progress,
}

/// Where a line stands.
struct Line {
    stage: u32,
    stages: u32,
    shards: u64,
    /// The first shard of the stage that nobody has looked at.
    next: u64,
    /// Shards of the stage that are complete.
    complete: u64,
    /// Does the line end with this stage?
    ends: bool,
}

impl Line {
    fn is_over(&self) -> bool {
        self.stage >= self.stages
    }
}

impl<'w> Schedule<'w> {
    /// The schedule of a work, with the shards that the store has counted as found.
    pub fn new(work: &'w dyn Work, store: &'w dyn Store) -> Schedule<'w> {
        let lines: Vec<Line> = (0..work.lines())
            .map(|line| {
                let stages = work.stages(line);
                let shards = if stages > 0 { work.shards(line, 0) } else { 0 };
                Line { stage: 0, stages, shards, next: 0, complete: 0, ends: false }
            })
            .collect();
        let all_stages = lines.iter().map(|line| u64::from(line.stages)).sum();
        let mut schedule = Schedule { work, store, lines, progress: Progress::default() };
        schedule.progress.all_stages = all_stages;
        schedule
    }

    /// The next shard to make. Shards that the store has are passed over, so a schedule that only ever says "done" has looked at all of them.
    #[allow(clippy::should_implement_trait, reason = "waiting is no end")]
    pub fn next(&mut self) -> Next {
        let mut is_over = true;
        for line in 0..self.lines.len() as u32 {
            if let Some(shard) = self.next_of(line) {
                return Next::Make(shard);
            }
            is_over &= self.lines[line as usize].is_over();
        }
        if is_over { Next::Done } else { Next::Wait }
    }

    /// Counts what is kept beyond the shards that were handed out, when nobody takes any more. Is everything there?
    pub fn look_over(&mut self) -> bool {
        let mut is_over = true;
        for line in 0..self.lines.len() as u32 {
            while let Some(shard) = self.next_of(line) {
                if let Some(part) = begun(self.store, shard) {
                    self.found(self.work.tally(shard, &part.result));
                }
            }
            is_over &= self.lines[line as usize].is_over();
        }
        is_over
    }

    fn next_of(&mut self, number: u32) -> Option<Shard> {
        loop {
            self.advance(number);
            let line = &mut self.lines[number as usize];
            if line.is_over() || line.next >= line.shards {
                return None;
            }
            let shard = Shard { line: number, stage: line.stage, index: line.next };
            line.next += 1;
            match self.store.result(shard) {
                Some(result) if self.work.accepts(shard, &result) => {
                    let tally = self.work.tally(shard, &result);
                    self.progress.found += tally;
                    self.progress.tally += tally;
                    self.count(shard, &result);
                }
                _ => return Some(shard),
            }
        }
    }

    /// Goes on to the next stage while the present one is complete.
    fn advance(&mut self, number: u32) {
        let line = &mut self.lines[number as usize];
        while !line.is_over() && line.complete == line.shards {
            self.progress.stages += 1;
            if line.ends {
                self.progress.all_stages -= u64::from(line.stages - line.stage - 1);
                line.stages = line.stage + 1;
            }
            line.stage += 1;
            (line.next, line.complete) = (0, 0);
            line.shards = if line.is_over() { 0 } else { self.work.shards(number, line.stage) };
        }
    }

    fn count(&mut self, shard: Shard, result: &[u8]) {
        self.progress.shards += 1;
        let ends = self.work.ends(shard, result);
        let line = &mut self.lines[shard.line as usize];
        line.complete += 1;
        line.ends |= ends;
    }

    /// A shard that was handed out is kept. What it amounts to has been told already, game by game or case by case.
    pub fn done(&mut self, shard: Shard, result: &[u8]) {
        self.count(shard, result);
        self.advance(shard.line);
    }

    /// A part of a shard that an earlier run had put aside.
    pub fn found(&mut self, tally: Tally) {
        self.progress.found += tally;
        self.progress.tally += tally;
    }

    /// Something was done.
    pub fn told(&mut self, more: Tally, words: Option<&str>) -> &Progress {
        self.progress.tally += more;
        if let Some(words) = words {
            words.clone_into(&mut self.progress.words);
        }
        &self.progress
    }

    /// How far everything is.
    #[must_use]
    pub fn progress(&self) -> &Progress {
        &self.progress
    }
}

/// What there is of a shard that is not complete: a part that was put aside, or the shard of a shorter run, which is its beginning.
pub fn begun(store: &dyn Store, shard: Shard) -> Option<Made> {
    let short = || Some(Made { result: store.result(shard)?, cost: store.cost(shard).unwrap_or_default() });
    store.part(shard).or_else(short)
}

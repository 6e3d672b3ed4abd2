//! Letters between workers, by level. One dataflow: what a worker posts is exchanged by the number of the worker it is for, and laid there into the tray of
//! its level. The timestamps of the dataflow are level and sheet; when the frontier has passed a level, every letter of it has arrived
//! everywhere. A fast worker's letters of the next level may come while a slow one is still at this one: they wait in their own tray.

use super::halt::Halt;
use kachi_core::Error;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::{Input, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};

/// What a letter holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Body {
    /// Numbers as they are: for workers of the same process, which get the memory itself.
    Numbers(Vec<u64>),
    /// Bytes.
    Bytes(#[serde(with = "serde_bytes")] Vec<u8>),
}

/// Something that a worker tells another one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Letter {
    to: u32,
    /// Who wrote it.
    pub(super) from: u32,
    /// What it is about; the reader knows.
    pub(super) kind: u8,
    /// A number to it: a shard, a level.
    pub(super) about: u64,
    /// Another one.
    pub(super) tag: u64,
    /// What it says.
    pub(super) body: Body,
}

/// A level has at most so many sheets.
const SHEETS: u32 = 32;

/// Somebody has asked for an early end.
pub(super) fn interrupted() -> Error {
    Error::new("interrupted", "the run was interrupted; what is finished is kept")
        .hint("the same command goes on where it was")
}

type Trays = Rc<RefCell<BTreeMap<u64, Vec<Letter>>>>;

/// The mail of one worker.
pub(super) struct Mail<'h> {
    worker: timely::worker::Worker,
    input: Option<InputHandle<u64, timely::container::CapacityContainerBuilder<Vec<Letter>>>>,
    probe: ProbeHandle<u64>,
    trays: Trays,
    level: u64,
    sheet: u64,
    threads: usize,
    halt: &'h Halt,
    stop: &'h AtomicBool,
}

impl<'h> Mail<'h> {
    /// The mail of a worker, one of `threads` in its process.
    pub(super) fn new(
        mut worker: timely::worker::Worker,
        threads: usize,
        halt: &'h Halt,
        stop: &'h AtomicBool,
    ) -> Mail<'h> {
        let mut input = InputHandle::new();
        let probe = ProbeHandle::new();
        let trays = Trays::default();
        let laid = trays.clone();
        worker.dataflow::<u64, _, _>(|scope| {
            scope
                .input_from(&mut input)
                .unary::<timely::container::CapacityContainerBuilder<Vec<()>>, _, _, _>(
                    Exchange::new(|letter: &Letter| u64::from(letter.to)),
                    "trays",
                    move |_, _| {
                        move |input, _| {
                            input.for_each_time(|time, letters| {
                                let mut trays = laid.borrow_mut();
                                let tray = trays.entry(*time.time() >> SHEETS).or_default();
                                letters.for_each(|sheet| tray.append(sheet));
                            });
                        }
                    },
                )
                .probe_with(&probe);
        });
        Mail { worker, input: Some(input), probe, trays, level: 0, sheet: 0, threads, halt, stop }
    }

    /// The number of this worker.
    pub(super) fn index(&self) -> usize {
        self.worker.index()
    }

    /// How many workers there are.
    pub(super) fn peers(&self) -> usize {
        self.worker.peers()
    }

    /// The process of a worker.
    pub(super) fn process(&self, worker: usize) -> usize {
        worker / self.threads
    }

    /// How many processes there are.
    pub(super) fn processes(&self) -> usize {
        self.peers() / self.threads
    }

    /// Is a worker in another process?
    pub(super) fn is_remote(&self, worker: usize) -> bool {
        self.process(worker) != self.process(self.index())
    }

    /// Is this the first worker of its process?
    pub(super) fn is_first(&self) -> bool {
        self.index().is_multiple_of(self.threads)
    }

    /// The level that is being written.
    pub(super) fn level(&self) -> u64 {
        self.level
    }

    /// Posts a letter at the present level. It leaves with the next [sheet](Mail::turn) or level.
    pub(super) fn post(&mut self, to: usize, kind: u8, about: u64, tag: u64, body: Body) {
        let letter = Letter { to: to as u32, from: self.index() as u32, kind, about, tag, body };
        if let Some(input) = &mut self.input {
            input.send(letter);
        }
    }

    /// Begins a new sheet of the level: what was posted leaves.
    pub(super) fn turn(&mut self) {
        self.sheet += 1;
        self.advance();
    }

    /// Goes on to the next level: everything of this one has been posted.
    pub(super) fn next_level(&mut self) {
        self.level += 1;
        self.sheet = 0;
        self.advance();
    }

    fn advance(&mut self) {
        let time = self.level << SHEETS | self.sheet;
        if let Some(input) = &mut self.input {
            input.advance_to(time);
        }
    }

    /// Sheets of the present level that others have not yet read, about; a worker that is far ahead waits for them.
    pub(super) fn is_ahead(&self, sheets: u64) -> bool {
        self.sheet >= sheets && self.probe.less_than(&(self.level << SHEETS | (self.sheet - sheets)))
    }

    /// Whether every letter of a level has arrived, here and everywhere.
    pub(super) fn is_closed(&self, level: u64) -> bool {
        !self.probe.less_than(&((level + 1) << SHEETS))
    }

    fn check(&self) -> Result<(), Error> {
        // A stop that was asked for here is no failure, whatever the others say because they were stopped too.
        if self.stop.load(Ordering::Relaxed) {
            self.fail(&interrupted());
            return Err(interrupted());
        }
        self.halt.check()
    }

    /// Says to all threads of this process, and to the other processes, that the run has failed: at once, not when this worker has tidied up.
    pub(super) fn fail(&self, error: &Error) {
        self.halt.fail(error.clone());
    }

    /// Moves letters, waiting a little if there is nothing to move.
    ///
    /// # Errors
    /// Why the run has failed, here or elsewhere.
    pub(super) fn wait(&mut self) -> Result<(), Error> {
        self.check()?;
        self.worker.step_or_park(Some(Duration::from_millis(2)));
        Ok(())
    }

    /// Moves letters without waiting.
    ///
    /// # Errors
    /// As [`Mail::wait`].
    pub(super) fn glance(&mut self) -> Result<(), Error> {
        self.check()?;
        self.worker.step();
        Ok(())
    }

    /// Takes the letters of a level that have arrived.
    pub(super) fn take(&mut self, level: u64) -> Vec<Letter> {
        self.trays.borrow_mut().remove(&level).unwrap_or_default()
    }

    /// Takes all letters that have arrived, those of earlier levels first.
    pub(super) fn take_all(&mut self) -> Vec<Letter> {
        std::mem::take(&mut *self.trays.borrow_mut()).into_values().flatten().collect()
    }

    /// Ends this level and waits until all workers have; gives the letters of it.
    ///
    /// # Errors
    /// As [`Mail::wait`].
    pub(super) fn close_level(&mut self) -> Result<Vec<Letter>, Error> {
        let level = self.level;
        self.next_level();
        while !self.is_closed(level) {
            self.wait()?;
        }
        Ok(self.take(level))
    }

    /// Ends the mail: nothing more is posted, and what others post is moved until they end it too.
    ///
    /// # Errors
    /// As [`Mail::wait`].
    pub(super) fn end(mut self) -> Result<(), Error> {
        drop(self.input.take());
        while self.worker.has_dataflows() {
            self.halt.check()?;
            self.worker.step_or_park(Some(Duration::from_millis(2)));
        }
        Ok(())
    }
}

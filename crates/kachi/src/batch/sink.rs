//! The output side of a stream: writes numbered pieces in order, whoever finishes first.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Pieces per worker that may wait for an earlier one.
const AHEAD: usize = 8;

/// The output and the pieces that came too early.
pub(super) struct Sink<W> {
    state: Mutex<State<W>>,
    turned: Condvar,
    room: usize,
}

struct State<W> {
    output: W,
    /// The ticket to be written next.
    turn: u64,
    early: BTreeMap<u64, Vec<u8>>,
    spare: Vec<Vec<u8>>,
    given_up: bool,
}

impl<W: Write> Sink<W> {
    /// A sink for this many workers.
    pub(super) fn new(output: W, workers: NonZeroUsize) -> Self {
        let state = State { output, turn: 0, early: BTreeMap::new(), spare: Vec::new(), given_up: false };
        Sink { state: Mutex::new(state), turned: Condvar::new(), room: AHEAD * workers.get() }
    }

    fn state(&self) -> MutexGuard<'_, State<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the replies of a piece and leaves an empty buffer. False when the stream has been given up.
    pub(super) fn put(&self, ticket: u64, replies: &mut Vec<u8>) -> io::Result<bool> {
        let mut state = self.state();
        // The piece whose turn it is never waits, so the others' waiting ends.
        while ticket != state.turn && state.early.len() >= self.room && !state.given_up {
            state = self.turned.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.given_up {
            return Ok(false);
        }
        if ticket != state.turn {
            let spare = state.spare.pop().unwrap_or_default();
            state.early.insert(ticket, std::mem::replace(replies, spare));
            return Ok(true);
        }
        state.write(replies)?;
        replies.clear();
        while let Some(mut next) = state.next_in_turn() {
            state.write(&next)?;
            next.clear();
            state.spare.push(next);
        }
        drop(state);
        self.turned.notify_all();
        Ok(true)
    }

    /// Wakes and ends all workers after a failure.
    pub(super) fn give_up(&self) {
        self.state().given_up = true;
        self.turned.notify_all();
    }

    /// Flushes the output at the end.
    pub(super) fn finish(self) -> io::Result<()> {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).output.flush()
    }
}

impl<W: Write> State<W> {
    fn write(&mut self, replies: &[u8]) -> io::Result<()> {
        self.output.write_all(replies)?;
        self.turn += 1;
        Ok(())
    }

    fn next_in_turn(&mut self) -> Option<Vec<u8>> {
        self.early.remove(&self.turn)
    }
}

//! The end of a run as all threads of a process see it: not yet, done, or failed and why.

use kachi_core::Error;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

const GOING: u8 = 0;
const DONE: u8 = 1;
const FAILED: u8 = 2;

/// Whether the run goes on.
#[derive(Debug, Default)]
pub struct Halt {
    state: AtomicU8,
    why: Mutex<Option<Error>>,
    news: Condvar,
}

impl Halt {
    /// The run has failed; the first reason stays.
    pub fn fail(&self, error: Error) {
        let mut why = self.why.lock().unwrap_or_else(PoisonError::into_inner);
        if self.state.load(Ordering::Acquire) == GOING {
            *why = Some(error);
            self.state.store(FAILED, Ordering::Release);
        }
        self.news.notify_all();
    }

    /// The run is complete; what happens to connections from now on is of no interest.
    pub fn finish(&self) {
        let _why = self.why.lock().unwrap_or_else(PoisonError::into_inner);
        if self.state.load(Ordering::Acquire) == GOING {
            self.state.store(DONE, Ordering::Release);
        }
        self.news.notify_all();
    }

    /// Is it complete?
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.state.load(Ordering::Acquire) == DONE
    }

    /// Is it still going?
    #[must_use]
    pub fn is_going(&self) -> bool {
        self.state.load(Ordering::Acquire) == GOING
    }

    /// Goes on, or says why not.
    ///
    /// # Errors
    /// The reason of the failure.
    pub fn check(&self) -> Result<(), Error> {
        if self.state.load(Ordering::Acquire) != FAILED {
            return Ok(());
        }
        Err(self.reason().unwrap_or_else(|| Error::new("stopped", "the run has ended")))
    }

    /// Why it failed, if it did.
    #[must_use]
    pub fn reason(&self) -> Option<Error> {
        self.why.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits until it ends, at most so long; true if it still goes on.
    #[must_use]
    pub fn wait(&self, most: Duration) -> bool {
        let why = self.why.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_going() {
            // Woken early or late, the state is what counts.
            let _ = self.news.wait_timeout(why, most);
        }
        self.is_going()
    }
}

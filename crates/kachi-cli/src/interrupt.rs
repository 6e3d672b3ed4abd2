//! Ctrl-C. Long work that can tell what it has found so far is asked to stop; a second Ctrl-C, or the first one during
//! work that cannot, ends the program at once with exit code 130 and without leaving half a file behind.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

/// Set when the work should end.
pub(crate) static STOP: AtomicBool = AtomicBool::new(false);
static GENTLE: AtomicBool = AtomicBool::new(false);
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// From now on the first Ctrl-C only sets [`STOP`].
pub(crate) fn stop_gently() {
    GENTLE.store(true, Ordering::SeqCst);
    install();
}

/// Names the temporary file to remove when the program is interrupted.
pub(crate) fn unfinished(path: Option<&Path>) {
    *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner) = path.map(Path::to_owned);
    install();
}

fn install() {
    static ONCE: Once = Once::new();
    // Without a handler Ctrl-C ends the program anyway, so a refusal is harmless.
    ONCE.call_once(|| drop(ctrlc::set_handler(interrupted)));
}

fn interrupted() {
    let first = !STOP.swap(true, Ordering::SeqCst);
    if first && GENTLE.load(Ordering::SeqCst) {
        return;
    }
    if let Some(path) = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).take() {
        // The program ends either way.
        let _ = std::fs::remove_file(path);
    }
    std::process::exit(130);
}

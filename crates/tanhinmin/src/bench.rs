//! The fixed workloads.
use kachi_core::surface::{Bench, Clock};
/// Runs all workloads.
pub fn run(_clock: &dyn Clock) -> Bench {
    Bench::default()
}

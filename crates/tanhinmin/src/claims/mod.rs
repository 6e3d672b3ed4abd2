//! The published statements about tanhinmin as claims.
use kachi_core::Claim;
/// All claims.
pub static ALL: &[&dyn Claim] = &[];

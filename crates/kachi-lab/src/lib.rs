//! The laboratory: long work that shows its progress, can be interrupted and resumes: tables and simulations.

pub mod simulate;
pub mod table;
pub mod work;

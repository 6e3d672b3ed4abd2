//! Counts the states of the stack game in two independent ways: as labelled posets (colour refinement and search), and, for one or two chains, as
//! words. This settles the entries of Tanaka's second table that are misprinted:
//!
//! ```text
//! cargo run --release -p calculation --example recount -- 4 2 8     566037 (printed: 566036)
//! cargo run --release -p calculation --example recount -- 4 2 9     3016568 (printed: 3028205)
//! ```
//!
//! The arguments are stacks, chains and cards of each chain. Nothing limits the time; the second line takes a minute or two.

use calculation::table::build;
use calculation::theory::TwoChains;
use calculation::theory::poset::{Poset, count};
use kachi_core::{Budget, Error, Limits};

fn main() -> Result<(), Error> {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let &[stacks, chains, length] = &numbers[..] else {
        eprintln!("usage: recount STACKS CHAINS CARDS, for example: recount 4 2 8");
        std::process::exit(2);
    };
    let limits = Limits { nodes: u64::MAX, bytes: 16 << 30, ..Limits::default() };
    let start = Poset::start(stacks, chains, length)?;
    if (1..=2).contains(&chains) && (1..=4).contains(&stacks) {
        let words = TwoChains::start(stacks, length, length * (chains - 1));
        println!("words:  {}", build::count(&words, &mut Budget::new(limits))?);
    }
    println!("posets: {}", count(&start, 1, &mut Budget::new(limits))?);
    Ok(())
}

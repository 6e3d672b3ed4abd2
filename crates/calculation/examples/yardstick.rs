//! Every player over every deck of the reduced games, against the optimum: the only games of which the best possible rate is known.
//!
//! ```text
//! cargo run --release -p calculation --example yardstick
//! ```
//!
//! Two minutes on one core. The nets are for the full game only; the union's half that plays without one is `plans-look1`.

#[path = "../tests/decks/mod.rs"]
mod decks;

use calculation::players::options::PlanOptions;
use calculation::players::{by_name, play_deck};
use calculation::rules::Rules;
use calculation::search::reduced::optimum;
use kachi_core::{Budget, Error};

fn main() -> Result<(), Error> {
    println!("| R | stacks | player | decks won | of the optimum |\n|---|---|---|---|---|");
    for (ranks, stacks) in [(3, 1), (3, 2), (5, 1), (5, 2), (5, 3)] {
        let rules = Rules::reduced(ranks, &[1, 2], stacks)?;
        let best = optimum(&rules, &mut Budget::default())?;
        let decks = decks::all(&rules);
        assert_eq!(decks.len() as u64, best.decks, "every deck once");
        println!("| {ranks} | {stacks} | optimum | {} of {} | 100 % |", best.wins, best.decks);
        for name in PlanOptions::NAMES {
            let mut player = by_name(&rules, name)?;
            let mut won = 0;
            for deck in &decks {
                won += u64::from(play_deck(&rules, deck, player.as_mut())?.won);
            }
            assert!(won <= best.wins, "{name} wins more than can be won");
            println!(
                "| {ranks} | {stacks} | `{name}` | {won} | {:.2} % |",
                100.0 * won as f64 / best.wins as f64
            );
        }
    }
    Ok(())
}

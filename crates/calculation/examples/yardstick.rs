//! Every player over every deck of the reduced games, against the optimum: the only games of which the best possible rate is known.
//!
//! ```text
//! cargo run --release -p calculation --example yardstick
//! ```
//!
//! A few minutes on one core. The nets are for the full game only; the union's half that plays without one is `plans-look1`.

use calculation::deal::Deck;
use calculation::players::options::PlanOptions;
use calculation::players::{by_name, play_deck};
use calculation::position::Rank;
use calculation::rules::Rules;
use calculation::search::reduced::optimum;
use kachi_core::{Budget, Error};

fn main() -> Result<(), Error> {
    println!("| R | stacks | player | decks won | of the optimum |\n|---|---|---|---|---|");
    for (ranks, stacks) in [(3, 1), (3, 2), (5, 1), (5, 2), (5, 3)] {
        let rules = Rules::reduced(ranks, &[1, 2], stacks)?;
        let best = optimum(&rules, &mut Budget::default())?;
        println!("| {ranks} | {stacks} | optimum | {} of {} | 100 % |", best.wins, best.decks);
        for name in PlanOptions::NAMES {
            let mut player = by_name(&rules, name)?;
            let (mut decks, mut won) = (0, 0);
            let mut left = vec![rules.foundations(); ranks];
            deal(&rules, &mut left, &mut Vec::new(), &mut |deck| {
                decks += 1;
                won += u64::from(play_deck(&rules, deck, player.as_mut())?.won);
                Ok(())
            })?;
            assert_eq!(decks, best.decks, "every deck once");
            assert!(won <= best.wins, "{name} wins more than can be won");
            println!(
                "| {ranks} | {stacks} | `{name}` | {won} | {:.2} % |",
                100.0 * won as f64 / best.wins as f64
            );
        }
    }
    Ok(())
}

/// Hands over every deck that begins with `cards` and goes on with what is `left` of every rank.
fn deal(
    rules: &Rules,
    left: &mut Vec<usize>,
    cards: &mut Vec<Rank>,
    take: &mut dyn FnMut(&Deck) -> Result<(), Error>,
) -> Result<(), Error> {
    if cards.len() == rules.cards() {
        return take(&Deck::new(rules, cards)?);
    }
    for rank in (0..rules.ranks() as u8).filter_map(Rank::new) {
        if left[rank.index()] > 0 {
            left[rank.index()] -= 1;
            cards.push(rank);
            deal(rules, left, cards, take)?;
            cards.pop();
            left[rank.index()] += 1;
        }
    }
    Ok(())
}

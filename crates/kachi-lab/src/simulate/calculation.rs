//! Calculation as an experiment: a named player on the deals of the named generator.

use crate::simulate::experiment::{Experiment, Played, Worker};
use calculation::deal::{Deck, GENERATOR};
use calculation::players::options::PlanOptions;
use calculation::players::plans::PlanPlayer;
use calculation::players::source::PairSource;
use calculation::players::{GameRecord, play_deck};
use calculation::rules::Rules;
use calculation::table::offered;
use kachi_core::Error;
use serde_json::{Value, json};

/// A player of Calculation on seeded deals.
#[derive(Debug, Clone)]
pub struct Calculation {
    rules: Rules,
    name: String,
    options: PlanOptions,
}

impl Calculation {
    /// The player with this name, with this many stacks.
    ///
    /// # Errors
    /// `bad_stacks`, `unknown_player` with the names there are.
    pub fn new(stacks: usize, player: &str) -> Result<Calculation, Error> {
        let rules = Rules::calculation(stacks)?;
        let options = PlanOptions::named(player).ok_or_else(|| {
            let message = format!("there is no player called {player:?}");
            Error::new("unknown_player", message)
                .at_field("player")
                .hint(format!("the players are {}", PlanOptions::NAMES.join(", ")))
        })?;
        Ok(Calculation { rules, name: player.to_owned(), options })
    }

    /// Is the table of all pairs at hand? Without it players are much weaker.
    #[must_use]
    pub fn has_full_table(&self) -> bool {
        let full = calculation::theory::MOST_CARDS;
        offered(self.rules.stacks()).is_some_and(|table| table.size().cards() == full)
    }
}

impl Experiment for Calculation {
    fn settings(&self) -> Value {
        let stacks = self.rules.stacks();
        let table = offered(stacks).map(|table| {
            json!({"ranks": table.size().ranks(), "states": table.states(), "start": table.totals().start})
        });
        json!({
            "game": "calculation",
            "name": format!("{}, {stacks} stacks", self.name),
            "player": self.name,
            "options": format!("{:?}", self.options),
            "stacks": stacks,
            "deals": GENERATOR,
            "table": table,
        })
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>, Error> {
        let source = PairSource::for_stacks(self.rules.stacks());
        let player = PlanPlayer::new(&self.rules, self.options.clone(), source).called(&self.name);
        Ok(Box::new(Table { rules: &self.rules, player }))
    }
}

struct Table<'e> {
    rules: &'e Rules,
    player: PlanPlayer<PairSource>,
}

impl Worker for Table<'_> {
    fn play(&mut self, seed: u64) -> Result<Played, Error> {
        let game = play_deck(self.rules, &Deck::seeded(self.rules, seed), &mut self.player)?;
        Ok(played(seed, &game))
    }
}

/// A game in one line. A loss is dated by the first turn from which on the player saw no chance.
fn played(seed: u64, game: &GameRecord) -> Played {
    let hopeless = game.turns.iter().rev().take_while(|turn| turn.chance <= 0.0).count();
    let lost = game.turns.len().saturating_sub(hopeless).min(game.turns.len().saturating_sub(1));
    let turn = if game.won { game.turns.len() } else { lost + 1 };
    let on = game.turns.get(lost).filter(|_| !game.won).map(|turn| turn.drawn.to_string());
    Played { seed, won: game.won, turn: turn as u32, score: game.last.played() as u32, on }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_have_names_and_stacks_limits() {
        assert_eq!(Calculation::new(3, "perfect").unwrap_err().code, "unknown_player");
        assert_eq!(Calculation::new(5, "plans").unwrap_err().code, "bad_stacks");
    }

    #[test]
    fn a_seed_gives_the_same_game_whatever_was_played_before() {
        let experiment = Calculation::new(4, "paper").expect("a known player");
        let mut worker = experiment.worker().expect("a worker");
        let seeds = [1, 2, 1];
        let games: Vec<Played> = seeds.iter().map(|&seed| worker.play(seed).expect("a game")).collect();
        assert_eq!(games[0], games[2]);
        assert_ne!(games[0], games[1]);
        assert!(games.iter().all(|game| game.won == game.on.is_none() && (1..=52).contains(&game.turn)));
    }
}

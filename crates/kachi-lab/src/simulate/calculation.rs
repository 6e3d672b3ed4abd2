//! Calculation as an experiment: a named player on the deals of the named generator.

use crate::simulate::experiment::{Contestant, Experiment, Played};
use crate::simulate::face_up::FaceUp;
use calculation::deal::{Deck, GENERATOR};
use calculation::players::{GameRecord, Player, by_name, play_deck_until};
use calculation::rules::Rules;
use calculation::table::offered;
use kachi_core::Error;
use serde_json::{Value, json};

/// A player of Calculation on seeded deals.
#[derive(Debug, Clone)]
pub struct Calculation {
    rules: Rules,
    name: String,
    /// The options behind the name, so that a player that is tuned anew is not taken for the old one.
    options: String,
}

impl Calculation {
    /// The player with this name, with this many stacks.
    ///
    /// # Errors
    /// `bad_stacks`, `unknown_player` with the names there are, `stand_in` where another player would play under this one's name.
    pub fn new(stacks: usize, player: &str) -> Result<Calculation, Error> {
        let rules = Rules::calculation(stacks)?;
        // A name that nobody knows is refused now, not when the first worker starts.
        let made = by_name(&rules, player)?;
        if let Some(why) = made.note() {
            let hint = format!("make what is missing, or say that {} is to play", made.name());
            let message = format!("these would not be games of {player}: {why}");
            return Err(Error::new("stand_in", message).at_field("player").hint(hint));
        }
        Ok(Calculation { options: made.settings(), rules, name: player.to_owned() })
    }

    /// Would this player be much stronger with the table of all pairs, which is not at hand for so many stacks? Nets do not ask for it, and with one stack
    /// nobody wins anything.
    #[must_use]
    pub fn misses_table(stacks: usize, player: &str) -> bool {
        let full = calculation::theory::MOST_CARDS;
        let asks = match FaceUp::named(stacks, player) {
            Ok(Some(search)) => search.by_plans(),
            _ => !player.starts_with("net"),
        };
        asks && stacks > 1 && offered(stacks).is_none_or(|table| table.size().cards() != full)
    }
}

impl Experiment for Calculation {
    fn settings(&self) -> Value {
        let stacks = self.rules.stacks();
        json!({
            "game": "calculation",
            "name": format!("{}, {}", self.name, stacks_of(stacks)),
            "player": self.name,
            "options": self.options,
            "stacks": stacks,
            "deals": GENERATOR,
            "table": table_settings(stacks),
        })
    }

    fn contestant(&self) -> Result<Box<dyn Contestant + '_>, Error> {
        Ok(Box::new(Table { rules: &self.rules, player: by_name(&self.rules, &self.name)? }))
    }
}

/// `1 stack`, `3 stacks`.
pub(super) fn stacks_of(stacks: usize) -> String {
    if stacks == 1 { "1 stack".to_owned() } else { format!("{stacks} stacks") }
}

/// Which table of pairs is at hand: results depend on it.
pub(super) fn table_settings(stacks: usize) -> Value {
    let table = offered(stacks).map(|table| {
        json!({"ranks": table.size().ranks(), "states": table.states(), "start": table.totals().start})
    });
    json!(table)
}

struct Table<'e> {
    rules: &'e Rules,
    player: Box<dyn Player + Send>,
}

impl Contestant for Table<'_> {
    fn play(&mut self, seed: u64, stopped: &(dyn Fn() -> bool + Sync)) -> Result<Option<Played>, Error> {
        let deck = Deck::seeded(self.rules, seed);
        let game = play_deck_until(self.rules, &deck, self.player.as_mut(), stopped)?;
        Ok((game.turns.len() == deck.cards().len()).then(|| played(seed, &game)))
    }
}

/// A game in one line. A loss is dated by the first turn from which on the player saw no chance.
fn played(seed: u64, game: &GameRecord) -> Played {
    let hopeless = game.turns.iter().rev().take_while(|turn| turn.chance <= 0.0).count();
    let lost = game.turns.len().saturating_sub(hopeless).min(game.turns.len().saturating_sub(1));
    let turn = if game.won { game.turns.len() } else { lost + 1 };
    let on = game.turns.get(lost).filter(|_| !game.won).map(|turn| turn.drawn.to_string());
    Played { seed, won: game.won, turn: turn as u32, score: game.last.played() as i64, on }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    #[test]
    fn players_have_names_and_stacks_limits() {
        assert_eq!(Calculation::new(3, "perfect").unwrap_err().code, "unknown_player");
        assert_eq!(Calculation::new(5, "plans").unwrap_err().code, "bad_stacks");
        // No table is on the shelf here: games of the net must not be counted for the union.
        let refused = Calculation::new(2, "union-look1").unwrap_err();
        assert_eq!(refused.code, "stand_in");
        assert!(refused.message.contains("kachi table build calculation --stacks 2"), "{refused}");
        assert!(refused.to_string().contains("net-look1"), "{refused}");
    }

    fn whole(worker: &mut dyn Contestant, seed: u64) -> Played {
        worker.play(seed, &|| false).expect("a game").expect("to its end")
    }

    #[test]
    fn a_game_that_is_stopped_is_none() {
        let experiment = Calculation::new(4, "net-look0").expect("a known player");
        let mut worker = experiment.contestant().expect("a worker");
        let turns = AtomicUsize::new(0);
        let after_ten = || turns.fetch_add(1, Relaxed) >= 10;
        assert_eq!(worker.play(1, &after_ten).expect("a game"), None);
        assert_eq!(turns.into_inner(), 11);
        // Nothing of it is left behind.
        let mut fresh = experiment.contestant().expect("a worker");
        assert_eq!(whole(worker.as_mut(), 1), whole(fresh.as_mut(), 1));
    }

    #[test]
    fn a_seed_gives_the_same_game_whatever_was_played_before() {
        for name in ["paper", "net-look0"] {
            let experiment = Calculation::new(4, name).expect("a known player");
            let mut worker = experiment.contestant().expect("a worker");
            let seeds = [1, 2, 1];
            let games: Vec<Played> = seeds.iter().map(|&seed| whole(worker.as_mut(), seed)).collect();
            assert_eq!(games[0], games[2]);
            assert_ne!(games[0].seed, games[1].seed);
            assert!(games.iter().all(|game| game.won == game.on.is_none() && (1..=52).contains(&game.turn)));
        }
    }
}

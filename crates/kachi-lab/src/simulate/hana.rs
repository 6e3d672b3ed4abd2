//! Hana as an experiment: one month a seed, dealt once and played three times, with the challenger in every seat against two others of a kind. So
//! neither the deal nor the seat tells two challengers apart, only how they play. The score is the challenger's net in mon over the three months,
//! without teyaku and pot.

use crate::simulate::experiment::{Contestant, Experiment, Measure, Played};
use hana::house::House;
use hana::players::Player;
use hana::players::contest::contest;
use hana::players::sampled::Sampled;
use hana::players::simple::{Greedy, Hold, Random};
use hana::players::solver::Solver;
use kachi_core::Error;
use serde_json::{Value, json};

/// The names of the players, weakest first.
pub const PLAYERS: [&str; 5] = ["random", "greedy", "hold", "solver", "sampled"];

/// Seats, and so months played with each deal.
const SEATS: u32 = 3;

/// What months are judged by.
pub const MEASURE: Measure = Measure::Points { unit: "mon a month", each: SEATS };

/// A challenger against two others.
#[derive(Debug, Clone)]
pub struct Hana {
    player: String,
    others: String,
    house: String,
    rules: House,
}

impl Hana {
    /// A challenger, the kind of the two others, and the house whose rules they play by (`modern` or `paper`).
    ///
    /// # Errors
    /// `unknown_player`, `unknown_house`.
    pub fn new(player: &str, others: &str, house: &str) -> Result<Hana, Error> {
        let rules = match house {
            "modern" => House::MODERN,
            "paper" => House::PAPER,
            _ => {
                let message = format!("there is no house called {house:?}");
                return Err(Error::new("unknown_house", message).at_field("house").hint("modern, or paper"));
            }
        };
        for (field, name) in [("player", player), ("others", others)] {
            by_name(name, 0).ok_or_else(|| {
                Error::new("unknown_player", format!("there is no player called {name:?}"))
                    .at_field(field)
                    .hint(format!("the players are {}", PLAYERS.join(", ")))
            })?;
        }
        Ok(Hana { player: player.to_owned(), others: others.to_owned(), house: house.to_owned(), rules })
    }
}

fn by_name(name: &str, seed: u64) -> Option<Box<dyn Player>> {
    Some(match name {
        "random" => Box::new(Random::new(seed)),
        "greedy" => Box::new(Greedy),
        "hold" => Box::new(Hold::new()),
        "solver" => Box::new(Solver::new(seed)),
        "sampled" => Box::new(Sampled::new(seed)),
        _ => return None,
    })
}

fn options(name: &str) -> String {
    by_name(name, 0).map(|player| player.settings()).unwrap_or_default()
}

impl Experiment for Hana {
    fn settings(&self) -> Value {
        json!({
            "game": "hana",
            "name": format!("{} against {}", self.player, self.others),
            "player": self.player,
            "options": options(&self.player),
            "others": self.others,
            "others_options": options(&self.others),
            "house": self.house,
            "deals": "chacha8",
        })
    }

    fn measure(&self) -> Measure {
        MEASURE
    }

    fn contestant(&self) -> Result<Box<dyn Contestant + '_>, Error> {
        Ok(Box::new(Table(self)))
    }
}

struct Table<'e>(&'e Hana);

impl Contestant for Table<'_> {
    fn play(&mut self, seed: u64, _: &(dyn Fn() -> bool + Sync)) -> Result<Option<Played>, Error> {
        let Hana { player, others, rules, .. } = self.0;
        // Both names are known since the experiment was made.
        let seat = |name: &str, seed| by_name(name, seed).unwrap_or_else(|| Box::new(Greedy));
        let met = contest(*rules, seed..seed + 1, &|seed| seat(player, seed), &|seed| seat(others, seed));
        let score = (met.mean * f64::from(SEATS)).round() as i64;
        Ok(Some(Played { seed, won: score > 0, turn: 0, score, on: None }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_names_are_refused_with_the_field() {
        let refused = |player, others, house| {
            let error = Hana::new(player, others, house).unwrap_err();
            (error.code, error.at.map(|at| at.to_string()).unwrap_or_default())
        };
        assert_eq!(refused("gready", "greedy", "modern"), ("unknown_player", "player".to_owned()));
        assert_eq!(refused("greedy", "nobody", "modern"), ("unknown_player", "others".to_owned()));
        assert_eq!(refused("greedy", "greedy", "old"), ("unknown_house", "house".to_owned()));
    }

    #[test]
    fn players_say_what_they_depend_on() {
        let settings = Hana::new("sampled", "greedy", "modern").expect("known names").settings();
        let words = |key: &str| settings[key].as_str().expect("text").to_owned();
        assert!(words("options").starts_with("300 imagined deals"), "{settings}");
        assert_eq!(words("others_options"), "plays with 20 points");
    }

    #[test]
    fn a_player_against_himself_in_every_seat_neither_wins_nor_loses() {
        // Money goes from player to player, and the same three players sit at the same deal each time.
        let experiment = Hana::new("greedy", "greedy", "paper").expect("known names");
        let mut table = experiment.contestant().expect("a table");
        for seed in 1..20 {
            let month = table.play(seed, &|| false).expect("a month").expect("to its end");
            assert_eq!(month.score, 0, "seed {seed}");
        }
    }
}

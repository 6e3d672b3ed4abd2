//! Calculation with the deck face up: how many deals somebody who sees the deck could win. No player: the ceiling above all of them.

use crate::simulate::calculation::table_settings;
use crate::simulate::experiment::{Contestant, Experiment, Played};
use calculation::clairvoyant::{ByPlans, WIDTHS, Winnable, solve};
use calculation::deal::{Deck, GENERATOR};
use calculation::players::source::PairSource;
use calculation::rules::Rules;
use kachi_core::{Budget, Error, Limits};
use serde_json::{Value, json};

/// The name under which campaigns ask for it; `clairvoyant:width=400` searches less, `clairvoyant:width=30000` more.
pub const NAME: &str = "clairvoyant";

/// The widest beam that may be asked for: it takes eight gigabytes a thread.
const WIDEST: usize = 200_000;

/// Plans that guide the search, for each table.
const PLANS: usize = 8;

/// The search with the deck known, on seeded deals.
#[derive(Debug, Clone)]
pub struct FaceUp {
    rules: Rules,
    player: String,
    widths: Vec<usize>,
}

impl FaceUp {
    /// The search with this name and this many stacks; nothing for the name of a player.
    ///
    /// # Errors
    /// `bad_stacks`, `bad_setting`.
    pub fn named(stacks: usize, player: &str) -> Result<Option<FaceUp>, Error> {
        let (name, setting) = player.split_once(':').unwrap_or((player, ""));
        if name != NAME {
            return Ok(None);
        }
        let rules = Rules::calculation(stacks)?;
        let usual = WIDTHS[WIDTHS.len() - 1];
        let most = match setting.split_once('=') {
            None if setting.is_empty() => Some(usual),
            Some(("width", width)) => width.parse().ok().filter(|width| (1..=WIDEST).contains(width)),
            _ => None,
        };
        let most = most.ok_or_else(|| {
            Error::new("bad_setting", format!("{player}: {setting:?} is no setting of the search"))
                .at_field("player")
                .hint(format!("{NAME}, or {NAME}:width=N with N from 1 to {WIDEST}; {usual} unless said"))
        })?;
        let mut widths: Vec<usize> = WIDTHS.into_iter().filter(|&width| width < most).collect();
        widths.push(most);
        Ok(Some(FaceUp { rules, player: player.to_owned(), widths }))
    }
}

impl Experiment for FaceUp {
    fn settings(&self) -> Value {
        let stacks = self.rules.stacks();
        json!({
            "game": "calculation",
            "name": format!("deck face up, {stacks} stacks"),
            "player": self.player,
            "options": format!("{PLANS} plans a table, widths {:?}", self.widths),
            "stacks": stacks,
            "deals": GENERATOR,
            "table": table_settings(stacks),
        })
    }

    fn contestant(&self) -> Result<Box<dyn Contestant + '_>, Error> {
        let guide = ByPlans::new(&self.rules, PLANS, PairSource::for_stacks(self.rules.stacks()));
        Ok(Box::new(Search { face_up: self, guide }))
    }
}

struct Search<'e> {
    face_up: &'e FaceUp,
    guide: ByPlans<PairSource>,
}

impl Contestant for Search<'_> {
    /// Turns say nothing here, and what was not won was either proved lost or not solved.
    fn play(&mut self, seed: u64) -> Result<Played, Error> {
        let FaceUp { rules, widths, .. } = self.face_up;
        let mut budget = Budget::new(Limits { nodes: u64::MAX, ..Limits::default() });
        let answer = solve(rules, &Deck::seeded(rules, seed), &mut self.guide, widths, &mut budget);
        let (won, on) = match answer.winnable {
            Winnable::Yes(_) => (true, None),
            Winnable::No => (false, Some("proved lost".to_owned())),
            Winnable::Unknown => (false, Some("not solved".to_owned())),
        };
        Ok(Played { seed, won, turn: 0, score: if won { rules.cards() as i64 } else { 0 }, on })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_has_a_name_and_a_width() {
        assert!(FaceUp::named(3, "plans").is_ok_and(|found| found.is_none()));
        let widths = |player: &str| FaceUp::named(3, player).map(|found| found.map(|search| search.widths));
        assert_eq!(widths("clairvoyant"), Ok(Some(WIDTHS.to_vec())));
        assert_eq!(widths("clairvoyant:width=100"), Ok(Some(vec![10, 60, 100])));
        assert_eq!(widths("clairvoyant:width=9999"), Ok(Some(vec![10, 60, 400, 3000, 9999])));
        for wrong in
            ["clairvoyant:width=0", "clairvoyant:width=200001", "clairvoyant:keep=3", "clairvoyant:width"]
        {
            assert_eq!(FaceUp::named(3, wrong).map(|_| ()).unwrap_err().code, "bad_setting", "{wrong}");
        }
    }

    /// Without a table of pairs as with it: a line is replayed before it counts.
    #[test]
    fn a_deal_is_solved_the_same_way_whatever_was_solved_before() {
        let search = FaceUp::named(4, "clairvoyant:width=10").expect("a name").expect("the search");
        let mut worker = search.contestant().expect("a worker");
        let games: Vec<Played> = [1, 2, 1].map(|seed| worker.play(seed).expect("a deal")).into();
        assert_eq!(games[0], games[2]);
        assert!(games.iter().any(|game| game.won));
        assert!(games.iter().all(|game| game.won == game.on.is_none() && (game.score == 52) == game.won));
    }
}

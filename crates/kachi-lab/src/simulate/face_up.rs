//! Calculation with the deck face up: how many deals somebody who sees the deck could win. No player: the ceiling above all of them.

use crate::simulate::calculation::table_settings;
use crate::simulate::experiment::{Contestant, Experiment, Played};
use calculation::clairvoyant::{Answer, ByNet, ByPlans, WIDTHS, Winnable, solve};
use calculation::deal::{Deck, GENERATOR};
use calculation::net::Net;
use calculation::players::source::PairSource;
use calculation::rules::Rules;
use kachi_core::{Budget, Error, Limits};
use serde_json::{Value, json};

/// The name under which campaigns ask for it; `clairvoyant:width=100` searches less, `clairvoyant:width=10000` more, `clairvoyant:by=plans` with another guide.
pub const NAME: &str = "clairvoyant";

/// The widest beam that may be asked for: with plans it takes eight gigabytes a thread.
const WIDEST: usize = 200_000;

/// Plans that guide the search, for each table.
const PLANS: usize = 8;

/// The search with the deck known, on seeded deals.
#[derive(Debug, Clone)]
pub struct FaceUp {
    rules: Rules,
    player: String,
    /// The net that orders the tables; without one plans do.
    net: Option<&'static Net>,
    widths: Vec<usize>,
}

impl FaceUp {
    /// The search with this name and this many stacks; nothing for the name of a player.
    ///
    /// # Errors
    /// `bad_stacks`, `bad_setting`.
    pub fn named(stacks: usize, player: &str) -> Result<Option<FaceUp>, Error> {
        let (name, settings) = player.split_once(':').unwrap_or((player, ""));
        if name != NAME {
            return Ok(None);
        }
        let rules = Rules::calculation(stacks)?;
        let (mut net, mut most) = (Net::embedded(stacks), WIDTHS[WIDTHS.len() - 1]);
        for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
            let width = setting.strip_prefix("width=").and_then(|width| width.parse().ok());
            match (setting, width) {
                ("by=plans", _) => net = None,
                ("by=net", _) if Net::embedded(stacks).is_some() => net = Net::embedded(stacks),
                (_, Some(width)) if (1..=WIDEST).contains(&width) => most = width,
                _ => return Err(unknown_setting(player, setting)),
            }
        }
        let mut widths: Vec<usize> = WIDTHS.into_iter().filter(|&width| width < most).collect();
        widths.push(most);
        Ok(Some(FaceUp { rules, player: player.to_owned(), net, widths }))
    }

    /// Do plans order the tables?
    pub(super) fn by_plans(&self) -> bool {
        self.net.is_none()
    }
}

fn unknown_setting(player: &str, setting: &str) -> Error {
    let usual = WIDTHS[WIDTHS.len() - 1];
    Error::new("bad_setting", format!("{player}: {setting:?} is no setting of the search"))
        .at_field("player")
        .hint(format!(
            "{NAME}, {NAME}:width=N with N from 1 to {WIDEST} ({usual} unless said), {NAME}:by=net (2 to 4 stacks) or {NAME}:by=plans"
        ))
}

impl Experiment for FaceUp {
    fn settings(&self) -> Value {
        let stacks = self.rules.stacks();
        let (guide, table) = match self.net {
            Some(net) => (format!("net {:08x} in 8 bits", net.checksum()), Value::Null),
            None => (format!("{PLANS} plans a table"), table_settings(stacks)),
        };
        json!({
            "game": "calculation",
            "name": format!("deck face up, {stacks} stacks"),
            "player": self.player,
            "options": format!("{guide}, widths {:?}", self.widths),
            "stacks": stacks,
            "deals": GENERATOR,
            "table": table,
        })
    }

    fn contestant(&self) -> Result<Box<dyn Contestant + '_>, Error> {
        let guide = match self.net {
            Some(net) => Guided::ByNet(Box::new(ByNet::new(net))),
            None => {
                let source = PairSource::for_stacks(self.rules.stacks());
                Guided::ByPlans(Box::new(ByPlans::new(&self.rules, PLANS, source)))
            }
        };
        Ok(Box::new(Search { face_up: self, guide }))
    }
}

/// A guide at work.
enum Guided {
    ByNet(Box<ByNet<'static>>),
    ByPlans(Box<ByPlans<PairSource>>),
}

struct Search<'e> {
    face_up: &'e FaceUp,
    guide: Guided,
}

impl Search<'_> {
    fn solve(&mut self, deck: &Deck) -> Answer {
        let FaceUp { rules, widths, .. } = self.face_up;
        let mut budget = Budget::new(Limits { nodes: u64::MAX, ..Limits::default() });
        match &mut self.guide {
            Guided::ByNet(net) => solve(rules, deck, net.as_mut(), widths, &mut budget),
            Guided::ByPlans(plans) => solve(rules, deck, plans.as_mut(), widths, &mut budget),
        }
    }
}

impl Contestant for Search<'_> {
    /// Turns say nothing here, and what was not won was either proved lost or not solved.
    fn play(&mut self, seed: u64) -> Result<Played, Error> {
        let rules = &self.face_up.rules;
        let (won, on) = match self.solve(&Deck::seeded(rules, seed)).winnable {
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
    fn the_search_has_a_name_and_settings() {
        assert!(FaceUp::named(3, "plans").is_ok_and(|found| found.is_none()));
        let named = |player: &str| FaceUp::named(3, player).expect(player).expect(player);
        assert_eq!(named("clairvoyant").widths, WIDTHS);
        assert_eq!(named("clairvoyant:width=60").widths, [10, 60]);
        assert_eq!(named("clairvoyant:by=plans,width=9999").widths, [10, 100, 1000, 9999]);
        assert!(named("clairvoyant").net.is_some() && named("clairvoyant:by=plans,by=net").net.is_some());
        assert!(named("clairvoyant:by=plans").net.is_none());
        for wrong in ["width=0", "width=200001", "keep=3", "width", "by=luck", "by", "width=10,,by=nets"] {
            let refused = FaceUp::named(3, &format!("clairvoyant:{wrong}")).map(|_| ()).unwrap_err();
            assert_eq!(refused.code, "bad_setting", "{wrong}");
        }
        // No net has learned to play with one stack.
        assert!(FaceUp::named(1, "clairvoyant").expect("a name").expect("the search").net.is_none());
        assert_eq!(FaceUp::named(1, "clairvoyant:by=net").map(|_| ()).unwrap_err().code, "bad_setting");
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

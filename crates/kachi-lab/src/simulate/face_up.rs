//! Calculation with the deck face up: how many deals somebody who sees the deck could win. No player: the ceiling above all of them.

use crate::simulate::calculation::{stacks_of, table_settings};
use crate::simulate::experiment::{Contestant, Experiment, Played};
use calculation::clairvoyant::{ALL_LINES, Answer, ByNet, ByPlans, ByPlayed, WIDTHS, Winnable, solve};
use calculation::deal::{Deck, GENERATOR};
use calculation::net::Net;
use calculation::players::source::PairSource;
use calculation::rules::Rules;
use kachi_core::{Budget, Error, Limits};
use serde_json::{Value, json};

/// The name under which campaigns ask for it; `clairvoyant:width=100` searches less, `clairvoyant:width=10000` more, `clairvoyant:by=plans` with another guide.
pub const NAME: &str = "clairvoyant";

/// Is this the name of the search, with or without settings?
#[must_use]
pub fn is_search(player: &str) -> bool {
    player.split(':').next() == Some(NAME)
}

/// Plans that guide the search, for each table.
const PLANS: usize = 8;

/// The search with the deck known, on seeded deals.
#[derive(Debug, Clone)]
pub struct FaceUp {
    rules: Rules,
    player: String,
    by: By,
    widths: Vec<usize>,
}

/// What orders the tables.
#[derive(Debug, Clone, Copy)]
enum By {
    Net(&'static Net),
    Plans,
    /// Cards played: with one stack all lines are searched, and the order does not matter.
    Played,
}

impl FaceUp {
    /// The search with this name and this many stacks; nothing for the name of a player.
    ///
    /// # Errors
    /// `bad_stacks`, `bad_setting`.
    pub fn named(stacks: usize, player: &str) -> Result<Option<FaceUp>, Error> {
        if !is_search(player) {
            return Ok(None);
        }
        let (_, settings) = player.split_once(':').unwrap_or_default();
        let rules = Rules::calculation(stacks)?;
        let net = Net::embedded(stacks).map(By::Net);
        let mut by = net.unwrap_or(By::Played);
        let mut most = None;
        for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
            let width = setting.strip_prefix("width=").and_then(|width| width.parse().ok());
            match (setting, width, net) {
                ("by=plans", ..) => by = By::Plans,
                ("by=net", _, Some(net)) => by = net,
                (_, Some(width), _) if (1..=ALL_LINES).contains(&width) => most = Some(width),
                _ => return Err(unknown_setting(player, setting)),
            }
        }
        let widths = match by {
            By::Played => vec![most.unwrap_or(ALL_LINES)],
            By::Net(_) | By::Plans => {
                let most = most.unwrap_or(WIDTHS[WIDTHS.len() - 1]);
                WIDTHS.into_iter().filter(|&width| width < most).chain([most]).collect()
            }
        };
        Ok(Some(FaceUp { rules, player: player.to_owned(), by, widths }))
    }

    /// Do plans order the tables?
    pub(super) fn by_plans(&self) -> bool {
        matches!(self.by, By::Plans)
    }
}

fn unknown_setting(player: &str, setting: &str) -> Error {
    let usual = WIDTHS[WIDTHS.len() - 1];
    Error::new("bad_setting", format!("{player}: {setting:?} is no setting of the search"))
        .at_field("player")
        .hint(format!(
            "{NAME}, {NAME}:width=N with N from 1 to {ALL_LINES} ({usual} unless said; {ALL_LINES} with one stack), {NAME}:by=net (2 to 4 stacks) or {NAME}:by=plans"
        ))
}

impl Experiment for FaceUp {
    fn settings(&self) -> Value {
        let stacks = self.rules.stacks();
        let (guide, table) = match self.by {
            By::Net(net) => (format!("net {:08x} in 8 bits", net.checksum()), Value::Null),
            By::Plans => (format!("{PLANS} plans a table"), table_settings(stacks)),
            By::Played => ("cards played".to_owned(), Value::Null),
        };
        json!({
            "game": "calculation",
            "name": format!("deck face up, {}", stacks_of(stacks)),
            "player": self.player,
            "options": format!("{guide}, widths {:?}", self.widths),
            "stacks": stacks,
            "deals": GENERATOR,
            "table": table,
        })
    }

    fn contestant(&self) -> Result<Box<dyn Contestant + '_>, Error> {
        let guide = match self.by {
            By::Net(net) => Guided::Net(Box::new(ByNet::new(net))),
            By::Plans => {
                let source = PairSource::for_stacks(self.rules.stacks());
                Guided::Plans(Box::new(ByPlans::new(&self.rules, PLANS, source)))
            }
            By::Played => Guided::Played,
        };
        Ok(Box::new(Search { face_up: self, guide }))
    }
}

/// A guide at work.
enum Guided {
    Net(Box<ByNet<'static>>),
    Plans(Box<ByPlans<PairSource>>),
    Played,
}

struct Search<'e> {
    face_up: &'e FaceUp,
    guide: Guided,
}

impl Search<'_> {
    fn solve(&mut self, deck: &Deck, stopped: &(dyn Fn() -> bool + Sync)) -> Answer {
        let FaceUp { rules, widths, .. } = self.face_up;
        let mut budget = Budget::stopping(Limits { nodes: u64::MAX, ..Limits::default() }, stopped);
        match &mut self.guide {
            Guided::Net(net) => solve(rules, deck, net.as_mut(), widths, &mut budget),
            Guided::Plans(plans) => solve(rules, deck, plans.as_mut(), widths, &mut budget),
            Guided::Played => solve(rules, deck, &mut ByPlayed, widths, &mut budget),
        }
    }
}

impl Contestant for Search<'_> {
    /// Turns say nothing here, and what was not won was either proved lost or not solved.
    fn play(&mut self, seed: u64, stopped: &(dyn Fn() -> bool + Sync)) -> Result<Option<Played>, Error> {
        let rules = &self.face_up.rules;
        let (won, on) = match self.solve(&Deck::seeded(rules, seed), stopped).winnable {
            Winnable::Yes(_) => (true, None),
            Winnable::No => (false, Some("proved lost".to_owned())),
            // Widths that were not tried might have solved it.
            Winnable::Unknown if stopped() => return Ok(None),
            Winnable::Unknown => (false, Some("not solved".to_owned())),
        };
        Ok(Some(Played { seed, won, turn: 0, score: if won { rules.cards() as i64 } else { 0 }, on }))
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
        assert!(matches!(named("clairvoyant").by, By::Net(_)) && !named("clairvoyant").by_plans());
        assert!(matches!(named("clairvoyant:by=plans,by=net").by, By::Net(_)));
        assert!(named("clairvoyant:by=plans").by_plans());
        for wrong in ["width=0", "width=200001", "keep=3", "width", "by=luck", "by", "width=10,,by=nets"] {
            let refused = FaceUp::named(3, &format!("clairvoyant:{wrong}")).map(|_| ()).unwrap_err();
            assert_eq!(refused.code, "bad_setting", "{wrong}");
        }
        // No net has learned to play with one stack.
        let all_lines = FaceUp::named(1, "clairvoyant").expect("a name").expect("the search");
        assert!(matches!(all_lines.by, By::Played) && all_lines.widths == [ALL_LINES]);
        assert_eq!(FaceUp::named(1, "clairvoyant:by=net").map(|_| ()).unwrap_err().code, "bad_setting");
    }

    /// With such beams a deal that is not solved takes ten seconds, and others minutes.
    #[test]
    fn a_search_that_is_stopped_has_no_result() {
        let search = FaceUp::named(2, "clairvoyant:width=10000").expect("a name").expect("the search");
        let mut worker = search.contestant().expect("a worker");
        assert_eq!(worker.play(51, &|| true).expect("a deal"), None);
    }

    /// Without a table of pairs as with it: a line is replayed before it counts.
    #[test]
    fn a_deal_is_solved_the_same_way_whatever_was_solved_before() {
        let search = FaceUp::named(4, "clairvoyant:width=10").expect("a name").expect("the search");
        let mut worker = search.contestant().expect("a worker");
        let whole = |seed| worker.play(seed, &|| false).expect("a deal").expect("to its end");
        let games: Vec<Played> = [1, 2, 1].map(whole).into();
        assert_eq!(games[0], games[2]);
        assert!(games.iter().any(|game| game.won));
        assert!(games.iter().all(|game| game.won == game.on.is_none() && (game.score == 52) == game.won));
    }
}

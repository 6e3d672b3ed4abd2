//! Exact numbers: the factors of a plan, and the optimum of a reduced game.

use super::write_out;
use super::written::{check_piles, full_game, heads, rank, small};
use crate::memo::Memo;
use crate::plan::order::Slot;
use crate::plan::value::Evaluator;
use crate::plan::{Plan, Refusal};
use crate::position::{Fault, Rank, Setup};
use crate::rules::Rules;
use crate::search::reduced;
use crate::table::build;
use crate::theory::{Chances, TwoChains};
use kachi_core::{Budget, Error, request};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The chance of one plan, factor by factor.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanEvalRequest {
    /// Copied to the reply.
    #[serde(default)]
    pub id: Option<serde_json::Value>,
    /// `calculation`.
    #[serde(default)]
    pub game: Option<String>,
    /// `plan_eval`.
    #[serde(default)]
    pub query: Option<String>,
    /// Waste stacks, 1 to 4.
    pub stacks: i64,
    /// The next rank of every foundation; null when it is complete.
    pub heads: Vec<Option<String>>,
    /// The stacks, bottom first; `"Q-2"` is a queen for foundation 2.
    pub piles: Vec<Vec<String>>,
}

/// The factors of the product formula.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PlanEvalReply {
    /// The chance of each foundation's cards alone.
    pub single: [f64; 4],
    /// The chances of pairs of foundations: 01 02 03 12 13 23.
    pub pair: [f64; 6],
    /// The product of the pairs over the squares of the singles; 0 when a factor is 0.
    pub value: f64,
}

/// The exact value of a reduced game.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReducedRequest {
    /// Copied to the reply.
    #[serde(default)]
    pub id: Option<serde_json::Value>,
    /// `calculation`.
    #[serde(default)]
    pub game: Option<String>,
    /// `reduced`.
    #[serde(default)]
    pub query: Option<String>,
    /// Ranks of the deck, at least 2.
    pub ranks: i64,
    /// One foundation for each step; steps are coprime to the ranks.
    pub steps: Vec<i64>,
    /// Waste stacks, 1 to 4.
    pub stacks: i64,
}

/// How many decks optimal play wins.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReducedReply {
    /// Decks won.
    pub wins: u64,
    /// All decks, told apart by ranks.
    pub decks: u64,
    /// Tables searched.
    pub states: u64,
}

/// A label such as `Q-2`.
fn label(rules: &Rules, text: &str, place: &dyn Fn() -> String) -> Result<(Rank, Slot), Error> {
    let wrong = |code, message: String| {
        Error::new(code, message).at_field(place()).hint("\"Q-2\" is a queen for foundation 2")
    };
    let Some((card, foundation)) = text.split_once('-') else {
        return Err(wrong("bad_label", format!("{text:?} is no label")));
    };
    let rank = rank(card, place)?;
    let f = foundation.parse::<usize>().ok().filter(|&f| f < rules.foundations());
    let f = f.ok_or_else(|| {
        let message =
            format!("there is no foundation {foundation:?}: they are 0 to {}", rules.foundations() - 1);
        wrong("no_foundation", message)
    })?;
    Ok((rank, Slot::new(f, rules.slot_of(f, rank))))
}

/// Exact chances for one question: small states by recursion, large ones by building all that can come of them, within the budget.
struct Exact<'a, 'b> {
    memo: Memo,
    budget: &'a mut Budget<'b>,
    failed: Option<Error>,
}

/// States with at most so many cards are left to the recursion.
const SMALL: usize = 12;

impl Chances for Exact<'_, '_> {
    fn chance(&mut self, state: &TwoChains) -> f64 {
        let mut chance = [0.0];
        self.chances(std::slice::from_ref(state), &mut chance);
        chance[0]
    }

    fn chances(&mut self, states: &[TwoChains], out: &mut [f64]) {
        let mut large = Vec::new();
        for (i, state) in states.iter().enumerate() {
            out[i] = if state.is_dead() {
                0.0
            } else if state.cards() <= SMALL {
                self.memo.chance(state)
            } else {
                large.push((i, state.canonical()));
                f64::NAN
            };
        }
        let starts: Vec<TwoChains> = large.iter().map(|(_, state)| *state).collect();
        match build::chances(&starts, self.budget) {
            Ok(found) => large.iter().zip(found).for_each(|((i, _), chance)| out[*i] = chance),
            Err(error) => self.failed = Some(error),
        }
    }
}

/// Answers `plan_eval`.
///
/// # Errors
/// What is wrong with the request, or which limit it met.
pub(super) fn plan_eval(request: &str, budget: &mut Budget<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let asked: PlanEvalRequest = request::parse(request)?;
    let rules = full_game(asked.stacks)?;
    check_piles(&rules, asked.piles.len())?;
    let heads = heads(&rules, &asked.heads)?;
    let mut piles = Vec::with_capacity(asked.piles.len());
    let mut slots = Vec::with_capacity(asked.piles.len());
    for (p, pile) in asked.piles.iter().enumerate() {
        let read =
            pile.iter().enumerate().map(|(c, text)| label(&rules, text, &|| format!("piles[{p}][{c}]")));
        let (ranks, labels): (Vec<Rank>, Vec<Slot>) =
            read.collect::<Result<Vec<_>, Error>>()?.into_iter().unzip();
        piles.push(ranks);
        slots.push(labels);
    }
    let labels = slots.clone();
    let refused = |(p, c, refusal): (usize, usize, Refusal)| {
        let (code, words) = match refusal {
            Refusal::Played => ("slot_played", "its slot is already played"),
            Refusal::Taken => ("slot_taken", "another card has the same slot"),
            Refusal::Cycle => ("cyclic_order", "a card below it must leave before it"),
        };
        let text = &asked.piles[p][c];
        Error::new(code, format!("{text}: {words}"))
            .at_field(format!("piles[{p}][{c}]"))
            .hint("every card needs a slot of its own that is still to be filled, above no card that leaves earlier")
    };
    // Labels are looked at first: they say more about what is wrong than the count of cards.
    let mut bare = Setup { heads: heads.clone(), piles: Vec::new(), drawn: None };
    let start = bare.validate(&rules).map_err(Fault::at_fields)?;
    let plan = Plan::from_labels(&start, &labels).map_err(refused)?;
    bare.piles = piles;
    bare.validate(&rules).map_err(Fault::at_fields)?;
    let mut exact = Exact { memo: Memo::without_table(rules.stacks()), budget, failed: None };
    let factors = Evaluator::new(&rules).factors(&plan, &mut exact);
    if let Some(error) = exact.failed {
        return Err(error);
    }
    write_out(&PlanEvalReply { single: factors.single, pair: factors.pair, value: factors.value }, out)
}

/// Answers `reduced`.
///
/// # Errors
/// What is wrong with the request, or which limit it met.
pub(super) fn reduced(request: &str, budget: &mut Budget<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let asked: ReducedRequest = request::parse(request)?;
    let steps: Vec<usize> = asked.steps.iter().map(|&step| small(step)).collect();
    let rules = Rules::reduced(small(asked.ranks), &steps, small(asked.stacks))?;
    let best = reduced::optimum(&rules, budget)?;
    write_out(&ReducedReply { wins: best.wins, decks: best.decks, states: best.states }, out)
}

//! The deck face up: can a deal be won by someone who sees it?

use super::written::{Cards, deck, full_game, written};
use super::{tightened, write_out};
use crate::clairvoyant::{ALL_LINES, Answer, ByNet, ByPlans, ByPlayed, WIDTHS, Winnable, solve};
use crate::deal::Deck;
use crate::net::Net;
use crate::players::source::PairSource;
use crate::rules::Rules;
use kachi_core::{Budget, Error, Limits, request};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Can a deck be won by someone who sees it?
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClairvoyantRequest {
    /// Copied to the reply.
    #[serde(default)]
    pub id: Option<serde_json::Value>,
    /// `calculation`.
    #[serde(default)]
    pub game: Option<String>,
    /// `clairvoyant`.
    #[serde(default)]
    pub query: Option<String>,
    /// Waste stacks, 1 to 4.
    pub stacks: i64,
    /// 52 ranks, first drawn first.
    pub deck: Cards,
    /// Limits on the work.
    #[serde(default)]
    pub budget: Option<Limits>,
}

/// Yes with a line, no with a proof by exhaustion, or unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum YesNo {
    /// The line wins.
    Yes,
    /// All lines were searched.
    No,
    /// The work did not suffice.
    Unknown,
}

/// Whether a deck can be won.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ClairvoyantReply {
    /// Can it be won?
    pub winnable: YesNo,
    /// The winning line: draws, placements and free moves; null without one.
    pub line: Option<Vec<String>>,
    /// Tables looked at.
    pub nodes: u64,
}

/// Answers `clairvoyant`.
///
/// # Errors
/// What is wrong with the request.
pub(super) fn clairvoyant(request: &str, budget: &mut Budget<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let asked: ClairvoyantRequest = request::parse(request)?;
    let rules = full_game(asked.stacks)?;
    let deck = deck(&rules, &asked.deck)?;
    let nodes = tightened(asked.budget, budget).nodes.min(MOST_TABLES);
    let mut within = Budget::new(Limits { nodes, ..Limits::default() });
    let answer = match Net::embedded(rules.stacks()) {
        Some(net) => by_net_then_plans(&rules, &deck, net, &mut within),
        // One stack is hardly ever enough: all lines are searched, for a proof.
        None => solve(&rules, &deck, &mut ByPlayed, &[ALL_LINES], &mut within),
    };
    budget.spend(answer.nodes)?;
    let (winnable, line) = match &answer.winnable {
        Winnable::Yes(line) => (YesNo::Yes, Some(written(line))),
        Winnable::No => (YesNo::No, None),
        Winnable::Unknown => (YesNo::Unknown, None),
    };
    write_out(&ClairvoyantReply { winnable, line, nodes: answer.nodes }, out)
}

/// The net is by far the better guide on shuffled decks; a deck in some order may be one that it knows nothing about, and then plans are asked.
fn by_net_then_plans(rules: &Rules, deck: &Deck, net: &Net, within: &mut Budget<'_>) -> Answer {
    let first = solve(rules, deck, &mut ByNet::new(net), &WIDTHS, within);
    if first.winnable != Winnable::Unknown {
        return first;
    }
    let mut plans = ByPlans::new(rules, GUIDE_PLANS, PairSource::for_stacks(rules.stacks()));
    let second = solve(rules, deck, &mut plans, &PLAN_WIDTHS, within);
    Answer { nodes: first.nodes + second.nodes, ..second }
}

/// Plans that guide the clairvoyant search, for each table.
const GUIDE_PLANS: usize = 12;
/// Plans judge a table in a hundred times the time of the net.
const PLAN_WIDTHS: [usize; 2] = [60, 400];
/// Tables that one question may look at.
const MOST_TABLES: u64 = 2_000_000;

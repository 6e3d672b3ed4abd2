//! The questions about the stack game: `count`, `start`, `stack2`, `poset`.

use crate::table::{Size, build, offered};
use crate::theory::chance::Recursion;
use crate::theory::{MOST_CARDS, MOST_STACKS, TwoChains, poset};
use kachi_core::{Budget, Error, request};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many states can come of some full chains.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CountRequest {
    /// Copied to the reply.
    #[serde(default)]
    pub id: Option<serde_json::Value>,
    /// `calculation`.
    #[serde(default)]
    pub game: Option<String>,
    /// `count`, or `start`.
    #[serde(default)]
    pub query: Option<String>,
    /// Waste stacks, 1 to 4.
    pub stacks: u64,
    /// Chains of cards, 1 to 4.
    pub foundations: u64,
    /// Cards of each chain, 1 to 12.
    pub ranks: u64,
}

/// The number of states.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CountReply {
    /// Live states with at least one card, up to isomorphism and order of the stacks.
    pub states: u64,
}

/// A chance of the stack game.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ChanceReply {
    /// The chance that the state is won under best play.
    pub p: f64,
}

/// The chance of a state on two chains A and B.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stack2Request {
    /// Copied to the reply.
    #[serde(default)]
    pub id: Option<serde_json::Value>,
    /// `calculation`.
    #[serde(default)]
    pub game: Option<String>,
    /// `stack2`.
    #[serde(default)]
    pub query: Option<String>,
    /// Waste stacks, 1 to 4.
    pub stacks: u64,
    /// Cards of chain A.
    pub a: u64,
    /// Cards of chain B.
    pub b: u64,
    /// How many cards of B must leave before each card of A.
    pub need_a: Vec<u64>,
    /// How many cards of A must leave before each card of B.
    pub need_b: Vec<u64>,
    /// The first card of A that may not be put on each stack; `a` if all may.
    pub cut_a: Vec<u64>,
    /// The first card of B that may not be put on each stack; `b` if all may.
    pub cut_b: Vec<u64>,
}

/// The chance of a state on a labelled poset.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PosetRequest {
    /// Copied to the reply.
    #[serde(default)]
    pub id: Option<serde_json::Value>,
    /// `calculation`.
    #[serde(default)]
    pub game: Option<String>,
    /// `poset`.
    #[serde(default)]
    pub query: Option<String>,
    /// Waste stacks, 1 to 4.
    pub stacks: u64,
    /// For every card the cards that must leave before it.
    pub down: Vec<Vec<usize>>,
    /// For every card the stacks on which it may not be put.
    pub forbidden: Vec<Vec<usize>>,
}

/// States that the recursion may remember before the layered build takes over.
const SMALL: usize = 100_000;

/// Work on a state of a poset, in states of the two-chain form.
const POSET_STATE: u64 = 100;

fn write_out(reply: &impl Serialize, out: &mut Vec<u8>) -> Result<(), Error> {
    serde_json::to_writer(out, reply).map_err(|error| Error::new("not_written", error.to_string()))
}

fn stacks(asked: u64) -> Result<usize, Error> {
    Ok(Size::new(asked, 1)?.stacks())
}

/// The start that a request speaks of: its size and the number of chains, within the limits.
fn size_of(asked: &CountRequest, budget: &Budget<'_>) -> Result<(Size, usize), Error> {
    let size = Size::new(asked.stacks, asked.ranks)?;
    let chains = usize::try_from(asked.foundations).ok().filter(|chains| (1..=4).contains(chains));
    let chains = chains.ok_or_else(|| {
        let message = format!("there are 1 to 4 foundations, not {}", asked.foundations);
        Error::new("bad_foundations", message).at_field("foundations")
    })?;
    if chains * size.ranks() > MOST_CARDS {
        return Err(Error::too_large("cards of all chains", chains * size.ranks(), MOST_CARDS));
    }
    let (states, each) = match chains {
        1 => (0, 1),
        2 => (size.estimate(), 1),
        _ => (poset_estimate(size, chains), POSET_STATE),
    };
    if states.saturating_mul(each) > budget.limits().nodes {
        let error = Error::too_large("states, by estimate", states, budget.limits().nodes / each);
        return Err(error.hint("kachi table build calculation counts the states of two foundations on disk"));
    }
    Ok((size, chains))
}

/// About how many states three or four chains have, read off the growth of those that were counted.
fn poset_estimate(size: Size, chains: usize) -> u64 {
    let (length, counted, growth) = match (chains, size.stacks()) {
        (3, 3) => (5, 214_034.0, 18.0),
        (3, 4) => (5, 636_368.0, 28.0),
        (4, 3) => (4, 543_588.0, 80.0),
        (4, 4) => (4, 1_637_973.0, 147.0),
        _ => return 0,
    };
    (counted * f64::powi(growth, size.ranks() as i32 - length)) as u64
}

/// A limit on work that was met is a size that the limit does not allow.
fn as_too_large(error: Error, budget: &Budget<'_>) -> Error {
    if error.code == "out_of_budget" && budget.spent() > budget.limits().nodes {
        return Error { code: "too_large", ..error };
    }
    error
}

/// Answers `count`.
pub(crate) fn count(request: &str, budget: &mut Budget<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let asked: CountRequest = request::parse(request)?;
    let (size, chains) = size_of(&asked, budget)?;
    let table = offered(size.stacks()).filter(|table| chains == 2 && table.size() == size);
    let counted = match (chains, table) {
        (_, Some(table)) => Ok(table.states()),
        (1, _) => build::count(&TwoChains::start(size.stacks(), size.ranks(), 0), budget),
        (2, _) => build::count(&TwoChains::start(size.stacks(), size.ranks(), size.ranks()), budget),
        _ => poset::Poset::start(size.stacks(), chains, size.ranks())
            .and_then(|start| poset::count(&start, POSET_STATE, budget)),
    };
    let states = counted.map_err(|error| as_too_large(error, budget))?;
    write_out(&CountReply { states }, out)
}

/// Answers `start`.
pub(crate) fn start(request: &str, budget: &mut Budget<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let asked: CountRequest = request::parse(request)?;
    let (size, chains) = size_of(&asked, budget)?;
    let table = offered(size.stacks()).filter(|table| chains == 2 && table.size() == size);
    let chance = match (chains, table) {
        (_, Some(table)) => Ok(table.totals().start),
        (1, _) => two_chains(&TwoChains::start(size.stacks(), size.ranks(), 0), budget),
        (2, _) => two_chains(&TwoChains::start(size.stacks(), size.ranks(), size.ranks()), budget),
        _ => poset::Poset::start(size.stacks(), chains, size.ranks())
            .and_then(|start| poset::chance(&start, POSET_STATE, budget)),
    };
    let p = chance.map_err(|error| as_too_large(error, budget))?;
    write_out(&ChanceReply { p }, out)
}

/// The exact chance of a state on two chains.
fn two_chains(state: &TwoChains, budget: &mut Budget<'_>) -> Result<f64, Error> {
    if state.is_dead() {
        return Ok(0.0);
    }
    let mut recursion = Recursion::new(state.stacks());
    let small = recursion.within(state, SMALL);
    budget.spend(recursion.len() as u64)?;
    match small {
        Some(chance) => Ok(chance),
        None => build::chance(state, budget),
    }
}

/// Answers `stack2`.
pub(crate) fn stack2(request: &str, budget: &mut Budget<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let asked: Stack2Request = request::parse(request)?;
    let stacks = stacks(asked.stacks)?;
    let needs = |length: u64, needs: &[u64], field: &str| {
        if needs.len() as u64 != length {
            let message = format!("the chain has {length} cards, and {field} has {} numbers", needs.len());
            return Err(Error::new("bad_order", message).at_field(field.to_owned()));
        }
        Ok(needs.iter().map(|&need| u8::try_from(need).unwrap_or(u8::MAX)).collect::<Vec<u8>>())
    };
    let cuts = |cuts: &[u64], field: &str| {
        if cuts.len() != stacks {
            let message = format!("there are {stacks} stacks, and {field} has {} numbers", cuts.len());
            return Err(Error::new("bad_cut", message).at_field(field.to_owned()));
        }
        Ok(cuts.iter().map(|&cut| u8::try_from(cut).unwrap_or(u8::MAX)).collect::<Vec<u8>>())
    };
    debug_assert!(stacks <= MOST_STACKS);
    let state = TwoChains::new(
        &needs(asked.a, &asked.need_a, "need_a")?,
        &needs(asked.b, &asked.need_b, "need_b")?,
        &cuts(&asked.cut_a, "cut_a")?,
        &cuts(&asked.cut_b, "cut_b")?,
    )?;
    write_out(&ChanceReply { p: two_chains(&state, budget)? }, out)
}

/// Answers `poset`.
pub(crate) fn poset(request: &str, budget: &mut Budget<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let asked: PosetRequest = request::parse(request)?;
    let state = poset::Poset::new(stacks(asked.stacks)?, &asked.down, &asked.forbidden)?;
    write_out(&ChanceReply { p: poset::chance(&state, POSET_STATE, budget)? }, out)
}

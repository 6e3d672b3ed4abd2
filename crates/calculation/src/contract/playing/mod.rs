//! The questions about plans, players and whole deals: `plan_eval`, `reduced`, `advise`, `play`, `clairvoyant`.
//!
//! | module | queries |
//! |---|---|
//! | [`written`] | how cards, heads and decks are written in requests |
//! | [`valued`] | plan_eval, reduced: exact numbers |
//! | [`players`] | advise, play: what a player does |
//! | [`open`] | clairvoyant: the deck face up |

pub mod open;
pub mod players;
pub mod valued;
pub mod written;

use kachi_core::surface::Query;
use kachi_core::{Budget, Error, Limits};
use open::{ClairvoyantReply, ClairvoyantRequest};
use players::{AdviseReply, AdviseRequest, PlayReply, PlayRequest};
use serde::Serialize;
use valued::{PlanEvalReply, PlanEvalRequest, ReducedReply, ReducedRequest};

/// The queries and their types.
#[must_use]
pub fn queries() -> Vec<Query> {
    vec![
        Query::of::<PlanEvalRequest, PlanEvalReply>(
            "plan_eval",
            "the chance of an assignment plan, factor by factor",
        ),
        Query::of::<ReducedRequest, ReducedReply>("reduced", "the exact optimum of a reduced game"),
        Query::of::<AdviseRequest, AdviseReply>(
            "advise",
            "what to do with a drawn card, with the chance of every option",
        ),
        Query::of::<PlayRequest, PlayReply>("play", "a whole game, played without seeing the deck"),
        Query::of::<ClairvoyantRequest, ClairvoyantReply>(
            "clairvoyant",
            "can a deal be won when the deck is known",
        ),
    ]
}

/// Answers one of them.
///
/// # Errors
/// What is wrong with the request, or which limit it met.
pub fn answer(query: &str, request: &str, budget: &mut Budget<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    match query {
        "plan_eval" => valued::plan_eval(request, budget, out),
        "reduced" => valued::reduced(request, budget, out),
        "advise" => players::advise(request, budget, out),
        "play" => players::play(request, budget, out),
        "clairvoyant" => open::clairvoyant(request, budget, out),
        _ => Err(Error::new("unknown_query", format!("there is no query {query:?} about plans and players"))),
    }
}

fn write_out(reply: &impl Serialize, out: &mut Vec<u8>) -> Result<(), Error> {
    serde_json::to_writer(out, reply).map_err(|error| Error::new("not_written", error.to_string()))
}

/// The smaller of the limits of the surface and of the request.
fn tightened(asked: Option<Limits>, budget: &Budget<'_>) -> Limits {
    let given = *budget.limits();
    let asked = asked.unwrap_or(given);
    Limits {
        cards: asked.cards.min(given.cards),
        nodes: asked.nodes.min(given.nodes),
        bytes: asked.bytes.min(given.bytes),
    }
}

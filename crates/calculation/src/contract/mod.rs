//! The requests and replies of the contract, query by query.
//!
//! | module | queries |
//! |---|---|
//! | [`analyze`] | analyze: a position as surfaces see it |
//! | [`counting`] | count, start, stack2, poset: the stack game |
//! | [`playing`] | plan_eval, reduced, advise, play, clairvoyant: plans and players |

pub mod analyze;
pub mod counting;
pub mod playing;

pub use analyze::board_answer;

use counting::{ChanceReply, CountReply, CountRequest, PosetRequest, Stack2Request};
use kachi_core::surface::Query;
use kachi_core::{Budget, Error};

/// All queries.
#[must_use]
pub fn queries() -> Vec<Query> {
    let mut queries = analyze::queries();
    queries.extend([
        Query::of::<CountRequest, CountReply>(
            "count",
            "How many states of the stack game can come of m chains of n cards.",
        ),
        Query::of::<CountRequest, ChanceReply>("start", "The exact chance of m chains of n cards."),
        Query::of::<Stack2Request, ChanceReply>("stack2", "The exact chance of a state on two chains."),
        Query::of::<PosetRequest, ChanceReply>("poset", "The exact chance of any labelled poset, slowly."),
    ]);
    queries.extend(playing::queries());
    queries
}

/// Answers one request; the JSON object of the answer is appended to `out`.
///
/// # Errors
/// What is wrong with the request, or which limit it met; `unknown_query`.
pub fn answer(query: &str, request: &str, budget: &mut Budget<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    match query {
        "analyze" => analyze::answer(query, request, budget, out),
        "count" => counting::count(request, budget, out),
        "start" => counting::start(request, budget, out),
        "stack2" => counting::stack2(request, budget, out),
        "poset" => counting::poset(request, budget, out),
        "plan_eval" | "reduced" | "advise" | "play" | "clairvoyant" => {
            playing::answer(query, request, budget, out)
        }
        _ => {
            let names: Vec<&str> = queries().iter().map(|query| query.name).collect();
            Err(Error::new("unknown_query", format!("calculation has no query {query:?}"))
                .at_field("query")
                .hint(format!("the queries are {}", names.join(", "))))
        }
    }
}

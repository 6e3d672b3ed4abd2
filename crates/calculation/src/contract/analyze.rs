//! The query `analyze`: the chance of winning a table, the chance after every move, and the plan behind it. It is also what a board answers.

use crate::entry::board::{Play, Stage};
use crate::entry::engine::{self, Draw, Ground};
use crate::entry::report::{by, judgement};
use crate::entry::stock;
use crate::why::PlanReason;
use kachi_core::surface::{Board, By, Query};
use kachi_core::{Budget, Error, request};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Ask about a table.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalyzeRequest {
    /// Copied to the reply.
    #[serde(default, rename = "id")]
    _id: Option<serde_json::Value>,
    /// `calculation`.
    #[serde(default, rename = "game")]
    _game: Option<String>,
    /// `analyze`.
    #[serde(default, rename = "query")]
    _query: Option<String>,
    /// The table in notation: `A234/58Q/-/J@7`.
    pub position: String,
}

/// What is known about a table.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AnalyzeReply {
    /// The table as kachi writes it.
    pub position: String,
    /// What comes next.
    pub next: Next,
    /// The chance of winning.
    pub chance: f64,
    /// Every legal move with the chance that it keeps.
    pub moves: Vec<MoveReply>,
    /// The best of them.
    pub best_move: Option<String>,
    /// While the next card is due: every rank that may come, with its copies and the chance after it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub draws: Vec<DrawReply>,
    /// What the chances rest on.
    pub by: By,
    /// The best plan after the best moves, with the factors of its value; nothing where the chance is exact or no plan is left.
    pub why: Option<PlanReason>,
}

/// What comes next on a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Next {
    /// The drawn card is to be placed.
    Place,
    /// Free moves, then a draw.
    Free,
    /// A card.
    Draw,
    /// Nothing: the game is over.
    Over,
}

/// A move with its chance.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MoveReply {
    /// `f2`, `s0`, `s0f2` or `draw`.
    #[serde(rename = "move")]
    pub mv: String,
    /// The free moves that should follow it.
    pub then: Vec<String>,
    /// The chance of winning.
    pub chance: f64,
}

/// A card that may come next.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DrawReply {
    /// Its rank.
    pub rank: String,
    /// Unseen copies.
    pub copies: u8,
    /// The chance of winning after it.
    pub chance: f64,
}

/// The query and its types.
#[must_use]
pub fn queries() -> Vec<Query> {
    vec![Query::of::<AnalyzeRequest, AnalyzeReply>(
        "analyze",
        "The chance of winning a table, the chance after every move, and the plan behind it.",
    )]
}

/// Answers `analyze`.
///
/// # Errors
/// What is wrong with the position, `out_of_budget`.
pub fn answer(_: &str, request: &str, budget: &mut Budget<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let asked: AnalyzeRequest = request::parse(request)?;
    let written = stock::read(&asked.position).map_err(|mut error| {
        // A request has fields, not places in a text.
        error.at = None;
        error.at_field("position")
    })?;
    let reply = analysis(&Play::new(written), budget)?;
    serde_json::to_writer(out, &reply).map_err(|error| Error::new("not_written", error.to_string()))
}

/// The answer of a board.
///
/// # Errors
/// `out_of_budget`.
pub fn board_answer(play: &Play, budget: &mut Budget<'_>) -> Result<String, Error> {
    let reply = analysis(play, budget)?;
    serde_json::to_string(&reply).map_err(|error| Error::new("not_written", error.to_string()))
}

fn analysis(play: &Play, budget: &mut Budget<'_>) -> Result<AnalyzeReply, Error> {
    let stage = play.stage();
    let next = match stage {
        Stage::Place(_) => Next::Place,
        Stage::Free => Next::Free,
        Stage::Due => Next::Draw,
        Stage::Over => Next::Over,
    };
    let judgement = judgement(play, budget)?;
    let draws = if stage == Stage::Due {
        let draws = engine::ask(play.rules(), |judge| judge.draws(play.position(), budget))?;
        let reply = |Draw { rank, copies, chance }| DrawReply { rank: rank.to_string(), copies, chance };
        draws.into_iter().map(reply).collect()
    } else {
        Vec::new()
    };
    let open = judgement.ground != Ground::Exact && judgement.chance > 0.0 && stage != Stage::Over;
    let why =
        if open { engine::ask(play.rules(), |judge| Ok(judge.reason(&judgement.after)))? } else { None };
    let best_move = judgement.best.map(|best| judgement.options[best].mv.clone());
    let lost = judgement.chance <= 0.0;
    let moves = judgement.options.into_iter().map(|option| MoveReply {
        mv: option.mv,
        then: option.then.iter().map(ToString::to_string).collect(),
        chance: option.chance,
    });
    Ok(AnalyzeReply {
        position: play.notation(),
        next,
        chance: judgement.chance,
        moves: moves.collect(),
        best_move,
        draws,
        by: by(play.rules(), judgement.ground, lost),
        why,
    })
}

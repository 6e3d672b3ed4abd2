//! The published statements of all games, and the verdict on one of them. Who checks them, size by size and shard by shard, is the laboratory
//! (crate `kachi-lab`).

use crate::registry::{self, Registry};
use kachi_core::surface::Entry;
use kachi_core::{Claim, Counterexample, Error, Expected, Findings, Question, Statement};
use serde::Serialize;

/// What checking a claim showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// No case failed.
    Holds,
    /// Some case failed.
    Refuted,
    /// The check was interrupted before it could tell.
    Unfinished,
    /// Up to this size there was nothing to check: neither the claim nor its refutation has been seen.
    Unchecked,
}

/// The result for one claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// The game.
    pub game: &'static str,
    /// The claim's name within its game.
    pub claim: &'static str,
    /// Where the statement comes from.
    pub source: &'static str,
    /// The statement.
    pub words: &'static str,
    /// What was found.
    pub status: Status,
    /// What was expected.
    pub expected: Expected,
    /// The two differ, or there was nothing to check.
    pub surprise: bool,
    /// Cases checked.
    pub checked: u64,
    /// Cases that failed.
    pub failed: u64,
    /// The largest size checked completely.
    pub size: u32,
    /// What a size counts, and which cases it has.
    pub domain: &'static str,
    /// The cases are random ones, not all there are.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sampled: bool,
    /// The first case that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<Counterexample>,
    /// The machine-checked theorem that covers the statement for all sizes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proved: Option<&'static str>,
    /// For an erratum: the claim that states it correctly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected_by: Option<&'static str>,
}

/// A claim together with the game it speaks about.
#[derive(Clone, Copy)]
pub struct Stated {
    /// The game's name.
    pub game: &'static str,
    /// The claim.
    pub claim: &'static dyn Claim,
}

/// The claims of a game.
pub fn claims_of(game: &dyn Entry) -> Vec<Stated> {
    let name = game.about().name;
    registry::claims(game).into_iter().map(|claim| Stated { game: name, claim }).collect()
}

/// An open question together with the game it is about.
#[derive(Debug, Clone, Copy)]
pub struct Asked {
    /// The game's name.
    pub game: &'static str,
    /// The question.
    pub question: &'static Question,
}

/// The open questions of a game.
pub fn questions_of(game: &dyn Entry) -> Vec<Asked> {
    let name = game.about().name;
    registry::questions(game).into_iter().map(|question| Asked { game: name, question }).collect()
}

/// The claims of one game or of all, in order; of these only the ones with the given names, if any are given.
///
/// # Errors
/// `unknown_game`, or `unknown_claim` with the nearest name.
pub fn select(games: Registry<'_>, game: Option<&str>, ids: &[String]) -> Result<Vec<Stated>, Error> {
    let all: Vec<Stated> = match game {
        Some(name) => claims_of(games.find(name)?),
        None => games.games().iter().flat_map(|&game| claims_of(game)).collect(),
    };
    let names: Vec<&str> = all.iter().map(|stated| stated.claim.statement().id).collect();
    for id in ids {
        if !names.contains(&id.as_str()) {
            let message = format!("there is no claim called {id:?}");
            let error = Error::new("unknown_claim", message).at_field("claim");
            let list = "kachi verify --list shows all of them";
            return Err(match registry::nearest(id, &names) {
                Some(near) => error.hint(format!("did you mean {near}? {list}")),
                None => error.hint(list),
            });
        }
    }
    let wanted = |stated: &Stated| ids.is_empty() || ids.iter().any(|id| id == stated.claim.statement().id);
    Ok(all.into_iter().filter(wanted).collect())
}

impl Stated {
    /// What the findings up to a size say about the claim; `finished` unless the check was interrupted on the way to its largest size.
    #[must_use]
    pub fn judge(self, found: Findings, size: u32, finished: bool) -> Verdict {
        let statement = self.claim.statement();
        let status = match (&found.counterexample, finished) {
            (Some(_), _) => Status::Refuted,
            (None, true) if found.checked == 0 => Status::Unchecked,
            (None, true) => Status::Holds,
            (None, false) => Status::Unfinished,
        };
        Verdict {
            game: self.game,
            claim: statement.id,
            source: statement.source,
            words: statement.words,
            status,
            expected: statement.expected,
            surprise: is_surprise(statement, status, size),
            checked: found.checked,
            failed: found.failed,
            size,
            domain: statement.domain,
            sampled: statement.sampled,
            counterexample: found.counterexample,
            proved: statement.proved,
            corrected_by: statement.corrected_by,
        }
    }
}

/// Below its own size a claim may hold although it is refuted later, or have nothing to check yet.
fn is_surprise(statement: &Statement, status: Status, size: u32) -> bool {
    match (status, statement.expected) {
        (Status::Refuted, expected) => expected == Expected::Holds,
        (Status::Holds, expected) => size >= statement.size && expected == Expected::Refuted,
        (Status::Unchecked, _) => size >= statement.size,
        (Status::Unfinished, _) => false,
    }
}

//! What a player does: with one drawn card, and with a whole deck that it does not see.

use super::written::{Cards, cards, check_piles, deck, full_game, heads, rank, written};
use super::{tightened, write_out};
use crate::players::rates::{Rate, rate_of};
use crate::players::roster::{Kit, by_name_with, has_full_table};
use crate::players::{Decision, GameRecord, Judgement, Player, TurnRecord, play_deck, strongest};
use crate::position::{Fault, Position, Setup, Stack};
use crate::rules::{Move, Rules};
use kachi_core::surface::{By, Status, lent_clock};
use kachi_core::{Budget, Error, Limits, request};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What to do with a drawn card.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdviseRequest {
    /// Copied to the reply.
    #[serde(default)]
    pub id: Option<serde_json::Value>,
    /// `calculation`.
    #[serde(default)]
    pub game: Option<String>,
    /// `advise`.
    #[serde(default)]
    pub query: Option<String>,
    /// Waste stacks, 1 to 4.
    pub stacks: i64,
    /// The next rank of every foundation; null when it is complete.
    pub heads: Vec<Option<String>>,
    /// The stacks, bottom first.
    pub piles: Vec<Cards>,
    /// The drawn card.
    pub drawn: String,
    /// The player that is asked; if missing, the strongest one that can play here.
    #[serde(default)]
    pub engine: Option<String>,
    /// Plans that the player keeps, instead of its own number.
    #[serde(default, alias = "K", alias = "k")]
    pub plans: Option<i64>,
    /// Limits on the work.
    #[serde(default)]
    pub budget: Option<Limits>,
}

/// One way to finish the turn.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AdvisedOption {
    /// The placement, then free moves: `f2` to foundation 2, `s0` on stack 0, `s0f2` from stack 0 to foundation 2.
    pub moves: Vec<String>,
    /// The estimated chance of winning.
    pub chance: f64,
}

/// All ways to finish the turn, with the player's opinion.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AdviseReply {
    /// In the order of the rules: plays before stacks, lower index first.
    pub options: Vec<AdvisedOption>,
    /// The number of the option that the player would choose.
    pub best: usize,
    /// The player.
    pub engine: String,
    /// That it plays in place of another, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// How often it won a recorded run; missing where none was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<RateReply>,
    /// What the answer rests on.
    pub by: By,
}

/// Play a whole deck without looking ahead in it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayRequest {
    /// Copied to the reply.
    #[serde(default)]
    pub id: Option<serde_json::Value>,
    /// `calculation`.
    #[serde(default)]
    pub game: Option<String>,
    /// `play`.
    #[serde(default)]
    pub query: Option<String>,
    /// Waste stacks, 1 to 4.
    pub stacks: i64,
    /// 52 ranks, first drawn first.
    pub deck: Cards,
    /// The player; if missing, the strongest one that can play here.
    #[serde(default)]
    pub engine: Option<String>,
    /// Plans that the player keeps, instead of its own number.
    #[serde(default, alias = "K", alias = "k")]
    pub plans: Option<i64>,
    /// Limits on the work.
    #[serde(default)]
    pub budget: Option<Limits>,
}

/// One turn of a game.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PlayedTurn {
    /// The drawn card.
    pub drawn: String,
    /// What was done: the placement, then free moves.
    pub moves: Vec<String>,
    /// The chance that the player saw.
    pub chance: f64,
}

/// A finished game.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PlayReply {
    /// Was it won? Checked by the rules, move by move.
    pub won: bool,
    /// Cards on the foundations at the end.
    pub played: usize,
    /// Turn by turn.
    pub transcript: Vec<PlayedTurn>,
    /// Free moves after the last turn.
    pub ending: Vec<String>,
    /// The player.
    pub engine: String,
    /// That it plays in place of another, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// How often it won a recorded run; missing where none was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<RateReply>,
}

/// The player with this name, or the strongest one that can play here.
///
/// # Errors
/// `unknown_engine`, `bad_setting`, `no_net`, `bad_plans`.
fn player(rules: &Rules, engine: Option<&str>, plans: Option<i64>) -> Result<Box<dyn Player + Send>, Error> {
    let mut name = engine.unwrap_or_else(|| strongest(rules, has_full_table(rules)).name).to_owned();
    if engine.is_none() && plans.is_some() {
        // Only players with plans can keep them.
        USUAL.clone_into(&mut name);
    }
    if let Some(plans) = plans {
        let count = usize::try_from(plans).ok().filter(|count| (1..=MOST_PLANS).contains(count));
        let count = count.ok_or_else(|| {
            let message = format!("{plans} plans: a player keeps 1 to {MOST_PLANS}");
            Error::new("bad_plans", message).at_field("plans").hint("for example 200")
        })?;
        name.push(if name.contains(':') { ',' } else { ':' });
        name.push_str(&format!("keep={count}"));
    }
    let kit = Kit { clock: lent_clock(), ..Kit::default() };
    by_name_with(rules, &name, &kit).map_err(|mut error| {
        if error.code == "unknown_player" {
            error.code = "unknown_engine";
        }
        error.at_field("engine")
    })
}

/// Asked for when only a number of plans is named.
const USUAL: &str = "union-look1";

/// Most plans that a request may ask for.
const MOST_PLANS: usize = 5000;

/// A recorded run of a player.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RateReply {
    /// Games won.
    pub won: u32,
    /// Games played, on deals 1 and following.
    pub games: u32,
    /// Where the run is recorded.
    pub run: String,
}

impl RateReply {
    fn of(rules: &Rules, player: &dyn Player) -> Option<RateReply> {
        let reply = |&Rate { won, games, run, .. }: &Rate| RateReply { won, games, run: run.to_owned() };
        rate_of(rules, player.name()).map(reply)
    }
}

/// Answers `advise`.
///
/// # Errors
/// What is wrong with the request, or which limit it met.
pub(super) fn advise(request: &str, budget: &mut Budget<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let asked: AdviseRequest = request::parse(request)?;
    let rules = full_game(asked.stacks)?;
    check_piles(&rules, asked.piles.len())?;
    let piles = asked.piles.iter().enumerate().map(|(p, pile)| cards(pile, &format!("piles[{p}]")));
    let setup = Setup {
        heads: heads(&rules, &asked.heads)?,
        piles: piles.collect::<Result<_, _>>()?,
        drawn: Some(rank(&asked.drawn, || "drawn".to_owned())?),
    };
    let position = setup.validate(&rules).map_err(Fault::at_fields)?;
    let mut player = player(&rules, asked.engine.as_deref(), asked.plans)?;
    let limit = tightened(asked.budget, budget).nodes;
    let mut bounded = Bounded { player: player.as_mut(), spent: 0, limit, budget, failed: None };
    let decision = bounded.decide(&position);
    if let Some(error) = bounded.failed {
        return Err(error);
    }
    write_out(&advice(&rules, &decision, player.as_ref()), out)
}

/// The reply of `advise`.
fn advice(rules: &Rules, decision: &Decision, player: &dyn Player) -> AdviseReply {
    let option = |option: &Judgement| AdvisedOption { moves: written(&option.moves), chance: option.chance };
    AdviseReply {
        options: decision.options.iter().map(option).collect(),
        best: decision.best,
        engine: player.name().to_owned(),
        note: player.note().map(str::to_owned),
        rate: RateReply::of(rules, player),
        by: By {
            rule: format!("player {}", player.name()),
            status: Status::Estimated,
            reference: None,
            nodes: None,
        },
    }
}

/// Answers `play`.
///
/// # Errors
/// What is wrong with the request, or which limit it met.
pub(super) fn play(request: &str, budget: &mut Budget<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let asked: PlayRequest = request::parse(request)?;
    let rules = full_game(asked.stacks)?;
    let deck = deck(&rules, &asked.deck)?;
    let mut player = player(&rules, asked.engine.as_deref(), asked.plans)?;
    let limit = tightened(asked.budget, budget).nodes;
    let mut bounded = Bounded { player: player.as_mut(), spent: 0, limit, budget, failed: None };
    let record = play_deck(&rules, &deck, &mut bounded)?;
    if let Some(error) = bounded.failed {
        return Err(error);
    }
    write_out(&transcript(&rules, &record, player.as_ref()), out)
}

/// The reply of `play`.
fn transcript(rules: &Rules, record: &GameRecord, player: &dyn Player) -> PlayReply {
    let turn = |turn: &TurnRecord| PlayedTurn {
        drawn: turn.drawn.to_string(),
        moves: written(&turn.moves),
        chance: turn.chance,
    };
    PlayReply {
        won: record.won,
        played: record.last.played(),
        transcript: record.turns.iter().map(turn).collect(),
        ending: written(&record.ending),
        engine: player.name().to_owned(),
        note: player.note().map(str::to_owned),
        rate: RateReply::of(rules, player),
    }
}

/// A player that gives up when the work is spent: it then puts every card on the first stack, and the caller reports the limit.
struct Bounded<'a, 'b, 'c> {
    player: &'a mut dyn Player,
    spent: u64,
    limit: u64,
    budget: &'b mut Budget<'c>,
    failed: Option<Error>,
}

impl Player for Bounded<'_, '_, '_> {
    fn name(&self) -> &str {
        self.player.name()
    }

    fn begin(&mut self) {
        self.player.begin();
    }

    fn decide(&mut self, position: &Position) -> Decision {
        if self.failed.is_none() {
            let decision = self.player.decide(position);
            let spent = self.player.work();
            let step = spent - self.spent;
            self.spent = spent;
            let spend = self.budget.spend(step);
            match spend {
                Ok(()) if spent <= self.limit => return decision,
                Ok(()) => {
                    let message =
                        format!("the answer needs more than the limit of {} evaluations", self.limit);
                    self.failed = Some(Error::new("out_of_budget", message).hint("raise the node limit"));
                }
                Err(error) => self.failed = Some(error),
            }
        }
        let put = Judgement { moves: vec![Move::Put(Stack(0))], chance: 0.0 };
        Decision { options: vec![put], best: 0 }
    }
}

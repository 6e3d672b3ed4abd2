//! Who plays, and how well. A [`Player`] sees the table and the drawn card, never the deck; [`play_deck`] deals to it, checks every move
//! by the rules and says how the game ended.
//!
//! | room | holds |
//! |---|---|
//! | [`options`] | the named options of the plan player |
//! | [`plans`] | the plan player: candidates, lists, choice |
//! | [`look`] | one draw of lookahead by plans |
//! | [`leaves`] | one draw of lookahead by a judge of tables |
//! | [`rollout`] | playing on by a judge of tables |
//! | [`net`] | the net player |
//! | [`union`] | net and plans together |
//! | [`pace`] | budgets of work and of time |
//! | [`rates`] | how often they won recorded runs |
//! | [`roster`] | every player by its name, and the strongest |
//! | [`source`] | where the chances of pairs come from |

pub mod leaves;
pub mod look;
pub mod net;
pub mod options;
pub mod pace;
pub mod plans;
pub mod rates;
pub mod rollout;
pub mod roster;
pub mod source;
pub mod union;

pub use roster::{by_name, strongest};

use crate::deal::Deck;
use crate::position::{Position, Rank};
use crate::rules::{Move, Rules};
use crate::turn;
use kachi_core::Error;

/// One way to finish a turn, with what the player thinks of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The placement, then free moves.
    pub moves: Vec<Move>,
    /// The estimated chance of winning after them.
    pub chance: f64,
}

/// What a player would do with a drawn card.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Decision {
    /// Every way that was considered, in the order of the rules; empty when no card is drawn.
    pub options: Vec<Judgement>,
    /// The chosen one.
    pub best: usize,
}

impl Decision {
    /// The chosen moves.
    pub fn moves(&self) -> &[Move] {
        self.options.get(self.best).map_or(&[], |option| &option.moves)
    }
}

/// Plays Calculation without seeing the deck.
pub trait Player {
    /// What it is called in results.
    fn name(&self) -> &str;

    /// What should be known about it beside its name: that it plays in place of a stronger one, and why.
    fn note(&self) -> Option<&str> {
        None
    }

    /// All its settings, for the record of a run.
    fn settings(&self) -> String {
        self.name().to_owned()
    }

    /// Work done so far, in plans evaluated; a table given to the net counts as [`pace::TABLE_WORK`] of them.
    fn work(&self) -> u64 {
        0
    }

    /// Forgets the last game.
    fn begin(&mut self);

    /// Judges all ways to finish the turn. `position` has a drawn card; it need not follow from the last one asked about.
    fn decide(&mut self, position: &Position) -> Decision;
}

/// One turn of a finished game.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnRecord {
    /// The drawn card.
    pub drawn: Rank,
    /// What was done with it.
    pub moves: Vec<Move>,
    /// The chance that the player saw.
    pub chance: f64,
}

/// A finished game.
#[derive(Debug, Clone, PartialEq)]
pub struct GameRecord {
    /// Was it won, by the rules?
    pub won: bool,
    /// Turn by turn.
    pub turns: Vec<TurnRecord>,
    /// The free moves after the last turn.
    pub ending: Vec<Move>,
    /// The last table.
    pub last: Position,
}

/// Deals a deck to a player, card by card. Every move is checked by the rules.
///
/// # Errors
/// `illegal_move` when the player does what the rules forbid.
pub fn play_deck(rules: &Rules, deck: &Deck, player: &mut dyn Player) -> Result<GameRecord, Error> {
    play_deck_until(rules, deck, player, &|| false)
}

/// As [`play_deck`], but asks before every turn whether to stop. A game that was stopped has fewer turns than the deck has cards.
///
/// # Errors
/// Those of [`play_deck`].
pub fn play_deck_until(
    rules: &Rules,
    deck: &Deck,
    player: &mut dyn Player,
    stopped: &dyn Fn() -> bool,
) -> Result<GameRecord, Error> {
    player.begin();
    let mut position = Position::start(rules);
    let mut turns = Vec::with_capacity(rules.cards());
    for &drawn in deck.cards() {
        if stopped() {
            return Ok(GameRecord { won: false, turns, ending: Vec::new(), last: position });
        }
        position = rules.play(&position, Move::Draw(drawn))?;
        let decision = player.decide(&position);
        let chance = decision.options.get(decision.best).map_or(0.0, |option| option.chance);
        let moves = decision.moves().to_vec();
        for &mv in &moves {
            position = rules.play(&position, mv)?;
        }
        if position.drawn().is_some() {
            return Err(Error::new("illegal_move", "the drawn card was not placed"));
        }
        turns.push(TurnRecord { drawn, moves, chance });
    }
    let ending = turn::unload(rules, &position).unwrap_or_default();
    for &mv in &ending {
        position = rules.play(&position, mv)?;
    }
    Ok(GameRecord { won: rules.is_won(&position), turns, ending, last: position })
}

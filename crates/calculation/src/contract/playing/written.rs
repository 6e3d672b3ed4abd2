//! How cards, heads and decks are written in requests.

use crate::deal::Deck;
use crate::position::Rank;
use crate::rules::{Move, Rules};
use kachi_core::Error;
use schemars::JsonSchema;
use serde::Deserialize;

/// Cards as a list of ranks, or all in one string.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Cards {
    /// `"58Q"`.
    Text(String),
    /// `["5", "8", "Q"]`.
    List(Vec<String>),
}

pub(super) fn full_game(stacks: i64) -> Result<Rules, Error> {
    Rules::calculation(small(stacks))
}

/// A count from a request; negative and huge ones become 0, which every rule refuses.
pub(super) fn small(number: i64) -> usize {
    usize::try_from(number).unwrap_or(0)
}

pub(super) fn rank(text: &str, place: impl Fn() -> String) -> Result<Rank, Error> {
    let mut chars = text.chars();
    match (chars.next().and_then(Rank::from_char), chars.next()) {
        (Some(rank), None) => Ok(rank),
        _ => {
            let message = format!("{text:?} is no rank");
            Err(Error::new("bad_rank", message).at_field(place()).hint("ranks are A23456789TJQK"))
        }
    }
}

pub(super) fn heads(rules: &Rules, heads: &[Option<String>]) -> Result<Vec<usize>, Error> {
    let slot = |(f, head): (usize, &Option<String>)| match head {
        None => Ok(rules.ranks()),
        Some(text) => {
            let rank = rank(text, || format!("heads[{f}]"))?;
            Ok(if f < rules.foundations() { rules.slot_of(f, rank) } else { 0 })
        }
    };
    heads.iter().enumerate().map(slot).collect()
}

/// Too many piles are refused before their cards are read.
pub(super) fn check_piles(rules: &Rules, piles: usize) -> Result<(), Error> {
    if piles > rules.stacks() {
        let message = format!("{piles} piles for {} stacks", rules.stacks());
        return Err(Error::new("too_many_piles", message).at_field("piles").hint("as many piles as stacks"));
    }
    Ok(())
}

pub(super) fn cards(cards: &Cards, field: &str) -> Result<Vec<Rank>, Error> {
    match cards {
        Cards::Text(text) => {
            let shown = text.chars().filter(|c| !c.is_whitespace());
            shown
                .enumerate()
                .map(|(i, c)| rank(c.encode_utf8(&mut [0; 4]), || format!("{field}[{i}]")))
                .collect()
        }
        Cards::List(list) => {
            list.iter().enumerate().map(|(i, text)| rank(text, || format!("{field}[{i}]"))).collect()
        }
    }
}

pub(super) fn deck(rules: &Rules, written: &Cards) -> Result<Deck, Error> {
    Deck::new(rules, &cards(written, "deck")?)
}

/// Moves as replies write them.
pub(super) fn written(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

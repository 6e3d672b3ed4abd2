//! Where the next card comes from, and how a board is written: the table in its notation, and behind a dot the deal whose cards are still to come.
//!
//! `A234/58Q/-/J@7` stands alone: somebody else deals, and any unseen card may come next. `A234/58Q/-/J@7.deal12` goes on with the cards of deal 12.
//! `@-` behind the stacks says that free moves are done and the next card is due. `deal@12` and `deal:4@12` are the beginning of deal 12 with
//! three and with four stacks.

use crate::deal::Deck;
use crate::notation;
use crate::position::{MOST_RANKS, Position, Rank};
use crate::rules::Rules;
use kachi_core::Error;
use kachi_core::notation::number;

/// The cards that are still to come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stock {
    /// Nobody here knows them.
    Unknown,
    /// They are those of a seeded deal.
    Deal(u64),
}

impl Stock {
    /// The next card of a table without a drawn one, if it is known.
    pub fn next(&self, rules: &Rules, position: &Position) -> Option<Rank> {
        let Stock::Deal(seed) = *self else { return None };
        let deck = Deck::seeded(rules, seed);
        deck.cards().get(rules.cards().checked_sub(position.left())?).copied()
    }

    /// Are the unseen cards of the table the last cards of the deal?
    fn fits(&self, rules: &Rules, position: &Position) -> bool {
        let Stock::Deal(seed) = *self else { return true };
        let deck = Deck::seeded(rules, seed);
        let mut rest = [0_u8; MOST_RANKS];
        let drawn = rules.cards() - position.left();
        deck.cards()[drawn..].iter().for_each(|rank| rest[rank.index()] += 1);
        let last = drawn.checked_sub(1).and_then(|last| deck.cards().get(last)).copied();
        rest == *position.unseen() && position.drawn().is_none_or(|rank| Some(rank) == last)
    }
}

/// What a text says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The game.
    pub rules: Rules,
    /// The table.
    pub position: Position,
    /// Where the next card comes from.
    pub stock: Stock,
    /// Free moves are done.
    pub due: bool,
}

/// How a deal is written.
const DEAL: &str = "deal";
const HINT: &str = "for example A234/58Q/-/J@7, A234/58Q/-/J@7.deal12 or deal:4@12";

/// Reads a board.
///
/// ```
/// use calculation::entry::stock::{Stock, read, write};
/// let start = read("deal:4@12").unwrap();
/// assert_eq!((start.rules.stacks(), &start.stock), (4, &Stock::Deal(12)));
/// assert_eq!(read("A234/-/-/-").unwrap().stock, Stock::Unknown);
/// assert_eq!(read("A234/-/-/-@K.deal").unwrap_err().code, "bad_number");
/// ```
///
/// # Errors
/// What is wrong and where: as [`notation::read`], `bad_number`, and `other_deal` when the table does not belong to the deal.
pub fn read(text: &str) -> Result<Written, Error> {
    let start = text.len() - text.trim_start().len();
    if let Some(rest) = text.trim_start().strip_prefix(DEAL) {
        return fresh(text, rest, start + DEAL.len());
    }
    let (table, stock) = match text.split_once('.') {
        None => (text, Stock::Unknown),
        Some((table, deal)) => (table, Stock::Deal(seed(text, deal, table.len() + 1)?)),
    };
    let plain = table.trim_end().strip_suffix('-').and_then(|rest| rest.trim_end().strip_suffix('@'));
    let (rules, position) = notation::read(plain.unwrap_or(table))?;
    if !stock.fits(&rules, &position) {
        let message = "the unseen cards are not those that are left of this deal".to_owned();
        let hint = "leave the deal out, and any unseen card may come next";
        return Err(Error::new("other_deal", message).at_text(table.len()..text.len()).hint(hint));
    }
    Ok(Written { rules, position, stock, due: plain.is_some() })
}

/// `deal@12`, `deal:4@12`.
fn fresh(text: &str, rest: &str, at: usize) -> Result<Written, Error> {
    let (stacks, seed) = rest.split_once('@').ok_or_else(|| {
        let message = "expected '@' and the number of the deal";
        Error::new("bad_notation", message).at_text(at..text.len()).hint("for example deal@12 or deal:4@12")
    })?;
    let rules = match stacks.trim() {
        "" => Rules::calculation(USUAL_STACKS)?,
        word => {
            let place = at..at + stacks.len();
            let digits = word.strip_prefix(':').unwrap_or(word).trim();
            let stacks = number(digits, place.clone(), "the number of stacks")?;
            Rules::calculation(usize::try_from(stacks).unwrap_or(0)).map_err(|error| error.at_text(place))?
        }
    };
    let place = at + rest.len() - seed.len()..text.len();
    let seed = natural(seed, place, "the number of the deal")?;
    let position = Position::start(&rules);
    Ok(Written { rules, position, stock: Stock::Deal(seed), due: false })
}

/// Stacks of the game as the paper plays it.
pub const USUAL_STACKS: usize = 3;

/// The number behind `.deal`.
fn seed(text: &str, deal: &str, at: usize) -> Result<u64, Error> {
    let place = at..text.len();
    let Some(word) = deal.trim_start().strip_prefix(DEAL) else {
        let message = "expected \"deal\" and its number behind the dot";
        return Err(Error::new("bad_notation", message).at_text(place).hint(HINT));
    };
    natural(word, place, "the number of the deal")
}

fn natural(word: &str, place: std::ops::Range<usize>, what: &str) -> Result<u64, Error> {
    word.trim().parse().map_err(|_| {
        Error::new("bad_number", format!("{what} must be a whole number from 0")).at_text(place).hint(HINT)
    })
}

/// Writes a board.
#[must_use]
pub fn write(written: &Written) -> String {
    let mut text = notation::write(&written.rules, &written.position);
    if written.due {
        text.push_str("@-");
    }
    if let Stock::Deal(seed) = written.stock {
        text.push('.');
        text.push_str(DEAL);
        text.push_str(&seed.to_string());
    }
    text
}

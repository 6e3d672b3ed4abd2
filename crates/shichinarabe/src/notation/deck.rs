//! The real deck as text: `deck@` and four rows of thirteen letters, ace to king, for ♠ ♥ ♦ ♣.

use super::options::{read_options, write_counts};
use crate::position::{Deck, DeckSuit, Player, Rank};
use kachi_core::notation::Reader;
use kachi_core::{Error, Place};

const EXAMPLE: &str = "for example deck@LRLRLR7LRLRLR/RLRLRL7RLRLRL/LRLRLR7LRLRLR/RLRLRL7RLRLRL:L:j1-1";

/// Reads a deck.
///
/// # Errors
/// What is wrong, and where.
pub fn read_deck(text: &str) -> Result<Deck, Error> {
    let mut reader = Reader::new(text);
    let (_, start) = reader.word(|c| c != '@');
    reader.eat('@');
    let mut owners = [[None; Rank::COUNT]; 4];
    for suit in DeckSuit::ALL {
        if suit.index() > 0 && !reader.eat('/') {
            let message =
                format!("expected '/' and the row of {}, found {}", suit.sign(), reader.next_in_words());
            return Err(Error::new("bad_notation", message).at_text(reader.here()).hint(EXAMPLE));
        }
        for rank in Rank::all() {
            reader.skip_blanks();
            let letter = reader.peek().unwrap_or(' ').to_ascii_uppercase();
            let on_table = letter == '.' || (letter == '7' && rank == Rank::SEVEN);
            let owner = Player::from_letter(letter);
            if !on_table && owner.is_none() {
                let (sign, name) = (suit.sign(), rank.name());
                let message = format!(
                    "{sign}{name} must be L, R or '.' (on the table), not {}",
                    reader.next_in_words()
                );
                return Err(Error::new("bad_letter", message).at_text(reader.here()).hint(EXAMPLE));
            }
            owners[suit.index()][rank.index()] = owner;
            if let Some(letter) = reader.peek() {
                reader.eat(letter);
            }
        }
        reader.skip_blanks();
    }
    let options = read_options(&mut reader, "jpt", Player::from_letter, EXAMPLE)?;
    let mover = options.mover.unwrap_or(Player::First);
    Deck::new(owners, mover, options.rights, options.passes, options.tunnel)
        .map_err(|error| error.at(Place::Text(start.end..text.len())).hint(EXAMPLE))
}

/// A random deal by its name: the seed, the jokers and the passes of L and R, and whether the tunnel rule is on.
pub type NamedDeal = (u64, [u32; 2], [u32; 2], bool);

/// Reads the name of a random deal: `deal@7:j1-1:p2-2:t`, the seed and then the options of the deck. L moves first.
///
/// # Errors
/// What is wrong, and where.
pub fn read_deal(text: &str) -> Result<NamedDeal, Error> {
    const EXAMPLE: &str = "for example deal@7:j1-1, the deal of seed 7 with a joker each";
    let mut reader = Reader::new(text);
    reader.word(|c| c != '@');
    reader.eat('@');
    let (word, place) = reader.word(|c| c.is_ascii_digit());
    let seed = word.parse().map_err(|_| {
        Error::new("bad_number", format!("the seed must be a whole number, not {word:?}"))
            .at_text(place)
            .hint(EXAMPLE)
    })?;
    let here = reader.offset();
    let options = read_options(&mut reader, "jpt", Player::from_letter, EXAMPLE)?;
    if options.mover == Some(Player::Second) {
        let message = "L moves first in a deal";
        return Err(Error::new("bad_notation", message).at_text(here..text.len()).hint(EXAMPLE));
    }
    Ok((seed, options.rights, options.passes, options.tunnel))
}

/// Writes a deck.
#[must_use]
pub fn write_deck(deck: &Deck) -> String {
    let mut text = String::from("deck@");
    for suit in DeckSuit::ALL {
        if suit.index() > 0 {
            text.push('/');
        }
        for rank in Rank::all() {
            let on_table = if rank == Rank::SEVEN { '7' } else { '.' };
            text.push(deck.owners()[suit.index()][rank.index()].map_or(on_table, Player::letter));
        }
    }
    text.push(':');
    text.push(deck.mover().letter());
    write_counts(&mut text, deck.rights(), deck.passes());
    if deck.tunnel() {
        text.push_str(":t");
    }
    text
}

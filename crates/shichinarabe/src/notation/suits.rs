//! Suits as text: `LRL,RRL:L`.

use super::options::read_options;
use crate::position::{Player, Suits};
use kachi_core::notation::Reader;
use kachi_core::{Error, Place};

const EXAMPLE: &str = "for example LRL,RRL:L";

/// Reads suits; empty ones keep their place. Without `:L` or `:R` at the end L is to move.
///
/// ```
/// use shichinarabe::notation::{read_suits, write_suits};
/// let position = read_suits("lrl, rrl : L").unwrap();
/// assert_eq!(write_suits(&position), "LRL,RRL:L");
/// ```
///
/// # Errors
/// What is wrong, and where.
pub fn read_suits(text: &str) -> Result<Suits, Error> {
    let mut reader = Reader::new(text);
    let mut suits = vec![Vec::new()];
    loop {
        reader.skip_blanks();
        let letter = match reader.peek() {
            None | Some(':') => break,
            Some(letter) => letter,
        };
        if letter == ',' {
            suits.push(Vec::new());
        } else if let Some(owner) = Player::from_letter(letter.to_ascii_uppercase()) {
            if let Some(suit) = suits.last_mut() {
                suit.push(owner);
            }
        } else {
            let message = format!("a suit is written with L and R, not {letter:?}");
            return Err(Error::new("bad_letter", message).at_text(reader.here()).hint(EXAMPLE));
        }
        reader.eat(letter);
    }
    let options = read_options(&mut reader, "", Player::from_letter, EXAMPLE)?;
    let place = Place::Text(0..text.len());
    Suits::new(suits, options.mover.unwrap_or(Player::First)).map_err(|error| error.at(place).hint(EXAMPLE))
}

/// Writes suits.
#[must_use]
pub fn write_suits(position: &Suits) -> String {
    let mut text = String::new();
    for (i, suit) in position.suits().iter().enumerate() {
        if i > 0 {
            text.push(',');
        }
        text.extend(suit.iter().map(|owner| owner.letter()));
    }
    text.push(':');
    text.push(position.mover().letter());
    text
}

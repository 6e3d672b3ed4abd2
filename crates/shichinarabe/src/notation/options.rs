//! The part after the colon: the mover and what else belongs to the position.

use crate::position::{Label, Player, Variant};
use kachi_core::Error;
use kachi_core::notation::Reader;

/// Everything that may follow the cards.
#[derive(Debug, Clone, Default)]
pub(super) struct Options {
    pub(super) mover: Option<Player>,
    pub(super) rights: [u32; 2],
    pub(super) passes: [u32; 2],
    pub(super) tunnel: bool,
    pub(super) directed: bool,
    pub(super) add: Vec<Label>,
    pub(super) delete: Vec<Label>,
    pub(super) variant: Variant,
}

/// Reads `:L:j1-0:p0-1` and so on up to the end. `allowed` lists the letters of the options that make sense here,
/// `player` reads the mover's letter.
pub(super) fn read_options(
    reader: &mut Reader<'_>,
    allowed: &str,
    player: fn(char) -> Option<Player>,
    example: &str,
) -> Result<Options, Error> {
    let mut options = Options::default();
    loop {
        reader.skip_blanks();
        if reader.is_done() {
            return Ok(options);
        }
        if !reader.eat(':') {
            let message = format!("expected ':' or the end, found {}", reader.next_in_words());
            return Err(Error::new("bad_notation", message).at_text(reader.here()).hint(example));
        }
        reader.skip_blanks();
        let place = reader.here();
        let letter = reader.peek().unwrap_or(' ');
        let unknown = |what: &str| {
            let message = format!("{what}; after ':' comes the mover or one of the options {allowed}");
            Error::new("bad_notation", message).at_text(place.clone()).hint(example)
        };
        if options.mover.is_none()
            && let Some(mover) = player(letter.to_ascii_uppercase())
        {
            options.mover = Some(mover);
            reader.eat(letter);
            continue;
        }
        if !allowed.contains(letter) || letter == ' ' {
            return Err(unknown(&format!("{} has no meaning here", reader.next_in_words())));
        }
        reader.eat(letter);
        match letter {
            'j' => options.rights = two(reader)?,
            'p' => options.passes = two(reader)?,
            't' => options.tunnel = true,
            'd' => options.directed = true,
            'o' => options.variant.one_right_per_turn = true,
            'e' => options.variant.emptying_wins = true,
            'a' => read_labels(reader, &mut options.add)?,
            _ => read_labels(reader, &mut options.delete)?,
        }
    }
}

fn read_labels(reader: &mut Reader<'_>, labels: &mut Vec<Label>) -> Result<(), Error> {
    loop {
        let when = count(reader)?;
        dash(reader)?;
        let from = count(reader)?;
        dash(reader)?;
        labels.push(Label { when, edge: (from, count(reader)?) });
        reader.skip_blanks();
        if !reader.eat(',') {
            return Ok(());
        }
    }
}

fn two(reader: &mut Reader<'_>) -> Result<[u32; 2], Error> {
    let first = count(reader)?;
    dash(reader)?;
    Ok([first, count(reader)?])
}

pub(super) fn dash(reader: &mut Reader<'_>) -> Result<(), Error> {
    reader.skip_blanks();
    if reader.eat('-') {
        return Ok(());
    }
    let message = format!("expected '-', found {}", reader.next_in_words());
    Err(Error::new("bad_notation", message).at_text(reader.here()))
}

pub(super) fn count(reader: &mut Reader<'_>) -> Result<u32, Error> {
    reader.skip_blanks();
    let (word, place) = reader.word(|c| c.is_ascii_digit());
    let number = kachi_core::notation::number(word, place.clone(), "this")?;
    u32::try_from(number)
        .map_err(|_| Error::new("bad_number", format!("{number} is too large")).at_text(place))
}

/// Writes rights and passes.
pub(super) fn write_counts(text: &mut String, rights: [u32; 2], passes: [u32; 2]) {
    for (letter, counts) in [('j', rights), ('p', passes)] {
        if counts != [0; 2] {
            text.push_str(&format!(":{letter}{}-{}", counts[0], counts[1]));
        }
    }
}

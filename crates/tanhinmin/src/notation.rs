//! One line of text per position: the mover's cards, a slash, the other's cards, and what lies on the table.
//!
//! ```text
//! 1,3,4,5,8/2,6,7          the mover holds 1 3 4 5 8, the other 2 6 7, the table is empty
//! 2,6,7/3,4,5,8@1          a 1 lies on the table
//! 2,c1/1,3@1               c1 is a cut card of face 1
//! 3,9/2,6,c4@cut           a cut card lies on the table
//! 2,3,5:1/4,6:0            the mover needs only come down to 1 card
//! ```
//!
//! Cards may come in any order, and blanks may stand for or beside the commas. What kachi prints is sorted and uses only
//! characters that need no escaping in a URL.

use crate::position::{Part, Position, Setup, Table, TableSetup};
use crate::rules::Move;
use kachi_core::notation::{Reader, number};
use kachi_core::{Error, Limits};
use std::fmt;
use std::ops::Range;

/// A right position, shown with every error.
pub const EXAMPLE: &str = "1,3,4,5,8/2,6,7@0";

/// Where each part of a setup was written.
#[derive(Default)]
struct Places {
    ordinary: [Vec<Range<usize>>; 2],
    cuts: [Vec<Range<usize>>; 2],
    hand: [Range<usize>; 2],
    goal: [Range<usize>; 2],
    table: Range<usize>,
}

impl Places {
    fn of(&self, part: Part, whole: Range<usize>) -> Range<usize> {
        match part {
            Part::Ordinary(side, card) => self.ordinary[side][card].clone(),
            Part::CutCard(side, card) => self.cuts[side][card].clone(),
            Part::Hand(side) => self.hand[side].clone(),
            Part::Goal(side) => self.goal[side].clone(),
            Part::Table => self.table.clone(),
            Part::Whole | Part::Hands | Part::Cuts | Part::Goals => whole,
        }
    }
}

impl Position {
    /// Reads a position within limits.
    ///
    /// # Errors
    /// What is wrong, and at which bytes of the text.
    pub fn read(text: &str, limits: &Limits) -> Result<Position, Error> {
        let (setup, places) = read_setup(text)?;
        setup.validate(limits).map_err(|misfit| {
            let (part, error) = *misfit;
            error.at_text(places.of(part, 0..text.len()))
        })
    }
}

impl std::str::FromStr for Position {
    type Err = Error;

    fn from_str(text: &str) -> Result<Position, Error> {
        Position::read(text, &Limits::default())
    }
}

fn read_setup(text: &str) -> Result<(Setup, Places), Error> {
    let mut reader = Reader::new(text);
    let mut places = Places::default();
    let mut setup =
        Setup { hands: vec![vec![]; 2], cuts: vec![vec![]; 2], goal: vec![0; 2], ..Setup::default() };
    read_side(&mut reader, 0, &mut setup, &mut places)?;
    if !reader.eat('/') {
        let message =
            format!("expected a card or '/' and the other player's cards, found {}", reader.next_in_words());
        return Err(Error::new("bad_notation", message).at_text(reader.here()).hint(hint()));
    }
    read_side(&mut reader, 1, &mut setup, &mut places)?;
    if reader.eat('@') {
        reader.skip_blanks();
        let (word, place) = reader.word(|c| c.is_ascii_alphanumeric() || c == '-');
        setup.table = match word {
            "cut" => TableSetup::Cut,
            _ => TableSetup::Face(number(word, place.clone(), "the table").map_err(|e| e.hint(hint()))?),
        };
        places.table = place;
        reader.skip_blanks();
    }
    if !reader.is_done() {
        let message =
            format!("expected a card, '@' and the table, or the end, found {}", reader.next_in_words());
        return Err(Error::new("bad_notation", message).at_text(reader.here()).hint(hint()));
    }
    Ok((setup, places))
}

fn read_side(
    reader: &mut Reader<'_>,
    who: usize,
    setup: &mut Setup,
    places: &mut Places,
) -> Result<(), Error> {
    let start = reader.offset();
    loop {
        reader.skip(|c| c.is_whitespace() || c == ',' || c == '+');
        match reader.peek() {
            Some(c) if c.is_ascii_digit() || c == '-' => {
                let (word, place) = reader.word(|c| c.is_ascii_alphanumeric() || c == '-');
                let face = number(word, place.clone(), "a card").map_err(|e| e.hint(hint()))?;
                setup.hands[who].push(face);
                places.ordinary[who].push(place);
            }
            Some('c') => {
                let (word, place) = reader.word(|c| c.is_ascii_alphanumeric() || c == '-');
                let face = number(&word[1..], place.clone(), "a cut card is c and its face; the face")
                    .map_err(|e| e.hint(hint()))?;
                setup.cuts[who].push(face);
                places.cuts[who].push(place);
            }
            _ => break,
        }
    }
    places.hand[who] = start..reader.offset();
    if reader.eat(':') {
        reader.skip_blanks();
        let (word, place) = reader.word(|c| c.is_ascii_alphanumeric() || c == '-');
        setup.goal[who] = number(word, place.clone(), "a goal").map_err(|e| e.hint(hint()))?;
        places.goal[who] = place;
        reader.skip_blanks();
    }
    Ok(())
}

fn hint() -> String {
    format!("a right position is {EXAMPLE}: mover's cards / other's cards @ table (0 = empty)")
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (who, side) in self.sides.iter().enumerate() {
            if who == 1 {
                f.write_str("/")?;
            }
            let mut comma = "";
            for face in &side.ordinary {
                write!(f, "{comma}{face}")?;
                comma = ",";
            }
            for face in &side.cuts {
                write!(f, "{comma}c{face}")?;
                comma = ",";
            }
            if side.goal > 0 {
                write!(f, ":{}", side.goal)?;
            }
        }
        match self.table {
            Table::Empty => Ok(()),
            Table::Shows(face) => write!(f, "@{face}"),
            Table::Cut => f.write_str("@cut"),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Discard(face) => write!(f, "{face}"),
            Move::Cut(face) => write!(f, "c{face}"),
            Move::Pass => f.write_str("pass"),
        }
    }
}

impl std::str::FromStr for Move {
    type Err = Error;

    fn from_str(text: &str) -> Result<Move, Error> {
        let text = text.trim();
        let face = |digits: &str| digits.parse().ok().and_then(crate::Face::new);
        let mv = match text.strip_prefix('c') {
            _ if text.eq_ignore_ascii_case("pass") || text == "p" => Some(Move::Pass),
            Some(digits) => face(digits).map(Move::Cut),
            None => face(text).map(Move::Discard),
        };
        mv.ok_or_else(|| {
            Error::new("bad_move", format!("{text:?} is not a move"))
                .hint("a move is a face (5), a cut card (c5) or pass")
        })
    }
}

impl serde::Serialize for Move {
    /// As the contract writes moves: a number, `"c8"` or `"pass"`.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Move::Discard(face) => serializer.serialize_u32(face.get()),
            _ => serializer.collect_str(self),
        }
    }
}

impl schemars::JsonSchema for Move {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Move".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "an ordinary card as its face, a cut card as \"c\" and its face, or \"pass\"",
            "anyOf": [
                { "type": "integer", "minimum": 1 },
                { "type": "string", "pattern": "^(c[1-9][0-9]*|pass)$" }
            ]
        })
    }
}

//! One line of text per position, safe in a URL: `1,2/1/2,J@0`.
//!
//! * hands by seat, separated by `/`; cards by `,`; labels are letters and digits, `J` is the joker;
//! * a seat that is out: `-`, or with its rank `-1`;
//! * `@` and the seat to move, counted from 0 (seat 0 when it is missing);
//! * then, if wanted, `:ranks` (labels with 2, 4, 6 copies) and `:closed` (hands face down).
//!
//! A fresh deal can be named instead of written out: `deal:4x13@7` deals 13 pairs and the joker to 4 seats with
//! seed 7 (`deal:4x13:ranks:closed@7`: 13 ranks of four cards, face down), and discards the pairs.

use crate::position::{Card, Fault, Mode, Position, Setup, Spot, Standing, View, Written};
use crate::rules::set_up;
use crate::shape::{Shape, example};
use kachi_core::Error;
use kachi_core::notation::{Reader, number};
use kachi_core::random::Dealer;
use std::fmt::Write;
use std::ops::Range;

/// The largest deal that can be named.
const MOST_PLAYERS: u64 = 64;
/// See [`MOST_PLAYERS`].
const MOST_LABELS: u64 = 1000;

const EXAMPLE: &str = "for example 1,2/1/2,J@0 (three hands, the first seat moves)";

/// A position as one line.
pub fn write(position: &Position) -> String {
    let table = position.table();
    let mut line = String::new();
    for (seat, hand) in table.hands().iter().enumerate() {
        if seat > 0 {
            line.push('/');
        }
        match table.standing()[seat] {
            Standing::Left(rank) => {
                let _ = write!(line, "-{rank}");
            }
            Standing::Before => line.push('-'),
            Standing::In => line.push_str(&position.names(hand).join(",")),
        }
    }
    let _ = write!(line, "@{}", table.mover().0);
    if position.mode() == Mode::Ranks {
        line.push_str(":ranks");
    }
    if position.view() == View::Closed {
        line.push_str(":closed");
    }
    line
}

/// Can every label of the position be written in notation?
pub fn is_writable(position: &Position) -> bool {
    let plain = |label: &String| label.chars().all(char::is_alphanumeric) && label.is_ascii();
    position.labels.iter().all(plain)
}

/// Reads a position in which somebody is to move.
///
/// # Errors
/// What is wrong and where; codes as in [`Setup::validate`], and `bad_notation`.
pub fn read(text: &str) -> Result<Position, Error> {
    let written = Line::read(text)?;
    written.setup.validate().map_err(|fault| written.point(fault))
}

/// Reads a position for a surface: a play that is over and a named deal (`deal:4x13@7`) are accepted too.
///
/// # Errors
/// As [`read`], without `game_over`.
pub fn read_board(text: &str) -> Result<Position, Error> {
    if text.trim_start().starts_with("deal:") {
        return read_deal(text);
    }
    let written = Line::read(text)?;
    written.setup.validate_or_over().map_err(|fault| written.point(fault))
}

/// A line taken apart, with the places of its parts.
struct Line {
    setup: Setup,
    cards: Vec<Vec<Range<usize>>>,
    hands: Vec<Range<usize>>,
    mover: Range<usize>,
}

impl Line {
    fn read(text: &str) -> Result<Line, Error> {
        let mut reader = Reader::new(text);
        let mut line = Line { setup: Setup::default(), cards: vec![], hands: vec![], mover: 0..text.len() };
        loop {
            line.read_hand(&mut reader)?;
            reader.skip_blanks();
            if !reader.eat('/') {
                break;
            }
        }
        if reader.eat('@') {
            reader.skip_blanks();
            let (word, place) = reader.word(|c| c.is_ascii_digit());
            line.setup.to_move = number(word, place.clone(), "the seat to move")?;
            line.mover = place;
        }
        (line.setup.mode, line.setup.view) = read_words(&mut reader)?;
        Ok(line)
    }

    fn read_hand(&mut self, reader: &mut Reader<'_>) -> Result<(), Error> {
        let start = reader.offset();
        let (mut hand, mut places, mut rank) = (Vec::new(), Vec::new(), None);
        reader.skip_blanks();
        if reader.eat('-') {
            let (word, place) = reader.word(|c| c.is_ascii_digit());
            if !word.is_empty() {
                rank = u32::try_from(number(word, place, "the rank")?).ok();
            }
        } else if !matches!(reader.peek(), None | Some('/' | '@' | ':')) {
            loop {
                reader.skip_blanks();
                let (word, place) = reader.word(|c| c.is_ascii_alphanumeric());
                if word.is_empty() {
                    let found = reader.next_in_words();
                    let message = format!("a card is missing here: found {found}");
                    return Err(Error::new("bad_notation", message).at_text(reader.here()).hint(EXAMPLE));
                }
                hand.push(Written::Label(word.to_owned()));
                places.push(place);
                reader.skip_blanks();
                if !reader.eat(',') {
                    break;
                }
            }
        }
        self.setup.hands.push(hand);
        self.setup.ranks.push(rank);
        self.cards.push(places);
        self.hands.push(start..reader.offset());
        Ok(())
    }

    fn point(&self, fault: Fault) -> Error {
        let whole = 0..self.hands.last().map_or(0, |hand| hand.end);
        let place = match fault.spot {
            Spot::Card(seat, place) => self.cards.get(seat).and_then(|hand| hand.get(place)).cloned(),
            Spot::Hand(seat) => self.hands.get(seat).cloned(),
            Spot::Hands => Some(whole.clone()),
            Spot::Mover => Some(self.mover.clone()),
        };
        fault.at_text(place.unwrap_or(whole))
    }
}

/// The words after the seat: `:ranks`, `:pairs`, `:closed`, `:open`.
fn read_words(reader: &mut Reader<'_>) -> Result<(Mode, View), Error> {
    let (mut mode, mut view) = (Mode::Pairs, View::Open);
    loop {
        reader.skip_blanks();
        if reader.is_done() {
            return Ok((mode, view));
        }
        if !reader.eat(':') {
            let message = format!("expected '/', '@', ':' or the end, found {}", reader.next_in_words());
            return Err(Error::new("bad_notation", message).at_text(reader.here()).hint(EXAMPLE));
        }
        reader.skip_blanks();
        match reader.word(|c| c.is_ascii_alphanumeric()) {
            ("pairs", _) => mode = Mode::Pairs,
            ("ranks", _) => mode = Mode::Ranks,
            ("open", _) => view = View::Open,
            ("closed", _) => view = View::Closed,
            (word, place) => {
                let message = format!("unknown word {word:?} after ':'");
                let hint = "the words are pairs, ranks, open, closed";
                return Err(Error::new("bad_notation", message).at_text(place).hint(hint));
            }
        }
    }
}

const DEAL_EXAMPLE: &str =
    "for example deal:4x13@7 (4 players, 13 labels, seed 7) or deal:4x13:ranks:closed@7";

fn read_deal(text: &str) -> Result<Position, Error> {
    let wrong = |message: String, place: Range<usize>| {
        Err(Error::new("bad_notation", message).at_text(place).hint(DEAL_EXAMPLE))
    };
    let (body, seed) = match text.split_once('@') {
        Some((body, seed)) => {
            let place = body.len() + 1..text.len();
            (body, number(seed.trim(), place, "the seed")?.unsigned_abs())
        }
        None => (text, 0),
    };
    let mut reader = Reader::new(body);
    reader.skip_blanks();
    let (word, place) = reader.word(|c| c.is_ascii_alphabetic());
    reader.skip_blanks();
    if word != "deal" || !reader.eat(':') {
        return wrong("a named deal begins with deal:".to_owned(), place);
    }
    reader.skip_blanks();
    let (word, place) = reader.word(|c| c.is_ascii_alphanumeric());
    let sizes = word.split_once('x').and_then(|(p, n)| Some((p.parse().ok()?, n.parse().ok()?)));
    let Some((players, labels)) = sizes else {
        return wrong(format!("the size of a deal is written PLAYERSxLABELS, found {word:?}"), place);
    };
    if !(2..=MOST_PLAYERS).contains(&players) || !(1..=MOST_LABELS).contains(&labels) {
        let message = format!("a deal has 2 to {MOST_PLAYERS} players and 1 to {MOST_LABELS} labels");
        return wrong(message, place);
    }
    let (mode, view) = read_words(&mut reader)?;
    Ok(deal(players as usize, labels as u32, mode, view, seed))
}

/// Deals and discards: two copies of every label (four in mode `ranks`) and the joker, seat 0 starts.
pub fn deal(players: usize, labels: u32, mode: Mode, view: View, seed: u64) -> Position {
    let copies = match mode {
        Mode::Pairs => 2,
        Mode::Ranks => 4,
    };
    let mut cards: Vec<Card> = (0..labels).flat_map(|label| vec![Card(label); copies]).collect();
    cards.push(Card::JOKER);
    Dealer::new(seed).shuffle(&mut cards);
    let players = players.max(2);
    let mut hands = vec![Vec::new(); players];
    cards.iter().enumerate().for_each(|(i, &card)| hands[i % players].push(card));
    hands.iter_mut().for_each(|hand| hand.sort_unstable());
    let standing = vec![Standing::In; players];
    let table = crate::position::Table { hands, mover: 0, standing };
    let labels = (1..=labels).map(|label| label.to_string()).collect();
    set_up(&Position { table, labels, mode, view }).position
}

/// A position with this shape, the mover in seat 0, labels numbered from 1.
pub fn example_position(shape: &Shape, mode: Mode) -> Position {
    let table = example(shape, mode);
    let labels = (1..=shape.labels()).map(|label| label.to_string()).collect();
    Position { table, labels, mode, view: View::Open }
}

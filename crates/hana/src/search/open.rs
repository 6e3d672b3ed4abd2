//! An open position between two turns: everybody sees everything, also the order of the YAMA. Player 1 is to move.

use crate::card::{Card, Cards, lowest_points, points};
use kachi_core::notation::Reader;
use kachi_core::{Error, Game, Seat};
use std::fmt;
use std::str::FromStr;

/// Three hands, the table and the YAMA; the first player is to move.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Open {
    /// The hands in order of play.
    pub(crate) hands: [Cards; 3],
    /// The table.
    pub(crate) table: Cards,
    /// The YAMA, top first.
    pub(crate) yama: Vec<Card>,
    /// Does a card take all three mates (or, as printed, one)?
    pub(crate) sweep: bool,
}

/// Where a card of a setup stands, for errors.
fn path(place: &str, i: usize) -> String {
    format!("{place}[{i}]")
}

impl Open {
    /// A position, if it is one: no card twice, and everybody can throw all his cards before the YAMA is used up.
    ///
    /// # Errors
    /// `duplicate_card`, `wrong_count` or `too_large`, each with the field.
    pub fn new(hands: &[Vec<Card>; 3], table: &[Card], yama: &[Card], sweep: bool) -> Result<Open, Error> {
        let mut seen = Cards::NONE;
        let mut once = |card: Card, place: String| {
            if seen.has(card) {
                return Err(
                    Error::new("duplicate_card", format!("the card {card} is there twice")).at_field(place)
                );
            }
            seen = seen.with(card);
            Ok(())
        };
        for (seat, hand) in hands.iter().enumerate() {
            for (i, &card) in hand.iter().enumerate() {
                once(card, path(&format!("hands[{seat}]"), i))?;
            }
        }
        for (i, &card) in table.iter().enumerate() {
            once(card, path("table", i))?;
        }
        for (i, &card) in yama.iter().enumerate() {
            once(card, path("yama", i))?;
        }
        let turns = yama.len();
        for (seat, hand) in hands.iter().enumerate() {
            let mine = turns_of(turns, seat);
            if hand.len() > mine {
                let message = format!(
                    "player {} holds {} cards, but {} cards in the YAMA give him only {mine} turns",
                    seat + 1,
                    hand.len(),
                    turns
                );
                return Err(Error::new("wrong_count", message)
                    .at_field(format!("hands[{seat}]"))
                    .hint("the YAMA has three cards for every card of a hand"));
            }
        }
        let set = |cards: &Vec<Card>| cards.iter().copied().collect::<Cards>();
        let hands = [set(&hands[0]), set(&hands[1]), set(&hands[2])];
        Ok(Open { hands, table: table.iter().copied().collect(), yama: yama.to_vec(), sweep })
    }

    /// The hands in order of play.
    #[must_use]
    pub fn hands(&self) -> [Cards; 3] {
        self.hands
    }

    /// The table.
    #[must_use]
    pub fn table(&self) -> Cards {
        self.table
    }

    /// The YAMA, top first.
    #[must_use]
    pub fn yama(&self) -> &[Card] {
        &self.yama
    }

    /// Do three on the table go together?
    #[must_use]
    pub fn sweep(&self) -> bool {
        self.sweep
    }

    /// All cards in play.
    #[must_use]
    pub fn cards(&self) -> Cards {
        self.hands[0] | self.hands[1] | self.hands[2] | self.table | self.yama.iter().copied().collect()
    }

    /// Rounds left, the last one perhaps not full.
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.yama.len().div_ceil(3)
    }

    /// The cards still to be drawn before turn `t`, as bits.
    pub(crate) fn undrawn(&self, t: usize) -> u64 {
        self.yama.iter().skip(t).fold(0, |bits, card| bits | card.bit())
    }
}

/// Turns of a seat when `turns` turns are left and seat 0 moves first.
pub(crate) fn turns_of(turns: usize, seat: usize) -> usize {
    (turns + 2 - seat) / 3
}

/// The result of laying one card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Laid {
    pub(crate) table: u64,
    pub(crate) gained: u64,
    /// Points of what is gained.
    pub(crate) worth: i32,
}

/// A few results without allocation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Few<T, const N: usize> {
    items: [T; N],
    len: usize,
}

impl<T: Copy, const N: usize> Few<T, N> {
    pub(crate) fn new(filler: T) -> Self {
        Few { items: [filler; N], len: 0 }
    }

    pub(crate) fn push(&mut self, item: T) {
        if self.len < N {
            self.items[self.len] = item;
            self.len += 1;
        } else {
            debug_assert!(false, "a turn has more results than were foreseen");
        }
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        &self.items[..self.len]
    }
}

/// Everything that laying `card` can lead to. Candidates that `same` holds for are not told apart.
pub(crate) fn lay(table: u64, card: u64, sweep: bool, same: impl Fn(u64, u64) -> bool) -> Few<Laid, 3> {
    let mates = table & Cards::mates(Card::lowest(card)).0;
    let mut results = Few::new(Laid { table, gained: 0, worth: 0 });
    match mates.count_ones() {
        0 => results.push(Laid { table: table | card, gained: 0, worth: 0 }),
        3 if sweep => {
            results.push(Laid { table: table & !mates, gained: mates | card, worth: points(mates | card) });
        }
        _ => {
            let mut rest = mates;
            while rest != 0 {
                let mate = rest & rest.wrapping_neg();
                rest ^= mate;
                let mut earlier = mates & (mate - 1);
                let mut told = true;
                while earlier != 0 {
                    let other = earlier & earlier.wrapping_neg();
                    earlier ^= other;
                    told &= !same(mate, other);
                }
                if told {
                    let worth = lowest_points(card) + lowest_points(mate);
                    results.push(Laid { table: table & !mate, gained: card | mate, worth });
                }
            }
        }
    }
    results
}

/// Cards of one month with one value are the same to anybody who counts points.
pub(crate) fn same_points(a: u64, b: u64) -> bool {
    lowest_points(a) == lowest_points(b)
}

/// An open position as a game in the sense of the slow solvers, with the Baskets in it.
#[derive(Debug, Clone, Copy)]
pub struct OpenGame;

/// A stage of an open play.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Stage {
    /// The position at the beginning.
    pub start: Open,
    /// Turns played.
    pub turn: usize,
    /// Hands now.
    pub hands: [Cards; 3],
    /// Table now.
    pub table: Cards,
    /// Baskets now.
    pub baskets: [Cards; 3],
}

impl Stage {
    /// The beginning.
    #[must_use]
    pub fn new(start: &Open) -> Stage {
        Stage {
            start: start.clone(),
            turn: 0,
            hands: start.hands,
            table: start.table,
            baskets: [Cards::NONE; 3],
        }
    }
}

/// One whole turn: what is thrown, what it takes, what the drawn card takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Turn {
    /// The thrown card; `None` with an empty hand.
    pub throw: Option<Card>,
    /// What the throw takes, where there is a choice of one.
    pub take: Option<Card>,
    /// What the drawn card takes.
    pub draw_take: Option<Card>,
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.throw {
            Some(card) => write!(f, "{card}")?,
            None => f.write_str("-")?,
        }
        match (self.take, self.draw_take) {
            (None, None) => Ok(()),
            (Some(take), None) => write!(f, ":{take}"),
            (take, Some(drawn)) => {
                write!(f, ":{}:{drawn}", take.map_or_else(|| "-".to_owned(), |card| card.to_string()))
            }
        }
    }
}

/// Lays a card on a table: new table, what it takes, and the choices if there are any.
fn options(table: Cards, card: Card, sweep: bool) -> Vec<(Option<Card>, Cards, Cards)> {
    let mates = table & Cards::mates(card).without(card);
    match mates.count() {
        0 => vec![(None, table.with(card), Cards::NONE)],
        3 if sweep => vec![(None, table - mates, mates.with(card))],
        _ => mates.iter().map(|mate| (Some(mate), table.without(mate), mate.alone().with(card))).collect(),
    }
}

impl Game for OpenGame {
    type Position = Stage;
    type Move = Turn;
    type Ending = [Cards; 3];

    fn mover(&self, stage: &Stage) -> Seat {
        Seat(stage.turn % 3)
    }

    fn ending(&self, stage: &Stage) -> Option<[Cards; 3]> {
        (stage.turn == stage.start.yama.len()).then_some(stage.baskets)
    }

    fn moves(&self, stage: &Stage) -> Vec<Turn> {
        let Some(&drawn) = stage.start.yama.get(stage.turn) else { return Vec::new() };
        let hand = stage.hands[stage.turn % 3];
        let sweep = stage.start.sweep;
        let throws: Vec<Option<Card>> =
            if hand.is_empty() { vec![None] } else { hand.iter().map(Some).collect() };
        let mut turns = Vec::new();
        for throw in throws {
            let after = throw.map_or_else(
                || vec![(None, stage.table, Cards::NONE)],
                |card| options(stage.table, card, sweep),
            );
            for (take, table, _) in after {
                for (draw_take, ..) in options(table, drawn, sweep) {
                    turns.push(Turn { throw, take, draw_take });
                }
            }
        }
        turns
    }

    fn play(&self, stage: &Stage, turn: &Turn) -> Stage {
        let mut next = stage.clone();
        let me = stage.turn % 3;
        let sweep = stage.start.sweep;
        let lay = |next: &mut Stage, card: Card, take: Option<Card>| {
            if let Some((_, table, gained)) =
                options(next.table, card, sweep).into_iter().find(|&(choice, ..)| choice == take)
            {
                next.table = table;
                next.baskets[me] = next.baskets[me] | gained;
            }
        };
        if let Some(card) = turn.throw {
            next.hands[me] = next.hands[me].without(card);
            lay(&mut next, card, turn.take);
        }
        lay(&mut next, stage.start.yama[stage.turn], turn.draw_take);
        next.turn += 1;
        next
    }
}

impl fmt::Display for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [oya, naka, biki] = self.hands;
        let yama: Vec<String> = self.yama.iter().map(Card::to_string).collect();
        write!(f, "{oya}/{naka}/{biki}@{}:{}", self.table, yama.join(","))?;
        if self.sweep { Ok(()) } else { f.write_str(":one") }
    }
}

impl FromStr for Open {
    type Err = Error;

    fn from_str(text: &str) -> Result<Open, Error> {
        let mut reader = Reader::new(text);
        let mut places = [(); 5].map(|()| Vec::new());
        const ENDS: [char; 4] = ['/', '/', '@', ':'];
        const WHAT: [&str; 5] = ["oya's hand", "naka's hand", "biki's hand", "the table", "the YAMA"];
        for i in 0..5 {
            places[i] = read_cards(&mut reader)?;
            if i < 4 && !reader.eat(ENDS[i]) {
                let message =
                    format!("after {} comes {:?}, found {}", WHAT[i], ENDS[i], reader.next_in_words());
                return Err(Error::new("bad_notation", message).at_text(reader.here()).hint(EXAMPLE));
            }
        }
        let sweep = !reader.eat(':') || {
            let (word, place) = reader.word(char::is_alphanumeric);
            match word {
                "one" => false,
                "all" => true,
                _ => {
                    let message = format!("after the YAMA comes :one or nothing, found {word:?}");
                    return Err(Error::new("bad_notation", message).at_text(place).hint(EXAMPLE));
                }
            }
        };
        reader.skip_blanks();
        if !reader.is_done() {
            let message = format!("nothing may follow, found {}", reader.next_in_words());
            return Err(Error::new("bad_notation", message).at_text(reader.here()).hint(EXAMPLE));
        }
        let [oya, naka, biki, table, yama] = places;
        Open::new(&[oya, naka, biki], &table, &yama, sweep)
    }
}

const EXAMPLE: &str = "4c/12b/3c@2c,4b,10b,12c:10a,2d,3b: three hands, @ the table, : the YAMA from the top";

fn read_cards(reader: &mut Reader<'_>) -> Result<Vec<Card>, Error> {
    let mut cards = Vec::new();
    loop {
        reader.skip(|c| c.is_whitespace() || c == ',');
        let (word, place) = reader.word(|c| c.is_ascii_alphanumeric());
        if word.is_empty() {
            return Ok(cards);
        }
        let card = word.parse::<Card>().map_err(|error| error.at_text(place))?;
        cards.push(card);
        if cards.len() > crate::card::DECK {
            return Err(Error::too_large("cards of one place", "more than 48", 48));
        }
    }
}

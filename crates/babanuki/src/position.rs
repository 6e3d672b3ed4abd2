//! Who holds what and whose turn it is. A raw [`Setup`] (anything a person or a program may write) becomes a
//! [`Position`], or a [`Fault`] with the first rule that it breaks, in the fixed order of `docs/theory/babanuki.md`.

use kachi_core::{Error, Place, Seat};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// The name of the joker on every surface.
pub const JOKER_NAME: &str = "J";

/// How many copies of a label there may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Every label has two copies (the game of the literature).
    #[default]
    Pairs,
    /// Every label has an even number of copies, at most one in a hand (a real deck, where ranks make pairs).
    Ranks,
}

/// Who sees the cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum View {
    /// All hands lie face up.
    #[default]
    Open,
    /// Everybody sees only the own hand and draws blindly.
    Closed,
}

/// A card: a label by its number in the position's list of labels, or the joker. Cards of one label are alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Card(pub u32);

impl Card {
    /// The joker; it sorts after all labels.
    pub const JOKER: Card = Card(u32::MAX);

    /// Is it the joker?
    pub fn is_joker(self) -> bool {
        self == Card::JOKER
    }
}

/// Is a seat still in the game?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Standing {
    /// It holds cards.
    In,
    /// It left with this rank (1 = first out).
    Left(u32),
    /// It was out before this position was set up; its rank is not recorded.
    Before,
}

/// The cards on the table: hands, mover, who has left. This is what the rules speak about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Table {
    pub(crate) hands: Vec<Vec<Card>>,
    pub(crate) mover: usize,
    pub(crate) standing: Vec<Standing>,
}

impl Table {
    /// The hands by seat, each in ascending order with the joker last.
    pub fn hands(&self) -> &[Vec<Card>] {
        &self.hands
    }

    /// How many seats the game began with.
    pub fn players(&self) -> usize {
        self.hands.len()
    }

    /// The seat to move; when the play is over, the seat that is left with the joker.
    pub fn mover(&self) -> Seat {
        Seat(self.mover)
    }

    /// What became of every seat.
    pub fn standing(&self) -> &[Standing] {
        &self.standing
    }

    /// The seats with cards, from the mover on, in the order of play.
    pub fn seats_in(&self) -> impl Iterator<Item = usize> + '_ {
        let p = self.hands.len();
        (0..p).map(move |step| (self.mover + step) % p).filter(|&seat| !self.hands[seat].is_empty())
    }

    /// The nearest seat before the mover that has cards: the one the mover draws from.
    pub fn victim(&self) -> Option<Seat> {
        let p = self.hands.len();
        (1..p).map(|step| (self.mover + p - step) % p).find(|&seat| !self.hands[seat].is_empty()).map(Seat)
    }

    /// Does only one seat hold cards?
    pub fn is_over(&self) -> bool {
        self.hands.iter().filter(|hand| !hand.is_empty()).count() < 2
    }

    /// The seat with the joker.
    pub fn joker_seat(&self) -> Seat {
        let holds = |hand: &Vec<Card>| hand.last().is_some_and(|card| card.is_joker());
        Seat(self.hands.iter().position(holds).unwrap_or(self.mover))
    }
}

/// A legal position: no hand holds a label twice, every label can be paired off, exactly one joker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    pub(crate) table: Table,
    pub(crate) labels: Arc<[String]>,
    pub(crate) mode: Mode,
    pub(crate) view: View,
}

impl Position {
    /// The cards on the table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// How many copies a label may have.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Who sees the cards.
    pub fn view(&self) -> View {
        self.view
    }

    /// The same position with other eyes.
    #[must_use]
    pub fn seen(mut self, view: View) -> Position {
        self.view = view;
        self
    }

    /// The name of a card.
    pub fn name(&self, card: Card) -> &str {
        if card.is_joker() {
            return JOKER_NAME;
        }
        self.labels.get(card.0 as usize).map_or("?", String::as_str)
    }

    /// The card with this name, if the position knows the label.
    pub fn card(&self, name: &str) -> Option<Card> {
        if name == JOKER_NAME {
            return Some(Card::JOKER);
        }
        let found = self.labels.binary_search_by(|label| by_number(label, name)).ok()?;
        Some(Card(found as u32))
    }

    /// The names of cards.
    pub fn names(&self, cards: &[Card]) -> Vec<&str> {
        cards.iter().map(|&card| self.name(card)).collect()
    }

    /// The same labels and mode with other cards on the table.
    #[must_use]
    pub fn with(&self, table: Table) -> Position {
        Position { table, labels: Arc::clone(&self.labels), mode: self.mode, view: self.view }
    }
}

/// What a seat is called: A, B, ... Z, then S26, S27, ...
pub fn seat_name(seat: usize) -> String {
    match u8::try_from(seat) {
        Ok(small @ 0..26) => char::from(b'A' + small).to_string(),
        _ => format!("S{seat}"),
    }
}

/// The order of labels: numbers by size, before everything else; words by their letters.
pub fn by_number(a: &str, b: &str) -> Ordering {
    let digits = |label: &str| !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_digit());
    match (digits(a), digits(b)) {
        (true, true) => {
            let (x, y) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
            x.len().cmp(&y.len()).then_with(|| x.cmp(y)).then_with(|| a.cmp(b))
        }
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (false, false) => a.cmp(b),
    }
}

/// What was written where a card should stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written {
    /// A label, or `J`.
    Label(String),
    /// Not a string at all; what it was.
    Other(&'static str),
}

impl From<&str> for Written {
    fn from(label: &str) -> Self {
        Written::Label(label.to_owned())
    }
}

/// Hands as they come in; nothing is checked yet.
#[derive(Debug, Clone, Default)]
pub struct Setup {
    /// The hands by seat; an empty one means "already out".
    pub hands: Vec<Vec<Written>>,
    /// The seat to move (for a deal: the starter).
    pub to_move: i64,
    /// Copies of a label.
    pub mode: Mode,
    /// Open or closed hands.
    pub view: View,
    /// Ranks of seats that are out, where known; may be shorter than `hands`.
    pub ranks: Vec<Option<u32>>,
}

/// The part of a setup that a fault is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    /// One card: seat and place in the hand.
    Card(usize, usize),
    /// One hand.
    Hand(usize),
    /// All hands.
    Hands,
    /// The seat to move.
    Mover,
}

/// The first rule that a setup breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// A stable name.
    pub code: &'static str,
    /// For a person.
    pub message: String,
    /// Where.
    pub spot: Spot,
    /// What would be right.
    pub hint: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Fault {
    fn new(code: &'static str, spot: Spot, message: String, hint: impl Into<String>) -> Fault {
        Fault { code, message, spot, hint: hint.into() }
    }

    /// As an error about fields of a request; `hands` and `mover` are the names of the fields.
    pub fn at_fields(self, hands: &str, mover: &str) -> Error {
        let path = match self.spot {
            Spot::Card(seat, place) => format!("{hands}[{seat}][{place}]"),
            Spot::Hand(seat) => format!("{hands}[{seat}]"),
            Spot::Hands => hands.to_owned(),
            Spot::Mover => mover.to_owned(),
        };
        self.at(Place::Field(path))
    }

    /// As an error at a place of a line of text.
    pub fn at_text(self, range: Range<usize>) -> Error {
        self.at(Place::Text(range))
    }

    fn at(self, place: Place) -> Error {
        Error::new(self.code, self.message).at(place).hint(self.hint)
    }
}

/// A setup whose cards have been counted: labels numbered, hands sorted (pairs may still be inside).
struct Counted {
    labels: Arc<[String]>,
    hands: Vec<Vec<Card>>,
}

impl Setup {
    /// Checks everything that makes a position legal.
    ///
    /// # Errors
    /// The first broken rule, in the order `too_few_players`, `bad_card`, `no_joker`, `many_jokers`, `pair_in_hand`,
    /// `unmatched_card`, `too_many_copies` or `odd_copies`, `game_over`, `bad_mover`.
    pub fn validate(&self) -> Result<Position, Fault> {
        self.validate_for(false)
    }

    /// Like [`validate`](Setup::validate), but a play that is over is accepted: a surface must be able to show it.
    ///
    /// # Errors
    /// As [`validate`](Setup::validate), without `game_over`.
    pub fn validate_or_over(&self) -> Result<Position, Fault> {
        self.validate_for(true)
    }

    fn validate_for(&self, over_allowed: bool) -> Result<Position, Fault> {
        let counted = self.count(false)?;
        let filled = counted.hands.iter().filter(|hand| !hand.is_empty()).count();
        if filled < 2 && !over_allowed {
            let message = "the game is over: only the hand with the joker is left".to_owned();
            return Err(Fault::new("game_over", Spot::Hands, message, "two or more hands must hold cards"));
        }
        let mover = self.seat()?;
        if counted.hands[mover].is_empty() {
            let message = format!("seat {mover} is to move, but its hand is empty: it is already out");
            return Err(Fault::new("bad_mover", Spot::Mover, message, "name a seat that holds cards"));
        }
        let out = |seat: usize| match self.ranks.get(seat) {
            Some(&Some(rank)) => Standing::Left(rank),
            _ => Standing::Before,
        };
        let standing = counted.hands.iter().enumerate();
        let standing = standing.map(|(seat, hand)| if hand.is_empty() { out(seat) } else { Standing::In });
        let standing = standing.collect();
        let table = Table { hands: counted.hands, mover, standing };
        Ok(Position { table, labels: counted.labels, mode: self.mode, view: self.view })
    }

    /// Checks a deal: like [`validate`](Setup::validate), but hands may hold pairs, and may be all but one empty.
    /// Gives the dealt hands and the starter; [`rules::set_up`](crate::rules::set_up) discards the pairs.
    ///
    /// # Errors
    /// As [`validate`](Setup::validate), without `pair_in_hand` and `game_over`.
    pub fn validate_deal(&self) -> Result<Position, Fault> {
        let counted = self.count(true)?;
        let mover = self.seat()?;
        let standing = vec![Standing::In; counted.hands.len()];
        let table = Table { hands: counted.hands, mover, standing };
        Ok(Position { table, labels: counted.labels, mode: self.mode, view: self.view })
    }

    fn seat(&self) -> Result<usize, Fault> {
        let seats = self.hands.len();
        usize::try_from(self.to_move).ok().filter(|&seat| seat < seats).ok_or_else(|| {
            let message = format!("there is no seat {}: the seats are 0 to {}", self.to_move, seats - 1);
            Fault::new("bad_mover", Spot::Mover, message, "seats are counted from 0")
        })
    }

    fn count(&self, pairs_allowed: bool) -> Result<Counted, Fault> {
        if self.hands.len() < 2 {
            let message = format!("{} hand: babanuki needs two players or more", self.hands.len());
            return Err(Fault::new("too_few_players", Spot::Hands, message, "for example 1/1,J@0"));
        }
        let mut jokers = Vec::new();
        let mut names: Vec<(&str, usize, usize)> = Vec::new();
        for (seat, hand) in self.hands.iter().enumerate() {
            for (place, written) in hand.iter().enumerate() {
                match written {
                    Written::Label(label) if label == JOKER_NAME => jokers.push((seat, place)),
                    Written::Label(label) if !label.is_empty() => names.push((label, seat, place)),
                    Written::Label(_) => return Err(bad_card(seat, place, "an empty string")),
                    Written::Other(kind) => return Err(bad_card(seat, place, kind)),
                }
            }
        }
        match jokers[..] {
            [] => {
                let message = "there is no joker: exactly one card must be J".to_owned();
                return Err(Fault::new("no_joker", Spot::Hands, message, "add J to one hand: 1/1,J@0"));
            }
            [_] => {}
            [_, (seat, place), ..] => {
                let message = format!("there are {} jokers: exactly one card must be J", jokers.len());
                let hint = "keep one J and remove the others";
                return Err(Fault::new("many_jokers", Spot::Card(seat, place), message, hint));
            }
        }
        let mut labels: Vec<&str> = names.iter().map(|&(label, _, _)| label).collect();
        labels.sort_unstable_by(|a, b| by_number(a, b));
        labels.dedup();
        let numbers: FxHashMap<&str, u32> = labels.iter().zip(0..).map(|(&label, i)| (label, i)).collect();
        let number = |label: &str| numbers.get(label).copied().unwrap_or_default();
        if !pairs_allowed {
            let mut holder = vec![usize::MAX; labels.len()];
            for &(label, seat, place) in &names {
                // Cards come hand by hand, so a label met before in the same hand still carries its seat.
                let last = &mut holder[number(label) as usize];
                if *last == seat {
                    let message = format!("seat {seat} holds {label} twice: pairs are discarded at once");
                    let hint = "remove both copies, or ask with the query deal";
                    return Err(Fault::new("pair_in_hand", Spot::Card(seat, place), message, hint));
                }
                *last = seat;
            }
        }
        let mut copies = vec![0_usize; labels.len()];
        names.iter().for_each(|&(label, _, _)| copies[number(label) as usize] += 1);
        self.check_copies(&names, &copies, &number)?;
        let mut hands = vec![Vec::new(); self.hands.len()];
        names.iter().for_each(|&(label, seat, _)| hands[seat].push(Card(number(label))));
        hands[jokers[0].0].push(Card::JOKER);
        hands.iter_mut().for_each(|hand| hand.sort_unstable());
        Ok(Counted { labels: labels.iter().map(|&label| label.to_owned()).collect(), hands })
    }

    fn check_copies(
        &self,
        names: &[(&str, usize, usize)],
        copies: &[usize],
        number: &impl Fn(&str) -> u32,
    ) -> Result<(), Fault> {
        let first = |wrong: &dyn Fn(usize) -> bool| {
            let found = names.iter().find(|(label, _, _)| wrong(copies[number(label) as usize]));
            found
                .map(|&(label, seat, place)| (label, Spot::Card(seat, place), copies[number(label) as usize]))
        };
        match self.mode {
            Mode::Pairs => {
                if let Some((label, spot, _)) = first(&|copies| copies == 1) {
                    let message = format!("{label} occurs once: every label needs its mate in another hand");
                    return Err(Fault::new(
                        "unmatched_card",
                        spot,
                        message,
                        "add a second copy, or remove it",
                    ));
                }
                if let Some((label, spot, copies)) = first(&|copies| copies > 2) {
                    let message =
                        format!("{label} occurs {copies} times: in mode pairs every label occurs twice");
                    let hint = "for a real deck, where a rank occurs four times, use mode ranks";
                    return Err(Fault::new("too_many_copies", spot, message, hint));
                }
            }
            Mode::Ranks => {
                if let Some((label, spot, copies)) = first(&|copies| copies % 2 == 1) {
                    let message = format!("{label} occurs {copies} times: the number of copies must be even");
                    return Err(Fault::new("odd_copies", spot, message, "add or remove one copy"));
                }
            }
        }
        Ok(())
    }
}

fn bad_card(seat: usize, place: usize, found: &str) -> Fault {
    let message = format!("a card must be a non-empty string, found {found}");
    Fault::new(
        "bad_card",
        Spot::Card(seat, place),
        message,
        "labels are strings such as \"7\"; the joker is \"J\"",
    )
}

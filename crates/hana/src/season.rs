//! A game of twelve months (or six, or one): purses, the oya, what the field carries, the pot, and the score sheet. Seats count from 0.
//! One line of text holds it all: `modern:3@7/2:-12,24,-12/5a,5c` is preset, seats and seed; winner and nets of every finished month; the
//! decisions of the running one.

use crate::card::{Card, DECK};
use crate::field::{self, Waiting};
use crate::house::{House, Oya, Preset};
use crate::month::{Ask, Decision, Month, deal};
use kachi_core::Error;
use kachi_core::notation::number;
use kachi_core::random::Dealer;
use std::fmt;
use std::str::FromStr;

/// A finished month on the score sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The seat that won; `None` if the month was void.
    pub winner: Option<usize>,
    /// What each seat won or lost.
    pub net: Vec<i64>,
}

/// A game in play.
#[derive(Debug, Clone)]
pub struct Season {
    /// The preset by name; `None` for the rules of a house, which only their text can tell.
    preset: Option<Preset>,
    house: House,
    seats: usize,
    seed: u64,
    sheet: Vec<Line>,
    oya: usize,
    carry: Waiting,
    month: Month,
    decisions: Vec<Decision>,
}

/// The deck and the order of a month, by seed: shuffled until the table is playable.
#[must_use]
pub fn shuffled(seed: u64, month: usize, seats: usize) -> ([Card; DECK], [Card; DECK]) {
    // Months of one game and games of neighbouring seeds must not share a stream.
    let mut dealer = Dealer::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(month as u64));
    let mut deck: [Card; DECK] = std::array::from_fn(|id| Card::lowest(1 << id));
    // About one table in a thousand is dealt again; a hundred in a row do not happen, and the last one would be refused.
    for _ in 0..100 {
        dealer.shuffle(&mut deck);
        if !field::redeal(deal(&deck, seats.clamp(3, 6)).1) {
            break;
        }
    }
    let mut order = deck;
    dealer.shuffle(&mut order);
    (deck, order)
}

impl Season {
    /// Begins a game.
    ///
    /// # Errors
    /// `bad_seats`.
    pub fn new(preset: Preset, seats: usize, seed: u64) -> Result<Season, Error> {
        Season::begin(Some(preset), preset.rules(), seats, seed)
    }

    /// Begins a game by the rules of a house.
    ///
    /// # Errors
    /// `bad_seats`.
    pub fn with_house(house: House, seats: usize, seed: u64) -> Result<Season, Error> {
        Season::begin(None, house, seats, seed)
    }

    fn begin(preset: Option<Preset>, house: House, seats: usize, seed: u64) -> Result<Season, Error> {
        let (deck, order) = shuffled(seed, 1, seats);
        let (month, carry) = Month::deal(house, seats, &deck, &order, &Waiting::default(), 0)?;
        Ok(Season {
            preset,
            house,
            seats,
            seed,
            sheet: Vec::new(),
            oya: 0,
            carry,
            month,
            decisions: Vec::new(),
        })
    }

    /// Answers the question of the month; when the month is over, writes it on the sheet and deals the next.
    ///
    /// # Errors
    /// As [`Month::decide`].
    pub fn decide(&mut self, decision: Decision) -> Result<(), Error> {
        self.month.decide(decision)?;
        self.decisions.push(decision);
        if self.month.ended().is_some() && !self.is_over() {
            let line = self.line();
            self.close(line)?;
        }
        Ok(())
    }

    /// The running month as a line of the sheet, once it is over.
    fn line(&self) -> Line {
        let players = self.month.players().unwrap_or([0; 3]);
        let winner =
            self.month.settled().and_then(|paid| paid.winner).map(|winner| self.seat(players[winner]));
        let mut net = vec![0; self.seats];
        for (i, &cash) in self.month.cash().iter().enumerate() {
            net[self.seat(i)] = cash;
        }
        Line { winner, net }
    }

    /// Writes a line and deals the next month, unless that was the last.
    fn close(&mut self, line: Line) -> Result<(), Error> {
        if self.house.oya == Oya::Winner {
            self.oya = line.winner.unwrap_or(self.oya);
        }
        self.sheet.push(line);
        if self.sheet.len() < usize::from(self.house.months) {
            let (deck, order) = shuffled(self.seed, self.sheet.len() + 1, self.seats);
            let pot = -self.sheet.iter().flat_map(|line| &line.net).sum::<i64>();
            (self.month, self.carry) = Month::deal(self.house, self.seats, &deck, &order, &self.carry, pot)?;
            self.decisions.clear();
        }
        Ok(())
    }

    /// Are all months played?
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.sheet.len() >= usize::from(self.house.months)
    }

    /// The absolute seat of the `i`-th person from the oya.
    #[must_use]
    pub fn seat(&self, i: usize) -> usize {
        (self.oya + i) % self.seats
    }

    /// The running month; after the last one, the last.
    #[must_use]
    pub fn month(&self) -> &Month {
        &self.month
    }

    /// Its number, from 1.
    #[must_use]
    pub fn number(&self) -> usize {
        (self.sheet.len() + 1).min(usize::from(self.house.months))
    }

    /// Who has to decide.
    #[must_use]
    pub fn mover(&self) -> Option<usize> {
        if self.is_over() { None } else { self.month.asked_seat().map(|i| self.seat(i)) }
    }

    /// What is asked.
    #[must_use]
    pub fn ask(&self) -> Option<Ask> {
        if self.is_over() { None } else { self.month.ask() }
    }

    /// The rules.
    #[must_use]
    pub fn house(&self) -> &House {
        &self.house
    }

    /// Persons.
    #[must_use]
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// The seat of the oya.
    #[must_use]
    pub fn oya(&self) -> usize {
        self.oya
    }

    /// Finished months.
    #[must_use]
    pub fn sheet(&self) -> &[Line] {
        &self.sheet
    }

    /// What each seat has won or lost in all finished months.
    #[must_use]
    pub fn purses(&self) -> Vec<i64> {
        let mut purses = vec![0; self.seats];
        for line in &self.sheet {
            for (purse, net) in purses.iter_mut().zip(&line.net) {
                *purse += net;
            }
        }
        purses
    }

    /// The decisions of the running month.
    #[must_use]
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// The running month as a replay; none by the rules of a house, because a replay names its rules.
    #[must_use]
    pub fn replay(&self) -> Option<crate::replay::Replay> {
        let (deck, order) = shuffled(self.seed, self.number(), self.seats);
        let carry = self.carry_into(self.number());
        let decisions = self.decisions.clone();
        Some(crate::replay::Replay::new(self.preset?, self.seats, deck, order, carry, decisions))
    }

    /// What the field carried into a month: it depends on the tables alone.
    fn carry_into(&self, month: usize) -> Waiting {
        (1..month).fold(Waiting::default(), |carry, month| {
            let table = deal(&shuffled(self.seed, month, self.seats).0, self.seats).1;
            field::field(table, &carry, self.house.carry).1
        })
    }
}

/// A decision as a word: what was asked gives it its meaning.
#[must_use]
pub fn decision_word(ask: Ask, decision: Decision) -> String {
    match (ask, decision) {
        (_, Decision::Card(card)) => card.to_string(),
        (Ask::Active { .. }, Decision::Say(yes)) => if yes { "play" } else { "drop" }.into(),
        (Ask::Cancel { .. }, Decision::Say(yes)) => if yes { "cancel" } else { "on" }.into(),
        (_, Decision::Say(yes)) => if yes { "shobu" } else { "sage" }.into(),
    }
}

/// Reads a decision.
///
/// # Errors
/// `bad_move` with the words that are possible.
pub fn read_decision(ask: Ask, word: &str) -> Result<Decision, Error> {
    let word = word.trim().to_ascii_lowercase();
    let say = |yes: &str, no: &str| {
        if word == yes {
            Ok(Decision::Say(true))
        } else if word == no {
            Ok(Decision::Say(false))
        } else {
            Err(Error::new("bad_move", format!("{yes} or {no} is asked for, not {word:?}")))
        }
    };
    match ask {
        Ask::Active { .. } => say("play", "drop"),
        Ask::Cancel { .. } => say("cancel", "on"),
        Ask::Shobu { .. } => say("shobu", "sage"),
        Ask::Throw { from, .. } | Ask::Take { from, .. } => word
            .parse()
            .map(Decision::Card)
            .map_err(|error| Error::new("bad_move", error.message).hint(format!("one of {from}"))),
    }
}

impl fmt::Display for Season {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}@{}", self.preset.map_or(HOUSE, Preset::name), self.seats, self.seed)?;
        for line in &self.sheet {
            let net: Vec<String> = line.net.iter().map(i64::to_string).collect();
            write!(f, "/{}:{}", line.winner.map_or(0, |seat| seat + 1), net.join(","))?;
        }
        if self.is_over() || self.decisions.is_empty() {
            return Ok(());
        }
        let (deck, order) = shuffled(self.seed, self.number(), self.seats);
        let carry = self.carry_into(self.number());
        let Ok((mut month, _)) = Month::deal(self.house, self.seats, &deck, &order, &carry, 0) else {
            return Ok(());
        };
        for (i, &decision) in self.decisions.iter().enumerate() {
            f.write_str(if i == 0 { "/" } else { "," })?;
            if let Some(ask) = month.ask() {
                f.write_str(&decision_word(ask, decision))?;
            }
            // They were legal when they were made.
            let _ = month.decide(decision);
        }
        Ok(())
    }
}

const EXAMPLE: &str = "modern:3@7 is a new game, modern:3@7/2:-12,24,-12/5a,5c one in its second month: preset, seats, seed; winner and \
                       nets of every finished month; the decisions of this one";

/// The longest text that is read: twelve months of decisions are far shorter.
const LONGEST: usize = 8_192;

/// What stands for the preset when a house has rules of its own.
const HOUSE: &str = "house";

/// `PRESET:SEATS@SEED`, then `/WINNER:NET,NET,NET` for every finished month, then `/` and the decisions of the running one.
impl FromStr for Season {
    type Err = Error;

    fn from_str(text: &str) -> Result<Season, Error> {
        Season::read(text, None)
    }
}

impl Season {
    /// Reads a game; one that begins with `house` needs the rules of the house.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn read(text: &str, rules: Option<House>) -> Result<Season, Error> {
        if text.len() > LONGEST {
            return Err(Error::too_large("characters of a position", text.len(), LONGEST));
        }
        let bad = |message: String, place: std::ops::Range<usize>| {
            Error::new("bad_notation", message).at_text(place).hint(EXAMPLE)
        };
        let mut at = 0;
        let mut parts = text.split('/').map(|part| {
            let place = at..at + part.len();
            at += part.len() + 1;
            (part, place)
        });
        let (head, place) = parts.next().unwrap_or(("", 0..0));
        let read_head = || {
            let (preset, rest) = head.split_once(':')?;
            let (seats, seed) = rest.split_once('@')?;
            let preset = match preset.trim() {
                "modern" => Some(Preset::Modern),
                "paper" => Some(Preset::Paper),
                HOUSE => None,
                _ => return None,
            };
            Some((preset, seats.trim().parse::<usize>().ok()?, seed.trim().parse::<u64>().ok()?))
        };
        let (preset, seats, seed) =
            read_head().ok_or_else(|| bad(format!("{head:?} does not begin a game"), place.clone()))?;
        let house = match (preset, rules) {
            (Some(preset), _) => preset.rules(),
            (None, Some(house)) => house,
            (None, None) => {
                let message = "this game is played by the rules of a house, which are not given";
                let hint = "kachi play hana --rules FILE house:3@7";
                return Err(Error::new("no_house_rules", message).at_text(place).hint(hint));
            }
        };
        let mut season = Season::begin(preset, house, seats, seed).map_err(|error| error.at_text(place))?;
        for (part, place) in parts {
            if season.is_over() {
                return Err(bad("the last month is played: nothing may follow".into(), place));
            }
            if let Some((winner, nets)) = part.split_once(':') {
                if !season.decisions.is_empty() {
                    return Err(bad("finished months come before the running one".into(), place));
                }
                let line = season.read_line(winner, nets, &place)?;
                season.close(line)?;
            } else {
                let words = part.split([',', ' ']).filter(|word| !word.is_empty());
                for word in words {
                    let ask = season.ask().ok_or_else(|| {
                        bad("the last month is played: nothing may follow".into(), place.clone())
                    })?;
                    let decision = read_decision(ask, word).map_err(|error| error.at_text(place.clone()))?;
                    season.decide(decision).map_err(|error| error.at_text(place.clone()))?;
                }
            }
        }
        Ok(season)
    }

    fn read_line(&self, winner: &str, nets: &str, place: &std::ops::Range<usize>) -> Result<Line, Error> {
        const MOST: i64 = 1_000_000_000;
        let bad = |message: &str| Error::new("bad_notation", message).at_text(place.clone()).hint(EXAMPLE);
        let winner = number(winner.trim(), place.clone(), "the winner of a month")?;
        let winner = usize::try_from(winner).ok().filter(|&winner| winner <= self.seats);
        let winner = winner.ok_or_else(|| bad("the winner of a month is a seat, or 0 if it was void"))?;
        let mut net = Vec::new();
        for word in nets.split(',') {
            let value = number(word.trim(), place.clone(), "a net")?;
            if value.abs() > MOST {
                return Err(bad("no month moves that much money"));
            }
            net.push(value);
        }
        let pot = -self.sheet.iter().flat_map(|line| &line.net).chain(&net).sum::<i64>();
        if net.len() != self.seats || pot < 0 {
            return Err(bad("every seat has a net, and together they cannot win money"));
        }
        Ok(Line { winner: winner.checked_sub(1), net })
    }
}

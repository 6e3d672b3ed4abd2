//! The table: turns the oracles of a program into questions of the game and checks every answer. `Deal` must be a partition of the deck,
//! `Ordering` a permutation of its set, a card must come from the set that was offered.

use super::deals::{Deal, SEATS, cards};
use crate::compiled::{Cell, Compiled, Oracles, Question, State, Value};
use crate::types::ty::Ty;
use crate::types::typed::Oracle;
use hana::month::{Ask, Decision};
use kachi_core::Error;

/// A question of the game, and whom it is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked {
    /// As the native engine asks it: seats from the oya on, players 0 to 2.
    pub ask: Ask,
    /// The person, counted from 0, wherever the oya sits.
    pub person: usize,
}

/// Everybody at the table: deals, and answers.
pub trait Company {
    /// The deal of a month (from 1), when this person (from 0) is oya.
    ///
    /// # Errors
    /// In words, why there is none.
    fn deal(&mut self, month: i64, oya: usize, money: Money<'_>) -> Result<Deal, String>;

    /// An answer.
    ///
    /// # Errors
    /// In words, why there is none.
    fn decide(&mut self, asked: Asked) -> Result<Decision, String>;
}

/// Purses and pot at the moment of a deal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Money<'a> {
    /// What each person has won or lost so far.
    pub purses: &'a [i64],
    /// What lies on the table.
    pub pot: i64,
}

impl<'a> Money<'a> {
    /// As the program keeps it: `cash(table)` is the pot, `cash(Hand(p))` the purse of p.
    #[must_use]
    pub fn of(cash: &'a [i64], seats: usize) -> Money<'a> {
        Money { purses: cash.get(2..2 + seats).unwrap_or(&[]), pot: cash.first().copied().unwrap_or(0) }
    }
}

/// The oracles that a table can answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Deal,
    Ordering,
    Active,
    Cancel,
    Shobu,
    ThrowIn,
    TakeOut,
}

fn known(oracle: &Oracle) -> Option<Known> {
    use Ty::{Bool, Flower, Int, Place};
    let flowers = || Flower.set();
    let bouquet = Ty::Map(Place.into(), flowers().into());
    let (known, params, result) = match oracle.name.as_str() {
        "Deal" => (Known::Deal, vec![Int], bouquet),
        "Ordering" => (Known::Ordering, vec![flowers(), Int], Flower.seq()),
        "Active" => (Known::Active, vec![Int], Bool),
        "Cancel" => (Known::Cancel, vec![Int], Bool),
        "Shobu" => (Known::Shobu, vec![Int], Bool),
        "Throw-in" => (Known::ThrowIn, vec![Int, flowers()], Flower),
        "Take-out" => (Known::TakeOut, vec![Flower, Int, flowers()], Flower),
        _ => return None,
    };
    let fits = oracle.result == result && oracle.params.iter().map(|param| &param.ty).eq(&params);
    fits.then_some(known)
}

/// What every oracle must look like.
const ORACLES: &str = "the host answers Deal(M : Int) : map Place of set Flower; Ordering(S : set Flower; M : Int) : seq Flower; Active(p : Int), \
                       Cancel(p : Int), Shobu(p : Int) : Bool; Throw-in(p : Int; S : set Flower) : Flower; Take-out(a : Flower; p : Int; S : \
                       set Flower) : Flower";

/// Where the table finds what it must know of the state.
#[derive(Debug, Clone)]
struct Places {
    /// `oya`, where a program has one; otherwise person 1 is oya.
    oya: Option<Cell>,
    /// `player`, the persons who play.
    player: Option<Cell>,
    /// `cash`.
    cash: Option<Cell>,
}

/// A table with a company, for one compiled program.
#[derive(Debug, Clone)]
pub struct Table<C> {
    /// Who sits there.
    pub company: C,
    seats: usize,
    oracles: Vec<Known>,
    places: Places,
    order: Vec<u8>,
}

impl<C: Company> Table<C> {
    /// Sets a company down to a program.
    ///
    /// # Errors
    /// `unknown_oracle` if the program asks something that no game of hana asks; `bad_seats` if not 3 to 6 sit down.
    pub fn new(program: &Compiled, company: C) -> Result<Table<C>, Error> {
        let seats = usize::from(program.house().seats);
        if !(3..=SEATS).contains(&seats) {
            let message = format!("3 to 6 persons can play, not {seats}");
            return Err(Error::new("bad_seats", message).at_field("seats"));
        }
        let mut oracles = Vec::new();
        for oracle in program.oracles() {
            oracles.push(known(oracle).ok_or_else(|| {
                Error::new("unknown_oracle", format!("no game of hana answers the oracle {}", oracle.name))
                    .at_text(oracle.span.range())
                    .hint(ORACLES)
            })?);
        }
        let cell =
            |name: &str, ty: &Ty| program.var(name).and_then(|(found, cell)| (found == ty).then_some(cell));
        let places = Places {
            oya: cell("oya", &Ty::Int),
            player: cell("player", &Ty::Array(1, 3, Ty::Int.into())),
            cash: cell("cash", &Ty::Map(Ty::Place.into(), Ty::Int.into())),
        };
        Ok(Table { company, seats, oracles, places, order: Vec::new() })
    }

    fn oya(&self, state: &State) -> Result<usize, String> {
        let Some(oya) = self.places.oya.and_then(|cell| state.word(cell)) else { return Ok(0) };
        self.person(oya)
    }

    /// A person of the program (from 1) as a person of the host (from 0).
    fn person(&self, p: i64) -> Result<usize, String> {
        match usize::try_from(p) {
            Ok(p) if (1..=self.seats).contains(&p) => Ok(p - 1),
            _ => Err(format!("there is no person {p} at a table of {}", self.seats)),
        }
    }

    /// Which of the three players a person is: oya, naka or biki of the month.
    fn player(&self, state: &State, p: i64) -> Result<usize, String> {
        let players = self.places.player.and_then(|cell| state.row(cell));
        let Some(players) = players else { return self.person(p) };
        players
            .iter()
            .position(|&player| player == p)
            .ok_or_else(|| format!("person {p} does not play this month"))
    }

    fn money<'s>(&self, state: &'s State) -> Money<'s> {
        Money::of(self.places.cash.and_then(|cell| state.row(cell)).unwrap_or(&[]), self.seats)
    }

    fn deal(&mut self, month: i64, state: &State) -> Result<Value, String> {
        let oya = self.oya(state)?;
        let deal = self.company.deal(month, oya, self.money(state))?;
        deal.check(self.seats)?;
        let mut bouquet = vec![0; 2 + 3 * self.seats];
        bouquet[0] = deal.table as i64;
        bouquet[1] = deal.yama as i64;
        for (i, &hand) in deal.hands.iter().enumerate().take(self.seats) {
            bouquet[2 + (oya + i) % self.seats] = hand as i64;
        }
        self.order = deal.order;
        Ok(Value::Row(bouquet.into()))
    }

    /// The cards of a set in the order of the deal.
    fn ordering(&self, set: u64) -> Result<Value, String> {
        let mut left = set;
        let mut row = Vec::with_capacity(set.count_ones() as usize);
        for &id in &self.order {
            if id < 64 && left >> id & 1 == 1 {
                left &= !(1 << id);
                row.push(i64::from(id));
            }
        }
        if left != 0 {
            return Err(format!("the order of the YAMA lacks {}", cards(left)));
        }
        Ok(Value::Row(row.into()))
    }

    fn say(&mut self, ask: Ask, person: usize) -> Result<Value, String> {
        match self.company.decide(Asked { ask, person })? {
            Decision::Say(word) => Ok(Value::Word(i64::from(word))),
            Decision::Card(card) => Err(format!("yes or no is asked for, not the card {card}")),
        }
    }

    fn card(&mut self, ask: Ask, person: usize, from: u64) -> Result<Value, String> {
        if from == 0 {
            return Err("there is no card to choose from".into());
        }
        match self.company.decide(Asked { ask, person })? {
            Decision::Card(card) if from >> card.id() & 1 == 1 => Ok(Value::Word(i64::from(card.id()))),
            Decision::Card(card) => Err(format!("the card {card} is not among {}", cards(from))),
            Decision::Say(_) => Err(format!("one of the cards {} is asked for, not yes or no", cards(from))),
        }
    }
}

impl<C: Company> Oracles for Table<C> {
    fn answer(&mut self, question: Question<'_>) -> Result<Value, String> {
        let Question { oracle, args, state } = question;
        let word = |i: usize| args.get(i).map_or(0, Value::word);
        let Some(&known) = self.oracles.get(oracle) else { return Err("there is no such oracle".into()) };
        match known {
            Known::Deal => self.deal(word(0), state),
            Known::Ordering => self.ordering(word(0) as u64),
            Known::Active => {
                let person = self.person(word(0))?;
                let seat = (person + self.seats - self.oya(state)?) % self.seats;
                self.say(Ask::Active { seat }, person)
            }
            Known::Cancel => {
                let (person, player) = (self.person(word(0))?, self.player(state, word(0))?);
                self.say(Ask::Cancel { player }, person)
            }
            Known::Shobu => {
                let (person, player) = (self.person(word(0))?, self.player(state, word(0))?);
                self.say(Ask::Shobu { player }, person)
            }
            Known::ThrowIn => {
                let (person, player) = (self.person(word(0))?, self.player(state, word(0))?);
                let from = word(1) as u64;
                self.card(Ask::Throw { player, from: cards(from) }, person, from)
            }
            Known::TakeOut => {
                let (person, player) = (self.person(word(1))?, self.player(state, word(1))?);
                let from = word(2) as u64;
                let card = u8::try_from(word(0))
                    .ok()
                    .and_then(hana::Card::from_id)
                    .ok_or("there is no such card")?;
                self.card(Ask::Take { player, card, from: cards(from) }, person, from)
            }
        }
    }
}

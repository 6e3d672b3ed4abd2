//! Reachability on reduced decks. A reduced deck has a few months and hands of a few cards; the program itself runs on every deal class and
//! every sequence of oracle answers, by replay with an odometer of choices, and all its asserts are evaluated. A class is a deal up to renaming
//! cards inside a month. The other route, through the view of one month, reaches the full deck: [`projection`].
//!
//! ```
//! use hana_lang::reach::{Exploration, Reach, Reduced, explore};
//! use hana_lang::{programs, types};
//!
//! let program = types::check_source(programs::PAPER.source).unwrap();
//! let exploration = Exploration { deck: Reduced::of(2, 1)?, held: true };
//! let mut budget = kachi_core::Budget::default();
//! match explore(&program, &exploration, &mut budget, &mut |_| ())? {
//!     Reach::Holds(reached) => assert_eq!((reached.classes, reached.runs), (50, 160)),
//!     Reach::Fails(failure, _) => panic!("{failure}"),
//! }
//! # Ok::<(), kachi_core::Error>(())
//! ```

pub mod classes;
mod odometer;
pub mod projection;

pub use self::classes::Reduced;

use self::odometer::Odometer;
use crate::compiled::{Cell, Compiled, Fault, Limits, State};
use crate::core::value::House;
use crate::host::deals::{Deal, cards};
use crate::host::table::Table;
use crate::types::ty::Ty;
use crate::types::typed::Program;
use hana::Card;
use hana::month::Decision;
use kachi_core::{Budget, Error};
use serde_json::json;
use std::fmt;

/// What was run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reached {
    /// Deal classes.
    pub classes: u64,
    /// Runs: sequences of oracle answers, all together.
    pub runs: u64,
    /// Those of them in which biki holds a card to the end.
    pub held: u64,
}

impl fmt::Display for Reached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Reached { classes, runs, held } = self;
        write!(f, "{classes} classes, {runs} runs")?;
        if *held > 0 {
            write!(f, " ({} of any play, {held} in which biki holds a card to the end)", runs - held)?;
        }
        Ok(())
    }
}

/// A run in which something does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The deal.
    pub deal: Deal,
    /// The card that biki held to the end.
    pub held: Option<Card>,
    /// The answers, in order.
    pub choices: Vec<Decision>,
    /// What does not hold, in words.
    pub words: String,
    /// The fault, where the program ended with one: a failed assert, for instance.
    pub fault: Option<Fault>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [oya, naka, biki, ..] = self.deal.hands.map(cards);
        let yama: Vec<String> =
            self.deal.order.iter().filter_map(|&id| Card::from_id(id)).map(|card| card.to_string()).collect();
        let table = cards(self.deal.table);
        write!(f, "{oya}/{naka}/{biki}@{table}:{}: ", yama.join(","))?;
        if let Some(held) = self.held {
            write!(f, "biki holds {held}; ")?;
        }
        let choices: Vec<String> = self
            .choices
            .iter()
            .map(|choice| match choice {
                Decision::Card(card) => card.to_string(),
                Decision::Say(word) => word.to_string(),
            })
            .collect();
        write!(f, "choices {}: {}", choices.join(","), self.words)
    }
}

/// How the exploration ended.
#[derive(Debug, Clone)]
pub enum Reach {
    /// Every run of every class holds.
    Holds(Reached),
    /// This one does not; so many were run before it.
    Fails(Box<Failure>, Reached),
}

/// What is explored.
#[derive(Debug, Clone)]
pub struct Exploration {
    /// The deck.
    pub deck: Reduced,
    /// Once more with each card of biki in turn held to his last throw: it must end in his Basket.
    pub held: bool,
}

/// Runs a program on every class and every sequence of answers. `progress` is told now and then how far it is.
///
/// # Errors
/// `out_of_budget` with what is known (one node a run); what is wrong with the program.
pub fn explore(
    program: &Program,
    exploration: &Exploration,
    budget: &mut Budget<'_>,
    progress: &mut dyn FnMut(Reached),
) -> Result<Reach, Error> {
    let house = House { seats: 3, kan: 10, months: 1 };
    let compiled = Compiled::new(program, house)?;
    let bouquet = Ty::Map(Ty::Place.into(), Ty::Flower.set().into());
    let bouquet =
        compiled.var("bouquet").and_then(|(ty, cell)| (*ty == bouquet).then_some(cell)).ok_or_else(|| {
            Error::new("no_bouquet", "the program has no variable that says where the flowers lie")
                .hint("var bouquet : map Place of set Flower;")
        })?;
    let mut explorer =
        Explorer { program: &compiled, bouquet, budget, progress, reached: Reached::default() };
    let mut failure = None;
    let mut error = None;
    exploration.deck.classes(&mut |deal| {
        let result = explorer.class(deal, exploration.held);
        match result {
            Ok(None) => true,
            Ok(Some(found)) => {
                failure = Some(found);
                false
            }
            Err(found) => {
                error = Some(found);
                false
            }
        }
    });
    if let Some(error) = error {
        return Err(error);
    }
    Ok(match failure {
        Some(failure) => Reach::Fails(failure, explorer.reached),
        None => Reach::Holds(explorer.reached),
    })
}

struct Explorer<'a, 'b> {
    program: &'a Compiled,
    bouquet: Cell,
    budget: &'a mut Budget<'b>,
    progress: &'a mut dyn FnMut(Reached),
    reached: Reached,
}

/// A month of a reduced deck is short.
const LIMITS: Limits = Limits { fuel: 10_000_000, depth: 4_000 };

/// Runs between two reports of progress.
const REPORT_EVERY: u64 = 4_096;

impl Explorer<'_, '_> {
    fn class(&mut self, deal: &Deal, held: bool) -> Result<Option<Box<Failure>>, Error> {
        self.reached.classes += 1;
        if let Some(failure) = self.runs(deal, None)? {
            return Ok(Some(failure));
        }
        if !held {
            return Ok(None);
        }
        for card in cards(deal.hands[2]).iter() {
            if let Some(failure) = self.runs(deal, Some(card))? {
                return Ok(Some(failure));
            }
        }
        Ok(None)
    }

    /// All sequences of answers.
    fn runs(&mut self, deal: &Deal, held: Option<Card>) -> Result<Option<Box<Failure>>, Error> {
        let mut table = Table::new(self.program, Odometer::new(deal.clone(), held))?;
        loop {
            self.budget.spend(1).map_err(|error| {
                let Reached { classes, runs, held } = self.reached;
                error.known(json!({ "classes": classes - 1, "runs": runs, "held": held }))
            })?;
            self.reached.runs += 1;
            self.reached.held += u64::from(held.is_some());
            if self.reached.runs.is_multiple_of(REPORT_EVERY) {
                (self.progress)(self.reached);
            }
            let result = self.program.run(&mut table, LIMITS);
            let (words, fault) = match result {
                Ok(ran) => (self.wrong(&ran.state, deal, held), None),
                Err(fault) => (Some(fault.to_string()), Some(fault)),
            };
            if let Some(words) = words {
                let choices = table.company.choices();
                return Ok(Some(Box::new(Failure { deal: deal.clone(), held, choices, words, fault })));
            }
            if !table.company.advance() {
                return Ok(None);
            }
        }
    }

    /// What does not hold at the end of a run, besides the asserts of the program: every card lies at one place, Baskets are even, and the
    /// card that was held to the end of a round that ran out is in biki's Basket.
    fn wrong(&self, state: &State, deal: &Deal, held: Option<Card>) -> Option<String> {
        let bouquet = state.row(self.bouquet)?;
        let mut seen = 0;
        for &place in bouquet {
            if seen & place != 0 {
                return Some(format!("{} lies at two places", cards((seen & place) as u64)));
            }
            seen |= place;
        }
        if seen as u64 != deal.deck() {
            return Some("a card is lost".into());
        }
        let baskets = bouquet.get(8..11)?;
        if baskets.iter().any(|basket| basket.count_ones() % 2 != 0) {
            return Some("a Basket holds an odd number of cards".into());
        }
        let ran_out = bouquet[1] == 0;
        match held {
            Some(card) if ran_out && baskets[2] >> card.id() & 1 == 0 => {
                Some(format!("{card}, which biki held to the end, is not in his Basket"))
            }
            _ => None,
        }
    }
}

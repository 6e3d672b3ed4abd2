//! Those who answer from the question alone: chance, the first legal answer, a script. With a way of dealing they are a whole company.

use super::deals::Deal;
use super::table::{Asked, Company, Money};
use hana::card::{Card, DECK};
use hana::month::{Ask, Decision};
use hana::players::simple::Random;
use std::collections::VecDeque;

/// Somebody who needs to know nothing but the question.
pub trait Person {
    /// Answers.
    ///
    /// # Errors
    /// In words, why there is no answer.
    fn answer(&mut self, asked: Asked) -> Result<Decision, String>;
}

/// All answers equally likely, by seed.
#[derive(Debug, Clone)]
pub struct Chance(Random);

impl Chance {
    /// With a seed.
    #[must_use]
    pub fn new(seed: u64) -> Chance {
        Chance(Random::new(seed))
    }
}

impl Person for Chance {
    fn answer(&mut self, asked: Asked) -> Result<Decision, String> {
        Ok(self.0.answer(asked.ask))
    }
}

/// The lowest card, and yes to every question.
#[derive(Debug, Clone, Copy, Default)]
pub struct First;

impl Person for First {
    fn answer(&mut self, asked: Asked) -> Result<Decision, String> {
        match asked.ask {
            Ask::Throw { from, .. } | Ask::Take { from, .. } => {
                from.iter().next().map(Decision::Card).ok_or_else(|| "there is no card to choose from".into())
            }
            _ => Ok(Decision::Say(true)),
        }
    }
}

/// Answers from a list, in order.
#[derive(Debug, Clone, Default)]
pub struct Script(VecDeque<Decision>);

impl Script {
    /// With these answers.
    pub fn new(answers: impl IntoIterator<Item = Decision>) -> Script {
        Script(answers.into_iter().collect())
    }

    /// Answers that nobody asked for.
    #[must_use]
    pub fn left(&self) -> usize {
        self.0.len()
    }
}

impl Person for Script {
    fn answer(&mut self, asked: Asked) -> Result<Decision, String> {
        self.0.pop_front().ok_or_else(|| format!("the choices end too early: {:?} is asked for", asked.ask))
    }
}

/// Where the deals come from.
#[derive(Debug, Clone)]
pub enum Dealing {
    /// The months of a native game with this seed.
    Seed(u64),
    /// Every month the same deck and order.
    Cards(Box<([Card; DECK], [Card; DECK])>),
}

impl Dealing {
    /// The deal of a month.
    #[must_use]
    pub fn deal(&self, month: i64, seats: usize) -> Deal {
        match self {
            Dealing::Seed(seed) => Deal::seeded(*seed, usize::try_from(month).unwrap_or(0), seats),
            Dealing::Cards(given) => Deal::of(&given.0, &given.1, seats),
        }
    }
}

/// One person who answers for everybody, with a way of dealing.
#[derive(Debug, Clone)]
pub struct Alone<P> {
    /// Who answers.
    pub person: P,
    /// Where the deals come from.
    pub dealing: Dealing,
    /// How many sit down.
    pub seats: usize,
}

impl<P: Person> Company for Alone<P> {
    fn deal(&mut self, month: i64, _: usize, _: Money<'_>) -> Result<Deal, String> {
        Ok(self.dealing.deal(month, self.seats))
    }

    fn decide(&mut self, asked: Asked) -> Result<Decision, String> {
        self.person.answer(asked)
    }
}

//! The odometer: every run repeats the answers given so far and goes on with the first one; after the run the last answer that has a next one is
//! turned to it. So all sequences of answers are met, each once.

use crate::host::deals::{Deal, bits, cards};
use crate::host::table::{Asked, Company, Money};
use hana::Card;
use hana::month::{Ask, Decision};

/// One wheel: which answer, out of which.
#[derive(Debug, Clone, Copy)]
struct Wheel {
    at: u32,
    /// Cards as bits; none for yes or no.
    from: u64,
}

impl Wheel {
    fn answers(self) -> u32 {
        if self.from == 0 { 2 } else { self.from.count_ones() }
    }

    fn decision(self) -> Decision {
        if self.from == 0 {
            return Decision::Say(self.at == 1);
        }
        match cards(self.from).iter().nth(self.at as usize) {
            Some(card) => Decision::Card(card),
            None => Decision::Say(false),
        }
    }
}

/// All answers to all questions, one deal.
#[derive(Debug, Clone)]
pub(super) struct Odometer {
    deal: Deal,
    held: Option<Card>,
    wheels: Vec<Wheel>,
    asked: usize,
}

impl Odometer {
    pub(super) fn new(deal: Deal, held: Option<Card>) -> Odometer {
        Odometer { deal, held, wheels: Vec::new(), asked: 0 }
    }

    /// The answers of the last run.
    pub(super) fn choices(&self) -> Vec<Decision> {
        self.wheels.iter().map(|wheel| wheel.decision()).collect()
    }

    /// Turns to the next sequence; `false` when there is none.
    pub(super) fn advance(&mut self) -> bool {
        self.asked = 0;
        while let Some(last) = self.wheels.last_mut() {
            last.at += 1;
            if last.at < last.answers() {
                return true;
            }
            self.wheels.pop();
        }
        false
    }
}

/// A month asks about a hundred.
const MOST_QUESTIONS: usize = 1_000;
/// Biki, the third player.
const BIKI: usize = 2;

impl Company for Odometer {
    fn deal(&mut self, _: i64, _: usize, _: Money<'_>) -> Result<Deal, String> {
        Ok(self.deal.clone())
    }

    fn decide(&mut self, asked: Asked) -> Result<Decision, String> {
        if self.asked == MOST_QUESTIONS {
            return Err(format!("a run asks more than {MOST_QUESTIONS} questions"));
        }
        if self.asked == self.wheels.len() {
            let from = match asked.ask {
                Ask::Throw { player, from } => {
                    let others = self.held.map_or(from, |held| from.without(held));
                    bits(if player == BIKI && !others.is_empty() { others } else { from })
                }
                Ask::Take { from, .. } => bits(from),
                _ => 0,
            };
            self.wheels.push(Wheel { at: 0, from });
        }
        let wheel = self.wheels[self.asked];
        self.asked += 1;
        Ok(wheel.decision())
    }
}

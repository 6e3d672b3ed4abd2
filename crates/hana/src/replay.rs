//! Replays. Deck, order and decisions determine a month, so a replay is exactly a `month` request; it can be stepped forward and back.

use crate::card::{Card, DECK};
use crate::contract::Choice;
use crate::field::Waiting;
use crate::house::Preset;
use crate::month::{Decision, Month};
use kachi_core::Error;
use serde::{Deserialize, Serialize};

/// A month on file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    preset: Preset,
    seats: usize,
    deck: [Card; DECK],
    order: [Card; DECK],
    carry: Waiting,
    decisions: Vec<Decision>,
}

/// The file: one JSON object, a `month` request.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    game: Option<String>,
    #[serde(default)]
    query: Option<String>,
    preset: Preset,
    seats: usize,
    deck: Vec<String>,
    order: Vec<String>,
    #[serde(default)]
    carry: Vec<i64>,
    choices: Vec<serde_json::Value>,
}

impl Replay {
    pub(crate) fn new(
        preset: Preset,
        seats: usize,
        deck: [Card; DECK],
        order: [Card; DECK],
        carry: Waiting,
        decisions: Vec<Decision>,
    ) -> Replay {
        Replay { preset, seats, deck, order, carry, decisions }
    }

    /// The file's text.
    #[must_use]
    pub fn to_json(&self) -> String {
        let names = |cards: &[Card; DECK]| cards.iter().map(Card::to_string).collect();
        let choice = |decision: &Decision| match decision {
            Decision::Say(word) => serde_json::Value::from(*word),
            Decision::Card(card) => serde_json::Value::from(card.to_string()),
        };
        let file = File {
            game: Some("hana".into()),
            query: Some("month".into()),
            preset: self.preset,
            seats: self.seats,
            deck: names(&self.deck),
            order: names(&self.order),
            carry: self.carry.list(),
            choices: self.decisions.iter().map(choice).collect(),
        };
        serde_json::to_string(&file).unwrap_or_default()
    }

    /// Reads a file and checks that every decision in it is legal; the month need not be finished.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn read(json: &str) -> Result<Replay, Error> {
        let file: File = kachi_core::request::parse(json)?;
        let permutation = |names: &[String], path: &str| -> Result<[Card; DECK], Error> {
            let mut cards = Vec::new();
            for (i, name) in names.iter().enumerate().take(DECK + 1) {
                let card: Card =
                    name.parse().map_err(|error: Error| error.at_field(format!("{path}[{i}]")))?;
                if cards.contains(&card) {
                    let message = format!("the card {card} is there twice");
                    return Err(Error::new("duplicate_card", message).at_field(format!("{path}[{i}]")));
                }
                cards.push(card);
            }
            cards.try_into().map_err(|_| Error::new("wrong_count", "48 cards are needed").at_field(path))
        };
        let carry = Waiting::from_list(&file.carry)
            .ok_or_else(|| Error::new("bad_carry", "only ones and twos can be carried").at_field("carry"))?;
        let mut decisions = Vec::new();
        for (i, value) in file.choices.into_iter().enumerate() {
            let place = || format!("choices[{i}]");
            let choice: Choice = serde_json::from_value(value).map_err(|_| {
                Error::new("wrong_type", "a choice is true, false or a card").at_field(place())
            })?;
            decisions.push(match choice {
                Choice::Say(word) => Decision::Say(word),
                Choice::Card(name) => {
                    Decision::Card(name.parse().map_err(|error: Error| error.at_field(place()))?)
                }
            });
        }
        let (deck, order) = (permutation(&file.deck, "deck")?, permutation(&file.order, "order")?);
        let replay = Replay::new(file.preset, file.seats, deck, order, carry, decisions);
        replay.steps()?;
        Ok(replay)
    }

    /// The month after every decision, the deal first.
    ///
    /// # Errors
    /// The first decision that is not legal, or a deal that is none.
    pub fn steps(&self) -> Result<Steps, Error> {
        let (month, _) =
            Month::deal(self.preset.rules(), self.seats, &self.deck, &self.order, &self.carry, 0)?;
        let mut states = vec![month];
        for (i, &decision) in self.decisions.iter().enumerate() {
            let mut next = states[i];
            next.decide(decision).map_err(|error| error.at_field(format!("choices[{i}]")))?;
            states.push(next);
        }
        Ok(Steps { states, at: 0 })
    }
}

/// A replay on the table: one can go forward and back.
#[derive(Debug, Clone)]
pub struct Steps {
    states: Vec<Month>,
    at: usize,
}

impl Steps {
    /// The month as it is shown now.
    #[must_use]
    pub fn now(&self) -> &Month {
        &self.states[self.at]
    }

    /// One decision forward; `false` at the end.
    pub fn forward(&mut self) -> bool {
        let more = self.at + 1 < self.states.len();
        self.at += usize::from(more);
        more
    }

    /// One decision back; `false` at the beginning.
    pub fn back(&mut self) -> bool {
        let more = self.at > 0;
        self.at -= usize::from(more);
        more
    }
}

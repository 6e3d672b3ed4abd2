//! The program against the native engine. Both play the same game in step: the same deals by seed, every question compared (kind, player,
//! candidates), one decision for both, and after every month purses, pot and oya compared. The first difference ends it.
//!
//! ```
//! use hana::Preset;
//! use hana_lang::compiled::Compiled;
//! use hana_lang::differential::{Deciders, games};
//! use hana_lang::host::house_of;
//! use hana_lang::{programs, types};
//!
//! let program = types::check_source(programs::MODERN.source).unwrap();
//! let program = Compiled::new(&program, house_of(Preset::Modern, 4))?;
//! let tally = games(&program, Preset::Modern, 0..5, Deciders::Chance, &mut |_| ()).unwrap();
//! assert_eq!((tally.games, tally.months), (5, 60));
//! # Ok::<(), kachi_core::Error>(())
//! ```

use crate::compiled::{Compiled, Fault, Limits};
use crate::host::deals::Deal;
use crate::host::table::{Asked, Company, Money, Table};
use hana::Preset;
use hana::month::Decision;
use hana::players::Player;
use hana::players::simple::{Greedy, Hold, Random};
use hana::season::Season;
use kachi_core::Error;
use std::collections::BTreeMap;
use std::fmt;

/// What was compared.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// Games.
    pub games: u64,
    /// Months.
    pub months: u64,
    /// Questions.
    pub decisions: u64,
    /// How the months were settled, and how often: `par`, `sohachi`, `void-fuke` ...
    pub reasons: BTreeMap<&'static str, u64>,
}

impl Tally {
    /// Adds another tally.
    pub fn add(&mut self, other: &Tally) {
        self.games += other.games;
        self.months += other.months;
        self.decisions += other.decisions;
        for (reason, count) in &other.reasons {
            *self.reasons.entry(reason).or_insert(0) += count;
        }
    }
}

/// Where program and engine part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The game, in the notation of the native engine up to the difference.
    pub game: String,
    /// The month, from 1.
    pub month: usize,
    /// What differs, in words.
    pub words: String,
    /// The fault in which the program ended, if that is the difference.
    pub fault: Option<Fault>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "month {} of {}: {}", self.month, self.game, self.words)
    }
}

/// Who decides, for both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deciders {
    /// Everybody by chance.
    Chance,
    /// By chance, greedy and holding players in turn, so that dekiyaku are made.
    Mixed,
}

/// The native game beside the program's.
struct Lockstep {
    season: Season,
    seed: u64,
    players: Vec<Box<dyn Player>>,
    chance: Option<Random>,
    tally: Tally,
    difference: Option<String>,
    /// The month that was dealt last.
    dealt: usize,
}

impl Lockstep {
    fn new(preset: Preset, seats: usize, seed: u64, deciders: Deciders) -> Result<Lockstep, Error> {
        let players: Vec<Box<dyn Player>> = match deciders {
            Deciders::Chance => Vec::new(),
            Deciders::Mixed => (0..seats as u64)
                .map(|person| match (person + seed) % 3 {
                    0 => Box::new(Random::new(seed ^ person)) as Box<dyn Player>,
                    1 => Box::new(Greedy),
                    _ => Box::new(Hold::new()),
                })
                .collect(),
        };
        let chance = (deciders == Deciders::Chance).then(|| Random::new(seed));
        let season = Season::new(preset, seats, seed)?;
        let tally = Tally { games: 1, ..Tally::default() };
        Ok(Lockstep { season, seed, players, chance, tally, difference: None, dealt: 0 })
    }

    fn differ<T>(&mut self, words: String) -> Result<T, String> {
        self.difference = Some(words.clone());
        Err(words)
    }

    /// Compares the accounts; natively, `finished` months are on the sheet.
    fn compare(&mut self, finished: usize, money: Money<'_>) -> Result<(), String> {
        let sheet = self.season.sheet().len();
        if sheet != finished {
            return self.differ(format!("the program has finished {finished} months, the engine {sheet}"));
        }
        let purses = self.season.purses();
        if purses != money.purses {
            return self.differ(format!("purses {:?}, but the engine has {purses:?}", money.purses));
        }
        let pot = self.season.month().pot();
        if pot != money.pot {
            return self.differ(format!("a pot of {}, but the engine has {pot}", money.pot));
        }
        Ok(())
    }
}

impl Company for Lockstep {
    fn deal(&mut self, month: i64, oya: usize, money: Money<'_>) -> Result<Deal, String> {
        let number = usize::try_from(month).unwrap_or(0);
        self.compare(number.wrapping_sub(1), money)?;
        if self.season.oya() != oya {
            let words = format!("person {} is oya, but the engine has {}", oya + 1, self.season.oya() + 1);
            return self.differ(words);
        }
        self.dealt = number;
        Ok(Deal::seeded(self.seed, number, self.season.seats()))
    }

    fn decide(&mut self, asked: Asked) -> Result<Decision, String> {
        let (ask, mover) = (self.season.ask(), self.season.mover());
        if ask != Some(asked.ask) || mover != Some(asked.person) || self.dealt != self.season.number() {
            return self.differ(format!(
                "person {} is asked {:?}, but the engine asks person {} {ask:?}",
                asked.person + 1,
                asked.ask,
                mover.map_or(0, |mover| mover + 1),
            ));
        }
        let decision = match &mut self.chance {
            Some(random) => random.answer(asked.ask),
            None => {
                let seen = self.season.month().asked_seat().map(|seat| self.season.month().as_seen_by(seat));
                match (seen, self.players.get_mut(asked.person)) {
                    (Some(seen), Some(player)) => player.decide(&seen, asked.ask),
                    _ => return self.differ("nobody decides".into()),
                }
            }
        };
        let (finished, mut last) = (self.season.sheet().len(), *self.season.month());
        if let Err(error) = self.season.decide(decision) {
            return self.differ(error.message);
        }
        self.tally.decisions += 1;
        if self.season.sheet().len() > finished {
            self.tally.months += 1;
            // The season has dealt the next month already; the decision ends the one before once more.
            let _ = last.decide(decision);
            let reason = last.settled().map_or("", |paid| paid.reason);
            *self.tally.reasons.entry(reason).or_insert(0) += 1;
        }
        Ok(decision)
    }
}

/// Plays one game in step: the program must be compiled for the house of the preset ([`crate::host::house_of`]).
///
/// # Errors
/// The difference.
pub fn game(
    program: &Compiled,
    preset: Preset,
    seed: u64,
    deciders: Deciders,
) -> Result<Tally, Box<Difference>> {
    let seats = usize::from(program.house().seats);
    let refused = |error: &Error| {
        let game = format!("{}:{seats}@{seed}", preset.name());
        Box::new(Difference { game, month: 0, words: error.message.clone(), fault: None })
    };
    let lockstep = Lockstep::new(preset, seats, seed, deciders).map_err(|error| refused(&error))?;
    let mut table = Table::new(program, lockstep).map_err(|error| refused(&error))?;
    let result = program.run(&mut table, Limits::default());
    let fault = match result {
        Ok(ran) => {
            let cash = program.var("cash").and_then(|(_, cell)| ran.state.row(cell)).unwrap_or(&[]);
            let months = usize::try_from(program.house().months).unwrap_or(0);
            let lockstep = &mut table.company;
            match lockstep.compare(months, Money::of(cash, seats)) {
                Ok(()) => return Ok(table.company.tally),
                Err(_) => None,
            }
        }
        Err(fault) => Some(fault),
    };
    let Lockstep { season, difference, dealt, .. } = table.company;
    let fault = if difference.is_some() { None } else { fault };
    let words = difference
        .or_else(|| fault.as_ref().map(|fault| format!("the program ends with a fault: {fault}")))
        .unwrap_or_default();
    Err(Box::new(Difference { game: season.to_string(), month: dealt, words, fault }))
}

/// Plays games with these seeds in step. `progress` is told how many are done.
///
/// # Errors
/// The first difference.
pub fn games(
    program: &Compiled,
    preset: Preset,
    seeds: std::ops::Range<u64>,
    deciders: Deciders,
    progress: &mut dyn FnMut(u64),
) -> Result<Tally, Box<Difference>> {
    let mut tally = Tally::default();
    for seed in seeds {
        tally.add(&game(program, preset, seed, deciders)?);
        progress(tally.games);
    }
    Ok(tally)
}

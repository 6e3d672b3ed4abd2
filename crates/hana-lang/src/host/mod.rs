//! The host: whoever supplies the constants SEATS, KAN, MONTHS and answers the oracles. The oracles of the shipped programs are questions that
//! the native engine asks too ([`hana::month::Ask`]), so everybody who can decide there can play inside a program.
//!
//! | room | holds |
//! |---|---|
//! | [`table`] | [`Table`]: the program's oracles as questions of the game, every answer checked |
//! | [`deals`] | [`Deal`]: what is dealt, by seed, by deck and order, or by hand |
//! | [`persons`] | those who answer from the question alone: [`Chance`], [`First`], [`Script`] |
//! | [`seated`] | [`Seated`]: players of crate `hana`, each shown what his seat sees |
//! | [`mod@reference`] | the same hosts for the reference interpreter |
//!
//! ```
//! use hana::Preset;
//! use hana::players::simple::{Greedy, Hold, Random};
//! use hana_lang::compiled::{Compiled, Limits};
//! use hana_lang::host::{Seated, Table, house_of};
//! use hana_lang::{programs, types};
//!
//! // Twelve months by the program of the paper, with players of the native engine.
//! let program = types::check_source(programs::PAPER.source).unwrap();
//! let program = Compiled::new(&program, house_of(Preset::Paper, 3))?;
//! let players = vec![Box::new(Random::new(1)) as _, Box::new(Greedy) as _, Box::new(Hold::new()) as _];
//! let mut table = Table::new(&program, Seated::new(players, Preset::Paper.rules(), 7))?;
//! let ran = program.run(&mut table, Limits::default()).unwrap();
//! let (_, cash) = program.var("cash").unwrap();
//! assert_eq!(ran.state.row(cash).unwrap().iter().sum::<i64>(), 0, "money is conserved");
//! assert!(table.company.log.len() > 12 * 21);
//! # Ok::<(), kachi_core::Error>(())
//! ```

pub mod deals;
pub mod persons;
pub mod reference;
pub mod seated;
pub mod table;

pub use self::deals::Deal;
pub use self::persons::{Chance, First, Person, Script};
pub use self::seated::Seated;
pub use self::table::{Asked, Company, Table};

use crate::core::value::House;
use hana::Preset;

/// The house in which the program of a preset is played: its kan, its months, and so many seats.
#[must_use]
pub fn house_of(preset: Preset, seats: u8) -> House {
    let rules = preset.rules();
    House { seats, kan: rules.kan, months: i64::from(rules.months) }
}

//! The fixed workloads: games of twelve months by the program of the paper, three seats, everybody by chance; the same games by the native engine
//! and some of them by the reference interpreter. All three must come to the same purses.

use crate::compiled::{Compiled, Limits};
use crate::core::interpret::{Interpreter, Limits as ReferenceLimits};
use crate::core::value::{House, Value};
use crate::elaborate::elaborate;
use crate::host::house_of;
use crate::host::persons::{Alone, Chance, Dealing};
use crate::host::reference::{Reference, state_of};
use crate::host::table::{Money, Table};
use crate::programs::PAPER;
use crate::types::check_source;
use hana::Preset;
use hana::players::simple::Random;
use hana::season::Season;
use kachi_core::surface::{Bench, Clock, fold};

/// Games of twelve months.
const GAMES: u64 = 1_000;
/// Games that the reference interpreter plays, too, and their months.
const REFERENCE_GAMES: u64 = 2;
const REFERENCE_MONTHS: i64 = 2;
const SEATS: usize = 3;

/// Plays a game with the compiled program and gives the purses.
fn compiled_game(program: &Compiled, seed: u64) -> Vec<i64> {
    let company = Alone { person: Chance::new(seed), dealing: Dealing::Seed(seed), seats: SEATS };
    let Ok(mut table) = Table::new(program, company) else { return Vec::new() };
    let Ok(ran) = program.run(&mut table, Limits::default()) else { return Vec::new() };
    let cash = program.var("cash").and_then(|(_, cell)| ran.state.row(cell)).unwrap_or(&[]);
    Money::of(cash, SEATS).purses.to_vec()
}

/// Plays a game natively.
fn native_game(seed: u64) -> Vec<i64> {
    let mut random = Random::new(seed);
    let Ok(mut season) = Season::new(Preset::Paper, SEATS, seed) else { return Vec::new() };
    while let Some(ask) = season.ask() {
        if season.decide(random.answer(ask)).is_err() {
            return Vec::new();
        }
    }
    season.purses()
}

/// Runs all workloads.
///
/// # Panics
/// If the engines disagree.
pub fn run(clock: &dyn Clock) -> Bench {
    let mut bench = Bench::default();
    let house = house_of(Preset::Paper, SEATS as u8);
    let Ok(program) = check_source(PAPER.source) else { return bench };
    let (Ok(compiled), Ok(module)) = (Compiled::new(&program, house), elaborate(&program)) else {
        return bench;
    };
    let (mut games, mut native) = (Vec::new(), Vec::new());
    let compiled_s =
        clock.time(&mut || games = (0..GAMES).map(|seed| compiled_game(&compiled, seed)).collect());
    let native_s = clock.time(&mut || native = (0..GAMES).map(native_game).collect());
    assert_eq!(games, native, "program and engine come to the same purses");
    bench.signature = games.iter().flatten().fold(0, |hash, &purse| fold(hash, purse as u64));

    // The reference interpreter is slow, so its games are short; the compiled program plays the same ones.
    let short = House { months: REFERENCE_MONTHS, ..house };
    let Ok(compiled) = Compiled::new(&program, short) else { return bench };
    let mut by_reference = Vec::new();
    let reference_s = clock.time(&mut || {
        by_reference = (0..REFERENCE_GAMES)
            .map(|seed| {
                let company = Alone { person: Chance::new(seed), dealing: Dealing::Seed(seed), seats: SEATS };
                let mut table = Table::new(&compiled, company).ok()?;
                let mut host = Reference::new(&compiled, &mut table);
                let limits = ReferenceLimits { fuel: u64::MAX, ..ReferenceLimits::default() };
                let start = Value::initial(&module.state, &short)?;
                let end = Interpreter::new(&module, short, limits, &mut host).run_main(start).ok()?;
                let state = state_of(&compiled, &end)?;
                let cash = compiled.var("cash").and_then(|(_, cell)| state.row(cell))?;
                Some(Money::of(cash, SEATS).purses.to_vec())
            })
            .collect();
    });
    let short_games: Vec<Option<Vec<i64>>> =
        (0..REFERENCE_GAMES).map(|seed| Some(compiled_game(&compiled, seed))).collect();
    assert_eq!(by_reference, short_games, "both engines of the language come to the same purses");

    let months = |games: u64, months: i64, seconds: f64| (games as f64 * months as f64) / seconds.max(1e-9);
    let (fast, engine) = (months(GAMES, house.months, compiled_s), months(GAMES, house.months, native_s));
    let slow = months(REFERENCE_GAMES, REFERENCE_MONTHS, reference_s);
    let per_game = house.months as f64;
    bench.figure(
        "hl_games_per_s",
        fast / per_game,
        "games of twelve months a second by the compiled program of the paper, three seats by chance, one core",
    );
    bench.figure(
        "native_over_hl",
        engine / fast,
        "how many times as fast the native engine plays the same games, in the same run",
    );
    bench.figure(
        "hl_over_reference",
        fast / slow,
        "how many times as fast as the reference interpreter, month by month, in the same run",
    );
    bench
}

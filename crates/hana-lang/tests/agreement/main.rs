//! The compiled evaluator against the reference interpreter, with and without recognised patterns: on random programs that have types (values,
//! faults, the place of a failed assert, and every question to an oracle), and on the shipped programs.

#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod generator;

use generator::Generator;
use hana::Preset;
use hana_lang::compiled::{Compiled, Fault, Limits, Oracles, Question, State, Value};
use hana_lang::core::interpret::{Fault as CoreFault, Interpreter, Limits as CoreLimits};
use hana_lang::core::{House, Value as CoreValue, check_module};
use hana_lang::elaborate::{asserted, elaborate};
use hana_lang::host::persons::{Alone, Dealing};
use hana_lang::host::reference::{Reference, same_kind, state_of};
use hana_lang::host::table::Table;
use hana_lang::host::{Chance, house_of};
use hana_lang::programs::{MODERN, PAPER};
use hana_lang::types::check_source;
use hana_lang::types::typed::Program;
use kachi_core::random::Dealer;
use std::collections::BTreeMap;

/// Answers by chance, and keeps the questions.
struct Answers {
    dealer: Dealer,
    log: Vec<(usize, Vec<Value>)>,
}

impl Answers {
    fn new(seed: u64) -> Answers {
        Answers { dealer: Dealer::new(seed), log: Vec::new() }
    }
}

impl Oracles for Answers {
    fn answer(&mut self, question: Question<'_>) -> Result<Value, String> {
        self.log.push((question.oracle, question.args.to_vec()));
        let mut below = |bound| self.dealer.below(bound) as i64;
        Ok(match question.oracle {
            0 => {
                let set = question.args[1].word() as u64;
                if set == 0 {
                    return Err("nothing to pick from".into());
                }
                let nth = below(u64::from(set.count_ones()));
                Value::Word((0..48).filter(|id| set >> id & 1 == 1).nth(nth as usize).unwrap())
            }
            1 => Value::Word(below(2)),
            _ => {
                let count = 1 + below(4);
                Value::Row((0..count).map(|_| below(48)).collect::<Vec<_>>().into())
            }
        })
    }
}

/// By the reference interpreter.
fn by_reference(
    program: &Program,
    compiled: &Compiled,
    host: &mut dyn Oracles,
    fuel: u64,
) -> Result<State, CoreFault> {
    let module = elaborate(program).unwrap();
    check_module(&module).unwrap();
    let house = *compiled.house();
    let start = CoreValue::initial(&module.state, &house).unwrap();
    let limits = CoreLimits { fuel, ..CoreLimits::default() };
    let mut host = Reference::new(compiled, host);
    let end = Interpreter::new(&module, house, limits, &mut host).run_main(start)?;
    Ok(state_of(compiled, &end).unwrap())
}

/// How a run ended, for counting.
fn ending(result: &Result<State, Fault>) -> &'static str {
    match result {
        Ok(_) => "ended",
        Err(fault) => fault.kind.code(),
    }
}

/// Runs a program three ways and compares; gives how it ended.
fn agree(source: &str, seed: u64) -> &'static str {
    let program = check_source(source).unwrap_or_else(|errors| panic!("seed {seed}: {errors:?}\n{source}"));
    let house = House { seats: 3, kan: 10, months: 2 };
    let run = |compiled: &Compiled| {
        let mut answers = Answers::new(seed);
        let limits = Limits { fuel: 3_000_000, ..Limits::default() };
        (compiled.run(&mut answers, limits).map(|ran| ran.state), answers.log)
    };
    let compiled = Compiled::new(&program, house).unwrap();
    let (found, questions) = run(&compiled);
    let (plain, plain_questions) = run(&Compiled::plain(&program, house).unwrap());
    if [&found, &plain].into_iter().any(|result| result.as_ref().is_err_and(|fault| fault.kind.is_limit())) {
        return "limit";
    }
    assert_eq!(found, plain, "seed {seed}: recognised patterns change the outcome\n{source}");
    assert_eq!(questions, plain_questions, "seed {seed}\n{source}");
    let mut answers = Answers::new(seed);
    match (&found, by_reference(&program, &compiled, &mut answers, 30_000_000)) {
        (_, Err(fault)) if !fault.kind.is_err() => return "limit",
        (Ok(state), Ok(expected)) => assert_eq!(*state, expected, "seed {seed}\n{source}"),
        (Err(fault), Err(expected)) => {
            assert!(same_kind(fault, &expected), "seed {seed}: {fault:?}, not {expected:?}\n{source}");
            if let Some(span) = asserted(&expected.reason) {
                assert_eq!(fault.span, span, "seed {seed}\n{source}");
            }
        }
        (found, expected) => panic!("seed {seed}: {found:?}, not {expected:?}\n{source}"),
    }
    assert_eq!(questions, answers.log, "seed {seed}: the same questions\n{source}");
    ending(&found)
}

#[test]
fn random_programs_run_the_same_on_both_engines() {
    let mut endings = BTreeMap::new();
    for seed in 0..3_000 {
        let source = Generator::new(seed).program();
        *endings.entry(agree(&source, seed)).or_insert(0) += 1;
    }
    println!("{endings:?}");
    assert!(endings["ended"] > 1_000, "{endings:?}");
    for ending in [
        "ended",
        "index_out_of_range",
        "overflow",
        "division_by_zero",
        "failed_assert",
        "bad_oracle_answer",
        "negative_exponent",
    ] {
        assert!(endings.get(ending).is_some_and(|&count| count > 3), "{ending}: {endings:?}");
    }
}

/// Small changes that a program may survive.
const CHANGES: [(&str, &str); 22] = [
    ("<=", "<"),
    ("<=", ">="),
    (" + ", " - "),
    (" - ", " + "),
    (" * ", " + "),
    (" = ", " <> "),
    (" <> ", " = "),
    (" & ", " or "),
    (" or ", " & "),
    ("join", "minus"),
    ("minus", "join"),
    ("join", "meet"),
    ("Hand", "Window"),
    ("Window", "Basket"),
    ("Basket", "Hand"),
    ("Point", "Month"),
    (" 1", " 2"),
    (" 2", " 3"),
    (" 3", " 1"),
    ("table", "YAMA"),
    ("max{", "min{"),
    ("true", "false"),
];

/// The text with one of its changes made in one place.
fn changed(source: &str, dealer: &mut Dealer) -> Option<String> {
    let (from, to) = CHANGES[dealer.below(CHANGES.len() as u64) as usize];
    let places: Vec<usize> = source.match_indices(from).map(|(at, _)| at).collect();
    let at = *places.get(dealer.below(places.len() as u64) as usize)?;
    Some(format!("{}{to}{}", &source[..at], &source[at + from.len()..]))
}

#[test]
fn damaged_programs_run_the_same_on_both_engines() {
    let mut endings = BTreeMap::new();
    let mut dealer = Dealer::new(11);
    while endings.values().sum::<u32>() < 150 {
        let shipped = if dealer.below(2) == 0 { PAPER } else { MODERN };
        let seats = 3 + dealer.below(4) as usize;
        let Some(source) = changed(shipped.source, &mut dealer) else { continue };
        let Ok(program) = check_source(&source) else { continue };
        let house = House { seats: seats as u8, kan: 10, months: 1 };
        let seed = dealer.below(1_000);
        let table = |program: &Compiled| {
            let company = Alone { person: Chance::new(seed), dealing: Dealing::Seed(seed), seats };
            Table::new(program, company).unwrap()
        };
        let compiled = Compiled::new(&program, house).unwrap();
        let plain = Compiled::plain(&program, house).unwrap();
        let limits = Limits { fuel: 3_000_000, ..Limits::default() };
        let found = compiled.run(&mut table(&compiled), limits).map(|ran| ran.state);
        *endings.entry(ending(&found)).or_insert(0) += 1;
        if found.as_ref().is_err_and(|fault| fault.kind.is_limit()) {
            // A loop that does not end any more.
            continue;
        }
        assert_eq!(found, plain.run(&mut table(&plain), limits).map(|ran| ran.state), "{source}");
        match (&found, by_reference(&program, &compiled, &mut table(&compiled), 300_000_000)) {
            (Ok(state), Ok(expected)) => assert_eq!(*state, expected, "{source}"),
            (Err(fault), Err(expected)) => {
                assert!(same_kind(fault, &expected), "{fault:?}, not {expected:?}\n{source}");
                if let Some(span) = asserted(&expected.reason) {
                    assert_eq!(fault.span, span, "{source}");
                }
            }
            (found, expected) => panic!("{found:?}, not {expected:?}\n{source}"),
        }
    }
    for ending in ["ended", "index_out_of_range", "failed_assert", "bad_oracle_answer"] {
        assert!(endings.contains_key(ending), "{endings:?}");
    }
}

#[test]
fn the_shipped_programs_run_the_same_on_both_engines() {
    for (preset, shipped) in [(Preset::Paper, PAPER), (Preset::Modern, MODERN)] {
        let program = check_source(shipped.source).unwrap();
        for seats in 3..=6_u8 {
            let house = House { months: 3, ..house_of(preset, seats) };
            let table = |program: &Compiled, seed: u64| {
                let seats = usize::from(seats);
                let company = Alone { person: Chance::new(seed), dealing: Dealing::Seed(seed), seats };
                Table::new(program, company).unwrap()
            };
            let compiled = Compiled::new(&program, house).unwrap();
            let plain = Compiled::plain(&program, house).unwrap();
            for seed in 0..3 {
                let state = compiled.run(&mut table(&compiled, seed), Limits::default()).unwrap().state;
                assert_eq!(state, plain.run(&mut table(&plain, seed), Limits::default()).unwrap().state);
                let mut host = table(&compiled, seed);
                let expected = by_reference(&program, &compiled, &mut host, u64::MAX).unwrap();
                assert_eq!(state, expected, "{preset:?}, {seats} seats, seed {seed}");
            }
        }
    }
}

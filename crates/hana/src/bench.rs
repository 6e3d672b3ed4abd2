//! The fixed workloads: random months through the engine, whole open deals, and the last three rounds with the YAMA in unknown order.

use crate::card::{Card, DECK};
use crate::field::Waiting;
use crate::house::House;
use crate::month::Month;
use crate::players::simple::Random;
use crate::search::open::Open;
use crate::search::{expected, points};
use crate::season::shuffled;
use kachi_core::Budget;
use kachi_core::random::Dealer;
use kachi_core::surface::{Bench, Clock, fold};

/// Random months played.
const MONTHS: usize = 200_000;
/// Whole open deals solved, each for all three seats.
const DEALS: u64 = 25;
/// Endings with unknown order solved, each for all three seats.
const ENDINGS: u64 = 15;

/// The open deal with a seed: hands, table and YAMA of the first month of that game.
#[must_use]
pub fn open_deal(seed: u64) -> Open {
    let (deck, _) = shuffled(seed, 1, 3);
    let set = |from: usize, to: usize| deck[from..to].iter().copied().collect();
    Open {
        hands: [set(0, 7), set(7, 14), set(14, 21)],
        table: set(21, 27),
        yama: deck[27..].to_vec(),
        sweep: true,
    }
}

/// The last `rounds` rounds of a random round with a seed, as an open position.
#[must_use]
pub fn ending(seed: u64, rounds: usize) -> Open {
    let (deck, _) = shuffled(seed, 1, 3);
    let mut random = Random::new(seed);
    let house = House { stop: crate::house::Stop::Never, ..House::MODERN };
    let Ok((mut month, _)) = Month::deal(house, 3, &deck, &deck, &Waiting::default(), 0) else {
        return open_deal(seed);
    };
    while let Some(ask) = month.ask() {
        if month.yama().len() == 3 * rounds && month.turn().is_multiple_of(3) && month.laid().is_none() {
            break;
        }
        if month.decide(random.answer(ask)).is_err() {
            break;
        }
    }
    Open {
        hands: std::array::from_fn(|player| month.holds(player)),
        table: month.table(),
        yama: month.yama().to_vec(),
        sweep: true,
    }
}

/// Runs all workloads.
pub fn run(clock: &dyn Clock) -> Bench {
    let mut bench = Bench::default();
    months(clock, &mut bench);
    open_deals(clock, &mut bench);
    unknown_order(clock, &mut bench);
    bench
}

fn months(clock: &dyn Clock, bench: &mut Bench) {
    let mut dealer = Dealer::new(1);
    let mut random = Random::new(2);
    let mut deck: [Card; DECK] = std::array::from_fn(|id| Card::lowest(1 << id));
    let none = Waiting::default();
    let (mut played, mut signature) = (0, bench.signature);
    let seconds = clock.time(&mut || {
        while played < MONTHS {
            dealer.shuffle(&mut deck);
            let Ok((mut month, _)) = Month::deal(House::MODERN, 3, &deck, &deck, &none, 0) else { continue };
            while let Some(ask) = month.ask() {
                assert!(month.decide(random.answer(ask)).is_ok(), "a random answer is legal");
            }
            assert_eq!(month.cash().iter().sum::<i64>(), 0, "money is conserved");
            signature = fold(signature, month.cash()[0] as u64);
            played += 1;
        }
    });
    bench.signature = signature;
    bench.figure(
        "months_per_s",
        MONTHS as f64 / seconds.max(1e-9),
        "random months a second, `modern`, three seats, one core",
    );
}

fn open_deals(clock: &dyn Clock, bench: &mut Bench) {
    let mut times = Vec::new();
    for seed in 0..DEALS {
        let open = open_deal(seed);
        let mut guaranteed = [0; 3];
        let seconds = clock.time(&mut || {
            for (seat, points) in guaranteed.iter_mut().enumerate() {
                *points = points::guaranteed(&open, seat, &mut Budget::default()).unwrap_or(-1);
            }
        });
        assert!(guaranteed.iter().sum::<i64>() <= crate::card::TOTAL, "guarantees fit into the deck");
        bench.signature = guaranteed.iter().fold(bench.signature, |hash, &points| fold(hash, points as u64));
        times.push(seconds * 1e3);
    }
    times.sort_by(f64::total_cmp);
    let words = "milliseconds for the guaranteed points of all three seats of a whole open deal";
    bench.figure("open_deal_ms_median", times[times.len() / 2], format!("{words}, median of {DEALS}"));
    bench.figure("open_deal_ms_max", times[times.len() - 1], format!("{words}, worst of {DEALS}"));
}

fn unknown_order(clock: &dyn Clock, bench: &mut Bench) {
    let mut worst = 0.0_f64;
    for seed in 0..ENDINGS {
        let open = ending(seed, 3);
        for seat in 0..3 {
            let mut signature = bench.signature;
            let seconds = clock.time(&mut || {
                if let Ok(ratio) = expected::expected(&open, seat, &mut Budget::default()) {
                    signature = fold(signature, ratio.numerator as u64);
                }
            });
            bench.signature = signature;
            worst = worst.max(seconds * 1e3);
        }
    }
    bench.figure(
        "unknown_order_3_ms",
        worst,
        format!("milliseconds for one seat's expectation over the last 3 rounds, worst of {}", ENDINGS * 3),
    );
}

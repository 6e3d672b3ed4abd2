//! The fixed workloads: closed forms on random shapes, and whole tables solved from nothing.

use crate::position::Mode;
use crate::search::Guarantees;
use crate::shape::all_shapes;
use crate::theory::{self, Three};
use kachi_core::random::Dealer;
use kachi_core::surface::{Bench, Clock, fold};
use kachi_core::{Budget, Limits};

/// Different shapes of three seats; they are gone through many times.
const SHAPES: usize = 1 << 16;
/// How many times.
const ROUNDS: u64 = 64;

/// Runs everything; the figures are `three_per_s`, `p4_n26_s`, `p5_n12_s`, `p6_n8_s`.
pub fn bench(clock: &dyn Clock) -> Bench {
    let mut bench = Bench::default();
    three(clock, &mut bench);
    table(clock, &mut bench, "p4_n26_s", 4, 26);
    table(clock, &mut bench, "p5_n12_s", 5, 12);
    table(clock, &mut bench, "p6_n8_s", 6, 8);
    bench
}

fn three(clock: &dyn Clock, bench: &mut Bench) {
    let mut dealer = Dealer::new(1);
    let mut shape = || loop {
        let mut count = || dealer.below(40) as u32;
        let (x, y, z) = (count(), count(), count());
        let three = Three { x, y, z, joker: dealer.below(3) as u8 };
        if three.is_legal() {
            return three;
        }
    };
    let shapes: Vec<Three> = (0..SHAPES).map(|_| shape()).collect();
    // What all answers add up to: of every shape the ranks of all seats and what every draw leaves to the mover.
    let mut sum = 0_u64;
    let seconds = clock.time(&mut || {
        for round in 0..ROUNDS {
            for three in &shapes {
                let ranks = std::hint::black_box(*three).ranks();
                let [a, b, c] = ranks.seats.map(u64::from);
                let [d, e, f] = ranks.draws.map(u64::from);
                sum = sum.wrapping_add((a + 4 * b + 16 * c + 64 * d + 256 * e + 1024 * f) ^ round);
            }
        }
    });
    bench.signature = fold(bench.signature, sum);
    let count = (SHAPES as u64 * ROUNDS) as f64;
    let words =
        "analyses of three seats by Theorems A and B, one core: ranks of all seats and values of all draws";
    bench.figure("three_per_s", count / seconds, words);
}

fn table(clock: &dyn Clock, bench: &mut Bench, key: &'static str, seats: usize, labels: u32) {
    let limits = Limits { nodes: u64::MAX, bytes: u64::MAX, ..Limits::default() };
    let mut solved = None;
    let seconds = clock.time(&mut || {
        solved = Guarantees::solve(seats, labels, Mode::Pairs, &[], &mut Budget::new(limits)).ok();
    });
    let table = solved.expect("the limits are open");
    // The layers of three seats must agree with the closed forms, whatever the table is for.
    for shape in all_shapes(3, labels, Mode::Pairs) {
        let found = table.of(&shape).expect("within the table");
        let ranks = theory::ranks(&shape).expect("three seats");
        assert!(
            found.iter().zip(ranks).all(|(found, rank)| (found.strict, found.lenient) == (rank, rank)),
            "{shape:?}"
        );
    }
    let words = |layer: &crate::search::layer::Layer| {
        layer.values.iter().fold(0_u64, |sum, &byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)))
    };
    bench.signature = table.layers().fold(bench.signature, |signature, layer| fold(signature, words(layer)));
    let words = format!(
        "seconds for all guarantees of {seats} seats and up to {labels} labels, from nothing, all cores"
    );
    bench.figure(key, seconds, words);
}

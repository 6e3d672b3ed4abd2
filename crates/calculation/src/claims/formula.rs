//! The formula for the value of a plan, on the numbers of Tanaka's worked example.

use super::{KACHI, TANAKA};
use kachi_core::{Claim, Counterexample, Findings, Statement};

/// The chances that the worked example prints: of the four foundations alone, and of their pairs 01 02 03 12 13 23.
const SINGLE: [f64; 4] = [0.391_046_6, 0.833_333_3, 0.068_568_13, 0.958_333_3];
const PAIR: [f64; 6] = [0.273_977_1, 0.015_479_76, 0.351_341_2, 0.052_735_61, 0.798_611_1, 0.053_203_96];
const PAIRS: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
/// The value that it prints for the plan.
const VALUE: f64 = 0.007_281_463;

/// The worked example with one way of writing the last pair's factor.
pub(super) struct WorkedExample {
    statement: Statement,
    /// The foundations whose chances stand below that of the pair 2, 3.
    below_the_last: (usize, usize),
}

const DOMAIN: &str = "the worked example alone";

pub(super) static PAIR_FACTOR: WorkedExample = WorkedExample {
    statement: Statement::refuted(
        "erratum-pair-factor",
        TANAKA,
        "The factor of foundations 2 and 3 in the value of a plan is p23 / (p1 p3).",
        "pair-factor",
        DOMAIN,
        1,
    ),
    below_the_last: (1, 3),
};

pub(super) static PAIR_FACTOR_CORRECTED: WorkedExample = WorkedExample {
    statement: Statement::holds(
        "pair-factor",
        KACHI,
        "The factor of foundations 2 and 3 in the value of a plan is p23 / (p2 p3), like that of every other pair.",
        None,
        DOMAIN,
        1,
    ),
    below_the_last: (2, 3),
};

impl Claim for WorkedExample {
    fn statement(&self) -> &Statement {
        &self.statement
    }

    fn largest(&self) -> u32 {
        1
    }

    fn shards(&self, _: u32) -> u32 {
        1
    }

    fn check(&self, _: u32, _: u32, findings: &mut Findings) {
        let singles: f64 = SINGLE.iter().product();
        let factors = PAIRS.iter().zip(PAIR).map(|(&(f, g), pair)| {
            let (f, g) = if (f, g) == (2, 3) { self.below_the_last } else { (f, g) };
            pair / (SINGLE[f] * SINGLE[g])
        });
        let value = singles * factors.product::<f64>();
        findings.record((value / VALUE - 1.0).abs() < 1e-5, || Counterexample {
            position: "the worked example".to_owned(),
            words: format!("the printed factors give {value:.9}, and the printed value is {VALUE}"),
        });
    }
}

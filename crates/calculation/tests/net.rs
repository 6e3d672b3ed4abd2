//! The value net: every embedded one gives the outputs recorded from PyTorch up to the rounding of its dense layers, and neither company nor memory
//! changes anything.

#![allow(clippy::unwrap_used)]

use calculation::net::{Evaluator, Net};
use calculation::notation;
use calculation::position::Position;
use serde_json::Value;

/// How far chances may be from those of 32-bit arithmetic: on average, and at most.
const TOLERANCE: (f64, f64) = (0.005, 0.06);

fn recorded(stacks: usize) -> (Vec<Position>, Vec<f64>) {
    let text = match stacks {
        2 => include_str!("vectors/net-s2.jsonl"),
        3 => include_str!("vectors/net-s3.jsonl"),
        _ => include_str!("vectors/net-s4.jsonl"),
    };
    let line = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        let (rules, position) = notation::read(line["table"].as_str().unwrap()).unwrap();
        assert_eq!(rules.stacks(), stacks);
        (position, line["logit"].as_f64().unwrap())
    };
    text.lines().map(line).unzip()
}

#[test]
fn embedded_nets_give_the_recorded_chances() {
    for stacks in 2..=4 {
        let (positions, expected) = recorded(stacks);
        let mut evaluator = Evaluator::new(Net::embedded(stacks).unwrap());
        let mut logits = vec![f32::NAN; positions.len()];
        evaluator.logits(&positions, &mut logits);
        let chance = |logit: f64| 1.0 / (1.0 + (-logit).exp());
        let mut sum = 0.0;
        for ((position, logit), expected) in positions.iter().zip(&logits).zip(&expected) {
            let wrong = (chance(f64::from(*logit)) - chance(*expected)).abs();
            assert!(wrong < TOLERANCE.1, "{position:?}: logit {logit}, expected {expected}");
            sum += wrong;
        }
        assert!(sum / (positions.len() as f64) < TOLERANCE.0, "{stacks} stacks: {sum}");
    }
}

#[test]
fn company_and_memory_do_not_change_a_logit() {
    let (positions, _) = recorded(3);
    let net = Net::embedded(3).unwrap();
    let mut together = vec![0.0; positions.len()];
    let mut evaluator = Evaluator::new(net);
    evaluator.logits(&positions, &mut together);
    // Again with everything remembered, then each alone in a fresh evaluator.
    let mut again = vec![0.0; positions.len()];
    evaluator.logits(&positions, &mut again);
    assert_eq!(together, again);
    for (position, together) in positions.iter().zip(together).step_by(10) {
        let mut alone = [0.0];
        Evaluator::new(net).logits(&[*position], &mut alone);
        assert_eq!(alone[0], together);
    }
}

#[test]
fn the_order_of_the_stacks_does_not_matter() {
    let mut evaluator = Evaluator::new(Net::embedded(3).unwrap());
    let tables = ["4494/997T7AT6/JQ2Q78Q/5", "4494/5/997T7AT6/JQ2Q78Q", "4494/JQ2Q78Q/5/997T7AT6"];
    let positions = tables.map(|table| notation::read(table).unwrap().1);
    let mut logits = [0.0; 3];
    evaluator.logits(&positions, &mut logits);
    assert_eq!(logits, [logits[0]; 3]);
}

#[test]
fn there_is_no_net_for_other_games() {
    assert!(Net::embedded(1).is_none() && Net::embedded(5).is_none());
}

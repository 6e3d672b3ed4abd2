//! The value net: every embedded one gives the outputs recorded from PyTorch, and remembering stacks changes nothing.

#![allow(clippy::unwrap_used)]

use calculation::net::{Evaluator, Net};
use calculation::notation;
use calculation::position::Position;
use serde_json::Value;

/// Logits agree within this share of one plus their size.
const TOLERANCE: f64 = 1e-3;

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
fn embedded_nets_give_the_recorded_logits() {
    for stacks in 2..=4 {
        let (positions, expected) = recorded(stacks);
        let mut evaluator = Evaluator::new(Net::embedded(stacks).unwrap());
        let mut logits = vec![f32::NAN; positions.len()];
        evaluator.logits(&positions, &mut logits);
        for ((position, logit), expected) in positions.iter().zip(&logits).zip(&expected) {
            let wrong = (f64::from(*logit) - expected).abs();
            assert!(wrong < TOLERANCE * (1.0 + expected.abs()), "{position:?}: {logit}, expected {expected}");
        }
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
        assert!((alone[0] - together).abs() < 1e-3 * (1.0 + together.abs()));
    }
}

#[test]
fn the_order_of_the_stacks_does_not_matter() {
    let mut evaluator = Evaluator::new(Net::embedded(3).unwrap());
    let tables = ["4494/997T7AT6/JQ2Q78Q/5", "4494/5/997T7AT6/JQ2Q78Q", "4494/JQ2Q78Q/5/997T7AT6"];
    let positions = tables.map(|table| notation::read(table).unwrap().1);
    let mut logits = [0.0; 3];
    evaluator.logits(&positions, &mut logits);
    assert!(logits.iter().all(|&logit| (logit - logits[0]).abs() < 1e-4));
}

#[test]
fn there_is_no_net_for_other_games() {
    assert!(Net::embedded(1).is_none() && Net::embedded(5).is_none());
}

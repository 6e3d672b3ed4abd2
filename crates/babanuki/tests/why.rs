//! Reasons: every one that is produced passes the checker and proves the value; tampered ones are refused.

use babanuki::notation::{deal, example_position, read};
use babanuki::shape::all_shapes;
use babanuki::strategy::judge;
use babanuki::theory::{First, Safe};
use babanuki::why::{Clause, Why, of};
use babanuki::{Mode, Position, View};
use kachi_core::{Budget, Why as _};

fn proves(position: &Position) {
    let mut budget = Budget::default();
    let why = of(position, &mut budget).expect("a small position");
    let proved = why.check(position).unwrap_or_else(|flaw| panic!("{flaw}: {position:?}"));
    assert_eq!(proved, judge(position, &mut budget).expect("a small position").sure);
}

#[test]
fn every_reason_of_two_and_three_seats_proves_its_value() {
    for seats in [2, 3] {
        for labels in 1..=9 {
            for shape in all_shapes(seats, labels, Mode::Pairs) {
                proves(&example_position(&shape, Mode::Pairs));
            }
        }
    }
}

#[test]
fn certificates_prove_the_values_of_the_tables() {
    for (seats, labels, mode) in [(4, 3, Mode::Pairs), (5, 3, Mode::Pairs), (4, 2, Mode::Ranks)] {
        for shape in all_shapes(seats, labels, mode) {
            proves(&example_position(&shape, mode));
        }
    }
    // Nine seats need three words per shape while their table is solved.
    for shape in all_shapes(9, 4, Mode::Pairs).iter().step_by(40) {
        proves(&example_position(shape, Mode::Pairs));
    }
    for seed in 0..6 {
        proves(&deal(4, 7, Mode::Pairs, View::Open, seed));
        proves(&deal(6, 4, Mode::Pairs, View::Open, seed));
    }
}

#[test]
fn the_rank_in_one_step_is_the_rank_of_the_clauses() {
    for labels in 1..=24 {
        for shape in all_shapes(3, labels, Mode::Pairs) {
            let three = babanuki::theory::Three::of(&shape).unwrap();
            for q in 0..3 {
                let rank = match Clause::of(&three, q) {
                    Clause::First(_) => 1,
                    Clause::Safe(_) => 2,
                    Clause::Exposed => 3,
                };
                assert_eq!(three.rank(q), rank, "{three:?} {q}");
            }
        }
    }
}

#[test]
fn a_tampered_clause_is_refused() {
    let position = read("1,2/1/2,J@0").unwrap();
    let why = of(&position, &mut Budget::default()).unwrap();
    let Why::Three { order, shared, clauses } = why else { panic!("three seats are in") };
    let refused = |order, shared, clauses| Why::Three { order, shared, clauses }.check(&position).is_err();
    assert!(!refused(order, shared, clauses));
    assert!(refused([1, 0, 2], shared, clauses));
    assert!(refused(order, [1, 1, 1], clauses));
    for q in 0..3 {
        for other in [Clause::Exposed, Clause::First(First::AfterLast), Clause::Safe(Safe::Finish)] {
            let mut tampered = clauses;
            tampered[q] = other;
            assert!(tampered == clauses || refused(order, shared, tampered), "{q} {other:?}");
        }
    }
}

#[test]
fn a_tampered_two_seat_reason_is_refused() {
    let position = read("1,2/1,2,J@0").unwrap();
    assert!(Why::Two { holder: 1, other: 0, labels: 2 }.check(&position).is_ok());
    assert!(Why::Two { holder: 0, other: 1, labels: 2 }.check(&position).is_err());
    assert!(Why::Two { holder: 1, other: 0, labels: 3 }.check(&position).is_err());
    assert!(Why::Two { holder: 1, other: 0, labels: 2 }.check(&read("1/1/2/2,J@0").unwrap()).is_err());
}

#[test]
fn a_tampered_certificate_is_refused() {
    let position = read("7,9/2,3,9/2,3,4,J/4,7@0").unwrap();
    let Why::Certificate(certificate) = of(&position, &mut Budget::default()).unwrap() else {
        panic!("four seats are in")
    };
    let accepted = |certificate| Why::Certificate(certificate).check(&position).is_ok();
    assert!(accepted(certificate.clone()));
    let lines = certificate.lines.len();
    let mut shorter = certificate.clone();
    shorter.lines.pop();
    assert!(!accepted(shorter), "a shape is missing");
    for line in (0..lines).step_by(lines / 40 + 1) {
        for seat in 0..certificate.lines[line].cells.len() {
            let mut worse = certificate.clone();
            let cell = &mut worse.lines[line].cells[seat];
            cell.strict = if cell.strict == 1 { 2 } else { cell.strict - 1 };
            assert!(!accepted(worse), "a forced rank was changed in line {line}");
            let mut worse = certificate.clone();
            let cell = &mut worse.lines[line].cells[seat];
            cell.lenient = if cell.lenient == 1 { 2 } else { cell.lenient - 1 };
            assert!(!accepted(worse), "a rank with endless play was changed in line {line}");
        }
    }
    // Values that fit together but go round in circles: without a falling pace they prove nothing.
    let mut flat = certificate;
    flat.lines.iter_mut().flat_map(|line| &mut line.cells).for_each(|cell| cell.strict_pace = 0);
    assert!(!accepted(flat), "a pace that does not fall was accepted");
}

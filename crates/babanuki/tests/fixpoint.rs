//! The closed forms against the tables, and the tables against the slow solver on named cards.

use babanuki::position::{Card, Mode, Standing};
use babanuki::rules::Rules;
use babanuki::search::Guarantees;
use babanuki::shape::{Shape, all_shapes, example};
use babanuki::{Table, theory};
use kachi_core::solve::{Aim, Outcome, by_attractor};
use kachi_core::{Budget, Game, Seat};

fn solved(seats: usize, labels: u32, mode: Mode) -> Guarantees {
    Guarantees::solve(seats, labels, mode, &[], &mut Budget::default()).expect("within the limits")
}

/// The game as one seat sees it: it ends when that seat has left, or is the last one. (The others may then go on
/// for ever; that is no concern of a guaranteed rank.)
struct Watched(Seat);

impl Game for Watched {
    type Position = Table;
    type Move = Card;
    type Ending = u32;

    fn mover(&self, table: &Table) -> Seat {
        Rules.mover(table)
    }

    fn ending(&self, table: &Table) -> Option<u32> {
        match table.standing()[self.0.0] {
            Standing::Left(rank) => Some(rank),
            _ => Rules.ending(table).map(|ranks| ranks[self.0.0]),
        }
    }

    fn moves(&self, table: &Table) -> Vec<Card> {
        Rules.moves(table)
    }

    fn play(&self, table: &Table, card: &Card) -> Table {
        Rules.play(table, card)
    }
}

/// The watched seat leaves with this rank or better.
struct AtMost(Seat, u32);

impl Aim<Watched> for AtMost {
    fn in_team(&self, seat: Seat) -> bool {
        seat == self.0
    }

    fn fulfilled(&self, rank: &u32) -> bool {
        *rank <= self.1
    }
}

/// Strict and lenient guarantees of every seat by the definition, from the attractors for every seat and rank.
fn slow(roots: &[Table], seats: usize) -> Vec<Vec<(u8, u8)>> {
    let mut found = vec![vec![(seats as u8, seats as u8); seats]; roots.len()];
    for q in 0..seats {
        for k in (1..seats as u32).rev() {
            let aim = AtMost(Seat(q), k);
            let all =
                by_attractor(&Watched(Seat(q)), &aim, roots, &mut Budget::default()).expect("small games");
            for (root, ranks) in roots.iter().zip(&mut found) {
                match all.outcome(root).expect("a root") {
                    Outcome::Forced => ranks[q] = (k as u8, k as u8),
                    Outcome::Endless => ranks[q].1 = k as u8,
                    Outcome::Denied => {}
                }
            }
        }
    }
    found
}

fn compare(seats: u8, labels: u32, mode: Mode) -> usize {
    let table = solved(seats as usize, labels, mode);
    let mut compared = 0;
    for n in 0..=labels {
        let shapes: Vec<Shape> = all_shapes(seats, n, mode);
        let roots: Vec<Table> = shapes.iter().map(|shape| example(shape, mode)).collect();
        for (shape, ranks) in shapes.iter().zip(slow(&roots, seats as usize)) {
            let fast = table.of(shape).expect("within the table");
            let fast: Vec<(u8, u8)> = fast.iter().map(|g| (g.strict, g.lenient)).collect();
            assert_eq!(fast, ranks, "{shape:?}");
            compared += 1;
        }
    }
    compared
}

#[test]
fn tables_agree_with_the_slow_solver_on_named_cards() {
    assert!(compare(2, 6, Mode::Pairs) >= 12);
    assert!(compare(3, 6, Mode::Pairs) > 200);
    assert!(compare(4, 4, Mode::Pairs) > 470);
    assert!(compare(5, 3, Mode::Pairs) > 100);
    assert!(compare(6, 3, Mode::Pairs) > 100);
    assert!(compare(7, 3, Mode::Pairs) > 100);
}

#[test]
fn tables_agree_with_the_slow_solver_in_mode_ranks() {
    assert!(compare(3, 4, Mode::Ranks) > 50);
    assert!(compare(4, 3, Mode::Ranks) > 100);
    assert!(compare(5, 2, Mode::Ranks) > 50);
}

#[test]
fn closed_forms_agree_with_the_tables_up_to_20_labels() {
    let table = solved(3, 20, Mode::Pairs);
    let mut compared = 0;
    for seats in 2..=3 {
        for n in 0..=20 {
            for shape in all_shapes(seats, n, Mode::Pairs) {
                let ranks = theory::ranks(&shape).unwrap();
                let table = table.of(&shape).unwrap();
                assert!(ranks.iter().zip(&table).all(|(&r, g)| (r, r) == (g.strict, g.lenient)), "{shape:?}");
                compared += 1;
            }
        }
    }
    // Two hands: the joker is here or there. Three: 3 C(n+2, 2), less six in which a seat without labels lacks the joker.
    let three: u64 = (1..=20).map(|n| 3 * (n + 1) * (n + 2) / 2 - 6).sum();
    assert_eq!(compared, 2 * 20 + three);
}

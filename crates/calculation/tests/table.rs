//! The table in memory: the same chances as the recursion within the stated bound, and nothing that is not in it.

use calculation::memo::Memo;
use calculation::table::{Size, Table, build, in_memory};
use calculation::theory::{Chances, TwoChains, chance::Recursion};
use kachi_core::Budget;
use std::collections::HashSet;
use std::sync::Arc;

fn built(stacks: u64, ranks: u64) -> Table {
    let size = Size::new(stacks, ranks).expect("a size");
    in_memory(size, &mut Budget::default()).expect("a small table").table
}

#[test]
fn stored_chances_are_within_the_stated_bound_of_the_exact_ones() {
    for (stacks, ranks) in [(1, 5), (2, 5), (3, 6), (4, 5)] {
        let table = built(stacks, ranks);
        let mut exact = Recursion::new(stacks as usize);
        let mut states = 0;
        for (cards, meta) in (1..).zip(table.layers()) {
            for (state, stored) in table.states_with(cards, 1) {
                let state = state.expect("every number of the table is a state");
                let chance = exact.chance(&state);
                assert!(
                    (stored - chance).abs() <= meta.scale.bound() * chance,
                    "{state:?}: {stored} {chance}"
                );
                assert_eq!(table.chance(&state), Some(stored));
                states += 1;
            }
        }
        assert_eq!(states, table.states());
        let start = exact.chance(&TwoChains::start(stacks as usize, ranks as usize, ranks as usize));
        assert!((table.totals().start - start).abs() <= 1e-12 * start);
        assert!(table.bound() < 1e-3);
        (1..=2 * ranks as usize).for_each(|cards| table.check(cards).unwrap());
    }
}

#[test]
fn a_memo_on_a_small_table_agrees_with_the_recursion() {
    let table = Arc::new(built(3, 4));
    let mut memo = Memo::on(table.clone());
    let mut exact = Recursion::new(3);
    let start = TwoChains::start(3, 6, 6);
    let chance = memo.chance(&start);
    assert!(!memo.is_empty());
    assert!((chance / exact.chance(&start) - 1.0).abs() <= table.bound());
}

/// States and placements by going through all of them.
fn all_that_comes_of(start: &TwoChains) -> (u64, u64) {
    let mut layer = HashSet::from([start.canonical()]);
    let (mut states, mut placements) = (0, 0);
    for _ in 0..start.cards() {
        states += layer.len() as u64;
        let mut next = HashSet::new();
        for state in &layer {
            state.for_each_card(|card| {
                placements += card.states().len() as u64;
                next.extend(card.states().iter().map(TwoChains::canonical));
            });
        }
        layer = next;
    }
    (states, placements)
}

#[test]
fn the_lowest_placements_reach_everything_that_comes_of_free_stacks() {
    let free = |need_a: &[u8], need_b: &[u8], stacks: usize| {
        let (a, b) = (need_a.len() as u8, need_b.len() as u8);
        TwoChains::new(need_a, need_b, &vec![a; stacks], &vec![b; stacks]).expect("a state")
    };
    for stacks in 1..=4 {
        for start in [
            free(&[0; 5], &[0; 5], stacks),
            free(&[0; 7], &[0; 3], stacks),
            free(&[0; 8], &[], stacks),
            free(&[0, 0, 1, 2, 2], &[0, 1, 1, 1, 4], stacks),
            free(&[0, 0, 3], &[1, 1, 1, 1, 2, 2], stacks),
        ] {
            assert!(start.is_free());
            let reached = build::reach(&start, &mut Budget::default()).expect("a small start");
            assert_eq!((reached.states(), reached.placements), all_that_comes_of(&start), "{start:?}");
        }
    }
}

#[test]
fn all_placements_are_followed_where_a_stack_is_not_free() {
    for (cut_a, cut_b) in [([5, 2, 5], [5, 5, 3]), ([0, 5, 5], [5, 0, 5]), ([1, 4, 5], [1, 4, 5])] {
        let start = TwoChains::new(&[0; 5], &[0; 5], &cut_a, &cut_b).expect("a state");
        assert!(!start.is_free());
        let reached = build::reach(&start, &mut Budget::default()).expect("a small start");
        assert_eq!((reached.states(), reached.placements), all_that_comes_of(&start), "{start:?}");
        let chance = build::chance(&start, &mut Budget::default()).expect("a small start");
        let exact = Recursion::new(3).chance(&start);
        assert!((chance - exact).abs() <= 1e-12 * exact, "{start:?}: {chance} {exact}");
    }
}

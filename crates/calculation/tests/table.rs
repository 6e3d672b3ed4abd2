//! The table in memory: the same chances as the recursion within the stated bound, and nothing that is not in it.

use calculation::memo::Memo;
use calculation::table::{Size, Table, in_memory};
use calculation::theory::{Chances, TwoChains, chance::Recursion};
use kachi_core::Budget;
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

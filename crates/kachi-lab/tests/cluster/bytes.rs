//! The same counts and bytes for one thread, two threads, two and three processes.

use crate::node::{Coins, Job, Orders, fresh, results};
use calculation::table::{Layer, Size, in_memory};
use calculation::theory::TwoChains;
use calculation::theory::poset::{self, Poset};
use kachi_core::Budget;
use kachi_lab::work::{Engine, OnDisk, Threads, Watch};
use std::num::NonZeroUsize;

/// Processes, and workers of each.
const CLUSTERS: [(usize, usize); 4] = [(1, 1), (1, 2), (2, 1), (3, 1)];

#[test]
fn tables_have_the_bytes_of_a_build_in_memory() {
    for (stacks, ranks) in [(2, 6), (3, 4), (1, 3)] {
        let size = Size::new(stacks, ranks).unwrap();
        let expected = in_memory(size, &mut Budget::default()).unwrap();
        for (processes, workers) in CLUSTERS {
            let folder = fresh(&format!("table-{stacks}-{processes}-{workers}"));
            Orders::new(Job::Table(stacks, ranks), &folder, processes, workers).complete();
            let left = results(&folder);
            let names: Vec<&str> = left.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(names.len(), 1, "the table, and nothing beside it: {names:?}");
            assert!(left[0].1 == *expected.bytes, "{stacks} stacks, {processes} processes of {workers}");
            std::fs::remove_dir_all(folder).unwrap();
        }
    }
}

#[test]
fn more_workers_than_shards_change_nothing() {
    let size = Size::new(2, 3).unwrap();
    let expected = in_memory(size, &mut Budget::default()).unwrap();
    let folder = fresh("many");
    Orders::new(Job::Table(2, 3), &folder, 2, 9).complete();
    assert!(results(&folder)[0].1 == *expected.bytes);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn counts_are_those_of_the_definition() {
    for (stacks, chains, length) in [(3, 2, 4), (2, 3, 2), (3, 3, 2)] {
        let start = Poset::start(stacks, chains, length).unwrap();
        let all = poset::count(&start, 1, &mut Budget::default()).unwrap();
        let mut seen = Vec::new();
        for (processes, workers) in CLUSTERS {
            let folder = fresh(&format!("count-{stacks}-{chains}-{processes}-{workers}"));
            Orders::new(Job::Count(stacks, chains, length), &folder, processes, workers).complete();
            let text = std::fs::read_to_string(folder.join("counts")).unwrap();
            let counts: Vec<u64> = serde_json::from_str(&text).unwrap();
            assert_eq!(counts.iter().sum::<u64>(), all);
            assert_eq!(counts.len(), chains * length);
            seen.push(counts);
            std::fs::remove_dir_all(folder).unwrap();
        }
        assert!(seen.iter().all(|counts| *counts == seen[0]), "{seen:?}");
        if chains == 2 {
            let layers = calculation::table::build::reach(
                &TwoChains::start(stacks, length, length),
                &mut Budget::default(),
            );
            let layers: Vec<u64> = layers.unwrap().layers.iter().map(Layer::count).collect();
            assert_eq!(seen[0], layers);
        }
    }
}

#[test]
fn shards_are_those_of_threads() {
    let folder = fresh("threads");
    let store = OnDisk::open(&folder, "coins").unwrap();
    Threads(NonZeroUsize::new(2).unwrap()).run(&Coins { slow: 0 }, &store, Watch::default()).unwrap();
    let expected = results(&folder);
    assert_eq!(expected.len(), 4 + 9 + 11 + 16 + 21);
    std::fs::remove_dir_all(folder).unwrap();
    for (processes, workers) in CLUSTERS {
        let folder = fresh(&format!("coins-{processes}-{workers}"));
        Orders::new(Job::Coins(100), &folder, processes, workers).complete();
        assert!(results(&folder) == expected, "{processes} processes of {workers}");
        std::fs::remove_dir_all(folder).unwrap();
    }
}

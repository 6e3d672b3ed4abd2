//! Every claim behaves as expected at its default size.
#![allow(clippy::unwrap_used)] // Helpers of tests, too, fail by panicking.

use kachi_core::claim::{Claim, Expected, Findings};
use kachi_core::surface::Entry;
use shichinarabe::{ENTRY, GRAPH_ENTRY};

/// Checks sizes in order until the first counterexample of a claim that is expected to fail.
fn check(claim: &dyn Claim, sizes: std::ops::RangeInclusive<u32>) -> (u32, Findings<'static>) {
    let mut all = Findings::default();
    let mut reached = 0;
    for size in sizes {
        reached = size;
        for shard in 0..claim.shards(size) {
            let mut findings = Findings::default();
            claim.check(size, shard, &mut findings);
            all.append(findings);
        }
        if all.failed > 0 {
            break;
        }
    }
    (reached, all)
}

fn all() -> Vec<(&'static dyn Entry, &'static dyn Claim)> {
    let entries: [&'static dyn Entry; 2] = [&ENTRY, &GRAPH_ENTRY];
    entries.into_iter().flat_map(|entry| entry.claims().iter().map(move |&claim| (entry, claim))).collect()
}

/// Exhaustive sizes for claims that hold are a notch below the default here; `kachi verify` runs the rest.
#[test]
fn claims_that_hold_do_so() {
    for (_, claim) in all() {
        let statement = claim.statement();
        if statement.expected == Expected::Holds {
            let (size, findings) = check(claim, 1..=statement.size.min(6));
            assert_eq!(findings.failed, 0, "{} at {size}: {:?}", statement.id, findings.counterexample);
            assert!(findings.checked > 0, "{}", statement.id);
        }
    }
}

/// The smallest sizes of counterexamples, as the theory page tells them.
#[test]
fn errata_are_refuted_at_their_smallest_size() {
    let mut found = Vec::new();
    for (entry, claim) in all() {
        let statement = claim.statement();
        if statement.expected == Expected::Refuted {
            let (size, findings) = check(claim, 1..=statement.size);
            let counterexample =
                findings.counterexample.unwrap_or_else(|| panic!("{} is not refuted", statement.id));
            // The position can be looked at with the same game.
            entry.board(&counterexample.position).unwrap();
            found.push((statement.id, size));
        }
    }
    let smallest = [
        ("erratum-paper-case-1-sign", 3),
        ("erratum-paper-case-1-tie", 2),
        ("erratum-paper-case-6-tie", 4),
        ("erratum-paper-r-moves-nlr", 4),
        ("erratum-theorem-6-1-unequal", 3),
        ("erratum-theorem-6-1-one-per-turn", 6),
        ("erratum-one-right-per-turn", 6),
        ("erratum-emptying-undefined", 2),
        ("erratum-edge-addition-definition", 2),
        ("erratum-unblocked-player-wins-forests", 3),
        ("erratum-unblocked-player-wins-paths", 3),
        ("erratum-forest-all-opened", 7),
        ("theorem-6-5-naive", 7),
        ("theorem-6-6-naive", 7),
        ("theorem-6-7-naive", 6),
        ("now-or-never-trees-level", 12),
        ("now-or-never-trees-behind", 15),
        ("pass-is-a-shift", 2),
    ];
    found.sort_unstable();
    let mut expected = smallest.to_vec();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn ids_are_unique_and_corrections_exist() {
    let ids: Vec<&str> = all().iter().map(|(_, claim)| claim.statement().id).collect();
    for (i, id) in ids.iter().enumerate() {
        assert!(!ids[..i].contains(id), "{id} twice");
    }
    for (_, claim) in all() {
        if let Some(corrected) = claim.statement().corrected_by {
            assert!(ids.contains(&corrected), "{corrected} is missing");
        }
    }
}

/// A claim that is asked for more than it can check is checked as far as it can be, and breaks nothing.
#[test]
fn claims_on_graphs_end_where_the_truth_does() {
    let claims = GRAPH_ENTRY.claims();
    assert!(claims.iter().all(|claim| claim.largest() <= 16));
    let random = claims.iter().find(|claim| claim.statement().id == "main-theorem").unwrap();
    let (size, findings) = check(*random, random.largest()..=random.largest());
    assert_eq!((size, findings.checked > 0, findings.failed), (16, true, 0));
    // Forests are listed in memory.
    let forests = claims.iter().find(|claim| claim.statement().id == "rooted-forest-rule").unwrap();
    assert_eq!(forests.largest(), 12);
}

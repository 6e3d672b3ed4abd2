//! Every claim at a size that is quick: what should hold holds, what should be refuted is refuted, by the position on record.

use kachi_core::surface::Entry;
use kachi_core::{Claim, Expected, Findings};

/// Sizes 1, 2, ... up to the first counterexample.
fn check(claim: &dyn Claim, size: u32) -> Findings<'static> {
    let mut all = Findings::default();
    for size in 1..=size {
        for shard in 0..claim.shards(size) {
            let mut findings = Findings::default();
            claim.check(size, shard, &mut findings);
            all.append(findings);
        }
        if all.counterexample.is_some() {
            break;
        }
    }
    all
}

#[test]
fn claims_come_out_as_expected() {
    for claim in tanhinmin::ENTRY.claims() {
        let statement = claim.statement();
        // What must be refuted needs its full size; what holds is checked further by `kachi verify`.
        let size = match statement.expected {
            Expected::Refuted => statement.size,
            Expected::Holds => statement.size.min(5),
        };
        // Its smallest counterexample has 7 cards with goals and cut cards: half a minute here, so `kachi verify` finds it.
        if statement.id == "rule-4-extremes" {
            continue;
        }
        let findings = check(*claim, size);
        assert!(findings.checked > 0, "{} checks nothing", statement.id);
        assert_eq!(
            findings.counterexample.is_some(),
            statement.expected == Expected::Refuted,
            "{}: {:?}",
            statement.id,
            findings.counterexample
        );
    }
}

//! Every claim at its full size: what should hold holds, what should be refuted is refuted by a position that can be read.

#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

use kachi_core::surface::Entry;
use kachi_core::{Claim, Expected, Findings};

fn check(claim: &dyn Claim) -> Findings<'static> {
    let mut all = Findings::default();
    for size in 1..=claim.statement().size {
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
    let ids: Vec<&str> = hana::ENTRY.claims().iter().map(|claim| claim.statement().id).collect();
    for claim in hana::ENTRY.claims() {
        let statement = claim.statement();
        let findings = check(*claim);
        assert!(findings.checked > 0, "{} checks nothing", statement.id);
        let refuted = statement.expected == Expected::Refuted;
        assert_eq!(
            findings.counterexample.is_some(),
            refuted,
            "{}: {:?}",
            statement.id,
            findings.counterexample
        );
        if let Some(example) = findings.counterexample {
            assert!(hana::ENTRY.board(&example.position).is_ok(), "{}: {}", statement.id, example.position);
            assert!(ids.contains(&statement.corrected_by.unwrap()), "{}", statement.id);
        }
        match statement.id {
            "biki" => assert_eq!(findings.checked, 11_522, "schedules"),
            "erratum-free-window" => assert_eq!(findings.failed, 9, "bad places"),
            "biki-all-play" => assert_eq!(findings.checked, 50 + 540 + 2 * 9_000, "deal classes times cards"),
            "erratum-biki-window" => assert_eq!(findings.failed, 5_040, "every order of throwing fails"),
            _ => {}
        }
    }
}

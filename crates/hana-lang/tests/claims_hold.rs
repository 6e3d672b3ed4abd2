//! Every claim of the ledger holds at its default size, and none calls itself a Coq theorem.

use hana_lang::claims::ALL;
use kachi_core::{Expected, Findings};

#[test]
fn every_claim_holds_and_checks_something() {
    for claim in ALL {
        let statement = claim.statement();
        assert_eq!(statement.expected, Expected::Holds);
        assert_eq!(statement.proved, None, "{}: kernel theorems are no Coq theorems", statement.id);
        let mut findings = Findings::default();
        for size in 1..=statement.size {
            for shard in 0..claim.shards(size) {
                claim.check(size, shard, &mut findings);
            }
        }
        assert!(findings.checked > 0, "{} checks nothing", statement.id);
        assert_eq!(findings.failed, 0, "{}: {:?}", statement.id, findings.counterexample);
    }
    let mut ids: Vec<&str> = ALL.iter().map(|claim| claim.statement().id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), ALL.len());
}

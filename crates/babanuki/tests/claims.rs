//! Every claim at its default size: those that hold have no counterexample, those that are errata find theirs.

use babanuki::claims::CLAIMS;
use kachi_core::{Expected, Findings};

fn find(id: &str, size: u32) -> Findings<'static> {
    let claim = CLAIMS.iter().find(|claim| claim.statement().id == id).expect(id);
    let mut findings = Findings::default();
    for size in 1..=size {
        for shard in 0..claim.shards(size) {
            claim.check(size, shard, &mut findings);
        }
    }
    findings
}

#[test]
fn every_claim_turns_out_as_expected() {
    for claim in CLAIMS {
        let statement = claim.statement();
        let findings = find(statement.id, statement.size);
        assert!(findings.checked > 0, "{} checks nothing", statement.id);
        match statement.expected {
            Expected::Holds => assert_eq!(findings.counterexample, None, "{}", statement.id),
            Expected::Refuted => {
                assert!(findings.failed > 0, "{} is not refuted", statement.id);
                let corrected = statement.corrected_by.expect("an erratum names its correction");
                assert!(CLAIMS.iter().any(|claim| claim.statement().id == corrected), "{corrected}");
            }
        }
    }
}

#[test]
fn errata_find_their_smallest_counterexamples() {
    let position = |id: &str, size| find(id, size).counterexample.expect(id).words;
    assert!(position("theorem-5.3-p2", 8).contains("(3, 1, 2)"));
    assert!(position("theorem-5.4-p1-if", 8).contains("(1, 0, 1)"));
    assert!(position("theorem-5.4-p1-only-if", 8).contains("(3, 4, 1)"));
    assert!(position("theorem-5.5-p0", 8).contains("(1, 1, 0)"));
    assert!(position("theorem-5.5-p1", 8).contains("(1, 0, 1)"));
    assert_eq!(find("any-keeping-draw-finishes", 1).failed, 0);
    assert!(find("any-keeping-draw-finishes", 2).failed > 0, "already with two labels");
}

#[test]
fn ids_are_unique_and_statements_complete() {
    let mut ids: Vec<&str> = CLAIMS.iter().map(|claim| claim.statement().id).collect();
    ids.sort_unstable();
    assert!(ids.windows(2).all(|pair| pair[0] != pair[1]));
    for claim in CLAIMS {
        let statement = claim.statement();
        assert!(
            !statement.domain.is_empty() && statement.words.ends_with('.') && statement.size > 0,
            "{}",
            statement.id
        );
    }
}

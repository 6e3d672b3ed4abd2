//! Every claim comes out as expected, at sizes that take no time.

use calculation::claims::CLAIMS;
use kachi_core::{Expected, Findings};

#[test]
fn claims_come_out_as_expected() {
    for claim in CLAIMS {
        let statement = claim.statement();
        // An erratum is only refuted at the size where it is wrong.
        let size = match statement.expected {
            Expected::Holds => statement.size.min(4),
            Expected::Refuted => statement.size,
        };
        let mut findings = Findings::default();
        for size in 1..=size.min(claim.largest()) {
            for shard in 0..claim.shards(size) {
                claim.check(size, shard, &mut findings);
            }
        }
        let refuted = findings.failed > 0;
        assert_eq!(refuted, statement.expected == Expected::Refuted, "{}: {findings:?}", statement.id);
        if statement.expected == Expected::Refuted {
            let by = statement.corrected_by.expect("an erratum names its correction");
            assert!(CLAIMS.iter().any(|claim| claim.statement().id == by), "{by}");
        }
    }
}

#[test]
fn the_misprinted_count_is_wrong_by_one() {
    let claim = CLAIMS.iter().find(|claim| claim.statement().id == "erratum-table-2-two-chains").unwrap();
    let mut findings = Findings::default();
    claim.check(8, 0, &mut findings);
    let words = findings.counterexample.expect("refuted").words;
    assert_eq!(words, "566036 states are stated, and there are 566037");
}

#[test]
fn no_two_claims_have_one_name() {
    let mut names: Vec<&str> = CLAIMS.iter().map(|claim| claim.statement().id).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), CLAIMS.len());
}

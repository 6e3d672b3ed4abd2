//! The benchmark of the real games: promised keys, and the same signature twice.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod support;

use support::answered;

#[test]
fn tanhinmin_has_its_figures_and_the_same_signature_twice() {
    let [first, second] = [0, 1].map(|_| answered(&["bench", "tanhinmin", "--json"], "").json());
    assert_eq!(first["game"], "tanhinmin");
    assert_eq!(first["signature"], second["signature"]);
    for key in [
        "packed_per_s",
        "block_per_s",
        "block_over_two_pointer",
        "hopcroft_karp_over_block",
        "large_fraction_of_bandwidth",
        "batch_lines_per_s",
    ] {
        assert!(first[key].as_f64().is_some_and(|figure| figure > 0.0), "{key}: {first}");
    }
}

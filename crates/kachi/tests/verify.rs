//! Claims are selected by game and name.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod toy;

use kachi::core::surface::Entry;
use kachi::registry::Registry;
use kachi::verify::select;

#[test]
fn claims_are_selected_by_game_and_name() {
    let games: [&dyn Entry; 2] = [&toy::TAKE, &toy::LIAR];
    let registry = Registry::new(&games);
    let count = |game, ids: &[&str]| {
        let ids: Vec<String> = ids.iter().map(|&id| id.to_owned()).collect();
        select(registry, game, &ids).map(|claims| claims.len()).map_err(|error| (error.code, error.hint))
    };
    assert_eq!(count(None, &[]), Ok(5));
    assert_eq!(count(Some("take"), &[]), Ok(2));
    assert_eq!(count(None, &["fours"]), Ok(2));
    assert_eq!(count(Some("liar"), &["fours", "false-fours"]), Ok(2));
    let (code, hint) = count(Some("take"), &["fuors"]).unwrap_err();
    assert_eq!(code, "unknown_claim");
    assert!(hint.unwrap().starts_with("did you mean fours?"));
    assert_eq!(count(Some("tale"), &[]).unwrap_err().0, "unknown_game");
}

#[test]
fn claims_over_random_cases_say_so() {
    for game in kachi::registry::games() {
        for claim in kachi::registry::claims(*game) {
            let statement = claim.statement();
            let drawn = ["random", "by seed", "ChaCha"].iter().any(|word| statement.domain.contains(word));
            assert_eq!(statement.sampled, drawn, "{}: {}", statement.id, statement.domain);
        }
    }
}

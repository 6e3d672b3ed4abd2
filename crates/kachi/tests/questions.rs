//! Open questions speak of claims that exist and of commands that can be given; none of them bears the name of a claim.

use kachi::core::Question;
use kachi::core::surface::Entry;
use kachi::registry::{Registry, claims, games, questions};
use kachi::verify::select;
use std::path::Path;

fn all() -> impl Iterator<Item = (&'static dyn Entry, &'static Question)> {
    games().iter().flat_map(|&game| questions(game).into_iter().map(move |question| (game, question)))
}

fn is_claim(game: &dyn Entry, id: &str) -> bool {
    claims(game).iter().any(|claim| claim.statement().id == id)
}

/// `kachi verify GAME --claim ID ... --size N`: the claims are there and can be checked at that size.
fn can_be_verified(words: &[&str]) -> bool {
    let value = |key: &str| words.iter().position(|word| *word == key).map(|at| words[at + 1]);
    let ids: Vec<String> =
        words.windows(2).filter(|pair| pair[0] == "--claim").map(|pair| pair[1].to_owned()).collect();
    let Ok(chosen) = select(Registry::default(), Some(words[2]), &ids) else { return false };
    let size: u32 = value("--size").map_or(1, |size| size.parse().expect("a size"));
    !ids.is_empty() && chosen.iter().all(|stated| size <= stated.claim.largest())
}

#[test]
fn what_a_question_quotes_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (game, question) in all() {
        for quoted in question.quoted() {
            let words: Vec<&str> = quoted.split_whitespace().collect();
            let right = match &words[..] {
                ["kachi", "verify", ..] => can_be_verified(&words),
                ["kachi", "lab", "run", campaign] => root.join(campaign).is_file(),
                ["kachi", ..] => true,
                [player] if player.starts_with("paper") => game.about().name == "calculation",
                [id] => is_claim(game, id),
                _ => false,
            };
            assert!(right, "{}: `{quoted}`", question.id);
        }
    }
}

#[test]
fn questions_have_names_of_their_own_and_say_what_would_settle_them() {
    let mut names = Vec::new();
    for (game, question) in all() {
        let Question { id, source, words, known, domain, settled_by } = question;
        assert!(!is_claim(game, id) && !names.contains(id), "{id}");
        assert!([source, words, known, domain, settled_by].iter().all(|text| !text.is_empty()), "{id}");
        assert!(words.ends_with('.') && known.matches('`').count() % 2 == 0, "{id}");
        names.push(id);
    }
    assert!(names.len() >= 10, "{names:?}");
}

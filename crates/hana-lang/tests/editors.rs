//! The TextMate grammar knows every word of the language, and only those.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

use hana_lang::syntax::lexer::KEYWORDS;
use hana_lang::types::builtins::{Builtin, Given};
use serde_json::Value;
use std::collections::BTreeSet;

fn file(name: &str) -> Value {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../editors/hl").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The words between `(?:` and `)` of every pattern of a part of the grammar.
fn words(grammar: &Value, part: &str) -> BTreeSet<String> {
    let patterns = grammar["repository"][part]["patterns"].as_array().unwrap();
    let list = |pattern: &Value| {
        let text = pattern["match"].as_str().unwrap();
        let start = text.find("(?:").unwrap() + 3;
        let end = text[start..].find(')').unwrap();
        text[start..start + end].split('|').map(str::to_owned).collect::<Vec<_>>()
    };
    patterns.iter().flat_map(list).collect()
}

#[test]
fn every_keyword_is_in_the_grammar_and_nothing_else() {
    let grammar = file("syntaxes/hl.tmLanguage.json");
    let mut expected: BTreeSet<String> = KEYWORDS.iter().map(|word| (*word).to_owned()).collect();
    expected.extend(["Bool", "Int", "Flower", "Place"].map(str::to_owned));
    assert_eq!(words(&grammar, "word"), expected);
}

#[test]
fn everything_the_host_gives_is_in_the_grammar() {
    let grammar = file("syntaxes/hl.tmLanguage.json");
    let given = Given::ALL.into_iter().map(|given| given.name().to_owned());
    let builtins = Builtin::ALL.into_iter().map(|builtin| builtin.name().to_owned());
    assert_eq!(words(&grammar, "given"), given.chain(builtins).collect());
}

#[test]
fn every_month_is_a_flower_of_the_grammar() {
    let grammar = file("syntaxes/hl.tmLanguage.json");
    let pattern = grammar["repository"]["flower"]["match"].as_str().unwrap();
    for month in 1..=12 {
        let name = hana::Card::new(month, 0).unwrap().paper_flower();
        assert!(pattern.contains(name), "{name}");
    }
}

#[test]
fn the_extension_names_files_that_are_there() {
    let package = file("package.json");
    let contributes = &package["contributes"];
    assert_eq!(contributes["languages"][0]["extensions"][0], ".hl");
    let grammar = contributes["grammars"][0]["path"].as_str().unwrap();
    let scope = file(grammar.trim_start_matches("./"))["scopeName"].clone();
    assert_eq!(scope, contributes["grammars"][0]["scopeName"]);
    file(contributes["languages"][0]["configuration"].as_str().unwrap().trim_start_matches("./"));
}

//! docs/hl.md is tested: programs are checked, values computed, errors compared, excerpts looked up. (Its commands are run by the tests of the command line.)
//! `KACHI_BLESS=1 cargo test -p hana-lang --test pages` writes the true error messages into the page.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

use hana_lang::compiled::{Limits, evaluate, exchange};
use hana_lang::core::House;
use hana_lang::{diagnose, programs, proof_file, syntax, types};
use std::path::PathBuf;

fn page() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/hl.md")
}

/// Every listing: what stands behind the fence, and its text.
fn listings(page: &str) -> Vec<(String, String)> {
    let mut listings = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => open = Some((info.trim().to_owned(), String::new())),
            (Some(_), Some(_)) => listings.extend(open.take()),
            (Some((_, text)), None) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a listing is not closed");
    listings
}

fn value_of(text: &str) -> String {
    let house = House::default();
    let it = types::check_expression(text, None).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    let value = evaluate(&it, None, house, Limits::default()).unwrap();
    exchange::show(&value, &it.body.ty, &house)
}

#[test]
fn programs_check_values_are_true_and_excerpts_are_real() {
    let page = std::fs::read_to_string(page()).unwrap();
    let mut counts = [0; 3];
    for (info, text) in listings(&page) {
        let words: Vec<&str> = info.split(' ').collect();
        match words.as_slice() {
            ["hl"] => {
                types::check_source(&text)
                    .unwrap_or_else(|errors| panic!("{}", diagnose::render("page", &text, &errors, false)));
                assert_eq!(syntax::format(&text).unwrap(), text, "laid out");
                counts[0] += 1;
            }
            ["hl", "eval"] => {
                for line in text.lines() {
                    let (expression, value) = line.split_once(" -- ").unwrap();
                    assert_eq!(value_of(expression), value.trim(), "{expression}");
                    counts[1] += 1;
                }
            }
            ["hl" | "text", "from", name] => {
                let program = programs::find(name).map(|program| program.source);
                let proof =
                    proof_file::SHIPPED.iter().find(|proof| proof.name == *name).map(|proof| proof.text);
                let source = program.or(proof).unwrap_or_else(|| panic!("{name}"));
                assert!(source.contains(text.as_str()), "{name} does not say\n{text}");
                counts[2] += 1;
            }
            _ => {}
        }
    }
    assert!(counts[0] >= 1 && counts[1] >= 15 && counts[2] >= 6, "{counts:?}");
}

#[test]
fn wrong_programs_are_answered_as_the_page_says() {
    let page_text = std::fs::read_to_string(page()).unwrap();
    let listings = listings(&page_text);
    let mut found = 0;
    for pair in listings.windows(2) {
        let [(info, source), (_, said)] = pair else { continue };
        if info != "hl wrong" {
            continue;
        }
        found += 1;
        let errors = types::check_source(source).unwrap_err();
        let truth = diagnose::render("broken.hl", source, &errors, false);
        if std::env::var_os("KACHI_BLESS").is_some() {
            let before = format!("```hl wrong\n{source}```\n\n```text\n{said}```");
            let after = format!("```hl wrong\n{source}```\n\n```text\n{truth}```");
            std::fs::write(page(), page_text.replace(&before, &after)).unwrap();
            continue;
        }
        assert_eq!(*said, truth);
    }
    assert_eq!(found, 1);
}

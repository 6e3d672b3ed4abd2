//! Every rejection of the language, as a person sees it. `tests/rejected/NAME.hl` is a wrong program, `NAME.txt` what is said about it;
//! `KACHI_BLESS=1 cargo test -p hana-lang --test rejections` writes the true words, to be read before they are kept.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

use hana_lang::{diagnose, types};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rejected")
}

fn programs() -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut programs: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|end| end == "hl")).collect();
    programs.sort();
    programs
}

#[test]
fn every_wrong_program_is_refused_in_the_words_on_file() {
    let programs = programs();
    assert!(programs.len() >= 40, "only {}", programs.len());
    for path in programs {
        let source = std::fs::read_to_string(&path).unwrap();
        let file = path.file_name().unwrap().to_str().unwrap();
        let errors = types::check_source(&source).expect_err(file);
        let text = diagnose::render(file, &source, &errors, false);
        let golden = path.with_extension("txt");
        if std::env::var_os("KACHI_BLESS").is_some() {
            std::fs::write(&golden, &text).unwrap();
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        assert_eq!(text, expected, "{file}: read the change, then accept it with KACHI_BLESS=1");
    }
}

/// The rejections that the language promises, with the rule that each must name.
#[test]
fn the_twenty_promised_rejections_name_their_rule() {
    let rules = [
        "assignment",
        "arithmetic",
        "name",
        "if",
        "assignment",
        "procedure",
        "application",
        "index",
        "set",
        "join",
        "quantifier",
        "equality",
        "flower",
        "if",
        "application",
        "fix",
        "index",
        "while",
        "syntax",
        "assert",
    ];
    for (path, rule) in programs().iter().zip(rules) {
        let source = std::fs::read_to_string(path).unwrap();
        let errors = types::check_source(&source).unwrap_err();
        assert_eq!(errors[0].rule, rule, "{}", path.display());
    }
}

#[test]
fn colour_changes_nothing_but_colour() {
    for path in programs() {
        let source = std::fs::read_to_string(&path).unwrap();
        let errors = types::check_source(&source).unwrap_err();
        let (plain, coloured) = (render(&source, &errors, false), render(&source, &errors, true));
        assert!(coloured.contains("\x1b["));
        let mut stripped = coloured;
        for code in ["\x1b[1;31m", "\x1b[34m", "\x1b[1m", "\x1b[36m", "\x1b[0m"] {
            stripped = stripped.replace(code, "");
        }
        assert_eq!(plain, stripped);
    }
}

fn render(source: &str, errors: &[diagnose::Diagnostic], colour: bool) -> String {
    diagnose::render("p.hl", source, errors, colour)
}

#[test]
fn many_errors_are_counted_not_shown() {
    let source = format!("program P; begin {} [] end.", "x := 1; ".repeat(30));
    let errors = types::check_source(&source).unwrap_err();
    assert_eq!(errors.len(), 30);
    let text = render(&source, &errors, false);
    assert_eq!(text.matches("error[").count(), diagnose::SHOWN);
    assert!(text.ends_with("10 more errors are not shown\n"));
}

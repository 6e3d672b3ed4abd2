//! The printer keeps every token and every comment, and printing twice is printing once: on the shipped programs, on the refused ones that can be
//! read, and on programs with tokens and comments moved about at random.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

use hana_lang::syntax::lexer::{Token, lex};
use hana_lang::{programs, syntax};
use proptest::prelude::*;

/// The tokens that printing must keep: all but a semicolon before `end`, and `()` after the name of a procedure.
fn kept(source: &str) -> Vec<Token<'_>> {
    let tokens: Vec<Token<'_>> = lex(source).tokens.into_iter().map(|(token, _)| token).collect();
    let mut kept: Vec<Token<'_>> = Vec::new();
    for token in tokens {
        if token == Token::Word("end") {
            while kept.last() == Some(&Token::Sign(";")) {
                kept.pop();
            }
        }
        if token == Token::Sign(";") && kept.last() == Some(&Token::Sign(";")) {
            continue;
        }
        kept.push(token);
    }
    kept
}

fn comments(source: &str) -> Vec<String> {
    lex(source).comments.into_iter().map(|comment| comment.text).collect()
}

fn prints_well(source: &str) -> Result<(), String> {
    let Ok(text) = syntax::format(source) else { return Ok(()) };
    let check =
        |right: bool, what: &str| if right { Ok(()) } else { Err(format!("{what}\n{source}\n---\n{text}")) };
    check(kept(source) == kept(&text), "tokens")?;
    let (mut before, mut after) = (comments(source), comments(&text));
    before.sort();
    after.sort();
    check(before == after, "comments")?;
    check(syntax::format(&text).as_deref() == Ok(text.as_str()), "twice")?;
    check(text.lines().all(|line| line == line.trim_end()), "blanks at the end of a line")
}

#[test]
fn the_shipped_programs_are_laid_out_already() {
    for program in programs::ALL {
        if let Ok(text) = syntax::format(program.source) {
            assert_eq!(text, program.source, "{}", program.name);
        }
    }
}

#[test]
fn nothing_is_lost() {
    for program in programs::ALL {
        prints_well(program.source).unwrap();
    }
    for text in [
        "program P;-- a\n-- b\nvar n:Int;-- c\n\n\n-- d\nbegin -- e\nn:=1 -- f\n;-- g\n\n\nn:=2;-- h\n-- i\nend.-- j\n-- k",
        "-- first\nprogram P; -- x\n[] -- y\n. -- z",
        "program P; var n : Int; if -- a\nn = 1 -- b\nthen -- c\nn := 1 -- d\nelse -- e\nn := 2 -- f\n.",
        "program P; var n : Int; n := - - 1 - -1.",
        "program P; var n : Int; n := ((((1 + 2) * 3) - 4) div 5) mod (if not n < 9 then let x = 1 in x else max{1, 2}).",
        "program P; procedure Q(); -- a\n begin -- b\n [] end; while true do -- c\n begin Q; Q end.",
    ] {
        assert!(syntax::parse(text).is_ok(), "{text}");
        prints_well(text).unwrap();
    }
}

#[test]
fn lines_are_short_where_the_text_allows_it() {
    for program in programs::ALL {
        let Ok(text) = syntax::format(program.source) else { continue };
        let long = text.lines().filter(|line| line.len() > syntax::printer::WIDTH + 20).count();
        assert_eq!(long, 0, "{}", program.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn comments_and_line_breaks_anywhere(seeds in prop::collection::vec((any::<prop::sample::Index>(), 0..4_u8), 1..12), which in 0..programs::ALL.len()) {
        let source = programs::ALL[which].source;
        let blanks: Vec<usize> = source.match_indices([' ', '\n']).map(|(at, _)| at).collect();
        let mut text = source.to_owned();
        let mut places: Vec<(usize, u8)> = seeds.iter().map(|(index, what)| (blanks[index.index(blanks.len())], *what)).collect();
        places.sort_unstable();
        for (i, (at, what)) in places.into_iter().enumerate().rev() {
            let piece = match what {
                0 => format!(" -- note {i}\n"),
                1 => "\n".to_owned(),
                2 => "\n\n\n".to_owned(),
                _ => format!("\n-- note {i}\n\n"),
            };
            text.insert_str(at, &piece);
        }
        prop_assert!(prints_well(&text).is_ok(), "{}", prints_well(&text).unwrap_err());
    }
}

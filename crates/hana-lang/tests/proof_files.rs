//! The shipped proofs are accepted, and spoilt ones are refused at the right step.

use hana_lang::core::Module;
use hana_lang::programs::{MODERN, PAPER};
use hana_lang::proof_file::{ProofError, SHIPPED, check, shipped_module};

fn find(name: &str) -> Option<Module> {
    shipped_module(name)
}

#[test]
fn every_shipped_proof_is_accepted() {
    for proof in SHIPPED {
        let checked = check(proof.text, &find).unwrap_or_else(|error| {
            panic!("{}, line {}: {error}", proof.name, error.line(proof.text));
        });
        assert!(!checked.theorems.is_empty(), "{} proves nothing", proof.name);
        for proved in &checked.theorems {
            assert!(proved.theorem.hypotheses().is_empty());
            println!("{} {}: {}", proof.name, proved.name, proved.theorem.uses());
        }
    }
    assert_eq!((PAPER.name, MODERN.name), ("paper", "modern"));
}

fn refused(text: &str) -> ProofError {
    check(text, &find).expect_err(text)
}

#[test]
fn a_refusal_names_the_step_and_what_was_expected() {
    let wrong = refused(
        "proof p about paper;\ntheorem deck : Points(all[Flower]) == 265 by compute Points(all[Flower]);",
    );
    assert_eq!(wrong.step.as_deref(), Some("deck"));
    assert_eq!(wrong.line("proof p about paper;\ntheorem"), 2);
    assert_eq!(
        wrong.message,
        "stated is\n  Points(all[Flower]) == 265\nproved is\n  Points(all[Flower]) == 264"
    );
    let open = refused("proof p about paper; variable n : Int; theorem t : n == 1 by assume n == 1;");
    assert_eq!(open.message, "hypotheses are left: n == 1");
    let beta = refused("proof p about paper; step t by beta (lambda (n : Int). 1)(1 + 2);");
    assert!(beta.message.contains("may be bottom or Err"), "{beta}");
    let scott = refused(
        "proof p about paper; variable w : (Int -> Int);
         step base by assume w(0) == 0;
         step bad by scott fix w : (Int -> Int). lambda (n : Int). w(n) as w, w(0) == 0 => w(1) == 1, base, base;",
    );
    assert!(scott.message.contains("occurs in a guard"), "{scott}");
    for text in [
        "",
        "proof",
        "proof p about nowhere;",
        "proof p about paper; step x by magic;",
        "proof p about paper; step x : 1",
    ] {
        refused(text);
    }
}

/// Conservation is not proved of a program that mints money.
#[test]
fn a_program_that_does_not_conserve_is_refused() {
    let minting = PAPER.source.replace("cash(q) := cash(q) + x", "cash(q) := cash(q) + x + 1");
    assert_ne!(minting, PAPER.source);
    let program = hana_lang::types::check_source(&minting).unwrap();
    let module = hana_lang::elaborate::elaborate(&program).unwrap();
    let cash = SHIPPED.iter().find(|proof| proof.name == "paper-cash").unwrap();
    let error = check(cash.text, &|_| Some(module.clone())).unwrap_err();
    assert_eq!(error.step.as_deref(), Some("pay-conserves"));
}

#[test]
fn hostile_texts_are_refused_quickly() {
    let deep = format!("proof p about paper; step x by reflexive {}1;", "(".repeat(100_000));
    assert!(refused(&deep).message.contains("deeper"));
    let braces = format!("proof p about paper; step x by reflexive {};", "{x in ".repeat(50));
    refused(&braces);
    let formula = format!("proof p about paper; step x by assume {}1 == 1;", "(".repeat(5_000));
    refused(&formula);
    for chain in ["1 + ", "x.a", "f(1)", "{1} join ", "1 = 1 & "] {
        refused(&format!("proof p about paper; step x by reflexive {}1;", chain.repeat(50_000)));
    }
    refused(&format!("proof p about paper; step x by reflexive {{1{}}};", ", 1".repeat(50_000)));
    let doubling: String = (1..60).map(|i| format!("let A{} = A{i} + A{i};", i + 1)).collect();
    refused(&format!("proof p about paper; let A1 = 1; {doubling}"));
    let text = SHIPPED[0].text;
    for cut in (0..text.len()).step_by(37) {
        if text.is_char_boundary(cut) {
            let _ = check(&text[..cut], &find);
        }
    }
}

/// The listing of the theory page is a proof file.
#[test]
fn the_listing_on_the_theory_page_is_accepted() {
    let page = include_str!("../../../docs/theory/hl.md");
    let listings: Vec<&str> = page.split("```").filter_map(|part| part.strip_prefix("text\n")).collect();
    let proofs: Vec<&&str> = listings.iter().filter(|listing| listing.starts_with("proof ")).collect();
    assert!(!proofs.is_empty());
    for text in proofs {
        let checked = check(text, &find).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(checked.theorems.len(), 1);
    }
}

/// What the kernel proves of the shipped term is proved of no other: the loops it names are parts of the main term.
#[test]
fn named_parts_are_parts_of_the_program() {
    for name in ["paper", "modern"] {
        let module = shipped_module(name).unwrap();
        let main = module.main.clone();
        let whole = hana_lang::proof_file::with_parts(module);
        assert_eq!(whole.get("program").unwrap().body, main);
        assert!(whole.get("while[1]").is_some());
        hana_lang::core::check_module(&whole).unwrap();
    }
}

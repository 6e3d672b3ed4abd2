//! `kachi hana`: every command on its good day and on its bad one.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod support;

use support::{answered, golden, run, temporary};

const COMMANDS: [&str; 9] =
    ["programs", "check", "elaborate", "run", "eval", "reach", "diff", "prove", "fmt"];

#[test]
fn the_help_of_every_command_has_two_to_four_examples() {
    for command in COMMANDS {
        let help = answered(&["hana", command, "--help"], "").out;
        let examples =
            help.split("Examples:\n").nth(1).unwrap_or_else(|| panic!("{command} has no examples"));
        let lines = examples.lines().take_while(|line| line.starts_with("  "));
        let count = lines.filter(|line| line.contains("kachi ")).count();
        assert!((2..=4).contains(&count), "{command}: {count}");
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{command}: a line is too long");
    }
    golden("hana-help", &answered(&["hana", "--help"], "").out);
}

#[test]
fn programs_are_listed_and_printed() {
    let list = answered(&["hana", "programs", "--json"], "").json();
    for program in list.as_array().unwrap() {
        let name = program["name"].as_str().unwrap();
        let text = answered(&["hana", "programs", name], "").out;
        assert!(text.contains("program "), "{name}");
        let code = run(&["hana", "check", "-"], &text).code;
        assert_eq!(code, if name == "broken" { 2 } else { 0 }, "{name}");
    }
    assert!(answered(&["hana", "programs"], "").out.contains("three-cards"));
    let unknown = run(&["hana", "programs", "nosuch"], "");
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("paper"), "{}", unknown.err);
}

#[test]
fn check_shows_the_types_or_the_errors() {
    golden("hana-check", &answered(&["hana", "check", "paper"], "").out);
    let broken = run(&["hana", "check", "broken"], "");
    assert_eq!((broken.code, broken.out.as_str()), (2, ""));
    golden("hana-broken", &broken.err);
    let json = run(&["hana", "check", "broken", "--json"], "");
    assert_eq!(json.code, 2);
    let errors = json.json()["errors"].clone();
    assert_eq!(errors.as_array().unwrap().len(), 5);
    assert_eq!(errors[0]["rule"], "arithmetic");
    assert_eq!((errors[0]["line"].as_u64(), errors[0]["expected"].as_str()), (Some(10), Some("Int")));
    assert_eq!(
        answered(&["hana", "check", "modern", "--json"], "").json()["type"],
        "Oracle -> State -> State"
    );
    let missing = run(&["hana", "check", "no-such-file.hl"], "");
    assert_eq!(missing.code, 2);
    assert!(missing.err.contains("paper, modern"), "{}", missing.err);
}

#[test]
fn elaborate_prints_the_core() {
    golden("hana-elaborate", &answered(&["hana", "elaborate", "counting"], "").out);
    let pay = answered(&["hana", "elaborate", "paper", "--only", "Pay"], "").out;
    assert!(pay.contains("State") && !pay.contains("index"), "{pay}");
    assert_eq!(run(&["hana", "elaborate", "paper", "--only", "Nobody"], "").code, 2);
}

#[test]
fn run_plays_and_faults() {
    golden(
        "hana-run",
        &answered(&["hana", "run", "paper", "--seats", "4", "--months", "2", "--seed", "7", "--trace"], "")
            .out,
    );
    for (program, player) in
        [("paper", "first"), ("modern", "greedy"), ("paper", "hold"), ("modern", "chance")]
    {
        let args = ["hana", "run", program, "--player", player, "--months", "2", "--seed", "3", "--json"];
        let once = answered(&args, "").json();
        let sum: i64 = once["purses"].as_array().unwrap().iter().map(|purse| purse.as_i64().unwrap()).sum();
        assert_eq!(sum + once["pot"].as_i64().unwrap(), 0, "money is conserved");
        assert_eq!(once, answered(&args, "").json(), "the same seed, the same game");
    }
    let script =
        answered(&["hana", "run", "three-cards", "--choices", "1a,1c,2b,12a,12b", "--json"], "").json();
    assert_eq!(script["questions"], 5);
    let short = run(&["hana", "run", "three-cards", "--choices", "1a"], "");
    assert_eq!(short.code, 1);
    assert!(short.err.contains("error[fault]"), "{}", short.err);
    let failing = "program F; var n : Int; begin n := 3; assert n = 4 end.";
    let failed = run(&["hana", "run", "-"], failing);
    assert_eq!(failed.code, 1);
    golden("hana-fault", &failed.err);
    let endless = run(&["hana", "run", "-", "--fuel", "10000", "--json"], "program L; while true do [].");
    assert_eq!((endless.code, endless.json()["code"].as_str()), (1, Some("out_of_fuel")));
    let bad = run(&["hana", "run", "three-cards", "--choices", "1x"], "");
    assert_eq!(bad.code, 2);
    assert_eq!(run(&["hana", "run", "paper", "--deck", "1a,1b"], "").code, 2);
}

#[test]
fn eval_computes_the_values_of_the_language() {
    for (expression, value) in [
        ("sum a in {a : Flower | true} of Point(a)", "264"),
        ("Number({a : Flower | Point(a) = 20})", "5"),
        ("(fix g : (Int -> Int) . lambda (n : Int) . if n = 0 then 1 else n * g(n - 1))(5)", "120"),
        ("10 - 3 - 2", "5"),
        ("true or false & false", "true"),
        ("let z = 3 in z * z", "9"),
        ("A a in {b : Flower | Month(b) = 12} [Month(a) = 12]", "true"),
    ] {
        assert_eq!(answered(&["hana", "eval", expression], "").out.trim(), value, "{expression}");
    }
    assert_eq!(answered(&["hana", "eval", "--in", "paper", "Points(FOUR)"], "").out, "80\n");
    let places =
        answered(&["hana", "eval", "--seats", "5", "Number({p : Place | true})", "--json"], "").json();
    assert_eq!((places["value"].as_str(), places["type"].as_str()), (Some("17"), Some("Int")));
    let wrong = run(&["hana", "eval", "1 + {}"], "");
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("error[arithmetic]"), "{}", wrong.err);
    let fault = run(&["hana", "eval", "1 div 0"], "");
    assert_eq!(fault.code, 2);
    assert!(fault.err.contains("division by zero"), "{}", fault.err);
}

#[test]
fn reach_counts_as_the_theory_says() {
    let args = ["hana", "reach", "paper", "--months", "2", "--hand", "1", "--held", "--json"];
    let small = answered(&args, "").json();
    assert_eq!((small["classes"].as_u64(), small["runs"].as_u64()), (Some(50), Some(160)));
    golden(
        "hana-reach",
        &answered(&["hana", "reach", "paper", "--months", "3", "--hand", "1", "--held"], "").out,
    );
    assert_eq!(run(&["hana", "reach", "paper", "--months", "1", "--hand", "1"], "").code, 2);
    let paper = answered(&["hana", "programs", "paper"], "").out;
    let mutant = paper.replace("then Move-All(T join {a}, Basket(P))", "then []");
    assert_ne!(paper, mutant);
    let failed = run(&["hana", "reach", "-", "--months", "3", "--hand", "1"], &mutant);
    assert_eq!(failed.code, 1, "{failed:?}");
}

#[test]
fn diff_finds_nothing_in_the_rules_and_something_in_a_mutant() {
    let same = answered(&["hana", "diff", "--games", "8", "--json"], "").json();
    assert_eq!((same["games"].as_u64(), same["identical"].as_bool()), (Some(8), Some(true)));
    let folder = temporary("hana-diff");
    let file = folder.join("mutant.hl");
    let paper = answered(&["hana", "programs", "paper"], "").out;
    std::fs::write(&file, paper.replace("(m + 1) * KAN div 2", "m * KAN div 2")).unwrap();
    let path = file.to_str().unwrap();
    let other =
        run(&["hana", "diff", "--rules", "paper", "--program", path, "--seats", "4", "--games", "4"], "");
    assert_eq!(other.code, 1, "{other:?}");
    assert!(other.out.contains("pot") || other.out.contains("purses"), "{}", other.out);
}

#[test]
fn prove_accepts_what_is_proved_and_nothing_else() {
    let points = answered(&["hana", "prove", "points"], "").out;
    assert!(points.contains("264") && points.contains("✓"), "{points}");
    let folder = temporary("hana-prove");
    let file = folder.join("wrong.prf");
    std::fs::write(&file, "proof wrong about paper;\ntheorem deck : Points(all[Flower]) == 265\n  by compute Points(all[Flower]);\n").unwrap();
    let wrong = run(&["hana", "prove", file.to_str().unwrap()], "");
    assert_eq!(wrong.code, 1, "{wrong:?}");
    assert!(wrong.err.contains("error[proof]"), "{}", wrong.err);
}

#[test]
fn fmt_lays_out_and_checks() {
    let folder = temporary("hana-fmt");
    let file = folder.join("mine.hl");
    let path = file.to_str().unwrap();
    std::fs::write(&file, "program P;var n:Int;n:=1.").unwrap();
    assert_eq!(run(&["hana", "fmt", "--check", path], "").code, 1);
    answered(&["hana", "fmt", path], "");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "program P;\nvar n : Int;\n\nn := 1.\n");
    answered(&["hana", "fmt", "--check", path], "");
    assert_eq!(answered(&["hana", "fmt", "-"], "program P; []. -- done").out, "program P;\n\n[].  -- done\n");
    let wrong = run(&["hana", "fmt", "-"], "program P; n =");
    assert_eq!((wrong.code, wrong.out.as_str()), (2, ""));
}

//! The front of the language as a whole: what is read, checked and elaborated keeps its type, and no text whatever makes it panic or overflow.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

use hana_lang::core::{self, House, Interpreter, Limits, Term, Value};
use hana_lang::syntax::lexer::{KEYWORDS, SIGNS};
use hana_lang::types::{Ty, check_expression, check_source};
use hana_lang::{diagnose, elaborate, programs, syntax, types};
use proptest::prelude::*;

/// Everything that is done to a text before it runs.
fn through_the_front(source: &str) {
    let checked = check_source(source);
    match &checked {
        Ok(program) => {
            if let Ok(module) = elaborate::elaborate(program) {
                core::check_module(&module).unwrap_or_else(|error| panic!("{error}\n{source}"));
            }
        }
        Err(errors) => {
            assert!(!errors.is_empty());
            let _ = diagnose::render("x.hl", source, errors, true);
            serde_json::to_string(
                &errors.iter().map(|error| diagnose::plain(source, error)).collect::<Vec<_>>(),
            )
            .unwrap();
        }
    }
    if let Ok(text) = syntax::format(source) {
        assert_eq!(check_source(&text).is_ok(), checked.is_ok());
    }
    let _ = check_expression(source, checked.as_ref().ok());
}

#[test]
fn elaboration_preserves_types_on_every_shipped_program() {
    for program in programs::ALL.iter().filter(|program| !program.broken) {
        let typed = check_source(program.source).unwrap();
        let module = elaborate::elaborate(&typed).unwrap();
        let ty = core::check_module(&module).unwrap();
        let (state, oracle) = (module.state.clone(), module.oracle.clone());
        let step = core::Ty::fun([state.clone()], state);
        assert_eq!(ty, core::Ty::fun([oracle], step), "{}", program.name);
        // The definitions keep the types of the source, behind the oracles and the state they read.
        for function in &typed.functions {
            let definition = module.get(&function.name).unwrap();
            let core::Ty::Fun(from, to) = &definition.ty else { panic!("{}", definition.ty) };
            assert_eq!(**to, elaborate::core_type(&function.body.ty));
            assert!(from.len() >= function.params.len());
        }
    }
}

#[test]
fn elaboration_keeps_the_types_of_expressions() {
    let program = check_source(programs::PAPER.source).unwrap();
    let module = elaborate::elaborate(&program).unwrap();
    for text in [
        "Points({<MATSU, TSURU>})",
        "map p : Place => bouquet(p) join {}",
        "let f = Next in f(1, 2)",
        "lambda (x : Int) . lambda (y : Int) . x + y + M",
        "let k = M in (lambda (x : Int) . (lambda (y : Int) . x * y + k)(x + M))(k)",
        "fix g : (Int * Int -> Int) . lambda (n, m : Int) . if n = 0 then m + t else g(n - 1, m + 1)",
        "E a in FOUR [A b in {c in FOUR | Month(c) <> Month(a)} [a <> b]]",
        "{x in {} | x = 1}",
        "Active(1) or Throw-in(1, {}) in bouquet(table)",
        "let ask = Active in ask(2)",
        "max{C(1), player(2), -t} + expo(2, index)",
        "let x = {} in x = {<KIRI, HOWO>}",
    ] {
        let it = check_expression(text, Some(&program)).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        let term = elaborate::elaborate_expression(&program, &it).unwrap();
        let mut expected = elaborate::core_type(&it.body.ty);
        let mut hidden = Vec::new();
        if it.reads.oracles {
            hidden.push(module.oracle.clone());
        }
        if it.reads.state {
            hidden.push(module.state.clone());
            expected = core::Ty::fun(hidden, expected);
        }
        assert_eq!(core::type_of(&module, &term).unwrap(), expected, "{text}");
    }
}

fn value_of(text: &str) -> Value {
    let empty = check_source("program P; [].").unwrap();
    let it = check_expression(text, None).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    let term: Term = elaborate::elaborate_expression(&empty, &it).unwrap();
    let module = elaborate::elaborate(&empty).unwrap();
    let mut none = core::interpret::NoOracles;
    Interpreter::new(&module, House::default(), Limits::default(), &mut none).eval(&term).unwrap()
}

#[test]
fn expressions_mean_what_the_language_says() {
    for (text, number) in [
        ("sum a in {a : Flower | true} of Point(a)", 264),
        ("Number({a : Flower | Point(a) = 20})", 5),
        ("(fix g : (Int -> Int) . lambda (n : Int) . if n = 0 then 1 else n * g(n - 1))(5)", 120),
        ("10 - 3 - 2", 5),
        ("let z = 3 in z * z", 9),
        ("-7 div 2", -4),
        ("-7 mod 2", 1),
        ("2 + 3 * 4", 14),
        ("sum x in {1, 2} of x + 10", 23),
        ("if not 1 < 0 then 1 else 2", 1),
        (
            "let twice = (lambda (f : (Int -> Int); x : Int) . f(f(x))) in let k = 5 in twice(lambda (x : Int) . x + k, 1)",
            11,
        ),
        (
            "(lambda (a, b : Int) . (lambda (c : Int) . (lambda (d : Int) . 1000 * a + 100 * b + 10 * c + d)(4))(3))(1, 2)",
            1234,
        ),
        (
            "let a = 1 in let b = 2 in (fix g : (Int -> Int) . lambda (n : Int) . if n = 0 then a else b + g(n - 1))(10)",
            21,
        ),
        ("max{3, 9, 4} - min{3, 9, 4}", 6),
        ("Number({1, 2} join {2, 3} minus {1} meet {1})", 2),
        ("Number({})", 0),
    ] {
        assert_eq!(value_of(text), Value::Int(number), "{text}");
    }
    for (text, truth) in [
        ("true or false & false", true),
        ("A a in {b : Flower | Month(b) = 12} [Month(a) = 12]", true),
        ("{} = {}", true),
        ("{1, 2} <= {1, 2, 3} & not {4} <= {1}", true),
        ("not true = false", true),
        ("false & 1 div 0 = 1", false),
        ("<KIRI, HOWO> in {a : Flower | Point(a) = 20}", true),
    ] {
        assert_eq!(value_of(text), Value::Bool(truth), "{text}");
    }
}

#[test]
fn empty_sets_take_the_type_of_their_surroundings() {
    let ty = |text: &str| check_expression(text, None).unwrap().body.ty.to_string();
    assert_eq!(ty("{} join {1}"), "set Int");
    assert_eq!(ty("if true then {} else {table}"), "set Place");
    assert_eq!(ty("{x in {} | x}"), "set Bool");
    assert_eq!(ty("{}"), "set Flower", "nothing is known about it");
    let it = check_expression("({} join {}) meet {true}", None).unwrap();
    it.body.each(&mut |expr| assert_eq!(expr.ty.to_string().replace("set ", ""), "Bool"));
}

#[test]
fn depth_is_a_fault_and_never_an_overflow() {
    let deep = [
        format!("program P; var n : Int; n := {}1{}.", "(".repeat(100_000), ")".repeat(100_000)),
        format!("program P; var n : Int; n := 1{}.", " + 1".repeat(50_000)),
        format!("program P; var n : Int; n := {}1.", "- ".repeat(100_000)),
        format!("program P; var b : Bool; b := {}true.", "not ".repeat(60_000)),
        format!("program P; {}[]{}.", "begin ".repeat(20_000), " end".repeat(20_000)),
        format!("program P; {}[].", "if true then ".repeat(15_000)),
        format!("program P; var x : {}Int; [].", "set ".repeat(50_000)),
        format!("program P; var x : {}Int{}; [].", "(Int -> ".repeat(20_000), ")".repeat(20_000)),
        format!("program P; var n : Int; n := f{}.", "(1)".repeat(50_000)),
        format!("program P; var n : Int; n := {}1.", "if true then 1 else ".repeat(10_000)),
        format!("program P; var n : Int; n := {}n{}.", "{".repeat(100_000), "}".repeat(100_000)),
        format!("program P; begin {} [] end.", "[]; ".repeat(50_000)),
    ];
    for source in deep {
        let errors = check_source(&source).unwrap_err();
        assert_eq!(errors.len(), 1, "{}", &source[..60]);
        assert_eq!(errors[0].rule, "limit", "{} {}", &source[..60], errors[0].message);
        through_the_front(&source);
    }
    let large = " ".repeat(syntax::parser::MAX_SOURCE + 1);
    assert_eq!(check_source(&large).unwrap_err()[0].rule, "limit");
}

#[test]
fn long_blocks_inside_long_blocks_are_refused_by_the_elaborator() {
    let mut source = "[]".to_owned();
    for _ in 0..40 {
        source = format!("begin {} if true then {source} else [] end", "n := n + 1; ".repeat(100));
    }
    let program = check_source(&format!("program P; var n : Int; {source}.")).unwrap();
    assert_eq!(elaborate::elaborate(&program).unwrap_err()[0].rule, "limit");
    // At the depths that the parser allows everything else goes through.
    let nested = format!("program P; var n : Int; n := {}1{}.", "(1 + ".repeat(90), ")".repeat(90));
    through_the_front(&nested);
    assert!(elaborate::elaborate(&check_source(&nested).unwrap()).is_ok());
}

#[test]
fn large_types_are_refused() {
    let source = "program P; var x : array [1..9000] of array [1..9000] of Int; [].";
    assert_eq!(check_source(source).unwrap_err()[0].rule, "limit");
    let source = "program P; var x : array [0..9223372036854775807] of Int; [].";
    assert_eq!(check_source(source).unwrap_err()[0].rule, "limit");
}

#[test]
fn a_lambda_takes_along_what_it_uses() {
    let it = check_expression("let a = 1 in let b = 2 in let c = 3 in lambda (x : Int) . x + c + a", None)
        .unwrap();
    let mut captures = None;
    it.body.each(&mut |expr| {
        if let types::typed::ExprKind::Lambda(lambda) = &expr.kind {
            captures = Some((lambda.captures.clone(), lambda.slots));
        }
    });
    assert_eq!(captures, Some((vec![2, 0], 3)));
    assert_eq!(it.body.ty, Ty::function(vec![Ty::Int], Ty::Int));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_text_panics(text in "\\PC{0,200}") {
        through_the_front(&text);
    }

    #[test]
    fn no_heap_of_tokens_panics(words in prop::collection::vec(0..100_usize, 0..60)) {
        let names = ["x", "S", "n", "Point", "table", "<MATSU, TSURU>", "7", "Int", "Flower", "-- c\n", "set Int", "f(x)"];
        let word = |i: usize| -> &str {
            let all = KEYWORDS.iter().chain(SIGNS.iter()).chain(names.iter());
            all.cycle().nth(i).unwrap()
        };
        let text: String = words.into_iter().map(word).collect::<Vec<_>>().join(" ");
        through_the_front(&format!("program P; var n : Int; var S : set Flower; {text}"));
        through_the_front(&text);
    }

    #[test]
    fn no_damaged_program_panics(which in 0..programs::ALL.len(), cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..3_u8), 1..6)) {
        let mut words: Vec<String> = programs::ALL[which].source.split_inclusive([' ', '\n', '(', ';']).map(str::to_owned).collect();
        for (one, two, what) in cuts {
            let (one, two) = (one.index(words.len()), two.index(words.len()));
            match what {
                0 => words.swap(one, two),
                1 => { words.remove(one); }
                _ => { let word = words[two].clone(); words.insert(one, word); }
            }
        }
        through_the_front(&words.concat());
    }
}

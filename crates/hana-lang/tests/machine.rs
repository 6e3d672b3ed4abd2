//! The compiled evaluator by itself: values, faults with their places, limits, and each recognised pattern against the general path.

#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

use hana_lang::compiled::exchange::show;
use hana_lang::compiled::{Compiled, Fault, Kind, Limits, Nobody, State, evaluate};
use hana_lang::core::House;
use hana_lang::types::{check_expression, check_source};

const HOUSE: House = House { seats: 3, kan: 10, months: 12 };

fn value(expression: &str) -> String {
    let it = check_expression(expression, None).unwrap();
    match evaluate(&it, None, HOUSE, Limits::default()) {
        Ok(value) => show(&value, &it.body.ty, &HOUSE),
        Err(error) => format!("{} at {}", error.code, error.at.unwrap()),
    }
}

fn run_with(source: &str, limits: Limits) -> Result<(Compiled, State), Fault> {
    let program = check_source(source).unwrap();
    let compiled = Compiled::new(&program, HOUSE).unwrap();
    let plain = Compiled::plain(&program, HOUSE).unwrap();
    let state = compiled.run(&mut Nobody, limits).map(|ran| ran.state);
    let general = plain.run(&mut Nobody, limits).map(|ran| ran.state);
    assert_eq!(state, general, "recognised and general code agree");
    state.map(|state| (compiled, state))
}

/// The value of a variable at the end.
fn end(source: &str, name: &str) -> String {
    let (compiled, state) = run_with(source, Limits::default()).unwrap();
    let (ty, cell) = compiled.var(name).unwrap();
    show(&state.value(cell), ty, &HOUSE)
}

/// The kind of the fault and the text it points at.
fn fault(source: &str) -> (Kind, &str) {
    let fault = run_with(source, Limits::default()).err().unwrap();
    (fault.kind.clone(), fault.span.text(source))
}

#[test]
fn expressions_have_the_values_of_the_language() {
    for (expression, expected) in [
        ("sum a in {a : Flower | true} of Point(a)", "264"),
        ("Number({a : Flower | Point(a) = 20})", "5"),
        ("(fix g : (Int -> Int) . lambda (n : Int) . if n = 0 then 1 else n * g(n - 1))(5)", "120"),
        ("10 - 3 - 2", "5"),
        ("true or false & false", "true"),
        ("let z = 3 in z * z", "9"),
        ("A a in {b : Flower | Month(b) = 12} [Month(a) = 12]", "true"),
        ("(-7) div 2", "-4"),
        ("(-7) mod 2", "1"),
        ("7 mod (-2)", "-1"),
        ("(-9223372036854775807 - 1) mod (-1)", "0"),
        ("expo(2, 62)", "4611686018427387904"),
        ("expo(0, 0)", "1"),
        ("{3, 1, 2, 1}", "{1, 2, 3}"),
        ("{1, 2, 3} minus {2} join {7}", "{1, 3, 7}"),
        ("{1, 2} <= {1, 2, 3}", "true"),
        ("Number({n in {1, 2, 3, 4} | n mod 2 = 0})", "2"),
        ("{p : Place | p = YAMA or p = Basket(3)}", "{YAMA, Basket(3)}"),
        ("{b : Bool | not b}", "{false}"),
        ("max{3, 9, 2} - min{4, 1}", "8"),
        ("(map b : Bool => if b then {1} else {2, 3})(false)", "{2, 3}"),
        ("<MATSU, TSURU> in {a : Flower | Point(a) = 20}", "true"),
        ("let f = (lambda (x, y : Int) . x - y) in f(f(9, 4), 2)", "3"),
        ("let k = 5 in let f = (lambda (x : Int) . x + k) in let k = 100 in f(1) + k", "106"),
        ("SEATS + KAN + MONTHS", "25"),
        // What is not evaluated is at no fault.
        ("false & 1 div 0 = 1", "false"),
        ("if true then 1 else 1 div 0", "1"),
        ("E a in {a : Flower | false} [1 div 0 = 1]", "false"),
        ("E n in {1, 2, 3} [n = 2 or 1 div (n - 3) = 7]", "true"),
    ] {
        assert_eq!(value(expression), expected, "{expression}");
    }
}

#[test]
fn faults_point_at_their_place() {
    for (expression, expected) in [
        ("1 + 2 div 0", "division_by_zero at position[4..11]"),
        ("5 mod (3 - 3)", "division_by_zero at position[0..13]"),
        ("9223372036854775807 + 1", "overflow at position[0..23]"),
        ("- (-9223372036854775807 - 1)", "overflow at position[0..28]"),
        ("(-9223372036854775807 - 1) div (-1)", "overflow at position[0..35]"),
        ("expo(2, 63)", "overflow at position[0..11]"),
        ("expo(2, -1)", "negative_exponent at position[0..11]"),
        ("Hand(4)", "index_out_of_range at position[0..7]"),
        ("{Basket(0)}", "index_out_of_range at position[1..10]"),
        // The first element in ascending order is at fault, not the first that is written.
        ("A n in {3, 0, 1} [10 div n div (n - 3) < 0]", "division_by_zero at position[18..26]"),
    ] {
        assert_eq!(value(expression), expected, "{expression}");
    }
    let (kind, text) =
        fault("program P; var a : array [1..3] of Int; var n : Int; begin n := 4; a(n) := 1 end.");
    assert_eq!((kind, text), (Kind::Index { index: 4, low: 1, high: 3 }, "a(n) := 1"));
    let (kind, text) = fault("program P; var s : seq Flower; var f : Flower; f := s(1).");
    assert_eq!((kind, text), (Kind::Index { index: 1, low: 1, high: 0 }, "s(1)"));
    assert_eq!(
        fault("program P; var n : Int; begin n := 1; assert n = 2 end."),
        (Kind::Assert, "assert n = 2")
    );
    assert_eq!(fault("program P; const C = 1 div 0; var n : Int; n := C.").0, Kind::DivisionByZero);
    // A constant that nobody uses is at no fault.
    assert_eq!(end("program P; const C = 1 div 0; var n : Int; n := 3.", "n"), "3");
    let source = "program P; oracle Say(n : Int) : Bool; var b : Bool; b := Say(3).";
    let (kind, text) = fault(source);
    assert!(matches!(kind, Kind::Oracle(_)) && text == "Say(3)");
}

#[test]
fn an_update_evaluates_index_and_value_before_it_looks_at_the_range() {
    let (kind, _) = fault("program P; var a : array [1..3] of Int; a(9) := 1 div 0.");
    assert_eq!(kind, Kind::DivisionByZero);
    let (kind, _) = fault("program P; var a : array [1..3] of Int; a(expo(2, 64)) := 1 div 0.");
    assert_eq!(kind, Kind::Overflow);
}

#[test]
fn a_run_without_end_runs_out_of_fuel() {
    let limits = Limits { fuel: 10_000, ..Limits::default() };
    for source in [
        "program P; while true do [].",
        "program P; var n : Int; while n = n do n := 1 - n.",
        "program P; var s : set Int; var n : Int; while true do begin n := n + 1; s := s join {n} end.",
        "program P; var a, b : array [0..9999] of Int; while true do a := b.",
        "program P; var n : Int; while true do n := Number({a : Flower | Point(a) > n}).",
        "program P; var n : Int; function F(k : Int) : Int = k + 1; while true do n := F(0).",
    ] {
        let fault = run_with(source, limits).err().unwrap();
        assert_eq!(fault.kind, Kind::OutOfFuel, "{source}");
        assert!(fault.kind.is_limit());
    }
}

/// Runs in a thread with a small stack: one that overflows would end the test.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    const BYTES: usize = 1 << 20;
    std::thread::Builder::new().stack_size(BYTES).spawn(work).unwrap().join().unwrap();
}

#[test]
fn recursion_without_end_is_too_deep() {
    on_a_small_stack(|| {
        for expression in [
            "(fix g : (Int -> Int) . lambda (n : Int) . 1 + g(n + 1))(0)",
            "(fix g : (Int -> Int) . lambda (n : Int) . g(g(n)))(0)",
            "(fix g : (Int -> set Int) . lambda (n : Int) . {m in g(n + 1) | m = n})(0)",
            "(fix g : (Int -> Int) . lambda (n : Int) . if n in {k in {1, 2} | g(n) = 1} then 1 else let z = g(n) in z)(1)",
        ] {
            let found = value(expression);
            assert!(found.starts_with("too_deep"), "{expression}: {found}");
        }
    });
}

#[test]
fn recursion_goes_some_hundred_calls_deep() {
    let sum = "(fix g : (Int -> Int) . lambda (n : Int) . if n = 0 then 0 else n + g(n - 1))(450)";
    assert_eq!(value(sum), "101475");
}

#[test]
fn the_deepest_text_that_is_read_is_compiled_and_run_on_a_small_stack() {
    on_a_small_stack(|| {
        let deep = |levels: usize| format!("{}1{}", "(1 + ".repeat(levels), ")".repeat(levels));
        let levels = (1..400).rev().find(|&levels| check_expression(&deep(levels), None).is_ok()).unwrap();
        assert_eq!(value(&deep(levels)), (levels + 1).to_string());
    });
}

#[test]
fn constants_that_do_not_end_do_not_hang_the_compiler() {
    let forever = "(fix g : (Int -> Int) . lambda (n : Int) . (fix h : (Int -> Int) . lambda (k : Int) . if k = 0 then 0 else h(k - 1))(300) + g(n))(0)";
    let consts: String = (0..200).map(|i| format!("const C{i} = {forever};\n")).collect();
    let source = format!("program P; {consts} var n : Int; n := 1.");
    assert_eq!(end(&source, "n"), "1");
}

#[test]
fn nested_patterns_are_compiled_once() {
    // Were a part compiled twice at every level, this would not end.
    let mut set = "{a : Flower | true}".to_owned();
    for level in 0..24 {
        set = format!("{{x{level} in {{a : Flower | true}} | Month(x{level}) = Number({set})}}");
    }
    assert_eq!(value(&set), "{}");
}

const STATE: &str = "program P; var bq : map Place of set Flower; var f, g : Flower; var n, k : Int; var s : set Flower; var a : array [1..3] of Int; \
                     var ca : map Place of Int; begin bq(table) := {a : Flower | Month(a) < 4}; bq(Hand(1)) := {<KIRI, HOWO>, <MATSU, TSURU>}; \
                     ca(table) := 7; ca(Hand(2)) := -3; f := <UME, AKATAN>; ";

#[test]
fn recognised_patterns_agree_with_the_general_path() {
    for (statement, name, expected) in [
        (
            "s := {b in bq(table) | Month(f) = Month(b)} minus {f}",
            "s",
            "{<UME, UGUISU>, <UME, KASU1>, <UME, KASU2>}",
        ),
        ("s := {b in bq(table) | Month(b) = 4 - 1 & Point(b) = 20}", "s", "{<SAKURA, MANMAKU>}"),
        ("s := {b in bq(table) | Month(b) = n + 13}", "s", "{}"),
        ("s := {b in bq(table) | n = Month(b)}", "s", "{}"),
        (
            "s := {b : Flower | Point(b) = 20 & Month(b) <> 11}",
            "s",
            "{<MATSU, TSURU>, <SAKURA, MANMAKU>, <SUSUKI, MANGETSU>, <KIRI, HOWO>}",
        ),
        ("n := sum b in bq(table) of Point(b)", "n", "71"),
        ("n := sum b in bq(table) of Month(b) * Point(b)", "n", "142"),
        ("n := sum p in {p : Place | true} of ca(p)", "n", "4"),
        ("n := if E b in bq(Hand(1)) [Point(b) = 20] then 1 else 2", "n", "1"),
        ("n := if A b in bq(Hand(1)) [Point(b) = 20] then 1 else 2", "n", "1"),
        (
            "begin bq := map p : Place => if p = YAMA then bq(p) join {f} else bq(p) minus {f}; s := bq(YAMA); n := Number(bq(table)) end",
            "n",
            "11",
        ),
        (
            "begin bq := map p : Place => if Hand(2) = p then bq(p) join bq(Hand(1)) else bq(p) minus bq(Hand(1)); s := bq(Hand(2)) end",
            "s",
            "{<MATSU, TSURU>, <KIRI, HOWO>}",
        ),
    ] {
        assert_eq!(end(&format!("{STATE}{statement} end."), name), expected, "{statement}");
    }
}

#[test]
fn recognised_patterns_keep_the_order_of_faults() {
    for (statement, expected, text) in [
        // No element, no test; with an element, the test is at fault.
        ("s := {b in bq(Hand(2)) | Month(b) = 1 div n}", None, ""),
        ("s := {b in bq(table) | Month(b) = 1 div n}", Some(Kind::DivisionByZero), "1 div n"),
        (
            "s := {b in bq(Hand(9)) | Month(b) = 1 div n}",
            Some(Kind::Index { index: 9, low: 1, high: 3 }),
            "Hand(9)",
        ),
        // A table with a fault is none.
        (
            "s := {b in bq(table) | 10 div (Month(b) - 2) > 0}",
            Some(Kind::DivisionByZero),
            "10 div (Month(b) - 2)",
        ),
        ("s := {b in bq(Hand(1)) | 10 div (Month(b) - 2) > 0}", None, ""),
        ("n := sum b in bq(table) of expo(2, 62) * Point(b)", Some(Kind::Overflow), "expo(2, 62) * Point(b)"),
        ("n := sum b in bq(table) of expo(2, 62)", Some(Kind::Overflow), "sum b in bq(table) of expo(2, 62)"),
        // The place first, then the set.
        (
            "bq := map p : Place => if p = Hand(7) then bq(p) join bq(Hand(8)) else bq(p) minus bq(Hand(8))",
            Some(Kind::Index { index: 7, low: 1, high: 3 }),
            "Hand(7)",
        ),
        (
            "bq := map p : Place => if p = YAMA then bq(p) join bq(Hand(8)) else bq(p) minus bq(Hand(8))",
            Some(Kind::Index { index: 8, low: 1, high: 3 }),
            "Hand(8)",
        ),
    ] {
        let source = format!("{STATE}{statement} end.");
        match (run_with(&source, Limits::default()), expected) {
            (Ok(_), None) => {}
            (Err(fault), Some(kind)) => {
                assert_eq!((fault.kind, fault.span.text(&source)), (kind, text), "{statement}");
            }
            (found, expected) => panic!("{statement}: {:?}, not {expected:?}", found.err()),
        }
    }
}

#[test]
fn a_function_sees_the_state_in_which_it_was_made() {
    let source = "program P; var n, before, after : Int;
        procedure Twice(f : (Int -> Int)); begin before := f(0); n := 100; after := f(0) end;
        begin n := 7; Twice(lambda (x : Int) . x + n) end.";
    assert_eq!(end(source, "before"), "7");
    assert_eq!(end(source, "after"), "7", "the function was made when n was 7");
}

#[test]
fn functions_may_be_handed_to_themselves() {
    let source = "program P; var n : Int;
        function Apply(f : (Int -> Int); x : Int) : Int = f(x) + x;
        n := Apply(lambda (y : Int) . Apply(lambda (z : Int) . z * 10, y + 1), 3).";
    // y = 3: z = 4, 40 + 4; then + 3.
    assert_eq!(end(source, "n"), "47");
}

#[test]
fn large_variables_are_refused_or_paid_for() {
    let source =
        "program P; var a : array [0..60000] of Int; var n : Int; begin a(60000) := 5; n := a(60000) end.";
    assert_eq!(end(source, "n"), "5");
    let wrong = House { seats: 0, ..HOUSE };
    let program = check_source("program P; [].").unwrap();
    assert_eq!(Compiled::new(&program, wrong).err().unwrap().code, "bad_seats");
    assert_eq!(Compiled::new(&program, House { seats: 200, ..HOUSE }).err().unwrap().code, "bad_seats");
}

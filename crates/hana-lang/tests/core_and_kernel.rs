//! The calculus and the kernel on terms built by hand.

use hana_lang::core::interpret::NoOracles;
use hana_lang::core::{
    Definition, FaultKind, Hint, House, Interpreter, Limits, Module, Prim, Term, Ty, Value,
};
use hana_lang::core::{check_module, type_of};
use hana_lang::kernel::axioms::{self, AXIOMS};
use hana_lang::kernel::derived::Prover;
use hana_lang::kernel::derived::laws::Statements;
use hana_lang::kernel::derived::preserve::Quantity;
use hana_lang::kernel::{Formula, Theory};
use kachi_core::random::Dealer;

fn eval(term: &Term, fuel: u64) -> Result<Value, FaultKind> {
    let module = Module::bare(Term::bool(true));
    let limits = Limits { fuel, ..Limits::default() };
    Interpreter::new(&module, House::default(), limits, &mut NoOracles).eval(term).map_err(|fault| fault.kind)
}

/// fix g : (Int -> Int). lambda (n : Int). if n = 0 then 1 else n * g(n - 1)
fn factorial() -> Term {
    let n = || Term::bound(0);
    let rest = Term::app(Term::bound(1), [Term::prim(Prim::Sub, [n(), Term::int(1)])]);
    let body = Term::if_then_else(
        Term::prim(Prim::Eq, [n(), Term::int(0)]),
        Term::int(1),
        Term::prim(Prim::Mul, [n(), rest]),
    );
    Term::fix("g".into(), Ty::fun([Ty::Int], Ty::Int), Term::lam([("n".into(), Ty::Int)], body))
}

#[test]
fn factorial_of_five_is_120_and_that_of_21_overflows() {
    assert_eq!(eval(&Term::app(factorial(), [Term::int(5)]), 10_000), Ok(Value::Int(120)));
    assert_eq!(eval(&Term::app(factorial(), [Term::int(21)]), 10_000), Err(FaultKind::Overflow));
}

#[test]
fn endless_recursion_ends_in_a_fault_of_its_own_and_never_in_the_machine_stack() {
    let endless = Term::app(factorial(), [Term::int(-1)]);
    assert_eq!(eval(&endless, 10_000), Err(FaultKind::Fuel));
    assert_eq!(eval(&endless, 100_000_000), Err(FaultKind::Depth));
    assert!(!FaultKind::Fuel.is_err() && !FaultKind::Depth.is_err());
}

/// A function that wraps itself ever deeper: fix g : ((Int -> Int) -> Int). lambda f. g(lambda n. f(n)).
#[test]
fn closures_in_closures_are_bounded() {
    let int = Ty::fun([Ty::Int], Ty::Int);
    let wrapped = Term::lam([("n".into(), Ty::Int)], Term::app(Term::bound(1), [Term::bound(0)]));
    let body = Term::lam([("f".into(), int.clone())], Term::app(Term::bound(1), [wrapped]));
    let fixed = Term::fix("g".into(), Ty::fun([int], Ty::Int), body);
    let start = Term::lam([("n".into(), Ty::Int)], Term::bound(0));
    assert_eq!(eval(&Term::app(fixed, [start]), 100_000_000), Err(FaultKind::Depth));
}

#[test]
fn the_deck_has_264_points_and_five_lights() {
    let all = || Term::prim(Prim::All(Ty::Flower), []);
    let point = |i| Term::prim(Prim::Point, [Term::bound(i)]);
    let points = Term::sum("a".into(), Ty::Flower, all(), point(0));
    assert_eq!(eval(&points, 10_000), Ok(Value::Int(264)));
    let light = Term::prim(Prim::Eq, [point(0), Term::int(20)]);
    let lights = Term::prim(Prim::Number, [Term::filter("a".into(), Ty::Flower, all(), light)]);
    assert_eq!(eval(&lights, 10_000), Ok(Value::Int(5)));
    assert_eq!(type_of(&Module::bare(Term::bool(true)), &points), Ok(Ty::Int));
}

#[test]
fn division_is_floored() {
    for (a, b, quotient, remainder) in [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -4, -1), (-7, -2, 3, -1)] {
        let operands = || [Term::int(a), Term::int(b)];
        assert_eq!(eval(&Term::prim(Prim::Div, operands()), 10), Ok(Value::Int(quotient)), "{a} div {b}");
        assert_eq!(eval(&Term::prim(Prim::Mod, operands()), 10), Ok(Value::Int(remainder)), "{a} mod {b}");
    }
    assert_eq!(eval(&Term::prim(Prim::Div, [Term::int(1), Term::int(0)]), 10), Err(FaultKind::Division));
    assert_eq!(
        eval(&Term::prim(Prim::Div, [Term::int(i64::MIN), Term::int(-1)]), 10),
        Err(FaultKind::Overflow)
    );
    assert_eq!(eval(&Term::prim(Prim::Mod, [Term::int(i64::MIN), Term::int(-1)]), 10), Ok(Value::Int(0)));
}

#[test]
fn the_checker_refuses_what_has_no_type() {
    let module = Module::bare(Term::bool(true));
    let wrong = [
        Term::prim(Prim::Add, [Term::int(1), Term::bool(true)]),
        Term::app(Term::int(1), [Term::int(2)]),
        Term::if_then_else(Term::int(1), Term::int(1), Term::int(2)),
        Term::fix("x".into(), Ty::Int, Term::bound(0)),
        Term::fix("x".into(), Ty::fun([], Ty::Int), Term::bound(0)),
        Term::bound(0),
        Term::global("nowhere"),
        Term::constant(Value::Int(1), Ty::Bool),
        Term::prim(Prim::All(Ty::Int), []),
        Term::field(Term::record([("a".into(), Term::int(1))]), "b"),
    ];
    for term in wrong {
        assert!(type_of(&module, &term).is_err(), "{term}");
    }
    let deep = (0..2_000).fold(Term::int(0), |term, _| Term::prim(Prim::Neg, [term]));
    assert_eq!(type_of(&module, &deep).unwrap_err().rule, "depth");
}

#[test]
fn every_axiom_survives_random_instances() {
    let mut dealer = Dealer::new(1966);
    for axiom in AXIOMS {
        let mut tested = 0;
        for types in types_for(axiom) {
            let formula = (axiom.formula)(&types).unwrap();
            for seats in [3, 6] {
                let house = House { seats, ..House::default() };
                for _ in 0..1_500 {
                    match axioms::test_instance(&formula, &house, &mut dealer) {
                        Some(Ok(())) => tested += 1,
                        Some(Err(message)) => panic!("{}: {message}", axiom.name),
                        None => {}
                    }
                }
            }
        }
        assert!(tested >= 100, "{}: only {tested} instances had true guards", axiom.name);
    }
}

fn types_for(axiom: &axioms::Axiom) -> Vec<Vec<Ty>> {
    let base = [Ty::Bool, Ty::Int, Ty::Flower, Ty::Place];
    let set = Ty::set(Ty::Flower);
    let mut candidates: Vec<Vec<Ty>> = vec![vec![], vec![set.clone()]];
    candidates.extend(base.iter().map(|ty| vec![ty.clone()]));
    for key in &base {
        candidates.extend([Ty::Int, set.clone()].map(|value| vec![key.clone(), value]));
    }
    candidates.retain(|types| (axiom.formula)(types).is_some());
    assert!(!candidates.is_empty(), "{} is stated at no type", axiom.name);
    candidates
}

/// The same tester finds the fault of axioms that are nearly right.
#[test]
fn wrong_axioms_are_caught() {
    let (a, b) = (Term::free("a", Ty::Int), Term::free("b", Ty::Int));
    let plus = |one: &Term, two: &Term| Term::prim(Prim::Add, [one.clone(), two.clone()]);
    let minus = |one: &Term, two: &Term| Term::prim(Prim::Sub, [one.clone(), two.clone()]);
    // (a + b) - b = a forgets overflow.
    let forgets = Formula::Eq(Ty::Int, minus(&plus(&a, &b), &b), a.clone());
    let set = Ty::set(Ty::Flower);
    let (s, t) = (Term::free("S", set.clone()), Term::free("T", set.clone()));
    let number = |set: Term| Term::prim(Prim::Number, [set]);
    // Number(S join T) = Number(S) + Number(T) forgets that they may share elements.
    let joined = number(Term::prim(Prim::Join, [s.clone(), t.clone()]));
    let shares = Formula::Eq(Ty::Int, joined, plus(&number(s), &number(t)));
    // The table of a function is not defined where the function faults.
    let function = Ty::fun([Ty::Flower], Ty::Int);
    let (f, k) = (Term::free("f", function.clone()), Term::free("k", Ty::Flower));
    let table = Term::prim(Prim::Tabulate(Ty::Flower), [f.clone()]);
    let total = Formula::Eq(Ty::Int, Term::prim(Prim::MapGet, [table, k.clone()]), Term::app(f, [k]));
    let wrong = [
        forgets.forall("a", &Ty::Int).forall("b", &Ty::Int),
        shares.forall("S", &set).forall("T", &set),
        total.forall("k", &Ty::Flower).forall("f", &function),
    ];
    for formula in wrong {
        let mut dealer = Dealer::new(7);
        let caught = (0..2_000)
            .any(|_| matches!(axioms::test_instance(&formula, &House::default(), &mut dealer), Some(Err(_))));
        assert!(caught, "{formula}");
    }
}

/// Variables `n`, `cash`; oracle `Ask`; procedures Pay, Twice and a program with a loop.
fn little_program() -> Module {
    let cash = Ty::map(Ty::Place, Ty::Int);
    let state = Ty::record([("n".into(), Ty::Int), ("cash".into(), cash)]);
    let oracle = Ty::record([("Ask".into(), Ty::fun([state.clone(), Ty::Int], Ty::Int))]);
    let statement = |body: Term| Term::lam([("s".into(), state.clone())], body);
    let s = || Term::bound(0);
    // Inside the lambda of the state, the parameters p, q, x are indices 3, 2, 1.
    let pay = |place: u32, prim: Prim| {
        let cash = Term::field(s(), "cash");
        let old = Term::prim(Prim::MapGet, [cash.clone(), Term::bound(place)]);
        let new = Term::prim(prim, [old, Term::bound(1)]);
        statement(Term::with(s(), "cash", Term::prim(Prim::MapSet, [cash, Term::bound(place), new])))
    };
    let body = Term::app(pay(2, Prim::Add).lift(1), [Term::app(pay(3, Prim::Sub).lift(1), [s()])]);
    let params = || [(Hint::from("p"), Ty::Place), (Hint::from("q"), Ty::Place), (Hint::from("x"), Ty::Int)];
    // The two assignments stand one lambda deeper: lift their loose indices past the sequence's state.
    let pay_body = Term::lam(params(), statement(body));
    let pay_ty = Ty::fun([Ty::Place, Ty::Place, Ty::Int], Ty::fun([state.clone()], state.clone()));
    let table = || Term::constant(Value::Place(hana_lang::core::Place::Table), Ty::Place);
    let hand = |n: Term| Term::prim(Prim::Hand, [n]);
    // lambda X. lambda s0. (fix w. lambda s. if s.n < 3 then w((n := n + 1; Pay(Hand(n), table, X.Ask(s, n))) s) else s)(s0)
    let n = || Term::field(s(), "n");
    let ask = Term::app(Term::field(Term::bound(4), "Ask"), [s(), n()]);
    let call = statement(Term::app(Term::app(Term::global("Pay"), [hand(n()), table(), ask]), [s()]));
    let count = statement(Term::with(s(), "n", Term::prim(Prim::Add, [n(), Term::int(1)])));
    let both = Term::app(call, [Term::app(count, [s()])]);
    let test = Term::prim(Prim::Lt, [n(), Term::int(3)]);
    let step = Term::if_then_else(test, Term::app(Term::bound(1), [both]), s());
    let fixed = Term::fix("w".into(), Ty::fun([state.clone()], state.clone()), statement(step));
    let main = Term::lam([("X".into(), oracle.clone())], statement(Term::app(fixed, [s()])));
    let definitions = vec![Definition { name: "Pay".into(), ty: pay_ty, body: pay_body }];
    Module::new("LITTLE", state, oracle, definitions, main)
}

#[test]
fn laws_of_statements_hold_by_the_rules_alone() {
    let module = little_program();
    check_module(&module).unwrap();
    let statements = Statements { state: module.state.clone() };
    let prover = Prover::new(Theory::new(module).unwrap());
    for theorem in [
        prover.skip_first(&statements),
        prover.skip_last(&statements),
        prover.associative(&statements),
        prover.while_unfolds(&statements),
        prover.while_false(&statements),
    ] {
        let theorem = theorem.unwrap();
        assert!(theorem.hypotheses().is_empty());
        assert_eq!(theorem.uses().to_string(), "the rules alone", "{theorem}");
    }
}

#[test]
fn a_loop_that_does_not_touch_a_quantity_keeps_it_and_one_that_does_is_refused() {
    let module = little_program();
    let state = module.state.clone();
    let main = module.main.clone();
    let oracle = module.oracle.clone();
    let prover = Prover::new(Theory::new(module).unwrap());
    let start = Term::free("s", state.clone());
    let x = Term::free("X", oracle);
    let run = Term::app(Term::app(main, [x]), [start.clone()]);
    let n = Term::lam([("s".into(), state.clone())], Term::field(Term::bound(0), "n"));
    let refused = Quantity::new(&prover, n).unwrap().expression(&run, &start).unwrap_err();
    assert_eq!(refused.rule, "keep");
    // The whole program keeps a quantity that is constant.
    let constant = Term::lam([("s".into(), state)], Term::int(7));
    let theorem = Quantity::new(&prover, constant).unwrap().expression(&run, &start).unwrap();
    assert!(theorem.hypotheses().is_empty());
}

fn shipped(source: &str) -> Module {
    let program = hana_lang::types::check_source(source).expect("a shipped program has a type");
    hana_lang::elaborate::elaborate(&program).expect("a shipped program elaborates")
}

#[test]
fn payments_conserve_the_cash_and_so_does_the_whole_program() {
    for source in [hana_lang::programs::PAPER.source, hana_lang::programs::MODERN.source] {
        let module = shipped(source);
        let (state, oracle, main) = (module.state.clone(), module.oracle.clone(), module.main.clone());
        let prover = Prover::new(Theory::new(module).unwrap());
        let pay = prover.transfer("Pay", "cash").unwrap();
        assert!(pay.hypotheses().is_empty());
        let total = hana_lang::kernel::derived::totals::total(&state, "cash").unwrap();
        let mut quantity = Quantity::new(&prover, total).unwrap();
        quantity.add_procedure("Pay", &pay);
        let (x, start) = (Term::free("X", oracle), Term::free("s", state.clone()));
        let run = Term::app(Term::app(main, [x]), [start.clone()]);
        let kept = quantity.expression(&run, &start).unwrap();
        assert!(kept.hypotheses().is_empty());
        let sums = prover.sums_agree(&kept, &start, &run, "cash").unwrap();
        assert!(sums.hypotheses().is_empty());
        println!("{}", sums.uses());
    }
}

#[test]
fn moving_keeps_each_flower_at_one_place() {
    for (source, name) in [
        (hana_lang::programs::PAPER.source, "Move"),
        (hana_lang::programs::PAPER.source, "Move-All"),
        (hana_lang::programs::MODERN.source, "Move-All"),
    ] {
        let prover = Prover::new(Theory::new(shipped(source)).unwrap());
        let theorem = prover.one_place(name).unwrap();
        assert!(theorem.hypotheses().is_empty(), "{theorem}");
        println!("{theorem}\n{}", theorem.uses());
    }
}

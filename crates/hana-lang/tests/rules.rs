//! The rules refuse what would be unsound, and what they equate evaluates to the same.

use hana_lang::core::interpret::NoOracles;
use hana_lang::core::{House, Interpreter, Limits, Module, Prim, Term, Ty, Value};
use hana_lang::kernel::derived::Prover;
use hana_lang::kernel::derived::rewrite::Simplifier;
use hana_lang::kernel::{Formula, Theory};
use kachi_core::random::Dealer;

fn theory() -> Theory {
    Theory::new(Module::bare(Term::lam([("X".into(), Ty::record([]))], Term::bool(true))))
        .expect("well typed")
}

fn int(name: &str) -> Term {
    Term::free(name, Ty::Int)
}

fn constantly_one() -> Term {
    Term::lam([("x".into(), Ty::Int)], Term::int(1))
}

#[test]
fn beta_wants_values() {
    let theory = theory();
    let faulty = Term::prim(Prim::Add, [int("a"), int("b")]);
    for argument in [faulty, Term::bottom(Ty::Int), Term::err(Ty::Int, "")] {
        assert_eq!(theory.beta(&Term::app(constantly_one(), [argument]), &[]).unwrap_err().rule, "beta");
    }
    assert!(theory.beta(&Term::app(constantly_one(), [int("a")]), &[]).is_ok());
    // With a theorem that the argument is defined it is allowed, and the theorem keeps the hypothesis.
    let sum = Term::prim(Prim::Add, [int("a"), int("b")]);
    let defined = theory.assume(&Formula::defined(&sum, &Ty::Int)).unwrap();
    let reduced = theory.beta(&Term::app(constantly_one(), [sum]), &[&defined]).unwrap();
    assert_eq!(reduced.hypotheses().len(), 1);
}

#[test]
fn quantifiers_range_over_values() {
    let theory = theory();
    let reflexive = theory.reflexive(&int("a")).unwrap().generalize(&"a".into(), &Ty::Int).unwrap();
    assert!(reflexive.specialize(&Term::bottom(Ty::Int)).is_err());
    assert!(reflexive.specialize(&Term::prim(Prim::Neg, [int("a")])).is_err());
    assert!(reflexive.specialize(&Term::bool(true)).is_err());
    assert!(reflexive.specialize(&Term::int(3)).is_ok());
}

#[test]
fn variables_of_hypotheses_stay() {
    let theory = theory();
    let fact = theory.assume(&Formula::Eq(Ty::Int, int("a"), Term::int(1))).unwrap();
    assert!(fact.generalize(&"a".into(), &Ty::Int).is_err());
    assert!(fact.under_lambda(&[("a".into(), Ty::Int)]).is_err());
    assert!(fact.generalize(&"a".into(), &Ty::Bool).is_ok(), "another type is another variable");
}

#[test]
fn what_is_evaluated_first_decides() {
    let theory = theory();
    let (bottom, err) = (Term::bottom(Ty::Int), Term::err(Ty::Int, ""));
    let first_bottom = theory.strict(&Term::prim(Prim::Add, [bottom.clone(), err.clone()])).unwrap();
    assert_eq!(*first_bottom.equation().unwrap().2, bottom);
    let first_err = theory.strict(&Term::prim(Prim::Add, [err.clone(), bottom.clone()])).unwrap();
    assert_eq!(*first_err.equation().unwrap().2, err);
    let unknown = Term::prim(Prim::Neg, [int("a")]);
    assert!(theory.strict(&Term::prim(Prim::Add, [unknown, bottom.clone()])).is_err());
    let branch = Term::if_then_else(Term::free("b", Ty::Bool), bottom, Term::int(1));
    assert!(theory.strict(&branch).is_err());
}

#[test]
fn cases_need_a_new_variable_and_one_conclusion() {
    let theory = theory();
    let term = Term::prim(Prim::Neg, [int("a")]);
    let case = |other: Term| theory.assume(&Formula::Eq(Ty::Int, term.clone(), other)).unwrap();
    let (bottom, err) = (case(Term::bottom(Ty::Int)), case(Term::err(Ty::Int, "")));
    assert!(theory.value_cases(&term, &"a".into(), &case(int("a")), &bottom, &err).is_err());
    assert!(theory.value_cases(&term, &"v".into(), &case(int("v")), &bottom, &err).is_err());
}

#[test]
fn computation_is_for_closed_terms_that_hold_in_every_house() {
    let theory = theory();
    let limits = Limits { fuel: 1_000, ..Limits::default() };
    assert!(theory.compute(&int("a"), limits).is_err());
    assert!(theory.compute(&Term::prim(Prim::Seats, []), limits).is_err());
    let places = Term::prim(Prim::Number, [Term::prim(Prim::All(Ty::Place), [])]);
    assert!(theory.compute(&places, limits).is_err());
    assert!(theory.finite_cases(&Formula::holds(Term::bool(true)).forall("p", &Ty::Place), &[]).is_err());
    let endless = Term::fix(
        "f".into(),
        Ty::fun([Ty::Int], Ty::Int),
        Term::lam([("n".into(), Ty::Int)], Term::app(Term::bound(1), [Term::bound(0)])),
    );
    let refused = theory.compute(&Term::app(endless, [Term::int(0)]), limits).unwrap_err();
    assert!(refused.message.contains("fuel"), "no theorem from running out of fuel");
    let overflow = Term::prim(Prim::Add, [Term::int(i64::MAX), Term::int(1)]);
    assert_eq!(*theory.compute(&overflow, limits).unwrap().equation().unwrap().2, Term::err(Ty::Int, ""));
}

#[test]
fn ring_needs_definedness() {
    let theory = theory();
    let (a, b) = (int("a"), int("b"));
    let sum = |one: &Term, two: &Term| Term::prim(Prim::Add, [one.clone(), two.clone()]);
    assert!(theory.ring(&sum(&a, &b), &sum(&b, &a), &[]).is_err());
    let [one, two] =
        [sum(&a, &b), sum(&b, &a)].map(|term| theory.assume(&Formula::defined(&term, &Ty::Int)).unwrap());
    assert!(theory.ring(&sum(&a, &b), &sum(&b, &a), &[&one, &two]).is_ok());
    let wrap = |one: &Term, two: &Term| Term::prim(Prim::WrapAdd, [one.clone(), two.clone()]);
    assert!(theory.ring(&wrap(&a, &b), &wrap(&b, &a), &[]).is_ok());
    assert!(theory.ring(&wrap(&a, &b), &wrap(&a, &a), &[]).is_err());
}

#[test]
fn theorems_of_different_programs_do_not_mix() {
    let (one, two) = (theory(), theory());
    let (left, right) = (one.reflexive(&Term::int(1)).unwrap(), two.reflexive(&Term::int(1)).unwrap());
    assert!(left.transitive(&right).is_err());
    assert!(one.congruence(&int("x"), &[("x".into(), Ty::Int)], &[&right]).is_err());
}

#[test]
fn scott_induction_does_not_prove_termination() {
    // ends(w(0)) has w in a guard.
    let theory = theory();
    let ty = Ty::fun([Ty::Int], Ty::Int);
    let body = Term::lam([("n".into(), Ty::Int)], Term::app(Term::bound(1), [Term::bound(0)]));
    let fixed = Term::fix("w".into(), ty.clone(), body);
    let formula = Formula::ends(&Term::app(Term::free("w", ty), [Term::int(0)]), &Ty::Int);
    let premise = theory.assume(&formula).unwrap();
    let refused = theory.scott(&fixed, &"w".into(), &formula, &premise, &premise).unwrap_err();
    assert!(refused.message.contains("guard"));
}

fn outcome(term: &Term) -> Option<Option<Value>> {
    let module = Module::bare(Term::bool(true));
    let limits = Limits { fuel: 100_000, ..Limits::default() };
    match Interpreter::new(&module, House::default(), limits, &mut NoOracles).eval(term) {
        Ok(value) => Some(Some(value)),
        Err(fault) if fault.kind.is_err() => Some(None),
        Err(_) => None,
    }
}

/// A random closed term of type Int (`true`) or Bool, `scope` integers being bound.
fn random(integer: bool, depth: u32, scope: u32, dealer: &mut Dealer) -> Term {
    let leaf = depth == 0 || dealer.below(6) == 0;
    let pick = dealer.below(10);
    if integer {
        if leaf {
            return match (pick, scope) {
                (0, _) => Term::err(Ty::Int, ""),
                (1, _) => Term::int(i64::MAX),
                (2..=5, 1..) => Term::bound(dealer.below(u64::from(scope)) as u32),
                _ => Term::int(dealer.below(5) as i64 - 2),
            };
        }
        let mut part = |scope| random(true, depth - 1, scope, dealer);
        return match pick {
            0..=4 => {
                let prim = [Prim::Add, Prim::Sub, Prim::Mul, Prim::Div, Prim::WrapAdd][pick as usize].clone();
                Term::prim(prim, [part(scope), part(scope)])
            }
            5 | 6 => Term::let_in("x".into(), Ty::Int, part(scope), part(scope + 1)),
            7 => {
                let record = Term::record([("a".into(), part(scope)), ("b".into(), part(scope))]);
                Term::field(
                    Term::with(record, "a", part(scope)),
                    if dealer.below(2) == 0 { "a" } else { "b" },
                )
            }
            _ => {
                let (yes, no) = (part(scope), part(scope));
                Term::if_then_else(random(false, depth - 1, scope, dealer), yes, no)
            }
        };
    }
    if leaf {
        return Term::bool(pick.is_multiple_of(2));
    }
    let (one, two) = (random(true, depth - 1, scope, dealer), random(true, depth - 1, scope, dealer));
    Term::prim([Prim::Lt, Prim::Eq, Prim::Le][(pick % 3) as usize].clone(), [one, two])
}

#[test]
fn simplified_terms_evaluate_to_the_same() {
    let prover = Prover::new(theory());
    let mut dealer = Dealer::new(1972);
    let (mut compared, mut changed) = (0, 0);
    for _ in 0..600 {
        let term = random(true, 5, 0, &mut dealer);
        let mut simplifier = Simplifier::new().deeply();
        simplifier.compute = true;
        let theorem = simplifier.simplify(&prover, &term).unwrap();
        assert!(theorem.hypotheses().is_empty());
        let (_, left, right) = theorem.equation().unwrap();
        assert_eq!(*left, term);
        changed += u32::from(left != right);
        if let (Some(one), Some(two)) = (outcome(left), outcome(right)) {
            assert_eq!(one, two, "{left} became {right}");
            compared += 1;
        }
    }
    assert!(compared > 500 && changed > 300, "{compared} compared, {changed} changed");
}

/// A long program is followed to its end or refused, on the small stack of a test thread.
#[test]
fn long_programs_do_not_exhaust_the_stack() {
    for (length, nesting) in [(20, 3), (150, 1), (240, 1), (10, 40), (30, 12)] {
        let block = vec!["n := n + 1"; length].join("; ");
        let mut statement = format!("begin {block} end");
        for _ in 0..nesting {
            statement = format!("while n < 5 do begin if n = 3 then n := 4 else {statement}; n := n + 1 end");
        }
        let source = format!("program LONG; var n, m : Int; {statement}.");
        let Ok(program) = hana_lang::types::check_source(&source) else { continue };
        let Ok(module) = hana_lang::elaborate::elaborate(&program) else { continue };
        let state = module.state.clone();
        let module = hana_lang::proof_file::with_parts(module);
        let prover = Prover::new(Theory::new(module).unwrap());
        let kept = Term::lam([("s".into(), state)], Term::field(Term::bound(0), "m"));
        let mut quantity = hana_lang::kernel::derived::preserve::Quantity::new(&prover, kept).unwrap();
        match quantity.procedure(&"program".into()) {
            Ok(theorem) => assert!(theorem.hypotheses().is_empty()),
            Err(refusal) => assert_eq!(refusal.rule, "depth", "{refusal}"),
        }
    }
}

//! The axioms, all of them: finite sets, maps, sums, equality and order. They stand where the paper's first axioms, which
//! are lost, must have stood; they are not a recovery of those. Each is tested by evaluating random instances with the
//! reference interpreter ([`test_instance`]).

use super::formula::Formula;
use crate::core::interpret::{Interpreter, Limits, NoOracles};
use crate::core::module::Module;
use crate::core::prim::Prim;
use crate::core::term::{Hint, Term};
use crate::core::ty::Ty;
use crate::core::value::{House, Place, Set, Value};
use hana::card::Card;
use kachi_core::random::Dealer;
use std::sync::Arc;

/// An axiom, stated at the types for which `formula` answers.
#[derive(Debug, Clone, Copy)]
pub struct Axiom {
    /// Its name in proofs.
    pub name: &'static str,
    /// What it says.
    pub words: &'static str,
    /// The formula at these types.
    pub formula: fn(&[Ty]) -> Option<Formula>,
}

/// The axiom of this name.
pub fn find(name: &str) -> Option<&'static Axiom> {
    AXIOMS.iter().find(|axiom| axiom.name == name)
}

/// All axioms.
pub const AXIOMS: &[Axiom] = &[
    Axiom {
        name: "equal",
        words: "the test a = b is true just for equal values",
        formula: |types| {
            let ty = one(types, Ty::is_ground)?;
            let [a, b] = ["a", "b"].map(|name| Term::free(name, ty.clone()));
            let test = Formula::holds(prim(Prim::Eq, [&a, &b]));
            let same = Formula::Eq(ty.clone(), a.clone(), b.clone());
            Some(forall(test.implies(same), &[("b", ty), ("a", ty)]))
        },
    },
    Axiom {
        name: "equal-self",
        words: "a = a is true",
        formula: |types| {
            let ty = one(types, Ty::is_ground)?;
            let a = Term::free("a", ty.clone());
            Some(forall(Formula::holds(prim(Prim::Eq, [&a, &a])), &[("a", ty)]))
        },
    },
    Axiom {
        name: "not-equal",
        words: "a <> b is not (a = b)",
        formula: |types| {
            let ty = one(types, Ty::is_ground)?;
            let [a, b] = ["a", "b"].map(|name| Term::free(name, ty.clone()));
            let right = Term::if_then_else(prim(Prim::Eq, [&a, &b]), Term::bool(false), Term::bool(true));
            Some(forall(Formula::Eq(Ty::Bool, prim(Prim::Ne, [&a, &b]), right), &[("b", ty), ("a", ty)]))
        },
    },
    Axiom {
        name: "in-join",
        words: "a is in S join T if it is in S or in T",
        formula: |types| membership(types, Prim::Join, Term::or),
    },
    Axiom {
        name: "in-meet",
        words: "a is in S meet T if it is in S and in T",
        formula: |types| membership(types, Prim::Meet, Term::and),
    },
    Axiom {
        name: "in-minus",
        words: "a is in S minus T if it is in S and not in T",
        formula: |types| {
            membership(types, Prim::Minus, |in_s, in_t| {
                Term::and(in_s, Term::if_then_else(in_t, Term::bool(false), Term::bool(true)))
            })
        },
    },
    Axiom {
        name: "in-single",
        words: "a is in {b} if a = b",
        formula: |types| {
            let ty = one(types, Ty::is_base)?;
            let [a, b] = ["a", "b"].map(|name| Term::free(name, ty.clone()));
            let left = prim(Prim::In, [&a, &prim(Prim::Single, [&b])]);
            Some(forall(Formula::Eq(Ty::Bool, left, prim(Prim::Eq, [&a, &b])), &[("b", ty), ("a", ty)]))
        },
    },
    Axiom {
        name: "in-empty",
        words: "nothing is in {}",
        formula: |types| {
            let ty = one(types, Ty::is_base)?;
            let a = Term::free("a", ty.clone());
            let left = prim(Prim::In, [&a, &Term::empty_set(ty.clone())]);
            Some(forall(Formula::Eq(Ty::Bool, left, Term::bool(false)), &[("a", ty)]))
        },
    },
    Axiom {
        name: "in-disjoint",
        words: "if S meet T = {} and a is in S, it is not in T",
        formula: |types| {
            let (element, set, [s, t]) = sets(types)?;
            let a = Term::free("a", element.clone());
            let empty = Term::empty_set(element.clone());
            let disjoint = Formula::holds(prim(Prim::Eq, [&prim(Prim::Meet, [&s, &t]), &empty]));
            let member = Formula::holds(prim(Prim::In, [&a, &s]));
            let outside = Formula::Eq(Ty::Bool, prim(Prim::In, [&a, &t]), Term::bool(false));
            let formula = disjoint.implies(member.implies(outside));
            Some(forall(formula, &[("a", &element), ("T", &set), ("S", &set)]))
        },
    },
    Axiom {
        name: "get-update",
        words: "an updated map has the new value there and the old ones elsewhere",
        formula: |types| {
            let [key, value] = types else { return None };
            if !key.is_finite() || !value.is_ground() {
                return None;
            }
            let map = Ty::map(key.clone(), value.clone());
            let m = Term::free("m", map.clone());
            let [j, k] = ["j", "k"].map(|name| Term::free(name, key.clone()));
            let v = Term::free("v", value.clone());
            let left = prim(Prim::MapGet, [&prim(Prim::MapSet, [&m, &k, &v]), &j]);
            let right = Term::if_then_else(prim(Prim::Eq, [&j, &k]), v, prim(Prim::MapGet, [&m, &j]));
            let formula = Formula::Eq(value.clone(), left, right);
            Some(forall(formula, &[("j", key), ("v", value), ("k", key), ("m", &map)]))
        },
    },
    Axiom {
        name: "get-tabulate",
        words: "map x : T => f(x), where it is defined, has the value f(k) at k",
        formula: |types| {
            let [key, value] = types else { return None };
            if !key.is_finite() || !value.is_ground() {
                return None;
            }
            let function = Ty::fun([key.clone()], value.clone());
            let f = Term::free("f", function.clone());
            let k = Term::free("k", key.clone());
            let table = Term::prim(Prim::Tabulate(key.clone()), [f.clone()]);
            let defined = Formula::defined(&table, &Ty::map(key.clone(), value.clone()));
            let same =
                Formula::Eq(value.clone(), prim(Prim::MapGet, [&table, &k]), Term::app(f, [k.clone()]));
            Some(forall(defined.implies(same), &[("k", key), ("f", &function)]))
        },
    },
    Axiom {
        name: "number-one",
        words: "just one value equals q",
        formula: |types| {
            let ty = one(types, Ty::is_finite)?;
            let q = Term::free("q", ty.clone());
            let test = prim(Prim::Eq, [&Term::bound(0), &q]);
            let all = Term::prim(Prim::All(ty.clone()), []);
            let number = prim(Prim::Number, [&Term::filter(Hint::from("p"), ty.clone(), all, test)]);
            Some(forall(Formula::Eq(Ty::Int, number, Term::int(1)), &[("q", ty)]))
        },
    },
    Axiom {
        name: "number-add",
        words: "one more element is one more, modulo nothing: Number(S join {a}) = Number(S) + 1 if a is not in S",
        formula: |types| {
            let (element, set, [s, _]) = sets(types)?;
            let a = Term::free("a", element.clone());
            let outside = Formula::Eq(Ty::Bool, prim(Prim::In, [&a, &s]), Term::bool(false));
            let joined = prim(Prim::Join, [&s, &prim(Prim::Single, [&a])]);
            let more = prim(Prim::WrapAdd, [&prim(Prim::Number, [&s]), &Term::int(1)]);
            let formula = outside.implies(Formula::Eq(Ty::Int, prim(Prim::Number, [&joined]), more));
            Some(forall(formula, &[("a", &element), ("S", &set)]))
        },
    },
    Axiom {
        name: "number-disjoint",
        words: "Number(S join T) = Number(S) + Number(T) if S meet T = {}",
        formula: |types| {
            let (element, set, [s, t]) = sets(types)?;
            let empty = Term::empty_set(element.clone());
            let disjoint = Formula::holds(prim(Prim::Eq, [&prim(Prim::Meet, [&s, &t]), &empty]));
            let [joined, n, m] = [&prim(Prim::Join, [&s, &t]), &s, &t].map(|set| prim(Prim::Number, [set]));
            let formula = disjoint.implies(Formula::Eq(Ty::Int, joined, prim(Prim::WrapAdd, [&n, &m])));
            Some(forall(formula, &[("T", &set), ("S", &set)]))
        },
    },
    Axiom {
        name: "join-associative",
        words: "S join (T join {a}) = (S join T) join {a}",
        formula: |types| {
            let (element, set, [s, t]) = sets(types)?;
            let single = prim(Prim::Single, [&Term::free("a", element.clone())]);
            let left = prim(Prim::Join, [&s, &prim(Prim::Join, [&t, &single])]);
            let right = prim(Prim::Join, [&prim(Prim::Join, [&s, &t]), &single]);
            let formula = Formula::Eq(set.clone(), left, right);
            Some(forall(formula, &[("a", &element), ("T", &set), ("S", &set)]))
        },
    },
    Axiom {
        name: "meet-commutative",
        words: "S meet T = T meet S",
        formula: |types| {
            let (_, set, [s, t]) = sets(types)?;
            let formula = Formula::Eq(set.clone(), prim(Prim::Meet, [&s, &t]), prim(Prim::Meet, [&t, &s]));
            Some(forall(formula, &[("T", &set), ("S", &set)]))
        },
    },
    Axiom {
        name: "wrapped-sum-update",
        words: "updating one value changes the sum modulo 2^64 by the difference",
        formula: |types| {
            let key = one(types, Ty::is_finite)?;
            let map = Ty::map(key.clone(), Ty::Int);
            let m = Term::free("m", map.clone());
            let k = Term::free("k", key.clone());
            let v = Term::free("v", Ty::Int);
            let total = |m: Term| Term::app(wrapped_sum(key), [m]);
            let left = total(prim(Prim::MapSet, [&m, &k, &v]));
            let without = prim(Prim::WrapSub, [&total(m.clone()), &prim(Prim::MapGet, [&m, &k])]);
            let formula = Formula::Eq(Ty::Int, left, prim(Prim::WrapAdd, [&without, &v]));
            Some(forall(formula, &[("v", &Ty::Int), ("k", key), ("m", &map)]))
        },
    },
    Axiom {
        name: "sum-is-wrapped-sum",
        words: "a sum that does not overflow equals the sum modulo 2^64",
        formula: |types| {
            let key = one(types, Ty::is_finite)?;
            let map = Ty::map(key.clone(), Ty::Int);
            let m = Term::free("m", map.clone());
            let sum = Term::app(checked_sum(key), [m.clone()]);
            let same = prim(Prim::Eq, [&Term::app(wrapped_sum(key), [m]).lift(1), &Term::bound(0)]);
            let left = Term::let_in(Hint::from("v"), Ty::Int, sum.clone(), same);
            let formula = Formula::Eq(Ty::Bool, left, super::formula::probe(&sum, &Ty::Int));
            Some(forall(formula, &[("m", &map)]))
        },
    },
    Axiom {
        name: "mod-two",
        words: "adding 2 (modulo 2^64) does not change n mod 2",
        formula: |types| {
            if !types.is_empty() {
                return None;
            }
            let n = Term::free("n", Ty::Int);
            let parity = |n: &Term| prim(Prim::Mod, [n, &Term::int(2)]);
            let formula = Formula::Eq(Ty::Int, parity(&prim(Prim::WrapAdd, [&n, &Term::int(2)])), parity(&n));
            Some(forall(formula, &[("n", &Ty::Int)]))
        },
    },
    Axiom {
        name: "nth-within",
        words: "q(t) is a fault for t > Length(q)",
        formula: |types| {
            let element = one(types, Ty::is_ground)?;
            let seq = Ty::seq(element.clone());
            let q = Term::free("q", seq.clone());
            let t = Term::free("t", Ty::Int);
            let beyond = Formula::holds(prim(Prim::Lt, [&prim(Prim::Length, [&q]), &t]));
            let fault =
                Formula::Eq(element.clone(), prim(Prim::SeqGet, [&q, &t]), Term::err(element.clone(), ""));
            Some(forall(beyond.implies(fault), &[("t", &Ty::Int), ("q", &seq)]))
        },
    },
    Axiom {
        name: "nth-from-one",
        words: "q(t) is a fault unless 1 <= t",
        formula: |types| {
            let element = one(types, Ty::is_ground)?;
            let seq = Ty::seq(element.clone());
            let q = Term::free("q", seq.clone());
            let t = Term::free("t", Ty::Int);
            let before = Formula::Eq(Ty::Bool, prim(Prim::Le, [&Term::int(1), &t]), Term::bool(false));
            let fault =
                Formula::Eq(element.clone(), prim(Prim::SeqGet, [&q, &t]), Term::err(element.clone(), ""));
            Some(forall(before.implies(fault), &[("t", &Ty::Int), ("q", &seq)]))
        },
    },
    Axiom {
        name: "index-beyond",
        words: "for 0 <= l and 1 <= t: l - t < 0 means l < t",
        formula: |types| {
            let [l, t, _] = index_variables(types)?;
            let below = Formula::holds(prim(Prim::Lt, [&prim(Prim::WrapSub, [&l, &t]), &Term::int(0)]));
            let beyond = Formula::holds(prim(Prim::Lt, [&l, &t]));
            let formula = natural_index(&l, &t, below.implies(beyond));
            Some(forall(formula, &[("t", &Ty::Int), ("l", &Ty::Int)]))
        },
    },
    Axiom {
        name: "index-below",
        words: "for 0 <= l and 1 <= t: l - t < l",
        formula: |types| {
            let [l, t, _] = index_variables(types)?;
            let below = Formula::holds(prim(Prim::Lt, [&prim(Prim::WrapSub, [&l, &t]), &l]));
            Some(forall(natural_index(&l, &t, below), &[("t", &Ty::Int), ("l", &Ty::Int)]))
        },
    },
    Axiom {
        name: "index-next",
        words: "for 0 <= l, 1 <= t and 0 <= n: if l - t < n + 1 and t + 1 does not overflow, then 1 <= t + 1 and l - (t + 1) < n",
        formula: |types| {
            let [l, t, n] = index_variables(types)?;
            let more = prim(Prim::WrapAdd, [&n, &Term::int(1)]);
            let now = Formula::holds(prim(Prim::Lt, [&prim(Prim::WrapSub, [&l, &t]), &more]));
            let naturals = Formula::holds(prim(Prim::Le, [&Term::int(0), &n]));
            let room = Formula::holds(prim(Prim::Lt, [&n, &Term::int(i64::MAX)]));
            let next = prim(Prim::Add, [&t, &Term::int(1)]);
            let v = Term::bound(0);
            let least = prim(Prim::Le, [&Term::int(1), &v]);
            let below = prim(Prim::Lt, [&prim(Prim::WrapSub, [&l, &v]), &n]);
            let both = Term::let_in(Hint::from("v"), Ty::Int, next.clone(), Term::and(least, below));
            let said = Formula::Eq(Ty::Bool, both, super::formula::probe(&next, &Ty::Int));
            let formula = natural_index(&l, &t, naturals.implies(room.implies(now.implies(said))));
            Some(forall(formula, &[("n", &Ty::Int), ("t", &Ty::Int), ("l", &Ty::Int)]))
        },
    },
    Axiom {
        name: "natural-not-negative",
        words: "if 0 <= c, not c < 0",
        formula: |types| {
            let [c, ..] = index_variables(types)?;
            let natural = Formula::holds(prim(Prim::Le, [&Term::int(0), &c]));
            let negative = Formula::Eq(Ty::Bool, prim(Prim::Lt, [&c, &Term::int(0)]), Term::bool(false));
            Some(forall(natural.implies(negative), &[("l", &Ty::Int)]))
        },
    },
    Axiom {
        name: "less-next",
        words: "for 0 <= n: if a < c and c < n + 1 then a < n",
        formula: |types| {
            let [a, c, n] = index_variables(types)?;
            let natural = Formula::holds(prim(Prim::Le, [&Term::int(0), &n]));
            let room = Formula::holds(prim(Prim::Lt, [&n, &Term::int(i64::MAX)]));
            let next = prim(Prim::WrapAdd, [&n, &Term::int(1)]);
            let [first, second, last] = [(&a, &c), (&c, &next), (&a, &n)]
                .map(|(one, two)| Formula::holds(prim(Prim::Lt, [one, two])));
            let formula = natural.implies(room.implies(first.implies(second.implies(last))));
            Some(forall(formula, &[("n", &Ty::Int), ("t", &Ty::Int), ("l", &Ty::Int)]))
        },
    },
    Axiom {
        name: "length-natural",
        words: "0 <= Length(q)",
        formula: |types| {
            let element = one(types, Ty::is_ground)?;
            let seq = Ty::seq(element.clone());
            let length = prim(Prim::Length, [&Term::free("q", seq.clone())]);
            Some(forall(Formula::holds(prim(Prim::Le, [&Term::int(0), &length])), &[("q", &seq)]))
        },
    },
];

/// `lambda m. fold(all, 0, lambda (p, acc). acc +w m(p))`: the sum of a map, modulo 2^64.
pub fn wrapped_sum(key: &Ty) -> Term {
    sum_of(key, Prim::WrapAdd)
}

/// `lambda m. fold(all, 0, lambda (p, acc). acc + m(p))`: the sum of a map as HL computes it, a fault on overflow.
pub fn checked_sum(key: &Ty) -> Term {
    sum_of(key, Prim::Add)
}

fn sum_of(key: &Ty, add: Prim) -> Term {
    // Below three binders: the map is index 2, the place index 1, the accumulator index 0.
    let value = Term::prim(Prim::MapGet, [Term::bound(2), Term::bound(1)]);
    let step = Term::prim(add, [Term::bound(0), value]);
    let all = Term::prim(Prim::All(key.clone()), []);
    let fold = Term::fold(Hint::from("p"), key.clone(), "total", Ty::Int, all, Term::int(0), step);
    Term::lam([(Hint::from("m"), Ty::map(key.clone(), Ty::Int))], fold)
}

fn one(types: &[Ty], fits: impl Fn(&Ty) -> bool) -> Option<&Ty> {
    match types {
        [ty] if fits(ty) => Some(ty),
        _ => None,
    }
}

/// Element type, set type, and two set variables.
fn sets(types: &[Ty]) -> Option<(Ty, Ty, [Term; 2])> {
    let element = one(types, Ty::is_base)?.clone();
    let set = Ty::set(element.clone());
    let variables = ["S", "T"].map(|name| Term::free(name, set.clone()));
    Some((element, set, variables))
}

fn index_variables(types: &[Ty]) -> Option<[Term; 3]> {
    types.is_empty().then(|| ["l", "t", "n"].map(|name| Term::free(name, Ty::Int)))
}

/// `0 <= l => 1 <= t => formula`.
fn natural_index(l: &Term, t: &Term, formula: Formula) -> Formula {
    let natural = Formula::holds(prim(Prim::Le, [&Term::int(0), l]));
    let positive = Formula::holds(prim(Prim::Le, [&Term::int(1), t]));
    natural.implies(positive.implies(formula))
}

fn membership(types: &[Ty], operation: Prim, right: fn(Term, Term) -> Term) -> Option<Formula> {
    let (element, set, [s, t]) = sets(types)?;
    let a = Term::free("a", element.clone());
    let left = prim(Prim::In, [&a, &prim(operation, [&s, &t])]);
    let right = right(prim(Prim::In, [&a, &s]), prim(Prim::In, [&a, &t]));
    Some(forall(Formula::Eq(Ty::Bool, left, right), &[("T", &set), ("S", &set), ("a", &element)]))
}

fn prim<const N: usize>(prim: Prim, arguments: [&Term; N]) -> Term {
    Term::prim(prim, arguments.map(Clone::clone))
}

/// Quantifies, the last variable outermost.
fn forall(formula: Formula, variables: &[(&str, &Ty)]) -> Formula {
    variables.iter().fold(formula, |formula, (name, ty)| formula.forall(name, ty))
}

/// One random instance of a formula: values for the quantifiers, then evaluation of what remains. `Ok(false)` is a
/// counterexample; `None` means that a guard did not hold (or nothing could be evaluated), so nothing was tested.
pub fn test_instance(formula: &Formula, house: &House, dealer: &mut Dealer) -> Option<Result<(), String>> {
    match formula {
        Formula::Forall(_, ty, body) => {
            let value = random_term(ty, house, dealer)?;
            test_instance(&body.open(&value), house, dealer)
        }
        Formula::Implies(guard, body) => match test_instance(guard, house, dealer)? {
            Ok(()) => test_instance(body, house, dealer),
            Err(_) => None,
        },
        Formula::And(one, two) => match test_instance(one, house, dealer)? {
            Ok(()) => test_instance(two, house, dealer),
            Err(message) => Some(Err(message)),
        },
        Formula::Eq(_, one, two) => {
            let (left, right) = (outcome(one, house)?, outcome(two, house)?);
            let message = || format!("{one} gives {left:?}, {two} gives {right:?}");
            Some(if left == right { Ok(()) } else { Err(message()) })
        }
        Formula::Le(..) => None,
    }
}

/// The value of a closed term, or `Some(None)` for Err.
fn outcome(term: &Term, house: &House) -> Option<Option<Value>> {
    let module = Module::bare(Term::bool(true));
    let mut nobody = NoOracles;
    let limits = Limits { fuel: 1_000_000, ..Limits::default() };
    match Interpreter::new(&module, *house, limits, &mut nobody).eval(term) {
        Ok(value) => Some(Some(value)),
        Err(fault) if fault.kind.is_err() => Some(None),
        Err(_) => None,
    }
}

fn random_term(ty: &Ty, house: &House, dealer: &mut Dealer) -> Option<Term> {
    match ty {
        Ty::Fun(arguments, result) => {
            // Two values and now and then a fault, by a test on the argument.
            let [argument] = &**arguments else { return None };
            let special = random_value(argument, house, dealer)?;
            let [yes, no] = [(); 2].map(|()| random_value(result, house, dealer));
            let yes = match dealer.below(4) {
                0 => Term::err((**result).clone(), ""),
                _ => Term::constant(yes?, (**result).clone()),
            };
            let test = Term::prim(Prim::Eq, [Term::bound(0), Term::constant(special, argument.clone())]);
            let body = Term::if_then_else(test, yes, Term::constant(no?, (**result).clone()));
            Some(Term::lam([(Hint::from("x"), argument.clone())], body))
        }
        _ => Some(Term::constant(random_value(ty, house, dealer)?, ty.clone())),
    }
}

/// A random value of a ground type. Small ranges are preferred, so that guards hold now and then; extremes occur.
fn random_value(ty: &Ty, house: &House, dealer: &mut Dealer) -> Option<Value> {
    Some(match ty {
        Ty::Bool => Value::Bool(dealer.below(2) == 1),
        Ty::Int => Value::Int(match dealer.below(8) {
            0 => i64::MAX - dealer.below(3) as i64,
            1 => i64::MIN + dealer.below(3) as i64,
            2 => dealer.word() as i64,
            _ => dealer.below(12) as i64 - 3,
        }),
        Ty::Flower => Value::Flower(Card::from_id(dealer.below(48) as u8)?),
        Ty::Place => {
            let places: Vec<Place> = Place::all(house).collect();
            Value::Place(places[dealer.below(places.len() as u64) as usize])
        }
        Ty::Set(element) => {
            let mut set = Set::empty(element);
            let few = if dealer.below(2) == 0 { 2 } else { 12 };
            for _ in 0..dealer.below(few) {
                let value = Set::single(random_value(element, house, dealer)?);
                set = match (set, value) {
                    (Set::Flowers(one), Set::Flowers(two)) => Set::Flowers(one | two),
                    (Set::Other(one), Set::Other(two)) => {
                        Set::Other(Arc::new(one.union(&two).cloned().collect()))
                    }
                    (set, _) => set,
                };
            }
            Value::Set(set)
        }
        Ty::Seq(element) => {
            let length = dealer.below(6);
            Value::Seq((0..length).map(|_| random_value(element, house, dealer)).collect::<Option<_>>()?)
        }
        Ty::Map(key, value) => {
            let keys = Value::all(key, house)?;
            Value::Map(keys.iter().map(|_| random_value(value, house, dealer)).collect::<Option<_>>()?)
        }
        Ty::Array(low, high, value) => {
            let length = crate::core::value::array_length(*low, *high)?;
            Value::Array(
                *low,
                (0..length).map(|_| random_value(value, house, dealer)).collect::<Option<_>>()?,
            )
        }
        Ty::Record(fields) => Value::Record(
            fields
                .iter()
                .map(|(name, ty)| Some((name.clone(), random_value(ty, house, dealer)?)))
                .collect::<Option<_>>()?,
        ),
        Ty::Fun(..) => return None,
    })
}

//! Payments conserve a total. The quantity is the sum of a map modulo 2^64, which is total; a payment that does not fault
//! takes and gives the same amount exactly.

use super::Prover;
use super::execute::Facts;
use super::preserve::Quantity;
use super::rewrite::Simplifier;
use crate::core::prim::Prim;
use crate::core::term::{Hint, Kind, Term};
use crate::core::ty::{Name, Ty};
use crate::kernel::axioms::{checked_sum, wrapped_sum};
use crate::kernel::formula::{Formula, probe};
use crate::kernel::rules::{Proof, Refusal, Theorem};

/// `lambda s. total(s.field)`: the sum of a map over a finite type, modulo 2^64, as a function of the state.
///
/// # Errors
/// When the field is not a map to `Int`.
pub fn total(state: &Ty, field: &str) -> Result<Term, Refusal> {
    let key = key_of(state, field)?;
    let body = Term::app(wrapped_sum(&key), [Term::field(Term::bound(0), field)]);
    Ok(Term::lam([(Hint::from("s"), state.clone())], body))
}

fn key_of(state: &Ty, field: &str) -> Result<Ty, Refusal> {
    match state.field(field) {
        Some(Ty::Map(key, value)) if **value == Ty::Int => Ok((**key).clone()),
        _ => Err(Refusal::new("total", format!("the state has no map {field} of Int"))),
    }
}

impl Prover {
    /// A procedure keeps the total of a map: it is run, and at its end the updates cancel.
    ///
    /// # Errors
    /// When they do not.
    pub fn transfer(&self, procedure: &str, field: &str) -> Proof {
        let theory = self.theory();
        let module = theory.module();
        let state = module.state.clone();
        let key = key_of(&state, field)?;
        let quantity = Quantity::new(self, total(&state, field)?)?;
        let definition = module
            .get(procedure)
            .ok_or_else(|| Refusal::new("transfer", format!("{procedure} is not defined")))?;
        let (call, variables) = self.call(&definition.name, &definition.body);
        let Some((_, _, start)) = variables.last().filter(|(_, ty, _)| *ty == state) else {
            return Err(Refusal::new("transfer", format!("{procedure} is not a procedure")));
        };
        let facts = Facts { unfold: vec![procedure.to_owned()], ..Facts::default() };
        let left = |hole: &Term| quantity.of(hole);
        let right = |hole: &Term| quantity.still(start, hole);
        let mut lemma = self.run(&call, &facts, &left, &right, &mut |end, facts| {
            let same = self.cancel(&quantity.of(end), &quantity.of(start), &key, facts)?;
            same.transitive(&theory.beta(&right(end), &[])?.symmetric()?)
        })?;
        for (name, ty, _) in variables.iter().rev() {
            lemma = lemma.generalize(name, ty)?;
        }
        Ok(lemma)
    }

    /// `P(parameters)(s)` with new variables.
    pub fn call(&self, name: &Name, body: &Term) -> (Term, Vec<(Name, Ty, Term)>) {
        let mut variables = Vec::new();
        let mut call = Term::global(name.clone());
        let mut body = body;
        while let Kind::Lam(params, inner) = body.kind() {
            let mut values = Vec::new();
            for param in params.iter() {
                let (name, variable) = self.fresh(&param.name.0, &param.ty);
                values.push(variable.clone());
                variables.push((name, param.ty.clone(), variable));
            }
            call = Term::app(call, values);
            body = inner;
        }
        (call, variables)
    }

    /// `total(..) = total(s)` by the axiom of updates and the ring, knowing what the sums on the way were.
    fn cancel(&self, end: &Term, start: &Term, key: &Ty, facts: &Facts) -> Proof {
        let theory = self.theory();
        let mut updates = Simplifier::default();
        updates.add_pattern(self, &theory.axiom("wrapped-sum-update", std::slice::from_ref(key))?)?;
        for fact in &facts.equations {
            if let Some(exact) = self.exactly(fact)? {
                updates.add(&exact);
            }
        }
        let left = theory.beta(end, &[])?;
        let left = left.transitive(&updates.simplify(self, left.equation()?.2)?)?;
        let right = theory.beta(start, &[])?;
        let ring = theory.ring(left.equation()?.2, right.equation()?.2, &[])?;
        left.transitive(&ring)?.transitive(&right.symmetric()?)
    }

    /// From `a + b = v` with a variable `v`: `v = a +w b`; the same for `-`.
    fn exactly(&self, fact: &Theorem) -> Result<Option<Theorem>, Refusal> {
        let (ty, term, value) = fact.equation()?;
        let (Ty::Int, Kind::Prim(prim, arguments), Kind::Free(..)) = (ty, term.kind(), value.kind()) else {
            return Ok(None);
        };
        let wrapped = match prim {
            Prim::Add => Prim::WrapAdd,
            Prim::Sub => Prim::WrapSub,
            _ => return Ok(None),
        };
        let wrapped = Term::prim(wrapped, arguments.iter().cloned());
        let defined = self.defined_by(fact)?;
        let ring = self.theory().ring(term, &wrapped, &[&defined])?;
        fact.symmetric()?.transitive(&ring).map(Some)
    }

    /// From `total(e) = (lambda _. total(s))(e)`: wherever `e` ends in a state and both sums are defined as HL computes
    /// them, they are equal. The conclusion compares `same` and `said`, two functions of the last state: the test whether
    /// the sums are equal, and the test `true` after evaluating the same two sums.
    ///
    /// # Errors
    /// When the theorem has another form.
    pub fn sums_agree(&self, kept: &Theorem, start: &Term, end: &Term, field: &str) -> Proof {
        let theory = self.theory();
        let state = self.type_of(start)?;
        let key = key_of(&state, field)?;
        let sum = |state: &Term| Term::app(checked_sum(&key), [Term::field(state.clone(), field)]);
        let quantity = Quantity::new(self, total(&state, field)?)?;
        if *kept.conclusion() != quantity.kept(start, end) {
            let message = format!("expected {}, found {}", quantity.kept(start, end), kept.conclusion());
            return Err(Refusal::new("sums-agree", message));
        }
        let [same, said] = sum_tests(&state, start, &sum)?;
        let left = |hole: &Term| Term::app(same.clone(), [hole.clone()]);
        let right = |hole: &Term| Term::app(said.clone(), [hole.clone()]);
        self.bind(end, &left, &right, &mut |last, hypothesis| {
            let (from, to) = (theory.beta(&left(last), &[])?, theory.beta(&right(last), &[])?);
            let test = |a: &Term, b: &Term| Term::prim(Prim::Eq, [a.clone(), b.clone()]);
            // Name both sums; where one faults, so do both sides.
            let (first, second) = (sum(last), sum(start));
            let both = self.bind(
                &first,
                &|hole| test(hole, &second),
                &|hole| said_of(hole, &second),
                &mut |a, is_a| {
                    self.bind(&second, &|hole| test(a, hole), &|hole| said_of(a, hole), &mut |b, is_b| {
                        // a = total(last) = total(start) = b.
                        let before = self.inside(hypothesis, &|hole| quantity.of(hole))?.symmetric()?;
                        let after = self.inside(hypothesis, &|hole| quantity.still(start, hole))?;
                        let chain = before.transitive(kept)?.transitive(&after)?;
                        let chain = chain.transitive(&theory.beta(chain.equation()?.2, &[])?)?;
                        let unfold = |state: &Term| theory.beta(&quantity.of(state), &[]);
                        let chain =
                            unfold(last)?.symmetric()?.transitive(&chain)?.transitive(&unfold(start)?)?;
                        let [one, two] = [(is_a, last), (is_b, start)]
                            .map(|(is, state)| self.wrapped_is(is, &Term::field(state.clone(), field), &key));
                        let equal = one?.symmetric()?.transitive(&chain)?.transitive(&two?)?;
                        let step = self.inside(&equal, &|hole| test(hole, b))?;
                        let truth = theory.axiom("equal-self", &[Ty::Int])?.specialize(b)?;
                        let step = step.transitive(&truth)?;
                        step.transitive(&self.plain_truth(&said_of(a, b))?.symmetric()?)
                    })
                },
            )?;
            from.transitive(&both)?.transitive(&to.symmetric()?)
        })
    }

    fn plain_truth(&self, term: &Term) -> Proof {
        Simplifier::new().simplify(self, term)
    }

    /// From `sum(m) = v`: `total(m) = v`.
    fn wrapped_is(&self, is: &Theorem, map: &Term, key: &Ty) -> Proof {
        let theory = self.theory();
        let axiom = theory.axiom("sum-is-wrapped-sum", std::slice::from_ref(key))?.specialize(map)?;
        let (value, wrapped) = (is.equation()?.2.clone(), Term::app(wrapped_sum(key), [map.clone()]));
        let same =
            Term::lam([(Hint::from("v"), Ty::Int)], Term::prim(Prim::Eq, [wrapped.lift(1), Term::bound(0)]));
        let left = self.inside(is, &|hole| Term::app(same.clone(), [hole.clone()]))?.symmetric()?;
        let right = self.inside(is, &|hole| probe(hole, &Ty::Int))?;
        let chain = left.transitive(&axiom)?.transitive(&right)?;
        let begin = theory.beta(chain.equation()?.1, &[])?.symmetric()?;
        let end = theory.beta(chain.equation()?.2, &[])?;
        let test = begin.transitive(&chain)?.transitive(&end)?;
        let equal = theory.axiom("equal", &[Ty::Int])?;
        self.at(&equal, &[wrapped, value])?.apply(&test)
    }
}

/// The operation modulo 2^64 that agrees with `+` or `-` where those do not overflow.
pub(super) fn wrapped(prim: &Prim, one: &Term, two: &Term) -> Term {
    let prim = if *prim == Prim::Add { Prim::WrapAdd } else { Prim::WrapSub };
    Term::prim(prim, [one.clone(), two.clone()])
}

/// `true` after evaluating two integers.
fn said_of(a: &Term, b: &Term) -> Term {
    let inner = Term::lam([(Hint::from("x"), Ty::Int), (Hint::from("y"), Ty::Int)], Term::bool(true));
    Term::app(inner, [a.clone(), b.clone()])
}

/// `lambda s'. sum(s') = sum(s)` and `lambda s'. true`, the latter after evaluating both sums.
fn sum_tests(state: &Ty, start: &Term, sum: &dyn Fn(&Term) -> Term) -> Result<[Term; 2], Refusal> {
    let bound = Term::bound(0);
    let before = sum(start).lift(1);
    let params = || [(Hint::from("s'"), state.clone())];
    let same = Term::lam(params(), Term::prim(Prim::Eq, [sum(&bound), before.clone()]));
    let said = Term::lam(params(), said_of(&sum(&bound), &before));
    Ok([same, said])
}

/// The statement of [`Prover::sums_agree`].
///
/// # Errors
/// When the field is not a map to `Int`.
pub fn sums_agree(state: &Ty, start: &Term, end: &Term, field: &str) -> Result<Formula, Refusal> {
    let key = key_of(state, field)?;
    let sum = |state: &Term| Term::app(checked_sum(&key), [Term::field(state.clone(), field)]);
    let [same, said] = sum_tests(state, start, &sum)?;
    let apply = |function: Term| Term::app(function, [end.clone()]);
    Ok(Formula::Eq(Ty::Bool, apply(same), apply(said)))
}

impl Prover {
    /// [`Prover::sums_agree`] under the quantifiers of a lemma about a procedure or the program: the last variable is the
    /// state it starts from.
    ///
    /// # Errors
    /// When the theorem has another form.
    pub fn sums_agree_for_all(&self, kept: &Theorem, field: &str) -> Proof {
        let mut open = kept.clone();
        let mut variables: Vec<(Name, Ty, Term)> = Vec::new();
        while let Formula::Forall(hint, ty, _) = open.conclusion() {
            let (hint, ty) = (hint.0.clone(), ty.clone());
            let (name, variable) = self.fresh(&hint, &ty);
            open = open.specialize(&variable)?;
            variables.push((name, ty, variable));
        }
        let refuse =
            || Refusal::new("sums-agree", format!("{} says nothing about a total", kept.conclusion()));
        let (_, _, start) = variables.last().ok_or_else(refuse)?;
        let end = match open.equation()?.1.kind() {
            Kind::App(_, arguments) => arguments.first().cloned().ok_or_else(refuse)?,
            _ => return Err(refuse()),
        };
        let agree = self.sums_agree(&open, start, &end, field)?;
        variables.iter().rev().try_fold(agree, |theorem, (name, ty, _)| theorem.generalize(name, ty))
    }
}

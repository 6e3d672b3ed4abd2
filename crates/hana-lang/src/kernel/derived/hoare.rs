//! The Hoare rules, each one theorem over all tests and statements of a state type. The triple `{P} S {Q}` is
//! `forall s. P(s) == true => Q(S(s)) == (lambda x. true)(S(s))`: from a state with `P`, wherever `S` ends in a state, `Q` is
//! true there. (A fault of `S` is a fault on both sides; where `S` never faults this is `Q(S(s)) << true`.)

use super::Prover;
use super::laws::Statements;
use crate::core::term::{Hint, Term};
use crate::core::ty::{Name, Ty};
use crate::kernel::formula::{Formula, probe};
use crate::kernel::rules::{Proof, Theorem};

fn apply(function: &Term, argument: &Term) -> Term {
    Term::app(function.clone(), [argument.clone()])
}

impl Statements {
    /// `Q(e) == (lambda x. true)(e)`.
    fn after(&self, test: &Term, end: &Term) -> Formula {
        Formula::Eq(Ty::Bool, apply(test, end), probe(end, &self.state))
    }

    /// `forall s. P(s) == true => Q(S(s)) == (lambda x. true)(S(s))`.
    pub fn triple(&self, before: &Term, statement: &Term, after: &Term) -> Formula {
        let s = Term::free("s", self.state.clone());
        let guard = Formula::holds(apply(before, &s));
        guard.implies(self.after(after, &apply(statement, &s))).forall("s", &self.state)
    }

    /// The same under a test: `forall s. P(s) == true => b(s) == c => ...`.
    fn triple_if(&self, before: &Term, test: &Term, truth: bool, statement: &Term, after: &Term) -> Formula {
        let s = Term::free("s", self.state.clone());
        let decided = Formula::Eq(Ty::Bool, apply(test, &s), Term::bool(truth));
        let inner = decided.implies(self.after(after, &apply(statement, &s)));
        Formula::holds(apply(before, &s)).implies(inner).forall("s", &self.state)
    }

    fn tests<const N: usize>(&self, names: [&str; N]) -> [Term; N] {
        names.map(|name| Term::free(name, self.test()))
    }

    fn steps<const N: usize>(&self, names: [&str; N]) -> [Term; N] {
        names.map(|name| Term::free(name, self.ty()))
    }
}

impl Prover {
    /// From `Q(e) == (lambda x. true)(e)` and `e == u`: `Q(u) == true`.
    fn true_there(&self, statements: &Statements, triple: &Theorem, is_u: &Theorem, test: &Term) -> Proof {
        let left = self.inside(is_u, &|hole| apply(test, hole))?.symmetric()?;
        let right = self.inside(is_u, &|hole| probe(hole, &statements.state))?;
        let chain = left.transitive(triple)?.transitive(&right)?;
        chain.transitive(&self.theory().beta(chain.equation()?.2, &[])?)
    }

    fn quantify(&self, theorem: Theorem, variables: &[(&str, Ty)]) -> Proof {
        variables
            .iter()
            .rev()
            .try_fold(theorem, |theorem, (name, ty)| theorem.generalize(&Name::from(*name), ty))
    }

    /// `forall Q e. {lambda s. Q(s{v = e(s)})} v := e {Q}` for a variable of the state.
    ///
    /// # Errors
    /// When the state has no such variable.
    pub fn hoare_assignment(&self, statements: &Statements, variable: &str) -> Proof {
        let theory = self.theory();
        let ty = statements.state.field(variable).cloned().unwrap_or(Ty::Bool);
        let value_ty = Ty::fun([statements.state.clone()], ty);
        let [q] = statements.tests(["Q"]);
        let e = Term::free("e", value_ty.clone());
        let (s_name, s) = (Name::from("s"), Term::free("s", statements.state.clone()));
        let assigned = |s: &Term| Term::with(s.clone(), variable, apply(&e, s));
        let lambda = |body: Term| {
            Term::lam(
                [(Hint::from("s"), statements.state.clone())],
                body.close(&[(s_name.clone(), statements.state.clone())]),
            )
        };
        let (before, statement) = (lambda(apply(&q, &assigned(&s))), lambda(assigned(&s)));
        let guard = Formula::holds(apply(&before, &s));
        let assumed = theory.assume(&guard)?;
        let open = theory.beta(&apply(&before, &s), &[])?.symmetric()?.transitive(&assumed)?;
        let end = assigned(&s);
        let place = |hole: &Term| Term::with(s.clone(), variable, hole.clone());
        let left = |hole: &Term| apply(&q, &place(hole));
        let right = |hole: &Term| probe(&place(hole), &statements.state);
        let after = self.bind(&apply(&e, &s), &left, &right, &mut |value, is_value| {
            let holds = self.inside(is_value, &left)?.symmetric()?.transitive(&open)?;
            holds.transitive(&theory.beta(&right(value), &[])?.symmetric()?)
        })?;
        let reduced = theory.beta(&apply(&statement, &s), &[])?;
        debug_assert_eq!(*reduced.equation()?.2, end);
        let whole =
            self.back(&reduced, &after, &|hole| apply(&q, hole), &|hole| probe(hole, &statements.state))?;
        let triple = whole.discharge(&guard)?.generalize(&s_name, &statements.state)?;
        self.quantify(triple, &[("Q", statements.test()), ("e", value_ty)])
    }

    /// `forall P Q R S T. {P} S {Q} => {Q} T {R} => {P} S; T {R}`.
    ///
    /// # Errors
    /// Never for a well-formed state type.
    pub fn hoare_sequence(&self, statements: &Statements) -> Proof {
        let theory = self.theory();
        let ([p, q, r], [s, t]) = (statements.tests(["P", "Q", "R"]), statements.steps(["S", "T"]));
        let premises = [statements.triple(&p, &s, &q), statements.triple(&q, &t, &r)];
        let [first, second] = [theory.assume(&premises[0])?, theory.assume(&premises[1])?];
        let (name, state) = (Name::from("s"), Term::free("s", statements.state.clone()));
        let guard = Formula::holds(apply(&p, &state));
        let first = first.specialize(&state)?.apply(&theory.assume(&guard)?)?;
        let left = |hole: &Term| apply(&r, &apply(&t, hole));
        let right = |hole: &Term| probe(&apply(&t, hole), &statements.state);
        let whole = self.bind(&apply(&s, &state), &left, &right, &mut |u, is_u| {
            let holds = self.true_there(statements, &first, is_u, &q)?;
            second.specialize(u)?.apply(&holds)
        })?;
        let both = statements.sequence(&s, &t);
        let reduced = theory.beta(&apply(&both, &state), &[])?;
        let whole =
            self.back(&reduced, &whole, &|hole| apply(&r, hole), &|hole| probe(hole, &statements.state))?;
        let triple = whole.discharge(&guard)?.generalize(&name, &statements.state)?;
        let theorem = triple.discharge(&premises[1])?.discharge(&premises[0])?;
        let (test, step) = (statements.test(), statements.ty());
        self.quantify(
            theorem,
            &[("P", test.clone()), ("Q", test.clone()), ("R", test), ("S", step.clone()), ("T", step)],
        )
    }

    /// `forall P Q b S T. {P, b} S {Q} => {P, not b} T {Q} => {P} if b then S else T {Q}`.
    ///
    /// # Errors
    /// Never for a well-formed state type.
    pub fn hoare_if(&self, statements: &Statements) -> Proof {
        let theory = self.theory();
        let ([p, q, b], [s, t]) = (statements.tests(["P", "Q", "b"]), statements.steps(["S", "T"]));
        let premises =
            [statements.triple_if(&p, &b, true, &s, &q), statements.triple_if(&p, &b, false, &t, &q)];
        let [yes, no] = [theory.assume(&premises[0])?, theory.assume(&premises[1])?];
        let (name, state) = (Name::from("s"), Term::free("s", statements.state.clone()));
        let guard = Formula::holds(apply(&p, &state));
        let assumed = theory.assume(&guard)?;
        let choose = |test: &Term| Term::if_then_else(test.clone(), apply(&s, &state), apply(&t, &state));
        let (left, right) = (|end: &Term| apply(&q, end), |end: &Term| probe(end, &statements.state));
        let test = apply(&b, &state);
        let whole = self.boolean_cases(
            &test,
            &mut |truth, decided| {
                let chosen = self.inside(decided, &choose)?;
                let chosen = chosen.transitive(&theory.if_law(chosen.equation()?.2)?)?;
                let branch = if truth { &yes } else { &no };
                let inner = branch.specialize(&state)?.apply(&assumed)?.apply(decided)?;
                self.back(&chosen, &inner, &left, &right)
            },
            &mut |stuck| self.both_collapse(stuck, &|hole| left(&choose(hole)), &|hole| right(&choose(hole))),
        )?;
        let statement = statements.choose(&b, &s, &t);
        let reduced = theory.beta(&apply(&statement, &state), &[])?;
        let whole = self.back(&reduced, &whole, &left, &right)?;
        let triple = whole.discharge(&guard)?.generalize(&name, &statements.state)?;
        let theorem = triple.discharge(&premises[1])?.discharge(&premises[0])?;
        let (test, step) = (statements.test(), statements.ty());
        self.quantify(
            theorem,
            &[("P", test.clone()), ("Q", test.clone()), ("b", test), ("S", step.clone()), ("T", step)],
        )
    }

    /// `forall I b S. {I, b} S {I} => {I} while b do S {I}`, by Scott induction.
    ///
    /// # Errors
    /// Never for a well-formed state type.
    pub fn hoare_while(&self, statements: &Statements) -> Proof {
        let theory = self.theory();
        let ([i, b], [s]) = (statements.tests(["I", "b"]), statements.steps(["S"]));
        let premise = statements.triple_if(&i, &b, true, &s, &i);
        let body = theory.assume(&premise)?;
        let repeat = statements.repeat(&b, &s);
        let (w_name, w) = self.fresh("w", &statements.ty());
        let formula = statements.triple(&i, &w, &i);
        let (name, state) = (Name::from("s"), Term::free("s", statements.state.clone()));
        let guard = Formula::holds(apply(&i, &state));
        let assumed = theory.assume(&guard)?;
        let (left, right) = (|end: &Term| apply(&i, end), |end: &Term| probe(end, &statements.state));
        let close = |theorem: Theorem| theorem.discharge(&guard)?.generalize(&name, &statements.state);
        let least =
            Term::lam([(Hint::from("x"), statements.state.clone())], Term::bottom(statements.state.clone()));
        let nothing = theory.beta(&apply(&least, &state), &[])?;
        let base = close(self.both_collapse(&nothing, &left, &right)?)?;
        let induction = theory.assume(&formula)?;
        let turn = Term::if_then_else(apply(&b, &state), apply(&w, &apply(&s, &state)), state.clone());
        let again =
            |test: &Term| Term::if_then_else(test.clone(), apply(&w, &apply(&s, &state)), state.clone());
        let step = self.boolean_cases(
            &apply(&b, &state),
            &mut |truth, decided| {
                let chosen = self.inside(decided, &again)?;
                let chosen = chosen.transitive(&theory.if_law(chosen.equation()?.2)?)?;
                let inner = if truth {
                    let after = body.specialize(&state)?.apply(&assumed)?.apply(decided)?;
                    let (left, right) = (|h: &Term| left(&apply(&w, h)), |h: &Term| right(&apply(&w, h)));
                    self.bind(&apply(&s, &state), &left, &right, &mut |u, is_u| {
                        let holds = self.true_there(statements, &after, is_u, &i)?;
                        induction.specialize(u)?.apply(&holds)
                    })?
                } else {
                    assumed.transitive(&theory.beta(&right(&state), &[])?.symmetric()?)?
                };
                self.back(&chosen, &inner, &left, &right)
            },
            &mut |stuck| self.both_collapse(stuck, &|hole| left(&again(hole)), &|hole| right(&again(hole))),
        )?;
        let once = Term::lam(
            [(Hint::from("s"), statements.state.clone())],
            turn.close(&[(name.clone(), statements.state.clone())]),
        );
        let reduced = theory.beta(&apply(&once, &state), &[])?;
        let step = close(self.back(&reduced, &step, &left, &right)?)?;
        let triple = theory.scott(&repeat, &w_name, &formula, &base, &step)?;
        let (test, ty) = (statements.test(), statements.ty());
        self.quantify(triple.discharge(&premise)?, &[("I", test.clone()), ("b", test), ("S", ty)])
    }
}

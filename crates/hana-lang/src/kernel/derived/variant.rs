//! The variant rule: a loop ends if its test and its body do, and an integer that is not negative where the test holds falls
//! with every turn. By induction over the integers; one theorem over all tests, bodies and variants of a state type.

use super::Prover;
use super::laws::Statements;
use crate::core::prim::Prim;
use crate::core::term::{Kind, Term};
use crate::core::ty::{Name, Ty};
use crate::kernel::formula::Formula;
use crate::kernel::rules::{Proof, Refusal, Theorem};

fn apply(function: &Term, argument: &Term) -> Term {
    Term::app(function.clone(), [argument.clone()])
}

fn less(one: &Term, two: &Term) -> Term {
    Term::prim(Prim::Lt, [one.clone(), two.clone()])
}

/// The loop with what is assumed of it.
struct Falling<'a> {
    prover: &'a Prover,
    state: Ty,
    test: Term,
    body: Term,
    variant: Term,
    repeat: Term,
    /// `forall s. ends(b(s))`, `forall s. b(s) == true => ends(S(s))`, `forall s. b(s) == true => (0 <= V(s)) == true`,
    /// `forall s u. b(s) == true => S(s) == u => (V(u) < V(s)) == true`.
    premises: [Theorem; 4],
}

/// Given `b(s) == true`, the next state `u` and `S(s) == u`: that the loop ends at `u`.
type Close<'a> = &'a mut dyn FnMut(&Theorem, &Term, &Theorem) -> Proof;

impl Prover {
    /// `forall b S V. (b ends) => (S ends where b holds) => (0 <= V where b holds) => (S makes V less) => forall s. ends(while b do S)`.
    ///
    /// # Errors
    /// Never for a well-formed state type.
    pub fn variant_rule(&self, statements: &Statements) -> Proof {
        let theory = self.theory();
        let measure = Ty::fun([statements.state.clone()], Ty::Int);
        let [test, body, variant] =
            [("b", statements.test()), ("S", statements.ty()), ("V", measure.clone())]
                .map(|(name, ty)| Term::free(name, ty));
        let state = &statements.state;
        let [s, u] = ["s", "u"].map(|name| Term::free(name, state.clone()));
        let holds = Formula::holds(apply(&test, &s));
        let [v_s, v_u] = [&s, &u].map(|state| apply(&variant, state));
        let reaches = Formula::Eq(state.clone(), apply(&body, &s), u.clone());
        let formulas = [
            Formula::ends(&apply(&test, &s), &Ty::Bool).forall("s", state),
            holds.clone().implies(Formula::ends(&apply(&body, &s), state)).forall("s", state),
            holds
                .clone()
                .implies(Formula::holds(Term::prim(Prim::Le, [Term::int(0), v_s.clone()])))
                .forall("s", state),
            holds
                .implies(reaches.implies(Formula::holds(less(&v_u, &v_s))))
                .forall("u", state)
                .forall("s", state),
        ];
        let [one, two, three, four] = &formulas;
        let premises =
            [theory.assume(one)?, theory.assume(two)?, theory.assume(three)?, theory.assume(four)?];
        let repeat = statements.repeat(&test, &body);
        let falling = Falling { prover: self, state: state.clone(), test, body, variant, repeat, premises };
        let mut theorem = falling.everywhere()?;
        for formula in formulas.iter().rev() {
            theorem = theorem.discharge(formula)?;
        }
        let variables = [("V", measure), ("S", statements.ty()), ("b", statements.test())];
        variables.iter().try_fold(theorem, |theorem, (name, ty)| theorem.generalize(&Name::from(*name), ty))
    }
}

impl Falling<'_> {
    fn ends_at(&self, state: &Term) -> Formula {
        Formula::ends(&apply(&self.repeat, state), &self.state)
    }

    fn value(&self, state: &Term) -> Term {
        apply(&self.variant, state)
    }

    /// One turn, then by induction: the next state has a variant below that of `s`.
    fn everywhere(&self) -> Proof {
        let prover = self.prover;
        let all = self.by_induction()?;
        let (name, s) = (Name::from("s"), Term::free("s", self.state.clone()));
        let theorem = self.turn(&s, &mut |holds, u, is_u| {
            let natural = self.premises[2].specialize(&s)?.apply(holds)?;
            let falls = self.falls(&s, holds, u, is_u)?;
            // V(s) is some c, since it is compared: the induction is used at c.
            self.at_value(&s, &natural, &self.ends_at(u), &mut |c, is_c| {
                let natural =
                    prover.inside(is_c, &|hole| Term::prim(Prim::Le, [Term::int(0), hole.clone()]))?;
                let natural =
                    natural.symmetric()?.transitive(&self.premises[2].specialize(&s)?.apply(holds)?)?;
                let below = prover.inside(is_c, &|hole| less(&self.value(u), hole))?;
                let below = below.symmetric()?.transitive(&falls)?;
                all.specialize(c)?.apply(&natural)?.specialize(u)?.apply(&below)
            })
        })?;
        theorem.generalize(&name, &self.state)
    }

    fn falls(&self, s: &Term, holds: &Theorem, u: &Term, is_u: &Theorem) -> Proof {
        self.premises[3].specialize(s)?.specialize(u)?.apply(holds)?.apply(is_u)
    }

    /// `forall n. 0 <= n => forall s. V(s) < n => ends(loop(s))`.
    fn by_induction(&self) -> Proof {
        let prover = self.prover;
        let theory = prover.theory();
        let (n_name, n) = prover.fresh("n", &Ty::Int);
        let (s_name, s) = prover.fresh("s", &self.state);
        let below = |n: &Term| Formula::holds(less(&self.value(&s), n));
        let claim = |n: &Term| below(n).implies(self.ends_at(&s)).forall(&s_name, &self.state);
        let close =
            |theorem: Theorem, n: &Term| theorem.discharge(&below(n))?.generalize(&s_name, &self.state);
        // V(s) < 0 and 0 <= V(s) cannot both be.
        let zero = Term::int(0);
        let negative = theory.assume(&below(&zero))?;
        let base = self.turn(&s, &mut |holds, u, _| {
            let natural = self.premises[2].specialize(&s)?.apply(holds)?;
            self.at_value(&s, &natural, &self.ends_at(u), &mut |c, is_c| {
                let not_below = theory.axiom("natural-not-negative", &[])?.specialize(c)?;
                let natural =
                    prover.inside(is_c, &|hole| Term::prim(Prim::Le, [Term::int(0), hole.clone()]))?;
                let natural =
                    natural.symmetric()?.transitive(&self.premises[2].specialize(&s)?.apply(holds)?)?;
                let not_below = not_below.apply(&natural)?;
                let negative =
                    prover.inside(is_c, &|hole| less(hole, &zero))?.symmetric()?.transitive(&negative)?;
                prover.absurd(&negative.symmetric()?.transitive(&not_below)?, &self.ends_at(u))
            })
        })?;
        let base = close(base, &zero)?;
        let next = Term::prim(Prim::WrapAdd, [n.clone(), Term::int(1)]);
        let natural = theory.assume(&Formula::holds(Term::prim(Prim::Le, [zero, n.clone()])))?;
        let room = theory.assume(&Formula::holds(less(&n, &Term::int(i64::MAX))))?;
        let induction = theory.assume(&claim(&n))?;
        let under = theory.assume(&below(&next))?;
        let step = self.turn(&s, &mut |holds, u, is_u| {
            let falls = self.falls(&s, holds, u, is_u)?;
            self.at_value(&s, &under, &self.ends_at(u), &mut |c, is_c| {
                let under =
                    prover.inside(is_c, &|hole| less(hole, &next))?.symmetric()?.transitive(&under)?;
                let falls = prover
                    .inside(is_c, &|hole| less(&self.value(u), hole))?
                    .symmetric()?
                    .transitive(&falls)?;
                self.at_value(u, &falls, &self.ends_at(u), &mut |a, is_a| {
                    let falls =
                        prover.inside(is_a, &|hole| less(hole, c))?.symmetric()?.transitive(&falls)?;
                    let axiom = theory.axiom("less-next", &[])?;
                    let axiom = prover.at(&axiom, &[a.clone(), c.clone(), n.clone()])?;
                    let less_n = [&natural, &room, &falls, &under]
                        .into_iter()
                        .try_fold(axiom, |axiom, guard| axiom.apply(guard))?;
                    let less_n = prover.inside(is_a, &|hole| less(hole, &n))?.transitive(&less_n)?;
                    induction.specialize(u)?.apply(&less_n)
                })
            })
        })?;
        let step = close(step, &next)?;
        theory.integer_induction(&n_name, &claim(&n), &base, &step)
    }

    /// The variant at a state has a value, for a comparison of it is true; proves the goal with that value.
    fn at_value(
        &self,
        state: &Term,
        compared: &Theorem,
        goal: &Formula,
        then: &mut dyn FnMut(&Term, &Theorem) -> Proof,
    ) -> Proof {
        let prover = self.prover;
        let theory = prover.theory();
        let term = self.value(state);
        let (name, c) = prover.fresh("c", &Ty::Int);
        let assume = |other: Term| theory.assume(&Formula::Eq(Ty::Int, term.clone(), other));
        let value = then(&c, &assume(c.clone())?)?;
        let test = compared.equation()?.1.clone();
        let Kind::Prim(_, sides) = test.kind() else {
            return Err(Refusal::new("variant", format!("{test} is no comparison")));
        };
        let position = usize::from(sides[0] != term);
        let broken = |fault: Term| {
            let there = prover.inside(&assume(fault)?, &|hole| super::with_part(&test, position, hole))?;
            let there = there.transitive(&prover.collapse(there.equation()?.2)?)?;
            prover.absurd(&compared.symmetric()?.transitive(&there)?, goal)
        };
        let (bottom, err) = (broken(Term::bottom(Ty::Int))?, broken(Term::err(Ty::Int, ""))?);
        theory.value_cases(&term, &name, &value, &bottom, &err)
    }

    /// `ends(loop(s))`: where the test holds and the body ends in `u`, the closer proves `ends(loop(u))`.
    fn turn(&self, s: &Term, close: Close<'_>) -> Proof {
        let prover = self.prover;
        let theory = prover.theory();
        let once = prover.inside(&theory.unfold_fix(&self.repeat)?, &|hole| apply(hole, s))?;
        let once = once.transitive(&theory.beta(once.equation()?.2, &[])?)?;
        let shown = once.equation()?.2.clone();
        let (test, after) = (apply(&self.test, s), apply(&self.body, s));
        let goal = self.ends_at(s);
        let fault = theory.fault_ends(&self.state)?;
        let choose = |hypothesis: &Theorem| {
            let chosen =
                once.transitive(&prover.inside(hypothesis, &|hole| super::with_part(&shown, 0, hole))?)?;
            let end = chosen.equation()?.2.clone();
            chosen.transitive(&theory.if_law(&end).or_else(|_| theory.strict(&end))?)
        };
        prover.boolean_cases(
            &test,
            &mut |truth, decided| {
                let chosen = choose(decided)?;
                if !truth {
                    return prover.ends_by(&chosen, &prover.value_ends(s)?);
                }
                let (name, u) = prover.fresh("u", &self.state);
                let assume =
                    |other: Term| theory.assume(&Formula::Eq(self.state.clone(), after.clone(), other));
                let go = |hypothesis: &Theorem| {
                    chosen.transitive(&prover.inside(hypothesis, &|hole| apply(&self.repeat, hole))?)
                };
                let is_u = assume(u.clone())?;
                let value = prover.ends_by(&go(&is_u)?, &close(decided, &u, &is_u)?)?;
                let body_ends = self.premises[1].specialize(s)?.apply(decided)?;
                let bottom = body_ends.apply(&assume(Term::bottom(self.state.clone()))?)?;
                let bottom = prover.absurd(&bottom, &goal)?;
                let err = go(&assume(Term::err(self.state.clone(), ""))?)?;
                let err = err.transitive(&theory.strict(err.equation()?.2)?)?;
                let err = prover.ends_by(&err, &fault)?;
                theory.value_cases(&after, &name, &value, &bottom, &err)
            },
            &mut |stuck| {
                if matches!(stuck.equation()?.2.kind(), Kind::Bottom(_)) {
                    let ends = self.premises[0].specialize(s)?;
                    return prover.absurd(&ends.apply(stuck)?, &goal);
                }
                prover.ends_by(&choose(stuck)?, &fault)
            },
        )
    }
}

//! Termination of a loop that reads a sequence: each turn reads `q(t)`, a fault outside the sequence, and ends with
//! `t := t + 1`, while nothing else assigns `q` or `t`. The variant is Length(q) - t; oracles are assumed to answer.

use super::Prover;
use super::ending::Ending;
use super::preserve::Quantity;
use super::totals::wrapped;
use crate::core::prim::Prim;
use crate::core::term::{Hint, Kind, Term};
use crate::core::ty::{Name, Ty};
use crate::kernel::formula::Formula;
use crate::kernel::rules::{Proof, Refusal, Theorem};

/// The loop and its two variables.
struct Reading<'a> {
    prover: &'a Prover,
    state: Ty,
    element: Ty,
    sequence: Name,
    index: Name,
    /// The fixed point, closed but for the variable of the oracles.
    fixed: Term,
}

/// What a turn from `s` to `u` shows: `q(t) = y` in `s`, `t + 1 = v`, `u.t = v`, `u.q = s.q`.
struct Turn {
    read: Theorem,
    next: Theorem,
    index: Theorem,
    sequence: Theorem,
}

/// Closes a turn: from what it shows about its last state, the goal.
type Close<'a> = &'a mut dyn FnMut(&Turn) -> Proof;

impl Prover {
    /// `forall X s. (oracles answer) => ends(L(X)(s))` for a loop `L` of the program, by name, that reads `sequence` at
    /// `index`. Only the oracles that the loop may ask are assumed to answer.
    ///
    /// # Errors
    /// When the loop is of another form.
    pub fn reading_ends(&self, name: &str, sequence: &str, index: &str) -> Proof {
        let theory = self.theory();
        let module = theory.module();
        let state = module.state.clone();
        let (x_name, x) = self.fresh("X", &module.oracle);
        let (s_name, s) = self.fresh("s", &state);
        let unfolded = self.inside(&theory.unfold(name)?, &|hole| Term::app(hole.clone(), [x.clone()]))?;
        let unfolded = unfolded.transitive(&theory.beta(unfolded.equation()?.2, &[])?)?;
        let fixed = unfolded.equation()?.2.clone();
        let element = match state.field(sequence) {
            Some(Ty::Seq(element)) if state.field(index) == Some(&Ty::Int) => (**element).clone(),
            _ => return Err(Refusal::new("terminates", format!("{sequence} and {index} do not fit"))),
        };
        let reading = Reading {
            prover: self,
            state: state.clone(),
            element,
            sequence: sequence.into(),
            index: index.into(),
            fixed,
        };
        let mut ending = Ending::default();
        self.assume_answers(&x, &mut ending)?;
        let inner = reading.everywhere(&s, &mut ending)?;
        let call = self.inside(&unfolded, &|hole| Term::app(hole.clone(), [s.clone()]))?;
        let mut theorem = self.ends_by(&call, &inner)?;
        // Discharge what was assumed of the oracles, the last one innermost.
        let Ty::Record(oracles) = &module.oracle else {
            return Err(Refusal::new("terminates", "the oracles are no record"));
        };
        for (oracle, _) in oracles.iter().rev() {
            let answers = theory.function_ends(&Term::field(x.clone(), oracle.clone()))?;
            if theorem.hypotheses().contains(&answers) {
                theorem = theorem.discharge(&answers)?;
            }
        }
        theorem.generalize(&s_name, &state)?.generalize(&x_name, &module.oracle)
    }
}

impl Reading<'_> {
    fn sequence_of(&self, state: &Term) -> Term {
        Term::field(state.clone(), self.sequence.clone())
    }

    fn index_of(&self, state: &Term) -> Term {
        Term::field(state.clone(), self.index.clone())
    }

    fn length_of(&self, state: &Term) -> Term {
        Term::prim(Prim::Length, [self.sequence_of(state)])
    }

    fn at(&self, state: &Term) -> Term {
        Term::app(self.fixed.clone(), [state.clone()])
    }

    fn goal(&self, state: &Term) -> Formula {
        Formula::ends(&self.at(state), &self.state)
    }

    /// `(1 <= t) = true`.
    fn positive(&self, state: &Term) -> Formula {
        Formula::holds(Term::prim(Prim::Le, [Term::int(1), self.index_of(state)]))
    }

    /// `(Length(q) -w t < n) = true`.
    fn below(&self, state: &Term, n: &Term) -> Formula {
        let rest = Term::prim(Prim::WrapSub, [self.length_of(state), self.index_of(state)]);
        Formula::holds(Term::prim(Prim::Lt, [rest, n.clone()]))
    }

    /// The loop ends at every state: for `t >= 1` by induction on the variant, else the first turn faults.
    fn everywhere(&self, s: &Term, ending: &mut Ending) -> Proof {
        let prover = self.prover;
        let theory = prover.theory();
        let all = self.by_variant(ending)?;
        let test = Term::prim(Prim::Le, [Term::int(1), self.index_of(s)]);
        let goal = self.goal(s);
        let length = self.length_of(s);
        prover.boolean_cases(
            &test,
            &mut |b, hypothesis| {
                if b {
                    let natural = self.natural(s)?;
                    let below = theory.axiom("index-below", &[])?;
                    let below = prover.at(&below, &[length.clone(), self.index_of(s)])?;
                    let below = below.apply(&natural)?.apply(hypothesis)?;
                    let at = all.specialize(&length)?.apply(&natural)?.specialize(s)?;
                    return at.apply(hypothesis)?.apply(&below);
                }
                let fault = theory.axiom("nth-from-one", std::slice::from_ref(&self.element))?;
                let fault = prover.at(&fault, &[self.sequence_of(s), self.index_of(s)])?.apply(hypothesis)?;
                self.turn(s, ending, &mut |turn, goal| self.no_value(&turn.read, &fault, goal))
            },
            &mut |hypothesis| prover.impossible(hypothesis, &goal),
        )
    }

    /// `0 <= Length(q)`.
    fn natural(&self, s: &Term) -> Proof {
        self.prover
            .theory()
            .axiom("length-natural", std::slice::from_ref(&self.element))?
            .specialize(&self.sequence_of(s))
    }

    /// From `q(t) = y` and `q(t) = Err`: anything.
    fn no_value(&self, read: &Theorem, fault: &Theorem, goal: &Formula) -> Proof {
        let clash = read.symmetric()?.transitive(fault)?;
        self.prover.impossible(&clash, goal)
    }

    /// `forall n. 0 <= n => forall s. 1 <= t => Length(q) - t < n => ends(loop(s))`.
    fn by_variant(&self, ending: &mut Ending) -> Proof {
        let prover = self.prover;
        let theory = prover.theory();
        let (n_name, n) = prover.fresh("n", &Ty::Int);
        let (s_name, s) = prover.fresh("s", &self.state);
        let claim = |n: &Term| {
            let inner = self.below(&s, n).implies(self.goal(&s));
            self.positive(&s).implies(inner).forall(&s_name, &self.state)
        };
        let close = |theorem: Theorem, n: &Term| {
            theorem
                .discharge(&self.below(&s, n))?
                .discharge(&self.positive(&s))?
                .generalize(&s_name, &self.state)
        };
        let positive = theory.assume(&self.positive(&s))?;
        let natural = self.natural(&s)?;
        // n = 0: the sequence is read beyond its end.
        let zero = Term::int(0);
        let below = theory.assume(&self.below(&s, &zero))?;
        let beyond =
            prover.at(&theory.axiom("index-beyond", &[])?, &[self.length_of(&s), self.index_of(&s)])?;
        let beyond = beyond.apply(&natural)?.apply(&positive)?.apply(&below)?;
        let fault = theory.axiom("nth-within", std::slice::from_ref(&self.element))?;
        let fault = prover.at(&fault, &[self.sequence_of(&s), self.index_of(&s)])?.apply(&beyond)?;
        let base = self.turn(&s, ending, &mut |turn, goal| self.no_value(&turn.read, &fault, goal))?;
        let base = close(base, &zero)?;
        // n + 1: after the turn the variant is below n.
        let [next, is_natural, room] = induction_terms(&n_name);
        let (is_natural, room) =
            (theory.assume(&Formula::holds(is_natural))?, theory.assume(&Formula::holds(room))?);
        let induction = theory.assume(&claim(&n))?;
        let below = theory.assume(&self.below(&s, &next))?;
        let axiom = theory.axiom("index-next", &[])?;
        let axiom = prover.at(&axiom, &[self.length_of(&s), self.index_of(&s), n.clone()])?;
        let axiom = [&natural, &positive, &is_natural, &room, &below]
            .into_iter()
            .try_fold(axiom, |axiom, guard| axiom.apply(guard))?;
        let step = self.turn_to(&s, ending, &mut |turn, u| {
            let (one, two) = self.after(&axiom, turn, u, &s, &n)?;
            induction.specialize(u)?.apply(&one)?.apply(&two)
        })?;
        let step = close(step, &next)?;
        theory.integer_induction(&n_name, &claim(&n), &base, &step)
    }

    /// From the axiom at `t + 1` and what the turn shows: `1 <= u.t` and `Length(u.q) -w u.t < n`.
    fn after(
        &self,
        axiom: &Theorem,
        turn: &Turn,
        u: &Term,
        s: &Term,
        n: &Term,
    ) -> Result<(Theorem, Theorem), Refusal> {
        let prover = self.prover;
        let theory = prover.theory();
        let v = turn.next.equation()?.2.clone();
        // (lambda v. 1 <= v & l -w v < n)(t + 1) = true, with t + 1 = v.
        let (_, left, right) = axiom.equation()?;
        let (left, right) = (left.clone(), right.clone());
        let there = prover.inside(&turn.next, &|hole| super::with_part(&left, 1, hole))?.symmetric()?;
        let home = prover.inside(&turn.next, &|hole| super::with_part(&right, 1, hole))?;
        let both = there.transitive(axiom)?.transitive(&home)?;
        let begin = theory.beta(both.equation()?.1, &[])?.symmetric()?;
        let both = begin.transitive(&both)?;
        let both = both.transitive(&theory.beta(both.equation()?.2, &[])?)?;
        let least = Term::prim(Prim::Le, [Term::int(1), v.clone()]);
        let rest = Term::prim(Prim::WrapSub, [self.length_of(s), v.clone()]);
        let below = Term::prim(Prim::Lt, [rest, n.clone()]);
        let (one, two) = prover.both_hold(&both, &least, &below)?;
        // v is u.t, and s.q is u.q.
        let index = turn.index.symmetric()?;
        let one_moved =
            prover.inside(&index, &|hole| Term::prim(Prim::Le, [Term::int(1), hole.clone()]))?.symmetric()?;
        let sequence = turn.sequence.symmetric()?;
        let with = |q: &Term, t: &Term| {
            let rest = Term::prim(Prim::WrapSub, [Term::prim(Prim::Length, [q.clone()]), t.clone()]);
            Term::prim(Prim::Lt, [rest, n.clone()])
        };
        let first = prover.inside(&index, &|hole| with(&self.sequence_of(s), hole))?;
        let second = prover.inside(&sequence, &|hole| with(hole, &self.index_of(u)))?;
        let moved = first.transitive(&second)?.symmetric()?;
        Ok((one_moved.transitive(&one)?, moved.transitive(&two)?))
    }

    /// A turn that leads to a contradiction: the closer proves the goal from what the turn shows.
    fn turn(&self, s: &Term, ending: &mut Ending, close: &mut dyn FnMut(&Turn, &Formula) -> Proof) -> Proof {
        self.turn_to(s, ending, &mut |turn, u| close(turn, &self.goal(u)))
    }

    /// `ends(loop(s))`: unfold the loop once; where the body ends in a state `u`, the closer proves `ends(loop(u))`.
    fn turn_to(&self, s: &Term, ending: &mut Ending, close: &mut dyn FnMut(&Turn, &Term) -> Proof) -> Proof {
        let prover = self.prover;
        let theory = prover.theory();
        let once =
            prover.inside(&theory.unfold_fix(&self.fixed)?, &|hole| Term::app(hole.clone(), [s.clone()]))?;
        let once = once.transitive(&theory.beta(once.equation()?.2, &[])?)?;
        let body = once.equation()?.2.clone();
        let inner = prover.ends(&body, ending, &[], &mut |call, way| {
            let refuse = || Refusal::new("terminates", format!("{call} is another loop"));
            let Kind::App(function, arguments) = call.kind() else { return Err(refuse()) };
            let u = arguments.first().filter(|_| *function == self.fixed).ok_or_else(refuse)?;
            let is_u = way
                .iter()
                .find(|fact| fact.equation().is_ok_and(|(_, _, right)| right == u))
                .ok_or_else(refuse)?;
            self.trace(is_u, s, &self.goal(u), &mut |turn| close(turn, u))
        })?;
        prover.ends_by(&once, &inner)
    }

    /// Follows the statements of the body from `s` to `u` and collects what the turn shows.
    fn trace(&self, is_u: &Theorem, s: &Term, goal: &Formula, close: Close<'_>) -> Proof {
        let theory = self.prover.theory();
        let same = |field: Term| theory.reflexive(&field);
        let known = (same(self.sequence_of(s))?, same(self.index_of(s))?);
        self.follow(is_u, s, &known, None, goal, close)
    }

    /// `is_u : e = u`, where the state at hand is `now` with `now.q = s.q` and `now.t = s.t`.
    fn follow(
        &self,
        is_u: &Theorem,
        now: &Term,
        known: &(Theorem, Theorem),
        read: Option<&Theorem>,
        goal: &Formula,
        close: Close<'_>,
    ) -> Proof {
        let prover = self.prover;
        let theory = prover.theory();
        let expression = is_u.equation()?.1.clone();
        let refuse = || {
            Refusal::new(
                "terminates",
                format!("it is not seen that a turn reads {} at {}", self.sequence, self.index),
            )
        };
        match expression.kind() {
            Kind::App(function, arguments)
                if matches!(function.kind(), Kind::Lam(..)) && arguments.len() == 1 =>
            {
                let first = arguments[0].clone();
                if first == *now {
                    let reduced = theory.beta(&expression, &[])?;
                    let is_u = reduced.symmetric()?.transitive(is_u)?;
                    return self.follow(&is_u, now, known, read, goal, close);
                }
                // S1 first: name its state, carry over what it keeps, note what it reads.
                let (name, next) = prover.fresh("s", &self.state);
                let equals = |other: Term| Formula::Eq(self.state.clone(), first.clone(), other);
                let is_next = theory.assume(&equals(next.clone()))?;
                let moved = prover.inside(&is_next, &|hole| super::with_part(&expression, 1, hole))?;
                let rest = moved.symmetric()?.transitive(is_u)?;
                let kept = (
                    self.kept(&self.sequence, &first, now, &is_next)?.transitive(&known.0)?,
                    self.kept(&self.index, &first, now, &is_next)?.transitive(&known.1)?,
                );
                let value = self.reading(&first, now, known, &is_next, goal, &mut |found| {
                    self.follow(&rest, &next, &kept, found.or(read), goal, close)
                })?;
                let bottom = self.faulty(
                    &theory.assume(&equals(Term::bottom(self.state.clone())))?,
                    is_u,
                    &expression,
                    goal,
                )?;
                let err = self.faulty(
                    &theory.assume(&equals(Term::err(self.state.clone(), "")))?,
                    is_u,
                    &expression,
                    goal,
                )?;
                theory.value_cases(&first, &name, &value, &bottom, &err)
            }
            Kind::With(record, field, value) if record == now && *field == self.index => {
                // t := t + 1, the last statement.
                let read = read.ok_or_else(refuse)?;
                let (name, v) = prover.fresh("v", &Ty::Int);
                let equals = |other: Term| Formula::Eq(Ty::Int, value.clone(), other);
                let is_v = theory.assume(&equals(v.clone()))?;
                let place = |hypothesis: &Theorem| {
                    prover.inside(hypothesis, &|hole| Term::with(record.clone(), field.clone(), hole.clone()))
                };
                let last = place(&is_v)?.symmetric()?.transitive(is_u)?;
                // u.t = v and u.q = now.q = s.q, by the record laws.
                let project = |name: &Name| {
                    let law = prover.inside(&last, &|hole| Term::field(hole.clone(), name.clone()))?;
                    let begin = theory.record_law(law.equation()?.1)?;
                    law.symmetric()?.transitive(&begin)
                };
                let index = project(&self.index)?;
                let sequence = project(&self.sequence)?.transitive(&known.0)?;
                let from =
                    prover.inside(&known.1, &|hole| Term::prim(Prim::Add, [hole.clone(), Term::int(1)]))?;
                if from.equation()?.1 != value {
                    return Err(refuse());
                }
                let next = from.symmetric()?.transitive(&is_v)?;
                let turn = Turn { read: read.clone(), next, index, sequence };
                let done = close(&turn)?;
                let broken = |fault: Term| {
                    let hypothesis = theory.assume(&equals(fault))?;
                    let fault = place(&hypothesis)?;
                    let fault = fault.transitive(&theory.strict(fault.equation()?.2)?)?;
                    let clash = is_u.symmetric()?.transitive(&fault)?;
                    prover.impossible(&clash, goal)
                };
                let (bottom, err) = (broken(Term::bottom(Ty::Int))?, broken(Term::err(Ty::Int, ""))?);
                theory.value_cases(value, &name, &done, &bottom, &err)
            }
            _ => Err(refuse()),
        }
    }

    /// From `S1(now) = next`: `next.v = now.v` for a variable that `S1` keeps.
    fn kept(&self, variable: &Name, first: &Term, now: &Term, is_next: &Theorem) -> Proof {
        let prover = self.prover;
        let theory = prover.theory();
        let function =
            Term::lam([(Hint::from("s"), self.state.clone())], Term::field(Term::bound(0), variable.clone()));
        let mut quantity = Quantity::new(prover, function)?;
        let kept = quantity.expression(first, now)?;
        let there = prover.inside(is_next, &|hole| quantity.of(hole))?.symmetric()?;
        let home = prover.inside(is_next, &|hole| quantity.still(now, hole))?;
        let fact = there.transitive(&kept)?.transitive(&home)?;
        let fact = fact.transitive(&theory.beta(fact.equation()?.2, &[])?)?;
        let begin = theory.beta(fact.equation()?.1, &[])?.symmetric()?;
        let fact = begin.transitive(&fact)?;
        fact.transitive(&theory.beta(fact.equation()?.2, &[])?)
    }

    /// If `S1` is an assignment of `q(t)`, continues with `s.q(s.t) = y`; else with nothing.
    fn reading(
        &self,
        first: &Term,
        now: &Term,
        known: &(Theorem, Theorem),
        is_next: &Theorem,
        goal: &Formula,
        then: &mut dyn FnMut(Option<&Theorem>) -> Proof,
    ) -> Proof {
        let prover = self.prover;
        let theory = prover.theory();
        let reduced = theory.beta(first, &[]).ok();
        let target = Term::prim(Prim::SeqGet, [self.sequence_of(now), self.index_of(now)]);
        let Some((reduced, assignment)) = reduced.and_then(|reduced| {
            let assignment = reduced.equation().ok()?.2.clone();
            let reads = matches!(assignment.kind(), Kind::With(record, _, value) if record == now && *value == target);
            reads.then_some((reduced, assignment))
        }) else {
            return then(None);
        };
        let (name, y) = prover.fresh("y", &self.element);
        let equals = |other: Term| Formula::Eq(self.element.clone(), target.clone(), other);
        let is_y = theory.assume(&equals(y))?;
        // s.q(s.t) = now.q(now.t) = y.
        let one =
            prover.inside(&known.0, &|hole| Term::prim(Prim::SeqGet, [hole.clone(), self.index_of(now)]))?;
        let start = one.equation()?.2.clone();
        let two = prover.inside(&known.1, &|hole| super::with_part(&start, 1, hole))?;
        let found = one.transitive(&two)?.symmetric()?.transitive(&is_y)?;
        let value = then(Some(&found))?;
        let broken = |fault: Term| {
            let hypothesis = theory.assume(&equals(fault))?;
            let fault = prover.inside(&hypothesis, &|hole| super::with_part(&assignment, 1, hole))?;
            let fault = reduced.transitive(&fault)?;
            let fault = fault.transitive(&theory.strict(fault.equation()?.2)?)?;
            let clash = is_next.symmetric()?.transitive(&fault)?;
            prover.impossible(&clash, goal)
        };
        let (bottom, err) =
            (broken(Term::bottom(self.element.clone()))?, broken(Term::err(self.element.clone(), ""))?);
        theory.value_cases(&target, &name, &value, &bottom, &err)
    }

    /// From `S1(now) = bottom` (or Err) and `e = u` with `e = L(S1(now))`: anything, for then `u` is bottom.
    fn faulty(&self, hypothesis: &Theorem, is_u: &Theorem, expression: &Term, goal: &Formula) -> Proof {
        let prover = self.prover;
        let fault = prover.inside(hypothesis, &|hole| super::with_part(expression, 1, hole))?;
        let fault = fault.transitive(&prover.collapse(fault.equation()?.2)?)?;
        prover.impossible(&is_u.symmetric()?.transitive(&fault)?, goal)
    }
}

/// For a variable `n`: `n + 1`, `0 <= n`, `n < 2^63 - 1`, as integer induction wants them.
fn induction_terms(variable: &Name) -> [Term; 3] {
    let n = Term::free(variable.clone(), Ty::Int);
    [
        wrapped(&Prim::Add, &n, &Term::int(1)),
        Term::prim(Prim::Le, [Term::int(0), n.clone()]),
        Term::prim(Prim::Lt, [n, Term::int(i64::MAX)]),
    ]
}

impl Prover {
    /// From `(a & b) = true` with evident `a`: `a = true` and `b = true`.
    fn both_hold(&self, both: &Theorem, one: &Term, two: &Term) -> Result<(Theorem, Theorem), Refusal> {
        let theory = self.theory();
        let whole = Term::and(one.clone(), two.clone());
        let side = |goal: Formula, when_true: &dyn Fn(&Theorem) -> Proof| {
            self.boolean_cases(
                one,
                &mut |b, hypothesis| {
                    if b {
                        return when_true(hypothesis);
                    }
                    let chosen = self.inside(hypothesis, &|hole| super::with_part(&whole, 0, hole))?;
                    let chosen = chosen.transitive(&theory.if_law(chosen.equation()?.2)?)?;
                    self.absurd(&both.symmetric()?.transitive(&chosen)?, &goal)
                },
                &mut |hypothesis| self.impossible(hypothesis, &goal),
            )
        };
        let first = side(Formula::holds(one.clone()), &|hypothesis| Ok(hypothesis.clone()))?;
        let second = side(Formula::holds(two.clone()), &|hypothesis| {
            let chosen = self.inside(hypothesis, &|hole| super::with_part(&whole, 0, hole))?;
            let chosen = chosen.transitive(&theory.if_law(chosen.equation()?.2)?)?;
            chosen.symmetric()?.transitive(both)
        })?;
        Ok((first, second))
    }
}

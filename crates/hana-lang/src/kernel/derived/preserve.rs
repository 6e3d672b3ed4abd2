//! What programs preserve. For a total function `J` of the state, a state expression `e` *keeps* `J` from `s` when
//! `J(e) = (lambda _. J(s))(e)`: if `e` ends in a state, `J` has there the value it has in `s`; if `e` is bottom or Err,
//! so are both sides. The derivation follows the text of the program: assignments to other variables, sequences, tests,
//! loops (by Scott induction) and procedures (each proved once).

use super::{Prover, constantly, with_part};
use crate::core::term::{Hint, Kind, Term};
use crate::core::ty::{Name, Ty};
use crate::kernel::formula::Formula;
use crate::kernel::rules::{Proof, Refusal, Theorem};
use rustc_hash::FxHashMap;

/// A quantity and what is already known to keep it.
pub struct Quantity<'a> {
    prover: &'a Prover,
    state: Ty,
    result: Ty,
    /// `J`, a lambda of the state.
    function: Term,
    /// The lemma of a procedure: `forall parameters s. J(P(parameters)(s)) = (lambda _. J(s))(P(parameters)(s))`.
    procedures: FxHashMap<Name, Theorem>,
    loops: FxHashMap<Term, Theorem>,
}

/// What is known where a state expression stands.
#[derive(Clone, Default)]
struct Known {
    /// `J(u) = J(s)` for state values `u`.
    states: Vec<(Term, Theorem)>,
    /// `forall s. J(f(s)) = (lambda _. J(s))(f(s))` for function variables.
    functions: Vec<(Term, Theorem)>,
}

impl<'a> Quantity<'a> {
    /// The quantity `J` over a state type; `J` must be a lambda whose body is evidently a value.
    ///
    /// # Errors
    /// When it is not a total function of the state.
    pub fn new(prover: &'a Prover, function: Term) -> Result<Quantity<'a>, Refusal> {
        let refuse = |ty: &Ty| Refusal::new("keep", format!("a function of the state is needed, not {ty}"));
        let ty = prover.type_of(&function)?;
        let Ty::Fun(arguments, result) = &ty else { return Err(refuse(&ty)) };
        let [state] = &**arguments else { return Err(refuse(&ty)) };
        Ok(Quantity {
            prover,
            state: state.clone(),
            result: (**result).clone(),
            function,
            procedures: FxHashMap::default(),
            loops: FxHashMap::default(),
        })
    }

    /// Adds the lemma of a procedure proved elsewhere.
    pub fn add_procedure(&mut self, name: impl Into<Name>, lemma: &Theorem) {
        self.procedures.insert(name.into(), lemma.clone());
    }

    /// `J(e)`.
    pub fn of(&self, state: &Term) -> Term {
        Term::app(self.function.clone(), [state.clone()])
    }

    /// `(lambda _. J(s))(e)`.
    pub fn still(&self, start: &Term, state: &Term) -> Term {
        Term::app(constantly(&self.state, &self.of(start)), [state.clone()])
    }

    /// `J(e) = (lambda _. J(s))(e)`.
    pub fn kept(&self, start: &Term, state: &Term) -> Formula {
        Formula::Eq(self.result.clone(), self.of(state), self.still(start, state))
    }

    /// The lemma of a procedure, proved from its body unless already known.
    ///
    /// # Errors
    /// When the body does not keep the quantity as far as this derivation can see.
    pub fn procedure(&mut self, name: &Name) -> Proof {
        if let Some(lemma) = self.procedures.get(name) {
            return Ok(lemma.clone());
        }
        let theory = self.prover.theory().clone();
        let definition = theory
            .module()
            .get(name)
            .ok_or_else(|| Refusal::new("keep", format!("{name} is not defined")))?
            .clone();
        // Peel the parameter lists; the last one ends in the state.
        let mut variables: Vec<(Name, Ty, Term)> = Vec::new();
        let mut call = Term::global(name.clone());
        let unfolded = theory.unfold(name)?;
        let mut equation = unfolded;
        let mut body = definition.body.clone();
        while let Kind::Lam(params, _) = body.kind() {
            let fresh: Vec<(Name, Ty, Term)> = params
                .iter()
                .map(|param| {
                    let (name, variable) = self.prover.fresh(&param.name.0, &param.ty);
                    (name, param.ty.clone(), variable)
                })
                .collect();
            let values: Vec<Term> = fresh.iter().map(|(_, _, variable)| variable.clone()).collect();
            call = Term::app(call, values.clone());
            equation = self.prover.inside(&equation, &|hole| Term::app(hole.clone(), values.clone()))?;
            equation = equation.transitive(&theory.beta(equation.equation()?.2, &[])?)?;
            body = equation.equation()?.2.clone();
            variables.extend(fresh);
        }
        let start = match variables.last() {
            Some((_, ty, variable)) if *ty == self.state => variable.clone(),
            _ => return Err(Refusal::new("keep", format!("{name} is not a procedure"))),
        };
        let inner = self.keep(&body, &start, &self.at_start(&start)?)?;
        let mut lemma = self.carry(&equation, &inner, &start)?;
        for (name, ty, _) in variables.iter().rev() {
            lemma = lemma.generalize(name, ty)?;
        }
        self.procedures.insert(name.clone(), lemma.clone());
        Ok(lemma)
    }

    /// From `e = e'` and that `e'` keeps `J`: `e` keeps `J`.
    fn carry(&self, equation: &Theorem, kept: &Theorem, start: &Term) -> Proof {
        self.prover.back(equation, kept, &|hole| self.of(hole), &|hole| self.still(start, hole))
    }

    fn at_start(&self, start: &Term) -> Result<Known, Refusal> {
        let same = self.prover.theory().reflexive(&self.of(start))?;
        Ok(Known { states: vec![(start.clone(), same)], functions: Vec::new() })
    }

    /// That a state expression keeps the quantity from the state variable `start`.
    ///
    /// # Errors
    /// When this derivation does not see it; the message names the expression.
    pub fn expression(&mut self, state: &Term, start: &Term) -> Proof {
        let known = self.at_start(start)?;
        self.keep(state, start, &known)
    }

    fn keep(&mut self, state: &Term, start: &Term, known: &Known) -> Proof {
        let prover = self.prover;
        prover.deeper(|| self.keep_form(state, start, known))
    }

    fn keep_form(&mut self, state: &Term, start: &Term, known: &Known) -> Proof {
        let prover = self.prover;
        let theory = prover.theory();
        if let Some((_, theorem)) = known.states.iter().find(|(value, _)| value == state) {
            let theorem = theorem.clone();
            return theorem.transitive(&theory.beta(&self.still(start, state), &[])?.symmetric()?);
        }
        match state.kind() {
            Kind::Bottom(_) | Kind::Err(..) => {
                let same = theory.reflexive(state)?;
                let (function, result) = (self.function.clone(), self.still(start, state));
                prover.both_collapse(&same, &|hole| Term::app(function.clone(), [hole.clone()]), &|hole| {
                    with_part(&result, 1, hole)
                })
            }
            Kind::With(record, name, value) => {
                let (name, value) = (name.clone(), value.clone());
                self.with_state(
                    record,
                    start,
                    known,
                    &|hole| Term::with(hole.clone(), name.clone(), value.clone()),
                    &mut |this, record, known| {
                        let rebuild = |hole: &Term| Term::with(record.clone(), name.clone(), hole.clone());
                        this.with_value(&value, start, &rebuild, &mut |this, value| {
                            this.assignment(record, &name, value, start, known)
                        })
                    },
                )
            }
            Kind::If(test, yes, no) => {
                let (test, yes, no) = (test.clone(), yes.clone(), no.clone());
                let rebuild = |hole: &Term| Term::if_then_else(hole.clone(), yes.clone(), no.clone());
                let this = std::cell::RefCell::new(&mut *self);
                prover.boolean_cases(
                    &test,
                    &mut |b, hypothesis| {
                        let mut this = this.borrow_mut();
                        let chosen = prover.inside(hypothesis, &rebuild)?;
                        let chosen = chosen.transitive(&theory.if_law(chosen.equation()?.2)?)?;
                        let inner = this.keep(if b { &yes } else { &no }, start, known)?;
                        this.carry(&chosen, &inner, start)
                    },
                    &mut |hypothesis| {
                        let this = this.borrow();
                        prover.both_collapse(hypothesis, &|hole| this.of(&rebuild(hole)), &|hole| {
                            this.still(start, &rebuild(hole))
                        })
                    },
                )
            }
            Kind::App(function, arguments) => {
                let (function, arguments) = (function.clone(), arguments.to_vec());
                self.application(state, &function, &arguments, start, known)
            }
            _ => Err(self.stuck(state)),
        }
    }

    fn stuck(&self, state: &Term) -> Refusal {
        Refusal::new("keep", format!("it is not seen that {} is kept by {state}", self.function))
    }

    /// `J(u{v = y}) = J(u)` by the record laws.
    fn assignment(&self, record: &Term, name: &Name, value: &Term, start: &Term, known: &Known) -> Proof {
        let prover = self.prover;
        let theory = prover.theory();
        let after = Term::with(record.clone(), name.clone(), value.clone());
        let left = theory.beta(&self.of(&after), &[])?;
        let simpler = self.untouched(left.equation()?.2, &after, name)?;
        let left = left.transitive(&simpler)?;
        let right = theory.beta(&self.of(record), &[])?;
        if left.equation()?.2 != right.equation()?.2 {
            return Err(self.stuck(&after));
        }
        let same = left.transitive(&right.symmetric()?)?;
        let (_, before) =
            known.states.iter().find(|(state, _)| state == record).ok_or_else(|| self.stuck(record))?;
        let whole = same.transitive(before)?;
        whole.transitive(&theory.beta(&self.still(start, &after), &[])?.symmetric()?)
    }

    /// Replaces `after.w` by `record.w` for all fields but the assigned one, outside binders.
    fn untouched(&self, term: &Term, after: &Term, name: &Name) -> Proof {
        let theory = self.prover.theory();
        if let Kind::Field(inner, field) = term.kind()
            && inner == after
            && field != name
        {
            return theory.record_law(term);
        }
        let mut whole = theory.reflexive(term)?;
        let mut parts = Vec::new();
        term.kind().each_part(&mut |part, binders| parts.push((part.clone(), binders)));
        for (position, (part, binders)) in parts.into_iter().enumerate() {
            if binders > 0 {
                continue;
            }
            let inner = self.untouched(&part, after, name)?;
            let (_, one, two) = inner.equation()?;
            if one != two {
                let current = whole.equation()?.2.clone();
                let step = self.prover.inside(&inner, &|hole| with_part(&current, position, hole))?;
                whole = whole.transitive(&step)?;
            }
        }
        Ok(whole)
    }

    /// Names the state that an inner expression gives; inside, it is known to have kept the quantity.
    fn with_state(
        &mut self,
        inner: &Term,
        start: &Term,
        known: &Known,
        rebuild: &dyn Fn(&Term) -> Term,
        then: &mut dyn FnMut(&mut Self, &Term, &Known) -> Proof,
    ) -> Proof {
        if known.states.iter().any(|(state, _)| state == inner) {
            return then(self, inner, known);
        }
        let prover = self.prover;
        let kept = self.keep(inner, start, known)?;
        let this = std::cell::RefCell::new(&mut *self);
        let (function, still) =
            (this.borrow().function.clone(), constantly(&this.borrow().state, &this.borrow().of(start)));
        let of = |state: &Term| Term::app(function.clone(), [state.clone()]);
        let stays = |state: &Term| Term::app(still.clone(), [state.clone()]);
        prover.bind(
            inner,
            &|hole| of(&rebuild(hole)),
            &|hole| stays(&rebuild(hole)),
            &mut |value, hypothesis| {
                // J(e) = (lambda _. J(s))(e) and e = u give J(u) = J(s).
                let there = prover.inside(hypothesis, &of)?.symmetric()?;
                let home = prover.inside(hypothesis, &stays)?;
                let fact = there.transitive(&kept)?.transitive(&home)?;
                let fact = fact.transitive(&prover.theory().beta(fact.equation()?.2, &[])?)?;
                let mut known = known.clone();
                known.states.push((value.clone(), fact));
                then(&mut this.borrow_mut(), value, &known)
            },
        )
    }

    /// Names the value of an expression that is not a state.
    fn with_value(
        &mut self,
        inner: &Term,
        start: &Term,
        rebuild: &dyn Fn(&Term) -> Term,
        then: &mut dyn FnMut(&mut Self, &Term) -> Proof,
    ) -> Proof {
        let prover = self.prover;
        let this = std::cell::RefCell::new(&mut *self);
        let (function, still) =
            (this.borrow().function.clone(), constantly(&this.borrow().state, &this.borrow().of(start)));
        let of = |state: &Term| Term::app(function.clone(), [state.clone()]);
        let stays = |state: &Term| Term::app(still.clone(), [state.clone()]);
        prover.bind(inner, &|hole| of(&rebuild(hole)), &|hole| stays(&rebuild(hole)), &mut |value, _| {
            then(&mut this.borrow_mut(), value)
        })
    }

    /// An application that gives a state: names its arguments one by one, then uses what is known of the function.
    fn application(
        &mut self,
        whole: &Term,
        function: &Term,
        arguments: &[Term],
        start: &Term,
        known: &Known,
    ) -> Proof {
        // Parameters of a procedure come in an application of their own, before the state.
        if let Kind::App(head, parameters) = function.kind() {
            let (head, parameters) = (head.clone(), parameters.to_vec());
            if let Some(position) = parameters.iter().position(|argument| !is_name(argument)) {
                let rebuild = |hole: &Term| {
                    let mut parameters = parameters.clone();
                    parameters[position] = hole.clone();
                    Term::app(Term::app(head.clone(), parameters), arguments.iter().cloned())
                };
                return self.with_value(&parameters[position], start, &rebuild, &mut |this, value| {
                    let state = rebuild(value);
                    this.keep(&state, start, known)
                });
            }
        }
        if let Some(position) = arguments.iter().position(|argument| !is_name(argument)) {
            let rebuild = |hole: &Term| {
                let mut arguments = arguments.to_vec();
                arguments[position] = hole.clone();
                Term::app(function.clone(), arguments)
            };
            let inner = &arguments[position];
            if self.prover.type_of(inner)? == self.state {
                return self.with_state(inner, start, known, &rebuild, &mut |this, value, known| {
                    let state = rebuild(value);
                    this.keep(&state, start, known)
                });
            }
            return self.with_value(inner, start, &rebuild, &mut |this, value| {
                let state = rebuild(value);
                this.keep(&state, start, known)
            });
        }
        let prover = self.prover;
        let theory = prover.theory();
        match function.kind() {
            Kind::Lam(..) => {
                let reduced = theory.beta(whole, &[])?;
                let inner = self.keep(reduced.equation()?.2, start, known)?;
                self.carry(&reduced, &inner, start)
            }
            Kind::Fix(..) => {
                let lemma = self.repeated(function, known)?;
                self.use_lemma(&lemma, arguments, whole, start, known)
            }
            Kind::Free(..) => {
                let found = known.functions.iter().find(|(other, _)| other == function);
                let lemma = found.map(|(_, lemma)| lemma.clone()).ok_or_else(|| self.stuck(whole))?;
                self.use_lemma(&lemma, arguments, whole, start, known)
            }
            Kind::Global(name) => {
                let lemma = self.procedure(name)?;
                self.use_lemma(&lemma, arguments, whole, start, known)
            }
            Kind::App(head, parameters) => match head.kind() {
                Kind::Global(name) => {
                    let lemma = self.procedure(name)?;
                    let values = [parameters, arguments].concat();
                    self.use_lemma(&lemma, &values, whole, start, known)
                }
                Kind::Lam(..) => {
                    let reduced = theory.beta(function, &[])?;
                    let reduced = prover.inside(&reduced, &|hole| with_part(whole, 0, hole))?;
                    let inner = self.keep(reduced.equation()?.2, start, known)?;
                    self.carry(&reduced, &inner, start)
                }
                _ => Err(self.stuck(whole)),
            },
            _ => Err(self.stuck(whole)),
        }
    }

    /// From `forall .. u. J(P u) = (lambda _. J(u))(P u)` at a known state: `P u` keeps `J` from the start.
    fn use_lemma(
        &self,
        lemma: &Theorem,
        values: &[Term],
        whole: &Term,
        start: &Term,
        known: &Known,
    ) -> Proof {
        let prover = self.prover;
        let at = prover.at(lemma, values)?;
        let last = values.last().ok_or_else(|| self.stuck(whole))?;
        let (_, fact) =
            known.states.iter().find(|(state, _)| state == last).ok_or_else(|| self.stuck(whole))?;
        let moved = prover.inside(fact, &|hole| Term::app(constantly(&self.state, hole), [whole.clone()]))?;
        let theorem = at.transitive(&moved)?;
        debug_assert_eq!(*theorem.conclusion(), self.kept(start, whole));
        Ok(theorem)
    }

    /// The lemma of a loop, by Scott induction.
    fn repeated(&mut self, fixed: &Term, known: &Known) -> Proof {
        if let Some(lemma) = self.loops.get(fixed) {
            return Ok(lemma.clone());
        }
        let prover = self.prover;
        let theory = prover.theory();
        let Kind::Fix(hint, ty, body) = fixed.kind() else { return Err(self.stuck(fixed)) };
        let (name, variable) = prover.fresh(&hint.0, ty);
        let (state_name, state) = prover.fresh("s", &self.state);
        let kept_by = |this: &Self, f: &Term| {
            this.kept(&state, &Term::app(f.clone(), [state.clone()])).forall(&state_name, &this.state)
        };
        let formula = kept_by(self, &variable);
        let least = Term::lam([(Hint::from("x"), self.state.clone())], Term::bottom(self.state.clone()));
        let reduced = theory.beta(&Term::app(least, [state.clone()]), &[])?;
        let nothing = self.keep(reduced.equation()?.2, &state, &Known::default())?;
        let base = self.carry(&reduced, &nothing, &state)?.generalize(&state_name, &self.state)?;
        let once = body.open(std::slice::from_ref(&variable));
        let mut inside = self.at_start(&state)?;
        inside.functions.clone_from(&known.functions);
        inside.functions.push((variable.clone(), theory.assume(&formula)?));
        let reduced = theory.beta(&Term::app(once, [state.clone()]), &[])?;
        let inner = self.keep(reduced.equation()?.2, &state, &inside)?;
        let step = self.carry(&reduced, &inner, &state)?.generalize(&state_name, &self.state)?;
        let lemma = theory.scott(fixed, &name, &formula, &base, &step)?;
        self.loops.insert(fixed.clone(), lemma.clone());
        Ok(lemma)
    }
}

fn is_name(term: &Term) -> bool {
    matches!(term.kind(), Kind::Free(..) | Kind::Const(..))
}

//! That a term ends, in a value or in a fault, when the oracles answer: by its structure, definitions each proved once.

use super::{Prover, with_part};
use crate::core::prim::Prim;
use crate::core::term::{Kind, Term};
use crate::core::ty::Ty;
use crate::kernel::formula::Formula;
use crate::kernel::rules::{Proof, Refusal, Theorem, is_evident};
use rustc_hash::FxHashMap;

/// Proves that the loop ends at a state, given the equations of the way there.
pub type Loop<'a> = &'a mut dyn FnMut(&Term, &[Theorem]) -> Proof;

/// What is known to end.
#[derive(Default)]
pub struct Ending {
    /// `forall arguments. ends(f(arguments))` for function terms: the oracles.
    functions: Vec<(Term, Theorem)>,
    definitions: FxHashMap<Term, Theorem>,
}

impl Ending {
    /// Adds a function that is assumed or known to end.
    pub fn add(&mut self, function: Term, theorem: Theorem) {
        self.functions.push((function, theorem));
    }
}

impl Prover {
    /// From `t = t'` and that `t'` ends: `t` ends.
    ///
    /// # Errors
    /// When the parts do not fit.
    pub fn ends_by(&self, equation: &Theorem, ends: &Theorem) -> Proof {
        let (ty, term, _) = equation.equation()?;
        let stuck = Formula::Eq(ty.clone(), term.clone(), Term::bottom(ty.clone()));
        let hypothesis = self.theory().assume(&stuck)?;
        let inner = equation.symmetric()?.transitive(&hypothesis)?;
        ends.apply(&inner)?.discharge(&stuck)
    }

    /// An evident term ends.
    ///
    /// # Errors
    /// When it is not evident.
    pub fn value_ends(&self, term: &Term) -> Proof {
        let ty = self.type_of(term)?;
        let stuck = Formula::Eq(ty.clone(), term.clone(), Term::bottom(ty));
        self.impossible(&self.theory().assume(&stuck)?, &Formula::absurd())?.discharge(&stuck)
    }

    /// That a term ends. A loop in it is handed to `fixed`.
    ///
    /// # Errors
    /// When this derivation does not see it.
    pub fn ends(&self, term: &Term, ending: &mut Ending, way: &[Theorem], fixed: Loop<'_>) -> Proof {
        self.deeper(|| self.ends_form(term, ending, way, fixed))
    }

    fn ends_form(&self, term: &Term, ending: &mut Ending, way: &[Theorem], fixed: Loop<'_>) -> Proof {
        let theory = self.theory();
        let module = theory.module();
        if is_evident(module, term) {
            return self.value_ends(term);
        }
        if let Kind::Err(ty, _) = term.kind() {
            return theory.fault_ends(ty);
        }
        let mut parts = Vec::new();
        if let Kind::If(test, ..) = term.kind() {
            parts.push(test.clone());
        } else {
            term.kind().each_part(&mut |part, _| parts.push(part.clone()));
        }
        if let Some(position) = parts.iter().position(|part| !is_evident(module, part)) {
            let part = &parts[position];
            // Parameters of a procedure are named one by one, or the call would hide behind a variable.
            if let (Kind::App(..), Kind::App(head, parameters)) = (term.kind(), part.kind())
                && position == 0
                && is_evident(module, head)
                && let Some(inner) = parameters.iter().position(|parameter| !is_evident(module, parameter))
            {
                let rebuild = |hole: &Term| with_part(term, 0, &with_part(part, inner + 1, hole));
                return self.ends_part(term, &rebuild, &parameters[inner], ending, way, fixed);
            }
            return self.ends_part(term, &|hole| with_part(term, position, hole), part, ending, way, fixed);
        }
        let refuse = || Refusal::new("ends", format!("it is not seen that {term} ends"));
        match term.kind() {
            Kind::If(test, yes, no) => {
                let (yes, no) = (yes.clone(), no.clone());
                let goal = Formula::ends(term, &self.type_of(term)?);
                let shared = std::cell::RefCell::new((&mut *ending, fixed));
                self.boolean_cases(
                    test,
                    &mut |b, hypothesis| {
                        let chosen = self.inside(hypothesis, &|hole| with_part(term, 0, hole))?;
                        let chosen = chosen.transitive(&theory.if_law(chosen.equation()?.2)?)?;
                        let mut shared = shared.borrow_mut();
                        let (ending, fixed) = &mut *shared;
                        let way = [way, std::slice::from_ref(hypothesis)].concat();
                        let branch = self.ends(if b { &yes } else { &no }, ending, &way, &mut **fixed)?;
                        self.ends_by(&chosen, &branch)
                    },
                    &mut |hypothesis| self.impossible(hypothesis, &goal),
                )
            }
            Kind::Prim(Prim::Fold | Prim::Tabulate(_), arguments) => {
                let function = arguments.last().ok_or_else(refuse)?.clone();
                let premise = self.function_ends(&function, ending, fixed)?;
                theory.primitive_ends(term, Some(&premise))
            }
            Kind::Prim(..) => theory.primitive_ends(term, None),
            Kind::App(function, arguments) => {
                if let Some((_, theorem)) = ending.functions.iter().find(|(other, _)| other == function) {
                    return self.at(&theorem.clone(), arguments);
                }
                match function.kind() {
                    Kind::Lam(..) => {
                        let reduced = theory.beta(term, &[])?;
                        let inner = self.ends(reduced.equation()?.2, ending, way, fixed)?;
                        self.ends_by(&reduced, &inner)
                    }
                    Kind::Fix(..) => fixed(term, way),
                    Kind::Global(_) => self.call_ends(term, function, &[arguments], ending, way, fixed),
                    Kind::App(head, parameters) if matches!(head.kind(), Kind::Global(_)) => {
                        self.call_ends(term, head, &[parameters, arguments], ending, way, fixed)
                    }
                    _ => Err(refuse()),
                }
            }
            _ => Err(refuse()),
        }
    }

    /// By what the next part denotes.
    fn ends_part(
        &self,
        term: &Term,
        rebuild: &dyn Fn(&Term) -> Term,
        part: &Term,
        ending: &mut Ending,
        way: &[Theorem],
        fixed: Loop<'_>,
    ) -> Proof {
        let theory = self.theory();
        let inner = self.ends(part, ending, way, fixed)?;
        let (ty, whole) = (self.type_of(part)?, self.type_of(term)?);
        let goal = Formula::ends(term, &whole);
        let (name, variable) = self.fresh("v", &ty);
        let assume = |other: Term| theory.assume(&Formula::Eq(ty.clone(), part.clone(), other));
        let place = |hypothesis: &Theorem| self.inside(hypothesis, rebuild);
        let is_value = assume(variable)?;
        let equation = place(&is_value)?;
        let way = [way, std::slice::from_ref(&is_value)].concat();
        let value = self.ends_by(&equation, &self.ends(equation.equation()?.2, ending, &way, fixed)?)?;
        let bottom = self.absurd(&inner.apply(&assume(Term::bottom(ty.clone()))?)?, &goal)?;
        let fault = place(&assume(Term::err(ty.clone(), ""))?)?;
        let fault = fault.transitive(&self.collapse(fault.equation()?.2)?)?;
        let fault = self.ends_by(&fault, &theory.fault_ends(&whole)?)?;
        theory.value_cases(part, &name, &value, &bottom, &fault)
    }

    /// `forall x.. . ends(f(x..))` for a function value.
    fn function_ends(&self, function: &Term, ending: &mut Ending, fixed: Loop<'_>) -> Proof {
        let Ty::Fun(arguments, _) = self.type_of(function)? else {
            return Err(Refusal::new("ends", format!("{function} is no function")));
        };
        let fresh: Vec<_> = arguments.iter().map(|ty| (self.fresh("x", ty), ty.clone())).collect();
        let call = Term::app(function.clone(), fresh.iter().map(|((_, variable), _)| variable.clone()));
        let inner = self.ends(&call, ending, &[], fixed)?;
        fresh.iter().rev().try_fold(inner, |theorem, ((name, _), ty)| theorem.generalize(name, ty))
    }

    /// The lemma of a definition: it ends at all values of its parameters, the state of a procedure included.
    fn definition_ends(&self, global: &Term, ending: &mut Ending, fixed: Loop<'_>) -> Proof {
        if let Some(lemma) = ending.definitions.get(global) {
            return Ok(lemma.clone());
        }
        let theory = self.theory();
        let Kind::Global(name) = global.kind() else {
            return Err(Refusal::new("ends", format!("{global} is not a defined name")));
        };
        let mut equation = theory.unfold(name)?;
        let mut variables = Vec::new();
        while let Kind::Lam(params, _) = equation.equation()?.2.clone().kind() {
            let fresh: Vec<_> =
                params.iter().map(|param| (self.fresh(&param.name.0, &param.ty), param.ty.clone())).collect();
            let values: Vec<Term> = fresh.iter().map(|((_, variable), _)| variable.clone()).collect();
            equation = self.inside(&equation, &|hole| Term::app(hole.clone(), values.clone()))?;
            equation = equation.transitive(&theory.beta(equation.equation()?.2, &[])?)?;
            variables.extend(fresh);
        }
        let inner = self.ends(equation.equation()?.2, ending, &[], fixed)?;
        let mut lemma = self.ends_by(&equation, &inner)?;
        for ((name, _), ty) in variables.iter().rev() {
            lemma = lemma.generalize(name, ty)?;
        }
        ending.definitions.insert(global.clone(), lemma.clone());
        Ok(lemma)
    }

    /// A call of a definition. One that takes the oracles is unfolded where it is called, since the assumptions are about
    /// the oracles at hand; any other has a lemma.
    fn call_ends(
        &self,
        term: &Term,
        global: &Term,
        lists: &[&[Term]],
        ending: &mut Ending,
        way: &[Theorem],
        fixed: Loop<'_>,
    ) -> Proof {
        let theory = self.theory();
        let module = theory.module();
        let takes_oracles = match (global.kind(), module.oracle == Ty::record([])) {
            (Kind::Global(name), false) => module.get(name).is_some_and(|definition| {
                matches!(&definition.ty, Ty::Fun(arguments, _) if arguments.first() == Some(&module.oracle))
            }),
            _ => false,
        };
        if !takes_oracles {
            let lemma = self.definition_ends(global, ending, fixed)?;
            return self.at(&lemma, &lists.concat());
        }
        let Kind::Global(name) = global.kind() else {
            return Err(Refusal::new("ends", format!("{global} is not a defined name")));
        };
        let mut equation = theory.unfold(name)?;
        for list in lists {
            equation = self.inside(&equation, &|hole| Term::app(hole.clone(), list.iter().cloned()))?;
            equation = equation.transitive(&theory.beta(equation.equation()?.2, &[])?)?;
        }
        debug_assert!(equation.equation()?.1 == term);
        let inner = self.ends(equation.equation()?.2, ending, way, fixed)?;
        self.ends_by(&equation, &inner)
    }

    /// Assumes of every oracle of a record that it answers: in a value or a fault.
    ///
    /// # Errors
    /// When the term is no record of functions.
    pub fn assume_answers(&self, oracles: &Term, ending: &mut Ending) -> Result<(), Refusal> {
        let theory = self.theory();
        let Ty::Record(fields) = self.type_of(oracles)? else {
            return Err(Refusal::new("ends", format!("{oracles} is no record of oracles")));
        };
        for (name, _) in fields.iter() {
            let function = Term::field(oracles.clone(), name.clone());
            let formula = theory.function_ends(&function)?;
            ending.add(function, theory.assume(&formula)?);
        }
        Ok(())
    }
}

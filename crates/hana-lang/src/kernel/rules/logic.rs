//! Hypotheses, guards, conjunction, quantifiers over values, and case distinction (rules 4 and 7): a term denotes a
//! value, bottom or Err; a value of `Bool` or `Flower` is one of finitely many.

use super::{Proof, Refusal, Theorem, Theory, combine, is_evident};
use crate::core::term::{Hint, Term};
use crate::core::ty::{Name, Ty};
use crate::core::value::{House, Value};
use crate::kernel::formula::Formula;
use std::sync::Arc;

impl Theory {
    /// `phi |- phi`.
    ///
    /// # Errors
    /// When the formula is not well formed.
    pub fn assume(&self, formula: &Formula) -> Proof {
        self.well_formed("assume", formula)?;
        let mut theorem = self.theorem(formula.clone());
        theorem.hypotheses.push(formula.clone());
        Ok(theorem)
    }

    /// Case distinction on what a term denotes: from `t = u |- phi` for a new variable `u`, `t = bottom |- phi` and
    /// `t = Err |- phi` follows `phi`.
    ///
    /// # Errors
    /// When the variable is not new, or the conclusions differ.
    pub fn value_cases(
        &self,
        term: &Term,
        variable: &Name,
        value: &Theorem,
        bottom: &Theorem,
        err: &Theorem,
    ) -> Proof {
        const RULE: &str = "cases";
        let ty = self.typed(RULE, term)?;
        let conclusion = value.conclusion().clone();
        if *bottom.conclusion() != conclusion || *err.conclusion() != conclusion {
            let found = if *bottom.conclusion() == conclusion { err } else { bottom };
            return Err(Refusal::new(
                RULE,
                format!("the cases prove {conclusion} and {}", found.conclusion()),
            ));
        }
        let equals = |other: Term| Formula::Eq(ty.clone(), term.clone(), other);
        let is_value = equals(Term::free(variable.clone(), ty.clone()));
        let one = without(value, &is_value);
        if term.has_free(variable, &ty)
            || conclusion.has_free(variable, &ty)
            || one.has_free_hypothesis(variable, &ty)
        {
            return Err(Refusal::new(RULE, format!("the variable {variable} is not new")));
        }
        let two = without(bottom, &equals(Term::bottom(ty.clone())));
        let three = without(err, &equals(Term::err(ty.clone(), "")));
        let theorem = combine(RULE, &[&one, &two, &three], conclusion)?;
        self.same(RULE, &theorem)?;
        Ok(theorem)
    }

    /// From `phi[c]` for every value `c` of `Bool` or `Flower`: `forall x. phi`. (Places depend on the house.)
    ///
    /// # Errors
    /// When a case is missing or does not fit.
    pub fn finite_cases(&self, formula: &Formula, cases: &[&Theorem]) -> Proof {
        const RULE: &str = "finite-cases";
        let Formula::Forall(_, ty @ (Ty::Bool | Ty::Flower), body) = formula else {
            return Err(Refusal::new(RULE, format!("{formula} does not range over Bool or Flower")));
        };
        self.well_formed(RULE, formula)?;
        let values = Value::all(ty, &House::default()).unwrap_or_default();
        if values.len() != cases.len() {
            return Err(Refusal::new(
                RULE,
                format!("{} cases are needed, not {}", values.len(), cases.len()),
            ));
        }
        for (value, case) in values.into_iter().zip(cases) {
            let expected = body.open(&Term::constant(value, ty.clone()));
            if expected != *case.conclusion() {
                return Err(Refusal::new(RULE, format!("expected {expected}, found {}", case.conclusion())));
            }
        }
        let theorem = combine(RULE, cases, formula.clone())?;
        self.same(RULE, &theorem)?;
        Ok(theorem)
    }
}

/// The part of a new variable's name that people should see.
pub(super) fn plain(name: &Name) -> &str {
    name.split('#').next().unwrap_or_default()
}

fn without(theorem: &Theorem, formula: &Formula) -> Theorem {
    let mut theorem = theorem.clone();
    theorem.hypotheses.retain(|hypothesis| hypothesis != formula);
    theorem
}

impl Theorem {
    /// From `phi |- psi`: `phi => psi`.
    ///
    /// # Errors
    /// When the guard is not well formed.
    pub fn discharge(&self, guard: &Formula) -> Proof {
        self.theory.well_formed("discharge", guard)?;
        let rest = without(self, guard);
        let conclusion = guard.clone().implies(self.conclusion.clone());
        Ok(rest.concluding(conclusion))
    }

    /// From `phi => psi` and `phi`: `psi`.
    ///
    /// # Errors
    /// When the guard is another.
    pub fn apply(&self, guard: &Theorem) -> Proof {
        const RULE: &str = "apply";
        match &self.conclusion {
            Formula::Implies(expected, body) if **expected == guard.conclusion => {
                combine(RULE, &[self, guard], (**body).clone())
            }
            Formula::Implies(expected, _) => {
                Err(Refusal::new(RULE, format!("the guard is {expected}, given is {}", guard.conclusion)))
            }
            other => Err(Refusal::new(RULE, format!("{other} has no guard"))),
        }
    }

    /// Both.
    ///
    /// # Errors
    /// When they are about different programs.
    pub fn and(&self, other: &Theorem) -> Proof {
        let conclusion = self.conclusion.clone().and(other.conclusion.clone());
        combine("and", &[self, other], conclusion)
    }

    /// The two parts of a conjunction.
    ///
    /// # Errors
    /// When it is none.
    pub fn split(&self) -> Result<(Theorem, Theorem), Refusal> {
        match &self.conclusion {
            Formula::And(one, two) => {
                Ok((self.concluding((**one).clone()), self.concluding((**two).clone())))
            }
            other => Err(Refusal::new("split", format!("{other} is not a conjunction"))),
        }
    }

    /// From `phi` with a variable that is free in no hypothesis: `forall x. phi`.
    ///
    /// # Errors
    /// When a hypothesis is about the variable.
    pub fn generalize(&self, name: &Name, ty: &Ty) -> Proof {
        const RULE: &str = "generalize";
        if self.has_free_hypothesis(name, ty) {
            return Err(Refusal::new(RULE, format!("{name} is free in a hypothesis")));
        }
        if !ty.is_well_formed() {
            return Err(Refusal::new(RULE, format!("{ty} is not a type")));
        }
        let body = self.conclusion.close(name, ty);
        Ok(self.concluding(Formula::Forall(Hint::from(plain(name)), ty.clone(), Arc::new(body))))
    }

    /// From `forall x. phi`: `phi[v]` for a term that evidently denotes a value.
    ///
    /// # Errors
    /// When the term is of another type, or may be bottom or Err.
    pub fn specialize(&self, value: &Term) -> Proof {
        const RULE: &str = "specialize";
        if !is_evident(&self.theory.0, value) {
            let message = format!("{value} may be bottom or Err; quantifiers range over values");
            return Err(Refusal::new(RULE, message));
        }
        self.opened(RULE, value)
    }

    /// The same for a term with a theorem that it is a value.
    ///
    /// # Errors
    /// When the theorem says something else.
    pub fn specialize_defined(&self, value: &Term, defined: &Theorem) -> Proof {
        const RULE: &str = "specialize";
        let ty = self.theory.typed(RULE, value)?;
        let expected = Formula::defined(value, &ty);
        if defined.conclusion != expected {
            return Err(Refusal::new(RULE, format!("expected {expected}, found {}", defined.conclusion)));
        }
        let opened = self.opened(RULE, value)?;
        let conclusion = opened.conclusion.clone();
        combine(RULE, &[&opened, defined], conclusion)
    }

    fn opened(&self, rule: &'static str, value: &Term) -> Proof {
        let Formula::Forall(_, ty, body) = &self.conclusion else {
            return Err(Refusal::new(rule, format!("{} is not quantified", self.conclusion)));
        };
        let found = self.theory.typed(rule, value)?;
        if found != *ty {
            return Err(Refusal::new(rule, format!("expected a value of {ty}, {value} is of {found}")));
        }
        Ok(self.concluding(body.open(value)))
    }
}

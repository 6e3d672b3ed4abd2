//! Rule 1: equality is an equivalence, the information order a partial order, and every context of the core is
//! monotone, so both are preserved by all contexts, lambdas included.

use super::{Proof, Refusal, Theorem, Theory, combine};
use crate::core::term::Term;
use crate::core::ty::{Name, Ty};
use crate::kernel::formula::Formula;

impl Theory {
    /// `t = t`.
    ///
    /// # Errors
    /// When the term has no type.
    pub fn reflexive(&self, term: &Term) -> Proof {
        let ty = self.typed("reflexive", term)?;
        Ok(self.equation(ty, term.clone(), term.clone()))
    }

    /// From `ti = ui` (or `<=`): `C[t1..tn] = C[u1..un]` (or `<=`), for a context with the given variables as holes.
    /// The holes are filled as they stand, not by values: a context is monotone in whatever fills it.
    ///
    /// # Errors
    /// When a premise is no (in)equation at its hole's type.
    pub fn congruence(&self, context: &Term, holes: &[(Name, Ty)], premises: &[&Theorem]) -> Proof {
        const RULE: &str = "congruence";
        if holes.len() != premises.len() || holes.is_empty() {
            return Err(Refusal::new(RULE, "one premise is needed for every hole"));
        }
        let ty = self.typed(RULE, context)?;
        let (mut lefts, mut rights, mut equal) = (Vec::new(), Vec::new(), true);
        for ((_, hole), premise) in holes.iter().zip(premises) {
            let (found, left, right) = match premise.conclusion() {
                Formula::Eq(ty, left, right) => (ty, left, right),
                Formula::Le(ty, left, right) => {
                    equal = false;
                    (ty, left, right)
                }
                other => return Err(Refusal::new(RULE, format!("{other} is no equation or inequation"))),
            };
            if found != hole {
                return Err(Refusal::new(RULE, format!("a premise is at type {found}, its hole at {hole}")));
            }
            lefts.push(left.clone());
            rights.push(right.clone());
        }
        let body = context.close(holes);
        let (left, right) = (body.open(&lefts), body.open(&rights));
        let conclusion = if equal { Formula::Eq(ty, left, right) } else { Formula::Le(ty, left, right) };
        let mut parts = vec![];
        parts.extend_from_slice(premises);
        let theorem = combine(RULE, &parts, conclusion)?;
        self.same(RULE, &theorem)?;
        Ok(theorem)
    }

    pub(super) fn same(&self, rule: &'static str, theorem: &Theorem) -> Result<(), Refusal> {
        if std::sync::Arc::ptr_eq(&self.0, &theorem.theory.0) {
            Ok(())
        } else {
            Err(Refusal::new(rule, "a premise is about another program"))
        }
    }
}

impl Theorem {
    /// From `t = u`: `u = t`.
    ///
    /// # Errors
    /// When it is not an equation.
    pub fn symmetric(&self) -> Proof {
        let (ty, one, two) = self.equation()?;
        Ok(self.concluding(Formula::Eq(ty.clone(), two.clone(), one.clone())))
    }

    /// From `t = u` and `u = v`: `t = v`; with `<=` in either place: `t <= v`.
    ///
    /// # Errors
    /// When the middle terms differ.
    pub fn transitive(&self, next: &Theorem) -> Proof {
        const RULE: &str = "transitive";
        let sides = |theorem: &Theorem| match theorem.conclusion() {
            Formula::Eq(ty, one, two) => Ok((true, ty.clone(), one.clone(), two.clone())),
            Formula::Le(ty, one, two) => Ok((false, ty.clone(), one.clone(), two.clone())),
            other => Err(Refusal::new(RULE, format!("{other} is no equation or inequation"))),
        };
        let ((equal, ty, one, two), (equal_next, _, three, four)) = (sides(self)?, sides(next)?);
        if two != three {
            return Err(Refusal::new(
                RULE,
                format!("the first ends in {two}, the second begins with {three}"),
            ));
        }
        let conclusion =
            if equal && equal_next { Formula::Eq(ty, one, four) } else { Formula::Le(ty, one, four) };
        combine(RULE, &[self, next], conclusion)
    }

    /// From `t = u`: `t <= u`.
    ///
    /// # Errors
    /// When it is not an equation.
    pub fn weaken_to_le(&self) -> Proof {
        let (ty, one, two) = self.equation()?;
        Ok(self.concluding(Formula::Le(ty.clone(), one.clone(), two.clone())))
    }

    /// From `t <= u` and `u <= t`: `t = u`.
    ///
    /// # Errors
    /// When the two do not match.
    pub fn antisymmetric(&self, back: &Theorem) -> Proof {
        const RULE: &str = "antisymmetric";
        match (self.conclusion(), back.conclusion()) {
            (Formula::Le(ty, one, two), Formula::Le(_, three, four)) if one == four && two == three => {
                combine(RULE, &[self, back], Formula::Eq(ty.clone(), one.clone(), two.clone()))
            }
            (one, two) => Err(Refusal::new(RULE, format!("{one} and {two} are not converse"))),
        }
    }

    /// From `t = u` (or `<=`) for all values of the variables: `lambda x. t = lambda x. u` (or `<=`).
    ///
    /// # Errors
    /// When a variable is free in a hypothesis.
    pub fn under_lambda(&self, variables: &[(Name, Ty)]) -> Proof {
        const RULE: &str = "under-lambda";
        for (name, ty) in variables {
            if self.has_free_hypothesis(name, ty) {
                return Err(Refusal::new(RULE, format!("{name} is free in a hypothesis")));
            }
            if !ty.is_well_formed() {
                return Err(Refusal::new(RULE, format!("{ty} is not a type")));
            }
        }
        let distinct = variables.iter().enumerate().all(|(i, variable)| !variables[..i].contains(variable));
        if !distinct {
            return Err(Refusal::new(RULE, "the variables must be distinct"));
        }
        let arguments: Vec<Ty> = variables.iter().map(|(_, ty)| ty.clone()).collect();
        let lambda = |body: &Term| {
            Term::lam(
                variables
                    .iter()
                    .map(|(name, ty)| (crate::core::term::Hint::from(super::logic::plain(name)), ty.clone())),
                body.close(variables),
            )
        };
        let conclusion = match self.conclusion() {
            Formula::Eq(ty, one, two) => {
                Formula::Eq(Ty::fun(arguments, ty.clone()), lambda(one), lambda(two))
            }
            Formula::Le(ty, one, two) => {
                Formula::Le(Ty::fun(arguments, ty.clone()), lambda(one), lambda(two))
            }
            other => return Err(Refusal::new(RULE, format!("{other} is no equation or inequation"))),
        };
        Ok(self.concluding(conclusion))
    }
}

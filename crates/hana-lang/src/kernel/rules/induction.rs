//! Rule 6, Scott induction, and the one rule beyond the ten: induction over the integers from 0, which termination
//! needs, for Scott induction alone proves nothing that bottom does not satisfy.

use super::{Proof, Refusal, Theorem, Theory, combine};
use crate::core::prim::Prim;
use crate::core::term::{Hint, Kind, Term};
use crate::core::ty::{Name, Ty};
use crate::kernel::formula::Formula;
use std::sync::Arc;

impl Theory {
    /// Scott induction for `fix f. t`: from `phi[lambda x. bottom / f]`, and `phi |- phi[t / f]` for a variable `f`,
    /// follows `phi[fix f. t / f]`; only for `phi` with `f` in no guard.
    ///
    /// # Errors
    /// When the formula is not admissible or a premise does not fit.
    pub fn scott(
        &self,
        fixed: &Term,
        variable: &Name,
        formula: &Formula,
        base: &Theorem,
        step: &Theorem,
    ) -> Proof {
        const RULE: &str = "scott-induction";
        let ty = self.typed(RULE, fixed)?;
        let Kind::Fix(_, _, body) = fixed.kind() else {
            return Err(Refusal::new(RULE, format!("{fixed} is no fixed point")));
        };
        let Ty::Fun(arguments, result) = &ty else {
            return Err(Refusal::new(RULE, format!("{ty} is no function type")));
        };
        self.well_formed(RULE, formula)?;
        if fixed.has_free(variable, &ty) {
            return Err(Refusal::new(RULE, format!("{variable} occurs in the fixed point")));
        }
        if !formula.is_admissible(variable, &ty) {
            return Err(Refusal::new(RULE, format!("{variable} occurs in a guard of {formula}")));
        }
        let least = Term::lam(
            arguments.iter().map(|ty| (Hint::from("x"), ty.clone())),
            Term::bottom((**result).clone()),
        );
        let expected = formula.substitute(variable, &ty, &least);
        if *base.conclusion() != expected {
            return Err(Refusal::new(
                RULE,
                format!("base: expected {expected}, found {}", base.conclusion()),
            ));
        }
        let once = body.open(&[Term::free(variable.clone(), ty.clone())]);
        let expected = formula.substitute(variable, &ty, &once);
        if *step.conclusion() != expected {
            return Err(Refusal::new(
                RULE,
                format!("step: expected {expected}, found {}", step.conclusion()),
            ));
        }
        let mut step = step.clone();
        step.hypotheses.retain(|hypothesis| hypothesis != formula);
        if step.has_free_hypothesis(variable, &ty) || base.has_free_hypothesis(variable, &ty) {
            return Err(Refusal::new(RULE, format!("{variable} is free in a hypothesis")));
        }
        let conclusion = formula.substitute(variable, &ty, fixed);
        let theorem = combine(RULE, &[base, &step], conclusion)?;
        self.same(RULE, &theorem)?;
        Ok(theorem)
    }

    /// Induction over the integers: from `phi[0]`, and `phi, 0 <= n, n < 2^63 - 1 |- phi[n + 1]`, follows
    /// `forall n. (0 <= n) = true => phi`.
    ///
    /// # Errors
    /// When a premise does not fit.
    pub fn integer_induction(
        &self,
        variable: &Name,
        formula: &Formula,
        base: &Theorem,
        step: &Theorem,
    ) -> Proof {
        const RULE: &str = "integer-induction";
        self.well_formed(RULE, formula)?;
        let expected = formula.substitute(variable, &Ty::Int, &Term::int(0));
        if *base.conclusion() != expected {
            return Err(Refusal::new(
                RULE,
                format!("base: expected {expected}, found {}", base.conclusion()),
            ));
        }
        let [next, natural, room] = induction_terms(variable);
        let expected = formula.substitute(variable, &Ty::Int, &next);
        if *step.conclusion() != expected {
            return Err(Refusal::new(
                RULE,
                format!("step: expected {expected}, found {}", step.conclusion()),
            ));
        }
        let (natural, room) = (Formula::holds(natural), Formula::holds(room));
        let mut step = step.clone();
        step.hypotheses
            .retain(|hypothesis| hypothesis != formula && *hypothesis != natural && *hypothesis != room);
        if step.has_free_hypothesis(variable, &Ty::Int) || base.has_free_hypothesis(variable, &Ty::Int) {
            return Err(Refusal::new(RULE, format!("{variable} is free in a hypothesis")));
        }
        let conclusion = natural.implies(formula.clone()).forall(variable, &Ty::Int);
        let mut theorem = combine(RULE, &[base, &step], conclusion)?;
        self.same(RULE, &theorem)?;
        Arc::make_mut(&mut theorem.uses).induction = true;
        Ok(theorem)
    }
}

/// For a variable `n`: the next number `n + 1` (modulo 2^64), `0 <= n`, and `n < 2^63 - 1`.
pub(in crate::kernel) fn induction_terms(variable: &Name) -> [Term; 3] {
    let n = Term::free(variable.clone(), Ty::Int);
    [
        Term::prim(Prim::WrapAdd, [n.clone(), Term::int(1)]),
        Term::prim(Prim::Le, [Term::int(0), n.clone()]),
        Term::prim(Prim::Lt, [n, Term::int(i64::MAX)]),
    ]
}

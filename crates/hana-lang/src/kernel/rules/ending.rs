//! What ends: Err is not bottom, a primitive at values gives a value or Err, and a fold or a table whose function ends at all
//! values ends too. The counterpart of strictness (rule 3): the four cases of rule 4 are different.

use super::{Proof, Refusal, Theorem, Theory};
use crate::core::prim::Prim;
use crate::core::term::{Kind, Term};
use crate::core::ty::Ty;
use crate::kernel::formula::Formula;
use crate::kernel::rules::is_evident;

impl Theory {
    /// Err ends: `Err = bottom => true = false`.
    ///
    /// # Errors
    /// When the type is not well formed.
    pub fn fault_ends(&self, ty: &Ty) -> Proof {
        let fault = Term::err(ty.clone(), "");
        self.typed("fault-ends", &fault)?;
        Ok(self.theorem(Formula::ends(&fault, ty)))
    }

    /// A first-order primitive at values ends. For a fold or a table: from the theorem that its function ends at all values.
    ///
    /// # Errors
    /// When an argument may be bottom or Err, or the premise is missing.
    pub fn primitive_ends(&self, term: &Term, premise: Option<&Theorem>) -> Proof {
        const RULE: &str = "primitive-ends";
        let ty = self.typed(RULE, term)?;
        let Kind::Prim(prim, arguments) = term.kind() else {
            return Err(Refusal::new(RULE, format!("{term} is no primitive")));
        };
        if let Some(argument) = arguments.iter().find(|argument| !is_evident(&self.0, argument)) {
            return Err(Refusal::new(RULE, format!("{argument} may be bottom or Err")));
        }
        let conclusion = Formula::ends(term, &ty);
        if !matches!(prim, Prim::Fold | Prim::Tabulate(_)) {
            return Ok(self.theorem(conclusion));
        }
        let function = arguments.last().ok_or_else(|| Refusal::new(RULE, "a function is needed"))?;
        let expected = self.function_ends(function)?;
        match premise {
            Some(premise) if *premise.conclusion() == expected => {
                self.same(RULE, premise)?;
                Ok(premise.concluding(conclusion))
            }
            _ => Err(Refusal::new(RULE, format!("needed is {expected}"))),
        }
    }

    /// `forall x1..xn. ends(f(x1..xn))`.
    ///
    /// # Errors
    /// When the term is no function.
    pub fn function_ends(&self, function: &Term) -> Result<Formula, Refusal> {
        const RULE: &str = "ends";
        let Ty::Fun(arguments, result) = self.typed(RULE, function)? else {
            return Err(Refusal::new(RULE, format!("{function} is no function")));
        };
        let names: Vec<String> = (0..arguments.len()).map(|i| format!("argument {i}")).collect();
        let values =
            names.iter().zip(arguments.iter()).map(|(name, ty)| Term::free(name.as_str(), ty.clone()));
        let formula = Formula::ends(&Term::app(function.clone(), values), &result);
        let variables = names.iter().zip(arguments.iter()).rev();
        Ok(variables.fold(formula, |formula, (name, ty)| formula.forall(name, ty)))
    }
}

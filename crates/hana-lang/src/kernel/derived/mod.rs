//! Derived rules: functions that build theorems by the rules alone. Nothing here is trusted.

pub mod ending;
pub mod execute;
pub mod hoare;
pub mod laws;
pub mod parity;
pub mod places;
pub mod preserve;
pub mod rewrite;
pub mod terminate;
pub mod totals;
pub mod variant;

use super::formula::Formula;
use super::rules::{Proof, Refusal, Theorem, Theory, is_evident};
use crate::core::check::type_of;
use crate::core::term::{Hint, Kind, Term};
use crate::core::ty::{Name, Ty};
use crate::core::value::Value;
use std::cell::Cell;

/// Builds proofs over a theory; hands out new variables.
#[derive(Debug)]
pub struct Prover {
    theory: Theory,
    next: Cell<u32>,
    depth: Cell<u32>,
}

/// How deep derived rules may recurse into a program.
const DEPTH: u32 = 400;

/// Given the variable and the hypothesis that the term equals it, proves the goal for the variable.
pub type Branch<'a> = &'a mut dyn FnMut(&Term, &Theorem) -> Proof;

impl Prover {
    /// A prover.
    pub fn new(theory: Theory) -> Prover {
        Prover { theory, next: Cell::new(0), depth: Cell::new(0) }
    }

    /// The theory.
    pub fn theory(&self) -> &Theory {
        &self.theory
    }

    /// A variable that no source can name.
    pub fn fresh(&self, hint: &str, ty: &Ty) -> (Name, Term) {
        let number = self.next.get();
        self.next.set(number + 1);
        let name = Name::from(format!("{hint}#{number}"));
        (name.clone(), Term::free(name, ty.clone()))
    }

    /// The type of a term.
    ///
    /// # Errors
    /// When it has none.
    pub fn type_of(&self, term: &Term) -> Result<Ty, Refusal> {
        type_of(self.theory.module(), term).map_err(|error| Refusal::new("type", error.to_string()))
    }

    /// Runs a recursive derivation one level deeper, up to a limit well within the machine's stack.
    fn deeper(&self, inner: impl FnOnce() -> Proof) -> Proof {
        let depth = self.depth.get();
        if depth >= DEPTH {
            return Err(Refusal::new("depth", format!("the program nests deeper than {DEPTH}")));
        }
        self.depth.set(depth + 1);
        let result = inner();
        self.depth.set(depth);
        result
    }

    /// From `t = u`: `C[t] = C[u]` for a context given as a function of its hole.
    ///
    /// # Errors
    /// When the context has no type.
    pub fn inside(&self, equation: &Theorem, context: &dyn Fn(&Term) -> Term) -> Proof {
        let ty = equation.equation()?.0.clone();
        let (name, hole) = self.fresh("hole", &ty);
        self.theory.congruence(&context(&hole), &[(name, ty)], &[equation])
    }

    /// From `left(u) = right(u)` and `t = u`: `left(t) = right(t)`.
    ///
    /// # Errors
    /// When the parts do not fit.
    pub fn back(
        &self,
        hypothesis: &Theorem,
        theorem: &Theorem,
        left: &dyn Fn(&Term) -> Term,
        right: &dyn Fn(&Term) -> Term,
    ) -> Proof {
        let there = self.inside(hypothesis, left)?;
        let home = self.inside(hypothesis, right)?.symmetric()?;
        there.transitive(theorem)?.transitive(&home)
    }

    /// A term whose next part to be evaluated is bottom or Err equals bottom or Err.
    ///
    /// # Errors
    /// When it does not come to that.
    pub fn collapse(&self, term: &Term) -> Proof {
        if let Ok(theorem) = self.theory.strict(term) {
            return Ok(theorem);
        }
        let module = self.theory.module();
        let parts = match term.kind() {
            Kind::App(function, arguments) => {
                std::iter::once(function).chain(arguments.iter()).cloned().collect()
            }
            Kind::Record(fields) => fields.iter().map(|(_, field)| field.clone()).collect(),
            Kind::Field(record, _) => vec![record.clone()],
            Kind::With(record, _, value) => vec![record.clone(), value.clone()],
            Kind::If(test, ..) => vec![test.clone()],
            Kind::Prim(_, arguments) => arguments.to_vec(),
            _ => Vec::new(),
        };
        let position = parts.iter().position(|part| !is_evident(module, part));
        let Some(position) = position else {
            return Err(Refusal::new("collapse", format!("{term} does not meet bottom or Err next")));
        };
        let inner = self.collapse(&parts[position])?;
        let whole = self.inside(&inner, &|hole| with_part(term, position, hole))?;
        let rest = self.theory.strict(whole.equation()?.2)?;
        whole.transitive(&rest)
    }

    /// Proves `left(t) = right(t)` by what `t` denotes: the branch proves it for a new variable that equals `t`; for
    /// bottom and Err both sides collapse. Values that are variables or constants need no case distinction.
    ///
    /// # Errors
    /// When the branch fails or a side is not strict.
    pub fn bind(
        &self,
        term: &Term,
        left: &dyn Fn(&Term) -> Term,
        right: &dyn Fn(&Term) -> Term,
        branch: Branch<'_>,
    ) -> Proof {
        if matches!(term.kind(), Kind::Free(..) | Kind::Const(..)) {
            let same = self.theory.reflexive(term)?;
            return branch(term, &same);
        }
        let ty = self.type_of(term)?;
        let (name, variable) = self.fresh("v", &ty);
        let equals = |other: Term| Formula::Eq(ty.clone(), term.clone(), other);
        let hypothesis = self.theory.assume(&equals(variable.clone()))?;
        let inner = branch(&variable, &hypothesis)?;
        let value = self.back(&hypothesis, &inner, left, right)?;
        let bottom =
            self.both_collapse(&self.theory.assume(&equals(Term::bottom(ty.clone())))?, left, right)?;
        let err =
            self.both_collapse(&self.theory.assume(&equals(Term::err(ty.clone(), "")))?, left, right)?;
        self.theory.value_cases(term, &name, &value, &bottom, &err)
    }

    /// From `t = bottom` (or Err): `left(t) = right(t)`, both sides being strict.
    ///
    /// # Errors
    /// When a side is not strict.
    pub fn both_collapse(
        &self,
        hypothesis: &Theorem,
        left: &dyn Fn(&Term) -> Term,
        right: &dyn Fn(&Term) -> Term,
    ) -> Proof {
        let side = |context: &dyn Fn(&Term) -> Term| {
            let there = self.inside(hypothesis, context)?;
            let end = there.equation()?.2.clone();
            if matches!(end.kind(), Kind::Bottom(_) | Kind::Err(..)) {
                return Ok(there);
            }
            there.transitive(&self.collapse(&end)?)
        };
        side(left)?.transitive(&side(right)?.symmetric()?)
    }

    /// Rule 4: the four cases of a Boolean term. The branches get the hypothesis and must prove one formula.
    ///
    /// # Errors
    /// When a branch fails or the conclusions differ.
    pub fn boolean_cases(
        &self,
        test: &Term,
        decided: &mut dyn FnMut(bool, &Theorem) -> Proof,
        stuck: &mut dyn FnMut(&Theorem) -> Proof,
    ) -> Proof {
        let equals = |other: Term| Formula::Eq(Ty::Bool, test.clone(), other);
        let mut cases = Vec::new();
        for b in [false, true] {
            let hypothesis = equals(Term::bool(b));
            let proof = decided(b, &self.theory.assume(&hypothesis)?)?;
            cases.push(proof.discharge(&hypothesis)?);
        }
        let goal = match cases[0].conclusion() {
            Formula::Implies(_, goal) => (**goal).clone(),
            other => other.clone(),
        };
        let (name, variable) = self.fresh("b", &Ty::Bool);
        let all = equals(variable.clone()).implies(goal).forall(&name, &Ty::Bool);
        let all = self.theory.finite_cases(&all, &[&cases[0], &cases[1]])?;
        let hypothesis = self.theory.assume(&equals(variable.clone()))?;
        let value = all.specialize(&variable)?.apply(&hypothesis)?;
        let bottom = stuck(&self.theory.assume(&equals(Term::bottom(Ty::Bool)))?)?;
        let err = stuck(&self.theory.assume(&equals(Term::err(Ty::Bool, "")))?)?;
        self.theory.value_cases(test, &name, &value, &bottom, &err)
    }

    /// From two different things said to be equal: any formula. (From `true = false` by a test whose branches are the
    /// sides of the wanted equation; other contradictions are first brought to that form.)
    ///
    /// # Errors
    /// When the premise is no contradiction of this kind.
    pub fn absurd(&self, contradiction: &Theorem, goal: &Formula) -> Proof {
        let (_, one, two) = contradiction.equation()?;
        let (one, two) = (one.clone(), two.clone());
        match goal {
            Formula::Eq(_, left, right) => {
                let pick = |hole: &Term| Term::if_then_else(hole.clone(), left.clone(), right.clone());
                match (truth(&one), truth(&two)) {
                    (Some(true), Some(false)) => {
                        let swap = self.inside(contradiction, &pick)?;
                        let first = self.theory.if_law(&pick(&one))?.symmetric()?;
                        first.transitive(&swap)?.transitive(&self.theory.if_law(&pick(&two))?)
                    }
                    (Some(false), Some(true)) => self.absurd(&contradiction.symmetric()?, goal),
                    (Some(b), None) => self.absurd_stuck(contradiction, b, left, right),
                    (None, Some(_)) => self.absurd(&contradiction.symmetric()?, goal),
                    _ => Err(Refusal::new("absurd", format!("{one} = {two} is no contradiction known here"))),
                }
            }
            Formula::Le(ty, left, right) => self
                .absurd(contradiction, &Formula::Eq(ty.clone(), left.clone(), right.clone()))?
                .weaken_to_le(),
            Formula::And(left, right) => {
                self.absurd(contradiction, left)?.and(&self.absurd(contradiction, right)?)
            }
            Formula::Implies(guard, body) => self.absurd(contradiction, body)?.discharge(guard),
            Formula::Forall(_, ty, body) => {
                let (name, variable) = self.fresh("x", ty);
                self.absurd(contradiction, &body.open(&variable))?.generalize(&name, ty)
            }
        }
    }

    /// From `true = bottom` or `false = Err` and the like: any equation, for a test on the one side picks either term,
    /// and on the other is stuck.
    fn absurd_stuck(&self, contradiction: &Theorem, b: bool, left: &Term, right: &Term) -> Proof {
        let stuck = |term: &Term| {
            let pick = |hole: &Term| Term::if_then_else(hole.clone(), term.clone(), term.clone());
            let from = self.theory.if_law(&pick(&Term::bool(b)))?.symmetric()?;
            let swap = self.inside(contradiction, &pick)?;
            let end = self.theory.strict(swap.equation()?.2)?;
            from.transitive(&swap)?.transitive(&end)
        };
        stuck(left)?.transitive(&stuck(right)?.symmetric()?)
    }

    /// The body of nested quantifiers at these values.
    ///
    /// # Errors
    /// As [`Theorem::specialize`].
    pub fn at(&self, theorem: &Theorem, values: &[Term]) -> Proof {
        values.iter().try_fold(theorem.clone(), |theorem, value| theorem.specialize(value))
    }

    /// `defined(t)` from `t = v` with an evident `v`.
    ///
    /// # Errors
    /// When `v` may be bottom or Err.
    pub fn defined_by(&self, equation: &Theorem) -> Proof {
        let (ty, _, value) = equation.equation()?;
        let (ty, value) = (ty.clone(), value.clone());
        let there = self.inside(equation, &|hole| super::formula::probe(hole, &ty))?;
        let end = self.theory.beta(&super::formula::probe(&value, &ty), &[])?;
        there.transitive(&end)
    }
}

fn truth(term: &Term) -> Option<bool> {
    match term.kind() {
        Kind::Const(Value::Bool(b), _) => Some(*b),
        _ => None,
    }
}

/// The term with its part at a position (in the order of evaluation) replaced.
pub(crate) fn with_part(term: &Term, position: usize, part: &Term) -> Term {
    let mut at = 0;
    term.kind()
        .map_parts(&mut |old, _| {
            let here = at == position;
            at += 1;
            if here { part.clone() } else { old.clone() }
        })
        .into()
}

/// `lambda _ : ty. term`, for a term without loose indices.
pub fn constantly(ty: &Ty, term: &Term) -> Term {
    Term::lam([(Hint::from("_"), ty.clone())], term.lift(1))
}

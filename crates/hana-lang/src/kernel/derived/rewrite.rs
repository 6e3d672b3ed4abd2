//! Simplification: equations from left to right, beta, tests, record laws, strictness, unfolding of chosen names. Each
//! step is a rule, and the result is an equation between the term and its simpler form.

use super::{Prover, with_part};
use crate::core::interpret::Limits;
use crate::core::prim::Prim;
use crate::core::term::{Kind, Term};
use crate::core::ty::{Name, Ty};
use crate::kernel::rules::{Proof, Refusal, Theorem};
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// What a simplification may use.
#[derive(Debug, Default)]
pub struct Simplifier {
    equations: FxHashMap<Term, Theorem>,
    /// Quantified equations, tried by matching their left side.
    patterns: Vec<(Vec<(Name, Ty)>, Theorem)>,
    /// Names to unfold where they are applied.
    pub unfold: Vec<Name>,
    /// Whether to go under binders and into undecided branches.
    pub deep: bool,
    /// Whether to reduce applied lambdas.
    pub beta: bool,
    /// Whether closed operations on constants are computed.
    pub compute: bool,
    steps: Cell<u32>,
}

/// Rewriting steps before a simplification is given up.
const STEPS: u32 = 20_000;

impl Simplifier {
    /// One that reduces lambdas, tests and records.
    pub fn new() -> Simplifier {
        Simplifier { beta: true, ..Simplifier::default() }
    }

    /// Also rewrites by these equations, from left to right.
    #[must_use]
    pub fn with(mut self, equations: &[&Theorem]) -> Simplifier {
        for equation in equations {
            self.add(equation);
        }
        self
    }

    /// Also rewrites by an equation; anything else is ignored.
    pub fn add(&mut self, equation: &Theorem) {
        if let Ok((_, left, _)) = equation.equation() {
            self.equations.insert(left.clone(), equation.clone());
        }
    }

    /// Also rewrites by a quantified equation `forall x.. . l = r`, at whatever values `l` matches.
    ///
    /// # Errors
    /// When the theorem has another form.
    pub fn add_pattern(&mut self, prover: &Prover, theorem: &Theorem) -> Result<(), Refusal> {
        let mut variables = Vec::new();
        let mut open = theorem.clone();
        while let crate::kernel::formula::Formula::Forall(name, ty, _) = open.conclusion() {
            let (ty, hint) = (ty.clone(), name.0.clone());
            let (name, variable) = prover.fresh(&hint, &ty);
            open = open.specialize(&variable)?;
            variables.push((name, ty));
        }
        open.equation()?;
        self.patterns.push((variables, open));
        Ok(())
    }

    /// Also unfolds these definitions where they are applied.
    #[must_use]
    pub fn unfolding(mut self, names: &[&str]) -> Simplifier {
        self.unfold.extend(names.iter().map(|name| Name::from(*name)));
        self
    }

    /// Goes under binders and into branches too.
    #[must_use]
    pub fn deeply(mut self) -> Simplifier {
        self.deep = true;
        self
    }

    /// `t = t'` with `t'` simpler.
    ///
    /// # Errors
    /// When a term has no type, or the simplification takes too long.
    pub fn simplify(&self, prover: &Prover, term: &Term) -> Proof {
        prover.deeper(|| self.normal(prover, term))
    }

    fn normal(&self, prover: &Prover, term: &Term) -> Proof {
        let steps = self.steps.get() + 1;
        self.steps.set(steps);
        if steps > STEPS {
            return Err(Refusal::new("simplify", format!("no end after {STEPS} steps")));
        }
        let mut whole = prover.theory().reflexive(term)?;
        loop {
            let current = whole.equation()?.2.clone();
            if let Some(step) = self.head(prover, &current)? {
                whole = whole.transitive(&step)?;
                let next = self.simplify(prover, whole.equation()?.2)?;
                return whole.transitive(&next);
            }
            let inner = self.parts(prover, &current)?;
            let changed = {
                let (_, one, two) = inner.equation()?;
                one != two
            };
            if !changed {
                return Ok(whole);
            }
            whole = whole.transitive(&inner)?;
        }
    }

    /// One step at the root, if a rule applies.
    fn head(&self, prover: &Prover, term: &Term) -> Result<Option<Theorem>, Refusal> {
        let theory = prover.theory();
        if let Some(equation) = self.equations.get(term) {
            return Ok(Some(equation.clone()));
        }
        for (variables, theorem) in &self.patterns {
            if let Some(step) = matching(theorem, variables, term)? {
                return Ok(Some(step));
            }
        }
        Ok(match term.kind() {
            Kind::App(function, _) => match function.kind() {
                Kind::Lam(..) if self.beta => theory.beta(term, &[]).or_else(|_| theory.strict(term)).ok(),
                Kind::Global(name) if self.unfold.contains(name) => {
                    let name = name.clone();
                    Some(prover.inside(&theory.unfold(&name)?, &|hole| with_part(term, 0, hole))?)
                }
                _ => theory.strict(term).ok(),
            },
            Kind::Global(name) if self.unfold.contains(name) => Some(theory.unfold(name)?),
            Kind::If(..) => theory.if_law(term).or_else(|_| theory.strict(term)).ok(),
            Kind::Field(..) | Kind::With(..) => theory.record_law(term).or_else(|_| theory.strict(term)).ok(),
            Kind::Record(_) => theory.strict(term).ok(),
            Kind::Prim(prim, arguments) => {
                let ground = !arguments.is_empty()
                    && arguments.iter().all(|argument| matches!(argument.kind(), Kind::Const(..)));
                if self.compute && ground && !matches!(prim, Prim::Fold | Prim::Tabulate(_)) {
                    theory.compute(term, Limits::default()).ok()
                } else {
                    theory.strict(term).ok()
                }
            }
            _ => None,
        })
    }

    /// Simplifies the parts that are evaluated first; all parts when going deep.
    fn parts(&self, prover: &Prover, term: &Term) -> Proof {
        let mut whole = prover.theory().reflexive(term)?;
        let mut parts: Vec<(Term, u32)> = Vec::new();
        term.kind().each_part(&mut |part, binders| parts.push((part.clone(), binders)));
        for (position, (part, binders)) in parts.into_iter().enumerate() {
            let branch = matches!(term.kind(), Kind::If(..)) && position > 0;
            if (branch || binders > 0) && !self.deep {
                continue;
            }
            if binders > 0 {
                let inner = self.under(prover, whole.equation()?.2)?;
                whole = whole.transitive(&inner)?;
                continue;
            }
            let inner = self.simplify(prover, &part)?;
            let (_, one, two) = inner.equation()?;
            if one != two {
                let current = whole.equation()?.2.clone();
                let step = prover.inside(&inner, &|hole| with_part(&current, position, hole))?;
                whole = whole.transitive(&step)?;
            }
        }
        Ok(whole)
    }

    /// Under a lambda; fixed points are left alone.
    fn under(&self, prover: &Prover, term: &Term) -> Proof {
        let Kind::Lam(params, body) = term.kind() else { return prover.theory().reflexive(term) };
        let fresh: Vec<(Name, Ty, Term)> = params
            .iter()
            .map(|param| {
                let (name, variable) = prover.fresh(&param.name.0, &param.ty);
                (name, param.ty.clone(), variable)
            })
            .collect();
        let values: Vec<Term> = fresh.iter().map(|(_, _, variable)| variable.clone()).collect();
        let variables: Vec<(Name, Ty)> =
            fresh.iter().map(|(name, ty, _)| (name.clone(), ty.clone())).collect();
        self.simplify(prover, &body.open(&values))?.under_lambda(&variables)
    }
}

/// The instance of a theorem `l = r` whose left side is the term, if there is one at evident values.
fn matching(theorem: &Theorem, variables: &[(Name, Ty)], term: &Term) -> Result<Option<Theorem>, Refusal> {
    let (_, left, _) = theorem.equation()?;
    let mut found: Vec<Option<Term>> = vec![None; variables.len()];
    if !fits(left, term, variables, &mut found) {
        return Ok(None);
    }
    let mut instance = theorem.clone();
    for ((name, ty), value) in variables.iter().zip(found) {
        let Some(value) = value else { return Ok(None) };
        match instance.instantiate(name, ty, &value) {
            Ok(next) => instance = next,
            Err(_) => return Ok(None),
        }
    }
    Ok(Some(instance))
}

fn fits(pattern: &Term, term: &Term, variables: &[(Name, Ty)], found: &mut [Option<Term>]) -> bool {
    if let Kind::Free(name, ty) = pattern.kind()
        && let Some(position) = variables.iter().position(|(other, other_ty)| other == name && other_ty == ty)
    {
        if term.loose() > 0 {
            return false;
        }
        return match &found[position] {
            Some(earlier) => earlier == term,
            None => {
                found[position] = Some(term.clone());
                true
            }
        };
    }
    let (mut left, mut right) = (Vec::new(), Vec::new());
    pattern.kind().each_part(&mut |part, _| left.push(part.clone()));
    term.kind().each_part(&mut |part, _| right.push(part.clone()));
    if left.is_empty() || left.len() != right.len() {
        return left.is_empty() && pattern == term;
    }
    // The forms agree when the pattern's root with the term's parts is the term.
    let mut at = 0;
    let rebuilt: Term = pattern
        .kind()
        .map_parts(&mut |_, _| {
            at += 1;
            right[at - 1].clone()
        })
        .into();
    rebuilt == *term && left.iter().zip(&right).all(|(one, two)| fits(one, two, variables, found))
}

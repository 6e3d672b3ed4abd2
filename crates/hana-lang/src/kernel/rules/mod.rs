//! The theorem type and the rules that build it. Its fields are private to this folder: whatever a theorem says
//! follows from the rules here and the axioms they admit, and it knows which of those it used.
//!
//! A theorem `H1, ..., Hn |- phi` means: for all *values* of the free variables (of the types they carry), and for
//! every house (seats, kan, months), if all `Hi` hold then `phi` holds. Terms denote a value, bottom or Err.

mod computing;
mod ending;
mod equality;
mod evident;
mod induction;
mod logic;

pub use evident::is_evident;

use super::axioms;
use super::formula::Formula;
use crate::core::check::{check_module, type_of};
use crate::core::module::Module;
use crate::core::term::Term;
use crate::core::ty::{Name, Ty};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// Why a rule did not apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The rule.
    pub rule: &'static str,
    /// What it needs and what it was given.
    pub message: String,
}

impl Refusal {
    /// A refusal.
    pub fn new(rule: &'static str, message: impl Into<String>) -> Refusal {
        Refusal { rule, message: message.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.message)
    }
}

impl std::error::Error for Refusal {}

/// What rules give.
pub type Proof = Result<Theorem, Refusal>;

/// The definitions over which theorems are stated: a module that passed the core's checker.
#[derive(Debug, Clone)]
pub struct Theory(Arc<Module>);

impl Theory {
    /// The theory of a module.
    ///
    /// # Errors
    /// When the module does not pass the checker.
    pub fn new(module: Module) -> Result<Theory, Refusal> {
        check_module(&module).map_err(|error| Refusal::new("theory", error.to_string()))?;
        Ok(Theory(Arc::new(module)))
    }

    /// The module.
    pub fn module(&self) -> &Module {
        &self.0
    }

    /// The type of a term, or a refusal in the name of a rule.
    fn typed(&self, rule: &'static str, term: &Term) -> Result<Ty, Refusal> {
        if term.loose() > 0 {
            return Err(Refusal::new(rule, format!("{term} has loose indices")));
        }
        type_of(&self.0, term).map_err(|error| Refusal::new(rule, format!("{term} has no type; {error}")))
    }

    fn well_formed(&self, rule: &'static str, formula: &Formula) -> Result<(), Refusal> {
        match formula {
            Formula::Le(ty, one, two) | Formula::Eq(ty, one, two) => {
                for side in [one, two] {
                    let found = self.typed(rule, side)?;
                    if found != *ty {
                        return Err(Refusal::new(rule, format!("{side} has type {found}, not {ty}")));
                    }
                }
                Ok(())
            }
            Formula::And(one, two) | Formula::Implies(one, two) => {
                self.well_formed(rule, one)?;
                self.well_formed(rule, two)
            }
            Formula::Forall(_, ty, body) => {
                if !ty.is_well_formed() {
                    return Err(Refusal::new(rule, format!("{ty} is not a type")));
                }
                // No name of a source contains a blank, so this variable is new.
                self.well_formed(rule, &body.open(&Term::free("bound variable", ty.clone())))
            }
        }
    }

    /// An axiom of the list, by name, at the types it is stated for.
    ///
    /// # Errors
    /// When there is no such axiom, or it is not stated at these types.
    pub fn axiom(&self, name: &str, types: &[Ty]) -> Proof {
        let axiom = axioms::find(name)
            .ok_or_else(|| Refusal::new("axiom", format!("there is no axiom named {name}")))?;
        let formula = (axiom.formula)(types).ok_or_else(|| {
            let types: Vec<String> = types.iter().map(Ty::to_string).collect();
            Refusal::new("axiom", format!("{name} is not stated at [{}]", types.join(", ")))
        })?;
        self.well_formed("axiom", &formula)?;
        let mut uses = Uses::default();
        uses.axioms.insert(axiom.name);
        Ok(Theorem {
            theory: self.clone(),
            hypotheses: Vec::new(),
            conclusion: formula,
            uses: Arc::new(uses),
        })
    }

    fn theorem(&self, conclusion: Formula) -> Theorem {
        Theorem { theory: self.clone(), hypotheses: Vec::new(), conclusion, uses: Arc::new(Uses::default()) }
    }

    fn equation(&self, ty: Ty, one: Term, two: Term) -> Theorem {
        self.theorem(Formula::Eq(ty, one, two))
    }
}

/// What a theorem rests on beside the rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Uses {
    /// Axioms, by name.
    pub axioms: BTreeSet<&'static str>,
    /// Computed terms, as text, with the steps the interpreter took.
    pub computations: BTreeMap<String, u64>,
    /// Whether induction over the integers was used.
    pub induction: bool,
}

impl Uses {
    /// The steps of all computations together.
    pub fn steps(&self) -> u64 {
        self.computations.values().sum()
    }
}

impl fmt::Display for Uses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if !self.axioms.is_empty() {
            let names: Vec<&str> = self.axioms.iter().copied().collect();
            parts.push(format!("axioms {}", names.join(", ")));
        }
        if self.induction {
            parts.push("induction over the integers".to_owned());
        }
        if !self.computations.is_empty() {
            let (count, steps) = (self.computations.len(), self.steps());
            parts.push(format!("{count} computation{} of {steps} steps", if count == 1 { "" } else { "s" }));
        }
        if parts.is_empty() {
            f.write_str("the rules alone")
        } else {
            write!(f, "the rules, {}", parts.join(", "))
        }
    }
}

/// A theorem: hypotheses and a conclusion. Only the rules of this folder make one.
#[derive(Debug, Clone)]
pub struct Theorem {
    theory: Theory,
    hypotheses: Vec<Formula>,
    conclusion: Formula,
    uses: Arc<Uses>,
}

impl Theorem {
    /// What is assumed.
    pub fn hypotheses(&self) -> &[Formula] {
        &self.hypotheses
    }

    /// What follows.
    pub fn conclusion(&self) -> &Formula {
        &self.conclusion
    }

    /// What it rests on.
    pub fn uses(&self) -> &Uses {
        &self.uses
    }

    /// The definitions it is about.
    pub fn theory(&self) -> &Theory {
        &self.theory
    }

    /// Type and sides of an equation.
    ///
    /// # Errors
    /// When the conclusion is not an equation.
    pub fn equation(&self) -> Result<(&Ty, &Term, &Term), Refusal> {
        match &self.conclusion {
            Formula::Eq(ty, one, two) => Ok((ty, one, two)),
            other => Err(Refusal::new("equation", format!("an equation is needed, not {other}"))),
        }
    }

    fn has_free_hypothesis(&self, name: &Name, ty: &Ty) -> bool {
        self.hypotheses.iter().any(|hypothesis| hypothesis.has_free(name, ty))
    }

    /// The same hypotheses and uses with another conclusion.
    fn concluding(&self, conclusion: Formula) -> Theorem {
        Theorem { conclusion, ..self.clone() }
    }
}

impl fmt::Display for Theorem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, hypothesis) in self.hypotheses.iter().enumerate() {
            write!(f, "{}{hypothesis}", if i == 0 { "" } else { ", " })?;
        }
        write!(f, "{}|- {}", if self.hypotheses.is_empty() { "" } else { " " }, self.conclusion)
    }
}

/// A theorem from several: all their hypotheses, all they rest on.
fn combine(rule: &'static str, parts: &[&Theorem], conclusion: Formula) -> Proof {
    let Some((first, rest)) = parts.split_first() else {
        return Err(Refusal::new(rule, "no premise is given"));
    };
    let mut whole = first.concluding(conclusion);
    for part in rest {
        if !Arc::ptr_eq(&part.theory.0, &whole.theory.0) {
            return Err(Refusal::new(rule, "the premises are about different programs"));
        }
        for hypothesis in &part.hypotheses {
            if !whole.hypotheses.contains(hypothesis) {
                whole.hypotheses.push(hypothesis.clone());
            }
        }
        if !Arc::ptr_eq(&part.uses, &whole.uses) && *part.uses != *whole.uses {
            let uses = Arc::make_mut(&mut whole.uses);
            uses.axioms.extend(&part.uses.axioms);
            uses.computations
                .extend(part.uses.computations.iter().map(|(term, steps)| (term.clone(), *steps)));
            uses.induction |= part.uses.induction;
        }
    }
    Ok(whole)
}

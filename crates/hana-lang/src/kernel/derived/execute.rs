//! Running a term symbolically: simplify, name what is stuck, split on tests, until a value is left; and deciding
//! equations by splitting on tests.

use super::Prover;
use super::rewrite::Simplifier;
use crate::core::check::type_of;
use crate::core::term::{Kind, Term};
use crate::core::ty::Ty;
use crate::core::value::Value;
use crate::kernel::formula::Formula;
use crate::kernel::rules::{Proof, Refusal, Theorem, is_evident};

/// What holds on the way: equations, by which everything is simplified.
#[derive(Clone, Default)]
pub struct Facts {
    /// The equations, oldest first.
    pub equations: Vec<Theorem>,
    /// Quantified equations, used wherever they match.
    pub patterns: Vec<Theorem>,
    /// Names that are unfolded.
    pub unfold: Vec<String>,
    /// Whether closed operations on constants are computed.
    pub compute: bool,
}

impl Facts {
    /// The same with one more.
    #[must_use]
    pub fn with(&self, equation: &Theorem) -> Facts {
        let mut facts = self.clone();
        facts.equations.push(equation.clone());
        facts
    }

    /// The equations in words, for refusals.
    fn told(&self) -> String {
        let told: Vec<String> = self.equations.iter().map(|fact| fact.conclusion().to_string()).collect();
        told.join("; ")
    }

    /// A simplifier with all of them.
    ///
    /// # Errors
    /// When a pattern is no quantified equation.
    pub fn simplifier(&self, prover: &Prover) -> Result<Simplifier, Refusal> {
        let equations: Vec<&Theorem> = self.equations.iter().collect();
        let names: Vec<&str> = self.unfold.iter().map(String::as_str).collect();
        let mut simplifier = Simplifier::new().with(&equations).unfolding(&names);
        simplifier.compute = self.compute;
        for pattern in &self.patterns {
            simplifier.add_pattern(prover, pattern)?;
        }
        Ok(simplifier)
    }
}

/// A context: a term with a hole.
pub type Context<'a> = &'a dyn Fn(&Term) -> Term;

/// Proves the goal where the run has ended in a value, given the facts of the way there.
pub type Leaf<'a> = &'a mut dyn FnMut(&Term, &Facts) -> Proof;

impl Prover {
    /// Proves `left(e) = right(e)`, both strict, by running `e`: the leaf proves it for every value the run may end in.
    ///
    /// # Errors
    /// When a leaf fails, or the run meets what it cannot follow.
    pub fn run(
        &self,
        term: &Term,
        facts: &Facts,
        left: Context<'_>,
        right: Context<'_>,
        leaf: Leaf<'_>,
    ) -> Proof {
        self.deeper(|| {
            let simpler = facts.simplifier(self)?.simplify(self, term)?;
            let now = simpler.equation()?.2.clone();
            let inner = if matches!(now.kind(), Kind::Bottom(_) | Kind::Err(..)) {
                self.both_collapse(&self.theory().reflexive(&now)?, left, right)?
            } else if is_evident(self.theory().module(), &now) {
                leaf(&now, facts)?
            } else {
                self.run_stuck(&now, facts, left, right, leaf)?
            };
            self.back(&simpler, &inner, left, right)
        })
    }

    fn run_stuck(
        &self,
        term: &Term,
        facts: &Facts,
        left: Context<'_>,
        right: Context<'_>,
        leaf: Leaf<'_>,
    ) -> Proof {
        let stuck = self.next_stuck(term);
        if let Kind::If(test, ..) = stuck.kind() {
            let test = test.clone();
            let leaf = std::cell::RefCell::new(leaf);
            return self.boolean_cases(
                &test,
                &mut |_, hypothesis| {
                    self.run(term, &facts.with(hypothesis), left, right, &mut **leaf.borrow_mut())
                },
                &mut |hypothesis| self.impossible(hypothesis, &self.goal(term, left, right)?),
            );
        }
        let ty = self.type_of(&stuck)?;
        let (name, variable) = self.fresh("v", &ty);
        let equals = |other: Term| Formula::Eq(ty.clone(), stuck.clone(), other);
        let value = self.theory().assume(&equals(variable))?;
        let value = self.run(term, &facts.with(&value), left, right, leaf)?;
        let mut broken = Vec::new();
        for fault in [Term::bottom(ty.clone()), Term::err(ty.clone(), "")] {
            let hypothesis = self.theory().assume(&equals(fault))?;
            broken.push(self.run(term, &facts.with(&hypothesis), left, right, &mut |end, _| {
                Err(Refusal::new("run", format!("a fault was ignored on the way to {end}")))
            })?);
        }
        self.theory().value_cases(&stuck, &name, &value, &broken[0], &broken[1])
    }

    fn goal(&self, term: &Term, left: Context<'_>, right: Context<'_>) -> Result<Formula, Refusal> {
        Ok(Formula::Eq(self.type_of(&left(term))?, left(term), right(term)))
    }

    /// The part that is evaluated next and waits for nothing but itself.
    fn next_stuck(&self, term: &Term) -> Term {
        let module = self.theory().module();
        let parts: Vec<&Term> = match term.kind() {
            Kind::App(function, arguments) => std::iter::once(function).chain(arguments.iter()).collect(),
            Kind::Record(fields) => fields.iter().map(|(_, field)| field).collect(),
            Kind::Field(record, _) => vec![record],
            Kind::With(record, _, value) => vec![record, value],
            Kind::If(test, ..) => vec![test],
            Kind::Prim(_, arguments) => arguments.iter().collect(),
            _ => Vec::new(),
        };
        match parts.into_iter().find(|part| !is_evident(module, part)) {
            Some(part) => self.next_stuck(part),
            None => term.clone(),
        }
    }

    /// From `t = bottom` (or Err) for a `t` that is evidently a value: anything.
    ///
    /// # Errors
    /// When `t` may be that.
    pub fn impossible(&self, hypothesis: &Theorem, goal: &Formula) -> Proof {
        let (ty, term, _) = hypothesis.equation()?;
        let (ty, term) = (ty.clone(), term.clone());
        let value = self.theory().beta(&crate::kernel::formula::probe(&term, &ty), &[])?.symmetric()?;
        let there = self.inside(hypothesis, &|hole| crate::kernel::formula::probe(hole, &ty))?;
        let end = self.theory().strict(there.equation()?.2)?;
        self.absurd(&value.transitive(&there)?.transitive(&end)?, goal)
    }

    /// `t = u` by simplification and by splitting on evident tests, at most `splits` deep.
    ///
    /// # Errors
    /// When both stay different; the message shows the two remaining forms.
    pub fn decide(&self, one: &Term, two: &Term, facts: &Facts, splits: u32) -> Proof {
        self.deeper(|| {
            let simplifier = facts.simplifier(self)?;
            let (left, right) = (simplifier.simplify(self, one)?, simplifier.simplify(self, two)?);
            let (now, goal) = (left.equation()?.2.clone(), right.equation()?.2.clone());
            let inner = if now == goal {
                self.theory().reflexive(&now)?
            } else {
                let test = self
                    .open_test(&now)
                    .or_else(|| self.open_test(&goal))
                    .filter(|_| splits > 0)
                    .ok_or_else(|| {
                        Refusal::new(
                            "decide",
                            format!("{now} and {goal} remain different, knowing {}", facts.told()),
                        )
                    })?;
                let formula = Formula::Eq(left.equation()?.0.clone(), now.clone(), goal.clone());
                self.boolean_cases(
                    &test,
                    &mut |_, hypothesis| self.decide(&now, &goal, &facts.with(hypothesis), splits - 1),
                    &mut |hypothesis| self.impossible(hypothesis, &formula),
                )?
            };
            left.transitive(&inner)?.transitive(&right.symmetric()?)
        })
    }

    /// A test to split on: that of an `if` whose own test has none, else any truth value; evident, and without bound
    /// variables.
    fn open_test(&self, term: &Term) -> Option<Term> {
        self.branching(term).or_else(|| self.truth_inside(term))
    }

    fn is_open_truth(&self, term: &Term) -> bool {
        let module = self.theory().module();
        term.loose() == 0
            && !matches!(term.kind(), Kind::Const(Value::Bool(_), _) | Kind::If(..))
            && type_of(module, term) == Ok(Ty::Bool)
            && is_evident(module, term)
    }

    fn branching(&self, term: &Term) -> Option<Term> {
        if let Kind::If(test, ..) = term.kind() {
            let inner = self.branching(test);
            if inner.is_some() {
                return inner;
            }
            if self.is_open_truth(test) {
                return Some(test.clone());
            }
        }
        self.search(term, &|part| self.branching(part))
    }

    fn truth_inside(&self, term: &Term) -> Option<Term> {
        if self.is_open_truth(term) {
            return Some(term.clone());
        }
        self.search(term, &|part| self.truth_inside(part))
    }

    fn search(&self, term: &Term, look: &dyn Fn(&Term) -> Option<Term>) -> Option<Term> {
        let mut found = None;
        term.kind().each_part(&mut |part, binders| {
            if found.is_none() && binders == 0 {
                found = look(part);
            }
        });
        found
    }
}

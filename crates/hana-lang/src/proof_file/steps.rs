//! The rules by name, as proof files call them.

use super::ProofError;
use super::terms::Reader;
use crate::core::interpret::Limits;
use crate::core::term::Term;
use crate::core::ty::{Name, Ty};
use crate::kernel::derived::Prover;
use crate::kernel::derived::execute::Facts;
use crate::kernel::derived::laws::Statements;
use crate::kernel::derived::preserve::Quantity;
use crate::kernel::rules::{Proof, Refusal, Theorem};

/// Reads a rule with its arguments and applies it.
pub(super) fn follow(
    reader: &mut Reader<'_>,
    prover: &Prover,
    proved: &[(String, Theorem)],
) -> Result<Theorem, ProofError> {
    let begin = reader.place().start;
    let rule = reader.name()?;
    let mut step = Step { reader, prover, proved };
    let proof = step.rule(&rule)?;
    let place = begin..step.reader.place().start;
    proof.map_err(|refusal| {
        let message = if refusal.rule == rule {
            refusal.to_string()
        } else {
            format!("{rule} does not apply; {refusal}")
        };
        ProofError::new(place, message)
    })
}

struct Step<'s, 'r> {
    reader: &'s mut Reader<'r>,
    prover: &'s Prover,
    proved: &'s [(String, Theorem)],
}

type Read<T> = Result<T, ProofError>;

impl Step<'_, '_> {
    /// An earlier step.
    fn earlier(&mut self) -> Read<Theorem> {
        let place = self.reader.place();
        let name = self.reader.name()?;
        let found = self.proved.iter().rev().find(|(other, _)| *other == name);
        found
            .map(|(_, theorem)| theorem.clone())
            .ok_or_else(|| ProofError::new(place, format!("there is no earlier step named {name}")))
    }

    fn several(&mut self) -> Read<Vec<Theorem>> {
        let mut found = vec![self.earlier()?];
        while self.reader.take(",") {
            found.push(self.earlier()?);
        }
        Ok(found)
    }

    fn comma_term(&mut self) -> Read<Term> {
        self.reader.expect(",")?;
        self.reader.term()
    }

    /// `using h, h` and `unfolding f, f`, both optional.
    fn facts(&mut self) -> Read<Facts> {
        let mut facts = Facts::default();
        if self.reader.take("using") {
            for theorem in self.several()? {
                let quantified = matches!(theorem.conclusion(), crate::kernel::formula::Formula::Forall(..));
                if quantified { facts.patterns.push(theorem) } else { facts.equations.push(theorem) }
            }
        }
        if self.reader.take("unfolding") {
            facts.unfold.push(self.reader.name()?);
            while self.reader.take(",") {
                facts.unfold.push(self.reader.name()?);
            }
        }
        facts.compute = self.reader.take("computing");
        Ok(facts)
    }

    fn variable(&mut self) -> Read<(Name, Ty)> {
        let name = self.reader.name()?;
        self.reader.expect(":")?;
        Ok((name.into(), self.reader.ty()?))
    }

    fn statements(&self) -> Statements {
        Statements { state: self.prover.theory().module().state.clone() }
    }

    #[allow(clippy::too_many_lines)]
    fn rule(&mut self, rule: &str) -> Read<Proof> {
        let prover = self.prover;
        let theory = prover.theory();
        Ok(match rule {
            "assume" => theory.assume(&self.reader.formula()?),
            "reflexive" => theory.reflexive(&self.reader.term()?),
            "symmetric" => self.earlier()?.symmetric(),
            "transitive" => {
                let steps = self.several()?;
                steps[1..].iter().try_fold(steps[0].clone(), |whole, next| whole.transitive(next))
            }
            "antisymmetric" => {
                let steps = self.several()?;
                match &steps[..] {
                    [one, two] => one.antisymmetric(two),
                    _ => Err(Refusal::new("antisymmetric", "two steps are needed")),
                }
            }
            "weaken" => self.earlier()?.weaken_to_le(),
            "congruence" => {
                // congruence h in x : T. context
                let premise = self.earlier()?;
                self.reader.expect("in")?;
                let (name, ty) = self.variable()?;
                self.reader.expect(".")?;
                let meaning = super::Meaning::Variable(ty.clone());
                self.reader.scope.push((name.to_string(), meaning));
                let context = self.reader.term();
                self.reader.scope.pop();
                theory.congruence(&context?, &[(name, ty)], &[&premise])
            }
            "under" => {
                let variables: Vec<(Name, Ty)> =
                    self.reader.binders(",")?.into_iter().map(|(name, ty)| (Name::from(name), ty)).collect();
                self.reader.expect(".")?;
                self.earlier()?.under_lambda(&variables)
            }
            "beta" => theory.beta(&self.reader.term()?, &[]),
            "eta" => theory.eta(&self.reader.term()?),
            "record" => theory.record_law(&self.reader.term()?),
            "if" => theory.if_law(&self.reader.term()?),
            "unfold" => {
                let term = self.reader.term()?;
                match term.kind() {
                    crate::core::term::Kind::Global(name) => theory.unfold(name),
                    _ => Err(Refusal::new("unfold", format!("{term} is not a defined name"))),
                }
            }
            "strict" => theory.strict(&self.reader.term()?),
            "bottom" => theory.bottom_least(&self.reader.term()?),
            "fix" => theory.unfold_fix(&self.reader.term()?),
            "compute" => {
                theory.compute(&self.reader.term()?, Limits { fuel: 10_000_000, ..Limits::default() })
            }
            "ring" => {
                let one = self.reader.term()?;
                let two = self.comma_term()?;
                let defined = if self.reader.take("using") { self.several()? } else { Vec::new() };
                theory.ring(&one, &two, &defined.iter().collect::<Vec<_>>())
            }
            "axiom" => {
                let name = self.reader.name()?;
                let mut types = Vec::new();
                if self.reader.take("[") {
                    while !self.reader.take("]") {
                        if !types.is_empty() {
                            self.reader.expect(",")?;
                        }
                        types.push(self.reader.ty()?);
                    }
                }
                theory.axiom(&name, &types)
            }
            "specialize" => {
                let mut theorem = Ok(self.earlier()?);
                while self.reader.take(",") {
                    let value = self.reader.term()?;
                    theorem = theorem.and_then(|theorem| theorem.specialize(&value));
                }
                theorem
            }
            "generalize" => {
                let variables = self.reader.binders(",")?;
                self.reader.expect(".")?;
                let theorem = self.earlier()?;
                variables
                    .iter()
                    .rev()
                    .try_fold(theorem, |theorem, (name, ty)| theorem.generalize(&name.as_str().into(), ty))
            }
            "discharge" => {
                let theorem = self.earlier()?;
                self.reader.expect(",")?;
                theorem.discharge(&self.reader.formula()?)
            }
            "apply" => {
                let steps = self.several()?;
                steps[1..].iter().try_fold(steps[0].clone(), |whole, guard| whole.apply(guard))
            }
            "both" => {
                let steps = self.several()?;
                steps[1..].iter().try_fold(steps[0].clone(), |whole, next| whole.and(next))
            }
            "left" => self.earlier()?.split().map(|(left, _)| left),
            "right" => self.earlier()?.split().map(|(_, right)| right),
            "cases" => {
                // cases t as x, value, bottom, err
                let term = self.reader.term()?;
                self.reader.expect("as")?;
                let name = Name::from(self.reader.name()?);
                self.reader.expect(",")?;
                match &self.several()?[..] {
                    [value, bottom, err] => theory.value_cases(&term, &name, value, bottom, err),
                    _ => Err(Refusal::new("cases", "three steps are needed: value, bottom, Err")),
                }
            }
            "scott" => {
                // scott fix-term as f, formula, base, step
                let fixed = self.reader.term()?;
                self.reader.expect("as")?;
                let name = Name::from(self.reader.name()?);
                self.reader.expect(",")?;
                let formula = self.reader.formula()?;
                self.reader.expect(",")?;
                match &self.several()?[..] {
                    [base, step] => theory.scott(&fixed, &name, &formula, base, step),
                    _ => Err(Refusal::new("scott", "two steps are needed: base, step")),
                }
            }
            "integer-induction" => {
                let name = Name::from(self.reader.name()?);
                self.reader.expect(",")?;
                let formula = self.reader.formula()?;
                self.reader.expect(",")?;
                match &self.several()?[..] {
                    [base, step] => theory.integer_induction(&name, &formula, base, step),
                    _ => Err(Refusal::new("integer-induction", "two steps are needed: base, step")),
                }
            }
            "simplify" => {
                let term = self.reader.term()?;
                let facts = self.facts()?;
                facts.simplifier(prover).and_then(|simplifier| simplifier.deeply().simplify(prover, &term))
            }
            "decide" => {
                let one = self.reader.term()?;
                let two = self.comma_term()?;
                prover.decide(&one, &two, &self.facts()?, 8)
            }
            "skip-first" => prover.skip_first(&self.statements()),
            "skip-last" => prover.skip_last(&self.statements()),
            "associative" => prover.associative(&self.statements()),
            "while-unfolds" => prover.while_unfolds(&self.statements()),
            "while-false" => prover.while_false(&self.statements()),
            "hoare-assignment" => prover.hoare_assignment(&self.statements(), &self.reader.name()?),
            "hoare-sequence" => prover.hoare_sequence(&self.statements()),
            "hoare-if" => prover.hoare_if(&self.statements()),
            "hoare-while" => prover.hoare_while(&self.statements()),
            "variant" => prover.variant_rule(&self.statements()),
            "transfer" => {
                let procedure = self.reader.name()?;
                let field = self.reader.name()?;
                prover.transfer(&procedure, &field)
            }
            "one-place" => prover.one_place(&self.reader.name()?),
            "even" => {
                let procedure = self.reader.name()?;
                let facts = self.facts()?;
                let unfold: Vec<&str> = facts.unfold.iter().map(String::as_str).collect();
                prover.even(&procedure, &unfold)
            }
            "keeps" => {
                // keeps J, procedure [using P by h, ...]
                let function = self.reader.term()?;
                let target = self.comma_term()?;
                let mut known = Vec::new();
                if self.reader.take("using") {
                    loop {
                        let name = self.reader.name()?;
                        self.reader.expect("by")?;
                        known.push((name, self.earlier()?));
                        if !self.reader.take(",") {
                            break;
                        }
                    }
                }
                Quantity::new(prover, function).and_then(|mut quantity| {
                    for (name, lemma) in &known {
                        quantity.add_procedure(name.as_str(), lemma);
                    }
                    match target.kind() {
                        crate::core::term::Kind::Global(name) => quantity.procedure(name),
                        _ => Err(Refusal::new("keeps", format!("{target} is not a defined name"))),
                    }
                })
            }
            "terminates" => {
                // terminates loop, sequence, index
                let target = self.reader.term()?;
                self.reader.expect(",")?;
                let sequence = self.reader.name()?;
                self.reader.expect(",")?;
                let index = self.reader.name()?;
                match target.kind() {
                    crate::core::term::Kind::Global(name) => prover.reading_ends(name, &sequence, &index),
                    _ => Err(Refusal::new("terminates", format!("{target} is not a defined name"))),
                }
            }
            "sums-agree" => {
                // sums-agree h, field: h is a `keeps` theorem about the total of the field
                let kept = self.earlier()?;
                self.reader.expect(",")?;
                let field = self.reader.name()?;
                prover.sums_agree_for_all(&kept, &field)
            }
            other => {
                let message = format!("there is no rule named {other}");
                return Err(ProofError::new(self.reader.place(), message));
            }
        })
    }
}

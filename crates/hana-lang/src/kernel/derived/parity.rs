//! Even Baskets: collecting takes an even number of cards. If the card played and the cards it may take lie outside the
//! Basket, and the card is not among those, the number of cards in the Basket keeps its parity.

use super::Prover;
use super::execute::Facts;
use super::rewrite::Simplifier;
use crate::core::prim::Prim;
use crate::core::term::{Hint, Kind, Term};
use crate::core::ty::{Name, Ty};
use crate::kernel::formula::{Formula, probe};
use crate::kernel::rules::{Proof, Refusal, Theorem};

fn set_ty() -> Ty {
    Ty::set(Ty::Flower)
}

/// `Number(bouquet(q)) mod 2`.
fn parity(state: &Term, place: &Term) -> Term {
    Term::prim(Prim::Mod, [Term::prim(Prim::Number, [cards(state, place)]), Term::int(2)])
}

/// `bouquet(q)`.
fn cards(state: &Term, place: &Term) -> Term {
    Term::prim(Prim::MapGet, [Term::field(state.clone(), "bouquet"), place.clone()])
}

fn holds_in(card: &Term, set: &Term) -> Term {
    Term::prim(Prim::In, [card.clone(), set.clone()])
}

fn outside(card: &Term, set: &Term) -> Formula {
    Formula::Eq(Ty::Bool, holds_in(card, set), Term::bool(false))
}

fn disjoint(one: &Term, two: &Term) -> Formula {
    let meet = Term::prim(Prim::Meet, [one.clone(), two.clone()]);
    Formula::holds(Term::prim(Prim::Eq, [meet, Term::empty_set(Ty::Flower)]))
}

/// What is assumed of a call: the card, the Basket and the sets from which cards are taken.
struct Taking<'a> {
    prover: &'a Prover,
    card: Term,
    basket: Term,
    /// Each with the assumption that it is disjoint from the Basket.
    sources: Vec<(Term, Theorem)>,
    facts: Facts,
}

impl Prover {
    /// For `P(X, a, P, sets..)(s)` with `Basket(P) = q`: `(lambda end. Number(end.bouquet(q)) mod 2)(call)` equals
    /// `(lambda end. Number(s.bouquet(q)) mod 2)(call)`, if `a` and the sets (and, of two, their join) are outside
    /// `s.bouquet(q)` and `a` is in none of the sets. The named procedures are unfolded.
    ///
    /// # Errors
    /// When the procedure is of another form.
    pub fn even(&self, procedure: &str, unfold: &[&str]) -> Proof {
        let theory = self.theory();
        let definition = theory
            .module()
            .get(procedure)
            .ok_or_else(|| Refusal::new("even", format!("{procedure} is not defined")))?;
        let (call, variables) = self.call(&definition.name, &definition.body);
        let of = |ty: &Ty| -> Vec<Term> {
            let fitting = variables.iter().filter(|(_, other, _)| other == ty);
            fitting.map(|(_, _, term)| term.clone()).collect()
        };
        let refuse = || Refusal::new("even", format!("{procedure} is not of the form of Collect"));
        let card = of(&Ty::Flower).first().cloned().ok_or_else(refuse)?;
        let seat = of(&Ty::Int).first().cloned().ok_or_else(refuse)?;
        let start = of(&theory.module().state).last().cloned().ok_or_else(refuse)?;
        let mut sources: Vec<Term> = of(&set_ty());
        if let [one, two] = &sources[..] {
            sources.push(Term::prim(Prim::Join, [one.clone(), two.clone()]));
        }
        let (place_name, place) = self.fresh("q", &Ty::Place);
        let basket = cards(&start, &place);
        let mut guards = vec![
            Formula::Eq(Ty::Place, Term::prim(Prim::Basket, [seat]), place.clone()),
            outside(&card, &basket),
        ];
        for source in &sources {
            guards.push(outside(&card, source));
            guards.push(disjoint(source, &basket));
        }
        let assumed = guards.iter().map(|guard| theory.assume(guard)).collect::<Result<Vec<_>, _>>()?;
        let mut facts = Facts { equations: assumed.clone(), ..Facts::default() };
        facts.unfold.push(procedure.to_owned());
        facts.unfold.extend(unfold.iter().map(|name| (*name).to_owned()));
        let known = sources.iter().cloned().zip(assumed[2..].iter().skip(1).step_by(2).cloned()).collect();
        let params = || [(Hint::from("end"), theory.module().state.clone())];
        let now = Term::lam(params(), parity(&Term::bound(0), &place));
        let then = Term::lam(params(), parity(&start, &place).lift(1));
        let left = |hole: &Term| Term::app(now.clone(), [hole.clone()]);
        let right = |hole: &Term| Term::app(then.clone(), [hole.clone()]);
        let mut theorem = self.run(&call, &facts, &left, &right, &mut |end, facts| {
            let taking = Taking {
                prover: self,
                card: card.clone(),
                basket: basket.clone(),
                sources: Vec::clone(&known),
                facts: facts.clone(),
            };
            let counted = taking.number(&cards(end, &place))?;
            let parity = taking.same_parity(&counted)?;
            let begin = theory.beta(&left(end), &[])?;
            begin.transitive(&parity)?.transitive(&theory.beta(&right(end), &[])?.symmetric()?)
        })?;
        for guard in guards.iter().rev() {
            theorem = theorem.discharge(guard)?;
        }
        theorem = theorem.generalize(&place_name, &Ty::Place)?;
        let quantified: Vec<&(Name, Ty, Term)> = variables.iter().rev().collect();
        quantified.into_iter().try_fold(theorem, |theorem, (name, ty, _)| theorem.generalize(name, ty))
    }
}

impl Taking<'_> {
    /// The facts with the axioms of membership.
    fn with_membership(&self) -> Result<Facts, Refusal> {
        Ok(Facts { patterns: self.prover.membership()?, ..self.facts.clone() })
    }

    /// `Number(e) = Number(basket) +w k`, nested as the joins are.
    fn number(&self, set: &Term) -> Proof {
        let opened = self.open(set)?;
        let counted = self.count(opened.equation()?.2)?;
        let prover = self.prover;
        prover.inside(&opened, &|hole| Term::prim(Prim::Number, [hole.clone()]))?.transitive(&counted)
    }

    /// The set after the moves, as a join onto the Basket: lookups in tables, the test q = q, joins to the left.
    fn open(&self, set: &Term) -> Proof {
        let prover = self.prover;
        let theory = prover.theory();
        let mut simplifier = self.facts.simplifier(prover)?;
        simplifier.add_pattern(prover, &theory.axiom("equal-self", &[Ty::Place])?)?;
        simplifier.add_pattern(prover, &theory.axiom("join-associative", &[Ty::Flower])?)?;
        let mut whole = simplifier.simplify(prover, set)?;
        // One table may hold lookups in an earlier one.
        for _ in 0..4 {
            let current = whole.equation()?.2.clone();
            let Some((table, key)) = lookup(&current) else { break };
            let fact = self.looked_up(&table, &key)?;
            simplifier.add(&fact);
            whole = whole.transitive(&simplifier.simplify(prover, &current)?)?;
        }
        Ok(whole)
    }

    /// `get(tabulate f, k) = f(k)` for a table that is evidently defined.
    fn looked_up(&self, table: &Term, key: &Term) -> Proof {
        let theory = self.prover.theory();
        let Kind::Prim(_, arguments) = table.kind() else {
            return Err(Refusal::new("even", format!("{table} is no table")));
        };
        let axiom = theory.axiom("get-tabulate", &[Ty::Place, set_ty()])?;
        let defined = theory.beta(&probe(table, &Ty::map(Ty::Place, set_ty())), &[])?;
        axiom.specialize(&arguments[0])?.specialize(key)?.apply(&defined)
    }

    fn count(&self, set: &Term) -> Proof {
        let prover = self.prover;
        let theory = prover.theory();
        if *set == self.basket {
            return theory.reflexive(&Term::prim(Prim::Number, [set.clone()]));
        }
        let refuse = || Refusal::new("even", format!("{set} is not the Basket with some cards"));
        let Kind::Prim(Prim::Join, arguments) = set.kind() else { return Err(refuse()) };
        let [rest, added] = &arguments[..] else { return Err(refuse()) };
        if let Kind::Prim(Prim::Single, card) = added.kind() {
            let card = card.first().ok_or_else(refuse)?;
            let new = self.not_in(card, rest)?;
            let axiom = theory.axiom("number-add", &[Ty::Flower])?;
            let more = prover.at(&axiom, &[rest.clone(), card.clone()])?.apply(&new)?;
            let inner = self.count(rest)?;
            return more.transitive(
                &prover.inside(&inner, &|hole| Term::prim(Prim::WrapAdd, [hole.clone(), Term::int(1)]))?,
            );
        }
        let (_, apart) = self.sources.iter().find(|(source, _)| source == added).ok_or_else(refuse)?;
        if *rest != self.basket {
            return Err(refuse());
        }
        let swap =
            prover.at(&theory.axiom("meet-commutative", &[Ty::Flower])?, &[rest.clone(), added.clone()])?;
        let empty = Term::empty_set(Ty::Flower);
        let apart = prover
            .inside(&swap, &|hole| Term::prim(Prim::Eq, [hole.clone(), empty.clone()]))?
            .transitive(apart)?;
        let axiom = theory.axiom("number-disjoint", &[Ty::Flower])?;
        let sum = prover.at(&axiom, &[rest.clone(), added.clone()])?.apply(&apart)?;
        let known = self.known_number(added)?;
        let number = Term::prim(Prim::Number, [rest.clone()]);
        sum.transitive(
            &prover.inside(&known, &|hole| Term::prim(Prim::WrapAdd, [number.clone(), hole.clone()]))?,
        )
    }

    /// `Number(T) = 3`, from the fact that the test says so.
    fn known_number(&self, set: &Term) -> Proof {
        let prover = self.prover;
        let number = Term::prim(Prim::Number, [set.clone()]);
        for fact in &self.facts.equations {
            let (_, test, truth) = fact.equation()?;
            if let Kind::Prim(Prim::Eq, sides) = test.kind()
                && sides[0] == number
                && *truth == Term::bool(true)
            {
                let axiom = prover.theory().axiom("equal", &[Ty::Int])?;
                return prover.at(&axiom, &[number, sides[1].clone()])?.apply(fact);
            }
        }
        Err(Refusal::new("even", format!("the number of {set} is not known")))
    }

    /// `(c in S) = false`.
    fn not_in(&self, card: &Term, set: &Term) -> Proof {
        let mut facts = self.with_membership()?;
        if *card != self.card {
            for fact in self.taken(card)? {
                facts.equations.push(fact);
            }
        }
        self.prover.decide(&holds_in(card, set), &Term::bool(false), &facts, 4)
    }

    /// Of a card taken from a source: it is not in the Basket, and it is not the card played.
    fn taken(&self, card: &Term) -> Result<Vec<Theorem>, Refusal> {
        let prover = self.prover;
        let theory = prover.theory();
        let mut found = Vec::new();
        for (source, apart) in &self.sources {
            let member = Formula::holds(holds_in(card, source));
            let Some(fact) = self.facts.equations.iter().find(|fact| *fact.conclusion() == member) else {
                continue;
            };
            let axiom = theory.axiom("in-disjoint", &[Ty::Flower])?;
            let at = prover.at(&axiom, &[source.clone(), self.basket.clone(), card.clone()])?;
            found.push(at.apply(apart)?.apply(fact)?);
            // If they were the same card, it would be in the source, and it is not.
            let not_played = outside(&self.card, source);
            let away = self
                .facts
                .equations
                .iter()
                .find(|fact| *fact.conclusion() == not_played)
                .ok_or_else(|| Refusal::new("even", format!("{not_played} is not assumed")))?;
            let same = Term::prim(Prim::Eq, [card.clone(), self.card.clone()]);
            let goal = Formula::Eq(Ty::Bool, same.clone(), Term::bool(false));
            found.push(prover.boolean_cases(
                &same,
                &mut |b, hypothesis| {
                    if !b {
                        return Ok(hypothesis.clone());
                    }
                    let equal = theory.axiom("equal", &[Ty::Flower])?;
                    let equal = prover.at(&equal, &[card.clone(), self.card.clone()])?.apply(hypothesis)?;
                    let moved = prover.inside(&equal, &|hole| holds_in(hole, source))?;
                    let clash = fact.symmetric()?.transitive(&moved)?.transitive(away)?;
                    prover.absurd(&clash, &goal)
                },
                &mut |hypothesis| prover.impossible(hypothesis, &goal),
            )?);
        }
        Ok(found)
    }

    /// From `n = Number(basket) +w k` with an even `k` up to 4: `n mod 2 = Number(basket) mod 2`.
    fn same_parity(&self, counted: &Theorem) -> Proof {
        let prover = self.prover;
        let theory = prover.theory();
        let halves = |term: &Term| Term::prim(Prim::Mod, [term.clone(), Term::int(2)]);
        let sum = counted.equation()?.2.clone();
        let whole = prover.inside(counted, &|hole| halves(hole))?;
        let base = Term::prim(Prim::Number, [self.basket.clone()]);
        let mut twos = base;
        for _ in 0..3 {
            if let Ok(ring) = theory.ring(&sum, &twos, &[]) {
                let mut axiom = Simplifier::default();
                axiom.add_pattern(prover, &theory.axiom("mod-two", &[])?)?;
                let whole = whole.transitive(&prover.inside(&ring, &|hole| halves(hole))?)?;
                return whole.transitive(&axiom.simplify(prover, whole.equation()?.2)?);
            }
            twos = Term::prim(Prim::WrapAdd, [twos, Term::int(2)]);
        }
        Err(Refusal::new("even", format!("{sum} is not known to be even")))
    }
}

/// A lookup in a table, outside binders.
fn lookup(term: &Term) -> Option<(Term, Term)> {
    if let Kind::Prim(Prim::MapGet, arguments) = term.kind()
        && let Kind::Prim(Prim::Tabulate(_), _) = arguments[0].kind()
    {
        return Some((arguments[0].clone(), arguments[1].clone()));
    }
    let mut found = None;
    term.kind().each_part(&mut |part, binders| {
        if found.is_none() && binders == 0 {
            found = lookup(part);
        }
    });
    found
}

//! Each flower at one place: moving cards, as the programs write it, keeps the number of places at which a flower lies.

use super::Prover;
use super::execute::Facts;
use crate::core::prim::Prim;
use crate::core::term::{Hint, Kind, Term};
use crate::core::ty::Ty;
use crate::kernel::formula::{Formula, probe};
use crate::kernel::rules::{Proof, Refusal, Theorem};

/// `Number({p : Place | a in bouquet(p)})`.
pub fn places_of(flower: &Term, bouquet: &Term) -> Term {
    let lies =
        Term::prim(Prim::In, [flower.lift(1), Term::prim(Prim::MapGet, [bouquet.lift(1), Term::bound(0)])]);
    let all = Term::prim(Prim::All(Ty::Place), []);
    Term::prim(Prim::Number, [Term::filter(Hint::from("p"), Ty::Place, all, lies)])
}

impl Prover {
    /// `forall parameters s a. places(a, s) = 1 => places(a, P(parameters)(s)) = 1` for a procedure that sets `bouquet` to
    /// `map p : Place => if p = q then bouquet(p) join S else bouquet(p) minus S`.
    ///
    /// # Errors
    /// When the procedure is of another form.
    pub fn one_place(&self, procedure: &str) -> Proof {
        let theory = self.theory();
        let module = theory.module();
        let definition = module
            .get(procedure)
            .ok_or_else(|| Refusal::new("one-place", format!("{procedure} is not defined")))?;
        let (call, variables) = self.call(&definition.name, &definition.body);
        let refuse = || Refusal::new("one-place", format!("{procedure} is not of the form of Move"));
        let [(_, _, moved), (_, Ty::Place, place), (_, _, start)] = &variables[..] else {
            return Err(refuse());
        };
        let (a_name, a) = self.fresh("a", &Ty::Flower);
        let before = places_of(&a, &Term::field(start.clone(), "bouquet"));
        let after = places_of(&a, &Term::field(call.clone(), "bouquet"));
        let guard = Formula::Eq(Ty::Int, before.clone(), Term::int(1));
        let facts = Facts { unfold: vec![procedure.to_owned()], ..Facts::default() };
        let ends = facts.simplifier(self)?.simplify(self, &Term::field(call, "bouquet"))?;
        let table = ends.equation()?.2.clone();
        let Kind::Prim(Prim::Tabulate(Ty::Place), arguments) = table.kind() else { return Err(refuse()) };
        let map = Ty::map(Ty::Place, Ty::set(Ty::Flower));
        // get(tabulate f, k) = f(k): the table is evidently defined.
        let axiom =
            theory.axiom("get-tabulate", &[Ty::Place, Ty::set(Ty::Flower)])?.specialize(&arguments[0])?;
        let defined = theory.beta(&probe(&table, &map), &[])?;
        let (p_name, p) = self.fresh("p", &Ty::Place);
        let looked_up = axiom.specialize(&p)?.apply(&defined)?;
        // Whether the flower is among those moved decides; either way the test at p becomes simple.
        let among = self.among(&a, moved)?;
        let goal = Formula::Eq(Ty::Int, after.clone(), Term::int(1));
        let proof = self.boolean_cases(
            &among,
            &mut |b, hypothesis| {
                let lies =
                    Term::prim(Prim::In, [a.clone(), Term::prim(Prim::MapGet, [table.clone(), p.clone()])]);
                let simple = if b {
                    Term::prim(Prim::Eq, [p.clone(), place.clone()])
                } else {
                    let old = Term::prim(Prim::MapGet, [Term::field(start.clone(), "bouquet"), p.clone()]);
                    Term::prim(Prim::In, [a.clone(), old])
                };
                let facts = Facts { patterns: self.membership()?, ..Facts::default() };
                let test = self.decide(&lies, &simple, &facts.with(hypothesis).with(&looked_up), 6)?;
                let step = self.filter_by(&test, &p_name, &p)?;
                let there = self.inside(&ends, &|hole| places_of(&a, hole))?;
                let chain = there.transitive(&step)?;
                let last = if b {
                    theory.axiom("number-one", &[Ty::Place])?.specialize(place)?
                } else {
                    theory.assume(&guard)?
                };
                chain.transitive(&last)
            },
            &mut |hypothesis| self.impossible(hypothesis, &goal),
        )?;
        let mut theorem = proof.discharge(&guard)?.generalize(&a_name, &Ty::Flower)?;
        for (name, ty, _) in variables.iter().rev() {
            theorem = theorem.generalize(name, ty)?;
        }
        Ok(theorem)
    }

    /// `a in S`, or `a = b` for a single flower.
    fn among(&self, a: &Term, moved: &Term) -> Result<Term, Refusal> {
        Ok(match self.type_of(moved)? {
            Ty::Flower => Term::prim(Prim::Eq, [a.clone(), moved.clone()]),
            _ => Term::prim(Prim::In, [a.clone(), moved.clone()]),
        })
    }

    /// The axioms of membership for flowers.
    ///
    /// # Errors
    /// Never.
    pub fn membership(&self) -> Result<Vec<Theorem>, Refusal> {
        let names = ["in-join", "in-minus", "in-meet", "in-single", "in-empty"];
        names.iter().map(|name| self.theory().axiom(name, &[Ty::Flower])).collect()
    }

    /// From `test = test'` at a variable `p`: `Number({p : Place | test}) = Number({p : Place | test'})`.
    fn filter_by(&self, test: &Theorem, p_name: &crate::core::ty::Name, p: &Term) -> Proof {
        let (kept_name, kept) = self.fresh("kept", &Ty::set(Ty::Place));
        let joined = Term::prim(Prim::Join, [kept.clone(), Term::prim(Prim::Single, [p.clone()])]);
        let step =
            self.inside(test, &|hole| Term::if_then_else(hole.clone(), joined.clone(), kept.clone()))?;
        let step =
            step.under_lambda(&[(p_name.clone(), Ty::Place), (kept_name.clone(), Ty::set(Ty::Place))])?;
        let all = Term::prim(Prim::All(Ty::Place), []);
        self.inside(&step, &|hole| {
            let fold = Term::prim(Prim::Fold, [all.clone(), Term::empty_set(Ty::Place), hole.clone()]);
            Term::prim(Prim::Number, [fold])
        })
    }
}

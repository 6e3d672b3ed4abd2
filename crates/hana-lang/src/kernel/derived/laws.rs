//! Laws of statements, for every state type: skip, sequence, while.

use super::Prover;
use super::rewrite::Simplifier;
use crate::core::term::{Hint, Kind, Term};
use crate::core::ty::Ty;
use crate::kernel::rules::{Proof, Refusal};

/// Statements over a state type as functions of the state.
#[derive(Debug, Clone)]
pub struct Statements {
    /// The state.
    pub state: Ty,
}

impl Statements {
    /// `(State -> State)`.
    pub fn ty(&self) -> Ty {
        Ty::fun([self.state.clone()], self.state.clone())
    }

    /// `(State -> Bool)`.
    pub fn test(&self) -> Ty {
        Ty::fun([self.state.clone()], Ty::Bool)
    }

    fn lambda(&self, body: Term) -> Term {
        Term::lam([(Hint::from("s"), self.state.clone())], body)
    }

    /// `[]`.
    pub fn skip(&self) -> Term {
        self.lambda(Term::bound(0))
    }

    /// `one; two`.
    pub fn sequence(&self, one: &Term, two: &Term) -> Term {
        self.lambda(Term::app(two.lift(1), [Term::app(one.lift(1), [Term::bound(0)])]))
    }

    /// `if test then yes else no`.
    pub fn choose(&self, test: &Term, yes: &Term, no: &Term) -> Term {
        let [test, yes, no] = [test, yes, no].map(|part| Term::app(part.lift(1), [Term::bound(0)]));
        self.lambda(Term::if_then_else(test, yes, no))
    }

    /// `while test do body`.
    pub fn repeat(&self, test: &Term, body: &Term) -> Term {
        let again = Term::app(Term::bound(1), [Term::app(body.lift(2), [Term::bound(0)])]);
        let step = Term::if_then_else(Term::app(test.lift(2), [Term::bound(0)]), again, Term::bound(0));
        Term::fix(Hint::from("w"), self.ty(), self.lambda(step))
    }
}

impl Prover {
    /// From `t = t'` and `u = t'`: `t = u`.
    fn meet(&self, one: &Term, two: &Term, simplifier: &Simplifier) -> Proof {
        let (left, right) = (simplifier.simplify(self, one)?, simplifier.simplify(self, two)?);
        left.transitive(&right.symmetric()?)
    }

    /// `(lambda s. s)(t) = t`, for any `t`: bottom and Err included.
    ///
    /// # Errors
    /// When the term has no type.
    pub fn identity(&self, statements: &Statements, term: &Term) -> Proof {
        let skip = statements.skip();
        let apply = |hole: &Term| Term::app(skip.clone(), [hole.clone()]);
        self.bind(term, &apply, &Term::clone, &mut |value, _| self.theory().beta(&apply(value), &[]))
    }

    /// `forall S. []; S = S`.
    ///
    /// # Errors
    /// Never for a well-formed state type.
    pub fn skip_first(&self, statements: &Statements) -> Proof {
        let (name, s) = (std::sync::Arc::<str>::from("S"), Term::free("S", statements.ty()));
        let left = Simplifier::new().deeply().simplify(self, &statements.sequence(&statements.skip(), &s))?;
        left.transitive(&self.theory().eta(&s)?)?.generalize(&name, &statements.ty())
    }

    /// `forall S. S; [] = S`.
    ///
    /// # Errors
    /// Never for a well-formed state type.
    pub fn skip_last(&self, statements: &Statements) -> Proof {
        let s = Term::free("S", statements.ty());
        let (name, state) = self.fresh("s", &statements.state);
        let identity = self.identity(statements, &Term::app(s.clone(), [state]))?;
        let left = identity.under_lambda(&[(name, statements.state.clone())])?;
        left.transitive(&self.theory().eta(&s)?)?.generalize(&"S".into(), &statements.ty())
    }

    /// `forall S R Q. (S; R); Q = S; (R; Q)`.
    ///
    /// # Errors
    /// Never for a well-formed state type.
    pub fn associative(&self, statements: &Statements) -> Proof {
        let ty = statements.ty();
        let [s, r, q] = ["S", "R", "Q"].map(|name| Term::free(name, ty.clone()));
        let (name, state) = self.fresh("s", &statements.state);
        let first = Term::app(s.clone(), [state.clone()]);
        let apply = |f: &Term, x: &Term| Term::app(f.clone(), [x.clone()]);
        let left = |hole: &Term| apply(&q, &apply(&r, hole));
        let both = statements.sequence(&r, &q);
        let right = |hole: &Term| apply(&both, hole);
        let middle = self.bind(&first, &left, &right, &mut |value, _| {
            self.theory().beta(&right(value), &[])?.symmetric()
        })?;
        let middle = middle.under_lambda(&[(name, statements.state.clone())])?;
        let begin = statements.sequence(&statements.sequence(&s, &r), &q);
        let begin = Simplifier::new().deeply().simplify(self, &begin)?;
        let whole = begin.transitive(&middle)?;
        ["Q", "R", "S"].iter().try_fold(whole, |theorem, name| theorem.generalize(&(*name).into(), &ty))
    }

    /// `forall b S. while b do S = if b then begin S; while b do S end else []`.
    ///
    /// # Errors
    /// Never for a well-formed state type.
    pub fn while_unfolds(&self, statements: &Statements) -> Proof {
        let (b, s) = (Term::free("b", statements.test()), Term::free("S", statements.ty()));
        let repeat = statements.repeat(&b, &s);
        let left = self.theory().unfold_fix(&repeat)?;
        let right = statements.choose(&b, &statements.sequence(&s, &repeat), &statements.skip());
        let right = Simplifier::new().deeply().simplify(self, &right)?;
        let whole = left.transitive(&right.symmetric()?)?;
        whole.generalize(&"S".into(), &statements.ty())?.generalize(&"b".into(), &statements.test())
    }

    /// `forall S. while false do S = []`.
    ///
    /// # Errors
    /// Never for a well-formed state type.
    pub fn while_false(&self, statements: &Statements) -> Proof {
        let s = Term::free("S", statements.ty());
        let never = Term::lam([(Hint::from("s"), statements.state.clone())], Term::bool(false));
        let repeat = statements.repeat(&never, &s);
        let left = self.theory().unfold_fix(&repeat)?;
        let simpler = Simplifier::new().deeply().simplify(self, left.equation()?.2)?;
        left.transitive(&simpler)?.generalize(&"S".into(), &statements.ty())
    }

    /// `t = u` when both simplify to one term.
    ///
    /// # Errors
    /// When they do not.
    pub fn by_simplification(&self, one: &Term, two: &Term, simplifier: &Simplifier) -> Proof {
        self.meet(one, two, simplifier)
    }
}

/// The body of a `while` as the elaborator writes it: test, statement and rest of `fix w. lambda s. if b then w(S s) else s`.
///
/// # Errors
/// When the term has another form.
pub fn parts_of_loop(term: &Term) -> Result<(&Term, &Term, &Term), Refusal> {
    if let Kind::Fix(_, _, lambda) = term.kind()
        && let Kind::Lam(_, body) = lambda.kind()
        && let Kind::If(test, again, rest) = body.kind()
    {
        return Ok((test, again, rest));
    }
    Err(Refusal::new("loop", format!("{term} is not a while loop")))
}

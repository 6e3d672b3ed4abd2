//! Formulas: `t <= u` in the information order (printed `t << u`), `t = u` (printed `t == u`), conjunction, `forall x : T` over *values*, and a guard
//! `phi => psi`. Terms inside may be bottom or Err; variables never are.

use crate::core::term::{Hint, Kind, Term};
use crate::core::ty::{Name, Ty};
use std::fmt;
use std::sync::Arc;

/// A formula. Quantified variables are indices, shared with the terms inside.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Formula {
    /// `t <= u` at a type.
    Le(Ty, Term, Term),
    /// `t = u` at a type.
    Eq(Ty, Term, Term),
    /// Both.
    And(Arc<Formula>, Arc<Formula>),
    /// For all values of the type; binds one index.
    Forall(Hint, Ty, Arc<Formula>),
    /// A guard: if the first holds, so does the second.
    Implies(Arc<Formula>, Arc<Formula>),
}

impl Formula {
    /// `test = true`.
    pub fn holds(test: Term) -> Formula {
        Formula::Eq(Ty::Bool, test, Term::bool(true))
    }

    /// `true = false`.
    pub fn absurd() -> Formula {
        Formula::Eq(Ty::Bool, Term::bool(true), Term::bool(false))
    }

    /// `term` is a value: applying `lambda x. true` to it gives true, not bottom and not Err.
    pub fn defined(term: &Term, ty: &Ty) -> Formula {
        Formula::holds(probe(term, ty))
    }

    /// `term` is not bottom: it ends, in a value or in a fault.
    pub fn ends(term: &Term, ty: &Ty) -> Formula {
        let bottom = Formula::Eq(ty.clone(), term.clone(), Term::bottom(ty.clone()));
        bottom.implies(Formula::absurd())
    }

    /// `self => then`.
    #[must_use]
    pub fn implies(self, then: Formula) -> Formula {
        Formula::Implies(Arc::new(self), Arc::new(then))
    }

    /// `self` and `other`.
    #[must_use]
    pub fn and(self, other: Formula) -> Formula {
        Formula::And(Arc::new(self), Arc::new(other))
    }

    /// `forall name : ty. self`, over the free variable of that name and type.
    #[must_use]
    pub fn forall(self, name: &str, ty: &Ty) -> Formula {
        let closed = self.close(&Name::from(name), ty);
        Formula::Forall(Hint::from(name), ty.clone(), Arc::new(closed))
    }

    /// The same formula with every term changed; the number says how many quantifiers are above it.
    pub fn map_terms(&self, depth: u32, change: &dyn Fn(&Term, u32) -> Term) -> Formula {
        match self {
            Formula::Le(ty, one, two) => Formula::Le(ty.clone(), change(one, depth), change(two, depth)),
            Formula::Eq(ty, one, two) => Formula::Eq(ty.clone(), change(one, depth), change(two, depth)),
            Formula::And(one, two) => one.map_terms(depth, change).and(two.map_terms(depth, change)),
            Formula::Forall(name, ty, body) => {
                Formula::Forall(name.clone(), ty.clone(), Arc::new(body.map_terms(depth + 1, change)))
            }
            Formula::Implies(one, two) => one.map_terms(depth, change).implies(two.map_terms(depth, change)),
        }
    }

    /// Calls `visit` with every term.
    pub fn each_term(&self, visit: &mut dyn FnMut(&Term)) {
        match self {
            Formula::Le(_, one, two) | Formula::Eq(_, one, two) => {
                visit(one);
                visit(two);
            }
            Formula::And(one, two) | Formula::Implies(one, two) => {
                one.each_term(visit);
                two.each_term(visit);
            }
            Formula::Forall(_, _, body) => body.each_term(visit),
        }
    }

    /// The body of a quantifier at a term without loose indices.
    #[must_use]
    pub fn open(&self, value: &Term) -> Formula {
        self.map_terms(0, &|term, depth| term.open_from(depth, std::slice::from_ref(value)))
    }

    /// Makes a free variable the index of a new quantifier.
    #[must_use]
    pub fn close(&self, name: &Name, ty: &Ty) -> Formula {
        let frees = [(name.clone(), ty.clone())];
        self.map_terms(0, &|term, depth| term.close_from(depth, &frees))
    }

    /// Replaces a free variable by a term without loose indices.
    #[must_use]
    pub fn substitute(&self, name: &Name, ty: &Ty, value: &Term) -> Formula {
        self.close(name, ty).open(value)
    }

    /// Whether the free variable occurs.
    pub fn has_free(&self, name: &Name, ty: &Ty) -> bool {
        let mut found = false;
        self.each_term(&mut |term| found = found || term.has_free(name, ty));
        found
    }

    /// Scott induction on the variable is allowed: it occurs in no guard. Inequations and equations of continuous
    /// terms, conjunctions and quantifications of them are then closed under least upper bounds of chains.
    pub fn is_admissible(&self, name: &Name, ty: &Ty) -> bool {
        match self {
            Formula::Le(..) | Formula::Eq(..) => true,
            Formula::And(one, two) => one.is_admissible(name, ty) && two.is_admissible(name, ty),
            Formula::Forall(_, _, body) => body.is_admissible(name, ty),
            Formula::Implies(guard, body) => !guard.has_free(name, ty) && body.is_admissible(name, ty),
        }
    }
}

/// `(lambda x : ty. true)(term)`: true for values, bottom and Err for themselves.
pub fn probe(term: &Term, ty: &Ty) -> Term {
    Term::app(Term::lam([(Hint::from("x"), ty.clone())], Term::bool(true)), [term.clone()])
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Formula::Le(_, one, two) => write!(f, "{} << {}", Side(one), Side(two)),
            Formula::Eq(_, one, two) => write!(f, "{} == {}", Side(one), Side(two)),
            Formula::And(one, two) => write!(f, "({one}) and ({two})"),
            Formula::Forall(name, ty, body) => {
                let name = fresh(&name.0, body);
                write!(f, "forall {name} : {ty}. {}", body.open(&Term::free(name.as_str(), ty.clone())))
            }
            Formula::Implies(one, two) => match &**one {
                Formula::Implies(..) | Formula::Forall(..) => write!(f, "({one}) => {two}"),
                _ => write!(f, "{one} => {two}"),
            },
        }
    }
}

/// A side of an equation: brackets around what binds less than an equation.
struct Side<'a>(&'a Term);

impl fmt::Display for Side<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        let brackets = match self.0.kind() {
            Kind::Lam(..) | Kind::Fix(..) | Kind::If(..) => true,
            Kind::App(..) => text.starts_with("let "),
            Kind::Prim(prim, _) => prim.is_infix(),
            _ => false,
        };
        if brackets { write!(f, "({text})") } else { f.write_str(&text) }
    }
}

/// A name that no free variable of the formula has.
fn fresh(name: &str, formula: &Formula) -> String {
    fn uses(term: &Term, name: &str) -> bool {
        match term.kind() {
            Kind::Free(other, _) => &**other == name,
            kind => {
                let mut found = false;
                kind.each_part(&mut |part, _| found = found || uses(part, name));
                found
            }
        }
    }
    let mut name = name.to_owned();
    loop {
        let mut clash = false;
        formula.each_term(&mut |term| clash = clash || uses(term, &name));
        if !clash {
            return name;
        }
        name.push('\'');
    }
}

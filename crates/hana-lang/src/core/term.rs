//! Terms of the core calculus. Bound variables are indices, so terms equal up to bound names are equal; free
//! variables carry their type. Nodes are shared, and each knows its depth, its hash and how far its loose
//! indices reach, so that substitution skips what it cannot touch.

use super::prim::Prim;
use super::ty::{Name, Ty};
use super::value::{Set, Value};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The deepest term that traversals accept; what is deeper is refused by the elaborator and the checker.
pub const DEPTH_LIMIT: u32 = 1_000;

/// The largest term, written out, that the checker accepts.
pub const SIZE_LIMIT: u64 = 2_000_000;

/// A remark that does not take part in equality: the printed name of a bound variable, the place of an assertion.
#[derive(Clone)]
pub struct Hint(pub Name);

impl PartialEq for Hint {
    fn eq(&self, _: &Hint) -> bool {
        true
    }
}
impl Eq for Hint {}
impl Hash for Hint {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
impl fmt::Debug for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}
impl From<&str> for Hint {
    fn from(text: &str) -> Hint {
        Hint(text.into())
    }
}

/// The parameter of a lambda.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Param {
    /// Its printed name.
    pub name: Hint,
    /// Its type.
    pub ty: Ty,
}

/// The forms of terms.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A bound variable: 0 is the last parameter of the innermost binder.
    Bound(u32),
    /// A free variable; it ranges over the *values* of its type.
    Free(Name, Ty),
    /// A definition of the module.
    Global(Name),
    /// A value of a ground type.
    Const(Value, Ty),
    /// `lambda (x1 : T1, ...). body`; the last parameter is index 0 in the body.
    Lam(Arc<[Param]>, Term),
    /// `f(e1, ..., en)`: all arguments of the list at once, call by value, function first, then left to right.
    App(Term, Arc<[Term]>),
    /// `{v1 = e1, ...}`.
    Record(Arc<[(Name, Term)]>),
    /// `e.v`.
    Field(Term, Name),
    /// `e{v = e'}`: the record with one field replaced.
    With(Term, Name, Term),
    /// `if b then e1 else e2`.
    If(Term, Term, Term),
    /// `fix f : T. lambda ...`; binds one index.
    Fix(Hint, Ty, Term),
    /// A primitive with all its arguments, strict in each, left to right.
    Prim(Prim, Arc<[Term]>),
    /// Non-termination.
    Bottom(Ty),
    /// A detected fault, with a remark for people.
    Err(Ty, Hint),
}

#[derive(Debug)]
struct Node {
    kind: Kind,
    depth: u32,
    /// All loose indices are below this.
    loose: u32,
    /// Nodes of the term written out, shared parts counted each time.
    size: u64,
    hash: u64,
}

/// A term; cloning shares it.
#[derive(Clone)]
pub struct Term(Arc<Node>);

impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || (self.0.hash == other.0.hash && self.0.kind == other.0.kind)
    }
}
impl Eq for Term {}
impl Hash for Term {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}
impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0.kind, f)
    }
}

impl Kind {
    /// Calls `visit` with every immediate part and the number of binders above it.
    pub(crate) fn each_part(&self, visit: &mut dyn FnMut(&Term, u32)) {
        match self {
            Kind::Bound(_)
            | Kind::Free(..)
            | Kind::Global(_)
            | Kind::Const(..)
            | Kind::Bottom(_)
            | Kind::Err(..) => {}
            Kind::Lam(params, body) => visit(body, params.len() as u32),
            Kind::App(function, arguments) => {
                visit(function, 0);
                arguments.iter().for_each(|argument| visit(argument, 0));
            }
            Kind::Record(fields) => fields.iter().for_each(|(_, field)| visit(field, 0)),
            Kind::Field(record, _) => visit(record, 0),
            Kind::With(record, _, value) => {
                visit(record, 0);
                visit(value, 0);
            }
            Kind::If(test, yes, no) => {
                visit(test, 0);
                visit(yes, 0);
                visit(no, 0);
            }
            Kind::Fix(_, _, body) => visit(body, 1),
            Kind::Prim(_, arguments) => arguments.iter().for_each(|argument| visit(argument, 0)),
        }
    }

    /// The same form with every immediate part replaced.
    pub(crate) fn map_parts(&self, change: &mut dyn FnMut(&Term, u32) -> Term) -> Kind {
        match self {
            Kind::Bound(_)
            | Kind::Free(..)
            | Kind::Global(_)
            | Kind::Const(..)
            | Kind::Bottom(_)
            | Kind::Err(..) => self.clone(),
            Kind::Lam(params, body) => Kind::Lam(params.clone(), change(body, params.len() as u32)),
            Kind::App(function, arguments) => {
                let function = change(function, 0);
                Kind::App(function, arguments.iter().map(|argument| change(argument, 0)).collect())
            }
            Kind::Record(fields) => {
                Kind::Record(fields.iter().map(|(name, field)| (name.clone(), change(field, 0))).collect())
            }
            Kind::Field(record, name) => Kind::Field(change(record, 0), name.clone()),
            Kind::With(record, name, value) => {
                let record = change(record, 0);
                Kind::With(record, name.clone(), change(value, 0))
            }
            Kind::If(test, yes, no) => {
                let test = change(test, 0);
                let yes = change(yes, 0);
                Kind::If(test, yes, change(no, 0))
            }
            Kind::Fix(name, ty, body) => Kind::Fix(name.clone(), ty.clone(), change(body, 1)),
            Kind::Prim(prim, arguments) => {
                Kind::Prim(prim.clone(), arguments.iter().map(|argument| change(argument, 0)).collect())
            }
        }
    }
}

impl From<Kind> for Term {
    fn from(kind: Kind) -> Term {
        let (mut depth, mut size) = (0, 1_u64);
        let mut loose = match kind {
            Kind::Bound(index) => index.saturating_add(1),
            _ => 0,
        };
        kind.each_part(&mut |part, binders| {
            depth = depth.max(part.depth().saturating_add(1));
            size = size.saturating_add(part.size());
            loose = loose.max(part.loose().saturating_sub(binders));
        });
        let mut hasher = rustc_hash::FxHasher::default();
        kind.hash(&mut hasher);
        Term(Arc::new(Node { depth, loose, size, hash: hasher.finish(), kind }))
    }
}

/// Building terms. None of these checks types: the checker of the core does.
impl Term {
    /// The form of the term.
    pub fn kind(&self) -> &Kind {
        &self.0.kind
    }

    /// The longest way from the root to a leaf.
    pub fn depth(&self) -> u32 {
        self.0.depth
    }

    /// All loose indices are below this; 0 for a term that is closed up to free variables.
    pub fn loose(&self) -> u32 {
        self.0.loose
    }

    /// Nodes of the term written out: shared parts count each time they occur.
    pub fn size(&self) -> u64 {
        self.0.size
    }

    /// Whether the term is too deep for the traversals of this crate.
    pub fn too_deep(&self) -> bool {
        self.depth() > DEPTH_LIMIT
    }

    /// A bound variable.
    pub fn bound(index: u32) -> Term {
        Kind::Bound(index).into()
    }

    /// A free variable.
    pub fn free(name: impl Into<Name>, ty: Ty) -> Term {
        Kind::Free(name.into(), ty).into()
    }

    /// A definition of the module.
    pub fn global(name: impl Into<Name>) -> Term {
        Kind::Global(name.into()).into()
    }

    /// A value of a ground type.
    pub fn constant(value: Value, ty: Ty) -> Term {
        Kind::Const(value, ty).into()
    }

    /// A truth value.
    pub fn bool(b: bool) -> Term {
        Term::constant(Value::Bool(b), Ty::Bool)
    }

    /// An integer.
    pub fn int(n: i64) -> Term {
        Term::constant(Value::Int(n), Ty::Int)
    }

    /// `{} : set element`.
    pub fn empty_set(element: Ty) -> Term {
        Term::constant(Value::Set(Set::empty(&element)), Ty::set(element))
    }

    /// `lambda (params). body` over a body that already uses indices (last parameter 0).
    pub fn lam(params: impl IntoIterator<Item = (Hint, Ty)>, body: Term) -> Term {
        let params = params.into_iter().map(|(name, ty)| Param { name, ty }).collect();
        Kind::Lam(params, body).into()
    }

    /// `lambda (params). body` over a body in which the parameters are free variables of these names and types.
    pub fn lambda(params: &[(&str, Ty)], body: &Term) -> Term {
        let frees: Vec<(Name, Ty)> =
            params.iter().map(|(name, ty)| (Name::from(*name), ty.clone())).collect();
        let body = body.close(&frees);
        Term::lam(params.iter().map(|(name, ty)| (Hint::from(*name), ty.clone())), body)
    }

    /// `f(arguments)`.
    pub fn app(function: Term, arguments: impl IntoIterator<Item = Term>) -> Term {
        Kind::App(function, arguments.into_iter().collect()).into()
    }

    /// `let name = value in body` as `(lambda name. body)(value)`, over a body that uses index 0.
    pub fn let_in(name: Hint, ty: Ty, value: Term, body: Term) -> Term {
        Term::app(Term::lam([(name, ty)], body), [value])
    }

    /// A record.
    pub fn record(fields: impl IntoIterator<Item = (Name, Term)>) -> Term {
        Kind::Record(fields.into_iter().collect()).into()
    }

    /// `record.name`.
    pub fn field(record: Term, name: impl Into<Name>) -> Term {
        Kind::Field(record, name.into()).into()
    }

    /// `record{name = value}`.
    pub fn with(record: Term, name: impl Into<Name>, value: Term) -> Term {
        Kind::With(record, name.into(), value).into()
    }

    /// `if test then yes else no`.
    pub fn if_then_else(test: Term, yes: Term, no: Term) -> Term {
        Kind::If(test, yes, no).into()
    }

    /// `one & two`, short-circuit.
    pub fn and(one: Term, two: Term) -> Term {
        Term::if_then_else(one, two, Term::bool(false))
    }

    /// `one or two`, short-circuit.
    pub fn or(one: Term, two: Term) -> Term {
        Term::if_then_else(one, Term::bool(true), two)
    }

    /// `fix name : ty. body` over a body that uses index 0 for the fixed point; the body must be a lambda.
    pub fn fix(name: Hint, ty: Ty, body: Term) -> Term {
        Kind::Fix(name, ty, body).into()
    }

    /// A primitive with all its arguments.
    pub fn prim(prim: Prim, arguments: impl IntoIterator<Item = Term>) -> Term {
        Kind::Prim(prim, arguments.into_iter().collect()).into()
    }

    /// Non-termination at a type.
    pub fn bottom(ty: Ty) -> Term {
        Kind::Bottom(ty).into()
    }

    /// A fault at a type, with a remark.
    pub fn err(ty: Ty, remark: impl Into<Name>) -> Term {
        Kind::Err(ty, Hint(remark.into())).into()
    }
}

/// The finite folds of the surface. The bodies use index 0 for the element.
#[allow(clippy::needless_pass_by_value, reason = "builders take their parts by value, all alike")]
impl Term {
    /// `{x in set | test}`: fold that joins the elements that pass, ascending.
    pub fn filter(name: Hint, element: Ty, set: Term, test: Term) -> Term {
        let kept = Term::prim(Prim::Join, [Term::bound(0), Term::prim(Prim::Single, [Term::bound(1)])]);
        let step = Term::if_then_else(test.lift(1), kept, Term::bound(0));
        Term::fold(
            name,
            element.clone(),
            "kept",
            Ty::set(element.clone()),
            set,
            Term::empty_set(element),
            step,
        )
    }

    /// `E x in set [test]`: fold of `or`; after the first hit nothing more is evaluated.
    pub fn exists(name: Hint, element: Ty, set: Term, test: Term) -> Term {
        let step = Term::or(Term::bound(0), test.lift(1));
        Term::fold(name, element, "found", Ty::Bool, set, Term::bool(false), step)
    }

    /// `A x in set [test]`: fold of `&`; after the first miss nothing more is evaluated.
    pub fn every(name: Hint, element: Ty, set: Term, test: Term) -> Term {
        let step = Term::and(Term::bound(0), test.lift(1));
        Term::fold(name, element, "all", Ty::Bool, set, Term::bool(true), step)
    }

    /// `sum x in set of summand`, ascending; every partial sum must fit.
    pub fn sum(name: Hint, element: Ty, set: Term, summand: Term) -> Term {
        let step = Term::prim(Prim::Add, [Term::bound(0), summand.lift(1)]);
        Term::fold(name, element, "total", Ty::Int, set, Term::int(0), step)
    }

    /// `map x : key => value`: tabulate, ascending.
    pub fn tabulate(name: Hint, key: Ty, value: Term) -> Term {
        Term::prim(Prim::Tabulate(key.clone()), [Term::lam([(name, key)], value)])
    }

    /// `{e1, ..., en}`: singletons joined from the left.
    pub fn set_of(element: Ty, items: impl IntoIterator<Item = Term>) -> Term {
        items
            .into_iter()
            .map(|item| Term::prim(Prim::Single, [item]))
            .reduce(|set, item| Term::prim(Prim::Join, [set, item]))
            .unwrap_or_else(|| Term::empty_set(element))
    }

    /// `fold(set, start, lambda (x, acc). step)`; in the step, index 1 is the element, index 0 the accumulator.
    pub fn fold(name: Hint, element: Ty, acc: &str, ty: Ty, set: Term, start: Term, step: Term) -> Term {
        let step = Term::lam([(name, element), (Hint::from(acc), ty)], step);
        Term::prim(Prim::Fold, [set, start, step])
    }
}

/// Substitution.
impl Term {
    /// The term with all loose indices raised.
    pub fn lift(&self, by: u32) -> Term {
        if by == 0 { self.clone() } else { self.lift_above(0, by) }
    }

    fn lift_above(&self, cutoff: u32, by: u32) -> Term {
        if self.loose() <= cutoff {
            return self.clone();
        }
        match self.kind() {
            Kind::Bound(index) => Term::bound(index.saturating_add(by)),
            kind => kind.map_parts(&mut |part, binders| part.lift_above(cutoff + binders, by)).into(),
        }
    }

    /// The body of a binder with its bound variables replaced: `values` in the order of the parameters.
    pub fn open(&self, values: &[Term]) -> Term {
        self.open_at(0, values)
    }

    /// The same below `depth` binders of a formula around the term.
    pub(crate) fn open_from(&self, depth: u32, values: &[Term]) -> Term {
        self.open_at(depth, values)
    }

    /// Closing below `depth` binders of a formula around the term.
    pub(crate) fn close_from(&self, depth: u32, frees: &[(Name, Ty)]) -> Term {
        self.close_at(depth, frees)
    }

    fn open_at(&self, depth: u32, values: &[Term]) -> Term {
        if self.loose() <= depth {
            return self.clone();
        }
        match self.kind() {
            &Kind::Bound(index) => {
                let inner = index - depth;
                match values.len().checked_sub(1 + inner as usize) {
                    Some(position) => values[position].lift(depth),
                    None => Term::bound(index - values.len() as u32),
                }
            }
            kind => kind.map_parts(&mut |part, binders| part.open_at(depth + binders, values)).into(),
        }
    }

    /// Turns free variables into the indices of a new binder with these parameters, in order.
    pub fn close(&self, frees: &[(Name, Ty)]) -> Term {
        self.close_at(0, frees)
    }

    fn close_at(&self, depth: u32, frees: &[(Name, Ty)]) -> Term {
        match self.kind() {
            Kind::Free(name, ty) => {
                match frees.iter().rposition(|(other, other_ty)| other == name && other_ty == ty) {
                    Some(position) => Term::bound(depth + (frees.len() - 1 - position) as u32),
                    None => self.clone(),
                }
            }
            &Kind::Bound(index) if index >= depth => Term::bound(index + frees.len() as u32),
            Kind::Bound(_) | Kind::Global(_) | Kind::Const(..) | Kind::Bottom(_) | Kind::Err(..) => {
                self.clone()
            }
            kind => kind.map_parts(&mut |part, binders| part.close_at(depth + binders, frees)).into(),
        }
    }

    /// Replaces a free variable by a term without loose indices.
    pub fn substitute(&self, name: &Name, ty: &Ty, value: &Term) -> Term {
        self.close(&[(name.clone(), ty.clone())]).open(std::slice::from_ref(value))
    }

    /// Whether the free variable occurs.
    pub fn has_free(&self, name: &Name, ty: &Ty) -> bool {
        match self.kind() {
            Kind::Free(other, other_ty) => other == name && other_ty == ty,
            kind => {
                let mut found = false;
                kind.each_part(&mut |part, _| found = found || part.has_free(name, ty));
                found
            }
        }
    }
}

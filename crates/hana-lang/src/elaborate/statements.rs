//! [[S]]: every statement as a function from states to states.

use super::Elaborator;
use super::scope::Scope;
use crate::core::term::DEPTH_LIMIT;
use crate::core::{Hint, Name, Prim, Term};
use crate::syntax::Span;
use crate::types::ty::Ty;
use crate::types::typed::{Stmt, StmtKind};

/// The remark of a failed assertion; [`asserted`] reads the place back.
fn remark(span: Span) -> String {
    format!("assertion at {}..{}", span.start, span.end)
}

/// The place of the assertion that a fault of the reference interpreter speaks of.
#[must_use]
pub fn asserted(reason: &str) -> Option<Span> {
    let (_, place) = reason.split_once("assertion at ")?;
    let end = place.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(place.len());
    let (start, end) = place[..end].split_once("..")?;
    Some(Span { start: start.parse().ok()?, end: end.parse().ok()? })
}

impl Elaborator<'_> {
    pub(super) fn stmt(&self, stmt: &Stmt, scope: &mut Scope) -> Term {
        if self.refused(stmt.span, scope) {
            return Term::bottom(self.step_type());
        }
        match &stmt.kind {
            StmtKind::Block(stmts) => self.block(stmts, scope),
            StmtKind::While(test, body) => {
                let itself = scope.bind_unnamed();
                let step = self.step(scope, |elaborator, scope| {
                    let test = elaborator.expr(test, scope);
                    let once = Term::app(elaborator.stmt(body, scope), [scope.state()]);
                    let again = Term::app(scope.binder(itself), [once]);
                    Term::if_then_else(test, again, scope.state())
                });
                scope.unbind();
                Term::fix(Hint::from("w"), self.step_type(), step)
            }
            _ => self.step(scope, |elaborator, scope| elaborator.simple(stmt, scope)),
        }
    }

    /// `lambda s. body`.
    fn step(&self, scope: &mut Scope, body: impl FnOnce(&Self, &mut Scope) -> Term) -> Term {
        let before = scope.bind_state();
        let body = body(self, scope);
        scope.unbind_state(before);
        Term::lam([(Hint::from("s"), self.state.clone())], body)
    }

    /// Too many binders: the walk ends here, before it exhausts the stack.
    fn refused(&self, span: Span, scope: &Scope) -> bool {
        let too_many = scope.binders() > DEPTH_LIMIT / 2;
        if too_many && self.too_deep.get().is_none() {
            self.too_deep.set(Some(span));
        }
        too_many
    }

    fn block(&self, stmts: &[Stmt], scope: &mut Scope) -> Term {
        match stmts {
            [first, ..] if self.refused(first.span, scope) => Term::bottom(self.step_type()),
            [] => self.step(scope, |_, scope| scope.state()),
            [only] => self.stmt(only, scope),
            [first, rest @ ..] => self.step(scope, |elaborator, scope| {
                let first = Term::app(elaborator.stmt(first, scope), [scope.state()]);
                Term::app(elaborator.block(rest, scope), [first])
            }),
        }
    }

    /// What a statement makes of the state at hand.
    fn simple(&self, stmt: &Stmt, scope: &mut Scope) -> Term {
        match &stmt.kind {
            StmtKind::Skip | StmtKind::Block(_) | StmtKind::While(..) => scope.state(),
            StmtKind::If(test, then, otherwise) => {
                let test = self.expr(test, scope);
                let then = Term::app(self.stmt(then, scope), [scope.state()]);
                let otherwise = match otherwise {
                    Some(otherwise) => Term::app(self.stmt(otherwise, scope), [scope.state()]),
                    None => scope.state(),
                };
                Term::if_then_else(test, then, otherwise)
            }
            StmtKind::Assert(test) => {
                let fault = Term::err(self.state.clone(), remark(stmt.span).as_str());
                Term::if_then_else(self.expr(test, scope), scope.state(), fault)
            }
            StmtKind::Assign { var, value } => {
                let value = self.expr(value, scope);
                Term::with(scope.state(), self.field(*var), value)
            }
            StmtKind::Update { var, index, value } => {
                let name = self.field(*var);
                let before = Term::field(scope.state(), name.clone());
                let (index, value) = (self.expr(index, scope), self.expr(value, scope));
                let put = match self.program.vars[*var].ty {
                    Ty::Array(..) => Prim::ArraySet,
                    _ => Prim::MapSet,
                };
                Term::with(scope.state(), name, Term::prim(put, [before, index, value]))
            }
            StmtKind::Perform { procedure, args } => {
                let mut given = Vec::new();
                if self.asking[*procedure] {
                    given.push(scope.oracles());
                }
                given.extend(args.iter().map(|arg| self.expr(arg, scope)));
                let name = self.program.procedures[*procedure].name.as_str();
                Term::app(Term::app(Term::global(name), given), [scope.state()])
            }
        }
    }

    /// The field of the state that holds a variable.
    pub(super) fn field(&self, var: usize) -> Name {
        Name::from(self.program.vars[var].name.as_str())
    }
}

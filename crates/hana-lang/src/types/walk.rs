//! Walks over typed expressions: filling in types found late, and renumbering the slots of a lambda once its captures are known.

use super::ty::Ty;
use super::typed::{Bound, Expr, ExprKind, Lambda, Slot, Source, Stmt, StmtKind};
use std::sync::Arc;

impl ExprKind {
    /// The expressions directly inside, but not the body of a lambda.
    fn children_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            ExprKind::Int(_)
            | ExprKind::Flower(_)
            | ExprKind::Bool(_)
            | ExprKind::Given(_)
            | ExprKind::Local(_)
            | ExprKind::Var(_)
            | ExprKind::Const(_)
            | ExprKind::Lambda(_) => Vec::new(),
            ExprKind::Call(_, args)
            | ExprKind::Ask(_, args)
            | ExprKind::Builtin(_, args)
            | ExprKind::Extreme(_, args)
            | ExprKind::Set(args) => args.iter_mut().collect(),
            ExprKind::Apply(head, args) => std::iter::once(head.as_mut()).chain(args.iter_mut()).collect(),
            ExprKind::Not(e) | ExprKind::Negate(e) => vec![e],
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => vec![a, b],
            ExprKind::If(a, b, c) => vec![a, b, c],
            ExprKind::Let { value, body, .. } => vec![value, body],
            ExprKind::Tabulate { body, .. } => vec![body],
            ExprKind::Quantified { over, body, .. } | ExprKind::Sum { over, body, .. } => vec![over, body],
            ExprKind::Filter { over: Source::Set(over), body, .. } => vec![over, body],
            ExprKind::Filter { over: Source::All(_), body, .. } => vec![body],
        }
    }

    fn bound_mut(&mut self) -> Option<&mut Bound> {
        match self {
            ExprKind::Let { bound, .. }
            | ExprKind::Tabulate { bound, .. }
            | ExprKind::Quantified { bound, .. }
            | ExprKind::Sum { bound, .. }
            | ExprKind::Filter { bound, .. } => Some(bound),
            _ => None,
        }
    }
}

/// Replaces the type of every node, also inside lambdas.
pub(super) fn retype(expr: &mut Expr, closed: &impl Fn(&Ty) -> Ty) {
    expr.ty = closed(&expr.ty);
    if let ExprKind::Lambda(lambda) = &mut expr.kind {
        retype(&mut Arc::make_mut(lambda).body, closed);
    }
    for child in expr.kind.children_mut() {
        retype(child, closed);
    }
}

/// The same for the expressions of a statement.
pub(super) fn retype_stmt(stmt: &mut Stmt, closed: &impl Fn(&Ty) -> Ty) {
    match &mut stmt.kind {
        StmtKind::Skip => {}
        StmtKind::Block(stmts) => stmts.iter_mut().for_each(|stmt| retype_stmt(stmt, closed)),
        StmtKind::If(test, then, otherwise) => {
            retype(test, closed);
            retype_stmt(then, closed);
            if let Some(otherwise) = otherwise {
                retype_stmt(otherwise, closed);
            }
        }
        StmtKind::While(test, body) => {
            retype(test, closed);
            retype_stmt(body, closed);
        }
        StmtKind::Assert(test) => retype(test, closed),
        StmtKind::Assign { value, .. } => retype(value, closed),
        StmtKind::Update { index, value, .. } => {
            retype(index, closed);
            retype(value, closed);
        }
        StmtKind::Perform { args, .. } => args.iter_mut().for_each(|arg| retype(arg, closed)),
    }
}

/// Renumbers the slots of one frame; lambdas inside keep their own frames, but take their captures from this one.
pub(super) fn renumber(expr: &mut Expr, moved: &impl Fn(Slot) -> Slot) {
    match &mut expr.kind {
        ExprKind::Local(slot) => *slot = moved(*slot),
        ExprKind::Lambda(lambda) => {
            let lambda: &mut Lambda = Arc::make_mut(lambda);
            lambda.captures.iter_mut().for_each(|slot| *slot = moved(*slot));
        }
        _ => {}
    }
    if let Some(bound) = expr.kind.bound_mut() {
        bound.slot = moved(bound.slot);
    }
    for child in expr.kind.children_mut() {
        renumber(child, moved);
    }
}

impl Expr {
    /// Calls `visit` with this expression and everything inside it, also inside lambdas.
    pub fn each(&self, visit: &mut dyn FnMut(&Expr)) {
        visit(self);
        match &self.kind {
            ExprKind::Int(_)
            | ExprKind::Flower(_)
            | ExprKind::Bool(_)
            | ExprKind::Given(_)
            | ExprKind::Local(_)
            | ExprKind::Var(_)
            | ExprKind::Const(_) => {}
            ExprKind::Lambda(lambda) => lambda.body.each(visit),
            ExprKind::Call(_, args)
            | ExprKind::Ask(_, args)
            | ExprKind::Builtin(_, args)
            | ExprKind::Extreme(_, args)
            | ExprKind::Set(args) => args.iter().for_each(|arg| arg.each(visit)),
            ExprKind::Apply(head, args) => {
                head.each(visit);
                args.iter().for_each(|arg| arg.each(visit));
            }
            ExprKind::Not(e) | ExprKind::Negate(e) | ExprKind::Tabulate { body: e, .. } => e.each(visit),
            ExprKind::Index(a, b)
            | ExprKind::Binary(_, a, b)
            | ExprKind::Let { value: a, body: b, .. }
            | ExprKind::Quantified { over: a, body: b, .. }
            | ExprKind::Sum { over: a, body: b, .. } => {
                a.each(visit);
                b.each(visit);
            }
            ExprKind::If(a, b, c) => {
                a.each(visit);
                b.each(visit);
                c.each(visit);
            }
            ExprKind::Filter { over, body, .. } => {
                if let Source::Set(set) = over {
                    set.each(visit);
                }
                body.each(visit);
            }
        }
    }
}

impl Stmt {
    /// Calls `visit` with this statement and every statement inside it.
    pub fn each(&self, visit: &mut dyn FnMut(&Stmt)) {
        visit(self);
        match &self.kind {
            StmtKind::Block(stmts) => stmts.iter().for_each(|stmt| stmt.each(visit)),
            StmtKind::If(_, then, otherwise) => {
                then.each(visit);
                if let Some(otherwise) = otherwise {
                    otherwise.each(visit);
                }
            }
            StmtKind::While(_, body) => body.each(visit),
            _ => {}
        }
    }

    /// The expressions of this statement itself, not of statements inside it.
    #[must_use]
    pub fn exprs(&self) -> Vec<&Expr> {
        match &self.kind {
            StmtKind::Skip | StmtKind::Block(_) => Vec::new(),
            StmtKind::If(test, ..) | StmtKind::While(test, _) | StmtKind::Assert(test) => vec![test],
            StmtKind::Assign { value, .. } => vec![value],
            StmtKind::Update { index, value, .. } => vec![index, value],
            StmtKind::Perform { args, .. } => args.iter().collect(),
        }
    }
}

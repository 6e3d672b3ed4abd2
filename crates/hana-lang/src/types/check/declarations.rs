//! Declarations, parameters and types as they are written.

use super::frames::{Frame, Origin};
use super::wording::a;
use super::{Checker, Meaning};
use crate::diagnose::Diagnostic;
use crate::syntax::Span;
use crate::syntax::ast::{self, DeclKind, Group, Name, TypeKind};
use crate::types::ty::Ty;
use crate::types::typed::{Const, Function, Item, Oracle, Param, Procedure, Var};
use std::sync::Arc;

/// Values that one variable may hold at most: 48 for a map on Flower, and so on.
const MAX_CELLS: i64 = 1 << 16;
/// Places with six persons at the table.
const PLACES: i64 = 20;

impl Checker<'_> {
    pub(super) fn program(&mut self, program: &ast::Program) {
        for decl in &program.decls {
            self.declaring = match &decl.kind {
                DeclKind::Const { name, .. }
                | DeclKind::Function { name, .. }
                | DeclKind::Procedure { name, .. } => Some(name.text.clone()),
                _ => None,
            };
            match &decl.kind {
                DeclKind::Const { name, value } => self.constant(name, value),
                DeclKind::Var { names, ty } => self.variables(names, ty),
                DeclKind::Oracle { name, params, result } => self.oracle(name, params, result),
                DeclKind::Function { name, params, result, body } => {
                    self.function(name, params, result, body);
                }
                DeclKind::Procedure { name, params, body } => self.procedure(name, params, body),
            }
        }
        self.declaring = None;
        self.frames.push(Frame::default());
        if let Some(mut body) = self.stmt(&program.body) {
            self.close_stmt(&mut body);
            self.done.body = body;
        }
        self.done.slots = self.frames.pop().unwrap_or_default().most;
    }

    /// Makes a name known. Without an item it is known as broken.
    fn declare(&mut self, name: &Name, item: Option<Item>) {
        if let Some(&(meaning, before)) = self.globals.get(&name.text) {
            let mut error =
                Diagnostic::new("declaration", name.span, format!("{} is declared twice", name.text));
            if before == Span::default() {
                error.message = format!(
                    "{} is {} that every program has; choose another name",
                    name.text,
                    self.what(meaning)
                );
            } else {
                error = error.note(before, "first here");
            }
            self.error(error);
            return;
        }
        let meaning = item.map_or(Meaning::Broken, Meaning::Item);
        self.globals.insert(name.text.clone(), (meaning, name.span));
        self.done.order.extend(item);
    }

    fn constant(&mut self, name: &Name, value: &ast::Expr) {
        self.frames.push(Frame::default());
        let value = self.expr(value);
        let frame = self.frames.pop().unwrap_or_default();
        let item = value.and_then(|mut value| {
            if let Some(at) = frame.read_at {
                let source = if frame.reads.oracles { "an oracle" } else { "a variable" };
                let message = format!("the constant {} cannot depend on {source}", name.text);
                let error = Diagnostic::new("const", at, message);
                self.error(
                    error.hint(format!("what changes is a function: function {}() : ... = ...", name.text)),
                );
                return None;
            }
            self.close(&mut value);
            let constant = Const { name: name.text.clone(), value, slots: frame.most, span: name.span };
            self.done.consts.push(constant);
            Some(Item::Const(self.done.consts.len() - 1))
        });
        self.declare(name, item);
    }

    fn variables(&mut self, names: &[Name], ty: &ast::TypeExpr) {
        let at = ty.span;
        let ty = self.ty(ty).filter(|ty| self.data(ty, at, "a variable"));
        for name in names {
            let item = ty.as_ref().map(|ty| {
                self.done.vars.push(Var { name: name.text.clone(), ty: ty.clone(), span: name.span });
                Item::Var(self.done.vars.len() - 1)
            });
            self.declare(name, item);
        }
    }

    /// Data only, no functions; and not too much of it.
    fn data(&mut self, ty: &Ty, span: Span, what: &str) -> bool {
        if ty.has_function() {
            let message = format!("{what} holds data, and there is a function in {ty}");
            let error = Diagnostic::new("type", span, message).types("a type without functions", ty);
            self.error(error.hint("declare it with `function`"));
            return false;
        }
        if cells(ty) > MAX_CELLS {
            let message = format!("{ty} has more than {MAX_CELLS} places for values");
            self.error(Diagnostic::new("limit", span, message));
            return false;
        }
        true
    }

    /// Names and types of a parameter list.
    pub(super) fn params(&mut self, groups: &[Group]) -> Vec<(Name, Option<Ty>)> {
        let mut params: Vec<(Name, Option<Ty>)> = Vec::new();
        for group in groups {
            let ty = self.ty(&group.ty);
            for name in &group.names {
                if let Some((before, _)) = params.iter().find(|(before, _)| before.text == name.text) {
                    let message = format!("two parameters are called {}", name.text);
                    let error = Diagnostic::new("declaration", name.span, message);
                    let error = error.note(before.span, "first here");
                    self.error(error);
                }
                params.push((name.clone(), ty.clone()));
            }
        }
        params
    }

    /// A frame with these parameters, and the parameters if all their types are right.
    fn framed(&mut self, groups: &[Group]) -> (Frame, Option<Vec<Param>>) {
        let params = self.params(groups);
        let mut frame = Frame::default();
        for (name, ty) in &params {
            frame.bind(name, ty.clone(), Origin::Parameter);
        }
        let params = params
            .into_iter()
            .map(|(name, ty)| Some(Param { name: name.text, ty: ty?, span: name.span }))
            .collect();
        (frame, params)
    }

    fn oracle(&mut self, name: &Name, groups: &[Group], result: &ast::TypeExpr) {
        let (_, params) = self.framed(groups);
        let at = result.span;
        let result = self.ty(result).filter(|ty| self.data(ty, at, "the answer of an oracle"));
        let data = params.filter(|params| {
            params.iter().all(|param| self.data(&param.ty, param.span, "the question to an oracle"))
        });
        let item = data.zip(result).map(|(params, result)| {
            self.done.oracles.push(Oracle { name: name.text.clone(), params, result, span: name.span });
            Item::Oracle(self.done.oracles.len() - 1)
        });
        self.declare(name, item);
    }

    fn function(&mut self, name: &Name, groups: &[Group], result: &ast::TypeExpr, body: &ast::Expr) {
        let (frame, params) = self.framed(groups);
        let result = self.ty(result);
        self.frames.push(frame);
        let body = self.expr(body);
        let frame = self.frames.pop().unwrap_or_default();
        let right = body.and_then(|body| {
            let result = result.clone()?;
            self.require("function", &result, &body, |found| {
                format!("{} is to have {} as value, not {found}", name.text, a(&result))
            })?;
            Some(body)
        });
        // A function whose body is wrong is still known by its head, so that its calls are checked.
        let (Some(params), Some(result)) = (params, result) else {
            self.declare(name, None);
            return;
        };
        let mut body = right.unwrap_or_else(|| stand_in(&result, name.span));
        self.close(&mut body);
        self.done.functions.push(Function {
            name: name.text.clone(),
            params,
            body,
            slots: frame.most,
            reads: frame.reads,
            span: name.span,
        });
        self.declare(name, Some(Item::Function(self.done.functions.len() - 1)));
    }

    fn procedure(&mut self, name: &Name, groups: &[Group], body: &ast::Stmt) {
        let (frame, params) = self.framed(groups);
        self.frames.push(frame);
        let body = self.stmt(body);
        let slots = self.frames.pop().unwrap_or_default().most;
        let item = params.map(|params| {
            let skip =
                || crate::types::typed::Stmt { kind: crate::types::typed::StmtKind::Skip, span: name.span };
            let mut body = body.unwrap_or_else(skip);
            self.close_stmt(&mut body);
            self.done.procedures.push(Procedure {
                name: name.text.clone(),
                params,
                body,
                slots,
                span: name.span,
            });
            Item::Procedure(self.done.procedures.len() - 1)
        });
        self.declare(name, item);
    }

    /// The type that is written there.
    pub(super) fn ty(&mut self, ty: &ast::TypeExpr) -> Option<Ty> {
        Some(match &ty.kind {
            TypeKind::Bool => Ty::Bool,
            TypeKind::Int => Ty::Int,
            TypeKind::Flower => Ty::Flower,
            TypeKind::Place => Ty::Place,
            TypeKind::Set(inner) => {
                let element = self.ty(inner)?;
                if !element.is_base() {
                    let message = format!("a set holds Bool, Int, Flower or Place, not {}", a(&element));
                    let error = Diagnostic::new("type", inner.span, message);
                    self.error(error.types("Bool, Int, Flower or Place", &element));
                    return None;
                }
                element.set()
            }
            TypeKind::Seq(inner) => self.ty(inner)?.seq(),
            TypeKind::Map(from, to) => {
                let (index, element) = (self.ty(from), self.ty(to));
                let (index, element) = (index?, element?);
                if !index.is_finite() {
                    let message = format!("a map is indexed by a finite type, and {index} is not one");
                    let mut error =
                        Diagnostic::new("type", from.span, message).types("Flower, Place or Bool", &index);
                    if index == Ty::Int {
                        error.hint = Some(format!("did you mean array [1..3] of {element}?"));
                    }
                    self.error(error);
                    return None;
                }
                Ty::Map(Arc::new(index), Arc::new(element))
            }
            TypeKind::Array(low, high, inner) => {
                let element = self.ty(inner)?;
                if low > high {
                    let message = format!("the array [{low}..{high}] has no element");
                    self.error(Diagnostic::new("type", ty.span, message).hint("the lower bound comes first"));
                    return None;
                }
                if high - low >= MAX_CELLS {
                    let message = format!("the array [{low}..{high}] has more than {MAX_CELLS} elements");
                    self.error(Diagnostic::new("limit", ty.span, message));
                    return None;
                }
                Ty::Array(*low, *high, Arc::new(element))
            }
            TypeKind::Function(from, to) => {
                let from: Vec<Option<Ty>> = from.iter().map(|ty| self.ty(ty)).collect();
                let to = self.ty(to);
                Ty::function(from.into_iter().collect::<Option<_>>()?, to?)
            }
            TypeKind::Broken => return None,
        })
    }
}

/// How many values a variable of this type holds.
fn cells(ty: &Ty) -> i64 {
    match ty {
        Ty::Map(from, to) => {
            let many = match **from {
                Ty::Flower => 48,
                Ty::Place => PLACES,
                _ => 2,
            };
            cells(to).saturating_mul(many)
        }
        Ty::Array(low, high, inner) => {
            cells(inner).saturating_mul(high.saturating_sub(*low).saturating_add(1))
        }
        _ => 1,
    }
}

/// Takes the place of a body that is wrong; the program is refused anyway.
fn stand_in(ty: &Ty, span: Span) -> crate::types::typed::Expr {
    let kind = crate::types::typed::ExprKind::Set(Vec::new());
    crate::types::typed::Expr { kind, ty: ty.clone(), span }
}

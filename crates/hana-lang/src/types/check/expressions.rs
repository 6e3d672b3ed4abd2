//! One rule for every form of expression. `None` means that it is wrong and has been reported.

use super::frames::{CAPTURED, Frame, Origin};
use super::wording::a;
use super::{Checker, Meaning, walk};
use crate::diagnose::Diagnostic;
use crate::syntax::Span;
use crate::syntax::ast::{self, Extreme, Group, Name, Quantifier};
use crate::types::ty::Ty;
use crate::types::typed::{Expr, ExprKind, Item, Lambda, Param, Source};
use std::sync::Arc;

fn typed(kind: ExprKind, ty: Ty, span: Span) -> Option<Expr> {
    Some(Expr { kind, ty, span })
}

impl Checker<'_> {
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Option<Expr> {
        let span = expr.span;
        match &expr.kind {
            ast::ExprKind::Number(number) => typed(ExprKind::Int(*number), Ty::Int, span),
            ast::ExprKind::Flower(card) => typed(ExprKind::Flower(*card), Ty::Flower, span),
            ast::ExprKind::Truth(truth) => typed(ExprKind::Bool(*truth), Ty::Bool, span),
            ast::ExprKind::Name(name) => self.name(name, span),
            ast::ExprKind::Paren(inner) => {
                let mut inner = self.expr(inner)?;
                inner.span = span;
                Some(inner)
            }
            ast::ExprKind::Not(inner) => {
                let inner = self.expr(inner)?;
                self.require("logic", &Ty::Bool, &inner, |found| format!("`not` takes a Bool, not {found}"))?;
                typed(ExprKind::Not(Box::new(inner)), Ty::Bool, span)
            }
            ast::ExprKind::Negate(inner) => {
                let inner = self.expr(inner)?;
                self.require("arithmetic", &Ty::Int, &inner, |found| {
                    format!("`-` takes a number, not {found}")
                })?;
                typed(ExprKind::Negate(Box::new(inner)), Ty::Int, span)
            }
            ast::ExprKind::Binary { op, op_span, left, right } => {
                self.binary(*op, *op_span, left, right, span)
            }
            ast::ExprKind::Apply(head, args) => self.apply(head, args, span),
            ast::ExprKind::If(test, then, otherwise) => self.if_expr(test, then, otherwise, span),
            ast::ExprKind::Let(name, value, body) => self.let_expr(name, value, body, span),
            ast::ExprKind::Lambda(params, body) => self.lambda(None, params, body, span),
            ast::ExprKind::Fix(name, ty, body) => self.fix(name, ty, body, span),
            ast::ExprKind::Tabulate(name, ty, body) => self.tabulate(name, ty, body, span),
            ast::ExprKind::Quantified(quantifier, name, over, body) => {
                self.quantified(*quantifier, name, over, body, span)
            }
            ast::ExprKind::Sum(name, over, body) => self.sum(name, over, body, span),
            ast::ExprKind::Extreme(extreme, items) => self.extreme(*extreme, items, span),
            ast::ExprKind::Set(items) => self.set(items, span),
            ast::ExprKind::Filter(name, source, body) => self.filter(name, source, body, span),
            ast::ExprKind::Broken => None,
        }
    }

    /// A name that is not called: functions become values here.
    fn name(&mut self, name: &str, span: Span) -> Option<Expr> {
        if let Some(local) = self.local(name) {
            return self.local_expr(&local, span);
        }
        let Some(&(meaning, declared)) = self.globals.get(name) else {
            self.unknown(name, span);
            return None;
        };
        match meaning {
            Meaning::Broken => None,
            Meaning::Given(given) => typed(ExprKind::Given(given), given.ty(), span),
            Meaning::Item(Item::Var(i)) => Some(self.var(i, span)),
            Meaning::Item(Item::Const(i)) => {
                let ty = self.done.consts[i].value.ty.clone();
                typed(ExprKind::Const(i), ty, span)
            }
            Meaning::Item(Item::Procedure(_)) => {
                self.procedure_as_value(name, span, declared);
                None
            }
            Meaning::Item(Item::Function(_) | Item::Oracle(_)) | Meaning::Builtin(_) => {
                self.function_as_value(name, meaning, span)
            }
        }
    }

    fn if_expr(
        &mut self,
        test: &ast::Expr,
        then: &ast::Expr,
        otherwise: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let test = self.test("if", test);
        let (then, otherwise) = (self.expr(then), self.expr(otherwise));
        let (test, then, otherwise) = (test?, then?, otherwise?);
        if !self.unify(&then.ty, &otherwise.ty) {
            let (one, two) = (self.known(&then.ty), self.known(&otherwise.ty));
            let message = format!("the two branches differ: {} and {}", a(&one), a(&two));
            let error = self.mismatch("if", message, &one, &otherwise).note(then.span, a(&one));
            self.error(error);
            return None;
        }
        let ty = self.known(&then.ty);
        typed(ExprKind::If(Box::new(test), Box::new(then), Box::new(otherwise)), ty, span)
    }

    /// A test: an expression that must be a Bool.
    pub(super) fn test(&mut self, rule: &'static str, test: &ast::Expr) -> Option<Expr> {
        let test = self.expr(test)?;
        self.require(rule, &Ty::Bool, &test, |found| format!("`{rule}` tests a Bool, not {found}"))?;
        Some(test)
    }

    fn let_expr(&mut self, name: &Name, value: &ast::Expr, body: &ast::Expr, span: Span) -> Option<Expr> {
        let value = self.expr(value);
        let ty = value.as_ref().map(|value| value.ty.clone());
        let (bound, body) = self.with(name, ty, |checker| checker.expr(body));
        let (value, body) = (Box::new(value?), Box::new(body?));
        let ty = body.ty.clone();
        typed(ExprKind::Let { bound, value, body }, ty, span)
    }

    /// A lambda; under `fix` with the name of itself and the type it must have.
    fn lambda(
        &mut self,
        itself: Option<(&Name, &Ty)>,
        groups: &[Group],
        body: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let params = self.params(groups);
        let mut frame = Frame::default();
        if let Some((name, ty)) = itself {
            frame.bind(name, Some(ty.clone()), Origin::Itself);
        }
        for (name, ty) in &params {
            frame.bind(name, ty.clone(), Origin::Parameter);
        }
        self.frames.push(frame);
        let body = self.expr(body);
        let frame = self.frames.pop().unwrap_or_default();
        self.reads(frame.reads, frame.read_at.unwrap_or(span));
        let mut body = body?;
        let params: Vec<Param> = params
            .into_iter()
            .map(|(name, ty)| Some(Param { name: name.text.clone(), ty: ty?, span: name.span }))
            .collect::<Option<_>>()?;
        let moved = |slot| if slot >= CAPTURED { slot - CAPTURED } else { slot + frame.captures.len() };
        walk::renumber(&mut body, &moved);
        let ty = Ty::function(params.iter().map(|param| param.ty.clone()).collect(), body.ty.clone());
        let lambda = Lambda {
            slots: frame.most + frame.captures.len(),
            captures: frame.captures,
            itself: itself.map(|(name, _)| name.text.clone()),
            params,
            body,
            reads: frame.reads,
        };
        typed(ExprKind::Lambda(Arc::new(lambda)), ty, span)
    }

    fn fix(&mut self, name: &Name, ty: &ast::TypeExpr, body: &ast::Expr, span: Span) -> Option<Expr> {
        let at = ty.span;
        let ty = self.ty(ty)?;
        if !matches!(ty, Ty::Function(..)) {
            let message = format!("`fix` defines a function by itself; {} is not a function", a(&ty));
            let error = Diagnostic::new("fix", at, message).label(a(&ty)).types("a function type", &ty);
            self.error(error.hint(format!("fix {} : (Int -> Int) . lambda (n : Int) . ...", name.text)));
            return None;
        }
        let mut inner = body;
        while let ast::ExprKind::Paren(within) = &inner.kind {
            inner = within;
        }
        let ast::ExprKind::Lambda(params, value) = &inner.kind else {
            if !matches!(inner.kind, ast::ExprKind::Broken) {
                let message =
                    "`fix` is followed by a `lambda`, so that the function is not needed to find itself";
                let error = Diagnostic::new("fix", inner.span, message);
                self.error(error.hint(format!("fix {} : {ty} . lambda (...) . ...", name.text)));
            }
            return None;
        };
        let mut lambda = self.lambda(Some((name, &ty)), params, value, inner.span)?;
        self.require("fix", &ty, &lambda, |found| {
            format!("{} was to be {}, but is {found}", name.text, a(&ty))
        })?;
        lambda.span = span;
        Some(lambda)
    }

    fn finite(&mut self, rule: &'static str, ty: &ast::TypeExpr, what: &str) -> Option<Ty> {
        let at = ty.span;
        let ty = self.ty(ty)?;
        if ty.is_finite() {
            return Some(ty);
        }
        let message = format!("{what} ranges over a finite type, and {ty} is not one");
        let error = Diagnostic::new(rule, at, message).types("Flower, Place or Bool", &ty);
        self.error(error.hint("the finite types are Flower, Place and Bool"));
        None
    }

    fn tabulate(&mut self, name: &Name, ty: &ast::TypeExpr, body: &ast::Expr, span: Span) -> Option<Expr> {
        let domain = self.finite("map", ty, "`map`");
        let (bound, body) = self.with(name, domain.clone(), |checker| checker.expr(body));
        let (domain, body) = (domain?, Box::new(body?));
        let ty = Ty::Map(Arc::new(domain.clone()), Arc::new(body.ty.clone()));
        typed(ExprKind::Tabulate { bound, domain, body }, ty, span)
    }

    /// A set to range over, and the type of its elements.
    fn range(&mut self, rule: &'static str, over: &ast::Expr, what: &str) -> Option<(Expr, Ty)> {
        let over = self.expr(over)?;
        let ty = self.known(&over.ty);
        if let Ty::Set(element) = &ty {
            let element = (**element).clone();
            return Some((over, element));
        }
        let message = format!("{what} ranges over a set, not {}", a(&ty));
        let mut error = Diagnostic::new(rule, over.span, message).label(a(&ty)).types("a set", &ty);
        error.hint = match (&ty, self.short(over.span)) {
            (Ty::Int, Some(text)) if text.parse::<i64>().is_ok() => {
                Some("a set of numbers is written {1, 2, 3}".to_owned())
            }
            (Ty::Int | Ty::Flower | Ty::Bool, Some(text)) => {
                Some(format!("{{{text}}} is the set of this one element"))
            }
            (Ty::Place, Some(text)) => {
                self.cure(&Ty::Flower.set(), &ty, &text).map(|cure| format!("did you mean {cure}?"))
            }
            _ => None,
        };
        self.error(error);
        None
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        name: &Name,
        over: &ast::Expr,
        body: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let over = self.range("quantifier", over, "a quantifier");
        let element = over.as_ref().map(|(_, element)| element.clone());
        let (bound, body) = self.with(name, element, |checker| {
            let body = checker.expr(body)?;
            checker.require("quantifier", &Ty::Bool, &body, |found| {
                format!("a quantifier tests a Bool, not {found}")
            })?;
            Some(body)
        });
        let (over, body) = (Box::new(over?.0), Box::new(body?));
        typed(ExprKind::Quantified { quantifier, bound, over, body }, Ty::Bool, span)
    }

    fn sum(&mut self, name: &Name, over: &ast::Expr, body: &ast::Expr, span: Span) -> Option<Expr> {
        let over = self.range("sum", over, "`sum`");
        let element = over.as_ref().map(|(_, element)| element.clone());
        let (bound, body) = self.with(name, element, |checker| {
            let body = checker.expr(body)?;
            checker.require("sum", &Ty::Int, &body, |found| format!("`sum` adds numbers, not {found}"))?;
            Some(body)
        });
        let (over, body) = (Box::new(over?.0), Box::new(body?));
        typed(ExprKind::Sum { bound, over, body }, Ty::Int, span)
    }

    fn extreme(&mut self, extreme: Extreme, items: &[ast::Expr], span: Span) -> Option<Expr> {
        let word = if extreme == Extreme::Max { "max" } else { "min" };
        let items: Vec<Option<Expr>> = items
            .iter()
            .map(|item| {
                let item = self.expr(item)?;
                self.require(word, &Ty::Int, &item, |found| {
                    format!("`{word}` compares numbers, not {found}")
                })?;
                Some(item)
            })
            .collect();
        let items = items.into_iter().collect::<Option<Vec<_>>>()?;
        typed(ExprKind::Extreme(extreme, items), Ty::Int, span)
    }

    fn set(&mut self, items: &[ast::Expr], span: Span) -> Option<Expr> {
        let items: Vec<Option<Expr>> = items.iter().map(|item| self.expr(item)).collect();
        let items = items.into_iter().collect::<Option<Vec<_>>>()?;
        let element = self.fresh();
        for (i, item) in items.iter().enumerate() {
            if self.unify(&element, &item.ty) {
                continue;
            }
            let (expected, found) = (self.known(&element), self.known(&item.ty));
            if i == 0 {
                let message = format!("a set holds Bool, Int, Flower or Place, not {}", a(&found));
                let error = Diagnostic::new("set", item.span, message).label(a(&found));
                self.error(error.types("Bool, Int, Flower or Place", &found));
            } else {
                let message =
                    format!("the elements of a set have one type; this one mixes {expected} and {found}");
                let mut error = self.mismatch("set", message, &expected, item);
                error.hint = None;
                self.error(error.note(items[0].span, a(&expected)));
            }
            return None;
        }
        typed(ExprKind::Set(items), element.set(), span)
    }

    fn filter(&mut self, name: &Name, source: &ast::Source, body: &ast::Expr, span: Span) -> Option<Expr> {
        let over = match source {
            ast::Source::Set(set) => self
                .range("comprehension", set, "a comprehension")
                .map(|(set, element)| (Source::Set(Box::new(set)), element)),
            ast::Source::Type(ty) => {
                self.finite("comprehension", ty, "a comprehension").map(|ty| (Source::All(ty.clone()), ty))
            }
        };
        let element = over.as_ref().map(|(_, element)| element.clone());
        let (bound, body) = self.with(name, element, |checker| {
            let body = checker.expr(body)?;
            checker.require("comprehension", &Ty::Bool, &body, |found| {
                format!("a comprehension tests a Bool, not {found}")
            })?;
            Some(body)
        });
        let ((over, element), body) = (over?, Box::new(body?));
        typed(ExprKind::Filter { bound, over, body }, element.set(), span)
    }
}

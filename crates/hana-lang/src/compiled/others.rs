//! Expressions that give more than a word: maps, arrays, sequences, sets of numbers and functions.

use super::compile::Compiler;
use super::fault::{Kind, Outcome, fault};
use super::function::{Body, apply};
use super::machine::{Frame, Machine, Other};
use super::value::{Shape, Value, shape, size_of};
use super::words::{lowest, offset, outside};
use crate::syntax::Span;
use crate::types::ty::Ty;
use crate::types::typed::{Expr, ExprKind, Op};
use std::sync::Arc;

/// A value that the types exclude here.
const NOTHING: Other = Other::Const(Value::Word(0));

impl Compiler<'_> {
    /// An expression of a type that is not kept as a word.
    pub(super) fn other(&mut self, expr: &Expr) -> Other {
        self.nested(expr.span, || NOTHING, |compiler| compiler.other_inside(expr))
    }

    fn other_inside(&mut self, expr: &Expr) -> Other {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Local(slot) => Other::Local(*slot),
            ExprKind::Var(i) => Other::Var(self.cells[*i]),
            ExprKind::Const(i) => match self.constant(*i) {
                Ok(value) => Other::Const(value),
                Err(found) => Other::code(move |_| Err(Box::new(found.clone()))),
            },
            ExprKind::Call(i, args) => {
                let function = Arc::clone(&self.functions[*i]);
                let args = self.args(args);
                Other::code(move |m| {
                    let base = m.reserve(&function.frame, span)?;
                    for (at, arg) in (base..).zip(&args) {
                        arg.pass(m, at, span)?;
                    }
                    let caller = std::mem::replace(&mut m.base, base);
                    let value = run(m, &function.body, span)?;
                    m.base = caller;
                    m.release(base, &function.frame);
                    Ok(value)
                })
            }
            ExprKind::Ask(oracle, args) => {
                let (oracle, args) = (*oracle, self.args(args));
                Other::code(move |m| {
                    let values =
                        args.iter().map(|arg| arg.value(m, span)).collect::<Outcome<Vec<Value>>>()?;
                    m.ask(oracle, &values, span)
                })
            }
            ExprKind::Apply(function, args) => {
                let (function, args) = (self.other(function), self.args(args));
                Other::code(move |m| match function.get(m, span)? {
                    Value::Function(closure) => apply(m, &closure, &args, span, |m, body| run(m, body, span)),
                    other => Ok(other),
                })
            }
            ExprKind::Index(container, index) => {
                let low = lowest(&container.ty);
                let (container, index) = (self.other(container), self.word(index));
                Other::code(move |m| {
                    let rows = container.get(m, span)?;
                    let i = index.get(m)?;
                    match rows.rows().get(offset(i, low)) {
                        Some(value) => Ok(value.clone()),
                        None => outside(i, low, rows.len(), span),
                    }
                })
            }
            ExprKind::If(test, yes, no) => {
                let (test, yes, no) = (self.word(test), self.other(yes), self.other(no));
                Other::code(move |m| if test.holds(m)? { yes.get(m, span) } else { no.get(m, span) })
            }
            ExprKind::Let { bound, value, body } => {
                let (slot, argument) = (bound.slot, self.arg(value));
                self.bind(slot, &value.ty);
                let body = self.other(body);
                Other::code(move |m| {
                    argument.pass(m, m.base + slot, span)?;
                    body.get(m, span)
                })
            }
            ExprKind::Lambda(lambda) => {
                let lambda = self.lambda(lambda);
                Other::code(move |m| {
                    m.spend(1, span)?;
                    Ok(lambda.close(m))
                })
            }
            ExprKind::Tabulate { bound, domain, body } => self.tabulated(bound.slot, domain, body, span),
            ExprKind::Binary(op, a, b) => {
                let (op, a, b) = (*op, self.other(a), self.other(b));
                Other::code(move |m| {
                    let (a, b) = (a.row(m, span)?, b.row(m, span)?);
                    m.spend((a.len() + b.len()) as u64, span)?;
                    Ok(Value::Row(merged(op, &a, &b).into()))
                })
            }
            ExprKind::Set(parts) => {
                let parts: Box<[_]> = parts.iter().map(|part| self.word(part)).collect();
                let make = move |m: &mut Machine<'_>| {
                    let mut row = parts.iter().map(|part| part.get(m)).collect::<Outcome<Vec<i64>>>()?;
                    row.sort_unstable();
                    row.dedup();
                    Ok(Value::Row(row.into()))
                };
                self.folded(Other::code(make), expr)
            }
            ExprKind::Filter { bound, over, body } => self.int_filter(bound.slot, over, body, span),
            _ => NOTHING,
        }
    }

    /// A set of numbers that are written out is made once.
    fn folded(&self, code: Other, expr: &Expr) -> Other {
        let ExprKind::Set(parts) = &expr.kind else { return code };
        if !parts.iter().all(|part| matches!(part.kind, ExprKind::Int(_))) {
            return code;
        }
        match self.evaluate(&Body::Other(code), &Frame { slots: 0, height: 1, cost: 1 }, expr.span) {
            Ok(value) => Other::Const(value),
            Err(found) => Other::code(move |_| Err(found.clone())),
        }
    }

    /// `map x : T => e`, element by element.
    fn tabulated(&mut self, slot: usize, domain: &Ty, body: &Expr, span: Span) -> Other {
        let count = i64::from(size_of(domain, usize::from(self.house.seats)));
        self.bind(slot, domain);
        if shape(&body.ty) == Shape::Word {
            let (body, cost) = self.costed(|compiler| compiler.word(body));
            return Other::code(move |m| {
                m.spend(count as u64 * cost, span)?;
                let mut row = Vec::with_capacity(count as usize);
                for element in 0..count {
                    m.set_local(slot, element);
                    row.push(body.get(m)?);
                }
                Ok(Value::Row(row.into()))
            });
        }
        let (body, cost) = self.costed(|compiler| compiler.other(body));
        Other::code(move |m| {
            m.spend(count as u64 * cost, span)?;
            let mut rows = Vec::with_capacity(count as usize);
            for element in 0..count {
                m.set_local(slot, element);
                rows.push(body.get(m, span)?);
            }
            Ok(Value::Rows(rows.into()))
        })
    }
}

/// Runs a body.
fn run(m: &mut Machine<'_>, body: &Body, span: Span) -> Outcome<Value> {
    match body {
        Body::Word(code) => Ok(Value::Word(code.get(m)?)),
        Body::Other(code) => code.get(m, span),
    }
}

/// Join, meet or minus of two ascending rows.
fn merged(op: Op, a: &[i64], b: &[i64]) -> Vec<i64> {
    let in_b = |n: &&i64| b.binary_search(n).is_ok();
    match op {
        Op::Join => {
            let mut all = [a, b].concat();
            all.sort_unstable();
            all.dedup();
            all
        }
        Op::Meet => a.iter().filter(in_b).copied().collect(),
        _ => a.iter().filter(|n| !in_b(n)).copied().collect(),
    }
}

/// The largest row that a variable may be given.
pub(super) const LONGEST: usize = 1 << 20;

/// Refuses rows beyond the limit.
pub(super) fn within_limit(value: &Value, span: Span) -> Outcome<()> {
    if value.len() > LONGEST { fault(Kind::TooLarge, span) } else { Ok(()) }
}

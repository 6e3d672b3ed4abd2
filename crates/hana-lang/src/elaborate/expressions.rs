//! [e]s: every expression as a term in the state at hand.

use super::scope::Scope;
use super::{Elaborator, core_type};
use crate::core::{Hint, Place, Prim, Term, Ty as CoreTy, Value};
use crate::syntax::ast::{Extreme, Quantifier};
use crate::types::builtins::{Builtin, Given};
use crate::types::ty::Ty;
use crate::types::typed::{Bound, Expr, ExprKind, Lambda, Op, Source};

/// The constant of the core for a constant of the host.
fn given(given: Given) -> Term {
    match given {
        Given::Seats => Term::prim(Prim::Seats, []),
        Given::Kan => Term::prim(Prim::Kan, []),
        Given::Months => Term::prim(Prim::Months, []),
        Given::Table => Term::constant(Value::Place(Place::Table), CoreTy::Place),
        Given::Yama => Term::constant(Value::Place(Place::Yama), CoreTy::Place),
    }
}

/// The primitive of the core for a built-in function.
fn builtin(builtin: Builtin) -> Prim {
    match builtin {
        Builtin::Point => Prim::Point,
        Builtin::Month => Prim::Month,
        Builtin::Number => Prim::Number,
        Builtin::Length => Prim::Length,
        Builtin::Expo => Prim::Expo,
        Builtin::Hand => Prim::Hand,
        Builtin::Window => Prim::Window,
        Builtin::Basket => Prim::Basket,
    }
}

/// The term of an operator and its two sides.
fn binary(op: Op, left: Term, right: Term) -> Term {
    let prim = match op {
        Op::Or => return Term::or(left, right),
        Op::And => return Term::and(left, right),
        Op::Equal => Prim::Eq,
        Op::Unequal => Prim::Ne,
        Op::Less => Prim::Lt,
        Op::Greater => Prim::Gt,
        Op::AtMost => Prim::Le,
        Op::AtLeast => Prim::Ge,
        Op::Subset => Prim::Subset,
        Op::In => Prim::In,
        Op::Join => Prim::Join,
        Op::Minus => Prim::Minus,
        Op::Meet => Prim::Meet,
        Op::Add => Prim::Add,
        Op::Subtract => Prim::Sub,
        Op::Multiply => Prim::Mul,
        Op::Div => Prim::Div,
        Op::Mod => Prim::Mod,
    };
    Term::prim(prim, [left, right])
}

fn hint(bound: &Bound) -> Hint {
    Hint::from(bound.name.as_str())
}

/// The type of the elements of a set.
fn element(set: &Ty) -> CoreTy {
    match set {
        Ty::Set(element) => core_type(element),
        other => core_type(other),
    }
}

impl Elaborator<'_> {
    pub(super) fn expr(&self, expr: &Expr, scope: &mut Scope) -> Term {
        match &expr.kind {
            ExprKind::Int(number) => Term::int(*number),
            ExprKind::Flower(card) => Term::constant(Value::Flower(*card), CoreTy::Flower),
            ExprKind::Bool(truth) => Term::bool(*truth),
            ExprKind::Given(name) => given(*name),
            ExprKind::Local(slot) => scope.local(*slot),
            ExprKind::Var(var) => Term::field(scope.state(), self.field(*var)),
            ExprKind::Const(i) => Term::global(self.program.consts[*i].name.as_str()),
            ExprKind::Call(i, args) => {
                let function = &self.program.functions[*i];
                let mut given = Vec::new();
                if function.reads.oracles {
                    given.push(scope.oracles());
                }
                if function.reads.state {
                    given.push(scope.state());
                }
                given.extend(self.exprs(args, scope));
                Term::app(Term::global(function.name.as_str()), given)
            }
            ExprKind::Ask(i, args) => {
                let question = Term::field(scope.oracles(), self.program.oracles[*i].name.as_str());
                let mut given = vec![scope.state()];
                given.extend(self.exprs(args, scope));
                Term::app(question, given)
            }
            ExprKind::Builtin(which, args) => Term::prim(builtin(*which), self.exprs(args, scope)),
            ExprKind::Apply(head, args) => {
                let head = self.expr(head, scope);
                Term::app(head, self.exprs(args, scope))
            }
            ExprKind::Index(container, at) => {
                let get = match container.ty {
                    Ty::Map(..) => Prim::MapGet,
                    Ty::Array(..) => Prim::ArrayGet,
                    _ => Prim::SeqGet,
                };
                let container = self.expr(container, scope);
                Term::prim(get, [container, self.expr(at, scope)])
            }
            ExprKind::Not(inner) => Term::prim(Prim::Not, [self.expr(inner, scope)]),
            ExprKind::Negate(inner) => Term::prim(Prim::Neg, [self.expr(inner, scope)]),
            ExprKind::Binary(op, left, right) => {
                let left = self.expr(left, scope);
                binary(*op, left, self.expr(right, scope))
            }
            ExprKind::If(test, then, otherwise) => {
                let (test, then) = (self.expr(test, scope), self.expr(then, scope));
                Term::if_then_else(test, then, self.expr(otherwise, scope))
            }
            ExprKind::Let { bound, value, body } => {
                let ty = core_type(&value.ty);
                let value = self.expr(value, scope);
                Term::let_in(hint(bound), ty, value, self.under(bound, body, scope))
            }
            ExprKind::Lambda(lambda) => self.lambda(lambda, &expr.ty, scope),
            ExprKind::Tabulate { bound, domain, body } => {
                Term::tabulate(hint(bound), core_type(domain), self.under(bound, body, scope))
            }
            ExprKind::Quantified { quantifier, bound, over, body } => {
                let (ty, set) = (element(&over.ty), self.expr(over, scope));
                let test = self.under(bound, body, scope);
                match quantifier {
                    Quantifier::Some => Term::exists(hint(bound), ty, set, test),
                    Quantifier::All => Term::every(hint(bound), ty, set, test),
                }
            }
            ExprKind::Sum { bound, over, body } => {
                let (ty, set) = (element(&over.ty), self.expr(over, scope));
                Term::sum(hint(bound), ty, set, self.under(bound, body, scope))
            }
            ExprKind::Extreme(extreme, items) => {
                let prim = if *extreme == Extreme::Max { Prim::Max } else { Prim::Min };
                let items = self.exprs(items, scope).into_iter();
                // The parser refuses the largest of nothing.
                items.reduce(|one, two| Term::prim(prim.clone(), [one, two])).unwrap_or_else(|| Term::int(0))
            }
            ExprKind::Set(items) => Term::set_of(element(&expr.ty), self.exprs(items, scope)),
            ExprKind::Filter { bound, over, body } => {
                let ty = element(&expr.ty);
                let set = match over {
                    Source::Set(set) => self.expr(set, scope),
                    Source::All(domain) => Term::prim(Prim::All(core_type(domain)), []),
                };
                Term::filter(hint(bound), ty, set, self.under(bound, body, scope))
            }
        }
    }

    fn exprs(&self, exprs: &[Expr], scope: &mut Scope) -> Vec<Term> {
        exprs.iter().map(|expr| self.expr(expr, scope)).collect()
    }

    /// A body in which one more name is bound.
    fn under(&self, bound: &Bound, body: &Expr, scope: &mut Scope) -> Term {
        scope.bind(bound.slot);
        let body = self.expr(body, scope);
        scope.unbind();
        body
    }

    fn lambda(&self, lambda: &Lambda, ty: &Ty, scope: &Scope) -> Term {
        let mut inner = scope.inner(&lambda.captures);
        let mut slot = lambda.captures.len();
        if lambda.itself.is_some() {
            inner.bind(slot);
            slot += 1;
        }
        for i in 0..lambda.params.len() {
            inner.bind(slot + i);
        }
        let params =
            lambda.params.iter().map(|param| (Hint::from(param.name.as_str()), core_type(&param.ty)));
        let function = Term::lam(params, self.expr(&lambda.body, &mut inner));
        match &lambda.itself {
            Some(name) => Term::fix(Hint::from(name.as_str()), core_type(ty), function),
            None => function,
        }
    }
}

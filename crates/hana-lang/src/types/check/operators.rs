//! The rules of the binary operators.

use super::Checker;
use super::wording::a;
use crate::diagnose::Diagnostic;
use crate::syntax::Span;
use crate::syntax::ast::{self, Operator};
use crate::types::ty::Ty;
use crate::types::typed::{Expr, ExprKind, Op};

impl Checker<'_> {
    pub(super) fn binary(
        &mut self,
        op: Operator,
        op_span: Span,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let (left, right) = (self.expr(left), self.expr(right));
        let (left, right) = (left?, right?);
        let (op, ty) = match op {
            Operator::Or | Operator::And => self.logic(op, &left, &right)?,
            Operator::Equal | Operator::Unequal => self.equality(op, op_span, &left, &right)?,
            Operator::Less | Operator::Greater | Operator::AtMost | Operator::AtLeast => {
                self.comparison(op, &left, &right)?
            }
            Operator::In => self.membership(&left, &right)?,
            Operator::Join | Operator::Minus | Operator::Meet => self.sets(op, &left, &right)?,
            Operator::Plus | Operator::Subtract | Operator::Times | Operator::Div | Operator::Mod => {
                self.arithmetic(op, &left, &right)?
            }
        };
        Some(Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span })
    }

    /// The whole expression with one side replaced, as a question.
    fn rewritten(
        &self,
        op: &str,
        left: &Expr,
        right: &Expr,
        expected: &Ty,
        wrong_left: bool,
    ) -> Option<String> {
        let wrong = if wrong_left { left } else { right };
        let (one, two) = (self.short(left.span)?, self.short(right.span)?);
        let cured = self.cure(expected, &self.known(&wrong.ty), if wrong_left { &one } else { &two })?;
        let (one, two) = if wrong_left { (cured, two) } else { (one, cured) };
        Some(format!("did you mean {one} {op} {two}?"))
    }

    fn logic(&mut self, op: Operator, left: &Expr, right: &Expr) -> Option<(Op, Ty)> {
        let symbol = op.symbol();
        for (side, is_left) in [(left, true), (right, false)] {
            if !self.unify(&Ty::Bool, &side.ty) {
                let message =
                    format!("`{symbol}` joins truth values, and {} is not one", a(&self.known(&side.ty)));
                let mut error = self.mismatch("logic", message, &Ty::Bool, side);
                error.hint = self.rewritten(symbol, left, right, &Ty::Bool, is_left);
                self.error(error);
                return None;
            }
        }
        Some((if op == Operator::Or { Op::Or } else { Op::And }, Ty::Bool))
    }

    fn equality(&mut self, op: Operator, op_span: Span, left: &Expr, right: &Expr) -> Option<(Op, Ty)> {
        let fits = self.unify(&left.ty, &right.ty);
        let (one, two) = (self.known(&left.ty), self.known(&right.ty));
        if !fits {
            let message =
                format!("{} is never equal to {}: only values of one type are compared", a(&one), a(&two));
            let mut error = self.mismatch("equality", message, &one, right).note(left.span, a(&one));
            error.hint = self
                .rewritten(op.symbol(), left, right, &one, false)
                .or_else(|| self.rewritten(op.symbol(), left, right, &two, true));
            self.error(error);
            return None;
        }
        if one.has_function() {
            let message = format!("functions cannot be compared, and {} is or holds one", a(&one));
            let error = Diagnostic::new("equality", op_span, message)
                .types("a type without functions", &one)
                .note(left.span, a(&one))
                .hint("compare their values at an argument: f(x) = g(x)");
            self.error(error);
            return None;
        }
        Some((if op == Operator::Equal { Op::Equal } else { Op::Unequal }, Ty::Bool))
    }

    fn comparison(&mut self, op: Operator, left: &Expr, right: &Expr) -> Option<(Op, Ty)> {
        let (one, two) = (self.known(&left.ty), self.known(&right.ty));
        if matches!((&one, &two), (Ty::Set(_), Ty::Set(_))) {
            if op == Operator::AtMost {
                self.one_element_type("subset", "compared", left, right)?;
                return Some((Op::Subset, Ty::Bool));
            }
            let message = format!("`{}` compares numbers; for sets there is only `<=`, subset", op.symbol());
            let mut error = self.mismatch("comparison", message, &Ty::Int, left);
            let (one, two) = (self.text_or(left.span, "S"), self.text_or(right.span, "T"));
            error.hint = Some(match op {
                Operator::AtLeast => format!("did you mean {two} <= {one}?"),
                Operator::Less => format!("did you mean {one} <= {two} & {one} <> {two}?"),
                _ => format!("did you mean {two} <= {one} & {one} <> {two}?"),
            });
            self.error(error);
            return None;
        }
        for (side, is_left) in [(left, true), (right, false)] {
            if self.unify(&Ty::Int, &side.ty) {
                continue;
            }
            let found = self.known(&side.ty);
            let message = format!("`{}` compares numbers, and {} is not one", op.symbol(), a(&found));
            let mut error = self.mismatch("comparison", message, &Ty::Int, side);
            let chained = is_left && matches!(left.kind, ExprKind::Binary(..)) && found == Ty::Bool;
            error.hint = if chained {
                Some("a chain of comparisons is written with `&`: a < b & b < c".to_owned())
            } else {
                self.rewritten(op.symbol(), left, right, &Ty::Int, is_left)
            };
            self.error(error);
            return None;
        }
        let op = match op {
            Operator::Less => Op::Less,
            Operator::Greater => Op::Greater,
            Operator::AtMost => Op::AtMost,
            _ => Op::AtLeast,
        };
        Some((op, Ty::Bool))
    }

    fn membership(&mut self, left: &Expr, right: &Expr) -> Option<(Op, Ty)> {
        let (one, two) = (self.known(&left.ty), self.known(&right.ty));
        let Ty::Set(element) = &two else {
            let message = format!("`in` asks whether something is in a set, and {} is not a set", a(&two));
            let error = self.mismatch("membership", message, &one.clone().set(), right);
            self.error(error);
            return None;
        };
        if !self.unify(&one, element) {
            let message = format!("{} is never in {}", a(&one), a(&two));
            let mut error = self.mismatch("membership", message, element, left).note(right.span, a(&two));
            if matches!((&one, &two), (Ty::Set(x), Ty::Set(y)) if x == y) {
                let (one, two) = (self.text_or(left.span, "S"), self.text_or(right.span, "T"));
                error.hint = Some(format!("subset is written {one} <= {two}"));
            }
            self.error(error);
            return None;
        }
        Some((Op::In, Ty::Bool))
    }

    /// Both are sets; of one element type?
    fn one_element_type(&mut self, rule: &'static str, verb: &str, left: &Expr, right: &Expr) -> Option<()> {
        if self.unify(&left.ty, &right.ty) {
            return Some(());
        }
        let (one, two) = (self.known(&left.ty), self.known(&right.ty));
        let message = format!("{} and {} cannot be {verb}: their elements differ in type", a(&one), a(&two));
        let error = self.mismatch(rule, message, &one, right).note(left.span, a(&one));
        self.error(error);
        None
    }

    fn sets(&mut self, op: Operator, left: &Expr, right: &Expr) -> Option<(Op, Ty)> {
        let symbol = op.symbol();
        let sides = [(left, right, true), (right, left, false)];
        for (side, other, is_left) in sides {
            let found = self.known(&side.ty);
            if matches!(found, Ty::Set(_)) {
                continue;
            }
            let message = format!("`{symbol}` takes sets, and {} is not one", a(&found));
            let expected = match self.known(&other.ty) {
                set @ Ty::Set(_) => set,
                _ if found.is_base() => found.clone().set(),
                _ => Ty::Flower.set(),
            };
            let mut error = self.mismatch(op_rule(op), message, &expected, side);
            let both_int = found == Ty::Int && self.known(&other.ty) == Ty::Int;
            error.hint = match (op, both_int) {
                (Operator::Join, true) => Some("numbers are added with `+`".to_owned()),
                (Operator::Minus, true) => Some("numbers are subtracted with `-`".to_owned()),
                _ => self.rewritten(symbol, left, right, &expected, is_left),
            };
            self.error(error);
            return None;
        }
        self.one_element_type(op_rule(op), &format!("combined by `{symbol}`"), left, right)?;
        let op = match op {
            Operator::Join => Op::Join,
            Operator::Minus => Op::Minus,
            _ => Op::Meet,
        };
        Some((op, self.known(&left.ty)))
    }

    fn arithmetic(&mut self, op: Operator, left: &Expr, right: &Expr) -> Option<(Op, Ty)> {
        let symbol = op.symbol();
        for (side, other, is_left) in [(left, right, true), (right, left, false)] {
            if self.unify(&Ty::Int, &side.ty) {
                continue;
            }
            let (wrong, beside) = (self.known(&side.ty), self.known(&other.ty));
            let message = match op {
                Operator::Plus => format!("{} cannot be added to {}", a(&wrong), a(&beside)),
                _ => format!("`{symbol}` takes numbers, and {} is not one", a(&wrong)),
            };
            let mut error = self.mismatch("arithmetic", message, &Ty::Int, side);
            let both_sets = matches!((&wrong, &beside), (Ty::Set(_), Ty::Set(_)));
            let (one, two) = (self.text_or(left.span, "S"), self.text_or(right.span, "T"));
            error.hint = match op {
                Operator::Plus if both_sets => Some(format!("the union of sets is {one} join {two}")),
                Operator::Subtract if both_sets => {
                    Some(format!("the difference of sets is {one} minus {two}"))
                }
                Operator::Times if both_sets => Some(format!("the intersection of sets is {one} meet {two}")),
                _ => self.rewritten(symbol, left, right, &Ty::Int, is_left),
            };
            self.error(error);
            return None;
        }
        let op = match op {
            Operator::Plus => Op::Add,
            Operator::Subtract => Op::Subtract,
            Operator::Times => Op::Multiply,
            Operator::Div => Op::Div,
            _ => Op::Mod,
        };
        Some((op, Ty::Int))
    }
}

fn op_rule(op: Operator) -> &'static str {
    match op {
        Operator::Join => "join",
        Operator::Minus => "minus",
        _ => "meet",
    }
}

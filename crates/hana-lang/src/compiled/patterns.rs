//! The patterns that are recognised, each equal to the general code in value and fault:
//!
//! | pattern | code |
//! |---|---|
//! | a test of the element alone, as in `{a in S \| Point(a) = 1}` | a mask, worked out beforehand |
//! | a number of the element alone, as in `sum a in S of Point(a)` | a few counts of bits, worked out beforehand |
//! | `{b in S \| Month(a) = Month(b)}`, `{a in S \| Month(a) = m}` | the mask of a month |
//! | `sum p in S of v(p)` | a loop over the row of `v` |
//! | `v := map p : T => if p = q then v(p) join S else v(p) minus S` | bits of `v` in place |
//!
//! Expressions have no side effects, so it does not matter how often one is evaluated, only whether, and in which order faults come. Oracles are
//! no part of any pattern.

use super::compile::Compiler;
use super::machine::{Cell, Word};
use super::value::size_of;
use crate::types::builtins::Builtin;
use crate::types::ty::Ty;
use crate::types::typed::{Expr, ExprKind, Op, Source};

/// Bits and what each of them weighs.
pub(super) type Weights = Box<[(i64, i64)]>;

/// The most different weights that are counted by bits.
const MOST_WEIGHTS: usize = 8;

/// All cards of the month with this number.
fn cards_of(month: i64) -> i64 {
    if (1..=12).contains(&month) { 0b1111 << (4 * (month - 1)) } else { 0 }
}

/// `Month(e)`: what it is the month of.
fn month_of(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Builtin(Builtin::Month, args) => args.first(),
        _ => None,
    }
}

fn is_local(expr: &Expr, slot: usize) -> bool {
    matches!(expr.kind, ExprKind::Local(at) if at == slot)
}

/// A whole-map move: `map p : T => if p = q then v(p) join S else v(p) minus S`.
pub(super) struct Move<'e> {
    pub(super) to: &'e Expr,
    /// The set, as it stands in the branch of the place that is moved to,
    pub(super) joined: &'e Expr,
    /// and in that of all others. They are equal, but a fault has its place in the one that is evaluated first.
    pub(super) taken: &'e Expr,
}

impl Compiler<'_> {
    /// What a test of the element alone holds for, as bits.
    pub(super) fn mask(&self, test: &Word, slot: usize, ty: &Ty, body: &Expr) -> Option<i64> {
        let table = self.table(test, slot, ty, body)?;
        Some(
            table
                .iter()
                .enumerate()
                .fold(0, |mask, (element, &holds)| mask | i64::from(holds != 0) << element),
        )
    }

    /// The weights of a number of the element alone, if their sum cannot overflow.
    pub(super) fn weights(&self, code: &Word, slot: usize, ty: &Ty, body: &Expr) -> Option<Weights> {
        let table = self.table(code, slot, ty, body)?;
        table.iter().try_fold(0_i64, |sum, weight| sum.checked_add(weight.checked_abs()?))?;
        let mut weights: Vec<(i64, i64)> = Vec::new();
        for (element, &weight) in table.iter().enumerate() {
            match weights.iter().position(|&(_, other)| other == weight) {
                Some(at) => weights[at].0 |= 1 << element,
                None if weights.len() == MOST_WEIGHTS => return None,
                None => weights.push((1 << element, weight)),
            }
        }
        weights.retain(|&(_, weight)| weight != 0);
        Some(weights.into())
    }

    /// The words for every element of the type, if the element alone determines them.
    fn table(&self, code: &Word, slot: usize, ty: &Ty, body: &Expr) -> Option<Vec<i64>> {
        if !self.recognise || !self.is_closed(body, &mut vec![slot]) {
            return None;
        }
        self.tabulate(code, slot, size_of(ty, usize::from(self.house.seats)), body.span)
    }

    /// `Month(x) = e` or the other way round, `e` without `x`: code for the cards of the month.
    pub(super) fn month_mask(&mut self, slot: usize, ty: &Ty, body: &Expr) -> Option<Word> {
        let ExprKind::Binary(Op::Equal, a, b) = &body.kind else { return None };
        if !self.recognise || *ty != Ty::Flower {
            return None;
        }
        let is_element = |expr: &Expr| month_of(expr).is_some_and(|inner| is_local(inner, slot));
        let other = if is_element(a) {
            b
        } else if is_element(b) {
            a
        } else {
            return None;
        };
        if self.mentions(other, slot) || self.asks(other) {
            return None;
        }
        Some(match month_of(other) {
            Some(card) => match self.word(card) {
                Word::Const(id) => Word::Const(0b1111 << (id & 0b11_1100)),
                card => Word::code(move |m| Ok(0b1111 << (card.get(m)? & 0b11_1100))),
            },
            None => match self.word(other) {
                Word::Const(month) => Word::Const(cards_of(month)),
                month => Word::code(move |m| Ok(cards_of(month.get(m)?))),
            },
        })
    }

    /// `v(x)` of a variable that is a map of words: its row.
    pub(super) fn row_at(&self, slot: usize, ty: &Ty, body: &Expr) -> Option<usize> {
        let ExprKind::Index(container, index) = &body.kind else { return None };
        let (ExprKind::Var(var), Ty::Map(from, _)) = (&container.kind, &container.ty) else { return None };
        match self.cells[*var] {
            Cell::Row(row) if self.recognise && is_local(index, slot) && **from == *ty => Some(row),
            _ => None,
        }
    }

    /// The parts of a move of the variable, if the value is one.
    pub(super) fn as_move<'e>(&self, var: usize, value: &'e Expr) -> Option<Move<'e>> {
        let ExprKind::Tabulate { bound, body, .. } = &value.kind else { return None };
        let ExprKind::If(test, yes, no) = &body.kind else { return None };
        let ExprKind::Binary(Op::Equal, a, b) = &test.kind else { return None };
        let ExprKind::Binary(Op::Join, kept, set) = &yes.kind else { return None };
        let ExprKind::Binary(Op::Minus, also_kept, also_set) = &no.kind else { return None };
        let here = |expr: &Expr| match &expr.kind {
            ExprKind::Index(container, index) => {
                matches!(container.kind, ExprKind::Var(at) if at == var) && is_local(index, bound.slot)
            }
            _ => false,
        };
        let to = if is_local(a, bound.slot) {
            b
        } else if is_local(b, bound.slot) {
            a
        } else {
            return None;
        };
        let free = |expr: &Expr| !self.mentions(expr, bound.slot) && !self.asks(expr);
        let is_move = self.recognise
            && matches!(self.cells[var], Cell::Row(_))
            && here(kept)
            && here(also_kept)
            && same(set, also_set)
            && free(to)
            && free(set);
        is_move.then_some(Move { to, joined: set, taken: also_set })
    }

    /// Does it need nothing but the bound slots and constants?
    fn is_closed(&self, expr: &Expr, known: &mut Vec<usize>) -> bool {
        match &expr.kind {
            ExprKind::Local(slot) => known.contains(slot),
            ExprKind::Var(_) | ExprKind::Ask(..) | ExprKind::Apply(..) | ExprKind::Lambda(_) => false,
            ExprKind::Call(i, args) => {
                let reads = self.program.functions[*i].reads;
                !reads.state && !reads.oracles && args.iter().all(|arg| self.is_closed(arg, known))
            }
            ExprKind::Let { bound, value, body } => {
                self.is_closed(value, known) && self.is_closed_under(bound.slot, body, known)
            }
            ExprKind::Tabulate { bound, body, .. } => self.is_closed_under(bound.slot, body, known),
            ExprKind::Quantified { bound, over, body, .. } | ExprKind::Sum { bound, over, body } => {
                self.is_closed(over, known) && self.is_closed_under(bound.slot, body, known)
            }
            ExprKind::Filter { bound, over, body } => {
                let over_closed = match over {
                    Source::Set(set) => self.is_closed(set, known),
                    Source::All(_) => true,
                };
                over_closed && self.is_closed_under(bound.slot, body, known)
            }
            _ => parts(expr).all(|part| self.is_closed(part, known)),
        }
    }

    fn is_closed_under(&self, slot: usize, body: &Expr, known: &mut Vec<usize>) -> bool {
        known.push(slot);
        let closed = self.is_closed(body, known);
        known.pop();
        closed
    }

    /// Does it use the slot?
    fn mentions(&self, expr: &Expr, slot: usize) -> bool {
        match &expr.kind {
            ExprKind::Local(at) => *at == slot,
            ExprKind::Lambda(lambda) => lambda.captures.contains(&slot),
            _ => parts(expr).any(|part| self.mentions(part, slot)),
        }
    }

    /// May it ask an oracle?
    fn asks(&self, expr: &Expr) -> bool {
        let here = match &expr.kind {
            ExprKind::Ask(..) | ExprKind::Apply(..) => true,
            ExprKind::Call(i, _) => self.program.functions[*i].reads.oracles,
            ExprKind::Lambda(lambda) => lambda.reads.oracles,
            _ => false,
        };
        here || parts(expr).any(|part| self.asks(part))
    }
}

/// The expressions directly inside.
fn parts(expr: &Expr) -> impl Iterator<Item = &Expr> {
    let mut inside: Vec<&Expr> = Vec::new();
    match &expr.kind {
        ExprKind::Int(_)
        | ExprKind::Flower(_)
        | ExprKind::Bool(_)
        | ExprKind::Given(_)
        | ExprKind::Local(_)
        | ExprKind::Var(_)
        | ExprKind::Const(_)
        | ExprKind::Lambda(_) => {}
        ExprKind::Call(_, args)
        | ExprKind::Ask(_, args)
        | ExprKind::Builtin(_, args)
        | ExprKind::Extreme(_, args)
        | ExprKind::Set(args) => inside.extend(args),
        ExprKind::Apply(function, args) => {
            inside.push(function);
            inside.extend(args);
        }
        ExprKind::Not(a) | ExprKind::Negate(a) | ExprKind::Tabulate { body: a, .. } => inside.push(a),
        ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => inside.extend([&**a, &**b]),
        ExprKind::If(a, b, c) => inside.extend([&**a, &**b, &**c]),
        ExprKind::Let { value: a, body: b, .. }
        | ExprKind::Quantified { over: a, body: b, .. }
        | ExprKind::Sum { over: a, body: b, .. } => inside.extend([&**a, &**b]),
        ExprKind::Filter { over, body, .. } => {
            if let Source::Set(set) = over {
                inside.push(set);
            }
            inside.push(body);
        }
    }
    inside.into_iter()
}

/// Are these the same expression, wherever they stand? Only what moves are made of is looked into; anything else counts as different.
fn same(a: &Expr, b: &Expr) -> bool {
    let all = |a: &[Expr], b: &[Expr]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b));
    match (&a.kind, &b.kind) {
        (ExprKind::Local(a), ExprKind::Local(b))
        | (ExprKind::Var(a), ExprKind::Var(b))
        | (ExprKind::Const(a), ExprKind::Const(b)) => a == b,
        (ExprKind::Int(a), ExprKind::Int(b)) => a == b,
        (ExprKind::Flower(a), ExprKind::Flower(b)) => a == b,
        (ExprKind::Given(a), ExprKind::Given(b)) => a == b,
        (ExprKind::Set(a), ExprKind::Set(b)) => all(a, b),
        (ExprKind::Builtin(f, a), ExprKind::Builtin(g, b)) => f == g && all(a, b),
        (ExprKind::Binary(f, a1, a2), ExprKind::Binary(g, b1, b2)) => f == g && same(a1, b1) && same(a2, b2),
        (ExprKind::Index(a1, a2), ExprKind::Index(b1, b2)) => same(a1, b1) && same(a2, b2),
        _ => false,
    }
}

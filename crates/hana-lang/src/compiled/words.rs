//! Expressions that give a word: numbers, truth values, flowers, places and sets of them.

use super::compile::Compiler;
use super::fault::{Kind, Outcome, fault};
use super::function::{Body, apply};
use super::machine::{Cell, Machine, Other, Word};
use super::value::{Shape, Value, shape};
use crate::syntax::Span;
use crate::syntax::ast::Extreme;
use crate::types::builtins::{Builtin, Given};
use crate::types::ty::Ty;
use crate::types::typed::{Expr, ExprKind, Op};
use hana::Card;
use std::sync::Arc;

/// Code with one operand; folded when it is known and free of faults.
fn unary(a: Word, run: impl Fn(i64) -> Result<i64, Kind> + Send + Sync + 'static, span: Span) -> Word {
    if let Word::Const(a) = a
        && let Ok(word) = run(a)
    {
        return Word::Const(word);
    }
    Word::code(move |m| {
        let a = a.get(m)?;
        run(a).or_else(|kind| fault(kind, span))
    })
}

/// Code with two operands, left first; folded when both are known and there is no fault.
fn binary(
    a: Word,
    b: Word,
    run: impl Fn(i64, i64) -> Result<i64, Kind> + Send + Sync + 'static,
    span: Span,
) -> Word {
    match (a, b) {
        (Word::Const(a), Word::Const(b)) => match run(a, b) {
            Ok(word) => Word::Const(word),
            Err(_) => Word::code(move |_| run(a, b).or_else(|kind| fault(kind, span))),
        },
        (a, Word::Const(b)) => Word::code(move |m| {
            let a = a.get(m)?;
            run(a, b).or_else(|kind| fault(kind, span))
        }),
        (a, b) => Word::code(move |m| {
            let a = a.get(m)?;
            let b = b.get(m)?;
            run(a, b).or_else(|kind| fault(kind, span))
        }),
    }
}

fn truth(holds: bool) -> Result<i64, Kind> {
    Ok(i64::from(holds))
}

/// Division rounded down.
fn floored_div(a: i64, b: i64) -> Result<i64, Kind> {
    if b == 0 {
        return Err(Kind::DivisionByZero);
    }
    let quotient = a.checked_div(b).ok_or(Kind::Overflow)?;
    Ok(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

/// The remainder of division rounded down: it has the sign of the divisor.
fn floored_mod(a: i64, b: i64) -> Result<i64, Kind> {
    if b == 0 {
        return Err(Kind::DivisionByZero);
    }
    // -1 divides everything; the hardware would overflow.
    let rest = a.checked_rem(b).unwrap_or(0);
    Ok(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
}

fn power(base: i64, exponent: i64) -> Result<i64, Kind> {
    if exponent < 0 {
        return Err(Kind::NegativeExponent);
    }
    match base {
        0 => truth(exponent == 0),
        1 => Ok(1),
        -1 => Ok(if exponent % 2 == 0 { 1 } else { -1 }),
        _ => {
            u32::try_from(exponent).ok().and_then(|exponent| base.checked_pow(exponent)).ok_or(Kind::Overflow)
        }
    }
}

/// Points of every card by id.
fn point(id: i64) -> i64 {
    u8::try_from(id).ok().and_then(Card::from_id).map_or(0, Card::value)
}

impl Compiler<'_> {
    /// An expression of a type that is kept as a word.
    pub(super) fn word(&mut self, expr: &Expr) -> Word {
        self.nested(expr.span, || Word::Const(0), |compiler| compiler.word_inside(expr))
    }

    fn word_inside(&mut self, expr: &Expr) -> Word {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(n) => Word::Const(*n),
            ExprKind::Flower(card) => Word::Const(i64::from(card.id())),
            ExprKind::Bool(b) => Word::Const(i64::from(*b)),
            ExprKind::Given(given) => Word::Const(match given {
                Given::Seats => i64::from(self.house.seats),
                Given::Kan => self.house.kan,
                Given::Months => self.house.months,
                Given::Table => 0,
                Given::Yama => 1,
            }),
            ExprKind::Local(slot) => Word::Local(*slot),
            ExprKind::Var(i) => match self.cells[*i] {
                Cell::Word(i) => Word::Var(i),
                cell => Word::code(move |m| Ok(m.state.value(cell).word())),
            },
            ExprKind::Const(i) => match self.constant(*i) {
                Ok(value) => Word::Const(value.word()),
                Err(found) => Word::code(move |_| Err(Box::new(found.clone()))),
            },
            ExprKind::Call(i, args) => self.call(*i, args, span),
            ExprKind::Ask(oracle, args) => {
                let (oracle, args) = (*oracle, self.args(args));
                Word::code(move |m| {
                    let values =
                        args.iter().map(|arg| arg.value(m, span)).collect::<Outcome<Vec<Value>>>()?;
                    Ok(m.ask(oracle, &values, span)?.word())
                })
            }
            ExprKind::Builtin(builtin, args) => self.builtin(*builtin, args, span),
            ExprKind::Apply(function, args) => {
                let (function, args) = (self.other(function), self.args(args));
                Word::code(move |m| match function.get(m, span)? {
                    Value::Function(closure) => apply(m, &closure, &args, span, |m, body| match body {
                        Body::Word(code) => code.get(m),
                        Body::Other(_) => Ok(0),
                    }),
                    _ => Ok(0),
                })
            }
            ExprKind::Index(container, index) => self.index(container, index, span),
            ExprKind::Not(inner) => {
                let inner = self.word(inner);
                unary(inner, |a| truth(a == 0), span)
            }
            ExprKind::Negate(inner) => {
                let inner = self.word(inner);
                unary(inner, |a| a.checked_neg().ok_or(Kind::Overflow), span)
            }
            ExprKind::Binary(op, a, b) => self.operator(*op, a, b, span),
            ExprKind::If(test, yes, no) => {
                let (test, yes, no) = (self.word(test), self.word(yes), self.word(no));
                match test {
                    Word::Const(0) => no,
                    Word::Const(_) => yes,
                    test => Word::code(move |m| if test.holds(m)? { yes.get(m) } else { no.get(m) }),
                }
            }
            ExprKind::Let { bound, value, body } => {
                let (slot, argument) = (bound.slot, self.arg(value));
                self.bind(slot, &value.ty);
                let body = self.word(body);
                Word::code(move |m| {
                    argument.pass(m, m.base + slot, span)?;
                    body.get(m)
                })
            }
            ExprKind::Quantified { quantifier, bound, over, body } => {
                self.quantified(*quantifier, bound.slot, over, body, span)
            }
            ExprKind::Sum { bound, over, body } => self.sum(bound.slot, over, body, span),
            ExprKind::Extreme(extreme, parts) => self.extreme(*extreme, parts),
            ExprKind::Set(parts) => self.bit_set(parts),
            ExprKind::Filter { bound, over, body } => self.bit_filter(bound.slot, over, body, span),
            // The types say that these are no words.
            ExprKind::Lambda(_) | ExprKind::Tabulate { .. } => Word::Const(0),
        }
    }

    fn call(&mut self, i: usize, args: &[Expr], span: Span) -> Word {
        let function = Arc::clone(&self.functions[i]);
        if let Body::Word(Word::Const(word)) = function.body {
            // Arguments may still be at fault, or never end.
            if args.is_empty() {
                return Word::Const(word);
            }
        }
        let args = self.args(args);
        Word::code(move |m| {
            let base = m.reserve(&function.frame, span)?;
            for (at, arg) in (base..).zip(&args) {
                arg.pass(m, at, span)?;
            }
            let caller = std::mem::replace(&mut m.base, base);
            let word = match &function.body {
                Body::Word(code) => code.get(m)?,
                Body::Other(_) => 0,
            };
            m.base = caller;
            m.release(base, &function.frame);
            Ok(word)
        })
    }

    fn builtin(&mut self, builtin: Builtin, args: &[Expr], span: Span) -> Word {
        let Some(first) = args.first() else { return Word::Const(0) };
        let seats = i64::from(self.house.seats);
        let place = move |kind: i64| {
            move |p: i64| {
                if (1..=seats).contains(&p) {
                    Ok(1 + kind * seats + p)
                } else {
                    Err(Kind::Index { index: p, low: 1, high: seats })
                }
            }
        };
        match builtin {
            Builtin::Point => unary(self.word(first), |id| Ok(point(id)), span),
            Builtin::Month => unary(self.word(first), |id| Ok(id / 4 + 1), span),
            Builtin::Hand => unary(self.word(first), place(0), span),
            Builtin::Window => unary(self.word(first), place(1), span),
            Builtin::Basket => unary(self.word(first), place(2), span),
            Builtin::Expo => match args.get(1) {
                Some(exponent) => {
                    let (base, exponent) = (self.word(first), self.word(exponent));
                    binary(base, exponent, power, span)
                }
                None => Word::Const(0),
            },
            Builtin::Number if shape(&first.ty) == Shape::Word => {
                unary(self.word(first), |bits| Ok(i64::from(bits.count_ones())), span)
            }
            Builtin::Number => self.number_of_ints(first),
            Builtin::Length => {
                let seq = self.other(first);
                Word::code(move |m| Ok(length(&seq, m, span)? as i64))
            }
        }
    }

    /// An element, kept as a word, of a map, array or sequence.
    fn index(&mut self, container: &Expr, index: &Expr, span: Span) -> Word {
        let low = lowest(&container.ty);
        let code = self.other(container);
        let index = self.word(index);
        match code {
            Other::Var(Cell::Row(row)) => Word::code(move |m| {
                let i = index.get(m)?;
                member(&m.state.rows[row], i, low, span)
            }),
            Other::Const(Value::Row(row)) => Word::code(move |m| {
                let i = index.get(m)?;
                member(&row, i, low, span)
            }),
            Other::Local(slot) => Word::code(move |m| {
                let i = index.get(m)?;
                member(m.others[m.base + slot].row(), i, low, span)
            }),
            code => Word::code(move |m| {
                let row = code.get(m, span)?;
                let i = index.get(m)?;
                member(row.row(), i, low, span)
            }),
        }
    }

    fn operator(&mut self, op: Op, a: &Expr, b: &Expr, span: Span) -> Word {
        match op {
            Op::Or | Op::And => {
                let (a, b, stop) = (self.word(a), self.word(b), op == Op::Or);
                return match a {
                    Word::Const(a) if (a != 0) == stop => Word::Const(a),
                    Word::Const(_) => b,
                    a if stop => Word::code(move |m| if a.holds(m)? { Ok(1) } else { b.get(m) }),
                    a => Word::code(move |m| if a.holds(m)? { b.get(m) } else { Ok(0) }),
                };
            }
            Op::Equal | Op::Unequal if shape(&a.ty) != Shape::Word => {
                let (a, b, wanted) = (self.other(a), self.other(b), op == Op::Equal);
                return Word::code(move |m| {
                    let a = a.get(m, span)?;
                    let b = b.get(m, span)?;
                    m.spend(a.len() as u64 / 8, span)?;
                    Ok(i64::from((a == b) == wanted))
                });
            }
            Op::Subset if shape(&a.ty) != Shape::Word => return self.subset_of_ints(a, b, span),
            Op::In if shape(&b.ty) != Shape::Word => return self.in_ints(a, b, span),
            _ => {}
        }
        let (a, b) = (self.word(a), self.word(b));
        match op {
            Op::Equal => binary(a, b, |a, b| truth(a == b), span),
            Op::Unequal => binary(a, b, |a, b| truth(a != b), span),
            Op::Less => binary(a, b, |a, b| truth(a < b), span),
            Op::Greater => binary(a, b, |a, b| truth(a > b), span),
            Op::AtMost => binary(a, b, |a, b| truth(a <= b), span),
            Op::AtLeast => binary(a, b, |a, b| truth(a >= b), span),
            Op::Subset => binary(a, b, |a, b| truth(a & !b == 0), span),
            Op::In => binary(a, b, |a, b| Ok(b >> (a & 63) & 1), span),
            Op::Join => binary(a, b, |a, b| Ok(a | b), span),
            Op::Minus => binary(a, b, |a, b| Ok(a & !b), span),
            Op::Meet => binary(a, b, |a, b| Ok(a & b), span),
            Op::Add => binary(a, b, |a, b| a.checked_add(b).ok_or(Kind::Overflow), span),
            Op::Subtract => binary(a, b, |a, b| a.checked_sub(b).ok_or(Kind::Overflow), span),
            Op::Multiply => binary(a, b, |a, b| a.checked_mul(b).ok_or(Kind::Overflow), span),
            Op::Div => binary(a, b, floored_div, span),
            Op::Mod => binary(a, b, floored_mod, span),
            Op::Or | Op::And => Word::Const(0),
        }
    }

    fn extreme(&mut self, extreme: Extreme, parts: &[Expr]) -> Word {
        let parts: Box<[Word]> = parts.iter().map(|part| self.word(part)).collect();
        let largest = extreme == Extreme::Max;
        Word::code(move |m| {
            let mut best: Option<i64> = None;
            for part in &parts {
                let word = part.get(m)?;
                best = Some(best.map_or(word, |best| if largest { best.max(word) } else { best.min(word) }));
            }
            Ok(best.unwrap_or(0))
        })
    }

    /// `{e, .., e}` of flowers, places or truth values.
    fn bit_set(&mut self, parts: &[Expr]) -> Word {
        let parts: Vec<Word> = parts.iter().map(|part| self.word(part)).collect();
        let known = parts.iter().try_fold(0, |bits, part| match part {
            Word::Const(word) => Some(bits | 1 << (word & 63)),
            _ => None,
        });
        if let Some(bits) = known {
            return Word::Const(bits);
        }
        match <[Word; 1]>::try_from(parts) {
            Ok([part]) => Word::code(move |m| Ok(1 << (part.get(m)? & 63))),
            Err(parts) => Word::code(move |m| {
                let mut bits = 0;
                for part in &parts {
                    bits |= 1 << (part.get(m)? & 63);
                }
                Ok(bits)
            }),
        }
    }
}

/// The first index of a map, array or sequence.
pub(super) fn lowest(ty: &Ty) -> i64 {
    match ty {
        Ty::Array(low, ..) => *low,
        Ty::Seq(_) => 1,
        _ => 0,
    }
}

/// Where index `i` lies in a row that begins at `low`; too large if it lies outside.
pub(super) fn offset(i: i64, low: i64) -> usize {
    // An index below `low` wraps to a huge offset.
    usize::try_from(i.wrapping_sub(low) as u64).unwrap_or(usize::MAX)
}

/// The fault of an index outside.
pub(super) fn outside<T>(i: i64, low: i64, len: usize, span: Span) -> Outcome<T> {
    let high = low.saturating_add(len as i64).saturating_sub(1);
    fault(Kind::Index { index: i, low, high }, span)
}

#[inline]
fn member(row: &[i64], i: i64, low: i64, span: Span) -> Outcome<i64> {
    match row.get(offset(i, low)) {
        Some(&word) => Ok(word),
        None => outside(i, low, row.len(), span),
    }
}

fn length(seq: &Other, m: &mut Machine<'_>, span: Span) -> Outcome<usize> {
    Ok(match seq {
        Other::Var(Cell::Row(i)) => m.state.rows[*i].len(),
        seq => seq.get(m, span)?.len(),
    })
}

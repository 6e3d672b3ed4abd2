//! Comprehensions, quantifiers and sums. Over flowers, places and truth values they are loops over bits, over numbers loops over a row, both in
//! ascending order. What [`super::patterns`] recognises needs no loop.

use super::compile::Compiler;
use super::fault::{Kind, Outcome, fault};
use super::machine::{Machine, Other, Word};
use super::patterns::Weights;
use super::value::{Shape, Value, first_bits, shape, size_of};
use crate::syntax::Span;
use crate::syntax::ast::Quantifier;
use crate::types::ty::Ty;
use crate::types::typed::{Expr, ExprKind, Source};
use std::ops::ControlFlow;

/// Visits the elements of a set of bits, ascending, each in a slot of the frame.
#[inline]
fn each_bit<B>(
    m: &mut Machine<'_>,
    bits: i64,
    (slot, cost): (usize, u64),
    span: Span,
    mut visit: impl FnMut(&mut Machine<'_>, i64) -> Outcome<ControlFlow<B>>,
) -> Outcome<Option<B>> {
    let mut rest = bits as u64;
    m.spend(u64::from(rest.count_ones()) * cost, span)?;
    while rest != 0 {
        let element = i64::from(rest.trailing_zeros());
        rest &= rest - 1;
        m.set_local(slot, element);
        if let ControlFlow::Break(found) = visit(m, element)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Visits the numbers of a set, ascending, each in a slot of the frame.
fn each_int<B>(
    m: &mut Machine<'_>,
    set: &Other,
    (slot, cost): (usize, u64),
    span: Span,
    mut visit: impl FnMut(&mut Machine<'_>, i64) -> Outcome<ControlFlow<B>>,
) -> Outcome<Option<B>> {
    let row = set.row(m, span)?;
    m.spend(row.len() as u64 * cost, span)?;
    for &element in row.iter() {
        m.set_local(slot, element);
        if let ControlFlow::Break(found) = visit(m, element)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The element type of a set.
pub(super) fn element(ty: &Ty) -> &Ty {
    match ty {
        Ty::Set(inner) => inner,
        other => other,
    }
}

impl Compiler<'_> {
    /// All elements of a finite type, as bits.
    pub(super) fn all_of(&self, ty: &Ty) -> i64 {
        first_bits(size_of(ty, usize::from(self.house.seats))) as i64
    }

    /// The bits of what a comprehension ranges over, and the type of its elements.
    fn source<'e>(&mut self, over: &'e Source) -> (Word, &'e Ty) {
        match over {
            Source::All(ty) => (Word::Const(self.all_of(ty)), ty),
            Source::Set(set) => (self.word(set), element(&set.ty)),
        }
    }

    /// `{x in S | b}`, `{x : T | b}` of flowers, places or truth values.
    pub(super) fn bit_filter(&mut self, slot: usize, over: &Source, body: &Expr, span: Span) -> Word {
        let (over, ty) = self.source(over);
        self.bind(slot, ty);
        // Before the test is compiled, so that nothing is compiled twice.
        if let Some(month) = self.month_mask(slot, ty, body) {
            return Word::code(move |m| {
                let bits = over.get(m)?;
                // Where there is no element the test is not evaluated.
                if bits == 0 { Ok(0) } else { Ok(bits & month.get(m)?) }
            });
        }
        let (test, cost) = self.costed(|compiler| compiler.word(body));
        if let Some(mask) = self.mask(&test, slot, ty, body) {
            return match over {
                Word::Const(bits) => Word::Const(bits & mask),
                over => Word::code(move |m| Ok(over.get(m)? & mask)),
            };
        }
        Word::code(move |m| {
            let bits = over.get(m)?;
            let mut kept = 0_i64;
            each_bit(m, bits, (slot, cost), span, |m, element| {
                if test.holds(m)? {
                    kept |= 1 << element;
                }
                Ok(ControlFlow::<()>::Continue(()))
            })?;
            Ok(kept)
        })
    }

    /// `E x in S [b]`, `A x in S [b]`.
    pub(super) fn quantified(
        &mut self,
        quantifier: Quantifier,
        slot: usize,
        over: &Expr,
        body: &Expr,
        span: Span,
    ) -> Word {
        // The truth value that decides.
        let decides = quantifier == Quantifier::Some;
        let ty = element(&over.ty);
        if shape(&over.ty) != Shape::Word {
            let set = self.other(over);
            self.bind(slot, ty);
            let (test, cost) = self.costed(|compiler| compiler.word(body));
            return Word::code(move |m| {
                let found = each_int(m, &set, (slot, cost), span, |m, _| decide(test.holds(m)?, decides))?;
                Ok(i64::from(found.is_some() == decides))
            });
        }
        let over = self.word(over);
        self.bind(slot, ty);
        let (test, cost) = self.costed(|compiler| compiler.word(body));
        if let Some(mask) = self.mask(&test, slot, ty, body) {
            return Word::code(move |m| {
                let bits = over.get(m)?;
                Ok(i64::from(if decides { bits & mask != 0 } else { bits & !mask == 0 }))
            });
        }
        Word::code(move |m| {
            let bits = over.get(m)?;
            let found = each_bit(m, bits, (slot, cost), span, |m, _| decide(test.holds(m)?, decides))?;
            Ok(i64::from(found.is_some() == decides))
        })
    }

    /// `sum x in S of e`.
    pub(super) fn sum(&mut self, slot: usize, over: &Expr, body: &Expr, span: Span) -> Word {
        let ty = element(&over.ty);
        if shape(&over.ty) != Shape::Word {
            let set = self.other(over);
            self.bind(slot, ty);
            let (body, cost) = self.costed(|compiler| compiler.word(body));
            return Word::code(move |m| {
                let mut total = 0_i64;
                each_int(m, &set, (slot, cost), span, |m, _| add(&mut total, body.get(m)?, span))?;
                Ok(total)
            });
        }
        let over = self.word(over);
        self.bind(slot, ty);
        let (code, cost) = self.costed(|compiler| compiler.word(body));
        if let Some(weights) = self.weights(&code, slot, ty, body) {
            return weighed(over, weights);
        }
        if let Some(row) = self.row_at(slot, ty, body) {
            return Word::code(move |m| {
                let mut rest = over.get(m)? as u64;
                let mut total = 0_i64;
                m.spend(u64::from(rest.count_ones()), span)?;
                let row = &m.state.rows[row];
                while rest != 0 {
                    let part = row.get(rest.trailing_zeros() as usize).copied().unwrap_or(0);
                    rest &= rest - 1;
                    let Some(next) = total.checked_add(part) else { return fault(Kind::Overflow, span) };
                    total = next;
                }
                Ok(total)
            });
        }
        Word::code(move |m| {
            let bits = over.get(m)?;
            let mut total = 0_i64;
            each_bit(m, bits, (slot, cost), span, |m, _| add(&mut total, code.get(m)?, span))?;
            Ok(total)
        })
    }

    /// `Number` of a set of numbers; a comprehension is counted without being made.
    pub(super) fn number_of_ints(&mut self, set: &Expr) -> Word {
        let span = set.span;
        if let ExprKind::Filter { bound, over: Source::Set(over), body } = &set.kind {
            let slot = bound.slot;
            let over_code = self.other(over);
            self.bind(slot, element(&over.ty));
            let (test, cost) = self.costed(|compiler| compiler.word(body));
            return Word::code(move |m| {
                let mut count = 0;
                each_int(m, &over_code, (slot, cost), span, |m, _| {
                    count += i64::from(test.holds(m)?);
                    Ok(ControlFlow::<()>::Continue(()))
                })?;
                Ok(count)
            });
        }
        let set = self.other(set);
        Word::code(move |m| Ok(set.row(m, span)?.len() as i64))
    }

    /// `{x in S | b}` of numbers.
    pub(super) fn int_filter(&mut self, slot: usize, over: &Source, body: &Expr, span: Span) -> Other {
        let Source::Set(over) = over else { return Other::Const(Value::Row([].into())) };
        let set = self.other(over);
        self.bind(slot, element(&over.ty));
        let (test, cost) = self.costed(|compiler| compiler.word(body));
        Other::code(move |m| {
            let mut kept = Vec::new();
            each_int(m, &set, (slot, cost), span, |m, element| {
                if test.holds(m)? {
                    kept.push(element);
                }
                Ok(ControlFlow::<()>::Continue(()))
            })?;
            Ok(Value::Row(kept.into()))
        })
    }

    pub(super) fn subset_of_ints(&mut self, a: &Expr, b: &Expr, span: Span) -> Word {
        let (a, b) = (self.other(a), self.other(b));
        Word::code(move |m| {
            let (a, b) = (a.row(m, span)?, b.row(m, span)?);
            m.spend(a.len() as u64, span)?;
            Ok(i64::from(a.iter().all(|n| b.binary_search(n).is_ok())))
        })
    }

    pub(super) fn in_ints(&mut self, a: &Expr, b: &Expr, span: Span) -> Word {
        let (a, b) = (self.word(a), self.other(b));
        Word::code(move |m| {
            let n = a.get(m)?;
            Ok(i64::from(b.row(m, span)?.binary_search(&n).is_ok()))
        })
    }
}

fn decide(holds: bool, decides: bool) -> Outcome<ControlFlow<()>> {
    Ok(if holds == decides { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
}

fn add(total: &mut i64, part: i64, span: Span) -> Outcome<ControlFlow<()>> {
    match total.checked_add(part) {
        Some(next) => {
            *total = next;
            Ok(ControlFlow::Continue(()))
        }
        None => fault(Kind::Overflow, span),
    }
}

/// A sum whose parts are known for every element.
fn weighed(over: Word, weights: Weights) -> Word {
    Word::code(move |m| {
        let bits = over.get(m)?;
        Ok(weights.iter().map(|&(mask, weight)| i64::from((bits & mask).count_ones()) * weight).sum())
    })
}

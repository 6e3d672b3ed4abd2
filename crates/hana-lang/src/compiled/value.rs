//! Values of the compiled evaluator. Whatever fits a machine word is one: truth values, numbers, flowers, places, and sets of flowers, places
//! and truth values as bits. The rest is shared rows of words, rows of rows, or functions.

use super::function::Closure;
use crate::types::ty::Ty;
use std::sync::Arc;

/// A value. Its type tells how to read it.
#[derive(Debug, Clone)]
pub enum Value {
    /// Bool (0, 1), Int, Flower (card id), Place (index); a set of Flower, Place or Bool as bits.
    Word(i64),
    /// A map, array or sequence of words; a set of Int, ascending.
    Row(Arc<[i64]>),
    /// A map, array or sequence of anything else.
    Rows(Arc<[Value]>),
    /// A function.
    Function(Arc<Closure>),
}

impl Value {
    /// The word; 0 for anything else, which the types exclude.
    #[must_use]
    pub fn word(&self) -> i64 {
        match self {
            Value::Word(word) => *word,
            _ => 0,
        }
    }

    /// The words of a row; none for anything else, which the types exclude.
    #[must_use]
    pub fn row(&self) -> &[i64] {
        match self {
            Value::Row(row) => row,
            _ => &[],
        }
    }

    /// The rows; none for anything else, which the types exclude.
    #[must_use]
    pub fn rows(&self) -> &[Value] {
        match self {
            Value::Rows(rows) => rows,
            _ => &[],
        }
    }

    /// How many members a map, array, sequence or set of numbers has.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Value::Row(row) => row.len(),
            Value::Rows(rows) => rows.len(),
            _ => 0,
        }
    }

    /// No members?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Equality at types without functions; functions are equal to nothing.
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Word(a), Value::Word(b)) => a == b,
            (Value::Row(a), Value::Row(b)) => a == b,
            (Value::Rows(a), Value::Rows(b)) => a == b,
            _ => false,
        }
    }
}

/// How values of a type are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// [`Value::Word`]
    Word,
    /// [`Value::Row`]
    Row,
    /// [`Value::Rows`]
    Rows,
    /// [`Value::Function`]
    Function,
}

/// How values of this type are kept.
#[must_use]
pub fn shape(ty: &Ty) -> Shape {
    match ty {
        Ty::Bool | Ty::Int | Ty::Flower | Ty::Place | Ty::Open(_) => Shape::Word,
        Ty::Set(inner) => {
            if **inner == Ty::Int {
                Shape::Row
            } else {
                Shape::Word
            }
        }
        Ty::Seq(inner) | Ty::Map(_, inner) | Ty::Array(_, _, inner) => {
            if shape(inner) == Shape::Word {
                Shape::Row
            } else {
                Shape::Rows
            }
        }
        Ty::Function(..) => Shape::Function,
    }
}

/// Flowers of the deck.
pub const FLOWERS: u32 = 48;

/// Elements of a finite type, when so many sit down.
#[must_use]
pub fn size_of(ty: &Ty, seats: usize) -> u32 {
    match ty {
        Ty::Bool => 2,
        Ty::Flower => FLOWERS,
        Ty::Place => 2 + 3 * seats as u32,
        _ => 0,
    }
}

/// The words `0..count` as bits of a set.
#[must_use]
pub fn first_bits(count: u32) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// Members of an array or map, unless they are more than `limit`.
fn members(ty: &Ty, seats: usize, limit: usize) -> Option<usize> {
    let count = match ty {
        Ty::Array(low, high, _) => {
            if high < low {
                0
            } else {
                usize::try_from(high.checked_sub(*low)?.checked_add(1)?).ok()?
            }
        }
        Ty::Map(from, _) => size_of(from, seats) as usize,
        _ => 0,
    };
    (count <= limit).then_some(count)
}

/// The value with which a variable begins: 0, false, the first element, nothing, or a map or array of these. `None` if it has more than `limit`
/// members in all, or holds a function.
#[must_use]
pub fn initial(ty: &Ty, seats: usize, limit: usize) -> Option<Value> {
    match ty {
        Ty::Function(..) => None,
        Ty::Seq(_) | Ty::Set(_) if shape(ty) != Shape::Word => Some(match shape(ty) {
            Shape::Rows => Value::Rows(Arc::from([])),
            _ => Value::Row(Arc::from([])),
        }),
        Ty::Map(_, inner) | Ty::Array(_, _, inner) => {
            let count = members(ty, seats, limit)?;
            if shape(inner) == Shape::Word {
                return Some(Value::Row(vec![0; count].into()));
            }
            let member = initial(inner, seats, limit / count.max(1))?;
            Some(Value::Rows(vec![member; count].into()))
        }
        _ => Some(Value::Word(0)),
    }
}

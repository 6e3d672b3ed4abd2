//! Values between the two engines: the compiled evaluator's words and rows, and the tagged values of the core. Also how a value is shown.

use super::machine::{Cell, State};
use super::value::{Shape, Value, initial, shape};
use crate::core::value::{House, Place, Set, Value as Core};
use crate::types::ty::Ty;
use hana::Card;
use std::sync::Arc;

fn flower(word: i64) -> Option<Core> {
    u8::try_from(word).ok().and_then(Card::from_id).map(Core::Flower)
}

fn base(word: i64, ty: &Ty, house: &House) -> Option<Core> {
    match ty {
        Ty::Bool => Some(Core::Bool(word != 0)),
        Ty::Int => Some(Core::Int(word)),
        Ty::Flower => flower(word),
        Ty::Place => Place::all(house).nth(usize::try_from(word).ok()?).map(Core::Place),
        _ => None,
    }
}

/// The value as the core writes it. `None` for functions, and for values that are not of the type.
#[must_use]
pub fn to_core(value: &Value, ty: &Ty, house: &House) -> Option<Core> {
    let members = |inner: &Ty| -> Option<Arc<[Core]>> {
        match value {
            Value::Row(row) => row.iter().map(|&word| to_core(&Value::Word(word), inner, house)).collect(),
            Value::Rows(rows) => rows.iter().map(|value| to_core(value, inner, house)).collect(),
            _ => None,
        }
    };
    Some(match ty {
        Ty::Bool | Ty::Int | Ty::Flower | Ty::Place => base(value.word(), ty, house)?,
        Ty::Set(inner) => Core::Set(match (&**inner, value) {
            (Ty::Flower, Value::Word(bits)) => Set::Flowers(*bits as u64),
            (_, Value::Word(bits)) => {
                let elements = (0..64).filter(|element| bits >> element & 1 == 1);
                Set::Other(Arc::new(
                    elements.map(|element| base(element, inner, house)).collect::<Option<_>>()?,
                ))
            }
            (_, Value::Row(row)) => Set::Other(Arc::new(row.iter().map(|&n| Core::Int(n)).collect())),
            _ => return None,
        }),
        Ty::Seq(inner) => Core::Seq(members(inner)?),
        Ty::Map(_, inner) => Core::Map(members(inner)?),
        Ty::Array(low, _, inner) => Core::Array(*low, members(inner)?),
        Ty::Function(..) | Ty::Open(_) => return None,
    })
}

/// The value as the compiled evaluator keeps it. `None` for functions and records, and for values that are not of the type.
#[must_use]
pub fn from_core(value: &Core, ty: &Ty, house: &House) -> Option<Value> {
    let members = |items: &[Core], inner: &Ty| -> Option<Value> {
        let values = items.iter().map(|item| from_core(item, inner, house));
        Some(match shape(inner) {
            Shape::Word => Value::Row(values.map(|value| Some(value?.word())).collect::<Option<_>>()?),
            _ => Value::Rows(values.collect::<Option<_>>()?),
        })
    };
    Some(match (value, ty) {
        (Core::Int(n), Ty::Int) => Value::Word(*n),
        (Core::Bool(_), Ty::Bool) | (Core::Flower(_), Ty::Flower) | (Core::Place(_), Ty::Place) => {
            Value::Word(i64::try_from(value.index(house)?).ok()?)
        }
        (Core::Set(set), Ty::Set(inner)) => match set {
            Set::Flowers(bits) => Value::Word(*bits as i64),
            Set::Other(set) if **inner == Ty::Int => {
                Value::Row(set.iter().map(Core::as_int).collect::<Option<_>>()?)
            }
            Set::Other(set) => {
                let mut bits = set.iter().map(|element| element.index(house).map(|i| 1_i64 << i));
                Value::Word(bits.try_fold(0, |all, bit| Some(all | bit?))?)
            }
        },
        (Core::Seq(items), Ty::Seq(inner))
        | (Core::Map(items), Ty::Map(_, inner))
        | (Core::Array(_, items), Ty::Array(_, _, inner)) => members(items, inner)?,
        _ => return None,
    })
}

/// The value in the notation of the language.
#[must_use]
pub fn show(value: &Value, ty: &Ty, house: &House) -> String {
    to_core(value, ty, house).map_or_else(|| "a function".into(), |value| value.to_string())
}

impl State {
    /// The state whose variables, of these types and at these cells, have the values of a record of the core.
    pub(crate) fn from_core<'v>(
        record: &Core,
        vars: impl Iterator<Item = (&'v str, &'v Ty, Cell)>,
        house: &House,
    ) -> Option<State> {
        let mut state = State::default();
        for (name, ty, cell) in vars {
            let value = from_core(record.field(name)?, ty, house)?;
            match cell {
                Cell::Word(i) => state.words.resize(state.words.len().max(i + 1), 0),
                Cell::Row(i) => state.rows.resize(state.rows.len().max(i + 1), Vec::new()),
                Cell::Other(i) => {
                    let empty = initial(&Ty::Int, 0, 0)?;
                    state.others.resize(state.others.len().max(i + 1), empty);
                }
            }
            state.set(cell, value);
        }
        Some(state)
    }
}

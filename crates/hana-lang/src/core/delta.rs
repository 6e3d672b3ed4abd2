//! What the primitives compute on values: the table that both the interpreter and every tested axiom rest on.

use super::interpret::{Fault, FaultKind};
use super::prim::Prim;
use super::value::{House, Place, Set, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The fault of a term that was run without a type.
pub(crate) fn untyped(rule: &str) -> Fault {
    Fault::new(FaultKind::Untyped, format!("a term without a type was run: rule {rule} does not apply"))
}

fn overflow(prim: &Prim, arguments: &[Value]) -> Fault {
    let shown: Vec<String> = arguments.iter().map(Value::to_string).collect();
    Fault::new(FaultKind::Overflow, format!("{prim} of {} does not fit 64 bits", shown.join(" and ")))
}

fn outside(what: &str, index: i64, low: i64, high: i64) -> Fault {
    Fault::new(FaultKind::Range, format!("{what} {index} is outside {low}..{high}"))
}

/// The value of a first-order primitive at argument values.
///
/// # Errors
/// The fault of a partial primitive outside its domain.
pub fn delta(prim: &Prim, arguments: &[Value], house: &House) -> Result<Value, Fault> {
    use Prim::*;
    use Value as V;
    let int = |result: Option<i64>| result.map(V::Int).ok_or_else(|| overflow(prim, arguments));
    Ok(match (prim, arguments) {
        (Add, [V::Int(a), V::Int(b)]) => int(a.checked_add(*b))?,
        (Sub, [V::Int(a), V::Int(b)]) => int(a.checked_sub(*b))?,
        (Mul, [V::Int(a), V::Int(b)]) => int(a.checked_mul(*b))?,
        (Div | Mod, [V::Int(a), V::Int(0)]) => {
            return Err(Fault::new(FaultKind::Division, format!("{a} {prim} 0")));
        }
        (Div, [V::Int(a), V::Int(b)]) => int(floored(*a, *b).map(|(quotient, _)| quotient))?,
        // The remainder always fits, even where the quotient does not.
        (Mod, [V::Int(a), V::Int(b)]) => V::Int(floored(*a, *b).map_or(0, |(_, remainder)| remainder)),
        (Neg, [V::Int(a)]) => int(a.checked_neg())?,
        (Expo, [V::Int(a), V::Int(b)]) => {
            if *b < 0 {
                return Err(outside("exponent", *b, 0, i64::from(u32::MAX)));
            }
            int(power(*a, *b))?
        }
        (Max, [V::Int(a), V::Int(b)]) => V::Int(*a.max(b)),
        (Min, [V::Int(a), V::Int(b)]) => V::Int(*a.min(b)),
        (WrapAdd, [V::Int(a), V::Int(b)]) => V::Int(a.wrapping_add(*b)),
        (WrapSub, [V::Int(a), V::Int(b)]) => V::Int(a.wrapping_sub(*b)),
        (Lt, [V::Int(a), V::Int(b)]) => V::Bool(a < b),
        (Le, [V::Int(a), V::Int(b)]) => V::Bool(a <= b),
        (Gt, [V::Int(a), V::Int(b)]) => V::Bool(a > b),
        (Ge, [V::Int(a), V::Int(b)]) => V::Bool(a >= b),
        (Eq, [a, b]) => V::Bool(a == b),
        (Ne, [a, b]) => V::Bool(a != b),
        (Not, [V::Bool(a)]) => V::Bool(!a),
        (Month, [V::Flower(card)]) => V::Int(i64::from(card.month())),
        (Point, [V::Flower(card)]) => V::Int(card.value()),
        (Hand, [V::Int(p)]) => V::Place(Place::Hand(seat(*p, house)?)),
        (Window, [V::Int(p)]) => V::Place(Place::Window(seat(*p, house)?)),
        (Basket, [V::Int(p)]) => V::Place(Place::Basket(seat(*p, house)?)),
        (Seats, []) => V::Int(i64::from(house.seats)),
        (Kan, []) => V::Int(house.kan),
        (Months, []) => V::Int(house.months),
        (Single, [a]) => V::Set(Set::single(a.clone())),
        (Join | Meet | Minus, [V::Set(a), V::Set(b)]) => V::Set(combine(prim, a, b)?),
        (In, [a, V::Set(set)]) => V::Bool(set.has(a)),
        (Subset, [V::Set(a), V::Set(b)]) => V::Bool(match (a, b) {
            (Set::Flowers(a), Set::Flowers(b)) => a & !b == 0,
            (Set::Other(a), Set::Other(b)) => a.is_subset(b),
            _ => return Err(untyped("subset")),
        }),
        (Number, [V::Set(a)]) => V::Int(a.number()),
        (All(ty), []) => {
            let all = Value::all(ty, house).ok_or_else(|| untyped("all"))?;
            V::Set(match ty {
                super::ty::Ty::Flower => Set::Flowers((1 << hana::card::DECK) - 1),
                _ => Set::Other(Arc::new(all.into_iter().collect())),
            })
        }
        (Length, [V::Seq(items)]) => V::Int(length(items)),
        (SeqGet, [V::Seq(items), V::Int(i)]) => {
            get(items, 1, *i).cloned().ok_or_else(|| outside("position", *i, 1, length(items)))?
        }
        (MapGet, [V::Map(items), key]) => {
            let index = key.index(house).ok_or_else(|| untyped("get"))?;
            items.get(index).cloned().ok_or_else(|| untyped("get"))?
        }
        (MapSet, [V::Map(items), key, value]) => {
            let index =
                key.index(house).filter(|index| *index < items.len()).ok_or_else(|| untyped("upd"))?;
            V::Map(replaced(items, index, value))
        }
        (ArrayGet, [V::Array(low, items), V::Int(i)]) => get(items, *low, *i)
            .cloned()
            .ok_or_else(|| outside("index", *i, *low, low + length(items) - 1))?,
        (ArraySet, [V::Array(low, items), V::Int(i), value]) => match position(items, *low, *i) {
            Some(index) => V::Array(*low, replaced(items, index, value)),
            None => return Err(outside("index", *i, *low, low + length(items) - 1)),
        },
        _ => return Err(untyped(prim.name())),
    })
}

/// Quotient and remainder with the remainder of the divisor's sign; `None` when the quotient does not fit.
fn floored(a: i64, b: i64) -> Option<(i64, i64)> {
    let (quotient, remainder) = (a.checked_div(b)?, a.checked_rem(b)?);
    Some(if remainder != 0 && (remainder < 0) != (b < 0) {
        (quotient - 1, remainder + b)
    } else {
        (quotient, remainder)
    })
}

/// A power by squaring, so that a huge exponent of 0, 1 or -1 ends at once.
fn power(a: i64, b: i64) -> Option<i64> {
    match (a, b) {
        (0, 1..) => Some(0),
        (1, _) => Some(1),
        (-1, b) => Some(if b % 2 == 0 { 1 } else { -1 }),
        (a, b) => a.checked_pow(u32::try_from(b).ok()?),
    }
}

fn seat(p: i64, house: &House) -> Result<u8, Fault> {
    u8::try_from(p)
        .ok()
        .filter(|p| (1..=house.seats).contains(p))
        .ok_or_else(|| outside("seat", p, 1, i64::from(house.seats)))
}

fn combine(prim: &Prim, a: &Set, b: &Set) -> Result<Set, Fault> {
    Ok(match (a, b) {
        (Set::Flowers(a), Set::Flowers(b)) => Set::Flowers(match prim {
            Prim::Join => a | b,
            Prim::Meet => a & b,
            _ => a & !b,
        }),
        (Set::Other(a), Set::Other(b)) => {
            let set: BTreeSet<Value> = match prim {
                Prim::Join => a.union(b).cloned().collect(),
                Prim::Meet => a.intersection(b).cloned().collect(),
                _ => a.difference(b).cloned().collect(),
            };
            Set::Other(Arc::new(set))
        }
        _ => return Err(untyped(prim.name())),
    })
}

fn length(items: &[Value]) -> i64 {
    i64::try_from(items.len()).unwrap_or(i64::MAX)
}

fn position(items: &[Value], low: i64, i: i64) -> Option<usize> {
    usize::try_from(i.checked_sub(low)?).ok().filter(|index| *index < items.len())
}

fn get(items: &[Value], low: i64, i: i64) -> Option<&Value> {
    position(items, low, i).map(|index| &items[index])
}

fn replaced(items: &[Value], index: usize, value: &Value) -> Arc<[Value]> {
    items.iter().enumerate().map(|(i, old)| if i == index { value.clone() } else { old.clone() }).collect()
}

//! The types of the calculus: finite and flat data, records, and functions of argument lists.

use std::fmt;
use std::sync::Arc;

/// A name of the source: cheap to clone.
pub type Name = Arc<str>;

/// A type of the core.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ty {
    /// Truth values.
    Bool,
    /// 64-bit integers; overflow is a fault.
    Int,
    /// The forty-eight cards.
    Flower,
    /// `table`, `YAMA`, and `Hand(p)`, `Window(p)`, `Basket(p)` of every seat.
    Place,
    /// Finite sets of a base type.
    Set(Arc<Ty>),
    /// Finite sequences, counted from 1.
    Seq(Arc<Ty>),
    /// Total maps on a finite type.
    Map(Arc<Ty>, Arc<Ty>),
    /// Arrays with the given bounds.
    Array(i64, i64, Arc<Ty>),
    /// Records: the state of a program, and its family of oracles.
    Record(Arc<[(Name, Ty)]>),
    /// Functions of an argument list into lifted results.
    Fun(Arc<[Ty]>, Arc<Ty>),
}

impl Ty {
    /// `set element`.
    pub fn set(element: Ty) -> Ty {
        Ty::Set(Arc::new(element))
    }

    /// `seq element`.
    pub fn seq(element: Ty) -> Ty {
        Ty::Seq(Arc::new(element))
    }

    /// `map key of value`.
    pub fn map(key: Ty, value: Ty) -> Ty {
        Ty::Map(Arc::new(key), Arc::new(value))
    }

    /// `array [low..high] of value`.
    pub fn array(low: i64, high: i64, value: Ty) -> Ty {
        Ty::Array(low, high, Arc::new(value))
    }

    /// A record with these fields, in this order.
    pub fn record(fields: impl IntoIterator<Item = (Name, Ty)>) -> Ty {
        Ty::Record(fields.into_iter().collect())
    }

    /// `(arguments -> result)`.
    pub fn fun(arguments: impl IntoIterator<Item = Ty>, result: Ty) -> Ty {
        Ty::Fun(arguments.into_iter().collect(), Arc::new(result))
    }

    /// Types of set elements.
    pub fn is_base(&self) -> bool {
        matches!(self, Ty::Bool | Ty::Int | Ty::Flower | Ty::Place)
    }

    /// Types with finitely many values that can be listed: keys of maps, ranges of comprehensions.
    pub fn is_finite(&self) -> bool {
        matches!(self, Ty::Bool | Ty::Flower | Ty::Place)
    }

    /// Types without functions inside: equality is decidable, states may hold them.
    pub fn is_ground(&self) -> bool {
        match self {
            Ty::Bool | Ty::Int | Ty::Flower | Ty::Place => true,
            Ty::Set(element) | Ty::Seq(element) => element.is_ground(),
            Ty::Map(key, value) => key.is_ground() && value.is_ground(),
            Ty::Array(_, _, value) => value.is_ground(),
            Ty::Record(fields) => fields.iter().all(|(_, ty)| ty.is_ground()),
            Ty::Fun(..) => false,
        }
    }

    /// Whether the meaning of the type depends on the number of seats: whether `Place` occurs in it.
    pub fn mentions_place(&self) -> bool {
        match self {
            Ty::Place => true,
            Ty::Bool | Ty::Int | Ty::Flower => false,
            Ty::Set(inner) | Ty::Seq(inner) | Ty::Array(_, _, inner) => inner.mentions_place(),
            Ty::Map(key, value) => key.mentions_place() || value.mentions_place(),
            Ty::Record(fields) => fields.iter().any(|(_, ty)| ty.mentions_place()),
            Ty::Fun(arguments, result) => arguments.iter().any(Ty::mentions_place) || result.mentions_place(),
        }
    }

    /// The type of a record's field.
    pub fn field(&self, name: &str) -> Option<&Ty> {
        match self {
            Ty::Record(fields) => fields.iter().find(|(field, _)| &**field == name).map(|(_, ty)| ty),
            _ => None,
        }
    }

    /// Well formed: sets of base types, maps on finite types, field names distinct.
    pub fn is_well_formed(&self) -> bool {
        match self {
            Ty::Bool | Ty::Int | Ty::Flower | Ty::Place => true,
            Ty::Set(element) => element.is_base(),
            Ty::Seq(element) | Ty::Array(_, _, element) => element.is_well_formed(),
            Ty::Map(key, value) => key.is_finite() && value.is_well_formed(),
            Ty::Record(fields) => fields.iter().enumerate().all(|(i, (name, ty))| {
                ty.is_well_formed() && fields[..i].iter().all(|(earlier, _)| earlier != name)
            }),
            Ty::Fun(arguments, result) => arguments.iter().all(Ty::is_well_formed) && result.is_well_formed(),
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Bool => f.write_str("Bool"),
            Ty::Int => f.write_str("Int"),
            Ty::Flower => f.write_str("Flower"),
            Ty::Place => f.write_str("Place"),
            Ty::Set(element) => write!(f, "set {element}"),
            Ty::Seq(element) => write!(f, "seq {element}"),
            Ty::Map(key, value) => write!(f, "map {key} of {value}"),
            Ty::Array(low, high, value) => write!(f, "array [{low}..{high}] of {value}"),
            Ty::Record(fields) => {
                f.write_str("{")?;
                for (i, (name, ty)) in fields.iter().enumerate() {
                    write!(f, "{}{name} : {ty}", if i == 0 { "" } else { "; " })?;
                }
                f.write_str("}")
            }
            Ty::Fun(arguments, result) => {
                f.write_str("(")?;
                for (i, ty) in arguments.iter().enumerate() {
                    write!(f, "{}{ty}", if i == 0 { "" } else { " * " })?;
                }
                write!(f, "{}-> {result})", if arguments.is_empty() { "" } else { " " })
            }
        }
    }
}

//! The types of the surface language.

use std::fmt;
use std::sync::Arc;

/// A type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Ty {
    /// Truth values.
    Bool,
    /// 64-bit integers; overflow is a fault.
    Int,
    /// The 48 flowers.
    Flower,
    /// `table`, `YAMA`, and the Hand, Window and Basket of every seat.
    Place,
    /// Finite sets of a base type.
    Set(Arc<Ty>),
    /// Finite sequences, counted from 1.
    Seq(Arc<Ty>),
    /// Total maps on a finite type.
    Map(Arc<Ty>, Arc<Ty>),
    /// Arrays with their bounds.
    Array(i64, i64, Arc<Ty>),
    /// Functions with their argument list.
    Function(Arc<[Ty]>, Arc<Ty>),
    /// The element type of an empty set while it is not known yet. It never occurs in a program that the checker has passed.
    Open(u32),
}

impl Ty {
    /// `set` of this.
    #[must_use]
    pub fn set(self) -> Ty {
        Ty::Set(Arc::new(self))
    }

    /// `seq` of this.
    #[must_use]
    pub fn seq(self) -> Ty {
        Ty::Seq(Arc::new(self))
    }

    /// A function from these to that.
    #[must_use]
    pub fn function(from: Vec<Ty>, to: Ty) -> Ty {
        Ty::Function(from.into(), Arc::new(to))
    }

    /// Bool, Int, Flower, Place: what a set may hold.
    #[must_use]
    pub fn is_base(&self) -> bool {
        matches!(self, Ty::Bool | Ty::Int | Ty::Flower | Ty::Place | Ty::Open(_))
    }

    /// Bool, Flower, Place: what a map may be indexed by and a comprehension may range over.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        matches!(self, Ty::Bool | Ty::Flower | Ty::Place)
    }

    /// Is there a function somewhere inside?
    #[must_use]
    pub fn has_function(&self) -> bool {
        match self {
            Ty::Bool | Ty::Int | Ty::Flower | Ty::Place | Ty::Open(_) => false,
            Ty::Set(inner) | Ty::Seq(inner) | Ty::Array(_, _, inner) => inner.has_function(),
            Ty::Map(from, to) => from.has_function() || to.has_function(),
            Ty::Function(..) => true,
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
            Ty::Set(inner) => write!(f, "set {inner}"),
            Ty::Seq(inner) => write!(f, "seq {inner}"),
            Ty::Map(from, to) => write!(f, "map {from} of {to}"),
            Ty::Array(low, high, inner) => write!(f, "array [{low}..{high}] of {inner}"),
            Ty::Function(from, to) => {
                f.write_str("(")?;
                for (i, ty) in from.iter().enumerate() {
                    write!(f, "{}{ty}", if i == 0 { "" } else { " * " })?;
                }
                write!(f, "{}-> {to})", if from.is_empty() { "" } else { " " })
            }
            Ty::Open(_) => f.write_str("?"),
        }
    }
}

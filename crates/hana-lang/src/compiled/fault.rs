//! What can go wrong while a program runs, and where.

use crate::syntax::Span;
use std::fmt;

/// A fault at a place of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What went wrong.
    pub kind: Kind,
    /// Where.
    pub span: Span,
}

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// An index outside an array, a sequence, or the seats.
    Index {
        /// The index.
        index: i64,
        /// The smallest that is possible.
        low: i64,
        /// The largest that is possible.
        high: i64,
    },
    /// A number beyond 64 bits.
    Overflow,
    /// Division by zero, or its remainder.
    DivisionByZero,
    /// A negative exponent.
    NegativeExponent,
    /// An assertion that does not hold.
    Assert,
    /// An oracle's answer that is none, in words.
    Oracle(String),
    /// The run takes more steps than allowed.
    OutOfFuel,
    /// Functions call each other more deeply than allowed.
    TooDeep,
    /// A value with more members than allowed.
    TooLarge,
}

impl Kind {
    /// A stable name.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Kind::Index { .. } => "index_out_of_range",
            Kind::Overflow => "overflow",
            Kind::DivisionByZero => "division_by_zero",
            Kind::NegativeExponent => "negative_exponent",
            Kind::Assert => "failed_assert",
            Kind::Oracle(_) => "bad_oracle_answer",
            Kind::OutOfFuel => "out_of_fuel",
            Kind::TooDeep => "too_deep",
            Kind::TooLarge => "too_large",
        }
    }

    /// Is it a limit of the machine, not a fault of the program? The two engines count steps and depth differently.
    #[must_use]
    pub fn is_limit(&self) -> bool {
        matches!(self, Kind::OutOfFuel | Kind::TooDeep | Kind::TooLarge)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Index { index, low, high } if low > high => {
                write!(f, "the index {index} is out of range: there are no members")
            }
            Kind::Index { index, low, high } => {
                write!(f, "the index {index} is out of range: it must be from {low} to {high}")
            }
            Kind::Overflow => f.write_str("the number is too large for 64 bits"),
            Kind::DivisionByZero => f.write_str("division by zero"),
            Kind::NegativeExponent => f.write_str("the exponent is negative"),
            Kind::Assert => f.write_str("the assertion does not hold"),
            Kind::Oracle(words) => f.write_str(words),
            Kind::OutOfFuel => f.write_str("the run takes more steps than allowed"),
            Kind::TooDeep => f.write_str("functions call each other more deeply than allowed"),
            Kind::TooLarge => f.write_str("a value has more members than allowed"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl std::error::Error for Fault {}

impl Fault {
    /// As the project's error, with the place in the source.
    #[must_use]
    pub fn to_error(&self) -> kachi_core::Error {
        kachi_core::Error::new(self.kind.code(), self.kind.to_string())
            .at_text(self.span.start as usize..self.span.end as usize)
    }
}

/// Faults are rare and results are many, so the fault is boxed.
pub(super) type Outcome<T> = Result<T, Box<Fault>>;

/// A fault.
#[cold]
#[inline(never)]
pub(super) fn fault<T>(kind: Kind, span: Span) -> Outcome<T> {
    Err(Box::new(Fault { kind, span }))
}

//! The primitives, one to one with the operators and builtins of HL, and two more for statements about programs:
//! addition and subtraction that forget overflow.

use super::ty::Ty;
use std::fmt;

/// A primitive. Strict in every argument, evaluated from left to right.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Prim {
    /// `a + b`; a fault on overflow, like all checked arithmetic.
    Add,
    /// `a - b`.
    Sub,
    /// `a * b`.
    Mul,
    /// `a div b`, floored; a fault for `b = 0`.
    Div,
    /// `a mod b`, floored; a fault for `b = 0`.
    Mod,
    /// `- a`.
    Neg,
    /// `expo(a, b)`: a to the power b; a fault for negative b.
    Expo,
    /// The larger of two; `max{..}` folds from the left.
    Max,
    /// The smaller of two.
    Min,
    /// `a < b`.
    Lt,
    /// `a <= b` on integers.
    Le,
    /// `a > b`.
    Gt,
    /// `a >= b` on integers.
    Ge,
    /// `a = b` at any type without functions.
    Eq,
    /// `a <> b` at any type without functions.
    Ne,
    /// `not a`.
    Not,
    /// `Month(a)`, 1 to 12.
    Month,
    /// `Point(a)`: 20, 10, 5 or 1.
    Point,
    /// `Hand(p)`; a fault unless 1 <= p <= SEATS.
    Hand,
    /// `Window(p)`.
    Window,
    /// `Basket(p)`.
    Basket,
    /// `SEATS`.
    Seats,
    /// `KAN`.
    Kan,
    /// `MONTHS`.
    Months,
    /// `{a}`.
    Single,
    /// `S join T`.
    Join,
    /// `S meet T`.
    Meet,
    /// `S minus T`.
    Minus,
    /// `a in S`.
    In,
    /// `S <= T` on sets.
    Subset,
    /// `Number(S)`.
    Number,
    /// The set of all values of a finite type.
    All(Ty),
    /// `Length(q)`.
    Length,
    /// `q(i)` of a sequence, from 1; a fault outside.
    SeqGet,
    /// `m(k)` of a map.
    MapGet,
    /// `m` with the value at `k` replaced: arguments m, k, value.
    MapSet,
    /// `a(i)` of an array; a fault outside its bounds.
    ArrayGet,
    /// `a` with the value at `i` replaced: arguments a, i, value; a fault outside.
    ArraySet,
    /// The map with the values of a function: `map x : T => e`.
    Tabulate(Ty),
    /// `fold(set, start, step)` with `step(element, acc)`, ascending.
    Fold,
    /// Addition modulo 2^64: total. Not in HL; statements about sums use it.
    WrapAdd,
    /// Subtraction modulo 2^64: total. Not in HL.
    WrapSub,
}

impl Prim {
    /// How many arguments it takes.
    pub fn arity(&self) -> usize {
        use Prim::*;
        match self {
            Seats | Kan | Months | All(_) => 0,
            Neg | Not | Month | Point | Hand | Window | Basket | Single | Number | Length | Tabulate(_) => 1,
            MapSet | ArraySet | Fold => 3,
            Add | Sub | Mul | Div | Mod | Expo | Max | Min | Lt | Le | Gt | Ge | Eq | Ne | Join | Meet
            | Minus | In | Subset | SeqGet | MapGet | ArrayGet | WrapAdd | WrapSub => 2,
        }
    }

    /// Whether it denotes a value for all argument *values*: it never faults. `Tabulate` and `Fold` call functions
    /// and are judged by those.
    pub fn is_total(&self) -> bool {
        use Prim::*;
        match self {
            Add | Sub | Mul | Div | Mod | Neg | Expo | Hand | Window | Basket | SeqGet | ArrayGet
            | ArraySet | Tabulate(_) | Fold => false,
            Max | Min | Lt | Le | Gt | Ge | Eq | Ne | Not | Month | Point | Seats | Kan | Months | Single
            | Join | Meet | Minus | In | Subset | Number | All(_) | Length | MapGet | MapSet | WrapAdd
            | WrapSub => true,
        }
    }

    /// The name in printed terms.
    pub fn name(&self) -> &'static str {
        use Prim::*;
        match self {
            Add => "+",
            Sub => "-",
            Mul => "*",
            Div => "div",
            Mod => "mod",
            Neg => "neg",
            Expo => "expo",
            Max => "max",
            Min => "min",
            Lt => "<",
            Le => "<=",
            Gt => ">",
            Ge => ">=",
            Eq => "=",
            Ne => "<>",
            Not => "not",
            Month => "Month",
            Point => "Point",
            Hand => "Hand",
            Window => "Window",
            Basket => "Basket",
            Seats => "SEATS",
            Kan => "KAN",
            Months => "MONTHS",
            Single => "single",
            Join => "join",
            Meet => "meet",
            Minus => "minus",
            In => "in",
            Subset => "subset",
            Number => "Number",
            All(_) => "all",
            Length => "Length",
            SeqGet => "nth",
            MapGet => "get",
            MapSet => "upd",
            ArrayGet => "at",
            ArraySet => "put",
            Tabulate(_) => "tabulate",
            Fold => "fold",
            WrapAdd => "+w",
            WrapSub => "-w",
        }
    }

    /// Whether it is written between its two arguments.
    pub fn is_infix(&self) -> bool {
        use Prim::*;
        matches!(
            self,
            Add | Sub
                | Mul
                | Div
                | Mod
                | Lt
                | Le
                | Gt
                | Ge
                | Eq
                | Ne
                | Join
                | Meet
                | Minus
                | In
                | Subset
                | WrapAdd
                | WrapSub
        )
    }
}

impl fmt::Display for Prim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Prim::All(ty) => write!(f, "all[{ty}]"),
            Prim::Tabulate(ty) => write!(f, "tabulate[{ty}]"),
            other => f.write_str(other.name()),
        }
    }
}

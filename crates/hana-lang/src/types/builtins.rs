//! What the host gives to every program: constants and functions that need no declaration. The constants of the core calculus correspond to
//! this table one to one.

use super::ty::Ty;

/// A constant that the host supplies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Given {
    /// `SEATS`: persons at the table, 3 to 6.
    Seats,
    /// `KAN`: mon to the kan.
    Kan,
    /// `MONTHS`: months of a game.
    Months,
    /// `table`: the cards in the middle; in `cash` also the pot.
    Table,
    /// `YAMA`: the stock.
    Yama,
}

impl Given {
    /// All of them.
    pub const ALL: [Given; 5] = [Given::Seats, Given::Kan, Given::Months, Given::Table, Given::Yama];

    /// How programs write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Given::Seats => "SEATS",
            Given::Kan => "KAN",
            Given::Months => "MONTHS",
            Given::Table => "table",
            Given::Yama => "YAMA",
        }
    }

    /// Its type.
    #[must_use]
    pub fn ty(self) -> Ty {
        match self {
            Given::Seats | Given::Kan | Given::Months => Ty::Int,
            Given::Table | Given::Yama => Ty::Place,
        }
    }
}

/// A function that needs no declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// `Point : (Flower -> Int)`, the value of a card: 20, 10, 5 or 1.
    Point,
    /// `Month : (Flower -> Int)`, 1 to 12.
    Month,
    /// `Number : (set T -> Int)`, how many elements.
    Number,
    /// `Length : (seq T -> Int)`, how many members.
    Length,
    /// `expo : (Int * Int -> Int)`, base and exponent; a negative exponent is a fault.
    Expo,
    /// `Hand : (Int -> Place)`; an argument outside 1..SEATS is a fault.
    Hand,
    /// `Window : (Int -> Place)`, likewise.
    Window,
    /// `Basket : (Int -> Place)`, likewise.
    Basket,
}

impl Builtin {
    /// All of them.
    pub const ALL: [Builtin; 8] = [
        Builtin::Point,
        Builtin::Month,
        Builtin::Number,
        Builtin::Length,
        Builtin::Expo,
        Builtin::Hand,
        Builtin::Window,
        Builtin::Basket,
    ];

    /// How programs write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Builtin::Point => "Point",
            Builtin::Month => "Month",
            Builtin::Number => "Number",
            Builtin::Length => "Length",
            Builtin::Expo => "expo",
            Builtin::Hand => "Hand",
            Builtin::Window => "Window",
            Builtin::Basket => "Basket",
        }
    }

    /// Parameters and result of those with one type; `Number` and `Length` take sets and sequences of anything.
    #[must_use]
    pub fn signature(self) -> Option<(Vec<Ty>, Ty)> {
        match self {
            Builtin::Point | Builtin::Month => Some((vec![Ty::Flower], Ty::Int)),
            Builtin::Number | Builtin::Length => None,
            Builtin::Expo => Some((vec![Ty::Int, Ty::Int], Ty::Int)),
            Builtin::Hand | Builtin::Window | Builtin::Basket => Some((vec![Ty::Int], Ty::Place)),
        }
    }
}

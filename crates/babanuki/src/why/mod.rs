//! Reasons: which clause of the closed form fired, or a certificate for every shape that can come up. Each is
//! data and is checked by [`check`] without the solver; [`words`] says it to a person.

pub mod certificate;
pub mod check;
pub mod words;

use crate::position::Position;
use crate::shape::{MOST_SEATS, Shape};
use crate::strategy::Sure;
use crate::theory::{First, Safe, Three};
use certificate::Certificate;
use kachi_core::{Budget, Error};

/// Why the guarantees of a position are what they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// Two seats are in.
    Two {
        /// The seat with the joker.
        holder: usize,
        /// The other one.
        other: usize,
        /// The labels they share.
        labels: u32,
    },
    /// Three seats are in.
    Three {
        /// The seats, from the mover on.
        order: [usize; 3],
        /// Labels shared by the first and second, first and third, second and third of `order`.
        shared: [u32; 3],
        /// The clause for each of them.
        clauses: [Clause; 3],
    },
    /// Four or more seats are in: every shape that can come up, with values that fit together.
    Certificate(Certificate),
}

/// What Theorems A and B say about a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Clause {
    /// It can force leaving first.
    First(First),
    /// It cannot, but it can force not being last.
    Safe(Safe),
    /// No clause holds: the two others can make it last.
    Exposed,
}

impl Clause {
    /// The clause for seat `q` of three.
    pub fn of(three: &Three, q: u8) -> Clause {
        let around = three.around(q);
        match (around.first(), around.safe()) {
            (Some(first), _) => Clause::First(first),
            (None, Some(safe)) => Clause::Safe(safe),
            (None, None) => Clause::Exposed,
        }
    }

    /// A stable name for programs.
    pub fn name(self) -> &'static str {
        match self {
            Clause::First(First::Holder) => "A:holder",
            Clause::First(First::BeforeFree) => "A:before-free",
            Clause::First(First::BeforeOne) => "A:before-one",
            Clause::First(First::BeforeParity) => "A:before-parity",
            Clause::First(First::AfterFree) => "A:after-free",
            Clause::First(First::AfterOne) => "A:after-one",
            Clause::First(First::AfterLast) => "A:after-last",
            Clause::Safe(Safe::Free) => "B:free",
            Clause::Safe(Safe::One) => "B:one",
            Clause::Safe(Safe::Parity) => "B:parity",
            Clause::Safe(Safe::Finish) => "B:finish",
            Clause::Exposed => "none",
        }
    }
}

/// The reason for the guarantees of a position in which somebody is to move.
///
/// # Errors
/// `too_large` when four or more seats can reach more shapes than a certificate may list, or `out_of_budget`.
pub fn of(position: &Position, budget: &mut Budget<'_>) -> Result<Why, Error> {
    let order: Vec<usize> = position.table().seats_in().collect();
    let Some(shape) = Shape::of(position.table(), position.mode()) else {
        return Err(Error::too_large("seats in a certificate", order.len(), MOST_SEATS));
    };
    match (&order[..], Three::of(&shape)) {
        (&[mover, other], _) => {
            let (holder, other) = if shape.joker == 0 { (mover, other) } else { (other, mover) };
            Ok(Why::Two { holder, other, labels: shape.labels() })
        }
        (&[a, b, c], Some(three)) => Ok(Why::Three {
            order: [a, b, c],
            shared: [three.x, three.y, three.z],
            clauses: [0, 1, 2].map(|q| Clause::of(&three, q)),
        }),
        _ => Certificate::of(&shape, position.mode(), budget).map(Why::Certificate),
    }
}

impl kachi_core::Why for Why {
    type Position = Position;
    /// What every seat is sure of; `None` for seats that are out.
    type Value = Vec<Option<Sure>>;

    fn check(&self, position: &Position) -> Result<Self::Value, kachi_core::Flaw> {
        check::check(self, position)
    }
}

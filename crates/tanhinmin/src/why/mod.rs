//! Why the winner wins: data that a reader can check by hand and [`check`] accepts or rejects from the two hands alone.
//!
//! A matching is shown by its pairs, which prove that it is at least so large, and by one *bound*, a level t with
//! #{b < t} + #{a > t} equal to its size, which proves that none is larger. The surplus cases of Theorem 3 come with the pairs
//! that cover all cards, and where a case does not apply, with the clause that fails.

mod build;
mod check;
mod words;

pub use build::{why, why_moves};
pub use check::{check, check_move};
pub use words::{move_note, move_words, reason, verdict};

use crate::position::{Face, Position};
use crate::rules::Move;
use crate::theory::Player;
use kachi_core::Flaw;
use serde::Serialize;

/// The reason for the winner of a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(tag = "rule", rename_all = "kebab-case")]
pub enum Why {
    /// Compare the two matchings: the mover needs strictly more pairs.
    Matching {
        /// Mover's cards against the other's (without the weakest, with the table).
        mover: Matching,
        /// Other's cards against the mover's (without the weakest).
        other: Matching,
        /// With cut cards: why neither surplus case applies (mover's, then other's).
        #[serde(skip_serializing_if = "Option::is_none")]
        no_surplus: Option<[Excuse; 2]>,
    },
    /// The mover is stuck with cut cards: none is legal, at most one card of the other is weaker than the strongest of them, and the
    /// other can beat every ordinary card of the mover.
    SurplusMover {
        /// The other's card beating each ordinary card of the mover.
        cover: Vec<Pair>,
    },
    /// The other is stuck with cut cards likewise.
    SurplusOther {
        /// The mover's card beating each ordinary card of the other and the table.
        cover: Vec<Pair>,
        /// Why the mover's own surplus, which would come first, does not apply.
        no_surplus: Excuse,
    },
    /// Cut cards and goals: each side first sets cards aside. If the mover wins, the lines show one choice of his against every choice of the
    /// other; if he loses, an answer of the other to every choice of his.
    SetAside {
        /// One line for each pair of choices that matters.
        lines: Vec<Line>,
    },
    /// A cut card lies on the table: the mover must pass, and the reason is that of the position then.
    CutOnTable {
        /// The reason after the pass, seen by the player who then moves.
        then: Box<Why>,
    },
}

/// (a, b): card a beats card b; b may be the table, written 0 when it is empty.
pub type Pair = (Face, Face);

/// A largest matching with its proof.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Matching {
    /// The pairs.
    pub pairs: Vec<Pair>,
    /// A level t such that #{b < t} + #{a > t} is the number of pairs.
    pub bound: Face,
}

/// Why a surplus case does not apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Excuse {
    /// The side holds no cut card.
    NoCutCard,
    /// Its strongest cut card is legal.
    CutCardLegal,
    /// Two cards of the opponent are weaker than its strongest cut card.
    TwoWeaker,
    /// The opponent cannot beat all its ordinary cards (and the table): this level proves it.
    NotCovered(Face),
}

/// One pair of choices under Rule 4.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Line {
    /// How many cut cards the mover sets aside.
    pub mover_cuts: usize,
    /// How many the other sets aside.
    pub other_cuts: usize,
    /// The reason for what remains.
    pub why: Why,
}

/// A legal move, whether it wins, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct MoveWhy {
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// Does it win?
    pub wins: bool,
    /// A losing move's refutation: what the opponent plays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply: Option<Move>,
    /// The reason for the position after the move, seen by the opponent, who is to move; absent when the move ends the play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<Why>,
}

impl kachi_core::Why for Why {
    type Position = Position;
    type Value = Player;

    fn check(&self, position: &Position) -> Result<Player, Flaw> {
        check(position, self)
    }
}

//! The table and the six cases of "Linear time algorithm for generalized 2-player Shichinarabe" (2022), in the reading that
//! is proved (`Table.table_unique`, `Table.table_correct`, `Paper.paper_correct`).
//!
//! A row is recognised from the *front* of a suit and usually after a few letters; the rest of the suit is only counted.
//! That makes a long suit a matter of reading memory once ([`scan`]).

use crate::position::Player;
use crate::theory::suits::{Front, Worth};
use serde::Serialize;

/// A row of the table, written for a suit that begins with L; `x`, `y`, `z` are at least 1 and S is any string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// No card.
    Empty,
    /// `L^x`
    Run,
    /// `L^x R^y`
    TwoRuns,
    /// `L^x (RL)^y L^(z-1)`
    EndsOwn,
    /// `L^x (RL)^y R^z`
    EndsOther,
    /// `L^x (RL)^y L^z R S`
    BreaksOwn,
    /// `L^x (RL)^(y-1) R^(z+1) L S`
    BreaksOther,
}

impl Shape {
    /// The row as the paper writes it, for a suit that begins with L.
    #[must_use]
    pub fn pattern(self) -> &'static str {
        match self {
            Shape::Empty => "empty",
            Shape::Run => "L^x",
            Shape::TwoRuns => "L^x R^y",
            Shape::EndsOwn => "L^x (RL)^y L^(z-1)",
            Shape::EndsOther => "L^x (RL)^y R^z",
            Shape::BreaksOwn => "L^x (RL)^y L^z R S",
            Shape::BreaksOther => "L^x (RL)^(y-1) R^(z+1) L S",
        }
    }
}

/// The class of a suit: who can be locked in by it and at what price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, schemars::JsonSchema)]
pub enum Class {
    /// Nobody is locked in.
    #[serde(rename = "0")]
    Zero,
    /// Only L can lock the other in, for nothing.
    LL,
    /// L locks in for nothing, R for 1.
    L,
    /// R locks in for nothing, L for 1.
    R,
    /// Only R can lock the other in, for nothing.
    RR,
    /// Both lock in for nothing; the suit begins with L.
    NL,
    /// Both lock in for nothing; the suit begins with R.
    NR,
}

impl Class {
    /// The class as the paper writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Class::Zero => "0",
            Class::LL => "LL",
            Class::L => "L",
            Class::R => "R",
            Class::RR => "RR",
            Class::NL => "NL",
            Class::NR => "NR",
        }
    }

    fn mirrored(self) -> Class {
        match self {
            Class::Zero => Class::Zero,
            Class::LL => Class::RR,
            Class::L => Class::R,
            Class::R => Class::L,
            Class::RR => Class::LL,
            Class::NL => Class::NR,
            Class::NR => Class::NL,
        }
    }
}

/// A suit recognised as one row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Row {
    /// The owner of the first card (of an empty suit: the first player).
    pub first: Player,
    /// Which row.
    pub shape: Shape,
    /// The parameters x, y, z of the row; 0 where the row has none.
    pub x: u64,
    /// See `x`.
    pub y: u64,
    /// See `x`.
    pub z: u64,
}

impl Row {
    /// The row of the empty suit.
    pub const EMPTY: Row = Row { first: Player::First, shape: Shape::Empty, x: 0, y: 0, z: 0 };

    /// The row of a suit.
    #[must_use]
    pub fn of(suit: &[Player]) -> Row {
        let mut reader = RowReader::new();
        reader.feed(suit);
        reader.finish()
    }

    /// The paper's integer f_I: the value of the suit.
    #[must_use]
    pub fn value(&self) -> i64 {
        let x = self.x as i64;
        let value = match self.shape {
            Shape::Empty => 0,
            Shape::Run | Shape::EndsOwn | Shape::BreaksOwn => x,
            Shape::TwoRuns | Shape::EndsOther | Shape::BreaksOther => x - 1,
        };
        self.first.sign() * value
    }

    /// The paper's class f_S.
    #[must_use]
    pub fn class(&self) -> Class {
        let class = match self.shape {
            Shape::Empty | Shape::Run => Class::Zero,
            Shape::TwoRuns => Class::LL,
            Shape::EndsOwn => Class::R,
            Shape::EndsOther => Class::L,
            Shape::BreaksOwn | Shape::BreaksOther => Class::NL,
        };
        if self.first == Player::First { class } else { class.mirrored() }
    }

    /// Value and prices.
    #[must_use]
    pub fn worth(&self) -> Worth {
        let prices = match self.class() {
            Class::Zero => [Worth::FREE; 2],
            Class::LL => [0, Worth::FREE],
            Class::RR => [Worth::FREE, 0],
            Class::L => [0, 1],
            Class::R => [1, 0],
            Class::NL | Class::NR => [0, 0],
        };
        Worth { value: self.value(), prices }
    }
}

/// Recognises the row of a suit that arrives in blocks, front first.
#[derive(Debug, Clone)]
struct RowReader {
    first: Player,
    last: Player,
    stage: Stage,
    /// Length of the first run.
    x: u64,
    /// Letters of the alternation after the first run.
    t: u64,
    /// Length of the run that ends the alternation, its first letter included.
    z: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Start,
    FirstRun,
    Alternation,
    LastRun,
    /// A letter came after the last run: the row is known and the rest does not matter.
    Known,
}

impl RowReader {
    fn new() -> RowReader {
        RowReader { first: Player::First, last: Player::First, stage: Stage::Start, x: 0, t: 0, z: 0 }
    }

    fn feed(&mut self, block: &[Player]) {
        let mut rest = block;
        while let Some(&head) = rest.first() {
            let read = match self.stage {
                Stage::Start => {
                    (self.first, self.last) = (head, head);
                    self.stage = Stage::FirstRun;
                    0
                }
                Stage::FirstRun => {
                    let run = run_length(rest, self.first);
                    self.x += run as u64;
                    if run < rest.len() {
                        self.stage = Stage::Alternation;
                    }
                    run
                }
                Stage::Alternation => {
                    let run = alternation_length(rest, self.last);
                    self.t += run as u64;
                    if run < rest.len() {
                        self.stage = Stage::LastRun;
                        self.z = 1;
                    }
                    if run > 0 {
                        self.last = rest[run - 1];
                    }
                    run
                }
                Stage::LastRun => {
                    let run = run_length(rest, self.last);
                    self.z += run as u64;
                    if run < rest.len() {
                        self.stage = Stage::Known;
                    }
                    run
                }
                Stage::Known => return,
            };
            rest = &rest[read..];
        }
    }

    fn finish(&self) -> Row {
        let pairs = self.t / 2;
        // After an even number of letters the alternation ends with the owner of the first run.
        let ends_own = self.t.is_multiple_of(2);
        let z = self.z.max(1);
        let (shape, y, z) = match self.stage {
            Stage::Start => return Row::EMPTY,
            Stage::FirstRun => (Shape::Run, 0, 0),
            Stage::Known if ends_own => (Shape::BreaksOwn, pairs, z - 1),
            Stage::Known => (Shape::BreaksOther, pairs + 1, z - 1),
            _ if ends_own => (Shape::EndsOwn, pairs, z),
            _ if self.t == 1 => (Shape::TwoRuns, z, 0),
            _ => (Shape::EndsOther, pairs, z),
        };
        Row { first: self.first, shape, x: self.x, y, z }
    }
}

/// Letters compared at once; the loops over a lane compile to vector instructions.
const LANE: usize = 64;

/// How many letters at the front equal `owner`.
fn run_length(suit: &[Player], owner: Player) -> usize {
    let whole = |lane: &&[Player; LANE]| lane.iter().fold(true, |all, &letter| all & (letter == owner));
    let lanes = suit.as_chunks().0.iter().take_while(whole).count() * LANE;
    lanes + suit[lanes..].iter().take_while(|&&letter| letter == owner).count()
}

/// How many letters at the front differ each from the one before; `before` precedes the first.
fn alternation_length(suit: &[Player], before: Player) -> usize {
    if suit.first().is_none_or(|&head| head == before) {
        return 0;
    }
    let pairs = suit.len() - 1;
    let (left, right) = (&suit[..pairs], &suit[1..]);
    let differ = |a: &[Player; LANE], b: &[Player; LANE]| (0..LANE).fold(true, |all, i| all & (a[i] != b[i]));
    let lanes = left.as_chunks().0.iter().zip(right.as_chunks().0);
    let start = lanes.take_while(|(a, b)| differ(a, b)).count() * LANE;
    1 + start + left[start..].iter().zip(&right[start..]).take_while(|(a, b)| a != b).count()
}

/// How many cards of the suit are the second player's.
fn count_second(suit: &[Player]) -> u64 {
    let (lanes, rest) = suit.as_chunks::<LANE>();
    let mut count = rest.iter().map(|&owner| owner as u64).sum::<u64>();
    // A byte can count to 255, so every lane is summed up after at most 255 additions.
    for part in lanes.chunks(255) {
        let mut sums = [0u8; LANE];
        for lane in part {
            for i in 0..LANE {
                sums[i] += lane[i] as u8;
            }
        }
        count += sums.iter().map(|&sum| u64::from(sum)).sum::<u64>();
    }
    count
}

/// Letters handled at once by [`scan`]: small enough to stay in the fastest cache while they are read three times.
const BLOCK: usize = 1 << 14;

/// Reads a suit once: the cards of each player, and what the decision needs of it.
#[must_use]
pub fn scan(suit: &[Player]) -> ([u64; 2], Front) {
    let Some(&owner) = suit.first() else {
        return ([0; 2], Front::EMPTY);
    };
    let (mut whole, mut next) = (RowReader::new(), RowReader::new());
    let mut second = 0;
    for (i, block) in suit.chunks(BLOCK).enumerate() {
        second += count_second(block);
        whole.feed(block);
        next.feed(if i == 0 { &block[1..] } else { block });
    }
    let front = Front { owner: Some(owner), worth: whole.finish().worth(), next: next.finish().worth() };
    ([suit.len() as u64 - second, second], front)
}

/// Which of the paper's six cases applies to a list of classes.
#[must_use]
pub fn case(classes: impl IntoIterator<Item = Class>) -> u8 {
    let mut seen = 0u8;
    for class in classes {
        seen |= 1 << class as u8;
    }
    let within = |allowed: &[Class]| {
        let mask = allowed.iter().fold(1 << Class::Zero as u8, |mask, &class| mask | (1u8 << class as u8));
        seen & !mask == 0
    };
    if within(&[]) {
        1
    } else if within(&[Class::LL]) {
        2
    } else if within(&[Class::RR]) {
        3
    } else if within(&[Class::LL, Class::L]) {
        4
    } else if within(&[Class::RR, Class::R]) {
        5
    } else {
        6
    }
}

/// The decision of one of the paper's cases on the sum of values, with ties as proved. Both players must hold cards.
#[must_use]
pub fn decide_case(case: u8, sum: i64, mover: Player) -> Player {
    let by_sign = |number: i64, tie: Player| match number.signum() {
        1 => Player::First,
        -1 => Player::Second,
        _ => tie,
    };
    match case {
        1 => by_sign(-sum, mover),
        2 => Player::First,
        3 => Player::Second,
        4 => by_sign(sum + 1, mover.other()),
        5 => by_sign(sum - 1, mover.other()),
        _ => by_sign(sum, mover.other()),
    }
}

/// The paper's algorithm. Both players must hold cards.
#[must_use]
pub fn decide(rows: &[Row], mover: Player) -> Player {
    let sum = rows.iter().map(Row::value).sum();
    decide_case(case(rows.iter().map(Row::class)), sum, mover)
}

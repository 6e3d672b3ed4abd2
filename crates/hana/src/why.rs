//! Reasons on open positions: a refuting line for what a seat hopes to take, and a strategy tree walked for what it can make sure of. Both are data;
//! their checkers replay them by the rules alone and never ask the solver.

use crate::card::{Card, Cards};
use crate::search::open::{Open, OpenGame, Stage, Turn};
use crate::search::sets;
use kachi_core::{Budget, Error, Flaw, Game};

/// A line of whole turns after which the seat has lost one of the cards it hoped for, whatever it would have thrown at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refutation {
    /// The seat that hopes, 0 to 2.
    pub seat: usize,
    /// What it hopes to take.
    pub wanted: Cards,
    /// The turns.
    pub line: Vec<Turn>,
}

impl Refutation {
    /// Replays the line by the rules: every turn must be legal, and at its end another player must have taken a wanted card, or the round is
    /// over without it. Returns the card lost.
    ///
    /// # Errors
    /// The first flaw.
    pub fn check(&self, open: &Open) -> Result<Card, Flaw> {
        let mut stage = Stage::new(open);
        for (i, turn) in self.line.iter().enumerate() {
            let legal = OpenGame.moves(&stage).contains(turn);
            Flaw::unless(legal, || format!("turn {} of the line, {turn}, is not legal", i + 1))?;
            stage = OpenGame.play(&stage, turn);
        }
        let others = (0..3).filter(|&other| other != self.seat);
        let taken = others.fold(Cards::NONE, |taken, other| taken | stage.baskets[other]);
        let over = OpenGame.ending(&stage).is_some();
        let lost = if over { self.wanted - stage.baskets[self.seat] } else { self.wanted & taken };
        lost.iter()
            .next()
            .ok_or_else(|| Flaw::new("nothing that was hoped for is lost at the end of the line"))
    }
}

/// The position after a stage, with the mover first.
fn rest(stage: &Stage) -> (Open, usize) {
    let mover = stage.turn % 3;
    let hands = std::array::from_fn(|i| stage.hands[(mover + i) % 3]);
    let yama = stage.start.yama()[stage.turn..].to_vec();
    (Open { hands, table: stage.table, yama, sweep: stage.start.sweep() }, mover)
}

/// Is the hope still alive and certain at this stage?
fn certain(stage: &Stage, seat: usize, wanted: Cards, budget: &mut Budget<'_>) -> Result<bool, Error> {
    let others = (0..3).filter(|&other| other != seat);
    let taken = others.fold(Cards::NONE, |taken, other| taken | stage.baskets[other]);
    if !(taken & wanted).is_empty() {
        return Ok(false);
    }
    let left = wanted - stage.baskets[seat];
    let (open, mover) = rest(stage);
    if left.is_empty() {
        return Ok(true);
    }
    sets::guarantees(&open, (seat + 3 - mover) % 3, left, budget)
}

/// The line that refutes a hope: the others play what breaks it, the seat keeps its wanted cards as long as it can. `None` if it can be made sure of.
///
/// # Errors
/// `out_of_budget`.
pub fn refutation(
    open: &Open,
    seat: usize,
    wanted: Cards,
    budget: &mut Budget<'_>,
) -> Result<Option<Refutation>, Error> {
    if sets::guarantees(open, seat, wanted, budget)? {
        return Ok(None);
    }
    let mut stage = Stage::new(open);
    let mut line = Vec::new();
    while OpenGame.ending(&stage).is_none() {
        let turns = OpenGame.moves(&stage);
        let mut chosen = None;
        if stage.turn % 3 == seat {
            chosen = turns
                .iter()
                .find(|turn| turn.throw.is_none_or(|card| !wanted.has(card)))
                .or(turns.first())
                .copied();
        } else {
            for turn in &turns {
                if !certain(&OpenGame.play(&stage, turn), seat, wanted, budget)? {
                    chosen = Some(*turn);
                    break;
                }
            }
        }
        let Some(turn) = chosen else { break };
        line.push(turn);
        stage = OpenGame.play(&stage, &turn);
        let refutation = Refutation { seat, wanted, line: line.clone() };
        if refutation.check(open).is_ok() {
            return Ok(Some(refutation));
        }
    }
    Ok(None)
}

/// A turn in words.
#[must_use]
pub fn turn_words(stage: &Stage, turn: &Turn) -> String {
    let next = OpenGame.play(stage, turn);
    let me = stage.turn % 3;
    let gained = next.baskets[me] - stage.baskets[me];
    let thrown = turn.throw.map_or_else(|| "throws nothing".to_owned(), |card| format!("throws {card}"));
    let drawn = stage.start.yama().get(stage.turn).map(Card::to_string).unwrap_or_default();
    let takes =
        if gained.is_empty() { "takes nothing".into() } else { format!("takes {}", gained.join(" ")) };
    format!("{thrown}, draws {drawn}, {takes}")
}

/// A line in words, with the players' names.
#[must_use]
pub fn line_words(open: &Open, line: &[Turn], names: [&str; 3]) -> String {
    let mut stage = Stage::new(open);
    let mut words = Vec::new();
    for turn in line {
        words.push(format!("{} {}", names[stage.turn % 3], turn_words(&stage, turn)));
        stage = OpenGame.play(&stage, turn);
    }
    words.join("; ")
}

//! Which draw to make: the guarantees of all seats, what every draw keeps for the mover, and the rule that finishes:
//! *among the draws that keep your guaranteed rank, take one that makes a pair if there is one*.

use crate::position::{Card, Mode, Position};
use crate::search::{Guarantee, table};
use crate::shape::{Classes, Fate, Kind, MOST_SEATS, Shape, Step, holders};
use crate::theory;
use kachi_core::{Budget, Error};

/// A rank counted from the first seat that ever left; the last seat of `p` has rank `p`.
pub type Rank = u32;

/// What a seat can be sure of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sure {
    /// The least rank it can force in finitely many draws; the last rank if there is none.
    pub strict: Rank,
    /// The least rank it can ensure if endless play counts as good.
    pub lenient: Rank,
}

/// Where the guarantees come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// The theorem about two seats.
    Two,
    /// Theorems A, B and C about three seats.
    Three,
    /// A table solved backwards from the endings.
    Table {
        /// Seats in.
        seats: u8,
        /// Labels in play.
        labels: u32,
    },
}

/// A kind of draw and what it leads to.
#[derive(Debug, Clone)]
pub struct JudgedDraw {
    /// The kind.
    pub kind: Kind,
    /// The victim's cards of this kind, ascending; all of them lead to the same future.
    pub cards: Vec<Card>,
    /// Does the mover hold the mate?
    pub pairs: bool,
    /// What the draw does to the shape.
    pub step: Step,
    /// What every seat (by its real number) is sure of afterwards; `None` for seats that were out.
    pub after: Vec<Option<Sure>>,
    /// What the mover is sure of afterwards.
    pub mover: Sure,
}

/// Everything that is known about a position with somebody to move.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The seats in, from the mover on.
    pub order: Vec<usize>,
    /// The position up to names.
    pub shape: Shape,
    /// The number of players, which is also the rank of the last.
    pub last: Rank,
    /// The best rank still to be had.
    pub best: Rank,
    /// By seat; `None` for seats that are out.
    pub sure: Vec<Option<Sure>>,
    /// The mover's draws, pairing ones first.
    pub draws: Vec<JudgedDraw>,
    /// What the answer rests on.
    pub ground: Ground,
}

/// The guarantees of a shape, as ranks among the seats in.
///
/// # Errors
/// `too_large` or `out_of_budget` when four or more seats need a table beyond the limits.
pub fn guarantees(shape: &Shape, mode: Mode, budget: &mut Budget<'_>) -> Result<Vec<Guarantee>, Error> {
    if let Some(ranks) = theory::ranks(shape) {
        return Ok(ranks.into_iter().map(|rank| Guarantee { strict: rank, lenient: rank }).collect());
    }
    let table = table(shape.seats as usize, shape.labels(), mode, budget)?;
    table.of(shape).ok_or_else(|| Error::new("too_large", "the table does not reach this position"))
}

/// Judges a position in which somebody is to move.
///
/// # Errors
/// As [`guarantees`].
pub fn judge(position: &Position, budget: &mut Budget<'_>) -> Result<Judged, Error> {
    let (table, mode) = (position.table(), position.mode());
    let order: Vec<usize> = table.seats_in().collect();
    let Some(shape) = Shape::of(table, mode) else {
        let what = "seats with cards need a table of more shapes than can be numbered";
        return Err(Error::too_large(what, order.len(), MOST_SEATS).hint("ask about fewer players"));
    };
    let players = table.players();
    let out = (players - order.len()) as Rank;
    let local = guarantees(&shape, mode, budget)?;
    let raise = |g: Guarantee, by: u32| Sure {
        strict: Rank::from(g.strict) + by,
        lenient: Rank::from(g.lenient) + by,
    };
    let mut sure = vec![None; players];
    order.iter().zip(&local).for_each(|(&seat, &g)| sure[seat] = Some(raise(g, out)));
    let mut draws = Vec::new();
    for (kind, cards) in cards_by_kind(position, &order, &shape) {
        let step = shape.draw(kind, mode);
        let next = match &step.after {
            Some(after) => guarantees(after, mode, budget)?,
            None => vec![Guarantee { strict: 1, lenient: 1 }],
        };
        let mut after = vec![None; players];
        for (r, &seat) in order.iter().enumerate() {
            after[seat] = Some(match step.follow(shape.seats, r as u8) {
                Fate::Left(rank) => raise(Guarantee { strict: rank, lenient: rank }, out),
                Fate::Stays(place) => raise(next[place as usize], out + Rank::from(step.leavers())),
            });
        }
        let worst = Sure { strict: players as Rank, lenient: players as Rank };
        let mover = after[order[0]].unwrap_or(worst);
        draws.push(JudgedDraw { kind, cards, pairs: step.paired, step, after, mover });
    }
    let ground = match shape.seats {
        2 => Ground::Two,
        3 => Ground::Three,
        seats => Ground::Table { seats, labels: shape.labels() },
    };
    Ok(Judged { order, shape, last: players as Rank, best: out + 1, sure, draws, ground })
}

/// The victim's cards, gathered by kind; pairing kinds first, the joker last.
fn cards_by_kind(position: &Position, order: &[usize], shape: &Shape) -> Vec<(Kind, Vec<Card>)> {
    let classes = Classes::of(order.len(), position.mode());
    let holders = holders(position.table(), order);
    let mut found: Vec<(Kind, Vec<Card>)> =
        shape.kinds(position.mode()).into_iter().map(|kind| (kind, Vec::new())).collect();
    let victim = order[order.len() - 1];
    for &card in &position.table().hands()[victim] {
        let kind = match card {
            Card::JOKER => Some(Kind::Joker),
            Card(label) => classes.class(holders[label as usize]).map(Kind::Label),
        };
        let place = found.iter_mut().find(|(known, _)| Some(*known) == kind);
        place.into_iter().for_each(|(_, cards)| cards.push(card));
    }
    found
}

impl Judged {
    /// What the mover is sure of.
    pub fn mover(&self) -> Sure {
        self.sure[self.order[0]].unwrap_or(Sure { strict: self.last, lenient: self.last })
    }

    /// Is the draw one that the rule of the game recommends?
    pub fn is_recommended(&self, draw: &JudgedDraw) -> bool {
        self.keeps(draw) && (draw.pairs || !self.draws.iter().any(|other| other.pairs && self.keeps(other)))
    }

    /// Does the draw keep the mover's guarantee (strict if there is one, otherwise lenient)?
    pub fn keeps(&self, draw: &JudgedDraw) -> bool {
        let now = self.mover();
        if now.strict < self.last {
            draw.mover.strict == now.strict
        } else {
            now.lenient < self.last && draw.mover.lenient == now.lenient
        }
    }

    /// The recommended cards, ascending; empty when the mover has no guarantee.
    pub fn recommended(&self) -> Vec<Card> {
        self.cards(|draw| self.is_recommended(draw))
    }

    /// The cards of all draws that fulfil a condition, ascending.
    pub fn cards(&self, wanted: impl Fn(&JudgedDraw) -> bool) -> Vec<Card> {
        let chosen = self.draws.iter().filter(|draw| wanted(draw));
        let mut cards: Vec<Card> = chosen.flat_map(|draw| draw.cards.iter().copied()).collect();
        cards.sort_unstable();
        cards
    }

    /// The seats (ascending) for which a condition on their guarantee holds.
    pub fn seats(&self, wanted: impl Fn(Sure) -> bool) -> Vec<usize> {
        (0..self.sure.len()).filter(|&seat| self.sure[seat].is_some_and(&wanted)).collect()
    }
}

//! The rules and nothing else: whom the mover draws from, what a draw does, who leaves, who is last, and how a
//! deal becomes a position. Theory and search are tested against this.

use crate::position::{Card, Position, Standing, Table};
use kachi_core::{Game, Seat};

/// The game for the slow solvers: an ending is everybody's rank by seat (0 for seats that were out before).
#[derive(Debug, Clone, Copy, Default)]
pub struct Rules;

/// A draw and what it did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawn {
    /// The table after it.
    pub table: Table,
    /// The label of which two copies were discarded.
    pub discarded: Option<Card>,
    /// Who left on this draw, in order: the victim before the mover.
    pub left: Vec<Seat>,
}

/// The mover takes `card` from the victim. `None` if the play is over or the victim does not hold it.
pub fn draw(table: &Table, card: Card) -> Option<Drawn> {
    let mut after = table.clone();
    let (mover, Seat(victim)) = (table.mover, table.victim()?);
    let place = after.hands[victim].binary_search(&card).ok()?;
    after.hands[victim].remove(place);
    let mut discarded = None;
    match after.hands[mover].binary_search(&card) {
        Ok(mate) => {
            after.hands[mover].remove(mate);
            discarded = Some(card);
        }
        Err(gap) => after.hands[mover].insert(gap, card),
    }
    // A seat's rank is the number of seats out, itself included; the victim leaves before the mover.
    let mut out = after.standing.iter().filter(|&&standing| standing != Standing::In).count() as u32;
    let mut left = Vec::new();
    for seat in [victim, mover] {
        if after.hands[seat].is_empty() {
            out += 1;
            after.standing[seat] = Standing::Left(out);
            left.push(Seat(seat));
        }
    }
    let players = after.hands.len();
    let next = (1..=players).map(|step| (mover + step) % players);
    after.mover = { next }.find(|&seat| !after.hands[seat].is_empty())?;
    Some(Drawn { table: after, discarded, left })
}

/// What the discarding before the first draw did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetUp {
    /// The position of the first draw; if only one seat holds cards, the play is over.
    pub position: Position,
    /// Labels of which pairs were discarded.
    pub discarded: Vec<Card>,
    /// Seats without cards, in the order of their ranks.
    pub left: Vec<Seat>,
}

/// Everybody discards pairs; seats that are empty then leave in seat order from the starter; the starter, or the
/// next seat with cards, moves first.
pub fn set_up(dealt: &Position) -> SetUp {
    let mut table = dealt.table.clone();
    let mut discarded = Vec::new();
    for hand in &mut table.hands {
        let mut kept: Vec<Card> = Vec::with_capacity(hand.len());
        for &card in hand.iter() {
            if kept.last() == Some(&card) {
                kept.pop();
                discarded.push(card);
            } else {
                kept.push(card);
            }
        }
        *hand = kept;
    }
    discarded.sort_unstable();
    discarded.dedup();
    let (players, starter) = (table.hands.len(), table.mover);
    let order = || (0..players).map(move |step| (starter + step) % players);
    let mut left = Vec::new();
    for seat in order() {
        if table.hands[seat].is_empty() {
            left.push(Seat(seat));
            table.standing[seat] = Standing::Left(left.len() as u32);
        }
    }
    if let Some(first) = order().find(|&seat| !table.hands[seat].is_empty()) {
        table.mover = first;
    }
    SetUp { position: dealt.with(table), discarded, left }
}

impl Game for Rules {
    type Position = Table;
    type Move = Card;
    type Ending = Vec<u32>;

    fn mover(&self, table: &Table) -> Seat {
        table.mover()
    }

    fn ending(&self, table: &Table) -> Option<Vec<u32>> {
        let rank = |standing: &Standing| match standing {
            Standing::In => table.players() as u32,
            Standing::Left(rank) => *rank,
            Standing::Before => 0,
        };
        table.is_over().then(|| table.standing.iter().map(rank).collect())
    }

    fn moves(&self, table: &Table) -> Vec<Card> {
        table.victim().map_or_else(Vec::new, |Seat(victim)| table.hands[victim].clone())
    }

    fn play(&self, table: &Table, &card: &Card) -> Table {
        draw(table, card).map_or_else(|| table.clone(), |drawn| drawn.table)
    }
}

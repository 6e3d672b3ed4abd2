//! The main line: the seat with the best guarantee follows the rule of the game, the others resist as long as they
//! can, until that seat is out; or, where only endless play saves it, until the position comes back.

use crate::position::{Card, Mode, Position, Standing};
use crate::rules::draw;
use crate::shape::{Fate, Kind, Shape};
use crate::strategy::{Judged, Rank, guarantees, judge};
use kachi_core::{Budget, Error};
use rustc_hash::FxHashMap;

/// One play of the game, as far as it matters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MainLine {
    /// The seat whose guarantee is shown.
    pub hero: usize,
    /// Who takes what.
    pub draws: Vec<(usize, Card)>,
    /// How it ends.
    pub end: End,
}

/// How a main line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The hero is out with this rank.
    Out(Rank),
    /// The position after so many draws has come back: the play never ends.
    Endless(usize),
    /// The line was cut off because it is long.
    Cut,
}

/// The longest line that is worked out.
const MOST_DRAWS: usize = 300;
/// The same for a table with more cards and seats than [`LARGE`].
const MOST_DRAWS_LARGE: usize = 30;
/// See [`MOST_DRAWS_LARGE`].
const LARGE: usize = 4000;
/// Shapes looked at for the longest resistance; beyond that the others resist by rule of thumb.
const MOST_SHAPES: usize = 20_000;

/// The seat with the best guarantee: the least rank it can force, or else ensure; `None` if nobody is sure of anything.
pub fn hero(judged: &Judged) -> Option<usize> {
    let seats = || judged.order.iter().filter_map(|&seat| Some((seat, judged.sure[seat]?)));
    let strict = seats().filter(|(_, sure)| sure.strict < judged.last).min_by_key(|(_, sure)| sure.strict);
    let lenient = seats().filter(|(_, sure)| sure.lenient < judged.last).min_by_key(|(_, sure)| sure.lenient);
    strict.or(lenient).map(|(seat, _)| seat)
}

/// The main line of a position; `None` if nobody is sure of anything.
///
/// # Errors
/// As [`judge`].
pub fn main_line(position: &Position, budget: &mut Budget<'_>) -> Result<Option<MainLine>, Error> {
    let mut judged = judge(position, budget)?;
    let Some(hero) = hero(&judged) else { return Ok(None) };
    let mut resistance = Resistance { mode: position.mode(), known: FxHashMap::default() };
    let size = position.table().hands().iter().map(|hand| hand.len() + 1).sum::<usize>();
    let most = if size > LARGE { MOST_DRAWS_LARGE } else { MOST_DRAWS };
    let mut now = position.clone();
    let mut seen: Vec<Shape> = Vec::new();
    let mut draws = Vec::new();
    loop {
        // Seats keep their places while nobody leaves, so equal shapes with equal movers are the same position.
        let repeated = seen.iter().rposition(|old| *old == judged.shape);
        if let Some(first) =
            repeated.filter(|&first| draws.get(first).is_some_and(|&(seat, _)| seat == judged.order[0]))
        {
            return Ok(Some(MainLine { hero, draws, end: End::Endless(first) }));
        }
        if draws.len() >= most {
            return Ok(Some(MainLine { hero, draws, end: End::Cut }));
        }
        seen.push(judged.shape.clone());
        let card = if judged.order[0] == hero {
            judged.recommended().first().copied()
        } else {
            resistance.card(&judged, hero, budget)?
        };
        let Some((card, drawn)) = card.and_then(|card| Some((card, draw(now.table(), card)?))) else {
            return Ok(Some(MainLine { hero, draws, end: End::Cut }));
        };
        draws.push((judged.order[0], card));
        now = now.with(drawn.table);
        match now.table().standing()[hero] {
            Standing::Left(rank) => return Ok(Some(MainLine { hero, draws, end: End::Out(rank) })),
            _ if now.table().is_over() => return Ok(Some(MainLine { hero, draws, end: End::Cut })),
            _ => judged = judge(&now, budget)?,
        }
    }
}

/// How long the others can hold a seat back that follows the rule.
struct Resistance {
    mode: Mode,
    /// By shape and seat of the hero; `None` while it is being worked out.
    known: FxHashMap<(Shape, u8), Option<u32>>,
}

impl Resistance {
    /// The draw of another seat that makes the line longest.
    fn card(&mut self, judged: &Judged, hero: usize, budget: &mut Budget<'_>) -> Result<Option<Card>, Error> {
        let q = judged.order.iter().position(|&seat| seat == hero).unwrap_or(0) as u8;
        let forces = judged.sure[hero].is_some_and(|sure| sure.strict < judged.last);
        let mut best: Option<(u32, Card)> = None;
        for draw in &judged.draws {
            // Without a forced end, or in a large game: not pairing holds the others up longest.
            let thumb = u32::from(!draw.pairs);
            let length = match (draw.step.follow(judged.shape.seats, q), &draw.step.after) {
                (Fate::Stays(r), Some(after)) if forces => {
                    self.length(after, r, 0, budget)?.map_or(thumb, |length| length + 2)
                }
                _ => thumb,
            };
            let card = draw.cards.first().copied();
            if let Some(card) = card.filter(|_| best.is_none_or(|(most, _)| length > most)) {
                best = Some((length, card));
            }
        }
        Ok(best.map(|(_, card)| card))
    }

    /// The most draws until the hero `q` is out; `None` when the game is too large to say.
    fn length(
        &mut self,
        shape: &Shape,
        q: u8,
        depth: usize,
        budget: &mut Budget<'_>,
    ) -> Result<Option<u32>, Error> {
        let key = (shape.clone(), q);
        if let Some(&length) = self.known.get(&key) {
            return Ok(length);
        }
        if self.known.len() >= MOST_SHAPES || depth > MOST_DRAWS {
            return Ok(None);
        }
        self.known.insert(key.clone(), None);
        let kinds = if q == 0 { by_rule(shape, self.mode, budget)? } else { shape.kinds(self.mode) };
        let mut longest = Some(0);
        for kind in kinds {
            let step = shape.draw(kind, self.mode);
            let length = match (step.follow(shape.seats, q), &step.after) {
                (Fate::Stays(r), Some(after)) => self.length(after, r, depth + 1, budget)?,
                _ => Some(0),
            };
            longest = longest.zip(length).map(|(a, b)| a.max(b + 1));
            // The hero plays one recommended draw, the first.
            if q == 0 {
                break;
            }
        }
        self.known.insert(key, longest);
        Ok(longest)
    }
}

/// The mover's kinds of draws that the rule recommends, in order; empty without a guarantee.
fn by_rule(shape: &Shape, mode: Mode, budget: &mut Budget<'_>) -> Result<Vec<Kind>, Error> {
    let now = guarantees(shape, mode, budget)?[0].strict;
    let mut keeping = Vec::new();
    for kind in shape.kinds(mode) {
        let step = shape.draw(kind, mode);
        let rank = match (step.follow(shape.seats, 0), &step.after) {
            (Fate::Left(rank), _) => rank,
            (Fate::Stays(_), None) => shape.seats,
            (Fate::Stays(r), Some(after)) => {
                guarantees(after, mode, budget)?[r as usize].strict + step.leavers()
            }
        };
        if rank == now && now < shape.seats {
            keeping.push(kind);
        }
    }
    // Pairing kinds come first, so the first keeping one pairs if any does.
    Ok(keeping)
}

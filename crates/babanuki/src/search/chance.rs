//! Ordinary babanuki: every card drawn blindly, all of the victim's cards equally likely. The chance of ending last
//! solves a linear system per layer; it is iterated until nothing changes any more.

use super::ranking::{Ranking, vectors};
use crate::position::Mode;
use crate::shape::{Classes, Fate, Shape, all_shapes};
use std::sync::OnceLock;

/// The most seats for which chances are tabulated.
pub const MOST_SEATS: u8 = 4;
/// The most labels for which chances are tabulated.
pub const MOST_LABELS: u32 = 12;

/// Changes smaller than this are rounding.
const SETTLED: f64 = 1e-15;
/// More sweeps than any layer needs.
const MOST_SWEEPS: usize = 2000;

/// The chances of one layer, by number of the count vector, joker seat, seat.
struct Chances {
    ranking: Ranking,
    values: Vec<f64>,
}

impl Chances {
    fn place(&self, shape: &Shape) -> usize {
        let seats = shape.seats as usize;
        (self.ranking.number(&shape.counts) as usize * seats + shape.joker as usize) * seats
    }
}

/// One layer per number of seats (2, 3, 4) and labels.
type Layers = [[OnceLock<Chances>; MOST_LABELS as usize + 1]; 3];
static PAIRS: Layers = [const { [const { OnceLock::new() }; MOST_LABELS as usize + 1] }; 3];
static RANKS: Layers = [const { [const { OnceLock::new() }; MOST_LABELS as usize + 1] }; 3];

/// The chance that each seat, from the mover on, ends last when everybody draws blindly. `None` beyond
/// [`MOST_SEATS`] seats or [`MOST_LABELS`] labels.
pub fn last(shape: &Shape, mode: Mode) -> Option<Vec<f64>> {
    let layer = layer(shape.seats, shape.labels(), mode)?;
    let at = layer.place(shape);
    layer.values.get(at..at + shape.seats as usize).map(<[f64]>::to_vec)
}

fn layer(seats: u8, labels: u32, mode: Mode) -> Option<&'static Chances> {
    if !(2..=MOST_SEATS).contains(&seats) || labels > MOST_LABELS {
        return None;
    }
    let layers = match mode {
        Mode::Pairs => &PAIRS,
        Mode::Ranks => &RANKS,
    };
    // The lower layers are filled first, so that the initialisers do not nest deeply.
    Some(layers[seats as usize - 2][labels as usize].get_or_init(|| solve(seats, labels, mode)))
}

/// One way on: how likely, where the values of the child begin (or who is last), in which layer.
struct Way {
    chance: f64,
    fates: Vec<Fate>,
    child: Child,
}

enum Child {
    Over,
    Inside(usize),
    Below(Vec<f64>),
}

fn solve(seats: u8, labels: u32, mode: Mode) -> Chances {
    let classes = Classes::of(seats as usize, mode).len();
    let ranking = Ranking::new(classes, labels);
    let size = vectors(classes, labels) as usize * seats as usize * seats as usize;
    let mut chances = Chances { ranking, values: vec![0.0; size] };
    let shapes = all_shapes(seats, labels, mode);
    let places: Vec<usize> = shapes.iter().map(|shape| chances.place(shape)).collect();
    let ways: Vec<Vec<Way>> = shapes.iter().map(|shape| ways(shape, mode, &chances)).collect();
    for _ in 0..MOST_SWEEPS {
        let mut change = 0.0_f64;
        for (&place, ways) in places.iter().zip(&ways) {
            for q in 0..seats as usize {
                let value: f64 = ways.iter().map(|way| way.chance * way.value(q, &chances.values)).sum();
                change = change.max((value - chances.values[place + q]).abs());
                chances.values[place + q] = value;
            }
        }
        if change < SETTLED {
            break;
        }
    }
    chances
}

impl Way {
    fn value(&self, q: usize, values: &[f64]) -> f64 {
        match (self.fates[q], &self.child) {
            (Fate::Left(_), _) => 0.0,
            (Fate::Stays(_), Child::Over) => 1.0,
            (Fate::Stays(r), Child::Inside(place)) => values[place + r as usize],
            (Fate::Stays(r), Child::Below(values)) => values[r as usize],
        }
    }
}

fn ways(shape: &Shape, mode: Mode, own: &Chances) -> Vec<Way> {
    let kinds = shape.kinds(mode);
    let cards: u32 = kinds.iter().map(|&kind| shape.weight(kind)).sum();
    let way = |&kind| {
        let step = shape.draw(kind, mode);
        let fates = (0..shape.seats).map(|q| step.follow(shape.seats, q)).collect();
        let child = match step.after {
            None => Child::Over,
            Some(after) if (after.seats, after.labels()) == (shape.seats, shape.labels()) => {
                Child::Inside(own.place(&after))
            }
            Some(after) => Child::Below(last(&after, mode).unwrap_or_default()),
        };
        Way { chance: f64::from(shape.weight(kind)) / f64::from(cards), fates, child }
    };
    kinds.iter().map(way).collect()
}

/// What a player who sees only the own hand can say: hand sizes from the mover on, and whether the mover holds the
/// joker. Averages over all deals that look like this, each equally likely; `None` when there are too many seats or cards.
pub fn last_unseen(sizes: &[u32], mover_has_joker: bool) -> Option<Vec<f64>> {
    let seats = u8::try_from(sizes.len()).ok()?;
    let cards: u32 = sizes.iter().sum();
    let labels = cards.checked_sub(1)? / 2;
    if !(2..=MOST_SEATS).contains(&seats) || labels > MOST_LABELS {
        return None;
    }
    let (mut total, mut sums) = (0.0, vec![0.0; sizes.len()]);
    for shape in all_shapes(seats, labels, Mode::Pairs) {
        let fits = (0..seats).all(|r| shape.hand(r, Mode::Pairs) == sizes[r as usize]);
        if !fits || (shape.joker == 0) != mover_has_joker {
            continue;
        }
        // The number of ways to choose which labels form which class.
        let factorial = |n: u32| (1..=n).map(f64::from).product::<f64>();
        let weight = factorial(labels) / shape.counts.iter().map(|&count| factorial(count)).product::<f64>();
        total += weight;
        for (sum, chance) in sums.iter_mut().zip(last(&shape, Mode::Pairs)?) {
            *sum += weight * chance;
        }
    }
    (total > 0.0).then(|| sums.iter().map(|sum| sum / total).collect())
}

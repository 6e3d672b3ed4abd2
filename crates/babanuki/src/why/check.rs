//! Checks reasons from the cards alone. Nothing here calls the solver, the tables or the closed forms: clauses are
//! evaluated one by one as `docs/theory/babanuki.md` states them, certificates are followed draw by draw with the rules.

use super::certificate::{Cell, Certificate, Line};
use super::{Clause, Why};
use crate::position::{Card, Mode, Position, Standing};
use crate::rules::draw;
use crate::shape::{Shape, example};
use crate::strategy::Sure;
use crate::theory::{First, Safe};
use kachi_core::Flaw;
use rustc_hash::FxHashMap;

/// Checks a reason against a position; gives what every seat is sure of.
pub(super) fn check(why: &Why, position: &Position) -> Result<Vec<Option<Sure>>, Flaw> {
    let order: Vec<usize> = position.table().seats_in().collect();
    let ranks = match why {
        Why::Two { holder, other, labels } => two(position, &order, *holder, *other, *labels)?,
        Why::Three { order: named, shared, clauses } => {
            Flaw::unless(order == named[..], || format!("the seats in are {order:?}"))?;
            three(position, named, *shared, clauses)?
        }
        Why::Certificate(certificate) => listed(certificate, position)?,
    };
    let out = (position.table().players() - order.len()) as u32;
    let mut sure = vec![None; position.table().players()];
    for (&seat, (strict, lenient)) in order.iter().zip(ranks) {
        let raise = |rank: u8| u32::from(rank) + out;
        sure[seat] = Some(Sure { strict: raise(strict), lenient: raise(lenient) });
    }
    Ok(sure)
}

fn labels_of(position: &Position, seat: usize) -> Vec<Card> {
    position.table().hands()[seat].iter().copied().filter(|card| !card.is_joker()).collect()
}

fn two(
    position: &Position,
    order: &[usize],
    holder: usize,
    other: usize,
    labels: u32,
) -> Result<Vec<(u8, u8)>, Flaw> {
    let both = order == [holder, other] || order == [other, holder];
    Flaw::unless(both, || format!("the seats in are {order:?}"))?;
    let (mine, yours) = (labels_of(position, holder), labels_of(position, other));
    let joker = position.table().hands()[holder].contains(&Card::JOKER);
    Flaw::unless(joker, || format!("seat {holder} does not hold the joker"))?;
    let same = mine == yours && mine.len() == labels as usize && labels > 0;
    Flaw::unless(same, || format!("the two hands do not share exactly {labels} labels"))?;
    // Every draw of the holder pairs; the other one pairs as long as it leaves the joker: it is out after `labels` draws.
    Ok(order.iter().map(|&seat| if seat == holder { (2, 2) } else { (1, 1) }).collect())
}

/// The quantities of Theorems A and B for one seat, straight from the hands.
struct Counted {
    q: usize,
    e: i64,
    f: i64,
    g: i64,
    a: i64,
    b: i64,
}

fn three(
    position: &Position,
    order: &[usize; 3],
    shared: [u32; 3],
    clauses: &[Clause; 3],
) -> Result<Vec<(u8, u8)>, Flaw> {
    let hands = order.map(|seat| labels_of(position, seat));
    let common = |i: usize, j: usize| {
        hands[i].iter().filter(|card| hands[j].binary_search(card).is_ok()).count() as u32
    };
    let found = [common(0, 1), common(0, 2), common(1, 2)];
    Flaw::unless(found == shared, || format!("the hands share {found:?} labels, not {shared:?}"))?;
    let joker = order.iter().position(|&seat| position.table().hands()[seat].contains(&Card::JOKER));
    let Some(joker) = joker else { return Err(Flaw::new("nobody holds the joker")) };
    let between = |i: usize, j: usize| i64::from(found[i + j - 1]);
    let mut ranks = Vec::new();
    for (q, &clause) in clauses.iter().enumerate() {
        let (s, t) = ((q + 2) % 3, (q + 1) % 3);
        let (e, f, g) = (between(q, t), between(q, s), between(s, t));
        let counted = Counted { q, e, f, g, a: f + i64::from(q == 2), b: g - i64::from(q == 1) };
        let place = if joker == q {
            Place::Own
        } else if joker == s {
            Place::Before
        } else {
            Place::After
        };
        let first = FIRST.iter().find(|&&first| counted.first(first, place));
        let safe = SAFE.iter().find(|&&safe| counted.safe(safe, place));
        let rank = match clause {
            Clause::First(named) => {
                Flaw::unless(counted.first(named, place), || {
                    format!("{named:?} fails for seat {}", order[q])
                })?;
                1
            }
            Clause::Safe(named) => {
                Flaw::unless(counted.safe(named, place), || {
                    format!("{named:?} fails for seat {}", order[q])
                })?;
                Flaw::unless(first.is_none(), || format!("seat {} can force first: {first:?}", order[q]))?;
                2
            }
            Clause::Exposed => {
                let none = first.is_none() && safe.is_none();
                Flaw::unless(none, || format!("a clause holds for seat {}: {first:?} {safe:?}", order[q]))?;
                3
            }
        };
        ranks.push((rank, rank));
    }
    Ok(ranks)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Own,
    Before,
    After,
}

const FIRST: [First; 7] = [
    First::Holder,
    First::BeforeFree,
    First::BeforeOne,
    First::BeforeParity,
    First::AfterFree,
    First::AfterOne,
    First::AfterLast,
];

const SAFE: [Safe; 4] = [Safe::Free, Safe::One, Safe::Parity, Safe::Finish];

impl Counted {
    fn first(&self, clause: First, joker: Place) -> bool {
        let Counted { q, e, f, g, a, b } = *self;
        let odd = |n: i64| n.rem_euclid(2) == 1;
        match clause {
            First::Holder => joker == Place::Own && e == 0 && odd(a) && b >= 1,
            First::BeforeFree => joker == Place::Before && e == 0 && b >= 1,
            First::BeforeOne => joker == Place::Before && e == 1 && odd(a) && (b >= 2 || (a == 1 && b >= 0)),
            First::BeforeParity => {
                let parity = odd(a) == odd(e) && odd(e) != odd(b);
                joker == Place::Before && parity && (a <= b + 1 || e < b)
            }
            First::AfterFree => joker == Place::After && e == 0 && (b >= 1 || (b == 0 && !odd(a))),
            First::AfterOne => joker == Place::After && e == 1 && odd(a) && b >= 1,
            First::AfterLast => joker == Place::After && q == 1 && e == 1 && f == 1 && g == 0,
        }
    }

    fn safe(&self, clause: Safe, joker: Place) -> bool {
        let Counted { q, e, f, g, a, b } = *self;
        let odd = |n: i64| n.rem_euclid(2) == 1;
        joker != Place::Own
            && match clause {
                Safe::Free => e == 0,
                Safe::One => e == 1 && odd(a),
                Safe::Parity => odd(a + b) == (joker == Place::Before),
                Safe::Finish => q == 0 && joker == Place::After && f + g == 1,
            }
    }
}

/// What a draw means for one seat: the ranks it is sure of, and the paces (`None` when its rank is settled).
type Next = (u8, u8, Option<Cell>);

fn listed(certificate: &Certificate, position: &Position) -> Result<Vec<(u8, u8)>, Flaw> {
    let mode = position.mode();
    let book: FxHashMap<&Shape, &Line> = certificate.lines.iter().map(|line| (&line.shape, line)).collect();
    let root =
        Shape::of(position.table(), mode).ok_or_else(|| Flaw::new("too many seats, or the play is over"))?;
    let root = *book.get(&root).ok_or_else(|| Flaw::new("the position is not in the certificate"))?;
    for line in &certificate.lines {
        check_line(line, &book, mode)?;
    }
    Ok(root.cells.iter().map(|cell| (cell.strict, cell.lenient)).collect())
}

fn check_line(line: &Line, book: &FxHashMap<&Shape, &Line>, mode: Mode) -> Result<(), Flaw> {
    let seats = line.shape.seats as usize;
    Flaw::unless(line.cells.len() == seats && line.shape.is_legal(mode), || {
        format!("{:?} is no shape", line.shape)
    })?;
    let table = example(&line.shape, mode);
    let mut nexts: Vec<Vec<Next>> = vec![Vec::new(); seats];
    let Some(victim) = table.victim() else { return Err(Flaw::new("nobody to draw from")) };
    for &card in &table.hands()[victim.0] {
        let Some(drawn) = draw(&table, card) else { return Err(Flaw::new("a draw is not legal")) };
        let after = match drawn.table.is_over() {
            true => None,
            false => {
                let shape = Shape::of(&drawn.table, mode);
                let found = shape.and_then(|shape| book.get(&shape).copied());
                Some(found.ok_or_else(|| {
                    Flaw::new(format!("a draw leads out of the list from {:?}", line.shape))
                })?)
            }
        };
        let order: Vec<usize> = drawn.table.seats_in().collect();
        let left = drawn.left.len() as u8;
        for (seat, next) in nexts.iter_mut().enumerate() {
            next.push(match (drawn.table.standing()[seat], after) {
                (Standing::Left(rank), _) => (rank as u8, rank as u8, None),
                (_, None) => (seats as u8, seats as u8, None),
                (_, Some(after)) => {
                    let place = order.iter().position(|&other| other == seat);
                    let cell = place.and_then(|place| after.cells.get(place)).copied();
                    let cell = cell.ok_or_else(|| Flaw::new("a seat is missing"))?;
                    (cell.strict + left, cell.lenient + left, Some(cell))
                }
            });
        }
    }
    for (seat, (cell, next)) in line.cells.iter().zip(&nexts).enumerate() {
        check_cell(cell, next, seat == 0, seats as u8)
            .map_err(|words| Flaw::new(format!("{words}: seat {seat} of {:?}", line.shape)))?;
    }
    Ok(())
}

fn check_cell(cell: &Cell, next: &[Next], moves: bool, seats: u8) -> Result<(), &'static str> {
    let strict = next.iter().map(|next| next.0);
    let lenient = next.iter().map(|next| next.1);
    let (strict, lenient) = if moves { (strict.min(), lenient.min()) } else { (strict.max(), lenient.max()) };
    if strict != Some(cell.strict) || lenient != Some(cell.lenient) {
        return Err("the values do not fit those after the draws");
    }
    // A forced rank: the seat's own draw, or every draw of another, leads on at a smaller pace.
    let nearer = |&(strict, _, after): &Next| {
        strict < cell.strict
            || strict == cell.strict && after.is_none_or(|after| after.strict_pace < cell.strict_pace)
    };
    let forced = if moves { next.iter().any(nearer) } else { next.iter().all(nearer) };
    if cell.strict < seats && !forced {
        return Err("the forced rank is not approached");
    }
    // A rank forced upon the seat by the others: the same with the roles exchanged.
    let nearer = |&(_, lenient, after): &Next| {
        lenient > cell.lenient
            || lenient == cell.lenient && after.is_none_or(|after| after.lenient_pace < cell.lenient_pace)
    };
    let forced = if moves { next.iter().all(nearer) } else { next.iter().any(nearer) };
    if cell.lenient > 1 && !forced {
        return Err("the rank that the others force is not approached");
    }
    Ok(())
}

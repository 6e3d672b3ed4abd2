//! Only who holds which label matters. A [`Shape`] is a position up to names: the seats still in, numbered from
//! the mover (0 moves, the last one is drawn from), how many labels each *class* has (a class is the set of
//! seats that hold a label: pairs of seats, or even sets in mode `ranks`), and the seat of the joker.

use crate::position::{Card, Mode, Table};
use std::sync::OnceLock;

/// The most seats for which classes are numbered; larger tables are refused before they are built.
pub const MOST_SEATS: usize = 11;

/// A position up to names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Seats still in, at least two.
    pub seats: u8,
    /// The seat with the joker, counted from the mover.
    pub joker: u8,
    /// Labels per class, in the order of [`Classes::masks`].
    pub counts: Vec<u32>,
}

/// The classes of labels for a number of seats: bit `r` of a mask is the seat `r` steps after the mover.
#[derive(Debug)]
pub struct Classes {
    /// Seats still in.
    pub seats: usize,
    /// The sets of holders, in ascending order of their masks.
    pub masks: Vec<u16>,
    /// The number of a mask's class; `NONE` for sets that are no class.
    number: Vec<u16>,
}

const NONE: u16 = u16::MAX;

impl Classes {
    /// The classes for `seats` seats (at most [`MOST_SEATS`]).
    pub fn of(seats: usize, mode: Mode) -> &'static Classes {
        static ALL: [[OnceLock<Classes>; MOST_SEATS + 1]; 2] =
            [const { [const { OnceLock::new() }; MOST_SEATS + 1] }; 2];
        let row = match mode {
            Mode::Pairs => &ALL[0],
            Mode::Ranks => &ALL[1],
        };
        row[seats.min(MOST_SEATS)].get_or_init(|| Classes::list(seats.min(MOST_SEATS), mode))
    }

    fn list(seats: usize, mode: Mode) -> Classes {
        let holders = |mask: u16| match mode {
            Mode::Pairs => mask.count_ones() == 2,
            Mode::Ranks => mask != 0 && mask.count_ones().is_multiple_of(2),
        };
        let masks: Vec<u16> = (0..1 << seats).filter(|&mask| holders(mask)).collect();
        let mut number = vec![NONE; 1 << seats];
        masks.iter().zip(0..).for_each(|(&mask, i)| number[mask as usize] = i);
        Classes { seats, masks, number }
    }

    /// The class of labels held by exactly these seats.
    pub fn class(&self, mask: u16) -> Option<usize> {
        self.number.get(mask as usize).filter(|&&class| class != NONE).map(|&class| class as usize)
    }

    /// How many classes there are.
    pub fn len(&self) -> usize {
        self.masks.len()
    }

    /// Are there none (one seat)?
    pub fn is_empty(&self) -> bool {
        self.masks.is_empty()
    }
}

/// A kind of draw: cards of one class are interchangeable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A label of this class, which the victim holds.
    Label(usize),
    /// The joker.
    Joker,
}

/// What a draw of some [`Kind`] leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The shape after it, seen from the next mover; `None` when one seat is left.
    pub after: Option<Shape>,
    /// Did the victim leave?
    pub victim_left: bool,
    /// Did the mover leave?
    pub mover_left: bool,
    /// Were two cards discarded?
    pub paired: bool,
}

impl Step {
    /// How many seats left.
    pub fn leavers(&self) -> u8 {
        u8::from(self.victim_left) + u8::from(self.mover_left)
    }

    /// What became of seat `q` (counted from the mover) when `seats` were in: a rank, or its new number.
    pub fn follow(&self, seats: u8, q: u8) -> Fate {
        let victim = seats - 1;
        if q == victim && self.victim_left {
            Fate::Left(1)
        } else if q == 0 && self.mover_left {
            Fate::Left(1 + u8::from(self.victim_left))
        } else if q == 0 {
            Fate::Stays(seats - self.leavers() - 1)
        } else {
            Fate::Stays(q - 1)
        }
    }
}

/// What a draw does to one seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It left with this rank among those who were in.
    Left(u8),
    /// It is still in and has this number, counted from the next mover.
    Stays(u8),
}

impl Shape {
    /// The shape of a table; `None` when over, or with more than [`MOST_SEATS`] seats in.
    pub fn of(table: &Table, mode: Mode) -> Option<Shape> {
        let order: Vec<usize> = table.seats_in().take(MOST_SEATS + 1).collect();
        if !(2..=MOST_SEATS).contains(&order.len()) {
            return None;
        }
        let classes = Classes::of(order.len(), mode);
        let holders = holders(table, &order);
        let joker = table.joker_seat().0;
        let joker = order.iter().position(|&seat| seat == joker)? as u8;
        let mut counts = vec![0_u32; classes.len()];
        for mask in holders.into_iter().filter(|&mask| mask != 0) {
            let count = &mut counts[classes.class(mask)?];
            *count += 1;
        }
        Some(Shape { seats: order.len() as u8, joker, counts })
    }

    /// Labels in play.
    pub fn labels(&self) -> u32 {
        self.counts.iter().sum()
    }

    /// Cards in the hand of seat `r`.
    pub fn hand(&self, r: u8, mode: Mode) -> u32 {
        let masks = &Classes::of(self.seats as usize, mode).masks;
        let own = masks.iter().zip(&self.counts).filter(|(mask, _)| **mask >> r & 1 == 1);
        own.map(|(_, &count)| count).sum::<u32>() + u32::from(self.joker == r)
    }

    /// Do all seats hold a card?
    pub fn is_legal(&self, mode: Mode) -> bool {
        (0..self.seats).all(|r| self.hand(r, mode) > 0)
    }

    /// The kinds of draws the mover has, the pairing ones first.
    pub fn kinds(&self, mode: Mode) -> Vec<Kind> {
        let classes = Classes::of(self.seats as usize, mode);
        let victim = self.seats - 1;
        let mut kinds: Vec<Kind> = (0..classes.len())
            .filter(|&class| self.counts[class] > 0 && classes.masks[class] >> victim & 1 == 1)
            .map(Kind::Label)
            .collect();
        kinds.sort_by_key(|kind| matches!(kind, Kind::Label(class) if classes.masks[*class] & 1 == 0));
        if self.joker == victim {
            kinds.push(Kind::Joker);
        }
        kinds
    }

    /// How many cards of the victim are of this kind.
    pub fn weight(&self, kind: Kind) -> u32 {
        match kind {
            Kind::Label(class) => self.counts[class],
            Kind::Joker => 1,
        }
    }

    /// The shape after a draw; `kind` must be one of [`kinds`](Shape::kinds).
    pub fn draw(&self, kind: Kind, mode: Mode) -> Step {
        let seats = self.seats;
        let (classes, victim) = (Classes::of(seats as usize, mode), seats - 1);
        let mut counts = self.counts.clone();
        let (mut joker, mut paired) = (self.joker, false);
        match kind {
            Kind::Joker => joker = 0,
            Kind::Label(class) => {
                let mask = classes.masks[class];
                paired = mask & 1 == 1;
                counts[class] -= 1;
                // The victim's card goes: together with the mover's copy, or into the mover's hand.
                if let Some(now) = classes.class((mask ^ 1) & !(1 << victim)) {
                    counts[now] += 1;
                }
            }
        }
        let held = |r: u8| {
            let labels =
                classes.masks.iter().zip(&counts).any(|(mask, &count)| count > 0 && mask >> r & 1 == 1);
            labels || joker == r
        };
        let (victim_left, mover_left) = (!held(victim), !held(0));
        let mut step = Step { after: None, victim_left, mover_left, paired };
        let left = seats - step.leavers();
        if left < 2 {
            return step;
        }
        // Seats 1, 2, ... move up one place; the mover, if still in, becomes the last.
        let turn = |mask: u16| (mask >> 1) | ((mask & 1) << (left - 1));
        let next = Classes::of(left as usize, mode);
        let mut after = vec![0_u32; next.len()];
        for (&mask, &count) in classes.masks.iter().zip(&counts).filter(|(_, count)| **count > 0) {
            if let Some(class) = next.class(turn(mask)) {
                after[class] += count;
            }
        }
        let joker = if joker == 0 { left - 1 } else { joker - 1 };
        step.after = Some(Shape { seats: left, joker, counts: after });
        step
    }
}

/// Who holds each label: bit `r` is the seat at place `r` of `order`, which has at most [`MOST_SEATS`] seats.
pub fn holders(table: &Table, order: &[usize]) -> Vec<u16> {
    let cards = |&seat: &usize| table.hands()[seat].iter().filter(|card| !card.is_joker());
    let labels = order.iter().flat_map(cards).max().map_or(0, |card| card.0 as usize + 1);
    let mut holders = vec![0; labels];
    for (r, seat) in order.iter().enumerate().take(MOST_SEATS) {
        cards(seat).for_each(|&Card(label)| holders[label as usize] |= 1 << r);
    }
    holders
}

/// All legal shapes with exactly these seats and labels, in a fixed order.
pub fn all_shapes(seats: u8, labels: u32, mode: Mode) -> Vec<Shape> {
    let classes = Classes::of(seats as usize, mode).len();
    let mut found = Vec::new();
    let mut counts = vec![0_u32; classes];
    split(labels, 0, &mut counts, &mut |counts| {
        for joker in 0..seats {
            let shape = Shape { seats, joker, counts: counts.to_vec() };
            if shape.is_legal(mode) {
                found.push(shape);
            }
        }
    });
    found
}

fn split(rest: u32, class: usize, counts: &mut Vec<u32>, found: &mut impl FnMut(&[u32])) {
    if class + 1 >= counts.len() {
        if let Some(last) = counts.last_mut() {
            *last = rest;
            found(counts);
        }
        return;
    }
    for count in 0..=rest {
        counts[class] = count;
        split(rest - count, class + 1, counts, found);
    }
}

/// A table with this shape: labels are numbered class by class, the mover has seat 0.
pub fn example(shape: &Shape, mode: Mode) -> Table {
    let classes = Classes::of(shape.seats as usize, mode);
    let mut hands = vec![Vec::new(); shape.seats as usize];
    let mut label = 0;
    for (&mask, &count) in classes.masks.iter().zip(&shape.counts) {
        for _ in 0..count {
            let holders = (0..shape.seats as usize).filter(|&r| mask >> r & 1 == 1);
            holders.for_each(|r| hands[r].push(Card(label)));
            label += 1;
        }
    }
    hands[shape.joker as usize].push(Card::JOKER);
    Table { hands, mover: 0, standing: vec![crate::position::Standing::In; shape.seats as usize] }
}

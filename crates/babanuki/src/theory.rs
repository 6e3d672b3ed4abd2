//! Two and three seats in closed form, for hands of any size.
//!
//! Two seats: whoever does not hold the joker wins. Three seats: Theorems A (who can force leaving first), B (who can
//! force not being last) and C (endless play never matters) of `docs/theory/babanuki.md`, machine-checked in `proofs/babanuki`.

use crate::shape::Shape;

/// Where the joker is, seen from a seat `q`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Joker {
    /// With `q` itself.
    Own,
    /// With the seat `q` draws from.
    Before,
    /// With the seat that draws from `q`.
    After,
}

/// Three hands by the numbers of labels that two seats share; seats are counted from the mover, who draws from 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Three {
    /// Labels shared by seats 0 and 1.
    pub x: u32,
    /// Labels shared by seats 0 and 2.
    pub y: u32,
    /// Labels shared by seats 1 and 2.
    pub z: u32,
    /// The seat with the joker: 0, 1 or 2.
    pub joker: u8,
}

/// What Theorems A and B look at, for one seat `q`: `s` is the seat `q` draws from, `t` draws from `q`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Around {
    /// The seat, counted from the mover.
    pub q: u8,
    /// Labels that `q` and `t` share: what `t` can pair up at `q`'s cost.
    pub e: i64,
    /// Labels that `q` and `s` share: what `q` can pair up.
    pub f: i64,
    /// Labels that `s` and `t` share.
    pub g: i64,
    /// `f`, plus one if `q` is drawn from now.
    pub a: i64,
    /// `g`, less one if `q` moves next.
    pub b: i64,
    /// Where the joker is.
    pub joker: Joker,
}

/// Why a seat can force leaving first: the clause of Theorem A that fired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum First {
    /// `q` holds the joker: `e = 0`, `a` odd, `b >= 1`.
    Holder,
    /// Joker before `q`: `e = 0`, `b >= 1`.
    BeforeFree,
    /// Joker before `q`: `e = 1`, `a` odd, and `b >= 2`, or `a = 1` and `b >= 0`.
    BeforeOne,
    /// Joker before `q`: `a` and `e` of one parity, `b` of the other, and `a <= b + 1` or `e < b`.
    BeforeParity,
    /// Joker after `q`: `e = 0`, and `b >= 1`, or `b = 0` and `a` even.
    AfterFree,
    /// Joker after `q`: `e = 1`, `a` odd, `b >= 1`.
    AfterOne,
    /// Joker after `q`, who moves next: one label with each neighbour and no other label.
    AfterLast,
}

/// Why a seat without the joker can force not being last: the clause of Theorem B that fired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Safe {
    /// `e = 0`.
    Free,
    /// `e = 1` and `a` odd.
    One,
    /// `a + b` is odd with the joker before `q`, even with the joker after `q`.
    Parity,
    /// `q` moves, the joker is after it, and only one label does not belong to `q` and `t`.
    Finish,
}

impl Around {
    /// The clause of Theorem A that holds, if one does.
    pub fn first(&self) -> Option<First> {
        let Around { q, e, f, g, a, b, joker } = *self;
        let odd = a & 1 == 1;
        match joker {
            Joker::Own => (e == 0 && odd && b >= 1).then_some(First::Holder),
            Joker::Before => {
                if e == 0 && b >= 1 {
                    Some(First::BeforeFree)
                } else if e == 1 && odd && (b >= 2 || (a == 1 && b >= 0)) {
                    Some(First::BeforeOne)
                } else if (a ^ e) & 1 == 0 && (e ^ b) & 1 == 1 && (a <= b + 1 || e < b) {
                    Some(First::BeforeParity)
                } else {
                    None
                }
            }
            Joker::After => {
                if e == 0 && (b >= 1 || (b == 0 && !odd)) {
                    Some(First::AfterFree)
                } else if e == 1 && odd && b >= 1 {
                    Some(First::AfterOne)
                } else if q == 1 && (e, f, g) == (1, 1, 0) {
                    Some(First::AfterLast)
                } else {
                    None
                }
            }
        }
    }

    /// The clause of Theorem B that holds for a seat without the joker, if one does.
    pub fn safe(&self) -> Option<Safe> {
        let Around { q, e, f, g, a, b, joker } = *self;
        if joker == Joker::Own {
            return None;
        }
        if e == 0 {
            Some(Safe::Free)
        } else if e == 1 && a & 1 == 1 {
            Some(Safe::One)
        } else if (a + b) & 1 == i64::from(joker == Joker::Before) {
            Some(Safe::Parity)
        } else if q == 0 && joker == Joker::After && f + g == 1 {
            Some(Safe::Finish)
        } else {
            None
        }
    }

    /// The rank that the seat can force: 1 by Theorem A, 2 by Theorem B, otherwise 3. The same as asking
    /// [`first`](Around::first) and [`safe`](Around::safe), without branches that a processor could guess wrong.
    #[inline]
    pub fn rank(&self) -> u8 {
        let Around { q, e, f, g, a, b, joker } = *self;
        let (own, before, after) = (joker == Joker::Own, joker == Joker::Before, joker == Joker::After);
        let odd = a & 1 == 1;
        let (free, one) = (e == 0, (e == 1) & odd);
        let first = (own & free & odd & (b >= 1))
            | (before
                & ((free & (b >= 1))
                    | (one & ((b >= 2) | ((a == 1) & (b >= 0))))
                    | ((a ^ e) & 1 == 0) & ((e ^ b) & 1 == 1) & ((a <= b + 1) | (e < b))))
            | (after
                & ((free & ((b >= 1) | ((b == 0) & !odd)))
                    | (one & (b >= 1))
                    | ((q == 1) & (e == 1) & (f == 1) & (g == 0))));
        let parity = ((a + b) & 1 == 1) == before;
        let safe = !own & (free | one | parity | ((q == 0) & after & (f + g == 1)));
        3 - u8::from(safe | first) - u8::from(first)
    }
}

/// What a draw of the mover leads to, as far as ranks are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draw {
    /// A label shared with the mover: a pair goes.
    Pair,
    /// A label of the other seat: it moves on to the mover.
    Shift,
    /// The joker.
    Joker,
}

/// The guaranteed ranks of all seats and what each draw keeps for the mover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ranks {
    /// By seat from the mover.
    pub seats: [u8; 3],
    /// The mover's rank after a pairing draw, a shifting draw, the joker; 0 where there is no such draw.
    pub draws: [u8; 3],
}

impl Three {
    /// The three counts of a shape with three seats.
    pub fn of(shape: &Shape) -> Option<Three> {
        match shape.counts[..] {
            // Classes come in the order {0,1}, {0,2}, {1,2}.
            [x, y, z] if shape.seats == 3 => Some(Three { x, y, z, joker: shape.joker }),
            _ => None,
        }
    }

    /// Do all three seats hold a card?
    pub fn is_legal(&self) -> bool {
        let Three { x, y, z, joker } = *self;
        [x + y, x + z, y + z].iter().zip(0..).all(|(&labels, seat)| labels > 0 || joker == seat)
    }

    /// What the theorems look at for seat `q`.
    #[inline]
    pub fn around(&self, q: u8) -> Around {
        let (x, y, z) = (i64::from(self.x), i64::from(self.y), i64::from(self.z));
        let (e, f, g) = match q {
            0 => (x, y, z),
            1 => (z, x, y),
            _ => (y, z, x),
        };
        // Seats from q to the joker: 0 its own, 1 the next one's, 2 the one's before.
        let joker = match self.joker + 3 - q {
            0 | 3 => Joker::Own,
            1 | 4 => Joker::After,
            _ => Joker::Before,
        };
        Around { q, e, f, g, a: f + i64::from(q == 2), b: g - i64::from(q == 1), joker }
    }

    /// The rank that seat `q` (counted from the mover) can force.
    pub fn rank(&self, q: u8) -> u8 {
        self.around(q).rank()
    }

    /// Guaranteed ranks of all seats and of every draw, in constant time.
    #[inline]
    pub fn ranks(&self) -> Ranks {
        let seats = [self.rank(0), self.rank(1), self.rank(2)];
        let draws = [Draw::Pair, Draw::Shift, Draw::Joker].map(|draw| self.after(draw).unwrap_or(0));
        Ranks { seats, draws }
    }

    /// The mover's guaranteed rank after a draw; `None` if there is no such draw.
    pub fn after(&self, draw: Draw) -> Option<u8> {
        let Three { mut x, mut y, mut z, mut joker } = *self;
        match draw {
            Draw::Pair => y = y.checked_sub(1)?,
            Draw::Shift => {
                z = z.checked_sub(1)?;
                x += 1;
            }
            Draw::Joker if joker == 2 => joker = 0,
            Draw::Joker => return None,
        }
        let victim_left = y + z == 0 && joker != 2;
        let mover_left = x + y == 0 && joker != 0;
        Some(match (victim_left, mover_left) {
            (false, true) => 1,
            (true, true) => 2,
            // Two seats go on, the mover and the next one: the holder of the joker is last.
            (true, false) => {
                if joker == 0 {
                    3
                } else {
                    2
                }
            }
            (false, false) => {
                // The turn passes: seat 1 becomes 0, seat 2 becomes 1, the mover becomes 2.
                let turned = Three { x: z, y: x, z: y, joker: if joker == 0 { 2 } else { joker - 1 } };
                turned.rank(2)
            }
        })
    }
}

/// Two seats: the rank that seat `q` (0 moves) can force when `joker` holds the joker.
pub fn two(joker: u8, q: u8) -> u8 {
    if joker == q { 2 } else { 1 }
}

/// The ranks that the seats of a shape with two or three seats can force; `None` for more seats.
pub fn ranks(shape: &Shape) -> Option<Vec<u8>> {
    match shape.seats {
        2 => Some((0..2).map(|q| two(shape.joker, q)).collect()),
        3 => Three::of(shape).map(|three| (0..3).map(|q| three.rank(q)).collect()),
        _ => None,
    }
}

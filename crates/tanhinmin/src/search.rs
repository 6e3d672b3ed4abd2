//! Exact search that knows no theory: all sub-positions of one set of cards at once, by backward induction on bit sets. It is the
//! yardstick of the claims; the tests hold it against the attractor of `kachi-core`, which knows only the rules.
//!
//! A set of n cards has one *owner pattern* per position: each card is in the mover's hand, in the other's, or gone (with
//! cut cards: five possibilities). For every pattern a word holds one bit per table level: does the mover win there?

use crate::position::{Face, Position, Side, Table};
use crate::rules::Move;

/// The most cards of a set: one bit per level must fit a word, with one for the empty table.
pub const MAX_CARDS: usize = 15;

/// Which cards (as bits of the set) each player holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Holdings {
    /// The mover's ordinary cards.
    pub x: u32,
    /// The mover's cut cards.
    pub u: u32,
    /// The other's ordinary cards.
    pub z: u32,
    /// The other's cut cards.
    pub v: u32,
}

impl Holdings {
    fn swapped(self) -> Holdings {
        Holdings { x: self.z, u: self.v, z: self.x, v: self.u }
    }

    /// How many cards mover and other hold.
    pub fn sizes(self) -> [usize; 2] {
        [(self.x | self.u).count_ones() as usize, (self.z | self.v).count_ones() as usize]
    }
}

/// The winners of all sub-positions of one set of cards.
#[derive(Debug, Clone)]
pub struct AllPlays {
    faces: Vec<u8>,
    cuts: bool,
    goals: [usize; 2],
    /// Owner patterns in base 3 (or 5 with cut cards): the value of digit 1 at the cards of a bit set.
    digits: Vec<u32>,
    /// For goals as given, and exchanged: per pattern one bit per level.
    wins: [Vec<u16>; 2],
    draws: u64,
}

impl AllPlays {
    /// Solves all sub-positions of cards with these faces (ascending from 1, at most [`MAX_CARDS`]) for the goals of mover and other.
    ///
    /// # Panics
    /// If there are too many cards or the faces do not ascend from at least 1; the crate's own enumerations never do that.
    pub fn solve(faces: &[u8], cuts: bool, goals: [usize; 2]) -> AllPlays {
        assert!(faces.len() <= MAX_CARDS && faces.is_sorted(), "a small ascending set of cards");
        assert!(faces.iter().all(|&face| (1..=MAX_CARDS as u8).contains(&face)), "faces are levels from 1");
        let base: u32 = if cuts { 5 } else { 3 };
        let sets = 1_usize << faces.len();
        let digit =
            |set: usize| (0..faces.len()).filter(|i| set >> i & 1 == 1).map(|i| base.pow(i as u32)).sum();
        let digits: Vec<u32> = (0..sets).map(digit).collect();
        let patterns = base.pow(faces.len() as u32) as usize;
        let wins = [vec![0; patterns], vec![0; patterns]];
        let mut all = AllPlays { faces: faces.to_vec(), cuts, goals, digits, wins, draws: 0 };
        all.fill();
        all
    }

    /// Positions in which nobody can force a win; the theory says there are none.
    pub fn draws(&self) -> u64 {
        self.draws
    }

    fn index(&self, h: Holdings) -> usize {
        let digit = |set: u32| self.digits[set as usize];
        let (mover, other) = if self.cuts { (digit(h.x) + 2 * digit(h.u), 3) } else { (digit(h.x), 2) };
        (mover + other * digit(h.z) + if self.cuts { 4 * digit(h.v) } else { 0 }) as usize
    }

    /// Fills the tables: a set of cards after all its subsets (smaller numbers).
    fn fill(&mut self) {
        for held in 0..1_u32 << self.faces.len() {
            for mover in subsets(held) {
                let other = held & !mover;
                if !self.cuts {
                    self.settle(Holdings { x: mover, z: other, ..Holdings::default() });
                    continue;
                }
                for u in subsets(mover) {
                    for v in subsets(other) {
                        self.settle(Holdings { x: mover & !u, u, z: other & !v, v });
                    }
                }
            }
        }
    }

    /// Settles a pattern and its mirror image together: on the empty table they are linked by passing.
    fn settle(&mut self, h: Holdings) {
        for turned in 0..2 {
            let goals = [self.goals[turned], self.goals[1 - turned]];
            let [mine, theirs] = h.sizes();
            if mine <= goals[0] || theirs <= goals[1] {
                continue;
            }
            let by_discard = self.won_by_discard(h, turned);
            let opponent_by_discard = self.won_by_discard(h.swapped(), 1 - turned);
            let (here, there) = (by_discard & 1 == 1, opponent_by_discard & 1 == 1);
            // Least fixpoint: passing wins if the opponent, to move on the empty table, has
            // no winning discard while we would have one when he passes back.
            let pass_wins = here && !there;
            self.draws += u64::from(!here && !there);
            let index = self.index(h);
            self.wins[turned][index] = if pass_wins { u16::MAX } else { by_discard };
        }
    }

    /// The levels on which some discard wins.
    fn won_by_discard(&self, h: Holdings, turned: usize) -> u16 {
        let winning = |cut: bool| {
            let cards = bits(if cut { h.u } else { h.x });
            cards.filter(move |&card| self.card_wins(h, card, cut, turned)).map(|card| self.faces[card]).max()
        };
        let best = winning(false).max(winning(true)).unwrap_or(0);
        ((1_u32 << best) - 1) as u16
    }

    fn card_wins(&self, h: Holdings, card: usize, cut: bool, turned: usize) -> bool {
        if h.sizes()[0] <= self.goals[turned] + 1 {
            return true;
        }
        if cut {
            let again = Holdings { u: h.u & !(1 << card), ..h };
            return self.wins[turned][self.index(again)] & 1 == 1;
        }
        let next = Holdings { x: h.x & !(1 << card), ..h }.swapped();
        self.wins[1 - turned][self.index(next)] >> self.faces[card] & 1 == 0
    }

    /// Does the mover win on this level (0 is the empty table)?
    pub fn mover_wins(&self, h: Holdings, level: u8) -> bool {
        self.wins[0][self.index(h)] >> level & 1 == 1
    }

    /// Does the mover win when the goals are exchanged, so that he has the other's goal?
    pub fn mover_wins_exchanged(&self, h: Holdings, level: u8) -> bool {
        self.wins[1][self.index(h)] >> level & 1 == 1
    }

    /// All winning moves on this level, in the order of [`Position::legal_moves`].
    pub fn winning_moves(&self, h: Holdings, level: u8) -> Vec<Move> {
        let winning = |set: u32, cut: bool| {
            let legal = bits(set).filter(move |&card| self.faces[card] > level);
            let mut faces: Vec<u8> =
                legal.filter(|&card| self.card_wins(h, card, cut, 0)).map(|card| self.faces[card]).collect();
            faces.dedup();
            faces.into_iter().map(|face| Face::raw(u32::from(face)))
        };
        let mut moves: Vec<Move> = winning(h.x, false).map(Move::Discard).collect();
        moves.extend(winning(h.u, true).map(Move::Cut));
        if self.wins[1][self.index(h.swapped())] & 1 == 0 {
            moves.push(Move::Pass);
        }
        moves
    }

    /// The position of a pattern and level, for everything that takes positions.
    pub fn position(&self, h: Holdings, level: u8) -> Position {
        let cards = |set: u32| bits(set).map(|card| Face::raw(u32::from(self.faces[card]))).collect();
        let side = |ordinary, cuts, goal| Side { ordinary: cards(ordinary), cuts: cards(cuts), goal };
        let table = if level == 0 { Table::Empty } else { Table::Shows(Face::raw(u32::from(level))) };
        Position { table, sides: [side(h.x, h.u, self.goals[0]), side(h.z, h.v, self.goals[1])] }
    }
}

/// The positions of the set bits, ascending.
pub(crate) fn bits(set: u32) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
        left &= left - 1;
        Some(bit)
    })
}

/// All subsets of a set, ascending.
pub(crate) fn subsets(set: u32) -> impl Iterator<Item = u32> {
    let mut next = Some(0_u32);
    std::iter::from_fn(move || {
        let this = next?;
        next = (this != set).then(|| this.wrapping_sub(set) & set);
        Some(this)
    })
}

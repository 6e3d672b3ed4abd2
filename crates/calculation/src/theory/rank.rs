//! A dense number for every live canonical state: the key of memo and tables, injective within 64 bits for up to 24 cards
//! and 4 stacks.
//!
//! *Words.* Read both words from the lowest bit on; the number d of cards of A that `early_a` is ahead walks from 0 to
//! 0 without going below. Each step goes up, down, or stays (both words take A, or both take B); in a canonical state
//! both take A wherever d = 0. There are Catalan(N) such walks of N steps, and a walk is numbered by counting those
//! that leave it on an earlier step.
//!
//! *Cuts.* A live state has a stack free for the last card of A and one free for the last card of B: either one stack
//! is free for all, or two different stacks are; the other cuts are any multiset. This is counted directly.

use super::chains::{MOST_CARDS, MOST_STACKS, TwoChains, for_stacks};
use std::sync::OnceLock;

/// Walks never get further from 0 than half of their steps.
const HEIGHTS: usize = 16;

/// The most places a cut can have: 13 x 13.
const MOST_CELLS: usize = 169;

/// Numbers the live canonical states of games with a given number of stacks.
///
/// ```
/// use calculation::theory::{TwoChains, rank::Ranking};
/// let state = TwoChains::start(4, 12, 12);
/// let ranking = Ranking::of(4);
/// assert_eq!(ranking.state(24, ranking.rank(&state)), Some(state));
/// ```
#[derive(Debug)]
pub struct Ranking {
    stacks: usize,
    /// `steps[r][d][kind]`: walks that leave this one on an earlier kind of step, with r steps to go after it, at height d.
    steps: Box<[[[u64; 4]; HEIGHTS]; MOST_CARDS + 1]>,
    /// The same for two steps at once, by the two bits of each word, with r steps to go after both.
    pairs: Box<[[[u64; 16]; HEIGHTS]; MOST_CARDS]>,
    /// `choose[i][c]`: multisets of i + 1 of the places below c.
    choose: Box<[[u64; MOST_CELLS + 1]; MOST_STACKS]>,
    /// For every number of cards: how many numbers one walk takes.
    stride: [u64; MOST_CARDS + 1],
    /// For every number of cards: states have smaller numbers than this.
    universe: [u64; MOST_CARDS + 1],
    /// For every number of cards: where its keys begin.
    first_key: [u64; MOST_CARDS + 1],
}

/// The kinds of steps, in their order.
const BOTH_B: usize = 0;
const BOTH_A: usize = 1;
const UP: usize = 2;
const DOWN: usize = 3;

impl Ranking {
    /// The numbering for so many stacks.
    ///
    /// # Panics
    /// If there are not 1 to 4 stacks.
    #[must_use]
    pub fn of(stacks: usize) -> &'static Ranking {
        static ALL: [OnceLock<Ranking>; MOST_STACKS] = [const { OnceLock::new() }; MOST_STACKS];
        assert!((1..=MOST_STACKS).contains(&stacks), "1 to 4 stacks");
        ALL[stacks - 1].get_or_init(|| Ranking::new(stacks))
    }

    fn new(stacks: usize) -> Ranking {
        let mut walks = [[0u64; HEIGHTS + 2]; MOST_CARDS + 1];
        walks[0][0] = 1;
        let mut steps = Box::new([[[0; 4]; HEIGHTS]; MOST_CARDS + 1]);
        for togo in 0..=MOST_CARDS {
            for d in 0..HEIGHTS {
                let stay = walks[togo][d];
                let both_b = if d == 0 { 0 } else { stay };
                let up = walks[togo][d + 1];
                steps[togo][d] = [0, both_b, both_b + stay, both_b + stay + up];
                if togo < MOST_CARDS {
                    let down = if d == 0 { 0 } else { walks[togo][d - 1] };
                    walks[togo + 1][d] = both_b + stay + up + down;
                }
            }
        }
        let mut pairs = Box::new([[[0; 16]; HEIGHTS]; MOST_CARDS]);
        for (togo, by_height) in pairs.iter_mut().enumerate() {
            for (d, by_bits) in by_height.iter_mut().enumerate() {
                for (bits, number) in by_bits.iter_mut().enumerate() {
                    let bit = |i: usize| bits >> i & 1;
                    let between = d.wrapping_add(bit(0)).wrapping_sub(bit(2)) & (HEIGHTS - 1);
                    *number = steps[togo + 1][d][KIND[bit(0) << 1 | bit(2)]]
                        + steps[togo][between][KIND[bit(1) << 1 | bit(3)]];
                }
            }
        }
        let mut choose = Box::new([[0u64; MOST_CELLS + 1]; MOST_STACKS]);
        for c in 0..=MOST_CELLS {
            choose[0][c] = c as u64;
        }
        for i in 1..MOST_STACKS {
            for c in 1..=MOST_CELLS {
                // The largest place is c - 1, or it is smaller.
                choose[i][c] = choose[i][c - 1] + choose[i - 1][c];
            }
        }
        let mut ranking = Ranking {
            stacks,
            steps,
            pairs,
            choose,
            stride: [1; MOST_CARDS + 1],
            universe: [1; MOST_CARDS + 1],
            first_key: [0; MOST_CARDS + 1],
        };
        for (cards, walks) in walks.iter().enumerate().skip(1) {
            ranking.stride[cards] = (0..=cards).map(|a| ranking.cut_lists(a, cards - a)).max().unwrap_or(1);
            ranking.universe[cards] = walks[0] * ranking.stride[cards];
            ranking.first_key[cards] = ranking.first_key[cards - 1] + ranking.universe[cards - 1];
        }
        ranking
    }

    /// Stacks of the game.
    #[must_use]
    pub fn stacks(&self) -> usize {
        self.stacks
    }

    /// Every state of so many cards has a smaller number than this.
    ///
    /// # Panics
    /// If there are more than 24 cards.
    #[must_use]
    pub fn universe(&self, cards: usize) -> u64 {
        self.universe[cards]
    }

    /// The number of a live canonical state among those with as many cards.
    #[must_use]
    pub fn rank(&self, state: &TwoChains) -> u64 {
        for_stacks!(self.stacks, S, self.rank_on::<S>(state))
    }

    /// As [`Ranking::rank`], for a number of stacks that is known when the program is compiled.
    #[inline(always)]
    pub(crate) fn rank_on<const S: usize>(&self, state: &TwoChains) -> u64 {
        debug_assert!(!state.is_dead() && state.canonical() == *state, "{state:?}");
        self.walk(state) * self.stride[state.cards()] + self.cuts_on::<S>(state)
    }

    /// A number for a live canonical state that no other state of any number of cards has.
    #[inline(always)]
    #[must_use]
    pub fn key(&self, state: &TwoChains) -> u64 {
        self.first_key[state.cards()] + self.rank(state)
    }

    #[inline(always)]
    fn walk(&self, state: &TwoChains) -> u64 {
        let mut togo = state.cards();
        let (mut a, b) = state.words();
        // In `early_b` a clear bit is a card of A.
        let mut b = !b;
        let mut d = 0usize;
        let mut number = 0;
        if togo % 2 == 1 {
            let (x, y) = ((a & 1) as usize, (b & 1) as usize);
            togo -= 1;
            number = self.steps[togo][0][KIND[x << 1 | y]];
            d = x.wrapping_sub(y);
            a >>= 1;
            b >>= 1;
        }
        while togo >= 2 {
            togo -= 2;
            let bits = ((a & 3) | (b & 3) << 2) as usize;
            number += self.pairs[togo.min(MOST_CARDS - 1)][d & (HEIGHTS - 1)][bits];
            d = d.wrapping_add(RISE[bits]);
            a >>= 2;
            b >>= 2;
        }
        number
    }

    /// How many lists of cuts a live state with `a` and `b` cards may have, counted with some to spare.
    fn cut_lists(&self, a: usize, b: usize) -> u64 {
        let cells = (a + 1) * (b + 1);
        let (one, two) = self.cut_cases(a, b, cells);
        one + two
    }

    /// Lists with a stack that is free for all; lists without one.
    #[inline(always)]
    fn cut_cases(&self, a: usize, b: usize, cells: usize) -> (u64, u64) {
        let one = self.multisets(self.stacks - 1, cells);
        let two =
            if self.stacks < 2 { 0 } else { (a * b) as u64 * self.multisets(self.stacks - 2, cells - 1) };
        (one, two)
    }

    /// Multisets of so many of so many places.
    #[inline(always)]
    fn multisets(&self, size: usize, cells: usize) -> u64 {
        if size == 0 { 1 } else { self.choose[size - 1][cells.min(MOST_CELLS)] }
    }

    #[inline(always)]
    fn cuts_on<const S: usize>(&self, state: &TwoChains) -> u64 {
        let (a, b) = (state.a(), state.b());
        let cells = (a + 1) * (b + 1);
        let mut places = [0usize; S];
        for (stack, place) in places.iter_mut().enumerate() {
            let (i, j) = state.cut(stack);
            *place = usize::from(i) * (b + 1) + usize::from(j);
        }
        if places[S - 1] == cells - 1 {
            return self.multiset(&places[..S - 1]);
        }
        // The last cut is (a, x): take it out, and the largest (y, b).
        let x = places[S - 1].saturating_sub(a * (b + 1));
        let (mut y, mut at) = (0, 0);
        for stack in 0..S - 1 {
            let (i, j) = state.cut(stack);
            if usize::from(j) == b {
                (y, at) = (usize::from(i), stack);
            }
        }
        for stack in 0..S - 1 {
            if stack >= at {
                places[stack] = places[stack + 1];
            }
        }
        let rest = S.saturating_sub(2);
        self.multisets(S - 1, cells)
            + (x.min(b) * a + y) as u64 * self.multisets(rest, cells - 1)
            + self.multiset(&places[..rest])
    }

    /// The number of a sorted list of places among all multisets of its size.
    #[inline(always)]
    fn multiset(&self, places: &[usize]) -> u64 {
        places.iter().enumerate().map(|(i, &place)| self.choose[i][place.min(MOST_CELLS)]).sum()
    }

    /// The state with a number; `None` if no live canonical state has it.
    #[must_use]
    pub fn state(&self, cards: usize, rank: u64) -> Option<TwoChains> {
        if cards > MOST_CARDS || rank >= self.universe[cards] {
            return None;
        }
        let state = self.unrank(cards, rank)?;
        let sound = state.is_sound() && !state.is_dead() && state.canonical() == state;
        (sound && self.rank(&state) == rank).then_some(state)
    }

    /// The state that has this number, for a number that [`Ranking::rank`] has given; any other number gives `None` or some state.
    #[inline(always)]
    pub(crate) fn unrank(&self, cards: usize, rank: u64) -> Option<TwoChains> {
        let stride = self.stride[cards];
        let (mut walk, cuts) = (rank / stride, rank % stride);
        let (mut early_a, mut early_b, mut d) = (0u32, 0u32, 0usize);
        for position in 0..cards {
            let steps = &self.steps[cards - 1 - position][d & (HEIGHTS - 1)];
            // The kinds stand in their order; counted rather than chosen, since no branch could be foretold.
            let kind = usize::from(walk >= steps[BOTH_A])
                + usize::from(walk >= steps[UP])
                + usize::from(walk >= steps[DOWN] && d > 0);
            walk -= steps[kind];
            early_a |= u32::from(kind == BOTH_A || kind == UP) << position;
            early_b |= u32::from(kind == BOTH_B || kind == UP) << position;
            d = (d + usize::from(kind == UP)) - usize::from(kind == DOWN);
        }
        let a = early_a.count_ones() as usize;
        let (cut_a, cut_b) = self.cuts_of(a, cards - a, cuts)?;
        Some(TwoChains::from_parts(self.stacks as u8, cards as u8, (early_a, early_b), cut_a, cut_b))
    }

    fn cuts_of(&self, a: usize, b: usize, number: u64) -> Option<([u8; MOST_STACKS], [u8; MOST_STACKS])> {
        let cells = (a + 1) * (b + 1);
        let (one, two) = self.cut_cases(a, b, cells);
        let mut places = [0usize; MOST_STACKS];
        if number < one {
            self.places(number, &mut places[..self.stacks - 1]);
            places[self.stacks - 1] = cells - 1;
        } else if number < one + two {
            let rest = self.stacks - 2;
            let each = self.multisets(rest, cells - 1);
            let (pair, list) = ((number - one) / each, (number - one) % each);
            self.places(list, &mut places[..rest]);
            let (x, y) = (pair as usize / a, pair as usize % a);
            places[rest] = a * (b + 1) + x;
            places[rest + 1] = y * (b + 1) + b;
            places[..self.stacks].sort_unstable();
        } else {
            return None;
        }
        let (mut cut_a, mut cut_b) = ([0; MOST_STACKS], [0; MOST_STACKS]);
        for (stack, &place) in places[..self.stacks].iter().enumerate() {
            cut_a[stack] = (place / (b + 1)) as u8;
            cut_b[stack] = (place % (b + 1)) as u8;
        }
        Some((cut_a, cut_b))
    }

    /// The sorted list with a number, the inverse of [`Ranking::multiset`].
    fn places(&self, mut number: u64, places: &mut [usize]) {
        for i in (0..places.len()).rev() {
            let table = &self.choose[i];
            let place = match i {
                0 => (number as usize).min(MOST_CELLS),
                1 => triangle_below(number).min(MOST_CELLS),
                _ => table.partition_point(|&below| below <= number) - 1,
            };
            // Equal entries only stand at the front, where the count is 0.
            places[i] = place;
            number -= table[place];
        }
    }
}

/// The largest c with c (c + 1) / 2 <= `number`, for numbers of pairs of places: the root is exact enough by far.
#[inline(always)]
fn triangle_below(number: u64) -> usize {
    (((8.0 * number as f64 + 1.0).sqrt() - 1.0) / 2.0) as usize
}

/// How far two steps rise, by their bits.
const RISE: [usize; 16] = {
    let mut rise = [0; 16];
    let mut bits = 0;
    while bits < 16 {
        rise[bits] = ((bits & 1) + (bits >> 1 & 1)).wrapping_sub((bits >> 2 & 1) + (bits >> 3));
        bits += 1;
    }
    rise
};

/// By the bits x and y.
const KIND: [usize; 4] = [BOTH_B, DOWN, UP, BOTH_A];

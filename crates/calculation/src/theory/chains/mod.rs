//! The two-chain stack game on bit words: the unseen cards of two foundations A and B, at most 24 together.
//!
//! The order is kept as two linear extensions. Bit `i + v[i]` of `early_a` is set for every card A_i, where `v[i]`
//! counts the cards of B that must leave before it: the extension that takes A as early as possible. `early_b` does
//! the same for B. For every stack a *cut* `(a, b)` says which cards may not be put there: those from A_a and B_b on.
//! The cards below a cut are closed downwards.
//!
//! Two states are the same game when they are isomorphic as labelled posets up to a permutation of the stacks;
//! [`TwoChains::canonical`] picks one of them without searching (docs/theory/calculation.md, "Two chains as words").

mod placing;

pub use placing::Placements;
pub(crate) use placing::{AllPlacements, EVERY, LOWEST, USEFUL};

use kachi_core::Error;

/// The most cards of two chains together.
pub const MOST_CARDS: usize = 24;

/// The most stacks of the game.
pub const MOST_STACKS: usize = 4;

/// Evaluates an expression with the number of stacks as a constant, so that loops over stacks are unrolled.
macro_rules! for_stacks {
    ($stacks:expr, $S:ident, $body:expr) => {
        match $stacks {
            1 => {
                const $S: usize = 1;
                $body
            }
            2 => {
                const $S: usize = 2;
                $body
            }
            3 => {
                const $S: usize = 3;
                $body
            }
            _ => {
                const $S: usize = 4;
                $body
            }
        }
    };
}
pub(crate) use for_stacks;

/// The lowest `bits` bits.
#[inline(always)]
pub(crate) const fn low(bits: u32) -> u32 {
    // A shift by 32 never happens: at most 24 cards.
    (1u32 << bits) - 1
}

/// A state of the stack game on two chains.
///
/// ```
/// use calculation::theory::TwoChains;
/// let start = TwoChains::start(3, 4, 4);
/// assert_eq!(start.cards(), 8);
/// assert!(!start.is_dead());
/// assert_eq!(start.canonical(), start);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TwoChains {
    early_a: u32,
    early_b: u32,
    cut_a: [u8; MOST_STACKS],
    cut_b: [u8; MOST_STACKS],
    cards: u8,
    stacks: u8,
}

impl TwoChains {
    /// Two chains of `a` and `b` cards, no order between them, every stack free.
    ///
    /// # Panics
    /// If there are more than 24 cards, or not 1 to 4 stacks.
    #[must_use]
    pub fn start(stacks: usize, a: usize, b: usize) -> TwoChains {
        assert!((1..=MOST_STACKS).contains(&stacks), "1 to 4 stacks");
        assert!(a + b <= MOST_CARDS, "at most 24 cards");
        let mut cut_a = [0; MOST_STACKS];
        let mut cut_b = [0; MOST_STACKS];
        cut_a[..stacks].fill(a as u8);
        cut_b[..stacks].fill(b as u8);
        TwoChains {
            early_a: low(a as u32),
            early_b: low(b as u32),
            cut_a,
            cut_b,
            cards: (a + b) as u8,
            stacks: stacks as u8,
        }
    }

    /// A state from its words and cuts, as a caller keeps them that has already made sure of the invariants: `early_a` has a bit for every
    /// card of A, `early_b` for every card of B, both extend one order, and every cut is closed downwards. Unused stacks do
    /// not matter.
    ///
    /// The invariants are checked in debug builds; a state that breaks them has a meaningless chance, but never panics.
    #[inline]
    #[must_use]
    pub fn from_words(
        stacks: usize,
        cards: usize,
        early_a: u32,
        early_b: u32,
        mut cut_a: [u8; MOST_STACKS],
        mut cut_b: [u8; MOST_STACKS],
    ) -> TwoChains {
        for stack in stacks..MOST_STACKS {
            (cut_a[stack], cut_b[stack]) = (0, 0);
        }
        let state = TwoChains { early_a, early_b, cut_a, cut_b, cards: cards as u8, stacks: stacks as u8 };
        debug_assert!(state.is_sound(), "{state:?}");
        state
    }

    /// A state from the numbers of cards that must leave earlier: `need_a[i]` cards of B before A_i, `need_b[j]` cards of A
    /// before B_j; and the first forbidden card of each chain for every stack (the length of the chain if there is none).
    ///
    /// # Errors
    /// `bad_stacks`, `too_large`, `bad_order` (not nondecreasing, or beyond the other chain), `cyclic_order`, `bad_cut` (beyond the chain, or not
    /// closed downwards).
    pub fn new(need_a: &[u8], need_b: &[u8], cut_a: &[u8], cut_b: &[u8]) -> Result<TwoChains, Error> {
        let stacks = cut_a.len();
        if !(1..=MOST_STACKS).contains(&stacks) {
            let message = format!("there are 1 to {MOST_STACKS} stacks, not {stacks}");
            return Err(Error::new("bad_stacks", message).at_field("cut_a"));
        }
        if cut_b.len() != stacks {
            let message = format!("cut_a has {stacks} stacks, cut_b has {}", cut_b.len());
            return Err(Error::new("bad_stacks", message).at_field("cut_b"));
        }
        let (a, b) = (need_a.len(), need_b.len());
        if a + b > MOST_CARDS {
            return Err(Error::too_large("cards of two chains", a + b, MOST_CARDS));
        }
        check_needs(need_a, b, "need_a")?;
        check_needs(need_b, a, "need_b")?;
        for (i, &need) in need_a.iter().enumerate() {
            if need > 0 && usize::from(need_b[usize::from(need) - 1]) > i {
                let message = format!("B_{} must leave before A_{i}, and A_{i} before it", need - 1);
                return Err(Error::new("cyclic_order", message).at_field(format!("need_a[{i}]")));
            }
        }
        for stack in 0..stacks {
            check_cut(cut_a[stack], cut_b[stack], need_a, need_b, stack)?;
        }
        let word = |needs: &[u8]| {
            needs.iter().enumerate().fold(0u32, |word, (i, &need)| word | 1 << (i as u32 + u32::from(need)))
        };
        let padded = |cuts: &[u8]| {
            let mut all = [0; MOST_STACKS];
            all[..stacks].copy_from_slice(cuts);
            all
        };
        Ok(TwoChains::from_words(stacks, a + b, word(need_a), word(need_b), padded(cut_a), padded(cut_b)))
    }

    pub(crate) fn from_parts(
        stacks: u8,
        cards: u8,
        (early_a, early_b): (u32, u32),
        cut_a: [u8; MOST_STACKS],
        cut_b: [u8; MOST_STACKS],
    ) -> TwoChains {
        TwoChains { early_a, early_b, cut_a, cut_b, cards, stacks }
    }

    /// Unseen cards.
    #[inline(always)]
    #[must_use]
    pub fn cards(&self) -> usize {
        usize::from(self.cards)
    }

    /// Stacks of the game.
    #[inline(always)]
    #[must_use]
    pub fn stacks(&self) -> usize {
        usize::from(self.stacks)
    }

    /// Cards of chain A.
    #[inline(always)]
    #[must_use]
    pub fn a(&self) -> usize {
        self.early_a.count_ones() as usize
    }

    /// Cards of chain B.
    #[inline(always)]
    #[must_use]
    pub fn b(&self) -> usize {
        self.cards() - self.a()
    }

    /// The two words.
    #[inline(always)]
    #[must_use]
    pub fn words(&self) -> (u32, u32) {
        (self.early_a, self.early_b)
    }

    /// The cut of a stack: the first forbidden card of A and of B.
    ///
    /// # Panics
    /// If there is no such stack.
    #[inline(always)]
    #[must_use]
    pub fn cut(&self, stack: usize) -> (u8, u8) {
        (self.cut_a[stack], self.cut_b[stack])
    }

    /// How many cards of the other chain must leave before each card: `need_a` and `need_b` of [`TwoChains::new`].
    #[must_use]
    pub fn needs(&self) -> (Vec<u8>, Vec<u8>) {
        let of =
            |word: u32| bits(word).enumerate().map(|(i, position)| (position - i as u32) as u8).collect();
        (of(self.early_a), of(self.early_b))
    }

    /// Whether some card is forbidden on every stack, so that nothing can be won.
    #[inline(always)]
    #[must_use]
    pub fn is_dead(&self) -> bool {
        let stacks = self.stacks();
        let most = |cuts: &[u8; MOST_STACKS]| {
            cuts[..stacks].iter().fold(0, |most, &cut| if cut > most { cut } else { most })
        };
        usize::from(most(&self.cut_a)) < self.a() || usize::from(most(&self.cut_b)) < self.b()
    }

    /// Whether every card may be put on every stack.
    #[must_use]
    pub fn is_free(&self) -> bool {
        let cut = (self.a() as u8, self.b() as u8);
        (0..self.stacks()).all(|stack| self.cut(stack) == cut)
    }

    /// The same state with the chains called the other way round.
    #[inline(always)]
    #[must_use]
    pub fn swapped(&self) -> TwoChains {
        TwoChains {
            early_a: self.early_b,
            early_b: self.early_a,
            cut_a: self.cut_b,
            cut_b: self.cut_a,
            ..*self
        }
    }

    /// The one state of all those that are the same game: isomorphic as labelled posets, stacks permuted.
    ///
    /// The two extensions agree on how many cards of A they have seen exactly at the borders of the order's components
    /// (it is their ordinal sum), and a component may change the names of its chains on its own. A component of
    /// one card is called A; a larger one is named so that its part of `early_a` is the larger number, and where both parts are equal
    /// so that the list of cuts inside it is the smaller one. Then the cuts are sorted.
    #[must_use]
    pub fn canonical(&self) -> TwoChains {
        for_stacks!(self.stacks(), S, self.canonical_on::<S>())
    }

    /// As [`TwoChains::canonical`], for a number of stacks that is known when the program is compiled.
    #[inline(always)]
    pub(crate) fn canonical_on<const S: usize>(&self) -> TwoChains {
        let full = low(u32::from(self.cards));
        let (x, y) = (self.early_a, !self.early_b & full);
        let (up, down) = (x & !y, y & !x);
        let mut early_a = full;
        let mut early_b = 0;
        let mut cut_a = [0u8; MOST_STACKS];
        let mut settled = [false; MOST_STACKS];
        let mut rest = up | down;
        while rest != 0 {
            let start = rest.trailing_zeros();
            let mut depth = 0i32;
            let mut end = start;
            while rest != 0 {
                let bit = rest & rest.wrapping_neg();
                rest ^= bit;
                depth += if up & bit != 0 { 1 } else { -1 };
                if depth == 0 {
                    end = bit.trailing_zeros() + 1;
                    break;
                }
            }
            let part = low(end) & !low(start);
            let (part_a, part_b) = (self.early_a & part, self.early_b & part);
            let before = (x & low(start)).count_ones();
            let inside = |stack: usize| {
                let k = u32::from(self.cut_a[stack]) + u32::from(self.cut_b[stack]);
                (start < k && k < end)
                    .then(|| (k - start, u32::from(self.cut_a[stack]).saturating_sub(before).min(k - start)))
            };
            let swap = part_a < part_b || (part_a == part_b && smaller_when_swapped::<S>(inside));
            early_a &= !part;
            early_a |= if swap { part_b } else { part_a };
            early_b |= if swap { part_a } else { part_b };
            let now_before = (early_a & low(start)).count_ones();
            for stack in 0..S {
                if let Some((k, local)) = inside(stack) {
                    cut_a[stack] = (now_before + if swap { k - local } else { local }) as u8;
                    settled[stack] = true;
                }
            }
        }
        let mut cuts = [0u16; MOST_STACKS];
        for stack in 0..S {
            let k = u32::from(self.cut_a[stack]) + u32::from(self.cut_b[stack]);
            let a = if settled[stack] {
                u32::from(cut_a[stack])
            } else {
                (early_a & low(k.min(31))).count_ones()
            };
            cuts[stack] = (a << 8 | k.saturating_sub(a)) as u16;
        }
        sort(&mut cuts, S);
        let mut cut_b = [0; MOST_STACKS];
        for stack in 0..MOST_STACKS {
            cut_a[stack] = (cuts[stack] >> 8) as u8;
            cut_b[stack] = cuts[stack] as u8;
        }
        TwoChains { early_a, early_b, cut_a, cut_b, cards: self.cards, stacks: self.stacks }
    }

    /// Whether words and cuts keep the invariants.
    pub(crate) fn is_sound(&self) -> bool {
        let (a, b) = (self.early_a.count_ones(), self.early_b.count_ones());
        if self.cards() > MOST_CARDS
            || !(1..=MOST_STACKS).contains(&self.stacks())
            || a + b != u32::from(self.cards)
            || (self.early_a | self.early_b) > low(u32::from(self.cards))
        {
            return false;
        }
        let (need_a, need_b) = self.needs();
        check_needs(&need_a, b as usize, "").is_ok()
            && check_needs(&need_b, a as usize, "").is_ok()
            && need_a
                .iter()
                .enumerate()
                .all(|(i, &need)| need == 0 || usize::from(need_b[usize::from(need) - 1]) <= i)
            && (0..self.stacks())
                .all(|s| check_cut(self.cut_a[s], self.cut_b[s], &need_a, &need_b, s).is_ok())
    }
}

/// The positions of the set bits, lowest first.
#[inline(always)]
fn bits(word: u32) -> impl Iterator<Item = u32> {
    let mut rest = word;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let position = rest.trailing_zeros();
        rest &= rest - 1;
        Some(position)
    })
}

/// Whether the sorted list of a component's cuts gets smaller when its chains change their names.
fn smaller_when_swapped<const S: usize>(inside: impl Fn(usize) -> Option<(u32, u32)>) -> bool {
    let mut plain = [0u16; MOST_STACKS];
    let mut swapped = [0u16; MOST_STACKS];
    let mut count = 0;
    for (k, local) in (0..S).filter_map(inside) {
        plain[count] = (k << 8 | local) as u16;
        swapped[count] = (k << 8 | (k - local)) as u16;
        count += 1;
    }
    sort(&mut plain, count);
    sort(&mut swapped, count);
    swapped < plain
}

/// Sorts the first `count` of four numbers.
#[inline(always)]
pub(crate) fn sort<T: Ord + Copy>(numbers: &mut [T; MOST_STACKS], count: usize) {
    let mut order = |i: usize, j: usize| {
        let (x, y) = (numbers[i], numbers[j]);
        (numbers[i], numbers[j]) = (x.min(y), x.max(y));
    };
    match count {
        0 | 1 => {}
        2 => order(0, 1),
        3 => {
            order(0, 1);
            order(1, 2);
            order(0, 1);
        }
        _ => {
            order(0, 1);
            order(2, 3);
            order(0, 2);
            order(1, 3);
            order(1, 2);
        }
    }
}

fn check_needs(needs: &[u8], other: usize, field: &str) -> Result<(), Error> {
    for (i, &need) in needs.iter().enumerate() {
        if usize::from(need) > other {
            let message = format!("{need} cards must leave earlier, and the other chain has {other}");
            return Err(Error::new("bad_order", message).at_field(format!("{field}[{i}]")));
        }
        if i > 0 && need < needs[i - 1] {
            let message =
                format!("a later card of a chain needs no less than an earlier one ({})", needs[i - 1]);
            return Err(Error::new("bad_order", message).at_field(format!("{field}[{i}]")));
        }
    }
    Ok(())
}

fn check_cut(a: u8, b: u8, need_a: &[u8], need_b: &[u8], stack: usize) -> Result<(), Error> {
    let beyond = |field: &str, cut: u8, length: usize| {
        let message = format!("the first forbidden card is {cut}, and the chain has {length}");
        Error::new("bad_cut", message)
            .at_field(format!("{field}[{stack}]"))
            .hint("use the length of the chain where no card is forbidden")
    };
    let (i, j) = (usize::from(a), usize::from(b));
    if i > need_a.len() {
        return Err(beyond("cut_a", a, need_a.len()));
    }
    if j > need_b.len() {
        return Err(beyond("cut_b", b, need_b.len()));
    }
    let open = |field: &str| {
        let words = "a card may be put on this stack although one that must leave before it may not";
        Error::new("bad_cut", words)
            .at_field(format!("{field}[{stack}]"))
            .hint("what is forbidden is closed upwards")
    };
    if i > 0 && need_a[i - 1] > b {
        return Err(open("cut_a"));
    }
    if j > 0 && need_b[j - 1] > a {
        return Err(open("cut_b"));
    }
    Ok(())
}

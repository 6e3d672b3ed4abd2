//! What lies on the table: ranks, foundations, stacks, and what is still unseen. A [`Setup`] says anything; only
//! legal ones become a [`Position`] (docs/theory/calculation-play.md, "Rules").

use crate::rules::Rules;
use std::fmt;

/// Most ranks of a deck.
pub const MOST_RANKS: usize = 13;
/// Most foundations, hence most copies of a rank.
pub const MOST_FOUNDATIONS: usize = 4;
/// Most waste stacks.
pub const MOST_STACKS: usize = 4;
/// Most cards of a deck.
pub const MOST_CARDS: usize = MOST_RANKS * MOST_FOUNDATIONS;

/// The characters of the ranks, ace first.
pub const RANK_CHARACTERS: [char; MOST_RANKS] =
    ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K'];

/// A rank: ace is number 0, king number 12. Suits do not matter.
///
/// ```
/// use calculation::position::Rank;
/// assert_eq!(Rank::from_char('T').map(Rank::index), Some(9));
/// assert_eq!(Rank::new(12).unwrap().to_string(), "K");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Rank(u8);

impl Rank {
    /// The rank with this number, if there is one.
    #[inline]
    pub const fn new(index: u8) -> Option<Rank> {
        if (index as usize) < MOST_RANKS { Some(Rank(index)) } else { None }
    }

    /// The rank written so; small letters are accepted.
    pub fn from_char(c: char) -> Option<Rank> {
        let c = c.to_ascii_uppercase();
        RANK_CHARACTERS.iter().position(|&known| known == c).map(|index| Rank(index as u8))
    }

    /// Its number, 0 for the ace.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its character.
    pub fn to_char(self) -> char {
        RANK_CHARACTERS[self.index() % MOST_RANKS]
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Write::write_char(f, self.to_char())
    }
}

/// The number of a foundation, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Foundation(pub u8);

impl Foundation {
    /// As an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of a waste stack, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Stack(pub u8);

impl Stack {
    /// As an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A legal table: foundations, stacks, unseen cards, and the drawn card while it waits to be placed.
///
/// Positions are small values without pointers; the cells above a stack's top are always zero, so equal tables are
/// equal values.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    heads: [u8; MOST_FOUNDATIONS],
    lengths: [u8; MOST_STACKS],
    unseen: [u8; MOST_RANKS],
    drawn: Option<Rank>,
    cards: [[Rank; MOST_CARDS]; MOST_STACKS],
}

/// A table in 32 bytes instead of 230: heads, drawn card and stacks in four bits each, of which there are at most 61 (what is unseen follows from them).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key([u64; 4]);

impl Key {
    /// The key in one number, the same on every machine: a seed for whoever wants the same chance events at the same table.
    #[must_use]
    pub fn digest(&self) -> u64 {
        let mut bytes = [0; 32];
        for (bytes, word) in bytes.chunks_exact_mut(8).zip(self.0) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        xxhash_rust::xxh3::xxh3_64(&bytes)
    }
}

impl Position {
    /// The beginning: nothing played, nothing drawn.
    pub fn start(rules: &Rules) -> Position {
        let mut unseen = [0; MOST_RANKS];
        unseen[..rules.ranks()].fill(rules.foundations() as u8);
        Position {
            heads: [0; MOST_FOUNDATIONS],
            lengths: [0; MOST_STACKS],
            unseen,
            drawn: None,
            cards: [[Rank(0); MOST_CARDS]; MOST_STACKS],
        }
    }

    /// How many cards a foundation holds: the slot that is next, counted from 0.
    #[inline]
    pub fn head(&self, foundation: Foundation) -> usize {
        usize::from(self.heads[foundation.index()])
    }

    /// The cards on every foundation; unused foundations hold none.
    #[inline]
    pub fn heads(&self) -> &[u8; MOST_FOUNDATIONS] {
        &self.heads
    }

    /// The heights of all stacks; unused stacks are empty.
    #[inline]
    pub fn lengths(&self) -> &[u8; MOST_STACKS] {
        &self.lengths
    }

    /// A stack, bottom first.
    #[inline]
    pub fn stack(&self, stack: Stack) -> &[Rank] {
        &self.cards[stack.index()][..usize::from(self.lengths[stack.index()])]
    }

    /// The top of a stack.
    #[inline]
    pub fn top(&self, stack: Stack) -> Option<Rank> {
        self.stack(stack).last().copied()
    }

    /// How many cards of each rank nobody has seen (the drawn card has been seen).
    #[inline]
    pub fn unseen(&self) -> &[u8; MOST_RANKS] {
        &self.unseen
    }

    /// How many cards nobody has seen.
    #[inline]
    pub fn left(&self) -> usize {
        self.unseen.iter().map(|&count| usize::from(count)).sum()
    }

    /// The drawn card, while it waits to be placed.
    #[inline]
    pub fn drawn(&self) -> Option<Rank> {
        self.drawn
    }

    /// Cards on foundations.
    #[inline]
    pub fn played(&self) -> usize {
        self.heads.iter().map(|&head| usize::from(head)).sum()
    }

    /// Cards on stacks.
    #[inline]
    pub fn stacked(&self) -> usize {
        self.lengths.iter().map(|&length| usize::from(length)).sum()
    }

    /// The same table with stacks in the order of their contents; stacks are interchangeable, so the chances are equal.
    #[must_use]
    pub fn canonical(&self, rules: &Rules) -> Position {
        let mut sorted = *self;
        for (to, from) in self.order(rules).into_iter().enumerate().take(rules.stacks()) {
            sorted.lengths[to] = self.lengths[from.index()];
            sorted.cards[to] = self.cards[from.index()];
        }
        sorted
    }

    /// What a table is remembered by: the same for tables that differ in the order of their stacks only.
    ///
    /// ```
    /// use calculation::notation;
    /// let key = |text| notation::read(text).map(|(rules, table)| table.key(&rules)).unwrap();
    /// assert_eq!(key("A234/K5/9"), key("A234/9/K5"));
    /// assert_ne!(key("A234/K5/9"), key("A234/K59/-"));
    /// ```
    #[must_use]
    pub fn key(&self, rules: &Rules) -> Key {
        let mut words = [0; 4];
        let mut place = 0;
        let mut put = |number: u8| {
            words[place / 16] |= u64::from(number) << (4 * (place % 16));
            place += 1;
        };
        self.heads.iter().for_each(|&head| put(head));
        put(self.drawn.map_or(0, |rank| rank.0 + 1));
        for stack in self.order(rules).into_iter().take(rules.stacks()) {
            self.stack(stack).iter().for_each(|rank| put(rank.0 + 1));
            put(0);
        }
        Key(words)
    }

    /// The stacks in the order of their contents.
    fn order(&self, rules: &Rules) -> [Stack; MOST_STACKS] {
        let mut order: [Stack; MOST_STACKS] = std::array::from_fn(|stack| Stack(stack as u8));
        order[..rules.stacks()].sort_by(|&a, &b| self.stack(b).cmp(self.stack(a)));
        order
    }

    /// The table before the drawn card was drawn.
    #[must_use]
    pub fn undrawn(&self) -> Position {
        let mut table = *self;
        if let Some(rank) = table.drawn.take() {
            table.unseen[rank.index()] += 1;
        }
        table
    }

    #[inline]
    pub(crate) fn take_unseen(&mut self, rank: Rank) {
        debug_assert!(self.unseen[rank.index()] > 0 && self.drawn.is_none());
        self.unseen[rank.index()] -= 1;
        self.drawn = Some(rank);
    }

    #[inline]
    pub(crate) fn place_on_foundation(&mut self, foundation: Foundation) {
        self.drawn = None;
        self.heads[foundation.index()] += 1;
    }

    #[inline]
    pub(crate) fn place_on_stack(&mut self, stack: Stack, rank: Rank) {
        self.drawn = None;
        let length = usize::from(self.lengths[stack.index()]);
        self.cards[stack.index()][length] = rank;
        self.lengths[stack.index()] += 1;
    }

    #[inline]
    pub(crate) fn unload(&mut self, stack: Stack, foundation: Foundation) {
        self.lengths[stack.index()] -= 1;
        let length = usize::from(self.lengths[stack.index()]);
        self.cards[stack.index()][length] = Rank(0);
        self.heads[foundation.index()] += 1;
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.heads)?;
        for stack in 0..MOST_STACKS as u8 {
            f.write_str("/")?;
            self.stack(Stack(stack)).iter().try_for_each(|rank| write!(f, "{rank}"))?;
        }
        match self.drawn {
            Some(rank) => write!(f, "@{rank}"),
            None => Ok(()),
        }
    }
}

/// A table as written, legal or not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Setup {
    /// Cards on each foundation.
    pub heads: Vec<usize>,
    /// The stacks, each bottom first; missing ones are empty.
    pub piles: Vec<Vec<Rank>>,
    /// The drawn card.
    pub drawn: Option<Rank>,
}

/// Which part of a setup is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    /// The heads as a whole.
    Heads,
    /// One head.
    Head(usize),
    /// The stacks as a whole.
    Piles,
    /// One card of a stack.
    Card(usize, usize),
    /// The drawn card.
    Drawn,
}

/// A broken rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The code of the error.
    pub code: &'static str,
    /// Where.
    pub spot: Spot,
    /// For a person.
    pub message: String,
    /// What would be right.
    pub hint: &'static str,
}

impl Fault {
    /// The error of a request whose fields are called `heads`, `piles` and `drawn`.
    pub fn at_fields(self) -> kachi_core::Error {
        let path = match self.spot {
            Spot::Heads => "heads".to_owned(),
            Spot::Head(foundation) => format!("heads[{foundation}]"),
            Spot::Piles => "piles".to_owned(),
            Spot::Card(pile, place) => format!("piles[{pile}][{place}]"),
            Spot::Drawn => "drawn".to_owned(),
        };
        kachi_core::Error::new(self.code, self.message).at_field(path).hint(self.hint)
    }
}

impl Setup {
    /// Checks everything that makes a table legal.
    ///
    /// # Errors
    /// `bad_heads`, `bad_head`, `too_many_piles`, `bad_rank`, `too_many_copies`: the first broken rule.
    pub fn validate(&self, rules: &Rules) -> Result<Position, Fault> {
        let mut position = Position::start(rules);
        let (foundations, ranks) = (rules.foundations(), rules.ranks());
        if self.heads.len() != foundations {
            let message = format!("{} heads for {foundations} foundations", self.heads.len());
            return Err(Fault {
                code: "bad_heads",
                spot: Spot::Heads,
                message,
                hint: "name the next rank of every foundation, as in A234",
            });
        }
        for (f, &head) in self.heads.iter().enumerate() {
            if head > ranks {
                let message = format!("foundation {f} holds {head} cards, and a full one holds {ranks}");
                let hint = "the next slot is at most the last one, or none";
                return Err(Fault { code: "bad_head", spot: Spot::Head(f), message, hint });
            }
            position.heads[f] = head as u8;
            for slot in 0..head {
                let rank = rules.rank_at(f, slot).index();
                // Every foundation holds a rank once, so the copies cannot run out here.
                position.unseen[rank] = position.unseen[rank].saturating_sub(1);
            }
        }
        if self.piles.len() > rules.stacks() {
            let message = format!("{} piles for {} stacks", self.piles.len(), rules.stacks());
            let hint = "give as many piles as there are stacks; empty ones may be left out";
            return Err(Fault { code: "too_many_piles", spot: Spot::Piles, message, hint });
        }
        for (p, pile) in self.piles.iter().enumerate() {
            for (place, &rank) in pile.iter().enumerate() {
                take(rules, &mut position, rank, Spot::Card(p, place))?;
                position.place_on_stack(Stack(p as u8), rank);
            }
        }
        if let Some(rank) = self.drawn {
            take(rules, &mut position, rank, Spot::Drawn)?;
            position.drawn = Some(rank);
        }
        Ok(position)
    }
}

/// Takes a card from the unseen ones; refused when there is none left.
fn take(rules: &Rules, position: &mut Position, rank: Rank, spot: Spot) -> Result<(), Fault> {
    if rank.index() >= rules.ranks() {
        let message = format!("there is no {rank} in a deck of {} ranks", rules.ranks());
        return Err(Fault { code: "bad_rank", spot, message, hint: "ranks are written A23456789TJQK" });
    }
    let left = &mut position.unseen[rank.index()];
    if *left == 0 {
        let copies = rules.foundations();
        let message = format!("more than {copies} copies of {rank} on foundations and stacks");
        let hint = "foundations, stacks and the drawn card share one deck";
        return Err(Fault { code: "too_many_copies", spot, message, hint });
    }
    *left -= 1;
    Ok(())
}

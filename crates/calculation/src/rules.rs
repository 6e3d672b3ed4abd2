//! The rules on the back of the box: draws, placements, free moves, the end. One type serves the full game with
//! 1 to 4 stacks and the reduced games that serve as yardsticks (docs/theory/calculation-play.md, "Rules" and "Reduced games").

use crate::position::{Foundation, MOST_FOUNDATIONS, MOST_RANKS, MOST_STACKS, Position, Rank, Stack};
use kachi_core::{Error, Game, Seat};
use std::fmt;

/// No rank: beyond the last slot of a foundation.
const NONE: u8 = u8::MAX;
/// Slots of one foundation, rounded up so that the place of a slot is found by shifting.
const ROW: usize = 16;

/// Which game: ranks, foundations with their steps, stacks.
///
/// Foundation `f` takes at slot `i` the rank `steps[f] * (i + 1)` modulo the number of ranks, where 0 is the highest rank.
///
/// ```
/// use calculation::rules::Rules;
/// let rules = Rules::calculation(3).unwrap();
/// assert_eq!(rules.rank_at(1, 0).to_char(), '2');
/// assert_eq!(rules.rank_at(3, 12).to_char(), 'K');
/// assert_eq!(Rules::calculation(5).unwrap_err().code, "bad_stacks");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Rules {
    ranks: u8,
    foundations: u8,
    stacks: u8,
    steps: [u8; MOST_FOUNDATIONS],
    rank_at: [[u8; ROW]; MOST_FOUNDATIONS],
    slot_of: [[u8; ROW]; MOST_FOUNDATIONS],
}

impl Rules {
    /// The game of 52 cards with this many waste stacks, 1 to 4.
    ///
    /// # Errors
    /// `bad_stacks`.
    pub fn calculation(stacks: usize) -> Result<Rules, Error> {
        Rules::reduced(MOST_RANKS, &[1, 2, 3, 4], stacks)
    }

    /// A smaller game: one foundation per step, as many copies of each rank as foundations.
    ///
    /// # Errors
    /// `bad_ranks`, `bad_steps` (none, more than four, or not coprime to the number of ranks), `bad_stacks`.
    pub fn reduced(ranks: usize, steps: &[usize], stacks: usize) -> Result<Rules, Error> {
        if !(2..=MOST_RANKS).contains(&ranks) {
            let message = format!("{ranks} ranks: a deck has 2 to {MOST_RANKS}");
            return Err(Error::new("bad_ranks", message).at_field("ranks").hint("the full game has 13"));
        }
        if steps.is_empty() || steps.len() > MOST_FOUNDATIONS {
            let message = format!("{} foundations: there are 1 to {MOST_FOUNDATIONS}", steps.len());
            return Err(Error::new("bad_steps", message).at_field("steps").hint("for example [1,2]"));
        }
        for (f, &step) in steps.iter().enumerate() {
            if gcd(step, ranks) != 1 {
                let message = format!("step {step} has a common divisor with {ranks}: it misses some ranks");
                let hint = "steps must be coprime to the number of ranks";
                return Err(Error::new("bad_steps", message).at_field(format!("steps[{f}]")).hint(hint));
            }
        }
        if !(1..=MOST_STACKS).contains(&stacks) {
            let message = format!("{stacks} stacks: there are 1 to {MOST_STACKS}");
            return Err(Error::new("bad_stacks", message).at_field("stacks").hint("\"stacks\": 3"));
        }
        let mut rules = Rules {
            ranks: ranks as u8,
            foundations: steps.len() as u8,
            stacks: stacks as u8,
            steps: [0; MOST_FOUNDATIONS],
            rank_at: [[NONE; ROW]; MOST_FOUNDATIONS],
            slot_of: [[NONE; ROW]; MOST_FOUNDATIONS],
        };
        for (f, &step) in steps.iter().enumerate() {
            let step = step % ranks;
            rules.steps[f] = step as u8;
            for slot in 0..ranks {
                let rank = (step * (slot + 1) + ranks - 1) % ranks;
                rules.rank_at[f][slot] = rank as u8;
                rules.slot_of[f][rank] = slot as u8;
            }
        }
        Ok(rules)
    }

    /// Ranks of the deck.
    #[inline]
    pub fn ranks(&self) -> usize {
        usize::from(self.ranks)
    }

    /// Foundations, and copies of every rank.
    #[inline]
    pub fn foundations(&self) -> usize {
        usize::from(self.foundations)
    }

    /// Waste stacks.
    #[inline]
    pub fn stacks(&self) -> usize {
        usize::from(self.stacks)
    }

    /// The steps of the foundations, each below the number of ranks.
    pub fn steps(&self) -> &[u8] {
        &self.steps[..self.foundations()]
    }

    /// Cards of the deck.
    #[inline]
    pub fn cards(&self) -> usize {
        self.ranks() * self.foundations()
    }

    /// Is this the game of 52 cards?
    pub fn is_full(&self) -> bool {
        self.ranks() == MOST_RANKS && self.steps() == [1, 2, 3, 4]
    }

    /// The rank that foundation `f` takes at `slot`; the ace where there is no such slot.
    #[inline]
    pub fn rank_at(&self, f: usize, slot: usize) -> Rank {
        Rank::new(self.rank_at[f][slot % ROW]).unwrap_or_default()
    }

    /// The slot of foundation `f` that takes `rank`.
    #[inline]
    pub fn slot_of(&self, f: usize, rank: Rank) -> usize {
        usize::from(self.slot_of[f][rank.index() % ROW])
    }

    /// The rank that foundation `f` takes next; nothing when it is complete.
    #[inline]
    pub fn next(&self, f: usize, head: usize) -> Option<Rank> {
        Rank::new(self.rank_at[f][head % ROW])
    }

    /// Does the foundation take this rank next?
    #[inline]
    pub fn takes(&self, position: &Position, foundation: Foundation, rank: Rank) -> bool {
        self.next(foundation.index(), position.head(foundation)) == Some(rank)
    }

    /// All foundations.
    pub fn all_foundations(&self) -> impl Iterator<Item = Foundation> + use<> {
        (0..self.foundations).map(Foundation)
    }

    /// All stacks.
    pub fn all_stacks(&self) -> impl Iterator<Item = Stack> + use<> {
        (0..self.stacks).map(Stack)
    }

    /// Is every card on its foundation?
    #[inline]
    pub fn is_won(&self, position: &Position) -> bool {
        position.played() == self.cards()
    }

    /// Can nothing happen any more: won, or nothing left to draw, place or unload?
    pub fn is_over(&self, position: &Position) -> bool {
        self.is_won(position)
            || (position.left() == 0
                && position.drawn().is_none()
                && self.unloadings(position).next().is_none())
    }

    /// The free moves: tops that a foundation takes.
    pub fn unloadings<'a>(&'a self, position: &'a Position) -> impl Iterator<Item = Move> + 'a {
        self.all_stacks().filter_map(|stack| position.top(stack).map(|top| (stack, top))).flat_map(
            move |(stack, top)| {
                let fitting = self.all_foundations().filter(move |&f| self.takes(position, f, top));
                fitting.map(move |foundation| Move::Unload { stack, foundation })
            },
        )
    }

    /// All that may happen next: while a card is drawn, its placements; otherwise free moves and draws.
    pub fn moves(&self, position: &Position) -> Vec<Move> {
        if let Some(rank) = position.drawn() {
            let plays = self.all_foundations().filter(|&f| self.takes(position, f, rank)).map(Move::Play);
            return plays.chain(self.all_stacks().map(Move::Put)).collect();
        }
        let draws = (0..self.ranks).filter_map(Rank::new).filter(|rank| position.unseen()[rank.index()] > 0);
        self.unloadings(position).chain(draws.map(Move::Draw)).collect()
    }

    /// The position after a move.
    ///
    /// # Errors
    /// `illegal_move`, with what is wrong.
    pub fn play(&self, position: &Position, mv: Move) -> Result<Position, Error> {
        if let Some(reason) = self.forbids(position, mv) {
            return Err(Error::new("illegal_move", format!("{mv}: {reason}")));
        }
        Ok(self.play_unchecked(position, mv))
    }

    /// Why a move is not allowed; nothing when it is.
    pub fn forbids(&self, position: &Position, mv: Move) -> Option<&'static str> {
        let no_foundation = |f: Foundation| f.index() >= self.foundations();
        let no_stack = |s: Stack| s.index() >= self.stacks();
        match mv {
            Move::Draw(_) if position.drawn().is_some() => Some("the drawn card must be placed first"),
            Move::Draw(rank) if position.unseen()[rank.index()] == 0 => {
                Some("no such card is left in the deck")
            }
            Move::Play(_) | Move::Put(_) if position.drawn().is_none() => Some("no card is drawn"),
            Move::Play(f) if no_foundation(f) => Some("there is no such foundation"),
            Move::Play(f) if position.drawn().is_some_and(|rank| !self.takes(position, f, rank)) => {
                Some("the foundation takes another rank next")
            }
            Move::Put(s) if no_stack(s) => Some("there is no such stack"),
            Move::Unload { .. } if position.drawn().is_some() => Some("the drawn card must be placed first"),
            Move::Unload { stack, .. } if no_stack(stack) => Some("there is no such stack"),
            Move::Unload { foundation, .. } if no_foundation(foundation) => {
                Some("there is no such foundation")
            }
            Move::Unload { stack, foundation } => match position.top(stack) {
                None => Some("the stack is empty"),
                Some(top) if !self.takes(position, foundation, top) => {
                    Some("the foundation takes another rank next")
                }
                Some(_) => None,
            },
            _ => None,
        }
    }

    /// The position after a move that is known to be legal.
    #[must_use]
    pub fn play_unchecked(&self, position: &Position, mv: Move) -> Position {
        let mut after = *position;
        self.apply(&mut after, mv);
        after
    }

    /// Makes a move that is known to be legal.
    #[inline]
    pub fn apply(&self, position: &mut Position, mv: Move) {
        debug_assert_eq!(self.forbids(position, mv), None);
        match mv {
            Move::Draw(rank) => position.take_unseen(rank),
            Move::Play(foundation) => position.place_on_foundation(foundation),
            Move::Put(stack) => {
                if let Some(rank) = position.drawn() {
                    position.place_on_stack(stack, rank);
                }
            }
            Move::Unload { stack, foundation } => position.unload(stack, foundation),
        }
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// What can happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Move {
    /// Chance turns up a card.
    Draw(Rank),
    /// The drawn card goes on a foundation.
    Play(Foundation),
    /// The drawn card goes on a stack.
    Put(Stack),
    /// The top of a stack goes on a foundation.
    Unload {
        /// From this stack.
        stack: Stack,
        /// To this foundation.
        foundation: Foundation,
    },
}

/// `draw 7`, `f2` (to foundation 2), `s0` (on stack 0), `s0f2` (top of stack 0 to foundation 2).
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Draw(rank) => write!(f, "draw {rank}"),
            Move::Play(Foundation(foundation)) => write!(f, "f{foundation}"),
            Move::Put(Stack(stack)) => write!(f, "s{stack}"),
            Move::Unload { stack: Stack(stack), foundation: Foundation(foundation) } => {
                write!(f, "s{stack}f{foundation}")
            }
        }
    }
}

impl std::str::FromStr for Move {
    type Err = Error;

    fn from_str(text: &str) -> Result<Move, Error> {
        let wrong = || {
            let message = format!("{text:?} is no move");
            Error::new("bad_move", message).hint("draw 7, f2, s0 or s0f2; foundations and stacks from 0")
        };
        let lower = text.trim().to_ascii_lowercase();
        if let Some(rank) = lower.strip_prefix("draw") {
            let mut rank = rank.trim().chars();
            return match (rank.next().and_then(Rank::from_char), rank.next()) {
                (Some(rank), None) => Ok(Move::Draw(rank)),
                _ => Err(wrong()),
            };
        }
        let digit = |c: u8| if c.is_ascii_digit() { Ok(c - b'0') } else { Err(wrong()) };
        match *lower.as_bytes() {
            [b'f', f] => Ok(Move::Play(Foundation(digit(f)?))),
            [b's', s] => Ok(Move::Put(Stack(digit(s)?))),
            [b's', s, b'f', f] => {
                Ok(Move::Unload { stack: Stack(digit(s)?), foundation: Foundation(digit(f)?) })
            }
            _ => Err(wrong()),
        }
    }
}

/// The game with the deck face up: one player, no chance. The slow solver of core decides it from the rules alone.
#[derive(Debug, Clone)]
pub struct OpenGame<'a> {
    /// Which game.
    pub rules: &'a Rules,
    /// The deck in drawing order.
    pub deck: &'a [Rank],
}

impl Game for OpenGame<'_> {
    type Position = Position;
    type Move = Move;
    type Ending = bool;

    fn mover(&self, _: &Position) -> Seat {
        Seat::FIRST
    }

    fn ending(&self, position: &Position) -> Option<bool> {
        self.rules.is_over(position).then(|| self.rules.is_won(position))
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        let next = self.deck.get(self.deck.len().wrapping_sub(position.left()));
        let open = |mv: &Move| !matches!(mv, Move::Draw(rank) if Some(rank) != next);
        self.rules.moves(position).into_iter().filter(open).collect()
    }

    fn play(&self, position: &Position, mv: &Move) -> Position {
        self.rules.play_unchecked(position, *mv)
    }
}

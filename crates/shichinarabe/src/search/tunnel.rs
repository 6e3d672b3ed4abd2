//! The real deck with the tunnel rule and without jokers (section 9 of the theory page). A suit is two strings; when one
//! is exhausted the rest of the other is played from its far end. A suit has at most 79 states, so four suits fit one
//! table of bytes.

use crate::position::{Card, Deck, Player, Rank};
use kachi_core::{Budget, Error};

/// One suit: how much of it is unplayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SuitState {
    /// Cards played below and above the seven; both sides still hold cards.
    Closed { low: u8, high: u8 },
    /// One side is finished; of the other, `near` cards were played from the seven and `far` from the end.
    Open { side: Side, near: u8, far: u8 },
    /// All played.
    Done,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Low,
    High,
}

/// Cards on each side of the seven.
const SIDE: u8 = 6;

impl SuitState {
    fn new(low: u8, high: u8) -> SuitState {
        match (low == SIDE, high == SIDE) {
            (true, true) => SuitState::Done,
            (true, false) => SuitState::Open { side: Side::High, near: high, far: 0 },
            (false, true) => SuitState::Open { side: Side::Low, near: low, far: 0 },
            (false, false) => SuitState::Closed { low, high },
        }
    }

    /// The playable cards, as ranks, each with what the suit becomes.
    fn plays(self) -> [Option<(Rank, SuitState)>; 2] {
        let rank = |index: u8| Rank::all().nth(usize::from(index)).unwrap_or(Rank::SEVEN);
        match self {
            SuitState::Closed { low, high } => [
                Some((rank(5 - low), SuitState::new(low + 1, high))),
                Some((rank(7 + high), SuitState::new(low, high + 1))),
            ],
            SuitState::Open { side, near, far } => {
                let index = match side {
                    Side::Low => far,
                    Side::High => 12 - far,
                };
                let done = near + far + 1 == SIDE;
                let next = if done { SuitState::Done } else { SuitState::Open { side, near, far: far + 1 } };
                [Some((rank(index), next)), None]
            }
            SuitState::Done => [None, None],
        }
    }
}

/// No play.
const NO_PLAY: u8 = u8::MAX;

/// The reachable states of one suit, numbered; state 0 is the present one.
struct SuitStates {
    /// For every state and player: up to two plays as next states.
    plays: Vec<[[u8; 2]; 2]>,
    /// The ranks of these plays.
    ranks: Vec<[[Rank; 2]; 2]>,
    /// Is a play safe: does it open no new card of the opponent? Such plays usually win if anything does, so they come first.
    safe: Vec<[[bool; 2]; 2]>,
    /// Cards left by player.
    left: Vec<[u8; 2]>,
}

impl SuitStates {
    fn new(owners: &[Option<Player>; Rank::COUNT], start: SuitState) -> SuitStates {
        let mut found = vec![start];
        let mut states =
            SuitStates { plays: Vec::new(), ranks: Vec::new(), safe: Vec::new(), left: Vec::new() };
        let mut next = 0;
        while next < found.len() {
            let (mut plays, mut ranks) = ([[NO_PLAY; 2]; 2], [[Rank::SEVEN; 2]; 2]);
            for (i, (rank, after)) in found[next].plays().into_iter().flatten().enumerate() {
                let number = found.iter().position(|&state| state == after).unwrap_or_else(|| {
                    found.push(after);
                    found.len() - 1
                });
                if let Some(owner) = owners[rank.index()] {
                    // A suit has at most 79 states.
                    plays[owner.index()][i] = number as u8;
                    ranks[owner.index()][i] = rank;
                }
            }
            states.plays.push(plays);
            states.ranks.push(ranks);
            next += 1;
        }
        let offers = |state: usize, player: usize| {
            states.plays[state][player].iter().filter(|&&after| after != NO_PLAY).count()
        };
        let safe = |state: usize, player: usize, i: usize| {
            let after = states.plays[state][player][i];
            after != NO_PLAY && offers(usize::from(after), 1 - player) <= offers(state, 1 - player)
        };
        states.safe = (0..found.len())
            .map(|state| [0, 1].map(|player| [0, 1].map(|i| safe(state, player, i))))
            .collect();
        // Every play removes one card, so the counts follow from any play, last state first.
        states.left = vec![[0; 2]; found.len()];
        for _ in 0..Rank::COUNT {
            for state in 0..found.len() {
                for owner in 0..2 {
                    for after in states.plays[state][owner].into_iter().filter(|&after| after != NO_PLAY) {
                        let mut left = states.left[usize::from(after)];
                        left[owner] += 1;
                        states.left[state] = left;
                    }
                }
            }
        }
        states
    }
}

/// A tunnel deal with its table of decided states.
pub struct Tunnel {
    suits: [SuitStates; 4],
    stride: [usize; 4],
    /// Two bits a mover: decided, and whether he wins.
    table: Vec<u8>,
    /// States visited.
    pub nodes: u64,
}

impl Tunnel {
    /// The tunnel game of a deck, if its cards on the table lie without gaps and nobody holds jokers or passes.
    ///
    /// # Errors
    /// `out_of_budget` when the table does not fit.
    pub fn new(deck: &Deck, budget: &mut Budget<'_>) -> Result<Option<Tunnel>, Error> {
        if !deck.tunnel() || deck.rights() != [0; 2] || deck.passes() != [0; 2] {
            return Ok(None);
        }
        let starts: Vec<Option<SuitState>> = deck.owners().iter().map(suit_state).collect();
        let mut suits = Vec::new();
        for (owners, start) in deck.owners().iter().zip(starts) {
            match start {
                Some(start) => suits.push(SuitStates::new(owners, start)),
                None => return Ok(None),
            }
        }
        let Ok(suits) = <[SuitStates; 4]>::try_from(suits) else {
            return Ok(None);
        };
        let mut stride = [0; 4];
        let mut size = 1;
        for (suit, stride) in suits.iter().zip(&mut stride) {
            *stride = size;
            size *= suit.left.len();
        }
        if size as u64 > budget.limits().bytes {
            return Err(Error::new("out_of_budget", format!("the tunnel table needs {size} bytes")));
        }
        Ok(Some(Tunnel { suits, stride, table: vec![0; size], nodes: 0 }))
    }

    /// Who wins, and the cards that win when played now.
    ///
    /// # Errors
    /// `out_of_budget`.
    pub fn decide(&mut self, mover: Player, budget: &mut Budget<'_>) -> Result<(Player, Vec<Card>), Error> {
        let start = [0u8; 4];
        let mut left = [0u8; 2];
        for suit in &self.suits {
            left[0] += suit.left[0][0];
            left[1] += suit.left[0][1];
        }
        let mut winning = Vec::new();
        if left[0] == 0 || left[1] == 0 {
            return Ok((if left[0] == 0 { Player::First } else { Player::Second }, winning));
        }
        let wins = self.wins(start, left, mover, budget)?;
        if !wins {
            return Ok((mover.other(), winning));
        }
        for suit in 0..4 {
            let mine = mover.index();
            let (plays, ranks) = (self.suits[suit].plays[0][mine], self.suits[suit].ranks[0][mine]);
            for (after, rank) in plays.into_iter().zip(ranks).filter(|play| play.0 != NO_PLAY) {
                if self.play_wins(start, left, mover, suit, after, budget)? {
                    winning.push(Card::of_vertex((suit * Rank::COUNT + rank.index()) as u32));
                }
            }
        }
        winning.sort_unstable();
        Ok((mover, winning))
    }

    fn wins(
        &mut self,
        state: [u8; 4],
        left: [u8; 2],
        mover: Player,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Error> {
        let index: usize = state.iter().zip(&self.stride).map(|(&s, &stride)| usize::from(s) * stride).sum();
        let known = self.table[index] >> (2 * mover.index());
        if known & 1 != 0 {
            return Ok(known & 2 != 0);
        }
        self.nodes += 1;
        budget.spend(1)?;
        let mut wins = false;
        'search: for safe in [true, false] {
            for suit in 0..4 {
                let here = usize::from(state[suit]);
                for i in 0..2 {
                    let after = self.suits[suit].plays[here][mover.index()][i];
                    if after != NO_PLAY
                        && self.suits[suit].safe[here][mover.index()][i] == safe
                        && self.play_wins(state, left, mover, suit, after, budget)?
                    {
                        wins = true;
                        break 'search;
                    }
                }
            }
        }
        self.table[index] |= (1 | (u8::from(wins) << 1)) << (2 * mover.index());
        Ok(wins)
    }

    fn play_wins(
        &mut self,
        mut state: [u8; 4],
        mut left: [u8; 2],
        mover: Player,
        suit: usize,
        after: u8,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Error> {
        left[mover.index()] -= 1;
        if left[mover.index()] == 0 {
            return Ok(true);
        }
        state[suit] = after;
        Ok(!self.wins(state, left, mover.other(), budget)?)
    }
}

/// The state of a suit whose played cards lie without gaps: around the seven and, once a side is finished, also from
/// the far end of the other.
fn suit_state(owners: &[Option<Player>; Rank::COUNT]) -> Option<SuitState> {
    let played =
        |from: &mut dyn Iterator<Item = usize>| from.take_while(|&r| owners[r].is_none()).count() as u8;
    let low = played(&mut (0..6).rev());
    let high = played(&mut (7..13));
    let held = |range: std::ops::Range<usize>| owners[range].iter().flatten().count() as u8;
    if low == SIDE && high < SIDE {
        let far = played(&mut (7..13).rev());
        let whole = held(7..13) + high + far == SIDE;
        return whole.then_some(SuitState::Open { side: Side::High, near: high, far });
    }
    if high == SIDE && low < SIDE {
        let far = played(&mut (0..6));
        let whole = held(0..6) + low + far == SIDE;
        return whole.then_some(SuitState::Open { side: Side::Low, near: low, far });
    }
    let whole = held(0..6) + low == SIDE && held(7..13) + high == SIDE;
    whole.then_some(SuitState::new(low, high))
}

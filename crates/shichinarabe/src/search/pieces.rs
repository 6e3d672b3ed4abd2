//! Jokers on suits and paths (section 8 of the theory page; claims `now-or-never-spiders` and `paths-minimum-rule`). One holder: all his rights are used now or never. Two
//! holders: search until one of them has none left.

use crate::position::Player;
use crate::rules::{Action, Turn};
use crate::theory::paths::{Ends, Leg};
use crate::theory::suits::{Totals, Worth};
use kachi_core::{Budget, Error};
use rustc_hash::FxHashMap;

/// A path with its worth.
#[derive(Debug, Clone)]
pub struct PathPart {
    /// Its vertices in order.
    pub vertices: Vec<u32>,
    /// Which ends are open.
    pub ends: Ends,
    /// The value, positive for the first player.
    pub value: i64,
    /// The prices by keeper; `None` where nobody is locked in.
    pub prices: [Option<u8>; 2],
}

/// A part of a leg that is still unplayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Piece {
    leg: u32,
    start: u32,
    end: u32,
    ends: Ends,
}

/// Pieces on the table with the sums that decide.
#[derive(Debug, Clone)]
struct Spread {
    pieces: Vec<Piece>,
    totals: Totals,
}

/// The legs of a position, with memory for the search of two holders.
#[derive(Debug)]
pub struct Pieces {
    legs: Vec<Leg>,
    ids: Vec<Vec<u32>>,
    start: Vec<Piece>,
    known: FxHashMap<(Vec<Piece>, Player, [u32; 2]), Player>,
    /// Positions with two holders that were searched.
    pub nodes: u64,
}

/// Where a card lies: its leg and its place there.
type Spot = (usize, usize);

impl Pieces {
    /// Paths given by their vertices, owners and open ends; `jokers` says whether they may be cut inside.
    ///
    /// # Errors
    /// `out_of_budget` when the paths are too long for their tables.
    pub fn new(
        paths: Vec<(Vec<u32>, Vec<Player>, Ends)>,
        jokers: bool,
        budget: &mut Budget<'_>,
    ) -> Result<Pieces, Error> {
        let whole = |ends: Ends| !jokers && ends == Ends::Left;
        let tables = paths.iter().filter(|path| !whole(path.2)).map(|path| Leg::bytes(path.0.len()));
        let bytes = tables.fold(0u64, u64::saturating_add);
        if bytes > budget.limits().bytes {
            let message = format!("the tables of the paths need {bytes} bytes");
            return Err(
                Error::new("out_of_budget", message).hint("raise the memory limit, or ask about less")
            );
        }
        let mut pieces =
            Pieces { legs: vec![], ids: vec![], start: vec![], known: FxHashMap::default(), nodes: 0 };
        for (leg, (ids, owners, ends)) in paths.into_iter().enumerate() {
            pieces.start.push(Piece { leg: leg as u32, start: 0, end: owners.len() as u32, ends });
            pieces.legs.push(if whole(ends) { Leg::suit(owners) } else { Leg::new(owners, budget)? });
            pieces.ids.push(ids);
        }
        Ok(pieces)
    }

    /// The pieces at the start with their worth.
    #[must_use]
    pub fn parts(&self) -> Vec<PathPart> {
        let part = |piece: &Piece| {
            let worth = self.worth(*piece);
            let price = |price: u8| (price != Worth::FREE).then_some(price);
            PathPart {
                vertices: self.ids[piece.leg as usize].clone(),
                ends: piece.ends,
                value: worth.value,
                prices: worth.prices.map(price),
            }
        };
        self.start.iter().map(part).collect()
    }

    fn spread(&self) -> Spread {
        let mut spread = Spread { pieces: Vec::new(), totals: Totals::NONE };
        for &piece in &self.start {
            self.lay(&mut spread, piece);
        }
        spread
    }

    fn lay(&self, spread: &mut Spread, piece: Piece) {
        if piece.start < piece.end {
            spread.totals.add(self.worth(piece));
            let hands = self.legs[piece.leg as usize].hands(piece.start as usize, piece.end as usize);
            spread.totals.hands[0] += hands[0];
            spread.totals.hands[1] += hands[1];
            spread.pieces.push(piece);
        }
    }

    fn worth(&self, piece: Piece) -> Worth {
        self.legs[piece.leg as usize].worth(piece.start as usize, piece.end as usize, piece.ends)
    }

    fn lift(&self, spread: &mut Spread, index: usize) -> Piece {
        let piece = spread.pieces.remove(index);
        spread.totals.remove(self.worth(piece));
        let hands = self.legs[piece.leg as usize].hands(piece.start as usize, piece.end as usize);
        spread.totals.hands[0] -= hands[0];
        spread.totals.hands[1] -= hands[1];
        piece
    }

    fn owner(&self, spot: Spot) -> Player {
        self.legs[spot.0].owners()[spot.1]
    }

    /// The spread after the card at a place of piece `index` has turned white: its neighbours become playable.
    fn whiten(&self, spread: &Spread, index: usize, place: u32) -> Spread {
        let mut next = spread.clone();
        let piece = self.lift(&mut next, index);
        self.lay(&mut next, Piece { end: place, ends: Ends::new(piece.ends.left(), true), ..piece });
        self.lay(&mut next, Piece { start: place + 1, ends: Ends::new(true, piece.ends.right()), ..piece });
        next
    }

    /// The places where a player can play: piece and place in its leg.
    fn plays(&self, spread: &Spread, player: Player) -> Vec<(usize, u32)> {
        let mut plays = Vec::new();
        for (i, piece) in spread.pieces.iter().enumerate() {
            let mut offer = |place: u32| {
                if self.owner((piece.leg as usize, place as usize)) == player {
                    plays.push((i, place));
                }
            };
            if piece.ends.left() {
                offer(piece.start);
            }
            if piece.ends.right() && piece.end - piece.start > 1 {
                offer(piece.end - 1);
            } else if piece.ends == Ends::Right {
                offer(piece.start);
            }
        }
        plays
    }

    /// Every card of a player: piece and place.
    fn targets(&self, spread: &Spread, player: Player) -> Vec<(usize, u32)> {
        let spots = spread.pieces.iter().enumerate();
        let all = spots.flat_map(|(i, piece)| (piece.start..piece.end).map(move |place| (i, place)));
        all.filter(|&(i, place)| self.owner((spread.pieces[i].leg as usize, place as usize)) == player)
            .collect()
    }

    fn id(&self, spread: &Spread, at: (usize, u32)) -> u32 {
        self.ids[spread.pieces[at.0].leg as usize][at.1 as usize]
    }

    /// Who wins the starting position.
    ///
    /// # Errors
    /// `out_of_budget`.
    pub fn decide(
        &mut self,
        mover: Player,
        rights: [u32; 2],
        budget: &mut Budget<'_>,
    ) -> Result<Player, Error> {
        let spread = self.spread();
        self.winner(&spread, mover, rights, budget)
    }

    fn winner(
        &mut self,
        spread: &Spread,
        mover: Player,
        mut rights: [u32; 2],
        budget: &mut Budget<'_>,
    ) -> Result<Player, Error> {
        budget.spend(1 + spread.pieces.len() as u64 / 8)?;
        let hands = spread.totals.hands;
        for player in 0..2 {
            rights[player] = rights[player].min(hands[1 - player] as u32);
        }
        if hands[0] == 0 || hands[1] == 0 || rights == [0; 2] {
            return Ok(spread.totals.winner(mover));
        }
        let holder = match rights {
            [_, 0] => Some(Player::First),
            [0, _] => Some(Player::Second),
            _ => None,
        };
        let Some(holder) = holder else {
            return self.search(spread, mover, rights, budget);
        };
        let count = rights[holder.index()];
        if holder == mover {
            let wins = self.now(spread, holder, count, None, budget)?;
            return Ok(if wins { holder } else { holder.other() });
        }
        for (i, place) in self.plays(spread, mover) {
            let next = self.whiten(spread, i, place);
            let emptied = next.totals.hands[mover.index()] == 0;
            if emptied || !self.now(&next, holder, count, None, budget)? {
                return Ok(mover);
            }
        }
        Ok(holder)
    }

    /// Can the holder, to move, win by turning at most `count` cards white now? Cards are turned in order of their spots.
    fn now(
        &self,
        spread: &Spread,
        holder: Player,
        count: u32,
        after: Option<Spot>,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Error> {
        budget.spend(1 + spread.pieces.len() as u64 / 8)?;
        if spread.totals.winner(holder) == holder {
            return Ok(true);
        }
        if count == 0 || spread.totals.hands[holder.other().index()] <= 1 {
            return Ok(false);
        }
        for (i, place) in self.targets(spread, holder.other()) {
            let spot = (spread.pieces[i].leg as usize, place as usize);
            if after.is_some_and(|after| spot <= after) {
                continue;
            }
            if self.now(&self.whiten(spread, i, place), holder, count - 1, Some(spot), budget)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Both hold rights: all turns are tried.
    fn search(
        &mut self,
        spread: &Spread,
        mover: Player,
        rights: [u32; 2],
        budget: &mut Budget<'_>,
    ) -> Result<Player, Error> {
        let mut pieces = spread.pieces.clone();
        pieces.sort_unstable();
        let key = (pieces, mover, rights);
        if let Some(&winner) = self.known.get(&key) {
            return Ok(winner);
        }
        self.nodes += 1;
        let wins = self.search_wins(spread, mover, rights, budget)?;
        let winner = if wins { mover } else { mover.other() };
        self.known.insert(key, winner);
        Ok(winner)
    }

    fn search_wins(
        &mut self,
        spread: &Spread,
        mover: Player,
        rights: [u32; 2],
        budget: &mut Budget<'_>,
    ) -> Result<bool, Error> {
        // A turn that uses rights leads to fewer holders sooner, so these come first.
        if spread.totals.hands[mover.other().index()] > 1 {
            for (i, place) in self.targets(spread, mover.other()) {
                let mut rights = rights;
                rights[mover.index()] -= 1;
                if self.winner(&self.whiten(spread, i, place), mover, rights, budget)? == mover {
                    return Ok(true);
                }
            }
        }
        for (i, place) in self.plays(spread, mover) {
            if self.winner(&self.whiten(spread, i, place), mover.other(), rights, budget)? == mover {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Calls `found` for every winning turn, in no particular order.
    ///
    /// # Errors
    /// `out_of_budget`; the turns found before stay found.
    pub fn winning_turns(
        &mut self,
        mover: Player,
        rights: [u32; 2],
        budget: &mut Budget<'_>,
        found: &mut dyn FnMut(Turn),
    ) -> Result<(), Error> {
        let spread = self.spread();
        if spread.totals.hands[0] == 0 || spread.totals.hands[1] == 0 {
            return Ok(());
        }
        self.turns_after(&spread, mover, rights, &mut Vec::new(), None, budget, found)
    }

    #[allow(clippy::too_many_arguments)] // One recursive step of `winning_turns`.
    fn turns_after(
        &mut self,
        spread: &Spread,
        mover: Player,
        rights: [u32; 2],
        joker: &mut Vec<u32>,
        after: Option<Spot>,
        budget: &mut Budget<'_>,
        found: &mut dyn FnMut(Turn),
    ) -> Result<(), Error> {
        for at in self.plays(spread, mover) {
            let next = self.whiten(spread, at.0, at.1);
            if self.winner(&next, mover.other(), rights, budget)? == mover {
                let mut joker = joker.clone();
                joker.sort_unstable();
                found(Turn { joker, action: Action::Play(self.id(spread, at)) });
            }
        }
        if rights[mover.index()] == 0 || spread.totals.hands[mover.other().index()] <= 1 {
            return Ok(());
        }
        let mut rights = rights;
        rights[mover.index()] -= 1;
        for at in self.targets(spread, mover.other()) {
            let spot = (spread.pieces[at.0].leg as usize, at.1 as usize);
            if after.is_some_and(|after| spot <= after) {
                continue;
            }
            joker.push(self.id(spread, at));
            let next = self.whiten(spread, at.0, at.1);
            self.turns_after(&next, mover, rights, joker, Some(spot), budget, found)?;
            joker.pop();
        }
        Ok(())
    }
}

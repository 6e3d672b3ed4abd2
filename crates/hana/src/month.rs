//! One month as a machine that asks. It deals, asks who plays, pays teyaku, plays 21 turns and settles; whenever a person has to decide it
//! stops and asks: active, \[cancel\], throw, \[take\], \[take\], \[shobu\]. Deck, order and answers determine everything.

use crate::card::{ALL, Card, Cards, DECK};
use crate::field::{self, Waiting};
use crate::house::{House, Stop, Three, Windows};
use crate::settle::{End, Settlement, settle};
use crate::yaku::Teyaku;
use kachi_core::Error;

/// Turns of a month.
pub const TURNS: usize = 21;
/// Cards of a dealt hand, and of the dealt table.
pub const HAND: usize = 7;
const TABLE: usize = 6;
/// The most persons that can sit down.
pub const SEATS: usize = 6;

/// What is asked, of whom. Seats count from 0 from the oya on; players are 0 oya, 1 naka, 2 biki.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// Does this seat play this month?
    Active {
        /// The seat.
        seat: usize,
    },
    /// Does this player, who is in sage, give up going on?
    Cancel {
        /// The player.
        player: usize,
    },
    /// Which card is thrown?
    Throw {
        /// The player.
        player: usize,
        /// What he can throw: Hand and Window.
        from: Cards,
    },
    /// Which card does a laid card take?
    Take {
        /// The player.
        player: usize,
        /// The card he laid.
        card: Card,
        /// What it can take.
        from: Cards,
    },
    /// Does this player, whose dekiyaku have just grown, stop the round?
    Shobu {
        /// The player.
        player: usize,
    },
}

/// An answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// To active, cancel and shobu.
    Say(bool),
    /// To throw and take.
    Card(Card),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Active { seat: u8, dropped: u8, playing: u8 },
    Cancel,
    Throw,
    TakeByThrow(Card),
    TakeByDraw(Card),
    Shobu,
    Over(End),
}

/// A month in play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Month {
    house: House,
    seats: u8,
    index: u8,
    phase: Phase,
    turn: u8,
    players: [u8; 3],
    sage: [bool; 3],
    first_sage: Option<u8>,
    dealt: [Cards; SEATS],
    hand: [Cards; 3],
    window: [Cards; 3],
    basket: [Cards; 3],
    made: [i64; 3],
    table: Cards,
    order: [Card; DECK],
    yama: [Card; TURNS],
    cash: [i64; SEATS],
    pot: i64,
    settled: Option<Settlement>,
}

/// The hands and the table that a deck deals to so many seats.
#[must_use]
pub fn deal(deck: &[Card; DECK], seats: usize) -> ([Cards; SEATS], Cards) {
    let mut hands = [Cards::NONE; SEATS];
    for (seat, hand) in hands.iter_mut().enumerate().take(seats) {
        *hand = deck[HAND * seat..HAND * (seat + 1)].iter().copied().collect();
    }
    (hands, deck[HAND * seats..HAND * seats + TABLE].iter().copied().collect())
}

impl Month {
    /// Deals a month. `order` is the second permutation, in which the YAMA is put once it is known who plays.
    /// Returns the month and what the field carries to the next one.
    ///
    /// # Errors
    /// `redeal` if the table shows all four cards of a month; `bad_seats` if not 3 to 6 sit down.
    pub fn deal(
        house: House,
        seats: usize,
        deck: &[Card; DECK],
        order: &[Card; DECK],
        carry: &Waiting,
        pot: i64,
    ) -> Result<(Month, Waiting), Error> {
        if !(3..=SEATS).contains(&seats) {
            return Err(
                Error::new("bad_seats", format!("3 to 6 persons can play, not {seats}")).at_field("seats")
            );
        }
        let (dealt, table) = deal(deck, seats);
        if field::redeal(table) {
            let message = format!("the table {table} shows all four cards of a month: deal again");
            return Err(Error::new("redeal", message).at_field("deck"));
        }
        let (index, carry) = field::field(table, carry, house.carry);
        let month = Month {
            house,
            seats: seats as u8,
            index: index as u8,
            phase: Phase::Active { seat: 0, dropped: 0, playing: 0 },
            turn: 0,
            players: [0; 3],
            sage: [false; 3],
            first_sage: None,
            dealt,
            hand: [Cards::NONE; 3],
            window: [Cards::NONE; 3],
            basket: [Cards::NONE; 3],
            made: [0; 3],
            table,
            order: *order,
            yama: [deck[0]; TURNS],
            cash: [0; SEATS],
            pot,
            settled: None,
        };
        Ok((month.seat_them(), carry))
    }

    /// Passes over seats that are not asked, and begins the play once three players are known.
    fn seat_them(mut self) -> Month {
        while let Phase::Active { seat, dropped, playing } = self.phase {
            if seat >= self.seats || playing == 3 {
                self.begin();
            } else if dropped >= self.seats - 3 {
                self.players[usize::from(playing)] = seat;
                self.phase = Phase::Active { seat: seat + 1, dropped, playing: playing + 1 };
            } else {
                break;
            }
        }
        self
    }

    /// Puts the YAMA in order, pays teyaku, and lets the oya throw.
    fn begin(&mut self) {
        let mut held = Cards::NONE;
        for player in 0..3 {
            let hand = self.dealt[usize::from(self.players[player])];
            held = held | hand;
            let teyaku = self.house.teyaku_of(hand);
            self.window[player] = teyaku.window;
            self.hand[player] = hand - teyaku.window;
            let scale = if self.house.teyaku_scaled { self.index } else { 0 };
            let amount = (teyaku.kan * self.house.kan) << scale;
            if amount != 0 {
                for other in 0..3 {
                    let seat = usize::from(self.players[other]);
                    self.cash[seat] += if other == player { 2 * amount } else { -amount };
                }
            }
        }
        let stock = ALL - held - self.table;
        let mut cards = self.order.iter().filter(|&&card| stock.has(card));
        for slot in &mut self.yama {
            if let Some(&card) = cards.next() {
                *slot = card;
            }
        }
        self.start_turn();
    }

    fn player(&self) -> usize {
        usize::from(self.turn) % 3
    }

    fn start_turn(&mut self) {
        if usize::from(self.turn) == TURNS {
            self.end(End::RanOut { first_sage: self.first_sage.map(usize::from) });
        } else if self.sage[self.player()] {
            self.phase = Phase::Cancel;
        } else {
            self.start_throw();
        }
    }

    fn start_throw(&mut self) {
        if self.holds(self.player()).is_empty() {
            self.draw();
        } else {
            self.phase = Phase::Throw;
        }
    }

    /// What a laid card can take. Three on the table under the sweep rule are no choice.
    fn candidates(&self, card: Card, thrown: bool) -> Cards {
        let mates = Cards::mates(card).without(card);
        let table = self.table & mates;
        if !thrown || self.house.window == Windows::No {
            return table;
        }
        let me = self.player();
        let shown = (self.window[(me + 1) % 3] | self.window[(me + 2) % 3]) & mates;
        match self.house.window {
            Windows::Free => table | shown,
            _ if table.is_empty() => shown,
            _ => table,
        }
    }

    /// Lays a card; `true` if a choice must be asked for.
    fn lay(&mut self, card: Card, thrown: bool) -> bool {
        let mates = self.table & Cards::mates(card);
        if mates.count() == 3 && self.house.three == Three::Sweep {
            self.table = self.table - mates;
            let me = self.player();
            self.basket[me] = self.basket[me] | mates.with(card);
            return false;
        }
        if self.candidates(card, thrown).is_empty() {
            self.table = self.table.with(card);
            return false;
        }
        true
    }

    fn take(&mut self, card: Card, taken: Card) {
        let me = self.player();
        self.table = self.table.without(taken);
        for window in &mut self.window {
            *window = window.without(taken);
        }
        self.basket[me] = self.basket[me].with(card).with(taken);
    }

    fn draw(&mut self) {
        let card = self.yama[usize::from(self.turn)];
        if self.lay(card, false) {
            self.phase = Phase::TakeByDraw(card);
        } else {
            self.end_turn();
        }
    }

    fn end_turn(&mut self) {
        let me = self.player();
        self.turn += 1;
        if self.house.stop != Stop::Never {
            let value = self.house.dekiyaku_mon(self.basket[me]);
            if value > self.made[me] {
                self.made[me] = value;
                if self.house.stop == Stop::Battari {
                    self.end(End::Stopped { by: me, sage: [false; 3] });
                } else {
                    self.phase = Phase::Shobu;
                }
                return;
            }
        }
        self.start_turn();
    }

    fn end(&mut self, end: End) {
        self.phase = Phase::Over(end);
        let paid = settle(&self.house, &self.basket, u32::from(self.index), end);
        for (player, &net) in paid.net.iter().enumerate() {
            self.cash[usize::from(self.players[player])] += net;
        }
        if let Some(winner) = paid.winner {
            self.cash[usize::from(self.players[winner])] += self.pot;
            self.pot = 0;
        }
        self.settled = Some(paid);
    }

    /// What is asked now; nothing when the month is over.
    #[must_use]
    pub fn ask(&self) -> Option<Ask> {
        let player = self.player();
        Some(match self.phase {
            Phase::Active { seat, .. } => Ask::Active { seat: usize::from(seat) },
            Phase::Cancel => Ask::Cancel { player },
            Phase::Throw => Ask::Throw { player, from: self.holds(player) },
            Phase::TakeByThrow(card) => Ask::Take { player, card, from: self.candidates(card, true) },
            Phase::TakeByDraw(card) => Ask::Take { player, card, from: self.candidates(card, false) },
            // The turn is counted already when its player is asked.
            Phase::Shobu => Ask::Shobu { player: (player + 2) % 3 },
            Phase::Over(_) => return None,
        })
    }

    /// The seat (from the oya on) that is asked.
    #[must_use]
    pub fn asked_seat(&self) -> Option<usize> {
        self.ask().map(|ask| match ask {
            Ask::Active { seat } => seat,
            Ask::Cancel { player }
            | Ask::Throw { player, .. }
            | Ask::Take { player, .. }
            | Ask::Shobu { player } => usize::from(self.players[player]),
        })
    }

    /// Answers the question.
    ///
    /// # Errors
    /// `already_over`, `bad_decision` for a word where a card is asked or the other way round, `illegal_decision` for a card
    /// that is not among the candidates. The month is unchanged then.
    pub fn decide(&mut self, decision: Decision) -> Result<(), Error> {
        let Some(ask) = self.ask() else {
            return Err(Error::new("already_over", "the month is over: nothing is asked any more"));
        };
        match (ask, decision) {
            (Ask::Active { .. }, Decision::Say(plays)) => self.seated(plays),
            (Ask::Cancel { player }, Decision::Say(true)) => self.end(End::Cancelled { by: player }),
            (Ask::Cancel { .. }, Decision::Say(false)) => self.start_throw(),
            (Ask::Shobu { player }, Decision::Say(true)) => {
                self.end(End::Stopped { by: player, sage: self.sage });
            }
            (Ask::Shobu { player }, Decision::Say(false)) => {
                self.sage[player] = true;
                self.first_sage = self.first_sage.or(Some(player as u8));
                self.start_turn();
            }
            (Ask::Throw { from, .. } | Ask::Take { from, .. }, Decision::Card(card)) => {
                if !from.has(card) {
                    let message = format!("{card} is not among {from}");
                    return Err(Error::new("illegal_decision", message).hint(format!("possible: {from}")));
                }
                self.decide_card(card);
            }
            (Ask::Throw { from, .. } | Ask::Take { from, .. }, Decision::Say(_)) => {
                return Err(Error::new("bad_decision", "a card is asked for, not yes or no")
                    .hint(format!("possible: {from}")));
            }
            (_, Decision::Card(card)) => {
                return Err(Error::new(
                    "bad_decision",
                    format!("yes or no is asked for, not the card {card}"),
                )
                .hint("true or false"));
            }
        }
        Ok(())
    }

    /// A card that is among the candidates.
    fn decide_card(&mut self, card: Card) {
        match self.phase {
            Phase::Throw => {
                let me = self.player();
                self.hand[me] = self.hand[me].without(card);
                self.window[me] = self.window[me].without(card);
                if self.lay(card, true) {
                    self.phase = Phase::TakeByThrow(card);
                } else {
                    self.draw();
                }
            }
            Phase::TakeByThrow(thrown) => {
                self.take(thrown, card);
                self.draw();
            }
            Phase::TakeByDraw(drawn) => {
                self.take(drawn, card);
                self.end_turn();
            }
            _ => {}
        }
    }

    fn seated(&mut self, plays: bool) {
        let Phase::Active { seat, dropped, playing } = self.phase else { return };
        self.phase = if plays {
            self.players[usize::from(playing)] = seat;
            Phase::Active { seat: seat + 1, dropped, playing: playing + 1 }
        } else {
            let tax = self.house.tax_mon(usize::from(dropped)) << self.index;
            self.cash[usize::from(seat)] -= tax;
            self.pot += tax;
            Phase::Active { seat: seat + 1, dropped: dropped + 1, playing }
        };
        *self = self.seat_them();
    }

    /// What the player can throw: Hand and Window together.
    #[must_use]
    pub fn holds(&self, player: usize) -> Cards {
        self.hand[player] | self.window[player]
    }

    /// The rules played.
    #[must_use]
    pub fn house(&self) -> &House {
        &self.house
    }

    /// Persons at the table.
    #[must_use]
    pub fn seats(&self) -> usize {
        usize::from(self.seats)
    }

    /// The field multiplies by 2^index.
    #[must_use]
    pub fn index(&self) -> u32 {
        u32::from(self.index)
    }

    /// The seats of oya, naka and biki, once they are known.
    #[must_use]
    pub fn players(&self) -> Option<[usize; 3]> {
        (!matches!(self.phase, Phase::Active { .. })).then(|| self.players.map(usize::from))
    }

    /// The hand dealt to a seat.
    #[must_use]
    pub fn dealt(&self, seat: usize) -> Cards {
        self.dealt[seat]
    }

    /// The teyaku of the three players.
    #[must_use]
    pub fn teyaku(&self) -> [Teyaku; 3] {
        self.players.map(|seat| self.house.teyaku_of(self.dealt[usize::from(seat)]))
    }

    /// Completed turns.
    #[must_use]
    pub fn turn(&self) -> usize {
        usize::from(self.turn)
    }

    /// The hidden part of a player's cards.
    #[must_use]
    pub fn hand(&self, player: usize) -> Cards {
        self.hand[player]
    }

    /// The shown part.
    #[must_use]
    pub fn window(&self, player: usize) -> Cards {
        self.window[player]
    }

    /// What the player has taken.
    #[must_use]
    pub fn basket(&self, player: usize) -> Cards {
        self.basket[player]
    }

    /// The face-up cards in the middle.
    #[must_use]
    pub fn table(&self) -> Cards {
        self.table
    }

    /// The cards of the YAMA still to be drawn, top first. Empty until it is known who plays.
    #[must_use]
    pub fn yama(&self) -> &[Card] {
        match self.phase {
            Phase::Active { .. } => &[],
            // While a drawn card looks for a mate it has left the YAMA.
            Phase::TakeByDraw(_) => &self.yama[usize::from(self.turn) + 1..],
            _ => &self.yama[usize::from(self.turn)..],
        }
    }

    /// The card that has been laid and looks for a mate.
    #[must_use]
    pub fn laid(&self) -> Option<Card> {
        match self.phase {
            Phase::TakeByThrow(card) | Phase::TakeByDraw(card) => Some(card),
            _ => None,
        }
    }

    /// Is the laid card a drawn one?
    #[must_use]
    pub fn has_drawn(&self) -> bool {
        matches!(self.phase, Phase::TakeByDraw(_))
    }

    /// Who is in sage.
    #[must_use]
    pub fn sage(&self) -> [bool; 3] {
        self.sage
    }

    /// Who said sage first.
    #[must_use]
    pub fn first_sage(&self) -> Option<usize> {
        self.first_sage.map(usize::from)
    }

    /// The value of each player's dekiyaku at his last turn, in mon before the field.
    #[must_use]
    pub fn made(&self) -> [i64; 3] {
        self.made
    }

    /// What each seat has won or lost this month.
    #[must_use]
    pub fn cash(&self) -> &[i64] {
        &self.cash[..usize::from(self.seats)]
    }

    /// Money on the table.
    #[must_use]
    pub fn pot(&self) -> i64 {
        self.pot
    }

    /// How the month ended.
    #[must_use]
    pub fn ended(&self) -> Option<End> {
        match self.phase {
            Phase::Over(end) => Some(end),
            _ => None,
        }
    }

    /// What the round paid.
    #[must_use]
    pub fn settled(&self) -> Option<&Settlement> {
        self.settled.as_ref()
    }

    /// The month as one seat sees it (seats count from the oya on): whatever it cannot see is replaced by the unseen cards in
    /// ascending order, so nothing hidden is left in it.
    #[must_use]
    pub fn as_seen_by(&self, seat: usize) -> Month {
        let mut month = *self;
        month.order = std::array::from_fn(|id| Card::lowest(1 << id));
        for (other, dealt) in month.dealt.iter_mut().enumerate() {
            if other != seat {
                *dealt = Cards::NONE;
            }
        }
        if matches!(self.phase, Phase::Active { .. }) {
            return month;
        }
        let me = self.players.iter().position(|&player| usize::from(player) == seat);
        let mut unseen = self.unseen(me).iter();
        let mut hands = self.hand;
        for (player, hand) in hands.iter_mut().enumerate() {
            if Some(player) != me {
                *hand = unseen.by_ref().take(hand.count() as usize).collect();
            }
        }
        let yama: Vec<Card> = unseen.collect();
        month.imagine(hands, &yama)
    }

    /// The cards that a player (or somebody who only watches) cannot see: other hands and the YAMA.
    #[must_use]
    pub fn unseen(&self, player: Option<usize>) -> Cards {
        let mut seen = self.table | self.laid().map_or(Cards::NONE, Card::alone);
        for other in 0..3 {
            seen = seen | self.window[other] | self.basket[other];
        }
        ALL - seen - player.map_or(Cards::NONE, |player| self.hand[player])
    }

    /// The same month with other hidden cards: the hands of the players and the rest of the YAMA are replaced.
    #[must_use]
    pub(crate) fn imagine(&self, hand: [Cards; 3], yama: &[Card]) -> Month {
        let mut month = *self;
        month.hand = hand;
        let left = self.yama().len();
        if yama.len() >= left {
            month.yama[TURNS - left..].copy_from_slice(&yama[..left]);
        }
        month
    }
}

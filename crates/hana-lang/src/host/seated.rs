//! Players of crate `hana` inside a program. A player decides on the month as his seat sees it, so a native month is kept in step with the
//! program: it is dealt the same cards, asked the same questions and given the same answers. A program that asks something else than
//! the rules do is told so.

use super::deals::Deal;
use super::table::{Asked, Company, Money};
use hana::House;
use hana::field::Waiting;
use hana::month::{Decision, Month};
use hana::players::Player;
use hana::season::shuffled;

/// Players by person, and the native month beside the program's.
pub struct Seated<'p> {
    players: Vec<Box<dyn Player + 'p>>,
    house: House,
    seed: u64,
    carry: Waiting,
    month: Option<Month>,
    /// Every question with its answer, in order.
    pub log: Vec<(Asked, Decision)>,
}

/// Twelve months ask less than a thousand.
const MOST_QUESTIONS: usize = 100_000;

impl<'p> Seated<'p> {
    /// Players by person, the rules the program is meant to follow, and the seed of the deals.
    #[must_use]
    pub fn new(players: Vec<Box<dyn Player + 'p>>, house: House, seed: u64) -> Seated<'p> {
        Seated { players, house, seed, carry: Waiting::default(), month: None, log: Vec::new() }
    }

    /// The native month, after the first deal.
    #[must_use]
    pub fn month(&self) -> Option<&Month> {
        self.month.as_ref()
    }
}

impl Company for Seated<'_> {
    fn deal(&mut self, month: i64, _: usize, money: Money<'_>) -> Result<Deal, String> {
        let number = usize::try_from(month).unwrap_or(0);
        let seats = self.players.len();
        let (deck, order) = shuffled(self.seed, number, seats);
        let dealt = Month::deal(self.house, seats, &deck, &order, &self.carry, money.pot);
        let (native, carry) = dealt.map_err(|error| error.message)?;
        self.month = Some(native);
        self.carry = carry;
        Ok(Deal::of(&deck, &order, seats))
    }

    fn decide(&mut self, asked: Asked) -> Result<Decision, String> {
        let Some(month) = &mut self.month else { return Err("nothing has been dealt yet".into()) };
        let (Some(ask), Some(seat)) = (month.ask(), month.asked_seat()) else {
            return Err(format!("the program asks {:?}, but by the rules the month is over", asked.ask));
        };
        if ask != asked.ask {
            return Err(format!("the program asks {:?}, but the rules ask {ask:?}", asked.ask));
        }
        let Some(player) = self.players.get_mut(asked.person) else {
            return Err(format!("nobody sits at place {}", asked.person + 1));
        };
        if self.log.len() >= MOST_QUESTIONS {
            return Err(format!("nobody answers more than {MOST_QUESTIONS} questions"));
        }
        let decision = player.decide(&month.as_seen_by(seat), ask);
        month.decide(decision).map_err(|error| error.message)?;
        self.log.push((asked, decision));
        Ok(decision)
    }
}

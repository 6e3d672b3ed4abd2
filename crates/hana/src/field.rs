//! The field: what the lights on the dealt table multiply this month and carry to the next, and which tables are dealt again.

use crate::card::{Card, Cards, LIGHTS};
use crate::house::Carry;

/// The two great lights, Ono no Tofu and the phoenix, double twice.
const GREAT: Cards = Cards(1 << 40 | 1 << 44);

/// The exponents waiting for later months, largest first. There are five lights, but months can pile them up.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Waiting {
    twos: u32,
    ones: u32,
}

impl Waiting {
    /// From a list of ones and twos; anything else is refused.
    #[must_use]
    pub fn from_list(list: &[i64]) -> Option<Waiting> {
        let mut waiting = Waiting::default();
        for &exponent in list {
            match exponent {
                1 => waiting.ones += 1,
                2 => waiting.twos += 1,
                _ => return None,
            }
        }
        Some(waiting)
    }

    /// Largest first.
    #[must_use]
    pub fn list(&self) -> Vec<i64> {
        let mut list = vec![2; self.twos as usize];
        list.extend(std::iter::repeat_n(1, self.ones as usize));
        list
    }

    fn pop(&mut self) -> Option<u32> {
        if self.twos > 0 {
            self.twos -= 1;
            Some(2)
        } else if self.ones > 0 {
            self.ones -= 1;
            Some(1)
        } else {
            None
        }
    }
}

/// The index of this month (the field multiplies by 2^index), and what is carried to the next.
#[must_use]
pub fn field(table: Cards, carry: &Waiting, mode: Carry) -> (u32, Waiting) {
    let twos = (table & GREAT).count();
    let ones = ((table & LIGHTS) - GREAT).count();
    let own = Waiting { twos, ones };
    match mode {
        Carry::None => (own.clone().pop().unwrap_or(0), Waiting::default()),
        Carry::Paper => {
            let first = |waiting: &Waiting| waiting.clone().pop().unwrap_or(0);
            let next = match (twos, ones) {
                (2.., _) => Waiting { twos: 1, ones: 0 },
                (_, 2..) => Waiting { twos: 0, ones: 1 },
                _ => Waiting::default(),
            };
            (first(carry).max(first(&own)), next)
        }
        Carry::Queue => {
            let mut queue = carry.clone();
            match queue.pop() {
                Some(index) => (index, Waiting { twos: queue.twos + twos, ones: queue.ones + ones }),
                None => {
                    let mut rest = own;
                    let index = rest.pop().unwrap_or(0);
                    (index, rest)
                }
            }
        }
    }
}

/// The most cards of one month on a table.
#[must_use]
pub fn max_same(table: Cards) -> u32 {
    (1..=12).map(|month| (table & Cards::month(month)).count()).max().unwrap_or(0)
}

/// Must the table be dealt again, because it shows all four cards of a month?
#[must_use]
pub fn redeal(table: Cards) -> bool {
    max_same(table) == 4
}

/// Cards that the printed take-one rule leaves on the table at the end: two of every three, all of every four.
#[must_use]
pub fn stranded_if_take_one(table: Cards) -> u32 {
    (1..=12)
        .map(|month| match (table & Cards::month(month)).count() {
            3 => 2,
            4 => 4,
            _ => 0,
        })
        .sum()
}

/// The lights of a table in words.
#[must_use]
pub fn lights_in_words(table: Cards) -> String {
    let lights: Vec<String> = (table & LIGHTS).iter().map(Card::words).collect();
    if lights.is_empty() { "no light".into() } else { lights.join(", ") }
}

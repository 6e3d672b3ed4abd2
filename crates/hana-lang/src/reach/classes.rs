//! The deal classes of a reduced deck: a month for every card of the hands (ascending inside a hand) and of the YAMA; the rest lies on the table.
//! Cards of a month are given out in order of their letters, so each class is met once. Tables with a complete month are not dealt.

use crate::host::deals::{Deal, SEATS};
use kachi_core::Error;

/// A reduced deck for three players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reduced {
    months: Vec<u8>,
    hand: usize,
}

/// The first month of the default decks: from there on no dekiyaku can be made with few months, so nothing stops a round.
const FROM: u8 = 4;

impl Reduced {
    /// So many months, from the fourth on, and hands of so many cards.
    ///
    /// # Errors
    /// `bad_deck` if the cards do not suffice.
    pub fn of(months: usize, hand: usize) -> Result<Reduced, Error> {
        let last = FROM.saturating_add(u8::try_from(months).unwrap_or(u8::MAX)).saturating_sub(1);
        Reduced::new((FROM..=last).collect(), hand)
    }

    /// These months, and hands of so many cards.
    ///
    /// # Errors
    /// `bad_deck` if there is no such month, one is there twice, or the cards do not suffice.
    pub fn new(months: Vec<u8>, hand: usize) -> Result<Reduced, Error> {
        let bad = |message: String| {
            Err(Error::new("bad_deck", message)
                .at_field("months")
                .hint("3 months with hands of 2: 6 cards in hand, 6 in the YAMA, none on the table"))
        };
        if let Some(month) = months.iter().find(|month| !(1..=12).contains(*month)) {
            return bad(format!("there is no month {month}"));
        }
        if let Some((i, month)) = months.iter().enumerate().find(|&(i, month)| months[..i].contains(month)) {
            return bad(format!("month {month} is there twice, also at place {}", i + 1));
        }
        if hand == 0 || 6 * hand > 4 * months.len() {
            let cards = 4 * months.len();
            return bad(format!(
                "{cards} cards are not enough for three hands of {hand} and a YAMA of {}",
                3 * hand
            ));
        }
        Ok(Reduced { months, hand })
    }

    /// The months.
    #[must_use]
    pub fn months(&self) -> &[u8] {
        &self.months
    }

    /// Cards of a hand.
    #[must_use]
    pub fn hand(&self) -> usize {
        self.hand
    }

    /// Visits every class, until `visit` says stop by `false`.
    pub fn classes(&self, visit: &mut dyn FnMut(&Deal) -> bool) {
        self.go(&mut Vec::new(), visit);
    }

    fn go(&self, chosen: &mut Vec<usize>, visit: &mut dyn FnMut(&Deal) -> bool) -> bool {
        let place = chosen.len();
        if place == 6 * self.hand {
            return self.deal(chosen).is_none_or(|deal| visit(&deal));
        }
        let in_hands = place < 3 * self.hand;
        let from = if in_hands && !place.is_multiple_of(self.hand) { chosen[place - 1] } else { 0 };
        for month in from..self.months.len() {
            if chosen.iter().filter(|&&other| other == month).count() < 4 {
                chosen.push(month);
                let go_on = self.go(chosen, visit);
                chosen.pop();
                if !go_on {
                    return false;
                }
            }
        }
        true
    }

    /// The deal of a class; none if a month lies on the table complete.
    fn deal(&self, chosen: &[usize]) -> Option<Deal> {
        let mut given = vec![0_u8; self.months.len()];
        let mut ids = Vec::with_capacity(chosen.len());
        for &month in chosen {
            ids.push(4 * (self.months[month] - 1) + given[month]);
            given[month] += 1;
        }
        if given.contains(&0) {
            return None;
        }
        let set = |ids: &[u8]| ids.iter().fold(0_u64, |bits, id| bits | 1 << id);
        let mut hands = [0; SEATS];
        for (player, hand) in hands.iter_mut().enumerate().take(3) {
            *hand = set(&ids[player * self.hand..(player + 1) * self.hand]);
        }
        let order = ids[3 * self.hand..].to_vec();
        let yama = set(&order);
        let deck = self.months.iter().fold(0_u64, |bits, month| bits | 0b1111 << (4 * (month - 1)));
        Some(Deal { hands, table: deck & !set(&ids), yama, order })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_classes_are_as_many_as_the_native_engine_counts() {
        for (months, hand, classes) in [(2, 1, 50), (3, 1, 540), (3, 2, 9_000)] {
            let mut count = 0;
            Reduced::of(months, hand).unwrap().classes(&mut |deal| {
                assert_eq!(deal.check(3), Ok(()));
                count += 1;
                true
            });
            assert_eq!(count, classes, "{months} months, {hand} cards");
        }
    }

    #[test]
    fn decks_that_are_none_are_refused() {
        for (months, hand) in
            [(vec![0], 1), (vec![4, 4], 1), (vec![4, 13], 1), (vec![4], 1), (vec![4, 5], 0), (vec![], 1)]
        {
            assert_eq!(Reduced::new(months.clone(), hand).unwrap_err().code, "bad_deck", "{months:?} {hand}");
        }
        assert!(Reduced::of(1_000, 1).is_err());
        assert!(Reduced::of(9, usize::MAX / 6).is_err());
    }
}

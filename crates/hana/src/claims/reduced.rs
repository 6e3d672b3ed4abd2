//! Reduced decks: 2 months with hands of one card (50 deal classes), 3 months with hands of one (540) and of two (9,000), 4 months with hands
//! of two (1,454,880). A class is a deal up to renaming cards inside a month.

use super::{Check, KACHI};
use crate::card::{Card, Cards};
use crate::search::open::{Open, OpenGame, Stage};
use crate::search::points;
use kachi_core::{Budget, Counterexample, Findings, Game, Statement};

const DECKS: &str = "reduced decks, months x hand: size 1 = 2 x 1, 2 = 3 x 1, 3 = 3 x 2, 4 = 4 x 2; every deal class without a complete \
                     month on the table";

/// Months and cards a hand.
fn deck(size: u32) -> Option<(usize, usize)> {
    match size {
        1 => Some((2, 1)),
        2 => Some((3, 1)),
        3 => Some((3, 2)),
        4 => Some((4, 2)),
        _ => None,
    }
}

/// Visits every deal class that begins with `chosen`: a month for each hand card (ascending within a hand) and each card of the YAMA.
fn go(months: usize, hand: usize, chosen: &mut Vec<usize>, visit: &mut dyn FnMut(&Open)) {
    if chosen.len() == 6 * hand {
        if let Some(open) = class(months, hand, chosen) {
            visit(&open);
        }
        return;
    }
    let place = chosen.len();
    // Inside a hand the months ascend.
    let from = if place < 3 * hand && !place.is_multiple_of(hand) { chosen[place - 1] } else { 0 };
    for month in from..months {
        if chosen.iter().filter(|&&other| other == month).count() < 4 {
            chosen.push(month);
            go(months, hand, chosen, visit);
            chosen.pop();
        }
    }
}

/// The deal in which cards of a month are given out in order; the rest lies on the table.
fn class(months: usize, hand: usize, chosen: &[usize]) -> Option<Open> {
    let mut next = vec![0_u8; months];
    let mut cards = Vec::new();
    for &month in chosen {
        cards.push(Card::new(month as u8 + 1, next[month])?);
        next[month] += 1;
    }
    if next.contains(&0) {
        // All four on the table.
        return None;
    }
    let table: Cards = (0..months)
        .flat_map(|month| (next[month]..4).filter_map(move |letter| Card::new(month as u8 + 1, letter)))
        .collect();
    let hands =
        std::array::from_fn(|player| cards[player * hand..(player + 1) * hand].iter().copied().collect());
    Some(Open { hands, table, yama: cards[3 * hand..].to_vec(), sweep: true })
}

/// The part of a size's classes that belongs to a shard: those with this first hand card.
fn in_shard(size: u32, shard: u32, visit: &mut dyn FnMut(&Open)) {
    if let Some((months, hand)) = deck(size) {
        let mut chosen = vec![shard as usize];
        go(months, hand, &mut chosen, visit);
    }
}

fn shards(size: u32) -> u32 {
    deck(size).map_or(1, |(months, _)| months as u32)
}

pub(super) static BIKI_ALL_PLAY: Check = Check {
    statement: Statement::holds(
        "biki-all-play",
        KACHI,
        "Against every play of everybody, biki takes the card that he holds to the end.",
        Some("hana/Round.biki_theorem"),
        DECKS,
        3,
    ),
    shards,
    largest: 4,
    check: |size, shard, findings| {
        in_shard(size, shard, &mut |open| {
            for held in open.hands()[2].iter() {
                let takes = always_takes(&Stage::new(open), held);
                findings.record(takes, || Counterexample {
                    position: open.to_string(),
                    words: format!("biki holds {held} to the end and does not take it"),
                });
            }
        });
    },
};

/// Every play with `hold(x)` ends with x in biki's Basket.
fn always_takes(stage: &Stage, held: Card) -> bool {
    if let Some(baskets) = OpenGame.ending(stage) {
        return baskets[2].has(held);
    }
    let biki = stage.turn % 3 == 2;
    OpenGame
        .moves(stage)
        .iter()
        .filter(|turn| !(biki && turn.throw == Some(held) && stage.hands[2].count() > 1))
        .all(|turn| always_takes(&OpenGame.play(stage, turn), held))
}

pub(super) static BIKI_POINTS: Check = Check {
    statement: Statement::holds(
        "biki-points",
        KACHI,
        "Biki's points are at least the best, over his cards x, of the value of x and the least value among the other three of its month.",
        None,
        DECKS,
        3,
    ),
    shards,
    largest: 4,
    check: |size, shard, findings| {
        in_shard(size, shard, &mut |open| record_points(open, findings));
    },
};

fn record_points(open: &Open, findings: &mut Findings) {
    let least = |card: Card| Cards::mates(card).without(card).iter().map(Card::value).min().unwrap_or(0);
    let bound = open.hands()[2].iter().map(|card| card.value() + least(card)).max().unwrap_or(0);
    let points = points::guaranteed(open, 2, &mut Budget::default()).unwrap_or(0);
    findings.record(points >= bound, || Counterexample {
        position: open.to_string(),
        words: format!("biki can guarantee {points} points, the statement says {bound}"),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_classes_are_as_many_as_counted_by_hand() {
        for (months, hand, classes) in [(2, 1, 50), (3, 1, 540), (3, 2, 9_000)] {
            let mut count = 0;
            go(months, hand, &mut Vec::new(), &mut |_| count += 1);
            assert_eq!(count, classes, "{months} months, {hand} cards");
        }
    }
}

//! Which cards are safe for which seat. Cards of other months only pass the time, so exact search over all places of one or two months is
//! complete for the full deck. A counterexample is shown as a whole deal.

use super::{Check, KACHI, one_shard};
use crate::card::{ALL, Card, Cards, DECK};
use crate::search::open::Open;
use crate::search::sets::{View, secures};
use kachi_core::{Budget, Counterexample, Findings, Statement};

const PLACES: &str = "month 1 at every place of the full deck: table, three hands, 21 positions of the YAMA; best play of the seat \
                      against both others with all cards open";

/// Where a card can be: the table, a hand, or a position of the YAMA.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Table,
    Hand(usize),
    Yama(usize),
}

const TURNS: usize = 21;

fn everywhere() -> impl Iterator<Item = Place> + Clone {
    std::iter::once(Place::Table).chain((0..3).map(Place::Hand)).chain((0..TURNS).map(Place::Yama))
}

/// A view with these cards at these places; `None` if two are at one place of the YAMA.
fn view(cards: &[(u64, Place)]) -> Option<View> {
    let mut view = View { hands: [0; 3], counts: [7; 3], table: 0, yama: vec![0; TURNS], sweep: true };
    for &(card, place) in cards {
        match place {
            Place::Table => view.table |= card,
            Place::Hand(player) => view.hands[player] |= card,
            Place::Yama(t) if view.yama[t] == 0 => view.yama[t] = card,
            Place::Yama(_) => return None,
        }
    }
    Some(view)
}

/// A whole deal that looks like the view: other cards are filled in so that no month lies complete on the table.
pub(super) fn completed(view: &View) -> Open {
    let placed = view.hands.iter().chain(&view.yama).fold(view.table, |bits, card| bits | card);
    let months = Cards(placed).iter().fold(Cards::NONE, |all, card| all | Cards::mates(card));
    // By letter, so that neighbours are of different months.
    let mut others: Vec<Card> = (ALL - months).iter().collect();
    others.sort_by_key(|card| (card.letter(), card.month()));
    let mut fillers = others.into_iter();
    let mut some = |count: usize| fillers.by_ref().take(count).collect::<Vec<Card>>();
    let fill = |cards: u64, more: Vec<Card>| -> Vec<Card> { Cards(cards).iter().chain(more).collect() };
    let table = fill(view.table, some(6_usize.saturating_sub(view.table.count_ones() as usize)));
    let hands = view.hands.map(|hand| fill(hand, some(7_usize.saturating_sub(hand.count_ones() as usize))));
    let yama: Vec<Card> = view
        .yama
        .iter()
        .filter_map(|&card| if card == 0 { some(1).pop() } else { Some(Card::lowest(card)) })
        .collect();
    debug_assert_eq!(table.len() + 21 + yama.len(), DECK, "a whole deal");
    Open {
        hands: hands.map(|hand| hand.into_iter().collect()),
        table: table.into_iter().collect(),
        yama,
        sweep: view.sweep,
    }
}

/// Records whether `seat` can secure the wanted cards in this view.
fn record(cards: &[(u64, Place)], seat: usize, wanted: u64, findings: &mut Findings) {
    let Some(view) = view(cards) else { return };
    if view.table.count_ones() == 4 {
        return;
    }
    let safe = secures(&view, seat, Cards(wanted), &mut Budget::default()).unwrap_or(false);
    findings.record(safe, || Counterexample {
        position: completed(&view).to_string(),
        words: format!("{} cannot make sure of {}", ["oya", "naka", "biki"][seat], Cards(wanted)),
    });
}

/// Three other cards of the month at all places, once for each way to tell them apart.
fn three_others(seat: usize, wanted: u64, first: u64, findings: &mut Findings) {
    for (i, a) in everywhere().enumerate() {
        for (j, b) in everywhere().enumerate().skip(i) {
            for c in everywhere().skip(j) {
                record(&[(first, Place::Hand(seat)), (2, a), (4, b), (8, c)], seat, wanted, findings);
            }
        }
    }
}

pub(super) static OYA: Check = Check {
    statement: Statement::refuted(
        "erratum-oya",
        KACHI,
        "The BIKI theorem for oya: with best play and all cards open, oya can make sure of any one card of his hand.",
        "biki",
        PLACES,
        1,
    ),
    shards: one_shard,
    largest: 1,
    check: |_, _, findings| three_others(0, 1, 1, findings),
};

pub(super) static NAKA: Check = Check {
    statement: Statement::refuted(
        "erratum-naka",
        KACHI,
        "The BIKI theorem for naka: with best play and all cards open, naka can make sure of any one card of his hand.",
        "biki",
        PLACES,
        1,
    ),
    shards: one_shard,
    largest: 1,
    check: |_, _, findings| three_others(1, 1, 1, findings),
};

pub(super) static TWO_OF_A_MONTH: Check = Check {
    statement: Statement::refuted(
        "erratum-two-of-a-month",
        KACHI,
        "Biki can make sure of any two cards of one month of his hand.",
        "biki",
        PLACES,
        1,
    ),
    shards: one_shard,
    largest: 1,
    check: |_, _, findings| {
        for (i, a) in everywhere().enumerate() {
            for b in everywhere().skip(i) {
                record(&[(1, Place::Hand(2)), (2, Place::Hand(2)), (4, a), (8, b)], 2, 3, findings);
            }
        }
    },
};

pub(super) static TWO_MONTHS: Check = Check {
    statement: Statement::refuted(
        "erratum-two-months",
        KACHI,
        "Biki can make sure of any two cards of different months of his hand.",
        "biki",
        "months 1 and 2, their six other cards on the table or in the hands of oya and naka; full deck, all cards open",
        1,
    ),
    shards: one_shard,
    largest: 1,
    check: |_, _, findings| {
        let places = [Place::Table, Place::Hand(0), Place::Hand(1)];
        for code in 0..3_usize.pow(6) {
            let place = |i: u32| places[code / 3_usize.pow(i) % 3];
            // Cards of one month that are alike stand in one order only.
            let sorted = |i: u32| {
                let rank = |i: u32| code / 3_usize.pow(i) % 3;
                rank(i) <= rank(i + 1) && rank(i + 1) <= rank(i + 2)
            };
            if !sorted(0) || !sorted(3) {
                continue;
            }
            let cards = [
                (1, Place::Hand(2)),
                (1 << 4, Place::Hand(2)),
                (1 << 1, place(0)),
                (1 << 2, place(1)),
                (1 << 3, place(2)),
                (1 << 5, place(3)),
                (1 << 6, place(4)),
                (1 << 7, place(5)),
            ];
            record(&cards, 2, 1 | 1 << 4, findings);
        }
    },
};

pub(super) static FOURTH: Check = Check {
    statement: Statement::holds(
        "safe-fourth",
        KACHI,
        "Any seat takes the fourth card of a month with three on the dealt table.",
        None,
        PLACES,
        1,
    ),
    shards: one_shard,
    largest: 1,
    check: |_, _, findings| {
        for seat in 0..3 {
            let others = [(1, Place::Hand(seat)), (2, Place::Table), (4, Place::Table), (8, Place::Table)];
            record(&others, seat, 1, findings);
        }
    },
};

pub(super) static FOUR: Check = Check {
    statement: Statement::holds(
        "safe-four",
        KACHI,
        "Any seat takes all four cards of a month in its hand.",
        None,
        PLACES,
        1,
    ),
    shards: one_shard,
    largest: 1,
    check: |_, _, findings| {
        for seat in 0..3 {
            record(&[1, 2, 4, 8].map(|card| (card, Place::Hand(seat))), seat, 15, findings);
        }
    },
};

/// Three of a month in one hand, the fourth anywhere.
fn three_in_hand(seat: usize, wanted: u64, findings: &mut Findings) {
    for fourth in everywhere() {
        let mine = Place::Hand(seat);
        record(&[(1, mine), (2, mine), (4, mine), (8, fourth)], seat, wanted, findings);
    }
}

pub(super) static THREE: Check = Check {
    statement: Statement::holds(
        "safe-three",
        KACHI,
        "Any seat with three cards of a month takes any chosen one of them.",
        None,
        PLACES,
        1,
    ),
    shards: one_shard,
    largest: 1,
    check: |_, _, findings| (0..3).for_each(|seat| three_in_hand(seat, 1, findings)),
};

pub(super) static THREE_BIKI: Check = Check {
    statement: Statement::holds(
        "safe-three-biki",
        KACHI,
        "Biki with three cards of a month takes any chosen two.",
        None,
        PLACES,
        1,
    ),
    shards: one_shard,
    largest: 1,
    check: |_, _, findings| three_in_hand(2, 3, findings),
};

pub(super) static OYA_MATE: Check = Check {
    statement: Statement::holds(
        "safe-oya-mate",
        KACHI,
        "Oya takes any one card of his hand that has a mate on the dealt table.",
        None,
        PLACES,
        1,
    ),
    shards: one_shard,
    largest: 1,
    check: |_, _, findings| {
        for (i, a) in everywhere().enumerate() {
            for b in everywhere().skip(i) {
                record(&[(1, Place::Hand(0)), (2, Place::Table), (4, a), (8, b)], 0, 1, findings);
            }
        }
    },
};

//! The Lemma, Windows and BIKI through the month view: complete for the full deck. That a full state projects to its month views is
//! checked on random full rounds.

use super::safe::completed;
use super::{Check, KACHI, PAPER, one_shard};
use crate::card::{Card, Cards};
use crate::house::{House, Stop};
use crate::month::{Ask, Decision, Month};
use crate::players::simple::Random;
use crate::search::sets::View;
use crate::season::shuffled;
use crate::theory::projection::{LAST_THROW, MOMENTS, Places, biki_takes_held, choices, lay, left_over};
use kachi_core::{Counterexample, Findings, Statement};

const SCHEDULES: &str = "size - 1 cards of one month still to come; every choice of their moments among the 21 throws and 21 draws";

pub(super) static LEMMA: Check = Check {
    statement: Statement::holds(
        "lemma",
        PAPER,
        "A round that runs to turn 21 takes all cards of a month iff at most three of them lay on the table at the deal (sweep rule).",
        Some("hana/Round.lemma_48"),
        SCHEDULES,
        5,
    ),
    shards: one_shard,
    largest: 5,
    check: |size, _, findings| {
        let coming = size.saturating_sub(1);
        if coming > 4 {
            return;
        }
        choices(coming as usize, &|_| true, &mut |moments| {
            let on_table = 4 - coming;
            let cleared = left_over(on_table, moments.len() as u32, true) == 0;
            findings.record(cleared == (on_table <= 3), || example(on_table, true));
        });
    },
};

pub(super) static TAKE_ONE: Check = Check {
    statement: Statement::refuted(
        "erratum-take-one",
        PAPER,
        "As printed: every flower is taken, although a card that finds three mates on the table takes only one of them.",
        "lemma",
        "size cards of one month still to come, the others on the dealt table; all moments",
        4,
    ),
    shards: one_shard,
    largest: 4,
    check: |size, _, findings| {
        if size > 4 {
            return;
        }
        choices(size as usize, &|_| true, &mut |moments| {
            let on_table = 4 - size;
            let cleared = left_over(on_table, moments.len() as u32, false) == 0;
            findings.record(cleared, || example(on_table, false));
        });
    },
};

/// A full deal with so many cards of month 1 on the table, the others with oya.
fn example(on_table: u32, sweep: bool) -> Counterexample {
    let cards: Vec<u64> = (0..4).map(|letter| 1 << letter).collect();
    let table = cards.iter().take(on_table as usize).sum();
    let hand = cards.iter().skip(on_table as usize).sum();
    let view = View { hands: [hand, 0, 0], counts: [7; 3], table, yama: vec![0; 21], sweep };
    let left = left_over(on_table, 4 - on_table, sweep);
    Counterexample {
        position: completed(&view).to_string(),
        words: format!("{on_table} pines lie on the dealt table; after the round {left} are still there"),
    }
}

pub(super) static WINDOWS: Check = Check {
    statement: Statement::holds(
        "windows-table-first",
        KACHI,
        "Windows, anybody's, never leave a card on the table when a thrown card takes from the table first.",
        Some("hana/Round.lemma_48"),
        "every way to put the four cards of a month at the eight places with at most three on the table, every order and choice",
        1,
    ),
    shards: one_shard,
    largest: 1,
    check: |_, _, findings| {
        for places in Places::all() {
            findings.record(!places.can_strand(false), || window_example(places));
        }
    },
};

pub(super) static FREE_WINDOW: Check = Check {
    statement: Statement::refuted(
        "erratum-free-window",
        PAPER,
        "As printed: every flower is taken, although a thrown card may take from a Window while a mate lies on the table.",
        "windows-table-first",
        "every way to put the four cards of a month at the eight places with at most three on the table, every order and choice",
        1,
    ),
    shards: one_shard,
    largest: 1,
    check: |_, _, findings| {
        for places in Places::all() {
            findings.record(!places.can_strand(true), || window_example(places));
        }
    },
};

fn window_example(places: Places) -> Counterexample {
    let mut cards = (0..4).map(|letter| 1_u64 << letter);
    let mut some = |count: u8| cards.by_ref().take(usize::from(count)).sum::<u64>();
    let table = some(places.table);
    let hands = std::array::from_fn(|player| some(places.hand[player] + places.window[player]));
    let yama = (0..21).map(|t| some(u8::from(t < places.yama))).collect();
    let view = View { hands, counts: [7; 3], table, yama, sweep: true };
    Counterexample {
        position: completed(&view).to_string(),
        words: format!(
            "{} pines lie on the table; of oya, naka, biki {:?} are shown and {:?} hidden in hand: a shown card is taken \
             while two mates lie on the table, and these stay there",
            places.table, places.window, places.hand
        ),
    }
}

pub(super) static BIKI: Check = Check {
    statement: Statement::holds(
        "biki",
        PAPER,
        "If the round runs to turn 21 and nothing is taken from biki's own Window, biki takes any one card of his hand that he never throws \
         while another is left: against any play, any order of the YAMA, without seeing anything.",
        Some("hana/Round.biki_48"),
        "size - 1 of the three other cards of the month still to come; every choice of their moments (11,522 schedules in all)",
        4,
    ),
    shards: one_shard,
    largest: 4,
    check: |size, _, findings| {
        let coming = size.saturating_sub(1);
        if coming > 3 {
            return;
        }
        choices(coming as usize, &|moment| moment != LAST_THROW, &mut |moments| {
            let takes = biki_takes_held(3 - coming, moments);
            findings.record(takes, || Counterexample {
                position: String::new(),
                words: format!("{} mates on the table, others laid at moments {moments:?}", 3 - coming),
            });
        });
    },
};

pub(super) static SIMULATION: Check = Check {
    statement: Statement::holds(
        "month-view",
        KACHI,
        "A full state projects to its twelve month views: what a laid card takes depends only on the number of its mates on the table.",
        None,
        "100 size random full rounds of `modern` without stops, every laid card",
        10,
    )
    .sampled(),
    shards: one_shard,
    largest: u32::MAX,
    check: |size, _, findings| {
        for round in 0..100 {
            simulate(u64::from(size) * 1_000 + round, findings);
        }
    },
};

/// Plays a random round beside its twelve month views.
fn simulate(seed: u64, findings: &mut Findings) {
    let house = House { stop: Stop::Never, ..House::MODERN };
    let (deck, order) = shuffled(seed, 1, 3);
    let Ok((mut month, _)) = Month::deal(house, 3, &deck, &order, &crate::field::Waiting::default(), 0)
    else {
        return;
    };
    let mut random = Random::new(seed);
    let on_table = |month: &Month, card: Card| (month.table() & Cards::mates(card)).count();
    let mut views: Vec<u32> = deck.iter().map(|&card| on_table(&month, card)).collect();
    let index = |card: Card| deck.iter().position(|&other| other.month() == card.month()).unwrap_or(0);
    for _ in 0..MOMENTS * 2 {
        let Some(ask) = month.ask() else { break };
        let turn = month.turn();
        let drawn = month.yama().first().copied();
        let before = month;
        let decision = random.answer(ask);
        if month.decide(decision).is_err() {
            return;
        }
        if let (Ask::Throw { .. }, Decision::Card(card)) = (ask, decision) {
            let view = &mut views[index(card)];
            *view = lay(*view, true).0;
            if let Some(drawn) = drawn {
                let view = &mut views[index(drawn)];
                *view = lay(*view, true).0;
            }
        }
        // Between two turns the views must show the table.
        if month.turn() > turn {
            let agree = deck.iter().all(|&card| views[index(card)] == on_table(&month, card));
            findings.record(agree, || Counterexample {
                position: format!("modern:3@{seed}"),
                words: format!(
                    "after turn {} the views and the table {} differ",
                    month.turn(),
                    before.table()
                ),
            });
        }
    }
}

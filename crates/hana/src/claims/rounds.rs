//! Whole rounds: the 88 theorem, termination, and what a stop or a Window of biki's own breaks.

use super::{Check, PAPER, one_shard};
use crate::card::{ALL, Card, Cards, DECK, TOTAL};
use crate::field::Waiting;
use crate::house::{House, Preset, Stop};
use crate::month::{Ask, Decision, Month, TURNS};
use crate::players::simple::{Hold, Random};
use crate::players::{Player, play};
use crate::season::{Season, shuffled};
use crate::settle::End;
use kachi_core::Counterexample;
use kachi_core::Statement;

const ROUNDS: &str = "100 size random rounds by seed, three random players";

fn dealt(house: House, seed: u64) -> Option<Month> {
    let (deck, order) = shuffled(seed, 1, 3);
    Month::deal(house, 3, &deck, &order, &Waiting::default(), 0).ok().map(|(month, _)| month)
}

/// A random round, played to its end.
fn random_round(house: House, seed: u64) -> Option<Month> {
    let mut month = dealt(house, seed)?;
    let mut random = Random::new(seed);
    while let Some(ask) = month.ask() {
        month.decide(random.answer(ask)).ok()?;
    }
    Some(month)
}

fn seeds(size: u32) -> impl Iterator<Item = u64> {
    (0..100).map(move |i| u64::from(size.saturating_sub(1)) * 100 + i)
}

fn baskets(month: &Month) -> [Cards; 3] {
    std::array::from_fn(|player| month.basket(player))
}

pub(super) static EIGHTY_EIGHT: Check = Check {
    statement: Statement::holds(
        "88",
        PAPER,
        "A round that runs to turn 21 leaves 264 = 3 x 88 points in the three Baskets, which all have an even number of cards.",
        None,
        ROUNDS,
        20,
    )
    .sampled(),
    shards: one_shard,
    largest: u32::MAX,
    check: |size, _, findings| {
        for seed in seeds(size) {
            for (preset, house) in [(Preset::Modern, House::MODERN), (Preset::Paper, House::PAPER)] {
                let Some(month) = random_round(House { stop: Stop::Never, ..house }, seed) else { continue };
                let baskets = baskets(&month);
                let points: i64 = baskets.iter().map(|basket| basket.points()).sum();
                let even = baskets.iter().all(|basket| basket.count() % 2 == 0);
                findings.record(points == TOTAL && even, || Counterexample {
                    position: format!("{}:3@{seed}", preset.name()),
                    words: format!("the Baskets hold {points} points: {baskets:?}"),
                });
            }
        }
    },
};

pub(super) static EIGHTY_EIGHT_STOPPED: Check = Check {
    statement: Statement::refuted(
        "erratum-88-stopped",
        PAPER,
        "As printed, without conditions: after every round the three Baskets hold 264 points.",
        "88",
        ROUNDS,
        1,
    )
    .sampled(),
    shards: one_shard,
    largest: u32::MAX,
    check: |size, _, findings| {
        for seed in seeds(size) {
            let Some(month) = random_round(House::PAPER, seed) else { continue };
            let points: i64 = baskets(&month).iter().map(|basket| basket.points()).sum();
            findings.record(points == TOTAL, || Counterexample {
                position: format!("paper:3@{seed}"),
                words: format!("Battari after turn {} leaves {points} points in the Baskets", month.turn()),
            });
        }
    },
};

pub(super) static TERMINATION: Check = Check {
    statement: Statement::holds(
        "termination",
        PAPER,
        "A round has exactly 21 turns unless it is stopped, and a game has its 12 months, whatever is decided.",
        None,
        "10 size random games of 3 to 6 seats by seed, both presets",
        5,
    )
    .sampled(),
    shards: one_shard,
    largest: u32::MAX,
    check: |size, _, findings| {
        for i in 0..10 {
            let seed = u64::from(size) * 10 + i;
            let seats = 3 + (i % 4) as usize;
            for preset in [Preset::Modern, Preset::Paper] {
                let ends = random_season(preset, seats, seed);
                findings.record(ends, || Counterexample {
                    position: format!("{}:{seats}@{seed}", preset.name()),
                    words: "the game does not end as it should".into(),
                });
            }
        }
    },
};

/// Plays a random game; every month must end in time and move no money out of the room.
fn random_season(preset: Preset, seats: usize, seed: u64) -> bool {
    // 6 times active, 21 times cancel, throw, take, take and shobu.
    const MOST_QUESTIONS: usize = 6 + TURNS * 5;
    let Ok(mut season) = Season::new(preset, seats, seed) else { return false };
    let mut random = Random::new(seed);
    for _ in 0..MOST_QUESTIONS * 12 {
        let Some(ask) = season.ask() else { break };
        if season.decide(random.answer(ask)).is_err() || season.decisions().len() > MOST_QUESTIONS {
            return false;
        }
    }
    let month = season.month();
    let in_time = month.turn() == TURNS || !matches!(month.ended(), Some(End::RanOut { .. }));
    season.is_over()
        && season.sheet().len() == 12
        && in_time
        && season.purses().iter().sum::<i64>() + month.pot() == 0
}

pub(super) static BIKI_STOPPED: Check = Check {
    statement: Statement::refuted(
        "erratum-biki-stopped",
        PAPER,
        "As printed, without conditions: biki takes the card that he holds to the end, also with Battari.",
        "biki",
        "100 size rounds of `paper` by seed; oya and naka random, biki holds his best card; no Window of his own",
        3,
    )
    .sampled(),
    shards: one_shard,
    largest: u32::MAX,
    check: |size, _, findings| {
        for seed in seeds(size) {
            let Some(mut month) = dealt(House::PAPER, seed) else { continue };
            if !month.window(2).is_empty() {
                continue;
            }
            let best = month.hand(2).iter().max_by_key(|card| card.value());
            let Some(held) = best else { continue };
            let (mut oya, mut naka, mut biki) =
                (Random::new(seed), Random::new(seed + 1_000_000), Hold::card(held));
            play(&mut month, &mut [&mut oya as &mut dyn Player, &mut naka, &mut biki]);
            findings.record(month.basket(2).has(held), || Counterexample {
                position: format!("paper:3@{seed}"),
                words: format!("the round is stopped after turn {}: biki still holds {held}", month.turn()),
            });
        }
    },
};

pub(super) static BIKI_WINDOW: Check = Check {
    statement: Statement::refuted(
        "erratum-biki-window",
        PAPER,
        "As printed, without conditions: biki takes the card that he holds to the end, also when he has shown six kasu that can be taken.",
        "biki",
        "one deal of `paper` without Battari; every order in which biki can throw his seven cards (5,040)",
        1,
    ),
    shards: one_shard,
    largest: 1,
    check: |_, _, findings| {
        let mut cards: Vec<Card> = BIKI_HAND.iter().map(|&(month, letter)| card(month, letter)).collect();
        permutations(&mut cards, 0, &mut |order| {
            let Some(month) = against_window(order) else { return };
            findings.record(month.basket(2).has(card(1, 0)), || Counterexample {
                position: open_deal().to_string(),
                words: "biki shows the kasu of months 2 to 7 and hides 1a. Oya takes 2c with 2d on turn 1, so biki runs out of cards \
                        early; oya's 1b is paired by naka's 1c, and naka keeps 1d: 1a is lost in every order of throwing"
                    .into(),
            });
        });
    },
};

const BIKI_HAND: [(u8, u8); 7] = [(1, 0), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2), (7, 2)];
const OYA_HAND: [(u8, u8); 7] = [(2, 3), (1, 1), (8, 1), (9, 1), (10, 1), (11, 1), (12, 1)];
const NAKA_HAND: [(u8, u8); 7] = [(1, 2), (1, 3), (8, 2), (9, 2), (10, 2), (11, 2), (12, 0)];
const TABLE: [(u8, u8); 6] = [(8, 3), (9, 3), (10, 3), (11, 3), (12, 3), (3, 0)];

fn card(month: u8, letter: u8) -> Card {
    Card::new(month, letter).unwrap_or_else(|| Card::lowest(1))
}

/// The deck of the counterexample.
fn deck() -> [Card; DECK] {
    let given: Vec<Card> = [&OYA_HAND[..], &NAKA_HAND, &BIKI_HAND, &TABLE]
        .concat()
        .into_iter()
        .map(|(month, letter)| card(month, letter))
        .collect();
    let used: Cards = given.iter().copied().collect();
    let rest: Vec<Card> = (ALL - used).iter().collect();
    std::array::from_fn(|i| given.get(i).or_else(|| rest.get(i - given.len())).copied().unwrap_or(card(1, 0)))
}

fn open_deal() -> crate::search::open::Open {
    let deck = deck();
    let set = |from: usize, to: usize| deck[from..to].iter().copied().collect();
    crate::search::open::Open {
        hands: [set(0, 7), set(7, 14), set(14, 21)],
        table: set(21, 27),
        yama: deck[27..].to_vec(),
        sweep: true,
    }
}

fn permutations(cards: &mut Vec<Card>, from: usize, visit: &mut dyn FnMut(&[Card])) {
    if from == cards.len() {
        visit(cards);
        return;
    }
    for i in from..cards.len() {
        cards.swap(from, i);
        permutations(cards, from + 1, visit);
        cards.swap(from, i);
    }
}

/// The round of the counterexample with biki throwing in this order.
fn against_window(order: &[Card]) -> Option<Month> {
    let deck = deck();
    let house = House { stop: Stop::Never, ..House::PAPER };
    let (mut month, _) = Month::deal(house, 3, &deck, &deck, &Waiting::default(), 0).ok()?;
    let [a, b, c, d] = [0, 1, 2, 3].map(|letter| card(1, letter));
    while let Some(ask) = month.ask() {
        let decision = match ask {
            Ask::Throw { player: 2, from } => *order.iter().find(|&&card| from.has(card))?,
            Ask::Throw { player: 0, from } if month.table().has(a) && from.has(b) => b,
            Ask::Throw { player: 0, from } => {
                OYA_HAND.iter().map(|&(m, l)| card(m, l)).find(|&card| from.has(card))?
            }
            Ask::Throw { from, .. } => naka_throws(&month, from, [a, b, c, d])?,
            Ask::Take { from, .. } if from.has(a) => a,
            Ask::Take { from, .. } => from.iter().next()?,
            _ => return None,
        };
        month.decide(Decision::Card(decision)).ok()?;
    }
    Some(month)
}

/// Naka pairs oya's 1b with 1c, takes 1a whenever it lies there, and otherwise keeps his pines.
fn naka_throws(month: &Month, from: Cards, [a, b, c, d]: [Card; 4]) -> Option<Card> {
    if from.has(c) && (month.table().has(b) || month.table().has(a)) {
        return Some(c);
    }
    if from.has(d) && month.table().has(a) {
        return Some(d);
    }
    from.without(c)
        .without(d)
        .iter()
        .next()
        .or_else(|| from.without(d).iter().next())
        .or(from.has(d).then_some(d))
}

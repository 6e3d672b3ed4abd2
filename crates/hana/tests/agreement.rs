//! The fast solvers against the slow definitions, on endings of random rounds, reduced decks and the deals of the theory page.

#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

use hana::bench::{ending, open_deal};
use hana::card::{ALL, Cards};
use hana::house::Stop;
use hana::search::money::{self, Purse};
use hana::search::open::{Open, OpenGame, Stage};
use hana::search::{expected, points, sets};
use hana::settle::{End, settle};
use hana::{Card, House};
use kachi_core::solve::{Aim, Outcome, by_memo};
use kachi_core::{Budget, Game, Seat};

/// The seat takes all these cards.
struct Takes(usize, Cards);

impl Aim<OpenGame> for Takes {
    fn in_team(&self, seat: Seat) -> bool {
        seat.0 == self.0
    }
    fn fulfilled(&self, ending: &[Cards; 3]) -> bool {
        ending[self.0].includes(self.1)
    }
}

/// Plain minimax, no merging, no bounds, no memory.
fn minimax(stage: &Stage, seat: usize) -> i64 {
    if let Some(baskets) = OpenGame.ending(stage) {
        return baskets[seat].points();
    }
    let values = OpenGame.moves(stage).into_iter().map(|turn| minimax(&OpenGame.play(stage, &turn), seat));
    if stage.turn % 3 == seat { values.max().unwrap() } else { values.min().unwrap() }
}

#[test]
fn points_agree_with_plain_minimax() {
    for seed in 0..40 {
        let open = ending(seed, 1 + seed as usize % 2);
        for seat in 0..3 {
            let fast = points::guaranteed(&open, seat, &mut Budget::default()).unwrap();
            assert_eq!(fast, minimax(&Stage::new(&open), seat), "{open} seat {seat}");
        }
    }
    for seed in 0..3 {
        let open = ending(seed, 3);
        for seat in 0..3 {
            let fast = points::guaranteed(&open, seat, &mut Budget::default()).unwrap();
            assert_eq!(fast, minimax(&Stage::new(&open), seat), "{open} seat {seat}");
        }
    }
}

#[test]
fn points_agree_when_one_of_three_is_taken() {
    // Month 1 lies on the table threefold; the printed rule strands two of its cards.
    let open: Open = "1d,2a/3a,4a/5a,6a@1a,1b,1c,2b,3b,4b:7a,7b,8a,8b,9a,9b:one".parse().unwrap();
    for seat in 0..3 {
        let fast = points::guaranteed(&open, seat, &mut Budget::default()).unwrap();
        assert_eq!(fast, minimax(&Stage::new(&open), seat), "seat {seat}");
    }
}

#[test]
fn sets_agree_with_the_slow_solver() {
    for seed in 0..30 {
        let open = ending(seed, 2);
        for seat in 0..3 {
            let hand: Vec<Card> = open.hands()[seat].iter().collect();
            for mask in 1_usize..1 << hand.len() {
                let wanted: Cards = (0..hand.len()).filter(|i| mask >> i & 1 == 1).map(|i| hand[i]).collect();
                let slow =
                    by_memo(&OpenGame, &Takes(seat, wanted), &Stage::new(&open), &mut Budget::default());
                let fast = sets::guarantees(&open, seat, wanted, &mut Budget::default()).unwrap();
                assert_eq!(fast, slow.unwrap() == Outcome::Forced, "{open} seat {seat} {wanted}");
            }
        }
    }
}

/// The expectation times k!, by the definition: every order of the YAMA, no memory.
fn expectation(hands: [Cards; 3], table: Cards, yama: Cards, turn: usize, seat: usize) -> i128 {
    let k = yama.count();
    if k == 0 {
        return 0;
    }
    let factorial = |k: u32| (1..=i128::from(k)).product::<i128>();
    let lay = |table: Cards, card: Card| -> Vec<(Cards, i64)> {
        let mates = table & Cards::mates(card);
        match mates.count() {
            0 => vec![(table.with(card), 0)],
            3 => vec![(table - mates, mates.with(card).points())],
            _ => mates.iter().map(|mate| (table.without(mate), mate.value() + card.value())).collect(),
        }
    };
    let mover = turn % 3;
    let mine = mover == seat;
    let pick =
        |values: Vec<i128>| if mine { values.into_iter().max() } else { values.into_iter().min() }.unwrap();
    let gain = |points: i64, k: u32| if mine { i128::from(points) * factorial(k) } else { 0 };
    let draws = |hands: [Cards; 3], table: Cards| -> i128 {
        yama.iter()
            .map(|card| {
                pick(
                    lay(table, card)
                        .into_iter()
                        .map(|(table, points)| {
                            gain(points, k - 1)
                                + expectation(hands, table, yama.without(card), turn + 1, seat)
                        })
                        .collect(),
                )
            })
            .sum()
    };
    if hands[mover].is_empty() {
        return draws(hands, table);
    }
    let mut values = Vec::new();
    for card in hands[mover].iter() {
        let mut next = hands;
        next[mover] = next[mover].without(card);
        for (table, points) in lay(table, card) {
            values.push(gain(points, k) + draws(next, table));
        }
    }
    pick(values)
}

#[test]
fn expectations_agree_with_every_order_of_the_yama() {
    for seed in 0..8 {
        let open = ending(seed, 1 + seed as usize % 2);
        let yama: Cards = open.yama().iter().copied().collect();
        let orders: i128 = (1..=open.yama().len() as i128).product();
        for seat in 0..3 {
            let slow = expectation(open.hands(), open.table(), yama, 0, seat);
            let fast = expected::expected(&open, seat, &mut Budget::default()).unwrap();
            assert_eq!(
                slow * fast.denominator as i128,
                fast.numerator as i128 * orders,
                "{open} seat {seat}"
            );
        }
    }
}

/// Money by the definition, with Battari or sage, shobu and cancel.
fn money_slow(purse: &Purse, stage: &Stage, said: ([bool; 3], Option<usize>), seat: usize) -> i64 {
    let baskets: [Cards; 3] = std::array::from_fn(|n| purse.baskets[n] | stage.baskets[n]);
    let pays = |baskets: &[Cards; 3], end| settle(&purse.house, baskets, purse.index, end).net[seat];
    if OpenGame.ending(stage).is_some() {
        return pays(&baskets, End::RanOut { first_sage: said.1 });
    }
    let mover = stage.turn % 3;
    let better = |a: i64, b: i64| if mover == seat { a.max(b) } else { a.min(b) };
    let mut values = Vec::new();
    if said.0[mover] {
        values.push(pays(&baskets, End::Cancelled { by: mover }));
    }
    for turn in OpenGame.moves(stage) {
        let next = OpenGame.play(stage, &turn);
        let now: [Cards; 3] = std::array::from_fn(|n| purse.baskets[n] | next.baskets[n]);
        let (was, is) = (purse.house.dekiyaku_mon(baskets[mover]), purse.house.dekiyaku_mon(now[mover]));
        values.push(match purse.house.stop {
            Stop::Battari if is > 0 => pays(&now, End::Stopped { by: mover, sage: [false; 3] }),
            Stop::Sage if is > was => {
                let stopped = pays(&now, End::Stopped { by: mover, sage: said.0 });
                let mut on = said;
                on.0[mover] = true;
                on.1 = on.1.or(Some(mover));
                better(stopped, money_slow(purse, &next, on, seat))
            }
            _ => money_slow(purse, &next, said, seat),
        });
    }
    values.into_iter().reduce(better).unwrap()
}

#[test]
fn money_agrees_with_the_definition_in_both_presets() {
    let mut stops = 0;
    for seed in 0..60 {
        let open = ending(seed, 1 + seed as usize % 2);
        // What is not in play has been taken, lights and ribbons by one player so that dekiyaku are near.
        let taken = ALL - open.cards();
        let strong: Cards = taken.iter().filter(|card| card.value() != 1 && card.value() != 10).collect();
        let baskets = [strong, taken - strong, Cards::NONE];
        let baskets =
            [baskets[seed as usize % 3], baskets[(seed as usize + 1) % 3], baskets[(seed as usize + 2) % 3]];
        let nobody = ([false; 3], None);
        // Whoever has a dekiyaku may be in sage.
        let made = baskets.map(|basket| House::MODERN.dekiyaku_mon(basket) > 0);
        let in_sage = (made, made.iter().position(|&made| made));
        for (house, said) in [(House::PAPER, nobody), (House::MODERN, nobody), (House::MODERN, in_sage)] {
            let purse = Purse { open: open.clone(), baskets, index: seed as u32 % 3, house, said };
            stops += usize::from(said.1.is_some());
            for seat in 0..3 {
                let fast = money::guaranteed(&purse, seat, &mut Budget::default()).unwrap();
                let slow = money_slow(&purse, &Stage::new(&open), said, seat);
                assert_eq!(fast, slow, "{open} {baskets:?} seat {seat} {:?} {said:?}", house.stop);
            }
        }
    }
    assert!(stops > 10, "some players are in sage");
}

#[test]
fn who_is_in_sage_cancels_before_another_stops_the_round() {
    // Oya has akatan and is in sage; naka will make aotan with 10b and say shobu, and oya alone would pay double.
    let open: Open = "12b/10b/8c@10c,12c,8d,4d:5c,5d,4c".parse().unwrap();
    let set = |text: &str| text.split(' ').map(|name| name.parse::<Card>().unwrap()).collect::<Cards>();
    let (oya, naka) = (set("1b 1c 2b 2c 3b 3c"), set("6b 6c 9b 9c"));
    let baskets = [oya, naka, ALL - open.cards() - oya - naka];
    let house = House::MODERN;
    for (said, net) in [(([true, false, false], Some(0)), 84), (([false; 3], None), -84)] {
        let purse = Purse { open: open.clone(), baskets, index: 0, house, said };
        assert_eq!(money::guaranteed(&purse, 0, &mut Budget::default()).unwrap(), net, "{said:?}");
        assert_eq!(money_slow(&purse, &Stage::new(&open), said, 0), net, "{said:?}");
    }
}

/// A whole deal in which the players hold these cards and the rest is filled in.
fn deal_with(held: [&str; 3]) -> Open {
    let hands =
        held.map(|names| names.split(' ').map(|name| name.parse::<Card>().unwrap()).collect::<Vec<_>>());
    let used: Cards = hands.iter().flatten().copied().collect();
    let months: Cards = used.iter().fold(Cards::NONE, |all, card| all | Cards::mates(card));
    let mut others: Vec<Card> = (ALL - used - months).iter().chain((months - used).iter()).collect();
    others.sort_by_key(|card| (months.has(*card), card.letter(), card.month()));
    let mut others = others.into_iter();
    let table: Vec<Card> = others.by_ref().take(6).collect();
    let hands = hands.map(|mut hand| {
        hand.extend(others.by_ref().take(7 - hand.len()));
        hand
    });
    Open::new(&hands, &table, &others.collect::<Vec<_>>(), true).unwrap()
}

#[test]
fn the_counterexample_deals_of_the_theory_page_are_confirmed_on_whole_deals() {
    let safe = |held: [&str; 3], seat: usize, wanted: &str| {
        let wanted: Cards = wanted.split(' ').map(|name| name.parse::<Card>().unwrap()).collect();
        sets::guarantees(&deal_with(held), seat, wanted, &mut Budget::default()).unwrap()
    };
    assert!(!safe(["1a", "1b 1d", "1c"], 0, "1a"), "oya");
    assert!(!safe(["1c", "1a", "1b 1d"], 1, "1a"), "naka");
    assert!(!safe(["1b 2b 1d", "1c 2c 2d", "1a 2a"], 2, "1a 2a"), "two months");
    assert!(!safe(["1c", "1d", "1a 1b"], 2, "1a 1b"), "two of a month");
    assert!(safe(["1c", "1d", "1a 1b"], 2, "1a"), "but any one is safe for biki");
}

#[test]
fn every_card_of_biki_is_safe_on_whole_deals() {
    for seed in 0..20 {
        let open = open_deal(seed);
        for card in open.hands()[2].iter() {
            assert!(
                sets::guarantees(&open, 2, card.alone(), &mut Budget::default()).unwrap(),
                "{open} {card}"
            );
        }
    }
}

#[test]
fn a_small_budget_is_respected_and_says_what_is_known() {
    let limits = kachi_core::Limits { nodes: 1_000, ..kachi_core::Limits::default() };
    let error = hana::contract::endgame_of(&open_deal(1), &mut Budget::new(limits)).unwrap_err();
    assert_eq!(error.code, "out_of_budget");
    assert!(error.known.is_some());
    // A small table of bounds is slower and gives the same answer.
    let small = kachi_core::Limits { bytes: 1 << 14, ..kachi_core::Limits::default() };
    let open = ending(5, 5);
    for seat in 0..3 {
        let tight = points::guaranteed(&open, seat, &mut Budget::new(small)).unwrap();
        assert_eq!(tight, points::guaranteed(&open, seat, &mut Budget::default()).unwrap());
    }
    let long = "//@:".to_owned() + &ALL.to_string();
    let error = expected::expected(&long.parse::<Open>().unwrap(), 0, &mut Budget::default()).unwrap_err();
    assert_eq!(error.code, "too_large");
}

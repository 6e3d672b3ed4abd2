//! Refuting lines are accepted by their checker, and tampered ones are not; what is called certain is certain; the pictures are there.

#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

use hana::bench::ending;
use hana::card::ALL;
use hana::month::{Ask, Month};
use hana::picture::cards::{contact_sheet, document};
use hana::players::simple::{Hold, Random};
use hana::players::{Player, play};
use hana::search::open::Open;
use hana::search::{points, sets};
use hana::season::shuffled;
use hana::theory::sure::{Theorem, sure};
use hana::why::{Refutation, refutation};
use hana::{Card, Cards, House};
use kachi_core::Budget;
use kachi_core::surface::Entry;

#[test]
fn refutations_pass_their_checker_and_tampered_ones_do_not() {
    let mut found = 0;
    for seed in 0..30 {
        let open = ending(seed, 3);
        for seat in 0..3 {
            for card in open.hands()[seat].iter() {
                let safe = sets::guarantees(&open, seat, card.alone(), &mut Budget::default()).unwrap();
                let refuted = refutation(&open, seat, card.alone(), &mut Budget::default()).unwrap();
                assert_eq!(refuted.is_none(), safe, "{open} {seat} {card}");
                let Some(refuted) = refuted else { continue };
                assert_eq!(refuted.check(&open), Ok(card));
                found += 1;
                let shorter =
                    Refutation { line: refuted.line[..refuted.line.len() - 1].to_vec(), ..refuted.clone() };
                assert!(shorter.check(&open).is_err(), "the last turn is needed");
                let mut illegal = refuted.clone();
                illegal.line[0].throw = (ALL - open.hands()[0]).iter().next();
                assert!(illegal.check(&open).is_err(), "a card from nowhere");
                let other = Refutation { wanted: Cards::NONE, ..refuted };
                assert!(other.check(&open).is_err(), "nothing was hoped for");
            }
        }
    }
    assert!(found > 20, "{found} refutations");
}

#[test]
fn what_is_certain_by_the_biki_theorem_comes_true() {
    for seed in 0..50 {
        let (deck, order) = shuffled(seed, 1, 3);
        let house = House { stop: hana::house::Stop::Never, ..House::MODERN };
        let (mut month, _) = Month::deal(house, 3, &deck, &order, &Default::default(), 0).unwrap();
        let certain = sure(&month, 2);
        let biki = certain.iter().find(|sure| sure.theorem == Theorem::Biki).unwrap();
        let least = |card: Card| Cards::mates(card).without(card).iter().map(Card::value).min().unwrap();
        let best = month.hand(2).iter().max_by_key(|&card| card.value() + least(card)).unwrap();
        let (mut oya, mut naka, mut hold) = (Random::new(seed), Random::new(seed + 99), Hold::card(best));
        play(&mut month, &mut [&mut oya as &mut dyn Player, &mut naka, &mut hold]);
        assert!(month.basket(2).points() >= biki.points, "seed {seed}");
        assert!(month.basket(2).has(best));
    }
}

#[test]
fn everything_called_certain_is_guaranteed_by_exact_search() {
    let mut lines = std::collections::BTreeMap::new();
    for seed in 0..120 {
        let (deck, order) = shuffled(seed, 1, 3);
        let house = House { stop: hana::house::Stop::Never, ..House::MODERN };
        let (mut month, _) = Month::deal(house, 3, &deck, &order, &Default::default(), 0).unwrap();
        let mut random = Random::new(seed);
        while let Some(ask) = month.ask() {
            if let Ask::Throw { player: mover, .. } = ask {
                let list = |cards: Cards| cards.iter().collect::<Vec<Card>>();
                let hands = [0, 1, 2].map(|i| list(month.holds((mover + i) % 3)));
                let open = Open::new(&hands, &list(month.table()), month.yama(), true).unwrap();
                for player in 0..3 {
                    let seat = (player + 3 - mover) % 3;
                    for sure in sure(&month, player) {
                        let cards = list(sure.cards);
                        for mask in (0_u32..1 << cards.len()).filter(|mask| mask.count_ones() == sure.any) {
                            let chosen: Cards =
                                (0..cards.len()).filter(|i| mask >> i & 1 == 1).map(|i| cards[i]).collect();
                            let safe = sets::guarantees(&open, seat, chosen, &mut Budget::default()).unwrap();
                            assert!(safe, "{open} seat {seat}: {chosen} by {:?}", sure.theorem);
                        }
                        if month.yama().len() <= 9 {
                            let points = points::guaranteed(&open, seat, &mut Budget::default()).unwrap();
                            assert!(points >= sure.points, "{open} seat {seat}: {points} by {sure:?}");
                        }
                        *lines.entry(sure.theorem.name()).or_insert(0) += 1;
                    }
                }
            }
            month.decide(random.answer(ask)).unwrap();
        }
    }
    assert_eq!(lines.len(), 6, "every theorem was met: {lines:?}");
}

#[test]
fn the_contact_sheet_in_the_docs_is_the_one_drawn_here() {
    let on_file = include_str!("../../../docs/hana-cards.svg");
    assert!(
        on_file == contact_sheet(),
        "docs/hana-cards.svg is not what picture::cards::contact_sheet draws"
    );
}

#[test]
fn forty_eight_cards_are_drawn_differently() {
    let mut drawings: Vec<String> = ALL.iter().map(document).collect();
    assert!(
        drawings
            .iter()
            .all(|svg| svg.starts_with("<svg ")
                && svg.matches("<svg").count() == svg.matches("</svg>").count())
    );
    // Titles tell cards apart; without them only the drawing does.
    let bare: std::collections::BTreeSet<String> =
        drawings.drain(..).map(|svg| svg.split("</title>").nth(1).unwrap_or_default().to_owned()).collect();
    assert_eq!(bare.len(), 48);
}

#[test]
fn boards_have_pictures_and_reports() {
    for example in hana::ENTRY.about().examples {
        let board = hana::ENTRY.board(example.position).unwrap();
        let svg = board.svg(&mut Budget::default()).unwrap();
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        let report = board.report(&mut Budget::default()).unwrap();
        assert!(report.best.is_some() && !report.reason.is_empty(), "{}", example.position);
        assert_eq!(report.standing.len(), board.seats().len());
        let answer = board.answer(&mut Budget::default()).unwrap();
        assert!(serde_json::from_str::<serde_json::Value>(&answer).unwrap().is_object());
    }
}

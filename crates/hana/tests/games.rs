//! Whole games: invariants after every decision, streams of decisions, replays, notation, house rules.

#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

use hana::card::{ALL, Cards};
use hana::month::{Ask, Decision, Month};
use hana::players::contest::contest;
use hana::players::simple::{Greedy, Hold, Random};
use hana::players::solver::Solver;
use hana::players::{Player, play, sampled::Sampled};
use hana::replay::Replay;
use hana::season::{Season, shuffled};
use hana::settle::End;
use hana::{Card, House, Preset};
use kachi_core::surface::Entry;
use kachi_core::{Budget, Seat};
use proptest::prelude::*;

/// Every card is at exactly one place; Baskets are even; money stays in the room.
fn invariants(month: &Month, pot_before: i64) {
    assert_eq!(month.cash().iter().sum::<i64>() + month.pot(), pot_before, "money");
    if month.players().is_none() {
        return;
    }
    let mut seen = Cards::NONE;
    let mut put = |cards: Cards| {
        assert!((seen & cards).is_empty(), "{cards} is at two places");
        seen = seen | cards;
    };
    for player in 0..3 {
        put(month.hand(player));
        put(month.window(player));
        put(month.basket(player));
        assert_eq!(month.basket(player).count() % 2, 0, "an even Basket");
    }
    put(month.table());
    put(month.yama().iter().copied().collect());
    put(month.laid().map_or(Cards::NONE, Card::alone));
    assert_eq!(seen, ALL, "no card is lost");
    let drawn = usize::from(month.has_drawn());
    assert_eq!(month.yama().len(), 21 - month.turn() - drawn);
    if let Some(End::RanOut { .. }) = month.ended() {
        let points: i64 = (0..3).map(|player| month.basket(player).points()).sum();
        assert_eq!(points, 264, "the 88 theorem");
        assert!(month.table().is_empty(), "the Lemma");
    }
}

#[test]
fn random_games_keep_all_invariants() {
    for seed in 0..60 {
        let preset = if seed % 2 == 0 { Preset::Modern } else { Preset::Paper };
        let mut season = Season::new(preset, 3 + seed as usize % 4, seed).unwrap();
        let mut random = Random::new(seed);
        let mut pot = 0;
        let mut months = 0;
        while let Some(ask) = season.ask() {
            if season.sheet().len() > months {
                months = season.sheet().len();
                pot = season.month().pot();
            }
            season.decide(random.answer(ask)).unwrap();
            if season.sheet().len() == months {
                invariants(season.month(), pot);
            }
        }
        assert_eq!(season.sheet().len(), 12);
        assert_eq!(season.purses().iter().sum::<i64>() + season.month().pot(), 0);
    }
}

#[test]
fn sage_shobu_and_cancel_are_paid_as_the_rules_say() {
    let mut seen = std::collections::BTreeMap::new();
    for seed in 0..6_000 {
        let (deck, order) = shuffled(seed, 1, 3);
        let (mut month, _) = Month::deal(House::MODERN, 3, &deck, &order, &Default::default(), 0).unwrap();
        let mut random = Random::new(seed);
        let (mut sage, mut first, mut last) = ([false; 3], None, None);
        while let Some(ask) = month.ask() {
            let decision = match ask {
                Ask::Cancel { player } => {
                    assert!(sage[player], "only who is in sage can cancel");
                    // Rarely, so that some rounds run out.
                    Decision::Say(seed % 4 == 0)
                }
                Ask::Shobu { .. } => {
                    Decision::Say(seed % 3 == 0 && random.answer(ask) == Decision::Say(true))
                }
                _ => Greedy::answer(&month, ask),
            };
            if let (Ask::Shobu { player }, Decision::Say(false)) = (ask, decision) {
                sage[player] = true;
                first = first.or(Some(player));
            }
            last = Some((ask, decision));
            month.decide(decision).unwrap();
        }
        let paid = *month.settled().unwrap();
        let value: [i64; 3] =
            std::array::from_fn(|player| House::MODERN.dekiyaku_mon(month.basket(player)) << month.index());
        let mut net = [0; 3];
        let mut both_pay = |to: usize, amount: i64| {
            for (player, purse) in net.iter_mut().enumerate() {
                *purse += if player == to { 2 * amount } else { -amount };
            }
        };
        let kind = match last.unwrap() {
            (Ask::Shobu { player }, Decision::Say(true)) => {
                let others: Vec<usize> = (0..3).filter(|&other| other != player).collect();
                let waiting: Vec<usize> = others.into_iter().filter(|&other| sage[other]).collect();
                assert_eq!(paid.winner, Some(player));
                match waiting.as_slice() {
                    [one] => {
                        net[player] = 2 * value[player];
                        net[*one] = -2 * value[player];
                        "shobu against sage"
                    }
                    _ => {
                        both_pay(player, value[player]);
                        "shobu"
                    }
                }
            }
            (Ask::Cancel { player }, Decision::Say(true)) => {
                assert_eq!(paid.winner, Some(player));
                both_pay(player, value[player] / 2);
                "cancel"
            }
            _ if first.is_some() => {
                assert_eq!(paid.winner, first, "the first to have said sage wins a round that ran out");
                (0..3).for_each(|player| both_pay(player, value[player] / 2));
                if sage.iter().filter(|&&sage| sage).count() > 1 {
                    "ran out, two in sage"
                } else {
                    "ran out in sage"
                }
            }
            _ => continue,
        };
        assert_eq!(paid.net, net, "seed {seed}: {kind}");
        *seen.entry(kind).or_insert(0) += 1;
    }
    assert!(seen.len() == 5 && seen.values().all(|&count| count > 3), "every way to end was met: {seen:?}");
}

#[test]
fn a_season_is_one_line_of_text() {
    let mut season = Season::new(Preset::Modern, 4, 9).unwrap();
    let mut random = Random::new(3);
    for step in 0..300 {
        let Some(ask) = season.ask() else { break };
        season.decide(random.answer(ask)).unwrap();
        if step % 7 == 0 {
            let text = season.to_string();
            let again: Season = text.parse().unwrap();
            assert_eq!(again.to_string(), text);
            assert_eq!(again.month(), season.month(), "{text}");
            assert_eq!(again.purses(), season.purses());
        }
    }
}

#[test]
fn replays_round_trip_and_step_both_ways() {
    let mut season = Season::new(Preset::Paper, 3, 21).unwrap();
    let mut random = Random::new(5);
    for _ in 0..30 {
        let ask = season.ask().unwrap();
        season.decide(random.answer(ask)).unwrap();
    }
    let replay = season.replay().unwrap();
    let json = replay.to_json();
    assert_eq!(Replay::read(&json).unwrap(), replay);
    let mut steps = replay.steps().unwrap();
    let first = *steps.now();
    let mut count = 0;
    while steps.forward() {
        count += 1;
    }
    assert_eq!(count, season.decisions().len());
    assert_eq!(steps.now(), season.month());
    while steps.back() {}
    assert_eq!(*steps.now(), first);
    let broken = json.replace("\"choices\":[\"", "\"choices\":[true,\"");
    assert_eq!(Replay::read(&broken).unwrap_err().code, "bad_decision");
}

#[test]
fn nobody_can_peek() {
    for seed in 0..20 {
        let (deck, order) = shuffled(seed, 1, 3);
        let (mut month, _) = Month::deal(House::MODERN, 3, &deck, &order, &Default::default(), 0).unwrap();
        let mut random = Random::new(seed);
        while let (Some(ask), Some(seat)) = (month.ask(), month.asked_seat()) {
            let seen = month.as_seen_by(seat);
            assert_eq!(seen.ask(), Some(ask), "the question is the same");
            assert_eq!(seen.as_seen_by(seat), seen, "nothing hidden is left");
            let player = month.players().unwrap().iter().position(|&i| i == seat).unwrap();
            for other in (0..3).filter(|&other| other != player) {
                assert_eq!(seen.hand(other).count(), month.hand(other).count());
            }
            assert_eq!(seen.yama().len(), month.yama().len());
            month.decide(random.answer(ask)).unwrap();
        }
    }
}

#[test]
fn hold_takes_its_card_whenever_the_round_runs_out() {
    let mut ran_out = 0;
    for seed in 0..300 {
        let (deck, order) = shuffled(seed, 1, 3);
        let (mut month, _) = Month::deal(House::MODERN, 3, &deck, &order, &Default::default(), 0).unwrap();
        let held = month.hand(2).iter().nth(seed as usize % 7).unwrap();
        let (mut oya, mut naka, mut biki) = (Random::new(seed), Greedy, Hold::card(held));
        play(&mut month, &mut [&mut oya as &mut dyn Player, &mut naka, &mut biki]);
        if matches!(month.ended(), Some(End::RanOut { .. })) {
            assert!(month.basket(2).has(held), "seed {seed}: {held}");
            ran_out += 1;
        }
    }
    assert!(ran_out > 200);
}

#[test]
fn the_good_player_beats_greedy_players() {
    let found =
        contest(House::MODERN, 0..200, &|seed| Box::new(Sampled::with(seed, 32, 3)), &|_| Box::new(Greedy));
    assert_eq!(found.months, 600);
    assert!(found.mean > found.half_width, "clearly above zero: {found:?}");
}

#[test]
fn the_solver_backed_player_beats_random_players() {
    let found = contest(House::MODERN, 0..60, &|seed| Box::new(Solver::new(seed)), &|seed| {
        Box::new(Random::new(seed))
    });
    assert!(found.mean > found.half_width, "clearly above zero: {found:?}");
}

#[test]
fn equal_players_win_nothing_from_each_other() {
    // The same three players in every seat: what one wins another loses, to the last mon.
    let found = contest(House::PAPER, 0..50, &|_| Box::new(Greedy), &|_| Box::new(Greedy));
    assert_eq!(found.mean, 0.0);
}

#[test]
fn a_board_can_be_played_to_the_end_of_a_game() {
    let mut board = hana::ENTRY.deal(4);
    let mut moves = 0;
    while board.mover().is_some() {
        // The notation gives the same board, and a viewer sees only his own hand.
        let again = hana::ENTRY.board(&board.notation()).unwrap();
        assert_eq!(again.notation(), board.notation());
        let report = if moves % 40 == 0 { Some(board.report(&mut Budget::default()).unwrap()) } else { None };
        let mv = match report {
            Some(report) => report.moves[report.best.unwrap()].mv.clone(),
            None => {
                let hint = board.play("nothing").err().unwrap().hint.unwrap();
                hint.rsplit(' ').next().unwrap().to_owned()
            }
        };
        board = board.play(&mv).unwrap();
        moves += 1;
    }
    assert!(board.ended().is_some());
    assert!(board.drawing(Seat(0)).contains("sum"), "the score sheet is shown");
    assert!(moves > 200);
}

#[test]
fn a_viewer_sees_only_his_own_hand() {
    let season = Season::new(Preset::Modern, 3, 7).unwrap();
    let board = hana::ENTRY.board("modern:3@7").unwrap();
    for viewer in 0..3 {
        let text = board.drawing(Seat(viewer));
        let words: Vec<&str> = text.split_whitespace().collect();
        for player in 0..3 {
            for card in season.month().hand(player).iter() {
                assert_eq!(words.contains(&card.to_string().as_str()), player == viewer, "{card} {viewer}");
            }
        }
    }
}

#[test]
fn house_rules_are_read_written_and_refused_with_a_place() {
    for house in [House::MODERN, House::PAPER] {
        assert_eq!(House::read(&house.to_toml()).unwrap(), house);
    }
    for (text, code) in [
        ("kan = 11", "rules_conflict"),
        ("kan = \"twelve\"", "bad_house_rules"),
        ("months = 5", "rules_conflict"),
        ("tax = [1, 2]", "bad_house_rules"),
        ("tax = [1, 1.25, 2]", "bad_house_rules"),
        ("three = \"one\"", "rules_conflict"),
        ("window = \"free\"", "rules_conflict"),
        ("stop = \"sometimes\"", "bad_house_rules"),
        ("[dekiyaku]\ntable = \"89\"", "bad_house_rules"),
        ("preset = ", "bad_house_rules"),
    ] {
        let error = House::read(text).unwrap_err();
        assert_eq!(error.code, code, "{text}: {error}");
        assert!(error.at.is_some(), "{text}: the error should say where");
    }
    let house = House::read("preset = \"paper\"\nthree = \"one\"\nwindow = \"free\"\nfuke_void = \"always\"")
        .unwrap();
    assert_eq!(house.kan, 10);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_stream_of_decisions_is_answered(seed in 0_u64..1_000, stream in prop::collection::vec(0_u8..52, 0..160)) {
        let preset = if seed % 2 == 0 { Preset::Modern } else { Preset::Paper };
        let mut season = Season::new(preset, 3 + (seed % 4) as usize, seed).unwrap();
        for code in stream {
            let before = season.month().to_owned();
            let decision = Card::from_id(code).map_or(Decision::Say(code % 2 == 0), Decision::Card);
            match season.ask() {
                None => break,
                Some(ask) => {
                    if season.decide(decision).is_err() {
                        prop_assert_eq!(season.month(), &before, "a refused decision changes nothing");
                        // Go on with a legal one, so that streams get somewhere.
                        let legal = match ask {
                            Ask::Throw { from, .. } | Ask::Take { from, .. } => Decision::Card(from.iter().next().unwrap()),
                            _ => Decision::Say(true),
                        };
                        season.decide(legal).unwrap();
                    }
                }
            }
        }
    }

    #[test]
    fn any_house_rules_text_is_read_or_refused(text in "[a-z_0-9=\" \\[\\]\\.,\n]{0,120}") {
        let _ = House::read(&text);
    }

    #[test]
    fn any_notation_is_read_or_refused(text in "(modern|paper)?[0-9a-d:@/,. \\-]{0,60}") {
        if let Ok(board) = hana::ENTRY.board(&text) {
            let again = hana::ENTRY.board(&board.notation()).unwrap();
            prop_assert_eq!(again.notation(), board.notation());
        }
    }
}

#[test]
fn a_house_plays_by_its_own_rules_and_needs_them_to_go_on() {
    use kachi_core::surface::Entry;
    let rules = "preset = \"modern\"\nmonths = 1\nkan = 10";
    let mut board = hana::ENTRY.board_by_rules(rules, None, 5).unwrap();
    assert!(board.notation().starts_with("house:3@5"), "{}", board.notation());
    assert_eq!(hana::ENTRY.board(&board.notation()).err().unwrap().code, "no_house_rules");
    let mut months = 0;
    while board.ended().is_none() {
        let report = board.report(&mut kachi_core::Budget::default()).unwrap();
        board = board.play(&report.moves[0].mv).unwrap();
        if board.ended().is_none() {
            let again = hana::ENTRY.board_by_rules(rules, Some(&board.notation()), 0).unwrap();
            assert_eq!(again.notation(), board.notation());
        }
        months += 1;
        assert!(months < 60, "one month only");
    }
    assert_eq!(hana::ENTRY.board_by_rules("kan = 11", None, 5).err().unwrap().code, "rules_conflict");
}

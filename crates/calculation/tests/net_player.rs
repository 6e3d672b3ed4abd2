//! The net player: legal games, lookahead as it is defined, and no choice that is known to be lost.

#![allow(clippy::unwrap_used)]

use calculation::dead::{self, Verdict};
use calculation::deal::Deck;
use calculation::net::{Evaluator, Net};
use calculation::notation;
use calculation::players::net::{NetOptions, NetPlayer, Second, Width};
use calculation::players::pace::{Meter, Pace, TABLE_WORK};
use calculation::players::rollout::Rollouts;
use calculation::players::{GameRecord, Player, play_deck};
use calculation::position::{Position, Rank};
use calculation::rules::{Move, Rules};
use calculation::turn::Turn;

/// A table in the middle of the game, and one near its end.
const TABLES: [&str; 2] = ["4494/997T7AT6/JQ2Q78Q/5", "A4Q3/KKKQK976/49J9T/7JT58A7565"];

/// The chance one draw ahead as it is defined: rank by rank, way by way, each table alone.
fn slowly_ahead(rules: &Rules, table: &Position) -> f64 {
    let mut evaluator = Evaluator::new(Net::embedded(rules.stacks()).unwrap());
    let mut sum = 0.0;
    for rank in (0..13).filter_map(Rank::new).filter(|rank| table.unseen()[rank.index()] > 0) {
        let drawn = rules.play(table, Move::Draw(rank)).unwrap();
        let turn = Turn::new(rules, &drawn);
        let mut best = 0.0_f64;
        for leaf in (0..turn.len()).map(|i| turn.position(rules, &drawn, i)) {
            if dead::is_dead(rules, &leaf) {
                continue;
            }
            let mut logit = [0.0];
            evaluator.logits(&[leaf], &mut logit);
            best = best.max(1.0 / (1.0 + f64::from(-logit[0]).exp()));
        }
        sum += f64::from(table.unseen()[rank.index()]) * best;
    }
    sum / table.left() as f64
}

#[test]
fn games_are_legal_and_mostly_won() {
    for (stacks, deals, wins) in [(3, 16, 8), (4, 8, 7)] {
        let rules = Rules::calculation(stacks).unwrap();
        let mut player = NetPlayer::embedded(stacks, NetOptions::GREEDY).unwrap();
        let won = |seed| {
            let record = play_deck(&rules, &Deck::seeded(&rules, seed), &mut player).unwrap();
            assert_eq!(record.won, rules.is_won(&record.last));
            usize::from(record.won)
        };
        // Three games in four are won with three stacks, nearly all with four.
        assert!((1..=deals).map(won).sum::<usize>() >= wins, "{stacks} stacks");
    }
}

#[test]
fn one_draw_ahead_is_the_definition() {
    for text in TABLES {
        let (rules, table) = notation::read(text).unwrap();
        let mut player = NetPlayer::embedded(3, NetOptions::LOOK).unwrap();
        let fast = player.chances_ahead(&[table], None).unwrap()[0];
        let slow = slowly_ahead(&rules, &table);
        assert!((fast - slow).abs() < 1e-4, "{text}: {fast}, expected {slow}");
    }
}

#[test]
fn two_draws_ahead_are_one_draw_ahead_twice() {
    let (rules, table) = notation::read(TABLES[1]).unwrap();
    let mut player = NetPlayer::embedded(3, NetOptions::LOOK).unwrap();
    let inner = Width { candidates: 2, within: 0.1 };
    let fast = player.chances_ahead(&[table], Some(inner)).unwrap()[0];
    let mut sum = 0.0;
    for rank in (0..13).filter_map(Rank::new).filter(|rank| table.unseen()[rank.index()] > 0) {
        let drawn = rules.play(&table, Move::Draw(rank)).unwrap();
        let turn = Turn::new(&rules, &drawn);
        let leaves: Vec<Position> = (0..turn.len())
            .map(|i| turn.position(&rules, &drawn, i))
            .filter(|leaf| !dead::is_dead(&rules, leaf))
            .collect();
        let chances = player.chances(&leaves, 0);
        let mut order: Vec<usize> = (0..leaves.len()).collect();
        order.sort_by(|&a, &b| chances[b].total_cmp(&chances[a]));
        let near = |&&i: &&usize| chances[i] >= chances[order[0]] - inner.within;
        let deeper = order.iter().take(inner.candidates).filter(near);
        let best = deeper.map(|&i| player.chances_ahead(&[leaves[i]], None).unwrap()[0]).fold(0.0, f64::max);
        sum += f64::from(table.unseen()[rank.index()]) * best;
    }
    let slow = sum / table.left() as f64;
    assert!((fast - slow).abs() < 1e-4, "{fast}, expected {slow}");
}

#[test]
fn dead_candidates_are_left_alone() {
    let rules = Rules::calculation(3).unwrap();
    let mut player = NetPlayer::embedded(3, NetOptions::QUICK).unwrap();
    for seed in 200_001..200_004 {
        player.begin();
        let mut position = Position::start(&rules);
        for &drawn in Deck::seeded(&rules, seed).cards() {
            position = rules.play(&position, Move::Draw(drawn)).unwrap();
            let decision = player.decide(&position);
            let again = player.decide(&position);
            assert_eq!(decision.best, again.best);
            let after =
                |moves: &[Move]| moves.iter().fold(position, |table, &mv| rules.play(&table, mv).unwrap());
            // Whatever some order of the deck wins is preferred to what none does.
            let verdict = |moves: &[Move]| dead::judge(&rules, &after(moves), dead::STEPS);
            let verdicts: Vec<Verdict> =
                decision.options.iter().map(|option| verdict(&option.moves)).collect();
            let hopeless = !verdicts.contains(&Verdict::Alive);
            assert!(verdicts[decision.best] != Verdict::Dead || hopeless, "{position:?} {verdicts:?}");
            assert!(decision.options.iter().all(|option| (0.0..=1.0).contains(&option.chance)));
            position = after(decision.moves());
        }
    }
}

#[test]
fn a_look_at_one_candidate_or_without_a_budget_changes_nothing() {
    let rules = Rules::calculation(3).unwrap();
    let deck = Deck::seeded(&rules, 300_001);
    let paced = |options: NetOptions, pace: Pace| {
        let mut player = NetPlayer::embedded(3, options).unwrap().at_pace(pace);
        let record = play_deck(&rules, &deck, &mut player).unwrap();
        let moves: Vec<Vec<Move>> = record.turns.into_iter().map(|turn| turn.moves).collect();
        (moves, player.evaluations())
    };
    let game = |options: NetOptions| paced(options, Pace::endless());
    let narrow = Width { candidates: 1, within: 1.0 };
    let greedy = game(NetOptions::GREEDY);
    assert_eq!(game(NetOptions { first: Some(narrow), ..NetOptions::GREEDY }), greedy);
    assert_eq!(paced(NetOptions::DEEP, Pace::new(Meter::Work, Some(0.0), None)), greedy);
    // A budget is kept up to the part of a look that crosses it; what every answer needs is never refused.
    let allowed = 3000 * TABLE_WORK;
    let (_, some) = paced(NetOptions::DEEP, Pace::new(Meter::Work, None, Some(allowed as f64)));
    assert!(greedy.1 < some && some < greedy.1 + 3000 + 400, "{some}");
}

#[test]
fn a_second_draw_is_looked_at_where_there_is_a_chance() {
    let rules = Rules::calculation(2).unwrap();
    let deck = Deck::seeded(&rules, 300_002);
    let game = |options: NetOptions| {
        let mut player = NetPlayer::embedded(2, options).unwrap();
        (play_deck(&rules, &deck, &mut player).unwrap(), player.evaluations())
    };
    let usual = NetOptions::DEEP.for_stacks(2);
    let with = |second: Second| NetOptions { second: Some(second), ..usual };
    let second = usual.second.unwrap();
    let alone = game(NetOptions::LOOK);
    for nowhere in
        [Second { left: 0, ..second }, Second { least: 1.1, ..second }, Second { sure: 0.0, ..second }]
    {
        assert_eq!(game(with(nowhere)), alone);
    }
    let (sparing, lavish) = (game(with(Second { least: 0.03, ..second })).1, game(usual).1);
    assert!(alone.1 < sparing && sparing < lavish, "{} {sparing} {lavish}", alone.1);
}

#[test]
fn close_candidates_are_played_on_where_there_is_a_chance() {
    let rules = Rules::calculation(2).unwrap();
    let short = Rollouts { left: 16, games: 32, draws: 5, ..Rollouts::OF_UNION };
    // A deal that is lost one draw ahead only near its end.
    let deck = Deck::seeded(&rules, 300_002);
    let game = |rollouts: Rollouts, pace: Pace| {
        let options = NetOptions { rollouts: Some(rollouts), ..NetOptions::LOOK };
        let mut player = NetPlayer::embedded(2, options).unwrap().at_pace(pace);
        let record = play_deck(&rules, &deck, &mut player).unwrap();
        (record, player.evaluations())
    };
    let mut look = NetPlayer::embedded(2, NetOptions::LOOK).unwrap();
    let alone = (play_deck(&rules, &deck, &mut look).unwrap(), look.evaluations());
    for nowhere in
        [Rollouts { left: 0, ..short }, Rollouts { least: 1.1, ..short }, Rollouts { candidates: 1, ..short }]
    {
        assert_eq!(game(nowhere, Pace::endless()), alone);
    }
    let (record, evaluations) = game(short, Pace::endless());
    assert!(evaluations > alone.1, "{evaluations} tables, {} without", alone.1);
    assert!(record.turns.iter().all(|turn| (0.0..=1.0).contains(&turn.chance)));
    assert_eq!(game(short, Pace::endless()), (record, evaluations), "the same game again");
    let mut greedy = NetPlayer::embedded(2, NetOptions::GREEDY).unwrap();
    let plain = play_deck(&rules, &deck, &mut greedy).unwrap();
    let moves = |record: GameRecord| record.turns.into_iter().map(|turn| turn.moves).collect::<Vec<_>>();
    let hurried = game(short, Pace::new(Meter::Work, Some(0.0), None)).0;
    assert_eq!(moves(hurried), moves(plain));
}

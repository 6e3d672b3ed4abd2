//! Players on the reduced games, whose optimum is known exactly.

#![allow(clippy::unwrap_used)]

mod decks;

use calculation::deal::Deck;
use calculation::players::options::PlanOptions;
use calculation::players::plans::PlanPlayer;
use calculation::players::{Player, play_deck};
use calculation::position::Position;
use calculation::rules::{Move, Rules};
use calculation::search::endgame::Endgame;
use calculation::search::reduced::optimum;
use calculation::theory::chance::Recursion;
use calculation::turn::{Turn, unload};
use kachi_core::{Budget, Limits};

#[test]
fn optimal_values_of_the_reduced_games() {
    for (ranks, stacks, wins, decks) in [
        (3, 1, 86, 90),
        (3, 2, 90, 90),
        (5, 1, 44929, 113_400),
        (5, 2, 111_401, 113_400),
        (5, 3, 113_398, 113_400),
    ] {
        let rules = Rules::reduced(ranks, &[1, 2], stacks).unwrap();
        let best = optimum(&rules, &mut Budget::default()).unwrap();
        assert_eq!((best.wins, best.decks), (wins, decks), "R={ranks} S={stacks}");
    }
}

#[test]
fn the_limits_of_the_solver_are_errors() {
    let rules = Rules::reduced(13, &[1, 2, 3, 4], 1).unwrap();
    assert_eq!(optimum(&rules, &mut Budget::default()).unwrap_err().code, "too_large");
    let rules = Rules::reduced(5, &[1, 2], 2).unwrap();
    let mut few = Budget::new(Limits { nodes: 1000, ..Limits::default() });
    assert_eq!(optimum(&rules, &mut few).unwrap_err().code, "out_of_budget");
    let mut small = Budget::new(Limits { bytes: 10_000, ..Limits::default() });
    assert_eq!(optimum(&rules, &mut small).unwrap_err().code, "out_of_budget");
}

#[test]
fn the_endgame_search_agrees_with_the_count_of_decks() {
    let rules = Rules::reduced(3, &[1, 2], 1).unwrap();
    let chance = Endgame::new(&rules).chance(&Position::start(&rules));
    assert!((chance - 86.0 / 90.0).abs() < 1e-12);
}

/// The chance as it is defined: over all next cards the best way to finish the turn.
fn slow_chance(rules: &Rules, table: &Position) -> f64 {
    if table.left() == 0 {
        return f64::from(unload(rules, table).is_some());
    }
    let mut sum = 0.0;
    for mv in rules.moves(table).into_iter().filter(|mv| matches!(mv, Move::Draw(_))) {
        let Move::Draw(rank) = mv else { continue };
        let drawn = rules.play(table, mv).unwrap();
        let turn = Turn::new(rules, &drawn);
        let ways = (0..turn.len()).map(|i| slow_chance(rules, &turn.position(rules, &drawn, i)));
        sum += f64::from(table.unseen()[rank.index()]) * ways.fold(0.0, f64::max);
    }
    sum / table.left() as f64
}

/// Ways that fall behind are given up, which must not change a chance, whatever was asked before.
#[test]
fn the_endgame_search_is_the_slow_one() {
    let mut open = 0;
    for (stacks, seed) in (1..=2).flat_map(|stacks| (1..=25).map(move |seed| (stacks, seed))) {
        let rules = Rules::reduced(5, &[1, 2], stacks).unwrap();
        let mut endgame = Endgame::new(&rules);
        let mut table = Position::start(&rules);
        for (n, &card) in Deck::seeded(&rules, seed).cards().iter().enumerate() {
            let drawn = rules.play(&table, Move::Draw(card)).unwrap();
            let ways = Turn::new(&rules, &drawn);
            // One search for all of them, so that much is known from before.
            for i in (0..ways.len()).filter(|_| (1..=5).contains(&drawn.left())) {
                let after = ways.position(&rules, &drawn, i);
                let (fast, slow) = (endgame.chance(&after), slow_chance(&rules, &after));
                assert!((fast - slow).abs() < 1e-12, "{stacks} stacks, deal {seed}: {fast}, not {slow}");
                open += usize::from(slow > 0.0 && slow < 1.0);
            }
            table = ways.position(&rules, &drawn, (seed as usize * 7 + n * 3) % ways.len());
        }
    }
    assert!(open > 100, "only {open} tables whose game is open");
}

/// Above a floor the search says the chance, below it only that there is no more; and it can be broken off at any table and taken up again.
#[test]
fn an_endgame_search_with_a_floor_or_broken_off() {
    let mut broken = 0;
    for seed in 1..=10 {
        let rules = Rules::reduced(5, &[1, 2], 1).unwrap();
        let mut table = Position::start(&rules);
        for &card in &Deck::seeded(&rules, seed).cards()[..3] {
            let drawn = rules.play(&table, Move::Draw(card)).unwrap();
            table = Turn::new(&rules, &drawn).position(&rules, &drawn, 0);
        }
        let chance = Endgame::new(&rules).chance(&table);
        let above = |floor| Endgame::new(&rules).chance_above(&table, floor, &mut |_| true).unwrap();
        assert_eq!(above(chance - 0.01), chance);
        for floor in [chance, chance + 0.01, 1.0] {
            assert!((chance..=floor.max(chance)).contains(&above(floor)), "{} for {chance}", above(floor));
        }
        let mut endgame = Endgame::new(&rules);
        let mut patience = 1;
        let found = loop {
            match endgame.chance_above(&table, -1.0, &mut |searched| searched < patience) {
                Some(found) => break found,
                None => (broken, patience) = (broken + 1, patience + 64),
            }
        };
        assert_eq!(found, chance, "deal {seed}");
    }
    assert!(broken > 10, "broken off {broken} times");
}

fn wins(rules: &Rules, decks: &[Deck], name: &str) -> usize {
    let mut player =
        PlanPlayer::new(rules, PlanOptions::named(name).unwrap(), Recursion::new(rules.stacks()));
    decks.iter().filter(|deck| play_deck(rules, deck, &mut player).unwrap().won).count()
}

#[test]
fn no_player_beats_the_optimum_of_the_smallest_game() {
    for stacks in [1, 2] {
        let rules = Rules::reduced(3, &[1, 2], stacks).unwrap();
        let decks = decks::all(&rules);
        let best = optimum(&rules, &mut Budget::default()).unwrap();
        assert_eq!(decks.len() as u64, best.decks);
        for name in PlanOptions::NAMES {
            let won = wins(&rules, &decks, name);
            assert!(won as u64 <= best.wins, "{name} {won}");
            assert!(won * 10 >= best.wins as usize * 8, "{name} wins only {won} of {}", best.wins);
        }
    }
}

/// A sample of the decks of a larger game: every player stays below the optimum up to sampling error, and the better
/// settings come close to it.
#[test]
fn players_come_close_to_the_optimum() {
    for (stacks, optimum, least) in [(1, 44929.0 / 113_400.0, 0.30), (2, 111_401.0 / 113_400.0, 0.90)] {
        let rules = Rules::reduced(5, &[1, 2], stacks).unwrap();
        let games = 600;
        let decks: Vec<Deck> = (1..=games).map(|seed| Deck::seeded(&rules, seed)).collect();
        for name in PlanOptions::NAMES {
            let rate = wins(&rules, &decks, name) as f64 / games as f64;
            let error = 3.0 * (optimum * (1.0 - optimum) / games as f64).sqrt();
            assert!(rate <= optimum + error, "{name} S={stacks}: {rate}");
            if name.starts_with("plans") {
                assert!(rate >= least, "{name} S={stacks}: {rate}");
            }
        }
    }
}

#[test]
fn the_same_deal_is_played_the_same_way_whatever_was_played_before() {
    let rules = Rules::reduced(7, &[1, 2, 3], 2).unwrap();
    let deck = Deck::seeded(&rules, 5);
    let fresh = || PlanPlayer::new(&rules, PlanOptions::strong(), Recursion::new(2));
    let alone = play_deck(&rules, &deck, &mut fresh()).unwrap();
    let mut player = fresh();
    for seed in 0..4 {
        play_deck(&rules, &Deck::seeded(&rules, seed), &mut player).unwrap();
    }
    assert_eq!(play_deck(&rules, &deck, &mut player).unwrap(), alone);
}

#[test]
fn games_are_checked_step_by_step_by_the_slow_move_generator() {
    let rules = Rules::reduced(7, &[1, 2, 3, 4], 3).unwrap();
    let mut player = PlanPlayer::new(&rules, PlanOptions::greedy(), Recursion::new(3));
    let mut steps = 0;
    for seed in 0..6 {
        let record = play_deck(&rules, &Deck::seeded(&rules, seed), &mut player).unwrap();
        let mut position = Position::start(&rules);
        let turns = record
            .turns
            .iter()
            .flat_map(|turn| std::iter::once(Move::Draw(turn.drawn)).chain(turn.moves.iter().copied()));
        for mv in turns.chain(record.ending.iter().copied()) {
            assert!(rules.moves(&position).contains(&mv), "{mv}");
            position = rules.play(&position, mv).unwrap();
            steps += 1;
        }
        assert_eq!(position, record.last);
        assert_eq!(record.won, rules.is_won(&position));
    }
    assert!(steps > 300);
}

#[test]
fn a_position_can_be_judged_without_its_history() {
    let (rules, position) = calculation::notation::read("5:1,2:A2/5/4@A").unwrap();
    let mut player = PlanPlayer::new(&rules, PlanOptions::strong(), Recursion::new(2));
    let decision = player.decide(&position);
    // Keeping the ace on the 4 wins for certain, by exact search; playing it does not.
    assert_eq!(decision.moves(), [Move::Put(calculation::position::Stack(1))]);
    assert!(decision.options.iter().all(|option| (0.0..=1.0).contains(&option.chance)));
}

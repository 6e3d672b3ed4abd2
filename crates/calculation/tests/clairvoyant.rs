//! The deck face up: lines are replayed, proofs of loss agree with the slow solver.

#![allow(clippy::unwrap_used)]

use calculation::clairvoyant::{ALL_LINES, ByFunction, ByNet, ByPlans, ByPlayed, Winnable, is_win, solve};
use calculation::deal::Deck;
use calculation::net::Net;
use calculation::players::source::PairSource;
use calculation::position::Position;
use calculation::rules::{Move, OpenGame, Rules};
use kachi_core::{Budget, Game, Limits};
use std::collections::HashMap;

/// The open game by the rules alone.
fn winnable(game: &OpenGame<'_>, position: &Position, memo: &mut HashMap<Position, bool>) -> bool {
    if let Some(won) = game.ending(position) {
        return won;
    }
    if let Some(&known) = memo.get(position) {
        return known;
    }
    let won = game.moves(position).iter().any(|mv| winnable(game, &game.play(position, mv), memo));
    memo.insert(*position, won);
    won
}

#[test]
fn small_deals_are_decided_exactly() {
    for (ranks, steps, stacks) in
        [(3, &[1, 2][..], 1), (4, &[1, 3], 1), (5, &[1, 2], 1), (5, &[1, 2], 2), (4, &[1, 1, 3], 1)]
    {
        let rules = Rules::reduced(ranks, steps, stacks).unwrap();
        let mut guide = ByPlans::new(&rules, 6, PairSource::for_stacks(stacks));
        let (mut yes, mut no) = (0, 0);
        for seed in 0..60 {
            let deck = Deck::seeded(&rules, seed);
            let game = OpenGame { rules: &rules, deck: deck.cards() };
            let expected = winnable(&game, &Position::start(&rules), &mut HashMap::new());
            let answer = solve(&rules, &deck, &mut guide, &[3, 20, 100_000], &mut Budget::default());
            match answer.winnable {
                Winnable::Yes(line) => {
                    assert!(expected && is_win(&rules, &deck, &line));
                    yes += 1;
                }
                Winnable::No => {
                    assert!(!expected, "{deck}");
                    no += 1;
                }
                Winnable::Unknown => panic!("{deck}: a beam that cuts nothing decides"),
            }
        }
        assert!(yes > 0 && (no > 0 || stacks > 1), "R={ranks} S={stacks}: {yes} {no}");
    }
}

#[test]
fn any_function_of_the_tables_can_guide() {
    let rules = Rules::reduced(5, &[1, 2], 2).unwrap();
    let mut asked = 0;
    let mut played = ByFunction(|tables: &[Position], out: &mut [f32]| {
        asked += tables.len();
        tables.iter().zip(out).for_each(|(table, judged)| *judged = table.played() as f32);
    });
    let solved = (0..30)
        .filter(|&seed| {
            let answer =
                solve(&rules, &Deck::seeded(&rules, seed), &mut played, &[5, 5000], &mut Budget::default());
            matches!(answer.winnable, Winnable::Yes(_))
        })
        .count();
    assert!(solved >= 28);
    assert!(asked > 0);
}

/// All aces last, everything else in ascending order: what the first foundation waits for would have to lie on as many stacks as there are other
/// ranks, for of two of its cards on one stack the smaller lies below.
#[test]
fn a_deck_in_ascending_order_with_its_aces_last_is_lost() {
    for (ranks, steps) in [(3, &[1, 2][..]), (4, &[1, 3]), (5, &[1, 2]), (5, &[1])] {
        for stacks in 1..ranks - 1 {
            let rules = Rules::reduced(ranks, steps, stacks).unwrap();
            let cards: String = "2345A"
                .chars()
                .filter(|&rank| rank == 'A' || rank.to_digit(10) <= u32::try_from(ranks).ok())
                .flat_map(|rank| std::iter::repeat_n(rank, steps.len()))
                .collect();
            let deck = Deck::read(&rules, &cards).unwrap();
            let game = OpenGame { rules: &rules, deck: deck.cards() };
            assert!(!winnable(&game, &Position::start(&rules), &mut HashMap::new()), "{deck} {stacks}");
            let mut guide = ByPlans::new(&rules, 6, PairSource::for_stacks(stacks));
            let answer = solve(&rules, &deck, &mut guide, &[10, 100_000], &mut Budget::default());
            assert_eq!(answer.winnable, Winnable::No, "{deck} {stacks}");
        }
    }
}

/// The same search with a judge that knows nothing solves next to none of these deals: it is the net's order that finds the lines.
#[test]
fn the_net_finds_lines_in_narrow_beams() {
    let rules = Rules::calculation(3).unwrap();
    let mut net = ByNet::new(Net::embedded(3).unwrap());
    let mut blind = ByFunction(|_: &[Position], out: &mut [f32]| out.fill(0.0));
    let (mut by_net, mut by_nothing) = (0, 0);
    for seed in 1..=20 {
        let deck = Deck::seeded(&rules, seed);
        if let Winnable::Yes(line) =
            solve(&rules, &deck, &mut net, &[10, 100], &mut Budget::default()).winnable
        {
            assert!(is_win(&rules, &deck, &line), "{seed}");
            by_net += 1;
        }
        let answer = solve(&rules, &deck, &mut blind, &[100], &mut Budget::default());
        by_nothing += u32::from(matches!(answer.winnable, Winnable::Yes(_)));
    }
    assert!(by_net >= 15 && by_nothing <= 5, "{by_net} by the net, {by_nothing} by nothing");
}

#[test]
fn a_spent_budget_is_unknown() {
    let rules = Rules::calculation(3).unwrap();
    let mut guide = ByFunction(|_: &[Position], out: &mut [f32]| out.fill(0.0));
    let mut budget = Budget::new(Limits { nodes: 50, ..Limits::default() });
    let answer = solve(&rules, &Deck::seeded(&rules, 1), &mut guide, &[10], &mut budget);
    assert_eq!(answer.winnable, Winnable::Unknown);
}

#[test]
fn a_line_must_deal_the_deck_keep_the_rules_and_win() {
    let rules = Rules::reduced(3, &[1, 2], 2).unwrap();
    let deck = Deck::read(&rules, "A22A33").unwrap();
    let mut guide = ByPlans::new(&rules, 4, PairSource::for_stacks(2));
    let Winnable::Yes(line) = solve(&rules, &deck, &mut guide, &[10], &mut Budget::default()).winnable else {
        panic!("an easy deal");
    };
    assert!(is_win(&rules, &deck, &line));
    assert!(!is_win(&rules, &deck, &line[..line.len() - 1]));
    let other = Deck::read(&rules, "2A2A33").unwrap();
    assert!(!is_win(&rules, &other, &line));
    let mut doubled = line.clone();
    doubled.insert(1, line[1]);
    assert!(!is_win(&rules, &deck, &doubled));
    assert!(matches!(line[0], Move::Draw(_)));
}

/// One stack is not enough: the deal is proved lost by exhaustion.
#[test]
fn a_one_stack_deal_of_the_full_game_is_proved_lost() {
    let rules = Rules::calculation(1).unwrap();
    let answer = solve(&rules, &Deck::seeded(&rules, 1), &mut ByPlayed, &[ALL_LINES], &mut Budget::default());
    assert_eq!(answer.winnable, Winnable::No);
}

//! Positions, notation, moves, turns and dead positions, each against its slow definition.

#![allow(clippy::unwrap_used)]

use calculation::dead::{Verdict, judge, judge_thoroughly};
use calculation::deal::Deck;
use calculation::notation::{read, write};
use calculation::position::{Key, Position, Rank};
use calculation::rules::{Move, OpenGame, Rules};
use calculation::turn::{MOST_CANDIDATES, Turn, unload};
use kachi_core::random::Dealer;
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};

fn small() -> Vec<Rules> {
    let games: [(usize, &[usize], usize); 6] = [
        (2, &[1, 1], 1),
        (3, &[1, 2], 1),
        (3, &[1, 2], 2),
        (4, &[1, 3], 1),
        (3, &[1, 2, 1], 1),
        (5, &[1, 2], 1),
    ];
    games.iter().map(|&(ranks, steps, stacks)| Rules::reduced(ranks, steps, stacks).unwrap()).collect()
}

/// Can chance and player together still win? By the rules alone.
fn winnable(rules: &Rules, position: &Position, memo: &mut HashMap<Position, bool>) -> bool {
    if rules.is_won(position) {
        return true;
    }
    let key = position.canonical(rules);
    if let Some(&known) = memo.get(&key) {
        return known;
    }
    let won =
        rules.moves(position).into_iter().any(|mv| winnable(rules, &rules.play(position, mv).unwrap(), memo));
    memo.insert(key, won);
    won
}

#[test]
fn a_position_is_dead_exactly_when_no_order_of_the_deck_wins() {
    for rules in small() {
        let mut memo = HashMap::new();
        // Unwinnable continuations are visited too: everything that is reachable.
        let mut open = vec![Position::start(&rules)];
        let mut seen: HashSet<Position> = open.iter().copied().collect();
        let (mut dead, mut alive) = (0, 0);
        while let Some(position) = open.pop() {
            if position.drawn().is_none() {
                let expected = winnable(&rules, &position, &mut memo);
                let verdict = judge(&rules, &position, 1_000_000);
                assert_eq!(verdict == Verdict::Alive, expected, "{}", write(&rules, &position));
                assert_ne!(verdict, Verdict::Unknown);
                assert_eq!(judge_thoroughly(&rules, &position, 1_000_000), verdict);
                if expected { alive += 1 } else { dead += 1 }
            }
            for mv in rules.moves(&position) {
                let after = rules.play(&position, mv).unwrap().canonical(&rules);
                if seen.len() < 120_000 && seen.insert(after) {
                    open.push(after);
                }
            }
        }
        assert!(dead > 0 && alive > 0);
    }
}

#[test]
fn afterstates_of_a_turn_are_those_of_the_rules() {
    for rules in [
        Rules::calculation(3).unwrap(),
        Rules::calculation(4).unwrap(),
        Rules::reduced(5, &[1, 2], 2).unwrap(),
    ] {
        // What each table is remembered by, over all that turn up.
        let mut keys: HashMap<Key, Position> = HashMap::new();
        for seed in 0..60 {
            let mut dealer = Dealer::new(seed);
            let mut position = Position::start(&rules);
            for &card in Deck::seeded(&rules, seed).cards() {
                position = rules.play(&position, Move::Draw(card)).unwrap();
                let turn = Turn::new(&rules, &position);
                let mut expected: HashSet<Position> = HashSet::new();
                let mut open: Vec<Position> =
                    rules.moves(&position).into_iter().map(|mv| rules.play(&position, mv).unwrap()).collect();
                while let Some(after) = open.pop() {
                    let free = rules.unloadings(&after).map(|mv| rules.play(&after, mv).unwrap());
                    open.extend(free.filter(|next| !expected.contains(&next.canonical(&rules))));
                    expected.insert(after.canonical(&rules));
                }
                let found: Vec<Position> =
                    (0..turn.len()).map(|i| turn.position(&rules, &position, i)).collect();
                for (i, after) in found.iter().enumerate() {
                    let mut replay = position;
                    for mv in turn.route(i) {
                        replay = rules.play(&replay, mv).unwrap();
                    }
                    assert_eq!(replay, *after);
                }
                let canonical: HashSet<Position> =
                    found.iter().map(|after| after.canonical(&rules)).collect();
                assert_eq!(canonical, expected, "{}", write(&rules, &position));
                for after in &found {
                    let sorted = after.canonical(&rules);
                    assert_eq!(after.key(&rules), sorted.key(&rules));
                    assert_eq!(
                        *keys.entry(after.key(&rules)).or_insert(sorted),
                        sorted,
                        "two tables with one key"
                    );
                }
                let drawn = *keys.entry(position.key(&rules)).or_insert_with(|| position.canonical(&rules));
                assert_eq!(drawn, position.canonical(&rules));
                position = found[dealer.below(found.len() as u64) as usize];
            }
        }
    }
}

#[test]
fn a_turn_with_too_many_ways_keeps_long_ones_of_every_placement() {
    // Every stack holds the rest of a foundation in the right order, so 13^3 tables follow each of the four placements.
    let text = "A234/QJT98765432/KJ9753AQT864/KT74AJ852Q96/K95AT62J73Q8@K";
    let (rules, position) = calculation::notation::read(text).unwrap();
    let turn = Turn::new(&rules, &position);
    assert!(turn.is_cut());
    assert_eq!(turn.len(), MOST_CANDIDATES);
    for placement in rules.moves(&position) {
        let routes = (0..turn.len()).map(|i| turn.route(i)).filter(|route| route[0] == placement);
        // All that is possible is 36 free moves; a quarter of the tables, the shortest ways first, would end with six.
        let longest = routes.map(|route| route.len() - 1).max();
        assert!(longest >= Some(24), "{placement:?}: {longest:?}");
    }
    // Where there is room for all ways, those of a placement come with fewer free moves first.
    let (rules, position) = calculation::notation::read("A234/KT74AJ852/-/-/4@6").unwrap();
    let turn = Turn::new(&rules, &position);
    assert!(!turn.is_cut());
    for placement in rules.moves(&position) {
        let routes = (0..turn.len()).map(|i| turn.route(i)).filter(|route| route[0] == placement);
        assert!(routes.map(|route| route.len()).is_sorted(), "{placement:?}");
    }
}

#[test]
fn the_last_unloading_is_found_exactly_when_there_is_one() {
    let rules = Rules::reduced(4, &[1, 3], 2).unwrap();
    let (mut won, mut lost) = (0, 0);
    for seed in 0..400 {
        let mut dealer = Dealer::new(seed);
        let mut position = Position::start(&rules);
        while position.left() + usize::from(position.drawn().is_some()) > 0 {
            let moves = rules.moves(&position);
            position = rules.play(&position, moves[dealer.below(moves.len() as u64) as usize]).unwrap();
        }
        let line = unload(&rules, &position);
        assert_eq!(line.is_some(), winnable(&rules, &position, &mut HashMap::new()));
        match line {
            Some(line) => {
                let end = line.into_iter().fold(position, |at, mv| rules.play(&at, mv).unwrap());
                assert!(rules.is_won(&end));
                won += 1;
            }
            None => lost += 1,
        }
    }
    assert!(won > 0 && lost > 0);
}

#[test]
fn the_open_game_is_decided_by_the_slow_solver_of_core() {
    use kachi_core::Game;
    let rules = Rules::reduced(3, &[1, 2], 1).unwrap();
    let deck = Deck::read(&rules, "A22A33").unwrap();
    let game = OpenGame { rules: &rules, deck: deck.cards() };
    let start = Position::start(&rules);
    assert_eq!(game.ending(&start), None);
    assert_eq!(game.moves(&start), vec![Move::Draw(Rank::from_char('A').unwrap())]);
}

#[test]
fn seeded_deals_are_those_of_the_published_generator() {
    // Seeds 1 and 2, computed by an independent program.
    let rules = Rules::calculation(3).unwrap();
    for (seed, deck) in [(1, SEED_1), (2, SEED_2)] {
        assert_eq!(Deck::seeded(&rules, seed).to_string(), deck);
    }
    assert_ne!(Deck::dealt(&rules, 1), Deck::seeded(&rules, 1));
}

const SEED_1: &str = "95J8K837Q497968T57AJ749KTK3322J635JK8A266QA4Q5TTQ42A";
const SEED_2: &str = "77345J62AJQK8925KTK427T6336Q2TJ89Q5AK948AQ437685A9TJ";

#[test]
fn broken_positions_are_refused_with_their_place() {
    let cases = [
        ("", "bad_stacks"),
        ("A234", "bad_stacks"),
        ("A234/-/-/-/-/-", "bad_stacks"),
        ("A23/-", "bad_heads"),
        ("A2345/-", "bad_heads"),
        ("A234/X", "bad_rank"),
        ("A234/55555", "too_many_copies"),
        ("2234/AAAA", "too_many_copies"),
        ("A234/-@", "bad_rank"),
        ("A234/-@77", "bad_notation"),
        ("A234/-x", "bad_rank"),
        ("5:1,2:A2", "bad_stacks"),
        ("5:1,5:A2/-", "bad_steps"),
        ("1:1:A/-", "bad_ranks"),
        ("99999999999999999999:1:A/-", "bad_number"),
        ("5:1,2:A2/6", "bad_rank"),
        ("5:1,2:A7/-", "bad_rank"),
        ("5;1:", "bad_notation"),
        ("5:1,2A2/-", "bad_notation"),
    ];
    for (text, code) in cases {
        let error = read(text).unwrap_err();
        assert_eq!(error.code, code, "{text}: {error}");
        assert!(error.at.is_some(), "{text}");
    }
}

proptest! {
    #[test]
    fn notation_round_trips(seed in 0_u64..2000, stacks in 1_usize..=4, steps in 0_usize..60, reduced in any::<bool>()) {
        let rules = if reduced { Rules::reduced(7, &[1, 3, 2], stacks) } else { Rules::calculation(stacks) }.unwrap();
        let mut dealer = Dealer::new(seed);
        let mut position = Position::start(&rules);
        for _ in 0..steps {
            if rules.is_over(&position) { break; }
            let moves = rules.moves(&position);
            position = rules.play(&position, moves[dealer.below(moves.len() as u64) as usize]).unwrap();
        }
        let text = write(&rules, &position);
        prop_assert_eq!(read(&text).unwrap(), (rules.clone(), position));
        prop_assert!(text.bytes().all(|c| c.is_ascii_alphanumeric() || b",/@:-.".contains(&c)));
        let blanks: String = text.chars().flat_map(|c| if c == '/' || c == '@' { vec![c, ' '] } else { vec![c] }).collect();
        prop_assert_eq!(read(&blanks).unwrap(), (rules, position));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[A234567890TJQK:,/@ -]{0,30}") {
        let _ = read(&text);
    }

    #[test]
    fn moves_are_written_as_they_are_read(f in 0_u8..4, s in 0_u8..4, r in 0_u8..13) {
        use calculation::position::{Foundation, Stack};
        let moves = [Move::Draw(Rank::new(r).unwrap()), Move::Play(Foundation(f)), Move::Put(Stack(s)),
            Move::Unload { stack: Stack(s), foundation: Foundation(f) }];
        for mv in moves {
            prop_assert_eq!(mv.to_string().parse::<Move>().unwrap(), mv);
        }
    }
}

//! Properties of larger positions, where the slow solver cannot follow.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use kachi_core::surface::Entry;
use kachi_core::{Budget, Limits};
use proptest::collection::vec;
use proptest::prelude::*;
use tanhinmin::position::{Setup, TableSetup};
use tanhinmin::theory::block::{Block, LANES, movers_win};
use tanhinmin::theory::matching::{bound_at, pairs, size, tension};
use tanhinmin::theory::moves::{WonTables, won_tables};
use tanhinmin::theory::packed::{self, Hand};
use tanhinmin::theory::{Player, decide, frontier, large, mover_wins, winning_moves};
use tanhinmin::why::{check, why};
use tanhinmin::{Face, Position, Table};

fn sorted(mut numbers: Vec<u32>) -> Vec<Face> {
    numbers.sort_unstable();
    numbers.into_iter().map(|n| Face::new(n).unwrap()).collect()
}

fn hand(top: u32, most: usize) -> impl Strategy<Value = Vec<Face>> {
    vec(1..=top, 1..=most).prop_map(sorted)
}

/// Any legal position: sizes, faces, cut cards, goals and tables of every kind.
fn any_position() -> impl Strategy<Value = Position> {
    let side = (vec(1..60_i64, 0..12), vec(1..60_i64, 0..5), 0..8_usize);
    let table =
        prop_oneof![Just(TableSetup::Unsaid), (0..60_i64).prop_map(TableSetup::Face), Just(TableSetup::Cut)];
    (side.clone(), side, table).prop_filter_map("a player has reached his goal", |(mover, other, table)| {
        let goal =
            |side: &(Vec<i64>, Vec<i64>, usize)| side.2.min((side.0.len() + side.1.len()).saturating_sub(1));
        let setup = Setup {
            goal: vec![goal(&mover) as i64, goal(&other) as i64],
            hands: vec![mover.0, other.0],
            cuts: vec![mover.1, other.1],
            table,
            ..Setup::default()
        };
        setup.validate(&Limits::default()).ok()
    })
}

/// The same cards on another table with other goals.
fn changed(position: &Position, table: TableSetup, goals: [usize; 2]) -> Position {
    let numbers = |faces: &[Face]| faces.iter().map(|face| i64::from(face.get())).collect::<Vec<_>>();
    let sides = [position.mover(), position.other()];
    let setup = Setup {
        hands: sides.iter().map(|side| numbers(&side.ordinary)).collect(),
        cuts: sides.iter().map(|side| numbers(&side.cuts)).collect(),
        goal: goals.iter().map(|&goal| goal as i64).collect(),
        table,
        ..Setup::default()
    };
    setup.validate(&Limits::default()).unwrap()
}

/// A hand of a 13 x 4 deck.
fn deck_hand() -> impl Strategy<Value = Hand> {
    any::<u64>().prop_map(Hand::from_bits).prop_filter("not empty", |hand| !hand.is_empty())
}

proptest! {
    #[test]
    fn notation_round_trips(position in any_position()) {
        let text = position.to_string();
        prop_assert_eq!(text.parse::<Position>().unwrap(), position);
        prop_assert!(text.chars().all(|c| c.is_ascii_alphanumeric() || ",/@:".contains(c)), "{}", text);
    }

    #[test]
    fn blanks_and_order_do_not_matter(position in any_position()) {
        let loose = position.to_string().replace(',', "  ").replace('/', " / ").replace('@', " @ ");
        prop_assert_eq!(loose.parse::<Position>().unwrap(), position);
    }

    #[test]
    fn fields_and_notation_ask_the_same(position in any_position()) {
        let numbers = |faces: &[Face]| faces.iter().map(|face| face.get()).collect::<Vec<_>>();
        let table = match position.table() {
            Table::Empty => serde_json::json!(0),
            Table::Shows(face) => serde_json::json!(face.get()),
            Table::Cut => serde_json::json!("cut"),
        };
        let (mover, other) = (position.mover(), position.other());
        let by_fields = serde_json::json!({
            "game": "tanhinmin", "hands": [numbers(&mover.ordinary), numbers(&other.ordinary)],
            "cuts": [numbers(&mover.cuts), numbers(&other.cuts)], "goal": [mover.goal, other.goal], "table": table,
        });
        let by_notation = serde_json::json!({ "game": "tanhinmin", "position": position.to_string() });
        let answer = |request: &serde_json::Value| {
            let mut out = Vec::new();
            tanhinmin::ENTRY.answer("analyze", &request.to_string(), &mut Budget::default(), &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        prop_assert_eq!(answer(&by_fields), answer(&by_notation));
    }

    #[test]
    fn the_quick_way_and_the_derived_code_agree_to_the_byte(
        x in vec(1..2000_u32, 1..30), z in vec(1..2000_u32, 1..30), table in 0..2000_u32, blank in "[ ]{0,2}",
    ) {
        // A field that the quick way does not know sends the same question to the derived code.
        let quick = format!(r#"{{"id":7,{blank}"hands":[{x:?},{blank}{z:?}],"table":{blank}{table}}}"#);
        let derived = format!(r#"{{"id":7,"hands":[{x:?},{z:?}],"table":{table},"explain":false}}"#);
        let answer = |request: &str| {
            let mut out = Vec::new();
            tanhinmin::ENTRY.answer("analyze", request, &mut Budget::default(), &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        prop_assert_eq!(answer(&quick), answer(&derived));
    }

    #[test]
    fn every_reason_proves_the_winner(position in any_position()) {
        let winner = decide(&position, &mut Budget::default()).unwrap().winner;
        let reason = why(&position, &mut Budget::default()).unwrap();
        prop_assert_eq!(check(&position, &reason), Ok(winner));
    }

    #[test]
    fn a_position_is_won_iff_a_move_wins(position in any_position()) {
        let winner = decide(&position, &mut Budget::default()).unwrap().winner;
        let moves = winning_moves(&position, &mut Budget::default()).unwrap();
        prop_assert_eq!(winner == Player::Mover, !moves.is_empty());
        for mv in position.legal_moves() {
            let wins = match position.play(mv).unwrap() {
                tanhinmin::Outcome::Won => true,
                tanhinmin::Outcome::Goes(next) => decide(&next, &mut Budget::default()).unwrap().winner == Player::Other,
            };
            prop_assert_eq!(wins, moves.contains(&mv), "{} {}", position, mv);
        }
    }

    #[test]
    fn whether_a_discard_wins_does_not_depend_on_the_table(position in any_position()) {
        prop_assume!(position.table() != Table::Cut);
        let tables = [TableSetup::Face(0), TableSetup::Face(20), TableSetup::Face(40)];
        let goals = [position.mover().goal, position.other().goal];
        let on = |table: TableSetup| changed(&position, table, goals);
        let empty = winning_moves(&on(tables[0]), &mut Budget::default()).unwrap();
        for table in tables {
            let position = on(table);
            let legal = position.legal_moves();
            let expected: Vec<_> = empty.iter().copied().filter(|mv| legal.contains(mv)).collect();
            prop_assert_eq!(winning_moves(&position, &mut Budget::default()).unwrap(), expected);
        }
    }

    #[test]
    fn better_goals_never_hurt(x in hand(40, 14), z in hand(40, 14), table in 0..40_u32) {
        let level = Face::new(table).unwrap_or(Face::GROUND);
        let wins = |c0, c1| mover_wins(&x, &z, level, [c0, c1]);
        for c0 in 0..x.len() {
            for c1 in 0..z.len() {
                prop_assert!(!wins(c0, c1) || c0 + 1 == x.len() || wins(c0 + 1, c1));
                prop_assert!(!wins(c0, c1) || c1 == 0 || wins(c0, c1 - 1));
            }
        }
    }

    #[test]
    fn the_frontier_is_where_wins_end(position in any_position()) {
        let frontier = frontier(&position, &mut Budget::default()).unwrap();
        prop_assert_eq!(frontier.len(), position.mover().len());
        let table = match position.table() {
            Table::Empty => TableSetup::Unsaid,
            Table::Shows(face) => TableSetup::Face(i64::from(face.get())),
            Table::Cut => TableSetup::Cut,
        };
        for (c0, best) in frontier.into_iter().enumerate() {
            let wins = |c1: &usize| {
                let trial = changed(&position, table, [c0, *c1]);
                decide(&trial, &mut Budget::default()).unwrap().winner == Player::Mover
            };
            prop_assert_eq!(best, (0..position.other().len()).rev().find(wins));
        }
    }

    #[test]
    fn tables_below_the_threshold_are_won(x in hand(30, 12), z in hand(30, 12), c0 in 0..12_usize, c1 in 0..12_usize) {
        let goals = [c0.min(x.len() - 1), c1.min(z.len() - 1)];
        let won = won_tables(&x, &z, goals);
        for table in 0..32 {
            let level = Face::new(table).unwrap_or(Face::GROUND);
            let expected = match won {
                WonTables::All => true,
                WonTables::Below(face) => level < face,
                WonTables::None => false,
            };
            prop_assert_eq!(mover_wins(&x, &z, level, goals), expected);
        }
    }

    #[test]
    fn packed_is_scalar(x in deck_hand(), z in deck_hand(), table in 0..14_u32, c0 in 0..6_usize, c1 in 0..6_usize) {
        let goals = [c0.min(x.len() as usize - 1), c1.min(z.len() as usize - 1)];
        let level = Face::new(table).unwrap_or(Face::GROUND);
        let (a, b): (Vec<Face>, Vec<Face>) = (x.faces().collect(), z.faces().collect());
        prop_assert_eq!(Hand::pack(&a).unwrap().len(), x.len());
        prop_assert_eq!(packed::mover_wins(x, z, table, goals), mover_wins(&a, &b, level, goals));
    }

    #[test]
    fn block_is_packed(hands in vec((deck_hand(), deck_hand(), 0..14_u32), LANES)) {
        let mut block = Block::default();
        for (lane, &(x, z, table)) in hands.iter().enumerate() {
            block.set(lane, x, z, table);
        }
        let answers = movers_win(&block);
        for (lane, &(x, z, table)) in hands.iter().enumerate() {
            prop_assert_eq!(answers >> lane & 1 == 1, packed::mover_wins(x, z, table, [0, 0]), "lane {}", lane);
        }
    }

    #[test]
    fn strides_are_two_pointers(x in hand(500, 700), z in hand(500, 700), table in 0..500_u32, c0 in 0..9_usize, c1 in 0..9_usize) {
        let level = Face::new(table).unwrap_or(Face::GROUND);
        let expected = tanhinmin::theory::decide::matching_numbers(&x, &z, level, [c0, c1]);
        prop_assert_eq!(large::matching_numbers(&x, &z, level, [c0, c1]), expected);
    }

    #[test]
    fn a_matching_meets_its_bound(a in hand(50, 40), b in hand(50, 40)) {
        let cards = |hand: &[Face]| hand.to_vec();
        let tension = tension(cards(&a), cards(&b));
        prop_assert_eq!(tension.size, size(cards(&a), cards(&b)));
        prop_assert_eq!(tension.size, pairs(cards(&a), cards(&b)).len());
        prop_assert_eq!(tension.size, bound_at(tension.theta, cards(&a), cards(&b)));
    }
}

#[test]
fn strides_survive_hands_made_against_them() {
    // All weaker, all equal, every other card too weak, one side tiny: the pairing slips as often as it can.
    let ascending = |n: u32, step: u32, from: u32| {
        (0..n).map(|i| Face::new(from + i * step).unwrap()).collect::<Vec<_>>()
    };
    let shapes = [
        ascending(50_000, 1, 1),
        ascending(50_000, 2, 1),
        ascending(50_000, 2, 2),
        vec![Face::new(7).unwrap(); 40_000],
        ascending(40_000, 1, 100_000),
        ascending(1, 1, 25_000),
        (0..40_000).map(|i| Face::new(1 + i / 2 + i % 2).unwrap()).collect(),
    ];
    for x in &shapes {
        for z in &shapes {
            for table in [0, 7, 25_000, 120_000] {
                let level = Face::new(table).unwrap_or(Face::GROUND);
                let expected = tanhinmin::theory::decide::matching_numbers(x, z, level, [0, 0]);
                assert_eq!(large::matching_numbers(x, z, level, [0, 0]), expected);
            }
        }
    }
}

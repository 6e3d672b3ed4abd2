//! Properties of large and hostile inputs: nothing panics, classes and cards agree, closed forms keep their promises.

use babanuki::notation::{deal, read_board};
use babanuki::rules::draw;
use babanuki::shape::Shape;
use babanuki::strategy::judge;
use babanuki::theory::{Draw, Three};
use babanuki::{ENTRY, Mode, View};
use kachi_core::surface::Entry;
use kachi_core::{Budget, Limits};
use proptest::prelude::*;

fn small() -> Budget<'static> {
    Budget::new(Limits { cards: 1000, nodes: 200_000, bytes: 1 << 22 })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_a_board_panic(text in "[0-9a-zJ,/@: -]{0,40}") {
        if let Ok(board) = ENTRY.board(&text) {
            let _ = board.report(&mut small());
            prop_assert_eq!(ENTRY.board(&board.notation()).unwrap().notation(), board.notation());
        }
        let _ = read_board(&format!("deal:{text}"));
    }

    #[test]
    fn no_hands_make_a_query_panic(
        hands in prop::collection::vec(prop::collection::vec("[1-4J]?", 0..5), 0..6),
        seat in -2_i64..7,
        ranks in any::<bool>(),
        card in "[1-4J]?",
    ) {
        let mode = if ranks { "ranks" } else { "pairs" };
        let asks = [
            ("analyze", format!(r#"{{"mode":"{mode}","hands":{hands:?},"to_move":{seat}}}"#)),
            ("play", format!(r#"{{"mode":"{mode}","hands":{hands:?},"to_move":{seat},"draw":{card:?}}}"#)),
            ("deal", format!(r#"{{"mode":"{mode}","deal":{hands:?},"start":{seat}}}"#)),
        ];
        for (query, request) in asks {
            let mut out = Vec::new();
            if ENTRY.answer(query, &request, &mut small(), &mut out).is_ok() {
                prop_assert!(serde_json::from_slice::<serde_json::Value>(&out).is_ok());
            }
        }
    }

    #[test]
    fn no_json_makes_a_query_panic(text in r#"[{}\[\]":,a-z0-9J]{0,60}"#) {
        for query in ["analyze", "play", "deal"] {
            prop_assert!(ENTRY.answer(query, &text, &mut small(), &mut Vec::new()).is_err());
        }
    }

    #[test]
    fn drawing_a_class_is_drawing_a_card_of_it(
        seed in any::<u64>(), players in 2_usize..7, labels in 1_u32..14, ranks in any::<bool>(), pick in any::<u64>(),
    ) {
        let mode = if ranks { Mode::Ranks } else { Mode::Pairs };
        let mut position = deal(players, labels, mode, View::Open, seed);
        for step in 0..30 {
            let Some(shape) = Shape::of(position.table(), mode) else { break };
            prop_assert!(shape.is_legal(mode));
            let victim = position.table().victim().unwrap();
            let hand = position.table().hands()[victim.0].clone();
            // Every card leads to the shape that some kind of draw promises.
            let promised: Vec<_> = shape.kinds(mode).into_iter().map(|kind| shape.draw(kind, mode)).collect();
            for &card in &hand {
                let drawn = draw(position.table(), card).unwrap();
                let found = Shape::of(&drawn.table, mode);
                let fits = promised.iter().any(|step| {
                    step.after == found && usize::from(step.leavers()) == drawn.left.len()
                        && step.paired == drawn.discarded.is_some()
                });
                prop_assert!(fits);
            }
            let card = hand[(pick.wrapping_add(step) % hand.len() as u64) as usize];
            position = position.with(draw(position.table(), card).unwrap().table);
        }
    }

    #[test]
    fn large_three_seat_guarantees_are_kept_and_cannot_be_destroyed(
        x in 0_u32..5000, y in 0_u32..5000, z in 0_u32..5000, joker in 0_u8..3,
    ) {
        let three = Three { x, y, z, joker };
        prop_assume!(three.is_legal());
        let ranks = three.ranks();
        prop_assert_eq!(ranks.draws.iter().filter(|&&rank| rank > 0).min(), Some(&ranks.seats[0]));
        prop_assert!(ranks.seats.iter().filter(|&&rank| rank == 1).count() <= 1);
        prop_assert!(ranks.seats.contains(&3), "somebody can be made last");
        let without_joker = [Draw::Pair, Draw::Shift].into_iter().filter_map(|draw| three.after(draw)).min();
        prop_assert!(ranks.seats[0] == 3 || without_joker == Some(ranks.seats[0]));
    }

    #[test]
    fn draws_of_others_never_lower_a_guarantee_and_the_own_best_keeps_it(
        seed in any::<u64>(), players in 2_usize..6, labels in 1_u32..8,
    ) {
        let position = deal(players, labels, Mode::Pairs, View::Open, seed);
        prop_assume!(!position.table().is_over());
        let judged = judge(&position, &mut Budget::default()).unwrap();
        for (place, &seat) in judged.order.iter().enumerate() {
            let now = judged.sure[seat].unwrap();
            let strict = judged.draws.iter().map(|draw| draw.after[seat].unwrap().strict);
            let found = if place == 0 { strict.min() } else { strict.max() };
            prop_assert_eq!(found, Some(now.strict));
        }
    }
}

//! The game as surfaces see it: a whole play, and positions too large for pictures.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use kachi_core::surface::{Entry, Tone};
use kachi_core::{Budget, Seat};
use tanhinmin::ENTRY;

#[test]
fn the_engine_wins_every_won_deal_against_every_opponent_it_meets() {
    let mut won = 0;
    for seed in 0..60 {
        let mut board = ENTRY.deal(seed);
        let hero = Seat(usize::from(board.report(&mut Budget::default()).unwrap().standing[0] < 0.5));
        let mut turns = 0;
        while board.ended().is_none() {
            let report = board.report(&mut Budget::default()).unwrap();
            let choice = if board.mover() == Some(hero) {
                let best = report.best.unwrap();
                assert_eq!(report.moves[best].tone, Tone::Winning, "{}", board.notation());
                best
            } else {
                // An opponent who tries something else in every play and turn.
                (seed as usize * 7 + turns * 3) % report.moves.len()
            };
            board = board.play(&report.moves[choice].mv).unwrap();
            turns += 1;
        }
        assert_eq!(board.ended().unwrap().winners, [hero], "seed {seed}");
        won += 1;
    }
    assert_eq!(won, 60);
}

#[test]
fn a_position_of_many_cards_is_reported_without_a_reason_for_every_move() {
    let hand = |from: usize| (from..from + 40_000).map(|face| face.to_string()).collect::<Vec<_>>().join(",");
    let board = ENTRY.board(&format!("{}/{}", hand(1), hand(20_000))).unwrap();
    let report = board.report(&mut Budget::default()).unwrap();
    assert_eq!(report.moves.len(), 40_001);
    assert!(report.drawing.contains("too many to draw"));
    assert!(board.answer(&mut Budget::default()).unwrap().contains("\"winner\""));
    assert_eq!(board.svg(&mut Budget::default()).unwrap_err().code, "too_large");
}

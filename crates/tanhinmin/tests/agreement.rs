//! The fast rules against the slow definition: the attractor of `kachi-core`, which knows only the rules of the game.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod positions;

use kachi_core::solve::{Outcome as Result3, Solution, Wins, by_attractor};
use kachi_core::{Budget, Seat};
use tanhinmin::rules::Stage;
use tanhinmin::theory::{Player, decide, winning_moves};
use tanhinmin::{Move, Outcome, Position, Tanhinmin};

fn solve(positions: &[Position]) -> Solution<Tanhinmin> {
    let roots: Vec<Stage> = positions.iter().map(|p| Stage::Turn(Seat::FIRST, p.clone())).collect();
    by_attractor(&Tanhinmin, &Wins(Seat::FIRST), &roots, &mut Budget::default()).unwrap()
}

/// Checks winner and winning moves of all positions; returns how many there were.
fn agree(positions: &[Position]) -> usize {
    let truth = solve(positions);
    for (stage, outcome) in truth.iter() {
        assert_ne!(outcome, Result3::Endless, "nobody can force a win in {stage:?}");
    }
    for position in positions {
        let outcome = truth.outcome(&Stage::Turn(Seat::FIRST, position.clone())).unwrap();
        let decision = decide(position, &mut Budget::default()).unwrap();
        assert_eq!(decision.winner == Player::Mover, outcome == Result3::Forced, "{position}");
        let wins = |mv: &Move| match position.play(*mv).unwrap() {
            Outcome::Won => true,
            Outcome::Goes(next) => truth.outcome(&Stage::Turn(Seat::SECOND, next)) == Some(Result3::Forced),
        };
        let expected: Vec<Move> = position.legal_moves().into_iter().filter(wins).collect();
        assert_eq!(winning_moves(position, &mut Budget::default()).unwrap(), expected, "{position}");
    }
    positions.len()
}

#[test]
fn plain_positions_up_to_six_cards_from_four_faces() {
    let count: usize = (2..=6).map(|cards| agree(&positions::all(cards, 4, false, false))).sum();
    // Multisets of 4 faces: the sum over both sizes of C(x+3, 3) C(z+3, 3), on 6 tables each.
    assert_eq!(count, 2_584 * 6);
}

#[test]
fn goals_up_to_five_cards_from_four_faces() {
    let count: usize = (2..=5).map(|cards| agree(&positions::all(cards, 4, false, true))).sum();
    assert!(count > 10_000, "{count}");
}

#[test]
fn cut_cards_up_to_four_cards_from_four_faces() {
    let count: usize = (2..=4).map(|cards| agree(&positions::all(cards, 4, true, false))).sum();
    assert!(count > 20_000, "{count}");
}

#[test]
fn cut_cards_and_goals_up_to_four_cards_from_three_faces() {
    let count: usize = (2..=4).map(|cards| agree(&positions::all(cards, 3, true, true))).sum();
    assert!(count > 10_000, "{count}");
}

#[test]
fn the_search_by_bit_sets_agrees_with_the_attractor() {
    use tanhinmin::search::{AllPlays, Holdings};
    for (faces, cuts, goals) in [
        (&[1, 2, 3, 4, 5][..], false, [0, 0]),
        (&[1, 1, 2, 2, 3], false, [0, 1]),
        (&[1, 2, 2, 3, 3], false, [1, 0]),
        (&[1, 2, 3, 4], true, [0, 0]),
        (&[1, 1, 2, 3], true, [1, 0]),
        (&[1, 2, 2, 2], true, [0, 1]),
    ] {
        let all = AllPlays::solve(faces, cuts, goals);
        assert_eq!(all.draws(), 0);
        let mut cases = Vec::new();
        for pattern in 0..5_usize.pow(faces.len() as u32) {
            let owner = |card: usize| pattern / 5_usize.pow(card as u32) % 5;
            let of =
                |who: usize| (0..faces.len()).filter(|&card| owner(card) == who).map(|card| 1 << card).sum();
            let holdings = Holdings { x: of(1), u: of(2), z: of(3), v: of(4) };
            let no_cuts = holdings.u == 0 && holdings.v == 0;
            if (cuts || no_cuts) && holdings.sizes()[0] > goals[0] && holdings.sizes()[1] > goals[1] {
                let top = faces.last().copied().unwrap();
                cases.extend((0..=top).map(|level| (holdings, level, all.position(holdings, level))));
            }
        }
        let positions: Vec<Position> = cases.iter().map(|case| case.2.clone()).collect();
        let truth = solve(&positions);
        for (holdings, level, position) in cases {
            let outcome = truth.outcome(&Stage::Turn(Seat::FIRST, position.clone())).unwrap();
            assert_eq!(all.mover_wins(holdings, level), outcome == Result3::Forced, "{position}");
            let moves = winning_moves(&position, &mut Budget::default()).unwrap();
            assert_eq!(all.winning_moves(holdings, level), moves, "{position}");
        }
    }
}

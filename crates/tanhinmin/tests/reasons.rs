//! Every reason passes the independent checker and proves the right winner; tampered reasons are rejected.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod positions;

use kachi_core::Budget;
use tanhinmin::strategy::suggest;
use tanhinmin::theory::moves::move_values;
use tanhinmin::theory::{Player, decide, winning_moves};
use tanhinmin::why::{Excuse, Why, check, check_move, why, why_moves};
use tanhinmin::{Face, Position};

fn small_positions() -> Vec<Position> {
    let mut all = Vec::new();
    all.extend((2..=6).flat_map(|cards| positions::all(cards, 3, false, true)));
    all.extend((2..=5).flat_map(|cards| positions::all(cards, 2, true, false)));
    all.extend((2..=4).flat_map(|cards| positions::all(cards, 3, true, false)));
    all.extend((2..=4).flat_map(|cards| positions::all(cards, 2, true, true)));
    all
}

#[test]
fn every_reason_is_accepted_and_names_the_winner() {
    let positions = small_positions();
    assert!(positions.len() > 30_000, "{}", positions.len());
    for position in &positions {
        let reason = why(position, &mut Budget::default()).unwrap();
        let winner = decide(position, &mut Budget::default()).unwrap().winner;
        assert_eq!(check(position, &reason), Ok(winner), "{position}: {reason:?}");
    }
}

#[test]
fn every_move_has_a_reason_and_every_refutation_wins() {
    for position in small_positions() {
        let values = move_values(&position, &mut Budget::default()).unwrap();
        for mv in why_moves(&position, &values, &mut Budget::default()).unwrap() {
            assert_eq!(check_move(&position, &mv), Ok(()), "{position}: {mv:?}");
            if let Some(reply) = mv.reply {
                let tanhinmin::Outcome::Goes(next) = position.play(mv.mv).unwrap() else {
                    panic!("{position}")
                };
                let refutations = winning_moves(&next, &mut Budget::default()).unwrap();
                assert!(refutations.contains(&reply), "{position}: {} is not refuted by {reply}", mv.mv);
            }
        }
    }
}

#[test]
fn the_suggested_move_wins_whenever_a_move_does() {
    for position in small_positions() {
        let winning = winning_moves(&position, &mut Budget::default()).unwrap();
        let best = suggest(&position, &mut Budget::default()).unwrap().unwrap();
        assert!(winning.is_empty() || winning.contains(&best), "{position}: {best}");
        assert!(position.legal_moves().contains(&best), "{position}: {best}");
    }
}

/// All ways to spoil a reason a little.
fn tampered(reason: &Why) -> Vec<Why> {
    let mut spoiled = Vec::new();
    match reason {
        Why::Matching { mover, other, no_surplus } => {
            let rebuilt = |mover, other| Why::Matching { mover, other, no_surplus: *no_surplus };
            for spoil in spoil_matching(mover) {
                spoiled.push(rebuilt(spoil, other.clone()));
            }
            for spoil in spoil_matching(other) {
                spoiled.push(rebuilt(mover.clone(), spoil));
            }
        }
        Why::SurplusMover { cover } => {
            spoiled.extend(spoil_pairs(cover).into_iter().map(|cover| Why::SurplusMover { cover }));
        }
        Why::SurplusOther { cover, no_surplus } => {
            let rebuilt = |cover| Why::SurplusOther { cover, no_surplus: *no_surplus };
            spoiled.extend(spoil_pairs(cover).into_iter().map(rebuilt));
        }
        Why::SetAside { lines } => {
            spoiled.push(Why::SetAside { lines: Vec::new() });
            for i in 0..lines.len() {
                for why in tampered(&lines[i].why) {
                    let mut lines = lines.clone();
                    lines[i].why = why;
                    spoiled.push(Why::SetAside { lines });
                }
            }
        }
        Why::CutOnTable { then } => {
            spoiled.push(*then.clone());
            spoiled.extend(tampered(then).into_iter().map(|then| Why::CutOnTable { then: Box::new(then) }));
        }
    }
    spoiled
}

fn spoil_matching(matching: &tanhinmin::why::Matching) -> Vec<tanhinmin::why::Matching> {
    let rebuilt = |pairs| tanhinmin::why::Matching { pairs, bound: matching.bound };
    spoil_pairs(&matching.pairs).into_iter().map(rebuilt).collect()
}

/// One pair dropped, doubled, reversed, or with a card that is not there.
fn spoil_pairs(pairs: &[(Face, Face)]) -> Vec<Vec<(Face, Face)>> {
    let strange = Face::new(77).unwrap();
    let mut spoiled = vec![[pairs, &[(strange, Face::GROUND)]].concat()];
    for i in 0..pairs.len() {
        let mut dropped = pairs.to_vec();
        dropped.remove(i);
        spoiled.push(dropped);
        spoiled.push([pairs, &pairs[i..=i]].concat());
        let mut reversed = pairs.to_vec();
        reversed[i] = (pairs[i].1, pairs[i].0);
        spoiled.push(reversed);
        let mut foreign = pairs.to_vec();
        foreign[i].0 = strange;
        spoiled.push(foreign);
    }
    spoiled
}

#[test]
fn tampered_reasons_are_rejected() {
    let mut count = 0;
    for position in small_positions() {
        let reason = why(&position, &mut Budget::default()).unwrap();
        for spoiled in tampered(&reason) {
            assert!(check(&position, &spoiled).is_err(), "{position} accepts {spoiled:?}");
            count += 1;
        }
    }
    assert!(count > 100_000, "{count}");
}

#[test]
fn wrong_bounds_and_excuses_are_rejected() {
    let position: Position = "4,c2/1,3,5".parse().unwrap();
    let Ok(Why::Matching { mover, other, no_surplus: Some(excuses) }) =
        why(&position, &mut Budget::default())
    else {
        panic!("a matching decides this position")
    };
    let with = |mover_bound: u32, excuses: [Excuse; 2]| Why::Matching {
        mover: tanhinmin::why::Matching { bound: Face::new(mover_bound).unwrap(), ..mover.clone() },
        other: other.clone(),
        no_surplus: Some(excuses),
    };
    let right = mover.bound.get();
    assert_eq!(check(&position, &with(right.max(1), excuses)).is_ok(), right >= 1);
    assert!(check(&position, &with(40, excuses)).is_err(), "a bound far above proves too little");
    assert!(check(&position, &with(right.max(1), [Excuse::NoCutCard, excuses[1]])).is_err());
    assert!(check(&position, &with(right.max(1), [excuses[0], Excuse::CutCardLegal])).is_err());
    assert!(check(&position, &with(right.max(1), [excuses[0], Excuse::TwoWeaker])).is_err());
}

#[test]
fn a_reason_for_one_winner_never_proves_the_other() {
    // Reasons of other positions are either rejected or prove the truth: the checker is sound.
    let positions: Vec<Position> =
        (2..=4).flat_map(|cards| positions::all(cards, 3, true, false)).step_by(37).collect();
    let reasons: Vec<Why> = positions.iter().map(|p| why(p, &mut Budget::default()).unwrap()).collect();
    let mut accepted = 0;
    for position in &positions {
        let winner = decide(position, &mut Budget::default()).unwrap().winner;
        for reason in &reasons {
            if let Ok(proved) = check(position, reason) {
                assert_eq!(proved, winner, "{position} by {reason:?}");
                accepted += usize::from(proved == Player::Mover);
            }
        }
    }
    assert!(accepted > 0);
}

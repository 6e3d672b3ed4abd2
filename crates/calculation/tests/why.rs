//! Reasons: every one that is given passes the checker, which knows only the definition; what is tampered with does not.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

use calculation::deal::Deck;
use calculation::memo::Memo;
use calculation::notation;
use calculation::players::source::PairSource;
use calculation::position::{Position, Stack};
use calculation::rules::{Move, Rules};
use calculation::why::{PlanReason, reason, words};
use kachi_core::random::Dealer;
use kachi_core::why::Why;

/// A table near the end of a deal, reached by any moves that keep the stacks short.
fn table(rules: &Rules, seed: u64, draws: usize) -> Position {
    let mut dealer = Dealer::new(seed);
    let mut position = Position::start(rules);
    for &rank in &Deck::seeded(rules, seed).cards()[..draws] {
        position = rules.play(&position, Move::Draw(rank)).unwrap();
        let plays = rules.moves(&position).into_iter().find(|mv| matches!(mv, Move::Play(_)));
        let put = Move::Put(Stack(dealer.below(rules.stacks() as u64) as u8));
        position = rules.play(&position, plays.unwrap_or(put)).unwrap();
        while let Some(mv) = { rules.unloadings(&position).next() } {
            position = rules.play(&position, mv).unwrap();
        }
    }
    position
}

#[test]
fn every_reason_passes_the_checker() {
    let mut recomputed = 0;
    let mut given = 0;
    for (ranks, steps, stacks) in
        [(13, vec![1, 2, 3, 4], 3), (13, vec![1, 2, 3, 4], 4), (7, vec![1, 2, 3], 2), (5, vec![1, 2], 2)]
    {
        let rules = Rules::reduced(ranks, &steps, stacks).unwrap();
        let mut chances = PairSource::new(Memo::without_table(stacks));
        let cards = rules.cards();
        for seed in 0..48 {
            let draws = if cards == 52 { 46 + seed as usize % 6 } else { seed as usize % cards };
            let position = table(&rules, seed, draws);
            if position.left() > 10 {
                continue;
            }
            let Some(why) = reason(&rules, &position, &mut chances) else { continue };
            let checked = why
                .check(&(rules.clone(), position))
                .unwrap_or_else(|flaw| panic!("{}: {flaw}: {why:?}", notation::write(&rules, &position)));
            assert!((checked.value - why.value).abs() <= 1e-9 * why.value);
            recomputed += checked.recomputed;
            given += checked.factors;
            assert!(words::words(&why).len() >= 3);
        }
    }
    assert!(recomputed * 2 > given && given > 60, "{recomputed} of {given} factors recomputed");
}

#[test]
fn the_worked_example_of_the_paper_has_its_factors() {
    let (rules, position) = notation::read("3T33/85QA/9AQJ6/KK95J").unwrap();
    let pile = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let paper = PlanReason {
        plan: vec![pile("8-2 5-2 Q-2 A-1"), pile("9-1 A-3 Q-0 J-0 6-3"), pile("K-3 K-1 9-3 5-3 J-1")],
        single: vec![0.391_046_6, 0.833_333_3, 0.068_568_13, 0.958_333_3],
        pair: [0.273_977_1, 0.015_479_76, 0.351_341_2, 0.052_735_61, 0.798_611_1, 0.053_203_96]
            .map(Some)
            .to_vec(),
        value: 0.007_281_464,
    };
    let checked = paper.check(&(rules, position)).unwrap();
    assert!((checked.value - paper.value).abs() < 1e-8 && checked.recomputed >= 3, "{checked:?}");
}

#[test]
fn tampered_reasons_are_refused() {
    let (rules, position) = notation::read("QKT9/K9/KT/-").unwrap();
    let honest = reason(&rules, &position, &mut PairSource::new(Memo::without_table(3))).unwrap();
    let recomputed = honest.check(&(rules.clone(), position)).unwrap().recomputed;
    assert!(recomputed == 10, "{recomputed} factors recomputed");
    let table = (rules, position);
    honest.check(&table).unwrap();
    let mut refused = 0;
    let mut refuse = |change: &dyn Fn(&mut PlanReason)| {
        let mut forged = honest.clone();
        change(&mut forged);
        if forged != honest {
            assert!(forged.check(&table).is_err(), "{forged:?}");
            refused += 1;
        }
    };
    refuse(&|why| why.value *= 1.01);
    refuse(&|why| why.single[0] = 2.0);
    refuse(&|why| why.single[1] = f64::NAN);
    refuse(&|why| why.pair[0] = Some(-0.1));
    refuse(&|why| {
        why.single.pop();
    });
    refuse(&|why| {
        why.plan.pop();
    });
    for stack in 0..3 {
        refuse(&|why| {
            why.plan[stack].pop();
        });
        refuse(&|why| why.plan[stack].push("K-0".into()));
        refuse(&|why| {
            if let Some(label) = why.plan[stack].first_mut() {
                *label = "A-9".into();
            }
        });
        refuse(&|why| {
            if let Some(label) = why.plan[stack].first_mut() {
                *label = "nonsense".into();
            }
        });
    }
    // Two cards cannot have the same place.
    refuse(&|why| {
        let labels: Vec<String> = why.plan.iter().flatten().cloned().collect();
        for label in why.plan.iter_mut().flatten() {
            if let Some(other) = labels.iter().find(|other| other[..1] == label[..1] && *other != label) {
                *label = other.clone();
                return;
            }
        }
    });
    // Every factor that is small enough to be recomputed is.
    for f in 0..4 {
        let mut forged = honest.clone();
        forged.single[f] *= 0.9;
        let scale = 0.9_f64.powi(-2);
        forged.value *= scale;
        if let Ok(checked) = forged.check(&table) {
            assert!(checked.recomputed < honest.check(&table).unwrap().factors, "{f}");
        } else {
            refused += 1;
        }
    }
    assert!(refused >= 12, "{refused}");
}

//! The two-chain form: canonical states counted, numbered and solved.

use calculation::theory::rank::Ranking;
use calculation::theory::{Chances, TwoChains, chance::Recursion};
use std::collections::BTreeSet;

/// All live canonical states reachable from two chains of `n` cards, layer by layer; calls `each` with every one.
fn reach(stacks: usize, n: usize, mut each: impl FnMut(&TwoChains)) -> usize {
    let ranking = Ranking::of(stacks);
    let mut layer = BTreeSet::from([ranking.rank(&TwoChains::start(stacks, n, n).canonical())]);
    let mut count = 0;
    for cards in (1..=2 * n).rev() {
        count += layer.len();
        let mut next = BTreeSet::new();
        for &rank in &layer {
            let state = ranking.state(cards, rank).expect("a number that was given");
            each(&state);
            state.for_each_card(|placements| {
                for after in placements.states() {
                    next.insert(ranking.rank(&after.canonical()));
                }
            });
        }
        layer = next;
    }
    assert_eq!(layer.len(), 1, "the empty state");
    count
}

#[test]
fn states_of_three_stacks_are_as_many_as_tanaka_counts() {
    let counts: Vec<usize> = (1..=7).map(|n| reach(3, n, |_| ())).collect();
    assert_eq!(counts, [2, 12, 65, 339, 1665, 7757, 34996]);
}

#[test]
fn states_of_four_stacks_are_as_many_as_tanaka_counts() {
    let counts: Vec<usize> = (1..=7).map(|n| reach(4, n, |_| ())).collect();
    assert_eq!(counts, [2, 12, 71, 459, 2937, 17851, 102_750]);
}

#[test]
fn numbers_of_states_fit_64_bits_and_never_coincide() {
    for stacks in 1..=4 {
        let ranking = Ranking::of(stacks);
        let mut keys = BTreeSet::new();
        let states = reach(stacks, 5, |state| {
            assert!(keys.insert(ranking.key(state)), "{state:?}");
        });
        assert_eq!(keys.len(), states);
        // The keys of all numbers of cards lie behind one another without going round.
        let end = (0..=24).try_fold(0u64, |end, cards| end.checked_add(ranking.universe(cards)));
        assert!(end.is_some(), "{stacks} stacks");
    }
}

/// Every live canonical state there is, reachable or not, for a few cards: each has its own number, and the number gives it back.
#[test]
fn every_state_of_a_few_cards_has_its_own_number() {
    for stacks in 1..=4usize {
        for cards in 1..=5usize {
            let ranking = Ranking::of(stacks);
            let mut numbers = BTreeSet::new();
            let mut given_back = BTreeSet::new();
            for_each_sound_state(stacks, cards, &mut |state| {
                if !state.is_dead() && state.canonical() == *state {
                    let number = ranking.rank(state);
                    assert!(number < ranking.universe(cards));
                    assert!(numbers.insert(number), "{state:?}");
                    assert_eq!(ranking.state(cards, number), Some(*state));
                }
            });
            if ranking.universe(cards) < 100_000 {
                given_back
                    .extend((0..ranking.universe(cards)).filter(|&n| ranking.state(cards, n).is_some()));
                assert_eq!(numbers, given_back, "{stacks} stacks, {cards} cards");
            }
        }
    }
}

/// All sound states with sorted cuts.
fn for_each_sound_state(stacks: usize, cards: usize, each: &mut dyn FnMut(&TwoChains)) {
    for a in 0..=cards {
        let b = cards - a;
        for need_a in nondecreasing(a, b as u8) {
            for need_b in nondecreasing(b, a as u8) {
                let places = (a + 1) * (b + 1);
                for cuts in nondecreasing(stacks, places as u8 - 1) {
                    let cut_a: Vec<u8> = cuts.iter().map(|cut| cut / (b as u8 + 1)).collect();
                    let cut_b: Vec<u8> = cuts.iter().map(|cut| cut % (b as u8 + 1)).collect();
                    if let Ok(state) = TwoChains::new(&need_a, &need_b, &cut_a, &cut_b) {
                        each(&state);
                    }
                }
            }
        }
    }
}

/// All nondecreasing lists of a length with numbers up to the largest.
fn nondecreasing(length: usize, largest: u8) -> Vec<Vec<u8>> {
    (0..length).fold(vec![Vec::new()], |lists, _| {
        let longer = |list: &Vec<u8>| {
            let from = list.last().copied().unwrap_or(0);
            let list = list.clone();
            (from..=largest).map(move |next| [&list[..], &[next]].concat()).collect::<Vec<_>>()
        };
        lists.iter().flat_map(longer).collect()
    })
}

#[test]
fn wrong_states_are_refused_with_their_place() {
    let refused = |need_a: &[u8], need_b: &[u8], cut_a: &[u8], cut_b: &[u8]| {
        let error = TwoChains::new(need_a, need_b, cut_a, cut_b).unwrap_err();
        (error.code, error.at.map(|place| place.to_string()))
    };
    let at = |field: &str| Some(field.to_owned());
    assert_eq!(refused(&[], &[], &[], &[]), ("bad_stacks", at("cut_a")));
    assert_eq!(refused(&[], &[], &[0], &[0, 0]), ("bad_stacks", at("cut_b")));
    assert_eq!(refused(&[2], &[0], &[1], &[1]), ("bad_order", at("need_a[0]")));
    assert_eq!(refused(&[1, 0], &[0], &[2], &[1]), ("bad_order", at("need_a[1]")));
    assert_eq!(refused(&[1], &[1], &[1], &[1]), ("cyclic_order", at("need_a[0]")));
    assert_eq!(refused(&[0], &[0], &[2], &[1]), ("bad_cut", at("cut_a[0]")));
    assert_eq!(refused(&[1], &[0], &[1], &[0]), ("bad_cut", at("cut_a[0]")));
    assert_eq!(refused(&[0; 13], &[0; 12], &[13], &[12]), ("too_large", None));
}

#[test]
fn chances_at_the_start_are_tanakas() {
    for (stacks, n, expected) in [
        (3, 4, 0.918_402_8),
        (3, 5, 0.729_645),
        (3, 6, 0.484_761_7),
        (3, 7, 0.266_419_9),
        (3, 8, 0.121_741_5),
        (4, 5, 0.983_402_8),
        (4, 6, 0.927_012_7),
        (4, 7, 0.814_408_7),
    ] {
        let chance = Recursion::new(stacks).chance(&TwoChains::start(stacks, n, n));
        assert!((chance / expected - 1.0).abs() < 2e-6, "{stacks} stacks, {n} ranks: {chance}");
    }
}

//! The definition on posets against the two-chain form, and the counts of three and four chains.

use calculation::theory::poset::{Poset, chance, count};
use calculation::theory::{Chances, TwoChains, chance::Recursion};
use kachi_core::Budget;
use proptest::prelude::*;

fn counted(stacks: usize, chains: usize, length: usize) -> u64 {
    let start = Poset::start(stacks, chains, length).expect("few cards");
    count(&start, 1, &mut Budget::default()).expect("a small count")
}

#[test]
fn one_chain_has_as_many_states_as_tanaka_counts() {
    let three: Vec<u64> = (1..=12).map(|n| counted(3, 1, n)).collect();
    assert_eq!(three, [1, 3, 7, 14, 25, 41, 63, 92, 129, 175, 231, 298]);
    let four: Vec<u64> = (1..=12).map(|n| counted(4, 1, n)).collect();
    assert_eq!(four, [1, 3, 7, 15, 30, 56, 98, 162, 255, 385, 561, 793]);
}

#[test]
fn two_chains_have_as_many_states_as_posets_as_they_have_as_words() {
    let three: Vec<u64> = (1..=6).map(|n| counted(3, 2, n)).collect();
    assert_eq!(three, [2, 12, 65, 339, 1665, 7757]);
    let four: Vec<u64> = (1..=5).map(|n| counted(4, 2, n)).collect();
    assert_eq!(four, [2, 12, 71, 459, 2937]);
}

#[test]
fn three_and_four_chains_have_as_many_states_as_tanaka_counts() {
    let counts = |stacks, chains, most| (1..=most).map(|n| counted(stacks, chains, n)).collect::<Vec<u64>>();
    assert_eq!(counts(3, 3, 4), [3, 38, 622, 11664]);
    assert_eq!(counts(4, 3, 3), [3, 39, 807]);
    assert_eq!(counts(3, 4, 3), [4, 114, 6730]);
    assert_eq!(counts(4, 4, 2), [4, 125]);
}

/// The poset of a state on two chains.
fn as_poset(state: &TwoChains) -> Poset {
    let (need_a, need_b) = state.needs();
    let (a, b) = (need_a.len(), need_b.len());
    let down_a = |i: usize| (0..i).chain(a..a + usize::from(need_a[i])).collect();
    let down_b = |j: usize| (a..a + j).chain(0..usize::from(need_b[j])).collect();
    let down: Vec<Vec<usize>> = (0..a).map(down_a).chain((0..b).map(down_b)).collect();
    let stacks = |forbids: &dyn Fn(u8, u8) -> bool| {
        (0..state.stacks()).filter(|&s| forbids(state.cut(s).0, state.cut(s).1)).collect()
    };
    let of_a = (0..a).map(|i| stacks(&|cut, _| usize::from(cut) <= i));
    let of_b = (0..b).map(|j| stacks(&|_, cut| usize::from(cut) <= j));
    Poset::new(state.stacks(), &down, &of_a.chain(of_b).collect::<Vec<_>>()).expect("an order")
}

/// Any sound state of two chains, not only those that can be reached.
fn any_state() -> impl Strategy<Value = TwoChains> {
    (1usize..=4, 0usize..=4, 0usize..=4).prop_flat_map(|(stacks, a, b)| {
        let needs = (prop::collection::vec(0..=b as u8, a), prop::collection::vec(0..=a as u8, b));
        let cuts = (prop::collection::vec(0..=a as u8, stacks), prop::collection::vec(0..=b as u8, stacks));
        (needs, cuts).prop_filter_map("an order with cuts closed downwards", |((mut x, mut y), (ca, cb))| {
            x.sort_unstable();
            y.sort_unstable();
            TwoChains::new(&x, &y, &ca, &cb).ok()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn words_and_posets_give_the_same_chance(state in any_state()) {
        let slow = chance(&as_poset(&state), 1, &mut Budget::default()).unwrap();
        let fast = Recursion::new(state.stacks()).chance(&state);
        prop_assert!((slow - fast).abs() < 1e-12, "{slow} {fast}");
    }

    #[test]
    fn two_states_are_the_same_as_words_exactly_when_they_are_as_posets(x in any_state(), y in any_state()) {
        if x.stacks() == y.stacks() && x.cards() == y.cards() {
            let words = x.canonical() == y.canonical();
            let posets = as_poset(&x).canonical() == as_poset(&y).canonical();
            prop_assert_eq!(words, posets);
        }
    }

    #[test]
    fn renaming_the_chains_changes_nothing(state in any_state()) {
        prop_assert_eq!(state.canonical(), state.swapped().canonical());
        prop_assert_eq!(as_poset(&state).canonical(), as_poset(&state.canonical()).canonical());
        prop_assert_eq!(state.canonical().canonical(), state.canonical());
    }

    #[test]
    fn every_placement_is_the_same_as_words_and_as_posets(state in any_state()) {
        prop_assume!(!state.is_dead());
        let poset = as_poset(&state);
        let mut words = Vec::new();
        state.for_each_card(|card| words.extend(card.states().iter().map(|s| as_poset(s).canonical())));
        let mut posets = Vec::new();
        for x in 0..poset.cards() {
            let after = (0..poset.stacks()).filter_map(|s| poset.put(x, s)).filter(|after| !after.is_dead());
            let mut distinct: Vec<Poset> = after.map(|after| after.canonical()).collect();
            distinct.sort_unstable();
            distinct.dedup();
            posets.extend(distinct);
        }
        words.sort_unstable();
        words.dedup();
        posets.sort_unstable();
        posets.dedup();
        prop_assert_eq!(words, posets);
    }
}

/// Every deck, every choice: the chance from nothing but the meaning of the game, without orders and reduction. Cards are put on stacks one by
/// one as they come; at the end everything must be unloadable in the order of the chains.
mod enumeration {
    use super::*;

    /// Whether stacks of (chain, index) can be unloaded with each chain in its order.
    fn unloads(mut stacks: Vec<Vec<(usize, usize)>>, chains: usize) -> bool {
        let mut next = vec![0; chains];
        loop {
            let top = stacks.iter().position(|stack| stack.last().is_some_and(|&(c, i)| next[c] == i));
            match top {
                Some(stack) => {
                    let (chain, _) = stacks[stack].pop().expect("a top");
                    next[chain] += 1;
                }
                None => return stacks.iter().all(Vec::is_empty),
            }
        }
    }

    /// The best chance when every unseen card is as likely to come next.
    fn best(stacks: &mut Vec<Vec<(usize, usize)>>, unseen: &[(usize, usize)], chains: usize) -> f64 {
        if unseen.is_empty() {
            return f64::from(u8::from(unloads(stacks.clone(), chains)));
        }
        let mut sum = 0.0;
        for (at, &card) in unseen.iter().enumerate() {
            let rest: Vec<_> = unseen.iter().enumerate().filter(|&(i, _)| i != at).map(|(_, &c)| c).collect();
            let mut most = 0.0;
            for stack in 0..stacks.len() {
                stacks[stack].push(card);
                most = f64::max(most, best(stacks, &rest, chains));
                stacks[stack].pop();
            }
            sum += most;
        }
        sum / unseen.len() as f64
    }

    #[test]
    fn chances_are_those_of_playing_every_deck_in_every_way() {
        for (stacks, chains, length) in [(1, 2, 2), (2, 1, 4), (2, 2, 2), (2, 3, 2), (3, 1, 5), (1, 1, 4)] {
            let unseen: Vec<_> = (0..chains).flat_map(|c| (0..length).map(move |i| (c, i))).collect();
            let expected = best(&mut vec![Vec::new(); stacks], &unseen, chains);
            let start = Poset::start(stacks, chains, length).unwrap();
            let found = chance(&start, 1, &mut Budget::default()).unwrap();
            assert!((expected - found).abs() < 1e-12, "{stacks} {chains} {length}: {expected} {found}");
        }
    }
}

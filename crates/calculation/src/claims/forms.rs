//! When two states are the same: words against posets, and what keeping the foundations apart would count.

use super::KACHI;
use crate::table::build::{self, Reached};
use crate::theory::poset::{self, Poset};
use crate::theory::{MOST_STACKS, TwoChains};
use kachi_core::{Budget, Claim, Counterexample, Error, Findings, Limits, Statement};
use std::collections::BTreeSet;

/// A claim over all states of two chains of so many cards.
pub(super) struct Forms {
    statement: Statement,
    stacks: usize,
    check: fn(usize, usize, &mut Findings),
}

impl Claim for Forms {
    fn statement(&self) -> &Statement {
        &self.statement
    }

    fn largest(&self) -> u32 {
        9
    }

    fn shards(&self, _: u32) -> u32 {
        1
    }

    fn check(&self, size: u32, _: u32, findings: &mut Findings) {
        (self.check)(self.stacks, size as usize, findings);
    }
}

fn budget() -> Budget<'static> {
    Budget::new(Limits { nodes: u64::MAX, bytes: 8 << 30, ..Limits::default() })
}

fn said(counted: &Result<u64, Error>) -> String {
    counted.as_ref().map_or_else(|error| error.message.clone(), u64::to_string)
}

fn start_of(stacks: usize, length: usize) -> String {
    format!("{stacks} stacks, 2 chains of {length} cards")
}

const fn same(id: &'static str, words: &'static str) -> Statement {
    Statement::holds(id, KACHI, words, None, "cards of each chain; every state that can be reached", 6)
}

pub(super) static SAME_FORMS_ON_THREE: Forms = Forms {
    statement: same(
        "words-are-posets-three-stacks",
        "With three stacks the canonical words tell exactly the states apart that differ as labelled posets up to the order of the stacks.",
    ),
    stacks: 3,
    check: same_forms,
};

pub(super) static SAME_FORMS_ON_FOUR: Forms = Forms {
    statement: same(
        "words-are-posets-four-stacks",
        "With four stacks the canonical words tell exactly the states apart that differ as labelled posets up to the order of the stacks.",
    ),
    stacks: 4,
    check: same_forms,
};

/// As many states as words, as many as posets, and as many posets among the words: then the forms are the same.
fn same_forms(stacks: usize, length: usize, findings: &mut Findings) {
    let start = TwoChains::start(stacks, length, length);
    let Ok(reached) = build::reach(&start, &mut budget()) else { return };
    let mut posets = BTreeSet::new();
    for_each_state(&reached, |state| {
        let form = poset_of(state).canonical();
        let new = posets.insert(form);
        findings.record(new, || Counterexample {
            position: start_of(stacks, length),
            words: format!("{state:?} is the same poset as another state"),
        });
    });
    let counted = Poset::start(stacks, 2, length).and_then(|start| poset::count(&start, 1, &mut budget()));
    findings.record(counted == Ok(reached.states()), || Counterexample {
        position: start_of(stacks, length),
        words: format!("{} states as words, {} as posets", reached.states(), said(&counted)),
    });
}

fn for_each_state(reached: &Reached, mut each: impl FnMut(&TwoChains)) {
    for layer in &reached.layers {
        for shard in 0..layer.shards().len() {
            layer.states(shard).for_each(|state| each(&state));
        }
    }
}

/// The labelled poset of a state.
fn poset_of(state: &TwoChains) -> Poset {
    let (need_a, need_b) = state.needs();
    let (a, b) = (need_a.len(), need_b.len());
    let down_a = |i: usize| (0..i).chain(a..a + usize::from(need_a[i])).collect();
    let down_b = |j: usize| (a..a + j).chain(0..usize::from(need_b[j])).collect();
    let down: Vec<Vec<usize>> = (0..a).map(down_a).chain((0..b).map(down_b)).collect();
    let stacks = 0..state.stacks();
    let of_a = (0..a).map(|i| stacks.clone().filter(|&s| usize::from(state.cut(s).0) <= i).collect());
    let of_b = (0..b).map(|j| stacks.clone().filter(|&s| usize::from(state.cut(s).1) <= j).collect());
    let forbidden: Vec<Vec<usize>> = of_a.chain(of_b).collect();
    Poset::new(state.stacks(), &down, &forbidden).unwrap_or_else(|_| unreachable!("states are orders"))
}

pub(super) static FOUNDATIONS_APART: Forms = Forms {
    statement: Statement::refuted(
        "foundations-kept-apart",
        KACHI,
        "The published numbers of states also come out when a state remembers which of two foundations each card belongs to.",
        "table-1-two-chains",
        "cards of each chain; three stacks",
        3,
    ),
    stacks: 3,
    check: foundations_apart,
};

/// States up to one swap of the foundations as a whole and the order of the stacks.
fn foundations_apart(stacks: usize, length: usize, findings: &mut Findings) {
    let plain = |state: &TwoChains| {
        let form = |state: &TwoChains| {
            let mut cuts: Vec<(u8, u8)> = (0..stacks).map(|s| state.cut(s)).collect();
            cuts.sort_unstable();
            let (mut cut_a, mut cut_b) = ([0; MOST_STACKS], [0; MOST_STACKS]);
            for (s, (a, b)) in cuts.into_iter().enumerate() {
                (cut_a[s], cut_b[s]) = (a, b);
            }
            let (early_a, early_b) = state.words();
            (early_a, early_b, cut_a, cut_b, state.cards())
        };
        form(state).min(form(&state.swapped()))
    };
    let start = TwoChains::start(stacks, length, length);
    let mut layer = BTreeSet::from([plain(&start)]);
    let mut apart = 0u64;
    for _ in 0..start.cards() {
        apart += layer.len() as u64;
        let mut next = BTreeSet::new();
        for &(early_a, early_b, cut_a, cut_b, cards) in &layer {
            let state = TwoChains::from_words(stacks, cards, early_a, early_b, cut_a, cut_b);
            state.for_each_card(|card| next.extend(card.states().iter().map(plain)));
        }
        layer = next;
    }
    let counted = build::count(&start, &mut budget());
    findings.record(counted == Ok(apart), || Counterexample {
        position: start_of(stacks, length),
        words: format!("{apart} states with the foundations kept apart, {} published", said(&counted)),
    });
}

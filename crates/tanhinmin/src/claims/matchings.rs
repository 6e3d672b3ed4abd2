//! Claims about the matching number, checked against augmenting paths, which know nothing of order.

use super::domain::{Case, PLAIN, PositionClaim, Verdict, expect};
use crate::position::Face;
use crate::theory::matching::{bound_at, merged, pairs, size, tension};
use kachi_core::Statement;

pub(crate) static FORMULA: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "matching-formula",
        "thesis, Lemmas 2.5 and 2.6",
        "The greedy pairing upwards is a largest matching, and its size is the least value over all levels t of \
         #{b < t} + #{a > t}.",
        Some("tanhinmin/Cards.mu_is_maximum_matching"),
        PLAIN.words(),
        8,
    ),
    domain: PLAIN,
    holds: formula,
};

fn formula(case: &Case<'_>) -> Verdict {
    let (a, b) = (case.x(), case.z());
    let largest = by_augmenting_paths(a, b);
    let greedy = size(cards(a), cards(b));
    expect(greedy == largest, || format!("greedy pairs {greedy}, but {largest} are possible"))?;
    expect(pairs(cards(a), cards(b)).len() == largest, || "the listed pairs are too few".into())?;
    // Level 0 is `Face::GROUND`; a level above every face stands for infinity.
    let bounds = (0..=20).map(|t| bound_at(Face::raw(t), cards(a), cards(b)));
    let least = bounds.min().unwrap_or(0);
    expect(least == largest, || format!("the least bound is {least}, the largest matching {largest}"))
}

pub(crate) static THRESHOLDS: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "gamma-theta",
        "kachi (thresholds behind the goal paper's Algorithm 1)",
        "Taking a card a out of A keeps mu(A, B) iff a <= gamma(A, B); adding a card v to B keeps it iff v >= theta(A, B), \
         otherwise it grows by one.",
        None,
        PLAIN.words(),
        8,
    ),
    domain: PLAIN,
    holds: thresholds,
};

fn thresholds(case: &Case<'_>) -> Verdict {
    let (a, b) = (case.x(), case.z());
    let tension = tension(cards(a), cards(b));
    let mu = by_augmenting_paths(a, b);
    expect(tension.size == mu, || format!("the scan finds {}, but mu is {mu}", tension.size))?;
    for (i, &card) in a.iter().enumerate() {
        let rest: Vec<Face> = [&a[..i], &a[i + 1..]].concat();
        let keeps = by_augmenting_paths(&rest, b) == mu;
        expect(keeps == tension.gamma.is_none_or(|gamma| card <= gamma), || format!("taking out {card}"))?;
    }
    for level in 0..=20 {
        let card = Face::raw(level);
        let more: Vec<Face> = merged(b, std::slice::from_ref(&card)).collect();
        let grows = by_augmenting_paths(a, &more) - mu;
        expect(grows == usize::from(card < tension.theta), || format!("adding {card}"))?;
    }
    Ok(())
}

fn cards(hand: &[Face]) -> impl DoubleEndedIterator<Item = Face> {
    hand.iter().copied()
}

/// The largest matching by augmenting paths: slow, and right for any graph.
fn by_augmenting_paths(a: &[Face], b: &[Face]) -> usize {
    fn augment(
        from: usize,
        a: &[Face],
        b: &[Face],
        seen: &mut [bool],
        partner: &mut [Option<usize>],
    ) -> bool {
        for target in 0..b.len() {
            if a[from] > b[target] && !std::mem::replace(&mut seen[target], true) {
                let free = match partner[target] {
                    None => true,
                    Some(holder) => augment(holder, a, b, seen, partner),
                };
                if free {
                    partner[target] = Some(from);
                    return true;
                }
            }
        }
        false
    }
    let mut partner = vec![None; b.len()];
    (0..a.len()).filter(|&from| augment(from, a, b, &mut vec![false; b.len()], &mut partner)).count()
}

//! The matching number mu(A, B): the largest number of cards of B that distinct strictly stronger cards of A can
//! beat. Hands are sorted, weakest first; equal faces do not beat each other.
//!
//! Two facts carry all of the theory (both proved in Coq, `tanhinmin/Cards.v`). Pairing upwards greedily gives a
//! largest matching; and mu(A, B) is the least value, over all levels t, of #{b < t} + #{a > t}. So a list of
//! pairs proves that mu is at least so large, and one level t proves that it is at most so large.

use crate::position::Face;

/// Two sorted hands as one sorted sequence, without copying.
#[derive(Debug, Clone, Copy)]
pub struct Merged<'a> {
    one: &'a [Face],
    two: &'a [Face],
}

/// The union of two sorted hands.
pub fn merged<'a>(one: &'a [Face], two: &'a [Face]) -> Merged<'a> {
    Merged { one, two }
}

impl Iterator for Merged<'_> {
    type Item = Face;

    #[inline]
    fn next(&mut self) -> Option<Face> {
        let from_one = match (self.one.first(), self.two.first()) {
            (Some(one), Some(two)) => one <= two,
            (one, _) => one.is_some(),
        };
        let hand = if from_one { &mut self.one } else { &mut self.two };
        let (&face, rest) = hand.split_first()?;
        *hand = rest;
        Some(face)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let cards = self.one.len() + self.two.len();
        (cards, Some(cards))
    }
}

impl DoubleEndedIterator for Merged<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Face> {
        let from_one = match (self.one.last(), self.two.last()) {
            (Some(one), Some(two)) => one > two,
            (one, _) => one.is_some(),
        };
        let hand = if from_one { &mut self.one } else { &mut self.two };
        let (&face, rest) = hand.split_last()?;
        *hand = rest;
        Some(face)
    }
}

/// A hand without its `count` weakest cards; empty if it has no more than that.
#[inline]
pub fn without_weakest(hand: &[Face], count: usize) -> &[Face] {
    hand.get(count..).unwrap_or(&[])
}

/// mu(A, B) for ascending sequences.
///
/// ```
/// use tanhinmin::{faces, theory::matching::size};
/// let (a, b) = (faces(&[2, 6, 7]).unwrap(), faces(&[3, 4, 5, 8]).unwrap());
/// assert_eq!(size(a.iter().copied(), b.iter().copied()), 2);
/// ```
#[inline]
pub fn size(a: impl IntoIterator<Item = Face>, b: impl IntoIterator<Item = Face>) -> usize {
    let mut weaker = b.into_iter();
    let Some(mut target) = weaker.next() else { return 0 };
    let mut pairs = 0;
    for beater in a {
        if beater > target {
            pairs += 1;
            match weaker.next() {
                Some(next) => target = next,
                None => break,
            }
        }
    }
    pairs
}

/// A largest matching as pairs (a, b) with a > b, ascending, and a level that proves it largest: #{b < t} + #{a > t} is its size.
///
/// The level is the last card of A that the greedy pairing leaves out. The targets still open then are not below it, and every later card of A
/// finds a partner, so both counts together are the pairs made before and after. If no card is left out, level 0 counts all of A; if
/// the targets run out, a level above every card counts all of B.
pub fn proved_pairs(
    a: impl IntoIterator<Item = Face>,
    b: impl IntoIterator<Item = Face>,
) -> (Vec<(Face, Face)>, Face) {
    let (mut a, mut weaker) = (a.into_iter(), b.into_iter());
    // There are never more pairs than cards on either side; `Merged` knows how many it holds.
    let most = a.size_hint().1.zip(weaker.size_hint().1).map_or(0, |(a, b)| a.min(b));
    let mut pairs = Vec::with_capacity(most);
    let mut bound = Face::GROUND;
    let mut target = weaker.next();
    for beater in a.by_ref() {
        match target {
            Some(open) if beater > open => {
                pairs.push((beater, open));
                target = weaker.next();
            }
            Some(_) => bound = beater,
            None => {
                bound = beater;
                break;
            }
        }
    }
    if target.is_none() {
        let strongest = a.last().unwrap_or(bound).max(pairs.last().map_or(Face::GROUND, |pair| pair.0));
        bound = Face::raw(strongest.get() + 1);
    }
    (pairs, bound)
}

/// A largest matching as pairs (a, b) with a > b, ascending.
pub fn pairs(a: impl IntoIterator<Item = Face>, b: impl IntoIterator<Item = Face>) -> Vec<(Face, Face)> {
    proved_pairs(a, b).0
}

/// How mu(A, B) reacts to one card less in A or one card more in B.
///
/// With D(t) = #{b >= t} - #{a > t}, mu = |B| - max(0, max D). Both thresholds are least places of that maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tension {
    /// mu(A, B).
    pub size: usize,
    /// gamma: taking a card `a` out of A keeps mu iff `a <= gamma`; `None` means any card may go.
    pub gamma: Option<Face>,
    /// theta: adding a card `v` to B keeps mu iff `v >= theta`, otherwise mu grows by one.
    /// It is also a level that proves mu maximal.
    pub theta: Face,
}

/// Computes the [`Tension`] in one descending scan.
pub fn tension<A, B>(a: A, b: B) -> Tension
where
    A: IntoIterator<Item = Face, IntoIter: DoubleEndedIterator>,
    B: IntoIterator<Item = Face, IntoIter: DoubleEndedIterator>,
{
    let mut beaters = a.into_iter().rev().peekable();
    let mut targets = b.into_iter().rev().peekable();
    let (mut excess, mut most, mut in_b) = (0_i64, 0_i64, 0_usize);
    let (mut gamma, mut theta) = (None, Face::GROUND);
    // A card b counts from level b downwards, a card a from level a - 1 downwards; between two
    // such levels nothing changes, so the least level of a stretch is one above the next event.
    let level_of = |beater: &Face| beater.get().saturating_sub(1);
    let mut at_maximum = true;
    loop {
        let next = match (targets.peek().map(|b| b.get()), beaters.peek().map(level_of)) {
            (Some(b), Some(a)) => b.max(a),
            (Some(level), None) | (None, Some(level)) => level,
            (None, None) => break,
        };
        if at_maximum {
            theta = Face::raw(next + 1);
        }
        let targets_before = in_b;
        while targets.next_if(|b| b.get() == next).is_some() {
            excess += 1;
            in_b += 1;
        }
        while beaters.next_if(|a| level_of(a) == next).is_some() {
            excess -= 1;
        }
        most = most.max(excess);
        at_maximum = excess == most;
        if at_maximum && in_b > targets_before {
            gamma = Some(Face::raw(next));
        }
    }
    if at_maximum {
        theta = Face::GROUND;
    }
    Tension { size: in_b - most as usize, gamma, theta }
}

/// #{b < t} + #{a > t}: what level t proves about the matching number of two sorted sequences.
pub fn bound_at(level: Face, a: impl IntoIterator<Item = Face>, b: impl IntoIterator<Item = Face>) -> usize {
    let below = b.into_iter().filter(|&b| b < level).count();
    below + a.into_iter().filter(|&a| a > level).count()
}

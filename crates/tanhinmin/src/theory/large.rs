//! Theorem 1 for hands so large that reading them is the work. The greedy pairing climbs two sorted hands; as long as a
//! whole stride of cards beats the stride opposite, both pointers move on together, which is a plain vector comparison. Only
//! where the pairing slips, which it does at most once per unpaired card, is a card looked at alone.
//!
//! The two matchings climb side by side in turns, so each card travels from memory once and is found in the cache the
//! second time.

use super::matching::without_weakest;
use crate::position::Face;
use multiversion::multiversion;

/// Cards compared at once.
const STRIDE: usize = 64;
/// Cards that one matching may climb before it is the other's turn: both hands' stretches fit the second-level cache.
const TURN: usize = 16 * 1024;

/// A greedy pairing under way: `a[i..]` against `b[j..]`.
struct Climb<'a> {
    a: &'a [Face],
    b: &'a [Face],
    i: usize,
    j: usize,
}

impl<'a> Climb<'a> {
    fn new(a: &'a [Face], b: &'a [Face]) -> Self {
        Climb { a, b, i: 0, j: 0 }
    }

    fn is_done(&self) -> bool {
        self.i == self.a.len() || self.j == self.b.len()
    }

    /// Climbs for a turn.
    fn climb(&mut self) {
        let (i, j) = climb(self.a, self.b, self.i, self.j);
        (self.i, self.j) = (i, j);
    }
}

/// Continues the pairing from (i, j) for about [`TURN`] cards or to its end.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512dq",
    "x86_64+avx2+bmi1+bmi2",
    "aarch64+neon"
))]
fn climb(a: &[Face], b: &[Face], mut i: usize, mut j: usize) -> (usize, usize) {
    let stop = i.saturating_add(TURN).min(a.len());
    while i < stop && j < b.len() {
        if let (Some(beaters), Some(targets)) =
            (a[i..].first_chunk::<STRIDE>(), b[j..].first_chunk::<STRIDE>())
        {
            let beaten = beaters.iter().zip(targets).fold(true, |all, (a, b)| all & (a > b));
            if beaten {
                i += STRIDE;
                j += STRIDE;
                continue;
            }
            // Both hands ascend, so pairs before the first slip stand.
            let slip = beaters.iter().zip(targets).position(|(a, b)| a <= b).unwrap_or(0);
            i += slip;
            j += slip;
            // The beaters that are too weak for this target are a prefix of what follows.
            if let Some(beaters) = a[i..].first_chunk::<STRIDE>() {
                let target = b[j];
                i += beaters.iter().map(|&beater| usize::from(beater <= target)).sum::<usize>();
                continue;
            }
        }
        if a[i] > b[j] {
            j += 1;
        }
        i += 1;
    }
    (i, j)
}

/// mu(X[c0..], Z[c1+1..] + r): the table card splits the targets in two stretches.
struct WithTable<'a> {
    below: Climb<'a>,
    above: Option<Climb<'a>>,
    targets: &'a [Face],
    level: Face,
    pairs: usize,
}

impl<'a> WithTable<'a> {
    fn new(a: &'a [Face], targets: &'a [Face], level: Face) -> Self {
        let split = targets.partition_point(|&target| target <= level);
        WithTable { below: Climb::new(a, &targets[..split]), above: None, targets, level, pairs: 0 }
    }

    fn is_done(&self) -> bool {
        self.above.as_ref().is_some_and(Climb::is_done)
    }

    fn climb(&mut self) {
        if let Some(above) = &mut self.above {
            above.climb();
            return;
        }
        self.below.climb();
        if self.below.is_done() {
            let rest = &self.below.a[self.below.i..];
            let at_table = rest.partition_point(|&beater| beater <= self.level);
            let beaten = usize::from(at_table < rest.len());
            self.pairs = self.below.j + beaten;
            let left = &rest[(at_table + beaten).min(rest.len())..];
            self.above = Some(Climb::new(left, &self.targets[self.below.b.len()..]));
        }
    }

    fn pairs(&self) -> usize {
        self.pairs + self.above.as_ref().map_or(0, |above| above.j)
    }
}

/// The matching numbers mu0 and mu1 of Theorem 1, for sorted hands of any size, at the speed of memory.
///
/// ```
/// use tanhinmin::{Face, faces, theory::large::matching_numbers};
/// let (x, z) = (faces(&[2, 6, 7]).unwrap(), faces(&[3, 4, 5, 8]).unwrap());
/// assert_eq!(matching_numbers(&x, &z, Face::new(1).unwrap(), [0, 0]), [3, 1]);
/// ```
pub fn matching_numbers(x: &[Face], z: &[Face], level: Face, [c0, c1]: [usize; 2]) -> [usize; 2] {
    let mut mover = WithTable::new(without_weakest(x, c0), without_weakest(z, c1 + 1), level);
    let mut other = Climb::new(without_weakest(z, c1), without_weakest(x, c0 + 1));
    while !(mover.is_done() && other.is_done()) {
        if !mover.is_done() {
            mover.climb();
        }
        if !other.is_done() {
            other.climb();
        }
    }
    [mover.pairs(), other.j]
}

//! Theorems 5.3 to 5.5: who of three can force leaving first, as lists in X, Y, Z (labels shared by P0 P1, P0 P2, P1 P2;
//! P0 moves and draws from P2). Each list is checked against the tables, as printed and as corrected.

use super::{KACHI, Law, THESIS, counterexample, holds, over, proved, solved, truth, wrong};
use crate::shape::{Shape, all_shapes};
use crate::theory::Three;
use kachi_core::Findings;

const DOMAIN: &str = "labels; every position of three seats with the joker where the theorem puts it";
const SIZE: u32 = 40;
const PROOF: &str = "babanuki/Three.theorem_A";

/// A list of the thesis: given the counts, can the seat force leaving first?
type List = fn(&Three) -> bool;

/// Which way a list may fail.
#[derive(Clone, Copy)]
enum Fault {
    /// It must name exactly the right positions.
    Any,
    /// It must not name a wrong position.
    Added,
    /// It must not miss a position.
    Missed,
}

fn compare(size: u32, joker: u8, seats: &[(u8, List)], fault: Fault, findings: &mut Findings) {
    let Some(table) = solved(3, size, findings) else { return };
    for shape in all_shapes(3, size, crate::Mode::Pairs).into_iter().filter(|shape| shape.joker == joker) {
        for &(q, list) in seats {
            check_one(&table, &shape, q, list, fault, findings);
        }
    }
}

fn check_one(
    table: &crate::search::Guarantees,
    shape: &Shape,
    q: u8,
    list: List,
    fault: Fault,
    findings: &mut Findings,
) {
    let Some(three) = Three::of(shape) else { return };
    let says = list(&three);
    let is = truth(table, shape).get(q as usize).is_some_and(|g| g.strict == 1);
    let right = match fault {
        Fault::Any => says == is,
        Fault::Added => !says || is,
        Fault::Missed => says || !is,
    };
    findings.record(right, || {
        let Three { x, y, z, joker } = three;
        let can = |yes: bool| if yes { "can" } else { "cannot" };
        let words = format!(
            "(X, Y, Z) = ({x}, {y}, {z}), joker with P{joker}: by the list P{q} {} force leaving first; in truth P{q} {}",
            can(says),
            can(is)
        );
        counterexample(shape, words)
    });
}

fn odd(n: u32) -> bool {
    n % 2 == 1
}

/// Joker with P1 (Theorem 5.3).
mod next {
    use super::{Three, odd};

    pub(super) fn p0(t: &Three) -> bool {
        t.x == 0 && (t.z >= 1 || !odd(t.y)) || t.x == 1 && odd(t.y) && t.z >= 1
    }

    pub(super) fn p1(t: &Three) -> bool {
        t.z == 0 && odd(t.x) && t.y >= 2
    }

    pub(super) fn p2_printed(t: &Three) -> bool {
        t.y == 0 && t.x >= 1
            || t.y == 1 && t.z == 0
            || odd(t.y) != odd(t.z) && odd(t.x) == odd(t.z) && t.x >= t.z
    }

    pub(super) fn p2_corrected(t: &Three) -> bool {
        let parity = odd(t.y) != odd(t.z) && odd(t.x) == odd(t.z) && (t.x >= t.z || t.x > t.y);
        p2_printed(t) || parity || t.y == 1 && odd(t.x) && t.x >= 3 && !odd(t.z)
    }
}

/// Joker with P0 (Theorem 5.4).
mod mover {
    use super::{Three, odd};

    pub(super) fn p0(t: &Three) -> bool {
        t.x == 0 && odd(t.y) && t.z >= 1
    }

    pub(super) fn p1_printed(t: &Three) -> bool {
        let one_parity = odd(t.x) == odd(t.y) && odd(t.y) == odd(t.z);
        t.z == 0 && t.y >= 2 || t.x == 1 && t.z == 1 || one_parity && t.x <= t.y
    }

    pub(super) fn p1_corrected(t: &Three) -> bool {
        let one_parity = odd(t.x) == odd(t.y) && odd(t.y) == odd(t.z);
        t.z == 0 && t.y >= 2
            || t.x == 1 && t.z == 1 && t.y >= 1
            || one_parity && (t.x <= t.y || t.z < t.y)
            || t.z == 1 && odd(t.x) && !odd(t.y) && t.y >= 4
    }

    pub(super) fn p2(t: &Three) -> bool {
        t.y == 0 && (t.x >= 1 || odd(t.z)) || t.y == 1 && !odd(t.z) && t.x >= 1
    }
}

/// Joker with P2 (Theorem 5.5).
mod victim {
    use super::{Three, odd};

    pub(super) fn p0_printed(t: &Three) -> bool {
        let parity = odd(t.y) == odd(t.x) && odd(t.x) != odd(t.z);
        t.x == 0 && t.z >= 1 || t.x == 1 && t.y == 1 && t.z >= 1 || parity && t.y <= t.z
    }

    pub(super) fn p0_corrected(t: &Three) -> bool {
        let parity = odd(t.y) == odd(t.x) && odd(t.x) != odd(t.z) && (t.y <= t.z + 1 || t.x < t.z);
        p0_printed(t) || parity || t.x == 1 && odd(t.y) && t.z >= 2
    }

    pub(super) fn p1_printed(t: &Three) -> bool {
        t.z == 0 && (t.y >= 2 || t.y == 1 && !odd(t.x)) || t.z == 1 && odd(t.x) && t.y >= 2
    }

    pub(super) fn p1_corrected(t: &Three) -> bool {
        p1_printed(t) || (t.x, t.y, t.z) == (1, 0, 1)
    }

    pub(super) fn p2(t: &Three) -> bool {
        t.y == 0 && !odd(t.z) && t.x >= 1
    }
}

pub(super) static EXACT_JOKER_NEXT: Law = Law {
    statement: over(
        proved(
            holds(
                "theorem-5.3-p0-p1",
                THESIS,
                "Theorem 5.3 (joker with P1): P0 can force leaving first exactly if X=0 and (Z>=1 or Y even), or X=1, Y odd, Z>=1; P1 exactly if Z=0, X odd, Y>=2.",
            ),
            PROOF,
        ),
        DOMAIN,
        SIZE,
    ),
    check: |size, findings| compare(size, 1, &[(0, next::p0), (1, next::p1)], Fault::Any, findings),
};

pub(super) static JOKER_NEXT_VICTIM: Law = Law {
    statement: over(
        wrong(
            "theorem-5.3-p2",
            "theorem-5.3-p2-corrected",
            "Theorem 5.3 (joker with P1): P2 can force leaving first exactly if Y=0 and X>=1; or Y=1 and Z=0; or X and Z are of one parity, Y of the other, and X>=Z.",
        ),
        DOMAIN,
        SIZE,
    ),
    check: |size, findings| compare(size, 1, &[(2, next::p2_printed)], Fault::Any, findings),
};

pub(super) static JOKER_NEXT_VICTIM_CORRECTED: Law = Law {
    statement: over(
        proved(
            holds(
                "theorem-5.3-p2-corrected",
                KACHI,
                "Joker with P1: P2 can force leaving first exactly if Y=0 and X>=1; or Y=1 and Z=0; or Y=1, X odd and >=3, Z even; or X and Z are of one parity, Y of the other, and X>=Z or X>Y.",
            ),
            PROOF,
        ),
        DOMAIN,
        SIZE,
    ),
    check: |size, findings| compare(size, 1, &[(2, next::p2_corrected)], Fault::Any, findings),
};

pub(super) static EXACT_JOKER_MOVER: Law = Law {
    statement: over(
        proved(
            holds(
                "theorem-5.4-p0-p2",
                THESIS,
                "Theorem 5.4 (joker with P0): P0 can force leaving first exactly if X=0, Y odd, Z>=1; P2 exactly if Y=0 and (X>=1 or Z odd), or Y=1, Z even, X>=1.",
            ),
            PROOF,
        ),
        DOMAIN,
        SIZE,
    ),
    check: |size, findings| compare(size, 0, &[(0, mover::p0), (2, mover::p2)], Fault::Any, findings),
};

const P1_PRINTED: &str = "Theorem 5.4 (joker with P0): P1 can force leaving first if Z=0 and Y>=2; or X=1 and Z=1; or X, Y, Z are of one parity and X<=Y.";

pub(super) static JOKER_MOVER_NEXT_SOUND: Law = Law {
    statement: over(wrong("theorem-5.4-p1-if", "theorem-5.4-p1-corrected", P1_PRINTED), DOMAIN, SIZE),
    check: |size, findings| compare(size, 0, &[(1, mover::p1_printed)], Fault::Added, findings),
};

pub(super) static JOKER_MOVER_NEXT_COMPLETE: Law = Law {
    statement: over(
        wrong(
            "theorem-5.4-p1-only-if",
            "theorem-5.4-p1-corrected",
            "Theorem 5.4 (joker with P0): P1 can force leaving first only if Z=0 and Y>=2; or X=1 and Z=1; or X, Y, Z are of one parity and X<=Y.",
        ),
        DOMAIN,
        SIZE,
    ),
    check: |size, findings| compare(size, 0, &[(1, mover::p1_printed)], Fault::Missed, findings),
};

pub(super) static JOKER_MOVER_NEXT_CORRECTED: Law = Law {
    statement: over(
        proved(
            holds(
                "theorem-5.4-p1-corrected",
                KACHI,
                "Joker with P0: P1 can force leaving first exactly if Z=0 and Y>=2; or X=1, Z=1, Y>=1; or Z=1, X odd, Y even and >=4; or X, Y, Z are of one parity and X<=Y or Z<Y.",
            ),
            PROOF,
        ),
        DOMAIN,
        SIZE,
    ),
    check: |size, findings| compare(size, 0, &[(1, mover::p1_corrected)], Fault::Any, findings),
};

pub(super) static EXACT_JOKER_VICTIM: Law = Law {
    statement: over(
        proved(
            holds(
                "theorem-5.5-p2",
                THESIS,
                "Theorem 5.5 (joker with P2): P2 can force leaving first exactly if Y=0, Z even, X>=1.",
            ),
            PROOF,
        ),
        DOMAIN,
        SIZE,
    ),
    check: |size, findings| compare(size, 2, &[(2, victim::p2)], Fault::Any, findings),
};

pub(super) static JOKER_VICTIM_MOVER: Law = Law {
    statement: over(
        wrong(
            "theorem-5.5-p0",
            "theorem-5.5-p0-corrected",
            "Theorem 5.5 (joker with P2): P0 can force leaving first exactly if X=0 and Z>=1; or X=1, Y=1, Z>=1; or X and Y are of one parity, Z of the other, and Y<=Z.",
        ),
        DOMAIN,
        SIZE,
    ),
    check: |size, findings| compare(size, 2, &[(0, victim::p0_printed)], Fault::Any, findings),
};

pub(super) static JOKER_VICTIM_MOVER_CORRECTED: Law = Law {
    statement: over(
        proved(
            holds(
                "theorem-5.5-p0-corrected",
                KACHI,
                "Joker with P2: P0 can force leaving first exactly if X=0 and Z>=1; or X=1, Y=1, Z>=1; or X=1, Y odd, Z>=2; or X and Y are of one parity, Z of the other, and Y<=Z+1 or X<Z.",
            ),
            PROOF,
        ),
        DOMAIN,
        SIZE,
    ),
    check: |size, findings| compare(size, 2, &[(0, victim::p0_corrected)], Fault::Any, findings),
};

pub(super) static JOKER_VICTIM_NEXT: Law = Law {
    statement: over(
        wrong(
            "theorem-5.5-p1",
            "theorem-5.5-p1-corrected",
            "Theorem 5.5 (joker with P2): P1 can force leaving first exactly if Z=0 and (Y>=2, or Y=1 and X even); or Z=1, X odd, Y>=2.",
        ),
        DOMAIN,
        SIZE,
    ),
    check: |size, findings| compare(size, 2, &[(1, victim::p1_printed)], Fault::Any, findings),
};

pub(super) static JOKER_VICTIM_NEXT_CORRECTED: Law = Law {
    statement: over(
        proved(
            holds(
                "theorem-5.5-p1-corrected",
                KACHI,
                "Joker with P2: P1 can force leaving first exactly if Z=0 and (Y>=2, or Y=1 and X even); or Z=1, X odd, Y>=2; or (X, Y, Z) = (1, 0, 1), where on the last draw both empty and the victim is ahead.",
            ),
            PROOF,
        ),
        DOMAIN,
        SIZE,
    ),
    check: |size, findings| compare(size, 2, &[(1, victim::p1_corrected)], Fault::Any, findings),
};

#[cfg(test)]
mod tests {
    use super::*;

    /// The differences between the printed lists and the truth with X, Y, Z <= 12.
    fn differences(joker: u8, q: u8, list: List) -> (usize, usize) {
        let table = solved(3, 36, &mut Findings::default()).unwrap();
        let small = |t: &Three| t.x.max(t.y).max(t.z) <= 12;
        let shapes = (0..=36).flat_map(|n| all_shapes(3, n, crate::Mode::Pairs)).filter(|s| s.joker == joker);
        let (mut missed, mut added) = (0, 0);
        for shape in shapes {
            let three = Three::of(&shape).unwrap();
            if small(&three) {
                let is = truth(&table, &shape)[q as usize].strict == 1;
                missed += usize::from(is && !list(&three));
                added += usize::from(!is && list(&three));
            }
        }
        (missed, added)
    }

    #[test]
    fn printed_lists_differ_from_the_truth_in_289_entries() {
        assert_eq!(differences(1, 2, next::p2_printed), (85, 0));
        assert_eq!(differences(0, 1, mover::p1_printed), (65, 1));
        assert_eq!(differences(2, 0, victim::p0_printed), (137, 0));
        assert_eq!(differences(2, 1, victim::p1_printed), (1, 0));
    }
}

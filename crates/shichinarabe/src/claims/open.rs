//! What is open about shichinarabe on graphs. About suits without jokers nothing is: they are proved.

use super::{OURS, THESIS};
use kachi_core::Question;

/// The open questions about `graph-shichinarabe`.
pub(super) static GRAPH: &[Question] = &[
    Question {
        id: "theorem-6-5-trees",
        source: THESIS,
        words: "Theorem 6.5 for trees: a position on a tree with one white vertex, in which one player has one right, can be decided in time O(n).",
        known: "the source gives no algorithm; the obvious one is wrong (`theorem-6-5-naive`), and waiting with the right can be necessary; on spiders now or never is enough (`now-or-never-spiders`). The engine searches, exactly, without a polynomial bound (`grove-one-right`)",
        domain: "vertices; rooted trees, one right",
        settled_by: "an algorithm with a proof; any proposal has to agree with `kachi verify graph-shichinarabe --claim grove-one-right --size 10`",
    },
    Question {
        id: "theorem-6-6-trees",
        source: THESIS,
        words: "Theorem 6.6 for trees: with k rights of one player a position on a tree can be decided in time O(n^k).",
        known: "the source gives no algorithm; on spiders all-now-or-never tries O(n^k) sets and was never wrong (`theorem-6-6-spiders`), on trees it is wrong (`theorem-6-6-naive`)",
        domain: "vertices; rooted trees, k rights of one player",
        settled_by: "an algorithm with a proof; a counterexample on spiders: `kachi verify graph-shichinarabe --claim theorem-6-6-spiders --size 14`",
    },
    Question {
        id: "theorem-6-7",
        source: THESIS,
        words: "Theorem 6.7: with one right each a position on a tree can be decided in time O(n^4).",
        known: "the source gives no algorithm; the obvious one is wrong already on one suit (`theorem-6-7-naive`). The engine searches the turns until one side has no right left",
        domain: "vertices; rooted trees, one right each",
        settled_by: "an algorithm with a proof",
    },
    Question {
        id: "theorem-6-8",
        source: THESIS,
        words: "Theorem 6.8: with many rights of one player the game is NP-hard, on planar graphs too.",
        known: "the reduction was not proved again here, and nothing in kachi rests on it",
        domain: "planar graphs, any number of rights",
        settled_by: "a checked proof",
    },
    Question {
        id: "theorem-6-9",
        source: THESIS,
        words: "Theorem 6.9: with labels that add and delete edges the game is PSPACE-hard.",
        known: "the reduction was not proved again here, and nothing in kachi rests on it",
        domain: "graphs with labels",
        settled_by: "a checked proof",
    },
    Question {
        id: "trees-with-many-whites",
        source: OURS,
        words: "A position on a tree with any number of white vertices, without rights, can be decided in polynomial time.",
        known: "with one white vertex it is linear (`rooted-forest-rule`), and paths open at both ends are quick (`paths-minimum-rule`); everything else is searched over integers, component by component",
        domain: "trees, any number of white vertices",
        settled_by: "an algorithm with a proof, or a reduction from a hard problem",
    },
    Question {
        id: "graphs-without-rights",
        source: OURS,
        words: "A position on any graph, without rights and deletions, can be decided in polynomial time.",
        known: "values are integers and safe plays may be made first (`main-theorem`, `safe-play-costs-one`), which makes trees of 64 vertices easy; some 8 by 8 grids are beyond the usual budget",
        domain: "graphs without rights and deletions",
        settled_by: "an algorithm with a proof, or a reduction from a hard problem",
    },
];

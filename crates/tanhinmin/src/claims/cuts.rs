//! Theorem 3 and its clauses, the structure of winning moves with cut cards, and Rule 4.

use super::domain::{CUTS, CUTS_AND_GOALS, Case, PositionClaim, Verdict, expect, list};
use crate::position::{Face, Side};
use crate::rules::Move;
use crate::strategy::weakest_legal;
use crate::theory::decide::{Cards, Player, decide, theorem_3, ways_to_set_aside};
use crate::theory::matching::{merged, size, without_weakest};
use kachi_core::Budget;
use kachi_core::Statement;

fn agrees(case: &Case<'_>, says: bool) -> Verdict {
    let winner = if says { "the mover" } else { "the other player" };
    expect(says == case.mover_wins(), || {
        format!("the rule says that {winner} wins; {}", case.truth_in_words())
    })
}

fn cards_of<'a>(case: &'a Case<'_>) -> Cards<'a> {
    Cards { x: case.x(), u: case.u(), z: case.z(), v: case.v(), level: case.table() }
}

pub(crate) static THEOREM_3: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "theorem-3",
        "thesis, Definition 3.2, Lemmas 3.3 and 3.4 (cleaned)",
        "With cut cards, in this order: (1) U nonempty, max U <= r, at most one card of Z below max U, mu(A1, X) = |X|: the other wins; \
         (2) V nonempty, at most one card of X below max V, mu(A0, Z + r) = |Z| + 1: the mover wins; (3) the mover wins iff \
         mu(A0, Z[1..] + r) > mu(A1, X[1..]).",
        Some("tanhinmin/CutMain.tanhinmin_theorem_3"),
        CUTS.words(),
        7,
    ),
    domain: CUTS,
    holds: |case| agrees(case, theorem_3(&cards_of(case)).winner == Player::Mover),
};

pub(crate) static CUT_NO_DRAWS: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "cut-no-draws",
        "thesis, chapter 3",
        "With cut cards, too, exactly one player can force a win in finitely many moves.",
        Some("tanhinmin/CutMain.cut_determined"),
        CUTS.words(),
        6,
    ),
    domain: CUTS,
    holds: no_draws,
};

pub(crate) static CUT_GOALS_NO_DRAWS: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "cut-goals-no-draws",
        "kachi",
        "With cut cards and any goals exactly one player can force a win in finitely many moves.",
        None,
        CUTS_AND_GOALS.words(),
        5,
    ),
    domain: CUTS_AND_GOALS,
    holds: no_draws,
};

fn no_draws(case: &Case<'_>) -> Verdict {
    expect(case.all.draws() == 0, || "nobody can force a win in some part of this play".into())
}

/// The clauses of Theorem 3, each of which can be left out or changed.
#[derive(Clone, Copy)]
struct Clauses {
    /// Case 1 asks max U <= r.
    stuck_now: bool,
    /// Case 1 asks that at most one card of Z is below max U.
    one_of_z: bool,
    /// Case 2 asks that at most one card of X is below max V.
    one_of_x: bool,
    /// Case 2 covers the table too.
    with_table: bool,
    /// Case 1 comes before case 2.
    mover_first: bool,
    /// The two cases are looked at at all.
    surplus: bool,
}

const ALL_CLAUSES: Clauses = Clauses {
    stuck_now: true,
    one_of_z: true,
    one_of_x: true,
    with_table: true,
    mover_first: true,
    surplus: true,
};

/// Theorem 3 with changed clauses: does the mover win?
fn with_clauses(case: &Case<'_>, clauses: Clauses) -> bool {
    let Cards { x, u, z, v, level } = cards_of(case);
    let (a0, a1) = (merged(x, u), merged(z, v));
    let table = std::slice::from_ref(&level);
    let at_most_one = |hand: &[Face], face: Face| hand.iter().filter(|&&card| card < face).count() <= 1;
    let case_1 = u.last().is_some_and(|&top| {
        (!clauses.stuck_now || top <= level)
            && (!clauses.one_of_z || at_most_one(z, top))
            && size(a1, x.iter().copied()) == x.len()
    });
    let covered = if clauses.with_table { merged(z, table) } else { merged(z, &[]) };
    let case_2 = v
        .last()
        .is_some_and(|&top| (!clauses.one_of_x || at_most_one(x, top)) && size(a0, covered) == z.len() + 1);
    match (clauses.surplus, case_1, case_2) {
        (true, true, true) => !clauses.mover_first,
        (true, true, false) => false,
        (true, false, true) => true,
        _ => {
            let mu0 = size(a0, merged(without_weakest(z, 1), table));
            mu0 > size(a1, without_weakest(x, 1).iter().copied())
        }
    }
}

/// An erratum claim about changed clauses.
macro_rules! changed_clause {
    ($name:ident, $id:literal, $source:literal, $words:literal, $clauses:expr) => {
        pub(crate) static $name: PositionClaim = PositionClaim {
            statement: Statement::refuted($id, $source, $words, "theorem-3", CUTS.words(), 5),
            domain: CUTS,
            holds: |case| agrees(case, with_clauses(case, $clauses)),
        };
    };
}

changed_clause!(
    ERRATUM_2,
    "erratum-2",
    "thesis, Definition 3.2, second part",
    "Case 2 of Theorem 3 may ask mu = |Z| + 1 of the graph without the table card (which cannot be).",
    Clauses { with_table: false, ..ALL_CLAUSES }
);
changed_clause!(
    ERRATUM_3_ORDER,
    "erratum-3-order",
    "thesis, Definition 3.2 without its last clause",
    "Only one player can be in surplus, so the other player's case may be looked at first.",
    Clauses { mover_first: false, ..ALL_CLAUSES }
);
changed_clause!(
    ERRATUM_3_LEGAL,
    "erratum-3-legal",
    "thesis, Definition 3.2",
    "Case 1 does not need the clause max U <= r.",
    Clauses { stuck_now: false, ..ALL_CLAUSES }
);
changed_clause!(
    ERRATUM_3_ONE_OF_Z,
    "erratum-3-one-of-z",
    "thesis, Definition 3.2",
    "Case 1 does not need the clause that at most one card of Z is below max U.",
    Clauses { one_of_z: false, ..ALL_CLAUSES }
);
changed_clause!(
    ERRATUM_3_ONE_OF_X,
    "erratum-3-one-of-x",
    "thesis, Definition 3.2",
    "Case 2 does not need the clause that at most one card of X is below max V.",
    Clauses { one_of_x: false, ..ALL_CLAUSES }
);
changed_clause!(
    ERRATUM_3_NO_SURPLUS,
    "erratum-3-no-surplus",
    "thesis, Definition 3.2",
    "The matchings alone decide, without any surplus case.",
    Clauses { surplus: false, ..ALL_CLAUSES }
);

/// The weakest legal cut card.
fn weakest_cut(case: &Case<'_>) -> Option<Move> {
    case.u().iter().find(|&&face| face > case.table()).map(|&face| Move::Cut(face))
}

fn has_legal_card(case: &Case<'_>) -> bool {
    case.position.legal_moves().len() > 1
}

/// If the mover wins and a card is legal, one of these discards wins.
fn one_of_wins(case: &Case<'_>, candidates: &[Option<Move>]) -> Verdict {
    if !case.mover_wins() || !has_legal_card(case) {
        return Ok(());
    }
    let winning = case.winning();
    let found = candidates.iter().flatten().any(|mv| *mv != Move::Pass && winning.contains(mv));
    expect(found, || format!("none of the candidates wins, but {}", list(&winning)))
}

pub(crate) static THREE_CANDIDATES: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "three-candidates",
        "kachi",
        "If the mover wins and has a legal card, then one of these wins: his weakest legal ordinary card; the weakest legal ordinary card other \
         than the hand's weakest; his weakest legal cut card.",
        Some("tanhinmin/CutMoves.three_candidates"),
        CUTS.words(),
        7,
    ),
    domain: CUTS,
    holds: |case| {
        let lo = |skip| Some(weakest_legal(case.x(), skip, case.table()));
        one_of_wins(case, &[lo(0), lo(1), weakest_cut(case)])
    },
};

pub(crate) static ORDINARY_PREFIX: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "ordinary-prefix",
        "kachi",
        "With cut cards: if an ordinary card wins, every weaker legal ordinary card wins, except possibly the single weakest card of the hand.",
        Some("tanhinmin/CutMoves.ord_prefix"),
        CUTS.words(),
        7,
    ),
    domain: CUTS,
    holds: |case| {
        let winning = case.winning();
        let wins = |face: &&Face| winning.contains(&Move::Discard(**face));
        let rest = without_weakest(case.x(), 1);
        let legal = &rest[rest.partition_point(|&face| face <= case.table())..];
        let prefix = legal.iter().skip_while(wins).all(|face| !wins(&face));
        expect(prefix, || format!("the winning moves are {}", list(&winning)))
    },
};

/// Winning cut cards are a prefix of the legal ones.
fn cut_prefix(case: &Case<'_>) -> Verdict {
    let winning = case.winning();
    let wins = |face: &&Face| winning.contains(&Move::Cut(**face));
    let legal = &case.u()[case.u().partition_point(|&face| face <= case.table())..];
    let prefix = legal.iter().skip_while(wins).all(|face| !wins(&face));
    expect(prefix, || format!("the winning moves are {}", list(&winning)))
}

pub(crate) static CUT_PREFIX: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "cut-prefix",
        "kachi",
        "If a cut card wins, every weaker legal cut card wins.",
        Some("tanhinmin/CutMoves.cut_prefix"),
        CUTS.words(),
        7,
    ),
    domain: CUTS,
    holds: cut_prefix,
};

pub(crate) static STRONGEST_CUT: PositionClaim = PositionClaim {
    statement: Statement::refuted(
        "strongest-cut",
        "kachi (a tempting reading)",
        "If any cut card wins, the strongest one does.",
        "cut-prefix",
        CUTS.words(),
        7,
    ),
    domain: CUTS,
    holds: |case| {
        let winning = case.winning();
        let any = winning.iter().any(|mv| matches!(mv, Move::Cut(_)));
        let strongest = case.u().last().is_some_and(|&face| winning.contains(&Move::Cut(face)));
        expect(!any || strongest, || format!("the winning moves are {}", list(&winning)))
    },
};

pub(crate) static MARGIN_TWO_WITH_CUTS: PositionClaim = PositionClaim {
    statement: Statement::refuted(
        "margin-two-with-cuts",
        "goal paper, carried over to cut cards",
        "With cut cards, too, a margin of at least 2 makes every legal move winning.",
        "three-candidates",
        CUTS.words(),
        5,
    ),
    domain: CUTS,
    holds: |case| {
        let decision = theorem_3(&cards_of(case));
        let all = case.winning() == case.position.legal_moves();
        expect(decision.margin() < 2 || all, || {
            format!("the margin is {}, but only {} wins", decision.margin(), list(&case.winning()))
        })
    },
};

pub(crate) static RULE_4: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "rule-4",
        "kachi",
        "With cut cards and goals the mover wins iff he can set aside some of his weakest cut cards and weakest ordinary cards, as many as his \
         goal in all, such that whatever the other sets aside likewise Theorem 3 gives the rest to the mover.",
        None,
        CUTS_AND_GOALS.words(),
        6,
    ),
    domain: CUTS_AND_GOALS,
    holds: |case| {
        let decision = decide(&case.position, &mut Budget::default()).map_err(|error| error.message)?;
        agrees(case, decision.winner == Player::Mover)
    },
};

/// Rule 4 with only some of the mover's and other's ways.
fn rule_4_with(case: &Case<'_>, some: fn(usize, usize, usize) -> bool) -> bool {
    let ways = |side: &Side| ways_to_set_aside(side).map(|(cuts, _)| cuts).collect::<Vec<_>>();
    let (mine, theirs) = (ways(case.position.mover()), ways(case.position.other()));
    let allowed = |all: &[usize], cuts: usize| {
        let (first, last) = (all.first().copied().unwrap_or(0), all.last().copied().unwrap_or(0));
        some(cuts, first, last)
    };
    ways_to_set_aside(case.position.mover()).filter(|(cuts, _)| allowed(&mine, *cuts)).any(|(_, mover)| {
        ways_to_set_aside(case.position.other())
            .filter(|(cuts, _)| allowed(&theirs, *cuts))
            .all(|(_, other)| theorem_3(&Cards::after(mover, other, case.table())).winner == Player::Mover)
    })
}

pub(crate) static RULE_4_MINMAX: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "rule-4-minmax",
        "kachi",
        "In Rule 4 it does not matter who chooses first: the mover has a choice against all answers iff he has an answer to every choice of the \
         other.",
        None,
        CUTS_AND_GOALS.words(),
        6,
    ),
    domain: CUTS_AND_GOALS,
    holds: |case| {
        let answered = ways_to_set_aside(case.position.other()).all(|(_, other)| {
            ways_to_set_aside(case.position.mover()).any(|(_, mover)| {
                theorem_3(&Cards::after(mover, other, case.table())).winner == Player::Mover
            })
        });
        agrees(case, answered)
    },
};

pub(crate) static RULE_4_MOVES: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "rule-4-moves",
        "kachi",
        "With cut cards and goals: winning cut cards are a prefix; a winner with a legal card has a winning discard among the weakest legal cards \
         after skipping 0, 1, ..., c0 + 1 of the hand's weakest, and the weakest legal cut card.",
        None,
        CUTS_AND_GOALS.words(),
        6,
    ),
    domain: CUTS_AND_GOALS,
    holds: |case| {
        cut_prefix(case)?;
        let skips = 0..=case.goals[0] + 1;
        let mut candidates: Vec<Option<Move>> =
            skips.map(|skip| Some(weakest_legal(case.x(), skip, case.table()))).collect();
        candidates.push(weakest_cut(case));
        one_of_wins(case, &candidates)
    },
};

pub(crate) static RULE_4_EXTREMES: PositionClaim = PositionClaim {
    statement: Statement::refuted(
        "rule-4-extremes",
        "kachi (a tempting shortcut)",
        "In Rule 4 only the fewest and the most cut cards need to be tried.",
        "rule-4",
        CUTS_AND_GOALS.words(),
        7,
    ),
    domain: CUTS_AND_GOALS,
    holds: |case| agrees(case, rule_4_with(case, |cuts, first, last| cuts == first || cuts == last)),
};

pub(crate) static RULE_4_THREE: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "rule-4-three",
        "kachi (open; the engine does not rely on it)",
        "In Rule 4 only the fewest, one more than the fewest, and the most cut cards need to be tried.",
        None,
        CUTS_AND_GOALS.words(),
        6,
    ),
    domain: CUTS_AND_GOALS,
    holds: |case| agrees(case, rule_4_with(case, |cuts, first, last| cuts <= first + 1 || cuts == last)),
};

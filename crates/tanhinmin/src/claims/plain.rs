//! Theorems 1 and 2, goals, and Algorithm 1 of the goal paper: positions without cut cards.

use super::domain::{Case, Domain, GOALS, OtherClaim, PLAIN, PositionClaim, Verdict, expect, list};
use crate::position::{Face, Position};
use crate::rules::Move;
use crate::search::{AllPlays, Holdings};
use crate::theory::decide::{matching_numbers, mover_wins};
use crate::theory::matching::{size, tension};
use crate::theory::moves::{WonTables, winning_moves, won_tables};
use kachi_core::{Budget, Counterexample, Findings, Statement};

pub(crate) static THEOREM_1: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "theorem-1",
        "thesis, Lemma 2.2",
        "With goals 0 the mover wins iff mu(X, Z without its weakest + r) > mu(Z, X without its weakest); equal faces do not \
         beat each other.",
        Some("tanhinmin/Basic.tanhinmin_theorem_1"),
        PLAIN.words(),
        9,
    ),
    domain: PLAIN,
    holds: theorem_1,
};

fn theorem_1(case: &Case<'_>) -> Verdict {
    let says = mover_wins(case.x(), case.z(), case.table(), case.goals);
    expect(says == case.mover_wins(), || format!("the theorem says {says}; {}", case.truth_in_words()))
}

pub(crate) static ERRATUM_1: PositionClaim = PositionClaim {
    statement: Statement::refuted(
        "erratum-1",
        "thesis, 2.2.1",
        "Equal faces may be told apart by any order among them, as if they were different faces: here, the mover's cards above equal \
         ones of the other player and of the table.",
        "theorem-1",
        PLAIN.words(),
        4,
    ),
    domain: PLAIN,
    holds: erratum_1,
};

fn erratum_1(case: &Case<'_>) -> Verdict {
    let above: Vec<Face> = case.x().iter().map(|face| Face::raw(2 * face.get() + 1)).collect();
    let below: Vec<Face> = case.z().iter().map(|face| Face::raw(2 * face.get())).collect();
    let says = mover_wins(&above, &below, Face::raw(2 * case.table().get()), case.goals);
    let winner = if says { "the mover" } else { "the other player" };
    expect(says == case.mover_wins(), || format!("told apart, {winner} would win; {}", case.truth_in_words()))
}

pub(crate) static NO_DRAWS: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "no-draws",
        "thesis, chapter 2",
        "With any goals exactly one player can force a win in finitely many moves: endless passing is never anybody's best.",
        Some("tanhinmin/Game.no_draws"),
        GOALS.words(),
        7,
    ),
    domain: GOALS,
    holds: |case| expect(case.all.draws() == 0, || "nobody can force a win in some part of this play".into()),
};

pub(crate) static THEOREM_1_GOALS: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "theorem-1-goals",
        "goal paper (general goals)",
        "The mover wins iff mu(X[c0..], Z[c1+1..] + r) > mu(Z[c1..], X[c0+1..]).",
        Some("tanhinmin/Game.tanhinmin_goals"),
        GOALS.words(),
        7,
    ),
    domain: GOALS,
    holds: theorem_1,
};

pub(crate) static SET_ASIDE: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "set-aside",
        "goal paper",
        "The game with goals has the same winner as the plain game after each side has put away its c weakest cards.",
        Some("tanhinmin/Basic.set_aside"),
        GOALS.words(),
        7,
    ),
    domain: GOALS,
    holds: |case| {
        let [c0, c1] = case.goals;
        let says = mover_wins(case.x_from(c0), case.z_from(c1), case.table(), [0, 0]);
        expect(says == case.mover_wins(), || format!("the plain game says {says}; {}", case.truth_in_words()))
    },
};

pub(crate) static THEOREM_2: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "theorem-2",
        "goal paper, Theorem 3 (sharper form)",
        "Five matching numbers and two thresholds give exactly the winning discards, whatever lies on the table, and when passing wins.",
        Some("tanhinmin/Moves.theorem_2_high, theorem_2_low, theorem_2_pass"),
        GOALS.words(),
        7,
    ),
    domain: GOALS,
    holds: |case| {
        let says = winning_moves(&case.position, &mut Budget::default()).map_err(|error| error.message)?;
        let truth = case.winning();
        expect(says == truth, || format!("the theorem says {}; in truth {}", list(&says), list(&truth)))
    },
};

pub(crate) static THRESHOLD: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "threshold",
        "kachi (consequence of Theorem 2)",
        "If passing wins, the mover wins on every table; otherwise exactly on the tables weaker than his strongest winning card.",
        Some("tanhinmin/Moves.theorem_2_high, theorem_2_low, theorem_2_pass"),
        GOALS.words(),
        7,
    ),
    domain: GOALS,
    holds: |case| {
        let says = match won_tables(case.x(), case.z(), case.goals) {
            WonTables::All => true,
            WonTables::Below(face) => case.table() < face,
            WonTables::None => false,
        };
        expect(says == case.mover_wins(), || format!("the threshold says {says}; {}", case.truth_in_words()))
    },
};

pub(crate) static MARGIN_TWO: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "margin-two",
        "goal paper",
        "If mu0 - mu1 is at least 2, every legal move wins, pass included.",
        Some("tanhinmin/Moves.margin_two"),
        GOALS.words(),
        7,
    ),
    domain: GOALS,
    holds: |case| {
        let [mu0, mu1] = matching_numbers(case.x(), case.z(), case.table(), case.goals);
        let all = case.winning() == case.position.legal_moves();
        expect(mu0 < mu1 + 2 || all, || format!("only {} wins", list(&case.winning())))
    },
};

pub(crate) static PASS_NOT_NEEDED: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "pass-not-needed",
        "goal paper",
        "A mover who wins and has a legal card has a winning discard.",
        Some("tanhinmin/Moves.pass_not_needed"),
        GOALS.words(),
        7,
    ),
    domain: GOALS,
    holds: |case| {
        let legal_card = case.position.legal_moves().len() > 1;
        let only_pass = case.winning() == [Move::Pass];
        expect(!(legal_card && only_pass), || "only pass wins, although a card is legal".into())
    },
};

/// All goals of one deal at once: the truth for every pair of goals.
struct Grid {
    by_goals: Vec<Vec<AllPlays>>,
}

impl Grid {
    fn new(faces: &[u8]) -> Grid {
        let n = faces.len();
        let row = |c0| (0..n - c0).map(|c1| AllPlays::solve(faces, false, [c0, c1])).collect();
        Grid { by_goals: (0..n).map(row).collect() }
    }
}

/// Visits every deal and table of a shard with the truth for all goals.
fn each_deal(size: u32, shard: u32, visit: &mut dyn FnMut(&Grid, Holdings, u8)) {
    let mut faces = vec![1_u8];
    for i in 0..size - 1 {
        faces.push(faces[i as usize] + (shard >> i & 1) as u8);
    }
    let grid = Grid::new(&faces);
    let top = faces.last().copied().unwrap_or(0);
    let plain = Domain { goals: false, ..GOALS };
    plain.each_holding(&faces, &mut |holdings| {
        if holdings.sizes().iter().all(|&cards| cards > 0) {
            (0..=top).for_each(|level| visit(&grid, holdings, level));
        }
    });
}

fn shards_with_ties(size: u32) -> u32 {
    GOALS.shards(size)
}

pub(crate) static GOALS_MONOTONE: OtherClaim = OtherClaim {
    statement: Statement::holds(
        "goals-monotone",
        "goal paper",
        "Raising the mover's goal or lowering the other's never hurts the mover, so the handicap frontier never decreases.",
        Some("tanhinmin/Consequences.goals_monotone"),
        GOALS.words(),
        7,
    ),
    largest: 11,
    shards: shards_with_ties,
    check: |size, shard, findings| {
        each_deal(size, shard, &mut |grid, holdings, level| {
            let [mine, theirs] = holdings.sizes();
            let wins = |c0: usize, c1: usize| grid.by_goals[c0][c1].mover_wins(holdings, level);
            for c0 in 0..mine {
                for c1 in 0..theirs {
                    let raised = c0 + 1 == mine || !wins(c0, c1) || wins(c0 + 1, c1);
                    let lowered = c1 == 0 || !wins(c0, c1) || wins(c0, c1 - 1);
                    record(
                        findings,
                        raised && lowered,
                        &grid.by_goals[c0][c1].position(holdings, level),
                        || "a better goal turns a win into a loss".into(),
                    );
                }
            }
        });
    },
};

pub(crate) static COROLLARY_7: OtherClaim = OtherClaim {
    statement: Statement::holds(
        "corollary-7",
        "goal paper, Corollary 7",
        "For each own goal there is one move that wins for every goal of the other with which the mover wins at all; likewise for each goal \
         of the other.",
        None,
        GOALS.words(),
        7,
    ),
    largest: 11,
    shards: shards_with_ties,
    check: |size, shard, findings| {
        each_deal(size, shard, &mut |grid, holdings, level| {
            let [mine, theirs] = holdings.sizes();
            let common = |goals: &mut dyn Iterator<Item = (usize, usize)>| {
                let plays = goals.map(|(c0, c1)| &grid.by_goals[c0][c1]);
                let winning = plays.filter(|all| all.mover_wins(holdings, level));
                let mut sets = winning.map(|all| all.winning_moves(holdings, level));
                let Some(first) = sets.next() else { return true };
                let all = sets
                    .fold(first, |common, set| common.into_iter().filter(|mv| set.contains(mv)).collect());
                !all.is_empty()
            };
            for c0 in 0..mine {
                let ok = common(&mut (0..theirs).map(|c1| (c0, c1)));
                let position = grid.by_goals[c0][0].position(holdings, level);
                record(findings, ok, &position, || {
                    format!("own goal {c0}: no move wins for all goals of the other")
                });
            }
            for c1 in 0..theirs {
                let ok = common(&mut (0..mine).map(|c0| (c0, c1)));
                let position = grid.by_goals[0][c1].position(holdings, level);
                record(findings, ok, &position, || {
                    format!("goal {c1} of the other: no move wins for all own goals")
                });
            }
        });
    },
};

fn record(findings: &mut Findings, holds: bool, position: &Position, words: impl FnOnce() -> String) {
    findings.record(holds, || Counterexample { position: position.to_string(), words: words() });
}

/// How Algorithm 1 treats the c0 + 1 weakest cards.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LowerBlock {
    /// As corrected: y is the strongest card of Z[c1..] with y <= x_{c0+2}; cards from y on win.
    Corrected,
    /// As printed: y < x_{c0+2}.
    Strict,
    /// As printed: only if y exceeds the mover's weakest card, otherwise none of them.
    WithLimit,
}

/// Algorithm 1 for a margin of exactly 1.
fn algorithm_1(case: &Case<'_>, reading: LowerBlock) -> Vec<Move> {
    let [c0, c1] = case.goals;
    let (x, level) = (case.x(), case.table());
    let [mu0, mu1] = matching_numbers(x, case.z(), level, case.goals);
    let keep = tension(cards(case.x_from(c0)), cards(case.z_from(c1 + 1)));
    let base = size(cards(case.z_from(c1)), cards(case.x_from(c0 + 2)));
    let lower_bound = if x.len() == c0 + 1 || mu1 == base + 1 {
        Some(Face::GROUND)
    } else {
        let ceiling = x[c0 + 1];
        let strict = reading == LowerBlock::Strict;
        let below = |y: &&Face| if strict { **y < ceiling } else { **y <= ceiling };
        let y = case.z_from(c1).iter().rev().find(below).copied();
        match (reading, y) {
            (LowerBlock::WithLimit, Some(y)) if y <= x[0] => None,
            (_, y) => Some(y.unwrap_or(Face::GROUND)),
        }
    };
    let upper_bound = if mu0 == keep.size { None } else { keep.gamma };
    let wins = |(k, face): (usize, Face)| {
        if k <= c0 {
            lower_bound.is_some_and(|bound| face >= bound)
        } else {
            upper_bound.is_none_or(|bound| face <= bound)
        }
    };
    let mut faces: Vec<Face> = x
        .iter()
        .copied()
        .enumerate()
        .filter(|&(k, face)| face > level && wins((k, face)))
        .map(|(_, f)| f)
        .collect();
    faces.dedup();
    let mut moves: Vec<Move> = faces.into_iter().map(Move::Discard).collect();
    if mu0 == keep.size {
        moves.push(Move::Pass);
    }
    moves
}

fn cards(hand: &[Face]) -> impl DoubleEndedIterator<Item = Face> {
    hand.iter().copied()
}

fn algorithm_1_is_right(case: &Case<'_>, reading: LowerBlock) -> Verdict {
    let [mu0, mu1] = matching_numbers(case.x(), case.z(), case.table(), case.goals);
    if mu0 != mu1 + 1 {
        return Ok(());
    }
    let (says, truth) = (algorithm_1(case, reading), case.winning());
    expect(says == truth, || format!("the algorithm says {}; in truth {}", list(&says), list(&truth)))
}

pub(crate) static ALGORITHM_1: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "algorithm-1",
        "goal paper, Algorithm 1 (corrected)",
        "For a margin of exactly 1, Algorithm 1 with y <= x_{c0+2} and without a lower limit lists exactly the winning moves.",
        None,
        GOALS.words(),
        7,
    ),
    domain: GOALS,
    holds: |case| algorithm_1_is_right(case, LowerBlock::Corrected),
};

pub(crate) static ERRATUM_8_STRICT: PositionClaim = PositionClaim {
    statement: Statement::refuted(
        "erratum-8-strict",
        "goal paper, Algorithm 1, line 4",
        "For a margin of exactly 1, Algorithm 1 may compare with y < x_{c0+2}.",
        "algorithm-1",
        GOALS.words(),
        5,
    ),
    domain: GOALS,
    holds: |case| algorithm_1_is_right(case, LowerBlock::Strict),
};

pub(crate) static ERRATUM_8_LIMIT: PositionClaim = PositionClaim {
    statement: Statement::refuted(
        "erratum-8-limit",
        "goal paper, Algorithm 1, line 4",
        "For a margin of exactly 1, Algorithm 1 may ask that y exceeds the mover's weakest card.",
        "algorithm-1",
        GOALS.words(),
        5,
    ),
    domain: GOALS,
    holds: |case| algorithm_1_is_right(case, LowerBlock::WithLimit),
};

pub(crate) static ERRATUM_9: PositionClaim = PositionClaim {
    statement: Statement::refuted(
        "erratum-9",
        "goal paper, Algorithm 1",
        "Algorithm 1 returns exactly the winning moves also when the margin is 0 or less, where it returns every legal move.",
        "theorem-2",
        GOALS.words(),
        4,
    ),
    domain: GOALS,
    holds: |case| {
        let [mu0, mu1] = matching_numbers(case.x(), case.z(), case.table(), case.goals);
        let says = case.position.legal_moves();
        expect(mu0 > mu1 || says == case.winning(), || {
            format!("it returns {}; in truth {} wins", list(&says), list(&case.winning()))
        })
    },
};

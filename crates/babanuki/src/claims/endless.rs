//! Rational outcomes and endless play: Lemma 5.7 in its true form, how far it reaches, and positions for any number
//! of players from five on.

use super::{KACHI, Law, THESIS, UpTo, counterexample, holds, known, over, truth, wrong};
use crate::Mode;
use crate::position::{Position, Setup, Written};
use crate::search::rational::{self, Leaving, Rational};
use crate::shape::{Shape, all_shapes};
use kachi_core::{Budget, Findings, Statement};

/// More shapes than any claim here reaches.
const ROOM: usize = 2_000_000;

fn position(hands: &[&str], to_move: usize) -> Option<Position> {
    let hand = |hand: &&str| hand.split_whitespace().map(Written::from).collect();
    let hands = hands.iter().map(hand).collect();
    Setup { hands, to_move: to_move as i64, ..Setup::default() }.validate().ok()
}

fn rational(roots: &[Shape], findings: &mut Findings) -> Option<Rational> {
    let solved = Rational::solve(roots, Mode::Pairs, ROOM, &mut Budget::default());
    known(solved, || format!("{} positions", roots.len()), findings)
}

/// The rational outcomes of one shape.
fn outcomes(shape: &Shape, findings: &mut Findings) -> Option<Vec<Leaving>> {
    let solved = rational(std::slice::from_ref(shape), findings)?;
    solved.of(shape).map(|found| found.into_iter().cloned().collect())
}

fn check_endless(position: &Option<Position>, before: &[u8], findings: &mut Findings) {
    let Some(shape) = position.as_ref().and_then(|position| Shape::of(position.table(), Mode::Pairs)) else {
        return;
    };
    let Some(found) = outcomes(&shape, findings) else { return };
    findings.record(found == [before], || {
        counterexample(
            &shape,
            format!("the rational outcomes, as orders of leaving from the mover on, are {found:?}"),
        )
    });
}

/// A = C = k labels, B and D share k others; the joker with the given seat; A moves.
fn lemma(k: usize, joker: usize) -> Option<Position> {
    let labels = |from: usize| (from..from + k).map(|i| i.to_string()).collect::<Vec<_>>().join(" ");
    let mut hands = [labels(1), labels(1 + k), labels(1), labels(1 + k)];
    hands[joker].push_str(" J");
    position(&[&hands[0], &hands[1], &hands[2], &hands[3]], 0)
}

pub(super) static LEMMA: UpTo = UpTo {
    largest: 1,
    law: Law {
        statement: over(
            holds(
                "lemma-5.7",
                THESIS,
                "Lemma 5.7 in its true form: A and C hold {a, b}, B and D share {c, d}, D also has the joker, A moves (and draws from D). Drawing the joker for ever is the only rational outcome.",
            ),
            "1; the one position",
            1,
        ),
        check: |_, findings| check_endless(&lemma(2, 3), &[], findings),
    },
};

pub(super) static LEMMA_ANY_SEAT: UpTo = UpTo {
    largest: 1,
    law: Law {
        statement: over(
            wrong("lemma-5.7-any-seat", "lemma-5.7", "Lemma 5.7 holds wherever the joker is."),
            "1; the position with the joker at A, B, C or D",
            1,
        ),
        check: |_, findings| (0..4).for_each(|joker| check_endless(&lemma(2, joker), &[], findings)),
    },
};

pub(super) static LEMMA_FAMILY: Law = Law {
    statement: over(
        wrong(
            "lemma-5.7-family",
            "lemma-5.7-alone",
            "Lemma 5.7 holds for any equal number k of shared labels.",
        ),
        "k; the position with k labels shared by A and C and k by B and D",
        4,
    ),
    check: |size, findings| check_endless(&lemma(size as usize, 3), &[], findings),
};

pub(super) static LEMMA_ALONE: Law = Law {
    statement: over(
        holds(
            "lemma-5.7-alone",
            KACHI,
            "Four seats: endless play is the only rational outcome in the position of Lemma 5.7, in the one that leads into it by a forced draw (A={a,J}, B={c,d}, C={a,b}, D={b,c,d}), and in no other.",
        ),
        "labels; every position of four seats",
        8,
    ),
    check: |size, findings| {
        let shapes = all_shapes(4, size, Mode::Pairs);
        let Some(solved) = rational(&shapes, findings) else { return };
        let leads_in = position(&["a J", "c d", "a b", "b c d"], 0);
        let known: Vec<Shape> = [lemma(2, 3), leads_in]
            .iter()
            .flatten()
            .filter_map(|position| Shape::of(position.table(), Mode::Pairs))
            .collect();
        for shape in &shapes {
            let only = solved.of(shape).is_some_and(|found| found.len() == 1 && found[0].is_empty());
            findings.record(only == known.contains(shape), || {
                counterexample(shape, format!("endless play as the only rational outcome: {only}"))
            });
        }
    },
};

pub(super) static FIVE_NOT_LOCKED: Law = Law {
    statement: over(
        holds(
            "five-not-locked",
            KACHI,
            "Five seats: endless play by all five is never the only rational outcome.",
        ),
        "labels; every position of five seats",
        5,
    ),
    check: |size, findings| {
        let shapes = all_shapes(5, size, Mode::Pairs);
        let Some(solved) = rational(&shapes, findings) else { return };
        for shape in &shapes {
            let only = solved.of(shape).is_some_and(|found| found.len() == 1 && found[0].is_empty());
            findings.record(!only, || {
                counterexample(shape, "endless play is the only rational outcome".to_owned())
            });
        }
    },
};

/// The construction for k >= 5 players: the hands from the mover's seat on, and how many leave before the lemma's four.
fn with_players(k: usize) -> Option<Position> {
    // Five players: the lemma's four without the joker, and E = {J} just before A, who must take it.
    let mut hands: Vec<String> = ["a b", "c d", "a b", "c d", "J"].map(str::to_owned).to_vec();
    let mut mover = 0;
    for extra in 5..k {
        // A newcomer with only x sits just before N, the seat before the mover; N gets the other x and moves.
        let n = (mover + hands.len() - 1) % hands.len();
        hands[n].push_str(&format!(" x{extra}"));
        hands.insert(n, format!("x{extra}"));
        mover = n + 1;
    }
    let hands: Vec<&str> = hands.iter().map(String::as_str).collect();
    position(&hands, mover)
}

pub(super) static MORE_PLAYERS: UpTo = UpTo {
    largest: rational::MOST_SEATS_SOLVED as u32,
    law: Law {
        statement: over(
            holds(
                "endless-for-k-players",
                KACHI,
                "For every k >= 5 there is a position of k players whose only rational outcome is endless play, by the last four of them (the open question of chapter 7).",
            ),
            "players, from five on; the constructed position",
            6,
        ),
        check: |size, findings| {
            if size < 5 {
                return;
            }
            let built = with_players(size as usize);
            let Some(shape) = built.as_ref().and_then(|position| Shape::of(position.table(), Mode::Pairs))
            else {
                return;
            };
            let Some(found) = outcomes(&shape, findings) else { return };
            let right = matches!(&found[..], [leaving] if leaving.len() + 4 == size as usize);
            findings.record(right, || counterexample(&shape, format!("the rational outcomes are {found:?}")));
        },
    },
};

const EXISTS: Statement = over(
    holds("equilibrium-exists", KACHI, "With three or four seats a pure equilibrium always exists."),
    "labels; every position of three and four seats",
    6,
);

pub(super) static EQUILIBRIUM_EXISTS: Law = Law {
    statement: EXISTS,
    check: |size, findings| {
        for seats in [3, 4] {
            let shapes = all_shapes(seats, size, Mode::Pairs);
            let Some(solved) = rational(&shapes, findings) else { return };
            for shape in &shapes {
                let some = solved.of(shape).is_some_and(|found| !found.is_empty());
                findings.record(some, || counterexample(shape, "no rational outcome".to_owned()));
            }
        }
    },
};

pub(super) static RESPECTS_GUARANTEES: Law = Law {
    statement: Statement {
        id: "rational-respects-guarantees",
        words: "In every rational outcome of three or four seats every seat gets at least the rank that it can force, and nobody is last who can avoid it, if only by endless play.",
        ..EXISTS
    },
    check: |size, findings| {
        for seats in [3, 4] {
            let shapes = all_shapes(seats, size, Mode::Pairs);
            let Some(solved) = rational(&shapes, findings) else { return };
            let Some(table) = super::solved(seats, size, findings) else { return };
            for shape in &shapes {
                let sure = truth(&table, shape);
                let kept = |leaving: &Leaving, q: u8| {
                    let sure = sure[q as usize];
                    match leaving.iter().position(|&seat| seat == q) {
                        Some(place) => {
                            let last = place + 1 == seats as usize;
                            place < sure.strict as usize && (!last || sure.lenient == seats)
                        }
                        // Endless: allowed unless a rank better than last can be forced.
                        None => sure.strict == seats,
                    }
                };
                let found = solved.of(shape).unwrap_or_default();
                let right = found.iter().all(|leaving| (0..seats).all(|q| kept(leaving, q)));
                findings.record(right, || counterexample(shape, format!("{found:?} against {sure:?}")));
            }
        }
    },
};

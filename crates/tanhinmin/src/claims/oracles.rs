//! Hidden hands (thesis, chapter 4): strategies that know little are played out against every line of the opponent.

use super::domain::{Case, DISTINCT, GOALS, OtherClaim, PLAIN, PositionClaim, Verdict, expect, list};
use crate::position::{Face, Position, Side, Table};
use crate::rules::{Move, Outcome};
use crate::strategy::{Counter, Strategy, Told, weakest_legal};
use crate::theory::decide::{matching_numbers, mover_wins};
use crate::theory::moves::winning_moves;
use kachi_core::{Budget, Counterexample, Findings, Statement};

/// A player who sees her own hand, the table and what the opponent does.
trait Blind: Clone {
    /// Her move; she carries it out in her own memory too.
    fn my_turn(&mut self, hand: &[Face], opponent_cards: usize, table: Option<Face>) -> Move;
    /// The opponent moved.
    fn opponent(&mut self, mv: Move);
}

/// Does she win against every line? `hers` says whether she is the mover of `position`.
fn beats_every_line<B: Blind>(position: &Position, hers: bool, player: &B) -> bool {
    let table = match position.table() {
        Table::Shows(face) => Some(face),
        Table::Empty | Table::Cut => None,
    };
    if hers {
        let mut player = player.clone();
        let mv = player.my_turn(&position.mover().ordinary, position.other().len(), table);
        return match position.play(mv) {
            Ok(Outcome::Won) => true,
            // A pass of hers on the empty table could go round in circles; no strategy here makes one.
            Ok(Outcome::Goes(next)) => {
                !(mv == Move::Pass && table.is_none()) && beats_every_line(&next, false, &player)
            }
            Err(_) => false,
        };
    }
    position.legal_moves().into_iter().all(|mv| {
        let mut player = player.clone();
        player.opponent(mv);
        match position.play_unchecked(mv) {
            Outcome::Won => false,
            Outcome::Goes(next) => beats_every_line(&next, true, &player),
        }
    })
}

/// A player without memory, given by her rule.
#[derive(Clone)]
struct Rule(fn(&[Face], usize, Face) -> Move);

impl Blind for Rule {
    fn my_turn(&mut self, hand: &[Face], opponent_cards: usize, table: Option<Face>) -> Move {
        (self.0)(hand, opponent_cards, table.unwrap_or(Face::GROUND))
    }

    fn opponent(&mut self, _: Move) {}
}

impl Blind for Counter {
    fn my_turn(&mut self, _: &[Face], _: usize, table: Option<Face>) -> Move {
        Counter::my_turn(self, table)
    }

    fn opponent(&mut self, mv: Move) {
        if mv == Move::Pass {
            self.opponent_passes();
        }
    }
}

/// The weakest legal card other than the hand's weakest, or the only card.
fn spare_the_weakest(hand: &[Face], _: usize, table: Face) -> Move {
    weakest_legal(hand, usize::from(hand.len() > 1), table)
}

pub(crate) static THEOREM_4_2: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "theorem-4.2",
        "thesis, Theorem 4.2",
        "Who is winning against an opponent with at most 2 cards, to move or not, wins by always playing the weakest legal card other than the \
         hand's weakest (or the only card), without knowing the opponent's cards.",
        None,
        PLAIN.words(),
        8,
    ),
    domain: PLAIN,
    holds: |case| {
        let player = Rule(spare_the_weakest);
        if case.mover_wins() && case.z().len() <= 2 {
            expect(beats_every_line(&case.position, true, &player), || {
                "the mover loses by this rule".into()
            })?;
        }
        if !case.mover_wins() && case.x().len() <= 2 {
            expect(beats_every_line(&case.position, false, &player), || {
                "the other loses by this rule".into()
            })?;
        }
        Ok(())
    },
};

/// A position without cut cards from plain numbers that are known to be good.
fn position(x: &[u32], z: &[u32], table: u32) -> Position {
    let side = |hand: &[u32]| {
        let mut ordinary: Vec<Face> = hand.iter().map(|&face| Face::raw(face)).collect();
        ordinary.sort_unstable();
        Side { ordinary, ..Side::default() }
    };
    let table = if table == 0 { Table::Empty } else { Table::Shows(Face::raw(table)) };
    Position { table, sides: [side(x), side(z)] }
}

fn winning(position: &Position) -> Vec<Move> {
    winning_moves(position, &mut Budget::default()).unwrap_or_default()
}

fn record(findings: &mut Findings, position: &Position, verdict: Verdict) {
    findings.record(verdict.is_ok(), || Counterexample {
        position: position.to_string(),
        words: verdict.err().unwrap_or_default(),
    });
}

/// Two opposing hands of one size with a winning mover in both, but no common winning move.
fn is_dilemma(x: &[u32], hands: [&[u32]; 2], table: u32) -> Verdict {
    let sets = hands.map(|z| winning(&position(x, z, table)));
    expect(hands[0].len() == hands[1].len(), || "the hands differ in size".into())?;
    expect(sets.iter().all(|set| !set.is_empty()), || "the mover does not win against both".into())?;
    let common = sets[0].iter().any(|mv| sets[1].contains(mv));
    expect(!common, || format!("{} and {} have a common move", list(&sets[0]), list(&sets[1])))
}

fn one_case(size: u32) -> u32 {
    u32::from(size == 1)
}

pub(crate) static THEOREM_4_3: OtherClaim = OtherClaim {
    statement: Statement::holds(
        "theorem-4.3",
        "thesis, Theorem 4.3",
        "Knowing the number of the opponent's cards is not enough when it is 3: with 2 3 on the empty table, against 1 2 5 only 2 wins and \
         against 2 3 3 only 3 wins.",
        None,
        "1; the example itself",
        1,
    ),
    largest: 1,
    shards: one_case,
    check: |_, _, findings| {
        record(findings, &position(&[2, 3], &[1, 2, 5], 0), is_dilemma(&[2, 3], [&[1, 2, 5], &[2, 3, 3]], 0));
    },
};

pub(crate) static DISTINCT_DILEMMA: OtherClaim = OtherClaim {
    statement: Statement::holds(
        "theorem-4.3-distinct",
        "kachi",
        "With pairwise distinct faces such a pair exists with 4 against 5 cards: with 1 5 7 9 on the empty table, against 2 3 4 10 11 only \
         5, 7 or 9 win and against 2 3 6 8 10 only 1 wins.",
        None,
        "1; the example itself",
        1,
    ),
    largest: 1,
    shards: one_case,
    check: |_, _, findings| {
        let x = [1, 5, 7, 9];
        let hands: [&[u32]; 2] = [&[2, 3, 4, 10, 11], &[2, 3, 6, 8, 10]];
        record(findings, &position(&x, hands[0], 0), is_dilemma(&x, hands, 0));
    },
};

pub(crate) static ERRATUM_7: OtherClaim = OtherClaim {
    statement: Statement::refuted(
        "erratum-7",
        "thesis, chapter 2 assumption behind Theorem 4.3",
        "Faces may be taken distinct without loss: with at most 3 cards on each side, a hand and table have one move that wins against every \
         hand of a given size that the mover beats. (True for distinct faces, see extension-b; false with equal faces, which the example of Theorem \
         4.3 uses.)",
        "extension-b",
        "faces; hands of at most 3 cards each from faces 1 to this, equal faces included, all tables",
        5,
    ),
    largest: 9,
    shards: |size| size,
    check: erratum_7,
};

/// All multisets of `cards` faces from 1 to `top`, ascending.
fn hands(cards: usize, top: u32) -> Vec<Vec<u32>> {
    if cards == 0 {
        return vec![vec![]];
    }
    let smaller = hands(cards - 1, top);
    let extend = |hand: &Vec<u32>| {
        let from = hand.last().copied().unwrap_or(1);
        (from..=top).map(|face| [&hand[..], &[face]].concat()).collect::<Vec<_>>()
    };
    smaller.iter().flat_map(extend).collect()
}

/// Shard t looks at table t. A table as strong as every card is no use, so the shards end below `size`.
fn erratum_7(size: u32, shard: u32, findings: &mut Findings) {
    let table = shard;
    for own in 1..=3 {
        for x in hands(own, size) {
            for theirs in 1..=3 {
                let against = hands(theirs, size);
                let sets: Vec<(Position, Vec<Move>)> = against
                    .iter()
                    .map(|z| position(&x, z, table))
                    .map(|position| (position.clone(), winning(&position)))
                    .filter(|(_, moves)| !moves.is_empty())
                    .collect();
                let clash = sets.iter().enumerate().find_map(|(i, (one, set))| {
                    let disjoint =
                        |(_, other): &&(Position, Vec<Move>)| set.iter().all(|mv| !other.contains(mv));
                    sets[i..].iter().find(disjoint).map(|(two, other)| (one, set, two, other))
                });
                findings.record(clash.is_none(), || {
                    let (one, set, two, other) =
                        clash.unwrap_or((&sets[0].0, &sets[0].1, &sets[0].0, &sets[0].1));
                    let words = format!("here only {} wins, in {two} only {}", list(set), list(other));
                    Counterexample { position: one.to_string(), words }
                });
            }
        }
    }
}

pub(crate) static COUNTER_STRATEGY: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "counter-strategy",
        "thesis, Theorem 4.4 (stated there without proof; constructive form by kachi)",
        "Told her own or the other's matching number once, to move or not, a player who is winning at that moment wins against every line by the \
         counter strategy, for all goals.",
        Some("tanhinmin/Play.counter_strategy_mover, counter_strategy_other"),
        GOALS.words(),
        7,
    ),
    domain: GOALS,
    holds: counter_strategy,
};

fn counter_strategy(case: &Case<'_>) -> Verdict {
    let mu = matching_numbers(case.x(), case.z(), case.table(), case.goals);
    // Not to move, her own number counts the table card of nobody: mu(own[c..], other's[c'+1..]) is the mover's mu1.
    let to_move = case.mover_wins();
    let (hand, goal) = if to_move { (case.x(), case.goals[0]) } else { (case.z(), case.goals[1]) };
    let told = if to_move {
        [Told::OwnMu(mu[0]), Told::OtherMu(mu[1])]
    } else {
        [Told::OwnMu(mu[1]), Told::OtherMu(mu[0])]
    };
    for told in told {
        let player = Counter::new(hand.to_vec(), goal, to_move, told);
        expect(beats_every_line(&case.position, to_move, &player), || format!("she loses, told {told:?}"))?;
    }
    Ok(())
}

/// P1 is to move on the empty table with one of two hands, P0 holds 2 3: equal card numbers and matching numbers, P1 winning.
fn same_oracle(hand: &[u32]) -> Verdict {
    let position = position(hand, &[2, 3], 0);
    let mu = matching_numbers(&position.mover().ordinary, &position.other().ordinary, Face::GROUND, [0, 0]);
    expect(hand.len() == 5 && mu == [2, 1], || format!("the oracles say {mu:?}, not [2, 1]"))?;
    expect(mu[0] > mu[1], || "P1 is not winning".into())
}

pub(crate) static ERRATUM_6: OtherClaim = OtherClaim {
    statement: Statement::refuted(
        "erratum-6",
        "thesis, Theorem 4.5 as printed",
        "The hands 1 1 2 4 5 and 1 2 3 3 4 of P1 (to move on the empty table) against 2 3 of P0 give equal oracle values 2, 1 and 5 cards, \
         P1 winning.",
        "theorem-4.5",
        "1; the two printed hands",
        1,
    ),
    largest: 1,
    shards: one_case,
    check: |_, _, findings| {
        for hand in [[1, 1, 2, 4, 5], [1, 2, 3, 3, 4]] {
            record(findings, &position(&hand, &[2, 3], 0), same_oracle(&hand));
        }
    },
};

pub(crate) static THEOREM_4_5: OtherClaim = OtherClaim {
    statement: Statement::holds(
        "theorem-4.5",
        "thesis, Theorem 4.5 (hands corrected)",
        "Asking once is not enough for a player who becomes winning later: P0 holds 2 3, P1 to move holds 1 1 3 3 4 or 1 2 2 4 4, with equal oracle values; \
         after 4, pass, 1 P0 is winning in both, but only 3 wins in the first and only 2 in the second.",
        None,
        "1; the two hands",
        1,
    ),
    largest: 1,
    shards: one_case,
    check: |_, _, findings| {
        for (hand, needed) in [([1, 1, 3, 3, 4], 3), ([1, 2, 2, 4, 4], 2)] {
            let start = position(&hand, &[2, 3], 0);
            record(findings, &start, same_oracle(&hand).and_then(|()| line_of_4_5(&start, needed)));
        }
    },
};

/// P1 discards 4, P0 can only pass, P1 discards 1; now only `needed` wins.
fn line_of_4_5(start: &Position, needed: u32) -> Verdict {
    let discard = |face| Move::Discard(Face::raw(face));
    let mut here = start.clone();
    for mv in [discard(4), Move::Pass, discard(1)] {
        here = match here.play(mv) {
            Ok(Outcome::Goes(next)) => next,
            _ => return Err(format!("the line breaks at {mv}")),
        };
    }
    let truth = winning(&here);
    expect(truth == [discard(needed)], || format!("in {here} the winning moves are {}", list(&truth)))
}

pub(crate) static COROLLARY_4_6: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "corollary-4.6",
        "thesis, Corollary 4.6",
        "Asking for her own matching number (S6) or the other's (S7) at every turn, a player wins against every line from the first of her turns at \
         which she is winning.",
        None,
        PLAIN.words(),
        8,
    ),
    domain: PLAIN,
    holds: |case| {
        if !case.mover_wins() {
            return Ok(());
        }
        for strategy in [Strategy::S6 { c: 0 }, Strategy::S7 { c: 0 }] {
            let wins = asks_every_turn(&case.position, true, strategy);
            expect(wins, || format!("{strategy:?} loses to some line"))?;
        }
        Ok(())
    },
};

/// As [`beats_every_line`], for a player who asks anew at every turn.
fn asks_every_turn(position: &Position, hers: bool, strategy: Strategy) -> bool {
    let level = position.table().level().unwrap_or(Face::GROUND);
    if hers {
        let mv = strategy.choose(&position.mover().ordinary, &position.other().ordinary, level, [0, 0]);
        return match position.play(mv) {
            Ok(Outcome::Won) => true,
            Ok(Outcome::Goes(next)) => {
                !(mv == Move::Pass && level == Face::GROUND) && asks_every_turn(&next, false, strategy)
            }
            Err(_) => false,
        };
    }
    position.legal_moves().into_iter().all(|mv| match position.play_unchecked(mv) {
        Outcome::Won => false,
        Outcome::Goes(next) => asks_every_turn(&next, true, strategy),
    })
}

pub(crate) static EXTENSION_A: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "extension-a",
        "kachi",
        "If the mover wins, has at least 2 cards and at least as many as the other, then the weakest legal card other than the hand's weakest wins.",
        None,
        PLAIN.words(),
        9,
    ),
    domain: PLAIN,
    holds: |case| {
        let enough = case.x().len() >= 2 && case.x().len() >= case.z().len();
        if !case.mover_wins() || !enough {
            return Ok(());
        }
        let mv = weakest_legal(case.x(), 1, case.table());
        expect(case.winning().contains(&mv), || format!("{mv} loses; only {} wins", list(&case.winning())))
    },
};

pub(crate) static EXTENSION_B: PositionClaim = PositionClaim {
    statement: Statement::holds(
        "extension-b",
        "kachi",
        "If all faces are distinct, knowing the number of the other's cards wins every won game in which it is at most 4 or the own number at most 3: skip \
         the hand's weakest card iff the own number is at least 2 and at least the other's.",
        None,
        DISTINCT.words(),
        10,
    ),
    domain: DISTINCT,
    holds: |case| {
        let small = case.z().len() <= 4 || case.x().len() <= 3;
        if !small || !mover_wins(case.x(), case.z(), case.table(), [0, 0]) {
            return Ok(());
        }
        let player = Rule(|hand, opponent_cards, table| {
            weakest_legal(hand, usize::from(hand.len() >= 2 && hand.len() >= opponent_cards), table)
        });
        expect(beats_every_line(&case.position, true, &player), || "some line beats this rule".into())
    },
};

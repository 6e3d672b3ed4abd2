//! The paper's table, its properties and its six cases.

use super::domains::{Code, suit_lists, suit_of};
use super::{Check, OURS, PAPER, refuted};
use crate::analysis::analyse_suits;
use crate::notation::write_suits;
use crate::position::{Player, Suits};
use crate::rules::{SuitRules, SuitState};
use crate::theory::race::simplest;
use crate::theory::suits::{ShortSuit, Suffix, Worth, analyse_short};
use crate::theory::table::{self, Class, Row, Shape};
use kachi_core::claim::{Counterexample, Findings};
use kachi_core::solve::{Outcome, Wins, by_memo};
use kachi_core::{Budget, Claim, Game, Statement};

const LISTS: &str = "cards; every list of nonempty suits up to order, either player to move";
const STRINGS: &str = "cards; every suit";

/// The truth by the slow solver. Suit games are finite and small here, so the default budget always suffices.
fn truth(position: &Suits) -> Player {
    slow(&SuitState::from(position))
}

fn slow(state: &SuitState) -> Player {
    let outcome = by_memo(&SuitRules, &Wins(Player::First.seat()), state, &mut Budget::default());
    if outcome == Ok(Outcome::Forced) { Player::First } else { Player::Second }
}

fn lists(size: u32, shard: u32, shards: u32, visit: &mut dyn FnMut(&Suits)) {
    suit_lists(size, shard, shards, &mut |codes| {
        for mover in Player::BOTH {
            let suits = codes.iter().map(|&code| suit_of(code)).collect();
            if let Ok(position) = Suits::new(suits, mover) {
                visit(&position);
            }
        }
    });
}

/// Both players hold cards, as the paper's algorithm supposes.
fn both_hold(position: &Suits) -> bool {
    !position.hands().contains(&0)
}

fn strings(size: u32, shard: u32, shards: u32, visit: &mut dyn FnMut(Code, &[Player])) {
    for code in (1 << size..2 << size).filter(|code| code % shards == shard) {
        visit(code, &suit_of(code));
    }
}

fn record(findings: &mut Findings, holds: bool, suit: &[Player], words: impl FnOnce() -> String) {
    findings.record(holds, || {
        let text: String = suit.iter().map(|owner| owner.letter()).collect();
        Counterexample { position: format!("{text}:L"), words: words() }
    });
}

fn record_winner(findings: &mut Findings, position: &Suits, said: Player, truth: Player) {
    findings.record(said == truth, || Counterexample {
        position: write_suits(position),
        words: format!("the statement says {} wins; {} wins", said.letter(), truth.letter()),
    });
}

/// Writes the string of a row with a tail that the row leaves open; `None` if the parameters are not allowed.
fn spelled(own: Player, shape: Shape, x: usize, y: usize, z: usize) -> Vec<Player> {
    let other = own.other();
    let run = |owner: Player, count: usize| std::iter::repeat_n(owner, count);
    let pairs = |count: usize| std::iter::repeat_n([other, own], count).flatten();
    match shape {
        Shape::Empty => vec![],
        Shape::Run => run(own, x).collect(),
        Shape::TwoRuns => run(own, x).chain(run(other, y)).collect(),
        Shape::EndsOwn => run(own, x).chain(pairs(y)).chain(run(own, z - 1)).collect(),
        Shape::EndsOther => run(own, x).chain(pairs(y)).chain(run(other, z)).collect(),
        Shape::BreaksOwn => run(own, x).chain(pairs(y)).chain(run(own, z)).chain([other]).collect(),
        Shape::BreaksOther => run(own, x).chain(pairs(y - 1)).chain(run(other, z + 1)).chain([own]).collect(),
    }
}

/// How many rows of the table, with how many choices of their parameters, fit a suit.
fn fitting_rows(suit: &[Player]) -> u32 {
    let n = suit.len();
    let own = suit[0];
    let mut fits = 0;
    for x in 1..=n {
        let mut fit = |shape: Shape, y: usize, z: usize| {
            let row = spelled(own, shape, x, y, z);
            let open = matches!(shape, Shape::BreaksOwn | Shape::BreaksOther);
            fits += u32::from(if open { suit.starts_with(&row) } else { suit == row });
        };
        fit(Shape::Run, 1, 1);
        for y in 1..=n {
            fit(Shape::TwoRuns, y, 1);
            for z in 1..=n {
                for shape in [Shape::EndsOwn, Shape::EndsOther, Shape::BreaksOwn, Shape::BreaksOther] {
                    fit(shape, y, z);
                }
            }
        }
    }
    fits
}

static TABLE: Check = Check {
    statement: Statement::holds(
        "paper-table-unique",
        PAPER,
        "exactly one row of the table fits a nonempty suit, with one choice of x, y, z",
        Some("shichinarabe/Table.table_unique"),
        STRINGS,
        10,
    ),
    shards: 1,
    check: |size, shard, shards, findings| {
        strings(size, shard, shards, &mut |_, suit| {
            let fits = fitting_rows(suit);
            record(findings, fits == 1, suit, || format!("{fits} rows fit"));
        });
    },
};

/// Value and prices of a suit by searching all plays with the simplest-integer rule.
fn searched(suit: &[Player]) -> Worth {
    let Some((&owner, rest)) = suit.split_first() else {
        return Worth::EMPTY;
    };
    let next = searched(rest);
    let option = |mine: bool, value: i64| mine.then_some(value);
    let value =
        simplest(option(owner == Player::First, next.value), option(owner == Player::Second, next.value));
    let prices = Player::BOTH.map(|keeper| {
        let prisoner = keeper.other();
        if suit.iter().skip_while(|&&card| card == prisoner).all(|&card| card != prisoner) {
            return Worth::FREE;
        }
        let price = next.prices[keeper.index()];
        let locked = (price != Worth::FREE).then(|| keeper.sign() * next.value - i64::from(price));
        let (low, high) = if owner == keeper { (locked, None) } else { (None, locked) };
        (keeper.sign() * value - simplest(low, high)) as u8
    });
    Worth { value, prices }
}

static VALUES: Check = Check {
    statement: Statement::holds(
        "paper-table-values",
        PAPER,
        "the table's integer f_I and class f_S are the value and the prices found by searching all plays of the suit; the recursion over suffixes gives the same",
        Some("shichinarabe/Table.table_correct"),
        STRINGS,
        15,
    ),
    shards: 4,
    check: |size, shard, shards, findings| {
        strings(size, shard, shards, &mut |_, suit| {
            let (table, recursion, truth) = (Row::of(suit).worth(), Suffix::of(suit).worth, searched(suit));
            let words = || format!("the table says {table:?}, the recursion {recursion:?}, search {truth:?}");
            record(findings, table == truth && recursion == truth, suit, words);
        });
    },
};

fn can_move(player: Player, suit: &[Player]) -> bool {
    suit.first() == Some(&player)
}

static MOVES_L: Check = Check {
    statement: Statement::holds(
        "paper-property-l-moves",
        PAPER,
        "L can play in a suit if and only if f_I > 0, or f_I = 0 and f_S is LL, L or NL",
        Some("shichinarabe/Table.table_correct"),
        STRINGS,
        13,
    ),
    shards: 1,
    check: |size, shard, shards, findings| {
        strings(size, shard, shards, &mut |_, suit| {
            let row = Row::of(suit);
            let class = matches!(row.class(), Class::LL | Class::L | Class::NL);
            let said = row.value() > 0 || (row.value() == 0 && class);
            record(findings, said == can_move(Player::First, suit), suit, || format!("said {said}"));
        });
    },
};

static MOVES_R: Check = Check {
    statement: Statement::holds(
        "paper-property-r-moves",
        PAPER,
        "R can play in a suit if and only if f_I < 0, or f_I = 0 and f_S is RR, R or NR",
        Some("shichinarabe/Table.table_correct"),
        STRINGS,
        13,
    ),
    shards: 1,
    check: |size, shard, shards, findings| {
        strings(size, shard, shards, &mut |_, suit| {
            let row = Row::of(suit);
            let class = matches!(row.class(), Class::RR | Class::R | Class::NR);
            let said = row.value() < 0 || (row.value() == 0 && class);
            record(findings, said == can_move(Player::Second, suit), suit, || format!("said {said}"));
        });
    },
};

static MOVES_R_PRINTED: Check = Check {
    statement: refuted(
        "erratum-paper-r-moves-nlr",
        PAPER,
        "as printed, with the misprint NLR read as NL: R can play in a suit if and only if f_I < 0, or f_I = 0 and f_S is RR, R or NL",
        Some("paper-property-r-moves"),
        STRINGS,
        8,
    ),
    shards: 1,
    check: |size, shard, shards, findings| {
        strings(size, shard, shards, &mut |_, suit| {
            let row = Row::of(suit);
            let class = matches!(row.class(), Class::RR | Class::R | Class::NL);
            let said = row.value() < 0 || (row.value() == 0 && class);
            let words = || format!("said {said}; value {} and class {}", row.value(), row.class().name());
            record(findings, said == can_move(Player::Second, suit), suit, words);
        });
    },
};

static PLAY_COSTS: Check = Check {
    statement: Statement::holds(
        "paper-property-play-costs",
        PAPER,
        "a play lowers the value of its suit for the player by at least 1",
        Some("shichinarabe/Value.own_play"),
        STRINGS,
        13,
    ),
    shards: 1,
    check: |size, shard, shards, findings| {
        strings(size, shard, shards, &mut |_, suit| {
            let sign = suit[0].sign();
            let (before, after) = (sign * Row::of(suit).value(), sign * Row::of(&suit[1..]).value());
            record(findings, after < before, suit, || format!("{before} becomes {after}"));
        });
    },
};

static PLAY_EXACT: Check = Check {
    statement: Statement::holds(
        "paper-property-exact-play",
        PAPER,
        "a suit whose value favours its first owner is played at a cost of exactly 1, and its prices for him do not rise",
        Some("shichinarabe/Value.val_pos"),
        STRINGS,
        13,
    ),
    shards: 1,
    check: |size, shard, shards, findings| {
        strings(size, shard, shards, &mut |_, suit| {
            let (owner, row, next) = (suit[0], Row::of(suit), Row::of(&suit[1..]));
            let value = owner.sign() * row.value();
            let exact = owner.sign() * next.value() == value - 1;
            let price = |row: &Row| row.worth().prices[owner.index()];
            let keeps = price(&next) == Worth::FREE || price(&next) <= price(&row);
            record(findings, value <= 0 || (exact && keeps), suit, || "the play costs more".into());
        });
    },
};

static PRICES: Check = Check {
    statement: Statement::holds(
        "paper-property-price-range",
        PAPER,
        "a lock costs 0 or 1; if the value is 0 and a lock costs its keeper 1, the suit begins with the other player's card",
        Some("shichinarabe/Value.price_range"),
        STRINGS,
        13,
    ),
    shards: 1,
    check: |size, shard, shards, findings| {
        strings(size, shard, shards, &mut |_, suit| {
            let worth = Row::of(suit).worth();
            let fine = Player::BOTH.into_iter().all(|keeper| match worth.prices[keeper.index()] {
                0 | Worth::FREE => true,
                1 => worth.value != 0 || suit[0] != keeper,
                _ => false,
            });
            record(findings, fine, suit, || format!("{worth:?}"));
        });
    },
};

static DECISION: Check = Check {
    statement: Statement::holds(
        "paper-decision",
        PAPER,
        "the six cases on the classes and the sum S decide the game, with ties read so: case 1 the player to move, cases 4 to 6 the player not to move",
        Some("shichinarabe/Paper.paper_correct"),
        LISTS,
        11,
    ),
    shards: 8,
    check: |size, shard, shards, findings| {
        lists(size, shard, shards, &mut |position| {
            if both_hold(position) {
                let rows: Vec<Row> = position.suits().iter().map(|suit| Row::of(suit)).collect();
                record_winner(findings, position, table::decide(&rows, position.mover()), truth(position));
            }
        });
    },
};

fn misread(position: &Suits, case: u8, wrong: fn(i64, Player) -> Player) -> Option<Player> {
    let rows: Vec<Row> = position.suits().iter().map(|suit| Row::of(suit)).collect();
    let sum = rows.iter().map(Row::value).sum();
    (both_hold(position) && table::case(rows.iter().map(Row::class)) == case)
        .then(|| wrong(sum, position.mover()))
}

static MORE_CARDS: Check = Check {
    statement: refuted(
        "erratum-paper-case-1-sign",
        PAPER,
        "reading of case 1 (all classes 0): S > 0 means that L wins",
        Some("paper-decision"),
        LISTS,
        5,
    ),
    shards: 1,
    check: |size, shard, shards, findings| {
        lists(size, shard, shards, &mut |position| {
            let sign = |sum: i64, mover: Player| match sum.signum() {
                1 => Player::First,
                -1 => Player::Second,
                _ => mover,
            };
            if let Some(said) = misread(position, 1, sign) {
                record_winner(findings, position, said, truth(position));
            }
        });
    },
};

static TIE_MOVER: Check = Check {
    statement: refuted(
        "erratum-paper-case-6-tie",
        PAPER,
        "reading of case 6: with S = 0 the player to move wins",
        Some("paper-decision"),
        LISTS,
        6,
    ),
    shards: 1,
    check: |size, shard, shards, findings| {
        lists(size, shard, shards, &mut |position| {
            let sign = |sum: i64, mover: Player| match sum.signum() {
                1 => Player::First,
                -1 => Player::Second,
                _ => mover,
            };
            if let Some(said) = misread(position, 6, sign) {
                record_winner(findings, position, said, truth(position));
            }
        });
    },
};

static TIE_CASE_1: Check = Check {
    statement: refuted(
        "erratum-paper-case-1-tie",
        PAPER,
        "reading of case 1: with S = 0 the player not to move wins",
        Some("paper-decision"),
        LISTS,
        4,
    ),
    shards: 1,
    check: |size, shard, shards, findings| {
        lists(size, shard, shards, &mut |position| {
            let sign = |sum: i64, mover: Player| match sum.signum() {
                1 => Player::Second,
                -1 => Player::First,
                _ => mover.other(),
            };
            if let Some(said) = misread(position, 1, sign) {
                record_winner(findings, position, said, truth(position));
            }
        });
    },
};

static WINNING_MOVES: Check = Check {
    statement: Statement::holds(
        "suits-winning-moves",
        OURS,
        "the totals updated by one record find exactly the winning moves; packed short suits give the same",
        Some("shichinarabe/Decide.winning_moves_correct"),
        LISTS,
        10,
    ),
    shards: 8,
    check: |size, shard, shards, findings| {
        lists(size, shard, shards, &mut |position| {
            let answer = analyse_suits(position);
            let state = SuitState::from(position);
            let over = SuitRules.ending(&state).is_some();
            let wins = |&i: &usize| slow(&SuitRules.play(&state, &i)) == position.mover();
            let moves: Vec<usize> =
                if over { vec![] } else { SuitRules.moves(&state).into_iter().filter(wins).collect() };
            let mut short = [ShortSuit::from_bits(0, 0); 8];
            let mut fits = position.suits().len() <= short.len();
            for (place, suit) in short.iter_mut().zip(position.suits()) {
                match ShortSuit::new(suit) {
                    Some(packed) => *place = packed,
                    None => fits = false,
                }
            }
            let mask = answer.winning.iter().fold(0, |mask, i| mask | (1u32 << (i % 32)));
            let packed = !fits || analyse_short(&short, position.mover()) == (answer.winner, mask);
            findings.record(packed && answer.winning == moves, || Counterexample {
                position: write_suits(position),
                words: format!("the rule finds {:?}, search {moves:?}", answer.winning),
            });
        });
    },
};

/// Is some card of `player` behind a card of his opponent in its suit?
fn locked(player: Player, position: &Suits) -> bool {
    position.suits().iter().any(|suit| suit.iter().skip_while(|&&c| c == player).any(|&c| c == player))
}

static FREE_RACE: Check = Check {
    statement: Statement::holds(
        "race-free",
        OURS,
        "a race winner none of whose cards lies behind an opponent's card wins",
        Some("shichinarabe/Race.race_free"),
        LISTS,
        10,
    ),
    shards: 8,
    check: |size, shard, shards, findings| {
        lists(size, shard, shards, &mut |position| {
            let race = crate::theory::race::Race::new(position.hands(), position.mover());
            if race.over().is_none() && !locked(race.winner, position) {
                record_winner(findings, position, race.winner, truth(position));
            }
        });
    },
};

static UNBLOCKED: Check = Check {
    statement: Statement::holds(
        "suits-unblocked-player-wins",
        OURS,
        "in the suit game: if no R card lies behind an L card and some L card lies behind an R card, R wins",
        Some("shichinarabe/Paper.paper_correct"),
        LISTS,
        10,
    ),
    shards: 8,
    check: |size, shard, shards, findings| {
        lists(size, shard, shards, &mut |position| {
            if both_hold(position) && !locked(Player::Second, position) && locked(Player::First, position) {
                record_winner(findings, position, Player::Second, truth(position));
            }
        });
    },
};

/// All of them.
pub(super) static CLAIMS: &[&dyn Claim] = &[
    &TABLE,
    &VALUES,
    &MOVES_L,
    &MOVES_R,
    &MOVES_R_PRINTED,
    &PLAY_COSTS,
    &PLAY_EXACT,
    &PRICES,
    &DECISION,
    &MORE_CARDS,
    &TIE_CASE_1,
    &TIE_MOVER,
    &WINNING_MOVES,
    &FREE_RACE,
    &UNBLOCKED,
];

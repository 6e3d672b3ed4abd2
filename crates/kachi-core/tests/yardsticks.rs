//! The slow solvers on games whose answers are known: Nim, tic-tac-toe, and a small graph with cycles.

use kachi_core::solve::{Aim, Outcome, Wins, by_attractor, by_memo};
use kachi_core::{Budget, Game, Limits, Seat};

/// Nim: take any number from one heap; who takes the last counter wins.
struct Nim;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Heaps {
    heaps: Vec<u8>,
    mover: Seat,
}

impl Game for Nim {
    type Position = Heaps;
    type Move = (usize, u8);
    type Ending = Seat;

    fn mover(&self, position: &Heaps) -> Seat {
        position.mover
    }

    fn ending(&self, position: &Heaps) -> Option<Seat> {
        position.heaps.iter().all(|&heap| heap == 0).then(|| position.mover.other())
    }

    fn moves(&self, position: &Heaps) -> Vec<(usize, u8)> {
        let heaps = position.heaps.iter().enumerate();
        heaps.flat_map(|(i, &heap)| (1..=heap).map(move |taken| (i, taken))).collect()
    }

    fn play(&self, position: &Heaps, &(i, taken): &(usize, u8)) -> Heaps {
        let mut heaps = position.heaps.clone();
        heaps[i] -= taken;
        Heaps { heaps, mover: position.mover.other() }
    }
}

#[test]
fn nim_is_won_by_the_mover_unless_the_heaps_xor_to_zero() {
    for a in 0..=5 {
        for b in 0..=5 {
            for c in 0..=5 {
                let root = Heaps { heaps: vec![a, b, c], mover: Seat::FIRST };
                let expected = if a ^ b ^ c == 0 { Outcome::Denied } else { Outcome::Forced };
                let memo = by_memo(&Nim, &Wins(Seat::FIRST), &root, &mut Budget::default()).unwrap();
                assert_eq!(memo, expected, "memo {a} {b} {c}");
                let all = by_attractor(
                    &Nim,
                    &Wins(Seat::FIRST),
                    std::slice::from_ref(&root),
                    &mut Budget::default(),
                )
                .unwrap();
                assert_eq!(all.outcome(&root), Some(expected), "attractor {a} {b} {c}");
                assert!(all.iter().all(|(_, outcome)| outcome != Outcome::Endless));
            }
        }
    }
}

/// Tic-tac-toe; an ending is the winner, or nobody.
struct TicTacToe;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Grid {
    cells: [Option<Seat>; 9],
    mover: Seat,
}

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

impl Game for TicTacToe {
    type Position = Grid;
    type Move = usize;
    type Ending = Option<Seat>;

    fn mover(&self, position: &Grid) -> Seat {
        position.mover
    }

    fn ending(&self, position: &Grid) -> Option<Option<Seat>> {
        let line = |line: &[usize; 3]| {
            let [a, b, c] = line.map(|i| position.cells[i]);
            if a == b && b == c { a } else { None }
        };
        match LINES.iter().find_map(line) {
            Some(winner) => Some(Some(winner)),
            None if position.cells.iter().all(Option::is_some) => Some(None),
            None => None,
        }
    }

    fn moves(&self, position: &Grid) -> Vec<usize> {
        (0..9).filter(|&i| position.cells[i].is_none()).collect()
    }

    fn play(&self, position: &Grid, &i: &usize) -> Grid {
        let mut cells = position.cells;
        cells[i] = Some(position.mover);
        Grid { cells, mover: position.mover.other() }
    }
}

struct AtLeastADraw(Seat);

impl Aim<TicTacToe> for AtLeastADraw {
    fn in_team(&self, seat: Seat) -> bool {
        seat == self.0
    }

    fn fulfilled(&self, ending: &Option<Seat>) -> bool {
        *ending != Some(self.0.other())
    }
}

struct Line(Seat);

impl Aim<TicTacToe> for Line {
    fn in_team(&self, seat: Seat) -> bool {
        seat == self.0
    }

    fn fulfilled(&self, ending: &Option<Seat>) -> bool {
        *ending == Some(self.0)
    }
}

#[test]
fn tic_tac_toe_is_a_draw_and_has_5478_positions() {
    let root = Grid { cells: [None; 9], mover: Seat::FIRST };
    for seat in [Seat::FIRST, Seat::SECOND] {
        let mut budget = Budget::default();
        assert_eq!(by_memo(&TicTacToe, &AtLeastADraw(seat), &root, &mut budget), Ok(Outcome::Forced));
        assert_eq!(by_memo(&TicTacToe, &Line(seat), &root, &mut budget), Ok(Outcome::Denied));
    }
    let all = by_attractor(&TicTacToe, &Line(Seat::FIRST), &[root], &mut Budget::default()).unwrap();
    assert_eq!(all.len(), 5478, "the published number of reachable positions");
    for (position, outcome) in all.iter() {
        let memo = by_memo(&TicTacToe, &Line(Seat::FIRST), position, &mut Budget::default());
        assert_eq!(memo, Ok(outcome), "{position:?}");
    }
}

/// A token walks along arrows; even squares belong to the first seat. Reaching square 0 wins for the
/// first seat, square 1 for the second, and circling is possible.
struct Walk(&'static [&'static [usize]]);

impl Game for Walk {
    type Position = usize;
    type Move = usize;
    type Ending = Seat;

    fn mover(&self, &at: &usize) -> Seat {
        Seat(at % 2)
    }

    fn ending(&self, &at: &usize) -> Option<Seat> {
        (at < 2).then_some(Seat(at))
    }

    fn moves(&self, &at: &usize) -> Vec<usize> {
        self.0[at].to_vec()
    }

    fn play(&self, _: &usize, &to: &usize) -> usize {
        to
    }
}

const SQUARES: Walk = Walk(&[
    &[],        // 0: the first seat has won
    &[],        // 1: the second seat has won
    &[3, 0],    // 2: may step home
    &[2, 5],    // 3: the second seat keeps away from 2 by circling with 4 and 5
    &[5],       // 4
    &[4, 2],    // 5
    &[7, 1],    // 6: the first seat flees to 7
    &[6, 2],    // 7: the second seat goes back to 6 for ever
    &[9],       // 8: must go to 9
    &[1, 8],    // 9: the second seat steps home
    &[2, 4, 8], // 10: home by way of 2
]);

#[test]
fn circling_proves_nothing_for_anybody() {
    use Outcome::{Denied, Endless, Forced};
    let expected = [
        (0, Forced),
        (1, Denied),
        (2, Forced),
        (3, Endless),
        (4, Endless),
        (5, Endless),
        (6, Endless),
        (7, Endless),
        (8, Denied),
        (9, Denied),
        (10, Forced),
    ];
    let roots: Vec<usize> = (0..11).collect();
    let first = by_attractor(&SQUARES, &Wins(Seat::FIRST), &roots, &mut Budget::default()).unwrap();
    let second = by_attractor(&SQUARES, &Wins(Seat::SECOND), &roots, &mut Budget::default()).unwrap();
    for (square, outcome) in expected {
        assert_eq!(first.outcome(&square), Some(outcome), "square {square}");
        let mirrored = match outcome {
            Forced => Denied,
            Denied => Forced,
            Endless => Endless,
        };
        assert_eq!(second.outcome(&square), Some(mirrored), "square {square} for the second seat");
    }
}

#[test]
fn memo_search_refuses_a_game_with_cycles_instead_of_running_for_ever() {
    let error = by_memo(&SQUARES, &Wins(Seat::FIRST), &3, &mut Budget::default()).unwrap_err();
    assert_eq!(error.code, "cyclic_game");
}

#[test]
fn both_solvers_stop_at_their_budget() {
    let root = Heaps { heaps: vec![9, 9, 9], mover: Seat::FIRST };
    let small = Limits { nodes: 50, ..Limits::default() };
    let memo = by_memo(&Nim, &Wins(Seat::FIRST), &root, &mut Budget::new(small));
    assert_eq!(memo.unwrap_err().code, "out_of_budget");
    let all = by_attractor(&Nim, &Wins(Seat::FIRST), std::slice::from_ref(&root), &mut Budget::new(small));
    assert_eq!(all.err().map(|error| error.code), Some("out_of_budget"));
}

#[test]
fn a_search_stops_when_its_time_is_over() {
    let root = Heaps { heaps: vec![20, 20, 20], mover: Seat::FIRST };
    let stop = || true;
    let mut budget = Budget::stopping(Limits::default(), &stop);
    let all = by_attractor(&Nim, &Wins(Seat::FIRST), &[root], &mut budget);
    let error = all.err().expect("9261 positions need more than one look at the clock");
    assert_eq!(error.code, "out_of_budget");
    assert!(error.message.contains("time"), "{error}");
}

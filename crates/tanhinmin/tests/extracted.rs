//! The Rust decisions against the program extracted from the Coq proofs, on the same positions.
//!
//! `scripts/proofs` builds that program; `scripts/test` then runs this test with `KACHI_EXTRACTED` naming the folder of the proofs' builds, and a missing
//! program is a failure. Without the variable and without a build, as in a plain `cargo test`, there is nothing to compare with and the test says so.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod positions;

use kachi_core::Budget;
use kachi_core::random::Dealer;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tanhinmin::theory::{Player, decide, winning_moves};
use tanhinmin::{Face, Move, Position, Table};

/// The extracted program, if it is there or has to be there.
fn program() -> Option<PathBuf> {
    let place = "tanhinmin/build/tanhinmin";
    if let Ok(folder) = std::env::var("KACHI_EXTRACTED") {
        let path = PathBuf::from(folder).join(place);
        assert!(path.exists(), "{} is missing: run scripts/proofs tanhinmin", path.display());
        return Some(path);
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/proofs").join(place);
    path.exists().then_some(path)
}

/// A position in the program's words: `c d r;X;Z` without cut cards, `r;X;U;Z;V` with them and goals 0.
fn line(position: &Position) -> Option<String> {
    let level = match position.table() {
        Table::Empty => 0,
        Table::Shows(face) => face.get(),
        Table::Cut => return None,
    };
    let list = |faces: &[Face]| faces.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let (mover, other) = (position.mover(), position.other());
    if !position.has_cuts() {
        let goals = format!("{} {} {level}", mover.goal, other.goal);
        return Some(format!("{goals};{};{}", list(&mover.ordinary), list(&other.ordinary)));
    }
    let cards =
        [&mover.ordinary, &mover.cuts, &other.ordinary, &other.cuts].map(|cards| list(cards)).join(";");
    (!position.has_goals()).then(|| format!("{level};{cards}"))
}

/// What Rust says, in the program's words: winner, winning discards, winning cut cards (if any are in play), pass.
fn expected(position: &Position) -> String {
    let decision = decide(position, &mut Budget::default()).unwrap();
    let moves = winning_moves(position, &mut Budget::default()).unwrap();
    let faces = |pick: fn(&Move) -> Option<Face>| {
        moves.iter().filter_map(pick).map(|face| face.to_string()).collect::<Vec<_>>().join(" ")
    };
    let winner = u8::from(decision.winner == Player::Other);
    let ordinary = faces(|mv| if let Move::Discard(face) = mv { Some(*face) } else { None });
    let cuts = faces(|mv| if let Move::Cut(face) = mv { Some(*face) } else { None });
    let pass = u8::from(moves.contains(&Move::Pass));
    if position.has_cuts() {
        format!("{winner};{ordinary};{cuts};{pass}")
    } else {
        format!("{winner};{ordinary};{pass}")
    }
}

/// The program lists each copy of a winning face and adds its best move; both are beside the point here.
fn distilled(answer: &str, cuts: bool) -> String {
    let mut parts: Vec<String> =
        answer.split(';').take(if cuts { 4 } else { 3 }).map(str::to_owned).collect();
    let last = if cuts { 3 } else { 2 };
    for part in &mut parts[1..last] {
        let mut faces: Vec<&str> = part.split(' ').collect();
        faces.dedup();
        *part = faces.join(" ");
    }
    parts.join(";")
}

/// Larger positions at random: up to 14 cards a side, few or many equal faces.
fn random_positions(count: usize) -> Vec<Position> {
    let mut dealer = Dealer::new(11);
    let mut positions = Vec::new();
    while positions.len() < count {
        let top = dealer.between(3, 30);
        let mut cards = |most: u64, mark: &str| {
            let size = dealer.below(most + 1);
            (0..size).map(|_| format!("{mark}{}", dealer.between(1, top))).collect::<Vec<_>>().join(",")
        };
        let cuts = positions.len() % 2 == 0;
        let mut side = |goal: usize| {
            let cut_cards = if cuts { cards(4, "c") } else { String::new() };
            let goal = if cuts { 0 } else { goal };
            format!("{},{cut_cards}:{goal}", cards(14, ""))
        };
        let (mover, other) = (side(positions.len() % 3), side(positions.len() % 5));
        let text = format!("{mover}/{other}@{}", dealer.below(top + 1));
        positions.extend(text.parse::<Position>());
    }
    positions
}

#[test]
fn the_extracted_program_gives_the_same_winners_and_winning_moves() {
    let Some(program) = program() else {
        eprintln!("not compared: there is no extracted program (scripts/proofs tanhinmin builds it)");
        return;
    };
    let mut all: Vec<Position> = (2..=6).flat_map(|cards| positions::all(cards, 3, false, true)).collect();
    all.extend((2..=4).flat_map(|cards| positions::all(cards, 3, true, false)));
    all.extend(random_positions(4000));
    let asked: Vec<(String, Position)> = all.into_iter().filter_map(|p| Some((line(&p)?, p))).collect();
    assert!(asked.len() > 20_000, "{}", asked.len());

    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let lines: String = asked.iter().map(|(line, _)| format!("{line}\n")).collect();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let answers = String::from_utf8(output.stdout).unwrap();
    assert_eq!(answers.lines().count(), asked.len());
    for (answer, (line, position)) in answers.lines().zip(&asked) {
        assert_eq!(distilled(answer, position.has_cuts()), expected(position), "{line} ({position})");
    }
}

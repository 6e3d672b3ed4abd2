//! Boards of the game: reading, playing, chance, reports, reasons.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

use calculation::ENTRY;
use calculation::deal::Deck;
use calculation::rules::Rules;
use kachi_core::surface::{Board, Entry, Status, Tone};
use kachi_core::{Budget, Limits};
use std::collections::HashMap;

fn quick() -> Limits {
    Limits { nodes: 900_000, ..Limits::default() }
}

fn board(text: &str) -> Box<dyn Board> {
    ENTRY.board(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn what_is_written_is_read_again() {
    for text in ["A234/-/-/-", "A234/58Q/-/J@7", "A234/58Q/-/2", "A234/58Q/-/2@-", "5:1,2:A2/-/3@4"] {
        assert_eq!(board(text).notation(), text);
    }
    for example in ENTRY.about().examples {
        let printed = board(example.position).notation();
        assert_eq!(board(&printed).notation(), printed);
    }
    // Free moves that do not exist are done anyway.
    assert_eq!(board("A234/58Q/-/J@-").notation(), "A234/58Q/-/J");
    assert_eq!(board(" deal : 4 @ 12 ").notation(), board("deal:4@12").notation());
}

#[test]
fn wrong_texts_are_refused_at_their_place() {
    for (text, code, place) in [
        ("A234/5X", "bad_rank", "position[6..7]"),
        ("A234/-/-/-.deal", "bad_number", "position[11..15]"),
        ("A234/-/-/-.seed3", "bad_notation", "position[11..16]"),
        ("A234/58Q/-/J@7.deal12", "other_deal", "position[14..21]"),
        ("deal@x", "bad_number", "position[5..6]"),
        ("deal:9@1", "bad_stacks", "position[4..6]"),
        ("deal", "bad_notation", "position[4..4]"),
    ] {
        let error = ENTRY.board(text).map(|board| board.notation()).unwrap_err();
        assert_eq!(
            (error.code, error.at.map(|at| at.to_string()).unwrap_or_default().as_str()),
            (code, place),
            "{text}"
        );
        assert!(error.hint.is_some(), "{text}");
    }
}

#[test]
fn a_deal_brings_its_own_cards_in_order_whatever_is_done_with_them() {
    let rules = Rules::calculation(3).unwrap();
    let deck = Deck::seeded(&rules, 12);
    let mut board = ENTRY.deal(12);
    let mut seen = Vec::new();
    for turn in 0..52 {
        let drawn = board.notation().split_once('@').and_then(|(_, rest)| rest.chars().next());
        seen.push(drawn.unwrap());
        assert!(board.mover().is_some() && board.chances().is_empty());
        // A link to the board in the middle of the deal goes on with the same deal.
        board = ENTRY.board(&board.notation()).unwrap();
        board = board.play(["s0", "s1", "s2"][turn % 3]).unwrap();
        if board.mover().is_some() && !board.notation().contains('@') && turn < 51 {
            // A top could be played; the player draws instead.
            board = board.play("draw").unwrap();
        }
    }
    assert!(board.play("draw").is_err(), "the deck is empty");
    let cards: Vec<char> = deck.cards().iter().map(|rank| rank.to_char()).collect();
    assert_eq!(seen, cards);
}

#[test]
fn without_a_deal_chance_comes_next_and_is_told() {
    let start = ENTRY.undealt().unwrap();
    assert_eq!((start.mover(), start.chances().len()), (None, 13));
    assert_eq!(start.chances().iter().map(|chance| chance.weight).sum::<u64>(), 52);
    for (typed, shown) in [("k", "K"), ("10", "T"), ("T", "T"), ("draw 7", "7")] {
        let drawn = start.play(typed).unwrap();
        assert_eq!(drawn.notation(), format!("A234/-/-/-@{shown}"));
        assert!(drawn.mover().is_some());
    }
    assert_eq!(start.play("draw").map(|_| ()).unwrap_err().code, "illegal_move");
    assert_eq!(start.play("s0").map(|_| ()).unwrap_err().code, "illegal_move");
    let error = start.play("x").map(|_| ()).unwrap_err();
    assert!(error.code == "bad_move" && error.hint.unwrap().contains("name the card"));
    // With a free move the player decides; a rank that is typed means that he draws.
    let free = board("A234/58Q/-/2");
    assert!(free.mover().is_some());
    assert_eq!(free.play("draw").unwrap().notation(), "A234/58Q/-/2@-");
    assert_eq!(free.play("K").unwrap().notation(), "A234/58Q/-/2@K");
    assert_eq!(free.play("s2f1").unwrap().notation(), "A434/58Q/-/-");
    // All four twos lie on the table.
    let twos = board("3434/22/-/-");
    assert_eq!(twos.play("2").map(|_| ()).unwrap_err().code, "illegal_move");
    assert!(twos.chances().iter().all(|chance| chance.mv != "2"));
}

#[test]
fn every_listed_move_is_accepted_and_others_are_refused_with_what_is_legal() {
    for text in ["A234/58Q/-/J@A", "A234/58Q/-/2", "666Q/58Q/TK9J29AQ37/J@6"] {
        let board = board(text);
        let report = board.report(&mut Budget::new(quick())).unwrap();
        for line in &report.moves {
            board.play(&line.mv).unwrap();
        }
        let refused = board.play("s3").map(|_| ()).unwrap_err();
        let hint = refused.hint.unwrap();
        assert!(report.moves.iter().all(|line| hint.contains(&line.mv)), "{hint}");
    }
}

#[test]
fn reports_rank_every_move_by_its_chance() {
    let report = board("666Q/58Q/TK9J29AQ37/J@6").report(&mut Budget::new(quick())).unwrap();
    let moves: Vec<&str> = report.moves.iter().map(|line| line.mv.as_str()).collect();
    assert_eq!(moves, ["f0", "f1", "f2", "s0", "s1", "s2"]);
    assert_eq!(report.by.status, Status::Estimated);
    let best = report.best.unwrap();
    assert_eq!(report.moves[best].tone, Tone::Winning);
    assert!(report.standing.len() == 1 && (0.0..1.0).contains(&report.standing[0]));
    assert!(report.reason.iter().any(|thought| thought.contains("In pairs")), "{:?}", report.reason);
}

#[test]
fn empty_stacks_are_alike() {
    let report = board("A234/-/-/-@K").report(&mut Budget::new(quick())).unwrap();
    let notes: Vec<&str> = report.moves.iter().map(|line| line.note.split(':').next().unwrap()).collect();
    assert_eq!(notes.len(), 3);
    assert!(notes.windows(2).all(|pair| pair[0] == pair[1]), "{notes:?}");
}

#[test]
fn a_dead_table_is_called_lost_and_a_finished_one_is_over() {
    // With one stack: every card that must be played first lies below a king.
    let report = board("A234/AAAAKKKK@2").report(&mut Budget::new(quick())).unwrap();
    assert!(report.standing[0] <= 0.0 && report.verdict.contains("cannot be won"), "{}", report.verdict);
    assert!(report.moves.iter().all(|line| line.tone == Tone::Losing));
    let won = board("K---/-/K/-").play("s1f0").unwrap();
    let ended = won.ended().unwrap();
    assert!(ended.words.contains("complete") && ended.winners.len() == 1);
    assert!(won.mover().is_none() && won.chances().is_empty());
    assert_eq!(won.play("s0").map(|_| ()).unwrap_err().code, "illegal_move");
    let report = won.report(&mut Budget::default()).unwrap();
    assert_eq!(report.standing, [1.0]);
}

/// The chance by trying every order of the unseen cards and every answer, straight from the board.
fn by_brute_force(board: &dyn Board, known: &mut HashMap<String, f64>) -> f64 {
    if let Some(ended) = board.ended() {
        return f64::from(!ended.winners.is_empty());
    }
    let name = board.notation();
    if let Some(&chance) = known.get(&name) {
        return chance;
    }
    let chances = board.chances();
    let all: u64 = chances.iter().map(|chance| chance.weight).sum();
    let mut sum = 0.0;
    for chance in &chances {
        let after = board.play(&chance.mv).unwrap();
        sum += chance.weight as f64 * by_brute_force(after.as_ref(), known) / all as f64;
    }
    if chances.is_empty() {
        let tries = ["f0", "f1", "f2", "f3", "s0", "s1", "s2", "draw"].map(str::to_owned).into_iter();
        let unloads = (0..3).flat_map(|s| (0..4).map(move |f| format!("s{s}f{f}")));
        for after in tries.chain(unloads).filter_map(|mv| board.play(&mv).ok()) {
            sum = sum.max(by_brute_force(after.as_ref(), known));
        }
    }
    known.insert(name, sum);
    sum
}

#[test]
fn the_last_cards_are_judged_exactly() {
    let mut open = 0;
    for text in
        ["QKT9/K9/KT/-@K", "JJ--/K", "JJ--/K/-", "TJ-9/JK9/K", "QK4-/K/4T/-@7", "QK4-/KQ@7", "-J4-/K7@J"]
    {
        let board = board(text);
        let report = board.report(&mut Budget::default()).unwrap();
        assert_eq!(report.by.status, Status::Searched, "{text}");
        let truth = by_brute_force(board.as_ref(), &mut HashMap::new());
        assert!((report.standing[0] - truth).abs() < 1e-9, "{text}: {} {truth}", report.standing[0]);
        open += usize::from(0.0 < truth && truth < 1.0);
    }
    assert!(open >= 2, "some of them are undecided");
}

#[test]
fn the_same_table_has_the_same_report_whatever_was_asked_before() {
    let ask = |text: &str| {
        let report = board(text).report(&mut Budget::new(quick())).unwrap();
        (report.verdict, report.reason, report.moves.into_iter().map(|line| line.note).collect::<Vec<_>>())
    };
    let first = ask("666Q/58Q/TK9J29AQ37/J@6");
    ask("A234/58Q/-/J@7");
    ask("A234/58Q/-/J");
    assert_eq!(ask("666Q/58Q/TK9J29AQ37/J@6"), first);
}

#[test]
fn pictures_show_every_card_of_the_table() {
    let svg = board("666Q/58Q/TK9J29AQ37/J@6").svg(&mut Budget::new(quick())).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains(">next Q<") && svg.contains(">27 unseen<"));
    // Five foundation or stack cards and the drawn one lie open, ten below others.
    assert_eq!(svg.matches("class=\"card plain\"").count(), 4 + 3 + 10 + 1);
    for text in ["A234/-/-/-", "deal:4@12", "5:1,2:A2/-/3@4", "----/-/-/-"] {
        let svg = board(text).svg(&mut Budget::new(quick())).unwrap();
        assert!(!svg.contains("NaN"), "{text}");
    }
}

#[test]
fn a_small_budget_is_respected() {
    let none = Limits { nodes: 10, ..Limits::default() };
    let error = board("666Q/58Q/TK9J29AQ37/J@6").report(&mut Budget::new(none)).map(|_| ()).unwrap_err();
    assert_eq!(error.code, "out_of_budget");
}

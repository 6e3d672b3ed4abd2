//! Boards as the surfaces use them: notation, plays to the end, closed hands, reports, pictures.

use babanuki::line::{End, main_line};
use babanuki::notation::{deal, read, read_board, write};
use babanuki::strategy::judge;
use babanuki::{ENTRY, Mode, View};
use kachi_core::surface::{Board, Entry, Tone};
use kachi_core::{Budget, Seat};

fn board(text: &str) -> Box<dyn Board> {
    ENTRY.board(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

#[test]
fn notation_is_safe_in_a_url_and_reads_back() {
    for text in ["1,2/1/2,J@0", "1,2/-/1,2,J@2", "1,2/-1/1,2,J@0:ranks", "a/a,J@1:closed", "-2/J/-1@1"] {
        assert_eq!(board(text).notation(), text);
    }
    for seed in 0..50 {
        let (mode, view) =
            if seed % 2 == 0 { (Mode::Pairs, View::Open) } else { (Mode::Ranks, View::Closed) };
        let position = deal(2 + seed as usize % 5, 9, mode, view, seed);
        let text = write(&position);
        assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b",/@:-.".contains(&byte)), "{text}");
        assert_eq!(write(&read_board(&text).unwrap()), text);
    }
    assert_eq!(board(" 2 , 1 / 1 / 2 , J ").notation(), "1,2/1/2,J@0");
}

#[test]
fn mistakes_in_a_line_are_pointed_at() {
    let cases = [
        ("1,2/1/2,J@7", "bad_mover", 10..11),
        ("1,2/1/2,J@", "bad_number", 10..10),
        ("1,,2/1/2,J@0", "bad_notation", 2..3),
        ("1,2/1/2,J@0:shut", "bad_notation", 12..16),
        ("1,2/1/2,J@0;", "bad_notation", 11..12),
        ("1,2/1/2,3,J@0", "unmatched_card", 8..9),
        ("1,1/J@0", "pair_in_hand", 2..3),
        ("deal:4x@7", "bad_notation", 5..7),
        ("deal:1x9@7", "bad_notation", 5..8),
        ("", "too_few_players", 0..0),
    ];
    for (text, code, range) in cases {
        let error = ENTRY.board(text).err().unwrap_or_else(|| panic!("{text} was accepted"));
        assert_eq!(error.code, code, "{text}");
        assert_eq!(error.at, Some(kachi_core::Place::Text(range)), "{text}");
    }
    assert_eq!(read("J/-@0").unwrap_err().code, "game_over");
}

#[test]
fn the_same_seed_deals_the_same_cards() {
    assert_eq!(ENTRY.deal(7).notation(), ENTRY.deal(7).notation());
    assert_ne!(ENTRY.deal(7).notation(), ENTRY.deal(8).notation());
    assert_eq!(board("deal:4x13@7").notation(), ENTRY.deal(7).notation());
    assert!(board("deal:3x9:ranks:closed@5").notation().ends_with(":ranks:closed"));
}

#[test]
fn perfect_players_play_to_the_end_and_the_first_guarantee_is_kept() {
    for seed in 0..12 {
        let mut play = ENTRY.board(&format!("deal:{}x6@{seed}", 2 + seed % 4)).unwrap();
        if play.mover().is_none() {
            continue;
        }
        let start = read(&play.notation()).unwrap();
        let judged = judge(&start, &mut Budget::default()).unwrap();
        let mut draws = 0;
        while play.mover().is_some() && draws < 400 {
            let report = play.report(&mut Budget::default()).unwrap();
            let best = report.best.expect("there is a draw");
            play = play.play(&report.moves[best].mv).unwrap();
            draws += 1;
        }
        // The engine minds only guarantees, so a game without any may go round for ever; one with may not be lost.
        if let Some(ended) = play.ended() {
            for seat in judged.seats(|sure| sure.strict < judged.last) {
                assert!(ended.winners.contains(&Seat(seat)), "seat {seat} lost its guarantee, seed {seed}");
            }
            assert!(ended.words.contains("last"));
        }
    }
}

#[test]
fn closed_hands_show_only_the_own_cards() {
    let play = board("1,2,3,4/1,5,6/2,5,7,J/3,4,6,7@0:closed");
    let seen = play.drawing(Seat(1));
    assert!(seen.contains("1 5 6") && seen.contains("4 face down"), "{seen}");
    assert!(!seen.contains('J') && !seen.contains("3 4 6 7") && !seen.contains("1 2 3 4"), "{seen}");
    let report = play.report(&mut Budget::default()).unwrap();
    assert!(report.moves.iter().all(|line| line.tone == Tone::Middling && line.mv.starts_with('c')));
    let told = format!("{} {} {:?}", report.verdict, report.advice, report.reason);
    assert!(!told.contains('J') && !report.drawing.contains("1 2 3 4"), "{told}");
    let chances: f64 = report.standing.iter().map(|standing| 1.0 - standing).sum();
    assert!((chances - 1.0).abs() < 1e-12, "somebody is last");
    assert_eq!(play.play("3").err().map(|error| error.code), Some("bad_move"));
    assert_eq!(play.play("c9").err().map(|error| error.code), Some("illegal_move"));
    // All four backs are different cards, and the same back is always the same card.
    let after = |back: &str| play.play(back).unwrap().notation();
    let mut all: Vec<String> = ["c1", "c2", "c3", "c4"].map(after).to_vec();
    assert_eq!(after("c1"), all[0]);
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 4);
    let svg = play.svg(&mut Budget::default()).unwrap();
    assert!(!svg.contains(">J<"), "the picture shows the joker");
}

#[test]
fn moves_are_checked() {
    let play = board("1,2/1/2,J@0");
    assert_eq!(play.play("9").err().map(|error| error.code), Some("bad_move"));
    assert_eq!(play.play("1").err().map(|error| error.code), Some("illegal_move"));
    assert_eq!(play.play("2").unwrap().notation(), "1/1/J@1");
    assert_eq!(play.play(" j ").unwrap().notation(), "1,2,J/1/2@1");
    let over = play.play("2").unwrap().play("1").unwrap();
    assert_eq!(over.notation(), "-1/-2/J@2");
    assert_eq!(over.mover(), None);
    assert_eq!(over.ended().unwrap().words, "C is left with the joker and is last; 1st A, 2nd B.");
    assert_eq!(over.play("J").err().map(|error| error.code), Some("illegal_move"));
    assert!(over.report(&mut Budget::default()).unwrap().moves.is_empty());
    assert_eq!(over.answer(&mut Budget::default()).err().map(|error| error.code), Some("game_over"));
    assert_eq!(board(&over.notation()).ended(), over.ended());
}

#[test]
fn a_report_says_what_a_draw_gives_away_and_to_whom() {
    let report = board("1,2/1/2,J@0").report(&mut Budget::default()).unwrap();
    assert_eq!(report.verdict, "A can force leaving first; B can force not being last; C can be made last.");
    assert_eq!(report.best.map(|best| report.moves[best].mv.as_str()), Some("2"));
    let joker = &report.moves[1];
    assert_eq!((joker.mv.as_str(), joker.tone), ("J", Tone::Losing));
    assert!(
        joker.note.contains("gives away first place") && joker.note.contains("B profits"),
        "{}",
        joker.note
    );
    assert!(report.reason[0].contains("only once"), "{}", report.reason[0]);
    assert!(report.reason.iter().any(|line| line.contains("A leaves 1st")), "{:?}", report.reason);
    let two = board("1,2/1,2,J@0").report(&mut Budget::default()).unwrap();
    assert!(two.verdict.ends_with("B will be last."), "{}", two.verdict);
}

#[test]
fn main_lines_end_with_the_guaranteed_rank() {
    let mut endless = 0;
    for seed in 0..60 {
        let position = deal(2 + seed as usize % 4, 6, Mode::Pairs, View::Open, seed);
        if position.table().is_over() {
            continue;
        }
        let judged = judge(&position, &mut Budget::default()).unwrap();
        let Some(line) = main_line(&position, &mut Budget::default()).unwrap() else {
            assert!(judged.seats(|sure| sure.lenient < judged.last).is_empty());
            continue;
        };
        let sure = judged.sure[line.hero].unwrap();
        match line.end {
            End::Out(rank) => assert!(rank <= sure.strict, "{rank} against {sure:?}"),
            End::Endless(_) => {
                endless += 1;
                assert!(sure.strict == judged.last && sure.lenient < judged.last);
            }
            End::Cut => panic!("a small line was cut: {line:?}"),
        }
    }
    assert!(endless > 0, "some of these deals have a seat that only endless play saves");
}

#[test]
fn the_answer_of_a_board_carries_the_reason_of_every_draw() {
    let answer = board("1,2/1/2,J@0").answer(&mut Budget::default()).unwrap();
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["recommended"], serde_json::json!(["2"]));
    assert_eq!(answer["draw_reasons"]["2"], "keeps first place");
    assert!(answer["draw_reasons"]["J"].as_str().unwrap().starts_with("gives away first place"));
    assert_eq!(answer["why"][0]["clause"], "A:before-one");
}

#[test]
fn hands_of_a_hundred_thousand_cards_are_answered() {
    let labels: Vec<String> = (1..=100_000).map(|label| label.to_string()).collect();
    let (left, right) = labels.split_at(40_001);
    let text = format!("{}/{}/{},J@1", labels.join(","), left.join(","), right.join(","));
    let board = board(&text);
    let report = board.report(&mut Budget::default()).unwrap();
    assert_eq!(report.moves.len(), 100_000);
    assert!(board.svg(&mut Budget::default()).unwrap().len() < 100_000);
}

#[test]
fn pictures_carry_a_title_and_colour_the_draws() {
    let svg = board("1,2/1/2,J@0").svg(&mut Budget::default()).unwrap();
    assert!(svg.contains("<title") && svg.contains("A can force leaving first"));
    assert!(svg.contains("card win") && svg.contains("card lose"), "{svg}");
}

#[test]
fn every_example_and_typical_request_is_answered() {
    for example in ENTRY.about().examples {
        let report = board(example.position).report(&mut Budget::default()).unwrap();
        assert!(!report.verdict.is_empty() && !report.reason.is_empty() && report.best.is_some());
    }
    for i in 0..40 {
        let request = ENTRY.typical_request(i);
        let mut out = Vec::new();
        ENTRY.answer("analyze", &request, &mut Budget::default(), &mut out).unwrap();
        assert_eq!(request, ENTRY.typical_request(i));
    }
    for query in ENTRY.queries() {
        assert!(serde_json::to_string(&query).unwrap().contains("properties"), "{}", query.name);
    }
}

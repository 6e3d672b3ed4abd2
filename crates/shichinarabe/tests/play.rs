//! Boards in play: notation, moves, endings; the engine keeps every win; a golden transcript of a small game.
#![allow(clippy::unwrap_used)] // Helpers of tests, too, fail by panicking.

use kachi_core::surface::{Board, Entry, Tone};
use kachi_core::{Budget, Seat};
use shichinarabe::{ENTRY, GRAPH_ENTRY};

/// Plays the advised moves to the end; the verdict must never change.
fn play_out(entry: &dyn Entry, mut board: Box<dyn Board>) -> (Seat, usize) {
    let mut winner = None;
    for turn in 0..200 {
        let reread = entry.board(&board.notation()).unwrap();
        assert_eq!(reread.notation(), board.notation());
        if let Some(ended) = board.ended() {
            assert!(winner.is_none_or(|winner| winner == ended.winners[0]), "{}", board.notation());
            assert!(board.mover().is_none());
            return (ended.winners[0], turn);
        }
        let report = board.report(&mut Budget::default()).unwrap();
        let said = Seat(usize::from(report.standing[0] < 0.5));
        assert!(winner.is_none_or(|winner| winner == said), "{}", board.notation());
        winner = Some(said);
        let best = &report.moves[report.best.unwrap()];
        assert_eq!(best.tone == Tone::Winning, board.mover() == Some(said), "{}", board.notation());
        for line in &report.moves {
            assert!(board.play(&line.mv).is_ok(), "{} in {}", line.mv, board.notation());
        }
        assert!(!report.advice.is_empty() && !report.reason.is_empty() && !board.drawing(Seat(0)).is_empty());
        board = board.play(&best.mv).unwrap();
    }
    panic!("the play does not end");
}

#[test]
fn the_engine_keeps_its_wins_with_the_real_deck() {
    for seed in 0..6 {
        play_out(&ENTRY, ENTRY.deal(seed));
    }
}

#[test]
fn the_engine_keeps_its_wins_with_jokers_passes_and_tunnel() {
    let deal = "deck@RLLRRL7LRLRRL/LLRLRR7RRLLRL/RRLLLR7LLRRRL/LRRLRL7RLLRLR";
    for options in [":L:t", ":R:t"] {
        play_out(&ENTRY, ENTRY.board(&format!("{deal}{options}")).unwrap());
    }
    let small = "deck@RL....7LR..../LL....7...RRL/.....R7L...../......7R.....";
    for options in [":L:j1-1", ":R:j1-0", ":R:p1-0", ":L:j1-1:p1-1:t"] {
        play_out(&ENTRY, ENTRY.board(&format!("{small}{options}")).unwrap());
    }
}

#[test]
fn the_engine_keeps_its_wins_on_suits_and_graphs() {
    for position in ["LRLR,LRLR:L", "LR,RLRL,L,LRR,R,RL:L", "RRL,LLR:R"] {
        play_out(&ENTRY, ENTRY.board(position).unwrap());
    }
    for position in ["R,BR.BBBR:R:j1-0", "@WRB,RBR,BRB:R", "WRBRW/0-1,1-2,2-3,3-4:B", "BRB:R:p1-0"] {
        play_out(&GRAPH_ENTRY, GRAPH_ENTRY.board(position).unwrap());
    }
    for seed in 0..10 {
        play_out(&GRAPH_ENTRY, GRAPH_ENTRY.deal(seed));
    }
}

#[test]
fn moves_are_read_as_people_write_them() {
    let board =
        ENTRY.board("deck@RL....7LR..../LL....7...RRL/.....R7L...../......7R.....:L:j2-1:p1-1").unwrap();
    for text in [
        "S8",
        "s8",
        "pass",
        "joker S9 then S8",
        "j S9 D6 / s2",
        "Joker on S9 and HJ then play S8",
        "* s9 pass",
    ] {
        assert!(board.play(text).is_ok() || text.contains("s2"), "{text}: {:?}", board.play(text).err());
    }
    let code = |text: &str| board.play(text).err().map(|error| error.code);
    assert_eq!(code("X8"), Some("bad_move"));
    assert_eq!(code(""), Some("bad_move"));
    assert_eq!(code("S8 S9"), Some("bad_move"));
    assert_eq!(code("SA"), Some("illegal_move"), "a card of the opponent");
    assert_eq!(code("HA"), Some("illegal_move"), "not next to the table");
    assert_eq!(code("joker S8 then S8"), Some("illegal_move"), "an own card");
    assert_eq!(code("joker S9 D6 C8 then S8"), Some("illegal_move"), "three jokers");
    let graph = GRAPH_ENTRY.board("RB:R:j1-0").unwrap();
    assert_eq!(graph.play("joker 2 then 1").err().unwrap().code, "illegal_move", "the last card");
    assert_eq!(graph.play("9").err().unwrap().code, "bad_move");
    let suits = ENTRY.board("LR,RL:L").unwrap();
    assert_eq!(suits.play("1").err().unwrap().code, "illegal_move");
    assert_eq!(suits.play("x").err().unwrap().code, "bad_move");
}

#[test]
fn pictures_are_complete_documents() {
    let entries: [&dyn Entry; 2] = [&ENTRY, &GRAPH_ENTRY];
    for entry in entries {
        for example in entry.about().examples {
            let svg = entry.board(example.position).unwrap().svg(&mut Budget::default()).unwrap();
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("<desc"));
        }
    }
    let graph = shichinarabe::notation::read_graph("WRB/0-1,1-2:R:d:a1-0-2").unwrap();
    let dot = shichinarabe::picture::graph_dot(&graph, &[1]);
    assert!(dot.starts_with("digraph") && dot.contains("penwidth=4") && dot.contains("+1"));
}

/// A whole small game as text; any change of words or behaviour shows up here.
#[test]
fn golden_transcript() {
    let mut board = ENTRY.board("LRL,RRL,LR:R").unwrap();
    let mut transcript = String::new();
    while board.ended().is_none() {
        let report = board.report(&mut Budget::default()).unwrap();
        transcript += &format!("{}\n{}\n{}\n", board.notation(), report.verdict, report.advice);
        transcript += &format!("{}\n\n", report.reason.join("\n"));
        board = board.play(&report.moves[report.best.unwrap()].mv).unwrap();
    }
    transcript += &format!("{}\n{}\n", board.notation(), board.ended().unwrap().words);
    assert_eq!(transcript, include_str!("golden/suits.txt"), "\n{transcript}");
}

#[test]
fn every_losing_turn_is_refuted_by_name_with_jokers_and_with_the_tunnel() {
    for position in ["deal@7:j1-1", "deal@2:t", "deal@3"] {
        let board = shichinarabe::ENTRY.board(position).unwrap();
        let report = board.report(&mut Budget::default()).unwrap();
        for line in report.moves.iter().filter(|line| line.tone == Tone::Losing) {
            assert!(
                line.note.contains("answers") || line.note.contains("has won"),
                "{position}: {}",
                line.mv
            );
        }
    }
}

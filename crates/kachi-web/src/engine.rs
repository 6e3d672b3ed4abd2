//! The engine's seat: the best move, or at a lower level now and then any legal one; and the line of best play.

use crate::address::Level;
use kachi::core::random::Dealer;
use kachi::core::surface::{Board, Report, fold};
use kachi::core::{Budget, Error, Seat};

/// The move of a player of this level. Slips depend on the position and `salt` alone, so a reloaded page sees the same game.
pub(crate) fn choose(report: &Report, level: Level, salt: u64) -> Option<&str> {
    let mut dealer = Dealer::new(fold(salt, u64::from(level.number())));
    let slips = dealer.below(100) < level.slips();
    let index = if slips || report.best.is_none() {
        let count = report.moves.len() as u64;
        if count == 0 { None } else { Some(dealer.below(count) as usize) }
    } else {
        report.best
    };
    index.and_then(|index| report.moves.get(index)).map(|line| line.mv.as_str())
}

/// One of the moves that look the same as this one: backs of cards. Always the first of them could let a joker go round for ever.
fn alike<'r>(report: &'r Report, mv: &'r str, salt: u64) -> &'r str {
    let Some(chosen) = report.moves.iter().find(|line| line.mv == mv) else { return mv };
    let same = |line: &&kachi::core::surface::MoveLine| line.tone == chosen.tone && line.note == chosen.note;
    let all: Vec<&str> = report.moves.iter().filter(same).map(|line| line.mv.as_str()).collect();
    let index = Dealer::new(salt).below(all.len().max(1) as u64) as usize;
    all.get(index).copied().unwrap_or(mv)
}

/// A number that stands for a text.
pub(crate) fn salt(text: &str) -> u64 {
    text.bytes().fold(0, |hash, byte| fold(hash, u64::from(byte)))
}

/// Moves the engine makes in a row at most; several seats may be its own, and a person may be out of the game.
const MOST_IN_A_ROW: usize = 400;

/// Lets the engine move until it is `you`rs to move or the play is over; returns its moves.
pub(crate) fn advance(
    mut board: Box<dyn Board>,
    you: Seat,
    level: Level,
    salt: u64,
    budget: &mut Budget<'_>,
) -> Result<(Box<dyn Board>, Vec<String>), Error> {
    let mut moves = Vec::new();
    while board.mover().is_some_and(|mover| mover != you) && moves.len() < MOST_IN_A_ROW {
        let report = board.report(budget)?;
        let salt = fold(salt, moves.len() as u64);
        let chosen =
            choose(&report, level, salt).map(|mv| if board.hidden() { alike(&report, mv, salt) } else { mv });
        let Some(mv) = chosen.map(str::to_owned) else {
            return Err(Error::new("no_move", "the engine finds no move"));
        };
        board = board.play(&mv)?;
        moves.push(mv);
    }
    Ok((board, moves))
}

/// A move of a line.
#[derive(Debug, Clone)]
pub(crate) struct Best {
    pub(crate) seat: Option<Seat>,
    pub(crate) mv: String,
    pub(crate) words: String,
}

/// Moves of a line that are shown.
const LINE: usize = 40;

/// Best play from here on, and how it ends if it ends within the line.
pub(crate) fn line(start: &dyn Board, budget: &mut Budget<'_>) -> Result<(Vec<Best>, Option<String>), Error> {
    let mut best = Vec::new();
    let mut board: Option<Box<dyn Board>> = None;
    while best.len() < LINE {
        let now = board.as_deref().unwrap_or(start);
        if now.mover().is_none() {
            break;
        }
        let report = match now.report(budget) {
            Ok(report) => report,
            // What is known so far is better than nothing.
            Err(error) if error.code == "out_of_budget" && !best.is_empty() => return Ok((best, None)),
            Err(error) => return Err(error),
        };
        let Some(line) = report.best.and_then(|index| report.moves.get(index)) else { break };
        let next = now.play(&line.mv)?;
        best.push(Best { seat: now.mover(), mv: line.mv.clone(), words: line.words.clone() });
        board = Some(next);
    }
    let now = board.as_deref().unwrap_or(start);
    Ok((best, now.ended().map(|ended| ended.words)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fresh(seed: u64) -> Box<dyn Board> {
        kachi::registry::find("tanhinmin").unwrap().deal(seed)
    }

    #[test]
    fn the_perfect_level_never_slips_and_the_lowest_often_does() {
        let (mut perfect, mut weak) = (0, 0);
        for seed in 0..60 {
            let report = fresh(seed).report(&mut Budget::default()).unwrap();
            let best = report.best.map(|best| report.moves[best].mv.as_str());
            perfect += u32::from(choose(&report, Level::PERFECT, seed) != best);
            weak += u32::from(choose(&report, Level::new(1).unwrap(), seed) != best);
        }
        assert_eq!(perfect, 0);
        assert!(weak > 20, "{weak}");
    }

    #[test]
    fn the_line_of_best_play_keeps_the_verdict() {
        for seed in 0..20 {
            let board = fresh(seed);
            let winner = board.report(&mut Budget::default()).unwrap().standing[0] == 1.0;
            let (moves, ended) = line(&*board, &mut Budget::default()).unwrap();
            let mut now = fresh(seed);
            for best in &moves {
                now = now.play(&best.mv).unwrap();
            }
            if let Some(end) = now.ended() {
                assert_eq!(end.winners, [Seat(usize::from(!winner))]);
                assert_eq!(Some(end.words), ended);
            }
        }
    }

    #[test]
    fn the_engine_stops_where_the_person_is_asked() {
        let you = Seat(1);
        let (board, moves) = advance(fresh(3), you, Level::PERFECT, 1, &mut Budget::default()).unwrap();
        assert!(!moves.is_empty());
        assert!(board.mover().is_none_or(|mover| mover == you));
    }
}

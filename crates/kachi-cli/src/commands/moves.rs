//! `kachi moves`: the legal moves, one a line, for people in a hurry and for scripts.

use crate::failure::{Exit, Failure};
use crate::paint::symbol;
use crate::positions::{Asked, PositionArgs};
use crate::scene::Scene;
use clap::Args;
use kachi::core::surface::{MoveLine, Report, Tone};
use serde::Serialize;

const EXAMPLES: &str = "\
Examples:
  kachi moves tanhinmin 2,6,7/3,4,5,8@1
  kachi moves tanhinmin 3,4,c1,c6/2,5 --winning
  kachi moves tanhinmin 2,3/1,2,5 --json";

/// Just the moves, one a line: a sign (✓ wins, ✗ loses, ~ between), a blank, the move
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct MovesArgs {
    #[command(flatten)]
    positions: PositionArgs,

    /// Only the winning ones, without a sign
    #[arg(long)]
    winning: bool,
}

#[derive(Serialize)]
struct Listed<'r> {
    game: &'static str,
    position: String,
    best: Option<&'r str>,
    moves: Vec<Line<'r>>,
}

/// A move as JSON.
#[derive(Serialize)]
pub(crate) struct Line<'r> {
    r#move: &'r str,
    tone: Tone,
    words: &'r str,
    note: &'r str,
}

/// The moves of a report as JSON.
pub(crate) fn lines(report: &Report) -> Vec<Line<'_>> {
    fn line(line: &MoveLine) -> Line<'_> {
        Line { r#move: &line.mv, tone: line.tone, words: &line.words, note: &line.note }
    }
    report.moves.iter().map(line).collect()
}

/// The engine's move.
pub(crate) fn best(report: &Report) -> Option<&str> {
    report.best.and_then(|best| report.moves.get(best)).map(|line| line.mv.as_str())
}

pub(crate) fn run(args: &MovesArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    args.positions.each(scene, |scene, asked| show(asked, args.winning, scene))
}

fn show(asked: &Asked<'_>, winning: bool, scene: &mut Scene<'_>) -> Result<(), Failure> {
    let mut report = asked.cost.within(|budget| asked.board.report(budget))?;
    if winning {
        // The best move of a lost position is not a winning one.
        report.best = report.best.filter(|&best| report.moves[best].tone == Tone::Winning);
        let best = best(&report).map(ToOwned::to_owned);
        report.moves.retain(|line| line.tone == Tone::Winning);
        report.best = report.moves.iter().position(|line| Some(&line.mv) == best.as_ref());
    }
    if scene.json {
        let (game, position) = (asked.game.about().name, asked.board.notation());
        return scene.json_line(&Listed { game, position, best: best(&report), moves: lines(&report) });
    }
    if asked.number > 0 {
        writeln!(scene.stage.output)?;
    }
    for line in &report.moves {
        let style = scene.paint.tone(line.tone);
        let sign = if winning { String::new() } else { format!("{} ", symbol(line.tone)) };
        writeln!(scene.stage.output, "{style}{sign}{}{style:#}", line.mv)?;
    }
    Ok(())
}

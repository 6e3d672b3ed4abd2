//! A play told to a person.

use super::{Course, Engine, Event, Gift, Role, Setting};
use crate::commands::solve::{remark, thoughts};
use crate::failure::Failure;
use crate::paint::symbol;
use crate::scene::Scene;
use crate::text::{Cell, Table, block, count, paragraph};
use kachi::core::Error;
use kachi::core::surface::{Board, Ended, Report};

const HELP: &[(&str, &str)] = &[
    ("a move", "plays it, written as in the list that `moves` prints"),
    ("hint", "what the engine would play in your place"),
    ("why", "the reason for who is winning"),
    ("moves", "every legal move, marked ✓ winning or ✗ losing"),
    ("undo", "takes back your last move"),
    ("restart", "begins again from the start"),
    ("save", "prints the position, to go on later"),
    ("record", "prints the moves so far"),
    ("quit", "ends the play"),
];

/// Writes what happened.
pub(super) fn tell(scene: &mut Scene<'_>, setting: &Setting<'_>, event: &Event<'_>) -> Result<(), Failure> {
    let width = scene.width;
    match event {
        Event::Begin { position } => begin(scene, setting, position),
        Event::Turn { board, report } => turn(scene, setting, *board, report),
        Event::Chance { board } => chance(scene, setting, *board),
        Event::Played { played, by_engine, gift } => {
            if *by_engine {
                let strong = scene.paint.strong;
                let player =
                    played.seat.map_or("Chance".to_owned(), |seat| capitalised(&setting.player(seat)));
                writeln!(scene.stage.output, "{player}: {strong}{}{strong:#}.", played.words)?;
            }
            tell_gift(scene, setting, gift, *by_engine)
        }
        Event::Hint(report) => Ok(paragraph(scene.stage.output, "", &report.advice, width)?),
        Event::Why(report) => {
            paragraph(scene.stage.output, "", &report.verdict, width)?;
            thoughts(&report.reason, scene)
        }
        Event::Moves(report) => moves(scene, report),
        Event::Undone(0) => Ok(writeln!(scene.stage.output, "There is nothing to take back.")?),
        Event::Undone(moves) => {
            Ok(writeln!(scene.stage.output, "Took back {}.", count(*moves as u64, "move"))?)
        }
        Event::Restarted => Ok(writeln!(scene.stage.output, "From the start.")?),
        Event::Saved { position } => saved(scene, setting, position),
        Event::Record(course) => record(scene, setting, course),
        Event::Help => {
            let mut table = Table::new(2, width);
            for (word, words) in HELP {
                table.row(vec![Cell::styled(*word, scene.paint.strong), Cell::new(*words)]);
            }
            Ok(table.write(scene.stage.output)?)
        }
        Event::Refused(error) => refused(scene, error),
        Event::End { ended, course } => end(scene, setting, ended, course),
        Event::Bye { course } => bye(scene, setting, course),
    }
}

fn begin(scene: &mut Scene<'_>, setting: &Setting<'_>, position: &str) -> Result<(), Failure> {
    let (strong, faint) = (scene.paint.strong, scene.paint.faint);
    let about = setting.game.about();
    let (out, width) = (&mut *scene.stage.output, scene.width);
    writeln!(out, "{strong}{}{strong:#} {}", about.name, about.japanese)?;
    paragraph(out, "", about.summary, width)?;
    let engine = match setting.engine {
        Engine::Perfect => about.engine,
        Engine::Random => "random moves",
    };
    let player = setting.player(setting.you);
    match (setting.role, setting.seats.len()) {
        (Role::Watcher, 1) => writeln!(out, "You watch: {engine}.")?,
        (Role::Watcher, _) => writeln!(out, "You watch: {engine} on every seat.")?,
        (Role::Dealer, _) => {
            let more = "Deal at your own table and type what turns up; type undo after a slip, help for the commands.";
            paragraph(out, "", &format!("Your coach: {engine}. {more}"), width)?;
        }
        (Role::Player, 1) => writeln!(out, "You play alone; hints by {engine}. Type help for the commands.")?,
        (Role::Player, _) => {
            writeln!(out, "You are {player}, against {engine}. Type help for the commands.")?;
        }
    }
    if setting.dealt {
        writeln!(out, "{faint}Deal {}: {position}{faint:#}", setting.seed)?;
    }
    Ok(())
}

fn turn(
    scene: &mut Scene<'_>,
    setting: &Setting<'_>,
    board: &dyn Board,
    report: &Report,
) -> Result<(), Failure> {
    writeln!(scene.stage.output)?;
    block(scene.stage.output, 2, board.drawing(setting.you).trim_end())?;
    writeln!(scene.stage.output)?;
    if let [chance] = report.standing[..] {
        let (good, bad) = (scene.paint.good, scene.paint.bad);
        let (full, empty) = bar(chance);
        writeln!(scene.stage.output, "  {good}{full}{good:#}{bad}{empty}{bad:#}  {}", report.verdict)?;
        if setting.role == Role::Dealer && !report.moves.is_empty() {
            moves(scene, report)?;
            paragraph(scene.stage.output, "  ", &report.advice, scene.width)?;
        }
    } else if report.standing.len() == 2 {
        let yours = report.standing.get(setting.you.0).copied().unwrap_or(0.0);
        let other = setting.seats.iter().enumerate().find(|(seat, _)| *seat != setting.you.0);
        let other = other.map_or("", |(_, name)| name.as_str());
        let (good, bad) = (scene.paint.good, scene.paint.bad);
        let (full, empty) = bar(yours);
        let words = outlook(yours);
        writeln!(scene.stage.output, "  you {good}{full}{good:#}{bad}{empty}{bad:#} {other}   {words}")?;
    } else {
        let mut table = Table::new(2, scene.width);
        for (seat, &standing) in report.standing.iter().enumerate() {
            let name = if seat == setting.you.0 { "you" } else { setting.seats[seat].as_str() };
            let (full, empty) = bar(standing);
            table.row(vec![Cell::new(name), Cell::new(full + &empty), Cell::new(percent(standing))]);
        }
        table.write(scene.stage.output)?;
    }
    Ok(())
}

/// The table while chance is awaited from the person.
fn chance(scene: &mut Scene<'_>, setting: &Setting<'_>, board: &dyn Board) -> Result<(), Failure> {
    writeln!(scene.stage.output)?;
    Ok(block(scene.stage.output, 2, board.drawing(setting.you).trim_end())?)
}

fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Twenty cells, full and empty.
fn bar(standing: f64) -> (String, String) {
    const CELLS: usize = 20;
    let full = (standing.clamp(0.0, 1.0) * CELLS as f64).round() as usize;
    ("█".repeat(full), "░".repeat(CELLS - full))
}

fn percent(standing: f64) -> String {
    format!("{:.0} %", standing * 100.0)
}

fn outlook(yours: f64) -> String {
    if yours >= 1.0 {
        "you win with best play".to_owned()
    } else if yours <= 0.0 {
        "you lose against best play".to_owned()
    } else {
        format!("{} for you", percent(yours))
    }
}

fn tell_gift(
    scene: &mut Scene<'_>,
    setting: &Setting<'_>,
    gift: &Gift,
    by_engine: bool,
) -> Result<(), Failure> {
    let (what, note) = match gift {
        Gift::Nothing => return Ok(()),
        Gift::Part(note) => ("That gives something away", note),
        Gift::Win(note) => ("That gives the win away", note),
    };
    let style = if by_engine { scene.paint.good } else { scene.paint.bad };
    if by_engine {
        let more =
            if setting.seats.len() == 2 && matches!(gift, Gift::Win(_)) { ": now you can win" } else { "" };
        writeln!(scene.stage.output, "{style}{what}{more}.{style:#}")?;
        return Ok(());
    }
    let stop = if note.is_empty() { "." } else { ":" };
    writeln!(scene.stage.output, "{style}{what}{stop}{style:#} {note}")?;
    Ok(())
}

fn moves(scene: &mut Scene<'_>, report: &Report) -> Result<(), Failure> {
    let mut table = Table::new(2, scene.width);
    for line in &report.moves {
        let style = scene.paint.tone(line.tone);
        table.row(vec![
            Cell::styled(symbol(line.tone), style),
            Cell::styled(&line.mv, style),
            Cell::new(remark(line)),
        ]);
    }
    Ok(table.write(scene.stage.output)?)
}

fn saved(scene: &mut Scene<'_>, setting: &Setting<'_>, position: &str) -> Result<(), Failure> {
    if position.is_empty() {
        writeln!(scene.stage.output, "The play is over; there is no position to save.")?;
        return Ok(());
    }
    writeln!(scene.stage.output, "{position}")?;
    writeln!(scene.stage.output, "To go on from here: {}", setting.resume(position))?;
    Ok(())
}

fn record(scene: &mut Scene<'_>, setting: &Setting<'_>, course: &Course) -> Result<(), Failure> {
    let moves: Vec<String> =
        course.moves().map(|played| format!("{} {}", setting.name_of(played), played.mv)).collect();
    let moves = if moves.is_empty() { "no moves yet".to_owned() } else { moves.join(", ") };
    paragraph(
        scene.stage.output,
        "",
        &format!("Record from {}: {moves}", course.start().notation()),
        scene.width,
    )?;
    Ok(())
}

fn refused(scene: &mut Scene<'_>, error: &Error) -> Result<(), Failure> {
    let bad = scene.paint.bad;
    writeln!(scene.stage.output, "{bad}No:{bad:#} {}", error.message)?;
    match &error.hint {
        Some(hint) => paragraph(scene.stage.output, "    ", hint, scene.width)?,
        None => writeln!(scene.stage.output, "    Type moves for what is legal, help for the commands.")?,
    }
    Ok(())
}

fn end(scene: &mut Scene<'_>, setting: &Setting<'_>, ended: &Ended, course: &Course) -> Result<(), Failure> {
    let (good, bad, strong) = (scene.paint.good, scene.paint.bad, scene.paint.strong);
    let (style, words) = if ended.winners.is_empty() {
        if setting.seats.len() == 1 { (bad, "The game is lost.") } else { (strong, "Nobody has won.") }
    } else if setting.role == Role::Watcher {
        (good, if setting.seats.len() == 1 { "The game is won." } else { "" })
    } else if ended.winners.contains(&setting.you) {
        (good, "You have won!")
    } else {
        (bad, "You have lost.")
    };
    let gap = if words.is_empty() { "" } else { " " };
    writeln!(scene.stage.output, "\n{}{gap}{style}{words}{style:#}", ended.words)?;
    record(scene, setting, course)
}

fn bye(scene: &mut Scene<'_>, setting: &Setting<'_>, course: &Course) -> Result<(), Failure> {
    let now = course.now();
    if now.mover().is_some() && course.moves().next().is_some() {
        record(scene, setting, course)?;
        writeln!(scene.stage.output, "To go on later: {}", setting.resume(&now.notation()))?;
    }
    writeln!(scene.stage.output, "Thank you for the game.")?;
    Ok(())
}

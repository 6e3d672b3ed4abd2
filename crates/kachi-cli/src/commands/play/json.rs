//! A play told to a program: every event is one JSON object a line, with its kind in `event`.

use super::course::Recorded;
use super::{Course, Engine, Event, Gift, Setting};
use crate::commands::moves::{best, lines};
use crate::failure::Failure;
use crate::scene::Scene;
use serde_json::{Value, json};

/// Writes what happened.
pub(super) fn tell(scene: &mut Scene<'_>, setting: &Setting<'_>, event: &Event<'_>) -> Result<(), Failure> {
    scene.json_line(&object(setting, event))?;
    // The program at the other end answers what it reads.
    scene.stage.output.flush()?;
    Ok(())
}

fn object(setting: &Setting<'_>, event: &Event<'_>) -> Value {
    match event {
        Event::Begin { position } => json!({
            "event": "begin",
            "game": setting.game.about().name,
            "position": position,
            "seats": setting.seats,
            "you": setting.name(setting.you),
            "role": setting.role.name(),
            "engine": match setting.engine { Engine::Perfect => "perfect", Engine::Random => "random" },
            "seed": setting.seed,
        }),
        Event::Turn { board, report } => json!({
            "event": "turn",
            "position": board.notation(),
            "mover": setting.name(setting.you),
            "verdict": report.verdict,
            "standing": report.standing,
            "moves": lines(report),
        }),
        Event::Chance { board } => json!({
            "event": "chance",
            "position": board.notation(),
            "chances": board.chances().iter().map(|chance| json!({"move": chance.mv, "weight": chance.weight})).collect::<Vec<_>>(),
        }),
        Event::Played { played, by_engine, gift } => json!({
            "event": "move",
            "seat": setting.name_of(played),
            "by": match (played.seat, by_engine) {
                (None, _) => "chance",
                (_, true) => "engine",
                (_, false) => "you",
            },
            "move": played.mv,
            "words": played.words,
            "gives_away": match gift {
                Gift::Nothing => "nothing",
                Gift::Part(_) => "part",
                Gift::Win(_) => "win",
            },
        }),
        Event::Hint(report) => json!({"event": "hint", "move": best(report), "words": report.advice}),
        Event::Why(report) => {
            json!({"event": "why", "verdict": report.verdict, "reason": report.reason, "by": report.by})
        }
        Event::Moves(report) => json!({"event": "moves", "moves": lines(report)}),
        Event::Undone(moves) => json!({"event": "undone", "moves": moves}),
        Event::Restarted => json!({"event": "restarted"}),
        Event::Saved { position } => {
            json!({"event": "saved", "position": position, "resume": setting.resume(position)})
        }
        Event::Record(course) => json!({
            "event": "record",
            "start": course.start().notation(),
            "moves": record(setting, course),
        }),
        Event::Help => json!({
            "event": "help",
            "commands": ["hint", "why", "moves", "undo", "restart", "save", "record", "quit"],
        }),
        Event::Refused(error) => json!({"event": "refused", "error": error}),
        Event::End { ended, course } => json!({
            "event": "end",
            "words": ended.words,
            "winners": ended.winners.iter().map(|&seat| setting.name(seat)).collect::<Vec<_>>(),
            "you_won": ended.winners.contains(&setting.you),
            "start": course.start().notation(),
            "record": record(setting, course),
        }),
        Event::Bye { course } => json!({
            "event": "bye",
            "position": course.now().mover().map(|_| course.now().notation()),
        }),
    }
}

fn record<'r>(setting: &'r Setting<'_>, course: &'r Course) -> Vec<Recorded<'r>> {
    course.moves().map(|played| Recorded { seat: setting.name_of(played), r#move: &played.mv }).collect()
}

//! `kachi solve`: who wins, every move, and why.

use crate::failure::{Exit, Failure};
use crate::paint::symbol;
use crate::positions::{Asked, PositionArgs};
use crate::scene::Scene;
use crate::text::{Cell, Table, paragraph, thousands, wrap};
use clap::Args;
use kachi::core::surface::{By, MoveLine, Report, Status};
use serde::Deserialize;
use serde::de::IgnoredAny;

const EXAMPLES: &str = "\
Examples:
  kachi solve tanhinmin \"1 3 4 5 8 / 2 6 7\"
  kachi solve tanhinmin 2,6,7/3,4,5,8@1 --json
  kachi solve tanhinmin --deal 7
  printf '1,3/2\\n1,4,6,7/2,3,5,8\\n' | kachi solve tanhinmin -";

/// Who wins a position, every legal move marked winning or losing, and why
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    positions: PositionArgs,
}

pub(crate) fn run(args: &SolveArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    args.positions.each(scene, |scene, asked| {
        if scene.json {
            return json(asked, scene);
        }
        let report = asked.cost.within(|budget| asked.board.report(budget))?;
        heading(asked, scene)?;
        verdict(&report, scene)?;
        moves(&report, scene)?;
        reason(&report, scene)
    })
}

/// The name of the game and the position as kachi writes it.
pub(crate) fn heading(asked: &Asked<'_>, scene: &mut Scene<'_>) -> Result<(), Failure> {
    if asked.number > 0 {
        writeln!(scene.stage.output)?;
    }
    let (faint, name, position) = (scene.paint.faint, asked.game.about().name, asked.board.notation());
    write!(scene.stage.output, "{faint}{name}{faint:#}  {position}")?;
    if asked.example {
        write!(scene.stage.output, "{faint}  (an example; kachi games {name} has more){faint:#}")?;
    }
    writeln!(scene.stage.output, "\n")?;
    Ok(())
}

pub(crate) fn verdict(report: &Report, scene: &mut Scene<'_>) -> Result<(), Failure> {
    let strong = scene.paint.strong;
    for line in wrap(&report.verdict, scene.width) {
        writeln!(scene.stage.output, "{strong}{line}{strong:#}")?;
    }
    Ok(())
}

fn moves(report: &Report, scene: &mut Scene<'_>) -> Result<(), Failure> {
    let mut table = Table::new(2, scene.width);
    for (i, line) in report.moves.iter().enumerate() {
        let style = scene.paint.tone(line.tone);
        let best = if report.best == Some(i) { "←" } else { "" };
        table.row(vec![
            Cell::styled(symbol(line.tone), style),
            Cell::styled(&line.mv, style),
            Cell::new(best),
            Cell::new(remark(line)),
        ]);
    }
    if !table.is_empty() {
        writeln!(scene.stage.output)?;
        table.write(scene.stage.output)?;
        writeln!(scene.stage.output)?;
        paragraph(scene.stage.output, "", &report.advice, scene.width)?;
    }
    Ok(())
}

/// What there is to say about a move: why it wins or what refutes it, or at least what it is.
pub(crate) fn remark(line: &MoveLine) -> &str {
    if line.note.is_empty() { &line.words } else { &line.note }
}

pub(crate) fn reason(report: &Report, scene: &mut Scene<'_>) -> Result<(), Failure> {
    let strong = scene.paint.strong;
    writeln!(scene.stage.output, "\n{strong}Why{strong:#}")?;
    thoughts(&report.reason, scene)?;
    rests_on(&report.by, scene)
}

/// One thought a line; one that begins with blanks belongs to the thought before it.
pub(crate) fn thoughts(reason: &[String], scene: &mut Scene<'_>) -> Result<(), Failure> {
    for thought in reason {
        let first = if thought.starts_with(' ') { "      " } else { "  · " };
        paragraph(scene.stage.output, first, thought, scene.width)?;
    }
    Ok(())
}

/// The ground of the answer, and how sure it is.
pub(crate) fn rests_on(by: &By, scene: &mut Scene<'_>) -> Result<(), Failure> {
    let faint = scene.paint.faint;
    writeln!(scene.stage.output)?;
    for line in wrap(&format!("Rests on {}.", ground(by)), scene.width) {
        writeln!(scene.stage.output, "{faint}{line}{faint:#}")?;
    }
    Ok(())
}

fn ground(by: &By) -> String {
    let reference = by.reference.as_deref();
    let sure = match (by.status, reference) {
        (Status::Proved, Some(theorem)) => format!("machine-checked proof {theorem}"),
        (Status::Proved, None) => "proved".to_owned(),
        (Status::Checked, Some(claim)) => {
            format!("no exception in exhaustive checks, claim {claim}; not proved")
        }
        (Status::Checked, None) => "no exception in exhaustive checks; not proved".to_owned(),
        (Status::Searched, _) => "every continuation was searched".to_owned(),
        (Status::Estimated, _) => "a judgement, not a proof".to_owned(),
    };
    let nodes = by.nodes.map(|nodes| format!(", {} positions", thousands(nodes))).unwrap_or_default();
    format!("{} ({sure}{nodes})", by.rule)
}

/// The contract's answer with the game and the position in front.
fn json(asked: &Asked<'_>, scene: &mut Scene<'_>) -> Result<(), Failure> {
    let answer = asked.cost.within(|budget| asked.board.answer(budget))?;
    let line = introduced(asked, &answer);
    writeln!(scene.stage.output, "{line}")?;
    Ok(())
}

/// `{"game":...,"position":...,` and the fields of `answer`; fields that it has already are left to it.
pub(crate) fn introduced(asked: &Asked<'_>, answer: &str) -> String {
    #[derive(Deserialize)]
    struct Has {
        game: Option<IgnoredAny>,
        position: Option<IgnoredAny>,
    }
    let has: Has = serde_json::from_str(answer).unwrap_or(Has { game: None, position: None });
    let mut fields = Vec::new();
    let field = |name: &str, value: &str| format!("\"{name}\":{}", serde_json::Value::from(value));
    if has.game.is_none() {
        fields.push(field("game", asked.game.about().name));
    }
    if has.position.is_none() {
        fields.push(field("position", &asked.board.notation()));
    }
    let rest = answer.trim().strip_prefix('{').unwrap_or(answer).trim_start();
    let comma = if fields.is_empty() || rest.starts_with('}') { "" } else { "," };
    format!("{{{}{comma}{rest}", fields.join(","))
}

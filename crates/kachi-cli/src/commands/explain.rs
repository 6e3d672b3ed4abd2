//! `kachi explain`: the reason in words, as a drawing, or as an SVG picture.

use crate::commands::solve::{heading, reason, verdict};
use crate::draft::Draft;
use crate::failure::{Exit, Failure};
use crate::positions::{Asked, PositionArgs};
use crate::scene::Scene;
use crate::text::block;
use clap::Args;
use kachi::core::Error;
use kachi::core::surface::{By, Report};
use serde::Serialize;
use serde_json::value::RawValue;
use std::io::Write;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  kachi explain tanhinmin \"1 3 4 5 8 / 2 6 7\"
  kachi explain tanhinmin 2,6,7/3,4,5,8@1 --svg why.svg
  kachi explain graph-shichinarabe @WRB,RBR,BRB:R --dot grid.dot
  kachi explain tanhinmin 1,3/2 --json";

/// The reason in words and as a drawing, or as an SVG picture
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    positions: PositionArgs,

    /// Write the picture to this file; `-` is standard output, and then nothing else is printed
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Write the graph in Graphviz's language to this file (`-` likewise), for games that are played on a graph
    #[arg(long, value_name = "FILE", conflicts_with = "svg")]
    dot: Option<PathBuf>,
}

/// A file made from a position.
#[derive(Clone, Copy)]
enum Picture {
    Svg,
    Dot,
}

impl Picture {
    fn of(self, asked: &Asked<'_>) -> Result<String, Failure> {
        Ok(asked.cost.within(|budget| match self {
            Picture::Svg => asked.board.svg(budget),
            Picture::Dot => asked.board.dot(budget),
        })?)
    }
}

#[derive(Serialize)]
struct Explained<'r> {
    game: &'static str,
    position: String,
    verdict: &'r str,
    standing: &'r [f64],
    by: &'r By,
    reason: &'r [String],
    drawing: &'r str,
    /// The contract's answer, with the reason as data.
    answer: Box<RawValue>,
}

pub(crate) fn run(args: &ExplainArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let wanted = match (&args.svg, &args.dot) {
        (Some(path), _) => Some((Picture::Svg, path)),
        (None, Some(path)) => Some((Picture::Dot, path)),
        (None, None) => None,
    };
    args.positions.each(scene, |scene, asked| match wanted {
        Some((picture, path)) if path == Path::new("-") => {
            scene.stage.output.write_all(picture.of(asked)?.as_bytes())?;
            Ok(())
        }
        Some((picture, path)) => {
            if asked.number > 0 {
                let message = "one picture holds one position";
                return Err(Error::new("one_picture", message)
                    .hint("write to - or to one file for each")
                    .into());
            }
            show(asked, scene)?;
            write_picture(&picture.of(asked)?, path, scene)
        }
        None => show(asked, scene),
    })
}

fn show(asked: &Asked<'_>, scene: &mut Scene<'_>) -> Result<(), Failure> {
    let report = asked.cost.within(|budget| asked.board.report(budget))?;
    if scene.json {
        return json(asked, &report, scene);
    }
    heading(asked, scene)?;
    verdict(&report, scene)?;
    if !report.drawing.trim().is_empty() {
        writeln!(scene.stage.output)?;
        block(scene.stage.output, 2, report.drawing.trim_end())?;
    }
    reason(&report, scene)
}

fn json(asked: &Asked<'_>, report: &Report, scene: &mut Scene<'_>) -> Result<(), Failure> {
    let answer = asked.cost.within(|budget| asked.board.answer(budget))?;
    let answer = RawValue::from_string(answer)
        .map_err(|error| Error::new("internal_error", format!("the answer is not JSON: {error}")))?;
    let Report { verdict, standing, by, reason, drawing, .. } = report;
    let (game, position) = (asked.game.about().name, asked.board.notation());
    scene.json_line(&Explained { game, position, verdict, standing, by, reason, drawing, answer })
}

fn write_picture(picture: &str, path: &Path, scene: &mut Scene<'_>) -> Result<(), Failure> {
    let mut draft = Draft::create(path)?;
    draft
        .file()
        .write_all(picture.as_bytes())
        .map_err(|error| Failure::file("cannot_write", path, &error))?;
    draft.finish()?;
    if !scene.json {
        writeln!(scene.stage.errors, "wrote {}", path.display())?;
    }
    Ok(())
}

//! `kachi games`: what can be asked about.

use crate::failure::{Exit, Failure};
use crate::positions::{find_game, quoted};
use crate::scene::Scene;
use crate::text::{Cell, Table, count, paragraph};
use clap::Args;
use kachi::core::surface::{About, Entry};
use serde::Serialize;
use std::io;

const EXAMPLES: &str = "\
Examples:
  kachi games                  the list
  kachi games tanhinmin        rules, notation, examples and queries of one game
  kachi games --json           the same for programs";

/// List the games, or explain one
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct GamesArgs {
    /// Explain this game
    game: Option<String>,
}

/// A game as JSON.
#[derive(Serialize)]
struct Described {
    #[serde(flatten)]
    about: &'static About,
    queries: Vec<Asked>,
    claims: usize,
}

#[derive(Serialize)]
struct Asked {
    name: &'static str,
    words: &'static str,
}

impl Described {
    fn of(game: &dyn Entry) -> Self {
        let queries =
            game.queries().iter().map(|query| Asked { name: query.name, words: query.words }).collect();
        Described { about: game.about(), queries, claims: kachi::registry::claims(game).len() }
    }
}

pub(crate) fn run(args: &GamesArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    match &args.game {
        Some(name) => {
            let game = Described::of(find_game(scene, name)?);
            if scene.json { scene.json_line(&game)? } else { explain(&game, scene)? }
        }
        None => {
            let games: Vec<Described> =
                scene.registry.games().iter().map(|&game| Described::of(game)).collect();
            if scene.json { scene.json_line(&games)? } else { list(&games, scene)? }
        }
    }
    Ok(Exit::Answered)
}

fn list(games: &[Described], scene: &mut Scene<'_>) -> Result<(), Failure> {
    let mut table = Table::new(0, scene.width);
    for Described { about, .. } in games {
        table.row(vec![
            Cell::styled(about.name, scene.paint.strong),
            Cell::new(about.japanese),
            Cell::new(about.summary),
        ]);
    }
    table.write(scene.stage.output)?;
    let faint = scene.paint.faint;
    if let Some(game) = games.first() {
        writeln!(
            scene.stage.output,
            "\n{faint}kachi games {} explains one of them.{faint:#}",
            game.about.name
        )?;
    }
    Ok(())
}

fn explain(Described { about, queries, claims }: &Described, scene: &mut Scene<'_>) -> Result<(), Failure> {
    let (strong, width) = (scene.paint.strong, scene.width);
    let out = &mut *scene.stage.output;
    writeln!(out, "{strong}{}{strong:#} {}", about.name, about.japanese)?;
    paragraph(out, "  ", about.summary, width)?;
    writeln!(out, "\n{strong}Rules{strong:#}")?;
    paragraph(out, "  ", about.rules, width)?;
    writeln!(out, "\n{strong}Notation{strong:#}")?;
    notation(out, about.notation, width)?;
    writeln!(out, "\n{strong}Examples{strong:#}")?;
    let mut table = Table::new(2, width);
    for example in about.examples {
        let command = format!("kachi solve {} {}", about.name, quoted(example.position));
        table.row(vec![Cell::new(command), Cell::new(example.words)]);
    }
    table.write(out)?;
    writeln!(
        out,
        "\n{strong}Queries{strong:#} (kachi query, kachi batch; kachi schema {} has the types)",
        about.name
    )?;
    let mut table = Table::new(2, width);
    for query in queries {
        table.row(vec![Cell::new(query.name), Cell::new(query.words)]);
    }
    table.write(out)?;
    writeln!(
        out,
        "\n{} to check: kachi verify {}",
        count(*claims as u64, "published statement"),
        about.name
    )?;
    Ok(())
}

/// Lines as the game wrote them; one that is too long goes on below its last column.
fn notation(out: &mut (impl io::Write + ?Sized), text: &str, width: usize) -> io::Result<()> {
    const INDENT: usize = 2;
    for line in text.lines() {
        let column = line.rfind("   ").map(|gap| gap + 3).filter(|&column| column <= width / 2).unwrap_or(0);
        let (left, words) = line.split_at(column);
        if left.trim().is_empty() || line.chars().count() + INDENT > width {
            paragraph(out, &format!("{:INDENT$}{left}", ""), words, width)?;
        } else {
            writeln!(out, "{:INDENT$}{line}", "")?;
        }
    }
    Ok(())
}

//! `kachi verify`: the published statements, checked over all small positions.

mod ledger;

use crate::commands::lab::{Bar, recorded_verdicts, start};
use crate::commands::threads;
use crate::failure::{Exit, Failure};
use crate::interrupt;
use crate::positions::quoted;
use crate::scene::Scene;
use crate::text::{Cell, Table, count, thousands};
use clap::Args;
use kachi::core::{Error, Expected, Question, Statement};
use kachi::verify::{Asked, Stated, Status, Verdict, questions_of, select};
use kachi_lab::campaign::{Campaign, Outcome, What, file};
use kachi_lab::claims::Claims;
use kachi_lab::work::{Progress, Threads, Watch};
use serde::Serialize;
use std::num::NonZeroUsize;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  kachi verify                                     every claim of every game, at its own size
  kachi verify tanhinmin --list                    what is claimed and what is open, without checking
  kachi verify tanhinmin --claim theorem-1 --size 9 --out tonight
  kachi verify --markdown --results docs/results > docs/ledger.md

With --out the check is kept in a folder: it can be interrupted, resumed (kachi lab resume) and cited.
Exit code 1 when anything is not as expected: a statement that should hold fails, or a known erratum survives. A \
claim without a case up to its size was not checked, and is told as such; when that is all of them, the exit code is 2.";

/// Check the published statements over all small positions
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct VerifyArgs {
    /// Only this game
    game: Option<String>,

    /// Only this claim; may be given more than once
    #[arg(long = "claim", value_name = "ID")]
    claims: Vec<String>,

    /// Check up to this size instead of each claim's own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    size: Option<u32>,

    /// List the claims, and what is open, without checking anything
    #[arg(long, conflicts_with = "markdown")]
    list: bool,

    /// Print the soundness ledger in Markdown
    #[arg(long)]
    markdown: bool,

    /// Keep the check in this folder, so that it can be interrupted, resumed (kachi lab resume) and cited
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// For the ledger: recorded results of campaigns that went further (kachi lab record)
    #[arg(long, value_name = "FOLDER", requires = "markdown")]
    results: Option<PathBuf>,

    /// Threads; the machine's cores by default
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<NonZeroUsize>,
}

#[derive(Serialize)]
struct Checked<'v> {
    surprises: usize,
    unfinished: usize,
    #[serde(skip_serializing_if = "is_none")]
    unchecked: usize,
    claims: &'v [Verdict],
}

fn is_none(number: &usize) -> bool {
    *number == 0
}

/// A claim or an open question of the list. What is expected of a question is that it is open.
#[derive(Serialize)]
#[serde(untagged)]
enum Listed<'s> {
    Claimed {
        game: &'static str,
        #[serde(flatten)]
        statement: &'s Statement,
    },
    Open {
        game: &'static str,
        expected: &'static str,
        #[serde(flatten)]
        question: &'s Question,
    },
}

/// Checks, and says in the exit code what came of it: 1 when a claim was not as expected, 130 when the check was interrupted, 0 when everything was as
/// expected. A claim that had nothing to check is no failure and no success: it changes nothing. When no claim had anything to check, the question was not
/// answered: that is an error, and 2.
pub(crate) fn run(args: &VerifyArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let claims = select(scene.registry, args.game.as_deref(), &args.claims)?;
    if args.list {
        list(&claims, &asked(args, scene), scene)?;
        return Ok(Exit::Answered);
    }
    let verdicts = checked(args, &claims, scene)?;
    let surprises = verdicts.iter().filter(|verdict| verdict.surprise).count();
    let unfinished = verdicts.iter().filter(|verdict| verdict.status == Status::Unfinished).count();
    let unchecked = verdicts.iter().filter(|verdict| verdict.status == Status::Unchecked).count();
    if unchecked > 0 && unchecked == verdicts.len() && surprises == 0 && !args.markdown {
        return Err(nothing_checked(&verdicts).into());
    }
    if scene.json {
        scene.json_line(&Checked { surprises, unfinished, unchecked, claims: &verdicts })?;
    } else if args.markdown {
        let recorded = args.results.as_deref().map(recorded_verdicts).transpose()?.unwrap_or_default();
        ledger::write(&verdicts, &asked(args, scene), &recorded, scene)?;
    } else {
        table(&verdicts, scene)?;
        summary(&verdicts, scene)?;
    }
    Ok(match (surprises, unfinished) {
        (1.., _) => Exit::Surprised,
        (0, 1..) => Exit::Interrupted,
        (0, 0) => Exit::Answered,
    })
}

fn nothing_checked(verdicts: &[Verdict]) -> Error {
    let size = verdicts.iter().map(|verdict| verdict.size).max().unwrap_or(0);
    let message = match verdicts {
        [one] => format!("nothing was checked: {} has no case up to size {size}", one.claim),
        _ => format!("nothing was checked: none of the claims has a case up to size {size}"),
    };
    Error::new("nothing_checked", message)
        .at_field("size")
        .hint("a larger --size has cases; kachi verify --list shows the size of each claim")
}

/// The open questions of the game asked about, or of all. Who asks for single claims does not ask for them.
fn asked(args: &VerifyArgs, scene: &Scene<'_>) -> Vec<Asked> {
    let games = scene.registry.games().iter().filter(|game| {
        args.claims.is_empty() && args.game.as_deref().is_none_or(|name| name == game.about().name)
    });
    games.flat_map(|&game| questions_of(game)).collect()
}

/// Checks the claims: in memory, or in a folder.
fn checked(args: &VerifyArgs, claims: &[Stated], scene: &mut Scene<'_>) -> Result<Vec<Verdict>, Failure> {
    let work = Claims::new(claims, |_| args.size);
    let engine = Threads::or_all(args.threads);
    if let Some(folder) = &args.out {
        let part = file::Claims {
            game: args.game.clone(),
            claims: args.claims.clone(),
            size: args.size,
            ..file::Claims::default()
        };
        let campaign = Campaign { title: String::new(), what: What::Claims(part) };
        return Ok(match start(&campaign, &work, folder, &engine, scene)? {
            Some((run, Outcome::Complete { .. })) => work.verdicts(&run.store()?),
            // What was interrupted is told by the runner; the verdicts so far follow.
            _ => work.verdicts(&kachi_lab::campaign::Run::at(folder)?.store()?),
        });
    }
    interrupt::stop_gently();
    let bar = Bar::new(&work, "claims", scene.colourful);
    let hear = |progress: &Progress| bar.hear(progress);
    let verdicts = work.check(&engine, Watch { stop: &interrupt::STOP, hear: &hear });
    bar.finish();
    Ok(verdicts?)
}

fn list(claims: &[Stated], questions: &[Asked], scene: &mut Scene<'_>) -> Result<(), Failure> {
    let claimed =
        |stated: &Stated| Listed::Claimed { game: stated.game, statement: stated.claim.statement() };
    let open = |asked: &Asked| Listed::Open { game: asked.game, expected: "open", question: asked.question };
    if scene.json {
        let listed: Vec<_> = claims.iter().map(claimed).chain(questions.iter().map(open)).collect();
        return scene.json_line(&listed);
    }
    for game in scene.registry.names() {
        let mut stated = claims.iter().filter(|stated| stated.game == game).peekable();
        if stated.peek().is_none() {
            continue;
        }
        let strong = scene.paint.strong;
        writeln!(scene.stage.output, "{strong}{game}{strong:#}")?;
        for stated in stated {
            describe(stated.claim.statement(), scene)?;
        }
        for asked in questions.iter().filter(|asked| asked.game == game) {
            ask(asked.question, scene)?;
        }
    }
    Ok(())
}

fn describe(statement: &Statement, scene: &mut Scene<'_>) -> Result<(), Failure> {
    let mark = scene.paint.mark;
    let expected = match (statement.expected, statement.corrected_by) {
        (Expected::Holds, _) => String::new(),
        (Expected::Refuted, Some(by)) => format!("  (an erratum; corrected by {by})"),
        (Expected::Refuted, None) => "  (an erratum)".to_owned(),
    };
    writeln!(scene.stage.output, "\n  {mark}{}{mark:#}{expected}", statement.id)?;
    let mut table = Table::new(4, scene.width);
    table.row(vec![Cell::new("says"), Cell::new(statement.words)]);
    table.row(vec![Cell::new("source"), Cell::new(statement.source)]);
    table.row(vec![Cell::new("domain"), Cell::new(format!("size {}: {}", statement.size, statement.domain))]);
    if let Some(theorem) = statement.proved {
        table.row(vec![Cell::new("proved"), Cell::new(theorem)]);
    }
    table.write(scene.stage.output)?;
    Ok(())
}

fn ask(question: &Question, scene: &mut Scene<'_>) -> Result<(), Failure> {
    let mark = scene.paint.mark;
    writeln!(scene.stage.output, "\n  {mark}{}{mark:#}  (open)", question.id)?;
    let mut table = Table::new(4, scene.width);
    table.row(vec![Cell::new("asks"), Cell::new(question.words)]);
    table.row(vec![Cell::new("source"), Cell::new(question.source)]);
    table.row(vec![Cell::new("known"), Cell::new(plain(question.known))]);
    table.row(vec![Cell::new("settle"), Cell::new(plain(question.settled_by))]);
    table.write(scene.stage.output)?;
    Ok(())
}

/// Without the backquotes, which a terminal does not need.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

fn table(verdicts: &[Verdict], scene: &mut Scene<'_>) -> Result<(), Failure> {
    let mut game = "";
    for (i, verdict) in verdicts.iter().enumerate() {
        if verdict.game == game {
            continue;
        }
        game = verdict.game;
        let strong = scene.paint.strong;
        if i > 0 {
            writeln!(scene.stage.output)?;
        }
        writeln!(scene.stage.output, "{strong}{game}{strong:#}")?;
        let rows: Vec<&Verdict> = verdicts.iter().filter(|verdict| verdict.game == game).collect();
        let widest = rows.iter().map(|verdict| thousands(verdict.checked).len()).max().unwrap_or(0);
        let mut table = Table::new(2, scene.width);
        for verdict in rows {
            table.row(row(verdict, widest, scene));
        }
        table.write(scene.stage.output)?;
    }
    Ok(())
}

fn row(verdict: &Verdict, widest: usize, scene: &Scene<'_>) -> Vec<Cell> {
    let paint = scene.paint;
    let (sign, style) = match (verdict.surprise, verdict.status) {
        (true, _) => ("!", paint.bad),
        (false, Status::Holds) => ("✓", paint.good),
        (false, Status::Refuted) => ("✗", paint.middling),
        (false, Status::Unfinished) => ("…", paint.faint),
        (false, Status::Unchecked) => ("-", paint.faint),
    };
    let noun = if verdict.checked == 1 { "case" } else { "cases" };
    vec![
        Cell::styled(sign, style),
        Cell::new(verdict.claim),
        Cell::new(format!("{:>widest$} {noun}", thousands(verdict.checked))),
        Cell::new(format!("size {}", verdict.size)),
        Cell::new(match finding(verdict) {
            Some(found) => format!("{}\n{found}", verdict.source),
            None => verdict.source.to_owned(),
        }),
    ]
}

/// What was found, where the sign does not say it all.
fn finding(verdict: &Verdict) -> Option<String> {
    let found = match (verdict.status, &verdict.counterexample) {
        (Status::Refuted, Some(case)) => format!("refuted by {}: {}", quoted(&case.position), case.words),
        (Status::Refuted, None) => "refuted".to_owned(),
        (Status::Unfinished, _) => "interrupted".to_owned(),
        (Status::Unchecked, _) => format!("nothing checked: there is no case up to size {}", verdict.size),
        (Status::Holds, _) if verdict.expected == Expected::Refuted => "no counterexample found".to_owned(),
        (Status::Holds, _) => match (verdict.proved, verdict.sampled) {
            (Some(theorem), _) => format!("proved for all sizes: {theorem}"),
            (None, true) => "on random cases, not all of them".to_owned(),
            (None, false) => return None,
        },
    };
    Some(if verdict.surprise { format!("UNEXPECTED: {found}") } else { found })
}

fn summary(verdicts: &[Verdict], scene: &mut Scene<'_>) -> Result<(), Failure> {
    let (good, bad) = (scene.paint.good, scene.paint.bad);
    let tally = |status| verdicts.iter().filter(|verdict| verdict.status == status).count() as u64;
    let surprises = verdicts.iter().filter(|verdict| verdict.surprise).count() as u64;
    let (unfinished, unchecked) = (tally(Status::Unfinished), tally(Status::Unchecked));
    let cases: u64 = verdicts.iter().map(|verdict| verdict.checked).sum();
    let out = &mut *scene.stage.output;
    writeln!(
        out,
        "\n{} checked over {}: ✓ {} {}, ✗ {} refuted.",
        count(verdicts.len() as u64 - unchecked, "claim"),
        count(cases, "case"),
        tally(Status::Holds),
        if tally(Status::Holds) == 1 { "holds" } else { "hold" },
        tally(Status::Refuted)
    )?;
    if unchecked > 0 {
        writeln!(out, "- {} not checked: no case up to the size.", count(unchecked, "claim"))?;
    }
    if surprises > 0 {
        writeln!(out, "{bad}! {} not as expected.{bad:#}", count(surprises, "claim"))?;
    } else if unfinished > 0 {
        writeln!(out, "… {} interrupted.", count(unfinished, "claim"))?;
    } else if unchecked > 0 {
        writeln!(out, "The others are as expected.")?;
    } else {
        writeln!(out, "{good}All as expected.{good:#}")?;
    }
    Ok(())
}

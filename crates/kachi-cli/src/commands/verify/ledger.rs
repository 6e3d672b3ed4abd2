//! The soundness ledger: every statement with what is known about it and how to check it again, in Markdown.

use crate::commands::lab::{Further, Recorded, Sampled};
use crate::failure::Failure;
use crate::positions::quoted;
use crate::scene::Scene;
use crate::text::{count, short, thousands};
use kachi::core::{Expected, Question};
use kachi::verify::{Asked, Status, Verdict};

const OPENING: &str = "\
# The soundness ledger

Every statement that kachi relies on or corrects, and every question that it leaves open: what is known, and the check that could falsify it. Written by
`kachi verify --markdown --results docs/results`.

* **proved**: a machine-checked proof in `proofs/` covers all sizes; the exhaustive check beside it ties the program to the proof.
* **exhaustive**: no exception among all cases up to the size; a check, not a proof. Sizes beyond a claim's own were reached by a campaign whose hash is
  given; its numbers are in [results](results/README.md).
* **sampled**: no exception among random cases, or a number measured on random deals, with its 95 % interval; what was not drawn was not looked at.
* **open**: nobody knows, as far as kachi does: what is known, and what would settle it or come nearest to that.
* **refuted**: wrong as stated; the smallest counterexample is a position that `kachi solve` accepts.
";

/// Writes the ledger.
pub(super) fn write(
    verdicts: &[Verdict],
    questions: &[Asked],
    recorded: &Recorded,
    scene: &mut Scene<'_>,
) -> Result<(), Failure> {
    let registry = scene.registry;
    let out = &mut *scene.stage.output;
    out.write_all(OPENING.as_bytes())?;
    for game in registry.games() {
        let about = game.about();
        let mut rows = verdicts.iter().filter(|verdict| verdict.game == about.name).peekable();
        if rows.peek().is_none() {
            continue;
        }
        writeln!(out, "\n## {} {}\n", about.name, about.japanese)?;
        writeln!(out, "| claim | statement | source | status | domain | falsified by |")?;
        writeln!(out, "|---|---|---|---|---|---|")?;
        for verdict in rows {
            writeln!(out, "{}", row(verdict, recorded))?;
        }
        for asked in questions.iter().filter(|asked| asked.game == about.name) {
            writeln!(out, "{}", open(asked.question))?;
        }
    }
    if !recorded.sampled.is_empty() {
        writeln!(out, "\n## Measured\n")?;
        writeln!(out, "| what | status | falsified by |")?;
        writeln!(out, "|---|---|---|")?;
        for sampled in &recorded.sampled {
            let Sampled { what, found, name, hash, .. } = sampled;
            let run = format!("`kachi lab run campaigns/{name}.toml`, run `{}`", short(hash));
            writeln!(out, "| {} | **sampled**: {} | {run} |", cell(what), cell(found))?;
        }
    }
    Ok(())
}

fn row(verdict: &Verdict, recorded: &Recorded) -> String {
    let Verdict { game, claim, words, source, domain, .. } = verdict;
    // Only a check that went further says more than the one just made, and one counterexample says more than any number of cases without.
    let further: Vec<&Further> = recorded
        .claims
        .iter()
        .filter(|known| known.game == *game && known.claim == *claim)
        .filter(|known| verdict.status == Status::Holds && known.size > verdict.size)
        .collect();
    let refuted = further.iter().filter(|known| known.status == "refuted").min_by_key(|known| known.size);
    let held = further.iter().filter(|known| known.status == "holds").max_by_key(|known| known.size);
    let further = refuted.or(held).copied();
    let size = further.map_or(verdict.size, |known| known.size);
    let command = format!("`kachi verify {game} --claim {claim} --size {size}`");
    let cells =
        [format!("`{claim}`"), cell(words), cell(source), status(verdict, further), cell(domain), command];
    format!("| {} |", cells.join(" | "))
}

fn open(question: &Question) -> String {
    let Question { id, source, words, known, domain, settled_by } = question;
    let status = format!("**open**: {}", cell(known));
    let cells = [format!("`{id}`"), cell(words), cell(source), status, cell(domain), cell(settled_by)];
    format!("| {} |", cells.join(" | "))
}

fn status(verdict: &Verdict, further: Option<&Further>) -> String {
    if let Some(known) = further.filter(|known| known.status == "refuted") {
        return refuted_further(verdict, known);
    }
    let surprise = if verdict.surprise { "**not as expected:** " } else { "" };
    let cases = count(verdict.checked, "case");
    let range = match further {
        None => format!("up to size {} ({cases})", verdict.size),
        Some(Further { size, cases, hash, .. }) => {
            format!("up to size {size} ({}, run `{}`)", count(*cases, "case"), short(hash))
        }
    };
    let checked = if verdict.sampled { "**sampled**" } else { "**exhaustive**" };
    let found = match (verdict.status, &verdict.counterexample) {
        (Status::Refuted, Some(case)) => {
            let corrected =
                verdict.corrected_by.map(|by| format!("; corrected by `{by}`")).unwrap_or_default();
            let failures = format!("{} of {cases}", thousands(verdict.failed));
            let position = quoted(&case.position);
            format!(
                "**refuted** at size {} ({failures}) by `{position}`: {}{corrected}",
                verdict.size,
                cell(&case.words)
            )
        }
        (Status::Refuted, None) => "**refuted**".to_owned(),
        (Status::Unfinished, _) => format!("**open**: interrupted; no exception {range}"),
        (Status::Unchecked, _) => format!("**open**: nothing to check up to size {}", verdict.size),
        (Status::Holds, _) => match (verdict.proved, verdict.expected) {
            (Some(theorem), Expected::Holds) => {
                format!("**proved** `{theorem}`; {checked} {range}")
            }
            (None, Expected::Holds) => format!("{checked} {range}"),
            (_, Expected::Refuted) => format!("**open**: no counterexample {range}"),
        },
    };
    format!("{surprise}{found}")
}

/// The status of a claim that a campaign refuted at a size that was not checked now.
fn refuted_further(verdict: &Verdict, known: &Further) -> String {
    let surprise = if verdict.expected == Expected::Holds { "**not as expected:** " } else { "" };
    let Further { size, hash, counterexample, .. } = known;
    let case = counterexample
        .as_ref()
        .map(|(position, words)| format!(" by `{}`: {}", quoted(position), cell(words)))
        .unwrap_or_default();
    let corrected = verdict.corrected_by.map(|by| format!("; corrected by `{by}`")).unwrap_or_default();
    let cases = count(verdict.checked, "case");
    format!(
        "{surprise}**refuted** at size {size} (run `{}`){case}{corrected}; no exception up to size {} ({cases})",
        short(hash),
        verdict.size
    )
}

/// Text that stays inside its cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").split_whitespace().collect::<Vec<_>>().join(" ")
}

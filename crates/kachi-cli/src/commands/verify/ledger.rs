//! The soundness ledger: every statement with what is known about it and how to check it again, in Markdown.

use crate::failure::Failure;
use crate::positions::quoted;
use crate::scene::Scene;
use crate::text::{count, thousands};
use kachi::core::Expected;
use kachi::verify::{Status, Verdict};

const OPENING: &str = "\
# The soundness ledger

Every statement that kachi relies on or corrects, what is known about it, and how to check it again. Written by
`kachi verify --markdown`.

* **proved**: a machine-checked proof in `proofs/` covers all sizes; the exhaustive check beside it ties the program to the proof.
* **holds**: no exception among all cases up to the size; a check, not a proof.
* **refuted**: wrong as stated; the smallest counterexample is a position that `kachi solve` accepts.
";

/// Writes the ledger.
pub(super) fn write(verdicts: &[Verdict], scene: &mut Scene<'_>) -> Result<(), Failure> {
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
        writeln!(out, "| claim | statement | source | status | domain | check again |")?;
        writeln!(out, "|---|---|---|---|---|---|")?;
        for verdict in rows {
            writeln!(out, "{}", row(verdict))?;
        }
    }
    Ok(())
}

fn row(verdict: &Verdict) -> String {
    let Verdict { game, claim, words, source, domain, size, .. } = verdict;
    let command = format!("`kachi verify {game} --claim {claim} --size {size}`");
    let cells = [format!("`{claim}`"), cell(words), cell(source), status(verdict), cell(domain), command];
    format!("| {} |", cells.join(" | "))
}

fn status(verdict: &Verdict) -> String {
    let surprise = if verdict.surprise { "**not as expected:** " } else { "" };
    let cases = count(verdict.checked, "case");
    let exhaustive = format!("up to size {} ({cases})", verdict.size);
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
        (Status::Unfinished, _) => format!("interrupted; no exception {exhaustive}"),
        (Status::Holds, _) => match (verdict.proved, verdict.expected) {
            (Some(theorem), Expected::Holds) => format!("**proved** `{theorem}`; **holds** {exhaustive}"),
            (None, Expected::Holds) => format!("**holds** {exhaustive}"),
            (_, Expected::Refuted) => format!("no counterexample {exhaustive}"),
        },
    };
    format!("{surprise}{found}")
}

/// Text that stays inside its cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").split_whitespace().collect::<Vec<_>>().join(" ")
}

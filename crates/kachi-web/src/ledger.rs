//! The soundness ledger as it was written with this version: what checking each claim has shown.

use std::collections::HashMap;
use std::sync::LazyLock;

/// One row of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    /// What was found, in the ledger's own words: bold and code as in Markdown.
    pub(crate) status: String,
    /// The counterexample, if there is one.
    pub(crate) counterexample: Option<String>,
    /// The command that checks it again.
    pub(crate) command: String,
}

/// The rows by game and claim.
pub(crate) static LEDGER: LazyLock<HashMap<(String, String), Row>> =
    LazyLock::new(|| read(include_str!("../../../docs/ledger.md")));

fn read(text: &str) -> HashMap<(String, String), Row> {
    let mut rows = HashMap::new();
    let mut game = String::new();
    for line in text.lines() {
        if let Some(head) = line.strip_prefix("## ") {
            game = head.split(' ').next().unwrap_or("").to_owned();
        }
        let Some(inside) = line.strip_prefix("| `").and_then(|line| line.strip_suffix(" |")) else {
            continue;
        };
        let cells: Vec<String> = inside.split(" | ").map(|cell| cell.replace("\\|", "|")).collect();
        let [claim, _, _, status, _, command] = &cells[..] else { continue };
        let counterexample = if status.contains("**refuted**") {
            let quoted = status.split(" by `").nth(1).and_then(|rest| rest.split('`').next());
            quoted.map(|position| position.trim_matches('"').to_owned())
        } else {
            None
        };
        let row =
            Row { status: status.clone(), counterexample, command: command.trim_matches('`').to_owned() };
        rows.insert((game.clone(), claim.trim_end_matches('`').to_owned()), row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refuted_claim_has_a_counterexample_and_positions_open_as_boards() {
        let refuted: Vec<_> = LEDGER.iter().filter(|(_, row)| row.status.contains("**refuted**")).collect();
        assert!(refuted.len() >= 5, "{}", refuted.len());
        for ((game, claim), row) in refuted {
            let position = row.counterexample.as_deref().unwrap_or_default();
            assert!(!position.is_empty(), "{game} {claim}");
            // The papers' worked examples, in words, are not positions.
            if !position.contains(' ') {
                let board = kachi::registry::find(game).unwrap().board(position);
                assert!(board.is_ok(), "{game} {claim}: {position:?}");
            }
        }
    }

    #[test]
    fn the_ledger_knows_the_claims() {
        for stated in kachi::registry::games().iter().flat_map(|&game| kachi::verify::claims_of(game)) {
            let key = (stated.game.to_owned(), stated.claim.statement().id.to_owned());
            assert!(LEDGER.contains_key(&key), "{key:?}: kachi verify --markdown > docs/ledger.md");
        }
    }
}

//! The levels of a table summed up: states, placements and losses by cards left.

use super::levels::{Levels, Receipt};
use crate::campaign::study::{Cell, Column, Picture, Study};
use crate::simulate::plot;
use crate::work::{Shard, Store, Work};
use kachi_core::Error;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What is known of a level.
#[derive(Debug, Clone, Copy, Default)]
struct Level {
    states: u64,
    placements: u64,
    lost: Option<u64>,
    bytes: Option<u64>,
}

impl Levels<'_> {
    /// Levels by cards left, and the table if it is written.
    fn receipts(&self, store: &dyn Store) -> (BTreeMap<u64, Level>, Option<Receipt>) {
        let mut levels: BTreeMap<u64, Level> = BTreeMap::new();
        let mut table = None;
        for stage in 0..self.stages(0) {
            let result = store.result(Shard { line: 0, stage, index: 0 });
            match result.and_then(|result| Receipt::read(&result)) {
                Some(Receipt::Found { cards, states, placements }) => {
                    levels.insert(cards, Level { states, placements, ..Level::default() });
                }
                Some(Receipt::Valued { cards, lost, bytes, .. }) => {
                    let level = levels.entry(cards).or_default();
                    (level.lost, level.bytes) = (Some(lost), Some(bytes));
                }
                Some(written) => table = Some(written),
                None => {}
            }
        }
        (levels, table)
    }
}

impl Study for Levels<'_> {
    fn columns(&self) -> Vec<Column> {
        vec![
            Column::whole("cards"),
            Column::whole("states"),
            Column::whole("placements"),
            Column::whole("lost").optional(),
            Column::whole("bytes").optional(),
        ]
    }

    fn rows<'s>(&'s self, store: &'s dyn Store) -> Box<dyn Iterator<Item = Vec<Cell>> + 's> {
        let number = |number: Option<u64>| number.map_or(Cell::Nothing, |number| Cell::Whole(number as i64));
        let rows = self.receipts(store).0.into_iter().rev();
        Box::new(rows.map(move |(cards, level)| {
            vec![
                Cell::Whole(cards as i64),
                Cell::Whole(level.states as i64),
                Cell::Whole(level.placements as i64),
                number(level.lost),
                number(level.bytes),
            ]
        }))
    }

    fn summary(&self, store: &dyn Store) -> Value {
        let (levels, table) = self.receipts(store);
        // The state without cards is the end, not a state to play.
        let states: u64 = levels.range(1..).map(|(_, level)| level.states).sum();
        let placements: u64 = levels.values().map(|level| level.placements).sum();
        let mut summary = self.settings();
        summary["states"] = json!(states);
        summary["placements"] = json!(placements);
        if let Some(Receipt::Written { file, bytes, start, .. }) = table {
            summary["table"] = json!({"file": file, "bytes": bytes, "start": start});
        }
        summary
    }

    fn pictures(&self, store: &dyn Store) -> Vec<Picture> {
        // The end is no state to play.
        let counts: Vec<(String, u64)> = self
            .receipts(store)
            .0
            .into_iter()
            .filter(|&(cards, _)| cards > 0)
            .map(|(cards, level)| (cards.to_string(), level.states))
            .collect();
        let settings = self.settings();
        let title =
            format!("States of the stack game, {} stacks, {} ranks", settings["stacks"], settings["ranks"]);
        vec![Picture::new("levels.svg", plot::counts(&title, "cards left", &counts))]
    }

    fn close(&self) -> Result<(), Error> {
        Levels::close(self)
    }
}

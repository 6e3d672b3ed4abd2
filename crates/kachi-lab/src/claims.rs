//! Claims as work for the runner: one line a claim, one stage a size, the claim's own shards.
//!
//! A size is always checked to its end, and the first counterexample in the order of (size, shard) is kept; a claim that is refuted is checked no
//! further. So the counterexample is a smallest one, and neither it nor the counts depend on who checked.

use crate::campaign::study::{Cell, Column, Picture, Study};
use crate::simulate::plot;
use crate::work::{Desk, Ended, Engine, InMemory, Made, Shard, Store, Tally, Watch, Work, Worker};
use kachi::verify::{Stated, Status, Verdict};
use kachi_core::claim::check_until;
use kachi_core::{Counterexample, Error, Findings};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Claims, each up to a size.
pub struct Claims {
    claims: Vec<(Stated, u32)>,
}

/// What one shard of a claim shows.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Found {
    checked: u64,
    failed: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    words: Option<String>,
}

impl Found {
    fn read(bytes: &[u8]) -> Option<Found> {
        serde_json::from_slice(bytes.trim_ascii_end()).ok()
    }

    fn findings(self) -> Findings<'static> {
        let counterexample =
            self.position.map(|position| Counterexample { position, words: self.words.unwrap_or_default() });
        Findings::of(self.checked, self.failed, counterexample)
    }
}

impl Claims {
    /// Every claim up to its own size, or up to the one that `size` gives for it.
    #[must_use]
    pub fn new(claims: &[Stated], size: impl Fn(&Stated) -> Option<u32>) -> Claims {
        let largest = |stated: &Stated| {
            let wanted = size(stated).unwrap_or(stated.claim.statement().size);
            wanted.min(stated.claim.largest())
        };
        Claims { claims: claims.iter().map(|stated| (*stated, largest(stated))).collect() }
    }

    /// Checks the claims in memory and judges them; those that were interrupted are unfinished.
    ///
    /// # Errors
    /// `no_threads` when the system refuses to start them.
    pub fn check(&self, engine: &dyn Engine, watch: Watch<'_>) -> Result<Vec<Verdict>, Error> {
        let store = InMemory::default();
        let _: Ended = engine.run(self, &store, watch)?;
        Ok(self.verdicts(&store))
    }

    /// What the shards of a store say about each claim.
    #[must_use]
    pub fn verdicts(&self, store: &dyn Store) -> Vec<Verdict> {
        (0..self.lines()).map(|line| self.verdict(line, store)).collect()
    }

    fn verdict(&self, line: u32, store: &dyn Store) -> Verdict {
        let (stated, largest) = self.claims[line as usize];
        let mut found = Findings::default();
        let mut size = 0;
        while size < largest && found.counterexample.is_none() {
            // A size that was interrupted does not count at all: its counts would depend on the moment.
            let Some(part) = self.of_size(line, size, store) else { break };
            found.append(part);
            size += 1;
        }
        let finished = size == largest || found.counterexample.is_some();
        stated.judge(found, size, finished)
    }

    /// All findings of a size, if all of its shards are there.
    fn of_size(&self, line: u32, stage: u32, store: &dyn Store) -> Option<Findings<'static>> {
        let mut found = Findings::default();
        for index in 0..self.shards(line, stage) {
            let result = store.result(Shard { line, stage, index })?;
            found.append(Found::read(&result)?.findings());
        }
        Some(found)
    }
}

impl Work for Claims {
    fn settings(&self) -> Value {
        let claims: Vec<Value> = self
            .claims
            .iter()
            .map(|(stated, _)| {
                let statement = stated.claim.statement();
                json!({"game": stated.game, "claim": statement.id, "domain": statement.domain})
            })
            .collect();
        json!({ "claims": claims })
    }

    fn lines(&self) -> u32 {
        self.claims.len() as u32
    }

    fn stages(&self, line: u32) -> u32 {
        self.claims[line as usize].1
    }

    fn shards(&self, line: u32, stage: u32) -> u64 {
        u64::from(self.claims[line as usize].0.claim.shards(stage + 1))
    }

    fn ends(&self, _: Shard, result: &[u8]) -> bool {
        Found::read(result).is_some_and(|found| found.position.is_some())
    }

    fn accepts(&self, _: Shard, result: &[u8]) -> bool {
        Found::read(result).is_some()
    }

    fn tally(&self, _: Shard, result: &[u8]) -> Tally {
        let found = Found::read(result).unwrap_or_default();
        Tally { units: found.checked, good: found.checked - found.failed.min(found.checked) }
    }

    fn unit(&self) -> &'static str {
        "cases"
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>, Error> {
        Ok(Box::new(Checker(self)))
    }
}

struct Checker<'c>(&'c Claims);

impl Worker for Checker<'_> {
    fn shard(&mut self, shard: Shard, desk: &mut dyn Desk) -> Result<Option<Made>, Error> {
        let claim = self.0.claims[shard.line as usize].0.claim;
        let size = shard.stage + 1;
        let found = check_until(claim, size, shard.index as u32, &|| desk.stopped());
        let Some(Findings { checked, failed, counterexample, .. }) = found else { return Ok(None) };
        desk.tell(
            Tally { units: checked, good: checked - failed },
            Some(&format!("{} size {size}", claim.statement().id)),
        );
        let (position, words) = counterexample.map(|case| (case.position, case.words)).unzip();
        let mut result = serde_json::to_vec(&Found { checked, failed, position, words }).unwrap_or_default();
        result.push(b'\n');
        Ok(Some(Made { result, cost: Vec::new() }))
    }
}

impl Study for Claims {
    fn columns(&self) -> Vec<Column> {
        vec![
            Column::text("game"),
            Column::text("claim"),
            Column::whole("size"),
            Column::whole("cases"),
            Column::whole("failed"),
            Column::text("counterexample").optional(),
            Column::text("words").optional(),
        ]
    }

    fn rows<'s>(&'s self, store: &'s dyn Store) -> Box<dyn Iterator<Item = Vec<Cell>> + 's> {
        let lines = self.claims.iter().enumerate();
        Box::new(lines.flat_map(move |(line, (stated, largest))| {
            let mut refuted = false;
            (0..*largest).map_while(move |stage| {
                if refuted {
                    return None;
                }
                let Findings { checked, failed, counterexample, .. } =
                    self.of_size(line as u32, stage, store)?;
                refuted = counterexample.is_some();
                let (position, words) = counterexample.map(|case| (case.position, case.words)).unzip();
                Some(vec![
                    Cell::Text(stated.game.to_owned()),
                    Cell::Text(stated.claim.statement().id.to_owned()),
                    Cell::Whole(i64::from(stage) + 1),
                    Cell::Whole(checked as i64),
                    Cell::Whole(failed as i64),
                    position.map_or(Cell::Nothing, Cell::Text),
                    words.map_or(Cell::Nothing, Cell::Text),
                ])
            })
        }))
    }

    fn reaches(&self, summary: &Value) -> bool {
        let verdicts = summary.get("verdicts").and_then(Value::as_array).into_iter().flatten();
        let sizes = verdicts.filter_map(|verdict| verdict.get("size")?.as_u64());
        (0..self.lines()).zip(sizes).all(|(line, size)| size <= u64::from(self.stages(line)))
    }

    fn summary(&self, store: &dyn Store) -> Value {
        let verdicts = self.verdicts(store);
        let tally = |status| verdicts.iter().filter(|verdict| verdict.status == status).count();
        json!({
            "claims": verdicts.len(),
            "hold": tally(Status::Holds),
            "refuted": tally(Status::Refuted),
            "surprises": verdicts.iter().filter(|verdict| verdict.surprise).count(),
            "cases": verdicts.iter().map(|verdict| verdict.checked).sum::<u64>(),
            "verdicts": verdicts,
        })
    }

    fn pictures(&self, store: &dyn Store) -> Vec<Picture> {
        let mut by_size: BTreeMap<i64, u64> = BTreeMap::new();
        for row in self.rows(store) {
            if let [_, _, Cell::Whole(size), Cell::Whole(cases), ..] = row[..] {
                *by_size.entry(size).or_default() += cases as u64;
            }
        }
        let counts: Vec<(String, u64)> =
            by_size.into_iter().map(|(size, cases)| (size.to_string(), cases)).collect();
        let title = format!("Cases checked, {} claims", self.claims.len());
        vec![Picture::new("cases.svg", plot::counts(&title, "size", &counts))]
    }
}

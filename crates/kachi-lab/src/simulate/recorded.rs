//! Games that were played, read back from a finished run.

use crate::campaign::Run;
use crate::campaign::rows;
use crate::campaign::study::Cell;
use crate::simulate::hana::MEASURE as HANA;
use crate::simulate::{Contestant, Experiment, Measure, Played, Shown, Summary};
use kachi_core::Error;
use serde_json::Value;

/// A player who has played: what is left of him are his settings.
#[derive(Debug, Clone)]
pub struct Recorded(pub Value);

impl Recorded {
    /// What games with these settings are judged by.
    #[must_use]
    pub fn measure_of(settings: &Value) -> Measure {
        if settings.get("game").and_then(Value::as_str) == Some("hana") { HANA } else { Measure::Wins }
    }
}

impl Experiment for Recorded {
    fn settings(&self) -> Value {
        self.0.clone()
    }

    fn measure(&self) -> Measure {
        Recorded::measure_of(&self.0)
    }

    fn contestant(&self) -> Result<Box<dyn Contestant + '_>, Error> {
        Err(Error::new("not_finished", "the games that are missing must be played by the player of today")
            .hint("kachi lab resume"))
    }
}

/// A player of a finished run with his games in the order of the seeds.
#[derive(Debug, Clone)]
pub struct Line {
    /// What they show.
    pub summary: Summary,
    /// The games.
    pub games: Vec<Played>,
}

/// The players of a finished run of games.
///
/// # Errors
/// `no_games` for other kinds, `unfinished`, `damaged_run`.
pub fn players(run: &Run) -> Result<Vec<Line>, Error> {
    let kind = run.manifest.campaign.what.kind();
    if !["simulation", "comparison"].contains(&kind) {
        return Err(Error::new("no_games", format!("{} is a run of {kind}, without games", run.name()))
            .hint("simulations and comparisons have games"));
    }
    run.check_hash()?;
    let damaged = || Error::new("damaged_run", format!("the results of {} cannot be read", run.name()));
    let shown: Shown =
        run.json("summary.json").and_then(|value| serde_json::from_value(value).ok()).ok_or_else(damaged)?;
    let results = rows::Results::open(&run.path().join("results.parquet"))?;
    let games: Vec<Played> =
        results.rows()?.map(|row| played(&row?).ok_or_else(damaged)).collect::<Result<_, Error>>()?;
    // One player after the other, each with as many games as his summary counts.
    let mut rest = games.into_iter();
    Ok(shown
        .players
        .into_iter()
        .map(|summary| Line { games: rest.by_ref().take(summary.games as usize).collect(), summary })
        .collect())
}

fn played(row: &[Cell]) -> Option<Played> {
    let [_, Cell::Whole(seed), Cell::Truth(won), Cell::Whole(turn), Cell::Whole(score), on] = row else {
        return None;
    };
    let on = if let Cell::Text(on) = on { Some(on.clone()) } else { None };
    Some(Played { seed: *seed as u64, won: *won, turn: *turn as u32, score: *score, on })
}

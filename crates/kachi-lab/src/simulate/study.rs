//! Games summed up: one summary a player, every other player compared with the first, pictures.

use crate::campaign::study::{Cell, Column, Picture, Study};
use crate::simulate::games::Games;
use crate::simulate::summary::{Comparison, Summary, Timing};
use crate::simulate::{Measure, plot};
use crate::work::{Store, Work};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What games by one or more players show.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// Player by player.
    pub players: Vec<Summary>,
    /// The first player against each of the others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comparisons: Vec<Comparison>,
}

impl Games {
    /// The summaries of the players.
    #[must_use]
    pub fn summaries(&self, store: &dyn Store) -> Vec<Summary> {
        let lines = (0..).zip(&self.players);
        lines
            .map(|(line, player)| Summary::of(player.settings(), player.measure(), self.played(line, store)))
            .collect()
    }

    /// The first player against each of the others, deal by deal.
    #[must_use]
    pub fn comparisons(&self, store: &dyn Store) -> Vec<Comparison> {
        let Some(first) = self.players.first() else { return Vec::new() };
        let against = |line: usize| {
            let settings = [first.settings(), self.players[line].settings()];
            let measure = first.measure();
            Comparison::of(settings, measure, self.played(0, store), self.played(line as u32, store))
        };
        (1..self.players.len()).map(against).collect()
    }

    /// What the games of each player cost.
    #[must_use]
    pub fn timings(&self, store: &dyn Store) -> Vec<Timing> {
        (0..self.lines()).map(|line| Timing::of(&self.costs(line, store), self.games)).collect()
    }
}

impl Study for Games {
    fn columns(&self) -> Vec<Column> {
        vec![
            Column::text("player"),
            Column::whole("seed"),
            Column::truth("won"),
            Column::whole("turn"),
            Column::whole("score"),
            Column::text("on").optional(),
        ]
    }

    fn rows<'s>(&'s self, store: &'s dyn Store) -> Box<dyn Iterator<Item = Vec<Cell>> + 's> {
        let lines = self.players.iter().enumerate();
        Box::new(lines.flat_map(move |(line, player)| {
            let settings = player.settings();
            let name = settings.get("player").and_then(Value::as_str).unwrap_or("player").to_owned();
            self.played(line as u32, store).map(move |game| {
                vec![
                    Cell::Text(name.clone()),
                    Cell::Whole(game.seed as i64),
                    Cell::Truth(game.won),
                    Cell::Whole(i64::from(game.turn)),
                    Cell::Whole(game.score),
                    game.on.map_or(Cell::Nothing, Cell::Text),
                ]
            })
        }))
    }

    fn length(&self) -> Option<u64> {
        self.units()
    }

    fn summary(&self, store: &dyn Store) -> Value {
        let shown = Shown { players: self.summaries(store), comparisons: self.comparisons(store) };
        serde_json::to_value(shown).unwrap_or_default()
    }

    fn reaches(&self, summary: &Value) -> bool {
        let players = summary.get("players").and_then(Value::as_array).into_iter().flatten();
        players.filter_map(|player| player.get("games")?.as_u64()).all(|games| games <= self.games)
    }

    fn timing(&self, store: &dyn Store) -> Option<Value> {
        serde_json::to_value(self.timings(store)).ok()
    }

    fn pictures(&self, store: &dyn Store) -> Vec<Picture> {
        let (players, timings) = (self.summaries(store), self.timings(store));
        let mut pictures = Vec::new();
        let wins = self.players.iter().all(|player| player.measure() == Measure::Wins);
        if wins {
            let runs: Vec<(String, &Summary, &Timing)> = players
                .iter()
                .zip(&timings)
                .map(|(summary, timing)| (plot::name(&summary.settings), summary, timing))
                .collect();
            pictures.push(Picture::new("time.svg", plot::success_against_time(&runs)));
            // Where nothing is lost, or turns say nothing, there is nothing to draw.
            if let Some(first) = players.first().filter(|first| !first.lost.by_turn.is_empty()) {
                pictures.push(Picture::new("lost.svg", plot::where_games_are_lost(first)));
            }
        }
        if players.len() > 1 || !wins {
            pictures.push(Picture::new("ladder.svg", plot::ladder("Players on the same deals", &players)));
        }
        pictures
    }
}

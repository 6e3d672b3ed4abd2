//! `kachi lab record`: what finished runs show, kept as small files for documentation, and read back for the soundness ledger.

use super::export::write;
use super::runs::find;
use crate::failure::{Exit, Failure};
use crate::scene::Scene;
use crate::text::{count, thousands};
use clap::Args;
use kachi::core::Error;
use kachi_lab::campaign::{Campaign, Run};
use kachi_lab::simulate::face_up;
use kachi_lab::simulate::frontier::{Measured, success_by_player};
use kachi_lab::simulate::plot::{name, seconds};
use kachi_lab::simulate::words::{TableOf, deals, found, on_the_same_deals, table_of};
use kachi_lab::simulate::{Shown, Summary, Timing};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Keep what finished runs show
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  kachi lab record hana-ladder --into docs/results
  kachi lab record --into docs/results             only write the page anew from what is recorded

Writes NAME.json (campaign, version, hash, seeds, numbers, intervals), the pictures as NAME-*.svg, the curve of all \
players of a game, and README.md, the page of all results. The games themselves stay in the run. The ledger takes \
over what is recorded: kachi verify --markdown --results docs/results.")]
pub(super) struct RecordArgs {
    /// Finished runs
    #[arg(value_name = "RUN")]
    runs: Vec<String>,

    /// The folder of records
    #[arg(long, value_name = "FOLDER", default_value = "docs/results")]
    into: PathBuf,
}

/// What is kept of a run.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    name: String,
    hash: String,
    kachi: String,
    ended: String,
    campaign: Campaign,
    summary: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    timing: Option<Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pictures: Vec<String>,
}

/// A claim that a campaign has checked.
#[derive(Debug)]
pub(crate) struct Further {
    pub(crate) game: String,
    pub(crate) claim: String,
    pub(crate) size: u32,
    pub(crate) cases: u64,
    /// `holds` or `refuted`.
    pub(crate) status: String,
    /// The position that refuted it, and what is wrong there.
    pub(crate) counterexample: Option<(String, String)>,
    pub(crate) hash: String,
}

/// A player that a campaign has measured.
#[derive(Debug)]
pub(crate) struct Sampled {
    pub(crate) what: String,
    pub(crate) found: String,
    /// Of how many games.
    games: u64,
    /// The name of the campaign.
    pub(crate) name: String,
    pub(crate) hash: String,
}

/// What a folder of records says about claims and players.
#[derive(Debug, Default)]
pub(crate) struct Recorded {
    pub(crate) claims: Vec<Further>,
    pub(crate) sampled: Vec<Sampled>,
}

pub(super) fn record(args: &RecordArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    std::fs::create_dir_all(&args.into).map_err(|error| Failure::file("cannot_write", &args.into, &error))?;
    // All of them are finished and intact before anything is written.
    let runs: Vec<Run> = args.runs.iter().map(|word| find(word)).collect::<Result<_, Error>>()?;
    for run in &runs {
        run.check_hash()?;
    }
    for run in &runs {
        keep(run, &args.into)?;
    }
    let records = read_all(&args.into)?;
    let curves = curves(&records);
    for (file, picture) in &curves {
        write(&args.into.join(file), picture.as_bytes())?;
    }
    let files: Vec<&str> = curves.keys().map(String::as_str).collect();
    write(&args.into.join("README.md"), page(&records, &files).as_bytes())?;
    if scene.json {
        let names: Vec<&str> = records.iter().map(|record| record.name.as_str()).collect();
        scene.json_line(&json!({"folder": args.into, "records": names}))?;
    } else {
        let (kept, folder) = (count(runs.len() as u64, "run"), args.into.display());
        writeln!(scene.stage.output, "{kept} recorded in {folder}, {} there in all", records.len())?;
    }
    Ok(Exit::Answered)
}

fn keep(run: &Run, into: &Path) -> Result<(), Failure> {
    let name = run.name();
    let mut pictures = Vec::new();
    for file in run.files().into_iter().filter(|file| file.ends_with(".svg")) {
        let kept = format!("{name}-{file}");
        write(&into.join(&kept), &run.read(&file)?)?;
        pictures.push(kept);
    }
    let manifest = &run.manifest;
    let record = Record {
        name: name.clone(),
        hash: manifest.hash.clone().unwrap_or_default(),
        kachi: manifest.kachi.clone(),
        ended: manifest.ended.clone().unwrap_or_default(),
        campaign: manifest.campaign.clone(),
        summary: run.json("summary.json").unwrap_or_default(),
        timing: run.json("timing.json").map(without_curves),
        pictures,
    };
    let text = serde_json::to_string_pretty(&record).map_err(std::io::Error::from)? + "\n";
    write(&into.join(format!("{name}.json")), text.as_bytes())
}

/// The curve of success against time is in the picture.
fn without_curves(mut timing: Value) -> Value {
    for player in timing.as_array_mut().into_iter().flatten() {
        player["curve"] = json!([]);
    }
    timing
}

fn read_all(folder: &Path) -> Result<Vec<Record>, Failure> {
    let entries = std::fs::read_dir(folder).map_err(|error| Failure::file("cannot_read", folder, &error))?;
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    paths.sort();
    let mut records = Vec::new();
    for path in paths {
        let bytes = std::fs::read(&path).map_err(|error| Failure::file("cannot_read", &path, &error))?;
        let record = serde_json::from_slice(&bytes).map_err(|error| {
            Error::new("bad_record", format!("{} is no record: {error}", path.display()))
                .hint("kachi lab record writes them")
        })?;
        records.push(record);
    }
    Ok(records)
}

/// What the records of a folder say about claims and players.
pub(crate) fn recorded_verdicts(folder: &Path) -> Result<Recorded, Failure> {
    let mut all = Recorded::default();
    for record in read_all(folder)? {
        for verdict in record.summary.get("verdicts").and_then(Value::as_array).into_iter().flatten() {
            let word = |key: &str| verdict.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            let number = |key: &str| verdict.get(key).and_then(Value::as_u64).unwrap_or_default();
            all.claims.push(Further {
                game: word("game"),
                claim: word("claim"),
                size: number("size") as u32,
                cases: number("checked"),
                status: word("status"),
                counterexample: counterexample(verdict),
                hash: record.hash.clone(),
            });
        }
        for player in shown(&record).map(|shown| shown.players).unwrap_or_default() {
            let game = player.settings.get("game").and_then(Value::as_str).unwrap_or_default();
            all.sampled.push(Sampled {
                what: format!("{game}: {}", name(&player.settings)),
                found: format!("{}, {}", found(&player), deals(&player)),
                games: player.games,
                name: record.name.clone(),
                hash: record.hash.clone(),
            });
        }
    }
    // What was measured more than once is told once, by the longest run.
    let mut longest: BTreeMap<String, u64> = BTreeMap::new();
    for Sampled { what, games, .. } in &all.sampled {
        let known = longest.entry(what.clone()).or_default();
        *known = (*games).max(*known);
    }
    all.sampled.retain(|sampled| longest.get(&sampled.what) == Some(&sampled.games));
    Ok(all)
}

fn counterexample(verdict: &Value) -> Option<(String, String)> {
    let case = verdict.get("counterexample")?;
    let word = |key: &str| case.get(key).and_then(Value::as_str).map(str::to_owned);
    Some((word("position")?, word("words")?))
}

fn shown(record: &Record) -> Option<Shown> {
    serde_json::from_value(record.summary.clone()).ok()
}

/// Success against time for all players of a game, by the name of the picture.
fn curves(records: &[Record]) -> BTreeMap<String, String> {
    let mut by_game: BTreeMap<u64, BTreeMap<String, Dot>> = BTreeMap::new();
    for record in records {
        let Some(shown) = shown(record) else { continue };
        for (player, timing) in shown.players.iter().zip(timings(record)) {
            let stacks = player.settings.get("stacks").and_then(Value::as_u64);
            let (Some(stacks), Some("calculation")) =
                (stacks, player.settings.get("game").and_then(Value::as_str))
            else {
                continue;
            };
            let name = player.settings.get("player").and_then(Value::as_str).unwrap_or("run");
            // Who sees the deck plays another game.
            if face_up::is_search(name) {
                continue;
            }
            let dot = by_game.entry(stacks).or_default().entry(name.to_owned()).or_default();
            dot.hear(player, &timing, shown.players.len());
        }
    }
    let measured = |(player, dot): (String, Dot)| Measured {
        player,
        seconds: dot.seconds.1,
        rate: dot.rate.1,
        interval: dot.rate.2,
    };
    let by_game = by_game
        .into_iter()
        .map(|(stacks, dots)| (stacks, dots.into_iter().map(measured).collect::<Vec<Measured>>()));
    let draw = |(stacks, players): (u64, Vec<Measured>)| {
        let title = format!("Calculation with {stacks} stacks: success against time");
        Some((format!("calculation-{stacks}-curve.svg"), success_by_player(&title, &players)?))
    };
    // Where nobody wins anything there is nothing to see.
    let by_game = by_game.filter(|(_, players)| players.iter().any(|player| player.rate > 0.0));
    by_game.filter_map(draw).collect()
}

/// Where a player stands: the rate of his longest run, and his time in the run with the most players. Times of different days and machines cannot be compared, so
/// that of a run in which all of them played side by side is worth more than any number of games.
#[derive(Default)]
struct Dot {
    /// Games, rate, interval.
    rate: (u64, f64, (f64, f64)),
    /// Players and games of the run, seconds.
    seconds: ((usize, u64), f64),
}

impl Dot {
    fn hear(&mut self, player: &Summary, timing: &Timing, players: usize) {
        if player.games > self.rate.0 {
            self.rate = (player.games, player.rate, (player.interval.low, player.interval.high));
        }
        if (players, timing.games) > self.seconds.0 {
            self.seconds = ((players, timing.games), timing.mean);
        }
    }
}

fn timings(record: &Record) -> Vec<Timing> {
    let timing = record.timing.as_ref().and_then(|timing| serde_json::from_value(timing.clone()).ok());
    timing.unwrap_or_default()
}

const OPENING: &str = "\
# Recorded results

What the campaigns of `campaigns/` have shown: numbers with 95 % intervals, seeds, and the hash of the run by which a result is cited. Written by
`kachi lab record`; each `NAME.json` here holds everything the tables below are made from. `kachi lab run campaigns/NAME.toml` makes a result again, and gets
the same hash, with the table that it rests on where one is named; unless the player was changed since then, or the run was taken over from an earlier layout
(`kachi lab import`), which keeps the games and changes the hash.
";

const CURVES: &str = "
## All players of calculation: success against time

The rate of a player is that of his longest run. Times are those of the run in which all players of a game played side by side, since times of different days,
machines and versions cannot be compared.
";

fn page(records: &[Record], curves: &[&str]) -> String {
    let mut page = OPENING.to_owned();
    if !curves.is_empty() {
        page.push_str(CURVES);
    }
    for curve in curves {
        let _ = writeln!(page, "\n![{}]({curve})", curve.trim_end_matches(".svg"));
    }
    for record in records {
        let Record { name, hash, kachi, ended, campaign, .. } = record;
        let title = if campaign.title.is_empty() { name } else { &campaign.title };
        let _ = writeln!(page, "\n## {title}\n");
        let day = ended.split('T').next().unwrap_or_default();
        let _ = writeln!(page, "[`{name}`]({name}.json), kachi {kachi}, {day}, hash `{hash}`\n");
        if record.summary.get("verdicts").is_some() {
            claims(record, &mut page);
        } else if let Some(shown) = shown(record) {
            games(record, &shown, &mut page);
        } else {
            levels(record, &mut page);
        }
        for picture in &record.pictures {
            let words = picture.trim_end_matches(".svg");
            let _ = writeln!(page, "\n![{words}]({picture})");
        }
    }
    page
}

fn games(record: &Record, shown: &Shown, page: &mut String) {
    let timings = timings(record);
    match shown.players.first().and_then(|player| table_of(&player.settings)) {
        Some(TableOf::Needed { words, build }) => {
            let _ = writeln!(page, "Rests on the table of {words}: `{build}`.\n");
        }
        Some(TableOf::Missing) => page.push_str("Made without a table.\n\n"),
        None => {}
    }
    let _ = writeln!(
        page,
        "| player | result (95 % interval) | deals | time a game, one core |\n|---|---|---|---|"
    );
    for (place, player) in shown.players.iter().enumerate() {
        let time = timings.get(place).map(|timing| seconds(timing.mean)).unwrap_or_default();
        let _ =
            writeln!(page, "| {} | {} | {} | {time} |", name(&player.settings), found(player), deals(player));
    }
    for comparison in &shown.comparisons {
        let _ = writeln!(page, "\n{}", on_the_same_deals(comparison));
    }
}

fn claims(record: &Record, page: &mut String) {
    let _ = writeln!(page, "| claim | verdict | size | cases |\n|---|---|---|---|");
    for verdict in record.summary.get("verdicts").and_then(Value::as_array).into_iter().flatten() {
        let word = |key: &str| verdict.get(key).and_then(Value::as_str).unwrap_or_default();
        let number = |key: &str| verdict.get(key).and_then(Value::as_u64).unwrap_or_default();
        let (game, claim, status) = (word("game"), word("claim"), word("status"));
        let (size, cases) = (number("size"), thousands(number("checked")));
        let _ = writeln!(page, "| {game} `{claim}` | {status} | {size} | {cases} |");
    }
}

fn levels(record: &Record, page: &mut String) {
    let summary = &record.summary;
    let number = |key: &str| summary.get(key).and_then(Value::as_u64);
    let shown = |key: &str| number(key).map(thousands).unwrap_or_default();
    let start = summary.get("table").and_then(|table| table.get("start")).and_then(Value::as_f64);
    let _ = writeln!(
        page,
        "| stacks | chains | ranks | states | placements | chance at the start |\n|---|---|---|---|---|---|"
    );
    let _ = writeln!(
        page,
        "| {} | {} | {} | {} | {} | {} |",
        shown("stacks"),
        number("chains").unwrap_or(2),
        shown("ranks"),
        shown("states"),
        shown("placements"),
        start.map(|start| format!("{start:.12}")).unwrap_or_default()
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(name: &str, players: &[(&str, u64, f64, f64)]) -> Record {
        let told = |&(player, games, rate, _): &(&str, u64, f64, f64)| {
            json!({
                "settings": {"game": "calculation", "stacks": 3, "player": player, "name": format!("{player}, 3 stacks")},
                "first_seed": 1, "games": games, "won": 0, "rate": rate,
                "interval": {"low": rate - 0.01, "high": rate + 0.01},
                "lost": {"by_turn": {}, "on": {}, "mean_score": 0.0},
            })
        };
        let timed = |&(_, games, _, mean): &(&str, u64, f64, f64)| json!({"games": games, "cpu": true, "mean": mean, "median": mean, "most": mean, "longest": mean, "curve": []});
        let campaign = "[simulation]\ngame = \"calculation\"\nplayer = \"paper\"\ngames = 1\n";
        Record {
            name: name.to_owned(),
            hash: String::new(),
            kachi: String::new(),
            ended: String::new(),
            campaign: Campaign::read(campaign).unwrap(),
            summary: json!({"players": players.iter().map(told).collect::<Vec<_>>()}),
            timing: Some(json!(players.iter().map(timed).collect::<Vec<_>>())),
            pictures: Vec::new(),
        }
    }

    #[test]
    fn rates_are_of_the_longest_run_and_times_of_the_one_with_all_players() {
        let mut records = vec![
            record("long", &[("net", 10_000, 0.75, 0.9)]),
            record("side", &[("net", 1000, 0.7, 0.05), ("plans", 1000, 0.8, 0.2)]),
        ];
        for _ in 0..2 {
            let curves = curves(&records);
            let picture = &curves["calculation-3-curve.svg"];
            assert!(
                picture.contains("net 75 % at 50 ms") && picture.contains("plans 80 % at 200 ms"),
                "{picture}"
            );
            records.reverse();
        }
    }
}

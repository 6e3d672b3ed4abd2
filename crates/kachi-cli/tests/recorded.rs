//! What is recorded in docs/results, quoted by the program and shipped as campaigns: all of it fits together.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

use kachi_lab::simulate::face_up::{self, FaceUp};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The rates that the program quotes are those of docs/results, all of them and no others.
#[test]
fn quoted_rates_are_the_recorded_ones() {
    use kachi::calculation::players::rates::RATES;
    let mut recorded: Vec<_> = recorded_players()
        .into_iter()
        .map(|(hash, player)| {
            let (settings, won) = (&player["settings"], player["won"].as_u64().unwrap());
            let name = settings["player"].as_str().unwrap().to_owned();
            (settings["stacks"].as_u64().unwrap(), name, won, hash)
        })
        .collect();
    let mut quoted: Vec<_> = RATES
        .iter()
        .map(|rate| {
            assert_eq!(rate.games, 10_000);
            (rate.stacks as u64, rate.player.to_owned(), u64::from(rate.won), rate.run.to_owned())
        })
        .collect();
    recorded.sort();
    quoted.sort();
    assert_eq!(quoted, recorded);
}

/// Every player has a rate with every number of stacks, but for those whom another one replaces there, and says so: those that play on where that gains
/// nothing, and those with a net where no net has learned the game.
#[test]
fn every_player_has_a_rate_with_every_number_of_stacks() {
    use kachi::calculation::players::by_name;
    use kachi::calculation::players::rates::rate_of;
    use kachi::calculation::players::roster::names;
    use kachi::calculation::rules::Rules;
    for stacks in 1..=4 {
        let rules = Rules::calculation(stacks).unwrap();
        for name in names() {
            let note = match by_name(&rules, name) {
                Ok(player) => player.note().unwrap_or_default().to_owned(),
                Err(refused) => refused.message,
            };
            let no_net = stacks == 1 && note.contains("there is no");
            let stands_in = name.ends_with("rollout") && note.contains("playing on wins no more games");
            assert_eq!(
                rate_of(&rules, name).is_none(),
                no_net || stands_in,
                "{name}, {stacks} stacks: {note}"
            );
        }
    }
}

/// What is shipped as a campaign has been run and recorded, as it stands there.
#[test]
fn every_campaign_is_recorded() {
    use kachi_lab::campaign::Campaign;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let names = |folder: &str, ending: &str| {
        let files = fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        let files = files.filter(|path| path.extension().is_some_and(|found| found == ending));
        let mut names: Vec<PathBuf> = files.map(|path| path.file_stem().unwrap().into()).collect();
        names.sort();
        names
    };
    let campaigns = names("campaigns", "toml");
    assert_eq!(campaigns, names("docs/results", "json"));
    for name in campaigns {
        let text = fs::read_to_string(root.join("campaigns").join(&name).with_extension("toml")).unwrap();
        let record = fs::read(root.join("docs/results").join(&name).with_extension("json")).unwrap();
        let record: Value = serde_json::from_slice(&record).unwrap();
        let shipped = serde_json::to_value(Campaign::read(&text).unwrap()).unwrap();
        assert_eq!(record["campaign"], shipped, "{}", name.display());
    }
}

/// Whoever reads a help text or a page finds the campaigns that it names.
#[test]
fn campaigns_that_are_named_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders = ["crates", "docs"].map(|folder| root.join(folder)).to_vec();
    let mut named = 0;
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs" || ending == "md") {
                let text = fs::read_to_string(&path).unwrap();
                for rest in text.split("campaigns/").skip(1) {
                    let name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
                    let Some((file, _)) = rest.split_once(".toml") else { continue };
                    if file.chars().all(name) {
                        let campaign = root.join("campaigns").join(file).with_extension("toml");
                        assert!(campaign.is_file(), "{}: {}", path.display(), campaign.display());
                        named += 1;
                    }
                }
            }
        }
    }
    assert!(named > 20, "{named}");
}

/// A rate is that of the player as it is: same options, same net. Whoever changes a player records it anew.
#[test]
fn recorded_players_are_those_of_today() {
    use kachi::calculation::memo::Memo;
    use kachi::calculation::net::Net;
    use kachi::calculation::players::net::ByNet;
    use kachi::calculation::players::union::{UnionOptions, UnionPlayer};
    use kachi::calculation::players::{Player, by_name};
    use kachi::calculation::rules::Rules;
    assert!(recorded_players().len() > 30);
    for (hash, player) in recorded_players() {
        let settings = &player["settings"];
        let stacks = settings["stacks"].as_u64().unwrap() as usize;
        let name = settings["player"].as_str().unwrap();
        let rules = Rules::calculation(stacks).unwrap();
        // A union player is only made by its name where there is a table.
        let today = match UnionOptions::named(name) {
            None => by_name(&rules, name).unwrap().settings(),
            Some(options) => {
                let judge = ByNet::new(Net::embedded(stacks).unwrap());
                let options = options.for_stacks(stacks);
                UnionPlayer::new(&rules, options, Memo::without_table(stacks), judge).settings()
            }
        };
        assert_eq!(settings["options"].as_str().unwrap(), today, "{name}, {stacks} stacks, run {hash}");
    }
}

/// What was solved with the deck face up was solved by today's search, and there is such a run for every number of stacks.
#[test]
fn recorded_searches_are_those_of_today() {
    use kachi_lab::simulate::Experiment;
    let mut stacks: Vec<u64> = Vec::new();
    for (hash, searched) in recorded().into_iter().filter(|(_, line)| is_search(line)) {
        let settings = &searched["settings"];
        stacks.push(settings["stacks"].as_u64().unwrap());
        let name = settings["player"].as_str().unwrap();
        let today = FaceUp::named(stacks[stacks.len() - 1] as usize, name).unwrap().unwrap().settings();
        assert_eq!(settings["options"], today["options"], "{name}, run {hash}");
        assert!(searched["games"].as_u64() >= Some(1000), "run {hash}");
    }
    stacks.sort_unstable();
    assert_eq!(stacks, [1, 2, 3, 4]);
}

/// What is recorded of the players of hana was played by today's players.
#[test]
fn recorded_players_of_hana_are_those_of_today() {
    use kachi_lab::simulate::Experiment;
    use kachi_lab::simulate::hana::Hana;
    let mut names = Vec::new();
    for (hash, line) in lines("hana") {
        let settings = &line["settings"];
        let word = |key: &str| settings[key].as_str().unwrap().to_owned();
        let [player, others, house] = ["player", "others", "house"].map(word);
        let today = Hana::new(&player, &others, &house).unwrap().settings();
        assert_eq!(*settings, today, "{player} against {others}, run {hash}");
        names.push(player);
    }
    names.sort();
    assert_eq!(names, ["greedy", "hold", "random", "sampled", "solver"]);
}

/// Every claim has been checked in a campaign, as it is stated today, and turned out as expected.
#[test]
fn every_claim_is_recorded_as_it_stands() {
    use kachi::core::Expected;
    use kachi::registry::Registry;
    use kachi::verify::select;
    let verdicts: Vec<Value> = (records().into_iter())
        .flat_map(|(_, record)| record["summary"]["verdicts"].as_array().cloned().unwrap_or_default())
        .collect();
    let claims = select(Registry::default(), None, &[]).unwrap();
    assert_eq!(verdicts.len(), claims.len(), "claims that are recorded, and those there are");
    for stated in claims {
        let statement = stated.claim.statement();
        let same = |verdict: &&Value| verdict["game"] == stated.game && verdict["claim"] == statement.id;
        let found: Vec<&Value> = verdicts.iter().filter(same).collect();
        let &[verdict] = &found[..] else { panic!("{} is recorded {} times", statement.id, found.len()) };
        let told = ["words", "source", "domain"].map(|key| verdict[key].as_str().unwrap());
        assert_eq!(told, [statement.words, statement.source, statement.domain], "{}", statement.id);
        let expected = if statement.expected == Expected::Holds { "holds" } else { "refuted" };
        assert_eq!(verdict["status"], expected, "{}", statement.id);
        let (size, cases) = (verdict["size"].as_u64().unwrap(), verdict["checked"].as_u64().unwrap());
        assert!(
            cases > 0 && (size >= u64::from(statement.size) || expected == "refuted"),
            "{}",
            statement.id
        );
    }
}

/// All players of calculation in docs/results on the deals 1 to 10000, with the beginning of the run's hash.
fn recorded_players() -> Vec<(String, Value)> {
    let whole = |line: &Value| line["games"] == 10_000 && line["first_seed"] == 1;
    recorded().into_iter().filter(|(_, line)| whole(line) && !is_search(line)).collect()
}

/// Is it no player, but the search that sees the deck?
fn is_search(line: &Value) -> bool {
    face_up::is_search(line["settings"]["player"].as_str().unwrap())
}

/// Every line of a run of calculation in docs/results, with the beginning of the run's hash.
fn recorded() -> Vec<(String, Value)> {
    lines("calculation")
}

/// Every player of a game in docs/results, with the beginning of the run's hash.
fn lines(game: &str) -> Vec<(String, Value)> {
    let mut lines = Vec::new();
    for (hash, record) in records() {
        let players = record["summary"]["players"].as_array().into_iter().flatten();
        let of_game = players.filter(|line| line["settings"]["game"] == game);
        lines.extend(of_game.map(|line| (hash.clone(), line.clone())));
    }
    lines
}

/// Every record in docs/results, with the beginning of its hash.
fn records() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    files
        .map(|path| {
            let record: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
            (record["hash"].as_str().unwrap()[..12].to_owned(), record)
        })
        .collect()
}

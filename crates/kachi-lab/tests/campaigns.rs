//! The shipped campaigns can be opened, campaigns of every kind run to their end with the same bytes for any number of threads, and the earlier layout is
//! taken over.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

use kachi_lab::campaign::import::import;
use kachi_lab::campaign::{Campaign, Ground, Outcome, Run, State, list, rows};
use kachi_lab::table;
use kachi_lab::work::{Progress, Threads, Watch};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

fn fresh(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("campaigns").join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn threads(count: usize) -> Threads {
    Threads(NonZeroUsize::new(count).unwrap())
}

/// Runs a campaign in a data folder of its own; its files by name, and its hash.
fn complete(text: &str, data: &Path, count: usize) -> (Run, Vec<(String, Vec<u8>)>) {
    let campaign = Campaign::read(text).unwrap();
    let tables = table::Folder::of(data);
    let count = NonZeroUsize::new(count).unwrap();
    let games = kachi::registry::Registry::new(kachi::registry::games());
    let study = campaign.open(Ground { games, tables: Some(&tables), threads: Some(count) }).unwrap();
    let mut run = Run::begin(&data.join("lab").join("it"), &campaign, study.as_ref()).unwrap();
    let outcome = run.run(study.as_ref(), &Threads(count), Watch::default()).unwrap();
    assert!(matches!(outcome, Outcome::Complete { .. }), "{outcome:?}");
    let same =
        |name: &String| !["manifest.json", "status.json", "timing.json", "time.svg"].contains(&name.as_str());
    let files = run.files().into_iter().filter(same);
    let files: Vec<(String, Vec<u8>)> = files.map(|name| (name.clone(), run.read(&name).unwrap())).collect();
    (run, files)
}

#[test]
fn every_kind_gives_the_same_bytes_with_one_and_with_two_threads() {
    let kinds = [
        (
            "hana",
            "[comparison]\ngame = \"hana\"\nplayers = [\"greedy\", \"random\"]\ngames = 60\n",
            "ladder.svg",
        ),
        (
            "calculation",
            "[simulation]\ngame = \"calculation\"\nplayer = \"net-look0\"\nstacks = 2\ngames = 3\n",
            "lost.svg",
        ),
        ("claims", "[claims]\ngame = \"tanhinmin\"\nsize = 4\n", "cases.svg"),
        ("counts", "[counts]\ngame = \"calculation\"\nstacks = 3\nranks = 4\n", "levels.svg"),
        ("table", "[table]\ngame = \"calculation\"\nstacks = 2\nranks = 5\n", "levels.svg"),
    ];
    for (name, text, picture) in kinds {
        let (run, one) = complete(text, &fresh(&format!("{name}-1")), 1);
        let (other, two) = complete(text, &fresh(&format!("{name}-2")), 2);
        assert_eq!(one, two, "{name}");
        assert_eq!(run.check_hash().unwrap(), other.check_hash().unwrap());
        assert!(one.iter().any(|(file, svg)| file == picture && svg.starts_with(b"<svg ")), "{name}");
        let data = run.path().parent().unwrap().parent().unwrap();
        let listed = list(data).unwrap();
        assert_eq!((listed.len(), listed[0].state), (1, State::Complete), "{name}");
        assert!(listed[0].done == listed[0].total && listed[0].total > 0, "{listed:?}");
        // Looked at again, nothing is done anew and nothing changes.
        assert_eq!(complete(text, data, 2).1, one, "{name}");
    }
}

#[test]
fn a_table_by_campaign_is_the_table_in_memory() {
    let data = fresh("table");
    complete("[table]\ngame = \"calculation\"\nstacks = 3\nranks = 4\n", &data, 2);
    let size = table::Size::new(3, 4).unwrap();
    let folder = table::Folder::of(&data);
    let expected = calculation::table::in_memory(size, &mut kachi_core::Budget::default()).unwrap();
    assert!(fs::read(folder.file(size)).unwrap() == *expected.bytes);
    assert!(!folder.journal(size).exists());
}

#[test]
fn counts_are_those_of_the_table() {
    let data = fresh("counted");
    let (counts, _) = complete("[counts]\ngame = \"calculation\"\nstacks = 3\nranks = 4\n", &data, 1);
    let data = fresh("valued");
    let (table, _) = complete("[table]\ngame = \"calculation\"\nstacks = 3\nranks = 4\n", &data, 1);
    let [counts, table] = [counts, table].map(|run| run.json("summary.json").unwrap());
    assert_eq!((&counts["states"], &counts["placements"]), (&table["states"], &table["placements"]));
    assert_eq!(counts["states"], 339);
}

#[test]
fn counts_of_any_number_of_chains_tell_how_far_they_are() {
    let data = fresh("chains-told");
    let campaign =
        Campaign::read("[counts]\ngame = \"calculation\"\nstacks = 3\nchains = 3\nranks = 4\n").unwrap();
    let tables = table::Folder::of(&data);
    let games = kachi::registry::Registry::new(kachi::registry::games());
    let study =
        campaign.open(Ground { games, tables: Some(&tables), threads: NonZeroUsize::new(2) }).unwrap();
    let heard = Mutex::new(Vec::new());
    let hear = |progress: &Progress| {
        heard.lock().unwrap().push((progress.tally.units, progress.words.clone()));
    };
    let mut run = Run::begin(&data.join("lab").join("it"), &campaign, study.as_ref()).unwrap();
    let watch = Watch { hear: &hear, ..Watch::default() };
    let outcome = run.run(study.as_ref(), &threads(2), watch).unwrap();
    assert!(matches!(outcome, Outcome::Complete { .. }), "{outcome:?}");
    let heard = heard.into_inner().unwrap();
    let underway = heard.iter().filter(|(units, _)| (1..11_664).contains(units)).count();
    assert!(underway > 2, "{heard:?}");
    assert!(heard.iter().any(|(_, words)| words == "counting states, 4 cards left"), "{heard:?}");
    assert_eq!(heard.last().unwrap().0, 11_664, "what is known in the end");
}

#[test]
fn the_shipped_campaigns_can_be_opened() {
    let data = fresh("shipped");
    let tables = table::Folder::of(&data);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../campaigns");
    let mut opened = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let games = kachi::registry::Registry::new(kachi::registry::games());
        let campaign = Campaign::read(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let study = campaign.open(Ground { games, tables: Some(&tables), threads: None });
        // The union needs a table, which nobody has built here; that is said before the first game.
        match study.err() {
            Some(error) if error.code == "stand_in" => assert!(text.contains("union"), "{}", path.display()),
            error => {
                assert!(error.is_none(), "{}: {error:?}", path.display());
                opened += 1;
            }
        }
        assert!(!campaign.title.is_empty());
    }
    assert!(opened >= 10, "{opened}");
}

#[test]
fn wrong_campaigns_are_refused_at_the_field() {
    for (text, code, at) in [
        ("[simulation]\ngame = \"tanhinmin\"\nplayer = \"x\"\ngames = 1\n", "no_simulation", "tanhinmin"),
        ("[simulation]\ngame = \"calculation\"\nplayer = \"x\"\ngames = 1\n", "unknown_player", "x"),
        (
            "[simulation]\ngame = \"calculation\"\nplayer = \"paper\"\nstacks = 9\ngames = 1\n",
            "bad_stacks",
            "9",
        ),
        ("[simulation]\ngame = \"hana\"\nplayer = \"greedy\"\nstacks = 3\ngames = 1\n", "bad_campaign", "3"),
        ("[comparison]\ngame = \"hana\"\nplayers = [\"greedy\"]\ngames = 1\n", "bad_campaign", "greedy"),
        (
            "[comparison]\ngame = \"hana\"\nplayers = [\"hold\", \"gready\"]\ngames = 1\n",
            "unknown_player",
            "gready",
        ),
        ("[claims]\ngame = \"hana\"\nclaims = [\"lema\"]\n", "unknown_claim", "lema"),
        ("[claims]\ngame = \"hana\"\n[claims.sizes]\nlema = 3\n", "unknown_claim", "lema"),
        ("[table]\ngame = \"hana\"\nstacks = 3\nranks = 3\n", "no_table", "hana"),
        ("[counts]\ngame = \"calculation\"\nstacks = 7\nranks = 3\n", "bad_stacks", "7"),
    ] {
        let campaign = Campaign::read(text).unwrap();
        let data = fresh("wrong");
        let tables = table::Folder::of(&data);
        let games = kachi::registry::Registry::new(kachi::registry::games());
        let ground = Ground { games, tables: Some(&tables), threads: None };
        let error = campaign.locate(text, campaign.open(ground).err().unwrap());
        assert_eq!(error.code, code, "{text}");
        assert!(error.hint.is_some(), "{text}");
        match error.at {
            Some(kachi_core::Place::Text(range)) => assert!(text[range].contains(at), "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

/// A run of the earlier layout, written by hand as the earlier program wrote it: shards of two games, sealed with FNV-1a.
fn earlier(
    from: &Path,
    games: u64,
    manifest: impl FnOnce(&kachi_lab::simulate::Simulation) -> serde_json::Value,
) {
    fs::create_dir_all(from.join("shards")).unwrap();
    fs::create_dir_all(from.join("times")).unwrap();
    let simulation = kachi_lab::simulate::Simulation {
        settings: serde_json::json!({"game": "calculation", "player": "paper", "stacks": 3}),
        first_seed: 1,
        games,
        shard: 2,
    };
    let run = format!("{:016x}", simulation.fingerprint());
    fs::write(from.join("manifest.json"), manifest(&simulation).to_string()).unwrap();
    for shard in 0..2_u64 {
        let mut text = String::new();
        for seed in 2 * shard + 1..2 * shard + 3 {
            text += &format!("{{\"seed\":{seed},\"won\":{},\"turn\":52,\"score\":52}}\n", seed == 3);
        }
        let sum = kachi_lab::simulate::folder::checksum(text.as_bytes());
        text += &format!("{{\"games\":2,\"run\":\"{run}\",\"checksum\":\"{sum:016x}\"}}\n");
        fs::write(from.join(format!("shards/{shard:06}.jsonl")), text).unwrap();
    }
}

#[test]
fn a_run_of_the_earlier_layout_is_taken_over() {
    let from = fresh("earlier");
    earlier(&from, 4, |simulation| serde_json::json!({"format": 1, "simulation": simulation}));
    let into = fresh("imported").join("lab/paper");
    let mut imported = import(&from, &into).unwrap();
    assert_eq!(imported.taken, 4);
    let outcome = imported.run.sum_up(&imported.games).unwrap();
    let Outcome::Complete { summary, .. } = outcome else { panic!("not complete") };
    assert_eq!((&summary["players"][0]["won"], &summary["players"][0]["games"]), (&1.into(), &4.into()));
    let (_, cells) = rows::read(Run::at(&into).unwrap().read("results.parquet").unwrap()).unwrap();
    assert_eq!(cells.len(), 4);
    assert_eq!(import(&from, &into).err().unwrap().code, "other_run");
}

#[test]
fn games_of_an_unknown_version_are_mixed_with_none() {
    let from = fresh("unversioned");
    earlier(&from, 6, |simulation| serde_json::json!({"format": 1, "simulation": simulation}));
    let mut imported = import(&from, &fresh("of-unknown")).unwrap();
    assert_eq!((imported.taken, &*imported.run.manifest.kachi), (4, "(version unknown)"));
    assert_eq!(imported.run.check_version().unwrap_err().code, "other_version");
    let refused = imported.run.run(&imported.games, &threads(1), Watch::default()).unwrap_err();
    assert_eq!(refused.code, "other_version");
    // Two games are missing, and nobody makes them.
    assert_eq!(imported.run.sum_up(&imported.games).unwrap_err().code, "unfinished");
    let from = fresh("versioned");
    earlier(
        &from,
        4,
        |simulation| serde_json::json!({"format": 1, "kachi": "0.0.7", "simulation": simulation}),
    );
    assert_eq!(import(&from, &fresh("of-known")).unwrap().run.manifest.kachi, "0.0.7");
}

#[test]
fn manifests_that_promise_more_games_than_there_are_seconds_are_listed_and_refused() {
    let data = fresh("hostile");
    let from = data.join("lab/endless");
    earlier(&from, u64::MAX - 1, |simulation| serde_json::json!({"format": 1, "simulation": simulation}));
    let listed = list(&data).unwrap();
    assert_eq!((listed.len(), listed[0].done, listed[0].good), (1, 4, 1));
    let into = fresh("of-hostile");
    assert_eq!(import(&from, &into).err().unwrap().code, "too_large");
    assert!(!into.exists());
    // Seeds beyond the last number there is.
    let text = fs::read_to_string(from.join("manifest.json")).unwrap();
    fs::write(from.join("manifest.json"), text.replace("\"first_seed\":1", "\"first_seed\":9")).unwrap();
    let listed = list(&data).unwrap();
    assert_eq!((listed.len(), listed[0].state), (1, State::Unreadable));
    assert!(listed[0].words.contains("seeds are out of range"), "{}", listed[0].words);
    assert_eq!(import(&from, &into).err().unwrap().code, "foreign_folder");
}

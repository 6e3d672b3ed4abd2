//! Runs of a toy game in their folders: the same bytes for any number of threads, after a stop, after damage; and what they show.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

use kachi_core::Error;
use kachi_core::random::Dealer;
use kachi_lab::campaign::file::Simulation;
use kachi_lab::campaign::{Campaign, Outcome, Run, State, Status, What, rows};
use kachi_lab::simulate::recorded::players;
use kachi_lab::simulate::{Comparison, Contestant, Experiment, Games, Measure, Played, Shown, Timing, plot};
use kachi_lab::work::{Ended, Engine, OnDisk, Progress, Store, Threads, Watch, Work};
use serde_json::{Value, json};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// A coin that comes up heads with a chance in percent; slow if a game has to take its time.
#[derive(Clone)]
struct Coin {
    chance: u64,
    slow: Duration,
    fails_at: Option<u64>,
}

const COIN: Coin = Coin { chance: 70, slow: Duration::ZERO, fails_at: None };

impl Experiment for Coin {
    fn settings(&self) -> Value {
        json!({"game": "coin", "player": format!("coin-{}", self.chance), "chance": self.chance})
    }

    fn contestant(&self) -> Result<Box<dyn Contestant + '_>, Error> {
        Ok(Box::new(Tosser(self)))
    }
}

struct Tosser<'c>(&'c Coin);

impl Contestant for Tosser<'_> {
    fn play(&mut self, seed: u64, _: &(dyn Fn() -> bool + Sync)) -> Result<Option<Played>, Error> {
        if self.0.fails_at == Some(seed) {
            return Err(Error::new("no_coin", "the coin rolled away"));
        }
        std::thread::sleep(self.0.slow);
        let mut dealer = Dealer::new(seed);
        let won = dealer.below(100) < self.0.chance;
        let turn = 1 + dealer.below(52) as u32;
        let on = (!won).then(|| ["K", "A", "T"][dealer.below(3) as usize].to_owned());
        Ok(Some(Played { seed, won, turn, score: i64::from(turn), on }))
    }
}

fn games(coins: &[Coin], games: u64) -> Games {
    let players = coins.iter().map(|coin| Box::new(coin.clone()) as Box<dyn Experiment>).collect();
    let mut games = Games::new(players, 5, games).unwrap();
    games.shard = 8;
    games
}

/// The campaign only names the kind here: what is played is given by hand.
fn campaign(games: u64) -> Campaign {
    let part = Simulation {
        game: "coin".to_owned(),
        player: "coin".to_owned(),
        games,
        first_seed: 5,
        stacks: None,
        others: None,
        house: None,
    };
    Campaign { title: "coins".to_owned(), what: What::Simulation(part) }
}

fn fresh(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("simulate").join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn threads(count: usize) -> Threads {
    Threads(NonZeroUsize::new(count).unwrap())
}

/// Every file that must not depend on how the games were played.
fn results(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut names: Vec<String> = fs::read_dir(folder.join("shards"))
        .unwrap()
        .map(|entry| format!("shards/{}", entry.unwrap().file_name().into_string().unwrap()))
        .collect();
    names.extend(["results.parquet", "summary.json", "lost.svg"].map(str::to_owned));
    names.sort();
    let mut files: Vec<(String, Vec<u8>)> =
        names.into_iter().map(|name| (name.clone(), fs::read(folder.join(name)).unwrap())).collect();
    let hash = Run::at(folder).unwrap().manifest.hash.unwrap();
    files.push(("hash".to_owned(), hash.into_bytes()));
    files
}

fn run(folder: &Path, work: &Games, engine: Threads, watch: Watch<'_>) -> Result<Outcome, Error> {
    Run::begin(folder, &campaign(work.games), work)?.run(work, &engine, watch)
}

fn complete(folder: &Path, coins: &[Coin], count: u64, hands: usize) -> Vec<(String, Vec<u8>)> {
    let outcome = run(folder, &games(coins, count), threads(hands), Watch::default()).unwrap();
    assert!(matches!(outcome, Outcome::Complete { .. }), "{outcome:?}");
    results(folder)
}

#[test]
fn the_results_are_the_same_bytes_for_any_number_of_threads() {
    let one = complete(&fresh("one"), &[COIN], 100, 1);
    assert_eq!(one.len(), 13 + 4);
    for count in [2, 5, 64] {
        assert_eq!(complete(&fresh("many"), &[COIN], 100, count), one);
    }
}

#[test]
fn results_are_rows_in_the_order_of_the_seeds() {
    let folder = fresh("rows");
    complete(&folder, &[COIN], 20, 3);
    let run = Run::at(&folder).unwrap();
    let (names, cells) = rows::read(run.read("results.parquet").unwrap()).unwrap();
    assert_eq!(names, ["player", "seed", "won", "turn", "score", "on"]);
    assert_eq!(cells.len(), 20);
    let lines = players(&run).unwrap();
    let mut tosser = Tosser(&COIN);
    for (seed, game) in (5..25).zip(&lines[0].games) {
        assert_eq!(*game, tosser.play(seed, &|| false).unwrap().unwrap());
    }
    assert!(folder.join("timing.json").exists(), "times are kept apart");
    assert!(!fs::read_to_string(folder.join("summary.json")).unwrap().contains("seconds"));
}

#[test]
fn a_run_that_is_stopped_goes_on_where_it_ended() {
    let whole = complete(&fresh("whole"), &[COIN], 60, 2);
    let folder = fresh("stopped");
    let stop = AtomicBool::new(false);
    let played = AtomicU64::new(0);
    let work = games(&[COIN], 60);
    // Stopped after every seventh game, in the middle of shards.
    let mut kept = 0;
    for round in 1.. {
        stop.store(false, Ordering::Relaxed);
        let last = AtomicU64::new(0);
        let hear = |news: &Progress| {
            if news.tally.units > last.swap(news.tally.units, Ordering::Relaxed)
                && played.fetch_add(1, Ordering::Relaxed) % 7 == 6
            {
                stop.store(true, Ordering::Relaxed);
            }
        };
        match run(&folder, &work, threads(2), Watch { stop: &stop, hear: &hear }).unwrap() {
            Outcome::Stopped(progress) => {
                let units = progress.tally.units;
                assert!(units < 60 && round < 60 && units > kept, "nothing is lost: {units} after {kept}");
                kept = units;
                assert_eq!(Status::of(&folder).unwrap().state, State::Stopped);
            }
            Outcome::Complete { .. } => {
                assert!(round > 3, "it was stopped {round} times");
                break;
            }
        }
    }
    assert_eq!(results(&folder), whole);
}

#[test]
fn a_run_that_is_stopped_at_once_says_what_is_kept() {
    let folder = fresh("at-once");
    complete(&folder, &[COIN], 50, 2);
    let stop = AtomicBool::new(true);
    let longer = run(&folder, &games(&[COIN], 90), threads(2), Watch { stop: &stop, hear: &|_| {} }).unwrap();
    let Outcome::Stopped(progress) = longer else { panic!("{longer:?}") };
    assert_eq!((progress.tally.units, progress.found.units), (50, 50));
}

#[test]
fn a_finished_run_is_not_made_shorter() {
    let folder = fresh("shorter");
    let whole = complete(&folder, &[COIN], 50, 2);
    let shorter = Run::begin(&folder, &campaign(40), &games(&[COIN], 40)).unwrap_err();
    assert_eq!(shorter.code, "shorter_run");
    assert_eq!(complete(&folder, &[COIN], 50, 2), whole);
    // What nobody can have cited yet may be made shorter.
    let stop = AtomicBool::new(true);
    run(&folder, &games(&[COIN], 90), threads(1), Watch { stop: &stop, hear: &|_| {} }).unwrap();
    assert_eq!(complete(&folder, &[COIN], 60, 1), complete(&fresh("sixty"), &[COIN], 60, 2));
}

#[test]
fn a_run_can_be_made_longer_and_looked_at_again() {
    let folder = fresh("longer");
    complete(&folder, &[COIN], 20, 2);
    let longer = complete(&folder, &[COIN], 50, 2);
    assert_eq!(longer, complete(&fresh("long"), &[COIN], 50, 1));
    // Nothing is left to play: a coin that cannot be tossed gives the same.
    let broken = Coin { fails_at: Some(9), ..COIN };
    assert_eq!(complete(&folder, &[broken], 50, 2), longer);
}

#[test]
fn damaged_torn_and_foreign_shards_are_played_again() {
    let folder = fresh("damaged");
    let whole = complete(&folder, &[COIN], 60, 1);
    let name = |i: u32| format!("shards/000-000-{i:06}.jsonl");
    let shard = |i: u32| folder.join(name(i));
    let mut bytes = fs::read(shard(0)).unwrap();
    bytes[20] ^= 1;
    fs::write(shard(0), bytes).unwrap();
    let torn = fs::read(shard(1)).unwrap();
    fs::write(shard(1), &torn[..torn.len() / 2]).unwrap();
    fs::write(shard(2), b"").unwrap();
    fs::copy(shard(4), shard(3)).unwrap();
    let other = Coin { chance: 1, ..COIN };
    let foreign = fresh("foreign");
    complete(&foreign, &[other], 60, 1);
    fs::copy(foreign.join(name(5)), shard(5)).unwrap();
    let told = std::sync::Mutex::new(Progress::default());
    let hear = |news: &Progress| *told.lock().unwrap() = news.clone();
    let outcome = run(&folder, &games(&[COIN], 60), threads(2), Watch { hear: &hear, ..Watch::default() });
    let Outcome::Complete { mended, .. } = outcome.unwrap() else { panic!("not complete") };
    // A shard in the place of another one is whole, but its seal names the place that it was made for.
    assert_eq!(mended, [0, 1, 2, 3, 5].map(name));
    let progress = told.into_inner().unwrap();
    assert_eq!(progress.tally.units - progress.found.units, 5 * 8);
    assert_eq!(results(&folder), whole);
}

#[test]
fn a_finished_run_that_is_tampered_with_is_noticed() {
    let folder = fresh("tampered");
    complete(&folder, &[COIN], 30, 2);
    let run = Run::at(&folder).unwrap();
    let hash = run.check_hash().unwrap().to_owned();
    assert_eq!((hash.len(), run.hash().unwrap()), (64, hash.clone()));
    let summary = fs::read_to_string(folder.join("summary.json")).unwrap();
    fs::write(folder.join("summary.json"), summary.replace("\"won\": ", "\"won\": 1")).unwrap();
    assert_eq!(run.check_hash().unwrap_err().code, "damaged_run");
    complete(&folder, &[COIN], 30, 1);
    assert_eq!(run.check_hash().unwrap(), hash);
}

#[test]
fn a_folder_with_another_run_or_of_another_version_is_refused() {
    let folder = fresh("other");
    complete(&folder, &[COIN], 10, 1);
    let other = games(&[Coin { chance: 1, ..COIN }], 10);
    let refused = |work: &Games| run(&folder, work, threads(1), Watch::default()).unwrap_err();
    let error = refused(&other);
    assert_eq!(error.code, "other_run");
    assert!(error.message.contains("70") && error.hint.is_some(), "{error}");
    let mut later = games(&[COIN], 10);
    later.first_seed = 6;
    assert!(refused(&later).message.contains("first_seed"));
    let manifest = fs::read_to_string(folder.join("manifest.json")).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let newer = manifest.replace(&format!("\"kachi\": \"{version}\""), "\"kachi\": \"99.0.0\"");
    fs::write(folder.join("manifest.json"), newer).unwrap();
    let error = refused(&games(&[COIN], 10));
    assert_eq!(error.code, "other_version");
    assert!(error.message.contains("99.0.0") && error.message.contains(version));
    for (text, words) in [("{}", "no layout"), ("{\"format\": 3}", "layout is 3"), ("[", "EOF")] {
        fs::write(folder.join("manifest.json"), text).unwrap();
        let error = refused(&games(&[COIN], 10));
        assert_eq!(error.code, "foreign_folder");
        assert!(error.message.contains(words), "{error}");
    }
    assert_eq!(Games::new(vec![Box::new(COIN)], 1, 0).err().unwrap().code, "bad_value");
}

#[test]
fn a_run_that_another_process_is_at_is_left_as_it_is() {
    let folder = fresh("locked");
    let coins = [COIN];
    complete(&folder, &coins, 40, 1);
    let manifest = fs::read(folder.join("manifest.json")).unwrap();
    // As whoever began it at the same moment would have it: no status was written yet.
    fs::remove_file(folder.join("status.json")).unwrap();
    let other = fs::File::open(folder.join("lock")).unwrap();
    other.try_lock().unwrap();
    let longer = games(&coins, 90);
    let refused = run(&folder, &longer, threads(1), Watch::default()).unwrap_err();
    assert_eq!(refused.code, "already_running");
    assert_eq!(fs::read(folder.join("manifest.json")).unwrap(), manifest);
    drop(other);
    assert!(matches!(run(&folder, &longer, threads(1), Watch::default()), Ok(Outcome::Complete { .. })));
}

#[test]
fn a_contestant_who_fails_ends_the_run_and_what_was_kept_stays() {
    let folder = fresh("fails");
    let broken = Coin { fails_at: Some(40), ..COIN };
    let error = run(&folder, &games(&[broken], 60), threads(2), Watch::default()).unwrap_err();
    assert_eq!(error.code, "no_coin");
    assert_eq!(Status::of(&folder).unwrap().state, State::Failed);
    assert!(fs::read_dir(folder.join("shards")).unwrap().count() >= 1);
    assert_eq!(complete(&folder, &[COIN], 60, 2), complete(&fresh("sound"), &[COIN], 60, 1));
    assert_eq!(Status::of(&folder).unwrap().state, State::Complete);
}

#[test]
fn players_are_compared_deal_by_deal() {
    let (strong, weak) = (fresh("strong"), fresh("weak"));
    let feeble = Coin { chance: 60, ..COIN };
    complete(&strong, &[COIN], 400, 2);
    complete(&weak, std::slice::from_ref(&feeble), 300, 2);
    let [strong, weak] = [strong, weak].map(|path| players(&Run::at(&path).unwrap()).unwrap().remove(0));
    let of = |one: &[Played], other: &[Played]| {
        let settings = [strong.summary.settings.clone(), weak.summary.settings.clone()];
        Comparison::of(settings, Measure::Wins, one.iter().cloned(), other.iter().cloned())
    };
    let comparison = of(&strong.games, &weak.games);
    // The weak coin wins only deals that the strong one wins.
    assert_eq!((comparison.games, comparison.deals.only_second), (300, 0));
    let by_hand = (5..305).filter(|&seed| (60..70).contains(&Dealer::new(seed).below(100))).count();
    assert_eq!(comparison.deals.only_first, by_hand as u64);
    assert!(comparison.interval.low > 0.0 && comparison.interval.high > comparison.difference);
    assert!(comparison.chance_if_equal < 1e-6);
    let mirrored = of(&weak.games, &strong.games);
    assert!((mirrored.difference + comparison.difference).abs() < 1e-12);
    assert_eq!(comparison.better_first(), comparison);
    let turned = mirrored.better_first();
    assert_eq!((turned.deals, turned.chance_if_equal), (comparison.deals, comparison.chance_if_equal));
    assert!((turned.interval.low - comparison.interval.low).abs() < 1e-12 && turned.difference > 0.0);
    // Both in one run say the same.
    let both = fresh("both");
    complete(&both, &[COIN, feeble], 300, 2);
    let shown: Shown = serde_json::from_value(Run::at(&both).unwrap().json("summary.json").unwrap()).unwrap();
    assert_eq!(shown.comparisons[0].deals, comparison.deals);
    assert!(fs::read_to_string(both.join("ladder.svg")).unwrap().contains("coin-60"));
}

#[test]
fn the_summary_counts_what_the_lines_say() {
    let folder = fresh("summary");
    let slow = Coin { slow: Duration::from_micros(300), ..COIN };
    complete(&folder, &[slow], 200, 2);
    let run = Run::at(&folder).unwrap();
    let shown: Shown = serde_json::from_value(run.json("summary.json").unwrap()).unwrap();
    let timings: Vec<Timing> = serde_json::from_value(run.json("timing.json").unwrap()).unwrap();
    let (summary, timing) = (&shown.players[0], &timings[0]);
    let won = players(&run).unwrap()[0].games.iter().filter(|line| line.won).count() as u64;
    assert_eq!((summary.games, summary.won), (200, won));
    assert!(summary.interval.low < summary.rate && summary.rate < summary.interval.high);
    assert_eq!(summary.lost.by_turn.values().sum::<u64>(), 200 - won);
    assert_eq!(summary.lost.on.values().sum::<u64>(), 200 - won);
    assert_eq!(timing.games, 200);
    assert!(timing.median <= timing.most && timing.most <= timing.longest);
    let last = timing.curve.last().unwrap();
    assert!((last.won - summary.rate).abs() < 1e-12, "with all the time there is, every win counts");
    assert!(timing.curve.windows(2).all(|pair| pair[0].won <= pair[1].won));
    for picture in ["lost.svg", "time.svg"] {
        let svg = fs::read_to_string(folder.join(picture)).unwrap();
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && !svg.contains("NaN"), "{picture}");
    }
    let both = plot::success_against_time(&[("a".into(), summary, timing), ("b".into(), summary, timing)]);
    assert!(both.contains(">a: ") && both.contains(">b: "));
    let status = Status::of(&folder).unwrap();
    assert_eq!((status.done, status.total, status.unit.as_str(), status.good), (200, 200, "games", won));
}

/// An engine whose disk fails between the last shard and the summing up.
struct Failing<'f>(&'f (dyn Fn() + Sync));

impl Engine for Failing<'_> {
    fn run(&self, work: &dyn Work, store: &dyn Store, watch: Watch<'_>) -> Result<Ended, Error> {
        let ended = threads(1).run(work, store, watch)?;
        (self.0)();
        Ok(ended)
    }

    fn hosts(&self) -> Vec<String> {
        Vec::new()
    }
}

#[test]
fn what_is_lost_before_the_end_is_not_summed_up_without_it() {
    let reference = complete(&fresh("whole"), &[COIN], 60, 1);
    let shard = "shards/000-000-000003.jsonl";
    let folder = fresh("lost");
    complete(&folder, &[COIN], 60, 1);
    let missing = || fs::remove_file(folder.join(shard)).unwrap();
    // Nobody can read a folder as a file, whatever his rights: this stands for a disk with a bad block.
    let unreadable = || {
        missing();
        fs::create_dir(folder.join(shard)).unwrap();
    };
    let damaged = || fs::write(folder.join(shard), "torn").unwrap();
    for (fails, code) in [
        (&missing as &(dyn Fn() + Sync), "lost_shard"),
        (&unreadable, "cannot_read"),
        (&damaged, "lost_shard"),
    ] {
        let before = fs::read(folder.join("results.parquet")).unwrap();
        let mut run = Run::begin(&folder, &campaign(60), &games(&[COIN], 60)).unwrap();
        let refused = run.run(&games(&[COIN], 60), &Failing(fails), Watch::default()).unwrap_err();
        assert_eq!(refused.code, code, "{refused:?}");
        assert!(fs::read(folder.join("results.parquet")).unwrap() == before);
        assert_eq!(Status::of(&folder).unwrap().hash, run.manifest.hash);
        let _ = fs::remove_dir(folder.join(shard));
        assert_eq!(complete(&folder, &[COIN], 60, 1), reference, "{code}");
    }
}

#[test]
fn a_folder_with_something_else_in_it_is_refused_and_left_as_it_is() {
    let folder = fresh("home");
    fs::create_dir_all(folder.join("shards")).unwrap();
    let precious = [".bashrc", ".17.tmp", "shards/.profile"];
    for name in precious {
        fs::write(folder.join(name), "precious").unwrap();
    }
    let refused = run(&folder, &games(&[COIN], 10), threads(1), Watch::default()).unwrap_err();
    assert_eq!(refused.code, "foreign_folder");
    assert!(refused.message.contains(".17.tmp") && refused.hint.is_some(), "{refused:?}");
    assert!(precious.iter().all(|name| folder.join(name).exists()));
    // Results of somebody else are not ours either.
    let folder = fresh("elsewhere");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("summary.json"), "{}").unwrap();
    let refused = run(&folder, &games(&[COIN], 10), threads(1), Watch::default()).unwrap_err();
    assert_eq!(refused.code, "foreign_folder");
}

#[test]
fn a_run_that_was_killed_before_its_manifest_begins_again() {
    let reference = complete(&fresh("unkilled"), &[COIN], 10, 1);
    let folder = fresh("killed-early");
    fs::create_dir_all(&folder).unwrap();
    for name in [".manifest.json.17.tmp", ".status.json.17", "lock"] {
        fs::write(folder.join(name), "").unwrap();
    }
    assert_eq!(complete(&folder, &[COIN], 10, 1), reference);
    assert!(!folder.join(".manifest.json.17.tmp").exists() && !folder.join(".status.json.17").exists());
}

#[test]
fn only_what_a_run_leaves_is_removed() {
    let folder = fresh("cleaned");
    let outcome = run(&folder, &games(&[COIN, COIN], 20), threads(1), Watch::default()).unwrap();
    assert!(matches!(outcome, Outcome::Complete { .. }));
    let store = OnDisk::open(&folder, &Run::at(&folder).unwrap().fingerprint()).unwrap();
    store
        .put(kachi_lab::work::Shard { line: 0, stage: 0, index: 0 }, &kachi_lab::work::Made::default())
        .unwrap();
    fs::write(folder.join(".summary.json.17.tmp"), "").unwrap();
    let precious = [".bashrc", "notes.txt", "shards/letter.jsonl"];
    for name in precious {
        fs::write(folder.join(name), "precious").unwrap();
    }
    let run_ = Run::at(&folder).unwrap();
    run_.cleaner().unwrap().remove_shards().unwrap();
    assert!(run_.check_hash().is_ok() && !folder.join("times").exists() && !folder.join("parts").exists());
    assert_eq!(run_.cleaner().unwrap().remove_all().unwrap(), [".bashrc", "notes.txt", "shards"]);
    assert!(precious.iter().all(|name| folder.join(name).exists()));
    assert_eq!(fs::read_dir(folder.join("shards")).unwrap().count(), 1);
    for name in precious {
        fs::remove_file(folder.join(name)).unwrap();
    }
    fs::remove_dir_all(&folder).unwrap();
    complete(&folder, &[COIN], 20, 1);
    assert_eq!(Run::at(&folder).unwrap().cleaner().unwrap().remove_all().unwrap(), [""; 0]);
    assert!(!folder.exists());
}

#[test]
fn a_run_that_somebody_is_at_is_not_cleaned() {
    let folder = fresh("busy");
    let at_it = || {
        let refused = Run::at(&folder).unwrap().cleaner().unwrap_err();
        assert_eq!(refused.code, "already_running");
    };
    let mut run = Run::begin(&folder, &campaign(10), &games(&[COIN], 10)).unwrap();
    run.run(&games(&[COIN], 10), &Failing(&at_it), Watch::default()).unwrap();
    assert!(Run::at(&folder).unwrap().cleaner().is_ok());
}

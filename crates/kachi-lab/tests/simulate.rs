//! Runs of a toy game: the same bytes for any number of threads, after a stop, after `kill -9`, after damage; and what they show.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

use kachi_core::Error;
use kachi_core::random::Dealer;
use kachi_lab::simulate::{Comparison, Ended, Experiment, Folder, Played, Run, Simulation, Worker, plot};
use serde_json::{Value, json};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// A coin that comes up heads with a chance in percent; slow if a game has to take its time.
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

    fn worker(&self) -> Result<Box<dyn Worker + '_>, Error> {
        Ok(Box::new(Tosser(self)))
    }
}

struct Tosser<'c>(&'c Coin);

impl Worker for Tosser<'_> {
    fn play(&mut self, seed: u64) -> Result<Played, Error> {
        if self.0.fails_at == Some(seed) {
            return Err(Error::new("no_coin", "the coin rolled away"));
        }
        std::thread::sleep(self.0.slow);
        let mut dealer = Dealer::new(seed);
        let won = dealer.below(100) < self.0.chance;
        let turn = 1 + dealer.below(52) as u32;
        let on = (!won).then(|| ["K", "A", "T"][dealer.below(3) as usize].to_owned());
        Ok(Played { seed, won, turn, score: turn, on })
    }
}

fn simulation(coin: &Coin, games: u64) -> Simulation {
    Simulation { settings: coin.settings(), first_seed: 5, games, shard: 8 }
}

fn fresh(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("simulate").join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn threads(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).unwrap()
}

/// Every file that must not depend on how the games were played.
fn results(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut names: Vec<String> = fs::read_dir(folder.join("shards"))
        .unwrap()
        .map(|entry| format!("shards/{}", entry.unwrap().file_name().into_string().unwrap()))
        .collect();
    names.extend(["manifest.json", "results.jsonl", "summary.json", "lost.svg"].map(str::to_owned));
    names.sort();
    names.into_iter().map(|name| (name.clone(), fs::read(folder.join(name)).unwrap())).collect()
}

fn complete(folder: &Path, coin: &Coin, games: u64, count: usize) -> Vec<(String, Vec<u8>)> {
    let run = Run { threads: threads(count), ..Run::new(folder) };
    let ended = run.play(&simulation(coin, games), coin).unwrap();
    assert!(matches!(ended, Ended::Complete(_)), "{ended:?}");
    results(folder)
}

#[test]
fn the_results_are_the_same_bytes_for_any_number_of_threads() {
    let one = complete(&fresh("one"), &COIN, 100, 1);
    assert_eq!(one.len(), 13 + 4);
    for count in [2, 5, 64] {
        assert_eq!(complete(&fresh("many"), &COIN, 100, count), one);
    }
}

#[test]
fn results_are_one_json_object_a_line_in_the_order_of_the_seeds() {
    let folder = fresh("lines");
    complete(&folder, &COIN, 20, 3);
    let text = fs::read_to_string(folder.join("results.jsonl")).unwrap();
    let seeds: Vec<u64> =
        text.lines().map(|line| serde_json::from_str::<Played>(line).unwrap().seed).collect();
    assert_eq!(seeds, (5..25).collect::<Vec<u64>>());
    let times = fs::read_to_string(folder.join("times.jsonl")).unwrap();
    assert_eq!(times.lines().count(), 20);
    assert!(!text.contains("seconds"), "times are kept apart");
}

#[test]
fn a_run_that_is_stopped_goes_on_where_it_ended() {
    let whole = complete(&fresh("whole"), &COIN, 60, 2);
    let folder = fresh("stopped");
    let stop = AtomicBool::new(false);
    let played = AtomicU64::new(0);
    // Stopped after every seventh game, in the middle of shards.
    for round in 1.. {
        stop.store(false, Ordering::Relaxed);
        let progress = |_| {
            if played.fetch_add(1, Ordering::Relaxed) % 7 == 6 {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let run = Run { stop: &stop, progress: &progress, threads: threads(2), ..Run::new(&folder) };
        match run.play(&simulation(&COIN, 60), &COIN).unwrap() {
            Ended::Stopped { games, .. } => assert!(games < 60 && round < 60),
            Ended::Complete(_) => {
                assert!(round > 3, "it was stopped {round} times");
                break;
            }
        }
    }
    assert_eq!(results(&folder), whole);
}

#[test]
fn a_run_can_be_made_longer_and_looked_at_again() {
    let folder = fresh("longer");
    complete(&folder, &COIN, 20, 2);
    let longer = complete(&folder, &COIN, 50, 2);
    assert_eq!(longer, complete(&fresh("long"), &COIN, 50, 1));
    // Nothing is left to play: a coin that cannot be tossed gives the same.
    let broken = Coin { fails_at: Some(9), ..COIN };
    assert_eq!(complete(&folder, &broken, 50, 2), longer);
    // Fewer games of the same run are the first ones of it.
    let run = Run::new(&folder).play(&simulation(&COIN, 20), &COIN).unwrap();
    let Ended::Complete(shown) = run else { panic!("{run:?}") };
    assert_eq!(shown.0.games, 20);
}

#[test]
fn damaged_torn_and_foreign_shards_are_played_again() {
    let folder = fresh("damaged");
    let whole = complete(&folder, &COIN, 60, 1);
    let shard = |i: u32| folder.join(format!("shards/{i:06}.jsonl"));
    let flip = |path: &Path, at: usize| {
        let mut bytes = fs::read(path).unwrap();
        bytes[at] ^= 1;
        fs::write(path, bytes).unwrap();
    };
    flip(&shard(0), 20);
    let torn = fs::read(shard(1)).unwrap();
    fs::write(shard(1), &torn[..torn.len() / 2]).unwrap();
    fs::write(shard(2), b"").unwrap();
    fs::copy(shard(4), shard(3)).unwrap();
    let other = Coin { chance: 1, ..COIN };
    let foreign = fresh("foreign");
    complete(&foreign, &other, 60, 1);
    fs::copy(foreign.join("shards/000005.jsonl"), shard(5)).unwrap();
    let again = AtomicU64::new(0);
    let progress = |_| {
        again.fetch_add(1, Ordering::Relaxed);
    };
    let run = Run { progress: &progress, ..Run::new(&folder) };
    run.play(&simulation(&COIN, 60), &COIN).unwrap();
    // Once at the beginning, then once for each of the 8 games of 5 shards.
    assert_eq!(again.load(Ordering::Relaxed), 1 + 5 * 8);
    assert_eq!(results(&folder), whole);
}

#[test]
fn a_folder_with_another_run_is_refused() {
    let folder = fresh("other");
    complete(&folder, &COIN, 10, 1);
    let other = Coin { chance: 1, ..COIN };
    let error = Run::new(&folder).play(&simulation(&other, 10), &other).unwrap_err();
    assert_eq!(error.code, "other_run");
    assert!(error.message.contains("coin-70") && error.hint.is_some(), "{error}");
    let later = Simulation { first_seed: 6, ..simulation(&COIN, 10) };
    assert!(Run::new(&folder).play(&later, &COIN).unwrap_err().message.contains("first seed"));
    fs::write(folder.join("manifest.json"), "{}").unwrap();
    assert_eq!(Run::new(&folder).play(&later, &COIN).unwrap_err().code, "foreign_folder");
    let none = Simulation { games: 0, ..simulation(&COIN, 1) };
    assert_eq!(Run::new(&fresh("none")).play(&none, &COIN).unwrap_err().code, "bad_value");
}

#[test]
fn a_worker_that_fails_ends_the_run_and_what_was_kept_stays() {
    let folder = fresh("fails");
    let broken = Coin { fails_at: Some(40), ..COIN };
    let run = Run { threads: threads(2), ..Run::new(&folder) };
    assert_eq!(run.play(&simulation(&broken, 60), &broken).unwrap_err().code, "no_coin");
    assert!(Folder::find(&folder).unwrap().unwrap().games().count() >= 8);
    assert_eq!(complete(&folder, &COIN, 60, 2), complete(&fresh("sound"), &COIN, 60, 1));
}

/// Not a test by itself: the process that the next test kills.
#[test]
fn victim() {
    let Some(folder) = std::env::var_os("KACHI_LAB_VICTIM") else { return };
    let slow = Coin { slow: Duration::from_millis(3), ..COIN };
    let run =
        Run { threads: threads(2), keep_every: Duration::from_millis(5), ..Run::new(Path::new(&folder)) };
    run.play(&simulation(&slow, 4000), &slow).unwrap();
}

#[test]
fn a_run_that_is_killed_goes_on() {
    let folder = fresh("killed");
    let mut child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["victim", "--exact", "--quiet"])
        .env("KACHI_LAB_VICTIM", &folder)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    // Killed as soon as some games are kept, long before the end.
    let kept = || Folder::find(&folder).ok().flatten().map_or(0, |run| run.games().count());
    while kept() < 40 {
        assert!(child.try_wait().unwrap().is_none(), "the victim ended by itself");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = kept();
    assert!((40..4000).contains(&before), "{before}");
    let found = AtomicU64::new(0);
    let progress = |news: kachi_lab::simulate::Progress| found.store(news.found, Ordering::Relaxed);
    Run { progress: &progress, ..Run::new(&folder) }.play(&simulation(&COIN, 4000), &COIN).unwrap();
    assert_eq!(found.load(Ordering::Relaxed), before as u64, "what was kept is not played again");
    assert_eq!(results(&folder), complete(&fresh("unkilled"), &COIN, 4000, 4));
}

#[test]
fn players_are_compared_deal_by_deal() {
    let (strong, weak) = (fresh("strong"), fresh("weak"));
    let feeble = Coin { chance: 60, ..COIN };
    complete(&strong, &COIN, 400, 2);
    complete(&weak, &feeble, 300, 2);
    let [strong, weak] = [strong, weak].map(|path| Folder::find(&path).unwrap().unwrap());
    let comparison = Comparison::of(&strong, &weak);
    // The weak coin wins only deals that the strong one wins.
    assert_eq!((comparison.games, comparison.deals.only_second), (300, 0));
    let by_hand = (5..305).filter(|&seed| (60..70).contains(&Dealer::new(seed).below(100))).count();
    assert_eq!(comparison.deals.only_first, by_hand as u64);
    assert!(comparison.interval.low > 0.0 && comparison.interval.high > comparison.difference);
    assert!(comparison.chance_if_equal < 1e-6);
    let mirrored = Comparison::of(&weak, &strong);
    assert!((mirrored.difference + comparison.difference).abs() < 1e-12);
    assert!((mirrored.interval.low + comparison.interval.high).abs() < 1e-12);
}

#[test]
fn the_summary_counts_what_the_lines_say() {
    let folder = fresh("summary");
    let slow = Coin { slow: Duration::from_micros(300), ..COIN };
    let run = Run { threads: threads(2), ..Run::new(&folder) };
    let Ended::Complete(shown) = run.play(&simulation(&slow, 200), &slow).unwrap() else { panic!() };
    let (summary, timing) = *shown;
    let lines: Vec<Played> = fs::read_to_string(folder.join("results.jsonl"))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let won = lines.iter().filter(|line| line.won).count() as u64;
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
    let both =
        plot::success_against_time(&[("a".into(), &summary, &timing), ("b".into(), &summary, &timing)]);
    assert!(both.contains(">a: ") && both.contains(">b: "));
}

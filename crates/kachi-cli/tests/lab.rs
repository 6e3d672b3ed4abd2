//! `kachi lab` through the real binary: runs that are killed go on with the same bytes, full disks and wrong files are told, and what the commands print.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod support;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;
use support::lab::Lab;

const HANA: &str = "title = \"Two players\"\n[comparison]\ngame = \"hana\"\nplayers = [\"greedy\", \"random\"]\ngames = 400\n";
const CLAIMS: &str = "[claims]\ngame = \"tanhinmin\"\nclaims = [\"theorem-1\", \"erratum-1\"]\nsize = 6\n";

fn start(lab: &Lab, args: &[&str]) -> Child {
    lab.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// The files that must be the same bytes, and the hash.
fn bytes(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for name in ["results.parquet", "summary.json", "ladder.svg", "cases.svg", "levels.svg", "lost.svg"] {
        if let Ok(bytes) = fs::read(folder.join(name)) {
            files.push((name.to_owned(), bytes));
        }
    }
    let manifest: Value = serde_json::from_slice(&fs::read(folder.join("manifest.json")).unwrap()).unwrap();
    files.push(("hash".to_owned(), manifest["hash"].as_str().unwrap().as_bytes().to_vec()));
    let mut shards: Vec<PathBuf> =
        fs::read_dir(folder.join("shards")).unwrap().map(|entry| entry.unwrap().path()).collect();
    shards.sort();
    for shard in shards {
        files.push((shard.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&shard).unwrap()));
    }
    files
}

/// Kills the child after so long, if it has not ended by then.
fn kill_after(mut child: Child, time: Duration) -> bool {
    std::thread::sleep(time);
    let alive = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    alive
}

/// Moments at which runs are killed, spread by a fixed seed over the time that a run takes.
fn moments(seed: u64, longest: Duration) -> impl Iterator<Item = Duration> {
    let mut dealer = kachi::core::random::Dealer::new(seed);
    std::iter::repeat_with(move || longest.mul_f64(dealer.below(1000) as f64 / 1000.0))
}

#[test]
fn a_run_killed_at_ten_moments_goes_on_with_the_same_bytes() {
    let lab = Lab::new("killed");
    let hana = lab.file("hana.toml", HANA);
    let claims = lab.file("claims.toml", CLAIMS);
    let mut times = Vec::new();
    for file in [&hana, &claims] {
        let began = std::time::Instant::now();
        lab.answered(&["lab", "run", file, "--threads", "1"]);
        times.push(began.elapsed());
    }
    let mut interrupted = 0;
    for (seed, share) in (0..10_u64).zip(moments(9, Duration::from_secs(1))) {
        let kind = usize::from(seed % 3 == 2);
        let (file, name) = [(&hana, "hana"), (&claims, "claims")][kind];
        let moment = times[kind].mul_f64(share.as_secs_f64());
        let out = lab.data.join(format!("killed-{seed}"));
        let out = out.to_str().unwrap();
        let child = start(&lab, &["lab", "run", file, "--out", out, "--threads", "2"]);
        interrupted += usize::from(kill_after(child, moment));
        // A process that was killed before it wrote its manifest has begun nothing.
        let resumed = if Path::new(out).join("manifest.json").exists() {
            lab.run(&["lab", "resume", out])
        } else {
            lab.run(&["lab", "run", file, "--out", out])
        };
        assert_eq!(resumed.code, 0, "{resumed:?}");
        assert!(bytes(Path::new(out)) == bytes(&lab.folder(name)), "seed {seed}, killed after {moment:?}");
    }
    assert!(interrupted > 0, "none of ten was killed before its end");
}

#[test]
fn calculation_and_tables_that_are_killed_go_on() {
    let lab = Lab::new("killed-tables");
    let whole = Lab::new("whole-tables");
    let table = ["table", "build", "calculation", "--stacks", "3", "--ranks", "6"];
    let games =
        ["lab", "calculation", "--stacks", "4", "--player", "net-look0", "--games", "60", "--threads", "2"];
    for (args, folder) in [(&table[..], "table-calculation-3-6"), (&games[..], "calculation-4-net-look0")] {
        let began = std::time::Instant::now();
        whole.answered(args);
        let took = began.elapsed();
        for moment in moments(4, took).take(3) {
            kill_after(start(&lab, args), moment);
        }
        lab.answered(args);
        assert!(bytes(&lab.folder(folder)) == bytes(&whole.folder(folder)), "{folder}");
    }
    let file = "calculation";
    let tables = |lab: &Lab| {
        let entries = fs::read_dir(lab.data.join(file)).unwrap().map(|entry| entry.unwrap().path());
        let mut tables: Vec<PathBuf> =
            entries.filter(|path| path.extension().is_some_and(|e| e == "table")).collect();
        assert_eq!(tables.len(), 1);
        fs::read(tables.remove(0)).unwrap()
    };
    assert!(tables(&lab) == tables(&whole));
}

/// A full disk: a small file system of its own where the machine lets us mount one.
#[test]
fn a_full_disk_is_told_and_nothing_is_damaged() {
    let lab = Lab::new("full");
    let small = lab.data.join("small");
    fs::create_dir_all(&small).unwrap();
    let mount = |args: &[&str]| {
        let done = std::process::Command::new(args[0]).args(&args[1..]).stderr(Stdio::null()).status();
        done.is_ok_and(|status| status.success())
    };
    let place = small.to_str().unwrap();
    if !mount(&["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", place]) {
        println!("skipped: this machine does not let us mount a small file system");
        return;
    }
    let file = lab.file("hana.toml", HANA);
    let out = small.join("run");
    let out = out.to_str().unwrap();
    let full = lab.run(&["lab", "run", &file, "--out", out, "--threads", "1", "--json"]);
    let larger = mount(&["mount", "-o", "remount,size=16m", place]);
    let resumed = lab.run(&["lab", "resume", out]);
    let reference = lab.run(&["lab", "run", &file]);
    let same = larger && bytes(Path::new(out)) == bytes(&lab.folder("hana"));
    assert!(mount(&["umount", place]));
    assert_eq!(full.code, 2, "{full:?}");
    assert_eq!(full.json()["error"]["code"], "disk_full");
    assert!(full.out.contains("the disk is full"));
    assert_eq!((resumed.code, reference.code), (0, 0), "{resumed:?}");
    assert!(same);
}

#[test]
fn two_processes_do_not_work_on_one_run() {
    let lab = Lab::new("twice");
    let file = lab.file("long.toml", &HANA.replace("400", "400000"));
    let mut child = start(&lab, &["lab", "run", &file]);
    let status = lab.folder("long").join("status.json");
    while !fs::read_to_string(&status)
        .is_ok_and(|text| text.contains("\"done\":") && !text.contains("\"done\":0,"))
    {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(20));
    }
    // Another process can see how far it is.
    let listed = lab.answered(&["lab", "list", "--json"]).json();
    assert_eq!((&listed[0]["state"], &listed[0]["kind"]), (&"running".into(), &"comparison".into()));
    assert!(listed[0]["done"].as_u64().unwrap() > 0 && listed[0]["total"] == 800_000);
    let refused = lab.run(&["lab", "resume", "long", "--json"]);
    let uncleaned = lab.run(&["lab", "clean", "long", "--all", "--json"]);
    assert!(status.exists());
    child.kill().unwrap();
    child.wait().unwrap();
    for refused in [refused, uncleaned] {
        assert_eq!((refused.code, &refused.json()["error"]["code"]), (2, &"already_running".into()));
    }
    assert_eq!(lab.answered(&["lab", "list", "--json"]).json()[0]["state"], "stopped");
    let folder = lab.folder("long");
    lab.answered(&["lab", "clean", "long", folder.to_str().unwrap(), "--all"]);
    assert!(!lab.folder("long").exists());
}

#[test]
fn a_finished_run_is_shown_compared_drawn_exported_recorded_and_cleaned() {
    let lab = Lab::new("commands");
    let file = lab.file("hana.toml", HANA);
    let told = lab.answered(&["lab", "run", &file]).out;
    assert!(told.contains("Two players") && told.contains("mon a month") && told.contains("hash"), "{told}");
    let shown = lab.answered(&["lab", "show", "hana", "--json"]).json();
    let hash = shown["hash"].as_str().unwrap().to_owned();
    assert_eq!((hash.len(), &shown["intact"]), (64, &true.into()));
    assert_eq!(lab.answered(&["lab", "show", &hash[..8], "--json"]).json()["folder"], shown["folder"]);
    let csv = lab.answered(&["lab", "export", "hana"]).out;
    assert!(csv.starts_with("player,seed,won,turn,score,on\ngreedy,1,"), "{csv}");
    assert_eq!(csv.lines().count(), 801);
    assert_eq!(lab.answered(&["lab", "export", "hana", "--as", "jsonl"]).json_lines().len(), 800);
    let compared = lab.answered(&["lab", "compare", "hana", "hana", "--json"]).json();
    assert_eq!((compared.as_array().unwrap().len(), &compared[0]["points"]["mean"]), (4, &0.0.into()));
    assert!(lab.answered(&["lab", "plot", "hana"]).out.starts_with("<svg "));
    let out = lab.data.join("paper");
    let files = lab.answered(&["lab", "export", "hana", "--out", out.to_str().unwrap()]).out;
    assert!(files.contains("results.csv") && files.contains("ladder.svg"), "{files}");
    let records = lab.data.join("results");
    let into = records.to_str().unwrap();
    lab.answered(&["lab", "record", "hana", "--into", into]);
    let page = fs::read_to_string(records.join("README.md")).unwrap();
    assert!(page.contains(&hash) && page.contains("| random against greedy |"), "{page}");
    let ledger = lab.answered(&["verify", "tanhinmin", "--size", "2", "--markdown", "--results", into]).out;
    assert!(ledger.contains("**sampled**") && ledger.contains(&hash[..12]), "{ledger}");
    assert!(lab.answered(&["lab", "clean", "hana"]).out.contains("results kept"));
    assert!(!lab.folder("hana").join("shards").exists());
    assert!(lab.answered(&["lab", "show", "hana", "--json"]).json()["intact"] == true);
    let summary = lab.folder("hana").join("summary.json");
    fs::write(&summary, "{}").unwrap();
    let damaged = lab.run(&["lab", "show", "hana", "--json"]);
    assert_eq!((damaged.code, &damaged.json()["intact"]), (1, &false.into()));
    lab.answered(&["lab", "clean", "hana", "--all"]);
    assert!(!lab.folder("hana").exists());
    assert!(lab.answered(&["lab", "list"]).out.contains("no runs yet"));
}

#[test]
fn campaigns_that_went_further_are_in_the_ledger() {
    let lab = Lab::new("further");
    let out = lab.folder("claims");
    lab.answered(&[
        "verify",
        "tanhinmin",
        "--claim",
        "theorem-1",
        "--size",
        "4",
        "--out",
        out.to_str().unwrap(),
    ]);
    let records = lab.data.join("results");
    let into = records.to_str().unwrap();
    lab.answered(&["lab", "record", "claims", "--into", into]);
    let verify = ["verify", "tanhinmin", "--claim", "theorem-1", "--size", "3", "--markdown"];
    let ledger = lab.answered(&[&verify[..], &["--results", into]].concat()).out;
    assert!(ledger.contains("**exhaustive** up to size 4 (") && ledger.contains(", run `"), "{ledger}");
    assert!(lab.answered(&verify).out.contains("**exhaustive** up to size 3 ("));
}

#[test]
fn wrong_files_and_runs_are_refused_with_the_line() {
    let lab = Lab::new("wrong");
    let file =
        lab.file("c.toml", "[comparison]\ngame = \"hana\"\nplayers = [\"greedy\", \"nobody\"]\ngames = 3\n");
    let refused = lab.run(&["lab", "run", &file]);
    assert_eq!(refused.code, 2);
    assert!(
        refused.err.contains("c.toml:3") && refused.err.contains("^") && refused.err.contains("sampled"),
        "{refused:?}"
    );
    let file = lab.file("d.toml", "[simulation]\ngame = \"calculation\"\nplayer = \"paper\"\ngammes = 3\n");
    let refused = lab.run(&["lab", "run", &file]);
    assert!(refused.err.contains("d.toml:4") && refused.err.contains("gammes"), "{refused:?}");
    let told = lab.run(&["lab", "run", &file, "--json"]).json();
    assert!(told["origin"].as_str().unwrap().ends_with("d.toml:4"), "{told}");
    let missing = lab.run(&["lab", "run", "nowhere.toml", "--json"]);
    assert_eq!(missing.json()["error"]["code"], "cannot_read");
    lab.answered(&["lab", "run", &lab.file("small.toml", &HANA.replace("400", "3"))]);
    let refused = lab.run(&["lab", "show", "smal"]);
    assert!(refused.err.contains("did you mean small?"), "{refused:?}");
    let other = lab.file("small.toml", &HANA.replace("400", "3").replace("random", "hold"));
    let refused = lab.run(&["lab", "run", &other, "--json"]);
    assert_eq!(refused.json()["error"]["code"], "other_run");
    let manifest = lab.folder("small").join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(
        &manifest,
        text.replace(&format!("\"kachi\": \"{}\"", env!("CARGO_PKG_VERSION")), "\"kachi\": \"0.0.9\""),
    )
    .unwrap();
    let refused = lab.run(&["lab", "resume", "small", "--json"]).json();
    assert_eq!(refused["error"]["code"], "other_version");
    assert!(refused["error"]["message"].as_str().unwrap().contains("0.0.9"));
}

#[test]
fn a_damaged_shard_is_told_and_made_again() {
    let lab = Lab::new("mended");
    let file = lab.file("hana.toml", HANA);
    lab.answered(&["lab", "run", &file]);
    let before = bytes(&lab.folder("hana"));
    let shard = lab.folder("hana").join("shards/001-000-000003.jsonl");
    let mut damaged = fs::read(&shard).unwrap();
    damaged[30] ^= 4;
    fs::write(&shard, damaged).unwrap();
    let resumed = lab.answered(&["lab", "resume", "hana"]);
    assert!(resumed.err.contains("1 damaged file found and made again"), "{resumed:?}");
    assert!(bytes(&lab.folder("hana")) == before);
}

#[test]
fn a_folder_with_other_things_in_it_is_neither_begun_nor_removed() {
    let lab = Lab::new("foreign");
    let file = lab.file("small.toml", &HANA.replace("400", "3"));
    let home = lab.data.join("home");
    fs::create_dir_all(&home).unwrap();
    fs::write(home.join(".bashrc"), "precious").unwrap();
    let out = home.to_str().unwrap();
    let refused = lab.run(&["lab", "run", &file, "--out", out, "--json"]);
    assert_eq!((refused.code, &refused.json()["error"]["code"]), (2, &"foreign_folder".into()));
    assert_eq!(fs::read_dir(&home).unwrap().count(), 1);
    lab.answered(&["lab", "run", &file]);
    fs::write(lab.folder("small").join("notes.txt"), "precious").unwrap();
    let told = lab.answered(&["lab", "clean", "small", "--all"]).out;
    assert!(told.contains("but for what is not the run's: notes.txt"), "{told}");
    assert_eq!(fs::read_dir(lab.folder("small")).unwrap().count(), 1);
}

#[test]
fn a_record_that_refutes_a_claim_is_in_the_ledger() {
    let lab = Lab::new("refuted-further");
    let out = lab.folder("claims");
    let out = out.to_str().unwrap();
    lab.answered(&["verify", "tanhinmin", "--claim", "theorem-1", "--size", "4", "--out", out]);
    let records = lab.data.join("results");
    let into = records.to_str().unwrap();
    lab.answered(&["lab", "record", "claims", "--into", into]);
    // As a campaign of another day might have found it.
    let path = records.join("claims.json");
    let mut record: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let verdict = &mut record["summary"]["verdicts"][0];
    verdict["status"] = "refuted".into();
    verdict["counterexample"] = serde_json::json!({"position": "3/4", "words": "nobody | wins"});
    record["hash"] = "abcdefabcdéf0123".into();
    fs::write(&path, record.to_string()).unwrap();
    let verify = ["verify", "tanhinmin", "--claim", "theorem-1", "--markdown", "--results", into, "--size"];
    let ledger = lab.answered(&[&verify[..], &["3"]].concat()).out;
    let row = ledger.lines().find(|line| line.contains("`theorem-1`")).unwrap();
    assert!(
        row.contains("**not as expected:** **refuted** at size 4 (run `abcdefabcd")
            && row.contains("by `3/4`: nobody \\| wins")
            && row.contains("no exception up to size 3")
            && row.contains("--size 4"),
        "{row}"
    );
    assert!(!row.contains("**exhaustive**") && !row.contains("**proved**"), "{row}");
    // What is checked now as far as then speaks for itself.
    assert!(!lab.answered(&[&verify[..], &["4"]].concat()).out.contains("**not as expected:**"));
}

#[test]
fn players_who_met_others_are_not_compared() {
    let lab = Lab::new("others");
    for (name, more) in [("a", ""), ("b", "others = \"random\"\n"), ("c", "house = \"paper\"\n")] {
        lab.answered(&[
            "lab",
            "run",
            &lab.file(&format!("{name}.toml"), &format!("{}{more}", HANA.replace("400", "3"))),
        ]);
    }
    for other in ["b", "c"] {
        let refused = lab.run(&["lab", "compare", "a", other, "--json"]);
        assert_eq!(
            (refused.code, &refused.json()["error"]["code"]),
            (2, &"not_comparable".into()),
            "{other}"
        );
    }
    lab.answered(&["lab", "compare", "a", "a"]);
}

#[test]
fn the_beginning_of_two_hashes_is_ambiguous() {
    let lab = Lab::new("ambiguous");
    for name in ["one", "two"] {
        lab.answered(&["lab", "run", &lab.file(&format!("{name}.toml"), &HANA.replace("400", "3"))]);
    }
    let hash = lab.answered(&["lab", "show", "one", "--json"]).json()["hash"].as_str().unwrap().to_owned();
    let refused = lab.run(&["lab", "show", &hash[..8], "--json"]).json();
    assert_eq!(refused["error"]["code"], "ambiguous_hash");
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(message.contains("one (") && message.contains("two ("), "{message}");
    // A hash that nobody computed has its bytes where it likes.
    let manifest = lab.folder("two").join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap().replace(&hash, "abcdefabcdéé01");
    fs::write(&manifest, text).unwrap();
    assert!(lab.answered(&["lab", "list"]).out.contains("abcdefabcdé"));
    lab.answered(&["lab", "show", &hash[..8]]);
}

#[test]
fn one_deal_alone_has_no_interval() {
    let lab = Lab::new("single");
    let told = lab.answered(&["lab", "run", &lab.file("single.toml", &HANA.replace("400", "1"))]).out;
    assert!(
        told.contains("no interval: that takes two deals") && told.contains("1 deal in every seat"),
        "{told}"
    );
    let shown = lab.answered(&["lab", "show", "single", "--json"]).json();
    assert_eq!(shown["intact"], true);
    assert!(shown["summary"]["players"][0]["points"].get("interval").is_none(), "{shown}");
    assert!(fs::read_to_string(lab.folder("single").join("ladder.svg")).unwrap().contains("(no interval)"));
    let records = lab.data.join("results");
    lab.answered(&["lab", "record", "single", "--into", records.to_str().unwrap()]);
    assert!(
        fs::read_to_string(records.join("README.md"))
            .unwrap()
            .contains("(no interval: that takes two deals)")
    );
}

#[test]
fn what_cannot_be_predicted_is_refused_before_anything_is_sampled() {
    let lab = Lab::new("unplanned");
    let began = std::time::Instant::now();
    let refused = lab.run(&["lab", "plan", &lab.file("claims.toml", CLAIMS), "--sample", "3600", "--json"]);
    assert_eq!((refused.code, &refused.json()["error"]["code"]), (2, &"no_units".into()));
    assert!(began.elapsed() < Duration::from_secs(600));
    let file = lab
        .file("huge.toml", "[counts]\ngame = \"calculation\"\nstacks = 3\nchains = 3\nranks = 4294967298\n");
    assert_eq!(lab.run(&["lab", "plan", &file, "--json"]).json()["error"]["code"], "too_large");
    let refused = lab.run(&["lab", "plan", &file, "--sample", "18446744073709551615"]);
    assert_eq!(refused.code, 2, "{refused:?}");
}

//! `kachi lab run` with many processes, through the real binary: the same bytes as with threads, a clear end when a process is lost, predictions marked as such.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::Ran;
use support::lab::Lab;

/// Results and summary of a run, and its hash.
fn results(lab: &Lab, name: &str) -> (Vec<u8>, Vec<u8>, String) {
    let folder = lab.folder(name);
    let read = |file: &str| fs::read(folder.join(file)).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&read("manifest.json")).unwrap();
    (read("results.parquet"), read("summary.json"), manifest["hash"].as_str().unwrap().to_owned())
}

fn table(lab: &Lab, name: &str) -> Vec<u8> {
    fs::read(lab.data.join("calculation").join(name)).unwrap()
}

const CAMPAIGNS: [(&str, &str); 5] = [
    ("games", "[comparison]\ngame = \"hana\"\nplayers = [\"greedy\", \"random\"]\ngames = 100\n"),
    ("claims", "[claims]\ngame = \"tanhinmin\"\nclaims = [\"theorem-1\", \"erratum-1\"]\nsize = 5\n"),
    ("table", "[table]\ngame = \"calculation\"\nstacks = 2\nranks = 5\n"),
    ("counts", "[counts]\ngame = \"calculation\"\nstacks = 3\nranks = 4\n"),
    ("chains", "[counts]\ngame = \"calculation\"\nstacks = 2\nchains = 3\nranks = 2\n"),
];

#[test]
fn processes_leave_the_same_runs_as_threads() {
    let (alone, many) = (Lab::new("cluster-alone"), Lab::new("cluster-many"));
    for (name, text) in CAMPAIGNS {
        let file = format!("{name}.toml");
        let ran = alone.run(&["lab", "run", &alone.file(&file, text), "--threads", "1"]);
        assert_eq!(ran.code, 0, "{ran:?}");
        let ran = many.run(&["lab", "run", &many.file(&file, text), "--processes", "2"]);
        assert_eq!(ran.code, 0, "{name}: {ran:?}");
        assert!(results(&alone, name) == results(&many, name), "{name}");
        // Once more, with another number: the same.
        let again = many.run(&["lab", "run", &many.file(&file, text), "--processes", "3"]);
        assert_eq!(again.code, 0, "{name}: {again:?}");
        assert!(results(&alone, name) == results(&many, name), "{name}");
    }
    assert!(table(&alone, "calculation-2-5.v1.table") == table(&many, "calculation-2-5.v1.table"));
}

/// Long enough to be disturbed.
const LONG: &str = "[comparison]\ngame = \"hana\"\nplayers = [\"greedy\", \"random\"]\ngames = 2000\n";

fn wait_for_shards(folder: &Path, count: usize) {
    let began = Instant::now();
    let finished = |entry: &std::io::Result<fs::DirEntry>| {
        entry.as_ref().is_ok_and(|entry| !entry.file_name().to_string_lossy().starts_with('.'))
    };
    while fs::read_dir(folder).map_or(0, |entries| entries.filter(finished).count()) < count {
        assert!(began.elapsed() < Duration::from_secs(60), "no shard was made");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Starts a long run of two processes, sends the second one a signal in the middle of the work, and sees the first one end with exit code 2 and a message
/// that names the lost one. Then the run is resumed, and has the bytes of one that nobody disturbed.
fn loses_a_process_by(signal: &str, seconds: u64) {
    let lab = Lab::new(&format!("cluster-lost{signal}"));
    let file = lab.file("long.toml", LONG);
    // Into a file: a process that is only stopped would keep a pipe open.
    let told = lab.data.join("told.txt");
    let mut first = lab
        .command(&["lab", "run", &file, "--processes", "2"])
        .stdout(Stdio::null())
        .stderr(fs::File::create(&told).unwrap())
        .spawn()
        .unwrap();
    wait_for_shards(&lab.data.join("lab/long/shards"), 2);
    let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", first.id())).unwrap();
    let send = |signal: &str| Command::new("kill").arg(signal).args(children.split_whitespace()).status();
    assert!(send(signal).unwrap().success());
    let lost = Instant::now();
    let ended = loop {
        match first.try_wait().unwrap() {
            Some(status) => break Some(status),
            None if lost.elapsed() > Duration::from_secs(seconds) => break None,
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    // Nothing that is stopped may outlive the test.
    let _ = send("-9");
    let told = fs::read_to_string(&told).unwrap();
    let Some(ended) = ended else {
        let _ = first.kill();
        panic!("the first process did not end: {told}");
    };
    assert_eq!(ended.code(), Some(2), "{told}");
    assert!(told.contains("process 1") && told.contains("lost"), "{told}");
    let ran = lab.run(&["lab", "resume", "long", "--threads", "2"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let alone = Lab::new(&format!("cluster-unlost{signal}"));
    assert_eq!(alone.run(&["lab", "run", &alone.file("long.toml", LONG)]).code, 0);
    assert!(results(&lab, "long") == results(&alone, "long"));
}

#[test]
fn an_interrupted_cluster_says_how_much_is_kept() {
    let lab = Lab::new("cluster-interrupted");
    let file = lab.file("long.toml", LONG);
    let first = lab
        .command(&["lab", "run", &file, "--processes", "2", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let shards = lab.data.join("lab/long/shards");
    wait_for_shards(&shards, 3);
    assert!(Command::new("kill").args(["-INT", &first.id().to_string()]).status().unwrap().success());
    let ended = first.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130));
    let told: serde_json::Value = serde_json::from_slice(&ended.stdout).unwrap();
    // A line for every game, and the checksum.
    let games = |shard: fs::DirEntry| fs::read_to_string(shard.path()).unwrap().lines().count() as u64 - 1;
    let kept: u64 = fs::read_dir(&shards).unwrap().map(|shard| games(shard.unwrap())).sum();
    assert!(kept > 0);
    assert_eq!(told["games"], kept, "{told}");
}

#[test]
fn a_killed_process_is_told_within_seconds_and_the_run_goes_on() {
    // Sooner than silence would tell.
    loses_a_process_by("-KILL", 8);
}

#[test]
fn a_silent_process_is_told_after_ten_seconds_and_the_run_goes_on() {
    // A stopped process keeps its connections open and says nothing, like a host whose cable was pulled.
    loses_a_process_by("-STOP", 30);
}

#[test]
fn hosts_need_a_secret_and_a_place() {
    let lab = Lab::new("cluster-wrong");
    let campaign = lab.file("counts.toml", CAMPAIGNS[3].1);
    let hosts = lab.file("hosts.txt", "127.0.0.1:1\n127.0.0.1:2\n");
    let refused = |more: &[&str]| {
        let args: Vec<&str> =
            ["lab", "run", &campaign, "--hosts", &hosts].iter().chain(more).copied().collect();
        let ran = lab.run(&args);
        assert_eq!(ran.code, 2, "{ran:?}");
        ran.err
    };
    assert!(refused(&["--process", "1"]).contains("secret"));
    let short = lab.file("short.txt", "short\n");
    assert!(refused(&["--process", "1", "--secret-file", &short]).contains("16"));
    let secret = lab.file("secret.txt", "a secret that is long enough\n");
    assert!(refused(&["--process", "2", "--secret-file", &secret]).contains("no process 2"));
    assert!(refused(&[]).contains("--process"));
    let late = refused(&["--process", "1", "--secret-file", &secret, "--patience", "1"]);
    assert!(late.contains("did not come within 1 seconds"), "{late}");
    assert!(!lab.data.join("lab/counts").exists(), "only the first process has the folder");
}

/// Ctrl-C in a terminal reaches all processes at once: that is an interruption, whoever notices it first.
#[test]
fn an_interrupted_group_of_processes_has_not_failed() {
    use std::os::unix::process::CommandExt as _;
    let lab = Lab::new("cluster-group");
    let file = lab.file("long.toml", LONG);
    for round in 0..4 {
        let out = lab.data.join(format!("round-{round}"));
        let first = lab
            .command(&["lab", "run", &file, "--processes", "3", "--out", out.to_str().unwrap()])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .unwrap();
        wait_for_shards(&out.join("shards"), 2);
        let group = format!("-{}", first.id());
        assert!(Command::new("kill").args(["-INT", "--", &group]).status().unwrap().success());
        let ended: Ran = first.wait_with_output().unwrap().into();
        assert_eq!(ended.code, 130, "{ended:?}");
        assert!(ended.out.contains("Go on with") && !ended.err.contains("error"), "{ended:?}");
    }
}

/// The single case of the last size takes a quarter of a minute, and nothing inside it asks whether to stop.
#[test]
fn processes_in_the_middle_of_a_long_case_end_within_seconds() {
    use std::os::unix::process::CommandExt as _;
    let lab = Lab::new("cluster-stuck");
    let text = "[claims]\ngame = \"calculation\"\nclaims = [\"table-1-two-chains\"]\nsizes = { table-1-two-chains = 11 }\n";
    let file = lab.file("stuck.toml", text);
    let first = lab
        .command(&["lab", "run", &file, "--processes", "2"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap();
    wait_for_shards(&lab.data.join("lab/stuck/shards"), 10);
    // Until the last size is in somebody's hands.
    std::thread::sleep(Duration::from_millis(300));
    let (group, began) = (format!("-{}", first.id()), Instant::now());
    assert!(Command::new("kill").args(["-INT", "--", &group]).status().unwrap().success());
    let ended: Ran = first.wait_with_output().unwrap().into();
    assert_eq!(ended.code, 130, "{ended:?}");
    let passed = began.elapsed();
    assert!(passed > Duration::from_secs(2), "nobody was in the middle of anything: {passed:?}");
    assert!(passed < Duration::from_secs(12), "{passed:?}");
}

#[test]
fn hosts_with_another_number_of_games_are_refused() {
    let lab = Lab::new("cluster-other");
    let port = || std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let hosts = lab.file("hosts.txt", &format!("127.0.0.1:{}\n127.0.0.1:{}\n", port(), port()));
    let secret = lab.file("secret.txt", "a secret that is long enough\n");
    let started = [(0, "games = 100"), (1, "games = 150")].map(|(process, games)| {
        let text = format!("[simulation]\ngame = \"hana\"\nplayer = \"random\"\n{games}\n");
        let file = lab.file(&format!("games-{process}.toml"), &text);
        let process = process.to_string();
        let place = ["--hosts", &hosts, "--process", &process, "--secret-file", &secret, "--patience", "20"];
        let args: Vec<&str> = ["lab", "run", &file].into_iter().chain(place).collect();
        lab.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    });
    for process in started {
        let ended: Ran = process.wait_with_output().unwrap().into();
        assert_eq!(ended.code, 2, "{ended:?}");
        assert!(ended.err.contains("has the campaign"), "{ended:?}");
    }
}

#[test]
fn too_many_processes_and_a_place_among_no_hosts_are_refused() {
    let lab = Lab::new("cluster-places");
    let campaign = lab.file("counts.toml", CAMPAIGNS[3].1);
    let many = lab.run(&["lab", "run", &campaign, "--processes", "10000"]);
    assert!(many.code == 2 && many.err.contains("64"), "{many:?}");
    let nowhere = lab.run(&["lab", "run", &campaign, "--process", "1"]);
    assert!(nowhere.code == 2 && nowhere.err.contains("--hosts"), "{nowhere:?}");
}

#[test]
fn predictions_are_marked() {
    let lab = Lab::new("cluster-plan");
    let file =
        lab.file("three.toml", "[counts]\ngame = \"calculation\"\nstacks = 3\nchains = 3\nranks = 8\n");
    let ran = lab.run(&["lab", "plan", &file, "--hosts", "10", "--workers", "8"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        ran.out.starts_with("Prediction, nothing was run") && ran.out.contains("continued"),
        "{}",
        ran.out
    );
    let told = lab.run(&["lab", "plan", &file, "--hosts", "20", "--workers", "8", "--json"]).json();
    assert_eq!(told["prediction"], true);
    let games = lab.file("games.toml", CAMPAIGNS[0].1);
    let told = lab.run(&["lab", "plan", &games, "--hosts", "2", "--sample", "1", "--json"]).json();
    assert!(told["seconds"].as_f64().unwrap() > 0.0 && told["unit"] == "games", "{told}");
}

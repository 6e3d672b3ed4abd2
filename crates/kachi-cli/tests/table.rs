//! `kachi table`: built, listed, checked, refused.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod support;

use support::{answered, run, temporary};

#[test]
fn a_table_is_built_listed_and_checked() {
    let folder = temporary("table");
    let data = folder.to_str().unwrap();
    let none = answered(&["table", "list", "--data", data], "").out;
    assert!(none.contains("no tables in"), "{none}");
    let build = ["table", "build", "calculation", "--stacks", "3", "--ranks", "4", "--data", data, "--json"];
    let built = answered(&build, "").json();
    assert_eq!((&built["states"], &built["stacks"], &built["ranks"]), (&339.into(), &3.into(), &4.into()));
    let again = answered(&build, "").json();
    assert_eq!(again["file"], built["file"]);
    let listed = answered(&["table", "list", "--data", data], "").out;
    assert!(listed.contains("3 stacks, 4 ranks") && listed.contains("339"), "{listed}");
    let checked = answered(&["table", "check", "--data", data, "--json"], "").json();
    assert!(checked["recomputed"].as_u64().unwrap() > 100);
}

#[test]
fn a_damaged_table_is_refused_with_exit_code_1() {
    let folder = temporary("table-damaged");
    let data = folder.to_str().unwrap();
    let build = ["table", "build", "calculation", "--ranks", "3", "--data", data, "--json"];
    let built = answered(&build, "").json();
    let path = built["file"].as_str().unwrap();
    let mut bytes = std::fs::read(path).unwrap();
    let end = bytes.len() - 20;
    bytes[end] ^= 1;
    std::fs::write(path, &bytes).unwrap();
    let checked = run(&["table", "check", "--data", data], "");
    assert_eq!(checked.code, 1, "{checked:?}");
    assert!(checked.out.contains("refused:") && checked.out.contains("checksum"), "{checked:?}");
    std::fs::write(path, &bytes[..100]).unwrap();
    let listed = answered(&["table", "list", "--data", data, "--json"], "").json();
    assert_eq!(listed["error"]["code"], "damaged_table");
}

#[test]
fn a_damaged_table_is_built_again_by_whoever_goes_on_with_its_run() {
    let folder = temporary("table-mended");
    let data = folder.to_str().unwrap();
    let campaign = folder.join("table.toml");
    std::fs::write(&campaign, "[table]\ngame = \"calculation\"\nstacks = 2\nranks = 4\n").unwrap();
    let lab = |args: &[&str]| {
        let done = support::kachi().env("KACHI_DATA", data).args(args).output().unwrap();
        let ran: support::Ran = done.into();
        assert_eq!(ran.code, 0, "{ran:?}");
        ran
    };
    lab(&["lab", "run", campaign.to_str().unwrap()]);
    let path = folder.join("calculation/calculation-2-4.v1.table");
    let whole = std::fs::read(&path).unwrap();
    let mut damaged = whole.clone();
    damaged[whole.len() - 20] ^= 1;
    std::fs::write(&path, damaged).unwrap();
    for wrong in [true, false] {
        lab(&["lab", "resume", "table"]);
        assert!(std::fs::read(&path).unwrap() == whole, "{wrong}");
    }
}

#[test]
#[cfg(unix)]
fn two_processes_do_not_build_one_table() {
    let folder = temporary("table-twice");
    let data = folder.to_str().unwrap();
    let journal = folder.join("calculation/calculation-2-4.v1.table.building");
    std::fs::create_dir_all(&journal).unwrap();
    // This process is the one that builds it already.
    let held = std::fs::File::open(&journal).unwrap();
    held.lock().unwrap();
    let build = ["table", "build", "calculation", "--stacks", "2", "--ranks", "4", "--data", data, "--json"];
    let refused = run(&build, "");
    assert_eq!((refused.code, refused.json()["error"]["code"].as_str()), (2, Some("already_running")));
    drop(held);
    assert_eq!(answered(&build, "").json()["stacks"], 2);
}

#[test]
fn wrong_sizes_and_games_are_refused() {
    let folder = temporary("table-wrong");
    let data = folder.to_str().unwrap();
    for (args, code) in [
        (["calculation", "--stacks", "5"], "bad_stacks"),
        (["calculation", "--ranks", "13"], "bad_ranks"),
        (["tanhinmin", "--ranks", "4"], "no_table"),
    ] {
        let ran = run(&[&["table", "build", "--data", data, "--json"], &args[..]].concat(), "");
        assert_eq!(ran.code, 2, "{ran:?}");
        assert_eq!(ran.json()["error"]["code"], code);
    }
    assert_eq!(run(&["table", "check", "--data", data], "").code, 2);
}

//! What `kachi lab` says: what it refuses, what it hints at, and that nothing which was not checked or not shared is told as if it were.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod support;

use serde_json::Value;
use std::fs::{self, File};
use std::path::Path;
use std::process::Stdio;
use support::Ran;
use support::lab::Lab;

/// Runs a campaign under this name.
fn done(lab: &Lab, name: &str, text: &str) -> Ran {
    let file = format!("{name}.toml");
    lab.file(&file, text);
    lab.answered(&["lab", "run", &file])
}

/// Changes a JSON file of a run.
fn alter(lab: &Lab, file: &Path, change: impl FnOnce(&mut Value)) {
    let path = lab.data.join(file);
    let mut value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    change(&mut value);
    fs::write(path, value.to_string()).unwrap();
}

fn hana(games: u64) -> String {
    format!("[comparison]\ngame = \"hana\"\nplayers = [\"greedy\", \"random\"]\ngames = {games}\n")
}

fn paper(stacks: u64, first_seed: u64) -> String {
    format!(
        "[simulation]\ngame = \"calculation\"\nplayer = \"paper\"\ngames = 2\nstacks = {stacks}\nfirst_seed = {first_seed}\n"
    )
}

#[test]
fn only_players_of_one_game_are_drawn_together() {
    let lab = Lab::new("words-plot");
    done(&lab, "mon", &hana(3));
    for (name, stacks, seed) in [("two", 2, 1), ("three", 3, 1), ("later", 3, 90)] {
        done(&lab, name, &paper(stacks, seed));
    }
    for other in ["mon", "two"] {
        assert!(lab.refused(&["lab", "plot", "three", other]).contains("did not play the same game"));
    }
    let title = |runs: &[&str]| {
        let told = lab.answered(&[&["lab", "plot", "--json"], runs].concat()).json();
        let svg = told["svg"].as_str().unwrap().to_owned();
        assert!(svg.starts_with("<svg "));
        svg.split("</title>").next().unwrap().rsplit('>').next().unwrap().to_owned()
    };
    assert_eq!(title(&["three", "three"]), "Players on the same deals");
    assert_eq!(title(&["three", "later"]), "Players on different deals");
    assert!(lab.refused(&["lab", "plot", "mon", "--against", "time"]).contains("for points"));
    lab.answered(&["lab", "plot", "three", "later", "--against", "time"]);
    lab.file("lab/later/timing.json", "[");
    let refused = lab.refused(&["lab", "plot", "three", "later", "--against", "time"]);
    assert!(refused.contains("timing.json") && refused.contains("kachi lab resume later"), "{refused}");
}

#[test]
fn programs_get_json_from_export() {
    let lab = Lab::new("words-export");
    done(&lab, "two", &paper(2, 1));
    assert!(lab.answered(&["lab", "export", "two"]).out.starts_with("player,seed,"));
    let rows = lab.answered(&["lab", "export", "two", "--json"]).json_lines();
    assert_eq!((rows.len(), &rows[1]["seed"]), (2, &2.into()));
    let refused = lab.run(&["lab", "export", "two", "--json", "--as", "csv"]);
    assert_eq!((refused.code, &refused.json()["error"]["code"]), (2, &"wrong_usage".into()));
    let files = lab.answered(&["lab", "export", "two", "--json", "--out", "paper"]).json();
    assert!(files["files"][0].as_str().unwrap().ends_with("results.csv"), "{files}");
}

#[test]
fn a_claim_without_cases_does_not_count_as_holding() {
    let lab = Lab::new("words-unchecked");
    let erratum = "[claims]\ngame = \"tanhinmin\"\nclaims = [\"erratum-1\"]\nsize = 1\n";
    let told = done(&lab, "erratum", erratum).out;
    assert!(
        told.contains("0 hold, 0 refuted, 1 not checked") && told.contains("Nothing was checked"),
        "{told}"
    );
    assert!(!told.contains("expected"), "{told}");
    let verify = |more: &[&str]| support::run(&[&["verify", "tanhinmin"], more].concat(), "");
    let nothing = verify(&["--claim", "erratum-1", "--size", "1"]);
    assert!(nothing.code == 2 && nothing.err.contains("erratum-1 has no case up to size 1"), "{nothing:?}");
    let nothing = verify(&["--claim", "erratum-1", "--size", "1", "--json"]);
    assert_eq!((nothing.code, &nothing.json()["error"]["code"]), (2, &"nothing_checked".into()));
    let some = verify(&["--claim", "erratum-1", "--claim", "theorem-4.3", "--size", "1"]);
    assert!(some.code == 0 && some.out.contains("1 claim checked over 1 case: ✓ 1 holds"), "{some:?}");
    assert!(some.out.contains("1 claim not checked") && !some.out.contains("All as expected"), "{some:?}");
    let none = verify(&["--size", "0"]);
    assert!(none.code == 2 && none.err.contains("--size"), "{none:?}");
    lab.file("none.toml", &erratum.replace("= 1", "= 0"));
    assert!(lab.refused(&["lab", "run", "none.toml"]).contains("none.toml:4: size is at least 1"));
    let one = done(&lab, "one", "[claims]\ngame = \"tanhinmin\"\nclaims = [\"theorem-4.3\"]\nsize = 1\n").out;
    assert!(
        one.contains("1 claim over 1 case: 1 holds, 0 refuted") && one.contains("All as expected."),
        "{one}"
    );
}

#[test]
fn runs_that_cannot_be_read_are_listed_with_the_reason() {
    let lab = Lab::new("words-unreadable");
    assert!(lab.answered(&["lab", "list"]).out.contains("no runs yet"));
    done(&lab, "two", &paper(2, 1));
    lab.file("lab/two/manifest.json", "{");
    lab.file("lab/notes.txt", "not a run");
    let told = lab.answered(&["lab", "list"]).out;
    assert!(
        told.contains("two  unreadable") && told.contains("no manifest") && !told.contains("notes"),
        "{told}"
    );
    assert_eq!(lab.answered(&["lab", "list", "--json"]).json()[0]["state"], "unreadable");
    assert!(lab.refused(&["lab", "list", "--in", "nowhere"]).contains("there is no folder nowhere"));
    fs::create_dir(lab.data.join("empty")).unwrap();
    assert!(lab.answered(&["lab", "list", "--in", "empty"]).out.contains("no runs in empty"));
}

#[test]
fn the_command_that_goes_on_can_be_pasted() {
    let lab = Lab::new("words-paste");
    done(&lab, "two", &paper(2, 1));
    lab.answered(&["lab", "run", "two.toml", "--out", "my runs/it's"]);
    for folder in ["lab/two", "my runs/it's"] {
        alter(&lab, &Path::new(folder).join("manifest.json"), |manifest| {
            manifest.as_object_mut().unwrap().remove("hash");
        });
    }
    assert!(lab.answered(&["lab", "show", "two"]).out.contains("kachi lab resume two\n"));
    let told = lab.answered(&["lab", "show", "my runs/it's"]).out;
    assert!(told.contains(r"kachi lab resume 'my runs/it'\''s'"), "{told}");
    let refused = lab.refused(&["lab", "export", "my runs/it's"]);
    assert!(refused.contains(r"kachi lab resume 'my runs/it'\''s'"), "{refused}");
}

#[test]
fn altered_results_are_told_with_what_mends_them() {
    let lab = Lab::new("words-altered");
    done(&lab, "two", &paper(2, 1));
    lab.file("lab/two/summary.json", "{}");
    let shown = lab.run(&["lab", "show", "two"]);
    assert!(shown.code == 1 && shown.out.contains("kachi lab resume two makes them again"), "{shown:?}");
}

#[test]
fn a_manifest_gives_no_commands_to_the_terminal() {
    let lab = Lab::new("words-escapes");
    done(&lab, "two", &format!("title = \"Fine\"\n{}", paper(2, 1)));
    alter(&lab, Path::new("lab/two/manifest.json"), |manifest| {
        manifest["campaign"]["title"] = "\u{1b}[2Jgone".into();
        manifest["hosts"] = serde_json::json!(["\u{1b}]0;host\u{7}"]);
    });
    let told = lab.answered(&["lab", "show", "two"]).out;
    assert!(told.contains("[2Jgone") && told.contains("]0;host"), "{told:?}");
    assert!(!told.contains(|c: char| c.is_control() && c != '\n'), "{told:?}");
    lab.file("bad.toml", "title = \"\\u001b[2J\"\n[claims]\n");
    let refused = lab.refused(&["lab", "run", "bad.toml"]);
    assert!(refused.contains("bad.toml:1: title is one line") && !refused.contains('\u{1b}'), "{refused:?}");
}

#[test]
fn a_player_that_was_changed_is_told_by_its_setting() {
    let lab = Lab::new("words-options");
    done(&lab, "two", &paper(2, 1));
    alter(&lab, Path::new("lab/two/manifest.json"), |manifest| {
        let options = &mut manifest["settings"]["players"][0]["options"];
        *options = options.as_str().unwrap().replace("rescue: 0", "rescue: 7").into();
    });
    let refused = lab.run(&["lab", "run", "two.toml", "--json"]).json();
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(
        message.ends_with("holds another run: its player paper has rescue: 7, not rescue: 0"),
        "{message}"
    );
}

#[test]
fn files_that_are_no_campaigns_and_campaigns_that_are_no_runs_are_told() {
    let lab = Lab::new("words-files");
    lab.file("two.toml", &paper(2, 1));
    for command in ["resume", "show"] {
        let refused = lab.refused(&["lab", command, "two.toml"]);
        assert!(refused.contains("kachi lab run two.toml"), "{refused}");
    }
    lab.file("long.toml", &"#".repeat((1 << 20) + 1));
    assert!(lab.refused(&["lab", "run", "long.toml"]).contains("longer than 1 MiB"));
    lab.file("empty.toml", "");
    assert!(lab.refused(&["lab", "run", "empty.toml"]).contains("empty.toml: the file is empty"));
    fs::write(lab.data.join("raw.toml"), [0xff, 0xfe]).unwrap();
    assert!(lab.refused(&["lab", "run", "raw.toml"]).contains("no text in UTF-8"));
    if Path::new("/dev/zero").exists() {
        assert!(lab.refused(&["lab", "run", "/dev/zero"]).contains("longer than 1 MiB"));
    }
    lab.file("stacks.toml", &paper(9, 1));
    assert!(lab.refused(&["lab", "run", "stacks.toml"]).contains("hint: stacks = 3"));
    lab.file("memory.toml", "[counts]\ngame = \"calculation\"\nstacks = 3\nranks = 3\nmemory = 0\n");
    assert!(lab.refused(&["lab", "run", "memory.toml"]).contains("memory.toml:5: memory is at least 1"));
    assert!(!lab.data.join("lab").exists(), "nothing was begun");
}

#[test]
fn output_that_cannot_be_written_is_told() {
    let Ok(full) = File::options().write(true).open("/dev/full") else { return };
    let lab = Lab::new("words-unwritable");
    done(&lab, "two", &paper(2, 1));
    for args in [
        &["lab", "show", "two"][..],
        &["lab", "compare", "two", "two"],
        &["lab", "list"],
        &["lab", "show", "two", "--json"],
    ] {
        let output = lab.command(args).stdout(full.try_clone().unwrap()).stderr(Stdio::piped()).output();
        let ran = Ran::from(output.unwrap());
        assert!(ran.code == 2 && ran.err.starts_with("error: "), "{args:?}: {ran:?}");
    }
}

#[test]
fn wrong_usage_shows_an_example_of_the_command_that_was_meant() {
    let lab = Lab::new("words-usage");
    for (args, example) in [
        (&["lab", "show"][..], "kachi lab show hana-ladder"),
        (&["lab", "compare", "a"], "kachi lab compare calculation-3-plans"),
        (&["lab", "--json", "plot"], "kachi lab plot hana-ladder"),
        (&["lab", "nothing"], "kachi lab run campaigns/hana-ladder.toml"),
    ] {
        let ran = lab.run(args);
        assert_eq!(ran.code, 2);
        assert!(format!("{}{}", ran.out, ran.err).contains(example), "{args:?}: {ran:?}");
    }
}

#[test]
fn numbers_that_no_machine_has_are_refused() {
    let lab = Lab::new("words-numbers");
    lab.file("two.toml", &paper(2, 1));
    for args in [
        &["lab", "run", "two.toml", "--threads", "1025"][..],
        &["lab", "resume", "two", "--threads", "100000"],
        &["lab", "calculation", "--threads", "1025"],
    ] {
        assert!(lab.refused(args).contains("a number of threads is from 1 to 1,024"), "{args:?}");
    }
    for args in
        [&["verify", "--threads", "1025"][..], &["table", "build", "calculation", "--threads", "1025"]]
    {
        let ran = support::run(args, "");
        assert!(ran.code == 2 && ran.err.contains("from 1 to 1,024"), "{ran:?}");
    }
    for (option, value) in [("--hosts", "1000001"), ("--sample", "0"), ("--workers", "0")] {
        assert!(lab.refused(&["lab", "plan", "two.toml", option, value]).contains(option));
    }
}

#[test]
fn predictions_read_well() {
    let lab = Lab::new("words-plan");
    lab.file("large.toml", "[counts]\ngame = \"calculation\"\nstacks = 4\nchains = 4\nranks = 13\n");
    let told = lab.answered(&["lab", "plan", "large.toml"]).out;
    for words in ["more than 1,000 years", "more than 1,000 EB a host", "finds 80,000 states"] {
        assert!(told.contains(words), "{told}");
    }
    lab.file("games.toml", &paper(2, 1));
    let games = lab.answered(&["lab", "plan", "games.toml", "--sample", "1", "--json"]).json();
    assert!(games["memory"].is_null() && games["units"] == 2.0, "{games}");
}

//! Every command on its good day, as a person and as a program would use it.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod support;

use serde_json::Value;
use support::{answered, golden, kachi, run, temporary};

const COMMANDS: [&str; 14] = [
    "games",
    "hana",
    "solve",
    "moves",
    "explain",
    "play",
    "verify",
    "table",
    "lab",
    "batch",
    "query",
    "bench",
    "schema",
    "completions",
];

#[test]
fn alone_it_welcomes() {
    let ran = answered(&[], "");
    assert_eq!(ran.out, answered(&["--help"], "").out);
    golden("welcome", &ran.out);
}

#[test]
fn the_help_of_every_command_has_two_to_four_examples() {
    for command in COMMANDS {
        let help = answered(&[command, "--help"], "").out;
        let examples =
            help.split("Examples:\n").nth(1).unwrap_or_else(|| panic!("{command} has no examples"));
        let count =
            examples.lines().take_while(|line| line.starts_with("  ")).filter(|line| line.contains("kachi "));
        let count = count.count();
        assert!((2..=4).contains(&count), "{command}: {count}");
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{command}: a line is too long");
        assert_eq!(help, answered(&["help", command], "").out);
    }
}

#[test]
fn games_lists_and_explains() {
    let list = answered(&["games", "--json"], "").json();
    for game in list.as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        let about = answered(&["games", name], "");
        for part in ["Rules", "Notation", "Examples", "Queries"] {
            assert!(about.out.contains(part), "{name}: {part}");
        }
        assert_eq!(answered(&["games", name, "--json"], "").json()["name"], name);
    }
    assert!(answered(&["games"], "").out.contains("単貧民"));
}

#[test]
fn every_example_of_every_game_can_be_solved_explained_drawn_and_moved() {
    let list = answered(&["games", "--json"], "").json();
    for game in list.as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        for example in game["examples"].as_array().unwrap() {
            let position = example["position"].as_str().unwrap();
            for command in ["solve", "explain", "moves"] {
                let ran = answered(&[command, name, position], "");
                // A player may have no move at all; everything else says something.
                assert!(command == "moves" || !ran.out.is_empty(), "{command} {name} {position}");
                assert_eq!(ran.err, "", "{command} {name} {position}");
                assert!(!ran.out.contains('\u{1b}'), "colour in a pipe");
                assert!(
                    ran.out.lines().all(|line| line == line.trim_end()),
                    "a line ends with blanks:\n{}",
                    ran.out
                );
                let json = answered(&[command, name, position, "--json"], "").json();
                assert_eq!(json["game"], name);
                // What is printed as the position reads back as the same position.
                let again = json["position"].as_str().unwrap();
                assert_eq!(answered(&[command, name, again, "--json"], "").json(), json);
            }
            let svg = answered(&["explain", name, position, "--svg", "-"], "").out;
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        }
    }
}

#[test]
fn solve_says_who_wins_marks_every_move_and_gives_the_reason() {
    golden("solve", &answered(&["solve", "tanhinmin", "1 3 4 5 8 / 2 6 7"], "").out);
    golden("solve-won", &answered(&["solve", "tanhinmin", "1,3/2"], "").out);
    let json = answered(&["solve", "tanhinmin", "2,6,7/3,4,5,8@1", "--json"], "").json();
    assert_eq!(json["winner"], 0);
    assert_eq!(json["winning_moves"], serde_json::json!([2, 6, 7, "pass"]));
    assert!(json["why"].is_object());
}

#[test]
fn a_position_may_be_written_without_quotes() {
    let quoted = answered(&["solve", "tanhinmin", "1 3 4 5 8 / 2 6 7"], "").out;
    assert_eq!(
        answered(&["solve", "tanhinmin", "1", "3", "4", "5", "8", "/", "2", "6", "7"], "").out,
        quoted
    );
}

#[test]
fn positions_come_from_standard_input_or_a_file() {
    let text = "# two questions\n1,3/2\n\n  1,4,6,7/2,3,5,8  \n";
    let piped = answered(&["solve", "tanhinmin", "-", "--json"], text);
    let winners: Vec<Value> = piped.json_lines().iter().map(|line| line["winner"].clone()).collect();
    assert_eq!(winners.len(), 2);
    let path = temporary("positions").join("positions.txt");
    std::fs::write(&path, text).unwrap();
    let filed = answered(&["solve", "tanhinmin", "--json", "--file", path.to_str().unwrap()], "");
    assert_eq!(filed.out, piped.out);
    let blocks = answered(&["solve", "tanhinmin", "-"], text).out;
    assert_eq!(blocks.matches("\nWhy\n").count(), 2);
}

#[test]
fn the_same_deal_has_the_same_position() {
    let deal = |seed: &str| {
        answered(&["solve", "tanhinmin", "--deal", seed, "--json"], "").json()["position"].clone()
    };
    assert_eq!(deal("7"), deal("7"));
    assert_ne!(deal("7"), deal("8"));
}

#[test]
fn moves_are_one_a_line() {
    let out = answered(&["moves", "tanhinmin", "2,3/1,2,5"], "").out;
    assert_eq!(out, "✓ 2\n✗ 3\n✗ pass\n");
    assert_eq!(answered(&["moves", "tanhinmin", "2,3/1,2,5", "--winning"], "").out, "2\n");
    assert_eq!(answered(&["moves", "tanhinmin", "1,3,4,5,8/2,6,7", "--winning"], "").out, "");
    let json = answered(&["moves", "tanhinmin", "2,3/1,2,5", "--json"], "").json();
    assert_eq!(json["best"], "2");
    assert_eq!(json["moves"][1]["tone"], "losing");
}

#[test]
fn explain_draws_and_writes_pictures() {
    golden("explain", &answered(&["explain", "tanhinmin", "1 3 4 5 8 / 2 6 7"], "").out);
    let folder = temporary("pictures");
    let path = folder.join("why.svg");
    let ran = answered(&["explain", "tanhinmin", "1,3/2", "--svg", path.to_str().unwrap()], "");
    assert!(ran.err.contains("why.svg"));
    let svg = std::fs::read_to_string(&path).unwrap();
    assert_eq!(svg, answered(&["explain", "tanhinmin", "1,3/2", "--svg", "-"], "").out);
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
    assert_eq!(left.len(), 1, "a temporary file was left behind");
}

#[test]
fn verify_checks_lists_and_writes_the_ledger() {
    let checked = answered(&["verify", "tanhinmin", "--size", "4", "--json", "--threads", "2"], "").json();
    assert_eq!(checked["surprises"], 0);
    let claims = checked["claims"].as_array().unwrap();
    assert!(claims.iter().any(|claim| claim["status"] == "refuted" && claim["counterexample"].is_object()));
    // Every counterexample is a position that solve accepts.
    for claim in claims.iter().filter(|claim| claim["counterexample"].is_object()) {
        let position = claim["counterexample"]["position"].as_str().unwrap();
        answered(&["solve", "tanhinmin", position], "");
    }
    let listed = answered(&["verify", "tanhinmin", "--list", "--json"], "").json();
    let (open, stated): (Vec<_>, Vec<_>) =
        listed.as_array().unwrap().iter().partition(|listed| listed["expected"] == "open");
    assert_eq!(stated.len(), claims.len());
    assert!(open.iter().any(|question| question["id"] == "rule-4-in-linear-time"), "{open:?}");
    let list = answered(&["verify", "--list"], "").out;
    assert!(list.contains("theorem-1") && list.contains("theorem-6-5-trees  (open)"), "{list}");
    let one = answered(&["verify", "tanhinmin", "--claim", "theorem-1", "--size", "5"], "").out;
    assert!(one.contains("✓  theorem-1") && one.contains("All as expected."), "{one}");
    let ledger = answered(&["verify", "tanhinmin", "--size", "3", "--markdown"], "").out;
    assert!(ledger.starts_with("# The soundness ledger\n"));
    assert!(ledger.contains("| `theorem-1` |") && ledger.contains("**proved**"));
    assert!(ledger.contains("| `rule-4-in-linear-time` |") && ledger.contains("| **open**: "));
    let single = ["verify", "tanhinmin", "--claim", "theorem-1", "--size", "3", "--markdown"];
    assert!(!answered(&single, "").out.contains("| **open**: "), "who asks for one claim gets one");
    let columns = ledger
        .lines()
        .filter(|line| line.starts_with('|'))
        .map(|line| line.replace("\\|", "").matches('|').count());
    assert!(columns.clone().all(|count| count == 7), "a cell breaks its row");
}

#[test]
fn query_answers_one_request() {
    let request = r#"{"id":"q","game":"tanhinmin","hands":[[1,3],[2]],"table":0}"#;
    let ran = answered(&["query", request], "");
    assert_eq!(ran.json()["id"], "q");
    assert_eq!(ran.out.lines().count(), 1);
    assert_eq!(answered(&["query", "-"], &request.replace(',', ",\n")).json()["winner"], 0);
    let refused = run(&["query", "{"], "");
    assert_eq!((refused.code, refused.json()["error"]["code"].as_str()), (2, Some("not_json")));
}

#[test]
fn schema_is_one_document_for_all_or_one() {
    let all = answered(&["schema"], "").json();
    assert_eq!(all["$schema"], "https://json-schema.org/draft/2020-12/schema");
    let one = answered(&["schema", "tanhinmin"], "").json();
    assert!(one["$defs"]["tanhinmin.analyze.request"].is_object());
    assert_eq!(answered(&["schema", "--json"], "").out.lines().count(), 1);
}

#[test]
fn completions_know_commands_and_games() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = answered(&["completions", shell], "").out;
        for word in COMMANDS {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    assert!(answered(&["completions", "bash"], "").out.contains("tanhinmin"));
    let json = answered(&["completions", "bash", "--json"], "").json();
    assert_eq!(json["shell"], "bash");
}

#[test]
fn colour_only_where_it_is_wanted() {
    let coloured = |args: &[&str]| answered(args, "").out.contains('\u{1b}');
    assert!(!coloured(&["solve", "tanhinmin"]));
    assert!(coloured(&["solve", "tanhinmin", "--color", "always"]));
    assert!(coloured(&["--color=always", "--help"]));
    assert!(!coloured(&["solve", "tanhinmin", "--color", "never"]));
    let forced = kachi()
        .args(["solve", "tanhinmin"])
        .env("CLICOLOR_FORCE", "1")
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    assert!(!String::from_utf8(forced.stdout).unwrap().contains('\u{1b}'), "NO_COLOR comes first");
}

#[test]
fn the_version_is_told() {
    assert_eq!(answered(&["--version"], "").out, format!("kachi {}\n", env!("CARGO_PKG_VERSION")));
}

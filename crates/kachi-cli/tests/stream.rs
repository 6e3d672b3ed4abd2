//! `kachi batch` as a process: order, bad lines, many lines, files, pipes that break.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod support;

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;
use support::{answered, kachi, temporary};

fn request(id: usize) -> String {
    let (a, b) = (id % 7 + 1, id % 5 + 2);
    format!(r#"{{"id":{id},"game":"tanhinmin","hands":[[{a},{b},{}],[{},3]],"table":0}}"#, a + 3, b + 1)
}

#[test]
fn a_hundred_thousand_lines_in_order_with_bad_ones_among_them() {
    let bad = |id: usize| id % 1000 == 17;
    let lines = (0..100_000).map(|id| if bad(id) { format!("bad line {id}") } else { request(id) });
    let input = lines.collect::<Vec<_>>().join("\n");
    let ran = answered(&["batch"], &input);
    assert_eq!(ran.out.lines().count(), 100_000);
    for (id, line) in ran.out.lines().enumerate() {
        if bad(id) {
            assert!(line.starts_with(r#"{"error":{"code":"not_json""#), "{line}");
        } else {
            assert!(line.starts_with(&format!(r#"{{"id":{id},"winner":"#)), "{line}");
        }
    }
    assert_eq!(answered(&["batch", "--threads", "1"], &input).out, ran.out);
}

#[test]
fn files_in_and_out() {
    let folder = temporary("stream");
    let (from, to) = (folder.join("requests.jsonl"), folder.join("replies.jsonl"));
    let input: String = (0..1000).map(|id| request(id) + "\n").collect();
    std::fs::write(&from, &input).unwrap();
    std::fs::write(&to, "what was there before").unwrap();
    let ran = answered(&["batch", "--in", from.to_str().unwrap(), "--out", to.to_str().unwrap()], "");
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", ""));
    assert_eq!(std::fs::read_to_string(&to).unwrap(), answered(&["batch"], &input).out);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2, "a temporary file was left behind");
}

#[cfg(unix)]
#[test]
fn a_link_and_a_device_stay_what_they_are() {
    let folder = temporary("links");
    let (real, link) = (folder.join("real.jsonl"), folder.join("link.jsonl"));
    std::fs::write(&real, "before").unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    answered(&["batch", "--out", link.to_str().unwrap()], &request(1));
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(std::fs::read_to_string(&real).unwrap().contains("winner"));
    answered(&["batch", "--out", "/dev/null"], &request(1));
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn with_flush_each_reply_comes_before_the_next_request() {
    let mut child =
        kachi().args(["batch", "--flush"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for id in 0..20 {
        writeln!(stdin, "{}", request(id)).unwrap();
        let mut reply = String::new();
        stdout.read_line(&mut reply).unwrap();
        let reply: Value = serde_json::from_str(&reply).unwrap();
        assert_eq!(reply["id"], id);
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn without_flush_what_has_arrived_is_answered_before_more_is_waited_for() {
    let mut child = kachi().args(["batch"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    writeln!(stdin, "{}", request(1)).unwrap();
    let mut reply = String::new();
    stdout.read_line(&mut reply).unwrap();
    assert!(reply.starts_with(r#"{"id":1,"#));
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

/// Starts a command, reads a little of what it prints, and goes away.
fn leave_early(args: &[&str], input: Option<String>) -> (i32, String) {
    let stdin = if input.is_some() { Stdio::piped() } else { Stdio::null() };
    let mut child =
        kachi().args(args).stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let feeder = input.zip(child.stdin.take()).map(|(input, mut stdin)| {
        // The process may be gone before it has read everything; that is the point.
        std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())))
    });
    let mut first = [0; 100];
    let _ = child.stdout.take().unwrap().read(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    if let Some(feeder) = feeder {
        feeder.join().unwrap();
    }
    (output.status.code().unwrap_or(-1), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_broken_pipe_ends_quietly() {
    let many: String = (0..200_000).map(|id| request(id) + "\n").collect();
    assert_eq!(leave_early(&["batch"], Some(many)), (0, String::new()));
    let positions = "1,3,4,5,8/2,6,7\n".repeat(20_000);
    assert_eq!(leave_early(&["solve", "tanhinmin", "-"], Some(positions.clone())), (0, String::new()));
    assert_eq!(leave_early(&["moves", "tanhinmin", "-", "--json"], Some(positions)), (0, String::new()));
    assert_eq!(leave_early(&["schema"], None).1, "");
}

#[test]
fn limits_can_be_set_and_are_reported() {
    let hand = |n: usize| (1..=n).map(|face| face.to_string()).collect::<Vec<_>>().join(",");
    let line = format!(
        r#"{{"game":"tanhinmin","hands":[[{}],[{}]],"cuts":[[1,2,3],[4,5,6]],"goal":[3,3]}}"#,
        hand(40),
        hand(40)
    );
    let reply = answered(&["batch", "--nodes", "1"], &line).json();
    assert_eq!(reply["error"]["code"], "out_of_budget", "{reply}");
    assert!(answered(&["batch"], &line).json()["winner"].is_number());
}

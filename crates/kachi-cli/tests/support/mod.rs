//! Running the real binary, and comparing what it prints with files that a person has read.
#![allow(dead_code, reason = "each test file uses its own part")]

pub(crate) mod lab;

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// The binary, with nothing of the environment that could change its output.
pub(crate) fn kachi() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kachi"));
    command.env_remove("CLICOLOR_FORCE").env_remove("CLICOLOR").env_remove("NO_COLOR");
    // Tables of the person who runs the tests must not change what is printed.
    command.env("KACHI_DATA", PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("no-tables"));
    command
}

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Ran {
    /// The output as one JSON value.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The output as JSON lines.
    pub(crate) fn json_lines(&self) -> Vec<serde_json::Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// Runs the binary with these arguments and this input.
pub(crate) fn run(args: &[&str], input: &str) -> Ran {
    let mut child = kachi()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // Fed from its own thread: a large input and a large output would wait for each other otherwise.
    let feeder = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    // A program that does not read all of its input is not at fault.
    let _ = feeder.join().unwrap();
    output.into()
}

/// A run that must succeed.
pub(crate) fn answered(args: &[&str], input: &str) -> Ran {
    let ran = run(args, input);
    assert_eq!(ran.code, 0, "{args:?}: {ran:?}");
    ran
}

/// Compares with `tests/golden/NAME.txt`; with `KACHI_BLESS=1` writes that file instead.
pub(crate) fn golden(name: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.txt"));
    if std::env::var_os("KACHI_BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        text == expected,
        "{} differs; read the change, then accept it with KACHI_BLESS=1\n--- expected\n{expected}\n--- found\n{text}",
        path.display()
    );
}

/// A path for a temporary file of this test.
pub(crate) fn temporary(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

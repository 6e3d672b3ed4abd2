//! The test vectors of the games in the registry.

use kachi::registry::Registry;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Every vector of every game that is in the registry, file by file.
pub(crate) fn vectors() -> Vec<Value> {
    let known = Registry::default().names();
    let lines = |path: PathBuf| {
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let read = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        text.lines().map(read).collect::<Vec<Value>>()
    };
    let vectors = files().into_iter().flat_map(lines);
    vectors.filter(|vector| known.contains(&vector["request"]["game"].as_str().unwrap_or_default())).collect()
}

fn files() -> Vec<PathBuf> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let entries = |folder: &Path| folder.read_dir().into_iter().flatten().filter_map(Result::ok);
    let mut files: Vec<PathBuf> = entries(&crates)
        .flat_map(|entry| entries(&entry.path().join("tests/vectors")))
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no vectors beside {}", crates.display());
    files
}

//! A claim that calls itself proved names a theorem; that theorem must stand in the named file and be among those whose assumptions are checked.

use kachi::registry::{claims, games};
use std::path::{Path, PathBuf};

fn proofs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs")
}

/// `folder/File.theorem, theorem2` -> the folder, the file, the theorems.
fn parts(reference: &str) -> (&str, &str, Vec<&str>) {
    let (folder, rest) = reference.split_once('/').expect("folder/File.theorem");
    let (file, theorems) = rest.split_once('.').expect("folder/File.theorem");
    (folder, file, theorems.split(", ").collect())
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_proved_claim_names_a_theorem_that_exists() {
    let mut count = 0;
    for game in games() {
        for claim in claims(*game) {
            let statement = claim.statement();
            let Some(reference) = statement.proved else { continue };
            let (folder, file, theorems) = parts(reference);
            let text = read(&proofs().join(folder).join(file).with_extension("v"));
            let assumptions = read(&proofs().join(folder).join("Assumptions.v"));
            for theorem in theorems {
                let stated = ["Theorem", "Lemma", "Corollary"].iter().any(|word| {
                    text.lines().any(|line| {
                        let rest = line.trim_start().strip_prefix(word).map(str::trim_start);
                        rest.and_then(|rest| rest.strip_prefix(theorem)).is_some_and(|after| {
                            !after.starts_with(|c: char| c.is_alphanumeric() || c == '_')
                        })
                    })
                });
                assert!(stated, "{}: {file}.v has no theorem {theorem}", statement.id);
                let checked = assumptions.lines().any(|line| {
                    let asked =
                        line.strip_prefix("Print Assumptions ").map(|name| name.trim_end_matches('.'));
                    asked.is_some_and(|name| name.rsplit('.').next() == Some(theorem))
                });
                assert!(checked, "{}: the assumptions of {theorem} are not checked", statement.id);
                count += 1;
            }
        }
    }
    assert!(count > 20, "{count}");
}

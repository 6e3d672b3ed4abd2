//! The README and the pages of docs/ show commands with their output. Every `console` block is run here, and must print what the page says.
//!
//! A line `$ kachi ...` is a command; the lines up to the next one are its standard output. `| tail -n N` and the like are not understood: a page shows what the
//! command prints, and nothing else. `KACHI_BLESS=1 cargo test -p kachi-cli --test readme` writes the true output into the pages.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All pages that show commands.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    for folder in ["docs", "docs/theory"] {
        let entries = std::fs::read_dir(root().join(folder)).expect("docs are there");
        let files = entries.map(|entry| entry.expect("a readable folder").path());
        pages.extend(files.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    }
    pages.sort();
    pages
}

/// Splits a command line at blanks, keeping what stands in quotes together.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote, mut open) = (Vec::new(), String::new(), None, false);
    for c in line.chars() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (None, '"' | '\'') => (quote, open) = (Some(c), true),
            (None, c) if c.is_whitespace() => {
                if open || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                open = false;
            }
            (_, c) => word.push(c),
        }
    }
    if open || !word.is_empty() {
        words.push(word);
    }
    words
}

/// What `kachi ...` prints on standard output.
fn run(command: &str) -> String {
    let mut words = words(command);
    assert_eq!(words.remove(0), "kachi", "only kachi is run here: {command}");
    let output = Command::new(env!("CARGO_BIN_EXE_kachi"))
        .args(words)
        .current_dir(root())
        .env("COLUMNS", "100")
        .env_remove("KACHI_BLESS")
        // Tables of the person who runs the tests must not change what is printed.
        .env("KACHI_DATA", Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-tables"))
        .output()
        .expect("kachi runs");
    assert!(output.status.code() == Some(0), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("kachi prints text")
}

/// The page with the true output of every command.
fn rewritten(page: &str) -> (String, usize) {
    let (mut text, mut inside, mut skipping, mut commands) = (String::new(), false, false, 0);
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
            skipping = false;
        }
        if let (true, Some(command)) = (inside, line.strip_prefix("$ ")) {
            let output = run(command);
            text.push_str(&format!("$ {command}\n{}\n", output.trim_end()));
            skipping = true;
            commands += 1;
        } else if !skipping {
            text.push_str(line);
            text.push('\n');
        }
    }
    (text, commands)
}

#[test]
fn every_page_shows_what_kachi_prints() {
    let mut commands = 0;
    for path in pages() {
        let page = std::fs::read_to_string(&path).expect("a readable page");
        let (truth, count) = rewritten(&page);
        commands += count;
        if std::env::var_os("KACHI_BLESS").is_some() {
            std::fs::write(&path, truth).expect("a writable page");
            continue;
        }
        assert_eq!(page, truth, "{} is out of date; KACHI_BLESS=1 mends it", path.display());
    }
    assert!(commands >= 5, "only {commands} commands found");
}

#[test]
fn the_picture_of_the_readme_is_the_one_kachi_draws() {
    let picture = root().join("docs/pictures/tanhinmin.svg");
    let drawn = run("kachi explain tanhinmin 1,4,6,7/2,3,5,8 --svg -");
    if std::env::var_os("KACHI_BLESS").is_some() {
        std::fs::write(&picture, &drawn).expect("a writable folder");
    }
    assert_eq!(std::fs::read_to_string(&picture).expect("the picture is there"), drawn);
}

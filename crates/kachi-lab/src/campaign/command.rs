//! Commands that are printed to be pasted into a shell.

use super::run::Run;
use crate::table;
use std::path::Path;

impl Run {
    /// The command that goes on with this run, from wherever it was named.
    #[must_use]
    pub fn resume_command(&self) -> String {
        format!("kachi lab resume {}", self.word())
    }

    /// The command that tells what this run shows.
    #[must_use]
    pub fn show_command(&self) -> String {
        format!("kachi lab show {}", self.word())
    }

    /// What a command calls this run: its name if that is enough, otherwise its folder.
    fn word(&self) -> String {
        let folder = table::Folder::usual();
        let lab = folder.as_ref().and_then(|tables| Some(tables.path().parent()?.join("lab")));
        let name = self.name();
        // A folder of the same name in the current one would be taken instead.
        let is_known = lab.is_some_and(|lab| lab.join(&name) == self.path())
            && !Path::new(&name).exists()
            && !name.contains(['/', '\\']);
        shell_word(&if is_known { name } else { self.path().display().to_string() })
    }
}

/// A word as a shell takes it for one.
///
/// ```
/// use kachi_lab::campaign::command::shell_word;
/// assert_eq!(shell_word("runs/hana-ladder"), "runs/hana-ladder");
/// assert_eq!(shell_word("my runs/it's"), r"'my runs/it'\''s'");
/// assert_eq!(shell_word("-x"), "./-x");
/// ```
#[must_use]
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || ",/@:-._+=".contains(c);
    // What begins with a dash would be taken for an option.
    let word = if word.starts_with('-') { format!("./{word}") } else { word.to_owned() };
    if !word.is_empty() && word.chars().all(plain) {
        word
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

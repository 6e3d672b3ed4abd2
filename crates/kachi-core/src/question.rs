//! Questions that nobody has answered, as far as kachi knows. They stand in the ledger beside the claims, so that nobody takes silence for an answer.

use serde::Serialize;

/// An open question about a game: neither proved nor refuted, and no check of small positions settles it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Question {
    /// A stable name, unique among the claims and questions of its game.
    pub id: &'static str,
    /// Who asked or left it: author, title and number; or `kachi`.
    pub source: &'static str,
    /// The statement whose truth is not known, complete and in plain words.
    pub words: &'static str,
    /// What is known about it. Claims are named in backquotes, as in Markdown.
    pub known: &'static str,
    /// The positions it speaks about.
    pub domain: &'static str,
    /// What would settle or falsify it, or come nearest to that: where there is one, the command, in backquotes.
    pub settled_by: &'static str,
}

impl Question {
    /// What stands in backquotes in [`known`](Question::known) and [`settled_by`](Question::settled_by): claims, commands, positions.
    ///
    /// ```
    /// use kachi_core::Question;
    /// let question = Question {
    ///     id: "large-heaps",
    ///     source: "kachi",
    ///     words: "Heaps of more than a million counters follow the rule of four.",
    ///     known: "`fours` holds as far as it was checked",
    ///     domain: "every heap",
    ///     settled_by: "`kachi verify take --claim fours --size 100000`",
    /// };
    /// assert_eq!(question.quoted().collect::<Vec<_>>(), ["fours", "kachi verify take --claim fours --size 100000"]);
    /// ```
    pub fn quoted(&self) -> impl Iterator<Item = &'static str> {
        [self.known, self.settled_by].into_iter().flat_map(|text| text.split('`').skip(1).step_by(2))
    }
}

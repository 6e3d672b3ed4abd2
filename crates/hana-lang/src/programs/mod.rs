//! The programs shipped: the rule of the paper, the rule as it is played today, and a ladder of small programs to learn the language by.
//!
//! ```
//! use hana_lang::{programs, types};
//! for program in programs::ALL {
//!     assert_eq!(types::check_source(program.source).is_err(), program.broken, "{}", program.name);
//! }
//! ```

/// A program of the house.
#[derive(Debug, Clone, Copy)]
pub struct Shipped {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it shows.
    pub about: &'static str,
    /// Its text.
    pub source: &'static str,
    /// Wrong on purpose, to show what is said about it.
    pub broken: bool,
}

/// HANA-AWASE: the rule of the paper with its repairs.
pub const PAPER: Shipped = Shipped {
    name: "paper",
    about: "the rule of the paper, repaired",
    source: include_str!("../../programs/paper.hl"),
    broken: false,
};

/// HACHI-HACHI: the rule as it is played.
pub const MODERN: Shipped = Shipped {
    name: "modern",
    about: "hachi-hachi as it is played: all teyaku, shobu and sage, the par settlement",
    source: include_str!("../../programs/modern.hl"),
    broken: false,
};

const fn step(name: &'static str, about: &'static str, source: &'static str) -> Shipped {
    Shipped { name, about, source, broken: false }
}

/// All of them: the two rules, then the ladder.
pub const ALL: [Shipped; 7] = [
    PAPER,
    MODERN,
    step("counting", "sets of flowers and their points", include_str!("../../programs/1-counting.hl")),
    step("months", "a loop, an array and a map", include_str!("../../programs/2-months.hl")),
    step(
        "three-cards",
        "a game of one player and an oracle",
        include_str!("../../programs/3-three-cards.hl"),
    ),
    step("functions", "functions as values, and fix", include_str!("../../programs/4-functions.hl")),
    Shipped {
        name: "broken",
        about: "five errors, to see what is said about them",
        source: include_str!("../../programs/5-broken.hl"),
        broken: true,
    },
];

/// The program of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Shipped> {
    ALL.iter().find(|program| program.name == name)
}

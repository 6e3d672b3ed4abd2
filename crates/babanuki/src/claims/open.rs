//! What is open about babanuki.

use super::{KACHI, THESIS};
use kachi_core::Question;

/// All open questions.
pub(super) static ALL: &[Question] = &[
    Question {
        id: "all-locked",
        source: THESIS,
        words: "For some k >= 5 there is a position of k players whose only rational outcome is endless play by all k of them.",
        known: "by the last four of them it is, for every k (`endless-for-k-players`); four players can be locked so in two positions only (`lemma-5.7-alone`); with five it has not been met (`five-not-locked`), although endless play by all five is one of several outcomes from five labels on",
        domain: "players and labels; every position",
        settled_by: "a position: `kachi verify babanuki --claim five-not-locked --size 10`",
    },
    Question {
        id: "four-seats-closed-form",
        source: KACHI,
        words: "With four seats the rank that a player can force has a closed form in the numbers of shared labels, as with three.",
        known: "with three seats it has, and it is proved (`theorem-a`, `theorem-b`, `theorem-c`); with four and more kachi solves all positions of a size once and looks the answer up",
        domain: "four seats, labels",
        settled_by: "a formula that agrees with the tables; their own laws: `kachi verify babanuki --claim one-first-4 --claim someone-last-4`",
    },
];

//! What is open about the programs of hana's rules.

use super::KACHI;
use kachi_core::Question;

/// All open questions.
pub(super) static ALL: &[Question] = &[
    Question {
        id: "hl-biki-in-the-kernel",
        source: KACHI,
        words: "The BIKI theorem, for all strategies, is a theorem of the kernel about the shipped programs.",
        known: "it holds for the full deck by computation, through the month projection (`biki`), and in all play of reduced decks (`biki-all-play`); the kernel has no proof",
        domain: "both programs, every house",
        settled_by: "a proof file that `kachi hana prove` accepts",
    },
    Question {
        id: "hl-programs-end",
        source: KACHI,
        words: "Whole runs of both programs end, whatever the players answer.",
        known: "the round loop of HANA-AWASE does, if Throw-in and Take-out answer (`hl-round-ends`); whole rounds of both ended whenever they were played (`termination`), but for HACHI-HACHI, where a turn may cancel instead of drawing, there is no proof in the kernel",
        domain: "both programs, every house and every strategy",
        settled_by: "a proof file that `kachi hana prove` accepts; a run that does not end would show in `kachi verify hana --claim termination --size 1000`",
    },
    Question {
        id: "hl-invariants-of-whole-programs",
        source: KACHI,
        words: "In whole runs of both programs every flower lies at one place and every Basket holds an even number of cards at the end of a turn.",
        known: "the procedures keep it (`hl-places`, `hl-baskets-even`), under conditions on their arguments; that all calls in a run meet these is checked by play and not proved",
        domain: "both programs, every house and every strategy",
        settled_by: "a proof file that `kachi hana prove` accepts",
    },
];

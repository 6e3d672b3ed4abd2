//! What is open about calculation.

use super::{KACHI, TANAKA};
use kachi_core::Question;

/// All open questions.
pub(super) static ALL: &[Question] = &[
    Question {
        id: "best-play-unseen",
        source: KACHI,
        words: "With two, three or four stacks and an unseen deck nobody can win noticeably more often than the strongest recorded player.",
        known: "how often the best play wins is known for reduced decks only, where plans one draw ahead win 97 to 100 % of it; for the whole deck the recorded players are a bound from below and the deck face up one from above, and with two and three stacks they are far apart",
        domain: "the deck of 52 cards, 2 to 4 stacks",
        settled_by: "a stronger player on the common deals: `kachi lab calculation --stacks 3 --player NAME --games 10000 --seed 1`",
    },
    Question {
        id: "face-up-three-stacks",
        source: KACHI,
        words: "With three stacks and the deck face up all of the deals 1 to 10000 can be won.",
        known: "a search of up to 10,000 tables a draw finds a line for 9,996 of them; 3648, 7266, 8604 and 9203 are left open. The search leaves tables aside, so that they are not proved lost either",
        domain: "four deals, three stacks",
        settled_by: "a wider beam, another judge, or a search that leaves nothing aside: `kachi lab calculation --stacks 3 --player clairvoyant:width=200000 --games 1 --seed 3648`",
    },
    Question {
        id: "printed-rates",
        source: TANAKA,
        words: "The method as the paper describes it wins 64.7 % of the deals with three stacks, 67.8 % of 1,000 one draw ahead, and 98.2 % with four.",
        known: "played as described, by the players `paper` and `paper-look1`, it wins less; with the last cards of the foundations taken together (`paper:joint=1`) it won 294 of 300 tuning deals with four stacks. What else the printed program did is not described",
        domain: "the deck of 52 cards, 3 and 4 stacks",
        settled_by: "`kachi lab run campaigns/calculation-3-paper.toml`, `kachi lab run campaigns/calculation-3-paper-look1.toml`, `kachi lab run campaigns/calculation-4-paper.toml`",
    },
    Question {
        id: "growth-of-three-chains",
        source: KACHI,
        words: "The numbers of states for three and four chains grow from one length of the chains to the next by a factor that tends to a limit.",
        known: "exact counts reach three chains of seven cards on three stacks, where the last factors are 18.35, 18.079 and 18.077, and three of five on four; `kachi lab plan` goes on with the last factor, and calls it a guess",
        domain: "three and more chains",
        settled_by: "longer chains, counted on many machines: `kachi lab plan FILE --hosts N` says what that takes",
    },
];

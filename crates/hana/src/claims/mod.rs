//! The statements about hana as claims, as printed and with their exact conditions.
//!
//! Source: S. Igarashi, *The Game of "Hana": Representation and Analysis using a Typed Calculus*. The paper states the Lemma (every flower
//! is taken), the 88 theorem, termination and the BIKI theorem without proofs and without conditions.
//!
//! | room | statements |
//! |---|---|
//! | `month_view` | complete for the full deck, because only one month matters: Lemma, BIKI, Windows |
//! | `safe` | which cards are safe for which seat, by exact search over all places |
//! | `reduced` | all play on reduced decks |
//! | `rounds` | whole rounds: 88, termination, stops, a Window of one's own |
//! | `counts` | the exact distributions of hands and tables |

mod counts;
mod month_view;
mod reduced;
mod rounds;
mod safe;

use kachi_core::{Claim, Findings, Statement};

/// All claims, in the order of the theory.
pub static ALL: &[&dyn Claim] = &[
    &month_view::LEMMA,
    &month_view::TAKE_ONE,
    &month_view::WINDOWS,
    &month_view::FREE_WINDOW,
    &rounds::EIGHTY_EIGHT,
    &rounds::EIGHTY_EIGHT_STOPPED,
    &rounds::TERMINATION,
    &month_view::BIKI,
    &month_view::SIMULATION,
    &reduced::BIKI_ALL_PLAY,
    &rounds::BIKI_STOPPED,
    &rounds::BIKI_WINDOW,
    &safe::OYA,
    &safe::NAKA,
    &safe::TWO_OF_A_MONTH,
    &safe::TWO_MONTHS,
    &safe::FOURTH,
    &safe::FOUR,
    &safe::THREE,
    &safe::THREE_BIKI,
    &safe::OYA_MATE,
    &reduced::BIKI_POINTS,
    &counts::TEYAKU,
    &counts::PAPER_TEYAKU,
    &counts::TABLES,
];

const PAPER: &str = "Igarashi, The Game of Hana";
const KACHI: &str = "kachi";

/// A statement with the function that checks one shard.
struct Check {
    statement: Statement,
    shards: fn(u32) -> u32,
    /// The size at which the domain is exhausted.
    largest: u32,
    check: fn(u32, u32, &mut Findings),
}

impl Claim for Check {
    fn statement(&self) -> &Statement {
        &self.statement
    }

    fn largest(&self) -> u32 {
        self.largest
    }

    fn shards(&self, size: u32) -> u32 {
        (self.shards)(size)
    }

    fn check(&self, size: u32, shard: u32, findings: &mut Findings) {
        (self.check)(size, shard, findings);
    }
}

const fn one_shard(_: u32) -> u32 {
    1
}

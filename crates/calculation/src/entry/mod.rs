//! Calculation as the surfaces see it: [`ENTRY`] and its boards.
//!
//! | module | holds |
//! |---|---|
//! | [`stock`] | where the next card comes from, and how a board is written |
//! | [`engine`] | the chances of all ways to go on |
//! | [`board`] | a table in play |
//! | [`report`] | what is said about it |

pub mod board;
pub mod engine;
pub mod report;
pub mod stock;

use crate::claims::CLAIMS;
use crate::contract;
use crate::position::Position;
use crate::rules::Rules;
use board::Play;
use kachi_core::surface::{About, Bench, Board, Clock, Entry, Example, Query};
use kachi_core::{Budget, Claim, Error};
use stock::{Stock, USUAL_STACKS, Written};

/// The game.
#[derive(Debug, Clone, Copy, Default)]
pub struct Calculation;

/// The one entry for the registry.
pub static ENTRY: Calculation = Calculation;

static ABOUT: About = About {
    name: "calculation",
    japanese: "カルキュレーション",
    summary: "the solitaire: four foundations by steps of 1 to 4, unseen cards, three stacks to wait on",
    rules: "Fifty-two cards; suits do not matter. Four foundations (台札) grow by steps: f0 takes A 2 3 ... K, f1 takes 2 4 6 8 T Q A 3 5 7 9 J K, f2 \
            counts by threes from 3, f3 by fours from 4; all end with a king. Draw a card from the deck (山札); play it on a foundation that \
            takes it next, or put it on one of the waste stacks (捨て札), three in the hard game, four in the easy one. Then tops of \
            stacks may go to foundations, as many as you like; never from stack to stack. The game is won when all 52 cards are on the foundations.",
    notation: "A234/58Q/-/J@7     what each foundation takes next (- when complete), the stacks bottom first, @ and the drawn card\n\
               A234/-/-/-         nothing drawn: any unseen card may come next; four stacks make the easy game\n\
               62AQ/5/-/2@-       free moves are done, the next card is due\n\
               ...@7.deal12       the cards still to come are those of deal 12 (the deals of kachi lab)\n\
               deal@12, deal:4@12 the beginning of deal 12, with three and with four stacks\n\
               5:1,2:A2/-/3@4     a smaller game: 5 ranks, foundations by 1 and by 2\n\
               moves: f2 (drawn card to a foundation), s0 (on a stack), s0f2 (top of a stack to a foundation), draw, or the rank that turned up",
    engine: "the player plans, one draw ahead",
    examples: &[
        Example {
            position: "666Q/58Q/TK9J29AQ37/J@6",
            words: "In the middle of a game: three foundations take the 6, and it matters which.",
        },
        Example {
            position: "6A84/K9Q8/J5T/K7@K",
            words: "A king early on: every stack is bad, one is worst.",
        },
        Example { position: "QKT9/K9/KT/-@K", words: "Few cards are unseen: the chances are exact." },
        Example { position: "A234/-/-/-", words: "The beginning, before the first card." },
        Example { position: "deal:4@12", words: "The easy game with four stacks, a seeded deal." },
    ],
};

impl Entry for Calculation {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn board(&self, notation: &str) -> Result<Box<dyn Board>, Error> {
        Ok(Box::new(Play::new(stock::read(notation)?)))
    }

    fn deal(&self, seed: u64) -> Box<dyn Board> {
        Box::new(Play::new(beginning(Stock::Deal(seed))))
    }

    fn undealt(&self) -> Option<Box<dyn Board>> {
        Some(Box::new(Play::new(beginning(Stock::Unknown))))
    }

    fn queries(&self) -> Vec<Query> {
        contract::queries()
    }

    fn answer(
        &self,
        query: &str,
        request: &str,
        budget: &mut Budget<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        contract::answer(query, request, budget, out)
    }

    fn claims(&self) -> &'static [&'static dyn Claim] {
        CLAIMS
    }

    fn bench(&self, clock: &dyn Clock) -> Bench {
        crate::bench::bench(clock)
    }

    fn typical_request(&self, i: u64) -> String {
        crate::bench::typical_request(i)
    }
}

/// The game as the paper plays it, before anything is drawn.
fn beginning(stock: Stock) -> Written {
    let rules = Rules::calculation(USUAL_STACKS).expect("three stacks are allowed");
    let position = Position::start(&rules);
    Written { rules, position, stock, due: false }
}

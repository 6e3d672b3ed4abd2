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

use crate::claims::{CLAIMS, OPEN};
use crate::contract;
use crate::position::Position;
use crate::rules::Rules;
use board::Play;
use kachi_core::surface::{About, Bench, Board, Clock, Deal, Entry, Example, InJapanese, Query};
use kachi_core::{Budget, Claim, Error, Question};
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
    engine: "value net and plans together, one draw ahead; the net alone without the table of pairs",
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

static DEALS: [Deal; 2] = [
    Deal { pattern: "deal@{seed}", words: "three stacks", japanese: "捨て札三か所", hidden: false },
    Deal {
        pattern: "deal:4@{seed}",
        words: "four stacks, the easy game",
        japanese: "捨て札四か所(やさしい)",
        hidden: false,
    },
];

static JAPANESE: InJapanese = InJapanese {
    summary: "一人遊び。四つの台札を一つ、二つ、三つ、四つおきに積み上げる",
    rules: "五十二枚、マークは関係しない。台札は一つずつ、二つずつ、三つずつ、四つずつ増え、どれもキングで終わる。山札から一枚引き、\
            次に置ける台札に置くか、捨て札(三か所、やさしい遊びでは四か所)に置く。捨て札の一番上は、いつでも台札に移せる。\
            捨て札から捨て札へは動かせない。五十二枚すべてを台札に積めば成功。",
};

impl Entry for Calculation {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn deals(&self) -> &'static [Deal] {
        &DEALS
    }

    fn in_japanese(&self) -> Option<&'static InJapanese> {
        Some(&JAPANESE)
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

    fn questions(&self) -> &'static [Question] {
        OPEN
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

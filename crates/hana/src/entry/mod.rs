//! Hana as every surface sees it: a game of twelve months with hidden hands, or an open position.

mod opened;
mod play;

use crate::card::{Card, Cards};
use crate::contract;
use crate::search::open::Open;
use crate::season::Season;
use crate::{House, Preset, bench, claims};
use kachi_core::surface::{About, Bench, Board, Clock, Deal, Entry, Example, InJapanese, Query};
use kachi_core::{Budget, Claim, Error};
use opened::Opened;
use play::{Play, advanced};

/// The game.
#[derive(Debug, Clone, Copy)]
pub struct Hana;

/// The entry of the registry.
pub static ENTRY: Hana = Hana;

static ABOUT: About = About {
    name: "hana",
    japanese: "花",
    summary: "hanafuda for three: match the flowers, 88 points are par",
    rules: "Forty-eight flower cards, twelve months of four. Three players get seven cards each, six lie on the table, 21 form the YAMA (stock). \
            In his turn a player throws a card and draws the top of the YAMA; each of the two takes a card of its month from the table if there is \
            one (all three if three lie there) into his Basket, else it stays. After 21 turns all cards are taken: 264 points, 3 x 88. \
            Special sets (dekiyaku) end a round early or pay extra. Lights count 20, animals 10, ribbons 5, kasu 1. A game has twelve months.",
    notation: "PRESET:SEATS@SEED   e.g. modern:3@7, a new game of twelve months (preset modern or paper, 3 to 6 seats; house with --rules FILE)\n\
               /WINNER:NET,NET,NET for every finished month (winner 0: void), then / and the decisions of the running one\n\
               decisions: card names; play or drop; sage or shobu; on or cancel\n\
               OYA/NAKA/BIKI@TABLE:YAMA   an open position, the first hand to move: 4c/12b/3c@2c,4b,10b,12c:10a,2d,3b\n\
               a card is month and letter, the most valuable first: 1a crane, 8a moon, 12d kasu; :one at the end: take one of three",
    engine: "good players (judgement, not proof)",
    examples: &[
        Example { position: "modern:3@7", words: "a new game by today's rules" },
        Example { position: "paper:3@7", words: "a new game by the paper's rules" },
        Example { position: "modern:5@11", words: "five sit down, two may drop" },
        Example { position: "4c/12b/3c@2c,4b,10b,12c:10a,2d,3b", words: "the last round, all cards open" },
        Example {
            position: "4a,10b/5c,9b/6d,7b@3d,4b,5a,6b,9d,11a:3b,11d,4d,7d,4c,10d",
            words: "two rounds left: oya can make sure of 4a, but not of 10b",
        },
        Example {
            position: "1a,1b,8a,9a,10a,11a,12a/1c,1d,2b,3b,4b,5b,6b/2c,7b,8b,9b,10b,11b,12b@2a,3a,4a,5a,6a,7a:3c,4c,5c,6c,7c,8c,9c,10c,11c,12c,2d,3d,4d,5d,6d,7d,8d,9d,10d,11d,12d",
            words: "the BIKI theorem fails for oya: naka holds two pines",
        },
    ],
};

static DEALS: [Deal; 3] = [
    Deal {
        pattern: "modern:3@{seed}",
        words: "12 months by today's rules, against two",
        japanese: "現代のルールで12か月、二人を相手に",
        hidden: true,
    },
    Deal {
        pattern: "paper:3@{seed}",
        words: "12 months by the paper's rules, against two",
        japanese: "論文のルールで12か月、二人を相手に",
        hidden: true,
    },
    Deal {
        pattern: "modern:5@{seed}",
        words: "12 months, five sit down and two may drop",
        japanese: "12か月、五人のうち二人は下りられる",
        hidden: true,
    },
];

static JAPANESE: InJapanese = InJapanese {
    summary: "三人の花合わせ。同じ月の花を取り、八十八点が基準",
    rules: "花札四十八枚。三人に七枚ずつ、場に六枚、山に二十一枚。手番では手札を一枚出し、山から一枚めくる。\
            それぞれ、場に同じ月の札があれば取り(三枚あれば全部)、なければ場に残る。二十一手で全ての札が取られ、合計二百六十四点。\
            出来役ができると勝負か下げを選ぶ。光二十点、タネ十点、短冊五点、カス一点。十二か月で一勝負。",
};

impl Entry for Hana {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn deals(&self) -> &'static [Deal] {
        &DEALS
    }

    fn in_japanese(&self) -> Option<&'static InJapanese> {
        Some(&JAPANESE)
    }

    fn card_picture(&self, name: &str) -> Option<String> {
        let card: Card = name.parse().ok()?;
        Some(crate::picture::cards::document(card))
    }

    fn board(&self, notation: &str) -> Result<Box<dyn Board>, Error> {
        let head = notation.trim_start();
        if ["modern", "paper", "house"].iter().any(|rules| head.starts_with(rules)) {
            let season: Season = notation.parse()?;
            return Ok(Box::new(Play { season: advanced(season) }));
        }
        let open: Open = notation.parse()?;
        Ok(Box::new(Opened { open, mover: 0, baskets: [Cards::NONE; 3] }))
    }

    fn deal(&self, seed: u64) -> Box<dyn Board> {
        match Season::new(Preset::Modern, 3, seed) {
            Ok(season) => Box::new(Play { season: advanced(season) }),
            // A seed whose hundred shuffles are all redeals is not known to exist.
            Err(_) => Box::new(Opened { open: bench::open_deal(seed), mover: 0, baskets: [Cards::NONE; 3] }),
        }
    }

    fn board_by_rules(
        &self,
        rules: &str,
        notation: Option<&str>,
        seed: u64,
    ) -> Result<Box<dyn Board>, Error> {
        let house = House::read(rules)?;
        let season = match notation {
            Some(text) => Season::read(text, Some(house))?,
            None => Season::with_house(house, 3, seed)?,
        };
        Ok(Box::new(Play { season: advanced(season) }))
    }

    fn queries(&self) -> Vec<Query> {
        use contract::{
            DekiyakuReply, DekiyakuRequest, EndgameReply, EndgameRequest, FieldReply, FieldRequest,
            MoneyReply, MoneyRequest, MonthReply, MonthRequest, RedealReply, RedealRequest, SettleReply,
            SettleRequest, TeyakuReply, TeyakuRequest,
        };
        vec![
            Query::of::<TeyakuRequest, TeyakuReply>("teyaku", "what a dealt hand is worth"),
            Query::of::<DekiyakuRequest, DekiyakuReply>("dekiyaku", "what a Basket is worth"),
            Query::of::<FieldRequest, FieldReply>("field", "what the lights on the table multiply"),
            Query::of::<RedealRequest, RedealReply>("redeal", "whether a table must be dealt again"),
            Query::of::<SettleRequest, SettleReply>("settle", "what a round pays"),
            Query::of::<MonthRequest, MonthReply>("month", "a month from deck, order and decisions"),
            Query::of::<EndgameRequest, EndgameReply>(
                "endgame",
                "points and cards that each seat can guarantee",
            ),
            Query::of::<MoneyRequest, MoneyReply>("endgame-money", "money that each seat can guarantee"),
        ]
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
        claims::ALL
    }

    fn bench(&self, clock: &dyn Clock) -> Bench {
        bench::run(clock)
    }

    fn typical_request(&self, i: u64) -> String {
        let open = bench::ending(i, 2);
        let names = |cards: Cards| serde_json::to_string(&cards.names()).unwrap_or_default();
        let [oya, naka, biki] = open.hands().map(names);
        let yama: Vec<String> = open.yama().iter().map(ToString::to_string).collect();
        let (table, yama) = (names(open.table()), serde_json::to_string(&yama).unwrap_or_default());
        format!(
            r#"{{"id":{i},"game":"hana","query":"endgame","hands":[{oya},{naka},{biki}],"table":{table},"yama":{yama}}}"#
        )
    }
}

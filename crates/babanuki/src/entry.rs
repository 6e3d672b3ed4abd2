//! Babanuki as the surfaces see it: [`ENTRY`] and its boards.

use crate::claims::{CLAIMS, OPEN};
use crate::contract::{self, AnalyzeReply, AnalyzeRequest, DealReply, DealRequest, PlayReply, PlayRequest};
use crate::notation;
use crate::picture;
use crate::position::{Card, Mode, Position, View, seat_name};
use crate::report;
use crate::rules::draw;
use crate::strategy::judge;
use kachi_core::random::Dealer;
use kachi_core::scene::Scene;
use kachi_core::surface::{
    About, Bench, Board, Clock, Deal, Ended, Entry, Example, InJapanese, Query, Report, fold,
};
use kachi_core::{Budget, Claim, Error, Question, Seat};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;

/// The game.
#[derive(Debug, Clone, Copy, Default)]
pub struct Babanuki;

/// The one entry for the registry.
pub static ENTRY: Babanuki = Babanuki;

static ABOUT: About = About {
    name: "babanuki",
    japanese: "ババ抜き",
    summary: "Old Maid with open hands: draw from your neighbour, discard pairs, do not keep the joker.",
    rules: "One joker, and labels with two copies each. On your turn you take a card of your choice from the nearest \
            seat before you that has cards. If you hold its mate, both are discarded; otherwise you keep it. Seats \
            without cards leave and are ranked in that order (on one draw the seat drawn from leaves first); the next \
            seat with cards goes on. Whoever is left with the joker is last. Play may be endless: the joker can go \
            round for ever.",
    notation: "1,2/1/2,J@0        hands by seat, split by /; cards by comma; J is the joker; @ and the seat to move\n\
                                  (seat 0 is called A, seat 1 B, ...)\n\
               1,2/-/1,2,J@0      - is a seat that is out; -1 one that left first\n\
               ...@0:ranks        labels with 2, 4, 6 copies, as in a real deck\n\
               ...@0:closed       hands face down: everybody sees only the own cards\n\
               deal:4x13@7        deal 13 pairs and the joker to 4 players, seed 7 (also deal:4x13:closed@7)",
    engine: "players who keep every guarantee",
    examples: &[
        Example {
            position: "7,9/2,3,9/2,3,4,J/4,7@0",
            words: "Four players: one card keeps first place for A, the other leaves only endless play.",
        },
        Example {
            position: "1,2/3,4/1,2/3,4,J@0",
            words: "Lemma 5.7: whoever stops taking the joker is last, so it goes round for ever.",
        },
        Example {
            position: "1,2/1/2,J@0",
            words: "Three players: a case that the published list misses. A can force leaving first.",
        },
        Example { position: "1,2,3/1,2,3,J@0", words: "Two players: the joker loses." },
        Example {
            position: "1,2,3,4/1,5,6/2,5,7,J/3,4,6,7@0:closed",
            words: "Closed hands: the chances of ordinary babanuki.",
        },
        Example { position: "6,2/6/6/J,2,6@0:ranks", words: "A rank with four copies, one in each hand." },
    ],
};

static DEALS: [Deal; 8] = [
    Deal {
        pattern: "deal:4x13@{seed}",
        words: "4 players, open hands",
        japanese: "4人、手札公開",
        hidden: false,
    },
    Deal {
        pattern: "deal:2x13@{seed}",
        words: "2 players, open hands",
        japanese: "2人、手札公開",
        hidden: false,
    },
    Deal {
        pattern: "deal:3x13@{seed}",
        words: "3 players, open hands",
        japanese: "3人、手札公開",
        hidden: false,
    },
    Deal {
        pattern: "deal:5x13@{seed}",
        words: "5 players, open hands",
        japanese: "5人、手札公開",
        hidden: false,
    },
    Deal {
        pattern: "deal:4x13:closed@{seed}",
        words: "4 players, hands face down",
        japanese: "4人、手札を伏せて",
        hidden: true,
    },
    Deal {
        pattern: "deal:2x13:closed@{seed}",
        words: "2 players, hands face down",
        japanese: "2人、手札を伏せて",
        hidden: true,
    },
    Deal {
        pattern: "deal:3x13:closed@{seed}",
        words: "3 players, hands face down",
        japanese: "3人、手札を伏せて",
        hidden: true,
    },
    Deal {
        pattern: "deal:5x13:closed@{seed}",
        words: "5 players, hands face down",
        japanese: "5人、手札を伏せて",
        hidden: true,
    },
];

static JAPANESE: InJapanese = InJapanese {
    summary: "手札公開のババ抜き。隣から一枚引き、ペアを捨てる。ババを最後まで持つと負け",
    rules: "ジョーカー一枚と、二枚ずつの札。手番では、自分の前の席(札のある最も近い人)から好きな札を一枚引く。\
            同じ札があれば二枚とも捨て、なければ手札に加える。札のなくなった人から抜けて順位がつく。\
            最後にジョーカーを持つ人が最下位。ジョーカーが回り続けて終わらないこともある。",
};

impl Entry for Babanuki {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn board(&self, text: &str) -> Result<Box<dyn Board>, Error> {
        Ok(Box::new(Play { position: notation::read_board(text)? }))
    }

    fn deal(&self, seed: u64) -> Box<dyn Board> {
        Box::new(Play { position: notation::deal(4, 13, Mode::Pairs, View::Open, seed) })
    }

    fn deals(&self) -> &'static [Deal] {
        &DEALS
    }

    fn in_japanese(&self) -> Option<&'static InJapanese> {
        Some(&JAPANESE)
    }

    fn queries(&self) -> Vec<Query> {
        vec![
            Query::of::<AnalyzeRequest, AnalyzeReply>(
                "analyze",
                "Who can force which rank, what every draw keeps, and why.",
            ),
            Query::of::<PlayRequest, PlayReply>(
                "play",
                "What a draw does: pairs discarded, seats that leave, who moves next.",
            ),
            Query::of::<DealRequest, DealReply>(
                "deal",
                "How a deal begins: pairs are discarded, empty seats leave.",
            ),
        ]
    }

    fn answer(
        &self,
        query: &str,
        request: &str,
        budget: &mut Budget<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        match query {
            "analyze" => contract::analyze(request, budget, out),
            "play" => contract::play(request, budget, out),
            "deal" => contract::deal(request, budget, out),
            _ => Err(Error::new("unknown_query", format!("babanuki has no query {query:?}"))
                .at_field("query")
                .hint("the queries are analyze, play, deal")),
        }
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
        let players = 2 + (i % 4) as usize;
        let labels = if players == 5 { 8 } else { 10 };
        // A deal in which only one seat is left with cards is dealt again.
        let deals =
            (0_u64..).map(|again| notation::deal(players, labels, Mode::Pairs, View::Open, i ^ again << 48));
        let position = { deals }.find(|position| !position.table().is_over());
        let Some(position) = position else { return String::new() };
        let table = position.table();
        let hands: Vec<Vec<&str>> = table.hands().iter().map(|hand| position.names(hand)).collect();
        json!({"game": "babanuki", "query": "analyze", "mode": "pairs", "hands": hands, "to_move": table.mover().0})
            .to_string()
    }
}

/// A position in play.
struct Play {
    position: Position,
}

impl Play {
    fn is_over(&self) -> bool {
        self.position.table().is_over()
    }

    /// The victim's cards in the order in which a blind player meets their backs: mixed, but always the same for a position.
    fn backs(&self) -> Vec<Card> {
        let table = self.position.table();
        let Some(Seat(victim)) = table.victim() else { return Vec::new() };
        let mut cards = table.hands()[victim].clone();
        let seed = notation::write(&self.position).bytes().fold(0, |seed, byte| fold(seed, u64::from(byte)));
        Dealer::new(seed).shuffle(&mut cards);
        cards
    }

    fn card(&self, mv: &str) -> Result<Card, Error> {
        let mv = mv.trim();
        let table = self.position.table();
        let Some(Seat(victim)) = table.victim().filter(|_| !self.is_over()) else {
            return Err(Error::new("illegal_move", "the game is over: nobody draws any more"));
        };
        let name = seat_name(victim);
        if self.position.view() == View::Closed {
            let backs = self.backs();
            let hint = format!("name a back from c1 to c{}", backs.len());
            let Some(place) = mv.strip_prefix(['c', 'C']).and_then(|place| place.parse::<usize>().ok())
            else {
                return Err(Error::new("bad_move", format!("{mv:?} is no card of a closed hand")).hint(hint));
            };
            let card = place.checked_sub(1).and_then(|place| backs.get(place)).copied();
            return card
                .ok_or_else(|| Error::new("illegal_move", format!("{name} has no card {place}")).hint(hint));
        }
        let hand = &table.hands()[victim];
        let hint = format!("{name} holds {}", self.position.names(hand).join(", "));
        if mv.is_empty() {
            return Err(Error::new("bad_move", "name the card to take").hint(hint));
        }
        // A small j means the joker, unless it is a label.
        let mv = if mv == "j" && self.position.card("j").is_none() { "J" } else { mv };
        match self.position.card(mv) {
            Some(card) if hand.binary_search(&card).is_ok() => Ok(card),
            Some(_) => {
                Err(Error::new("illegal_move", format!("{name}, who is drawn from, does not hold {mv}"))
                    .hint(hint))
            }
            None => Err(Error::new("bad_move", format!("there is no card {mv:?}")).hint(hint)),
        }
    }
}

/// The contract's answer, and for every draw what it keeps or gives away.
#[derive(Serialize)]
struct WithReasons<'a> {
    #[serde(flatten)]
    reply: AnalyzeReply,
    draw_reasons: BTreeMap<&'a str, String>,
}

impl Board for Play {
    fn notation(&self) -> String {
        notation::write(&self.position)
    }

    fn seats(&self) -> Vec<String> {
        (0..self.position.table().players()).map(seat_name).collect()
    }

    fn mover(&self) -> Option<Seat> {
        (!self.is_over()).then(|| self.position.table().mover())
    }

    fn ended(&self) -> Option<Ended> {
        let table = self.position.table();
        let last = table.joker_seat();
        // Babanuki has one loser; everybody else has won.
        let winners = (0..table.players()).map(Seat).filter(|&seat| seat != last).collect();
        self.is_over().then(|| Ended { words: report::over_words(&self.position), winners })
    }

    fn drawing(&self, viewer: Seat) -> String {
        picture::table(&self.position, viewer)
    }

    fn scene(&self, viewer: Seat) -> Scene {
        picture::scene(&self.position, viewer)
    }

    fn hidden(&self) -> bool {
        self.position.view() == View::Closed && !self.is_over()
    }

    fn report(&self, budget: &mut Budget<'_>) -> Result<Report, Error> {
        if self.is_over() { Ok(report::over(&self.position)) } else { report::report(&self.position, budget) }
    }

    fn svg(&self, budget: &mut Budget<'_>) -> Result<String, Error> {
        if self.is_over() {
            return Ok(picture::svg(&self.position, None, &report::over_words(&self.position)));
        }
        let words = report::report(&self.position, budget)?.verdict;
        let judged = match self.position.view() {
            View::Open => Some(judge(&self.position, budget)?),
            View::Closed => None,
        };
        Ok(picture::svg(&self.position, judged.as_ref(), &words))
    }

    fn answer(&self, budget: &mut Budget<'_>) -> Result<String, Error> {
        if self.is_over() {
            return Err(Error::new("game_over", "the game is over: only the hand with the joker is left"));
        }
        let reply = contract::analysis(&self.position, budget)?;
        let judged = judge(&self.position, budget)?;
        let mut draw_reasons = BTreeMap::new();
        for (draw, note) in judged.draws.iter().zip(report::notes(&self.position, &judged, budget)?) {
            draw_reasons.extend(draw.cards.iter().map(|&card| (self.position.name(card), note.clone())));
        }
        let answer = WithReasons { reply, draw_reasons };
        serde_json::to_string(&answer).map_err(|error| Error::new("not_written", error.to_string()))
    }

    fn play(&self, mv: &str) -> Result<Box<dyn Board>, Error> {
        let card = self.card(mv)?;
        let drawn = draw(self.position.table(), card);
        let drawn = drawn.ok_or_else(|| Error::new("illegal_move", "the card is not there"))?;
        Ok(Box::new(Play { position: self.position.with(drawn.table) }))
    }
}

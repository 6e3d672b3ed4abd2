//! A toy game that stands in for the real ones: a heap of counters, take one to three, who takes the last one wins.
//! The mover loses exactly when the heap is a multiple of four, so every surface can be tested against a known answer.
#![allow(dead_code, reason = "each test file uses its own part")]

use kachi_core::notation::Reader;
use kachi_core::surface::{
    About, Bench, Board, By, Clock, Ended, Entry, Example, MoveLine, Query, Report, Status, Tone, fold,
};
use kachi_core::{Budget, Claim, Counterexample, Error, Expected, Findings, Seat, Statement, request};
use serde::{Deserialize, Serialize};

/// The well-behaved game.
pub(crate) static TAKE: Take = Take { about: &TAKE_ABOUT, claims: &[&FOURS, &THREES], fault: None };
/// The same game with a claim that holds although it is expected to be refuted, and one that fails unexpectedly.
pub(crate) static LIAR: Take =
    Take { about: &LIAR_ABOUT, claims: &[&FOURS, &FALSE_FOURS, &FALSE_THREES], fault: None };
/// The same game with a bug: it panics at a heap of 13.
pub(crate) static FAULTY: Take = Take { about: &FAULTY_ABOUT, claims: &[], fault: Some(13) };

pub(crate) struct Take {
    about: &'static About,
    claims: &'static [&'static dyn Claim],
    fault: Option<u32>,
}

const fn about(name: &'static str) -> About {
    About {
        name,
        japanese: "取り石",
        summary: "Take one to three counters; who takes the last one wins.",
        rules: "A heap of counters. In turn each player takes one, two or three. Who takes the last one wins.",
        notation: "the number of counters: 21",
        engine: "perfect play",
        examples: &[
            Example { position: "21", words: "a win by leaving a multiple of four" },
            Example { position: "8", words: "a loss" },
        ],
    }
}

static TAKE_ABOUT: About = about("take");
static LIAR_ABOUT: About = about("liar");
static FAULTY_ABOUT: About = about("faulty");

const fn statement(id: &'static str, words: &'static str, expected: Expected) -> Statement {
    Statement {
        id,
        source: "Bachet, Problèmes plaisants",
        words,
        expected,
        corrected_by: None,
        proved: None,
        domain: "counters; every heap with at most ten counters more than ten times the size",
        sampled: false,
        size: 6,
    }
}

/// "The mover loses exactly the multiples of `step`", over heaps 10 s - 9 ..= 10 s for size s, two heaps a shard.
struct Multiples {
    statement: Statement,
    step: u32,
}

static FOURS: Multiples = Multiples {
    statement: Statement {
        proved: Some("toy/Take.fours"),
        ..statement("fours", "The mover loses exactly the multiples of 4.", Expected::Holds)
    },
    step: 4,
};
static THREES: Multiples = Multiples {
    statement: Statement {
        corrected_by: Some("fours"),
        ..statement("threes", "The mover loses exactly the multiples of 3.", Expected::Refuted)
    },
    step: 3,
};
static FALSE_FOURS: Multiples = Multiples {
    statement: statement(
        "false-fours",
        "The mover does not lose exactly the multiples of 4.",
        Expected::Refuted,
    ),
    step: 4,
};
static FALSE_THREES: Multiples = Multiples {
    statement: statement("false-threes", "The mover loses exactly the multiples of 3.", Expected::Holds),
    step: 3,
};

impl Claim for Multiples {
    fn statement(&self) -> &Statement {
        &self.statement
    }

    fn shards(&self, size: u32) -> u32 {
        // Size 1 is empty, so that the emptiness of a size is tested too.
        if size == 1 { 0 } else { 5 }
    }

    fn check(&self, size: u32, shard: u32, findings: &mut Findings) {
        for heap in [10 * size - 9 + 2 * shard, 10 * size - 8 + 2 * shard] {
            let (claimed, lost) = (heap.is_multiple_of(self.step), loses(heap));
            findings.record(claimed == lost, || Counterexample {
                position: heap.to_string(),
                words: format!("lost: claimed {claimed}, true {lost}"),
            });
        }
    }
}

/// By search, not by the rule.
fn loses(heap: u32) -> bool {
    let mut lost = vec![true];
    for n in 1..=heap as usize {
        lost.push((1..=n.min(3)).all(|taken| !lost[n - taken]));
    }
    lost[heap as usize]
}

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct Ask {
    #[serde(default, rename = "id")]
    _id: serde_json::Value,
    #[serde(rename = "game")]
    _game: String,
    #[serde(default, rename = "query")]
    _query: Option<String>,
    heap: u32,
}

#[derive(Serialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct Reply {
    winner: u8,
    winning_moves: Vec<u32>,
    why: Why,
}

#[derive(Serialize, schemars::JsonSchema)]
struct Why {
    rest: u32,
}

#[derive(Serialize, schemars::JsonSchema)]
struct Table {
    lost: Vec<u32>,
}

fn analyze(heap: u32) -> Reply {
    let rest = heap % 4;
    let winning_moves = if rest == 0 { Vec::new() } else { vec![rest] };
    Reply { winner: u8::from(rest == 0), winning_moves, why: Why { rest } }
}

impl Entry for Take {
    fn about(&self) -> &'static About {
        self.about
    }

    fn board(&self, notation: &str) -> Result<Box<dyn Board>, Error> {
        let mut reader = Reader::new(notation);
        reader.skip_blanks();
        let (word, place) = reader.word(|c| !c.is_whitespace());
        let heap = kachi_core::notation::number(word, place.clone(), "the heap")?;
        match u32::try_from(heap) {
            Ok(heap @ 1..=1_000_000) => Ok(Box::new(Heap { heap, mover: Seat::FIRST })),
            _ => Err(Error::new("bad_heap", "the heap has 1 to 1000000 counters")
                .at_text(place)
                .hint("try 21")),
        }
    }

    fn deal(&self, seed: u64) -> Box<dyn Board> {
        let heap = kachi_core::random::Dealer::new(seed).between(10, 30);
        Box::new(Heap { heap: heap as u32, mover: Seat::FIRST })
    }

    fn queries(&self) -> Vec<Query> {
        vec![
            Query {
                name: "analyze",
                words: "Who wins and how.",
                request: schemars::schema_for!(Ask),
                reply: schemars::schema_for!(Reply),
            },
            Query {
                name: "table",
                words: "The lost heaps up to this one.",
                request: schemars::schema_for!(Ask),
                reply: schemars::schema_for!(Table),
            },
        ]
    }

    fn answer(
        &self,
        query: &str,
        request: &str,
        budget: &mut Budget<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let ask: Ask = request::parse(request)?;
        assert_ne!(Some(ask.heap), self.fault, "the heap of the bug");
        if ask.heap == 0 {
            // Part of an answer that must not reach anybody.
            out.extend_from_slice(b"{\"half\":");
            return Err(Error::new("bad_heap", "the heap is empty").at_field("heap"));
        }
        if query == "table" {
            let mut lost = Vec::new();
            for heap in 1..=ask.heap {
                budget.spend(1)?;
                if heap.is_multiple_of(4) {
                    lost.push(heap);
                }
            }
            let _ = serde_json::to_writer(out, &Table { lost });
        } else {
            let _ = serde_json::to_writer(out, &analyze(ask.heap));
        }
        Ok(())
    }

    fn claims(&self) -> &'static [&'static dyn Claim] {
        self.claims
    }

    fn bench(&self, clock: &dyn Clock) -> Bench {
        let mut bench = Bench::default();
        let mut lost = 0;
        let seconds = clock.time(&mut || lost = (1..=100).filter(|&heap| loses(heap)).count());
        bench.signature = fold(fold(0, lost as u64), u64::MAX);
        bench.figure("heaps_per_s", 100.0 / seconds.max(1e-9), "heaps searched per second");
        bench
    }

    fn typical_request(&self, i: u64) -> String {
        format!(r#"{{"id":{i},"game":"{}","heap":{}}}"#, self.about.name, i % 50 + 1)
    }
}

struct Heap {
    heap: u32,
    mover: Seat,
}

impl Heap {
    fn moves(&self) -> impl Iterator<Item = u32> {
        1..=self.heap.min(3)
    }
}

impl Board for Heap {
    fn notation(&self) -> String {
        self.heap.to_string()
    }

    fn seats(&self) -> Vec<String> {
        vec!["first".into(), "second".into()]
    }

    fn mover(&self) -> Option<Seat> {
        (self.heap > 0).then_some(self.mover)
    }

    fn ended(&self) -> Option<Ended> {
        let winner = self.mover.other();
        let words = format!("The {} player took the last counter.", self.seats()[winner.0]);
        (self.heap == 0).then(|| Ended { words, winners: vec![winner] })
    }

    fn drawing(&self, _viewer: Seat) -> String {
        "●".repeat(self.heap as usize)
    }

    fn report(&self, budget: &mut Budget<'_>) -> Result<Report, Error> {
        budget.spend(1)?;
        let rest = self.heap % 4;
        let winner = if rest == 0 { self.mover.other() } else { self.mover };
        let mut standing = vec![0.0; 2];
        standing[winner.0] = 1.0;
        let line = |taken: u32| MoveLine {
            mv: taken.to_string(),
            words: format!("take {taken}"),
            tone: if taken == rest { Tone::Winning } else { Tone::Losing },
            note: if taken == rest { String::new() } else { format!("leaves {}", self.heap - taken) },
        };
        let moves: Vec<MoveLine> = self.moves().map(line).collect();
        let best = moves.iter().position(|m| m.tone == Tone::Winning).or(if moves.is_empty() {
            None
        } else {
            Some(0)
        });
        Ok(Report {
            verdict: format!("The {} player wins.", self.seats()[winner.0]),
            standing,
            best,
            advice: best.map_or_else(String::new, |i| format!("Take {}.", moves[i].mv)),
            moves,
            by: By {
                rule: "multiples of four".into(),
                status: Status::Proved,
                reference: Some("toy/Take.fours".into()),
                nodes: None,
            },
            reason: vec![format!("{} leaves the rest {rest} when divided by 4.", self.heap)],
            drawing: "●●●● ".repeat(self.heap as usize / 4),
        })
    }

    fn svg(&self, _budget: &mut Budget<'_>) -> Result<String, Error> {
        Ok(kachi_core::svg::Drawing::new(100.0, 20.0, "A heap", "Counters").finish())
    }

    fn answer(&self, budget: &mut Budget<'_>) -> Result<String, Error> {
        budget.spend(1)?;
        Ok(serde_json::to_string(&analyze(self.heap)).unwrap_or_default())
    }

    fn play(&self, mv: &str) -> Result<Box<dyn Board>, Error> {
        let taken: u32 = mv
            .trim()
            .parse()
            .map_err(|_| Error::new("bad_move", format!("{mv:?} is not a number")).hint("1, 2 or 3"))?;
        if !self.moves().any(|legal| legal == taken) {
            return Err(Error::new("illegal_move", format!("{taken} cannot be taken")).hint("take 1 to 3"));
        }
        Ok(Box::new(Heap { heap: self.heap - taken, mover: self.mover.other() }))
    }
}

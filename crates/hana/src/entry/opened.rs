//! An open position as a board: what every seat can guarantee, and the line that refutes a hope.

use crate::card::Cards;
use crate::contract::endgame_of;
use crate::picture::board;
use crate::picture::scene::open_scene;
use crate::search::open::{Open, OpenGame, Stage, Turn};
use crate::search::{points, sets};
use crate::why;
use kachi_core::scene::Scene;
use kachi_core::surface::{Board, By, Ended, MoveLine, Report, Status, Tone};
use kachi_core::{Budget, Error, Game, Seat};

/// An open position in play. `open` has the mover first; `mover` is his place among oya, naka, biki.
pub(super) struct Opened {
    pub(super) open: Open,
    pub(super) mover: usize,
    pub(super) baskets: [Cards; 3],
}

impl Opened {
    fn over(&self) -> bool {
        self.open.yama().is_empty()
    }

    fn stage(&self) -> Stage {
        Stage::new(&self.open)
    }

    /// The absolute place of the `i`-th player from the mover.
    fn place(&self, i: usize) -> usize {
        (self.mover + i) % 3
    }

    fn after(&self, turn: &Turn) -> Opened {
        let next = OpenGame.play(&self.stage(), turn);
        let mut baskets = self.baskets;
        for i in 0..3 {
            baskets[self.place(i)] = baskets[self.place(i)] | next.baskets[i];
        }
        let hands = [next.hands[1], next.hands[2], next.hands[0]];
        let yama = self.open.yama()[1..].to_vec();
        let open = Open { hands, table: next.table, yama, sweep: self.open.sweep() };
        Opened { open, mover: self.place(1), baskets }
    }

    fn names(&self) -> [&'static str; 3] {
        std::array::from_fn(|i| ["oya", "naka", "biki"][self.place(i)])
    }
}

fn over() -> Error {
    Error::new("already_over", "the YAMA is empty: the round is over")
}

impl Board for Opened {
    fn notation(&self) -> String {
        self.open.to_string()
    }

    fn seats(&self) -> Vec<String> {
        ["oya", "naka", "biki"].map(Into::into).to_vec()
    }

    fn mover(&self) -> Option<Seat> {
        (!self.over()).then_some(Seat(self.mover))
    }

    fn ended(&self) -> Option<Ended> {
        self.over().then(|| {
            let points = self.baskets.map(Cards::points);
            let most = points.iter().copied().max().unwrap_or(0);
            let winners = (0..3).filter(|&player| points[player] == most).map(Seat).collect();
            let words = format!(
                "The round is over: oya {}, naka {}, biki {} points.",
                points[0], points[1], points[2]
            );
            Ended { words, winners }
        })
    }

    fn drawing(&self, _: Seat) -> String {
        board::open(&self.open, self.mover, &self.baskets)
    }

    fn scene(&self, _: Seat) -> Scene {
        open_scene(&self.open, self.mover, &self.baskets, &OpenGame.moves(&self.stage()))
    }

    fn report(&self, budget: &mut Budget<'_>) -> Result<Report, Error> {
        if self.over() {
            return Err(over());
        }
        let before = budget.spent();
        let names = self.names();
        let mut guaranteed = [0; 3];
        for (seat, points) in guaranteed.iter_mut().enumerate() {
            *points = points::guaranteed(&self.open, seat, budget)?;
        }
        let judged = points::judged(&self.open, 0, budget)?;
        let turns = OpenGame.moves(&self.stage());
        let mut moves = Vec::new();
        let mut best: Option<(usize, i64)> = None;
        for (i, turn) in turns.iter().enumerate() {
            let value = self.value_of(turn, &judged);
            if best.is_none_or(|(_, most)| value > most) {
                best = Some((i, value));
            }
            let tone = if value == guaranteed[0] { Tone::Winning } else { Tone::Losing };
            let words = why::turn_words(&self.stage(), turn);
            moves.push(MoveLine {
                mv: turn.to_string(),
                note: format!("guarantees {value}: {words}"),
                words,
                tone,
            });
        }
        let total = self.open.cards().points().max(1) as f64;
        let mut standing = vec![0.0; 3];
        for i in 0..3 {
            standing[self.place(i)] = guaranteed[i] as f64 / total;
        }
        let reason = self.reason(&names, &guaranteed, budget)?;
        let best = best.map(|(i, _)| i);
        Ok(Report {
            verdict: format!(
                "Against both others together {} can guarantee {} more points, {} {}, {} {}.",
                names[0], guaranteed[0], names[1], guaranteed[1], names[2], guaranteed[2]
            ),
            standing,
            advice: best.map_or_else(
                || "There is no turn.".into(),
                |best| format!("{} {}: that guarantees most.", names[0], moves[best].words),
            ),
            moves,
            best,
            by: By {
                rule: "exact search, each seat against both others".into(),
                status: Status::Searched,
                reference: None,
                nodes: Some(budget.spent() - before),
            },
            reason,
            drawing: board::open(&self.open, self.mover, &self.baskets),
        })
    }

    fn svg(&self, budget: &mut Budget<'_>) -> Result<String, Error> {
        let title = if self.over() {
            self.ended().map(|ended| ended.words).unwrap_or_default()
        } else {
            let mut guaranteed = Vec::new();
            for (seat, name) in self.names().iter().enumerate() {
                guaranteed.push(format!("{name} {}", points::guaranteed(&self.open, seat, budget)?));
            }
            format!("Guaranteed points to go: {}", guaranteed.join(", "))
        };
        Ok(board::open_svg(&self.open, self.mover, &title))
    }

    fn answer(&self, budget: &mut Budget<'_>) -> Result<String, Error> {
        let reply = endgame_of(&self.open, budget)?;
        serde_json::to_string(&reply).map_err(|error| Error::new("internal_error", error.to_string()))
    }

    fn play(&self, mv: &str) -> Result<Box<dyn Board>, Error> {
        if self.over() {
            return Err(over());
        }
        let turns = OpenGame.moves(&self.stage());
        let mv = mv.trim().to_ascii_lowercase();
        let matches: Vec<&Turn> = turns
            .iter()
            .filter(|turn| turn.to_string() == mv || turn.throw.is_some_and(|card| card.to_string() == mv))
            .collect();
        let possible = || {
            let words: Vec<String> = turns.iter().map(ToString::to_string).collect();
            format!("possible now: {}", words.join(" "))
        };
        match matches.as_slice() {
            [turn] => Ok(Box::new(self.after(turn))),
            [] => Err(Error::new("illegal_move", format!("{mv:?} is no turn here")).hint(possible())),
            several => match several.iter().find(|turn| turn.to_string() == mv) {
                Some(turn) => Ok(Box::new(self.after(turn))),
                None => {
                    Err(Error::new("bad_move", "say what is taken: throw:take:draw-take").hint(possible()))
                }
            },
        }
    }
}

impl Opened {
    /// The guaranteed points of a turn; turns that differ only in cards of one month and value are judged once.
    fn value_of(&self, turn: &Turn, judged: &[(u64, u64, i64)]) -> i64 {
        let next = OpenGame.play(&self.stage(), turn);
        let gained = next.baskets[0];
        let alike = |a: Cards, b: Cards| {
            let profile = |cards: Cards| {
                let mut list: Vec<(u8, i64)> =
                    cards.iter().map(|card| (card.month(), card.value())).collect();
                list.sort_unstable();
                list
            };
            profile(a) == profile(b)
        };
        let thrown = turn.throw.map_or(Cards::NONE, crate::Card::alone);
        judged
            .iter()
            .find(|&&(throw, gain, _)| alike(Cards(throw), thrown) && alike(Cards(gain), gained))
            .map_or(0, |&(.., value)| value)
    }

    /// Which hand cards are safe, and the line that refutes the first hope that fails.
    fn reason(
        &self,
        names: &[&str; 3],
        guaranteed: &[i64; 3],
        budget: &mut Budget<'_>,
    ) -> Result<Vec<String>, Error> {
        let mut reason = Vec::new();
        for seat in 0..3 {
            let maximal = sets::maximal(&self.open, seat, budget)?;
            let sets: Vec<String> = maximal.iter().map(|set| set.join(" ")).collect();
            let sets = if sets.is_empty() { "none of its cards".into() } else { sets.join(", or ") };
            reason.push(format!(
                "{} can guarantee {} points, and of its hand: {sets}.",
                names[seat], guaranteed[seat]
            ));
        }
        for card in self.open.hands()[0].iter() {
            if let Some(refuted) = why::refutation(&self.open, 0, card.alone(), budget)? {
                let line = why::line_words(&self.open, &refuted.line, *names);
                reason.push(format!("{} cannot make sure of {card}: {line}.", names[0]));
                break;
            }
        }
        Ok(reason)
    }
}

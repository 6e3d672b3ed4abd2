//! Tanhinmin as every surface sees it.

use crate::contract::{
    self, AnalyzeReply, AnalyzeRequest, Findings, FrontierReply, OracleReply, OracleRequest, analyze, by,
};
use crate::position::{Face, Position, Side, Table};
use crate::rules::{Move, Outcome, Stage, Tanhinmin};
use crate::theory::decide::decide;
use crate::theory::moves::MoveValue;
use crate::theory::packed::{RANKS, SUITS};
use crate::{claims, picture, why};
use kachi_core::random::Dealer;
use kachi_core::scene::{Action, Face as Drawn, Placed, Scene, Shape, Zone};
use kachi_core::surface::{
    About, Bench, Board, Clock, Ended, Entry, Example, InJapanese, MoveLine, Query, Report, Tone,
};
use kachi_core::{Budget, Claim, Error, Question, Seat};

/// The entry of the registry.
pub static ENTRY: Tanhinmin = Tanhinmin;

static ABOUT: About = About {
    name: "tanhinmin",
    japanese: "単貧民",
    summary: "one-card Daihinmin for two: be the first to get rid of your cards",
    rules: "Both hands are open. In his turn a player discards one card that is stronger than the card on the table, or \
            passes, which empties the table. Equal cards do not beat each other. Who first discards his last card (or comes down \
            to his goal) wins. A cut card (8切り, \"cutting eight\") beats the table like any card, but nothing beats it: the \
            opponent must pass. In English the game is also known as \"Winner (simplified card game)\".",
    notation: "MOVER/OTHER@TABLE   e.g. 1,3,4,5,8/2,6,7@0\n\
               cards: faces from 1, in any order, with commas or blanks; cN is a cut card of face N\n\
               :G after a hand: its goal (wins with at most G cards left)      2,3,5:1/4,6\n\
               @0 or nothing: empty table   @7: a 7 lies there   @cut: a cut card lies there",
    engine: "perfect play",
    examples: &[
        Example { position: "1,3,4,5,8/2,6,7", words: "a lost position: 2 pairs are not more than 2" },
        Example { position: "2,6,7/3,4,5,8@1", words: "every move wins: 3 pairs against 1" },
        Example { position: "1,3/2", words: "asked on MathOverflow as {1,3} against {2}" },
        Example {
            position: "1,4,6,7/2,3,5,8",
            words: "asked on MathOverflow as {1,4,6,7} against {2,3,5,8}",
        },
        Example { position: "3,4,c1,c6/2,5", words: "cut cards: the weak one wins, the strong one loses" },
        Example { position: "2,c1/3@1", words: "surplus: the mover is stuck with his cut card" },
        Example {
            position: "8,10,11,c1,c2,c4:3/11@6",
            words: "cut cards with goals: what to set aside is a choice",
        },
    ],
};

static JAPANESE: InJapanese = InJapanese {
    summary: "二人・一枚出しの大貧民。先に手札をなくした方が勝ち",
    rules: "手札はどちらも公開。手番では場の札より強い札を一枚出すか、パスをして場を流す。同じ強さの札は出せない。\
            先に最後の一枚を出した(または目標枚数まで減らした)方の勝ち。8切りの札は普通に出せるが、\
            その上には何も出せず、相手はパスするしかない。",
};

const NAMES: [&str; 2] = ["first", "second"];

impl Entry for Tanhinmin {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn board(&self, notation: &str) -> Result<Box<dyn Board>, Error> {
        let position: Position = notation.parse()?;
        Ok(Box::new(Play { stage: Stage::Turn(Seat::FIRST, position) }))
    }

    fn deal(&self, seed: u64) -> Box<dyn Board> {
        const HAND: usize = 8;
        let position = deal(&mut Dealer::new(seed), HAND);
        Box::new(Play { stage: Stage::Turn(Seat::FIRST, position) })
    }

    fn in_japanese(&self) -> Option<&'static InJapanese> {
        Some(&JAPANESE)
    }

    fn queries(&self) -> Vec<Query> {
        vec![
            Query::of::<AnalyzeRequest, AnalyzeReply>("analyze", "who wins, all winning moves, and why"),
            Query::of::<AnalyzeRequest, FrontierReply>(
                "frontier",
                "how large a goal the mover can grant his opponent, for each goal of his own",
            ),
            Query::of::<OracleRequest, OracleReply>(
                "oracle",
                "the move of a player who sees only her own hand and was told one matching number",
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
        contract::answer(query, request, budget, out)
    }

    fn claims(&self) -> &'static [&'static dyn Claim] {
        claims::ALL
    }

    fn questions(&self) -> &'static [Question] {
        claims::OPEN
    }

    #[cfg(feature = "bench")]
    fn bench(&self, clock: &dyn Clock) -> Bench {
        crate::bench::run(clock)
    }

    #[cfg(not(feature = "bench"))]
    fn bench(&self, _: &dyn Clock) -> Bench {
        Bench::default()
    }

    fn typical_request(&self, i: u64) -> String {
        const HAND: usize = 26;
        let mut dealer = Dealer::new(i);
        let position = deal(&mut dealer, HAND);
        let numbers =
            |side: &Side| side.ordinary.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let table = dealer.between(0, u64::from(RANKS));
        format!(
            r#"{{"id":{i},"game":"tanhinmin","hands":[[{}],[{}]],"table":{table}}}"#,
            numbers(position.mover()),
            numbers(position.other())
        )
    }
}

/// Two hands of `size` cards (at most 26) from a shuffled 13 x 4 deck, on the empty table.
pub(crate) fn deal(dealer: &mut Dealer, size: usize) -> Position {
    let mut deck: Vec<Face> = (1..=RANKS).flat_map(|rank| [Face::raw(rank); SUITS as usize]).collect();
    dealer.shuffle(&mut deck);
    let hand = |from: usize| {
        let mut ordinary = deck[from..from + size].to_vec();
        ordinary.sort_unstable();
        Side { ordinary, ..Side::default() }
    };
    Position { table: Table::Empty, sides: [hand(0), hand(size)] }
}

/// A play at some point: a stage of the game.
struct Play {
    stage: Stage,
}

impl Play {
    /// The position, while the play goes on.
    fn turn(&self) -> Result<(Seat, &Position), Error> {
        match &self.stage {
            Stage::Turn(seat, position) => Ok((*seat, position)),
            Stage::Over(winner) => Err(Error::new(
                "already_over",
                format!("the {} player has won: the play is over", NAMES[winner.0]),
            )),
        }
    }
}

impl Board for Play {
    fn notation(&self) -> String {
        self.turn().map(|(_, position)| position.to_string()).unwrap_or_default()
    }

    fn seats(&self) -> Vec<String> {
        NAMES.map(Into::into).to_vec()
    }

    fn mover(&self) -> Option<Seat> {
        self.turn().ok().map(|(seat, _)| seat)
    }

    fn ended(&self) -> Option<Ended> {
        match self.stage {
            Stage::Turn(..) => None,
            Stage::Over(winner) => {
                let words = format!("The {} player has reached the goal and wins.", NAMES[winner.0]);
                Some(Ended { words, winners: vec![winner] })
            }
        }
    }

    fn drawing(&self, viewer: Seat) -> String {
        match self.turn() {
            Ok((mover, position)) => picture::board(position, mover, viewer, NAMES),
            Err(error) => error.message,
        }
    }

    fn scene(&self, viewer: Seat) -> Scene {
        match self.turn() {
            Ok((mover, position)) => scene(position, mover, viewer),
            Err(_) => Scene::default(),
        }
    }

    fn report(&self, budget: &mut Budget<'_>) -> Result<Report, Error> {
        let (mover, position) = self.turn()?;
        let Findings { decision, values, why: reason } = Findings::of(position, budget)?;
        let best = crate::strategy::best_move(position, &decision, &values);
        let moves: Vec<MoveLine> = if is_small(position) {
            why::why_moves(position, &values, budget)?.iter().map(move_line).collect()
        } else {
            values.iter().map(bare_line).collect()
        };
        let mover_wins = decision.mover_wins();
        let mut standing = vec![0.0; 2];
        standing[if mover_wins { mover } else { mover.other() }.0] = 1.0;
        let best = best.and_then(|best| values.iter().position(|value| value.mv == best));
        Ok(Report {
            verdict: why::verdict(decision.winner).into(),
            standing,
            advice: advice(best.map(|best| values[best].mv), mover_wins),
            best,
            moves,
            by: by(position, &decision),
            reason: why::reason(position, &reason),
            drawing: picture::ladders(position, &reason),
        })
    }

    fn svg(&self, budget: &mut Budget<'_>) -> Result<String, Error> {
        let (_, position) = self.turn()?;
        let decision = decide(position, budget)?;
        picture::svg(position, &why::why(position, budget)?, why::verdict(decision.winner))
    }

    fn answer(&self, budget: &mut Budget<'_>) -> Result<String, Error> {
        let (_, position) = self.turn()?;
        let reply = analyze(position, is_small(position), budget)?;
        serde_json::to_string(&reply).map_err(|error| Error::new("internal_error", error.to_string()))
    }

    fn play(&self, mv: &str) -> Result<Box<dyn Board>, Error> {
        let (mover, position) = self.turn()?;
        let legal = || {
            let moves: Vec<String> = position.legal_moves().iter().map(ToString::to_string).collect();
            format!("legal now: {}", moves.join(" "))
        };
        let mv: Move = mv.parse()?;
        let stage = match position.play(mv).map_err(|error| error.hint(legal()))? {
            Outcome::Won => Stage::Over(mover),
            Outcome::Goes(next) => Stage::Turn(mover.other(), next),
        };
        Ok(Box::new(Play { stage }))
    }
}

/// Cards of one hand that are laid out; more cannot be told apart anyway.
const LAID_OUT: usize = 200;

/// The other hand, the table, the viewer's hand.
fn scene(position: &Position, mover: Seat, viewer: Seat) -> Scene {
    let level = position.table().level();
    let hand = |seat: Seat| {
        let side = if seat == mover { position.mover() } else { position.other() };
        let playable = |face: Face| seat == mover && level.is_some_and(|level| face > level);
        let ordinary = side.ordinary.iter().map(|&face| {
            let card = Placed::label(face.to_string(), format!("card {face}"));
            if playable(face) { card.playing(Move::Discard(face).to_string()) } else { card }
        });
        let cuts = side.cuts.iter().map(|&face| {
            let drawn = Drawn::Label { text: face.to_string(), marked: true };
            let card = Placed::new(drawn, format!("cut card {face}"));
            if playable(face) { card.playing(Move::Cut(face).to_string()) } else { card }
        });
        let cards: Vec<Placed> = ordinary.chain(cuts).take(LAID_OUT).collect();
        let mut notes = Vec::new();
        if side.goal > 0 {
            notes.push(format!("wins with {} left", side.goal));
        }
        if side.len() > LAID_OUT {
            notes.push(format!("{LAID_OUT} of {} cards shown", side.len()));
        }
        Zone::new(NAMES[seat.0], Some(seat), Shape::Hand, cards).note(notes.join("; "))
    };
    let table = match position.table() {
        Table::Empty => Placed::new(Drawn::Gap, "the table is empty"),
        Table::Shows(face) => Placed::label(face.to_string(), format!("{face} on the table")),
        Table::Cut => {
            Placed::new(Drawn::Label { text: "cut".into(), marked: true }, "a cut card on the table")
        }
    };
    let table = Zone::new("table", None, Shape::Table, vec![table]);
    let pass = Action { mv: Move::Pass.to_string(), words: why::move_words(Move::Pass) };
    Scene { zones: vec![hand(viewer.other()), table, hand(viewer)], actions: vec![pass], ..Scene::default() }
}

/// Reasons of all moves take quadratic time; nobody reads thousands of them.
fn is_small(position: &Position) -> bool {
    const READABLE: usize = 2000;
    position.cards() <= READABLE
}

fn bare_line(value: &MoveValue) -> MoveLine {
    let tone = if value.wins { Tone::Winning } else { Tone::Losing };
    MoveLine { mv: value.mv.to_string(), words: why::move_words(value.mv), tone, note: String::new() }
}

fn move_line(mv: &why::MoveWhy) -> MoveLine {
    MoveLine {
        mv: mv.mv.to_string(),
        words: why::move_words(mv.mv),
        tone: if mv.wins { Tone::Winning } else { Tone::Losing },
        note: why::move_note(mv),
    }
}

fn advice(best: Option<Move>, wins: bool) -> String {
    match best {
        Some(mv) if wins => format!("Play: {}.", why::move_words(mv)),
        Some(mv) => format!("Every move loses; the most stubborn one is: {}.", why::move_words(mv)),
        None => "There is no move.".into(),
    }
}

//! A game as a surface sees it. Terminal, page, HTTP and Python find every game through [`Entry`] and
//! [`Board`] and name none of them; the one list of entries is in crate `kachi`.

use crate::budget::Budget;
use crate::claim::Claim;
use crate::error::Error;
use crate::game::Seat;
use crate::question::Question;
use crate::scene::Scene;
use serde::Serialize;
use std::sync::{Arc, OnceLock};

/// What a game is called and how its positions are written.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct About {
    /// The name used in commands, requests and links.
    pub name: &'static str,
    /// The name as written in Japanese.
    pub japanese: &'static str,
    /// One line.
    pub summary: &'static str,
    /// The rules in a short paragraph.
    pub rules: &'static str,
    /// How a position is written, line by line.
    pub notation: &'static str,
    /// Who plays the other seats: "perfect play", or what comes nearest to it.
    pub engine: &'static str,
    /// Positions worth looking at; the first one is the default of every surface.
    pub examples: &'static [Example],
}

/// A position worth looking at.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Example {
    /// In notation.
    pub position: &'static str,
    /// What it shows.
    pub words: &'static str,
}

/// A kind of fresh deal that a surface can offer.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Deal {
    /// A position in notation, with `{seed}` where the seed goes.
    pub pattern: &'static str,
    /// What it is.
    pub words: &'static str,
    /// The same in Japanese.
    pub japanese: &'static str,
    /// Some cards are face down: see [`Board::hidden`].
    pub hidden: bool,
}

impl Deal {
    /// The position of a seed.
    pub fn position(&self, seed: u64) -> String {
        self.pattern.replace("{seed}", &seed.to_string())
    }
}

/// A game in Japanese words.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct InJapanese {
    /// One line, as [`About::summary`].
    pub summary: &'static str,
    /// The rules, as [`About::rules`].
    pub rules: &'static str,
}

/// A question that can be asked about a game, with the types of request and reply.
#[derive(Debug, Clone, Serialize)]
pub struct Query {
    /// The value of the request's field `query`.
    pub name: &'static str,
    /// One line.
    pub words: &'static str,
    /// JSON Schema of the request, made from its type.
    pub request: schemars::Schema,
    /// JSON Schema of the reply, made from its type.
    pub reply: schemars::Schema,
}

impl Query {
    /// A query with its types. Requests are described as they are read, replies as they are written: a field that may be left out of a
    /// reply is not required by its schema.
    pub fn of<Request: schemars::JsonSchema, Reply: schemars::JsonSchema>(
        name: &'static str,
        words: &'static str,
    ) -> Query {
        let settings = schemars::generate::SchemaSettings::draft2020_12;
        let request = settings().for_deserialize().into_generator().into_root_schema_for::<Request>();
        let reply = settings().for_serialize().into_generator().into_root_schema_for::<Reply>();
        Query { name, words, request, reply }
    }
}

/// One game, seen from outside.
pub trait Entry: Sync {
    /// Names, notation, examples.
    fn about(&self) -> &'static About;

    /// Reads a position.
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    fn board(&self, notation: &str) -> Result<Box<dyn Board>, Error>;

    /// A fresh deal; the same seed gives the same deal everywhere (generator: ChaCha8).
    fn deal(&self, seed: u64) -> Box<dyn Board>;

    /// The beginning of a game in which chance decides, before it has decided anything: for a table beside the screen, where a person deals and tells
    /// what turns up. Games that cannot be followed so have none.
    fn undealt(&self) -> Option<Box<dyn Board>> {
        None
    }

    /// The kinds of deal to choose from, the usual one first; none when [`deal`](Entry::deal) is all there is.
    fn deals(&self) -> &'static [Deal] {
        &[]
    }

    /// The game in Japanese words, where somebody has written them.
    fn in_japanese(&self) -> Option<&'static InJapanese> {
        None
    }

    /// The face of a [painted](crate::scene::Face::Painted) card as a complete SVG document.
    fn card_picture(&self, _name: &str) -> Option<String> {
        None
    }

    /// A board by the rules of a house, in the game's own text (TOML): the position, or a fresh deal by the seed.
    ///
    /// # Errors
    /// `no_house_rules` for a game that knows none; otherwise what is wrong with the rules or the position.
    fn board_by_rules(
        &self,
        _rules: &str,
        _notation: Option<&str>,
        _seed: u64,
    ) -> Result<Box<dyn Board>, Error> {
        let message = format!("{} has no house rules to choose from", self.about().name);
        Err(Error::new("no_house_rules", message).hint("its options are part of the notation"))
    }

    /// The questions of the contract.
    fn queries(&self) -> Vec<Query>;

    /// Answers one request of the contract: `request` is the whole JSON object. Appends the JSON object of the answer
    /// to `out`; on error `out` may hold a part of it and must be truncated by the caller.
    ///
    /// # Errors
    /// What is wrong with the request, or which limit it met.
    fn answer(
        &self,
        query: &str,
        request: &str,
        budget: &mut Budget<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), Error>;

    /// The published statements about the game.
    fn claims(&self) -> &'static [&'static dyn Claim];

    /// What is open about the game; nothing where everything asked has been answered.
    fn questions(&self) -> &'static [Question] {
        &[]
    }

    /// Runs the fixed workloads.
    fn bench(&self, clock: &dyn Clock) -> Bench;

    /// Request number `i` of an endless, fixed stream of typical requests (for measuring whole surfaces).
    fn typical_request(&self, i: u64) -> String;
}

/// A position in play, seen from outside.
pub trait Board: Send + Sync {
    /// The position as one line; reading it gives the same board (a game whose notation names no seats puts the mover first).
    fn notation(&self) -> String;

    /// What the seats are called, in order.
    fn seats(&self) -> Vec<String>;

    /// Whose turn it is; `None` when the play is over or [chance](Board::chances) comes next.
    fn mover(&self) -> Option<Seat>;

    /// What chance may do next, when the next step is chance's and not a player's; otherwise nothing. [`Board::play`] reads each of them.
    fn chances(&self) -> Vec<Chance> {
        Vec::new()
    }

    /// How the play ended, if it has.
    fn ended(&self) -> Option<Ended>;

    /// The table and the hands as text, as seen from `viewer`'s seat.
    fn drawing(&self, viewer: Seat) -> String;

    /// The same for a surface that draws: cards and what can be done with them. An empty scene means that there is only the text.
    fn scene(&self, _viewer: Seat) -> Scene {
        Scene::default()
    }

    /// Are there cards that a player must not see, although the notation tells them? A surface on which people play keeps
    /// the notation of such a board to itself.
    fn hidden(&self) -> bool {
        false
    }

    /// Value, moves and reason, in words.
    ///
    /// # Errors
    /// `out_of_budget`, with what is known so far.
    fn report(&self, budget: &mut Budget<'_>) -> Result<Report, Error>;

    /// The picture of the reason as a complete SVG document.
    ///
    /// # Errors
    /// `out_of_budget`.
    fn svg(&self, budget: &mut Budget<'_>) -> Result<String, Error>;

    /// The position in the language of Graphviz, for games that are played on a graph.
    ///
    /// # Errors
    /// `no_graph` for all other games, `out_of_budget`.
    fn dot(&self, _: &mut Budget<'_>) -> Result<String, Error> {
        Err(Error::new("no_graph", "this game is not played on a graph").hint("--svg draws every game"))
    }

    /// The contract's answer to `analyze` for this position, with the reason of every move.
    ///
    /// # Errors
    /// `out_of_budget`.
    fn answer(&self, budget: &mut Budget<'_>) -> Result<String, Error>;

    /// The board after a move, written as in [`MoveLine::mv`].
    ///
    /// # Errors
    /// `bad_move` if it cannot be read, `illegal_move` if the rules forbid it, each with what is legal.
    fn play(&self, mv: &str) -> Result<Box<dyn Board>, Error>;
}

/// Something that chance may do.
#[derive(Debug, Clone, PartialEq)]
pub struct Chance {
    /// As [`Board::play`] reads it.
    pub mv: String,
    /// In words.
    pub words: String,
    /// How many of the equally likely cases it is: the copies of a card. All of them together are the cases there are.
    pub weight: u64,
}

/// The end of a play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// One sentence.
    pub words: String,
    /// Who won; empty when nobody did.
    pub winners: Vec<Seat>,
}

/// An analysis in words, for people.
#[derive(Debug, Clone)]
pub struct Report {
    /// Who wins, or what is guaranteed, in one sentence.
    pub verdict: String,
    /// How well each seat stands: 1 wins, 0 loses, between them a chance; in the order of the seats.
    pub standing: Vec<f64>,
    /// Every legal move with its value.
    pub moves: Vec<MoveLine>,
    /// The move that the engine would play, as an index into `moves`.
    pub best: Option<usize>,
    /// One sentence about that move.
    pub advice: String,
    /// What the answer rests on.
    pub by: By,
    /// The reason, one thought a line.
    pub reason: Vec<String>,
    /// The reason as a picture made of text.
    pub drawing: String,
}

/// A move and its value in words.
#[derive(Debug, Clone)]
pub struct MoveLine {
    /// As [`Board::play`] reads it.
    pub mv: String,
    /// In words.
    pub words: String,
    /// What it does for the mover.
    pub tone: Tone,
    /// Why, or what refutes it; may be empty.
    pub note: String,
}

/// What a move does for the one who makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// It keeps all that can be had.
    Winning,
    /// It gives away what could be had, or nothing can be had.
    Losing,
    /// Between the two.
    Middling,
}

/// What an answer rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct By {
    /// The theorem or rule, or `search`.
    pub rule: String,
    /// How sure that is.
    pub status: Status,
    /// The machine-checked theorem (for `proved`) or the claim of the ledger (for `checked`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Positions searched, when search was needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// How sure the ground of an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A machine-checked proof covers it.
    Proved,
    /// Exhaustive checks of small sizes found no exception; there is no proof.
    Checked,
    /// All continuations were searched.
    Searched,
    /// A player's judgement under hidden cards: good advice, no proof.
    Estimated,
}

/// A stopwatch. Games read no clock of their own, so that they compile and run anywhere.
pub trait Clock {
    /// Seconds since an arbitrary but fixed moment.
    fn seconds(&self) -> f64;

    /// How long `work` takes.
    fn time(&self, work: &mut dyn FnMut()) -> f64 {
        let start = self.seconds();
        work();
        self.seconds() - start
    }
}

/// The clock that was lent, if a surface lent one.
static LENT: OnceLock<Arc<dyn Clock + Send + Sync>> = OnceLock::new();

/// Lends the games a clock, for players with a budget in seconds. The first one stays.
pub fn lend_clock(clock: impl Clock + Send + Sync + 'static) {
    LENT.get_or_init(|| Arc::new(clock));
}

/// The clock that a surface has lent; nothing where nobody keeps the time.
pub fn lent_clock() -> Option<Arc<dyn Clock + Send + Sync>> {
    LENT.get().cloned()
}

/// The results of a game's workloads.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Bench {
    /// Changes only when behaviour changes: a hash of answers, never of times.
    pub signature: u64,
    /// The named figures.
    pub figures: Vec<Figure>,
}

/// One measured number.
#[derive(Debug, Clone, Serialize)]
pub struct Figure {
    /// A stable name such as `block_per_s`.
    pub key: &'static str,
    /// The number.
    pub value: f64,
    /// What it counts, and what it was measured beside.
    pub words: String,
}

impl Bench {
    /// Adds a figure.
    pub fn figure(&mut self, key: &'static str, value: f64, words: impl Into<String>) {
        self.figures.push(Figure { key, value, words: words.into() });
    }
}

/// Folds a number into a signature (FNV-1a over its bytes).
///
/// ```
/// use kachi_core::surface::fold;
/// assert_ne!(fold(0, 1), fold(0, 2));
/// ```
#[must_use]
pub fn fold(signature: u64, number: u64) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let start = signature ^ 0xcbf2_9ce4_8422_2325;
    number.to_le_bytes().iter().fold(start, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

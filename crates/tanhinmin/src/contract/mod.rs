//! Requests and replies, query by query. `analyze` asks who wins and why, `frontier` for the handicap frontier, `oracle` for the move of a
//! player who sees only her own hand and was told one number.

mod quick;

use crate::position::{Face, Position, Setup, TableSetup};
use crate::rules::Move;
use crate::strategy::{Counter, Told, best_move};
use crate::theory::decide::{Decision, Player, Rule, decide};
use crate::theory::frontier;
use crate::theory::moves::{MoveMargins, MoveValue, move_values, plain_move_values};
use crate::why::{MoveWhy, Why, why, why_moves};
use kachi_core::surface::{By, Status};
use kachi_core::{Budget, Error, Limits, request};
use schemars::JsonSchema;
use serde::de::{Deserializer, IgnoredAny, Visitor};
use serde::{Deserialize, Serialize};

/// A position as fields, or as one line of notation.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalyzeRequest {
    /// Copied to the reply.
    #[serde(default)]
    #[schemars(with = "Option<serde_json::Value>")]
    pub id: IgnoredAny,
    /// `tanhinmin`.
    #[serde(default)]
    #[schemars(with = "String")]
    pub game: IgnoredAny,
    /// `analyze` or `frontier`.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub query: IgnoredAny,
    /// The ordinary cards of the player to move and of the other player.
    pub hands: Option<Vec<Vec<i64>>>,
    /// Their cut cards; may be left out when there are none.
    pub cuts: Option<Vec<Vec<i64>>>,
    /// Their goals; may be left out when both are 0.
    pub goal: Option<Vec<i64>>,
    /// 0 (empty), a face, or `"cut"`.
    #[serde(default)]
    #[schemars(with = "Option<TableSchema>")]
    pub table: TableField,
    /// The position in notation, instead of the four fields above.
    pub position: Option<String>,
    /// `false` refuses cut cards and a cut table.
    pub cut_rule: Option<bool>,
    /// `true` refuses more than four cards of a face.
    #[serde(default)]
    pub strict_deck: bool,
    /// `true` adds every move with its reason, and for losing moves the refutation.
    #[serde(default)]
    pub explain: bool,
}

/// The table as JSON writes it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct TableField(pub TableSetup);

/// What [`TableField`] accepts.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its schema is used")]
enum TableSchema {
    /// 0 (empty) or a face.
    Face(u32),
    /// A cut card.
    Cut(CutWord),
}

#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(dead_code, reason = "only its schema is used")]
enum CutWord {
    Cut,
}

impl<'de> Deserialize<'de> for TableField {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TableVisitor;
        impl Visitor<'_> for TableVisitor {
            type Value = TableSetup;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("0 (empty), a face, or \"cut\"")
            }

            fn visit_i64<E: serde::de::Error>(self, face: i64) -> Result<TableSetup, E> {
                Ok(TableSetup::Face(face))
            }

            fn visit_u64<E: serde::de::Error>(self, face: u64) -> Result<TableSetup, E> {
                // A face too large for i64 is certainly too large for a card; validation says so.
                Ok(TableSetup::Face(i64::try_from(face).unwrap_or(i64::MAX)))
            }

            fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<TableSetup, E> {
                match word {
                    "cut" => Ok(TableSetup::Cut),
                    _ => Err(E::invalid_value(serde::de::Unexpected::Str(word), &self)),
                }
            }
        }
        deserializer.deserialize_any(TableVisitor).map(TableField)
    }
}

impl AnalyzeRequest {
    /// The position, from whichever form was used.
    fn into_position(self, limits: &Limits) -> Result<Position, Error> {
        if let Some(text) = self.position {
            if self.hands.is_some()
                || self.cuts.is_some()
                || self.goal.is_some()
                || self.table.0 != TableSetup::Unsaid
            {
                let message =
                    "give the position either as \"position\" or as \"hands\", \"table\", ..., not both";
                return Err(Error::new("two_positions", message).at_field("position"));
            }
            return Position::read(&text, limits);
        }
        let hands = self.hands.ok_or_else(|| {
            Error::new("missing_field", "missing field `hands`")
                .hint(r#"{"game":"tanhinmin","hands":[[1,3,4,5,8],[2,6,7]],"table":0}"#)
        })?;
        let setup = Setup {
            hands,
            cuts: self.cuts.unwrap_or_default(),
            goal: self.goal.unwrap_or_default(),
            table: self.table.0,
            cut_rule: self.cut_rule,
            strict_deck: self.strict_deck,
        };
        setup.validate(limits).map_err(|misfit| {
            let (part, error) = *misfit;
            match part.path() {
                Some(path) => error.at_field(path),
                None => error,
            }
        })
    }
}

/// The answer to `analyze`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AnalyzeReply {
    /// 0: the player to move wins, 1: the other player.
    pub winner: u8,
    /// Ordinary faces ascending, then cut cards ascending, then pass; empty iff the mover loses.
    pub winning_moves: Vec<Move>,
    /// A winning move; for a lost position the most stubborn one.
    pub best_move: Option<Move>,
    /// Present and true when the best move loses like every other.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub best_move_loses: bool,
    /// mu0 - mu1.
    pub margin: i64,
    /// The matching numbers of mover and other.
    pub mu: [usize; 2],
    /// What the answer rests on.
    pub by: By,
    /// The reason for the winner.
    pub why: Why,
    /// With `explain`: every legal move with its reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<MoveWhy>>,
}

/// What a decision rests on.
pub(crate) fn by(position: &Position, decision: &Decision) -> By {
    let proved = |rule: &str, theorem: &str| By {
        rule: rule.into(),
        status: Status::Proved,
        reference: Some(theorem.into()),
        nodes: None,
    };
    match decision.rule {
        Rule::Matching | Rule::CutOnTable if !position.has_cuts() => {
            proved("Theorem 1", "tanhinmin/Game.tanhinmin_goals")
        }
        Rule::CutOnTable if !position.has_goals() => proved("Theorem 3", "tanhinmin/CutMain.cut_on_table"),
        Rule::CutOnTable | Rule::SetAside => By {
            rule: "Rule 4".into(),
            status: Status::Checked,
            reference: Some("rule-4".into()),
            nodes: None,
        },
        _ => proved("Theorem 3", "tanhinmin/CutMain.tanhinmin_theorem_3"),
    }
}

/// Everything about a position, each matching made once.
pub(crate) struct Findings {
    pub(crate) decision: Decision,
    pub(crate) values: Vec<MoveValue>,
    pub(crate) why: Why,
}

impl Findings {
    pub(crate) fn of(position: &Position, budget: &mut Budget<'_>) -> Result<Findings, Error> {
        if let (Some(level), false) = (position.table().level(), position.has_cuts()) {
            return Findings::plain(position, level, budget);
        }
        let decision = decide(position, budget)?;
        // The winner is known; should the moves be too many to decide, the error says at least this much.
        let known = |error: Error| error.known(serde_json::json!({ "winner": decision.winner.index() }));
        let values = move_values(position, budget).map_err(known)?;
        let why = why(position, budget).map_err(known)?;
        Ok(Findings { decision, values, why })
    }

    /// Without cut cards the pairs of the reason are the matching numbers, so nothing is matched twice.
    fn plain(position: &Position, level: Face, budget: &mut Budget<'_>) -> Result<Findings, Error> {
        let why = why(position, budget)?;
        let Why::Matching { mover, other, .. } = &why else {
            return Err(Error::new(
                "internal_error",
                "a position without cut cards is decided by its matchings",
            ));
        };
        let mu = [mover.pairs.len(), other.pairs.len()];
        let winner = if mu[0] > mu[1] { Player::Mover } else { Player::Other };
        let (x, z) = (&position.mover().ordinary, &position.other().ordinary);
        let margins = MoveMargins::knowing(mu[1], x, z, [position.mover().goal, position.other().goal]);
        let values = plain_move_values(position, level, &margins);
        Ok(Findings { decision: Decision { winner, rule: Rule::Matching, mu }, values, why })
    }
}

/// Answers `analyze` for a position.
pub(crate) fn analyze(
    position: &Position,
    explain: bool,
    budget: &mut Budget<'_>,
) -> Result<AnalyzeReply, Error> {
    let Findings { decision, values, why } = Findings::of(position, budget)?;
    let winner = decision.winner.index() as u8;
    let known = |error: Error| error.known(serde_json::json!({ "winner": winner }));
    let moves = if explain { Some(why_moves(position, &values, budget).map_err(known)?) } else { None };
    let winning_moves: Vec<Move> = values.iter().filter(|value| value.wins).map(|value| value.mv).collect();
    Ok(AnalyzeReply {
        winner,
        best_move: best_move(position, &decision, &values),
        best_move_loses: winning_moves.is_empty(),
        winning_moves,
        margin: decision.margin(),
        mu: decision.mu,
        by: by(position, &decision),
        why,
        moves,
    })
}

/// The answer to `frontier`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FrontierReply {
    /// Entry c0: the largest goal of the other player with which the mover, having goal c0, still wins; -1 if there is none.
    pub frontier: Vec<i64>,
}

/// A player with a hidden opponent asks for her move.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OracleRequest {
    /// Copied to the reply.
    #[serde(default)]
    #[schemars(with = "Option<serde_json::Value>")]
    pub id: IgnoredAny,
    /// `tanhinmin`.
    #[serde(default)]
    #[schemars(with = "String")]
    pub game: IgnoredAny,
    /// `oracle`.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub query: IgnoredAny,
    /// Her hand when the oracle was asked.
    pub hand: Vec<i64>,
    /// Her goal.
    #[serde(default)]
    pub goal: i64,
    /// The table when the oracle was asked: 0 or a face.
    #[serde(default)]
    pub table: i64,
    /// Was it her turn when the oracle was asked?
    #[serde(default = "yes")]
    pub to_move: bool,
    /// What the oracle said: her own matching number (give this or `other_mu`).
    pub own_mu: Option<u32>,
    /// What the oracle said: her opponent's matching number.
    pub other_mu: Option<u32>,
    /// What has been played since, by both in turn: faces and `"pass"`.
    #[serde(default)]
    pub history: Vec<HistoryMove>,
}

/// A face or `"pass"`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum HistoryMove {
    /// A discard.
    Face(u32),
    /// `"pass"`.
    Word(PassWord),
}

/// The word `pass`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PassWord {
    /// A pass.
    Pass,
}

fn yes() -> bool {
    true
}

/// The answer to `oracle`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OracleReply {
    /// Is it her turn?
    pub my_turn: bool,
    /// The move of the counter strategy, when it is her turn and she has not yet won.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub mv: Option<Move>,
    /// The number she remembers.
    pub k: usize,
    /// Her hand now.
    pub hand: Vec<Face>,
    /// The table now; 0 is empty.
    pub table: Face,
    /// Has she reached her goal?
    pub won: bool,
    /// Did every move of hers in the history follow the strategy? Only then does the promise hold.
    pub followed: bool,
    /// What the strategy promises.
    pub promise: &'static str,
}

const PROMISE: &str = "if she was winning when the oracle was asked, this wins against every play";

/// Answers `oracle`: replays the history with the counter strategy.
fn oracle(ask: &OracleRequest, limits: &Limits) -> Result<OracleReply, Error> {
    let hand = hand_of(ask, limits)?;
    let told = match (ask.own_mu, ask.other_mu) {
        (Some(mu), None) => Told::OwnMu(mu as usize),
        (None, Some(mu)) => Told::OtherMu(mu as usize),
        _ => {
            let error = Error::new("one_oracle", "give exactly one of \"own_mu\" and \"other_mu\"");
            return Err(error.hint("either number, told once, is enough"));
        }
    };
    let goal = usize::try_from(ask.goal)
        .map_err(|_| Error::new("bad_goal", "a goal is a number of cards, 0 or more").at_field("goal"))?;
    if hand.len() <= goal {
        return Err(
            Error::new("already_over", "the goal is reached: the play is already over").at_field("hand")
        );
    }
    let mut table = match u32::try_from(ask.table).ok().map(|face| (face, Face::new(face))) {
        Some((0, _)) => None,
        Some((_, Some(face))) => Some(face),
        _ => return Err(Error::new("bad_table", "the table must be 0 (empty) or a face").at_field("table")),
    };
    let mut her = Counter::new(hand, goal, ask.to_move, told);
    let (mut my_turn, mut followed) = (ask.to_move, true);
    for (i, played) in ask.history.iter().enumerate() {
        let place = format!("history[{i}]");
        if her.has_won() {
            return Err(Error::new("already_over", "she has already won").at_field(place));
        }
        let mv = read_history(played, table).map_err(|error| error.at_field(place.clone()))?;
        if my_turn {
            let held = |face| her.hand().binary_search(&face).is_ok();
            if let Move::Discard(face) = mv
                && !held(face)
            {
                return Err(Error::new("illegal_move", format!("she does not hold {face}")).at_field(place));
            }
            followed &= her.intends(table) == mv;
            her.carry_out(mv);
        } else if mv == Move::Pass {
            her.opponent_passes();
        }
        table = match mv {
            Move::Discard(face) => Some(face),
            Move::Cut(_) | Move::Pass => None,
        };
        my_turn = !my_turn;
    }
    let won = her.has_won();
    let mv = (my_turn && !won).then(|| her.intends(table));
    let table = table.unwrap_or(Face::GROUND);
    Ok(OracleReply {
        my_turn,
        mv,
        k: her.k(),
        hand: her.hand().to_vec(),
        table,
        won,
        followed,
        promise: PROMISE,
    })
}

fn hand_of(ask: &OracleRequest, limits: &Limits) -> Result<Vec<Face>, Error> {
    if ask.hand.len() as u64 > limits.cards {
        return Err(Error::too_large("cards in the hand", ask.hand.len(), limits.cards).at_field("hand"));
    }
    let face = |(i, &card): (usize, &i64)| {
        let face = u32::try_from(card).ok().and_then(Face::new);
        face.ok_or_else(|| {
            Error::new("bad_face", format!("a face must be 1 or more, not {card}"))
                .at_field(format!("hand[{i}]"))
        })
    };
    let mut hand = ask.hand.iter().enumerate().map(face).collect::<Result<Vec<Face>, Error>>()?;
    hand.sort_unstable();
    Ok(hand)
}

fn read_history(played: &HistoryMove, table: Option<Face>) -> Result<Move, Error> {
    let HistoryMove::Face(number) = played else { return Ok(Move::Pass) };
    let face = Face::new(*number).ok_or_else(|| Error::new("bad_face", "a face must be 1 or more"))?;
    if table.is_some_and(|table| face <= table) {
        return Err(Error::new("illegal_move", format!("{face} does not beat the table")));
    }
    Ok(Move::Discard(face))
}

/// Answers a request by its query.
pub(crate) fn answer(
    query: &str,
    json: &str,
    budget: &mut Budget<'_>,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let limits = *budget.limits();
    match query {
        "analyze" => {
            if let Some(position) = quick::read(json, &limits) {
                let reply = analyze(&position, false, budget)?;
                return if quick::write(&reply, out) { Ok(()) } else { write(out, &reply) };
            }
            let ask: AnalyzeRequest = request::parse(json)?;
            let explain = ask.explain;
            let position = ask.into_position(&limits)?;
            write(out, &analyze(&position, explain, budget)?)
        }
        "frontier" => {
            let ask: AnalyzeRequest = request::parse(json)?;
            let position = ask.into_position(&limits)?;
            let frontier = frontier(&position, budget)?;
            let number = |entry: Option<usize>| entry.map_or(-1, |c1| c1 as i64);
            write(out, &FrontierReply { frontier: frontier.into_iter().map(number).collect() })
        }
        "oracle" => write(out, &oracle(&request::parse(json)?, &limits)?),
        _ => Err(Error::new("unknown_query", format!("tanhinmin has no query {query:?}"))
            .at_field("query")
            .hint("the queries are analyze, frontier and oracle")),
    }
}

fn write(out: &mut Vec<u8>, reply: &impl Serialize) -> Result<(), Error> {
    serde_json::to_writer(out, reply).map_err(|error| Error::new("internal_error", error.to_string()))
}

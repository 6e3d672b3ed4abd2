//! The requests and replies of the contract: `analyze`, `play`, `deal`.

use crate::notation;
use crate::position::{Card, JOKER_NAME, Mode, Position, Setup, Written};
use crate::rules::{draw, set_up};
use crate::search::{chance, rational};
use crate::strategy::{Ground, Judged, Rank, judge};
use crate::why::words::{SeatReason, reasons};
use kachi_core::surface::{By, Status};
use kachi_core::{Budget, Error, request};
use schemars::JsonSchema;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// A card as written in a request: a string; anything else is remembered and refused in its turn.
#[derive(Debug, Clone)]
pub struct WrittenCard(Written);

impl JsonSchema for WrittenCard {
    fn schema_name() -> Cow<'static, str> {
        "Card".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let words = "a label, or J for the joker";
        schemars::json_schema!({ "type": "string", "minLength": 1, "description": words })
    }
}

impl<'de> Deserialize<'de> for WrittenCard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CardVisitor).map(WrittenCard)
    }
}

struct CardVisitor;

impl<'de> Visitor<'de> for CardVisitor {
    type Value = Written;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a card")
    }

    fn visit_str<E>(self, label: &str) -> Result<Written, E> {
        Ok(Written::Label(label.to_owned()))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Written, E> {
        Ok(Written::Other("true or false"))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Written, E> {
        Ok(Written::Other("a number"))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Written, E> {
        Ok(Written::Other("a number"))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Written, E> {
        Ok(Written::Other("a number"))
    }

    fn visit_unit<E>(self) -> Result<Written, E> {
        Ok(Written::Other("null"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Written, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Written::Other("a list"))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Written, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Written::Other("an object"))
    }
}

/// Ask who is sure of what, and which draws keep it. Give either `position`, or `hands` and `to_move`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalyzeRequest {
    /// Copied to the reply.
    #[serde(default)]
    pub id: Option<serde_json::Value>,
    /// `babanuki`.
    #[serde(default)]
    pub game: Option<String>,
    /// `analyze`.
    #[serde(default)]
    pub query: Option<String>,
    /// Copies of a label; `pairs` if missing.
    #[serde(default)]
    pub mode: Option<Mode>,
    /// The hands by seat; an empty hand means "already out".
    #[serde(default)]
    pub hands: Option<Vec<Vec<WrittenCard>>>,
    /// The seat to move.
    #[serde(default)]
    pub to_move: Option<i64>,
    /// The position in notation, instead of `hands`, `to_move` and `mode`.
    #[serde(default)]
    pub position: Option<String>,
}

/// Ask what a draw does. Give either `position`, or `hands` and `to_move`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayRequest {
    /// Copied to the reply.
    #[serde(default)]
    pub id: Option<serde_json::Value>,
    /// `babanuki`.
    #[serde(default)]
    pub game: Option<String>,
    /// `play`.
    #[serde(default)]
    pub query: Option<String>,
    /// Copies of a label; `pairs` if missing.
    #[serde(default)]
    pub mode: Option<Mode>,
    /// The hands by seat; an empty hand means "already out".
    #[serde(default)]
    pub hands: Option<Vec<Vec<WrittenCard>>>,
    /// The seat to move.
    #[serde(default)]
    pub to_move: Option<i64>,
    /// The position in notation, instead of `hands`, `to_move` and `mode`.
    #[serde(default)]
    pub position: Option<String>,
    /// The card that the mover takes.
    pub draw: WrittenCard,
}

/// Ask how a deal begins: everybody discards pairs, empty seats leave.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DealRequest {
    /// Copied to the reply.
    #[serde(default)]
    pub id: Option<serde_json::Value>,
    /// `babanuki`.
    #[serde(default)]
    pub game: Option<String>,
    /// `deal`.
    #[serde(default)]
    pub query: Option<String>,
    /// Copies of a label; `pairs` if missing.
    #[serde(default)]
    pub mode: Option<Mode>,
    /// The dealt hands, pairs and all.
    pub deal: Vec<Vec<WrittenCard>>,
    /// The announced starter.
    pub start: i64,
}

/// Cards after which the mover still has a property.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GoodDraws {
    /// Can force leaving first.
    pub first: Vec<String>,
    /// Can force not being last.
    pub not_last: Vec<String>,
    /// Cannot be made last (endless play allowed).
    pub avoid_last: Vec<String>,
}

/// For each card of the victim the mover's ranks after drawing it: strict, endless play allowed.
#[derive(Debug)]
pub struct DrawValues(Vec<(String, [Rank; 2])>);

impl Serialize for DrawValues {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (card, ranks) in &self.0 {
            map.serialize_entry(card, ranks)?;
        }
        map.end()
    }
}

impl JsonSchema for DrawValues {
    fn schema_name() -> Cow<'static, str> {
        "DrawValues".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        generator.subschema_for::<std::collections::BTreeMap<String, [Rank; 2]>>()
    }
}

/// Who is sure of what.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AnalyzeReply {
    /// The seat that the mover draws from.
    pub draws_from: usize,
    /// The least rank each seat can force; the last rank if none, `null` for seats that are out.
    pub guaranteed_rank: Vec<Option<Rank>>,
    /// The least rank each seat can ensure when endless play counts as good.
    pub guaranteed_rank_endless_ok: Vec<Option<Rank>>,
    /// Seats that can force being the next to leave.
    pub can_force_first: Vec<usize>,
    /// Seats that can force not being last.
    pub can_force_not_last: Vec<usize>,
    /// Seats that the others together cannot make last.
    pub can_avoid_last: Vec<usize>,
    /// Draws that keep the mover's properties.
    pub good_draws: GoodDraws,
    /// Draws that keep the mover's guarantee, pairing ones if there are any; empty without a guarantee.
    pub recommended: Vec<String>,
    /// What each draw leaves to the mover.
    pub draw_values: DrawValues,
    /// Small games: all pure subgame-perfect outcomes as ranks by seat; 0 = still in, endless.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rational_outcomes: Option<Vec<Vec<Option<Rank>>>>,
    /// Small games: each seat's chance of ending last when all cards are drawn blindly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub random_last_prob: Option<Vec<Option<f64>>>,
    /// What the answer rests on.
    pub by: By,
    /// The reason for every seat that is in.
    pub why: Vec<SeatReason>,
    /// The position in notation, where its labels can be written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
}

/// What a draw did.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PlayReply {
    /// The pair that was discarded, or nothing.
    pub discarded: Vec<String>,
    /// The hands after the draw.
    pub hands_after: Vec<Vec<String>>,
    /// Seats that left, in order.
    pub left: Vec<usize>,
    /// Is one seat left with the joker?
    pub over: bool,
    /// Who moves next; `null` when the game is over.
    pub next_to_move: Option<usize>,
    /// Who is last; `null` unless the game is over.
    pub last: Option<usize>,
}

/// How a deal begins.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DealReply {
    /// The hands without pairs.
    pub hands_after: Vec<Vec<String>>,
    /// The labels of which pairs were discarded.
    pub discarded_labels: Vec<String>,
    /// Seats without cards, in the order of their ranks.
    pub left: Vec<usize>,
    /// Is one seat left with the joker?
    pub over: bool,
    /// Who moves first; `null` when the game is over.
    pub to_move: Option<usize>,
    /// Who is last; `null` unless the game is over.
    pub last: Option<usize>,
}

fn write_out(reply: &impl Serialize, out: &mut Vec<u8>) -> Result<(), Error> {
    serde_json::to_writer(out, reply).map_err(|error| Error::new("not_written", error.to_string()))
}

/// The fields that say which position is meant.
struct Asked {
    mode: Option<Mode>,
    hands: Option<Vec<Vec<WrittenCard>>>,
    to_move: Option<i64>,
    position: Option<String>,
}

fn written(hands: Vec<Vec<WrittenCard>>) -> Vec<Vec<Written>> {
    hands.into_iter().map(|hand| hand.into_iter().map(|card| card.0).collect()).collect()
}

impl Asked {
    fn position(self) -> Result<Position, Error> {
        match (self.position, self.hands) {
            (Some(_), Some(_)) => {
                Err(Error::new("bad_value", "give either position or hands, not both").at_field("position"))
            }
            (Some(text), None) => notation::read(&text),
            (None, Some(hands)) => {
                let mode = self.mode.unwrap_or_default();
                // A missing seat is reported only when the hands themselves are right.
                let to_move = self.to_move.unwrap_or(-1);
                let setup = Setup { hands: written(hands), to_move, mode, ..Setup::default() };
                match setup.validate() {
                    Err(fault) if fault.code == "bad_mover" && self.to_move.is_none() => {
                        Err(missing("to_move"))
                    }
                    found => found.map_err(|fault| fault.at_fields("hands", "to_move")),
                }
            }
            (None, None) => Err(missing("hands")),
        }
    }
}

fn missing(field: &str) -> Error {
    Error::new("missing_field", format!("missing field `{field}`")).at_field(field).hint(
        "for example \"hands\": [[\"1\"], [\"1\", \"J\"]], \"to_move\": 0; or \"position\": \"1/1,J@0\"",
    )
}

fn check_size(position: &Position, budget: &Budget<'_>) -> Result<(), Error> {
    let cards: u64 = position.table().hands().iter().map(|hand| hand.len() as u64).sum();
    if cards > budget.limits().cards {
        return Err(Error::too_large("cards in the hands", cards, budget.limits().cards));
    }
    Ok(())
}

fn names(position: &Position, cards: &[Card]) -> Vec<String> {
    position.names(cards).into_iter().map(str::to_owned).collect()
}

fn all_hands(position: &Position) -> Vec<Vec<String>> {
    position.table().hands().iter().map(|hand| names(position, hand)).collect()
}

/// Answers `analyze`.
///
/// # Errors
/// What is wrong with the request, or which limit it met.
pub fn analyze(request: &str, budget: &mut Budget<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let AnalyzeRequest { mode, hands, to_move, position, .. } = request::parse(request)?;
    let position = Asked { mode, hands, to_move, position }.position()?;
    check_size(&position, budget)?;
    write_out(&analysis(&position, budget)?, out)
}

/// The reply of `analyze` for a position in which somebody is to move.
///
/// # Errors
/// `too_large` or `out_of_budget`.
pub fn analysis(position: &Position, budget: &mut Budget<'_>) -> Result<AnalyzeReply, Error> {
    let spent = budget.spent();
    let judged = judge(position, budget)?;
    let nodes = budget.spent() - spent;
    let (best, last) = (judged.best, judged.last);
    let cards = |cards: Vec<Card>| names(position, &cards);
    let mut values: Vec<(Card, [Rank; 2])> = Vec::new();
    for draw in &judged.draws {
        values.extend(draw.cards.iter().map(|&card| (card, [draw.mover.strict, draw.mover.lenient])));
    }
    values.sort_unstable();
    let values = values.into_iter().map(|(card, ranks)| (position.name(card).to_owned(), ranks)).collect();
    Ok(AnalyzeReply {
        draws_from: judged.order[judged.order.len() - 1],
        guaranteed_rank: judged.sure.iter().map(|sure| sure.map(|sure| sure.strict)).collect(),
        guaranteed_rank_endless_ok: judged.sure.iter().map(|sure| sure.map(|sure| sure.lenient)).collect(),
        can_force_first: judged.seats(|sure| sure.strict == best),
        can_force_not_last: judged.seats(|sure| sure.strict < last),
        can_avoid_last: judged.seats(|sure| sure.lenient < last),
        good_draws: GoodDraws {
            first: cards(judged.cards(|draw| draw.mover.strict == best)),
            not_last: cards(judged.cards(|draw| draw.mover.strict < last)),
            avoid_last: cards(judged.cards(|draw| draw.mover.lenient < last)),
        },
        recommended: cards(judged.recommended()),
        draw_values: DrawValues(values),
        rational_outcomes: rational_outcomes(position, &judged),
        random_last_prob: random_last(position, &judged),
        by: by(&judged, nodes),
        why: reasons(&judged),
        position: notation::is_writable(position).then(|| notation::write(position)),
    })
}

/// All rational outcomes as ranks by seat (0 = endless), sorted; `None` when the game is not small.
pub fn rational_outcomes(position: &Position, judged: &Judged) -> Option<Vec<Vec<Option<Rank>>>> {
    let outcomes = rational::outcomes(&judged.shape, position.mode())?;
    let ranks = |leaving: rational::Leaving| {
        let mut ranks = vec![None; judged.sure.len()];
        judged.order.iter().for_each(|&seat| ranks[seat] = Some(0));
        for (place, r) in leaving.into_iter().enumerate() {
            ranks[judged.order[r as usize]] = Some(judged.best + place as Rank);
        }
        ranks
    };
    let mut outcomes: Vec<Vec<Option<Rank>>> = outcomes.into_iter().map(ranks).collect();
    outcomes.sort_unstable();
    Some(outcomes)
}

/// Everybody's chance of ending last when all draws are blind; `None` when the game is not small.
pub fn random_last(position: &Position, judged: &Judged) -> Option<Vec<Option<f64>>> {
    let chances = chance::last(&judged.shape, position.mode())?;
    let mut by_seat = vec![None; judged.sure.len()];
    judged.order.iter().zip(chances).for_each(|(&seat, chance)| by_seat[seat] = Some(chance));
    Some(by_seat)
}

/// What an answer rests on.
pub fn by(judged: &Judged, nodes: u64) -> By {
    let proved = |rule: &str, theorem: &str| By {
        rule: rule.to_owned(),
        status: Status::Proved,
        reference: Some(theorem.to_owned()),
        nodes: None,
    };
    match judged.ground {
        Ground::Two => proved("two seats: the joker loses", "babanuki/Three.two_seats"),
        Ground::Three => proved("three seats: Theorems A, B and C", "babanuki/Ranks.guaranteed_rank"),
        Ground::Table { seats, labels } => By {
            rule: format!("search: table of {seats} seats and {labels} labels, solved backwards"),
            status: Status::Searched,
            reference: None,
            nodes: Some(nodes),
        },
    }
}

/// Answers `play`.
///
/// # Errors
/// What is wrong with the request; `illegal_draw` if the victim does not hold the card.
pub fn play(request: &str, budget: &mut Budget<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let PlayRequest { mode, hands, to_move, position, draw: card, .. } = request::parse(request)?;
    let position = Asked { mode, hands, to_move, position }.position()?;
    check_size(&position, budget)?;
    let name = match card.0 {
        Written::Label(name) if !name.is_empty() => name,
        Written::Label(_) => return Err(bad_draw("an empty string")),
        Written::Other(kind) => return Err(bad_draw(kind)),
    };
    let drawn = position.card(&name).and_then(|card| draw(position.table(), card));
    let Some(drawn) = drawn else {
        let victim = position.table().victim().map_or(0, |seat| seat.0);
        let held = position.names(&position.table().hands()[victim]).join(", ");
        let message = format!("seat {victim}, who is drawn from, does not hold {name}");
        return Err(Error::new("illegal_draw", message).at_field("draw").hint(format!("it holds {held}")));
    };
    let after = position.with(drawn.table);
    let over = after.table().is_over();
    let turn = after.table().mover().0;
    let discarded = drawn.discarded.map(|card| vec![position.name(card).to_owned(); 2]);
    let reply = PlayReply {
        discarded: discarded.unwrap_or_default(),
        hands_after: all_hands(&after),
        left: drawn.left.iter().map(|seat| seat.0).collect(),
        over,
        next_to_move: (!over).then_some(turn),
        last: over.then_some(turn),
    };
    write_out(&reply, out)
}

fn bad_draw(found: &str) -> Error {
    Error::new("bad_card", format!("a card must be a non-empty string, found {found}"))
        .at_field("draw")
        .hint(format!("name a card of the victim, such as \"7\" or \"{JOKER_NAME}\""))
}

/// Answers `deal`.
///
/// # Errors
/// What is wrong with the request.
pub fn deal(request: &str, budget: &mut Budget<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let DealRequest { mode, deal, start, .. } = request::parse(request)?;
    let setup =
        Setup { hands: written(deal), to_move: start, mode: mode.unwrap_or_default(), ..Setup::default() };
    let dealt = setup.validate_deal().map_err(|fault| fault.at_fields("deal", "start"))?;
    check_size(&dealt, budget)?;
    let set_up = set_up(&dealt);
    let table = set_up.position.table();
    let (over, turn) = (table.is_over(), table.mover().0);
    let reply = DealReply {
        hands_after: all_hands(&set_up.position),
        discarded_labels: names(&set_up.position, &set_up.discarded),
        left: set_up.left.iter().map(|seat| seat.0).collect(),
        over,
        to_move: (!over).then_some(turn),
        last: over.then_some(turn),
    };
    write_out(&reply, out)
}

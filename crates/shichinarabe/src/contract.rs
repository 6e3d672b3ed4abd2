//! Requests and replies of the contract, as types.

use crate::analysis::{GraphAnswer, analyse_deck, analyse_graph, analyse_suits, suits_rule};
use crate::notation::{read_deal, read_deck, read_graph, read_suits};
use crate::position::{Card, Colour, Deck, Edge, Graph, GraphSetup, Label, Player, Rank, Suits, Variant};
use crate::rules::{Action, Turn};
use crate::why::{Names, SuitsReason, reason_of};
use kachi_core::random::Dealer;
use kachi_core::surface::By;
use kachi_core::{Budget, Error};
use schemars::JsonSchema;
use serde::de::{self, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::fmt;

/// A player of the suit game or of the real deck.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
pub enum SuitsPlayer {
    /// The first player.
    L,
    /// The second player.
    R,
}

impl From<SuitsPlayer> for Player {
    fn from(player: SuitsPlayer) -> Player {
        match player {
            SuitsPlayer::L => Player::First,
            SuitsPlayer::R => Player::Second,
        }
    }
}

/// A player of the graph game.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
pub enum GraphPlayer {
    /// Red, the first player.
    R,
    /// Blue, the second player.
    B,
}

impl From<GraphPlayer> for Player {
    fn from(player: GraphPlayer) -> Player {
        match player {
            GraphPlayer::R => Player::First,
            GraphPlayer::B => Player::Second,
        }
    }
}

/// A number for L and one for R.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[allow(non_snake_case)] // The players' names are the fields of the contract.
pub struct SuitsCounts {
    /// For L.
    pub L: u32,
    /// For R.
    pub R: u32,
}

/// A number for R (red) and one for B (blue).
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[allow(non_snake_case)] // The players' names are the fields of the contract.
pub struct GraphCounts {
    /// For red.
    pub R: u32,
    /// For blue.
    pub B: u32,
}

/// A real deck: the cards in the two hands; every other card lies on the table.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case)] // The players' names are the fields of the contract.
pub struct DealRequest {
    /// The cards of L, for example `["S8","H10"]`.
    pub L: Vec<String>,
    /// The cards of R.
    pub R: Vec<String>,
    /// Jokers held.
    #[serde(default)]
    pub jokers: SuitsCounts,
    /// Passes left.
    #[serde(default)]
    pub passes: SuitsCounts,
    /// Is the tunnel rule on?
    #[serde(default)]
    pub tunnel: bool,
}

/// `analyze` of `shichinarabe`: give `suits` and `to_move`, or `deal` and `to_move`, or `position`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SuitsRequest {
    /// Copied to the reply by the surface.
    #[serde(default, rename = "id")]
    #[schemars(with = "Option<Value>")]
    _id: Option<IgnoredAny>,
    /// `shichinarabe`.
    #[serde(default, rename = "game")]
    _game: Option<String>,
    /// `analyze`.
    #[serde(default, rename = "query")]
    _query: Option<String>,
    /// Owners of the unplayed cards from the centre outwards, for example `["LRL","RRL"]`.
    #[serde(default)]
    pub suits: Option<Vec<String>>,
    /// A real deck instead of suits.
    #[serde(default)]
    pub deal: Option<DealRequest>,
    /// Whose turn it is.
    #[serde(default)]
    pub to_move: Option<SuitsPlayer>,
    /// A position in notation instead of the fields.
    #[serde(default)]
    pub position: Option<String>,
}

/// `deal` of `shichinarabe`: a random deal of the 48 cards and its analysis.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RandomDealRequest {
    /// Copied to the reply by the surface.
    #[serde(default, rename = "id")]
    #[schemars(with = "Option<Value>")]
    _id: Option<IgnoredAny>,
    /// `shichinarabe`.
    #[serde(default, rename = "game")]
    _game: Option<String>,
    /// `deal`.
    #[serde(default, rename = "query")]
    _query: Option<String>,
    /// The seed of the generator (ChaCha8).
    pub seed: u64,
    /// Jokers held.
    #[serde(default)]
    pub jokers: SuitsCounts,
    /// Passes left.
    #[serde(default)]
    pub passes: SuitsCounts,
    /// Is the tunnel rule on?
    #[serde(default)]
    pub tunnel: bool,
}

/// An edge that comes or goes when a vertex turns white.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LabelRequest {
    /// The vertex that fires it.
    pub when: u32,
    /// The edge.
    #[schemars(with = "(u32, u32)")]
    pub edge: EdgeRequest,
}

/// Two vertices, as an array of exactly two numbers.
#[derive(Debug, Clone, Copy)]
pub struct EdgeRequest(pub u32, pub u32);

impl<'de> Deserialize<'de> for EdgeRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(EdgeVisitor)
    }
}

/// Reads an edge. A pair read by serde would report a third number as broken JSON.
struct EdgeVisitor;

impl<'de> Visitor<'de> for EdgeVisitor {
    type Value = EdgeRequest;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an edge [u, v] of two vertices")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<EdgeRequest, A::Error> {
        let mut count = 0;
        let mut next = |seq: &mut A| {
            let vertex = seq.next_element::<u32>()?;
            count += 1;
            vertex.ok_or_else(|| de::Error::invalid_length(count - 1, &self))
        };
        let edge = EdgeRequest(next(&mut seq)?, next(&mut seq)?);
        match seq.next_element::<IgnoredAny>()? {
            None => Ok(edge),
            Some(_) => Err(de::Error::invalid_length(3, &self)),
        }
    }
}

/// `analyze` of `graph-shichinarabe`: give the fields, or `position`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GraphRequest {
    /// Copied to the reply by the surface.
    #[serde(default, rename = "id")]
    #[schemars(with = "Option<Value>")]
    _id: Option<IgnoredAny>,
    /// `graph-shichinarabe`.
    #[serde(default, rename = "game")]
    _game: Option<String>,
    /// `analyze`.
    #[serde(default, rename = "query")]
    _query: Option<String>,
    /// The colour of every vertex: W (on the table), R or B.
    #[serde(default)]
    pub vertices: Option<String>,
    /// Pairs of vertices; arcs from the first to the second if `directed`.
    #[serde(default)]
    #[schemars(with = "Option<Vec<(u32, u32)>>")]
    pub edges: Option<Vec<EdgeRequest>>,
    /// Are the edges arcs?
    #[serde(default)]
    pub directed: bool,
    /// Whose turn it is.
    #[serde(default)]
    pub to_move: Option<GraphPlayer>,
    /// All-mighty rights (jokers) held.
    #[serde(default)]
    pub rights: GraphCounts,
    /// Passes left.
    #[serde(default)]
    pub passes: GraphCounts,
    /// Edges that appear.
    #[serde(default)]
    pub add: Vec<LabelRequest>,
    /// Edges that disappear.
    #[serde(default)]
    pub delete: Vec<LabelRequest>,
    /// Variant: at most one right may be used in a turn.
    #[serde(default)]
    pub one_right_per_turn: bool,
    /// Variant: emptying the opponent's hand with a right wins.
    #[serde(default)]
    pub emptying_wins: bool,
    /// A position in notation instead of the fields.
    #[serde(default)]
    pub position: Option<String>,
}

/// A turn as the contract writes it. `P` is the number of a suit or vertex, or the name of a card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum TurnReply<P> {
    /// A plain play, or `"pass"`.
    Action(ActionReply<P>),
    /// Rights used first.
    Joker {
        /// The vertices turned white, increasing.
        joker: Vec<P>,
        /// What follows.
        play: ActionReply<P>,
    },
}

/// The compulsory part of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ActionReply<P> {
    /// What is played.
    Play(P),
    /// `"pass"`.
    Pass(&'static str),
}

impl<P> TurnReply<P> {
    pub(crate) fn new(turn: &Turn, name: &dyn Fn(u32) -> P) -> TurnReply<P> {
        let play = match turn.action {
            Action::Play(v) => ActionReply::Play(name(v)),
            Action::Pass => ActionReply::Pass("pass"),
        };
        if turn.joker.is_empty() {
            return TurnReply::Action(play);
        }
        TurnReply::Joker { joker: turn.joker.iter().map(|&v| name(v)).collect(), play }
    }
}

/// The reply about suits.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SuitsReply {
    /// `L` or `R`.
    pub winner: char,
    /// The suits that win when played now.
    pub winning_moves: Vec<usize>,
    /// What the answer rests on.
    pub by: By,
    /// The reason.
    pub why: SuitsReason,
}

/// The reply about a graph or a deck.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GraphReply<P> {
    /// The position in notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Whose turn it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_move: Option<char>,
    /// Who wins.
    pub winner: char,
    /// All winning turns; absent when a limit was met before all were found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winning_moves: Option<Vec<TurnReply<P>>>,
    /// The winning turns found before a limit was met.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub some_winning_moves: Option<Vec<TurnReply<P>>>,
    /// The limit that was met.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Value>")]
    pub unfinished: Option<Error>,
    /// What the answer rests on.
    pub by: By,
    /// The reason.
    pub why: Value,
}

/// What a request of `shichinarabe` speaks about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SuitsOrDeck {
    /// Strings of owners.
    Suits(Suits),
    /// The real deck.
    Deck(Deck),
}

impl SuitsOrDeck {
    /// Reads any notation of this game: suits, the deck, or a random deal named by its seed.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn read(text: &str) -> Result<SuitsOrDeck, Error> {
        if text.trim_start().starts_with("deal@") {
            let (seed, rights, passes, tunnel) = read_deal(text)?;
            Ok(SuitsOrDeck::Deck(random_deck(seed, rights, passes, tunnel)))
        } else if text.contains('@') {
            read_deck(text).map(SuitsOrDeck::Deck)
        } else {
            read_suits(text).map(SuitsOrDeck::Suits)
        }
    }
}

fn missing(field: &str, hint: &str) -> Error {
    Error::new("missing_field", format!("missing field `{field}`")).at_field(field).hint(hint)
}

fn both(field: &str) -> Error {
    Error::new("bad_value", format!("`{field}` says the same as another field; give one of them"))
        .at_field(field)
}

fn check_size(what: &str, size: usize, budget: &Budget<'_>) -> Result<(), Error> {
    let limit = budget.limits().cards;
    if size as u64 > limit { Err(Error::too_large(what, size, limit)) } else { Ok(()) }
}

impl SuitsRequest {
    /// The position that the request speaks about.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn position(self, budget: &Budget<'_>) -> Result<SuitsOrDeck, Error> {
        if let Some(text) = self.position {
            if self.suits.is_some() || self.deal.is_some() || self.to_move.is_some() {
                return Err(both("position"));
            }
            check_size("letters of the position", text.len(), budget)?;
            return SuitsOrDeck::read(&text);
        }
        let to_move = || self.to_move.map(Player::from).ok_or_else(|| missing("to_move", "\"L\" or \"R\""));
        match (self.suits, self.deal) {
            (Some(_), Some(_)) => Err(both("deal")),
            (Some(texts), None) => {
                let cards = texts.iter().map(String::len).sum::<usize>();
                check_size("cards", cards.max(texts.len()), budget)?;
                let mut suits = Vec::with_capacity(texts.len());
                for (i, text) in texts.iter().enumerate() {
                    let mut suit = Vec::with_capacity(text.len());
                    for (j, letter) in text.chars().enumerate() {
                        let owner = Player::from_letter(letter).ok_or_else(|| {
                            Error::new(
                                "bad_letter",
                                format!("a suit is written with L and R, not {letter:?}"),
                            )
                            .at_field(format!("suits[{i}][{j}]"))
                            .hint("for example [\"LRL\",\"RRL\"]")
                        })?;
                        suit.push(owner);
                    }
                    suits.push(suit);
                }
                Suits::new(suits, to_move()?).map(SuitsOrDeck::Suits)
            }
            (None, Some(deal)) => deal.deck(to_move()?).map(SuitsOrDeck::Deck),
            (None, None) => Err(missing("suits", "suits, deal or position says what lies on the table")),
        }
    }
}

impl DealRequest {
    fn deck(&self, mover: Player) -> Result<Deck, Error> {
        let mut owners = [[None; Rank::COUNT]; 4];
        for (player, name, hand) in [(Player::First, "L", &self.L), (Player::Second, "R", &self.R)] {
            for (i, text) in hand.iter().enumerate() {
                let place = || format!("deal.{name}[{i}]");
                let card = Card::parse(text).map_err(|error| error.at_field(place()))?;
                if card.rank == Rank::SEVEN {
                    let message = format!("{card} is in a hand, but the sevens begin on the table");
                    return Err(Error::new("held_seven", message).at_field(place()));
                }
                let owner = &mut owners[card.suit.index()][card.rank.index()];
                if owner.is_some() {
                    let message = format!("{card} is held twice");
                    return Err(Error::new("duplicate_card", message).at_field(place()));
                }
                *owner = Some(player);
            }
        }
        let counts = |counts: SuitsCounts| [counts.L, counts.R];
        Deck::new(owners, mover, counts(self.jokers), counts(self.passes), self.tunnel)
            .map_err(|error| error.at_field("deal"))
    }
}

/// A fair deal: 24 of the 48 cards to each player, L to move.
#[must_use]
pub fn random_deck(seed: u64, rights: [u32; 2], passes: [u32; 2], tunnel: bool) -> Deck {
    let mut hands = [Player::First; 48];
    hands[24..].fill(Player::Second);
    Dealer::new(seed).shuffle(&mut hands);
    let mut cards = hands.into_iter();
    let mut owners = [[None; Rank::COUNT]; 4];
    for row in &mut owners {
        for rank in Rank::all().filter(|&rank| rank != Rank::SEVEN) {
            row[rank.index()] = cards.next();
        }
    }
    Deck::new(owners, Player::First, rights, passes, tunnel).expect("a fresh deal is legal")
}

impl GraphRequest {
    /// The position that the request speaks about.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn position(self, budget: &Budget<'_>) -> Result<Graph, Error> {
        if let Some(text) = self.position {
            let counts = [self.rights.R, self.rights.B, self.passes.R, self.passes.B] != [0; 4];
            let labels = !self.add.is_empty() || !self.delete.is_empty();
            let flags = self.directed || self.one_right_per_turn || self.emptying_wins;
            let given = self.vertices.is_some() || self.edges.is_some() || self.to_move.is_some();
            if given || counts || labels || flags {
                return Err(both("position"));
            }
            check_size("letters of the position", text.len() / 16, budget)?;
            return read_graph(&text);
        }
        let vertices = self.vertices.ok_or_else(|| missing("vertices", "for example \"WRB\""))?;
        let edges = self.edges.ok_or_else(|| missing("edges", "for example [[0,1],[1,2]]"))?;
        let edges: Vec<Edge> = edges.into_iter().map(|edge| (edge.0, edge.1)).collect();
        let mover = self.to_move.ok_or_else(|| missing("to_move", "\"R\" or \"B\""))?;
        check_size("vertices", vertices.len(), budget)?;
        let lines = edges.len() + self.add.len() + self.delete.len();
        check_size("edges and labels", lines / 8, budget)?;
        let mut colours = Vec::with_capacity(vertices.len());
        for (i, letter) in vertices.chars().enumerate() {
            colours.push(Colour::from_letter(letter).ok_or_else(|| {
                Error::new("bad_letter", format!("a vertex is W, R or B, not {letter:?}"))
                    .at_field(format!("vertices[{i}]"))
                    .hint("for example \"WRB\"")
            })?);
        }
        let labels = |labels: Vec<LabelRequest>| {
            labels.into_iter().map(|l| Label { when: l.when, edge: (l.edge.0, l.edge.1) }).collect::<Vec<_>>()
        };
        Graph::new(GraphSetup {
            colours,
            edges,
            directed: self.directed,
            mover: mover.into(),
            rights: [self.rights.R, self.rights.B],
            passes: [self.passes.R, self.passes.B],
            add: labels(self.add),
            delete: labels(self.delete),
            variant: Variant {
                one_right_per_turn: self.one_right_per_turn,
                emptying_wins: self.emptying_wins,
            },
        })
    }
}

/// The reply about suits.
#[must_use]
pub fn reply_suits(position: &Suits) -> SuitsReply {
    let answer = analyse_suits(position);
    let why = SuitsReason::new(position, &answer);
    SuitsReply { winner: answer.winner.letter(), winning_moves: answer.winning, by: suits_rule(), why }
}

/// Situations of a strategy kept in a reply.
const REPLY_SITUATIONS: usize = 0;

/// The reply about a graph.
///
/// # Errors
/// `out_of_budget`, `too_large`.
pub fn reply_graph(graph: &Graph, budget: &mut Budget<'_>) -> Result<GraphReply<u32>, Error> {
    let answer = analyse_graph(graph, budget)?;
    let why = reason_of(graph, &answer, REPLY_SITUATIONS, budget).json(Names::Graph, &|v| v.into());
    Ok(reply(answer, Names::Graph, why, &|v| v))
}

/// The reply about a deck.
///
/// # Errors
/// `out_of_budget`.
pub fn reply_deck(deck: &Deck, budget: &mut Budget<'_>) -> Result<GraphReply<String>, Error> {
    let answer = analyse_deck(deck, budget)?;
    let name = |v: u32| Card::of_vertex(v).to_string();
    let why = reason_of(&deck.graph(), &answer, REPLY_SITUATIONS, budget);
    let why = why.json(Names::Suits, &|v| name(v).into());
    let mut reply = reply(answer, Names::Suits, why, &name);
    reply.position = Some(crate::notation::write_deck(deck));
    reply.to_move = Some(deck.mover().letter());
    Ok(reply)
}

fn reply<P>(answer: GraphAnswer, names: Names, why: Value, name: &dyn Fn(u32) -> P) -> GraphReply<P> {
    let turns: Vec<TurnReply<P>> = answer.winning.iter().map(|turn| TurnReply::new(turn, name)).collect();
    let (all, some) = if answer.unfinished.is_none() { (Some(turns), None) } else { (None, Some(turns)) };
    GraphReply {
        position: None,
        to_move: None,
        winner: names.of(answer.winner),
        winning_moves: all,
        some_winning_moves: some,
        unfinished: answer.unfinished,
        by: answer.by,
        why,
    }
}

impl RandomDealRequest {
    /// The deal.
    #[must_use]
    pub fn deck(&self) -> Deck {
        let counts = |counts: SuitsCounts| [counts.L, counts.R];
        random_deck(self.seed, counts(self.jokers), counts(self.passes), self.tunnel)
    }
}

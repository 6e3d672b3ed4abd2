//! The questions about plans, players and whole deals: `plan_eval`, `reduced`, `advise`, `play`, `clairvoyant`.

use crate::clairvoyant::{self, ByFunction, ByPlans, WIDTHS, Winnable};
use crate::deal::Deck;
use crate::memo::Memo;
use crate::plan::order::Slot;
use crate::plan::value::Evaluator;
use crate::plan::{Plan, Refusal};
use crate::players::options::PlanOptions;
use crate::players::plans::PlanPlayer;
use crate::players::source::PairSource;
use crate::players::{Decision, GameRecord, Player, play_deck};
use crate::position::{Fault, Position, Rank, Setup, Stack};
use crate::rules::{Move, Rules};
use crate::search::reduced;
use crate::table::build;
use crate::theory::{Chances, TwoChains};
use kachi_core::surface::{By, Query, Status};
use kachi_core::{Budget, Error, Limits, request};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The chance of one plan, factor by factor.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanEvalRequest {
    /// Copied to the reply.
    #[serde(default)]
    pub id: Option<serde_json::Value>,
    /// `calculation`.
    #[serde(default)]
    pub game: Option<String>,
    /// `plan_eval`.
    #[serde(default)]
    pub query: Option<String>,
    /// Waste stacks, 1 to 4.
    pub stacks: i64,
    /// The next rank of every foundation; null when it is complete.
    pub heads: Vec<Option<String>>,
    /// The stacks, bottom first; `"Q-2"` is a queen for foundation 2.
    pub piles: Vec<Vec<String>>,
}

/// The factors of the product formula.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PlanEvalReply {
    /// The chance of each foundation's cards alone.
    pub single: [f64; 4],
    /// The chances of pairs of foundations: 01 02 03 12 13 23.
    pub pair: [f64; 6],
    /// The product of the pairs over the squares of the singles; 0 when a factor is 0.
    pub value: f64,
}

/// The exact value of a reduced game.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReducedRequest {
    /// Copied to the reply.
    #[serde(default)]
    pub id: Option<serde_json::Value>,
    /// `calculation`.
    #[serde(default)]
    pub game: Option<String>,
    /// `reduced`.
    #[serde(default)]
    pub query: Option<String>,
    /// Ranks of the deck, at least 2.
    pub ranks: i64,
    /// One foundation for each step; steps are coprime to the ranks.
    pub steps: Vec<i64>,
    /// Waste stacks, 1 to 4.
    pub stacks: i64,
}

/// How many decks optimal play wins.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReducedReply {
    /// Decks won.
    pub wins: u64,
    /// All decks, told apart by ranks.
    pub decks: u64,
    /// Tables searched.
    pub states: u64,
}

/// Cards as a list of ranks, or all in one string.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Cards {
    /// `"58Q"`.
    Text(String),
    /// `["5", "8", "Q"]`.
    List(Vec<String>),
}

/// What to do with a drawn card.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdviseRequest {
    /// Copied to the reply.
    #[serde(default)]
    pub id: Option<serde_json::Value>,
    /// `calculation`.
    #[serde(default)]
    pub game: Option<String>,
    /// `advise`.
    #[serde(default)]
    pub query: Option<String>,
    /// Waste stacks, 1 to 4.
    pub stacks: i64,
    /// The next rank of every foundation; null when it is complete.
    pub heads: Vec<Option<String>>,
    /// The stacks, bottom first.
    pub piles: Vec<Cards>,
    /// The drawn card.
    pub drawn: String,
    /// The player that is asked; `plans-look1` if missing.
    #[serde(default)]
    pub engine: Option<String>,
    /// Plans that the player keeps, instead of its own number.
    #[serde(default, alias = "K", alias = "k")]
    pub plans: Option<i64>,
    /// Limits on the work.
    #[serde(default)]
    pub budget: Option<Limits>,
}

/// One way to finish the turn.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AdvisedOption {
    /// The placement, then free moves: `f2` to foundation 2, `s0` on stack 0, `s0f2` from stack 0 to foundation 2.
    pub moves: Vec<String>,
    /// The estimated chance of winning.
    pub chance: f64,
}

/// All ways to finish the turn, with the player's opinion.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AdviseReply {
    /// In the order of the rules: plays before stacks, lower index first.
    pub options: Vec<AdvisedOption>,
    /// The number of the option that the player would choose.
    pub best: usize,
    /// The player.
    pub engine: String,
    /// What the answer rests on.
    pub by: By,
}

/// Play a whole deck without looking ahead in it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayRequest {
    /// Copied to the reply.
    #[serde(default)]
    pub id: Option<serde_json::Value>,
    /// `calculation`.
    #[serde(default)]
    pub game: Option<String>,
    /// `play`.
    #[serde(default)]
    pub query: Option<String>,
    /// Waste stacks, 1 to 4.
    pub stacks: i64,
    /// 52 ranks, first drawn first.
    pub deck: Cards,
    /// The player; `plans-look0` if missing.
    #[serde(default)]
    pub engine: Option<String>,
    /// Plans that the player keeps, instead of its own number.
    #[serde(default, alias = "K", alias = "k")]
    pub plans: Option<i64>,
    /// Limits on the work.
    #[serde(default)]
    pub budget: Option<Limits>,
}

/// One turn of a game.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PlayedTurn {
    /// The drawn card.
    pub drawn: String,
    /// What was done: the placement, then free moves.
    pub moves: Vec<String>,
    /// The chance that the player saw.
    pub chance: f64,
}

/// A finished game.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PlayReply {
    /// Was it won? Checked by the rules, move by move.
    pub won: bool,
    /// Cards on the foundations at the end.
    pub played: usize,
    /// Turn by turn.
    pub transcript: Vec<PlayedTurn>,
    /// Free moves after the last turn.
    pub ending: Vec<String>,
    /// The player.
    pub engine: String,
}

/// Can a deck be won by someone who sees it?
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClairvoyantRequest {
    /// Copied to the reply.
    #[serde(default)]
    pub id: Option<serde_json::Value>,
    /// `calculation`.
    #[serde(default)]
    pub game: Option<String>,
    /// `clairvoyant`.
    #[serde(default)]
    pub query: Option<String>,
    /// Waste stacks, 1 to 4.
    pub stacks: i64,
    /// 52 ranks, first drawn first.
    pub deck: Cards,
    /// Limits on the work.
    #[serde(default)]
    pub budget: Option<Limits>,
}

/// Yes with a line, no with a proof by exhaustion, or unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum YesNo {
    /// The line wins.
    Yes,
    /// All lines were searched.
    No,
    /// The work did not suffice.
    Unknown,
}

/// Whether a deck can be won.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ClairvoyantReply {
    /// Can it be won?
    pub winnable: YesNo,
    /// The winning line: draws, placements and free moves; null without one.
    pub line: Option<Vec<String>>,
    /// Tables looked at.
    pub nodes: u64,
}

/// The queries and their types.
#[must_use]
pub fn queries() -> Vec<Query> {
    vec![
        Query::of::<PlanEvalRequest, PlanEvalReply>(
            "plan_eval",
            "the chance of an assignment plan, factor by factor",
        ),
        Query::of::<ReducedRequest, ReducedReply>("reduced", "the exact optimum of a reduced game"),
        Query::of::<AdviseRequest, AdviseReply>(
            "advise",
            "what to do with a drawn card, with the chance of every option",
        ),
        Query::of::<PlayRequest, PlayReply>("play", "a whole game, played without seeing the deck"),
        Query::of::<ClairvoyantRequest, ClairvoyantReply>(
            "clairvoyant",
            "can a deal be won when the deck is known",
        ),
    ]
}

/// Answers one of them.
///
/// # Errors
/// What is wrong with the request, or which limit it met.
pub fn answer(query: &str, request: &str, budget: &mut Budget<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    match query {
        "plan_eval" => plan_eval(request, budget, out),
        "reduced" => reduced(request, budget, out),
        "advise" => advise(request, budget, out),
        "play" => play(request, budget, out),
        "clairvoyant" => clairvoyant(request, budget, out),
        _ => Err(Error::new("unknown_query", format!("there is no query {query:?} about plans and players"))),
    }
}

fn write_out(reply: &impl Serialize, out: &mut Vec<u8>) -> Result<(), Error> {
    serde_json::to_writer(out, reply).map_err(|error| Error::new("not_written", error.to_string()))
}

fn full_game(stacks: i64) -> Result<Rules, Error> {
    Rules::calculation(small(stacks))
}

/// A count from a request; negative and huge ones become 0, which every rule refuses.
fn small(number: i64) -> usize {
    usize::try_from(number).unwrap_or(0)
}

fn rank(text: &str, place: impl Fn() -> String) -> Result<Rank, Error> {
    let mut chars = text.chars();
    match (chars.next().and_then(Rank::from_char), chars.next()) {
        (Some(rank), None) => Ok(rank),
        _ => {
            let message = format!("{text:?} is no rank");
            Err(Error::new("bad_rank", message).at_field(place()).hint("ranks are A23456789TJQK"))
        }
    }
}

fn heads(rules: &Rules, heads: &[Option<String>]) -> Result<Vec<usize>, Error> {
    let slot = |(f, head): (usize, &Option<String>)| match head {
        None => Ok(rules.ranks()),
        Some(text) => {
            let rank = rank(text, || format!("heads[{f}]"))?;
            Ok(if f < rules.foundations() { rules.slot_of(f, rank) } else { 0 })
        }
    };
    heads.iter().enumerate().map(slot).collect()
}

/// Too many piles are refused before their cards are read.
fn check_piles(rules: &Rules, piles: usize) -> Result<(), Error> {
    if piles > rules.stacks() {
        let message = format!("{piles} piles for {} stacks", rules.stacks());
        return Err(Error::new("too_many_piles", message).at_field("piles").hint("as many piles as stacks"));
    }
    Ok(())
}

fn cards(cards: &Cards, field: &str) -> Result<Vec<Rank>, Error> {
    match cards {
        Cards::Text(text) => {
            let shown = text.chars().filter(|c| !c.is_whitespace());
            shown
                .enumerate()
                .map(|(i, c)| rank(c.encode_utf8(&mut [0; 4]), || format!("{field}[{i}]")))
                .collect()
        }
        Cards::List(list) => {
            list.iter().enumerate().map(|(i, text)| rank(text, || format!("{field}[{i}]"))).collect()
        }
    }
}

fn deck(rules: &Rules, written: &Cards) -> Result<Deck, Error> {
    Deck::new(rules, &cards(written, "deck")?)
}

/// A label such as `Q-2`.
fn label(rules: &Rules, text: &str, place: &dyn Fn() -> String) -> Result<(Rank, Slot), Error> {
    let wrong = |code, message: String| {
        Error::new(code, message).at_field(place()).hint("\"Q-2\" is a queen for foundation 2")
    };
    let Some((card, foundation)) = text.split_once('-') else {
        return Err(wrong("bad_label", format!("{text:?} is no label")));
    };
    let rank = rank(card, place)?;
    let f = foundation.parse::<usize>().ok().filter(|&f| f < rules.foundations());
    let f = f.ok_or_else(|| {
        let message =
            format!("there is no foundation {foundation:?}: they are 0 to {}", rules.foundations() - 1);
        wrong("no_foundation", message)
    })?;
    Ok((rank, Slot::new(f, rules.slot_of(f, rank))))
}

/// Exact chances for one question: small states by recursion, large ones by building all that can come of them, within the budget.
struct Exact<'a, 'b> {
    memo: Memo,
    budget: &'a mut Budget<'b>,
    failed: Option<Error>,
}

/// States with at most so many cards are left to the recursion.
const SMALL: usize = 12;

impl Chances for Exact<'_, '_> {
    fn chance(&mut self, state: &TwoChains) -> f64 {
        let mut chance = [0.0];
        self.chances(std::slice::from_ref(state), &mut chance);
        chance[0]
    }

    fn chances(&mut self, states: &[TwoChains], out: &mut [f64]) {
        let mut large = Vec::new();
        for (i, state) in states.iter().enumerate() {
            out[i] = if state.is_dead() {
                0.0
            } else if state.cards() <= SMALL {
                self.memo.chance(state)
            } else {
                large.push((i, state.canonical()));
                f64::NAN
            };
        }
        let starts: Vec<TwoChains> = large.iter().map(|(_, state)| *state).collect();
        match build::chances(&starts, self.budget) {
            Ok(found) => large.iter().zip(found).for_each(|((i, _), chance)| out[*i] = chance),
            Err(error) => self.failed = Some(error),
        }
    }
}

/// Answers `plan_eval`.
///
/// # Errors
/// What is wrong with the request, or which limit it met.
fn plan_eval(request: &str, budget: &mut Budget<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let asked: PlanEvalRequest = request::parse(request)?;
    let rules = full_game(asked.stacks)?;
    check_piles(&rules, asked.piles.len())?;
    let heads = heads(&rules, &asked.heads)?;
    let mut piles = Vec::with_capacity(asked.piles.len());
    let mut slots = Vec::with_capacity(asked.piles.len());
    for (p, pile) in asked.piles.iter().enumerate() {
        let read =
            pile.iter().enumerate().map(|(c, text)| label(&rules, text, &|| format!("piles[{p}][{c}]")));
        let (ranks, labels): (Vec<Rank>, Vec<Slot>) =
            read.collect::<Result<Vec<_>, Error>>()?.into_iter().unzip();
        piles.push(ranks);
        slots.push(labels);
    }
    let labels = slots.clone();
    let refused = |(p, c, refusal): (usize, usize, Refusal)| {
        let (code, words) = match refusal {
            Refusal::Played => ("slot_played", "its slot is already played"),
            Refusal::Taken => ("slot_taken", "another card has the same slot"),
            Refusal::Cycle => ("cyclic_order", "a card below it must leave before it"),
        };
        let text = &asked.piles[p][c];
        Error::new(code, format!("{text}: {words}"))
            .at_field(format!("piles[{p}][{c}]"))
            .hint("every card needs a slot of its own that is still to be filled, above no card that leaves earlier")
    };
    // Labels are looked at first: they say more about what is wrong than the count of cards.
    let mut bare = Setup { heads: heads.clone(), piles: Vec::new(), drawn: None };
    let start = bare.validate(&rules).map_err(Fault::at_fields)?;
    let plan = Plan::from_labels(&start, &labels).map_err(refused)?;
    bare.piles = piles;
    bare.validate(&rules).map_err(Fault::at_fields)?;
    let mut exact = Exact { memo: Memo::without_table(rules.stacks()), budget, failed: None };
    let factors = Evaluator::new(&rules).factors(&plan, &mut exact);
    if let Some(error) = exact.failed {
        return Err(error);
    }
    write_out(&PlanEvalReply { single: factors.single, pair: factors.pair, value: factors.value }, out)
}

/// Answers `reduced`.
///
/// # Errors
/// What is wrong with the request, or which limit it met.
fn reduced(request: &str, budget: &mut Budget<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let asked: ReducedRequest = request::parse(request)?;
    let steps: Vec<usize> = asked.steps.iter().map(|&step| small(step)).collect();
    let rules = Rules::reduced(small(asked.ranks), &steps, small(asked.stacks))?;
    let best = reduced::optimum(&rules, budget)?;
    write_out(&ReducedReply { wins: best.wins, decks: best.decks, states: best.states }, out)
}

/// The smaller of the limits of the surface and of the request.
fn tightened(asked: Option<Limits>, budget: &Budget<'_>) -> Limits {
    let given = *budget.limits();
    let asked = asked.unwrap_or(given);
    Limits {
        cards: asked.cards.min(given.cards),
        nodes: asked.nodes.min(given.nodes),
        bytes: asked.bytes.min(given.bytes),
    }
}

/// The player with this name.
///
/// # Errors
/// `unknown_engine`, `bad_plans`.
fn player(
    rules: &Rules,
    engine: Option<&str>,
    usual: &'static str,
    plans: Option<i64>,
) -> Result<PlanPlayer<PairSource>, Error> {
    let name = engine.unwrap_or(usual);
    let mut options = PlanOptions::named(name).ok_or_else(|| {
        let message = format!("there is no player {name:?}");
        Error::new("unknown_engine", message).at_field("engine").hint(PlanOptions::NAMES.join(", "))
    })?;
    if let Some(plans) = plans {
        let count = usize::try_from(plans).ok().filter(|count| (1..=MOST_PLANS).contains(count));
        options.keeping.plans = count.ok_or_else(|| {
            let message = format!("{plans} plans: a player keeps 1 to {MOST_PLANS}");
            Error::new("bad_plans", message).at_field("plans").hint("for example 200")
        })?;
    }
    Ok(PlanPlayer::new(rules, options, PairSource::for_stacks(rules.stacks())).called(name))
}

/// Most plans that a request may ask for.
const MOST_PLANS: usize = 5000;

/// The work of a player so far: plans evaluated.
fn work(player: &PlanPlayer<PairSource>) -> u64 {
    player.counts().0
}

/// Answers `advise`.
///
/// # Errors
/// What is wrong with the request, or which limit it met.
fn advise(request: &str, budget: &mut Budget<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let asked: AdviseRequest = request::parse(request)?;
    let rules = full_game(asked.stacks)?;
    check_piles(&rules, asked.piles.len())?;
    let piles = asked.piles.iter().enumerate().map(|(p, pile)| cards(pile, &format!("piles[{p}]")));
    let setup = Setup {
        heads: heads(&rules, &asked.heads)?,
        piles: piles.collect::<Result<_, _>>()?,
        drawn: Some(rank(&asked.drawn, || "drawn".to_owned())?),
    };
    let position = setup.validate(&rules).map_err(Fault::at_fields)?;
    let mut player = player(&rules, asked.engine.as_deref(), "plans-look1", asked.plans)?;
    let limit = tightened(asked.budget, budget).nodes;
    let mut bounded = Bounded { player: &mut player, spent: 0, limit, budget, failed: None };
    let decision = bounded.decide(&position);
    if let Some(error) = bounded.failed {
        return Err(error);
    }
    write_out(&advice(&decision, &player), out)
}

/// The reply of `advise`.
fn advice(decision: &Decision, player: &dyn Player) -> AdviseReply {
    let option = |option: &crate::players::Judgement| AdvisedOption {
        moves: written(&option.moves),
        chance: option.chance,
    };
    AdviseReply {
        options: decision.options.iter().map(option).collect(),
        best: decision.best,
        engine: player.name().to_owned(),
        by: By {
            rule: "assignment plans".to_owned(),
            status: Status::Estimated,
            reference: None,
            nodes: None,
        },
    }
}

fn written(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

/// Answers `play`.
///
/// # Errors
/// What is wrong with the request, or which limit it met.
fn play(request: &str, budget: &mut Budget<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let asked: PlayRequest = request::parse(request)?;
    let rules = full_game(asked.stacks)?;
    let deck = deck(&rules, &asked.deck)?;
    let mut player = player(&rules, asked.engine.as_deref(), "plans-look0", asked.plans)?;
    let limit = tightened(asked.budget, budget).nodes;
    let mut bounded = Bounded { player: &mut player, spent: 0, limit, budget, failed: None };
    let record = play_deck(&rules, &deck, &mut bounded)?;
    if let Some(error) = bounded.failed {
        return Err(error);
    }
    write_out(&transcript(&record, player.name()), out)
}

/// The reply of `play`.
fn transcript(record: &GameRecord, engine: &str) -> PlayReply {
    let turn = |turn: &crate::players::TurnRecord| PlayedTurn {
        drawn: turn.drawn.to_string(),
        moves: written(&turn.moves),
        chance: turn.chance,
    };
    PlayReply {
        won: record.won,
        played: record.last.played(),
        transcript: record.turns.iter().map(turn).collect(),
        ending: written(&record.ending),
        engine: engine.to_owned(),
    }
}

/// A player that gives up when the work is spent: it then puts every card on the first stack, and the caller reports the limit.
struct Bounded<'a, 'b, 'c> {
    player: &'a mut PlanPlayer<PairSource>,
    spent: u64,
    limit: u64,
    budget: &'b mut Budget<'c>,
    failed: Option<Error>,
}

impl Player for Bounded<'_, '_, '_> {
    fn name(&self) -> &str {
        self.player.name()
    }

    fn begin(&mut self) {
        self.player.begin();
    }

    fn decide(&mut self, position: &Position) -> Decision {
        if self.failed.is_none() {
            let decision = self.player.decide(position);
            let spent = work(self.player);
            let step = spent - self.spent;
            self.spent = spent;
            let spend = self.budget.spend(step);
            match spend {
                Ok(()) if spent <= self.limit => return decision,
                Ok(()) => {
                    let message =
                        format!("the answer needs more than the limit of {} evaluations", self.limit);
                    self.failed = Some(Error::new("out_of_budget", message).hint("raise the node limit"));
                }
                Err(error) => self.failed = Some(error),
            }
        }
        let put = crate::players::Judgement { moves: vec![Move::Put(Stack(0))], chance: 0.0 };
        Decision { options: vec![put], best: 0 }
    }
}

/// Answers `clairvoyant`.
///
/// # Errors
/// What is wrong with the request.
fn clairvoyant(request: &str, budget: &mut Budget<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let asked: ClairvoyantRequest = request::parse(request)?;
    let rules = full_game(asked.stacks)?;
    let deck = deck(&rules, &asked.deck)?;
    let nodes = tightened(asked.budget, budget).nodes.min(MOST_TABLES);
    let mut within = Budget::new(Limits { nodes, ..Limits::default() });
    let answer = if rules.stacks() == 1 {
        // One stack is hardly ever enough: all lines are searched, for a proof.
        let mut played = ByFunction(|tables: &[Position], out: &mut [f32]| {
            tables.iter().zip(out).for_each(|(table, judged)| *judged = table.played() as f32);
        });
        clairvoyant::solve(&rules, &deck, &mut played, &[ALL_LINES], &mut within)
    } else {
        let mut guide = ByPlans::new(&rules, GUIDE_PLANS, PairSource::for_stacks(rules.stacks()));
        clairvoyant::solve(&rules, &deck, &mut guide, &WIDTHS, &mut within)
    };
    budget.spend(answer.nodes)?;
    let (winnable, line) = match &answer.winnable {
        Winnable::Yes(line) => (YesNo::Yes, Some(written(line))),
        Winnable::No => (YesNo::No, None),
        Winnable::Unknown => (YesNo::Unknown, None),
    };
    write_out(&ClairvoyantReply { winnable, line, nodes: answer.nodes }, out)
}

/// Plans that guide the clairvoyant search, for each table.
const GUIDE_PLANS: usize = 12;
/// A beam so wide that it cuts nothing within [`MOST_TABLES`].
const ALL_LINES: usize = 200_000;
/// Tables that one question may look at.
const MOST_TABLES: u64 = 2_000_000;

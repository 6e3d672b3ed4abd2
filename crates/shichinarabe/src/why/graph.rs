//! Why a graph or a deck is won. The reason always names race and keeper; what follows depends on the method. Where no
//! local check exists, a whole strategy is kept when it is small, and the checker walks it by the rules alone.

use super::suits::SuitsReason;
use crate::analysis::{GraphAnswer, Ground};
use crate::position::{Colour, Graph, Player, Suits};
use crate::rules::Turn;
use crate::search::arena::{Arena, Set};
use crate::search::turns::{State, Turns};
use crate::theory::race::{NO_LOCK, Race};
use crate::theory::rooted::Weights;
use kachi_core::Budget;
use rustc_hash::{FxHashMap, FxHashSet};

/// What the players are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// L and R.
    Suits,
    /// R and B.
    Graph,
}

impl Names {
    /// The name of a player.
    #[must_use]
    pub fn of(self, player: Player) -> char {
        match self {
            Names::Suits => player.letter(),
            Names::Graph => player.colour(),
        }
    }
}

/// One component or path alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartReason {
    /// Its vertices.
    pub vertices: Vec<u32>,
    /// Its value, positive for the first player.
    pub value: i64,
    /// Its price for the keeper; `None` when the race winner is free in it.
    pub price: Option<i64>,
}

/// The schedule of a rooted forest, in the keeper's sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForestReason {
    /// The value of the tree of every vertex, as (vertex, value).
    pub values: Vec<(u32, i64)>,
    /// The sum over the roots.
    pub total: i64,
    /// The cheapest exposed lock.
    pub exposed: Option<i64>,
    /// The hidden places in the order of opening: vertex, cost of opening it, cheapest lock behind it, due date.
    pub hidden: Vec<(u32, i64, i64, i64)>,
}

/// A strategy of the winner: what to do in every position that can come up.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Strategy {
    /// The winner's turn by situation: white vertices (increasing), rights and passes left.
    pub turns: FxHashMap<Situation, Turn>,
}

/// White vertices, rights, passes.
pub type Situation = (Vec<u32>, [u32; 2], [u32; 2]);

/// What kind of reason it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A hand is empty.
    Over,
    /// The race winner can play all his cards alone, in this order.
    Free(Vec<u32>),
    /// The graph is a list of suits.
    Suits(Vec<Vec<u32>>, SuitsReason),
    /// A rooted forest.
    Forest(ForestReason),
    /// Values by component.
    Parts(Vec<PartReason>),
    /// Search over turns; only the strategy speaks.
    Search,
}

/// Why a graph is won.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphReason {
    /// The race.
    pub race: Race,
    /// What kind of reason it is.
    pub kind: Kind,
    /// The value, positive for the first player, where it decides.
    pub value: Option<i64>,
    /// The keeper's price, where it decides.
    pub price: Option<i64>,
    /// The winner's strategy, when it is small enough to keep.
    pub strategy: Option<Strategy>,
    /// Who wins.
    pub winner: Player,
}

/// Strategies for more cards than this are not attempted.
const STRATEGY_CARDS: u64 = 26;

/// The reason behind an answer. `situations` bounds the strategy kept where nothing else can be checked.
#[must_use]
pub fn reason_of(
    graph: &Graph,
    answer: &GraphAnswer,
    situations: usize,
    budget: &mut Budget<'_>,
) -> GraphReason {
    let race = Race::new(graph.hands(), graph.setup().mover);
    let lock = |price: i64| (price != NO_LOCK).then_some(price);
    let (mut value, mut price) = (None, None);
    let kind = match &answer.ground {
        Ground::Over => Kind::Over,
        Ground::Suits(legs, suits_answer) => match suits_of(graph, legs) {
            Some(suits) => Kind::Suits(legs.clone(), SuitsReason::new(&suits, suits_answer)),
            None => Kind::Search,
        },
        Ground::Forest(forest, schedule) => {
            value = Some(race.keeper.sign() * schedule.total);
            price = lock(schedule.price);
            let weights = Weights::new(forest, race.keeper);
            let ids = |v: usize| forest.ids[v];
            let hidden = schedule.hidden.iter();
            Kind::Forest(ForestReason {
                values: (0..forest.len()).map(|v| (ids(v), i64::from(weights.a[v]))).collect(),
                total: schedule.total,
                exposed: schedule.exposed,
                hidden: hidden.map(|h| (ids(h.vertex as usize), h.cost, h.lock, h.due)).collect(),
            })
        }
        Ground::Paths(parts, _) => {
            let part = |p: &crate::search::pieces::PathPart| PartReason {
                vertices: p.vertices.clone(),
                value: p.value,
                price: p.prices[race.keeper.index()].map(i64::from),
            };
            let parts: Vec<PartReason> = parts.iter().map(part).collect();
            value = Some(parts.iter().map(|part| part.value).sum());
            price = parts.iter().filter_map(|part| part.price).min();
            Kind::Parts(parts)
        }
        Ground::Integers(verdict, _) if verdict.free => Kind::Free(free_order(graph, race.winner)),
        Ground::Integers(verdict, parts) => {
            value = verdict.value;
            price = verdict.price;
            let part = |(vertices, value, price): &(Vec<u32>, i64, i64)| PartReason {
                vertices: vertices.clone(),
                value: *value,
                price: lock(*price),
            };
            Kind::Parts(parts.iter().map(part).collect())
        }
        Ground::Pieces | Ground::Grove | Ground::Tunnel | Ground::Turns => Kind::Search,
    };
    let wanted = matches!(kind, Kind::Search | Kind::Parts(_)) && situations > 0;
    let strategy = if wanted { strategy_of(graph, answer.winner, situations, budget) } else { None };
    GraphReason { race, kind, value, price, strategy, winner: answer.winner }
}

pub(super) fn suits_of(graph: &Graph, legs: &[Vec<u32>]) -> Option<Suits> {
    let owner = |&v: &u32| match graph.setup().colours.get(v as usize)? {
        Colour::Held(player) => Some(*player),
        Colour::White => None,
    };
    let suits: Option<Vec<Vec<Player>>> = legs.iter().map(|leg| leg.iter().map(owner).collect()).collect();
    Suits::new(suits?, graph.setup().mover).ok()
}

/// The cards of a free player in an order in which he can play them alone.
fn free_order(graph: &Graph, player: Player) -> Vec<u32> {
    let mut order = Vec::new();
    if let Some(arena) = Arena::<u128>::new(graph) {
        let mut unplayed = arena.all();
        loop {
            let open = arena.open(unplayed, arena.own[player.index()]);
            if open.is_empty() {
                break;
            }
            order.extend(open.members().map(|v| arena.ids[v]));
            unplayed &= !open;
        }
    }
    order
}

fn strategy_of(
    graph: &Graph,
    winner: Player,
    situations: usize,
    budget: &mut Budget<'_>,
) -> Option<Strategy> {
    if graph.hands().iter().sum::<u64>() > STRATEGY_CARDS {
        return None;
    }
    let arena = Arena::<u64>::new(graph)?;
    let mut turns = Turns::new(&arena, graph.setup().variant);
    let start = turns.state(graph).ok()?;
    let white: Vec<u32> = (0..graph.setup().colours.len() as u32)
        .filter(|&v| graph.setup().colours[v as usize] == Colour::White)
        .collect();
    let situation = |state: &State<u64>| {
        let played = (arena.all() & !state.unplayed).members().map(|v| arena.ids[v]);
        let mut whites: Vec<u32> = white.iter().copied().chain(played).collect();
        whites.sort_unstable();
        (whites, state.rights, state.passes)
    };
    let mut strategy = Strategy::default();
    let mut seen: FxHashSet<State<u64>> = FxHashSet::default();
    let mut todo = vec![start];
    while let Some(state) = todo.pop() {
        if !seen.insert(state) {
            continue;
        }
        if seen.len() > situations * 4 || strategy.turns.len() > situations {
            return None;
        }
        if arena.hands(state.unplayed).contains(&0) {
            continue;
        }
        if state.mover == winner {
            let (turn, after) = turns.winning_turn(state, budget).ok()??;
            strategy.turns.insert(situation(&state), turn);
            todo.push(after);
        } else {
            let replies = turns.legal_turns(state, situations + 1);
            if replies.len() > situations {
                return None;
            }
            todo.extend(replies.into_iter().map(|(_, after)| after));
        }
    }
    Some(strategy)
}

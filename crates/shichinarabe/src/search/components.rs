//! Integer values for graphs without labels that are too large for one set of bits: every component alone, by the forest
//! rule or by search, and the price bracket over them (section 7 of the theory page).

use super::arena::{Arena, Set};
use super::integers::Integers;
use crate::position::{Colour, Graph, GraphSetup, Player};
use crate::theory::race::{NO_LOCK, Race};
use crate::theory::rooted;
use crate::theory::shape::Skeleton;
use kachi_core::{Budget, Error};

/// A decided graph of many components.
#[derive(Debug)]
pub struct Decided {
    /// Who wins.
    pub winner: Player,
    /// The plays that win.
    pub winning: Vec<u32>,
    /// The value, positive for the first player.
    pub value: i64,
    /// The least price of a component, where it decides.
    pub price: Option<i64>,
    /// Did the least price of several components decide?
    pub bracket: bool,
    /// Vertices, value and price of every component.
    pub parts: Vec<(Vec<u32>, i64, i64)>,
    /// Positions searched.
    pub nodes: u64,
    /// Set when some play could not be judged.
    pub unfinished: Option<Error>,
}

/// Value and price of a component, or of what is left of it after a play.
type Worth = (i64, i64);

/// One component with what it becomes after each play of the mover.
struct Component {
    vertices: Vec<u32>,
    worth: Worth,
    plays: Vec<(u32, Worth)>,
}

/// Decides a graph without labels, jokers and passes.
///
/// # Errors
/// `too_large` for a component that fits neither rule nor search, `out_of_budget` when the price bracket does not decide.
pub fn decide(graph: &Graph, budget: &mut Budget<'_>) -> Result<Decided, Error> {
    let mover = graph.setup().mover;
    let race = Race::new(graph.hands(), mover);
    let mut nodes = 0;
    let mut components = Vec::new();
    for (vertices, part) in split(graph) {
        components.push(weigh(vertices, &part, race.keeper, mover, &mut nodes, budget)?);
    }
    let value: i64 = components.iter().map(|component| component.worth.0).sum();
    let locked = components.iter().filter(|component| component.worth.1 != NO_LOCK).count();
    let mut prices: Vec<i64> = components.iter().map(|component| component.worth.1).collect();
    prices.sort_unstable();
    let least = prices.first().copied().unwrap_or(NO_LOCK);
    let judge = |race: &Race, value: i64, least: i64, locked: usize| {
        let winner = race.decide(value, least);
        let sure = winner == race.keeper || locked <= 1 || race.decide(value, 0) == race.winner;
        if sure { Ok(winner) } else { Err(undecided(value, least)) }
    };
    let winner = judge(&race, value, least, locked)?;
    let (mut winning, mut unfinished) = (Vec::new(), None);
    if winner == mover {
        let mut hands = race.hands;
        hands[mover.index()] -= 1;
        let after = Race::new(hands, mover.other());
        for component in &components {
            let others =
                if component.worth.1 == least { prices.get(1).copied().unwrap_or(NO_LOCK) } else { least };
            let others_locked = locked - usize::from(component.worth.1 != NO_LOCK);
            for &(v, worth) in &component.plays {
                let value = value - component.worth.0 + worth.0;
                let locked = others_locked + usize::from(worth.1 != NO_LOCK);
                match after.over().map_or_else(|| judge(&after, value, others.min(worth.1), locked), Ok) {
                    Ok(winner) if winner == mover => winning.push(v),
                    Ok(_) => {}
                    Err(error) => unfinished = Some(error),
                }
            }
        }
    }
    let price = (least != NO_LOCK).then_some(least);
    let bracket = winner == race.keeper && locked > 1;
    let parts = components.into_iter().map(|c| (c.vertices, c.worth.0, c.worth.1)).collect();
    Ok(Decided { winner, winning, value, price, bracket, parts, nodes, unfinished })
}

fn undecided(value: i64, least: i64) -> Error {
    let message = "the least price of a component does not decide, and all components together are too many cards to search";
    let known = serde_json::json!({"value": value, "price_at_most": least});
    Error::new("out_of_budget", message).known(known)
}

/// The coloured components, each as a graph below one white vertex, with the numbers of its vertices.
fn split(graph: &Graph) -> Vec<(Vec<u32>, Graph)> {
    let setup = graph.setup();
    let skeleton = Skeleton::new(graph);
    let n = skeleton.ids.len();
    let mut near = vec![Vec::new(); n];
    for v in 0..n as u32 {
        for &u in skeleton.opens(v) {
            near[v as usize].push(u);
            near[u as usize].push(v);
        }
    }
    let mut place = vec![u32::MAX; n];
    let mut parts = Vec::new();
    for start in 0..n as u32 {
        if place[start as usize] != u32::MAX {
            continue;
        }
        let mut members = vec![start];
        place[start as usize] = 1;
        let mut next = 0;
        while next < members.len() {
            for &u in &near[members[next] as usize] {
                if place[u as usize] == u32::MAX {
                    members.push(u);
                    place[u as usize] = members.len() as u32;
                }
            }
            next += 1;
        }
        let mut colours = vec![Colour::White];
        let mut edges = Vec::new();
        for &v in &members {
            let here = place[v as usize];
            colours.push(Colour::Held(skeleton.owners[v as usize]));
            if skeleton.access[v as usize] {
                edges.push((0, here));
            }
            let opens = skeleton.opens(v).iter().map(|&u| place[u as usize]);
            edges.extend(opens.filter(|&u| setup.directed || here < u).map(|u| (here, u)));
        }
        let mut part = GraphSetup::plain(colours, edges, setup.mover);
        part.directed = setup.directed;
        let ids = members.iter().map(|&v| skeleton.ids[v as usize]).collect();
        parts.extend(Graph::new(part).ok().map(|part| (ids, part)));
    }
    parts
}

fn weigh(
    vertices: Vec<u32>,
    part: &Graph,
    keeper: Player,
    mover: Player,
    nodes: &mut u64,
    budget: &mut Budget<'_>,
) -> Result<Component, Error> {
    let cards = vertices.len();
    if cards <= u64::ROOM
        && let Some(arena) = Arena::<u64>::new(part)
    {
        return weigh_by_search(vertices, &arena, keeper, mover, nodes, budget);
    }
    if let Some(forest) = Skeleton::new(part).forest() {
        return weigh_forest(vertices, part, &rooted::worth(&forest, keeper), keeper, mover, budget);
    }
    let arena = Arena::<u128>::new(part)
        .ok_or_else(|| Error::too_large("cards of a component that needs search", cards, u128::ROOM))?;
    weigh_by_search(vertices, &arena, keeper, mover, nodes, budget)
}

fn weigh_by_search<S: Set>(
    vertices: Vec<u32>,
    arena: &Arena<S>,
    keeper: Player,
    mover: Player,
    nodes: &mut u64,
    budget: &mut Budget<'_>,
) -> Result<Component, Error> {
    let mut integers = Integers::new(arena);
    let mut worth = |left: S, budget: &mut Budget<'_>| -> Result<Worth, Error> {
        let value = integers.value(left, budget)?;
        if arena.is_free(keeper.other(), left) {
            return Ok((value, NO_LOCK));
        }
        Ok((value, keeper.sign() * value - integers.locked_value(left, keeper, budget)?))
    };
    let whole = worth(arena.all(), budget)?;
    let mut plays = Vec::new();
    for v in arena.open(arena.all(), arena.own[mover.index()]).members() {
        plays.push((vertices[arena.ids[v] as usize - 1], worth(arena.all().without(v), budget)?));
    }
    *nodes += integers.nodes;
    Ok(Component { vertices, worth: whole, plays })
}

/// A tree too large for search: its only play is its root, and what is left is a forest again.
fn weigh_forest(
    vertices: Vec<u32>,
    part: &Graph,
    worth: &Worth,
    keeper: Player,
    mover: Player,
    budget: &mut Budget<'_>,
) -> Result<Component, Error> {
    let skeleton = Skeleton::new(part);
    let mut plays = Vec::new();
    for v in (0..skeleton.ids.len()).filter(|&v| skeleton.access[v] && skeleton.owners[v] == mover) {
        budget.spend(vertices.len() as u64)?;
        let id = skeleton.ids[v];
        let mut setup = part.clone().into_setup();
        setup.colours[id as usize] = Colour::White;
        if let Ok(left) = Graph::new(setup)
            && let Some(forest) = Skeleton::new(&left).forest()
        {
            plays.push((vertices[id as usize - 1], rooted::worth(&forest, keeper)));
        }
    }
    Ok(Component { vertices, worth: *worth, plays })
}

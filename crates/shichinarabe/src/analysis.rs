//! The dispatcher: picks the strongest method that applies and says what the answer rests on.
//!
//! | position | method | status |
//! |---|---|---|
//! | suits; graphs that are suits | recursion over suffixes | proved |
//! | rooted forests | one-machine schedule | checked |
//! | paths open at both ends | interval tables | checked |
//! | other graphs, additions | integer values by search | proved |
//! | jokers on suits and paths | now or never, search for two holders | checked |
//! | one joker on a rooted forest | tables and pruned waiting | checked |
//! | tunnel deals | table of states | searched |
//! | everything else | search over turns | searched |

use crate::position::{Card, Deck, Graph, Player, Suits, Variant};
use crate::rules::{Action, Turn};
use crate::search::arena::{Arena, Set};
use crate::search::components;
use crate::search::grove::Grove;
use crate::search::integers::{Integers, Verdict};
use crate::search::pieces::{PathPart, Pieces};
use crate::search::tunnel::Tunnel;
use crate::search::turns::Turns;
use crate::theory::paths::Ends;
use crate::theory::race::Race;
use crate::theory::rooted::{self, Forest, NONE, Schedule};
use crate::theory::shape::Skeleton;
use crate::theory::suits::{Front, Totals, winning_suits};
use crate::theory::table;
use kachi_core::surface::{By, Status};
use kachi_core::{Budget, Error};

/// The answer about a suit game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuitsAnswer {
    /// Who wins.
    pub winner: Player,
    /// The suits that win when played now.
    pub winning: Vec<usize>,
    /// The sums.
    pub totals: Totals,
    /// What each suit is worth.
    pub fronts: Vec<Front>,
}

/// Decides a suit game and finds all winning moves, reading every suit once.
///
/// ```
/// use shichinarabe::{analysis::analyse_suits, notation::read_suits};
/// let answer = analyse_suits(&read_suits("LRLR,LRLR:L").unwrap());
/// assert_eq!((answer.winner.letter(), answer.winning), ('L', vec![0, 1]));
/// ```
#[must_use]
pub fn analyse_suits(position: &Suits) -> SuitsAnswer {
    let mut totals = Totals::NONE;
    let mut fronts = Vec::with_capacity(position.suits().len());
    for suit in position.suits() {
        let (hands, front) = table::scan(suit);
        totals.hands[0] += hands[0];
        totals.hands[1] += hands[1];
        totals.add(front.worth);
        fronts.push(front);
    }
    let mut winning = Vec::new();
    let winner = winning_suits(totals, position.mover(), fronts.iter().copied(), |i| winning.push(i));
    SuitsAnswer { winner, winning, totals, fronts }
}

/// What the answer about a graph rests on, with the numbers behind it.
#[derive(Debug, Clone)]
pub enum Ground {
    /// A hand is empty.
    Over,
    /// Suits: the vertices of each and the answer.
    Suits(Vec<Vec<u32>>, SuitsAnswer),
    /// A rooted forest.
    Forest(Box<Forest>, Schedule),
    /// Paths, some open at both ends, without jokers: value and price of each.
    Paths(Vec<PathPart>, Race),
    /// Integer values: the verdict and the components (vertices, value, price).
    Integers(Verdict, Vec<(Vec<u32>, i64, i64)>),
    /// Jokers on paths.
    Pieces,
    /// One joker on a rooted forest.
    Grove,
    /// The tunnel table.
    Tunnel,
    /// Search over turns.
    Turns,
}

/// The answer about a graph or a deck.
#[derive(Debug, Clone)]
pub struct GraphAnswer {
    /// Who wins.
    pub winner: Player,
    /// The winning turns in the order of answers; incomplete when `unfinished` is set.
    pub winning: Vec<Turn>,
    /// The limit that was met while winning turns were listed.
    pub unfinished: Option<Error>,
    /// What it rests on.
    pub by: By,
    /// The numbers behind it.
    pub ground: Ground,
}

pub(crate) fn proved(rule: &str, theorem: &str, nodes: Option<u64>) -> By {
    By {
        rule: rule.into(),
        status: Status::Proved,
        reference: Some(format!("shichinarabe/{theorem}")),
        nodes,
    }
}

fn checked(rule: &str, claim: &str, nodes: Option<u64>) -> By {
    By { rule: rule.into(), status: Status::Checked, reference: Some(claim.into()), nodes }
}

fn searched(nodes: u64) -> By {
    By { rule: "search".into(), status: Status::Searched, reference: None, nodes: Some(nodes) }
}

/// The rule that decides suits.
pub(crate) fn suits_rule() -> By {
    proved("suit recursion: value and price per suit", "Decide.decide_correct", None)
}

/// The rule of integer values. The theorem is proved; that the least price of a component bounds the price of all is checked.
fn integer_rule(bracket: bool, nodes: u64) -> By {
    if bracket {
        checked(
            "integer values by search, least price of a component",
            "price-at-most-least-part",
            Some(nodes),
        )
    } else {
        proved("integer values by search", "Graph.graph_decide_correct", Some(nodes))
    }
}

/// Positions of at most this many cards are searched even where a checked rule exists: it costs nothing.
const SMALL: u64 = 12;

/// Decides a graph and finds its winning turns.
///
/// # Errors
/// `out_of_budget` with what is known, `too_large`.
pub fn analyse_graph(graph: &Graph, budget: &mut Budget<'_>) -> Result<GraphAnswer, Error> {
    dispatch(graph, budget).map_err(|error| {
        let race = Race::new(graph.hands(), graph.setup().mover);
        let known = serde_json::json!({
            "hands": race.hands,
            "race": race.winner.colour(),
            "keeper": race.keeper.colour(),
            "nodes": budget.spent(),
        });
        if error.known.is_none() { error.known(known) } else { error }
    })
}

fn dispatch(graph: &Graph, budget: &mut Budget<'_>) -> Result<GraphAnswer, Error> {
    let setup = graph.setup();
    let hands = graph.hands();
    let race = Race::new(hands, setup.mover);
    if let Some(winner) = race.over() {
        let by = proved("a player without cards has won", "Game.game_eq", None);
        return Ok(finished(winner, Vec::new(), by, Ground::Over));
    }
    let default = setup.variant == Variant::default();
    let plain = setup.add.is_empty() && setup.delete.is_empty();
    let level = setup.passes[0] == setup.passes[1];
    let cards = hands[0] + hands[1];
    if !default || !setup.delete.is_empty() || !level {
        return by_turns(graph, budget);
    }
    let mut answer = if setup.rights == [0; 2] {
        if plain { without_jokers(graph, budget)? } else { by_integers(graph, budget)? }
    } else if plain && cards > SMALL {
        with_jokers(graph, budget)?
    } else {
        return by_turns(graph, budget);
    };
    if setup.passes[0] > 0 && answer.unfinished.is_none() {
        // The rule ignores equal passes; whether passing now wins needs its own look.
        answer.unfinished = add_passes(graph, &mut answer.winning, budget).err();
    }
    Ok(answer)
}

fn finished(winner: Player, winning: Vec<Turn>, by: By, ground: Ground) -> GraphAnswer {
    GraphAnswer { winner, winning, unfinished: None, by, ground }
}

fn plays(vertices: impl IntoIterator<Item = u32>) -> Vec<Turn> {
    let mut turns: Vec<Turn> = vertices.into_iter().map(|v| Turn::plain(Action::Play(v))).collect();
    turns.sort_unstable();
    turns
}

fn without_jokers(graph: &Graph, budget: &mut Budget<'_>) -> Result<GraphAnswer, Error> {
    let mover = graph.setup().mover;
    let skeleton = Skeleton::new(graph);
    if let Some(forest) = skeleton.forest() {
        if let Some((legs, suits)) = chains(&forest, mover) {
            let answer = analyse_suits(&suits);
            let winning = plays(answer.winning.iter().map(|&suit| legs[suit][0]));
            return Ok(finished(answer.winner, winning, suits_rule(), Ground::Suits(legs, answer)));
        }
        let decided = rooted::decide(&forest, mover);
        let by = checked("rooted forest: value and schedule of hidden locks", "rooted-forest-rule", None);
        let winning = plays(decided.winning);
        let winner = decided.schedule.winner;
        return Ok(finished(winner, winning, by, Ground::Forest(Box::new(forest), decided.schedule)));
    }
    if let Some(paths) = skeleton.paths() {
        return by_paths(graph, paths, budget);
    }
    by_integers(graph, budget)
}

/// The suits of a forest that is nothing but chains, with the vertices of each.
fn chains(forest: &Forest, mover: Player) -> Option<(Vec<Vec<u32>>, Suits)> {
    if forest.unreachable != [0; 2] {
        return None;
    }
    let (mut legs, mut suits): (Vec<Vec<u32>>, Vec<Vec<Player>>) = (Vec::new(), Vec::new());
    for v in 0..forest.len() {
        // In preorder a chain is a run in which every vertex hangs from the one before.
        if forest.parent[v] == NONE {
            legs.push(Vec::new());
            suits.push(Vec::new());
        } else if forest.parent[v] as usize + 1 != v {
            return None;
        }
        legs.last_mut()?.push(forest.ids[v]);
        suits.last_mut()?.push(forest.owner[v]);
    }
    Some((legs, Suits::new(suits, mover).ok()?))
}

fn pieces(graph: &Graph, paths: Vec<(Vec<u32>, Ends)>, budget: &mut Budget<'_>) -> Result<Pieces, Error> {
    let owner = |v: &u32| match graph.setup().colours[*v as usize] {
        crate::position::Colour::Held(player) => player,
        crate::position::Colour::White => Player::First,
    };
    let with_owners = |(ids, ends): (Vec<u32>, Ends)| {
        let owners = ids.iter().map(owner).collect();
        (ids, owners, ends)
    };
    let jokers = graph.setup().rights != [0; 2];
    Pieces::new(paths.into_iter().map(with_owners).collect(), jokers, budget)
}

fn by_paths(
    graph: &Graph,
    paths: Vec<(Vec<u32>, Ends)>,
    budget: &mut Budget<'_>,
) -> Result<GraphAnswer, Error> {
    let setup = graph.setup();
    let mut pieces = pieces(graph, paths, budget)?;
    let winner = pieces.decide(setup.mover, [0; 2], budget)?;
    let mut winning = Vec::new();
    pieces.winning_turns(setup.mover, [0; 2], budget, &mut |turn| winning.push(turn))?;
    winning.sort_unstable();
    let by = checked("paths open at both ends: interval tables, least price", "paths-minimum-rule", None);
    let parts = pieces.parts();
    Ok(finished(winner, winning, by, Ground::Paths(parts, Race::new(graph.hands(), setup.mover))))
}

/// More rights than this are left to the search over turns: sets of targets would be too many.
const FEW_RIGHTS: u32 = 16;
/// Paths of more cards than this are not tried with a joker: every target costs a pass over all pieces.
const ONE_HOLDER: u64 = 20_000;
/// Paths of more cards than this are not searched with two holders: plays would be too long.
const TWO_HOLDERS: u64 = 400;

fn with_jokers(graph: &Graph, budget: &mut Budget<'_>) -> Result<GraphAnswer, Error> {
    let setup = graph.setup();
    let skeleton = Skeleton::new(graph);
    let most = if setup.rights.contains(&0) { ONE_HOLDER } else { TWO_HOLDERS };
    let few = setup.rights.iter().all(|&rights| rights <= FEW_RIGHTS) && cards(graph) <= most;
    if let (true, Some(paths)) = (few, skeleton.paths()) {
        let mut pieces = pieces(graph, paths, budget)?;
        let winner = pieces.decide(setup.mover, setup.rights, budget)?;
        let mut winning = Vec::new();
        let listed = pieces.winning_turns(setup.mover, setup.rights, budget, &mut |turn| winning.push(turn));
        winning.sort_unstable();
        let by = checked("jokers on paths: now or never", "now-or-never-spiders", Some(pieces.nodes));
        return Ok(GraphAnswer { winner, winning, unfinished: listed.err(), by, ground: Ground::Pieces });
    }
    let holder = match setup.rights {
        [1, 0] => Some(Player::First),
        [0, 1] => Some(Player::Second),
        _ => None,
    };
    if let (Some(holder), Some(forest)) = (holder, skeleton.forest())
        && forest.unreachable == [0; 2]
    {
        return by_grove(graph, &forest, holder, budget);
    }
    by_turns(graph, budget)
}

fn by_grove(
    graph: &Graph,
    forest: &Forest,
    holder: Player,
    budget: &mut Budget<'_>,
) -> Result<GraphAnswer, Error> {
    let mover = graph.setup().mover;
    let mut grove = Grove::new(forest, holder, budget)?;
    let start = grove.start();
    let wins = if mover == holder {
        grove.holder_to_move(&start, budget)?
    } else {
        grove.other_to_move(&start, budget)?
    };
    let winner = if wins { holder } else { holder.other() };
    let mut winning = Vec::new();
    let listed = list_grove_turns(graph, forest, &mut grove, winner, &mut winning, budget);
    winning.sort_unstable();
    let by = checked(
        "one joker on a rooted forest: now test and pruned waiting",
        "grove-one-right",
        Some(grove.nodes),
    );
    Ok(GraphAnswer { winner, winning, unfinished: listed.err(), by, ground: Ground::Grove })
}

fn list_grove_turns(
    graph: &Graph,
    forest: &Forest,
    grove: &mut Grove,
    winner: Player,
    winning: &mut Vec<Turn>,
    budget: &mut Budget<'_>,
) -> Result<(), Error> {
    let setup = graph.setup();
    if winner != setup.mover {
        return Ok(());
    }
    for root in (0..forest.len()).filter(|&v| forest.parent[v] == NONE && forest.owner[v] == setup.mover) {
        if grove.winner_after(root as u32, budget)? == setup.mover {
            winning.push(Turn::plain(Action::Play(forest.ids[root])));
        }
    }
    if setup.rights[setup.mover.index()] == 0 {
        return Ok(());
    }
    let arena = Arena::<u128>::new(graph)
        .ok_or_else(|| Error::new("out_of_budget", "turns with jokers are listed up to 128 cards"))?;
    let mut integers = Integers::new(&arena);
    let theirs = arena.own[setup.mover.other().index()];
    if theirs.len() < 2 {
        return Ok(());
    }
    for target in theirs.members() {
        let left = arena.all().without(target);
        // If the joker does not win now, no play after it does.
        if integers.decide(left, setup.mover, budget)?.winner != setup.mover {
            continue;
        }
        for v in arena.open(left, arena.own[setup.mover.index()]).members() {
            if integers.decide(left.without(v), setup.mover.other(), budget)?.winner == setup.mover {
                winning.push(Turn { joker: vec![arena.ids[target]], action: Action::Play(arena.ids[v]) });
            }
        }
    }
    Ok(())
}

/// Chooses the smallest set of bits that holds the graph.
macro_rules! in_arena {
    ($graph:expr, $cards:expr, $arena:ident => $work:expr) => {{
        if $cards <= u64::ROOM as u64 {
            let $arena = Arena::<u64>::new($graph).ok_or_else(no_room)?;
            $work
        } else {
            let $arena = Arena::<u128>::new($graph).ok_or_else(no_room)?;
            $work
        }
    }};
}

fn no_room() -> Error {
    Error::too_large("cards of a position that needs search", "more than 128", 128)
        .hint("trees, suits and paths without jokers may be larger")
}

fn cards(graph: &Graph) -> u64 {
    graph.hands().iter().sum()
}

fn by_integers(graph: &Graph, budget: &mut Budget<'_>) -> Result<GraphAnswer, Error> {
    let plain = graph.setup().add.is_empty() && graph.setup().delete.is_empty();
    if plain && cards(graph) > u128::ROOM as u64 {
        return by_components(graph, budget);
    }
    in_arena!(graph, cards(graph), arena => by_integers_in(graph, &arena, budget))
}

fn by_integers_in<S: Set>(
    graph: &Graph,
    arena: &Arena<S>,
    budget: &mut Budget<'_>,
) -> Result<GraphAnswer, Error> {
    let mover = graph.setup().mover;
    let mut integers = Integers::new(arena);
    let verdict = integers.decide(arena.all(), mover, budget).map_err(|error| {
        let race = Race::new(graph.hands(), mover);
        let (value, price) = integers.known(arena.all(), race.keeper);
        error.known(serde_json::json!({
            "hands": race.hands,
            "race": race.winner.colour(),
            "keeper": race.keeper.colour(),
            "value": value,
            "price_at_most": price,
            "nodes": integers.nodes,
        }))
    })?;
    let mut winning = Vec::new();
    let mut unfinished = None;
    if verdict.winner == mover {
        for v in arena.open(arena.all(), arena.own[mover.index()]).members() {
            match integers.decide(arena.all().without(v), mover.other(), budget) {
                Ok(after) if after.winner == mover => {
                    winning.push(Turn::plain(Action::Play(arena.ids[v])));
                }
                Ok(_) => {}
                Err(error) => {
                    unfinished = Some(error);
                    break;
                }
            }
        }
    }
    let mut parts = Vec::new();
    if arena.is_plain() && unfinished.is_none() && verdict.value.is_some() {
        for part in integers.parts(arena.all(), verdict.race.keeper, budget).unwrap_or_default() {
            let vertices = part.vertices.members().map(|v| arena.ids[v]).collect();
            parts.push((vertices, part.value, part.price));
        }
    }
    let by = integer_rule(verdict.bracket, integers.nodes);
    let ground = Ground::Integers(verdict.clone(), parts);
    Ok(GraphAnswer { winner: verdict.winner, winning, unfinished, by, ground })
}

/// More cards than one search can hold: component by component.
fn by_components(graph: &Graph, budget: &mut Budget<'_>) -> Result<GraphAnswer, Error> {
    let decided = components::decide(graph, budget)?;
    let by = integer_rule(decided.bracket, decided.nodes);
    let verdict = Verdict {
        race: Race::new(graph.hands(), graph.setup().mover),
        winner: decided.winner,
        value: Some(decided.value),
        price: decided.price,
        free: false,
        joint: false,
        bracket: decided.bracket,
    };
    Ok(GraphAnswer {
        winner: decided.winner,
        winning: plays(decided.winning),
        unfinished: decided.unfinished,
        by,
        ground: Ground::Integers(verdict, decided.parts),
    })
}

fn by_turns(graph: &Graph, budget: &mut Budget<'_>) -> Result<GraphAnswer, Error> {
    in_arena!(graph, cards(graph), arena => by_turns_in(graph, &arena, budget))
}

fn by_turns_in<S: Set>(
    graph: &Graph,
    arena: &Arena<S>,
    budget: &mut Budget<'_>,
) -> Result<GraphAnswer, Error> {
    let setup = graph.setup();
    let mut turns = Turns::new(arena, setup.variant);
    let state = turns.state(graph)?;
    let winner = turns.winner(state, budget)?;
    let mut winning = Vec::new();
    let mut unfinished = None;
    if winner == setup.mover {
        unfinished = turns.winning_turns(state, budget, &mut |turn| winning.push(turn)).err();
    }
    winning.sort_unstable();
    let by = searched(turns.all_nodes());
    Ok(GraphAnswer { winner, winning, unfinished, by, ground: Ground::Turns })
}

/// Adds the winning turns that end with a pass.
fn add_passes(graph: &Graph, winning: &mut Vec<Turn>, budget: &mut Budget<'_>) -> Result<(), Error> {
    in_arena!(graph, cards(graph), arena => {
        let mut turns = Turns::new(&arena, graph.setup().variant);
        let state = turns.state(graph)?;
        turns.winning_passes(state, budget, &mut |turn| winning.push(turn))?;
        winning.sort_unstable();
        Ok(())
    })
}

/// Decides a position of the real deck; moves are cards, numbered as in [`Card::vertex`].
///
/// # Errors
/// `out_of_budget` with what is known.
pub fn analyse_deck(deck: &Deck, budget: &mut Budget<'_>) -> Result<GraphAnswer, Error> {
    if let Some(suits) = deck.suits() {
        let answer = analyse_suits(&suits);
        let fronts = deck.fronts();
        let winning = plays(answer.winning.iter().filter_map(|&suit| fronts[suit].map(Card::vertex)));
        let legs = (0..8).map(|leg| deck.leg(leg)).collect();
        return Ok(finished(answer.winner, winning, suits_rule(), Ground::Suits(legs, answer)));
    }
    if let Some(mut tunnel) = Tunnel::new(deck, budget)? {
        let (winner, cards) = tunnel.decide(deck.mover(), budget)?;
        let winning = plays(cards.into_iter().map(Card::vertex));
        return Ok(finished(winner, winning, searched(tunnel.nodes), Ground::Tunnel));
    }
    analyse_graph(&deck.graph(), budget)
}

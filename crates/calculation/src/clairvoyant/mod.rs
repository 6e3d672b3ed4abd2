//! The deck face up: can this deal be won, and how? A beam over the draws keeps the most promising tables; widths grow until a line is found, the work is
//! spent, or a beam that cut nothing has failed, which proves the deal lost. Every line is replayed by the rules.
//!
//! What matters is the order in which tables are kept, so that is a [`Guide`]: plans, a net, or any function of the tables.

pub mod guide;

pub use guide::{ByFunction, ByNet, ByPlans, ByPlayed, Guide};

use crate::dead::{self, Verdict as Life};
use crate::deal::Deck;
use crate::position::{Key, Position};
use crate::rules::{Move, Rules};
use crate::turn::{Turn, unload};
use kachi_core::{Budget, Error};
use rustc_hash::FxHashSet;

/// What is known about a deal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Winnable {
    /// Won by this line: every draw, placement and free move. Replayed by the rules.
    Yes(Vec<Move>),
    /// Lost whatever is played: all lines were searched.
    No,
    /// The work did not suffice.
    Unknown,
}

/// The answer about a deal, and what it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Can it be won?
    pub winnable: Winnable,
    /// Tables looked at.
    pub nodes: u64,
    /// The width of the last beam.
    pub width: usize,
}

/// The widths that are tried in turn.
pub const WIDTHS: [usize; 3] = [10, 100, 1000];
/// A beam so wide that with one stack it hardly ever has to cut; where it did not, a deal that it does not solve is proved lost.
pub const ALL_LINES: usize = 200_000;

/// Solves a deal with the deck known.
///
/// ```
/// use calculation::clairvoyant::{ByPlayed, Winnable, solve};
/// use calculation::{deal::Deck, rules::Rules};
/// let rules = Rules::reduced(5, &[1, 2], 2).unwrap();
/// let deck = Deck::read(&rules, "5432A A2345").unwrap();
/// let answer = solve(&rules, &deck, &mut ByPlayed, &[10, 1000], &mut kachi_core::Budget::default());
/// assert!(matches!(answer.winnable, Winnable::Yes(_)));
/// ```
pub fn solve<G: Guide>(
    rules: &Rules,
    deck: &Deck,
    guide: &mut G,
    widths: &[usize],
    budget: &mut Budget<'_>,
) -> Answer {
    let mut answer = Answer { winnable: Winnable::Unknown, nodes: 0, width: 0 };
    for &width in widths {
        answer.width = width;
        match beam(rules, deck, guide, width, budget, &mut answer.nodes) {
            Err(_) => break,
            Ok(Found::Line(line)) if is_win(rules, deck, &line) => {
                answer.winnable = Winnable::Yes(line);
                break;
            }
            Ok(Found::Line(_)) => break,
            Ok(Found::Nothing { cut: false }) => {
                answer.winnable = Winnable::No;
                break;
            }
            Ok(Found::Nothing { cut: true }) => {}
        }
    }
    answer
}

/// Does the line deal this deck, keep the rules and win?
pub fn is_win(rules: &Rules, deck: &Deck, line: &[Move]) -> bool {
    let mut position = Position::start(rules);
    let mut cards = deck.cards().iter();
    for &mv in line {
        if let Move::Draw(rank) = mv
            && cards.next() != Some(&rank)
        {
            return false;
        }
        match rules.play(&position, mv) {
            Ok(after) => position = after,
            Err(_) => return false,
        }
    }
    rules.is_won(&position)
}

enum Found {
    Line(Vec<Move>),
    Nothing {
        /// Were tables dropped that were not proved dead?
        cut: bool,
    },
}

/// Where a kept table came from: the table before it, and which way to finish the turn.
#[derive(Clone, Copy)]
struct Origin {
    parent: u32,
    way: u8,
}

fn beam<G: Guide>(
    rules: &Rules,
    deck: &Deck,
    guide: &mut G,
    width: usize,
    budget: &mut Budget<'_>,
    nodes: &mut u64,
) -> Result<Found, Error> {
    let start = Position::start(rules);
    let mut tables = vec![(start, guide.begin(&start))];
    let mut origins: Vec<Vec<Origin>> = Vec::with_capacity(deck.cards().len());
    let mut cut = false;
    for &card in deck.cards() {
        let mut next: Vec<Position> = Vec::new();
        let mut memories: Vec<G::Memory> = Vec::new();
        let mut from: Vec<Origin> = Vec::new();
        let mut seen: FxHashSet<Key> = FxHashSet::default();
        for (parent, (table, memory)) in tables.iter().enumerate() {
            let drawn = rules.play_unchecked(table, Move::Draw(card));
            let turn = Turn::new(rules, &drawn);
            budget.spend(turn.len() as u64)?;
            *nodes += turn.len() as u64;
            cut |= turn.is_cut();
            let mut ways: Vec<(Position, Option<G::Memory>)> = Vec::with_capacity(turn.len());
            for way in 0..turn.len() {
                let (before, mv) = turn.step(way);
                let position = rules.play_unchecked(before.map_or(&drawn, |way| &ways[way].0), mv);
                let fresh = seen.insert(position.key(rules));
                // A way that is known or dead carries nothing; one that continues it asks for what it needs.
                let wanted = fresh && dead::judge(rules, &position, dead::STEPS) != Life::Dead;
                ways.push((position, None));
                if wanted {
                    let memory = remember(guide, &turn, &drawn, memory, &mut ways, way);
                    next.push(position);
                    memories.push(memory);
                    from.push(Origin { parent: parent as u32, way: way as u8 });
                }
            }
        }
        let mut scores = vec![0.0; next.len()];
        guide.judge(&next, &memories, &mut scores);
        let mut order: Vec<usize> = (0..next.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
        cut |= order.len() > width;
        order.truncate(width);
        origins.push(order.iter().map(|&i| from[i]).collect());
        let mut memories: Vec<Option<G::Memory>> = memories.into_iter().map(Some).collect();
        tables = order.iter().filter_map(|&i| memories[i].take().map(|memory| (next[i], memory))).collect();
        if tables.is_empty() {
            return Ok(Found::Nothing { cut });
        }
    }
    for (i, (table, _)) in tables.iter().enumerate() {
        if let Some(ending) = unload(rules, table) {
            return Ok(Found::Line(line(rules, deck, &origins, i, ending)));
        }
    }
    Ok(Found::Nothing { cut })
}

/// What the guide carries after one way to finish a turn, worked out along its moves.
fn remember<G: Guide>(
    guide: &mut G,
    turn: &Turn,
    drawn: &Position,
    memory: &G::Memory,
    ways: &mut [(Position, Option<G::Memory>)],
    way: usize,
) -> G::Memory {
    if let Some(known) = &ways[way].1 {
        return known.clone();
    }
    // At most as deep as the free moves of one turn.
    let after = match turn.step(way) {
        (None, mv) => guide.follow(drawn, memory, mv),
        (Some(before), mv) => {
            let earlier = remember(guide, turn, drawn, memory, ways, before);
            guide.follow(&ways[before].0, &earlier, mv)
        }
    };
    ways[way].1 = Some(after.clone());
    after
}

/// The whole line that leads to table `last` of the last level.
fn line(rules: &Rules, deck: &Deck, origins: &[Vec<Origin>], last: usize, ending: Vec<Move>) -> Vec<Move> {
    let mut ways = Vec::with_capacity(origins.len());
    let mut at = last;
    for level in origins.iter().rev() {
        ways.push(level[at].way);
        at = level[at].parent as usize;
    }
    let mut position = Position::start(rules);
    let mut line = Vec::new();
    for (&card, &way) in deck.cards().iter().zip(ways.iter().rev()) {
        line.push(Move::Draw(card));
        position = rules.play_unchecked(&position, Move::Draw(card));
        let route = Turn::new(rules, &position).route(usize::from(way));
        for mv in route {
            line.push(mv);
            position = rules.play_unchecked(&position, mv);
        }
    }
    line.extend(ending);
    line
}

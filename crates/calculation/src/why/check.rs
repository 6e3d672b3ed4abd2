//! The checker of a [`PlanReason`]. It knows the rules and the definition of the stack game, and nothing of plans, two-chain words or tables: the order of the
//! slots is closed by brute force, and the factors with few unseen cards are computed by trying every draw and every stack.
//!
//! A factor with more cards than [`SMALL`] is not recomputed; it is held to what must be true of it: a chance, no larger than that of either of its
//! parts, and 0 exactly when a card has no stack left.

use crate::position::{Position, Rank};
use crate::rules::Rules;
use crate::why::factors::{PlanReason, pairs, product};
use kachi_core::why::{Flaw, Why};
use std::collections::HashMap;

/// Factors with at most this many cards are recomputed.
pub const SMALL: usize = 8;

/// Relative difference that rounding may make: tables keep chances in sixteen bits, within 0.04 %.
const TOLERANCE: f64 = 5e-4;

/// What the checker found to be true.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Checked {
    /// The value of the plan.
    pub value: f64,
    /// Factors that were recomputed from the definition.
    pub recomputed: usize,
    /// Factors in all.
    pub factors: usize,
}

/// A card of a foundation: foundation and place on it.
type Slot = (usize, usize);

impl Why for PlanReason {
    type Position = (Rules, Position);
    type Value = Checked;

    fn check(&self, (rules, position): &(Rules, Position)) -> Result<Checked, Flaw> {
        let foundations = rules.foundations();
        Flaw::unless(position.drawn().is_none(), || {
            "the reason speaks about a table without a drawn card".into()
        })?;
        Flaw::unless(
            self.single.len() == foundations && self.pair.len() == pairs(foundations).count(),
            || "a chance for every foundation and for every pair is needed".into(),
        )?;
        let stacks = self.labels(rules, position)?;
        let game = StackGame::of(rules, position, &stacks)?;
        let mut recomputed = 0;
        for (f, &claimed) in self.single.iter().enumerate() {
            recomputed += usize::from(game.holds(&[f], claimed)?);
        }
        for ((f, g), &claimed) in pairs(foundations).zip(&self.pair) {
            let Some(claimed) = claimed else { continue };
            recomputed += usize::from(game.holds(&[f, g], claimed)?);
            let most = self.single[f].min(self.single[g]);
            Flaw::unless(claimed <= most * (1.0 + TOLERANCE) + f64::EPSILON, || {
                format!("the pair {f}{g} has chance {claimed}, more than one of its foundations alone")
            })?;
        }
        let value = product(&self.single, &self.pair);
        Flaw::unless(close(value, self.value), || {
            format!("the factors multiply to {value}, not to {}", self.value)
        })?;
        Ok(Checked { value, recomputed, factors: self.single.len() + self.pair.len() })
    }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= TOLERANCE * a.abs().max(b.abs())
}

impl PlanReason {
    /// The slots of the stacked cards, if the plan names each card of the table once and gives it a free slot of its rank.
    fn labels(&self, rules: &Rules, position: &Position) -> Result<Vec<Vec<Slot>>, Flaw> {
        Flaw::unless(self.plan.len() == rules.stacks(), || "the plan has another number of stacks".into())?;
        let mut taken: Vec<Slot> = Vec::new();
        let mut stacks = Vec::new();
        for (stack, labels) in rules.all_stacks().zip(&self.plan) {
            let cards = position.stack(stack);
            Flaw::unless(labels.len() == cards.len(), || format!("s{} has {} cards", stack.0, cards.len()))?;
            let mut slots = Vec::new();
            for (label, &card) in labels.iter().zip(cards) {
                let slot = slot(rules, label, card)
                    .ok_or_else(|| Flaw::new(format!("{label} is no place for a {card}")))?;
                let head =
                    rules.all_foundations().find(|f| f.index() == slot.0).map_or(0, |f| position.head(f));
                Flaw::unless(slot.1 >= head, || format!("the slot of {label} is played already"))?;
                Flaw::unless(!taken.contains(&slot), || format!("two cards are to be {label}"))?;
                taken.push(slot);
                slots.push(slot);
            }
            stacks.push(slots);
        }
        Ok(stacks)
    }
}

/// The slot that a label names, if it is one for this card.
fn slot(rules: &Rules, label: &str, card: Rank) -> Option<Slot> {
    let (rank, foundation) = label.split_once('-')?;
    let foundation: usize = foundation.parse().ok().filter(|&f| f < rules.foundations())?;
    let mut rank = rank.chars();
    let named = Rank::from_char(rank.next()?).filter(|&named| rank.next().is_none() && named == card)?;
    let place = (0..rules.ranks()).find(|&place| rules.rank_at(foundation, place) == named)?;
    Some((foundation, place))
}

/// The stack game of a plan: the unseen cards that must be stacked, the order in which they must leave, and the stacks closed to each.
struct StackGame {
    stacks: usize,
    cards: Vec<Slot>,
    /// `before[i]`: the cards that must leave before card i, as bits.
    before: Vec<u64>,
    /// `closed[i]`: the stacks that hold a card which must leave before card i, as bits.
    closed: Vec<u8>,
}

impl StackGame {
    fn of(rules: &Rules, position: &Position, stacks: &[Vec<Slot>]) -> Result<StackGame, Flaw> {
        let ranks = rules.ranks();
        let number = |(f, place): Slot| f * ranks + place;
        let count = rules.foundations() * ranks;
        let mut earlier = vec![vec![false; count]; count];
        for f in 0..rules.foundations() {
            for place in 1..ranks {
                earlier[number((f, place - 1))][number((f, place))] = true;
            }
        }
        for stack in stacks {
            for pair in stack.windows(2) {
                earlier[number(pair[1])][number(pair[0])] = true;
            }
        }
        // Warshall's closure.
        for middle in 0..count {
            let through = earlier[middle].clone();
            for row in &mut earlier {
                if row[middle] {
                    row.iter_mut().zip(&through).for_each(|(entry, &further)| *entry |= further);
                }
            }
        }
        Flaw::unless((0..count).all(|slot| !earlier[slot][slot]), || {
            "the plan asks a card to leave before itself".into()
        })?;
        let stacked = |slot: &Slot| stacks.iter().any(|stack| stack.contains(slot));
        let mut cards = Vec::new();
        for foundation in rules.all_foundations() {
            // The head is not part of the game: unseen, it can be played whenever it comes.
            let waiting = (position.head(foundation) + 1..ranks).map(|place| (foundation.index(), place));
            cards.extend(waiting.filter(|slot| !stacked(slot)));
        }
        let precedes = |x: Slot, y: Slot| earlier[number(x)][number(y)];
        let before =
            cards.iter().map(|&card| bits(cards.iter().map(|&other| precedes(other, card)))).collect();
        let closed = cards
            .iter()
            .map(|&card| {
                bits(stacks.iter().map(|stack| stack.iter().any(|&below| precedes(below, card)))) as u8
            })
            .collect();
        Ok(StackGame { stacks: rules.stacks(), cards, before, closed })
    }

    /// Checks the claimed chance of the cards of some foundations; true if it was recomputed.
    fn holds(&self, foundations: &[usize], claimed: f64) -> Result<bool, Flaw> {
        let name = || foundations.iter().map(ToString::to_string).collect::<String>();
        Flaw::unless((0.0..=1.0 + 1e-9).contains(&claimed), || {
            format!("{claimed} is no chance ({})", name())
        })?;
        let kept: Vec<usize> =
            (0..self.cards.len()).filter(|&i| foundations.contains(&self.cards[i].0)).collect();
        let all = ((1_u32 << self.stacks) - 1) as u8;
        if kept.iter().any(|&i| self.closed[i] == all) {
            Flaw::unless(claimed == 0.0, || {
                format!("a card of {} has no stack left, yet the chance is {claimed}", name())
            })?;
            return Ok(true);
        }
        if kept.len() > SMALL {
            return Ok(false);
        }
        let part = |i: usize| bits(kept.iter().map(|&other| self.before[i] >> other & 1 == 1));
        let state: State = kept.iter().map(|&i| (part(i), self.closed[i])).collect();
        let chance = chance(&state, self.stacks, &mut HashMap::new());
        Flaw::unless(close(chance, claimed), || {
            format!("the chance of {} is {chance}, not {claimed}", name())
        })?;
        Ok(true)
    }
}

fn bits(flags: impl Iterator<Item = bool>) -> u64 {
    flags.enumerate().map(|(i, flag)| u64::from(flag) << i).sum()
}

/// Cards with what must leave before them and the stacks closed to them.
type State = Vec<(u64, u8)>;

/// The definition: every card is equally likely to come next, and goes on the stack that is best for it.
fn chance(state: &State, stacks: usize, known: &mut HashMap<State, f64>) -> f64 {
    if state.is_empty() {
        return 1.0;
    }
    if let Some(&chance) = known.get(state) {
        return chance;
    }
    let all = ((1_u32 << stacks) - 1) as u8;
    let mut sum = 0.0;
    for card in 0..state.len() {
        let mut best = 0.0_f64;
        for stack in 0..stacks {
            if state[card].1 >> stack & 1 == 1 {
                continue;
            }
            let after = put(state, card, stack);
            if after.iter().all(|&(_, closed)| closed != all) {
                best = best.max(chance(&after, stacks, known));
            }
        }
        sum += best;
    }
    let chance = sum / state.len() as f64;
    known.insert(state.clone(), chance);
    chance
}

/// The cards that remain when one is put on a stack: what must leave after it, or after something in that stack, must now also leave after all that must
/// leave before it; and where such a card may not go, they may not go either.
fn put(state: &State, card: usize, stack: usize) -> State {
    let (below, closed) = state[card];
    let drop = |set: u64| (set & ((1 << card) - 1)) | (set >> (card + 1) << card);
    let mut after = Vec::with_capacity(state.len() - 1);
    for (other, &(before, shut)) in state.iter().enumerate() {
        if other == card {
            continue;
        }
        let later = before >> card & 1 == 1 || shut >> stack & 1 == 1;
        let (before, shut) =
            if later { (before | below, shut | closed | 1 << stack) } else { (before, shut) };
        after.push((drop(before), shut));
    }
    after
}

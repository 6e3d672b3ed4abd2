//! The reduced game, solved completely: how many of all decks an optimal player wins who sees one card at a time.
//!
//! Counting instead of averaging keeps the answer exact: a table with n unseen cards of given multiplicities has
//! `n! / product of factorials` orders, and the number of them that are won is the sum over the next ranks of the best continuation's number.

use crate::dead;
use crate::position::Position;
use crate::rules::{Move, Rules};
use crate::turn::{Turn, unload};
use kachi_core::{Budget, Error};
use rustc_hash::FxHashMap;

/// The exact value of a reduced game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Optimum {
    /// Decks won by optimal play.
    pub wins: u64,
    /// All decks, told apart by ranks.
    pub decks: u64,
    /// Tables remembered.
    pub states: u64,
}

/// Bytes that one remembered table takes, roughly.
const BYTES_PER_STATE: u64 = 64;

/// Solves the game.
///
/// ```
/// use calculation::{rules::Rules, search::reduced::optimum};
/// let rules = Rules::reduced(3, &[1, 2], 1).unwrap();
/// let best = optimum(&rules, &mut kachi_core::Budget::default()).unwrap();
/// assert_eq!((best.wins, best.decks), (86, 90));
/// ```
///
/// # Errors
/// `too_large` when the decks cannot be counted, `out_of_budget`.
pub fn optimum(rules: &Rules, budget: &mut Budget<'_>) -> Result<Optimum, Error> {
    let start = Position::start(rules);
    // 20 cards at most: more could not be searched, and fewer keep the count of decks below 2^64.
    if rules.cards() > MOST_CARDS {
        let what = "cards of a reduced game that is to be solved";
        return Err(Error::too_large(what, rules.cards(), MOST_CARDS).at_field("ranks"));
    }
    let mut solver = Solver { rules: rules.clone(), known: FxHashMap::default(), budget };
    let wins = solver.wins(&start)?;
    Ok(Optimum { wins, decks: orders(&start), states: solver.known.len() as u64 })
}

/// Most cards of a game that is solved.
const MOST_CARDS: usize = 20;

/// In how many orders the unseen cards can come.
fn orders(position: &Position) -> u64 {
    let mut orders: u64 = 1;
    let mut placed: u64 = 0;
    for &copies in position.unseen() {
        for copy in 1..=u64::from(copies) {
            placed += 1;
            // Stays whole: a product of binomial coefficients, built up one factor at a time.
            orders = orders * placed / copy;
        }
    }
    orders
}

struct Solver<'a, 'b> {
    rules: Rules,
    known: FxHashMap<Vec<u8>, u64>,
    budget: &'a mut Budget<'b>,
}

impl Solver<'_, '_> {
    /// Orders of the unseen cards that are won from a table without a drawn card. At most two calls per card deep.
    fn wins(&mut self, position: &Position) -> Result<u64, Error> {
        if position.left() == 0 {
            return Ok(u64::from(unload(&self.rules, position).is_some()));
        }
        let key = key(&self.rules, position);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        self.budget.spend(1)?;
        let bytes = self.known.len() as u64 * BYTES_PER_STATE;
        if bytes > self.budget.limits().bytes {
            let message =
                format!("the tables remembered need more than {} bytes", self.budget.limits().bytes);
            return Err(
                Error::new("out_of_budget", message).hint("raise the memory limit, or ask about less")
            );
        }
        let mut total = 0;
        if !dead::is_dead(&self.rules, position) {
            for mv in self.rules.moves(position) {
                if matches!(mv, Move::Draw(_)) {
                    let drawn = self.rules.play_unchecked(position, mv);
                    total += self.best(&drawn)?;
                }
            }
        }
        self.known.insert(key, total);
        Ok(total)
    }

    fn best(&mut self, drawn: &Position) -> Result<u64, Error> {
        let all = orders(drawn);
        let turn = Turn::new(&self.rules, drawn);
        let mut best = 0;
        // Candidates with more free moves come later and are usually better.
        for i in (0..turn.len()).rev() {
            best = best.max(self.wins(&turn.position(&self.rules, drawn, i))?);
            if best == all {
                break;
            }
        }
        Ok(best)
    }
}

/// A table up to the order of its stacks: heads, then the stacks.
fn key(rules: &Rules, position: &Position) -> Vec<u8> {
    let sorted = position.canonical(rules);
    let mut key = Vec::with_capacity(rules.foundations() + rules.stacks() + sorted.stacked());
    key.extend(&sorted.heads()[..rules.foundations()]);
    for stack in rules.all_stacks() {
        key.push(u8::MAX);
        key.extend(sorted.stack(stack).iter().map(|rank| rank.index() as u8));
    }
    key
}

//! The solver-backed player: greedy until little is left, then the throw whose guaranteed points, worked out exactly, are best on average over
//! imagined deals.

use super::Player;
use super::sampled::imagine;
use super::simple::Greedy;
use crate::card::Card;
use crate::house::Three;
use crate::month::{Ask, Decision, Month};
use crate::search::open::Open;
use crate::search::points;
use kachi_core::random::Dealer;
use kachi_core::{Budget, Limits};

/// Exact when little is left.
#[derive(Debug, Clone)]
pub struct Solver {
    dealer: Dealer,
}

/// Cards of the YAMA from which on he solves: three rounds.
const LITTLE: usize = 9;
/// Deals imagined for one throw.
const DEALS: u32 = 24;

impl Solver {
    /// With a seed.
    #[must_use]
    pub fn new(seed: u64) -> Solver {
        Solver { dealer: Dealer::new(seed) }
    }

    /// The throw with the best mean guarantee; nothing if a limit is met.
    fn throw(&mut self, seen: &Month, me: usize) -> Option<Card> {
        let mut totals: Vec<(Card, i64)> = seen.holds(me).iter().map(|card| (card, 0)).collect();
        for _ in 0..DEALS {
            let world = imagine(seen, me, &mut self.dealer);
            let open = Open {
                hands: std::array::from_fn(|i| world.holds((me + i) % 3)),
                table: world.table(),
                yama: world.yama().to_vec(),
                sweep: world.house().three == Three::Sweep,
            };
            let mut budget = Budget::new(Limits { nodes: 100_000, ..Limits::default() });
            let judged = points::judged(&open, 0, &mut budget).ok()?;
            for (card, total) in &mut totals {
                let alike = |throw: u64| {
                    let thrown = Card::lowest(throw);
                    thrown.month() == card.month() && thrown.value() == card.value()
                };
                let values = judged.iter().filter(|&&(throw, ..)| alike(throw)).map(|&(.., value)| value);
                *total += values.max().unwrap_or(0);
            }
        }
        totals
            .into_iter()
            .reduce(|best, next| if next.1 > best.1 { next } else { best })
            .map(|(card, _)| card)
    }
}

impl Player for Solver {
    fn settings(&self) -> String {
        format!("{DEALS} imagined deals from {LITTLE} cards on, before {}", Greedy.settings())
    }

    fn decide(&mut self, seen: &Month, ask: Ask) -> Decision {
        match ask {
            Ask::Throw { player, .. } if seen.yama().len() <= LITTLE && nothing_shown(seen) => {
                self.throw(seen, player).map_or_else(|| Greedy::answer(seen, ask), Decision::Card)
            }
            _ => Greedy::answer(seen, ask),
        }
    }
}

/// The solver knows no Windows.
fn nothing_shown(seen: &Month) -> bool {
    (0..3).all(|player| seen.window(player).is_empty())
}

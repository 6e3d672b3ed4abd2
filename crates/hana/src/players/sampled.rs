//! The good player. He imagines deals that agree with what he sees, tries every answer in each of them with greedy play by everybody,
//! and solves the last rounds exactly for money. The same deals are used for all answers. This is a heuristic, not a proof: imagined deals are
//! equally likely to him whatever the others did, and real opponents need not be greedy.

use super::Player;
use super::simple::Greedy;
use crate::card::{Card, Cards};
use crate::month::{Ask, Decision, Month};
use crate::search::money::{self, Purse};
use crate::search::open::Open;
use kachi_core::random::Dealer;
use kachi_core::{Budget, Limits};

/// Imagines deals.
#[derive(Debug, Clone)]
pub struct Sampled {
    dealer: Dealer,
    deals: u32,
    exact_turns: usize,
}

/// Deals imagined for one decision.
pub const DEALS: u32 = 300;
/// Turns at the end that are solved exactly, in whole rounds.
const EXACT_TURNS: usize = 3;

/// One answer and what it brought in the imagined deals.
#[derive(Debug, Clone, Copy)]
pub struct Judgement {
    /// The answer.
    pub decision: Decision,
    /// Mean money, in mon.
    pub mean: f64,
}

impl Sampled {
    /// The usual strength, with a seed.
    #[must_use]
    pub fn new(seed: u64) -> Sampled {
        Sampled::with(seed, DEALS, EXACT_TURNS)
    }

    /// So many imagined deals a decision, so many turns (a multiple of 3) solved exactly.
    #[must_use]
    pub fn with(seed: u64, deals: u32, exact_turns: usize) -> Sampled {
        Sampled { dealer: Dealer::new(seed), deals, exact_turns }
    }

    /// Every possible answer with its mean money.
    pub fn judge(&mut self, seen: &Month, ask: Ask) -> Vec<Judgement> {
        let answers = answers(ask);
        let Some(me) = asked_player(ask) else {
            // Whether to play is decided by the hand alone.
            let greedy = Greedy::answer(seen, ask);
            let judge = |decision| Judgement { decision, mean: if decision == greedy { 1.0 } else { 0.0 } };
            return answers.into_iter().map(judge).collect();
        };
        let mut sums = vec![0; answers.len()];
        for _ in 0..self.deals {
            let world = self.imagine(seen, me);
            for (sum, &answer) in sums.iter_mut().zip(&answers) {
                let mut month = world;
                if month.decide(answer).is_ok() {
                    *sum += self.outcome(month, me);
                }
            }
        }
        let mean = |sum: i64| sum as f64 / f64::from(self.deals.max(1));
        answers.into_iter().zip(sums).map(|(decision, sum)| Judgement { decision, mean: mean(sum) }).collect()
    }

    /// A deal that agrees with what player `me` sees.
    fn imagine(&mut self, seen: &Month, me: usize) -> Month {
        imagine(seen, me, &mut self.dealer)
    }

    /// Greedy play until the last rounds, then the money that is guaranteed.
    fn outcome(&self, mut month: Month, me: usize) -> i64 {
        while let Some(ask) = month.ask() {
            if month.turn().is_multiple_of(3)
                && month.yama().len() == self.exact_turns
                && matches!(ask, Ask::Throw { .. })
            {
                return exact(&month, me);
            }
            if month.decide(Greedy::answer(&month, ask)).is_err() {
                return 0;
            }
        }
        month.settled().map_or(0, |paid| paid.net[me])
    }
}

/// A deal that agrees with what player `me` sees, all of them equally likely.
pub(crate) fn imagine(seen: &Month, me: usize, dealer: &mut Dealer) -> Month {
    let mut unseen: Vec<Card> = seen.unseen(Some(me)).iter().collect();
    dealer.shuffle(&mut unseen);
    let mut cards = unseen.into_iter();
    let hands: [Cards; 3] = std::array::from_fn(|player| {
        let hand = seen.hand(player);
        if player == me { hand } else { cards.by_ref().take(hand.count() as usize).collect() }
    });
    let yama: Vec<Card> = cards.collect();
    seen.imagine(hands, &yama)
}

/// The money that player `me` can guarantee when all cards are known and it is the oya's turn.
fn exact(month: &Month, me: usize) -> i64 {
    let open = Open {
        hands: std::array::from_fn(|player| month.holds(player)),
        table: month.table(),
        yama: month.yama().to_vec(),
        sweep: month.house().three == crate::house::Three::Sweep,
    };
    let first = month.first_sage();
    let baskets = std::array::from_fn(|player| month.basket(player));
    let purse =
        Purse { open, baskets, index: month.index(), house: *month.house(), said: (month.sage(), first) };
    let mut budget = Budget::new(Limits { nodes: 20_000, ..Limits::default() });
    money::guaranteed(&purse, me, &mut budget).unwrap_or(0)
}

/// The player who is asked; nobody in particular for `active`.
fn asked_player(ask: Ask) -> Option<usize> {
    match ask {
        Ask::Active { .. } => None,
        Ask::Cancel { player }
        | Ask::Throw { player, .. }
        | Ask::Take { player, .. }
        | Ask::Shobu { player } => Some(player),
    }
}

/// All possible answers.
#[must_use]
pub fn answers(ask: Ask) -> Vec<Decision> {
    match ask {
        Ask::Throw { from, .. } | Ask::Take { from, .. } => from.iter().map(Decision::Card).collect(),
        _ => vec![Decision::Say(true), Decision::Say(false)],
    }
}

/// The index of the best judgement, the first of equals.
#[must_use]
pub fn best(judgements: &[Judgement]) -> Option<usize> {
    (0..judgements.len()).max_by(|&a, &b| judgements[a].mean.total_cmp(&judgements[b].mean).then(b.cmp(&a)))
}

impl Player for Sampled {
    fn settings(&self) -> String {
        let Sampled { deals, exact_turns, .. } = self;
        format!("{deals} imagined deals, the last {exact_turns} turns exactly; in them {}", Greedy.settings())
    }

    fn decide(&mut self, seen: &Month, ask: Ask) -> Decision {
        let possible = answers(ask);
        if possible.len() == 1 {
            return possible[0];
        }
        let judgements = self.judge(seen, ask);
        best(&judgements).map_or_else(|| Greedy::answer(seen, ask), |best| judgements[best].decision)
    }
}

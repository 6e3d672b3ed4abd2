//! The settlement of a round, in both forms. `pairwise` (the paper): both others pay a player's whole claim. `par` (today): dekiyaku, then
//! specials, then points against 88. Payments move money between players, so every settlement adds up to nothing by construction,
//! except points against 88, which do so exactly when all 48 cards were taken.

use crate::card::{ALL, Cards};
use crate::house::{Account, Fuke, House};
use crate::yaku::KASU_WITH_WILLOW;

/// How a round ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// All 21 turns were played; `first_sage` said sage first, if anybody did.
    RanOut {
        /// The player (0 to 2) who said sage first.
        first_sage: Option<usize>,
    },
    /// A player stopped it with his dekiyaku: shobu, or Battari.
    Stopped {
        /// The player, 0 to 2.
        by: usize,
        /// Who is in sage.
        sage: [bool; 3],
    },
    /// A player in sage gave up going on.
    Cancelled {
        /// The player, 0 to 2.
        by: usize,
    },
}

/// What a round pays, without teyaku and pot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settlement {
    /// What each player wins or loses, in mon.
    pub net: [i64; 3],
    /// Who takes the pot; `None` if the round is void.
    pub winner: Option<usize>,
    /// The line of the rules that applied.
    pub reason: &'static str,
    /// For `pairwise`: the claims (absent if void), the bonus for few cards, and who is below 20.
    pub pairwise: Option<Pairwise>,
}

/// The parts of a pairwise settlement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pairwise {
    /// What each is paid by each of the others.
    pub claims: Option<[i64; 3]>,
    /// The bonus for few cards.
    pub few: [i64; 3],
    /// Fewer than 20 points outside months 11 and 12.
    pub fuke: [bool; 3],
}

/// Bonus for few cards, in mon.
const FEW: i64 = 30;
/// Points outside months 11 and 12 that void a round when somebody has fewer.
const FUKE_POINTS: i64 = 20;
/// A third of the deck's points.
const PAR: i64 = 88;

/// Pays `amount` from both others to `to`.
fn both_pay(net: &mut [i64; 3], to: usize, amount: i64) {
    for (player, purse) in net.iter_mut().enumerate() {
        *purse += if player == to { 2 * amount } else { -amount };
    }
}

/// Settles a round. With `par` a round that ran out must have all 48 cards in the Baskets.
///
/// ```
/// use hana::settle::{End, settle};
/// use hana::{Cards, House, card::ALL};
/// let baskets = [ALL, Cards::NONE, Cards::NONE];
/// let paid = settle(&House::PAPER, &baskets, 0, End::RanOut { first_sage: None });
/// assert_eq!(paid.winner, None, "two players have fewer than 20 points: void");
/// ```
#[must_use]
pub fn settle(house: &House, baskets: &[Cards; 3], index: u32, end: End) -> Settlement {
    let paid = match house.settle {
        Account::Pairwise => pairwise(house, baskets, index, end),
        Account::Par => par(house, baskets, index, end),
    };
    debug_assert_eq!(paid.net.iter().sum::<i64>(), 0, "money is conserved: {baskets:?} {end:?}");
    paid
}

fn pairwise(house: &House, baskets: &[Cards; 3], index: u32, end: End) -> Settlement {
    let outside = Cards(ALL.0 >> 8);
    let fuke = baskets.map(|basket| (basket & outside).points() < FUKE_POINTS);
    let few: [i64; 3] = std::array::from_fn(|n| {
        let limit = if n == 2 { 10 } else { 8 };
        if house.few && baskets[n].count() < limit { FEW } else { 0 }
    });
    let ran_out = matches!(end, End::RanOut { .. });
    let tested = match house.fuke_void {
        Fuke::No => false,
        Fuke::Unstopped => ran_out,
        Fuke::Always => true,
    };
    if tested && fuke.contains(&true) {
        let parts = Pairwise { claims: None, few, fuke };
        return Settlement { net: [0; 3], winner: None, reason: "void-fuke", pairwise: Some(parts) };
    }
    let claims: [i64; 3] =
        std::array::from_fn(|n| (house.dekiyaku_mon(baskets[n]) + few[n] + baskets[n].points()) << index);
    let mut net = [0; 3];
    for (n, &claim) in claims.iter().enumerate() {
        both_pay(&mut net, n, claim);
    }
    let winner = Some(first_largest(&claims));
    let parts = Pairwise { claims: Some(claims), few, fuke };
    Settlement { net, winner, reason: "pairwise", pairwise: Some(parts) }
}

fn par(house: &House, baskets: &[Cards; 3], index: u32, end: End) -> Settlement {
    let deki: [i64; 3] = baskets.map(|basket| house.dekiyaku_mon(basket) << index);
    let mut net = [0; 3];
    let done = |net, winner, reason| Settlement { net, winner: Some(winner), reason, pairwise: None };
    match end {
        End::Stopped { by, sage } => {
            let others = [(by + 1) % 3, (by + 2) % 3];
            match others.map(|other| sage[other]) {
                [true, false] => pay_double(&mut net, others[0], by, deki[by]),
                [false, true] => pay_double(&mut net, others[1], by, deki[by]),
                _ => both_pay(&mut net, by, deki[by]),
            }
            done(net, by, "shobu")
        }
        End::Cancelled { by } => {
            both_pay(&mut net, by, deki[by] / 2);
            done(net, by, "cancel")
        }
        End::RanOut { first_sage } if deki.iter().any(|&value| value > 0) => {
            for (n, &value) in deki.iter().enumerate() {
                both_pay(&mut net, n, value / 2);
            }
            done(net, first_sage.unwrap_or_else(|| first_largest(&deki)), "exhausted-deki")
        }
        End::RanOut { .. } => {
            let points = baskets.map(Cards::points);
            if let Some((winner, kan, reason)) = special(house, baskets, points) {
                both_pay(&mut net, winner, (kan * house.kan) << index);
                return done(net, winner, reason);
            }
            done(points.map(|points| (points - PAR) << index), first_largest(&points), "par")
        }
    }
}

fn pay_double(net: &mut [i64; 3], from: usize, to: usize, amount: i64) {
    net[from] -= 2 * amount;
    net[to] += 2 * amount;
}

/// Sohachi, futahachi or sujuroku: who is paid how many kan by each of the others.
fn special(house: &House, baskets: &[Cards; 3], points: [i64; 3]) -> Option<(usize, i64, &'static str)> {
    const SOHACHI: i64 = 10;
    if !house.specials {
        return None;
    }
    if points == [PAR; 3] {
        return Some((0, SOHACHI, "sohachi"));
    }
    if let Some(n) = points.iter().position(|&points| points >= 168) {
        return Some((n, 10 + points[n] - 168, "futahachi"));
    }
    let kasu = baskets.map(|basket| i64::from((basket & KASU_WITH_WILLOW).count()));
    let n = kasu.iter().position(|&kasu| kasu >= 16)?;
    Some((n, 12 + 2 * (kasu[n] - 16), "sujuroku"))
}

fn first_largest(values: &[i64; 3]) -> usize {
    let mut best = 0;
    for n in 1..3 {
        if values[n] > values[best] {
            best = n;
        }
    }
    best
}

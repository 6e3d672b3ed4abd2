//! How often players won recorded runs on the test deals: the one place from which the program quotes rates.

use crate::rules::Rules;

/// A recorded run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// Waste stacks.
    pub stacks: usize,
    /// The player.
    pub player: &'static str,
    /// Games won.
    pub won: u32,
    /// Games played.
    pub games: u32,
    /// The run, where it can be looked up.
    pub run: &'static str,
}

impl Rate {
    /// The share of games won.
    #[must_use]
    pub fn share(&self) -> f64 {
        f64::from(self.won) / f64::from(self.games.max(1))
    }

    /// In percent, with one digit.
    #[must_use]
    pub fn words(&self) -> String {
        format!("{:.1} %", 100.0 * self.share())
    }
}

/// The recorded run of a player of this game. Settings behind a name make another player.
#[must_use]
pub fn rate_of(rules: &Rules, player: &str) -> Option<&'static Rate> {
    RATES.iter().find(|rate| rules.is_full() && rate.stacks == rules.stacks() && rate.player == player)
}

/// The runs on deals 1 to 10000 that stand in docs/results, each with the beginning of its hash. A player without one has no rate here.
pub const RATES: &[Rate] = &[
    rate(4, "plans-look1", 9984, "039bdf0edda6"),
    rate(4, "union-look1", 9982, "f4e89b5118e0"),
    rate(4, "plans-look0", 9966, "686c21f91114"),
    rate(4, "union-look2", 9980, "ec6e6df35d5e"),
    rate(4, "union-look0", 9940, "06225edfa00a"),
    rate(4, "net-look2", 9949, "a5cc54d03c55"),
    rate(4, "net-look1", 9935, "9e89f7066fda"),
    rate(4, "net-quick", 9920, "9e89f7066fda"),
    rate(4, "net-look0", 9874, "9e89f7066fda"),
    rate(4, "paper-look1", 8553, "fdd24c00cf2d"),
    rate(4, "paper", 6166, "e1adcb07a3e1"),
    rate(3, "union-look2", 8253, "d2af04e949b5"),
    rate(3, "union-look1", 8104, "9854d0e3ad3e"),
    rate(3, "union-look0", 7770, "54d68ff5e707"),
    rate(3, "plans-look1", 7996, "09c807f4f729"),
    rate(3, "plans-look0", 7730, "7cc36339fe72"),
    rate(3, "net-rollout", 8131, "7b8185ade8a7"),
    rate(3, "net-look2", 7893, "847cdda5cdfe"),
    rate(3, "net-look1", 7792, "31fcace48975"),
    rate(3, "net-quick", 7663, "31fcace48975"),
    rate(3, "net-look0", 7382, "31fcace48975"),
    rate(3, "paper-look1", 6389, "cba46130548c"),
    rate(3, "paper", 4867, "db0502f7e52d"),
    rate(2, "union-rollout", 474, "9f78958d5ca9"),
    rate(2, "union-look2", 451, "1aa024e980e7"),
    rate(2, "union-look1", 415, "ecc139345e4c"),
    rate(2, "union-look0", 358, "8f6e270d2c16"),
    rate(2, "plans-look1", 252, "10ce9cab2d34"),
    rate(2, "plans-look0", 173, "4d3179e43e71"),
    rate(2, "net-rollout", 445, "56e34240796d"),
    rate(2, "net-look2", 420, "711c1e846e07"),
    rate(2, "net-look1", 394, "103f155683be"),
    rate(2, "net-quick", 377, "103f155683be"),
    rate(2, "net-look0", 326, "103f155683be"),
    rate(2, "paper-look1", 135, "15e870476753"),
    rate(2, "paper", 116, "d8c6e4e68573"),
    rate(1, "plans-look1", 0, "a202b23704c4"),
    rate(1, "plans-look0", 0, "a202b23704c4"),
    rate(1, "paper-look1", 0, "a202b23704c4"),
    rate(1, "paper", 0, "a202b23704c4"),
];

const fn rate(stacks: usize, player: &'static str, won: u32, run: &'static str) -> Rate {
    Rate { stacks, player, won, games: 10_000, run }
}

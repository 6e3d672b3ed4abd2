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

/// The runs on deals 1 to 10000 that stand in docs/results. A player without one has no rate here.
pub const RATES: &[Rate] = &[];

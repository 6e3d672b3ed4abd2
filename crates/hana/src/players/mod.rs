//! Players. A player is given the month as his seat sees it ([`Month::as_seen_by`]): nothing hidden is in what he gets, so nobody can peek.
//!
//! | room | plays |
//! |---|---|
//! | [`simple`] | random, greedy, and `hold` (the BIKI theorem) |
//! | [`solver`] | greedy, and exact in imagined deals when little is left |
//! | [`sampled`] | the good player: sampled deals, greedy play, exact end games; a heuristic |
//! | [`contest`] | nobody: it measures one player against others |

pub mod contest;
pub mod sampled;
pub mod simple;
pub mod solver;

use crate::month::{Ask, Decision, Month};

/// Somebody who decides.
pub trait Player {
    /// Answers what `seen` asks. `seen` is the month as this player's seat sees it.
    fn decide(&mut self, seen: &Month, ask: Ask) -> Decision;

    /// Everything set by hand that his decisions depend on, so that a player who was changed is not taken for the old one.
    fn settings(&self) -> String {
        "none".to_owned()
    }
}

/// Plays a month to its end; `players` sit in order from the oya on.
pub fn play(month: &mut Month, players: &mut [&mut dyn Player]) {
    while let (Some(ask), Some(seat)) = (month.ask(), month.asked_seat()) {
        let Some(player) = players.get_mut(seat) else { return };
        let decision = player.decide(&month.as_seen_by(seat), ask);
        if month.decide(decision).is_err() {
            debug_assert!(false, "a player answered {decision:?} to {ask:?}");
            return;
        }
    }
}

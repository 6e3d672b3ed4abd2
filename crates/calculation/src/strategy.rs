//! Which move to play. With the deck hidden the strongest player that is at hand says it; with few cards left every continuation is
//! searched; with nothing left to draw the free moves that win are found, if there are any.

use crate::players::roster::has_full_table;
use crate::players::{Decision, Judgement, by_name, strongest};
use crate::position::Position;
use crate::rules::Rules;
use crate::turn::unload;

/// What to do now, judged from the table alone. While a card is drawn: all ways to finish the turn. Otherwise, with nothing left to
/// draw: the free moves that win, or nothing.
///
/// ```
/// use calculation::{notation, strategy};
/// let (rules, position) = notation::read("5:1,2:A2/5/4@A").unwrap();
/// let decision = strategy::decide(&rules, &position);
/// assert_eq!(decision.moves()[0].to_string(), "s1");
/// ```
pub fn decide(rules: &Rules, position: &Position) -> Decision {
    if position.drawn().is_some() {
        let name = strongest(rules, has_full_table(rules)).name;
        return by_name(rules, name).map(|mut player| player.decide(position)).unwrap_or_default();
    }
    match unload(rules, position) {
        Some(moves) => Decision { options: vec![Judgement { moves, chance: 1.0 }], best: 0 },
        None => Decision::default(),
    }
}

//! Reasons in words: one thought a line, every number taken from the reason itself.

use super::{Excuse, Line, Matching, MoveWhy, Pair, Why};
use crate::position::{Face, Position, Side};
use crate::rules::Move;
use crate::theory::Player;

/// The reason for the winner, one thought a line.
pub fn reason(position: &Position, why: &Why) -> Vec<String> {
    match why {
        Why::CutOnTable { then } => {
            let next = position.after_pass();
            let mut lines = vec![
                "A cut card lies on the table, so the mover must pass. Then, with the roles exchanged:"
                    .into(),
            ];
            lines.extend(reason(&next, then));
            lines
        }
        Why::SetAside { lines } => reason_by_choice(position, lines),
        _ => {
            let mut lines = Vec::new();
            if position.has_goals() {
                lines.push(set_aside_words(position));
            }
            lines.extend(reason_open(position, why));
            lines
        }
    }
}

fn set_aside_words(position: &Position) -> String {
    let aside = |side: &Side| list(&side.ordinary[..side.goal.min(side.ordinary.len())]);
    let (mover, other) = (position.mover(), position.other());
    match (mover.goal, other.goal) {
        (_, 0) => {
            format!("Goals: the mover may keep {}, so he sets aside {}.", cards(mover.goal), aside(mover))
        }
        (0, _) => {
            format!("Goals: the other may keep {}, so he sets aside {}.", cards(other.goal), aside(other))
        }
        _ => format!(
            "Goals: the mover may keep {} and sets aside {}; the other may keep {} and sets aside {}.",
            cards(mover.goal),
            aside(mover),
            cards(other.goal),
            aside(other)
        ),
    }
}

fn reason_open(position: &Position, why: &Why) -> Vec<String> {
    match why {
        Why::Matching { mover, other, no_surplus } => {
            let weakest = |side: &Side| side.ordinary.get(side.goal).map(ToString::to_string);
            let left_out: Vec<String> =
                [weakest(position.mover()), weakest(position.other())].into_iter().flatten().collect();
            let mut lines = Vec::new();
            if !left_out.is_empty() {
                let whose = if left_out.len() == 2 { "Each side's weakest card" } else { "The weakest ordinary card" };
                lines.push(format!(
                    "{whose} ({}) need not be beaten: it can always be played last.",
                    left_out.join(" and ")
                ));
            }
            lines.extend(matching_words("The mover", mover));
            lines.extend(matching_words("The other player", other));
            if let Some([of_mover, of_other]) = no_surplus {
                lines.extend(excuse_words("the mover", *of_mover));
                lines.extend(excuse_words("the other player", *of_other));
            }
            let (mu0, mu1) = (mover.pairs.len(), other.pairs.len());
            lines.push(if mu0 > mu1 {
                format!("{mu0} is more than {mu1}: the mover wins.")
            } else {
                format!("The mover needs strictly more pairs, and {mu0} is not more than {mu1}: the other player wins.")
            });
            lines
        }
        Why::SurplusMover { cover } => vec![
            "The mover is stuck with cut cards (surplus): none of them beats the table, and at most one card of the \
             other player is weaker than the strongest of them."
                .into(),
            format!("The other player can beat every ordinary card of the mover: {}.", pair_list(cover)),
            "So the mover never gets the lead that he needs to be rid of his cut cards: the other player wins.".into(),
        ],
        Why::SurplusOther { cover, no_surplus } => {
            let mut lines = vec![
                "The other player is stuck with cut cards (surplus): at most one card of the mover is weaker than the \
                 strongest of them."
                    .into(),
                format!(
                    "The mover can beat every ordinary card of the other player and the table: {}.",
                    pair_list(cover)
                ),
            ];
            lines.extend(excuse_words("the mover", *no_surplus));
            lines.push("So the other player never gets the lead that he needs to be rid of them: the mover wins.".into());
            lines
        }
        Why::SetAside { .. } | Why::CutOnTable { .. } => Vec::new(),
    }
}

fn matching_words(who: &str, matching: &Matching) -> [String; 2] {
    let n = matching.pairs.len();
    if n == 0 {
        return [format!("{who} can beat nothing that counts."), bound_words(matching)];
    }
    let pairs = if n == 1 { "1 pair".into() } else { format!("{n} pairs") };
    [format!("{who} has {pairs}: {}.", pair_list(&matching.pairs)), bound_words(matching)]
}

fn bound_words(matching: &Matching) -> String {
    let t = matching.bound;
    let no_more = "  No more is possible:";
    match matching.pairs.len() {
        // Level 0 counts every card that could beat something.
        n if t == Face::GROUND => format!("{no_more} {}.", used(n)),
        0 => format!("{no_more} no card to be beaten is below {t}, and no card above {t} could beat one."),
        1 => format!(
            "{no_more} every pair beats a card below {t} or uses a card above {t}, and there is only 1 of these."
        ),
        n => format!(
            "{no_more} every pair beats a card below {t} or uses a card above {t}, and there are only {n} of these."
        ),
    }
}

fn used(count: usize) -> String {
    match count {
        0 => "there is no card to beat with".into(),
        1 => "the only card is used".into(),
        n => format!("all {n} cards are used"),
    }
}

fn excuse_words(who: &str, excuse: Excuse) -> Option<String> {
    let because = match excuse {
        Excuse::NoCutCard => return None,
        Excuse::CutCardLegal => "the strongest of them is legal now".to_owned(),
        Excuse::TwoWeaker => "two cards of the opponent are weaker than the strongest of them".to_owned(),
        Excuse::NotCovered(t) => {
            format!("the opponent cannot beat all the ordinary cards (level {t} shows it)")
        }
    };
    Some(format!("Cut cards are no burden to {who}: {because}."))
}

fn reason_by_choice(position: &Position, lines: &[Line]) -> Vec<String> {
    let mover_wins = super::check(position, &Why::SetAside { lines: lines.to_vec() }) == Ok(Player::Mover);
    let choice = |side: &Side, cuts: usize| {
        let ordinary = &side.ordinary[..(side.goal - cuts.min(side.goal)).min(side.ordinary.len())];
        let cut_cards = side.cuts[..cuts.min(side.cuts.len())].iter().map(|face| format!("c{face}"));
        let all: Vec<String> = ordinary.iter().map(ToString::to_string).chain(cut_cards).collect();
        if all.is_empty() { "nothing".to_owned() } else { all.join(" ") }
    };
    let (mover, other) = (position.mover(), position.other());
    let mut words = vec![if mover_wins {
        let first = lines.first().map_or(0, |line| line.mover_cuts);
        format!(
            "Goals with cut cards: the mover sets aside {} and wins whatever the other player sets aside.",
            choice(mover, first)
        )
    } else {
        "Goals with cut cards: whatever the mover sets aside, the other player has an answer.".to_owned()
    }];
    for line in lines {
        words.push(format!(
            "- Mover sets aside {}, other {}: {}.",
            choice(mover, line.mover_cuts),
            choice(other, line.other_cuts),
            line_words(&line.why)
        ));
    }
    words
}

/// Half a sentence for one line of Rule 4.
fn line_words(why: &Why) -> String {
    match why {
        Why::Matching { mover, other, .. } => {
            format!("{} against {} pairs", mover.pairs.len(), other.pairs.len())
        }
        Why::SurplusMover { .. } => "the mover is stuck with cut cards".into(),
        Why::SurplusOther { .. } => "the other player is stuck with cut cards".into(),
        Why::SetAside { .. } | Why::CutOnTable { .. } => String::new(),
    }
}

/// A move in words.
pub fn move_words(mv: Move) -> String {
    match mv {
        Move::Discard(face) => format!("discard {face}"),
        Move::Cut(face) => format!("discard the cut card {face} and move again"),
        Move::Pass => "pass".into(),
    }
}

/// What speaks for or against a move, in words.
pub fn move_note(mv: &MoveWhy) -> String {
    match (mv.wins, mv.reply, &mv.why) {
        (true, _, None) => "reaches the goal at once".into(),
        (_, Some(reply), Some(why)) => {
            let against = reply_words(mv.mv, reply);
            format!("{against}: {}", successor_words(why, mv.wins))
        }
        (_, None, Some(why)) => successor_words(why, mv.wins),
        (false, _, None) => String::new(),
    }
}

fn reply_words(mv: Move, reply: Move) -> String {
    match (mv, reply) {
        (Move::Cut(_), _) => "after the forced pass".into(),
        (_, Move::Pass) => "refuted by a pass".into(),
        _ => format!("refuted by {reply}"),
    }
}

/// How the pairs stand after a move; `why` is seen by the opponent.
fn successor_words(why: &Why, wins: bool) -> String {
    match why {
        Why::Matching { mover, other, .. } => {
            let (theirs, mine) = (mover.pairs.len(), other.pairs.len());
            let sign = if wins { "too few" } else { "enough" };
            let pairs = if theirs == 1 { "pair" } else { "pairs" };
            format!("the opponent has {theirs} {pairs}, you {mine}: {sign}")
        }
        Why::SurplusMover { .. } => "the opponent is stuck with cut cards".into(),
        Why::SurplusOther { .. } => "the own cut cards become a burden".into(),
        Why::SetAside { .. } => "by the choice of cards set aside".into(),
        Why::CutOnTable { then } => match then.as_ref() {
            Why::Matching { mover, other, .. } => {
                format!(
                    "{} against {} pairs, to move on the empty table",
                    mover.pairs.len(),
                    other.pairs.len()
                )
            }
            _ => "to move again on the empty table".into(),
        },
    }
}

/// Who wins, in one sentence.
pub fn verdict(winner: Player) -> &'static str {
    match winner {
        Player::Mover => "The player to move wins.",
        Player::Other => "The player to move loses: the other player wins.",
    }
}

fn pair_list(pairs: &[Pair]) -> String {
    const SHOWN: usize = 60;
    let mut words: Vec<String> = pairs.iter().take(SHOWN).map(pair_words).collect();
    if pairs.len() > SHOWN {
        words.push(format!("and {} more", pairs.len() - SHOWN));
    }
    words.join(", ")
}

fn pair_words((beater, target): &Pair) -> String {
    if *target == Face::GROUND {
        format!("{beater} on the empty table")
    } else {
        format!("{beater} beats {target}")
    }
}

fn list(faces: &[Face]) -> String {
    faces.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn cards(count: usize) -> String {
    if count == 1 { "1 card".into() } else { format!("{count} cards") }
}

//! The reason in words, one thought a line.

use crate::why::factors::{PlanReason, pairs};

/// The reason in words.
#[must_use]
pub fn words(reason: &PlanReason) -> Vec<String> {
    let mut thoughts = Vec::new();
    let stacks: Vec<String> = reason
        .plan
        .iter()
        .enumerate()
        .filter(|(_, cards)| !cards.is_empty())
        .map(|(s, cards)| format!("s{s} {}", cards.join(" ")))
        .collect();
    if stacks.is_empty() {
        thoughts
            .push("Nothing is stacked: every card can still go to any foundation that lacks it.".to_owned());
    } else {
        thoughts.push(format!(
            "The best plan sends the stacked cards to these foundations, bottom first: {}.",
            stacks.join("; ")
        ));
    }
    let singles: Vec<String> =
        reason.single.iter().enumerate().map(|(f, &chance)| format!("f{f} {}", number(chance))).collect();
    thoughts.push(format!(
        "Each foundation's unseen cards alone could be stacked and unloaded with chance {}.",
        singles.join(", ")
    ));
    let named: Vec<String> = pairs(reason.single.len())
        .zip(&reason.pair)
        .filter_map(|((f, g), chance)| Some(format!("f{f}f{g} {}", number((*chance)?))))
        .collect();
    if named.is_empty() {
        thoughts.push("The pairs are too large for the tables at hand and count as independent.".to_owned());
    } else {
        let unknown = reason.pair.iter().filter(|chance| chance.is_none()).count();
        let rest = match unknown {
            0 => String::new(),
            1 => " (one more is too large for the tables at hand and counts as independent)".to_owned(),
            more => format!(" ({more} more are too large for the tables at hand and count as independent)"),
        };
        thoughts.push(format!("In pairs: {}{rest}.", named.join(", ")));
    }
    let over = match reason.single.len() {
        4 => ", over the squares of the foundations alone,",
        3 => ", over the foundations alone,",
        _ => "",
    };
    thoughts
        .push(format!("The pairs multiplied{over} give this one plan the value {}.", number(reason.value)));
    thoughts
}

/// A chance with three digits that matter.
#[must_use]
pub fn number(chance: f64) -> String {
    match chance {
        0.0 => "0".to_owned(),
        chance if chance >= 0.9995 => format!("{chance:.3}"),
        chance => {
            let digits = (2 - chance.log10().floor() as i32).clamp(1, 12) as usize;
            format!("{chance:.digits$}")
        }
    }
}

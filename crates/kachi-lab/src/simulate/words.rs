//! What games show, in words: the same in a terminal, in documents and on the page.

use super::face_up;
use super::plot::{grouped, name};
use super::statistics::{Interval, wilson};
use super::summary::{Comparison, Lost, Summary};
use serde_json::Value;

/// What is said of the mean of one deal, or of none.
pub const NO_INTERVAL: &str = "no interval: that takes two deals";

/// `67.5 % (66.6 to 68.4)`; with one more digit where nearly all games are won or lost.
///
/// ```
/// use kachi_lab::simulate::words::rate_of;
/// assert_eq!(rate_of(6750, 10_000), "67.5 % (66.6 to 68.4)");
/// assert_eq!(rate_of(9996, 10_000), "99.96 % (99.90 to 99.98)");
/// ```
#[must_use]
pub fn rate_of(won: u64, games: u64) -> String {
    let interval = wilson(won, games);
    let rate = won as f64 / (games as f64).max(1.0);
    let places = if 100 * won.min(games.saturating_sub(won)) < games { 2 } else { 1 };
    let [rate, low, high] = [rate, interval.low, interval.high].map(|share| 100.0 * share);
    format!("{rate:.places$} % ({low:.places$} to {high:.places$})")
}

/// A player's rate or mean with its interval, to be looked up and cited.
#[must_use]
pub fn found(player: &Summary) -> String {
    match &player.points {
        Some(points) => {
            let interval = match points.mean.interval {
                Some(Interval { low, high }) => format!("{low:+.3} to {high:+.3}"),
                None => NO_INTERVAL.to_owned(),
            };
            format!("{:+.3} {} ({interval})", points.mean.mean, points.unit)
        }
        None => {
            let (rate, interval) = (100.0 * player.rate, player.interval);
            let rest = rest(&player.lost).map(|rest| format!("; {rest}")).unwrap_or_default();
            format!("{rate:.2} % won ({:.2} to {:.2}){rest}", 100.0 * interval.low, 100.0 * interval.high)
        }
    }
}

/// `deals 1 to 10000`: the seeds of a player's games.
#[must_use]
pub fn deals(player: &Summary) -> String {
    let last = player.first_seed + player.games.saturating_sub(1);
    format!("deals {} to {last}", player.first_seed)
}

/// The table that games of calculation rest on: whoever plays them again needs the same one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TableOf {
    /// They were played with a table.
    Needed {
        /// `3 stacks and 12 ranks`.
        words: String,
        /// The command that builds it.
        build: String,
    },
    /// They were played without one.
    Missing,
}

/// Which table games with these settings rest on. Nothing for games without tables, and for searches, which look into none.
///
/// ```
/// use kachi_lab::simulate::words::{TableOf, table_of};
/// use serde_json::json;
/// let played = json!({"player": "paper", "stacks": 3, "table": {"ranks": 12}});
/// let Some(TableOf::Needed { words, build }) = table_of(&played) else { panic!("there is one") };
/// assert_eq!((&*words, &*build), ("3 stacks and 12 ranks", "kachi table build calculation --stacks 3 --ranks 12"));
/// assert_eq!(table_of(&json!({"player": "paper", "stacks": 3, "table": null})), Some(TableOf::Missing));
/// assert_eq!(table_of(&json!({"player": "clairvoyant", "stacks": 3, "table": null})), None);
/// assert_eq!(table_of(&json!({"player": "greedy"})), None);
/// ```
#[must_use]
pub fn table_of(settings: &Value) -> Option<TableOf> {
    let number = |value: &Value, key: &str| value.get(key).and_then(Value::as_u64);
    let table = settings.get("table")?;
    if let (Some(stacks), Some(ranks)) = (number(settings, "stacks"), number(table, "ranks")) {
        let count =
            |number: u64, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
        return Some(TableOf::Needed {
            words: format!("{} and {}", count(stacks, "stack"), count(ranks, "rank")),
            build: format!("kachi table build calculation --stacks {stacks} --ranks {ranks}"),
        });
    }
    let is_search = settings.get("player").and_then(Value::as_str).is_some_and(face_up::is_search);
    (!is_search).then_some(TableOf::Missing)
}

/// Why a search did not win the rest: `996 proved lost, 4 not solved`.
#[must_use]
pub fn rest(lost: &Lost) -> Option<String> {
    let reasons = lost.reasons();
    let words = reasons.iter().map(|(reason, games)| format!("{} {reason}", grouped(*games)));
    (!reasons.is_empty()).then(|| words.collect::<Vec<_>>().join(", "))
}

/// A chance under the assumption that two players are equally good: three digits after the point, powers of ten where these would be zeros.
///
/// ```
/// use kachi_lab::simulate::words::significance;
/// let shown = [0.293, 0.001, 4.3e-11, 1e-299, 0.0].map(significance);
/// assert_eq!(shown, ["p = 0.293", "p = 0.001", "p = 4.3e-11", "p = 1.0e-299", "p < 1e-300"]);
/// ```
#[must_use]
pub fn significance(p: f64) -> String {
    match p {
        0.001.. => format!("p = {p:.3}"),
        1e-300.. => format!("p = {p:.1e}"),
        _ => "p < 1e-300".to_owned(),
    }
}

/// By how much the better of two players is better, in one sentence without its full stop.
#[must_use]
pub fn compared(comparison: &Comparison) -> String {
    let comparison = comparison.better_first();
    let [first, second] = comparison.settings.each_ref().map(name);
    let (verb, difference, interval, unit) = match &comparison.points {
        Some(points) => ("makes", points.mean.mean, points.mean.interval, points.unit.as_str()),
        None => {
            let Interval { low, high } = comparison.interval;
            let interval = Some(Interval { low: 100.0 * low, high: 100.0 * high });
            ("wins", 100.0 * comparison.difference, interval, "points")
        }
    };
    let interval = match interval {
        Some(Interval { low, high }) => format!("95 % interval {low:.2} to {high:.2}"),
        None => NO_INTERVAL.to_owned(),
    };
    format!("{first} {verb} {difference:.2} {unit} more than {second} ({interval})")
}

/// The same with the test that goes with it, as a whole sentence: `On the same deals plans wins 2.10 points more than paper (...), p = 0.003, McNemar.`
#[must_use]
pub fn on_the_same_deals(comparison: &Comparison) -> String {
    let test = match comparison.points {
        Some(_) => String::new(),
        None => format!(", {}, McNemar", significance(comparison.chance_if_equal)),
    };
    format!("On the same deals {}{test}.", compared(comparison))
}

#[cfg(test)]
mod tests {
    use super::rate_of;

    #[test]
    fn a_rate_is_not_rounded_to_all_or_nothing() {
        assert_eq!(rate_of(10, 10), "100.00 % (72.25 to 100.00)");
        assert_eq!(rate_of(0, 10_000), "0.00 % (0.00 to 0.04)");
        assert_eq!(rate_of(0, 0), "0.0 % (0.0 to 100.0)");
    }
}

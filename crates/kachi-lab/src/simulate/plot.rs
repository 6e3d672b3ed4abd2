//! The pictures of a run, drawn line by line: success against time, and where games are lost.

use crate::simulate::statistics::Interval;
use crate::simulate::summary::{Summary, Timing};
use kachi_core::svg::{Anchor, Drawing, Ink};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;

pub(super) const WIDTH: f64 = 760.0;
pub(super) const HEIGHT: f64 = 440.0;
pub(super) const LEFT: f64 = 70.0;
pub(super) const RIGHT: f64 = 30.0;
pub(super) const TOP: f64 = 56.0;
pub(super) const BOTTOM: f64 = 56.0;

/// The colours of the runs of one picture, in order.
const INKS: [Ink; 5] = [Ink::Mover, Ink::Other, Ink::Win, Ink::Mark, Ink::Plain];

/// A short name for settings: what they call `name`, otherwise the player with its game.
#[must_use]
pub fn name(settings: &Value) -> String {
    let word = |key: &str| settings.get(key).and_then(Value::as_str);
    word("name").or_else(|| word("player")).unwrap_or("run").to_owned()
}

/// A rectangle of the sheet with the ranges of its axes.
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Frame {
    pub(super) fn x(&self, share: f64) -> f64 {
        self.left + share.clamp(0.0, 1.0) * self.width
    }

    pub(super) fn y(&self, share: f64) -> f64 {
        self.top + (1.0 - share.clamp(0.0, 1.0)) * self.height
    }

    /// The frame's lower and left edge.
    pub(super) fn edges(&self, drawing: &mut Drawing) {
        let corner = (self.left, self.top + self.height);
        drawing.line(corner, (self.left + self.width, corner.1), 1.0, Ink::Plain, false);
        drawing.line(corner, (self.left, self.top), 1.0, Ink::Plain, false);
    }
}

/// Success against time, one colour a run: the curve says which share of all games was won within a time a game, the dot stands at the mean
/// time and the rate, with the 95 % interval of the rate.
#[must_use]
pub fn success_against_time(runs: &[(String, &Summary, &Timing)]) -> String {
    let describe = |(name, summary, timing): &(String, &Summary, &Timing)| {
        format!(
            "{name}: {} of {} games at {} a game on average",
            percent(summary.rate),
            grouped(summary.games),
            seconds(timing.mean)
        )
    };
    let words: Vec<String> = runs.iter().map(describe).collect();
    let height = HEIGHT + 18.0 * (runs.len() as f64 - 1.0).max(0.0);
    let mut drawing = Drawing::new(WIDTH, height, "Success against time", &words.join("; "));
    drawing.text(LEFT, 30.0, 17.0, Anchor::Start, Ink::Plain, "Success against time");
    let frame =
        Frame { left: LEFT, top: TOP, width: WIDTH - LEFT - RIGHT, height: HEIGHT - TOP - BOTTOM - 24.0 };
    frame.edges(&mut drawing);
    let times = runs.iter().flat_map(|(_, _, timing)| {
        timing.curve.first().into_iter().chain(timing.curve.last()).map(|point| point.seconds)
    });
    let decades = decades(times);
    let x = |time: f64| {
        let (low, high) = (f64::from(decades.0), f64::from(decades.1));
        frame.x((time.max(1e-9).log10() - low) / (high - low))
    };
    let grid = shares(runs.iter().map(|(_, summary, _)| summary.interval.high).fold(0.0, f64::max));
    let top = grid.last().copied().unwrap_or(1.0);
    let height = |share: f64| frame.y(share / top);
    for share in grid {
        let y = height(share);
        drawing.line((frame.left, y), (frame.left + frame.width, y), 0.5, Ink::Faint, true);
        drawing.text(frame.left - 8.0, y + 4.0, 12.0, Anchor::End, Ink::Faint, &percent(share));
    }
    for decade in decades.0..=decades.1 {
        let at = x(10_f64.powi(decade));
        let bottom = frame.top + frame.height;
        drawing.line((at, bottom), (at, bottom + 5.0), 1.0, Ink::Plain, false);
        drawing.text(at, bottom + 19.0, 12.0, Anchor::Middle, Ink::Faint, &seconds(10_f64.powi(decade)));
    }
    let middle = frame.left + frame.width / 2.0;
    let axis =
        if runs.iter().all(|(_, _, timing)| timing.cpu) { "processor time a game" } else { "time a game" };
    drawing.text(middle, frame.top + frame.height + 38.0, 12.0, Anchor::Middle, Ink::Faint, axis);
    // With more runs than colours, numbers tell them apart.
    let numbered = runs.len() > INKS.len();
    for (i, (_, summary, timing)) in runs.iter().enumerate() {
        let (ink, number) = (INKS[i % INKS.len()], (i + 1).to_string());
        let mut path = String::new();
        for (k, point) in timing.curve.iter().enumerate() {
            let letter = if k == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{letter}{:.1} {:.1}", x(point.seconds), height(point.won));
        }
        if !path.is_empty() {
            drawing.path(&path, 2.0, ink);
        }
        let at = x(timing.mean);
        let (low, high) = (height(summary.interval.low), height(summary.interval.high));
        drawing.line((at, low), (at, high), 2.0, ink, false);
        drawing.line((at - 5.0, low), (at + 5.0, low), 1.5, ink, false);
        drawing.line((at - 5.0, high), (at + 5.0, high), 1.5, ink, false);
        drawing.dot((at, height(summary.rate)), 4.0, ink);
        let y = HEIGHT - 16.0 + 18.0 * i as f64;
        if numbered {
            drawing.text(at, high - 5.0, 11.0, Anchor::Middle, ink, &number);
            if let Some(end) = timing.curve.last() {
                let (x, y) = (x(end.seconds) + 4.0, height(end.won) + 4.0);
                drawing.text(x, y, 11.0, Anchor::Start, ink, &number);
            }
            drawing.text(LEFT + 5.0, y, 13.0, Anchor::Middle, ink, &number);
        } else {
            drawing.dot((LEFT + 5.0, y - 4.0), 4.0, ink);
        }
        drawing.text(LEFT + 16.0, y, 13.0, Anchor::Start, Ink::Plain, &words[i]);
    }
    drawing.finish()
}

/// The shares at which lines are drawn, up to everything, or to a little more than the highest where that is far from it.
fn shares(highest: f64) -> Vec<f64> {
    const FAR: f64 = 0.4;
    const LEAST: f64 = 0.01;
    if highest > FAR { steps(0.0, 1.0) } else { steps(0.0, highest.max(LEAST)) }
}

/// The whole powers of ten around the times.
pub(super) fn decades(times: impl Iterator<Item = f64>) -> (i32, i32) {
    let mut around: Option<(f64, f64)> = None;
    for time in times.filter(|time| *time > 0.0) {
        let (low, high) = around.unwrap_or((time, time));
        around = Some((low.min(time), high.max(time)));
    }
    let (low, high) = around.unwrap_or((0.1, 0.1));
    let low = low.log10().floor() as i32;
    (low, (high.log10().ceil() as i32).max(low + 1))
}

/// Where games are lost: by the turn in which it was certain, and by what turned up then.
#[must_use]
pub fn where_games_are_lost(summary: &Summary) -> String {
    let (losses, games) = (grouped(summary.games.saturating_sub(summary.won)), grouped(summary.games));
    let worst = summary.lost.by_turn.iter().max_by_key(|&(_, count)| *count);
    let words = match worst {
        Some((turn, count)) => {
            format!("{losses} of {games} games lost; most of them, {}, in turn {turn}", grouped(*count))
        }
        None => format!("none of {games} games lost"),
    };
    let mut drawing = Drawing::new(WIDTH, HEIGHT, "Where games are lost", &words);
    let title = format!("Where games are lost: {}", name(&summary.settings));
    drawing.text(LEFT, 30.0, 17.0, Anchor::Start, Ink::Plain, &title);
    drawing.text(LEFT, 48.0, 12.0, Anchor::Start, Ink::Faint, &words);
    let height = (HEIGHT - TOP - 2.0 * BOTTOM - 10.0) / 2.0;
    let width = WIDTH - LEFT - RIGHT;
    let upper = Frame { left: LEFT, top: TOP + 12.0, width, height };
    let lower = Frame { left: LEFT, top: TOP + height + BOTTOM + 8.0, width, height };
    let last = summary.lost.by_turn.keys().max().copied().unwrap_or(1);
    let turns: Vec<(String, u64)> = (1..=last)
        .map(|turn| {
            let shown = if turn == 1 || turn.is_multiple_of(5) { turn.to_string() } else { String::new() };
            (shown, summary.lost.by_turn.get(&turn).copied().unwrap_or(0))
        })
        .collect();
    bars(&mut drawing, &upper, &turns, Ink::Lose, "turn in which the loss was certain");
    bars(&mut drawing, &lower, &in_order(&summary.lost.on), Ink::Mark, "what turned up in that turn");
    drawing.finish()
}

/// Cards in the order of their ranks, other words by the alphabet.
fn in_order(counts: &BTreeMap<String, u64>) -> Vec<(String, u64)> {
    const RANKS: &str = "A23456789TJQK";
    let place = |word: &str| if word.len() == 1 { RANKS.find(word) } else { None };
    let mut counts: Vec<(String, u64)> = counts.iter().map(|(word, &count)| (word.clone(), count)).collect();
    counts.sort_by_key(|(word, _)| (place(word).unwrap_or(RANKS.len()), word.clone()));
    counts
}

fn bars(drawing: &mut Drawing, frame: &Frame, bars: &[(String, u64)], ink: Ink, caption: &str) {
    frame.edges(drawing);
    let most = bars.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1);
    drawing.text(frame.left - 8.0, frame.y(1.0) + 4.0, 12.0, Anchor::End, Ink::Faint, &grouped(most));
    drawing.text(frame.left - 8.0, frame.y(0.0) + 4.0, 12.0, Anchor::End, Ink::Faint, "0");
    let step = frame.width / (bars.len() as f64).max(1.0);
    for (i, (word, count)) in bars.iter().enumerate() {
        let x = frame.left + (i as f64 + 0.5) * step;
        if *count > 0 {
            let top = frame.y(*count as f64 / most as f64);
            drawing.line(
                (x, frame.y(0.0) - 0.5),
                (x, top),
                (step * 0.7).clamp(1.0, 28.0).round(),
                ink,
                false,
            );
        }
        drawing.text(x, frame.y(0.0) + 15.0, 11.0, Anchor::Middle, Ink::Faint, word);
    }
    drawing.text(
        frame.left + frame.width / 2.0,
        frame.y(0.0) + 32.0,
        12.0,
        Anchor::Middle,
        Ink::Faint,
        caption,
    );
}

/// Players in a row, best at the top: the measure of each with its 95 % interval. Rates where games are won, means where they are played for points.
#[must_use]
pub fn ladder(title: &str, players: &[Summary]) -> String {
    let rungs: Vec<Rung> = players.iter().map(Rung::of).collect();
    let mut order: Vec<usize> = (0..rungs.len()).collect();
    order.sort_by(|&a, &b| rungs[b].at.total_cmp(&rungs[a].at));
    let unit = players.iter().find_map(|player| player.points.as_ref().map(|points| points.unit.clone()));
    let words: Vec<String> =
        order.iter().map(|&i| format!("{} {}", rungs[i].name, rungs[i].shown(unit.is_some()))).collect();
    // Letters of 13 points are about seven units wide, figures of 12 a little less.
    let longest = rungs.iter().map(|rung| rung.name.chars().count()).max().unwrap_or(0);
    let (name, step) = ((longest as f64 * 7.2 + 30.0).clamp(110.0, 340.0), 34.0);
    let shown: Vec<String> = rungs.iter().map(|rung| rung.shown(unit.is_some())).collect();
    let widest = shown.iter().map(|shown| shown.chars().count()).max().unwrap_or(0);
    let numbers = WIDTH - (widest as f64 * 6.6 + 20.0);
    let height = TOP + step * rungs.len() as f64 + BOTTOM;
    let mut drawing = Drawing::new(WIDTH, height, title, &words.join("; "));
    drawing.text(30.0, 30.0, 17.0, Anchor::Start, Ink::Plain, title);
    let frame =
        Frame { left: name, top: TOP, width: numbers - 18.0 - name, height: step * rungs.len() as f64 };
    let (low, high) = rungs.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), rung| {
        let Interval { low: from, high: to } =
            rung.interval.unwrap_or(Interval { low: rung.at, high: rung.at });
        (low.min(from), high.max(to))
    });
    let (low, high) = if unit.is_some() { (low.min(0.0), high.max(0.0)) } else { (low, high) };
    let grid = steps(low, high);
    let (first, last) = (grid.first().copied().unwrap_or(0.0), grid.last().copied().unwrap_or(1.0));
    let x = |value: f64| frame.x((value - first) / (last - first).max(1e-12));
    for &value in &grid {
        let ink = if unit.is_some() && value == 0.0 { Ink::Plain } else { Ink::Faint };
        drawing.line((x(value), frame.top), (x(value), frame.top + frame.height), 0.5, ink, value != 0.0);
        let shown = if unit.is_some() { format!("{value}") } else { percent(value) };
        drawing.text(x(value), frame.top + frame.height + 18.0, 12.0, Anchor::Middle, Ink::Faint, &shown);
    }
    for (row, &i) in order.iter().enumerate() {
        let (rung, y) = (&rungs[i], frame.top + step * (row as f64 + 0.5));
        drawing.text(name - 14.0, y + 4.0, 13.0, Anchor::End, Ink::Plain, &rung.name);
        if let Some(Interval { low, high }) = rung.interval {
            drawing.line((x(low), y), (x(high), y), 2.0, Ink::Mover, false);
            for end in [low, high] {
                drawing.line((x(end), y - 5.0), (x(end), y + 5.0), 1.5, Ink::Mover, false);
            }
        }
        drawing.dot((x(rung.at), y), 4.5, Ink::Mover);
        drawing.text(numbers, y + 4.0, 12.0, Anchor::Start, Ink::Faint, &shown[i]);
    }
    let games = players.first().map_or(0, |player| player.games);
    // Players with different numbers of deals share no number.
    let deals = match players.iter().all(|player| player.games == games) {
        true => format!("{} deals", grouped(games)),
        false => "all deals".to_owned(),
    };
    let caption = match &unit {
        Some(unit) => format!("{unit}, mean of {deals}, 95 % interval"),
        None => format!("share of {deals} won, 95 % interval"),
    };
    let middle = frame.left + frame.width / 2.0;
    drawing.text(middle, frame.top + frame.height + 38.0, 12.0, Anchor::Middle, Ink::Faint, &caption);
    drawing.finish()
}

/// A player's measure with its interval.
struct Rung {
    name: String,
    at: f64,
    interval: Option<Interval>,
}

impl Rung {
    fn of(player: &Summary) -> Rung {
        let (at, interval) = match &player.points {
            Some(points) => (points.mean.mean, points.mean.interval),
            None => (player.rate, Some(player.interval)),
        };
        Rung { name: name(&player.settings), at, interval }
    }

    fn shown(&self, points: bool) -> String {
        let at = self.at;
        match self.interval {
            Some(Interval { low, high }) if points => format!("{at:+.2} ({low:+.2} to {high:+.2})"),
            Some(Interval { low, high }) => {
                format!("{:.1} ({:.1} to {:.1}) %", 100.0 * at, 100.0 * low, 100.0 * high)
            }
            None => format!("{at:+.2} (no interval)"),
        }
    }
}

/// Round numbers from below `low` to above `high`, five or so.
pub(super) fn steps(low: f64, high: f64) -> Vec<f64> {
    if !(low.is_finite() && high.is_finite()) {
        return vec![0.0, 1.0];
    }
    let rough = ((high - low) / 5.0).max(1e-6);
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|step| *step >= rough);
    let step = step.unwrap_or(power);
    let (first, last) = ((low / step).floor() as i64, (high / step).ceil() as i64);
    // Multiples of a power of ten are printed as such: rounding to twelve places takes the noise away.
    (first..=last.max(first + 1)).map(|i| (i as f64 * step * 1e12).round() / 1e12).collect()
}

/// One bar for each level or size, on a logarithmic scale: counts of very different size.
#[must_use]
pub fn counts(title: &str, caption: &str, counts: &[(String, u64)]) -> String {
    let all: u64 = counts.iter().map(|(_, count)| count).sum();
    let words = format!("{} in all", grouped(all));
    let mut drawing = Drawing::new(WIDTH, HEIGHT, title, &words);
    drawing.text(LEFT, 30.0, 17.0, Anchor::Start, Ink::Plain, title);
    drawing.text(LEFT, 48.0, 12.0, Anchor::Start, Ink::Faint, &words);
    let frame = Frame {
        left: LEFT,
        top: TOP + 8.0,
        width: WIDTH - LEFT - RIGHT,
        height: HEIGHT - TOP - BOTTOM - 8.0,
    };
    frame.edges(&mut drawing);
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(1).max(10) as f64;
    let top = most.log10().ceil();
    for power in 0..=top as i32 {
        let y = frame.y(f64::from(power) / top);
        drawing.line((frame.left, y), (frame.left + frame.width, y), 0.5, Ink::Faint, true);
        drawing.text(frame.left - 8.0, y + 4.0, 12.0, Anchor::End, Ink::Faint, &short(power));
    }
    let step = frame.width / (counts.len() as f64).max(1.0);
    // Words under every bar would run into each other.
    let every = (counts.len() / 13).max(1);
    for (i, (word, count)) in counts.iter().enumerate() {
        let x = frame.left + (i as f64 + 0.5) * step;
        if *count > 0 {
            let y = frame.y(((*count as f64).log10() / top).max(0.012));
            let width = (step * 0.7).clamp(1.0, 40.0).round();
            drawing.line((x, frame.y(0.0) - 0.5), (x, y), width, Ink::Mover, false);
        }
        if i % every == 0 {
            drawing.text(x, frame.y(0.0) + 15.0, 11.0, Anchor::Middle, Ink::Faint, word);
        }
    }
    let middle = frame.left + frame.width / 2.0;
    drawing.text(middle, frame.y(0.0) + 34.0, 12.0, Anchor::Middle, Ink::Faint, caption);
    drawing.finish()
}

/// A power of ten in few letters.
fn short(power: i32) -> String {
    let (unit, rest) = match power {
        9.. => ("G", power - 9),
        6.. => ("M", power - 6),
        3.. => ("k", power - 3),
        _ => ("", power),
    };
    format!("{}{unit}", 10_i64.pow(rest.clamp(0, 9) as u32))
}

/// A number with its thousands apart.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `70 %`, `67.5 %`, `99.96 %`: no more digits than it takes to tell it from all and nothing.
pub(super) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if (percent - percent.round()).abs() < 1e-9 {
        format!("{percent:.0} %")
    } else if !(1.0..=99.0).contains(&percent) {
        format!("{percent:.2} %")
    } else {
        format!("{percent:.1} %")
    }
}

/// A time with the unit that suits it.
#[must_use]
pub fn seconds(time: f64) -> String {
    let (number, unit) = match time {
        time if time >= 1.0 => (time, "s"),
        time if time >= 1e-3 => (time * 1e3, "ms"),
        time => (time * 1e6, "µs"),
    };
    if number >= 100.0 || (number - number.round()).abs() < 1e-9 {
        format!("{number:.0} {unit}")
    } else if number >= 10.0 {
        format!("{number:.1} {unit}")
    } else {
        format!("{number:.2} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::{Cost, Measure, Played};

    /// A picture of players who each win so many of a hundred games.
    fn drawn(won: &[u64]) -> String {
        let played = |won: u64| (1..=100).map(move |seed| (seed, seed <= won));
        let summed: Vec<(Summary, Timing)> = (won.iter())
            .map(|&won| {
                let games = played(won).map(|(seed, won)| Played { seed, won, turn: 9, score: 0, on: None });
                let costs: Vec<(Cost, bool)> = played(won)
                    .map(|(seed, won)| (Cost { seed, seconds: 0.01 * seed as f64, cpu: None }, won))
                    .collect();
                (Summary::of(Value::Null, Measure::Wins, games), Timing::of(&costs, 100))
            })
            .collect();
        let runs: Vec<(String, &Summary, &Timing)> =
            summed.iter().map(|(summary, timing)| ("player".to_owned(), summary, timing)).collect();
        success_against_time(&runs)
    }

    #[test]
    fn few_wins_are_not_pressed_to_the_ground() {
        assert!(drawn(&[60]).contains(">100 %<"));
        let few = drawn(&[0, 5]);
        assert!(few.contains(">15 %<") && !few.contains(">100 %<"), "{few}");
        assert!(drawn(&[0]).contains(">4 %<"), "nothing won: up to its interval");
    }

    #[test]
    fn runs_beyond_the_colours_are_told_apart_by_numbers() {
        let number = |picture: &str, number: usize| picture.matches(&format!(">{number}</text>")).count();
        let many = drawn(&[50; 7]);
        // At the dot, at the end of the curve, and at the name.
        assert!((1..=7).all(|run| number(&many, run) == 3), "{many}");
        assert_eq!(number(&drawn(&[50; 5]), 1), 0);
    }
}

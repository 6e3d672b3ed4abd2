//! The pictures of a run, drawn line by line: success against time, and where games are lost.

use crate::simulate::summary::{Summary, Timing};
use kachi_core::svg::{Anchor, Drawing, Ink};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 30.0;
const TOP: f64 = 56.0;
const BOTTOM: f64 = 56.0;

/// The colours of the runs of one picture, in order.
const INKS: [Ink; 5] = [Ink::Mover, Ink::Other, Ink::Win, Ink::Mark, Ink::Plain];

/// A short name for settings: what they call `name`, otherwise the player with its game.
#[must_use]
pub fn name(settings: &Value) -> String {
    let word = |key: &str| settings.get(key).and_then(Value::as_str);
    word("name").or_else(|| word("player")).unwrap_or("run").to_owned()
}

/// A rectangle of the sheet with the ranges of its axes.
struct Frame {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Frame {
    fn x(&self, share: f64) -> f64 {
        self.left + share.clamp(0.0, 1.0) * self.width
    }

    fn y(&self, share: f64) -> f64 {
        self.top + (1.0 - share.clamp(0.0, 1.0)) * self.height
    }

    /// The frame's lower and left edge.
    fn edges(&self, drawing: &mut Drawing) {
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
            summary.games,
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
    for share in [0.0, 0.2, 0.4, 0.6, 0.8, 1.0] {
        let y = frame.y(share);
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
    for (i, (_, summary, timing)) in runs.iter().enumerate() {
        let ink = INKS[i % INKS.len()];
        let mut path = String::new();
        for (k, point) in timing.curve.iter().enumerate() {
            let letter = if k == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{letter}{:.1} {:.1}", x(point.seconds), frame.y(point.won));
        }
        if !path.is_empty() {
            drawing.path(&path, 2.0, ink);
        }
        let at = x(timing.mean);
        let (low, high) = (frame.y(summary.interval.low), frame.y(summary.interval.high));
        drawing.line((at, low), (at, high), 2.0, ink, false);
        drawing.line((at - 5.0, low), (at + 5.0, low), 1.5, ink, false);
        drawing.line((at - 5.0, high), (at + 5.0, high), 1.5, ink, false);
        drawing.dot((at, frame.y(summary.rate)), 4.0, ink);
        let y = HEIGHT - 16.0 + 18.0 * i as f64;
        drawing.dot((LEFT + 5.0, y - 4.0), 4.0, ink);
        drawing.text(LEFT + 16.0, y, 13.0, Anchor::Start, Ink::Plain, &words[i]);
    }
    drawing.finish()
}

/// The whole powers of ten around the times.
fn decades(times: impl Iterator<Item = f64>) -> (i32, i32) {
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
    let losses = summary.games - summary.won;
    let worst = summary.lost.by_turn.iter().max_by_key(|&(_, count)| *count);
    let words = match worst {
        Some((turn, count)) => {
            format!("{losses} of {} games lost; most of them, {count}, in turn {turn}", summary.games)
        }
        None => format!("none of {} games lost", summary.games),
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
    drawing.text(frame.left - 8.0, frame.y(1.0) + 4.0, 12.0, Anchor::End, Ink::Faint, &most.to_string());
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

fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if (percent - percent.round()).abs() < 1e-9 {
        format!("{percent:.0} %")
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

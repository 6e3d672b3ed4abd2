//! Players of one game side by side: what each wins, against what it costs. Made from recorded runs, where each player has one dot.

use super::plot::{BOTTOM, Frame, HEIGHT, LEFT, RIGHT, TOP, WIDTH, decades, percent, seconds, steps};
use kachi_core::svg::{Anchor, Drawing, Ink};

/// About the room that a name takes.
const NAME_WIDTH: f64 = 90.0;
const NAME_HEIGHT: f64 = 24.0;

/// A measured player.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// Its name.
    pub player: String,
    /// Seconds a game.
    pub seconds: f64,
    /// The share of games won.
    pub rate: f64,
    /// The interval of the share.
    pub interval: (f64, f64),
}

/// Success against time for several players: a dot with its interval for each, and the line of the best for the time they take. Nothing without a player that took time.
///
/// ```
/// use kachi_lab::simulate::frontier::{Measured, success_by_player};
/// let player = |name: &str, seconds, rate| {
///     Measured { player: name.to_owned(), seconds, rate, interval: (rate - 0.01, rate + 0.01) }
/// };
/// let picture = success_by_player("Three stacks", &[player("quick", 0.01, 0.7), player("deep", 0.3, 0.8)]).unwrap();
/// assert!(picture.contains("deep") && picture.contains("300 ms"));
/// assert_eq!(success_by_player("nobody", &[]), None);
/// ```
#[must_use]
pub fn success_by_player(title: &str, players: &[Measured]) -> Option<String> {
    let mut players: Vec<&Measured> = players.iter().filter(|one| one.seconds > 0.0).collect();
    if players.is_empty() {
        return None;
    }
    players.sort_by(|a, b| a.seconds.total_cmp(&b.seconds).then_with(|| a.player.cmp(&b.player)));
    let words: Vec<String> = players
        .iter()
        .map(|one| format!("{} {} at {}", one.player, percent(one.rate), seconds(one.seconds)))
        .collect();
    let mut drawing = Drawing::new(WIDTH, HEIGHT, title, &words.join("; "));
    drawing.text(LEFT, 30.0, 17.0, Anchor::Start, Ink::Plain, title);
    let frame = Frame { left: LEFT, top: TOP, width: WIDTH - LEFT - RIGHT, height: HEIGHT - TOP - BOTTOM };
    frame.edges(&mut drawing);
    let (first, last) = decades(players.iter().map(|one| one.seconds));
    let x = |time: f64| frame.x((time.log10() - f64::from(first)) / f64::from(last - first));
    for power in first..=last {
        let time = 10_f64.powi(power);
        drawing.line((x(time), frame.y(0.0)), (x(time), frame.y(1.0)), 0.5, Ink::Faint, true);
        drawing.text(x(time), frame.y(0.0) + 18.0, 12.0, Anchor::Middle, Ink::Faint, &seconds(time));
    }
    let low = players.iter().map(|one| one.interval.0).fold(f64::INFINITY, f64::min);
    let high = players.iter().map(|one| one.interval.1).fold(f64::NEG_INFINITY, f64::max);
    let grid = steps(low, high);
    let (bottom, top) = (grid.first().copied().unwrap_or(0.0), grid.last().copied().unwrap_or(1.0));
    let y = |share: f64| frame.y((share - bottom) / (top - bottom).max(1e-12));
    // Neighbouring lines must not carry the same number.
    let digits = if grid.windows(2).all(|pair| pair[1] - pair[0] > 0.000_9) { 1 } else { 2 };
    for &share in &grid {
        let shown = format!("{:.digits$} %", 100.0 * share);
        drawing.line((LEFT, y(share)), (LEFT + frame.width, y(share)), 0.5, Ink::Faint, true);
        drawing.text(LEFT - 8.0, y(share) + 4.0, 12.0, Anchor::End, Ink::Faint, &shown);
    }
    let best = best_by_time(&players);
    for pair in best.windows(2) {
        let (from, to) = ((x(pair[0].seconds), y(pair[0].rate)), (x(pair[1].seconds), y(pair[1].rate)));
        drawing.line(from, (to.0, from.1), 1.5, Ink::Mover, false);
        drawing.line((to.0, from.1), to, 1.5, Ink::Mover, false);
    }
    for one in &players {
        let at = (x(one.seconds), y(one.rate));
        let ink = if best.contains(one) { Ink::Mover } else { Ink::Other };
        drawing.line((at.0, y(one.interval.0)), (at.0, y(one.interval.1)), 1.5, ink, false);
        drawing.dot(at, 4.5, ink);
        // A name stays inside the frame, above the line that leads on to the right, and off the dots to its right.
        let crowded = players.iter().any(|other| {
            let (right, below) = (x(other.seconds) - at.0, y(other.rate) - at.1);
            right > 0.0 && right < NAME_WIDTH && below.abs() < NAME_HEIGHT
        });
        let leftwards = at.0 > LEFT + 0.8 * frame.width || crowded && at.0 > LEFT + NAME_WIDTH;
        let (dx, anchor) = if leftwards { (-9.0, Anchor::End) } else { (9.0, Anchor::Start) };
        drawing.text(at.0 + dx, at.1 - 7.0, 12.0, anchor, Ink::Plain, &one.player);
    }
    let middle = frame.left + frame.width / 2.0;
    let caption = "processor time a game, one core; share of deals won, 95 % interval";
    drawing.text(middle, frame.y(0.0) + 38.0, 12.0, Anchor::Middle, Ink::Faint, caption);
    Some(drawing.finish())
}

/// The players, by time, that win more than every faster one.
fn best_by_time<'p>(players: &[&'p Measured]) -> Vec<&'p Measured> {
    let mut best: Vec<&Measured> = Vec::new();
    for &one in players {
        if best.last().is_none_or(|last| one.rate > last.rate) {
            best.push(one);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(name: &str, seconds: f64, rate: f64) -> Measured {
        Measured { player: name.to_owned(), seconds, rate, interval: (rate - 0.01, rate + 0.01) }
    }

    #[test]
    fn only_players_that_no_faster_one_beats_are_on_the_line() {
        let players =
            [player("a", 0.01, 0.7), player("b", 0.1, 0.65), player("c", 0.2, 0.7), player("d", 1.0, 0.8)];
        let best = best_by_time(&players.iter().collect::<Vec<_>>());
        let names: Vec<&str> = best.iter().map(|one| one.player.as_str()).collect();
        assert_eq!(names, ["a", "d"]);
    }

    #[test]
    fn close_players_are_told_apart_on_the_axis() {
        let mut close = player("a", 0.3, 0.9966);
        close.interval = (0.9953, 0.9976);
        let picture = success_by_player("close", &[close]).unwrap_or_default();
        assert!(picture.contains("99.55 %") && picture.contains("99.60 %"), "{picture}");
    }

    #[test]
    fn one_player_and_players_without_time_are_drawn_or_left_out() {
        assert!(success_by_player("one", &[player("a", 0.5, 0.99)]).is_some());
        assert_eq!(success_by_player("none", &[player("a", 0.0, 0.99)]), None);
    }
}

//! Players of one game side by side: what each wins, against what it costs. Made from recorded runs, where each player has one dot.

use super::names::{Names, Room};
use super::plot::{BOTTOM, Frame, HEIGHT, LEFT, RIGHT, TOP, WIDTH, decades, percent, seconds, steps};
use kachi_core::svg::{Anchor, Drawing, Ink};

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
    let axis = Axis::between(low, high);
    let y = |share: f64| frame.y(axis.height(share));
    for (&share, shown) in axis.grid.iter().zip(axis.words()) {
        drawing.line((LEFT, y(share)), (LEFT + frame.width, y(share)), 0.5, Ink::Faint, true);
        drawing.text(LEFT - 8.0, y(share) + 4.0, 12.0, Anchor::End, Ink::Faint, &shown);
    }
    let best = best_by_time(&players);
    for pair in best.windows(2) {
        let (from, to) = ((x(pair[0].seconds), y(pair[0].rate)), (x(pair[1].seconds), y(pair[1].rate)));
        drawing.line(from, (to.0, from.1), 1.5, Ink::Mover, false);
        drawing.line((to.0, from.1), to, 1.5, Ink::Mover, false);
    }
    let dots = players.iter().map(|one| Room::around((x(one.seconds), y(one.rate))));
    let bars = players.iter().map(|one| {
        let (left, right) = (x(one.seconds) - 1.0, x(one.seconds) + 1.0);
        Room { left, top: y(one.interval.1), right, bottom: y(one.interval.0) }
    });
    let line: Vec<(f64, f64)> = best.iter().map(|one| (x(one.seconds), y(one.rate))).collect();
    let stairs = line.windows(2).flat_map(|pair| {
        let corner = (pair[1].0, pair[0].1);
        [Room::between(pair[0], corner), Room::between(corner, pair[1])]
    });
    let mut names = Names {
        frame: Room::of(&frame),
        dots: players.iter().map(|one| (x(one.seconds), y(one.rate))).collect(),
        taken: dots.chain(bars).collect(),
        line: stairs.collect(),
    };
    for one in &players {
        let at = (x(one.seconds), y(one.rate));
        let ink = if best.contains(one) { Ink::Mover } else { Ink::Other };
        drawing.line((at.0, y(one.interval.0)), (at.0, y(one.interval.1)), 1.5, ink, false);
        drawing.dot(at, 4.5, ink);
        let (room, is_tied) = names.place(at, &one.player);
        if is_tied {
            drawing.line(at, room.nearest(at), 0.75, Ink::Faint, false);
        }
        // Letters differ in width: the end that is nearer to the dot stays where it is.
        let (end, anchor) = match () {
            () if room.left > at.0 => (room.left, Anchor::Start),
            () if room.right < at.0 => (room.right, Anchor::End),
            () => (f64::midpoint(room.left, room.right), Anchor::Middle),
        };
        drawing.text(end, room.bottom - 2.0, 12.0, anchor, Ink::Plain, &one.player);
    }
    let middle = frame.left + frame.width / 2.0;
    let caption = match axis.by_odds {
        true => "processor time a game, one core; share of deals won, by its log-odds, 95 % interval",
        false => "processor time a game, one core; share of deals won, 95 % interval",
    };
    drawing.text(middle, frame.y(0.0) + 38.0, 12.0, Anchor::Middle, Ink::Faint, caption);
    Some(drawing.finish())
}

/// How shares are laid out: evenly, or by their log-odds where some players win nearly everything and others far less, which an even axis would press into one line.
struct Axis {
    grid: Vec<f64>,
    by_odds: bool,
}

/// The log-odds from lowest to highest beyond which they make the axis.
const WIDE: f64 = 3.0;

/// Lines of such an axis.
const ROUND: [f64; 25] = [
    0.000_001, 0.000_1, 0.000_5, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9,
    0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.999_5, 0.999_9, 0.999_999,
];

impl Axis {
    fn between(low: f64, high: f64) -> Axis {
        let by_odds = log_odds(high) - log_odds(low) > WIDE;
        let round = || ROUND.iter().copied();
        let grid = if by_odds {
            let from = round().filter(|&line| line <= low).fold(ROUND[0], f64::max);
            let to = round().filter(|&line| line >= high).fold(ROUND[ROUND.len() - 1], f64::min);
            round().filter(|line| (from..=to).contains(line)).collect()
        } else {
            steps(low, high)
        };
        Axis { grid, by_odds }
    }

    /// What is written at the lines: the same number of digits at all of them, or, by log-odds, as many as each needs.
    fn words(&self) -> Vec<String> {
        // Neighbouring lines must not carry the same number.
        let digits = if self.grid.windows(2).all(|pair| pair[1] - pair[0] > 0.000_9) { 1 } else { 2 };
        let even = |share: &f64| format!("{:.digits$} %", 100.0 * share);
        let short = |share: &f64| format!("{} %", (1e4 * share).round() / 100.0);
        self.grid.iter().map(|share| if self.by_odds { short(share) } else { even(share) }).collect()
    }

    /// Where a share stands, from 0 at the bottom to 1 at the top.
    fn height(&self, share: f64) -> f64 {
        let place = |share: f64| if self.by_odds { log_odds(share) } else { share };
        let bottom = place(self.grid.first().copied().unwrap_or(0.0));
        let top = place(self.grid.last().copied().unwrap_or(1.0));
        (place(share) - bottom) / (top - bottom).max(1e-12)
    }
}

fn log_odds(share: f64) -> f64 {
    let share = share.clamp(ROUND[0], ROUND[ROUND.len() - 1]);
    (share / (1.0 - share)).ln()
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
    fn nearly_everything_is_told_apart_beside_much_less() {
        let axis = Axis::between(0.607, 0.9976);
        assert!(axis.by_odds && !Axis::between(0.01, 0.05).by_odds);
        assert_eq!((axis.grid.first(), axis.grid.last()), (Some(&0.5), Some(&0.998)));
        assert!(axis.height(0.9966) - axis.height(0.9935) > 0.05);
        assert!(axis.grid.windows(2).all(|pair| axis.height(pair[0]) < axis.height(pair[1])));
        let whole = Axis::between(0.0, 1.0);
        assert!(
            (whole.height(0.0), whole.height(1.0)) == (0.0, 1.0),
            "shares of nothing and everything are drawn too"
        );
    }

    #[test]
    fn one_player_and_players_without_time_are_drawn_or_left_out() {
        assert!(success_by_player("one", &[player("a", 0.5, 0.99)]).is_some());
        assert_eq!(success_by_player("none", &[player("a", 0.0, 0.99)]), None);
    }
}

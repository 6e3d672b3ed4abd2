//! Intervals. Rates get Wilson's score interval; the difference of two players who met the same deals gets Newcombe's score interval for paired
//! proportions (method 10 of his paper of 1998), and McNemar's exact test. Means get Student's interval.

use serde::{Deserialize, Serialize};

/// The 97.5 % point of the normal distribution: all intervals here are 95 % intervals.
pub const Z: f64 = 1.959_963_984_540_054;

/// A range that covers the truth in 95 of 100 runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    /// The interval of the opposite number.
    #[must_use]
    pub fn negated(self) -> Interval {
        Interval { low: -self.high, high: -self.low }
    }

    /// Half its width.
    #[must_use]
    pub fn half(self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// Wilson's score interval of a rate. Nothing is known without games.
///
/// ```
/// use kachi_lab::simulate::statistics::wilson;
/// let interval = wilson(6749, 10_000);
/// assert!((interval.low - 0.6657).abs() < 1e-4 && (interval.high - 0.6840).abs() < 1e-4);
/// ```
#[must_use]
pub fn wilson(won: u64, games: u64) -> Interval {
    if games == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let n = games as f64;
    let p = won as f64 / n;
    let spread = Z * Z / n;
    let centre = (p + spread / 2.0) / (1.0 + spread);
    let half = Z * (p * (1.0 - p) / n + spread / (4.0 * n)).sqrt() / (1.0 + spread);
    // Where nothing or everything was won the end is exact; rounding must not move it.
    let low = if won == 0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if won == games { 1.0 } else { (centre + half).min(1.0) };
    Interval { low, high }
}

/// A mean with Student's 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Its 95 % interval; none if there are fewer than two values, which say nothing about how much values differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// The standard deviation of a single value.
    pub deviation: f64,
}

impl Mean {
    /// The mean of values that know nothing of each other.
    #[must_use]
    pub fn of(values: &[f64]) -> Mean {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count.max(1.0);
        let variance =
            values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
        let half = student(values.len().saturating_sub(1)) * (variance / count.max(1.0)).sqrt();
        let interval = (values.len() > 1).then_some(Interval { low: mean - half, high: mean + half });
        Mean { mean, interval, deviation: variance.sqrt() }
    }
}

/// The 97.5 % point of Student's distribution: exact for 1 and 2 degrees of freedom, and from 3 on by the expansion of Cornish and Fisher, within 1 %.
fn student(freedom: usize) -> f64 {
    match freedom {
        1 => return 12.706_204_736_432_095,
        2 => return 4.302_652_729_696_142,
        _ => {}
    }
    let n = (freedom as f64).max(1.0);
    let z = Z;
    let terms = [
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
    ];
    terms.iter().rev().fold(0.0, |sum, term| (sum + term) / n) + z
}

/// Two players on the same deals: how often both won, only one did, or neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Paired {
    /// Deals that both won.
    pub both: u64,
    /// Deals that only the first won.
    pub only_first: u64,
    /// Deals that only the second won.
    pub only_second: u64,
    /// Deals that both lost.
    pub neither: u64,
}

impl Paired {
    /// Records one deal.
    pub fn record(&mut self, first: bool, second: bool) {
        *match (first, second) {
            (true, true) => &mut self.both,
            (true, false) => &mut self.only_first,
            (false, true) => &mut self.only_second,
            (false, false) => &mut self.neither,
        } += 1;
    }

    /// Deals that both played.
    #[must_use]
    pub fn games(self) -> u64 {
        self.both + self.only_first + self.only_second + self.neither
    }

    /// The rates of the two players.
    #[must_use]
    pub fn rates(self) -> [f64; 2] {
        let n = (self.games() as f64).max(1.0);
        [self.both + self.only_first, self.both + self.only_second].map(|won| won as f64 / n)
    }

    /// By how much the first is better.
    #[must_use]
    pub fn difference(self) -> f64 {
        let [first, second] = self.rates();
        first - second
    }

    /// Newcombe's interval of the difference. Deals that both win or both lose say little about it, so it is much narrower than the intervals of the
    /// two rates suggest.
    #[must_use]
    pub fn interval(self) -> Interval {
        let n = self.games();
        if n == 0 {
            return Interval { low: -1.0, high: 1.0 };
        }
        let [first, second] = self.rates();
        let [of_first, of_second] =
            [self.both + self.only_first, self.both + self.only_second].map(|won| wilson(won, n));
        let correlation = self.correlation();
        let mixed = |a: f64, b: f64| (a * a - 2.0 * correlation * a * b + b * b).max(0.0).sqrt();
        let low = mixed(first - of_first.low, of_second.high - second);
        let high = mixed(of_first.high - first, second - of_second.low);
        let difference = first - second;
        Interval { low: (difference - low).max(-1.0), high: (difference + high).min(1.0) }
    }

    /// The correlation of the two players' outcomes, with Newcombe's correction for continuity when it is positive.
    fn correlation(self) -> f64 {
        let [both, first, second, neither] =
            [self.both, self.only_first, self.only_second, self.neither].map(|count| count as f64);
        let product = (both + first) * (second + neither) * (both + second) * (first + neither);
        if product <= 0.0 {
            return 0.0;
        }
        let mixed = both * neither - first * second;
        let corrected = if mixed > 0.0 { (mixed - self.games() as f64 / 2.0).max(0.0) } else { mixed };
        corrected / product.sqrt()
    }

    /// McNemar's exact test: how likely so lopsided a split of the deals that told the players apart is when they are equally good.
    #[must_use]
    pub fn chance_if_equal(self) -> f64 {
        let (fewer, told) = (self.only_first.min(self.only_second), self.only_first + self.only_second);
        if told == 0 {
            return 1.0;
        }
        // The terms of the binomial tail by their logarithms: two to the power of minus ten thousand is no number of a computer.
        let mut log_term = -(told as f64) * std::f64::consts::LN_2;
        let mut sum = log_term.exp();
        for k in 1..=fewer {
            log_term += ((told - k + 1) as f64 / k as f64).ln();
            sum += log_term.exp();
        }
        (2.0 * sum).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    #[test]
    fn wilson_matches_published_values() {
        // Newcombe 1998, Two-sided confidence intervals for the single proportion, table I.
        for (won, games, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let interval = wilson(won, games);
            near(interval.low, low, 5e-5);
            near(interval.high, high, 5e-5);
        }
        assert_eq!(wilson(0, 0), Interval { low: 0.0, high: 1.0 });
        assert!(wilson(5, 5).high >= 1.0);
    }

    #[test]
    fn paired_intervals_match_published_values() {
        // Newcombe 1998, Improved confidence intervals for the difference between binomial proportions based on paired data, table II, method 10.
        for (cells, low, high) in [
            ((36, 12, 2, 0), 0.0569, 0.3404),
            ((20, 12, 2, 16), 0.0562, 0.3292),
            ((54, 0, 0, 0), -0.0664, 0.0664),
        ] {
            let (both, only_first, only_second, neither) = cells;
            let interval = Paired { both, only_first, only_second, neither }.interval();
            near(interval.low, low, 2e-4);
            near(interval.high, high, 2e-4);
        }
    }

    #[test]
    fn means_have_students_interval() {
        near(student(1), 12.7062, 1e-4);
        near(student(2), 4.3027, 1e-4);
        for (freedom, point) in
            [(3, 3.182), (4, 2.776), (9, 2.262), (30, 2.042), (120, 1.980), (100_000, 1.960)]
        {
            near(student(freedom), point, 0.01 * point);
        }
        let mean = Mean::of(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        near(mean.mean, 3.0, 1e-12);
        near(mean.deviation, 2.5_f64.sqrt(), 1e-12);
        near(mean.interval.map_or(0.0, Interval::half), 2.776 * (0.5_f64).sqrt(), 0.01);
        let two = Mean::of(&[1.0, 3.0]);
        near(two.interval.map_or(0.0, Interval::half), 12.7062, 1e-4);
        near(Mean::of(&[]).mean, 0.0, 0.0);
    }

    #[test]
    fn one_value_alone_has_no_interval() {
        let (one, more) = (Mean::of(&[7.0]), Mean::of(&[7.0, 7.0]));
        assert_eq!((one.mean, one.interval), (7.0, None));
        assert_eq!(more.interval, Some(Interval { low: 7.0, high: 7.0 }));
        // Whoever reads JSON finds no interval, and what was written before there were such means reads as it did.
        let text = serde_json::to_string(&one).unwrap();
        assert_eq!(text, r#"{"mean":7.0,"deviation":0.0}"#);
        assert_eq!(serde_json::from_str::<Mean>(&text).unwrap(), one);
        let text = r#"{"mean":7.0,"interval":{"low":7.0,"high":7.0},"deviation":0.0}"#;
        assert_eq!(serde_json::to_string(&more).unwrap(), text);
        assert_eq!(serde_json::from_str::<Mean>(text).unwrap(), more);
    }

    #[test]
    fn the_exact_test_is_the_binomial_tail() {
        let paired = |only_first, only_second| Paired { both: 3, only_first, only_second, neither: 9 };
        near(paired(12, 2).chance_if_equal(), 2.0 * (1.0 + 14.0 + 91.0) / 16384.0, 1e-12);
        near(paired(2, 12).chance_if_equal(), paired(12, 2).chance_if_equal(), 0.0);
        near(paired(0, 0).chance_if_equal(), 1.0, 0.0);
        near(paired(5, 5).chance_if_equal(), 1.0, 0.0);
        assert!(paired(4000, 2000).chance_if_equal() < 1e-100);
    }

    #[test]
    fn a_pair_of_equal_players_has_no_difference() {
        let mut paired = Paired::default();
        for seed in 0..100 {
            paired.record(seed % 3 == 0, seed % 3 == 0);
        }
        assert_eq!((paired.games(), paired.only_first, paired.only_second), (100, 0, 0));
        assert!(paired.difference().abs() < 1e-12 && paired.interval().half() < 0.05);
    }
}

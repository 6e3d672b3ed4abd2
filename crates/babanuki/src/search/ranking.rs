//! Numbering count vectors without gaps and without hashing: the combinatorial number system.
//!
//! A vector of `E` counts with sum `n` has the prefix sums `s_0 <= s_1 <= ...`; its number is the sum of
//! `C(s_k + k, k + 1)` over `k < E - 1`. Moving one label from one class to another changes a run of prefix sums
//! by one, so the numbers of all children follow from two running sums.

/// The binomial coefficient, or `u64::MAX` when it does not fit.
pub fn binomial(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    let mut value: u128 = 1;
    for i in 0..k.min(n - k) {
        // Exact: the product of i + 1 consecutive numbers is divisible by (i + 1)!.
        value = value * u128::from(n - i) / u128::from(i + 1);
        if value > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    value as u64
}

/// How many vectors of `classes` counts have the sum `labels`.
pub fn vectors(classes: usize, labels: u32) -> u64 {
    match classes {
        0 => u64::from(labels == 0),
        _ => binomial(u64::from(labels) + classes as u64 - 1, classes as u64 - 1),
    }
}

/// The numbers of all vectors of `classes` counts with the sum `labels`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranking {
    classes: usize,
    labels: usize,
    /// `share[k][s] = C(s + k, k + 1)`: what prefix sum `s` at place `k` adds to the number.
    share: Vec<u64>,
    /// `slope[k][s] = share[k][s] - share[k][s - 1]`, and 0 for `s = 0`.
    slope: Vec<u64>,
}

impl Ranking {
    /// The numbering; the caller makes sure that the largest number fits.
    pub fn new(classes: usize, labels: u32) -> Ranking {
        let width = labels as usize + 2;
        let (mut share, mut slope) = (Vec::new(), Vec::new());
        for k in 0..classes as u64 {
            for s in 0..width as u64 {
                share.push(binomial(s + k, k + 1));
                slope.push(if s == 0 { 0 } else { binomial(s + k - 1, k) });
            }
        }
        Ranking { classes, labels: labels as usize, share, slope }
    }

    fn at(&self, k: usize, s: usize) -> usize {
        k * (self.labels + 2) + s
    }

    /// What the prefix sum `sum` at place `k` adds to the number of a vector, whatever its length and sum.
    pub fn share(&self, k: usize, sum: u32) -> u64 {
        self.share[self.at(k, sum as usize)]
    }

    /// The number of a vector; it may have fewer classes and a smaller sum than this ranking was made for.
    pub fn number(&self, counts: &[u32]) -> u64 {
        let mut sum = 0;
        let prefix = &counts[..counts.len().saturating_sub(1)];
        prefix.iter().enumerate().fold(0, |number, (k, &count)| {
            sum += count as usize;
            number + self.share[self.at(k, sum)]
        })
    }

    /// The vector with this number.
    pub fn vector(&self, mut number: u64, counts: &mut [u32]) {
        let mut above = self.labels;
        for k in (0..self.classes.saturating_sub(1)).rev() {
            let mut sum = above;
            while self.share[self.at(k, sum)] > number {
                sum -= 1;
            }
            number -= self.share[self.at(k, sum)];
            counts[k + 1] = (above - sum) as u32;
            above = sum;
        }
        counts[0] = above as u32;
    }

    /// The vector with the next number.
    pub fn advance(&self, counts: &mut [u32]) {
        // One label moves from the first class after the leading zeros' successor down; what stood before it is
        // gathered there: the smallest prefix sum that can grow grows, all before it become zero.
        let Some(k) = (1..self.classes).find(|&k| counts[k] > 0) else { return };
        let gathered = counts[..k].iter().sum::<u32>();
        counts[..k].fill(0);
        counts[k] -= 1;
        counts[k - 1] = gathered + 1;
    }

    /// Fills `down[k]` with the sum of slopes of the places before `k` and `up[k]` with the same one label higher; gives
    /// the vector's number.
    pub fn slopes(&self, counts: &[u32], down: &mut [u64], up: &mut [u64]) -> u64 {
        let (mut sum, mut number) = (0, 0);
        let (mut low, mut high) = (0, 0);
        for (k, &count) in counts[..self.classes].iter().enumerate() {
            sum += count as usize;
            (down[k], up[k]) = (low, high);
            let at = self.at(k, sum);
            // The last prefix sum is always `labels` and takes no part in the number.
            if k + 1 < self.classes {
                number += self.share[at];
                low += self.slope[at];
                high += self.slope[at + 1];
            }
        }
        number
    }
}

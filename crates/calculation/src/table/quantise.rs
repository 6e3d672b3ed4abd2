//! Chances in sixteen bits. 0 is kept exactly, and so is 1; between them codes stand at equal steps of the logarithm, down to the
//! smallest chance of the layer. A stored chance differs from the true one by at most the factor [`Scale::bound`] tells.

/// The codes of one layer.
#[derive(Debug, Clone)]
pub struct Scale {
    step: f64,
    coarse: Box<[f64; 256]>,
    fine: Box<[f64; 256]>,
}

/// The code of 1.
const ONE: u16 = u16::MAX;

impl Scale {
    /// A scale that reaches from 1 down to the smallest positive chance.
    #[must_use]
    pub fn down_to(smallest: f64) -> Scale {
        Scale::of_step((-smallest.log2()).max(0.0) / f64::from(ONE - 1))
    }

    /// The scale whose neighbouring codes are `step` apart in the binary logarithm.
    #[must_use]
    pub fn of_step(step: f64) -> Scale {
        let power = |times: f64| Box::new(std::array::from_fn(|i| (-step * times * i as f64).exp2()));
        Scale { step, coarse: power(256.0), fine: power(1.0) }
    }

    /// The distance of neighbouring codes in the binary logarithm.
    #[must_use]
    pub fn step(&self) -> f64 {
        self.step
    }

    /// A stored chance s of a true chance t satisfies |s - t| <= bound * t.
    #[must_use]
    pub fn bound(&self) -> f64 {
        // Half a step, and a little for the rounding of logarithm and power.
        (self.step / 2.0 + 1e-12).exp2() - 1.0
    }

    /// The code of a chance.
    #[must_use]
    pub fn code(&self, chance: f64) -> u16 {
        if chance <= 0.0 {
            return 0;
        }
        if self.step <= 0.0 {
            return ONE;
        }
        let steps = (-chance.log2() / self.step).round().clamp(0.0, f64::from(ONE - 1));
        ONE - steps as u16
    }

    /// The chance of a code.
    #[inline(always)]
    #[must_use]
    pub fn chance(&self, code: u16) -> f64 {
        if code == 0 {
            return 0.0;
        }
        let steps = ONE - code;
        self.coarse[usize::from(steps >> 8)] * self.fine[usize::from(steps & 0xff)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nought_and_one_are_exact() {
        for smallest in [1.0, 0.5, 1e-9, 1e-30] {
            let scale = Scale::down_to(smallest);
            assert_eq!(scale.chance(scale.code(0.0)), 0.0);
            assert_eq!(scale.chance(scale.code(1.0)), 1.0);
        }
    }

    #[test]
    fn every_code_comes_back() {
        let scale = Scale::down_to(1e-12);
        for code in 0..=u16::MAX {
            assert_eq!(scale.code(scale.chance(code)), code);
        }
    }

    #[test]
    fn the_bound_holds_and_is_nearly_reached() {
        let scale = Scale::down_to(1e-12);
        let mut worst = 0f64;
        for i in 0..1_000_000 {
            let chance = (-40.0 * 0.999 * f64::from(i) / 1e6).exp2().max(1e-12);
            let error = (scale.chance(scale.code(chance)) / chance - 1.0).abs();
            assert!(error <= scale.bound());
            worst = worst.max(error);
        }
        assert!(worst > 0.99 * scale.bound());
    }
}

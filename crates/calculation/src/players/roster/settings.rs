//! The settings behind a player's name: `keep=100,every=4`.

use crate::plan::joint::MOST_LAST;
use crate::plan::logit::Rule;
use crate::players::net::{NetOptions, Width};
use crate::players::options::{Look, PlanOptions};
use crate::players::rollout::Rollouts;
use crate::players::union::Deep;
use kachi_core::Error;

/// Settings as written, each taken once.
pub(super) struct Settings<'n> {
    written: Vec<(&'n str, f64)>,
}

/// Larger counts are refused: they would only exhaust memory.
const MOST: f64 = 5000.0;

impl<'n> Settings<'n> {
    /// Reads `key=number,key=number`.
    pub(super) fn read(text: &'n str) -> Result<Settings<'n>, Error> {
        let mut written = Vec::new();
        for part in text.split(',').filter(|part| !part.trim().is_empty()) {
            let pair = part.split_once('=').and_then(|(key, value)| {
                let number =
                    value.trim().parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0)?;
                Some((key.trim(), number))
            });
            written.push(pair.ok_or_else(|| bad(format!("{part:?} is no setting")))?);
        }
        Ok(Settings { written })
    }

    /// The number of a key, if it is written.
    pub(super) fn number(&mut self, key: &str) -> Result<Option<f64>, Error> {
        let place = self.written.iter().position(|(written, _)| *written == key);
        Ok(place.map(|place| self.written.swap_remove(place).1))
    }

    fn count(&mut self, key: &str, out: &mut usize) -> Result<(), Error> {
        if let Some(number) = self.number(key)? {
            if number.fract() != 0.0 || number > MOST {
                return Err(bad(format!("{key}={number}: a whole number up to {MOST} is expected")));
            }
            *out = number as usize;
        }
        Ok(())
    }

    fn share(&mut self, key: &str, out: &mut f64) -> Result<(), Error> {
        if let Some(number) = self.number(key)? {
            *out = number;
        }
        Ok(())
    }

    /// Refuses what no player has taken.
    pub(super) fn all_used(&self, name: &str) -> Result<(), Error> {
        match self.written.first() {
            None => Ok(()),
            Some((key, _)) => Err(bad(format!("{name}: this player has no setting {key:?}"))),
        }
    }

    /// `keep`, `every`, `sum-above`, `joint`, `exact`, `rescue`.
    pub(super) fn of_plans(&mut self, options: &mut PlanOptions) -> Result<(), Error> {
        self.count("keep", &mut options.keeping.plans)?;
        options.keeping.plans = options.keeping.plans.max(1);
        self.count("every", &mut options.regenerate_every)?;
        self.count("rescue", &mut options.rescue)?;
        let mut exact = options.exact_below;
        self.count("exact", &mut exact)?;
        // Exact search beyond this takes minutes, unless the player has its own way to end it.
        options.exact_below = exact.min(options.exact_below.max(7));
        self.count("joint", &mut options.joint)?;
        options.joint = options.joint.min(MOST_LAST);
        if let Some(above) = self.number("sum-above")? {
            options.rule = Rule::SumAbove(above as usize);
        }
        Ok(())
    }

    /// `width`, `within`, `leaf`, `enough`.
    pub(super) fn of_look(&mut self, look: &mut Option<Look>) -> Result<(), Error> {
        let Some(look) = look else { return Ok(()) };
        self.count("width", &mut look.candidates)?;
        self.share("within", &mut look.within)?;
        self.count("leaf", &mut look.plans)?;
        self.share("enough", &mut look.enough)
    }

    /// `deep-left`, `deep-width`, `deep-within`, `inner-width`, `inner-within`, `deep-keep`, `deep-leaf`.
    pub(super) fn of_deep(&mut self, deep: &mut Option<Deep>) -> Result<(), Error> {
        let Some(deep) = deep else { return Ok(()) };
        self.count("deep-left", &mut deep.left)?;
        self.of_width("deep", &mut deep.root)?;
        self.of_width("inner", &mut deep.inner)?;
        self.count("deep-keep", &mut deep.plans)?;
        self.count("deep-leaf", &mut deep.leaf_plans)
    }

    /// `roll-left`, `roll-least`, `roll-width`, `roll-near`, `roll-games`, `roll-draws`, `roll-weight`, `roll-sure`.
    pub(super) fn of_rollouts(&mut self, rollouts: &mut Option<Rollouts>) -> Result<(), Error> {
        let Some(rollouts) = rollouts else { return Ok(()) };
        self.count("roll-left", &mut rollouts.left)?;
        self.share("roll-least", &mut rollouts.least)?;
        self.count("roll-width", &mut rollouts.candidates)?;
        self.share("roll-near", &mut rollouts.near)?;
        self.count("roll-games", &mut rollouts.games)?;
        self.count("roll-draws", &mut rollouts.draws)?;
        rollouts.draws = rollouts.draws.max(1);
        self.share("roll-weight", &mut rollouts.weight)?;
        rollouts.weight = rollouts.weight.min(1.0);
        self.share("roll-sure", &mut rollouts.sure)?;
        Ok(())
    }

    fn of_width(&mut self, which: &str, width: &mut Width) -> Result<(), Error> {
        self.count(&format!("{which}-width"), &mut width.candidates)?;
        self.share(&format!("{which}-within"), &mut width.within)
    }

    /// `width`, `within`, `deep-...`, `inner-...`, `faint`, `sure`, `roll-...`.
    pub(super) fn of_net(&mut self, options: &mut NetOptions) -> Result<(), Error> {
        if let Some(width) = &mut options.first {
            self.count("width", &mut width.candidates)?;
            self.share("within", &mut width.within)?;
        }
        if let Some(second) = &mut options.second {
            self.count("deep-left", &mut second.left)?;
            self.share("faint", &mut second.least)?;
            self.share("sure", &mut second.sure)?;
            self.of_width("deep", &mut second.root)?;
            self.of_width("inner", &mut second.inner)?;
        }
        self.of_rollouts(&mut options.rollouts)
    }
}

fn bad(message: String) -> Error {
    Error::new("bad_setting", message)
        .at_field("player")
        .hint("a name and its settings, as in union-look1:keep=100,every=4")
}

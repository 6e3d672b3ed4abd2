//! The net player: every way to finish the turn is judged by the value net behind the dead-state test, greedily or with one or two draws of
//! lookahead for close candidates; the last draws are searched exactly. It needs no table and works at once.

use super::leaves::{ByRank, Judge, Leaves, average, pick};
use super::pace::{Pace, TABLE_WORK};
use super::rollout::{Roller, Rollouts};
use super::{Decision, Judgement, Player};
use crate::dead;
use crate::net::{Evaluator, Net};
use crate::position::Position;
use crate::rules::Rules;
use crate::search::endgame::Endgame;
use crate::turn::{self, Turn};
use std::fmt;

/// Leaves with at most this many unseen cards are searched exactly too: cheaper than the net.
const EXACT_LEAVES: usize = 2;

/// Lower logits are cut off here, so that only the dead have no chance at all.
const LEAST_LOGIT: f32 = -30.0;

/// Which candidates are looked into.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Width {
    /// Only so many of the best.
    pub candidates: usize,
    /// Only those whose chance is within this of the best.
    pub within: f64,
}

/// Two draws of lookahead where candidates are still close after one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Second {
    /// With more cards unseen one draw has to do: everything is close then, and a look gains little.
    pub left: usize,
    /// A table whose best candidate has less than this chance is not worth it...
    pub least: f64,
    /// ...and one with at least this chance does not need it.
    pub sure: f64,
    /// Which candidates.
    pub root: Width,
    /// Which ways to finish the turn after the first draw.
    pub inner: Width,
}

/// All that distinguishes one net player from another.
#[derive(Clone, Copy, PartialEq)]
pub struct NetOptions {
    /// Look one draw ahead.
    pub first: Option<Width>,
    /// Look two draws ahead where the candidates are still close.
    pub second: Option<Second>,
    /// With at most this many cards unseen, search exactly.
    pub exact_below: usize,
    /// Play on from candidates that are still close.
    pub rollouts: Option<Rollouts>,
}

/// Runs are told apart by what this writes, so an option that came later is written only where it is used.
impl fmt::Debug for NetOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut written = f.debug_struct("NetOptions");
        written
            .field("first", &self.first)
            .field("second", &self.second)
            .field("exact_below", &self.exact_below);
        if let Some(rollouts) = &self.rollouts {
            written.field("rollouts", rollouts);
        }
        written.finish()
    }
}

impl NetOptions {
    /// No lookahead.
    pub const GREEDY: NetOptions = NetOptions { first: None, second: None, exact_below: 4, rollouts: None };
    /// One draw of lookahead for close candidates only.
    pub const QUICK: NetOptions =
        NetOptions { first: Some(Width { candidates: 2, within: 0.04 }), ..NetOptions::GREEDY };
    /// One draw of lookahead.
    pub const LOOK: NetOptions =
        NetOptions { first: Some(Width { candidates: 4, within: 0.2 }), ..NetOptions::GREEDY };
    /// Two draws of lookahead for close candidates.
    pub const DEEP: NetOptions = NetOptions {
        second: Some(Second {
            left: 44,
            least: 0.0,
            sure: 0.99,
            root: Width { candidates: 3, within: 0.01 },
            inner: Width { candidates: 2, within: 0.05 },
        }),
        ..NetOptions::LOOK
    };
    /// One draw of lookahead, then close candidates are played on.
    pub const ROLLOUT: NetOptions = NetOptions { rollouts: Some(Rollouts::OF_NET), ..NetOptions::LOOK };

    /// The same options for a game with this many stacks. Where hardly any game is won, the second draw goes to those that still have a chance, and for more candidates.
    #[must_use]
    pub fn for_stacks(mut self, stacks: usize) -> NetOptions {
        self.rollouts = self.rollouts.map(|rollouts| rollouts.for_stacks(stacks));
        if let (2, Some(second)) = (stacks, &mut self.second) {
            (second.left, second.least) = (24, 0.005);
            second.root = Width { candidates: 4, within: 1.0 };
            second.inner = Width { candidates: 3, within: 1.0 };
        }
        self
    }

    /// The settings with this name.
    ///
    /// ```
    /// use calculation::players::net::NetOptions;
    /// assert_eq!(NetOptions::named("net-look1"), Some(NetOptions::LOOK));
    /// assert_eq!(NetOptions::named("perfect"), None);
    /// ```
    pub fn named(name: &str) -> Option<NetOptions> {
        match name {
            "net" | "net-look0" => Some(NetOptions::GREEDY),
            "net-quick" => Some(NetOptions::QUICK),
            "net-look1" => Some(NetOptions::LOOK),
            "net-look2" => Some(NetOptions::DEEP),
            "net-rollout" => Some(NetOptions::ROLLOUT),
            _ => None,
        }
    }

    /// The names that [`named`](NetOptions::named) knows, strongest first.
    pub const NAMES: [&'static str; 5] = ["net-rollout", "net-look2", "net-look1", "net-quick", "net-look0"];
}

/// Judges tables by the value net.
#[derive(Debug)]
pub struct ByNet<'n> {
    evaluator: Evaluator<'n>,
    logits: Vec<f32>,
    judged: u64,
}

impl<'n> ByNet<'n> {
    /// By this net.
    pub fn new(net: &'n Net) -> ByNet<'n> {
        ByNet { evaluator: Evaluator::new(net), logits: Vec::new(), judged: 0 }
    }
}

impl Judge for ByNet<'_> {
    fn judge(&mut self, tables: &[Position], chances: &mut [f64]) {
        self.judged += tables.len() as u64;
        self.logits.resize(tables.len(), 0.0);
        self.evaluator.logits(tables, &mut self.logits);
        for (chance, &logit) in chances.iter_mut().zip(&self.logits) {
            *chance = 1.0 / (1.0 + f64::from(-logit.max(LEAST_LOGIT)).exp());
        }
    }

    fn name(&self) -> String {
        format!("net {:08x} in 8 bits", self.evaluator.net().checksum())
    }

    fn judged(&self) -> u64 {
        self.judged
    }
}

/// Plays by the value net.
#[derive(Debug)]
pub struct NetPlayer<'n> {
    rules: Rules,
    options: NetOptions,
    net: ByNet<'n>,
    endgame: Endgame,
    roller: Roller,
    /// Memory for looking ahead, one for each draw.
    spare: Vec<Leaves>,
    best: Vec<ByRank>,
    pace: Pace,
    name: String,
}

impl NetPlayer<'static> {
    /// A player with the net that comes with the program; nothing for a number of stacks that has none.
    pub fn embedded(stacks: usize, options: NetOptions) -> Option<NetPlayer<'static>> {
        Net::embedded(stacks).map(|net| NetPlayer::new(net, options))
    }
}

impl<'n> NetPlayer<'n> {
    /// A player with this net.
    pub fn new(net: &'n Net, options: NetOptions) -> NetPlayer<'n> {
        NetPlayer {
            rules: net.rules().clone(),
            options,
            net: ByNet::new(net),
            endgame: Endgame::new(net.rules()),
            roller: Roller::new(net.rules()),
            spare: Vec::new(),
            best: Vec::new(),
            pace: Pace::endless(),
            name: "net".to_owned(),
        }
    }

    /// The same player under another name.
    #[must_use]
    pub fn called(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    /// The same player with a budget.
    #[must_use]
    pub fn at_pace(mut self, pace: Pace) -> Self {
        self.pace = pace;
        self
    }

    /// Its options.
    pub fn options(&self) -> &NetOptions {
        &self.options
    }

    /// Tables given to the net so far.
    pub fn evaluations(&self) -> u64 {
        self.net.judged()
    }

    /// The net's chances of tables without a drawn card; exact where at most `exact` cards are unseen. Dead tables are not told.
    pub fn chances(&mut self, tables: &[Position], exact: usize) -> Vec<f64> {
        if tables.first().is_none_or(|table| table.left() <= exact) {
            return tables.iter().map(|table| self.endgame.chance(table)).collect();
        }
        let mut chances = vec![0.0; tables.len()];
        self.net.judge(tables, &mut chances);
        chances
    }

    /// The chances of tables, all with as many unseen cards, one draw ahead: over all next ranks the best way to finish the turn. With `inner`,
    /// the best ways after that draw are looked into once more.
    /// Nothing when the budget ended before.
    pub fn chances_ahead(&mut self, tables: &[Position], inner: Option<Width>) -> Option<Vec<f64>> {
        let mut leaves = self.spare.pop().unwrap_or_default();
        leaves.grow(&self.rules, tables);
        let whole =
            self.judge_leaves(&mut leaves) && inner.is_none_or(|width| self.deepen(&mut leaves, width));
        let chances = whole.then(|| {
            let mut best = std::mem::take(&mut self.best);
            leaves.best(tables.len(), &mut best);
            let chances = tables.iter().zip(&best).map(|(table, by_rank)| average(table, by_rank)).collect();
            self.best = best;
            chances
        });
        self.spare.push(leaves);
        chances
    }

    /// Gives every leaf a chance; false when the budget ended before.
    fn judge_leaves(&mut self, leaves: &mut Leaves) -> bool {
        let exact = EXACT_LEAVES.min(self.options.exact_below);
        if leaves.tables().first().is_none_or(|leaf| leaf.left() <= exact) {
            leaves.judge_by(|leaf| self.endgame.chance(leaf));
            return true;
        }
        leaves.judge_parts(&mut self.net, |net| self.pace.allows(net.judged() * TABLE_WORK))
    }

    /// Looks into the best ways after every draw once more; false when the budget ended before.
    fn deepen(&mut self, leaves: &mut Leaves, width: Width) -> bool {
        let chosen = leaves.close(width);
        let close: Vec<Position> = chosen.iter().map(|&leaf| leaves.tables()[leaf as usize]).collect();
        let deeper = self.chances_ahead(&close, None);
        deeper.is_some_and(|deeper| {
            leaves.replace(&chosen, &deeper);
            true
        })
    }

    /// Replaces the chances of close candidates by those one or two draws ahead; the others leave the race.
    fn look(&mut self, tables: &[Position], chances: &mut [f64], race: &mut Vec<u32>) {
        if let Some(width) = self.options.first
            && !self.look_into(tables, chances, race, width, None)
        {
            return;
        }
        let left = tables.first().map_or(0, Position::left);
        let best = race.iter().map(|&c| chances[c as usize]).fold(0.0, f64::max);
        if let Some(second) = self.options.second
            && left <= second.left
            && (second.least..second.sure).contains(&best)
            && !self.look_into(tables, chances, race, second.root, Some(second.inner))
        {
            return;
        }
        if let Some(rollouts) = self.options.rollouts {
            self.play_on(tables, chances, race, &rollouts);
        }
    }

    /// One of these looks; false when nothing is left to decide, or of the budget.
    fn look_into(
        &mut self,
        tables: &[Position],
        chances: &mut [f64],
        race: &mut Vec<u32>,
        width: Width,
        inner: Option<Width>,
    ) -> bool {
        let mut close = Vec::new();
        pick(race, chances, width, &mut close);
        if close.len() < 2 || !self.pace.allows(self.work()) {
            return false;
        }
        let chosen: Vec<Position> = close.iter().map(|&c| tables[c as usize]).collect();
        let Some(ahead) = self.chances_ahead(&chosen, inner) else { return false };
        close.iter().zip(ahead).for_each(|(&c, chance)| chances[c as usize] = chance);
        *race = close;
        true
    }

    /// Replaces the chances of close candidates by what becomes of games from there; the others leave the race.
    fn play_on(
        &mut self,
        tables: &[Position],
        chances: &mut [f64],
        race: &mut Vec<u32>,
        rollouts: &Rollouts,
    ) {
        let left = tables.first().map_or(0, Position::left);
        let close = rollouts.close(left, race, chances);
        if close.len() < 2 || !self.pace.allows(self.work()) {
            return;
        }
        let chosen: Vec<Position> = close.iter().map(|&c| tables[c as usize]).collect();
        let looked: Vec<f64> = close.iter().map(|&c| chances[c as usize]).collect();
        let may = |net: &ByNet<'_>| self.pace.allows(net.judged() * TABLE_WORK);
        let Some(found) = self.roller.chances(rollouts, &chosen, &looked, &mut self.net, may) else { return };
        close.iter().zip(found).for_each(|(&c, chance)| chances[c as usize] = chance);
        *race = close;
    }
}

impl Player for NetPlayer<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn settings(&self) -> String {
        format!("{:?}, {:?}, {}", self.options, self.pace, self.net.name())
    }

    fn work(&self) -> u64 {
        self.evaluations() * TABLE_WORK
    }

    fn begin(&mut self) {
        self.endgame.forget();
        self.roller.forget();
        self.pace.begin_game(self.work());
    }

    fn decide(&mut self, position: &Position) -> Decision {
        if position.drawn().is_none() {
            return Decision::default();
        }
        self.pace.begin_move(self.work(), position.left());
        let turn = Turn::new(&self.rules, position);
        let tables: Vec<Position> =
            (0..turn.len()).map(|i| turn.position(&self.rules, position, i)).collect();
        let exact = self.options.exact_below;
        let mut chances = match position.left() {
            0 => tables.iter().map(|table| f64::from(turn::unload(&self.rules, table).is_some())).collect(),
            _ => self.chances(&tables, exact),
        };
        for (table, chance) in tables.iter().zip(&mut chances) {
            if dead::is_dead(&self.rules, table) {
                *chance = 0.0;
            }
        }
        let mut race: Vec<u32> = (0..tables.len() as u32).filter(|&c| chances[c as usize] > 0.0).collect();
        if position.left() > exact.max(1) {
            self.look(&tables, &mut chances, &mut race);
        }
        // The first of the best; any move will do when all are dead.
        let better =
            |best: usize, &c: &u32| if chances[c as usize] > chances[best] { c as usize } else { best };
        let best = race.iter().fold(race.first().map_or(0, |&c| c as usize), better);
        let option = |(i, &chance): (usize, &f64)| Judgement { moves: turn.route(i), chance };
        Decision { options: chances.iter().enumerate().map(option).collect(), best }
    }
}

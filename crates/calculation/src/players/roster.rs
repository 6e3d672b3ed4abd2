//! Every player by its name, and the strongest one that can play here.
//!
//! A name may carry settings: `union-look1:keep=100,every=4` keeps a hundred plans and rebuilds the list before every fourth draw;
//! `union-look2:seconds=2` stops looking ahead when two seconds of a game are spent.

use super::net::{ByNet, NetOptions, NetPlayer};
use super::options::PlanOptions;
use super::pace::{Meter, Pace};
use super::plans::PlanPlayer;
use super::rates::{Rate, rate_of};
use super::source::PairSource;
use super::union::{UnionOptions, UnionPlayer};
use super::{Decision, Player};
use crate::memo::{Memo, USUAL_LIMIT};
use crate::net::Net;
use crate::position::Position;
use crate::rules::Rules;
use crate::table::offered;
use crate::theory::MOST_CARDS;
use kachi_core::Error;
use kachi_core::surface::Clock;
use settings::Settings;
use std::sync::Arc;

mod settings;

/// What a player is given beside its name.
#[derive(Clone)]
pub struct Kit {
    /// States outside the table that it may remember.
    pub remembered: usize,
    /// The clock for budgets in seconds.
    pub clock: Option<Arc<dyn Clock + Send + Sync>>,
}

impl Default for Kit {
    fn default() -> Self {
        Kit { remembered: USUAL_LIMIT, clock: None }
    }
}

impl std::fmt::Debug for Kit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Kit").field("remembered", &self.remembered).finish_non_exhaustive()
    }
}

/// All names, strongest kind first.
pub fn names() -> impl Iterator<Item = &'static str> {
    UnionOptions::NAMES.into_iter().chain(NetOptions::NAMES).chain(PlanOptions::NAMES)
}

/// The player with this name. A union player without the table of all pairs, or without a net for the game, is replaced by the half of it
/// that can play, and one that plays on, where that gains nothing, by one that looks two draws ahead; the [note](Player::note) says so.
///
/// ```
/// use calculation::{players::by_name, rules::Rules};
/// let rules = Rules::calculation(3).unwrap();
/// assert_eq!(by_name(&rules, "net-look1").unwrap().name(), "net-look1");
/// assert_eq!(by_name(&rules, "perfect").err().unwrap().code, "unknown_player");
/// ```
///
/// # Errors
/// `unknown_player` with the names there are, `bad_setting`, `no_net` for a net player of a game that has none.
pub fn by_name(rules: &Rules, name: &str) -> Result<Box<dyn Player + Send>, Error> {
    by_name_with(rules, name, &Kit::default())
}

/// The same, with a clock or less memory.
///
/// # Errors
/// Those of [`by_name`], and `no_clock` for a budget in seconds without a clock.
pub fn by_name_with(rules: &Rules, name: &str, kit: &Kit) -> Result<Box<dyn Player + Send>, Error> {
    let (base, written) = name.split_once(':').unwrap_or((name, ""));
    if let Some(instead) = without_playing_on(rules, base) {
        let player = by_name_with(rules, &name.replacen(base, instead, 1), kit)?;
        let mut why = format!(
            "{} plays in place of {base}: with {} stacks playing on wins no more games",
            player.name(),
            rules.stacks()
        );
        if let Some(note) = player.note() {
            why = format!("{why}; {note}");
        }
        return Ok(Box::new(StandIn { player, why }));
    }
    let mut settings = Settings::read(written)?;
    let source = || PairSource::new(Memo::new(rules.stacks()).remembering(kit.remembered));
    let net = || rules.is_full().then(|| Net::embedded(rules.stacks())).flatten();
    if let Some(options) = UnionOptions::named(base) {
        let mut options = options.for_stacks(rules.stacks());
        settings.of_plans(&mut options.plans)?;
        settings.of_look(&mut options.first)?;
        settings.of_deep(&mut options.second)?;
        settings.of_rollouts(&mut options.rollouts)?;
        options.sure = settings.number("sure")?.unwrap_or(options.sure);
        options.faint = settings.number("faint")?.unwrap_or(options.faint);
        let pace = pace(&mut settings, kit)?;
        settings.all_used(name)?;
        let stand_in = match (has_full_table(rules), net()) {
            (true, Some(net)) => {
                let player = UnionPlayer::new(rules, options, source(), ByNet::new(net));
                return Ok(Box::new(player.called(name).at_pace(pace)));
            }
            (false, Some(_)) => StandIn {
                why: format!(
                    "{} plays in place of {base}, which needs the table of pairs: kachi table build calculation --stacks {}",
                    net_half(base),
                    rules.stacks()
                ),
                player: by_name_with(rules, net_half(base), kit)?,
            },
            (_, None) => StandIn {
                why: format!(
                    "{} plays in place of {base}, which needs a net; there is none for this game",
                    plan_half(base)
                ),
                player: by_name_with(rules, plan_half(base), kit)?,
            },
        };
        return Ok(Box::new(stand_in));
    }
    if let Some(options) = NetOptions::named(base) {
        let mut options = options.for_stacks(rules.stacks());
        settings.of_net(&mut options)?;
        let pace = pace(&mut settings, kit)?;
        settings.all_used(name)?;
        let net = net().ok_or_else(|| {
            Error::new("no_net", "there is no net for this game")
                .at_field("player")
                .hint("nets are for the game of 52 cards with 2, 3 or 4 stacks; plans-look1 plays every game")
        })?;
        return Ok(Box::new(NetPlayer::new(net, options).called(name).at_pace(pace)));
    }
    if let Some(options) = PlanOptions::named(base) {
        let mut options = options.for_stacks(rules.stacks());
        settings.of_plans(&mut options)?;
        settings.of_look(&mut options.look)?;
        settings.all_used(name)?;
        return Ok(Box::new(PlanPlayer::new(rules, options, source()).called(name)));
    }
    let message = format!("there is no player called {base:?}");
    let known: Vec<&str> = names().collect();
    Err(Error::new("unknown_player", message)
        .at_field("player")
        .hint(format!("the players are {}", known.join(", "))))
}

fn pace(settings: &mut Settings<'_>, kit: &Kit) -> Result<Pace, Error> {
    let work = (settings.number("move-work")?, settings.number("work")?);
    let seconds = (settings.number("move-seconds")?, settings.number("seconds")?);
    match (work, seconds) {
        ((None, None), (None, None)) => Ok(Pace::endless()),
        ((of_move, of_game), (None, None)) => Ok(Pace::new(Meter::Work, of_move, of_game)),
        ((None, None), (of_move, of_game)) => {
            let clock = kit.clock.clone().ok_or_else(|| {
                Error::new("no_clock", "nobody keeps the time here")
                    .at_field("player")
                    .hint("give a budget of work: union-look2:work=1000000")
            })?;
            Ok(Pace::new(Meter::Seconds(clock), of_move, of_game))
        }
        _ => Err(Error::new("bad_setting", "a budget is of work or of seconds, not of both")
            .at_field("player")
            .hint("union-look2:seconds=2, or union-look2:move-seconds=0.1")),
    }
}

/// Is the table of all pairs on the shelf?
pub fn has_full_table(rules: &Rules) -> bool {
    offered(rules.stacks()).is_some_and(|table| table.size().cards() >= MOST_CARDS)
}

/// Who plays where playing on was tried and gave nothing (docs/calculation-strength.md, "How the union judges").
fn without_playing_on(rules: &Rules, name: &str) -> Option<&'static str> {
    match (name, rules.stacks()) {
        ("union-rollout", 3..) => Some("union-look2"),
        ("net-rollout", 4..) => Some("net-look2"),
        _ => None,
    }
}

fn net_half(union: &str) -> &'static str {
    match union {
        "union-look0" => "net-look0",
        "union-look2" => "net-look2",
        "union-rollout" => "net-rollout",
        _ => "net-look1",
    }
}

fn plan_half(union: &str) -> &'static str {
    if union == "union-look0" { "plans-look0" } else { "plans-look1" }
}

/// A player in place of another.
struct StandIn {
    player: Box<dyn Player + Send>,
    why: String,
}

impl Player for StandIn {
    fn name(&self) -> &str {
        self.player.name()
    }

    fn note(&self) -> Option<&str> {
        Some(&self.why)
    }

    fn settings(&self) -> String {
        self.player.settings()
    }

    fn work(&self) -> u64 {
        self.player.work()
    }

    fn begin(&mut self) {
        self.player.begin();
    }

    fn decide(&mut self, position: &Position) -> Decision {
        self.player.decide(position)
    }
}

/// The strongest player of a game that can play here, with its measured rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strongest {
    /// Its name.
    pub name: &'static str,
    /// How often it won a recorded run; nothing where none was recorded.
    pub rate: Option<&'static Rate>,
}

impl Strongest {
    /// The name with the rate, for people.
    #[must_use]
    pub fn words(&self) -> String {
        match self.rate {
            Some(rate) if rate.won == 0 => format!("{} (won none of {} unseen deals)", self.name, rate.games),
            Some(rate) => format!("{} (wins {} of unseen deals)", self.name, rate.words()),
            None => self.name.to_owned(),
        }
    }
}

/// Who advises and plays when nobody else is asked for: of the players that can play here the one with the best recorded rate. Where none is recorded:
/// with three stacks and the table the union, otherwise the net, and plans where there is no net.
///
/// ```
/// use calculation::{players::strongest, rules::Rules};
/// let rules = Rules::calculation(3).unwrap();
/// assert!(strongest(&rules, false).name.starts_with("net"));
/// assert!(strongest(&rules, true).name.starts_with("union"));
/// ```
#[must_use]
pub fn strongest(rules: &Rules, full_table: bool) -> Strongest {
    let has_net = rules.is_full() && (2..=4).contains(&rules.stacks());
    // Even the slowest of them takes a second or two for a whole game.
    let (union, deep, far) = ("union-look1", "union-look2", "union-rollout");
    let (net, plans) = ("net-look1", "plans-look1");
    let able: &[&'static str] = match (has_net, full_table) {
        (true, true) if rules.stacks() == 3 => &[union, deep, far, net, plans],
        (true, true) => &[net, union, deep, far, plans, "plans-look0"],
        (true, false) => &[net, "net-look2", "net-rollout"],
        (false, _) => &[plans],
    };
    let share = |name: &str| rate_of(rules, name).map_or(0.0, Rate::share);
    let better =
        |best: &'static str, &name: &&'static str| if share(name) > share(best) { name } else { best };
    let name = able.iter().fold(able[0], better);
    Strongest { name, rate: rate_of(rules, name) }
}

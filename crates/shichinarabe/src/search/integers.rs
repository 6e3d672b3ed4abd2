//! Integer values by search (section 3 and 7 of the theory page; `Graph.graph_decide_correct`): any graph, with additions but
//! without deletions, jokers and passes.
//!
//! Without labels three facts cut the search down: a play that opens no new vertex of the opponent costs exactly 1
//! and is stripped (`Graph.safe_A_own` and its kin), the unrestricted value is the sum over components, and the price is
//! at most the least price of a single component.

use super::arena::{Arena, Set};
use crate::position::Player;
use crate::theory::race::{NO_LOCK, Race, simplest};
use kachi_core::{Budget, Error, Limits};
use rustc_hash::FxHashMap;

/// Values and prices of one arena, remembered.
#[derive(Debug)]
pub struct Integers<'a, S> {
    arena: &'a Arena<S>,
    values: FxHashMap<S, i32>,
    locked: [FxHashMap<S, i32>; 2],
    /// Positions whose options were looked at.
    pub nodes: u64,
    /// How often the least price of a component did not settle the matter.
    pub beyond_bracket: u64,
}

/// A decided position with the numbers behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The race.
    pub race: Race,
    /// The winner.
    pub winner: Player,
    /// The value, when it was needed (positive for the first player).
    pub value: Option<i64>,
    /// The price, when it was needed; an upper bound of it is enough when the keeper wins.
    pub price: Option<i64>,
    /// Is the race winner free?
    pub free: bool,
    /// Was the price found by searching all components together?
    pub joint: bool,
    /// Was the least price of several components enough (claim `price-at-most-least-part`)?
    pub bracket: bool,
}

/// Units of work of one position: all its options are stripped and cut into components.
const WORK: u64 = 16;

/// One component alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part<S> {
    /// Its vertices.
    pub vertices: S,
    /// Its value.
    pub value: i64,
    /// Its price for the keeper, or [`NO_LOCK`].
    pub price: i64,
}

/// Unplayed vertices together with everything that has been opened.
#[derive(Debug, Clone, Copy)]
struct Scene<S> {
    unplayed: S,
    opened: S,
}

impl<'a, S: Set> Integers<'a, S> {
    /// Nothing known yet.
    #[must_use]
    pub fn new(arena: &'a Arena<S>) -> Self {
        Integers {
            arena,
            values: FxHashMap::default(),
            locked: [FxHashMap::default(), FxHashMap::default()],
            nodes: 0,
            beyond_bracket: 0,
        }
    }

    fn spend(&mut self, budget: &mut Budget<'_>) -> Result<(), Error> {
        self.nodes += 1;
        let entries = self.values.capacity() + self.locked[0].capacity() + self.locked[1].capacity();
        // A table entry takes its key, its value and a byte of control, at a load of at most 7/8.
        let bytes = entries as u64 * (size_of::<(S, i32)>() as u64 + 1) * 8 / 7;
        if bytes > budget.limits().bytes {
            let message = format!("the search tables need more than {} bytes", budget.limits().bytes);
            return Err(
                Error::new("out_of_budget", message).hint("raise the memory limit, or ask about less")
            );
        }
        budget.spend(WORK)
    }

    fn scene(&self, unplayed: S) -> Scene<S> {
        let mut opened = self.arena.access;
        if self.arena.is_plain() {
            for v in (self.arena.all() & !unplayed).members() {
                opened = opened | self.arena.opens[v];
            }
        }
        Scene { unplayed, opened }
    }

    /// Who wins when exactly `unplayed` is unplayed.
    ///
    /// # Errors
    /// `out_of_budget`.
    pub fn decide(&mut self, unplayed: S, mover: Player, budget: &mut Budget<'_>) -> Result<Verdict, Error> {
        let race = Race::new(self.arena.hands(unplayed), mover);
        let mut verdict = Verdict {
            race,
            winner: race.winner,
            value: None,
            price: None,
            free: false,
            joint: false,
            bracket: false,
        };
        if let Some(winner) = race.over() {
            verdict.winner = winner;
            return Ok(verdict);
        }
        if self.arena.is_free(race.winner, unplayed) {
            verdict.free = true;
            return Ok(verdict);
        }
        let value = self.value(unplayed, budget)?;
        verdict.value = Some(value);
        if race.decide(value, 0) == race.winner {
            // Even a lock that costs nothing is too dear.
            return Ok(verdict);
        }
        if self.arena.is_plain() {
            let parts = self.parts(unplayed, race.keeper, budget)?;
            let least = parts.iter().map(|part| part.price).min().unwrap_or(NO_LOCK);
            if race.decide(value, least) == race.keeper {
                verdict.price = Some(least);
                verdict.bracket = parts.iter().filter(|part| part.price != NO_LOCK).count() > 1;
                verdict.winner = race.keeper;
                return Ok(verdict);
            }
            self.beyond_bracket += 1;
        }
        let price = race.keeper.sign() * value - self.locked_value(unplayed, race.keeper, budget)?;
        verdict.price = Some(price);
        verdict.joint = true;
        verdict.winner = race.decide(value, price);
        Ok(verdict)
    }

    /// The unrestricted value, positive for the first player.
    ///
    /// # Errors
    /// `out_of_budget`.
    pub fn value(&mut self, unplayed: S, budget: &mut Budget<'_>) -> Result<i64, Error> {
        let value = if self.arena.is_plain() {
            self.value_of(self.scene(unplayed), budget)?
        } else {
            self.labelled_value(unplayed, None, budget)?
        };
        Ok(i64::from(value))
    }

    /// The value in the keeper's sign of the game in which he may not set the race winner free. The race winner must not be
    /// free yet.
    ///
    /// # Errors
    /// `out_of_budget`.
    pub fn locked_value(
        &mut self,
        unplayed: S,
        keeper: Player,
        budget: &mut Budget<'_>,
    ) -> Result<i64, Error> {
        let value = if self.arena.is_plain() {
            self.locked_of(self.scene(unplayed), keeper, budget)?
        } else {
            self.labelled_value(unplayed, Some(keeper), budget)?
        };
        Ok(i64::from(value))
    }

    /// The components of a position, each with its value and its price alone. Only for graphs without labels.
    ///
    /// # Errors
    /// `out_of_budget`.
    pub fn parts(
        &mut self,
        unplayed: S,
        keeper: Player,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<Part<S>>, Error> {
        let opened = self.scene(unplayed).opened;
        let mut parts = Vec::new();
        for vertices in self.components(unplayed) {
            let scene = Scene { unplayed: vertices, opened };
            let value = i64::from(self.value_of(scene, budget)?);
            let price = if self.is_free_in(keeper.other(), scene) {
                NO_LOCK
            } else {
                keeper.sign() * value - i64::from(self.locked_of(scene, keeper, budget)?)
            };
            parts.push(Part { vertices, value, price });
        }
        Ok(parts)
    }

    /// What a search that ran out of budget has established: the value, and the least price of a component.
    #[must_use]
    pub fn known(&mut self, unplayed: S, keeper: Player) -> (Option<i64>, Option<i64>) {
        if !self.arena.is_plain() {
            return (self.values.get(&unplayed).map(|&value| i64::from(value)), None);
        }
        // Nothing new may be searched: with an empty budget only remembered positions answer.
        let limits = Limits { nodes: 0, ..Limits::default() };
        let value = self.value(unplayed, &mut Budget::new(limits)).ok();
        let parts = self.parts(unplayed, keeper, &mut Budget::new(limits)).ok();
        let least = parts.and_then(|parts| parts.iter().map(|part| part.price).min());
        (value, least.filter(|&price| price != NO_LOCK))
    }

    /// Plays all safe plays; returns the scene left and what they are worth to the first player.
    fn strip(&self, mut scene: Scene<S>) -> (Scene<S>, i32) {
        let mut gain = 0;
        loop {
            let mut found = false;
            for v in (scene.unplayed & scene.opened).members() {
                let owner = self.arena.owner(v);
                let fresh = self.arena.opens[v] & scene.unplayed & !scene.opened;
                if (fresh & self.arena.own[owner.other().index()]).is_empty() {
                    scene.unplayed = scene.unplayed.without(v);
                    scene.opened = scene.opened | self.arena.opens[v];
                    gain += owner.sign() as i32;
                    found = true;
                }
            }
            if !found {
                return (scene, gain);
            }
        }
    }

    /// The connected components of a set.
    fn components(&self, set: S) -> impl Iterator<Item = S> + use<'a, S> {
        let arena = self.arena;
        let mut rest = set;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let mut found = S::one(rest.least());
            let mut edge = found;
            while !edge.is_empty() {
                let v = edge.least();
                edge = edge.without(v);
                let fresh = arena.near[v] & rest & !found;
                found = found | fresh;
                edge = edge | fresh;
            }
            rest = rest & !found;
            Some(found)
        })
    }

    fn is_free_in(&self, player: Player, mut scene: Scene<S>) -> bool {
        let own = self.arena.own[player.index()];
        loop {
            let mine = scene.unplayed & own;
            if mine.is_empty() {
                return true;
            }
            let now = mine & scene.opened;
            if now.is_empty() {
                return false;
            }
            for v in now.members() {
                scene.opened = scene.opened | self.arena.opens[v];
            }
            scene.unplayed = scene.unplayed & !now;
        }
    }

    fn value_of(&mut self, scene: Scene<S>, budget: &mut Budget<'_>) -> Result<i32, Error> {
        let (scene, mut value) = self.strip(scene);
        for component in self.components(scene.unplayed) {
            value += self.component_value(Scene { unplayed: component, opened: scene.opened }, budget)?;
        }
        Ok(value)
    }

    /// The value of one component without safe plays.
    fn component_value(&mut self, scene: Scene<S>, budget: &mut Budget<'_>) -> Result<i32, Error> {
        let open = scene.unplayed & scene.opened;
        if open.is_empty() {
            return Ok(0);
        }
        if let Some(&value) = self.values.get(&scene.unplayed) {
            return Ok(value);
        }
        self.spend(budget)?;
        let (mut low, mut high) = (None, None);
        for v in open.members() {
            let next =
                Scene { unplayed: scene.unplayed.without(v), opened: scene.opened | self.arena.opens[v] };
            let value = i64::from(self.value_of(next, budget)?);
            match self.arena.owner(v) {
                Player::First => low = low.max(Some(value)),
                Player::Second => high = Some(high.map_or(value, |high: i64| high.min(value))),
            }
        }
        let value = simplest(low, high) as i32;
        self.values.insert(scene.unplayed, value);
        Ok(value)
    }

    /// The locked value, in the keeper's sign.
    fn locked_of(&mut self, scene: Scene<S>, keeper: Player, budget: &mut Budget<'_>) -> Result<i32, Error> {
        let sign = keeper.sign() as i32;
        let (scene, gain) = self.strip(scene);
        let mut value = sign * gain;
        let mut locked = S::default();
        let mut count = 0;
        for component in self.components(scene.unplayed) {
            let part = Scene { unplayed: component, opened: scene.opened };
            if self.is_free_in(keeper.other(), part) {
                value += sign * self.component_value(part, budget)?;
            } else if (component & scene.opened).is_empty() {
                // Out of reach for ever: a lock that costs nothing, so nothing else matters.
                locked = S::default();
                count = 0;
                value = sign * gain;
                for component in self.components(scene.unplayed) {
                    let part = Scene { unplayed: component, opened: scene.opened };
                    value += sign * self.component_value(part, budget)?;
                }
                break;
            } else {
                locked = locked | component;
                count += 1;
            }
        }
        if count == 0 {
            return Ok(value);
        }
        let scene = Scene { unplayed: locked, opened: scene.opened };
        Ok(value + self.locked_core(scene, count, keeper, budget)?)
    }

    /// The locked value of components in each of which the race winner is locked in, without safe plays.
    fn locked_core(
        &mut self,
        scene: Scene<S>,
        count: u32,
        keeper: Player,
        budget: &mut Budget<'_>,
    ) -> Result<i32, Error> {
        if let Some(&value) = self.locked[keeper.index()].get(&scene.unplayed) {
            return Ok(value);
        }
        self.spend(budget)?;
        let sign = keeper.sign() as i32;
        if count > 1 {
            // A component that costs nothing settles the whole.
            let mut total = 0;
            let mut for_nothing = false;
            for component in self.components(scene.unplayed) {
                let part = Scene { unplayed: component, opened: scene.opened };
                let value = sign * self.component_value(part, budget)?;
                total += value;
                for_nothing = for_nothing || self.locked_core(part, 1, keeper, budget)? == value;
            }
            if for_nothing {
                self.locked[keeper.index()].insert(scene.unplayed, total);
                return Ok(total);
            }
        }
        let (mut low, mut high) = (None, None);
        for v in (scene.unplayed & scene.opened).members() {
            let next =
                Scene { unplayed: scene.unplayed.without(v), opened: scene.opened | self.arena.opens[v] };
            let owner = self.arena.owner(v);
            if owner == keeper {
                if self.is_free_in(keeper.other(), next) {
                    continue;
                }
                low = low.max(Some(i64::from(self.locked_of(next, keeper, budget)?)));
            } else {
                let value = i64::from(self.locked_of(next, keeper, budget)?);
                high = Some(high.map_or(value, |high: i64| high.min(value)));
            }
        }
        let value = simplest(low, high) as i32;
        self.locked[keeper.index()].insert(scene.unplayed, value);
        Ok(value)
    }

    /// With additions components are tied together and safe plays are not safe for ever: plain recursion. `keeper` restricts
    /// the plays and gives the sign.
    fn labelled_value(
        &mut self,
        unplayed: S,
        keeper: Option<Player>,
        budget: &mut Budget<'_>,
    ) -> Result<i32, Error> {
        let known = keeper.map_or(&self.values, |keeper| &self.locked[keeper.index()]);
        if let Some(&value) = known.get(&unplayed) {
            return Ok(value);
        }
        self.spend(budget)?;
        let up = keeper.unwrap_or(Player::First);
        let (mut low, mut high) = (None, None);
        for v in self.arena.open(unplayed, self.arena.all()).members() {
            let next = unplayed.without(v);
            let mine = self.arena.owner(v) == up;
            if mine && keeper.is_some() && self.arena.is_free(up.other(), next) {
                continue;
            }
            let value = i64::from(self.labelled_value(next, keeper, budget)?);
            if mine {
                low = low.max(Some(value));
            } else {
                high = Some(high.map_or(value, |high: i64| high.min(value)));
            }
        }
        let value = simplest(low, high) as i32;
        let known = match keeper {
            Some(keeper) => &mut self.locked[keeper.index()],
            None => &mut self.values,
        };
        known.insert(unplayed, value);
        Ok(value)
    }
}

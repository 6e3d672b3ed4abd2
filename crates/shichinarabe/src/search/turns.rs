//! Search over whole turns: rights, passes, deletions, rule variants. What is unplayed, whose turn it is and what is left of
//! rights and passes decide the rest of the game, so these are remembered. Positions without rights, passes and
//! deletions are not searched but decided by [`Integers`].
//!
//! A right may be followed by another right or by the action, so using one leads to a state of the same kind with the
//! same mover. Equal passes cancel (answer a pass by a pass; claim `passes-only-difference`), so only the surplus is kept.

use super::arena::{Arena, Set};
use super::integers::Integers;
use crate::position::{Graph, Player, Variant};
use crate::rules::{Action, Turn};
use crate::theory::race::Race;
use kachi_core::{Budget, Error};
use rustc_hash::FxHashMap;

/// What decides the rest of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State<S> {
    /// Vertices not yet played.
    pub unplayed: S,
    /// Whose turn it is.
    pub mover: Player,
    /// Rights left.
    pub rights: [u32; 2],
    /// Passes left.
    pub passes: [u32; 2],
    /// In the variant with one right per turn: has it been used?
    pub used: bool,
}

/// A memory of decided states of one arena.
#[derive(Debug)]
pub struct Turns<'a, S> {
    arena: &'a Arena<S>,
    variant: Variant,
    integers: Integers<'a, S>,
    known: FxHashMap<State<S>, Player>,
    /// States whose turns were tried.
    pub nodes: u64,
}

/// Passes beyond this are refused where they cannot be cancelled.
const MOST_PASSES: u32 = 64;
/// Turns looked at where any winning one will do.
const MOST_TURNS: usize = 4000;
/// Sets of targets looked at when turns are listed.
const MOST_SETS: u32 = 100_000;

impl<'a, S: Set> Turns<'a, S> {
    /// Nothing known yet.
    #[must_use]
    pub fn new(arena: &'a Arena<S>, variant: Variant) -> Self {
        let integers = Integers::new(arena);
        Turns { arena, variant, integers, known: FxHashMap::default(), nodes: 0 }
    }

    /// The state of a graph of this arena.
    ///
    /// # Errors
    /// `too_large` for passes that the variant does not let cancel.
    pub fn state(&self, graph: &Graph) -> Result<State<S>, Error> {
        let setup = graph.setup();
        let most = setup.passes[0].max(setup.passes[1]);
        if self.variant.one_right_per_turn && most > MOST_PASSES {
            return Err(Error::too_large("passes in the variant with one right per turn", most, MOST_PASSES));
        }
        Ok(State {
            unplayed: self.arena.all(),
            mover: setup.mover,
            rights: setup.rights,
            passes: setup.passes,
            used: false,
        })
    }

    /// All nodes, those of the integer search included.
    #[must_use]
    pub fn all_nodes(&self) -> u64 {
        self.nodes + self.integers.nodes
    }

    /// Leaves only what can matter of rights and passes.
    fn normal(&self, mut state: State<S>) -> State<S> {
        let hands = self.arena.hands(state.unplayed);
        for player in 0..2 {
            state.rights[player] = state.rights[player].min(hands[1 - player] as u32);
        }
        if !self.variant.one_right_per_turn {
            let common = state.passes[0].min(state.passes[1]);
            for player in 0..2 {
                // Every surplus pass makes the opponent play a card.
                state.passes[player] = (state.passes[player] - common).min(hands[1 - player] as u32 + 1);
            }
        }
        state
    }

    /// Who wins.
    ///
    /// # Errors
    /// `out_of_budget`.
    pub fn winner(&mut self, state: State<S>, budget: &mut Budget<'_>) -> Result<Player, Error> {
        let state = self.normal(state);
        let hands = self.arena.hands(state.unplayed);
        if let Some(winner) = Race::new(hands, state.mover).over() {
            // In the variant an empty hand of the player to move was emptied by a right, and that wins.
            let emptied = self.variant.emptying_wins && winner == state.mover;
            return Ok(if emptied { winner.other() } else { winner });
        }
        let helped = |player: Player| state.rights[player.index()] + state.passes[player.index()] > 0;
        let theory = !self.arena.deletes;
        if theory && self.variant == Variant::default() && !(helped(Player::First) && helped(Player::Second))
        {
            let winner = self.integers.decide(state.unplayed, state.mover, budget)?.winner;
            // Rights and passes never hurt their holder: he may leave them unused.
            if helped(winner) || !helped(winner.other()) {
                return Ok(winner);
            }
        }
        if let Some(&winner) = self.known.get(&state) {
            return Ok(winner);
        }
        self.nodes += 1;
        budget.spend(1)?;
        let entry = size_of::<(State<S>, Player)>() as u64 + 1;
        if self.known.capacity() as u64 * entry > budget.limits().bytes {
            return Err(Error::new("out_of_budget", "the search tables need more memory than allowed"));
        }
        let winner = if self.finds_win(state, budget)? { state.mover } else { state.mover.other() };
        self.known.insert(state, winner);
        Ok(winner)
    }

    fn finds_win(&mut self, state: State<S>, budget: &mut Budget<'_>) -> Result<bool, Error> {
        // With the last right gone theory answers at once, so try that first.
        let last_right = state.rights == [1, 0] || state.rights == [0, 1];
        if last_right && self.joker_wins(state, budget)? {
            return Ok(true);
        }
        for v in self.arena.open(state.unplayed, self.arena.own[state.mover.index()]).members() {
            if self.winner(self.after(state, Action::Play(v as u32)), budget)? == state.mover {
                return Ok(true);
            }
        }
        if state.passes[state.mover.index()] > 0
            && self.winner(self.after(state, Action::Pass), budget)? == state.mover
        {
            return Ok(true);
        }
        Ok(!last_right && self.joker_wins(state, budget)?)
    }

    fn joker_wins(&mut self, state: State<S>, budget: &mut Budget<'_>) -> Result<bool, Error> {
        if state.rights[state.mover.index()] == 0 || state.used {
            return Ok(false);
        }
        let theirs = state.unplayed & self.arena.own[state.mover.other().index()];
        if theirs.len() == 1 {
            // Taking the last card ends the game, for better or worse.
            return Ok(self.variant.emptying_wins);
        }
        for v in theirs.members() {
            if self.winner(self.turned(state, v), budget)? == state.mover {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// After a right has been used on an arena vertex.
    fn turned(&self, mut state: State<S>, vertex: usize) -> State<S> {
        state.unplayed = state.unplayed.without(vertex);
        state.rights[state.mover.index()] -= 1;
        state.used = self.variant.one_right_per_turn;
        state
    }

    /// After an action; a played vertex is named by its number in the arena.
    fn after(&self, mut state: State<S>, action: Action) -> State<S> {
        match action {
            Action::Play(v) => state.unplayed = state.unplayed.without(v as usize),
            Action::Pass => state.passes[state.mover.index()] -= 1,
        }
        state.mover = state.mover.other();
        state.used = false;
        state
    }

    /// Calls `found` for every winning turn (vertices numbered as in the graph), in the order of answers.
    ///
    /// # Errors
    /// `out_of_budget`; the turns found before stay found.
    pub fn winning_turns(
        &mut self,
        state: State<S>,
        budget: &mut Budget<'_>,
        found: &mut dyn FnMut(Turn),
    ) -> Result<(), Error> {
        self.turns_after(state, &mut Vec::new(), 0, true, budget, found)
    }

    /// Calls `found` for every winning turn that ends with a pass.
    ///
    /// # Errors
    /// `out_of_budget`; the turns found before stay found.
    pub fn winning_passes(
        &mut self,
        state: State<S>,
        budget: &mut Budget<'_>,
        found: &mut dyn FnMut(Turn),
    ) -> Result<(), Error> {
        self.turns_after(state, &mut Vec::new(), 0, false, budget, found)
    }

    fn turns_after(
        &mut self,
        state: State<S>,
        joker: &mut Vec<u32>,
        from: usize,
        plays: bool,
        budget: &mut Budget<'_>,
        found: &mut dyn FnMut(Turn),
    ) -> Result<(), Error> {
        let mover = state.mover;
        budget.spend(1)?;
        let open = self.arena.open(state.unplayed, self.arena.own[mover.index()]);
        for v in open.members().filter(|_| plays) {
            if self.winner(self.after(state, Action::Play(v as u32)), budget)? == mover {
                found(Turn { joker: joker.clone(), action: Action::Play(self.arena.ids[v]) });
            }
        }
        if state.passes[mover.index()] > 0 && self.winner(self.after(state, Action::Pass), budget)? == mover {
            found(Turn { joker: joker.clone(), action: Action::Pass });
        }
        if state.rights[mover.index()] == 0 || state.used {
            return Ok(());
        }
        let theirs = state.unplayed & self.arena.own[mover.other().index()];
        for v in theirs.members().filter(|&v| v >= from) {
            joker.push(self.arena.ids[v]);
            if theirs.len() == 1 {
                if self.variant.emptying_wins {
                    found(Turn { joker: joker.clone(), action: Action::Pass });
                }
            } else {
                self.turns_after(self.turned(state, v), joker, v + 1, plays, budget, found)?;
            }
            joker.pop();
        }
        Ok(())
    }

    /// A turn that keeps the win, if the mover has one among the first few thousand: plain plays are preferred to passes,
    /// passes to jokers.
    ///
    /// # Errors
    /// `out_of_budget`.
    pub fn winning_turn(
        &mut self,
        state: State<S>,
        budget: &mut Budget<'_>,
    ) -> Result<Option<(Turn, State<S>)>, Error> {
        for (turn, after) in self.legal_turns(state, MOST_TURNS) {
            if self.winner(after, budget)? == state.mover {
                return Ok(Some((turn, after)));
            }
        }
        Ok(None)
    }

    /// The legal turns of the mover with what they lead to, in the order of answers; at most `limit` of them.
    #[must_use]
    pub fn legal_turns(&self, state: State<S>, limit: usize) -> Vec<(Turn, State<S>)> {
        let mut turns = Vec::new();
        if self.arena.hands(state.unplayed).iter().all(|&hand| hand > 0) {
            let mut sets = MOST_SETS;
            self.collect(state, &mut Vec::new(), 0, (limit, &mut sets), &mut turns);
        }
        turns
    }

    fn collect(
        &self,
        state: State<S>,
        joker: &mut Vec<u32>,
        from: usize,
        (limit, sets): (usize, &mut u32),
        turns: &mut Vec<(Turn, State<S>)>,
    ) {
        let mover = state.mover;
        let id = |v: usize| Action::Play(self.arena.ids[v]);
        for v in self.arena.open(state.unplayed, self.arena.own[mover.index()]).members() {
            let after = self.after(state, Action::Play(v as u32));
            turns.push((Turn { joker: joker.clone(), action: id(v) }, after));
        }
        if state.passes[mover.index()] > 0 {
            let after = self.after(state, Action::Pass);
            turns.push((Turn { joker: joker.clone(), action: Action::Pass }, after));
        }
        if state.rights[mover.index()] == 0 || state.used {
            return;
        }
        let theirs = state.unplayed & self.arena.own[mover.other().index()];
        for v in theirs.members().filter(|&v| v >= from) {
            if turns.len() >= limit || *sets == 0 {
                return;
            }
            *sets -= 1;
            joker.push(self.arena.ids[v]);
            let mut turned = self.turned(state, v);
            if theirs.len() > 1 {
                self.collect(turned, joker, v + 1, (limit, &mut *sets), turns);
            } else if self.variant.emptying_wins {
                turned.mover = mover.other();
                turned.used = false;
                turns.push((Turn { joker: joker.clone(), action: Action::Pass }, turned));
            }
            joker.pop();
        }
    }
}

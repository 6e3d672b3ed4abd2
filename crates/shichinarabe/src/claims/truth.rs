//! The truth about small graphs by plain search with a table and without any theory. It knows the rules of turns, rights,
//! passes and variants, and answers for every set of unplayed vertices.

use crate::position::{Graph, Player, Variant};
use crate::search::arena::{Arena, Set};
use crate::search::turns::State;
use crate::theory::race::simplest;
use rustc_hash::FxHashMap;

/// All positions inside one small graph.
#[derive(Debug)]
pub struct Truth {
    /// The graph as sets of bits.
    pub arena: Arena<u64>,
    variant: Variant,
    rights: [u32; 2],
    passes: [u32; 2],
    /// 0 unknown, 1 the mover loses, 2 he wins.
    table: Vec<u8>,
}

/// The largest graph whose truth is tabled.
pub const MOST_CARDS: usize = 16;

impl Truth {
    /// A fresh table for a graph of at most [`MOST_CARDS`] cards; its rights and passes are the most that may be asked about.
    ///
    /// # Panics
    /// If the graph is larger.
    #[must_use]
    pub fn new(graph: &Graph) -> Truth {
        let setup = graph.setup();
        let arena = Arena::<u64>::new(graph).expect("a small graph fits");
        assert!(arena.ids.len() <= MOST_CARDS, "truth is for small graphs");
        let counts = setup.rights.into_iter().chain(setup.passes).map(|count| count as usize + 1);
        let size = counts.product::<usize>() << (arena.ids.len() + 2);
        Truth {
            arena,
            variant: setup.variant,
            rights: setup.rights,
            passes: setup.passes,
            table: vec![0; size],
        }
    }

    /// The whole position.
    #[must_use]
    pub fn start(&self, mover: Player) -> State<u64> {
        let (rights, passes) = (self.rights, self.passes);
        State { unplayed: self.arena.all(), mover, rights, passes, used: false }
    }

    fn index(&self, state: &State<u64>) -> usize {
        let mut index = state.unplayed as usize;
        index = index * 2 + state.mover.index();
        index = index * 2 + usize::from(state.used);
        for player in 0..2 {
            index = index * (self.rights[player] as usize + 1) + state.rights[player] as usize;
            index = index * (self.passes[player] as usize + 1) + state.passes[player] as usize;
        }
        index
    }

    /// Who wins.
    pub fn winner(&mut self, state: State<u64>) -> Player {
        let hands = self.arena.hands(state.unplayed);
        if let Some(empty) = Player::BOTH.into_iter().find(|p| hands[p.index()] == 0) {
            let emptied = self.variant.emptying_wins && empty == state.mover;
            return if emptied { empty.other() } else { empty };
        }
        let index = self.index(&state);
        if self.table[index] == 0 {
            self.table[index] = 1 + u8::from(self.wins(state));
        }
        if self.table[index] == 2 { state.mover } else { state.mover.other() }
    }

    fn wins(&mut self, state: State<u64>) -> bool {
        let me = state.mover;
        let after = |unplayed: u64| State { unplayed, mover: me.other(), used: false, ..state };
        for v in self.arena.open(state.unplayed, self.arena.own[me.index()]).members() {
            if self.winner(after(state.unplayed.without(v))) == me {
                return true;
            }
        }
        if state.passes[me.index()] > 0 {
            let mut passed = after(state.unplayed);
            passed.passes[me.index()] -= 1;
            if self.winner(passed) == me {
                return true;
            }
        }
        if state.rights[me.index()] == 0 || state.used {
            return false;
        }
        let theirs = state.unplayed & self.arena.own[me.other().index()];
        if theirs.len() == 1 {
            return self.variant.emptying_wins;
        }
        theirs.members().any(|v| {
            let mut turned = state;
            turned.unplayed = state.unplayed.without(v);
            turned.rights[me.index()] -= 1;
            turned.used = self.variant.one_right_per_turn;
            self.winner(turned) == me
        })
    }
}

/// Values by plain recursion over all plays: no stripping, no components.
#[derive(Debug)]
pub struct PlainValues {
    /// The graph as sets of bits.
    pub arena: Arena<u64>,
    tables: [FxHashMap<u64, i64>; 3],
}

impl PlainValues {
    /// Nothing known yet. The graph must be small and have no deletions.
    ///
    /// # Panics
    /// If it is larger than 64 cards.
    #[must_use]
    pub fn new(graph: &Graph) -> PlainValues {
        PlainValues { arena: Arena::new(graph).expect("a small graph fits"), tables: Default::default() }
    }

    /// The value, positive for the first player.
    pub fn value(&mut self, unplayed: u64) -> i64 {
        self.find(unplayed, None)
    }

    /// The value in the keeper's sign when he may not set the other free; `None` if the other is free already.
    pub fn locked(&mut self, unplayed: u64, keeper: Player) -> Option<i64> {
        (!self.arena.is_free(keeper.other(), unplayed)).then(|| self.find(unplayed, Some(keeper)))
    }

    fn find(&mut self, unplayed: u64, keeper: Option<Player>) -> i64 {
        let table = keeper.map_or(2, Player::index);
        if let Some(&value) = self.tables[table].get(&unplayed) {
            return value;
        }
        let up = keeper.unwrap_or(Player::First);
        let (mut low, mut high): (Option<i64>, Option<i64>) = (None, None);
        for v in self.arena.open(unplayed, self.arena.all()).members() {
            let next = unplayed.without(v);
            let mine = self.arena.owner(v) == up;
            if mine && keeper.is_some() && self.arena.is_free(up.other(), next) {
                continue;
            }
            let value = self.find(next, keeper);
            if mine {
                low = low.max(Some(value));
            } else {
                high = Some(high.map_or(value, |high| high.min(value)));
            }
        }
        let value = simplest(low, high);
        self.tables[table].insert(unplayed, value);
        value
    }
}

//! The graph as sets of bits: which vertices are unplayed decides everything, also with labels, because whatever is not
//! unplayed is white.

use crate::position::{Colour, Edge, Graph, Player, named};
use rustc_hash::FxHashMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, Not};

/// A set of vertices numbered from 0.
pub trait Set:
    Copy + Eq + Ord + Hash + Debug + Default + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// How many vertices fit.
    const ROOM: usize;
    /// The set with one member.
    fn one(vertex: usize) -> Self;
    /// How many members.
    fn len(self) -> u32;
    /// The least member; [`ROOM`](Set::ROOM) if there is none.
    fn least(self) -> usize;

    /// No members?
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Does it hold this vertex?
    #[inline]
    fn has(self, vertex: usize) -> bool {
        !(self & Self::one(vertex)).is_empty()
    }

    /// The set without one vertex.
    #[inline]
    #[must_use]
    fn without(self, vertex: usize) -> Self {
        self & !Self::one(vertex)
    }

    /// The members, increasing.
    #[inline]
    fn members(self) -> Members<Self> {
        Members(self)
    }
}

/// The members of a set, increasing.
#[derive(Debug, Clone, Copy)]
pub struct Members<S>(S);

impl<S: Set> Iterator for Members<S> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        let vertex = self.0.least();
        self.0 = self.0.without(vertex);
        Some(vertex)
    }
}

macro_rules! bits {
    ($word:ty) => {
        impl Set for $word {
            const ROOM: usize = <$word>::BITS as usize;

            #[inline]
            fn one(vertex: usize) -> Self {
                1 << vertex
            }

            #[inline]
            fn len(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn least(self) -> usize {
                self.trailing_zeros() as usize
            }
        }
    };
}

bits!(u64);
bits!(u128);

/// An arc that depends on labels: usable when `from` is played, one of `added` is played (or it is there from the
/// start) and none of `deleted` is.
#[derive(Debug, Clone, Copy)]
struct LabelledArc<S> {
    /// `None` when the arc starts at a vertex that is white from the start.
    from: Option<usize>,
    present: bool,
    added: S,
    deleted: S,
}

/// What the labels say about one edge.
#[derive(Debug, Clone, Copy, Default)]
struct Notes<S> {
    present: bool,
    added: S,
    deleted: S,
    /// Deleted by a vertex that is white from the start.
    gone: bool,
}

/// A graph whose coloured vertices are numbered 0, 1, 2 ... and fit a [`Set`].
#[derive(Debug, Clone)]
pub struct Arena<S> {
    /// Vertex numbers of the graph.
    pub ids: Vec<u32>,
    /// The vertices of each player.
    pub own: [S; 2],
    /// Vertices next to a vertex that is white from the start.
    pub access: S,
    /// What playing a vertex opens (graphs without labels).
    pub opens: Vec<S>,
    /// All neighbours, along arcs and against them.
    pub near: Vec<S>,
    /// Arcs into each vertex, for graphs with labels.
    labelled: Vec<Vec<LabelledArc<S>>>,
    /// Do labels add edges?
    pub adds: bool,
    /// Do labels delete edges?
    pub deletes: bool,
}

impl<S: Set> Arena<S> {
    /// The arena of a graph, if its coloured vertices fit.
    #[must_use]
    pub fn new(graph: &Graph) -> Option<Arena<S>> {
        let setup = graph.setup();
        let mut place = vec![None; setup.colours.len()];
        let mut ids = Vec::new();
        let mut own = [S::default(); 2];
        for (vertex, colour) in setup.colours.iter().enumerate() {
            if let Colour::Held(player) = colour {
                if ids.len() == S::ROOM {
                    return None;
                }
                place[vertex] = Some(ids.len());
                own[player.index()] = own[player.index()] | S::one(ids.len());
                ids.push(vertex as u32);
            }
        }
        let mut arena = Arena {
            own,
            access: S::default(),
            opens: vec![S::default(); ids.len()],
            near: vec![S::default(); ids.len()],
            labelled: Vec::new(),
            adds: !setup.add.is_empty(),
            deletes: !setup.delete.is_empty(),
            ids,
        };
        if arena.adds || arena.deletes {
            arena.read_labels(graph, &place);
            return Some(arena);
        }
        let mut arc = |from: u32, to: u32| match (place[from as usize], place[to as usize]) {
            (_, None) => {}
            (None, Some(to)) => arena.access = arena.access | S::one(to),
            (Some(from), Some(to)) => {
                arena.opens[from] = arena.opens[from] | S::one(to);
                arena.near[from] = arena.near[from] | S::one(to);
                arena.near[to] = arena.near[to] | S::one(from);
            }
        };
        for &(u, v) in &setup.edges {
            arc(u, v);
            if !setup.directed {
                arc(v, u);
            }
        }
        Some(arena)
    }

    fn read_labels(&mut self, graph: &Graph, place: &[Option<usize>]) {
        let setup = graph.setup();
        self.labelled = vec![Vec::new(); self.ids.len()];
        let mut edges: Vec<Edge> = setup.edges.iter().map(|&edge| named(edge, setup.directed)).collect();
        let mut notes: FxHashMap<Edge, Notes<S>> = FxHashMap::default();
        for &edge in &edges {
            notes.insert(edge, Notes { present: true, ..Notes::default() });
        }
        for label in &setup.add {
            let edge = named(label.edge, setup.directed);
            let note = notes.entry(edge).or_insert_with(|| {
                edges.push(edge);
                Notes::default()
            });
            match place[label.when as usize] {
                Some(vertex) => note.added = note.added | S::one(vertex),
                None => note.present = true,
            }
        }
        for label in &setup.delete {
            let note = notes.entry(named(label.edge, setup.directed)).or_default();
            match place[label.when as usize] {
                Some(vertex) => note.deleted = note.deleted | S::one(vertex),
                None => note.gone = true,
            }
        }
        for (u, v) in edges {
            let note = notes[&(u, v)];
            let mut arc = |from: u32, to: u32| {
                if let (Some(to), false) = (place[to as usize], note.gone) {
                    let from = place[from as usize];
                    let Notes { present, added, deleted, .. } = note;
                    self.labelled[to].push(LabelledArc { from, present, added, deleted });
                }
            };
            arc(u, v);
            if !setup.directed {
                arc(v, u);
            }
        }
    }

    /// Is the graph without labels?
    #[must_use]
    pub fn is_plain(&self) -> bool {
        !self.adds && !self.deletes
    }

    /// All coloured vertices.
    #[must_use]
    pub fn all(&self) -> S {
        self.own[0] | self.own[1]
    }

    /// Who holds a vertex.
    #[must_use]
    #[inline]
    pub fn owner(&self, vertex: usize) -> Player {
        if self.own[0].has(vertex) { Player::First } else { Player::Second }
    }

    /// Cards of each player in a set.
    #[must_use]
    #[inline]
    pub fn hands(&self, unplayed: S) -> [u64; 2] {
        [u64::from((unplayed & self.own[0]).len()), u64::from((unplayed & self.own[1]).len())]
    }

    /// The playable vertices of `candidates` when exactly `unplayed` is unplayed.
    #[must_use]
    pub fn open(&self, unplayed: S, candidates: S) -> S {
        let mut open = S::default();
        if self.is_plain() {
            let mut reach = self.access;
            for v in (self.all() & !unplayed).members() {
                reach = reach | self.opens[v];
            }
            return reach & unplayed & candidates;
        }
        for v in (unplayed & candidates).members() {
            let usable = |arc: &LabelledArc<S>| {
                arc.from.is_none_or(|from| !unplayed.has(from))
                    && (arc.present || !(arc.added & !unplayed).is_empty())
                    && (arc.deleted & !unplayed).is_empty()
            };
            if self.labelled[v].iter().any(usable) {
                open = open | S::one(v);
            }
        }
        open
    }

    /// Could the player play all his cards alone? (Not asked of graphs with deletions.)
    #[must_use]
    pub fn is_free(&self, player: Player, unplayed: S) -> bool {
        let mut unplayed = unplayed;
        loop {
            let mine = unplayed & self.own[player.index()];
            if mine.is_empty() {
                return true;
            }
            let open = self.open(unplayed, mine);
            if open.is_empty() {
                return false;
            }
            unplayed = unplayed & !open;
        }
    }
}

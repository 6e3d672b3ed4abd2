//! The graph game: vertices are on the table (white) or in a hand; a player plays an own vertex next to a
//! white one. Rights (jokers), passes and labels that add or delete edges belong to the position.

use super::Player;
use kachi_core::Error;
use rustc_hash::FxHashSet;

/// The state of a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Colour {
    /// On the table.
    White,
    /// In this player's hand.
    Held(Player),
}

impl Colour {
    /// The letter `W`, `R` or `B`.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Colour::White => 'W',
            Colour::Held(player) => player.colour(),
        }
    }

    /// The colour with this letter.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Colour> {
        match letter {
            'W' => Some(Colour::White),
            _ => Player::from_colour(letter).map(Colour::Held),
        }
    }
}

/// An edge, or an arc from the first to the second vertex in a directed graph.
pub type Edge = (u32, u32);

/// An edge that comes or goes when a vertex turns white.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label {
    /// The vertex that fires the label.
    pub when: u32,
    /// The edge that it adds or deletes.
    pub edge: Edge,
}

/// Rules that differ from the default and change results; never silently on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Variant {
    /// At most one right may be used in a turn.
    pub one_right_per_turn: bool,
    /// Removing the opponent's last vertex with a right wins instead of losing.
    pub emptying_wins: bool,
}

/// Anything that looks like a position of the graph game.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GraphSetup {
    /// The colour of every vertex.
    pub colours: Vec<Colour>,
    /// The edges present from the start.
    pub edges: Vec<Edge>,
    /// Are edges arcs?
    pub directed: bool,
    /// Whose turn it is.
    pub mover: Player,
    /// All-mighty rights (jokers) left, by player.
    pub rights: [u32; 2],
    /// Passes left, by player.
    pub passes: [u32; 2],
    /// Edges that appear.
    pub add: Vec<Label>,
    /// Edges that disappear.
    pub delete: Vec<Label>,
    /// Rule variants.
    pub variant: Variant,
}

impl GraphSetup {
    /// An undirected setup without rights, passes and labels.
    #[must_use]
    pub fn plain(colours: Vec<Colour>, edges: Vec<Edge>, mover: Player) -> GraphSetup {
        GraphSetup {
            colours,
            edges,
            directed: false,
            mover,
            rights: [0; 2],
            passes: [0; 2],
            add: Vec::new(),
            delete: Vec::new(),
            variant: Variant::default(),
        }
    }
}

/// A legal position of the graph game: all numbers in range, no loops, no double edges, some card left.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Graph(GraphSetup);

impl Graph {
    /// Checks a setup.
    ///
    /// # Errors
    /// `no_cards`, `bad_vertex`, `self_loop`, `duplicate_edge` or `unknown_edge`, with the place.
    pub fn new(setup: GraphSetup) -> Result<Graph, Error> {
        if setup.colours.iter().all(|&colour| colour == Colour::White) {
            return Err(Error::new("no_cards", "both hands are empty: some vertex must be R or B")
                .at_field("vertices")
                .hint("for example \"WRB\""));
        }
        let count = setup.colours.len();
        let check = |edge: Edge, path: &dyn Fn(usize) -> String| -> Result<(), Error> {
            for (side, vertex) in [edge.0, edge.1].into_iter().enumerate() {
                if vertex as usize >= count {
                    return Err(bad_vertex(vertex, count).at_field(path(side)));
                }
            }
            if edge.0 == edge.1 {
                let message = format!("an edge must join two vertices, not {} with itself", edge.0);
                return Err(Error::new("self_loop", message).at_field(path(0)));
            }
            Ok(())
        };
        let mut known: FxHashSet<Edge> = FxHashSet::default();
        known.reserve(setup.edges.len());
        for (i, &edge) in setup.edges.iter().enumerate() {
            check(edge, &|side| format!("edges[{i}][{side}]"))?;
            if !known.insert(named(edge, setup.directed)) {
                let message = format!("the edge {}-{} is written twice", edge.0, edge.1);
                return Err(Error::new("duplicate_edge", message).at_field(format!("edges[{i}]")));
            }
        }
        for (field, labels) in [("add", &setup.add), ("delete", &setup.delete)] {
            for (i, label) in labels.iter().enumerate() {
                if label.when as usize >= count {
                    return Err(bad_vertex(label.when, count).at_field(format!("{field}[{i}].when")));
                }
                check(label.edge, &|side| format!("{field}[{i}].edge[{side}]"))?;
                let edge = named(label.edge, setup.directed);
                if field == "add" {
                    known.insert(edge);
                } else if !known.contains(&edge) {
                    let (u, v) = label.edge;
                    let message =
                        format!("the edge {u}-{v} cannot be deleted: it is neither present nor added");
                    return Err(Error::new("unknown_edge", message).at_field(format!("{field}[{i}].edge")));
                }
            }
        }
        Ok(Graph(setup))
    }

    /// Everything about the position.
    #[must_use]
    pub fn setup(&self) -> &GraphSetup {
        &self.0
    }

    /// The setup, to be changed and checked again.
    #[must_use]
    pub fn into_setup(self) -> GraphSetup {
        self.0
    }

    /// How many cards each player holds.
    #[must_use]
    pub fn hands(&self) -> [u64; 2] {
        let mut hands = [0; 2];
        for colour in &self.0.colours {
            if let Colour::Held(player) = colour {
                hands[player.index()] += 1;
            }
        }
        hands
    }

    /// The same position with other colours and turn; used by play, which keeps all other rules true.
    pub(crate) fn with_play(&self, colours: Vec<Colour>, rights: [u32; 2], passes: [u32; 2]) -> Graph {
        let mut next = self.0.clone();
        next.colours = colours;
        next.rights = rights;
        next.passes = passes;
        next.mover = self.0.mover.other();
        Graph(next)
    }
}

/// The name of an edge: the same for both directions when there are none.
pub(crate) fn named(edge: Edge, directed: bool) -> Edge {
    if directed || edge.0 < edge.1 { edge } else { (edge.1, edge.0) }
}

fn bad_vertex(vertex: u32, count: usize) -> Error {
    Error::new("bad_vertex", format!("there is no vertex {vertex}: the vertices are 0 to {}", count - 1))
}

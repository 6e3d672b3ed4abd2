//! Rules of the graph game with rights, passes and labels.

use crate::position::{Colour, Graph, Label, Player};
use kachi_core::{Game, Seat};

/// The compulsory part of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// Play this vertex.
    Play(u32),
    /// Use up one pass.
    Pass,
}

/// A turn: rights used on these vertices (increasing), then an action. The order is that of answers: turns without
/// rights first, then by the vertices turned, then by the action, with a pass last.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Turn {
    /// The opponent's vertices turned white.
    pub joker: Vec<u32>,
    /// The action.
    pub action: Action,
}

impl Turn {
    /// A turn without rights.
    #[must_use]
    pub fn plain(action: Action) -> Turn {
        Turn { joker: Vec::new(), action }
    }
}

/// The graph game. A position carries its graph, so the rules need no state.
#[derive(Debug, Clone, Copy, Default)]
pub struct GraphRules;

impl GraphRules {
    /// Is there an edge into `vertex` from a white vertex, with the labels of white vertices in force?
    fn reachable(colours: &[Colour], graph: &Graph, vertex: u32) -> bool {
        let setup = graph.setup();
        let white = |v: u32| colours[v as usize] == Colour::White;
        let same = |a: (u32, u32), b: (u32, u32)| a == b || (!setup.directed && a == (b.1, b.0));
        let fired = |labels: &[Label], edge| labels.iter().any(|l| white(l.when) && same(l.edge, edge));
        let leads_here = |edge: (u32, u32)| {
            let (from, to) = edge;
            (to == vertex && white(from)) || (!setup.directed && from == vertex && white(to))
        };
        let base = setup.edges.iter().copied();
        let added = setup.add.iter().filter(|l| white(l.when)).map(|l| l.edge);
        base.chain(added).any(|edge| leads_here(edge) && !fired(&setup.delete, edge))
    }

    /// The vertices that `player` could play if these were the colours.
    #[must_use]
    pub fn playable(colours: &[Colour], graph: &Graph, player: Player) -> Vec<u32> {
        let held = |&v: &u32| colours[v as usize] == Colour::Held(player);
        let vertices = 0..colours.len() as u32;
        vertices.filter(held).filter(|&v| GraphRules::reachable(colours, graph, v)).collect()
    }

    fn actions(colours: &[Colour], graph: &Graph) -> Vec<Action> {
        let mover = graph.setup().mover;
        let plays = GraphRules::playable(colours, graph, mover).into_iter().map(Action::Play);
        let pass = (graph.setup().passes[mover.index()] > 0).then_some(Action::Pass);
        plays.chain(pass).collect()
    }

    /// The sets of vertices on which the mover may use rights, the empty one first, in the order of answers.
    fn joker_sets(graph: &Graph) -> Vec<Vec<u32>> {
        let setup = graph.setup();
        let mover = setup.mover;
        let mut most = setup.rights[mover.index()] as usize;
        if setup.variant.one_right_per_turn {
            most = most.min(1);
        }
        let theirs: Vec<u32> = (0..setup.colours.len() as u32)
            .filter(|&v| setup.colours[v as usize] == Colour::Held(mover.other()))
            .collect();
        let mut sets = vec![Vec::new()];
        let mut grown: Vec<Vec<u32>> = vec![Vec::new()];
        for _ in 0..most.min(theirs.len()) {
            let mut larger = Vec::new();
            for set in &grown {
                let last = set.last().copied();
                for &v in theirs.iter().filter(|&&v| last.is_none_or(|last| v > last)) {
                    larger.push(set.iter().copied().chain([v]).collect());
                }
            }
            sets.extend(larger.iter().cloned());
            grown = larger;
        }
        sets.sort();
        sets
    }
}

fn holds_cards(colours: &[Colour], player: Player) -> bool {
    colours.contains(&Colour::Held(player))
}

fn whitened(colours: &[Colour], vertices: &[u32]) -> Vec<Colour> {
    let mut colours = colours.to_vec();
    for &v in vertices {
        colours[v as usize] = Colour::White;
    }
    colours
}

impl Game for GraphRules {
    type Position = Graph;
    type Move = Turn;
    type Ending = Seat;

    fn mover(&self, position: &Graph) -> Seat {
        position.setup().mover.seat()
    }

    fn ending(&self, position: &Graph) -> Option<Seat> {
        let setup = position.setup();
        let empty = |&player: &Player| !holds_cards(&setup.colours, player);
        if let Some(winner) = Player::BOTH.into_iter().find(empty) {
            // The variant turns a hand emptied by the opponent's right into a loss. Only the player who has just
            // moved can have emptied his own hand by a play, so an empty hand of the mover was emptied by a right.
            let emptied = setup.variant.emptying_wins && winner == setup.mover;
            return Some(if emptied { winner.other() } else { winner }.seat());
        }
        self.moves(position).is_empty().then(|| setup.mover.other().seat())
    }

    /// All legal turns. A right that empties the opponent's hand ends the game at once: by default it loses and is not
    /// listed; in the variant it wins and is listed with a pass, which costs nothing, in the place of the action.
    fn moves(&self, position: &Graph) -> Vec<Turn> {
        let setup = position.setup();
        let mut turns = Vec::new();
        for joker in GraphRules::joker_sets(position) {
            let colours = whitened(&setup.colours, &joker);
            if !holds_cards(&colours, setup.mover.other()) {
                if setup.variant.emptying_wins {
                    turns.push(Turn { joker, action: Action::Pass });
                }
                continue;
            }
            let actions = GraphRules::actions(&colours, position);
            turns.extend(actions.into_iter().map(|action| Turn { joker: joker.clone(), action }));
        }
        turns
    }

    fn play(&self, position: &Graph, turn: &Turn) -> Graph {
        let setup = position.setup();
        let mover = setup.mover.index();
        let mut colours = whitened(&setup.colours, &turn.joker);
        let (mut rights, mut passes) = (setup.rights, setup.passes);
        rights[mover] -= turn.joker.len() as u32;
        let emptied = !holds_cards(&colours, setup.mover.other());
        match turn.action {
            Action::Play(v) => colours[v as usize] = Colour::White,
            Action::Pass if emptied => {}
            Action::Pass => passes[mover] -= 1,
        }
        position.with_play(colours, rights, passes)
    }
}

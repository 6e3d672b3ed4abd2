//! What kind of graph lies on the table: which vertices can be played at once, and whether the rest hangs below them as a
//! rooted forest or in paths. Theory is chosen by shape.

use crate::position::{Colour, Graph, Player};
use crate::theory::paths::Ends;
use crate::theory::rooted::{Forest, NONE};

/// The coloured vertices of a graph without labels: who holds them, which can be played at once, what each one opens.
#[derive(Debug, Clone)]
pub struct Skeleton {
    /// Vertex numbers of the graph, by number here.
    pub ids: Vec<u32>,
    /// Who holds each vertex.
    pub owners: Vec<Player>,
    /// Is it next to the table?
    pub access: Vec<bool>,
    starts: Vec<u32>,
    opens: Vec<u32>,
    directed: bool,
}

impl Skeleton {
    /// The skeleton of a graph; labels are ignored and must not exist.
    #[must_use]
    pub fn new(graph: &Graph) -> Skeleton {
        let setup = graph.setup();
        let mut place = vec![NONE; setup.colours.len()];
        let (mut ids, mut owners) = (Vec::new(), Vec::new());
        for (vertex, colour) in setup.colours.iter().enumerate() {
            if let Colour::Held(player) = colour {
                place[vertex] = ids.len() as u32;
                ids.push(vertex as u32);
                owners.push(*player);
            }
        }
        let mut access = vec![false; ids.len()];
        let mut starts = vec![0u32; ids.len() + 1];
        let arcs = || {
            let back = setup.edges.iter().filter(|_| !setup.directed).map(|&(u, v)| (v, u));
            setup.edges.iter().copied().chain(back).map(|(u, v)| (place[u as usize], place[v as usize]))
        };
        for (from, to) in arcs() {
            match (from, to) {
                (_, NONE) => {}
                (NONE, to) => access[to as usize] = true,
                (from, _) => starts[from as usize + 1] += 1,
            }
        }
        for i in 0..ids.len() {
            starts[i + 1] += starts[i];
        }
        let mut opens = vec![0; starts[ids.len()] as usize];
        let mut fill = starts.clone();
        for (from, to) in arcs().filter(|&(from, to)| from != NONE && to != NONE) {
            opens[fill[from as usize] as usize] = to;
            fill[from as usize] += 1;
        }
        Skeleton { ids, owners, access, starts, opens, directed: setup.directed }
    }

    /// The vertices that become playable when this one is played.
    #[must_use]
    pub fn opens(&self, vertex: u32) -> &[u32] {
        let vertex = vertex as usize;
        &self.opens[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// The rooted forest below the playable vertices, in preorder, if every coloured vertex has exactly one way to be
    /// opened. Vertices that nobody can reach are counted apart.
    #[must_use]
    pub fn forest(&self) -> Option<Forest> {
        let n = self.ids.len();
        let mut forest =
            Forest { parent: Vec::new(), owner: Vec::new(), ids: Vec::new(), unreachable: [0; 2] };
        let mut seen = vec![false; n];
        let mut stack: Vec<(u32, u32)> = Vec::new();
        for root in (0..n as u32).filter(|&v| self.access[v as usize]) {
            stack.push((root, NONE));
            while let Some((v, parent)) = stack.pop() {
                if seen[v as usize] {
                    return None;
                }
                seen[v as usize] = true;
                let here = forest.parent.len() as u32;
                forest.parent.push(parent);
                forest.owner.push(self.owners[v as usize]);
                forest.ids.push(v);
                let above = if parent == NONE { NONE } else { forest.ids[parent as usize] };
                for &child in self.opens(v).iter().rev() {
                    if child == above {
                        continue;
                    }
                    if self.access[child as usize] {
                        return None;
                    }
                    stack.push((child, here));
                }
            }
        }
        for (v, _) in seen.iter().enumerate().filter(|(_, seen)| !**seen) {
            forest.unreachable[self.owners[v].index()] += 1;
        }
        for id in &mut forest.ids {
            *id = self.ids[*id as usize];
        }
        Some(forest)
    }

    /// The paths of the graph, if every coloured component is a path that touches the table at its ends only: the
    /// vertices (numbers of the graph) of each path in order, and which ends are open.
    #[must_use]
    pub fn paths(&self) -> Option<Vec<(Vec<u32>, Ends)>> {
        let n = self.ids.len();
        if self.directed {
            return None;
        }
        let degree = |v: u32| self.opens(v).len();
        if (0..n as u32).any(|v| degree(v) > 2 || (degree(v) == 2 && self.access[v as usize])) {
            return None;
        }
        let mut seen = vec![false; n];
        let mut paths = Vec::new();
        for start in (0..n as u32).filter(|&v| degree(v) < 2) {
            if seen[start as usize] {
                continue;
            }
            let mut path = Vec::new();
            let (mut here, mut last) = (start, start);
            loop {
                seen[here as usize] = true;
                path.push(here);
                let next = self.opens(here).iter().copied().find(|&v| v != last && !seen[v as usize]);
                match next {
                    Some(next) => (last, here) = (here, next),
                    None => break,
                }
            }
            let (left, right) = (self.access[start as usize], self.access[here as usize]);
            let single = path.len() == 1;
            // A path open at one end is read from that end.
            if !left && right {
                path.reverse();
            }
            let ends = Ends::new(left || right, left && right && !single);
            paths.push((path.into_iter().map(|v| self.ids[v as usize]).collect(), ends));
        }
        // Cycles have no end to start from.
        seen.iter().all(|&seen| seen).then_some(paths)
    }
}

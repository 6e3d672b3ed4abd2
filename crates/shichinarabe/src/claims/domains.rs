//! All positions of a size, in a fixed order: lists of suits, rooted forests, lists of open paths.

use crate::position::{Colour, Graph, GraphSetup, Player};
use crate::theory::paths::Ends;

/// A string of owners as bits with a leading one; larger codes are longer or later strings.
pub type Code = u32;

/// The suit of a code, first card first.
#[must_use]
pub fn suit_of(code: Code) -> Vec<Player> {
    let length = 31 - code.leading_zeros();
    (0..length).map(|i| if code >> i & 1 == 0 { Player::First } else { Player::Second }).collect()
}

/// Calls `visit` for every multiset of nonempty suits with exactly `cards` cards in all, whose first (largest) suit falls
/// into the shard.
pub fn suit_lists(cards: u32, shard: u32, shards: u32, visit: &mut dyn FnMut(&[Code])) {
    fn grow(left: u32, most: Code, list: &mut Vec<Code>, visit: &mut dyn FnMut(&[Code])) {
        if left == 0 {
            visit(list);
            return;
        }
        let mut code = most.min((2 << left) - 1);
        while code >= 2 {
            list.push(code);
            grow(left - (31 - code.leading_zeros()), code, list, visit);
            list.pop();
            code -= 1;
        }
    }
    if cards == 0 {
        return;
    }
    let top: Code = (2 << cards) - 1;
    let mut list = Vec::new();
    for first in (2..=top).rev().filter(|first| first % shards == shard) {
        list.push(first);
        grow(cards - (31 - first.leading_zeros()), first, &mut list, visit);
        list.pop();
    }
}

/// The largest forests that are listed: 13 million trees, in a quarter of a gigabyte for each thread.
pub const MOST_VERTICES: usize = 12;

/// A coloured rooted tree: its owner and where its children stand.
#[derive(Debug, Clone, Copy)]
struct Tree {
    owner: Player,
    size: u8,
    degree: u8,
    children: u32,
}

/// All coloured rooted trees up to a size, smaller ones first.
#[derive(Debug, Clone)]
pub struct Trees {
    trees: Vec<Tree>,
    /// The children of all trees, one tree after the other; as numbers of trees, not increasing.
    children: Vec<u32>,
    /// Where the trees of each size begin.
    starts: Vec<u32>,
}

impl Trees {
    /// All trees of at most `size` vertices.
    #[must_use]
    pub fn new(size: u32) -> Trees {
        let mut trees = Trees { trees: Vec::new(), children: Vec::new(), starts: vec![0, 0] };
        for n in 1..=size {
            let mut found = Vec::new();
            let mut children = std::mem::take(&mut trees.children);
            trees.forests(n - 1, &mut |forest| {
                found.push((children.len() as u32, forest.len() as u8));
                children.extend(forest);
            });
            trees.children = children;
            for owner in Player::BOTH {
                let grown =
                    found.iter().map(|&(children, degree)| Tree { owner, size: n as u8, degree, children });
                trees.trees.extend(grown);
            }
            trees.starts.push(trees.trees.len() as u32);
        }
        trees
    }

    fn children(&self, tree: Tree) -> &[u32] {
        let start = tree.children as usize;
        &self.children[start..start + usize::from(tree.degree)]
    }

    /// Calls `visit` for every forest of exactly `vertices` vertices; the trees must reach that size.
    pub fn forests(&self, vertices: u32, visit: &mut dyn FnMut(&[u32])) {
        self.grow(vertices, self.trees.len() as u32, &mut Vec::new(), visit);
    }

    /// The forests whose largest tree falls into a shard.
    pub fn forest_shard(&self, vertices: u32, shard: u32, shards: u32, visit: &mut dyn FnMut(&[u32])) {
        let end = self.starts.get(vertices as usize + 1).copied().unwrap_or(self.trees.len() as u32);
        for first in (0..end).rev().filter(|first| first % shards == shard) {
            let left = vertices - u32::from(self.trees[first as usize].size);
            self.grow(left, first + 1, &mut vec![first], visit);
        }
    }

    fn grow(&self, left: u32, below: u32, list: &mut Vec<u32>, visit: &mut dyn FnMut(&[u32])) {
        if left == 0 {
            visit(list);
            return;
        }
        let end = self.starts.get(left as usize + 1).copied().unwrap_or(below).min(below);
        for tree in (0..end).rev() {
            list.push(tree);
            self.grow(left - u32::from(self.trees[tree as usize].size), tree + 1, list, visit);
            list.pop();
        }
    }

    /// The graph of a forest below one white vertex, numbered in preorder.
    #[must_use]
    pub fn graph(&self, forest: &[u32], mover: Player) -> Graph {
        let (mut colours, mut edges) = (vec![Colour::White], Vec::new());
        let mut todo: Vec<(u32, u32)> = forest.iter().rev().map(|&tree| (tree, 0)).collect();
        while let Some((tree, parent)) = todo.pop() {
            let here = colours.len() as u32;
            let tree = self.trees[tree as usize];
            colours.push(Colour::Held(tree.owner));
            edges.push((parent, here));
            todo.extend(self.children(tree).iter().rev().map(|&child| (child, here)));
        }
        Graph::new(GraphSetup::plain(colours, edges, mover)).expect("a forest is a legal graph")
    }
}

/// The graph of suits below one white vertex.
#[must_use]
pub fn spider(codes: &[Code], mover: Player) -> Graph {
    paths(&codes.iter().map(|&code| (code, Ends::Left)).collect::<Vec<_>>(), mover)
}

/// The graph of paths open as given: vertex 0 is white and touches every open end.
#[must_use]
pub fn paths(pieces: &[(Code, Ends)], mover: Player) -> Graph {
    let (mut colours, mut edges) = (vec![Colour::White], Vec::new());
    for &(code, ends) in pieces {
        let first = colours.len() as u32;
        colours.extend(suit_of(code).into_iter().map(Colour::Held));
        let last = colours.len() as u32 - 1;
        edges.extend((first..last).map(|v| (v, v + 1)));
        if ends.left() {
            edges.push((0, first));
        }
        if ends.right() && (last > first || !ends.left()) {
            edges.push((0, last));
        }
    }
    Graph::new(GraphSetup::plain(colours, edges, mover)).expect("paths are a legal graph")
}

//! The shapes that can be reached from some roots, with all their draws, cut into layers. For questions that need
//! more than one byte per seat: rational outcomes, certificates, longest resistance.

use crate::position::Mode;
use crate::shape::{Fate, Kind, Shape};
use kachi_core::{Budget, Error};
use rustc_hash::FxHashMap;

/// A draw in the graph.
#[derive(Debug, Clone)]
pub struct Edge {
    /// What is drawn.
    pub kind: Kind,
    /// The shape after it; `None` when one seat is left.
    pub to: Option<u32>,
    /// Did the victim leave?
    pub victim_left: bool,
    /// Did the mover leave?
    pub mover_left: bool,
    /// Were two cards discarded?
    pub paired: bool,
}

impl Edge {
    /// How many seats left.
    pub fn leavers(&self) -> u8 {
        u8::from(self.victim_left) + u8::from(self.mover_left)
    }

    /// What became of seat `q` when `seats` were in.
    pub fn follow(&self, seats: u8, q: u8) -> Fate {
        let (victim_left, mover_left, paired) = (self.victim_left, self.mover_left, self.paired);
        crate::shape::Step { after: None, victim_left, mover_left, paired }.follow(seats, q)
    }
}

/// All shapes reachable from the roots.
#[derive(Debug)]
pub struct Graph {
    /// The shapes; an edge's `to` is a place in this list.
    pub shapes: Vec<Shape>,
    /// The draws of every shape.
    pub draws: Vec<Vec<Edge>>,
    /// The shapes layer by layer: a draw leads into the same layer or an earlier one.
    pub layers: Vec<Vec<u32>>,
    number: FxHashMap<Shape, u32>,
}

impl Graph {
    /// Explores everything below the roots, at most `most` shapes.
    ///
    /// # Errors
    /// `too_large` if there are more shapes, `out_of_budget` if the work or the time runs out.
    pub fn below(roots: &[Shape], mode: Mode, most: usize, budget: &mut Budget<'_>) -> Result<Graph, Error> {
        let mut graph = Graph { shapes: vec![], draws: vec![], layers: vec![], number: FxHashMap::default() };
        for root in roots {
            graph.add(root.clone());
        }
        let mut next = 0;
        while next < graph.shapes.len() {
            if graph.shapes.len() > most {
                return Err(Error::too_large("shapes to look at", format!("over {most}"), most));
            }
            budget.spend(1)?;
            let shape = graph.shapes[next].clone();
            let edges = shape.kinds(mode).into_iter().map(|kind| {
                let step = shape.draw(kind, mode);
                let (victim_left, mover_left, paired) = (step.victim_left, step.mover_left, step.paired);
                Edge { kind, to: step.after.map(|after| graph.add(after)), victim_left, mover_left, paired }
            });
            let edges = edges.collect();
            graph.draws.push(edges);
            next += 1;
        }
        graph.cut();
        Ok(graph)
    }

    fn add(&mut self, shape: Shape) -> u32 {
        let next = self.shapes.len() as u32;
        *self.number.entry(shape).or_insert_with_key(|shape| {
            self.shapes.push(shape.clone());
            next
        })
    }

    fn cut(&mut self) {
        let key = |shape: &Shape| (shape.labels(), shape.seats);
        let mut order: Vec<u32> = (0..self.shapes.len() as u32).collect();
        order.sort_by_key(|&i| key(&self.shapes[i as usize]));
        let same = |a: &u32, b: &u32| key(&self.shapes[*a as usize]) == key(&self.shapes[*b as usize]);
        self.layers = order.chunk_by(same).map(<[u32]>::to_vec).collect();
    }

    /// The place of a shape.
    pub fn find(&self, shape: &Shape) -> Option<u32> {
        self.number.get(shape).copied()
    }

    /// How many shapes there are.
    pub fn len(&self) -> usize {
        self.shapes.len()
    }

    /// Were there no roots?
    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }
}
